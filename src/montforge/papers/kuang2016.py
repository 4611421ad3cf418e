# SPDX-License-Identifier: Apache-2.0
"""Reproduction of Kuang, Wu, Lu (2016): Table I (complexity) and Table III (results)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from montforge.errors import InputFileError, ToolMissingError
from montforge.measure import Measurement, measure
from montforge.measure.structure import structure
from montforge.papers.data import PaperDesign, paper
from montforge.papers.reproduction import Part, Request
from montforge.report.chart import Chart, Point
from montforge.report.table import Cell, Table
from montforge.verify import CyclesReport, measure_cycles

NAME = "kuang2016"
TITLE = "Reproduction of Kuang, Wu, Lu (2016)"
TABLE3_SAMPLES = 10_000
"""The paper's number of random operations."""
TABLE3_TARGETS = ("nangate45", "osu018")
TABLE1_WIDTH = 1024
TABLE1_CONVERTER_LABELS = {"SCS-MM-1(32)": "SCS-MM-1"}
"""Table III's name of a design with its converter's word, and Table I's without."""
ADDER_BLOCKS = ("mf_full_adder_row", "mf_ccsa")
MULTIPLEXER_BLOCKS = ("mf_operand_mux", "mf_one_hot_mux")
"""Multiplexers in AND-OR form, which are no multiplexer cells."""
REFERENCE = "FCS-MM-1"
"""The design that the paper's Table III gives cycle changes against."""


@dataclass(frozen=True)
class Row:
    """One design at one width on one target: published figures (if any) and measured ones."""

    label: str
    published: dict[str, Any] | None
    cycles: CyclesReport
    measured: Measurement

    @property
    def period(self) -> float:
        """Clock period in ns."""
        assert self.measured.period_ns is not None
        return self.measured.period_ns

    @property
    def area(self) -> float:
        """Cell area in um2."""
        assert self.measured.area_um2 is not None
        return self.measured.area_um2

    @property
    def time_us(self) -> float:
        """Time of one multiplication in us."""
        return self.cycles.mean * self.period / 1e3

    @property
    def atp(self) -> float:
        """Area times time in 1e3 um2 * us."""
        return self.area * self.time_us / 1e3


def table1(request: Request) -> Part:
    """Return Table I: area and critical path in full adders, and what the netlists hold."""
    width = request.widths[0] if request.widths else TABLE1_WIDTH
    published = {row["multiplier"]: row for row in paper(NAME).rows("table1_analysis")}
    entries = [
        entry
        for entry in paper(NAME).designs
        if entry.ours or entry.label in published or entry.label in TABLE1_CONVERTER_LABELS
    ]
    rows = []
    counts = []
    for done, entry in enumerate(entries):
        chosen = entry.at_width(width)
        label = TABLE1_CONVERTER_LABELS.get(entry.label, entry.label)
        figures = published.get(label, {})
        result = measure(chosen, "table2")
        found = structure(chosen)
        assert result.area is not None
        rows.append(
            (
                label,
                result.area / width,
                figures.get("area_ratio_k_Afa"),
                result.period,
                figures.get("delay_ratio_Tfa"),
                figures.get("area"),
                figures.get("critical_path"),
            )
        )
        adders, multiplexers = (
            sum(bits for name, bits in found.blocks.items() if name in kind)
            for kind in (ADDER_BLOCKS, MULTIPLEXER_BLOCKS)
        )
        counts.append(
            (
                label,
                adders / width,
                found.registers / width,
                (multiplexers + found.multiplexers) / width,
                ", ".join(f"{name[3:]} {bits / width:.2f}" for name, bits in found.blocks.items()),
            )
        )
        if request.progress is not None:
            request.progress(done + 1, len(entries))
    columns = (
        "multiplier", "area, A_FA a bit", "paper", "critical path, T_FA", "paper ",
        "paper's area formula", "paper's critical path",
    )  # fmt: skip
    notes = (
        "Measured: synthesis onto a library made from the paper's Table II; the whole design with"
        " operand registers, their load and hold multiplexers, buffers and control, which the"
        " paper's formulas leave out.",
        "The paper gives a register no delay; nor does the library.",
        "SCS-MM-1: the paper's figures leave out the converter; measured with it (32 bits).",
    )
    count_columns = (
        "multiplier", "full adders a bit", "registers a bit", "multiplexers a bit", "blocks a bit",
    )  # fmt: skip
    count_notes = (
        "Counted in the elaborated netlist: bits of adder rows (a configurable adder counts as"
        " one), flip-flop bits, bits of AND-OR multiplexers and of two-input multiplexers (load,"
        " hold, select), all divided by the width.",
    )
    return [
        Table(f"Table I, {width} bits, in units of a full adder", columns, tuple(rows), notes),
        Table(f"Structure, {width} bits", count_columns, tuple(counts), count_notes),
    ], []


