# SPDX-License-Identifier: Apache-2.0
"""Reproduction of Dai, Chen, Cheung, Koc (2018): Tables 2, 3, cycles and resources of 4 to 6."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from montforge.arch import Core
from montforge.hardware.forms import NATIVE
from montforge.measure import Fpga, find_target
from montforge.measure.fpga import count_resources, lacking, synthesize, used_luts
from montforge.papers.data import paper
from montforge.papers.reproduction import FPGAS, Part, Reproducer, Request
from montforge.programs.fft.parameters import ParameterSet, published_sets
from montforge.programs.fft.transform import Counter, Fmlm
from montforge.report.chart import Chart, Point
from montforge.report.table import Cell, Table
from montforge.verify import correct_cycles
from montforge.work.cache import ResultStore

NAME = "dai2018"
TITLE = "Reproduction of Dai, Chen, Cheung, Koç (2018)"
SAMPLES = 20
COUNTED = ParameterSet(20, 8, 16, 40)
"""The set that operations are counted with; counts depend on its s alone."""
EXPONENT_BITS = 40
"""Bits of the exponent, half of them ones, that the operations of FMLE are counted with."""


def table2(request: Request) -> Part:
    """Return Table 2: operations counted by an instrumented model, beside the published ones."""
    published = {row["algorithm"]: row for row in paper(NAME).rows("table2_operation_counts")}
    rows: list[tuple[Cell, ...]] = []
    for all_at_once, suffix in ((False, ""), (True, " all-at-once")):
        for form in ("general", "squaring", "common"):
            label = {
                "general": "FMLM",
                "squaring": "FMLM squaring",
                "common": "FMLM common-multiplicand",
            }[form]
            row = published.get(f"{label}{suffix}", {})
            rows.append(
                _counts(f"{label}{suffix}", _multiplication(form, all_at_once), row, bits=0)
            )
        label = f"FMLE{suffix}"
        rows.append(_counts(label, _exponentiation(all_at_once), published[label], EXPONENT_BITS))
    columns = (
        *("algorithm", "transforms", "transforms, paper", "products", "products, paper"),
        *("additions", "additions, paper", "long additions", "long additions, paper"),
    )
    notes = (
        f"Counted with s = {COUNTED.s}; FMLE with {EXPONENT_BITS} bits of exponent (t in the"
        " paper's formulas), half of them ones, right to left: an iteration squares, and"
        " multiplies by a common multiplicand for a bit 1.",
        "The ladder, which Table 2 leaves out, takes two squarings' transforms for each bit.",
    )
    return [Table("Table 2: operations", columns, tuple(rows), notes)], []


def _multiplication(form: str, all_at_once: bool) -> Counter:
    found = Fmlm(_set(all_at_once), 1000003)
    if form == "general":
        found.general(12345, 67890)
    elif form == "squaring":
        found.squaring(67890)
    else:
        found.common(67890, *found.common_multiplicand(12345))
    return found.count


def _exponentiation(all_at_once: bool) -> Counter:
    found = Fmlm(_set(all_at_once), 1000003)
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


def _set(all_at_once: bool) -> ParameterSet:
    chosen = COUNTED
    return ParameterSet(chosen.width, chosen.u, chosen.s, chosen.ring_bits, all_at_once)


def _counts(label: str, count: Counter, row: dict[str, Cell], bits: int) -> tuple[Cell, ...]:
    s = COUNTED.s
    return (
        label, count.transforms, _text(row, "ffts"),
        f"{count.products // s}s", _text(row, "pointwise_mul"),
        f"{count.additions // s}s", _text(row, "pointwise_add"),
        count.long_additions, _text(row, "long_additions"),
    )  # fmt: skip


def _text(row: dict[str, Cell], column: str) -> str | None:
    return str(row[column]) if column in row else None


def table3(request: Request) -> Part:
    """Return Table 3: the published parameter sets, derived again, with their slack."""
    rows: list[tuple[Cell, ...]] = []
    for row in paper(NAME).rows("table3_parameters"):
        found = next(
            p for p in published_sets(row["key_bits"]) if (p.u, p.s) == (row["u"], row["s"])
        )
        same = (
            found.l == row["l"]
            and float(found.c) == row["c"]
            and f"2^{found.ring_bits}+1" == row["q"]
            and str(found.omega) == row["omega"]
            and found.all_at_once == row["all_at_once"]
        )
        rows.append(
            (
                row["key_bits"], found.u, found.s, str(found.c), f"2^{found.ring_bits} + 1",
                str(found.omega), row["phi"], "yes" if found.all_at_once else "no",
                round(found.slack, 1), round(found.slack_all_at_once, 1),
                "yes" if same else "no", "legal" if not found.violations() else "illegal",
            )
        )  # fmt: skip
    columns = (
        "key bits", "u", "s", "c", "q", "omega", "phi", "all at once", "slack", "slack at once",
        "as printed", "conditions",
    )  # fmt: skip
    notes = (
        "Derived by the procedure of Section 5.2; slack in bits of eq. 16 and eq. 23.",
        'The printed phi "4/3" of three rows is 4.',
    )
    return [Table("Table 3: parameter sets", columns, tuple(rows), notes)], []


def table4(request: Request) -> Part:
    """Return the cycles of Table 4: those of an iteration of FMLE, from runs of the RTL."""
    rows: list[tuple[Cell, ...]] = []
    ours, theirs = [], []
    for row, base in _exponentiators(request):
        protection = "ladder" if row["spa"] else "none"
        chosen = base.replace(protection=protection)
        cells = _checked(chosen, row["cycles_per_fmlm"], request)
        rows.append((row["key_bits"], protection, *cells))
        if not row["spa"]:
            label = str(row["key_bits"])
            ours.append(Point(label, float(str(cells[0]))))
            theirs.append(Point(label, row["cycles_per_fmlm"]))
    columns = ("key bits", "protection", "cycles for a bit", "paper", "difference %", "operations")
    notes = (
        "From the schedule of the micro-program, which a run of the RTL with exponents of 0 to 2"
        " bits had in each of its operations; the paper's count includes nothing else.",
    )
    chart = _cycles_chart("Cycles of FMLE for a bit of the exponent", "key bits", ours, theirs)
    return [Table("Table 4: cycles", columns, tuple(rows), notes)], [chart]


def table5(request: Request) -> Part:
    """Return Table 5: a decryption by FMLE, with an exponent as long as the modulus, and others."""
    rows: list[tuple[Cell, ...]] = []
    times: dict[int, float] = {}
    for row, base in _exponentiators(request):
        if row["spa"] or row["key_bits"] not in TABLE_5_BITS:
            continue
        bits = row["key_bits"]
        whole = base.replace(exponent_bits=bits)
        native = whole.with_form(NATIVE)
        cycles = native.cycles(x=1, e=1 << bits - 1, e_len=bits, n=_modulus(whole))
        published = (bits + 2) * row["cycles_per_fmlm"]
        printed = round(row["dec_ms"] * 1e6 / row["period_ns"])
        times[bits] = round(cycles * row["period_ns"] / 1e6, 2)
        rows.append((bits, cycles, published, _difference(cycles, published), printed))
    columns = ("key bits", "cycles", "paper, eq. 26", "difference %", "paper, time / period")
    notes = (
        "From the cycle model; `python scripts/verify_fft.py powers` has runs of whole"
        " exponentiations in RTL with these counts.",
    )
    cycles_table = Table("Table 5: cycles of a decryption", columns, tuple(rows), notes)
    return [cycles_table, _other_exponentiators(times)], []


def _other_exponentiators(times: dict[int, float]) -> Table:
    """Return the rows of Table 5 as printed, with ``times`` in ms of ours by key bits."""
    rows: list[tuple[Cell, ...]] = []
    for row in paper(NAME).rows("table5_exponentiators"):
        bits = row["key_bits"]
        if bits in times:
            rows.append(tuple(row.values()))
            if row["design"] == "FMLE":
                rows.append((bits, "fmle, ours", None, None, None, times[bits], None, None))
    columns = (
        *("key bits", "design", "device", "LUTs", "slices", "latency ms", "LUTs x s"),
        "slices x s",
    )
    notes = (
        "As printed, each design on its own device; * speculated by the paper from the growth of"
        " smaller sizes.",
        "fmle, ours: our cycles at the paper's period of Table 4; resources are in Table 4:"
        " resources.",
    )
    return Table("Table 5: other designs", columns, tuple(rows), notes)


def _exponentiators(request: Request) -> Iterator[tuple[dict[str, Any], Core]]:
    """Yield the rows of Table 4 that are asked for, with our design without protection."""
    for row in paper(NAME).rows("table4_fmle_virtex6_speed3"):
        width = row["key_bits"]
        if not request.widths or width in request.widths:
            entry = paper(NAME).design(f"FMLE {width}")
            assert entry is not None
            yield row, entry.at_width(width)


def _modulus(chosen: Core) -> int:
    """Return the largest legal modulus."""
    top = (1 << chosen.contract.width) - 1
    return next(n for n in range(top, 0, -1) if chosen.contract.modulus.is_legal(n))


def _difference(cycles: int, published: int | None) -> float | None:
    return round(100 * (cycles / published - 1), 2) if published else None


def _cycles_chart(title: str, axis: str, ours: list[Point], theirs: list[Point]) -> Chart:
    measured, published = ("measured", tuple(ours)), ("published", tuple(theirs))
    return Chart(title, "bar", axis, "cycles", (measured, published))


def table6(request: Request) -> Part:
    """Return the cycles of Table 6: those of FMLM, from runs of the RTL."""
    rows: list[tuple[Cell, ...]] = []
    ours, theirs = [], []
    for row, base in _multipliers(request):
        width = base.contract.width
        cells = _checked(base, row["cycles_worst"], request)
        rows.append((row["design"], width, *cells))
        label = f"{row['design']}, {width}"
        ours.append(Point(label, float(str(cells[0]))))
        if row["cycles_worst"]:
            theirs.append(Point(label, row["cycles_worst"]))
    columns = ("design", "key bits", "cycles", "paper", "difference %", "operations")
    notes = (
        "Cycles of the core, without the s/4 in which the parallel form loads operands, from runs"
        " of the RTL in which each operation had the schedule's count.",
        "7680 bits are not in the paper's table; its parameters are those of Table 4.",
        "4224: no in-order schedule with this FFT operator comes nearer to the published count.",
    )
    chart = _cycles_chart("Cycles of FMLM", "design", ours, theirs)
    return [Table("Table 6: cycles", columns, tuple(rows), notes)], [chart]


def _multipliers(request: Request) -> Iterator[tuple[dict[str, Any], Core]]:
    """Yield the rows of FMLM in Table 6 and beyond that are asked for, with our design."""
    facts, printed = paper(NAME).facts, paper(NAME).rows("table6_fmlm_virtex6_speed1")
    rows = [(facts["key_bits"].get(str(row["l"])), row) for row in printed]
    # Where the paper has no row, its columns are empty.
    empty = dict.fromkeys(printed[0])
    for width, label in facts["table6_beyond"].items():
        rows.append((int(width), {**empty, "design": label}))
    for width, row in rows:
        entry = paper(NAME).design(row["design"])
        if entry is not None and (not request.widths or width in request.widths):
            yield row, entry.at_width(width)


TABLE_5_BITS = (1024, 2048, 4096, 7680)
RESOURCE_TARGETS = ("xcup", "ecp5-85k")
RESOURCE_COLUMNS = (
    *("LUT", "LUT, paper", "FF", "DSP", "DSP, paper", "BRAM", "BRAM, paper", "LUT RAM"),
    "more than the device has",
)
RESOURCE_NOTES = (
    "Native forms (`montforge measure --form native --seeds 0`, which refuses what the device has"
    " not): the core without the registers of the parallel ports.",
    "The paper's are of a Virtex-6, placed: LUTs of six inputs, RAM36 (a RAM18 counted half),"
    " DSP48E1. xcup has DSP48E2, and RAMB18 and RAMB36, counted alike; ECP5 LUTs of four"
    " inputs, MULT18X18D, and blocks of 18 kbit.",
)


def table4_resources(request: Request) -> Part:
    """Return the resources of Table 4: those of FMLE's native form, from synthesis."""
    found: list[_Resources] = []
    for target in request.targets or RESOURCE_TARGETS:
        for row, base in _exponentiators(request):
            protection = "ladder" if row["spa"] else "none"
            chosen = base.replace(protection=protection, exponent_bits=0)
            blocks = row["ram36"] + row["ram18"] / 2
            label = (target, row["key_bits"], protection)
            found.append(_Resources(label, row["luts"], _resources(chosen, target, row, blocks)))
    columns = ("target", "key bits", "protection", *RESOURCE_COLUMNS)
    notes = (*RESOURCE_NOTES, "The exponent is a port, in the paper a memory.")
    return _resource_part("FMLE", "Table 4: resources", columns, found, notes)


