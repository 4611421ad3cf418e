# SPDX-License-Identifier: Apache-2.0
"""A design as gates, simulated for many operations side by side.

The values of nets are rows of words, in which each operation has a bit, its lane.

Yosys reads the RTL and makes gates of two inputs, multiplexers and flip-flops of it; no logic
optimisation goes over them, so that each register and each net is one of the RTL. A step takes the
gates of one kind and one depth together. There are no delays: glitches do not show.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from graphlib import CycleError, TopologicalSorter

from montforge.errors import ParameterError, ToolFailedError
from montforge.hardware import Hardware
from montforge.prove.netlist import Bit, Cell, read_netlist
from montforge.work.arrays import Marks, Octets, Rows, Weights, Words, np

PREPARE = (
    "proc; flatten; opt_expr; opt_clean; opt_dff -nodffe -nosdff; memory_map; opt_clean; dffunmap;"
    " techmap; simplemap; opt_expr; opt_clean"
)
CLOCK = "clk_i"
_CONSTANTS = ("0", "1")
_REGISTER = re.compile(r"\$_(?:DFF|ALDFF)_P(?:([NP])([01])?)?_")
INPUTS = {
    "$_NOT_": "A",
    "$_AND_": "AB",
    "$_OR_": "AB",
    "$_XOR_": "AB",
    "$_XNOR_": "AB",
    "$_MUX_": "ABS",
}
"""The kinds of gates, with their inputs."""


@dataclass(frozen=True)
class _Registers:
    """Registers in rows ``first`` and following, with the rows of their next values.

    With ``reset``, the rows of their resets, they are ``value`` where the reset is ``active``.
    """

    first: int
    following: Rows
    reset: Rows | None = None
    active: int = 0
    value: int = 0


@dataclass(frozen=True)
class _Group:
    """Gates of one kind whose inputs are all known: outputs from row ``first`` on."""

    kind: str
    first: int
    inputs: tuple[Rows, ...]


class Gates:
    """The gates of ``hardware`` in the order of their depth; `Lanes` simulates them.

    ``timeout`` is in seconds, for Yosys with its passes ``prepare``. Raises ParameterError for
    hardware of two clocks, ToolMissingError, and ToolFailedError for a combinational loop.
    """

    def __init__(self, hardware: Hardware, *, timeout: float, prepare: str = PREPARE) -> None:
        if hardware.fast_clocks:
            raise ParameterError(
                f"{hardware} has a further clock, {', '.join(hardware.fast_clocks)}; designs with"
                " one clock are simulated as gates."
            )
        self.netlist = read_netlist(hardware, timeout=timeout, prepare=prepare)
        self._rows: dict[Bit, int] = {bit: row for row, bit in enumerate(_CONSTANTS)}
        self._alias: dict[Bit, Bit] = {}
        gates, registers = self._sorted_cells()
        self.groups, self.registers = self._arranged(gates, registers)

    @property
    def nets(self) -> int:
        """The number of rows of nets: constants, inputs, registers, gates."""
        return len(self._rows)

    def rows(self, bits: Iterable[Bit]) -> Rows:
        """Return the rows of ``bits``; what nothing drives is 0."""
        return np.array([self._row(bit) for bit in bits], dtype=np.intp)

    @cached_property
    def named_registers(self) -> dict[str, Rows]:
        """The rows of each register of the RTL, by the shortest name that it has."""
        found: defaultdict[str, list[int]] = defaultdict(list)
        for bit, row in sorted(self.register_rows.items(), key=lambda item: item[1]):
            name = self.netlist.names.get(bit, "")
            found[re.sub(r"\[\d+\]$", "", name) or "without a name"].append(row)
        return {name: np.array(rows, dtype=np.intp) for name, rows in found.items()}

    @cached_property
    def fanout(self) -> Weights:
        """1 and the number of gate and register inputs on each row's net: its weight."""
        weight = np.ones(self.nets, dtype=np.float32)
        for group in self.groups:
            for inputs in group.inputs:
                np.add.at(weight, inputs, 1)
        for each in self.registers:
            np.add.at(weight, each.following, 1)
        weight[:2] = 0
        return weight

    def _sorted_cells(self) -> tuple[list[Cell], list[Cell]]:
        gates, registers = [], []
        (clock,) = self.netlist.inputs[CLOCK]
        for cell in self.netlist.cells:
            if _REGISTER.fullmatch(cell.type):
                if cell.inputs["C"] != [clock]:
                    raise ToolFailedError(f"a register has another clock than {CLOCK}.")
                if cell.inputs.get("AD", ["0"])[0] not in _CONSTANTS:
                    raise ToolFailedError("a register is reset to a value that is no constant.")
                registers.append(cell)
            elif cell.type == "$_BUF_":
                self._alias[cell.outputs["Y"][0]] = cell.inputs["A"][0]
            elif cell.type in INPUTS:
                gates.append(cell)
            elif cell.type not in {"$scopeinfo", "$check", "$print"}:
                raise ToolFailedError(f"{cell.type} is no gate that can be simulated.")
        return gates, registers

    def _arranged(
        self, gates: Sequence[Cell], registers: Sequence[Cell]
    ) -> tuple[tuple[_Group, ...], tuple[_Registers, ...]]:
        """Number the rows and return the gates by depth and kind, the registers by reset."""
        for bits in self.netlist.inputs.values():
            self._number(bits)
        kinds: defaultdict[tuple[str, str], list[Cell]] = defaultdict(list)
        for cell in registers:
            found = _REGISTER.fullmatch(cell.type)
            assert found is not None
            value = found[2] or str(cell.inputs.get("AD", [""])[0])
            kinds[found[1] or "", value].append(cell)
        firsts = []
        for cells in kinds.values():
            firsts.append(len(self._rows))
            self._number(cell.outputs["Q"][0] for cell in cells)
        self.register_rows = {
            cell.outputs["Q"][0]: self._rows[cell.outputs["Q"][0]] for cell in registers
        }
        """The row of each register bit."""
        groups = []
        for (_, kind), cells in sorted(self._by_depth(gates).items()):
            inputs = tuple(self.rows(c.inputs[pin][0] for c in cells) for pin in INPUTS[kind])
            groups.append(_Group(kind, len(self._rows), inputs))
            self._number(cell.outputs["Y"][0] for cell in cells)
        states = []
        for first, ((active, value), cells) in zip(firsts, kinds.items(), strict=True):
            following = self.rows(cell.inputs["D"][0] for cell in cells)
            pins = (cell.inputs.get("R") or cell.inputs["L"] for cell in cells if active)
            reset = self.rows(pin[0] for pin in pins) if active else None
            states.append(_Registers(first, following, reset, int(active == "P"), int(value or 0)))
        return tuple(groups), tuple(states)

    def _by_depth(self, gates: Sequence[Cell]) -> dict[tuple[int, str], list[Cell]]:
        drivers = {cell.outputs["Y"][0]: cell for cell in gates}
        waits = {
            out: [
                bit
                for bits in cell.inputs.values()
                for b in bits
                if (bit := self._real(b)) in drivers
            ]
            for out, cell in drivers.items()
        }
        depth: dict[Bit, int] = {}
        found: defaultdict[tuple[int, str], list[Cell]] = defaultdict(list)
        try:
            for out in TopologicalSorter(waits).static_order():
                depth[out] = 1 + max((depth[bit] for bit in waits[out]), default=0)
                found[depth[out], drivers[out].type].append(drivers[out])
        except CycleError:
            raise ToolFailedError("the netlist has a combinational loop.") from None
        return found

    def _number(self, bits: Iterable[Bit]) -> None:
        for bit in bits:
            self._rows.setdefault(bit, len(self._rows))

    def _real(self, bit: Bit) -> Bit:
        while bit in self._alias:
            bit = self._alias[bit]
        return bit

    def _row(self, bit: Bit) -> int:
        return self._rows.get(self._real(bit), 0)


