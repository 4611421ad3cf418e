(* SPDX-License-Identifier: Apache-2.0 *)
(* The recurrence of summands e, of which K digits hold a value, and where the last transfer is added to the digit above the quotient, so that it may be
   carried into the accumulator. *)
From Coq Require Import ZArith Lia.
Require Import DigitRecurrence Instances Bits.
Open Scope Z_scope.
Set Default Proof Using "All".

(* ---------------------------------------------------------------- e = g = 1, D - 1 = D1 steps from digit to use, for any product that K digits hold
   r Y' = Y - u + r e + r q(t-D+1) n-bar, r^D n-bar = n n' + 1. *)
Section Recurrence.
  Variables (h n ni nbar whole p : Z) (K D1 : nat) (Y e q u c : nat -> Z).
  Let r := 2 * h.
  Hypothesis radix : 1 < h.
  Hypothesis modulus : 0 < n.
  Hypothesis scaled : pw r (S D1) * nbar = n * ni + 1.
  Hypothesis inverse_range : - pw r (S D1) <= 2 * ni <= pw r (S D1).
  Hypothesis product_range : 4 * Z.abs whole < pw r (S D1) * n * pw r K.
  Hypothesis start : Y O = 0 /\ c O = 0.
  Hypothesis digits_of_whole : whole = digits r e (D1 + S K).
  Hypothesis step : forall t, (t < D1 + S K)%nat -> r * Y (S t) = Y t - u t + r * e t + r * (delayed D1 q t * nbar).
  Hypothesis lowest : forall t, (t < D1 + S K)%nat -> u t = Y t mod r.
  Hypothesis top_bit : transfers r u c (D1 + S K).
  Hypothesis recode : forall t, (t < S K)%nat -> q t = u t + c t - r * c (S t).
  Hypothesis last : p = pw r D1 * Y (D1 + S K)%nat + digits r (fun i => u (S K + i)%nat) D1 + c (S K).

  Theorem late_digits : (exists m, pw r K * p = whole + n * m) /\ - (pw r (S D1) * n) < 2 * p < pw r (S D1) * n.
  Proof.
    destruct start as [Y0 C0].
    assert (R0 : 0 < r) by (unfold r; lia).
    assert (U : forall t, (t < D1 + S K)%nat -> 0 <= u t < r) by (intros; rewrite lowest by assumption; apply Z.mod_pos_bound; lia).
    assert (I : pw r (S K) * p = r * whole + n * ni * digits r q (S K)).
    { rewrite last, digits_of_whole. pose proof (digit_recurrence r 1 nbar (n * ni) 1 1 D1 (S K) Y e q u c) as G. unfold result in G. cbn [pw Nat.add] in G.
      rewrite !Z.mul_1_r, Z.mul_1_l in G. rewrite <- (Z.add_0_l (r * _)), <- Y0. apply G; try assumption. intros t L. rewrite (step t L). ring. }
    (* the first quotient digit is 0 *)
    assert (U0 : u O = 0) by (rewrite lowest, Y0 by lia; apply Z.mod_0_l; lia).
    assert (C1 : c 1%nat = 0) by (rewrite top_bit, U0 by lia; destruct (Z.ltb_spec (2 * 0) r); lia).
    assert (Q0 : q O = 0) by (rewrite recode, U0, C0, C1 by lia; ring).
    set (Q1 := digits r (fun i => q (1 + i)%nat) K).
    assert (QS : digits r q (S K) = r * Q1).
    { change (S K) with (1 + K)%nat. rewrite digits_split. cbn [digits pw]. rewrite Q0. unfold Q1. ring. }
    assert (QB : - pw r (S K) <= 2 * digits r q (S K) < pw r (S K)).
    { unfold r. apply (signed_quotient_bound h q u c (S K)); [lia | lia | assumption | intros; apply U; lia | | assumption].
      intros t L. apply top_bit. lia. }
    rewrite QS in *. cbn [pw] in I, QB. fold (pw r (S D1)) in *.
    assert (E : pw r K * p = whole + n * ni * Q1) by nia.
    split; [exists (ni * Q1); lia |].
    set (P := pw r K) in *. set (L := pw r (S D1)) in *.
    assert (LP : 0 < L) by (apply pw_pos; assumption). assert (PP : 0 < P) by (apply pw_pos; assumption).
    assert (Q1B : 2 * Z.abs Q1 <= P).
    { apply (Z.mul_le_mono_pos_l _ _ r); [exact R0 |]. rewrite <- (Z.abs_eq r) at 1 by lia. lia. }
    assert (NQ : 4 * Z.abs (n * ni * Q1) <= n * L * P).
    { assert (E2 : (2 * Z.abs ni) * (2 * Z.abs Q1) <= L * P) by (apply Z.mul_le_mono_nonneg; lia).
      apply (Z.mul_le_mono_nonneg_l _ _ n) in E2; [| lia]. rewrite !Z.abs_mul, (Z.abs_eq n) by lia. lia. }
    assert (2 * Z.abs (P * p) < L * n * P) by lia. rewrite Z.abs_mul, (Z.abs_eq P) in * by lia.
    assert (2 * Z.abs p < L * n) by (apply (Z.mul_lt_mono_pos_l P); lia). lia.
  Qed.
