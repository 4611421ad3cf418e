# SPDX-License-Identifier: Apache-2.0
"""A page of the docs as a reader follows it: its files and commands, in a new folder."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

DOCS = Path(__file__).parents[1] / "docs"
BLOCK = re.compile(r"^```(\w+)(?: title=\"([\w.]+)\")?\n(.*?)^```$", re.MULTILINE | re.DOTALL)
FAST = "OPT_FAST=-O0 OPT_SLOW=-O0 OPT_GLOBAL=-O0"


@dataclass(frozen=True)
class Page:
    """The files that a page shows with a title, its blocks of commands, and those of outputs."""

    files: dict[str, str]
    commands: list[str]
    outputs: list[str]

    @classmethod
    def read(cls, name: str) -> Page:
        blocks = BLOCK.findall((DOCS / name).read_text(encoding="utf-8"))
        return cls(
            {title: text for _, title, text in blocks if title},
            [text for language, _, text in blocks if language == "console"],
            [text for language, title, text in blocks if language == "text" and not title],
        )

    def write_files(self, folder: Path) -> None:
        for name, text in self.files.items():
            (folder / name).write_text(text)


def run(command: str, folder: Path) -> str:
    """Return the output of a command of a page, which must end with status 0."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        ["bash", "-ec", command], cwd=folder, env={**os.environ, "PATH": path, "MAKEFLAGS": FAST},
        text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=600,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout
    return done.stdout
