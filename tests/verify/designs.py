# SPDX-License-Identifier: Apache-2.0
"""Designs that exist for the tests: a pipelined one, and one with a load phase."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from montforge.arch.mm_r2 import MmR2
from montforge.contract import Contract, Cycles, Load


@dataclass(frozen=True)
class Pipeline(MmR2):
    """``pipeline.sv``: R = 1, two cycles, a request every cycle."""

    name = "pipeline"
    module = "pipeline"
    library = (str(Path(__file__).with_name("pipeline.sv")),)

    @cached_property
    def parallel_contract(self) -> Contract:
        """The contract of an elastic pipeline."""
        return replace(
            super().parallel_contract,
            r=1,
            latency=Cycles.fixed(2),
            handover=0,
            interval=Cycles.fixed(1),
        )

    def golden_model(self, a: int, b: int, n: int) -> int:
        """Return a * b mod n."""
        return a * b % n

    def cycle_model(self, a: int, b: int, n: int) -> int:
        """Return 2."""
        return 2


PIPELINE = Pipeline(width=8)


@dataclass(frozen=True)
class Loaded(Pipeline):
    """``loaded.sv``: R = 1, the modulus comes in a load phase of three cycles."""

    name = "loaded"
    module = "loaded"
    library = (str(Path(__file__).with_name("loaded.sv")),)

    @cached_property
    def parallel_contract(self) -> Contract:
        """The contract of a core with a load phase."""
        return replace(
            super().parallel_contract,
            latency=Cycles.fixed(1),
            interval=Cycles.fixed(3),
            load=Load(("n",), Cycles.fixed(3)),
        )

    def cycle_model(self, a: int, b: int, n: int) -> int:
        """Return 1."""
        return 1


LOADED = Loaded(width=8)
