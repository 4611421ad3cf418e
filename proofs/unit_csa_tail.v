(* SPDX-License-Identifier: Apache-2.0 *)
(* unit_csa with the exact tail: from the loop's accumulator V to a pair of p = (V + n Q) / 2^L, Q = V n' modulo 2^L, whatever takes a request and converts
   the pair. Cycle `tail` of the RTL's header takes V, `ends` is the one after the tail. *)
From Coq Require Import ZArith Lia String.
Require Import DigitRecurrence Instances WordSerial Contract Control Bits BoothRows UnitAccumulator Groups LateQuotient ExactTail Scaled unit_csa_lemmas unit_csa_loop Arithmetic.
Open Scope string_scope. Open Scope Z_scope.
Set Default Proof Using "All".

Lemma part_above : forall x l i w, 0 <= l -> 0 <= i -> part x (l + i) w = part (x / 2 ^ l) i w.
Proof. intros x l i w L I. unfold part. rewrite Z.pow_add_r, Z.div_div by (try apply Z.pow_nonzero; try apply Z.pow_pos_nonneg; lia). reflexivity. Qed.

Lemma no_bits : forall x k, 0 <= x < 2 ^ Z.of_nat k -> (forall i, (i < k)%nat -> part x (Z.of_nat i) 1 = 0) -> x = 0.
Proof.
  intros x k R H. rewrite <- (part_whole x (Z.of_nat k) R). clear R. induction k; [unfold part; change (2 ^ Z.of_nat 0) with 1; apply Z.mod_1_r |].
  rewrite Nat2Z.inj_succ. change (Z.succ (Z.of_nat k)) with (Z.of_nat k + 1). rewrite part_split, Z.add_0_l, (H k), IHk by (try lia; intros; apply H; lia). lia.
Qed.

Section Tail.
  Variables (W loops many last digit operand modulus state delay Pair group : Z) (net : trace).
  Local Notation on lemma := (lemma W loops many last digit operand modulus state delay Pair group net).
  Local Notation phase := (net "u_core.phase_q"). Local Notation left := (net "u_core.left_q"). Local Notation load := (net "u_core.load_q").
  Local Notation idle := (net "u_core.idle_q"). Local Notation clear := (net "u_core.clear_q"). Local Notation shift := (net "u_core.shift_q").
  Local Notation start := (net "u_core.start_q"). Local Notation cleared := (net "u_core.clear"). Local Notation correct := (net "u_core.correct_q").
  Local Notation carries := (net "u_core.u_convert.carries"). Local Notation a_q := (net "u_core.a_q"). Local Notation modulus_q := (net "u_core.modulus_q").
  Local Notation s_q := (net "u_core.s_q"). Local Notation c_q := (net "u_core.c_q"). Local Notation carry_q := (net "u_core.carry_q").
  Local Notation d_q := (net "u_core.d_q"). Local Notation q_q := (net "u_core.q_q"). Local Notation n_q := (net "u_core.gen_n.n_q").
  Local Notation inputs := (net "u_core.u_accumulator.u_tree.rows_i"). Local Notation singles := (net "u_core.u_accumulator.u_tree.bits_i").
  Local Notation first_q := (net "u_core.first_q"). Local Notation valid := (net "u_core.gen_exact.u_exact.valid_q"). Local Notation v_q := (net "u_core.gen_exact.u_exact.v_q").
  Local Notation x_n := (net "u_core.gen_exact.u_exact.n_q"). Local Notation x_s := (net "u_core.gen_exact.u_exact.s_q"). Local Notation x_c := (net "u_core.gen_exact.u_exact.c_q").
  Local Notation x_digit := (net "u_core.gen_exact.u_exact.digit"). Local Notation x_carry := (net "u_core.gen_exact.u_exact.carry").
  Local Notation x_carry_q := (net "u_core.gen_exact.u_exact.carry_q"). Local Notation x_transfer := (net "u_core.gen_exact.u_exact.transfer_q").
  Local Notation x_rows := (net "u_core.gen_exact.u_exact.u_tree.rows_i"). Local Notation x_out := (net "u_core.gen_exact.u_exact.u_tree.rows_o").

  Hypotheses (sizes : (3 <= W /\ 3 <= digit /\ 2 <= delay <= 3 /\ 1 <= group) /\ (operand = W + 1 /\ modulus = W + 1 /\ state = W + digit * delay + 2 /\ Pair = operand) /\
      (operand <= many * digit /\ delay <= many) /\ (1 <= last /\ W + 2 <= last * digit + digit * delay /\ many <= last + delay /\ loops = last + delay + 1))
    (H_ranges : on ranges) (H_selects : on selects) (H_valid : on valid_digits) (H_at_reset : on at_reset) (H_count : on count)
    (H_no_load_yet : on no_load_yet) (H_keep : on keep)
    (H_keep_modulus : on keep_modulus) (H_first_digit : on first_digit) (H_other_digits : on other_digits)
    (H_a_terms : on a_terms) (H_first_terms : on first_terms) (H_a_transfer : on a_transfer) (H_quotient_digit : on quotient_digit)
    (H_quotient_terms : on quotient_terms) (H_a_multiples : on a_multiples)
    (H_product_rows : on product_rows) (H_product : on product) (H_quotient_multiples : on quotient_multiples) (H_quotient_rows : on quotient_rows)
    (H_quotient_product : on quotient_product) (H_rows : on rows) (H_pair : on pair) (H_accumulate : on accumulate)
    (H_no_transfer : on no_transfer) (H_tail : on tail) (H_tail_count : on tail_count) (H_constants : on constants)
    (H_first : on first_of_exact) (H_dated_at_reset : on dated_at_reset) (H_dated_on : on dated_on) (H_no_exact : on no_exact)
    (H_exact_terms : on exact_terms) (H_low_terms : on low_terms) (H_exact_multiples : on exact_multiples) (H_exact_rows : on exact_rows)
    (H_exact_digit : on exact_digit) (H_exact_transfer : on exact_transfer) (H_loads : on loads).
  (* as in unit_csa_loop.v; no request enters in the loop, nor in the tail before its last cycle *)
  Variables (erased : nat -> Prop).
  Hypotheses (H_erased : forall t, erased t -> clear t = 1) (H_transfer : forall t, ~ erased t -> net "u_core.u_transfer_q" (S t) = part (net "u_core.u" t) (digit - 1) 1)
    (H_carry : forall t, carry_q (S t) = if clear t =? 1 then 0 else net "u_core.carry" t)
    (looping : forall t, phase t = 1 -> idle t = 0) (tailing : forall t, phase t = 2 -> 0 < left t -> idle t = 0)
    (shifts : forall t, phase t = 1 -> idle t = 0 -> a_q (S t) = a_q t / 2 ^ digit + 2 ^ (many * digit - digit) * net "u_core.u" t).

  Let r := 2 ^ digit.
  Let h := 2 ^ (digit - 1).
  Let Scale := digit * delay.
  Let Terms := Z.to_nat ((digit + 1) / 2).
  Let D1 := Z.to_nat (delay - 1).
  Let D := S D1.
  Let N := Z.to_nat many.
  Let K := Z.to_nat last.
  Let L := Z.to_nat loops.
  Ltac by_form two regions three := by_form_of (on quotient_product) two regions three.
  Let Vectors : nat := ltac:(by_form ltac:(exact Terms) ltac:(exact Terms) ltac:(exact 2%nat)).
  Let from (t : nat) : nat := if delay =? 2 then S t else t.

  Lemma enough : 2 * digit <= Scale.
  Proof. unfold Scale. nia. Qed.

  Lemma loop_sizes : (3 <= W /\ 2 <= digit /\ 2 <= delay <= 3 /\ 1 <= group) /\ (1 <= operand <= many * digit /\ W <= modulus) /\
    (operand + digit < state /\ modulus + digit < state) /\ (delay <= many /\ 1 <= last /\ many <= last + delay <= loops).
  Proof. pose proof enough. unfold Scale in *. lia. Qed.

  Lemma numbers : many = Z.of_nat N /\ last = Z.of_nat K /\ loops = Z.of_nat L /\ delay = Z.of_nat D /\ (1 <= D1 <= 2)%nat /\ (D <= N)%nat /\
    (1 <= K)%nat /\ (N <= K + D)%nat /\ L = S (D1 + S K).
  Proof. unfold N, K, L, D, D1. lia. Qed.

  Local Notation loop lemma := (lemma W loops many last digit operand modulus state delay Pair group net loop_sizes H_ranges H_selects H_valid H_at_reset
    H_count H_no_load_yet H_keep H_keep_modulus H_first_digit H_other_digits H_a_terms H_first_terms H_a_transfer H_quotient_digit
    H_quotient_terms H_a_multiples H_product_rows H_product H_quotient_multiples H_quotient_rows H_quotient_product H_rows H_pair H_accumulate
    erased H_erased H_transfer H_carry (fun t P (_ : 0 < left t) => looping t P) shifts).
  Ltac range t := in_range H_ranges t.

  Lemma radix : r = 2 * h /\ 4 <= h.
  Proof. split; [apply (loop unit_csa_loop.radix) |]. change 4 with (2 ^ 2). apply Z.pow_le_mono_r; lia. Qed.

  Lemma many_terms : (digit =? 2) = false.
  Proof. apply Z.eqb_neq. lia. Qed.

  Lemma terms_number : (digit + 1) / 2 = Z.of_nat Terms /\ (2 <= Terms)%nat /\ digit <= 2 * Z.of_nat Terms <= digit + 1.
  Proof. destruct (loop unit_csa_loop.terms_number) as (E & _ & B). split; [exact E |]. split; [clear - B sizes; lia | exact B]. Qed.

  Lemma scale_is : pw r D = 2 ^ Scale.
  Proof. destruct numbers as (_ & _ & _ & ED & _). unfold r, Scale. rewrite pw_words by lia. f_equal. rewrite ED. ring. Qed.

  (* ---------------------------------------------------------------- the sums of Q *)
  Lemma exact_sum : forall t, legal Terms (v_q t) ->
    (2 ^ Scale | x_s (S t) + x_c (S t) - (place Scale (x_rows t) 0 + place Scale (x_rows t) 1 + number Terms (v_q t) * two Scale (x_n t))).
  Proof.
    intros t G. destruct terms_number as (ET & _).
    assert (M : (2 ^ Scale | total (fun j => place Scale (x_rows t) (2 + j)) Terms + total (negative (v_q t)) Terms - number Terms (v_q t) * two Scale (x_n t))).
    { apply (multiples_sum Scale (two Scale (x_n t)) Terms (fun j => place Scale (x_rows t) (2 + j)) (once (v_q t)) (twice (v_q t)) (negative (v_q t))); [pose proof enough; lia | intros j J; destruct (bits_of_term (v_q t) j) as (A1 & A2 & A3); pose proof (G j J); auto |].
      intros j J. cbv zeta. pose proof (H_exact_multiples t (Z.of_nat j) ltac:(lia)) as E. etransitivity; [| exact E].
      unfold place, Scale. rewrite Nat2Z.inj_add. reflexivity. }
    assert (A : (2 ^ Scale | x_s (S t) + x_c (S t) - (total (place Scale (x_rows t)) (2 + Terms) + total (negative (v_q t)) Terms))).
    { clear M. destruct (H_exact_rows t) as (X & R). pose proof enough as E2. unfold Scale in E2.
      fixed_terms_of H_product_rows terms_number Terms. rewrite TN. clear X.
      repeat match type of R with _ /\ _ /\ _ => let A := fresh in destruct R as [A R] | _ /\ _ => let A := fresh in let B := fresh in destruct R as [A B]; rewrite A, B; clear A B end.
      unfold place, negative, Scale; cbn [total Nat.add].
      repeat match goal with |- context [Z.of_nat ?k] => let z := eval vm_compute in (Z.of_nat k) in lazymatch z with Z0 => change (Z.of_nat k) with z | Zpos _ => change (Z.of_nat k) with z end end;
      repeat match goal with |- context [3 * ?k + 0] => let z := eval vm_compute in (3 * k + 0) in lazymatch z with Z0 => change (3 * k + 0) with z | Zpos _ => change (3 * k + 0) with z end end.
      rows_divide (digit * delay). by_sum. }
    rewrite total_split in A. change (total (place Scale (x_rows t)) 2) with (0 + place Scale (x_rows t) 0 + place Scale (x_rows t) 1) in A. clear - A M. by_sum.
  Qed.

  (* ---------------------------------------------------------------- flags of the digits of Q *)
  Lemma dated_always : forall t, dated W loops many last digit operand modulus state delay Pair group net t.
  Proof. induction t; [apply (H_dated_at_reset O eq_refl) | apply H_dated_on, IHt]. Qed.

  Lemma undated : forall t, phase t = 0 \/ phase t = 2 /\ left t = 0 -> first_q t = 0 /\ valid t = 0.
  Proof.
    intros t P. pose proof (dated_always t) as X. unfold dated in X. decompose [and] X. clear X. destruct numbers as (_ & _ & _ & ED & D12 & _).
    repeat match goal with H : _ \/ (phase t = _ /\ left t = _) |- _ => destruct H as [H | H]; [| exfalso; clear - H P; lia] end.
    split; [assumption |]. apply (no_bits _ D); [rewrite <- ED; range t |].
    pose proof (H_quotient_product O) as X. by_form
      ltac:(intros i I; assert (D = 2%nat) as E by lia; rewrite E in I; destruct i as [| [| i]]; [assumption | assumption | lia])
      ltac:(intros i I; assert (D = 3%nat) as E by lia; rewrite E in I; destruct i as [| [| [| i]]]; [assumption | assumption | assumption | lia])
      ltac:(destruct X as [X _]; intros i I; assert (D = 3%nat) as E by lia; rewrite E in I; destruct i as [| [| [| i]]]; [assumption | assumption | assumption | lia]).
  Qed.

  Section Request.
  (* A request is accepted in cycle c. *)
  Variables (c : nat).
  Let n := net "n_i" c. Let a := two operand (net "a_i" c). Let b := two operand (net "b_i" c). Let nbar := two W (net "n_scaled_i" c).
  Hypotheses (begun : begins_in W loops many digit operand modulus net c) (undated_before : first_q c = 0 /\ valid c = 0) (odd : n mod 2 = 1) (least : 3 <= n)
    (constant : scaled (digit * delay) n nbar) (inverse : (n * net "n_inverse_i" c + 1) mod 2 ^ (digit * delay) = 0)
    (a_range : - n < a < n) (b_range : - n < b < n).
  Let first := S c.
  Let below (t : nat) : Z := match t with O => 0 | S i => net "u_core.digit_transfer_q" (first + i)%nat end.
  Let d (t : nat) : Z := if Nat.ltb t N then net "u_core.digit" (c + t)%nat + below t - r * below (S t) else 0.
  Let u (t : nat) : Z := net "u_core.u" (first + S t)%nat.
  Let carried (t : nat) : Z := net "u_core.u_transfer_q" (first + S t)%nat.
  Let q (t : nat) : Z := if Nat.leb t K then u t + carried t - r * carried (S t) else 0.
  Let Y (t : nat) : Z := pair_value state (s_q (first + S t)%nat) (c_q (first + S t)%nat) + carry_q (first + S t)%nat.
  Let P := 2 ^ W - 1.
  Let L2 := pw r D.

  Local Notation requested lemma := (loop lemma c begun).

  Lemma most : n <= P.
  Proof. assert (0 <= net "n_i" c < 2 ^ W) by range c. unfold P, n. lia. Qed.

  Lemma loop_state : forall t, (t <= L)%nat -> phase (first + t)%nat = 1 /\ left (first + t)%nat = Z.of_nat (L - t) /\
    net "u_core.b_q" (first + t)%nat = net "b_i" c /\ two modulus (modulus_q (first + t)%nat) = nbar.
  Proof. exact (requested unit_csa_loop.loop_state). Qed.

  Lemma first_at : forall t, (t <= L)%nat -> first_q (first + t)%nat = if Nat.eqb t (K + 3) then 1 else 0.
  Proof.
    destruct numbers as (_ & _ & EL & ED & D12 & _ & _ & _ & LL). intros [| t] LT.
    - unfold first. rewrite Nat.add_0_r. destruct (H_first c) as [-> _]. destruct (Nat.eqb_spec 0 (K + 3)); [lia |]. destruct (Z.eqb_spec (phase c) 1) as [E |]; [| reflexivity]. rewrite (proj1 (proj2 begun) E). reflexivity.
    - rewrite Nat.add_succ_r. destruct (H_first (first + t)%nat) as [-> _]. destruct (loop_state t ltac:(lia)) as (-> & -> & _).
      destruct (loop_state (S t) LT) as (_ & E & _). rewrite Nat.add_succ_r in E. rewrite E. change (1 =? 1) with true. cbv iota.
      destruct (Z.ltb_spec 0 (Z.of_nat (L - t))); [| lia]. clear - ED LL D12 LT. unfold D in *.
      destruct (Z.eqb_spec (Z.of_nat (L - S t)) (delay - 2)), (Nat.eqb_spec (S t) (K + 3)); lia.
  Qed.

  Let tail := (first + S L)%nat.                                                            (* the cycle that takes V *)
  Let ends := (tail + S D)%nat.
  Let x_first := (first + (K + 4))%nat.                                                     (* the cycle of the first digit of Q *)

  Lemma kept : forall k, (forall i, (i < k)%nat -> idle (first + i)%nat = 0) -> n_q (first + k)%nat = n /\ x_n (first + k)%nat = net "n_inverse_i" c.
  Proof.
    induction k; intros H.
    - rewrite Nat.add_0_r. unfold first. destruct (H_constants c) as [-> ->]. rewrite (proj1 begun). split; reflexivity.
    - destruct (IHk ltac:(intros; apply H; lia)) as [E F]. rewrite Nat.add_succ_r. destruct (H_constants (first + k)%nat) as [-> ->].
      rewrite H by lia. change (0 =? 1) with false. split; assumption.
  Qed.

  Lemma loop_not_idle : forall t, (t <= L)%nat -> idle (first + t)%nat = 0.
  Proof. intros t T. apply looping, loop_state, T. Qed.

  Lemma tail_begins : phase tail = 2 /\ left tail = delay /\ load tail = 1 /\ two modulus (modulus_q tail) = n.
  Proof.
    destruct numbers as (_ & _ & EL & _). destruct (loop_state L (le_n L)) as (P0 & L0 & _). rewrite Nat.sub_diag in L0. unfold tail. rewrite Nat.add_succ_r.
    destruct (H_tail (first + L)%nat P0 L0) as (T1 & T2 & T3 & T4); [exact (looping _ P0) |].
    split; [exact T1 |]. split; [exact T2 |]. split; [exact T3 |]. rewrite T4.
    destruct (kept L) as [-> _]; [intros i I; apply loop_not_idle; lia |].
    unfold two. replace (modulus - 1) with W by lia. pose proof most. unfold P in *. destruct (Z.ltb_spec n (2 ^ W)); [reflexivity | lia].
  Qed.

  Lemma tail_state : forall i, (i <= D)%nat -> phase (tail + i)%nat = 2 /\ left (tail + i)%nat = Z.of_nat (D - i) /\ two modulus (modulus_q (tail + i)%nat) = n /\
    load (tail + i)%nat = match i with O => 1 | _ => 0 end.
  Proof.
    destruct numbers as (_ & _ & _ & ED & _). destruct tail_begins as (T1 & T2 & T3 & T4). induction i; intros I.
    - rewrite Nat.add_0_r. rewrite T1, T2, T3, T4, ED, Nat.sub_0_r. repeat split.
    - destruct (IHi ltac:(lia)) as (P0 & L0 & M0 & _). rewrite Nat.add_succ_r.
      destruct (H_tail_count (tail + i)%nat P0 ltac:(lia)) as (E1 & E2 & E3 & E4); [apply tailing; [exact P0 | lia] |].
      rewrite E1, E2, E3, E4. repeat split; [lia | exact M0].
  Qed.

  Lemma tail_not_idle : forall i, (i < D)%nat -> idle (tail + i)%nat = 0.
  Proof. intros i I. destruct (tail_state i ltac:(lia)) as (P0 & L0 & _). apply tailing; [exact P0 | lia]. Qed.

  Lemma running : forall k, (first + k < ends)%nat -> phase (first + k)%nat = 1 \/ phase (first + k)%nat = 2.
  Proof.
    intros k I. destruct (Nat.le_gt_cases k L) as [X | X]; [left; apply loop_state, X | right].
    replace (first + k)%nat with (tail + (k - S L))%nat by (unfold tail; lia). apply tail_state. unfold ends, tail in I. lia.
  Qed.

  Lemma held : forall k, (first + k <= tail + D)%nat -> n_q (first + k)%nat = n /\ x_n (first + k)%nat = net "n_inverse_i" c.
  Proof.
    intros k I. apply kept. intros i J. destruct (Nat.le_gt_cases i L) as [X | X]; [apply loop_not_idle, X |].
    replace (first + i)%nat with (tail + (i - S L))%nat by (unfold tail; lia). apply tail_not_idle. unfold tail in I. lia.
  Qed.

  Lemma no_more_first : forall i, (i < D)%nat -> first_q (x_first + i)%nat = 0.
  Proof.
    destruct numbers as (_ & _ & _ & _ & D12 & _ & _ & _ & LL). intros i I. unfold x_first. replace (first + (K + 4) + i)%nat with (first + S (K + 3 + i))%nat by lia.
    destruct (Nat.le_gt_cases (S (K + 3 + i)) L) as [B | B]; [rewrite first_at by exact B; destruct (Nat.eqb_spec (S (K + 3 + i)) (K + 3)); [lia | reflexivity] |].
    rewrite Nat.add_succ_r. destruct (H_first (first + (K + 3 + i))%nat) as [-> _]. destruct (Nat.eq_dec (K + 3 + i) L) as [-> | X].
    - destruct (loop_state L (le_n L)) as (-> & -> & _). rewrite Nat.sub_diag. reflexivity.
    - destruct (tail_state (K + 3 + i - S L)%nat ltac:(unfold D in *; lia)) as (E & _). replace (tail + (K + 3 + i - S L))%nat with (first + (K + 3 + i))%nat in E by (unfold tail; lia).
      rewrite E. reflexivity.
  Qed.

  Lemma not_valid : valid c = 0 /\ forall t, (t <= K + 3)%nat -> valid (first + t)%nat = 0.
  Proof.
    destruct numbers as (_ & _ & _ & _ & D12 & _ & _ & _ & LL). destruct undated_before as [F0 V0]. split; [exact V0 |]. induction t; intros T.
    - rewrite Nat.add_0_r. unfold first. destruct (H_first c) as [_ ->]. rewrite V0, F0. reflexivity.
    - rewrite Nat.add_succ_r. destruct (H_first (first + t)%nat) as [_ ->]. rewrite IHt by lia. rewrite first_at by lia. destruct (Nat.eqb_spec t (K + 3)); [lia | reflexivity].
  Qed.

  Lemma valid_at : forall i, (i < D)%nat -> valid (x_first + i)%nat = 2 ^ Z.of_nat i.
  Proof.
    destruct numbers as (_ & _ & _ & ED & D12 & _ & _ & _ & LL). induction i; intros I.
    - unfold x_first. rewrite Nat.add_0_r. replace (K + 4)%nat with (S (K + 3)) by lia. rewrite Nat.add_succ_r. destruct (H_first (first + (K + 3))%nat) as [_ ->].
      destruct not_valid as [_ V]. rewrite V, first_at, Nat.eqb_refl by lia. reflexivity.
    - rewrite Nat.add_succ_r. destruct (H_first (x_first + i)%nat) as [_ ->]. rewrite IHi, no_more_first by lia.
      rewrite Nat2Z.inj_succ, Z.pow_succ_r, Z.add_0_r by lia. apply Z.mod_small. rewrite <- Z.pow_succ_r by lia.
      split; [apply Z.pow_nonneg; lia | apply Z.pow_lt_mono_r; lia].
  Qed.

  Lemma quiet : net "u_core.exact" c = 0 /\ forall t, (t < L)%nat -> net "u_core.exact" (first + t)%nat = 0.
  Proof.
    destruct numbers as (_ & _ & _ & _ & D12 & _ & _ & _ & LL). destruct not_valid as [V0 V]. split; [apply H_no_exact, V0 | intros t T; apply H_no_exact, V; lia].
  Qed.

  Lemma not_added : forall i, (i < D)%nat -> net "u_core.q_valid_q" (x_first + i)%nat = 0.
  Proof.
    destruct numbers as (_ & _ & _ & _ & D12 & _ & _ & _ & LL). intros i I. unfold x_first. replace (first + (K + 4) + i)%nat with (first + S (K + 3 + i))%nat by lia.
    destruct (Nat.lt_ge_cases (K + 3 + i) L) as [B | B].
    - destruct (requested unit_csa_loop.valid_at) as (_ & _ & V). etransitivity; [exact (V _ B) |]. fold K. destruct (Nat.leb_spec (K + 3 + i) K); [lia | reflexivity].
    - rewrite Nat.add_succ_r. destruct (H_valid (first + (K + 3 + i))%nat) as [_ ->]. destruct (Nat.eq_dec (K + 3 + i) L) as [-> | X].
      + destruct (loop_state L (le_n L)) as (-> & -> & _). rewrite Nat.sub_diag. reflexivity.
      + destruct (tail_state (K + 3 + i - S L)%nat ltac:(unfold D in *; lia)) as (E & _). replace (tail + (K + 3 + i - S L))%nat with (first + (K + 3 + i))%nat in E by (unfold tail; lia).
        rewrite E. reflexivity.
  Qed.

  (* ---------------------------------------------------------------- Q *)
  Let g (i : nat) : Z := x_digit (x_first + i)%nat.
  Let t_of (i : nat) : Z := x_transfer (x_first + i)%nat.
  Let e (i : nat) : Z := g i + t_of i - r * t_of (S i).
  Let v (i : nat) : Z := u (S K + i)%nat + carried (S K + i)%nat - r * carried (S (S K + i))%nat.
  Let ni := two Scale (net "n_inverse_i" c).

  Lemma low_digit : forall i, (i < D)%nat -> legal Terms (v_q (first + (K + 3) + i)%nat) /\ number Terms (v_q (first + (K + 3) + i)%nat) = v i.
  Proof.
    intros i I. replace (first + (K + 3) + i)%nat with (S (first + S (S K + i))) by lia. set (t := (first + S (S K + i))%nat).
    destruct (loop unit_csa_loop.bits_of t) as (U & _ & _ & _ & _ & _ & C & _).
    destruct (loop unit_csa_loop.digit_terms _ 1 _ _ U C (H_low_terms t)) as (G & E & _). split; [exact G |]. etransitivity; [exact E |].
    change (1 =? 1) with true. cbv iota. unfold v, u, carried. rewrite (Nat.add_succ_r first (S (S K + i))). fold t. rewrite H_transfer by (apply (requested unit_csa_loop.not_erased); destruct numbers as (_ & _ & _ & _ & D12 & _ & _ & _ & LL); fold L; unfold D in I; lia). reflexivity.
  Qed.

  Lemma bit_of : forall x, 0 <= x < 2 ^ digit -> part x (digit - 1) 1 = if 2 * x <? r then 0 else 1.
  Proof.
    intros x X. destruct radix as [R Hh]. rewrite (top_bit_range digit) by (try exact X; lia). fold h. destruct (Z.ltb_spec x h), (Z.ltb_spec (2 * x) r); lia.
  Qed.

  Lemma exact_register : forall i, (i < D)%nat -> legal Terms (q_q (S (x_first + i))) /\ number Terms (q_q (S (x_first + i))) = e i.
  Proof.
    intros i I. set (t := (x_first + i)%nat). pose proof (no_more_first i I) as F0. fold t in F0. assert (U : 0 <= x_digit t < 2 ^ digit) by range t. assert (C : 0 <= x_transfer t < 2 ^ 1) by range t. change (2 ^ 1) with 2 in C.
    assert (V : 0 < valid t) by (unfold t; rewrite valid_at by exact I; apply Z.pow_pos_nonneg; lia).
    destruct (loop unit_csa_loop.digit_terms (q_q (S t)) 1 (x_digit t) (x_transfer t) U ltac:(lia) (fun j J => H_exact_terms t j J (not_added i I) V)) as (G & E & _).
    split; [exact G |]. etransitivity; [exact E |]. change (1 =? 1) with true. cbv iota. unfold e, g, t_of. rewrite Nat.add_succ_r. fold t.
    destruct (H_exact_transfer t) as [-> _]. rewrite F0. reflexivity.
  Qed.

  Lemma shifted_row : forall x, 0 <= x < 2 ^ Scale -> part x digit (Scale - digit) = x / r.
  Proof.
    intros x X. pose proof enough. unfold part. fold r. apply Z.mod_small. assert (0 < r) by (apply Z.pow_pos_nonneg; lia). split; [apply Z.div_pos; lia |].
    apply Z.div_lt_upper_bound; [lia |]. unfold r. rewrite <- Z.pow_add_r by lia. replace (digit + (Scale - digit)) with Scale by lia. lia.
  Qed.

  Lemma low_part : forall x, part x 0 digit = x mod r.
  Proof. intros x. unfold part. rewrite Z.div_1_r. reflexivity. Qed.

  Lemma exact_digits : (pw r D | digits r v D * ni - digits r e D) /\ forall i, (i <= D)%nat -> (0 < i)%nat -> - pw r i <= 2 * digits r e i < pw r i.
  Proof.
    destruct radix as [R Hh]. destruct numbers as (_ & _ & _ & ED & D12 & _ & _ & _ & LL).
    assert (inside : forall i, (i <= D)%nat -> x_n (first + (K + 3) + i)%nat = net "n_inverse_i" c).
    { intros i I. rewrite <- Nat.add_assoc. apply held. unfold tail, D in *. lia. }
    assert (S0 : x_first = S (first + (K + 3))) by (unfold x_first; lia).
    assert (rows : forall i t, (i < D)%nat -> t = (first + (K + 3) + i)%nat ->
      (2 ^ Scale | x_s (S t) + x_c (S t) - ((if first_q t =? 1 then 0 else x_s t / r) + (if first_q t =? 1 then 0 else x_c t / r) + v i * ni))).
    { intros i t I Et. destruct (low_digit i I) as [G E]. rewrite <- Et in G, E. pose proof (exact_sum t G) as A. rewrite E in A.
      pose proof (inside i ltac:(lia)) as X. rewrite <- Et in X. rewrite X in A. fold ni in A. clear X.
      destruct (H_exact_rows t) as (_ & X). repeat match type of X with _ /\ _ /\ _ /\ _ /\ _ => apply proj2 in X end. destruct X as (X0 & X1 & _).
      change (place Scale (x_rows t) 0 = if first_q t =? 1 then 0 else part (x_s t) digit (Scale - digit)) in X0.
      change (place Scale (x_rows t) 1 = if first_q t =? 1 then 0 else part (x_c t) digit (Scale - digit)) in X1.
      rewrite shifted_row in X0, X1 by (unfold Scale; range t). rewrite <- X0, <- X1. exact A. }
    assert (F : first_q (first + (K + 3))%nat = 1) by (rewrite first_at, Nat.eqb_refl by lia; reflexivity).
    pose proof (exact_quotient h ni D v (fun i => x_s (x_first + i)%nat) (fun i => x_c (x_first + i)%nat) g (fun i => x_carry_q (x_first + i)%nat) t_of) as G.
    cbv beta zeta in G. rewrite <- R in G. apply G; clear G; [lia | unfold D; lia | | | |].
    - rewrite scale_is. pose proof (rows O _ ltac:(unfold D; lia) eq_refl) as A. rewrite !Nat.add_0_r in *. rewrite F in A. change (1 =? 1) with true in A. cbv iota in A.
      unfold t_of. rewrite Nat.add_0_r, S0. destruct (H_exact_transfer (first + (K + 3))%nat) as [-> ->]. rewrite F. split; [exact A | split; reflexivity].
    - intros i I. rewrite scale_is. pose proof (rows (S i) _ ltac:(lia) eq_refl) as A. pose proof (no_more_first i ltac:(lia)) as Z0.
      replace (first + (K + 3) + S i)%nat with (x_first + i)%nat in A by (rewrite S0; lia). rewrite Z0 in A. change (0 =? 1) with false in A. cbv iota in A.
      rewrite Nat.add_succ_r. exact A.
    - intros i I. rewrite Nat.add_succ_r. destruct (H_exact_transfer (x_first + i)%nat) as [_ ->]. rewrite no_more_first by exact I. change (0 =? 1) with false. cbv iota.
      pose proof (H_exact_digit (x_first + i)%nat) as X. rewrite !low_part in X. fold r in X. split; [exact X |]. unfold g, r. range (x_first + i)%nat.
    - intros i I. unfold t_of, g. rewrite Nat.add_succ_r. destruct (H_exact_transfer (x_first + i)%nat) as [-> _]. rewrite no_more_first by exact I. change (0 =? 1) with false. cbv iota.
      apply bit_of. range (x_first + i)%nat.
  Qed.

  (* ---------------------------------------------------------------- V *)
  Let V := pw r D * Y L + digits r (fun i => u (S K + i)%nat) D + carried (S K).

  Lemma bounds : 1 <= P /\ 2 ^ (state - 2) = L2 * (P + 1) /\ 4 * h <= L2 /\ 4 * n <= L2 * pw r K /\ 0 <= P <= 2 * P /\
    h * (h * P) + h * (2 * P) + 2 * h <= h * (h * (2 * P)) /\ h * (2 * P) + 2 <= 2 ^ (state - 2).
  Proof.
    destruct radix as [R Hh]. destruct numbers as (_ & EK & _ & ED & _). pose proof enough as E2. unfold Scale in E2.
    pose proof (Z.pow_le_mono_r 2 2 W ltac:(lia) ltac:(lia)) as W4. change (2 ^ 2) with 4 in W4. assert (P3 : 3 <= P) by (unfold P; lia).
    assert (E : 2 ^ (state - 2) = L2 * (P + 1)).
    { unfold L2, P. rewrite scale_is. unfold Scale. replace (2 ^ W - 1 + 1) with (2 ^ W) by ring. rewrite <- Z.pow_add_r by lia. f_equal. lia. }
    assert (big : 4 * h <= L2).
    { unfold L2. rewrite scale_is. replace 4 with (2 ^ 2) by reflexivity. unfold h. rewrite <- Z.pow_add_r by lia. apply Z.pow_le_mono_r; unfold Scale; lia. }
    split; [lia |]. split; [exact E |]. split; [exact big |]. split; [| split; [lia |]].
    - pose proof most. apply Z.le_trans with (4 * 2 ^ W); [unfold P in *; lia |]. unfold L2. rewrite scale_is. unfold r. rewrite pw_words by lia.
      assert (0 <= Z.of_nat K * digit) by (apply Z.mul_nonneg_nonneg; lia). replace 4 with (2 ^ 2) by reflexivity. rewrite <- !Z.pow_add_r by (unfold Scale; lia).
      apply Z.pow_le_mono_r; [lia |]. unfold Scale. rewrite <- EK. lia.
    - assert (4 * (h * P) <= h * (h * P)) by (apply Z.mul_le_mono_nonneg_r; [apply Z.mul_nonneg_nonneg |]; lia).
      assert (h * 3 <= h * P) by (apply Z.mul_le_mono_nonneg_l; lia). assert (4 * h * P <= L2 * P) by (apply Z.mul_le_mono_nonneg_r; lia). split; lia.
  Qed.

  Lemma nbar_range : - P <= 2 * nbar <= P.
  Proof. pose proof (scaled_range (digit * delay) n nbar ltac:(pose proof enough; unfold Scale in *; lia) ltac:(lia) constant) as B. pose proof most. lia. Qed.

  Lemma b_limit : - (2 * P) <= 2 * b <= 2 * P.
  Proof. pose proof most. lia. Qed.

  Lemma no_transfers : net "u_core.transfer_q" first = 0 /\ forall t, (t < L)%nat ->
    net "u_core.transfer_q" (first + S t)%nat = 0 /\ (0 = 0 \/ 0 = carried t /\ (N < t)%nat).
  Proof. split; [apply H_no_transfer |]. intros t _. split; [apply H_no_transfer | left; reflexivity]. Qed.

  Local Notation recurrence lemma := (requested lemma P (2 * P) (fun _ : nat => 0) quiet no_transfers nbar_range b_limit (proj1 (proj2 (proj2 (proj2 (proj2 bounds)))))
    (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 bounds))))))).

  Lemma quotient : montgomery n (pw r K) a b V /\ - (L2 * n) < 2 * V < L2 * n.
  Proof.
    destruct radix as [R Hh]. destruct numbers as (EN & EK & EL & ED & D12 & DN & K1 & NK & LL). destruct constant as (nj & I & E). fold Scale in I, E. rewrite <- scale_is in I, E. fold L2 in I, E.
    destruct bounds as (P1 & _ & big & full & PP & room & _).
    (* the transfers by the digits: those of the RTL, up to the end of the loop *)
    assert (exists f : nat -> Z, f O = 0 /\ (forall t, f (S t) = if 2 * u t <? r then 0 else 1) /\ forall t, (t <= L)%nat -> f t = carried t) as (f & f0 & f1 & fT).
    { exists (fun t => match t with O => 0 | S i => if 2 * u i <? r then 0 else 1 end). split; [reflexivity |]. split; [reflexivity |].
      intros [| t] T0; [symmetry; unfold carried; rewrite Nat.add_1_r; apply begun, H_no_transfer |]. symmetry.
      apply (recurrence unit_csa_loop.carried_is). apply (requested unit_csa_loop.not_erased). exact T0. }
    pose proof (whole_quotient h n nj nbar a b P (2 * P) K D1 Y d q u f) as G. cbv zeta in G. rewrite <- R in G. fold D L2 in G. rewrite <- LL in G.
    rewrite (fT (S K)) in G by lia.
    apply G; clear G; try assumption; try lia.
    - rewrite Z.abs_mul. assert (Z.abs a * Z.abs b < n * n) by (apply Z.mul_lt_mono_nonneg; lia).
      assert (n * (4 * n) <= n * (L2 * pw r K)) by (apply Z.mul_le_mono_nonneg_l; lia). lia.
    - exact b_limit.
    - exact nbar_range.
    - split; [exact (recurrence unit_csa_loop.at_start) | exact f0].
    - replace (D1 + S K)%nat with (N + (K + D - N))%nat by (unfold D in *; lia). rewrite digits_split, (digits_zero r (fun i => d (N + i)%nat)).
      + rewrite Z.mul_0_r, Z.add_0_r. exact (requested unit_csa_loop.digits_of_a).
      + intros t _. unfold d. destruct (Nat.ltb_spec (N + t) N); [lia | reflexivity].
    - unfold d. destruct (Nat.ltb_spec (D1 + S K) N); [unfold D in *; lia | reflexivity].
    - exact (requested unit_csa_loop.d_range).
    - intros t. apply (loop unit_csa_loop.bits_of).
    - intros t. unfold q. destruct (Nat.leb_spec t K); [rewrite !fT by lia; reflexivity | reflexivity].
    - intros t T B. pose proof (recurrence unit_csa_loop.step t T B) as G. cbv beta zeta in G. rewrite Z.add_0_r in G. exact G.
  Qed.

  Lemma no_digit : forall i, (1 <= i <= D)%nat -> legal Terms (d_q (tail + i)%nat) /\ number Terms (d_q (tail + i)%nat) = 0.
  Proof.
    intros [| i] I; [lia |]. destruct (tail_state i ltac:(lia)) as (P0 & _). set (t := (tail + i)%nat) in *. rewrite Nat.add_succ_r. fold t.
    assert (E : exists k, t = S k) by (exists (first + L + i)%nat; unfold t, tail; lia). destruct E as [k E].
    assert (I0 : idle t = 0) by (apply tail_not_idle; lia).
    assert (V0 : net "u_core.d_valid_q" t = 0) by (destruct (H_valid k) as [V0 _]; rewrite <- E, I0, P0 in V0; exact V0).
    destruct (loop unit_csa_loop.bits_of t) as (_ & U & _ & _ & _ & _ & _ & C).
    destruct (loop unit_csa_loop.digit_terms _ _ _ _ U C (fun j J => H_a_terms t j J (or_introl I0))) as (G & F & _).
    split; [exact G |]. etransitivity; [exact F |]. rewrite V0. reflexivity.
  Qed.

  Lemma loaded : (2 ^ state | place state (inputs (S tail)) 2 + place state (inputs (S tail)) 3 + single (singles (S tail)) Vectors + single (singles (S tail)) (Vectors + 1) - (V - carried (S K))).
  Proof.
    destruct radix as [R Hh]. destruct numbers as (EN & EK & EL & ED & D12 & DN & K1 & NK & LL). pose proof enough as E2. destruct tail_begins as (T1 & _ & T3 & _).
    assert (even : c_q tail mod 2 = 0).
    { pose proof (recurrence unit_csa_loop.even (D1 + S K)%nat) as E. cbv zeta in E. fold first in E. replace (first + S (S (D1 + S K)))%nat with tail in E by (unfold tail; lia). apply E. fold N L. unfold D in *. lia. }
    destruct (H_loads tail T3 even) as (P1 & P2 & P3 & P4). destruct terms_number as (ET & T2 & _).
    destruct (requested unit_csa_loop.digit_register (S L) (or_intror (conj eq_refl (loop_not_idle L (le_n _))))) as (_ & _ & Z0). specialize (Z0 ltac:(fold N; unfold D in *; lia)).
    change (forall j, (j < Terms)%nat -> negative (d_q tail) j = 0) in Z0.
    fixed_terms_of H_product_rows terms_number Terms. 
    by_form ltac:(assert (EV : Vectors = Terms) by reflexivity) ltac:(assert (EV : Vectors = Terms) by reflexivity) ltac:(assert (EV : Vectors = 2%nat) by reflexivity). rewrite EV.
    assert (Q3 : single (singles (S tail)) Vectors = negative (d_q tail) (Terms - 2)) by (rewrite EV, ?TN; exact P3).
    assert (Q4 : single (singles (S tail)) (Vectors + 1) = negative (d_q tail) (Terms - 1)) by (rewrite EV, ?TN; exact P4).
    rewrite EV in Q3, Q4. rewrite Q3, Q4, !Z0 by lia.
    change (place state (inputs (S tail)) 2 = part (a_q tail) (many * digit - digit * delay) (digit * delay) + 2 ^ Scale * part (s_q tail) 0 (state - Scale)) in P1.
    change (place state (inputs (S tail)) 3 = 2 ^ Scale * (part (c_q tail) 0 (state - Scale) + carry_q tail)) in P2. rewrite P1, P2.
    pose proof (requested unit_csa_loop.entered (first + S (S K))%nat D DN) as A. rewrite <- ED, (Z.mul_comm delay) in A.
    replace (first + S (S K) + D)%nat with tail in A by (unfold tail, D in *; lia). fold r in A. rewrite A; clear A.
    2: { intros i I. replace (first + S (S K) + i)%nat with (first + (S (S K) + i))%nat by lia. assert (T : (S (S K) + i <= L)%nat) by (unfold D in *; lia). split; [apply loop_state, T | apply loop_not_idle, T]. }
    rewrite (digits_ext r (fun i => net "u_core.u" (first + S (S K) + i)%nat) (fun i => u (S K + i)%nat)) by (intros i _; unfold u; f_equal; lia).
    unfold V, Y. fold tail. rewrite scale_is. unfold pair_value. set (U := digits r _ D). pose proof (signed_divides state (s_q tail + c_q tail) ltac:(lia)) as [j J].
    assert (M : 2 ^ state = 2 ^ Scale * 2 ^ (state - Scale)) by (rewrite <- Z.pow_add_r by lia; f_equal; lia).
    assert (G : forall x, exists z, part x 0 (state - Scale) = x + z * 2 ^ (state - Scale)).
    { intros x. exists (- (x / 2 ^ (state - Scale))). unfold part. change (2 ^ 0) with 1. rewrite Z.div_1_r, Z.mod_eq by (apply Z.pow_nonzero; lia). ring. }
    destruct (G (s_q tail)) as [z1 ->]. destruct (G (c_q tail)) as [z2 ->]. replace (signed state (s_q tail + c_q tail)) with (s_q tail + c_q tail + j * 2 ^ state) by lia.
    exists (z1 + z2 - 2 ^ Scale * j). rewrite M. ring.
  Qed.

  (* ---------------------------------------------------------------- V + n Q, a digit less in each cycle *)
  Local Notation rest i := (left_of h n V e i).

  Lemma tail_hypotheses : 1 < h /\ (0 < D)%nat /\ 0 < n /\ (pw (2 * h) D | n * ni + 1) /\ (pw (2 * h) D | V * ni - digits (2 * h) e D) /\
    (forall i, (i <= D)%nat -> (0 < i)%nat -> - pw (2 * h) i <= 2 * digits (2 * h) e i < pw (2 * h) i) /\ - (pw (2 * h) D * n) < 2 * V < pw (2 * h) D * n.
  Proof.
    destruct radix as [R Hh]. rewrite <- R. destruct exact_digits as [Q B]. destruct quotient as [_ VR]. fold L2. pose proof enough as E2.
    split; [lia |]. split; [unfold D; lia |]. split; [lia |]. split; [| split; [| split; [exact B | exact VR]]].
    - apply divide_mod in inverse; [| apply Z.pow_pos_nonneg; unfold Scale in E2; lia]. fold Scale in inverse. unfold L2. rewrite scale_is.
      pose proof (two_divides Scale (net "n_inverse_i" c)) as [j J]. fold ni in J. destruct inverse as [k F]. exists (k + j * n).
      replace (n * ni + 1) with (n * net "n_inverse_i" c + 1 + n * (ni - net "n_inverse_i" c)) by ring. rewrite F, J. ring.
    - (* V is its lowest digits, the last transfer among them, modulo r^D *)
      assert (X : exists z, V = digits r v D + z * pw r D).
      { exists (Y L + carried (S K + D)%nat). unfold V. rewrite (recoded r v (fun i => u (S K + i)%nat) (fun i => carried (S K + i)%nat) D).
        - rewrite Nat.add_0_r. ring.
        - intros i _. unfold v. rewrite (Nat.add_succ_r (S K)). reflexivity. }
      destruct X as [z ->]. unfold L2. replace ((digits r v D + z * pw r D) * ni - digits r e D) with ((digits r v D * ni - digits r e D) + z * ni * pw r D) by ring.
      apply Z.divide_add_r; [exact Q | apply Z.divide_factor_r].
  Qed.

  Lemma next_rest : forall i, (i < D)%nat -> r * rest (S i) = rest i + e i * n.
  Proof. destruct radix as [R _]. rewrite R. destruct tail_hypotheses as (A1 & A2 & A3 & A4 & A5 & A6 & A7). intros i I. apply (left_next h n ni V D e); assumption. Qed.

  Lemma rest_range : forall i, (i < D)%nat -> - (L2 * P) <= r * rest (S i) <= L2 * P.
  Proof.
    destruct radix as [R Hh]. destruct tail_hypotheses as (A1 & A2 & A3 & A4 & A5 & A6 & A7). intros i I. assert (B : - (pw (2 * h) D * n) <= 2 * h * rest (S i) <= pw (2 * h) D * n) by (apply (left_range h n ni V D e); assumption).
    rewrite <- R in B. fold L2 in B. assert (0 <= L2) by (apply Z.lt_le_incl, pw_pos; lia). pose proof most. assert (L2 * n <= L2 * P) by (apply Z.mul_le_mono_nonneg_l; lia). lia.
  Qed.

  (* What is missing in the pair after digit i is 0 or 1; with it the lowest digit is 0 and leaves a carry, which is missing next. *)
  Definition missing (t i : nat) (x : Z) : Prop := 0 <= x <= 1 /\ pair_value state (s_q t) (c_q t) + x = r * rest (S i).

  Lemma zeros : forall t i x, missing t i x -> exists y, 0 <= y <= 1 /\ r * y = part (s_q t) 0 digit + part (c_q t) 0 digit + x.
  Proof.
    intros t i x [X E]. destruct radix as [R Hh]. destruct (loop unit_csa_loop.bits_of t) as (_ & _ & S1 & C1 & _). pose proof enough as E2. unfold Scale in E2.
    pose proof (divide_pow digit state _ ltac:(lia) (signed_divides state (s_q t + c_q t) ltac:(lia))) as [j J]. fold (pair_value state (s_q t) (c_q t)) in J. fold r in J.
    pose proof (low_and_high state digit (s_q t) ltac:(lia) S1) as A1. pose proof (low_and_high state digit (c_q t) ltac:(lia) C1) as A2. fold r in A1, A2.
    pose proof (part_range (s_q t) 0 digit ltac:(lia)) as B1. pose proof (part_range (c_q t) 0 digit ltac:(lia)) as B2. fold r in B1, B2.
    set (lo := part (s_q t) 0 digit) in *. set (lc := part (c_q t) 0 digit) in *. set (hs := part (s_q t) digit (state - digit)) in *. set (hc := part (c_q t) digit (state - digit)) in *.
    exists (rest (S i) - j - hs - hc). set (w := rest (S i)) in *. clearbody lo lc hs hc w.
    assert (G : r * (w - j - hs - hc) = lo + lc + x) by lia. split; [| exact G].
    set (y := w - j - hs - hc) in *. clearbody y. clear - G B1 B2 X Hh R. assert (- 1 < y < 2); [| lia].
    split; apply (Z.mul_lt_mono_pos_l r); lia.
  Qed.

  Lemma from_at : forall i, (i < D)%nat -> from (tail + i)%nat = S (x_first + i) /\ two modulus (modulus_q (from (tail + i)%nat)) = n.
  Proof.
    destruct numbers as (EN & EK & EL & ED & D12 & DN & K1 & NK & LL). intros i I. unfold from. assert (delay = 2 \/ delay = 3) as [E | E] by lia; rewrite E.
    - change (2 =? 2) with true. cbv iota. split; [unfold tail, x_first, D in *; lia |]. rewrite <- Nat.add_succ_r. apply tail_state. lia.
    - change (3 =? 2) with false. cbv iota. split; [unfold tail, x_first, D in *; lia |]. apply tail_state. lia.
  Qed.

  (* z is what the fold leaves of the pair of a cycle. *)
  Lemma added : forall i z p, (i < D)%nat -> cleared (S (tail + i)) = 0 -> (2 ^ state | place state (inputs (S (tail + i))) 0 + place state (inputs (S (tail + i))) 1 - z) ->
    (2 ^ state | place state (inputs (S (tail + i))) 2 + place state (inputs (S (tail + i))) 3 + single (singles (S (tail + i))) Vectors + single (singles (S (tail + i))) (Vectors + 1) - p) ->
    (2 ^ state | z + p + e i * n - (s_q (S (S (tail + i))) + c_q (S (S (tail + i))))).
  Proof.
    intros i z p I C D0 D2. destruct (from_at i I) as [F M]. destruct (exact_register i I) as [G E]. rewrite <- F in G, E.
    assert (SM : two modulus (modulus_q (S (tail + i))) = two modulus (modulus_q (tail + i)%nat)).
    { destruct (tail_state i ltac:(lia)) as (_ & _ & -> & _). rewrite <- Nat.add_succ_r. apply tail_state. lia. }
    pose proof (recurrence unit_csa_loop.next_sum (tail + i)%nat z p (e i * n) SM C G) as A. rewrite many_terms in A. apply A; [| exact D0 | exact D2]. rewrite <- M. f_equal. exact E.
  Qed.

  Lemma value_is : forall t i x, (i < D)%nat -> 0 <= x <= 1 -> (2 ^ state | r * rest (S i) - x - (s_q t + c_q t)) -> missing t i x.
  Proof.
    intros t i x I X G. split; [exact X |]. destruct bounds as (P1 & E & big & _). destruct radix as [R Hh]. pose proof (rest_range i I) as B. pose proof enough as E2. unfold Scale in E2.
    pose proof (half (state - 1) ltac:(lia)) as W4. replace (state - 1 - 1) with (state - 2) in W4 by lia.
    unfold pair_value. rewrite (signed_is state (s_q t + c_q t) (r * rest (S i) - x)); [lia | lia | | exact G]. rewrite W4, E. lia.
  Qed.

  Lemma not_cleared : forall i, (1 <= i <= D)%nat -> cleared (tail + i)%nat = 0.
  Proof.
    intros [| i] I; [lia |]. destruct (H_selects (tail + S i)%nat) as (_ & _ & _ & ->). destruct (tail_state (S i) ltac:(lia)) as (P0 & _ & _ & ->).
    rewrite Nat.add_succ_r in *. destruct (H_selects (tail + i)%nat) as (_ & -> & _). rewrite tail_not_idle, P0 by lia. reflexivity.
  Qed.

  Lemma emptied : s_q (S tail) = 0 /\ c_q (S tail) = 0.
  Proof.
    destruct tail_begins as (_ & _ & T3 & _). destruct (H_selects tail) as (_ & _ & _ & E). rewrite T3 in E. assert (0 <= clear tail < 2 ^ 1) by range tail. change (2 ^ 1) with 2 in *.
    assert (E1 : cleared tail = 1) by (assert (clear tail = 0 \/ clear tail = 1) as [X | X] by lia; rewrite X in E; exact E).
    destruct (H_accumulate tail) as (-> & -> & _). rewrite E1. split; reflexivity.
  Qed.

  (* The fold leaves z of a pair that has x in its lowest digit, which is 0 with it. *)
  Lemma folded : forall t v x y, pair_value state (s_q t) (c_q t) + x = v -> - 2 ^ (state - 2) <= pair_value state (s_q t) (c_q t) <= 2 ^ (state - 2) ->
    r * y = part (s_q t) 0 digit + part (c_q t) 0 digit + x ->
    exists z, (2 ^ state | place state (inputs t) 0 + place state (inputs t) 1 - z) /\ v = r * (y + z).
  Proof.
    intros t v' x y E B A. destruct (loop unit_csa_loop.bits_of t) as (_ & _ & S1 & C1 & _). pose proof enough as E2. unfold Scale in E2.
    destruct (H_pair t) as (F1 & F2 & F3). assert (F : 0 <= net "u_core.u_accumulator.fold" t < 4) by (change 4 with (2 ^ 2); range t).
    apply divide_mod in F1; [| reflexivity].
    destruct (folded_pair state digit (s_q t) (c_q t) _ 0 x 0 y _ _ ltac:(lia) ltac:(lia) S1 C1 F F1 B ltac:(fold r; lia) F2 F3) as (z & D0 & G).
    exists z. split; [exact D0 |]. fold r in G. lia.
  Qed.

  Lemma reduced : forall i, (i < D)%nat -> exists x, missing (S (S (tail + i))) i x.
  Proof.
    destruct bounds as (P1 & E & big & _). destruct radix as [R Hh]. pose proof enough as E2. unfold Scale in E2.
    induction i; intros I.
    - exists (carried (S K)). apply value_is; [exact I | unfold carried; apply (loop unit_csa_loop.bits_of) |]. rewrite next_rest by exact I.
      destruct tail_hypotheses as (A1 & A2 & A3 & A4 & A5 & A6 & A7). rewrite (left_first h n ni V D e) by assumption.
      pose proof loaded as D2. rewrite Nat.add_0_r. destruct emptied as [Z1 Z2].
      destruct (folded (S tail) 0 0 0) as (z & D0 & Ez); try (rewrite Z1, Z2, ?part_zero; lia);
        try (rewrite Z1, Z2; unfold pair_value, signed, two; rewrite Zmod_0_l; pose proof (Z.pow_pos_nonneg 2 (state - 1) ltac:(lia) ltac:(lia)); pose proof (Z.pow_pos_nonneg 2 (state - 2) ltac:(lia) ltac:(lia)); destruct (Z.ltb_spec 0 (2 ^ (state - 1))); lia).
      assert (z = 0) as -> by (clear - Ez Hh R; nia).
      pose proof (added O 0 (V - carried (S K)) I) as A. rewrite Nat.add_0_r in A. specialize (A ltac:(rewrite <- (Nat.add_1_r tail); apply not_cleared; lia) D0 D2).
      replace (V + e O * n - carried (S K)) with (0 + (V - carried (S K)) + e O * n) by ring. exact A.
    - destruct (IHi ltac:(lia)) as [x M]. destruct (zeros _ _ _ M) as (y & Y1 & Ey). destruct M as [X Ex]. exists y. apply value_is; [exact I | exact Y1 |].
      pose proof (rest_range i ltac:(lia)) as B.
      destruct (folded (S (S (tail + i))) (r * rest (S i)) x y Ex ltac:(rewrite E; lia) Ey) as (z & D0 & Ez).
      assert (z = rest (S i) - y) as -> by (apply Z.mul_reg_l in Ez; lia).
      destruct (no_digit (S i) ltac:(lia)) as [Ld Ed]. destruct (tail_state (S i) ltac:(lia)) as (_ & _ & _ & L0).
      pose proof (loop unit_csa_loop.product_sum (c + S L + S i)%nat L0 Ld) as D2. change (S (c + S L + S i)) with (tail + S i)%nat in D2. rewrite many_terms in D2. change (UnitAccumulator.number (Z.to_nat ((digit + 1) / 2)) (d_q (tail + S i)%nat)) with (number Terms (d_q (tail + S i)%nat)) in D2.
      rewrite Ed, Z.mul_0_l in D2. rewrite next_rest by exact I. rewrite <- Nat.add_succ_r in D0.
      pose proof (added (S i) (rest (S i) - y) 0 I ltac:(rewrite <- Nat.add_succ_r; apply not_cleared; lia) D0 D2) as A.
      replace (rest (S i) + e (S i) * n - y) with (rest (S i) - y + 0 + e (S i) * n) by ring. exact A.
  Qed.

  (* ---------------------------------------------------------------- the conversion *)
  Definition exact_value : Z := rest D.

  Theorem value : montgomery n (pw r K * pw r D) a b exact_value /\ - n < exact_value < n.
  Proof.
    destruct radix as [R _]. destruct quotient as [M _]. destruct tail_hypotheses as (A1 & A2 & A3 & A4 & A5 & A6 & A7). unfold exact_value. rewrite R in *.
    apply (exact_result h n ni V D e); assumption.
  Qed.

  (* What the conversion of the pair leaves, with the carry out of the digit that the shift drops. *)
  Theorem converted_value : forall x, let carry := if part (s_q ends) (digit - 1) 1 + part (c_q ends) (digit - 1) 1 =? 0 then 0 else 1 in
    part x 0 Pair = (part (s_q ends / r) 0 Pair + part (c_q ends / r) 0 Pair + carry) mod 2 ^ Pair -> part x 0 operand = exact_value mod 2 ^ operand.
  Proof.
    intros a' carry H. destruct radix as [R Hh]. pose proof enough as E2. unfold Scale in E2.
    destruct (reduced D1 ltac:(unfold D; lia)) as [x M]. replace (S (S (tail + D1))) with ends in M by (unfold ends, D; lia).
    destruct (zeros _ _ _ M) as (y & Y1 & Ey). destruct M as [X E]. fold D in E.
    assert (Ec : carry = y).
    { assert (top : forall z, part z (digit - 1) 1 = if part z 0 digit <? h then 0 else 1).
      { intros z. pose proof (part_part z 0 digit (digit - 1) 1 ltac:(lia) ltac:(lia) ltac:(lia) ltac:(lia)) as G. rewrite Z.add_0_l in G. rewrite <- G.
        apply top_bit_range; [lia | apply part_range; lia]. }
      unfold carry. rewrite !top. pose proof (part_range (s_q ends) 0 digit ltac:(lia)) as B1. pose proof (part_range (c_q ends) 0 digit ltac:(lia)) as B2. fold r in B1, B2.
      set (lo := part (s_q ends) 0 digit) in *. set (lc := part (c_q ends) 0 digit) in *. clearbody lo lc. clear - Ey Y1 X Hh R B1 B2.
      assert (y = 0 \/ y = 1) as [-> | ->] by lia; destruct (Z.ltb_spec lo h), (Z.ltb_spec lc h); cbn [Z.add Z.eqb]; lia. }
    assert (PO : operand = Pair) by lia. rewrite PO, H, Ec. clear H. unfold part. change (2 ^ 0) with 1. rewrite !Z.div_1_r.
    assert (EL : forall x z k, (x mod 2 ^ Pair + z mod 2 ^ Pair + k) mod 2 ^ Pair = (x + z + k) mod 2 ^ Pair).
    { intros x' z' k'. rewrite <- (Z.add_mod_idemp_l (x' + z')), (Z.add_mod x'), Z.add_mod_idemp_l by (apply Z.pow_nonzero; lia). reflexivity. }
    rewrite EL. clear EL.
    pose proof (signed_divides state (s_q ends + c_q ends) ltac:(lia)) as [j J]. fold (pair_value state (s_q ends) (c_q ends)) in J.
    assert (M2 : 2 ^ state = r * (2 ^ Pair * 2 ^ (state - digit - Pair))) by (unfold r; rewrite <- !Z.pow_add_r by lia; f_equal; lia).
    rewrite !low_part in Ey. pose proof (Z.div_mod (s_q ends) r ltac:(lia)) as B1. pose proof (Z.div_mod (c_q ends) r ltac:(lia)) as B2.
    set (hs := s_q ends / r) in *. set (hc := c_q ends / r) in *. unfold exact_value. set (w := rest D) in *.
    assert (G : w = hs + hc + y + j * 2 ^ (state - digit - Pair) * 2 ^ Pair).
    { apply (Z.mul_reg_l _ _ r); [lia |]. rewrite <- E. replace (r * (hs + hc + y + j * 2 ^ (state - digit - Pair) * 2 ^ Pair)) with
        (r * hs + r * hc + r * y + j * (r * (2 ^ Pair * 2 ^ (state - digit - Pair)))) by ring. rewrite <- M2, Ey. lia. }
    rewrite G, Z_mod_plus_full. reflexivity.
  Qed.
  End Request.
End Tail.
