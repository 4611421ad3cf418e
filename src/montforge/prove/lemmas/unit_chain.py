# SPDX-License-Identifier: Apache-2.0
"""The lemmas on mf_unit_chain, from which proofs/unit_chain.v follows.

Sum i of a level has the number 2^(v - level) + i: the sum of all rows is 1, sum h joins 2 h and
2 h + 1, rows are w to 2 w - 1. A sum of odd number, 2 g + 1, saves its carries for the lowest row
that it is made of, and so does sum 1. Bits of all sums, and carries out of their words, are side by
side in `sums` and `carries`; lemmas on adders are on a word each.
"""

from __future__ import annotations

from montforge.arch.unit_chain import UnitChain
from montforge.prove.lemmas.shared import ready, request, response, taken
from montforge.prove.statement import (
    Expression,
    Lemma,
    Operand,
    W,
    clog2,
    either,
    every,
    following,
    holds,
    later,
    least,
    net,
    numbered,
    part,
    pow2,
    size,
)

DIGIT, WORD, LEVELS, STEPS = size("digit"), size("chain"), size("levels"), size("steps")
DIGITS, OPERAND, STATE = size("digits"), size("operand"), size("state")
RADIX = pow2(DIGIT)
END = DIGITS + STEPS + 2 * LEVELS + 3
"""The cycle in which Y stops."""
LOW = (STEPS + LEVELS + 1) * DIGIT
SUM = OPERAND + DIGIT + LEVELS
ENDS, WORDS = (SUM + WORD - 1) // WORD, (STATE + WORD - 1) // WORD
ROW_BITS = OPERAND + 1
ROW_ENDS = (ROW_BITS + WORD - 1) // WORD
IDLE, LOOP, DONE = range(3)
g, i, j, x = (size(name) for name in "gijx")

phase, cycle = net("phase_q", 2), net("cycle_q", clog2(END + 6))
idle, take, shift, n_clear = (net(f"{name}_q") for name in ("idle", "take", "shift", "n_clear"))
tail = net("tail_q", 6)
a, b, n, d = net("a_q", OPERAND), net("b_q", OPERAND), net("n_q", W), net("d_q", DIGIT)
low, y = net("low_q", LOW), net("y_q", STATE)
sums, carries = net("sums", (LEVELS + 1) * DIGIT * SUM), net("carries", (LEVELS + 1) * DIGIT * ENDS)
into_rows = net("gen_level[0].gen_sum[0..].carry_in", DIGIT * ROW_ENDS)
y_carries, y_carry_in = net("y_carry_q", STEPS * WORDS), net("y_carry_in_q", WORDS)
late = net("late", SUM)
generates, propagates = net("generates_q", WORDS), net("propagates_q", WORDS)
between = net("between", WORDS)


def _if(truth: Expression, yes: Operand = 1, no: Operand = 0) -> Expression:
    return either(truth, yes, no)


def _sum(place: Operand) -> Expression:
    return part(sums, place * SUM, SUM)


def _carry(place: Operand) -> Expression:
    return part(carries, place * ENDS, ENDS)


def _sum_next(place: Operand) -> Expression:
    return part(following(sums), place * SUM, SUM)


def _carry_next(place: Operand) -> Expression:
    return part(following(carries), place * ENDS, ENDS)


def _bits(level: Operand) -> Expression:
    """Return the bits of a sum."""
    return OPERAND + pow2(level) + level


def _ends(level: Operand) -> Expression:
    return (_bits(level) + (WORD - 1)) // WORD


def _word_bits(bits: Operand, at: Operand = j) -> Expression:
    return least(WORD, bits - at * WORD)


