# SPDX-License-Identifier: Apache-2.0
"""Exponentiators on an ECP5 whose multiplier is mapped with the rest, and on its own.

    python benchmarks/parts_mapped_alone.py

ABC maps logic in no less depth than the deepest path of what it is given needs: it makes all other
paths as deep as that one if this saves LUTs. Here the multiplier stays a module until its LUTs are
mapped; then the design is made flat, and placed. The script of synthesis is otherwise that of
`montforge measure`. MHz is the median of the placements.
"""

from __future__ import annotations

import statistics
import tempfile
from pathlib import Path

from ratios import label

from montforge.arch.modexp import Modexp
from montforge.hardware import Hardware
from montforge.hardware.fpga import Fpga, find_fpga
from montforge.hardware.yosys import read_design, run_yosys
from montforge.measure import yosys
from montforge.measure.fpga import count_resources, used_luts
from montforge.measure.nextpnr import choose_placer, place

TARGET, WIDTH, SEEDS = "ecp5-85k", 64, 3
MULTIPLIERS: tuple[tuple[str, dict[str, str | int]], ...] = (
    ("tenca_koc", {}),
    ("scs_mm_ct", {}),
    ("fios_dsp", {"variant": "unit", "mac": "ecp5", "word_width": 18}),
    ("booth_csa", {"radix": 4}),
    ("booth_csa", {"radix": 16}),
)
PART = "mf_modexp_multiplier"


def script(design: Hardware, target: Fpga, alone: bool) -> str:
    """Return the script that writes the netlist, the part on its own or not."""
    flat = yosys.fpga_script(design.top, target.family)
    if not alone:
        return f"{read_design(design)}\n{flat}"
    last = f"-run {target.family.registers}:"
    mapped = f"{target.family.synthesis} -top {design.top} {target.family.no_pads}"
    flatten = f"{last}check\nsetattr -mod -unset keep_hierarchy *\nflatten\nopt_clean -purge"
    check = f"{mapped} -run check:"
    return "\n".join(
        [
            read_design(design, keep_hierarchy=True),
            f"hierarchy -check -top {design.top}",
            f"setattr -mod -set keep_hierarchy 1 {PART}$*",
            flat.replace(f"{last}\n", f"{flatten}\n{check}\n"),
        ]
    )


def figures(design: Hardware, target: Fpga, alone: bool) -> tuple[int, float]:
    """Return the LUTs and the median of the clock frequencies in MHz."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        log = folder / "log"
        run_yosys(script(design, target, alone), log=log, timeout=3600, cwd=folder)
        cells = yosys.cell_counts(yosys.read_statistics(folder / yosys.STATISTICS))
        resources = count_resources(target.kind, cells)
        placer = choose_placer(sum(cells.values()), resources["dsp"])
        found = []
        for seed in range(1, SEEDS + 1):
            with tempfile.TemporaryDirectory() as scratch:
                netlist = folder / yosys.FPGA_NETLIST
                found.append(place(netlist, target, seed, placer, Path(scratch), log, {}))
    return used_luts(target.kind, resources), statistics.median(each.fmax_mhz for each in found)


def main() -> None:
    """Print the table."""
    target = find_fpga(TARGET)
    heads = ("LUTs", "MHz", "LUTs, on its own", "MHz, on its own")
    print(f"| multiplier, {WIDTH} bits | {' | '.join(heads)} |")
    print(f"| --- |{' ---: |' * len(heads)}", flush=True)
    for name, given in MULTIPLIERS:
        part = {f"multiplier.{key}": value for key, value in given.items()}
        whole = Modexp.of(width=WIDTH, multiplier=name, algorithm="window", w=5, **part).hardware
        cells = [label(name, given)]
        for alone in (False, True):
            luts, mhz = figures(whole, target, alone)
            cells += [f"{luts:,}", f"{mhz:.1f}"]
        print(f"| {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()
