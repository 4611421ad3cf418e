# SPDX-License-Identifier: Apache-2.0
"""Write docs/verification/FAMILY.md: how many operations each design passed, with the commands.

    python scripts/verification_figures.py FAMILY ...

Everything comes from `montforge.verify`, which keeps finished work, so an interrupted run goes on
where it stopped. Ends with status 1 if any operation was wrong.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from montforge import Design, design, verify
from montforge.arch import registry, variants
from montforge.arch.base import ParameterValue
from montforge.report import Table

ROOT = Path(__file__).parents[1]
SEED = 1
CHAIN_MODULUS = (1 << 64) - 3
INTRODUCTION = """# Verification runs: {family}

Made by `python scripts/verification_figures.py {family}` on {today}, of commit {commit}.

A cell is the number of operations that passed, each of which was checked: the residue against
integers, the value against the golden model, the bound, the handshakes and latency; the cycle
model's prediction where the model is fast, else on the first operation of a chunk (`montforge
cycles` compares all). Runs mix back-to-back requests, idle cycles, back-pressure and resets.
{verdict}

The commands, with PARAMETERS as in the table's first column:

"""
Form = dict[str, ParameterValue]


@dataclass(frozen=True)
class Run:
    """A column of the table: the widths it is run at, together, and the options of `verify`."""

    title: str
    widths: tuple[int, ...]
    mode: str
    operations: int = 1000
    chain_length: int = 1000
    modulus: int | None = None

    @property
    def command(self) -> str:
        """The command line, with ARCH and PARAMETERS in capitals."""
        words = [f"montforge verify ARCH PARAMETERS -p width=W --mode {self.mode}"]
        if self.mode not in ("exhaustive", "values"):
            words.append(f"--operations {self.operations}")
        if self.mode in ("all", "chain"):
            words.append(f"--chain-length {self.chain_length}")
        if self.modulus is not None:
            words.append(f"--modulus {self.modulus:#x}")
        return " ".join([*words, f"--seed {SEED}"])


CHAIN = Run("chain", (64,), "chain", 10_000, 10_000, CHAIN_MODULUS)
CARRY_SAVE_RUNS = (
    Run("every split", (3,), "exhaustive"),
    Run("every value", (3, 4, 5), "values"),
    Run("random", (64, 256), "random", 100_000),
    CHAIN,
    Run("all, odd widths", (65, 255, 521), "all", 1000, 1000),
    Run("all, 1024 and 2048", (1024, 2048), "all", 2000, 2000),
    Run("all, 4096", (4096,), "all", 200, 200),
)
BOOTH_RUNS = (
    Run("every split", (3,), "exhaustive"),
    Run("every value", (3, 4, 5), "values"),
    Run("random", (64,), "random", 10_000),
    CHAIN,
    Run("all, odd widths", (65, 67, 521), "all", 1000, 1000),
    Run("all, 1024", (1024,), "all", 500, 500),
    Run("all, 2048 and 4096", (2048, 4096), "all", 100, 100),
)
FIOS_RUNS = (
    CHAIN,
    Run("all, short", (64, 128, 253, 255, 256), "all", 1000, 1000),
    Run("all, long", (381, 512, 521, 1024), "all", 500, 500),
    Run("all, 2048 and 4096", (2048, 4096), "all", 100, 100),
)


def each_variant(name: str) -> list[Form]:
    """Return the parameters of the architecture's `variants`, without the width."""
    return [
        {key: value for key, value in chosen.parameters.items() if key != "width"}
        for chosen in variants(name, width=64)
    ]


def booth_forms(name: str) -> list[Form]:
    """Return each radix, with and without pipeline, and with both kinds of result."""
    return [
        {"radix": radix, "pipeline": pipeline, "result": result}
        for radix in (4, 8, 16, 64)
        for pipeline in (0, 1)
        for result in ("signed", "nonnegative")
    ]


def fios_forms(name: str) -> list[Form]:
    """Return each variant in both arrays, and each word width in one of the variants."""
    arrays: list[Form] = [
        {"variant": variant, "array": array, "word_width": 17}
        for array in ("folded", "expanded")
        for variant in ("published", "fast", "unit")
    ]
    words: list[Form] = [
        {"variant": variant, "array": "folded", "word_width": word_width}
        for variant, word_width in (("published", 16), ("fast", 18), ("unit", 23))
    ]
    return arrays + words


FAMILIES: dict[str, tuple[tuple[Run, ...], Callable[[str], list[Form]]]] = {
    "carry_save": (CARRY_SAVE_RUNS, each_variant),
    "booth": (BOOTH_RUNS, booth_forms),
    "fios": (FIOS_RUNS, fios_forms),
}


def checked(chosen: Design, run: Run) -> tuple[int, int] | None:
    """Return operations and mismatches, or None where a chain can't be closed."""
    if run.mode == "chain" and not chosen.contract.is_closed(CHAIN_MODULUS):
        return None
    print(f"{chosen} {run.title} ...", file=sys.stderr, flush=True)
    report = verify(
        chosen,
        mode=run.mode,
        operations=run.operations,
        chain_length=run.chain_length,
        modulus=run.modulus,
        seed=SEED,
    )
    if report.mismatches:
        print(report, file=sys.stderr)
    return report.operations, report.mismatches


def write_page(family: str) -> int:
    """Run the family's designs, write its page, return the number of wrong operations."""
    runs, forms = FAMILIES[family]
    rows = []
    wrong = total = 0
    for name in [name for name, found in registry().items() if found.family == family]:
        for form in forms(name):
            cells: list[int | None] = []
            for run in runs:
                results = [checked(design(name, width=w, **form), run) for w in run.widths]
                done = [result for result in results if result is not None]
                cells.append(sum(every - bad for every, bad in done) if done else None)
                wrong += sum(mismatches for _, mismatches in done)
                total += sum(operations for operations, _ in done)
            parameters = " ".join(f"-p {key}={value}" for key, value in form.items())
            rows.append((f"{name} {parameters}".strip(), *cells))
    columns = ("design", *(run.title for run in runs))
    commit = subprocess.run(
        ["git", "rev-parse", "--short", "HEAD"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    ).stdout.strip()
    text = INTRODUCTION.format(
        family=family,
        today=date.today(),
        commit=commit,
        verdict=f"{total:,} operations in all, of which {wrong} were wrong.",
    )
    for run in runs:
        widths = ", ".join(str(width) for width in run.widths)
        text += f"- {run.title}, W = {widths}: `{run.command}`\n"
    text += "\n" + Table("Operations that passed", columns, tuple(rows), ()).to_markdown()
    page = ROOT / "docs" / "verification" / f"{family}.md"
    page.parent.mkdir(exist_ok=True)
    page.write_text(text, encoding="utf-8")
    return wrong


def main(families: list[str]) -> int:
    """Write the pages of ``families`` and return the exit status."""
    unknown = [family for family in families if family not in FAMILIES]
    if unknown or not families:
        print(
            f"{unknown or 'no family given'}: give some of {', '.join(FAMILIES)}", file=sys.stderr
        )
        return 2
    return 1 if sum([write_page(family) for family in families]) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
