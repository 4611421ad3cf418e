# SPDX-License-Identifier: Apache-2.0
"""A design as a component of IP-XACT (IEEE 1685-2014): ports, AXI interfaces, registers, files.

The registers, and the windows of the RSA engine, are those that PeakRDL writes of the SystemRDL
file (`scripts/make_registers.py`); the windows of a core follow from its contract.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from montforge.arch import Core, Design
from montforge.contract import Port
from montforge.hardware.axi import Window, windows
from montforge.work.templates import render

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
    own: Sequence[Window] = ()
    if isinstance(design, Core) and any(each.is_mapped for each in found):
        own = windows(design.contract)
    return render("component.xml.in", fields, interfaces=found, windows=own)


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
