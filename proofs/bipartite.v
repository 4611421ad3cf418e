(* SPDX-License-Identifier: Apache-2.0 *)
(* mf_bipartite from the nets of the RTL to the contract, for every width, digit and group. The hypotheses are the lemmas that montforge prints into
   bipartite_lemmas.v, for the Booth terms of a design, and proves on the RTL. Cycle 0 is `first`. *)
From Coq Require Import ZArith Lia String.
Require Import DigitRecurrence Instances WordSerial Contract Control Bits BoothRows UnitAccumulator Groups Scaled LateSum InRange bipartite_lemmas Arithmetic.
Open Scope string_scope. Open Scope Z_scope.
Set Default Proof Using "All".

(* ---------------------------------------------------------------- integers *)

(* The digits of a signed a from the highest one on, each with the top bit of the one below: what is left of a above them, rounded. *)
Lemma rounded_digits : forall w a M N U d, 1 <= w -> - pw (2 ^ w) M <= 2 * a < pw (2 ^ w) M -> (N < M)%nat -> U O = 0 ->
  (forall t, (t < N)%nat -> U (S t) = 2 ^ w * U t + d t) ->
  (forall t, (t < N)%nat -> d t = part a (Z.of_nat (M - S t) * w) w + part a (Z.of_nat (M - S t) * w - 1) 1 - 2 ^ w * part a (Z.of_nat (M - t) * w - 1) 1) ->
  forall t, (t <= N)%nat -> U t = a / pw (2 ^ w) (M - t) + part a (Z.of_nat (M - t) * w - 1) 1.
Proof.
  intros w a M N U d Hw A M1 U0 step D.
  assert (words : forall i, pw (2 ^ w) i = 2 ^ (Z.of_nat i * w)) by (intros; apply pw_words; lia).
  induction t; intros L.
  - rewrite Nat.sub_0_r, U0. rewrite words in A |- *. unfold part. change (2 ^ 1) with 2. assert (X : 1 <= Z.of_nat M * w) by nia. pose proof (half _ X) as H. set (h := 2 ^ (Z.of_nat M * w - 1)) in *.
    rewrite H in A |- *. assert (0 < h) by (apply Z.pow_pos_nonneg; lia). rewrite (Z.mul_comm 2 h), <- Z.div_div by lia.
    assert (Y : a / h = 0 \/ a / h = -1) by (assert (-1 <= a / h < 1) by (split; [apply Z.div_le_lower_bound; lia | apply Z.div_lt_upper_bound; lia]); lia).
    destruct Y as [-> | ->]; reflexivity.
  - rewrite step, D, IHt by lia. replace (M - t)%nat with (S (M - S t)) by lia. set (i := (M - S t)%nat) in *. rewrite !words, Nat2Z.inj_succ. unfold part. change (2 ^ 1) with 2.
    replace (Z.succ (Z.of_nat i) * w) with (Z.of_nat i * w + w) by ring. rewrite (Z.pow_add_r 2 (Z.of_nat i * w) w), <- Z.div_div by (try apply Z.pow_nonzero; try apply Z.pow_pos_nonneg; nia).
    set (y := a / 2 ^ (Z.of_nat i * w)). pose proof (Z.div_mod y (2 ^ w) ltac:(apply Z.pow_nonzero; lia)) as E. lia.
Qed.

Lemma part_moved : forall a u v l w, 0 <= u -> 0 <= v <= l -> part (a / 2 ^ u * 2 ^ v) l w = part a (u + l - v) w.
Proof.
  intros a u v l w U V. unfold part. f_equal. replace l with (v + (l - v)) at 1 by ring. replace (u + l - v) with (u + (l - v)) by ring.
  rewrite !Z.pow_add_r, <- !Z.div_div by (try apply Z.pow_nonzero; try apply Z.pow_pos_nonneg; lia). rewrite Z.div_mul by (apply Z.pow_nonzero; lia). reflexivity.
Qed.

(* The lower digits: what is left of a below them. *)
Lemma lower_digits : forall w a B d below, 1 <= w -> below O = 0 -> (forall t, (t < B)%nat -> d t = part a (Z.of_nat t * w) w + below t - 2 ^ w * below (S t)) ->
  digits (2 ^ w) d B = a mod pw (2 ^ w) B - pw (2 ^ w) B * below B.
Proof.
  intros w a B d below Hw B0 D. assert (R : 1 < 2 ^ w) by (apply (Z.pow_gt_1 2 w); lia).
  rewrite (recoded (2 ^ w) d (fun t => part a (Z.of_nat t * w) w) below B D), B0, (digits_ext _ _ (fun t => (a / pw (2 ^ w) t) mod 2 ^ w)).
  - rewrite word_digits by exact R. ring.
  - intros t L. unfold part. rewrite pw_words by lia. reflexivity.
Qed.

(* Its upper half, from the highest digit on: z t is what is left with a digit g t at F, whose multiple of fold comes a step later. V(t) = z t + g(t - 1) r F. *)
Definition before (g : nat -> Z) (t : nat) : Z := match t with O => 0 | S i => g i end.

Lemma upper_half : forall n r F fold b A z g low d U, fold = (F * (r * r)) mod n -> z O = 0 -> U O = 0 -> (forall t, (t <= A)%nat -> z t = low t + g t * F) ->
  (forall t, (t < A)%nat -> z (S t) = r * low t + d t * b + before g t * fold) -> (forall t, (t < A)%nat -> U (S t) = r * U t + d t) ->
  forall t, (t <= A)%nat -> exists k, z t + before g t * (r * F) = b * U t + k * n.
Proof.
  intros n r F fold b A z g low d U Ef z0 U0 cut step digit. assert (f : exists i, F * (r * r) = fold + i * n) by (exists (F * (r * r) / n); rewrite Ef; pose proof (Z_div_mod_eq_full (F * (r * r)) n); lia).
  destruct f as [i Ei]. induction t; intros L; [exists 0; rewrite z0, U0; cbn [before]; ring |].
  destruct (IHt ltac:(lia)) as [k E]. rewrite step, digit by lia. cbn [before]. pose proof (cut t ltac:(lia)) as C.
  exists (r * k - before g t * i). replace (r * low t + d t * b + before g t * fold + g t * (r * F)) with (r * (low t + g t * F) + d t * b + before g t * fold) by ring.
  rewrite <- C. replace fold with (F * (r * r) - i * n) by lia. replace (r * z t) with (r * (b * U t + k * n) - before g t * (F * (r * r))) by (rewrite <- E; ring). ring.
Qed.

(* What is left of the upper half, and its last digit, are small. F = 2^(m - 2), 4 F = r^2 P, |b| <= 2 F. *)
Lemma upper_range : forall r F P fold b low prev d, 8 <= r -> 0 < F -> 4 * F = r * r * P -> 0 <= fold < P -> - (2 * F) <= b <= 2 * F -> 0 <= low <= 2 * (F - 1) -> - (4 * r) <= prev <= 4 * r ->
  - r <= 2 * d <= r -> - ((r + 2) * F) <= r * low + d * b + prev * fold <= (3 * r + 2) * F - 2 * r.
Proof.
  intros r F P fold b low prev d R HF EP Hf Hb Hl Hp Hd. pose proof (range_mul (2 * d) b r (2 * F) Hd Hb) as A. pose proof (range_mul prev fold (4 * r) P Hp ltac:(lia)) as B.
  assert (C : r * (4 * r * P) = 16 * F) by (replace (r * (4 * r * P)) with (4 * (r * r * P)) by ring; lia). assert (8 * (4 * r * P) <= r * (4 * r * P)) by (apply Z.mul_le_mono_nonneg_r; [| lia]; nia).
  assert (0 <= r * low <= r * (2 * (F - 1))) by (split; [apply Z.mul_nonneg_nonneg | apply Z.mul_le_mono_nonneg_l]; lia).
  replace (r * (2 * (F - 1))) with (2 * (r * F) - 2 * r) in * by ring. replace ((r + 2) * F) with (r * F + 2 * F) by ring. replace ((3 * r + 2) * F) with (3 * (r * F) + 2 * F) by ring. lia.
Qed.

Lemma top_range : forall r F z low g, 0 < F -> z = low + g * F -> 0 <= low <= 2 * (F - 1) -> - ((r + 2) * F) <= z <= (3 * r + 2) * F -> - (r + 4) <= g <= 3 * r + 2.
Proof.
  intros r F z low g HF E L Z. split; [apply Z.lt_succ_r, (Z.mul_lt_mono_pos_r F) | apply Z.lt_succ_r, (Z.mul_lt_mono_pos_r F)]; try exact HF; lia.
Qed.

(* The product that both halves make is small enough. *)
Lemma joined_range : forall r F P n K low b z g, 8 <= r -> 0 < F -> 4 * F = r * r * P -> P < 2 * n -> 0 < K -> - K <= 2 * low <= K -> - (2 * F) <= b <= 2 * F -> - ((3 * r + 2) * F) <= z <= (3 * r + 2) * F ->
  - (3 * r + 2) <= g <= 3 * r + 2 -> 4 * Z.abs (low * b + K * (z + g * (r * F))) < r * r * n * (K * (r * (r * r))).
Proof.
  intros r F P n K low b z g R HF EP HP HK Hl Hb Hz Hg. pose proof (range_mul (2 * low) b K (2 * F) Hl Hb) as A.
  set (M := (3 * r + 2) * F) in *. assert (G : - M <= g * F <= M) by (unfold M; split; [replace (- ((3 * r + 2) * F)) with (- (3 * r + 2) * F) by ring |]; apply Z.mul_le_mono_nonneg_r; lia).
  assert (E : z + g * (r * F) = z + r * (g * F)) by ring. rewrite E. set (y := g * F) in *.
  assert (Y : - (r * M) <= r * y <= r * M) by (split; [replace (- (r * M)) with (r * - M) by ring |]; apply Z.mul_le_mono_nonneg_l; lia).
  assert (V : - (K * (M + r * M)) <= K * (z + r * y) <= K * (M + r * M)) by (split; [replace (- (K * (M + r * M))) with (K * - (M + r * M)) by ring |]; apply Z.mul_le_mono_nonneg_l; lia).
  assert (S1 : 4 * Z.abs (low * b + K * (z + r * y)) <= 4 * (K * F) + 4 * (K * (M + r * M))) by (clear - A V; lia).
  assert (S2 : 4 * (K * F) + 4 * (K * (M + r * M)) = K * F * (4 * (3 * (r * r) + 5 * r + 3))) by (unfold M; ring).
  assert (Q : 8 * r <= r * r) by (apply Z.mul_le_mono_nonneg_r; lia). assert (Q3 : 8 * (r * r) <= r * (r * r)) by (apply Z.mul_le_mono_nonneg_r; lia).
  assert (S3 : 4 * (3 * (r * r) + 5 * r + 3) <= 2 * (r * (r * r))) by (clear - R Q Q3; lia).
  assert (KF : 0 < K * F) by (apply Z.mul_pos_pos; lia). assert (S4 : K * F * (4 * (3 * (r * r) + 5 * r + 3)) <= K * F * (2 * (r * (r * r)))) by (apply Z.mul_le_mono_nonneg_l; lia).
  assert (S5 : 2 * F < r * r * n) by (assert (r * r * P < r * r * (2 * n)) by (apply Z.mul_lt_mono_pos_l; [clear - R Q; lia | exact HP]); clear - EP H; lia).
  assert (R3 : 0 < K * (r * (r * r))) by (repeat apply Z.mul_pos_pos; lia).
  assert (S6 : 2 * F * (K * (r * (r * r))) < r * r * n * (K * (r * (r * r)))) by (apply Z.mul_lt_mono_pos_r; assumption). clear - S1 S2 S4 S6. lia.