def table6_resources(request: Request) -> Part:
    """Return the resources of Table 6: those of FMLM's native form, from synthesis."""
    found = [
        _Resources(
            (target, base.contract.width), row["luts"], _resources(base, target, row, row["ram36"])
        )
        for target in request.targets or RESOURCE_TARGETS
        for row, base in _multipliers(request)
    ]
    columns = ("target", "key bits", *RESOURCE_COLUMNS)
    return _resource_part("FMLM", "Table 6: resources", columns, found, RESOURCE_NOTES)


class _Resources(NamedTuple):
    """A row of a table of resources: target and other labels, published LUTs, the rest."""

    label: tuple[Cell, ...]
    luts: int | None
    cells: tuple[Cell, ...]


def _resource_part(
    name: str,
    title: str,
    columns: tuple[str, ...],
    found: list[_Resources],
    notes: tuple[str, ...],
) -> Part:
    series: dict[str, dict[str, Point]] = {}
    for row in found:
        label = ", ".join(str(cell) for cell in row.label[1:])
        target = str(row.label[0])
        series.setdefault(target, {})[label] = Point(label, float(str(row.cells[0])))
        if row.luts:
            series.setdefault("published, Virtex-6", {})[label] = Point(label, row.luts)
    bars = tuple((name, tuple(points.values())) for name, points in series.items())
    chart = Chart(f"LUTs of {name}", "bar", "key bits", "LUTs", bars)
    rows = tuple((*row.label, *row.cells) for row in found)
    return [Table(title, columns, rows, notes)], [chart]


