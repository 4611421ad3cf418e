# SPDX-License-Identifier: Apache-2.0
"""The structure of mapped gates: proved, and refuted for planted leaks."""

from __future__ import annotations

from pathlib import Path

import pytest

from montforge.arch import core
from montforge.errors import ToolMissingError
from montforge.measure.targets import find_target
from montforge.prove import prove
from montforge.prove.verdict import Check
from planted import edited

try:
    find_target("osu018")
except ToolMissingError as error:
    pytest.skip(str(error), allow_module_level=True)


def mapped(name: str, edit: tuple[str, str] | None = None, folder: Path | None = None) -> Check:
    chosen = core(name, width=12)
    hardware = edited(chosen, *edit, folder).hardware if edit and folder else None
    (found,) = prove(chosen, checks=["netlist"], timeout=100, hardware=hardware).checks
    return found


@pytest.mark.parametrize("name", ["mm_r2", "scs_mm_ct", "unit_csa"])
def test_mapped_gates_leak_no_time(name: str) -> None:
    assert mapped(name).verdict == "proved"


def test_a_time_that_depends_on_data_is_seen_in_the_gates() -> None:
    found = mapped("scs_mm_new")
    assert found.verdict == "refuted" and "register" not in found.path[-1]


LEAKS = {
    "early exit": ("last_iteration = count_q", "last_iteration = a_q == '0 || count_q"),
    "ready": ("req_ready_o = state_q == StIdle", "req_ready_o = state_q == StIdle && !b_q[0]"),
    "clock": ("always_ff @(posedge clk_i) begin", "always_ff @(posedge (clk_i & b_i[0])) begin"),
}


@pytest.mark.parametrize("leak", LEAKS)
def test_a_planted_leak_is_refuted(leak: str, tmp_path: Path) -> None:
    found = mapped("mm_r2", LEAKS[leak], tmp_path)
    assert found.verdict == "refuted" and found.path
    assert ("register" in found.path[-1]) == (leak == "clock")
