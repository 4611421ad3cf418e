# SPDX-License-Identifier: Apache-2.0
"""The lemmas on mf_pipelined_sum: theorems level_sum and converted, proofs/PipelinedSum.v."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from montforge.arch.carry_save_rows import Level, rows_after, tree_levels
from montforge.arch.pipelined_sum import sum_cycles
from montforge.prove.lemmas.booth import compressor_row, row
from montforge.prove.statement import (
    Expression,
    Lemma,
    Operand,
    either,
    every,
    following,
    least,
    net,
    numbered,
    part,
    pow2,
    size,
)

GROUP = 8
"""Bits of a group of mf_pipelined_adder."""
g = size("g")
"""The number of a group of rows, or of bits."""


@dataclass(frozen=True)
class PipelinedSum:
    """A mf_pipelined_sum of ``rows`` vectors of ``width`` bits, whose lemmas begin with ``label``.

    The numbers of rows and of cycles are the sizes LABEL_rows and LABEL_cycles; ``levels`` is its
    parameter. ``each`` are an index and its number of values if there are several, which have {} in
    their name.
    """

    label: str
    name: str
    width: Expression
    rows: int
    levels: int
    each: tuple[str, Expression] | None = None

    def _net(self, of: str, width: Operand) -> Expression:
        """Return one of its nets."""
        name = f"{self.name}.{of}"
        return net(name, width) if self.each is None else numbered(name, size(self.each[0]), width)

    @property
    def inputs(self) -> Expression:
        """All vectors, side by side."""
        return self._net("rows_i", self.rows * self.width)

    @property
    def sum_(self) -> Expression:
        """The sum."""
        return self._net("u_adder.sum_o", self.width)

    def vector(self, number: Operand) -> Expression:
        """Return a vector."""
        return self._of(self.inputs, number)

    def _of(self, vectors: Expression, number: Operand) -> Expression:
        return part(vectors, number * self.width, self.width)

    @property
    def _stages(self) -> Iterator[tuple[int, int]]:
        """The rows before and after each stage of the tree."""
        rows = self.rows
        while True:
            after = rows_after(rows, 2 * self.levels)
            yield rows, after
            if after <= 2:
                return
            rows = after

    def _level(self, at: Level, x: Expression, y: Expression) -> Iterator[Expression]:
        """Yield the statements on the groups of four, of three, and on the rows that pass."""
        fours, threes = (Expression("int", (count,)) for count in (at.fours, at.threes))
        four = [self._of(x, 4 * g + i) for i in range(4)]
        ends = [self._of(y, 2 * g + i) for i in range(2)]
        s, c = compressor_row(four, ends[0], ends[1], self.width, (0, 0))
        yield every("g", fours, s & c)
        three = [self._of(x, 4 * fours + 3 * g + i) for i in range(3)]
        ends = [self._of(y, 2 * fours + 2 * g + i) for i in range(2)]
        s, c = row(three[::-1], ends[0], ends[1], self.width, 0)
        yield every("g", threes, s & c)
        passed = self._of(y, 2 * fours + 2 * threes + g)
        left = at.rows - 4 * at.fours - 3 * at.threes
        yield every("g", left, passed.eq(self._of(x, 4 * fours + 3 * threes + g)))

    @property
    def _tree(self) -> Iterator[Expression]:
        """The statements on the levels of each stage, and then on its registers."""
        rows = self.inputs
        for stage, (before, after) in enumerate(self._stages):
            name = f"gen_stage[{stage}]"
            for number, level in enumerate(tree_levels(before, kept=after)[:-1]):
                left = level.rows - 2 * level.fours - level.threes
                reduced = self._net(f"{name}.u_tree.gen_level[{number}].next", left * self.width)
                yield from self._level(level, rows, reduced)
                rows = reduced
            kept = self._net(f"{name}.rows_q", after * self.width)
            yield following(kept).eq(rows)
            rows = kept
        for number, port in enumerate("ab"):
            added = self._net(f"u_adder.{port}_i", self.width)
            yield part(added, 0, self.width).eq(self._of(rows, Expression("int", (number,))))

    @property
    def _counts(self) -> tuple[Expression, ...]:
        """The statements on the numbers of rows and of cycles for which the tree is printed."""
        cycles = sum_cycles(self.rows, self.levels)
        return size(f"{self.label}_rows").eq(self.rows), size(f"{self.label}_cycles").eq(cycles)

    @property
    def lemmas(self) -> tuple[Lemma, ...]:
        """The lemmas on the tree, on the sums of groups, and on the carries between them."""
        width, count = self.width, (self.width + GROUP - 1) // GROUP
        bits = least(GROUP, width - g * GROUP)

        def adder(of: str, bits_: Operand = width) -> Expression:
            return self._net(f"u_adder.{of}", bits_)

        def group(of: Expression) -> Expression:
            return part(of, 0 + g * GROUP, bits)

        def lemma(label: str, *shows: Expression, note: str = "") -> Lemma:
            return Lemma(f"{self.label}_{label}", (), shows, note, each=self.each)

        a, b, sums, total = (adder(of) for of in ("a_i", "b_i", "sums_q", "sum_o"))
        generates, propagates, carries = (
            adder(of, count) for of in ("generates_q", "propagates_q", "carries")
        )
        pair = part(a, g * GROUP, bits) + part(b, g * GROUP, bits)
        into = ((2 * carries) // pow2(g)) % 2
        passed = either(part(propagates, g).eq(1), into, 0)
        left = group(following(sums)) + pow2(bits) * part(following(generates), g)
        passes = part(following(propagates), g).eq(either(pair.eq(pow2(bits) - 1), 1, 0))
        carry = either(part(generates, g).eq(1), 1, passed)
        increased = (group(sums) + into) % pow2(bits)
        return (
            lemma("tree", *self._counts, *self._tree),
            lemma(
                "groups",
                every("g", count, left.eq(pair + either(g.eq(0), 0, 0)) & passes),
                note="The sums of groups of bits, and whether a carry leaves one or would pass it.",
            ),
            lemma(
                "carries",
                every("g", count, ((carries // pow2(g)) % 2).eq(carry)),
                note="The carries out of the groups.",
            ),
            lemma(
                "sum",
                every("g", count, group(following(total)).eq(increased)),
                note="Each group takes the carry from below.",
            ),
        )
