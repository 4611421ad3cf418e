# SPDX-License-Identifier: Apache-2.0
"""The lemmas on the RTL of each architecture, by its name; ``proofs/NAME.v`` has its theorem."""

from __future__ import annotations

from montforge.arch import Core, Design
from montforge.arch.booth_csa import BoothCsa
from montforge.arch.eberle import Eberle
from montforge.arch.fcs_mm import FcsMmm42
from montforge.arch.fios_systolic import FiosSystolic
from montforge.arch.full_word import McIvor
from montforge.arch.mclaughlin import Mlws
from montforge.arch.modexp import BLOCK, HOST, Modexp
from montforge.arch.orup import Orup
from montforge.arch.scs_mm_new import ScsMmNew
from montforge.arch.unit_csa import UnitCsa
from montforge.contract import Field
from montforge.programs.powers import WINDOW
from montforge.prove.lemmas import (
    booth_csa,
    bunimov,
    eberle,
    fcs_mm1,
    fcs_mm2,
    fcs_mmm42,
    fios_systolic,
    full_parallel,
    full_pipelined,
    grossschaedl,
    mcivor,
    mlws,
    mm_r2,
    modexp,
    modexp_bits,
    modexp_window,
    mscs_mm,
    orup,
    scs_mm,
    scs_mm1,
    scs_mm2,
    scs_mm_ct,
    scs_mm_new,
    scs_mm_skip,
    unit_csa,
    zhengbing,
)
from montforge.prove.lemmas.shared import form
from montforge.prove.statement import Lemma, within

LEMMAS: dict[str, tuple[Lemma, ...]] = {
    "booth_csa": booth_csa.LEMMAS,
    "bunimov": bunimov.LEMMAS,
    "eberle": eberle.LEMMAS,
    "fcs_mm1": fcs_mm1.LEMMAS,
    "fcs_mm2": fcs_mm2.LEMMAS,
    "fcs_mmm42": fcs_mmm42.LEMMAS,
    "fios_systolic": fios_systolic.LEMMAS,
    "full_parallel": full_parallel.LEMMAS,
    "full_pipelined": full_pipelined.LEMMAS,
    "grossschaedl": grossschaedl.LEMMAS,
    "mcivor": mcivor.LEMMAS,
    "mlws": mlws.LEMMAS,
    "mm_r2": mm_r2.LEMMAS,
    "mscs_mm": mscs_mm.LEMMAS,
    "orup": orup.LEMMAS,
    "scs_mm": scs_mm.LEMMAS,
    "scs_mm1": scs_mm1.LEMMAS,
    "scs_mm2": scs_mm2.LEMMAS,
    "scs_mm_ct": scs_mm_ct.LEMMAS,
    "scs_mm_new": scs_mm_new.LEMMAS,
    "scs_mm_skip": scs_mm_skip.LEMMAS,
    "unit_csa": unit_csa.LEMMAS,
    "zhengbing": zhengbing.LEMMAS,
}

_ONLY: dict[str, dict[str, int | str]] = {
    "eberle": {"reduction": "lazy"},
    "full_pipelined": {"levels": 0},
    "grossschaedl": {"reduction": "lazy"},
}
"""Parameters with which alone there are lemmas."""
_MISSING = {
    "fios_dsp": "theorem word_row in proofs/Others.v; lemmas on its elements and their schedule",
    "fmlm": "theorem mclaughlin in proofs/Others.v; lemmas on its transforms",
}


def lemmas_of(design: Core) -> tuple[Lemma, ...] | None:
    """Return the lemmas on the RTL of ``design``; None if it has none with its parameters.

    Those on a multiplier in it come last, as `part_lemmas` has them.
    """
    if isinstance(design, BoothCsa):
        return booth_csa.lemmas_on(design)
    if isinstance(design, UnitCsa):
        return unit_csa.lemmas_on(design)
    if isinstance(design, FiosSystolic):
        return fios_systolic.lemmas_on(design)
    if isinstance(design, McIvor):
        return mcivor.lemmas_on(design)
    if isinstance(design, Orup):
        return orup.lemmas_on(design)
    if isinstance(design, Modexp):
        if _missing_of(design):
            return None
        return (*own_lemmas(design), *part_lemmas(design))
    return LEMMAS.get(design.name) if _other_options(design) == {} else None


