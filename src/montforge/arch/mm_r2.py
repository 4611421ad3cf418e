# SPDX-License-Identifier: Apache-2.0
"""``mm_r2``: the radix-2 algorithm MM of Kuang 2016, Fig. 1, with carry-propagate addition."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from montforge.arch.base import Core, Values
from montforge.arch.citations import KUANG_2016
from montforge.arch.multiplier import montgomery_contract
from montforge.contract import Bound, Contract, Cycles, Encoding, ModulusRule


@dataclass(frozen=True)
class MmR2(Core):
    """Radix-2 Montgomery multiplication with a full-width carry-propagate adder."""

    name = "mm_r2"
    title = "Radix-2 Montgomery multiplier with carry-propagate addition (MM)"
    family = "carry_save"
    citation = KUANG_2016.at("Fig. 1")
    module = "mf_mm_r2"
    library = ("carry_save/mf_mm_r2.sv",)
    formulas = (
        ("R", "2^width"),
        ("latency", "width + 1 cycles: width iterations and the final subtraction"),
        ("interval", "width + 3 cycles"),
        ("adders", "two of width + 2 bits for the iteration, one for the subtraction"),
        ("registers", "4 width + 1 bits, counter and state"),
    )
    errata = (
        'The paper writes "R = 2^k mod N"; R is 2^k (only R^-1 mod N matters).',
        "Step 6 subtracts only if S >= N. Here the subtraction is always executed and its borrow"
        " selects the result, so that the time does not depend on data.",
    )

    @cached_property
    def parallel_contract(self) -> Contract:
        """The contract: R = 2^width, operands and result below n, fixed latency."""
        width = self.width
        return montgomery_contract(
            self,
            r=1 << width,
            modulus=ModulusRule(width),
            operand=(Encoding("binary", width), Bound(1)),
            latency=Cycles.fixed(width + 1),
        )

    def golden_model(self, a: int, b: int, n: int) -> int:
        """Return p of Fig. 1, iteration by iteration."""
        s = 0
        for i in range(self.width):
            a_i = a >> i & 1
            q_i = (s + a_i * b) & 1
            s = (s + a_i * b + q_i * n) >> 1
        return s - n if s >= n else s

    def corner_values(self) -> Iterator[Values]:
        """Yield operations at the edges of the subtraction and of the sum's width."""
        width = self.width
        for n in ((1 << width) - 1, (1 << width) - 3, (1 << (width - 1)) + 1, 3):
            r = 1 << width
            inverse = pow(r % n, -1, n)
            yield n - 1, n - 1, n
            yield 0, n - 1, n
            yield 1, r % n, n
            yield n - 1, 1, n
            yield inverse, r * r % n, n
