(* SPDX-License-Identifier: Apache-2.0 *)
(* mf_booth_csa_core with digits of the quotient that take effect a cycle later: Orup's recurrence, then two digits for n itself. *)
From Coq Require Import ZArith Znumtheory Lia.
Require Import DigitRecurrence Instances.
Open Scope Z_scope.
Set Default Proof Using "All".

(* Signed digits, of which all of an operand's are found. *)
Lemma digits_bound_signed : forall h f k, 1 < h -> (forall t, (t < k)%nat -> - h <= f t <= h) -> (2 * h - 1) * Z.abs (digits (2 * h) f k) <= h * (pw (2 * h) k - 1).
Proof.
  intros h f k Hh. induction k; intros F; cbn [digits pw]; [lia |]. specialize (IHk ltac:(intros; apply F; lia)). specialize (F k ltac:(lia)).
  pose proof (pw_pos (2 * h) k ltac:(lia)). set (P := pw (2 * h) k) in *. set (D := digits (2 * h) f k) in *.
  pose proof (range_mul P (f k) P h ltac:(lia) F). assert (Z.abs (D + P * f k) <= Z.abs D + P * h) by lia.
  assert ((2 * h - 1) * Z.abs (D + P * f k) <= (2 * h - 1) * (Z.abs D + P * h)) by (apply Z.mul_le_mono_nonneg_l; lia). lia.
Qed.

Theorem all_digits : forall h n a M left value, 1 < h -> - n < a < n -> 4 * n <= pw (2 * h) M -> left O = a ->
  (forall t, (t < M)%nat -> left t = 2 * h * left (S t) + value t) -> (forall t, (t < M)%nat -> - h <= value t <= h) -> a = digits (2 * h) value M.
Proof.
  intros h n a M left value Hh A big start step range. pose proof (shifted_out (2 * h) left value M step) as E. rewrite start in E.
  pose proof (digits_bound_signed h value M Hh range) as B.
  pose proof (pw_pos (2 * h) M ltac:(lia)). set (P := pw (2 * h) M) in *. set (D := digits _ _ M) in *.
  assert (D3 : 3 * Z.abs D <= 2 * P).
  { apply (Z.mul_le_mono_pos_l _ _ (2 * h - 1)); [lia |]. assert (2 * P <= h * P) by (apply Z.mul_le_mono_nonneg_r; lia). lia. }
  assert (X : left M = 0); [| rewrite X in E; lia].
  destruct (Z.eq_dec (left M) 0) as [| NZ]; [assumption |]. assert (P <= P * Z.abs (left M)) by (apply Z.le_mul_diag_r; lia).
  rewrite <- (Z.abs_eq P) in H0 at 2 by lia. rewrite <- Z.abs_mul in H0. lia.
Qed.

Section LateBooth.
  Variables (h n ni nbar a b : Z) (m : nat) (Y d q u c : nat -> Z).
  Let r := 2 * h.
  Let M := S m.
  Hypotheses (radix : 1 < h) (modulus : 0 < n) (scaled : r * r * nbar = n * ni + 1) (inverse_range : - (r * r) <= 2 * ni <= r * r)
    (a_range : - n < a < n) (b_range : - n < b < n) (enough : 8 * n <= pw r M) (start : Y O = 0 /\ c O = 0) (digits_of_a : a = digits r d M)
    (step : forall t, (t < M)%nat -> r * Y (S t) = Y t - u t + r * (d t * b) + r * (delayed 1 q t * nbar))
    (u_range : forall t, (t < m)%nat -> 0 <= u t < r) (top_bit : transfers r u c m) (recode : forall t, (t < m)%nat -> q t = u t + c t - r * c (S t)).

  Let V := r * Y M + u m + c m.

  Lemma identity : pw r m * V = r * (b * a) + n * ni * digits r q m.
  Proof.
    destruct start as [Y0 C0]. assert (P1 : pw r 1 = r) by (cbn [pw]; ring). assert (P2 : pw r (1 + 1) * nbar = n * ni + 1) by (cbn [pw Nat.add]; lia).
    assert (steps : forall t, (t < 1 + m)%nat -> r * Y (S t) = Y t - u t + pw r 1 * (d t * b) + pw r 1 * (delayed 1 q t * nbar))
      by (intros t L; rewrite P1; apply step, L).
    pose proof (digit_recurrence r b nbar (n * ni) 1 1 1 m Y d q u c steps recode C0 P2) as G. unfold result in G. rewrite P1, Y0, Z.add_0_l in G.
    rewrite digits_of_a. unfold V, M. change (1 + m)%nat with (S m) in G. rewrite <- G. f_equal. cbn [digits pw]. rewrite Nat.add_0_r. ring.
  Qed.

  Lemma quotient_range : - pw r m <= 2 * digits r q m <= pw r m.
  Proof.
    destruct m as [| j] eqn:E; [cbn [pw digits]; lia |]. rewrite <- E in *.
    pose proof (signed_quotient_bound h q u c m ltac:(lia) ltac:(lia) (proj2 start) u_range top_bit recode) as B. fold r in B. lia.
  Qed.

  Lemma loop_range : 8 * Z.abs V < 3 * (r * r * n).
  Proof.
    assert (R : 0 < r) by (unfold r; lia). pose proof identity as E. pose proof quotient_range as Q. set (P := pw r m) in *. assert (PP : 0 < P) by (apply pw_pos; exact R).
    assert (N8 : 8 * n <= r * P) by exact enough. set (Z0 := digits r q m) in *.
    assert (AB : 8 * Z.abs (r * (b * a)) < r * (n * (r * P))).
    { assert (Z.abs b * Z.abs a < n * n) by (apply Z.mul_lt_mono_nonneg; lia). assert (8 * (n * n) <= n * (r * P)) by (replace (8 * (n * n)) with (n * (8 * n)) by ring; apply Z.mul_le_mono_nonneg_l; lia).
      rewrite !Z.abs_mul, (Z.abs_eq r) by lia. assert (r * (8 * (Z.abs b * Z.abs a)) < r * (n * (r * P))) by (apply Z.mul_lt_mono_pos_l; lia). lia. }
    assert (NQ : 4 * Z.abs (n * ni * Z0) <= n * (r * r * P)).
    { assert (E2 : (2 * Z.abs ni) * (2 * Z.abs Z0) <= r * r * P) by (apply Z.mul_le_mono_nonneg; lia).
      apply (Z.mul_le_mono_nonneg_l _ _ n) in E2; [| lia]. rewrite !Z.abs_mul, (Z.abs_eq n) by lia. lia. }
    assert (8 * Z.abs (P * V) < P * (3 * (r * r * n))) by lia. rewrite Z.abs_mul, (Z.abs_eq P) in * by lia.
    apply (Z.mul_lt_mono_pos_l P); lia.
  Qed.

  Theorem late_booth : forall q1 q2 z p, - h <= q1 <= h -> - h <= q2 <= h -> r * z = V + q1 * n -> r * p = z + q2 * n ->
    - n < p < n /\ montgomery n (pw r M) a b p.
  Proof.
    intros q1 q2 z p Q1 Q2 E1 E2. assert (R : 4 <= r) by (unfold r; lia). pose proof loop_range as B. pose proof identity as E. split.
    - pose proof (range_mul q1 n h n Q1 ltac:(lia)) as A1. pose proof (range_mul q2 n h n Q2 ltac:(lia)) as A2.
      assert (E3 : r * (r * p) = V + q1 * n + r * (q2 * n)) by (rewrite E2, Z.mul_add_distr_l, E1; ring).
      pose proof (scale r _ _ _ ltac:(lia) A2) as A3. assert (H1 : 2 * (h * n) = r * n) by (unfold r; ring).
      assert (H2 : r * (2 * (h * n)) = r * (r * n)) by (rewrite H1; reflexivity).
      assert (H3 : 4 * (r * n) <= r * (r * n)) by (apply Z.mul_le_mono_nonneg_r; [apply Z.mul_nonneg_nonneg |]; lia).
      assert (X : Z.abs (r * (r * p)) < r * (r * n)) by lia. rewrite !Z.abs_mul, (Z.abs_eq r) in X by lia.
      assert (Z.abs p < n) by (do 2 (apply (Z.mul_lt_mono_pos_l r); [lia |]); exact X). lia.
    - set (P := pw r m) in *. unfold montgomery. change (pw r M) with (r * P).
      assert (G : r * (p * (r * P) - a * b) = n * (ni * digits r q m + P * (q1 + r * q2))).
      { assert (r * (r * p) = V + q1 * n + r * (q2 * n)) by (rewrite E2, Z.mul_add_distr_l, E1; ring).
        replace (r * (p * (r * P) - a * b)) with (P * (r * (r * p)) - r * (b * a)) by ring. rewrite H, !Z.mul_add_distr_l, E. ring. }
      assert (D : (n | p * (r * P) - a * b)).
      { apply Gauss with r; [exists (ni * digits r q m + P * (q1 + r * q2)); lia |].
        apply bezout_rel_prime. exists (- ni) (r * nbar). lia. }
      destruct D as [k D]. exists k. lia.
  Qed.
End LateBooth.