class Lanes:
    """The state of ``gates`` for ``count`` operations side by side, from registers that are 0."""

    def __init__(self, gates: Gates, count: int) -> None:
        self.gates, self.count = gates, count
        self.all = pack(np.ones((1, count), dtype=bool))
        self.values = np.zeros((gates.nets, self.all.shape[1]), dtype=np.uint64)
        self.values[1] = self.all

    def put(self, port: str, values: Words) -> None:
        """Set the input ``port``: a row a bit, or one row for all bits."""
        self.values[self.gates.rows(self.gates.netlist.inputs[port])] = values

    def get(self, port: str) -> Words:
        """Return the output ``port``, a row a bit."""
        return self.values[self.gates.rows(self.gates.netlist.outputs[port])]

    def settle(self) -> None:
        """Evaluate all gates."""
        values = self.values
        for group in self.gates.groups:
            a = values.take(group.inputs[0], axis=0)
            out = values[group.first : group.first + len(a)]
            if group.kind == "$_NOT_":
                np.bitwise_xor(a, self.all, out=out)
                continue
            b = values.take(group.inputs[1], axis=0)
            if group.kind == "$_MUX_":
                b ^= a
                b &= values.take(group.inputs[2], axis=0)
                np.bitwise_xor(a, b, out=out)
                continue
            if group.kind == "$_AND_":
                np.bitwise_and(a, b, out=out)
            elif group.kind == "$_OR_":
                np.bitwise_or(a, b, out=out)
            else:
                np.bitwise_xor(a, b, out=out)
            if group.kind == "$_XNOR_":
                out ^= self.all

    def clock(self) -> None:
        """Make the settled values of D those of Q, at a rising edge."""
        values = self.values
        following = []
        for each in self.gates.registers:
            new = values.take(each.following, axis=0)
            if each.reset is not None:
                reset = values.take(each.reset, axis=0) ^ (self.all * (1 - each.active))
                new = new | reset if each.value else new & ~reset
            following.append(new)
        for each, new in zip(self.gates.registers, following, strict=True):
            values[each.first : each.first + len(new)] = new


def pack(bits: Marks) -> Words:
    """Return rows of bits, a column a lane, as rows of words."""
    missing = -bits.shape[1] % 64
    padded = np.pad(bits, ((0, 0), (0, missing)))
    octets = np.packbits(padded, axis=1, bitorder="little")
    return np.ascontiguousarray(octets).view(np.uint64)


def unpack(words: Words, count: int) -> Octets:
    """Return rows of words as rows of ``count`` bits, a column a lane."""
    octets = np.ascontiguousarray(words).view(np.uint8)
    return np.unpackbits(octets, axis=1, count=count, bitorder="little")


def columns(values: Sequence[int], width: int) -> Words:
    """Return the value of each lane as ``width`` rows."""
    size = (width + 7) // 8
    octets = np.frombuffer(b"".join(v.to_bytes(size, "little") for v in values), dtype=np.uint8)
    bits = np.unpackbits(octets.reshape(len(values), size), axis=1, bitorder="little")
    return pack(bits[:, :width].T.astype(bool))


def integers(words: Words, count: int) -> list[int]:
    """Return the value of each lane of rows, the lowest bit first."""
    bits = unpack(words, count).T
    octets = np.packbits(bits, axis=1, bitorder="little")
    return [int.from_bytes(row.tobytes(), "little") for row in octets]
