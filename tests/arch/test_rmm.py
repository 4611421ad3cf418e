# SPDX-License-Identifier: Apache-2.0
"""``rmm``: contract and golden model, cycle counts of Table VI, RTL in all its forms."""

from __future__ import annotations

import random

import pytest

from montforge.arch import design
from montforge.arch.rmm import VARIANTS, digit_bits
from montforge.errors import ParameterError
from montforge.verify import verify

# (k, m): latency of the published, in_place, truncated and fast variants.
TABLE_VI = {
    (3, 1): (28, 26, 25, 23),
    (4, 2): (25, 23, 22, 20),
    (4, 3): (19, 16, 15, 14),
    (2, 1): (15, 13, None, 12),
    (3, 2): (16, 14, 14, 13),
    (5, 5): (17, 15, 14, 13),
    (4, 4): (15, 13, 12, 11),
    (7, 10): (17, 15, 14, 13),
    (6, 8): (16, 14, 13, 12),
    (8, 13): (17, 15, 13, 13),
    (6, 9): (15, 13, 12, 11),
    (4, 5): (13, 11, 10, 10),
    (3, 3): (12, 10, 10, 9),
    (6, 10): (14, 12, 11, 10),
    (2, 2): (10, 8, None, 8),
}
DIGITS = {2: 128, 3: 86, 4: 64, 5: 52, 6: 43, 7: 37, 8: 32}


def legal(k: int, variant: str) -> bool:
    return k > 2 or variant != "truncated"


@pytest.mark.parametrize(("k", "m"), TABLE_VI)
def test_latencies_of_table_vi(k: int, m: int) -> None:
    for variant, cycles in zip(VARIANTS, TABLE_VI[k, m], strict=True):
        if cycles is not None:
            contract = design("rmm", width=256, k=k, m=m, variant=variant).contract
            assert contract.latency.is_fixed
            assert contract.latency.minimum == cycles
    assert digit_bits(256, k, "published") == DIGITS[k]


def test_more_register_levels_cost_cycles_only_where_digits_are_waited_for() -> None:
    """A read from the register delays operands, not the result; a pair delays both."""
    latency = {
        accumulator: design(
            "rmm", width=256, k=3, m=1, stages=2, accumulator=accumulator
        ).contract.latency.minimum
        for accumulator in ("binary", "registered", "carry_save")
    }
    assert latency == {"binary": 24, "registered": 24, "carry_save": 25}


def test_two_contexts_keep_the_multipliers_busy() -> None:
    for variant in ("published", "fast"):
        shares = {
            key: design("rmm", k=key[0], m=key[1], variant=variant, contexts=2).figures[
                "multiplier utilisation"
            ]
            for key in TABLE_VI
        }
        # With so few products the dependencies of two operations leave multipliers idle.
        low = {key for key, share in shares.items() if share < 0.95}
        assert low <= ({(2, 2), (4, 5)} if variant == "published" else {(2, 2)})
        assert min(shares.values()) > 0.9


@pytest.mark.parametrize("variant", VARIANTS)
def test_golden_model_is_the_product_within_the_bound(variant: str) -> None:
    rng = random.Random(4)
    for k, m in ((2, 1), (3, 2), (4, 4), (5, 7), (9, 25)):
        if not legal(k, variant):
            continue
        for width in (3, 6, 17, 12 * k - 2, 12 * k):
            chosen = design("rmm", width=width, k=k, m=m, variant=variant)
            contract = chosen.contract
            operations = [tuple(o.values()) for o in chosen.corners()]
            for _ in range(40):
                n = rng.randrange(3, 1 << width, 2)
                bound = contract.operand_bound.upper(n)
                operations.append((rng.randrange(bound), rng.randrange(bound), n))
            for a, b, n in operations:
                p = chosen.golden(a, b, n)
                assert p % n == contract.residue(a, b, n)
                assert contract.result_bound.contains(p, n)


@pytest.mark.parametrize("variant", VARIANTS)
def test_golden_model_of_every_operand(variant: str) -> None:
    chosen = design("rmm", width=4, k=3, m=3, variant=variant)
    for n in range(3, 16, 2):
        bound = chosen.contract.operand_bound.upper(n)
        for a in range(bound):
            for b in range(bound):
                p = chosen.golden(a, b, n)
                assert p % n == chosen.contract.residue(a, b, n)
                assert p < bound


