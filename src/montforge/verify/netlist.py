# SPDX-License-Identifier: Apache-2.0
"""Mapped netlists in the place of RTL, so that the bench simulates the cells that were measured.

The netlist is the Verilog that Yosys writes after mapping (and that OpenSTA times); the functions
of its cells are those of the Liberty file, as Yosys reads them. Each output of a cell becomes a
truth table, and ``netlist.h`` evaluates the tables in topological order. To compile the same
netlist with Verilator and g++ takes half a minute for 9,000 cells and minutes for 70,000.
"""

from __future__ import annotations

import json
import re
import struct
import tempfile
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from graphlib import CycleError, TopologicalSorter
from itertools import count
from pathlib import Path
from typing import Any

from montforge.arch import Core, Simulated, driven
from montforge.contract import Port
from montforge.errors import ToolFailedError
from montforge.hardware import Hardware
from montforge.hardware.liberty import ClockGate, scan_liberty
from montforge.hardware.yosys import run_yosys, yosys_identity, yosys_version
from montforge.verify.identity import code_identity
from montforge.verify.surroundings import CLOCK, surrounded
from montforge.work.cache import cache_root, cached_folder, content_hash

SOURCE = Path(__file__).with_name("netlist.h")
_MODEL = "netlist.bin"
_HEADER = "Vdut.h"
_LIBRARY_SECONDS = 600.0
_INPUTS = 6
"""Inputs of the truth tables that ``netlist.h`` evaluates."""
_SELECT = 0b11001010
"""The truth table of a multiplexer: the second input where the third one is 1, else the first."""
_CONSTANTS = ("0", "1", "x")
"""Outputs that a library leaves undefined (set and reset of a flip-flop at once) count as 0."""
_DATA = rf"""asm(R"(
.section .rodata
.global netlist_data
.balign 8
netlist_data:
.incbin "{_MODEL}"
.previous
)");"""
_NODE = struct.Struct(f"<Q{1 + _INPUTS}I")

_FUNCTIONS_SCRIPT = """\
read_liberty -ignore_miss_func cells.lib
async2sync
dffunmap
simplemap
aigmap
opt_clean
write_json cells.json
"""


def netlist_design(design: Core, verilog: Path, liberty: Path) -> Simulated:
    """Return the simulated form of ``design``, its RTL replaced by the netlist in ``verilog``.

    Raises as `netlist_hardware` does.
    """
    found = netlist_hardware(design.hardware, verilog, liberty, design)
    return replace(driven(design), hardware=found)


def netlist_hardware(
    hardware: Hardware, verilog: Path, liberty: Path, design: Core | None = None
) -> Hardware:
    """Return the model of the netlist in ``verilog`` of ``hardware``, kept in the cache.

    ``liberty`` is the file whose cells it has. Memories, and the harness of the form of ``design``,
    which a netlist lacks, are put around it (`surrounded`). Raises ToolFailedError for a netlist
    that has no model: latches, clocks that are not `CLOCK`, gated or not, cells without a function,
    combinational loops.
    """
    harness = design is not None and design.interface.harness is not None
    around = harness or bool(hardware.memories)
    simulated = hardware if design is None else driven(design).hardware
    others = [dict(hardware.parameters), *simulated.files] if around else []
    key = content_hash(verilog, liberty, code_identity(), yosys_version(), *others)

    def build(folder: Path) -> None:
        text = verilog.read_text()
        if around:
            with tempfile.TemporaryDirectory() as name:
                joined = surrounded(hardware, design, verilog, liberty, _ports(text), Path(name))
                text = joined.read_text()
        netlist = _Netlist(text, _functions(liberty), _clock_gates(liberty))
        (folder / _MODEL).write_bytes(netlist.model())
        (folder / _HEADER).write_text(netlist.header())

    folder = cached_folder("netlist-models", key, build)
    files = (folder / _MODEL, folder / _HEADER)
    return Hardware(hardware.name, simulated.top, files, netlist=True)


@dataclass(frozen=True)
class _Function:
    """A function of a cell: the truth table over its leaves, bit i for leaves that make up i.

    Leaves are names of input pins, or of the cell's registers (``_0``, ``_1`` ...).
    """

    table: int
    leaves: tuple[str, ...]


@dataclass(frozen=True)
class _Cell:
    """Function of a library's cell: outputs and next states of its registers, by name."""

    outputs: Mapping[str, _Function]
    registers: Mapping[str, _Function]
    clocks: frozenset[str]