End Recurrence.

(* The pair stays within h B: r = 2^w = 2 h, B is the bound of 2 b, P that of 2 n-bar. *)
Theorem late_interval : forall h P B nbar D1 T Y e q u, 1 < h -> 0 <= P <= B -> h * (h * P) + h * B + 2 * h <= h * (h * B) ->
  - P <= 2 * nbar <= P -> Y O = 0 ->
  (forall t, (t < T)%nat -> - (h * B) <= 2 * e t <= h * B /\ 0 <= u t < 2 * h) -> (forall t, - h <= q t <= h) ->
  (forall t, (t < T)%nat -> - (h * B) <= Y t <= h * B ->
     2 * h * Y (S t) = Y t - u t + 2 * h * e t + 2 * h * (delayed D1 q t * nbar)) ->
  forall t, (t <= T)%nat -> - (h * B) <= Y t <= h * B.
Proof.
  intros h P B nbar D1 T Y e q u Hh HP HB Hn Y0 Hd Hq step.
  assert (K1 : 0 <= h * B) by (apply Z.mul_nonneg_nonneg; lia).
  apply (interval (2 * h) _ _ Y (fun t => - u t + 2 * h * e t + 2 * h * (delayed D1 q t * nbar)) T); [lia | lia |].
  intros t L I. destruct (Hd t L) as [D U]. split; [rewrite step by assumption; lia |].
  assert (Q : - h <= delayed D1 q t <= h) by (unfold delayed; destruct (Nat.ltb t D1); [lia | apply Hq]).
  pose proof (range_mul (delayed D1 q t) (2 * nbar) h P Q Hn) as A2.
  set (x := e t) in *. set (y := delayed D1 q t * nbar) in *.
  pose proof (scale h (- (h * B)) (2 * x) (h * B) ltac:(lia) ltac:(lia)) as S1.
  pose proof (scale h (- (h * P)) (2 * y) (h * P) ltac:(lia) ltac:(unfold y; lia)) as S2. lia.
Qed.

