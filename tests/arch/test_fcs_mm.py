# SPDX-License-Identifier: Apache-2.0
"""What is particular to fcs_mm1, fcs_mm2 and fcs_mmm42."""

from __future__ import annotations

import random

import pytest

from montforge.arch import design


@pytest.mark.parametrize("name", ("fcs_mm1", "fcs_mm2", "fcs_mmm42"))
def test_operands_and_result_are_pairs(name: str) -> None:
    contract = design(name, width=64).contract
    names = [port.name for port in (*contract.operand_ports, *contract.result_ports)]
    assert names[:4] == ["a_s_i", "a_c_i", "b_s_i", "b_c_i"]
    assert names[-2:] == ["p_s_o", "p_c_o"]
    for encoding in (contract.operand_encoding, contract.result_encoding):
        assert encoding.kind == "carry_save"
        assert encoding.width == encoding.carry_width


def test_variants_of_fcs_mmm42() -> None:
    closed = design("fcs_mmm42", width=64).contract
    published = design("fcs_mmm42", width=64, variant="published").contract
    n = 2**64 - 3
    assert closed.is_closed(n)
    assert closed.is_closed(n + 2)
    assert not published.is_closed(n)
    assert published.is_closed(n + 2)
    assert (closed.r, published.r) == (1 << 68, 1 << 66)


def test_published_form_of_fcs_mmm42_leaves_the_operand_bound() -> None:
    """Erratum E1: for n mod 4 = 1 a result can exceed 2n."""
    chosen = design("fcs_mmm42", width=64, variant="published")
    n = 2**64 - 3
    results = [chosen.golden(2 * n - i, 2 * n - i, n) for i in range(1, 9)]
    assert max(results) >= 2 * n


def test_skips_at_the_extremes() -> None:
    """a = 0 skips every other iteration; the latency never exceeds one cycle an iteration."""
    chosen = design("fcs_mmm42", width=64)
    latency = chosen.contract.latency
    assert chosen.cycles(0, 5, 2**64 - 1) == latency.minimum == 1 + (64 + 8) // 2
    rng = random.Random(4)
    n = 2**64 - 1
    dense = 2**65 - 1
    assert all(
        chosen.cycles(dense, rng.randrange(4 * n), n) > 0.9 * latency.maximum for _ in range(20)
    )
