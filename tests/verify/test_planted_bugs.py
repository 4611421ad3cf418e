# SPDX-License-Identifier: Apache-2.0
"""Bugs planted in the RTL, one of each sort that the bench must notice, and what it says."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

import pytest

from montforge.arch import design
from montforge.arch.mm_r2 import MmR2
from montforge.contract import Contract, Cycles
from montforge.verify import verify
from planted import Bug, planted

BUGS = {
    "operand b is not sampled": ("b_q & {Width", "b_i & {Width", "not congruent"),
    "the modulus is not sampled": ("n_q & {Width", "n_i & {Width", "not congruent"),
    "the result moves while it waits": (
        "StDone: if (rsp_ready_i) s_q <= '0;",
        "StDone: s_q <= s_q + (Width+1)'(1);",
        "changed while it waited",
    ),
    "the response does not wait": (
        "StDone:   if (rsp_ready_i) state_d",
        "StDone:   state_d",
        "fell before",
    ),
    "the response waits for ready": (
        "rsp_valid_o = state_q == StDone",
        "rsp_valid_o = state_q == StDone && rsp_ready_i",
        "no response came",
    ),
    "a response is always there": (
        "rsp_valid_o = state_q == StDone",
        "rsp_valid_o = 1'b1",
        "no response came",
    ),
    "a request is taken and forgotten": (
        "req_ready_o = state_q == StIdle",
        "req_ready_o = state_q == StIdle || state_q == StReduce",
        "outside the interval",
    ),
    "a response too many": (
        "StDone:   if (rsp_ready_i) state_d = StIdle",
        "StDone:   if (rsp_ready_i) state_d = a_q[0] ? StIdle : StReduce",
        "that no request asked for",
    ),
    "reset leaves a response": (
        "state_q <= StIdle;",
        "state_q <= state_q == StDone ? StDone : StIdle;",
        "",
    ),
    "a withdrawn request is answered": (
        "StDone:   if (rsp_ready_i) state_d = StIdle",
        "StDone:   if (rsp_ready_i) state_d = req_valid_i && !a_i[0] ? StLoop : StIdle",
        "that no request asked for",
    ),
    "reset needs a clock edge": (
        "always_ff @(posedge clk_i or negedge rst_ni) begin",
        "always_ff @(posedge clk_i) begin",
        "",
    ),
    "the counter is not cleared": (": '0;\n", ": count_q;\n", "latency"),
    "a cycle too many": ("CountW'(Width - 1)", "CountW'(Width)", "differs from the cycle model"),
    "the result is not reduced": (
        "borrow     = difference[Width+1];",
        "borrow     = 1'b1;",
        "outside its bound",
    ),
}


@pytest.mark.parametrize("bug", BUGS)
def test_a_planted_bug_is_caught(bug: str, tmp_path: Path) -> None:
    bugs = {name: Bug(name, "", old, new) for name, (old, new, _) in BUGS.items()}
    wrong = planted(design("mm_r2", width=13), list(bugs.values()), tmp_path)[bugs[bug]]
    report = verify(wrong, mode="random", operations=600, seed=1, workers=1)
    assert report.mismatches > 0
    problems = {problem for m in report.failures for problem in m.failure.problems}
    assert any(BUGS[bug][2] in problem for problem in problems), problems


@dataclass(frozen=True)
class Boastful(MmR2):
    """Claims to take requests faster than it does."""

    @cached_property
    def parallel_contract(self) -> Contract:
        """The contract with an interval that is a cycle too short."""
        honest = super().parallel_contract
        return replace(honest, interval=Cycles.fixed(honest.interval.minimum - 1))


def test_an_interval_that_is_not_kept_is_caught() -> None:
    report = verify(Boastful(width=13), mode="random", operations=50, seed=1, workers=1)
    assert report.mismatches > 20
    assert "outside the interval" in report.failures[0].failure.problems[0]
