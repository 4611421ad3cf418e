# SPDX-License-Identifier: Apache-2.0
"""Reproduction of "Scalable DSP optimized Montgomery Multiplier": Table II, Fig. 6 and Fig. 7."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from operator import itemgetter

from montforge.errors import ParameterError
from montforge.measure import Fpga, find_target, measure
from montforge.measure.fpga import luts_per_dsp, used_luts
from montforge.papers.data import PaperDesign, Published, paper
from montforge.papers.reproduction import FPGAS, Part, Reproducer, Request, joined
from montforge.papers.rows import Counted
from montforge.report.chart import Chart, Point
from montforge.report.table import Cell, Table
from montforge.work.jobs import JOBS, results_of
from montforge.work.progress import Progress

PAPER = paper("fios_dsp")
OURS = "FIOS DSP"
"""The label of the paper's own rows."""
COUNTED = "xcup"
"""The target of the paper's family, on which resources are counted."""
PLACED = "ecp5-85k"
PLACED_PARTS: dict[str, int | str] = {"mac": "ecp5", "word_width": 18}
WIDTHS = (256, 128, 512, 1024)
"""Widths of the placed table, in the order in which they are measured."""
CHART_PIPELINE = 3
"""Pipeline level of the variants in the figures: the paper's."""


@dataclass(frozen=True)
class Ours(Counted):
    """One of our designs on an FPGA, placed but for counts of resources alone."""

    @property
    def luts(self) -> int:
        """LUTs of an ECP5, with those of carry and RAM cells."""
        return used_luts("ecp5", self.measured.resources or {})

    def equivalents(self, ratio: int) -> int:
        """LUTs and ``ratio`` for each DSP block."""
        return self.luts + ratio * self.count("dsp")

    @property
    def fmax(self) -> float:
        """Clock frequency in MHz: the median of the placements."""
        assert self.measured.fmax_mhz is not None
        return self.measured.fmax_mhz

    @property
    def frequencies(self) -> str:
        """The range of the placements' clock frequencies in MHz."""
        found = [point["fmax_mhz"] for point in self.measured.sweep]
        return f"{min(found):.1f} to {max(found):.1f}"

    @property
    def cycles(self) -> int:
        """Latency of the parallel form."""
        return self.chosen.contract.latency.minimum

    @property
    def interval(self) -> int:
        """Cycles between two operations."""
        return self.chosen.contract.interval.minimum

    @property
    def time_us(self) -> float:
        """Time of one multiplication in us, until ``rsp_valid_o``."""
        return (self.cycles + self.chosen.contract.handover) / self.fmax

    @property
    def longest_path(self) -> str:
        """The parts of the design between which the longest path runs."""
        path = self.measured.critical_path or {}
        return f"{_block(path.get('start', ''))} -> {_block(path.get('end', ''))}"


def table2(request: Request) -> Part:
    """Return Table II with recomputed area-time products, and our resources on its family."""
    ratio = luts_per_dsp(PAPER.facts["device"])

    def area_time(row: Published) -> float:
        return float((row["lut"] + ratio * row["dsp"]) * row["time_us"])

    as_printed = {
        "design": "design", "FPGA": "fpga", "width": "width", "MHz": "f_mhz", "cycles": "cycles",
        "DSP": "dsp", "LUT": "lut", "time us": "time_us",
    }  # fmt: skip
    table = Table.of(
        "Table II",
        PAPER.rows("table2"),
        {
            **{name: itemgetter(column) for name, column in as_printed.items()},
            "cycles / MHz": lambda row: row["cycles"] / row["f_mhz"] if row["f_mhz"] else None,
            "AT": itemgetter("at"),
            "AT recomputed": lambda row: round(area_time(row)),
            "difference %": lambda row: 100 * (row["at"] / area_time(row) - 1),
        },
        [
            *PAPER.notes("2", ratio=ratio),
            *(f"{name}: {text}." for name, text in PAPER.facts["errata"].items()),
        ],
    )
    return [table, _counts(request)], []


def _published() -> list[Published]:
    return [row for row in PAPER.rows("table2") if row["design"] == OURS]


def _counts(request: Request) -> Table:
    """Return the resources of our published form after synthesis, beside the paper's."""
    (entry,) = PAPER.designs
    published = {row["width"]: row for row in _published()}
    widths = request.widths or tuple(published)
    progress = Progress(request.progress, len(widths))

    def counted(width: int) -> Ours:
        chosen = entry.at_width(width)
        result = measure(chosen, COUNTED, seeds=0)
        progress.step()
        return Ours(entry, chosen, published.get(width, {}), result)

    return Table.of(
        f"Resources on {COUNTED}",
        map(counted, widths),
        {
            "width": lambda row: row.width,
            "cycles": lambda row: row.core_cycles,
            "cycles, paper": lambda row: row.paper("cycles"),
            "DSP48E2": lambda row: row.count("dsp"),
            "DSP48E2, paper": lambda row: row.paper("dsp"),
            "LUT": lambda row: row.count("lut"),
            "LUT, paper": lambda row: row.paper("lut"),
            "LUT as RAM or shift": lambda row: row.count("lut_ram"),
            "FF": lambda row: row.count("ff"),
        },
        [*PAPER.notes("2-resources"), *PAPER.design_notes[entry.label]],
    )


