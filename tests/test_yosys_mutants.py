# SPDX-License-Identifier: Apache-2.0
"""Mutants that Yosys makes: the bench catches one, and what is proved equal is not caught."""

from __future__ import annotations

from pathlib import Path

from yosys_mutants import is_caught, is_equal, mutants_of

from montforge.arch import core, driven


def test_a_mutant_is_caught_or_proved_equal(tmp_path: Path) -> None:
    mutants = mutants_of(driven(core("mm_r2", width=5)), 12, tmp_path)
    assert len(mutants.descriptions) == 12
    numbers = range(1, 13)
    equal = [each for each in numbers if is_equal(mutants, each)]
    caught = [each for each in numbers if is_caught(mutants.chosen(each))]
    assert sorted(equal + caught) == list(numbers)
    assert 0 < len(equal) < 6
    assert is_equal(mutants, 0) and not is_caught(mutants.chosen(0))
