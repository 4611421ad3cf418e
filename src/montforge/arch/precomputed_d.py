# SPDX-License-Identifier: Apache-2.0
"""Semi-carry-save multipliers with a one-level adder and D = B + N computed before the loop:
``bunimov``, ``zhengbing`` (by a carry-propagate adder) and ``mscs_mm`` (by half-adder rows).
"""

from __future__ import annotations

from dataclasses import dataclass

from montforge.arch.carry_save_rows import full_adder_row, half_adder_row, settled
from montforge.arch.checked import Checked
from montforge.arch.citations import BUNIMOV_2002, KUANG_2016, ZHENGBING_2007
from montforge.arch.parameter import WIDEST, integer
from montforge.arch.radix2 import Radix2CarrySave, Subtracting
from montforge.arch.scs_mm import words
from montforge.contract import Cycles
from montforge.hardware.check import Tap

_FILES = (
    "prim/mf_full_adder_row.sv",
    "prim/mf_one_hot_mux.sv",
    "carry_save/mf_sm3.sv",
    "carry_save/mf_countdown.sv",
)


@dataclass(frozen=True)
class _WithConverter(Radix2CarrySave):
    """A multiplier with a carry-propagate adder of words."""

    converter: int = integer(
        "bits of the carry-propagate adder; with width + 2 or more it is done in one cycle",
        32,
        minimum=8,
        maximum=WIDEST + 2,
    )

    @property
    def addition_cycles(self) -> int:
        """The cycles of one word-serial addition of width + 2 bits."""
        return words(self.width + 2, self.converter)


@dataclass(frozen=True)
class Zhengbing(_WithConverter):
    """Zhengbing 2007: D by a carry-propagate adder, no final subtraction."""

    name = "zhengbing"
    title = "Semi-carry-save Montgomery multiplier with precomputed D = B + N (Zhengbing)"
    citation = ZHENGBING_2007
    library = (*_FILES, "prim/mf_word_serial_adder.sv", "carry_save/mf_zhengbing.sv")
    formulas = (
        ("R", "2^(width + 2)"),
        ("D", "b + n"),
        ("c", "ceil((width + 2) / converter), cycles of one carry-propagate addition"),
        ("latency", "c + width + 2 + c cycles: D, the iterations, the conversion"),
        ("interval", "latency + 2 cycles"),
        ("adders", "one row of width + 2 full adders, one adder of converter bits"),
        ("registers", "6 width + 6 bits, padding to whole words, counter and phase"),
    )
    errata = (
        "Reconstructed from one sentence of Kuang 2016 (section II-B).",
        "E3: the paper counts k bits for every register; the pair and the operands have k + 1, D"
        " and the row k + 2.",
    )

    @property
    def latency(self) -> Cycles:
        """The iterations and two carry-propagate additions."""
        return Cycles.fixed(self.iterations + 2 * self.addition_cycles)


@dataclass(frozen=True)
class Bunimov(_WithConverter, Subtracting):
    """Bunimov 2002: D by a carry-propagate adder, which also subtracts the modulus at the end."""

    name = "bunimov"
    title = "Semi-carry-save Montgomery multiplier with precomputed D and subtraction (Bunimov)"
    citation = BUNIMOV_2002
    library = (*_FILES, "prim/mf_word_serial_adder.sv", "carry_save/mf_bunimov.sv")
    formulas = (
        ("R", "2^width"),
        ("D", "b + n"),
        ("c", "ceil((width + 2) / converter), cycles of one carry-propagate addition"),
        ("latency", "c + width + c + c cycles: D, the iterations, the conversion, the subtraction"),
        ("interval", "latency + 2 cycles"),
        ("adders", "one row of width + 1 full adders, one adder of converter bits"),
        ("registers", "6 width + 4 bits, padding to whole words, counter and phase"),
    )
    errata = (
        "Reconstructed from one sentence of Kuang 2016 (section II-B).",
        "The subtraction is always executed and its borrow selects the result, so that the time"
        " does not depend on data.",
    )

    @property
    def latency(self) -> Cycles:
        """The iterations and three carry-propagate additions."""
        return Cycles.fixed(self.iterations + 3 * self.addition_cycles)


@dataclass(frozen=True)
class MscsMm(Radix2CarrySave, Checked):
    """Fig. 7 of Kuang 2016: the one-level adder also computes D and the format conversion."""

    name = "mscs_mm"
    title = "Modified semi-carry-save Montgomery multiplier with a one-level adder (MSCS-MM)"
    citation = KUANG_2016.at("Fig. 7")
    library = (*_FILES, "prim/mf_zero_detector.sv", "carry_save/mf_mscs_mm.sv")
    handover = 1
    formulas = (
        ("R", "2^(width + 2)"),
        ("D", "b + n"),
        ("latency", "max(1, L1) + width + 2 + L2"),
        ("L1, L2", "half-adder rows that add b and n, and the final pair"),
        ("average latency", "width + 2 + about 19.5 (width 1024) or 21.4 (width 2048)"),
        ("interval", "latency + 3 cycles"),
        ("adders", "one row of width + 3 full adders"),
        ("registers", "6 width + 8 bits, counter and phase"),
    )
    errata = (
        "E3: the paper counts k bits for every register; the operands have k + 1, D and the pair"
        " that becomes D k + 2.",
        "Iteration 0 shares the cycle that detects the zero carry vector of D, so that saving D"
        " and clearing the pair (steps 4 and 5) cost no cycle.",
    )

    @property
    def latency(self) -> Cycles:
        """The bounds: no carry at all, or carries through the whole of both sums."""
        return Cycles(self.width + 3, 3 * self.width + 5)

    @property
    def tap(self) -> Tap:
        """The digit of each iteration in its cycle; the first one is in the last of StResolve."""
        return Tap(
            ("mf_mscs_mm",),
            valid="enters_loop || phase_q == StLoop",
            digit="phase_q == StLoop ? quotient_digit_q : a_q[0] & b_q[0]",
            gap=2,
            p_shift=self.iterations,
        )

    def cycle_model(self, a: int, b: int, n: int) -> int:
        """Return the rows of Fig. 7(a)."""
        d, rows = settled(*full_adder_row(b, n, 0), half_adder_row)

        s = c = 0
        for i in range(self.iterations):
            a_i = a >> i & 1
            q_i = (s ^ c ^ (a_i & b)) & 1
            s, c = full_adder_row(s, c, ((0, n), (b, d))[a_i][q_i])
            s, c = s >> 1, c >> 1
        return 1 + rows + self.iterations + settled(s, c, half_adder_row)[1]
