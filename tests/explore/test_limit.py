# SPDX-License-Identifier: Apache-2.0
"""The limit of area times latency against the specification's figures."""

from __future__ import annotations

import pytest

from montforge.explore.limit import least_limit, row_limit


@pytest.mark.parametrize(
    ("digit", "delay", "limit"),
    [(4, 2, 0.65), (8, 2, 0.56), (8, 3, 0.52), (16, 3, 0.50), (24, 3, 0.46)],
)
def test_limits_at_256_bits(digit: int, delay: int, limit: float) -> None:
    assert row_limit(256, digit, delay) == pytest.approx(limit, abs=0.005)


def test_no_digit_goes_below_the_least_limit_which_grows_with_the_square_of_the_width() -> None:
    assert least_limit(256) == row_limit(256, 24, 3)
    assert least_limit(1024) == pytest.approx(16 * least_limit(256))
