# SPDX-License-Identifier: Apache-2.0
"""Mutation score: how many planted bugs of each architecture the bench catches.

    python benchmarks/mutation_score.py [ARCH ...]

Reads tests/mutants/ARCH.toml and prints one row an architecture; ends with status 1 if a mutant
that is not proven equivalent survives. ``parameters`` in that file are fixed values of parameters
other than the width.
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


def small_designs(name: str) -> list[Design]:
    """Return the designs that a mutant is tried on: small widths, each form."""
    fixed = tomllib.loads((MUTANTS / f"{name}.toml").read_text()).get("parameters", {})
    return [d for width in WIDTHS for d in variants(name, width=width, **fixed)]


def main(names: list[str]) -> int:
    """Print the score of ``names`` (default: all) and return the exit status."""
    rows = []
    survivors = []
    for name in names or sorted(path.stem for path in MUTANTS.glob("*.toml")):
        mutants = load_mutants(MUTANTS / f"{name}.toml")
        designs = small_designs(name)
        equivalent = sum(bool(m.equivalent) for m in mutants)
        killed = 0
        for mutant in mutants:
            if kills(mutant, designs):
                killed += 1
                if mutant.equivalent:
                    survivors.append(
                        f"{name}: killed, though said to be equivalent: {mutant.reason}"
                    )
            elif not mutant.equivalent:
                survivors.append(f"{name}: survives: {mutant.reason}")
        rows.append((name, len(mutants), equivalent, killed, len(mutants) - equivalent))
    columns = ("architecture", "mutants", "proven equivalent", "killed", "to be killed")
    Console().print(Table("Mutation score", columns, tuple(rows), tuple(survivors)).to_rich())
    return 1 if survivors else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
