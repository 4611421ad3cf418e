# SPDX-License-Identifier: Apache-2.0
"""Two runs on different secrets: balanced branches are proved, others refuted."""

from __future__ import annotations

from pathlib import Path

import pytest

from montforge.arch import core
from montforge.prove import prove
from planted import edited

LAST = "last_iteration = count_q == CountW'(Width - 1)"
CHOICE = "last_iteration = b_q[0] ? count_q == CountW'(Width - 1) : count_q >= CountW'(Width - {})"
BRANCHES = {
    "none": (LAST, ("proved", "proved")),
    "balanced": (CHOICE.format(1), ("refuted", "proved")),
    "unbalanced": (CHOICE.format(2), ("refuted", "refuted")),
    "early exit": (LAST.replace("count_q ==", "a_q == '0 || count_q =="), ("refuted", "refuted")),
}


@pytest.mark.parametrize("branch", BRANCHES)
def test_branches_of_the_same_time_are_no_leak(branch: str, tmp_path: Path) -> None:
    text, verdicts = BRANCHES[branch]
    chosen = core("mm_r2", width=11)
    hardware = edited(chosen, LAST, text, tmp_path).hardware if text != LAST else None
    found = prove(chosen, checks=["timing", "two-run"], timeout=100, hardware=hardware)
    assert tuple(check.verdict for check in found.checks) == verdicts


def test_public_operands_are_the_same_in_both_runs(tmp_path: Path) -> None:
    chosen = core("mm_r2", width=11)
    hardware = edited(chosen, LAST, CHOICE.format(2), tmp_path).hardware
    asked = {"a": "proved", "b": "refuted"}
    for secret, verdict in asked.items():
        (found,) = prove(
            chosen, checks=["two-run"], secret=[secret], timeout=100, hardware=hardware
        ).checks
        assert found.verdict == verdict


def test_what_abc_cannot_decide_in_time_is_unknown() -> None:
    (found,) = prove(core("scs_mm_new", width=32), checks=["two-run"], timeout=5).checks
    assert found.verdict == "unknown"
