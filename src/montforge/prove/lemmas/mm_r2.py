# SPDX-License-Identifier: Apache-2.0
"""The lemmas on mf_mm_r2 from which proofs/mm_r2.v follows."""

from __future__ import annotations

from montforge.prove.lemmas.shared import handshake, operands_taken, request, taken
from montforge.prove.statement import Lemma, W, clog2, either, following, net, pow2

IDLE, LOOP, REDUCE, DONE = range(4)

s, a, b, n = net("s_q", W + 1), net("a_q", W), net("b_q", W), net("n_q", W)
state, count = net("state_q", 2), net("count_q", clog2(W))
quotient = net("quotient_digit")

LEMMAS = (
    handshake(state, done=DONE),
    Lemma(
        "accept",
        (state.eq(IDLE), request.eq(1)),
        (
            following(state).eq(LOOP),
            following(count).eq(0),
            following(s).eq(0),
            *operands_taken(),
        ),
    ),
    Lemma(
        "step",
        (state.eq(LOOP), (n % 2).eq(1)),
        (
            (2 * following(s)).eq(s + (a % 2) * b + quotient * n),
            following(a).eq(a // 2),
            following(b).eq(b),
            following(n).eq(n),
        ),
        "2 S' = S + a_i B + q N",
    ),
    Lemma(
        "count_up",
        (state.eq(LOOP), count < W - 1),
        (following(state).eq(LOOP), following(count).eq(count + 1)),
    ),
    Lemma("count_end", (state.eq(LOOP), count.eq(W - 1)), (following(state).eq(REDUCE),)),
    Lemma(
        "reduce",
        (state.eq(REDUCE), s < 2 * n),
        (following(state).eq(DONE), following(s).eq(either(s < n, s, s - n))),
    ),
    Lemma("answer", (state.eq(DONE),), (net("p_o", W).eq(s % pow2(W)),)),
    Lemma("hold", (state.eq(DONE), taken.eq(0)), (following(state).eq(DONE), following(s).eq(s))),
)