def theorem_of(design: Design) -> str:
    """Return the file in the folder ``proofs`` with the theorem on ``design``."""
    if isinstance(design, BoothCsa):
        return booth_csa.theorem_of(design)
    return unit_csa.theorem_of(design) if isinstance(design, UnitCsa) else design.name


def _other_options(design: Core) -> dict[str, int | str]:
    only = _ONLY.get(design.name, {})
    return {name: design.parameters[name] for name in only if design.parameters[name] != only[name]}


def _missing_of(design: Modexp) -> str:
    """Return for which of its options an exponentiator has no lemmas."""
    part = design.multiplier
    reasons = {
        f"algorithm = {design.algorithm}": design.algorithm not in (*modexp_bits.TURNS, WINDOW),
        f"w = {design.plan.w}": design.algorithm == WINDOW and design.plan.w < 2,
        f"table = {design.table}": design.table == BLOCK,
        f"multipliers = {design.multipliers}": design.multipliers > 1,
        f"chains = {design.chains}": design.chains > 1,
        f"constants = {design.constants_from}": design.constants_from != HOST,
        f"results of {part.name}, {part.contract.result_bound}": modexp.passes_after(design) > 1
        or modexp.has_other_values(design),
        f"constants of {part.name}": len(part.contract.constants_spec) > 1,
        f"{part.name}, of which no contract is proved": lemmas_of(part) is None,
        f"{part.name}, which has several requests under way": part.contract.overlaps,
    }
    return ", ".join(reason for reason, holds in reasons.items() if holds)


def own_lemmas(design: Modexp) -> tuple[Lemma, ...]:
    """Return the lemmas on an exponentiator without those on its multiplier."""
    reduced = modexp.passes_after(design) > 0
    if design.algorithm == WINDOW:
        found = modexp_window.algorithm(reduced)
    else:
        found = modexp_bits.algorithm(*modexp_bits.TURNS[design.algorithm], reduced)
    return modexp.all_lemmas(design, *found)


def constant_of(design: Modexp) -> Field | None:
    """Return the constant that the multiplier of an exponentiator takes."""
    fields = design.multiplier.contract.constants_spec
    return fields[0] if fields else None


def part_lemmas(design: Modexp) -> tuple[Lemma, ...]:
    """Return the lemmas on the multiplier in an exponentiator, with the names of its nets there."""
    return tuple(within(modexp.PART, each) for each in lemmas_of(design.multiplier) or ())


def missing_parts(design: Core) -> str:
    """Return what `function` of ``design`` lacks, after a theorem that there is."""
    if isinstance(design, UnitCsa):
        return f"{unit_csa.missing_parts(design)} are missing"
    if isinstance(design, FiosSystolic):
        return f"lemmas on fios_systolic with {design.word_count} words are missing"
    if isinstance(design, McIvor):
        return f"lemmas on mcivor with {mcivor.missing_parts(design)} are missing"
    if isinstance(design, Orup):
        return f"{orup.missing_parts(design)} are missing"
    if isinstance(design, Modexp):
        return f"lemmas on modexp with {_missing_of(design)} are missing"
    if design.name in LEMMAS:
        options = ", ".join(f"{name} = {value}" for name, value in _other_options(design).items())
        return f"lemmas on {design.name} with {options} are missing"
    there, _, lacks = _MISSING.get(design.name, "a theorem and lemmas").rpartition("; ")
    return f"{f'there is {there}; ' if there else ''}{lacks} are missing"


def sizes(design: Core) -> dict[str, int]:
    """Return the parameters of ``design`` that lemmas may hang on; ``W`` is its width."""
    given = {name: value for name, value in design.parameters.items() if isinstance(value, int)}
    more = eberle.sizes(design) if isinstance(design, Eberle) else {}
    more = mcivor.sizes(design) if isinstance(design, McIvor) else more
    more = fios_systolic.sizes(design) if isinstance(design, FiosSystolic) else more
    more = form(design) if isinstance(design, FcsMmm42 | ScsMmNew) else more
    more = mlws.sizes(design) if isinstance(design, Mlws) else more
    more = booth_csa.sizes(design) if isinstance(design, BoothCsa) else more
    more = unit_csa.sizes(design) if isinstance(design, UnitCsa) else more
    more = orup.sizes(design) if isinstance(design, Orup) else more
    if isinstance(design, Modexp):
        given, more = design.top_parameters, sizes(design.multiplier)
    return {"W": design.width, **given, **more}
