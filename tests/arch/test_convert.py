# SPDX-License-Identifier: Apache-2.0
"""The helper module mf_convert: a carry-save pair to binary."""

from __future__ import annotations

from pathlib import Path

import pytest

from montforge.arch import design
from montforge.arch.fcs_mm import CONVERT
from montforge.hardware import rtl_root
from testbench import run_testbench, verilator_bin

FILES = [rtl_root() / name for name in CONVERT]
TESTBENCH = Path(__file__).parent / "convert_tb.sv"


@pytest.mark.parametrize(("width", "converter"), ((1, 8), (16, 8), (65, 32), (1025, 64)))
def test_lint(width: int, converter: int) -> None:
    done = verilator_bin(
        *("--lint-only", "-Wall", "--quiet", "--top-module", "mf_convert"),
        *(f"-GWidth={width}", f"-GConverter={converter}", *FILES),
    )
    assert done.returncode == 0, done.stderr


def test_illegal_converter_stops_elaboration() -> None:
    done = verilator_bin("--lint-only", "--top-module", "mf_convert", "-GConverter=7", *FILES)
    assert "Converter must be 8 to 8194" in done.stderr


@pytest.mark.slow
@pytest.mark.parametrize(("width", "converter"), ((5, 8), (16, 8), (65, 8), (130, 32)))
def test_sums(width: int, converter: int) -> None:
    parameters = {"Width": width, "Converter": converter}
    run_testbench("convert_tb", [*FILES, TESTBENCH], parameters)


@pytest.mark.parametrize("name", ("fcs_mm1", "fcs_mm2", "fcs_mmm42"))
def test_comes_with_the_designs_whose_results_are_pairs(name: str) -> None:
    assert design(name).companions == tuple(FILES)
