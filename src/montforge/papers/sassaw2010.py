# SPDX-License-Identifier: Apache-2.0
"""Reproduction of Sassaw, Jimenez, Valencia (2010): Table I (FPGA) and Table II (ASIC)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from montforge.arch import core
from montforge.arch.power import PowerCycles, power_cycles
from montforge.measure import Fpga, find_target, measure
from montforge.papers.data import PaperDesign, Published, paper
from montforge.papers.reproduction import CELLS, FPGAS, OF_CELLS, Part, Reproducer, Request
from montforge.papers.rows import (
    Columns,
    Counted,
    Figure,
    Group,
    Measured,
    Row,
    cycles_of,
    measured_tables,
    placed_columns,
    ratio_table,
)
from montforge.report.chart import Chart, Point
from montforge.report.table import Table
from montforge.work.progress import Progress

PAPER = paper("sassaw2010")
WIDTH = 1024
SAMPLES = 100
"""Random operations for the cycle counts, which do not depend on the operands."""
FPGA_TARGETS = ("xcup", "ecp5-85k")
CELL_TARGETS = ("osu018", "nangate45")


@dataclass(frozen=True)
class Multiplier(Row):
    """A radix at one width; the published figures are there for one width only."""

    @property
    def digit_bits(self) -> int:
        """Bits of a digit."""
        return int(self.entry.parameters.get("radix", 2)).bit_length() - 1

    @property
    def digits(self) -> int:
        """Number of digits that R, and so the loop, takes."""
        return (self.chosen.contract.r.bit_length() - 1) // self.digit_bits


def _multipliers(width: int) -> list[Multiplier]:
    return [Multiplier(d, d.at_width(width), _published(d, width)) for d in PAPER.designs]


def _published(entry: PaperDesign, width: int) -> Published:
    """Return the paper's figures of a design as numbers, areas in thousands, if it has any."""
    if width != WIDTH or entry.ours:
        return {}
    fpga, asic = (
        next(row for row in PAPER.rows(table) if str(row["radix"]) == entry.label)
        for table in ("table1_fpga", "table2_asic")
    )
    area = int(asic["area"].replace(",", "")) / 100
    latency = asic["latency_ns_from_text"]
    return {**fpga, **asic, "area": area, "latency_ns": latency, "area_latency": area * latency}


def table1(request: Request) -> Part:
    """Return Table I: cycles beside those that the published times imply, and FPGA resources."""
    tables = []
    for width in request.widths or (WIDTH,):
        tables.append(_cycles(width, request))
        tables += [
            _resources(width, target) for target in _targets(request, FPGA_TARGETS, fpga=True)
        ]
    return tables, []


def _targets(request: Request, default: tuple[str, ...], *, fpga: bool) -> tuple[str, ...]:
    """Return the targets of one kind that ``request`` names, or the default ones."""
    if not request.targets:
        return default
    return tuple(t for t in request.targets if isinstance(find_target(t), Fpga) == fpga)


