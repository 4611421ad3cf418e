# SPDX-License-Identifier: Apache-2.0
"""The lemmas on mf_unit_dsp, one row of multipliers, from which proofs/unit_dsp.v follows.

What happens to an operation in its d-th cycle hangs on what is left of its interval, and after it
on the bit of finish_q that is set. The nets of multipliers and columns are side by side. Registers
without a reset have any value at first: no lemma on control speaks of them, and a column's carry is
at most 2 whatever they have. Of a multiplier the lemmas name its product and its two words, in
registers of logic or of a vendor's block, which may have more bits.
"""

from __future__ import annotations

from dataclasses import replace
from functools import reduce
from operator import add

from montforge.arch.unit_dsp import DSP48E2, ECP5, GENERIC, LOGIC, UnitDsp
from montforge.prove.lemmas.group_converter import GroupConverter
from montforge.prove.lemmas.shared import by_phase, one_of, ready, request, response, taken
from montforge.prove.statement import (
    Expression,
    Lemma,
    Operand,
    W,
    bits_or,
    clog2,
    either,
    every,
    following,
    greatest,
    holds,
    later,
    net,
    part,
    pow2,
    size,
)

WORD, WORDS, OPERAND = size("word"), size("words"), size("operand")
BUS_WORD, OTHER_WORD = size("bus_word"), size("other_word")
"""Bits of the registers in which a multiplier has its two words."""
_HELD = {
    GENERIC: ("gen_register.gen_generic.a_q", "gen_register.gen_generic.b_q"),
    ECP5: tuple(f"gen_register.gen_ecp5.u_multiplier.u_multiplier.{net}_used" for net in "ab"),
    DSP48E2: tuple(f"gen_dsp48e2.u_multiplier.u_dsp.{net}" for net in "ab"),
}
"""The names of these registers in a multiplier."""
_HELD_BITS = {ECP5: (18, 18), DSP48E2: (27, 18)}
DIGITS, IDLE = size("digits"), size("idle")
"""Words of the quotient, and pairs of cycles in which the bus has none in the least interval."""
TAIL = 4 + 2 * IDLE
CYCLES = TAIL + 2 * DIGITS
"""Cycles of an operation that left_q counts, the last ones without its words of a or of u."""
SUM, COLUMNS = WORDS * WORD, WORDS + 1
RADIX = pow2(WORD)
STEPS = 7
"""Cycles from the last word on the bus until Y(K+2) is in the tail: the bits of finish_q."""
NOTHING, ABOVE, THIS, TAIL_ABOVE = range(4)
j, i = size("j"), size("i")

left = net("left_q", clog2(CYCLES))
move, bus_a, busy, young = (net(f"{name}_q") for name in ("move", "bus_a", "busy", "young"))
first, fourth, last_a, last = (net(f"{name}_q") for name in ("first", "fourth", "last_a", "last"))
ways, finish = net("ways_q", 2), net("finish_q", STEPS)
occupied, done, summed, carried = (
    net(f"{name}_q") for name in ("occupied", "done", "summed", "carried")
)
addend_1, addend_2 = net("addend_1_q", 2), net("addend_2_q", 2)
take, pass_, save = (net(f"{name}_q", 3) for name in ("take", "pass", "save"))
take_tail = net("take_tail_q")

a, b, next_modulus, modulus = (
    net(f"{name}_q", SUM) for name in ("a", "b", "next_modulus", "modulus")
)
_C = "gen_column[0..].u_column."
products = net("gen_multiplier[0..].product", 2 * SUM)
low, high = net("low", COLUMNS * WORD), net("high", COLUMNS * WORD)
words, tail_words = net("words", COLUMNS * WORD), net("tail_words", COLUMNS * WORD)
tail_carries, shifted = net("tail_carries", 2 * COLUMNS), net("shifted_carries", 2 * COLUMNS)
addends, sums = net(f"{_C}addend_q", 2 * COLUMNS), net(f"{_C}sum_q", COLUMNS * (WORD + 1))
carries, tops = net(f"{_C}carry_q", 2 * COLUMNS), net(f"{_C}top_q", COLUMNS)
found, made = net(f"{_C}word_d", COLUMNS * WORD), net(f"{_C}carry_d", 2 * COLUMNS)
above, tail_above = net("above", COLUMNS * WORD), net("tail_above", COLUMNS * WORD)
lowest, result = net("lowest_q", WORD), net("result_q", SUM)

_CONVERTER = GroupConverter("u_convert", SUM, WORD, net("sum_q", SUM), 0, 3)
_S, _K = net("u_convert.s_i", SUM), net("u_convert.c_i", SUM)
_in_step = [part(finish, at) for at in range(STEPS)]
_flight = reduce(add, _in_step)
_takes = response * taken


