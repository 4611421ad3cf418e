# SPDX-License-Identifier: Apache-2.0
"""Semi-carry-save multipliers with a two-level adder: ``scs_mm``, ``scs_mm1``, ``scs_mm2``."""

from __future__ import annotations

from dataclasses import dataclass

from montforge.arch.carry_save_rows import (
    CarrySavePair,
    double_half_adder_row,
    full_adder_row,
    settled,
)
from montforge.arch.checked import Checked
from montforge.arch.citations import KIM_2000, KUANG_2016, ZHANG_2007
from montforge.arch.parameter import integer
from montforge.arch.radix2 import Radix2CarrySave, loop_tap
from montforge.contract import Cycles
from montforge.hardware.check import Tap

_FILES = (
    "prim/mf_full_adder_row.sv",
    "prim/mf_one_hot_mux.sv",
    "carry_save/mf_two_level_csa.sv",
    "carry_save/mf_countdown.sv",
)
REGISTERS_NOTE = (
    "E3: the paper's area formulas count k bits for every register; the pair and the operands"
    " have k + 1, the rows k + 2."
)


def words(bits: int, word: int) -> int:
    """Return the number of words of ``word`` bits that hold ``bits`` bits."""
    return -(-bits // word)


@dataclass(frozen=True)
class ScsMm(Radix2CarrySave, Checked):
    """Fig. 2 of Kuang 2016 with a full-width carry-propagate adder for the format conversion."""

    name = "scs_mm"
    title = "Semi-carry-save Montgomery multiplier with a full carry-propagate adder"
    citation = KUANG_2016.at("Fig. 2")
    library = (*_FILES, "carry_save/mf_scs_mm.sv")
    formulas = (
        ("R", "2^(width + 2)"),
        ("latency", "width + 3 cycles: width + 2 iterations and the addition"),
        ("interval", "width + 5 cycles"),
        ("adders", "two rows of width + 2 full adders, one adder of width + 1 bits"),
        ("registers", "5 width + 4 bits, counter and phase"),
    )
    errata = (REGISTERS_NOTE,)

    @property
    def latency(self) -> Cycles:
        """The iterations and the addition."""
        return Cycles.fixed(self.iterations + 1)

    @property
    def tap(self) -> Tap:
        """The digit of each iteration, in its cycle."""
        return loop_tap(self, "mf_scs_mm", "ss_q[0] ^ sc_q[0] ^ (a_q[0] & b_q[0])", gap=2)


@dataclass(frozen=True)
class ScsMm1(Radix2CarrySave, Checked):
    """Fig. 3 of Kuang 2016 (Kim 2000): a word-serial adder for the format conversion."""

    name = "scs_mm1"
    title = "Semi-carry-save Montgomery multiplier with a word-serial converter (SCS-MM-1)"
    citation = KIM_2000
    converter: int = integer("bits of the format converter's adder", 32, minimum=8, maximum=128)
    library = (*_FILES, "prim/mf_word_serial_adder.sv", "carry_save/mf_scs_mm1.sv")
    formulas = (
        ("R", "2^(width + 2)"),
        ("latency", "width + 2 + ceil((width + 1) / converter) cycles"),
        ("interval", "latency + 2 cycles"),
        ("adders", "two rows of width + 2 full adders, one adder of converter bits"),
        ("registers", "5 width + 4 bits, padding to whole words, counter and phase"),
    )
    errata = (
        "E6: the paper counts k / converter cycles for the conversion. A result below 2n has k + 1"
        " bits, so one more word is needed when converter divides k.",
        REGISTERS_NOTE,
        "Table III gives 13 cycles more than the algorithm for all three sizes; load and output"
        " explain a few of them.",
        "E8: the area that Table III gives for 2048 bits is larger with the 32-bit than with the"
        " 64-bit converter, which the structure can't explain.",
    )

    @property
    def latency(self) -> Cycles:
        """The iterations and one cycle for each word of the result."""
        result_bits = self.width + 1
        return Cycles.fixed(self.iterations + words(result_bits, self.converter))

    @property
    def tap(self) -> Tap:
        """The digit of each iteration, in its cycle."""
        return loop_tap(self, "mf_scs_mm1", "ss_q[0] ^ sc_q[0] ^ (a_q[0] & b_q[0])", gap=2)


@dataclass(frozen=True)
class ScsMm2(Radix2CarrySave, Checked):
    """Fig. 4 of Kuang 2016 (Zhang 2007): the two-level adder also does the format conversion."""

    name = "scs_mm2"
    title = "Semi-carry-save Montgomery multiplier that reuses its adder to convert (SCS-MM-2)"
    citation = ZHANG_2007
    library = (*_FILES, "prim/mf_zero_detector.sv", "carry_save/mf_scs_mm2.sv")
    handover = 1
    formulas = (
        ("R", "2^(width + 2)"),
        ("latency", "width + 2 + ceil(L / 2), L half-adder rows to add the final pair"),
        ("average latency", "width + 2 + about 4.2 (width 1024) or 4.7 (width 2048)"),
        ("interval", "latency + 3 cycles"),
        ("adders", "two rows of width + 2 full adders"),
        ("registers", "5 width + 4 bits, counter and phase"),
    )
    errata = (
        REGISTERS_NOTE,
        "The paper's cycle counts exceed the algorithm's by 18.9 (1024 bits) and 16.3 (2048 bits)."
        " No constant overhead explains both.",
        "The multiplexers lie before the adder: in the conversion they feed twice the pair, whose"
        " quotient digit is 0, so that no gate is needed on the quotient digit.",
    )

    @property
    def latency(self) -> Cycles:
        """The bounds: from no carry at all to a carry through the whole pair."""
        return Cycles(self.iterations, self.iterations + words(self.width + 1, 2))

    @property
    def tap(self) -> Tap:
        """The digit of each iteration, in its cycle."""
        return loop_tap(self, "mf_scs_mm2", "s[0] ^ c[0] ^ (a_q[0] & b_q[0])", gap=2)

    def cycle_model(self, a: int, b: int, n: int) -> int:
        """Return the iterations and the double half-adder rows until the carry vector is 0."""
        pair = _final_pair(self.iterations, a, b, n)
        return self.iterations + settled(*pair, double_half_adder_row)[1]


def _final_pair(iterations: int, a: int, b: int, n: int) -> CarrySavePair:
    """Return the carry-save pair of Fig. 2 after the last iteration."""
    s = c = 0
    for i in range(iterations):
        s, c = full_adder_row(s, c, b * (a >> i & 1))
        s, c = full_adder_row(s, c, n * (s & 1))
        s, c = s >> 1, c >> 1
    return s, c
