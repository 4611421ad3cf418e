# SPDX-License-Identifier: Apache-2.0
"""McLaughlin multipliers: parameter sets, transforms, micro-programs, cycle counts, RTL."""

from __future__ import annotations

import json
import math
import random
import re
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from montforge.arch import design, driven
from montforge.arch.fmle import carrying_moduli
from montforge.errors import OperandError, ParameterError
from montforge.hardware import rtl_root
from montforge.programs.fft.parameters import (
    BALANCED,
    CANONICAL,
    FAST,
    REDUNDANT,
    RELAXED,
    SINGLE,
    SWAPPED,
    UNSIGNED,
    ParameterSet,
    offered_sets,
    published_sets,
    smallest_c,
)
from montforge.programs.fft.program import (
    COMMON,
    FORMS,
    GENERAL,
    PAIR,
    SQUARING,
    RowOrder,
    default_levels,
    program,
    schedule,
    variant_of,
    variants,
)
from montforge.programs.fft.transform import (
    Counter,
    Fmlm,
    bit_reversed,
    digits_of,
    transform,
    value_of,
)
from montforge.verify import verify
from montforge.verify.bench import Request, build_bench
from planted import edited
from testbench import run_testbench

# Table 3: key bits, u, s, 2c, all at once; slack in bits of eq. 16 and eq. 23.
TABLE_3 = [
    (1024, 33, 32, 6, False, 24, -13),
    (1024, 17, 64, 2, True, 23, 1),
    (2048, 33, 64, 4, True, 55, 17),
    (2048, 17, 128, 1, False, 22, -1),
    (3072, 49, 64, 4, False, 23, -31),
    (3072, 25, 128, 1, False, 6, -25),
    (4096, 65, 64, 6, False, 55, -15),
    (4096, 33, 128, 2, True, 54, 15),
    (7680, 121, 64, 8, False, 7, -119),
]
# Cycles of the specification: the general form (Table 6) and squaring (Table 4).
MODEL_CYCLES = [
    (1024, 17, 64, 2, True, 913, 836),
    (2048, 33, 64, 4, True, 921, 852),
    (3072, 25, 128, 1, False, 2400, None),
    (3072, 49, 64, 4, False, None, 1254),
    (4096, 33, 128, 2, True, 1808, 1641),
    (7680, 121, 64, 8, False, None, 1272),
]
SMALL = [
    ParameterSet(100, 9, 16, 32),
    ParameterSet(100, 9, 16, 24),
    ParameterSet(20, 8, 16, 40, True),
    ParameterSet(20, 8, 16, 32, reduction=RELAXED),
    ParameterSet(20, 8, 16, 40, True, reduction=RELAXED),
    ParameterSet(20, 8, 16, 32, moduli=SWAPPED),
    ParameterSet(20, 8, 16, 48, True, moduli=SWAPPED),
    ParameterSet(20, 8, 16, 32, threshold=SINGLE),
    # The least ring of balanced digits; unsigned ones need two bits more.
    ParameterSet(221, 14, 16, 48, True, threshold=SINGLE, variant=FAST, digits=BALANCED),
]
REDUNDANT_SET = ParameterSet(60, 8, 16, 40, True, reduction=RELAXED, variant=FAST, digits=REDUNDANT)
REDUNDANT_DIGITS = {"all_at_once": 1, "variant": "fast", "reduction": "relaxed"} | {
    "digits": "redundant"
}
BALANCED_DIGITS = {"all_at_once": 1, "threshold": "single", "variant": "fast", "digits": "balanced"}


def legal_modulus(rng: random.Random, chosen: ParameterSet) -> int:
    while True:
        n = rng.getrandbits(chosen.width) | 1 << (chosen.width - 1)
        if math.gcd(n, chosen.r) == 1:
            return n


# ------------------------------------------------------------------ parameter sets


