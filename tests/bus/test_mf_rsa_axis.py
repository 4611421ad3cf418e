# SPDX-License-Identifier: Apache-2.0
"""The RSA engine with AXI4-Stream, run by cocotb.

Its multiplier takes few cycles, as a bench in Python takes long for each.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from run_cocotb import run_cocotb

from montforge.arch import design
from planted import Bug, planted_files

BITS = 32
ENGINE = (
    design("rsa", bits=BITS, core="full_parallel", window=2, halves=1, min_bits=16, public=1)
    .with_form("axis")
    .hardware
)
TESTS = 6
BUG = Bug(
    "a word is sent whether it is taken or not",
    "mf_rsa_axis",
    "        StWord: begin\n          if (@send_beat@) begin",
    "m_axis_tvalid",
)


def run(folder: Path, **environment: str) -> dict[str, bool]:
    return run_cocotb(
        planted_files(ENGINE.files, [BUG], folder),
        ENGINE.top,
        ENGINE.parameters,
        "rsa_axis_bench",
        folder,
        BENCH_BITS=str(BITS),
        BENCH_SEED="1",
        **environment,
    )


def test_axis(tmp_path: Path) -> None:
    passed = run(tmp_path)
    assert len(passed) == TESTS
    assert all(passed.values()), (passed, (tmp_path / "test.log").read_text()[-4000:])


@pytest.mark.slow
def test_a_response_truncated_under_back_pressure_is_seen(tmp_path: Path) -> None:
    name = "operations_with_random_stalls"
    assert run(tmp_path, PLANTED="1", COCOTB_TEST_FILTER=name) == {name: False}
