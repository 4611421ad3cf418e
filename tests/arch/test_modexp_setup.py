# SPDX-License-Identifier: Apache-2.0
"""Constants made in hardware: any modulus and length, exact cycles, and what is refused."""

from __future__ import annotations

import random
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

import pytest

from custom import values_of
from montforge.arch import Design, cores, design, variants
from montforge.arch.modexp import Modexp
from montforge.contract import BitBound, Contract, Cycles, Derivation, Encoding, Field
from montforge.errors import ParameterError
from montforge.verify import build_bench, verify
from montforge.verify.bench import Request
from planted import Bug, planted

WIDTH = 16
KINDS: tuple[dict[str, object], ...] = (
    {"multiplier": "grossschaedl", "adder": 18},
    {"multiplier": "fcs_mmm42", "adder": 5},
    {"multiplier": "rmm", "adder": 4},
    {"multiplier": "booth_csa", "multiplier.radix": 64, "multiplier.pipeline": 1, "adder": 5},
    {"multiplier": "fios_dsp", "adder": 9},
    {"multiplier": "fios_dsp", "multiplier.variant": "unit", "adder": 18},
    {"multiplier": "unit_csa", "multiplier.digit": 3, "multiplier.result": "signed", "adder": 6},
)
"""No constant, n m + 1, m of all bits, signed (n m + 1) / 2^k, n 2^k + m, (n m + 1) / 2^k, two."""


def hardware(width: int = WIDTH, **given: object) -> Design:
    return design(
        "modexp",
        **{"width": width, "constants": "hardware", "exponent_bits": 3, "w": 1} | given,
    )


def request(chosen: Design, **values: int) -> Request:
    return Request(tuple(values[field.name] for field in chosen.contract.inputs))


OFTEN = (KINDS[1], KINDS[3], KINDS[6])


@pytest.mark.parametrize(
    "given",
    [pytest.param(given, marks=() if given in OFTEN else pytest.mark.slow) for given in KINDS],
    ids=lambda given: "-".join(map(str, given.values())),
)
def test_moduli_of_every_length(given: dict[str, object]) -> None:
    chosen = hardware(**given)
    rng = random.Random(7)
    moduli = [(1 << WIDTH) - 1, (1 << WIDTH - 1) + 1, 3]
    moduli += [rng.getrandbits(bits) | 1 << bits - 1 | 1 for bits in range(2, WIDTH + 1)]
    asked = [{"x": n - 2, "e": 5, "e_len": 3, "n": n} for n in moduli]
    responses = build_bench(chosen).run([request(chosen, **values) for values in asked]).responses
    for values, response in zip(asked, responses, strict=True):
        assert response.vectors == (chosen.golden(**values), 0), values
        expected = chosen.setup_cycles(values["n"].bit_length())
        if response.load:
            assert expected.minimum <= response.load <= expected.maximum
            assert given["multiplier"] == "fcs_mmm42" or expected.is_fixed


def test_every_modulus_of_five_bits() -> None:
    chosen = hardware(5, multiplier="booth_csa", adder=4, **{"multiplier.radix": 16})
    report = verify(chosen, seed=1, mode="values")
    assert report.mismatches == 0, report


def test_illegal_moduli_are_answered_with_a_code() -> None:
    chosen = hardware(multiplier="rmm", adder=5)
    legal = {"x": 5, "e": 3, "e_len": 2, "n": 40001}
    moduli = (40000, 0, 1, 2, 65534)
    requests = [request(chosen, **values) for n in moduli for values in (legal | {"n": n}, legal)]
    responses = build_bench(chosen).run(requests).responses
    assert [r.vectors for r in responses[::2]] == [(0, 1)] * len(moduli)
    assert [r.vectors for r in responses[1::2]] == [(125, 0)] * len(moduli)


BUGS = [
    Bug("the last step adds", "", "negative = @InverseSigned && left_q == '0@", "1'b0"),
    Bug("no doubling for a bit of x", "", "squared_q && @X[index_q]@", "!X[index_q]"),
]
"""The others: tests/mutants/modexp.toml."""


