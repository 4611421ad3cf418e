# SPDX-License-Identifier: Apache-2.0
"""The parts of the RTL that follow from micro-programs, and the script that writes them."""

from __future__ import annotations

import sys
from pathlib import Path

import make_programs
import pytest


def run(*arguments: str, patch: pytest.MonkeyPatch) -> int:
    patch.setattr(sys, "argv", ["make_programs.py", *arguments])
    return make_programs.main()


def test_the_rtl_has_the_programs_of_the_models(monkeypatch: pytest.MonkeyPatch) -> None:
    assert len(make_programs.outputs()) == 4
    assert run("--check", patch=monkeypatch) == 0


def test_a_part_that_differs_is_named_and_written_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    right = make_programs.outputs()
    monkeypatch.setattr(make_programs, "ROOT", tmp_path)
    for path, text in right.items():
        copy = tmp_path / "rtl" / path.parent.name / path.name
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_text(text.replace("at(rows_q[3], ", "at(rows_q[30], ", 1))
    assert run("--check", patch=monkeypatch) == 1
    assert capsys.readouterr().out == "rtl/rsa/mf_rsa_rows.sv is not that of the programs\n"
    assert run(patch=monkeypatch) == 0
    assert [path.read_text() for path in make_programs.outputs()] == list(right.values())
