# SPDX-License-Identifier: Apache-2.0
"""The lemmas on mf_three_pass from which proofs/three_pass.v follows.

What is said of each Booth term, bit or row of a level of a tree has its number as an index; the
levels are those for the rows of a design.
"""

from __future__ import annotations

from functools import cache

from montforge.arch.carry_save_rows import rows_after
from montforge.arch.three_pass import FEWEST_CYCLES, ThreePass
from montforge.prove.lemmas.booth import levels_of_tree
from montforge.prove.lemmas.credit_buffer import credit_buffer
from montforge.prove.lemmas.shared import ready, request
from montforge.prove.lemmas.unit_accumulator import if_
from montforge.prove.statement import (
    Expression,
    Lemma,
    Operand,
    W,
    bits_or,
    bits_xor,
    every,
    following,
    greatest,
    net,
    part,
    pow2,
    signed,
    size,
)

ISSUES, TERMS, OPERAND, STATE, KEPT = map(size, ("issues", "terms", "operand", "state", "kept"))
"""Digits; Booth terms of one; bits of all, of a row; vectors after its first stage."""
D = 2 * TERMS
"""Bits of a digit."""
V = W + 1
"""Bits of a result."""
PASS = greatest(FEWEST_CYCLES, ISSUES)
INTERVAL = 2 * PASS + ISSUES
LATENCY = INTERVAL + 2
PLACES = Expression("int", (2,))
"""Results that may wait."""
R, RADIX, ONES = pow2(OPERAND), pow2(D), pow2(V) - 1
j, i, e = size("j"), size("i"), size("e")

cycle = net("cycle", LATENCY + 1)
y, n, n_prime = net("y_q", OPERAND), net("n_q", W), net("n_prime_q", OPERAND)
first, to_quotient, to_multiple = map(net, ("first_digit", "to_quotient", "to_multiple"))
a, b = signed(net("a_i", V)), signed(net("b_i", V))
digit, a_digit, fed_back = (net(name, D) for name in ("digit", "a_digit", "fed_back"))
terms, transfer = net("terms_q", 3 * TERMS), net("transfer_q")
clear, inject = net("clear_q"), net("inject_q")
kept_s, kept_c = net("kept_s_q", V), net("kept_c_q", V)
low_s, low_c, low_sum = (net(name, D) for name in ("low_s", "low_c", "low_sum"))
carry, next_carry = net("carry_q"), net("carry_d")
product_carry, product_top = net("product_carry_q"), net("product_top_q")
low_carry, result = net("low_carry"), net("result", V)
rows = net("u_array.rows", (TERMS + 2) * STATE)
ones, one = net("u_array.ones", D), net("u_array.one_i")
added = net("u_array.first_i", V), net("u_array.second_i", V)
vectors = net("u_array.vectors_q", KEPT * STATE)
PAIR = net("u_array.s", STATE), net("u_array.c", STATE)
adder = [net(f"u_low.{name}", D + 2) for name in ("a_i", "b_i", "sum_o")]
last_adder = [net(f"u_result.{name}", V + 1) for name in ("a_i", "b_i", "sum_o")]


def _in(cycles: Operand) -> Expression:
    """Return that an operation is in a cycle."""
    return part(cycle, cycles).eq(1)


def _row(of: Expression, number: Operand) -> Expression:
    """Return a vector of the array."""
    return part(of, number * STATE, STATE)


def _term(of: Expression) -> tuple[Expression, Expression, Expression]:
    """Return the bits of term j: once, twice, negative."""
    once, twice, negative = (part(of, 3 * j + at) for at in (2, 1, 0))
    return once, twice, negative


