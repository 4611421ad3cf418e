# SPDX-License-Identifier: Apache-2.0
"""Reproduction of Sassaw, Jimenez, Valencia (2010): Table I (FPGA) and Table II (ASIC)."""

from __future__ import annotations

from collections.abc import Sequence

from montforge.arch import Core, core
from montforge.arch.power import power_cycles
from montforge.measure import Fpga, find_target, measure
from montforge.papers.data import PaperDesign, paper
from montforge.papers.reproduction import CELLS, FPGAS, Part, Reproducer, Request
from montforge.papers.rows import Group, Published, Row, measure_groups, ratio_table
from montforge.report.chart import Chart, Point
from montforge.report.table import Cell, Table
from montforge.verify import correct_cycles

NAME = "sassaw2010"
TITLE = "Reproduction of Sassaw, Jimenez, Valencia (2010)"
WIDTH = 1024
SAMPLES = 100
"""Random operations for the cycle counts, which do not depend on the operands."""
FPGA_TARGETS = ("xcup", "ecp5-85k")
CELL_TARGETS = ("osu018", "nangate45")


def table1(request: Request) -> Part:
    """Return Table I: cycles beside those that the published times imply, and FPGA resources."""
    tables = []
    for width in request.widths or (WIDTH,):
        tables.append(_cycles(width, request))
        tables += [
            _resources(width, target) for target in _targets(request, FPGA_TARGETS, fpga=True)
        ]
    return tables, []


def table2(request: Request) -> Part:
    """Return Table II: figures and ratios for each width and standard-cell target."""
    groups = [
        Group(width, target, tuple((entry, _published(entry, width)) for entry in _entries()))
        for width in request.widths or (WIDTH,)
        for target in _targets(request, CELL_TARGETS, fpga=False)
    ]
    samples = request.samples or SAMPLES
    tables: list[Table] = []
    charts: list[Chart] = []
    for group, rows in zip(groups, measure_groups(groups, request, samples), strict=True):
        place = f"{group.target}, {group.width} bits"
        if isinstance(rows, str):
            tables.append(Table(f"Table II on {place}", ("radix",), (), (rows,)))
            continue
        tables += [
            _figures(rows, place),
            ratio_table(
                f"Ratios to radix {rows[0].label} on {place}",
                "radix",
                rows,
                rows[0],
                (
                    ("cycles", lambda row: row.cycles.mean, "cycles"),
                    ("period", lambda row: row.period, "delay_ns"),
                    ("area", lambda row: row.area, "area"),
                    ("latency", lambda row: row.time_us, "latency_ns"),
                    ("area*latency", lambda row: row.atp, "area_latency"),
                ),
            ),
        ]
        charts += _charts(rows, place)
    return tables, charts


def _targets(request: Request, default: tuple[str, ...], *, fpga: bool) -> tuple[str, ...]:
    """Return the targets of one kind that ``request`` names, or the default ones."""
    if not request.targets:
        return default
    return tuple(t for t in request.targets if isinstance(find_target(t), Fpga) == fpga)


def _entries() -> tuple[PaperDesign, ...]:
    return paper(NAME).designs


def _published(entry: PaperDesign, width: int) -> Published | None:
    """Return the paper's figures of a design as numbers, areas in thousands; it has one width."""
    source = paper(NAME)
    if width != WIDTH or entry.ours:
        return None
    fpga, asic = (
        next(row for row in source.rows(table) if str(row["radix"]) == entry.label)
        for table in ("table1_fpga", "table2_asic")
    )
    area = int(asic["area"].replace(",", "")) / 100
    latency = asic["latency_ns_from_text"]
    return {
        "slices": fpga["slices"],
        "cycles": fpga["cycles"],
        "area": area,
        "delay_ns": asic["delay_ns"],
        "f_mhz": asic["f_mhz"],
        "latency_ns": latency,
        "area_latency": area * latency,
    }


def _digit_bits(entry: PaperDesign) -> int:
    return int(dict(entry.parameters).get("radix", 2)).bit_length() - 1


def _digits(entry: PaperDesign, chosen: Core) -> int:
    """Return the number of digits that R, and so the loop, takes."""
    return (chosen.contract.r.bit_length() - 1) // _digit_bits(entry)


