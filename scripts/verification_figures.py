# SPDX-License-Identifier: Apache-2.0
"""Print the tables of docs/verification/FAMILY.md: the number of operations each design passed.

    python scripts/verification_figures.py FAMILY ...

Every number comes from `verify_core`, which keeps finished work, so an interrupted run goes on
where it stopped. scripts/store_runs.py stores the output. Ends with status 1 if any operation was
wrong.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import NamedTuple

from montforge.arch import Core, core, registry, variants
from montforge.papers.data import paper
from montforge.report import Table
from montforge.verify.runner import verify_core
from montforge.work.command import command_line

SEED = 1
CHAIN_MODULUS = (1 << 64) - 3
SUM = "{total:,} operations in all, of which {wrong:,} were wrong.\n"
Form = dict[str, int | str]
Forms = dict[str, list[Form]]
"""Rows of a table: the options that a row stands for, and its forms."""


class Passed(NamedTuple):
    """A row of a table, with all its operations and those that were wrong."""

    cells: tuple[str | int | None, ...]
    total: int
    wrong: int


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
        chained, drawn = self.mode in ("all", "chain"), self.mode not in ("exhaustive", "values")
        return command_line(
            "verify",
            ("ARCH", "PARAMETERS", "-p", "width=W"),
            mode=self.mode,
            operations=self.operations if drawn else None,
            chain_length=self.chain_length if chained else None,
            modulus=f"{self.modulus:#x}" if self.modulus is not None else None,
            seed=SEED,
        )


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


GRID_RUNS = (Run("every operation", (3,), "exhaustive"),)
DIGIT_RUNS = (
    CHAIN,
    Run("all, 256", (256,), "all", 1000, 1000),
    Run("all, odd widths", (65, 255, 521), "all", 300, 300),
)
TABLE_VI_RUNS = (Run("all, 256", (256,), "all", 1000, 1000),)
WIDE_RUNS = (Run("all, 384 and 521", (384, 521), "all", 500, 500),)
WIDEST_RUNS = (Run("all, 1024 and 2048", (1024, 2048), "all", 200, 200),)


def each_variant(name: str) -> Forms:
    """Return the parameters of the architecture's `variants`, without the width."""
    return labelled(
        {key: value for key, value in chosen.parameters.items() if key != "width"}
        for chosen in variants(name, width=64)
    )


def labelled(forms: Iterable[Form]) -> Forms:
    """Return each form by its options on the command line."""
    return {" ".join(f"-p {key}={value}" for key, value in form.items()): [form] for form in forms}


def booth_forms(name: str) -> Forms:
    """Return each radix, with and without pipeline, and with both kinds of result."""
    return labelled(
        {"radix": radix, "pipeline": pipeline, "result": result}
        for radix in (4, 8, 16, 64)
        for pipeline in (0, 1)
        for result in ("signed", "nonnegative")
    )


def fios_forms(name: str) -> Forms:
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
    return labelled(arrays + words)


def rmm_grid(name: str) -> Forms:
    """Return every legal number of multipliers for 2 to 8 digits, by the number of digits."""
    return {
        f"-p k={k} -p m=M, M from 1 to {k * k}": [{"k": k, "m": m} for m in range(1, k * k + 1)]
        for k in range(2, 9)
    }


def table6_forms(name: str) -> Forms:
    """Return the points of Table VI, published and fast."""
    return labelled(
        {"k": int(k), "m": int(m), "variant": variant}
        for row in paper("grale2020").rows("table6_rmm_pareto")
        for k, m in [re.findall(r"\d+", row["design"])]
        for variant in ("published", "fast")
    )


WIDE_FORMS: tuple[Form, ...] = (
    {"k": 4, "m": 4, "variant": "published"},
    {"k": 4, "m": 4, "variant": "fast"},
    {"k": 6, "m": 8, "variant": "truncated"},
    {"k": 8, "m": 13, "variant": "in_place", "accumulator": "carry_save"},
    {"k": 4, "m": 4, "contexts": 2},
)
"""Forms of `rmm` of different structure."""
STAGED: Form = {"multiplier": "booth", "stages": 2, "accumulator": "registered"}


def wide_forms(name: str) -> Forms:
    """Return a few forms of different structure."""
    return labelled([{"k": 3, "m": 1, **STAGED}, *WIDE_FORMS])


