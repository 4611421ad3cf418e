# SPDX-License-Identifier: Apache-2.0
"""An estimate of the clock tree that a placed netlist needs.

Registers and clock gates are cut into parts by place, each with a buffer at its middle; so are the
buffers, up to one at the root. Buffers take no place in the rows, and all are of one size. OpenSTA
finds when an edge arrives at each register, with the wires of a tree for each net.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass

from montforge.measure.opensta import LONGEST_PATH, check_placed, parse_placed
from montforge.measure.placed.buffers import Buffer, Node, levels, middle, with_trees
from montforge.measure.placed.netlist import Netlist
from montforge.measure.placed.technology import Technology
from montforge.measure.placed.wires import Place


@dataclass(frozen=True)
class ClockTree:
    """A netlist with a clock tree: ``buffers``, which are the first instances, at ``places``.

    ``leaves`` of them drive ``registers``, pins as OpenSTA names them.
    """

    verilog: str
    places: tuple[Place, ...]
    leaves: int
    registers: tuple[str, ...]


def clock_tree(
    netlist: Netlist, clock: str, places: Sequence[Place], technology: Technology
) -> ClockTree:
    """Return ``netlist`` with a tree from the port ``clock``; ``places`` are of its instances."""
    pins = netlist.inputs[clock]
    most = technology.clock_registers
    top = levels([Node(places[pin[0]], pin) for pin in pins], most)
    root = Node(middle(top), driven=tuple(top))
    buffer = Buffer(*technology.clock_buffer.split())
    verilog, made = with_trees(netlist, [(clock, [root])], buffer, "placed_clock")
    names = (netlist.instances[at].name.removeprefix("\\") + f"/{pin}" for at, pin in pins)
    return ClockTree(verilog, tuple(made), math.ceil(len(pins) / most), tuple(names))


def clock_script(tree: ClockTree) -> str:
    """Return the Tcl script that goes on after `montforge.measure.opensta.placed_script`.

    It prints lines for `parse_clock`.
    """
    pins = " ".join(f"{{{name}}}" for name in tree.registers)
    return f"""\
set_propagated_clock [get_clocks clk]
{LONGEST_PATH}\
set sta_report_default_digits 5
foreach pin {{{pins}}} {{ report_arrival $pin }}
puts "ARRIVED"
"""


def parse_clock(report: str) -> dict[str, float]:
    """Return what a run of `clock_script` printed, in ns. Raises ToolFailedError.

    ``latency`` is the time from the port to the last register, ``skew`` that from the first to the
    last one, ``period`` that of the netlist with these arrivals.
    """
    period = parse_placed(report)["period"]
    arrivals = [float(time) for time in re.findall(r"^ \(clk \^\) r \S+:(\S+) f", report, re.M)]
    check_placed(report, bool(arrivals) and "\nARRIVED" in report)
    latency, skew = max(arrivals), max(arrivals) - min(arrivals)
    return {"latency": round(latency, 5), "skew": round(skew, 5), "period": period}
