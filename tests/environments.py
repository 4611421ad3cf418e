# SPDX-License-Identifier: Apache-2.0
"""Environments of their own for packages that do not fit beside those of the tests."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

INSTALL_SECONDS = 400.0


def python_with(package: str, folder: Path) -> Path:
    """Return the Python of a new environment in ``folder`` that has ``package``.

    The test is skipped where pip can't install the package.
    """
    subprocess.run([sys.executable, "-m", "venv", folder], check=True)
    python = folder / "bin" / "python"
    try:
        done = subprocess.run(
            [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", package],
            capture_output=True, text=True, timeout=INSTALL_SECONDS,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        pytest.skip(f"pip did not install {package} in {INSTALL_SECONDS:.0f} s")
    if done.returncode != 0:
        pytest.skip(f"pip can't install {package}: {done.stderr.strip()[-300:]}")
    return python


def output(python: Path, program: str, *arguments: object, cwd: Path) -> tuple[int, str]:
    """Return the exit status and all output of a ``program`` in that environment alone."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    done = subprocess.run(
        [python, "-c", program, *map(str, arguments)], cwd=cwd, env=kept, text=True,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=120,
    )  # fmt: skip
    return done.returncode, done.stdout
