# SPDX-License-Identifier: Apache-2.0
"""The lemmas on the RTL of each architecture, by its name; ``proofs/NAME.v`` has its theorem."""

from __future__ import annotations

from montforge.arch import Core
from montforge.arch.booth_csa import BoothCsa
from montforge.prove.lemmas import (
    booth_csa,
    bunimov,
    fcs_mm1,
    fcs_mm2,
    full_parallel,
    grossschaedl,
    mm_r2,
    mscs_mm,
    scs_mm,
    scs_mm1,
    scs_mm2,
    scs_mm_ct,
    zhengbing,
)
from montforge.prove.statement import Lemma

LEMMAS: dict[str, tuple[Lemma, ...]] = {
    "booth_csa": booth_csa.LEMMAS,
    "bunimov": bunimov.LEMMAS,
    "fcs_mm1": fcs_mm1.LEMMAS,
    "fcs_mm2": fcs_mm2.LEMMAS,
    "full_parallel": full_parallel.LEMMAS,
    "grossschaedl": grossschaedl.LEMMAS,
    "mm_r2": mm_r2.LEMMAS,
    "mscs_mm": mscs_mm.LEMMAS,
    "scs_mm": scs_mm.LEMMAS,
    "scs_mm1": scs_mm1.LEMMAS,
    "scs_mm2": scs_mm2.LEMMAS,
    "scs_mm_ct": scs_mm_ct.LEMMAS,
    "zhengbing": zhengbing.LEMMAS,
}

_ONLY: dict[str, dict[str, int | str]] = {"grossschaedl": {"reduction": "lazy"}}
"""Parameters with which alone there are lemmas."""
_SKIPS = "theorem skipping in proofs/Skipping.v; lemmas on its iterations and conversions"
_WORDS = "theorem word_row in proofs/Others.v; lemmas on its elements and their schedule"
_MISSING = {
    "fcs_mmm42": _SKIPS,
    "fios_dsp": _WORDS,
    "fios_systolic": _WORDS,
    "fmlm": "theorem mclaughlin in proofs/Others.v; lemmas on its transforms",
    "mlws": "theorem mclaughlin in proofs/Others.v; lemmas on its passes",
    "modexp": "theorems windows and ladder in proofs/Exponent.v; lemmas on its control",
    "scs_mm_new": _SKIPS,
    "scs_mm_skip": _SKIPS,
    "unit_csa": "theorem unit_csa in proofs/Instances.v; lemmas on product, tree, conversion",
}


def lemmas_of(design: Core) -> tuple[Lemma, ...] | None:
    """Return the lemmas on the RTL of ``design``; None if it has none with its parameters."""
    if isinstance(design, BoothCsa):
        return booth_csa.lemmas_on(design)
    return LEMMAS.get(design.name) if _other_options(design) == {} else None


def _other_options(design: Core) -> dict[str, int | str]:
    only = _ONLY.get(design.name, {})
    return {name: design.parameters[name] for name in only if design.parameters[name] != only[name]}


def missing_parts(design: Core) -> str:
    """Return what `function` of ``design`` lacks, after a theorem that there is."""
    if isinstance(design, BoothCsa):
        return f"open: {booth_csa.missing_parts(design)}"
    if design.name in LEMMAS:
        options = ", ".join(f"{name} = {value}" for name, value in _other_options(design).items())
        return f"lemmas on {design.name} with {options} are missing"
    there, _, lacks = _MISSING.get(design.name, "a theorem and lemmas").rpartition("; ")
    return f"{f'there is {there}; ' if there else ''}{lacks} are missing"


def sizes(design: Core) -> dict[str, int]:
    """Return the parameters of ``design`` that lemmas may hang on; ``W`` is its width."""
    given = {name: value for name, value in design.parameters.items() if isinstance(value, int)}
    more = booth_csa.sizes(design) if isinstance(design, BoothCsa) else {}
    return {"W": design.width, **given, **more}
