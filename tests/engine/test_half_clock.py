# SPDX-License-Identifier: Apache-2.0
"""Exponentiators on a clock of their own, faster than the engine's by a whole number."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path

import pytest

from engine_faults import BLOCKED, HANG, KINDS, WRONG, FaultBench, build_with_faults, campaign
from montforge.arch import design
from montforge.arch.rsa.engine import HALF_CLOCK, Engine
from montforge.arch.rsa.keys import make_key
from montforge.errors import ParameterError
from montforge.measure import measure
from montforge.verify.engine import check
from montforge.verify.engine_bench import build
from planted import Bug, planted_program

SMALL = {"bits": 32, "window": 2, "min_bits": 16, "eblind": 0}
ENGINES = [
    design("rsa", **SMALL, half_clock=2),
    design("rsa", **SMALL, half_clock=3, core="mm_r2", public=1, check="both"),
    design("rsa", **SMALL, half_clock=4, core="unit_dsp", table="words", halves=1, adder=64),
]  # fmt: skip
BUGS = [
    Bug("taken in other cycles", "mf_engine_step", "@turns_q[Ratio-2] == turn_q@",
        "turns_q[Ratio-2] != turn_q"),
    Bug("taken in each cycle", "mf_engine_step", "@turns_q[Ratio-2] == turn_q@", "1'b1"),
    Bug("words loaded in each cycle", "mf_rsa", "load && selected_q && @half_step@", "1'b1"),
    Bug("turns cleared in each cycle but the last", "mf_rsa",
        "events.turns_clear && @half_step@", "!half_step"),
    Bug("words left in each cycle", "mf_rsa", "store_q && @half_step@", "1'b1"),
    Bug("started in each cycle", "mf_rsa", "go_q && @half_step@", "1'b1"),
]  # fmt: skip


@pytest.mark.parametrize("engine", ENGINES, ids=str)
def test_operations_and_errors(engine: Engine) -> None:
    report = check(engine, operations=2, seed=1)
    assert report.operations > 40
    assert not report.failures
    slow = check(engine.replace(half_clock=1), operations=2, seed=1)
    for found, before in zip(report.keys, slow.keys, strict=True):
        # Turns go at the faster clock, and end with a cycle of the engine's.
        most = min(before.private) - before.turns * (engine.turn - 1)
        assert found.turns == before.turns
        assert min(found.private) <= most + engine.turn_cycles(before.turns)


def test_clocks_of_the_hardware() -> None:
    for ratio in (1, 2, 3, 4):
        engine = design("rsa", **SMALL, half_clock=ratio)
        assert engine.turn_cycles(12) == 12 * engine.turn // ratio
        assert engine.hardware.fast_clocks == ({HALF_CLOCK: ratio} if ratio > 1 else {})


@pytest.mark.parametrize("engine", ENGINES[:2], ids=str)
def test_no_fault_releases_a_wrong_result(engine: Engine) -> None:
    hardware = engine.hardware
    small = replace(hardware, parameters={**hardware.parameters, "WatchdogBits": 12})
    key = make_key(32, random.Random(1))
    with FaultBench(build_with_faults(small), engine.bits) as bench:
        assert not bench.load(key).error
        for seed, kind in enumerate(KINDS):
            found = campaign(bench, key, 9, 150, seed=seed, kind=kind)
            assert (found.count(WRONG), found.count(HANG)) == (0, 0), found.trials
            assert found.count(BLOCKED) > 0


def planted() -> Path:
    return planted_program(ENGINES[0], BUGS, build=build)


def test_the_engine_without_a_bug() -> None:
    assert not check(ENGINES[0], operations=1, seed=2, program=planted(), errors=False).failures


@pytest.mark.slow
@pytest.mark.parametrize("bug", BUGS, ids=lambda bug: bug.name)
def test_planted_bugs_are_caught(bug: Bug, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PLANTED", str(BUGS.index(bug) + 1))
    limit = 1 << 17
    report = check(ENGINES[0], operations=1, seed=2, program=planted(), errors=False, limit=limit)
    assert report.failures


def test_cells_have_one_clock() -> None:
    with pytest.raises(ParameterError, match=HALF_CLOCK):
        measure(ENGINES[0], "nangate45", effort="quick")
    with pytest.raises(ParameterError, match=r"half_clock .*1 to 4"):
        design("rsa", half_clock=5)
