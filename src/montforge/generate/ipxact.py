# SPDX-License-Identifier: Apache-2.0
"""A design as a component of IP-XACT (IEEE 1685-2014): ports, AXI interfaces, registers, files.

The registers, and the windows of the RSA engine, are those that PeakRDL writes of the SystemRDL
file (`scripts/make_registers.py`); the windows of a core follow from its contract.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from markupsafe import escape

from montforge.arch import Core, Design
from montforge.contract import Port
from montforge.hardware.axi import windows
from montforge.work.templates import render, template

_AXI_LITE, _AXI_STREAM = ("AXI4-Lite", "r0p0_0"), ("AXI4Stream", "r0p0_1")
_BUSES = {
    "s_axil_": (*_AXI_LITE, "slave"),
    "s_axis_": (*_AXI_STREAM, "slave"),
    "m_axis_": (*_AXI_STREAM, "master"),
}
"""Arm's definition of a bus, its revision, and the role, by the first letters of the ports."""


@dataclass(frozen=True)
class Interface:
    """Ports that are a bus: their names by the names of the bus's definition."""

    name: str
    bus: str
    revision: str
    role: str
    signals: Mapping[str, str]

    @property
    def is_mapped(self) -> bool:
        """Return whether registers lie behind the bus."""
        return self.bus == _AXI_LITE[0]


def component_text(design: Design, fields: Mapping[str, Any]) -> str:
    """Return the component, from the fields of a folder."""
    found = _interfaces(design.ports)
    blocks = _blocks(design) if any(each.is_mapped for each in found) else []
    return render("component.xml.in", fields, interfaces=found, blocks=blocks)


def _blocks(design: Design) -> list[dict[str, Any]]:
    """Return the elements of each address block of a design with registers, by name."""
    registers: list[dict[str, Any]] = json.loads(template("mf_bus_regs.json"))
    if not isinstance(design, Core):
        return [*registers, *json.loads(template("mf_rsa_windows.json"))]
    return registers + [
        {
            "name": window.name,
            "displayName": str(escape(window.port.meaning)),
            "baseAddress": f"'h{window.address:x}",
            "range": f"'h{4 * window.words:x}",
            "width": "32",
            "usage": "memory",
            "access": "write-only" if window.port.direction == "input" else "read-only",
        }
        for window in windows(design.contract)
    ]


def _interfaces(ports: Sequence[Port]) -> list[Interface]:
    found = []
    for prefix, (bus, revision, role) in _BUSES.items():
        own = {
            port.name.removeprefix(prefix).upper(): port.name
            for port in ports
            if port.name.startswith(prefix)
        }
        if own:
            signals = {"ACLK": "clk_i", "ARESETn": "rst_ni", **own}
            found.append(Interface(prefix.removesuffix("_"), bus, revision, role, signals))
    return found
