# SPDX-License-Identifier: Apache-2.0
"""The engine in Icarus: data is unknown in all cycles without its valid, and nothing else is.

The generated testbench drives X there, random words among it, and takes an unknown output for a
failure; a key is loaded and used, errors are answered.
"""

from __future__ import annotations

import shutil
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from montforge.generate.engine import generate_engine
from montforge.rsa.engine import Engine
from montforge.yosys import run_yosys

pytestmark = pytest.mark.skipif(shutil.which("iverilog") is None, reason="needs iverilog")

ENGINE = Engine(bits=32, core="full_parallel", window=2, halves=1, min_bits=16, public=1)


def four_state_run(folder: Path) -> str:
    """Return what the testbench of a generated folder prints in Icarus."""
    run_yosys(
        f"read_slang --top engine {' '.join((folder / 'engine.f').read_text().split())}\n"
        "proc; flatten; memory_collect; opt_clean -purge\n"
        "bmuxmap; demuxmap; bwmuxmap\n"
        "write_verilog -noattr tb/flat.v\n",
        log=folder / "yosys.log",
        timeout=120,
        cwd=folder,
    )
    for command in (
        ["iverilog", "-g2012", "-o", "run", "flat.v", "engine_tb.sv"],
        ["vvp", "-n", "run"],
    ):
        done = subprocess.run(
            command, cwd=folder / "tb", capture_output=True, text=True, timeout=300, check=False
        )
    return done.stdout + done.stderr


@pytest.mark.parametrize(("form", "adder"), [("axi", 32), ("axis", 64)])
def test_what_is_not_valid_has_no_effect(form: str, adder: int, tmp_path: Path) -> None:
    engine = replace(ENGINE, adder=adder)
    folder = generate_engine(engine, tmp_path / "engine", form=form, name="engine")
    assert ", 0 failed" in four_state_run(folder)


@pytest.mark.slow
def test_random_data_that_is_used_while_not_valid_is_seen(tmp_path: Path) -> None:
    folder = generate_engine(ENGINE, tmp_path / "engine", name="engine")
    (words,) = folder.rglob("mf_rsa_words.sv")
    text = words.read_text()
    assert text.count(" & {WordW{random_write}}") == 1
    words.write_text(text.replace(" & {WordW{random_write}}", ""))
    assert "an output is neither 0 nor 1" in four_state_run(folder)
