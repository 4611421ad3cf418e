# SPDX-License-Identifier: Apache-2.0
"""Render the figures of the docs: from contracts, from stored results, from stored runs.

    python scripts/render_docs.py            # write the pages
    python scripts/render_docs.py --check    # status 1, and the names of stale pages

Comments, which stay in a page, mark the parts that are rendered:

    <!--: a = stored("unit_csa", width=256) -->          a name, for this page
    <!--= cycles("unit_csa", width=256) -->40<!--/-->    an expression, and its text
    <!--" Sassaw 2010, Table II -->637 ns<!--/-->        a figure of others after its source

Expressions are Python; the names that they may use are `NAMES`. Results are those of
src/montforge/store/results.jsonl (scripts/store_results.py adds to it), runs those of
docs/runs.jsonl (scripts/store_runs.py makes them again), verdicts those of
src/montforge/prove/verdicts.jsonl (scripts/store_verdicts.py).
"""

from __future__ import annotations

import re
import shlex
import sys
from collections.abc import Callable, Sequence
from dataclasses import fields
from itertools import chain
from pathlib import Path
from typing import Any

import architecture_index
import architecture_page
from figures import (
    DOCS,
    NAMES,
    ROOT,
    lut_equivalents,
    lut_time,
    markdown,
    modexp_table,
    placed_column,
    placed_product,
    product,
    with_wires_of_today,
    words,
)
from PIL import Image
from proved import NAMES as PROVED
from typer import Typer
from typer.main import get_command

from montforge import power_cycles, store
from montforge.arch import design
from montforge.cli.pick import pick as pick_command
from montforge.demos import multiplier as demo
from montforge.errors import ParameterError
from montforge.explore.frontier import frontier
from montforge.explore.limit import row_limit
from montforge.hardware.forms import PARALLEL
from montforge.report.chart import Chart
from montforge.report.table import Cell, format_cell
from montforge.store import Result
from montforge.store.pick import Choice, Request, pick

MARK = re.compile(
    r"<!--: (?P<name>\w+) = (?P<value>.*?) -->|<!--= (?P<expression>.*?) -->.*?<!--/-->", re.DOTALL
)
Measure = Callable[[Result], float]
Criterion = tuple[str, Callable[[Result], bool], Measure, float, Measure]


