# SPDX-License-Identifier: Apache-2.0
"""The command and an interrupt, or an end from outside: nothing goes on, and it says so."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest

COMMAND = """\
import signal
from montforge.cli import main
for ignored in (signal.SIGTERM, signal.SIGHUP):  # by nohup, which a child inherits
    signal.signal(ignored, signal.SIG_DFL)
main()
"""


@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_interrupt_ends_all_processes(sent: signal.Signals, tmp_path: Path) -> None:
    points = tmp_path / "points.toml"
    points.write_text('[[point]]\narch = "mm_r2"\n')
    words = ["explore", "--target", "ecp5-85k", "--width", "40", "--points", str(points)]
    process = subprocess.Popen(
        [sys.executable, "-c", COMMAND, *words, "-o", "out"],
        cwd=tmp_path,
        env={**os.environ, "MONTFORGE_CACHE": str(tmp_path / "cache")},
        stderr=subprocess.PIPE,
        text=True,
    )
    children: list[psutil.Process] = []
    deadline = time.monotonic() + 60
    while len(children) < 2 and time.monotonic() < deadline:  # the job and its first tool
        time.sleep(0.1)
        children = psutil.Process(process.pid).children(recursive=True)
    process.send_signal(sent)
    message = process.communicate(timeout=60)[1]
    assert process.returncode == 130
    assert "interrupted" in message
    gone, alive = psutil.wait_procs(children, timeout=10)
    assert len(gone) >= 2
    assert not alive
    assert not (tmp_path / "out").exists()
