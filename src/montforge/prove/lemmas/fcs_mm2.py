# SPDX-License-Identifier: Apache-2.0
"""The lemmas on mf_fcs_mm2 from which proofs/fcs_mm2.v follows."""

from __future__ import annotations

from montforge.prove.lemmas.shared import counted_loop, handshake, request, taken
from montforge.prove.statement import Lemma, W, clog2, either, following, net, pow2

IDLE, PRECOMPUTE, LOOP, DONE = range(4)

bs, bc, n = net("bs_q", W + 1), net("bc_q", W + 1), net("n_q", W)
ds, dc = net("ds_q", W + 1), net("dc_q", W + 1)
s, c = net("ss_q", W + 1), net("sc_q", W + 1)
x1, x2 = net("x1", W + 2), net("x2", W + 2)
sum1, carry1 = net("sum1", W + 2), net("carry1", W + 2)
sum2, carry2 = net("sum2", W + 2), net("carry2", W + 2)
quotient, bit, precompute = net("quotient_digit"), net("a_bit"), net("precompute_q")
rest_s, rest_c = net("u_brfa.s_q", W + 1), net("u_brfa.c_q", W + 1)
rest_carry = net("u_brfa.carry_q")
rest = rest_s + rest_c + rest_carry
rest_next = following(rest_s) + following(rest_c) + following(rest_carry)
phase, select = net("phase_q", 2), net("select_q", 3)
left = net("u_countdown.left_q", clog2(W + 2))
phase_next, left_next = following(phase), following(left)
select_of = either(
    phase_next.eq(IDLE), 1, either(phase_next.eq(LOOP), 2, either(phase_next.eq(DONE), 4, 0))
)

LEMMAS = (
    handshake(phase, done=DONE),
    Lemma(
        "selects",
        (),
        (
            following(select).eq(select_of),
            following(precompute).eq(either(phase_next.eq(PRECOMPUTE), 1, 0)),
        ),
        "The selects are registers of the next phase.",
    ),
    Lemma(
        "selects_at_reset",
        (),
        (phase.eq(IDLE), select.eq(1), precompute.eq(0)),
        at_reset=True,
    ),
    Lemma(
        "accept",
        (phase.eq(IDLE), request.eq(1), select.eq(1)),
        (
            phase_next.eq(PRECOMPUTE),
            (following(bit) + 2 * rest_next).eq(2 * (net("a_s_i", W + 1) + net("a_c_i", W + 1))),
            following(bs).eq(net("b_s_i", W + 1)),
            following(bc).eq(net("b_c_i", W + 1)),
            following(n).eq(net("n_i", W)),
            following(s).eq(net("b_s_i", W + 1)),
            following(c).eq(net("b_c_i", W + 1)),
        ),
        "The barrel register has twice the sum of A's pair.",
    ),
    Lemma("bits", (phase > IDLE,), ((following(bit) + 2 * rest_next).eq(rest),)),
    Lemma(
        "keep",
        (phase > IDLE,),
        (following(bs).eq(bs), following(bc).eq(bc), following(n).eq(n)),
    ),
    Lemma(
        "precomputed",
        (phase.eq(PRECOMPUTE), precompute.eq(1), select.eq(0), bit.eq(0), s + c < pow2(W + 1)),
        (
            phase_next.eq(LOOP),
            left_next.eq(W + 1),
            following(s).eq(0),
            following(c).eq(0),
            (following(ds) + following(dc)).eq(s + c + n),
        ),
        "The first row adds N to the state, which is B.",
        cut=("a_bit",),
    ),
    Lemma(
        "quotient",
        (precompute.eq(0), (n % 2).eq(1)),
        (((s + c + bit * (bs + bc) + quotient * n) % 2).eq(0),),
        "The quotient digit makes the sum even.",
        cut=("a_bit",),
    ),
    Lemma(
        "multiple",
        ((ds + dc).eq(bs + bc + n),),
        (
            (x1 + x2).eq(bit * (bs + bc) + quotient * n),
            x1 < pow2(W + 1),
            x2 < pow2(W + 1),
        ),
        cut=("a_bit", "quotient_digit"),
    ),
    Lemma(
        "row1",
        (x1 < pow2(W + 1),),
        ((sum1 + carry1).eq(s + c + x1), sum1 < pow2(W + 1), (carry1 % 2).eq(0)),
        "The first row of full adders, exactly.",
        cut=("x1",),
    ),
    Lemma(
        "row2",
        (sum1 < pow2(W + 1), x2 < pow2(W + 1)),
        ((sum2 + carry2).eq(sum1 + carry1 + x2), (carry2 % 2).eq(0)),
        cut=("sum1", "carry1", "x2"),
    ),
    Lemma(
        "step",
        (phase.eq(LOOP), select.eq(2), precompute.eq(0)),
        (
            following(s).eq(sum2 // 2),
            following(c).eq(carry2 // 2),
            following(ds).eq(ds),
            following(dc).eq(dc),
        ),
        cut=("sum2", "carry2"),
    ),
    *counted_loop(phase, left, LOOP, DONE),
    Lemma(
        "hold",
        (phase.eq(DONE), select.eq(4), taken.eq(0)),
        (phase_next.eq(DONE), following(s).eq(s), following(c).eq(c)),
    ),
    Lemma("answer", (), (net("p_s_o", W + 1).eq(s), net("p_c_o", W + 1).eq(c))),
)
