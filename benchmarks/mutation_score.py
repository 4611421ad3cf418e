# SPDX-License-Identifier: Apache-2.0
"""Mutation score: how many planted bugs of each architecture the bench catches.

    python benchmarks/mutation_score.py [ARCH ...]

Reads tests/mutants/ARCH.toml and prints one row an architecture; ends with status 1 if a mutant
that is not proven equivalent survives. An equivalent one has a proof in the file, and must also
pass every legal operation at the smallest widths, in the forms that have few enough. What a file
may hold: see `montforge.verify.mutants`.
"""

from __future__ import annotations

import sys
from pathlib import Path

from rich.console import Console

from montforge.report import Table
from montforge.verify.mutants import kills, load_mutants, mutant_designs
from montforge.verify.operations import exhaustive_choices

MUTANTS = Path(__file__).parents[1] / "tests" / "mutants"
EXHAUSTIVE_WIDTHS = (3, 4)
EXHAUSTIVE_MOST = 1 << 14
"""Operations under the widest modulus."""


def main(names: list[str]) -> int:
    """Print the score of ``names`` (default: all) and return the exit status."""
    known = sorted(path.stem for path in MUTANTS.glob("*.toml"))
    unknown = [name for name in names if name not in known]
    if unknown:
        print(f"no mutants of {', '.join(unknown)}; there are {', '.join(known)}", file=sys.stderr)
        return 2
    rows = []
    survivors = []
    for name in names or known:
        path = MUTANTS / f"{name}.toml"
        mutants, designs = load_mutants(path), mutant_designs(path)
        equivalent = sum(bool(m.equivalent) for m in mutants)
        killed = 0
        for mutant in mutants:
            if mutant.equivalent:
                smallest = [
                    chosen
                    for chosen in mutant_designs(path, EXHAUSTIVE_WIDTHS)
                    if exhaustive_choices(chosen.contract, None) <= EXHAUSTIVE_MOST
                ]
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
