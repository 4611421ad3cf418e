# SPDX-License-Identifier: Apache-2.0
"""The lemmas on mf_unit_accumulator and the Booth terms at its inputs.

Their theorems in Coq rest on proofs/UnitAccumulator.v.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from montforge.prove.lemmas.booth import Tree
from montforge.prove.statement import (
    Expression,
    Lemma,
    Operand,
    bits_or,
    bits_xor,
    either,
    following,
    later,
    net,
    part,
    pow2,
    size,
)

LATENESS = 4
"""Delay by which a digit of the quotient is late for the tree, in XOR gates."""

j = size("j")
"""The number of a Booth term."""


def if_(truth: Expression, yes: Operand = 1, no: Operand = 0) -> Expression:
    """Return ``yes`` if ``truth`` holds, else ``no``; 1 and 0 if they are not given."""
    return either(truth, yes, no)


def booth_terms(of: Expression, valid: Expression, doubled: Expression) -> tuple[Expression, ...]:
    """Return the statements that ``of`` has term j of a digit, or none if not ``valid``.

    ``doubled`` is twice the digit, with a transfer from below added.
    """
    once, twice, negative = (part(of, 3 * j + at) for at in (2, 1, 0))
    three = (doubled // pow2(2 * j)) % 8
    term = three // 2 + three % 2 - 4 * (three // 4)
    return (
        ((once + 2 * twice) * (1 - 2 * negative)).eq(if_(valid.eq(1), term)),
        once + twice <= 1,
        (once + twice >= 1) | negative.eq(0),
    )


def selected(terms: Expression, x: Expression, own: Operand) -> Expression:
    """Return the multiple of ``x`` of ``own`` bits that term j selects, without its 1."""
    once, twice, negative = (part(terms, 3 * j + at) for at in (2, 1, 0))
    shifted = (x * pow2(2 * j)) % pow2(own)
    chosen = bits_or(once * shifted, twice * ((2 * shifted) % pow2(own)))
    return bits_xor(chosen, negative * (pow2(own) - 1))


@dataclass(frozen=True)
class Product:
    """A mf_unit_product, the accumulator's or that of a digit of the quotient."""

    name: str
    terms: int
    state: Expression

    @property
    def rows(self) -> Expression:
        """The rows side by side."""
        return net(f"{self.name}.rows", self.terms * self.state)

    @property
    def vectors(self) -> Expression:
        """The vectors side by side."""
        return net(f"{self.name}.vectors", min(self.terms, 2) * self.state)

    def row(self, number: Operand) -> Expression:
        """Return a row."""
        return part(self.rows, number * self.state, self.state)

    @property
    def reduced_to(self) -> tuple[Expression, ...]:
        """The vectors: two, or the one row that there is."""
        lows: tuple[Operand, ...] = (0, self.state)
        return tuple(part(self.vectors, low, self.state) for low in lows[: self.terms])

    def reduced(self, digit: Expression) -> tuple[Expression, ...]:
        """Return the statements on the tree that reduces the rows; up to two rows are vectors."""
        if self.terms > 2:
            ends = (f"{self.name}.rows", f"{self.name}.vectors")
            tree = Tree(f"{self.name}.gen_tree.u_tree", self.state, self.terms, ends=ends)
            return tree.statements([part(digit, 3 * at) for at in range(self.terms - 2)])
        return tuple(
            part(self.vectors, at * self.state, self.state).eq(self.row(at))
            for at in range(self.terms)
        )


@dataclass(frozen=True)
class Accumulator:
    """A mf_unit_accumulator: its name, sizes, and the nets at its ports.

    ``terms`` and ``stages`` are the numbers of Booth terms of a digit and its parameter Delay,
    ``b`` and ``modulus`` signed integers of ``operand`` and ``modulus_bits`` bits; without ``load``
    it takes no pair. With ``regions`` its terms are copies by region: ``d`` are those of all
    regions, ``q`` the one register from which the copies load, in place of a product's registers.
    """

    name: str
    digit: Expression
    terms: Expression
    stages: Expression
    state: Expression
    operand: Expression
    modulus_bits: Expression
    d: Expression
    q: Expression
    b: Expression
    modulus: Expression
    s: Expression
    c: Expression
    clear: Expression
    load: Expression | None = None
    regions: bool = False

    @property
    def each_term(self) -> tuple[str, Expression]:
        """The index of the Booth terms of a digit."""
        return "j", self.terms

    @property
    def fold(self) -> Expression:
        """The topmost bits of the pair."""
        return net(f"{self.name}.fold", 2)

    def vectors(self, stages: int, terms: int) -> int:
        """Return the vectors of a digit of the quotient in the tree of the pair."""
        return terms if stages == 2 or self.regions else min(terms, 2)

    def multiple(
        self,
        vector: Expression,
        terms: Expression,
        x: Expression,
        width: Expression,
        *,
        alone: bool,
    ) -> Expression:
        """Return the statement on row j of a mf_unit_rows with an operand of ``width`` bits.

        Its multiple has ``width`` + 2 j + 1 bits, and no 1 that completes a negative one. Signs are
        complemented in place of extended, and row 0 has the constant that makes up for it; a single
        row is extended.
        """
        own = width + 2 * j + 1
        value = selected(terms, x, own)
        sign = value // pow2(own - 1)
        if alone:
            return vector.eq(value + sign * (pow2(self.state) - pow2(own)))
        first = value + sign * pow2(own) + (1 - sign) * pow2(own + 1)
        other = value % pow2(own - 1) + (1 - sign) * pow2(own - 1) + pow2(own)
        constant = pow2(self.state) - pow2(width + 2 * self.terms)
        return vector.eq(if_(j.eq(0), first + constant, other))