def _if(truth: Expression, yes: Operand = 1, no: Operand = 0) -> Expression:
    return either(truth, yes, no)


def _of(of: Expression, at: Operand = j, bits: Operand = WORD) -> Expression:
    return part(of, at * bits, bits)


def _before(at: int) -> Expression:
    """Return what is left in a step of the tail: of no other operation, or of one begun since."""
    after = left + (at + 5)
    return (
        part(finish, at).eq(0)
        | left.eq(greatest(TAIL - (at + 1), 0))
        | after.eq(CYCLES + TAIL)
        | (left + (at + 3)).eq(CYCLES + TAIL)
        | (left + (at + 1) >= CYCLES + TAIL)
    )


_control = holds(
    "under_control",
    left < CYCLES,
    bus_a.eq(left % 2),
    move.eq(bits_or(ready, bus_a)),
    busy.eq(_if(left >= TAIL)),
    young.eq(_if(left >= CYCLES - 5)),
    first.eq(_if(left.eq(CYCLES - 1))),
    fourth.eq(_if(left.eq(CYCLES - 4))),
    last_a.eq(_if(left.eq(TAIL + 1))),
    last.eq(_if(left.eq(TAIL))),
    ready.eq(0) | (one_of(left, (0, 2, 4)) & (ways <= 1)),
    ways <= 2,
    _flight <= 1,
    ways.eq(busy + _flight + done + occupied),
    occupied.eq(summed + carried + response),
    net("u_convert.started_q").eq(summed),
    _flight.eq(0) | (done + summed + carried).eq(0),
    done.eq(0) | (summed + carried).eq(0),
    *(
        stage.eq(0) | busy.eq(0) | (left + at >= CYCLES + TAIL)
        for at, stage in ((12, done), (13, summed), (14, carried))
    ),
    *(_before(at) for at in range(STEPS)),
    take_tail.eq(part(finish, 2) + part(finish, 4) + part(finish, 6)),
    part(save, 0).eq(last),
    part(save, 1).eq(part(finish, 0)),
    part(save, 2).eq(part(finish, 1)),
    ready.eq(0) | part(pass_, 0).eq(0),
    first.eq(0) | part(pass_, 1).eq(0),
    (left < CYCLES - 2) | (left > CYCLES - 2) | part(pass_, 2).eq(0),
)


def _next_bit(of: Expression, at: int = 0) -> Expression:
    return part(following(of), at)


_CONTROL = (
    Lemma("control_at_reset", (), (_control, ways.eq(0)), at_reset=True),
    Lemma("control_on", (_control,), (later(_control),)),
    Lemma(
        "balance",
        (_control,),
        ((following(ways) + _takes).eq(ways + ready * request),),
        "The operations that are under way.",
    ),
    Lemma("begins", (_control, ready.eq(1), request.eq(1)), (following(left).eq(CYCLES - 1),)),
    Lemma("counts", (_control, left > TAIL), (ready.eq(0), following(left).eq(left - 1))),
    Lemma(
        "leaves",
        (_control, left.eq(TAIL)),
        (_next_bit(finish).eq(1), (following(occupied) + _takes + 1).eq(ways)),
        "After the last word of the quotient that has a column.",
    ),
    Lemma(
        "steps",
        (_control, part(finish, i).eq(1)),
        (part(following(finish), i + 1).eq(1), (following(occupied) + _takes).eq(occupied)),
        each=("i", Expression("int", (STEPS - 1,))),
    ),
    Lemma(
        "ends",
        (_control, part(finish, STEPS - 1).eq(1)),
        (following(done).eq(1), (following(occupied) + _takes).eq(occupied)),
    ),
    Lemma(
        "converts",
        (_control, done.eq(1)),
        (
            following(done).eq(occupied),
            following(summed).eq(1 - occupied),
            (following(occupied) + _takes).eq(1),
            occupied.eq(response),
        ),
        "If the result before has been taken.",
    ),
    Lemma("carries_on", (_control, summed.eq(1)), (following(carried).eq(1),)),
    Lemma("responds", (_control, carried.eq(1)), (following(response).eq(1),)),
    Lemma("stays", (response.eq(1), taken.eq(0)), (following(response).eq(1),)),
)

