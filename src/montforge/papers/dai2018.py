# SPDX-License-Identifier: Apache-2.0
"""Reproduction of Dai, Chen, Cheung, Koc (2018): Tables 2, 3, cycles and resources of 4 to 6."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from montforge.arch import Core
from montforge.hardware.forms import NATIVE
from montforge.measure import Fpga, find_target
from montforge.measure.fpga import count_resources, lacking, synthesize, used_luts
from montforge.papers.data import Published, paper
from montforge.papers.reproduction import FPGAS, Part, Reproducer, Request
from montforge.papers.rows import Row
from montforge.programs.fft.parameters import ParameterSet, published_sets
from montforge.programs.fft.transform import Counter, Fmlm
from montforge.report.chart import Chart, Point
from montforge.report.table import Cell, Table
from montforge.verify import correct_cycles
from montforge.work.cache import ResultStore

PAPER = paper("dai2018")
SAMPLES = 20
COUNTED = ParameterSet(20, 8, 16, 40)
"""The set that operations are counted with; counts depend on its s alone."""
EXPONENT_BITS = 40
"""Bits of the exponent, half of them ones, that the operations of FMLE are counted with."""
FORMS = {"general": "FMLM", "squaring": "FMLM squaring", "common": "FMLM common-multiplicand"}
TABLE_5_BITS = (1024, 2048, 4096, 7680)
RESOURCE_TARGETS = ("xcup", "ecp5-85k")


def table2(request: Request) -> Part:
    """Return Table 2: operations counted by an instrumented model, beside the published ones."""
    published = PAPER.by("algorithm", "table2_operation_counts")
    counts: dict[str, Counter] = {}
    for all_at_once, suffix in ((False, ""), (True, " all-at-once")):
        for form, label in FORMS.items():
            counts[f"{label}{suffix}"] = _multiplication(form, all_at_once)
        counts[f"FMLE{suffix}"] = _exponentiation(all_at_once)

    def printed(column: str) -> Callable[[str], Cell]:
        return lambda label: str(published[label][column]) if label in published else None

    table = Table.of(
        "Table 2: operations",
        counts,
        {
            "algorithm": lambda label: label,
            "transforms": lambda label: counts[label].transforms,
            "transforms, paper": printed("ffts"),
            "products": lambda label: f"{counts[label].products // COUNTED.s}s",
            "products, paper": printed("pointwise_mul"),
            "additions": lambda label: f"{counts[label].additions // COUNTED.s}s",
            "additions, paper": printed("pointwise_add"),
            "long additions": lambda label: counts[label].long_additions,
            "long additions, paper": printed("long_additions"),
        },
        PAPER.notes("2", s=COUNTED.s, exponent_bits=EXPONENT_BITS),
    )
    return [table], []


def _multiplication(form: str, all_at_once: bool) -> Counter:
    found = Fmlm(replace(COUNTED, all_at_once=all_at_once), 1000003)
    if form == "general":
        found.general(12345, 67890)
    elif form == "squaring":
        found.squaring(67890)
    else:
        found.common(67890, *found.common_multiplicand(12345))
    return found.count


def _exponentiation(all_at_once: bool) -> Counter:
    found = Fmlm(replace(COUNTED, all_at_once=all_at_once), 1000003)
    x, e = 12345, sum(1 << k for k in range(0, EXPONENT_BITS, 2))
    r = found.chosen.r
    t = r % found.n
    y = found.common(x, *found.common_multiplicand(r * r % found.n))
    for k in range(EXPONENT_BITS):
        if e >> k & 1:
            t = found.common(t, *found.common_multiplicand(y))
        y = found.squaring(y)
    t = found.common(t, *found.common_multiplicand(1))
    assert t == pow(x, e, found.n)
    return found.count


def table3(request: Request) -> Part:
    """Return Table 3: the published parameter sets, derived again, with their slack."""
    columns: dict[str, Callable[[tuple[Published, ParameterSet]], Cell]] = {
        "key bits": lambda pair: pair[0]["key_bits"],
        "u": lambda pair: pair[1].u,
        "s": lambda pair: pair[1].s,
        "c": lambda pair: str(pair[1].c),
        "q": lambda pair: f"2^{pair[1].ring_bits} + 1",
        "omega": lambda pair: str(pair[1].omega),
        "phi": lambda pair: pair[0]["phi"],
        "all at once": lambda pair: "yes" if pair[1].all_at_once else "no",
        "slack": lambda pair: round(pair[1].slack, 1),
        "slack at once": lambda pair: round(pair[1].slack_all_at_once, 1),
        "as printed": lambda pair: "yes" if _is_as_printed(*pair) else "no",
        "conditions": lambda pair: "illegal" if pair[1].violations() else "legal",
    }
    pairs = [(row, _derived(row)) for row in PAPER.rows("table3_parameters")]
    return [Table.of("Table 3: parameter sets", pairs, columns, PAPER.notes("3"))], []


def _derived(row: Published) -> ParameterSet:
    sets = published_sets(row["key_bits"])
    return next(found for found in sets if (found.u, found.s) == (row["u"], row["s"]))


def _is_as_printed(row: Published, found: ParameterSet) -> bool:
    return bool(
        found.l == row["l"]
        and float(found.c) == row["c"]
        and f"2^{found.ring_bits}+1" == row["q"]
        and str(found.omega) == row["omega"]
        and found.all_at_once == row["all_at_once"]
    )


Columns = dict[str, Callable[[Row], Cell]]
OF_FMLM: Columns = {"key bits": lambda row: row.width}
OF_FMLE: Columns = {**OF_FMLM, "protection": lambda row: row.chosen.parameters["protection"]}
"""The columns that name a row."""


def _rows(request: Request, printed: Iterable[tuple[str, int, Published]]) -> list[Row]:
    """Return the rows, by label and key bits, that are asked for and that a design stands for."""
    return [
        Row(entry, entry.at_width(width), row)
        for label, width, row in printed
        if (entry := PAPER.design(label)) and (not request.widths or width in request.widths)
    ]


def _exponentiators(request: Request) -> list[Row]:
    """Return the rows of FMLE in Table 4 that are asked for, with the protection that each has."""
    printed = PAPER.rows("table4_fmle_virtex6_speed3")
    rows = _rows(request, ((f"FMLE {row['key_bits']}", row["key_bits"], row) for row in printed))
    protections = ("ladder" if row.published["spa"] else "none" for row in rows)
    return [
        replace(row, chosen=row.chosen.replace(protection=protection))
        for row, protection in zip(rows, protections, strict=True)
    ]


def _multipliers(request: Request) -> list[Row]:
    """Return the rows of FMLM in Table 6 and beyond that are asked for."""
    printed = PAPER.rows("table6_fmlm_virtex6_speed1")
    bits = PAPER.facts["key_bits"]
    rows = [(row["design"], bits.get(str(row["l"]), 0), row) for row in printed]
    # The paper has no row for these: all of its columns are empty.
    for width, label in PAPER.facts["table6_beyond"].items():
        rows.append((label, int(width), {**dict.fromkeys(printed[0]), "design": label}))
    return _rows(request, rows)


def table4(request: Request) -> Part:
    """Return the cycles of Table 4: those of an iteration of FMLE, from runs of the RTL."""
    rows = _exponentiators(request)
    table = _cycles("4", rows, OF_FMLE, "cycles for a bit", "cycles_per_fmlm", request)
    bars = {str(row.width): row for row in rows if not row.published["spa"]}
    title = "Cycles of FMLE for a bit of the exponent"
    return [table], [_cycles_chart(title, "key bits", bars, "cycles_per_fmlm")]


def table6(request: Request) -> Part:
    """Return the cycles of Table 6: those of FMLM, from runs of the RTL."""
    rows = _multipliers(request)
    names: Columns = {"design": lambda row: row.published["design"], **OF_FMLM}
    table = _cycles("6", rows, names, "cycles", "cycles_worst", request)
    bars = {f"{row.published['design']}, {row.width}": row for row in rows}
    return [table], [_cycles_chart("Cycles of FMLM", "design", bars, "cycles_worst")]


def _cycles(
    number: str, rows: Iterable[Row], names: Columns, ours: str, printed: str, request: Request
) -> Table:
    """Return the core's cycles, which a run of the RTL had, beside the column ``printed``."""
    samples = request.samples or SAMPLES

    def checked(row: Row) -> int:
        correct_cycles(row.chosen, samples=samples, seed=request.seed, workers=1)
        return row.core_cycles

    columns: Columns = {
        **names,
        ours: checked,
        "paper": lambda row: row.published[printed],
        "difference %": lambda row: _difference(row.core_cycles, row.published[printed]),
        "operations": lambda _: samples,
    }
    return Table.of(f"Table {number}: cycles", rows, columns, PAPER.notes(number))


