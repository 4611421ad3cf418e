# SPDX-License-Identifier: Apache-2.0
"""The lemmas on the RTL of each architecture, by its name; ``proofs/NAME.v`` has its theorem."""

from __future__ import annotations

from montforge.arch import Core
from montforge.prove.lemmas import fcs_mm1, mm_r2, scs_mm, scs_mm1, zhengbing
from montforge.prove.statement import Lemma

LEMMAS: dict[str, tuple[Lemma, ...]] = {
    "fcs_mm1": fcs_mm1.LEMMAS,
    "mm_r2": mm_r2.LEMMAS,
    "scs_mm": scs_mm.LEMMAS,
    "scs_mm1": scs_mm1.LEMMAS,
    "zhengbing": zhengbing.LEMMAS,
}


def sizes(design: Core) -> dict[str, int]:
    """Return the parameters of ``design`` that lemmas may hang on; ``W`` is its width."""
    given = {name: value for name, value in design.parameters.items() if isinstance(value, int)}
    return {"W": design.width, **given}
