# SPDX-License-Identifier: Apache-2.0
"""``bipartite``: both halves of the golden model and their bounds, structure, RTL."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from elaborated import adder_rows, elaborated
from montforge.arch import design
from montforge.arch.carry_save_rows import booth_rows, reduced
from montforge.errors import OperandError, ParameterError

Form = dict[str, int | str]


def operations(width: int, digit: int, count: int) -> Iterator[tuple[int, int, int]]:
    """Operands often at their bounds, moduli at both ends of the range."""
    rng = random.Random(19)
    low, top = 1 << (width - 1), 1 << width
    for _ in range(count):
        n = rng.choice((top - 1, top - 3, low + 1, low + 3, rng.randrange(low + 1, top) | 1))
        most = (n << (2 * digit - 1)) - 1
        a, b = (rng.choice((most, -most, n, 1, rng.randint(-most, most))) for _ in "ab")
        yield a, b, n


def lower_half(width: int, w: int, a: int, b: int, n: int, upper: tuple[int, int]) -> int:
    """The loop from the bottom on values, with what the upper half adds in two of its steps."""
    scale, count = 2 * w, -(-(width + 2 * w) // w) // 2 + 1
    half = 1 << (scale - 1)
    n_bar = (n * ((-pow(n, -1, 2 * half) + half) % (2 * half) - half) + 1) >> scale
    assert 2 * abs(n_bar) <= n
    last = count + 3  # K
    y = transfer = carry = late = 0
    for t in range(last + 2):
        u = y % (1 << w)
        if t == last + 1:
            u += transfer  # r(K) is a part of the result
            carry, low = u >> w, u % (1 << w)
        else:
            q = u + transfer - (u >> (w - 1) << w)
            transfer = u >> (w - 1)
        if t < count:
            x = a >> (w * t) & ((1 << w) - 1)
            x -= (x >> (w - 1)) << w
            x += (a >> (w * t - 1) & 1) if t else 0
            x *= b
        else:
            x = upper[t - count] if t < count + 2 else 0
        y = (y >> w) + x + late * n_bar
        assert abs(y) < 1 << (width + scale + w + 1)
        late = q
    return ((y + carry) << w) + low


@pytest.mark.parametrize("digit", [3, 4, 5, 8, 11, 24])
def test_golden_model_is_both_loops_and_the_product(digit: int) -> None:
    for width in (3, 4, 5, 8, 33, 64, 65, 256):
        chosen = design("bipartite", width=width, digit=digit)
        contract, column = chosen.contract, width + 2 * digit - 2
        split = digit * (-(-(width + 2 * digit) // digit) // 2 + 1)
        for a, b, n in operations(width, digit, 25):
            p, upper = chosen.golden(a, b, n), chosen.upper_half(a, b, n)
            high = (a >> split) + (a >> (split - 1) & 1)
            assert (upper - high * b) % n == 0
            assert abs(upper) < 1 << (column + 2 * digit + 2)
            # Where Z ends and h begins is of no effect on the sum.
            z = upper % (1 << (column + digit))
            assert p == lower_half(width, digit, a, b, n, (z, (upper - z) >> digit))
            assert (p * contract.r - a * b) % n == 0
            assert contract.result_bound.contains(p, n)
        assert contract.closed


def test_rows_and_tree_keep_the_sum() -> None:
    rng = random.Random(19)
    for _ in range(300):
        x_bits, digit_bits = rng.randint(4, 30), rng.randint(3, 12)
        bits = x_bits + 2 * ((digit_bits + 1) // 2) + rng.randint(0, 5)
        x = rng.randrange(-1 << (x_bits - 1), 1 << (x_bits - 1))
        pattern = rng.randrange(2 << digit_bits)
        digit = (pattern >> 1) - (pattern >> digit_bits << digit_bits) + (pattern & 1)
        rows, ones = booth_rows(x, x_bits, pattern, digit_bits, bits)
        pair = reduced((*rows, 0, 0), ones, bits, late=2, lateness=4)
        assert (sum(pair) - digit * x) % (1 << bits) == 0


@pytest.mark.parametrize(
    ("form", "cycles"),
    [
        ({"width": 256, "digit": 8}, 27),
        ({"width": 256, "digit": 7}, 29),
        ({"width": 256, "digit": 16}, 19),
        ({"width": 1024, "digit": 8}, 75),
    ],
    ids=str,
)
def test_latency(form: Form, cycles: int) -> None:
    latency = design("bipartite", **form).contract.latency
    assert (latency.minimum, latency.maximum) == (cycles, cycles)


@pytest.mark.parametrize(
    ("parameters", "words"), [({"digit": 2}, "3 to 24"), ({"group": 65}, "4 to 64")]
)
def test_illegal_parameters(parameters: Form, words: str) -> None:
    with pytest.raises(ParameterError, match=words):
        design("bipartite", **parameters)


def test_a_shorter_modulus_is_refused() -> None:
    chosen = design("bipartite", width=8)
    chosen.contract.modulus.check(129)
    with pytest.raises(OperandError, match="0x81"):
        chosen.contract.modulus.check(127)


@pytest.mark.parametrize("digit", [4, 7])
def test_rows_of_both_halves(digit: int, tmp_path: Path) -> None:
    """As many rows of full adders as multiples; the digit on top has three bits more."""
    chosen = design("bipartite", width=20, digit=digit)
    modules = elaborated(chosen.hardware, tmp_path)
    kinds: list[str] = []

    def visit(name: str) -> None:
        for cell in modules[name]["cells"].values():
            if cell["type"] in modules:
                kinds.append(modules[cell["type"]]["attributes"].get("hdlname", cell["type"]))
                visit(cell["type"])

    visit(next(name for name, m in modules.items() if "top" in m["attributes"]))
    multiples = [kind for kind in kinds if kind.startswith("mf_booth_multiple")]
    terms = (digit + 1) // 2
    assert len(multiples) == adder_rows(kinds) == 3 * terms + (digit + 4) // 2