def _cycles_chart(title: str, axis: str, bars: dict[str, Row], printed: str) -> Chart:
    measured = tuple(Point(label, float(row.core_cycles)) for label, row in bars.items())
    published = tuple(
        Point(label, row.published[printed])
        for label, row in bars.items()
        if row.published[printed]
    )
    return Chart(title, "bar", axis, "cycles", (("measured", measured), ("published", published)))


def _difference(cycles: int, published: int | None) -> float | None:
    return round(100 * (cycles / published - 1), 2) if published else None


def table5(request: Request) -> Part:
    """Return Table 5: a decryption by FMLE, with an exponent as long as the modulus, and others."""
    rows = [
        row
        for row in _exponentiators(request)
        if not row.published["spa"] and row.width in TABLE_5_BITS
    ]
    cycles = {row.width: _decryption(row.chosen) for row in rows}

    def by_formula(row: Row) -> int:
        return int((row.width + 2) * row.published["cycles_per_fmlm"])

    table = Table.of(
        "Table 5: cycles of a decryption",
        rows,
        {
            "key bits": lambda row: row.width,
            "cycles": lambda row: cycles[row.width],
            "paper, eq. 26": by_formula,
            "difference %": lambda row: _difference(cycles[row.width], by_formula(row)),
            "paper, time / period": lambda row: round(
                row.published["dec_ms"] * 1e6 / row.published["period_ns"]
            ),
        },
        PAPER.notes("5"),
    )
    periods = {row.width: row.published["period_ns"] for row in rows}
    return [table, _others({n: round(cycles[n] * periods[n] / 1e6, 2) for n in cycles})], []


