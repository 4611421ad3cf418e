# SPDX-License-Identifier: Apache-2.0
"""The frontier of small area and low latency."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence

from montforge.explore.space import Candidate

Cost = tuple[float, float]
"""Area and latency; both are to be small."""


def frontier(costs: Sequence[Cost]) -> list[int]:
    """Return the indices of ``costs`` that no other one beats, by growing area.

    One cost beats another if it is not larger in any figure and smaller in one. Of equal costs
    all are returned.
    """
    found: list[int] = []
    best, best_area = math.inf, math.inf
    for index in sorted(range(len(costs)), key=lambda i: costs[i]):
        area, latency = costs[index]
        if latency < best or (latency == best and area == best_area):
            found.append(index)
            best, best_area = latency, area
    return found


Measure = Callable[[Sequence[Candidate]], Mapping[Candidate, Cost]]
"""Measures candidates; those that failed are missing in the answer."""
