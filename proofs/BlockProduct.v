(* SPDX-License-Identifier: Apache-2.0 *)
(* mf_block_multiplier: a product of words of m blocks of B bits from the products of all pairs of blocks. Those of a block of y with even blocks of x are
   side by side in one row, those with odd blocks in another. *)
From Coq Require Import ZArith Lia.
Require Import DigitRecurrence WordSerial Bits BoothRows.
Open Scope Z_scope.
Set Default Proof Using "All".

Section Blocks.
  Variables (B P x y : Z) (m : nat).
  Let L := (Z.of_nat m + 1) * B.
  Let r := 2 ^ B.
  Let block (v : Z) (j : nat) : Z := (v / 2 ^ (Z.of_nat j * B)) mod 2 ^ B.
  Hypotheses (some : 1 <= B /\ (1 <= m)%nat) (x_range : 0 <= x < 2 ^ (Z.of_nat m * B)) (y_range : 0 <= y < 2 ^ (Z.of_nat m * B))
    (products : forall i j, (i < m)%nat -> (j < m)%nat -> part P ((2 * Z.of_nat i + Z.of_nat j mod 2) * L + Z.of_nat j * B) (2 * B) = block x j * block y i)
    (lowest : forall i, (i < m)%nat -> part P ((2 * Z.of_nat i + 1) * L) B = 0)
    (highest : forall i, (i < m)%nat -> part P ((2 * Z.of_nat i + Z.of_nat m mod 2) * L + Z.of_nat m * B) B = 0).

  Lemma blocks_of : forall v, 0 <= v < 2 ^ (Z.of_nat m * B) -> digits r (block v) m = v.
  Proof.
    intros v R. assert (1 < r) by (apply (Z.pow_gt_1 2 B); lia). rewrite <- (Z.mod_small v (pw r m)) at 2 by (unfold r; rewrite pw_words by lia; exact R).
    rewrite <- word_digits by lia. apply digits_ext. intros i _. unfold block, r. rewrite pw_words by lia. reflexivity.
  Qed.

  (* d digits of a row of block i of y *)
  Let low (i : nat) (h : Z) (d : nat) : Z := part P ((2 * Z.of_nat i + h) * L) (Z.of_nat d * B).

  Lemma longer : forall i h d k, 0 <= h -> low i h (d + k) = low i h d + pw r d * part P ((2 * Z.of_nat i + h) * L + Z.of_nat d * B) (Z.of_nat k * B).
  Proof.
    intros i h d k H. unfold low, r. rewrite pw_words by lia. replace (Z.of_nat (d + k) * B) with (Z.of_nat d * B + Z.of_nat k * B) by lia.
    assert (0 <= L) by (unfold L; apply Z.mul_nonneg_nonneg; lia). apply part_split; [apply Z.mul_nonneg_nonneg | apply Z.mul_nonneg_nonneg | apply Z.mul_nonneg_nonneg]; lia.
  Qed.

  Lemma two_rows : forall i, (i < m)%nat -> forall j, (j <= m)%nat ->
    low i (Z.of_nat j mod 2) j + low i (1 - Z.of_nat j mod 2) (j + 1) = digits r (block x) j * block y i.
  Proof.
    intros i I. induction j; intros J.
    - unfold low. change (Z.of_nat 0 mod 2) with 0. replace (Z.of_nat (0 + 1) * B) with B by lia. rewrite lowest by exact I. unfold part. change (2 ^ (Z.of_nat 0 * B)) with 1.
      rewrite Z.mod_1_r. reflexivity.
    - pose proof (Z.mod_pos_bound (Z.of_nat j) 2 ltac:(lia)) as M.
      assert (E : Z.of_nat (S j) mod 2 = 1 - Z.of_nat j mod 2).
      { rewrite Nat2Z.inj_succ. unfold Z.succ. rewrite Z.add_mod by lia. change (1 mod 2) with 1. assert (Z.of_nat j mod 2 = 0 \/ Z.of_nat j mod 2 = 1) as [-> | ->] by lia; reflexivity. }
      rewrite E. replace (1 - (1 - Z.of_nat j mod 2)) with (Z.of_nat j mod 2) by lia. replace (S j + 1)%nat with (j + 2)%nat by lia. rewrite longer by lia.
      change (Z.of_nat 2) with 2. rewrite products by lia. replace (S j) with (j + 1)%nat at 1 by lia. cbn [digits]. rewrite Z.mul_add_distr_r, <- IHj by lia. ring.
  Qed.

  Let row (k : nat) : Z := part P (Z.of_nat k * L) L * 2 ^ (Z.of_nat (Nat.div2 k) * B).

  Theorem block_product : total row (2 * m) = x * y.
  Proof.
    assert (1 < r) by (apply (Z.pow_gt_1 2 B); lia).
    assert (G : forall i, (i <= m)%nat -> total row (2 * i) = x * digits r (block y) i).
    { induction i; intros I; [cbn [total digits Nat.mul Nat.add]; lia |]. replace (2 * S i)%nat with (S (S (2 * i))) by lia. cbn [total]. rewrite IHi by lia. cbn [digits].
      assert (D : Nat.div2 (2 * i) = i /\ Nat.div2 (S (2 * i)) = i) by (split; [apply Nat.div2_double | apply Nat.div2_succ_double]). destruct D as [D0 D1].
      unfold row. rewrite D0, D1. pose proof (two_rows i ltac:(lia) m (le_n m)) as E. rewrite blocks_of in E by exact x_range.
      pose proof (longer i (Z.of_nat m mod 2) m 1 ltac:(apply Z.mod_pos_bound; lia)) as F. replace (Z.of_nat 1 * B) with B in F by lia. rewrite highest in F by lia.
      rewrite Z.mul_0_r, Z.add_0_r in F. rewrite <- F in E. unfold low in E. replace (Z.of_nat (m + 1) * B) with L in E by (unfold L; lia).
      replace (Z.of_nat (2 * i) * L) with ((2 * Z.of_nat i + 0) * L) by lia. replace (Z.of_nat (S (2 * i)) * L) with ((2 * Z.of_nat i + 1) * L) by lia.
      assert (S : part P ((2 * Z.of_nat i + 0) * L) L + part P ((2 * Z.of_nat i + 1) * L) L = x * block y i).
      { pose proof (Z.mod_pos_bound (Z.of_nat m) 2 ltac:(lia)). assert (Z.of_nat m mod 2 = 0 \/ Z.of_nat m mod 2 = 1) as [X | X] by lia; rewrite X in E;
          [change (1 - 0) with 1 in E | change (1 - 1) with 0 in E]; lia. }
      unfold r. rewrite pw_words by lia. rewrite <- Z.add_assoc, <- Z.mul_add_distr_r, S. ring. }
    rewrite G by lia. rewrite blocks_of by exact y_range. reflexivity.
  Qed.
End Blocks.
