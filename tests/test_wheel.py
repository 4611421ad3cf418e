# SPDX-License-Identifier: Apache-2.0
"""The wheel holds all package data: folders are generated and run outside the source tree."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[1]
BIN = Path(sys.executable).parent

SCRIPT = """
import sys
from pathlib import Path
import montforge
from montforge.measure import find_target
assert Path(montforge.__file__).is_relative_to(Path(sys.argv[1])), montforge.__file__
for name in montforge.registry():
    chosen = montforge.design(name, width=16)
    assert all(path.is_relative_to(Path(sys.argv[1])) for path in chosen.rtl_files)
    montforge.generate(chosen, Path(name))
chosen = montforge.design("scs_mm_new", width=16)
montforge.generate(chosen, Path("flat"), flat_verilog=True)
assert montforge.verify(chosen, operations=20, seed=1).mismatches == 0
assert montforge.measure(chosen, "table2").area
assert montforge.papers.paper("kuang2016").designs
"""


def call(*words: object, cwd: Path, environment: dict[str, str] | None = None) -> str:
    done = subprocess.run(
        [str(word) for word in words],
        cwd=cwd,
        env={**os.environ, **(environment or {})},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.slow
def test_an_installed_wheel_works_outside_the_source_tree(tmp_path: Path) -> None:
    pip = (sys.executable, "-m", "pip", "--disable-pip-version-check")
    call(
        *pip, "wheel", "--no-deps", "--no-build-isolation", "-w", tmp_path, SOURCE, cwd=tmp_path
    )  # fmt: skip
    (wheel,) = tmp_path.glob("montforge-*.whl")
    installed = tmp_path / "installed"
    call(*pip, "install", "--no-deps", "--target", installed, wheel, cwd=tmp_path)
    work = tmp_path / "work"
    work.mkdir()
    environment = {"PYTHONPATH": str(installed)}
    call(sys.executable, "-c", SCRIPT, installed, cwd=work, environment=environment)
    for folder in ("mm_r2", "flat"):
        path = {"PATH": f"{BIN}{os.pathsep}{os.environ['PATH']}", "PYTHONPATH": ""}
        assert " 0 failed" in call("make", cwd=work / folder, environment=path)
