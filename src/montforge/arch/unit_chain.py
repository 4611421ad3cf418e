# SPDX-License-Identifier: Apache-2.0
"""``unit_chain``: multiplier of a scaled modulus whose adders are words on FPGAs' carry chains."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from montforge.arch.base import Core, Values
from montforge.arch.citations import ORUP_1995
from montforge.arch.corners import legal, pairs
from montforge.arch.multiplier import montgomery_contract, reduction, scaled_field, unit_multiple
from montforge.arch.parameter import choice, integer, number
from montforge.contract import Bound, Contract, Cycles, Encoding, ModulusRule

GENERIC, ECP5 = "generic", "ecp5"


@dataclass(frozen=True)
class UnitChain(Core):
    """Radix 2^w: rows of bits of both digits, added in pipelined words with saved carries."""

    name = "unit_chain"
    title = "Montgomery multiplier of a unit modulus in words on carry chains, without DSP blocks"
    family = "unit"
    citation = ORUP_1995.at("quotient without a product, delayed; schedule and form are ours")
    digit: int = number("bits of a digit, w", 4, (2, 4, 8, 16), rtl="DigitW")
    chain: int = integer(
        "bits of a word, whose adders are each on a carry chain: a multiple of digit, at least"
        " (log2(digit) + 1) times it",
        16,
        minimum=4,
        maximum=256,
        rtl="WordW",
    )
    adder: str = choice(
        "generic (behavioural) or ecp5 (Lattice CCU2C, whose tables make the adders' operands)",
        GENERIC,
        (GENERIC, ECP5),
        rtl="Block",
    )
    library = (
        "prim/lattice/CCU2C.sv",
        "prim/lattice/mf_chain_adder_ecp5.sv",
        "prim/mf_chain_adder.sv",
        "prim/mf_carry_lookahead.sv",
        "unit/mf_unit_chain.sv",
    )
    formulas = (
        ("w, v, L", "digit; log2(digit); w (v + 2)"),
        ("K", "ceil((width + L + 2) / w) quotient digits"),
        ("R", "2^(w K)"),
        ("latency", "K + chain / w + 2 v + 8"),
        ("interval", "latency + 2 cycles"),
        ("n-bar", "(n n' + 1) / 2^L, n' = -n^-1 mod 2^L, 0 < n-bar <= n"),
        ("adders", "2 w of about width + L bits, in words of chain bits"),
    )
    errata = (
        "Orup's result is reduced modulo n after the loop; here operands may grow by the scale,"
        " so that results are operands without a correction.",
    )

    def check(self) -> None:
        """Raise ParameterError for words that are no multiple of the digit, or too short."""
        w, fewest = self.digit, self.digit * (self._levels + 1)
        if self.chain % w or self.chain < fewest:
            reason = f"must be a multiple of digit = {w}, at least {fewest}"
            raise self.illegal("chain", reason, max(fewest, -(-self.chain // w) * w))

    @cached_property
    def parallel_contract(self) -> Contract:
        """The contract: operands and result below 2^(L+1) n, fixed latency."""
        scale = self._scale
        number = (Encoding("binary", self.width + scale + 1), Bound(2 << scale))
        latency = self._digits + self.chain // self.digit + 2 * self._levels + 8
        return montgomery_contract(
            self,
            r=1 << self._quotient_bits,
            modulus=ModulusRule(self.width),
            operand=number,
            constants=(scaled_field(self.width, scale, signed=False),),
            takes_modulus=False,
            latency=Cycles.fixed(latency),
            interval=Cycles.fixed(latency + 2),
        )

    def golden_model(self, a: int, b: int, n: int) -> int:
        """Return (a b + N Q) / 2^(w K) with N = n n' and the Q >= 0 that makes it an integer."""
        return reduction(a * b, unit_multiple(n, self._scale), 1 << self._quotient_bits)

    def corner_values(self) -> Iterator[Values]:
        """Yield operands at the bound and ones with extreme digits and words, for all moduli."""
        w, m = self.digit, self.chain
        top, bits = 1 << self.width, self.width + self._scale + 1
        ones = sum(((1 << m) - 1) << i for i in range(0, bits, 2 * m))  # every other word
        digits = sum(((1 << w) - 1) << i for i in range(0, bits, 2 * w))
        moduli = (top - 1, top - 3, (top >> 1) + 1, top // 3 | 1, 3, 5)
        for n in legal(self.parallel_contract, moduli):
            bound = n << (self._scale + 1)
            values = {0, 1, n - 1, n, bound - 1, bound >> 1, (1 << m) - 1}
            values |= {ones % bound, (ones << m) % bound, digits % bound, (digits << w) % bound}
            yield from pairs(n, bound, {value % bound for value in values})

    @property
    def _levels(self) -> int:
        """v, the levels of adders that join the rows of a digit."""
        return self.digit.bit_length() - 1

    @property
    def _scale(self) -> int:
        """L, the bits by which the modulus is scaled."""
        return self.digit * (self._levels + 2)

    @property
    def _digits(self) -> int:
        """K, the digits of the quotient."""
        return -(-(self.width + self._scale + 2) // self.digit)

    @property
    def _quotient_bits(self) -> int:
        return self.digit * self._digits
