# SPDX-License-Identifier: Apache-2.0
"""The main job on real input: ``python -m montforge.demos.multiplier`` (``make demo``).

A 1024-bit SCS-MM-New multiplier is generated, verified with the modulus of an RSA key made on the
spot, its cycles are measured and set beside the model's and the paper's, and it is measured on
osu018 and, at a width that suits the device, placed and routed on an ECP5. A step whose tool is
missing is named and left out.
"""

from __future__ import annotations

import json
import secrets
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from rich.console import Console

from montforge.arch import Core, core
from montforge.errors import CheckFailedError, MontforgeError, ToolMissingError
from montforge.generate import generate
from montforge.measure import Measurement, measure
from montforge.papers import published_cycles
from montforge.report import Table
from montforge.report.chart import Chart, Point
from montforge.report.page import Page
from montforge.verify import CyclesReport, VerifyReport, correct_cycles
from montforge.verify.runner import verify_core
from montforge.work.command import command_line
from montforge.work.extras import require

COMMAND = "make demo"
OUTPUT = Path("demo-out")
WIDTH = 1024
FPGA_WIDTH = 256
OPERATIONS = 2000
SEED = 1
PRODUCTS = 20
console = Console()

Result = TypeVar("Result")


@dataclass(frozen=True)
class Step:
    """One row of the demo's table: the step, and the figure or finding."""

    name: str
    figure: str
    source: str


def main() -> int:
    """Run the demo and return the exit status: 1 if a check failed.

    Raises CheckFailedError if an operation whose cycles were counted was wrong.
    """
    console.print(f"montforge demo: a {WIDTH}-bit SCS-MM-New multiplier", style="bold")
    require("papers", "matplotlib", "plotly")
    multiplier = core("scs_mm_new", width=WIDTH)
    smaller = core("scs_mm_new", width=FPGA_WIDTH)
    modulus = rsa_modulus(WIDTH)

    folder = _step("generate", lambda: generate(multiplier, OUTPUT / multiplier.identifier))
    checked = _step("verify with an RSA modulus", lambda: _verify(multiplier, modulus))
    products = _step("products of residues", lambda: _products(multiplier, modulus))
    cycles = _step(
        f"cycles of {OPERATIONS} operations",
        lambda: correct_cycles(multiplier, samples=OPERATIONS, seed=SEED),
    )
    mean = cycles.mean if cycles else None
    cells = _step("measure on osu018", lambda: measure(multiplier, "osu018", cycles=mean))
    small_cycles = _step(
        f"cycles at {FPGA_WIDTH} bits",
        lambda: correct_cycles(smaller, samples=OPERATIONS, seed=SEED),
    )
    small_mean = small_cycles.mean if small_cycles else None
    fpga = _step(
        f"place and route {FPGA_WIDTH} bits on ecp5-85k",
        lambda: measure(smaller, "ecp5-85k", cycles=small_mean),
    )

    published = published_cycles(multiplier)
    steps = _steps(checked, products, cycles, published, cells, fpga)
    table = Table(
        f"SCS-MM-New: {WIDTH} bits on osu018, {FPGA_WIDTH} bits on ECP5",
        ("what", "figure", "command"),
        tuple((step.name, step.figure, step.source) for step in steps),
    )
    console.print(table.to_rich())
    if cycles is not None:
        chart = _cycle_chart(cycles, published)
        chart.write_png(OUTPUT / "demo.png")
        Page.of("montforge demo", (chart, table), COMMAND).write(OUTPUT / "demo.html")
        console.print(f"picture: {OUTPUT / 'demo.png'} and {OUTPUT / 'demo.html'}")
    if folder is not None:
        console.print(f"generated folder: {folder}")
    failed = [r for r in (checked, products) if r is not None and r.mismatches]
    return 1 if failed else 0


def rsa_modulus(bits: int) -> int:
    """Return the modulus of a new RSA key of ``bits`` bits."""
    require("keys", "cryptography")
    from cryptography.hazmat.primitives.asymmetric import rsa

    key = rsa.generate_private_key(public_exponent=65537, key_size=bits)
    return key.public_key().public_numbers().n


def _verify(multiplier: Core, modulus: int) -> VerifyReport:
    return verify_core(multiplier, operations=OPERATIONS, seed=SEED, modulus=modulus)


