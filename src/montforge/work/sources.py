# SPDX-License-Identifier: Apache-2.0
"""The sources that run: their files, a hash of them, and the commit that they are of."""

from __future__ import annotations

import ast
import inspect
import subprocess
import sys
from functools import cache
from pathlib import Path

from montforge.work.cache import content_hash

COMMIT_FILE = "montforge_commit.txt"
"""Name of the file beside the package's folder that holds the commit of sources that travel."""

_CODE = ("src", "rtl", "proofs", ":!*.jsonl")
"""Paths that stored figures and verdicts follow from, as git takes them."""
_GIT_SECONDS = 60.0


def source_files(folder: Path) -> list[Path]:
    """Return all files below ``folder`` but those that are compiled, in a fixed order."""
    compiled = (".pyc", ".so")
    return [p for p in sorted(folder.rglob("*")) if p.is_file() and p.suffix not in compiled]


@cache
def code_hash(package: str, without: frozenset[str] = frozenset()) -> str:
    """Return a hash of an imported package (or module): of all files below its folder.

    Folders and files whose paths below that folder are in ``without`` do not count; a file that is
    new does.
    """
    module = sys.modules[package]
    content: list[object] = []
    for root in map(Path, getattr(module, "__path__", ())):
        for path in source_files(root):
            name = path.relative_to(root)
            if not without & {path.as_posix() for path in (name, *name.parents)}:
                content += [name.as_posix(), path]
    return content_hash(*(content or [Path(inspect.getfile(module))]))


@cache
def statements_hash(package: str) -> str:
    """Return a hash of the Python files of an imported package, without comments and docstrings."""
    content: list[object] = []
    for root in map(Path, sys.modules[package].__path__):
        for path in source_files(root):
            if path.suffix == ".py":
                content += [path.relative_to(root).as_posix(), _statements(path.read_text("utf-8"))]
    return content_hash(*content)


def _statements(source: str) -> list[str]:
    """Return the lines of Python ``source`` without comments, docstrings and empty lines."""
    lines = source.splitlines()
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Expr(value=ast.Constant(value=str()), lineno=first, end_lineno=int(last)):
                lines[first - 1 : last] = [""] * (last - first + 1)
    return [line for line in lines if line.strip() and not line.lstrip().startswith("#")]


@cache
def source_commit() -> str | None:
    """Return the commit of the checkout that montforge runs from, or None outside of one.

    It ends in ``-dirty`` if code was changed since; stored verdicts and results are no code.
    Sources that run elsewhere carry it in a file (`montforge.explore.sources`).
    """
    source = Path(__file__).resolve()
    noted = source.parents[2] / COMMIT_FILE
    if noted.is_file():
        return noted.read_text() or None
    if not (source.parents[3] / "pyproject.toml").is_file():
        return None
    try:
        commit = _git(source.parents[3], "rev-parse", "HEAD")
        changes = _git(source.parents[3], "diff", "HEAD", "--name-only", "--", *_CODE)
    except (OSError, subprocess.SubprocessError):
        return None
    return f"{commit}-dirty" if changes else commit


def _git(folder: Path, *words: str) -> str:
    done = subprocess.run(
        ["git", *words],
        cwd=folder,
        capture_output=True,
        text=True,
        check=True,
        timeout=_GIT_SECONDS,
    )
    return done.stdout.strip()
