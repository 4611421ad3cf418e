# SPDX-License-Identifier: Apache-2.0
"""Netlists that `montforge measure` measures, and their periods with wires, for other scripts."""

from __future__ import annotations

import os
import shlex
import tempfile
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from montforge.arch import design
from montforge.arch.parameter import named_values
from montforge.hardware.liberty import Cell, scan_liberty
from montforge.measure import StandardCells
from montforge.measure.opensta import LONGEST_PATH, WIRES, parse_placed, placed_script, run_opensta
from montforge.measure.placed.netlist import Netlist, read_netlist
from montforge.measure.sweep import sweep
from montforge.measure.targets import with_quick_effort
from montforge.work.cache import ResultStore


@dataclass(frozen=True)
class Mapped:
    """A measured netlist, and what OpenSTA takes to time it with wires: a script and two files."""

    top: str
    netlist: Netlist
    cells: Mapping[str, Cell]
    script: str
    files: tuple[Path, Path]


def mapped(words: str, target: StandardCells) -> Mapped:
    """Return the netlist that ``montforge measure WORDS`` with quick effort measures."""
    name, *values = shlex.split(words.replace(" -p ", " "))
    hardware = design(name, **named_values(values)).hardware
    found = sweep(hardware, with_quick_effort(target), ResultStore(), 1, None)
    cells = {cell.name: cell for cell in scan_liberty(target.liberty).cells}
    netlist = read_netlist(found.netlist().read_text(), cells)
    script = placed_script(hardware.top, hardware.clock, target) + LONGEST_PATH
    return Mapped(hardware.top, netlist, cells, script, (found.liberty, found.netlist()))


def period(found: Mapped, lines: Iterable[str]) -> float:
    """Return the period in ns of a netlist with the wires in the lines of a SPEF file."""
    with tempfile.TemporaryDirectory() as folder:
        wires = Path(folder) / WIRES
        wires.write_text("".join(f"{line}\n" for line in lines))
        report = run_opensta(found.script, (*found.files, wires), 1800.0, Path(folder) / "log")
    return float(parse_placed(report)["period"])


def processor_seconds() -> float:
    """Return the processor time of this process and of those that it has waited for."""
    used = os.times()
    return used.user + used.system + used.children_user + used.children_system
