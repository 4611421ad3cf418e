# SPDX-License-Identifier: Apache-2.0
"""The handshake in all states: proved as the contract says, refuted for each planted fault."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from montforge.arch import core
from montforge.contract import Cycles
from montforge.prove import handshake, prove
from montforge.prove.handshake import Waits, control
from montforge.prove.verdict import ProofError
from planted import edited

FIXED = (
    *("mm_r2", "scs_mm_ct", "fcs_mm1", "booth_csa", "unit_csa", "unit_dsp", "full_pipelined"),
    "three_pass",
)


@pytest.mark.parametrize("width", [5, 16])
@pytest.mark.parametrize("name", FIXED)
def test_the_cycles_are_those_of_the_contract_in_all_states(name: str, width: int) -> None:
    chosen = core(name, width=width)
    waits = Waits.of(chosen)
    found = control(chosen.hardware, chosen.contract, waits=waits, timeout=100)
    assert (found.verdict, found.path) == ("proved", ())


def test_registers_that_synthesis_keeps_are_not_in_the_handshake() -> None:
    chosen = core("unit_csa", width=16, delay=3, region=16)
    assert control(chosen.hardware, chosen.contract, timeout=100).verdict == "proved"


def test_of_a_time_that_depends_on_data_nothing_is_said() -> None:
    chosen = core("scs_mm_new", width=16)
    assert control(chosen.hardware, chosen.contract, timeout=100).verdict == "not_applicable"


FAULTS = [
    ("without a request", "rsp_valid_o = state_q == StDone",
     "rsp_valid_o = state_q == StDone || state_q == StIdle"),
    ("withdrawn", "StDone:   if (rsp_ready_i) state_d", "StDone:   state_d"),
    ("before", "CountW'(Width - 1)", "CountW'(Width - 2)"),
    ("no response", "CountW'(Width - 1)", "CountW'(Width)"),
    ("no response", "StIdle:   if (req_valid_i) state_d = StLoop;",
     "StIdle:   if (req_valid_i && !rsp_ready_i) state_d = StLoop;"),
    ("same cycle", "rsp_valid_o = state_q == StDone",
     "rsp_valid_o = state_q == StDone && rsp_ready_i"),
    ("not ready", "req_ready_o = state_q == StIdle",
     "req_ready_o = state_q == StIdle && rsp_ready_i"),
    ("a_i", "last_iteration = count_q", "last_iteration = a_q == '0 || count_q"),
    ("n_i", "rsp_valid_o = state_q == StDone", "rsp_valid_o = state_q == StDone && !n_q[1]"),
]  # fmt: skip
"""A part of the message, and an edit of mm_r2 at 15 bits."""


@pytest.mark.parametrize(("said", "old", "new"), FAULTS)
def test_a_planted_fault_is_refuted(said: str, old: str, new: str, tmp_path: Path) -> None:
    chosen = core("mm_r2", width=15)
    found = control(edited(chosen, old, new, tmp_path).hardware, chosen.contract, timeout=100)
    assert found.verdict == "refuted" and said in found.message and found.path


def test_another_latency_or_interval_than_the_design_s_is_refuted() -> None:
    chosen = core("mm_r2", width=16)
    contract = chosen.contract
    for name in ("latency", "interval"):
        cycles = getattr(contract, name).minimum
        shorter = replace(contract, **{name: Cycles(cycles - 1, cycles - 1)})
        assert control(chosen.hardware, shorter, timeout=100).verdict == "refuted"


def test_the_path_is_the_shortest_run_to_the_fault(tmp_path: Path) -> None:
    chosen = core("mm_r2", width=15)
    faulty = edited(chosen, *FAULTS[2][1:], tmp_path).hardware
    found = control(faulty, chosen.contract, timeout=100)
    cycles = sum(int(run.split()[0]) for run in found.path)
    assert cycles == chosen.contract.latency.minimum + 1
    assert found.path[0].startswith("1 x req_valid_i=1")


def test_more_states_than_can_be_visited_in_time_are_unknown(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(handshake, "MOST_STATES", 10**9)
    (found,) = prove(core("fixed_square", width=8), checks=["control"], timeout=10).checks
    assert found.verdict == "unknown" and "time limit" in found.message


def test_more_states_than_memory_is_for_are_unknown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(handshake, "MOST_STATES", 100)
    (found,) = prove(core("fixed_square", width=8), checks=["control"], timeout=100).checks
    assert found.verdict == "unknown" and "more than 100 states" in found.message


COUNT = "    if (!rst_ni) begin\n      state_q <= StIdle;\n      @count_q <= '0;"
NEXT = "\n    end else begin\n      state_q <= state_d;\n      count_q <= (state_q == StLoop) ?"
NEXT += " count_q + CountW'(1) : "


def test_a_register_without_a_reset_is_not_known_until_it_is_loaded(tmp_path: Path) -> None:
    chosen = core("mm_r2", width=15)
    hardware = edited(chosen, f"{COUNT}@", "", tmp_path).hardware
    found = control(hardware, chosen.contract, timeout=100)
    with_reset = control(chosen.hardware, chosen.contract, timeout=100)
    states = int(found.message.split(" states")[0].split()[-1])
    assert found.verdict == "proved"
    assert states == int(with_reset.message.split(" states")[0].split()[-1]) + 1


def test_all_values_of_registers_on_which_the_handshake_hangs_are_tried(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    chosen = core("mm_r2", width=15)
    stays = NEXT.strip("\n") + "count_q;"
    hardware = edited(chosen, f"{COUNT}{NEXT}'0;@", stays, tmp_path).hardware
    found = control(hardware, chosen.contract, timeout=100)
    assert found.verdict == "refuted" and "before" in found.message
    monkeypatch.setattr(handshake, "MOST_FREE", 3)
    with pytest.raises(ProofError, match="4 registers of the handshake have no reset"):
        control(hardware, chosen.contract, timeout=100)


def test_without_its_waits_a_core_with_slots_is_not_ready_in_time() -> None:
    chosen = core("unit_dsp", width=64)
    found = control(chosen.hardware, chosen.contract, timeout=100)
    assert found.verdict == "refuted" and "not ready" in found.message
