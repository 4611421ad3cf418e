# SPDX-License-Identifier: Apache-2.0
"""Print RSA-size exponentiations over all closed multipliers, as Markdown.

    python scripts/modexp_table.py
    python scripts/modexp_table.py --target ecp5-85k [--width 512] [--minutes 12] [--seeds 1]
        [--only NAME ...] [--table block] [--stored]

Private: an exponent as long as the modulus, window of 5 bits, or (multipliers whose latency
depends on data) bounds. Public: 65537 by f4. Every count is `montforge.power_cycles`.

With a target the whole exponentiator (the private one) is measured there over each multiplier:
area, period, times, at quick effort on cells, with the median of ``--seeds`` placements and, with
``--table block``, the table in block RAM (of turns long enough for it) on an FPGA. The multiplier
is measured alone, too; ``path`` says where the whole's longest path begins and ends: in the
multiplier, or in the chain around it. A row is printed and stored when it ends, so that an
interrupted run goes on; a design that one tool doesn't end in ``--minutes`` of processor time, or
that does not fit the device, has the reason in its row. With ``--stored`` nothing is measured. Over
multipliers whose latency depends on data a turn is the mean of random products.
"""

from __future__ import annotations

import argparse
import resource
from functools import partial
from typing import Any

from montforge import power_cycles
from montforge.arch.modexp import AUTO, BLOCK, BLOCK_TURN, Modexp
from montforge.contract import Cycles
from montforge.errors import ParameterError, ToolFailedError
from montforge.hardware.fpga import Fpga
from montforge.measure import find_target, measure
from montforge.measure.fpga import used_luts
from montforge.measure.sweep import design_key
from montforge.verify import mean_latency
from montforge.work.cache import ResultStore, content_hash

MULTIPLIERS: tuple[tuple[str, dict[str, object]], ...] = (
    ("tenca_koc", {}),
    ("eberle", {}),
    ("scs_mm1", {}),
    ("scs_mm2", {}),
    ("fios_dsp", {"variant": "unit"}),
    ("unit_dsp", {}),
    ("scs_mm_ct", {}),
    ("booth_csa", {"radix": 64, "pipeline": 1}),
    ("scs_mm_skip", {}),
    ("mm_r2", {}),
    ("scs_mm", {}),
    ("fcs_mm1", {}),
    ("fcs_mm2", {}),
    ("fcs_mmm42", {}),
    ("scs_mm_new", {}),
    ("mscs_mm", {}),
    ("bunimov", {}),
    ("zhengbing", {}),
    ("grossschaedl", {}),
    ("booth_csa", {"radix": 4}),
    ("booth_csa", {"radix": 16}),
    ("unit_csa", {"result": "signed"}),
    ("unit_chain", {}),
    ("orup", {}),
    ("fios_systolic", {}),
    ("mlws", {}),
    ("mlm", {}),
    ("fmlm", {}),
    ("three_pass", {}),
    ("karatsuba", {}),
    ("mcivor", {}),
    ("rmm", {}),
    ("full_pipelined", {}),
    ("full_parallel", {}),
)
"""All that are closed for every modulus, the cheaper ones to measure first."""
WIDTHS = (1024, 2048, 4096)
ON_ECP5: dict[str, dict[str, object]] = {
    "fios_dsp": {"mac": "ecp5", "word_width": 18},
    "unit_dsp": {"multiplier": "ecp5"},
}
"""Parameters that take the device's blocks."""
ADDER = {"unit_dsp": 64}
"""Where results are too far above n for the default word of the subtraction."""
SAMPLES = 200
INSIDE = ".u_multipliers."
"""In the names of the multiplier's registers."""


def exponentiator(name: str, given: dict[str, object], width: int, **chosen: object) -> Modexp:
    """Return the exponentiator over a multiplier."""
    part = {f"multiplier.{key}": value for key, value in given.items()}
    adder = {"adder": ADDER[name]} if name in ADDER else {}
    return Modexp.of(width=width, multiplier=name, **adder, **part, **chosen)


def label(name: str, given: dict[str, object]) -> str:
    """Return the name of a multiplier with the parameters that were chosen."""
    return " ".join([name, *(f"{key}={value}" for key, value in given.items())])


def text(cycles: Cycles) -> str:
    """Return a count, or its bounds, in thousands."""
    if cycles.is_fixed:
        return f"{cycles.minimum / 1e3:,.1f}"
    return f"{cycles.minimum / 1e3:,.1f} to {cycles.maximum / 1e3:,.1f}"


