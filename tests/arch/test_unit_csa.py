# SPDX-License-Identifier: Apache-2.0
"""``unit_csa``: models against the recurrence of the specification, structure, RTL."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from itertools import product
from pathlib import Path

import pytest

from elaborated import adder_rows, elaborated
from montforge.arch import design
from montforge.errors import ParameterError

Form = dict[str, int | str]


def signed_digits(value: int, digits: int, w: int) -> list[int]:
    """The digits of ``value``, each with what the digit below moves up."""
    found, transfer = [], 0
    for i in range(digits):
        u = value >> (w * i) & ((1 << w) - 1)
        found.append(u + transfer - (u >> (w - 1) << w))
        transfer = u >> (w - 1)
    return found


def recurrence(width: int, w: int, delay: int, a: int, b: int, n: int) -> int:
    """Section 1 of the specification, on values; checks the bound of the pair."""
    scale = w * delay
    n_inverse = (-pow(n, -1, 1 << scale)) % (1 << scale)
    n_inverse -= (n_inverse >> (scale - 1)) << scale
    n_bar = (n * n_inverse + 1) >> scale
    assert 2 * abs(n_bar) <= n
    k = -(-(width + scale) // w)
    d = signed_digits(a, k, w)
    assert sum(x << (w * i) for i, x in enumerate(d)) == a
    y = transfer = 0
    q, u = [], []
    for t in range(k + delay):
        u.append(y % (1 << w))
        q.append(u[t] + transfer - (u[t] >> (w - 1) << w))
        if t <= k:
            transfer = u[t] >> (w - 1)
        late = t - delay + 1
        y = y >> w
        y += (d[t] * b if t < k else 0) + (q[late] * n_bar if 0 <= late <= k else 0)
        assert abs(y) < 1 << (width + scale + w - 1)
    kept = sum(u[k + 1 + i] << (w * i) for i in range(delay - 1))
    return (y << (w * (delay - 1))) + kept + transfer


def operations(width: int, scale: int, count: int) -> Iterator[tuple[int, int, int]]:
    """Operands often at their bounds, moduli at both ends of the range."""
    rng = random.Random(19)
    top = 1 << width
    for _ in range(count):
        n = rng.choice((top - 1, top - 3, (top >> 1) + 1, rng.randrange(3, top) | 1, 3))
        most = (n << (scale - 1)) - 1
        a, b = (rng.choice((most, -most, min(n, most), 1, rng.randint(-most, most))) for _ in "ab")
        yield a, b, n


@pytest.mark.parametrize(("digit", "delay"), list(product((2, 3, 4, 7, 8, 16, 24), (2, 3))))
def test_golden_model_is_the_recurrence_and_the_product(digit: int, delay: int) -> None:
    for width in (3, 4, 5, 8, 33, 64, 65, 256):
        chosen = design("unit_csa", width=width, digit=digit, delay=delay)
        contract = chosen.contract
        for a, b, n in operations(width, digit * delay, 40):
            p = chosen.golden(a, b, n)
            assert p == recurrence(width, digit, delay, a, b, n)
            assert (p * contract.r - a * b) % n == 0
            assert contract.result_bound.contains(p, n)
        assert contract.closed


def exact_tail(width: int, w: int, delay: int, a: int, b: int, n: int) -> tuple[int, int]:
    """Section 3 of the specification, on values: the result and the bits of R."""
    scale = w * delay
    digits = -(-(width + 1) // w)
    k = max(1, -(-(width + 2 - scale) // w), digits - delay)
    inverse = (-pow(n, -1, 1 << scale)) % (1 << scale)
    inverse -= (inverse >> (scale - 1)) << scale
    n_bar = (n * inverse + 1) >> scale
    d = signed_digits(a, k + delay, w)
    assert sum(x << (w * i) for i, x in enumerate(d)) == a
    y = transfer = 0
    q, u = [], []
    for t in range(k + delay):
        u.append(y % (1 << w))
        q.append(u[t] + transfer - (u[t] >> (w - 1) << w))
        if t <= k:
            transfer = u[t] >> (w - 1)
        late = t - delay + 1
        y = (y >> w) + d[t] * b + (q[late] * n_bar if 0 <= late <= k else 0)
        assert abs(y) < 1 << (width + scale)
    value = (y << (w * (delay - 1))) + transfer
    value += sum(u[k + 1 + i] << (w * i) for i in range(delay - 1))
    for digit in signed_digits(value * inverse, delay, w):
        assert abs(value + digit * n) < 1 << (width + scale)
        value += digit * n
        assert value % (1 << w) == 0
        value >>= w
    return value, w * k + scale


@pytest.mark.parametrize(("digit", "delay"), list(product((3, 4, 7, 8, 16, 24), (2, 3))))
def test_golden_model_of_the_exact_tail(digit: int, delay: int) -> None:
    for width in (3, 4, 5, 8, 33, 64, 65, 256):
        form: Form = {"width": width, "digit": digit, "delay": delay}
        signed = design("unit_csa", **form, result="signed")
        nonnegative = design("unit_csa", **form, result="nonnegative")
        for a, b, n in operations(width, 1, 40):
            p, r_bits = exact_tail(width, digit, delay, a, b, n)
            assert signed.golden(a, b, n) == p
            assert nonnegative.golden(a, b, n) == p + (n if p < 0 else 0)
            assert abs(p) < n
            assert ((p << r_bits) - a * b) % n == 0
            assert signed.contract.r == nonnegative.contract.r == 1 << r_bits
        assert signed.contract.closed
        assert nonnegative.contract.closed


@pytest.mark.parametrize(
    ("form", "cycles"),
    [
        ({"width": 256, "digit": 8}, 39),
        ({"width": 256, "digit": 4}, 71),
        ({"width": 256, "digit": 16, "delay": 3}, 25),
        ({"width": 1024, "digit": 8}, 135),
        ({"width": 256, "digit": 8, "result": "signed"}, 40),
        ({"width": 256, "digit": 8, "result": "nonnegative"}, 42),
        ({"width": 256, "digit": 8, "delay": 3, "result": "signed"}, 41),
    ],
    ids=lambda value: str(value),
)
def test_latency(form: Form, cycles: int) -> None:
    latency = design("unit_csa", **form).contract.latency
    assert (latency.minimum, latency.maximum) == (cycles, cycles)


@pytest.mark.parametrize(
    ("form", "cycles"),
    [
        ({"width": 256, "digit": 4}, 69),  # 66 digits: 95.7% of the cycles of the rows
        ({"width": 256, "digit": 8}, 37),
        ({"width": 1024, "digit": 8}, 133),  # 130 digits: 97.7%
        ({"width": 256, "digit": 8, "result": "signed"}, 38),
    ],
    ids=lambda value: str(value),
)
def test_interval_below_the_latency(form: Form, cycles: int) -> None:
    contract = design("unit_csa", **form, overlap=1).contract
    alone = design("unit_csa", **form).contract
    assert contract.latency.maximum == alone.latency.maximum + 1
    assert (contract.interval.minimum, contract.interval.maximum) == (cycles, cycles)
    assert alone.interval.maximum == alone.latency.maximum + 2 == cycles + 4


def test_leaving_the_domain() -> None:
    """A result is far above n: the contract says that it takes a division."""
    chosen = design("unit_csa", width=64)
    n = 2**64 - 59
    assert "division" in " ".join(chosen.contract.leaving)
    assert chosen.from_montgomery(chosen.to_montgomery(12345, n), n) == 12345


@pytest.mark.parametrize(
    ("parameters", "words"),
    [
        ({"digit": 1}, "2 to 24"),
        ({"digit": 25}, "2 to 24"),
        ({"delay": 4}, "one of 2, 3"),
        ({"group": 3}, "4 to 64"),
        ({"digit": 2, "result": "signed"}, "nearest legal: 3"),
        ({"overlap": 1, "result": "nonnegative"}, "nearest legal: 0"),
        ({"region": 64}, "region = 64 is not legal with delay = 2: .* third cycle"),
        ({"region": 48, "delay": 3}, "one of 0, 16, 32, 64, 128, 256"),
    ],
)
def test_illegal_parameters(parameters: Form, words: str) -> None:
    with pytest.raises(ParameterError, match=words):
        design("unit_csa", **parameters)


@pytest.mark.parametrize(("digit", "delay"), [(2, 2), (4, 3), (8, 2), (8, 3)])
def test_rows_of_full_adders_are_as_many_as_multiples(
    digit: int, delay: int, tmp_path: Path
) -> None:
    """Every one that completes a negative multiple finds a free place."""
    chosen = design("unit_csa", width=20, digit=digit, delay=delay)
    names = elaborated(chosen.hardware, tmp_path)
    multiples = [name for name in names if name.startswith("mf_booth_multiple")]
    assert len(multiples) == 2 * -(-digit // 2)
    assert adder_rows(names) == len(multiples)


@pytest.mark.parametrize(("region", "regions"), [(16, 3 + 2), (32, 2 + 1), (64, 1 + 1)])
def test_registers_of_regions_outlast_synthesis(region: int, regions: int, tmp_path: Path) -> None:
    """Each has a register of each bit of d (44 columns and more) and q (20), for its columns."""
    chosen = design("unit_csa", width=20, delay=3, region=region)
    passes = ("flatten", "proc", "opt -full", "techmap", "opt -full")
    (cells,) = (
        module["cells"]
        for module in elaborated(chosen.hardware, tmp_path, *passes).values()
        if module["cells"]
    )
    copies = [cell for cell in cells.values() if "keep" in cell["attributes"]]
    assert {cell["type"] for cell in copies} == {"$_DFF_P_"}
    assert len(copies) == regions * 12  # 4 Booth terms of 3 bits
    inputs = Counter(
        bit
        for cell in cells.values()
        for port, bits in cell["connections"].items()
        if cell["port_directions"][port] == "input"
        for bit in bits
    )
    loads = [inputs[cell["connections"]["Q"][0]] for cell in copies]
    assert 0 < min(loads) <= max(loads) <= min(region, 44) + 8  # a last region has more
