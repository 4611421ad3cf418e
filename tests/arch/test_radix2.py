# SPDX-License-Identifier: Apache-2.0
"""The published multipliers of the radix-2 carry-save family: models, RTL, closure."""

from __future__ import annotations

import random
import statistics

import pytest

from montforge.arch import Design, design
from montforge.measure.structure import structure

DESIGNS: dict[str, dict[str, object]] = {
    "scs_mm": {},
    "scs_mm1": {"converter": 8},
    "scs_mm2": {},
    "bunimov": {"converter": 8},
    "zhengbing": {"converter": 8},
    "mscs_mm": {},
    "fcs_mm1": {},
    "fcs_mm2": {},
    "fcs_mmm42": {},
}
PUBLISHED = ("fcs_mmm42", {"variant": "published"})
ALL = [*DESIGNS.items(), PUBLISHED]
IDS = [f"{name}-{'-'.join(map(str, p.values())) or 'default'}" for name, p in ALL]


def every_operation(chosen: Design) -> list[tuple[int, int, int]]:
    width, bound = chosen.contract.width, chosen.contract.operand_bound
    return [
        (a, b, n)
        for n in range(3, 1 << width, 2)
        for a in range(bound.upper(n))
        for b in range(bound.upper(n))
    ]


def average_operations(width: int, count: int) -> list[tuple[int, int, int]]:
    """What published averages are over: n with its top bit set, a and b below n."""
    rng = random.Random(16)
    moduli = [rng.getrandbits(width) | 1 << (width - 1) | 1 for _ in range(count)]
    return [(rng.randrange(n), rng.randrange(n), n) for n in moduli]


# ---------------------------------------------------------------- models


@pytest.mark.parametrize(("name", "parameters"), ALL, ids=IDS)
def test_golden_model_is_the_product_within_the_bound(
    name: str, parameters: dict[str, object]
) -> None:
    for width in (3, 4):
        chosen = design(name, width=width, **parameters)
        contract = chosen.contract
        for a, b, n in every_operation(chosen):
            p = chosen.golden(a, b, n)
            assert p % n == contract.residue(a, b, n)
            assert contract.result_bound.contains(p, n)


@pytest.mark.parametrize(("name", "parameters"), ALL, ids=IDS)
def test_cycle_model_is_within_the_contract(name: str, parameters: dict[str, object]) -> None:
    for width in (3, 64):
        chosen = design(name, width=width, **parameters)
        latency = chosen.contract.latency
        operations = (
            every_operation(chosen) if width == 3 else [tuple(o.values()) for o in chosen.corners()]
        )
        for a, b, n in operations:
            assert latency.minimum <= chosen.cycles(a, b, n) <= latency.maximum


@pytest.mark.parametrize(
    ("name", "parameters", "width", "cycles"),
    [
        ("scs_mm", {}, 1024, 1027),
        ("scs_mm1", {"converter": 32}, 1024, 1059),
        ("scs_mm1", {"converter": 32}, 2048, 2115),
        ("scs_mm1", {"converter": 64}, 2048, 2083),
        ("fcs_mm1", {}, 1024, 1026),
        ("fcs_mm1", {}, 2048, 2050),
        ("fcs_mm2", {}, 1024, 1027),
        ("fcs_mm2", {}, 2048, 2051),
        ("zhengbing", {"converter": 32}, 1024, 33 + 1026 + 33),
        ("zhengbing", {"converter": 1026}, 1024, 1 + 1026 + 1),
        ("bunimov", {"converter": 32}, 1024, 33 + 1024 + 33 + 33),
        ("bunimov", {"converter": 1026}, 1024, 1 + 1024 + 1 + 1),
    ],
)
def test_fixed_latency(name: str, parameters: dict[str, object], width: int, cycles: int) -> None:
    latency = design(name, width=width, **parameters).contract.latency
    assert (latency.minimum, latency.maximum) == (cycles, cycles)


@pytest.mark.parametrize(
    ("name", "parameters", "mean"),
    [
        ("scs_mm2", {}, 1030.15),
        ("mscs_mm", {}, 1045.5),
        ("fcs_mmm42", {"variant": "published"}, 823.8),
    ],
)
def test_average_latency_is_the_specifications(
    name: str, parameters: dict[str, object], mean: float
) -> None:
    chosen = design(name, width=1024, **parameters)
    cycles = [chosen.cycles(a, b, n) for a, b, n in average_operations(1024, 60)]
    half_width = 3.5 * statistics.stdev(cycles) / len(cycles) ** 0.5
    assert statistics.mean(cycles) == pytest.approx(mean, abs=half_width)


# ---------------------------------------------------------------- RTL


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "full_adders"),
    [
        ("scs_mm", 2 * (20 + 2)),
        ("scs_mm1", 2 * (20 + 2)),
        ("scs_mm2", 2 * (20 + 2)),
        ("bunimov", 20 + 1),
        ("zhengbing", 20 + 2),
        ("mscs_mm", 20 + 3),
        ("fcs_mm1", 3 * (20 + 3)),
        ("fcs_mm2", 2 * (20 + 2)),
        ("fcs_mmm42", 2 * (20 + 6)),
    ],
)
def test_rows_of_full_adders_in_the_netlist(name: str, full_adders: int) -> None:
    assert structure(design(name, width=20)).blocks["mf_full_adder_row"] == full_adders


@pytest.mark.parametrize("converter", (8, 16))
def test_converter_sizes_the_adder(converter: int) -> None:
    blocks = structure(design("scs_mm1", width=20, converter=converter)).blocks
    assert blocks["mf_word_serial_adder"] == converter
