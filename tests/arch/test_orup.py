# SPDX-License-Identifier: Apache-2.0
"""``orup``: golden model against the published recurrence, structure, RTL."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import product
from pathlib import Path

import pytest

from elaborated import adder_rows, elaborated
from montforge.arch import design
from montforge.errors import ParameterError

Form = dict[str, int | str]


def recurrence(width: int, k: int, d: int, a: int, b: int, n: int) -> int:
    """The paper's loop on values; checks its bound of the accumulator."""
    scale = k * (d + 1)
    m_tilde = n * (-pow(n, -1, 1 << scale) % (1 << scale))
    n_bar = (m_tilde + 1) >> scale
    assert 0 < n_bar <= n
    m = -(-(width + scale + 2) // k)
    assert 4 * m_tilde < 1 << (k * m)
    assert a < 1 << (k * m)
    s, q = 0, [0] * d  # q_(-d) to q_(-1), then q_0 on
    for i in range(m + d + 1):
        q.append(s % (1 << k))
        s = (s >> k) + q[i] * n_bar + (a >> (k * i) & ((1 << k) - 1)) * b
        assert s < 1 << (width + scale + k + 2)
    return (s << (k * d)) + sum(q[d + m + 1 + j] << (k * j) for j in range(d))


def operations(width: int, scale: int, count: int) -> Iterator[tuple[int, int, int]]:
    """Operands often at their bounds, moduli at both ends of the range."""
    rng = random.Random(19)
    top = 1 << width
    for _ in range(count):
        n = rng.choice((top - 1, top - 3, (top >> 1) + 1, rng.randrange(3, top) | 1, 3))
        most = (n << (scale + 1)) - 1
        a, b = (rng.choice((most, most - 1, n, 1, rng.randint(0, most))) for _ in "ab")
        yield a, b, n


@pytest.mark.parametrize(("digit", "delay"), list(product((1, 2, 3, 4, 7, 8, 24), (0, 1, 2))))
def test_golden_model_is_the_recurrence_and_the_product(digit: int, delay: int) -> None:
    for width in (3, 4, 5, 8, 33, 64, 65, 256):
        chosen = design("orup", width=width, digit=digit, delay=delay)
        contract = chosen.contract
        for a, b, n in operations(width, digit * (delay + 1), 25):
            p = chosen.golden(a, b, n)
            assert p == recurrence(width, digit, delay, a, b, n)
            assert (p * contract.r - a * b) % n == 0
            assert contract.result_bound.contains(p, n)
        assert contract.closed


@pytest.mark.parametrize("digit", [3, 8])
def test_the_papers_bound_is_closed(digit: int) -> None:
    """Operands of up to 2 M~ give a result below 2 M~."""
    width, scale = 16, 2 * digit
    chosen = design("orup", width=width, digit=digit)
    for _, _, n in operations(width, scale, 200):
        most = 2 * n * (-pow(n, -1, 1 << scale) % (1 << scale))
        assert chosen.golden(most, most, n) < most


@pytest.mark.parametrize(
    ("form", "cycles"),
    [
        ({"width": 256, "digit": 8}, 41),
        ({"width": 256, "digit": 7}, 45),
        ({"width": 256, "digit": 8, "delay": 0}, 39),
        ({"width": 1024, "digit": 8, "delay": 2}, 139),
    ],
    ids=str,
)
def test_latency(form: Form, cycles: int) -> None:
    latency = design("orup", **form).contract.latency
    assert (latency.minimum, latency.maximum) == (cycles, cycles)


@pytest.mark.parametrize(
    ("parameters", "words"),
    [
        ({"digit": 0}, "1 to 24"),
        ({"digit": 25}, "1 to 24"),
        ({"delay": 3}, "one of 0, 1, 2"),
        ({"group": 3}, "4 to 64"),
    ],
)
def test_illegal_parameters(parameters: Form, words: str) -> None:
    with pytest.raises(ParameterError, match=words):
        design("orup", **parameters)


@pytest.mark.parametrize(("digit", "delay"), [(1, 0), (4, 1), (7, 2)])
def test_rows_are_those_of_nonnegative_digits(digit: int, delay: int, tmp_path: Path) -> None:
    """Each digit is recoded by itself: an even one has a row more than its bits need."""
    chosen = design("orup", width=20, digit=digit, delay=delay)
    names = elaborated(chosen.hardware, tmp_path)
    multiples = [name for name in names if name.startswith("mf_booth_multiple")]
    assert len(multiples) == adder_rows(names) == 2 * (digit // 2 + 1)
