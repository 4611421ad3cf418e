# SPDX-License-Identifier: Apache-2.0
"""docs/choose/pick.md does what it says: a design chosen under limits, and its folder."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

from doc_page import Page, run

(PICK,) = Page.read("choose/pick.md").commands


def test_a_design_under_limits(tmp_path: Path) -> None:
    shown = run(PICK, tmp_path)
    words = shlex.split(PICK)
    area, latency = (float(words[words.index(f"--max-{name}") + 1]) for name in ("area", "latency"))
    found = json.loads(run(f"{PICK.strip()} --json", tmp_path))["choices"]
    assert found and [row["latency"] for row in found] == sorted(row["latency"] for row in found)
    for row in found:
        assert row["area"] <= area and row["latency"] <= latency and row["constant_time"]
    for row in found[:3]:
        assert row["generate"] in shown
    run(found[0]["generate"].replace("FOLDER", "chosen"), tmp_path)
    contract = json.loads((tmp_path / "chosen" / "contract.json").read_text())
    assert contract["latency"]["minimum"] == contract["latency"]["maximum"] == found[0]["cycles"]
