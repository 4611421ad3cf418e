# SPDX-License-Identifier: Apache-2.0
"""docs/integrate/litex.md does what it says: a system with core and engine runs own C."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from doc_page import Page, run

PAGE = Page.read("integrate/litex.md")
N, A, B = 2**64 - 59, 3, 5 << 32


@pytest.mark.slow
@pytest.mark.skipif(
    shutil.which("riscv64-unknown-elf-gcc") is None, reason="needs gcc-riscv64-unknown-elf"
)
def test_the_system_runs_c_on_a_core_and_an_engine(tmp_path: Path) -> None:
    PAGE.write_files(tmp_path)
    out = run(PAGE.commands[1], tmp_path)
    words = [int(line, 16) for line in out.splitlines() if len(line) == 8]
    product, power = A * B * pow(2, -64, N) % N, pow(A, 17, N)
    mask = 0xFFFF_FFFF
    assert words[-6:] == [product & mask, product >> 32, 0x1000, power & mask, power >> 32, 0x2000]
