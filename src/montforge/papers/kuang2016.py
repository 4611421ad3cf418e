# SPDX-License-Identifier: Apache-2.0
"""Reproduction of Kuang, Wu, Lu (2016): Table I (complexity) and Table III (results)."""

from __future__ import annotations

from dataclasses import dataclass

from montforge.measure import Measurement, measure
from montforge.measure.structure import Structure, structure
from montforge.papers.data import PaperDesign, Published, paper
from montforge.papers.reproduction import CELLS, OF_CELLS, Part, Reproducer, Request
from montforge.papers.rows import (
    Columns,
    Group,
    Measured,
    Row,
    beside,
    measured_tables,
    placed_columns,
    ratio_table,
)
from montforge.report.chart import Chart, Point
from montforge.report.table import Table
from montforge.work.progress import Progress

PAPER = paper("kuang2016")
TABLE3_SAMPLES = 10_000
"""The paper's number of random operations."""
TABLE3_TARGETS = ("nangate45", "osu018")
TABLE1_WIDTH = 1024
ADDER_BLOCKS = ("mf_full_adder_row", "mf_ccsa")
MULTIPLEXER_BLOCKS = ("mf_operand_mux", "mf_one_hot_mux")
"""Multiplexers in AND-OR form, which are no multiplexer cells."""


LABELS: dict[str, str] = PAPER.facts["table1_labels"]


@dataclass(frozen=True)
class Complexity(Row):
    """A design of Table I with its synthesis and the blocks of its netlist."""

    measured: Measurement
    found: Structure

    @property
    def label(self) -> str:
        """The row's name in Table I."""
        return LABELS.get(self.entry.label, self.entry.label)

    def blocks(self, *names: str) -> int:
        """Return the bits of the blocks with these names."""
        return sum(bits for name, bits in self.found.blocks.items() if name in names)

    @property
    def area(self) -> float:
        """Area in full adders for a bit of the width."""
        assert self.measured.area is not None
        return self.measured.area / self.width


def table1(request: Request) -> Part:
    """Return Table I: area and critical path in full adders, and the counts of the netlists.

    There are both for each width.
    """
    widths = request.widths or (TABLE1_WIDTH,)
    published = PAPER.by("multiplier", "table1_analysis")
    elsewhere = PAPER.by("multiplier", "table3_results").keys() - published.keys() - LABELS.keys()
    entries = [entry for entry in PAPER.designs if entry.label not in elsewhere]
    progress = Progress(request.progress, len(widths) * len(entries))

    def row(entry: PaperDesign, width: int) -> Complexity:
        chosen = entry.at_width(width)
        figures = published.get(LABELS.get(entry.label, entry.label), {})
        result = measure(chosen, "table2", effort=request.effort)
        found = Complexity(entry, chosen, figures, result, structure(chosen))
        progress.step()
        return found

    rows = {width: [row(entry, width) for entry in entries] for width in widths}
    return [table for width, found in rows.items() for table in _table1(width, found)], []


def _table1(width: int, rows: list[Complexity]) -> list[Table]:
    unpublished = [row.entry for row in rows if not (row.published or row.entry.ours)]
    return [
        Table.of(
            f"Table I, {width} bits, in units of a full adder",
            rows,
            {
                "multiplier": lambda row: row.label,
                "area, A_FA a bit": lambda row: row.area,
                "area, A_FA a bit, paper": lambda row: row.paper("area_ratio_k_Afa"),
                "critical path, T_FA": lambda row: row.measured.period,
                "critical path, T_FA, paper": lambda row: row.paper("delay_ratio_Tfa"),
                "paper's area formula": lambda row: row.paper("area"),
                "paper's critical path": lambda row: row.paper("critical_path"),
            },
            [*PAPER.notes("1"), *PAPER.notes_on(*unpublished)],
        ),
        Table.of(
            f"Structure, {width} bits",
            rows,
            {
                "multiplier": lambda row: row.label,
                "full adders a bit": lambda row: row.blocks(*ADDER_BLOCKS) / width,
                "registers a bit": lambda row: row.found.registers / width,
                "multiplexers a bit": lambda row: (
                    (row.blocks(*MULTIPLEXER_BLOCKS) + row.found.multiplexers) / width
                ),
                "blocks a bit": lambda row: ", ".join(
                    f"{name[3:]} {bits / width:.2f}" for name, bits in row.found.blocks.items()
                ),
            },
            PAPER.notes("1-structure"),
        ),
    ]


