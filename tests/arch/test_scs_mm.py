# SPDX-License-Identifier: Apache-2.0
"""What is particular to scs_mm, scs_mm1 and scs_mm2."""

from __future__ import annotations

import pytest

from montforge.arch import design
from montforge.errors import ParameterError


@pytest.mark.parametrize("converter", (7, 129))
def test_converter_outside_its_range_is_refused(converter: int) -> None:
    with pytest.raises(ParameterError, match=r"converter .* 8 to 128"):
        design("scs_mm1", converter=converter)


@pytest.mark.parametrize(("width", "words"), ((7, 1), (8, 2), (15, 2), (16, 3)))
def test_the_result_has_one_bit_more_than_the_modulus(width: int, words: int) -> None:
    """Erratum E6: a converter that divides the width needs one word more than the paper says."""
    latency = design("scs_mm1", width=width, converter=8).contract.latency
    assert latency.minimum == width + 2 + words


@pytest.mark.parametrize("width", (64, 1024))
def test_longest_conversion_of_scs_mm2(width: int) -> None:
    n = (1 << width) - 1
    a, b = 1 << width, (2 << width) - n
    assert design("scs_mm2", width=width).cycles(a, b, n) == width + 2 + width // 2
