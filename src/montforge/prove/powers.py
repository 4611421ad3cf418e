# SPDX-License-Identifier: Apache-2.0
"""From the lemmas on an exponentiator and on the multiplier in it to the power, checked by Coq.

The multiplier's contract is that of its own theorem, about the nets of the multiplier in the
exponentiator: nothing is taken for granted that is not a lemma on this RTL.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate, pairwise

from montforge.arch import Core
from montforge.arch.modexp import Modexp
from montforge.prove.coq import (
    checked_chain,
    checked_text,
    closed_folders,
    constant_text,
    coq_files,
    modules,
    more_theorems,
    number_text,
    proofs_root,
    within,
)
from montforge.prove.lemmas import (
    lemmas_of,
    modexp,
    modexp_bits,
    own_lemmas,
    sizes,
    theorem_of,
)
from montforge.prove.statement import Lemma, coq_text, size_names

POWER = "power.v"


def power_text(design: Modexp) -> str:
    """Return the Coq file that says what ``design`` computes, with all lemmas as hypotheses."""
    part = design.multiplier
    own, theirs = own_lemmas(design), lemmas_of(part) or ()
    given = {name: sizes(design)[name] for name in size_names(own)}
    their_sizes = " ".join(str(sizes(part)[name]) for name in size_names(theirs))
    numbers = " ".join(map(str, given.values()))
    contract = part.contract
    more = contract.handover + 1
    named = {f"H_{lemma.name}": f"modexp_lemmas.{lemma.name} {numbers} net" for lemma in own}
    named_parts = {
        f"P_{name}": f"{part.name}_lemmas.{name} {their_sizes} (modexp.part net)"
        for name in ("ranges", *(lemma.name for lemma in theirs))
    }
    *_, own_theorem = order = _order(design)
    bits = "modexp_bits" in order
    two_turns = "modexp_two_turns" in order
    proved_by = (own_theorem, "reflexivity")
    if two_turns:
        proved_by = ("modexp_two_turns", f"apply {own_theorem}.legal")
    reduced = modexp.passes_after(design) > 0
    modulus = 'modexp.part net "n_i"'
    if not contract.takes_modulus:
        modulus = f"fun s : nat => modexp.nq net s mod 2 ^ {design.width}"
    return _TEXT.format(
        theorem="modexp_bits" if bits else own_theorem,
        modules=" ".join(order[order.index("modexp_lemmas") :]),
        holds=_WITHIN_BIT[two_turns].format(own_theorem, numbers) * bits,
        turns=_OF_BIT.format(own_theorem, *proved_by) * bits,
        legal_value=within(contract.results[0]),
        ending=_ENDINGS[reduced],
        part=part.name,
        part_theorem=theorem_of(part),
        modulus=modulus,
        of_modulus="" if contract.takes_modulus else f" ({modulus})",
        theorems=" ".join(("Contract", *more_theorems(theorem_of(part)), "Powers")),
        **_constant(design),
        ports=_WITH_MODULUS * contract.takes_modulus
        + _WITH_CONSTANT * bool(contract.constants_spec),
        hypotheses="".join(f"  {text} ->\n" for text in (*named.values(), *named_parts.values())),
        bits=given["ExponentBits"],
        r=number_text(contract.r),
        names=" ".join((*named, *named_parts)),
        part_names=" ".join(named_parts),
        numbers=numbers,
        least=contract.latency.minimum + more,
        answers=_ANSWERS[contract.overlaps].format(numbers),
        coprime=_COPRIME[contract.modulus.coprime_to is not None],
    )


def _constant(design: Modexp) -> dict[str, str]:
    """Return what the theorem says of the multiplier's constants, by the name in `_TEXT`.

    Several are parts of one register, the first one lowest.
    """
    contract = design.multiplier.contract
    fields = contract.constants_spec
    if not fields:
        none, only = "fun _ : nat => 0", contract.modulus.only
        return {
            **dict.fromkeys(("requested", "register", "port"), none),
            "suits": "True" if only is None else f"n = {only}",
            "suits_request": "True" if only is None else f'net "n_i" c = {only}',
            "constant_ports": "",
            "rewrites": "",
        }
    register = f'net "{modexp.CHAIN}constants_q"'
    if len(fields) == 1:
        places, port = ["{}"], f'modexp.part net "{fields[0].name}_i"'
    else:
        ends = list(accumulate((field.width for field in fields), initial=0))
        places = [f"(Bits.part ({{}}) {at} {to - at})" for at, to in pairwise(ends)]
        port = register
    several = list(zip(fields, places, strict=True)) if len(fields) > 1 else []
    each_port = " & ".join(f"G{at}" for at in range(len(fields)))

    def suits(n: str, register: str) -> str:
        found = zip(fields, places, strict=True)
        return " /\\ ".join(
            constant_text(contract, each, n, place.format(register)) for each, place in found
        )

    return {
        "requested": 'net "constants_i"',
        "register": register,
        "port": port,
        "suits": suits("n", "k"),
        "suits_request": suits('net "n_i" c', 'net "constants_i" c'),
        "constant_ports": "".join(
            f'  assert (G_{each.name} : forall s, modexp.part net "{each.name}_i" s ='
            f" {place.format(f'{register} s')})\n"
            f"    by (intros s; destruct (H_constant_port s) as ({each_port}); assumption).\n"
            for each, place in several
        ),
        "rewrites": "".join(f" rewrite ?G_{each.name};" for each, _ in several),
    }


_WITH_MODULUS = "  all: try exact H_part_modulus.\n"
_WITH_CONSTANT = """\
  all: try exact H_constant_loads; try exact H_constant_port.
  all: try (intros f s S0; apply H_constant_stays; destruct f; cbn [modexp.at_state] in S0; tauto).
