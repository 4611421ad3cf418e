# SPDX-License-Identifier: Apache-2.0
"""The lemmas on mf_scs_mm_ct from which proofs/scs_mm_ct.v follows."""

from __future__ import annotations

from montforge.arch.scs_mm_ct import ScsMmCt
from montforge.prove.lemmas.shared import by_phase, one_of, ready, request, response, taken
from montforge.prove.statement import (
    Expression,
    Lemma,
    W,
    bits_and,
    clog2,
    either,
    following,
    greatest,
    least,
    net,
    pow2,
    size,
)

PHASES = IDLE, ADD_B, ADD_N, RESOLVE, LOOP, CONVERT, DONE = tuple(1 << at for at in range(7))

STATE = W + 4
BLOCK = size("block")
BLOCKS = (STATE + BLOCK - 1) // BLOCK
ROWS = (BLOCK + 1) // 2
LOOK_AHEAD = greatest((clog2(BLOCKS) + 4) // 5, 1)
CONVERSION = 2 * ROWS + 1 + LOOK_AHEAD
LEAD = CONVERSION + 2

phase, left = net("phase_q", 7), net("left_q", clog2(greatest(STATE, CONVERSION + 1)))
last, look_ahead = net("last_q"), net("look_ahead_q")
hold, shift = net("u_datapath.hold_q"), net("u_datapath.shift_q")
full_adder, quotient = net("u_datapath.full_adder_q"), net("u_datapath.quotient_q")
add, value, carry_in = net("u_datapath.add_q", 3), net("value_1"), net("u_datapath.carry_in_q")
a, b = net("a_q", W + 1 + LEAD), net("u_datapath.b_q", W + 1)
n_hat, d = net("u_datapath.n_hat_q", W), net("u_datapath.d_q", W + 2)
s, c, x = (net(f"u_datapath.{name}", STATE) for name in ("s", "c", "x"))
register, sum_, carry = (net(f"u_datapath.{name}", STATE) for name in ("ss_q", "sum", "carry"))
overflow, carry_out = net("overflow", BLOCKS), net("carry_out_q", BLOCKS)
carry_into, carry_from = net("carry_into_q", BLOCKS), net("carry_from", BLOCKS)
all_ones = net("all_ones_q", BLOCKS)
phase_next, left_next, last_next = following(phase), following(left), following(last)

i = size("i")
BITS = least(BLOCK, STATE - i * BLOCK)
EACH_BLOCK = ("i", BLOCKS)
PAIR, SUM = ("u_datapath.s", "u_datapath.c"), ("u_datapath.sum", "u_datapath.carry")


def _block(of: Expression) -> Expression:
    """Return the bits of a vector in block i."""
    return (of // pow2(i * BLOCK)) % pow2(BITS)


def _flag(of: Expression) -> Expression:
    """Return the bit of block i."""
    return (of // pow2(i)) % 2


def _last_is_known(of: Expression, last_: Expression, left_: Expression) -> Expression:
    return (of < RESOLVE) | (of > CONVERT) | last_.eq(either(left_.eq(0), 1, 0))


in_block = _block(s), _block(c)
first_carries = (2 * bits_and(*in_block)) % pow2(BITS)
first_sum = (in_block[0] + in_block[1] - 2 * bits_and(*in_block)) % pow2(BITS)
found_carries = either(LOOK_AHEAD.eq(1), _flag(carry_from), _flag(following(carry_from)))
found_below = either(LOOK_AHEAD.eq(1), _flag(2 * carry_from), _flag(2 * following(carry_from)))
left_block = either(_flag(overflow).eq(1), 1, _flag(carry_out))

LEMMAS = (
    Lemma("ready", (), (ready.eq(phase % 2), response.eq(phase // DONE))),
    Lemma(
        "phases",
        (one_of(phase, PHASES), _last_is_known(phase, last, left)),
        (one_of(phase_next, PHASES), _last_is_known(phase_next, last_next, left_next)),
        "One bit a phase; last_q is left_q = 0 in the phases that are counted.",
    ),
    Lemma("phases_at_reset", (), (phase.eq(IDLE),), at_reset=True),
    Lemma(
        "accept",
        (phase.eq(IDLE), request.eq(1)),
        (
            phase_next.eq(ADD_B),
            following(a).eq(net("a_i", W + 1) * pow2(LEAD)),
            following(b).eq(net("b_i", W + 1)),
            following(n_hat).eq(net("n_hat_i", W + 1) // 2),
        ),
    ),
    Lemma("added_b", (phase.eq(ADD_B),), (phase_next.eq(ADD_N),)),
    Lemma("added_n", (phase.eq(ADD_N),), (phase_next.eq(RESOLVE), left_next.eq(CONVERSION))),
    Lemma(
        "count",
        (one_of(phase, PHASES), phase >= RESOLVE, phase <= CONVERT, last.eq(0), left > 0),
        (phase_next.eq(phase), left_next.eq(left - 1)),
    ),
    Lemma(
        "next_phase",
        (one_of(phase, PHASES), phase >= RESOLVE, phase <= CONVERT, last.eq(1)),
        (
            phase_next.eq(2 * phase),
            left_next.eq(either(phase.eq(RESOLVE), W + 3, CONVERSION - 1)) | phase.eq(CONVERT),
        ),
    ),
    Lemma("hold", (phase.eq(DONE), taken.eq(0)), (phase_next.eq(DONE),)),
    Lemma(
        "keep",
        (one_of(phase, PHASES), phase > IDLE),
        (
            following(a).eq(a // 2),
            following(b).eq(b),
            following(n_hat).eq(n_hat),
            following(d).eq(either(phase.eq(RESOLVE), register // 4, d)),
        ),
    ),
    Lemma(
        "selects",
        (one_of(phase, PHASES),),
        (
            following(hold).eq(
                by_phase(phase, {ADD_B: 1, ADD_N: 1, RESOLVE: 1 - last, CONVERT: 1, DONE: 1})
            ),
            following(shift).eq(by_phase(phase, {LOOP: 1})),
            following(full_adder).eq(
                by_phase(phase, {IDLE: 1, ADD_B: 1, RESOLVE: last, LOOP: 1 - last})
            ),
            following(carry_in).eq(0),
            following(look_ahead).eq(
                by_phase(
                    phase,
                    {
                        RESOLVE: either(left.eq(ROWS + 3), 1, 0),
                        CONVERT: either(left.eq(ROWS + 2), 1, 0),
                    },
                )
            ),
        ),
        "The selects are registers of the phase before.",
    ),
    Lemma("operand_b", (phase.eq(IDLE),), (following(add).eq(2),)),
    Lemma("operand_n", (phase.eq(ADD_B),), (following(add).eq(4),)),
    Lemma(
        "first_digits",
        (phase.eq(RESOLVE), last.eq(1)),
        (following(add).eq(2 * (a % 2)), following(quotient).eq(0), following(value).eq(0)),
        "The state is 0, and so is its quotient digit.",
    ),
    Lemma(
        "next_digits",
        (phase.eq(LOOP), last.eq(0)),
        (
            following(add).eq(
                either(following(quotient).eq(1), 4 - 3 * (a % 2), 2 * (a % 2)),
            ),
            following(quotient).eq((value + quotient * n_hat) % 2),
        ),
        "The quotient digit is bit 1 of the sum.",
    ),
    Lemma(
        "multiple",
        (add.eq(0) | add.eq(1) | add.eq(2) | add.eq(4), carry_in.eq(0)),
        (
            x.eq(
                either(add.eq(4), 2 * n_hat, 0)
                + either(add.eq(2), 4 * b, 0)
                + either(add.eq(1), 4 * d + (2 * n_hat) % 4, 0)
            ),
        ),
    ),
    Lemma(
        "row",
        (full_adder.eq(1), s < pow2(STATE - 1), c < pow2(STATE - 1)),
        ((sum_ + carry).eq(s + c + x), (carry % 2).eq(0)),
        "The row of full adders, exactly.",
        cut=(*PAIR, "u_datapath.x"),
    ),
    Lemma(
        "move",
        (following(hold) + following(shift) <= 1,),
        tuple(
            following(each).eq(
                either(following(hold).eq(1), of, 0) + either(following(shift).eq(1), of // 2, 0)
            )
            for each, of in ((s, sum_), (c, carry))
        ),
        "What leaves the row enters it in the next cycle.",
        cut=SUM,
    ),
    Lemma(
        "bit_1",
        ((carry % 2).eq(0),),
        (
            following(value).eq(
                either(following(shift).eq(1), ((sum_ + carry) // 4) % 2, 0),
            ),
        ),
        cut=SUM,
    ),
    Lemma("held", (hold.eq(1), shift.eq(0)), (register.eq(s),)),
    Lemma(
        "half_adders",
        (full_adder.eq(0), carry_in.eq(0)),
        (
            (_block(sum_) + _block(carry) + pow2(BITS) * _flag(overflow)).eq(
                in_block[0] + in_block[1] + _flag(carry_into)
            ),
            _block(carry).eq(
                (2 * bits_and(first_sum, first_carries)) % pow2(BITS) + _flag(carry_into)
            ),
        ),
        "Two rows of half adders in each block.",
        cut=PAIR,
        each=EACH_BLOCK,
    ),
    Lemma(
        "rest",
        (full_adder.eq(0), carry_in.eq(0), carry_into.eq(0), c.eq(0)),
        (sum_.eq(s), carry.eq(0)),
        "A sum stays.",
        cut=PAIR,
    ),
    Lemma(
        "ones",
        (
            full_adder.eq(0),
            carry_in.eq(0),
            _flag(carry_into).eq(0),
            (in_block[0] + in_block[1]).eq(pow2(BITS) - 1),
        ),
        (_block(carry).eq(0),),
        "A block of ones has no carries.",
        cut=PAIR,
        each=EACH_BLOCK,
    ),
    Lemma(
        "left_blocks",
        (one_of(phase, PHASES),),
        (
            _flag(following(carry_out)).eq(
                by_phase(phase, {RESOLVE: left_block, CONVERT: left_block})
            ),
            _flag(following(all_ones)).eq(either(_block(register).eq(pow2(BLOCK) - 1), 1, 0)),
        ),
        "Whether a carry has left a block, and whether one would pass it.",
        cut=("overflow",),
        each=EACH_BLOCK,
    ),
    Lemma(
        "carries_found",
        (LOOK_AHEAD <= 2,),
        (
            found_carries.eq(
                either(_flag(carry_out).eq(1), 1, either(_flag(all_ones).eq(1), found_below, 0))
            ),
        ),
        "The look-ahead takes one or two cycles.",
        each=EACH_BLOCK,
    ),
    Lemma(
        "injected",
        (),
        (following(carry_into).eq(either(look_ahead.eq(1), (2 * carry_from) % pow2(BLOCKS), 0)),),
        cut=("carry_from",),
    ),
    Lemma("answer", (), (net("p_o", W + 1).eq(register % pow2(W + 1)),)),
)


def lacks(design: ScsMmCt) -> str:
    """Return for which number of blocks a design has no theorem, or nothing."""
    return f"{design.block_count} blocks" if design.block_count > 1024 else ""
