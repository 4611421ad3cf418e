# SPDX-License-Identifier: Apache-2.0
"""Rows of full and half adders on Python integers, for the cycle models."""

from __future__ import annotations

from collections.abc import Callable

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


def booth_tree(
    vectors: tuple[int, ...], ones: tuple[int, ...], bits: int, late: int = 0, late_row: int = 0
) -> CarrySavePair:
    """Return the two vectors modulo 2^``bits`` that a tree of full-adder rows leaves.

    As in `mf_booth_tree`, each row takes three vectors from the front of a queue and appends two;
    row i adds ``ones[i]``. The last ``late`` vectors join the queue before row ``late_row``.
    """
    mask, count = (1 << bits) - 1, len(vectors) - 2
    queue, waiting = list(vectors[: len(vectors) - late]), vectors[len(vectors) - late :]
    for row in range(count):
        if row == late_row:
            queue += waiting
        s, c = full_adder_row(*queue[3 * row : 3 * row + 3])
        queue += [s, c & mask | ones[row]]
    return queue[-2], queue[-1]
