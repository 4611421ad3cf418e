(* SPDX-License-Identifier: Apache-2.0 *)
(* mf_karatsuba with two levels from the nets of the RTL to the contract, for every width. The hypotheses are the lemmas that montforge prints into
   karatsuba_lemmas.v, and proves on the RTL. *)
From Coq Require Import ZArith Lia String.
Require Import Contract Control Passes karatsuba_lemmas.
Open Scope string_scope. Open Scope Z_scope.
Set Default Proof Using "All".

(* Three products of halves of the operands of w bits. *)
Theorem split : forall w low x y p0 p1 p2 middle, 0 <= low <= w -> w <= 2 * low -> 0 <= x < 2 ^ w -> 0 <= y < 2 ^ w -> p0 = x mod 2 ^ low * (y mod 2 ^ low) ->
  p1 = x / 2 ^ low * (y / 2 ^ low) -> p2 = (x mod 2 ^ low + x / 2 ^ low) * (y mod 2 ^ low + y / 2 ^ low) -> middle = (p2 - p1 - p0) mod 2 ^ (2 * low + 2) ->
  (p0 + 2 ^ (2 * low) * p1 + 2 ^ low * middle) mod 2 ^ (2 * w) = x * y.
Proof.
  intros w low x y p0 p1 p2 middle L H X Y -> -> -> ->. set (r := 2 ^ low). assert (R : 0 < r) by (apply Z.pow_pos_nonneg; lia).
  assert (E2 : 2 ^ (2 * low) = r * r) by (unfold r; rewrite <- Z.pow_add_r by lia; f_equal; lia). assert (E4 : 2 ^ (2 * low + 2) = 4 * (r * r)) by (rewrite Z.pow_add_r, E2 by lia; ring).
  assert (W : 2 ^ w <= r * r) by (rewrite <- E2; apply Z.pow_le_mono_r; lia). assert (WW : 2 ^ (2 * w) = 2 ^ w * 2 ^ w) by (rewrite <- Z.pow_add_r by lia; f_equal; lia).
  assert (half : forall z, 0 <= z < 2 ^ w -> (0 <= z mod r < r /\ 0 <= z / r < r) /\ z = r * (z / r) + z mod r).
  { intros z Z0. split; [split; [apply Z.mod_pos_bound; lia |] | apply Z.div_mod; lia]. split; [apply Z.div_pos; lia | apply Z.div_lt_upper_bound; lia]. }
  destruct (half x X) as ((X0 & X1) & EX). destruct (half y Y) as ((Y0 & Y1) & EY). set (x0 := x mod r) in *. set (x1 := x / r) in *. set (y0 := y mod r) in *. set (y1 := y / r) in *.
  rewrite E4, WW, E2. clearbody x0 x1 y0 y1 r. clear half E2 E4 W WW.
  replace ((x0 + x1) * (y0 + y1) - x1 * y1 - x0 * y0) with (x0 * y1 + x1 * y0) by ring.
  rewrite (Z.mod_small (x0 * y1 + x1 * y0)).
  - replace (x0 * y0 + r * r * (x1 * y1) + r * (x0 * y1 + x1 * y0)) with (x * y) by (rewrite EX, EY; ring). apply Z.mod_small. split; [apply Z.mul_nonneg_nonneg | apply Z.mul_lt_mono_nonneg]; lia.
  - assert (A : 0 <= x0 * y1 <= r * r) by (split; [apply Z.mul_nonneg_nonneg | apply Z.mul_le_mono_nonneg]; lia).
    assert (B : 0 <= x1 * y0 <= r * r) by (split; [apply Z.mul_nonneg_nonneg | apply Z.mul_le_mono_nonneg]; lia).
    assert (0 < r * r) by (apply Z.mul_pos_pos; exact R). lia.
Qed.

(* A multiplier that is split, whose parts take d cycles. *)
Definition splits (w : Z) (x y x0 y0 x1 y1 x2 y2 p0 p1 p2 middle product : nat -> Z) : Prop := let low := (w + 1) / 2 in
  forall t : nat, x0 (S t) = x t mod 2 ^ low /\ x1 (S t) = x t / 2 ^ low /\ x2 (S t) = x t mod 2 ^ low + x t / 2 ^ low /\
    y0 (S t) = y t mod 2 ^ low /\ y1 (S t) = y t / 2 ^ low /\ y2 (S t) = y t mod 2 ^ low + y t / 2 ^ low /\ middle t = (p2 t - p1 t - p0 t) mod 2 ^ (2 * low + 2) /\
    product (S t) = (p0 t + 2 ^ (2 * low) * p1 t + 2 ^ low * middle t) mod 2 ^ (2 * w).