_SCHEDULE = (
    Lemma(
        "word_of_a",
        (_control, left >= TAIL, (left % 2).eq(1)),
        (
            following(addend_1).eq(_if(left.eq(CYCLES - 1), NOTHING, ABOVE)),
            _next_bit(take).eq(1),
            _next_bit(pass_).eq(_if(left.eq(TAIL + 1), 0, 1)),
        ),
        "A word of a is on the bus: three cycles later the columns shift.",
    ),
    Lemma(
        "word_of_quotient",
        (_control, left >= TAIL, left < CYCLES - 5, (left % 2).eq(0)),
        (following(addend_1).eq(THIS), _next_bit(take).eq(1), _next_bit(pass_).eq(1)),
    ),
    Lemma("held", (_control, left.eq(CYCLES - 2)), (_next_bit(take).eq(0),)),
    Lemma(
        "held_again",
        (_control, left.eq(CYCLES - 4)),
        (_next_bit(take).eq(0), _next_bit(pass_).eq(0)),
    ),
    Lemma(
        "tail_word",
        (_control, part(finish, 1).eq(1)),
        (following(addend_1).eq(TAIL_ABOVE), _next_bit(pass_).eq(1), bus_a.eq(0)),
    ),
    Lemma(
        "last_tail_word",
        (_control, part(finish, 3).eq(1)),
        (following(addend_1).eq(TAIL_ABOVE), bus_a.eq(0)),
    ),
    Lemma(
        "delays",
        (),
        (
            following(addend_2).eq(addend_1),
            *(
                _next_bit(line, at + 1).eq(part(line, at))
                for line in (take, pass_)
                for at in range(2)
            ),
        ),
    ),
    Lemma(
        "addends_follow",
        (),
        (_of(following(addends), j, 2).eq(addend_2),),
        each=("j", COLUMNS),
    ),
)


def _multipliers(design: UnitDsp) -> tuple[Lemma, ...]:
    """Return the lemmas on the registers of words, and of products, which hang on the block."""
    places = (f"gen_multiplier[0..].u_multiplier.{name}" for name in _HELD[design.multiplier])
    bits = (BUS_WORD, OTHER_WORD)
    bus_words, others = (net(place, WORDS * each) for place, each in zip(places, bits, strict=True))
    return (
        Lemma(
            "bus",
            (),
            (
                _of(following(bus_words), i, BUS_WORD).eq(
                    _if(bus_a.eq(1), part(a, 0, WORD), part(words, 0, WORD))
                ),
            ),
            each=("i", WORDS),
        ),
        Lemma(
            "other_operand",
            (),
            (
                _of(following(others), i, OTHER_WORD).eq(
                    _if(bus_a.eq(1), _of(b, i), _of(modulus, i))
                ),
            ),
            each=("i", WORDS),
        ),
        Lemma(
            "product",
            (_of(bus_words, i, BUS_WORD) < RADIX, _of(others, i, OTHER_WORD) < RADIX),
            (
                _of(following(products), i, 2 * WORD).eq(
                    _of(bus_words, i, BUS_WORD) * _of(others, i, OTHER_WORD)
                ),
            ),
            each=("i", WORDS),
        ),
    )


