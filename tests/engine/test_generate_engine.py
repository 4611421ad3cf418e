# SPDX-License-Identifier: Apache-2.0
"""The engine's folder stands alone, and `info` tells its turns."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from typer.testing import CliRunner

from montforge.arch.rsa.model import Error
from montforge.cli.app import app

from .c_driver import FLAGS

WORDS = ["-p", "bits=64", "-p", "core.radix=64", "-p", "core.pipeline=1", "-p", "window=3"]


DRIVER = ("driver/mf_engine.c", "driver/mf_rsa.c", "driver/WINDOWS.md")
AXIS = ("--form", "axis")


@pytest.mark.parametrize(
    ("form", "software"), [((), DRIVER), (AXIS, ()), (("-p", "half_clock=2"), DRIVER)]
)
def test_generate_makes_a_folder_that_passes_its_lint_target(
    tmp_path: Path, form: tuple[str, ...], software: tuple[str, ...]
) -> None:
    folder = tmp_path / "engine"
    command_line = ["generate", "rsa", *WORDS, *form, "-o", str(folder)]
    done = CliRunner().invoke(app, command_line)
    assert done.exit_code == 0, done.output
    (core,) = folder.glob("*.core")
    for name in ("README.md", "LICENSE", "NOTICE", "tb/steps.hex", "Makefile", *software):
        assert (folder / name).stat().st_size > 200
    if software:
        library = ["-shared", "-fPIC", *folder.glob("driver/*.c"), "-o", tmp_path / "driver.so"]
        subprocess.run(["gcc", *FLAGS, *library], check=True)
    tools = Path(sys.executable).parent
    lint = subprocess.run(
        [tools / "fusesoc", "--cores-root", folder, "run", "--target", "lint",
         f"montforge:generated:{core.stem}"],
        cwd=tmp_path,
        env={**os.environ, "PATH": f"{tools}:/usr/bin:/bin", "VERILATOR": ""},
        capture_output=True,
        text=True,
    )  # fmt: skip
    assert lint.returncode == 0, lint.stdout + lint.stderr
    again = CliRunner().invoke(app, command_line)
    assert again.exit_code == 0, again.output


def test_the_datasheet(tmp_path: Path) -> None:
    """Every file that it names is there; what it says of leakage follows from the parameters."""
    words = ["-p", "bits=64", "-p", "core=fios_dsp", "-p", "core.mac=ecp5", "-p", "eblind=0"]
    words += ["-p", "core.word_width=18", "-p", "window=3", "-p", "public=1"]
    folder = tmp_path / "engine"
    done = CliRunner().invoke(app, ["generate", "rsa", *words, "-o", str(folder)])
    assert done.exit_code == 0, done.output
    text = (folder / "README.md").read_text()
    named = re.findall(r"`([\w/]+(?:\.\w+|/))`", text)
    assert len(named) > 10
    assert [name for name in named if not (folder / name).exists()] == []
    assert "no blinded exponents" in text
    assert "the same in each operation" in text
    assert "operations 3 to 5 have no check" in text
    for error in Error:
        assert (f"| {int(error)} | {error.name} |" in text) == (error is not Error.OK)
    for name in ("public", "modexp, full", "set-up"):
        assert f"| {name} |" in text
    assert "`random_i` | input | 32" in text
    (command,) = re.findall("^    (montforge generate .*)", text, re.MULTILINE)
    again = CliRunner().invoke(app, [*command.split()[1:-1], str(folder)])
    assert again.exit_code == 0, again.output
    assert (folder / "README.md").read_text() == text
    # A model of the primitive, which synthesis must not see.
    (core,) = folder.glob("*.core")
    listed = yaml.safe_load(core.read_text())["filesets"]
    assert not any("MULT18X18D" in path for path in listed["rtl"]["files"])
    assert "rtl/prim/lattice/MULT18X18D.sv" in listed["models"]["files"]


@pytest.mark.parametrize("form", ["axes", "parallel"])
def test_generate_refuses_another_form(tmp_path: Path, form: str) -> None:
    words = ["generate", "rsa", *WORDS, "--form", form, "-o", str(tmp_path / "engine")]
    assert CliRunner().invoke(app, words).exit_code != 0
    assert not (tmp_path / "engine").exists()


@pytest.mark.slow
@pytest.mark.parametrize(("form", "result"), [((), "1_000_1400_"), (AXIS, "1_000_0001_")])
def test_the_testbench_passes_and_sees_a_wrong_word(
    tmp_path: Path, form: tuple[str, ...], result: str
) -> None:
    folder = tmp_path / "engine"
    words = ["-p", "bits=32", "-p", "core=mm_r2", "-p", "window=2", "-p", "halves=1"]
    words += ["-p", "public=1", *form]
    done = CliRunner().invoke(app, ["generate", "rsa", *words, "-o", str(folder)])
    assert done.exit_code == 0, done.output
    command = ["make", f"VERILATOR={shutil.which('verilator-cli')}", "OPT_FAST=-O0", "verilator"]
    run = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    assert run.returncode == 0, run.stdout + run.stderr
    assert re.search(r"\d\d steps, 0 failed", run.stdout)
    steps = folder / "tb" / "steps.hex"
    before, line, after = steps.read_text().partition(result)
    changed = f"{int(after[:8], 16) ^ 1:08x}"
    steps.write_text(before + line + changed + after[8:])
    run = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    assert run.returncode != 0
    assert re.search(rf"expected \d?{changed}", run.stdout)


def test_info_tells_turns_and_refuses() -> None:
    words = ["-p", "bits=2048", "-p", "core.radix=64", "-p", "core.pipeline=1"]
    done = CliRunner().invoke(app, ["info", "rsa", *words])
    assert "1362 turns of 2 exponentiator(s), 291468 cycles" in " ".join(done.output.split())
    wrong = CliRunner().invoke(app, ["info", "rsa", "-p", "window=9"])
    assert wrong.exit_code != 0
