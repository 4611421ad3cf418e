(* SPDX-License-Identifier: Apache-2.0 *)
(* mf_three_pass from the nets of the RTL to the contract, for every width, any number of digits and any stage. The hypotheses are the lemmas that montforge
   prints into three_pass_lemmas.v, for the rows of a design, and proves on the RTL. *)
From Coq Require Import ZArith Lia String Bool.
Require Import DigitRecurrence Instances WordSerial Contract Control Bits BoothRows UnitAccumulator Pipelined CreditBuffer Cycles Levels PassArray three_pass_lemmas Arithmetic.
Open Scope string_scope. Open Scope Z_scope.
Set Default Proof Using "All".

Section Chain.
  Variables (K : nat) (issues operand terms state kept : Z) (net : trace).
  Let W := Z.of_nat K.
  Local Notation on lemma := (lemma W issues operand terms state kept net).
  Hypotheses (sizes : (3 <= W /\ 1 <= issues /\ 1 <= terms) /\ operand = 2 * terms * issues /\ state = operand + 2 * terms /\ W + 1 <= operand)
    (H_ranges : on ranges) (H_cycles : on cycles) (H_no_operation : on no_operation) (H_starts : on starts) (H_selects : on selects)
    (H_handshake : on buffer_handshake) (H_empty : on buffer_empty) (H_counts : on buffer_counts) (H_places : on buffer_places) (H_keeps : on buffer_keeps)
    (H_shows : on buffer_shows)
    (H_operands : on operands) (H_digit : on chosen_digit) (H_terms : on terms_of_digit) (H_transfer : on next_transfer) (H_a : on digits_of_a)
    (H_feedback : on feedback) (H_multiples : on multiples) (H_ones : on completing_ones) (H_injected : on injected) (H_first : on first_stage)
    (H_registers : on registers) (H_second : on second_stage) (H_pair : on pair) (H_vectors : on vectors) (H_remainder : on remainder) (H_halves : on halves)
    (H_low_added : on low_added) (H_low_half : on low_half) (H_carries : on carries) (H_added : on added) (H_difference : on difference).

  Ltac range t := in_range H_ranges t.

  Let I := Z.to_nat issues.
  Let T := Z.to_nat terms.
  Let P := Z.to_nat (Z.max 3 issues).
  Let interval := (2 * P + I)%nat.
  Let last := (interval + 2)%nat.
  Let D := 2 * terms.
  Let r := 2 ^ D.
  Let R := 2 ^ operand.

  Lemma numbers : issues = Z.of_nat I /\ terms = Z.of_nat T /\ Z.max 3 issues = Z.of_nat P /\ (1 <= I <= P)%nat /\ (1 <= T)%nat /\ (3 <= P)%nat /\
    D = 2 * Z.of_nat T /\ 2 <= D /\ 0 <= operand.
  Proof. unfold I, T, P, D. lia. Qed.

  Lemma radix : 1 < r /\ 0 < R /\ pw r I = R /\ r = 2 * 2 ^ (D - 1).
  Proof.
    destruct numbers as (EI & ET & _ & _ & _ & _ & _ & D2 & O0). split; [apply Z.pow_gt_1; lia |]. split; [apply Z.pow_pos_nonneg; lia |].
    split; [| apply half; lia]. rewrite pw_Z. unfold r, R, D. rewrite <- Z.pow_mul_r by lia. f_equal. lia.
  Qed.

  (* ---------------------------------------------------------------- the array *)
  Local Notation s := (net "u_array.s"). Local Notation c_ := (net "u_array.c"). Local Notation vectors_q := (net "u_array.vectors_q").
  Let lo (t : nat) : Z := s t mod r + c_ t mod r.
  Let hi (t : nat) : Z := s t / r + c_ t / r.
  Let value (t : nat) : Z := number T (net "terms_q" t).
  Let y (t : nat) : Z := two operand (net "y_q" t).
  Let injected_in (t : nat) : Z := net "u_array.first_i" t + net "u_array.second_i" t + net "u_array.one_i" t.
  Let constant := R * digits 4 (fun _ => 1) T.
  Let allowed (t : nat) : Prop := forall j, (j < T)%nat -> once (net "terms_q" t) j + twice (net "terms_q" t) j <= 1.

  Lemma pair_range : forall t, 0 <= s t < 2 ^ state /\ 0 <= c_ t < 2 ^ state.
  Proof. intros t. split; range t. Qed.

  Lemma y_range : forall t, - 2 ^ (operand - 1) <= y t < 2 ^ (operand - 1).
  Proof. intros t. apply two_range; [clear - sizes; lia | range t]. Qed.

  Lemma rows_are : forall t, allowed t -> total (place state (net "u_array.rows" t)) (S (S T)) = value t * y t + constant + r * injected_in t.
  Proof.
    intros t L. destruct numbers as (EI & ET & _ & _ & T1 & _ & ED & D2 & O0).
    assert (OR : 0 <= net "u_array.ones" t < 2 ^ (2 * Z.of_nat T)) by (rewrite <- ET; range t).
    unfold r. rewrite ED. apply (rows_total state operand (y t) (net "terms_q" t) (net "u_array.rows" t) (net "u_array.ones" t) (net "u_array.first_i" t) (net "u_array.second_i" t) (net "u_array.one_i" t) T);
      [clear - sizes T1; lia | apply y_range | exact L | | exact OR | | |].
    - intros j J. pose proof (H_multiples t (Z.of_nat j) ltac:(rewrite ET; clear - J; lia)) as E. exact E.
    - intros j J. pose proof (H_ones t (Z.of_nat j) ltac:(rewrite ET; clear - J; lia)) as E. rewrite ET in E. exact E.
    - destruct (H_injected t) as (E & _). unfold place. rewrite <- ET. exact E.
    - destruct (H_injected t) as (_ & E & _). unfold place. rewrite Nat2Z.inj_succ, <- ET. exact E.
  Qed.

  Lemma first_is_reduced : forall t, exists lost, 0 <= lost /\ total (place state (vectors_q (S t))) (Z.to_nat kept) = total (place state (net "u_array.rows" t)) (S (S T)) - 2 ^ state * lost.
  Proof.
    intros t. destruct (H_registers t) as [E1 E2]. rewrite E2. destruct (H_first t) as (N & M & X). replace (S (S T)) with (Z.to_nat (terms + 2)) by (unfold T; clear - sizes; lia).
    rewrite <- E1. rewrite M, N. 
    assert (state_range : 0 <= state) by (clear - sizes; lia).
    match goal with |- exists lost, _ /\ total (place _ ?o) (Z.to_nat ?k) = total (place _ ?i) (Z.to_nat ?n) - _ => change (reduced state i n o k) end.
    clear - X state_range. by_levels X.
  Qed.

  (* high: what the sum of a digit has above the next one. *)
  Definition remains (high : nat -> Z) : Prop :=
    (forall t, exists lost, 0 <= lost /\ s t + c_ t = high t + total (place state (vectors_q t)) (Z.to_nat kept) - 2 ^ state * lost) /\
    (forall t, net "clear_q" t = 1 -> high (S t) = 0) /\ (1 < issues -> forall t, net "clear_q" t <> 1 -> high (S t) = hi t) /\ (forall t, 0 <= high (S t) <= 2 * (R - 1)).

  Lemma above_digit : forall x, 0 <= x < 2 ^ state -> 0 <= x / r <= R - 1.
  Proof.
    intros x X. destruct radix as (R1 & R0 & _). assert (E : 2 ^ state = r * R) by (unfold r, R; rewrite <- Z.pow_add_r by (unfold D; clear - sizes; lia); f_equal; unfold D; clear - sizes; lia).
    split; [apply Z.div_pos; lia | apply Z.lt_le_pred, Z.div_lt_upper_bound; lia].
  Qed.

  Lemma array : exists high, remains high.
  Proof.
    assert (state_range : 0 <= state) by (clear - sizes; lia). unfold remains.
    assert (second : forall t taken inputs out, reduced state taken (Z.of_nat inputs) out 2 -> s t = part out (0 * state) state -> c_ t = part out (1 * state) state ->
      exists lost, 0 <= lost /\ s t + c_ t = total (place state taken) inputs - 2 ^ state * lost).
    { intros t taken inputs out (lost & L & E) -> ->. exists lost. split; [exact L |]. rewrite Nat2Z.id in E. rewrite <- E. reflexivity. }
    assert (same : forall t taken, (forall i, 0 <= i < kept -> part taken (i * state) state = part (vectors_q t) (i * state) state) ->
      total (place state taken) (Z.to_nat kept) = total (place state (vectors_q t)) (Z.to_nat kept)).
    { intros t taken E. apply total_ext. intros i L. apply E. clear - L. lia. }
    pose proof (H_remainder O) as form. lazymatch type of form with
    | issues = 1 => exists (fun _ => 0)
    | _ => exists (fun t => net "u_array.gen_repeats.high_s_q" t + net "u_array.gen_repeats.high_c_q" t) end; (split; [| split; [| split]]).
    - intros t. destruct (H_second t) as (N & X). destruct (H_pair t) as (S1 & C1). pose proof (H_vectors t) as V. pose proof (same t _ V) as G. pose proof (H_remainder t) as Y.
      match type of G with total (place _ ?taken) _ = _ => match type of S1 with _ = part ?out _ _ => lazymatch type of form with
      | issues = 1 => destruct (fun x => second t taken (Z.to_nat kept) out x S1 C1) as (lost & L & E)
      | _ => destruct (fun x => second t taken (S (S (Z.to_nat kept))) out x S1 C1) as (lost & L & E) end end end.
      + rewrite N. clear - X state_range. by_levels X.
      + exists lost. split; [exact L |]. rewrite E. cbn [total]. rewrite G. lazymatch type of form with issues = 1 => ring | _ => destruct Y as (Y1 & Y2 & _);
        unfold place at 2 3; rewrite Nat2Z.inj_succ, Z2Nat.id by (rewrite N; clear; lia); unfold Z.succ; rewrite Y1, Y2; ring end.
    - lazymatch type of form with issues = 1 => reflexivity | _ => intros t Q; destruct (H_remainder t) as (_ & _ & -> & ->); rewrite Q; reflexivity end.
    - lazymatch type of form with issues = 1 => rewrite form; clear; lia
      | _ => intros _ t Q; destruct (H_remainder t) as (_ & _ & -> & ->); apply Z.eqb_neq in Q; rewrite Q; reflexivity end.
    - intros t. lazymatch type of form with issues = 1 => idtac | _ => destruct (H_remainder t) as (_ & _ & -> & ->) end.
      destruct (pair_range t) as [X1 X2]. pose proof (above_digit _ X1). pose proof (above_digit _ X2). destruct radix as (_ & R0 & _). change (2 ^ (2 * terms)) with r. clear - H H0 R0. try destruct (_ =? 1); lia.
  Qed.

  Lemma steps : exists high : nat -> Z, (forall t, net "clear_q" t = 1 -> high (S t) = 0) /\ (1 < issues -> forall t, net "clear_q" t <> 1 -> high (S t) = hi t) /\
    forall t, allowed t -> exists lost, (net "inject_q" t = 0 -> lost = 0) /\ hi (S t) * r + lo (S t) = high (S t) + value t * y t + constant + r * injected_in t - r * R * lost.
  Proof.
    destruct array as (high & A1 & A2 & A3 & A4). exists high. split; [exact A2 |]. split; [exact A3 |]. intros t L. destruct (A1 (S t)) as (i & I0 & E).
    destruct (first_is_reduced t) as (j & J & F). pose proof (rows_are t L) as G. destruct radix as (R1 & R0 & _). destruct (pair_range (S t)) as [X1 X2].
    assert (power : 2 ^ state = r * R) by (unfold r, R; rewrite <- Z.pow_add_r by (unfold D; clear - sizes; lia); f_equal; unfold D; clear - sizes; lia).
    assert (whole : hi (S t) * r + lo (S t) = s (S t) + c_ (S t)).
    { unfold hi, lo. pose proof (Z.div_mod (s (S t)) r ltac:(lia)). pose proof (Z.div_mod (c_ (S t)) r ltac:(lia)). lia. }
    exists (i + j). rewrite whole, E, F, G, power. split; [| ring]. intros Q.
    destruct (H_injected t) as (_ & _ & N1 & N2 & N3). rewrite Q in N1, N2, N3. change (0 =? 1) with false in N1, N2, N3. cbv iota in N1, N2, N3.
    assert (fits : high (S t) + total (place state (net "u_array.rows" t)) (S (S T)) < 2 ^ state).
    { destruct numbers as (_ & ET & _ & _ & T1 & _ & ED & _). rewrite G. unfold injected_in. rewrite N1, N2, N3, Z.mul_0_r, Z.add_0_r. rewrite power. unfold r. rewrite ED. fold R.
      apply (sum_fits operand (y t) (net "terms_q" t) T); [clear - sizes T1; lia | apply y_range | exact L | exact (A4 t)]. }
    assert (0 <= 2 ^ state * (i + j)) by (rewrite power; apply Z.mul_nonneg_nonneg; [apply Z.mul_nonneg_nonneg; lia | lia]).
    rewrite F in E. assert (X : 0 <= s (S t) + c_ (S t)) by lia. assert (Y : 2 ^ state * (i + j) < 2 ^ state) by lia.
    assert (i + j < 1); [| lia]. apply (Z.mul_lt_mono_pos_l (2 ^ state)); lia.
  Qed.

  (* ---------------------------------------------------------------- digits *)
  Let below (t : nat) : Z := if net "first_digit" t =? 1 then 0 else net "transfer_q" t.

  Lemma terms_are : forall t, value (S t) = (if net "to_multiple" t =? 1 then -1 else 1) * (two D (net "digit" t) + below t) /\ allowed (S t).
  Proof.
    intros t. destruct numbers as (_ & ET & _ & _ & T1 & _ & ED & D2 & _). assert (G : 0 <= net "digit" t < 2 ^ D) by range t. assert (X : 0 <= net "transfer_q" t < 2 ^ 1) by range t.
    assert (B : 0 <= below t <= 1) by (unfold below; change (2 ^ 1) with 2 in X; clear - X; destruct (_ =? 1); lia).
    split; [| intros j J; apply (H_terms t (Z.of_nat j)); rewrite ET; clear - J; lia].
    rewrite <- (booth_digit D (net "digit" t) (below t) T (fun j => booth_term (((2 * two D (net "digit" t) + below t) / 2 ^ (2 * Z.of_nat j)) mod 8)) ltac:(clear - ED D2; lia) G B ltac:(reflexivity)).
    unfold value, number. rewrite <- digits_scale. apply digits_ext. intros j J. destruct (H_terms t (Z.of_nat j) ltac:(rewrite ET; clear - J; lia)) as [E _].
    refine (eq_trans E _). fold D. fold (below t). unfold booth_term. destruct (net "to_multiple" t =? 1); ring.
  Qed.

  Lemma low_is : forall t, net "low_sum" t + r * net "carry_d" t = net "low_s" t + net "low_c" t + net "carry_q" t.
  Proof.
    intros t. destruct radix as (R1 & _). destruct numbers as (_ & _ & _ & _ & _ & _ & _ & D2 & _). destruct (H_low_half t) as (A & B & E0). etransitivity; [exact E0 |]. rewrite H_low_added, A, B.
    assert (S1 : 0 <= net "low_s" t < r) by range t. assert (C1 : 0 <= net "low_c" t < r) by range t. assert (K1 : 0 <= net "carry_q" t < 2 ^ 1) by range t. change (2 ^ 1) with 2 in K1.
    fold D. assert (E : 2 ^ (D + 2) = 4 * r) by (unfold r; rewrite Z.pow_add_r by (clear - D2; lia); change (2 ^ 2) with 4; ring). rewrite E. clear - S1 C1 K1 R1.
    rewrite Z.mod_small by lia. replace (2 * net "low_s" t + net "carry_q" t + (2 * net "low_c" t + net "carry_q" t)) with ((net "low_s" t + net "low_c" t + net "carry_q" t) * 2) by ring.
    apply Z.div_mul. lia.
  Qed.

  Lemma fed_back_is : forall t : nat, net "fed_back" (t + (P - 3))%nat = net "low_sum" t.
  Proof.
    intros t. destruct numbers as (_ & _ & EP & _ & _ & P3 & _). pose proof (H_feedback O) as form. lazymatch type of form with
    | _ = 0 /\ _ => destruct form as [E _]; replace (P - 3)%nat with O by (clear - E EP P3; lia); rewrite Nat.add_0_r; exact (proj2 (H_feedback t))
    | _ => destruct form as [E _]; set (k := (P - 3)%nat); assert (EK : Z.max 3 issues - 3 = Z.of_nat k) by (unfold k; clear - EP P3; lia); rewrite EK in E;
        assert (G : forall j, (j < k)%nat -> part (net "u_feedback.gen_registers.line_q" (S t + j)%nat) (Z.of_nat j * D) D = net "low_sum" t);
        [ induction j; intros J; [destruct (H_feedback t) as (_ & _ & X & _); rewrite Nat.add_0_r; exact X |];
          destruct (H_feedback (S t + j)%nat) as (_ & _ & _ & X); rewrite Nat.add_succ_r, Nat2Z.inj_succ; etransitivity; [apply (X (Z.of_nat j)); rewrite EK; clear - J; lia | apply IHj; clear - J; lia]
        | destruct (H_feedback (t + k)%nat) as (_ & X & _); rewrite X, EK; replace (t + k)%nat with (S t + (k - 1))%nat by (clear - E; lia);
          replace (Z.of_nat k - 1) with (Z.of_nat (k - 1)) by (clear - E; lia); apply G; clear - E; lia ] end.
  Qed.

  (* ---------------------------------------------------------------- the cycles of an operation *)
  Let bit (e t : nat) : Z := part (net "cycle" t) (Z.of_nat e) 1.

  Lemma length : 2 * Z.max 3 issues + issues + 2 = Z.of_nat last.
  Proof. destruct numbers as (EI & _ & EP & _). rewrite EP, EI. unfold last, interval. lia. Qed.

  Lemma no_operation_before : forall t, bit 0 t = 1 -> part (net "cycle" t) 1 (Z.of_nat (interval - 1)) = 0.
  Proof.
    intros t B. destruct (H_starts t) as (S0 & _). unfold bit in B. change (Z.of_nat 0) with 0 in B. rewrite S0 in B. destruct (_ =? 1) in B; [| discriminate].
    destruct (H_handshake t) as [Y _]. rewrite B in Y. destruct (_ =? 2) in Y; [discriminate |].
    destruct numbers as (EI & _ & EP & IP & _). rewrite EP, EI in Y. unfold interval. replace (Z.of_nat (2 * P + I - 1)) with (2 * Z.of_nat P + Z.of_nat I - 1) by (clear - IP; lia).
    destruct (Z.eqb_spec (part (net "cycle" t) 1 (2 * Z.of_nat P + Z.of_nat I - 1)) 0) as [Z0 |]; [exact Z0 | discriminate].
  Qed.

  Section Operation.
  (* A request is accepted in cycle c. *)
  Variables (c : nat).
  Hypotheses (begins : bit 0 c = 1).

  Lemma in_cycle : forall d e z, z = Z.of_nat e -> (d <= last)%nat -> (e <= last)%nat -> (d < e + interval)%nat -> (e < d + interval)%nat ->
    part (net "cycle" (c + d)%nat) z 1 = if (d =? e)%nat then 1 else 0.
  Proof.
    intros d e z -> A B X Y. apply (bit_at (net "cycle") interval last); try assumption; [unfold last; clear; lia | | | exact no_operation_before].
    - intros t i L. apply H_cycles. rewrite length. exact L.
    - rewrite <- length. apply H_no_operation. reflexivity.
  Qed.

  Lemma within : forall d s, (d < interval)%nat -> s = P \/ s = (2 * P)%nat -> (part (net "cycle" (c + d)%nat) (Z.of_nat s) issues =? 0) = negb ((s <=? d)%nat && (d <? s + I)%nat).
  Proof.
    intros d s L S. destruct numbers as (EI & _ & _ & IP & _). rewrite EI. apply (bits_at (net "cycle") interval last); [unfold last; clear; lia | | | exact no_operation_before | exact begins | exact L |].
    - intros t i B. apply H_cycles. rewrite length. exact B.
    - rewrite <- length. apply H_no_operation. reflexivity.
    - unfold interval. clear - S IP. lia.
  Qed.

  Ltac places := repeat match goal with H : ?x |- _ => lazymatch x with (_ < _)%nat => fail | (_ <= _)%nat => fail | (_ <= _ <= _)%nat => fail | _ = Z.of_nat _ => fail | nat => fail | Z => fail | _ => clear H end end; unfold last, interval in *; lia.

  (* in the digits of which pass, and whether in the first of them *)
  Lemma first_is : forall d, (d < interval)%nat -> net "first_digit" (c + d)%nat = if (d =? 0)%nat then 1 else if (d =? P)%nat then 1 else if (d =? 2 * P)%nat then 1 else 0.
  Proof.
    intros d L. destruct (H_selects (c + d)%nat) as (-> & _). destruct numbers as (EI & _ & EP & IP & _ & P3 & _). unfold interval in L.
    rewrite (in_cycle d 0 0), (in_cycle d P), (in_cycle d (2 * P)) by places.
    destruct (d =? 0)%nat, (d =? P)%nat; reflexivity.
  Qed.

  Lemma quotient_is : forall d, (d < interval)%nat -> net "to_quotient" (c + d)%nat = if (P <=? d)%nat && (d <? P + I)%nat then 1 else 0.
  Proof.
    intros d L. destruct (H_selects (c + d)%nat) as (_ & -> & _). destruct numbers as (_ & _ & EP & _). rewrite EP, within by auto. destruct (_ && _); reflexivity.
  Qed.

  Lemma multiple_is : forall d, (d < interval)%nat -> net "to_multiple" (c + d)%nat = if (2 * P <=? d)%nat && (d <? 2 * P + I)%nat then 1 else 0.
  Proof.
    intros d L. destruct (H_selects (c + d)%nat) as (_ & _ & -> & _). destruct numbers as (_ & _ & EP & _). replace (2 * Z.max 3 issues) with (Z.of_nat (2 * P)) by (rewrite EP; lia).
    rewrite within by auto. destruct (_ && _); reflexivity.
  Qed.

  Lemma inject_is : forall d, (d < interval)%nat -> net "inject_q" (S (c + d)) = if (d =? interval - 1)%nat then 1 else 0.
  Proof.
    intros d L. destruct (H_selects (c + d)%nat) as (_ & _ & _ & _ & ->). destruct numbers as (EI & _ & EP & _). apply in_cycle; places.
  Qed.

  (* ---------------------------------------------------------------- operands *)
  Lemma operands_are : forall d, (d < interval)%nat ->
    net "y_q" (S (c + d)) = (if (d <? P)%nat then two (W + 1) (net "b_i" c) mod R else if (d <? 2 * P)%nat then net "n_prime_i" c else net "n_i" c) /\
    net "n_q" (S (c + d)) = net "n_i" c /\ net "n_prime_q" (S (c + d)) = net "n_prime_i" c.
  Proof.
    destruct numbers as (EI & _ & EP & IP & _ & P3 & _). induction d; intros L; destruct (H_operands (c + 0)%nat) as (Y0 & N0 & M0).
    - rewrite (in_cycle 0 0 0) in Y0, N0, M0 by places. cbn [Nat.eqb Z.eqb Pos.eqb] in Y0, N0, M0. rewrite Y0, N0, M0, Nat.add_0_r.
      destruct (Nat.ltb_spec 0 P); [repeat split | lia].
    - destruct (IHd ltac:(lia)) as (Y & N & M). destruct (H_operands (c + S d)%nat) as (Y1 & N1 & M1).
      rewrite (in_cycle (S d) 0 0) in Y1, N1, M1 by places. rewrite (in_cycle (S d) P), (in_cycle (S d) (2 * P)) in Y1 by places.
      change (S d =? 0)%nat with false in Y1, N1, M1. cbn [Z.eqb] in Y1, N1, M1. rewrite Y1, N1, M1. rewrite Nat.add_succ_r. rewrite Y, N, M. clear - IP P3.
      destruct (Nat.eqb_spec (S d) P); cbn [Z.eqb Pos.eqb];
        [destruct (Nat.ltb_spec (S d) P); [lia |]; destruct (Nat.ltb_spec (S d) (2 * P)); [repeat split | lia] |].
      destruct (Nat.eqb_spec (S d) (2 * P)); cbn [Z.eqb Pos.eqb];
        [destruct (Nat.ltb_spec (S d) P); [lia |]; destruct (Nat.ltb_spec (S d) (2 * P)); [lia | repeat split] |].
      destruct (Nat.ltb_spec (S d) P), (Nat.ltb_spec d P), (Nat.ltb_spec (S d) (2 * P)), (Nat.ltb_spec d (2 * P)); try lia; repeat split.
  Qed.

  (* ---------------------------------------------------------------- a pass, whose first digit is in cycle st *)
  Let k := (I - 1)%nat.
  Let a := two (W + 1) (net "a_i" c). Let b := two (W + 1) (net "b_i" c). Let n := net "n_i" c. Let n_prime := two operand (net "n_prime_i" c).
  Let at_ (st i : nat) : nat := (c + (st + i))%nat.
  Let dig (st i : nat) : Z := net "digit" (at_ st i).
  Let val (st i : nat) : Z := value (S (at_ st i)).
  Let los (st i : nat) : Z := lo (S (S (at_ st i))).
  Let inj (st i : nat) : Z := injected_in (S (at_ st i)).
  Let is_start (st : nat) : Prop := st = O \/ st = P \/ st = (2 * P)%nat.
  Let Y (st : nat) : Z := if (st <? P)%nat then b else if (st <? 2 * P)%nat then n_prime else n.

  Lemma counts_of : I = S k /\ (1 <= I <= P)%nat /\ (3 <= P)%nat.
  Proof. destruct numbers as (_ & _ & _ & IP & _ & P3 & _). unfold k. clear - IP P3. lia. Qed.

  Lemma two_mod : forall w x, 1 <= w -> - 2 ^ (w - 1) <= x < 2 ^ (w - 1) -> two w (x mod 2 ^ w) = x.
  Proof. clear. intros w x L X. apply (signed_is w x x L X). rewrite Z.sub_diag. apply Z.divide_0_r. Qed.

  Lemma narrow : 2 ^ W <= 2 ^ (operand - 1).
  Proof. apply Z.pow_le_mono_r; clear - sizes; lia. Qed.

  Lemma y_of : forall st i, is_start st -> (i < I)%nat -> y (S (at_ st i)) = Y st.
  Proof.
    intros st i S0 L. destruct counts_of as (_ & IP & P3). unfold y, at_. destruct (operands_are (st + i) ltac:(unfold interval, is_start in *; clear - S0 L IP; lia)) as [-> _].
    assert (O1 : 1 <= operand) by (clear - sizes; lia). pose proof narrow as N. assert (B : - 2 ^ W <= b < 2 ^ W).
    { assert (X : 0 <= net "b_i" c < 2 ^ (W + 1)) by range c. pose proof (two_range (W + 1) _ ltac:(clear - sizes; lia) X) as B. fold b in B. replace (W + 1 - 1) with W in B by (clear; lia). exact B. }
    assert (G : 0 <= net "n_i" c < 2 ^ W) by range c. fold n in G |- *. fold b. unfold Y, is_start in *.
    destruct (Nat.ltb_spec st P), (Nat.ltb_spec (st + i) P); try (exfalso; clear - S0 L IP H H0; lia).
    - apply two_mod; [exact O1 | clear - B N; lia].
    - destruct (Nat.ltb_spec st (2 * P)), (Nat.ltb_spec (st + i) (2 * P)); try (exfalso; clear - S0 L IP H H0 H1 H2; lia); [reflexivity |].
      pose proof (two_mod operand n O1 ltac:(clear - G N; lia)) as X. pose proof (half operand O1) as Hh. rewrite Z.mod_small in X by (clear - G N Hh; lia). exact X.
  Qed.

  Lemma values : forall st, is_start st -> digits r (val st) (S k) = (if (st =? 2 * P)%nat then -1 else 1) * two operand (digits r (dig st) (S k)).
  Proof.
    intros st S0. destruct counts_of as (IK & IP & P3). destruct numbers as (EI & ET & _ & _ & _ & _ & ED & D2 & _).
    assert (E : two operand (digits r (dig st) (S k)) = digits r (fun i => two D (dig st i) + below (at_ st i)) (S k)).
    { replace operand with (Z.of_nat (S k) * D) by (rewrite <- IK, <- EI; unfold D; clear - sizes; lia). symmetry. apply recoded_digits; [clear - D2; lia | intros; unfold dig; range (at_ st i) | |].
      - unfold below, at_. rewrite first_is by (unfold interval, is_start in *; clear - S0 IP; lia). rewrite Nat.add_0_r. destruct S0 as [-> | [-> | ->]]; rewrite ?Nat.eqb_refl; [reflexivity | |];
          repeat (destruct (_ =? _)%nat; try reflexivity).
      - intros i L. unfold below, at_. rewrite first_is by (unfold interval, is_start in *; clear - S0 IP IK L; lia).
        replace (c + (st + S i))%nat with (S (c + (st + i))) by (clear; lia). rewrite H_transfer.
        destruct (Nat.eqb_spec (st + S i) 0), (Nat.eqb_spec (st + S i) P), (Nat.eqb_spec (st + S i) (2 * P)); try (exfalso; unfold is_start in S0; clear - S0 IP IK P3 L e; lia);
          try (exfalso; unfold is_start in S0; clear - S0 IP IK P3 L e0; lia); reflexivity. }
    rewrite E, <- digits_scale. apply digits_ext. intros i L. unfold val. destruct (terms_are (at_ st i)) as [-> _]. f_equal. unfold at_.
    rewrite multiple_is by (unfold interval, is_start in *; clear - S0 IP IK L; lia).
    destruct (Nat.leb_spec (2 * P) (st + i)), (Nat.ltb_spec (st + i) (2 * P + I)), (Nat.eqb_spec st (2 * P)); try reflexivity; exfalso; unfold is_start in S0; clear - S0 IP IK L H H0 n0 || clear - S0 IP IK L H H0 e; lia.
  Qed.

  Lemma none_injected : forall st i, is_start st -> (i < I)%nat -> st <> (2 * P)%nat \/ i <> k -> net "inject_q" (S (at_ st i)) = 0 /\ inj st i = 0.
  Proof.
    intros st i S0 L N. destruct counts_of as (IK & IP & P3). unfold inj, injected_in, at_. pose proof (inject_is (st + i) ltac:(unfold interval, is_start in *; clear - S0 L IP; lia)) as E.
    destruct (Nat.eqb_spec (st + i) (interval - 1)) as [X |]; [exfalso; unfold interval, is_start in *; clear - S0 L IP IK N X P3; lia |]. split; [exact E |].
    destruct (H_injected (S (c + (st + i)))) as (_ & _ & -> & -> & ->). rewrite E. reflexivity.
  Qed.

  Lemma pass_is : forall st, is_start st -> exists h lost, hi (S (S (at_ st k))) = h + inj st k - R * lost /\ (st <> (2 * P)%nat -> inj st k = 0 /\ lost = 0) /\
    R * (h + carried r (los st) (S k)) + digits r (resolved r (los st)) (S k) = digits r (val st) (S k) * Y st + constant * digits r (fun _ => 1) (S k).
  Proof.
    intros st S0. destruct counts_of as (IK & IP & P3). destruct radix as (R1 & R0 & PR & _). rewrite IK in PR. destruct steps as (high & A & B & C).
    destruct (C (S (at_ st k)) (proj2 (terms_are _))) as (lost & L & E). exists (hi (S (S (at_ st k))) - inj st k + R * lost), lost. split; [ring |]. split.
    - intros N. destruct (none_injected st k S0 ltac:(clear - IK; lia) (or_introl N)) as [X Z0]. split; [exact Z0 | apply L, X].
    - rewrite <- PR. pose proof (pass r (Y st) constant k (val st) (fun i => high (S (S (at_ st i)))) (fun i => if (i =? k)%nat then hi (S (S (at_ st k))) - inj st k + R * lost else hi (S (S (at_ st i)))) (los st) R1) as G.
      cbv beta in G. rewrite Nat.eqb_refl in G. rewrite PR in G |- *. apply G; clear G.
      + intros i J. destruct (Nat.eqb_spec i k) as [-> | X].
        * unfold los, val. rewrite <- (y_of st k S0) by (clear - IK; lia). fold (inj st k) in E. clear - E. lia.
        * destruct (C (S (at_ st i)) (proj2 (terms_are _))) as (lost' & L' & E'). destruct (none_injected st i S0 ltac:(clear - IK J; lia) (or_intror X)) as [X0 Z0].
          unfold los, val. rewrite <- (y_of st i S0) by (clear - IK J; lia). fold (inj st i) in E'. rewrite Z0, (L' X0) in E'. clear - E'. lia.
      + apply A. destruct (H_selects (at_ st 0)) as (_ & _ & _ & -> & _). unfold at_. rewrite first_is by (unfold interval, is_start in *; clear - S0 IP; lia). rewrite Nat.add_0_r.
        destruct S0 as [-> | [-> | ->]]; rewrite ?Nat.eqb_refl; [reflexivity | |]; repeat (destruct (_ =? _)%nat; try reflexivity).
      + intros i J. destruct (Nat.eqb_spec i k); [exfalso; clear - J e; lia |]. replace (at_ st (S i)) with (S (at_ st i)) by (unfold at_; clear; lia).
        apply B; [rewrite (proj1 numbers); clear - IK J; lia |]. destruct (H_selects (S (at_ st i))) as (_ & _ & _ & -> & _). unfold at_. replace (S (c + (st + i))) with (c + (st + S i))%nat by (clear; lia).
        rewrite first_is by (unfold interval, is_start in *; clear - S0 IP IK J; lia). unfold is_start in S0.
        destruct (Nat.eqb_spec (st + S i) 0), (Nat.eqb_spec (st + S i) P), (Nat.eqb_spec (st + S i) (2 * P)); try discriminate; exfalso; clear - S0 IP IK P3 J e || clear - S0 IP IK P3 J e0 || clear - S0 IP IK P3 J e1; lia.
  Qed.

  (* ---------------------------------------------------------------- low halves *)
  Let lower (st i : nat) : nat := (c + (st + (3 + i)))%nat.

  Lemma low_of : forall st i, net "low_s" (lower st i) = s (S (S (at_ st i))) mod r /\ net "low_c" (lower st i) = c_ (S (S (at_ st i))) mod r.
  Proof. intros st i. replace (lower st i) with (S (S (S (at_ st i)))) by (unfold lower, at_; clear; lia). destruct (H_halves (S (S (at_ st i)))) as (E & F & _). auto. Qed.

  Lemma los_range : forall st i, 0 <= los st i <= 2 * (r - 1).
  Proof.
    intros st i. destruct radix as (R1 & _). unfold los, lo. pose proof (Z.mod_pos_bound (s (S (S (at_ st i)))) r ltac:(clear - R1; lia)). pose proof (Z.mod_pos_bound (c_ (S (S (at_ st i)))) r ltac:(clear - R1; lia)).
    clear - H H0. lia.
  Qed.

  Lemma resolved_range : forall st i, 0 <= resolved r (los st) i < r.
  Proof. intros. apply Z.mod_pos_bound. destruct radix as (R1 & _). clear - R1. lia. Qed.

  Lemma low_digit : forall st i, net "carry_q" (lower st i) = carried r (los st) i -> net "low_sum" (lower st i) = resolved r (los st) i /\ net "carry_d" (lower st i) = carried r (los st) (S i).
  Proof.
    intros st i E. destruct radix as (R1 & _). pose proof (low_is (lower st i)) as L. destruct (low_of st i) as [-> ->] in L. rewrite E in L. fold (lo (S (S (at_ st i)))) in L. fold (los st i) in L.
    assert (B : 0 <= net "low_sum" (lower st i) < r) by range (lower st i). unfold resolved. cbn [carried]. clear - R1 L B. split.
    - apply (Z.mod_unique_pos _ _ (net "carry_d" (lower st i))); lia.
    - apply (Z.div_unique_pos _ _ _ (net "low_sum" (lower st i))); lia.
  Qed.

  Lemma lows : forall st, st = O \/ st = P -> forall i, (i < I)%nat -> net "low_sum" (lower st i) = resolved r (los st) i /\ net "carry_d" (lower st i) = carried r (los st) (S i).
  Proof.
    intros st S0 i L. destruct counts_of as (IK & IP & P3). destruct numbers as (_ & _ & EP & _). apply low_digit. revert L. induction i; intros L.
    - replace (lower st 0) with (S (c + (st + 2))) by (unfold lower; clear; lia). destruct (H_carries (c + (st + 2))%nat) as (-> & _).
      rewrite (in_cycle (st + 2) 2), (in_cycle (st + 2) (P + 2)) by (unfold last, interval in *; clear - EP S0 IP P3; lia).
      destruct (Nat.eqb_spec (st + 2) 2); [reflexivity |]. destruct (Nat.eqb_spec (st + 2) (P + 2)); [reflexivity | exfalso; clear - S0 n0 n1; lia].
    - replace (lower st (S i)) with (S (lower st i)) by (unfold lower; clear; lia). destruct (H_carries (lower st i)) as (-> & _). unfold lower at 1 2.
      rewrite (in_cycle (st + (3 + i)) 2), (in_cycle (st + (3 + i)) (P + 2)) by (unfold last, interval in *; clear - EP S0 IP P3 L; lia).
      destruct (Nat.eqb_spec (st + (3 + i)) 2); [exfalso; clear - e; lia |]. destruct (Nat.eqb_spec (st + (3 + i)) (P + 2)); [exfalso; clear - S0 IP L e; lia |].
      apply low_digit, IHi. clear - L. lia.
  Qed.

  (* ---------------------------------------------------------------- the digits of a, T and Q *)
  Lemma digit_divides : (r | R).
  Proof. exists (2 ^ (operand - D)). unfold R, r. rewrite <- Z.pow_add_r by (unfold D; clear - sizes; nia). f_equal. ring. Qed.

  Lemma digit_of_a : forall i, (i < I)%nat -> dig 0 i = ((a mod R) / pw r i) mod r.
  Proof.
    intros i L. destruct counts_of as (IK & IP & P3). destruct numbers as (EI & _ & _ & _ & _ & _ & ED & D2 & O0). destruct radix as (R1 & R0 & _). unfold dig, at_. cbn [Nat.add].
    rewrite H_digit, quotient_is, multiple_is by (unfold interval; clear - L IP; lia).
    destruct (Nat.leb_spec P i); [exfalso; clear - H L IP; lia |]. destruct (Nat.leb_spec (2 * P) i); [exfalso; clear - H0 L IP; lia |]. cbn [andb Z.eqb].
    pose proof (H_a O) as form. lazymatch type of form with
    | issues = 1 /\ _ => destruct (H_a (c + i)%nat) as [E1 X]; assert (I1 : i = O) by (clear - E1 EI L; lia); rewrite X, I1, Nat.add_0_r; cbn [pw]; rewrite Z.div_1_r; fold a;
        apply Znumtheory.Zmod_div_mod; [clear - R1; lia | exact R0 | exact digit_divides]
    | _ => assert (rest : forall j, (S j <= I)%nat -> net "gen_digits.a_q" (S (c + j)) = (a mod R) / pw r (S j));
        [ induction j; intros J;
          [ destruct (H_a (c + 0)%nat) as [_ X]; rewrite (in_cycle 0 0 0) in X by (unfold last, interval; clear - IP; lia); rewrite X, Nat.add_0_r; cbn [Nat.eqb Z.eqb Pos.eqb pw]; rewrite Z.mul_1_r; reflexivity
          | destruct (H_a (c + S j)%nat) as [_ X]; rewrite (in_cycle (S j) 0 0) in X by (unfold last, interval; clear - IP J; lia); change (S j =? 0)%nat with false in X; cbn [Z.eqb] in X; rewrite X, Nat.add_succ_r;
            rewrite IHj by (clear - J; lia); change (pw r (S (S j))) with (r * pw r (S j)); rewrite (Z.mul_comm r); apply Z.div_div; [pose proof (pw_pos r (S j) ltac:(clear - R1; lia)); clear - H1; lia | clear - R1; change (0 < r); lia] ]
        | destruct (H_a (c + i)%nat) as [X _]; rewrite (in_cycle i 0 0) in X by (unfold last, interval; clear - IP L; lia); rewrite X; destruct i as [| i]; cbn [Nat.eqb Z.eqb Pos.eqb];
          [ cbn [pw]; rewrite Z.div_1_r, Nat.add_0_r; fold a; apply Znumtheory.Zmod_div_mod; [clear - R1; change (0 < r); lia | exact R0 | exact digit_divides]
          | rewrite Nat.add_succ_r, rest by (clear - L; lia); reflexivity ] ] end.
  Qed.

  Lemma digit_back : forall st i, st = P \/ st = (2 * P)%nat -> (i < I)%nat -> dig st i = net "low_sum" (lower (st - P) i).
  Proof.
    intros st i S0 L. destruct counts_of as (IK & IP & P3). unfold dig, at_. rewrite H_digit, quotient_is, multiple_is by (unfold interval; clear - L IP S0; lia).
    replace (net "low_sum" (lower (st - P) i)) with (net "fed_back" (c + (st + i))%nat).
    - destruct (Nat.leb_spec P (st + i)), (Nat.ltb_spec (st + i) (P + I)), (Nat.leb_spec (2 * P) (st + i)), (Nat.ltb_spec (st + i) (2 * P + I)); cbn [andb]; try reflexivity;
        exfalso; clear - S0 L IP H H0 H1 H2; lia.
    - rewrite <- fed_back_is. f_equal. unfold lower. clear - S0 P3. lia.
  Qed.

  Lemma a_value : digits r (val 0) (S k) = a.
  Proof.
    destruct counts_of as (IK & IP & P3). destruct numbers as (EI & _). destruct radix as (R1 & R0 & PR & _). rewrite values by (left; reflexivity). destruct (Nat.eqb_spec 0 (2 * P)); [exfalso; clear - e P3; lia |].
    rewrite (digits_ext r _ (fun i => ((a mod R) / pw r i) mod r)) by (intros; apply digit_of_a; rewrite IK; assumption).
    rewrite word_digits by exact R1. rewrite <- IK, PR, Zmod_mod. rewrite Z.mul_1_l. apply two_mod; [clear - sizes; lia |].
    assert (X : 0 <= net "a_i" c < 2 ^ (W + 1)) by range c. pose proof (two_range (W + 1) _ ltac:(clear - sizes; lia) X) as B. fold a in B. replace (W + 1 - 1) with W in B by (clear; lia).
    pose proof narrow as N. clear - B N. lia.
  Qed.

  Let half_of (st : nat) : Z := digits r (resolved r (los st)) (S k).

  Lemma half_range : forall st, 0 <= half_of st < R.
  Proof. intros st. destruct counts_of as (IK & _). destruct radix as (R1 & _ & PR & _). rewrite <- PR, IK. apply digits_bound; [clear - R1; lia | intros; apply resolved_range]. Qed.

  Lemma back_value : forall st, st = P \/ st = (2 * P)%nat -> digits r (val st) (S k) = (if (st =? 2 * P)%nat then -1 else 1) * two operand (half_of (st - P)).
  Proof.
    intros st S0. destruct counts_of as (IK & IP & P3). rewrite values by (right; exact S0). do 2 f_equal. apply digits_ext. intros i L. rewrite digit_back by (exact S0 || (rewrite IK; exact L)).
    apply lows; [clear - S0; lia | rewrite IK; exact L].
  Qed.

  (* ---------------------------------------------------------------- what is kept of T, and the result *)
  Let high_of (x : Z) : Z := (x / r) mod 2 ^ (W + 1).
  Let sums (st : nat) : nat := S (S (at_ st k)).

  Lemma kept_is : forall j, (I + 2 + j <= interval)%nat -> net "kept_s_q" (c + (I + 2 + j))%nat = high_of (s (sums 0)) /\ net "kept_c_q" (c + (I + 2 + j))%nat = high_of (c_ (sums 0)).
  Proof.
    destruct counts_of as (IK & IP & P3). destruct numbers as (EI & _ & EP & _). induction j; intros L.
    - replace (c + (I + 2 + 0))%nat with (S (c + (I + 1))) by (clear; lia). replace (sums 0) with (c + (I + 1))%nat by (unfold sums, at_; rewrite IK; clear; lia).
      destruct (H_halves (c + (I + 1))%nat) as (_ & _ & -> & ->). rewrite (in_cycle (I + 1) (I + 1) (issues + 1)) by (unfold last, interval; clear - EI IP P3; lia). rewrite Nat.eqb_refl. split; reflexivity.
    - destruct (IHj ltac:(clear - L; lia)) as [<- <-]. replace (c + (I + 2 + S j))%nat with (S (c + (I + 2 + j))) by (clear; lia). destruct (H_halves (c + (I + 2 + j))%nat) as (_ & _ & -> & ->).
      rewrite (in_cycle (I + 2 + j) (I + 1) (issues + 1)), (in_cycle (I + 2 + j) (interval + 1) (2 * Z.max 3 issues + issues + 1)) by (unfold last, interval in *; clear - EI EP L IP; lia).
      destruct (Nat.eqb_spec (I + 2 + j) (I + 1)); [exfalso; clear - e; lia |]. destruct (Nat.eqb_spec (I + 2 + j) (interval + 1)); [exfalso; clear - e L; lia |]. split; reflexivity.
  Qed.

  Lemma product_is : forall j, (I + 3 + j <= last)%nat -> net "product_carry_q" (c + (I + 3 + j))%nat = carried r (los 0) (S k) /\
    net "product_top_q" (c + (I + 3 + j))%nat = resolved r (los 0) k / 2 ^ (D - 1).
  Proof.
    destruct counts_of as (IK & IP & P3). destruct numbers as (EI & _ & EP & _). induction j; intros L.
    - destruct (lows 0 ltac:(left; reflexivity) k ltac:(clear - IK; lia)) as [E F]. replace (c + (I + 3 + 0))%nat with (S (lower 0 k)) by (unfold lower; rewrite IK; clear; lia).
      destruct (H_carries (lower 0 k)) as (_ & -> & ->). rewrite E, F. unfold lower. rewrite (in_cycle (0 + (3 + k)) (I + 2)) by (unfold last, interval; clear - EI IK IP P3; lia).
      destruct (Nat.eqb_spec (0 + (3 + k)) (I + 2)); [split; reflexivity | exfalso; clear - n0 IK; lia].
    - destruct (IHj ltac:(clear - L; lia)) as [<- <-]. replace (c + (I + 3 + S j))%nat with (S (c + (I + 3 + j))) by (clear; lia). destruct (H_carries (c + (I + 3 + j))%nat) as (_ & -> & ->).
      rewrite (in_cycle (I + 3 + j) (I + 2)) by (unfold last, interval in *; clear - EI L IP; lia). destruct (Nat.eqb_spec (I + 3 + j) (I + 2)); [exfalso; clear - e; lia |]. split; reflexivity.
  Qed.

  Lemma kept_at_last : net "kept_s_q" (c + last)%nat = high_of (s (sums (2 * P))) /\ net "kept_c_q" (c + last)%nat = high_of (c_ (sums (2 * P))).
  Proof.
    destruct counts_of as (IK & IP & P3). destruct numbers as (EI & _ & EP & _). replace (c + last)%nat with (S (c + (interval + 1))) by (unfold last; clear; lia).
    replace (sums (2 * P)) with (c + (interval + 1))%nat by (unfold sums, at_, interval; rewrite IK; clear; lia). destruct (H_halves (c + (interval + 1))%nat) as (_ & _ & -> & ->).
    rewrite (in_cycle (interval + 1) (interval + 1) (2 * Z.max 3 issues + issues + 1)) by (unfold last, interval; clear - EI EP IP P3; lia). rewrite Nat.eqb_refl. destruct (_ =? 1); split; reflexivity.
  Qed.

  Let V := 2 ^ (W + 1).

  Lemma injected_is : inj (2 * P) k = (V - 1 - high_of (s (sums 0))) + (V - 1 - high_of (c_ (sums 0))) + (1 - carried r (los 0) (S k)).
  Proof.
    destruct counts_of as (IK & IP & P3). unfold inj, injected_in. replace (S (at_ (2 * P) k)) with (c + interval)%nat by (unfold at_, interval; rewrite IK; clear; lia).
    destruct (H_injected (c + interval)%nat) as (_ & _ & -> & -> & ->).
    assert (E : net "inject_q" (c + interval)%nat = 1).
    { replace (c + interval)%nat with (S (c + (2 * P + k))) by (unfold interval; rewrite IK; clear; lia). rewrite inject_is by (unfold interval; clear - IK; lia).
      destruct (Nat.eqb_spec (2 * P + k) (interval - 1)); [reflexivity | exfalso; unfold interval in n0; clear - n0 IK; lia]. }
    rewrite E. cbn [Z.eqb Pos.eqb]. destruct (kept_is (interval - (I + 2)) ltac:(unfold interval; clear - P3; lia)) as [E1 E2].
    replace (I + 2 + (interval - (I + 2)))%nat with interval in E1, E2 by (unfold interval; clear - P3; lia). destruct (product_is (interval - (I + 3)) ltac:(unfold last, interval; clear - P3; lia)) as [E3 _].
    replace (I + 3 + (interval - (I + 3)))%nat with interval in E3 by (unfold interval; clear - P3; lia). rewrite E1, E2, E3. reflexivity.
  Qed.

  Lemma result_is : let x := (V - 1 - net "kept_s_q" (c + last)%nat) + (V - 1 - net "kept_c_q" (c + last)%nat) + (1 - net "low_carry" (c + last)%nat) in
    net "u_buffer.result_i" (c + last)%nat = x mod V.
  Proof.
    intros x. destruct (H_difference (c + last)%nat) as (_ & A & B & E & ->). rewrite E, H_added, A, B. fold V.
    assert (L : 0 <= net "low_carry" (c + last)%nat < 2 ^ 1) by range (c + last)%nat. change (2 ^ 1) with 2 in L.
    assert (V0 : 0 < V) by (apply Z.pow_pos_nonneg; clear - sizes; lia). assert (V2 : 2 ^ (W + 1 + 1) = 2 * V) by (unfold V; rewrite (Z.pow_add_r 2 (W + 1)) by (clear - sizes; lia); clear; lia).
    rewrite V2. clearbody V. subst x. set (lc := net "low_carry" _) in *. set (x := V - 1 - net "kept_s_q" _ + _ + _).
    match goal with |- ?z mod _ / 2 = _ => assert (Ez : z = 2 * x + lc) by (unfold x; clear; ring); rewrite Ez end. clearbody x lc. clear - L V0.
    pose proof (Z.div_mod x V ltac:(lia)) as E. pose proof (Z.mod_pos_bound x V V0) as B.
    assert (F : (2 * x + lc) mod (2 * V) = 2 * (x mod V) + lc) by (symmetry; apply (Z.mod_unique_pos _ _ (x / V)); lia).
    rewrite F. symmetry. apply (Z.div_unique _ _ _ lc); lia.
  Qed.

  Lemma computed : net "n_i" c mod 2 = 1 -> (net "n_i" c * net "n_prime_i" c + 1) mod R = 0 -> - n < a < n -> - n < b < n ->
    let p := two (W + 1) (net "u_buffer.result_i" (c + last)%nat) in - n < p < n /\ (p * R) mod n = (a * b) mod n.
  Proof.
    intros odd inverse A B p. destruct counts_of as (IK & IP & P3). destruct radix as (R1 & R0 & PR & Rh). destruct numbers as (_ & _ & _ & _ & _ & _ & _ & D2 & _).
    destruct (pass_is 0 ltac:(left; reflexivity)) as (h0 & l0 & E0 & F0 & G0). destruct (F0 ltac:(clear - P3; lia)) as [J0 L0]. rewrite a_value in G0.
    destruct (pass_is P ltac:(right; left; reflexivity)) as (h1 & l1 & _ & _ & G1). rewrite back_value in G1 by (left; reflexivity).
    destruct (pass_is (2 * P) ltac:(right; right; reflexivity)) as (h2 & l2 & E2 & _ & G2). rewrite back_value in G2 by (right; reflexivity). rewrite Nat.eqb_refl in G2.
    destruct (Nat.eqb_spec P (2 * P)) as [X |]; [exfalso; clear - X P3; lia |]. replace (P - P)%nat with O in G1 by (clear; lia). replace (2 * P - P)%nat with P in G2 by (clear; lia).
    assert (Y0 : Y 0 = b) by (unfold Y; destruct (Nat.ltb_spec 0 P); [reflexivity | exfalso; clear - H P3; lia]).
    assert (Y1 : Y P = n_prime) by (unfold Y; destruct (Nat.ltb_spec P P); [exfalso; clear - H; lia |]; destruct (Nat.ltb_spec P (2 * P)); [reflexivity | exfalso; clear - H0 P3; lia]).
    assert (Y2 : Y (2 * P) = n) by (unfold Y; destruct (Nat.ltb_spec (2 * P) P); [exfalso; clear - H P3; lia |]; destruct (Nat.ltb_spec (2 * P) (2 * P)); [exfalso; clear - H0; lia | reflexivity]).
    rewrite Y0 in G0. rewrite Y1 in G1. rewrite Y2 in G2. fold (half_of 0) in G0. fold (half_of P) in G1. fold (half_of (2 * P)) in G2. rewrite Z.mul_1_l in G1.
    set (e := digits 4 (fun _ => 1) T * digits r (fun _ => 1) (S k)).
    assert (Ce : constant * digits r (fun _ => 1) (S k) = R * e) by (unfold constant, e; ring). rewrite Ce in G0, G1, G2.
    assert (NR : 0 <= net "n_i" c < 2 ^ W) by range c. pose proof (odd_positive _ (proj1 NR) odd) as N0. fold n in NR, N0.
    assert (mod_high : forall x, exists q, high_of x = x / r + q * V).
    { intros x. exists (- ((x / r) / V)). unfold high_of. fold V. rewrite Z.mod_eq by (apply Z.pow_nonzero; clear - sizes; lia). ring. }
    destruct (mod_high (s (sums 0))) as (q1 & Q1). destruct (mod_high (c_ (sums 0))) as (q2 & Q2). destruct (mod_high (s (sums (2 * P)))) as (q3 & Q3). destruct (mod_high (c_ (sums (2 * P)))) as (q4 & Q4).
    assert (RV : exists q, R = q * V).
    { exists (2 ^ (operand - (W + 1))). unfold R, V. rewrite <- Z.pow_add_r by (clear - sizes; lia). f_equal. ring. }
    destruct RV as (qv & RV). destruct kept_at_last as [K1 K2].
    assert (product : R * (h0 + carried r (los 0) (S k)) + half_of 0 = a * b + R * e) by exact G0.
    assert (quotient : R * (h1 + carried r (los P) (S k)) + half_of P = two operand (half_of 0) * n_prime + R * e) by exact G1.
    assert (multiple_ : R * (h2 + carried r (los (2 * P)) (S k)) + half_of (2 * P) = - two operand (half_of P) * n + R * e) by (rewrite G2; clear; ring).
    assert (n_prime_is : (R | n_prime - net "n_prime_i" c)) by apply two_divides.
    assert (high : (V | high_of (s (sums 0)) + high_of (c_ (sums 0)) - h0)).
    { exists (q1 + q2). rewrite Q1, Q2. unfold sums. unfold hi in E0. rewrite J0, L0 in E0. clear - E0. lia. }
    assert (high' : (V | high_of (s (sums (2 * P))) + high_of (c_ (sums (2 * P))) - (h2 + ((V - 1 - high_of (s (sums 0))) + (V - 1 - high_of (c_ (sums 0))) + (1 - carried r (los 0) (S k)))))).
    { exists (q3 + q4 - qv * l2). rewrite <- injected_is, Q3, Q4. unfold sums. unfold hi in E2. rewrite RV in E2. clear - E2. lia. }
    assert (bounds : 1 <= W /\ W + 1 <= operand) by (clear - sizes; lia). assert (n_range : 0 < n < 2 ^ W) by (clear - N0 NR; lia).
    pose proof (same_low operand W n (net "n_prime_i" c) a b n_prime e h0 (carried r (los 0) (S k)) (half_of 0) (h1 + carried r (los P) (S k)) e (half_of P) h2 (carried r (los (2 * P)) (S k)) (half_of (2 * P))
      (high_of (s (sums 0))) (high_of (c_ (sums 0))) (high_of (s (sums (2 * P)))) (high_of (c_ (sums (2 * P)))) bounds n_range inverse n_prime_is A B product (half_range 0) quotient (half_range P) multiple_ (half_range (2 * P)) high high') as same.
    pose proof (signed_difference operand W n (net "n_prime_i" c) a b n_prime e h0 (carried r (los 0) (S k)) (half_of 0) (h1 + carried r (los P) (S k)) e (half_of P) h2 (carried r (los (2 * P)) (S k)) (half_of (2 * P))
      (high_of (s (sums 0))) (high_of (c_ (sums 0))) (high_of (s (sums (2 * P)))) (high_of (c_ (sums (2 * P)))) bounds n_range inverse n_prime_is A B product (half_range 0) quotient (half_range P) multiple_ (half_range (2 * P)) high high') as G.
    assert (carry : net "low_carry" (c + last)%nat = carried r (los (2 * P)) (S k)).
    { destruct (H_difference (c + last)%nat) as (X & _). etransitivity; [exact X |]. clear X. destruct (low_of (2 * P) k) as [S1 C1].
      replace (lower (2 * P) k) with (c + last)%nat in S1, C1 by (unfold lower, last, interval; rewrite IK; clear; lia). rewrite S1, C1.
      destruct (product_is (last - (I + 3)) ltac:(unfold last, interval; clear - P3; lia)) as [_ T1]. replace (I + 3 + (last - (I + 3)))%nat with last in T1 by (unfold last, interval; clear - P3; lia). rewrite T1.
      assert (top : resolved r (los 0) k = resolved r (los (2 * P)) k).
      { apply (same_top r _ _ k); [clear - R1; lia | intros; apply resolved_range | intros; apply resolved_range | symmetry; exact same]. }
      rewrite top. cbn [carried]. unfold resolved. unfold los at 1 2 3 4. unfold lo at 1 2 3 4. symmetry. fold D.
      apply (carry_by_tops D _ _ (carried r (los (2 * P)) k)); [clear - D2; lia | apply Z.mod_pos_bound; fold r; clear - R1; lia | apply Z.mod_pos_bound; fold r; clear - R1; lia |].
      apply (carried_range r (los (2 * P)) k R1); [intros; apply los_range | apply le_n]. }
    pose proof result_is as X. cbv zeta in X. rewrite K1, K2, carry in X. unfold p. rewrite X. destruct G as [G1' G2']. split; [exact G1' | apply montgomery_mod, G2'].
  Qed.
  End Operation.

  Theorem contract : pipelined net (fun t => two (W + 1) (net "a_i" t)) (fun t => two (W + 1) (net "b_i" t)) (net "n_i") (fun t => two (W + 1) (net "p_o" t)) (S last) (S last) R
    (fun c => net "n_i" c mod 2 = 1 /\ (net "n_i" c * net "n_prime_i" c + 1) mod R = 0) (fun n x => - n < x < n) (fun n p => - n < p < n).
  Proof.
    assert (ports : forall t, 0 <= net "req_valid_i" t < 2 /\ 0 <= net "rsp_ready_i" t < 2) by (intros t; change 2 with (2 ^ 1) at 1 2; split; range t).
    assert (starts_are : forall t, bit 0 t = if accepts net t then 1 else 0).
    { intros t. destruct (H_starts t) as (S0 & _). unfold bit. change (Z.of_nat 0) with 0. rewrite S0. destruct (H_handshake t) as [Y _]. unfold accepts.
      destruct (_ =? 1); [| reflexivity]. rewrite Y. destruct (_ =? 2); [reflexivity |]. destruct (_ =? 0); reflexivity. }
    apply (buffered_at_times net _ _ _ _ R _ _ _ last 2 (net "u_buffer.owed_q") (net "u_buffer.waiting_q") (net "u_buffer.put_q") (net "u_buffer.take_q") (net "u_buffer.put_i")
      (fun t => two (W + 1) (net "u_buffer.result_i" t)) (fun t i => two (W + 1) (part (net "u_buffer.results_q" t) (i * (W + 1)) (W + 1)))).
    - unfold last. clear. lia.
    - exact ports.
    - intros t. destruct (H_handshake t) as [-> V0]. split; [| exact V0]. change (Z.of_nat 2) with 2. destruct (Z.eqb_spec (net "u_buffer.owed_q" t) 2) as [E | E]; [clear; lia |].
      split; [| intros _; exact E]. generalize (part (net "cycle" t) 1 (2 * Z.max 3 issues + issues - 1) =? 0). clear. intros x. destruct x; lia.
    - exact H_empty.
    - exact H_counts.
    - exact H_places.
    - intros t i L. rewrite (H_keeps t i L). destruct (_ =? 1); [| reflexivity]. destruct (_ =? i); reflexivity.
    - intros t i L E. rewrite (H_shows t i L E). reflexivity.
    - intros t. destruct (H_starts t) as [_ ->]. rewrite length. rewrite Nat.ltb_antisym, <- starts_are. fold (bit last t).
      transitivity (if (last <=? t)%nat then bit 0 (t - last) else 0); [| destruct (last <=? t)%nat; reflexivity].
      apply (later (net "cycle") interval last); [unfold last; clear; lia | | | exact no_operation_before | apply le_n].
      + intros u i L. apply H_cycles. rewrite length. exact L.
      + rewrite <- length. apply H_no_operation. reflexivity.
    - intros c V Y [odd inverse] A B. apply (computed c); try assumption. rewrite starts_are. unfold accepts. rewrite V, Y. reflexivity.
  Qed.
End Chain.
