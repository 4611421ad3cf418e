# SPDX-License-Identifier: Apache-2.0
"""A design as Yosys reads it: flat, with cells of whole words and registers with enables."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TypeAlias

from montforge.hardware import Hardware
from montforge.hardware.yosys import read_design, run_yosys

Bit: TypeAlias = int | str
"""A net of one bit by its number, or a constant: ``0``, ``1``, ``x``, ``z``."""

PREPARE = "proc; flatten; opt_expr; opt_clean; opt_dff; memory_collect; opt_clean"
"""opt_dff turns ``if (x) q <= d`` into the enable that a clock gate would use."""
WITH_WORDS = f"{PREPARE}; memory_map; opt_clean"
"""With the words of memories as registers."""
WITH_UNUSED = f"proc; flatten; setattr -set keep 1 w:*; {WITH_WORDS}"
"""With all that the RTL says, also what no output uses."""


@dataclass(frozen=True)
class Cell:
    """A cell: its Yosys type, parameters as integers, and the nets at its ports, lowest first."""

    name: str
    type: str
    parameters: dict[str, int]
    inputs: dict[str, list[Bit]]
    outputs: dict[str, list[Bit]]

    @property
    def is_register(self) -> bool:
        """Whether it is one of Yosys' flip-flops, with any of enable, reset, load."""
        return self.type.startswith("$") and "ff" in self.type.rsplit("_", 1)[-1]


@dataclass(frozen=True)
class Netlist:
    """The top's ports by direction, its cells, and the nets with names."""

    inputs: dict[str, list[Bit]]
    outputs: dict[str, list[Bit]]
    cells: tuple[Cell, ...]
    nets: dict[str, list[Bit]]

    @cached_property
    def names(self) -> dict[Bit, str]:
        """A readable name of each named bit, such as ``state_q[1]``: the shortest there is."""
        found: dict[Bit, str] = {}
        for name in sorted(self.nets, key=lambda n: (n.startswith("$"), n.count("."), len(n))):
            bits = self.nets[name]
            for at, bit in enumerate(bits):
                found.setdefault(bit, f"{name}[{at}]" if len(bits) > 1 else name)
        return found

    @cached_property
    def sources(self) -> dict[Bit, tuple[Cell | None, str, int]]:
        """What drives each bit: a cell, its port and the place there; of an input, no cell."""
        found: dict[Bit, tuple[Cell | None, str, int]] = {}
        for name, nets in self.inputs.items():
            found |= {bit: (None, name, at) for at, bit in enumerate(nets)}
        for cell in self.cells:
            for port, nets in cell.outputs.items():
                found |= {bit: (cell, port, at) for at, bit in enumerate(nets)}
        return found

    @property
    def has_memory(self) -> bool:
        """Whether a memory is one cell, and not registers."""
        return any(cell.type.startswith("$mem") for cell in self.cells)

    @cached_property
    def blocks(self) -> tuple[str, ...]:
        """The modules without contents: blocks of a vendor, whose models were not read."""
        return tuple(sorted({cell.type for cell in self.cells if not cell.type.startswith("$")}))

    @property
    def registers(self) -> Iterator[Cell]:
        """The cells that are registers."""
        return (cell for cell in self.cells if cell.is_register)


def read_netlist(
    hardware: Hardware,
    *,
    timeout: float,
    prepare: str = PREPARE,
    models: bool = False,
    closed: Sequence[str] = (),
) -> Netlist:
    """Return the netlist of ``hardware`` after the passes ``prepare``.

    With ``models`` it has what the library's models of vendors' blocks have in place of each block.
    Instances of the modules ``closed`` are cells: wide trees of adders take hours to read.
    ``timeout`` is in seconds. Raises ToolMissingError, ToolFailedError.
    """
    with tempfile.TemporaryDirectory() as folder:
        written = Path(folder) / "netlist.json"
        read = read_design(hardware, models=models, closed=closed)
        script = f"{read}\n{prepare}\nwrite_json {written}\n"
        run_yosys(script, log=Path(folder) / "log", timeout=timeout)
        top = next(
            module
            for name, module in json.loads(written.read_text(encoding="utf-8"))["modules"].items()
            if name == hardware.top or "top" in module["attributes"]
        )
    ports = top["ports"]

    def directed(direction: str) -> dict[str, list[Bit]]:
        return {name: p["bits"] for name, p in ports.items() if p["direction"] == direction}

    nets = {name: net["bits"] for name, net in top["netnames"].items()}
    cells = (_cell(name, cell) for name, cell in top["cells"].items())
    return Netlist(
        directed("input"),
        directed("output"),
        tuple(cell for cell in cells if cell.type != "$scopeinfo"),
        nets,
    )


def _cell(name: str, cell: dict[str, dict[str, str]]) -> Cell:
    def directed(direction: str) -> dict[str, list[Bit]]:
        found = cell["connections"]
        return {
            port: list(found[port])
            for port, way in cell.get("port_directions", {}).items()
            if way == direction
        }

    values = {
        key: int(value, 2)
        for key, value in cell["parameters"].items()
        if isinstance(value, str) and value and set(value) <= {"0", "1"}
    }
    return Cell(name, str(cell["type"]), values, directed("input"), directed("output"))
