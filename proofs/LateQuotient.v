(* SPDX-License-Identifier: Apache-2.0 *)
(* unit_csa: the recurrence with digits d of an operand a, each times the other one, b. *)
From Coq Require Import ZArith Lia.
Require Import DigitRecurrence Instances Bits LateSum.
Open Scope Z_scope.
Set Default Proof Using "All".

Lemma montgomery_sum : forall n R a b p (range : Prop), (exists m, R * p = a * b + n * m) /\ range -> montgomery n R a b p /\ range.
Proof. intros n R a b p range ([m E] & G). split; [exists m; lia | exact G]. Qed.

Lemma digits_right : forall r d b m, digits r (fun t => d t * b) m = digits r d m * b.
Proof. induction m; cbn [digits]; [ring | rewrite IHm; ring]. Qed.

Theorem late_quotient : forall h n ni nbar a b P limit K D1 Y d u c, let r := 2 * h in let L2 := pw r (S D1) in let q := fun t : nat => u t + c t - r * c (S t) in
  let x := fun t : nat => if Nat.eqb t (S K) then c t else 0 in let bound := h * limit in
  1 < h -> 0 < n -> (1 <= D1)%nat -> L2 * nbar = n * ni + 1 -> - L2 <= 2 * ni <= L2 -> 4 * Z.abs (a * b) < L2 * n * pw r K -> - limit <= 2 * b <= limit ->
  - P <= 2 * nbar <= P -> 0 <= P <= limit /\ h * (h * P) + h * limit + 2 * h <= h * (h * limit) -> Y O = 0 /\ c O = 0 -> a = digits r d K ->
  (forall t, (K <= t)%nat -> d t = 0) -> (forall t, - h <= d t <= h) -> (forall t, 0 <= u t < r) -> (forall t, c (S t) = if 2 * u t <? r then 0 else 1) ->
  (forall t, (t < D1 + S K)%nat -> - (bound + 1) <= Y t <= bound + 1 -> r * Y (S t) = Y t + x t - u t + r * (d t * b) + r * (delayed D1 q t * nbar)) ->
  let p := pw r D1 * Y (D1 + S K)%nat + digits r (fun i => u (S K + i)%nat) D1 in montgomery n (pw r K) a b p /\ - (L2 * n) < 2 * p < L2 * n.
Proof.
  intros h n ni nbar a b P limit K D1 Y d u c r L2 q x bound Hh Hn late scaled I AB B NB limits start A no D U C step p. apply montgomery_sum.
  apply (late_sum h n ni nbar (a * b) P limit K D1 Y (fun t => d t * b) u c); try assumption.
  - change (a * b = digits r (fun t => d t * b) K). rewrite digits_right, <- A. reflexivity.
  - intros t L. rewrite no by exact L. reflexivity.
  - intros t. pose proof (range_mul (d t) (2 * b) h limit (D t) B). unfold bound. lia.
Qed.

(* The same without that transfer, up to a step later, in which nothing is added: the result is complete with c (K + 1). *)
Theorem whole_quotient : forall h n ni nbar a b P limit K D1 Y d q u c, let r := 2 * h in let L2 := pw r (S D1) in let T := (D1 + S K)%nat in let bound := h * limit in
  1 < h -> 0 < n -> L2 * nbar = n * ni + 1 -> - L2 <= 2 * ni <= L2 -> 4 * Z.abs (a * b) < L2 * n * pw r K -> - limit <= 2 * b <= limit -> - P <= 2 * nbar <= P ->
  0 <= P <= limit -> h * (h * P) + h * limit + 2 * h <= h * (h * limit) -> Y O = 0 /\ c O = 0 -> a = digits r d T -> d T = 0 -> (forall t, - h <= d t <= h) ->
  (forall t, 0 <= u t < r) -> (forall t, c (S t) = if 2 * u t <? r then 0 else 1) -> (forall t, q t = if Nat.leb t K then u t + c t - r * c (S t) else 0) ->
  (forall t, (t < S T)%nat -> - (bound + 1) <= Y t <= bound + 1 -> r * Y (S t) = Y t - u t + r * (d t * b) + r * (delayed D1 q t * nbar)) ->
  let p := pw r (S D1) * Y (S T) + digits r (fun i => u (S K + i)%nat) (S D1) + c (S K) in
  montgomery n (pw r K) a b p /\ - (L2 * n) < 2 * p < L2 * n.
Proof.
  intros h n ni nbar a b P limit K D1 Y d q u c r L2 T bound Hh Hn scaled I AB B NB PL room start A dT D U C Q step p.
  assert (R : 0 < r) by (unfold r; lia). assert (C01 : forall t, 0 <= c t <= 1) by (intros [| t]; [lia |]; rewrite C; destruct (2 * u t <? r); lia).
  assert (range : forall t, (t <= T)%nat -> - bound <= Y t <= bound).
  { apply (late_interval h P limit nbar D1 T Y (fun t => d t * b) q u); try lia; try tauto.
    - intros t L. split; [pose proof (range_mul (d t) (2 * b) h limit (D t) B); lia | apply U].
    - intros t. rewrite Q. destruct (Nat.leb t K); [| lia]. pose proof (C01 t). pose proof (U t). rewrite C. unfold r in *. destruct (Z.ltb_spec (2 * u t) (2 * h)); lia.
    - intros t L B'. fold r. apply step; unfold bound; lia. }
  assert (step' : forall t, (t < T)%nat -> r * Y (S t) = Y t - u t + r * (d t * b) + r * (delayed D1 q t * nbar)) by (intros t L; apply step; [lia |]; pose proof (range t ltac:(lia)); lia).
  pose proof (step T ltac:(lia) ltac:(pose proof (range T ltac:(lia)); lia)) as last.
  assert (delayed D1 q T = 0) as E0 by (unfold delayed, T; destruct (Nat.ltb_spec (D1 + S K) D1); [lia |]; rewrite Q; destruct (Nat.leb_spec (D1 + S K - D1) K); lia).
  rewrite dT, E0 in last.
  unfold L2, r. apply montgomery_sum. apply (late_digits h n ni nbar (a * b) p K D1 Y (fun t => d t * b) q u c); fold r L2; try assumption.
  - change (a * b = digits r (fun t => d t * b) T). rewrite digits_right, <- A. reflexivity.
  - intros t L. apply (Z.mod_unique _ _ (Y (S t) - d t * b - delayed D1 q t * nbar)); [left; apply U |]. pose proof (step' t L). lia.
  - intros t L. apply C.
  - intros t L. rewrite Q. destruct (Nat.leb_spec t K); [reflexivity | lia].
  - unfold p. cbn [pw digits]. fold T. replace (S K + D1)%nat with T by (unfold T; lia).
    assert (X : pw r D1 * (r * Y (S T)) = pw r D1 * (Y T - u T)) by (rewrite last; f_equal; ring). lia.
Qed.