def _products(multiplier: Core, modulus: int) -> VerifyReport:
    """Check products of plain residues, with the domain conversions done by the hardware."""
    with tempfile.TemporaryDirectory() as name:
        path = Path(name) / "residues.jsonl"
        with path.open("w") as lines:
            for _ in range(PRODUCTS):
                a, b = secrets.randbelow(modulus), secrets.randbelow(modulus)
                lines.write(json.dumps({"n": hex(modulus), "a": hex(a), "b": hex(b)}) + "\n")
        return verify_core(multiplier, vectors=path, seed=SEED)


def _steps(
    checked: VerifyReport | None,
    products: VerifyReport | None,
    cycles: CyclesReport | None,
    published: list[dict[str, Any]],
    cells: Measurement | None,
    fpga: Measurement | None,
) -> list[Step]:
    words = ("scs_mm_new", "-p", f"width={WIDTH}")
    steps = []
    if checked is not None:
        steps.append(
            Step(
                "verified with the RSA modulus",
                f"{checked.operations} operations, {checked.mismatches} mismatches",
                command_line("verify", words, modulus="N", operations=OPERATIONS, seed=SEED),
            )
        )
    if products is not None:
        steps.append(
            Step(
                "a * b mod n through the domain",
                f"{PRODUCTS} products, {products.mismatches} mismatches",
                command_line("verify", words, vectors="FILE"),
            )
        )
    if cycles is not None:
        command = command_line("cycles", words, samples=OPERATIONS, seed=SEED)
        steps.append(
            Step(
                "cycles, mean of the RTL",
                f"{cycles.mean:.1f} ({cycles.minimum} to {cycles.maximum})",
                command,
            )
        )
        steps.append(
            Step(
                "cycles that differ from the model",
                f"{cycles.model_mismatches} of {cycles.samples}",
                command,
            )
        )
        for row in published:
            steps.append(Step(f"cycles in {row['paper']}", f"{row['cycles']}", "published"))
    for result in (cells, fpga):
        if result is not None:
            steps += _measured(result)
    return steps


def _measured(result: Measurement) -> list[Step]:
    place = f"{result.target}, {result.parameters['width']} bits"
    steps = []
    if result.area_um2 is not None:
        steps.append(Step(f"area on {place}", f"{result.area_um2:,.0f} um2", result.command))
    if result.resources is not None:
        counts = ", ".join(f"{name} {count}" for name, count in result.resources.items() if count)
        steps.append(Step(f"resources on {place}", counts, result.command))
    if result.period_ns is not None:
        steps.append(
            Step(
                f"clock period on {place}",
                f"{result.period_ns:.3f} ns ({result.fmax_mhz:.1f} MHz)",
                result.command,
            )
        )
    if result.latency_ns is not None:
        steps.append(
            Step(f"mean latency on {place}", f"{result.latency_ns / 1e3:.3f} us", result.command)
        )
    return steps


def _cycle_chart(cycles: CyclesReport, published: list[dict[str, Any]]) -> Chart:
    bars = [Point("RTL, least", cycles.minimum), Point("RTL, mean", cycles.mean)]
    bars += [Point("RTL, most", cycles.maximum)]
    bars += [Point(f"{row['paper']}, published mean", row["cycles"]) for row in published]
    title = f"Cycles of a {WIDTH}-bit SCS-MM-New multiplication, {cycles.samples} operations"
    return Chart(title, "bar", "", "cycles", (("cycles", tuple(bars)),))


def _step(name: str, work: Callable[[], Result]) -> Result | None:
    """Return the result of ``work``, or None, with a message, if a tool for it is missing."""
    with console.status(f"{name} ..."):
        start = time.monotonic()
        try:
            result = work()
        except ToolMissingError as error:
            console.print(f"  left out: {name}: {error}", markup=False, highlight=False)
            return None
    console.print(f"  {name}: {time.monotonic() - start:.1f} s", highlight=False)
    return result


if __name__ == "__main__":
    try:
        sys.exit(main())
    except MontforgeError as error:
        console.print(f"montforge: {error}", markup=False, highlight=False)
        sys.exit(1 if isinstance(error, CheckFailedError) else 2)
