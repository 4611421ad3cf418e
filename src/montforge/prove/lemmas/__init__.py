# SPDX-License-Identifier: Apache-2.0
"""The lemmas on the RTL of each architecture, by its name; ``proofs/NAME.v`` has its theorem."""

from __future__ import annotations

from montforge.prove.lemmas import fcs_mm1, mm_r2, scs_mm
from montforge.prove.statement import Lemma

LEMMAS: dict[str, tuple[Lemma, ...]] = {
    "fcs_mm1": fcs_mm1.LEMMAS,
    "mm_r2": mm_r2.LEMMAS,
    "scs_mm": scs_mm.LEMMAS,
}
