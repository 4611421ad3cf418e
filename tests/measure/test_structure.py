# SPDX-License-Identifier: Apache-2.0
"""Counts of the elaborated netlist."""

from __future__ import annotations

from montforge.arch import design
from montforge.measure.structure import structure


def test_scs_mm_new_is_what_figure_11_shows() -> None:
    found = structure(design("scs_mm_new", width=64))
    assert found.blocks["mf_ccsa"] == 70
    assert found.blocks["mf_operand_mux"] == 2 * 70
    assert found.blocks["mf_sm3"] == 70
    assert found.blocks["mf_skip_detector"] == 1
    # a, b: 66 bits; N-hat: 64; D-hat: 67; SS, SC: 70 each; control: 7 + 7 + 4 + 5 and the phase
    assert 403 <= found.registers <= 403 + 30


def test_the_width_takes_effect() -> None:
    small, large = structure(design("mm_r2", width=16)), structure(design("mm_r2", width=32))
    assert large.registers - small.registers == 4 * 16 + 1