def _cycles(width: int, request: Request) -> Table:
    rows: list[tuple[Cell, ...]] = []
    samples = request.samples or SAMPLES
    for done, entry in enumerate(_entries()):
        chosen = entry.at_width(width)
        report = correct_cycles(chosen, samples=samples, seed=request.seed)
        figures = _published(entry, width) or {}
        digits = _digits(entry, chosen)
        rows.append(
            (
                entry.label,
                figures.get("cycles"),
                2 * width // (1 << _digit_bits(entry)) if figures else None,
                width / figures["cycles"] if figures else None,
                _digit_bits(entry),
                digits,
                round(report.mean),
                figures.get("latency_ns"),
                digits * figures["delay_ns"] if figures else None,
            )
        )
        if request.progress is not None:
            request.progress(done + 1, len(_entries()))
    columns = (
        "radix", "paper's cycles", "2n / radix", "bits a cycle", "bits of a digit", "digits",
        "cycles", "paper's latency ns", "paper's delay * digits ns",
    )  # fmt: skip
    notes = [
        "Finding: the published cycles are 2n / radix. That is the number of digits for radix 2"
        " and 4 only; the counts of radix 8 and 64 do not follow from the trees that the paper"
        " describes. Bits a cycle: n / the paper's cycles, beside the bits of a digit.",
        "Digits: those of a product that can be an operand again; cycles: digits, and the flush"
        " or the conversion to binary (pipelined: the tail, too), as the RTL takes them:"
        f" {samples} random operations, seed {request.seed}, none of which differs from the model.",
        "In the paper's own delays and with the right number of digits radix 4 has the least"
        " latency, 3% below radix 2, and radix 64 is slower than both.",
    ]
    for entry in _entries():
        notes += [f"{entry.label}: {note}" for note in entry.notes]
    return Table(f"Table I: cycles, {width} bits", columns, tuple(rows), tuple(notes))


def _resources(width: int, target: str) -> Table:
    entries = _entries()
    counts = []
    for entry in entries:
        found = measure(entry.at_width(width), target, seeds=0).resources
        assert found is not None
        counts.append(found)
    base, base_slices = counts[0]["lut"], (_published(entries[0], width) or {}).get("slices")
    rows = []
    for entry, count in zip(entries, counts, strict=True):
        slices = (_published(entry, width) or {}).get("slices")
        rows.append(
            (
                entry.label,
                count["lut"],
                count["ff"],
                count["carry"],
                round(count["lut"] / base, 3),
                slices,
                round(slices / base_slices, 3) if slices and base_slices else None,
            )
        )
    columns = (
        "radix", "LUTs", "flip-flops", "carry cells", "LUTs / radix 2", "paper's slices",
        "paper's slices / radix 2",
    )  # fmt: skip
    notes = (
        "Published: XC2V6000, whose slices hold two LUTs of four inputs. Measured: synthesis only,"
        " not placed; ECP5 has LUTs of four inputs, UltraScale+ of six.",
    )
    return Table(f"Table I: resources on {target}, {width} bits", columns, tuple(rows), notes)


def _figures(rows: Sequence[Row], place: str) -> Table:
    def cells(row: Row) -> tuple[Cell, ...]:
        figures = row.published or {}
        load = row.measured.wire_load or {}
        return (
            row.label,
            row.area,
            figures.get("area"),
            row.period,
            load.get("period_without"),
            figures.get("delay_ns"),
            1e3 / row.period,
            figures.get("f_mhz"),
            round(row.cycles.mean),
            figures.get("cycles"),
            row.time_us * 1e3,
            figures.get("latency_ns"),
            row.atp,
        )

    columns = (
        "radix", "area um2", "paper, thousands", "period ns", "no wires", "paper's delay ns",
        "MHz", "paper's MHz", "cycles", "paper's cycles", "latency ns", "paper's latency ns",
        "area*latency 1e3 um2 us",
    )  # fmt: skip
    fastest = min(rows, key=lambda row: row.time_us)
    smallest = min(rows, key=lambda row: row.atp)
    notes = (
        "Published: 130 nm, area without a unit, frequencies that are not 1 / delay. Measured:"
        " cells only, no layout, the point of least area * period; compare ratios.",
        f"Least latency: radix {fastest.label}; least area * latency: radix {smallest.label}.",
    )
    return Table(f"Table II on {place}", columns, tuple(map(cells, rows)), notes)