def _decryption(base: Core) -> int:
    """Return the cycles of an operation with an exponent as long as the modulus."""
    bits = base.contract.width
    native = base.replace(exponent_bits=bits).with_form(NATIVE)
    legal = native.contract.modulus.is_legal
    n = next(n for n in range((1 << bits) - 1, 0, -1) if legal(n))
    return native.cycles(x=1, e=1 << bits - 1, e_len=bits, n=n)


def _others(times: dict[int, float]) -> Table:
    """Return the rows of Table 5 as printed, with ``times`` in ms of ours by key bits."""
    rows: list[tuple[Cell, ...]] = []
    for row in PAPER.rows("table5_exponentiators"):
        bits, area_um2 = row["key_bits"], row.pop("area_um2")
        if area_um2 is not None:
            row["luts"] = f"{area_um2:,} um2"
        if bits in times:
            rows.append(tuple(row.values()))
            if row["design"] == "FMLE":
                rows.append((bits, "fmle, ours", None, None, None, times[bits], None, None))
    columns = (
        *("key bits", "design", "device", "LUTs", "slices", "latency ms", "LUTs x s"),
        "slices x s",
    )
    notes = tuple(PAPER.notes("5-others"))
    return Table("Table 5: other designs", columns, tuple(rows), notes)


@dataclass(frozen=True)
class Resources:
    """The resources of a row's native form on a target, and the paper's memory blocks."""

    row: Row
    target: Fpga
    used: dict[str, int]
    blocks: float | None

    @property
    def luts(self) -> int:
        """LUTs, with those of carry and RAM cells."""
        return used_luts(self.target.kind, self.used)


