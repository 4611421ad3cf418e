# SPDX-License-Identifier: Apache-2.0
"""What the bench is fed: within the contract, biased, complete where it says so."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice

import pytest

from montforge.arch import Design, design
from montforge.contract import Bound, Contract, Encoding, Operation
from montforge.errors import ParameterError
from montforge.verify.operations import (
    Case,
    Exhaustive,
    can_chain,
    chain_modulus,
    corner_operations,
    handshakes,
)
from montforge.verify.stimuli import composite, corner_moduli, random_modulus, stimuli

CLOSED = design("scs_mm_new", width=8).contract
PUBLISHED = design("scs_mm_new", width=8, variant="published").contract


def signed_carry_save(width: int) -> Design:
    """Return a design whose contract has signed pairs."""
    encoding = Encoding("carry_save", width + 2, carry_width=width, signed=True)
    chosen = design("mm_r2", width=width)
    fields = tuple(
        field
        if field.role == "modulus"
        else replace(field, encoding=encoding, bound=Bound(1, signed=True))
        for field in chosen.contract.fields
    )
    vars(chosen)["contract"] = replace(chosen.contract, fields=fields)
    return chosen


def random_operations(contract: Contract, rng: random.Random, n: int | None) -> Iterator[Operation]:
    return stimuli(contract).random(rng, n)


def values(case: Case) -> tuple[int, ...]:
    return tuple(case.operation.values())


@pytest.mark.parametrize("width", [3, 4, 17, 64, 255])
def test_random_moduli_are_legal_and_of_every_kind(width: int) -> None:
    rng = random.Random(width)
    rule = design("mm_r2", width=width).contract.modulus
    moduli = [random_modulus(rng, rule) for _ in range(2000)]
    for n in moduli:
        rule.check(n)
    assert {n % 8 for n in moduli} == ({3, 5, 7} if width == 3 else {1, 3, 5, 7})
    assert 3 in moduli
    assert (1 << width) - 1 in moduli
    assert any(n.bit_length() < width for n in moduli)


@pytest.mark.parametrize("contract", [CLOSED, PUBLISHED, signed_carry_save(8).contract], ids=str)
def test_random_operations_are_within_the_contract(contract: Contract) -> None:
    rng = random.Random(1)
    seen = []
    for operation in islice(random_operations(contract, rng, None), 3000):
        contract.check(operation)
        seen.append(tuple(operation.values()))
    assert any(a == contract.operand_bound.upper(n) - 1 for a, _, n in seen)
    assert any(a == 0 for a, _, _ in seen)
    assert any(a == b for a, b, _ in seen)
    if contract.operand_bound.signed:
        assert any(a == contract.operand_bound.lower(n) for a, _, n in seen)


def test_a_given_modulus_is_used_throughout() -> None:
    rng = random.Random(1)
    assert {o["n"] for o in islice(random_operations(CLOSED, rng, 77), 50)} == {77}
    assert {o["n"] for o in corner_operations(design("scs_mm_new", width=8), 77)} == {77}


@pytest.mark.parametrize("name", ["mm_r2", "scs_mm_new"])
@pytest.mark.parametrize("width", [3, 5, 65])
def test_corners(name: str, width: int) -> None:
    chosen = design(name, width=width)
    for operation in corner_operations(chosen, None):
        chosen.contract.check(operation)
    operations = [tuple(o.values()) for o in corner_operations(chosen, None)]
    assert len(set(operations)) == len(operations)
    top = (1 << width) - 1
    limit = chosen.contract.operand_bound.upper(top)
    assert {(0, 0, top), (limit - 1, limit - 1, top), (1, 1, 3)} <= set(operations)
    r = chosen.contract.r
    assert (r % top, r * r % top, top) in operations
    own = [o for o in chosen.corners() if chosen.contract.is_legal(o)]
    assert own
    assert {tuple(o.values()) for o in own} <= set(operations)


def test_products_that_are_zero_without_a_zero_operand() -> None:
    n, p, q = composite(64)
    assert n == p * q
    assert n.bit_length() == 64
    assert {"a": p, "b": q, "n": n} in corner_operations(design("mm_r2", width=64), None)


def test_a_fixed_exponent_is_that_of_every_operation() -> None:
    contract = design("modexp", width=4, algorithm="f4").contract
    tried, rng = stimuli(contract), random.Random(1)
    some = (islice(found, 20) for found in (tried.random(rng, None), tried.average(rng)))
    operations = [o for found in (*some, tried.corners(15), tried.chain(rng, 15, 9)) for o in found]
    assert {(o["e"], o["e_len"]) for o in operations} == {(65537, 17)}
    for operation in operations:
        contract.check(operation)
    assert tried.choices(15) == 15
    assert [len(axis) for axis in tried.axes(15)] == [15, 1]


@pytest.mark.parametrize("bits", [1, 2, 5])
def test_corner_exponents_fit_the_shortest_memories(bits: int) -> None:
    contract = design("modexp", width=8, exponent_bits=bits).contract
    for n in (225, 255):
        operations = list(stimuli(contract).corners(n))
        assert {operation["e"] for operation in operations} >= {0, 1}
        for operation in operations:
            contract.check(operation)


def test_corner_exponents_have_each_digit_of_four_bits() -> None:
    contract = design("modexp", width=8, exponent_bits=7).contract
    found = [each["e"] for each in stimuli(contract).corners(255)]
    assert {e & 15 for e in found} == set(range(16)) and {e >> 4 for e in found} == set(range(8))


@pytest.mark.parametrize("width", [4, 64, 1024])
def test_corner_moduli_cover_the_residues_at_the_top(width: int) -> None:
    top = 1 << width
    moduli = corner_moduli(design("mm_r2", width=width).contract.modulus)
    assert {n % 8 for n in moduli if n > top - 8} == {1, 3, 5, 7}
    assert {n % 8 for n in moduli} == {1, 3, 5, 7}


def test_exhaustive_is_every_operation_once() -> None:
    everything = Exhaustive(design("scs_mm_new", width=3))
    found = [values(case) for case in everything.cases(0, len(everything))]
    expected = {(a, b, n) for n in (3, 5, 7) for a in range(4 * n) for b in range(4 * n)}
    assert len(found) == len(expected) == len(everything)
    assert set(found) == expected
    parts = [
        values(c) for start in range(0, len(everything), 100) for c in everything.cases(start, 100)
    ]
    assert parts == found


def test_exhaustive_takes_every_carry_save_split() -> None:
    chosen = signed_carry_save(3)
    everything = Exhaustive(chosen, 5)
    vectors = {case.request.operands for case in everything.cases(0, len(everything))}
    assert len(vectors) == len(everything)
    decode = chosen.contract.operand_encoding.decode
    splits = {v[:2] for v in vectors}
    assert {decode(split) for split in splits} == set(range(-4, 5))
    legal = [(s, c) for s in range(32) for c in range(8) if -4 <= decode((s, c)) <= 4]
    assert splits == set(legal)


def test_without_splits_every_pair_of_values_comes_once() -> None:
    everything = Exhaustive(signed_carry_save(3), 5, splits=False)
    found = [values(case) for case in everything.cases(0, len(everything))]
    assert sorted(found) == [(a, b, 5) for a in range(-4, 5) for b in range(-4, 5)]


def test_exhaustive_is_refused_where_it_would_not_end() -> None:
    with pytest.raises(ParameterError, match="width = 64"):
        Exhaustive(design("mm_r2", width=64))
    assert len(Exhaustive(design("mm_r2", width=64), 9)) == 81


@pytest.mark.parametrize(("width", "modulus"), [(8, None), (64, 9)])
def test_splits_count_where_exhaustive_would_not_end(width: int, modulus: int | None) -> None:
    chosen = design("booth_csa", width=width, radix=4)
    with pytest.raises(ParameterError, match="splits"):
        Exhaustive(chosen, modulus)
    by_value = Exhaustive(chosen, modulus, splits=False)
    last = list(by_value.cases(len(by_value) - 1, 9))
    assert len(last) == 1
    assert last[0].operation["n"] == (modulus or 255)


@pytest.mark.parametrize("splits", [False, True])
@pytest.mark.parametrize("name", ["booth_csa", "fcs_mm1", "fixed_square", "modexp", "scs_mm_new"])
def test_the_number_of_operations_is_that_of_the_cases(name: str, splits: bool) -> None:
    parameters = {"exponent_bits": 2} if name == "modexp" else {}
    every = Exhaustive(design(name, width=3, **parameters), splits=splits)
    assert sum(1 for _ in every.cases(0, 2 * len(every))) == len(every)


def test_chains_only_where_results_can_be_fed_back() -> None:
    rng = random.Random(1)
    assert can_chain(CLOSED, None)
    assert chain_modulus(CLOSED, rng, 0) % 4 == 1
    assert can_chain(PUBLISHED, None)
    assert {chain_modulus(PUBLISHED, rng, i) % 4 for i in range(20)} == {3}
    assert not can_chain(PUBLISHED, 77)
    wide = tuple(replace(f, bound=Bound(8)) if f.role == "result" else f for f in CLOSED.fields)
    open_ended = replace(CLOSED, fields=wide)
    assert not can_chain(open_ended, None)


def test_handshakes_are_mostly_back_to_back() -> None:
    draw = handshakes(CLOSED, random.Random(1))
    drawn = [draw() for _ in range(4000)]
    assert 0.7 < sum(d == (0, 0, 0) for d in drawn) / 4000 < 0.8
    assert any(reset == 1 for _, _, reset in drawn)
    assert any(reset < 0 for _, _, reset in drawn)
    assert all(stall > -reset for _, stall, reset in drawn if reset < 0)
    end = CLOSED.latency.maximum + CLOSED.handover
    assert end - 3 < max(reset for _, _, reset in drawn) <= end
    assert all(any(d[i] > 6 for d in drawn) for i in range(3))


def test_a_response_can_wait_until_all_places_for_results_are_full() -> None:
    contract = design("three_pass", width=5, issues=1).contract
    draw = handshakes(contract, random.Random(1))
    stalls = [draw()[1] for _ in range(4000)]
    assert max(stalls) > 2 * contract.interval.maximum
