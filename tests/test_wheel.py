# SPDX-License-Identifier: Apache-2.0
"""The wheel holds all package data: folders are generated and run outside the source tree."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

SOURCE = Path(__file__).parents[1]
BIN = Path(sys.executable).parent

SCRIPT = """
import sys
from pathlib import Path
import montforge
from montforge.work.cache import cache_root
assert Path(montforge.__file__).is_relative_to(Path(sys.argv[1])), montforge.__file__
from montforge.arch import cores
for name in cores():
    chosen = montforge.design(name, width=16)
    assert all(path.is_relative_to(Path(sys.argv[1])) or path.is_relative_to(cache_root())
               for path in chosen.hardware.files)  # the wrappers of parts are made
    montforge.generate.generate(chosen, Path(name))
chosen = montforge.design("scs_mm_new", width=16)
montforge.generate.generate(chosen, Path("flat"), flat_verilog=True)
assert montforge.verify.verify(chosen, operations=20, seed=1).mismatches == 0
assert montforge.measure.measure(chosen, "table2").area
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


PIP = (sys.executable, "-m", "pip", "--disable-pip-version-check")


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheels of montforge and of the example of an architecture from outside, installed."""
    folder = tmp_path_factory.mktemp("wheels")
    sources = (SOURCE, SOURCE / "examples" / "own_architecture")
    call(*PIP, "wheel", "--no-deps", "--no-build-isolation", "-w", folder, *sources, cwd=folder)
    wheels = sorted(folder.glob("*.whl"))
    assert [wheel.name.split("-")[0] for wheel in wheels] == ["montforge", "own_architecture"]
    call(*PIP, "install", "--no-deps", "--target", folder / "installed", *wheels, cwd=folder)
    return folder / "installed"


@pytest.mark.slow
def test_an_installed_wheel_works_outside_the_source_tree(installed: Path, tmp_path: Path) -> None:
    environment = {"PYTHONPATH": str(installed)}
    call(sys.executable, "-c", SCRIPT, installed, cwd=tmp_path, environment=environment)
    for folder in ("mm_r2", "flat"):
        path = {"PATH": f"{BIN}{os.pathsep}{os.environ['PATH']}", "PYTHONPATH": ""}
        assert " 0 failed" in call("make", cwd=tmp_path / folder, environment=path)


@pytest.mark.slow
def test_every_command_takes_an_architecture_of_another_package(
    installed: Path, tmp_path: Path
) -> None:
    def montforge(*words: object) -> dict[str, Any]:
        environment = {"PYTHONPATH": str(installed)}
        command = installed / "bin" / "montforge"
        out = call(command, *words, "--json", cwd=tmp_path, environment=environment)
        found: dict[str, Any] = json.loads(out)
        return found

    listed = {row["architecture"]: row for row in montforge("list")["architectures"]}
    assert listed["walter"]["family"] == "own"
    small = ("walter", "-p", "width=8")
    assert montforge("info", *small)["contract"]["r"] == "0x400"
    checked = montforge("verify", *small, "--operations", 200, "--seed", 1)
    assert checked["operations"] > 200
    assert checked["mismatches"] == 0
    cycles = montforge("cycles", *small, "--samples", 20, "--seed", 1)
    assert (cycles["cycles"]["mean"], cycles["published"]) == (10, [])
    montforge("generate", *small, "-o", "own")
    assert (tmp_path / "own" / "rtl" / "custom" / "walter.sv").is_file()
    assert montforge("measure", *small, "--target", "table2", "--effort", "quick")["area"]
    found = montforge("explore", "--width", 8, "--target", "table2", "--effort", "quick",
                      "--arch", "walter", "--points", _points(tmp_path), "-o", "sweep")  # fmt: skip
    assert (found["measured"], found["failed"]) == (1, 0)


def _points(folder: Path) -> Path:
    path = folder / "points.toml"
    path.write_text('[[point]]\narch = "walter"\n')
    return path
