# SPDX-License-Identifier: Apache-2.0
"""The lemmas on mf_zhengbing from which proofs/zhengbing.v follows."""

from __future__ import annotations

from montforge.prove.lemmas.shared import (
    counted_phases,
    handshake,
    one_level_adder,
    operands_taken,
    registered_selects,
    request,
    taken,
    word_serial_adder,
)
from montforge.prove.statement import Lemma, W, clog2, either, following, least, net, pow2, size

IDLE, PRECOMPUTE, LOOP, CONVERT, DONE = range(5)
WORD = least(size("converter"), W + 2)
WORDS = (W + 2 + WORD - 1) // WORD

a, b, n, d = net("a_q", W + 1), net("b_q", W + 1), net("n_q", W), net("d_q", WORDS * WORD)
s, c = net("ss_q", W + 1), net("sc_q", W + 1)
sum_, carry = net("sum", W + 2), net("carry", W + 2)
word = net("word", WORD)
phase, left = net("phase_q", 3), net("u_countdown.left_q", clog2(W + 2))
operand, loop, words = net("select_operand_q"), net("select_loop_q"), net("select_words_q")
phase_next, s_next, c_next, d_next = (following(each) for each in (phase, s, c, d))

LEMMAS = (
    handshake(phase, done=DONE),
    *registered_selects(phase, {operand: [IDLE], loop: [LOOP], words: [PRECOMPUTE, CONVERT]}),
    Lemma(
        "accept",
        (phase.eq(IDLE), request.eq(1), operand.eq(1), loop.eq(0), words.eq(0)),
        (
            phase_next.eq(PRECOMPUTE),
            following(left).eq(WORDS - 1),
            *operands_taken(W + 1),
            s_next.eq(net("b_i", W + 1)),
            c_next.eq(net("n_i", W)),
        ),
    ),
    *word_serial_adder("u_cpa", words, word, WORD, s, c),
    Lemma(
        "words_move",
        (words.eq(1), operand.eq(0), loop.eq(0)),
        (
            s_next.eq(s // pow2(WORD)),
            c_next.eq(c // pow2(WORD)),
            d_next.eq(d // pow2(WORD) + pow2((WORDS - 1) * WORD) * word),
        ),
        "A word of the sum enters D from above.",
        cut=("word",),
    ),
    Lemma("keep", (phase.eq(PRECOMPUTE),), (following(a).eq(a),)),
    Lemma("keep_operands", (phase > IDLE,), (following(b).eq(b), following(n).eq(n))),
    *one_level_adder(W + 2, a % 2, b, n, d, s, c),
    Lemma(
        "step",
        (phase.eq(LOOP), operand.eq(0), loop.eq(1), words.eq(0)),
        (
            s_next.eq(sum_ // 2),
            c_next.eq(carry // 2),
            following(a).eq(a // 2),
            d_next.eq(d),
        ),
        cut=("sum", "carry"),
    ),
    *counted_phases(phase, left, PRECOMPUTE, DONE, either(phase.eq(PRECOMPUTE), W + 1, WORDS - 1)),
    Lemma("hold", (phase.eq(DONE), taken.eq(0), words.eq(0)), (phase_next.eq(DONE), d_next.eq(d))),
    Lemma("answer", (), (net("p_o", W + 1).eq(d % pow2(W + 1)),)),
)
