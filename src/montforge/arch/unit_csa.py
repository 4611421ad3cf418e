# SPDX-License-Identifier: Apache-2.0
"""``unit_csa``: carry-save multiplier of a scaled modulus whose quotient needs no product."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from montforge.arch.base import Values
from montforge.arch.carry_save_rows import COMPRESSOR_TREE
from montforge.arch.checked import Checked
from montforge.arch.citations import ORUP_1995
from montforge.arch.corners import legal, pairs
from montforge.arch.multiplier import (
    centred,
    centred_reduction,
    montgomery_contract,
    negative_inverse,
    scaled_field,
)
from montforge.arch.parameter import choice, integer, number, silent_number
from montforge.contract import Bound, Contract, Cycles, Derivation, Encoding, Field, ModulusRule
from montforge.hardware.check import Tap

CONVERT_CYCLES = 3
"""Sums of groups, carries between groups, groups plus carries: of `mf_group_converter`."""
SCALED, SIGNED, NONNEGATIVE = "scaled", "signed", "nonnegative"

ACCUMULATOR_FILES = (
    *COMPRESSOR_TREE,
    "prim/mf_carry_lookahead.sv",
    "prim/mf_group_converter.sv",
    "booth/mf_booth_pkg.sv",
    "booth/mf_booth_recoder.sv",
    "booth/mf_booth_multiple.sv",
    "unit/mf_unit_rows.sv",
    "unit/mf_unit_product.sv",
    "unit/mf_unit_accumulator.sv",
)
"""The accumulator of the family, and the conversion of its pair."""
_BLOCKS = (*ACCUMULATOR_FILES, "unit/mf_unit_exact_quotient.sv", "unit/mf_unit_csa_core.sv")


def group_field() -> int:
    """Return the field of the groups in which pairs of the family are made binary."""
    return integer(
        "bits of a group of the conversion to binary", 8, minimum=4, maximum=64, rtl="GroupW"
    )


@dataclass(frozen=True)
class UnitCsa(Checked):
    """Radix 2^w: the quotient digit is the lowest digit of the pair, used ``delay`` - 1 later."""

    name = "unit_csa"
    title = "Carry-save Montgomery multiplier of a unit modulus with late quotient digits"
    family = "unit"
    citation = ORUP_1995.at("quotient without a product, delayed; the form is ours")
    digit: int = integer("bits of a digit, w", 8, minimum=2, maximum=24, rtl="DigitW")
    delay: int = number(
        "cycles from a digit of the accumulator to the multiple that it adds: 3 has a shorter"
        " period and two cycles more",
        2,
        (2, 3),
    )
    result: str = choice(
        "scaled: operands and result below 2^(L-1) n; signed: |p| < n, by an exact tail;"
        " nonnegative: and n is added to a negative result",
        SCALED,
        (SCALED, SIGNED, NONNEGATIVE),
    )
    group: int = group_field()
    overlap: int = number(
        "1: the next request is accepted before the conversion, which has a result register of"
        " its own; not with nonnegative",
        0,
        (0, 1),
    )
    region: int = silent_number(
        "columns of the accumulator with select registers of their own, so that wires are short;"
        " with delay=3; 0: one register for all columns",
        (16, 32, 64, 128, 256),
        rtl="RegionW",
    )
    library = (*_BLOCKS, "unit/mf_unit_csa.sv", "unit/mf_unit_csa_exact.sv")
    formulas = (
        ("w, L", "digit; digit delay, the bits of the scale"),
        (
            "K",
            "ceil((width + L) / w) quotient digits; not scaled: the most of 1,"
            " ceil((width + 2 - L) / w) and ceil((width + 1) / w) - delay",
        ),
        ("R", "2^(w K); not scaled: 2^(w K + L)"),
        (
            "latency",
            "K + delay + 3; signed: K + 2 delay + 5; nonnegative: K + 2 delay + 7; overlap: 1 more",
        ),
        ("interval", "latency + 2 cycles; overlap: latency - 3"),
        ("n-bar", "(n n' + 1) / 2^L, n' = -n^-1 mod 2^L, -2^(L-1) <= n' < 2^(L-1)"),
        ("adder rows", "2 ceil(w / 2), 2 ceil(w / 2) multiples"),
        ("pair", "width + L + w + 1 bits; not scaled: width + L + 2"),
    )
    errata = (
        "Orup's result is reduced modulo n after the loop; here operands may grow by the scale,"
        " so that results are operands without a correction.",
    )

    def check(self) -> None:
        """Raise ParameterError for values that are legal alone but not together.

        A digit of 2 bits has no exact result, overlap no n to add, and regions take a third cycle.
        A check needs digits of one operation that are multiplied by one modulus.
        """
        if self.residue and (self.result != SCALED or self.overlap):
            reason = f"is legal with result = {SCALED} and overlap = 0 alone"
            raise self.illegal("check", reason, 0)
        if self.result == NONNEGATIVE and self.overlap:
            reason = f"is not legal with result = {NONNEGATIVE}, which is converted twice"
            raise self.illegal("overlap", reason, 0)
        if self.region and self.delay != 3:
            reason = f"is not legal with delay = {self.delay}: the copies take the third cycle"
            raise self.illegal("region", reason, 0)
        if self.result != SCALED and self.digit == 2:
            reason = f"is not legal with result = {self.result}: only {SCALED} takes 2 bits"
            raise self.illegal("digit", reason, 3)

    @property
    def files(self) -> tuple[str, ...]:
        """The blocks and the one top: with the exact tail or without."""
        exact = "_exact" * (self.result != SCALED)
        return (*_BLOCKS, f"unit/mf_unit_csa{exact}.sv")

    @cached_property
    def parallel_contract(self) -> Contract:
        """The contract: two's complement, |x| < 2^(L-1) n or n, fixed latency."""
        width, scale = self.width, self._scale
        kind = self.result
        scaled = scaled_field(width, scale, signed=True)
        inverse = Field.constant(
            "n_inverse", scale, f"-n^-1 mod 2^{scale}", Derivation("inverse", scale, signed=True)
        )
        number = Encoding("binary", width + (scale if kind == SCALED else 1), signed=True)
        bound = Bound(1 << (scale - 1) if kind == SCALED else 1, signed=True)
        result = (Encoding("binary", width), Bound(1)) if kind == NONNEGATIVE else (number, bound)
        convert = CONVERT_CYCLES if self.overlap else CONVERT_CYCLES - 1
        tail = {SCALED: 0, SIGNED: self.delay + 2, NONNEGATIVE: self.delay + 2 + convert}
        latency = self.quotient_digits + self.delay + 1 + convert + tail[kind]
        return montgomery_contract(
            self,
            r=1 << (self._quotient_bits + (0 if kind == SCALED else scale)),
            modulus=ModulusRule(width),
            operand=(number, bound),
            result=result,
            constants=(scaled,) if kind == SCALED else (scaled, inverse),
            takes_modulus=kind != SCALED,
            latency=Cycles.fixed(latency),
            interval=Cycles.fixed(latency - convert if self.overlap else latency + 2),
        )

    @property
    def tap(self) -> Tap:
        """The digits q(0) = 0 to q(K), each in the cycle in which it is found."""
        return Tap(
            ("mf_unit_csa", "mf_unit_csa_core"),
            valid="q_valid_q",
            digit="q",
            gap=self.delay + 2,
            p_shift=self._quotient_bits + self.digit,
            ab_shift=self.digit,
            modulus="n_scaled",
            n_shift=self._scale,
            n_add=-1,
            n_signed=True,
            bits=self.digit,
            signed=True,
            levels=3,
        )

    @property
    def top_parameters(self) -> dict[str, int]:
        """The integers; with the exact tail also whether n is added to a negative result."""
        exact = {"Nonnegative": int(self.result == NONNEGATIVE)}
        return super().top_parameters | (exact if self.result != SCALED else {})

    def golden_model(self, a: int, b: int, n: int) -> int:
        """Return (a b + N Q) / 2^(w K) with N = n n' and the centred Q that makes it an integer.

        The digits of Q are signed, and the transfer of the last one is added to the result, so that
        Q is in [-2^(w K - 1), 2^(w K - 1)). The exact tail divides by 2^L in the same way, with n.
        """
        bits, scale = self._quotient_bits, self._scale
        inverse = negative_inverse(n, scale)
        value = centred_reduction(a * b, n * inverse, bits)
        if self.result == SCALED:
            return value
        value = (value + n * centred(value * inverse, scale)) >> scale
        return value + n if value < 0 and self.result == NONNEGATIVE else value

    def corner_values(self) -> Iterator[Values]:
        """Yield operands at both bounds and ones with extreme digits, for moduli of each kind."""
        w = self.digit
        scaled = self.result == SCALED
        top, bits = 1 << self.width, self.width + (self._scale if scaled else 1)
        halves = sum(1 << i for i in range(w - 1, bits, w))  # each digit -2^(w-1), or 1 - 2^(w-1)
        ones = sum(0xFFFF << i for i in range(0, bits, 24))
        moduli = (top - 1, top - 3, (top >> 1) + 1, top // 3 | 1, 3, 5)
        for n in legal(self.parallel_contract, moduli):
            bound = n << (self._scale - 1) if scaled else n
            values = {0, 1, n - 1, n, bound - 1, bound >> 1, (1 << (w - 1)) % n}
            values |= {halves % bound, 2 * halves % bound, ones % bound}
            yield from pairs(n, bound, values, signed=True)

    @property
    def _scale(self) -> int:
        """L, the bits by which the modulus is scaled."""
        return self.digit * self.delay

    @property
    def quotient_digits(self) -> int:
        """K, the digits of the quotient."""
        scale = self._scale
        w = self.digit
        if self.result == SCALED:
            return -(-(self.width + scale) // w)
        return max(1, -(-(self.width + 2 - scale) // w), -(-(self.width + 1) // w) - self.delay)

    @property
    def _quotient_bits(self) -> int:
        return self.digit * self.quotient_digits
