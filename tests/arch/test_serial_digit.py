# SPDX-License-Identifier: Apache-2.0
"""``eberle``, ``grossschaedl``, ``tenca_koc``: models, published cycle counts, RTL."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from montforge.arch import Design, design
from montforge.hardware import rtl_root
from testbench import run_testbench

FORMS: list[tuple[str, dict[str, object]]] = [
    ("eberle", {"reduction": "lazy"}),
    ("eberle", {"reduction": "subtract", "k": 3}),
    ("grossschaedl", {"reduction": "lazy", "digit": 4}),
    ("grossschaedl", {"reduction": "subtract", "digit": 5}),
    ("tenca_koc", {"variant": "closed", "word": 4, "elements": 3}),
    ("tenca_koc", {"variant": "published", "word": 3, "elements": 8, "offset": 1}),
]
IDS = ["-".join([name, *map(str, p.values())]) for name, p in FORMS]


def latency(name: str, **parameters: object) -> int:
    cycles = design(name, **parameters).contract.latency
    assert cycles.is_fixed
    return cycles.minimum


def every_operation(chosen: Design) -> list[tuple[int, int, int]]:
    width, bound = chosen.contract.width, chosen.contract.operand_bound
    return [
        (a, b, n)
        for n in range(3, 1 << width, 2)
        for a in range(bound.upper(n))
        for b in range(bound.upper(n))
    ]


@pytest.mark.parametrize(("name", "parameters"), FORMS, ids=IDS)
def test_golden_model_is_the_product_within_the_bound(
    name: str, parameters: dict[str, object]
) -> None:
    rng = random.Random(2)
    small = design(name, width=4, **parameters)
    wide = design(name, width=65, **parameters)
    operations = [(small, o) for o in every_operation(small)]
    operations += [(wide, tuple(o.values())) for o in wide.corners()]
    for _ in range(100):
        n = rng.getrandbits(65) | 1
        bound = wide.contract.operand_bound.upper(n)
        operations.append((wide, (rng.randrange(bound), rng.randrange(bound), n)))
    for chosen, (a, b, n) in operations:
        p = chosen.golden(a, b, n)
        assert p % n == chosen.contract.residue(a, b, n)
        assert chosen.contract.result_bound.contains(p, n)


@pytest.mark.parametrize(("d", "cycles"), [(8, 2080), (16, 528), (32, 136), (64, 36), (128, 10)])
def test_eberle_cycles(d: int, cycles: int) -> None:
    """2k^2 + k of Table II, and one for the subtraction."""
    k = 256 // d
    assert latency("eberle", width=256, k=k, reduction="subtract") == cycles + 1
    assert latency("eberle", width=256, k=k, reduction="lazy") == cycles


@pytest.mark.parametrize(("digit", "cycles"), [(16, 273), (32, 265), (64, 261), (128, 259)])
def test_grossschaedl_cycles(digit: int, cycles: int) -> None:
    assert latency("grossschaedl", width=256, digit=digit, reduction="subtract") == cycles
    assert latency("grossschaedl", width=256, digit=digit, reduction="lazy") == cycles + 2


@pytest.mark.parametrize(
    ("word", "elements", "cycles"),
    [
        (16, 1, 4608),
        (16, 2, 2306),
        (16, 4, 1158),
        (16, 8, 590),
        (16, 9, 528),
        (16, 40, 528),
        (32, 5, 520),
        (8, 17, 544),
    ],
)
def test_tenca_koc_cycles(word: int, elements: int, cycles: int) -> None:
    found = latency("tenca_koc", width=256, word=word, elements=elements, variant="published")
    assert found == cycles


def test_neighbours_one_cycle_apart() -> None:
    """n + e + 1 in place of 2n + e: Huang's n + e - 1 without the start and the last carry."""
    parameters = {"width": 256, "word": 16, "elements": 32, "variant": "published"}
    assert latency("tenca_koc", **parameters, offset=1) == 255 + 17 + 1
    assert latency("tenca_koc", **parameters, offset=2) == 2 * 255 + 17 + 1


def test_closure() -> None:
    assert design("tenca_koc", width=8).contract.is_closed(251)
    assert not design("tenca_koc", width=8, variant="published").contract.is_closed(251)


def test_native_eberle_is_read_by_digits() -> None:
    """The adapter reads the result as a whole, so that its bench does not turn it."""
    files = [rtl_root() / "digit/mf_eberle.sv", Path(__file__).parent / "eberle_tb.sv"]
    run_testbench("eberle_tb", files)
