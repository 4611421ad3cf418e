# SPDX-License-Identifier: Apache-2.0
"""docs/integrate/bender.md does what it says: a package that depends on a design is linted."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from doc_page import Page, run

PAGE = Page.read("integrate/bender.md")
GENERATE, BENDER = PAGE.commands


@pytest.mark.skipif(shutil.which("bender") is None, reason="needs bender (cargo install bender)")
def test_a_package_that_depends_on_the_design_is_linted(tmp_path: Path) -> None:
    PAGE.write_files(tmp_path)
    run(GENERATE, tmp_path)
    run(BENDER, tmp_path)
    listed = (tmp_path / "chip.f").read_text()
    assert "mul64/rtl/mul64.sv" in listed and "chip.sv" in listed
    chip = (tmp_path / "chip.sv").read_text()
    (tmp_path / "chip.sv").write_text(chip.replace("req_ready_o", "no_port"))
    assert "no_port" in run(f"! ( {BENDER.splitlines()[2]} )", tmp_path)
