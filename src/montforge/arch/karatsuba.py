# SPDX-License-Identifier: Apache-2.0
"""``karatsuba``: three passes over one pipelined Karatsuba-Ofman multiplier."""

from __future__ import annotations

from dataclasses import dataclass

from montforge.arch.citations import KARATSUBA_1962
from montforge.arch.full_word import FULL_WORD_ERRATA, FullWord
from montforge.arch.parameter import integer


@dataclass(frozen=True)
class Karatsuba(FullWord):
    """T, Q and U one after the other on a multiplier of 3^levels leaves."""

    name = "karatsuba"
    title = "Montgomery multiplier on a pipelined Karatsuba-Ofman multiplier"
    citation = KARATSUBA_1962
    levels: int = integer("levels of splitting", 2, minimum=0, maximum=6)
    library = (
        "full/mf_multiplier_passes.sv",
        "prim/mf_delay_line.sv",
        "full/mf_karatsuba_multiplier.sv",
        "full/mf_karatsuba.sv",
    )
    formulas = (
        ("R", "2^width"),
        ("multiplier", "latency 2 levels + 1, 3^levels leaves of width / 2^levels bits or so"),
        ("latency", "3 (2 levels + 1) + 2 cycles"),
        ("interval", "latency + 2 cycles"),
    )
    errata = (
        *FULL_WORD_ERRATA,
        "Grale and Swartzlander give neither levels nor cycles of their design.",
    )

    @property
    def latency(self) -> int:
        """Three passes and two additions."""
        return 3 * (2 * self.levels + 1) + 2
