# SPDX-License-Identifier: Apache-2.0
"""The lemmas on mf_bunimov from which proofs/bunimov.v follows."""

from __future__ import annotations

from montforge.prove.lemmas.shared import (
    counted_phases,
    handshake,
    one_level_adder,
    operands_taken,
    registered_selects,
    request,
    taken,
)
from montforge.prove.statement import Lemma, W, clog2, either, following, least, net, pow2, size

IDLE, PRECOMPUTE, LOOP, CONVERT, SUBTRACT, DONE = range(6)
WORD = least(size("converter"), W + 2)
WORDS = (W + 2 + WORD - 1) // WORD

a, b, n = net("a_q", W), net("b_q", W), net("n_q", W)
s, c, d = net("ss_q", WORDS * WORD), net("sc_q", W), net("d_q", WORDS * WORD)
sum_, row_carry = net("sum", W + 1), net("carry", W + 1)
word, low, top = net("word", WORD), net("low_word", WORD), net("top_word", WORD)
addend, carry, carry_out = net("addend", WORD), net("u_cpa.carry_q"), net("carry_out")
no_borrow = net("no_borrow_q")
phase, left = net("phase_q", 3), net("u_countdown.left_q", clog2(W))
operand, loop = net("select_operand_q"), net("select_loop_q")
words, held = net("select_words_q"), net("select_hold_q")
phase_next, s_next, c_next, d_next = (following(each) for each in (phase, s, c, d))

LEMMAS = (
    handshake(phase, done=DONE),
    *registered_selects(
        phase,
        {
            operand: [IDLE],
            loop: [LOOP],
            words: [PRECOMPUTE, CONVERT, SUBTRACT],
            held: [DONE],
        },
    ),
    Lemma(
        "accept",
        (phase.eq(IDLE), request.eq(1), operand.eq(1), loop.eq(0), words.eq(0), held.eq(0)),
        (
            phase_next.eq(PRECOMPUTE),
            following(left).eq(WORDS - 1),
            *operands_taken(),
            s_next.eq(net("b_i", W)),
            c_next.eq(net("n_i", W)),
        ),
    ),
    Lemma("no_carry", (words.eq(0), phase < CONVERT), (following(carry).eq(0),)),
    Lemma(
        "carry_on",
        (words.eq(1), either(phase.eq(CONVERT), left, 1) > 0),
        (following(carry).eq(carry_out),),
    ),
    Lemma("carry_in", (phase.eq(CONVERT), left.eq(0)), (following(carry).eq(1),)),
    Lemma(
        "word_added",
        (),
        (
            (word + pow2(WORD) * carry_out).eq(s % pow2(WORD) + addend + carry),
            addend.eq(either(phase.eq(SUBTRACT), pow2(WORD) - 1 - n % pow2(WORD), c % pow2(WORD))),
        ),
    ),
    Lemma(
        "top",
        (),
        (top.eq(either(phase.eq(CONVERT), word, either(phase.eq(SUBTRACT), s % pow2(WORD), 0))),),
        "The word that enters the sum vector from above.",
        cut=("word",),
    ),
    Lemma(
        "words_move",
        (words.eq(1), operand.eq(0), loop.eq(0), held.eq(0)),
        (
            s_next.eq(s // pow2(WORD) + pow2((WORDS - 1) * WORD) * top),
            c_next.eq(c // pow2(WORD)),
            d_next.eq(d // pow2(WORD) + pow2((WORDS - 1) * WORD) * word),
        ),
        cut=("word", "top_word"),
    ),
    Lemma("keep", (phase.eq(PRECOMPUTE),), (following(a).eq(a),)),
    Lemma(
        "keep_operands",
        (phase > IDLE, phase < SUBTRACT),
        (following(b).eq(b), following(n).eq(n)),
    ),
    Lemma(
        "subtract",
        (phase.eq(SUBTRACT),),
        (following(n).eq(n // pow2(WORD)), following(no_borrow).eq(carry_out)),
    ),
    *one_level_adder(W + 1, a % 2, b, n, d, s, c),
    Lemma(
        "step",
        (phase.eq(LOOP), operand.eq(0), loop.eq(1), words.eq(0), held.eq(0)),
        (
            s_next.eq(sum_ // 2),
            c_next.eq(row_carry // 2),
            following(a).eq(a // 2),
            d_next.eq(d),
        ),
        cut=("sum", "carry"),
    ),
    *counted_phases(phase, left, PRECOMPUTE, DONE, either(phase.eq(PRECOMPUTE), W - 1, WORDS - 1)),
    Lemma(
        "hold",
        (phase.eq(DONE), taken.eq(0), operand.eq(0), loop.eq(0), words.eq(0), held.eq(1)),
        (
            phase_next.eq(DONE),
            s_next.eq(s),
            d_next.eq(d),
            following(no_borrow).eq(no_borrow),
        ),
    ),
    Lemma(
        "answer",
        (),
        (net("p_o", W).eq(either(no_borrow.eq(1), d % pow2(W), s % pow2(W))),),
    ),
)
