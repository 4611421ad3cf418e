# SPDX-License-Identifier: Apache-2.0
"""From a task to a measured design: ``python -m montforge.demos.multiplier`` (``make demo``).

The design is the first answer of ``pick`` to the task. It is generated, verified with a prime of an
elliptic curve, and measured; a picture shows it on the frontier of the stored designs, beside the
published ones. A step whose tool is missing is named and left out.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from montforge.arch import Core
from montforge.demos.steps import attempt, console, end_with, say, step
from montforge.errors import CheckFailedError
from montforge.explore.frontier import frontier
from montforge.generate import generate
from montforge.measure import Measurement, measure
from montforge.programs.primes import PRIMES
from montforge.report import Table
from montforge.report.chart import Chart, Point
from montforge.report.page import Page
from montforge.report.table import Cell
from montforge.store import Result
from montforge.store.pick import Choice, Request, pick
from montforge.verify import VerifyReport
from montforge.verify.runner import verify_core
from montforge.work.command import command_line
from montforge.work.extras import require

COMMAND = "make demo"
OUTPUT = Path("demo-out")
TASK = Request(
    width=256, target="osu018", max_area=1_100_000, constant_time=True, minimise="latency"
)
EFFORT = "quick"
PRIME = "secp256k1"
OPERATIONS, SEED = 2000, 1
OWN = ("unit_csa", "unit_dsp", "three_pass", "fixed_prime")
"""Architectures of this library; the others are published ones."""
SHOWN_AREA = 2.0
"""Designs up to this multiple of the task's area are shown."""
UM2 = 1e6
"""Of a mm2."""
ENGINES = "make demo-rsa: a file signed by the simulated RSA-2048 engine, which openssl verifies"


class Step(NamedTuple):
    """A step of the demonstration, its outcome, and the command that repeats it."""

    name: str
    outcome: str
    command: str


def main() -> int:
    """Run the demonstration and return the exit status.

    Raises CheckFailedError, before anything is measured, if an operation was wrong.
    """
    require("papers", "matplotlib", "plotly")
    title = f"A multiplier of {task_text(TASK)}"
    say(title, style="bold")
    with step("pick"):
        fitting = pick(TASK).choices
        shown = designs(TASK)
    best = fitting[0]
    chosen = best.stored.chosen
    assert isinstance(chosen, Core)
    folder = OUTPUT / chosen.identifier
    steps = [Step("pick", f"{best.stored.label}: the first of {len(fitting)}", asked(TASK))]
    with step("generate"):
        generate(chosen, folder)
    steps.append(Step("generate", f"{folder}", best.generate.replace("FOLDER", f"{folder}")))
    if (checked := attempt(f"verify with the prime {PRIME}", lambda: right(chosen))) is not None:
        options = {"modulus": PRIME, "operations": OPERATIONS, "seed": SEED}
        outcome = f"{checked.operations:,} operations, {checked.mismatches} wrong"
        steps.append(Step("verify", outcome, command_line("verify", chosen.words, **options)))
    measured = attempt(f"measure on {TASK.target}", lambda: figures(chosen))
    if measured is not None:
        outcome = f"{measured.area:,.0f} um2, {measured.time:.4g} ns, netlist simulated"
        steps.append(Step("measure", outcome, measured.command))
    for name, outcome, _ in steps:
        say(f"{name:9} {outcome}")

    chart = picture(shown, best, measured)
    chart.write(OUTPUT / "demo.png")
    rivals = table(shown, best)
    console.print(rivals.to_rich())
    commands = Table("Steps", ("step", "outcome", "command"), tuple(steps))
    page = OUTPUT / "demo.html"
    Page.of(title, (chart, commands, rivals, f"Next: {ENGINES}"), COMMAND).write(page)
    say(
        f"picture   {OUTPUT / 'demo.png'}\npage      {page.resolve().as_uri()}\nnext      {ENGINES}"
    )
    return 0


def task_text(task: Request) -> str:
    """Return a task in words."""
    limits = [f"{task.width} bits on {task.target}"]
    if task.constant_time:
        limits.append("constant time")
    if task.max_area is not None:
        limits.append(f"at most {task.max_area:,.0f} um2")
    return ", ".join((*limits, f"the least {task.minimise}"))


def asked(task: Request) -> str:
    """Return the command that picks for a task."""
    return command_line(
        "pick", width=task.width, target=task.target, constant_time=task.constant_time,
        max_area=task.max_area, min=task.minimise,
    )  # fmt: skip


def designs(task: Request) -> list[Choice]:
    """Return the stored designs of a task without its limit of area, by growing area."""
    most = SHOWN_AREA * (task.max_area or float("inf"))
    found = pick(replace(task, max_area=most, minimise="area")).choices
    return [each for each in found if each.stored.effort == EFFORT]


def right(chosen: Core) -> VerifyReport:
    """Return the report of a verification. Raises CheckFailedError if an operation was wrong."""
    report = verify_core(chosen, operations=OPERATIONS, seed=SEED, modulus=PRIMES[PRIME])
    if report.failed:
        raise CheckFailedError(str(report))
    return report


def figures(chosen: Core) -> Measurement:
    """Return the figures of a design, whose netlist is simulated, too."""
    return measure(chosen, TASK.target, effort=EFFORT, netlist_check=True)


def source(row: Result) -> str:
    """Return whose architecture a design has: the first author and the year, or this library."""
    if row.architecture in OWN:
        return "this library"
    citation = row.chosen.citation
    return f"{citation.authors.split(',')[0].split()[-1]} {citation.year}"


def table(shown: list[Choice], best: Choice) -> Table:
    """Return the stored designs, with the papers that published them as notes."""
    columns: dict[str, Callable[[Choice], Cell]] = {
        "design": lambda each: each.stored.label,
        "architecture of": lambda each: source(each.stored),
        "area um2": lambda each: each.area,
        "latency ns": lambda each: each.latency,
        "results": lambda each: each.stored.result,
        "pick": lambda each: "chosen" if each.stored == best.stored else "",
    }
    papers = {
        f"{source(each.stored)}: {replace(each.stored.chosen.citation, where='')}"
        for each in shown
        if each.stored.architecture not in OWN
    }
    title = f"Stored designs of constant time, {TASK.width} bits, {TASK.target}"
    return Table.of(title, shown, columns, sorted(papers))


def stored_picture() -> Chart:
    """Return the picture of the stored designs alone, as it is before the measurement."""
    return picture(designs(TASK), pick(TASK).choices[0], None)


def picture(shown: list[Choice], best: Choice, measured: Measurement | None) -> Chart:
    """Return all designs, their frontier, the chosen one, and the point measured now."""
    series: dict[str, tuple[Point, ...]] = {}
    for each in shown:
        label = "" if each.stored == best.stored else each.stored.label
        point = Point(label, each.latency, each.area / UM2)
        series[source(each.stored)] = (*series.get(source(each.stored), ()), point)
    if measured is not None:
        assert measured.area is not None and measured.time is not None
        series["measured now"] = (Point("", measured.time, measured.area / UM2),)
    places = [(each.area / UM2, each.latency) for each in shown]
    return Chart(
        f"Constant time, {TASK.width} bits, {TASK.target}", "scatter", "area, mm2", "latency, ns",
        tuple(series.items()), steps=tuple(places[at] for at in frontier(places)),
        chosen=Point(f"chosen: {best.stored.label}", best.latency, best.area / UM2),
    )  # fmt: skip


if __name__ == "__main__":
    end_with(main)
