# SPDX-License-Identifier: Apache-2.0
"""Parameter ``check``: names, contract, refusals, operations without an error, planted faults."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from montforge.arch import Core, core, cores, design
from montforge.arch.checked import Checked
from montforge.errors import ParameterError
from montforge.generate import generate
from montforge.hardware.check import PRIME_RESIDUE, RESIDUES, tapped_text
from montforge.prove import prove
from montforge.verify import verify
from planted import edited

CHECKED = [name for name, found in cores().items() if issubclass(found, Checked)]
NARROW, WIDTH = 4, 33
FORMS: list[tuple[str, dict[str, Any]]] = [
    *((name, {}) for name in CHECKED),
    ("scs_mm_ct", {"block": 5}),
    ("scs_mm_new", {"variant": "published"}),
    ("scs_mm_skip", {"skips": 3}),
    ("booth_csa", {"radix": 8}),
    ("booth_csa", {"radix": 16, "result": "nonnegative"}),
    ("booth_csa", {"radix": 64}),
    ("unit_csa", {"digit": 5, "delay": 3}),
    ("fios_dsp", {"variant": "published"}),
    ("fios_dsp", {"variant": "unit", "array": "expanded", "pipeline": 1}),
    ("fios_dsp", {"elements": 2, "word_width": 23}),
]


def test_the_architectures_with_a_check() -> None:
    named = "booth_csa fcs_mm1 fcs_mm2 fcs_mmm42 fios_dsp mscs_mm scs_mm scs_mm1 scs_mm2 scs_mm_ct"
    assert set(CHECKED) == {*named.split(), "scs_mm_new", "scs_mm_skip", "unit_csa"}


@pytest.mark.parametrize("name", CHECKED)
def test_without_it_a_design_is_as_before(name: str) -> None:
    plain, zero, checked = (
        core(name, width=WIDTH, **given) for given in ({}, {"check": 0}, {"check": 4})
    )
    assert zero == plain and "check" not in f"{plain.words} {plain.identifier} {plain.parameters}"
    assert "err_o" not in [port.name for port in plain.contract.ports]
    assert "checked" not in plain.contract.to_json()
    assert not any("check" in path.name or "tapped" in path.name for path in plain.hardware.files)
    assert checked.parameters == {**plain.parameters, "check": 4}
    assert checked.contract.to_json()["checked"] == 4
    assert checked.contract.ports[-1].name == "err_o"
    assert checked.contract.latency == plain.contract.latency
    assert checked.contract.handover > plain.contract.handover
    assert core(name, **checked.parameters) == checked


@pytest.mark.parametrize(
    ("r", "name", "given"),
    [
        (r, name, given)
        for r in RESIDUES
        for name, given in FORMS
        if r != PRIME_RESIDUE or name in ("fios_dsp", "scs_mm_ct")
    ],
    ids=str,
)
def test_right_results_have_no_error(r: int, name: str, given: dict[str, Any]) -> None:
    try:
        chosen = core(name, width=WIDTH, check=r, **given)
    except ParameterError as error:  # a short operation
        assert "may take" in str(error)
        chosen = core(name, width=2 * WIDTH, check=r, **given)
    report = verify(chosen, operations=60, chain_length=20, seed=1, workers=1)
    assert report.mismatches == 0


@pytest.mark.parametrize("name", ["scs_mm_ct", "scs_mm", "fcs_mm1", "scs_mm_skip"])
def test_all_operations_of_few_bits_have_no_error(name: str) -> None:
    width = next(w for w in range(3, 20) if _legal(name, w))
    assert verify(core(name, width=width, check=4), mode="exhaustive", seed=1).mismatches == 0


def _legal(name: str, width: int) -> bool:
    try:
        return bool(core(name, width=width, check=4))
    except ParameterError:
        return False


@pytest.mark.parametrize(
    "given", [{"modulus": 0xFFF1}, {"clear": 1}, {"modulus": 0xFFF1, "clear": 3}], ids=str
)
def test_it_goes_with_one_modulus_and_with_clearing(given: dict[str, int]) -> None:
    chosen = core("scs_mm_ct", **{"width": 16, **given}, check=8)
    assert verify(chosen, operations=60, chain_length=20, seed=1, workers=1).mismatches == 0


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("mf_residue_check", "added_q <= (reduced", "added_q <= (~reduced"),
        ("mf_residue_check", "count_q != CountW'(Places)", "count_q == CountW'(Places)"),
        ("mf_residue_check", "settled ? '0 : count_d", "settled ? CountW'(1) : count_d"),
        ("mf_result_guard", "hold_i ? parity_q : parity", "hold_i ? parity_q : ~parity"),
        ("mf_check_sequencer", "core_rsp_valid_i != ends", "core_rsp_valid_i == ends"),
        ("mf_scs_mm_ct_tapped", "digit_o       = q_bit", "digit_o       = a_bit"),
    ],
)
def test_the_bench_sees_a_false_alarm(name: str, old: str, new: str, tmp_path: Path) -> None:
    wrong = edited(core("scs_mm_ct", width=16, check=4), old, new, tmp_path, name)
    assert verify(wrong, mode="random", operations=20, seed=1, until_wrong=True).mismatches


@pytest.mark.parametrize("name", ["scs_mm_ct", "unit_csa", "booth_csa", "fios_dsp"])
def test_time_does_not_follow_data(name: str) -> None:
    found = prove(core(name, width=64, check=16), checks=["timing", "enables"])
    assert [check.verdict for check in found.checks] == ["proved"] * 2


def test_the_handshake_is_proved() -> None:
    (found,) = prove(core("scs_mm_ct", width=64, check=16), checks=["control"]).checks
    assert found.verdict == "proved", found.message


def test_function_is_of_the_design_without_it() -> None:
    (found,) = prove(core("scs_mm_ct", width=16, check=4), checks=["function"]).checks
    assert found.verdict == "unknown" and "without parameter check" in found.message


def test_refusals() -> None:
    with pytest.raises(ParameterError, match=r"check = 5 is out of range.*0, 4, 8, 16"):
        core("scs_mm_ct", check=5)
    with pytest.raises(ParameterError, match="residues of the operands take"):
        core("fcs_mmm42", width=8, check=16)
    with pytest.raises(ParameterError, match="pipeline = 1"):
        core("booth_csa", pipeline=1, check=8)
    with pytest.raises(ParameterError, match="whether n is added would not show"):
        core("booth_csa", radix=64, result="nonnegative", check=8)
    for given in ({"result": "signed"}, {"overlap": 1}):
        with pytest.raises(ParameterError, match="result = scaled and overlap = 0"):
            core("unit_csa", **given, check=8)
    with pytest.raises(ParameterError, match=r"multiplier.check = 8 is not legal"):
        design("modexp", width=16, multiplier="scs_mm_ct", **{"multiplier.check": 8})
    for form in ("axi", "axis"):
        with pytest.raises(ParameterError, match=f"{form}: no parameter check"):
            core("scs_mm_ct", check=8).with_form(form)


def test_a_tap_that_does_not_fit_its_module_is_refused() -> None:
    chosen = core("scs_mm_ct")
    assert isinstance(chosen, Checked)
    with pytest.raises(AssertionError, match="has no list of ports"):
        tapped_text("module x (input logic a);\nendmodule\n", chosen.tap)


def test_a_folder_says_so_and_its_testbench_sees_errors(tmp_path: Path) -> None:
    chosen: Core = core("scs_mm_ct", width=16, check=4)
    folder = generate(chosen, tmp_path / "out")
    assert json.loads((folder / "contract.json").read_text())["checked"] == 4
    assert "Checks its results: yes." in (folder / "README.md").read_text()
    (testbench,) = (folder / "tb").glob("*_tb.sv")
    assert "err_o is 1 without a fault" in testbench.read_text()