@pytest.mark.parametrize("row", TABLE_3, ids=lambda row: f"{row[0]}-{row[1]}-{row[2]}")
def test_table_3_is_derived(row: tuple[int, int, int, int, bool, int, int]) -> None:
    width, u, s, half_c, all_at_once, slack, slack_all_at_once = row
    chosen = ParameterSet(width, u, s, half_c * s // 2, all_at_once)
    assert chosen in published_sets(width)
    assert chosen.violations() == []
    assert round(chosen.slack) == slack
    assert round(chosen.slack_all_at_once) == slack_all_at_once


@pytest.mark.parametrize(
    ("chosen", "rule"),
    [
        (ParameterSet(100, 13, 8, 40), "E1"),
        (ParameterSet(100, 9, 24, 48), "E1"),
        (ParameterSet(100, 9, 16, 36), "E2"),
        (ParameterSet(2048, 33, 64, 64), r"E3: .*\(9\.0 bits missing"),
        (ParameterSet(2048, 17, 128, 64, True), r"E4: .*\(1\.0 bits missing"),
        (ParameterSet(1024, 16, 64, 64), r"E5: .*\(2 bits missing"),
        (ParameterSet(126, 8, 16, 40, reduction=RELAXED), "E5: for the relaxed reduction"),
        (ParameterSet(128, 9, 16, 40, reduction=RELAXED), None),
        (ParameterSet(1024, 9, 128, 64, True), "E8"),
        (ParameterSet(100, 9, 16, 23 * 8, threshold=SINGLE), None),
        (ParameterSet(20, 13, 32, 32, threshold=SINGLE), "E10"),
        (replace(SMALL[-1], width=2048, u=17, s=128, ring_bits=64), None),
        (replace(SMALL[-1], digits=UNSIGNED), r"E4: .*\(2\.0 bits missing"),
        (replace(SMALL[-1], u=15), r"E4: .* s\^2 b\^3 / 4 .*\(3\.0 bits missing"),
        (replace(SMALL[-1], width=222), r"E5: for balanced digits .*\(1 bit missing"),
        (replace(SMALL[-1], reduction=RELAXED), "digits = balanced is for"),
        (REDUNDANT_SET, None),
        (replace(REDUNDANT_SET, width=2048, u=33, s=64, ring_bits=128), None),
        # All the ring that unsigned digits need, and one bit more.
        (replace(REDUNDANT_SET, width=1024, u=17, s=64, ring_bits=64), None),
        (replace(REDUNDANT_SET, u=11), r"E4: .* 2 s\^2 \(b - 1\)\^3 .*\(2\.0 bits missing"),
        (replace(REDUNDANT_SET, u=14, ring_bits=48), "N must be at least 4u - 4 = 52"),
        (smallest_c(replace(REDUNDANT_SET, u=40)), None),
        (replace(REDUNDANT_SET, reduction=CANONICAL), "digits = redundant is for"),
        (replace(REDUNDANT_SET, all_at_once=False), "digits = redundant is for"),
        (replace(SMALL[-1], moduli=SWAPPED), "digits = balanced is for"),
    ],
)
def test_illegal_sets_name_the_rule(chosen: ParameterSet, rule: str | None) -> None:
    text = "; ".join(chosen.violations())
    if rule is None:
        assert text == ""
    else:
        found = re.search(rule, text)
        assert found, text


@pytest.mark.parametrize("width", [256, 1024, 2048, 7680])
def test_offered_sets_are_legal_and_smallest(width: int) -> None:
    found = offered_sets(width)
    assert len(found) > 4
    for chosen in found:
        assert chosen.violations() == []
        smaller = replace(chosen, ring_bits=chosen.ring_bits - chosen.s // 2)
        assert smaller.violations() or chosen in published_sets(width)


# ------------------------------------------------------------------ transforms and operation counts


@pytest.mark.parametrize("nega", [False, True])
@pytest.mark.parametrize("ring_bits", [16, 24, 40, 64])
def test_transforms_are_evaluations_at_roots(ring_bits: int, nega: bool) -> None:
    chosen = ParameterSet(20, 8, 16, ring_bits)
    q, words = chosen.q, [random.Random(1).randrange(chosen.q) for _ in range(chosen.s)]
    phi = 1 << chosen.half_c // 2
    phi = phi * (chosen.sqrt2 if chosen.half_c % 2 else 1) % q
    assert pow(phi, chosen.s, q) == q - 1
    expected = [
        sum(w * pow(phi, k * nega + 2 * i * k, q) for k, w in enumerate(words)) % q
        for i in range(chosen.s)
    ]
    assert transform(words, chosen, nega=nega, inverse=False) == expected


@pytest.mark.parametrize("chosen", SMALL, ids=str)
def test_fmlm_is_the_integer_algorithm(chosen: ParameterSet) -> None:
    assert chosen.violations() == []
    rng = random.Random(2)
    for _ in range(8):
        n = legal_modulus(rng, chosen)
        found = Fmlm(chosen, n)
        half = 1 << chosen.l // 2
        pairs = [(rng.randrange(2 * n), rng.randrange(2 * n)), (0, n), (n, 1), (2 * n - 1,) * 2]
        pairs += [(half - 1, half + 1)] * (2 * n > half + 1)
        for x, y in pairs:
            m = x * y * found.n_prime % chosen.r
            t, exact = found.general(x, y), (x * y + m * n) // chosen.r
            assert t == exact or (chosen.reduction == RELAXED and t == exact + n < 2 * n)
            assert (found.squaring(y) - y * y * pow(chosen.r, -1, n)) % n == 0
            a, spectrum = found.common_multiplicand(x)
            assert (found.common(y, a, spectrum) - exact) % n == 0


@pytest.mark.parametrize(
    "kind",
    [{}, {"moduli": SWAPPED}, {"threshold": SINGLE, "variant": FAST, "digits": BALANCED}],
    ids=str,
)
@pytest.mark.parametrize(("s", "u"), [(4, 2), (4, 3), (4, 4), (8, 2), (8, 3)])
def test_every_operation_of_a_few_digits(s: int, u: int, kind: dict[str, Any]) -> None:
    """The algebra alone: the memories' map takes 16 digits or more, E8 digits of more bits."""
    v = s.bit_length() - 1
    ring_bits = s * -(-(3 * u + 2 * v + 2) // s)
    chosen = ParameterSet(3, u, s, ring_bits, True, **kind)
    for n in range(2, 8):
        if math.gcd(n, chosen.r) == 1:
            found = Fmlm(chosen, n)
            for x in range(2 * n):
                common = found.common_multiplicand(x, at_once=True)
                for y in range(2 * n):
                    m = x * y * found.n_prime % chosen.r
                    exact = (x * y + m * n) // chosen.r
                    assert exact < 2 * n
                    assert found.general(x, y) == found.common(y, *common) == exact
                    assert x != y or found.squaring(x) == exact


def check_redundant(found: Fmlm, x: list[int], y: list[int]) -> list[int]:
    """Return the digits of a product that were checked against what they must be."""
    chosen, n = found.chosen, found.n
    digits = found.product_words(x, y)
    product, t = value_of(x, chosen) * value_of(y, chosen), value_of(digits, chosen)
    assert (t * chosen.r - product) % n == 0
    assert 0 <= t < 2 * n
    assert (t == 0) == (product == 0)
    (last,) = digits[chosen.segment - 1 : chosen.segment]
    assert 0 <= last < 3 * chosen.b // 2
    assert all(0 <= digit < chosen.b for digit in digits if digit is not last)
    return digits


@pytest.mark.parametrize(("s", "u"), [(8, 2), (8, 3), (16, 2)])
def test_every_redundant_product_of_a_few_digits(s: int, u: int) -> None:
    """All products of what comes out of products, under all moduli of a few bits."""
    ring_bits = s * -(-(3 * u + 2 * s.bit_length() + 1) // s)
    chosen = replace(REDUNDANT_SET, width=4, u=u, s=s, ring_bits=ring_bits)
    for n in range(2, 16):
        if math.gcd(n, chosen.r) == 1:
            found = Fmlm(chosen, n)
            values = {tuple(digits_of(x, chosen)) for x in range(2 * n)}
            done: set[tuple[int, ...]] = set()
            while values:
                new = {
                    tuple(check_redundant(found, [*x], [*y])) for x in values for y in values | done
                }
                done |= values
                values = new - done


@pytest.mark.parametrize(
    "sizes", [(45, 3, 16, 32), (60, 4, 16, 32), (125, 8, 16, 40), (1024, 17, 64, 64)], ids=str
)
def test_redundant_digits_carry(sizes: tuple[int, int, int, int]) -> None:
    width, u, s, ring_bits = sizes
    chosen = replace(REDUNDANT_SET, width=width, u=u, s=s, ring_bits=ring_bits)
    moduli = [n for n in carrying_moduli(chosen) if math.gcd(n, chosen.r) == 1]
    kept = 0
    for n in moduli:
        found = Fmlm(chosen, n)
        words = one = digits_of(chosen.r % n, chosen)
        for _ in range(3):
            words = check_redundant(found, words, one)
            assert value_of(words, chosen) % n == chosen.r % n
            kept += words[chosen.segment - 1] >= chosen.b
            words = check_redundant(found, words, words)
    assert kept >= 3
    rng = random.Random(4)
    words = digits_of(rng.randrange(2 * n), chosen)
    for _ in range(20):
        other = digits_of(rng.randrange(2 * n), chosen)
        words = check_redundant(found, check_redundant(found, words, words), other)


@pytest.mark.parametrize(
    ("all_at_once", "counts"),
    [
        (False, {"general": (9, 4, 1, 3), "squaring": (7, 4, 1, 3), "common": (5, 3, 1, 3)}),
        (True, {"general": (7, 4, 1, 3), "squaring": (5, 4, 1, 3), "common": (5, 3, 1, 3)}),
    ],
)
def test_table_2_is_counted(
    all_at_once: bool, counts: dict[str, tuple[int, int, int, int]]
) -> None:
    chosen = ParameterSet(20, 8, 16, 40, all_at_once)
    for form, (transforms, products, additions, long_additions) in counts.items():
        found = Fmlm(chosen, 1000003)
        arguments = {
            "general": (5, 7),
            "squaring": (7,),
            "common": (7, *found.common_multiplicand(5)),
        }[form]
        getattr(found, form)(*arguments)
        s = chosen.s
        assert found.count == Counter(transforms, products * s, additions * s, long_additions)


# ------------------------------------------------------------------ micro-programs


def test_every_variant_uses_what_is_there() -> None:
    for variant in variants():
        steps = program(variant)
        assert {step.target for step in steps.products} == {"S0", "S2"}
        for product in steps.products:  # the transform still writes what is read
            assert not product.streamed or not product.reads_target
        most = {GENERAL: 9, SQUARING: 7, PAIR: 10}
        assert len(steps.transforms) == most.get(variant.form, 5) - 2 * (
            variant.all_at_once and variant.form in (GENERAL, SQUARING)
        )
    assert {variant.form for variant in variants()} == set(FORMS)


def test_fast_cycles() -> None:
    # Cycles for a bit of fmle; published: 846 and 1635. At most 720 and 1364 were asked for.
    for width, u, s, ring, canonical, relaxed in (
        (2048, 33, 64, 128, 671, 636),
        (4096, 33, 128, 128, 1403, 1336),
    ):
        chosen = ParameterSet(width, u, s, ring, True, variant=FAST)
        levels = default_levels(ring)
        assert schedule(chosen, levels, SQUARING).cycles == canonical
        chosen = replace(chosen, reduction=RELAXED)
        assert schedule(chosen, levels, SQUARING).cycles == relaxed


@pytest.mark.parametrize("butterflies", [2, 4])
@pytest.mark.parametrize("s", [16, 64, 256])
def test_rows_are_there_when_they_are_read(s: int, butterflies: int) -> None:
    latency = 11
    for rotated in (False, True):
        order = RowOrder(s, butterflies, rotated=rotated)
        start, written = 0, {}
        for number in range(order.passes):
            rows = [order.row(number, place) for place in range(s // 4)]
            assert sorted(rows) == list(range(s // 4))
            for place, row in enumerate(rows if number else ()):
                inputs = range(butterflies * row, butterflies * (row + 1))
                ready = max(written[k % (s // 4)] for k in inputs)
                assert start + place >= ready
            written = {row: start + place + latency for place, row in enumerate(rows)}
            if number < order.passes - 1:
                start += max(s // 4, order.waits[number] + latency)
    assert sum(RowOrder(s, butterflies, rotated=True).waits) <= sum(
        RowOrder(s, butterflies, rotated=False).waits
    )


# Of the parallel forms, which write a word a cycle beside the first transform.
LOADED = {
    GENERAL: ("N'", "N"),
    SQUARING: ("N'", "N"),
    COMMON: ("A", "X", "N"),
}


@pytest.mark.parametrize("form", LOADED)
@pytest.mark.parametrize("butterflies", [2, 4])
@pytest.mark.parametrize("all_at_once", [False, True])
def test_constants_are_there_when_they_are_read(
    form: str, butterflies: int, all_at_once: bool
) -> None:
    for s, u in ((16, 8), (64, 10), (128, 11), (256, 12)):
        if butterflies == 4 and s == 128:
            continue
        base = ParameterSet(s, u, s, s // 2, all_at_once, variant=FAST, butterflies=butterflies)
        chosen = smallest_c(base)
        slots = schedule(chosen, 1, form).products
        steps = program(variant_of(chosen, form)).products
        for step, slot in zip(steps, slots, strict=True):
            if step.b in LOADED[form]:
                words = [bit_reversed(k, chosen.v) if step.reversed else k for k in range(s)]
                first = LOADED[form].index(step.b) * s - s // 4 - 1
                assert all(slot.start + k > first + word for k, word in enumerate(words))


def test_one_element_is_busy_nearly_all_the_time() -> None:
    given: dict[str, int | str] = {"all_at_once": 1, "variant": "fast", "reduction": "relaxed"}
    for width, sizes, cycles in (
        (2048, {"u": 33, "s": 64, "ring": 128}, (636, 1008)),
        (4096, {"u": 33, "s": 128, "ring": 128}, (1336, 2308)),
    ):
        two, one = (design("fmle", width=width, elements=e, **sizes, **given) for e in (2, 1))
        figures = [d.figures for d in (two, one)]
        assert tuple(f["core cycles"] for f in figures) == cycles
        assert figures[1]["butterflies busy"] > 0.95
        assert one.hardware.memory_bits < two.hardware.memory_bits
    with pytest.raises(ParameterError, match=r"elements = 1 .* all_at_once = 1 only"):
        design("fmle", width=2048, elements=1, all_at_once=1)
    with pytest.raises(ParameterError, match="elements = 1"):
        design("fmle", width=2048, elements=1, variant="fast")


def test_four_butterflies() -> None:
    # At most 512 cycles for a bit of fmle (squaring) at 2048 bits were asked for.
    chosen = ParameterSet(2048, 33, 64, 128, True, variant=FAST, butterflies=4)
    for reduction, expected in ((CANONICAL, [559, 541, 476]), (RELAXED, [559, 506, 441])):
        chosen = replace(chosen, reduction=reduction)
        cycles = [schedule(chosen, default_levels(128), form).cycles for form in FORMS[:3]]
        assert cycles == expected
    redundant = replace(chosen, digits=REDUNDANT)
    assert schedule(redundant, default_levels(128), SQUARING).cycles == 488
    odd = ParameterSet(4096, 33, 128, 128, True, butterflies=4)
    assert odd.violations() == [
        "fused = 1 does two stages at once, and s = 128 digits have 7; s must be 16, 64 or 256"
    ]


@pytest.mark.parametrize("row", MODEL_CYCLES, ids=lambda row: f"{row[0]}-{row[1]}-{row[2]}")
def test_cycles_are_within_2_percent_of_the_specification(
    row: tuple[int, int, int, int, bool, int | None, int | None],
) -> None:
    width, u, s, half_c, all_at_once, general, squaring = row
    chosen = ParameterSet(width, u, s, half_c * s // 2, all_at_once)
    levels = default_levels(chosen.ring_bits)
    for form, expected in ((GENERAL, general), (SQUARING, squaring)):
        if expected:
            assert abs(schedule(chosen, levels, form).cycles / expected - 1) < 0.02


def test_published_cycles_are_within_2_percent() -> None:
    here = Path(__file__).parents[2]
    published = json.loads((here / "src/montforge/papers/dai2018.json").read_text())
    for row in published["table4_fmle_virtex6_speed3"]["rows"]:
        width, _, all_at_once, _, u, _, s, q = row[:8]
        chosen = ParameterSet(width, u, s, int(q.split("^")[1].split("+")[0]), all_at_once)
        levels = default_levels(chosen.ring_bits)
        assert abs(schedule(chosen, levels, SQUARING).cycles / row[13] - 1) < 0.02


# ------------------------------------------------------------------ the digit-serial cores


@pytest.mark.parametrize(("name", "digit"), [("mlm", 2), ("mlws", 3)])
def test_every_operation_at_four_bits(name: str, digit: int) -> None:
    report = verify(design(name, width=4, digit=digit), mode="exhaustive")
    assert report.mismatches == 0
    assert report.operations > 500


def test_mlm_takes_a_cycle_for_each_selection() -> None:
    chosen = design("mlm", width=6, digit=2)
    latency = chosen.contract.latency
    assert latency.attained
    found = {
        chosen.cycles(a, b, n)
        for n in range(2, 64)
        if chosen.contract.modulus.is_legal(n)
        for a in range(n)
        for b in range(n)
    }
    assert found == set(range(latency.minimum, latency.maximum + 1))
    assert not design("mlm", width=5, digit=8).contract.latency.attained


def test_mlws_is_right_where_the_literal_algorithm_is_not() -> None:
    chosen = design("mlws", width=13, digit=4)
    for n in (2, 4, 8191, 7000):
        if chosen.contract.modulus.is_legal(n):
            assert chosen.golden(0, n, n) == 0
            assert chosen.golden(n, 1, n) == n


# ------------------------------------------------------------------ the multiplier


def test_illegal_moduli_give_the_factor_and_a_way_out() -> None:
    chosen = design("fmlm", width=100)
    with pytest.raises(OperandError, match=r"shares the factor 0x3 .*moduli=swapped"):
        chosen.golden(1, 1, 3 * 5003)
    assert design("fmlm", width=100, moduli="swapped").golden(0, 1, 3 * 5003) == 0
    even = 2 * 1000003
    assert chosen.golden(5, 7, even) % even == chosen.contract.residue(5, 7, even)


def test_illegal_parameters_name_the_rule() -> None:
    with pytest.raises(ParameterError, match=r"E4: .*1\.0 bits missing.*legal with s = 128"):
        design("fmlm", width=2048, u=17, s=128, ring=64, all_at_once=1)
    with pytest.raises(ParameterError, match=r"E1: s = 24.*legal with s = 32: u = 9"):
        design("fmlm", width=100, s=24)
    with pytest.raises(ParameterError, match=r"digits = balanced is for .*standard \(see `"):
        design("fmlm", width=100, digits="balanced")
    for s in (s for s in range(17, 513, 15) if s & (s - 1)):
        with pytest.raises(ParameterError, match=r"legal with s = \d+: u = \d+, c = .*\)\.$") as e:
            design("fmlm", width=100, s=s)
        found = re.search(r"s = (\d+): u = (\d+), c = ([\d/]+)", str(e.value))
        assert found
        ring = int(found[1]) * Fraction(found[3])
        design("fmlm", width=100, s=int(found[1]), u=int(found[2]), ring=int(ring))


def test_default_sets_are_the_papers() -> None:
    for width, u, s, ring in ((1024, 17, 64, 64), (3072, 49, 64, 128), (4096, 33, 128, 128)):
        chosen = design("fmlm", width=width).parameter_set
        assert (chosen.u, chosen.s, chosen.ring_bits) == (u, s, ring)


FORM_CASES = [
    {"form": "squaring"},
    {"form": "squaring", "all_at_once": 1, "variant": "fast", "reduction": "relaxed"},
    {"form": "common", "variant": "fast", "moduli": "swapped"},
    {"form": "common", "all_at_once": 1},
    {"form": "general", "variant": "fast", "fused": 1},
    {"form": "common", "variant": "fast", "fused": 1, "s": 64},
]


@pytest.mark.parametrize("parameters", FORM_CASES, ids=str)
def test_forms(parameters: dict[str, int | str]) -> None:
    chosen = design("fmlm", width=20, **{"s": 16, **parameters})
    report = verify(chosen, operations=100, chain_length=100, seed=3)
    assert report.mismatches == 0


def test_memory_bits() -> None:
    given = {"width": 1024, "u": 17, "s": 64, "ring": 64, "all_at_once": 1}
    general, common = (design("fmlm", form=form, **given) for form in (GENERAL, COMMON))
    assert general.hardware.memory_bits == 64 * (8 * 65 + 2 * 17 + 18)
    assert common.hardware.memory_bits == 64 * (9 * 65 + 17 + 18)
    assert design("fmle", **given).hardware.memory_bits == 64 * (16 * 65 + 2 * (17 + 18))


def test_forms_have_their_own_contracts() -> None:
    general, squaring, common = (
        design("fmlm", width=100, s=16, form=form) for form in (GENERAL, SQUARING, COMMON)
    )
    n = 1009 * 1000003
    assert squaring.golden(5, n) == general.golden(5, 5, n)
    assert common.golden(5, 7, n) == general.golden(5, 7, n)
    names = [[port.name for port in chosen.contract.operand_ports] for chosen in (squaring, common)]
    assert names == [
        ["a_i", "n_prime_spectrum_i", "n_spectrum_i"],
        ["a_i", "n_spectrum_i", "b_prime_spectrum_i", "b_spectrum_i"],
    ]
    assert len({chosen.contract.latency for chosen in (general, squaring, common)}) == 3
    with pytest.raises(OperandError, match="b = "):
        common.golden(5, 2 * n, n)
    assert common.encode(5, 7, n) != common.encode(5, 8, n)


@pytest.mark.slow
@pytest.mark.parametrize("form", [SQUARING, COMMON])
def test_every_operation_of_a_form_at_three_bits(form: str) -> None:
    report = verify(design("fmlm", width=3, s=16, form=form), mode="exhaustive")
    assert report.mismatches == 0
    assert report.operations > 20


@pytest.mark.parametrize(
    "parameters",
    [
        {"width": 100, "s": 16},
        {"width": 100, "s": 16, "all_at_once": 1, "reduction": "relaxed"},
        {"width": 100, "s": 16, "ring": 40, "all_at_once": 1, "u": 8, "threshold": "single"}
        | {"width": 90},
        {"width": 100, "s": 16, "moduli": "swapped"},
        {"width": 100, "s": 16, "all_at_once": 1, "variant": "fast"},
    ],
    ids=str,
)
def test_multiplier(parameters: dict[str, int | str]) -> None:
    report = verify(design("fmlm", **parameters), operations=200, chain_length=100, seed=3)
    assert report.mismatches == 0


def test_balanced_digits() -> None:
    # Twice s^2 (b / 2)^3 is all that the ring has.
    chosen = design("fmlm", width=221, s=16, u=14, ring=48, **BALANCED_DIGITS)
    assert verify(chosen, operations=60, chain_length=40, seed=3).mismatches == 0
    largest = sum(1 << 14 * k + 13 for k in range(15))
    assert any(largest in operation.values() for operation in chosen.corners())


@pytest.mark.slow
def test_every_operation_of_the_multiplier_at_three_bits() -> None:
    report = verify(design("fmlm", width=3, s=16), mode="exhaustive")
    assert report.mismatches == 0
    assert report.operations > 200


# ------------------------------------------------------------------ blocks


@pytest.mark.parametrize("bits", [8, 20])
def test_ring_blocks(bits: int) -> None:
    names = ("prim/mf_delay_line.sv", "full/mf_karatsuba_multiplier.sv")
    names += tuple(f"fft/mf_{name}.sv" for name in ("ring_shift", "ring_sqrt2", "ring_multiplier"))
    files = [*(rtl_root() / name for name in (*names, "fft/mf_fft_butterfly.sv"))]
    files.append(Path(__file__).parent / "ring_tb.sv")
    run_testbench("ring_tb", files, {"Bits": bits})


CONFLICTS = {
    # S0 is still read by a product when the transform of what it writes begins.
    "s0_is_read_by_one": (
        "localparam bit ReadFirst = MultiplierLatency < Digits / 4 - 1;",
        "localparam bit ReadFirst = 1'b0;",
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", CONFLICTS)
def test_a_conflict_at_a_bank_is_seen(name: str, tmp_path: Path) -> None:
    chosen = design("fmlm", width=600, s=64, form=SQUARING, all_at_once=1, variant=FAST)
    report = verify(edited(chosen, *CONFLICTS[name], tmp_path), operations=2, mode="random")
    problems = [problem for m in report.failures for problem in m.failure.problems]
    assert any(problem.endswith(f".{name}") for problem in problems), problems


# ------------------------------------------------------------------ the exponentiator


def test_the_last_step_of_the_ladder_is_a_product_with_one() -> None:
    for protection in ("none", "ladder"):
        chosen = design("fmle", width=100, s=16, protection=protection)
        n = 1009 * 1000003
        assert chosen.golden(5, 1234567, 30, n) == pow(5, 1234567, n)
        assert chosen.golden(0, 0, 0, n) == 1
        assert chosen.golden(0, 3, 2, n) == 0
    square = design("fmle", width=20, s=16)
    assert square.golden(1009, 2, 2, 1009 * 1009) == 0


def test_cycles_follow_from_the_length_alone() -> None:
    chosen = design("fmle", width=100, s=16, protection="ladder")
    found = {chosen.cycles(5, e, 8, 1000003) for e in (0, 1, 128, 255)}
    assert len(found) == 1
    assert chosen.contract.public == ("e_len",)
    with pytest.raises(OperandError, match="e_len"):
        chosen.cycles(5, 1, 101, 1000003)


@pytest.mark.parametrize(
    "parameters",
    [
        {"all_at_once": 1},
        {"protection": "ladder", "all_at_once": 1, "reduction": "relaxed", "variant": "fast"}
        | {"fused": 1},
        {"elements": 1, "all_at_once": 1, "variant": "fast"},
        {"elements": 1, "all_at_once": 1, "variant": "fast", "protection": "ladder"}
        | {"moduli": "swapped"},
        {"elements": 1, "protection": "ladder", **BALANCED_DIGITS},
        {"protection": "ladder", "fused": 1, **REDUNDANT_DIGITS},
    ],
    ids=str,
)
def test_exponentiator(parameters: dict[str, int | str]) -> None:
    chosen = design("fmle", width=12, s=16, exponent_bits=4, **parameters)
    report = verify(chosen, operations=60, mode="random", seed=3)
    assert report.mismatches == 0


def test_redundant_digits() -> None:
    chosen = design("fmle", width=125, s=16, elements=1, exponent_bits=3, **REDUNDANT_DIGITS)
    found = chosen.parameter_set
    carrying = {n for n in carrying_moduli(found) if chosen.contract.modulus.is_legal(n)}
    assert carrying <= {operation["n"] for operation in chosen.corners()}
    assert len(carrying) == 5
    assert verify(chosen, mode="corners", seed=3).mismatches == 0
    with pytest.raises(ParameterError, match="balanced, unsigned"):
        design("fmlm", width=125, s=16, **REDUNDANT_DIGITS)


@pytest.mark.slow
@pytest.mark.parametrize(
    "parameters",
    [
        {},
        {"protection": "ladder", "all_at_once": 1, "variant": "fast"},
        {"elements": 1, "all_at_once": 1, "variant": "fast"},
        {"elements": 1, "protection": "ladder", **REDUNDANT_DIGITS},
    ],
    ids=str,
)
def test_every_power_at_three_bits(parameters: dict[str, int | str]) -> None:
    chosen = design("fmle", width=3, s=16, exponent_bits=3, **parameters)
    report = verify(chosen, mode="exhaustive")
    assert report.mismatches == 0
    # 0, 1 ... 7 of 0 to 3 bits, with leading zeros; bases below n = 2, 4, 7.
    assert report.operations == 15 * 13


def test_an_exponent_that_is_too_long_is_answered_with_a_code() -> None:
    chosen = design("fmle", width=12, s=16, exponent_bits=4, all_at_once=1)
    n = 4091
    legal = chosen.encode(5, 11, 4, n)
    names = [port.name for port in chosen.contract.operand_ports]
    place = names.index("e_len_i")
    requests = [
        Request((*legal[:place], length, *legal[place + 1 :])) for length in (5, 4, 7, 0, 4)
    ]
    responses = build_bench(chosen).run(requests).responses
    right = pow(5, 11, n)
    assert [r.vectors for r in responses] == [(0, 2), (right, 0), (0, 2), (1, 0), (right, 0)]
    for illegal in ((n, 1, 1, n), (1, 16, 4, n), (1, 1, 5, n), (1, 1, 1, n * n)):
        with pytest.raises(OperandError):
            chosen.golden(*illegal)


# ------------------------------------------------------------------ the command


def test_no_start_fails_an_assertion() -> None:
    """A core's reset from a register that starts low has no edge: a clock edge makes it."""
    chosen = driven(design("fmle", width=24, exponent_bits=9).with_form("axi"))
    request = Request(chosen.encode(0, 0, 0, 2))
    bench = build_bench(chosen)
    for seed in range(60):
        simulation = bench.run([request], seed=seed)
        assert not simulation.responses[0].errors, (seed, simulation.assertion)


def test_the_command_prints_the_sets() -> None:
    from typer.testing import CliRunner

    from montforge.cli.app import app

    done = CliRunner().invoke(app, ["parameters", "fmlm", "--width", "2048", "--json"])
    table = json.loads(done.stdout)
    rows = table["rows"]
    assert any(note.startswith("u = 17, s = 128, c = 1/2: all at once") for note in table["notes"])
    mine = next(row for row in rows if (row["u"], row["s"], row["c"]) == (33, 64, "2"))
    assert (mine["slack"], mine["slack at once"], mine["Dai 2018"]) == (55, 17, "yes")
    assert mine["q"] == "2^128 + 1"
    assert all(row["slack"] > 0 for row in rows)


def test_a_contract_says_which_enables_and_addresses_depend_on_the_exponent() -> None:
    fast = {"width": 16, "variant": "fast", "all_at_once": 1}
    notes = {
        (protection, elements): " ".join(
            design("fmle", **fast, protection=protection, elements=elements).contract.notes
        )
        for protection in ("none", "ladder")
        for elements in (1, 2)
    }
    assert {key for key, text in notes.items() if "write enables" in text} == {
        ("none", 1),
        ("none", 2),
    }
    assert [key for key, text in notes.items() if "half of the memories" in text] == [("ladder", 1)]
