# SPDX-License-Identifier: Apache-2.0
"""The contract as a value: bounds, encodings, rules, errors, JSON."""

from __future__ import annotations

import dataclasses
import json
import pickle
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import islice

import pytest

from montforge.arch import Core, Design, architecture, cores, design, variants
from montforge.arch.base import Citation
from montforge.arch.parameter import CLOSED_PART, FIXED_LATENCY, MULTIPLIER, integer, part
from montforge.arch.unit_csa import UnitCsa
from montforge.contract import BitBound, Bound, Contract, Cycles, Encoding, Field, ModulusRule
from montforge.errors import OperandError, ParameterError, UnknownNameError
from montforge.functions import MontgomeryProduct, Power
from montforge.verify.stimuli import corner_moduli, stimuli


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
    with pytest.raises(OperandError, match="port of 8 bits"):
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
    with pytest.raises(OperandError, match=r"0 <= x < n .* 0x0 to 0xa"):
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
@pytest.mark.parametrize("name", cores())
def test_illegal_widths(name: str, value: object, message: str) -> None:
    with pytest.raises(ParameterError) as error:
        design(name, width=value)
    assert "width" in str(error.value)
    assert message in str(error.value) or "nearest legal" in str(error.value)


def test_unknown_names_get_the_nearest() -> None:
    with pytest.raises(UnknownNameError, match="'scs_mm_new'"):
        architecture("scs_mm_mew")
    with pytest.raises(UnknownNameError, match="'width'"):
        design("mm_r2", wdith=8)
    with pytest.raises(ParameterError, match="'closed'"):
        design("scs_mm_new", variant="close")


@pytest.mark.parametrize("name", cores())
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


@pytest.mark.parametrize("name", cores())
def test_domain_constants(name: str) -> None:
    chosen = design(name, width=65)
    contract = chosen.contract
    n = contract.modulus.only or (1 << 65) - 49
    constants = contract.domain_constants(n)
    assert constants == {"r_mod_n": contract.r % n, "r2_mod_n": contract.r**2 % n}
    if contract.function.name == "montgomery_product":
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


# ---------------------------------------------------------------- data without code


@pytest.mark.parametrize("name", cores())
def test_design_and_contract_are_equal_after_pickle(name: str) -> None:
    chosen = design(name, width=65)
    again = pickle.loads(pickle.dumps(chosen))
    assert again == chosen
    assert hash(again) == hash(chosen)
    assert pickle.loads(pickle.dumps(chosen.contract)) == chosen.contract


@pytest.mark.parametrize(
    "make",
    [
        lambda **values: design("unit_csa", **values),
        lambda **values: UnitCsa(**values),
        lambda **values: UnitCsa().replace(**values),
        lambda **values: dataclasses.replace(UnitCsa(), **values),
    ],
    ids=["design", "class", "replace", "dataclasses"],
)
def test_every_way_to_a_design_checks_it(make: Callable[..., Design]) -> None:
    assert make(width=64, digit=4) == design("unit_csa", width=64, digit=4)
    for values, message in (
        ({"digit": 25}, "nearest legal: 24"),
        ({"digit": True}, "digit = True"),
        ({"delay": 4}, "one of 2, 3"),
        ({"result": "sined"}, "'sined'.*'signed'"),
        ({"result": "nonnegative", "overlap": 1}, "nearest legal: 0"),
    ):
        with pytest.raises(ParameterError, match=message):
            make(**values)


def test_a_part_is_replaced_with_or_without_its_parameters() -> None:
    power = design("modexp", width=64, multiplier="rmm", **{"multiplier.k": 3})
    wider = power.replace(width=128)
    assert wider.parameters["multiplier.width"] == 128
    assert wider.parameters["multiplier.k"] == 3
    assert power.replace(**{"multiplier.k": 2}).parameters["multiplier.k"] == 2
    assert power.replace(multiplier="booth_csa") == design("modexp", width=64)
    with pytest.raises(ParameterError, match="must be 64"):
        power.replace(**{"multiplier.width": 65})


