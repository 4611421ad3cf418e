# SPDX-License-Identifier: Apache-2.0
"""The lemmas on mf_full_parallel from which proofs/full_parallel.v follows."""

from __future__ import annotations

from montforge.prove.lemmas.shared import handshake, operands_taken, request, taken
from montforge.prove.statement import Lemma, W, either, following, net, pow2

IDLE, COMPUTE, DONE = range(3)

a, b, n, n_prime = net("a_q", W), net("b_q", W), net("n_q", W), net("n_prime_q", W)
p, t, u, q = net("p_q", W), net("t", 2 * W), net("u", 2 * W), net("q", W)
total, state = net("sum", W + 1), net("state_q", 2)
state_next, R = following(state), pow2(W)

LEMMAS = (
    handshake(state, done=DONE),
    Lemma(
        "accept",
        (state.eq(IDLE), request.eq(1)),
        (
            state_next.eq(COMPUTE),
            *operands_taken(),
            following(n_prime).eq(net("n_prime_i", W)),
        ),
    ),
    Lemma("product", (), (t.eq(a * b),)),
    Lemma("quotient", (), (q.eq((t * n_prime) % R),), "Modulo R the low half of T counts.", ("t",)),
    Lemma("multiple", (), (u.eq(q * n),), cut=("q",)),
    Lemma(
        "halves_added",
        (),
        (total.eq(t // R + u // R + either((t % R).eq(0), 0, 1)),),
        "The low halves add up to R, or are 0.",
        cut=("t", "u"),
    ),
    Lemma(
        "reduce",
        (state.eq(COMPUTE), total < 2 * n),
        (state_next.eq(DONE), following(p).eq(either(total < n, total, total - n))),
        cut=("sum",),
    ),
    Lemma("hold", (state.eq(DONE), taken.eq(0)), (state_next.eq(DONE), following(p).eq(p))),
    Lemma("answer", (), (net("p_o", W).eq(p),)),
)
