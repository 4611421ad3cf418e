# SPDX-License-Identifier: Apache-2.0
"""Reproduction of Kuang, Wu, Lu (2016): Table I (complexity) and Table III (results)."""

from __future__ import annotations

from montforge.measure import measure
from montforge.measure.structure import structure
from montforge.papers.data import PaperDesign, paper
from montforge.papers.reproduction import CELLS, Part, Reproducer, Request
from montforge.papers.rows import Group, Published, Row, measure_groups, ratio_table
from montforge.report.chart import Chart, Point
from montforge.report.table import Cell, Table

NAME = "kuang2016"
TITLE = "Reproduction of Kuang, Wu, Lu (2016)"
TABLE3_SAMPLES = 10_000
"""The paper's number of random operations."""
TABLE3_TARGETS = ("nangate45", "osu018")
TABLE1_WIDTH = 1024
ADDER_BLOCKS = ("mf_full_adder_row", "mf_ccsa")
MULTIPLEXER_BLOCKS = ("mf_operand_mux", "mf_one_hot_mux")
"""Multiplexers in AND-OR form, which are no multiplexer cells."""


def table1(request: Request) -> Part:
    """Return Table I: area and critical path in full adders, and the counts of the netlists.

    There are both for each width.
    """
    widths = request.widths or (TABLE1_WIDTH,)
    return [table for width in widths for table in _table1(width, widths, request)], []


def _table1(width: int, widths: tuple[int, ...], request: Request) -> list[Table]:
    labels: dict[str, str] = paper(NAME).facts["table1_labels"]
    published = {row["multiplier"]: row for row in paper(NAME).rows("table1_analysis")}
    elsewhere = {row["multiplier"] for row in paper(NAME).rows("table3_results")}
    elsewhere -= published.keys() | labels.keys()
    entries = [entry for entry in paper(NAME).designs if entry.label not in elsewhere]
    rows = []
    counts = []
    unpublished: list[str] = []
    for done, entry in enumerate(entries):
        chosen = entry.at_width(width)
        label = labels.get(entry.label, entry.label)
        figures = published.get(label, {})
        result = measure(chosen, "table2", effort=request.effort)
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
        if label not in published:
            unpublished += [f"{label}: {note}" for note in entry.notes if not entry.ours]
        if request.progress is not None:
            before = widths.index(width) * len(entries)
            request.progress(before + done + 1, len(widths) * len(entries))
    columns = (
        "multiplier", "area, A_FA a bit", "area, A_FA a bit, paper", "critical path, T_FA",
        "critical path, T_FA, paper",
        "paper's area formula", "paper's critical path",
    )  # fmt: skip
    notes = (
        "Measured: synthesis onto a library made from the paper's Table II; the whole design with"
        " operand registers, their load and hold multiplexers, buffers and control, which the"
        " paper's formulas leave out.",
        "The paper gives a register no delay; nor does the library.",
        "SCS-MM-1: the paper's figures leave out the converter; measured with it (32 bits).",
        *unpublished,
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
    ]


def table3(request: Request) -> Part:
    """Return Table III: one table of figures and one of ratios for each width and target."""
    source = paper(NAME)
    published = source.rows("table3_results")
    widths = request.widths or tuple(dict.fromkeys(row["key_bits"] for row in published))
    targets = request.targets or TABLE3_TARGETS
    samples = request.samples or TABLE3_SAMPLES
    groups = [
        Group(width, target, _designs(width, published)) for width in widths for target in targets
    ]
    tables: list[Table] = []
    charts: list[Chart] = []
    for group, rows in zip(groups, measure_groups(groups, request, samples), strict=True):
        width, target = group.width, group.target
        if isinstance(rows, str):
            title = f"Table III on {target}, {width} bits"
            tables.append(Table(title, ("multiplier",), (), (rows,)))
            continue
        tables += [_figures(rows, width, target), _ratios(rows, width, target)]
        charts += _charts(rows, width, target)
    return tables, charts


def _designs(
    width: int, published: list[Published]
) -> tuple[tuple[PaperDesign, Published | None], ...]:
    """Return our designs with the published row for this width; ours alone have none."""
    by_label = {row["multiplier"]: row for row in published if row["key_bits"] == width}
    found = ((entry, by_label.get(entry.label)) for entry in paper(NAME).designs)
    return tuple((entry, row) for entry, row in found if row is not None or entry.ours)


def _figures(rows: list[Row], width: int, target: str) -> Table:
    reference = _reference(rows)

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
        f"Cycles: mean of {rows[0].cycles.samples} random operations, seed {rows[0].cycles.seed},"
        " none of which differs from the cycle model.",
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
        "cycles, paper",
        "change %",
        "change %, paper",
        "period ns",
        "no wires",
        "period ns, paper",
        "area um2",
        "area um2, paper",
        "time us",
        "time us, paper",
        "Mbit/s",
        "Mbit/s, paper",
        "area*time 1e3 um2 us",
        "area*time 1e3 um2 us, paper",
    )
    title = f"Table III on {target}, {width} bits"
    return Table(title, columns, tuple(cells(row) for row in rows), tuple(notes))


def _reference(rows: list[Row]) -> Row | None:
    """Return the row that the paper gives changes against, if it is there."""
    return next((row for row in rows if row.label == paper(NAME).facts["reference"]), None)


def _ratios(rows: list[Row], width: int, target: str) -> Table:
    """Return each figure relative to the first row that the paper has as well."""
    base = _reference(rows) or rows[0]
    return ratio_table(
        f"Ratios to {base.label} on {target}, {width} bits",
        "multiplier",
        rows,
        base,
        (
            ("cycles", lambda row: row.cycles.mean, "cycles"),
            ("period", lambda row: row.period, "delay_ns"),
            ("area", lambda row: row.area, "area_um2"),
            ("time", lambda row: row.time_us, "time_us"),
            ("area*time", lambda row: row.atp, "atp"),
        ),
    )


def _charts(rows: list[Row], width: int, target: str) -> list[Chart]:
    place = f"{target}, {width} bits"
    bars = tuple(Point(row.label, row.atp) for row in rows)
    points = tuple(Point(row.label, row.area, row.time_us) for row in rows)
    return [
        Chart(f"Area-time product, {place}", "bar", "", "1e3 um2 us", (("measured", bars),)),
        Chart(f"Area against time, {place}", "scatter", "us", "um2", (("measured", points),)),
    ]


REPRODUCERS = {
    "1": Reproducer(table1, takes=("widths", "effort")),
    "3": Reproducer(table3, CELLS, ("widths", "samples", "effort")),
}
