# SPDX-License-Identifier: Apache-2.0
"""docs/get_started.md does what it says, and its outputs are those of its commands."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from doc_page import Page, run


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("sta") is None, reason="OpenSTA is not installed")
def test_each_command_prints_what_the_page_shows(tmp_path: Path) -> None:
    page = Page.read("get_started.md")
    printed = " ".join("".join(run(command, tmp_path) for command in page.commands).split())
    shown = [" ".join(line.split()) for output in page.outputs for line in output.splitlines()]
    assert shown
    assert [line for line in shown if line not in printed] == []