Qed.

Section Chain.
  Variables (width : nat) (upper digit operand state high group : Z) (net : trace) (n_of : nat -> Z).
  Let W := Z.of_nat width.
  Local Notation on lemma := (lemma W upper digit operand state high group net).
  Hypotheses (sizes : (3 <= W /\ 3 <= digit /\ 1 <= group /\ 1 <= upper) /\
      (operand = W + 2 * digit /\ state = operand + digit + 3 /\ high = operand + digit + 1 /\ operand <= (2 * upper + 1) * digit)) (H_ranges : on ranges)
    (H_ready : on ready) (H_selects : on selects) (H_at_reset : on selects_at_reset) (H_controls : on controls) (H_controls_at_reset : on controls_at_reset)
    (H_accept : on accept) (H_count : on count) (H_count_end : on count_end) (H_converts : on converts) (H_converted : on converted) (H_wait : on wait)
    (H_keep : on keep) (H_shift_a : on shift_a) (H_first_digit : on first_digit) (H_other_digits : on other_digits) (H_a_terms : on a_terms)
    (H_first_terms : on first_terms) (H_a_transfer : on a_transfer) (H_first_upper : on first_upper) (H_other_upper : on other_upper) (H_upper_terms : on upper_terms)
    (H_quotient_digit : on quotient_digit) (H_quotient_terms : on quotient_terms) (H_quotient_transfer : on quotient_transfer)
    (H_low_digit : on low_digit) (H_low_digit_stays : on low_digit_stays) (H_answer : on answer)
    (H_a_multiples : on a_multiples) (H_product_rows : on product_rows) (H_product : on product)
    (H_quotient_multiples : on quotient_multiples) (H_quotient_rows : on quotient_rows) (H_quotient_product : on quotient_product) (H_rows : on rows)
    (H_pair : on pair) (H_accumulate : on accumulate) (H_joins : on joins)
    (H_high_multiples : on high_multiples) (H_high_rows : on high_rows) (H_high_product : on high_product) (H_top_terms : on top_terms)
    (H_top_multiples : on top_multiples) (H_high_tree : on high_tree) (H_high_pair : on high_pair) (H_high_accumulate : on high_accumulate) (H_top_kept : on top_kept)
    (H_sums : on sums) (H_look_ahead : on look_ahead) (H_no_carries : on no_carries) (H_rests : on rests) (H_increments : on increments).

  Local Notation phase := (net "phase_q"). Local Notation cycle := (net "cycle_q"). Local Notation idle := (net "idle_q"). Local Notation clear_q := (net "clear_q").
  Local Notation shift := (net "shift_q"). Local Notation start := (net "start_q"). Local Notation started := (net "u_convert.started_q").
  Local Notation d_valid := (net "d_valid_q"). Local Notation q_valid := (net "q_valid_q"). Local Notation carries := (net "u_convert.carries").
  Local Notation meets := (net "upper_q"). Local Notation join := (net "join_q"). Local Notation transfer := (net "transfer_q").
  Local Notation a_q := (net "a_q"). Local Notation b_q := (net "b_q"). Local Notation n_q := (net "n_scaled_q"). Local Notation fold_q := (net "fold_q").
  Local Notation d_q := (net "d_q"). Local Notation e_q := (net "e_q"). Local Notation q_q := (net "q_q"). Local Notation top := (net "u_high.h_q").
  Local Notation s_q := (net "s_q"). Local Notation c_q := (net "c_q"). Local Notation carry_q := (net "carry_q"). Local Notation found := (net "u").
  Local Notation u_transfer := (net "u_transfer_q"). Local Notation digits_in := (net "upper").
  Local Notation inputs := (net "u_accumulator.u_tree.rows_i"). Local Notation outputs := (net "u_accumulator.u_tree.rows_o"). Local Notation singles := (net "u_accumulator.u_tree.bits_i").
  Local Notation high_inputs := (net "u_high.u_tree.rows_i"). Local Notation high_outputs := (net "u_high.u_tree.rows_o"). Local Notation high_singles := (net "u_high.u_tree.bits_i").
  Local Notation high_s := (net "u_high.s_q"). Local Notation high_c := (net "u_high.c_q").

  Let r := 2 ^ digit.
  Let h := 2 ^ (digit - 1).
  Let Terms := Z.to_nat ((digit + 1) / 2).
  Let Tops := Z.to_nat ((digit + 4) / 2).
  Let A := Z.to_nat upper.
  Let B := S A.
  Let K := (B + 3)%nat.
  Let T := (1 + S K)%nat.                                                                   (* the last cycle of the loop *)
  Let M := (B + A)%nat.                                                                     (* digits of a *)
  Let F := 2 ^ (operand - 2).
  Local Notation number := (number Terms). Local Notation legal := (legal Terms). Local Notation place := (place state).

  Lemma radix : r = 2 * h /\ 4 <= h.
  Proof. unfold r, h. split; [apply half; lia |]. change 4 with (2 ^ 2). apply Z.pow_le_mono_r; lia. Qed.

  Lemma numbers : upper = Z.of_nat A /\ (1 <= A)%nat.
  Proof. unfold A. lia. Qed.

  Lemma terms_number : (digit + 1) / 2 = Z.of_nat Terms /\ (2 <= Terms)%nat /\ digit <= 2 * Z.of_nat Terms <= digit + 1.
  Proof.
    pose proof (Z.div_mod (digit + 1) 2 ltac:(lia)). pose proof (Z.mod_pos_bound (digit + 1) 2 ltac:(lia)). unfold Terms. set (k := (digit + 1) / 2) in *.
    rewrite Z2Nat.id by lia. repeat split; lia.
  Qed.

  Lemma tops_number : (digit + 4) / 2 = Z.of_nat Tops /\ (2 <= Tops)%nat /\ digit + 3 <= 2 * Z.of_nat Tops <= digit + 4.
  Proof.
    pose proof (Z.div_mod (digit + 4) 2 ltac:(lia)). pose proof (Z.mod_pos_bound (digit + 4) 2 ltac:(lia)). unfold Tops. set (k := (digit + 4) / 2) in *.
    rewrite Z2Nat.id by lia. repeat split; lia.
  Qed.

  Ltac range t := in_range H_ranges t.

  Lemma bits_of : forall t, (0 <= found t < r /\ 0 <= net "digit" t < r /\ 0 <= s_q t < 2 ^ state /\ 0 <= c_q t < 2 ^ state) /\
    (0 <= carry_q t <= 1 /\ 0 <= net "carry" t <= 1 /\ 0 <= u_transfer t <= 1 /\ 0 <= net "digit_transfer_q" t <= 1) /\ 0 <= net "u_accumulator.fold" t < 4.
  Proof.
    assert (one : forall x, x < 2 ^ 1 -> x <= 1) by (intros x; change (2 ^ 1) with 2; lia).
    intros t. unfold r. change 4 with (2 ^ 2). repeat split; first [range t | apply one; range t].
  Qed.

  Lemma operands : forall t, - 2 ^ (operand - 1) <= two operand (b_q t) < 2 ^ (operand - 1) /\ - 2 ^ (W - 1) <= two W (n_q t) < 2 ^ (W - 1) /\ 0 <= fold_q t < 2 ^ W.
  Proof. intros t. split; [| split]; [apply two_range; [lia | range t] | apply two_range; [lia | range t] | range t]. Qed.

  (* ---------------------------------------------------------------- the accumulator *)
  Ltac fixed_terms := fixed_terms_of H_product_rows terms_number Terms.
  Ltac fixed_tops := fixed_terms_of H_high_tree tops_number Tops.
  Ltac by_tree R := by_tree_of state R.
  Ltac by_high_tree R := by_tree_of high R.

  Lemma pair_reduced : forall t,
    (2 ^ state | place (outputs t) 0 + place (outputs t) 1 - (total (place (inputs t)) (4 + Terms) + total (single (singles t)) (Terms + 2))).
  Proof. intros t. fixed_terms. pose proof (H_rows t) as R. rewrite ?TN. by_tree R. Qed.

  Lemma product_sum : forall t, join t = 0 -> legal (d_q t) -> product_joins state Terms inputs singles (S t) (number (d_q t) * two operand (b_q t)).
  Proof.
    intros t NJ G. destruct terms_number as (ET & T2 & TD). pose proof (H_product t NJ) as P. destruct (H_product_rows t) as (_ & R).
    apply (product_taken state operand _ _ Terms) with (rows := net "u_accumulator.u_p.rows" t) (vectors := net "u_accumulator.u_p.vectors" t); [clear - sizes T2 TD; lia | apply operands | exact G | | |].
    - rewrite <- ET. exact (H_a_multiples t).
    - fixed_terms. rewrite TN. by_tree R.
    - fixed_terms. rewrite ?TN. exact P.
  Qed.

  Lemma quotient_sum : forall t, legal (q_q (S t)) -> quotient_joins state Terms inputs singles (S t) (number (q_q (S t)) * two W (n_q (S t))).
  Proof.
    intros t G. destruct terms_number as (ET & T2 & TD). apply (rows_taken state W); [clear - sizes T2 TD; lia | apply operands | exact G |]. rewrite <- ET. exact (H_quotient_multiples (S t)).
  Qed.

  Lemma accumulates : forall t, clear_q t = 0 -> s_q (S t) = place (outputs t) 0 /\ c_q (S t) = place (outputs t) 1.
  Proof.
    intros t C. destruct (H_accumulate t) as (E1 & E2 & _). rewrite C in E1, E2. change (0 =? 1) with false in E1, E2. cbv iota in E1, E2. split; [exact E1 | exact E2].
  Qed.

  (* ---------------------------------------------------------------- the upper half *)
  Local Notation high_place := (UnitAccumulator.place high).
  Let low (t : nat) : Z := net "s_low" t + net "c_low" t.
  Let tip (t : nat) : Z := two (digit + 3) (net "h" t).
  Let rest (t : nat) : Z := low t + tip t * F.

  Lemma rest_is : forall t, (2 ^ high | rest t - (high_s t + high_c t)).
  Proof.
    intros t. destruct (H_high_pair t) as (E1 & E2 & E3 & _). unfold rest, low, tip. rewrite E1, E2. assert (X : high = operand - 2 + (digit + 3)) by lia.
    assert (S1 : 0 <= high_s t < 2 ^ high) by range t. assert (C1 : 0 <= high_c t < 2 ^ high) by range t.
    pose proof (low_and_high high (operand - 2) _ ltac:(lia) S1) as S2. pose proof (low_and_high high (operand - 2) _ ltac:(lia) C1) as C2.
    replace (high - (operand - 2)) with (digit + 3) in S2, C2 by lia. pose proof (signed_divides (digit + 3) (part (high_s t) (operand - 2) (digit + 3) + part (high_c t) (operand - 2) (digit + 3)) ltac:(lia)) as [k D].
    unfold signed in D. rewrite <- E3 in D. fold F in S2, C2. exists k. rewrite X, Z.pow_add_r by lia. fold F. rewrite S2, C2 at 2. lia.
  Qed.

  Lemma low_range : forall t, 0 <= low t <= 2 * (F - 1).
  Proof. intros t. assert (0 <= net "s_low" t < F) by range t. assert (0 <= net "c_low" t < F) by range t. unfold low. lia. Qed.

  Lemma tip_range : forall t, - (4 * r) <= tip t < 4 * r.
  Proof.
    intros t. assert (R : 0 <= net "h" t < 2 ^ (digit + 3)) by range t. pose proof (two_range (digit + 3) _ ltac:(lia) R) as X. fold (tip t) in X.
    replace (digit + 3 - 1) with (digit + 2) in X by ring. rewrite Z.pow_add_r in X by lia. change (2 ^ 2) with 4 in X. fold r in X. lia.
  Qed.

  Lemma tip_terms : forall t, UnitAccumulator.legal Tops (top (S t)) /\ UnitAccumulator.number Tops (top (S t)) = tip t.
  Proof.
    intros t. destruct tops_number as (ET & T2 & TD). assert (R : 0 <= net "h" t < 2 ^ (digit + 3)) by range t.
    destruct (unsigned_terms_of (digit + 3) Tops (top (S t)) 1 (net "h" t) 0) as (G & V & _); [lia | exact R | lia | | rewrite Z.add_0_r in V; split; assumption].
    intros j J. apply (H_top_terms t j). rewrite ET. exact J.
  Qed.

  Lemma high_step : forall t, clear_q (S t) = 0 -> legal (e_q t) ->
    (2 ^ high | r * low (S t) + number (e_q t) * two operand (b_q t) + tip t * fold_q (S t) - (high_s (S (S t)) + high_c (S (S t)))).
  Proof.
    intros t C G. destruct terms_number as (ET & T2 & TD). destruct tops_number as (EP & P2 & PD).
    assert (D1 : (2 ^ high | high_place (high_inputs (S t)) 2 + high_place (high_inputs (S t)) 3 + single (high_singles (S t)) Tops + single (high_singles (S t)) (Tops + 1) -
      number (e_q t) * two operand (b_q t))).
    { pose proof (H_high_product t) as P. destruct (H_high_rows t) as (_ & R).
      apply (product_taken high operand _ _ Terms) with (rows := net "u_high.u_p.rows" t) (vectors := net "u_high.u_p.vectors" t); [clear - sizes T2 TD; lia | apply operands | exact G | | |].
      - rewrite <- ET. exact (H_high_multiples t).
      - fixed_terms. rewrite TN. by_high_tree R.
      - fixed_terms. rewrite TN. clear TN. fixed_tops. rewrite TN. exact P. }
    destruct (tip_terms t) as [Lt Vt].
    assert (D2 : (2 ^ high | total (fun i => high_place (high_inputs (S t)) (4 + i)) Tops + total (single (high_singles (S t))) Tops - tip t * fold_q (S t))).
    { rewrite <- Vt. apply (rows_taken high (W + 1)); [clear - sizes P2 PD; lia | replace (W + 1 - 1) with W by ring; destruct (operands (S t)) as (_ & _ & X); clear - X; lia | exact Lt |]. rewrite <- EP. exact (H_top_multiples (S t)). }
    assert (D3 : (2 ^ high | high_place (high_outputs (S t)) 0 + high_place (high_outputs (S t)) 1 - (total (high_place (high_inputs (S t))) (4 + Tops) + total (single (high_singles (S t))) (Tops + 2)))).
    { clear D1 D2. fixed_tops. destruct (H_high_tree (S t)) as (_ & R). rewrite ?TN. by_high_tree R. }
    destruct (H_high_accumulate (S t)) as [-> ->]. rewrite C. change (0 =? 1) with false. cbv iota.
    change (part (high_outputs (S t)) (0 * high) high) with (high_place (high_outputs (S t)) 0). change (part (high_outputs (S t)) (1 * high) high) with (high_place (high_outputs (S t)) 1).
    destruct (H_high_pair (S t)) as (_ & _ & _ & Q1 & Q2). fold r in Q1, Q2. change (part (high_inputs (S t)) (0 * high) high) with (high_place (high_inputs (S t)) 0) in Q1.
    change (part (high_inputs (S t)) (1 * high) high) with (high_place (high_inputs (S t)) 1) in Q2. rewrite total_split in D3.
    change (total (high_place (high_inputs (S t))) 4) with (0 + high_place (high_inputs (S t)) 0 + high_place (high_inputs (S t)) 1 + high_place (high_inputs (S t)) 2 + high_place (high_inputs (S t)) 3) in D3.
    assert (X : total (single (high_singles (S t))) (Tops + 2) = total (single (high_singles (S t))) Tops + single (high_singles (S t)) Tops + single (high_singles (S t)) (Tops + 1)).
    { replace (Tops + 2)%nat with (S (S Tops)) by lia. replace (Tops + 1)%nat with (S Tops) by lia. reflexivity. }
    rewrite X, Q1, Q2 in D3. unfold low. clear - D1 D2 D3. by_sum.
  Qed.

  (* ---------------------------------------------------------------- digits *)
  (* The terms of a register as a digit, or none. *)
  Lemma digit_terms : forall x valid y below, 0 <= y < r -> 0 <= below <= 1 ->
    (forall j, 0 <= j < (digit + 1) / 2 ->
      (part x (3 * j + 2) 1 + 2 * part x (3 * j + 1) 1) * (1 - 2 * part x (3 * j + 0) 1) =
        (if valid =? 1 then booth_term (((2 * two digit y + below) / 2 ^ (2 * j)) mod 8) else 0) /\
      part x (3 * j + 2) 1 + part x (3 * j + 1) 1 <= 1 /\ (1 <= part x (3 * j + 2) 1 + part x (3 * j + 1) 1 \/ part x (3 * j + 0) 1 = 0)) ->
    legal x /\ number x = (if valid =? 1 then y + below - r * part y (digit - 1) 1 else 0) /\ (valid <> 1 -> forall j, (j < Terms)%nat -> negative x j = 0).
  Proof.
    intros x valid y below Y Be H. destruct terms_number as (ET & T2 & TD). rewrite ET in H.
    replace (y + below - r * part y (digit - 1) 1) with (two digit y + below) by (rewrite (two_by_top digit y) by (try exact Y; lia); unfold r; ring).
    apply (unsigned_terms_of digit); [lia | exact Y | exact Be | exact H].
  Qed.

  Lemma idle_is : forall t, idle t = if phase t =? 0 then 1 else 0.
  Proof. intros [| t]; [destruct (H_at_reset O eq_refl) as (-> & -> & _); reflexivity | apply H_selects]. Qed.

  Lemma shift_is : forall t, shift t = if phase t =? 1 then 1 else 0.
  Proof. intros [| t]; [destruct (H_at_reset O eq_refl) as (-> & _ & ->); reflexivity | apply H_selects]. Qed.

  Lemma no_start : forall t, phase t <> 2 -> start t = 0.
  Proof.
    intros [| t] P; [apply (H_controls_at_reset O eq_refl) |]. destruct (H_controls t) as (_ & _ & _ & _ & _ & _ & -> & _).
    destruct (phase t =? 1); [| reflexivity]. destruct (Z.eqb_spec (phase (S t)) 2); [contradiction | reflexivity].
  Qed.

  Section Request.
  (* A request is accepted in cycle c. *)
  Variables (c : nat).
  Let n := n_of c. Let a := two operand (net "a_i" c). Let b := two operand (net "b_i" c). Let nbar := two W (net "n_scaled_i" c). Let fold := net "fold_i" c.
  Hypotheses (begins : phase c = 0) (request : net "req_valid_i" c = 1).
  Let first := S c.

  Lemma accepted : phase first = 1 /\ cycle first = 0 /\ part (a_q first) 0 ((upper + 1) * digit) = (a mod 2 ^ ((upper + 1) * digit)) / r /\
    part (a_q first) ((upper + 1) * digit) (upper * digit) = ((a / 2 ^ ((upper + 1) * digit - 1)) * 2 ^ (digit - 1)) mod 2 ^ (upper * digit) /\
    b_q first = net "b_i" c /\ n_q first = net "n_scaled_i" c /\ fold_q first = fold.
  Proof. apply (H_accept c begins request); [rewrite idle_is, begins | rewrite shift_is, begins | apply no_start; rewrite begins]; reflexivity || discriminate. Qed.

  Lemma loop_state : forall t, (t <= T)%nat -> phase (first + t)%nat = 1 /\ cycle (first + t)%nat = Z.of_nat t /\ two operand (b_q (first + t)%nat) = b /\
    two W (n_q (first + t)%nat) = nbar /\ fold_q (first + t)%nat = fold.
  Proof.
    destruct numbers as (EA & _). intros t LT. enough (E : phase (first + t)%nat = 1 /\ cycle (first + t)%nat = Z.of_nat t /\ b_q (first + t)%nat = net "b_i" c /\
      n_q (first + t)%nat = net "n_scaled_i" c /\ fold_q (first + t)%nat = fold) by (destruct E as (E1 & E2 & E3 & E4 & E5); rewrite E3, E4; auto). revert LT.
    induction t; intros LT; [rewrite Nat.add_0_r; destruct accepted as (A1 & A2 & _ & _ & A3 & A4 & A5); auto |].
    destruct (IHt ltac:(lia)) as (I1 & I2 & I3 & I4 & I5). rewrite Nat.add_succ_r. destruct (H_count _ I1 ltac:(unfold T, K, B in *; lia)) as [C1 C2].
    destruct (H_keep (first + t)%nat ltac:(rewrite idle_is, I1; reflexivity)) as (K1 & K2 & K3). rewrite C1, C2, K1, K2, K3, I3, I4, I5. repeat split; lia.
  Qed.

  Lemma busy : forall t, (t <= T)%nat -> idle (first + t)%nat = 0 /\ shift (first + t)%nat = 1 /\ start (first + t)%nat = 0.
  Proof. intros t L. destruct (loop_state t L) as (P & _). rewrite idle_is, shift_is, no_start, P by (rewrite P; discriminate). auto. Qed.

  Lemma clears : clear_q c = 1 /\ clear_q first = 1 /\ forall t, (t < T)%nat -> clear_q (first + S t)%nat = 0.
  Proof.
    split; [| split].
    - destruct c as [| t]; [apply (H_controls_at_reset O eq_refl) |]. destruct (H_controls t) as (-> & _). rewrite begins. destruct (phase t =? 0); reflexivity.
    - destruct (H_controls c) as (E & _). fold first in E. rewrite begins in E. exact E.
    - intros t LT. destruct (loop_state (S t) ltac:(lia)) as (P1 & _). rewrite Nat.add_succ_r in *. destruct (H_controls (first + t)%nat) as (-> & _). rewrite P1. destruct (loop_state t ltac:(lia)) as (-> & _). reflexivity.
  Qed.

  Ltac decided := change (0 =? 1) with false in *; change (1 =? 0) with false in *; change (1 =? 1) with true in *; change (0 =? 0) with true in *; change (Z.of_nat 0) with 0 in *; cbv iota in *.

  (* The selects in cycle t of the loop. *)
  Lemma selected : forall t, (t <= T)%nat -> d_valid (first + t)%nat = (if Nat.ltb (S t) B then 1 else 0) /\ q_valid (first + t)%nat = (if Nat.eqb t 0 then 0 else 1) /\
    meets (first + t)%nat = (if Nat.eqb t B then 1 else 0) /\ join (first + t)%nat = (if Nat.eqb t B then 1 else if Nat.eqb t (S B) then 1 else 0) /\
    transfer (first + t)%nat = (if Nat.eqb t T then 1 else 0).
  Proof.
    destruct numbers as (EA & A1).
    assert (M0 : meets c = 0 /\ join c = 0).
    { destruct c as [| t]; [split; apply (H_controls_at_reset O eq_refl) |]. destruct (H_controls t) as (_ & _ & _ & -> & -> & _). rewrite begins. decided. split; [reflexivity |].
      destruct t as [| t]; [apply (H_controls_at_reset O eq_refl) |]. destruct (H_controls t) as (_ & _ & _ & -> & _). destruct (Z.eqb_spec (phase (S t)) 1) as [P |]; [| reflexivity].
      destruct (Z.eqb_spec (cycle (S t)) (upper + 1)) as [Q |]; [| reflexivity]. exfalso. destruct (H_count (S t) P ltac:(lia)) as [X _]. rewrite X in begins. discriminate. }
    induction t; intros LT.
    - destruct (loop_state 0 ltac:(lia)) as (P0 & Q0 & _). rewrite Nat.add_0_r in *. change first with (S c) in *. destruct (H_controls c) as (_ & V1 & V2 & V3 & V4 & V5 & _).
      rewrite begins, P0, Q0 in *. destruct M0 as [M0 _]. rewrite M0 in V4. decided. rewrite V1, V2, V3, V4, V5.
      destruct (Nat.ltb_spec 1 B); [| unfold B in *; lia]. destruct (Nat.eqb_spec 0 B); [unfold B in *; lia |]. destruct (Nat.eqb_spec 0 T); [unfold T in *; lia |].
      destruct (Z.ltb_spec 0 (upper + 1 - 1)); [| lia]. destruct (Z.eqb_spec 0 (upper + 1)); [lia |]. destruct (Z.eqb_spec 0 (upper + 1 + 5)); [lia |]. repeat split; reflexivity.
    - destruct (IHt ltac:(lia)) as (_ & _ & I3 & _). destruct (loop_state t ltac:(lia)) as (P0 & _). destruct (loop_state (S t) ltac:(lia)) as (P1 & Q1 & _). rewrite Nat.add_succ_r in *.
      destruct (H_controls (first + t)%nat) as (_ & V1 & V2 & V3 & V4 & V5 & _). rewrite P0, P1, Q1, I3 in *. decided. rewrite V1, V2, V3, V4, V5.
      repeat split.
      + destruct (Z.ltb_spec (Z.of_nat (S t)) (upper + 1 - 1)), (Nat.ltb_spec (S (S t)) B); unfold B in *; lia.
      + destruct (Z.eqb_spec (Z.of_nat (S t)) (upper + 1)), (Nat.eqb_spec (S t) B); unfold B in *; lia.
      + destruct (Z.eqb_spec (Z.of_nat (S t)) (upper + 1)), (Nat.eqb_spec (S t) B), (Nat.eqb_spec t B), (Nat.eqb_spec (S t) (S B)); unfold B in *; lia.
      + destruct (Z.eqb_spec (Z.of_nat (S t)) (upper + 1 + 5)), (Nat.eqb_spec (S t) T); unfold T, K, B in *; lia.
  Qed.

  Lemma empty : (s_q first = 0 /\ c_q first = 0 /\ carry_q first = 0) /\ (s_q (S first) = 0 /\ c_q (S first) = 0 /\ carry_q (S first) = 0) /\
    (high_s first = 0 /\ high_c first = 0) /\ high_s (S first) = 0 /\ high_c (S first) = 0.
  Proof.
    destruct clears as (C0 & C1 & _). unfold first in *. destruct (H_accumulate c) as (A1 & A2 & _). destruct (H_quotient_transfer c) as [_ A3]. destruct (H_high_accumulate c) as [A4 A5].
    destruct (H_accumulate (S c)) as (B1 & B2 & _). destruct (H_quotient_transfer (S c)) as [_ B3]. destruct (H_high_accumulate (S c)) as [B4 B5].
    rewrite C0 in A1, A2, A3, A4, A5. rewrite C1 in B1, B2, B3, B4, B5. auto 10.
  Qed.

  (* ---------------------------------------------------------------- lower digits of a *)
  Let below (t : nat) : Z := match t with O => 0 | S i => part (net "digit" (c + i)%nat) (digit - 1) 1 end.
  Let d (t : nat) : Z := if Nat.ltb t B then net "digit" (c + t)%nat + below t - r * below (S t) else 0.

  Lemma below_range : forall t, 0 <= below t <= 1.
  Proof. intros [| t]; [cbn; lia | apply bit_range]. Qed.

  Lemma digit_register : forall t, (t <= T)%nat -> legal (d_q (first + t)%nat) /\ number (d_q (first + t)%nat) = d t /\
    ((B <= t)%nat -> forall j, (j < Terms)%nat -> negative (d_q (first + t)%nat) j = 0).
  Proof.
    intros t LT. destruct (bits_of (c + t)%nat) as ((_ & U & _) & _).
    assert (E : exists valid, valid = (if Nat.ltb t B then 1 else 0) /\ legal (d_q (first + t)%nat) /\ number (d_q (first + t)%nat) = (if valid =? 1 then net "digit" (c + t)%nat + below t - r * below (S t) else 0) /\
      (valid <> 1 -> forall j, (j < Terms)%nat -> negative (d_q (first + t)%nat) j = 0)).
    { change (first + t)%nat with (S (c + t)). destruct t as [| i].
      - exists (d_valid (c + 0)%nat). split; [rewrite Nat.add_0_r; destruct c as [| k]; [apply (H_controls_at_reset O eq_refl) |]; destruct (H_controls k) as (_ & -> & _); rewrite begins; reflexivity |].
        apply digit_terms; [exact U | cbn; lia |]. intros j J. apply (H_first_terms (c + 0)%nat j J). rewrite Nat.add_0_r, idle_is, begins. reflexivity.
      - destruct (selected i ltac:(lia)) as (V & _). destruct (busy i ltac:(lia)) as (I0 & _). rewrite Nat.add_succ_r in *. change (S (c + i)) with (first + i)%nat in *.
        exists (d_valid (first + i)%nat). split; [exact V |]. pose proof (H_a_transfer (c + i)%nat) as Tr. change (S (c + i)) with (first + i)%nat in Tr. cbn [below].
        rewrite ?Nat.add_succ_r. change (S (c + i)) with (first + i)%nat. rewrite <- Tr. apply digit_terms; [exact U | apply bits_of |]. intros j J. apply (H_a_terms (first + i)%nat j J I0). }
    destruct E as (valid & Ev & E1 & E2 & E3). split; [exact E1 |]. unfold d. split.
    - rewrite E2, Ev. destruct (Nat.ltb t B); reflexivity.
    - intros G. apply E3. rewrite Ev. destruct (Nat.ltb_spec t B); lia.
  Qed.

  Lemma sizes_of_a : 2 ^ ((upper + 1) * digit) = pw r B /\ - pw r M <= 2 * a < pw r M.
  Proof.
    destruct numbers as (EA & A1). unfold r. rewrite !pw_words by lia. split; [f_equal; unfold B; lia |]. assert (R : 0 <= net "a_i" c < 2 ^ operand) by range c.
    pose proof (two_range operand _ ltac:(lia) R) as X. fold a in X. pose proof (half operand ltac:(lia)).
    pose proof (Z.pow_le_mono_r 2 operand (Z.of_nat M * digit) ltac:(lia) ltac:(replace (Z.of_nat M) with (2 * upper + 1) by (unfold M, B; lia); lia)). lia.
  Qed.

  Lemma digit_at : forall t, (t < B)%nat -> net "digit" (c + t)%nat = part a (Z.of_nat t * digit) digit.
  Proof.
    destruct numbers as (EA & A1). destruct radix as [R Hh]. assert (R1 : 1 < r) by (clear - R Hh; lia). destruct sizes_of_a as [full _].
    intros [| t] LT.
    - rewrite Nat.add_0_r, H_first_digit by (rewrite idle_is, begins; reflexivity). unfold part. cbn [Z.of_nat Z.mul]. rewrite Z.div_1_r. reflexivity.
    - pose proof (lowest_word r B (fun i => part (a_q (first + i)%nat) 0 ((upper + 1) * digit)) (fun i => found (first + i)%nat) R1) as E. cbv beta in E.
      destruct accepted as (_ & _ & A0 & _). rewrite Nat.add_0_r, A0, full in E. rewrite Nat.add_succ_r. change (S (c + t)) with (first + t)%nat.
      destruct (busy t ltac:(unfold T, K; lia)) as (I0 & _). rewrite H_other_digits by exact I0.
      assert (L : part (a_q (first + t)%nat) 0 digit = part (a_q (first + t)%nat) 0 ((upper + 1) * digit) mod r).
      { rewrite <- (Z.add_0_l 0) at 1. rewrite <- (part_part (a_q (first + t)%nat) 0 ((upper + 1) * digit) 0 digit) by nia. unfold part at 1. change (2 ^ 0) with 1. rewrite Z.div_1_r. reflexivity. }
      rewrite L, E; [| | lia].
      + pose proof (pw_pos r t ltac:(lia)). rewrite Z.div_div by lia. change (r * pw r t) with (pw r (S t)). unfold part. unfold r. rewrite !pw_words by lia.
        pose proof (part_part a 0 (Z.of_nat B * digit) (Z.of_nat (S t) * digit) digit ltac:(lia) ltac:(nia) ltac:(lia) ltac:(nia)) as X. unfold part in X. change (2 ^ 0) with 1 in X. rewrite Z.div_1_r in X. exact X.
      + intros i I. destruct (busy i ltac:(unfold T, K; lia)) as (I1 & I2 & I3). rewrite Nat.add_succ_r. destruct (H_shift_a _ I1 I2 I3) as [-> _]. fold r. do 2 f_equal.
        unfold r. rewrite pw_words by lia. f_equal. rewrite Nat2Z.inj_sub by lia. unfold B. lia.
  Qed.

  Lemma lower_is : digits r d B = a mod pw r B - pw r B * part a (Z.of_nat B * digit - 1) 1.
  Proof.
    assert (top_bit : forall i, (i < B)%nat -> below (S i) = part a (Z.of_nat (S i) * digit - 1) 1).
    { intros i I. cbn [below]. rewrite digit_at by exact I. rewrite part_part by nia. f_equal. lia. }
    replace (part a (Z.of_nat B * digit - 1) 1) with (below B) by (apply (top_bit A); unfold B; lia). apply (lower_digits digit a B d below); [lia | reflexivity |].
    intros t L. unfold d. destruct (Nat.ltb_spec t B); [| lia]. rewrite digit_at by exact L. reflexivity.
  Qed.

  Lemma d_range : forall t, - r <= 2 * d t <= r.
  Proof.
    intros t. unfold d. destruct radix as [R Hh]. destruct (Nat.ltb t B); [| lia]. cbn [below]. pose proof (below_range t). destruct (bits_of (c + t)%nat) as ((_ & U & _) & _).
    rewrite (top_bit_range digit) by (try exact U; lia). fold h. destruct (Z.ltb_spec (net "digit" (c + t)%nat) h); lia.
  Qed.

  (* ---------------------------------------------------------------- upper digits of a *)
  Let g (t : nat) : Z := let y := part (digits_in (c + t)%nat) (upper * digit) digit in y + part (digits_in (c + t)%nat) (upper * digit - 1) 1 - r * part y (digit - 1) 1.

  Lemma upper_register : forall t, legal (e_q (first + t)%nat) /\ number (e_q (first + t)%nat) = g t.
  Proof.
    intros t. destruct (digit_terms (e_q (first + t)%nat) 1 (part (digits_in (c + t)%nat) (upper * digit) digit) (part (digits_in (c + t)%nat) (upper * digit - 1) 1)) as (G & E & _);
      [apply part_range; lia | apply bit_range | exact (H_upper_terms (c + t)%nat) |]. split; [exact G | exact E].
  Qed.

  Lemma g_range : forall t, - r <= 2 * g t <= r.
  Proof.
    intros t. unfold g. cbv zeta. destruct radix as [R Hh]. pose proof (bit_range (digits_in (c + t)%nat) (upper * digit - 1)). assert (Y : 0 <= part (digits_in (c + t)%nat) (upper * digit) digit < 2 ^ digit) by (apply part_range; lia).
    rewrite (top_bit_range digit) by (try exact Y; lia). fold h. fold r in Y. destruct (Z.ltb_spec (part (digits_in (c + t)%nat) (upper * digit) digit) h); lia.
  Qed.

  Lemma moved : forall t, (t <= T)%nat -> digits_in (c + t)%nat = (a / 2 ^ ((upper + 1) * digit - 1) * 2 ^ (digit - 1 + Z.of_nat t * digit)) mod 2 ^ (upper * digit + digit).
  Proof.
    set (X := a / 2 ^ ((upper + 1) * digit - 1)). assert (Q : 0 < 2 ^ (upper * digit)) by (apply Z.pow_pos_nonneg; nia). assert (R : 0 < r) by (apply Z.pow_pos_nonneg; lia).
    assert (next : forall t, X * 2 ^ (digit - 1 + Z.of_nat (S t) * digit) = X * 2 ^ (digit - 1 + Z.of_nat t * digit) * r).
    { intros t. unfold r. rewrite <- Z.mul_assoc, <- Z.pow_add_r by nia. do 2 f_equal. lia. }
    assert (parts : forall t, (t <= T)%nat -> part (a_q (first + t)%nat) ((upper + 1) * digit) (upper * digit) = (X * 2 ^ (digit - 1 + Z.of_nat t * digit)) mod 2 ^ (upper * digit)).
    { induction t; intros L.
      - rewrite Nat.add_0_r, Z.add_0_r. apply accepted.
      - destruct (busy t ltac:(lia)) as (I1 & I2 & I3). rewrite Nat.add_succ_r. destruct (H_shift_a _ I1 I2 I3) as [_ ->]. fold r. rewrite IHt, next, Z.mul_mod_idemp_l by lia. reflexivity. }
    intros [| t] L.
    - rewrite Nat.add_0_r, Z.add_0_r. apply H_first_upper. rewrite idle_is, begins. reflexivity.
    - rewrite Nat.add_succ_r. change (S (c + t)) with (first + t)%nat. destruct (busy t ltac:(lia)) as (I0 & _). rewrite (H_other_upper _ I0), parts, next by lia. fold r.
      rewrite (Z.pow_add_r 2 (upper * digit) digit) by nia. fold r. symmetry. apply Z.mul_mod_distr_r; lia.
  Qed.

  Lemma upper_at : forall t, (t < A)%nat -> g t = part a (Z.of_nat (M - S t) * digit) digit + part a (Z.of_nat (M - S t) * digit - 1) 1 - r * part a (Z.of_nat (M - t) * digit - 1) 1.
  Proof.
    destruct numbers as (EA & A1). intros t L. assert (tA : (Z.of_nat t + 1) * digit <= upper * digit) by (apply Z.mul_le_mono_nonneg_r; lia). assert (t0 : 0 <= Z.of_nat t * digit) by (apply Z.mul_nonneg_nonneg; lia).
    assert (E : forall l w, digit - 1 + Z.of_nat t * digit <= l -> 0 <= w -> l + w <= upper * digit + digit -> part (digits_in (c + t)%nat) l w = part a (upper * digit + l - Z.of_nat t * digit) w).
    { intros l w Hl Hw Hs. rewrite moved by (unfold T, K, B; lia). set (x := a / 2 ^ ((upper + 1) * digit - 1) * 2 ^ (digit - 1 + Z.of_nat t * digit)).
      replace (x mod 2 ^ (upper * digit + digit)) with (part x 0 (upper * digit + digit)) by (unfold part; change (2 ^ 0) with 1; rewrite Z.div_1_r; reflexivity).
      rewrite part_part, Z.add_0_l by lia. unfold x. rewrite part_moved by lia. match goal with |- part a ?i w = part a ?j w => replace i with j by ring end. reflexivity. }
    unfold g. cbv zeta. rewrite part_part by lia. rewrite !E by lia. unfold M, B.
    replace (Z.of_nat (S A + A - S t)) with (upper + upper - Z.of_nat t) by lia. replace (Z.of_nat (S A + A - t)) with (upper + upper + 1 - Z.of_nat t) by lia.
    match goal with |- part a ?i1 _ + part a ?i2 _ - r * part a ?i3 _ = part a ?j1 _ + part a ?j2 _ - r * part a ?j3 _ =>
      replace i1 with j1 by ring; replace i2 with j2 by ring; replace i3 with j3 by ring end. reflexivity.
  Qed.

  Fixpoint above (t : nat) : Z := match t with O => 0 | S i => r * above i + g i end.

  Lemma both_parts : a = above A * pw r B + digits r d B.
  Proof.
    destruct numbers as (EA & A1). destruct sizes_of_a as [_ bounds]. pose proof (rounded_digits digit a M A above g ltac:(lia) bounds ltac:(unfold M, B; lia) eq_refl (fun t _ => eq_refl) upper_at A (le_n A)) as E.
    replace (M - A)%nat with B in E by (unfold M; lia). fold r in E. rewrite E, lower_is. pose proof (pw_pos r B ltac:(destruct radix; lia)) as P. pose proof (Z.div_mod a (pw r B) ltac:(lia)). lia.
  Qed.

  (* ---------------------------------------------------------------- the upper half *)
  Let lo (t : nat) : Z := low (first + S t)%nat.
  Let tips (t : nat) : Z := tip (first + S t)%nat.
  Let z (t : nat) : Z := rest (first + S t)%nat.

  Lemma at_zero : forall t, high_s t = 0 -> high_c t = 0 -> low t = 0 /\ tip t = 0 /\ rest t = 0.
  Proof.
    intros t S0 C0. destruct (H_high_pair t) as (E1 & E2 & E3 & _). rewrite S0, C0 in *. rewrite part_zero in *. assert (V : low t = 0) by (unfold low; rewrite E1, E2; reflexivity).
    assert (X : tip t = 0).
    { unfold tip. rewrite E3. change (0 + 0) with 0. rewrite Zmod_0_l. unfold two. pose proof (Z.pow_pos_nonneg 2 (digit + 3 - 1) ltac:(lia) ltac:(lia)). destruct (Z.ltb_spec 0 (2 ^ (digit + 3 - 1))); lia. }
    unfold rest. rewrite V, X. auto.
  Qed.

  Lemma F_is : 0 < F /\ 2 ^ (operand - 1) = 2 * F /\ 4 * F = r * r * 2 ^ W /\ 2 ^ high = 8 * (r * F) /\ 2 ^ (state - 2) = 8 * (r * F) /\ 8 <= r /\ 2 ^ W <= F.
  Proof.
    destruct radix as [R Hh]. assert (F0 : 0 < F) by (apply Z.pow_pos_nonneg; lia). assert (R8 : 8 <= r) by lia. assert (E : 4 * F = r * r * 2 ^ W).
    { unfold F, r. change 4 with (2 ^ 2). rewrite <- !Z.pow_add_r by lia. f_equal. lia. }
    assert (P : 0 < 2 ^ W) by (apply Z.pow_pos_nonneg; lia). assert (64 * 2 ^ W <= r * r * 2 ^ W) by (apply Z.mul_le_mono_nonneg_r; [lia | change 64 with (8 * 8); apply Z.mul_le_mono_nonneg; lia]).
    repeat split; try assumption; [| | | lia].
    - unfold F. rewrite <- Z.pow_succ_r by lia. f_equal. lia.
    - unfold F, r. change 8 with (2 ^ 3). rewrite <- !Z.pow_add_r by lia. f_equal. lia.
    - unfold F, r. change 8 with (2 ^ 3). rewrite <- !Z.pow_add_r by lia. f_equal. lia.
  Qed.

  Lemma bounds_of_operands : - (2 * F) <= b <= 2 * F /\ 0 <= fold < 2 ^ W /\ - 2 ^ W <= 2 * nbar <= 2 ^ W.
  Proof.
    destruct F_is as (_ & E & _). destruct (loop_state 0 ltac:(lia)) as (_ & _ & Eb & En & Ef). destruct (operands (first + 0)%nat) as (X & Y & Z0). rewrite Eb, En, Ef in *. rewrite E in X. pose proof (half W ltac:(lia)). lia.
  Qed.

  Lemma rest_step : forall t, (t < T)%nat -> z (S t) = r * lo t + g t * b + before tips t * fold /\ - ((r + 2) * F) <= z (S t) <= (3 * r + 2) * F.
  Proof.
    intros t L. destruct F_is as (F0 & _ & EP & EH & _ & R8 & _). destruct bounds_of_operands as (Bb & Bf & _). destruct clears as (_ & _ & C). destruct (upper_register t) as [Lg Eg].
    pose proof (high_step (first + t)%nat) as D. rewrite <- Nat.add_succ_r in D. specialize (D (C t L) Lg). rewrite Eg in D. destruct (loop_state t ltac:(lia)) as (_ & _ & Eb & _). destruct (loop_state (S t) ltac:(lia)) as (_ & _ & _ & _ & Ef).
    rewrite Eb, Ef in D. assert (Et : tip (first + t)%nat = before tips t).
    { destruct t as [| i]; [rewrite Nat.add_0_r; destruct empty as (_ & _ & (S0 & C0) & _); apply (at_zero first S0 C0) | reflexivity]. }
    rewrite Et in D. fold (lo t) in D. pose proof (rest_is (first + S (S t))%nat) as D2. fold (z (S t)) in D2. rewrite (Nat.add_succ_r first (S t)) in D2.
    assert (Tr : - (4 * r) <= before tips t <= 4 * r) by (destruct t as [| i]; [cbn [before]; lia | cbn [before]; pose proof (tip_range (first + S i)%nat); unfold tips; lia]).
    pose proof (upper_range r F (2 ^ W) fold b (lo t) (before tips t) (g t) R8 F0 EP Bf Bb (low_range _) Tr (g_range t)) as X.
    assert (E : z (S t) = r * lo t + g t * b + before tips t * fold).
    { apply (near (2 ^ high)).
      - clear - D D2. destruct D as [k1 D], D2 as [k2 D2]. exists (k2 - k1). lia.
      - assert (Zr : - (4 * r * F) <= z (S t) <= (4 * r - 1) * F + 2 * (F - 1)).
        { unfold z, rest. pose proof (low_range (first + S (S t))%nat) as L1. pose proof (tip_range (first + S (S t))%nat) as L2. set (v := tip (first + S (S t))%nat) in *. set (l := low (first + S (S t))%nat) in *.
          assert (- (4 * r) * F <= v * F <= (4 * r - 1) * F) by (split; apply Z.mul_le_mono_nonneg_r; lia). lia. }
        rewrite EH. assert (8 * F <= r * F) by (apply Z.mul_le_mono_nonneg_r; lia). clear - X Zr H R8 F0. lia. }
    split; [exact E |]. rewrite E. lia.
  Qed.

  Lemma z_zero : z O = 0.
  Proof. destruct empty as (_ & _ & _ & S0 & C0). unfold z. rewrite Nat.add_1_r. apply (at_zero _ S0 C0). Qed.

  Lemma z_range : forall t, (t <= T)%nat -> - ((r + 2) * F) <= z t <= (3 * r + 2) * F /\ - (r + 4) <= tips t <= 3 * r + 2.
  Proof.
    intros t L. destruct F_is as (F0 & _ & _ & _ & _ & R8 & _). assert (Z0 : - ((r + 2) * F) <= z t <= (3 * r + 2) * F).
    { destruct t as [| i]; [rewrite z_zero; assert (0 <= r * F) by (apply Z.mul_nonneg_nonneg; lia); lia | apply rest_step; lia]. }
    split; [exact Z0 |]. apply (top_range r F (z t) (lo t)); [exact F0 | reflexivity | apply low_range | exact Z0].
  Qed.

  (* ---------------------------------------------------------------- the lower half *)
  Let u (t : nat) : Z := found (first + S t)%nat.
  Let carried (t : nat) : Z := u_transfer (first + S t)%nat.
  Let q (t : nat) : Z := u t + carried t - r * carried (S t).
  Let x (t : nat) : Z := if Nat.eqb t (S K) then carried t else 0.
  Let e (t : nat) : Z := if Nat.ltb t B then d t * b else if Nat.eqb t B then z A else if Nat.eqb t (S B) then tips (A - 1) * F else 0.
  Let Y (t : nat) : Z := pair_value state (s_q (first + S t)%nat) (c_q (first + S t)%nat) + carry_q (first + S t)%nat.
  Let limit := 13 * F.
  Let bound := h * limit.

  Lemma carried_is : forall t, carried (S t) = if 2 * u t <? r then 0 else 1.
  Proof.
    intros t. destruct radix as [R Hh]. unfold carried. rewrite (Nat.add_succ_r first (S t)). destruct (H_quotient_transfer (first + S t)%nat) as [-> _].
    destruct (bits_of (first + S t)%nat) as ((U & _) & _). rewrite (top_bit_range digit) by (try exact U; lia). fold h. unfold u.
    destruct (Z.ltb_spec (found (first + S t)%nat) h), (Z.ltb_spec (2 * found (first + S t)%nat) r); lia.
  Qed.

  Lemma carried_zero : carried 0 = 0.
  Proof.
    destruct radix as [R Hh]. destruct empty as ((S0 & C0 & K0) & _). destruct (selected 0 ltac:(lia)) as (_ & _ & _ & _ & Tr). rewrite Nat.add_0_r in Tr. destruct (Nat.eqb_spec 0 T); [unfold T in *; lia |].
    pose proof (H_quotient_digit first (or_introl Tr)) as E. rewrite Tr, S0, C0, K0, part_zero in E. fold r in E. destruct (bits_of first) as ((U & _) & (_ & Ca & _) & _).
    assert (Z0 : found first = 0) by (assert (net "carry" first = 0 \/ net "carry" first = 1) as [X | X] by lia; rewrite X in E; lia).
    unfold carried. rewrite Nat.add_1_r. destruct (H_quotient_transfer first) as [-> _]. rewrite Z0. apply part_zero.
  Qed.

  Lemma quotient_at : forall t, (t < T)%nat -> legal (q_q (S (first + t))) /\ number (q_q (S (first + t))) = delayed 1 q t.
  Proof.
    intros t L. destruct (bits_of (first + t)%nat) as ((U & _) & (_ & _ & C & _) & _). destruct (digit_terms _ (q_valid (first + t)%nat) _ _ U C (H_quotient_terms (first + t)%nat)) as (G & E & _).
    split; [exact G |]. rewrite E. destruct (selected t ltac:(lia)) as (_ & -> & _). unfold delayed. destruct t as [| i]; [reflexivity |]. change (Nat.eqb (S i) 0) with false. change (Nat.ltb (S i) 1) with false. cbv iota. change (1 =? 1) with true. cbv iota.
    rewrite Nat.sub_succ, Nat.sub_0_r. unfold q, u, carried. rewrite (Nat.add_succ_r first (S i)). destruct (H_quotient_transfer (first + S i)%nat) as [-> _]. reflexivity.
  Qed.

  Lemma summand : forall t, (t < T)%nat -> product_joins state Terms inputs singles (first + S t)%nat (e t).
  Proof.
    intros t L. destruct numbers as (EA & A1). rewrite Nat.add_succ_r. destruct (selected t ltac:(lia)) as (_ & _ & Em & Ej & _). destruct (digit_register t ltac:(lia)) as (Ld & Ed & Nd). destruct (loop_state t ltac:(lia)) as (_ & _ & Eb & _).
    destruct terms_number as (_ & T2 & _).
    assert (J : join (first + t)%nat = 1 -> forall y, (2 ^ state | ((if meets (first + t)%nat =? 1 then two (digit + 3) (net "h" (first + t)%nat) else two (digit + 3) (net "h_q" (first + t)%nat)) * F) mod 2 ^ state
        + (if meets (first + t)%nat =? 1 then low (first + t)%nat else 0) - y) -> (B <= t)%nat -> product_joins state Terms inputs singles (S (first + t)) y).
    { intros J1 y D LB. destruct (H_joins _ J1) as (V1 & V2 & V3). fold F in V1. unfold product_joins.
      change (place (inputs (S (first + t))) 2) with (part (inputs (S (first + t))) (2 * state) state). change (place (inputs (S (first + t))) 3) with (part (inputs (S (first + t))) (3 * state) state). rewrite V1, V2.
      assert (Ones : single (singles (S (first + t))) Terms = 0 /\ single (singles (S (first + t))) (Terms + 1) = 0).
      { specialize (Nd LB). assert (N1 : negative (d_q (first + t)%nat) (Terms - 2) = 0) by (apply Nd; lia). assert (N2 : negative (d_q (first + t)%nat) (Terms - 1) = 0) by (apply Nd; lia).
        fixed_terms. rewrite TN in N1, N2 |- *. destruct V3 as [E1 E2]. split; [etransitivity; [exact E1 | exact N1] | etransitivity; [exact E2 | exact N2]]. }
      destruct Ones as [-> ->]. unfold low in D. destruct (meets (first + t)%nat =? 1); rewrite !Z.add_0_r in *; [| exact D]. rewrite <- Z.add_assoc. exact D. }
    assert (residue : forall v, (2 ^ state | v mod 2 ^ state - v)) by (intros v; exists (- (v / 2 ^ state)); rewrite Z.mod_eq by (apply Z.pow_nonzero; lia); ring).
    unfold e. destruct (Nat.ltb_spec t B) as [LB | LB].
    - destruct (Nat.eqb_spec t B); [lia |]. destruct (Nat.eqb_spec t (S B)); [lia |]. rewrite <- Ed, <- Eb. apply product_sum; [exact Ej | exact Ld].
    - destruct (Nat.eqb_spec t B) as [E | NB].
      + apply J; [exact Ej | | exact LB]. rewrite Em. change (1 =? 1) with true. cbv iota. rewrite E. change (first + B)%nat with (first + S A)%nat. unfold z, rest. fold (tip (first + S A)%nat).
        pose proof (residue (tip (first + S A)%nat * F)) as D. replace (low (first + S A)%nat + tip (first + S A)%nat * F) with (tip (first + S A)%nat * F + low (first + S A)%nat) by ring.
        clear - D. destruct D as [k D]. exists k. lia.
      + destruct (Nat.eqb_spec t (S B)) as [E | NB1].
        * apply J; [exact Ej | | exact LB]. rewrite Em. change (0 =? 1) with false. cbv iota. rewrite E. change (first + S B)%nat with (first + S (S A))%nat.
          assert (H1 : net "h_q" (first + S (S A))%nat = net "h" (first + A)%nat).
          { rewrite (Nat.add_succ_r first (S A)), (H_top_kept (first + S A)%nat). destruct (selected (S A) ltac:(unfold T, K, B; lia)) as (_ & _ & M1 & _). fold B in M1 |- *. rewrite Nat.eqb_refl in M1. rewrite M1. change (1 =? 1) with true. cbv iota.
            unfold B. rewrite Nat.add_succ_r, (H_top_kept (first + A)%nat). destruct (selected A ltac:(unfold T, K, B; lia)) as (_ & _ & M2 & _). destruct (Nat.eqb_spec A B); [unfold B in *; lia |]. rewrite M2. reflexivity. }
          rewrite H1. unfold tips, tip. replace (S (A - 1)) with A by lia. rewrite Z.add_0_r. apply residue.
        * assert (E0 : d t = 0) by (unfold d; destruct (Nat.ltb_spec t B); [lia | reflexivity]). replace 0 with (number (d_q (first + t)%nat) * two operand (b_q (first + t)%nat)) by (rewrite Ed, E0; ring).
          apply product_sum; [exact Ej | exact Ld].
  Qed.

  Lemma summand_range : forall t, - bound <= 2 * e t <= bound.
  Proof.
    intros t. destruct numbers as (EA & A1). destruct radix as [R Hh]. destruct F_is as (F0 & _ & _ & _ & _ & R8 & _). destruct bounds_of_operands as (Bb & _). unfold bound, limit, e.
    assert (hF : 4 * F <= h * F) by (apply Z.mul_le_mono_nonneg_r; lia). assert (rF : r * F = 2 * (h * F)) by (rewrite R; ring).
    destruct (Nat.ltb t B).
    - pose proof (range_mul (2 * d t) b r (2 * F) (d_range t) Bb). lia.
    - destruct (z_range A ltac:(unfold T, K, B; lia)) as [Z1 _]. destruct (z_range (A - 1) ltac:(unfold T, K, B; lia)) as [_ Z2]. destruct (Nat.eqb t B); [lia |]. destruct (Nat.eqb t (S B)); [| lia].
      assert (- (r + 4) * F <= tips (A - 1) * F <= (3 * r + 2) * F) by (split; apply Z.mul_le_mono_nonneg_r; lia). lia.
  Qed.

  Lemma quotient_range : forall t, - bound <= 2 * (delayed 1 q t * nbar) <= bound.
  Proof.
    intros t. destruct radix as [R Hh]. destruct F_is as (F0 & _ & _ & _ & _ & R8 & PF). destruct bounds_of_operands as (_ & _ & Bn). assert (qR : - h <= delayed 1 q t <= h).
    { unfold delayed. destruct (Nat.ltb t 1); [lia |]. unfold q. rewrite carried_is. destruct (bits_of (first + S (t - 1))%nat) as ((U & _) & (_ & _ & C & _) & _). unfold u, carried. destruct (Z.ltb_spec (2 * found (first + S (t - 1))%nat) r); lia. }
    pose proof (range_mul _ (2 * nbar) h (2 ^ W) qR Bn). assert (h * 2 ^ W <= h * F) by (apply Z.mul_le_mono_nonneg_l; lia). assert (0 < h * F) by (apply Z.mul_pos_pos; lia). unfold bound, limit. lia.
  Qed.

  Lemma even : c_q (first + S (S K))%nat mod 2 = 0.
  Proof.
    rewrite Nat.add_succ_r. destruct (H_accumulate (first + S K)%nat) as (_ & _ & E). destruct clears as (_ & _ & C). rewrite (C K ltac:(unfold T; lia)) in E. change (0 =? 1) with false in E. cbv iota in E. rewrite E. clear E.
    rewrite Nat.add_succ_r. destruct (selected K ltac:(unfold T; lia)) as (_ & _ & _ & Ej & _). destruct (Nat.eqb_spec K B); [unfold K in *; lia |]. destruct (Nat.eqb_spec K (S B)); [unfold K in *; lia |].
    pose proof (H_product (first + K)%nat Ej) as PR. destruct (digit_register K ltac:(unfold T; lia)) as (_ & _ & G). destruct terms_number as (_ & T2 & _).
    assert (G0 : negative (d_q (first + K)%nat) (Terms - 1) = 0) by (apply G; unfold K; lia). fixed_terms. rewrite TN in G0. destruct PR as (_ & _ & _ & E). rewrite E. exact G0.
  Qed.

  Lemma step : forall t, (t < T)%nat -> - (bound + 1) <= Y t <= bound + 1 -> r * Y (S t) = Y t + x t - u t + r * e t + r * (delayed 1 q t * nbar).
  Proof.
    intros t LT Be. destruct radix as [R Hh]. destruct clears as (_ & _ & C). specialize (C t LT). destruct F_is as (F0 & _ & _ & _ & ES & R8 & _).
    assert (B0 : 0 <= bound) by (unfold bound, limit; apply Z.mul_nonneg_nonneg; lia). assert (room : bound + 2 <= 2 ^ (state - 2)).
    { rewrite ES, R. unfold bound, limit. assert (4 * F <= h * F) by (apply Z.mul_le_mono_nonneg_r; lia). lia. }
    destruct (bits_of (first + S t)%nat) as ((U & _) & (K1 & K2 & K3 & _) & _). destruct (selected (S t) ltac:(lia)) as (_ & _ & _ & _ & Tr).
    assert (X : transfer (first + S t)%nat * u_transfer (first + S t)%nat = x t) by (rewrite Tr; unfold x, T; change (1 + S K)%nat with (S (S K)); cbn [Nat.eqb]; destruct (Nat.eqb t (S K)); unfold carried; ring).
    assert (Q : found (first + S t)%nat + r * net "carry" (first + S t)%nat = part (s_q (first + S t)%nat) 0 digit + part (c_q (first + S t)%nat) 0 digit + carry_q (first + S t)%nat + x t).
    { rewrite <- X. apply (H_quotient_digit (first + S t)%nat). rewrite Tr. destruct (Nat.eqb_spec (S t) T) as [E |]; [right | left; reflexivity]. replace t with (S K) by (unfold T in E; lia). exact even. }
    assert (xr : 0 <= x t <= 1) by (unfold x, carried; destruct (Nat.eqb t (S K)); [exact K3 | lia]).
    pose proof (summand t LT) as D2. destruct (quotient_at t LT) as [Lq Eq]. pose proof (quotient_sum (first + t)%nat Lq) as D3. destruct (loop_state (S t) ltac:(lia)) as (_ & _ & _ & Em & _). rewrite Nat.add_succ_r in Em. rewrite Eq, Em in D3. rewrite <- Nat.add_succ_r in D3.
    pose proof (advance state digit Terms inputs singles outputs s_q c_q clear_q (net "u_accumulator.fold") ltac:(lia) pair_reduced accumulates) as A0.
    specialize (A0 ltac:(intros i; destruct (bits_of i) as ((_ & _ & S1 & C1) & _ & Fo); split; [exact S1 |]; split; [exact C1 | exact Fo]) H_pair).
    specialize (A0 h (first + S t)%nat bound _ _ _ (x t) _ _ ltac:(lia) R C D2 D3 B0 room Be K1 xr U K2 Q (summand_range t) (quotient_range t)). cbv zeta in A0.
    destruct (H_quotient_transfer (first + S t)%nat) as [_ Kc]. rewrite C in Kc. change (0 =? 1) with false in Kc. cbv iota in Kc.
    unfold Y. rewrite (Nat.add_succ_r first (S t)), Kc. exact A0.
  Qed.

  Lemma at_start : Y O = 0.
  Proof.
    destruct empty as (_ & (S0 & C0 & K0) & _). unfold Y. rewrite Nat.add_1_r, S0, C0, K0. unfold pair_value, signed, two. rewrite Zmod_0_l.
    pose proof (Z.pow_pos_nonneg 2 (state - 1) ltac:(lia) ltac:(lia)). destruct (Z.ltb_spec 0 (2 ^ (state - 1))); lia.
  Qed.

  (* ---------------------------------------------------------------- the result *)
  Hypotheses (least : 2 ^ (W - 1) + 1 <= n) (most : n < 2 ^ W) (constant : scaled (2 * digit) n nbar) (folds : fold = 2 ^ (operand - 2 + 2 * digit) mod n).

  Let value := pw r 1 * Y T + digits r (fun i => u (S K + i)%nat) 1.

  Lemma joined : digits r e K = digits r d B * b + pw r B * (z A + tips (A - 1) * (r * F)).
  Proof.
    unfold K. rewrite digits_split. rewrite (digits_ext r e (fun t => b * d t)) by (intros t L; unfold e; destruct (Nat.ltb_spec t B); [ring | lia]). rewrite digits_scale.
    assert (E0 : e (B + 0)%nat = z A) by (unfold e; rewrite Nat.add_0_r, Nat.eqb_refl; destruct (Nat.ltb_spec B B); [lia | reflexivity]).
    assert (E1 : e (B + 1)%nat = tips (A - 1) * F) by (unfold e; rewrite Nat.add_1_r, Nat.eqb_refl; destruct (Nat.ltb_spec (S B) B); [lia |]; destruct (Nat.eqb_spec (S B) B); [lia | reflexivity]).
    assert (E2 : e (B + 2)%nat = 0) by (unfold e; destruct (Nat.ltb_spec (B + 2) B); [lia |]; destruct (Nat.eqb_spec (B + 2) B); [lia |]; destruct (Nat.eqb_spec (B + 2) (S B)); [lia | reflexivity]).
    cbn [digits pw]. rewrite E0, E1, E2. ring.
  Qed.

  Lemma result : montgomery n (pw r K) a b value /\ - (pw r 2 * n) < 2 * value < pw r 2 * n.
  Proof.
    destruct numbers as (EA & A1). destruct radix as [R Hh]. destruct F_is as (F0 & _ & EP & _ & _ & R8 & PF). destruct bounds_of_operands as (Bb & _ & Bn). pose proof (half W ltac:(lia)) as HW. assert (np : 0 < n) by (pose proof (Z.pow_pos_nonneg 2 (W - 1)); lia).
    assert (EL : 2 ^ (2 * digit) = pw r 2) by (unfold r; rewrite pw_words by lia; reflexivity). destruct constant as (ni & I & E). rewrite EL in I, E.
    destruct (z_range A ltac:(unfold T, K, B; lia)) as [Z1 _]. destruct (z_range (A - 1) ltac:(unfold T, K, B; lia)) as [_ Z2]. pose proof (pw_pos r B ltac:(lia)) as PB.
    assert (whole : (exists m, pw r K * value = digits r e K + n * m) /\ - (pw r 2 * n) < 2 * value < pw r 2 * n).
    { pose proof (late_sum h n ni nbar (digits r e K) (2 ^ W) limit K 1 Y e u carried) as G. cbv zeta in G. rewrite <- R in G. fold bound in G.
      apply G; clear G; [clear - Hh; lia | exact np | apply le_n | exact E | clear - I; lia | | exact Bn | | | reflexivity | | exact summand_range | intros t; apply bits_of | exact carried_is | exact step].
      - rewrite joined. assert (lower : - pw r B <= 2 * digits r d B <= pw r B).
        { rewrite lower_is. pose proof (Z.mod_pos_bound a (pw r B) PB) as Mo. unfold r in *. rewrite pw_words in * by lia. assert (X : 1 <= Z.of_nat B * digit) by (apply (Z.mul_le_mono_nonneg 1 _ 1); lia). pose proof (half _ X) as Hb. set (w := 2 ^ (Z.of_nat B * digit - 1)) in *.
          assert (W0 : 0 < w) by (apply Z.pow_pos_nonneg; lia). unfold part. change (2 ^ 1) with 2. fold w. rewrite Hb in *. rewrite (Z.mul_comm 2 w), Z.rem_mul_r in * by lia.
          pose proof (Z.mod_pos_bound a w W0). pose proof (Z.mod_pos_bound (a / w) 2 ltac:(lia)). assert ((a / w) mod 2 = 0 \/ (a / w) mod 2 = 1) as [-> | ->] by lia; lia. }
        replace (pw r 2 * n * pw r K) with (r * r * n * (pw r B * (r * (r * r)))) by (unfold K; rewrite pw_add; cbn [pw]; ring).
        apply (joined_range r F (2 ^ W) n (pw r B) (digits r d B) b (z A) (tips (A - 1)) R8 F0 EP ltac:(lia) PB lower Bb); [assert (0 <= r * F) by (apply Z.mul_nonneg_nonneg; lia); lia | lia].
      - unfold bound, limit. rewrite R. assert (h * 2 ^ W <= h * F) by (apply Z.mul_le_mono_nonneg_l; lia). assert (4 * F <= h * F) by (apply Z.mul_le_mono_nonneg_r; lia). split; [lia |].
        replace (h * (h * 2 ^ W) + h * (13 * F) + 2 * h) with (h * (h * 2 ^ W + 13 * F + 2)) by ring. apply Z.mul_le_mono_nonneg_l; lia.
      - split; [exact at_start | exact carried_zero].
      - intros t L. unfold e, K in *. destruct (Nat.ltb_spec t B); [lia |]. destruct (Nat.eqb_spec t B); [lia |]. destruct (Nat.eqb_spec t (S B)); [lia | reflexivity]. }
    destruct whole as [[m Em] bounds]. split; [| exact bounds].
    assert (folds' : fold = (F * (r * r)) mod n) by (rewrite folds; f_equal; unfold F, r; rewrite <- !Z.pow_add_r by (clear - sizes; lia); f_equal; ring).
    destruct (upper_half n r F fold b A z tips lo g above folds' z_zero eq_refl) with (t := A) as [k Ek]; [intros; reflexivity | intros t L; apply rest_step; unfold T, K, B; lia | reflexivity | lia |].
    assert (Eb : before tips A = tips (A - 1)) by (replace A with (S (A - 1)) at 1 by lia; reflexivity). rewrite Eb in Ek. rewrite joined, Ek in Em.
    exists (m + pw r B * k). rewrite Z.mul_comm, Em, both_parts. ring.
  Qed.

  (* ---------------------------------------------------------------- the conversion *)
  Let ends := (first + S T)%nat.                                                            (* its first cycle *)
  Let final := S (S (S ends)).
  Let Pair := operand - digit.

  Lemma converting : (phase ends = 2 /\ phase (S ends) = 2 /\ phase (S (S ends)) = 2 /\ phase final = 3) /\
    (start ends = 1 /\ start (S ends) = 0 /\ start (S (S ends)) = 0) /\ (started ends = 0 /\ started (S ends) = 1 /\ started (S (S ends)) = 0).
  Proof.
    destruct numbers as (EA & A1). destruct (loop_state T (le_n T)) as (P0 & C0 & _). destruct (H_count_end _ P0 ltac:(unfold T, K, B in *; lia)) as [P1 C1]. rewrite <- Nat.add_succ_r in P1, C1. fold ends in P1, C1.
    destruct (H_converts ends P1 ltac:(lia)) as [P2 C2]. destruct (H_converts (S ends) P2 ltac:(lia)) as [P3 C3]. pose proof (H_converted (S (S ends)) P3 ltac:(lia)) as P4.
    destruct (H_controls (first + T)%nat) as (_ & _ & _ & _ & _ & _ & S1 & S2). rewrite <- Nat.add_succ_r in S1, S2. fold ends in S1, S2. rewrite P0, P1 in S1. rewrite no_start in S2 by (rewrite P0; discriminate).
    destruct (H_controls ends) as (_ & _ & _ & _ & _ & _ & S3 & S4). rewrite P1 in S3. rewrite S1 in S4. destruct (H_controls (S ends)) as (_ & _ & _ & _ & _ & _ & S5 & S6). rewrite P2 in S5. rewrite S3 in S6.
    auto 10.
  Qed.

  Lemma inner : forall y low_ w, 0 <= low_ -> 0 <= w -> low_ + w <= operand -> part y low_ w = part (part y 0 operand) low_ w.
  Proof. intros y low_ w L Hw S0. rewrite part_part by lia. reflexivity. Qed.

  Lemma last_digit : part (a_q ends) ((upper + 1) * digit - digit) digit = u (S K).
  Proof.
    destruct (busy T (le_n T)) as (I1 & I2 & I3). destruct (H_shift_a _ I1 I2 I3) as [E _]. rewrite <- Nat.add_succ_r in E. fold ends in E. destruct (bits_of (first + T)%nat) as ((U & _) & _).
    assert (UD : 0 <= (upper + 1) * digit - digit) by (replace ((upper + 1) * digit - digit) with (upper * digit) by ring; apply Z.mul_nonneg_nonneg; lia). pose proof (part_part (a_q ends) 0 ((upper + 1) * digit) ((upper + 1) * digit - digit) digit ltac:(lia) UD ltac:(lia) ltac:(lia)) as X.
    rewrite Z.add_0_l in X. rewrite <- X, E. set (v := part (a_q (first + T)%nat) 0 ((upper + 1) * digit)). assert (V : 0 <= v < 2 ^ ((upper + 1) * digit)) by (apply part_range; nia).
    replace ((upper + 1) * digit) with (((upper + 1) * digit - digit) + digit) in V by ring. rewrite Z.pow_add_r in V by lia. set (p := 2 ^ ((upper + 1) * digit - digit)) in *. assert (0 < p) by (apply Z.pow_pos_nonneg; lia).
    assert (R : 0 < 2 ^ digit) by (apply Z.pow_pos_nonneg; lia). assert (v / 2 ^ digit < p) by (apply Z.div_lt_upper_bound; lia). assert (0 <= v / 2 ^ digit) by (apply Z.div_pos; lia).
    unfold part. fold p. rewrite (Z.mul_comm p), Z.div_add, Z.div_small, Z.add_0_l by lia. apply Z.mod_small. exact U.
  Qed.

  Lemma converted_sum : part (a_q final) 0 operand = u (S K) + r * ((s_q ends + c_q ends + carry_q ends) mod 2 ^ Pair).
  Proof.
    destruct converting as ((P1 & P2 & P3 & P4) & (S1 & S2 & S3) & (S4 & S5 & S6)).
    assert (calm : forall t, phase t = 2 -> idle t = 0 /\ shift t = 0) by (intros t E; rewrite idle_is, shift_is, E; split; reflexivity).
    destruct (calm _ P1) as [I1 T1]. destruct (calm _ P2) as [I2 T2]. destruct (calm _ P3) as [I3 T3]. clear calm.
    destruct (bits_of ends) as (_ & (Kr & _) & _). assert (PP : 1 <= Pair /\ operand = digit + Pair) by (unfold Pair; lia). destruct PP as [PP PO].
    pose proof (H_rests (S ends) I2 T2 S2 (H_no_carries ends S4)) as middle.
    assert (X : part (a_q final) digit Pair = (part (s_q ends) 0 Pair + part (c_q ends) 0 Pair + carry_q ends) mod 2 ^ Pair).
    { apply (Groups.converted group Pair digit _ _ _ (a_q (S ends)) _ (net "u_convert.gen_three_cycles.generates_q" (S ends))
        (net "u_convert.gen_three_cycles.propagates_q" (S ends)) (carries (S (S ends)))); by_arithmetic.
      - intros i I. exact (H_sums ends i I S1 I1 T1).
      - intros i I. exact (H_look_ahead (S ends) i I S5).
      - intros i I. assert (W0 : 0 <= Z.min group (Pair - i * group) /\ 0 <= i * group /\ digit + i * group + Z.min group (Pair - i * group) <= operand).
        { pose proof (Z.div_mod (Pair + group - 1) group ltac:(lia)) as Dm. pose proof (Z.mod_pos_bound (Pair + group - 1) group ltac:(lia)). assert (0 <= i * group) by (apply Z.mul_nonneg_nonneg; lia).
          set (some := (Pair + group - 1) / group) in *. assert (i * group <= (some - 1) * group) by (apply Z.mul_le_mono_nonneg_r; [lia | clear - I; lia]). lia. }
        rewrite (inner (a_q (S ends))) by lia. rewrite <- middle, <- inner by lia. exact (H_increments (S (S ends)) i I I3 T3 S3). }
    assert (G : part (a_q final) 0 digit = u (S K)).
    { etransitivity; [exact (H_low_digit_stays (S (S ends)) I3 T3 S3) |]. rewrite (inner (a_q (S (S ends)))) by lia. rewrite middle, <- inner by lia. etransitivity; [exact (H_low_digit ends S1 I1 T1) |]. exact last_digit. }
    rewrite PO, part_split, Z.add_0_l by lia. rewrite G, X. fold r. do 2 f_equal.
    unfold part. change (2 ^ 0) with 1. rewrite !Z.div_1_r. rewrite <- (Z.add_mod_idemp_l (s_q ends + c_q ends)), (Z.add_mod (s_q ends)), Z.add_mod_idemp_l by (apply Z.pow_nonzero; lia). reflexivity.
  Qed.

  Lemma answered : two operand (net "p_o" final) = value.
  Proof.
    destruct radix as [R Hh]. destruct result as [_ V]. destruct F_is as (F0 & E2 & EP & _ & _ & R8 & _). assert (PP : 0 <= Pair /\ Pair <= state /\ operand = digit + Pair) by (unfold Pair; lia). destruct PP as (P0 & PS & PO).
    assert (range_p : 0 <= net "p_o" final < 2 ^ operand) by range final.
    assert (VR : - 2 ^ (operand - 1) <= value < 2 ^ (operand - 1)).
    { rewrite E2. cbn [pw] in V. rewrite Z.mul_1_r in V. assert (r * r * n < r * r * 2 ^ W) by (apply Z.mul_lt_mono_pos_l; [apply Z.mul_pos_pos |]; lia). lia. }
    rewrite <- (Z.mod_small _ _ range_p). change (signed operand (net "p_o" final) = value). apply signed_is; [lia | exact VR |].
    rewrite H_answer, converted_sum. unfold value. cbn [pw digits]. rewrite Nat.add_0_r.
    pose proof (divide_pow Pair state _ ltac:(lia) (signed_divides state (s_q ends + c_q ends) ltac:(lia))) as [j E].
    unfold Y. fold ends. unfold pair_value. set (v := s_q ends + c_q ends) in *. rewrite (Z.mod_eq (v + carry_q ends)) by (apply Z.pow_nonzero; lia).
    exists (j + (v + carry_q ends) / 2 ^ Pair). set (w := (v + carry_q ends) / 2 ^ Pair) in *.
    replace (signed state v) with (v + j * 2 ^ Pair) by lia. rewrite PO, Z.pow_add_r by lia. fold r. ring.
  Qed.

  Lemma not_yet : forall t, (c < t < final)%nat -> phase t <> 3.
  Proof.
    intros t LT. destruct converting as ((P1 & P2 & P3 & _) & _). assert (t < ends \/ t = ends \/ t = S ends \/ t = S (S ends))%nat as [X | [-> | [-> | ->]]] by (unfold final in LT; lia);
      [| rewrite P1 | rewrite P2 | rewrite P3]; try discriminate.
    destruct (loop_state (t - first)%nat ltac:(unfold ends, first in *; lia)) as (P0 & _).
    replace (first + (t - first))%nat with t in P0 by (unfold first in *; lia). rewrite P0. discriminate.
  Qed.

  Lemma at_rest : started final = 0 /\ carries final = 0.
  Proof.
    destruct converting as (_ & (_ & _ & S3) & (_ & _ & S6)). unfold final. split; [destruct (H_controls (S (S ends))) as (_ & _ & _ & _ & _ & _ & _ & ->); exact S3 | exact (H_no_carries _ S6)].
  Qed.
  End Request.

  Theorem contract : multiplier net (fun t => two operand (net "a_i" t)) (fun t => two operand (net "b_i" t)) n_of (fun t => two operand (net "p_o" t)) (T + 5) (T + 5) (2 ^ ((upper + 4) * digit))
    (fun c => n_of c mod 2 = 1 /\ 2 ^ (W - 1) + 1 <= n_of c /\ n_of c < 2 ^ W /\ scaled (2 * digit) (n_of c) (two W (net "n_scaled_i" c)) /\
      net "fold_i" c = 2 ^ (operand - 2 + 2 * digit) mod n_of c)
    (fun n x => - (2 ^ (2 * digit - 1) * n) < x < 2 ^ (2 * digit - 1) * n) (fun n x => - (2 ^ (2 * digit - 1) * n) < x < 2 ^ (2 * digit - 1) * n).
  Proof.
    apply (serves _ _ _ _ _ _ _ _ _ _ _ phase 0 3 (fun t => started t = 0 /\ carries t = 0)).
    - intros t. destruct (H_ready t) as [E1 E2]. rewrite E1, E2, idle_is. auto.
    - intros c I V (_ & least & most & constant & folds) _ _. exists (T + 5)%nat.
      pose proof (not_yet c I V least most constant folds) as Be. pose proof (converting c I V least most constant folds) as ((_ & _ & _ & E) & _).
      pose proof (at_rest c I V least most constant folds) as Q. pose proof (result c I V least most constant folds) as [Mo R].
      pose proof (answered c I V least most constant folds) as P. replace (S (S (S (S c + S T))))%nat with (c + (T + 5))%nat in * by lia.
      cbv beta. rewrite P. split; [lia |]. split; [exact E |]. split; [exact Be |]. split; [exact Q |]. destruct numbers as (EA & A1). split.
      + assert (X : pw r 2 = 2 * 2 ^ (2 * digit - 1)) by (unfold r; rewrite pw_words, <- half by lia; reflexivity). rewrite X in R. clear - R. lia.
      + apply montgomery_mod. replace (2 ^ ((upper + 4) * digit)) with (pw r K); [exact Mo |]. unfold r. rewrite pw_words by lia. do 2 f_equal. unfold K, B. lia.
    - intros t E [S0 C0] Fr. pose proof (H_wait t E Fr) as E'. assert (G : start t = 0) by (apply no_start; rewrite E; discriminate).
      split; [exact E' |]. split; [destruct (H_controls t) as (_ & _ & _ & _ & _ & _ & _ & ->); split; [exact G | exact (H_no_carries t S0)] |].
      rewrite !H_answer. rewrite (H_rests t); [reflexivity | | | exact G | exact C0]; rewrite ?idle_is, ?shift_is, E; reflexivity.
  Qed.
End Chain.