class Renderer:
    """Renders text with the stored ``results``; of figures with wires those of today's flow."""

    def __init__(self, results: Sequence[Result]) -> None:
        self.results = with_wires_of_today(results)

    def stored(
        self,
        name: str,
        *,
        target: str = "nangate45",
        effort: str | None = "quick",
        form: str = PARALLEL,
        **parameters: int | str,
    ) -> Result:
        """Return the result of a design. Raises LookupError if there is none."""
        wanted = design(name, **parameters).with_form(form)
        place = (target, effort if target in CELLS else None)
        for row in self.results:
            if (row.target, row.effort) == place and row.chosen == wanted:
                return row
        raise LookupError(f"no stored result of {wanted} on {target}, effort {effort}.")

    def architectures(self) -> str:
        """Return the tables of all architectures."""
        return f"\n\n{architecture_index.tables(self.results)}\n"

    def figures(self, *rows: Result) -> str:
        """Return a table of standard-cell figures."""
        placed, cell = placed_column(rows)
        columns = (
            "design", "area um2", "registers um2", "period ns", "cycles", "latency ns", "mm2 ns",
            *placed, "results",
        )  # fmt: skip
        return markdown(
            columns,
            [
                (
                    f"`{words(row)}`", row.area, row.area_registers, row.period, row.cycles,
                    row.time, product(row), *cell(row), row.result,
                )
                for row in rows
            ],
        )  # fmt: skip

    def placed(self, *rows: Result) -> str:
        """Return a table of figures on an FPGA."""
        columns = (
            "design", "LUT", "FF", "DSP", "MHz of each seed", "median", "cycles", "time us",
            "interval", "LUT equivalents * us",
        )  # fmt: skip
        return markdown(columns, [_placed(row) for row in rows])

    def synthesized(self, target: str) -> str:
        """Return the resources of designs that were synthesized for an FPGA and not placed."""
        found = [row for row in self.results if row.target == target and row.resources]
        columns = ("design", "LUT", "FF", "DSP", "carry", "latency", "interval")
        return markdown(
            columns,
            [
                (
                    f"`{words(row)}`",
                    *(row.resources[name] for name in ("lut", "ff", "dsp", "carry")),
                    row.cycles, row.interval,
                )
                for row in found
                if row.resources is not None
            ],
        )  # fmt: skip

    def powers(self, width: int) -> str:
        """Return the times of powers over the stored multipliers of a width, on nangate45.

        A turn is the multiplier's latency, the mean one if it depends on data, handover and 2
        cycles; the period is the multiplier's. Private: window, w = 5; public: f4. *Placed* is with
        the wires of the placed and sized multiplier, where the store has them.
        """
        exponentiator = modexp_table()["exponentiator"]
        columns = (
            "multiplier", "area um2", "period ns", "private, cycles", "ms", "placed ms",
            "public, cycles", "us", "placed us",
        )  # fmt: skip
        rows = []
        for row in store.multipliers(self.results, width=width, target="nangate45"):
            given = (row.architecture, row.options, width)
            try:
                chosen = (
                    exponentiator(*given, algorithm="window", w=5),
                    exponentiator(*given, algorithm="f4"),
                )
            except ParameterError:
                continue  # results beyond n that no exponentiation takes
            assert row.period is not None and row.cycles is not None
            turn = row.cycles + row.handover + 2
            planned = map(power_cycles, chosen)
            counts = [
                each.cycles.maximum if each.turn.is_fixed else round(each.turns.maximum * turn)
                for each in planned
            ]
            private, public = counts
            periods = (row.period, row.sized.period if row.sized else None)
            rows.append(
                (
                    row.label, row.area, row.period,
                    f"{private:,}", *(ns and f"{private * ns / 1e6:.3f}" for ns in periods),
                    f"{public:,}", *(ns and f"{public * ns / 1e3:.2f}" for ns in periods),
                )
            )  # fmt: skip
        return markdown(columns, rows)

    def multipliers(self, target: str, width: int) -> list[Result]:
        """Return the placed multipliers of a width on an FPGA, by LUT equivalents."""
        found = store.multipliers(self.results, width=width, target=target, effort=None)
        return sorted((row for row in found if row.placements), key=lut_equivalents)

    def compared(self, bases: dict[str, Result], *rows: Result) -> str:
        """Return area times time of designs as multiples of other ones."""
        placed, cell = placed_column(rows)
        columns = ("design", "mm2 ns", *(f"to {name}" for name in bases), *placed)
        return markdown(
            columns,
            [
                (
                    f"`{words(row)}`", product(row),
                    *(f"{product(row) / product(base):.3f}" for base in bases.values()),
                    *cell(row),
                )
                for row in rows
            ],
        )  # fmt: skip

    def bound_table(self, designs: Sequence[str], moduli: Sequence[str], width: int) -> str:
        """Return figures of ``unit_csa digit=16`` ... without and with ``moduli`` as literals."""
        columns = (
            "design",
            "modulus",
            "area um2",
            "registers um2",
            "ns",
            "mm2 ns",
            "of the input's",
            "placed mm2 ns",
            "placed, of the input's",
        )
        rows = []
        for name, *values in map(str.split, designs):
            given = dict(value.split("=") for value in values)
            free = self.stored(name, width=width, **given)
            rows.append((free.label, "input", *_bound(free, free)))
            for modulus in moduli:
                row = self.stored(name, width=width, modulus=modulus, **given)
                rows.append(("", modulus, *_bound(row, free)))
        return markdown(columns, rows)

    def lut_table(self, width: int, *targets: str) -> str:
        """Return the stored designs without multiplier blocks on FPGAs, the least product first."""
        columns = ("device", "design", "LUT", "flip-flops", "ns", "cycles", "ns in all", "LUT us")
        table = []
        for target in targets:
            found = [
                row
                for row in store.multipliers(self.results, width=width, target=target, effort=None)
                if row.resources and row.time and not row.resources["dsp"]
            ]
            for row in sorted(found, key=lut_time):
                assert row.resources is not None and row.period is not None
                placed = (row.resources["lut"], row.resources["ff"], row.period, row.cycles)
                table.append((target, row.label, *placed, row.time, lut_time(row)))
        return markdown(columns, table)

    def recommended(self, width: int, target: str = "nangate45") -> str:
        """Return the best designs of a width, each with the criterion that it is the best in.

        On standard cells they are the best of those with figures with wires, by these.
        """
        all_rows = store.multipliers(
            self.results, width=width, target=target, effort="quick" if target in CELLS else None
        )
        found = _with_wires(all_rows)
        without = {row.key_text: product(row) for row in all_rows if row.sized}
        rows = []
        for text, fits, first, factor, second in CHOICES if target in CELLS else FPGA_CHOICES:
            fitting = list(filter(fits, found))
            most = factor * min(map(first, fitting), default=0.0)
            near = [row for row in fitting if first(row) <= most]
            rows += [
                (text, *_choice(row, *([without[row.key_text]] if without else [])))
                for row in near
                if row is min(near, key=second)
            ]
        columns: tuple[str, ...] = ("LUT", "DSP", "time us", "LUT equivalents * us")
        if target in CELLS:
            wires = ("mm2 ns without place",) if without else ()
            columns = ("area um2", "latency ns", "mm2 ns", *wires)
        return markdown(("if you want", "take", *columns, "constant time", "results"), rows)

    def frontier(self, width: int) -> str:
        """Return the frontier of area and time, without place."""
        table = store.exploration(self.results, width=width, target="nangate45").table()
        return markdown(table.columns, table.rows)

    def placed_frontier(self, width: int) -> str:
        """Return the frontier of the designs that have figures with wires, by these; or nothing."""
        all_rows = store.multipliers(self.results, width=width, target="nangate45")
        rows = [row for row in all_rows if row.sized]
        if not rows:
            return "\n\n"
        without = [all_rows[at] for at in frontier([(_area(row), _time(row)) for row in all_rows])]
        sized = _with_wires(all_rows)
        best = frontier([(_area(row), _time(row)) for row in sized])
        return markdown(
            ("design", "area um2", "period ns", "cycles", "time ns", "area x time mm2 ns",
             "without place mm2 ns", "on the frontier without place"),
            [
                (
                    *(sized[at].label, sized[at].area, sized[at].period, sized[at].cycles),
                    *(sized[at].time, product(sized[at]), product(rows[at])),
                    "yes" if rows[at] in without else "no",
                )
                for at in best
            ],
        )  # fmt: skip

    def placed_count(self, width: int) -> str:
        """Return how many of the multipliers of a width have figures with wires."""
        rows = store.multipliers(self.results, width=width, target="nangate45")
        return f"{sum(row.sized is not None for row in rows)} of the {len(rows)}"

    def least(self, width: int, measure: str) -> Result:
        """Return the multiplier of least ``area``, ``time`` or ``area_time`` on nangate45.

        It is that by figures with wires, and has these.
        """
        found = _with_wires(store.multipliers(self.results, width=width, target="nangate45"))
        return min(found, key=lambda row: float(getattr(row, measure)))

    def every(self, width: int) -> str:
        """Return all multipliers of a width, those on the frontier marked."""
        found = store.multipliers(self.results, width=width, target="nangate45")
        placed, cell = placed_column(found)
        best = {
            row.design
            for row in store.exploration(self.results, width=width, target="nangate45").frontier
        }
        columns = (
            "design", "area um2", "registers um2", "period ns", "cycles", "time ns",
            "area x time mm2 ns", *placed, "frontier",
        )  # fmt: skip
        return markdown(
            columns,
            [
                (
                    row.label, row.area, row.area_registers, row.period, row.cycles, row.time,
                    product(row), *cell(row), "yes" if row.chosen.identifier in best else "",
                )
                for row in found
            ],
        )  # fmt: skip

    def place(self, name: str) -> str:
        """Return how an architecture's stored designs stand among all."""
        return architecture_page.place(self.results, name)

    def measured(self, name: str) -> str:
        """Return an architecture's stored figures."""
        return architecture_page.measured(self.results, name)

    def limits(self, *rows: Result) -> str:
        """Return designs of unit_csa beside the limits of the cost model."""
        columns = ("design", "limit mm2 ns", "measured", "ratio")
        return markdown(columns, [_limit(row) for row in rows])

    def answer(self, options: str, docs: str = "../") -> str:
        """Return ``montforge pick`` with ``options``, its first answers, and how to make the best.

        ``docs`` is the way to the root of the docs. Raises LookupError if no stored design fits.
        """
        picked = pick(request_of(options), self.results)
        first = (picked.choices or picked.estimates)[:3]
        if not first:
            raise LookupError(f"no stored design fits {options}.")
        is_cells = first[0].stored.area is not None
        columns = (
            "design", "results", "constant time", *(("area um2",) if is_cells else ("LUT", "DSP")),
            "latency ns", "results per us",
        )  # fmt: skip
        table = markdown(columns, [_answer(each, docs) for each in first])
        best = first[0].stored
        chosen = words(best) if "width" in best.parameters else shlex.join(best.chosen.words)
        make = f"montforge generate {chosen} -o {best.architecture}"
        asked = console(f"montforge pick {options}").rstrip()
        return f"\n\n{asked}{table}{console(make)}\n"

    def published(self, width: int) -> str:
        """Return the published multipliers of a width, each as its best area times latency.

        Those with figures with wires come first, by these.
        """
        found = store.multipliers(self.results, width=width, target="nangate45")
        placed, cell = placed_column(found)
        best: dict[str, Result] = {}
        for row in sorted(found, key=lambda row: (row.sized is None, product(row.sized or row))):
            if row.architecture not in demo.OWN:
                best.setdefault(row.architecture, row)
        columns = (
            "published by", "design", "area um2", "latency ns", "mm2 ns", *placed, "constant time",
        )  # fmt: skip
        return markdown(
            columns,
            [
                (
                    demo.source(row), named(row, "../"), row.area, row.time, product(row),
                    *cell(row), "yes" if row.constant_time else "no",
                )
                for row in best.values()
            ],
        )  # fmt: skip

    def render(self, text: str) -> str:
        """Return a page with its figures."""
        own = {name: getattr(self, name) for name in METHODS}
        names: dict[str, Any] = {**NAMES, **PAGE, **PROVED, **own}

        def replace(found: re.Match[str]) -> str:
            if found["name"]:
                names[found["name"]] = eval(found["value"], names)
                return found[0]
            value = eval(found["expression"], names)
            return f"<!--= {found['expression']} -->{shown(value)}<!--/-->"

        return MARK.sub(replace, text)


