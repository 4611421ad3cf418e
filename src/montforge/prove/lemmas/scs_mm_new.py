# SPDX-License-Identifier: Apache-2.0
"""The lemmas on mf_scs_mm_new, from which proofs/scs_mm_new.v follows."""

from __future__ import annotations

from montforge.prove.lemmas.shared import CLOSED, handshake, request, taken
from montforge.prove.statement import (
    Expression,
    Lemma,
    Operand,
    W,
    bits_and,
    clog2,
    either,
    following,
    net,
    pow2,
)

IDLE, ADD, RESOLVE, LOOP, CONVERT, DONE = range(6)

OPERAND = W + 1 + CLOSED
STATE = OPERAND + 4
FIRST_LEFT = W + 5 + 2 * CLOSED
"""The iterations that follow i = -1."""

phase, left = net("phase_q", 3), net("left_q", clog2(FIRST_LEFT + 1))
last, last_but_one, first_convert = (
    net(f"{name}_q") for name in ("last_iteration", "last_but_one", "first_convert")
)
skip, quotient, bit = net("skip_d"), net("quotient_bit_q"), net("multiplier_bit_q")
full_adder, operand, hold, shift1, shift2 = (
    net(f"{name}_q")
    for name in ("full_adder", "select_operand", "select_hold", "select_shift1", "select_shift2")
)
a_shift1, a_shift2 = net("shift1_multiplier_q"), net("shift2_multiplier_q")
a, b, n_hat, d = (
    net("a_q", OPERAND),
    net("b_q", OPERAND),
    net("n_hat_q", W),
    net("d_q", OPERAND + 1),
)
ss, sc, s, c, x, sum_, carry = (
    net(name, STATE) for name in ("ss_q", "sc_q", "s", "c", "x", "sum", "carry")
)
phase_next, left_next, a_next = following(phase), following(left), following(a)
PAIR, SUM = ("s", "c"), ("sum", "carry")


def _in_loop(value: Operand) -> Expression:
    """Return ``value`` if the next phase is the loop, else 0."""
    return either(phase_next.eq(LOOP), value, 0)


def _after_loop(value: Operand) -> Expression:
    """Return ``value`` if the phase is the loop, else 0."""
    return either(phase.eq(LOOP), value, 0)


first_carries = (2 * bits_and(s, c)) % pow2(STATE)
first_sum = (s + c - 2 * bits_and(s, c)) % pow2(STATE)
counters = (last.eq(either(left.eq(0), 1, 0)), last_but_one.eq(either(left.eq(1), 1, 0)))
one_shift = a_shift1 + a_shift2 <= 1
in_row = (full_adder.eq(1), operand.eq(0), hold.eq(0))