Section LateSum.
  (* Y t, the accumulator; u t, its lowest digit; e t, the summands, 0 from K on; r = 2 h; h limit and P are bounds of 2 e and 2 n-bar. D1 is 1 or more. *)
  Variables (h n ni nbar whole P limit : Z) (K D1 : nat) (Y e u c : nat -> Z).
  Let r := 2 * h.
  Let L2 := pw r (S D1).
  Let q (t : nat) : Z := u t + c t - r * c (S t).
  Let x (t : nat) : Z := if Nat.eqb t (S K) then c t else 0.
  Let bound := h * limit.
  Hypotheses (radix : 1 < h) (modulus : 0 < n) (late : (1 <= D1)%nat) (scaled : L2 * nbar = n * ni + 1)
    (inverse_range : - L2 <= 2 * ni <= L2) (product_range : 4 * Z.abs whole < L2 * n * pw r K)
    (constant_range : - P <= 2 * nbar <= P) (bounds : 0 <= P <= limit /\ h * (h * P) + h * limit + 2 * h <= h * (h * limit))
    (start : Y O = 0 /\ c O = 0) (digits_of_whole : whole = digits r e K) (no_digits : forall t, (K <= t)%nat -> e t = 0)
    (summand_range : forall t, - bound <= 2 * e t <= bound) (u_range : forall t, 0 <= u t < r) (c_is : forall t, c (S t) = if 2 * u t <? r then 0 else 1)
    (step : forall t, (t < D1 + S K)%nat -> - (bound + 1) <= Y t <= bound + 1 ->
      r * Y (S t) = Y t + x t - u t + r * e t + r * (delayed D1 q t * nbar)).

  Lemma c_range : forall t, 0 <= c t <= 1.
  Proof. intros [| t]; [lia |]. rewrite c_is. destruct (2 * u t <? r); lia. Qed.

  Lemma q_range : forall t, - h <= q t <= h.
  Proof. intros t. unfold q. pose proof (c_range t). pose proof (u_range t). rewrite c_is. unfold r in *. destruct (Z.ltb_spec (2 * u t) (2 * h)); lia. Qed.

  (* The accumulator without that transfer, from t = K + 1 on. *)
  Fixpoint plain (i : nat) : Z := match i with O => Y (S K) | S j => plain j / r + (e (S K + j)%nat + delayed D1 q (S K + j) * nbar) end.
  Let Z' (t : nat) : Z := if Nat.leb t (S K) then Y t else plain (t - S K).

  Lemma before : forall t, (t <= S K)%nat -> Z' t = Y t.
  Proof. intros t L. unfold Z'. destruct (Nat.leb_spec t (S K)); [reflexivity | lia]. Qed.

  Lemma after : forall i, Z' (S K + i) = plain i.
  Proof.
    intros i. unfold Z'. destruct (Nat.leb_spec (S K + i) (S K)); [replace i with O by lia; rewrite Nat.add_0_r; reflexivity | f_equal; lia].
  Qed.

  Let w (t : nat) : Z := Z' t mod r.

  Lemma lowest : forall t, (t <= K)%nat -> - (bound + 1) <= Y t <= bound + 1 -> u t = Y t mod r.
  Proof.
    intros t L B. pose proof (step t ltac:(lia) B) as E. unfold x in E. destruct (Nat.eqb_spec t (S K)); [lia |].
    apply (Z.mod_unique _ _ (Y (S t) - e t - delayed D1 q t * nbar)); [left; apply u_range |]. lia.
  Qed.

  Lemma plain_step : forall t, (t < D1 + S K)%nat -> - bound <= Z' t <= bound ->
    r * Z' (S t) = Z' t - w t + r * e t + r * (delayed D1 q t * nbar).
  Proof.
    intros t L B. unfold w. destruct (Nat.le_gt_cases t K) as [G | G].
    - rewrite !before in * by lia. rewrite <- (lowest t G) by lia. rewrite (step t L) by lia. unfold x. destruct (Nat.eqb_spec t (S K)); lia.
    - replace t with (S K + (t - S K))%nat in * by lia. set (i := (t - S K)%nat) in *. rewrite <- Nat.add_succ_r, !after. cbn [plain].
      pose proof (Z.div_mod (plain i) r ltac:(unfold r; lia)). lia.
  Qed.

  Lemma plain_range : forall t, (t <= D1 + S K)%nat -> - bound <= Z' t <= bound.
  Proof.
    apply (late_interval h P limit nbar D1 (D1 + S K) Z' e q w); try (exact (proj1 bounds) || exact (proj2 bounds) || lia).
    - rewrite before by lia. lia.
    - intros t L. split; [apply summand_range |]. apply Z.mod_pos_bound. unfold r. lia.
    - exact q_range.
    - intros t L B. fold r. apply plain_step; assumption.
  Qed.

  Lemma with_transfer : forall i, (i <= D1)%nat -> plain i <= Y (S K + i) <= plain i + 1 /\
    pw r i * Y (S K + i)%nat + digits r (fun j => u (S K + j)%nat) i =
    pw r i * plain i + digits r (fun j => w (S K + j)%nat) i + match i with O => 0 | _ => c (S K) end.
  Proof.
    assert (R : 0 < r) by (unfold r; lia). induction i; intros L; [rewrite Nat.add_0_r; cbn [plain pw digits]; lia |].
    destruct (IHi ltac:(lia)) as [B E]. pose proof (plain_range (S K + i) ltac:(lia)) as G. rewrite after in G.
    pose proof (step (S K + i)%nat ltac:(lia) ltac:(lia)) as N. pose proof (u_range (S K + i)%nat) as U. pose proof (c_range (S K)) as C.
    pose proof (Z.div_mod (plain i) r ltac:(lia)) as D. pose proof (Z.mod_pos_bound (plain i) r R) as M.
    assert (Wi : w (S K + i)%nat = plain i mod r) by (unfold w; rewrite after; reflexivity).
    assert (X : x (S K + i)%nat = match i with O => c (S K) | _ => 0 end).
    { unfold x. destruct i as [| j]; [rewrite Nat.add_0_r, Nat.eqb_refl; reflexivity |]. destruct (Nat.eqb_spec (S K + S j) (S K)); [lia | reflexivity]. }
    rewrite X in N. rewrite Nat.add_succ_r. cbn [digits pw plain]. rewrite Wi. set (e0 := e (S K + i)%nat) in *. set (f := delayed D1 q (S K + i) * nbar) in *.
    assert (F : pw r i * (r * Y (S (S K + i))) = pw r i * (Y (S K + i)%nat + match i with O => c (S K) | _ => 0 end - u (S K + i)%nat + r * e0 + r * f)) by (rewrite N; reflexivity).
    set (y := plain i / r) in *. set (z := Y (S (S K + i))) in *. split.
    - assert (Y0 : plain i <= Y (S K + i)%nat + match i with O => c (S K) | _ => 0 end <= plain i + 1).
      { destruct i; [cbn [plain] in *; rewrite Nat.add_0_r in *; lia | lia]. }
      assert (z - e0 - f <= y + 1 /\ y <= z - e0 - f); [split | lia]; apply Z.lt_succ_r; apply (Z.mul_lt_mono_pos_l r); lia.
    - assert (E2 : pw r i * plain i = pw r i * (r * y + plain i mod r)) by (rewrite <- D; reflexivity).
      destruct i; [cbn [plain pw digits] in *; rewrite Nat.add_0_r in *; lia | lia].
  Qed.

  Let p := pw r D1 * Y (D1 + S K)%nat + digits r (fun i => u (S K + i)%nat) D1.

  Theorem late_sum : (exists m, pw r K * p = whole + n * m) /\ - (L2 * n) < 2 * p < L2 * n.
  Proof.
    assert (R : 0 < r) by (unfold r; lia).
    assert (wu : forall t, (t <= K)%nat -> w t = u t).
    { intros t L. unfold w. pose proof (plain_range t ltac:(lia)) as B. rewrite before in * by lia. symmetry. apply lowest; [exact L | lia]. }
    pose (c' := fun t => match t with O => 0 | S i => if 2 * w i <? r then 0 else 1 end).
    assert (cc : forall t, (t <= S K)%nat -> c' t = c t) by (intros [| t] L; unfold c'; [lia | rewrite wu, c_is by lia; reflexivity]).
    unfold L2, r. apply (late_digits h n ni nbar whole p K D1 Z' e q w c'); fold r L2; try assumption.
    - rewrite before by lia. split; [lia | reflexivity].
    - rewrite digits_of_whole. replace (D1 + S K)%nat with (K + S D1)%nat by lia. rewrite digits_split, (digits_zero r (fun i => e (K + i)%nat)) by (intros; apply no_digits; lia). lia.
    - intros t L. apply plain_step; [exact L | apply plain_range; lia].
    - intros t L. reflexivity.
    - intros t L. reflexivity.
    - intros t L. rewrite !cc, wu by lia. reflexivity.
    - unfold p. destruct (with_transfer D1 (le_n D1)) as [_ E]. rewrite (Nat.add_comm D1 (S K)), after, E, cc by lia. destruct D1; [lia | reflexivity].
  Qed.
End LateSum.
