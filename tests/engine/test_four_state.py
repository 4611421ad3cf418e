# SPDX-License-Identifier: Apache-2.0
"""The engine in Icarus: data is unknown in all cycles without its valid, and nothing else is.

The generated testbench drives X there, random words among it, and takes an unknown output for a
failure; a key is loaded and used, errors are answered.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from montforge.arch import design
from montforge.arch.rsa.engine import Engine
from montforge.generate import generate
from montforge.generate.flat import flatten_folder
from planted import edit

pytestmark = pytest.mark.skipif(shutil.which("iverilog") is None, reason="needs iverilog")

ENGINE = design("rsa", bits=32, core="full_parallel", window=2, halves=1, min_bits=16, public=1)


def generated(folder: Path, engine: Engine = ENGINE, form: str = "axi") -> Path:
    return generate(engine.with_form(form), folder / "engine", name="engine", flat_verilog=True)


def four_state_run(folder: Path) -> subprocess.CompletedProcess[str]:
    """Run the testbench of a generated folder in Icarus."""
    return subprocess.run(
        ["make", "icarus"], cwd=folder, capture_output=True, text=True, timeout=300, check=False
    )


@pytest.mark.parametrize(
    ("form", "adder", "result"), [("axi", 32, "1_000_1400_"), ("axis", 64, "1_000_0001_")]
)
def test_what_is_not_valid_has_no_effect_and_a_wrong_word_is_seen(
    form: str, adder: int, result: str, tmp_path: Path
) -> None:
    engine = replace(ENGINE, adder=adder)
    folder = generated(tmp_path, engine, form)
    run = four_state_run(folder)
    assert run.returncode == 0, run.stdout + run.stderr
    assert re.search(r"\d\d steps, 0 failed", run.stdout)
    # Without Verilator `make` does so, too; with Verilator not, as it is slow.
    for verilator, is_run in (("missing", True), ("sh", False)):
        recipe = subprocess.run(
            ["make", "-n", f"VERILATOR={verilator}"], cwd=folder, capture_output=True, text=True
        )
        assert ("vvp -n" in recipe.stdout) == is_run
    steps = folder / "tb" / "steps.hex"
    # A word of the signature, where the testbench reads it.
    before, word, after = steps.read_text().partition(result)
    steps.write_text(f"{before}{word}{int(after[:8], 16) ^ 1:08x}{after[8:]}")
    run = four_state_run(folder)
    assert run.returncode != 0
    assert re.search(r"steps, 1 failed", run.stdout)


@pytest.mark.slow
def test_random_data_that_is_used_while_not_valid_is_seen(tmp_path: Path) -> None:
    folder = generated(tmp_path)
    (words,) = folder.rglob("mf_engine_words.sv")
    edit(words, " & {WordW{random_write}}", "")
    flatten_folder("engine", folder)
    run = four_state_run(folder)
    assert run.returncode != 0
    assert "an output is neither 0 nor 1" in run.stdout
