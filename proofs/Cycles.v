(* SPDX-License-Identifier: Apache-2.0 *)
(* Control by a register with a bit for each cycle of an operation: a request is accepted, in cycle 0 of it, if no operation is in one of the cycles 1 to interval - 1. *)
From Coq Require Import ZArith Lia Bool.
Require Import Contract Bits.
Open Scope Z_scope.
Set Default Proof Using "All".

(* A part of a vector is 0 if and only if all its bits are. *)
Lemma no_bits : forall x low k, 0 <= low -> (forall i, (i < k)%nat -> part x (low + Z.of_nat i) 1 = 0) -> part x low (Z.of_nat k) = 0.
Proof.
  induction k; intros L H; [unfold part; apply Z.mod_1_r |]. rewrite Nat2Z.inj_succ. unfold Z.succ. rewrite part_split by lia. rewrite IHk, H by (try intros; try apply H; lia). lia.
Qed.

Lemma no_bit : forall x low k i, 0 <= low -> part x low (Z.of_nat k) = 0 -> (i < k)%nat -> part x (low + Z.of_nat i) 1 = 0.
Proof.
  intros x low k i L Z0 I. replace (Z.of_nat k) with (Z.of_nat i + (1 + Z.of_nat (k - S i))) in Z0 by lia. rewrite !part_split in Z0 by lia.
  pose proof (part_range x low (Z.of_nat i) ltac:(lia)). pose proof (part_range x (low + Z.of_nat i) 1 ltac:(lia)). pose proof (part_range x (low + Z.of_nat i + 1) (Z.of_nat (k - S i)) ltac:(lia)).
  assert (0 < 2 ^ Z.of_nat i) by (apply Z.pow_pos_nonneg; lia). nia.
Qed.

Section Cycles.
  (* the register with the present request below it; its topmost bit is that of the last cycle *)
  Variables (cycle : nat -> Z) (interval last : nat).
  Let bit (e t : nat) : Z := part (cycle t) (Z.of_nat e) 1.
  Hypotheses (enough : (interval <= last)%nat) (moves : forall t e, 0 <= e < Z.of_nat last -> part (cycle (S t)) (e + 1) 1 = part (cycle t) e 1)
    (empty : part (cycle O) 1 (Z.of_nat last) = 0) (accepts : forall t, part (cycle t) 0 1 = 1 -> part (cycle t) 1 (Z.of_nat (interval - 1)) = 0).

  Lemma later : forall e t, (e <= last)%nat -> bit e t = if (e <=? t)%nat then bit 0 (t - e) else 0.
  Proof.
    induction e; intros t L; [destruct (Nat.leb_spec 0 t); [rewrite Nat.sub_0_r; reflexivity | lia] |]. destruct t as [| t].
    - pose proof (no_bit _ 1 last e ltac:(lia) empty ltac:(lia)) as B. unfold bit. replace (Z.of_nat (S e)) with (1 + Z.of_nat e) by lia. exact B.
    - pose proof (moves t (Z.of_nat e) ltac:(lia)) as C. unfold bit at 1. replace (Z.of_nat (S e)) with (Z.of_nat e + 1) by lia. rewrite C. fold (bit e t). rewrite IHe by lia. reflexivity.
  Qed.

  Lemma bit_is : forall e t, bit e t = 0 \/ bit e t = 1.
  Proof. intros. pose proof (bit_range (cycle t) (Z.of_nat e)). unfold bit. lia. Qed.

  Lemma alone : forall c j, bit 0 c = 1 -> (1 <= j < interval)%nat -> bit 0 (c + j) = 0.
  Proof.
    intros c j A L. destruct (bit_is 0 (c + j)) as [| B]; [assumption |]. exfalso.
    pose proof (no_bit _ 1 _ (j - 1) ltac:(lia) (accepts _ B) ltac:(lia)) as N. replace (1 + Z.of_nat (j - 1)) with (Z.of_nat j) in N by lia. fold (bit j (c + j)) in N.
    rewrite later in N by lia. destruct (Nat.leb_spec j (c + j)); [| lia]. replace (c + j - j)%nat with c in N by lia. congruence.
  Qed.

  (* the bits in cycle d of an operation that is accepted in cycle c *)
  Theorem bit_at : forall c d e, bit 0 c = 1 -> (d <= last)%nat -> (e <= last)%nat -> (d < e + interval)%nat -> (e < d + interval)%nat -> bit e (c + d) = if (d =? e)%nat then 1 else 0.
  Proof.
    intros c d e begins A B X Y. rewrite later by assumption. destruct (Nat.eqb_spec d e) as [-> | N].
    - destruct (Nat.leb_spec e (c + e)); [| lia]. replace (c + e - e)%nat with c by lia. exact begins.
    - destruct (Nat.leb_spec e (c + d)); [| reflexivity]. destruct (Nat.lt_ge_cases e d).
      + replace (c + d - e)%nat with (c + (d - e))%nat by lia. apply alone; [exact begins | lia].
      + destruct (bit_is 0 (c + d - e)) as [| B1]; [assumption |]. pose proof (alone _ (e - d) B1 ltac:(lia)) as Z0. replace (c + d - e + (e - d))%nat with c in Z0 by lia. congruence.
  Qed.

  Theorem bits_at : forall c d s k, bit 0 c = 1 -> (d < interval)%nat -> (s + k <= interval)%nat ->
    (part (cycle (c + d)%nat) (Z.of_nat s) (Z.of_nat k) =? 0) = negb ((s <=? d)%nat && (d <? s + k)%nat).
  Proof.
    intros c d s k begins L S. assert (E : forall i, (i < k)%nat -> part (cycle (c + d)%nat) (Z.of_nat s + Z.of_nat i) 1 = if (d =? s + i)%nat then 1 else 0).
    { intros i B. replace (Z.of_nat s + Z.of_nat i) with (Z.of_nat (s + i)) by lia. apply bit_at; [exact begins | lia ..]. }
    destruct (Nat.leb_spec s d) as [A | A]; cbn [andb negb].
    - destruct (Nat.ltb_spec d (s + k)); cbn [negb].
      + apply Z.eqb_neq. intros Z0. pose proof (no_bit _ (Z.of_nat s) k (d - s) ltac:(lia) Z0 ltac:(lia)) as N. rewrite E in N by lia. destruct (Nat.eqb_spec d (s + (d - s))); [discriminate | lia].
      + apply Z.eqb_eq, no_bits; [lia |]. intros i B. rewrite E by lia. destruct (Nat.eqb_spec d (s + i)); [lia | reflexivity].
    - apply Z.eqb_eq, no_bits; [lia |]. intros i B. rewrite E by lia. destruct (Nat.eqb_spec d (s + i)); [lia | reflexivity].
  Qed.
End Cycles.
