(* SPDX-License-Identifier: Apache-2.0 *)
(* mf_modexp with two turns at most for each bit of the exponent, R mod n in a register of its own, and t and acc that stay until a response:
   what modexp_ladder.v, modexp_square_multiply_always.v and modexp_l2r.v share. *)
From Coq Require Import ZArith Lia String.
Require Import Contract Powers modexp_lemmas modexp modexp_reader modexp_bits.
Open Scope string_scope. Open Scope Z_scope.

Section TwoTurns.
  Variables (W E B A DW CB SG PS : Z) (net : trace) (r : Z) (ok : Z -> Z -> Prop).
  Local Notation t := (value_t W E B A DW CB SG PS net). Local Notation acc := (value_acc W E B A DW CB SG PS net).
  (* What t and acc hold within a bit of the exponent: what stands for which power, the step, the bit, the number of the bits before it,
     t, acc. *)
  Variable holds : (Z -> Z -> Prop) -> Z -> Z -> Z -> Z -> Z -> Prop.
  Definition one := net "u_chains.gen_chain[0].u_chain.gen_one_word.word_q".
  Definition first (st : Z -> Z -> Prop) (f : state) s := st 0 (one s).
  Definition within st s d k := holds st (step net s) d k (t s) (acc s).
  Hypotheses (H_one_loads : one_loads W E B A DW CB SG PS net) (H_one_stays : one_stays W E B A DW CB SG PS net) (H_turns : turns W E B A DW CB SG PS net)
    (H_turn_stays : turn_stays W E B A DW CB SG PS net) (H_acc_stays : acc_stays W E B A DW CB SG PS net).
  Hypothesis legal : forall n x st d k a b, holds (stands n r ok x) st d k a b -> ok n a /\ ok n b.

  Lemma loads : loads_one W E B A DW CB SG PS net first.
  Proof. intros st s Q V Y H. unfold first. replace (one (S s)) with (net "r1_i" s); [exact H |]. symmetry. exact (H_one_loads s Q V Y). Qed.

  Lemma stays : keeps_one W E B A DW CB SG PS net first.
  Proof.
    intros st f g s H S0 _ Ab F _. unfold first. replace (one (S s)) with (one s); [exact H |]. symmetry. apply H_one_stays; [| exact Ab].
    destruct F as [[-> _] | [-> | [-> V]]]; cbn [at_state] in S0; auto.
  Qed.

  Lemma operands : legal_operands W E B A DW CB SG PS net r ok within.
  Proof.
    intros n x s d k H S0 _ _ _. destruct (legal _ _ _ _ _ _ _ H) as [La Lb]. destruct (H_turns s (or_introl (or_introl S0))) as (_ & _ & Z0).
    split; [exact La |]. unfold second. change (read_is_second net s = 0) in Z0. rewrite Z0. change (0 =? 1) with false. cbv iota.
    destruct (acc_is_second net s =? 1); assumption.
  Qed.

  Lemma waits : waits_on W E B A DW CB SG PS net within.
  Proof.
    intros st s k S0 Ab _ _ H. unfold within. destruct (H_turn_stays s S0 Ab) as (T & G & _). pose proof (H_acc_stays s S0 Ab) as C.
    change (t (S s) = t s) in T. change (step net (S s) = step net s) in G. change (acc (S s) = acc s) in C. rewrite T, G, C. exact H.
  Qed.
End TwoTurns.
