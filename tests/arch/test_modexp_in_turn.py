# SPDX-License-Identifier: Apache-2.0
"""Exponentiations in turn on one multiplier: results, order, cycles, and what is refused."""

from __future__ import annotations

import random

import pytest

from montforge.arch import Design, design
from montforge.arch.power import power_cycles
from montforge.errors import ParameterError
from montforge.verify import build_bench, verify
from montforge.verify.bench import Request

RMM = {"multiplier": "rmm", "multiplier.k": 4, "multiplier.m": 4, "multiplier.contexts": 2}
FIOS = {"multiplier": "fios_dsp", "multiplier.array": "expanded"}
KINDS: tuple[dict[str, object], ...] = (
    {**RMM, "multiplier.variant": "fast", "w": 2, "adder": 6},
    {**FIOS, "multiplier.variant": "unit", "algorithm": "ladder", "adder": 18},
    {"multiplier": "full_pipelined", "algorithm": "square_multiply_always", "adder": 4},
    {"multiplier": "full_pipelined", "w": 5, "adder": 32},
    {**FIOS, "multiplier.variant": "unit", "chains": 3, "w": 2, "adder": 18},
    {"multiplier": "full_pipelined", "chains": 6, "w": 4, "adder": 5},
)


def in_turn(width: int = 16, **given: object) -> Design:
    return design("modexp", **{"width": width, "chains": 2} | given)


@pytest.mark.parametrize("given", KINDS, ids=lambda given: "-".join(map(str, given.values())))
def test_powers_and_cycles(given: dict[str, object]) -> None:
    report = verify(in_turn(exponent_bits=9, **given), seed=1, mode="random", operations=120)
    assert report.mismatches == 0, report
    assert report.cycles_checked > 40


@pytest.mark.parametrize("given", (KINDS[0], KINDS[5]), ids=("two", "six"))
def test_rounds_come_at_their_interval(given: dict[str, object]) -> None:
    chosen = in_turn(exponent_bits=9, **given)
    chains = chosen.chains
    rng = random.Random(2)
    operations = []
    for _ in range(4 * chains):
        n = rng.getrandbits(16) | 1 << 15 | 1
        operations.append((rng.randrange(n), rng.getrandbits(9), 9, n))
    requests = [Request(chosen.encode(*operation)) for operation in operations]
    responses = build_bench(chosen).run(requests).responses
    expected = [(chosen.golden(*operation), 0) for operation in operations]
    assert [response.vectors for response in responses] == expected
    assert {response.latency for response in responses} == {chosen.contract.latency.minimum}
    offset = chosen.multiplier.contract.interval.maximum
    whole = chosen.round_cycles
    within = [offset] * (chains - 1)
    expected_gaps = [*within, *[whole - sum(within), *within] * 3]
    assert [response.gap for response in responses[1:]] == expected_gaps


@pytest.mark.parametrize("given", (KINDS[0], KINDS[5]), ids=("two", "six"))
def test_an_illegal_operation_keeps_the_order(given: dict[str, object]) -> None:
    chosen = in_turn(exponent_bits=9, **given)
    legal = chosen.encode(5, 77, 9, 40001)
    names = [field.name for field in chosen.contract.inputs]
    bad = [Request(tuple(40001 if n == "x" else v for n, v in zip(names, legal, strict=True)))]
    requests = [Request(legal), *bad, Request(legal), Request(legal), *bad * 3, Request(legal)]
    responses = build_bench(chosen).run(requests).responses
    good = (pow(5, 77, 40001), 0)
    expected = [good, (0, 3), good, good, (0, 3), (0, 3), (0, 3), good]
    assert [response.vectors for response in responses] == expected


@pytest.mark.parametrize(
    ("given", "least"),
    (
        ({**RMM, "multiplier.variant": "fast"}, 0.99),
        ({**FIOS, "multiplier.variant": "unit"}, 0.5),
        ({**FIOS, "multiplier.variant": "unit", "chains": 4}, 0.99),
        ({**FIOS, "multiplier.variant": "published", "chains": 5}, 0.9),
        ({"multiplier": "full_pipelined", "chains": 6, "w": 4}, 0.95),
    ),
)
def test_utilisation_at_1024_bits(given: dict[str, object], least: float) -> None:
    chosen = in_turn(1024, **{"w": 5} | given)
    alone = power_cycles(design("modexp", **{"width": 1024, "w": 5} | given | {"chains": 1}))
    assert power_cycles(chosen).utilisation > least
    # All of them end sooner than one after the other.
    chains = chosen.chains
    assert chosen.round_cycles < chains * alone.cycles.maximum


@pytest.mark.parametrize(
    ("given", "words"),
    (
        ({"multiplier": "booth_csa"}, "interval of 12 .* 1 "),
        ({**RMM, "chains": 3}, "chains .*nearest legal: 2"),
        ({"chains": 9}, "chains .* 1 to 8"),
        ({**RMM, "algorithm": "l2r"}, "algorithm = l2r"),
        ({**RMM, "algorithm": "ladder", "multipliers": 2}, "multipliers = 1"),
        ({**RMM, "constants": "hardware"}, "constants = host"),
        ({"multiplier": "scs_mm_skip"}, "scs_mm_skip"),
    ),
    ids=str,
)
def test_what_can_not_be_had_is_refused(given: dict[str, object], words: str) -> None:
    with pytest.raises(ParameterError, match=words):
        in_turn(**given)