def shown(value: Any) -> str:
    """Return a value as text: thousands of counts separated, four digits of measured ones."""
    if isinstance(value, int):
        return f"{value:,}"
    return format_cell(value)


def _bound(row: Result, free: Result) -> tuple[Cell, ...]:
    """Return figures of a row, and its products in those of the design ``free`` to any modulus."""
    pairs = ((product(row), product(free)), (placed_product(row), placed_product(free)))
    products = (
        (mine, "" if row is free or not (mine and other) else f"{mine / other:.0%}")
        for mine, other in pairs
    )
    return row.area, row.area_registers, row.time, *chain.from_iterable(products)


def _placed(row: Result) -> tuple[Cell, ...]:
    assert row.resources and row.period and row.time
    mhz = ", ".join(f"{value:.1f}" for value in row.placements or ())
    return (
        f"`{words(row)}`", row.resources["lut"], row.resources["ff"], row.resources["dsp"], mhz,
        f"{1e3 / row.period:.1f}", row.cycles, f"{row.time / 1e3:.3f}", row.interval, lut_time(row),
    )  # fmt: skip


def _with_wires(rows: Sequence[Result]) -> list[Result]:
    """Return those with figures with wires, by these; ``rows`` if none has them."""
    return [row.sized for row in rows if row.sized] or list(rows)


