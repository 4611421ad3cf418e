# SPDX-License-Identifier: Apache-2.0
"""The lemmas on mf_fcs_mmm42, from which proofs/fcs_mmm42.v follows."""

from __future__ import annotations

from montforge.prove.lemmas.shared import CLOSED, handshake, request, taken
from montforge.prove.statement import (
    Expression,
    Lemma,
    W,
    clog2,
    either,
    following,
    later,
    net,
    pow2,
)

IDLE, ADD, LOOP, DONE = range(4)

OPERAND = W + 1 + CLOSED
STATE = OPERAND + 4
FIRST_LEFT = W + 5 + 2 * CLOSED
"""The iterations that follow i = -1."""

phase, select, left = net("phase_q", 2), net("select_q", 2), net("left_q", clog2(FIRST_LEFT + 1))
last, last_but_one = net("last_iteration_q"), net("last_but_one_q")
skip, quotient, bit = net("skip_d"), net("quotient_digit_q"), net("multiplier_bit_q")
operand, shift1, shift2 = (net(f"select_{name}_q") for name in ("operand", "shift1", "shift2"))
bs, bc, n_hat = net("bs_q", OPERAND), net("bc_q", OPERAND), net("n_hat_q", W)
ds, dc = net("ds_q", OPERAND + 1), net("dc_q", OPERAND + 1)
ss, sc, s, c, x1, x2, sum1, carry1, sum2, carry2 = (
    net(name, STATE)
    for name in ("ss_q", "sc_q", "s", "c", "x1", "x2", "sum1", "carry1", "sum2", "carry2")
)
rest_s, rest_c = net("u_brfa.s_q", OPERAND), net("u_brfa.c_q", OPERAND)
rest_carry, move1, move2 = (net(f"u_brfa.{name}_q") for name in ("carry", "shift1", "shift2"))
next_bit, bit_after = net("u_brfa.next_q"), net("u_brfa.after_next_q")
phase_next, left_next = following(phase), following(left)


