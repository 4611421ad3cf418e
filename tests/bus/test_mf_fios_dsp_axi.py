# SPDX-License-Identifier: Apache-2.0
"""The FIOS multiplier with AXI, run by cocotb, and its registers made by PeakRDL."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from run_cocotb import run_cocotb

from montforge.arch import Design, design, rtl_root

ROOT = Path(__file__).parents[2]
AXI_FILES = [
    rtl_root() / "bus" / f"{name}.sv"
    for name in ("mf_fios_dsp_regs_pkg", "mf_fios_dsp_regs", "mf_fios_dsp_axi")
]
SEED = 1
TESTS = 5


def run(chosen: Design, files: list[Path], folder: Path) -> dict[str, bool]:
    return run_cocotb(
        files,
        "mf_fios_dsp_axi",
        chosen.rtl_parameters,
        "fios_dsp_axi_bench",
        folder,
        BENCH_PARAMETERS=json.dumps(dict(chosen.parameters)),
        BENCH_SEED=str(SEED),
    )


@pytest.mark.slow
def test_axi(tmp_path: Path) -> None:
    chosen = design("fios_dsp", width=100)
    passed = run(chosen, [*chosen.rtl_files, *AXI_FILES], tmp_path)
    assert len(passed) == TESTS
    assert all(passed.values()), (passed, (tmp_path / "test.log").read_text()[-4000:])


@pytest.mark.slow
def test_an_overrun_of_the_results_is_seen(tmp_path: Path) -> None:
    """A multiplier that takes requests without room for their results, under back-pressure."""
    chosen = design("fios_dsp", width=100)
    files = [*chosen.rtl_files, *AXI_FILES]
    place = next(i for i, path in enumerate(files) if path.stem == "mf_fios_dsp_par")
    text, condition = files[place].read_text(), "under_way_d != CountW'(Results)"
    assert condition in text
    files[place] = tmp_path / "mf_fios_dsp_par.sv"
    files[place].write_text(text.replace(condition, "1'b1"))
    assert not run(chosen, files, tmp_path)["nothing_is_lost_under_long_back_pressure"]


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