def _resources(
    chosen: Core, target: str, row: dict[str, Any], blocks: float | None
) -> tuple[Cell, ...]:
    device = find_target(target)
    assert isinstance(device, Fpga)
    cells = synthesize(chosen.with_form(NATIVE).hardware, device, ResultStore())["cells"]
    found = count_resources(device.kind, cells)
    return (
        used_luts(device.kind, found), row["luts"], found["ff"], found["dsp"], row["dsp"],
        found["bram"], blocks, found["lut_ram"],
        ", ".join(name.upper() for name in lacking(device, found)) or None,
    )  # fmt: skip


def _checked(chosen: Core, published: int | None, request: Request) -> tuple[Cell, ...]:
    """Return the core's cycles after a run of the RTL that had them, and the published ones."""
    samples = request.samples or SAMPLES
    correct_cycles(chosen, samples=samples, seed=request.seed, workers=1)
    core = chosen.core_cycles
    assert core is not None
    return core, published, _difference(core, published), samples


REPRODUCERS = {
    "2": Reproducer(table2),
    "3": Reproducer(table3),
    "4": Reproducer(table4, takes=("widths", "samples")),
    "4-resources": Reproducer(table4_resources, FPGAS, ("widths",)),
    "5": Reproducer(table5, takes=("widths",)),
    "6": Reproducer(table6, takes=("widths", "samples")),
    "6-resources": Reproducer(table6_resources, FPGAS, ("widths",)),
}
