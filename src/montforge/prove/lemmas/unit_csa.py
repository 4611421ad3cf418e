# SPDX-License-Identifier: Apache-2.0
"""The lemmas on mf_unit_csa_core from which proofs/unit_csa.v and those beside it follow.

What is said of each Booth term or group of bits has its number as an index; the rows of the
compressor trees are those for a number of Booth terms. Assumed is the order of what enters a tree.
The conversion takes two cycles, the look-ahead both.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache

from montforge.arch.unit_csa import NONNEGATIVE, SCALED, UnitCsa
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
    holds,
    later,
    least,
    net,
    part,
    pow2,
    signed,
    size,
)

IDLE, LOOP, TAIL, CONVERT, CORRECT, DONE = range(6)
D, DELAY, GROUP = size("digit"), size("delay"), size("group")
OPERAND, STATE, MODULUS = size("operand"), size("state"), size("modulus")
DIGITS, LAST, LOOPS, PAIR = size("digits"), size("last"), size("loops"), size("pair")
RADIX = pow2(D)
SCALE = D * DELAY
SUM = DIGITS * D
LOW = (DELAY - 1) * D
"""Bits of a scaled result below the pair, and of the pair that are converted."""
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
phase, left = net("u_core.phase_q", 3), net("u_core.left_q", clog2(LOOPS + 1))
next_phase, next_left = following(phase), following(left)
idle, clear, shift = net("u_core.idle_q"), net("u_core.clear_q"), net("u_core.shift_q")
d_valid, q_valid = net("u_core.d_valid_q"), net("u_core.q_valid_q")
transfer, start, load = net("u_core.transfer_q"), net("u_core.start_q"), net("u_core.load_q")
correct = net("u_core.correct_q")
a, b, modulus = net("u_core.a_q", SUM), net("u_core.b_q", OPERAND), net("u_core.modulus_q", MODULUS)
digit, digit_transfer = net("u_core.digit", D), net("u_core.digit_transfer_q")
u, u_transfer = net("u_core.u", D), net("u_core.u_transfer_q")
carry, carry_q = net("u_core.carry"), net("u_core.carry_q")
d, q = net("u_core.d_q", 3 * TERMS), net("u_core.q_q", 3 * TERMS)
exact = net("u_core.exact", 3 * TERMS)
s, c = net("u_core.s_q", STATE), net("u_core.c_q", STATE)
fold, cleared = net(f"{_ACC}.fold", 2), net("u_core.clear")
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


def _selected(terms: Expression, x: Expression, own: Operand) -> Expression:
    """Return the multiple of ``x`` of ``own`` bits that term j selects, without its 1."""
    once, twice, negative = (part(terms, 3 * j + at) for at in (2, 1, 0))
    shifted = (signed(x) * pow2(2 * j)) % pow2(own)
    chosen = bits_or(once * shifted, twice * ((2 * shifted) % pow2(own)))
    return bits_xor(chosen, negative * (pow2(own) - 1))


def _multiple(
    vector: Expression, terms: Expression, x: Expression, width: Expression
) -> Expression:
    """Return the statement on row j of a mf_unit_rows with an operand of ``width`` bits.

    Its multiple has ``width`` + 2 j + 1 bits, and no 1 that completes a negative one. Signs are
    complemented in place of extended, and row 0 has the constant that makes up for it.
    """
    own = width + 2 * j + 1
    value = _selected(terms, x, own)
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

_CONTROL = (
    Lemma("ready", (), (ready.eq(idle), response.eq(_if(phase.eq(DONE))))),
    Lemma(
        "selects",
        (),
        (
            following(idle).eq(_if(next_phase.eq(IDLE))),
            following(clear).eq(_if(idle.eq(1), 1, _if(next_phase.eq(IDLE)))),
            following(shift).eq(_if(next_phase.eq(LOOP))),
            cleared.eq(bits_or(clear, load)),
        ),
        "The selects are registers of the next phase.",
    ),
    Lemma(
        "valid_digits",
        (),
        (
            following(d_valid).eq(
                _if(
                    next_phase.eq(IDLE),
                    1,
                    _if(next_phase.eq(LOOP), _if(next_left > LOOPS + 1 - DIGITS)),
                )
            ),
            following(q_valid).eq(
                _if(phase.eq(LOOP), _if(left > 0, _if(next_left > LOOPS - 2 - LAST)))
            ),
        ),
        "When there are digits of a and of the quotient.",
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
            next_left.eq(LOOPS),
            following(a).eq((signed(net("a_i", OPERAND)) // RADIX) % pow2(SUM)),
            following(b).eq(net("b_i", OPERAND)),
            following(modulus).eq(signed(net("n_scaled_i", W)) % pow2(MODULUS)),
        ),
    ),
    Lemma("count", (phase.eq(LOOP), left > 0), (next_phase.eq(LOOP), next_left.eq(left - 1))),
    Lemma("no_load", (phase < LOOP,), (following(load).eq(0),)),
    Lemma("no_load_yet", (phase.eq(LOOP), left > 0), (following(load).eq(0),)),
    Lemma(
        "converts",
        (phase.eq(CONVERT), left > 0),
        (next_phase.eq(CONVERT), next_left.eq(left - 1)),
    ),
    Lemma("wait", (phase.eq(DONE), taken.eq(0)), (next_phase.eq(DONE),)),
    Lemma("keep", (idle.eq(0),), (following(b).eq(b),)),
    Lemma(
        "keep_modulus", (idle.eq(0), phase.eq(LOOP), left > 0), (following(modulus).eq(modulus),)
    ),
    Lemma(
        "shift_a",
        (idle.eq(0), shift.eq(1), start.eq(0)),
        (following(a).eq(a // RADIX + pow2(SUM - D) * u),),
        "The digits of the quotient come in at the top.",
        cut=("u_core.u",),
    ),
    Lemma("first_digit", (idle.eq(1),), (digit.eq(signed(net("a_i", OPERAND)) % RADIX),)),
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
        (exact.eq(0),),
        _booth(q, q_valid, u, u_transfer),
        cut=("u_core.u", "u_core.exact"),
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


class _Product:
    """A mf_unit_product of a digit with ``terms`` Booth terms."""

    def __init__(self, name: str, terms: int) -> None:
        self.terms = terms
        self.rows = net(f"{name}.rows", terms * STATE)
        self.vectors = net(f"{name}.vectors", 2 * STATE)
        ends = (f"{name}.rows", f"{name}.vectors")
        self._tree = Tree(f"{name}.gen_tree.u_tree", STATE, terms, ends=ends) if terms > 2 else None

    def row(self, number: Operand) -> Expression:
        """Return a row."""
        return part(self.rows, number * STATE, STATE)

    def reduced(self, digit: Expression) -> tuple[Expression, ...]:
        """Return the statements that the rows are reduced to two vectors; two rows are these."""
        if self._tree is None:
            rows = tuple(part(self.vectors, at * STATE, STATE).eq(self.row(at)) for at in (0, 1))
        else:
            rows = self._tree.statements([part(digit, 3 * at) for at in range(self.terms - 2)])
        return (TERMS.eq(self.terms), *rows)


@cache
def _datapath(terms: int, delay: int) -> tuple[Lemma, ...]:
    """Return the lemmas on the accumulator; ``terms`` are the Booth terms of a digit, 2 to 12.

    The quotient has rows in the tree of the pair or, with ``delay`` = 3, a product of its own.
    """
    late = terms if delay == 2 else 2
    tree = Tree(f"{_ACC}.u_tree", STATE, 4 + late, late, LATENESS if delay == 2 else 0)
    bits = net(f"{_ACC}.u_tree.bits_i", 2 + late)
    operand = _Product(f"{_ACC}.u_p", terms)
    quotient = _Product(f"{_ACC}.gen_product.u_q", terms)

    def taken_in(of: _Product, digit: Expression, at: int, bit: int) -> tuple[Expression, ...]:
        """Return that a product is vectors from ``at`` on, and two bits, in the next cycle."""
        return (
            part(following(tree.rows), at * STATE, STATE).eq(part(of.vectors, 0, STATE)),
            part(following(tree.rows), (at + 1) * STATE, STATE).eq(part(of.vectors, STATE, STATE)),
            part(following(bits), bit).eq(part(digit, 3 * (terms - 2))),
            part(following(bits), bit + 1).eq(part(digit, 3 * (terms - 1))),
        )

    if delay == 2:
        multiple: tuple[Expression, ...] = (
            _multiple(tree.vector(4 + j), q, modulus, MODULUS),
            part(bits, j).eq(part(q, 3 * j)),
        )
        quotient_rows: tuple[Expression, ...] = (TERMS.eq(terms),)
        quotient_product: tuple[Expression, ...] = ()
    else:
        multiple = (_multiple(quotient.row(j), q, modulus, MODULUS),)
        quotient_rows = quotient.reduced(q)
        quotient_product = taken_in(quotient, q, 4, 0)
    return (
        Lemma("a_multiples", (), (_multiple(operand.row(j), d, b, OPERAND),), each=EACH_TERM),
        Lemma("product_rows", (), operand.reduced(d)),
        Lemma(
            "product",
            (load.eq(0),),
            taken_in(operand, d, 2, late),
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
                following(s).eq(_if(cleared.eq(1), 0, tree.sum_)),
                following(c).eq(_if(cleared.eq(1), 0, tree.carry)),
                (following(c) % 2).eq(_if(cleared.eq(1), 0, part(bits, 1 + late))),
            ),
            cut=("u_core.clear",),
        ),
    )


def _sums(
    given: tuple[Expression, ...], x: Expression, y: Operand, carry: Expression, low: Operand = 0
) -> Lemma:
    """Return the lemma on the first cycle of a conversion, of x + y + ``carry`` in groups."""
    pair = x + y
    return Lemma(
        "sums",
        (start.eq(1), idle.eq(0), shift.eq(0), *given),
        (
            (_group(following(a), low) + pow2(BITS) * part(generates, g)).eq(
                pair + _if(g.eq(0), carry)
            ),
            part(propagates, g).eq(_if(pair.eq(pow2(BITS) - 1))),
        ),
        "The sums of groups, and whether a carry leaves one or would pass it.",
        each=EACH_GROUP,
    )


def _increments(low: Operand = 0) -> Lemma:
    return Lemma(
        "increments",
        still,
        (_group(following(a), low).eq((_group(a, low) + _flag(2 * carries)) % pow2(BITS)),),
        "Each group takes the carry from below.",
        cut=_GROUP_NETS[2:],
        each=EACH_GROUP,
    )


_CARRIES = (
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
    Lemma("rests", (*still, carries.eq(0)), (following(a).eq(a),), cut=_GROUP_NETS[2:]),
)


def _starts(last: Expression, again: Operand = 0) -> Lemma:
    """Return the lemma on the start of conversions: after ``last``, and where ``again`` is 1."""
    return Lemma(
        "starts",
        (),
        (
            following(start).eq(_if(last, _if(left.eq(0)), again)),
            following(started).eq(start),
        ),
    )


_SCALED = (
    Lemma("no_exact", (), (exact.eq(0),)),
    Lemma(
        "last_transfer",
        (),
        (
            following(transfer).eq(
                _if(
                    phase.eq(LOOP),
                    _if(left > 0, _if(next_left.eq(DELAY - 2), following(u_transfer))),
                )
            ),
        ),
        "The last transfer between digits of the quotient.",
        cut=("u_core.u",),
    ),
    _starts(phase.eq(LOOP)),
    Lemma(
        "count_end",
        (phase.eq(LOOP), left.eq(0)),
        (next_phase.eq(CONVERT), next_left.eq(CONVERT_CYCLES - 1)),
    ),
    Lemma("converted", (phase.eq(CONVERT), left.eq(0)), (next_phase.eq(DONE),)),
    _sums((), _group(s), _group(c), carry_q, LOW),
    _increments(LOW),
    Lemma(
        "low_digits",
        (start.eq(1), idle.eq(0), shift.eq(0)),
        (part(following(a), 0, LOW).eq(part(a, SUM - LOW, LOW)),),
        "Digits below the pair.",
    ),
    Lemma("low_digits_stay", still, (part(following(a), 0, LOW).eq(part(a, 0, LOW)),)),
    Lemma("answer", (), (net("p_o", OPERAND).eq(part(a, 0, OPERAND)),)),
)

# ---------------------------------------------------------------- the exact tail

_X = "u_core.gen_exact.u_exact"
n, inverse = net("u_core.gen_n.n_q", W), net(f"{_X}.n_q", SCALE)
first, valid = net("u_core.first_q"), net(f"{_X}.valid_q", DELAY)
v = net(f"{_X}.v_q", 3 * TERMS)
x_digit, x_transfer = net(f"{_X}.digit", D), net(f"{_X}.transfer_q")
x_carry, x_carry_q = net(f"{_X}.carry"), net(f"{_X}.carry_q")
x_s, x_c = net(f"{_X}.s_q", SCALE), net(f"{_X}.c_q", SCALE)
ALWAYS = Expression("int", (1,))


n_group = (n // pow2(g * GROUP)) % pow2(BITS)


def _dated(delay: int) -> Expression:
    """Return that the flags of the digits of Q2 are those of their cycles."""
    at = [(LOOP, 0), (TAIL, delay), (TAIL, delay - 1)]
    at = at if delay == 2 else [(LOOP, 1), *at]
    flags = (first, *(part(valid, place) for place in range(delay)))
    return holds(
        "dated",
        *(
            flag.eq(0) | (phase.eq(in_phase) & left.eq(cycles))
            for flag, (in_phase, cycles) in zip(flags, at, strict=True)
        ),
    )


@cache
def _exact(terms: int, delay: int) -> tuple[Lemma, ...]:
    """Return the lemmas on the exact tail, for so many Booth terms of a digit."""
    tree = Tree(f"{_X}.u_tree", SCALE, terms + 2)
    dated = _dated(delay)
    vector = pow2(SCALE) * (part(c, 0, STATE - SCALE) + carry_q)
    late = terms if delay == 2 else 2
    rows = net(f"{_ACC}.u_tree.rows_i", (4 + late) * STATE)
    bits = net(f"{_ACC}.u_tree.bits_i", 2 + late)
    return (
        Lemma("no_transfer", (), (transfer.eq(0),)),
        Lemma(
            "tail",
            (phase.eq(LOOP), left.eq(0), idle.eq(0)),
            (
                next_phase.eq(TAIL),
                next_left.eq(DELAY),
                following(load).eq(1),
                following(modulus).eq(n),
            ),
        ),
        Lemma(
            "tail_count",
            (phase.eq(TAIL), left > 0, idle.eq(0)),
            (
                *(next_phase.eq(TAIL), next_left.eq(left - 1)),
                *(following(modulus).eq(modulus), following(load).eq(0)),
            ),
        ),
        Lemma(
            "tail_end",
            (phase.eq(TAIL), left.eq(0)),
            (next_phase.eq(CONVERT), next_left.eq(CONVERT_CYCLES - 1)),
        ),
        Lemma(
            "constants",
            (),
            (
                following(n).eq(_if(idle.eq(1), net("n_i", W), n)),
                following(inverse).eq(_if(idle.eq(1), net("n_inverse_i", SCALE), inverse)),
            ),
        ),
        Lemma(
            "first_of_exact",
            (),
            (
                following(first).eq(
                    _if(phase.eq(LOOP), _if(left > 0, _if(next_left.eq(DELAY - 2))))
                ),
                following(valid).eq((2 * valid) % pow2(DELAY) + first),
            ),
        ),
        Lemma("dated_at_reset", (), (dated,), at_reset=True),
        Lemma("dated_on", (dated,), (later(dated),)),
        Lemma("no_exact", (valid.eq(0),), (exact.eq(0),)),
        Lemma(
            "exact_terms",
            (q_valid.eq(0), valid > 0),
            _booth(q, ALWAYS, x_digit, x_transfer),
            cut=(f"{_X}.digit",),
            each=EACH_TERM,
        ),
        Lemma("low_terms", (), _booth(v, ALWAYS, u, u_transfer), cut=("u_core.u",), each=EACH_TERM),
        Lemma(
            "exact_multiples",
            (),
            (tree.vector(2 + j).eq(_selected(v, inverse, SCALE)),),
            "Modulo 2^L.",
            each=EACH_TERM,
        ),
        Lemma(
            "exact_rows",
            (),
            (
                TERMS.eq(terms),
                *tree.statements([part(v, 3 * at) for at in range(terms)]),
                tree.vector(0).eq(_if(first.eq(1), 0, part(x_s, D, SCALE - D))),
                tree.vector(1).eq(_if(first.eq(1), 0, part(x_c, D, SCALE - D))),
                following(x_s).eq(tree.sum_),
                following(x_c).eq(tree.carry),
            ),
        ),
        Lemma(
            "exact_digit",
            (),
            ((x_digit + RADIX * x_carry).eq(part(x_s, 0, D) + part(x_c, 0, D) + x_carry_q),),
        ),
        Lemma(
            "exact_transfer",
            (),
            (
                following(x_transfer).eq(_if(first.eq(1), 0, part(x_digit, D - 1))),
                following(x_carry_q).eq(_if(first.eq(1), 0, x_carry)),
            ),
            cut=(f"{_X}.digit", f"{_X}.carry"),
        ),
        Lemma(
            "loads",
            (load.eq(1), (c % 2).eq(0)),
            (
                part(following(rows), 2 * STATE, STATE).eq(
                    part(a, SUM - SCALE, SCALE) + pow2(SCALE) * part(s, 0, STATE - SCALE)
                ),
                part(following(rows), 3 * STATE, STATE).eq(vector),
                part(following(bits), late).eq(part(d, 3 * (terms - 2))),
                part(following(bits), late + 1).eq(part(d, 3 * (terms - 1))),
            ),
            "V is added in the next cycle.",
        ),
        _sums(
            (correct.eq(0),),
            _group(s, D),
            _group(c, D),
            _if((part(s, D - 1) + part(c, D - 1)).eq(0), 0, 1),
        ),
        _increments(),
    )


_SIGNED = (
    _starts(phase.eq(TAIL)),
    Lemma("no_correction", (), (correct.eq(0),)),
    Lemma("converted", (phase.eq(CONVERT), left.eq(0)), (next_phase.eq(DONE),)),
    Lemma("answer", (), (net("p_o", OPERAND).eq(part(a, 0, OPERAND)),)),
)
_CORRECTED = (
    _starts(phase.eq(TAIL), _if(phase.eq(CONVERT), _if(left.eq(0)))),
    Lemma("corrects", (), (following(correct).eq(_if(next_phase.eq(CORRECT))),)),
    Lemma(
        "converted",
        (phase.eq(CONVERT), left.eq(0)),
        (next_phase.eq(CORRECT), next_left.eq(CONVERT_CYCLES - 1)),
    ),
    Lemma(
        "correction",
        (phase.eq(CORRECT), left > 0),
        (next_phase.eq(CORRECT), next_left.eq(left - 1)),
    ),
    Lemma("corrected", (phase.eq(CORRECT), left.eq(0)), (next_phase.eq(DONE),)),
    replace(
        _sums((correct.eq(1),), _group(a), _if(part(a, W).eq(1), n_group), ALWAYS - 1),
        name="corrected_sums",
        note="p, and n if p is negative.",
    ),
    Lemma("answer", (), (net("p_o", W).eq(part(a, 0, W)),)),
)


def lemmas_on(design: UnitCsa) -> tuple[Lemma, ...] | None:
    """Return the lemmas on a design; None if there are none with its parameters."""
    if missing_parts(design):
        return None
    terms = (design.digit + 1) // 2
    common = (*_CONTROL, *_datapath(terms, design.delay), *_CARRIES)
    if design.result == SCALED:
        return (*common, *_SCALED)
    last = _CORRECTED if design.result == NONNEGATIVE else _SIGNED
    return (*common, *_exact(terms, design.delay), *last)


def theorem_of(design: UnitCsa) -> str:
    """Return the file in the folder ``proofs`` with the theorem on a design."""
    return design.name if design.result == SCALED else f"{design.name}_{design.result}"


def missing_parts(design: UnitCsa) -> str:
    """Return what a design lacks, or nothing."""
    reasons = {
        "requests that overlap": design.overlap == 1,
        f"digits of {design.digit} bits": design.digit < 3,
    }
    return ", ".join(f"lemmas on {reason}" for reason, applies in reasons.items() if applies)


def sizes(design: UnitCsa) -> dict[str, int]:
    """Return the parameters that lemmas may hang on beside the width and the design's own.

    Of the exact tail they are those in mf_unit_csa_core: the theorem asks for what it needs.
    """
    width, w, delay = design.width, design.digit, design.delay
    scale, exact = w * delay, design.result != SCALED
    operand = width + (1 if exact else scale)
    digits = max(-(-operand // w), delay)
    last = design.quotient_digits
    return {
        "operand": operand,
        "state": width + scale + 2 if exact else operand + w + 1,
        "modulus": width + exact,
        "digits": digits,
        "last": last,
        "loops": last + delay + exact,
        "pair": operand if exact else (digits - delay + 1) * w,
    }


LEMMAS = lemmas_on(UnitCsa(width=64)) or ()
"""Those on designs with the parameters that a design has if none are given."""
