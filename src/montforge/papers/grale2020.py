# SPDX-License-Identifier: Apache-2.0
"""Reproduction of Grale, Swartzlander (2020): Tables II, IV, V, VI and Fig. 6 to 8."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from montforge.errors import InputFileError, MontforgeError, ToolMissingError
from montforge.explore.search import frontier
from montforge.measure import Measurement, measure
from montforge.papers.data import PaperDesign, paper
from montforge.papers.reproduction import CELLS, Part, Reproducer, Request
from montforge.papers.rows import Published, check_cell_target
from montforge.programs.serial import METHODS, SerialModel, model
from montforge.report.chart import Chart, Point
from montforge.report.table import Cell, Table
from montforge.verify import correct_cycles

NAME = "grale2020"
TITLE = "Reproduction of Grale, Swartzlander (2020)"
WIDTH = 256
TARGET = "nangate45"
MODEL_DIGITS = range(2, 9)
"""Numbers of digits for which Table IV is checked: those of the paper's designs."""


def table2(request: Request) -> Part:
    """Return Table II: the serial architectures' cycles, as published and as built."""
    published = {row["architecture"]: row for row in paper(NAME).rows("table2_classification")}
    formulas: dict[str, Callable[[int, int], int]] = {
        "Eberle": lambda n, k: 2 * k * k + k,
        "Grossschaedl": lambda n, k: n + k,
        "Tenca-Koc": lambda n, k: 2 * n + k - 1,
    }
    tables = []
    for width in request.widths or (WIDTH,):
        rows = []
        for entry in paper(NAME).designs:
            name = entry.label.split()[0]
            if name not in published:
                continue
            chosen = entry.at_width(width)
            digit = {"Eberle": "k", "Grossschaedl": "digit", "Tenca-Koc": "word"}[name]
            value = int(chosen.parameters[digit])
            k = value if digit == "k" else -(-width // value)
            row = published[name]
            rows.append(
                (
                    entry.label, row["koc_class"], row["base_operand"], row["base_ops"],
                    row["cycles"], k, formulas[name](width, k), _cycles(entry, width, request),
                )
            )  # fmt: skip
        columns = (
            "design", "class", "operand", "operations", "cycles", "k", "paper's cycles",
            "our cycles",
        )  # fmt: skip
        notes = (
            "Eberle: the paper leaves out the cycle of the final subtraction.",
            "Grossschaedl, Tenca-Koc: the paper ignores the bit of the result beyond the width,"
            " which takes one digit (word) more where digits divide the width.",
            "Tenca-Koc: the paper's count needs enough elements; with p elements an iteration waits"
            " until one is free. With w = 16 these are 9, with w = 32 5.",
        )
        tables.append(Table(f"Table II, {width} bits", columns, tuple(rows), notes))
    return tables, []


def table4(request: Request) -> Part:
    """Return Table IV: published formulas, and the schedules that have their number of cycles."""
    published = paper(NAME).data["table4_cycles"]
    rows = []
    for name in METHODS:
        found = [model(k, m, name) for k in MODEL_DIGITS for m in range(1, k * k + 1)]
        same = sum(len(x.schedule) == x.cycles for x in found)
        single = [x for x in found if x.m == 1]
        products = sum(len(x.schedule) == x.products for x in single)
        figures = published.get(name, {})
        rows.append(
            (
                name, figures.get("m1"), figures.get("m"), found[0].formula,
                f"{products} of {len(single)}", f"{same} of {len(found)}",
            )
        )  # fmt: skip
    columns = (
        "class", "paper, m = 1", "paper, m > 1", "formula", "as long as the products, m = 1",
        "schedules as long as the formula",
    )  # fmt: skip
    notes = (
        f"Schedules: all k from {MODEL_DIGITS[0]} to {MODEL_DIGITS[-1]}, m from 1 to k^2, each"
        " built product by product.",
        "SPS: where dependencies stall, no schedule has ceil(N / m) cycles, against the paper's"
        " claim for m <= k^2.",
        "CIHS, FIPS: the formulas for m > 1 are ours.",
    )
    return [Table("Table IV", columns, tuple(rows), notes)], []


def table5(request: Request) -> Part:
    """Return Table V: cycles of the classes for k = 4, beside the published ones."""
    rows = []
    differ = 0
    for row in paper(NAME).rows("table5_cycles_k4"):
        cells: list[Cell] = [row["m"]]
        for name in METHODS:
            found: SerialModel = model(4, row["m"], name)
            cells.append(len(found.schedule))
            if name in row:
                cells.append(row[name])
                differ += row[name] != len(found.schedule)
        rows.append(tuple(cells))
    columns = ["m"]
    for name in METHODS:
        columns += [name, f"{name}, paper"] if name in row else [name]
    notes = (
        f"Cycles of the schedules; {differ} of the {4 * len(rows)} published counts differ.",
        "CIHS, FIPS: the paper has none.",
    )
    return [Table("Table V, k = 4", tuple(columns), tuple(rows), notes)], []


@dataclass(frozen=True)
class Row:
    """A design on a target: published figures (if any), cycles and measured figures."""

    entry: PaperDesign
    published: Published
    cycles: float
    measured: Measurement

    @property
    def area(self) -> float:
        """Cell area in um2."""
        assert self.measured.area_um2 is not None
        return self.measured.area_um2

    @property
    def period(self) -> float:
        """Clock period in ns without wires."""
        load = self.measured.wire_load or {}
        without = load.get("period_without")
        assert self.measured.period_ns is not None
        return float(without) if without else self.measured.period_ns

    @property
    def latency(self) -> float:
        """Time of one multiplication in ns until ``rsp_valid_o``, without wires."""
        return (self.cycles + self.measured.handover) * self.period

    @property
    def area_latency(self) -> float:
        """Area times latency in 1e6 um2 ns."""
        return self.area * self.latency / 1e6

    @property
    def kind(self) -> str:
        """The series of the figures that the design belongs to."""
        name = self.entry.architecture
        if name == "rmm":
            return "RMM fast" if self.entry.ours else "RMM published form"
        return "serial" if name in SERIAL else "full word"


SERIAL = ("eberle", "grossschaedl", "tenca_koc")
KINDS = ("RMM published form", "RMM fast", "serial", "full word")


def table6(request: Request) -> Part:
    """Return Table VI with the comparison designs, their order, and Fig. 6 to 8."""
    tables: list[Table] = []
    charts: list[Chart] = []
    for width in request.widths or (WIDTH,):
        for target in request.targets or (TARGET,):
            place = f"{target}, {width} bits"
            try:
                rows, failures = _measure(width, target, request)
            except (ToolMissingError, InputFileError) as error:
                if target in request.targets:
                    raise
                reason = f"Not measured: {error}"
                tables.append(Table(f"Table VI on {place}", ("design",), (), (reason,)))
                continue
            tables.append(_figures(rows, failures, width, place))
            if rows:
                tables.append(_order(rows, place))
                charts += _charts(rows, width, place)
    return tables, charts


def _cycles(entry: PaperDesign, width: int, request: Request) -> float:
    """Return the latency in cycles, which is fixed for all of the paper's designs.

    It is simulated only if ``request`` has samples. Raises CheckFailedError.
    """
    chosen = entry.at_width(width)
    if request.samples is None:
        return chosen.contract.latency.minimum
    return correct_cycles(chosen, samples=request.samples, seed=request.seed).mean


def _measure(width: int, target: str, request: Request) -> tuple[list[Row], list[str]]:
    """Return the rows that could be measured, and a line for each of the others."""
    check_cell_target(target)
    published = {row["design"]: row for row in paper(NAME).rows("table6_rmm_pareto")}
    rows: list[Row] = []
    failures: list[str] = []
    entries = paper(NAME).designs
    for done, entry in enumerate(entries):
        try:
            cycles = _cycles(entry, width, request)
            chosen = entry.at_width(width)
            result = measure(chosen, target, cycles=cycles, effort=request.effort)
        except (ToolMissingError, InputFileError):
            raise
        except MontforgeError as error:
            failures.append(f"{entry.label}: not measured: {error}")
        else:
            figures = published.get(entry.label, {}) if width == WIDTH else {}
            rows.append(Row(entry, figures, cycles, result))
        if request.progress is not None:
            request.progress(done + 1, len(entries))
    return rows, failures


def _best(rows: Sequence[Row]) -> set[str]:
    """Return the labels of the designs on the frontier of area and latency."""
    return {rows[i].entry.label for i in frontier([(row.area, row.latency) for row in rows])}


def _figures(rows: Sequence[Row], failures: Sequence[str], width: int, place: str) -> Table:
    best = _best(rows)

    def cells(row: Row) -> tuple[Cell, ...]:
        figures = row.published
        area = figures.get("area_kum2")

        def ratio(value: float, name: str) -> float | None:
            return round(value / figures[name], 2) if name in figures else None

        return (
            row.entry.label, round(row.cycles), figures.get("cycles"),
            row.area / 1e3, area, ratio(row.area / 1e3, "area_kum2"),
            row.period, row.measured.period_ns, figures.get("period_ns"),
            row.latency, figures.get("latency_ns"), ratio(row.latency, "latency_ns"),
            row.area_latency, figures.get("area_latency"), ratio(row.area_latency, "area_latency"),
            "yes" if row.entry.label in best else "",
        )  # fmt: skip

    columns = (
        "design", "cycles", "cycles, paper", "area 1e3 um2", "area 1e3 um2, paper",
        "area 1e3 um2, ratio", "period ns", "with wires", "period ns, paper", "latency ns",
        "latency ns, paper", "latency ns, ratio", "area*latency 1e6 um2 ns",
        "area*latency 1e6 um2 ns, paper", "area*latency 1e6 um2 ns, ratio", "frontier",
    )  # fmt: skip
    notes = [
        "Published: Core Compiler and PrimeTime on the same library, before layout. Measured:"
        " cells only, no layout, no wires (and the period with the library's wire-load model); the"
        " point of least area * period.",
        "fast: montforge's own form of the same (k, m); 2 stages: with a registered multiplier tree"
        " and digits read from the register; Huang: neighbours one cycle apart.",
    ]
    notes += _gain(rows)
    notes += failures
    for row in rows:
        notes += [f"{row.entry.label}: {note}" for note in row.entry.notes]
    return Table(f"Table VI and comparison designs on {place}", columns,
                 tuple(map(cells, rows)), tuple(notes))  # fmt: skip


def _gain(rows: Sequence[Row]) -> list[str]:
    """Say how far the fast form of RMM moves the best area-latency product."""
    best = [
        min((row for row in rows if row.kind == kind), key=lambda r: r.area_latency, default=None)
        for kind in KINDS[:2]
    ]
    published, fast = best
    if published is None or fast is None:
        return []
    change = 100 * (fast.area_latency / published.area_latency - 1)
    return [
        f"Least area * latency: {published.entry.label} {published.area_latency:.3f} in the"
        f" published form, {fast.entry.label} {fast.area_latency:.3f}: {change:+.1f}%."
    ]


def _order(rows: Sequence[Row], place: str) -> Table:
    """Return ranges of the kinds of designs, and whether they are in the paper's order."""
    ranges: dict[str, tuple[float, float, float, float]] = {}
    for kind in KINDS:
        chosen = [row for row in rows if row.kind == kind]
        if chosen:
            areas, times = [row.area for row in chosen], [row.latency for row in chosen]
            ranges[kind] = (min(areas) / 1e3, max(areas) / 1e3, min(times), max(times))
    notes = []
    for small, large in (("serial", KINDS[0]), (KINDS[0], "full word")):
        if small in ranges and large in ranges:
            holds = _middle(rows, small, "area") < _middle(rows, large, "area")
            notes.append(
                f"{small} smaller than {large} (median area): {'yes' if holds else 'no'}; slower"
                f" (median latency):"
                f" {'yes' if _middle(rows, small, 'time') > _middle(rows, large, 'time') else 'no'}"
            )
    columns = ("designs", "area 1e3 um2, least", "largest", "latency ns, least", "longest")
    cells = tuple((kind, *values) for kind, values in ranges.items())
    return Table(f"Order of the architectures on {place}", columns, cells, tuple(notes))


def _middle(rows: Sequence[Row], kind: str, figure: str) -> float:
    values = sorted(r.area if figure == "area" else r.latency for r in rows if r.kind == kind)
    return values[len(values) // 2]


def _charts(rows: Sequence[Row], width: int, place: str) -> list[Chart]:
    """Return Fig. 6 (RMM), Fig. 7 (serial designs and RMM) and Fig. 8 (all)."""
    published: list[dict[str, Any]] = [row.published for row in rows if row.published]
    figure6 = ("published", tuple(_published_point(figures) for figures in published))
    forms = [row for row in rows if row.entry.architecture == "rmm"]
    serial = [row for row in rows if row.kind == "serial"]
    return [
        _chart(f"Fig. 6: RMM, {place}", forms, (figure6,) if published else ()),
        _chart(f"Fig. 7: serial architectures and RMM, {place}", [*serial, *forms], ()),
        _chart(f"Fig. 8: all designs, {place}", rows, ()),
    ]


def _published_point(figures: Published) -> Point:
    return Point("", figures["latency_ns"], figures["area_kum2"])


def _chart(
    title: str, rows: Sequence[Row], more: tuple[tuple[str, tuple[Point, ...]], ...]
) -> Chart:
    best = _best(rows)
    series = [
        (kind, tuple(_point(row, row.entry.label in best) for row in rows if row.kind == kind))
        for kind in KINDS
    ]
    steps = sorted((row.area / 1e3, row.latency) for row in rows if row.entry.label in best)
    return Chart(
        title, "scatter", "area, 1e3 um2", "latency, ns",
        (*((name, points) for name, points in series if points), *more),
        log_y=True, steps=tuple(steps),
    )  # fmt: skip


def _point(row: Row, labelled: bool) -> Point:
    label = row.entry.label.removesuffix(" fast").removeprefix("RMM")
    return Point(label if labelled else "", row.latency, row.area / 1e3)


REPRODUCERS = {
    "2": Reproducer(table2, takes=("widths", "samples")),
    "4": Reproducer(table4),
    "5": Reproducer(table5),
    "6": Reproducer(table6, CELLS, ("widths", "samples", "effort")),
}
