# SPDX-License-Identifier: Apache-2.0
"""``walter``: radix-2 Montgomery multiplication that never subtracts n."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from importlib.resources import files

from montforge.arch.base import Citation, Core, Values
from montforge.arch.multiplier import montgomery_contract
from montforge.contract import Bound, Contract, Cycles, Encoding, ModulusRule


@dataclass(frozen=True)
class Walter(Core):
    """Two more iterations than bits keep operands and results below 2n."""

    name = "walter"
    title = "Radix-2 Montgomery multiplier without subtraction"
    family = "own"
    citation = Citation(
        "C. D. Walter",
        "Montgomery exponentiation needs no final subtractions",
        "Electronics Letters 35(21)",
        1999,
    )
    module = "walter"
    library = (str(files("own_architecture") / "walter.sv"),)
    formulas = (
        ("R", "2^(width + 2)"),
        ("latency", "width + 2 cycles: one for each bit of R"),
        ("interval", "width + 4 cycles"),
    )

    @cached_property
    def parallel_contract(self) -> Contract:
        """The contract: operands and result below 2n, R above 4n, fixed latency."""
        width = self.width
        lazy = (Encoding("binary", width + 1), Bound(2))
        return montgomery_contract(
            self,
            r=1 << (width + 2),
            modulus=ModulusRule(width),
            operand=lazy,
            latency=Cycles.fixed(width + 2),
        )

    def golden_model(self, a: int, b: int, n: int) -> int:
        """Return the sum after the last iteration."""
        s = 0
        for i in range(self.width + 2):
            s += (a >> i & 1) * b
            s = (s + (s & 1) * n) >> 1
        return s

    def corner_values(self) -> Iterator[Values]:
        """Yield the largest operands, whose sum needs all bits."""
        n = (1 << self.width) - 1
        yield 2 * n - 1, 2 * n - 1, n
        yield 1, 2 * n - 1, n