def table3(request: Request) -> Part:
    """Return Table III: one table of figures and one of ratios for each width and target."""
    published = PAPER.rows("table3_results")
    samples = request.samples or TABLE3_SAMPLES
    groups = [
        Group(width, target, _designs(width, published))
        for width in request.widths or dict.fromkeys(row["key_bits"] for row in published)
        for target in request.targets or TABLE3_TARGETS
    ]

    def part(group: Group, rows: list[Measured], _failures: list[str]) -> Part:
        tables = [_figures(group, rows, samples, request.seed), _ratios(group, rows)]
        return tables, _charts(group, rows)

    return measured_tables("Table III", PAPER, groups, request, samples, part)


def _designs(width: int, published: list[Published]) -> tuple[tuple[PaperDesign, Published], ...]:
    """Return our designs with the published row for this width; ours alone have none."""
    by_label = {row["multiplier"]: row for row in published if row["key_bits"] == width}
    found = ((entry, by_label.get(entry.label, {})) for entry in PAPER.designs)
    return tuple((entry, row) for entry, row in found if row or entry.ours)


def _figures(group: Group, rows: list[Measured], samples: int, seed: int) -> Table:
    reference = _reference(rows)

    def change(row: Measured) -> float | None:
        if reference is None or row is reference:
            return None
        return 100 * (row.cycles / reference.cycles - 1)

    columns: Columns = {
        "multiplier": lambda row: row.label,
        **beside("cycles", lambda row: row.cycles, "cycles"),
        **beside("change %", change, "delta_cycles_percent_vs_FCS_MM_1"),
        "period ns": lambda row: row.period,
        "no wires": lambda row: row.period_without,
        "period ns, paper": lambda row: row.paper("delay_ns"),
        **beside("area um2", lambda row: row.area, "area_um2"),
        **beside("time us", lambda row: row.time_us, "time_us"),
        **beside("Mbit/s", lambda row: group.width / row.time_us, "throughput_mbps"),
        **beside("area*time 1e3 um2 us", lambda row: row.atp, "atp"),
        **placed_columns(rows),
    }
    model = (rows[0].measured.wire_load or {}).get("model")
    notes = [
        *PAPER.notes("3", samples=samples, seed=seed),
        f"Period with the library's wire-load model {model}, and without wires."
        if model
        else "The library has no wire-load model: both periods are without wires.",
        *PAPER.notes_on(*(row.entry for row in rows)),
    ]
    return Table.of(f"Table III on {group.place}", rows, columns, notes)


def _reference(rows: list[Measured]) -> Measured | None:
    """Return the row that the paper gives changes against, if it is there."""
    return next((row for row in rows if row.label == PAPER.facts["reference"]), None)


def _ratios(group: Group, rows: list[Measured]) -> Table:
    """Return each figure relative to the first row that the paper has as well."""
    base = _reference(rows) or rows[0]
    return ratio_table(
        f"Ratios to {base.label} on {group.place}",
        PAPER,
        rows,
        base,
        {
            "cycles": (lambda row: row.cycles, "cycles"),
            "period": (lambda row: row.period, "delay_ns"),
            "area": (lambda row: row.area, "area_um2"),
            "time": (lambda row: row.time_us, "time_us"),
            "area*time": (lambda row: row.atp, "atp"),
        },
    )


def _charts(group: Group, rows: list[Measured]) -> list[Chart]:
    bars = tuple(Point(row.label, row.atp) for row in rows)
    points = tuple(Point(row.label, row.area, row.time_us) for row in rows)
    place = group.place
    return [
        Chart(f"Area-time product, {place}", "bar", "", "1e3 um2 us", (("measured", bars),)),
        Chart(f"Area against time, {place}", "scatter", "us", "um2", (("measured", points),)),
    ]


REPRODUCERS = {
    "1": Reproducer(table1, takes=("widths", "effort")),
    "3": Reproducer(table3, CELLS, OF_CELLS),
}
