# SPDX-License-Identifier: Apache-2.0
"""Exponentiation by Montgomery products: the multiplications, in their order.

An algorithm is a generator of turns. A turn is one multiplication, or two at once on two
multipliers in lockstep; the next turn needs its results.
``rtl/modexp/mf_modexp_control.sv`` is checked against it.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

R2L, L2R, SQUARE_MULTIPLY_ALWAYS = "r2l", "l2r", "square_multiply_always"
LADDER, WINDOW, SLIDING, F4 = "ladder", "window", "sliding", "f4"
ALGORITHMS = (R2L, L2R, SQUARE_MULTIPLY_ALWAYS, LADDER, WINDOW, SLIDING, F4)
"""All algorithms; the position is the RTL's parameter Algorithm."""
WITH_DIGITS = (WINDOW, SLIDING)
"""Those that take digits of more than one bit."""
WITH_TWO_MULTIPLIERS = (R2L, LADDER)
"""Those whose two multiplications of a bit do not depend on each other."""
REGULAR = (R2L, SQUARE_MULTIPLY_ALWAYS, LADDER, WINDOW)
"""Those whose turns depend on the exponent's length only."""
WITH_DUMMIES = (R2L, SQUARE_MULTIPLY_ALWAYS)
"""Those that compute products which are dropped: a fault there tells a bit of the exponent."""
F4_EXPONENT = 65537

Pair = tuple[int, int]
Steps = Generator["Turn", Sequence[int], int]


class Turn(NamedTuple):
    """One turn: its step (``enter``, ``table``, ``square``, ``product``, ``both``, ``leave``), and
    the operands of each multiplication; the last multiplier's are last.
    """

    step: str
    operands: tuple[Pair, ...]


