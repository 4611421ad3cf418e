# SPDX-License-Identifier: Apache-2.0
"""The AXI4-Stream form of cores, run by cocotb: several products under way, exact intervals."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from run_cocotb import run_cocotb

from montforge.arch import core
from planted import Bug, planted_files

FOUR = "that of a core with four under way"
CORES = {
    "the core's interval": (core("fios_dsp", width=100), 49),
    FOUR: (
        core("fios_dsp", width=100, variant="unit", array="expanded", word_width=16),
        17,
    ),
    "the next slot after the words, 13": (core("unit_dsp", width=82, word=24), 14),
    "the next slot after the words, 15": (
        core("rmm", width=96, k=5, m=4, contexts=2),
        18,
    ),
    "words of a request": (core("full_pipelined", width=70), 12),
    "words of a response, and one": (core("fixed_square", modulus=8191), 2),
}
"""What decides the cycles between two responses, and those cycles."""
TESTS = 5
BUGS = {
    "without_pauses_packets_follow_at_the_interval": Bug(
        "no more than one is under way",
        "mf_core_packets",
        "state_q == Issue && @under_way_q != CountW'(InFlight)@",
        "under_way_q == '0",
    ),
    "reset_in_the_middle": Bug(
        "the place is not reset",
        "mf_core_packets",
        "      refusal_q <= Fine;\n      place_q   <= @'0@;",
        "place_q",
    ),
    "malformed_requests_are_answered_in_order": Bug(
        "a refusal overtakes results",
        "mf_core_packets",
        "state_q == Refuse && @under_way_q == '0@ && idle",
        "1'b1",
    ),
    "nothing_is_lost_under_long_back_pressure": Bug(
        "a result is taken while one is sent",
        "mf_core_packets",
        "rsp_ready_o   = @idle@",
        "1'b1",
    ),
}
"""Bugs by the tests that see them."""


def run(name: str, folder: Path, **environment: str) -> dict[str, bool]:
    chosen, interval = CORES[name]
    hardware = chosen.with_form("axis").hardware
    return run_cocotb(
        planted_files(hardware.files, list(BUGS.values()), folder),
        hardware.top,
        {},
        "axis_form_bench",
        folder,
        BENCH_NAME=chosen.name,
        BENCH_PARAMETERS=json.dumps(dict(chosen.parameters)),
        BENCH_INTERVAL=str(interval),
        **environment,
    )


@pytest.mark.slow
@pytest.mark.parametrize("name", CORES)
def test_axis(name: str, tmp_path: Path) -> None:
    passed = run(name, tmp_path)
    assert len(passed) == TESTS
    assert all(passed.values()), (passed, (tmp_path / "test.log").read_text()[-4000:])


@pytest.mark.slow
@pytest.mark.parametrize("name", BUGS)
def test_planted_bugs_are_seen(name: str, tmp_path: Path) -> None:
    number = str(1 + list(BUGS).index(name))
    passed = run(FOUR, tmp_path, PLANTED=number, COCOTB_TEST_FILTER=name)
    assert passed == {name: False}
