# SPDX-License-Identifier: Apache-2.0
"""A design with AXI4-Lite as a peripheral of a LiteX system.

``pip install litex`` brings LiteX, which montforge does not need otherwise.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from litex.gen import ClockSignal, Instance, LiteXModule, ResetSignal, Signal
from litex.soc.integration.soc import SoCRegion
from litex.soc.interconnect import axi

from montforge.arch import Design
from montforge.contract import Port
from montforge.generate import generate
from montforge.hardware.forms import AXI, CLOCK

BUS = "s_axil_"
INTERRUPT = "irq_o"
ADDRESS = 32
"""Bits of an address on the bus of LiteX."""


class Montforge(LiteXModule):  # type: ignore[misc] # LiteX has no types
    """A generated design: ``bus`` is its AXI4-Lite, ``irq`` its interrupt.

    ``ports`` are the signals of its other ports by name, such as the random words of the RSA
    engine: the system drives those that are inputs.
    """

    def __init__(self, platform: Any, design: Design, folder: Path) -> None:
        address = next(port.width for port in design.ports if port.name == f"{BUS}awaddr")
        self.bus = axi.AXILiteInterface(data_width=32, address_width=ADDRESS)
        self.irq = Signal()
        self.ports: dict[str, Any] = {}
        self.size = 1 << address
        clock = {port.name for port in CLOCK}
        connections = {"i_clk_i": ClockSignal("sys"), "i_rst_ni": ~ResetSignal("sys")}
        for port in design.ports:
            if port.name not in clock:
                way = "i" if port.direction == "input" else "o"
                connections[f"{way}_{port.name}"] = self._signal(port)
        self.specials += Instance(folder.name, **connections)
        for path in (folder / f"{folder.name}.f").read_text(encoding="utf-8").split():
            platform.add_source(str(folder / path))

    def _signal(self, port: Port) -> Any:
        if port.name == INTERRUPT:
            return self.irq
        if not port.name.startswith(BUS):
            return self.ports.setdefault(port.name, Signal(port.width, name=port.name))
        name = port.name.removeprefix(BUS)
        channel = next(c for c in ("aw", "w", "b", "ar", "r") if name.startswith(c))
        signal = name.removeprefix(channel)
        if signal == "prot":  # AXI4-Lite of LiteX has none
            return Signal(port.width)
        found = getattr(getattr(self.bus, channel), signal)
        return found[: port.width] if signal == "addr" else found


def add_montforge(
    soc: Any, design: Design, *, origin: int | None = None, name: str = "montforge"
) -> Montforge:
    """Add ``design`` to the LiteX system ``soc`` and return it.

    It is generated, in form axi, into the folder ``name`` of the system's build folder, which has
    the driver in C, too. ``origin`` is its address on the bus, which the system chooses without.
    Raises ParameterError for a design without the form axi, and as `generate`.
    """
    chosen = design.with_form(AXI)
    folder = Path(soc.platform.output_dir or "build").resolve() / name
    generate(chosen, folder, name=name, force=True)
    module = Montforge(soc.platform, chosen, folder)
    soc.add_module(name, module)
    region = SoCRegion(origin=origin, size=module.size, cached=False)
    soc.bus.add_slave(name, module.bus, region)
    return module
