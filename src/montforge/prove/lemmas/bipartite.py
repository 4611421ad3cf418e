# SPDX-License-Identifier: Apache-2.0
"""The lemmas on mf_bipartite from which proofs/bipartite.v follows.

The lower half is an accumulator of unit_csa. The upper half has a tree of the same rows: the pair
without its digit on top, the product of a digit of a, and the multiples of fold.
"""

from __future__ import annotations

from montforge.arch.bipartite import Bipartite
from montforge.prove.lemmas.booth import Tree
from montforge.prove.lemmas.group_converter import GroupConverter
from montforge.prove.lemmas.shared import ready, registered_selects, request, response, taken
from montforge.prove.lemmas.unit_accumulator import (
    LATENESS,
    Accumulator,
    Product,
    accumulator_lemmas,
    booth_terms,
    if_,
)
from montforge.prove.statement import (
    Expression,
    Lemma,
    W,
    clog2,
    following,
    net,
    part,
    pow2,
    signed,
    size,
)

IDLE, LOOP, CONVERT, DONE = range(4)
D, UPPER = size("digit"), size("upper")
LOWER = UPPER + 1
OPERAND, STATE = size("operand"), size("state")
RADIX = pow2(D)
UPPER_BITS, LOWER_BITS = UPPER * D, LOWER * D
SUM = UPPER_BITS + LOWER_BITS
STEPS = LOWER + 5
TERMS, TOP_TERMS = (D + 1) // 2, (D + 4) // 2
FOLD, TOP = OPERAND - 2, D + 3
"""The column above which the digit on top of the upper half stands, and its bits."""
HIGH = size("high")
"""The bits of the pair of the upper half, FOLD + TOP."""
TRUE = Expression("int", (1,))

phase, cycle = net("phase_q", 2), net("cycle_q", clog2(STEPS + 1))
next_phase, next_cycle = following(phase), following(cycle)
idle, clear, shift, start = (net(f"{name}_q") for name in ("idle", "clear", "shift", "start"))
d_valid, q_valid, upper, join, transfer = (
    net(f"{name}_q") for name in ("d_valid", "q_valid", "upper", "join", "transfer")
)
a, b = net("a_q", SUM), net("b_q", OPERAND)
modulus, fold = net("n_scaled_q", W), net("fold_q", W)
digit, digit_transfer = net("digit", D), net("digit_transfer_q")
u, u_transfer = net("u", D), net("u_transfer_q")
carry, carry_q = net("carry"), net("carry_q")
d, q, e = net("d_q", 3 * TERMS), net("q_q", 3 * TERMS), net("e_q", 3 * TERMS)
s, c = net("s_q", STATE), net("c_q", STATE)
digits = net("upper", UPPER_BITS + D)
h, h_q = net("h", TOP), net("h_q", TOP)
s_low, c_low = net("s_low", FOLD), net("c_low", FOLD)
high_s, high_c = net("u_high.s_q", HIGH), net("u_high.c_q", HIGH)
top = net("u_high.h_q", 3 * TOP_TERMS)
a_in = signed(net("a_i", OPERAND))

ACCUMULATOR = Accumulator(
    name="u_accumulator",
    digit=D,
    terms=TERMS,
    stages=Expression("int", (2,)),
    state=STATE,
    operand=OPERAND,
    modulus_bits=W,
    d=d,
    q=q,
    b=signed(b),
    modulus=signed(modulus),
    s=s,
    c=c,
    clear=clear,
    load=join,
)
CONVERTER = GroupConverter("u_convert", OPERAND - D, size("group"), a, D, 3)
still = (idle.eq(0), shift.eq(0), start.eq(0))
"""No operand, no digit and no sum enters a_q."""
low_part, high_part = part(a, 0, LOWER_BITS), part(a, LOWER_BITS, UPPER_BITS)