def cycles_table() -> str:
    """Return turns and cycles at three widths, as Markdown."""
    heads = [f"{width}: T, private, public" for width in WIDTHS]
    lines = [f"| multiplier | {' | '.join(heads)} | class |", "| --- " * (2 + len(WIDTHS)) + "|"]
    for name, given in MULTIPLIERS:
        cells = []
        for width in WIDTHS:
            private = power_cycles(exponentiator(name, given, width, algorithm="window", w=5))
            public = power_cycles(exponentiator(name, given, width, algorithm="f4"))
            turn = private.turn
            turns = str(turn.maximum) if turn.is_fixed else f"{turn.minimum}..{turn.maximum}"
            cells.append(f"{turns}; {text(private.cycles)}; {text(public.cycles)}")
        lines.append(f"| {label(name, given)} | {' | '.join(cells)} | {private.leakage} |")
    return "\n".join(lines)


CHAINS: tuple[tuple[str, dict[str, object], int, tuple[int, ...]], ...] = (
    ("rmm", {"k": 4, "m": 4, "variant": "fast", "contexts": 2}, 5, (2,)),
    ("rmm", {"k": 16, "m": 8, "multiplier": "booth", "stages": 2, "contexts": 2}, 5, (2,)),
    ("fios_dsp", {"variant": "unit"}, 5, (2,)),
    ("fios_dsp", {"variant": "unit", "array": "expanded"}, 5, (2, 4)),
    ("fios_dsp", {"variant": "published", "array": "expanded"}, 5, (2, 5)),
    ("fios_dsp", {"variant": "fast", "array": "expanded"}, 5, (2, 5)),
    ("full_pipelined", {}, 5, (2,)),
    ("full_pipelined", {}, 4, (2, 6)),
)
"""Multipliers whose interval is below a turn, bits of a digit, and numbers of chains."""


def chains_table() -> str:
    """Return the cycles of chains in turn on one multiplier of 1024 bits, as Markdown."""
    heads = ("multiplier, 1024 bits", "w", "T", "II", "chains", "one after the other", "in turn")
    lines = [f"| {' | '.join(heads)} | multiplier's work |", "| --- " * 8 + "|"]
    for name, given, w, numbers in CHAINS:
        build = partial(exponentiator, name, given, 1024, algorithm="window", w=w)
        alone = build()
        interval = alone.multiplier.contract.interval.minimum
        for chains in numbers:
            together = build(chains=chains)
            counts = (w, power_cycles(alone).turn.minimum, interval, chains)
            cycles = (chains * alone.contract.interval.maximum, together.round_cycles)
            cells = (label(name, given), *counts, *(f"{count:,}" for count in cycles))
            share = 100 * power_cycles(together).utilisation
            lines.append(f"| {' | '.join(map(str, cells))} | {share:.1f}% |")
    return "\n".join(lines)


def expected(whole: Modexp) -> float:
    """Return the cycles of a power with the longest exponent; turns of the mean latency, if any."""
    planned = power_cycles(whole)
    if planned.turn.is_fixed:
        return planned.cycles.maximum
    part = whole.multiplier
    turn = mean_latency(part, samples=SAMPLES, workers=1) + part.contract.handover + 2
    return planned.turns.maximum * turn


