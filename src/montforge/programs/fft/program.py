# SPDX-License-Identifier: Apache-2.0
"""Micro-programs of the FFT-based multiplier, and the cycles that they take.

An element has three units that work at the same time: the FFT operator, the multiplier-adder and
the adder with the subtractor. Each does its own list of steps in order; a step starts when its
unit is free and each unit has completed the number of steps that it waits for. `schedule` is the
cycle model; ``scripts/make_programs.py`` writes these lists into ``rtl/fft/mf_fft_pkg.sv``.

Ring memories of an element: S0, S1, S2 (spectra), T (time domain); digit memories X, Y, M.

Source: Dai 2018, Fig. 4, 8, 9 and Section 6; timing of the units: header of each module in
``rtl/fft``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from typing import NamedTuple

from montforge.programs.fft.parameters import FAST, RELAXED, SWAPPED, ParameterSet
from montforge.programs.fft.transform import bit_reversed, short_rows

GENERAL, SQUARING, COMMON, LAST, PAIR = "general", "squaring", "common", "last", "pair"
FORMS = (GENERAL, SQUARING, COMMON, LAST, PAIR)
"""x y; y^2 (or x y with x in the other element); A and X known; y times 1; y^2 and t y in turns on
one element, whose memories hold two contexts."""

BUTTERFLY_CYCLES, FAST_BUTTERFLY_CYCLES = 8, 5
"""Cycles of a butterfly; in the fast variant there are no registers around the sum."""
ACCESS_CYCLES = 3
"""Cycles that reading and writing add to those of the butterflies of a pass."""
ACCUMULATE_LATENCY, ADD_LATENCY = 8, 4
"""Cycles that a pass of the adder takes beyond one for each segment."""
DIRECT_LATENCY = 2
"""Cycles that the result takes beyond its accumulation, if a digit of it keeps the carry."""
SQRT2_LATENCY = 2
"""Cycles that a multiplication by sqrt 2 adds, in rings with a half-integer c."""


class Wait(NamedTuple):
    """The numbers of steps of each unit that must have been completed."""

    transforms: int = 0
    products: int = 0
    passes: int = 0


@dataclass(frozen=True)
class Transform:
    """A transform. ``second``: nega-cyclic (cyclic with the swapped moduli), for h; else for r.

    ``other``: of a pair of contexts the second, whose y is t; the same in all kinds of steps.
    """

    source: str
    target: str
    second: bool
    inverse: bool
    wait: Wait
    other: bool = False


@dataclass(frozen=True)
class Product:
    """s products ``a * b``: b is the forwarded word of a memory, a constant, or one.

    In a pair of contexts the forwarded words are those of the first.
    With ``add`` the word of S2 is added. ``streamed``: the product reads the transform that it
    waits for while that transform runs, and writes where the transform does not. ``reversed``: an
    inverse transform reads the product while it is written. `Timing` has the cycles that the fast
    variant saves by both.
    """

    a: str
    b: str
    target: str
    add: bool
    streamed: bool
    reversed: bool
    wait: Wait
    other: bool = False

    @property
    def reads_target(self) -> bool:
        """Whether the product reads the memory that it writes."""
        return self.target in (self.a, self.b)


@dataclass(frozen=True)
class Pass:
    """A pass of the adder over the segments.

    accumulate: carries of the words of T, low digits to M; add: carry to the digits of M; fix:
    the carry of the add, or 1 if its digits are all ones; short: the carry to the first
    segments; result: 1 + carry - digits of M, halved.
    """

    kind: str
    second: bool
    wait: Wait
    other: bool = False


@dataclass(frozen=True)
class Program:
    """The three lists of steps."""

    transforms: tuple[Transform, ...]
    products: tuple[Product, ...]
    passes: tuple[Pass, ...]


class Variant(NamedTuple):
    """Parameters of a program."""

    form: str
    all_at_once: bool
    relaxed: bool
    swapped: bool
    ladder: bool
    early: bool
    """The spectrum of y for h is made beside the products, not beside the adder."""
    redundant: bool = False
    """The result keeps a carry in a digit."""


def variant_of(chosen: ParameterSet, form: str, *, ladder: bool = False) -> Variant:
    """Return the variant of ``form`` under a parameter set."""
    two_steps = form in (GENERAL, SQUARING)
    return Variant(
        form,
        chosen.all_at_once or not two_steps,
        chosen.reduction == RELAXED and form != LAST,
        chosen.moduli == SWAPPED,
        ladder and form == SQUARING,
        form == PAIR or (chosen.variant == FAST and _has_early(form, chosen.all_at_once)),
        chosen.redundant and form in (SQUARING, PAIR),
    )


def _has_early(form: str, all_at_once: bool) -> bool:
    """Return whether there are two products in a row, beside which a transform can be made."""
    return form in (COMMON, LAST, PAIR) or (form == SQUARING and all_at_once)


@cache
def program(variant: Variant) -> Program:
    """Return the micro-program of a variant."""
    builder = _Builder(variant)
    return builder.build_pair() if variant.form == PAIR else builder.build()


class _Builder:
    """Writes the lists; each step waits for the latest steps whose data it reads or overwrites."""

    def __init__(self, variant: Variant) -> None:
        self.variant = variant
        self.transforms: list[Transform] = []
        self.products: list[Product] = []
        self.passes: list[Pass] = []

    def build(self) -> Program:
        form, all_at_once = self.variant.form, self.variant.all_at_once
        general = form == GENERAL
        first = 1 + general  # transforms before the first product of two spectra
        m_transform = self._order().index("ICTm") + 1
        if form in (GENERAL, SQUARING):
            self._product("S0" if general else "S1", "N'", "S0", Wait(1), last=not all_at_once)
            a_transforms = first if all_at_once else self._order().index("CTa") + 1
            a, b = ("S0", "S1") if general or self.variant.ladder else ("S1", "S0")
            self._product(a, b, "S0", Wait(a_transforms), last=True)
        else:
            self._product("S1", "A" if form == COMMON else "N'", "S0", Wait(1), last=True)
        second = self._order().index("NCTy") + 1
        b = {GENERAL: "S1", SQUARING: "S2", COMMON: "X", LAST: "1"}[form]
        self._product("S2", b, "S2", Wait(second))
        m_done = Wait(self._order().index("NCTm") + 1)
        self._product("S1", "N", "S0", m_done, add=True, last=True)

        if not all_at_once:
            self._reduction(self._order().index("ICTa") + 1, short=not self.variant.swapped)
        self._reduction(m_transform, short=self.variant.relaxed)
        m_passes = len(self.passes)
        a_passes = 0 if all_at_once else (3 if self.variant.swapped else 2)
        self._end(len(self._order()))

        for name in self._order():
            inverse = name.startswith("I")
            source = "S0" if inverse else {"x": "X", "y": "Y", "a": "M", "m": "M"}[name[-1]]
            second_kind = name in ("NCTx", "NCTy", "NCTm", "INCT")
            wait = {
                "ICTa": Wait(products=1),
                "CTa": Wait(passes=a_passes),
                "ICTm": Wait(products=len(self.products) - 2),
                "NCTm": Wait(passes=m_passes),
                "INCT": Wait(products=len(self.products)),
            }.get(name, Wait())
            target = {
                "CTx": "S0",
                "NCTx": "S2",
                "CTy": "S1",
                "NCTy": "S1" if general else "S2",
                "NCTm": "S1",
            }.get(name, "T" if inverse else "S0")
            self.transforms.append(Transform(source, target, second_kind, inverse, wait))
        return Program(tuple(self.transforms), tuple(self.products), tuple(self.passes))

    def build_pair(self) -> Program:
        """Return the steps of y^2 and of t y, taking turns by whole transforms."""
        self._product("S1", "N'", "S0", Wait(1))
        self._product("S0", "S1", "S0", Wait(1), last=True)
        self._product("S1", "N'", "S0", Wait(2), other=True)
        self._product("S0", "S1", "S0", Wait(2), last=True, other=True)
        # The transform of y comes first in t y: the square takes its place.
        self._product("S1", "S2", "S2", Wait(4), other=True)
        self._product("S2", "S2", "S2", Wait(3))
        m_passes = []
        for other in (False, True):
            self._reduction(5 + other, short=self.variant.relaxed, other=other)
            m_passes.append(len(self.passes))
            m_done = Wait(7 + other)
            self._product("S1", "N", "S0", m_done, add=True, last=True, other=other)
        for other in (False, True):
            self._end(9 + other, other=other)
        for source, targets, second, inverse, waits in (
            ("Y", ("S1", "S1"), False, False, (Wait(), Wait())),
            ("Y", ("S2", "S1"), True, False, (Wait(), Wait(products=3))),
            ("S0", ("T", "T"), False, True, (Wait(products=2), Wait(products=4))),
            ("M", ("S1", "S1"), True, False, (Wait(0, 4, m_passes[0]), Wait(0, 5, m_passes[1]))),
            ("S0", ("T", "T"), True, True, (Wait(products=7), Wait(products=8))),
        ):
            for other in (False, True):
                target, wait = targets[other], waits[other]
                self.transforms.append(Transform(source, target, second, inverse, wait, other))
        return Program(tuple(self.transforms), tuple(self.products), tuple(self.passes))

    def _order(self) -> tuple[str, ...]:
        """Return the transforms in order; the spectrum of y for h is late, beside the adder.

        If it is early, it is beside the products.
        """
        tail = ("ICTm", "NCTy", "NCTm", "INCT")
        if self.variant.form == GENERAL:
            if self.variant.all_at_once:
                return ("CTx", "CTy", "NCTx", *tail)
            return ("CTx", "CTy", "ICTa", "CTa", "NCTx", *tail)
        if self.variant.early:
            return ("CTy", "NCTy", "ICTm", "NCTm", "INCT")
        if self.variant.all_at_once:
            return ("CTy", *tail)
        return ("CTy", "ICTa", "NCTy", "CTa", "ICTm", "NCTm", "INCT")

    def _product(
        self,
        a: str,
        b: str,
        target: str,
        wait: Wait,
        *,
        add: bool = False,
        last: bool = False,
        other: bool = False,
    ) -> None:
        streamed = a == "S1" and b not in ("S0", "S1", "S2") and target == "S0"
        self.products.append(Product(a, b, target, add, streamed, last, wait, other))

    def _reduction(self, transforms: int, *, short: bool, other: bool = False) -> None:
        self._pass("accumulate", False, Wait(transforms), other=other)
        if short:
            self._pass("short", False, other=other)
        else:
            self._pass("add", False, other=other)
            self._pass("fix", False, other=other)

    def _end(self, transforms: int, *, other: bool = False) -> None:
        if self.variant.redundant:
            self._pass("direct", True, Wait(transforms), other=other)
            return
        self._pass("accumulate", True, Wait(transforms), other=other)
        if self.variant.swapped:
            self._pass("add", True, other=other)
        self._pass("result", True, other=other)

    def _pass(
        self,
        kind: str,
        second: bool,
        wait: Wait = Wait(),  # noqa: B008
        *,
        other: bool = False,
    ) -> None:
        self.passes.append(Pass(kind, second, wait._replace(passes=len(self.passes)), other))


# ---------------------------------------------------------------- cycles


@dataclass(frozen=True)
class RowOrder:
    """The order in which the passes of a transform of s words take their rows of four.

    Rotated: pass number k takes at place j the row j rotated to the right by k bits, with four
    butterflies by 2k; then the rows that a row needs were done one after another in the first
    passes. Otherwise all take them in order.
    """

    s: int
    butterflies: int
    rotated: bool

    @property
    def bits(self) -> int:
        """Bits of a row's number."""
        return self.s.bit_length() - 3

    @property
    def passes(self) -> int:
        """Passes of a transform."""
        return (self.bits + 2) * 2 // self.butterflies

    def row(self, number: int, place: int) -> int:
        """Return the row at a place of a pass."""
        shift = self.butterflies // 2 * number % self.bits if self.rotated else 0
        return (place >> shift | place << self.bits - shift) & ((1 << self.bits) - 1)

    @cached_property
    def waits(self) -> tuple[int, ...]:
        """The places by which each pass but the first must be behind the one before."""
        found, rows, each = [], self.s // 4, self.butterflies
        for number in range(1, self.passes):
            places = self._places(number - 1)
            found.append(
                max(
                    places[(each * self.row(number, place) + k) % rows] - place
                    for place in range(rows)
                    for k in range(each)
                )
            )
        return tuple(found)

    @cached_property
    def words_place(self) -> int:
        """Place of the last pass after which a product can read a word a cycle, in order."""
        return self._last_place(range(self.s), 1)

    @cached_property
    def reversed_place(self) -> int:
        """The same for a product in the order in which an inverse transform reads."""
        return self._last_place(self._reversed(), 1)

    def segments_place(self, segment: int) -> int:
        """Return the same for a pass of the adder, which reads a segment a cycle."""
        return self._last_place(range(self.s), segment)

    @cached_property
    def reversed_lead(self) -> int:
        """The most words by which a reversed product is ahead of one in order."""
        return max(word - k for k, word in enumerate(self._reversed()))

    def _reversed(self) -> list[int]:
        return [bit_reversed(k, self.bits + 2) for k in range(self.s)]

    def _places(self, number: int) -> dict[int, int]:
        return {self.row(number, place): place for place in range(self.s // 4)}

    def _last_place(self, words: Sequence[int], each: int) -> int:
        # Steps start a cycle after the write of that place.
        places = self._places(self.passes - 1)
        quarter, half = self.s // 4, self.s // 2
        rows = [word % quarter if self.butterflies == 4 else word % half // 2 for word in words]
        return max(0, max(places[row] - k // each for k, row in enumerate(rows)) - 1)


@dataclass(frozen=True)
class Timing:
    """Cycles of the units under a parameter set and a ring multiplier."""

    chosen: ParameterSet
    levels: int

    @property
    def multiplier_latency(self) -> int:
        """Cycles from the read of a pair of words to the read of their product."""
        return multiplier_latency(self.levels)

    @property
    def order(self) -> RowOrder:
        """The order in which the passes take their rows."""
        s, butterflies = self.chosen.s, self.chosen.butterflies
        natural = RowOrder(s, butterflies, rotated=False)
        late = max(natural.waits) + self.butterfly_latency > s // 4
        return RowOrder(s, butterflies, rotated=self.fast and late)

    @property
    def periods(self) -> tuple[int, ...]:
        """Cycles between the starts of two passes: s/4 rows, and their data must be there.

        A pass is a stage, with four butterflies a pair of stages.
        """
        latency = self.butterfly_latency
        return tuple(max(self.chosen.s // 4, wait + latency) for wait in self.order.waits)

    @property
    def butterfly_latency(self) -> int:
        """Cycles from the read of a row to the read of its result."""
        cycles = FAST_BUTTERFLY_CYCLES if self.fast else BUTTERFLY_CYCLES
        return ACCESS_CYCLES + cycles * self.chosen.butterflies // 2 + self._sqrt2

    @property
    def occupancy(self) -> int:
        """Cycles from the start of a transform to the next one's."""
        return sum(self.periods) + self.chosen.s // 4

    @property
    def transform(self) -> int:
        """Cycles of a transform."""
        return self.occupancy + self.butterfly_latency

    @property
    def fast(self) -> bool:
        """Whether streamed steps begin early, and reversed products are in that order."""
        return self.chosen.variant == FAST

    def ahead(self, step: Transform | Product | Pass, before: Product | None) -> int:
        """Return the cycles by which a step of the fast variant begins before its data are there.

        Products and passes begin as soon as none of their reads comes before its write in the last
        stage. The first stage of an inverse transform reads four words a cycle, in the order of
        reversed products; ``before`` is the product that it waits for, whose reads it must not
        meet.
        """
        s = self.chosen.s
        if not self.fast:
            return 0
        if isinstance(step, Transform):
            if before is None or not step.inverse:
                return 0
            return min(s // 4 - 1, self.multiplier_latency) if before.reads_target else s // 4 - 1
        if isinstance(step, Pass):
            if step.kind not in ("accumulate", "direct"):
                return 0
            return s // 4 - 1 - self.order.segments_place(self.chosen.segment)
        if not step.streamed:
            return 0
        return s // 4 - 1 - (self.order.reversed_place if step.reversed else self.order.words_place)

    def gap(self, step: Product) -> int:
        """Return the cycles from the last read of a product to the start of a reversed one after.

        Its words must not be read before the one before, in order, has written them.
        """
        if not (self.fast and step.reversed):
            return 0
        return max(0, self.order.reversed_lead + self.multiplier_latency + 1 - self.chosen.s)

    @property
    def rows(self) -> int:
        """Segments of a number."""
        return self.chosen.s // self.chosen.segment

    def of_pass(self, kind: str) -> int:
        """Return the cycles of a pass of the adder."""
        if kind in ("accumulate", "direct"):
            more = DIRECT_LATENCY if kind == "direct" else 0
            return self.rows + ACCUMULATE_LATENCY + self._sqrt2 + more
        return (short_rows(self.chosen) if kind == "short" else self.rows) + ADD_LATENCY

    @property
    def _sqrt2(self) -> int:
        return SQRT2_LATENCY * (self.chosen.half_c % 2)


def multiplier_latency(levels: int) -> int:
    """Return the cycles from the read of two ring words to the read of their product.

    Two for reading, one for the fold and the addition; from three Karatsuba levels on, each level
    has two registers in place of one.
    """
    return 5 + (2 * levels if levels > 2 else levels)


def default_levels(ring_bits: int) -> int:
    """Return the Karatsuba levels that leave multipliers of at most 18 bits, at least one."""
    return max(1, (-(-ring_bits // 17) - 1).bit_length())


class Slot(NamedTuple):
    """Start of a unit's step, and the cycle from which its results can be read."""

    start: int
    done: int


class Schedule(NamedTuple):
    """The slots of the three lists of steps, and the cycles of the whole."""

    transforms: tuple[Slot, ...]
    products: tuple[Slot, ...]
    passes: tuple[Slot, ...]
    cycles: int


def schedule(chosen: ParameterSet, levels: int, form: str, *, ladder: bool = False) -> Schedule:
    """Return the start of each step: its unit is free, and the steps that it waits for are done."""
    return schedule_of(Timing(chosen, levels), variant_of(chosen, form, ladder=ladder))


@cache
def schedule_of(timing: Timing, variant: Variant) -> Schedule:
    """Return the schedule of a program with given times of the units."""
    steps = program(variant)
    s = timing.chosen.s
    slots: tuple[list[Slot], list[Slot], list[Slot]] = ([], [], [])
    busy = [(timing.occupancy, timing.transform), (s, s + timing.multiplier_latency)]
    lists: tuple[tuple[Transform | Product | Pass, ...], ...] = (
        steps.transforms,
        steps.products,
        steps.passes,
    )
    free = [0, 0, 0]
    while any(len(done) < len(todo) for done, todo in zip(slots, lists, strict=True)):
        for unit in range(3):
            if len(slots[unit]) == len(lists[unit]):
                continue
            step = lists[unit][len(slots[unit])]
            if any(len(slots[k]) < step.wait[k] for k in range(3)):
                continue
            before = steps.products[step.wait.products - 1] if step.wait.products else None
            ahead = timing.ahead(step, before)
            # A step is ahead of the first unit that it waits for, no other.
            ready = [slots[k][step.wait[k] - 1].done for k in range(3) if step.wait[k]]
            if ahead:
                ready[0] -= ahead
            gap = timing.gap(step) if isinstance(step, Product) and slots[1] else 0
            start = max([free[unit] + gap, *ready])
            if isinstance(step, Pass):
                occupied = taken = timing.of_pass(step.kind)
            else:
                occupied, taken = busy[unit]
            slots[unit].append(Slot(start, start + taken))
            free[unit] = start + occupied
    return Schedule(
        tuple(slots[0]), tuple(slots[1]), tuple(slots[2]), max(slot.done for slot in slots[2])
    )


def variants() -> list[Variant]:
    """Return all variants, in the order of their numbers in the RTL.

    Redundant ones, which differ in their passes alone, have the numbers of the others.
    """
    found = []
    for form in FORMS:
        for all_at_once in (True, False) if form in (GENERAL, SQUARING) else (True,):
            for early in _early(form, all_at_once):
                for relaxed, swapped in ((False, False), (True, False), (False, True)):
                    for ladder in (False, True) if form == SQUARING else (False,):
                        if not (relaxed and form == LAST):
                            found.append(
                                Variant(form, all_at_once, relaxed, swapped, ladder, early)
                            )
    return found


def _early(form: str, all_at_once: bool) -> tuple[bool, ...]:
    if form == PAIR:  # of the fast variant alone
        return (True,)
    return (False, True) if _has_early(form, all_at_once) else (False,)
