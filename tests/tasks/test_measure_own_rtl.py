# SPDX-License-Identifier: Apache-2.0
"""docs/guides/own_rtl.md does what it says: own RTL measured, plotted, in a paper's table."""

from __future__ import annotations

import csv
import json
import shutil
from pathlib import Path

import pytest

from doc_page import Page, run

PAGE = Page.read("guides/own_rtl.md")


@pytest.mark.skipif(shutil.which("sta") is None, reason="OpenSTA is not installed")
def test_measured_and_in_the_table(tmp_path: Path) -> None:
    PAGE.write_files(tmp_path)
    measure, compare = PAGE.commands
    assert "own(W=16)" in run(measure, tmp_path)
    run(compare, tmp_path)
    own = json.loads((tmp_path / "own.json").read_text())
    assert own["latency"] == pytest.approx(2 * own["period"])
    folder = tmp_path / "frontier"
    rows = list(csv.DictReader((folder / "frontier.csv").open()))
    assert float({row["design"]: row for row in rows}["own(W=16)"]["time ns"]) == own["time"]
    assert "own(W=16) & " in (folder / "frontier.tex").read_text()
    assert (folder / "frontier.png").stat().st_size > 10_000
