# SPDX-License-Identifier: Apache-2.0
"""The lemmas on mf_mlws from which proofs/mlws.v follows."""

from __future__ import annotations

from montforge.prove.lemmas.mclaughlin import CORE, P, done, h, loaded, rests
from montforge.prove.lemmas.shared import handshake, request, taken
from montforge.prove.statement import Lemma, W, following, later, net, pow2

IDLE, RUN, DONE = range(3)

phase, p = net("phase_q", 2), net("p_q", W + 1)
quiet = rests(phase, RUN, DONE)

LEMMAS = (
    handshake(phase, done=DONE),
    Lemma("quiet_at_reset", (), (phase.eq(IDLE), quiet), at_reset=True),
    Lemma("quiet_on", (quiet,), (later(quiet),), "The core rests while no operation is under way."),
    Lemma(
        "accept",
        (phase.eq(IDLE), request.eq(1), quiet),
        (following(phase).eq(RUN), *loaded(W + 1)),
    ),
    Lemma("runs", (phase.eq(RUN), done.eq(0)), (following(phase).eq(RUN),)),
    *CORE,
    Lemma(
        "halved",
        (phase.eq(RUN), done.eq(1)),
        (
            following(phase).eq(DONE),
            following(p).eq((((1 - h) % P) // 2) % pow2(W + 1)),
        ),
    ),
    Lemma(
        "hold",
        (phase.eq(DONE), taken.eq(0), quiet),
        (following(phase).eq(DONE), following(p).eq(p)),
    ),
    Lemma("answer", (), (net("p_o", W + 1).eq(p),)),
)