def _word(of: Expression, bits: Operand, at: Operand = j) -> Expression:
    """Return a word of an integer."""
    return (of // pow2(at * WORD)) % pow2(_word_bits(bits, at))


def _joined(level: Expression, at: Expression) -> Expression:
    """Return what adders of words do to the sum of two sums, and of carries of the lower one."""
    place, below = level * DIGIT + at, (level - 1) * DIGIT + 2 * at
    bits = _bits(level)
    return every(
        "j",
        _ends(level),
        (
            part(following(sums), place * SUM + j * WORD, _word_bits(bits))
            + pow2(_word_bits(bits)) * part(following(carries), place * ENDS + j)
        ).eq(
            _word(pow2(pow2(level - 1)) * _sum(below + 1), bits)
            + part(sums, below * SUM + j * WORD, _word_bits(bits))
            + (2 * _carry(below) // pow2(j)) % 2
        ),
    )


_above = clog2(x + 2) - 1
"""Joints above sum x + 1."""
_LEVEL, _AT = LEVELS - _above, x + 1 - pow2(_above)
_PLACE = _LEVEL * DIGIT + _AT

_control = holds(
    "under_control",
    phase <= DONE,
    idle.eq(_if(phase.eq(IDLE))),
    ready.eq(idle),
    response.eq(_if(phase.eq(DONE))),
    (phase.eq(LOOP) & (cycle <= END + 4)) | cycle.eq(0) | (phase.eq(DONE) & cycle.eq(END + 5)),
    *(part(tail, at).eq(_if(cycle.eq(END + (at - 1)))) for at in range(6)),
    n_clear.eq(_if(cycle.eq(DIGITS + LEVELS + 1))),
    (phase < LOOP) | (phase > LOOP) | take.eq(_if(cycle <= END - 2)),
    (phase < LOOP) | (phase > LOOP) | cycle.eq(0) | shift.eq(_if(cycle <= END - 1)),
    (phase < DONE) | (take + shift).eq(0),
)

_CONTROL = (
    Lemma("control_at_reset", (), (_control,), at_reset=True),
    Lemma("control_on", (_control,), (later(_control),)),
    Lemma(
        "accepts",
        (_control, phase.eq(IDLE), request.eq(1)),
        (following(phase).eq(LOOP), following(cycle).eq(0)),
    ),
    Lemma(
        "counts",
        (_control, phase.eq(LOOP), cycle < END + 4),
        (following(phase).eq(LOOP), following(cycle).eq(cycle + 1)),
    ),
    Lemma("ends", (_control, phase.eq(LOOP), cycle.eq(END + 4)), (following(phase).eq(DONE),)),
    Lemma("waits", (_control, phase.eq(DONE), taken.eq(0)), (following(phase).eq(DONE),)),
)

_DATA = (
    Lemma(
        "loads",
        (idle.eq(1), n_clear.eq(0)),
        (
            (following(d) + RADIX * following(a)).eq(net("a_i", OPERAND)),
            following(b).eq(net("b_i", OPERAND)),
            following(n).eq(net("n_scaled_i", W)),
        ),
    ),
    Lemma(
        "next_digit",
        (idle.eq(0),),
        ((following(d) + RADIX * following(a)).eq(a), following(b).eq(b)),
    ),
    Lemma("modulus", (idle.eq(0),), (following(n).eq(_if(n_clear.eq(1), 0, n)),)),
    Lemma(
        "low_digits",
        (),
        (following(low).eq(_if(shift.eq(1), low // RADIX + pow2(LOW - DIGIT) * (y % RADIX), low)),),
    ),
    Lemma(
        "cleared",
        (idle.eq(1),),
        (
            following(sums).eq(0),
            following(carries).eq(0),
            following(y).eq(0),
            following(y_carries).eq(0),
            following(y_carry_in).eq(0),
        ),
    ),
)

_own = clog2(g + 1)
_OWN_LEVEL, _OWN_AT = LEVELS - _own, 2 * g + 1 - pow2(_own)
_LATE = STEPS - 1 - _OWN_LEVEL
_ROW = _OWN_AT * pow2(_OWN_LEVEL)


def _line(at: Operand) -> Expression:
    return numbered("gen_level[0].gen_sum[{}].gen_row.line", at, (_LATE + 1) * ROW_ENDS)


_LINES = (
    Lemma(
        "lines",
        (),
        (
            (_line(_ROW) % pow2(ROW_ENDS)).eq(
                _carry(_OWN_LEVEL * DIGIT + _OWN_AT) % pow2(ROW_ENDS)
            ),
            (following(_line(_ROW)) // pow2(ROW_ENDS)).eq(
                _if(idle.eq(1), 0, _line(_ROW) % pow2(_LATE * ROW_ENDS))
            ),
            part(into_rows, _ROW * ROW_ENDS, ROW_ENDS).eq(_line(_ROW) // pow2(_LATE * ROW_ENDS)),
        ),
        "Carries of sum 2 g + 1, by age.",
        each=("g", DIGIT),
    ),
)

_ADDERS = (
    Lemma(
        "rows",
        (idle.eq(0),),
        (
            every(
                "j",
                ROW_ENDS,
                (
                    part(following(sums), i * SUM + j * WORD, _word_bits(ROW_BITS))
                    + pow2(_word_bits(ROW_BITS)) * part(following(carries), i * ENDS + j)
                ).eq(
                    part(d, i) * _word(b, ROW_BITS)
                    + part(y, i) * _word(n, ROW_BITS)
                    + part(into_rows, i * ROW_ENDS + j)
                ),
            ),
        ),
        each=("i", DIGIT),
    ),
    Lemma(
        "joints",
        (idle.eq(0), part(tail, 1).eq(0) | (x > 0)),
        (_joined(_LEVEL, _AT),),
        each=("x", DIGIT - 1),
    ),
    Lemma(
        "narrow",
        (),
        (
            (_sum(_PLACE) // pow2(_bits(_LEVEL))).eq(0),
            (_carry(_PLACE) // pow2(_ends(_LEVEL))).eq(0),
        ),
        each=("x", 2 * DIGIT - 1),
    ),
    Lemma(
        "words",
        (idle.eq(0),),
        (
            (
                part(following(y), j * WORD, _word_bits(STATE))
                + pow2(_word_bits(STATE)) * part(following(y_carries), j)
            ).eq(
                _if(shift.eq(1), _word(y // RADIX, STATE), part(y, j * WORD, _word_bits(STATE)))
                + _word(_sum(LEVELS * DIGIT), STATE)
                + part(y_carry_in, j)
            ),
        ),
        each=("j", WORDS),
    ),
    Lemma(
        "ages",
        (idle.eq(0),),
        (
            (following(y_carries) // pow2(WORDS)).eq(y_carries % pow2(WORDS * (STEPS - 1))),
            following(y_carry_in).eq(
                _if(
                    take.eq(1),
                    part(y_carries, WORDS * (STEPS - 2), WORDS),
                    (2 * between) % pow2(WORDS),
                )
            ),
        ),
    ),
)

_below = (LEVELS - 1) * DIGIT
_AGES = STEPS * (WORDS - 1)
_of_word = (x + STEPS) // STEPS
_age = STEPS * _of_word - 1 - x

_TAIL = (
    Lemma(
        "late_digits",
        (),
        (
            part(late, (x + 1) * DIGIT, least(DIGIT, SUM - (x + 1) * DIGIT)).eq(
                part(y_carries, _age * WORDS + _of_word - 1)
            ),
        ),
        each=("x", _AGES),
    ),
    Lemma(
        "no_other_digits",
        (),
        ((late % RADIX).eq(0), (late // pow2(DIGIT * (_AGES + 1))).eq(0)),
    ),
    Lemma(
        "late_joins",
        (
            idle.eq(0),
            part(tail, 1).eq(1),
            _sum(_below).eq(0),
            _carry(_below).eq(0),
            _sum(_below + 1).eq(0),
        ),
        (_sum_next(LEVELS * DIGIT).eq(late), _carry_next(LEVELS * DIGIT).eq(0)),
    ),
    Lemma(
        "flags",
        (),
        (
            part(following(generates), j).eq(_if(part(tail, 3).eq(1), part(y_carries, j), 0)),
            part(following(propagates), j).eq(
                _if(
                    part(tail, 3).eq(1),
                    _if(part(y, j * WORD, _word_bits(STATE)).eq(pow2(_word_bits(STATE)) - 1)),
                    0,
                )
            ),
        ),
        each=("j", WORDS),
    ),
    Lemma(
        "look_ahead",
        (every("x", WORDS, part(generates, x) + part(propagates, x) <= 1),),
        (
            part(between, j).eq(
                _if(
                    part(generates, j).eq(1),
                    1,
                    _if(part(propagates, j).eq(1), (2 * between // pow2(j)) % 2, 0),
                )
            ),
        ),
        each=("j", WORDS),
    ),
    Lemma("nothing_between", (generates.eq(0), propagates.eq(0)), (between.eq(0),)),
    Lemma("answer", (), (net("p_o", OPERAND).eq((low + pow2(LOW) * y) % pow2(OPERAND)),)),
)

LEMMAS = (*_CONTROL, *_DATA, *_LINES, *_ADDERS, *_TAIL)


def lacks(design: UnitChain) -> str:
    """Return for which of its parameters a design has no lemmas, or nothing."""
    return f"one word of {design.chain} bits" if design.chain >= sizes(design)["state"] else ""


def sizes(design: UnitChain) -> dict[str, int]:
    """Return the sizes of operands, of Y and of the loop, by their names in the RTL."""
    levels = design.digit.bit_length() - 1
    scale = design.digit * (levels + 2)
    operand = design.width + scale + 1
    return {
        "levels": levels,
        "steps": design.chain // design.digit,
        "digits": (operand + design.digit) // design.digit,
        "operand": operand,
        "state": operand + design.digit + 1,
    }
