# SPDX-License-Identifier: Apache-2.0
"""The lemmas on mf_fixed_prime and mf_fixed_square, for proofs/fixed_prime.v and fixed_square.v.

Constants are lists of places and signs of their signed digits, each list in one integer.
"""

from __future__ import annotations

from functools import cache
from typing import TypeAlias

from montforge.arch.fixed_prime import MONTGOMERY, FixedModulus, signed_digits
from montforge.arch.pipelined_sum import sum_cycles
from montforge.prove.lemmas.booth import booth_row, by_magnitude, is_negative, times_term
from montforge.prove.lemmas.credit_buffer import credit_buffer
from montforge.prove.lemmas.pipelined_sum import PipelinedSum
from montforge.prove.lemmas.shared import ready, request
from montforge.prove.statement import (
    Expression,
    Lemma,
    Operand,
    W,
    either,
    every,
    following,
    greatest,
    least,
    net,
    numbered,
    part,
    pow2,
    size,
)

_STEP = "u_core.gen_montgomery.gen_step[{}]"
_PRODUCT = "u_core.u_product.gen_rows.gen_product.u_product"
_SQUARE = "u_core.u_product.gen_rows.gen_square"
_INSIDE = "u_prime."
"""The pipeline in a squarer."""
_PLACE_BITS = 10
_Lemmas: TypeAlias = tuple[Lemma, ...]

LATENCY, STEPS, WORD, GUARD = (size(name) for name in ("latency", "steps", "word", "guard"))
"""Cycles, steps, the bits that a step clears, and the columns below its result that it adds."""
OPERAND = W + 1
PRODUCT, LOW = 2 * OPERAND, WORD - GUARD
"""Bits of the product, and the columns that a step does not add."""
_EACH_STEP = ("i", STEPS)
i, j, r, e = size("i"), size("j"), size("r"), size("e")
a, b = net("a_i", OPERAND), net("b_i", OPERAND)


def _value_bits(done: Operand) -> Expression:
    """Return the bits of the value after so many steps."""
    above = least(1, done) * least(1, STEPS - done)
    return greatest(PRODUCT - done * WORD, OPERAND) + above


