# SPDX-License-Identifier: Apache-2.0
"""docs/integrate/vhdl.md does what it says: a top in VHDL makes a product."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from doc_page import Page, run

PAGE = Page.read("integrate/vhdl.md")
GENERATE, GHDL, VERILATOR = PAGE.commands
N, A, B = 2**64 - 59, 3, 5 << 32

pytestmark = pytest.mark.skipif(shutil.which("ghdl") is None, reason="needs ghdl")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    PAGE.write_files(tmp_path)
    run(GENERATE, tmp_path)
    return tmp_path


@pytest.mark.slow
def test_the_top_makes_a_product(folder: Path) -> None:
    run(GHDL, folder)
    assert f"product {A * B * pow(2, -64, N) % N:016x}" in run(VERILATOR, folder)


def test_ghdl_refuses_a_port_that_the_component_does_not_have(folder: Path) -> None:
    top = (folder / "top.vhd").read_text()
    (folder / "top.vhd").write_text(top.replace("n_i => n", "modulus_i => n"))
    assert 'no declaration for "modulus_i"' in run(f"! {GHDL.splitlines()[0]}", folder)