def _cycles(width: int, request: Request) -> Table:
    multipliers, samples = _multipliers(width), request.samples or SAMPLES
    progress = Progress(request.progress, len(multipliers))

    def cycles(row: Multiplier) -> int:
        found = round(cycles_of(row.chosen, samples, request.seed))
        progress.step()
        return found

    return Table.of(
        f"Table I: cycles, {width} bits",
        multipliers,
        {
            "radix": lambda row: row.label,
            "paper's cycles": lambda row: row.paper("cycles"),
            "2n / radix": lambda row: row.if_published(lambda _: 2 * width // 2**row.digit_bits),
            "bits a cycle": lambda row: row.if_published(lambda figures: width / figures["cycles"]),
            "bits of a digit": lambda row: row.digit_bits,
            "digits": lambda row: row.digits,
            "cycles": cycles,
            "paper's latency ns": lambda row: row.paper("latency_ns"),
            "paper's delay * digits ns": lambda row: row.if_published(
                lambda figures: row.digits * figures["delay_ns"]
            ),
        },
        [
            *PAPER.notes("1", samples=samples, seed=request.seed),
            *PAPER.notes_on(*PAPER.designs),
        ],
    )


def _resources(width: int, target: str) -> Table:
    rows = [
        Counted(row.entry, row.chosen, row.published, measure(row.chosen, target, seeds=0))
        for row in _multipliers(width)
    ]
    return Table.of(
        f"Table I: resources on {target}, {width} bits",
        rows,
        {
            "radix": lambda row: row.label,
            "LUTs": lambda row: row.count("lut"),
            "flip-flops": lambda row: row.count("ff"),
            "carry cells": lambda row: row.count("carry"),
            "LUTs / radix 2": lambda row: round(row.count("lut") / rows[0].count("lut"), 3),
            "paper's slices": lambda row: row.paper("slices"),
            "paper's slices / radix 2": lambda row: row.if_published(
                lambda figures: round(figures["slices"] / rows[0].published["slices"], 3)
            ),
        },
        PAPER.notes("1-resources"),
    )


def table2(request: Request) -> Part:
    """Return Table II: figures and ratios for each width and standard-cell target."""
    groups = [
        Group(width, target, tuple((entry, _published(entry, width)) for entry in PAPER.designs))
        for width in request.widths or (WIDTH,)
        for target in _targets(request, CELL_TARGETS, fpga=False)
    ]
    samples = request.samples or SAMPLES
    return measured_tables("Table II", PAPER, groups, request, samples, _table2)


def _table2(group: Group, rows: list[Measured], _failures: list[str]) -> Part:
    ratios = ratio_table(
        f"Ratios to radix {rows[0].label} on {group.place}",
        PAPER,
        rows,
        rows[0],
        {
            "cycles": (lambda row: row.cycles, "cycles"),
            "period": (lambda row: row.period, "delay_ns"),
            "area": (lambda row: row.area, "area"),
            "latency": (lambda row: row.time_us, "latency_ns"),
            "area*latency": (lambda row: row.atp, "area_latency"),
        },
    )
    return [_figures(rows, group.place), ratios], _charts(rows, group.place)


def _figures(rows: Sequence[Measured], place: str) -> Table:
    columns: Columns = {
        "radix": lambda row: row.label,
        "area um2": lambda row: row.area,
        "paper, thousands": lambda row: row.paper("area"),
        "period ns": lambda row: row.period,
        "no wires": lambda row: row.period_without,
        "paper's delay ns": lambda row: row.paper("delay_ns"),
        "MHz": lambda row: 1e3 / row.period,
        "paper's MHz": lambda row: row.paper("f_mhz"),
        "cycles": lambda row: round(row.cycles),
        "paper's cycles": lambda row: row.paper("cycles"),
        "latency ns": lambda row: row.time_us * 1e3,
        "paper's latency ns": lambda row: row.paper("latency_ns"),
        "area*latency 1e3 um2 us": lambda row: row.atp,
        **placed_columns(rows),
    }
    fastest = min(rows, key=lambda row: row.time_us).label
    smallest = min(rows, key=lambda row: row.atp).label
    notes = PAPER.notes("2", fastest=fastest, smallest=smallest)
    return Table.of(f"Table II on {place}", rows, columns, notes)


def _charts(rows: Sequence[Measured], place: str) -> list[Chart]:
    """Return latency and area-latency product over the radix, relative to radix 2."""
    return [
        _chart(f"Latency, {place}", rows, lambda row: row.time_us, "latency_ns"),
        _chart(f"Area * latency, {place}", rows, lambda row: row.atp, "area_latency"),
    ]


def _chart(title: str, rows: Sequence[Measured], value: Figure, key: str) -> Chart:
    def points(chosen: Sequence[Measured], value: Figure) -> tuple[Point, ...]:
        found = (Point(row.label.split(",")[0], value(row) / value(rows[0])) for row in chosen)
        return tuple(found)

    plain = [row for row in rows if "," not in row.label]
    pipelined = [row for row in rows if "," in row.label]
    published = [row for row in rows if row.published]
    series = [
        ("measured", points(plain, value)),
        ("measured, pipelined", points(pipelined, value)),
        *([("published", points(published, lambda row: row.published[key]))] if published else ()),
    ]
    return Chart(title, "bar", "radix", "radix 2 = 1", tuple(series))


@dataclass(frozen=True)
class Powers(Multiplier):
    """Exponentiations over a multiplier: from left to right, and by windows of 5 bits."""

    left_to_right: PowerCycles
    window: PowerCycles


def exponentiation(request: Request) -> Part:
    """Return the exponentiation of the paper's Section II on each multiplier: turns and cycles."""
    return [_powers(width) for width in request.widths or (WIDTH,)], []


def _powers(width: int) -> Table:
    half_ones = sum(1 << i for i in range(width - 1, -1, -2))

    def powers(row: Multiplier) -> Powers:
        given = {"width": width, "multiplier": row.chosen}
        left_to_right = core("modexp", algorithm="l2r", **given)
        window = core("modexp", algorithm="window", w=5, **given)
        return Powers(
            **vars(row),
            left_to_right=power_cycles(left_to_right, exponent=half_ones),
            window=power_cycles(window),
        )

    return Table.of(
        f"Exponentiation, {width} bits",
        map(powers, _multipliers(width)),
        {
            "radix": lambda row: row.label,
            "paper's calls": lambda row: row.if_published(lambda _: width),
            "paper's calls * cycles": lambda row: row.if_published(lambda p: width * p["cycles"]),
            "paper's calls * latency ms": lambda row: row.if_published(
                lambda p: width * p["latency_ns"] / 1e6
            ),
            "turns, left to right": lambda row: row.left_to_right.turns.maximum,
            "cycles of a turn": lambda row: row.left_to_right.turn.maximum,
            "cycles": lambda row: row.left_to_right.cycles.maximum,
            "in the paper's delay ms": lambda row: row.if_published(
                lambda p: row.left_to_right.cycles.maximum * p["delay_ns"] / 1e6
            ),
            "turns, window of 5 bits": lambda row: row.window.turns.maximum,
            "cycles, window": lambda row: row.window.cycles.maximum,
            "window, in the paper's delay ms": lambda row: row.if_published(
                lambda p: row.window.cycles.maximum * p["delay_ns"] / 1e6
            ),
        },
        PAPER.notes("exponentiation", width=width, half=width // 2),
    )


REPRODUCERS = {
    "1": Reproducer(table1, FPGAS, ("widths", "samples")),
    "2": Reproducer(table2, CELLS, OF_CELLS),
    "exponentiation": Reproducer(exponentiation, "", ("widths",)),
}
