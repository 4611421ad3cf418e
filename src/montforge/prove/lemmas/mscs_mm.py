# SPDX-License-Identifier: Apache-2.0
"""The lemmas on mf_mscs_mm from which proofs/mscs_mm.v follows."""

from __future__ import annotations

from montforge.prove.lemmas.shared import counted_loop, handshake, operands_taken, request, taken
from montforge.prove.statement import Lemma, W, bits_and, clog2, either, following, net, pow2

IDLE, ADD, RESOLVE, LOOP, CONVERT, DONE = range(6)

a, b, n, d = net("a_q", W + 1), net("b_q", W + 1), net("n_q", W), net("d_q", W + 2)
ss, sc = net("ss_q", W + 2), net("sc_q", W + 2)
s, c, x = net("s", W + 3), net("c", W + 3), net("x", W + 3)
sum_, carry = net("sum", W + 3), net("carry", W + 3)
bit, quotient = net("multiplier_bit_q"), net("quotient_digit_q")
phase, left = net("phase_q", 3), net("u_countdown.left_q", clog2(W + 1))
operand, twice, pair = net("select_operand_q"), net("select_twice_q"), net("select_pair_q")
half_d, half_b = net("select_half_d_q"), net("select_half_b_q")
phase_next, bit_next, quotient_next = following(phase), following(bit), following(quotient)
begins = either(phase.eq(RESOLVE), either(phase_next.eq(LOOP), a % 2, 0), 0)
first_state = either((a % 2).eq(1), either((b % 2).eq(1), ss // 2, b // 2), 0)

LEMMAS = (
    handshake(phase, done=DONE),
    Lemma(
        "selects",
        (),
        (
            following(operand).eq(either(phase_next.eq(ADD), 1, 0)),
            following(twice).eq(either(phase_next.eq(ADD), 0, either(phase_next.eq(LOOP), 0, 1))),
            following(pair).eq(either(phase.eq(LOOP), either(phase_next.eq(LOOP), 1, 0), 0)),
            following(half_d).eq(either((b % 2).eq(1), begins, 0)),
            following(half_b).eq(either((b % 2).eq(1), 0, begins)),
            bit_next <= either(phase_next.eq(LOOP), 1, 0),
            quotient_next <= either(phase_next.eq(LOOP), 1, 0),
        ),
    ),
    Lemma(
        "selects_at_reset",
        (),
        (
            phase.eq(IDLE),
            operand.eq(0),
            twice.eq(1),
            pair.eq(0),
            half_d.eq(0),
            half_b.eq(0),
            bit.eq(0),
            quotient.eq(0),
        ),
        at_reset=True,
    ),
    Lemma(
        "accept",
        (phase.eq(IDLE), request.eq(1)),
        (
            phase_next.eq(ADD),
            *operands_taken(W + 1),
        ),
    ),
    Lemma(
        "inputs",
        (operand + twice + pair + half_d <= 1, operand + twice + pair + half_b <= 1),
        (
            s.eq(
                either(operand.eq(1), 2 * b, 0)
                + either(twice.eq(1), 2 * ss, 0)
                + either(pair.eq(1), ss, 0)
                + either(half_d.eq(1), ss // 2, 0)
            ),
            c.eq(
                either(operand.eq(1), 2 * n, 0)
                + either(twice.eq(1), 2 * sc, 0)
                + either(pair.eq(1), sc, 0)
                + either(half_b.eq(1), b // 2, 0)
            ),
        ),
    ),
    Lemma("nothing", (bit.eq(0), quotient.eq(0)), (x.eq(0),)),
    Lemma("multiple", (d.eq(b + n),), (x.eq(bit * b + quotient * n),)),
    Lemma(
        "half_adders",
        (x.eq(0), s + c < pow2(W + 3)),
        ((sum_ + carry).eq(s + c), carry.eq((2 * bits_and(s, c)) % pow2(W + 3))),
        "Without a multiple the row has half adders.",
        cut=("s", "c", "x"),
    ),
    Lemma(
        "row",
        (s < pow2(W + 2), c < pow2(W + 2), x < pow2(W + 2)),
        ((sum_ + carry).eq(s + c + x), (carry % 2).eq(0)),
        "The row of full adders, exactly.",
        cut=("s", "c", "x"),
    ),
    Lemma(
        "halve",
        (),
        (following(ss).eq(sum_ // 2), following(sc).eq(carry // 2)),
        cut=("sum", "carry"),
    ),
    Lemma(
        "keep",
        (phase > IDLE,),
        (
            following(b).eq(b),
            following(n).eq(n),
            following(a).eq(either(phase.eq(LOOP), a // 2, a)),
            following(d).eq(either(phase.eq(RESOLVE), ss, d)),
        ),
    ),
    Lemma("added", (phase.eq(ADD),), (phase_next.eq(RESOLVE),)),
    Lemma(
        "resolving",
        (phase.eq(RESOLVE),),
        (phase_next.eq(either(sc.eq(0), LOOP, RESOLVE)), following(left).eq(W)),
    ),
    Lemma(
        "first_digits",
        (phase.eq(RESOLVE), sc.eq(0), (n % 2).eq(1)),
        (
            bit_next.eq((a // 2) % 2),
            ((first_state + bit_next * b + quotient_next * n) % 2).eq(0),
        ),
        "The digits of the iteration after the first one.",
    ),
    Lemma(
        "next_digits",
        (phase.eq(LOOP), left > 0, (n % 2).eq(1)),
        (
            bit_next.eq((a // 4) % 2),
            ((sum_ // 2 + carry // 2 + bit_next * b + quotient_next * n) % 2).eq(0),
        ),
        cut=("sum", "carry"),
    ),
    *counted_loop(phase, left, LOOP, CONVERT),
    Lemma("converts", (phase.eq(CONVERT),), (phase_next.eq(either(sc.eq(0), DONE, CONVERT)),)),
    Lemma("hold", (phase.eq(DONE), taken.eq(0)), (phase_next.eq(DONE),)),
    Lemma("answer", (), (net("p_o", W + 1).eq(ss % pow2(W + 1)),)),
)
