# SPDX-License-Identifier: Apache-2.0
"""docs/choose/zkp.md does what it says: a result a cycle, beside plain products."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from doc_page import Page, run

PICK, _, MAKE, COMPARE, *_ = Page.read("choose/zkp.md").commands


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("sta") is None, reason="OpenSTA is not installed")
def test_a_result_a_cycle_beside_plain_products(tmp_path: Path) -> None:
    first = json.loads(run(f"{PICK.strip()} --json", tmp_path))["choices"][0]
    assert first["generate"].startswith("montforge generate fixed_prime")
    assert ", 0 mismatches" in run(MAKE, tmp_path)
    contract = json.loads((tmp_path / "babybear" / "contract.json").read_text())
    assert contract["interval"]["maximum"] == 1
    assert f"{15 * 2**27 + 1:x}" in contract["modulus"]
    run(COMPARE, tmp_path)
    fixed, plain = (
        json.loads((tmp_path / f"{name}.json").read_text()) for name in ("fixed", "plain")
    )
    assert fixed["area"] < plain["area"] and fixed["period"] < plain["period"] / 2
