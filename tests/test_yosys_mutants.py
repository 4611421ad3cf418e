# SPDX-License-Identifier: Apache-2.0
"""Mutants that Yosys makes: the bench catches one, and what is proved equal is not caught."""

from __future__ import annotations

from pathlib import Path

from yosys_mutants import is_caught, is_equal, is_equal_twice, keeps_contract, mutants_of

from montforge.arch import core, driven
from planted import designs_of


def test_a_mutant_is_caught_or_proved_equal(tmp_path: Path) -> None:
    mutants = mutants_of(driven(core("mm_r2", width=5)), 12, tmp_path)
    assert len(mutants.descriptions) == 12
    numbers = range(1, 13)
    equal = [each for each in numbers if is_equal(mutants, each)]
    caught = [each for each in numbers if is_caught(mutants.chosen(each))]
    assert sorted(equal + caught) == list(numbers)
    assert 0 < len(equal) < 6
    assert is_equal(mutants, 0) and not is_caught(mutants.chosen(0))
    assert is_equal_twice(mutants, equal[0])
    assert not any(is_equal_twice(mutants, each) for each in caught[:4])
    # One that starts without a request: its products are right, and its handshake is not.
    assert keeps_contract(mutants, equal[0]) and not keeps_contract(mutants, caught[-1])


def test_a_mutant_that_no_legal_operation_shows_is_settled(tmp_path: Path) -> None:
    """The fault that is planted: an input of unit_chain is inverted where control never looks."""
    chosen = driven(designs_of("unit_chain")[0])
    mutants = mutants_of(chosen, 24, tmp_path)
    assert is_equal_twice(mutants, 0)
    found = [each for each in range(1, 25) if is_equal_twice(mutants, each)]
    assert 0 < len(found) < 8
    assert not any(is_caught(mutants.chosen(each)) for each in found)
