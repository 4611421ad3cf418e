# SPDX-License-Identifier: Apache-2.0
"""The lemmas on mf_scs_mm from which proofs/scs_mm.v follows."""

from __future__ import annotations

from montforge.prove.statement import Lemma, W, clog2, either, following, net, pow2

IDLE, LOOP, ADD, DONE = range(4)

a, b, n = net("a_q", W + 1), net("b_q", W + 1), net("n_q", W)
s, c = net("ss_q", W + 1), net("sc_q", W + 1)
sum1, carry1 = net("u_csa.sum1", W + 2), net("u_csa.carry1", W + 2)
sum2, carry2 = net("u_csa.sum_o", W + 2), net("u_csa.carry_o", W + 2)
quotient = net("u_csa.quotient_digit")
phase, left = net("phase_q", 2), net("u_countdown.left_q", clog2(W + 2))
select_loop, select_add = net("select_loop_q"), net("select_add_q")
request, ready = net("req_valid_i"), net("req_ready_o")
response, taken = net("rsp_valid_o"), net("rsp_ready_i")
phase_next, s_next, c_next = following(phase), following(s), following(c)
in_loop = (phase.eq(LOOP), select_loop.eq(1), select_add.eq(0))
adding = (select_loop.eq(0), select_add.eq(1))
FIRST_ROW = ("u_csa.sum1", "u_csa.carry1")
LAST_ROW = ("u_csa.sum_o", "u_csa.carry_o")

LEMMAS = (
    Lemma(
        "ready",
        (),
        (
            ready.eq(either(phase.eq(IDLE), 1, 0)),
            response.eq(either(phase.eq(DONE), 1, 0)),
        ),
    ),
    Lemma(
        "selects",
        (),
        (
            following(select_loop).eq(either(phase_next.eq(LOOP), 1, 0)),
            following(select_add).eq(either(phase_next >= ADD, 1, 0)),
        ),
        "The selects are registers of what the next phase is.",
    ),
    Lemma(
        "selects_at_reset",
        (),
        (phase.eq(IDLE), select_loop.eq(0), select_add.eq(0)),
        at_reset=True,
    ),
    Lemma(
        "accept",
        (phase.eq(IDLE), request.eq(1)),
        (
            phase_next.eq(LOOP),
            following(left).eq(W + 1),
            following(a).eq(net("a_i", W + 1)),
            following(b).eq(net("b_i", W + 1)),
            following(n).eq(net("n_i", W)),
        ),
    ),
    Lemma(
        "clear",
        (phase.eq(IDLE), select_loop.eq(0), select_add.eq(0)),
        (s_next.eq(0), c_next.eq(0)),
    ),
    Lemma(
        "row1",
        (),
        ((sum1 + carry1).eq(s + c + (a % 2) * b), sum1 < pow2(W + 1), (carry1 % 2).eq(0)),
        "The first row of full adders, exactly.",
    ),
    Lemma(
        "row2",
        (sum1 < pow2(W + 1), (carry1 % 2).eq(0), (n % 2).eq(1)),
        (
            (sum2 + carry2).eq(sum1 + carry1 + quotient * n),
            (sum2 % 2).eq(0),
            (carry2 % 2).eq(0),
        ),
        "The second one; the quotient digit makes both vectors even.",
        cut=FIRST_ROW,
    ),
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
        cut=LAST_ROW,
    ),
    Lemma(
        "count",
        (phase.eq(LOOP), left > 0),
        (phase_next.eq(LOOP), following(left).eq(left - 1)),
    ),
    Lemma("count_end", (phase.eq(LOOP), left.eq(0)), (phase_next.eq(ADD),)),
    Lemma(
        "add",
        adding,
        (s_next.eq((s + c) % pow2(W + 1)), c_next.eq(0)),
    ),
    Lemma("added", (phase.eq(ADD),), (phase_next.eq(DONE),)),
    Lemma("hold", (phase.eq(DONE), taken.eq(0)), (phase_next.eq(DONE),)),
    Lemma("answer", (), (net("p_o", W + 1).eq(s),)),
)
