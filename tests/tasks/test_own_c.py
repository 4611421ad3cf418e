# SPDX-License-Identifier: Apache-2.0
"""docs/integrate/own_c.md does what it says: C programs run on an engine and on a core."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from doc_page import Page, run

PAGE = Page.read("integrate/own_c.md")
ENGINE, OWN, CORE, COCOTB = PAGE.commands
BEYOND = """
#include <stdio.h>
#include "mf_bus.h"
int main(void) {
  printf("read %u\\n", (unsigned)mf_bus_read(0x7ffc));
  return 0;
}
"""
WAITS = """
#include "mf_bus_regs.h"
#include "mf_rsa.h"
#include "mf_sim.h"
static const uint32_t n[] = {0xffffffc5, 0xffffffff}, e[] = {17}, x[] = {3, 0};
int main(void) {
  uint32_t y[2];
  mf_rsa_t engine;
  if (mf_open(&engine, 0) != MF_OK) return 2;
  mf_irq_take(&engine);
  mf_irq_enable(&engine, MF_IRQ_DONE);
  if (mf_sim_wait(10) || mf_start_public(&engine, n, 64, e, 5, x) != MF_OK) return 3;
  return !mf_sim_wait(1000000) || mf_poll(&engine) != MF_OK;
}
"""


@pytest.mark.slow
def test_programs_run_on_the_simulated_engine(tmp_path: Path) -> None:
    PAGE.write_files(tmp_path)
    assert "the signature is right after" in run(ENGINE, tmp_path)
    found = re.findall(r"^y = (\w{16}) after \d+ cycles$", run(OWN, tmp_path), re.MULTILINE)
    assert found == [f"{pow(3, 17, 2**64 - 59):016x}"]
    (tmp_path / "waits.c").write_text(WAITS)
    run(OWN.replace("own.c", "waits.c"), tmp_path)
    (tmp_path / "beyond.c").write_text(BEYOND)
    out = run(f"! {OWN.replace('own.c', 'beyond.c')}", tmp_path)
    assert "read at 0x7ffc: refused (SLVERR)" in out and "Error 3" in out
    program = tmp_path / "rsa64" / "sim" / "example.c"
    program.write_text(re.sub(r"expected\[\] = \{0x.", "expected[] = {0x7", program.read_text()))
    assert "Error 1" in run("make -C rsa64 run || true", tmp_path)


@pytest.mark.slow
def test_programs_run_on_a_core_by_both_harnesses(tmp_path: Path) -> None:
    assert "the result is right after" in run(CORE, tmp_path)
    out = run(COCOTB, tmp_path)
    assert "the result is right after" in out and "TESTS=1 PASS=1 FAIL=0" in out
    program = tmp_path / "mul64" / "sim" / "example.c"
    program.write_text(re.sub(r"a\[\] = \{0x.", "a[] = {0x1", program.read_text()))
    assert "TESTS=1 PASS=0 FAIL=1" in run(f"{COCOTB.strip()} || true", tmp_path)
