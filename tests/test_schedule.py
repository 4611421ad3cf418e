# SPDX-License-Identifier: Apache-2.0
"""Schedules of the Rescheduled Montgomery Multiplier: counts, dependencies, bounds, plans."""

from __future__ import annotations

import random

import pytest

from montforge.errors import ParameterError
from montforge.programs.digits import (
    Cycles,
    Product,
    Reduction,
    fast,
    first_kept_column,
    plan,
    products,
    published,
)
from schedule_bound import lower_bound

# (k, m): cycles of Table VI; issue cycles of the fast form with the full, truncated and tiny sets
# of products (specification, section 1.6, less the two cycles of the pipeline).
TABLE_VI = {
    (3, 1): (28, 24, 23, 21),
    (4, 2): (25, 21, 20, 18),
    (4, 3): (19, 14, 13, 12),
    (2, 1): (15, 11, None, 10),
    (3, 2): (16, 12, 12, 11),
    (5, 5): (17, 13, 12, 11),
    (4, 4): (15, 11, 10, 9),
    (7, 10): (17, 13, 12, 11),
    (6, 8): (16, 12, 11, 10),
    (8, 13): (17, 13, 11, 11),
    (6, 9): (15, 11, 10, 9),
    (4, 5): (13, 9, 8, 8),
    (3, 3): (12, 8, 8, 7),
    (6, 10): (14, 10, 9, 8),
    (2, 2): (10, 6, None, 6),
}
REDUCTIONS: tuple[Reduction, ...] = ("full", "trunc", "tiny")


def check_dependencies(cycles: Cycles, k: int, m: int, latency: int, kind: Reduction) -> None:
    when = {product: at for at, now in enumerate(cycles) for product in now}
    assert sorted(when) == sorted(products(k, kind))
    assert sum(map(len, cycles)) == len(when)
    assert max(map(len, cycles)) <= m
    for product, at in when.items():
        before = {"T": "", "Q": "T", "U": "Q"}[product.phase]
        for other, earlier in when.items():
            if other.phase == before and other.column <= product.i:
                assert earlier + latency <= at, (other, product)


def check_in_place(cycles: Cycles, latency: int) -> None:
    """T[i] is read before a product of U is added to it."""
    last_q = max(at for at, now in enumerate(cycles) for p in now if p.phase == "Q")
    first_u = min(at for at, now in enumerate(cycles) for p in now if p.phase == "U")
    assert last_q < first_u + latency


@pytest.mark.parametrize(("k", "m"), TABLE_VI)
def test_published_counts_of_table_vi(k: int, m: int) -> None:
    cycles = published(k, m)
    assert len(cycles) + 4 == TABLE_VI[k, m][0]
    check_dependencies(cycles, k, m, 2, "full")


@pytest.mark.parametrize(("k", "m"), TABLE_VI)
@pytest.mark.parametrize("at", range(3))
def test_fast_counts_of_the_specification(k: int, m: int, at: int) -> None:
    issue_cycles = TABLE_VI[k, m][1 + at]
    if issue_cycles is not None:
        assert len(fast(k, m, reduction=REDUCTIONS[at])) == issue_cycles


def test_sharing_rules_the_published_data_can_tell_apart() -> None:
    assert len(published(4, 3, sharing="free")) + 4 == 18
    assert len(published(4, 3, sharing="half")) + 4 == 19
    assert all(len(published(*key, sharing="one")) + 4 == c[0] for key, c in TABLE_VI.items())
    higher = {key for key, c in TABLE_VI.items() if len(published(*key, sharing="none")) + 4 > c[0]}
    assert higher == {(4, 3), (3, 2), (6, 8), (4, 5), (6, 10)}


def test_reading_the_register_is_too_slow_for_table_vi() -> None:
    assert [len(published(k, m, latency=3)) + 4 for k, m in ((2, 2), (3, 3), (4, 5))] == [
        12,
        13,
        14,
    ]


@pytest.mark.parametrize("latency", [1, 2, 3, 4])
@pytest.mark.parametrize("reduction", REDUCTIONS)
def test_fast_meets_the_lower_bound(latency: int, reduction: Reduction) -> None:
    for k in range(2, 7):
        if reduction == "trunc" and k < 3:
            continue
        for m in range(1, k * k + 1):
            cycles = fast(k, m, latency=latency, reduction=reduction)
            assert len(cycles) == lower_bound(k, m, latency=latency, reduction=reduction), (k, m)
            check_in_place(cycles, latency)


@pytest.mark.slow
@pytest.mark.parametrize("reduction", REDUCTIONS)
def test_fast_meets_the_lower_bound_for_every_k_and_m(reduction: Reduction) -> None:
    for k in range(3, 17):
        for m in range(1, k * k + 1):
            found = len(fast(k, m, reduction=reduction))
            assert found == lower_bound(k, m, reduction=reduction), (k, m)


@pytest.mark.parametrize("reduction", REDUCTIONS)
def test_fast_keeps_the_dependencies(reduction: Reduction) -> None:
    rng = random.Random(5)
    for k in (3, 4, 5):
        for m in {1, k, k * k, rng.randint(1, k * k)}:
            for latency in (2, 3):
                cycles = fast(k, m, latency=latency, reduction=reduction)
                check_dependencies(cycles, k, m, latency, reduction)


def test_number_of_products() -> None:
    for k in range(3, 9):
        assert len(products(k)) == (5 * k * k + k) // 2
        assert len(products(k, "trunc")) == 2 * k * k + 2 * k - 1
        assert len(products(k, "tiny")) == 2 * k * k + k
        assert first_kept_column(k, "tiny") == k - 1


@pytest.mark.parametrize("variant", ["published", "fast"])
@pytest.mark.parametrize("contexts", [1, 2])
def test_plans_hold_every_product_once_and_in_order(variant: str, contexts: int) -> None:
    turnaround = 4
    for k, m in TABLE_VI:
        found = plan(k, m, variant=variant, contexts=contexts, turnaround=turnaround)  # type: ignore[arg-type]
        for context in range(contexts):
            cycles = tuple(
                tuple(i.product for i in step if i and i.context == context)
                for step in found.steps[found.starts[context] :]
            )
            check_dependencies(cycles, k, m, 2, "full")
        if contexts == 2:
            assert found.period >= found.issue_cycles + turnaround


def test_two_contexts_keep_the_multipliers_busy() -> None:
    busy = {key: plan(*key, contexts=2, turnaround=4).utilisation for key in TABLE_VI}
    assert {key for key, share in busy.items() if share < 0.95} == {
        (2, 2)
    }  # 11 products in 6 cycles
    assert min(busy.values()) > 0.91


def test_labels() -> None:
    assert Product("Q", 1, 0).label == "T[1] x M'[0]"
    assert str(Product("U", 1, 2)) == "U(1,2)"


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        ({"k": 1, "m": 1}, "k .* 2 to 16"),
        ({"k": 4, "m": 17}, "m .* 1 to 16"),
        ({"k": 4, "m": 4, "latency": 0}, "latency"),
        ({"k": 2, "m": 1, "reduction": "trunc"}, r"\bk .* 3"),
        ({"k": 4, "m": 4, "contexts": 3}, "contexts .* 1 or 2"),
    ],
)
def test_illegal_parameters(arguments: dict[str, object], text: str) -> None:
    with pytest.raises(ParameterError, match=text):
        plan(**arguments)  # type: ignore[arg-type]
