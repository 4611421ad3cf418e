# SPDX-License-Identifier: Apache-2.0
"""The lemmas on mf_unit_csa from which proofs/unit_csa.v follows.

They are the same for all digits: what is said of each Booth term, adder row or group of bits has
its number as an index. Assumed are the queue of a mf_booth_tree, of whose rows each adds the next
three vectors, and the order of what enters it.
"""

from __future__ import annotations

from dataclasses import dataclass

from montforge.arch.unit_csa import SCALED, UnitCsa
from montforge.prove.lemmas.booth import row
from montforge.prove.lemmas.shared import ready, request, response, taken
from montforge.prove.statement import (
    Expression,
    Lemma,
    Operand,
    W,
    bits_or,
    bits_xor,
    clog2,
    either,
    following,
    least,
    net,
    part,
    pow2,
    signed,
    size,
)

IDLE, LOOP, CONVERT, DONE = 0, 1, 3, 5
D, DELAY, GROUP = size("digit"), size("delay"), size("group")
RADIX = pow2(D)
OPERAND = W + D * DELAY
STATE = OPERAND + D + 1
DIGITS = (OPERAND + D - 1) // D
STEPS = DIGITS + DELAY
SUM = DIGITS * D
LOW = (DELAY - 1) * D
"""Bits of the result below the pair, and of the pair that are converted."""
PAIR = SUM - LOW
GROUPS = (PAIR + GROUP - 1) // GROUP
TERMS = (D + 1) // 2
"""Booth terms of a digit: so many multiples of b, which become two vectors, and of n-bar."""
CONVERT_CYCLES = 3
TWO, FOUR = (Expression("int", (number,)) for number in (2, 4))

j, g = size("j"), size("g")
BITS = least(GROUP, PAIR - g * GROUP)
EACH_TERM, EACH_GROUP = ("j", TERMS), ("g", GROUPS)

_ACC = "u_core.u_accumulator"
phase, left = net("u_core.phase_q", 3), net("u_core.left_q", clog2(STEPS + 1))
next_phase, next_left = following(phase), following(left)
idle, clear, shift = net("u_core.idle_q"), net("u_core.clear_q"), net("u_core.shift_q")
d_valid, q_valid = net("u_core.d_valid_q"), net("u_core.q_valid_q")
transfer, start = net("u_core.transfer_q"), net("u_core.start_q")
a, b, modulus = net("u_core.a_q", SUM), net("u_core.b_q", OPERAND), net("u_core.modulus_q", W)
digit, digit_transfer = net("u_core.digit", D), net("u_core.digit_transfer_q")
u, u_transfer = net("u_core.u", D), net("u_core.u_transfer_q")
carry, carry_q = net("u_core.carry"), net("u_core.carry_q")
d, q = net("u_core.d_q", 3 * TERMS), net("u_core.q_q", 3 * TERMS)
s, c = net("u_core.s_q", STATE), net("u_core.c_q", STATE)
fold = net(f"{_ACC}.fold", 2)
HALF = STATE - 2 - D  # bits of a vector below its two topmost, without the lowest digit
_CONVERTER = "u_core.u_convert"
generates, propagates, carries, carries_q = (
    net(f"{_CONVERTER}.{name}", GROUPS)
    for name in ("generates_q", "propagates_q", "carries", "carries_q")
)
started = net(f"{_CONVERTER}.started_q")


def _place(of: Expression, at: Operand) -> Expression:
    """Return a vector in the queue of a tree."""
    return part(of, at * STATE, STATE)


def _if(truth: Expression, yes: Operand = 1, no: Operand = 0) -> Expression:
    return either(truth, yes, no)