def widest_forms(name: str) -> Forms:
    """Return the same with `*` for the digit multipliers, whose trees take hours to compile.

    One multiplier of its own, of up to 256 bits, is there in both its structures.
    """
    trees: list[Form] = [{"k": 8, "m": 1}, {"k": 8, "m": 1, **STAGED}]
    return labelled([*trees, *({**form, "multiplier": "inferred"} for form in WIDE_FORMS)])


@dataclass(frozen=True)
class Section:
    """A table of a page: architectures, their forms, and the runs of each form."""

    title: str
    names: tuple[str, ...]
    runs: tuple[Run, ...]
    forms: Callable[[str], Forms]


def members(family: str) -> tuple[str, ...]:
    """Return the architectures of a family."""
    return tuple(name for name, found in registry().items() if found.family == family)


ALL = "Operations that passed"
FAMILIES: dict[str, tuple[Section, ...]] = {
    "carry_save": (Section(ALL, members("carry_save"), CARRY_SAVE_RUNS, each_variant),),
    "booth": (Section(ALL, members("booth"), BOOTH_RUNS, booth_forms),),
    "fios": (Section(ALL, members("fios"), FIOS_RUNS, fios_forms),),
    "digit": (
        Section(
            "Serial designs", ("eberle", "grossschaedl", "tenca_koc"), DIGIT_RUNS, each_variant
        ),
        Section(
            "Full-word designs",
            ("karatsuba", "mcivor", "full_parallel", "full_pipelined"),
            (*DIGIT_RUNS, Run("all, 1024", (1024,), "all", 200, 200)),
            each_variant,
        ),
        Section("RMM, points of Table VI", ("rmm",), TABLE_VI_RUNS, table6_forms),
        Section("RMM, wide operands", ("rmm",), WIDE_RUNS, wide_forms),
        Section("RMM, widest operands", ("rmm",), WIDEST_RUNS, widest_forms),
    ),
    "rmm_grid": (Section("RMM, all numbers of multipliers", ("rmm",), GRID_RUNS, rmm_grid),),
}


def checked(chosen: Core, run: Run) -> tuple[int, int] | None:
    """Return operations and mismatches, or None where a chain can't be closed."""
    if run.mode == "chain" and not chosen.contract.is_closed(CHAIN_MODULUS):
        return None
    print(f"{chosen} {run.title} ...", file=sys.stderr, flush=True)
    report = verify_core(
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


def row_of(name: str, label: str, forms: list[Form], runs: tuple[Run, ...]) -> Passed:
    """Run the forms and return the row, with all operations and those that were wrong."""
    cells: list[int | None] = []
    wrong = total = 0
    for run in runs:
        results = [
            checked(core(name, width=width, **form), run) for form in forms for width in run.widths
        ]
        done = [result for result in results if result is not None]
        cells.append(sum(every - bad for every, bad in done) if done else None)
        wrong += sum(mismatches for _, mismatches in done)
        total += sum(operations for operations, _ in done)
    return Passed((f"{name} {label}".strip(), *cells), total, wrong)


def print_page(family: str) -> int:
    """Run the family's designs, print its page, return the number of wrong operations."""
    body = ""
    wrong = total = 0
    for section in FAMILIES[family]:
        found = [
            row_of(name, label, forms, section.runs)
            for name in section.names
            for label, forms in section.forms(name).items()
        ]
        wrong += sum(row.wrong for row in found)
        total += sum(row.total for row in found)
        columns = ("design", *(run.title for run in section.runs))
        table = Table(section.title, columns, tuple(row.cells for row in found), ())
        body += "\n" + table.to_markdown() + "\n"
        for run in section.runs:
            widths = ", ".join(str(width) for width in run.widths)
            body += f"- {run.title}, W = {widths}: `{run.command}`\n"
    print(SUM.format(total=total, wrong=wrong) + body, end="")
    return wrong


def main(families: list[str]) -> int:
    """Print the pages of ``families`` and return the exit status."""
    unknown = [family for family in families if family not in FAMILIES]
    if unknown or not families:
        print(
            f"{unknown or 'no family given'}: give some of {', '.join(FAMILIES)}", file=sys.stderr
        )
        return 2
    return 1 if sum([print_page(family) for family in families]) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
