# SPDX-License-Identifier: Apache-2.0
"""Mutants that Yosys makes: the bench catches one, and what is proved equal is not caught."""

from __future__ import annotations

from itertools import product
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from mutant_differences import Pairs
from yosys_mutants import (
    is_caught,
    is_equal,
    is_equal_twice,
    keeps_contract,
    mutants_of,
    shows_nothing,
)

from montforge.arch import core, driven
from montforge.prove.gates import pack, unpack
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
    assert shows_nothing(mutants, 0) and not any(shows_nothing(mutants, each) for each in caught)
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


def test_a_difference_that_no_output_shows_is_not_caught(tmp_path: Path) -> None:
    mutants = mutants_of(driven(core("scs_mm_ct", width=5)), 60, tmp_path)
    found = [each for each in range(1, 61) if shows_nothing(mutants, each)]
    assert 0 < len(found) < 16
    assert all(is_equal(mutants, each) for each in found)


GATES = {
    "$_NOT_": lambda a: 1 - a,
    "$_AND_": lambda a, b: a & b,
    "$_OR_": lambda a, b: a | b,
    "$_XOR_": lambda a, b: a ^ b,
    "$_XNOR_": lambda a, b: 1 - (a ^ b),
    "$_MUX_": lambda a, b, s: b if s else a,
}


@pytest.mark.parametrize("kind", GATES)
def test_a_gate_has_the_pairs_that_its_inputs_make(kind: str) -> None:
    """In each lane the inputs have one of all sets of pairs of values."""
    function = GATES[kind]
    inputs = function.__code__.co_argcount
    sets = [chosen for chosen in product((0, 1), repeat=4) if any(chosen)]
    lanes = list(product(sets, repeat=inputs))
    rows = tuple(np.array([2 + at]) for at in range(inputs))
    group = SimpleNamespace(kind=kind, first=2 + inputs, inputs=rows)
    gates = SimpleNamespace(nets=3 + inputs, groups=[group], rows=lambda _: np.array([0, 1]))
    state = Pairs(gates, len(lanes))
    for at in range(inputs):
        for pair in range(4):
            bits = np.array([[lane[at][pair] for lane in lanes]], dtype=bool)
            state.can[pair, 2 + at] = pack(bits)
    state.settle()
    for at, lane in enumerate(lanes):
        made = {
            2 * function(*(pair // 2 for pair in pairs)) + function(*(pair % 2 for pair in pairs))
            for pairs in product(*([p for p in range(4) if each[p]] for each in lane))
        }
        found = {p for p in range(4) if unpack(state.can[p, -1:], len(lanes))[0, at]}
        assert found == made
