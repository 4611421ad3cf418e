# SPDX-License-Identifier: Apache-2.0
"""docs/guides/known.md does what it says: range of results and constant time, and their ground."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from doc_page import Page, run

STATED, TRIED, CHOSEN = Page.read("guides/known.md").commands


def read(path: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(path.read_text())
    return found


@pytest.mark.slow
def test_constant_time_and_range_are_stated_tried_and_proved(tmp_path: Path) -> None:
    shown = run(STATED, tmp_path)
    contract = read(tmp_path / "info.json")["contract"]
    latency = contract["latency"]
    assert latency["minimum"] == latency["maximum"]
    assert f"fixed({latency['minimum']})" in shown and "-2^15 n < p < 2^15 n" in shown
    run(TRIED, tmp_path)
    verified, counted = read(tmp_path / "verify.json"), read(tmp_path / "cycles.json")
    assert verified["mismatches"] == 0 < verified["operations"]
    assert {"random", "corners", "chain"} <= verified["modes"].keys()
    cycles = counted["cycles"]
    assert cycles["min"] == cycles["max"] == latency["minimum"]
    (timing,) = read(tmp_path / "prove.json")["checks"]
    assert timing["verdict"] == "proved" and timing["grounds"]


def test_the_ground_of_constant_time(tmp_path: Path) -> None:
    run(CHOSEN, tmp_path)
    rows = read(tmp_path / "picked.json")["choices"]
    assert rows
    for row in rows:
        timing = row["verdicts"]["timing"]
        is_proved = timing["verdict"] == "proved" and timing["same_width"] and not timing["stale"]
        assert row["constant_time"] and (row["constant_time_rests_on"] == "proof") == is_proved
        assert "x <" in row["result"]
    assert any(row["constant_time_rests_on"] == "proof" for row in rows)


def test_a_design_whose_time_depends_on_data(tmp_path: Path) -> None:
    info = json.loads(run("montforge info scs_mm_skip --json", tmp_path))["contract"]["latency"]
    assert info["minimum"] < info["maximum"]
    status = "montforge prove scs_mm_skip -p width=64 --check timing --json"
    verdict = json.loads(run(f"{status} || test $? = 1", tmp_path))
    assert verdict["checks"][0]["verdict"] == "refuted" and verdict["checks"][0]["path"]
