# SPDX-License-Identifier: Apache-2.0
"""Mutation score: how many planted bugs of each architecture the bench catches.

    python benchmarks/mutation_score.py [ARCH ...]

Reads tests/mutants/ARCH.toml and prints one row an architecture; ends with status 1 if a mutant
that is not proven equivalent survives. An equivalent one has a proof in the file, and must also
pass every legal operation at the smallest widths. ``parameters`` in that file are fixed values of
parameters other than the width.
"""

from __future__ import annotations

import sys
import tomllib
from pathlib import Path

from rich.console import Console

from montforge.arch import variants
from montforge.arch.base import Design
from montforge.report import Table
from montforge.verify.mutants import kills, load_mutants

MUTANTS = Path(__file__).parents[1] / "tests" / "mutants"
WIDTHS = (5, 13)
EXHAUSTIVE_WIDTHS = (3, 4)


def small_designs(name: str, widths: tuple[int, ...]) -> list[Design]:
    """Return the designs that a mutant is tried on: each form at ``widths``."""
    fixed = tomllib.loads((MUTANTS / f"{name}.toml").read_text()).get("parameters", {})
    return [d for width in widths for d in variants(name, width=width, **fixed)]


def main(names: list[str]) -> int:
    """Print the score of ``names`` (default: all) and return the exit status."""
    rows = []
    survivors = []
    for name in names or sorted(path.stem for path in MUTANTS.glob("*.toml")):
        mutants = load_mutants(MUTANTS / f"{name}.toml")
        designs = small_designs(name, WIDTHS)
        equivalent = sum(bool(m.equivalent) for m in mutants)
        killed = 0
        for mutant in mutants:
            if mutant.equivalent:
                smallest = small_designs(name, EXHAUSTIVE_WIDTHS)
                if kills(mutant, designs) or kills(mutant, smallest, mode="exhaustive"):
                    survivors.append(
                        f"{name}: killed, though said to be equivalent: {mutant.reason}"
                    )
            elif kills(mutant, designs):
                killed += 1
            else:
                survivors.append(f"{name}: survives: {mutant.reason}")
        rows.append((name, len(mutants), equivalent, killed, len(mutants) - equivalent))
    columns = ("architecture", "mutants", "proven equivalent", "killed", "to be killed")
    Console().print(Table("Mutation score", columns, tuple(rows), tuple(survivors)).to_rich())
    return 1 if survivors else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
