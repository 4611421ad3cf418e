# SPDX-License-Identifier: Apache-2.0
"""Reproduction of Grale, Swartzlander (2020): Tables II, IV, V, VI and Fig. 6 to 8."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from statistics import median_high

from montforge.explore.frontier import frontier
from montforge.papers.data import PaperDesign, paper
from montforge.papers.reproduction import CELLS, OF_CELLS, Part, Reproducer, Request
from montforge.papers.rows import (
    Columns,
    Figure,
    Group,
    Measured,
    beside,
    cycles_of,
    measured_tables,
    placed_columns,
)
from montforge.programs.serial import METHODS, SerialModel, model
from montforge.report.chart import Chart, Point
from montforge.report.table import Cell, Table

PAPER = paper("grale2020")
WIDTH = 256
TARGET = "nangate45"
MODEL_DIGITS = range(2, 9)
"""Numbers of digits for which Table IV is checked: those of the paper's designs."""
SERIAL = ("eberle", "grossschaedl", "tenca_koc")
PUBLISHED_FORM, FAST, SERIAL_KIND, FULL_WORD = KINDS = (
    "RMM published form",
    "RMM fast",
    "serial",
    "full word",
)


@dataclass(frozen=True)
class Serial:
    """A serial architecture of Table II: the parameter of its digits, and the paper's count."""

    digit: str
    cycles: Callable[[int, int], int]

    def digits(self, entry: PaperDesign, width: int) -> int:
        """Return the number of digits of a design."""
        value = int(entry.parameters[self.digit])
        return value if self.digit == "k" else -(-width // value)


CLASSIFIED = {
    "Eberle": Serial("k", lambda n, k: 2 * k * k + k),
    "Grossschaedl": Serial("digit", lambda n, k: n + k),
    "Tenca-Koc": Serial("word", lambda n, k: 2 * n + k - 1),
}


def table2(request: Request) -> Part:
    """Return Table II: the serial architectures' cycles, as published and as built."""
    return [_table2(width, request) for width in request.widths or (WIDTH,)], []


def _table2(width: int, request: Request) -> Table:
    published = PAPER.by("architecture", "table2_classification")

    def printed(column: str) -> Callable[[PaperDesign], Cell]:
        return lambda entry: published[_first_word(entry)][column]

    def digits(entry: PaperDesign) -> int:
        return CLASSIFIED[_first_word(entry)].digits(entry, width)

    return Table.of(
        f"Table II, {width} bits",
        [entry for entry in PAPER.designs if _first_word(entry) in published],
        {
            "design": lambda entry: entry.label,
            "class": printed("koc_class"),
            "operand": printed("base_operand"),
            "operations": printed("base_ops"),
            "cycles": printed("cycles"),
            "k": digits,
            "paper's cycles": lambda entry: CLASSIFIED[_first_word(entry)].cycles(
                width, digits(entry)
            ),
            "our cycles": lambda entry: cycles_of(
                entry.at_width(width), request.samples, request.seed
            ),
        },
        PAPER.notes("2"),
    )


def _first_word(entry: PaperDesign) -> str:
    return entry.label.split()[0]


def table4(request: Request) -> Part:
    """Return Table IV: published formulas, and the schedules that have their number of cycles."""
    published = PAPER.data["table4_cycles"]
    models = {
        name: [model(k, m, name) for k in MODEL_DIGITS for m in range(1, k * k + 1)]
        for name in METHODS
    }

    def as_long(found: Iterable[SerialModel], cycles: Callable[[SerialModel], int]) -> str:
        same = [len(each.schedule) == cycles(each) for each in found]
        return f"{sum(same)} of {len(same)}"

    table = Table.of(
        "Table IV",
        METHODS,
        {
            "class": lambda name: name,
            "paper, m = 1": lambda name: published.get(name, {}).get("m1"),
            "paper, m > 1": lambda name: published.get(name, {}).get("m"),
            "formula": lambda name: models[name][0].formula,
            "as long as the products, m = 1": lambda name: as_long(
                (each for each in models[name] if each.m == 1), lambda each: each.products
            ),
            "schedules as long as the formula": lambda name: as_long(
                models[name], lambda each: each.cycles
            ),
        },
        PAPER.notes("4", least=MODEL_DIGITS[0], most=MODEL_DIGITS[-1]),
    )
    return [table], []


def table5(request: Request) -> Part:
    """Return Table V: cycles of the classes for k = 4, beside the published ones."""
    published = PAPER.by("m", "table5_cycles_k4")
    printed = [name for name in METHODS if name in published[1]]
    ours: dict[tuple[int, str], int] = {
        (m, name): len(model(4, m, name).schedule) for m in published for name in METHODS
    }
    differ = sum(ours[m, name] != row[name] for m, row in published.items() for name in printed)

    def cycles(name: str) -> Callable[[int], Cell]:
        return lambda m: ours[m, name]

    def theirs(name: str) -> Callable[[int], Cell]:
        return lambda m: published[m][name]

    columns: dict[str, Callable[[int], Cell]] = {"m": lambda m: m}
    for name in METHODS:
        columns[name] = cycles(name)
        if name in printed:
            columns[f"{name}, paper"] = theirs(name)
    notes = PAPER.notes("5", differ=differ, counts=len(printed) * len(published))
    return [Table.of("Table V, k = 4", published, columns, notes)], []


def table6(request: Request) -> Part:
    """Return Table VI with the comparison designs, their order, and Fig. 6 to 8."""
    published = PAPER.by("design", "table6_rmm_pareto")
    groups = [
        Group(
            width,
            target,
            tuple((d, published.get(d.label, {}) if width == WIDTH else {}) for d in PAPER.designs),
        )
        for width in request.widths or (WIDTH,)
        for target in request.targets or (TARGET,)
    ]
    return measured_tables(
        "Table VI", PAPER, groups, request, request.samples, _table6, keep_going=True
    )


def _table6(group: Group, rows: list[Measured], failures: list[str]) -> Part:
    figures = _figures(rows, failures, group.place)
    if not rows:
        return [figures], []
    return [figures, _order(rows, group.place)], _charts(rows, group.place)


def _period(row: Measured) -> float:
    """Return the clock period in ns without wires."""
    return row.period_without or row.period


def _latency(row: Measured) -> float:
    """Return the time of one multiplication in ns until ``rsp_valid_o``, without wires."""
    return (row.cycles + row.chosen.contract.handover) * _period(row)


def _area_latency(row: Measured) -> float:
    """Return area times latency in 1e6 um2 ns."""
    return row.area * _latency(row) / 1e6


def _kind(row: Measured) -> str:
    """Return the series of the figures that the design belongs to, one of `KINDS`."""
    if row.chosen.name == "rmm":
        return FAST if row.entry.ours else PUBLISHED_FORM
    return SERIAL_KIND if row.chosen.name in SERIAL else FULL_WORD


def _of(rows: Sequence[Measured], kind: str) -> list[Measured]:
    return [row for row in rows if _kind(row) == kind]


def _best(rows: Sequence[Measured]) -> set[str]:
    """Return the labels of the designs on the frontier of area and latency."""
    return {rows[i].label for i in frontier([(row.area, _latency(row)) for row in rows])}


def _figures(rows: Sequence[Measured], failures: Sequence[str], place: str) -> Table:
    best = _best(rows)

    def compared(name: str, ours: Figure, key: str) -> Columns:
        """Return the columns of a figure, of the paper's, and of their ratio."""

        def ratio(row: Measured) -> float | None:
            return round(ours(row) / row.published[key], 2) if key in row.published else None

        return {**beside(name, ours, key), f"{name}, ratio": ratio}

    columns: Columns = {
        "design": lambda row: row.label,
        **beside("cycles", lambda row: round(row.cycles), "cycles"),
        **compared("area 1e3 um2", lambda row: row.area / 1e3, "area_kum2"),
        "period ns": _period,
        "with wires": lambda row: row.period,
        "period ns, paper": lambda row: row.paper("period_ns"),
        **compared("latency ns", _latency, "latency_ns"),
        **compared("area*latency 1e6 um2 ns", _area_latency, "area_latency"),
        "frontier": lambda row: "yes" if row.label in best else "",
        **placed_columns(rows),
    }
    notes = [
        *PAPER.notes("6"),
        *_gain(rows),
        *failures,
        *PAPER.notes_on(*(row.entry for row in rows)),
    ]
    return Table.of(f"Table VI and comparison designs on {place}", rows, columns, notes)


def _gain(rows: Sequence[Measured]) -> list[str]:
    """Say how far the fast form of RMM moves the best area-latency product."""
    published, fast = (
        min(_of(rows, kind), key=_area_latency, default=None) for kind in (PUBLISHED_FORM, FAST)
    )
    if published is None or fast is None:
        return []
    change = 100 * (_area_latency(fast) / _area_latency(published) - 1)
    return [
        f"Least area * latency: {published.label} {_area_latency(published):.3f} in the"
        f" published form, {fast.label} {_area_latency(fast):.3f}: {change:+.1f}%."
    ]


def _order(rows: Sequence[Measured], place: str) -> Table:
    """Return ranges of the kinds of designs, and whether they are in the paper's order."""
    areas = {kind: [row.area / 1e3 for row in _of(rows, kind)] for kind in KINDS}
    times = {kind: [_latency(row) for row in _of(rows, kind)] for kind in KINDS}
    kinds = [kind for kind in KINDS if areas[kind]]

    def order(small: str, large: str) -> str:
        smaller = median_high(areas[small]) < median_high(areas[large])
        slower = median_high(times[small]) > median_high(times[large])
        return (
            f"{small} smaller than {large} (median area): {'yes' if smaller else 'no'}; slower"
            f" (median latency): {'yes' if slower else 'no'}"
        )

    pairs = ((SERIAL_KIND, PUBLISHED_FORM), (PUBLISHED_FORM, FULL_WORD))
    return Table.of(
        f"Order of the architectures on {place}",
        kinds,
        {
            "designs": lambda kind: kind,
            "area 1e3 um2, least": lambda kind: min(areas[kind]),
            "largest": lambda kind: max(areas[kind]),
            "latency ns, least": lambda kind: min(times[kind]),
            "longest": lambda kind: max(times[kind]),
        },
        [order(*pair) for pair in pairs if set(pair) <= set(kinds)],
    )


def _charts(rows: Sequence[Measured], place: str) -> list[Chart]:
    """Return Fig. 6 (RMM), Fig. 7 (serial designs and RMM) and Fig. 8 (all)."""
    forms = [row for row in rows if row.chosen.name == "rmm"]
    published = [row.published for row in rows if row.published]
    points = tuple(Point("", figures["latency_ns"], figures["area_kum2"]) for figures in published)
    figure6 = [("published", points)] if points else []
    return [
        _chart(f"Fig. 6: RMM, {place}", forms, figure6),
        _chart(f"Fig. 7: serial architectures and RMM, {place}", [*_of(rows, SERIAL_KIND), *forms]),
        _chart(f"Fig. 8: all designs, {place}", rows),
    ]


def _chart(
    title: str, rows: Sequence[Measured], more: Sequence[tuple[str, tuple[Point, ...]]] = ()
) -> Chart:
    best = _best(rows)

    def point(row: Measured) -> Point:
        label = row.label.removesuffix(" fast").removeprefix("RMM")
        return Point(label if row.label in best else "", _latency(row), row.area / 1e3)

    series = [(kind, tuple(map(point, found))) for kind in KINDS if (found := _of(rows, kind))]
    steps = sorted((row.area / 1e3, _latency(row)) for row in rows if row.label in best)
    return Chart(
        title, "scatter", "area, 1e3 um2", "latency, ns",
        (*series, *more), steps=tuple(steps),
    )  # fmt: skip


REPRODUCERS = {
    "2": Reproducer(table2, takes=("widths", "samples")),
    "4": Reproducer(table4),
    "5": Reproducer(table5),
    "6": Reproducer(table6, CELLS, OF_CELLS),
}
