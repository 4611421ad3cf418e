(* SPDX-License-Identifier: Apache-2.0 *)
(* unit_csa where the last transfer is added to the digit above the quotient, so that it may be carried into the accumulator. *)
From Coq Require Import ZArith Lia.
Require Import DigitRecurrence Instances Bits.
Open Scope Z_scope.
Set Default Proof Using "All".

(* The next value of the pair has room: m is its bits, v its value, z what is left of it without its lowest digit. *)
Lemma next_pair : forall h H L2 bound v k x u carry z e g, 16 <= h -> H = bound + h * L2 -> 32 <= h * L2 -> 2 * h <= H -> - (bound + 1) <= v + k <= bound + 1 ->
  0 <= k <= 1 -> 0 <= x <= 1 -> 0 <= u < 2 * h -> 0 <= carry <= 1 -> v + k + x = u + 2 * h * (carry + z) -> - bound <= 2 * e <= bound -> - bound <= 2 * g <= bound ->
  - H <= v <= H /\ - (2 * H) <= z + e + g < 2 * H.
Proof.
  intros h H L2 bound v k x u carry z e g Hh HH HL Hr B K X U C E Eb Gb. split; [lia |].
  assert (32 * Z.abs (carry + z) <= 2 * h * Z.abs (carry + z)) by (apply Z.mul_le_mono_nonneg_r; lia).
  assert (2 * h * Z.abs (carry + z) = Z.abs (2 * h * (carry + z))) by (rewrite Z.abs_mul, (Z.abs_eq (2 * h)); lia). lia.
Qed.

