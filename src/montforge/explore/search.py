# SPDX-License-Identifier: Apache-2.0
"""The frontier of small area and low latency, and a search that spends its budget near it."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Mapping, Sequence

from montforge.explore.space import Candidate, Space

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


def search(space: Space, budget: int, seed: int, measure: Measure) -> None:
    """Call ``measure`` for ``budget`` designs of ``space``, most of them near the frontier.

    A third of the budget is spread over the space at random (equal shares for its grids). The
    rest goes in rounds to designs one step away from measured ones, those of the frontier
    first, then of the frontier behind it, and so on; among them to those with the smallest
    area * latency around. Rounds do not depend on the number of workers or on the order in
    which results come, so a seed always gives the same designs.
    """
    rng = random.Random(seed)
    left = dict.fromkeys(_spread(space, rng))
    costs: dict[Candidate, Cost] = {}
    count = max(1, math.ceil(budget / 3))
    while budget > 0 and left:
        chosen = _near(space, costs, left, count)
        costs.update(measure(chosen))
        for each in chosen:
            del left[each]
        budget -= len(chosen)
        count = min(budget, max(2, math.ceil(budget / 6)))


def _spread(space: Space, rng: random.Random) -> list[Candidate]:
    """Return all candidates in random order, the grids in turn."""
    grids: dict[int, list[Candidate]] = {}
    for candidate in space.candidates:
        grids.setdefault(candidate.grid, []).append(candidate)
    for grid in grids.values():
        rng.shuffle(grid)
    rounds = range(max(map(len, grids.values()), default=0))
    return [grid[at] for at in rounds for grid in grids.values() if at < len(grid)]


def _near(
    space: Space, costs: Mapping[Candidate, Cost], left: Mapping[Candidate, None], count: int
) -> list[Candidate]:
    """Return ``count`` of ``left``: neighbours of the best layers, then the first ones."""
    measured = list(costs)
    chosen: dict[Candidate, None] = {}
    while measured and len(chosen) < count:
        layer = {measured[i] for i in frontier([costs[each] for each in measured])}
        near = {n: None for each in measured if each in layer for n in space.neighbours(each)}
        new = [each for each in near if each in left and each not in chosen]
        new.sort(key=lambda each: _promise(space, costs, each))
        chosen.update(dict.fromkeys(new))
        measured = [each for each in measured if each not in layer]
    chosen.update(left)
    return list(chosen)[:count]


def _promise(space: Space, costs: Mapping[Candidate, Cost], candidate: Candidate) -> float:
    """Return the mean of log(area * latency) of the measured designs one step away."""
    around = [costs[each] for each in space.neighbours(candidate) if each in costs]
    return sum(math.log(area * latency) for area, latency in around) / len(around)
