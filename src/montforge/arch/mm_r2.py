# SPDX-License-Identifier: Apache-2.0
"""``mm_r2``: the radix-2 algorithm MM of Kuang 2016, Fig. 1, with carry-propagate addition."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from montforge.arch.base import Values
from montforge.arch.citations import KUANG_2016
from montforge.arch.radix2 import Subtracting
from montforge.contract import Cycles


@dataclass(frozen=True)
class MmR2(Subtracting):
    """Radix-2 Montgomery multiplication with a full-width carry-propagate adder."""

    name = "mm_r2"
    title = "Radix-2 Montgomery multiplier with carry-propagate addition (MM)"
    citation = KUANG_2016.at("Fig. 1")
    library = ("carry_save/mf_mm_r2.sv",)
    formulas = (
        ("R", "2^width"),
        ("latency", "width + 1 cycles: width iterations and the final subtraction"),
        ("interval", "width + 3 cycles"),
        ("adders", "two of width + 2 bits for the iteration, one for the subtraction"),
        ("registers", "4 width + 1 bits, counter and state"),
    )
    errata = (
        'The paper writes "R = 2^k mod N"; R is 2^k (only R^-1 mod N matters).',
        "Step 6 subtracts only if S >= N. Here the subtraction is always executed and its borrow"
        " selects the result, so that the time does not depend on data.",
    )

    @property
    def latency(self) -> Cycles:
        """The iterations and the final subtraction."""
        return Cycles.fixed(self.width + 1)

    def corner_values(self) -> Iterator[Values]:
        """Yield operations at the edges of the subtraction and of the sum's width."""
        r = 1 << self.width
        for n in (r - 1, r - 3, (r >> 1) + 1, 3):
            yield n - 1, n - 1, n
            yield 0, n - 1, n
            yield 1, r % n, n
            yield n - 1, 1, n
            yield pow(r, -1, n), r * r % n, n
