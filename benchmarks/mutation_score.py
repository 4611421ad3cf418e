# SPDX-License-Identifier: Apache-2.0
"""Mutation score: the share of each architecture's planted bugs that the bench catches.

    python benchmarks/mutation_score.py [ARCH ...]

Reads tests/mutants/ARCH.toml and prints one row an architecture; ends with status 1 if a bug
that is not proven equivalent survives. An equivalent one has a proof in the file, and must also
pass every legal operation at the smallest widths, in the forms that have few enough. The file's
content: see tests/planted.py.
"""

from __future__ import annotations

import sys
from pathlib import Path

from rich.console import Console

from montforge.report import Table
from montforge.verify.operations import exhaustive_choices

sys.path.append(str(Path(__file__).parents[1] / "tests"))
from planted import MUTANTS, bugs_of, designs_of, survivors

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
    wrong = []
    for name in names or known:
        bugs, designs = bugs_of(name), designs_of(name)
        proven = [bug for bug in bugs if bug.equivalent]
        smallest = [
            chosen
            for chosen in designs_of(name, EXHAUSTIVE_WIDTHS) * bool(proven)
            if exhaustive_choices(chosen.contract, None) <= EXHAUSTIVE_MOST
        ]
        left = survivors(bugs, designs)
        passed = survivors([b for b in proven if b in left], smallest, mode="exhaustive")
        wrong += [
            f"{name}: killed, though said to be equivalent: {bug.name}"
            for bug in proven
            if bug not in passed
        ]
        survived = [bug for bug in left if not bug.equivalent]
        wrong += [f"{name}: survives: {bug.name}" for bug in survived]
        least = len(bugs) - len(proven)
        rows.append((name, len(bugs), len(proven), least - len(survived), least))
    columns = ("architecture", "mutants", "proven equivalent", "killed", "to be killed")
    Console().print(Table("Mutation score", columns, tuple(rows), tuple(wrong)).to_rich())
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
