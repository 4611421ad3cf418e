# SPDX-License-Identifier: Apache-2.0
"""docs/integrate/cocotb.md does what it says: its files and commands, in a new folder."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from doc_page import Page, run

PAGE = Page.read("integrate/cocotb.md")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    PAGE.write_files(tmp_path)
    return tmp_path


@pytest.mark.slow
def test_the_recipe_of_the_wheel(folder: Path) -> None:
    generate, test = PAGE.commands
    run(generate, folder)
    assert "TESTS=1 PASS=1 FAIL=0" in run(test, folder)


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("iverilog") is None, reason="needs iverilog")
def test_the_recipe_of_icarus_finds_a_wrong_product(folder: Path) -> None:
    run(PAGE.commands[0].replace("mm_r2", "mm_r2 --flat-verilog"), folder)
    wrong = (folder / "test_mm64.py").read_text().replace("-64", "-63")
    (folder / "test_mm64.py").write_text(wrong)
    source = "VERILOG_SOURCES=$PWD/mm64/flat/mm64.v"
    out = run(f"make SIM=icarus {source} || true", folder)
    assert "TESTS=1 PASS=0 FAIL=1" in out
