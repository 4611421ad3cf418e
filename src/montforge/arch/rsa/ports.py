# SPDX-License-Identifier: Apache-2.0
"""The ports of the RSA engine's tops with a bus, read from their SystemVerilog."""

from __future__ import annotations

import re

from montforge.contract import Port
from montforge.hardware import rtl_root

PORT = re.compile(r"^  (input|output)\s+logic\s+(?:\[(\d+):0\])?\s*(\w+),?$", re.M)
BUS_PORTS = {
    "s_axil_": "AXI4-Lite",
    "s_axis_": "AXI4-Stream, requests",
    "m_axis_": "AXI4-Stream, responses",
    "random_": "random words, one a handshake",
}
PORTS = {
    "clk_i": "clock, rising edge",
    "half_clk_i": "clock of the exponentiators, with rising edges in line with clk_i's",
    "rst_ni": "asynchronous reset, active low; a wipe of all memories follows it",
    "irq_o": "interrupt: high while an enabled event is pending",
    "phase_o": "phase of the operation, for a scope; not secret",
    "abort_i": "ends the operation, request or response under way, with ABORTED",
    "zeroize_all_i": "ends it too, then wipes all keys and memories; for a cycle at least",
    "load_lock_i": "no key is loaded",
    "busy_o": "an operation or a wipe is under way",
    "slots_valid_o": "keys that can be used",
    "cycles_o": "cycles of the last operation",
    "alert_o": "for a cycle: a result failed its check",
}
"""Purposes of the ports, by their names."""


def bus_ports(top: str) -> tuple[Port, ...]:
    """Return the ports of a top module, whose widths do not depend on parameters."""
    found = []
    for direction, highest, name in PORT.findall((rtl_root() / f"bus/{top}.sv").read_text("utf-8")):
        bus = [text for start, text in BUS_PORTS.items() if name.startswith(start)]
        width = int(highest) + 1 if highest else 1
        found.append(Port(name, direction, width, bus[0] if bus else PORTS[name]))
    return tuple(found)
