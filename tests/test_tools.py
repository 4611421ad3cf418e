# SPDX-License-Identifier: Apache-2.0
"""Running tools: what they print, logs, time limits, full disks."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from montforge.errors import ToolFailedError
from montforge.work.tools import run_tool


def test_output_and_log(tmp_path: Path) -> None:
    log = tmp_path / "log"
    assert run_tool(["cat"], log=log, timeout=10, stdin="text\n") == "text\n"
    assert log.read_text() == "text\n"


def test_a_failure_tells_its_last_lines_and_keeps_the_log(tmp_path: Path) -> None:
    script = "echo first; seq 20; printf '\\377'; exit 3"
    kept = tmp_path / "logs" / "kept"
    with pytest.raises(ToolFailedError, match=r"sh .* 3 \(log: ") as error:
        run_tool(["sh", "-c", script], log=tmp_path / "log", timeout=10, keep_log=kept)
    assert "20" in str(error.value)
    assert "first" not in str(error.value)
    assert "first" in kept.read_text()


def test_a_time_limit_ends_the_whole_group(tmp_path: Path) -> None:
    begin = time.monotonic()
    with pytest.raises(ToolFailedError, match=r"within 1 s[\s\S]*said"):
        run_tool(["sh", "-c", "echo said; sleep 60 & wait"], log=tmp_path / "log", timeout=1)
    assert time.monotonic() - begin < 30


def test_a_full_disk_does_not_hide_what_the_tool_said() -> None:
    """The log can't be written; what the tool prints has the reason."""
    command = ["sh", "-c", "echo No space left on device; exit 1"]
    with pytest.raises(ToolFailedError, match="No space left on device"):
        run_tool(command, log=Path("/dev/full"), timeout=10)
