# SPDX-License-Identifier: Apache-2.0
"""One cache folder for the whole test session, so that each design is built once.

Liberty files that montforge does not ship are taken from where MONTFORGE_TECH says; `.ci/run` sets
it.
"""

from __future__ import annotations

import os
import shlex
import signal
import sys
import tempfile
from pathlib import Path

import pytest

CACHE = Path(tempfile.gettempdir()) / f"montforge-test-cache-{os.getuid()}"

# A shell that runs the tests in the background has them, and what they start, ignore interrupts.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

os.environ.setdefault("MONTFORGE_CACHE", str(CACHE))
# Verilator's makefiles put this before the compiler.
OBJECT_CACHE = [sys.executable, "-SE", str(Path(__file__).with_name("object_cache.py"))]
OBJECT_CACHE.append(str(Path(os.environ["MONTFORGE_CACHE"], "objects")))
os.environ.setdefault("OBJCACHE", shlex.join(OBJECT_CACHE))

if "PYTEST_XDIST_WORKER" in os.environ:  # the other cores have tests to run
    os.environ.setdefault("MONTFORGE_WORKERS", "1")


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print the minutes that each task of tests/tasks took."""
    for report in terminalreporter.getreports("passed"):
        if report.nodeid.startswith("tests/tasks/"):
            terminalreporter.write_line(f"{report.duration / 60:.1f} minutes: {report.nodeid}")
