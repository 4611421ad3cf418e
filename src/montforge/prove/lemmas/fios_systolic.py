# SPDX-License-Identifier: Apache-2.0
"""The lemmas on mf_fios_systolic from which proofs/fios_systolic.v follows.

Element e + 1 of the line has the number e. Of the elements behind element 0 the nets are side by
side; the first of them differs from the others, which are numbered from 0, too.
"""

from __future__ import annotations

from functools import cache

from montforge.arch.fios_systolic import FiosSystolic
from montforge.prove.lemmas.booth import Tree, product_row
from montforge.prove.lemmas.shared import handshake, request, taken
from montforge.prove.statement import (
    Expression,
    Lemma,
    Operand,
    W,
    clog2,
    either,
    following,
    net,
    part,
    pow2,
    size,
)

IDLE, RUN, DONE = range(3)

WORD, WORDS, ROWS = size("word"), size("words"), size("rows")
"""Bits of a word, words of an operand, Booth rows of a product."""
RADIX, PRODUCT, SUM = pow2(WORD), 2 * WORD, 2 * WORD + 1
CYCLES = 3 * WORDS - 1
ELEMENTS, OTHERS = WORDS - 1, WORDS - 2
"""Elements behind element 0, and behind the first of these."""
j, e = size("j"), size("e")

phase, cycle = net("phase_q", 2), net("cycle_q", clog2(CYCLES))
idle, first, take, sums = net("idle_q"), net("first_q"), net("take_q"), net("sum_q", ELEMENTS)
next_phase, next_cycle = following(phase), following(cycle)
a, held, x_0 = net("a_q", WORDS * WORD), net("a_held_q", WORD), net("x_0_q", WORD)
n0_prime, low_0, quotient = net("n0_prime_q", WORD), net("low_0", WORD), net("quotient", WORD)
b_0, n_0, y_0 = net("b_0_q", WORD), net("n_0_q", WORD), net("y_0", WORD)
p_0, p_0_late, product_0 = (net(name, PRODUCT) for name in ("p_0_q", "p_0_late_q", "product_0"))
one_0 = net("one_0")
x, t = net("x_q", ELEMENTS * WORD), net("t_q", WORDS * WORD)
carry = net("carry_q", ELEMENTS * (WORD + 1))

_ALL, _FIRST, _OTHER = (f"gen_element[{at}].u_element" for at in ("1..", "1", "2.."))
y, z = (net(f"{_ALL}.{name}", ELEMENTS * WORD) for name in ("y_q", "z_q"))
p = net(f"{_ALL}.p_q", ELEMENTS * PRODUCT)
value = net(f"{_ALL}.value", ELEMENTS * SUM)
rows = net(f"{_ALL}.rows", ELEMENTS * (ROWS * SUM))
rows_0, rows_q = net("rows_0", ROWS * SUM), net("u_quotient.rows", ROWS * SUM)


def _word(of: Expression, at: Operand, width: Operand = WORD) -> Expression:
    """Return a word of nets side by side."""
    return part(of, at * width, width)


