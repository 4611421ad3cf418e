# SPDX-License-Identifier: Apache-2.0
"""The FIOS multiplier with AXI, run by cocotb, and its registers made by PeakRDL."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from run_cocotb import run_cocotb

from montforge.arch import design
from montforge.hardware import rtl_root
from planted import Bug, planted_files

ROOT = Path(__file__).parents[2]
AXI_FILES = [
    rtl_root() / "bus" / f"{name}.sv"
    for name in ("mf_fios_dsp_regs_pkg", "mf_fios_dsp_regs", "mf_fios_dsp_axi")
]
SEED = 1
TESTS = 5


CHOSEN = design("fios_dsp", width=100)
BUG = Bug(
    "requests are taken without room for their results",
    "mf_fios_dsp_par",
    "@under_way_d != CountW'(Results)@",
    "1'b1",
)


def run(folder: Path, **environment: str) -> dict[str, bool]:
    return run_cocotb(
        planted_files([*CHOSEN.hardware.files, *AXI_FILES], [BUG], folder),
        "mf_fios_dsp_axi",
        CHOSEN.hardware.parameters,
        "fios_dsp_axi_bench",
        folder,
        BENCH_PARAMETERS=json.dumps(dict(CHOSEN.parameters)),
        BENCH_SEED=str(SEED),
        **environment,
    )


@pytest.mark.slow
def test_axi(tmp_path: Path) -> None:
    passed = run(tmp_path)
    assert len(passed) == TESTS
    assert all(passed.values()), (passed, (tmp_path / "test.log").read_text()[-4000:])


@pytest.mark.slow
def test_an_overrun_of_the_results_is_seen(tmp_path: Path) -> None:
    name = "nothing_is_lost_under_long_back_pressure"
    assert run(tmp_path, PLANTED="1", COCOTB_TEST_FILTER=name) == {name: False}


def test_what_peakrdl_makes_is_up_to_date() -> None:
    done = subprocess.run(
        [sys.executable, str(ROOT / "scripts" / "make_registers.py"), "--check"],
        capture_output=True,
        text=True,
    )
    assert (done.returncode, done.stdout) == (0, ""), done.stderr


def test_the_header_compiles(tmp_path: Path) -> None:
    source = tmp_path / "use.c"
    source.write_text(
        '#include "mf_fios_dsp_regs.h"\n'
        "int enable(volatile mf_fios_dsp_regs_t *device) {\n"
        "  device->control = MF_FIOS_DSP_REGS__CONTROL__ENABLE_bm;\n"
        "  return sizeof(*device) == 0x1c && device->status == 0;\n}\n"
    )
    subprocess.run(
        ["gcc", "-std=c11", "-Wall", "-Werror", "-I", str(rtl_root() / "bus"), "-c", "use.c"],
        cwd=tmp_path,
        check=True,
    )