Section LateQuotient.
  (* Y t, the accumulator; u t, its lowest digit; d t, the digits of a, 0 from K on; r = 2 h; X = P 2^L. D1 is 1 or more. *)
  Variables (h n ni nbar a b P : Z) (K D1 : nat) (Y d u c : nat -> Z).
  Let r := 2 * h.
  Let L2 := pw r (S D1).
  Let q (t : nat) : Z := u t + c t - r * c (S t).
  Let x (t : nat) : Z := if Nat.eqb t (S K) then c t else 0.
  Let bound := h * (P * L2).
  Hypotheses (radix : 1 < h) (modulus : 0 < n) (late : (1 <= D1)%nat) (scaled : L2 * nbar = n * ni + 1)
    (inverse_range : - L2 <= 2 * ni <= L2) (a_range : - (L2 * n) < 2 * a < L2 * n) (b_range : - (L2 * n) < 2 * b < L2 * n)
    (width : n <= P) (constant_range : - P <= 2 * nbar <= P)
    (enough_digits : n * L2 <= pw r K) (start : Y O = 0 /\ c O = 0) (digits_of_a : a = digits r d K) (no_digits : forall t, (K <= t)%nat -> d t = 0)
    (digit_range : forall t, - h <= d t <= h) (u_range : forall t, 0 <= u t < r) (c_is : forall t, c (S t) = if 2 * u t <? r then 0 else 1)
    (step : forall t, (t < D1 + S K)%nat -> - (bound + 1) <= Y t <= bound + 1 ->
      r * Y (S t) = Y t + x t - u t + r * (d t * b) + r * (delayed D1 q t * nbar)).

  Lemma c_range : forall t, 0 <= c t <= 1.
  Proof. intros [| t]; [lia |]. rewrite c_is. destruct (2 * u t <? r); lia. Qed.

  Lemma q_range : forall t, - h <= q t <= h.
  Proof. intros t. unfold q. pose proof (c_range t). pose proof (u_range t). rewrite c_is. unfold r in *. destruct (Z.ltb_spec (2 * u t) (2 * h)); lia. Qed.

  (* The accumulator without that transfer, from t = K + 1 on. *)
  Fixpoint plain (i : nat) : Z := match i with O => Y (S K) | S j => plain j / r + (d (S K + j)%nat * b + delayed D1 q (S K + j) * nbar) end.
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
    apply (Z.mod_unique _ _ (Y (S t) - d t * b - delayed D1 q t * nbar)); [left; apply u_range |]. lia.
  Qed.

  Lemma plain_step : forall t, (t < D1 + S K)%nat -> - bound <= Z' t <= bound ->
    r * Z' (S t) = Z' t - w t + r * (d t * b) + r * (delayed D1 q t * nbar).
  Proof.
    intros t L B. unfold w. destruct (Nat.le_gt_cases t K) as [G | G].
    - rewrite !before in * by lia. rewrite <- (lowest t G) by lia. rewrite (step t L) by lia. unfold x. destruct (Nat.eqb_spec t (S K)); lia.
    - replace t with (S K + (t - S K))%nat in * by lia. set (i := (t - S K)%nat) in *. rewrite <- Nat.add_succ_r, !after. cbn [plain].
      pose proof (Z.div_mod (plain i) r ltac:(unfold r; lia)). lia.
  Qed.

  Lemma plain_range : forall t, (t <= D1 + S K)%nat -> - bound <= Z' t <= bound.
  Proof.
    assert (L16 : 2 * h * (2 * h) <= L2).
    { unfold L2. replace (S D1) with (2 + (D1 - 1))%nat by lia. rewrite pw_add. cbn [pw]. fold r. pose proof (pw_pos r (D1 - 1) ltac:(unfold r; lia)).
      assert (r * (r * 1) * 1 <= r * (r * 1) * pw r (D1 - 1)) by (apply Z.mul_le_mono_nonneg_l; [unfold r; nia | lia]). lia. }
    assert (L0 : 0 < L2) by nia. assert (nP : L2 * n <= P * L2) by nia.
    apply (unit_csa_interval h P L2 b nbar D1 (D1 + S K) Z' d q w); try lia.
    - rewrite before by lia. lia.
    - intros t L. split; [apply digit_range |]. apply Z.mod_pos_bound. unfold r. lia.
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
    rewrite X in N. rewrite Nat.add_succ_r. cbn [digits pw plain]. rewrite Wi. set (e := d (S K + i)%nat * b) in *. set (f := delayed D1 q (S K + i) * nbar) in *.
    assert (F : pw r i * (r * Y (S (S K + i))) = pw r i * (Y (S K + i)%nat + match i with O => c (S K) | _ => 0 end - u (S K + i)%nat + r * e + r * f)) by (rewrite N; reflexivity).
    set (y := plain i / r) in *. set (z := Y (S (S K + i))) in *. split.
    - assert (Y0 : plain i <= Y (S K + i)%nat + match i with O => c (S K) | _ => 0 end <= plain i + 1).
      { destruct i; [cbn [plain] in *; rewrite Nat.add_0_r in *; lia | lia]. }
      assert (z - e - f <= y + 1 /\ y <= z - e - f); [split | lia]; apply Z.lt_succ_r; apply (Z.mul_lt_mono_pos_l r); lia.
    - assert (E2 : pw r i * plain i = pw r i * (r * y + plain i mod r)) by (rewrite <- D; reflexivity).
      destruct i; [cbn [plain pw digits] in *; rewrite Nat.add_0_r in *; lia | lia].
  Qed.

  Let p := pw r D1 * Y (D1 + S K)%nat + digits r (fun i => u (S K + i)%nat) D1.

  Theorem late_quotient : montgomery n (pw r K) a b p /\ - (L2 * n) < 2 * p < L2 * n.
  Proof.
    assert (R : 0 < r) by (unfold r; lia).
    assert (wu : forall t, (t <= K)%nat -> w t = u t).
    { intros t L. unfold w. pose proof (plain_range t ltac:(lia)) as B. rewrite before in * by lia. symmetry. apply lowest; [exact L | lia]. }
    pose (c' := fun t => match t with O => 0 | S i => if 2 * w i <? r then 0 else 1 end).
    assert (cc : forall t, (t <= S K)%nat -> c' t = c t) by (intros [| t] L; unfold c'; [lia | rewrite wu, c_is by lia; reflexivity]).
    unfold L2, r. apply (unit_csa h n ni nbar a b p K D1 Z' d q w c'); fold r L2; try assumption.
    - rewrite before by lia. split; [lia | reflexivity].
    - rewrite digits_of_a. replace (D1 + S K)%nat with (K + S D1)%nat by lia. rewrite digits_split, (digits_zero r (fun i => d (K + i)%nat)) by (intros; apply no_digits; lia). lia.
    - intros t L. apply plain_step; [exact L | apply plain_range; lia].
    - intros t L. reflexivity.
    - intros t L. reflexivity.
    - intros t L. rewrite !cc, wu by lia. reflexivity.
    - unfold p. destruct (with_transfer D1 (le_n D1)) as [_ E]. rewrite (Nat.add_comm D1 (S K)), after, E, cc by lia. destruct D1; [lia | reflexivity].
  Qed.
End LateQuotient.
