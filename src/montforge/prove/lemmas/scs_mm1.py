# SPDX-License-Identifier: Apache-2.0
"""The lemmas on mf_scs_mm1 from which proofs/scs_mm1.v follows."""

from __future__ import annotations

from montforge.prove.lemmas.shared import (
    counted_phases,
    handshake,
    operands_taken,
    registered_selects,
    request,
    taken,
    two_level_adder,
    word_serial_adder,
)
from montforge.prove.statement import Lemma, W, clog2, following, least, net, pow2, size

IDLE, LOOP, CONVERT, DONE = range(4)
WORD = least(size("converter"), W + 1)
WORDS = (W + 1 + WORD - 1) // WORD

a, b, n = net("a_q", W + 1), net("b_q", W + 1), net("n_q", W)
s, c = net("ss_q", WORDS * WORD), net("sc_q", W + 1)
sum2, carry2 = net("u_csa.sum_o", W + 2), net("u_csa.carry_o", W + 2)
word = net("word", WORD)
phase, left = net("phase_q", 2), net("u_countdown.left_q", clog2(W + 2))
select_loop, select_convert = net("select_loop_q"), net("select_convert_q")
select_hold = net("select_hold_q")
phase_next, s_next, c_next = following(phase), following(s), following(c)

LEMMAS = (
    handshake(phase, done=DONE),
    *registered_selects(
        phase, {select_loop: [LOOP], select_convert: [CONVERT], select_hold: [DONE]}
    ),
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
        (select_loop.eq(0), select_convert.eq(0), select_hold.eq(0)),
        (s_next.eq(0), c_next.eq(0)),
    ),
    *two_level_adder(s, c, a % 2, b, n),
    Lemma(
        "step",
        (phase.eq(LOOP), select_loop.eq(1), select_convert.eq(0), select_hold.eq(0)),
        (
            s_next.eq(sum2 // 2),
            c_next.eq(carry2 // 2),
            following(a).eq(a // 2),
            following(b).eq(b),
            following(n).eq(n),
        ),
        cut=("u_csa.sum_o", "u_csa.carry_o"),
    ),
    *word_serial_adder("u_cpa_fc", select_convert, word, WORD, s, c),
    Lemma(
        "convert",
        (select_convert.eq(1), select_loop.eq(0), select_hold.eq(0)),
        (
            s_next.eq(s // pow2(WORD) + pow2((WORDS - 1) * WORD) * word),
            c_next.eq(c // pow2(WORD)),
        ),
        "A word of the sum enters from above.",
        cut=("word",),
    ),
    *counted_phases(phase, left, LOOP, DONE, WORDS - 1),
    Lemma(
        "hold",
        (phase.eq(DONE), taken.eq(0), select_loop.eq(0), select_convert.eq(0), select_hold.eq(1)),
        (phase_next.eq(DONE), s_next.eq(s)),
    ),
    Lemma("answer", (), (net("p_o", W + 1).eq(s % pow2(W + 1)),)),
)