def test_the_estimate_is_needed() -> None:
    """Rounding alone is wrong for some operands of the fast variant."""
    chosen = design("rmm", width=26, k=4, m=4)
    rng = random.Random(1)
    wrong = 0
    for _ in range(300):
        n = rng.getrandbits(26) | 1 << 25 | 1
        a, b = rng.randrange(2 * n), rng.randrange(2 * n)
        r = chosen.contract.r
        q = a * b * -pow(n, -1, r) % r
        d = digit_bits(26, 4, "fast")
        digits = [[v >> (i * d) & ((1 << d) - 1) for i in range(4)] for v in (q, n)]
        kept = sum(
            digits[0][i] * digits[1][j] << (i + j) * d
            for i in range(4)
            for j in range(4)
            if i + j >= 3
        )
        wrong += (a * b + kept + r // 2) // r != chosen.golden(a, b, n)
    assert wrong > 0


@pytest.mark.parametrize(
    ("parameters", "text"),
    [
        ({"k": 3, "m": 10}, r"\bm .*= 9"),
        ({"k": 2, "m": 1, "variant": "truncated"}, r"\bk .* 3"),
        ({"variant": "published", "accumulator": "carry_save"}, "nearest legal: binary"),
        ({"k": 17}, "k .* 2 to 16"),
        ({"multiplier": "boot"}, "'boot'.*'booth'"),
    ],
)
def test_illegal_parameters(parameters: dict[str, object], text: str) -> None:
    with pytest.raises(ParameterError, match=text):
        design("rmm", **parameters)


# ---------------------------------------------------------------- RTL

FORMS: list[dict[str, object]] = [
    {"width": 26, "k": 4, "m": 4, "contexts": 2},
    {"width": 16, "k": 4, "m": 3, "variant": "published", "multiplier": "inferred"},
    {
        "width": 18,
        "k": 3,
        "m": 2,
        "variant": "truncated",
        "multiplier": "booth",
        "adder": "han_carlson",
        "accumulator": "carry_save",
        "stages": 2,
    },
    {
        "width": 20,
        "k": 3,
        "m": 1,
        "multiplier": "booth",
        "stages": 2,
        "accumulator": "registered",
    },
]
MORE_FORMS: list[dict[str, object]] = [
    {"width": 24, "k": 4, "m": 5, "accumulator": "carry_save", "stages": 2},
    {"width": 22, "k": 5, "m": 5, "variant": "published", "contexts": 2},
    {"width": 22, "k": 5, "m": 7, "variant": "published", "accumulator": "registered"},
    {"width": 33, "k": 8, "m": 13, "variant": "in_place", "adder": "brent_kung"},
    {"width": 65, "k": 4, "m": 16, "adder": "kogge_stone", "multiplier": "booth"},
    {"width": 65, "k": 7, "m": 10, "variant": "published"},
    {"width": 64, "k": 2, "m": 3, "variant": "in_place", "multiplier": "inferred", "stages": 2},
    {"width": 40, "k": 6, "m": 9, "variant": "truncated", "contexts": 2},
]


def name_of(parameters: dict[str, object]) -> str:
    return "-".join(map(str, parameters.values()))


@pytest.mark.parametrize(
    "parameters",
    [*FORMS, *(pytest.param(p, marks=pytest.mark.slow) for p in MORE_FORMS)],
    ids=name_of,
)
def test_rtl(parameters: dict[str, object]) -> None:
    report = verify(design("rmm", **parameters), operations=400, chain_length=100, seed=1)
    assert report.mismatches == 0, report


SMALL = [(2, 1), (2, 4), (3, 2), (3, 9), (4, 3), (5, 7)]
# Each size once and each variant at least once.
EXHAUSTIVE = [(k, m, VARIANTS[i % len(VARIANTS)]) for i, (k, m) in enumerate(SMALL)]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("k", "m", "variant"), [*EXHAUSTIVE, *((3, 2, variant) for variant in VARIANTS)]
)
def test_rtl_exhaustively(k: int, m: int, variant: str) -> None:
    if legal(k, variant):
        chosen = design("rmm", width=5, k=k, m=m, variant=variant, multiplier="inferred")
        assert verify(chosen, mode="exhaustive", seed=1).mismatches == 0


@pytest.mark.slow
@pytest.mark.parametrize(
    ("k", "m", "variant"),
    [
        *((k, m, "published") for k, m in list(TABLE_VI)[::2]),
        *((k, m, "fast") for k, m in list(TABLE_VI)[1::5]),
    ],
)
def test_rtl_of_table_vi(k: int, m: int, variant: str) -> None:
    chosen = design("rmm", width=256, k=k, m=m, variant=variant, multiplier="inferred")
    assert verify(chosen, operations=300, seed=1).mismatches == 0


@pytest.mark.slow
@pytest.mark.parametrize(
    ("width", "multiplier", "m"),
    [
        (384, "inferred", 6),
        (521, "booth", 1),
        (1024, "booth_carry_save", 1),
        (2048, "inferred", 6),
    ],
)
def test_rtl_of_wide_moduli(width: int, multiplier: str, m: int) -> None:
    chosen = design("rmm", width=width, k=6, m=m, multiplier=multiplier)
    assert verify(chosen, operations=200, seed=1).mismatches == 0
