# SPDX-License-Identifier: Apache-2.0
"""Write docs/results.md: measured figures of designs on targets, with the commands.

    python scripts/measured_figures.py

Everything comes from `montforge.measure.measure` and `montforge.measure_cycles`; a target whose
library or tool is missing is named in the page.
"""

from __future__ import annotations

import sys
from datetime import date
from pathlib import Path

from montforge import Measurement, MontforgeError, design
from montforge.measure import measure
from montforge.papers import published_cycles
from montforge.report import Table
from montforge.verify import correct_cycles, mean_latency

PAGE = Path(__file__).parents[1] / "docs" / "results.md"
SAMPLES = 2000
SEED = 1
CELL_TARGETS = ("osu018", "nangate45", "sky130hd")
CELL_DESIGNS = (("mm_r2", 256), ("scs_mm_new", 256), ("scs_mm_new", 1024))
FPGA_ROWS = (
    ("ecp5-85k", "mm_r2", 256),
    ("ecp5-85k", "scs_mm_new", 256),
    ("xcup", "mm_r2", 256),
    ("xcup", "scs_mm_new", 256),
    ("xcup", "scs_mm_new", 1024),
)
INTRODUCTION = """# Measured figures

Made by `python scripts/measured_figures.py` on {today}, which runs the commands in the tables. See
[Method of measurement](measurement.md) for what the figures are worth: cell area and zero-layout
timing compare designs within one library; they are not sign-off, and areas of different libraries
are not comparable.

"""


def measured(target: str, name: str, width: int, missing: list[str]) -> Measurement | None:
    """Return the measurement, or None and a line in ``missing``."""
    chosen = design(name, width=width)
    print(f"{chosen} on {target} ...", file=sys.stderr, flush=True)
    try:
        return measure(chosen, target, cycles=mean_latency(chosen, samples=SAMPLES))
    except MontforgeError as error:
        missing.append(f"{chosen} on {target}: {error}")
        return None


def cycle_table() -> Table:
    """Return cycles from the RTL beside the papers'."""
    rows = []
    for name, width in (
        ("mm_r2", 1024),
        ("scs_mm_new", 256),
        ("scs_mm_new", 1024),
        ("scs_mm_new", 2048),
    ):
        chosen = design(name, width=width)
        report = correct_cycles(chosen, samples=SAMPLES, seed=SEED)
        published = ", ".join(f"{r['cycles']} ({r['paper']})" for r in published_cycles(chosen))
        rows.append(
            (
                name,
                width,
                report.minimum,
                report.mean,
                report.maximum,
                report.model_mismatches,
                published or None,
                f"`montforge cycles {name} -p width={width} --samples {SAMPLES} --seed {SEED}`",
            )
        )
    columns = ("design", "width", "min", "mean", "max", "differ from model", "paper", "command")
    note = (
        "Latency as the contract counts it: edges from acceptance to the one that loads the final"
        " result. The operand load is the acceptance edge; rsp_valid_o of scs_mm_new is high one"
        " cycle later, and its next request can be accepted two cycles after that."
    )
    return Table(f"Cycles over {SAMPLES} random operations", columns, tuple(rows), (note,))


def cell_table(target: str, missing: list[str]) -> Table:
    """Return figures on a standard-cell target."""
    rows = []
    notes: list[str] = []
    for name, width in CELL_DESIGNS:
        result = measured(target, name, width, missing)
        if result is None:
            continue
        load = result.wire_load or {}
        path = result.critical_path or {}
        rows.append(
            (
                name,
                width,
                result.area_um2,
                result.area_registers,
                result.period_ns,
                load.get("period_without"),
                result.cycles,
                result.time,
                None if result.area_time is None else result.area_time / 1e6,
                f"{path.get('start')} -> {path.get('end')}",
                f"`{result.command}`",
            )
        )
        if not notes:
            tools = ", ".join(f"{key} {value}" for key, value in result.tools.items())
            notes = [f"Wire-load model of the library: {load.get('model') or 'none'}.", tools]
    columns = (
        "design", "width", "area um2", "registers um2", "period ns", "no wires", "cycles",
        "time ns", "mm2 ns", "critical path", "command",
    )  # fmt: skip
    return Table(f"Standard cells: {target}", columns, tuple(rows), tuple(notes))


def fpga_table(missing: list[str]) -> Table:
    """Return resources and clock on FPGAs."""
    rows = []
    for target, name, width in FPGA_ROWS:
        result = measured(target, name, width, missing)
        if result is None:
            continue
        counts = ", ".join(f"{key} {n}" for key, n in (result.resources or {}).items() if n)
        seeds = ", ".join(f"{row['fmax_mhz']:.1f}" for row in result.sweep)
        rows.append(
            (
                target,
                name,
                width,
                counts,
                result.fmax_mhz,
                seeds or None,
                result.cycles if result.time else None,
                result.time,
                f"`{result.command}`",
            )
        )
    columns = (
        "target", "design", "width", "resources", "Fmax MHz (median)", "Fmax of each seed",
        "cycles", "time ns", "command",
    )  # fmt: skip
    notes = ("xcup: UltraScale+ synthesis for resource counts; no timing.",)
    return Table("FPGA", columns, tuple(rows), notes)


def main() -> None:
    """Measure everything and write the page."""
    missing: list[str] = []
    tables = [cycle_table(), *(cell_table(target, missing) for target in CELL_TARGETS)]
    tables.append(fpga_table(missing))
    text = INTRODUCTION.format(today=date.today().isoformat())
    text += "\n".join(table.to_markdown() for table in tables)
    if missing:
        text += "\n### Not measured\n\n" + "".join(f"- {line}\n" for line in missing)
    PAGE.write_text(text)


if __name__ == "__main__":
    main()
