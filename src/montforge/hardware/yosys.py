# SPDX-License-Identifier: Apache-2.0
"""Yosys, from the pyosys wheel, as a subprocess: any Yosys error ends its process.

The wheel is the only Yosys that is used; a ``yosys`` on the PATH is never called.
"""

from __future__ import annotations

import shlex
import sys
from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from montforge.hardware import Hardware
from montforge.hardware.verilog import literal
from montforge.work.cache import content_hash
from montforge.work.extras import missing
from montforge.work.tools import run_tool

# read_slang takes its arguments as they stand, quotes included, so they are split here.
_DRIVER = """\
import shlex, sys
from pyosys import libyosys as ys
design = ys.Design()
for line in sys.stdin.read().splitlines():
    if line.startswith("read_slang "):
        print(f"-- {line}", flush=True)
        ys.Pass.call(design, shlex.split(line))
    elif line.strip():
        ys.run_pass(line, design)
"""


def yosys_version() -> str:
    """Return the version of the pyosys wheel (``0.70``). Raises ToolMissingError."""
    try:
        return version("pyosys")
    except PackageNotFoundError:
        raise missing("Yosys", "measure") from None


def yosys_identity() -> list[str]:
    """Return the identity of a run beside its script and its files: the version, and this module.

    Raises ToolMissingError.
    """
    return [yosys_version(), content_hash(Path(__file__))]


def run_yosys(
    script: str, *, log: Path, timeout: float, cwd: Path | None = None, keep_log: Path | None = None
) -> str:
    """Run a Yosys ``script`` and return its output, which also goes to the file ``log``.

    The script has one command, or several separated by ``;``, a line; a ``read_slang`` command
    has a line of its own. Relative paths are relative to ``cwd``; ``timeout`` is in seconds; on
    failure the log is copied to ``keep_log`` if given. Raises ToolMissingError, or
    ToolFailedError with the last lines of the log.
    """
    yosys_version()
    command = [sys.executable, "-P", "-c", _DRIVER]
    return run_tool(
        command, log=log, timeout=timeout, cwd=cwd, stdin=script, keep_log=keep_log, name="yosys"
    )


def read_design(
    design: Hardware,
    *,
    keep_hierarchy: bool = False,
    models: bool = False,
    closed: Sequence[str] = (),
) -> str:
    """Return the script line that reads ``design`` with its parameters, top module included.

    With ``keep_hierarchy`` each instance of a module ``NAME`` is one of a module of its own, whose
    name begins with ``NAME$``; without, all is in the top. With ``models`` a vendor's block is what
    the library's model of it has, which synthesis leaves out. An instance of a module in ``closed``
    is a cell with its ports, of the module's name; what is inside is not read.
    """
    parameters = [
        f"-G {shlex.quote(f'{name}={literal(value)}')}" for name, value in design.parameters.items()
    ]
    paths = [quote(path) for path in design.files]
    options = ["--best-effort-hierarchy"] if keep_hierarchy else []
    options += ["--no-synthesis-define", "--ignore-assertions"] if models else []
    options += [f"--blackboxed-module {name}" for name in closed]
    return " ".join(["read_slang", *options, "--top", design.top, *parameters, *paths])


def quote(path: Path) -> str:
    """Return ``path`` in double quotes, for a command of a script."""
    return f'"{path}"'