def _choice(row: Result, *without: float) -> tuple[Cell, ...]:
    """Return the cells of a recommended design; ``without`` is its product without place."""
    figures: tuple[Cell, ...] = (row.area, row.time)
    if row.area is not None:
        figures += (product(row), *without)
    elif row.resources is not None and row.time is not None:
        resources = (row.resources["lut"], row.resources["dsp"])
        figures = (*resources, f"{row.time / 1e3:.3f}", lut_time(row))
    constant = "yes" if row.constant_time else "no"
    return (named(row), *figures, constant, row.result)


def _answer(choice: Choice, docs: str) -> tuple[Cell, ...]:
    """Return the cells of an answer of pick."""
    row = choice.stored
    area: tuple[Cell, ...] = (choice.area,)
    if row.resources is not None:
        area = (row.resources["lut"], row.resources["dsp"])
    return (
        named(row, docs), row.result, "yes" if row.constant_time else "no", *area,
        choice.latency, choice.throughput,
    )  # fmt: skip


def named(row: Result, docs: str = "") -> str:
    """Return a design's architecture, linked, and options; ``docs`` is the way to the root."""
    link = f"[`{row.architecture}`]({docs}architectures/{row.architecture}.md)"
    options = " ".join(f"{key}={value}" for key, value in row.options.items())
    return f"{link} `{options}`" if options else link


