# SPDX-License-Identifier: Apache-2.0
"""A cycle model of an array of FIOS elements: all of its registers, cycle by cycle."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from montforge.programs.fios.array import Array
from montforge.programs.fios.microprogram import IDLE, C, Operation, Slot, microcode, program


class OperationInput(NamedTuple):
    """One multiplication as words: x, y, and the n stream (which starts with n0' if not unit)."""

    x: list[int]
    y: list[int]
    n: list[int]


@dataclass
class _ElementState:
    """Registers of one element in the cycle model."""

    x: int = 0
    first: bool = False
    m: int = 0
    p: int = 0
    top: int = 0
    pins: list[int] = field(default_factory=lambda: [0, 0])
    saves: list[int] = field(default_factory=lambda: [0, 0, 0, 0])
    issued: dict[int, tuple[Operation, int, int]] = field(default_factory=dict)
    addends: dict[int, int] = field(default_factory=dict)


class Word(NamedTuple):
    """A word of a result that the cycle model emits: its cycle, operation, number, value."""

    cycle: int
    operation: int
    number: int
    value: int


def simulate(array: Array, word_width: int, operations: list[OperationInput]) -> list[Word]:
    """Run the registers of all elements, cycle by cycle, with operations at the interval.

    Returns the words of the results. Cycle 0 issues the first operation's first step. Asserts that
    no value is wider than its registers.
    """
    element, code = array.element, microcode(array.element)
    slots = program(element, array.words)
    contexts: list[dict[int, tuple[int, int]]] = [{} for _ in range(array.count)]
    target = 0
    for k in range(len(operations)):
        for i in range(array.words):
            start = k * array.interval + array.start(i)
            contexts[(target + i) % array.count][start] = (k, i)
        target = (target + array.words) % array.count if array.rotates else 0
    current = [dict(c) for c in contexts]
    states = [_ElementState() for _ in range(array.count)]
    sent: list[dict[int, int]] = [{} for _ in states]
    words: list[Word] = []
    mask = (1 << word_width) - 1
    margin = 4

    def slot_of(g: int, cycle: int) -> tuple[Slot | None, int, int]:
        for start, (k, i) in current[g].items():
            if 0 <= cycle - start < len(slots):
                return slots[cycle - start], k, i
        return None, 0, 0

    for t in range(-margin, (len(operations) - 1) * array.interval + array.core_cycles + margin):
        for g, state in enumerate(states):
            late_top, _, _ = slot_of(g, t - element.level - 2)
            hold = late_top is not None and code.rows[late_top.step].top
            sent[g][t] = state.top if hold else state.p & mask
        for g, state in enumerate(states):
            for start in [s for s in current[g] if t - s > array.slots + 2 * element.level + 2]:
                del current[g][start]
            slot, k, i = slot_of(g, t)
            row = code.rows[slot.step if slot else IDLE]
            if slot and row.load_x:
                state.x, state.first = operations[k].x[i], i == 0
            a = (state.x, state.p & mask, state.m)[row.a]
            b = 0
            if slot and slot.b:
                b = (operations[k].y if slot.b[0] == "y" else operations[k].n)[slot.b[1]]
            state.issued[t] = row.op, a, b

            adding = t - element.c_cycle
            slot, _, i_adding = slot_of(g, adding)
            add_row = code.rows[slot.step if slot else IDLE]
            before = (g - 1) % array.count
            delay = array.loop_delay if g == 0 else 0
            pin = sent[before].get(t - delay, 0)
            saves = [state.p, *state.saves]
            position = code.save_depth - add_row.save_early
            c = saves[position] if add_row.c is C.SAVED else [pin, *state.pins][add_row.c]
            first = slot is not None and i_adding == 0
            state.addends[adding] = 0 if first and add_row.c is not C.SAVED else c
            assert not add_row.op.value & 2 or c >> (2 * word_width) == 0
            pins = [pin, *state.pins][:2] if add_row.pin_shift else state.pins

            slot, k, i = slot_of(g, t - element.level)
            late_row = code.rows[slot.step if slot else IDLE]
            if late_row.save_shift:
                state.saves = saves[:4]
            if slot and i == array.words - 1:
                words += [
                    Word(t, k, j, (state.p & mask) if h == 0 else state.p >> word_width)
                    for h, j in enumerate(slot.out)
                ]
            if row.load_m:
                state.m = state.p & mask
            state.pins = pins
            state.top = state.p >> word_width if late_row.top else state.top
        for state in states:
            done = t - element.level + 1
            if done in state.issued:
                op, a, b = state.issued.pop(done)
                state.p = op.apply(state.p, a, b, state.addends.pop(done, 0), word_width)
                assert state.p >> (2 * word_width + 1) == 0
    return words
