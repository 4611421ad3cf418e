# SPDX-License-Identifier: Apache-2.0
"""``mcivor``: three passes over one full-word multiplier made of small blocks."""

from __future__ import annotations

from dataclasses import dataclass

from montforge.arch.citations import MCIVOR_2006
from montforge.arch.full_word import FULL_WORD_ERRATA, FullWord
from montforge.arch.parameter import integer, number


@dataclass(frozen=True)
class McIvor(FullWord):
    """T, Q and U one after the other on a pipelined multiplier of DSP-sized blocks."""

    name = "mcivor"
    title = "Montgomery multiplier on one pipelined full-word multiplier (McIvor 2006)"
    citation = MCIVOR_2006
    block: int = integer("bits of a block multiplier", 16, minimum=2, maximum=64)
    stages: int = number("register levels of the multiplier", 3, (2, 3))
    library = (
        "prim/mf_full_adder_row.sv",
        "prim/mf_compressor_tree.sv",
        "full/mf_multiplier_passes.sv",
        "full/mf_block_multiplier.sv",
        "full/mf_mcivor.sv",
    )
    formulas = (
        ("R", "2^width"),
        ("multiplier", "ceil(width / block)^2 blocks, latency of `stages` cycles"),
        ("latency", "3 stages + 2 cycles"),
        ("interval", "latency + 2 cycles"),
    )
    errata = (
        *FULL_WORD_ERRATA,
        "Reconstructed: the papers give neither the multiplier's pipeline nor a cycle count.",
    )

    @property
    def latency(self) -> int:
        """Three passes and two additions."""
        return 3 * self.stages + 2
