(* SPDX-License-Identifier: Apache-2.0 *)
(* The constant of designs with a scaled modulus: n-bar = (n n' + 1) / 2^bits, with the centred n'. *)
From Coq Require Import ZArith Lia.
Open Scope Z_scope.

Definition scaled (bits n h : Z) : Prop := exists m, - 2 ^ bits <= 2 * m < 2 ^ bits /\ 2 ^ bits * h = n * m + 1.

(* |n-bar| <= n / 2. *)
Lemma scaled_range : forall bits n h, 1 <= bits -> 0 < n -> scaled bits n h -> - n <= 2 * h <= n.
Proof.
  intros bits n h B N (m & M & E). assert (P : 2 <= 2 ^ bits) by (change 2 with (2 ^ 1) at 1; apply Z.pow_le_mono_r; lia). set (L := 2 ^ bits) in *.
  assert (- (L * n) <= 2 * (n * m) <= L * n - n) by nia.
  split; [apply (Z.mul_le_mono_pos_l _ _ L); lia |].
  destruct (Z.le_gt_cases (2 * h) n) as [| G]; [assumption |]. assert (L * (n + 1) <= L * (2 * h)) by (apply Z.mul_le_mono_nonneg_l; lia). lia.
Qed.
