# SPDX-License-Identifier: Apache-2.0
"""Parameter sets of the FFT-based McLaughlin multiplier: the rules for legal ones, and the choice.

A set has s = 2^v digits of u bits (b = 2^u, l = u s, r = 2^l - 1, h = 2^l + 1) and a ring of
integers modulo q = 2^N + 1, N = c s, in which omega = 2^(2c) is a primitive s-th root of unity
and phi = 2^c its square root. c is an integer or a half-integer (phi = 2^(c - 1/2) sqrt 2).

Source: Dai 2018, Section 5.2 and Table 3; the exact conditions E1 to E10 are those that executed
models showed to be needed.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property

STANDARD, SWAPPED = "standard", "swapped"
CANONICAL, RELAXED = "canonical", "relaxed"
PUBLISHED, SINGLE = "published", "single"
FAST = "fast"
UNSIGNED, BALANCED, REDUNDANT = "unsigned", "balanced", "redundant"
MINIMUM_DIGITS = 16
"""Fewest digits that the conflict-free map of the four memory banks takes."""


@dataclass(frozen=True)
class ParameterSet:
    """One choice of digits and ring, of N = ``ring_bits``; ``width`` bounds n < 2^width.

    ``moduli``: standard, r = 2^l - 1 and h = 2^l + 1, or swapped. ``reduction``: whether m is
    reduced below r (canonical) or may exceed it by r (relaxed). ``threshold``: how negative
    coefficients are told, by the published bound of each digit, or by the single one q / 2.
    ``variant``: the published micro-program, or the fast one, in which steps begin before their
    data are complete. ``butterflies``: 2, or 4 that do two stages of a transform at once.
    ``digits``: those of x, y and n' are unsigned, or balanced, from -b/2 to b/2, so that products
    of three at once need two bits less; redundant ones are unsigned, and the last one of the lowest
    segment, below 3b/2, keeps a carry of the result.
    """

    width: int
    u: int
    s: int
    ring_bits: int
    all_at_once: bool = False
    reduction: str = CANONICAL
    moduli: str = STANDARD
    threshold: str = PUBLISHED
    variant: str = PUBLISHED
    butterflies: int = 2
    digits: str = UNSIGNED

    @property
    def v(self) -> int:
        """Stages of a transform."""
        return self.s.bit_length() - 1

    @property
    def b(self) -> int:
        """The base of the digits."""
        return 1 << self.u

    @property
    def l(self) -> int:  # noqa: E743 (the paper's name)
        """Bits of r and h."""
        return self.u * self.s

    @property
    def balanced(self) -> bool:
        """Whether digits are balanced."""
        return self.digits == BALANCED

    @property
    def redundant(self) -> bool:
        """Whether a digit of a result keeps a carry."""
        return self.digits == REDUNDANT

    @property
    def half_c(self) -> int:
        """2c, an integer."""
        return 2 * self.ring_bits // self.s

    @cached_property
    def q(self) -> int:
        """The ring's modulus."""
        return (1 << self.ring_bits) + 1

    @cached_property
    def r(self) -> int:
        """The Montgomery factor."""
        return (1 << self.l) + (1 if self.moduli == SWAPPED else -1)

    @cached_property
    def h(self) -> int:
        """The second modulus."""
        return (1 << self.l) - (1 if self.moduli == SWAPPED else -1)

    @property
    def c(self) -> Fraction:
        """c, an integer or a half-integer."""
        return Fraction(self.ring_bits, self.s)

    @property
    def segment(self) -> int:
        """Digits that the adder takes in a cycle: 4, or 2 where 4 are wider than a ring word."""
        return 4 if 4 * self.u <= self.ring_bits + 4 else 2

    @property
    def omega(self) -> int:
        """The s-th root of unity of the transforms."""
        return 1 << self.half_c

    @property
    def sqrt2(self) -> int:
        """The square root of 2 modulo q, 2^(3N/4) - 2^(N/4); N must be a multiple of 4."""
        return (1 << 3 * self.ring_bits // 4) - (1 << self.ring_bits // 4)

    @property
    def carry_bits(self) -> int:
        """Bits of the signed carry that leaves an accumulation of ring words."""
        plain = self.u + self.v + 1
        return 2 + (max(plain, 2 * self.u + 2 * self.v) if self.all_at_once else plain)

    @property
    def bound_step(self) -> int:
        """Coefficient k of x y + m n is at most (k + 1) times this (eq. 17; Section 8)."""
        return (3 if self.reduction == RELAXED else 2) * (self.b - 1) ** 2

    @property
    def largest_sum(self) -> int:
        """Bound of q for the sum x y + m n: eq. 16, for relaxed m Section 8."""
        if self.moduli == SWAPPED:  # m can be 2^l, with a digit b
            return 2 * self.s * self.b * (self.b - 1)
        return self.s * self.bound_step

    @property
    def largest_product(self) -> int:
        """Bound of q for x y n' at once: eq. 23, of both signs for the swapped moduli.

        Of balanced digits: twice s^2 (b/2)^3. Of redundant ones, whose sum is at most
        s (b - 1) + b/2: (b - 1) times its square, which is less than twice that of unsigned ones.
        """
        if self.balanced:
            return self.s**2 * self.b**3 // 4
        factor = 2 if self.moduli == SWAPPED or self.redundant else 1
        return factor * self.s**2 * (self.b - 1) ** 3

    @property
    def slack(self) -> float:
        """Bits by which q exceeds the bound of the sum x y + m n (negative: they are missing)."""
        return self.ring_bits - math.log2(self.largest_sum)

    @property
    def slack_all_at_once(self) -> float:
        """Bits by which q exceeds the bound of x y n' at once (negative: they are missing)."""
        return self.ring_bits - math.log2(self.largest_product)

    def violations(self) -> list[str]:
        """Return a sentence for each condition that the set breaks, E1 first; none if legal."""
        return list(self._violations())

    def _violations(self) -> Iterator[str]:
        if self.s & (self.s - 1) or self.s < MINIMUM_DIGITS:
            yield f"E1: s = {self.s} digits; s must be a power of two of at least {MINIMUM_DIGITS}"
            return
        if self.u < 1:
            yield f"E8: u = {self.u} bits of a digit; u must be at least {self.v + 4}"
            return
        if 2 * self.ring_bits % self.s or (self.half_c % 2 and self.ring_bits % 4):
            yield (
                f"E2: a ring of N = {self.ring_bits} bits, c = {self.c} with s = {self.s}; N must"
                f" be a multiple of {self.s // 2}, so that c is an integer or a half-integer"
            )
        if self.q <= self.largest_sum:
            number = 3 if self.reduction == RELAXED else 2
            yield (
                f"E3: q = 2^{self.ring_bits} + 1 must exceed {number} s (b - 1)^2"
                f" ({_missing(self.slack)})"
            )
        if self.all_at_once and self.q <= self.largest_product:
            twice = self.moduli == SWAPPED or self.redundant
            bound = "2 s^2 (b - 1)^3" if twice else "s^2 (b - 1)^3"
            bound = "s^2 b^3 / 4" if self.balanced else bound
            yield (
                f"E4: q = 2^{self.ring_bits} + 1 must exceed {bound} for the product"
                f" of three at once ({_missing(self.slack_all_at_once)})"
            )
        if self.l < self.width + 2:
            yield (
                f"E5: r = 2^{self.l} - 1 must exceed 4n for n < 2^{self.width}: u s must be"
                f" {self.width + 2} or more ({self.width + 2 - self.l} bits missing)"
            )
        beyond = self.carry_bits - 1 if self.reduction == RELAXED else 0
        if self.l >= self.width + 2 and self.r < 4 * ((1 << self.width) - 1) + (1 << beyond):
            yield (
                f"E5: for the relaxed reduction r = 2^{self.l} - 1 must exceed 4n + 2^{beyond} for"
                f" n < 2^{self.width}; width must be at most {self.l - 3}"
            )
        if self.u + self.v + 3 >= 2 * self.u:
            yield (
                f"E8: u + v + 3 = {self.u + self.v + 3} must be below 2u = {2 * self.u}, so that"
                f" short additions end in one segment ({self.v + 4 - self.u} bits of u missing)"
            )
        if self.threshold == SINGLE and self.q <= 4 * self.s * (self.b - 1) ** 2:
            missing = self.ring_bits - math.log2(4 * self.s * (self.b - 1) ** 2)
            yield (
                f"E10: q = 2^{self.ring_bits} + 1 must exceed 4 s (b - 1)^2 for the single"
                f" threshold q / 2 ({_missing(missing)})"
            )
        if self.butterflies == 4 and self.v % 2:
            yield (
                f"fused = 1 does two stages at once, and s = {self.s} digits have {self.v}; s must"
                " be 16, 64 or 256"
            )
        if self.balanced and (
            not self.all_at_once
            or (self.variant, self.threshold) != (FAST, SINGLE)
            or (self.reduction, self.moduli) != (CANONICAL, STANDARD)
        ):
            yield (
                "digits = balanced is for all_at_once = 1 with variant = fast, threshold = single,"
                " reduction = canonical and moduli = standard"
            )
        if self.redundant and (
            not self.all_at_once
            or (self.variant, self.reduction, self.moduli) != (FAST, RELAXED, STANDARD)
        ):
            yield (
                "digits = redundant is for all_at_once = 1 with variant = fast, reduction = relaxed"
                " and moduli = standard"
            )
        if self.redundant and self.segment != 4:
            yield (
                f"Segments of four digits, 4u = {4 * self.u} bits: for digits = redundant N must be"
                f" at least 4u - 4 = {4 * self.u - 4}"
            )
        if self.balanced and self.l == self.width + 2:
            # Signs of digits leave t as it is while 2t and the carry are below 2^l.
            yield f"E5: for balanced digits u s must be {self.width + 3} or more (1 bit missing)"
        if self.moduli == SWAPPED and self.reduction == RELAXED:
            yield "swapped moduli need the canonical reduction: m can't be relaxed there"


def _missing(slack: float) -> str:
    return f"{-slack:.1f} bits missing" if slack < 0 else "the bound is reached"


def smallest_u(width: int, s: int) -> int:
    """Return the fewest bits of a digit: u s >= width + 2, and E8."""
    return max(-(-(width + 2) // s), s.bit_length() - 1 + 4)


def balanced_s(width: int) -> int:
    """Return the fewest digits s, of which none has more than s bits."""
    s = MINIMUM_DIGITS
    while smallest_u(width, s) > s:
        s *= 2
    return s


def smallest_c(chosen: ParameterSet, *, halves: bool = True) -> ParameterSet:
    """Return ``chosen`` with the smallest ring in which E2 to E4, E10 and the like hold.

    For redundant digits it is one with segments of four digits, too.
    Without ``halves`` only integers c and 1/2 are taken, as in the paper.
    """
    half_c = 1
    while True:
        found = replace(chosen, ring_bits=half_c * chosen.s // 2)
        of_ring = ("E2", "E3", "E4", "E10", "Segments")
        ring = [text for text in found.violations() if text.startswith(of_ring)]
        if not ring and (halves or half_c == 1 or half_c % 2 == 0):
            return found
        half_c += 1


def published_sets(width: int) -> list[ParameterSet]:
    """Return the parameter set that the paper's procedure (Section 5.2) selects, legal or not.

    With v = 2, 3, ...: s = 2^v, u = ceil((width + 2) / s), c = 1/2 if (v + 2u + 1) / s <= 1/2,
    else ceil((v + 2u + 1) / s); all at once if c >= (2v + 3u) / s; until c = 1/2.
    """
    found = []
    for v in range(2, 12):
        s = 1 << v
        u = -(-(width + 2) // s)
        half_c = 1 if 2 * (v + 2 * u + 1) <= s else 2 * -(-(v + 2 * u + 1) // s)
        all_at_once = half_c * s >= 2 * (2 * v + 3 * u)
        found.append(ParameterSet(width, u, s, half_c * s // 2, all_at_once))
        if half_c == 1:
            break
    return found


def offered_sets(width: int, moduli: str = STANDARD) -> list[ParameterSet]:
    """Return sets worth considering for ``width``: for each s the smallest rings, legal ones.

    Those of the paper's procedure, and for each number of digits the smallest ring with a
    half-integer c, with and without the product of three at once.
    """
    found: dict[ParameterSet, None] = {}
    for published in published_sets(width):
        found[replace(published, moduli=moduli)] = None
    for v in range(4, 10):
        s = 1 << v
        u = smallest_u(width, s)
        if u > -(-(width + 2) // s):
            break
        for all_at_once in (False, True):
            base = ParameterSet(width, u, s, s // 2, all_at_once, moduli=moduli)
            found[smallest_c(base)] = None
    legal = [chosen for chosen in found if not chosen.violations()]
    return sorted(legal, key=lambda chosen: (chosen.s, chosen.ring_bits, chosen.all_at_once))
