# SPDX-License-Identifier: Apache-2.0
"""The lemmas on mf_scs_mm_skip from which proofs/scs_mm_skip.v follows."""

from __future__ import annotations

from montforge.prove.lemmas.shared import by_phase, one_of, ready, request, response, taken
from montforge.prove.statement import (
    Lemma,
    W,
    bits_and,
    bits_or,
    clog2,
    either,
    following,
    net,
    pow2,
    size,
)

PHASES = IDLE, ADD_B, ADD_N, RESOLVE, LOOP, CONVERT, DONE = tuple(1 << at for at in range(7))

SKIPS = size("skips")
ROW = SKIPS + 1
"""The most iterations that a cycle goes on, and the bits of the window's rows."""
ZEROS = SKIPS + 2
"""Below b in B-hat."""
STATE = W + SKIPS + 4
LOW = 2 * SKIPS + 3
"""Bits of the state that are shifted before their register."""
LENGTH = W + SKIPS + 4
"""Iterations from 0 on."""
ROWS, MARK = LENGTH // ROW, LENGTH % ROW

j, p = size("j"), size("p")
EACH_STEP, EACH_PLACE = ("j", ROW), ("p", 2 * ROW)

phase, resolved, first_convert = net("phase_q", 7), net("resolved_q"), net("first_convert_q")
ends, advance = net("ends"), net("advance", ROW)
hold, shift = net("u_datapath.hold_q"), net("u_datapath.shift_q", ROW)
full_adder, quotient = net("u_datapath.full_adder_q"), net("u_datapath.quotient_q")
add, value, carry_in = (
    net("u_datapath.add_q", 3),
    net("u_datapath.value_q", ROW),
    net("u_datapath.carry_in_q"),
)
b, n_hat, d = (
    net("u_datapath.b_q", W + 1),
    net("u_datapath.n_hat_q", W),
    net("u_datapath.d_q", W + 2),
)
s, c, x, ss, sc, sum_, carry = (
    net(f"u_datapath.{name}", STATE) for name in ("s", "c", "x", "ss_q", "sc_q", "sum", "carry")
)
a, rows_left = net("u_window.a_q", W + 1), net("u_window.rows_left_q", clog2(ROWS + 1))
position = net("u_window.position_q", 2 * ROW)
bits, bits_end = net("bits", ROW), net("bits_end", ROW)
phase_next = following(phase)
PAIR, SUM = ("u_datapath.s", "u_datapath.c"), ("u_datapath.sum", "u_datapath.carry")


one_phase = one_of(phase, PHASES)
searches = (one_of(phase, (RESOLVE, LOOP)), phase.eq(LOOP) | resolved.eq(1))
is_zero = either(sc.eq(0), 1, 0)
digits = (value + quotient * n_hat) % pow2(ROW)
"""The quotient digits of the next iterations if those before each are skipped."""
mark = rows_left * ROW + MARK
"""Where the window's end mark is, from the lowest bit of its register."""
first_carries = (2 * bits_and(s, c)) % pow2(STATE)
first_sum = (s + c - 2 * bits_and(s, c)) % pow2(STATE)

