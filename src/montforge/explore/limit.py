# SPDX-License-Identifier: Apache-2.0
"""A bound of area times latency for designs of one row of columns of full adders, on cells.

A cost model of nangate45 cells as they are mapped, without wires, buffers and sizing: a full adder
5.6 um2, a Booth select 2.9, a flip-flop 4.5; a full-adder level 0.10 ns; clock-to-q, select and
setup 0.35 ns. A column of the unit-modulus recurrence (`unit_csa`) with digits of w bits has 5
registers, 6 um2 of multiplexers, two vectors of the products of b, and w adders and selects. It
leaves out the cycles that fill and empty the pipeline, the growth of operands and the conversion.
Trees of 4:2 rows take less than their two levels here: it is no bound for them.
"""

from __future__ import annotations

_REGISTER, _MULTIPLEXERS, _DIGIT_BIT = 4.52, 6.0, 8.5
"""um2 of a column: each register, its multiplexers, adder and select of each bit of a digit."""
_OVERHEAD, _LEVEL = 0.35, 0.10
"""ns of a cycle: beside its full-adder levels, and each of them."""
_FORMS = tuple((digit, delay) for delay in (2, 3) for digit in range(2, 25))


def row_limit(width: int, digit: int, delay: int) -> float:
    """Return the least mm2 ns of one row: ``digit`` bits of a an iteration, ``delay`` 2 or 3.

    With a delay of 2 the rows of a digit's products join the accumulator in one cycle. With 3 they
    are reduced in a cycle before, to the vectors that the accumulator's cycle has time for; the
    registers of these count.
    """
    rows = -(-digit // 2)
    if delay == 2:
        vectors, levels = 0, _levels(rows + 2)
    else:
        levels = 1
        while _levels(_after(rows, levels) + 2) > levels:
            levels += 1
        vectors = _after(rows, levels)
    registers = 5 + 2 + vectors
    column = _REGISTER * registers + _MULTIPLEXERS + _DIGIT_BIT * digit
    return width**2 / digit * column * (_OVERHEAD + _LEVEL * levels) / 1e6


def least_limit(width: int) -> float:
    """Return the least `row_limit` of all digits of 2 to 24 bits and delays, in mm2 ns."""
    return min(row_limit(width, digit, delay) for digit, delay in _FORMS)


def _after(vectors: int, levels: int) -> int:
    """Return the number of vectors that levels of full adders leave."""
    for _ in range(levels):
        vectors -= vectors // 3
    return vectors


def _levels(vectors: int) -> int:
    """Return the levels of full adders that turn vectors into two."""
    return 0 if vectors <= 2 else 1 + _levels(_after(vectors, 1))
