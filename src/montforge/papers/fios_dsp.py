# SPDX-License-Identifier: Apache-2.0
"""Reproduction of "Scalable DSP optimized Montgomery Multiplier": Table II, Fig. 6 and Fig. 7."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from montforge.arch import Core, core
from montforge.errors import ParameterError
from montforge.measure import Fpga, Measurement, find_target, measure
from montforge.measure.fpga import luts_per_dsp, used_luts
from montforge.papers.data import paper
from montforge.papers.reproduction import FPGAS, Part, Reproducer, Request
from montforge.papers.rows import Published
from montforge.report.chart import Chart, Point
from montforge.report.table import Cell, Table
from montforge.work.jobs import JOBS, results_of
from montforge.work.progress import Progress

NAME = "fios_dsp"
TITLE = "Reproduction of the DSP systolic FIOS multiplier (2023)"
OURS = "FIOS DSP"
"""The label of the paper's own rows."""
COUNTED = "xcup"
"""The target of the paper's family, on which resources are counted."""
PLACED = "ecp5-85k"
WIDTHS = (256, 128, 512, 1024)
"""Widths of the placed table, in the order in which they are measured."""
CHART_PIPELINE = 3
"""Pipeline level of the variants in the figures: the paper's."""


def table2(request: Request) -> Part:
    """Return Table II with recomputed area-time products, and our resources on its family."""
    source = paper(NAME)
    ratio = luts_per_dsp(source.facts["device"])
    errata: dict[str, str] = source.facts["errata"]
    rows: list[tuple[Cell, ...]] = []
    for row in source.rows("table2"):
        time = row["cycles"] / row["f_mhz"] if row["f_mhz"] else None
        at = _area_time(row["lut"], row["dsp"], row["time_us"], ratio)
        rows.append(
            (
                row["design"], row["fpga"], row["width"], row["f_mhz"], row["cycles"], row["dsp"],
                row["lut"], row["time_us"], time, row["at"], round(at),
                100 * (row["at"] / at - 1),
            )
        )  # fmt: skip
    columns = (
        "design", "FPGA", "width", "MHz", "cycles", "DSP", "LUT", "time us", "cycles / MHz", "AT",
        "AT recomputed", "difference %",
    )  # fmt: skip
    notes = (
        f"AT = (LUT + {ratio} DSP) * time, with the LUTs and DSP blocks of the paper's device for"
        " all rows.",
        *(f"{name}: {text}." for name, text in errata.items()),
    )
    return [Table("Table II", columns, tuple(rows), notes), _counts(request)], []


def _counts(request: Request) -> Table:
    """Return the resources of our published form after synthesis, beside the paper's."""
    (entry,) = paper(NAME).designs
    published = [row for row in paper(NAME).rows("table2") if row["design"] == OURS]
    widths = request.widths or tuple(row["width"] for row in published)
    rows = []
    for done, width in enumerate(widths):
        figures: Published = next((row for row in published if row["width"] == width), {})
        chosen = entry.at_width(width)
        found = measure(chosen, COUNTED, seeds=0).resources
        assert found is not None
        rows.append(
            (
                width, _core_cycles(chosen), figures.get("cycles"), found["dsp"],
                figures.get("dsp"), found["lut"], figures.get("lut"), found["lut_ram"],
                found["ff"],
            )
        )  # fmt: skip
        if request.progress is not None:
            request.progress(done + 1, len(widths))
    columns = (
        "width", "cycles", "cycles, paper", "DSP48E2", "DSP48E2, paper", "LUT", "LUT, paper",
        "LUT as RAM or shift", "FF",
    )  # fmt: skip
    notes = ("Measured: synthesis for UltraScale+ only, not placed.", *entry.notes)
    return Table(f"Resources on {COUNTED}", columns, tuple(rows), notes)


@dataclass(frozen=True)
class Row:
    """One of our designs on a placed FPGA."""

    label: str
    width: int
    chosen: Core
    measured: Measurement

    @property
    def pipeline(self) -> int:
        """Pipeline level of the multiplier-accumulator, the paper's is 3."""
        return int(self.chosen.parameters["pipeline"])

    @property
    def fmax(self) -> float:
        """Clock frequency in MHz: the median of the placements."""
        assert self.measured.fmax_mhz is not None
        return self.measured.fmax_mhz

    @property
    def cycles(self) -> int:
        """Latency of the parallel form."""
        return self.chosen.contract.latency.minimum

    @property
    def time_us(self) -> float:
        """Time of one multiplication in us, until ``rsp_valid_o``."""
        return (self.cycles + self.chosen.contract.handover) / self.fmax

    def lut_equivalents(self, ratio: int) -> int:
        """LUTs and ``ratio`` for each DSP block."""
        found = self.measured.resources
        assert found is not None
        return used_luts("ecp5", found) + ratio * found["dsp"]


def placed(request: Request) -> Part:
    """Return our variants placed and routed, and Fig. 6 and 7 beside the published points."""
    tables: list[Table] = []
    charts: list[Chart] = []
    for target in request.targets or (PLACED,):
        found = find_target(target)
        if not isinstance(found, Fpga) or not {"lut", "dsp"} <= found.capacity.keys():
            raise ParameterError(
                f"target {target} is not an FPGA that is placed and routed; name one such as"
                f" {PLACED}."
            )
        rows = _measure(target, request)
        ratio = luts_per_dsp(found.capacity)
        tables.append(_figures(rows, target, ratio))
        charts += _charts(rows, target, ratio)
    return tables, charts


