# SPDX-License-Identifier: Apache-2.0
"""Plugin of pytest: processor seconds of each test, with all programs that it starts.

    PYTHONPATH=benchmarks pytest -n 0 -p processor_seconds TESTS

The table at the end has the tests by what they take, and the sum of each file.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator

import pytest

_tests: Counter[str] = Counter()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """Add up what the test's process and its children used."""
    before = sum(os.times()[:4])
    result = yield
    _tests[item.nodeid] += sum(os.times()[:4]) - before
    return result


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print the table."""
    files: Counter[str] = Counter()
    for name, used in _tests.items():
        files[name.split("::")[0]] += used
    for title, found in (("test", _tests), ("file", files)):
        terminalreporter.write_line(f"| {title} | processor s |\n| --- | ---: |")
        for name, used in found.most_common(40):
            terminalreporter.write_line(f"| {name} | {used:.1f} |")
