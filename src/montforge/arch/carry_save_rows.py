# SPDX-License-Identifier: Apache-2.0
"""Rows of full and half adders on Python integers, for the cycle models."""

from __future__ import annotations

CarrySavePair = tuple[int, int]


def full_adder_row(s: int, c: int, x: int) -> CarrySavePair:
    """Return sum and carry vectors of a row of full adders; their sum is ``s + c + x``."""
    half = s ^ c
    return half ^ x, ((s & c) | (half & x)) << 1


def half_adder_row(s: int, c: int) -> CarrySavePair:
    """Return sum and carry vectors of a row of half adders; their sum is ``s + c``."""
    return s ^ c, (s & c) << 1


def double_half_adder_row(s: int, c: int) -> CarrySavePair:
    """Return sum and carry vectors of two half-adder rows in series ("2H_CSA")."""
    return half_adder_row(*half_adder_row(s, c))