def _charts(rows: Sequence[Row], place: str) -> list[Chart]:
    """Return latency and area-latency product over the radix, relative to radix 2."""
    base = rows[0]
    forms = {
        "measured": [row for row in rows if "," not in row.label],
        "measured, pipelined": [row for row in rows if "," in row.label],
    }
    series = {
        "latency": [
            (name, tuple(_point(row, row.time_us / base.time_us) for row in chosen))
            for name, chosen in forms.items()
        ],
        "area * latency": [
            (name, tuple(_point(row, row.atp / base.atp) for row in chosen))
            for name, chosen in forms.items()
        ],
    }
    if base.published is not None:
        published = [(row, row.published) for row in rows if row.published is not None]
        for name, key in (("latency", "latency_ns"), ("area * latency", "area_latency")):
            points = tuple(_point(row, f[key] / base.published[key]) for row, f in published)
            series[name].append(("published", points))
    return [
        Chart(f"{name.capitalize()}, {place}", "bar", "radix", "radix 2 = 1", tuple(parts))
        for name, parts in series.items()
    ]


def _point(row: Row, value: float) -> Point:
    return Point(row.label.split(",")[0], value)


def exponentiation(request: Request) -> Part:
    """Return the exponentiation of the paper's Section II on each multiplier: turns and cycles."""
    return [_powers(width) for width in request.widths or (WIDTH,)], []


def _powers(width: int) -> Table:
    rows: list[tuple[Cell, ...]] = []
    for entry in _entries():
        multiplier = entry.at_width(width)
        figures = _published(entry, width) or {}
        delay, latency = figures.get("delay_ns"), figures.get("latency_ns")
        left_to_right, window = (
            power_cycles(
                core("modexp", width=width, multiplier=multiplier, **given), exponent=exponent
            )
            for given, exponent in (
                ({"algorithm": "l2r"}, _half_ones(width)),
                ({"algorithm": "window", "w": 5}, None),
            )
        )
        cycles = left_to_right.cycles.maximum
        rows.append(
            (
                entry.label,
                width if figures else None,
                round(width * figures["cycles"]) if figures else None,
                width * latency / 1e6 if latency else None,
                left_to_right.turns.maximum,
                left_to_right.turn.maximum,
                cycles,
                cycles * delay / 1e6 if delay else None,
                window.turns.maximum,
                window.cycles.maximum,
                window.cycles.maximum * delay / 1e6 if delay else None,
            )
        )
    columns = (
        "radix", "paper's calls", "paper's calls * cycles", "paper's calls * latency ms",
        "turns, left to right", "cycles of a turn", "cycles", "in the paper's delay ms",
        "turns, window of 5 bits", "cycles, window", "window, in the paper's delay ms",
    )  # fmt: skip
    notes = (
        f"Section II says that an exponent of j bits takes j calls of the multiplier; its steps"
        " (left to right) take j squarings, a product for each 1, and two that enter and leave the"
        f" domain: {width} + {width // 2} + 2 for an exponent half of whose bits are 1. The paper"
        " has no figures of an exponentiation: calls * cycles and calls * latency are products of"
        " its own figures.",
        "Turns and cycles are those of the cycle models of modexp over these multipliers, which"
        " `montforge verify` and `montforge cycles` compare with the RTL; the table of the window"
        " and the control are in them, and a turn is two cycles longer than the multiplication.",
    )
    return Table(f"Exponentiation, {width} bits", columns, tuple(rows), notes)


def _half_ones(bits: int) -> int:
    """Return a number of ``bits`` bits of which every second one is 1."""
    return sum(1 << i for i in range(bits - 1, -1, -2))


REPRODUCERS = {
    "1": Reproducer(table1, FPGAS, ("widths", "samples")),
    "2": Reproducer(table2, CELLS, ("widths", "samples", "effort")),
    "exponentiation": Reproducer(exponentiation, "", ("widths",)),
}
