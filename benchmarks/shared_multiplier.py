# SPDX-License-Identifier: Apache-2.0
"""Compare mapping rmm's digit multiplier once, for all of its instances, with mapping each.

    python benchmarks/shared_multiplier.py --width 128 --k 4 --m 4

A prototype, no part of `montforge measure`. ``flat``, as in that command: the design is flattened,
mapped with the script of quick effort at the least delay target and timed by OpenSTA. ``shared``
keeps one module for the multipliers until it is mapped, and flattens afterwards. Prints processor
seconds of synthesis and of OpenSTA, area and period.
"""

from __future__ import annotations

import resource
import subprocess
import tempfile
from pathlib import Path
from typing import Annotated

import typer

from montforge import design
from montforge.arch import Design
from montforge.hardware.liberty import with_no_wire_load
from montforge.hardware.yosys import read_design, run_yosys
from montforge.measure import StandardCells, find_target, yosys
from montforge.measure.opensta import parse_timing, timing_script
from montforge.work.tools import find_program

MULTIPLIER = "mf_digit_multiplier"
LOCAL_PARAMETERS = ("ProductW", "Rows", "TreeRows", "HalfRows")
LEAST_DELAY = 1


def scripts(chosen: Design, target: StandardCells, shared: bool) -> str:
    """Return the commands from the sources to the mapped netlist."""
    read = read_design(chosen.hardware)
    netlist = yosys.netlist_script(chosen.hardware.top, yosys.Variant(), target)
    mapping = yosys.mapping_script(target)
    if shared:
        parameters = chosen.hardware.parameters
        given = {
            "Width": -(-parameters["Width"] // parameters["K"]),
            "Structure": parameters["Multiplier"],
            "AdderStyle": parameters["AdderStyle"],
            "Stages": parameters["Stages"],
        }
        files = " ".join(f'"{path}"' for path in chosen.hardware.files)
        values = " ".join(f"-G {name}={value}" for name, value in given.items())
        unset = " ".join(f"-unset {name}" for name in (*given, *LOCAL_PARAMETERS))
        read += f""" --blackboxed-module {MULTIPLIER}
delete ={MULTIPLIER}
read_slang --top {MULTIPLIER} {values} {files}
setparam {unset} t:{MULTIPLIER}"""
        netlist = netlist.replace("\nflatten\n", "\n")
        mapping = mapping.replace("\nsplitnets\n", "\nflatten\nsplitnets\n")
    return f"{read}\n{netlist}\ndesign -reset\n{mapping}"


def processor_seconds() -> float:
    """Return the processor time of all tools that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def main(
    width: Annotated[int, typer.Option("--width")] = 128,
    k: Annotated[int, typer.Option("--k")] = 4,
    m: Annotated[int, typer.Option("--m")] = 4,
) -> None:
    """Print both ways."""
    chosen = design("rmm", width=width, k=k, m=m, variant="published", multiplier="booth")
    target = find_target("nangate45")
    assert isinstance(target, StandardCells)
    for shared in (True, False):
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            (folder / yosys.LIBERTY).write_text(with_no_wire_load(target.liberty))
            commands = target.effort.scripts[target.effort.probe]
            (folder / yosys.ABC_SCRIPT).write_text(yosys.abc_script(commands, LEAST_DELAY))
            (folder / yosys.CONSTRAINTS).write_text(yosys.abc_constraints(target))
            (folder / "timing.tcl").write_text(
                timing_script(chosen.hardware.top, chosen.hardware.clock, target)
            )
            start = processor_seconds()
            log = folder / "yosys.log"
            run_yosys(scripts(chosen, target, shared), log=log, timeout=7200, cwd=folder)
            mapped = processor_seconds()
            command = [find_program("sta"), "-no_splash", "-exit", "timing.tcl"]
            report = subprocess.run(command, cwd=folder, capture_output=True, text=True).stdout
            timed = processor_seconds()
            area, _ = yosys.areas(yosys.read_statistics(folder / yosys.STATISTICS))
            period = parse_timing(report).period
        print(
            f"{'shared' if shared else 'flat':6} synthesis {mapped - start:.1f} s, OpenSTA"
            f" {timed - mapped:.1f} s, area {area:.0f} um2, period {period} ns,"
            f" area x period {area * period:.0f}",
            flush=True,
        )


if __name__ == "__main__":
    typer.run(main)
