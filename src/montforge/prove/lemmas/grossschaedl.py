# SPDX-License-Identifier: Apache-2.0
"""The lemmas on mf_grossschaedl with lazy reduction from which proofs/grossschaedl.v follows."""

from __future__ import annotations

from montforge.prove.lemmas.shared import handshake, request, taken
from montforge.prove.statement import Lemma, W, clog2, either, following, greatest, net, pow2, size

IDLE, LOOP, CONVERT, DONE = range(4)
DIGIT = size("digit")
DIGITS = (W + 1 + DIGIT - 1) // DIGIT
STATE = greatest(W + 2, DIGITS * DIGIT)

a, b, n = net("a_q", W + 1), net("b_q", STATE), net("n_q", STATE)
s, c = net("s_q", STATE), net("c_q", STATE)
sum1, carry1 = net("sum1", STATE + 2), net("carry1", STATE + 2)
sum2, carry2 = net("sum2", STATE + 2), net("carry2", STATE + 2)
quotient, digit, carry = net("quotient_bit"), net("sum_digit", DIGIT + 1), net("carry_q")
phase, count = net("phase_q", 2), net("count_q", clog2(W + 2))
phase_next, s_next, c_next = following(phase), following(s), following(c)
count_next = following(count)

LEMMAS = (
    handshake(phase, done=DONE),
    Lemma(
        "accept",
        (phase.eq(IDLE), request.eq(1)),
        (
            phase_next.eq(LOOP),
            count_next.eq(0),
            following(a).eq(net("a_i", W + 1)),
            following(b).eq(net("b_i", W + 1)),
            following(n).eq(net("n_i", W)),
            s_next.eq(0),
            c_next.eq(0),
            following(carry).eq(0),
        ),
    ),
    Lemma(
        "row1",
        (),
        ((sum1 + carry1).eq(s + c + (a % 2) * b), sum1 < pow2(STATE), (carry1 % 2).eq(0)),
        "The first row of full adders, exactly.",
    ),
    Lemma(
        "quotient",
        ((n % 2).eq(1),),
        (((s + c + (a % 2) * b + quotient * n) % 2).eq(0),),
        "The quotient bit makes the sum even.",
    ),
    Lemma(
        "row2",
        (sum1 < pow2(STATE), carry1 < pow2(STATE + 1)),
        ((sum2 + carry2).eq(sum1 + carry1 + quotient * n), (carry2 % 2).eq(0)),
        cut=("sum1", "carry1", "quotient_bit"),
    ),
    Lemma(
        "step",
        (phase.eq(LOOP), sum2 + carry2 < pow2(STATE + 1)),
        (
            s_next.eq(sum2 // 2),
            c_next.eq(carry2 // 2),
            following(a).eq(a // 2),
            following(b).eq(b),
            following(n).eq(n),
            following(carry).eq(carry),
        ),
        cut=("sum2", "carry2"),
    ),
    Lemma(
        "digit_added",
        (),
        (digit.eq(s % pow2(DIGIT) + c % pow2(DIGIT) + carry),),
    ),
    Lemma(
        "convert",
        (phase.eq(CONVERT), s < pow2(DIGITS * DIGIT)),
        (
            s_next.eq(s // pow2(DIGIT) + pow2((DIGITS - 1) * DIGIT) * (digit % pow2(DIGIT))),
            c_next.eq(c // pow2(DIGIT)),
            following(carry).eq(digit // pow2(DIGIT)),
            s_next < pow2(DIGITS * DIGIT),
        ),
        "A digit of the sum enters from above.",
        cut=("sum_digit",),
    ),
    Lemma(
        "count_up", (phase.eq(LOOP), count < W + 1), (phase_next.eq(LOOP), count_next.eq(count + 1))
    ),
    Lemma(
        "count_end", (phase.eq(LOOP), count.eq(W + 1)), (phase_next.eq(CONVERT), count_next.eq(0))
    ),
    Lemma(
        "digits_count",
        (phase.eq(CONVERT), count < DIGITS),
        (
            phase_next.eq(either(count.eq(DIGITS - 1), DONE, CONVERT)),
            count_next.eq(either(count.eq(DIGITS - 1), 0, count + 1)),
        ),
    ),
    Lemma("hold", (phase.eq(DONE), taken.eq(0)), (phase_next.eq(DONE), s_next.eq(s))),
    Lemma("answer", (), (net("p_o", W + 1).eq(s % pow2(W + 1)),)),
)
