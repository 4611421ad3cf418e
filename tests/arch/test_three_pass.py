# SPDX-License-Identifier: Apache-2.0
"""``three_pass``: golden model against the digits of the passes, structure, RTL."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from elaborated import adder_rows, elaborated
from montforge.arch import design
from montforge.arch.carry_save_rows import rows_after
from montforge.errors import ParameterError

Form = dict[str, int | str]


def operations(width: int, count: int) -> Iterator[tuple[int, int, int]]:
    """Operands often at their bounds, moduli at both ends of the range."""
    rng = random.Random(19)
    top = 1 << width
    for _ in range(count):
        n = rng.choice((top - 1, top - 3, (top >> 1) + 1, rng.randrange(3, top) | 1, 3))
        a, b = (rng.choice((n - 1, 1 - n, 1, rng.randint(1 - n, n - 1))) for _ in "ab")
        yield a, b, n


def passes(bits: int, issues: int, a: int, b: int, n: int) -> int:
    """The three passes by digits, with the rows as the array adds them; checks its bounds."""
    w = bits // issues
    sign = (4 ** (w // 2) - 1) // 3 << bits  # rows have complemented signs

    def one_pass(value: int, y: int, times: int = 1) -> tuple[int, int]:
        """Return low and high of ``times`` the digits of ``value`` times ``y``."""
        assert -(1 << (bits - 1)) <= y < 1 << (bits - 1)
        low = total = transfer = 0
        for i in range(issues):
            digit = value >> (w * i) & ((1 << w) - 1)
            signed = digit + transfer - (digit >> (w - 1) << w)
            transfer = digit >> (w - 1)
            total = (total >> w) + times * signed * y + sign
            assert 0 <= total < 1 << (bits + w)
            low |= total % (1 << w) << (w * i)
        return low, total >> w

    n_prime = -pow(n, -1, 1 << bits)
    half = 1 << (bits - 1)
    t, high = one_pass(a, b)
    q, _ = one_pass(t, (n_prime + half) % (2 * half) - half)
    u, other = one_pass(q, n, -1)
    assert u == t
    return high - other


@pytest.mark.parametrize("issues", [1, 2, 3, 4, 5, 16])
def test_golden_model_is_the_three_passes_and_the_product(issues: int) -> None:
    for width in (3, 4, 17, 64, 65):
        chosen = design("three_pass", width=width, issues=issues)
        bits = chosen.operand_bits
        assert chosen.contract.closed
        assert chosen.contract.r == 1 << bits > 1 << width
        for a, b, n in operations(width, 100):
            p = chosen.golden(a, b, n)
            assert p == passes(bits, issues, a, b, n)
            assert (p << bits) % n == a * b % n
            assert abs(p) < n


@pytest.mark.parametrize(
    ("issues", "latency", "interval"), [(1, 9, 7), (2, 10, 8), (3, 11, 9), (4, 14, 12), (8, 26, 24)]
)
def test_latency(issues: int, latency: int, interval: int) -> None:
    contract = design("three_pass", width=256, issues=issues).contract
    assert (contract.latency.maximum, contract.interval.maximum) == (latency, interval)


@pytest.mark.parametrize(
    ("parameters", "words"),
    [
        ({"width": 2}, "nearest legal: 3"),
        ({"width": 8, "issues": 0}, "nearest legal: 1"),
        ({"width": 8, "issues": 17}, "nearest legal: 16"),
        ({"width": 8, "levels": 0}, "nearest legal: 1"),
    ],
)
def test_illegal_parameters(parameters: Form, words: str) -> None:
    with pytest.raises(ParameterError, match=words):
        design("three_pass", **parameters)


@pytest.mark.parametrize(("issues", "levels"), [(1, 1), (1, 3), (2, 2), (4, 2)])
def test_the_array_has_a_share_of_the_rows(issues: int, levels: int, tmp_path: Path) -> None:
    """Multiples, rows of adders, and vectors in registers are as many as the parameters say."""
    chosen = design("three_pass", width=40, issues=issues, levels=levels)
    modules = elaborated(chosen.hardware, tmp_path, "proc")
    multiples = [name for name in modules if name.startswith("mf_booth_multiple")]
    terms = -(-41 // (2 * issues))
    assert len(multiples) == terms
    # All vectors become two: rows, ones with the product's high half, and the pair if it repeats.
    assert adder_rows(modules) == terms + 2 + (2 if issues > 1 else 0) - 2
    (array,) = (module for name, module in modules.items() if name.startswith("mf_pass_array"))
    kept = rows_after(terms + 2, 2 * levels)
    assert len(array["netnames"]["vectors_q"]["bits"]) == kept * (2 * terms * (issues + 1))