def test_a_contract_is_made_once_for_a_design(monkeypatch: pytest.MonkeyPatch) -> None:
    chosen = design("rmm", width=16)
    contract = chosen.contract
    monkeypatch.setattr(type(chosen), "contract", None)
    assert chosen.cycles(1, 2, 7) == contract.latency.minimum
    assert chosen.encode(1, 2, 7)
    assert chosen.golden(1, 2, 7) % 7 == contract.residue(1, 2, 7)


def test_fields_of_a_multiplier() -> None:
    contract = design("fcs_mmm42", width=8).contract
    assert [(f.name, f.role) for f in contract.fields] == [
        ("a", "operand"),
        ("b", "operand"),
        ("n_hat", "constant"),
        ("p", "result"),
    ]
    assert [p.name for p in contract.operand_ports] == [
        "a_s_i",
        "a_c_i",
        "b_s_i",
        "b_c_i",
        "n_hat_i",
    ]
    assert not contract.takes_modulus


def test_an_operation_names_its_values() -> None:
    contract = design("mm_r2", width=8).contract
    assert contract.operation(1, 2, 7) == {"a": 1, "b": 2, "n": 7}
    assert contract.operation(1, b=2, n=7) == {"a": 1, "b": 2, "n": 7}
    with pytest.raises(OperandError, match="a, b, n; a, b "):
        contract.operation(1, 2)
    with pytest.raises(OperandError, match="a, b, n"):
        contract.operation(1, 2, 7, 9)


def test_arrays_of_words() -> None:
    field = Field.constant("n_transform", 10, "transform of n", words=4)
    assert field.width == 40
    assert [(p.name, p.width) for p in field.ports] == [("n_transform_i", 40)]
    assert field.encode((1 << 40) - 1) == ((1 << 40) - 1,)
    with pytest.raises(OperandError, match="its 40 bits"):
        field.encode(1 << 40)


def test_bounds_in_bits() -> None:
    bound = BitBound(5)
    assert [bound.contains(x, 7) for x in (-1, 0, 31, 32)] == [False, True, True, False]
    assert str(bound) == "0 <= x < 2^5"


# ---------------------------------------------------------------- moduli


def test_a_rule_with_a_common_factor_names_it() -> None:
    rule = ModulusRule(8, even=True, minimum=2, coprime_to=("R", 255), advice="Swap the moduli.")
    rule.check(64)
    with pytest.raises(OperandError) as error:
        rule.check(51)
    text = str(error.value)
    assert "modulus 0x33 shares the factor 0x33 with R" in text
    assert "2 <= n < 2^8, odd or even, coprime to R (nearest legal: 0x34). Swap the moduli." in text
    assert {n % 2 for n in corner_moduli(rule)} == {0, 1}
    assert all(rule.is_legal(n) for n in corner_moduli(rule))


# ---------------------------------------------------------------- closure, way out


def test_closure_sees_both_ends() -> None:
    signed = design("booth_csa", width=8).contract
    assert signed.closed
    unsigned = tuple(
        dataclasses.replace(field, bound=Bound(1)) if field.role == "operand" else field
        for field in signed.fields
    )
    assert not dataclasses.replace(signed, fields=unsigned).closed
    published = design("scs_mm_new", width=64, variant="published").contract
    assert not published.closed
    assert design("scs_mm_new", width=64).contract.closed
    lazy = design("tenca_koc", width=64, variant="published").contract
    assert not lazy.closed


