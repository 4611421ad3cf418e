# SPDX-License-Identifier: Apache-2.0
"""The contract as a value: bounds, encodings, rules, errors, JSON."""

from __future__ import annotations

import dataclasses
import json
import random

import pytest

from montforge.arch import architecture, design, registry
from montforge.contract import Bound, Cycles, Encoding
from montforge.errors import OperandError, ParameterError, UnknownNameError


def test_bound_multiples_and_exceptions() -> None:
    bound = Bound(2, exceptions=((4, 1, 4),))
    assert bound.upper(7) == 14
    assert bound.upper(13) == 52
    assert bound.contains(13, 7)
    assert not bound.contains(14, 7)
    assert not bound.contains(-1, 7)
    assert str(bound) == "0 <= x < 2n; 0 <= x < 4n if n mod 4 = 1"


def test_signed_bound_is_symmetric() -> None:
    bound = Bound(1, signed=True)
    assert [x for x in range(-9, 10) if bound.contains(x, 7)] == list(range(-6, 7))


@pytest.mark.parametrize("signed", [False, True])
@pytest.mark.parametrize("kind", ["binary", "carry_save"])
def test_encoding_round_trip(kind: str, signed: bool) -> None:
    encoding = Encoding("binary" if kind == "binary" else "carry_save", 8, 7, signed)
    rng = random.Random(1)
    for value in range(-128 if signed else 0, 128 if signed else 256):
        vectors = encoding.encode(value, rng)
        assert encoding.decode(vectors) == value
        for vector, width in zip(vectors, encoding.widths, strict=True):
            assert 0 <= vector < 1 << width


def test_carry_save_splits_are_random() -> None:
    encoding = Encoding("carry_save", 8, 8)
    rng = random.Random(1)
    assert len({encoding.encode(200, rng) for _ in range(200)}) > 100


def test_encoding_refuses_what_does_not_fit() -> None:
    with pytest.raises(OperandError, match="does not fit its port of 8 bits"):
        Encoding("binary", 8).encode(256)
    with pytest.raises(OperandError):
        Encoding("binary", 8, signed=True).encode(128)


@pytest.mark.parametrize(
    ("n", "reason", "nearest"),
    [
        (0, "below 3", "0x3"),
        (1, "below 3", "0x3"),
        (-5, "below 3", "0x3"),
        (2, "below 3", "0x3"),
        (100, "even", "0x65"),
        (256, "wider than the design's 8", "0xff"),
        (1 << 70, "wider", "0xff"),
    ],
)
def test_illegal_moduli_name_rule_and_nearest(n: int, reason: str, nearest: str) -> None:
    contract = design("mm_r2", width=8).contract
    with pytest.raises(OperandError) as error:
        contract.modulus.check(n)
    assert reason in str(error.value)
    assert "odd with 3 <= n < 2^8" in str(error.value)
    assert f"nearest legal: {nearest})" in str(error.value)


@pytest.mark.parametrize(("a", "b"), [(11, 0), (0, 11), (-1, 0), (0, 1 << 70)])
def test_operands_at_or_above_the_bound(a: int, b: int) -> None:
    chosen = design("mm_r2", width=8)
    with pytest.raises(OperandError, match=r"outside its bound 0 <= x < n .*legal: 0x0 to 0xa"):
        chosen.cycles(a, b, 11)


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (0, "nearest legal: 3"),
        (1, "nearest legal: 3"),
        (2, "nearest legal: 3"),
        (-7, "nearest legal: 3"),
        (10**9, "nearest legal: 8192"),
        ("abc", "not an integer"),
        ("12.5", "not an integer"),
        (12.5, "not an integer"),
        (True, "not an integer"),
        (None, "not an integer"),
        ("", "not an integer"),
    ],
)
@pytest.mark.parametrize("name", registry())
def test_illegal_widths(name: str, value: object, message: str) -> None:
    with pytest.raises(ParameterError) as error:
        design(name, width=value)
    assert "width" in str(error.value)
    assert message in str(error.value) or "nearest legal" in str(error.value)


def test_unknown_names_get_the_nearest() -> None:
    with pytest.raises(UnknownNameError, match="did you mean 'scs_mm_new'"):
        architecture("scs_mm_mew")
    with pytest.raises(UnknownNameError, match="did you mean 'width'"):
        design("mm_r2", wdith=8)
    with pytest.raises(ParameterError, match="did you mean 'closed'"):
        design("scs_mm_new", variant="close")


@pytest.mark.parametrize("name", registry())
def test_contract_is_a_value(name: str) -> None:
    first, second = design(name, width=65).contract, design(name, width="65").contract
    assert first == second
    assert first != design(name, width=66).contract
    assert dataclasses.replace(first, handover=9) != first
    data = json.loads(json.dumps(first.to_json()))
    assert data["architecture"] == name
    assert int(data["r"], 16) == first.r
    assert [p["name"] for p in data["ports"]] == [p.name for p in first.ports]
    assert str(first).startswith(name)


@pytest.mark.parametrize("name", registry())
def test_domain_constants(name: str) -> None:
    chosen = design(name, width=65)
    contract = chosen.contract
    n = (1 << 65) - 49
    constants = contract.domain_constants(n)
    assert constants == {"r_mod_n": contract.r % n, "r2_mod_n": contract.r**2 % n}
    assert contract.residue(5, constants["r2_mod_n"], n) == 5 * contract.r % n
    for spec in contract.constants_spec:
        assert chosen.constants(n)[spec.name] < 1 << spec.width


def test_published_variant_states_its_chain() -> None:
    contract = design("scs_mm_new", width=64, variant="published").contract
    assert contract.is_closed(2**64 - 1)
    assert not contract.is_closed(2**64 - 3)
    closed = design("scs_mm_new", width=64).contract
    assert closed.is_closed(2**64 - 3)


def test_cycles_value() -> None:
    assert Cycles.fixed(9).is_fixed
    assert str(Cycles.fixed(9)) == "fixed(9)"
    assert str(Cycles(3, 9)) == "data_dependent(3, 9)"
