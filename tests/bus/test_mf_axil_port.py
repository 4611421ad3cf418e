# SPDX-License-Identifier: Apache-2.0
"""The AXI4-Lite port alone: accesses at random, READY without a path, no written data on reads."""

from __future__ import annotations

from pathlib import Path

from montforge.hardware import rtl_root
from testbench import run_testbench

TESTBENCH = Path(__file__).with_name("mf_axil_port_tb.sv")


def test_accesses_at_random() -> None:
    run_testbench("mf_axil_port_tb", [rtl_root() / "bus/mf_axil_port.sv", TESTBENCH])