@dataclass(frozen=True)
class Plan:
    """An algorithm with its digit's bits (``w``) and its number of multipliers."""

    algorithm: str
    w: int = 1
    multipliers: int = 1

    def steps(self, x: int, e: int, length: int, r1: int, r2: int) -> Steps:
        """Yield the turns of x^e; a caller sends the products and is returned the last one.

        ``x`` is plain, ``r1`` = R mod n, ``r2`` = R^2 mod n; ``length`` bits of ``e`` are
        processed, at least one.
        """
        bits = [e >> i & 1 for i in reversed(range(max(length, 1)))]
        if self.algorithm == F4:
            return _f4(x, r2)
        if self.algorithm == WINDOW:
            return _window(x, bits, self.w, r1, r2)
        if self.algorithm == SLIDING:
            return _sliding(x, bits, self.w, r1, r2)
        if self.algorithm == L2R:
            return _left_to_right(x, bits, r1, r2, always=False)
        if self.algorithm == SQUARE_MULTIPLY_ALWAYS:
            return _left_to_right(x, bits, r1, r2, always=True)
        if self.algorithm == LADDER:
            return _ladder(x, bits, r1, r2, self.multipliers)
        return _right_to_left(x, bits, r1, r2, self.multipliers)

    def turns(self, e: int, length: int) -> int:
        """Return the number of turns of x^e, entering and leaving included."""
        return sum(1 for _ in run(self.steps(0, e, length, 0, 0), lambda a, b: 0))

    def bounds(self, length: int) -> tuple[int, int]:
        """Return the fewest and the most turns of the exponents of ``length`` bits."""
        tau, w = max(length, 1), self.w
        if self.algorithm == F4:
            return 18, 18
        if self.algorithm == WINDOW:
            digits = -(-tau // w)
            turns = w * (digits - 1) + 2 ** (w - 1) - 1 + digits + 2 ** (w - 1)
            return turns, turns
        if self.algorithm == L2R:
            return tau + 2, tau + length + 2
        if self.algorithm == SLIDING:
            # The digits with a product begin at least w bits apart, the first digit has none.
            table = 2 ** (w - 1) if w > 1 else 0
            return table + 2 + tau - min(w, tau), table + 1 + tau + -(-(tau - 1) // w)
        turns = (tau if self.multipliers == 2 else 2 * tau) + 2
        return turns, turns

    def entries(self) -> int:
        """Return the number of powers in the table; 0 for algorithms without one."""
        if self.algorithm == WINDOW:
            return 1 << self.w
        return (1 << self.w - 1) + 1 if self.algorithm == SLIDING else 0


def run(steps: Steps, multiply: Callable[[int, int], int]) -> Iterator[Turn]:
    """Yield the turns of ``steps`` with all products made by ``multiply``."""
    try:
        turn = next(steps)
        while True:
            yield turn
            turn = steps.send([multiply(a, b) for a, b in turn.operands])
    except StopIteration:
        return


def _one(step: str, a: int, b: int) -> Generator[Turn, Sequence[int], int]:
    products = yield Turn(step, ((a, b),))
    return products[0]


def _f4(x: int, r2: int) -> Steps:
    t = yield from _one("enter", x, r2)
    for _ in range(16):
        t = yield from _one("square", t, t)
    return (yield from _one("leave", t, x))


def _left_to_right(x: int, bits: list[int], r1: int, r2: int, *, always: bool) -> Steps:
    xb = yield from _one("enter", x, r2)
    t = r1
    for bit in bits:
        t = yield from _one("square", t, t)
        if bit or always:
            product = yield from _one("product", t, xb)
            t = product if bit else t
    return (yield from _one("leave", t, 1))


def _ladder(x: int, bits: list[int], r1: int, r2: int, multipliers: int) -> Steps:
    a, b = r1, (yield from _one("enter", x, r2))
    for bit in bits:
        a, b = (b, a) if bit else (a, b)
        if multipliers == 2:
            a, b = yield Turn("both", ((a, a), (a, b)))
        else:
            b = yield from _one("product", a, b)
            a = yield from _one("square", a, a)
        a, b = (b, a) if bit else (a, b)
    return (yield from _one("leave", a, 1))


def _right_to_left(x: int, bits: list[int], r1: int, r2: int, multipliers: int) -> Steps:
    y = yield from _one("enter", x, r2)
    t = r1
    for bit in reversed(bits):
        if multipliers == 2:
            y, product = yield Turn("both", ((y, y), (y, t)))
        else:
            product = yield from _one("product", y, t)
            y = yield from _one("square", y, y)
        t = product if bit else t
    return (yield from _one("leave", t, 1))


def _window(x: int, bits: list[int], w: int, r1: int, r2: int) -> Steps:
    padded = [0] * (-len(bits) % w) + bits
    digits = [int("".join(map(str, padded[i : i + w])), 2) for i in range(0, len(padded), w)]
    table = [r1, (yield from _one("enter", x, r2))]
    for j in range(2, 1 << w):
        a, b = (table[j - 1], table[1]) if j % 2 else (table[j // 2], table[j // 2])
        table.append((yield from _one("table", a, b)))
    t = table[digits[0]]
    for digit in digits[1:]:
        for _ in range(w):
            t = yield from _one("square", t, t)
        t = yield from _one("product", t, table[digit])
    return (yield from _one("leave", t, 1))


def sliding_digits(bits: Sequence[int], w: int) -> list[tuple[int, int]]:
    """Return ``(squarings, value)`` of each digit, highest first; the value is 0 or odd.

    A digit is a zero bit, or the longest string of at most ``w`` bits that begins and ends with 1.
    """
    digits = []
    at = 0
    while at < len(bits):
        size = 1
        if bits[at]:
            size = max(i + 1 for i, bit in enumerate(bits[at : at + w]) if bit)
        digits.append((size, int("".join(map(str, bits[at : at + size])), 2)))
        at += size
    return digits


def _sliding(x: int, bits: list[int], w: int, r1: int, r2: int) -> Steps:
    powers = {0: r1, 1: (yield from _one("enter", x, r2))}
    if w > 1:
        square = yield from _one("table", powers[1], powers[1])
        for odd in range(3, 1 << w, 2):
            powers[odd] = yield from _one("table", powers[odd - 2], square)
    (_, first), *rest = sliding_digits(bits, w)
    t = powers[first]
    for squarings, digit in rest:
        for _ in range(squarings):
            t = yield from _one("square", t, t)
        if digit:
            t = yield from _one("product", t, powers[digit])
    return (yield from _one("leave", t, 1))
