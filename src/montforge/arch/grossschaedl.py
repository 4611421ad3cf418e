# SPDX-License-Identifier: Apache-2.0
"""``grossschaedl``: radix-2 carry-save multiplication with a digit adder at the end."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from montforge.arch.base import Core, Values
from montforge.arch.citations import GROSSSCHAEDL_2009
from montforge.arch.corners import lazy_corners
from montforge.arch.eberle import LAZY, SUBTRACT, reduction_field
from montforge.arch.multiplier import montgomery_contract, reduction
from montforge.arch.parameter import integer
from montforge.contract import Bound, Contract, Cycles, Encoding, ModulusRule


@dataclass(frozen=True)
class Grossschaedl(Core):
    """A bit of a in each cycle against the whole of b and n, two rows of full adders."""

    name = "grossschaedl"
    title = "Radix-2 carry-save Montgomery multiplier with a digit adder (Grossschaedl 2009)"
    family = "digit"
    citation = GROSSSCHAEDL_2009
    digit: int = integer("bits of the digit adder", 32, minimum=1, maximum=1024)
    reduction: str = reduction_field()
    library = ("prim/mf_full_adder_row.sv", "digit/mf_grossschaedl.sv")
    formulas = (
        ("R", "2^(width + 2) (lazy), 2^width (subtract)"),
        ("latency", "iterations + ceil((width + 1) / digit); iterations = log2(R)"),
        ("interval", "latency + 2 cycles"),
        (
            "adders",
            "two rows of full adders; one adder, and for subtract one subtractor, of a digit",
        ),
    )
    errata = (
        "Grale and Swartzlander's n + k cycles ignore the result's bit beyond the width: the sum"
        " has ceil((n + 1) / d) digits.",
        'Their "final digit multiplier" is the digit adder.',
        "subtract: n is subtracted beside the addition, digit by digit, in no extra cycle.",
    )

    @cached_property
    def parallel_contract(self) -> Contract:
        """The contract: operands and results below 2n (lazy) or n."""
        lazy = self.reduction == LAZY
        latency = self._iterations - (-(self.width + 1) // self.digit)
        return montgomery_contract(
            self,
            r=1 << self._iterations,
            modulus=ModulusRule(self.width),
            operand=(Encoding("binary", self.width + lazy), Bound(1 + lazy)),
            latency=Cycles.fixed(latency),
        )

    @property
    def top_parameters(self) -> dict[str, int]:
        """The integers, and whether the reduction is lazy."""
        return super().top_parameters | {"Lazy": int(self.reduction == LAZY)}

    def golden_model(self, a: int, b: int, n: int) -> int:
        """Return the sum after the last bit of a, less n where it is subtracted."""
        s = reduction(a * b, n, 1 << self._iterations)
        return s - n if self.reduction == SUBTRACT and s >= n else s

    def corner_values(self) -> Iterator[Values]:
        """Yield words of ones (the top carries) and results at the edge of the subtraction."""
        return lazy_corners(self.parallel_contract, self.digit)

    @property
    def _iterations(self) -> int:
        return self.width + (2 if self.reduction == LAZY else 0)
