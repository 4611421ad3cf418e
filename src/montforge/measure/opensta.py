# SPDX-License-Identifier: Apache-2.0
"""Timing of a mapped netlist by OpenSTA, one process for each netlist.

The least period is the clock's period less the worst slack of the paths between registers: it
includes clock-to-q and setup, and leaves out the paths of primary inputs and outputs, because
operands are registered at acceptance. The clock is ideal. Ports have a clock of their own, since
paths are found faster by their clocks than by lists of registers.
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from montforge.errors import ToolFailedError
from montforge.hardware.liberty import NO_WIRE_LOAD
from montforge.measure.targets import StandardCells
from montforge.measure.yosys import LIBERTY, MAPPED
from montforge.work.tools import find_program, run_tool

PERIOD_NS = 10.0
"""The clock's period of all runs."""
WIRES = Path("wires.spef")
_VERSION_SECONDS = 60.0
_SHORTER, _PATHS = 0.15, 3000
"""Long paths: those shorter than the longest by up to this part of it, so many at most."""
LONGEST_PATH = """\
puts "SLACK reg2reg [slack clk clk]"
report_checks -path_delay max -from [get_clocks clk] -to [get_clocks clk] -sort_by_slack -digits 4
"""
"""The script that goes on after `placed_script` and prints lines for `parse_placed`."""
LONG_PATHS = f"""\
set longest [slack clk clk]
set least [expr {{$longest + {_SHORTER} * ({PERIOD_NS} - $longest)}}]
foreach path [find_timing_paths -path_delay max -from [get_clocks clk] -to [get_clocks clk] \\
    -sort_by_slack -group_count {_PATHS} -slack_max $least] {{
  set pins {{}}
  foreach point [get_property $path points] {{
    lappend pins [get_full_name [get_property $point pin]]
  }}
  puts "PATH [join $pins]"
}}
"""
"""The script that goes on after `placed_script` and prints lines for `parse_paths`."""
_PATH = r"^\s+-?[\d.]+\s+-?[\d.]+ [v^] (\S+)/\w+ \((\S+)\)$"


@dataclass(frozen=True)
class Timing:
    """Results of OpenSTA; all times in ns.

    ``period`` is with the library's wire load (if it has one), ``period_no_wire_load`` without.
    ``in2reg`` and ``reg2out`` are the worst paths from inputs and to outputs, or None.
    """

    period: float
    period_no_wire_load: float
    in2reg: float | None
    reg2out: float | None
    start: str
    end: str
    path_cells: tuple[str, ...]


@cache
def opensta_version() -> str:
    """Return the version of OpenSTA. Raises ToolMissingError, ToolFailedError."""
    program = find_program("sta")
    with tempfile.TemporaryDirectory() as name:
        log = Path(name) / "version.log"
        return run_tool([program, "-version"], log=log, timeout=_VERSION_SECONDS).strip()


def timing_script(top: str, clock: str, target: StandardCells) -> str:
    """Return the Tcl script that times a mapped netlist and prints lines for `parse_timing`."""
    wire = f"set_wire_load_model -name {NO_WIRE_LOAD}" if target.wire_load else ""
    return f"""\
{_read_script(top, clock, target)}\
puts "SLACK in2reg [slack ports clk]"
puts "SLACK reg2out [slack clk ports]"
{LONGEST_PATH}\
{wire}
puts "SLACK no_wire_load [slack clk clk]"
"""


def _read_script(top: str, clock: str, target: StandardCells) -> str:
    """Return the Tcl script that reads a mapped netlist, its cells and constraints.

    Its procedure ``longest`` returns the longest path from one clock to another. Paths are sorted
    since there may be several groups: those to a reset that a register drives come first.
    """
    drive = f"set_driving_cell -lib_cell {target.driver} $inputs" if target.driver else ""
    return f"""\
proc longest {{from to}} {{
  set clocks [list -from [get_clocks $from] -to [get_clocks $to]]
  lindex [find_timing_paths -path_delay max {{*}}$clocks -sort_by_slack] 0
}}
proc slack {{from to}} {{
  set path [longest $from $to]
  if {{$path eq ""}} {{ return none }}
  return [get_property $path slack]
}}
read_liberty {LIBERTY}
read_verilog {MAPPED}
link_design {top}
set_cmd_units -time ns -capacitance fF
set inputs {{}}
foreach port [all_inputs] {{
  if {{[get_property $port full_name] ni {{{clock} rst_ni}}}} {{ lappend inputs $port }}
}}
{drive}
set_load {target.load_ff} [all_outputs]
create_clock -name clk -period {PERIOD_NS} [get_ports {clock}]
create_clock -name ports -period {PERIOD_NS}
set_clock_transition {target.clock_transition_ns} [get_clocks clk]
set_input_delay 0 -clock ports $inputs
set_output_delay 0 -clock ports [all_outputs]
"""


