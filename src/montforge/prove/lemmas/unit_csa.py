# SPDX-License-Identifier: Apache-2.0
"""The lemmas on mf_unit_csa from which proofs/unit_csa.v follows.

What is said of each Booth term or group of bits has its number as an index; the rows of the
compressor trees are those for a number of Booth terms. Assumed is the order of what enters a tree.
The conversion takes two cycles, the look-ahead both.
"""

from __future__ import annotations

from functools import cache

from montforge.arch.unit_csa import SCALED, UnitCsa
from montforge.prove.lemmas.booth import Tree
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
CONVERT_CYCLES = 2
LATENESS = 4
"""Delay by which a digit of the quotient is late for the tree, in XOR gates."""

j, g = size("j"), size("g")
BITS = least(GROUP, PAIR - g * GROUP)
EACH_TERM, EACH_GROUP, EACH_CARRY = ("j", TERMS), ("g", GROUPS), ("g", GROUPS - 1)

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
_GROUP_NETS = tuple(f"{_CONVERTER}.{name}" for name in ("generates", "propagates", "carries"))
generates, propagates, carries = (net(name, GROUPS) for name in _GROUP_NETS)
started = net(f"{_CONVERTER}.started_q")


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
                _if(
                    phase.eq(LOOP),
                    _if(left > 0, _if(next_left.eq(DELAY - 2), following(u_transfer))),
                )
            ),
        ),
        "When there are digits of a and of the quotient, and the last transfer between the latter.",
        cut=("u_core.u",),
    ),
    Lemma(
        "at_reset",
        (),
        (
            *(phase.eq(IDLE), idle.eq(1), clear.eq(1), shift.eq(0), start.eq(0)),
            *(started.eq(0), d_valid.eq(1), q_valid.eq(0)),
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
        ((u + RADIX * carry).eq(part(s, 0, D) + part(c, 0, D) + carry_q + transfer),),
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


@cache
def _datapath(terms: int, delay: int) -> tuple[Lemma, ...]:
    """Return the lemmas on the accumulator; ``terms`` are the Booth terms of a digit, 3 to 12.

    The quotient has rows in the tree of the pair or, with ``delay`` = 3, a product of its own.
    """
    late = terms if delay == 2 else 2
    tree = Tree(f"{_ACC}.u_tree", STATE, 4 + late, late, LATENESS if delay == 2 else 0)
    bits = net(f"{_ACC}.u_tree.bits_i", 2 + late)
    operand = Tree(f"{_ACC}.u_p.gen_tree.u_tree", STATE, terms)
    quotient = Tree(f"{_ACC}.gen_product.u_q.gen_tree.u_tree", STATE, terms)

    def product(of: Tree, digit: Expression) -> tuple[Expression, ...]:
        ones = [part(digit, 3 * term) for term in range(terms - 2)]
        return (TERMS.eq(terms), *of.statements(ones))

    def reduced(of: Tree, digit: Expression, at: int, bit: int) -> tuple[Expression, ...]:
        """Return that a product is vectors from ``at`` on, and two bits, in the next cycle."""
        return (
            part(following(tree.rows), at * STATE, STATE).eq(of.sum_),
            part(following(tree.rows), (at + 1) * STATE, STATE).eq(of.carry),
            part(following(bits), bit).eq(part(digit, 3 * (terms - 2))),
            part(following(bits), bit + 1).eq(part(digit, 3 * (terms - 1))),
        )

    if delay == 2:
        multiple: tuple[Expression, ...] = (
            _multiple(tree.vector(4 + j), q, modulus, W),
            part(bits, j).eq(part(q, 3 * j)),
        )
        quotient_rows: tuple[Expression, ...] = (TERMS.eq(terms),)
        quotient_product: tuple[Expression, ...] = ()
    else:
        multiple = (_multiple(quotient.vector(j), q, modulus, W),)
        quotient_rows = product(quotient, q)
        quotient_product = reduced(quotient, q, 4, 0)
    return (
        Lemma("a_multiples", (), (_multiple(operand.vector(j), d, b, OPERAND),), each=EACH_TERM),
        Lemma("product_rows", (), product(operand, d)),
        Lemma(
            "product",
            (),
            reduced(operand, d, 2, late),
            "A digit of a times b, as a pair and two bits, is added in the next cycle.",
        ),
        Lemma("quotient_multiples", (), multiple, each=EACH_TERM),
        Lemma("quotient_rows", (), quotient_rows),
        Lemma(
            "quotient_product",
            (),
            (DELAY.eq(delay), *quotient_product),
            "With a delay of 2 the multiples by a digit of the quotient are added in its cycle.",
        ),
        Lemma("rows", (), tree.statements([part(bits, bit) for bit in range(2 + late)])),
        Lemma(
            "pair",
            (),
            (
                ((part(s, STATE - 2, 2) + part(c, STATE - 2, 2) - fold) % 4).eq(0),
                tree.vector(0).eq(folded),
                tree.vector(1).eq(part(c, D, HALF) + (pow2(STATE) - pow2(HALF + 1))),
            ),
            "The fold brings all signs into one vector, so that the pair can be shifted.",
        ),
        Lemma(
            "accumulate",
            (),
            (
                following(s).eq(_if(clear.eq(1), 0, tree.sum_)),
                following(c).eq(_if(clear.eq(1), 0, tree.carry)),
                (following(c) % 2).eq(_if(clear.eq(1), 0, part(bits, 1 + late))),
            ),
        ),
    )


_CONVERSION = (
    Lemma(
        "sums",
        (start.eq(1), idle.eq(0), shift.eq(0)),
        (
            part(following(a), 0, LOW).eq(part(a, SUM - LOW, LOW)),
            (_group(following(a), LOW) + pow2(BITS) * part(generates, g)).eq(
                pair_group + _if(g.eq(0), carry_q)
            ),
            part(propagates, g).eq(_if(pair_group.eq(pow2(BITS) - 1))),
        ),
        "The sums of groups, and whether a carry leaves one or would pass it.",
        each=EACH_GROUP,
    ),
    Lemma(
        "look_ahead",
        (start.eq(1),),
        (
            _flag(following(carries)).eq(
                _if(
                    part(generates, g).eq(1),
                    1,
                    _if(part(propagates, g).eq(1), _flag(2 * following(carries))),
                )
            ),
        ),
        "The carries of a cycle begin with the groups of the one before. The topmost has none.",
        cut=_GROUP_NETS[:2],
        each=EACH_CARRY,
    ),
    Lemma("no_carries", (started.eq(0),), (carries.eq(0),)),
    Lemma(
        "increments",
        still,
        (
            part(following(a), 0, LOW).eq(part(a, 0, LOW)),
            _group(following(a), LOW).eq((_group(a, LOW) + _flag(2 * carries)) % pow2(BITS)),
        ),
        "Each group takes the carry from below.",
        cut=_GROUP_NETS[2:],
        each=EACH_GROUP,
    ),
    Lemma("rests", (*still, carries.eq(0)), (following(a).eq(a),), cut=_GROUP_NETS[2:]),
    Lemma("answer", (), (net("p_o", OPERAND).eq(part(a, 0, OPERAND)),)),
)

LEMMAS = (*_CONTROL, *_datapath(4, 2), *_CONVERSION)
"""Those on designs with the digit and delay that a design has if none are given."""


def lemmas_on(design: UnitCsa) -> tuple[Lemma, ...] | None:
    """Return the lemmas on a design; None if there are none with its parameters."""
    if missing_parts(design):
        return None
    return (*_CONTROL, *_datapath((design.digit + 1) // 2, design.delay), *_CONVERSION)


def missing_parts(design: UnitCsa) -> str:
    """Return what a design lacks, or nothing."""
    reasons = {
        f"the exact tail of result = {design.result}": design.result != SCALED,
        "requests that overlap": design.overlap == 1,
        f"digits of {design.digit} bits": design.digit < 5,
    }
    return ", ".join(f"lemmas on {reason}" for reason, holds in reasons.items() if holds)
