# SPDX-License-Identifier: Apache-2.0
"""``barrett``: quotient and bounds of the model, the columns of the design, RTL."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

import pytest

from elaborated import elaborated
from montforge.arch import design
from montforge.errors import OperandError, ParameterError
from montforge.verify import verify


def operations(width: int, count: int) -> Iterator[tuple[int, int, int]]:
    """Operands often at their bounds, moduli of both parities at both ends of the range."""
    rng = random.Random(19)
    low, top = 1 << (width - 1), 1 << width
    for _ in range(count):
        n = rng.choice((low + 1, low + 2, top - 1, top - 2, rng.randrange(low + 1, top)))
        a, b = (rng.choice((2 * n - 1, n, n - 1, 1, rng.randrange(2 * n))) for _ in "ab")
        yield a, b, n


@pytest.mark.parametrize("width", [3, 4, 5, 8, 33, 64, 65, 255, 521])
def test_quotient_is_at_most_the_true_one_and_seven_quarters_less(width: int) -> None:
    chosen = design("barrett", width=width)
    for a, b, n in operations(width, 300):
        p = chosen.golden(a, b, n)
        assert p % n == a * b % n
        assert 0 <= Fraction(p, n) < 1 + Fraction(3, 4)
        assert chosen.constants(n)["mu"] < 1 << (width + 5)
    assert chosen.contract.closed


def test_every_operation_of_the_model_at_four_bits() -> None:
    chosen = design("barrett", width=4)
    for n in range(9, 16):
        for a in range(2 * n):
            for b in range(2 * n):
                assert chosen.golden(a, b, n) in (a * b % n, a * b % n + n)


def test_a_shorter_modulus_is_refused() -> None:
    chosen = design("barrett", width=8)
    chosen.contract.modulus.check(130)
    with pytest.raises(OperandError, match="0x81"):
        chosen.contract.modulus.check(127)


@pytest.mark.parametrize("width", [2, 577])
def test_illegal_parameters(width: int) -> None:
    with pytest.raises(ParameterError, match="3 to 576"):
        design("barrett", width=width)


def test_columns_are_left_out(tmp_path: Path) -> None:
    """The trees are as wide as the columns that are kept."""
    chosen = design("barrett", width=20)
    modules = elaborated(chosen.hardware, tmp_path)
    trees = [m for name, m in modules.items() if name.startswith("mf_truncated_product")]
    kept = sorted(len(module["ports"]["sum_o"]["bits"]) for module in trees)
    # q n; q with its fraction of 2 bits and log2 of 13 rows; T.
    assert kept == [21, 21 + 2 + 4, 42]


# ---------------------------------------------------------------- RTL


def test_small_design() -> None:
    report = verify(design("barrett", width=7), seed=19, operations=300, chain_length=100)
    assert report.mismatches == 0, report


def test_vectors_are_plain_products(tmp_path: Path) -> None:
    path = tmp_path / "vectors.jsonl"
    path.write_text(json.dumps({"n": "0xc8", "a": "0xc7", "b": "0x96"}))
    report = verify(design("barrett", width=8), vectors=path)
    assert report.answers == (hex(199 * 150 % 200),)
