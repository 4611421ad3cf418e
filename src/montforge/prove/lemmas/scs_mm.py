# SPDX-License-Identifier: Apache-2.0
"""The lemmas on mf_scs_mm from which proofs/scs_mm.v follows."""

from __future__ import annotations

from montforge.prove.lemmas.shared import (
    counted_loop,
    handshake,
    operands_taken,
    registered_selects,
    request,
    taken,
    two_level_adder,
)
from montforge.prove.statement import Lemma, W, clog2, following, net, pow2

IDLE, LOOP, ADD, DONE = range(4)

a, b, n = net("a_q", W + 1), net("b_q", W + 1), net("n_q", W)
s, c = net("ss_q", W + 1), net("sc_q", W + 1)
sum2, carry2 = net("u_csa.sum_o", W + 2), net("u_csa.carry_o", W + 2)
phase, left = net("phase_q", 2), net("u_countdown.left_q", clog2(W + 2))
select_loop, select_add = net("select_loop_q"), net("select_add_q")
phase_next, s_next, c_next = following(phase), following(s), following(c)
in_loop = (phase.eq(LOOP), select_loop.eq(1), select_add.eq(0))
adding = (select_loop.eq(0), select_add.eq(1))

LEMMAS = (
    handshake(phase, done=DONE),
    *registered_selects(phase, {select_loop: [LOOP], select_add: [ADD, DONE]}),
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
        "clear",
        (phase.eq(IDLE), select_loop.eq(0), select_add.eq(0)),
        (s_next.eq(0), c_next.eq(0)),
    ),
    *two_level_adder(s, c, a % 2, b, n),
    Lemma(
        "step",
        in_loop,
        (
            s_next.eq(sum2 // 2),
            c_next.eq(carry2 // 2),
            following(a).eq(a // 2),
            following(b).eq(b),
            following(n).eq(n),
        ),
        cut=("u_csa.sum_o", "u_csa.carry_o"),
    ),
    *counted_loop(phase, left, LOOP, ADD),
    Lemma(
        "add",
        adding,
        (s_next.eq((s + c) % pow2(W + 1)), c_next.eq(0)),
    ),
    Lemma("added", (phase.eq(ADD),), (phase_next.eq(DONE),)),
    Lemma("hold", (phase.eq(DONE), taken.eq(0)), (phase_next.eq(DONE),)),
    Lemma("answer", (), (net("p_o", W + 1).eq(s),)),
)
