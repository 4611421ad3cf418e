# SPDX-License-Identifier: Apache-2.0
"""``orup``: high-radix multiplication with quotient pipelining (Orup 1995)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from montforge.arch.base import Core, Values
from montforge.arch.citations import ORUP_1995
from montforge.arch.corners import legal, pairs
from montforge.arch.multiplier import montgomery_contract, reduction, scaled_field, unit_multiple
from montforge.arch.parameter import integer, number
from montforge.arch.unit_csa import ACCUMULATOR_FILES, CONVERT_CYCLES, group_field
from montforge.contract import Bound, Contract, Cycles, Encoding, ModulusRule


@dataclass(frozen=True)
class Orup(Core):
    """Radix 2^k with nonnegative digits: a quotient digit is used d steps after it was found."""

    name = "orup"
    title = "High-radix Montgomery multiplier with quotient pipelining (Orup 1995)"
    family = "unit"
    citation = ORUP_1995.at("quotient pipelining; rows and conversion are ours")
    digit: int = integer("bits of a digit, k", 8, minimum=1, maximum=24, rtl="DigitW")
    delay: int = number(
        "steps from a quotient digit to its use, d", 1, (0, 1, 2), rtl="QuotientDelay"
    )
    group: int = group_field()
    library = ("prim/mf_one_hot_mux.sv", *ACCUMULATOR_FILES, "unit/mf_orup.sv")
    formulas = (
        ("k, d, L", "digit; delay; k (d + 1), the bits of the scale"),
        ("m", "ceil((width + L + 2) / k) digits of an operand"),
        ("R", "2^(k m)"),
        ("latency", "m + d + 5: m + d + 1 steps, a cycle before them, three of the conversion"),
        ("interval", "latency + 2 cycles"),
        ("n-bar", "(n n' + 1) / 2^L, n' = -n^-1 mod 2^L, 0 < n' < 2^L"),
        ("adder rows", "2 (floor(k / 2) + 1), as many multiples"),
    )
    errata = (
        "The paper's bound of operands and result is 2 M~ = 2 n n', which depends on n'; 2^(L+1) n,"
        " its largest value, is closed as well.",
        "Nonnegative digits are Booth-recoded one by one: an even k has one row more than a k that"
        " is less by one.",
    )

    @cached_property
    def parallel_contract(self) -> Contract:
        """The contract: 0 <= x < 2^(L+1) n, fixed latency."""
        scale = self._scale
        return montgomery_contract(
            self,
            r=1 << self._quotient_bits,
            modulus=ModulusRule(self.width),
            operand=(Encoding("binary", self.width + scale + 1), Bound(2 << scale)),
            constants=(scaled_field(self.width, scale, signed=False),),
            takes_modulus=False,
            latency=Cycles.fixed(self._digits + self.delay + 2 + CONVERT_CYCLES),
        )

    def golden_model(self, a: int, b: int, n: int) -> int:
        """Return (a b + M~ Q) / 2^(k m), M~ = n n', with the Q that makes it an integer."""
        return reduction(a * b, unit_multiple(n, self._scale), 1 << self._quotient_bits)

    def corner_values(self) -> Iterator[Values]:
        """Yield operands at the bound and ones with extreme digits, for moduli of each kind."""
        k = self.digit
        scale = self._scale
        top, bits = 1 << self.width, self.width + scale + 1
        halves = sum(1 << i for i in range(k - 1, bits, k))  # each digit 2^(k-1): a negative term
        ones = sum(0xFFFF << i for i in range(0, bits, 24))  # carries through groups
        moduli = (top - 1, top - 3, (top >> 1) + 1, top // 3 | 1, 3, 5)
        for n in legal(self.parallel_contract, moduli):
            bound = n << (scale + 1)
            values = {0, 1, n - 1, n, bound - 1, bound >> 1, (1 << (k - 1)) % n}
            values |= {halves % bound, (halves >> 1) % bound, ones % bound, (bound >> 1) - 1}
            yield from pairs(n, bound, values)

    @property
    def _scale(self) -> int:
        """L, the bits by which the modulus is scaled."""
        return self.digit * (self.delay + 1)

    @property
    def _digits(self) -> int:
        """The number m of digits of an operand."""
        return -(-(self.width + self._scale + 2) // self.digit)

    @property
    def _quotient_bits(self) -> int:
        return self.digit * self._digits
