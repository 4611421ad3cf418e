# SPDX-License-Identifier: Apache-2.0
"""A result stays until it is taken: proved, refuted for planted faults, else unknown."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

import montforge.prove as prove_package
from montforge.arch import core
from montforge.prove import prove
from montforge.prove.verdict import Check
from planted import edited


def hold(name: str, edit: tuple[str, str] | None, folder: Path) -> Check:
    chosen = core(name, width=12)
    hardware = edited(chosen, *edit, folder).hardware if edit else None
    (found,) = prove(chosen, checks=["hold"], timeout=100, hardware=hardware).checks
    return found


PROVED = [
    "mm_r2",
    "fcs_mm1",
    "scs_mm1",
    "eberle",
    "full_pipelined",
    "scs_mm",
    "mscs_mm",
    "scs_mm_new",
]


@pytest.mark.parametrize("name", PROVED)
def test_the_result_stays(name: str, tmp_path: Path) -> None:
    assert hold(name, None, tmp_path).verdict == "proved"


KEPT = "StDone: if (rsp_ready_i) s_q <= '0;"
FAULTS = {
    "shifted": "StDone: s_q <= s_q >> 1;",
    "added again": "StDone: if (!rsp_ready_i) s_q <= s_q + n_q;",
    "cleared too early": "StDone: s_q <= '0;",
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_result_that_changes_is_refuted(fault: str, tmp_path: Path) -> None:
    found = hold("mm_r2", (KEPT, FAULTS[fault]), tmp_path)
    assert found.verdict == "refuted"
    assert core("mm_r2", width=12).contract.is_legal(found.witness)


def test_a_carry_that_stays_is_refuted(tmp_path: Path) -> None:
    """It is added to the sum once more in each cycle of the wait."""
    edit = ("{StateW{select_loop_q}} & carry[AdderW-1:1]", "carry[AdderW-1:1]")
    assert hold("scs_mm", edit, tmp_path).verdict == "refuted"


@pytest.mark.parametrize(
    ("name", "legal"),
    [("scs_mm_ct", "operands of requests are legal"), ("modexp", "responses have no error")],
)
def test_a_state_out_of_reach_is_left_to_the_contract(
    name: str, legal: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Induction does not decide these; the contract, if it is proved, says that a result stays."""
    chosen = core(name, width=12)
    proved = Check("function", "proved", "theorem.", assumptions=("reset is inactive",))
    for function in (replace(proved, verdict="unknown"), proved):
        monkeypatch.setattr(prove_package, "_function", lambda *_, found=function: found)
        (check,) = prove(chosen, checks=["hold"], timeout=100).checks
        assert (check.name, check.verdict) == ("hold", function.verdict)
        assert (legal in check.assumptions) == (function is proved)