def placed(request: Request) -> Part:
    """Return our variants placed and routed, and Fig. 6 and 7 beside the published points."""
    return joined(_placed(target, request) for target in request.targets or (PLACED,))


def _placed(target: str, request: Request) -> Part:
    found = find_target(target)
    if not isinstance(found, Fpga) or not {"lut", "dsp"} <= found.capacity.keys():
        raise ParameterError(
            f"target {target} is not an FPGA that is placed and routed; name one such as {PLACED}."
        )
    rows = _measure(target, request)
    ratio = luts_per_dsp(found.capacity)
    return [_figures(rows, target, ratio)], _charts(rows, target, ratio)


def _measure(target: str, request: Request) -> list[Ours]:
    rows = [
        (width, PaperDesign(entry["label"], "fios_dsp", {**PLACED_PARTS, **entry["parameters"]}))
        for width in request.widths or WIDTHS
        for entry in PAPER.facts["measured"]
        if width in entry.get("widths", (width,))
    ]
    designs = [(entry, entry.at_width(width)) for width, entry in rows]
    # A job is a design and not a placement: three placements do not fill two processors.
    jobs = [partial(measure, chosen, target, workers=1) for _, chosen in designs]
    results = results_of(jobs, JOBS, Progress(request.progress, len(jobs)))
    return [Ours(*row, {}, result) for row, result in zip(designs, results, strict=True)]


def _figures(rows: list[Ours], target: str, ratio: int) -> Table:
    """Return the table of our designs, and of public RTL of the same widths behind them."""
    columns: dict[str, Callable[[Ours], Cell]] = {
        "design": lambda row: row.label,
        "width": lambda row: row.width,
        "LUT": lambda row: row.luts,
        "FF": lambda row: row.count("ff"),
        "DSP": lambda row: row.count("dsp"),
        "BRAM": lambda row: row.count("bram"),
        "MHz": lambda row: row.fmax,
        "range": lambda row: row.frequencies,
        "placer": lambda row: row.measured.flags["placer"],
        "core cycles": lambda row: row.core_cycles,
        "latency": lambda row: row.cycles,
        "time us": lambda row: row.time_us,
        "interval": lambda row: row.interval,
        "million a second": lambda row: row.fmax / row.interval,
        "LUT equivalents": lambda row: row.equivalents(ratio),
        "AT": lambda row: row.equivalents(ratio) * row.time_us,
        "longest path": lambda row: row.longest_path,
    }
    ours = Table.of(f"Variants on {target}", rows, columns, PAPER.notes("6", ratio=ratio))
    public = [_public(row, ratio) for row in PAPER.facts["public_rtl"]]
    widths = {row.width for row in rows}
    more = [tuple(map(row.get, columns)) for row in public if row["width"] in widths]
    return replace(ours, rows=(*ours.rows, *more))


def _public(row: Published, ratio: int) -> Published:
    """Return the cells of public RTL by column; without a count of LUTs areas are least ones."""
    area = row.get("LUT", 0) + ratio * row["DSP"]
    at = area * row["time us"]
    if "LUT" in row:
        return {**row, "LUT equivalents": area, "AT": at}
    return {**row, "LUT equivalents": f"over {area}", "AT": f"over {at:.0f}"}


def _charts(rows: list[Ours], target: str, ratio: int) -> list[Chart]:
    """Return Fig. 6 (frequency, area) and Fig. 7 (cycles, time) over the width."""
    theirs = luts_per_dsp(PAPER.facts["device"])
    labels = dict.fromkeys(
        row.label for row in rows if row.chosen.parameters["pipeline"] == CHART_PIPELINE
    )

    def chart(
        title: str,
        unit: str,
        ours: Callable[[Ours], float],
        printed: Callable[[Published], float],
    ) -> Chart:
        series = [
            (label, tuple(Point("", ours(row), row.width) for row in rows if row.label == label))
            for label in labels
        ]
        points = tuple(Point("", float(printed(row)), row["width"]) for row in _published())
        series.append(("paper, UltraScale+", points))
        return Chart(f"{title}, {target}", "scatter", "width", unit, tuple(series))

    return [
        chart("Fig. 6: frequency", "MHz", lambda row: row.fmax, lambda row: row["f_mhz"]),
        chart(
            "Fig. 6: area",
            "LUT equivalents",
            lambda row: row.equivalents(ratio),
            lambda row: row["lut"] + theirs * row["dsp"],
        ),
        chart("Fig. 7: cycles", "cycles", lambda row: row.core_cycles, lambda row: row["cycles"]),
        chart("Fig. 7: time", "us", lambda row: row.time_us, lambda row: row["time_us"]),
    ]


def _block(register: str) -> str:
    """Return the part of the design that a register is in."""
    for name, part in (("u_mac", "mac"), ("u_element", "element"), ("u_sequencer", "sequencer")):
        if name in register:
            return part
    return "adapter"


REPRODUCERS = {
    "2": Reproducer(table2, takes=("widths",)),
    "6": Reproducer(placed, FPGAS, ("widths",)),
}
