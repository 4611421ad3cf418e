# SPDX-License-Identifier: Apache-2.0
"""docs/integrate/ipxact.md does what it says: PeakRDL makes a header of the component."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from doc_page import Page, run

PAGE = Page.read("integrate/ipxact.md")
GENERATE, OUTPUTS = PAGE.commands
CHECK = """
#include <stddef.h>
#include "mul64.h"
#include "mul64/driver/mf_core_windows.h"
_Static_assert(offsetof(mul64__registers_t, mf_bus_regs.status) == 0x18, "status");
_Static_assert(offsetof(mul64__registers_t, a) == MF_CORE_A, "a");
_Static_assert(offsetof(mul64__registers_t, p) == MF_CORE_P, "p");
_Static_assert(sizeof(mul64__registers__p_t) == 4 * MF_CORE_P_WORDS, "size of p");
"""


@pytest.mark.skipif(shutil.which("gcc") is None, reason="needs gcc")
def test_the_header_has_the_addresses_of_the_driver(tmp_path: Path) -> None:
    run(GENERATE, tmp_path)
    run(OUTPUTS.split("\n", 1)[1], tmp_path)
    (tmp_path / "check.c").write_text(CHECK)
    run("gcc -std=c11 -fsyntax-only check.c", tmp_path)
    rows = re.findall(r"^\|(0x\w+)\| *(\w+) *\|", (tmp_path / "mul64.md").read_text(), re.M)
    assert ("0x0000", "mf_bus_regs") in rows and ("0x8000", "p") in rows
