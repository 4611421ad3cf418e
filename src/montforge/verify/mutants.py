# SPDX-License-Identifier: Apache-2.0
"""Planted bugs: edits of the RTL that the bench must catch.

``ARCH.toml`` lists those of an architecture as ``[[mutant]]`` tables: ``file`` (below the RTL
root), ``old`` (occurs there exactly once), ``new``, ``reason``, and ``equivalent`` with a proof
where the edit changes nothing that can be observed. A mutant counts as killed if `verify` finds a
mismatch or the edited design hangs or stops.

Mutants are tried on designs of small widths (``widths`` in the file, else `WIDTHS`), in each of the
`variants`. ``parameters`` in the file fixes values of all of them; each entry of ``forms`` is one
more form, for bugs that only a combination of parameters shows.
"""

from __future__ import annotations

import tempfile
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from montforge.arch import Core, core, variants
from montforge.errors import InputFileError, ToolFailedError
from montforge.hardware import rtl_root
from montforge.verify.bench import build_bench, patched
from montforge.verify.runner import verify_core

WIDTHS = (5, 13)


@dataclass(frozen=True)
class Mutant:
    """One planted bug; ``equivalent`` is empty, or says why the edit changes nothing."""

    file: str
    old: str
    new: str
    reason: str
    equivalent: str = ""

    def source(self) -> str:
        """Return the edited file. Raises InputFileError if ``old`` is not there exactly once."""
        text = (rtl_root() / self.file).read_text()
        if text.count(self.old) != 1:
            raise InputFileError(
                f"mutant {self.reason!r}: its text occurs {text.count(self.old)} times in"
                f" {self.file}; it must occur exactly once."
            )
        return text.replace(self.old, self.new)


def load_mutants(path: Path) -> list[Mutant]:
    """Return the mutants listed in a TOML file."""
    return [Mutant(**entry) for entry in tomllib.loads(path.read_text())["mutant"]]


def mutant_designs(path: Path, widths: Sequence[int] | None = None) -> list[Core]:
    """Return the designs that the mutants listed in a TOML file are tried on, or others' widths."""
    listed = tomllib.loads(path.read_text())
    widths = widths or listed.get("widths", WIDTHS)
    fixed, forms = listed.get("parameters", {}), listed.get("forms", [])
    found = [
        chosen
        for width in widths
        for chosen in (
            *(v for v in variants(path.stem, width=width, **fixed) if isinstance(v, Core)),
            *(core(path.stem, **{"width": width} | fixed | form) for form in forms),
        )
    ]
    return list({str(chosen): chosen for chosen in found}.values())


def kills(
    mutant: Mutant,
    designs: Sequence[Core],
    operations: int = 400,
    mode: Literal["all", "exhaustive"] = "all",
) -> bool:
    """Return whether verification of any of ``designs`` catches the mutant.

    ``operations`` random ones among others, or every legal operation (``mode="exhaustive"``).
    Raises ToolFailedError if the edited RTL does not compile.
    """
    with tempfile.TemporaryDirectory(prefix="montforge-mutant-") as name:
        edited = Path(name) / Path(mutant.file).name
        edited.write_text(mutant.source())
        original = rtl_root() / mutant.file
        for chosen in designs:
            files = [edited if path == original else path for path in chosen.hardware.files]
            if edited not in files:
                continue
            changed = patched(chosen, files)
            build_bench(changed)  # not in the try: an edit that doesn't compile kills nothing
            try:
                report = verify_core(
                    changed,
                    mode=mode,
                    operations=operations,
                    chain_length=200,
                    seed=1,
                    until_wrong=True,
                )
            except ToolFailedError:
                return True
            if report.mismatches:
                return True
    return False
