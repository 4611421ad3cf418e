(* SPDX-License-Identifier: Apache-2.0 *)
(* mf_modexp, a squaring and a product for each bit, which is dropped for a bit 0. *)
From Coq Require Import ZArith Lia String.
Require Import Contract Powers modexp_lemmas modexp modexp_reader modexp_bits modexp_two_turns.
Open Scope Z_scope.

(* acc stands for the base; t before the squaring for the bits of k, after it for twice as many. *)
Definition holds (st : Z -> Z -> Prop) (step d k a b : Z) : Prop :=
  0 <= d <= 1 /\ st 1 b /\ ((step = 2 /\ st k a) \/ (step = 3 /\ st (2 * k) a)).

Section SquareMultiplyAlways.
  Variables (W E B A DW CB SG PS : Z) (net : trace) (r : Z) (ok : Z -> Z -> Prop).
  Local Notation t := (value_t W E B A DW CB SG PS). Local Notation acc := (value_acc W E B A DW CB SG PS). Local Notation read := (value_read W E B A DW CB SG PS).
  Local Notation p := (value_product W E B A DW CB SG PS). Local Notation second := (second W E B A DW CB SG PS).
  Hypotheses (H_digit_bit : digit_bit W E B A DW CB SG PS net) (H_bits : bits W E B A DW CB SG PS net) (H_enters : enters W E B A DW CB SG PS net) (H_middle : middle_taken W E B A DW CB SG PS net)
    (H_last : last_taken W E B A DW CB SG PS net) (H_leaves : leaves W E B A DW CB SG PS net) (H_turns : turns W E B A DW CB SG PS net).

  Lemma legal : forall n x st d k a b, holds (stands n r ok x) st d k a b -> ok n a /\ ok n b.
  Proof. intros n x st d k a b (_ & [Hb _] & [(_ & Ha & _) | (_ & Ha & _)]); auto. Qed.

  Lemma enters_on : begins W E B A DW CB SG PS net r ok (first net) (within W E B A DW CB SG PS net holds).
  Proof.
    intros s n x S0 Ab V Wr X1 X0. destruct (H_enters s S0 Ab V Wr) as (S1 & G & T1 & C1 & N1 & Tk).
    change (step net (S s) = 2) in G. change (t net (S s) = one net s) in T1. change (acc net (S s) = p net s) in C1.
    destruct (bit_range _ _ _ _ _ _ _ _ _ H_digit_bit H_bits s) as (D & _). split; [exact S1 |]. split; [exact N1 |]. left. split; [exact Tk |]. rewrite G. split; [discriminate |]. intros _. unfold within. rewrite G, T1, C1.
    split; [exact D |]. auto.
  Qed.

  Lemma turns_on : goes_on W E B A DW CB SG PS net r ok (within W E B A DW CB SG PS net holds).
  Proof.
    intros s n x k Cp Ln Kp S0 G Ab V (D & Hb & Ha) P. destruct (H_turns s (or_intror S0)) as (Sx & _ & Tb). change (read_is_second net s = 0) in Tb.
    change (acc_is_second net s = if step net s =? 5 then 1 else if step net s =? 3 then 1 else if step net s =? 2 then 0 else 0) in Sx.
    destruct (bit_range _ _ _ _ _ _ _ _ _ H_digit_bit H_bits s) as (_ & Bt & Bv). destruct Ha as [[G2 Ha] | [G3 Ha]].
    - assert (Q : second net s = t net s) by (unfold second; rewrite Tb, Sx, G2; reflexivity). rewrite Q in P.
      destruct (H_middle s S0 G2 Ab V) as (S1 & G1 & T1 & C1 & N1 & Tk). change (step net (S s) = 3) in G1.
      change (t net (S s) = p net s) in T1. change (acc net (S s) = acc net s) in C1.
      split; [exact S1 |]. split; [exact N1 |]. left. split; [exact Tk |]. rewrite G1. split; [discriminate |]. intros _. unfold within. rewrite G1, T1, C1. split; [exact D |].
      split; [exact Hb |]. right. split; [reflexivity |]. replace (2 * k) with (k + k) by ring.
      apply (multiplied n r ok x Cp Ln _ _ _ _ _ P Ha Ha); lia.
    - assert (Q : second net s = acc net s) by (unfold second; rewrite Tb, Sx, G3; reflexivity). rewrite Q in P.
      pose proof (multiplied n r ok x Cp Ln _ _ _ _ _ P Ha Hb ltac:(lia) ltac:(lia)) as H2.
      assert (X : stands n r ok x (2 * k + digit net s) (if digit net s =? 1 then p net s else t net s)).
      { destruct (Z.eqb_spec (digit net s) 1) as [-> | X]; [exact H2 |]. replace (2 * k + digit net s) with (2 * k) by lia. exact Ha. }
      destruct Bv as [Bv | Bv].
      + destruct (H_leaves s S0 G3 Ab V Bv) as (S1 & G1 & T1 & C1 & N1 & Tk).
        change (step net (S s) = 5) in G1. change (acc net (S s) = 1) in C1.
        change (t net (S s) = if digit net s =? 1 then p net s else t net s) in T1.
        split; [exact S1 |]. split; [exact N1 |]. right. right. rewrite T1. auto.
      + destruct (H_last s S0 G3 Ab V Bv) as (S1 & G1 & T1 & C1 & N1 & Tk). change (step net (S s) = 2) in G1.
        change (t net (S s) = if digit net s =? 1 then p net s else t net s) in T1. change (acc net (S s) = acc net s) in C1.
        split; [exact S1 |]. split; [exact N1 |]. right. left. split; [exact Tk |]. split; [exact Bv |]. rewrite G1.
        split; [discriminate |]. intros _. unfold within. rewrite G1, T1, C1. split; [exact Bt |]. split; [exact Hb |]. left. auto.
  Qed.
End SquareMultiplyAlways.
