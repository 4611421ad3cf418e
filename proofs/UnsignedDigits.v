(* SPDX-License-Identifier: Apache-2.0 *)
(* A Montgomery product by digits of the quotient of 0 to r - 1, the lowest ones of Y, which are used D steps later, for a modulus that is -1 modulo r^(D+1). *)
From Coq Require Import ZArith Lia.
Require Import Light DigitRecurrence Instances.
Open Scope Z_scope.

(* r Y' = Y - u + r d b + r q(t-D) n-bar, r^(D+1) n-bar = n n' + 1, with digits q = u of 0 to r - 1. *)
Theorem unsigned_digits : forall r n ni nbar a b K D Y d u, 1 < r -> 0 < n -> pw r (S D) * nbar = n * ni + 1 -> 0 <= ni < pw r (S D) -> 4 * pw r (S D) * n <= pw r K ->
  0 <= a < 2 * pw r (S D) * n -> 0 <= b < 2 * pw r (S D) * n -> Y O = 0 -> a = digits r d (D + S K) -> (forall t, 0 <= u t < r) ->
  (forall t, (t < D + S K)%nat -> r * Y (S t) = Y t - u t + r * (d t * b) + r * (delayed D u t * nbar)) ->
  let p := pw r D * Y (D + S K)%nat + digits r (fun i => u (S K + i)%nat) D in montgomery n (pw r K) a b p /\ 0 <= p < 2 * pw r (S D) * n.
Proof.
  intros r n ni nbar a b K D Y d u R N E I room A B Y0 digits_of_a U step p. set (L := pw r (S D)) in *. pose proof (pw_pos r K ltac:(lia)) as PK. set (P := pw r K) in *.
  assert (F : pw r (S K) * p = r * (b * a) + n * ni * digits r u (S K)).
  { pose proof (digit_recurrence r b nbar (n * ni) 1 1 D (S K) Y d u u (fun _ => 0)) as G. unfold result in G. cbn [pw Nat.add] in G. rewrite !Z.mul_1_r, !Z.add_0_r in G.
    unfold p. rewrite digits_of_a. rewrite <- (Z.add_0_l (r * _)), <- Y0. apply G; clear G; [exact step | intros t T; lia | reflexivity | exact E]. }
  assert (U0 : u O = 0).
  { pose proof (step O ltac:(lia)) as G. rewrite Y0 in G. pose proof (U O).
    rewrite <- (Z.mod_small (u O) r) by apply U. replace (u O) with ((d O * b + delayed D u 0 * nbar - Y 1%nat) * r) by lia. apply Z_mod_mult. }
  set (Q := digits r (fun i => u (1 + i)%nat) K).
  assert (EQ : digits r u (S K) = r * Q) by (change (S K) with (1 + K)%nat; rewrite digits_split; cbn [digits pw]; rewrite U0; unfold Q; ring).
  assert (QB : 0 <= Q < P) by (apply digits_bound; [lia | intros; apply U]).
  rewrite EQ in F. cbn [pw] in F. fold P in F. assert (G : P * p = a * b + n * ni * Q) by (apply (Z.mul_reg_l _ _ r); lia).
  split; [exists (ni * Q); lia |].
  assert (AB : 0 <= a * b <= (2 * L * n) * (2 * L * n)) by (split; [apply Z.mul_nonneg_nonneg; lia | apply Z.mul_le_mono_nonneg; lia]).
  assert (0 < L) by (apply pw_pos; lia).
  assert (AB' : (2 * L * n) * (2 * L * n) <= L * n * P) by (replace ((2 * L * n) * (2 * L * n)) with (L * n * (4 * L * n)) by ring; apply Z.mul_le_mono_nonneg_l; [apply Z.mul_nonneg_nonneg; lia | exact room]).
  assert (NQ : 0 <= ni * Q < L * P) by (split; [apply Z.mul_nonneg_nonneg; lia | apply Z.mul_lt_mono_nonneg; lia]).
  assert (NQ' : 0 <= n * (ni * Q) < n * (L * P)) by (split; [apply Z.mul_nonneg_nonneg; lia | apply Z.mul_lt_mono_pos_l; lia]).
  assert (0 <= P * p < P * (2 * L * n)) by lia.
  split; [apply (Z.mul_le_mono_pos_l _ _ P); lia | apply (Z.mul_lt_mono_pos_l P); lia].
Qed.
