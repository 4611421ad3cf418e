# SPDX-License-Identifier: Apache-2.0
"""``barrett``: plain modular multiplication with truncated products (Barrett 1986)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from montforge.arch.base import Citation, Core, Values
from montforge.arch.corners import legal, pairs
from montforge.arch.multiplier import TRUNCATED_PRODUCT, montgomery_contract
from montforge.arch.parameter import integer
from montforge.contract import Bound, Contract, Cycles, Encoding, Field, ModulusRule, Reciprocal
from montforge.functions import ModularProduct

BARRETT_1986 = Citation(
    authors="P. Barrett",
    title="Implementing the Rivest Shamir and Adleman Public Key Encryption Algorithm on a"
    " Standard Digital Signal Processor",
    venue="CRYPTO '86",
    year=1986,
)

FACTOR_BITS = 5
"""Bits of mu, and of the factor of mu, beyond the width."""
POWER = FACTOR_BITS - 1
"""The exponent of the power of 2 that mu is a part of, less two widths."""
LOW, POINT = -3, 7
"""The bits of T that are left out, and the fraction of q, less the width."""


@dataclass(frozen=True)
class Barrett(Core):
    """Three products, one a stage: T whole, q its high columns, q n its low ones."""

    name = "barrett"
    title = "Barrett multiplier with truncated products, pipelined"
    family = "full"
    citation = BARRETT_1986.at("stages and truncation are ours")
    width: int = integer("bits of the modulus", 256, minimum=3, maximum=576)
    library = (
        *TRUNCATED_PRODUCT,
        "full/mf_barrett.sv",
    )
    formulas = (
        ("R", "1: operands and result are plain residues"),
        ("mu", "floor(2^(2 width + 4) / n)"),
        ("q", "floor(floor(a b / 2^(width - 3)) mu / 2^(width + 7)), without its lowest columns"),
        (
            "columns",
            "of q's product those below width + 5 - ceil(log2(floor((width + 5) / 2) + 1)), of q n"
            " those above width are left out",
        ),
        ("latency", "3 cycles: T, q, T - q n"),
        ("interval", "1 cycle; up to four requests are under way"),
    )
    errata = (
        "Barrett subtracts n up to twice; with three more bits of T and of mu the result is below"
        " 2n, which is a legal operand.",
        "The modulus has exactly width bits, as in the paper: mu has then width + 5.",
    )

    @cached_property
    def parallel_contract(self) -> Contract:
        """The contract: plain residues, operands and results below 2n."""
        width, power = self.width, 2 * self.width + POWER
        mu = f"floor(2^{power} / n)"
        return montgomery_contract(
            self,
            r=1,
            modulus=ModulusRule(width, minimum=(1 << width - 1) + 1, even=True),
            operand=(Encoding("binary", width + 1), Bound(2)),
            constants=(Field.constant("mu", width + FACTOR_BITS, mu, Reciprocal(power)),),
            latency=Cycles.fixed(3),
            interval=Cycles.fixed(1),
            function=ModularProduct(),
        )

    def golden_model(self, a: int, b: int, n: int) -> int:
        """Return a b - q n, with the q that the kept columns give."""
        width = self.width
        t, mu = a * b, self.modulus_constants(n)["mu"]
        factor, bits = t >> (width + LOW), width + FACTOR_BITS
        lost = _lost_columns(mu, factor, bits, _cut(width))
        return t - ((factor * mu - lost) >> (width + POINT)) * n

    def corner_values(self) -> Iterator[Values]:
        """Yield products at multiples of n, where q is off by one most easily, and the bounds."""
        top = 1 << self.width
        moduli = {top - 1, top - 2, (top >> 1) + 1, (top >> 1) + 2, top * 2 // 3, top * 5 // 7 | 1}
        for n in legal(self.parallel_contract, moduli):
            half = 1 << (self.width // 2)
            values = {0, 1, 2, n - 1, n, n + 1, 2 * n - 1, 2 * n - 2, half, half - 1, n - half}
            values |= {n // half, 2 * n // half + 1, top >> 1, 0x5555 % n, n // 3, 2 * n // 3}
            yield from pairs(n, 2 * n, values)


def _cut(width: int) -> int:
    """Return the number of columns of q's product that are left out."""
    rows = (width + FACTOR_BITS) // 2 + 1
    return width + POINT - 2 - (rows - 1).bit_length()


def _lost_columns(x: int, y: int, bits: int, cut: int) -> int:
    """Return the sum of the columns below ``cut`` of the Booth rows of ``x`` times ``y``.

    Row r has the term -2 to 2 of y times x at 4^r, complemented where it is negative, and the
    one that completes the row below it. Signs are above ``bits``, where nothing is cut.
    """
    ones, lost, negative = (1 << (bits + 1)) - 1, 0, 0
    for r in range(bits // 2 + 1):
        digit = (y << 1) >> (2 * r) & 7
        term = (digit + 1) // 2 - 4 * (digit >> 2)
        row = ((abs(term) * x) ^ (ones if term < 0 else 0)) << (2 * r)
        row += negative << (2 * r - 2) if r else 0
        negative = term < 0
        lost += row % (1 << cut)
    return lost
