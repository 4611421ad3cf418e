# SPDX-License-Identifier: Apache-2.0
"""The lemmas on mf_fcs_mm1 from which proofs/fcs_mm1.v follows."""

from __future__ import annotations

from montforge.prove.lemmas.shared import counted_loop, handshake, request, taken
from montforge.prove.statement import Lemma, W, clog2, either, following, net, pow2

IDLE, LOOP, DONE = range(3)

bs, bc, n = net("bs_q", W + 1), net("bc_q", W + 1), net("n_q", W)
s, c = net("ss_q", W + 2), net("sc_q", W + 2)
sum1, carry1 = net("sum1", W + 3), net("carry1", W + 3)
sum2, carry2 = net("sum2", W + 3), net("carry2", W + 3)
sum3, carry3 = net("sum3", W + 3), net("carry3", W + 3)
quotient, bit = net("quotient_digit"), net("a_bit")
rest_s, rest_c = net("u_brfa.s_q", W), net("u_brfa.c_q", W)
rest = rest_s + rest_c + net("u_brfa.carry_q")
rest_next = following(rest_s) + following(rest_c) + following(net("u_brfa.carry_q"))
phase, select = net("phase_q", 2), net("select_q", 2)
left = net("u_countdown.left_q", clog2(W + 2))
phase_next, left_next = following(phase), following(left)

LEMMAS = (
    handshake(phase, done=DONE),
    Lemma(
        "selects",
        (),
        (following(select).eq(either(phase_next.eq(LOOP), 1, either(phase_next.eq(DONE), 2, 0))),),
        "The selects are registers of the next phase.",
    ),
    Lemma("selects_at_reset", (), (phase.eq(IDLE), select.eq(0)), at_reset=True),
    Lemma(
        "accept",
        (phase.eq(IDLE), request.eq(1)),
        (
            phase_next.eq(LOOP),
            left_next.eq(W + 1),
            (following(bit) + 2 * rest_next).eq(net("a_s_i", W + 1) + net("a_c_i", W + 1)),
            following(bs).eq(net("b_s_i", W + 1)),
            following(bc).eq(net("b_c_i", W + 1)),
            following(n).eq(net("n_i", W)),
        ),
        "The first bit of A and its rest are the sum of the pair.",
    ),
    Lemma("clear", (phase.eq(IDLE), select.eq(0)), (following(s).eq(0), following(c).eq(0))),
    Lemma(
        "row1",
        (),
        ((sum1 + carry1).eq(s + c + bit * bs), sum1 < pow2(W + 2), (carry1 % 2).eq(0)),
        "The first row of full adders, exactly.",
        cut=("a_bit",),
    ),
    Lemma(
        "row2",
        (sum1 < pow2(W + 2),),
        ((sum2 + carry2).eq(sum1 + carry1 + bit * bc), (carry2 % 2).eq(0)),
        cut=("sum1", "carry1", "a_bit"),
    ),
    Lemma("quotient", (), (quotient.eq(sum2 % 2),)),
    Lemma(
        "row3",
        (sum2 + carry2 < pow2(W + 3), (carry2 % 2).eq(0), quotient.eq(sum2 % 2), (n % 2).eq(1)),
        (
            (sum3 + carry3).eq(sum2 + carry2 + quotient * n),
            (sum3 % 2).eq(0),
            (carry3 % 2).eq(0),
        ),
        "The quotient digit makes both vectors even.",
        cut=("sum2", "carry2", "quotient_digit"),
    ),
    Lemma(
        "step",
        (phase.eq(LOOP), select.eq(1)),
        (
            following(s).eq(sum3 // 2),
            following(c).eq(carry3 // 2),
            (following(bit) + 2 * rest_next).eq(rest),
            following(bs).eq(bs),
            following(bc).eq(bc),
            following(n).eq(n),
        ),
        cut=("sum3", "carry3"),
    ),
    *counted_loop(phase, left, LOOP, DONE),
    Lemma(
        "hold",
        (phase.eq(DONE), select.eq(2), taken.eq(0)),
        (phase_next.eq(DONE), following(s).eq(s), following(c).eq(c)),
    ),
    Lemma(
        "answer",
        (),
        (net("p_s_o", W + 1).eq(s % pow2(W + 1)), net("p_c_o", W + 1).eq(c % pow2(W + 1))),
    ),
)