def follow(steps: tuple[str, ...], value: int, n: int) -> int:
    """Do what the sentences of `Contract.leaving` say, and nothing else."""
    for step in steps:
        if step.startswith("if p < 0, add n"):
            value += n if value < 0 else 0
        elif step.startswith("while p >= n, subtract n ("):
            times = 1 if "(once" in step else int(step.split("up to ")[1].split()[0])
            for _ in range(times):
                value -= n if value >= n else 0
        elif step.startswith("reduce p modulo n"):
            bits = int(step.split("up to ")[1].split()[0])
            assert (value // n).bit_length() <= bits
            value %= n
        else:
            assert step.startswith(("add the vectors", "read p as two's complement"))
    return value


def every_form() -> Iterator[Design]:
    for name in cores():
        for width in (16, 64):
            yield from (
                form
                for form in variants(name, width=width)
                if form.contract.function == MontgomeryProduct()
            )


@pytest.mark.parametrize("chosen", list(every_form()), ids=lambda chosen: chosen.identifier)
def test_the_way_out_of_the_domain(chosen: Design) -> None:
    """MM(P, 1) is not always below n or equal to it; what the contract says always is enough."""
    contract = chosen.contract
    rng = random.Random(1)
    for n in corner_moduli(contract.modulus):
        for x in {0, 1, n - 1, rng.randrange(n)}:
            inside = chosen.to_montgomery(x, n)
            if not contract.operand_bound.contains(inside, n):
                inside %= n
            out = chosen.golden(inside, 1, n)
            assert follow(contract.leaving, out, n) == x
            assert chosen.from_montgomery(inside, n) == x
        for operand in (contract.operand_bound.upper(n) - 1, contract.operand_bound.lower(n)):
            expected = operand * pow(contract.r, -1, n) % n
            assert follow(contract.leaving, chosen.golden(operand, 1, n), n) == expected


@pytest.mark.parametrize(
    ("name", "parameters", "least", "most"),
    [
        ("scs_mm_new", {}, 2.9, 3.0),
        ("fcs_mmm42", {}, 2.9, 3.0),
        ("booth_csa", {}, -1.0, 0.0),
        ("fios_dsp", {"variant": "unit"}, 20_000.0, 131_072.0),
    ],
)
def test_results_above_n_that_docs_once_denied(
    name: str, parameters: dict[str, str], least: float, most: float
) -> None:
    n = 2**64 - 3
    chosen = design(name, width=64, **parameters)
    rng = random.Random(1)
    ratios = [chosen.golden(rng.randrange(n), 1, n) / n for _ in range(4000)]
    extreme = min(ratios) if most <= 0 else max(ratios)
    assert least <= extreme <= most


# ---------------------------------------------------------------- parts


@dataclass(frozen=True)
class Doubler(Core):
    """A core with a multiplier in it, for the rules of parts."""

    name = "doubler"
    title = "Doubler"
    family = "test"
    citation = Citation("Nobody", "Nothing", "Nowhere", 2000)
    levels: int = integer("levels", 1, minimum=1, maximum=3)
    multiplier: Design = part("what multiplies", "rmm", MULTIPLIER, CLOSED_PART, FIXED_LATENCY)
    module = "mf_doubler"
    library = ()
    formulas = ()

    @cached_property
    def parallel_contract(self) -> Contract:
        """That of the multiplier."""
        part = self.multiplier.contract
        return dataclasses.replace(
            part, architecture=self.name, parameters=tuple(self.parameters.items())
        )

    def part_parameters(self, name: str) -> dict[str, int | str]:
        """Return the width."""
        return {"width": self.width}

    @property
    def part_wrappers(self) -> dict[str, Design]:
        """The multiplier's."""
        return {"mf_doubler_multiplier": self.multiplier}

    @property
    def top_parameters(self) -> dict[str, int]:
        """None."""
        return {}

    def golden_model(self, a: int, b: int, n: int) -> int:
        """Return the multiplier's."""
        return self.multiplier.golden(a, b, n)

    def cycle_model(self, a: int, b: int, n: int) -> int:
        """Return the multiplier's."""
        return self.multiplier.cycles(a, b, n)


@pytest.fixture
def doubler(monkeypatch: pytest.MonkeyPatch) -> str:
    found = dict(cores()) | {"doubler": Doubler}
    monkeypatch.setattr("montforge.arch.base.registry", lambda: found)
    return "doubler"


def test_a_part_is_a_design(doubler: str) -> None:
    chosen = design(doubler, width=64, **{"multiplier.k": "3", "multiplier.m": 2})
    part = chosen.multiplier
    assert part == design("rmm", width=64, k=3, m=2)
    assert design(doubler, width=64, multiplier=design("rmm", width=64, k=3, m=2)) == chosen
    assert chosen != design(doubler, width=64)
    flat = dict(chosen.parameters)
    assert (flat["multiplier"], flat["multiplier.k"], flat["width"]) == ("rmm", 3, 64)
    assert "multiplier.k=3" in str(chosen)
    assert part.identifier in chosen.identifier
    assert chosen.golden(5, 6, 77) == part.golden(5, 6, 77)
    assert pickle.loads(pickle.dumps(chosen)) == chosen
    files = [path.name for path in chosen.hardware.files]
    assert files[-1] == "mf_doubler_multiplier.sv"
    assert files[:-1] == [path.name for path in part.hardware.files]
    text = chosen.hardware.files[-1].read_text()
    assert "module mf_doubler_multiplier (" in text
    assert "mf_rmm #(" in text


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"multiplier": "scs_mm_new"}, "must be of fixed latency"),
        (
            {"multiplier": "tenca_koc", "multiplier.variant": "published"},
            "must be closed (results are legal operands)",
        ),
        ({"multiplier.width": 9}, "multiplier.width = 9 is not legal"),
        ({"multiplier.kk": 9}, "did you mean 'k'"),
        ({"multiplier.k": 99}, "parameter k = 99 is out of range"),
        ({"multiplier": "rmn"}, "did you mean 'rmm'"),
        ({"multiplier": 7}, "not the name of an architecture"),
        ({"multiplyer.k": 3}, "did you mean 'multiplier'"),
    ],
)
def test_parts_that_do_not_fit(doubler: str, parameters: dict[str, object], message: str) -> None:
    with pytest.raises((ParameterError, UnknownNameError)) as error:
        design(doubler, width=64, **parameters)
    assert message in str(error.value)


