# SPDX-License-Identifier: Apache-2.0
"""Bugs planted in RTL, all of them in one program, of which a run chooses one."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from montforge.arch.rsa.engine import Engine
from montforge.verify.engine_bench import build

ROWS, PROGRAM, HALF = (f"mf_rsa_{name}" for name in ("rows", "program", "half"))
CONTROL, JOB, GUARD, WORDS, WINDOWS = (
    f"mf_engine_{name}" for name in ("control", "job", "guard", "words", "windows")
)


@dataclass(frozen=True)
class Bug:
    """The part of ``text`` between two @ in ``module`` becomes ``instead``, over ``core``.

    The part is an expression, or statements, which end with a semicolon. ``others`` are further
    edits: module, text, instead.
    """

    name: str
    module: str
    text: str
    instead: str
    core: str = "booth_csa"
    others: tuple[tuple[str, str, str], ...] = ()

    def planted(self, module: str, source: str, number: int) -> str:
        """Return ``source`` with the bug, which is there if ``number`` is the one chosen."""
        for place, text, instead in ((self.module, self.text, self.instead), *self.others):
            if place != module:
                continue
            before, right, after = text.split("@")
            found = before + right + after
            assert source.count(found) == 1, self
            there = f"mf_planted_pkg::chosen == {number}"
            if right.endswith(";"):
                both = f"if ({there}) begin {instead} end else begin {right} end"
            else:
                both = f"({there} ? {instead} : {right})"
            source = source.replace(found, before + both + after)
        return source


CHOSEN = """package mf_planted_pkg;
  int chosen = $c32("std::getenv(\\"PLANTED\\") ? std::atoi(std::getenv(\\"PLANTED\\")) : 0");
endpackage
"""


def planted_files(paths: Sequence[Path], bugs: Sequence[Bug], folder: Path) -> tuple[Path, ...]:
    """Return files like those in ``paths`` with all ``bugs``, which are written to ``folder``.

    The environment variable PLANTED chooses the one that a run has: 1 for the first.
    """
    files = [folder / "mf_planted_pkg.sv"]
    files[0].write_text(CHOSEN)
    for path in paths:
        text = path.read_text()
        for number, bug in enumerate(bugs, 1):
            text = bug.planted(path.stem, text, number)
        files.append(folder / path.name)
        files[-1].write_text(text)
    return tuple(files)


def planted_program(
    engine: Engine,
    bugs: Sequence[Bug],
    parameters: tuple[tuple[str, int], ...] = (),
    *,
    registers: bool = False,
) -> Path:
    """Return the program of an engine with the files of `planted_files`."""
    with tempfile.TemporaryDirectory() as name:
        files = planted_files(engine.hardware.files, bugs, Path(name))
        values = {**engine.hardware.parameters, **dict(parameters)}
        changed = replace(engine.hardware, files=files, parameters=values)
        return build(changed, registers=registers, optimised=False)
