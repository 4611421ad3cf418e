# SPDX-License-Identifier: Apache-2.0
"""Parameter ``clear`` overwrites all registers of every core: proved, and refuted for faults."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from montforge.arch import Core, core, cores
from montforge.hardware import Hardware
from montforge.prove import prove
from montforge.prove.verdict import Check
from planted import Bug, edited, edited_files

SECONDS = 300.0
WIDTH = 8


def checked(chosen: Core) -> Check:
    (found,) = prove(chosen, checks=["clear"], timeout=SECONDS).checks
    return found


def faulty(chosen: Core, hardware: Hardware) -> Check:
    (found,) = prove(chosen, checks=["clear"], timeout=SECONDS, hardware=hardware).checks
    return found


def cycles(found: Check) -> int:
    """The idle cycles after which all registers are known."""
    assert found.verdict == "proved", found.message
    number = re.match(r"\d+", found.message)
    assert number is not None
    return int(number[0])


@pytest.mark.parametrize("name", cores())
def test_every_core_is_cleared_in_the_time_that_its_contract_says(name: str) -> None:
    chosen = core(name, width=WIDTH, clear=1)
    assert 0 < cycles(checked(chosen)) <= chosen.clear + chosen.contract.clearing


@pytest.mark.parametrize(
    "chosen",
    [
        core("fios_dsp", width=WIDTH, variant="published", clear=1),  # words go round in it
        core("rmm", width=16, k=4, m=4, contexts=2, clear=1),
        core("modexp", width=WIDTH, multiplier="full_pipelined", chains=2, clear=1),
        core("modexp", width=WIDTH, multiplier="mm_r2", algorithm="ladder", clear=1),
        core("scs_mm_new", modulus=0xB5, clear=2),
        core("three_pass", width=WIDTH, clear=1),
    ],
    ids=str,
)
def test_several_operations_under_way_are_cleared(chosen: Core) -> None:
    assert cycles(checked(chosen)) <= chosen.clear + chosen.contract.clearing


def test_it_begins_after_the_idle_cycles_that_are_asked_for() -> None:
    few, many = (cycles(checked(core("mm_r2", width=WIDTH, clear=idle))) for idle in (1, 20))
    assert (few, many) == (4, 23)


def test_a_core_without_it_is_refuted() -> None:
    found = checked(core("mm_r2", width=WIDTH))
    assert found.verdict == "refuted"
    assert found.witness == {"b_q": WIDTH}


KEPT = "        b_q <= b_i;"
FAULTS = {
    "an enable that no operation exercises": ("mf_mm_r2", KEPT, "        if (a_i[0]) b_q <= b_i;"),
    "no operation": ("mf_clear", "left_q <= OperationsW'(Operations);", "left_q <= '0;"),
    "no start": ("mf_clear", "if (expired) state_d = Reset", "if (expired) state_d = Clean"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_register_that_is_not_overwritten_is_refuted(fault: str, tmp_path: Path) -> None:
    chosen = core("mm_r2", width=WIDTH, clear=1)
    module, old, new = FAULTS[fault]
    bad = edited(chosen, old, new, tmp_path, module).hardware
    found = faulty(chosen, bad)
    assert found.verdict == "refuted"
    assert any(name.endswith("b_q") for name in found.witness)


def test_too_few_operations_are_refuted(tmp_path: Path) -> None:
    chosen = core("fios_dsp", width=16, variant="published", clear=1)
    assert chosen.clearing_operations == 3
    bad = edited(chosen, ".Operations(3)", ".Operations(2)", tmp_path).hardware
    found = faulty(chosen, bad)
    assert found.verdict == "refuted" and found.witness


OPEN = {
    "inputs": ("serving && req_valid_i ? inputs_i", "serving ? inputs_i"),
    "controls": ("assign passing_o        = ", "assign passing_o        = serving || "),
    "responses": ("state_q != Used || rsp_ready_i", "!serving || rsp_ready_i"),
    "leaves": ("if (req_valid_i) state_d = Used", "if (rsp_ready_i) state_d = Used"),
}


@pytest.mark.parametrize("fault", OPEN)
def test_what_a_user_drives_without_a_request_is_kept_out(fault: str, tmp_path: Path) -> None:
    chosen = core("modexp", width=WIDTH, multiplier="mm_r2", clear=1)
    bad = edited(chosen, *OPEN[fault], tmp_path, "mf_clear").hardware
    found = faulty(chosen, bad)
    assert found.verdict == "unknown" and "after clearing" in found.message


def test_checks_that_take_reset_for_inactive_are_unknown() -> None:
    chosen = core("mm_r2", width=WIDTH, clear=1)
    found = prove(chosen, checks=["function", "control", "hold"], timeout=SECONDS).checks
    assert all(each.verdict == "unknown" and "clear" in each.message for each in found)


@pytest.mark.parametrize(
    "chosen",
    [
        core("mm_r2", width=WIDTH, clear=1),
        core("full_pipelined", width=WIDTH, clear=1),
        core("modexp", width=WIDTH, multiplier="mm_r2", clear=1),
    ],
    ids=str,
)
def test_zeroize_clears_the_form_with_registers(chosen: Core) -> None:
    assert cycles(checked(chosen.with_form("axi"))) <= chosen.contract.clearing + 4


def test_registers_that_tell_a_time_that_depends_on_data_stay_unknown() -> None:
    found = checked(core("scs_mm_new", width=WIDTH, clear=1).with_form("axi"))
    assert found.verdict == "unknown" and "cycles" in found.message


REGISTERS = {
    "words": ("if (zeroize_i) begin\n      words_q <= '0;", "if (zeroize_i) begin"),
    "core": ("assign end_it   = zeroize_i || ", "assign end_it   = "),
}


@pytest.mark.parametrize("fault", REGISTERS)
def test_a_zeroize_that_leaves_data_is_not_proved(fault: str, tmp_path: Path) -> None:
    chosen = core("mm_r2", width=WIDTH, clear=1).with_form("axi")
    bug = Bug(fault, "mf_core_windows", *REGISTERS[fault])
    files = edited_files(chosen.hardware.files, bug, tmp_path)
    found = faulty(chosen, replace(chosen.hardware, files=files))
    assert found.verdict == "unknown" and "not known after clearing" in found.message
