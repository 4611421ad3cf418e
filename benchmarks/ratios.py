# SPDX-License-Identifier: Apache-2.0
"""Figures of unit_csa, three_pass and unit_dsp in ratio to their rivals, in one run.

    python benchmarks/ratios.py [--width 256] [--cells nangate45] [--effort quick] [--seeds 5]

Two tables: standard cells (booth_csa, rmm), and a placed ECP5 (fios_dsp). A ratio below 1 is the
better one. Where the placer is installed (extra placed), the first table has the products of the
placed and sized netlists as well. Nothing is measured twice: what the cache has is taken.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from importlib.util import find_spec

from rich.console import Console

from montforge.arch import core
from montforge.measure import Fpga, find_target, measure
from montforge.measure.fpga import luts_per_dsp, used_luts
from montforge.measure.placed.technology import placed_targets
from montforge.report import Cell, Table

PLACED = "ecp5-85k"
CELLS: tuple[tuple[str, dict[str, str | int]], ...] = (
    ("booth_csa", {"radix": 64, "pipeline": 1}),
    ("rmm", {"k": 3, "m": 1, "multiplier": "booth", "stages": 2, "accumulator": "registered"}),
    ("unit_csa", {"digit": 4}),
    ("unit_csa", {"digit": 8}),
    ("unit_csa", {"digit": 16}),
    ("three_pass", {}),
)
RIVALS = 2
"""The number of designs, from the first on, that the others are compared with."""
BLOCKS: tuple[tuple[str, dict[str, str | int]], ...] = (
    ("fios_dsp", {"variant": "unit", "mac": "ecp5", "word_width": 18}),
    ("unit_dsp", {"multiplier": "ecp5"}),
)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--width", type=int, default=256)
    parser.add_argument("--cells", default="nangate45", help="a target of standard cells")
    parser.add_argument("--effort", default="quick")
    parser.add_argument("--seeds", type=int, default=5, help="placements, whose median counts")
    arguments = parser.parse_args()
    console = Console()
    placed = find_spec("coloquinte") is not None and arguments.cells in placed_targets()
    found = cells(arguments.width, arguments.cells, arguments.effort, placed)
    console.print(found.to_rich())
    console.print(blocks(arguments.width, arguments.seeds).to_rich())


def label(name: str, parameters: dict[str, str | int]) -> str:
    """Return the name of a design with the parameters that were chosen."""
    return " ".join([name, *(f"{key}={value}" for key, value in parameters.items())])


def cells(width: int, target: str, effort: str, placed: bool) -> Table:
    """Return area, time and their product on standard cells."""
    products: list[float] = []
    sized: list[float] = []
    rows: list[tuple[Cell, ...]] = []
    for name, parameters in CELLS:
        chosen = core(name, width=width, **parameters)
        found = measure(chosen, target, effort=effort, placed=placed)
        assert found.area_time is not None
        products.append(found.area_time)
        wires: list[Cell] = []
        if found.placed is not None:
            sized.append(found.placed["area_time"])
            wires = [sized[-1], *_compared(sized)]
        rows.append(
            (
                label(name, parameters), found.area, found.period,
                chosen.contract.latency.minimum, found.time, found.area_time,
                *_compared(products), *wires,
            )
        )  # fmt: skip
    unit = f"{found.area_unit} {found.period_unit}"
    columns = (
        "design", f"area {found.area_unit}", f"period {found.period_unit}", "cycles",
        f"time {found.period_unit}", f"area x time {unit}",
        *(f"to {name}" for name, _ in CELLS[:RIVALS]),
        *([f"placed, sized: {unit}"] if placed else []),
        *(f"placed to {name}" for name, _ in CELLS[:RIVALS] if placed),
    )  # fmt: skip
    return Table(f"{width} bits, {target}, {effort} effort", columns, tuple(rows))


def _compared(products: Sequence[float]) -> list[Cell]:
    """Return the last of the products in ratio to those of the rivals that came before it."""
    found = [products[-1] / rival for rival in products[:RIVALS]]
    return [*found, *[None] * (RIVALS - len(found))]


def blocks(width: int, seeds: int) -> Table:
    """Return LUTs, DSP blocks and time on an ECP5."""
    target = find_target(PLACED)
    assert isinstance(target, Fpga)
    ratio = luts_per_dsp(target.capacity)
    rows: list[tuple[Cell, ...]] = []
    figures: list[tuple[float, float]] = []
    for name, parameters in BLOCKS:
        chosen = core(name, width=width, **parameters)
        found = measure(chosen, PLACED, seeds=seeds)
        assert found.resources is not None
        assert found.time is not None
        area = used_luts(target.kind, found.resources)
        equivalents = area + ratio * found.resources["dsp"]
        time_us = found.time / 1e3
        figures.append((time_us, equivalents * time_us))
        rows.append(
            (
                label(name, parameters), area, found.resources["ff"], found.resources["dsp"],
                found.fmax_mhz, chosen.contract.latency.minimum, time_us,
                chosen.contract.interval.minimum, equivalents * time_us,
                *(now / first for now, first in zip(figures[-1], figures[0], strict=True)),
            )
        )  # fmt: skip
    columns = (
        "design", "LUT", "FF", "DSP", "MHz", "cycles", "time us", "interval", "AT",
        "time to fios_dsp", "AT to fios_dsp",
    )  # fmt: skip
    notes = (f"AT: (LUT + {ratio} DSP) * us. MHz: median of {seeds} placements.",)
    return Table(f"{width} bits, {PLACED}", columns, tuple(rows), notes)


if __name__ == "__main__":
    main()