Theorem split_in_time : forall w d x y x0 y0 x1 y1 x2 y2 p0 p1 p2 middle product, splits w x y x0 y0 x1 y1 x2 y2 p0 p1 p2 middle product -> 2 <= w ->
  (forall t, 0 <= x t < 2 ^ w /\ 0 <= y t < 2 ^ w) -> (forall t, p0 (d + t)%nat = x0 t * y0 t) -> (forall t, p1 (d + t)%nat = x1 t * y1 t) -> (forall t, p2 (d + t)%nat = x2 t * y2 t) ->
  forall t, product (S (S d) + t)%nat = x t * y t.
Proof.
  intros w d x y x0 y0 x1 y1 x2 y2 p0 p1 p2 middle product H W XY P0 P1 P2 t. unfold splits in H. cbv zeta in H. set (low := (w + 1) / 2) in *. assert (B : 0 <= low <= w /\ w <= 2 * low).
  { unfold low. pose proof (Z.div_mod (w + 1) 2 ltac:(lia)). pose proof (Z.mod_pos_bound (w + 1) 2 ltac:(lia)). lia. }
  destruct (H t) as (A1 & A2 & A3 & B1 & B2 & B3 & _). destruct (H (d + S t)%nat) as (_ & _ & _ & _ & _ & _ & M & E).
  replace (S (S d) + t)%nat with (S (d + S t)) by lia. rewrite E. rewrite P0, P1, P2, A1, A2, A3, B1, B2, B3 in *. destruct B as [B C]. destruct (XY t) as [X Y].
  exact (split w low (x t) (y t) _ _ _ _ B C X Y eq_refl eq_refl eq_refl M).
Qed.

(* One whose parts are not split. *)
Theorem split_once : forall w x y x0 y0 x1 y1 x2 y2 p0 p1 p2 middle product, splits w x y x0 y0 x1 y1 x2 y2 p0 p1 p2 middle product -> 2 <= w ->
  (forall t, 0 <= x t < 2 ^ w /\ 0 <= y t < 2 ^ w) -> (forall t : nat, p0 (S t) = x0 t * y0 t /\ p1 (S t) = x1 t * y1 t /\ p2 (S t) = x2 t * y2 t) ->
  forall t, product (3 + t)%nat = x t * y t.
Proof.
  intros w x y x0 y0 x1 y1 x2 y2 p0 p1 p2 middle product H W XY L. apply (split_in_time w 1 x y x0 y0 x1 y1 x2 y2 p0 p1 p2 middle product H W XY); intros t; apply (L t).
Qed.

