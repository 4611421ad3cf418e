# SPDX-License-Identifier: Apache-2.0
"""Plugin of pytest: processor seconds of each test, with all programs that it starts.

    PYTHONPATH=benchmarks pytest -n 0 -p processor_seconds TESTS

The tables at the end have the tests in the order of their seconds, the sum of each file, and the
sum of each kind of program with the number of its processes. A program includes those that it waits
for: g++ includes the compiler and the linker. "pytest" is the rest, with threads and processes that
nothing waited for.
"""

from __future__ import annotations

import os
import subprocess
from collections import Counter, defaultdict
from collections.abc import Iterator
from operator import itemgetter
from pathlib import Path
from typing import Any

import pytest

_tests: defaultdict[str, float] = defaultdict(float)
_kinds: defaultdict[str, float] = defaultdict(float)
_processes: Counter[str] = Counter()


class _Counted(subprocess.Popen):  # type: ignore[type-arg]
    """A process whose processor seconds are counted once it has ended."""

    def _try_wait(self, wait_flags: int) -> tuple[int, int]:
        pid, status, used = os.wait4(self.pid, wait_flags)
        if pid == self.pid:
            kind = _kind(self.args)
            _kinds[kind] += used.ru_utime + used.ru_stime
            _processes[kind] += 1
        return pid, status


def _kind(command: Any) -> str:
    words = [command] if isinstance(command, str | Path) else list(command)
    text = " ".join(map(str, words))
    name = Path(str(words[0])).name
    if name == "verilator_bin":
        return "Verilator, lint" if "--lint-only" in text else "Verilator, models"
    if name.startswith("python"):
        for sign in ("libyosys", "montforge.verify", "pip", "montforge"):
            if sign in text:
                return sign
    if name == "g++":
        for sign in ("c++-header", "shared.h", " -c "):
            if sign in text:
                return f"g++ {sign}"
    return name


def pytest_configure() -> None:
    """Count the processes that are started from now on."""
    subprocess.Popen = _Counted  # type: ignore[misc]


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """Add up what the test's process and its children used."""
    before = sum(os.times()[:4])
    result = yield
    _tests[item.nodeid] += sum(os.times()[:4]) - before
    return result


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print the tables."""
    files: defaultdict[str, float] = defaultdict(float)
    for name, used in _tests.items():
        files[name.split("::")[0]] += used
    _kinds["pytest"] = sum(_tests.values()) - sum(_kinds.values())
    for title, found in (("test", _tests), ("file", files), ("kind", _kinds)):
        terminalreporter.write_line(f"| {title} | processor s |\n| --- | ---: |")
        for name, used in sorted(found.items(), key=itemgetter(1), reverse=True)[:40]:
            count = f" ({_processes[name]})" if title == "kind" else ""
            terminalreporter.write_line(f"| {name}{count} | {used:.1f} |")
