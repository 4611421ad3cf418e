# SPDX-License-Identifier: Apache-2.0
"""The engine of the demonstrations: keys of 1024 to 1032 bits, half a second an operation."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from montforge.rsa.parameters import engine_of
from montforge.rsa.simulation import AxiEngine, build

PARAMETERS = ("bits=1032", "core=mm_r2", "public=1")
"""Radix 2 has the fewest gates to simulate."""


@cache
def program() -> Path:
    return build(AxiEngine(engine_of(PARAMETERS)))
