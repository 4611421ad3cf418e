# SPDX-License-Identifier: Apache-2.0
"""What is particular to bunimov, zhengbing and mscs_mm."""

from __future__ import annotations

import pytest

from montforge.arch import design
from montforge.errors import ParameterError


@pytest.mark.parametrize("name", ("bunimov", "zhengbing"))
def test_converter_below_a_byte_is_refused(name: str) -> None:
    with pytest.raises(ParameterError, match=r"converter .* 8 "):
        design(name, converter=7)


def test_bunimov_reduces_below_n() -> None:
    contract = design("bunimov", width=64).contract
    assert contract.r == 1 << 64
    assert contract.operand_bound.upper(101) == contract.result_bound.upper(101) == 101


def test_longest_precomputation_of_mscs_mm() -> None:
    """b + n with a carry through all places: width + 2 half-adder rows."""
    width = 64
    n = (1 << width) - 1
    assert design("mscs_mm", width=width).cycles(0, (2 << width) - n, n) == 2 * (width + 2)


def test_longest_conversion_of_mscs_mm() -> None:
    """The specification's corner: the final pair has a carry through its whole width."""
    width = 64
    n = (1 << width) - 1
    chosen = design("mscs_mm", width=width)
    a, b = 1 << width, (2 << width) - 2 * n
    precomputation = chosen.cycles(0, b, n) - (width + 2)
    assert chosen.cycles(a, b, n) == precomputation + width + 2 + width