def processor_seconds() -> float:
    """Return the processor time of this process and its ended children."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(usage.ru_utime + usage.ru_stime for usage in used)


def figures(whole: Modexp, target: str, minutes: float, seeds: int) -> dict[str, Any]:
    """Return the figures of an exponentiator on a target, or the ``reason`` why there are none.

    A tool's processor time is limited by that of this process from now on, which it inherits.
    """
    before = processor_seconds()
    own = resource.getrusage(resource.RUSAGE_SELF)
    limit = int(own.ru_utime + own.ru_stime + 60 * minutes)
    hard = resource.getrlimit(resource.RLIMIT_CPU)[1]
    resource.setrlimit(resource.RLIMIT_CPU, (limit, hard))
    fpga = isinstance(find_target(target), Fpga)
    options: dict[str, Any] = {"seeds": seeds} if fpga else {"effort": "quick"}
    try:
        row = measure(whole, target, workers=1, **options)
        alone = measure(whole.multiplier, target, workers=1, **options)
    except ParameterError as error:
        found: dict[str, Any] = {"reason": str(error).split(" needs ")[1].split(";")[0]}
    except ToolFailedError as error:
        spent = processor_seconds() - before
        late = spent >= 60 * minutes
        reason = f"not ended in {minutes:g} processor minutes of one tool" if late else str(error)
        found = {"reason": reason}
    else:
        names = ("area", "area_registers", "period", "fmax_mhz", "resources")
        found = {name: getattr(row, name) for name in names}
        found["alone"] = alone.fmax_mhz if fpga else alone.period
        path = row.critical_path or {}
        ends = [INSIDE in path[end] for end in ("start", "end") if end in path]
        places = ["multiplier" if inside else "chain" for inside in ends]
        found["path"] = " to ".join(dict.fromkeys(places))
    return found


def print_measured(
    target: str,
    width: int,
    minutes: float,
    seeds: int,
    only: list[str],
    table: str,
    is_stored: bool,
) -> None:
    """Print the table of a target, of ``only`` these multipliers if any, a row when it is there."""
    fpga = isinstance(find_target(target), Fpga)
    area = ["LUTs", "flip-flops", "DSP, RAM", "MHz"] if fpga else ["um2", "registers um2", "ns"]
    heads = [*area, "alone", "path", "private, cycles", "ms", "public, cycles", "us"]
    print(f"| multiplier, {width} bits | {' | '.join(heads)} |")
    print(f"| --- |{' ---: |' * len(heads)}", flush=True)
    store = ResultStore()
    for name, given in MULTIPLIERS:
        if only and name not in only:
            continue
        blocks = ON_ECP5.get(name, {}) if fpga else {}
        build = partial(exponentiator, name, {**given, **blocks}, width)
        private, public = build(algorithm="window", w=5), build(algorithm="f4")
        if table == BLOCK and power_cycles(private).turn.minimum >= BLOCK_TURN:
            private = build(algorithm="window", w=5, table=table)
        key = content_hash("modexp table", design_key(private.hardware), target, minutes, seeds)
        row = store.get(key)
        if row is None and not is_stored:
            row = figures(private, target, minutes, seeds)
            store.put(key, "modexp table", row)
        if row is None:
            row = {"reason": "not measured"}
        cycles = {whole: expected(whole) for whole in (private, public)}
        print(line(label(name, given), row, cycles[private], cycles[public], fpga), flush=True)


def line(name: str, row: dict[str, Any], private: float, public: float, fpga: bool) -> str:
    """Return a row of the table."""
    if "reason" in row:
        cells = [row["reason"], *[""] * (5 if fpga else 4)]
        times = ["", ""]
    else:
        if fpga:
            found = row["resources"]
            counts = (used_luts("ecp5", found), found["ff"])
            cells = [f"{count:,}" for count in counts] + [f"{found['dsp']}, {found['bram']}"]
            cells += [f"{row['fmax_mhz']:.1f}", f"{row['alone']:.1f}"]
        else:
            cells = [f"{row['area']:,.0f}", f"{row['area_registers']:,.0f}"]
            cells += [f"{row['period']:.4f}", f"{row['alone']:.4f}"]
        cells += [row["path"]]
        period = row["period"]
        times = [f"{private * period / 1e6:.3f}", f"{public * period / 1e3:.2f}"]
    cells += [f"{private:,.0f}", times[0], f"{public:,.0f}", times[1]]
    return f"| {name} | {' | '.join(cells)} |"


def main() -> None:
    """Print the table that the options ask for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--target", help="measure on it, such as ecp5-85k or nangate45")
    parser.add_argument("--width", type=int, default=512)
    parser.add_argument("--minutes", type=float, default=12, help="of one tool, processor time")
    parser.add_argument("--seeds", type=int, default=1, help="placements on an FPGA")
    names = sorted({name for name, _ in MULTIPLIERS})
    parser.add_argument(
        "--only", nargs="+", default=[], choices=names, metavar="NAME", help="these multipliers"
    )
    parser.add_argument("--table", default=AUTO, choices=(AUTO, BLOCK), help="of the powers")
    parser.add_argument("--stored", action="store_true", help="print what is there, no more")
    arguments = parser.parse_args()
    if arguments.target is None:
        print(cycles_table())
    else:
        print_measured(
            arguments.target,
            arguments.width,
            arguments.minutes,
            arguments.seeds,
            arguments.only,
            arguments.table,
            arguments.stored,
        )


if __name__ == "__main__":
    main()
