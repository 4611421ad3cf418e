# SPDX-License-Identifier: Apache-2.0
"""The operations of an element in each cycle, and the microcode that issues them.

Cycle numbers are relative to the element's first issue. With pipeline level L, the result of the
operation that is issued in cycle c is visible in cycle c + L, and its addend C must be present in
cycle c + L - 1, or c + L - 2 with a C register.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum, IntEnum
from functools import cache
from itertools import product
from typing import Literal, NamedTuple

PUBLISHED, FAST, UNIT = "published", "fast", "unit"
VARIANTS = (PUBLISHED, FAST, UNIT)
LEVELS = (1, 2, 3)
IDLE = 15
"""Number of the step in which an element holds its accumulator."""


class Operation(Enum):
    """Next value of the accumulator P; the value is Z (00: 0, 01: P, 10: P >> w), C, A*B."""

    HOLD = 0b0100
    MUL = 0b0001
    MUL_C = 0b0011
    ACC_MUL = 0b0101
    ACC_MUL_C = 0b0111
    SHIFT = 0b1000
    SHIFT_MUL = 0b1001
    SHIFT_MUL_C = 0b1011

    def apply(self, p: int, a: int, b: int, c: int, word_width: int) -> int:
        """Return the new P, without truncation."""
        z = (0, p, p >> word_width)[self.value >> 2]
        return z + (a * b if self.value & 1 else 0) + (c if self.value & 2 else 0)


class A(IntEnum):
    """The source of the multiplier's operand A: x_i, the low word of P, the register of m_i."""

    X = 0
    P = 1
    M = 2


class C(IntEnum):
    """The source of C: the incoming word at once, after one or two shifts, or a saved value."""

    PIN = 0
    PIN_1 = 1
    PIN_2 = 2
    SAVED = 3


Stream = tuple[Literal["y", "n"], int]
"""A word on the stream of words: which operand, and its number."""


class Slot(NamedTuple):
    """One issue cycle of an element.

    ``b``: ``("y", j)`` or ``("n", j)``, the word on the stream, where ``n`` starts with
    n0' (but not in the unit variant), or None; ``c``: ``("pin", j)``, ``("save", j)`` or None;
    ``save``: which saved value the result is; ``out``: the words of the iteration's result that
    it holds; ``load_m``: A is m_i and must be kept.
    """

    step: int
    op: Operation
    a: A = A.X
    b: Stream | None = None
    c: tuple[Literal["pin", "save"], int] | None = None
    save: int | None = None
    out: tuple[int, ...] = ()
    load_m: bool = False


@dataclass(frozen=True)
class Steps:
    """Numbering of a program's steps: a prologue, a repeated pair, an epilogue."""

    prologue: int
    pairs: int
    tail: int

    @property
    def last(self) -> int:
        """Number of the program's last step."""
        return self.prologue + 2 + self.tail - 1


@dataclass(frozen=True)
class Element:
    """A processing element's variant and pipeline."""

    variant: str
    level: int
    c_register: int

    @property
    def fillers(self) -> int:
        """Products x_i y_j that are done while m_i is not known yet."""
        return 0 if self.variant == UNIT else 2 * (self.level - 1)

    @property
    def minimum_words(self) -> int:
        """Smallest number of words that the program works with."""
        return {PUBLISHED: self.fillers + 1, FAST: self.fillers + 2, UNIT: 4}[self.variant]

    @property
    def c_cycle(self) -> int:
        """Cycles from an operation's issue to the one in which its C must be present."""
        return self.level - 1 - self.c_register

    def steps(self, words: int) -> Steps:
        """Return the numbering of the steps of a program of ``words`` words."""
        if self.variant == UNIT:
            return Steps(max(self.level, 2) + 1, words - 3, 3)
        prologue = 4 * self.level - 1
        if self.variant == PUBLISHED:
            return Steps(prologue, words - 1 - self.fillers, 1)
        return Steps(prologue, words - 2 - self.fillers, 2)


