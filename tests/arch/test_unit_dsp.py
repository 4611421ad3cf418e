# SPDX-License-Identifier: Apache-2.0
"""``unit_dsp``: models against the recurrence and the schedule of cycles, structure, RTL."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from elaborated import elaborated
from montforge.arch import design
from montforge.errors import ParameterError

Form = dict[str, int | str]


ONE_ROW: Form = {}
TWO_ROWS: Form = {"rows": 2}
HALF_A_ROW: Form = {"folding": 2}
CASCADE: Form = {"sums": "cascade"}
ROWS = (ONE_ROW, TWO_ROWS, HALF_A_ROW, CASCADE)
DELAY = (2, 4, 1, 2)
"""Words by which the modulus is scaled, by ROWS."""


def recurrence(width: int, w: int, delay: int, a: int, b: int, n: int) -> int:
    """Section 1 of the specification, unsigned, on values; checks the bounds."""
    scale = delay * w
    n_inverse = -pow(n, -1, 1 << scale) % (1 << scale)
    n_bar = (n * n_inverse + 1) >> scale
    assert 0 < n_bar <= n
    k = -(-(width + scale + 2) // w)
    y, u = 0, [0] * (delay - 1)  # u[t + delay - 1] is u_t
    for t in range(k + delay):
        u.append(y % (1 << w))
        y = (y >> w) + (a >> (w * t)) % (1 << w) * b + u[t] * n_bar
    assert a >> (w * k) == 0
    low = sum(word << (w * i) for i, word in enumerate(u[len(u) - delay + 1 :]))
    return (y << (w * (delay - 1))) + low


def columns(width: int, w: int, a: int, b: int, n: int) -> int:
    """The words of `mf_unit_column`, cycle by cycle; checks that they carry 2 at most."""
    n_bar = design("unit_dsp", width=width, word=w).constants(n)["n_scaled"]
    words, k = -(-(width + 2 * w + 1) // w), -(-(width + 2 * w + 2) // w)
    mask = (1 << w) - 1

    def step(addend: list[int], x: int, operand: int, carries: list[int]) -> list[int]:
        products = [x * (operand >> (w * i) & mask) for i in range(words)]
        low, high = [p & mask for p in products] + [0], [0] + [p >> w for p in products]
        found = [sum(terms) for terms in zip(addend, low, high, carries, strict=True)]
        assert max(found) >> w <= 2
        return found

    def value(terms: list[int]) -> int:
        return sum(term << (w * i) for i, term in enumerate(terms))

    column, u = [0] * (words + 1), [0]  # u[t + 1] is u_t
    shifted, added = [0] * (words + 1), [0] * (words + 1)  # carries
    for t in range(k):
        u.append(column[0] & mask)
        column = step([c & mask for c in [*column[1:], 0]], a >> (w * t) & mask, b, shifted)
        shifted = [c >> w for c in column]
        column = step([c & mask for c in column], u[t], n_bar, added)
        added = [c >> w for c in column]
    tail, lowest = column, 0
    for x in (u[k], column[0] & mask):
        lowest, carries = tail[0] & mask, [c >> w for c in tail]
        tail = step([c & mask for c in [*tail[1:], 0]], x, n_bar, carries)
    return (value(tail) << w) + lowest + value(shifted)


def two_rows(width: int, w: int, a: int, b: int, n: int) -> int:
    """The words of `mf_unit_dsp_two`, cycle by cycle; checks that they carry 4 at most."""
    n_bar = design("unit_dsp", width=width, word=w, rows=2).constants(n)["n_scaled"]
    words, k = -(-(width + 4 * w + 1) // w), -(-(width + 4 * w + 2) // w)
    mask = (1 << w) - 1

    def halves(x: int, operand: int) -> list[int]:
        products = [x * (operand >> (w * i) & mask) for i in range(words)]
        low, high = [p & mask for p in products] + [0], [0] + [p >> w for p in products]
        return [sum(terms) for terms in zip(low, high, strict=True)]

    column, u = [0] * (words + 1), [0, 0, 0]  # u[t + 3] is u_t
    for t in range(k + 4):
        u.append(column[0] & mask)
        above = [c & mask for c in [*column[1:], 0]]
        x, carries = a >> (w * t) & mask, [c >> w for c in column]
        terms = (above, carries, halves(x, b), halves(u[t], n_bar))
        column = [sum(each) for each in zip(*terms, strict=True)]
        assert max(column) >> w <= 4
    low = sum(word << (w * i) for i, word in enumerate(u[-3:]))
    return (sum(c << (w * i) for i, c in enumerate(column)) << (3 * w)) + low


def half_a_row(width: int, w: int, a: int, b: int, n: int) -> int:
    """The columns of `mf_unit_dsp_half`, cycle by cycle; checks that they carry 4 at most."""
    n_bar = design("unit_dsp", width=width, word=w, folding=2).constants(n)["n_scaled"]
    half, k = -(-(width + w + 1) // (2 * w)), -(-(width + w + 2) // w)
    words, mask = 2 * half, (1 << w) - 1

    def sums(x: int, operand: int) -> list[int]:
        products = [x * (operand >> (w * i) & mask) for i in range(words)]
        low, high = [p & mask for p in products] + [0], [0] + [p >> w for p in products]
        return [sum(terms) for terms in zip(low, high, strict=True)]

    def added(column: list[int], terms: list[int], first: int, last: int) -> list[int]:
        return [
            c + x * (first <= i < last) for i, (c, x) in enumerate(zip(column, terms, strict=True))
        ]

    column = [0] * (words + 1)
    for t in range(k + 1):
        u, x = column[0] & mask, a >> (w * t) & mask
        assert t > 0 or u == 0
        link = column[half] & mask
        above = [c & mask for c in [*column[1:], 0]]
        above[half - 1] = 0  # the link comes two cycles after the others
        column = [word + (c >> w) for word, c in zip(above, column, strict=True)]
        column = added(column, sums(x, b), 0, half)
        column[half - 1] += link
        column = added(column, sums(x, b), half, words + 1)
        column = added(column, sums(u, n_bar), 0, words + 1)
        assert max(column) >> w <= 4
    return sum(c << (w * i) for i, c in enumerate(column))


def cascade(width: int, w: int, a: int, b: int, n: int) -> int:
    """The two sums of `mf_unit_dsp_cascade`, word by word; checks that a block's sum fits."""
    n_bar = design("unit_dsp", width=width, word=w, sums="cascade").constants(n)["n_scaled"]
    words, k = -(-(width + 2 * w + 1) // w), -(-(width + 2 * w + 2) // w)
    mask = (1 << w) - 1

    def step(before: list[int], x: int, operand: int) -> list[int]:
        found, below = [], 0
        for i in range(words):
            below = x * (operand >> (w * i) & mask) + before[i + 1] + (below >> w)
            assert below < 1 << 2 * w
            found.append(below & mask)
        return [*found, below >> w]

    of_b = of_n = of_n_before = [0] * (words + 1)  # V(t), W(t), W(t - 1)
    u, carry = 0, 0
    for t in range(k + 2):
        if t == k:
            kept = of_b[1:]
        if t == k + 1:
            lowest, last_carry = of_n[0], carry
        before, u = u, of_b[0] + of_n[0] + carry
        carry, u = u >> w, u & mask
        assert carry <= 1
        assert t > 0 or u == 0
        of_b = step(of_b, a >> (w * t) & mask, b)
        of_n_before, of_n = of_n, step(of_n, before, n_bar)
    assert of_n_before[0] == lowest
    found, carry = 0, last_carry
    for i, terms in enumerate(zip(kept, [lowest, *of_n], strict=False)):
        total = sum(terms) + carry
        found, carry = found + ((total & mask) << (w * i)), total >> w
    return found


def operations(width: int, w: int, count: int, scale: int = 2) -> Iterator[tuple[int, int, int]]:
    """Operands often at their bounds, moduli at both ends of the range."""
    rng = random.Random(19)
    top = 1 << width
    for _ in range(count):
        n = rng.choice((top - 1, top - 3, (top >> 1) + 1, rng.randrange(3, top) | 1, 3))
        most = (n << (scale * w + 1)) - 1
        a, b = (rng.choice((most, n, 1, rng.randint(0, most), most >> w << w)) for _ in "ab")
        yield a, b, n


@pytest.mark.parametrize(("rows", "delay"), list(zip(ROWS, DELAY, strict=True)))
@pytest.mark.parametrize("word", [3, 4, 9, 17, 18, 24])
def test_golden_model_is_the_recurrence_and_the_product(word: int, rows: Form, delay: int) -> None:
    for width in (3, 4, 5, 8, 64, 65, 255, 256):
        chosen = design("unit_dsp", width=width, word=word, **rows)
        contract = chosen.contract
        for a, b, n in operations(width, word, 40, delay):
            p = chosen.golden(a, b, n)
            assert p == recurrence(width, word, delay, a, b, n)
            assert (p * contract.r - a * b) % n == 0
            assert contract.result_bound.contains(p, n)
        assert contract.closed


@pytest.mark.parametrize("word", [3, 18])
def test_columns_of_words_have_the_value_of_the_recurrence(word: int) -> None:
    for width in (3, 8, 65, 256):
        for a, b, n in operations(width, word, 20):
            assert columns(width, word, a, b, n) == recurrence(width, word, 2, a, b, n)
            assert cascade(width, word, a, b, n) == recurrence(width, word, 2, a, b, n)
        for a, b, n in operations(width, word, 20, 4):
            assert two_rows(width, word, a, b, n) == recurrence(width, word, 4, a, b, n)
        for a, b, n in operations(width, word, 20, 1):
            assert half_a_row(width, word, a, b, n) == recurrence(width, word, 1, a, b, n)


@pytest.mark.parametrize(
    ("form", "latency", "interval", "multipliers"),
    [
        ({"width": 256}, 44, 34, 17),
        ({"width": 256, "word": 17}, 46, 36, 18),
        ({"width": 255}, 44, 34, 17),
        ({"width": 1024}, 128, 118, 59),
        ({"width": 3, "word": 3}, 18, 12, 4),
        ({"width": 256, "rows": 2}, 30, 32, 34),
        ({"width": 1024, "rows": 2}, 72, 74, 118),
        ({"width": 256, "folding": 2}, 74, 76, 8),
        ({"width": 1024, "folding": 2}, 242, 244, 29),
        ({"width": 256, "word": 17, "sums": "cascade"}, 60, 36, 18),
        ({"width": 1024, "word": 17, "sums": "cascade"}, 195, 126, 63),
        ({"width": 3, "word": 3, "sums": "cascade"}, 18, 10, 4),
    ],
    ids=lambda value: str(value),
)
def test_cycles_and_multipliers(form: Form, latency: int, interval: int, multipliers: int) -> None:
    contract = design("unit_dsp", **form).contract
    assert (contract.latency.minimum, contract.latency.maximum) == (latency, latency)
    assert (contract.interval.minimum, contract.interval.maximum) == (interval, interval)
    assert f"{multipliers} multipliers" in " ".join(contract.notes)


@pytest.mark.parametrize("rows", [ONE_ROW, CASCADE])
@pytest.mark.parametrize("width", [128, 256, 1024, 4096])
def test_back_to_back_a_row_has_a_product_in_every_cycle(width: int, rows: Form) -> None:
    """K words of a and K of the quotient in the interval, which `verify` finds in the RTL."""
    contract = design("unit_dsp", width=width, **rows).contract
    digits = (contract.r.bit_length() - 1) // 18
    assert 2 * digits >= 0.95 * contract.interval.maximum
    assert f"{2 * digits} of the {contract.interval.maximum} cycles" in " ".join(contract.notes)


@pytest.mark.parametrize(
    ("parameters", "words"),
    [
        ({"word": 2}, "3 to 24"),
        ({"rows": 3}, "one of 1, 2"),
        ({"rows": 2, "folding": 2}, "rows .* 1"),
        ({"word": 25}, "3 to 24"),
        ({"word": 19, "multiplier": "ecp5"}, "nearest legal: 18"),
        ({"word": 18, "multiplier": "dsp48e2"}, "nearest legal: 17"),
        ({"sums": "cascade", "rows": 2}, "nearest legal: logic"),
        ({"sums": "cascade", "folding": 2}, "nearest legal: logic"),
        ({"sums": "cascade", "word": 16, "multiplier": "dsp48e2"}, "dsp48e2 with word = 17"),
        ({"sums": "cascade", "multiplier": "ecp5"}, "dsp48e2 with word = 17"),
    ],
)
def test_illegal_parameters(parameters: Form, words: str) -> None:
    with pytest.raises(ParameterError, match=words):
        design("unit_dsp", **parameters)


@pytest.mark.parametrize(
    ("word", "multiplier", "block", "rows", "number"),
    [
        (18, "ecp5", "MULT18X18D", ONE_ROW, 6),
        (17, "dsp48e2", "DSP48E2", ONE_ROW, 6),
        (18, "ecp5", "MULT18X18D", TWO_ROWS, 12),
        (18, "ecp5", "MULT18X18D", HALF_A_ROW, 3),
        (17, "dsp48e2", "DSP48E2", CASCADE, 6),
    ],
)
def test_one_multiplier_for_each_word(
    word: int, multiplier: str, block: str, rows: Form, number: int, tmp_path: Path
) -> None:
    """There are as many blocks as the contract says, and no other product."""
    chosen = design("unit_dsp", width=64, word=word, multiplier=multiplier, **rows)
    assert f"{number} multipliers" in " ".join(chosen.contract.notes)
    modules = elaborated(chosen.hardware, tmp_path, "flatten")
    kinds = [
        cell["type"]
        for module in modules.values()
        if not int(module["attributes"].get("blackbox", "0"), 2)
        for cell in module["cells"].values()
    ]
    assert sum(block in kind for kind in kinds) == number
    assert "$mul" not in kinds
