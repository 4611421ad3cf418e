# SPDX-License-Identifier: Apache-2.0
"""Lemmas on the blocks in rtl/booth: recoders, multiples, and compressor trees of adder rows."""

from __future__ import annotations

from collections.abc import Sequence

from montforge.arch.carry_save_rows import tree_levels
from montforge.prove.statement import (
    Expression,
    Operand,
    bits_and,
    bits_or,
    bits_xor,
    either,
    every,
    net,
    part,
    pow2,
    size,
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


def compressor_row(
    vectors: Sequence[Expression],
    sum_: Expression,
    carry: Expression,
    width: Operand,
    bits: Sequence[Operand],
) -> tuple[Expression, Expression]:
    """Return the statements on a mf_compressor_row of four ``vectors``: two rows of full adders.

    ``bits`` are what takes the free lowest places of the carries in it, and of the carry vector.
    """
    d, c, b, a = vectors
    below = bits_or(bits_and(a, b), bits_and(bits_xor(a, b), c))
    half = bits_xor(bits_xor(a, b), c)
    return row((half, d, (2 * below) % pow2(width) + bits[0]), sum_, carry, width, bits[1])


class Tree:
    """A mf_compressor_tree to two vectors of ``width`` bits, ``late`` ones of them ``lateness``."""

    def __init__(
        self,
        name: str,
        width: Expression,
        inputs: int,
        late: int = 0,
        lateness: int = 0,
        ends: tuple[str, str] = ("", ""),
        copy: tuple[Operand, Operand] | None = None,
    ) -> None:
        """``ends`` are the nets of all inputs and of the result; by default the tree's own.

        ``copy`` is the tree's number and how many there are, whose nets are side by side.
        """
        self.name, self.width, self.inputs = name, width, inputs
        self.late, self.lateness = late, lateness
        self.levels = tree_levels(inputs, late, lateness)
        self.copy = copy
        self.rows = net(ends[0] or f"{name}.rows_i", inputs * width)
        self._last = ends[1] or f"{name}.rows_o"

    def vector(self, number: Operand) -> Expression:
        """Return an input."""
        return part(self.rows, number * self.width, self.width)

    @property
    def sum_(self) -> Expression:
        """The sum vector of the result."""
        return self._result(len(self.levels) - 2, 0)

    @property
    def carry(self) -> Expression:
        """The carry vector of the result."""
        return self._result(len(self.levels) - 2, 1)

    def _result(self, level: int, place: int) -> Expression:
        """Return a row that a level leaves; those that it passes come last."""
        at, last = self.levels[level], level == len(self.levels) - 2
        count = at.rows - 2 * at.fours - at.threes
        width, first = count * self.width, place * self.width
        if self.copy is not None:
            number, copies = self.copy
            width, first = copies * width, number * width + first
        left = net(self._last if last else f"{self.name}.gen_level[{level}].next", width)
        return part(left, first, self.width)

    def statements(
        self, bits: Sequence[Operand], inputs: Sequence[Expression] = ()
    ) -> tuple[Expression, ...]:
        """Return the statements on all rows; ``bits`` are the single bits, in their order.

        ``inputs`` are the values of the inputs; by default they are those of a net.
        """
        found: list[Expression] = []
        free = list(bits)
        vectors = list(inputs) or [self.vector(number) for number in range(self.inputs)]
        early = self.inputs - self.late
        rows = vectors[:early]
        for number, level in enumerate(self.levels):
            rows = (vectors[early:] if level.joining else []) + rows
            groups = [4] * level.fours + [3] * level.threes
            results = [self._result(number, place) for place in range(2 * len(groups))]
            for place, group in enumerate(groups):
                taken, rows = rows[:group], rows[group:]
                sum_, carry = results[2 * place : 2 * place + 2]
                if group == 4:
                    found += compressor_row(
                        taken, sum_, carry, self.width, (free.pop(0), free.pop(0))
                    )
                else:
                    found += row(taken[::-1], sum_, carry, self.width, free.pop(0))
            rows = results + rows
        return tuple(found)


def levels_of_tree(
    name: str, width: Expression, inputs: int, outputs: int = 2
) -> tuple[Expression, ...]:
    """Return the statements on all levels of a mf_compressor_tree without single bits.

    A level has three: on its groups of four vectors, on those of three, and on vectors that it
    passes. The last level passes all vectors to the result.
    """
    g, rows = size("g"), net(f"{name}.rows_i", inputs * width)
    found: list[Expression] = []
    for number, level in enumerate(tree_levels(inputs, kept=outputs)):
        fours, threes = level.fours, level.threes
        grouped, made = 4 * fours + 3 * threes, 2 * (fours + threes)
        passed = level.rows - grouped
        after = net(f"{name}.gen_level[{number}].next", (made + passed) * width)

        def taken(place: Expression, of: Expression = rows) -> Expression:
            return part(of, place * width, width)

        def left(place: Expression, of: Expression = after) -> Expression:
            return part(of, place * width, width)

        in_four = [taken(4 * g + i) for i in range(4)]
        in_three = [taken(3 * g + (4 * fours + i)) for i in (2, 1, 0)]
        of_four = (left(2 * g + 0), left(2 * g + 1))
        of_three = (left(2 * g + 2 * fours), left(2 * g + (2 * fours + 1)))
        found += (
            every("g", fours, *compressor_row(in_four, *of_four, width, (0, 0))),
            every("g", threes, *row(in_three, *of_three, width, 0)),
            every("g", passed, left(g + made).eq(taken(g + grouped))),
        )
        rows = after
    return (*found, net(f"{name}.rows_o", outputs * width).eq(rows))


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


def is_negative(window: Expression) -> Expression:
    """Return whether the term of three bits is negative."""
    return either(window.eq(7), 0, window // 4)


def by_magnitude(window: Expression, of_one: Operand, of_two: Operand) -> Expression:
    """Return the choice by the magnitude of the term of three bits; 0 of 0."""
    found = either(window.eq(3), of_two, either(window.eq(4), of_two, of_one))
    return either(window.eq(0), 0, either(window.eq(7), 0, found))


def times_term(window: Expression, x: Expression, ones: Expression) -> Expression:
    """Return x times the term of three bits, of a negative one the complement of ``ones``."""
    magnitude = by_magnitude(window, x, 2 * x)
    return either(is_negative(window).eq(1), ones - 1 - magnitude, magnitude)


def product_row(
    rows: Expression,
    at: Expression,
    count: Expression,
    width: Expression,
    x: Expression,
    y: Expression,
) -> Expression:
    """Return the statement on row ``at`` of products side by side, by mf_booth_rows.

    Each has ``count`` rows of operands of ``width`` bits. A row is x times a term of y, with a
    constant for the sign, and the 1 of the row below.
    """
    row, bits = at % count, 2 * width + 1
    weight = pow2(2 * row)
    window, window_below = ((2 * y) // weight) % 8, ((8 * y) // weight) % 8
    term = window // 2 + window % 2 - 4 * (window // 4)
    topmost = either((width % 2).eq(0), 1, 3)
    sign = either(row.eq(count - 1), 0, either(row.eq(count - 2), topmost, 3))
    constant = either(row.eq(0), 4, sign) * pow2(width + 1)
    own = weight * (term * x - is_negative(window) + constant)
    return part(rows, at * bits, bits).eq(own + (weight // 4) * is_negative(window_below))


def booth_row(
    row: Expression, count: Expression, width: Expression, x: Expression, y: Expression
) -> Expression:
    """Return the value of ``row`` of the ``count`` rows of mf_booth_rows with ``width`` bits.

    It is that of `product_row`, by the bits of the row and the constant of its sign.
    """
    weight = pow2(2 * row)
    window, below = ((2 * y) // weight) % 8, ((8 * y) // weight) % 8
    bits = times_term(window, x, pow2(width + 1))
    topmost = either((width % 2).eq(0), 1, 3)
    sign = either(row.eq(count - 1), 0, either(row.eq(count - 2), topmost, 3))
    sign = either(row.eq(0), 4, sign) - is_negative(window)
    return weight * (bits + sign * pow2(width + 1)) + (weight // 4) * is_negative(below)
