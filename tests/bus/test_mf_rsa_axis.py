# SPDX-License-Identifier: Apache-2.0
"""The RSA engine with AXI4-Stream, run by cocotb."""

from __future__ import annotations

from pathlib import Path

import pytest
from run_cocotb import run_cocotb

from montforge.rsa.engine import Engine
from montforge.rsa.simulation import AxisEngine

BITS = 32
ENGINE = AxisEngine(Engine(bits=BITS, core="mm_r2", window=2, halves=1, min_bits=16, public=1))
TESTS = 5


def run(files: list[Path], folder: Path, **environment: str) -> dict[str, bool]:
    return run_cocotb(
        files,
        ENGINE.rtl_top,
        ENGINE.rtl_parameters,
        "rsa_axis_bench",
        folder,
        BENCH_BITS=str(BITS),
        BENCH_SEED="1",
        **environment,
    )


def test_axis(tmp_path: Path) -> None:
    passed = run(list(ENGINE.rtl_files), tmp_path)
    assert len(passed) == TESTS
    assert all(passed.values()), (passed, (tmp_path / "test.log").read_text()[-4000:])


@pytest.mark.slow
def test_a_response_truncated_under_back_pressure_is_seen(tmp_path: Path) -> None:
    files = list(ENGINE.rtl_files)
    text = files[-1].read_text()
    right = "        StWord: begin\n          if (send_beat) begin"
    assert right in text
    files[-1] = tmp_path / files[-1].name
    files[-1].write_text(text.replace(right, right.replace("send_beat", "m_axis_tvalid")))
    name = "operations_with_random_stalls"
    assert run(files, tmp_path, COCOTB_TEST_FILTER=name) == {name: False}
