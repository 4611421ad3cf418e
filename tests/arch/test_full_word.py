# SPDX-License-Identifier: Apache-2.0
"""``full_parallel``, ``full_pipelined``, ``karatsuba``, ``mcivor``: models, cycles, RTL."""

from __future__ import annotations

from itertools import product

import pytest

from montforge.arch import design
from montforge.errors import ParameterError

FORMS: list[tuple[str, dict[str, object]]] = [
    ("full_parallel", {}),
    ("full_pipelined", {}),
    ("karatsuba", {"levels": 2}),
    ("mcivor", {"block": 5}),
]
MORE_FORMS: list[tuple[str, dict[str, object]]] = [
    ("karatsuba", {"levels": 0}),
    ("karatsuba", {"levels": 3}),
    ("mcivor", {"block": 16, "stages": 2}),
    ("mcivor", {"block": 17}),
]


def ids(forms: list[tuple[str, dict[str, object]]]) -> list[str]:
    return ["-".join([name, *map(str, p.values())]) for name, p in forms]


def test_golden_model_is_the_product_below_n() -> None:
    for width in (3, 4, 5):
        chosen = design("full_parallel", width=width)
        for n in range(3, 1 << width, 2):
            for a in range(n):
                for b in range(n):
                    assert chosen.golden(a, b, n) == chosen.contract.residue(a, b, n)
    for name, parameters in (*FORMS, *MORE_FORMS):
        chosen = design(name, width=65, **parameters)
        for a, b, n in map(dict.values, chosen.corners()):
            assert chosen.golden(a, b, n) == chosen.contract.residue(a, b, n)


def test_golden_model_of_truncated_products_is_below_2n() -> None:
    exact = design("full_pipelined", width=4, levels=3)
    for n in range(3, 16, 2):
        for a, b in product(range(2 * n), repeat=2):
            p = exact.golden(a, b, n)
            assert p < 2 * n and (64 * p - a * b) % n == 0
    wide = design("full_pipelined", width=65, levels=3)
    bounds = 0
    for a, b, n in map(dict.values, wide.corners()):
        p = wide.golden(a, b, n)
        assert p < 2 * n and p % n == wide.contract.residue(a, b, n)
        bounds += p >= n
    assert bounds


def test_cycles() -> None:
    assert design("full_parallel").contract.latency.minimum == 1
    pipelined = design("full_pipelined").contract
    assert (pipelined.latency.minimum, pipelined.interval.minimum) == (4, 1)
    found = [
        design("full_pipelined", width=64, levels=k).contract.latency.minimum for k in (1, 3, 16)
    ]
    assert found == [33, 18, 12]
    split = design("full_pipelined", width=254, levels=3, karatsuba=1).contract
    assert (split.latency.minimum, split.interval.minimum) == (25, 1)
    found = [design("karatsuba", levels=r).contract.latency.minimum for r in range(4)]
    assert found == [5, 11, 17, 23]
    assert design("mcivor", stages=3).contract.latency.minimum == 11


def test_illegal_parameters() -> None:
    with pytest.raises(ParameterError, match=r"levels .* 0 to 6"):
        design("karatsuba", levels=7)
    with pytest.raises(ParameterError, match="stages"):
        design("mcivor", stages=1)
    with pytest.raises(ParameterError, match=r"karatsuba .* levels = 0"):
        design("full_pipelined", karatsuba=1)
    with pytest.raises(ParameterError, match=r"width .* 768"):
        design("full_pipelined", width=769, levels=1)
