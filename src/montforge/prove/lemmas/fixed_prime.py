# SPDX-License-Identifier: Apache-2.0
"""The lemmas on mf_fixed_prime from which proofs/fixed_prime.v follows.

Constants are lists of places and signs of their signed digits, each list in one integer.
"""

from __future__ import annotations

from functools import cache

from montforge.arch.fixed_prime import MONTGOMERY, FixedPrime, signed_digits
from montforge.arch.pipelined_sum import sum_cycles
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
_PLACE_BITS = 10

LATENCY, STEPS, WORD, GUARD = (size(name) for name in ("latency", "steps", "word", "guard"))
"""Cycles, steps, the bits that a step clears, and the columns below its result that it adds."""
OPERAND = W + 1
PRODUCT, LOW = 2 * OPERAND, WORD - GUARD
"""Bits of the product, and the columns that a step does not add."""
i, j, r, e = size("i"), size("j"), size("r"), size("e")
a, b = net("a_i", OPERAND), net("b_i", OPERAND)
valid = net("valid_q", LATENCY)


def _value_bits(done: Operand) -> Expression:
    """Return the bits of the value after so many steps."""
    above = least(1, done) * least(1, STEPS - done)
    return greatest(PRODUCT - done * WORD, OPERAND) + above


def _booth_row(row: Expression, count: Expression, x: Expression, y: Expression) -> Expression:
    """Return the statement on row j of ``count`` of mf_booth_selected_rows, modulo 2^PRODUCT."""
    weight = pow2(2 * j)

    def negative(window: Expression) -> Expression:
        return either(window.eq(7), 0, window // 4)

    window, below = ((2 * y) // weight) % 8, ((8 * y) // weight) % 8
    twice = either(window.eq(3), 2 * x, either(window.eq(4), 2 * x, x))
    magnitude = either(window.eq(0), 0, either(window.eq(7), 0, twice))
    bits = either(negative(window).eq(1), pow2(OPERAND + 1) - 1 - magnitude, magnitude)
    topmost = either((OPERAND % 2).eq(0), 1, 3)
    sign = either(j.eq(count - 1), 0, either(j.eq(count - 2), topmost, 3))
    sign = either(j.eq(0), 4, sign) - negative(window)
    own = weight * (bits + sign * pow2(OPERAND + 1))
    return row.eq((own + (weight // 4) * negative(below)) % pow2(PRODUCT))


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


@cache
def _lemmas(levels: int, product: int, quotient: int, multiple: int) -> tuple[Lemma, ...]:
    """Return the lemmas on a design with these numbers of rows of its three sums."""
    each_step = ("i", STEPS)
    width, wider = _value_bits(i) - LOW, _value_bits(i + 1) + GUARD
    of_product = PipelinedSum("product", f"{_PRODUCT}.u_sum", PRODUCT, product, levels)
    of_q = PipelinedSum(
        "quotient", f"{_STEP}.u_step.gen_quotient.u_q", WORD, quotient, levels, each_step
    )
    of_sum = PipelinedSum("multiple", f"{_STEP}.u_step.u_sum", wider, multiple, levels, each_step)
    before = numbered(f"{_STEP}.v_before", i, _value_bits(i))
    delay = size("quotient_cycles")
    line = numbered(f"{_STEP}.u_step.u_kept.gen_registers.line_q", i, delay * width)

    def kept(of: Expression, at: Operand) -> Expression:
        return part(of, at * width, width)

    def result(step: Operand) -> Expression:
        return numbered(f"{_STEP}.v", step, _value_bits(step + 1))

    return (
        Lemma("odd", (), ((size("modulus") % 2).eq(1),), "The modulus is a parameter."),
        *credit_buffer(OPERAND, LATENCY + 2),
        Lemma("none", (), (valid.eq(0),), at_reset=True),
        Lemma("enters", (), (following(valid).eq((2 * valid + request * ready) % pow2(LATENCY)),)),
        Lemma("leaves", (), (net("u_buffer.put_i").eq(part(valid, LATENCY - 1)),)),
        Lemma(
            "product_terms",
            (),
            (
                _booth_row(
                    part(following(of_product.inputs), j * PRODUCT, PRODUCT),
                    size("product_rows"),
                    a,
                    b,
                ),
            ),
            "A term of b times a, with a constant for the sign, and the 1 of the row below.",
            each=("j", size("product_rows")),
        ),
        *of_product.lemmas,
        Lemma(
            "values",
            (),
            (
                part(numbered(f"{_STEP}.v_before", 0, PRODUCT), 0, PRODUCT).eq(
                    part(of_product.sum_, 0, PRODUCT)
                ),
                every(
                    "i",
                    STEPS - 1,
                    part(
                        numbered(f"{_STEP}.v_before", i + 1, _value_bits(i + 1)),
                        0,
                        _value_bits(i + 1),
                    ).eq(part(result(i), 0, _value_bits(i + 1))),
                ),
                net("u_buffer.result_i", OPERAND).eq(part(result(STEPS - 1), 0, OPERAND)),
            ),
            "A step has the value that the one before leaves.",
        ),
        Lemma(
            "quotient_terms",
            (),
            _constant_rows(of_q, 0, "quotient", part(before, 0, WORD), 0, 0),
            each=each_step,
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
            each=each_step,
        ),
        Lemma(
            "multiple_terms",
            (),
            _constant_rows(
                of_sum, 1, "multiple", part(of_q.sum_, 0, WORD), LOW, (pow2(GUARD) - 1) * pow2(LOW)
            ),
            each=each_step,
        ),
        *of_sum.lemmas,
        Lemma(
            "step_result",
            (),
            (
                part(result(i), 0, _value_bits(i + 1)).eq(
                    part(of_sum.sum_, GUARD, _value_bits(i + 1))
                ),
            ),
            each=each_step,
        ),
    )


def sizes(design: FixedPrime) -> dict[str, int]:
    """Return the sizes of a design's sums, and the digits of its constants."""
    n, word = design.only_modulus, design.word or design.width + 2
    digits = {
        "quotient": signed_digits(-pow(n, -1, 1 << word) % (1 << word))[:word],
        "multiple": signed_digits(n),
    }
    product = (design.width + 1) // 2 + 1
    steps = -(-(design.width + 2) // word)
    found = {"modulus": n, "latency": design.latency, "word": word, "steps": steps}
    rows = {"product": product}
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


def lemmas_on(design: FixedPrime) -> tuple[Lemma, ...]:
    """Return the lemmas on ``design``."""
    found = sizes(design)
    rows = (found[f"{name}_rows"] for name in ("product", "quotient", "multiple"))
    return _lemmas(design.levels, *rows)


def lacks(design: FixedPrime) -> str:
    """Return for which of its parameters a design has no lemmas, or nothing."""
    if design.reduction != MONTGOMERY:
        return f"reduction = {design.reduction}"
    n, word = design.only_modulus, design.word or design.width + 2
    if n % (1 << word) in (1, (1 << word) - 1):
        return f"a modulus that is 1 or -1 modulo 2^{word}"
    return f"karatsuba = {design.karatsuba}" if design.karatsuba else ""
