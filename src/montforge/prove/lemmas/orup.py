# SPDX-License-Identifier: Apache-2.0
"""The lemmas on mf_orup from which proofs/orup.v follows.

What is said of each Booth term or group of bits has its number as an index; the rows of the
compressor trees are those for a number of Booth terms. Digits are nonnegative, so that a digit of
k bits has the Booth terms of one of k + 1 bits.
"""

from __future__ import annotations

from montforge.arch.orup import Orup
from montforge.prove.lemmas.group_converter import GroupConverter
from montforge.prove.lemmas.shared import (
    handshake,
    registered_selects,
    request,
    taken,
)
from montforge.prove.lemmas.unit_accumulator import (
    Accumulator,
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
    greatest,
    net,
    part,
    pow2,
    size,
)

IDLE, LOOP, CONVERT, DONE = range(4)
D, DELAY, DIGITS = size("digit"), size("delay"), size("digits")
OPERAND, STATE = size("operand"), size("state")
RADIX = pow2(D)
SUM, LOW = DIGITS * D, DELAY * D
STEPS = DIGITS + DELAY + 1
TERMS = (D + 2) // 2

phase, cycle = net("phase_q", 2), net("cycle_q", clog2(STEPS + 1))
next_phase, next_cycle = following(phase), following(cycle)
idle, clear, shift, start = (net(f"{name}_q") for name in ("idle", "clear", "shift", "start"))
d_valid, q_valid = net("d_valid_q"), net("q_valid_q")
a, b, modulus = net("a_q", SUM), net("b_q", OPERAND), net("n_scaled_q", W)
digit, u, carry, carry_q = net("digit", D), net("u", D), net("carry"), net("carry_q")
d, late = net("d_q", 3 * TERMS), net("late_q", 3 * TERMS)
s, c = net("s_q", STATE), net("c_q", STATE)
ACCUMULATOR = Accumulator(
    name="u_accumulator",
    digit=D,
    terms=TERMS,
    stages=greatest(2, DELAY + 1),
    state=STATE,
    operand=OPERAND + 1,
    modulus_bits=W + 1,
    d=d,
    q=late,
    b=b,
    modulus=modulus,
    s=s,
    c=c,
    clear=clear,
)
CONVERTER = GroupConverter("u_convert", SUM - LOW, size("group"), a, LOW, 3)
still = (idle.eq(0), shift.eq(0), start.eq(0))
"""No operand, no digit and no sum enters a_q."""


def _terms(of: Expression, valid: Expression, value: Expression) -> tuple[Expression, ...]:
    """Return the statements that ``of`` has term j of a digit, or 0; the sign of a 0 is free."""
    term, selects, _ = booth_terms(of, valid, 2 * value)
    return term, selects


def lemmas_on(design: Orup) -> tuple[Lemma, ...]:
    """Return the lemmas on a design."""
    terms, stages = (design.digit + 2) // 2, max(2, design.delay + 1)
    of_quotient = late if design.delay == 0 else following(late)
    return (
        *_CONTROL,
        Lemma(
            "quotient_terms",
            (),
            (
                DELAY.eq(0) if design.delay == 0 else DELAY > 0,
                *_terms(of_quotient, q_valid, u),
            ),
            "A digit of the quotient is used at once or later.",
            cut=("u",),
            each=ACCUMULATOR.each_term,
        ),
        *accumulator_lemmas(ACCUMULATOR, terms, stages),
        CONVERTER.sums((start.eq(1), *still[:2]), CONVERTER.of(s) + CONVERTER.of(c), carry_q),
        *CONVERTER.look_ahead((CONVERTER.started.eq(1),), still),
        CONVERTER.increments(still),
    )


_CONTROL = (
    handshake(phase, done=DONE),
    *registered_selects(phase, {idle: (IDLE,), shift: (LOOP,)}),
    Lemma(
        "controls",
        (),
        (
            following(clear).eq(if_(phase.eq(IDLE), if_(next_phase.eq(LOOP)), 0)),
            following(d_valid).eq(
                if_(next_phase.eq(IDLE), 1, if_(next_phase.eq(LOOP), if_(next_cycle < DIGITS - 1)))
            ),
            following(q_valid).eq(if_(phase.eq(LOOP), if_(next_phase.eq(LOOP)))),
            following(start).eq(if_(phase.eq(LOOP), if_(next_phase.eq(CONVERT)))),
            following(CONVERTER.started).eq(start),
        ),
        "When there are digits, and when the pair is cleared and converted.",
    ),
    Lemma(
        "controls_at_reset",
        (),
        (d_valid.eq(1), q_valid.eq(0), start.eq(0), CONVERTER.started.eq(0)),
        at_reset=True,
    ),
    Lemma(
        "accept",
        (phase.eq(IDLE), request.eq(1), idle.eq(1), shift.eq(0), start.eq(0)),
        (
            *(next_phase.eq(LOOP), next_cycle.eq(0)),
            following(a).eq(net("a_i", OPERAND) // RADIX),
            following(b).eq(net("b_i", OPERAND)),
            following(modulus).eq(net("n_scaled_i", W)),
        ),
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
    Lemma("keep", (idle.eq(0),), (following(b).eq(b), following(modulus).eq(modulus))),
    Lemma(
        "shift_a",
        (idle.eq(0), shift.eq(1), start.eq(0)),
        (following(a).eq(a // RADIX + pow2(SUM - D) * u),),
        "The digits of the quotient come in at the top.",
        cut=("u",),
    ),
    Lemma("first_digit", (idle.eq(1),), (digit.eq(net("a_i", OPERAND) % RADIX),)),
    Lemma("other_digits", (idle.eq(0),), (digit.eq(a % RADIX),)),
    Lemma(
        "a_terms",
        (),
        _terms(following(d), d_valid, digit),
        cut=("digit",),
        each=ACCUMULATOR.each_term,
    ),
    Lemma(
        "quotient_digit",
        (),
        ((u + RADIX * carry).eq(part(s, 0, D) + part(c, 0, D) + carry_q),),
    ),
    Lemma("carries_on", (), (following(carry_q).eq(if_(clear.eq(1), 0, carry)),), cut=("carry",)),
    Lemma(
        "low_digits",
        (start.eq(1), *still[:2]),
        ((following(a) % pow2(LOW)).eq(a // pow2(SUM - LOW)),),
        "Digits below the pair.",
    ),
    Lemma("low_digits_stay", still, ((following(a) % pow2(LOW)).eq(a % pow2(LOW)),)),
    Lemma("answer", (), (net("p_o", OPERAND).eq(a % pow2(OPERAND)),)),
)


def sizes(design: Orup) -> dict[str, int]:
    """Return the parameters that lemmas may hang on beside the width and the design's own."""
    operand = design.contract.field("a").encoding.width
    return {
        "operand": operand,
        "state": operand + design.digit + 3,
        "digits": (operand + design.digit) // design.digit,
    }
