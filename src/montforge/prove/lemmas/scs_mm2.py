# SPDX-License-Identifier: Apache-2.0
"""The lemmas on mf_scs_mm2 from which proofs/scs_mm2.v follows."""

from __future__ import annotations

from montforge.prove.lemmas.shared import (
    counted_loop,
    handshake,
    operands_taken,
    request,
    taken,
    two_level_adder,
)
from montforge.prove.statement import Lemma, W, bits_and, clog2, either, following, net, pow2

IDLE, LOOP, CONVERT, DONE = range(4)

a, b, n = net("a_q", W + 1), net("b_q", W + 1), net("n_q", W)
ss, sc = net("ss_q", W + 1), net("sc_q", W + 1)
s, c = net("s", W + 2), net("c", W + 2)
sum1, carry1 = net("u_csa.sum1", W + 2), net("u_csa.carry1", W + 2)
sum2, carry2 = net("u_csa.sum_o", W + 2), net("u_csa.carry_o", W + 2)
phase, left = net("phase_q", 2), net("u_countdown.left_q", clog2(W + 2))
pair, twice = net("select_pair_q"), net("select_twice_q")
phase_next = following(phase)
INPUTS = ("s", "c")
FIRST_ROW = ("u_csa.sum1", "u_csa.carry1")

LEMMAS = (
    handshake(phase, done=DONE),
    Lemma(
        "selects",
        (),
        (
            following(pair).eq(either(phase.eq(LOOP), either(phase_next.eq(LOOP), 1, 0), 0)),
            following(twice).eq(either(phase_next >= CONVERT, 1, 0)),
        ),
        "The first cycle of the loop selects no pair: the state is 0.",
    ),
    Lemma("selects_at_reset", (), (phase.eq(IDLE), pair.eq(0), twice.eq(0)), at_reset=True),
    Lemma(
        "accept",
        (phase.eq(IDLE), request.eq(1)),
        (
            phase_next.eq(LOOP),
            following(left).eq(W + 1),
            *operands_taken(W + 1),
        ),
    ),
    Lemma(
        "inputs",
        (pair + twice <= 1,),
        (
            s.eq(either(twice.eq(1), 2 * ss, either(pair.eq(1), ss, 0))),
            c.eq(either(twice.eq(1), 2 * sc, either(pair.eq(1), sc, 0))),
        ),
    ),
    *two_level_adder(s, c, a % 2, b, n),
    Lemma(
        "half_adders1",
        (a.eq(0), s + c < pow2(W + 2), (s % 2).eq(0), (c % 2).eq(0)),
        (
            (sum1 + carry1).eq(s + c),
            (sum1 % 2).eq(0),
            carry1.eq((2 * bits_and(s, c)) % pow2(W + 2)),
        ),
        "Without a bit of A the first row has half adders.",
        cut=INPUTS,
    ),
    Lemma(
        "half_adders2",
        (sum1 + carry1 < pow2(W + 2), (sum1 % 2).eq(0)),
        (
            (sum2 + carry2).eq(sum1 + carry1),
            (sum2 % 2).eq(0),
            carry2.eq((2 * bits_and(sum1, carry1)) % pow2(W + 2)),
        ),
        "With an even sum the second one, too.",
        cut=FIRST_ROW,
    ),
    Lemma(
        "halve",
        (),
        (following(ss).eq(sum2 // 2), following(sc).eq(carry2 // 2)),
        cut=("u_csa.sum_o", "u_csa.carry_o"),
    ),
    Lemma(
        "shift",
        (phase > IDLE,),
        (following(a).eq(a // 2), following(b).eq(b), following(n).eq(n)),
    ),
    *counted_loop(phase, left, LOOP, CONVERT),
    Lemma("converts", (phase.eq(CONVERT),), (phase_next.eq(either(sc.eq(0), DONE, CONVERT)),)),
    Lemma("hold", (phase.eq(DONE), taken.eq(0)), (phase_next.eq(DONE),)),
    Lemma("answer", (), (net("p_o", W + 1).eq(ss),)),
)