LEMMAS = (
    handshake(phase, done=DONE),
    Lemma("phase_at_reset", (), (phase.eq(IDLE),), at_reset=True),
    Lemma(
        "selects",
        (phase_next > IDLE,),
        (
            following(full_adder).eq(either(phase_next.eq(ADD), 1, _in_loop(1))),
            following(operand).eq(either(phase_next.eq(ADD), 1, 0)),
            following(hold).eq(
                either(phase_next.eq(ADD), 0, either(phase_next.eq(LOOP), 0, 1 - _after_loop(1)))
            ),
            following(shift1).eq(_after_loop(1 - skip)),
            following(shift2).eq(_after_loop(skip)),
            following(a_shift1).eq(_in_loop(1 - skip)),
            following(a_shift2).eq(_in_loop(skip)),
            following(first_convert).eq(_after_loop(1)),
            following(bit) <= _in_loop(1),
            following(quotient) <= _in_loop(1),
            following(last).eq(_in_loop(either(left_next.eq(0), 1, 0))),
            following(last_but_one).eq(_in_loop(either(left_next.eq(1), 1, 0))),
        ),
        "Registers of the next phase; an iteration's shift is done one cycle later.",
    ),
    Lemma(
        "accept",
        (phase.eq(IDLE), request.eq(1)),
        (
            phase_next.eq(ADD),
            a_next.eq(net("a_i", OPERAND)),
            following(b).eq(net("b_i", OPERAND)),
            following(n_hat).eq(net("n_hat_i", W + 2) // 4),
        ),
    ),
    Lemma("added", (phase.eq(ADD),), (phase_next.eq(RESOLVE), left_next.eq(FIRST_LEFT))),
    Lemma(
        "resolving",
        (phase.eq(RESOLVE), left.eq(FIRST_LEFT)),
        (
            phase_next.eq(either(sc.eq(0), LOOP, RESOLVE)),
            left_next.eq(either(sc.eq(0), left - 1 - skip, FIRST_LEFT)),
        ),
        "The last cycle of it is iteration -1.",
    ),
    Lemma(
        "count",
        (phase.eq(LOOP), *counters, left > skip),
        (phase_next.eq(LOOP), left_next.eq(left - 1 - skip)),
    ),
    Lemma(
        "count_end",
        (phase.eq(LOOP), *counters, left <= skip),
        (phase_next.eq(CONVERT), left.eq(skip)),
        "The last iteration skips none after it.",
    ),
    Lemma(
        "converts",
        (phase.eq(CONVERT),),
        (phase_next.eq(either(first_convert.eq(1), CONVERT, either(sc.eq(0), DONE, CONVERT))),),
    ),
    Lemma("waits", (phase.eq(DONE), taken.eq(0)), (phase_next.eq(DONE),)),
    Lemma(
        "keep",
        (phase > IDLE, one_shift),
        (
            following(b).eq(b),
            following(n_hat).eq(n_hat),
            following(d).eq(either(phase.eq(RESOLVE), ss // 8, d)),
            a_next.eq(either(a_shift2.eq(1), a // 4, either(a_shift1.eq(1), a // 2, a))),
        ),
    ),
    Lemma(
        "inputs",
        (operand + hold + shift1 + shift2 <= 1,),
        (
            s.eq(operand * (8 * b) + hold * ss + shift1 * (ss // 2) + shift2 * (ss // 4)),
            c.eq(operand * (4 * n_hat) + hold * sc + shift1 * (sc // 2) + shift2 * (sc // 4)),
        ),
    ),
    Lemma("nothing", (bit.eq(0), quotient.eq(0)), (x.eq(0),)),
    Lemma(
        "multiple",
        ((8 * d + (4 * n_hat) % 8).eq(8 * b + 4 * n_hat),),
        (x.eq(bit * (8 * b) + quotient * (4 * n_hat)),),
    ),
    Lemma(
        "row",
        (full_adder.eq(1), s < pow2(STATE - 1), c < pow2(STATE - 1)),
        ((sum_ + carry).eq(s + c + x), (carry % 2).eq(0)),
        "The row of full adders, exactly.",
        cut=(*PAIR, "x"),
    ),
    Lemma(
        "half_adders",
        (full_adder.eq(0), s + c < pow2(STATE)),
        (
            (sum_ + carry).eq(s + c),
            carry.eq((2 * bits_and(first_sum, first_carries)) % pow2(STATE)),
        ),
        "Two rows of half adders.",
        cut=PAIR,
    ),
    Lemma(
        "moved",
        (),
        (following(ss).eq(sum_), following(sc).eq(carry)),
        cut=SUM,
    ),
    Lemma(
        "digits",
        (phase > IDLE, phase_next.eq(LOOP), one_shift),
        (following(bit).eq(either(skip.eq(1), (a_next // 2) % 2, a_next % 2)),),
        "The bit of the next iteration that adds something.",
    ),
    Lemma("skipped_bit", (phase > IDLE, one_shift, skip.eq(1)), ((a_next % 2).eq(0),)),
    Lemma(
        "skipped_place",
        (*in_row, skip.eq(1)),
        ((sum_ % 4).eq((s + c) % 2), (carry % 4).eq(0)),
        "With no quotient digit, no carry leaves the places that are shifted out.",
    ),
    Lemma(
        "first_quotient",
        (phase.eq(RESOLVE), shift1.eq(0), shift2.eq(0), quotient.eq(0)),
        (following(quotient).eq(0),),
    ),
    Lemma(
        "next_quotient",
        (phase.eq(LOOP), phase_next.eq(LOOP), *in_row),
        (following(quotient).eq((following(s) + following(c)) % 2),),
        "The quotient digit is the lowest bit of the state.",
    ),
    Lemma("answer", (), (net("p_o", W + 2).eq(ss % pow2(W + 2)),)),
)
