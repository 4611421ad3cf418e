# SPDX-License-Identifier: Apache-2.0
"""``scs_mm_skip``: SCS-MM-New for every odd modulus, with up to three skipped additions a cycle."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

from montforge.arch.base import Values
from montforge.arch.carry_save_rows import (
    double_half_adder_row,
    full_adder_row,
    half_adder_row,
    settled,
)
from montforge.arch.checked import Checked
from montforge.arch.citations import KUANG_2016
from montforge.arch.corners import skipping_corners
from montforge.arch.multiplier import montgomery_contract, reduction
from montforge.arch.parameter import number
from montforge.contract import Bound, Contract, Cycles, Derivation, Encoding, Field, ModulusRule
from montforge.hardware.check import Tap

DATAPATH = ("prim/mf_one_hot_mux.sv", "carry_save/mf_ccsa.sv", "carry_save/mf_scs_datapath.sv")


@dataclass(frozen=True)
class EvenConstant(Checked):
    """Base of scs_mm_skip and scs_mm_ct: N-hat = n + 1, R = 2^(width + 2), operands below 2n."""

    family = "carry_save"
    citation = KUANG_2016.at("Fig. 10 to 12, which this design builds on")
    handover: ClassVar[int] = 0
    """Cycles from the result to rsp_valid_o."""

    @property
    @abstractmethod
    def latency(self) -> Cycles:
        """The bounds of the latency."""

    @property
    @abstractmethod
    def operand_shift(self) -> int:
        """The zeros below b in B-hat."""

    @cached_property
    def parallel_contract(self) -> Contract:
        """The contract: closed below 2n for every odd modulus."""
        width = self.width
        return montgomery_contract(
            self,
            r=1 << width + 2,
            modulus=ModulusRule(width),
            operand=(Encoding("binary", width + 1), Bound(2)),
            constants=(Field.constant("n_hat", width + 1, "n + 1", Derivation("raised", 1)),),
            takes_modulus=False,
            latency=self.latency,
            handover=self.handover,
        )

    def golden_model(self, a: int, b: int, n: int) -> int:
        """Return ``(a b + m n) / R`` with ``m = -a b n^-1 mod R``.

        The loop adds multiples of n and halves; the zeros below b make as many quotient digits 0,
        so the other log2(R) digits are m, which is unique.
        """
        return reduction(a * b, n, 1 << self.width + 2)

    def corner_values(self) -> Iterator[Values]:
        """Yield the corners of multipliers that skip additions."""
        return skipping_corners(self, self.operand_shift)


@dataclass(frozen=True)
class ScsMmSkip(EvenConstant):
    """Carries of skipped places are kept, so that every addition of 0 can be skipped."""

    name = "scs_mm_skip"
    title = (
        "Semi-carry-save Montgomery multiplier with configurable adder and up to three skips a"
        " cycle, for every odd modulus"
    )
    handover = 2  # the zero carry vector is seen a cycle after the result, and registered
    skips: int = number("additions that can be skipped in a cycle", 1, (1, 2, 3))
    library: ClassVar[tuple[str, ...]] = (
        *DATAPATH,
        "prim/mf_zero_detector.sv",
        "carry_save/mf_multiplier_window.sv",
        "carry_save/mf_skip_lookahead.sv",
        "carry_save/mf_scs_mm_skip.sv",
    )
    formulas: ClassVar[tuple[tuple[str, str], ...]] = (
        ("R", "2^(width + 2)"),
        ("N-hat", "n + 1"),
        ("D-hat", "2^(skips + 2) b + N-hat"),
        ("latency", "load + resolve + loop + convert, the last three data dependent"),
        ("load", "2: B-hat, then B-hat + N-hat as a carry-save pair"),
        ("resolve", "1 + ceil(L / 2), L half-adder rows to add that pair"),
        ("loop", "width + skips + 5, less one for each skipped addition"),
        ("convert", "max(1, ceil(L / 2)), L half-adder rows to add the final pair"),
        ("average latency", "about 0.80, 0.762, 0.753 width + 15 cycles for 1, 2, 3 skips"),
        ("interval", "latency + 4 cycles"),
    )
    errata: ClassVar[tuple[str, ...]] = (
        "N-hat = n + 1 for every odd n instead of a multiple of 4, so that the design is closed for"
        " operands below 2n, for n mod 4 = 1, too. Bit 1 of N-hat takes part in the search"
        " for the next quotient digits.",
        "A place that is skipped with a 1 in both vectors leaves a carry, which enters the adder"
        " row at bit 0 of its third operand. The paper can't skip there.",
        "B-hat has a zero more for each addition that can be skipped.",
        "B-hat enters the adder alone, in a cycle of its own, which saves an input of M1 and M2.",
        "The zero detector's answer is registered, which costs a cycle in both conversions.",
    )

    @property
    def latency(self) -> Cycles:
        """The latency from all to no iterations skipped, shortest to longest conversions."""
        steps = self._iterations + 1
        half_adder_edges = -(-self._iterations // 2)
        shortest = 3 - (-steps // (self.skips + 1)) + 1
        # No operation has the longest carries of both conversions and skips no iteration.
        return Cycles(shortest, 3 + steps + 2 * half_adder_edges, attained=False)

    @property
    def operand_shift(self) -> int:
        """A zero for each digit that the look-ahead sees, and one."""
        return self.skips + 2

    @property
    def tap(self) -> Tap:
        """The digits of the iterations up to the next one that adds something, a cycle before."""
        return Tap(
            ("mf_scs_mm_skip",),
            valid="advance",
            digit=f"advance & {{{self.skips + 1}{{lookahead_n || add_d}}}}",
            gap=2,
            p_shift=self.width + 2 + self.operand_shift,
            ab_shift=self.operand_shift,
            modulus="n_hat",
            n_add=-1,
            more=1,  # the mark after the last iteration
            bits=self.skips + 1,
            varying=True,
        )

    def cycle_model(self, a: int, b: int, n: int) -> int:
        """Return the edges: both conversions, and the additions that are not skipped."""
        end = self._iterations
        hat, b_hat = n + 1, b << self.operand_shift
        edges = 3  # B-hat, N-hat, and one that registers the zero carry vector of D-hat
        edges += settled(*full_adder_row(b_hat, hat, 0), double_half_adder_row)[1]

        s = c = carry_in = 0
        x = 0
        i = -1
        while i < end:
            edges += 1
            s, c = full_adder_row(s, c, x | carry_in)
            total = s + c
            shift = 1
            while (
                shift <= self.skips
                and i + shift < end
                and not (a >> i + shift | total >> shift) & 1
            ):
                shift += 1
            below = (1 << shift) - 2  # bit 0 is dropped, the rest may carry
            carry_in = (s & below) + (c & below) >> shift
            s, c = s >> shift, c >> shift
            i += shift
            x = b_hat * (a >> i & 1) + hat * (total >> shift & 1)

        # The pending carry takes the free lowest place of the first row's carries.
        s, c = half_adder_row(s, c)
        s, c = half_adder_row(s, c | carry_in)
        return edges + 1 + settled(s, c, double_half_adder_row)[1]

    @property
    def _iterations(self) -> int:
        """The iterations from 0 to the last, none skipped; also the state's bits."""
        return self.width + self.skips + 4
