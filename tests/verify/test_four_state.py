# SPDX-License-Identifier: Apache-2.0
"""Four-state runs in Icarus: unreset registers start unknown, and idle inputs are unknown.

The generated testbench drives X between requests and takes an unknown handshake or result for a
failure; Icarus runs it on the flat Verilog of every architecture.
"""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from custom import with_files
from montforge.arch import Design, design, registry, variants
from montforge.generate import generate

from .designs import LOADED, planted_files

pytestmark = pytest.mark.skipif(shutil.which("iverilog") is None, reason="needs iverilog")

WIDTH = 9
CYCLES = 6000
"""Icarus simulates a few hundred cycles of a large design in a second."""
ONE_FORM = ("rmm", "modexp", "fmlm", "fmle")
"""Architectures whose forms differ in a schedule, or are too large to run all of them."""
OTHERS = {"rmm": {"k": 3, "m": 2}, "scs_mm_ct": {"block": 4}, "tenca_koc": {"word": 4}}


def designs() -> list[Design]:
    """Each architecture and each other choice of its named parameters."""
    found = []
    for name in registry():
        several = variants(name, width=WIDTH, **OTHERS.get(name, {}))
        found += several[:1] if name in ONE_FORM else several
    return found


def designs_in_harnesses() -> list[Design]:
    """One of each kind of harness, and one with a load phase."""
    forms = {"axi": ("mm_r2", "modexp"), "native": ("eberle", "fios_dsp", "tenca_koc", "modexp")}
    found = [design(n, width=WIDTH).with_form(form) for form in forms for n in forms[form]]
    return [*found, LOADED.with_form("axi")]


def four_state_run(chosen: Design, folder: Path) -> subprocess.CompletedProcess[str]:
    return icarus(chosen, generate(chosen, folder / "out", flat_verilog=True))


def icarus(chosen: Design, output: Path) -> subprocess.CompletedProcess[str]:
    operations = max(1, min(60, CYCLES // chosen.contract.latency.maximum))
    return subprocess.run(
        ["make", "icarus", f"ICARUS_OPERATIONS={operations}"],
        cwd=output,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=600,
        check=False,
    )


@pytest.mark.parametrize("chosen", designs(), ids=lambda d: d.identifier)
def test_nothing_unknown_comes_out(chosen: Design, tmp_path: Path) -> None:
    run = four_state_run(chosen, tmp_path)
    assert run.returncode == 0, run.stdout
    assert ", 0 failed" in run.stdout


@pytest.mark.parametrize("chosen", designs_in_harnesses(), ids=lambda d: d.identifier)
def test_each_form_runs_and_a_wrong_value_is_seen(chosen: Design, tmp_path: Path) -> None:
    output = generate(chosen, tmp_path / "out", flat_verilog=True)
    run = icarus(chosen, output)
    assert run.returncode == 0, run.stdout
    assert ", 0 failed" in run.stdout
    expected = output / "tb" / "expected.hex"
    comment, first, *rest = expected.read_text().splitlines(keepends=True)
    changed = f"{first[:-2]}{int(first[-2], 16) ^ 1:x}\n"
    expected.write_text("".join((comment, changed, *rest)))
    run = icarus(chosen, output)
    assert run.returncode != 0
    assert "operation 0: the value is wrong" in run.stdout
    assert ", 1 failed" in run.stdout


FAULTS = {
    "the phase is not reset": ("      state_q <= StIdle;\n", "", "rsp_valid is high in reset"),
    "the accumulator is not cleared": ("          s_q <= '0;\n", "", "the value is wrong"),
    "ready depends on an operand": (
        "req_ready_o = state_q == StIdle",
        "req_ready_o = state_q == StIdle && !(a_i[0] && b_i[0] && !n_i[0])",
        "req_ready is neither 0 nor 1",
    ),
    "an operand is not sampled": ("b_q & {Width", "b_i & {Width", "the value is wrong"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_planted_faults_are_caught(fault: str, tmp_path: Path) -> None:
    old, new, message = FAULTS[fault]
    plain = design("mm_r2", width=WIDTH)
    wrong = with_files(plain, planted_files(plain, old, new, tmp_path))
    run = four_state_run(wrong, tmp_path)
    assert run.returncode != 0
    assert message in run.stdout
