# SPDX-License-Identifier: Apache-2.0
"""scs_mm_skip: closed for every odd modulus, with the specification's average cycles."""

from __future__ import annotations

import random
import statistics

import pytest

from montforge.arch import design
from montforge.errors import ParameterError

SKIPS = (1, 2, 3)


@pytest.mark.parametrize("skips", (0, 4))
def test_other_numbers_of_skips_are_refused(skips: int) -> None:
    with pytest.raises(ParameterError, match=r"skips .* 1, 2, 3"):
        design("scs_mm_skip", skips=skips)


@pytest.mark.parametrize("skips", SKIPS)
def test_models_on_every_operation(skips: int) -> None:
    for width in (3, 4):
        chosen = design("scs_mm_skip", width=width, skips=skips)
        contract = chosen.contract
        for n in range(3, 1 << width, 2):
            assert contract.is_closed(n)
            for a in range(2 * n):
                for b in range(2 * n):
                    p = chosen.golden(a, b, n)
                    assert p % n == contract.residue(a, b, n)
                    assert contract.result_bound.contains(p, n)
                    cycles = chosen.cycles(a, b, n)
                    assert contract.latency.minimum <= cycles <= contract.latency.maximum


@pytest.mark.parametrize(("skips", "mean"), ((1, 833.7), (2, 794.3), (3, 785.3)))
def test_average_latency_is_the_specifications(skips: int, mean: float) -> None:
    """NEW-D of the specification; loading B-hat apart and registering zero cost up to 2 cycles."""
    chosen = design("scs_mm_skip", width=1024, skips=skips)
    rng = random.Random(6)
    cycles = []
    for _ in range(60):
        n = rng.getrandbits(1024) | 1 << 1023 | 1
        cycles.append(chosen.cycles(rng.randrange(n), rng.randrange(n), n))
    half_width = 3.5 * statistics.stdev(cycles) / len(cycles) ** 0.5
    assert mean - half_width <= statistics.mean(cycles) <= mean + 2 + half_width


@pytest.mark.parametrize("skips", SKIPS)
def test_all_zero_multiplier_skips_the_most(skips: int) -> None:
    """One cycle for each skips + 1 iterations, up to the one after the last."""
    chosen = design("scs_mm_skip", width=64, skips=skips)
    n = 2**64 - 59
    loop = -(-(64 + skips + 5) // (skips + 1))
    assert chosen.cycles(0, 0, n) == 3 + loop + 1
