(* SPDX-License-Identifier: Apache-2.0 *)
(* A pair that goes through rows of half adders: each row leaves one more 0 at the bottom of the carry vector. *)
From Coq Require Import ZArith Lia.
Open Scope Z_scope.

Lemma land_divides : forall k s c, 0 <= k -> (2 ^ k | c) -> (2 ^ k | Z.land s c).
Proof.
  intros k s c K D. apply Z.mod_divide; [apply Z.pow_nonzero; lia |]. apply Z.mod_divide in D; [| apply Z.pow_nonzero; lia].
  rewrite <- Z.land_ones in * by assumption. rewrite <- Z.land_assoc, D. apply Z.land_0_r.
Qed.

Lemma low_divides : forall k m x, 0 <= k -> 0 <= m -> (2 ^ k | x) -> (2 ^ k | x mod 2 ^ m).
Proof.
  intros k m x K M D. destruct (Z.le_gt_cases k m) as [L | L].
  - rewrite Z.mod_eq by (apply Z.pow_nonzero; lia). apply Z.divide_sub_r; [exact D |]. apply Z.divide_mul_l.
    exists (2 ^ (m - k)). rewrite <- Z.pow_add_r by lia. f_equal. lia.
  - replace (x mod 2 ^ m) with 0; [apply Z.divide_0_r |]. symmetry. apply Z.mod_divide; [apply Z.pow_nonzero; lia |].
    apply Z.divide_trans with (2 ^ k); [| exact D]. exists (2 ^ (k - m)). rewrite <- Z.pow_add_r by lia. f_equal. lia.
Qed.

(* The carry vector of one row. *)
Theorem row_divides : forall k m s c, 0 <= k -> 0 <= m -> (2 ^ k | c) -> (2 ^ (k + 1) | (2 * Z.land s c) mod 2 ^ m).
Proof.
  intros k m s c K M D. apply low_divides; [lia | exact M |]. rewrite Z.pow_add_r, Z.mul_comm by lia. apply Z.mul_divide_mono_l. apply land_divides; assumption.
Qed.

Lemma divides_double : forall k c, 0 <= k -> (2 ^ k | c) -> (2 ^ (k + 1) | 2 * c).
Proof. intros k c K D. rewrite Z.pow_add_r, Z.mul_comm by lia. apply Z.mul_divide_mono_l. exact D. Qed.

Lemma divides_half : forall k c, 0 <= k -> (2 ^ (k + 1) | c) -> (2 ^ k | c / 2).
Proof. intros k c K [q ->]. exists q. rewrite Z.pow_add_r by lia. replace (q * (2 ^ k * 2 ^ 1)) with (q * 2 ^ k * 2) by ring. apply Z.div_mul. lia. Qed.

Lemma divided_small : forall k m c, 0 <= c < 2 ^ m -> m <= k -> 0 <= m -> (2 ^ k | c) -> c = 0.
Proof.
  intros k m c C L M D. destruct (Z.eq_dec c 0) as [| N]; [assumption |]. pose proof (Z.divide_pos_le (2 ^ k) c ltac:(lia) D).
  pose proof (Z.pow_le_mono_r 2 m k ltac:(lia) L). lia.
Qed.
