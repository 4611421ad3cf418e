# SPDX-License-Identifier: Apache-2.0
"""The frontier against its definition, and a search that finds most of one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from montforge.explore.search import Cost, frontier, search
from montforge.explore.space import Candidate, Space, read_space

COSTS = st.lists(st.tuples(st.integers(1, 6), st.integers(1, 6)), max_size=12)


@given(COSTS)
def test_frontier_is_what_no_other_beats(costs: list[tuple[int, int]]) -> None:
    def beats(a: tuple[int, int], b: tuple[int, int]) -> bool:
        return a != b and a[0] <= b[0] and a[1] <= b[1]

    found = frontier(costs)
    expected = [i for i, b in enumerate(costs) if not any(beats(a, b) for a in costs)]
    assert sorted(found) == expected
    assert [costs[i] for i in found] == sorted(costs[i] for i in found)


@pytest.fixture
def space(tmp_path: Path) -> Space:
    path = tmp_path / "space.toml"
    path.write_text(
        '[[space]]\narch = "rmm"\nk = { from = 2, to = 16 }\nm = { from = 1, to = 30 }\n'
        'variant = ["published", "fast"]\n'
    )
    return read_space(path, 256)


class Landscape:
    """Costs of which every k has good m; `fast` is better than `published`."""

    def __init__(self, reverse: bool = False) -> None:
        self.asked: list[Candidate] = []
        self._reverse = reverse

    def __call__(self, candidates: Sequence[Candidate]) -> Mapping[Candidate, Cost]:
        self.asked += candidates
        order = candidates[::-1] if self._reverse else candidates
        return {each: self.cost(each) for each in order if each.design.parameters["k"] != 7}

    @staticmethod
    def cost(candidate: Candidate) -> Cost:
        p = candidate.design.parameters
        k, m = int(p["k"]), int(p["m"])
        slow = 1.3 if p["variant"] == "published" else 1.0
        area = 1e4 + 3e5 * m / k**1.5 + 1500 * k
        return area, slow * (2.2 * k * k / m + 3 + 0.2 * k + 0.1 * m)


def test_budget_is_spent_near_the_frontier(space: Space) -> None:
    landscape = Landscape()
    search(space, 100, 1, landscape)
    assert len(landscape.asked) == len(set(landscape.asked)) == 100
    legal = [each for each in space.candidates if each.design.parameters["k"] != 7]
    best = {legal[i] for i in frontier([Landscape.cost(each) for each in legal])}
    assert len(space.candidates) == 768
    assert len(best & set(landscape.asked)) > 0.8 * len(best)


def test_the_same_designs_whatever_the_order_of_results(space: Space) -> None:
    runs = [Landscape(), Landscape(reverse=True), Landscape()]
    for run, seed in zip(runs, (1, 1, 2), strict=True):
        search(space, 40, seed, run)
    assert runs[0].asked == runs[1].asked
    assert runs[0].asked != runs[2].asked


def test_budget_larger_than_the_space(tmp_path: Path) -> None:
    path = tmp_path / "space.toml"
    path.write_text('[[space]]\narch = "rmm"\nk = [2, 3]\n')
    small, landscape = read_space(path, 64), Landscape()
    search(small, 100, 1, landscape)
    assert set(landscape.asked) == set(small.candidates)