@cache
def program(element: Element, words: int) -> tuple[Slot, ...]:
    """Return the issue cycles of one iteration on ``words`` words (at least the minimum)."""
    assert words >= element.minimum_words
    return tuple(_unit_slots(element, words) if element.variant == UNIT else _slots(element, words))


def _slots(element: Element, words: int) -> Iterator[Slot]:
    """Algorithm 3 for any pipeline level; without its last line in the variant ``fast``."""
    level, fillers, steps = element.level, element.fillers, element.steps(words)

    def early_product(j: int, step: int) -> Slot:
        return Slot(step, Operation.MUL_C, A.X, ("y", j), ("pin", j), save=j)

    yield from (early_product(j, j) for j in range(level))
    yield Slot(level, Operation.MUL, A.P, ("n", 0))
    yield from (early_product(j, j + 1) for j in range(level, fillers + 1))
    yield Slot(2 * level, Operation.MUL_C, A.P, ("n", 1), ("save", 0), load_m=True)
    for j in range(1, fillers + 1):
        yield Slot(
            2 * level + j, Operation.SHIFT_MUL_C, A.M, ("n", j + 1), ("save", j), out=(j - 1,)
        )
    for j in range(fillers + 1, words):
        top = element.variant == FAST and j == words - 1
        step = steps.prologue + (2 if top else 0)
        yield Slot(step, Operation.SHIFT_MUL_C, A.X, ("y", j), ("pin", j))
        out = (j - 1, j) if top else (j - 1,)
        yield Slot(step + 1, Operation.ACC_MUL, A.M, ("n", j + 1), out=out)
    if element.variant == PUBLISHED:
        yield Slot(steps.last, Operation.SHIFT, out=(words - 1,))


def _unit_slots(element: Element, words: int) -> Iterator[Slot]:
    """The program for a modulus that is -1 modulo the word: m_i is the low word of x_i y_0 + P."""
    steps = element.steps(words)
    yield Slot(0, Operation.MUL_C, A.X, ("y", 0), ("pin", 0))
    for step in range(1, steps.prologue - 2):
        yield Slot(step, Operation.HOLD)
    for j in range(1, words):
        step = steps.prologue + (-2 if j == 1 else 2 if j == words - 1 else 0)
        a, load_m = (A.P, True) if j == 1 else (A.M, False)
        x_y: Stream = ("y", j)
        m_n: Stream = ("n", j - 1)
        if element.level == 1:
            yield Slot(step, Operation.SHIFT_MUL, a, m_n, load_m=load_m)
            yield Slot(step + 1, Operation.ACC_MUL_C, A.X, x_y, ("pin", j), out=(j - 1,))
        else:
            yield Slot(step, Operation.SHIFT_MUL_C, A.X, x_y, ("pin", j))
            yield Slot(step + 1, Operation.ACC_MUL, a, m_n, out=(j - 1,), load_m=load_m)
    yield Slot(steps.last, Operation.SHIFT_MUL, A.M, ("n", words - 1), out=(words - 1,))


@dataclass(frozen=True)
class Row:
    """Everything that one step of the microprogram controls."""

    op: Operation = Operation.HOLD
    a: A = A.X
    b: Literal["y", "n", ""] = ""
    c: C = C.PIN
    load_x: bool = False
    load_m: bool = False
    save_shift: bool = False
    save_early: bool = False
    pin_shift: bool = False
    emit: bool = False
    top: bool = False


@dataclass(frozen=True)
class Microcode:
    """The table of steps of an element, and the other constants of its hardware.

    ``offset``: cycles between the starts of two neighbours; ``pin_depth`` and ``save_depth``:
    registers of the queues of incoming words and of saved values.
    """

    element: Element
    rows: tuple[Row, ...]
    offset: int
    pin_depth: int
    save_depth: int


