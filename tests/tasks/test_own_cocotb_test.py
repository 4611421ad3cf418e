# SPDX-License-Identifier: Apache-2.0
"""docs/cocotb.md does what it says: its files and commands, in a new folder."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

PAGE = Path(__file__).parents[2] / "docs" / "cocotb.md"
BLOCK = re.compile(r"^```(\w+)(?: title=\"([\w.]+)\")?\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for _, name, text in BLOCK.findall(PAGE.read_text(encoding="utf-8")):
        if name:
            (tmp_path / name).write_text(text)
    return tmp_path


def run(command: str, folder: Path) -> str:
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    fast = "OPT_FAST=-O0 OPT_SLOW=-O0 OPT_GLOBAL=-O0"
    done = subprocess.run(
        ["bash", "-ec", command], cwd=folder, env={**os.environ, "PATH": path, "MAKEFLAGS": fast},
        text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=600,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout
    return done.stdout


def commands() -> list[str]:
    blocks = BLOCK.findall(PAGE.read_text(encoding="utf-8"))
    return [text for language, _, text in blocks if language == "console"]


@pytest.mark.slow
def test_the_recipe_of_the_wheel(folder: Path) -> None:
    generate, test = commands()
    run(generate, folder)
    assert "TESTS=1 PASS=1 FAIL=0" in run(test, folder)


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("iverilog") is None, reason="needs iverilog")
def test_the_recipe_of_icarus_finds_a_wrong_product(folder: Path) -> None:
    run(commands()[0].replace("mm_r2", "mm_r2 --flat-verilog"), folder)
    wrong = (folder / "test_mm64.py").read_text().replace("-64", "-63")
    (folder / "test_mm64.py").write_text(wrong)
    source = "VERILOG_SOURCES=$PWD/mm64/flat/mm64.v"
    out = run(f"make SIM=icarus {source} || true", folder)
    assert "TESTS=1 PASS=0 FAIL=1" in out