def _functions(liberty: Path) -> dict[str, Any]:
    """Return the modules, in AND and NOT gates and flip-flops, that Yosys makes of cells."""

    def build(folder: Path) -> None:
        (folder / "cells.lib").symlink_to(liberty.resolve())
        log, kept = folder / "yosys.log", cache_root() / "logs" / "cell-functions.log"
        limit = _LIBRARY_SECONDS
        run_yosys(_FUNCTIONS_SCRIPT, log=log, timeout=limit, cwd=folder, keep_log=kept)
        (folder / "cells.lib").unlink()

    key = content_hash(liberty, _FUNCTIONS_SCRIPT, *yosys_identity())
    cells = cached_folder("cell-functions", key, build) / "cells.json"
    return dict(json.loads(cells.read_text())["modules"])


def _clock_gates(liberty: Path) -> dict[str, ClockGate]:
    """Return the library's clock gates, for which Yosys has no function, by their names."""
    cells = scan_liberty(liberty.read_text(encoding="utf-8")).cells
    return {cell.name: cell.clock_gate for cell in cells if cell.clock_gate is not None}


def _cell(name: str, module: Mapping[str, Any]) -> _Cell:
    """Return the function of a module of `_functions`."""
    inputs, outputs = (
        {pin: port["bits"][0] for pin, port in module["ports"].items() if port["direction"] == way}
        for way in ("input", "output")
    )
    pins = {bit: pin for pin, bit in inputs.items()}
    gates: dict[object, tuple[object, ...]] = {}
    registers: dict[str, object] = {}
    states: dict[object, str] = {}
    clocks = set()
    for cell in module["cells"].values():
        wires = {port: bits[0] for port, bits in cell["connections"].items()}
        if cell["type"] == "$_AND_":
            gates[wires["Y"]] = (wires["A"], wires["B"])
        elif cell["type"] == "$_NOT_":
            gates[wires["Y"]] = (wires["A"],)
        elif cell["type"] == "$_DFF_P_" and wires["C"] in pins:
            clocks.add(pins[wires["C"]])
            state = f"_{len(states)}"
            states[wires["Q"]] = state
            registers[state] = wires["D"]
        elif cell["type"] != "$scopeinfo":
            raise ToolFailedError(
                f"the netlist has the cell {name}, of which no model can be made: it has"
                f" {cell['type']}."
            )

    def leaves(bit: object) -> set[str]:
        if bit in gates:
            return set().union(*(leaves(source) for source in gates[bit]))
        if bit in _CONSTANTS:
            return set()
        if bit in states or bit in pins:
            return {states.get(bit) or pins[bit]}
        raise ToolFailedError(f"the cell {name} of the library has no function for an output.")

    def function(bit: object) -> _Function:
        names = tuple(sorted(leaves(bit)))
        ones = (1 << (1 << len(names))) - 1
        columns = {leaf: ones // ((1 << (1 << i)) + 1) << (1 << i) for i, leaf in enumerate(names)}

        def table(bit: object) -> int:
            if bit in gates:
                sources = [table(source) for source in gates[bit]]
                return ones ^ sources[0] if len(sources) == 1 else sources[0] & sources[1]
            if bit in _CONSTANTS:
                return ones if bit == "1" else 0
            return columns[states.get(bit) or pins[bit]]

        return _Function(table(bit), names)

    return _Cell(
        {pin: function(bit) for pin, bit in outputs.items()},
        {state: function(bit) for state, bit in registers.items()},
        frozenset(clocks),
    )


class _Netlist:
    """A netlist's ports and cells as numbered nets, nodes (tables) and registers."""

    def __init__(
        self, verilog: str, functions: Mapping[str, Any], gates: Mapping[str, ClockGate]
    ) -> None:
        self._functions = functions
        self._enables: dict[str, str] = {}
        """The enable of each gated clock, as the netlist's text names them."""
        self._cells: dict[str, _Cell] = {}
        self._numbers = count(2)
        self._nets = defaultdict(self._new, {"0": 0, "1": 1})
        self._nodes: list[tuple[int, int, list[int]]] = []
        self._registers: list[tuple[int, int]] = []
        self._widths: dict[str, int] = {}
        self.ports: dict[str, list[str]] = {"input": [], "output": []}
        instances: list[tuple[str, dict[str, str]]] = []
        for kind, *parts in statements(verilog):
            if kind == "port":
                way, high, name = parts
                self._widths[name] = int(high or 0) + 1
                self.ports[way].append(name)
            elif kind == "assign":
                left, right = map(self._bits, parts)
                for to, source in zip(left, right, strict=True):
                    self._add(0b10, [source], to)
            else:
                _, cell, pins = parts
                if cell in gates:
                    self._gate_clock(gates[cell], pins)
                else:
                    instances.append((cell, pins))
        for cell, pins in instances:
            self._instance(cell, pins)

    def header(self) -> str:
        """Return ``Vdut.h``: the ports, and where the data are."""
        lines = []
        for way, names in self.ports.items():
            ports = " ".join(f"X({name}, {self._widths[name]})" for name in names)
            lines.append(f"#define {way.upper()}S(X) {ports}")
        return "\n".join([*lines, _DATA, '#include "netlist.h"', ""])

    def model(self) -> bytes:
        """Return the data for ``netlist.h``."""
        nodes = self._sorted()
        names = (name for names in self.ports.values() for name in names)
        ports = [self._nets[bit] for name in names for bit in self._port_bits(name)]
        nets = self._new()
        parts = [struct.pack("<4I", nets, len(nodes), len(self._registers), len(ports))]
        for table, output, inputs in nodes:
            parts.append(_NODE.pack(table, output, *inputs, *[0] * (_INPUTS - len(inputs))))
        parts += [struct.pack("<2I", *register) for register in self._registers]
        return b"".join([*parts, struct.pack(f"<{len(ports)}I", *ports)])

    def _gate_clock(self, gate: ClockGate, pins: Mapping[str, str]) -> None:
        """Note a gated clock: one of `CLOCK` itself that no test lets pass."""
        tests = "".join(pins.get(pin, "x") for pin in gate.tests)
        if pins.get(gate.clock) != CLOCK or tests.replace("1'b0", ""):
            raise ToolFailedError(
                f"a clock gate of the netlist has another clock than {CLOCK}, or a test pin that"
                " is not 0."
            )
        self._enables[pins[gate.output].strip()] = pins[gate.enable]

    def _instance(self, kind: str, pins: dict[str, str]) -> None:
        if kind not in self._cells:
            if kind not in self._functions:
                raise ToolFailedError(f"the library has no function for the netlist's cell {kind}.")
            self._cells[kind] = _cell(kind, self._functions[kind])
        cell = self._cells[kind]
        clocks = {pins.get(pin, "").strip() for pin in cell.clocks}
        if not clocks <= {CLOCK, *self._enables}:
            raise ToolFailedError(f"a {kind} of the netlist has another clock than {CLOCK}.")
        gated = clocks - {CLOCK}
        enables = [self._one(kind, "enable of the clock", self._enables[each]) for each in gated]
        states = {name: self._new() for name in cell.registers}

        def add(function: _Function, output: int) -> None:
            nets = [
                states[leaf] if leaf in states else self._one(kind, leaf, pins.get(leaf, ""))
                for leaf in function.leaves
            ]
            self._add(function.table, nets, output)

        for pin, function in cell.outputs.items():
            if pins.get(pin):
                add(function, self._one(kind, pin, pins[pin]))
            if enables and not set(function.leaves) <= states.keys():
                raise ToolFailedError(f"a {kind} of the netlist has a reset and a gated clock.")
        for name, function in cell.registers.items():
            following = self._new()
            add(function, following)
            for enable in enables:
                loaded, following = following, self._new()
                self._add(_SELECT, [states[name], loaded, enable], following)
            self._registers.append((states[name], following))

    def _add(self, table: int, inputs: list[int], output: int) -> None:
        """Add a node; one with too many inputs becomes several, which the last input selects."""
        if len(inputs) <= _INPUTS:
            self._nodes.append((table, output, inputs))
            return
        half = 1 << (len(inputs) - 1)
        parts = []
        for each in (table & ((1 << half) - 1), table >> half):
            parts.append(self._new())
            self._add(each, inputs[:-1], parts[-1])
        self._nodes.append((_SELECT, output, [*parts, inputs[-1]]))

    def _sorted(self) -> list[tuple[int, int, list[int]]]:
        """Return the nodes in an order in which they can be evaluated."""
        drivers: dict[int, int] = {}
        for at, (_, output, _) in enumerate(self._nodes):
            if drivers.setdefault(output, at) != at:
                raise ToolFailedError("a net of the netlist has two drivers.")
        waits = {
            at: [drivers[net] for net in inputs if net in drivers]
            for at, (_, _, inputs) in enumerate(self._nodes)
        }
        try:
            return [self._nodes[at] for at in TopologicalSorter(waits).static_order()]
        except CycleError:
            raise ToolFailedError("the netlist has a combinational loop.") from None

    def _one(self, kind: str, pin: str, text: str) -> int:
        if text in self._nets:
            return self._nets[text]
        bits = self._bits(text)
        if len(bits) != 1:
            raise ToolFailedError(f"pin {pin} of a {kind} of the netlist is connected to {text!r}.")
        return bits[0]

    def _bits(self, text: str) -> list[int]:
        """Return the nets of an expression, lowest bit first."""
        return [self._nets[bit] for bit in bits_of(text, self._widths)]

    def _port_bits(self, name: str) -> list[str]:
        return _bits(name, self._widths.get(name, 1))

    def _new(self) -> int:
        return next(self._numbers)


def bits_of(text: str, widths: Mapping[str, int]) -> list[str]:
    """Return the nets of an expression of a netlist, lowest bit first; ``0`` and ``1`` are values.

    ``widths`` are those of the ports, of which bits are ``NAME[i]``; an escaped name begins with a
    backslash. Raises ToolFailedError for an expression that is not understood.
    """
    found: list[str] = []
    if _TERM.sub("", text).strip("{}, "):
        raise _not_understood(text)
    for escaped, name, high, low, constant in _TERM.findall(text):
        if constant:
            found += constant
        elif escaped:
            found.append(escaped)
        else:
            bits = _bits(name, widths.get(name, 1))
            if high:
                bits = bits[int(low or high) : int(high) + 1]
            found += reversed(bits)
    return found[::-1]


def _bits(name: str, width: int) -> list[str]:
    """Return the nets of a vector, lowest first."""
    return [name] if width == 1 else [f"{name}[{i}]" for i in range(width)]


def _ports(verilog: str) -> list[Port]:
    """Return the ports of a netlist, which come before its cells."""
    found = []
    for kind, *parts in statements(verilog):
        if kind == "instance":
            break
        if kind == "port":
            way, high, name = parts
            found.append(Port(name, way, int(high or 0) + 1, "port of the netlist"))
    return found


def statements(verilog: str) -> Iterator[tuple[Any, ...]]:
    """Yield the statements of a netlist by Yosys's `write_verilog -noattr -noexpr -nohex -nodec`.

    Ports as ``("port", direction, highest bit or None, name)``, assignments as ``("assign", left,
    right)``, cells as ``("instance", name, type, {pin: expression})``; escaped names begin with a
    backslash. Raises ToolFailedError for other lines.
    """
    lines = iter(verilog.splitlines())
    for line in lines:
        if found := _INSTANCE.fullmatch(line):
            pins = {}
            for pin in lines:
                if pin == "  );":
                    break
                connection = _PIN.fullmatch(pin)
                if connection is None:
                    raise _not_understood(pin)
                pins[connection[1]] = connection[2]
            yield "instance", found[2].strip(), found[1], pins
        elif found := _WIRE.fullmatch(line):
            if found[1] != "wire":
                yield "port", *found.groups()
        elif found := _ASSIGN.fullmatch(line):
            yield "assign", found[1], found[2]
        elif line.startswith("module "):
            while not line.endswith(");"):  # a line for 20 ports or so
                line = next(lines, ");")
        elif line and not line.startswith(("/*", "endmodule")):
            raise _not_understood(line)


def _not_understood(text: str) -> ToolFailedError:
    return ToolFailedError(f"the netlist has a line that is not understood: {text[:200]}")


_INSTANCE = re.compile(r"  ([\w$]+) (\\\S+ |[\w$]+) \(")
_PIN = re.compile(r"    \.(\w+)\((.*?)\),?")
_WIRE = re.compile(r"  (wire|input|output) (?:\[(\d+):0\] )?(\\\S+ |[\w$]+);")
_ASSIGN = re.compile(r"  assign (.*) = (.*);")
_TERM = re.compile(r"(\\\S+) |([A-Za-z_$][\w$]*)(?:\[(\d+)(?::(\d+))?\])?|\d+'b([01]+)")
