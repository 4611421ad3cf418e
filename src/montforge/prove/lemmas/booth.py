# SPDX-License-Identifier: Apache-2.0
"""Lemmas on the blocks in rtl/booth: recoders, multiples, and compressor trees of adder rows."""

from __future__ import annotations

from collections.abc import Sequence

from montforge.prove.statement import (
    Expression,
    Operand,
    bits_and,
    bits_or,
    bits_xor,
    net,
    part,
    pow2,
)


class Terms:
    """The Booth terms of one digit: a net of three bits a term, as term_t has them."""

    def __init__(self, of: Expression, count: int) -> None:
        self.of, self.count = of, count

    def negative(self, term: int) -> Expression:
        """Return the bit that a term is negative."""
        return part(self.of, 3 * term)

    def value(self, term: int) -> Expression:
        """Return the value of a term."""
        magnitude = part(self.of, 3 * term + 2) + 2 * part(self.of, 3 * term + 1)
        return magnitude * (1 - 2 * self.negative(term))

    @property
    def digit(self) -> Expression:
        """The sum of all terms by their weights."""
        found = self.value(0)
        for term in range(1, self.count):
            found = found + 4**term * self.value(term)
        return found

    @property
    def legal(self) -> tuple[Expression, ...]:
        """The statements that no term is selected once and twice."""
        return tuple(
            part(self.of, 3 * term + 2) + part(self.of, 3 * term + 1) <= 1
            for term in range(self.count)
        )


def row(
    vectors: Sequence[Expression], sum_: Expression, carry: Expression, width: Operand, bit: Operand
) -> tuple[Expression, Expression]:
    """Return the statements on a mf_full_adder_row of three ``vectors``, bit by bit.

    ``bit`` is what takes the free lowest place of the carry vector.
    """
    x, y, z = vectors
    carries = bits_or(bits_and(x, y), bits_and(bits_xor(x, y), z))
    return (
        sum_.eq(bits_xor(bits_xor(x, y), z)),
        carry.eq((2 * carries) % pow2(width) + bit),
    )


class Tree:
    """A mf_booth_tree: its queue of ``inputs`` vectors of ``width`` bits and the rows' results."""

    def __init__(
        self, name: str, width: Expression, inputs: int, late: int = 0, late_row: int = 0
    ) -> None:
        self.width, self.inputs, self.late, self.late_row = width, inputs, late, late_row
        self.rows = inputs - 2
        self.queue = net(f"{name}.queue", (3 * self.rows + 2) * width)

    def place(self, at: int) -> Expression:
        """Return the vector at a place of the queue."""
        return part(self.queue, at * self.width, self.width)

    def vector(self, number: int) -> Expression:
        """Return an input."""
        early = self.inputs - self.late
        return self.place(number if number < early else number + 2 * self.late_row)

    @property
    def sum_(self) -> Expression:
        """The sum vector of the result."""
        return self.place(3 * self.rows)

    @property
    def carry(self) -> Expression:
        """The carry vector of the result."""
        return self.place(3 * self.rows + 1)

    def statements(self, bits: Sequence[Operand]) -> tuple[Expression, ...]:
        """Return the statements on all rows; ``bits`` are the single bits, one a row."""
        found: list[Expression] = []
        for number, bit in enumerate(bits):
            late = 0 if number < self.late_row else self.late
            out = self.inputs - self.late + 2 * number + late
            vectors = [self.place(3 * number + at) for at in range(3)]
            found += row(vectors, self.place(out), self.place(out + 1), self.width, bit)
        return tuple(found)


def multiple(
    vector: Expression, terms: Terms, term: int, x: Expression, width: Expression
) -> Expression:
    """Return the statement on a mf_booth_multiple of ``x`` by a term, bit by bit.

    ``vector`` has ``width`` bits, and no 1 that completes a negative multiple.
    """
    once, twice = part(terms.of, 3 * term + 2), part(terms.of, 3 * term + 1)
    shifted = (4**term * x) % pow2(width)
    chosen = bits_or(once * shifted, twice * ((2 * shifted) % pow2(width)))
    return vector.eq(bits_xor(chosen, terms.negative(term) * (pow2(width) - 1)))
