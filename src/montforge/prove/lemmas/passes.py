# SPDX-License-Identifier: Apache-2.0
"""The lemmas on mf_multiplier_passes: theorem response, proofs/Passes.v."""

from __future__ import annotations

from montforge.prove.lemmas.shared import handshake, one_of, request, taken
from montforge.prove.statement import Lemma, W, clog2, either, following, net, pow2

IDLE, PRODUCT, QUOTIENT, REDUCE, ADD, SUBTRACT, DONE = range(7)
R = pow2(W)
X, Y, RESULT = net("x", W), net("y", W), net("product", 2 * W)
"""The operands of the multiplier, and its product."""


def passes(cycles: int) -> tuple[Lemma, ...]:
    """Return the lemmas on the passes of a multiplier of ``cycles`` cycles, two or more."""
    phase, count = net("u_passes.phase_q", 3), net("u_passes.count_q", clog2(cycles))
    x, y, n, n_prime, t_high, p = (
        net(f"u_passes.{name}_q", W) for name in ("x", "y", "n", "n_prime", "t_high", "p")
    )
    low, total = net("u_passes.low_not_zero_q"), net("u_passes.sum_q", W + 1)
    in_pass, next_phase = one_of(phase, (PRODUCT, QUOTIENT, REDUCE)), following(phase)

    return (
        handshake(phase, done=DONE),
        Lemma("rest", ((phase < PRODUCT) | (phase > REDUCE),), (following(count).eq(0),)),
        Lemma(
            "accept",
            (phase.eq(IDLE), request.eq(1)),
            (
                next_phase.eq(PRODUCT),
                following(x).eq(net("a_i", W)),
                following(y).eq(net("b_i", W)),
                following(n).eq(net("n_i", W)),
                following(n_prime).eq(net("n_prime_i", W)),
            ),
        ),
        Lemma(
            "keep",
            (phase > IDLE,),
            tuple(following(each).eq(each) for each in (x, y, n, n_prime)),
        ),
        Lemma(
            "runs",
            (in_pass, count < cycles - 1),
            (next_phase.eq(phase), following(count).eq(count + 1)),
        ),
        Lemma(
            "ends",
            (in_pass, count.eq(cycles - 1)),
            (next_phase.eq(phase + 1), following(count).eq(0)),
        ),
        Lemma("adds", (one_of(phase, (ADD, SUBTRACT)),), (next_phase.eq(phase + 1),)),
        Lemma(
            "operands",
            (),
            (
                X.eq(
                    either(phase.eq(QUOTIENT), RESULT % R, either(phase.eq(REDUCE), RESULT % R, x))
                ),
                Y.eq(either(phase.eq(QUOTIENT), n_prime, either(phase.eq(REDUCE), n, y))),
            ),
        ),
        Lemma(
            "halves",
            (),
            (
                following(t_high).eq(either(phase.eq(QUOTIENT), RESULT // R, t_high)),
                following(low).eq(
                    either(phase.eq(QUOTIENT), either((RESULT % R).eq(0), 0, 1), low)
                ),
            ),
            "The low halves of T and U add up to R, or are 0.",
        ),
        Lemma("added", (phase.eq(ADD),), (following(total).eq(t_high + RESULT // R + low),)),
        Lemma(
            "reduced",
            (phase.eq(SUBTRACT), total < 2 * n),
            (following(p).eq(either(total < n, total, total - n)),),
        ),
        Lemma("hold", (phase.eq(DONE), taken.eq(0)), (next_phase.eq(DONE), following(p).eq(p))),
        Lemma("answer", (), (net("p_o", W).eq(p),)),
    )