def _flag(of: Expression) -> Expression:
    """Return the bit of group g."""
    return (of // pow2(g)) % 2


def _booth(
    of: Expression, valid: Expression, x: Expression, below: Operand
) -> tuple[Expression, ...]:
    """Return the statements that a register has term j of a digit, or none if not ``valid``."""
    once, twice, negative = (part(following(of), 3 * j + at) for at in (2, 1, 0))
    three = ((2 * signed(x) + below) // pow2(2 * j)) % 8
    term = three // 2 + three % 2 - 4 * (three // 4)
    return (
        ((once + 2 * twice) * (1 - 2 * negative)).eq(_if(valid.eq(1), term)),
        once + twice <= 1,
        (once + twice >= 1) | negative.eq(0),
    )


def _multiple(
    vector: Expression, terms: Expression, x: Expression, width: Expression
) -> Expression:
    """Return the statement on row j of a mf_unit_rows with an operand of ``width`` bits.

    Its multiple has ``width`` + 2 j + 1 bits, and no 1 that completes a negative one. Signs are
    complemented in place of extended, and row 0 has the constant that makes up for it.
    """
    own = width + 2 * j + 1
    once, twice, negative = (part(terms, 3 * j + at) for at in (2, 1, 0))
    shifted = (signed(x) * pow2(2 * j)) % pow2(own)
    chosen = bits_or(once * shifted, twice * ((2 * shifted) % pow2(own)))
    value = bits_xor(chosen, negative * (pow2(own) - 1))
    sign = value // pow2(own - 1)
    first = value + sign * pow2(own) + (1 - sign) * pow2(own + 1)
    other = value % pow2(own - 1) + (1 - sign) * pow2(own - 1) + pow2(own)
    return vector.eq(_if(j.eq(0), first + (pow2(STATE) - pow2(width + 2 * TERMS)), other))


@dataclass(frozen=True)
class _Product:
    """A mf_unit_product: the queue of its tree, and the statements on multiple j and on row j."""

    queue: Expression
    multiple: Expression
    rows: tuple[Expression, ...]


def _row(
    of: Expression, single: Expression, number: Operand, out: Operand
) -> tuple[Expression, ...]:
    """Return the statements on a row of a tree, whose results are at ``out`` in the queue."""
    vectors = [_place(of, 3 * number + at) for at in range(3)]
    return row(vectors, _place(of, out), _place(of, out + 1), STATE, part(single, number))


def _group(of: Expression, low: Operand = 0) -> Expression:
    """Return the bits of group g of a vector that begins at bit ``low``."""
    return part(of, low + g * GROUP, BITS)


still = (idle.eq(0), shift.eq(0), start.eq(0))
"""No operand, no digit and no sum enters a_q."""
folded = part(s, D, HALF) + (fold % 2) * pow2(HALF) + (1 - fold // 2) * pow2(HALF + 1)
pair_group = _group(s) + _group(c)

_CONTROL = (
    Lemma("ready", (), (ready.eq(idle), response.eq(_if(phase.eq(DONE))))),
    Lemma(
        "selects",
        (),
        (
            following(idle).eq(_if(next_phase.eq(IDLE))),
            following(clear).eq(_if(idle.eq(1), 1, _if(next_phase.eq(IDLE)))),
            following(shift).eq(_if(next_phase.eq(LOOP))),
            following(start).eq(_if(phase.eq(LOOP), _if(left.eq(0)))),
            following(started).eq(start),
        ),
        "The selects are registers of the next phase.",
    ),
    Lemma(
        "valid_digits",
        (),
        (
            following(d_valid).eq(
                _if(next_phase.eq(IDLE), 1, _if(next_phase.eq(LOOP), _if(next_left > DELAY + 1)))
            ),
            following(q_valid).eq(_if(phase.eq(LOOP), _if(left > 0, _if(next_left > DELAY - 2)))),
            following(transfer).eq(
                _if(phase.eq(LOOP), _if(left > 0, _if(next_left.eq(DELAY - 2))))
            ),
        ),
        "When there are digits of a and of the quotient, and the last transfer between the latter.",
    ),
    Lemma(
        "at_reset",
        (),
        (
            *(phase.eq(IDLE), idle.eq(1), clear.eq(1), shift.eq(0), start.eq(0)),
            *(started.eq(0), carries_q.eq(0), d_valid.eq(1), q_valid.eq(0)),
        ),
        at_reset=True,
    ),
    Lemma(
        "accept",
        (phase.eq(IDLE), request.eq(1), idle.eq(1), shift.eq(0), start.eq(0)),
        (
            next_phase.eq(LOOP),
            next_left.eq(STEPS),
            following(a).eq((signed(net("a_i", OPERAND)) // RADIX) % pow2(SUM)),
            following(b).eq(net("b_i", OPERAND)),
            following(modulus).eq(net("n_scaled_i", W)),
        ),
    ),
    Lemma("count", (phase.eq(LOOP), left > 0), (next_phase.eq(LOOP), next_left.eq(left - 1))),
    Lemma(
        "count_end",
        (phase.eq(LOOP), left.eq(0)),
        (next_phase.eq(CONVERT), next_left.eq(CONVERT_CYCLES - 1)),
    ),
    Lemma(
        "converts",
        (phase.eq(CONVERT), left > 0),
        (next_phase.eq(CONVERT), next_left.eq(left - 1)),
    ),
    Lemma("converted", (phase.eq(CONVERT), left.eq(0)), (next_phase.eq(DONE),)),
    Lemma("wait", (phase.eq(DONE), taken.eq(0)), (next_phase.eq(DONE),)),
    Lemma("keep", (idle.eq(0),), (following(b).eq(b), following(modulus).eq(modulus))),
    Lemma(
        "shift_a",
        (idle.eq(0), shift.eq(1), start.eq(0)),
        (following(a).eq(a // RADIX + pow2(SUM - D) * u),),
        "The digits of the quotient come in at the top.",
        cut=("u_core.u",),
    ),
    Lemma("first_digit", (idle.eq(1),), (digit.eq(net("a_i", OPERAND) % RADIX),)),
    Lemma("other_digits", (idle.eq(0),), (digit.eq(part(a, 0, D)),)),
    Lemma(
        "a_terms",
        (idle.eq(0) | digit_transfer.eq(0),),
        _booth(d, d_valid, digit, digit_transfer),
        cut=("u_core.digit",),
        each=EACH_TERM,
    ),
    Lemma(
        "first_terms",
        (idle.eq(1), d_valid.eq(1)),
        _booth(d, d_valid, digit, 0),
        cut=("u_core.digit",),
        each=EACH_TERM,
    ),
    Lemma(
        "a_transfer", (), (following(digit_transfer).eq(part(digit, D - 1)),), cut=("u_core.digit",)
    ),
    Lemma(
        "quotient_digit",
        (transfer.eq(0) | (c % 2).eq(0),),
        (
            (u + RADIX * carry).eq(
                part(s, 0, D) + part(c, 0, D) + carry_q + _if(transfer.eq(1), u_transfer)
            ),
        ),
    ),
    Lemma(
        "quotient_terms",
        (),
        _booth(q, q_valid, u, u_transfer),
        cut=("u_core.u",),
        each=EACH_TERM,
    ),
    Lemma(
        "quotient_transfer",
        (),
        (
            following(u_transfer).eq(part(u, D - 1)),
            following(carry_q).eq(_if(clear.eq(1), 0, carry)),
        ),
        cut=("u_core.u", "u_core.carry"),
    ),
)


def _product(name: str, terms: Expression, x: Expression, width: Expression) -> _Product:
    """Return the tree of a mf_unit_product, and the statements on its multiples and rows."""
    tree = f"{_ACC}.{name}.gen_tree.u_tree"
    vectors = net(f"{tree}.queue", (3 * (TERMS - 2) + 2) * STATE)
    single = net(f"{tree}.bits_i", TERMS - 2)
    return _Product(
        vectors,
        _multiple(_place(vectors, j), terms, x, width),
        (part(single, j).eq(part(terms, 3 * j)), *_row(vectors, single, j, TERMS + 2 * j)),
    )


def _reduced(
    product: _Product, terms: Expression, queue: Expression, at: int, bits: Expression, bit: Operand
) -> tuple[Expression, ...]:
    """Return that a product is the vectors from place ``at`` on and two bits in the next cycle."""
    last = 3 * (TERMS - 2)
    return (
        _place(following(queue), at).eq(_place(product.queue, last)),
        _place(following(queue), at + 1).eq(_place(product.queue, last + 1)),
        part(following(bits), bit).eq(part(terms, last)),
        part(following(bits), bit + 1).eq(part(terms, 3 * (TERMS - 1))),
    )


def _datapath(delay: int) -> tuple[Lemma, ...]:
    """Return the lemmas on the accumulator, whose quotient has rows in the tree or a product."""
    vectors = TERMS if delay == 2 else TWO
    queue = net(f"{_ACC}.u_tree.queue", (3 * (vectors + 2) + 2) * STATE)
    bits = net(f"{_ACC}.u_tree.bits_i", vectors + 2)
    operand = _product("u_p", d, b, OPERAND)
    quotient = _product("gen_product.u_q", q, modulus, W)
    if delay == 2:
        multiple: tuple[Expression, ...] = (
            _multiple(_place(queue, 8 + j), q, modulus, W),
            part(bits, j).eq(part(q, 3 * j)),
        )
        rows, quotient_rows = TWO, _row(queue, bits, j + 2, TERMS + 8 + 2 * j)
        reduced: tuple[Expression, ...] = ()
    else:
        multiple = (quotient.multiple,)
        rows, quotient_rows = FOUR, quotient.rows
        reduced = _reduced(quotient, q, queue, 4, bits, 0)
    return (
        Lemma("a_multiples", (), (operand.multiple,), each=EACH_TERM),
        Lemma("product_rows", (), operand.rows, each=("j", TERMS - 2)),
        Lemma(
            "product",
            (),
            _reduced(operand, d, queue, 2, bits, vectors),
            "A digit of a times b, as a pair and two bits, is added in the next cycle.",
        ),
        Lemma("quotient_multiples", (), multiple, each=EACH_TERM),
        Lemma("quotient_rows", (), quotient_rows, each=("j", TERMS if delay == 2 else TERMS - 2)),
        Lemma(
            "quotient_product",
            (),
            (DELAY.eq(delay), *reduced),
            "With a delay of 2 the multiples by a digit of the quotient are added in its cycle.",
        ),
        Lemma("rows", (), _row(queue, bits, j, (4 if delay == 2 else 6) + 2 * j), each=("j", rows)),
        Lemma(
            "pair",
            (),
            (
                ((part(s, STATE - 2, 2) + part(c, STATE - 2, 2) - fold) % 4).eq(0),
                _place(queue, 0).eq(folded),
                _place(queue, 1).eq(part(c, D, HALF) + (pow2(STATE) - pow2(HALF + 1))),
            ),
            "The fold brings all signs into one vector, so that the pair can be shifted.",
        ),
        Lemma(
            "accumulate",
            (),
            (
                following(s).eq(_if(clear.eq(1), 0, _place(queue, 3 * (vectors + 2)))),
                following(c).eq(_if(clear.eq(1), 0, _place(queue, 3 * (vectors + 2) + 1))),
                (following(c) % 2).eq(_if(clear.eq(1), 0, part(bits, vectors + 1))),
            ),
        ),
    )


_CONVERSION = (
    Lemma(
        "sums",
        (start.eq(1), idle.eq(0), shift.eq(0)),
        (
            part(following(a), 0, LOW).eq(part(a, SUM - LOW, LOW)),
            (_group(following(a), LOW) + pow2(BITS) * part(following(generates), g)).eq(
                pair_group + _if(g.eq(0), carry_q)
            ),
            part(following(propagates), g).eq(_if(pair_group.eq(pow2(BITS) - 1))),
        ),
        "The sums of groups, and whether a carry leaves one or would pass it.",
        each=EACH_GROUP,
    ),
    Lemma(
        "look_ahead",
        (),
        (
            _flag(carries).eq(
                _if(
                    part(generates, g).eq(1),
                    1,
                    _if(part(propagates, g).eq(1), _flag(2 * carries)),
                )
            ),
        ),
        each=EACH_GROUP,
    ),
    Lemma(
        "carries_found",
        (),
        (following(carries_q).eq(_if(started.eq(1), carries)),),
        cut=(f"{_CONVERTER}.carries",),
    ),
    Lemma(
        "increments",
        still,
        (
            part(following(a), 0, LOW).eq(part(a, 0, LOW)),
            _group(following(a), LOW).eq((_group(a, LOW) + _flag(2 * carries_q)) % pow2(BITS)),
        ),
        "Each group takes the carry from below.",
        each=EACH_GROUP,
    ),
    Lemma("rests", (*still, carries_q.eq(0)), (following(a).eq(a),)),
    Lemma("answer", (), (net("p_o", OPERAND).eq(part(a, 0, OPERAND)),)),
)

LEMMAS = (*_CONTROL, *_datapath(2), *_CONVERSION)
_LATER = (*_CONTROL, *_datapath(3), *_CONVERSION)
"""Those on designs with delay = 3."""


def lemmas_on(design: UnitCsa) -> tuple[Lemma, ...] | None:
    """Return the lemmas on a design; None if there are none with its parameters."""
    if missing_parts(design):
        return None
    return LEMMAS if design.delay == 2 else _LATER


def missing_parts(design: UnitCsa) -> str:
    """Return what a design lacks, or nothing."""
    reasons = {
        f"the exact tail of result = {design.result}": design.result != SCALED,
        "requests that overlap": design.overlap == 1,
        f"digits of {design.digit} bits": design.digit < 5,
    }
    return ", ".join(f"lemmas on {reason}" for reason, holds in reasons.items() if holds)
