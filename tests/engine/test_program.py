# SPDX-License-Identifier: Apache-2.0
"""The micro-program of the engine: its counts."""

from __future__ import annotations

import re

import pytest

from engine_faults import GUARDS
from montforge.arch import design
from montforge.contract import NO_DERIVATION, Derivation
from montforge.hardware import rtl_root
from montforge.programs import rsa


@pytest.mark.parametrize(
    ("check", "p", "full", "checks"), (("pq", 13, 0, 5), ("n", 8, 2, 4), ("both", 13, 2, 6))
)
def test_turns_and_checks_of_a_private_operation(
    check: str, p: int, full: int, checks: int
) -> None:
    power = int(check != rsa.CHECK_N)
    assert rsa.turns("Private", rsa.P, check) == rsa.Turns(p, 1, power)
    assert rsa.turns("Private", rsa.Q, check) == rsa.Turns(p - 1, 1, power)
    assert rsa.turns("Private", rsa.FULL, check) == rsa.Turns(full, 0, min(full, 1))
    assert rsa.checks("Private", check) == checks


def test_turns_of_the_engine() -> None:
    assert design("rsa", bits=2048, adder=64).turns(2048, 65537) == (1362, 1361)
    assert design("rsa", bits=2048, halves=1).turns(2048, 65537) == (2723,)


def test_every_segment_that_is_called_is_there() -> None:
    for check in rsa.CHECKS:
        called = {row.segment for name in rsa.BY_NAME for row in rsa.rows_of(name, check)}
        assert called - {""} <= rsa.BY_NAME.keys()
    assert all(len(s.rows) + len(s.first) <= 32 for s in rsa.SEGMENTS)


def test_derivations_have_one_numbering() -> None:
    text = (rtl_root() / "prim/mf_derivation_pkg.sv").read_text()
    found = {name.lower(): int(n) for name, n in re.findall(r"(\w+)Constant +=\s(\d)", text)}
    kinds = ("inverse", "scaled", "raised", "words")
    assert found == {"no": NO_DERIVATION} | {kind: Derivation(kind, 1).number for kind in kinds}  # type: ignore[arg-type]


def test_the_guards_of_the_campaign_and_the_page_are_those_of_the_rtl() -> None:
    package = (rtl_root() / "engine/mf_engine_pkg.sv").read_text()
    (body,) = re.findall(r"enum logic \[2:0\] \{([^}]*)\} guard_e", package)
    tags = tuple(re.findall(r"Guard(\w+)", body))
    assert tags == GUARDS
    header = (rtl_root() / "engine/mf_engine_guard.sv").read_text().split("module")[0]
    page = (rtl_root().parent / "docs/architectures/rsa.md").read_text()
    for tag in tags:
        assert re.search(rf"^//   {tag} ", header, re.M)
        assert f"| {tag} |" in page
