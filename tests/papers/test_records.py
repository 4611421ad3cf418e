# SPDX-License-Identifier: Apache-2.0
"""Published records beside stored designs."""

from __future__ import annotations

from dataclasses import replace

import pytest

from montforge.papers.records import LAYOUT, MARGIN, laid_out, normalised, records, standings
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
    assert {each.record.source for each in wrong} == {"grale2020", "kuang2016"}
    assert all(each.result is None for each in found)


def test_the_margin_holds_in_area_and_in_time() -> None:
    for each in standings(read_results()):
        if each.result is None:
            continue
        area, fo4 = normalised(each.result)
        assert each.record.kge is not None and each.record.fo4 is not None
        assert area <= (1 - MARGIN) * min(each.record.kge)
        assert fo4 <= (1 - MARGIN) * min(each.record.fo4)
        assert each.result.size == each.record.width


def test_units_of_published_figures() -> None:
    (rmm,) = (each for each in records() if each.name == "RMM(4,4)")
    assert (rmm.area_um2, rmm.latency_ns) == (pytest.approx(120_600), 28.2)
    assert rmm.kge == (pytest.approx(120_600 / 0.798 / 1000),) * 2
    (layout,) = (each for each in records() if (each.name, each.width) == ("SCS-MM-New", 1024))
    nangate45, sky130hd = (
        498_379 / 90**2 / nand2 / 1000 for nand2 in (0.798 / 45**2, 3.7536 / 130**2)
    )
    assert layout.kge == (pytest.approx(nangate45), pytest.approx(sky130hd))
    assert rmm.fo4 == (pytest.approx(28_200 / 22), pytest.approx(28_200 / 22))
    (squarer,) = (each for each in records() if each.technology == "TSMC 28 nm HPC+")
    assert squarer.fo4 == (pytest.approx(2110 / 14), pytest.approx(2110 / 10.08))


def test_a_design_for_one_modulus_beats_no_record_for_any() -> None:
    fixed = [row for row in read_results() if row.only_modulus is not None]
    assert fixed
    assert all(each.result is None for each in standings(fixed) if each.record.modulus == "any")


def test_a_layout_compares_with_placed_figures_only() -> None:
    layouts = [each for each in standings(read_results()) if each.record.kind == LAYOUT]
    assert sum(each.result is not None for each in layouts) >= 12
    unplaced = [replace(row, placed=None) for row in read_results()]
    assert all(each.result is None for each in standings(unplaced) if each.record.kind == LAYOUT)


def test_a_layout_has_the_area_of_rows_and_the_period_with_wires() -> None:
    for row in read_results():
        found = laid_out(row)
        assert (found is None) == (row.placed is None)
        if found is not None and row.placed is not None:
            assert found.area == row.placed["area_sized"] / row.placed["utilization"]
            assert found.area > row.placed["area_sized"]
            assert found.period == row.placed["period_sized"]


def test_a_design_of_constant_time_is_named_first() -> None:
    fast = [row for row in read_results() if row.size == 1024 and row.placed is not None]
    for each in standings(fast):
        if each.result is not None and not each.result.constant_time:
            constant = [row for row in fast if row.constant_time]
            assert each.record not in [
                found.record for found in standings(constant) if found.result is not None
            ]


def test_rows_of_a_paper_s_table_are_records() -> None:
    found = [each for each in records() if each.source == "sassaw2010"]
    for kind in ("cells", "fpga"):
        names = {each.name for each in found if each.kind == kind}
        assert names == {f"radix {radix}" for radix in (2, 4, 8, 64)}
    powers = {(each.name, each.width): each for each in records() if each.source == "dai2018"}
    assert powers["Shieh 2008", 1024].kind == "fpga"
    assert powers["Shieh 2008", 1024].latency_ns == pytest.approx(10.35e6)
    assert powers["Vollala 2017, exponentiator", 1024].kind == "cells"
    assert powers["Vollala 2017, exponentiator", 1024].technology == "not stated"
