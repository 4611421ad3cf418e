# SPDX-License-Identifier: Apache-2.0
"""Where values can flow in a netlist: from inputs through gates and registers to other nets.

The flow is that of the structure, so it holds for all values and all cycles. A cell that is not
known lets each of its inputs reach each of its outputs.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterable, Iterator

from montforge.prove.netlist import Bit, Cell, Netlist

_BITWISE = {"$not", "$pos", "$and", "$or", "$xor", "$xnor", "$bwmux"}
_CARRYING = {"$add", "$sub", "$mul", "$neg"}
"""Bit i of the result depends on the bits 0 to i of the operands."""


class Flow:
    """All nets that the bits ``sources`` reach in ``netlist`` without one of the bits ``cut``."""

    def __init__(self, netlist: Netlist, sources: Iterable[Bit], cut: Iterable[Bit] = ()) -> None:
        self.netlist, self._cut = netlist, set(cut)
        self._from: dict[Bit, Bit | None] = {bit: None for bit in sources if isinstance(bit, int)}
        self._lowest: dict[int, int] = {}
        self._spread: set[int] = set()
        self._follow()

    def reached(self, bits: Iterable[Bit]) -> list[Bit]:
        """Return those of ``bits`` that the sources reach."""
        return [bit for bit in bits if bit in self._from]

    def path(self, bit: Bit) -> list[str]:
        """Return the names of the nets on a shortest path from a source to ``bit``, both too."""
        found: list[str] = []
        at: Bit | None = bit
        while at is not None:
            name = self.netlist.names.get(at, "")
            if name and not name.startswith("$") and (not found or found[-1] != name):
                found.append(name)
            at = self._from[at]
        return found[::-1]

    def _follow(self) -> None:
        users: defaultdict[Bit, list[tuple[int, str, int]]] = defaultdict(list)
        for number, cell in enumerate(self.netlist.cells):
            for port, bits in cell.inputs.items():
                for at, bit in enumerate(bits):
                    users[bit].append((number, port, at))
        queue = deque(self._from)
        while queue:
            bit = queue.popleft()
            for number, port, at in users[bit]:
                for target in self._targets(number, port, at):
                    if (
                        isinstance(target, int)
                        and target not in self._from
                        and target not in self._cut
                    ):
                        self._from[target] = bit
                        queue.append(target)

    def _targets(self, number: int, port: str, at: int) -> Iterator[Bit]:
        """Yield the output bits of a cell that bit ``at`` of an input ``port`` reaches."""
        if number in self._spread:
            return
        cell = self.netlist.cells[number]
        kind = cell.type
        if kind in _CARRYING and port in {"A", "B"}:
            known = self._lowest.get(number)
            if known is None or at < known:
                self._lowest[number] = at
                for bits in cell.outputs.values():
                    yield from bits[at:known]
        elif (kind in _BITWISE and port in {"A", "B"}) or (kind == "$mux" and port in {"A", "B"}):
            yield from _bit_and_extension(cell, port, at)
        elif kind == "$bwmux" and port == "S":
            yield cell.outputs["Y"][at]
        elif kind == "$pmux" and port in {"A", "B"}:
            yield cell.outputs["Y"][at % len(cell.outputs["Y"])]
        elif cell.is_register and port in {"D", "AD"}:
            yield cell.outputs["Q"][at]
        elif kind == "$mem_v2" and port == "WR_DATA":
            yield from cell.outputs["RD_DATA"][
                at % cell.parameters["WIDTH"] :: cell.parameters["WIDTH"]
            ]
        else:
            self._spread.add(number)
            for bits in cell.outputs.values():
                yield from bits


def _bit_and_extension(cell: Cell, port: str, at: int) -> list[Bit]:
    """Return bit ``at`` of the result, and those above that the top bit of an operand fills."""
    result = cell.outputs["Y"]
    is_top = at == len(cell.inputs[port]) - 1
    return result[at:] if is_top and cell.parameters.get(f"{port}_SIGNED") else result[at : at + 1]
