# SPDX-License-Identifier: Apache-2.0
"""Flips of single bits of an engine, each bit at each cycle: none releases a wrong result."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from engine_faults import FLIP, WRONG, Fault, FaultBench, build_with_faults, hardware_for_faults
from montforge.arch import core, design
from montforge.arch.rsa.engine import HALF_CLOCK, Engine
from montforge.errors import ParameterError
from montforge.hardware import Hardware
from montforge.prove import flips, prove
from montforge.prove.flips import faults, operations
from montforge.prove.gates import Gates
from montforge.prove.verdict import ProofError
from planted import Bug, edited_files

SECONDS = 3600.0
IN_POWER = range(707, 708)
"""A cycle of the powers."""
ROWS, GUARD, CONTROL = "mf_rsa_rows", "mf_engine_guard", "mf_engine_control"
BUGS = [
    Bug("the last comparison is of y^e with itself", ROWS,
        ": counts(CodeFirst, compare(half(WorkM), half(@WorkX@)), IfEqual)", "WorkM", others=((
        ROWS, ": counts(CodeSecond, compare(half(WorkM), half(@WorkX@)), IfEqual)", "WorkM"),)),
    Bug("no result is checked", GUARD, "IfEqual:    holds_o = @!nonzero_i@;", "1'b1"),
]  # fmt: skip
WITHOUT_KEEP = Bug("a result that is not kept is released", CONTROL,
                   "!lost && @keep_result &&@", "")  # fmt: skip


def engine(**parameters: int | str) -> Engine:
    values = {"bits": 32, "window": 2, "eblind": 0, "min_bits": 16, **parameters}
    found = design("rsa", **values)
    assert isinstance(found, Engine)
    return found


def with_bug(bug: Bug, folder: Path) -> Hardware:
    whole = engine().hardware
    return replace(whole, files=edited_files(whole.files, bug, folder))


@pytest.fixture(scope="module")
def gates() -> Gates:
    hardware = hardware_for_faults()
    assert hardware.parameters["WatchdogBits"] == flips.WATCHDOG_BITS
    return Gates(hardware, timeout=SECONDS, prepare=flips.PREPARE)


def test_gates_are_of_one_clock() -> None:
    with pytest.raises(ParameterError, match=HALF_CLOCK):
        Gates(engine(half_clock=2).hardware, timeout=SECONDS)


@pytest.fixture
def read_once(gates: Gates, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(flips, "Gates", lambda *_, **__: gates)
    store = flips.ResultStore(tmp_path / "results.sqlite")
    monkeypatch.setattr(flips, "ResultStore", lambda: store)


@pytest.mark.usefixtures("read_once")
def test_no_flip_in_a_cycle_releases_a_wrong_result(
    gates: Gates, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = engine()
    tried = operations(whole)[:1]
    check = faults(whole, whole.hardware, SECONDS, tried, IN_POWER)
    assert check.verdict == "proved", check
    bits = sum(len(each.following) for each in gates.registers)
    assert f"none of {bits:,} flips" in check.message
    assert "at each of 1 cycles of 1 operations" in check.message
    assert str(tried[0]) in " ".join(check.assumptions)
    assert check.grounds == flips.GROUNDS
    # What was followed is kept.
    monkeypatch.setattr(flips, "run_tool", lambda *_, **__: pytest.fail("followed again"))
    assert faults(whole, whole.hardware, SECONDS, tried, IN_POWER) == check


@pytest.mark.usefixtures("read_once")
def test_at_the_time_limit_the_verdict_is_unknown() -> None:
    whole = engine()
    flips._program()
    check = faults(whole, whole.hardware, 1.0)
    assert check.verdict == "unknown"
    assert "0 of 4 operations" in check.message


def test_registers_and_their_copies_are_all_flipped(gates: Gates) -> None:
    names = {name: len(rows) for name, rows in gates.named_registers.items()}
    for name in ("u_control.u_wipe.keep_result", "u_windows.result", "u_control.due"):
        assert names[f"{name}_q"] == names[f"{name}_copy_q"] == 1
    words = [count for name, count in names.items() if ".words_q[" in name]
    assert sum(words) == engine().memory_bits


@pytest.mark.parametrize("bug", BUGS, ids=lambda bug: bug.name)
def test_planted_faults_are_refuted(bug: Bug, tmp_path: Path) -> None:
    """And the bench of the campaign, which simulates the RTL, releases the same wrong result."""
    whole = engine()
    operation = operations(whole)[0]
    hardware = with_bug(bug, tmp_path)
    check = faults(whole, hardware, SECONDS, [operation], IN_POWER)
    assert check.verdict == "refuted", check
    found = check.witness
    assert (found["c"], found["n"]) == (operation.c, operation.key.n)
    assert found["cycle"] in IN_POWER
    assert found["y"] not in (0, operation.y)
    (path,) = check.path
    name, _, bit = path.rpartition("[")
    parameters = {**hardware.parameters, "WatchdogBits": flips.WATCHDOG_BITS}
    program = build_with_faults(replace(hardware, parameters=parameters), optimised=False)
    with FaultBench(program, whole.bits, seed=flips.SEED) as bench:
        bench.load(operation.key)
        assert bench.golden(operation.c, seed=flips.SEED).value == operation.y
        end = name.replace("[", "__BRA__").replace("]", "__KET__").replace(".", "__DOT__")
        (register,) = (each for each in bench.registers() if each.name.endswith(f"__DOT__{end}"))
        flip = Fault(register.number, 0, int(bit[:-1]), found["cycle"], FLIP)
        ended = bench.with_faults([flip])
    assert (ended.outcome(operation.y), ended.value) == (WRONG, found["y"])


def test_the_lemma_fails_where_a_result_is_released_that_is_not_kept(
    gates: Gates, tmp_path: Path
) -> None:
    assert flips._stays_shut(gates, SECONDS)
    bad = Gates(with_bug(WITHOUT_KEEP, tmp_path), timeout=SECONDS, prepare=flips.PREPARE)
    assert not flips._stays_shut(bad, SECONDS)


def test_of_other_designs_the_verdict_is_unknown() -> None:
    for other in (engine().with_form("axi"), engine(bits=64)):
        assert isinstance(other, Engine)
        with pytest.raises(ProofError, match="bits=32"):
            faults(other, other.hardware, SECONDS)
    (check,) = prove(core("mm_r2", width=8), checks=["faults"]).checks
    assert check.verdict == "unknown" and "engine" in check.message