def _windows(y: Expression) -> tuple[Expression, Expression]:
    """Return the three bits of term j, and those of the term below."""
    weight = pow2(2 * j)
    return ((2 * y) // weight) % 8, ((8 * y) // weight) % 8


def _constant_rows(
    of: PipelinedSum, first: int, label: str, x: Expression, low: Operand, constant: Operand
) -> tuple[Expression, ...]:
    """Return the statements on a mf_constant_rows whose rows are those of a sum from ``first`` on.

    ``label`` has the names of the sizes with the digits of the constant.
    """
    count = size(f"{label}_rows") - 1 - first
    sign = (size(f"{label}_signs") // pow2(r)) % 2
    place = (size(f"{label}_places") // pow2(_PLACE_BITS * r)) % pow2(_PLACE_BITS)
    minus, bits = size(f"{label}_minus"), pow2(WORD)
    value = either(sign.eq(1), bits - 1 - x, x) * pow2(place)
    whole = constant + minus - minus * bits
    return (
        every("r", count, of.vector(first + r).eq((value // pow2(low)) % pow2(of.width))),
        of.vector(first + count).eq((whole // pow2(low)) % pow2(of.width)),
    )


def _control(inside: str) -> _Lemmas:
    """Return the lemmas on requests under way and results that wait."""
    valid = net(f"{inside}valid_q", LATENCY)
    entered = (2 * valid + request * ready) % pow2(LATENCY)
    leaves = net(f"{inside}u_buffer.put_i").eq(part(valid, LATENCY - 1))
    return (
        Lemma("odd", (), ((size("modulus") % 2).eq(1),), "The modulus is a parameter."),
        *credit_buffer(OPERAND, LATENCY + 2, f"{inside}u_buffer"),
        Lemma("none", (), (valid.eq(0),), at_reset=True),
        Lemma("enters", (), (following(valid).eq(entered),)),
        Lemma("leaves", (), (leaves,)),
    )


def _product(inside: str, rows: int, levels: int) -> tuple[Expression, _Lemmas]:
    """Return the product of a and b, and the lemmas on it."""
    count = size("product_rows")
    of_rows = PipelinedSum("product", f"{inside}{_PRODUCT}.u_sum", PRODUCT, rows, levels)
    row = part(following(of_rows.inputs), j * PRODUCT, PRODUCT)
    term = row.eq(booth_row(j, count, OPERAND, a, b) % pow2(PRODUCT))
    note = "A term of b times a, with a constant for the sign, and the 1 of the row below."
    return of_rows.sum_, (
        Lemma("product_terms", (), (term,), note, each=("j", count)),
        *of_rows.lemmas,
    )


def _square(inside: str, rows: int, levels: int) -> tuple[Expression, _Lemmas]:
    """Return the square of a, and the lemmas on it."""
    folds, (window, below), weight = size("product_rows") - 3, _windows(a), pow2(4 * j + 3)
    of_rows = PipelinedSum("product", f"{inside}{_SQUARE}.u_sum", PRODUCT, rows, levels)
    inputs, ones, bits = following(of_rows.inputs), pow2(OPERAND - 2 * j - 1), PRODUCT - 4 * j
    above = a // pow2(2 * j + 2)
    row = times_term(window, above, ones) + (1 - is_negative(window)) * ones
    value = either((window // 4).eq(1), 9, 1)
    digit = by_magnitude(window, value, 4)
    not_below = either(j.eq(0), 0, 1 - is_negative(below))
    sign = either(j.eq(folds), 0, is_negative(window))

    def digit_of(row_: Expression) -> Expression:
        return part(inputs, row_ * PRODUCT + 4 * j, least(4, bits))

    return of_rows.sum_, (
        Lemma(
            "square_folds",
            (),
            (part(inputs, j * PRODUCT, PRODUCT).eq(weight * row),),
            "A term of a times the bits of a above it, twice.",
            each=("j", folds),
        ),
        Lemma(
            "square_digits",
            (),
            (
                digit_of(folds).eq(digit % pow2(least(4, bits))),
                digit_of(folds + 1).eq((8 * sign + not_below) % pow2(least(4, bits))),
            ),
            "The square of a term; the signs of the rows.",
            each=("j", folds + 1),
        ),
        Lemma(
            "square_constant",
            (),
            (part(inputs, (folds + 2) * PRODUCT, PRODUCT).eq(size("sign_constant")),),
        ),
        *of_rows.lemmas,
    )


def _values(inside: str, product: Expression) -> Lemma:
    """Return the lemma on the values of steps, from the product to the result."""
    step = f"{inside}{_STEP}"

    def before(of: Operand) -> Expression:
        return part(numbered(f"{step}.v_before", of, _value_bits(of)), 0, _value_bits(of))

    def result(of: Operand, bits: Expression) -> Expression:
        return part(numbered(f"{step}.v", of, _value_bits(of + 1)), 0, bits)

    first = numbered(f"{step}.v_before", 0, PRODUCT)
    shown = net(f"{inside}u_buffer.result_i", OPERAND)
    return Lemma(
        "values",
        (),
        (
            part(first, 0, PRODUCT).eq(part(product, 0, PRODUCT)),
            every("i", STEPS - 1, before(i + 1).eq(result(i, _value_bits(i + 1)))),
            shown.eq(result(STEPS - 1, OPERAND)),
        ),
        "A step has the value that the one before leaves.",
    )


def _step_result(inside: str, of_sum: PipelinedSum, guard: Operand) -> Lemma:
    """Return the lemma that a step leaves its sum without the ``guard`` lowest bits."""
    bits = _value_bits(i + 1)
    left = part(numbered(f"{inside}{_STEP}.v", i, bits), 0, bits)
    return Lemma("step_result", (), (left.eq(part(of_sum.sum_, guard, bits)),), each=_EACH_STEP)


def _steps(inside: str, rows: tuple[int, int], levels: int, product: Expression) -> _Lemmas:
    """Return the lemmas on all steps of the reduction, each with two sums of so many ``rows``."""
    step = f"{inside}{_STEP}"
    width, wider = _value_bits(i) - LOW, _value_bits(i + 1) + GUARD
    of_q = PipelinedSum(
        "quotient", f"{step}.u_step.gen_quotient.u_q", WORD, rows[0], levels, _EACH_STEP
    )
    of_sum = PipelinedSum("multiple", f"{step}.u_step.u_sum", wider, rows[1], levels, _EACH_STEP)
    before = numbered(f"{step}.v_before", i, _value_bits(i))
    delay = size("quotient_cycles")
    line = numbered(f"{step}.u_step.u_kept.gen_registers.line_q", i, delay * width)

    def kept(of: Expression, at: Operand) -> Expression:
        return part(of, at * width, width)

    return (
        _values(inside, product),
        Lemma(
            "quotient_terms",
            (),
            _constant_rows(of_q, 0, "quotient", part(before, 0, WORD), 0, 0),
            each=_EACH_STEP,
        ),
        *of_q.lemmas,
        Lemma(
            "kept",
            (),
            (
                kept(following(line), 0).eq(part(before, LOW, width)),
                every("e", delay - 1, kept(following(line), e + 1).eq(kept(line, e))),
                of_sum.vector(0).eq(kept(line, delay - 1) % pow2(wider)),
            ),
            each=_EACH_STEP,
        ),
        Lemma(
            "multiple_terms",
            (),
            _constant_rows(
                of_sum, 1, "multiple", part(of_q.sum_, 0, WORD), LOW, (pow2(GUARD) - 1) * pow2(LOW)
            ),
            each=_EACH_STEP,
        ),
        *of_sum.lemmas,
        _step_result(inside, of_sum, GUARD),
    )


def _unit_steps(inside: str, rows: int, levels: int, product: Expression) -> _Lemmas:
    """Return the lemmas on all steps where n is 1 or -1 modulo 2^word, each with a sum."""
    step, wider = f"{inside}{_STEP}", _value_bits(i + 1)
    of_sum = PipelinedSum("multiple", f"{step}.u_step.u_sum", wider, rows, levels, _EACH_STEP)
    before = numbered(f"{step}.v_before", i, _value_bits(i))
    low, high = part(before, 0, WORD), part(before, WORD, _value_bits(i) - WORD)
    digit = either(size("unit").eq(1), pow2(WORD) - 1 - low, low)
    return (
        _values(inside, product),
        Lemma("kept", (), (of_sum.vector(0).eq(high % pow2(wider)),), each=_EACH_STEP),
        Lemma(
            "multiple_terms",
            (),
            _constant_rows(of_sum, 1, "multiple", digit, 0, size("constant")),
            each=_EACH_STEP,
        ),
        *of_sum.lemmas,
        _step_result(inside, of_sum, 0),
    )


@cache
def _all(square: bool, levels: int, rows: tuple[int, ...]) -> _Lemmas:
    """Return the lemmas on a design whose sums have so many ``rows``: two, or three with ``q``."""
    inside = _INSIDE if square else ""
    found, of_product = (_square if square else _product)(inside, rows[0], levels)
    if len(rows) == 2:
        steps = _unit_steps(inside, rows[1], levels, found)
    else:
        steps = _steps(inside, (rows[1], rows[2]), levels, found)
    return (*_control(inside), *of_product, *steps)


def _unit(design: FixedModulus) -> int:
    """Return 1 or 2 if n is 1 or -1 modulo 2^word, else 0."""
    n, base = design.only_modulus, 1 << (design.word or design.width + 2)
    return {1: 1, base - 1: 2}.get(n % base, 0)


def sizes(design: FixedModulus) -> dict[str, int]:
    """Return the sizes of a design's sums, and the digits of its constants."""
    n, word, bits = design.only_modulus, design.word or design.width + 2, design.width + 1
    unit = _unit(design)
    times = (n + unit - 1) >> word if unit else n
    steps = -(-(design.width + (3 if unit == 1 else 2)) // word)
    found = {"modulus": n, "latency": design.latency, "word": word, "steps": steps}
    rows = {"product": bits // 2 + 1}
    if design.square:
        folds = (bits - 1) // 2
        signs = sum((1 << bits + 2 * row + 2) + (16 << 4 * row) for row in range(folds + 1))
        found["sign_constant"] = -signs % (1 << 2 * bits)
        rows = {"product": folds + 3}
    digits = {"multiple": signed_digits(times)}
    if unit:
        found |= {"unit": unit, "constant": times + 1 if unit == 1 else 0}
    else:
        inverse = -pow(n, -1, 1 << word) % (1 << word)
        digits = {"quotient": signed_digits(inverse)[:word], **digits}
    for name, values in digits.items():
        places = [at for at, digit in enumerate(values) if digit]
        rows[name] = len(places) + (2 if name == "multiple" else 1)
        found |= {
            f"{name}_places": sum(at << _PLACE_BITS * row for row, at in enumerate(places)),
            f"{name}_signs": sum(1 << row for row, at in enumerate(places) if values[at] < 0),
            f"{name}_minus": sum(1 << at for at in places if values[at] < 0),
        }
    for name, count in rows.items():
        found |= {f"{name}_rows": count, f"{name}_cycles": sum_cycles(count, design.levels)}
    return found | {"guard": min((rows["multiple"] - 1).bit_length(), word)}


def lemmas_on(design: FixedModulus) -> tuple[Lemma, ...]:
    """Return the lemmas on ``design``."""
    found = sizes(design)
    names = ("product", "multiple") if _unit(design) else ("product", "quotient", "multiple")
    return _all(design.square, design.levels, tuple(found[f"{name}_rows"] for name in names))


def theorem_of(design: FixedModulus) -> str:
    """Return the file with the theorem on ``design``."""
    return f"{design.name}_unit" if _unit(design) else design.name


def lacks(design: FixedModulus) -> str:
    """Return for which of its parameters a design has no lemmas, or nothing."""
    if design.reduction != MONTGOMERY:
        return f"reduction = {design.reduction}"
    return f"karatsuba = {design.karatsuba}" if design.karatsuba else ""
