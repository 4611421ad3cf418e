# SPDX-License-Identifier: Apache-2.0
"""``karatsuba``: three passes over one pipelined Karatsuba-Ofman multiplier."""

from __future__ import annotations

from montforge.arch.base import WIDTH, Parameter, Parameters
from montforge.arch.citations import KARATSUBA_1962
from montforge.arch.full_word import FULL_WORD_ERRATA, FullWord


class Karatsuba(FullWord):
    """T, Q and U one after the other on a multiplier of 3^levels leaves."""

    name = "karatsuba"
    title = "Montgomery multiplier on a pipelined Karatsuba-Ofman multiplier"
    citation = KARATSUBA_1962
    parameters = (WIDTH, Parameter("levels", "levels of splitting", 2, minimum=0, maximum=6))
    rtl_top = "mf_karatsuba"
    rtl_files = (
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

    def latency(self, parameters: Parameters) -> int:
        """Return three passes and two additions."""
        return 3 * (2 * parameters.integer("levels") + 1) + 2
