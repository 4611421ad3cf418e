# SPDX-License-Identifier: Apache-2.0
"""The lemmas on the RTL of each architecture, by its name; ``proofs/NAME.v`` has its theorem."""

from __future__ import annotations

from montforge.arch import Core, Design
from montforge.arch.modexp import BLOCK, HOST, Modexp
from montforge.programs.powers import L2R, WINDOW
from montforge.prove.lemmas import (
    barrett,
    bipartite,
    booth_csa,
    bunimov,
    eberle,
    fcs_mm1,
    fcs_mm2,
    fcs_mmm42,
    fios_dsp,
    fios_systolic,
    fixed_prime,
    full_parallel,
    full_pipelined,
    grossschaedl,
    karatsuba,
    mcivor,
    mclaughlin,
    mlm,
    mlws,
    mm_r2,
    modexp,
    modexp_bits,
    modexp_window,
    modexp_window_of_bits,
    mscs_mm,
    orup,
    rmm,
    scs_mm,
    scs_mm1,
    scs_mm2,
    scs_mm_ct,
    scs_mm_new,
    scs_mm_skip,
    tenca_koc,
    three_pass,
    unit_chain,
    unit_csa,
    unit_dsp,
    zhengbing,
)
from montforge.prove.lemmas.proof import Proof
from montforge.prove.lemmas.shared import form
from montforge.prove.statement import Lemma, within

_FIXED_MODULUS = Proof(
    fixed_prime.lemmas_on,
    "`reduction=montgomery`, `karatsuba=0`",
    fixed_prime.lacks,
    fixed_prime.sizes,
    fixed_prime.theorem_of,
)

PROOFS: dict[str, Proof] = {
    "barrett": Proof(barrett.lemmas_on, sizes=barrett.sizes),
    "bipartite": Proof(bipartite.lemmas_on, sizes=bipartite.sizes),
    "booth_csa": Proof(booth_csa.lemmas_on, sizes=booth_csa.sizes, theorem=booth_csa.theorem_of),
    "bunimov": Proof.of(bunimov.LEMMAS),
    "eberle": Proof.of(eberle.LEMMAS, sizes=eberle.sizes, reduction="lazy"),
    "fcs_mm1": Proof.of(fcs_mm1.LEMMAS),
    "fcs_mm2": Proof.of(fcs_mm2.LEMMAS),
    "fcs_mmm42": Proof.of(fcs_mmm42.LEMMAS, sizes=form),
    "fios_dsp": Proof(
        fios_dsp.lemmas_on,
        "`variant=fast`, `pipeline=3`, `c_register=1`, a number of words that is a multiple of the"
        " elements, which do not wait",
        fios_dsp.lacks,
        fios_dsp.sizes,
    ),
    "fios_systolic": Proof(
        fios_systolic.lemmas_on, "three words or more", fios_systolic.lacks, fios_systolic.sizes
    ),
    "fixed_prime": _FIXED_MODULUS,
    "fixed_square": _FIXED_MODULUS,
    "full_parallel": Proof.of(full_parallel.LEMMAS),
    "full_pipelined": Proof.of(full_pipelined.LEMMAS, levels=0),
    "grossschaedl": Proof.of(grossschaedl.LEMMAS, reduction="lazy"),
    "karatsuba": Proof(lambda _: karatsuba.LEMMAS, "`levels=2`, 8 bits or more", karatsuba.lacks),
    "mcivor": Proof(mcivor.lemmas_on, "`stages=3`, two blocks or more", mcivor.lacks, mcivor.sizes),
    "mlm": Proof.of(mlm.LEMMAS, sizes=mclaughlin.sizes),
    "mlws": Proof.of(mlws.LEMMAS, sizes=mclaughlin.sizes),
    "mm_r2": Proof.of(mm_r2.LEMMAS),
    "mscs_mm": Proof.of(mscs_mm.LEMMAS),
    "orup": Proof(orup.lemmas_on, sizes=orup.sizes),
    "rmm": Proof(
        rmm.lemmas_on,
        "`variant=fast`, `multiplier=booth_carry_save`, `stages=1`, `accumulator=binary`,"
        " `contexts=1`",
        rmm.lacks,
        rmm.sizes,
    ),
    "scs_mm": Proof.of(scs_mm.LEMMAS),
    "scs_mm1": Proof.of(scs_mm1.LEMMAS),
    "scs_mm2": Proof.of(scs_mm2.LEMMAS),
    "scs_mm_ct": Proof(lambda _: scs_mm_ct.LEMMAS, "up to 1024 blocks", scs_mm_ct.lacks),
    "scs_mm_new": Proof.of(scs_mm_new.LEMMAS, sizes=form),
    "scs_mm_skip": Proof.of(scs_mm_skip.LEMMAS),
    "tenca_koc": Proof(tenca_koc.lemmas_on, sizes=tenca_koc.sizes),
    "three_pass": Proof(three_pass.lemmas_on, sizes=three_pass.sizes),
    "unit_chain": Proof(
        lambda _: unit_chain.LEMMAS,
        "two words or more",
        unit_chain.lacks,
        unit_chain.sizes,
    ),
    "unit_csa": Proof(unit_csa.lemmas_on, sizes=unit_csa.sizes, theorem=unit_csa.theorem_of),
    "unit_dsp": Proof(
        unit_dsp.lemmas_on,
        "`rows=1`, `folding=1`, `sums=logic`",
        unit_dsp.lacks,
        unit_dsp.sizes,
    ),
    "zhengbing": Proof.of(zhengbing.LEMMAS),
}
"""The proofs of multipliers' contracts, by the names of their architectures."""

