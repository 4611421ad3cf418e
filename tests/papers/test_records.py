# SPDX-License-Identifier: Apache-2.0
"""Published records beside stored designs."""

from __future__ import annotations

import pytest

from montforge.papers.records import MARGIN, normalised, records, standings
from montforge.store import read_results


def test_each_record_is_beaten_or_says_why_not() -> None:
    found = standings(read_results())
    assert len(found) == len(records())
    assert [each.record.name for each in found if not each.is_as_stated] == []
    assert sum(each.verdict == "beaten" for each in found) >= 15


def test_a_record_without_a_better_design_is_seen() -> None:
    """With only one, larger design in the store nothing is beaten, and the check says so."""
    slow = [row for row in read_results() if row.architecture == "tenca_koc" and row.size == 256]
    found = standings(slow)
    wrong = [each for each in found if not each.is_as_stated]
    assert {each.record.source for each in wrong} == {"grale2020"}
    assert all(each.result is None for each in found)


def test_the_margin_holds_in_area_and_in_time() -> None:
    for each in standings(read_results()):
        if each.result is None:
            continue
        area, fo4 = normalised(each.result)
        assert each.record.kge is not None and each.record.fo4 is not None
        assert area <= (1 - MARGIN) * each.record.kge
        assert fo4 <= (1 - MARGIN) * min(each.record.fo4)
        assert each.result.size == each.record.width


def test_units_of_published_figures() -> None:
    (rmm,) = (each for each in records() if each.name == "RMM(4,4)")
    assert (rmm.area_um2, rmm.latency_ns) == (pytest.approx(120_600), 28.2)
    assert rmm.kge == pytest.approx(120_600 / 0.798 / 1000)
    assert rmm.fo4 == (pytest.approx(28_200 / 22), pytest.approx(28_200 / 22))
    (squarer,) = (each for each in records() if each.technology == "TSMC 28 nm HPC+")
    assert squarer.fo4 == (pytest.approx(2110 / 14), pytest.approx(2110 / 10.08))


def test_a_design_for_one_modulus_beats_no_record_for_any() -> None:
    fixed = [row for row in read_results() if row.only_modulus is not None]
    assert fixed
    assert all(each.result is None for each in standings(fixed) if each.record.modulus == "any")
