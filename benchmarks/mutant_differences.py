# SPDX-License-Identifier: Apache-2.0
"""Whether a difference between a design and its mutant reaches an output, for values not known.

Both run side by side: a net has the pairs of values that it can have in the two. Data that are not
known are the same in both, and the handshake is known, so that a mutant in a part of the schedule
that no result comes from shows no difference. An operation on gates never has fewer pairs than all
values that it stands for, and can have more.
"""

from __future__ import annotations

import time
from collections.abc import Sequence

from montforge.arch import Core
from montforge.errors import ToolFailedError
from montforge.prove.drive import RESET_EDGES
from montforge.prove.gates import Gates, columns, pack, unpack
from montforge.work.arrays import Rows, Words, np

OPERATIONS = 2
IDLE = 8
"""Cycles without a request, in which no response comes."""


class Pairs:
    """The pairs of values that nets of ``gates`` can have, in ``count`` lanes.

    ``can`` has four rows of words for each net: pair 2 x + y is x in the design, y in the mutant.
    """

    def __init__(self, gates: Gates, count: int) -> None:
        self.gates, self.count = gates, count
        self.all = pack(np.ones((1, count), dtype=bool))
        self.can = np.zeros((4, gates.nets, self.all.shape[1]), dtype=np.uint64)
        self.can[0], self.can[3] = self.all, self.all
        self.put(gates.rows("01"), pack(np.array([[False] * count, [True] * count])))

    def put(self, rows: Rows, design: Words, mutant: Words | None = None) -> None:
        """Set nets to known values, a row each, or one row for all; those of both, or of each."""
        mutant = design if mutant is None else mutant
        for pair in range(4):
            x = design if pair // 2 else self.all & ~design
            y = mutant if pair % 2 else self.all & ~mutant
            self.can[pair, rows] = x & y

    def settle(self) -> None:
        """Evaluate all gates."""
        for group in self.gates.groups:
            out = self.can[:, group.first : group.first + len(group.inputs[0])]
            a = self.can[:, group.inputs[0]]
            if group.kind == "$_NOT_":
                out[:] = a[::-1]
                continue
            b = self.can[:, group.inputs[1]]
            if group.kind == "$_MUX_":
                s = self.can[:, group.inputs[2]]
                for pair in range(4):
                    x, y = divmod(pair, 2)
                    out[pair] = (s[0] & a[pair]) | (s[3] & b[pair])
                    out[pair] |= s[1] & (a[2 * x] | a[2 * x + 1]) & (b[y] | b[y + 2])
                    out[pair] |= s[2] & (b[2 * x] | b[2 * x + 1]) & (a[y] | a[y + 2])
                continue
            apart = (a[1] & b[2]) | (a[2] & b[1])
            if group.kind in {"$_AND_", "$_OR_"}:
                low, high = (0, 3) if group.kind == "$_AND_" else (3, 0)
                out[high] = a[high] & b[high]
                out[low] = a[low] | b[low] | apart
                for pair in (1, 2):
                    out[pair] = (a[high] & b[pair]) | (a[pair] & (b[pair] | b[high]))
                continue
            flip = 0 if group.kind == "$_XOR_" else 3
            for pair in range(4):
                out[pair ^ flip] = (
                    (a[0] & b[pair]) | (a[1] & b[pair ^ 1]) | (a[2] & b[pair ^ 2])
                ) | (a[3] & b[pair ^ 3])

    def clock(self) -> None:
        """Make the settled values of D those of Q, at a rising edge.

        A reset is known, and the same in both.
        """
        following = []
        for each in self.gates.registers:
            new = self.can[:, each.following]
            if each.reset is not None:
                active = self.can[3 * each.active, each.reset]
                new &= ~active
                new[3 * each.value] |= active
            following.append(new)
        for each, new in zip(self.gates.registers, following, strict=True):
            self.can[:, each.first : each.first + new.shape[1]] = new

    def differs(self, rows: Rows) -> Words:
        """Return the lanes in which one of the nets ``rows`` can differ."""
        found: Words = np.bitwise_or.reduce(self.can[1, rows] | self.can[2, rows], axis=0)
        return found

    def hidden(self, row: Rows) -> Words:
        """Return the lanes in which net ``row`` is not known."""
        (found,) = self.can[0, row] & self.can[3, row]
        words: Words = found
        return words

    def known(self, row: Rows) -> Words:
        """Return the lanes in which net ``row`` is 1 in both, where it is known."""
        (found,) = self.can[3, row]
        words: Words = found
        return words