"""
_TEXT = """\
(* Generated by montforge: the power, from the lemmas that were proved on the RTL. *)
From Coq Require Import ZArith Lia String.
Require Import {theorems}.
Require {modules} {part}_lemmas {part_theorem} closed.
Open Scope string_scope.
Open Scope Z_scope.

Ltac literally :=
  match goal with |- ?G => match goal with H : ?P |- _ => constr_eq P G; exact H end end.

Theorem power_closed : forall net : trace,
{hypotheses}\
  power net {bits} ({r}) (fun c : nat => {suits_request}).
Proof.
  intros net {names}.
  pose proof (closed.closed (modexp.part net){of_modulus} {part_names}) as C.
{constant_ports}  eapply ({theorem}.powers {numbers} net) with
    (ok := fun n x : Z => {legal_value}) (least := {least}%nat){holds}
    (part_modulus := {modulus}) (request_constant := {requested}) (constant := {register})
    (part_constant := {port}) (suits := fun n k : Z => {suits});
    try literally; try (apply Z.leb_le; vm_compute; reflexivity); try lia.
  all: try (lazymatch goal with |- responds _ _ _ _ _ _ _ _ _ _ => idtac end;
    {answers};
    eapply weaker; [exact C | cbn beta; intros ..];{rewrites} intuition (lia || assumption)).
  all: try (intros; {coprime}).
  all: try (intros; reflexivity).
  all: try (cbn beta; lia).
{ports}{turns}  - {ending}.
Qed.
Print Assumptions power_closed.
"""
_ENDINGS = (
    "apply modexp_below_n.ends_with_product; [cbv beta; lia | literally]",
    "apply modexp_reduced.ends_with_pass; try literally; try lia;\n"
    "    cbv beta iota delta [Z.eqb Pos.eqb]; lia",
)
"""Whether a pass follows the last product."""
_ANSWERS = (
    "eapply answered; [| lia]",
    "eapply (modexp_in_order.in_order {} net); try literally",
)
"""Whether several requests to the multiplier may be under way."""
_COPRIME = (
    "apply power_of_two_coprime; [assumption | lia]",
    "eapply inverse_coprime; [| eassumption]; lia",
)
"""Whether n has no common factor with R because it has an inverse."""
_WITHIN_BIT = (
    "\n    (N := {0}.first {1} net) (M := {0}.within {1} net)",
    "\n    (N := modexp_two_turns.first net) (M := modexp_two_turns.within {1} net {0}.holds)",
)
_OF_BIT = """\
  - eapply {1}.loads; try literally; reflexivity.
  - eapply {1}.stays; try literally; reflexivity.
  - eapply {1}.operands; try literally; {2}.
  - eapply {1}.waits; try literally; reflexivity.
  - eapply {0}.enters_on; try literally; reflexivity.
  - eapply {0}.turns_on; try literally; reflexivity.
"""
"""What holds within a bit of the exponent: of windows, or of two turns that keep t and acc."""


def power_files(design: Modexp) -> dict[str, str]:
    """Return all Coq files of the proof of ``design`` by name, in an order for coqc."""
    part = design.multiplier
    own = own_lemmas(design)
    texts = {
        f"{name}.v": coq_text(own)
        if name.endswith("_lemmas")
        else (proofs_root() / f"{name}.v").read_text(encoding="utf-8")
        for name in _order(design)
    }
    below = coq_files(part, lemmas_of(part) or ())
    return below | texts | {POWER: power_text(design)}


def close_power(design: Modexp) -> str:
    """Return the theorem of ``design`` after Coq has checked it.

    Raises ProofError if Coq does not accept it, or if it rests on an axiom; ToolMissingError.
    """
    part = design.multiplier
    below = closed_folders(part, lemmas_of(part) or ())
    chain = checked_chain(_order(design), own_lemmas(design))
    folder, *_ = checked_text(POWER, power_text(design), *dict.fromkeys((*chain, *below)))
    return (folder / POWER).read_text(encoding="utf-8")


def modules_of(design: Core, lemmas: Sequence[Lemma]) -> tuple[str, ...]:
    """Return the Coq modules in the folder ``proofs`` that the theorem on ``design`` rests on."""
    if not isinstance(design, Modexp):
        return modules(design, lemmas)
    part = design.multiplier
    own = (name for name in _order(design) if not name.endswith("_lemmas"))
    return (*modules(part, lemmas_of(part) or ()), *own)


def theorem_on_power(design: Modexp) -> str:
    """Return the module in the folder ``proofs`` with the theorem on its algorithm."""
    return _order(design)[-1]


def _order(design: Modexp) -> tuple[str, ...]:
    """Return the modules on ``design``, the last ones on its algorithm, in an order for Coq."""
    if design.algorithm in modexp_bits.TURNS:
        own: tuple[str, ...] = ("modexp_bits", "modexp_two_turns", f"modexp_{design.algorithm}")
    elif design.plan.w == 1:
        own = ("modexp_scan", "modexp_bits", "modexp_window_of_bits")
    else:
        own = ("modexp_scan", "modexp_window")
    ending = "modexp_reduced" if modexp.passes_after(design) else "modexp_below_n"
    order = ("Pipelined", "modexp_in_order") if design.multiplier.contract.overlaps else ()
    return (
        *("Powers", "Bits", *order[:1], "modexp_lemmas", "modexp", *order[1:]),
        *(ending, "modexp_reader", *own),
    )
