# SPDX-License-Identifier: Apache-2.0
"""``unit_chain``: golden model against the recurrence and the words of each cycle, structure."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from elaborated import elaborated
from montforge.arch import design
from montforge.errors import ParameterError
from montforge.verify import verify

Form = dict[str, int | str]

FORMS = ((2, 4), (2, 16), (4, 12), (4, 16), (8, 32), (8, 40), (16, 80))
"""Digits and words."""


def recurrence(width: int, w: int, a: int, b: int, n: int) -> int:
    """The loop on values, without words; checks the bound of Y."""
    levels = w.bit_length() - 1
    scale, mask = w * (levels + 2), (1 << w) - 1
    n_bar = (n * (-pow(n, -1, 1 << scale) % (1 << scale)) + 1) >> scale
    assert 0 < n_bar <= n
    k = -(-(width + scale + 2) // w)
    y, u = 0, [0] * (levels + 1)  # of times before 0
    for t in range(k + levels + 2):
        u.append(y & mask)
        y = (y >> w) + (a >> (w * t) & mask) * b + u[t] * n_bar
        assert y < 1 << (width + scale + w + 2)
    return (y << (w * (levels + 1))) + sum(
        u[-1 - i] << (w * (levels - i)) for i in range(levels + 1)
    )


def add(x: int, y: int, carries: int, m: int, words: int) -> tuple[int, int]:
    """Add two numbers word by word; bit j of ``carries`` enters word j. Return sum and carries."""
    total = out = 0
    for j in range(words):
        low = m * j
        word = (x >> low & ((1 << m) - 1)) + (y >> low & ((1 << m) - 1)) + (carries >> j & 1)
        total |= (word & ((1 << m) - 1)) << low
        out |= (word >> m) << j
    assert not (x | y) >> (m * words)
    return total, out


def words_of_cycles(width: int, w: int, m: int, a: int, b: int, n: int) -> tuple[int, int]:
    """Rows, sums and Y in words, cycle by cycle; return p and the carries that were late.

    A sum is (value, carries, lowest row, level); the carries of a step are kept with the time at
    which they may enter, k steps later.
    """
    levels, k = w.bit_length() - 1, m // w
    scale = w * (levels + 2)
    n_bar = (n * (-pow(n, -1, 1 << scale) % (1 << scale)) + 1) >> scale
    digits = -(-(width + scale + 2) // w)
    ends = -(-(width + scale + w + levels + 2) // m) + 1
    steps = digits + levels + 2 + k
    y, low, late = 0, 0, 0
    u = [0] * (levels + 1)
    enters: dict[tuple[int, int], int] = {}  # step and row (-1: Y): carries
    for t in range(steps):
        digit = y & ((1 << w) - 1)
        u.append(digit if t <= digits else 0)
        if t > digits:
            low |= digit << (w * (t - digits - 1))
        d, q = a >> (w * t) & ((1 << w) - 1), u[t]
        sums = [
            add(b * (d >> j & 1), n_bar * (q >> j & 1), enters.pop((t, j), 0), m, ends)
            for j in range(w)
        ]
        for level in range(levels):
            joined = []
            for i in range(0, len(sums), 2):
                (lower, carries), (upper, kept) = sums[i : i + 2]
                enters[t + k, i << level | 1 << level] = kept
                late += kept.bit_count()
                joined.append(add(lower, upper << (1 << level), carries << 1, m, ends))
            sums = joined
        ((value, kept),) = sums
        enters[t + k, 0] = kept
        y, own = add(y >> w, value, enters.pop((t, -1), 0), m, ends)
        enters[t + k, -1] = own
        late += kept.bit_count() + own.bit_count()
    for (step, row), carries in enters.items():
        assert row == -1 or not carries, "only Y's own carries are on their way"
        for j in range(ends):
            y += (carries >> j & 1) << (m * j + w * (step - steps + 1))
    return (y << (w * (levels + 1 + k))) + low, late


def operations(width: int, scale: int, count: int) -> Iterator[tuple[int, int, int]]:
    """Operands often at their bounds, moduli at both ends of the range."""
    rng = random.Random(19)
    top = 1 << width
    for _ in range(count):
        n = rng.choice((top - 1, top - 3, (top >> 1) + 1, rng.randrange(3, top) | 1, 3))
        most = (n << (scale + 1)) - 1
        a, b = (rng.choice((most, most - 1, n, 1, rng.randint(0, most))) for _ in "ab")
        yield a, b, n


@pytest.mark.parametrize(("digit", "chain"), FORMS)
def test_golden_model_is_the_recurrence_the_words_and_the_product(digit: int, chain: int) -> None:
    late = 0
    for width in (3, 5, 8, 33, 65, 256):
        chosen = design("unit_chain", width=width, digit=digit, chain=chain)
        contract = chosen.contract
        scale = digit * (digit.bit_length() + 1)
        for a, b, n in operations(width, scale, 20):
            p = chosen.golden(a, b, n)
            assert p == recurrence(width, digit, a, b, n)
            found, carries = words_of_cycles(width, digit, chain, a, b, n)
            assert found == p
            late += carries
            assert (p * contract.r - a * b) % n == 0
            assert contract.result_bound.contains(p, n)
        assert contract.closed
    assert late > 100


@pytest.mark.parametrize(
    ("form", "cycles"),
    [
        ({"width": 256}, 85),
        ({"width": 256, "digit": 2}, 150),
        ({"width": 256, "digit": 8, "chain": 32}, 56),
        ({"width": 1024, "chain": 12}, 276),
    ],
    ids=str,
)
def test_latency(form: Form, cycles: int) -> None:
    latency = design("unit_chain", **form).contract.latency
    assert (latency.minimum, latency.maximum) == (cycles, cycles)


@pytest.mark.parametrize(
    ("parameters", "words"),
    [
        ({"digit": 3}, "one of 2, 4, 8, 16"),
        ({"chain": 14}, "multiple of digit = 4, at least 12"),
        ({"chain": 8}, "multiple of digit = 4, at least 12"),
        ({"digit": 16}, "multiple of digit = 16, at least 80"),
        ({"chain": 260}, "4 to 256"),
        ({"adder": "dsp"}, "Known: ecp5, generic"),
    ],
)
def test_illegal_parameters(parameters: Form, words: str) -> None:
    with pytest.raises(ParameterError, match=words):
        design("unit_chain", **parameters)


def test_rows_take_no_cell_but_those_of_their_chains(tmp_path: Path) -> None:
    """On an ECP5 the cells of a word's chain make its operands."""
    chosen = design("unit_chain", width=64, adder="ecp5")
    modules = elaborated(chosen.hardware, tmp_path)
    words = [cells for name, cells in modules.items() if name.startswith("mf_chain_adder_ecp5")]
    assert words
    for module in words:
        width = len(module["ports"]["sum_o"]["bits"])
        types = [cell["type"] for cell in module["cells"].values()]
        assert types == ["CCU2C"] * ((width + 1) // 2)


@pytest.mark.parametrize("adder", ["generic", "ecp5"])
def test_carries_between_all_words(adder: str) -> None:
    """Short words at several widths: each place of a carry, and carries through words of ones."""
    for width in (19, 34):
        chosen = design("unit_chain", width=width, digit=2, chain=4, adder=adder)
        assert not verify(chosen, operations=2000, seed=3).mismatches