@cache
def microcode(element: Element) -> Microcode:
    """Return the microcode, which serves every number of words; it is that of a long program."""
    slots = program(element, element.minimum_words + 8)
    uses = {s.c[1]: i + element.c_cycle for i, s in enumerate(slots) if s.c and s.c[0] == "pin"}
    sent = _sent(element, slots)
    offset = max(sent[j] - uses[j] for j in uses)
    pin_shifts, pin_taps = _pin_queue(element, slots, uses, {j: sent[j] - offset for j in uses})
    save_shifts, save_taps = _save_queue(element, slots)
    save_depth = max(save_taps.values(), default=0)
    rows = [Row()] * (IDLE + 1)
    for i, slot in enumerate(slots):
        c = C.PIN
        if slot.c:
            c = C(pin_taps[slot.c[1]]) if slot.c[0] == "pin" else C.SAVED
        row = Row(
            op=slot.op,
            a=slot.a,
            b=slot.b[0] if slot.b else "",
            c=c,
            load_x=i == 0,
            load_m=slot.load_m,
            save_shift=i + element.level in save_shifts,
            save_early=c == C.SAVED and slot.c is not None and save_taps[slot.c[1]] < save_depth,
            pin_shift=slot.step in pin_shifts,
            emit=bool(slot.out),
            top=len(slot.out) == 2,
        )
        assert rows[slot.step] in (Row(), row), "one step must always do the same"
        rows[slot.step] = row
    rows[IDLE] = Row(pin_shift=IDLE in pin_shifts)
    return Microcode(element, tuple(rows), offset, max(pin_taps.values()), save_depth)


def _sent(element: Element, slots: tuple[Slot, ...]) -> dict[int, int]:
    """Return the cycle in which each word of the iteration's result is there for the neighbour.

    The last word would come a cycle off the rhythm of the others. The accumulator still holds it
    one cycle later (``published``), or a register holds it (``fast``).
    """
    sent: dict[int, int] = {}
    for i, slot in enumerate(slots):
        late = 1 if slot.op is Operation.SHIFT else 0
        sent |= {j: i + element.level + (late or 2 * k) for k, j in enumerate(slot.out)}
    return sent


def _pin_queue(
    element: Element, slots: tuple[Slot, ...], uses: dict[int, int], arrivals: dict[int, int]
) -> tuple[set[int], dict[int, int]]:
    """Return the steps in which the queue of incoming words shifts, and each word's position.

    The queue shifts when a word comes that is not used at once; position 0 is the word itself.
    A step shifts always or never; more shifts than needed do no harm if positions are right.
    """

    def step_at(cycle: int) -> int:
        slot = cycle - element.c_cycle
        return slots[slot].step if 0 <= slot < len(slots) else IDLE

    kept = [j for j in uses if uses[j] > arrivals[j]]
    steps = {step_at(arrivals[j]) for j in kept}
    if IDLE in steps:
        steps.add(slots[-1].step)  # the element before the first issue: idle, or just done

    def position(j: int) -> int:
        return sum(step_at(cycle) in steps for cycle in range(arrivals[j], uses[j]))

    return steps, {j: position(j) if j in kept else 0 for j in uses}


def _save_queue(element: Element, slots: tuple[Slot, ...]) -> tuple[set[int], dict[int, int]]:
    """Return the cycles in which the queue of saved values shifts, and each value's position.

    Searches all sets of cycles for the fewest positions, then the fewest registers, then shifts.
    """
    made = {s.save: i + element.level for i, s in enumerate(slots) if s.save is not None}
    uses = {s.c[1]: i + element.c_cycle for i, s in enumerate(slots) if s.c and s.c[0] == "save"}
    made = {i: cycle for i, cycle in made.items() if i in uses}
    if not uses:
        return set(), {}
    cycles = range(min(made.values()), max(uses.values()))
    best: tuple[tuple[int, int, int], set[int], dict[int, int]] | None = None
    for chosen in product((False, True), repeat=len(cycles)):
        shifts = {cycle for cycle, shift in zip(cycles, chosen, strict=True) if shift}
        taps = {i: sum(made[i] <= cycle < uses[i] for cycle in shifts) for i in made}
        if any(uses[i] > made[i] and made[i] not in shifts for i in made):
            continue
        cost = (len(set(taps.values())), max(taps.values()), len(shifts))
        if best is None or cost < best[0]:
            best = cost, shifts, taps
    assert best is not None and best[0][0] <= 2
    return best[1], best[2]