def unshown(
    design: Core,
    gates: Gates,
    select: str,
    numbers: Sequence[int],
    known: Sequence[dict[str, int]],
    seconds: float,
) -> set[int]:
    """Return those mutants ``numbers`` whose difference no output shows in two operations.

    They come one after the other as soon as the design takes them, some time after a reset.
    ``gates`` has all mutants, and the input ``select`` chooses one. Each is tried with each of the
    values ``known`` of operands in turn; all other operands, and all registers before the reset,
    may have any. What nets can be after the second operation they can be after the first, so that
    more of them show nothing either. Raises ToolFailedError after ``seconds``.
    """
    deadline = time.monotonic() + seconds
    lanes = [(number, values) for number in numbers for values in known]
    state = Pairs(gates, len(lanes))
    inputs, outputs = gates.netlist.inputs, gates.netlist.outputs
    contract = design.contract

    def put(port: str, values: Words) -> None:
        state.put(gates.rows(inputs[port]), values)

    bits = inputs[select]
    chosen = columns([number for number, _ in lanes], len(bits))
    state.put(gates.rows(bits), np.zeros_like(chosen), chosen)
    for port in known[0]:
        put(port, columns([values[port] for _, values in lanes], len(inputs[port])))
    for control in contract.controls:
        put(control.port.name, state.all * control.idle)
    put("req_valid_i", state.all * 0)
    put("rsp_ready_i", state.all)
    put("rst_ni", state.all * 0)
    for _ in range(RESET_EDGES):
        state.settle()
        state.clock()
    put("rst_ni", state.all)
    ready, valid = (gates.rows(outputs[name]) for name in ("req_ready_o", "rsp_valid_o"))
    results = gates.rows(bit for port in contract.result_ports for bit in outputs[port.name])
    registers = np.concatenate([*gates.named_registers.values()])
    shown = np.zeros_like(state.all[0])

    def step(asks: Words) -> tuple[Words, Words]:
        """Simulate a cycle and return the lanes in which a request and a response are taken."""
        nonlocal shown
        if time.monotonic() > deadline:
            raise ToolFailedError("the simulation did not end within its time.")
        put("req_valid_i", asks)
        state.settle()
        shown = shown | state.differs(np.concatenate([ready, valid]))
        shown |= state.hidden(ready) | state.hidden(valid)
        answered = state.known(valid)
        shown |= answered & state.differs(results)
        taken = asks[0] & state.known(ready)
        state.clock()
        return taken, answered

    def rest() -> Words:
        """Let some cycles pass, and return what registers can be then."""
        nonlocal shown
        for _ in range(IDLE):
            _, answered = step(state.all * 0)
            shown = shown | answered
        return state.can[:, registers]

    rest()
    after = []
    for _ in range(OPERATIONS):
        asks = due = state.all
        for _ in range(contract.turn.maximum + IDLE):
            taken, answered = step(asks)
            shown |= answered & ~due[0]
            asks, due = asks & ~taken, due & ~answered
            if not (due & ~shown).any():
                break
        shown |= due[0]
        after.append(state.can[:, registers])
    more = np.bitwise_or.reduce(after[1] & ~after[0], axis=(0, 1))
    seen = unpack((shown | more)[np.newaxis], len(lanes))[0]
    return set(numbers) - {number for (number, _), each in zip(lanes, seen, strict=True) if each}