@cache
def accumulator_lemmas(of: Accumulator, terms: int, stages: int) -> tuple[Lemma, ...]:
    """Return the lemmas on an accumulator with these numbers of Booth terms and stages.

    The quotient has rows in the tree of the pair or, with 3 stages, a product of its own. What
    copies select is said of the next cycle: those of the first cycle may differ.
    """
    state, late, alone = of.state, of.vectors(stages, terms), terms == 1
    early = min(terms, 2)  # vectors of the product by a digit of the operand
    joins = stages == 2 or of.regions  # the rows of the quotient are in the tree of the pair
    lateness = LATENESS if joins else 0
    tree = Tree(f"{of.name}.u_tree", state, 2 + early + late, late, lateness)
    bits = net(f"{of.name}.u_tree.bits_i", early + late)
    operand = Product(f"{of.name}.u_p", terms, state)
    quotient = Product(f"{of.name}.gen_product.u_q", terms, state)
    half = state - 2 - of.digit  # bits of a vector below its two topmost, without the lowest digit

    def taken_in(product: Product, digit: Expression, at: int, bit: int) -> tuple[Expression, ...]:
        """Return that a product is vectors from ``at`` on, and bits, in the next cycle."""
        rows, ones = following(tree.rows), following(bits)
        return (
            *(
                part(rows, (at + i) * state, state).eq(vector)
                for i, vector in enumerate(product.reduced_to)
            ),
            *(part(ones, bit + i).eq(part(digit, 3 * (terms - early + i))) for i in range(early)),
        )

    row, one, modulus = tree.vector(2 + early + j), part(bits, j), of.modulus
    product_multiple = of.multiple(operand.row(j), of.d, of.b, of.operand, alone=alone)
    if of.regions:
        row, one, modulus, product_multiple = map(later, (row, one, modulus, product_multiple))
    row = row if joins else quotient.row(j)
    multiple = of.multiple(row, of.q, modulus, of.modulus_bits, alone=alone)
    ones = (one.eq(part(of.q, 3 * j)),) if joins else ()
    reduced = () if joins else quotient.reduced(of.q)
    product = () if joins else taken_in(quotient, of.q, 2 + early, 0)
    folded = part(of.s, of.digit, half) + (of.fold % 2) * pow2(half)
    cleared = of.clear.eq(1)
    return (
        Lemma(
            "a_multiples",
            (),
            (product_multiple,),
            each=of.each_term,
        ),
        Lemma("product_rows", (), (of.terms.eq(terms), *operand.reduced(of.d))),
        Lemma(
            "product",
            () if of.load is None else (of.load.eq(0),),
            taken_in(operand, of.d, 2, late),
            "A digit of a times b, as a pair and two bits, is added in the next cycle.",
        ),
        Lemma("quotient_multiples", (), (multiple, *ones), each=of.each_term),
        Lemma("quotient_rows", (), (of.terms.eq(terms), *reduced)),
        Lemma(
            "quotient_product",
            (),
            (of.stages.eq(stages), *product),
            "With 2 stages the multiples by a digit of the quotient are added in its cycle.",
        ),
        Lemma("rows", (), tree.statements([part(bits, bit) for bit in range(early + late)])),
        Lemma(
            "pair",
            (),
            (
                ((part(of.s, state - 2, 2) + part(of.c, state - 2, 2) - of.fold) % 4).eq(0),
                tree.vector(0).eq(folded + (1 - of.fold // 2) * pow2(half + 1)),
                tree.vector(1).eq(part(of.c, of.digit, half) + (pow2(state) - pow2(half + 1))),
            ),
            "The fold brings all signs into one vector, so that the pair can be shifted.",
        ),
        Lemma(
            "accumulate",
            (),
            (
                following(of.s).eq(if_(cleared, 0, tree.sum_)),
                following(of.c).eq(if_(cleared, 0, tree.carry)),
                (following(of.c) % 2).eq(if_(cleared, 0, part(bits, early + late - 1))),
            ),
            cut=(str(of.clear.arguments[0]),),
        ),
    )