def table4_resources(request: Request) -> Part:
    """Return the resources of Table 4: those of FMLE's native form, from synthesis."""
    pairs = [(row, row.chosen.replace(exponent_bits=0)) for row in _exponentiators(request)]
    return _resource_part("FMLE", "4", OF_FMLE, pairs, request)


def table6_resources(request: Request) -> Part:
    """Return the resources of Table 6: those of FMLM's native form, from synthesis."""
    pairs = [(row, row.chosen) for row in _multipliers(request)]
    return _resource_part("FMLM", "6", OF_FMLM, pairs, request)


def _resources(row: Row, chosen: Core, target: str) -> Resources:
    device = find_target(target)
    assert isinstance(device, Fpga)
    cells = synthesize(chosen.with_form(NATIVE).hardware, device, ResultStore())["cells"]
    blocks = row.published["ram36"]
    if halves := row.published.get("ram18"):
        blocks += halves / 2
    return Resources(row, device, count_resources(device.kind, cells), blocks)


def _resource_part(
    name: str, number: str, names: Columns, pairs: Sequence[tuple[Row, Core]], request: Request
) -> Part:
    """Return a table of resources, with ``names`` of its rows, and a chart of their LUTs."""
    found = [
        _resources(row, chosen, target)
        for target in request.targets or RESOURCE_TARGETS
        for row, chosen in pairs
    ]

    def of_row(value: Callable[[Row], Cell]) -> Callable[[Resources], Cell]:
        return lambda each: value(each.row)

    columns: dict[str, Callable[[Resources], Cell]] = {
        "target": lambda each: each.target.name,
        **{name: of_row(value) for name, value in names.items()},
        "LUT": lambda each: each.luts,
        "LUT, paper": of_row(lambda row: row.published["luts"]),
        "FF": lambda each: each.used["ff"],
        "DSP": lambda each: each.used["dsp"],
        "DSP, paper": of_row(lambda row: row.published["dsp"]),
        "BRAM": lambda each: each.used["bram"],
        "BRAM, paper": lambda each: each.blocks,
        "LUT RAM": lambda each: each.used["lut_ram"],
        "more than the device has": lambda each: (
            ", ".join(name.upper() for name in lacking(each.target, each.used)) or None
        ),
    }
    title = f"Table {number}: resources"
    table = Table.of(title, found, columns, PAPER.notes(f"{number}-resources"))
    series: dict[str, dict[str, Point]] = {}
    for each in found:
        label = ", ".join(str(value(each.row)) for value in names.values())
        series.setdefault(each.target.name, {})[label] = Point(label, float(each.luts))
        if printed := each.row.published["luts"]:
            series.setdefault("published, Virtex-6", {})[label] = Point(label, printed)
    bars = tuple((name, tuple(points.values())) for name, points in series.items())
    return [table], [Chart(f"LUTs of {name}", "bar", "key bits", "LUTs", bars)]


REPRODUCERS = {
    "2": Reproducer(table2),
    "3": Reproducer(table3),
    "4": Reproducer(table4, takes=("widths", "samples")),
    "4-resources": Reproducer(table4_resources, FPGAS, ("widths",)),
    "5": Reproducer(table5, takes=("widths",)),
    "6": Reproducer(table6, takes=("widths", "samples")),
    "6-resources": Reproducer(table6_resources, FPGAS, ("widths",)),
}
