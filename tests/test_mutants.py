# SPDX-License-Identifier: Apache-2.0
"""The planted bugs: every entry fits its file; `make bench` kills all of them, here one each."""

from __future__ import annotations

from pathlib import Path

import pyslang
import pytest

from montforge.arch import cores, design
from montforge.verify.mutants import kills, load_mutants, mutant_designs

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


@pytest.mark.parametrize("name", ["mm_r2", "scs_mm_new"])
def test_the_bench_catches_a_planted_bug(name: str) -> None:
    mutant = load_mutants(FOLDER / f"{name}.toml")[0]
    assert not mutant.equivalent
    assert kills(mutant, [design(name, width=5)])