LEMMAS = (
    Lemma("ready", (), (ready.eq(phase % 2), response.eq(phase // DONE))),
    Lemma("phases", (one_phase,), (one_of(phase_next, PHASES),), "One bit a phase."),
    Lemma("phases_at_reset", (), (phase.eq(IDLE),), at_reset=True),
    Lemma(
        "accept",
        (phase.eq(IDLE), request.eq(1)),
        (
            phase_next.eq(ADD_B),
            following(a).eq(net("a_i", W + 1)),
            following(rows_left).eq(ROWS),
            following(b).eq(net("b_i", W + 1)),
            following(n_hat).eq(net("n_hat_i", W + 1) // 2),
        ),
    ),
    Lemma("added_b", (phase.eq(ADD_B),), (phase_next.eq(ADD_N),)),
    Lemma("added_n", (phase.eq(ADD_N),), (phase_next.eq(RESOLVE),)),
    Lemma(
        "resolving", (phase.eq(RESOLVE),), (phase_next.eq(either(resolved.eq(1), LOOP, RESOLVE)),)
    ),
    Lemma("looping", (phase.eq(LOOP),), (phase_next.eq(either(ends.eq(1), CONVERT, LOOP)),)),
    Lemma(
        "converts", (phase.eq(CONVERT),), (phase_next.eq(either(resolved.eq(1), DONE, CONVERT)),)
    ),
    Lemma("waits", (phase.eq(DONE), taken.eq(0)), (phase_next.eq(DONE),)),
    Lemma(
        "selects",
        (one_phase,),
        (
            following(resolved).eq(
                by_phase(
                    phase, {RESOLVE: is_zero, CONVERT: either(first_convert.eq(1), 0, is_zero)}
                )
            ),
            following(first_convert).eq(by_phase(phase, {LOOP: 1})),
            following(hold).eq(
                by_phase(phase, {ADD_B: 1, ADD_N: 1, RESOLVE: 1 - resolved, CONVERT: 1, DONE: 1})
            ),
            following(shift).eq(by_phase(phase, {LOOP: advance})),
            following(full_adder).eq(
                by_phase(phase, {IDLE: 1, ADD_B: 1, RESOLVE: resolved, LOOP: 1 - ends})
            ),
        ),
        "Registers of the phase before.",
    ),
    Lemma(
        "operands",
        (one_phase, one_of(phase, (IDLE, ADD_B, ADD_N)) | resolved.eq(0), phase < LOOP),
        (
            following(add).eq(by_phase(phase, {IDLE: 2, ADD_B: 4})),
            following(quotient).eq(by_phase(phase, {ADD_B: 1})),
            following(position).eq(1),
        ),
        "Before iteration -1.",
    ),
    Lemma(
        "keep",
        (one_phase, phase > IDLE),
        (
            following(b).eq(b),
            following(n_hat).eq(n_hat),
            following(d).eq(either(phase.eq(RESOLVE), ss // pow2(ZEROS), d)),
        ),
    ),
    Lemma(
        "multiple",
        (one_of(add, (0, 1, 2, 4)),),
        (
            x.eq(
                either(add.eq(4), 2 * n_hat, 0)
                + either(add.eq(2), pow2(ZEROS) * b, 0)
                + either(add.eq(1), pow2(ZEROS) * d + (2 * n_hat) % pow2(ZEROS), 0)
                + carry_in
            ),
        ),
    ),
    Lemma(
        "first_row",
        (full_adder.eq(1), s.eq(0), c.eq(0)),
        (sum_.eq(x), carry.eq(0)),
        cut=(*PAIR, "u_datapath.x"),
    ),
    Lemma(
        "second_row",
        (full_adder.eq(1), (s % 8).eq(0), c.eq(0)),
        ((carry % 16).eq(0),),
        cut=(*PAIR, "u_datapath.x"),
    ),
    Lemma(
        "row",
        (full_adder.eq(1), s < pow2(STATE - 1), c < pow2(STATE - 1)),
        ((sum_ + carry).eq(s + c + x), (carry % 2).eq(0)),
        "The row of full adders, exactly.",
        cut=(*PAIR, "u_datapath.x"),
    ),
    Lemma(
        "half_adders",
        (full_adder.eq(0), carry_in.eq(0), s + c < pow2(STATE)),
        (
            (sum_ + carry).eq(s + c),
            carry.eq((2 * bits_and(first_sum, first_carries)) % pow2(STATE)),
        ),
        "Two rows of half adders.",
        cut=PAIR,
    ),
    Lemma(
        "carry_added",
        (full_adder.eq(0), s + c + carry_in < pow2(STATE)),
        ((sum_ + carry).eq(s + c + carry_in), (carry % 2).eq(0)),
        "The carry of the last places that were skipped.",
        cut=PAIR,
    ),
    Lemma(
        "nothing_moves",
        (following(hold).eq(0), following(shift).eq(0)),
        (
            following(s).eq(0),
            following(c).eq(0),
            following(carry_in).eq(0),
            following(value).eq(0),
        ),
        cut=SUM,
    ),
    Lemma(
        "stays",
        (following(hold).eq(1), following(shift).eq(0)),
        (
            following(s).eq(sum_),
            following(c).eq(carry),
            following(ss).eq(sum_),
            following(sc).eq(carry),
            following(carry_in).eq(0),
            following(value).eq(0),
        ),
        cut=SUM,
    ),
    Lemma(
        "moves",
        (following(hold).eq(0), following(shift).eq(pow2(j)), (carry % 2).eq(0)),
        (
            following(s).eq(sum_ // pow2(j + 1)),
            following(c).eq(carry // pow2(j + 1)),
            following(carry_in).eq((sum_ % pow2(j + 1) + carry % pow2(j + 1)) // pow2(j + 1)),
            following(value).eq(
                ((sum_ % pow2(LOW) + carry % pow2(LOW)) // pow2(j + 2)) % pow2(ROW)
            ),
        ),
        "The carry of the places that are shifted out is kept.",
        cut=SUM,
        each=EACH_STEP,
    ),
    Lemma(
        "found",
        searches,
        (
            one_of(advance, (1, 2, 4, 8)),
            following(position).eq(
                (bits_or(position % pow2(ROW), position // pow2(ROW)) * 2 * advance) % pow2(2 * ROW)
            ),
        ),
        "The window moves by as many bits as iterations pass.",
    ),
    Lemma(
        "skipped",
        (*searches, advance.eq(pow2(j))),
        (
            (bits % pow2(j)).eq(0),
            (bits_end % pow2(j)).eq(0),
            (digits % pow2(j)).eq(0),
            ends.eq((bits_end // pow2(j)) % 2),
        ),
        "Iterations that add nothing, none of which is the end.",
        each=EACH_STEP,
    ),
    Lemma(
        "next_digits",
        (*searches, advance.eq(pow2(j)), ends.eq(0)),
        (
            following(quotient).eq((digits // pow2(j)) % 2),
            following(add).eq(
                either(
                    following(quotient).eq(1),
                    4 - 3 * ((bits // pow2(j)) % 2),
                    2 * ((bits // pow2(j)) % 2),
                )
            ),
        ),
        each=EACH_STEP,
    ),
    Lemma(
        "window",
        (position.eq(pow2(p)),),
        (bits.eq((a // pow2(p)) % pow2(ROW)),),
        each=EACH_PLACE,
    ),
    Lemma(
        "window_end",
        (position.eq(pow2(p)), mark >= p),
        (
            bits_end.eq(
                either(
                    mark.eq(p),
                    1,
                    either(
                        mark.eq(p + 1), 2, either(mark.eq(p + 2), 4, either(mark.eq(p + 3), 8, 0))
                    ),
                )
                % pow2(ROW)
            ),
        ),
        each=EACH_PLACE,
    ),
    Lemma(
        "window_row",
        (one_phase, phase > IDLE, position.eq(pow2(p)), mark >= p),
        (
            following(a).eq(either(p < ROW, a, a // pow2(ROW))),
            following(rows_left).eq(either(p < ROW, rows_left, rows_left - 1)),
        ),
        "The register moves after the window has left its lowest row.",
        each=EACH_PLACE,
    ),
    Lemma("answer", (), (net("p_o", W + 1).eq(ss % pow2(W + 1)),)),
)