def _moved(of: Expression) -> Expression:
    """Return a vector of the barrel register after the shift that is due."""
    return either(move1.eq(1), of // 2, either(move2.eq(1), of // 4, of))


rest = next_bit + 2 * bit_after + 4 * (_moved(rest_s) + _moved(rest_c) + rest_carry)
"""The operand from the bit after this iteration's on."""
counters = (last.eq(either(left.eq(0), 1, 0)), last_but_one.eq(either(left.eq(1), 1, 0)))

LEMMAS = (
    handshake(phase, done=DONE),
    Lemma(
        "accept",
        (phase.eq(IDLE), request.eq(1)),
        (
            phase_next.eq(ADD),
            following(rest_s).eq(net("a_s_i", OPERAND)),
            following(rest_c).eq(net("a_c_i", OPERAND)),
            following(rest_carry).eq(0),
            following(move1).eq(0),
            following(move2).eq(0),
            following(bs).eq(net("b_s_i", OPERAND)),
            following(bc).eq(net("b_c_i", OPERAND)),
            following(n_hat).eq(net("n_hat_i", W + 2) // 4),
            following(operand).eq(1),
            following(shift1).eq(0),
            following(shift2).eq(0),
            following(quotient).eq(1),
            following(bit).eq(0),
        ),
    ),
    Lemma(
        "added",
        (
            *(phase.eq(ADD), operand.eq(1), shift1.eq(0), shift2.eq(0)),
            *(quotient.eq(1), bit.eq(0), bs + bc < pow2(OPERAND)),
        ),
        (
            phase_next.eq(LOOP),
            left_next.eq(FIRST_LEFT),
            following(s).eq(0),
            following(c).eq(0),
            following(quotient).eq(0),
            following(bit).eq(0),
            (following(ds) + following(dc)).eq(2 * (bs + bc) + n_hat),
            (following(dc) % 4).eq(0),
        ),
        "The first row adds N-hat to B-hat. The loop begins with 0.",
    ),
    Lemma(
        "bits_begin",
        (phase.eq(ADD), move1.eq(0), move2.eq(0)),
        (
            later(rest).eq(rest_s + rest_c + rest_carry),
            (following(move1) + following(move2)).eq(1),
        ),
    ),
    Lemma(
        "selects",
        (phase_next > ADD,),
        (
            following(operand).eq(0),
            following(select).eq(either(phase_next.eq(LOOP), 1, 2)),
            following(last).eq(either(phase_next.eq(LOOP), either(left_next.eq(0), 1, 0), 0)),
            following(last_but_one).eq(
                either(phase_next.eq(LOOP), either(left_next.eq(1), 1, 0), 0)
            ),
        ),
        "Registers of the next phase.",
    ),
    Lemma(
        "keep",
        (phase > IDLE,),
        (following(bs).eq(bs), following(bc).eq(bc), following(n_hat).eq(n_hat)),
    ),
    Lemma("keep_sum", (phase.eq(LOOP),), (following(ds).eq(ds), following(dc).eq(dc))),
    Lemma(
        "count",
        (phase.eq(LOOP), *counters, left > skip),
        (phase_next.eq(LOOP), left_next.eq(left - 1 - skip)),
    ),
    Lemma(
        "count_end",
        (phase.eq(LOOP), *counters, left <= skip),
        (phase_next.eq(DONE), left.eq(skip)),
        "The last iteration skips none after it.",
    ),
    Lemma(
        "bits",
        (phase.eq(LOOP), move1 + move2 <= 1),
        (
            later(rest).eq(either(skip.eq(1), rest // 4, rest // 2)),
            (following(move1) + following(move2)).eq(1),
        ),
        "The operand moves on by the iterations that pass.",
        cut=("skip_d",),
    ),
    Lemma(
        "digits",
        (phase.eq(LOOP), phase_next.eq(LOOP)),
        (following(bit).eq(either(skip.eq(1), bit_after, next_bit)),),
        "The bit of the next iteration that adds something.",
    ),
    Lemma(
        "multiple",
        ((ds + dc).eq(2 * (bs + bc) + n_hat),),
        (
            (x1 + x2).eq(bit * (8 * (bs + bc)) + quotient * (4 * n_hat)),
            x1 < pow2(STATE - 1),
            x2 < pow2(STATE - 1),
        ),
    ),
    Lemma(
        "row1",
        (s < pow2(STATE - 1), c < pow2(STATE - 1), x1 < pow2(STATE - 1)),
        ((sum1 + carry1).eq(s + c + x1), sum1 < pow2(STATE - 1)),
        "The first row of full adders, exactly.",
        cut=("s", "c", "x1"),
    ),
    Lemma(
        "row2",
        (sum1 < pow2(STATE - 1), x2 < pow2(STATE - 1)),
        ((sum2 + carry2).eq(sum1 + carry1 + x2),),
        cut=("sum1", "carry1", "x2"),
    ),
    Lemma(
        "low_bits",
        ((c % 4).eq(0), (dc % 2).eq(0)),
        ((sum2 % 4).eq(s % 4), (carry2 % 16).eq(0)),
        "The multiples are 0 in the lowest places.",
        cut=("s", "c"),
    ),
    Lemma(
        "skipped",
        (phase.eq(LOOP), operand.eq(0), (c % 4).eq(0), skip.eq(1)),
        (next_bit.eq(0), (s % 4).eq(s % 2)),
        "An iteration that adds nothing.",
    ),
    Lemma(
        "moves",
        (phase.eq(LOOP), select.eq(1), following(operand).eq(0)),
        (
            following(s).eq(either(skip.eq(1), sum2 // 4, sum2 // 2)),
            following(c).eq(either(skip.eq(1), carry2 // 4, carry2 // 2)),
            following(shift2).eq(skip),
        ),
        cut=("sum2", "carry2", "skip_d"),
    ),
    Lemma(
        "next_quotient",
        (
            *(phase.eq(LOOP), phase_next.eq(LOOP), operand.eq(0), select.eq(1)),
            *((c % 4).eq(0), either(shift2.eq(1), 0, c % 8).eq(0)),
            *((dc % 4).eq(0), (ds % 2).eq(n_hat % 2)),
        ),
        (following(quotient).eq(following(s) % 2),),
        "The quotient digit is the lowest bit of the state.",
    ),
    Lemma(
        "hold",
        (phase.eq(DONE), select.eq(2), operand.eq(0), taken.eq(0)),
        (
            phase_next.eq(DONE),
            following(select).eq(2),
            following(operand).eq(0),
            following(s).eq(s),
            following(c).eq(c),
        ),
    ),
    Lemma(
        "answer",
        (),
        (
            net("p_s_o", W + 2).eq(s % pow2(W + 2)),
            net("p_c_o", W + 2).eq(c % pow2(W + 2)),
        ),
    ),
)