def _taken(of: Expression, at: Operand) -> Expression:
    """Return a word of an operand at a port."""
    return (of // pow2(at * WORD)) % RADIX


def _booth_row(rows_: Expression, at: Expression, x_: Expression, y_: Expression) -> Expression:
    """Return the statement on row ``at`` of products side by side."""
    return product_row(rows_, at, ROWS, WORD, x_, y_)


def _sum_of(tree: Tree) -> Expression:
    return tree.sum_ + tree.carry


_FIXED = (
    handshake(phase, done=DONE),
    Lemma(
        "selects",
        (),
        (
            next_cycle.eq(
                either(
                    phase.eq(RUN),
                    either(next_phase.eq(RUN), (cycle + 1) % pow2(clog2(CYCLES)), 0),
                    0,
                )
            ),
            following(idle).eq(either(next_phase.eq(IDLE), 1, 0)),
            following(first).eq(either(phase.eq(IDLE), either(next_phase.eq(RUN), 1, 0), 0)),
            following(take).eq(1 - next_cycle % 2),
            part(following(sums), 0).eq(
                either(
                    (next_cycle % 2).eq(0),
                    either(next_cycle.eq(0), 0, either(next_cycle <= 2 * WORDS, 1, 0)),
                    0,
                )
            ),
            (following(sums) // 2).eq(either(next_phase.eq(RUN), sums % pow2(OTHERS), 0)),
        ),
        "The selects are registers of the next phase and cycle.",
    ),
    Lemma(
        "at_reset",
        (),
        (phase.eq(IDLE), idle.eq(1), first.eq(0), take.eq(1), sums.eq(0)),
        at_reset=True,
    ),
    Lemma("accept", (phase.eq(IDLE), request.eq(1)), (next_phase.eq(RUN),)),
    Lemma(
        "count",
        (phase.eq(RUN),),
        (next_phase.eq(either(cycle.eq(CYCLES - 1), DONE, RUN)),),
    ),
    Lemma(
        "load",
        (idle.eq(1),),
        (
            following(a).eq(net("a_i", W + 1) // RADIX),
            following(held).eq(net("a_i", W + 1) % RADIX),
            following(x_0).eq(net("a_i", W + 1) % RADIX),
            following(n0_prime).eq(net("n0_prime_i", WORD)),
            following(b_0).eq(net("b_i", W + 1) % RADIX),
            following(n_0).eq(net("n_i", W) % RADIX),
            following(t).eq(0),
        ),
    ),
    Lemma(
        "load_words",
        (idle.eq(1),),
        tuple(
            _word(following(register), e).eq(
                either(
                    (e % 2).eq(odd), _taken(net("b_i", W + 1), e + 1), _taken(net("n_i", W), e + 1)
                )
            )
            for register, odd in ((y, 1), (z, 0))
        ),
        "Element 1 begins with the word of the modulus, and so does every second one.",
        each=("e", ELEMENTS),
    ),
    Lemma(
        "words_of_a",
        (idle.eq(0), take.eq(1)),
        (
            following(a).eq(a // RADIX),
            following(held).eq(a % RADIX),
            following(x_0).eq(a % RADIX),
        ),
    ),
    Lemma(
        "word_of_quotient",
        (idle.eq(0), take.eq(0)),
        (following(a).eq(a), following(held).eq(held), following(x_0).eq(quotient)),
        cut=("quotient",),
    ),
    Lemma(
        "keep",
        (idle.eq(0),),
        (
            following(n0_prime).eq(n0_prime),
            following(b_0).eq(b_0),
            following(n_0).eq(n_0),
            following(y).eq(z),
            following(z).eq(y),
        ),
    ),
    Lemma(
        "line",
        (),
        (
            part(following(x), 0, WORD).eq(either(take.eq(1), held, quotient)),
            (following(x) // RADIX).eq(x % pow2(OTHERS * WORD)),
        ),
        "Words move along the line.",
        cut=("quotient",),
    ),
    Lemma("factor_0", (), (y_0.eq(either(part(sums, 0).eq(1), n_0, b_0)),)),
    Lemma("rows_of_0", (), (_booth_row(rows_0, j, x_0, y_0),), cut=("y_0",), each=("j", ROWS)),
    Lemma(
        "products_of_0",
        (first.eq(1) | take.eq(0),),
        (following(p_0).eq(product_0), following(p_0_late).eq(p_0)),
        cut=("product_0",),
    ),
    Lemma(
        "product_of_0_stays",
        (first.eq(0), take.eq(1)),
        (following(p_0).eq(p_0), following(p_0_late).eq(p_0_late)),
    ),
    Lemma("low_of_0", (), (low_0.eq((p_0 % RADIX + part(t, 0, WORD)) % RADIX),)),
    Lemma(
        "rows_of_quotient",
        (),
        (_booth_row(rows_q, j, low_0, n0_prime),),
        cut=("low_0",),
        each=("j", ROWS),
    ),
    Lemma(
        "rows_of_elements",
        (),
        (_booth_row(rows, e, _word(x, e // ROWS), _word(y, e // ROWS)),),
        "Row j = e mod rows of element e / rows.",
        each=("e", ELEMENTS * ROWS),
    ),
    Lemma(
        "products",
        (),
        (
            _word(following(p), e, PRODUCT).eq(_word(value, e, SUM) % pow2(PRODUCT)),
            _word(following(carry), e, WORD + 1).eq(_word(value, e, SUM) // RADIX),
        ),
        cut=(f"{_ALL}.value",),
        each=("e", ELEMENTS),
    ),
    Lemma(
        "words_of_t",
        (idle.eq(0),),
        (
            _word(following(t), e).eq(
                either(part(sums, e).eq(1), _word(value, e, SUM) % RADIX, _word(t, e))
            ),
        ),
        cut=(f"{_ALL}.value",),
        each=("e", ELEMENTS),
    ),
    Lemma(
        "top_word",
        (idle.eq(0),),
        (
            _word(following(t), WORDS - 1).eq(
                either(
                    part(sums, OTHERS).eq(1),
                    (_word(value, OTHERS, SUM) // RADIX) % RADIX,
                    _word(t, WORDS - 1),
                )
            ),
        ),
        cut=(f"{_ALL}.value",),
    ),
    Lemma("hold", (phase.eq(DONE), taken.eq(0)), (next_phase.eq(DONE),)),
    Lemma("answer", (), (net("p_o", W + 1).eq(t % pow2(W + 1)),)),
)


@cache
def _trees(terms: int) -> tuple[Lemma, ...]:
    """Return the lemmas on the compressor trees of products of ``terms`` Booth rows."""
    sum_0, first_sum = part(sums, 0), part(sums, 0)
    tree_0 = Tree("u_tree_0", SUM + 1, terms + 2, ends=("", "pair_0"))
    tree_q = Tree("u_quotient.u_tree", WORD, terms, ends=("", "u_quotient.pair"))
    tree_1 = Tree(f"{_FIRST}.u_tree", SUM, terms + 2, ends=("", f"{_FIRST}.pair"))
    late = Tree(f"{_FIRST}.gen_late.u_late", SUM, 4, ends=("", f"{_FIRST}.gen_late.late"))
    tree = Tree(f"{_OTHER}.u_tree", SUM, terms + 3, ends=("", f"{_OTHER}.pair"), copy=(e, OTHERS))
    above = pow2(SUM - 1)
    own = part(sums, e + 1)
    return (
        Lemma(
            "tree_of_0",
            (),
            (
                ROWS.eq(terms),
                *tree_0.statements(
                    [0] * terms,
                    [
                        *(_word(rows_0, at, SUM) for at in range(terms)),
                        sum_0 * p_0_late,
                        sum_0 * part(t, 0, WORD),
                    ],
                ),
            ),
        ),
        Lemma(
            "product_of_0", (), (product_0.eq(_sum_of(tree_0) % pow2(PRODUCT)),), cut=("pair_0",)
        ),
        Lemma(
            "one_of_0",
            (((tree_0.sum_ % RADIX + tree_0.carry % RADIX) % RADIX).eq(0),),
            ((one_0 * RADIX).eq(tree_0.sum_ % RADIX + tree_0.carry % RADIX),),
            "With a word of the quotient the low words are 0, or 2^word in all.",
            cut=("pair_0",),
        ),
        Lemma(
            "tree_of_quotient",
            (),
            tree_q.statements([0] * terms, [part(rows_q, at * SUM, WORD) for at in range(terms)]),
        ),
        Lemma(
            "quotient_word", (), (quotient.eq(_sum_of(tree_q) % RADIX),), cut=("u_quotient.pair",)
        ),
        Lemma(
            "tree_of_first",
            (),
            tree_1.statements(
                [0] * terms,
                [
                    *(_word(rows, at, SUM) for at in range(terms)),
                    first_sum * _word(p, 0, PRODUCT),
                    first_sum * _word(t, 1) + first_sum * ((RADIX - 1) * RADIX),
                ],
            ),
        ),
        Lemma(
            "late_of_first",
            (),
            late.statements(
                [0, first_sum * one_0],
                [
                    tree_1.sum_,
                    tree_1.carry,
                    first_sum * (tree_0.sum_ // RADIX),
                    first_sum * (tree_0.carry // RADIX),
                ],
            ),
            cut=("one_0",),
        ),
        Lemma(
            "value_of_first",
            (),
            (_word(value, 0, SUM).eq(_sum_of(late) % pow2(SUM)),),
            cut=(f"{_FIRST}.gen_late.late",),
        ),
        Lemma(
            "tree_of_others",
            (),
            tree.statements(
                [0] * (terms + 1),
                [
                    *(_word(rows, (e + 1) * ROWS + at, SUM) for at in range(terms)),
                    own * _word(p, e + 1, PRODUCT),
                    own * _word(t, e + 2) + above,
                    own * _word(carry, e, WORD + 1),
                ],
            ),
            each=("e", OTHERS),
        ),
        Lemma(
            "value_of_others",
            (),
            (_word(value, e + 1, SUM).eq(_sum_of(tree) % pow2(SUM)),),
            cut=(f"{_OTHER}.pair",),
            each=("e", OTHERS),
        ),
    )


def lemmas_on(design: FiosSystolic) -> tuple[Lemma, ...]:
    """Return the lemmas on ``design``."""
    return (*_FIXED, *_trees(design.word // 2 + 1))


def lacks(design: FiosSystolic) -> str:
    """Return for which number of words a design has no lemmas, or nothing."""
    return f"{design.word_count} words" if design.word_count < 3 else ""


def sizes(design: FiosSystolic) -> dict[str, int]:
    """Return the numbers of words and of Booth rows."""
    return {"words": design.word_count, "rows": design.word // 2 + 1}