def table3(request: Request) -> Part:
    """Return Table III: one table of figures and one of ratios for each width and target."""
    source = paper(NAME)
    published = source.rows("table3_results")
    widths = request.widths or tuple(dict.fromkeys(row["key_bits"] for row in published))
    targets = request.targets or TABLE3_TARGETS
    samples = request.samples or TABLE3_SAMPLES
    work = [
        (width, target, rows)
        for width in widths
        for rows in [_designs(width, published)]
        for target in targets
    ]
    total = sum(len(rows) for _, _, rows in work)
    done = 0
    tables: list[Table] = []
    charts: list[Chart] = []
    for width, target, rows in work:
        measured = []
        missing = None
        for entry, figures in rows:
            try:
                measured.append(_measure(entry, figures, width, target, samples, request.seed))
            except (ToolMissingError, InputFileError) as error:
                if target in request.targets:
                    raise
                missing = str(error)
                break
            done += 1
            if request.progress is not None:
                request.progress(done, total)
        if missing is not None:
            note = f"Not measured: {missing}"
            tables.append(
                Table(f"Table III on {target}, {width} bits", ("multiplier",), (), (note,))
            )
            continue
        tables += [_figures(measured, width, target), _ratios(measured, width, target)]
        charts += _charts(measured, width, target)
    return tables, charts


def _designs(
    width: int, published: list[dict[str, Any]]
) -> list[tuple[PaperDesign, dict[str, Any] | None]]:
    """Return our designs with the published row for this width; ours alone have none."""
    by_label = {row["multiplier"]: row for row in published if row["key_bits"] == width}
    rows = []
    for entry in paper(NAME).designs:
        figures = by_label.get(entry.label)
        if figures is not None or entry.ours:
            rows.append((entry, figures))
    return rows


def _measure(
    entry: PaperDesign,
    figures: dict[str, Any] | None,
    width: int,
    target: str,
    samples: int,
    seed: int,
) -> Row:
    chosen = entry.at_width(width)
    cycles = measure_cycles(chosen, samples=samples, seed=seed)
    return Row(entry.label, figures, cycles, measure(chosen, target, cycles=cycles.mean))


def _figures(rows: list[Row], width: int, target: str) -> Table:
    reference = next((row for row in rows if row.label == REFERENCE), None)

    def cells(row: Row) -> tuple[Cell, ...]:
        paper_row = row.published or {}
        change = (
            None
            if reference is None or row is reference
            else 100 * (row.cycles.mean / reference.cycles.mean - 1)
        )
        load = row.measured.wire_load or {}
        return (
            row.label,
            row.cycles.mean,
            paper_row.get("cycles"),
            change,
            paper_row.get("delta_cycles_percent_vs_FCS_MM_1"),
            row.period,
            load.get("period_without"),
            paper_row.get("delay_ns"),
            row.area,
            paper_row.get("area_um2"),
            row.time_us,
            paper_row.get("time_us"),
            width / row.time_us,
            paper_row.get("throughput_mbps"),
            row.atp,
            paper_row.get("atp"),
        )

    notes = [
        "Published: TSMC 90 nm, post-layout. Measured: cells only, no layout; compare ratios.",
        f"Cycles: mean of {rows[0].cycles.samples} random operations, seed {rows[0].cycles.seed};"
        f" {sum(row.cycles.model_mismatches for row in rows)} differ from the cycle model.",
    ]
    model = (rows[0].measured.wire_load or {}).get("model")
    notes.append(
        f"Period with the library's wire-load model {model}, and without wires."
        if model
        else "The library has no wire-load model: both periods are without wires."
    )
    for row in rows:
        entry = paper(NAME).design(row.label)
        notes += [f"{row.label}: {note}" for note in (entry.notes if entry else ())]
    columns = (
        "multiplier",
        "cycles",
        "paper",
        "change %",
        "paper ",
        "period ns",
        "no wires",
        "paper  ",
        "area um2",
        "paper   ",
        "time us",
        "paper    ",
        "Mbit/s",
        "paper     ",
        "area*time 1e3 um2 us",
        "paper      ",
    )
    title = f"Table III on {target}, {width} bits"
    return Table(title, columns, tuple(cells(row) for row in rows), tuple(notes))


def _ratios(rows: list[Row], width: int, target: str) -> Table:
    """Return each figure relative to the first row that the paper has as well."""
    base = next((r for r in rows if r.label == REFERENCE), rows[0])
    published = base.published or {}

    def ratio(value: float, reference: float) -> float:
        return round(value / reference, 3)

    def cells(row: Row) -> tuple[Cell, ...]:
        figures = row.published or {}

        def pair(value: float, reference: float, name: str) -> tuple[Cell, Cell]:
            both = name in figures and name in published
            return (
                ratio(value, reference),
                ratio(figures[name], published[name]) if both else None,
            )

        return (
            row.label,
            *pair(row.cycles.mean, base.cycles.mean, "cycles"),
            *pair(row.period, base.period, "delay_ns"),
            *pair(row.area, base.area, "area_um2"),
            *pair(row.time_us, base.time_us, "time_us"),
            *pair(row.atp, base.atp, "atp"),
        )

    columns = ["multiplier"]
    for index, name in enumerate(("cycles", "period", "area", "time", "area*time")):
        columns += [name, "paper" + " " * index]
    return Table(
        f"Ratios to {base.label} on {target}, {width} bits",
        tuple(columns),
        tuple(cells(row) for row in rows),
    )


def _charts(rows: list[Row], width: int, target: str) -> list[Chart]:
    place = f"{target}, {width} bits"
    bars = tuple(Point(row.label, row.atp) for row in rows)
    points = tuple(Point(row.label, row.area, row.time_us) for row in rows)
    return [
        Chart(f"Area-time product, {place}", "bar", "", "1e3 um2 us", (("measured", bars),)),
        Chart(f"Area against time, {place}", "scatter", "us", "um2", (("measured", points),)),
    ]


REPRODUCERS = {"1": table1, "3": table3}