Section Chain.
  Variables (K : nat) (net : trace).
  Let W := Z.of_nat K.
  Local Notation on lemma := (lemma W net).
  Hypotheses (wide : 8 <= W) (H_ranges : on ranges) (H_ready : on ready) (H_rest : on rest) (H_accept : on accept) (H_keep : on keep) (H_runs : on runs)
    (H_ends : on ends) (H_adds : on adds) (H_operands : on operands) (H_halves : on halves) (H_added : on added) (H_reduced : on reduced) (H_hold : on hold)
    (H_answer : on answer) (H_of : on halves_of) (H_of_low : on halves_of_low) (L_of_low : on leaves_of_low) (H_of_high : on halves_of_high)
    (L_of_high : on leaves_of_high) (H_of_middle : on halves_of_middle) (L_of_middle : on leaves_of_middle).

  Let low := (W + 1) / 2.

  Lemma low_is : 4 <= low /\ 4 <= W - low.
  Proof. clear - wide. pose proof (Z.div_mod (W + 1) 2 ltac:(lia)). pose proof (Z.mod_pos_bound (W + 1) 2 ltac:(lia)). unfold low. lia. Qed.

  Lemma used : forall t, (0 <= net "x" t < 2 ^ W /\ 0 <= net "y" t < 2 ^ W) /\
    (0 <= net "u_multiplier.gen_split.u_low.x_i" t < 2 ^ ((W + 1) / 2) /\ 0 <= net "u_multiplier.gen_split.u_low.y_i" t < 2 ^ ((W + 1) / 2)) /\
    (0 <= net "u_multiplier.gen_split.u_high.x_i" t < 2 ^ (W - (W + 1) / 2) /\ 0 <= net "u_multiplier.gen_split.u_high.y_i" t < 2 ^ (W - (W + 1) / 2)) /\
    (0 <= net "u_multiplier.gen_split.u_middle.x_i" t < 2 ^ ((W + 1) / 2 + 1) /\ 0 <= net "u_multiplier.gen_split.u_middle.y_i" t < 2 ^ ((W + 1) / 2 + 1)).
  Proof. intros t. refine (conj (conj _ _) (conj (conj _ _) (conj (conj _ _) (conj _ _)))); in_range H_ranges t. Qed.

  Lemma low_part : forall t, net "u_multiplier.gen_split.u_low.product_o" (3 + t)%nat = net "u_multiplier.gen_split.u_low.x_i" t * net "u_multiplier.gen_split.u_low.y_i" t.
  Proof.
    apply (split_once ((W + 1) / 2) _ _ (net "u_multiplier.gen_split.u_low.gen_split.u_low.x_i") (net "u_multiplier.gen_split.u_low.gen_split.u_low.y_i") (net "u_multiplier.gen_split.u_low.gen_split.u_high.x_i") (net "u_multiplier.gen_split.u_low.gen_split.u_high.y_i") (net "u_multiplier.gen_split.u_low.gen_split.u_middle.x_i") (net "u_multiplier.gen_split.u_low.gen_split.u_middle.y_i") (net "u_multiplier.gen_split.u_low.gen_split.u_low.product_o") (net "u_multiplier.gen_split.u_low.gen_split.u_high.product_o") (net "u_multiplier.gen_split.u_low.gen_split.u_middle.product_o") (net "u_multiplier.gen_split.u_low.gen_split.middle") _ H_of_low); [destruct low_is as [L1 L2]; clear - L1 L2; fold low; lia | intros t; destruct (used t) as (A & B & C & D); assumption | exact L_of_low].
  Qed.

  Lemma high_part : forall t, net "u_multiplier.gen_split.u_high.product_o" (3 + t)%nat = net "u_multiplier.gen_split.u_high.x_i" t * net "u_multiplier.gen_split.u_high.y_i" t.
  Proof.
    apply (split_once (W - (W + 1) / 2) _ _ (net "u_multiplier.gen_split.u_high.gen_split.u_low.x_i") (net "u_multiplier.gen_split.u_high.gen_split.u_low.y_i") (net "u_multiplier.gen_split.u_high.gen_split.u_high.x_i") (net "u_multiplier.gen_split.u_high.gen_split.u_high.y_i") (net "u_multiplier.gen_split.u_high.gen_split.u_middle.x_i") (net "u_multiplier.gen_split.u_high.gen_split.u_middle.y_i") (net "u_multiplier.gen_split.u_high.gen_split.u_low.product_o") (net "u_multiplier.gen_split.u_high.gen_split.u_high.product_o") (net "u_multiplier.gen_split.u_high.gen_split.u_middle.product_o") (net "u_multiplier.gen_split.u_high.gen_split.middle") _ H_of_high); [destruct low_is as [L1 L2]; clear - L1 L2; fold low; lia | intros t; destruct (used t) as (A & B & C & D); assumption | exact L_of_high].
  Qed.

  Lemma middle_part : forall t, net "u_multiplier.gen_split.u_middle.product_o" (3 + t)%nat = net "u_multiplier.gen_split.u_middle.x_i" t * net "u_multiplier.gen_split.u_middle.y_i" t.
  Proof.
    apply (split_once ((W + 1) / 2 + 1) _ _ (net "u_multiplier.gen_split.u_middle.gen_split.u_low.x_i") (net "u_multiplier.gen_split.u_middle.gen_split.u_low.y_i") (net "u_multiplier.gen_split.u_middle.gen_split.u_high.x_i") (net "u_multiplier.gen_split.u_middle.gen_split.u_high.y_i") (net "u_multiplier.gen_split.u_middle.gen_split.u_middle.x_i") (net "u_multiplier.gen_split.u_middle.gen_split.u_middle.y_i") (net "u_multiplier.gen_split.u_middle.gen_split.u_low.product_o") (net "u_multiplier.gen_split.u_middle.gen_split.u_high.product_o") (net "u_multiplier.gen_split.u_middle.gen_split.u_middle.product_o") (net "u_multiplier.gen_split.u_middle.gen_split.middle") _ H_of_middle); [destruct low_is as [L1 L2]; clear - L1 L2; fold low; lia | intros t; destruct (used t) as (A & B & C & D); assumption | exact L_of_middle].
  Qed.

  Lemma multiplied : forall t, net "product" (5 + t)%nat = net "x" t * net "y" t.
  Proof.
    apply (split_in_time W 3 _ _ (net "u_multiplier.gen_split.u_low.x_i") (net "u_multiplier.gen_split.u_low.y_i") (net "u_multiplier.gen_split.u_high.x_i") (net "u_multiplier.gen_split.u_high.y_i") (net "u_multiplier.gen_split.u_middle.x_i") (net "u_multiplier.gen_split.u_middle.y_i") (net "u_multiplier.gen_split.u_low.product_o") (net "u_multiplier.gen_split.u_high.product_o") (net "u_multiplier.gen_split.u_middle.product_o") (net "u_multiplier.gen_split.middle") _ H_of); [clear - wide; lia | intros t; apply (used t) | exact low_part | exact high_part | exact middle_part].
  Qed.

  Theorem contract : multiplier net (net "a_i") (net "b_i") (net "n_i") (net "p_o") 18 18 (2 ^ W)
    (fun c => net "n_i" c mod 2 = 1 /\ (net "n_i" c * net "n_prime_i" c + 1) mod 2 ^ W = 0) (fun n x => 0 <= x < n) (fun n p => 0 <= p < n).
  Proof.
    apply (serves_products 5 W net); try assumption; [lia | exact multiplied |]. intros t. in_range H_ranges t.
  Qed.
End Chain.
