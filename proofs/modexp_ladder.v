(* SPDX-License-Identifier: Apache-2.0 *)
(* mf_modexp with Montgomery's ladder, a product and a squaring for each bit. *)
From Coq Require Import ZArith Lia String.
Require Import Contract Powers modexp_lemmas modexp modexp_reader modexp_bits modexp_two_turns.
Open Scope Z_scope.

(* Before the product of a bit d, after the bits of k: the register that the squaring replaces stands for k + d, the other one for the
   other of k and k + 1. After it acc stands for their product. *)
Definition holds (st : Z -> Z -> Prop) (step d k a b : Z) : Prop :=
  0 <= d <= 1 /\ st (k + d) a /\ ((step = 3 /\ st (k + 1 - d) b) \/ (step = 2 /\ st (2 * k + 1) b)).

Section Ladder.
  Variables (W E B A DW CB SG PS : Z) (net : trace) (r : Z) (ok : Z -> Z -> Prop).
  Local Notation t := (value_t W E B A DW CB SG PS). Local Notation acc := (value_acc W E B A DW CB SG PS). Local Notation read := (value_read W E B A DW CB SG PS).
  Local Notation p := (value_product W E B A DW CB SG PS). Local Notation second := (second W E B A DW CB SG PS).
  Hypotheses (H_digit_bit : digit_bit W E B A DW CB SG PS net) (H_bits : bits W E B A DW CB SG PS net) (H_enters : enters W E B A DW CB SG PS net) (H_middle : middle_taken W E B A DW CB SG PS net)
    (H_last : last_taken W E B A DW CB SG PS net) (H_leaves : leaves W E B A DW CB SG PS net) (H_turns : turns W E B A DW CB SG PS net).

  Lemma legal : forall n x st d k a b, holds (stands n r ok x) st d k a b -> ok n a /\ ok n b.
  Proof. intros n x st d k a b (_ & [Ha _] & [(_ & Hb & _) | (_ & Hb & _)]); auto. Qed.

  Lemma enters_on : begins W E B A DW CB SG PS net r ok (first net) (within W E B A DW CB SG PS net holds).
  Proof.
    intros s n x S0 Ab V Wr X1 X0. destruct (H_enters s S0 Ab V Wr) as (S1 & G & T1 & C1 & N1 & Tk).
    change (step net (S s) = 3) in G. change (t net (S s) = if digit net s =? 1 then p net s else one net s) in T1.
    change (acc net (S s) = if digit net s =? 1 then one net s else p net s) in C1.
    destruct (bit_range _ _ _ _ _ _ _ _ _ H_digit_bit H_bits s) as (D & _). split; [exact S1 |]. split; [exact N1 |]. left. split; [exact Tk |]. rewrite G. split; [discriminate |]. intros _. unfold within. rewrite G, T1, C1.
    split; [exact D |]. destruct (Z.eqb_spec (digit net s) 1) as [-> | X]; [| replace (digit net s) with 0 by lia]; auto.
  Qed.

  Lemma turns_on : goes_on W E B A DW CB SG PS net r ok (within W E B A DW CB SG PS net holds).
  Proof.
    intros s n x k Cp Ln Kp S0 G Ab V (D & Ha & Hb) P. destruct (H_turns s (or_intror S0)) as (Sx & _ & Tb). change (read_is_second net s = 0) in Tb.
    destruct (bit_range _ _ _ _ _ _ _ _ _ H_digit_bit H_bits s) as (_ & Bt & Bv). destruct Hb as [[G3 Hb] | [G2 Hb]].
    - assert (Q : second net s = acc net s).
      { unfold second. change (acc_is_second net s = if step net s =? 5 then 1 else if step net s =? 2 then 0 else if step net s =? 3 then 1 else 0) in Sx.
        rewrite Tb, Sx, G3. reflexivity. }
      destruct (H_middle s S0 G3 Ab V) as (S1 & G1 & T1 & C1 & N1 & Tk). change (step net (S s) = 2) in G1.
      change (t net (S s) = t net s) in T1. change (acc net (S s) = p net s) in C1.
      split; [exact S1 |]. split; [exact N1 |]. left. split; [exact Tk |]. rewrite G1. split; [discriminate |]. intros _. unfold within. rewrite G1, T1, C1. split; [exact D |].
      split; [exact Ha |]. right. split; [reflexivity |]. rewrite Q in P.
      replace (2 * k + 1) with (k + digit net s + (k + 1 - digit net s)) by ring.
      apply (multiplied n r ok x Cp Ln _ _ _ _ _ P Ha Hb); lia.
    - assert (Q : second net s = t net s).
      { unfold second. change (acc_is_second net s = if step net s =? 5 then 1 else if step net s =? 2 then 0 else if step net s =? 3 then 1 else 0) in Sx.
        rewrite Tb, Sx, G2. reflexivity. }
      rewrite Q in P. pose proof (multiplied n r ok x Cp Ln _ _ _ _ _ P Ha Ha ltac:(lia) ltac:(lia)) as H2.
      destruct Bv as [Bv | Bv].
      + destruct (H_leaves s S0 G2 Ab V Bv) as (S1 & G1 & T1 & C1 & N1 & Tk).
        change (step net (S s) = 5) in G1. change (acc net (S s) = 1) in C1.
        change (t net (S s) = if digit net s =? (if bit_valid net s =? 1 then bit net s else 0) then p net s else acc net s) in T1.
        split; [exact S1 |]. split; [exact N1 |]. right. right. split; [exact Tk |]. split; [exact Bv |]. split; [exact G1 |]. split; [| exact C1].
        rewrite T1, Bv. change (0 =? 1) with false. cbv iota. destruct (Z.eqb_spec (digit net s) 0) as [X | X].
        * rewrite X in *. replace (2 * k + 0) with (k + 0 + (k + 0)) by ring. exact H2.
        * replace (digit net s) with 1 by lia. exact Hb.
      + destruct (H_last s S0 G2 Ab V Bv) as (S1 & G1 & T1 & C1 & N1 & Tk).
        change (step net (S s) = 3) in G1.
        change (t net (S s) = if digit net s =? (if bit_valid net s =? 1 then bit net s else 0) then p net s else acc net s) in T1.
        change (acc net (S s) = if digit net s =? (if bit_valid net s =? 1 then bit net s else 0) then acc net s else p net s) in C1.
        split; [exact S1 |]. split; [exact N1 |]. right. left. split; [exact Tk |]. split; [exact Bv |]. rewrite G1. split; [discriminate |].
        intros _. unfold within. rewrite G1, T1, C1, Bv. change (1 =? 1) with true. cbv iota. split; [exact Bt |]. split; [| left; split; [reflexivity |]].
        * destruct (Z.eqb_spec (digit net s) (bit net s)) as [X | X]; rewrite ?X in *.
          -- replace (2 * k + bit net s + bit net s) with (k + bit net s + (k + bit net s)) by ring. exact H2.
          -- replace (2 * k + digit net s + bit net s) with (2 * k + 1) by lia. exact Hb.
        * destruct (Z.eqb_spec (digit net s) (bit net s)) as [X | X]; rewrite ?X in *.
          -- replace (2 * k + bit net s + 1 - bit net s) with (2 * k + 1) by ring. exact Hb.
          -- replace (2 * k + digit net s + 1 - bit net s) with (k + digit net s + (k + digit net s)) by lia. exact H2.
  Qed.
End Ladder.
