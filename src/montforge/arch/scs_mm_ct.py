# SPDX-License-Identifier: Apache-2.0
"""``scs_mm_ct``: a semi-carry-save multiplier on one adder row whose time is constant."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from montforge.arch.parameter import integer
from montforge.arch.scs_mm_skip import DATAPATH, EvenConstant
from montforge.contract import Cycles
from montforge.hardware.check import Tap

OPERAND_SHIFT = 2
"""B-hat = 4 b, so that a quotient digit does not depend on the operand being added."""
LOOK_AHEAD_LEVELS = 5
"""Levels of the conversions' prefix tree in a cycle."""


@dataclass(frozen=True)
class ScsMmCt(EvenConstant):
    """No skipped additions, and format conversions by blocks with carry look-ahead."""

    name = "scs_mm_ct"
    title = "Semi-carry-save Montgomery multiplier with configurable adder and constant time"
    block: int = integer("bits of a block of the conversions", 16, minimum=4, maximum=64)
    library: ClassVar[tuple[str, ...]] = (
        *DATAPATH,
        "prim/mf_carry_lookahead.sv",
        "carry_save/mf_scs_mm_ct.sv",
    )
    formulas: ClassVar[tuple[tuple[str, str], ...]] = (
        ("R", "2^(width + 2)"),
        ("N-hat", "n + 1"),
        ("D-hat", "4 b + N-hat"),
        ("latency", "width + 7 + 2 conversion cycles"),
        ("conversion", "2 ceil(block / 2) + 1 + look-ahead cycles"),
        ("look-ahead", "ceil(log2(ceil((width + 4) / block)) / 5) cycles, at least 1"),
        ("interval", "latency + 2 cycles"),
    )
    errata: ClassVar[tuple[str, ...]] = (
        "No addition is skipped, and a conversion takes the same number of cycles for all data:"
        " blocks are resolved without carries between them, a look-ahead finds the carry into"
        " each, and the blocks are resolved again.",
        "N-hat = n + 1 for every odd n instead of a multiple of 4, so that the design is closed for"
        " operands below 2n, for n mod 4 = 1, too.",
        "B-hat enters the adder alone, in a cycle of its own, which saves an input of M1 and M2.",
    )

    @property
    def latency(self) -> Cycles:
        """Width + 7 and two conversions."""
        return Cycles.fixed(self.width + 7 + 2 * self._conversion)

    @property
    def tap(self) -> Tap:
        """The digit of each iteration, in the cycle before it; a conversion follows the last."""
        return Tap(
            modules=("mf_scs_mm_ct",),
            valid="next_iteration",
            digit="q_bit",
            gap=self._conversion + 2,
            p_shift=self.width + 2 + OPERAND_SHIFT,
            ab_shift=OPERAND_SHIFT,
            modulus="n_hat",
            n_add=-1,
        )

    @property
    def block_count(self) -> int:
        """The blocks of a conversion."""
        return -(-(self.width + OPERAND_SHIFT + 2) // self.block)

    @property
    def _conversion(self) -> int:
        """The cycles of a conversion."""
        look_ahead = max(1, -(-(self.block_count - 1).bit_length() // LOOK_AHEAD_LEVELS))
        return 2 * -(-self.block // 2) + 1 + look_ahead

    @property
    def operand_shift(self) -> int:
        """2, for any parameters."""
        return OPERAND_SHIFT
