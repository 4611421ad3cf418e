# SPDX-License-Identifier: Apache-2.0
"""The planted bugs: every entry fits its file; `make bench` kills all of them, here one each."""

from __future__ import annotations

from pathlib import Path

import pyslang
import pytest

from montforge.arch import core, cores
from montforge.verify.mutants import Mutant, kills, load_mutants, mutant_designs

FOLDER = Path(__file__).parent / "mutants"
FILES = sorted(FOLDER.glob("*.toml"))


def test_every_architecture_has_planted_bugs() -> None:
    assert {path.stem for path in FILES} == set(cores())


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_mutant_fits_its_file(path: Path) -> None:
    mutants = load_mutants(path)
    assert mutants
    for mutant in mutants:
        tree = pyslang.syntax.SyntaxTree.fromText(mutant.source())
        assert not [d for d in tree.diagnostics if d.isError()], mutant.reason
        assert mutant.reason


def test_mutants_are_tried_on_each_form() -> None:
    designs = mutant_designs(FOLDER / "booth_csa.toml")
    assert {d.contract.width for d in designs} == {5, 10, 13}
    assert {d.parameters["radix"] for d in designs} == {4, 8, 16, 64}
    assert any(d.parameters["radix"] == 64 and d.parameters["pipeline"] for d in designs)
    assert {d.parameters["converter"] for d in mutant_designs(FOLDER / "scs_mm1.toml")} == {8}


Form = dict[str, int | str]
SERIAL: Form = {"width": 5, "word": 3}
CAUGHT: list[tuple[str, str, Form]] = [
    ("barrett", "a column too many is left out of the quotient's product", {"width": 9}),
    ("barrett", "the modulus of the next operation", {"width": 9}),
    *(
        ("bipartite", reason, {"width": 17, "digit": 3, "group": 4})
        for reason in (
            "the digit on top of the last step is lost",
            "the last digit of the upper part takes nothing from the lower one",
            "the low digit of the result is lost",
        )
    ),
    (
        "booth_csa",
        "no fold: the two topmost bits of the carry vector are lost in the shift",
        {"width": 5},
    ),
    ("booth_csa", "the carry of the dropped digit is lost", {"width": 5, "radix": 8}),
    ("booth_csa", "negative multiples of b are one too small", {"width": 5}),
    *(
        ("fios_systolic", reason, {"width": 9, "word": 3})
        for reason in (
            "the carry of the lowest word is lost",
            "the quotient leaves out the word of t",
            "an element adds a carry a cycle early",
        )
    ),
    ("fixed_prime", "the sum is rounded down", {"width": 13}),
    ("fixed_prime", "a result is put into a place that is not free", {"width": 5}),
    ("fixed_square", "what a negative term moves up is lost", {"width": 9}),
    ("orup", "the last step is left out", {"width": 5, "digit": 3, "group": 4}),
    (
        "orup",
        "a digit with its top bit set is taken for a negative one",
        {"width": 5, "digit": 4, "group": 4},
    ),
    (
        "orup",
        "the low digits of the result are lost",
        {"width": 5, "digit": 3, "delay": 2, "group": 4},
    ),
    # Pairs of 4 bits are resolved by the tree already.
    ("three_pass", "the carry between digits is lost", {"width": 13, "issues": 2}),
    ("three_pass", "the carry out of the low half of U is taken for 1", {"width": 5, "issues": 1}),
    ("three_pass", "a pass begins with what the one before left", {"width": 5, "issues": 3}),
    (
        "unit_csa",
        "what the last digit of the quotient moves up is lost",
        {"width": 5, "digit": 3, "group": 4},
    ),
    ("unit_csa", "a carry does not pass a group of ones", {"width": 9, "digit": 4, "group": 4}),
    (
        "unit_csa",
        "the carry between digits of Q is lost",
        {"width": 5, "digit": 4, "result": "signed", "group": 4},
    ),
    (
        "unit_csa",
        "sums that wait are not kept",
        {"width": 5, "digit": 3, "overlap": 1, "group": 4},
    ),
    ("unit_dsp", "a carry of two is one", SERIAL),
    ("unit_dsp", "the result is copied while the one before waits", SERIAL),
    (
        "unit_dsp",
        "the carry of the last quotient word but one is lost in the result",
        SERIAL | {"sums": "cascade"},
    ),
]


@pytest.mark.parametrize("name", ["mm_r2", "scs_mm_new"])
def test_the_bench_catches_the_first_planted_bug(name: str) -> None:
    mutant = load_mutants(FOLDER / f"{name}.toml")[0]
    assert not mutant.equivalent
    assert kills(mutant, [core(name, width=5)])


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "reason", "form"), CAUGHT, ids=[f"{name}-{reason}" for name, reason, _ in CAUGHT]
)
def test_the_bench_catches_a_planted_bug_of_each_kind(name: str, reason: str, form: Form) -> None:
    """`python benchmarks/mutation_score.py ARCH` tries all of an architecture."""
    (mutant,) = (m for m in load_mutants(FOLDER / f"{name}.toml") if m.reason == reason)
    assert kills(mutant, [core(name, **form)], operations=200)


@pytest.mark.slow
@pytest.mark.parametrize(
    "mutant", load_mutants(FOLDER / "fios_dsp.toml"), ids=lambda mutant: mutant.reason
)
def test_the_bench_catches_each_planted_bug_of_fios_dsp(mutant: Mutant) -> None:
    designs = mutant_designs(FOLDER / "fios_dsp.toml")
    assert kills(mutant, designs[::-1])  # most fall to the last form
