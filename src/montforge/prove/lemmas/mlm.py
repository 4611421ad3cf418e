# SPDX-License-Identifier: Apache-2.0
"""The lemmas on mf_mlm from which proofs/mlm.v follows."""

from __future__ import annotations

from montforge.prove.lemmas.mclaughlin import (
    CORE,
    LENGTH,
    SETTLE_MULTIPLE,
    P,
    core,
    done,
    h,
    loaded,
    r,
    rests,
)
from montforge.prove.lemmas.shared import handshake, request, taken
from montforge.prove.statement import Lemma, W, either, following, later, net, pow2

IDLE, RUN, NEGATE, ADD_F, HALVE, ADD_W, COMPARE, SUBTRACT, DONE = range(9)

phase, t, n, parity = net("phase_q", 4), net("t_q", LENGTH + 2), net("n_q", W), net("parity_q")
quiet = rests(phase, RUN, DONE)
phase_next, t_next = following(phase), following(t)
H = P + 1
negative = either(h.eq(0), 0, H - h)

LEMMAS = (
    handshake(phase, done=DONE),
    Lemma("quiet_at_reset", (), (phase.eq(IDLE), quiet), at_reset=True),
    Lemma("quiet_on", (quiet,), (later(quiet),), "The core rests while no operation is under way."),
    Lemma(
        "accept",
        (phase.eq(IDLE), request.eq(1), quiet),
        (
            phase_next.eq(RUN),
            *loaded(W),
            following(n).eq(net("n_i", W)),
            following(parity).eq((net("a_i", W) % 2) * (net("b_i", W) % 2)),
        ),
    ),
    Lemma("runs", (phase.eq(RUN),), (phase_next.eq(either(done.eq(0), RUN, NEGATE)),)),
    *CORE,
    Lemma(
        "own_kept",
        (phase > IDLE,),
        (following(n).eq(n), following(parity).eq(parity)),
    ),
    Lemma(
        "m_kept",
        (quiet, (phase > RUN) | core.eq(SETTLE_MULTIPLE) | done.eq(1)),
        (following(r).eq(r),),
        "The result m of the core stays after its last pass.",
    ),
    Lemma("g_kept", (phase.eq(RUN), done.eq(1), quiet), (following(h).eq(h),)),
    Lemma(
        "negated",
        (phase.eq(NEGATE), h <= P),
        (
            t_next.eq(negative),
            phase_next.eq(either((negative % 2).eq(1), ADD_F, HALVE)),
        ),
    ),
    Lemma("add_f", (phase.eq(ADD_F), t <= P), (t_next.eq(t + H), phase_next.eq(HALVE))),
    Lemma(
        "halved",
        (phase.eq(HALVE),),
        (
            t_next.eq(t // 2),
            phase_next.eq(
                either(((t // 2 + parity + (r % 2) * (n % 2)) % 2).eq(0), COMPARE, ADD_W)
            ),
        ),
        "The parity of a b + m n chooses.",
    ),
    Lemma("add_w", (phase.eq(ADD_W), t <= P), (t_next.eq(t + H), phase_next.eq(COMPARE))),
    Lemma(
        "compared",
        (phase.eq(COMPARE), t < 2 * P),
        (t_next.eq(t), phase_next.eq(either(t < n, DONE, SUBTRACT))),
    ),
    Lemma(
        "subtracted",
        (phase.eq(SUBTRACT), n <= t),
        (t_next.eq(t - n), phase_next.eq(DONE)),
    ),
    Lemma("hold", (phase.eq(DONE), taken.eq(0)), (phase_next.eq(DONE), t_next.eq(t))),
    Lemma("answer", (), (net("p_o", W).eq(t % pow2(W)),)),
)
