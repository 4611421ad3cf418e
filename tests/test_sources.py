# SPDX-License-Identifier: Apache-2.0
"""The commit that stored figures name."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

SAY = "from montforge.work.sources import source_commit; print(source_commit())"


def git(folder: Path, *words: str) -> str:
    done = subprocess.run(
        ["git", *words], cwd=folder, capture_output=True, text=True, check=True, timeout=60
    )
    return done.stdout.strip()


def said(folder: Path) -> str:
    environment = {**os.environ, "PYTHONPATH": str(folder / "src")}
    words = [sys.executable, "-c", SAY]
    done = subprocess.run(
        words, capture_output=True, text=True, check=True, timeout=60, env=environment
    )
    return done.stdout.strip()


def test_changed_code_is_named_and_stored_data_are_not_code(tmp_path: Path) -> None:
    package = tmp_path / "src" / "montforge"
    source = Path(__file__).parents[1] / "src" / "montforge"
    shutil.copytree(source, package, ignore=shutil.ignore_patterns("*.jsonl", "__pycache__"))
    (package / "rows.jsonl").write_text("{}")
    (tmp_path / "pyproject.toml").touch()
    for folder in ("rtl", "proofs"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "a").touch()
    git(tmp_path, "init", "--quiet")
    git(tmp_path, "add", "--all")
    identity = ("-c", "user.name=a", "-c", "user.email=a@b")
    git(tmp_path, *identity, "commit", "--quiet", "--message", "sources of a package")
    commit = git(tmp_path, "rev-parse", "HEAD")
    assert said(tmp_path) == commit
    (package / "rows.jsonl").write_text("{}{}")
    assert said(tmp_path) == commit
    (tmp_path / "rtl" / "a").write_text("module a; endmodule")
    assert said(tmp_path) == f"{commit}-dirty"
