# SPDX-License-Identifier: Apache-2.0
"""The driver in Python over cocotb, on the engine with AXI4-Lite."""

from __future__ import annotations

from pathlib import Path

from run_cocotb import run_cocotb

from montforge.arch import design

BITS = 32
ENGINE = (
    design("rsa", bits=BITS, core="full_parallel", window=2, halves=1, min_bits=16, public=1)
    .with_form("axi")
    .hardware
)
TESTS = 2


def test_the_driver_in_cocotb(tmp_path: Path) -> None:
    passed = run_cocotb(
        ENGINE.files,
        ENGINE.top,
        ENGINE.parameters,
        "rsa_driver_bench",
        tmp_path,
        BENCH_BITS=str(BITS),
        BENCH_SEED="1",
    )
    assert len(passed) == TESTS
    assert all(passed.values()), (passed, (tmp_path / "test.log").read_text()[-4000:])
