# SPDX-License-Identifier: Apache-2.0
"""The frontier against its definition."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from montforge.explore.frontier import frontier

COSTS = st.lists(st.tuples(st.integers(1, 6), st.integers(1, 6)), max_size=12)


@given(COSTS)
def test_frontier_is_what_no_other_beats(costs: list[tuple[int, int]]) -> None:
    def beats(a: tuple[int, int], b: tuple[int, int]) -> bool:
        return a != b and a[0] <= b[0] and a[1] <= b[1]

    found = frontier(costs)
    expected = [i for i, b in enumerate(costs) if not any(beats(a, b) for a in costs)]
    assert sorted(found) == expected
    assert [costs[i] for i in found] == sorted(costs[i] for i in found)
