# SPDX-License-Identifier: Apache-2.0
"""docs/integrate/fusesoc.md does what it says: a user's core gets a multiplier from montforge."""

from __future__ import annotations

from pathlib import Path

import pytest

from doc_page import Page, run
from montforge.arch import design
from montforge.errors import MontforgeError
from montforge.generate import generate
from montforge.integrate.fusesoc.generator import generate_core

PAGE = Page.read("integrate/fusesoc.md")
INSTALL, RUN, WHEEL = PAGE.commands
LIBRARY = INSTALL.split("\n", 1)[1]
N, A, B = 2**64 - 59, 3, 5 << 32


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    PAGE.write_files(tmp_path)
    run(LIBRARY, tmp_path)
    return tmp_path


@pytest.mark.slow
def test_the_simulation_of_the_core_prints_the_product(folder: Path) -> None:
    assert f"product {A * B * pow(2, -64, N) % N:016x}" in run(WHEEL + RUN, folder)


def test_a_wrong_parameter_ends_with_its_message(folder: Path) -> None:
    core = (folder / "chip.core").read_text().replace("width: 64", "width: 1")
    (folder / "chip.core").write_text(core)
    out = run(f"! {RUN.replace('run', 'run --setup')}", folder)
    assert "montforge: parameter width = 1 is out of range" in out
    assert "Traceback" not in out


@pytest.mark.parametrize(
    ("given", "part"),
    [
        ({}, "missing"),
        ({"colour": "red"}, "unknown parameter 'colour'"),
        ({"parameters": 64}, "parameters = 64 is no dict"),
        ({"name": "no module"}, "no module"),
        ({"form": "round"}, "round"),
        ({"prefix": "2"}, "prefix"),
    ],
)
def test_illegal_parameters_are_refused(
    given: dict[str, object], part: str, tmp_path: Path
) -> None:
    legal = {"architecture": "mm_r2", "name": "mul"} if given else {}
    with pytest.raises(MontforgeError, match=part):
        generate_core({**legal, **given}, tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_a_part_of_a_design_and_its_form_are_taken(tmp_path: Path) -> None:
    made = generate_core(
        {
            "architecture": "modexp",
            "name": "power",
            "parameters": {"width": 16, "multiplier": "booth_csa", "multiplier.radix": 8},
            "form": "axi",
            "prefix": "mine",
        },
        tmp_path,
    )
    chosen = design("modexp", width=16, **{"multiplier": "booth_csa", "multiplier.radix": 8})
    other = generate(chosen.with_form("axi"), tmp_path / "other", name="power", prefix="mine")
    assert _texts(made) == _texts(other)


def _texts(folder: Path) -> dict[Path, bytes]:
    return {path.relative_to(folder): path.read_bytes() for path in folder.rglob("*.sv")}
