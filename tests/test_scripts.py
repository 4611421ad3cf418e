# SPDX-License-Identifier: Apache-2.0
"""Scripts and benchmarks, which no other test runs: all their imports are there."""

from __future__ import annotations

import runpy
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
SCRIPTS = sorted([*ROOT.glob("scripts/*.py"), *ROOT.glob("benchmarks/*.py")])
LOAD = """
import runpy, sys, traceback
from pathlib import Path
for path in sys.argv[1:]:
    sys.path[0] = str(Path(path).parent)
    try:
        runpy.run_path(path, run_name="loaded")
    except BaseException:
        traceback.print_exc()
        print(path)
"""


def unloadable(*paths: Path) -> str:
    """Return the scripts that fail when they are loaded, all in one process."""
    command = [sys.executable, "-c", LOAD, *map(str, paths)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=True)
    return done.stdout + done.stderr


def test_all_scripts_load(tmp_path: Path) -> None:
    assert len(SCRIPTS) > 20
    assert not unloadable(*SCRIPTS)
    broken = tmp_path / "broken.py"
    broken.write_text("from montforge.arch.base import ParameterValue\n")
    assert "ImportError" in unloadable(broken)


def test_the_chain_of_an_exponentiator_is_measured(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = str(ROOT / "benchmarks" / "modexp_area.py")
    monkeypatch.setattr(sys, "argv", [path, "--widths", "16", "--target", "table2", "--words"])
    runpy.run_path(path, run_name="__main__")
    printed = capsys.readouterr().out
    assert any(row.split("│")[1].split() == ["16"] for row in printed.splitlines() if "│" in row)
