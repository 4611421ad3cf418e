# SPDX-License-Identifier: Apache-2.0
"""``fios_systolic``: a line of word elements for cells (Walter 1993; Koc, Acar, Kaliski 1996)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from montforge.arch.base import Citation, Core, Values
from montforge.arch.corners import lazy_corners
from montforge.arch.multiplier import (
    TRUNCATED_PRODUCT,
    inverse_field,
    montgomery_contract,
    reduction,
)
from montforge.arch.parameter import integer
from montforge.contract import Bound, Contract, Cycles, Encoding, ModulusRule

WALTER_1993 = Citation(
    authors="C. D. Walter",
    title="Systolic modular multiplication",
    venue="IEEE Transactions on Computers 42(3)",
    year=1993,
)


@dataclass(frozen=True)
class FiosSystolic(Core):
    """An element with one multiplier for each word of b and n; a and the quotient travel."""

    name = "fios_systolic"
    title = "Word-systolic FIOS Montgomery multiplier for cells"
    family = "fios"
    citation = WALTER_1993.at(
        "linear array; FIOS: Koc, Acar, Kaliski, IEEE Micro 16(3), 1996; one multiplier an element"
        " is ours"
    )
    word: int = integer("bits of a word, w", 16, minimum=3, maximum=128)
    library = (
        *TRUNCATED_PRODUCT,
        "fios/mf_fios_systolic_element.sv",
        "fios/mf_fios_systolic.sv",
    )
    formulas = (
        ("s", "ceil((width + 2) / word) words, at least 2; as many elements"),
        ("R", "2^(word s)"),
        ("latency", "3 s - 1 cycles: element j has iteration i at time 2 i + j"),
        ("interval", "latency + 2 cycles"),
        ("multipliers", "s of word x word bits, and one whose low half is used"),
    )
    errata = (
        "The published arrays have two multipliers an element, each idle in every second cycle; one"
        " takes both products here.",
        "The carry of element 0 is added by element 1 in the same cycle: with a register between"
        " them an iteration would take three cycles.",
    )

    @cached_property
    def parallel_contract(self) -> Contract:
        """The contract: operands and results below 2n, fixed latency."""
        word = self.word
        return montgomery_contract(
            self,
            r=1 << (word * self.word_count),
            modulus=ModulusRule(self.width),
            operand=(Encoding("binary", self.width + 1), Bound(2)),
            constants=(inverse_field("n0_prime", word, f"2^{word}"),),
            latency=Cycles.fixed(3 * self.word_count - 1),
        )

    def golden_model(self, a: int, b: int, n: int) -> int:
        """Return (a b + n Q) / R, Q = -a b n^-1 mod R."""
        return reduction(a * b, n, 1 << self.word * self.word_count)

    def corner_values(self) -> Iterator[Values]:
        """Yield words of ones (the largest carries) and a single word of the quotient."""
        return lazy_corners(self.parallel_contract, self.word)

    @property
    def word_count(self) -> int:
        """The number s of words."""
        return max(2, -(-(self.width + 2) // self.word))
