# SPDX-License-Identifier: Apache-2.0
"""The lemmas on mf_full_pipelined from which proofs/full_pipelined.v follows."""

from __future__ import annotations

from montforge.prove.lemmas.shared import ready, stages_in_step
from montforge.prove.statement import Expression, Lemma, W, either, following, net, part, pow2

a, b, n, n_prime = net("a_q", W), net("b_q", W), net("n_q", 4 * W), net("n_prime_q", 2 * W)
t, q, u_high, p = net("t_q", 2 * W), net("q_q", W), net("u_high_q", W), net("p_q", W)
t_high, low, total = net("t_high_q", 2 * W), net("low_not_zero_q", 2), net("sum", W + 1)
moves, R = ready.eq(1), pow2(W)


def _word(of: Expression, at: int) -> Expression:
    """Return word ``at`` of a register of words of the width."""
    return part(of, at * W, W)


def _next_word(of: Expression, at: int) -> Expression:
    """Return that word ``at`` is that below it, of the cycle before."""
    return _word(following(of), at).eq(_word(of, at - 1))


LEMMAS = (
    *stages_in_step(5),
    Lemma(
        "accept",
        (moves,),
        (
            *(following(net(f"{x}_q", W)).eq(net(f"{x}_i", W)) for x in "ab"),
            _word(following(n), 0).eq(net("n_i", W)),
            _word(following(n_prime), 0).eq(net("n_prime_i", W)),
        ),
    ),
    Lemma("product", (moves,), (following(t).eq(a * b), _next_word(n, 1), _next_word(n_prime, 1))),
    Lemma(
        "quotient",
        (moves,),
        (
            following(q).eq((t * _word(n_prime, 1)) % R),
            _word(following(t_high), 0).eq(t // R),
            part(following(low), 0).eq(either((t % R).eq(0), 0, 1)),
            _next_word(n, 2),
        ),
        "Modulo R the low half of T counts.",
    ),
    Lemma(
        "multiple",
        (moves,),
        (
            following(u_high).eq((q * _word(n, 2)) // R),
            _next_word(t_high, 1),
            part(following(low), 1).eq(part(low, 0)),
            _next_word(n, 3),
        ),
    ),
    Lemma(
        "halves_added",
        (),
        (total.eq(_word(t_high, 1) + u_high + part(low, 1)),),
        "The low halves add up to R, or are 0.",
    ),
    Lemma(
        "reduce",
        (moves, total < 2 * _word(n, 3)),
        (following(p).eq(either(total < _word(n, 3), total, total - _word(n, 3))),),
        cut=("sum",),
    ),
    Lemma(
        "hold",
        (ready.eq(0),),
        tuple(following(x).eq(x) for x in (a, b, n, n_prime, t, q, t_high, low, u_high, p)),
    ),
    Lemma("answer", (), (net("p_o", W).eq(p),)),
)