_MISSING = {
    "fmlm": "theorem mclaughlin in proofs/Others.v; lemmas on its transforms",
}


def lemmas_of(design: Core) -> tuple[Lemma, ...] | None:
    """Return the lemmas on the RTL of ``design``; None if it has none with its parameters.

    Those on a multiplier in it come last, as `part_lemmas` has them.
    """
    if isinstance(design, Modexp):
        return None if _lacks(design) else (*own_lemmas(design), *part_lemmas(design))
    proof = PROOFS.get(design.name)
    return None if proof is None or proof.lacks(design) else proof.lemmas(design)


def theorem_of(design: Design) -> str:
    """Return the file in the folder ``proofs`` with the theorem on ``design``."""
    return PROOFS[design.name].theorem(design) if design.name in PROOFS else design.name


def _lacks(design: Modexp) -> str:
    """Return for which of its options an exponentiator has no lemmas."""
    part = design.multiplier
    reasons = {
        f"algorithm = {design.algorithm}": design.algorithm not in (*modexp_bits.TURNS, WINDOW),
        f"table = {design.table}": design.table == BLOCK,
        f"multipliers = {design.multipliers}": design.multipliers > 1,
        f"chains = {design.chains}": design.chains > 1,
        f"constants = {design.constants_from}": design.constants_from != HOST,
        f"{part.name}, of which no contract is proved": lemmas_of(part) is None,
    }
    return ", ".join(reason for reason, holds in reasons.items() if holds)


def own_lemmas(design: Modexp) -> tuple[Lemma, ...]:
    """Return the lemmas on an exponentiator without those on its multiplier."""
    passes = modexp.passes_after(design)
    if design.algorithm == WINDOW and design.plan.w == 1:
        found = modexp_window_of_bits.algorithm(passes)
    elif design.algorithm == WINDOW:
        found = modexp_window.algorithm(passes)
    else:
        turns = modexp_bits.TURNS[design.algorithm]
        found = modexp_bits.algorithm(*turns, passes, skips=design.algorithm == L2R)
    return modexp.all_lemmas(design, *found)


def part_lemmas(design: Modexp) -> tuple[Lemma, ...]:
    """Return the lemmas on the multiplier in an exponentiator, with the names of its nets there."""
    return tuple(within(modexp.PART, each) for each in lemmas_of(design.multiplier) or ())


def missing_parts(design: Core) -> str:
    """Return what `function` of ``design`` lacks, after a theorem that there is."""
    if isinstance(design, Modexp):
        return f"lemmas on modexp with {_lacks(design)} are missing"
    if design.name in PROOFS:
        lacks = PROOFS[design.name].lacks(design)
        return f"lemmas on {design.name} with {lacks} are missing"
    there, _, lacks = _MISSING.get(design.name, "a theorem and lemmas").rpartition("; ")
    return f"{f'there is {there}; ' if there else ''}{lacks} are missing"


def sizes(design: Core) -> dict[str, int]:
    """Return the parameters of ``design`` that lemmas may hang on; ``W`` is its width."""
    if isinstance(design, Modexp):
        return {"W": design.width, **design.top_parameters, **sizes(design.multiplier)}
    given = {name: value for name, value in design.parameters.items() if isinstance(value, int)}
    return {"W": design.width, **given, **PROOFS[design.name].sizes(design)}
