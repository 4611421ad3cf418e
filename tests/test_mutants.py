# SPDX-License-Identifier: Apache-2.0
"""The bugs in tests/mutants: every one fits its file; `make bench` kills all, here some of each."""

from __future__ import annotations

from pathlib import Path

import pyslang
import pytest

from montforge.arch import core, cores, design
from montforge.hardware import rtl_root
from montforge.verify import build_bench
from planted import MUTANTS, Bug, bugs_of, designs_of, edited_files, planted, survivors

NAMES = sorted(path.stem for path in MUTANTS.glob("*.toml"))


def test_every_architecture_has_planted_bugs() -> None:
    assert set(NAMES) == set(cores())


@pytest.mark.parametrize("name", NAMES)
def test_every_mutant_fits_its_file(name: str, tmp_path: Path) -> None:
    bugs = bugs_of(name)
    assert bugs and len({bug.name for bug in bugs}) == len(bugs)
    for bug in bugs:
        (path,) = edited_files([next(rtl_root().glob(f"*/{bug.module}.sv"))], bug, tmp_path)
        tree = pyslang.syntax.SyntaxTree.fromText(path.read_text())
        assert not [d for d in tree.diagnostics if d.isError()], bug.name
        assert bug.name


def test_mutants_are_tried_on_each_form() -> None:
    designs = designs_of("booth_csa")
    assert {d.contract.width for d in designs} == {5, 10, 13}
    assert {d.parameters["radix"] for d in designs} == {4, 8, 16, 64}
    assert any(d.parameters["radix"] == 64 and d.parameters["pipeline"] for d in designs)
    assert {d.parameters["converter"] for d in designs_of("scs_mm1")} == {8}


SMALL = design("mm_r2", width=5)
RUN_TIME = Bug("a sum", "mf_mm_r2", "b_q & {Width", "b_i & {Width")
OTHER = Bug("another sum", "mf_mm_r2", "n_q & {Width", "n_i & {Width")
FIXED = Bug("a constant", "mf_mm_r2", "CountW = $clog2(Width);", "CountW = 1 + $clog2(Width);")


def test_bugs_of_one_program_are_told_apart_and_from_the_design(tmp_path: Path) -> None:
    wrong = planted(SMALL, [RUN_TIME, FIXED, OTHER], tmp_path)
    benches = [build_bench(d) for d in (SMALL, *wrong.values())]
    assert benches[1].executable == benches[3].executable
    assert len({bench.executable for bench in benches}) == 3
    assert len({bench.key for bench in benches}) == 4
    assert survivors([RUN_TIME, FIXED, OTHER], [SMALL]) == [FIXED]


# Each architecture's bugs that one form shows, found in one program.
CAUGHT: list[tuple[str, dict[str, int | str], tuple[str, ...]]] = [
    (
        "barrett",
        {"width": 9},
        (
            "a column too many is left out of the quotient's product",
            "the modulus of the next operation",
        ),
    ),
    (
        "bipartite",
        {"width": 17, "digit": 3, "group": 4},
        (
            "the digit on top of the last step is lost",
            "the last digit of the upper part takes nothing from the lower one",
            "the low digit of the result is lost",
        ),
    ),
    (
        "booth_csa",
        {"width": 5},
        (
            "no fold: the two topmost bits of the carry vector are lost in the shift",
            "negative multiples of b are one too small",
        ),
    ),
    ("booth_csa", {"width": 5, "radix": 8}, ("the carry of the dropped digit is lost",)),
    (
        "fios_systolic",
        {"width": 9, "word": 3},
        (
            "the carry of the lowest word is lost",
            "the quotient leaves out the word of t",
            "an element adds a carry a cycle early",
        ),
    ),
    ("fixed_prime", {"width": 13}, ("the sum is rounded down",)),
    ("fixed_prime", {"width": 5}, ("a result is put into a place that is not free",)),
    ("fixed_square", {"width": 9}, ("what a negative term moves up is lost",)),
    ("orup", {"width": 5, "digit": 3, "group": 4}, ("the last step is left out",)),
    (
        "orup",
        {"width": 5, "digit": 4, "group": 4},
        ("a digit with its top bit set is taken for a negative one",),
    ),
    (
        "orup",
        {"width": 5, "digit": 3, "delay": 2, "group": 4},
        ("the low digits of the result are lost",),
    ),
    # Pairs of 4 bits are resolved by the tree already.
    ("three_pass", {"width": 13, "issues": 2}, ("the carry between digits is lost",)),
    (
        "three_pass",
        {"width": 5, "issues": 1},
        ("the carry out of the low half of U is taken for 1",),
    ),
    (
        "three_pass",
        {"width": 5, "issues": 3},
        ("a pass begins with what the one before left",),
    ),
    (
        "unit_chain",
        {"width": 18, "digit": 2, "chain": 4},
        ("the carries of upper sums are lost", "a carry does not pass a word of ones"),
    ),
    (
        "unit_csa",
        {"width": 5, "digit": 3, "group": 4},
        ("what the last digit of the quotient moves up is lost",),
    ),
    (
        "unit_csa",
        {"width": 9, "digit": 4, "group": 4},
        ("a carry does not pass a group of ones",),
    ),
    (
        "unit_csa",
        {"width": 5, "digit": 4, "result": "signed", "group": 4},
        ("the carry between digits of Q is lost",),
    ),
    (
        "unit_csa",
        {"width": 5, "digit": 3, "overlap": 1, "group": 4},
        ("sums that wait are not kept",),
    ),
    (
        "unit_dsp",
        {"width": 5, "word": 3},
        ("a carry of two is one", "the result is copied while the one before waits"),
    ),
    (
        "unit_dsp",
        {"width": 5, "word": 3, "sums": "cascade"},
        ("the carry of the last quotient word but one is lost in the result",),
    ),
]


@pytest.mark.parametrize("name", ["mm_r2", "scs_mm_new"])
def test_the_bench_catches_the_first_planted_bug(name: str) -> None:
    bug = bugs_of(name)[0]
    assert not bug.equivalent
    assert survivors([bug], [core(name, width=5)]) == []


@pytest.mark.slow
@pytest.mark.parametrize(("name", "form", "reasons"), CAUGHT)
def test_the_bench_catches_planted_bugs_of_each_kind(
    name: str, form: dict[str, int | str], reasons: tuple[str, ...]
) -> None:
    """`python benchmarks/mutation_score.py ARCH` tries all of an architecture."""
    bugs = [bug for bug in bugs_of(name) if bug.name in reasons]
    assert len(bugs) == len(reasons)
    assert survivors(bugs, [core(name, **form)], operations=200) == []


@pytest.mark.slow
def test_the_bench_catches_each_planted_bug_of_fios_dsp() -> None:
    # Most fall to the last form.
    assert survivors(bugs_of("fios_dsp"), designs_of("fios_dsp")[::-1]) == []
