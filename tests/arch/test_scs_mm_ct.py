# SPDX-License-Identifier: Apache-2.0
"""scs_mm_ct: products, and one number of cycles for all operands."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from montforge.arch import design
from montforge.errors import ParameterError
from montforge.generate import generate
from montforge.verify import build_bench
from montforge.verify.bench import Request


def unlike_operations(width: int) -> list[tuple[int, int, int]]:
    """Operands that make a data-dependent design of this family as fast or as slow as can be.

    Zeros, ones, single bits, no or all iterations skipped, the longest carry chains in 4b + N-hat
    and in the result's conversion, for dense, sparse and random moduli.
    """
    top = 1 << width
    rng = random.Random(5)
    operations = []
    for n in (3, top - 1, top - 3, (top >> 1) + 1, rng.getrandbits(width) | 1):
        values = {0, 1, 2, n - 1, n, 2 * n - 1, top >> 1, (top >> 1) - 1, (top - 1) // 3}
        values |= {2 * top - n, 2 * top - 2 * n, -(n + 1) // 4 % top, rng.randrange(2 * n)}
        legal = sorted(x for x in values if 0 <= x < 2 * n)
        operations += [(a, b, n) for a in legal for b in legal]
    return operations


@pytest.mark.parametrize("block", (3, 65))
def test_block_outside_its_range_is_refused(block: int) -> None:
    with pytest.raises(ParameterError, match=r"block .* 4 to 64"):
        design("scs_mm_ct", block=block)


@pytest.mark.parametrize(
    ("width", "block", "cycles"),
    ((256, 16, 299), (1024, 16, 1069), (1024, 8, 1053), (1024, 64, 1163), (13, 16, 56)),
)
def test_latency(width: int, block: int, cycles: int) -> None:
    latency = design("scs_mm_ct", width=width, block=block).contract.latency
    assert latency.is_fixed
    assert latency.minimum == cycles


def test_golden_model_is_the_product_within_the_bound() -> None:
    chosen = design("scs_mm_ct", width=4)
    contract = chosen.contract
    for n in range(3, 16, 2):
        for a in range(2 * n):
            for b in range(2 * n):
                p = chosen.golden(a, b, n)
                assert p % n == contract.residue(a, b, n)
                assert contract.result_bound.contains(p, n)


@pytest.mark.parametrize(("width", "block"), ((3, 4), (33, 7)))
def test_rtl_has_one_latency(width: int, block: int) -> None:
    chosen = design("scs_mm_ct", width=width, block=block)
    contract = chosen.contract
    operations = unlike_operations(width)
    requests = [Request(chosen.encode(*operation)) for operation in operations]
    responses = build_bench(chosen).run(requests).responses
    assert {r.latency for r in responses} == {contract.latency.minimum + contract.handover}
    assert {r.gap for r in responses[1:]} == {contract.interval.minimum}
    for operation, response in zip(operations, responses, strict=True):
        assert contract.result_encoding.decode(response.vectors) == chosen.golden(*operation)


def test_those_operands_do_differ() -> None:
    """The sister design, whose time depends on data, takes many times on the same operands."""
    skipping = design("scs_mm_skip", width=33)
    cycles = {skipping.cycles(*operation) for operation in unlike_operations(33)}
    assert len(cycles) > 20
    assert max(cycles) > 2 * min(cycles)


def test_datasheet_says_constant_time(tmp_path: Path) -> None:
    folder = generate(design("scs_mm_ct", width=8, block=4), tmp_path / "core")
    text = (folder / "README.md").read_text()
    assert "constant time" in text
    assert "the same for all operands and all moduli" in text
