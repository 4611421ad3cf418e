# SPDX-License-Identifier: Apache-2.0
"""Every operation of a small width, and data that stay in registers."""

from __future__ import annotations

from pathlib import Path

import pytest

from montforge.arch import core
from montforge.prove import prove
from montforge.prove.simulated import exhaustive, residue
from planted import edited

SECONDS = 300.0


@pytest.mark.parametrize(
    ("name", "width", "operations"),
    [("mm_r2", 4, 679), ("scs_mm_ct", 4, 2716), ("fcs_mm1", 4, 2716), ("scs_mm_new", 4, 10864)],
)
def test_all_operations_of_a_small_width(name: str, width: int, operations: int) -> None:
    (check,) = prove(core(name, width=width), checks=["exhaustive"], timeout=SECONDS).checks
    assert check.verdict == "proved"
    assert f" {operations:,} " in check.message


def test_a_wrong_result_for_one_modulus_is_refuted(tmp_path: Path) -> None:
    design = core("mm_r2", width=4)
    new = "- {2'b00, n_q ^ Width'(n_q == Width'(13))}"
    bad = edited(design, "- {2'b00, n_q}", new, tmp_path).hardware
    check = exhaustive(design, bad, SECONDS)
    assert check.verdict == "refuted"
    assert check.witness["n"] == 13


def test_too_many_operations_are_left_open() -> None:
    design = core("mm_r2", width=32)
    assert exhaustive(design, design.hardware, SECONDS).verdict == "unknown"


def test_registers_that_keep_data_are_named() -> None:
    design = core("mm_r2", width=32)
    check = residue(design, design.hardware, SECONDS)
    assert check.verdict == "refuted"
    assert check.witness == {"b_q": 32}


def test_registers_without_data_are_no_proof() -> None:
    design = core("scs_mm", width=16)
    check = residue(design, design.hardware, SECONDS)
    assert check.verdict == "unknown"