def lemmas_on(design: Bipartite) -> tuple[Lemma, ...]:
    """Return the lemmas on a design."""
    terms = (design.digit + 1) // 2
    sums, (look_ahead, no_carries, _), increments = (
        CONVERTER.sums((start.eq(1), *still[:2]), CONVERTER.of(s) + CONVERTER.of(c), carry_q),
        CONVERTER.look_ahead((CONVERTER.started.eq(1),), still),
        CONVERTER.increments(still),
    )
    return (
        *_CONTROL,
        *accumulator_lemmas(ACCUMULATOR, terms, 2),
        _joins(terms),
        *_upper_half(terms, (design.digit + 4) // 2),
        *(sums, look_ahead, no_carries),
        Lemma(
            "rests",
            (*still, CONVERTER.carries.eq(0)),
            (part(following(a), 0, OPERAND).eq(part(a, 0, OPERAND)),),
            cut=("u_convert.carries",),
        ),
        increments,
    )


_CONTROL = (
    Lemma("ready", (), (ready.eq(idle), response.eq(if_(phase.eq(DONE))))),
    *registered_selects(phase, {idle: (IDLE,), shift: (LOOP,)}),
    Lemma(
        "controls",
        (),
        (
            following(clear).eq(if_(phase.eq(IDLE), 1, if_(next_phase.eq(IDLE)))),
            following(d_valid).eq(
                if_(next_phase.eq(IDLE), 1, if_(next_phase.eq(LOOP), if_(next_cycle < LOWER - 1)))
            ),
            following(q_valid).eq(if_(phase.eq(LOOP), if_(next_phase.eq(LOOP)))),
            following(upper).eq(if_(next_phase.eq(LOOP), if_(next_cycle.eq(UPPER + 1)))),
            following(join).eq(
                if_(next_phase.eq(LOOP), if_(next_cycle.eq(UPPER + 1), 1, upper), upper)
            ),
            following(transfer).eq(if_(next_phase.eq(LOOP), if_(next_cycle.eq(STEPS)))),
            following(start).eq(if_(phase.eq(LOOP), if_(next_phase.eq(CONVERT)))),
            following(CONVERTER.started).eq(start),
        ),
        "When there are digits, when the halves meet, when the pair is cleared and converted.",
    ),
    Lemma(
        "controls_at_reset",
        (),
        (
            *(clear.eq(1), d_valid.eq(1), q_valid.eq(0), upper.eq(0), join.eq(0)),
            *(transfer.eq(0), start.eq(0), CONVERTER.started.eq(0)),
        ),
        at_reset=True,
    ),
    Lemma(
        "accept",
        (phase.eq(IDLE), request.eq(1), idle.eq(1), shift.eq(0), start.eq(0)),
        (
            *(next_phase.eq(LOOP), next_cycle.eq(0)),
            part(following(a), 0, LOWER_BITS).eq((a_in % pow2(LOWER_BITS)) // RADIX),
            part(following(a), LOWER_BITS, UPPER_BITS).eq(
                ((a_in // pow2(LOWER_BITS - 1)) * pow2(D - 1)) % pow2(UPPER_BITS)
            ),
            following(b).eq(net("b_i", OPERAND)),
            following(modulus).eq(net("n_scaled_i", W)),
            following(fold).eq(net("fold_i", W)),
        ),
        "Both parts of a without their first digits; below the upper one the next one's top bit.",
    ),
    Lemma(
        "count", (phase.eq(LOOP), cycle < STEPS), (next_phase.eq(LOOP), next_cycle.eq(cycle + 1))
    ),
    Lemma(
        "count_end", (phase.eq(LOOP), cycle.eq(STEPS)), (next_phase.eq(CONVERT), next_cycle.eq(0))
    ),
    Lemma(
        "converts",
        (phase.eq(CONVERT), cycle < 2),
        (next_phase.eq(CONVERT), next_cycle.eq(cycle + 1)),
    ),
    Lemma("converted", (phase.eq(CONVERT), cycle.eq(2)), (next_phase.eq(DONE),)),
    Lemma("wait", (phase.eq(DONE), taken.eq(0)), (next_phase.eq(DONE),)),
    Lemma(
        "keep",
        (idle.eq(0),),
        (following(b).eq(b), following(modulus).eq(modulus), following(fold).eq(fold)),
    ),
    Lemma(
        "shift_a",
        (idle.eq(0), shift.eq(1), start.eq(0)),
        (
            part(following(a), 0, LOWER_BITS).eq(low_part // RADIX + pow2(LOWER_BITS - D) * u),
            part(following(a), LOWER_BITS, UPPER_BITS).eq((high_part * RADIX) % pow2(UPPER_BITS)),
        ),
        "The digits of the quotient come in at the top of the lower part.",
        cut=("u",),
    ),
    Lemma("first_digit", (idle.eq(1),), (digit.eq(a_in % RADIX),)),
    Lemma("other_digits", (idle.eq(0),), (digit.eq(part(a, 0, D)),)),
    Lemma(
        "a_terms",
        (idle.eq(0),),
        booth_terms(following(d), d_valid, 2 * signed(digit) + digit_transfer),
        cut=("digit",),
        each=ACCUMULATOR.each_term,
    ),
    Lemma(
        "first_terms",
        (idle.eq(1),),
        booth_terms(following(d), d_valid, 2 * signed(digit) + 0),
        cut=("digit",),
        each=ACCUMULATOR.each_term,
    ),
    Lemma("a_transfer", (), (following(digit_transfer).eq(part(digit, D - 1)),), cut=("digit",)),
    Lemma(
        "first_upper",
        (idle.eq(1),),
        (
            digits.eq(
                ((a_in // pow2(LOWER_BITS - 1)) * pow2(D - 1)) % pow2(UPPER_BITS + D),
            ),
        ),
    ),
    Lemma("other_upper", (idle.eq(0),), (digits.eq(high_part * RADIX),)),
    Lemma(
        "upper_terms",
        (),
        booth_terms(
            following(e),
            TRUE,
            2 * signed(part(digits, UPPER_BITS, D)) + part(digits, UPPER_BITS - 1),
        ),
        cut=("upper",),
        each=ACCUMULATOR.each_term,
    ),
    Lemma(
        "quotient_digit",
        (transfer.eq(0) | (c % 2).eq(0),),
        ((u + RADIX * carry).eq(part(s, 0, D) + part(c, 0, D) + carry_q + transfer * u_transfer),),
    ),
    Lemma(
        "quotient_terms",
        (),
        booth_terms(following(q), q_valid, 2 * signed(u) + u_transfer),
        cut=("u",),
        each=ACCUMULATOR.each_term,
    ),
    Lemma(
        "quotient_transfer",
        (),
        (
            following(u_transfer).eq(part(u, D - 1)),
            following(carry_q).eq(if_(clear.eq(1), 0, carry)),
        ),
        cut=("u", "carry"),
    ),
    Lemma(
        "low_digit",
        (start.eq(1), *still[:2]),
        (part(following(a), 0, D).eq(part(a, LOWER_BITS - D, D)),),
        "The digit below the pair.",
    ),
    Lemma("low_digit_stays", still, (part(following(a), 0, D).eq(part(a, 0, D)),)),
    Lemma("answer", (), (net("p_o", OPERAND).eq(part(a, 0, OPERAND)),)),
)


def _joins(terms: int) -> Lemma:
    """Return the lemma on a cycle in which the upper half enters in place of a product."""
    tree = Tree("u_accumulator.u_tree", STATE, 4 + terms, terms, LATENESS)
    rows, bits = following(tree.rows), following(net("u_accumulator.u_tree.bits_i", 2 + terms))
    on_top = if_(upper.eq(1), signed(h), signed(h_q)) * pow2(FOLD)
    return Lemma(
        "joins",
        (join.eq(1),),
        (
            part(rows, 2 * STATE, STATE).eq(
                on_top % pow2(STATE) + if_(upper.eq(1), s_low),
            ),
            part(rows, 3 * STATE, STATE).eq(if_(upper.eq(1), c_low)),
            part(bits, terms).eq(part(d, 3 * (terms - 2))),
            part(bits, terms + 1).eq(part(d, 3 * (terms - 1))),
        ),
        "The rest of the upper half, then its last digit on top.",
    )


def _upper_half(terms: int, top_terms: int) -> tuple[Lemma, ...]:
    """Return the lemmas on the upper half with these numbers of Booth terms."""
    product = Product("u_high.u_p", terms, HIGH)
    of_digit, of_top = (
        Accumulator(
            **{**vars(ACCUMULATOR), "name": "u_high", "state": HIGH, "terms": each},
        )
        for each in (TERMS, TOP_TERMS)
    )
    tree = Tree("u_high.u_tree", HIGH, 4 + top_terms, top_terms, LATENESS)
    bits = net("u_high.u_tree.bits_i", 2 + top_terms)
    rows, ones = following(tree.rows), following(bits)
    j = size("j")
    cleared = clear.eq(1)
    return (
        Lemma(
            "high_multiples",
            (),
            (of_digit.multiple(product.row(j), e, signed(b), OPERAND, alone=False),),
            each=of_digit.each_term,
        ),
        Lemma("high_rows", (), (TERMS.eq(terms), *product.reduced(e))),
        Lemma(
            "high_product",
            (),
            (
                *(
                    part(rows, (2 + i) * HIGH, HIGH).eq(vector)
                    for i, vector in enumerate(product.reduced_to)
                ),
                *(part(ones, top_terms + i).eq(part(e, 3 * (terms - 2 + i))) for i in range(2)),
            ),
        ),
        Lemma(
            "top_terms",
            (),
            booth_terms(following(top), TRUE, 2 * signed(h) + 0),
            cut=("h",),
            each=of_top.each_term,
        ),
        Lemma(
            "top_multiples",
            (),
            (
                of_top.multiple(tree.vector(4 + j), top, fold, W + 1, alone=False),
                part(bits, j).eq(part(top, 3 * j)),
            ),
            "The multiples of fold by the digit on top of two steps before.",
            each=of_top.each_term,
        ),
        Lemma(
            "high_tree",
            (),
            (
                TOP_TERMS.eq(top_terms),
                *tree.statements([part(bits, bit) for bit in range(top_terms + 2)]),
            ),
        ),
        Lemma(
            "high_pair",
            (),
            (
                s_low.eq(part(high_s, 0, FOLD)),
                c_low.eq(part(high_c, 0, FOLD)),
                h.eq((part(high_s, FOLD, TOP) + part(high_c, FOLD, TOP)) % pow2(TOP)),
                tree.vector(0).eq(s_low * RADIX),
                tree.vector(1).eq(c_low * RADIX),
            ),
            "The pair is cut at a column, its parts above are a digit.",
        ),
        Lemma(
            "high_accumulate",
            (),
            (
                following(high_s).eq(if_(cleared, 0, tree.sum_)),
                following(high_c).eq(if_(cleared, 0, tree.carry)),
            ),
        ),
        Lemma("top_kept", (), (following(h_q).eq(if_(upper.eq(1), h_q, h)),), cut=("h",)),
    )


def sizes(design: Bipartite) -> dict[str, int]:
    """Return the parameters that lemmas may hang on beside the width and the design's own."""
    operand = design.contract.field("a").encoding.width
    return {
        "operand": operand,
        "state": operand + design.digit + 3,
        "high": operand + design.digit + 1,
        "upper": -(-operand // design.digit) // 2,
    }
