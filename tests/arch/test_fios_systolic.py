# SPDX-License-Identifier: Apache-2.0
"""``fios_systolic``: golden model against the words of the published loop, structure, RTL."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from elaborated import elaborated
from montforge.arch import design
from montforge.errors import ParameterError

Form = dict[str, int | str]


def fios(words: int, w: int, a: int, b: int, n: int) -> int:
    """The loop by words; checks what the elements hold."""
    mask = (1 << w) - 1
    n0_prime = -pow(n, -1, 1 << w) & mask
    t = [0] * words
    for i in range(words):
        x = a >> (w * i) & mask
        q = (t[0] + x * (b & mask)) * n0_prime & mask
        total = t[0] + x * (b & mask) + q * (n & mask)
        assert total & mask == 0
        carry = total >> w
        for j in range(1, words):
            assert carry <= 2 * mask
            total = t[j] + x * (b >> (w * j) & mask) + q * (n >> (w * j) & mask) + carry
            t[j - 1], carry = total & mask, total >> w
        assert carry <= mask
        t[words - 1] = carry
        assert sum(word << (w * j) for j, word in enumerate(t)) < 3 * n
    return sum(word << (w * j) for j, word in enumerate(t))


def operations(width: int, count: int) -> Iterator[tuple[int, int, int]]:
    """Operands often at their bounds, moduli at both ends of the range."""
    rng = random.Random(19)
    top = 1 << width
    for _ in range(count):
        n = rng.choice((top - 1, top - 3, (top >> 1) + 1, rng.randrange(3, top) | 1, 3))
        a, b = (rng.choice((2 * n - 1, n, 1, rng.randrange(2 * n))) for _ in "ab")
        yield a, b, n


@pytest.mark.parametrize("word", [3, 4, 8, 16, 17, 128])
def test_golden_model_is_the_loop_and_the_product(word: int) -> None:
    for width in (3, 5, 16, 64, 65, 255):
        chosen = design("fios_systolic", width=width, word=word)
        contract = chosen.contract
        words = (contract.r.bit_length() - 1) // word
        assert contract.r >= 4 << width
        for a, b, n in operations(width, 25):
            p = chosen.golden(a, b, n)
            assert p == fios(words, word, a, b, n)
            assert (p * contract.r - a * b) % n == 0
            assert p < 2 * n
        assert contract.closed


@pytest.mark.parametrize(
    ("width", "word", "cycles"), [(256, 16, 50), (256, 32, 26), (1024, 16, 194), (3, 128, 5)]
)
def test_latency(width: int, word: int, cycles: int) -> None:
    latency = design("fios_systolic", width=width, word=word).contract.latency
    assert (latency.minimum, latency.maximum) == (cycles, cycles)


@pytest.mark.parametrize("word", [2, 129])
def test_illegal_parameters(word: int) -> None:
    with pytest.raises(ParameterError, match="3 to 128"):
        design("fios_systolic", word=word)


def test_an_element_has_one_multiplier(tmp_path: Path) -> None:
    """Those of two words are one more: the quotient's."""
    chosen = design("fios_systolic", width=20, word=6)
    names = elaborated(chosen.hardware, tmp_path)
    assert len([name for name in names if name.startswith("mf_booth_rows")]) == 4 + 1
    assert len([name for name in names if name.startswith("mf_fios_systolic_element")]) == 3