@pytest.mark.parametrize("bug", BUGS, ids=lambda bug: bug.name)
def test_planted_bugs_are_caught(bug: Bug, tmp_path: Path) -> None:
    wrong = planted(hardware(**KINDS[3]), BUGS, tmp_path)[bug]
    assert verify(wrong, seed=1, mode="random", operations=60).mismatches > 0


def test_who_can_not_is_refused() -> None:
    additions = "does not follow from n by additions"
    reasons = dict.fromkeys(("mlm", "mlws", "fmlm"), additions) | {"bipartite": "one addition of n"}
    refused = set()
    for name in cores():
        part = variants(name, width=64)[0]
        if part.contract.function.name == "montgomery_product":
            form = {"multiplier.digit": 3, "multiplier.result": "signed"}
            try:
                hardware(64, multiplier=name, adder=64, **form if name == "unit_csa" else {})
            except ParameterError as error:
                assert reasons[name] in str(error)
                refused.add(name)
    assert refused == reasons.keys()


def test_results_beyond_n_and_negative_are_refused() -> None:
    with pytest.raises(ParameterError, match="multiplier = unit_csa"):
        design("modexp", width=64, multiplier="unit_csa")


def stepped(derivation: Derivation, n: int) -> int:
    """Return the constant by the steps that the class describes, as the hardware does them."""
    t, m = 1, 0
    for i in range(derivation.bits):
        weight = -1 if derivation.signed and i == derivation.bits - 1 else 1
        if t % 2:
            m += weight << i
            t += weight * n
        t //= 2
    bits = derivation.bits
    values = {"inverse": m, "scaled": t, "raised": t << bits, "words": (n << bits) + m}
    return values[derivation.kind]


def test_derivations_are_the_constants() -> None:
    for name in cores():
        for width in (9, 16):
            for part in variants(name, width=width):
                for field in part.contract.constants_spec:
                    for n in (3, 5, (1 << width) - 1, (1 << width - 1) + 1, (1 << width - 2) + 7):
                        found = field.derivation
                        if isinstance(found, Derivation) and part.contract.modulus.is_legal(n):
                            value = stepped(found, n) % (1 << field.width)
                            assert value == part.constants(n)[field.name], (part, n)


@dataclass(frozen=True)
class LoadProbe(Modexp):
    """``modexp_load_probe.sv``: an operand says when a first load is aborted; what is left."""

    name = "modexp_load_probe"
    module = "modexp_load_probe"
    probe = Path(__file__).with_name("modexp_load_probe.sv")

    @property
    def top(self) -> str:
        """The probe."""
        return self.module

    @property
    def files(self) -> tuple[str, ...]:
        """The files of the exponentiator, and the probe."""
        return (*super().files, str(self.probe))

    @cached_property
    def parallel_contract(self) -> Contract:
        """The contract with two fields more, and neither load nor control."""
        contract = super().parallel_contract
        abort = Field("abort_at", "operand", Encoding("binary", 16), BitBound(16))
        left = Field("left", "result", Encoding("binary", 1), BitBound(1))
        fields = (*contract.inputs, abort, *contract.results, left)
        assert contract.load is not None
        longest = contract.latency.maximum + 3 * contract.load.cycles.maximum
        latency = Cycles(contract.latency.minimum, longest)
        return replace(contract, fields=fields, controls=(), load=None, latency=latency)


def test_a_load_aborted_at_any_cycle_leaves_nothing() -> None:
    chosen = hardware(8, **KINDS[3])
    probe = LoadProbe(**values_of(chosen))
    cycles = chosen.setup_cycles(8).maximum
    requests = [Request((2, 5, 3, 129 + 2 * (at % 60), at)) for at in range(1, cycles + 1)]
    responses = build_bench(probe).run(requests).responses
    for request, response in zip(requests, responses, strict=True):
        x, e, _, n, at = request.operands
        assert response.vectors == (pow(x, e, n), 0, 0), at
