# SPDX-License-Identifier: Apache-2.0
"""``bipartite``: both ends of an operand at the same time (Kaihara and Takagi 2005)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from montforge.arch.base import Core, Values
from montforge.arch.carry_save_rows import booth_rows, reduced
from montforge.arch.citations import KAIHARA_2005
from montforge.arch.corners import legal, pairs
from montforge.arch.multiplier import (
    centred,
    centred_reduction,
    montgomery_contract,
    negative_inverse,
    scaled_field,
)
from montforge.arch.parameter import integer
from montforge.arch.unit_csa import ACCUMULATOR_FILES, CONVERT_CYCLES, group_field
from montforge.contract import Bound, Contract, Cycles, Encoding, Field, ModulusRule, Residue

TOP_BITS = 3
"""Bits of a digit on top of the upper pair beyond those of a digit of a."""
CLEARED = 3
"""Quotient digits beyond the lower digits of a."""


@dataclass(frozen=True)
class Bipartite(Core):
    """Upper digits of a are reduced from the top, lower ones from the bottom, and joined."""

    name = "bipartite"
    title = "Bipartite Montgomery multiplier (Kaihara and Takagi 2005)"
    family = "unit"
    citation = KAIHARA_2005.at("operand in two parts; both reductions and their join are ours")
    digit: int = integer("bits of a digit, w", 8, minimum=3, maximum=24, rtl="DigitW")
    group: int = group_field()
    library = (
        "prim/mf_one_hot_mux.sv",
        *ACCUMULATOR_FILES,
        "unit/mf_bipartite_high.sv",
        "unit/mf_bipartite.sv",
    )
    formulas = (
        ("w, L", "digit; 2 digit, the bits of the scale"),
        ("A, B", "floor(ceil((width + L) / w) / 2) upper digits of a; A + 1 lower ones"),
        ("K", "B + 3 quotient digits of the lower half"),
        ("R", "2^(w K)"),
        ("latency", "B + 9: B + 5 steps, a cycle before them, three of the conversion"),
        ("interval", "latency + 2 cycles"),
        ("n-bar", "(n n' + 1) / 2^L, n' = -n^-1 mod 2^L, -2^(L-1) <= n' < 2^(L-1)"),
        ("fold", "2^(F + 2 w) mod n, F = width + L - 2"),
        ("adder rows", "3 ceil(w / 2) + ceil((w + 3) / 2), as many multiples"),
    )
    errata = (
        "The halves meet before the result is reduced: the rest of the upper one is a summand"
        " of the lower one, whose last steps reduce it.",
    )

    @cached_property
    def parallel_contract(self) -> Contract:
        """The contract: two's complement, |x| < 2^(L-1) n, fixed latency."""
        width, scale = self.width, self._scale
        number = Encoding("binary", width + scale, signed=True)
        return montgomery_contract(
            self,
            r=1 << self._quotient_bits,
            modulus=ModulusRule(width, minimum=(1 << (width - 1)) + 1),
            operand=(number, Bound(1 << (scale - 1), signed=True)),
            constants=(
                scaled_field(width, scale, signed=True),
                Field.constant(
                    "fold", width, f"2^{self._fold + scale} mod n", Residue(self._fold + scale)
                ),
            ),
            takes_modulus=False,
            latency=Cycles.fixed(self._lower + CLEARED + 3 + CONVERT_CYCLES),
        )

    def modulus_constants(self, n: int) -> dict[str, int]:
        """Return n-bar, as a bit pattern, and fold."""
        return super().modulus_constants(n) | {"fold": pow(2, self._fold + self._scale, n)}

    def golden_model(self, a: int, b: int, n: int) -> int:
        """Return (C + N Q) / 2^(w K), N = n n', with the centred Q that makes it an integer.

        C is the lower part of a times b, and a stand-in for the upper part's product: a number
        congruent to it that depends on how the pair of the upper half is split.
        """
        bits, scale = self._quotient_bits, self._scale
        low_bits = self.digit * self._lower
        upper = self.upper_half(a, b, n)
        product = centred(a, low_bits) * b + (upper << low_bits)
        return centred_reduction(product, n * negative_inverse(n, scale), bits)

    def corner_values(self) -> Iterator[Values]:
        """Yield operands at both bounds and ones with extreme digits, for moduli of each kind."""
        w = self.digit
        scale = self._scale
        top, bits = 1 << self.width, self.width + scale
        split = w * self._lower
        halves = sum(1 << i for i in range(w - 1, bits, w))  # each digit -2^(w-1), or 1 - 2^(w-1)
        ones = sum(0xFFFF << i for i in range(0, bits, 24))
        moduli = {top - 1, top - 3, (top >> 1) + 1, (top >> 1) + 3, top // 3 * 2 | 1, top * 5 // 7}
        for n in legal(self.parallel_contract, moduli):
            bound = n << (scale - 1)
            values = {0, 1, n, bound - 1, bound >> 1, halves % bound, 2 * halves % bound}
            values |= {ones % bound, (1 << split) - 1, 1 << (split - 1), 1 << split}
            yield from pairs(n, bound, values, signed=True)

    def upper_half(self, a: int, b: int, n: int) -> int:
        """Return Z + h 2^(F+w), congruent to b times the upper digits of ``a``, after the last one.

        Of the pair the part below column F is kept, shifted by a digit; the sum of the parts above
        is h, whose multiple of fold is added a step later. The rows are those of
        `mf_compressor_tree`, since h depends on the pair and not on its sum alone.
        """
        w, column = self.digit, self._fold
        bits, mask = column + w + TOP_BITS, (1 << column) - 1
        fold = pow(2, column + self._scale, n)
        s = c = late = 0
        for i in reversed(range(self._lower, self._lower + self._upper)):
            rows, ones = booth_rows(b, self.width + self._scale, a >> (w * i - 1), w, bits)
            if len(rows) > 2:
                rows, ones = reduced(rows, ones[:-2], bits), ones[-2:]
            late_rows, late_ones = booth_rows(fold, self.width + 1, late << 1, w + TOP_BITS, bits)
            late = self._top(s, c)
            early = ((s & mask) << w, (c & mask) << w, *rows)
            s, c = reduced((*early, *late_rows), late_ones + ones, bits, len(late_rows), 4)
        h = self._top(s, c)
        return (s & mask) + (c & mask) + (h << column) + (late << (column + w))

    def _top(self, s: int, c: int) -> int:
        """Return h, the sum of the parts of a pair above column F."""
        column = self._fold
        return centred((s >> column) + (c >> column), self.digit + TOP_BITS)

    @property
    def _scale(self) -> int:
        """L, the bits by which the modulus is scaled."""
        return 2 * self.digit

    @property
    def _fold(self) -> int:
        """F, the column of the upper half above which a digit stands."""
        return self.width + self._scale - 2

    @property
    def _upper(self) -> int:
        """A, the upper digits of a."""
        return -(-(self.width + self._scale) // self.digit) // 2

    @property
    def _lower(self) -> int:
        """B, the lower digits of a."""
        return self._upper + 1

    @property
    def _quotient_bits(self) -> int:
        return self.digit * (self._lower + CLEARED)