_DATA = (
    Lemma(
        "loads",
        (ready.eq(1), move.eq(1)),
        (
            following(a).eq(net("a_i", OPERAND)),
            following(b).eq(net("b_i", OPERAND)),
            following(next_modulus).eq(net("n_scaled_i", W)),
        ),
    ),
    Lemma("keeps", (ready.eq(0),), (following(b).eq(b), following(next_modulus).eq(next_modulus))),
    Lemma("a_moves", (ready.eq(0), move.eq(1)), (following(a).eq(a // RADIX),)),
    Lemma("a_stays", (move.eq(0),), (following(a).eq(a),)),
    Lemma(
        "modulus_follows", (), (following(modulus).eq(_if(fourth.eq(1), next_modulus, modulus)),)
    ),
    Lemma(
        "modulus_stays",
        (_control, part(finish, i).eq(1)),
        (fourth.eq(0),),
        "Until the last word of the quotient was on the bus.",
        each=("i", Expression("int", (3,))),
    ),
)
_SUMS = (
    Lemma(
        "halves",
        (),
        ((_of(low, i) + RADIX * _of(high, i + 1)).eq(_of(products, i, 2 * WORD)),),
        each=("i", WORDS),
    ),
    Lemma("outermost", (), (part(high, 0, WORD).eq(0), _of(low, WORDS).eq(0))),
    Lemma(
        "product_words",
        (),
        (
            _of(following(sums), j, WORD + 1).eq(
                _of(low) + _of(high) + _if(_of(carries, j, 2).eq(0), 0, 1)
            ),
            part(following(tops), j).eq(_if(_of(carries, j, 2) < 2, 0, 1)),
        ),
        "One unit of a column's carry, and the other.",
        each=("j", COLUMNS),
    ),
    Lemma("carries_pass", (), (following(carries).eq(_if(part(pass_, 2).eq(1), made, 0)),)),
    Lemma(
        "aboves",
        (),
        (above.eq(words // RADIX), tail_above.eq(tail_words // RADIX)),
    ),
    Lemma(
        "adder",
        (),
        (
            (_of(found) + RADIX * _of(made, j, 2)).eq(
                by_phase(
                    _of(addends, j, 2),
                    {ABOVE: _of(above), THIS: _of(words), TAIL_ABOVE: _of(tail_above)},
                )
                + _of(sums, j, WORD + 1)
                + part(tops, j)
            ),
            _of(made, j, 2) <= 2,
        ),
        each=("j", COLUMNS),
    ),
    Lemma(
        "columns",
        (),
        (
            following(words).eq(_if(part(take, 2).eq(1), found, words)),
            following(tail_words).eq(_if(take_tail.eq(1), found, tail_words)),
            following(tail_carries).eq(_if(take_tail.eq(1), made, tail_carries)),
            following(shifted).eq(_if(part(save, 2).eq(1), made, shifted)),
            following(lowest).eq(_if(take_tail.eq(1), part(tail_words, 0, WORD), lowest)),
        ),
        "What takes the sums.",
        cut=(f"{_C}word_d", f"{_C}carry_d"),
    ),
)

_generated, _passed = (
    part(net(f"u_convert.gen_three_cycles.{name}_q", _CONVERTER.groups), size("k"))
    for name in ("generates", "propagates")
)
_one_at_most = every("k", _CONVERTER.groups, _generated + _passed <= 1)
"""No group makes a carry and would pass one: the look-ahead is a sum."""

_CONVERSION = (
    Lemma("converted_words", (), (_S.eq(lowest + RADIX * (tail_words % pow2(SUM - WORD))),)),
    Lemma(
        "lowest_carries",
        (part(shifted, 0, 2) <= 2, part(shifted, 2, 2) <= 2),
        (
            part(_K, 0, WORD).eq(part(shifted, 0, 2)),
            part(_K, WORD, WORD).eq(part(shifted, 2, 2)),
        ),
    ),
    Lemma(
        "converted_carries",
        (part(shifted, 2 * (i + 2), 2) <= 2, part(tail_carries, 2 * i, 2) <= 2),
        (
            part(_K, (i + 2) * WORD, WORD).eq(
                part(shifted, 2 * (i + 2), 2) + part(tail_carries, 2 * i, 2)
            ),
        ),
        each=("i", WORDS - 2),
    ),
    _CONVERTER.sums((), _CONVERTER.of(_S) + _CONVERTER.of(_K), Expression("int", (0,))),
    _CONVERTER.look_ahead((_CONVERTER.started.eq(1), _one_at_most), ())[0],
    replace(
        _CONVERTER.increments((carried.eq(1),)),
        shows=(
            _CONVERTER.of(following(result)).eq(
                (
                    _CONVERTER.of(_CONVERTER.register)
                    + ((2 * _CONVERTER.carries) // pow2(size("g"))) % 2
                )
                % pow2(_CONVERTER.bits)
            ),
        ),
    ),
    Lemma("result_stays", (carried.eq(0),), (following(result).eq(result),)),
    Lemma("answer", (), (net("p_o", OPERAND).eq(part(result, 0, OPERAND)),)),
)


def lemmas_on(design: UnitDsp) -> tuple[Lemma, ...]:
    """Return the lemmas on ``design``."""
    return (*_CONTROL, *_SCHEDULE, *_DATA, *_multipliers(design), *_SUMS, *_CONVERSION)


def lacks(design: UnitDsp) -> str:
    """Return for which of its parameters a design has no lemmas, or nothing."""
    given = {
        f"rows = {design.rows}": design.rows != 1,
        f"folding = {design.folding}": design.folding != 1,
        f"sums = {design.sums}": design.sums != LOGIC,
    }
    return ", ".join(reason for reason, holds_ in given.items() if holds_)


def sizes(design: UnitDsp) -> dict[str, int]:
    """Return the sizes of words, operands and the interval, by their names in the RTL."""
    word, operand = design.word, design.width + 2 * design.word + 1
    digits = (operand + word) // word
    bus_word, other_word = _HELD_BITS.get(design.multiplier, (word, word))
    return {
        "words": -(-operand // word),
        "operand": operand,
        "digits": digits,
        "idle": max(6 - digits, 0),
        "bus_word": bus_word,
        "other_word": other_word,
    }
