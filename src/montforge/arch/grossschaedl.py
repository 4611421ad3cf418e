# SPDX-License-Identifier: Apache-2.0
"""``grossschaedl``: radix-2 carry-save multiplication with a digit adder at the end."""

from __future__ import annotations

from collections.abc import Iterator

from montforge.arch.base import WIDTH, Architecture, Parameter, Parameters, Values
from montforge.arch.citations import GROSSSCHAEDL_2009
from montforge.arch.corners import lazy_corners
from montforge.arch.eberle import LAZY, REDUCTION, SUBTRACT
from montforge.contract import Bound, Contract, Cycles, Encoding, ModulusRule
from montforge.functions import montgomery_contract


class Grossschaedl(Architecture):
    """A bit of a in each cycle against the whole of b and n, two rows of full adders."""

    name = "grossschaedl"
    title = "Radix-2 carry-save Montgomery multiplier with a digit adder (Grossschaedl 2009)"
    family = "digit"
    citation = GROSSSCHAEDL_2009
    parameters = (
        WIDTH,
        Parameter("digit", "bits of the digit adder", 32, minimum=1, maximum=1024),
        REDUCTION,
    )
    rtl_top = "mf_grossschaedl"
    rtl_files = ("prim/mf_full_adder_row.sv", "digit/mf_grossschaedl.sv")
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

    def contract(self, parameters: Parameters) -> Contract:
        """Return the contract: operands and results below 2n (lazy) or n."""
        width = parameters.integer("width")
        lazy = parameters["reduction"] == LAZY
        latency = _iterations(parameters) - (-(width + 1) // parameters.integer("digit"))
        operand = Encoding("binary", width + lazy)
        bound = Bound(2 if lazy else 1)
        return montgomery_contract(
            architecture=self.name,
            parameters=parameters.flat(),
            r=1 << _iterations(parameters),
            modulus=ModulusRule(width),
            operand=(operand, bound),
            result=(operand, bound),
            latency=Cycles.fixed(latency),
            handover=0,
            interval=Cycles.fixed(latency + 2),
        )

    def rtl_parameters(self, parameters: Parameters) -> dict[str, int]:
        """Return the top module's parameters."""
        return {
            "Width": parameters.integer("width"),
            "Digit": parameters.integer("digit"),
            "Lazy": int(parameters["reduction"] == LAZY),
        }

    def golden(self, parameters: Parameters, a: int, b: int, n: int) -> int:
        """Return the result, bit of a by bit of a."""
        s = 0
        for i in range(_iterations(parameters)):
            s += (a >> i & 1) * b
            s = (s + (s & 1) * n) >> 1
        return s - n if parameters["reduction"] == SUBTRACT and s >= n else s

    def cycles(self, parameters: Parameters, a: int, b: int, n: int) -> int:
        """Return the contract's latency, whatever the operands."""
        return self.contract(parameters).latency.minimum

    def corners(self, parameters: Parameters) -> Iterator[Values]:
        """Yield words of ones (the top carries) and results at the edge of the subtraction."""
        return lazy_corners(self.contract(parameters), parameters.integer("digit"))


def _iterations(parameters: Parameters) -> int:
    return parameters.integer("width") + (2 if parameters["reduction"] == LAZY else 0)