def _measure(target: str, request: Request) -> list[Row]:
    entries = [
        (width, entry)
        for width in request.widths or WIDTHS
        for entry in paper(NAME).facts["measured"]
        if width in entry.get("widths", (width,))
    ]
    designs = [
        core("fios_dsp", width=width, mac="ecp5", word_width=18, **entry["parameters"])
        for width, entry in entries
    ]
    # A job is a design and not a placement: three placements do not fill two processors.
    jobs = [partial(measure, chosen, target, workers=1) for chosen in designs]
    measured = results_of(jobs, JOBS, Progress(request.progress, len(jobs)))
    return [
        Row(entry["label"], width, chosen, figures)
        for (width, entry), chosen, figures in zip(entries, designs, measured, strict=True)
    ]


def _figures(rows: list[Row], target: str, ratio: int) -> Table:
    cells: list[tuple[Cell, ...]] = []
    for row in rows:
        found = row.measured.resources
        assert found is not None
        area = row.lut_equivalents(ratio)
        frequencies = [point["fmax_mhz"] for point in row.measured.sweep]
        interval = row.chosen.contract.interval.minimum
        path = row.measured.critical_path or {}
        cells.append(
            (
                row.label, row.width, used_luts("ecp5", found), found["ff"], found["dsp"],
                found["bram"], row.fmax, f"{min(frequencies):.1f} to {max(frequencies):.1f}",
                row.measured.flags["placer"], _core_cycles(row.chosen), row.cycles,
                row.time_us, interval, row.fmax / interval, area, area * row.time_us,
                f"{_block(path.get('start', ''))} -> {_block(path.get('end', ''))}",
            )
        )  # fmt: skip
    facts = paper(NAME).facts
    for public in facts["public_rtl"]:
        if any(row.width == public["width"] for row in rows):
            lut = public.get("lut")
            area = (lut or 0) + ratio * public["dsp"]
            at = area * public["time_us"]
            cells.append(
                (
                    public["design"], public["width"], lut, None, public["dsp"], None,
                    public.get("f_mhz"), None, public["placer"], None, None, public["time_us"],
                    None, None, area if lut else f"over {area}",
                    at if lut else f"over {at:.0f}", None,
                )
            )  # fmt: skip
    columns = (
        "design", "width", "LUT", "FF", "DSP", "BRAM", "MHz", "range", "placer", "core cycles",
        "latency", "time us", "interval", "million a second", "LUT equivalents", "AT",
        "longest path",
    )  # fmt: skip
    notes = (
        "Words of 18 bits, a C register, the parallel form with its operand and result registers."
        " MHz: median of three placements out of context, and their range.",
        "LUT: LUT4s, with two for each carry cell and six for each RAM cell. LUT equivalents:"
        f" LUT + {ratio} DSP, the device's LUTs for each of its DSP blocks; AT = LUT equivalents"
        " * time.",
        "Latency: from acceptance to the result; core cycles: from the first issue to the last"
        " word, as the paper counts.",
        "Public RTL: figures of the specification, same tools with nextpnr's own weight of timing;"
        " the word-systolic one has no count of LUTs there, so its AT is that of its multipliers"
        " alone.",
    )
    return Table(f"Variants on {target}", columns, tuple(cells), notes)


def _charts(rows: list[Row], target: str, ratio: int) -> list[Chart]:
    """Return Fig. 6 (frequency, area) and Fig. 7 (cycles, time) over the width."""
    published = [row for row in paper(NAME).rows("table2") if row["design"] == OURS]
    paper_ratio = luts_per_dsp(paper(NAME).facts["device"])
    labels = dict.fromkeys(row.label for row in rows if row.pipeline == CHART_PIPELINE)
    figures: tuple[tuple[str, str, Callable[[Row], float], Callable[[Published], float]], ...] = (
        ("Fig. 6: frequency", "MHz", lambda r: r.fmax, lambda p: float(p["f_mhz"])),
        (
            "Fig. 6: area",
            "LUT equivalents",
            lambda r: r.lut_equivalents(ratio),
            lambda p: float(p["lut"] + paper_ratio * p["dsp"]),
        ),
        (
            "Fig. 7: cycles",
            "cycles",
            lambda r: _core_cycles(r.chosen),
            lambda p: float(p["cycles"]),
        ),
        ("Fig. 7: time", "us", lambda r: r.time_us, lambda p: float(p["time_us"])),
    )
    charts = []
    for title, y_title, ours, theirs in figures:
        series = [
            (label, tuple(Point("", ours(row), row.width) for row in rows if row.label == label))
            for label in labels
        ]
        points = tuple(Point("", theirs(row), row["width"]) for row in published)
        series.append(("paper, UltraScale+", points))
        charts.append(
            Chart(f"{title}, {target}", "scatter", "width", y_title, tuple(series), log_y=True)
        )
    return charts


def _core_cycles(chosen: Core) -> int:
    found = chosen.core_cycles
    assert found is not None
    return found


def _area_time(lut: int, dsp: int, time_us: float, ratio: int) -> float:
    return (lut + ratio * dsp) * time_us


def _block(register: str) -> str:
    """Return the part of the design that a register is in."""
    if "u_mac" in register:
        return "mac"
    if "u_element" in register:
        return "element"
    return "sequencer" if "u_sequencer" in register else "adapter"


REPRODUCERS = {
    "2": Reproducer(table2, takes=("widths",)),
    "6": Reproducer(placed, FPGAS, ("widths",)),
}