def _recoded() -> tuple[Expression, ...]:
    """Return the statements on term j of the next cycle."""
    once, twice, negative = _term(following(terms))
    doubled = 2 * signed(digit) + if_(first.eq(1), 0, transfer)
    three = (doubled // pow2(2 * j)) % 8
    term = three // 2 + three % 2 - 4 * (three // 4)
    value = (once + 2 * twice) * (1 - 2 * negative)
    return value.eq(if_(to_multiple.eq(1), -1 * term, term)), once + twice <= 1


def _multiple() -> Expression:
    """Return the statement on row j, whose sign is complemented."""
    once, twice, negative = _term(terms)
    top = pow2(OPERAND + 1)
    x = signed(y) % top
    value = bits_xor(bits_or(once * x, twice * ((2 * x) % top)), negative * (top - 1))
    return _row(rows, j).eq(pow2(2 * j) * (value % R + (1 - value // R) * R))


_TOP = (low_s // pow2(D - 1), low_c // pow2(D - 1))

_CONTROL = (
    Lemma("cycles", (), (part(following(cycle), e + 1).eq(part(cycle, e)),), each=("e", LATENCY)),
    Lemma("no_operation", (), (part(cycle, 1, LATENCY).eq(0),), at_reset=True),
    Lemma(
        "starts",
        (),
        (
            part(cycle, 0).eq(if_(request.eq(1), ready, 0)),
            net("u_buffer.put_i").eq(part(cycle, LATENCY)),
        ),
    ),
    Lemma(
        "selects",
        (),
        (
            first.eq(if_(_in(0), 1, if_(_in(PASS), 1, part(cycle, 2 * PASS)))),
            to_quotient.eq(if_(part(cycle, PASS, ISSUES).eq(0), 0, 1)),
            to_multiple.eq(if_(part(cycle, 2 * PASS, ISSUES).eq(0), 0, 1)),
            following(clear).eq(first),
            following(inject).eq(part(cycle, INTERVAL - 1)),
        ),
    ),
)
_DIGITS = (
    Lemma(
        "operands",
        (),
        (
            following(y).eq(if_(_in(0), b % R, if_(_in(PASS), n_prime, if_(_in(2 * PASS), n, y)))),
            following(n).eq(if_(_in(0), net("n_i", W), n)),
            following(n_prime).eq(if_(_in(0), net("n_prime_i", OPERAND), n_prime)),
        ),
    ),
    Lemma(
        "chosen_digit",
        (),
        (digit.eq(if_(to_quotient.eq(1), fed_back, if_(to_multiple.eq(1), fed_back, a_digit))),),
        cut=("to_quotient", "to_multiple"),
    ),
    Lemma(
        "terms_of_digit",
        (),
        _recoded(),
        cut=("digit", "first_digit", "to_multiple"),
        each=("j", TERMS),
    ),
    Lemma("next_transfer", (), (following(transfer).eq(digit // pow2(D - 1)),), cut=("digit",)),
)
_ARRAY = (
    Lemma("multiples", (), (_multiple(),), each=("j", TERMS)),
    Lemma(
        "completing_ones",
        (),
        (part(ones, 2 * j, 2).eq(_term(terms)[2] + 2 * if_(j.eq(TERMS - 1), one, 0)),),
        each=("j", TERMS),
    ),
    Lemma(
        "injected",
        (),
        (
            _row(rows, TERMS).eq(RADIX * added[0] + ones),
            _row(rows, TERMS + 1).eq(RADIX * added[1] + pow2(D - 1) * one),
            added[0].eq(if_(inject.eq(1), ONES - kept_s, 0)),
            added[1].eq(if_(inject.eq(1), ONES - kept_c, 0)),
            one.eq(if_(inject.eq(1), 1 - product_carry, 0)),
        ),
    ),
)
_HALVES = Lemma(
    "halves",
    (),
    (
        following(low_s).eq(PAIR[0] % RADIX),
        following(low_c).eq(PAIR[1] % RADIX),
        *(
            following(kept).eq(if_(_in(ISSUES + 1), high, if_(_in(INTERVAL + 1), high, kept)))
            for kept, high in zip(
                (kept_s, kept_c), ((of // RADIX) % pow2(V) for of in PAIR), strict=True
            )
        ),
    ),
)
_RESULT = (
    Lemma(
        "low_added",
        (),
        (adder[2].eq((adder[0] + adder[1]) % pow2(D + 2)),),
        cut=("u_low.a_i", "u_low.b_i"),
    ),
    Lemma(
        "low_half",
        (),
        (
            adder[0].eq(2 * low_s + carry),
            adder[1].eq(2 * low_c + carry),
            (low_sum + RADIX * next_carry).eq(adder[2] // 2),
        ),
        "The lowest bit of the adder is the carry of the digit before.",
        cut=("u_low.sum_o",),
    ),
    Lemma(
        "carries",
        (),
        (
            following(carry).eq(if_(_in(2), 0, if_(_in(PASS + 2), 0, next_carry))),
            following(product_carry).eq(if_(_in(ISSUES + 2), next_carry, product_carry)),
            following(product_top).eq(if_(_in(ISSUES + 2), low_sum // pow2(D - 1), product_top)),
        ),
        cut=("low_sum", "carry_d"),
    ),
    Lemma(
        "added",
        (),
        (last_adder[2].eq((last_adder[0] + last_adder[1]) % pow2(V + 1)),),
        cut=("u_result.a_i", "u_result.b_i"),
    ),
    Lemma(
        "difference",
        (),
        (
            low_carry.eq(
                if_(
                    _TOP[0].eq(1),
                    if_(_TOP[1].eq(1), 1, 1 - product_top),
                    if_(_TOP[1].eq(1), 1 - product_top, 0),
                )
            ),
            last_adder[0].eq(2 * (ONES - kept_s) + 1),
            last_adder[1].eq(2 * (ONES - kept_c) + 1 - low_carry),
            result.eq(last_adder[2] // 2),
            net("u_buffer.result_i", V).eq(result),
        ),
        "The sum of the low halves of T and U is known but for its carry.",
    ),
)


@cache
def _first_stage(count: int, levels: int) -> tuple[Lemma, ...]:
    """Return the lemmas on the rows of a digit of ``count`` Booth terms before the registers."""
    kept = rows_after(count + 2, 2 * levels)
    return (
        Lemma(
            "first_stage",
            (),
            (
                TERMS.eq(count),
                KEPT.eq(kept),
                *levels_of_tree("u_array.u_first", STATE, count + 2, kept),
            ),
            "Each level of the tree, from the rows on.",
            cut=("u_array.rows",),
        ),
        Lemma(
            "registers",
            (),
            (
                net("u_array.u_first.rows_i", (count + 2) * STATE).eq(rows),
                following(vectors).eq(net("u_array.u_first.rows_o", kept * STATE)),
            ),
        ),
    )


@cache
def _second_stage(kept: int, *, repeats: bool) -> tuple[Lemma, ...]:
    """Return the lemmas on the tree of ``kept`` vectors and, with several digits, the remainder."""
    tree = f"u_array.gen_{'repeats' if repeats else 'once'}.u_second"
    inputs = kept + 2 if repeats else kept
    taken, left = net(f"{tree}.rows_i", inputs * STATE), net(f"{tree}.rows_o", 2 * STATE)
    high = [net(f"u_array.gen_repeats.high_{x}_q", OPERAND) for x in "sc"]
    remainder = (
        _row(taken, KEPT).eq(high[0]),
        _row(taken, KEPT + 1).eq(high[1]),
        *(
            following(each).eq(if_(clear.eq(1), 0, of // RADIX))
            for each, of in zip(high, PAIR, strict=True)
        ),
    )
    return (
        Lemma(
            "second_stage",
            (),
            (KEPT.eq(kept), *levels_of_tree(tree, STATE, inputs)),
            cut=(f"{tree}.rows_i",),
        ),
        Lemma("pair", (), tuple(of.eq(_row(left, at)) for at, of in enumerate(PAIR))),
        Lemma("vectors", (), (_row(taken, i).eq(_row(vectors, i)),), each=("i", KEPT)),
        Lemma("remainder", (), remainder if repeats else (ISSUES.eq(1),)),
    )


@cache
def _digits_of_a(*, repeats: bool) -> Lemma:
    """Return the lemma on the digits of a and, with several, on the register of the others."""
    if not repeats:
        return Lemma("digits_of_a", (), (ISSUES.eq(1), a_digit.eq(a % RADIX)))
    rest = net("gen_digits.a_q", OPERAND - D)
    return Lemma(
        "digits_of_a",
        (),
        (
            a_digit.eq(if_(_in(0), a % RADIX, rest % RADIX)),
            following(rest).eq(if_(_in(0), (a % R) // RADIX, rest // RADIX)),
        ),
    )


@cache
def _feedback(delay: int) -> Lemma:
    """Return the lemma on the digits that come back ``delay`` cycles later."""
    late = PASS - FEWEST_CYCLES
    if delay == 0:
        return Lemma("feedback", (), (late.eq(0), fed_back.eq(low_sum)))
    line, place = net("u_feedback.gen_registers.line_q", late * D), size("g")

    def digit_of(of: Expression, at: Operand) -> Expression:
        return part(of, at * D, D)

    return Lemma(
        "feedback",
        (),
        (
            late > 0,
            fed_back.eq(digit_of(line, late - 1)),
            digit_of(following(line), 0).eq(low_sum),
            every("g", late - 1, digit_of(following(line), place + 1).eq(digit_of(line, place))),
        ),
    )


def lemmas_on(design: ThreePass) -> tuple[Lemma, ...]:
    """Return the lemmas on a design."""
    found, repeats = sizes(design), design.issues > 1
    return (
        *_CONTROL,
        *credit_buffer(V, PLACES, in_time=part(cycle, 1, INTERVAL - 1).eq(0)),
        *_DIGITS,
        _digits_of_a(repeats=repeats),
        _feedback(max(0, design.issues - FEWEST_CYCLES)),
        *_ARRAY,
        *_first_stage(found["terms"], design.levels),
        *_second_stage(found["kept"], repeats=repeats),
        _HALVES,
        *_RESULT,
    )


def sizes(design: ThreePass) -> dict[str, int]:
    """Return the parameters that lemmas may hang on beside the width and the design's own."""
    terms = design.operand_bits // (2 * design.issues)
    return {
        "terms": terms,
        "operand": design.operand_bits,
        "state": design.operand_bits + 2 * terms,
        "kept": rows_after(terms + 2, 2 * design.levels),
    }