def placed_script(top: str, clock: str, target: StandardCells) -> str:
    """Return the Tcl script that reads a mapped netlist with its wires in `WIRES`.

    Nets that are not there, those of ports, have no wires.
    """
    wire = f"set_wire_load_model -name {NO_WIRE_LOAD}" if target.wire_load else ""
    return f"{_read_script(top, clock, target)}{wire}\nread_spef {WIRES}\n"


def run_opensta(script: str, sources: Iterable[Path], timeout: float, keep_log: Path) -> str:
    """Return what a Tcl ``script`` prints in a folder that has ``sources`` by their names.

    Raises ToolMissingError, ToolFailedError; the log of a failed run is kept in ``keep_log``.
    """
    with tempfile.TemporaryDirectory() as name:
        work = Path(name)
        for source in sources:
            (work / source.name).symlink_to(source)
        (work / "timing.tcl").write_text(script)
        return run_tool(
            [find_program("sta"), "-no_splash", "-exit", "timing.tcl"],
            log=work / "sta.log",
            timeout=timeout,
            cwd=work,
            keep_log=keep_log,
        )


def parse_timing(report: str) -> Timing:
    """Return the `Timing` that a run of `timing_script` printed. Raises ToolFailedError."""
    error = re.search(r"^Error: .*", report, re.MULTILINE)
    slacks = dict(re.findall(r"^SLACK (\w+) (\S+)$", report, re.MULTILINE))
    if error or "no_wire_load" not in slacks:
        reason = error.group() if error else "its report is incomplete"
        raise ToolFailedError(f"OpenSTA failed: {reason}.")
    if slacks["reg2reg"] == "none":
        raise ToolFailedError("OpenSTA found no path from a register to a register.")
    delays = {
        name: None if slack == "none" else round(PERIOD_NS - float(slack), 5)
        for name, slack in slacks.items()
    }
    period, without = delays["reg2reg"], delays["no_wire_load"]
    assert period is not None and without is not None
    return Timing(period, without, delays["in2reg"], delays["reg2out"], *_longest_path(report))


def parse_placed(report: str) -> dict[str, Any]:
    """Return ``period`` in ns, ``start``, ``end`` and ``cells`` of the longest path between
    registers, which a run of `placed_script` and `LONGEST_PATH` printed. Raises ToolFailedError.
    """
    slack = re.search(r"^SLACK reg2reg (\S+)$", report, re.MULTILINE)
    check_placed(report, slack is not None)
    assert slack is not None
    start, end, cells = _longest_path(report)
    period = round(PERIOD_NS - float(slack[1]), 5)
    return {"period": period, "start": start, "end": end, "cells": list(cells)}


def parse_paths(report: str) -> list[list[str]]:
    """Return the instances along each of the paths that a run of `LONG_PATHS` printed."""
    lines = re.findall(r"^PATH (.*)$", report, re.MULTILINE)
    check_placed(report, bool(lines))
    pins = (line.split(" ") for line in lines)
    return [list(dict.fromkeys(pin.rpartition("/")[0] for pin in path)) for path in pins]


def check_placed(report: str, complete: bool) -> None:
    """Raise ToolFailedError for a report that is not ``complete``, or that has a warning.

    OpenSTA warns of wires of a net or pin that the netlist has not.
    """
    problem = re.search(r"^(Error|Warning): .*", report, re.MULTILINE)
    if problem or not complete:
        reason = problem.group() if problem else "its report is incomplete"
        raise ToolFailedError(f"OpenSTA failed: {reason}.")


def _longest_path(report: str) -> tuple[str, str, tuple[str, ...]]:
    """Return start, end and cells of the first path of a report."""
    start, end = (
        register_name(re.findall(rf"^{point}: (\S+)", report, re.MULTILINE)[0])
        for point in ("Startpoint", "Endpoint")
    )
    path = dict.fromkeys(re.findall(_PATH, report, re.MULTILINE))  # each instance once
    return start, end, tuple(cell for _, cell in path)


def register_name(instance: str) -> str:
    """Return the RTL name of the register bit that a flip-flop instance was named after."""
    return instance.replace("\\", "").removesuffix("_reg")