def console(command: str) -> str:
    """Return a block of commands."""
    return f"```console\n{command}\n```\n"


def request_of(options: str) -> Request:
    """Return the request of ``montforge pick`` with these options."""
    command = Typer()
    command.command()(pick_command)
    given = get_command(command).make_context("pick", shlex.split(options)).params
    return Request(**{each.name: given[each.name] for each in fields(Request)})


def _limit(row: Result) -> tuple[Cell, ...]:
    parameters = row.parameters
    width, digit, delay = (int(parameters[name]) for name in ("width", "digit", "delay"))
    limit = row_limit(width, digit, delay)
    return f"`{words(row)}`", limit, product(row), product(row) / limit


def _area(row: Result) -> float:
    assert row.area is not None
    return row.area


def _time(row: Result) -> float:
    assert row.time is not None
    return row.time


def _anything(row: Result) -> bool:
    return True


def _constant(row: Result) -> bool:
    return row.constant_time


def _below(row: Result) -> bool:
    return row.result in ("0 <= x < n", "-n < x < n")


def _canonical(row: Result) -> bool:
    return row.result == "0 <= x < n"


def _small(row: Result) -> bool:
    return row.resources is not None and row.resources["dsp"] <= 8


CELLS = ("nangate45", "sky130hd", "osu018")
CHOICES: tuple[Criterion, ...] = (
    ("the least area times latency", _anything, product, 1, product),
    ("the same with results below n, signed", _below, product, 1, product),
    ("the same with results from 0 to n - 1", _canonical, product, 1, product),
    ("the least latency within 5%, of these the least area", _anything, _time, 1.05, _area),
    ("the least area within 50%, of these the least area times latency",
     _anything, _area, 1.5, product),
    ("the same in constant time", _constant, _area, 1.5, product),
    ("the least area", _anything, _area, 1, _area),
    ("the same in constant time", _constant, _area, 1, _area),
)  # fmt: skip
"""Criteria of recommendation: the designs that qualify, the measure and the factor by which they
may exceed the least one, and the measure that decides among these."""
FPGA_CHOICES: tuple[Criterion, ...] = (
    ("the least time", _anything, _time, 1, _time),
    ("the least time with at most 8 DSP blocks", _small, _time, 1, _time),
    ("the least LUT equivalents * us", _anything, lut_time, 1, lut_time),
)
METHODS = (
    "answer",
    "published",
    "architectures",
    "stored",
    "figures",
    "placed",
    "recommended",
    "frontier",
    "placed_count",
    "placed_frontier",
    "every",
    "least",
    "limits",
    "bound_table",
    "lut_table",
    "compared",
    "multipliers",
    "synthesized",
    "powers",
    "place",
    "measured",
)
PAGE = {
    function.__name__: function
    for function in (
        architecture_page.contract,
        architecture_page.parameters,
        architecture_page.latency,
        architecture_page.source,
    )
}
"""Blocks of an architecture's page that need no results."""


def pages() -> list[Path]:
    """Return the pages that may have figures."""
    return sorted([ROOT / "README.md", *DOCS.rglob("*.md")])


PICTURES: dict[str, Callable[[], Chart]] = {"docs/demo.png": demo.stored_picture}
"""Charts of stored results that are files, since README.md shows them."""


def stale_pictures() -> list[str]:
    """Return those of `PICTURES` that were drawn from other results."""
    return [name for name, chart in PICTURES.items() if drawn(ROOT / name) != chart().data]


def drawn(path: Path) -> str:
    """Return the data that a picture was drawn from; empty if it is not there."""
    if not path.is_file():
        return ""
    with Image.open(path) as picture:
        return str(picture.info.get("Description", ""))


def main(arguments: list[str]) -> int:
    """Render all pages and pictures, and return the exit status."""
    renderer = Renderer(store.read_results())
    stale = []
    for page in pages():
        text = page.read_text(encoding="utf-8")
        made = renderer.render(text)
        if made != text:
            stale.append(page.relative_to(ROOT).as_posix())
            if "--check" not in arguments:
                page.write_text(made, encoding="utf-8")
    for name in stale_pictures():
        stale.append(name)
        if "--check" not in arguments:
            PICTURES[name]().write(ROOT / name)
    print("\n".join(stale) or "All pages are up to date.")
    return int(bool(stale) and "--check" in arguments)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
