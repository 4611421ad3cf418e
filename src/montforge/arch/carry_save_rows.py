# SPDX-License-Identifier: Apache-2.0
"""Rows of full and half adders on Python integers, for the cycle models."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

COMPRESSOR_TREE = (
    "prim/mf_tree_pkg.sv",
    "prim/mf_full_adder_row.sv",
    "prim/mf_compressor_row.sv",
    "prim/mf_compressor_tree.sv",
)
"""Files of a compressor tree, in compile order."""
TREE_STAGES = (COMPRESSOR_TREE[0], "prim/mf_tree_stage_pkg.sv", *COMPRESSOR_TREE[1:])
"""Files of compressor trees with registers in them."""

CarrySavePair = tuple[int, int]


def full_adder_row(s: int, c: int, x: int) -> CarrySavePair:
    """Return sum and carry vectors of a row of full adders; their sum is ``s + c + x``."""
    half = s ^ c
    return half ^ x, ((s & c) | (half & x)) << 1


def half_adder_row(s: int, c: int) -> CarrySavePair:
    """Return sum and carry vectors of a row of half adders; their sum is ``s + c``."""
    return s ^ c, (s & c) << 1


def double_half_adder_row(s: int, c: int) -> CarrySavePair:
    """Return sum and carry vectors of two half-adder rows in series ("2H_CSA")."""
    return half_adder_row(*half_adder_row(s, c))


def settled(s: int, c: int, row: Callable[[int, int], CarrySavePair]) -> tuple[int, int]:
    """Return the sum of a pair, and the number of ``row`` steps after which the carries are 0."""
    count = 0
    while c:
        s, c = row(s, c)
        count += 1
    return s, count


def booth_rows(
    x: int, operand_bits: int, digit: int, digit_bits: int, bits: int
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the rows, and the ones that complete them, of a digit times ``x``: `mf_unit_rows`.

    ``digit`` has its bits above the transfer into it, in two's complement; bits above it are
    ignored. ``x`` is two's complement of ``operand_bits`` bits. The sum is modulo 2^``bits``. Two
    terms or more.
    """
    terms, mask = (digit_bits + 1) // 2, (1 << bits) - 1
    digit &= (2 << digit_bits) - 1
    digit |= (digit >> digit_bits) << (digit_bits + 1)  # an odd digit is sign-extended
    rows, ones = [], []
    for j in range(terms):
        high, middle, low = (digit >> (2 * j + i) & 1 for i in (2, 1, 0))
        multiple = abs(middle + low - 2 * high) * x << (2 * j)
        negative = high & ~(middle & low)
        multiple = ~multiple if negative else multiple
        top = operand_bits + 2 * j  # the sign's column
        sign = multiple >> top & 1
        rest = multiple & ((1 << top) - 1)
        first = (1 - sign) << 2 | 3 * sign | -1 << (2 * terms)
        signs = 2 | (1 - sign) if j else first
        rows.append((rest | signs << top) & mask)
        ones.append(negative)
    return tuple(rows), tuple(ones)


@dataclass(frozen=True)
class Level:
    """A level of a compressor tree, as in `mf_tree_pkg`: ``rows`` with the late ones that join."""

    start: int
    joining: int
    rows: int
    fours: int
    threes: int


def _levels(rows: int, late: int, lateness: int, kept: int, full: int) -> tuple[Level, ...]:
    """Return the levels of a tree; bit i of ``full``: level i is one of full adders."""
    found: list[Level] = []
    start, present, waiting = 0, rows - late, late
    while True:
        joining = waiting if start >= lateness or present < 3 else 0
        start = max(start, lateness) if joining else start
        present, waiting = present + joining, waiting - joining
        needed = max(present + waiting - kept, 0)
        fours = 0 if full >> len(found) & 1 else min(present // 4, needed // 2)
        threes = min((present - 4 * fours) // 3, needed - 2 * fours)
        found.append(Level(start, joining, present, fours, threes))
        if not fours and not threes:
            return tuple(found)
        start += 3 if fours else 2
        present -= 2 * fours + threes


_CHOSEN_LEVELS = 4


def tree_levels(rows: int, late: int = 0, lateness: int = 0, kept: int = 2) -> tuple[Level, ...]:
    """Return the levels of a `mf_compressor_tree`; the last one has its outputs, no groups."""
    choices = (_levels(rows, late, lateness, kept, full) for full in range(1 << _CHOSEN_LEVELS))
    return min(choices, key=lambda levels: levels[-1].start)


def rows_after(rows: int, delay: int) -> int:
    """Return the fewest rows, but two, that a tree leaves of ``rows`` in ``delay`` XOR gates."""
    return min(
        level.rows
        for full in range(1 << _CHOSEN_LEVELS)
        for level in _levels(rows, 0, 0, 2, full)
        if level.start <= delay
    )


def compressor_row(a: int, b: int, c: int, d: int, carry: int) -> CarrySavePair:
    """Return sum and carry vectors of a row of 4:2 compressors; their sum is that of all five.

    ``carry`` is a bit. `mf_compressor_row` takes ``d`` as its first vector, ``a`` as its last.
    """
    half, between = full_adder_row(a, b, c)
    return full_adder_row(half, d, between | carry)


def reduced(
    vectors: tuple[int, ...], ones: tuple[int, ...], bits: int, late: int = 0, lateness: int = 0
) -> CarrySavePair:
    """Return the two vectors modulo 2^``bits`` that a `mf_compressor_tree` leaves.

    The free places of its rows take ``ones``. The last ``late`` vectors are ``lateness`` late.
    """
    mask, early = (1 << bits) - 1, len(vectors) - late
    rows, waiting, free = list(vectors[:early]), list(vectors[early:]), list(ones)
    for level in tree_levels(len(vectors), late, lateness):
        rows = waiting[: level.joining] + rows
        results = []
        for _ in range(level.fours):
            (d, c, b, a), rows = rows[:4], rows[4:]
            s, carry = compressor_row(a, b, c, d, free.pop(0))
            results += [s & mask, carry & mask | free.pop(0)]
        for _ in range(level.threes):
            (x, c, s), rows = rows[:3], rows[3:]
            s, carry = full_adder_row(s, c, x)
            results += [s & mask, carry & mask | free.pop(0)]
        rows = results + rows
    return rows[0], rows[1]