# ---------------------------------------------------------------- powers


def power_contract(width: int, exponent_bits: int) -> Contract:
    base = design("mm_r2", width=width).contract
    residue = Encoding("binary", width)
    return dataclasses.replace(
        base,
        architecture="toy_power",
        function=Power(),
        fields=(
            Field("x", "message", residue, Bound(1)),
            Field("e", "exponent", Encoding("binary", exponent_bits), BitBound(exponent_bits)),
            Field("e_len", "exponent", Encoding("binary", 8), BitBound(8)),
            Field("n", "modulus", residue),
            Field("y", "result", residue, Bound(1)),
        ),
    )


def test_operations_of_powers_are_legal_and_complete() -> None:
    contract = power_contract(5, 3)
    rng = random.Random(1)
    for operation in islice(stimuli(contract).random(rng, None), 500):
        contract.check(operation)
    for n in corner_moduli(contract.modulus):
        for operation in stimuli(contract).corners(n):
            contract.check(operation)
    sizes = [len(axis) for axis in stimuli(contract).axes(7)]
    assert sizes == [7, 1 + 2 + 4 + 8]
    assert contract.residue(3, 5, 3, 7) == pow(3, 5, 7)


@pytest.mark.parametrize(
    ("operation", "message"),
    [
        ((7, 1, 3, 7), "message x = 0x7 is outside its bound 0 <= x < n"),
        ((1, 8, 3, 7), "exponent e = 0x8 is outside its bound 0 <= x < 2^3"),
        ((1, 4, 2, 7), "exponent e has 3 bits and e_len = 2 says fewer"),
        ((1, 1, 4, 7), "e_len = 4 is out of range; an exponent has 0 to 3 bits here"),
        ((1, 1, 1, 8), "modulus 0x8 is even"),
    ],
)
def test_illegal_powers(operation: tuple[int, ...], message: str) -> None:
    contract = power_contract(5, 3)
    with pytest.raises(OperandError, match=message.replace("^", r"\^")):
        contract.check(contract.operation(*operation))


def test_counting_operations_lists_none() -> None:
    contract = power_contract(5, 3)
    for n in (3, 7, 31):
        axes = stimuli(contract).axes(n)
        assert stimuli(contract).choices(n) == len(axes[0]) * len(axes[1])
    assert stimuli(power_contract(5, 4000)).choices(7) > 1 << 4000
