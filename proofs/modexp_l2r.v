(* SPDX-License-Identifier: Apache-2.0 *)
(* mf_modexp from left to right: a squaring for each bit, and a product for a bit 1. *)
From Coq Require Import ZArith Lia String.
Require Import Contract Powers modexp_lemmas modexp modexp_reader modexp_bits modexp_two_turns.
Open Scope Z_scope.

(* acc stands for the base; t before the squaring for the bits of k, after it, before a product, for twice as many. *)
Definition holds (st : Z -> Z -> Prop) (step d k a b : Z) : Prop :=
  0 <= d <= 1 /\ st 1 b /\ ((step = 2 /\ st k a) \/ (step = 3 /\ d = 1 /\ st (2 * k) a)).

Section LeftToRight.
  Variables (W E B A DW CB SG PS : Z) (net : trace) (r : Z) (ok : Z -> Z -> Prop).
  Local Notation t := (value_t W E B A DW CB SG PS). Local Notation acc := (value_acc W E B A DW CB SG PS).
  Local Notation p := (value_product W E B A DW CB SG PS). Local Notation second := (second W E B A DW CB SG PS).
  Hypotheses (H_digit_bit : digit_bit W E B A DW CB SG PS net) (H_bits : bits W E B A DW CB SG PS net) (H_enters : enters W E B A DW CB SG PS net)
    (H_middle : middle_taken W E B A DW CB SG PS net) (H_last : last_taken W E B A DW CB SG PS net) (H_leaves : leaves W E B A DW CB SG PS net)
    (H_skipped : skipped W E B A DW CB SG PS net) (H_skipped_leaves : skipped_leaves W E B A DW CB SG PS net) (H_turns : turns W E B A DW CB SG PS net).

  Lemma legal : forall n x st d k a b, holds (stands n r ok x) st d k a b -> ok n a /\ ok n b.
  Proof. intros n x st d k a b (_ & [Hb _] & [(_ & Ha & _) | (_ & _ & Ha & _)]); auto. Qed.

  Lemma enters_on : begins W E B A DW CB SG PS net r ok (first net) (within W E B A DW CB SG PS net holds).
  Proof.
    intros s n x S0 Ab V Wr X1 X0. destruct (H_enters s S0 Ab V Wr) as (S1 & G & T1 & C1 & N1 & Tk).
    change (step net (S s) = 2) in G. change (t net (S s) = one net s) in T1. change (acc net (S s) = p net s) in C1.
    destruct (bit_range _ _ _ _ _ _ _ _ _ H_digit_bit H_bits s) as (D & _). split; [exact S1 |]. split; [exact N1 |]. left. split; [exact Tk |]. rewrite G.
    split; [discriminate |]. intros _. unfold within. rewrite G, T1, C1. split; [exact D |]. auto.
  Qed.

  Lemma turns_on : goes_on W E B A DW CB SG PS net r ok (within W E B A DW CB SG PS net holds).
  Proof.
    intros s n x k Cp Ln Kp S0 G Ab V (D & Hb & Ha) P. destruct (H_turns s (or_intror S0)) as (Sx & _ & Tb). change (read_is_second net s = 0) in Tb.
    change (acc_is_second net s = if step net s =? 5 then 1 else if step net s =? 3 then 1 else if step net s =? 2 then 0 else 0) in Sx.
    destruct (bit_range _ _ _ _ _ _ _ _ _ H_digit_bit H_bits s) as (_ & Bt & Bv).
    (* with the next bit, or none *)
    assert (ended : forall q, stands n r ok x (2 * k + digit net s) q ->
      (bit_valid net s = 0 -> begun W E B A DW CB SG PS net (S s) /\ step net (S s) = 5 /\ t net (S s) = q /\ acc net (S s) = 1 /\ nq net (S s) = nq net s /\ take net s = 0) ->
      (bit_valid net s = 1 -> begun W E B A DW CB SG PS net (S s) /\ step net (S s) = 2 /\ t net (S s) = q /\ acc net (S s) = acc net s /\ nq net (S s) = nq net s /\ take net s = 1) ->
      moves_on W E B A DW CB SG PS net r ok (within W E B A DW CB SG PS net holds) s n x k).
    { intros q X L N. destruct Bv as [Bv | Bv].
      - destruct (L Bv) as (S1 & G1 & T1 & C1 & N1 & Tk). split; [exact S1 |]. split; [exact N1 |]. right. right. rewrite T1. auto.
      - destruct (N Bv) as (S1 & G1 & T1 & C1 & N1 & Tk). split; [exact S1 |]. split; [exact N1 |]. right. left. split; [exact Tk |]. split; [exact Bv |]. rewrite G1.
        split; [discriminate |]. intros _. unfold within. rewrite G1, T1, C1. split; [exact Bt |]. split; [exact Hb |]. left. auto. }
    destruct Ha as [[G2 Ha] | (G3 & D1 & Ha)].
    - assert (Q : second net s = t net s) by (unfold second; rewrite Tb, Sx, G2; reflexivity). rewrite Q in P.
      pose proof (multiplied n r ok x Cp Ln _ _ _ _ _ P Ha Ha ltac:(lia) ltac:(lia)) as X. replace (k + k) with (2 * k) in X by ring.
      destruct (Z.eq_dec (digit net s) 0) as [D0 | D1].
      + apply (ended (p net s)); [rewrite D0, Z.add_0_r; exact X | intros Z0; exact (H_skipped_leaves s S0 G2 Ab V D0 Z0) | intros Z1; exact (H_skipped s S0 G2 Ab V D0 Z1)].
      + assert (D2 : digit net s = 1) by lia. destruct (H_middle s S0 G2 Ab V D2) as (S1 & G1 & T1 & C1 & N1 & Tk). change (step net (S s) = 3) in G1.
        change (t net (S s) = p net s) in T1. change (acc net (S s) = acc net s) in C1.
        split; [exact S1 |]. split; [exact N1 |]. left. split; [exact Tk |]. rewrite G1. split; [discriminate |]. intros _. unfold within. rewrite G1, T1, C1.
        split; [exact D |]. split; [exact Hb |]. right. auto.
    - assert (Q : second net s = acc net s) by (unfold second; rewrite Tb, Sx, G3; reflexivity). rewrite Q in P.
      pose proof (multiplied n r ok x Cp Ln _ _ _ _ _ P Ha Hb ltac:(lia) ltac:(lia)) as X.
      apply (ended (p net s)); [rewrite D1; exact X | intros Z0; exact (H_leaves s S0 G3 Ab V Z0) | intros Z1; exact (H_last s S0 G3 Ab V Z1)].
  Qed.
End LeftToRight.
