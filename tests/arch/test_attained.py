# SPDX-License-Identifier: Apache-2.0
"""Latencies that depend on data: the contract's maximum is attained, or said to be a bound."""

from __future__ import annotations

from itertools import product

import pytest

from montforge.arch import Design, design, variants

EXAMPLES = {"scs_mm2", "mscs_mm", "fcs_mmm42"}
"""Architectures with an operation that takes longest at every width, see `longest`."""
BOUNDED = {"scs_mm_new", "scs_mm_skip"}


def longest(name: str, width: int) -> tuple[int, int, int]:
    """Return ``(a, b, n)`` with the longest carries of the conversions, or without any skip."""
    if name == "fcs_mmm42":
        return 15, 1, 5
    top = 1 << width
    return top + 1, top + 1, top - 1


@pytest.mark.parametrize("width", [3, 4, 5, 13, 64, 65, 256])
@pytest.mark.parametrize("name", sorted(EXAMPLES))
def test_an_operation_takes_the_maximum(name: str, width: int) -> None:
    chosen = design(name, width=width)
    assert chosen.contract.latency.attained
    assert chosen.cycles(*longest(name, width)) == chosen.contract.latency.maximum


@pytest.mark.parametrize("name", sorted(EXAMPLES | BOUNDED))
def test_all_operations_of_small_widths(name: str) -> None:
    """The minimum is attained everywhere; the maximum where the contract says so."""
    for chosen in variants(name, width=3):
        latency = chosen.contract.latency
        found = all_cycles(chosen)
        assert min(found) == latency.minimum
        assert (max(found) == latency.maximum) == latency.attained
        assert max(found) <= latency.maximum


def all_cycles(chosen: Design) -> set[int]:
    top = 1 << chosen.contract.width
    return {
        chosen.cycles(a, b, n)
        for n in range(3, top, 2)
        for a, b in product(range(chosen.contract.operand_bound.upper(n)), repeat=2)
    }
