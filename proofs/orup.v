(* SPDX-License-Identifier: Apache-2.0 *)
(* mf_orup from the nets of the RTL to the contract, for every width and group; one text for all digits and delays. The hypotheses
   are the lemmas that montforge prints into orup_lemmas.v, for the Booth terms and delay of a design, and proves on the RTL. Cycle 0 is `first`. *)
From Coq Require Import ZArith Lia String.
Require Import DigitRecurrence Instances WordSerial Contract Control Bits BoothRows UnitAccumulator UnitTerm Groups Raised UnsignedDigits orup_lemmas Arithmetic.
Open Scope string_scope. Open Scope Z_scope.
Set Default Proof Using "All".

Section Chain.
  Variables (width : nat) (many delay digit operand state group : Z) (net : trace) (n_of : nat -> Z).
  Let W := Z.of_nat width.
  Local Notation on lemma := (lemma W many delay digit operand state group net).
  Hypotheses (sizes : (3 <= W /\ 1 <= digit /\ 0 <= delay <= 2 /\ 1 <= group) /\
      (operand = W + digit * (delay + 1) + 1 /\ state = operand + digit + 3 /\ operand < many * digit <= operand + digit /\ delay <= many)) (H_ranges : on ranges)
    (H_ready : on ready) (H_selects : on selects) (H_at_reset : on selects_at_reset) (H_controls : on controls) (H_controls_at_reset : on controls_at_reset)
    (H_accept : on accept) (H_count : on count) (H_count_end : on count_end) (H_converts : on converts) (H_converted : on converted) (H_wait : on wait)
    (H_keep : on keep) (H_shift_a : on shift_a) (H_first_digit : on first_digit) (H_other_digits : on other_digits) (H_a_terms : on a_terms)
    (H_quotient_digit : on quotient_digit) (H_carries_on : on carries_on) (H_low_digits : on low_digits) (H_low_digits_stay : on low_digits_stay)
    (H_answer : on answer) (H_quotient_terms : on quotient_terms) (H_a_multiples : on a_multiples) (H_product_rows : on product_rows) (H_product : on product)
    (H_quotient_multiples : on quotient_multiples) (H_quotient_rows : on quotient_rows) (H_quotient_product : on quotient_product) (H_rows : on rows)
    (H_pair : on pair) (H_accumulate : on accumulate) (H_sums : on sums) (H_look_ahead : on look_ahead) (H_no_carries : on no_carries) (H_rests : on rests)
    (H_increments : on increments).

  Local Notation phase := (net "phase_q"). Local Notation cycle := (net "cycle_q"). Local Notation idle := (net "idle_q"). Local Notation clear := (net "clear_q").
  Local Notation shift := (net "shift_q"). Local Notation start := (net "start_q"). Local Notation started := (net "u_convert.started_q").
  Local Notation d_valid := (net "d_valid_q"). Local Notation q_valid := (net "q_valid_q"). Local Notation carries := (net "u_convert.carries").
  Local Notation a_q := (net "a_q"). Local Notation b_q := (net "b_q"). Local Notation n_q := (net "n_scaled_q"). Local Notation d_q := (net "d_q"). Local Notation late := (net "late_q").
  Local Notation s_q := (net "s_q"). Local Notation c_q := (net "c_q"). Local Notation carry_q := (net "carry_q"). Local Notation found := (net "u").
  Local Notation rows_i := (net "u_accumulator.u_tree.rows_i"). Local Notation outputs := (net "u_accumulator.u_tree.rows_o"). Local Notation singles := (net "u_accumulator.u_tree.bits_i").
  Local Notation product_inputs := (net "u_accumulator.u_p.rows"). Local Notation product_outputs := (net "u_accumulator.u_p.vectors").
  Local Notation quotient_inputs := (net "u_accumulator.gen_product.u_q.rows"). Local Notation quotient_outputs := (net "u_accumulator.gen_product.u_q.vectors").

  Let r := 2 ^ digit.
  Let h := 2 ^ (digit - 1).
  Let Terms := Z.to_nat ((digit + 2) / 2).
  Let D := Z.to_nat delay.
  Let N := Z.to_nat many.                                                                   (* digits of a and of the quotient *)
  Let T := (D + S N)%nat.                                                                   (* the last cycle of the loop *)
  Local Notation Stages := (Z.max 2 (delay + 1)).
  Let Vectors := if Stages =? 2 then Terms else if digit =? 1 then 1%nat else 2%nat.        (* of the quotient in the tree *)
  Let inputs (t : nat) : Z := if digit =? 1 then with_gap state (rows_i t) else rows_i t.   (* with zeros in the place of a second row *)
  Let from (t : nat) : nat := if Stages =? 2 then S t else t.                               (* the cycle of the digit that they have *)
  Local Notation number := (number Terms). Local Notation legal := (legal Terms). Local Notation place := (place state).

  Lemma radix : r = 2 * h /\ 1 <= h.
  Proof. unfold r, h. split; [apply half; lia |]. assert (0 < 2 ^ (digit - 1)) by (apply Z.pow_pos_nonneg; lia). lia. Qed.

  Lemma numbers : many = Z.of_nat N /\ delay = Z.of_nat D /\ (D <= 2)%nat /\ (1 <= N)%nat /\ (D <= N)%nat.
  Proof. unfold N, D. nia. Qed.

  Lemma terms_number : (digit + 2) / 2 = Z.of_nat Terms /\ (1 <= Terms)%nat /\ digit + 1 <= 2 * Z.of_nat Terms <= digit + 2.
  Proof.
    pose proof (Z.div_mod (digit + 2) 2 ltac:(lia)). pose proof (Z.mod_pos_bound (digit + 2) 2 ltac:(lia)). unfold Terms. set (k := (digit + 2) / 2) in *.
    rewrite Z2Nat.id by lia. repeat split; lia.
  Qed.

  Lemma bits_of : forall t, (0 <= found t < r /\ 0 <= net "digit" t < r /\ 0 <= s_q t < 2 ^ state /\ 0 <= c_q t < 2 ^ state) /\
    (0 <= carry_q t <= 1 /\ 0 <= net "carry" t <= 1 /\ 0 <= net "u_accumulator.fold" t < 4) /\
    (0 <= b_q t < 2 ^ operand /\ 0 <= n_q t < 2 ^ W /\ 0 <= a_q t < 2 ^ (many * digit) /\ 0 <= net "a_i" t < 2 ^ operand).
  Proof.
    assert (one : forall x, x < 2 ^ 1 -> x <= 1) by (intros x; change (2 ^ 1) with 2; lia).
    intros t. unfold r. change 4 with (2 ^ 2). repeat split; first [in_range H_ranges t | apply one; in_range H_ranges t].
  Qed.

  (* ---------------------------------------------------------------- the accumulator *)
  Ltac by_delay two three := by_delay_of H_quotient_product two three.
  Ltac by_tree R := by_tree_of state R.
  (* The first tactic proves a design with one term, the second one that with more. *)
  Ltac by_terms one more := fixed_terms_of H_product_rows terms_number Terms; destruct terms_number as (ET & _ & TD);
    lazymatch goal with
    | TN : Terms = 1%nat |- _ => assert (D1 : digit = 1) by (rewrite TN in TD; clear - TD sizes; lia); assert (ND : (digit =? 1) = true) by (rewrite D1; reflexivity);
        assert (EV : Vectors = 1%nat) by (unfold Vectors; rewrite ND, TN; case (Stages =? 2); reflexivity); one
    | TN : Terms = _ |- _ => assert (T2 : (2 <= Terms)%nat) by (rewrite TN; clear; lia); assert (ND : (digit =? 1) = false) by (apply Z.eqb_neq; clear - T2 TD; lia);
        by_delay ltac:(assert (EV : Vectors = Terms) by (unfold Vectors; match goal with X : _ = 2 |- _ => rewrite X end; reflexivity))
          ltac:(assert (EV : Vectors = 2%nat) by (unfold Vectors; match goal with X : _ = 3 |- _ => rewrite X end; rewrite ND; reflexivity)); more
    end.

  Lemma pair_reduced : forall t,
    (2 ^ state | place (outputs t) 0 + place (outputs t) 1 - (total (place (inputs t)) (4 + Vectors) + total (single (singles t)) (Vectors + 2))).
  Proof.
    intros t. pose proof (H_rows t) as R. by_terms
      ltac:(
        assert (G : (2 ^ state | place (outputs t) 0 + place (outputs t) 1 - (total (place (rows_i t)) 4 + total (single (singles t)) 2))) by (by_tree R);
        assert (none : single (singles t) 2 = 0) by (apply (no_bit 2); [discriminate | apply (H_ranges t) | discriminate]);
        destruct (gap_is state (rows_i t) ltac:(lia)) as [G3 G4]; rewrite EV; unfold inputs; rewrite ND; cbn [total Nat.add] in G |- *;
        rewrite !gap_low, G3, G4, none by lia; clear - G; by_sum)
      ltac:(rewrite EV; unfold inputs; rewrite ND, ?TN; by_tree R).
  Qed.

  Lemma folds : forall t, (part (s_q t) (state - 2) 2 + part (c_q t) (state - 2) 2 - net "u_accumulator.fold" t) mod 4 = 0 /\
    place (inputs t) 0 = part (s_q t) digit (state - 2 - digit) + net "u_accumulator.fold" t mod 2 * 2 ^ (state - 2 - digit) +
      (1 - net "u_accumulator.fold" t / 2) * 2 ^ (state - 2 - digit + 1) /\
    place (inputs t) 1 = part (c_q t) digit (state - 2 - digit) + (2 ^ state - 2 ^ (state - 2 - digit + 1)).
  Proof.
    intros t. assert (E : forall i, (i < 2)%nat -> place (inputs t) i = place (rows_i t) i) by (intros i I; unfold inputs; destruct (digit =? 1); [apply gap_low; lia | reflexivity]).
    rewrite !E by lia. exact (H_pair t).
  Qed.

  Lemma product_sum : forall t, legal (d_q t) -> product_joins state Vectors inputs singles (S t) (number (d_q t) * b_q t).
  Proof.
    intros t G. destruct (bits_of t) as (_ & _ & B & _). assert (O1 : operand + 1 - 1 = operand) by ring.
    pose proof (H_product t) as P. pose proof (H_product_rows t) as V. by_terms
      ltac:(
        rewrite TN in G; destruct P as [P1 P2]; destruct V as [_ V];
        pose proof (H_a_multiples t 0 ltac:(rewrite ET, TN; split; reflexivity)) as M; change (part (product_inputs t) (0 * state) state = extended_row state (operand + 1) (b_q t) (d_q t) 0) in M;
        assert (none : single (singles (S t)) 2 = 0) by (apply (no_bit 2); [discriminate | apply (H_ranges (S t)) | discriminate]);
        destruct (gap_is state (rows_i (S t)) ltac:(lia)) as [G3 _]; unfold product_joins; rewrite EV, TN; unfold inputs; rewrite ND, gap_low, G3 by lia; cbn [Nat.add];
        rewrite none, !Z.add_0_r; apply (extended_joins state (operand + 1)); [clear - sizes; lia | clear - sizes; lia | rewrite O1; clear - B; lia | exact G | | exact P2];
        rewrite <- M, <- V; exact P1)
      ltac:(
        unfold product_joins, inputs; rewrite ND; apply (product_taken state (operand + 1) _ _ Terms) with (rows := product_inputs t) (vectors := product_outputs t);
        [clear - sizes T2 TD; lia | rewrite O1; clear - B; lia | exact G | rewrite <- ET; exact (H_a_multiples t) | destruct V as (_ & V); rewrite TN; by_tree V | rewrite EV, ?TN; exact P]).
  Qed.

  Lemma quotient_sum : forall t, legal (late (from t)) -> quotient_joins state Vectors inputs singles (S t) (number (late (from t)) * n_q (from t)).
  Proof.
    intros t G. assert (W1 : W + 1 - 1 = W) by ring.
    assert (B : forall i, - 2 ^ (W + 1 - 1) <= n_q i < 2 ^ (W + 1 - 1)) by (intros i; rewrite W1; destruct (bits_of i) as (_ & _ & _ & B & _); lia).
    unfold quotient_joins. by_terms
      ltac:(
        rewrite TN in G |- *; destruct (gap_is state (rows_i (S t)) ltac:(lia)) as [_ G4]; rewrite EV; unfold inputs; rewrite ND; cbn [total Nat.add]; rewrite G4, !Z.add_0_l;
        apply (extended_joins state (W + 1)); [clear - sizes; lia | clear - sizes; lia | apply B | exact G | |];
        by_delay
          ltac:(
            assert (EF : from t = S t) by (unfold from; match goal with X : _ = 2 |- _ => rewrite X end; reflexivity); rewrite EF in *;
            exact (proj1 (H_quotient_multiples (S t) 0 ltac:(rewrite ET, TN; split; reflexivity))) || exact (proj2 (H_quotient_multiples (S t) 0 ltac:(rewrite ET, TN; split; reflexivity))))
          ltac:(
            assert (EF : from t = t) by (unfold from; match goal with X : _ = 3 |- _ => rewrite X end; reflexivity); rewrite EF in *;
            pose proof (H_quotient_multiples t 0 ltac:(rewrite ET, TN; split; reflexivity)) as M; destruct (H_quotient_rows t) as (_ & V); destruct (H_quotient_product t) as (_ & P1 & P2);
            exact P2 || exact (eq_trans P1 (eq_trans V M))))
      ltac:(
        rewrite EV; unfold inputs; rewrite ND; by_delay
          ltac:(
            assert (EF : from t = S t) by (unfold from; match goal with X : _ = 2 |- _ => rewrite X end; reflexivity); rewrite EF in *;
            apply (rows_taken state (W + 1)); [clear - sizes T2 TD; lia | apply B | exact G |]; rewrite <- ET; exact (H_quotient_multiples (S t)))
          ltac:(
            assert (EF : from t = t) by (unfold from; match goal with X : _ = 3 |- _ => rewrite X end; reflexivity); rewrite EF in *;
            assert (R : (2 ^ state | place (quotient_outputs t) 0 + place (quotient_outputs t) 1 - (total (place (quotient_inputs t)) Terms + total (negative (late t)) (Terms - 2))))
              by (rewrite TN; destruct (H_quotient_rows t) as (_ & Q); by_tree Q);
            pose proof (product_taken state (W + 1) (n_q t) (late t) Terms ltac:(clear - sizes T2 TD; lia) (B t) G (quotient_inputs t) (quotient_outputs t) (rows_i (S t)) (singles (S t)) 4 0
              ltac:(rewrite <- ET; exact (H_quotient_multiples t)) R ltac:(destruct (H_quotient_product t) as (_ & P); rewrite TN; exact P)) as A;
            cbn [total Nat.add] in A |- *; clear - A; by_sum)).
  Qed.

  Lemma accumulates : forall t, clear t = 0 -> s_q (S t) = place (outputs t) 0 /\ c_q (S t) = place (outputs t) 1.
  Proof.
    intros t C. destruct (H_accumulate t) as (E1 & E2 & _). rewrite C in E1, E2. change (0 =? 1) with false in E1, E2. cbv iota in E1, E2. split; [exact E1 | exact E2].
  Qed.

  (* ---------------------------------------------------------------- digits *)
  (* The terms of a register as a digit, or none. *)
  Lemma digit_terms : forall x valid y, 0 <= y < r ->
    (forall j, 0 <= j < (digit + 2) / 2 ->
      (part x (3 * j + 2) 1 + 2 * part x (3 * j + 1) 1) * (1 - 2 * part x (3 * j + 0) 1) = (if valid =? 1 then booth_term ((2 * y / 2 ^ (2 * j)) mod 8) else 0) /\
      part x (3 * j + 2) 1 + part x (3 * j + 1) 1 <= 1) ->
    legal x /\ number x = (if valid =? 1 then y else 0).
  Proof.
    intros x valid y Y H. destruct terms_number as (ET & T2 & TD). rewrite ET in H. assert (E : two (digit + 1) y = y).
    { unfold two. replace (digit + 1 - 1) with digit by ring. fold r. destruct (Z.ltb_spec y r); lia. }
    pose proof (half (digit + 1) ltac:(lia)) as P. replace (digit + 1 - 1) with digit in P by ring. fold r in P.
    destruct (terms_of (digit + 1) Terms x valid y 0) as (G & V); [lia | lia | lia | rewrite E; intros j J; replace (2 * y + 0) with (2 * y) by ring; exact (H j J) |]. rewrite E, Z.add_0_r in V. split; assumption.
  Qed.

  Lemma idle_is : forall t, idle t = if phase t =? 0 then 1 else 0.
  Proof. intros [| t]; [destruct (H_at_reset O eq_refl) as (-> & -> & _); reflexivity | apply H_selects]. Qed.

  Lemma shift_is : forall t, shift t = if phase t =? 1 then 1 else 0.
  Proof. intros [| t]; [destruct (H_at_reset O eq_refl) as (-> & _ & ->); reflexivity | apply H_selects]. Qed.

  Lemma no_start : forall t, phase t <> 2 -> start t = 0.
  Proof.
    intros [| t] P; [apply (H_controls_at_reset O eq_refl) |]. destruct (H_controls t) as (_ & _ & _ & -> & _).
    destruct (phase t =? 1); [| reflexivity]. destruct (Z.eqb_spec (phase (S t)) 2); [contradiction | reflexivity].
  Qed.

  Section Request.
  (* A request is accepted in cycle c. *)
  Variables (c : nat).
  Let n := n_of c. Let a := net "a_i" c. Let b := net "b_i" c. Let nbar := net "n_scaled_i" c. Let L := 2 ^ (digit * (delay + 1)).
  Hypotheses (begins : phase c = 0) (request : net "req_valid_i" c = 1) (odd : n mod 2 = 1) (least : 3 <= n) (most : n < 2 ^ W)
    (constant : raised (digit * (delay + 1)) n (2 ^ (digit * (delay + 1)) * nbar)) (a_range : 0 <= a < 2 * L * n) (b_range : 0 <= b < 2 * L * n).
  Let first := S c.
  Let d (t : nat) : Z := if Nat.ltb t N then net "digit" (c + t)%nat else 0.
  Let u (t : nat) : Z := found (first + S t)%nat.
  Let Y (t : nat) : Z := pair_value state (s_q (first + S t)%nat) (c_q (first + S t)%nat) + carry_q (first + S t)%nat.

  Lemma accepted : phase first = 1 /\ cycle first = 0 /\ a_q first = a / r /\ b_q first = b /\ n_q first = nbar.
  Proof. apply (H_accept c begins request); [rewrite idle_is, begins | rewrite shift_is, begins | apply no_start; rewrite begins]; reflexivity || discriminate. Qed.

  Lemma loop_state : forall t, (t <= T)%nat -> phase (first + t)%nat = 1 /\ cycle (first + t)%nat = Z.of_nat t /\ b_q (first + t)%nat = b /\ n_q (first + t)%nat = nbar.
  Proof.
    destruct numbers as (EN & ED & _). induction t; intros LT; [rewrite Nat.add_0_r; destruct accepted as (A1 & A2 & _ & A3 & A4); auto |].
    destruct (IHt ltac:(lia)) as (I1 & I2 & I3 & I4). rewrite Nat.add_succ_r. destruct (H_count _ I1 ltac:(unfold T in *; lia)) as [C1 C2].
    destruct (H_keep (first + t)%nat ltac:(rewrite idle_is, I1; reflexivity)) as [K1 K2]. rewrite C1, C2, K1, K2, I3, I4. repeat split; lia.
  Qed.

  Lemma clears : clear first = 1 /\ forall t, (t < T)%nat -> clear (first + S t)%nat = 0.
  Proof.
    split.
    - destruct (H_controls c) as (E & _). fold first in E. destruct accepted as (P0 & _). rewrite begins, P0 in E. exact E.
    - intros t LT. rewrite Nat.add_succ_r. destruct (H_controls (first + t)%nat) as (-> & _). destruct (loop_state t ltac:(lia)) as (-> & _). reflexivity.
  Qed.

  Lemma empty : s_q (S first) = 0 /\ c_q (S first) = 0 /\ carry_q (S first) = 0.
  Proof.
    destruct clears as (C & _). destruct (H_accumulate first) as (A1 & A2 & _). pose proof (H_carries_on first) as A3. rewrite C in A1, A2, A3. auto.
  Qed.

  Lemma q_valid_at : q_valid c = 0 /\ q_valid first = 0 /\ forall t, (t < T)%nat -> q_valid (first + S t)%nat = 1.
  Proof.
    split; [| split].
    - destruct c as [| t]; [apply (H_controls_at_reset O eq_refl) |]. destruct (H_controls t) as (_ & _ & -> & _). rewrite begins. destruct (phase t =? 1); reflexivity.
    - destruct (H_controls c) as (_ & _ & E & _). unfold first. rewrite E, begins. reflexivity.
    - intros t LT. destruct (loop_state t ltac:(lia)) as (P0 & _). destruct (loop_state (S t) ltac:(lia)) as (P1 & _). rewrite Nat.add_succ_r in *.
      destruct (H_controls (first + t)%nat) as (_ & _ & -> & _). rewrite P0, P1. reflexivity.
  Qed.

  Lemma d_valid_at : d_valid c = 1 /\ forall t, (t <= T)%nat -> d_valid (first + t)%nat = if Nat.ltb (S t) N then 1 else 0.
  Proof.
    destruct numbers as (EN & _). split.
    - destruct c as [| t]; [apply (H_controls_at_reset O eq_refl) |]. destruct (H_controls t) as (_ & -> & _). rewrite begins. reflexivity.
    - intros t LT. destruct (loop_state t LT) as (P0 & Q & _). change (first + t)%nat with (S (c + t)) in *. destruct (H_controls (c + t)%nat) as (_ & -> & _). rewrite P0, Q.
      change (1 =? 0) with false. change (1 =? 1) with true. cbv iota. destruct (Nat.ltb_spec (S t) N), (Z.ltb_spec (Z.of_nat t) (many - 1)); lia.
  Qed.

  Lemma digit_register : forall t, (t <= S T)%nat -> legal (d_q (first + t)%nat) /\ number (d_q (first + t)%nat) = d t.
  Proof.
    intros t LT. destruct d_valid_at as [V0 V]. destruct (bits_of (c + t)%nat) as ((_ & U & _) & _).
    destruct (digit_terms _ _ _ U (fun j J => H_a_terms (c + t)%nat j J)) as [E1 E2]. change (S (c + t)) with (first + t)%nat in *.
    split; [exact E1 |]. rewrite E2. unfold d. destruct t as [| i].
    - rewrite Nat.add_0_r in *. rewrite V0. destruct numbers as (_ & _ & _ & N1 & _). destruct (Nat.ltb_spec 0 N); [reflexivity | lia].
    - replace (c + S i)%nat with (first + i)%nat by (unfold first; lia). rewrite (V i ltac:(lia)). destruct (Nat.ltb (S i) N); reflexivity.
  Qed.

  Lemma full : 2 ^ (many * digit) = pw r N /\ 0 <= a < pw r N.
  Proof.
    destruct numbers as (EN & _). assert (E : 2 ^ (many * digit) = pw r N) by (unfold r; rewrite EN, pw_words by lia; reflexivity). split; [exact E |].
    destruct (bits_of c) as (_ & _ & _ & _ & _ & A). fold a in A. rewrite <- E. pose proof (Z.pow_le_mono_r 2 operand (many * digit) ltac:(lia) ltac:(lia)). lia.
  Qed.

  Lemma moves : forall i, phase i = 1 -> a_q (S i) = a_q i / r + pw r (N - 1) * found i.
  Proof.
    intros i P0. destruct numbers as (EN & _ & _ & N1 & _). rewrite H_shift_a by (rewrite ?idle_is, ?shift_is, ?P0; try reflexivity; apply no_start; rewrite P0; discriminate).
    fold r. do 2 f_equal. unfold r. rewrite pw_words by lia. f_equal. rewrite EN, Nat2Z.inj_sub by lia. ring.
  Qed.

  Lemma digit_at : forall t, (t < N)%nat -> net "digit" (c + t)%nat = (a / pw r t) mod r.
  Proof.
    destruct radix as [R Hh]. assert (R1 : 1 < r) by lia. intros [| t] LT.
    - cbn [pw]. rewrite Nat.add_0_r, Z.div_1_r. apply H_first_digit. rewrite idle_is, begins. reflexivity.
    - pose proof (lowest_word r N (fun i => a_q (first + i)%nat) (fun i => found (first + i)%nat) R1) as E. cbv beta in E. rewrite Nat.add_0_r in E.
      destruct accepted as (_ & _ & A0 & _). rewrite A0 in E. destruct (loop_state t ltac:(unfold T; lia)) as (P0 & _).
      replace (c + S t)%nat with (first + t)%nat by (unfold first; lia). rewrite H_other_digits by (rewrite idle_is, P0; reflexivity). fold r. rewrite E; [| | lia].
      + cbn [pw]. pose proof (pw_pos r t ltac:(lia)). rewrite Z.div_div by lia. reflexivity.
      + intros i I. rewrite Nat.add_succ_r. apply moves, loop_state. unfold T. lia.
  Qed.

  Lemma digits_of_a : a = digits r d T.
  Proof.
    destruct radix as [R Hh]. destruct full as [_ F]. unfold T. replace (D + S N)%nat with (N + S D)%nat by lia. rewrite digits_split, (digits_zero r (fun i => d (N + i)%nat)).
    - rewrite (digits_ext r d (fun t => (a / pw r t) mod r)).
      + rewrite word_digits, Z.mod_small by lia. ring.
      + intros t LT. unfold d. destruct (Nat.ltb_spec t N); [apply digit_at; exact LT | lia].
    - intros i _. unfold d. destruct (Nat.ltb_spec (N + i) N); [lia | reflexivity].
  Qed.

  Lemma d_range : forall t, 0 <= d t < r.
  Proof. intros t. unfold d. destruct radix. destruct (Nat.ltb t N); [apply bits_of | lia]. Qed.

  Lemma quotient_at : forall t, (t < T)%nat -> legal (late (from (first + t)%nat)) /\ number (late (from (first + t)%nat)) = delayed D u t /\ n_q (from (first + t)%nat) = nbar.
  Proof.
    intros t LT. destruct numbers as (_ & ED & D2 & _). destruct q_valid_at as (V & V0 & V1).
    assert (X : if delay =? 0 then forall i, legal (late i) /\ number (late i) = (if q_valid i =? 1 then found i else 0)
                else forall i, legal (late (S i)) /\ number (late (S i)) = (if q_valid i =? 1 then found i else 0)).
    { pose proof (H_quotient_terms O 0 ltac:(destruct terms_number; lia)) as G.
      destruct (Z.eqb_spec delay 0); intros i; (apply digit_terms; [apply bits_of |]; intros j J; first [exact (proj2 (H_quotient_terms i j J)) | exfalso; destruct G; lia]). }
    assert (M : n_q (from (first + t)%nat) = nbar) by (unfold from; case (Stages =? 2); rewrite <- ?Nat.add_succ_r; apply loop_state; lia).
    enough (G : legal (late (from (first + t)%nat)) /\ number (late (from (first + t)%nat)) = delayed D u t) by (destruct G; auto).
    assert (C : D = 0%nat /\ delay = 0 \/ D = 1%nat /\ delay = 1 \/ D = 2%nat /\ delay = 2) by lia. unfold from, delayed.
    destruct C as [[E1 E2] | [[E1 E2] | [E1 E2]]]; rewrite E1; rewrite E2 in X |- *; cbn [Z.eqb Z.max Z.add Z.compare Pos.compare Pos.compare_cont Pos.eqb Pos.add] in X |- *.
    - rewrite <- Nat.add_succ_r. destruct (X (first + S t)%nat) as [G E]. split; [exact G |]. rewrite E, (V1 t LT), Nat.sub_0_r. reflexivity.
    - destruct (X (first + t)%nat) as [G E]. split; [exact G |]. rewrite E. destruct t as [| i]; [rewrite Nat.add_0_r, V0; reflexivity |].
      rewrite (V1 i ltac:(lia)). change (Nat.ltb (S i) 1) with false. cbv iota. rewrite Nat.sub_succ, Nat.sub_0_r. reflexivity.
    - destruct (X (c + t)%nat) as [G E]. change (S (c + t)) with (first + t)%nat in G, E. split; [exact G |]. rewrite E. destruct t as [| [| i]].
      + rewrite Nat.add_0_r, V. reflexivity.
      + replace (c + 1)%nat with first by (unfold first; lia). rewrite V0. reflexivity.
      + replace (c + S (S i))%nat with (first + S i)%nat by (unfold first; lia). rewrite (V1 i ltac:(lia)). change (Nat.ltb (S (S i)) 2) with false. cbv iota.
        do 2 rewrite Nat.sub_succ. rewrite Nat.sub_0_r. reflexivity.
  Qed.

  (* ---------------------------------------------------------------- the recurrence *)
  Lemma scale_is : L = pw r (S D) /\ 0 < L.
  Proof. destruct numbers as (_ & ED & _). unfold L, r. rewrite pw_words by lia. split; [f_equal; lia | apply Z.pow_pos_nonneg; lia]. Qed.

  Let H := 2 ^ (state - 2).

  Lemma room : H = 2 * (r * 2 ^ operand) /\ 2 ^ operand = 2 * (L * 2 ^ W) /\ r <= L /\ 8 <= 2 ^ W /\ 0 <= nbar < 2 ^ W /\ 0 <= b < 2 ^ operand /\ 2 ^ W <= 2 ^ operand.
  Proof.
    destruct numbers as (_ & ED & _). unfold H, r, L. split; [| split; [| split; [| split; [| split; [| split]]]]].
    - rewrite <- Z.pow_add_r, <- Z.pow_succ_r by lia. f_equal. lia.
    - rewrite <- Z.pow_add_r, <- Z.pow_succ_r by lia. f_equal. lia.
    - apply Z.pow_le_mono_r; [lia |]. rewrite <- (Z.mul_1_r digit) at 1. apply Z.mul_le_mono_nonneg_l; lia.
    - change 8 with (2 ^ 3). apply Z.pow_le_mono_r; lia.
    - destruct accepted as (_ & _ & _ & _ & <-). apply bits_of.
    - destruct accepted as (_ & _ & _ & <- & _). apply bits_of.
    - apply Z.pow_le_mono_r; lia.
  Qed.

  Lemma step : forall t, (t < T)%nat -> 0 <= Y t <= H - 1 -> r * Y (S t) = Y t - u t + r * (d t * b) + r * (delayed D u t * nbar).
  Proof.
    intros t LT B. destruct radix as [R Hh]. destruct room as (EH & EO & RL & W8 & nR & bR & WO). destruct clears as (_ & C). specialize (C t LT).
    destruct (bits_of (first + S t)%nat) as ((U & _) & (K1 & K2 & _) & _). destruct (digit_register t ltac:(lia)) as (Ld & Ed).
    pose proof (product_sum (first + t)%nat Ld) as D2. destruct (loop_state t ltac:(lia)) as (_ & _ & Eb & _). rewrite Ed, Eb in D2.
    destruct (quotient_at t LT) as (Lq & Eq & Em). pose proof (quotient_sum (first + t)%nat Lq) as D3. rewrite Eq, Em in D3. rewrite <- Nat.add_succ_r in D2, D3.
    assert (dB : 0 <= d t * b <= (r - 1) * (2 ^ operand - 1)) by (pose proof (d_range t); split; [apply Z.mul_nonneg_nonneg | apply Z.mul_le_mono_nonneg]; lia).
    assert (qB : 0 <= delayed D u t * nbar <= (r - 1) * (2 ^ W - 1)).
    { assert (0 <= delayed D u t < r) by (unfold delayed; destruct (Nat.ltb t D); [lia | apply bits_of]). split; [apply Z.mul_nonneg_nonneg | apply Z.mul_le_mono_nonneg]; lia. }
    assert (Small : (r - 1) * (2 ^ W - 1) <= (r - 1) * (2 ^ operand - 1)) by (apply Z.mul_le_mono_nonneg_l; lia).
    pose proof (advance state digit Vectors inputs singles outputs s_q c_q clear (net "u_accumulator.fold") ltac:(lia) pair_reduced accumulates) as A.
    specialize (A ltac:(intros i; destruct (bits_of i) as ((_ & _ & S1 & C1) & (_ & _ & F) & _); auto) folds).
    specialize (A h (first + S t)%nat (H - 2) (u t) (net "carry" (first + S t)%nat) (carry_q (first + S t)%nat) 0 (d t * b) (delayed D u t * nbar) Hh R C D2 D3). cbv zeta in A.
    fold H in A. pose proof (H_carries_on (first + S t)%nat) as Kc. rewrite C in Kc. change (0 =? 1) with false in Kc. cbv iota in Kc.
    assert (RO : r * 2 ^ operand = (r - 1) * (2 ^ operand - 1) + r + 2 ^ operand - 1) by ring. unfold Y in B.
    unfold Y. rewrite (Nat.add_succ_r first (S t)), Kc. fold r in A. rewrite A; clear A; [ring | clear - dB EH RO R Hh bR; lia | clear; lia | clear - B K1 EH; lia | exact K1 | clear; lia | exact U | exact K2 | | clear - dB EH RO R Hh bR; lia | clear - qB Small EH RO R Hh bR; lia].
    rewrite Z.add_0_r. exact (H_quotient_digit (first + S t)%nat).
  Qed.

  Lemma within : forall t, (t <= T)%nat -> 0 <= Y t <= r * (2 ^ operand - 1 + (2 ^ W - 1)).
  Proof.
    destruct radix as [R Hh]. destruct room as (EH & EO & RL & W8 & nR & bR & WO).
    assert (RW : r * 2 ^ W <= r * 2 ^ operand) by (apply Z.mul_le_mono_nonneg_l; lia). assert (top : r * (2 ^ operand - 1 + (2 ^ W - 1)) <= H - 1) by lia.
    induction t; intros LT.
    - unfold Y. rewrite Nat.add_1_r. destruct empty as (-> & -> & ->). unfold pair_value, signed, two. rewrite Zmod_0_l.
      pose proof (Z.pow_pos_nonneg 2 (state - 1) ltac:(lia) ltac:(lia)). destruct (Z.ltb_spec 0 (2 ^ (state - 1))); [| lia]. assert (0 <= r * (2 ^ operand - 1 + (2 ^ W - 1))) by (apply Z.mul_nonneg_nonneg; lia). lia.
    - specialize (IHt ltac:(lia)). pose proof (step t ltac:(lia) ltac:(lia)) as E. pose proof (d_range t) as dR. assert (0 <= u t < r) by apply bits_of.
      assert (qR : 0 <= delayed D u t < r) by (unfold delayed; destruct (Nat.ltb t D); [lia | apply bits_of]).
      assert (0 <= d t * b <= (r - 1) * (2 ^ operand - 1)) by (split; [apply Z.mul_nonneg_nonneg | apply Z.mul_le_mono_nonneg]; lia).
      assert (0 <= delayed D u t * nbar <= (r - 1) * (2 ^ W - 1)) by (split; [apply Z.mul_nonneg_nonneg | apply Z.mul_le_mono_nonneg]; lia).
      set (x := d t * b) in *. set (y := delayed D u t * nbar) in *. set (z := 2 ^ operand - 1 + (2 ^ W - 1)) in *.
      assert (x + y <= (r - 1) * z) by (unfold z; lia). assert (r * (Y (S t) - x - y) <= r * z) by lia. assert (Y (S t) - x - y <= z) by (apply (Z.mul_le_mono_pos_l _ _ r); lia).
      assert (- r < r * (Y (S t) - x - y)) by lia. assert (- 1 < Y (S t) - x - y) by (apply (Z.mul_lt_mono_pos_l r); lia). lia.
  Qed.

  Let value := pw r D * Y T + digits r (fun i => u (S N + i)%nat) D.

  Lemma result : montgomery n (pw r N) a b value /\ 0 <= value < 2 * L * n.
  Proof.
    destruct radix as [R Hh]. destruct room as (EH & EO & RL & W8 & nR & bR & WO). destruct scale_is as [EL LP]. destruct constant as (ni & I & E & _). fold L in I, E.
    pose proof a_range as aR. pose proof b_range as bR'. rewrite EL in LP, I, E, aR, bR', EO |- *. apply (unsigned_digits r n ni nbar a b N D Y d u); by_arithmetic.
    - destruct full as [<- _]. apply Z.le_trans with (2 * 2 ^ operand); [assert (pw r (S D) * n <= pw r (S D) * 2 ^ W) by (apply Z.mul_le_mono_nonneg_l; lia); lia |]. rewrite <- Z.pow_succ_r by lia. apply Z.pow_le_mono_r; lia.
    - unfold Y. rewrite Nat.add_1_r. destruct empty as (-> & -> & ->). unfold pair_value, signed, two. rewrite Zmod_0_l.
      pose proof (Z.pow_pos_nonneg 2 (state - 1) ltac:(lia) ltac:(lia)). destruct (Z.ltb_spec 0 (2 ^ (state - 1))); lia.
    - exact digits_of_a.
    - intros t. apply bits_of.
    - intros t LT. apply (step t LT). pose proof (within t ltac:(lia)). assert (r * 2 ^ W <= r * 2 ^ operand) by (apply Z.mul_le_mono_nonneg_l; lia). lia.
  Qed.

  (* ---------------------------------------------------------------- the conversion *)
  Let ends := (first + S T)%nat.                                                            (* its first cycle *)
  Let final := S (S (S ends)).
  Let Pair := many * digit - delay * digit.

  Lemma converting : (phase ends = 2 /\ phase (S ends) = 2 /\ phase (S (S ends)) = 2 /\ phase final = 3) /\
    (start ends = 1 /\ start (S ends) = 0 /\ start (S (S ends)) = 0) /\ (started ends = 0 /\ started (S ends) = 1 /\ started (S (S ends)) = 0).
  Proof.
    destruct numbers as (EN & ED & _). destruct (loop_state T (le_n T)) as (P0 & C0 & _). destruct (H_count_end _ P0 ltac:(unfold T in *; lia)) as [P1 C1]. rewrite <- Nat.add_succ_r in P1, C1. fold ends in P1, C1.
    destruct (H_converts ends P1 ltac:(lia)) as [P2 C2]. destruct (H_converts (S ends) P2 ltac:(lia)) as [P3 C3]. pose proof (H_converted (S (S ends)) P3 ltac:(lia)) as P4.
    destruct (H_controls (first + T)%nat) as (_ & _ & _ & S1 & S2). rewrite <- Nat.add_succ_r in S1, S2. fold ends in S1, S2. rewrite P0, P1 in S1. rewrite no_start in S2 by (rewrite P0; discriminate).
    destruct (H_controls ends) as (_ & _ & _ & S3 & S4). rewrite P1 in S3. rewrite S1 in S4. destruct (H_controls (S ends)) as (_ & _ & _ & S5 & S6). rewrite P2 in S5. rewrite S3 in S6.
    auto 10.
  Qed.

  Lemma converted_sum : a_q final = pw r D * ((s_q ends + c_q ends + carry_q ends) mod 2 ^ Pair) + digits r (fun i => u (S N + i)%nat) D.
  Proof.
    destruct converting as ((P1 & P2 & P3 & P4) & (S1 & S2 & S3) & (S4 & S5 & S6)). destruct numbers as (EN & ED & _ & _ & DN). destruct radix as [R Hh].
    assert (calm : forall t, phase t = 2 -> idle t = 0 /\ shift t = 0) by (intros t E; rewrite idle_is, shift_is, E; split; reflexivity).
    destruct (calm _ P1) as [I1 T1]. destruct (calm _ P2) as [I2 T2]. destruct (calm _ P3) as [I3 T3]. clear calm.
    destruct (bits_of ends) as (_ & (K & _) & _). assert (low : 0 <= delay * digit /\ 2 ^ (delay * digit) = pw r D) by (unfold r; rewrite pw_words, <- ED by lia; split; [apply Z.mul_nonneg_nonneg; lia | reflexivity]).
    destruct low as [low lowest]. assert (PP : 1 <= Pair /\ many * digit = delay * digit + Pair) by (unfold Pair; lia).
    assert (middle : a_q (S (S ends)) = a_q (S ends)) by (apply (H_rests (S ends) I2 T2 S2), (H_no_carries ends S4)).
    assert (X : part (a_q final) (delay * digit) Pair = (part (s_q ends) 0 Pair + part (c_q ends) 0 Pair + carry_q ends) mod 2 ^ Pair).
    { apply (Groups.converted group Pair (delay * digit) _ _ _ (a_q (S ends)) _ (net "u_convert.gen_three_cycles.generates_q" (S ends))
        (net "u_convert.gen_three_cycles.propagates_q" (S ends)) (carries (S (S ends)))); by_arithmetic.
      - intros i I. exact (H_sums ends i I S1 I1 T1).
      - intros i I. exact (H_look_ahead (S ends) i I S5).
      - intros i I. rewrite <- middle. exact (H_increments (S (S ends)) i I I3 T3 S3). }
    assert (G : a_q final mod 2 ^ (delay * digit) = digits r (fun i => u (S N + i)%nat) D).
    { etransitivity; [exact (H_low_digits_stay (S (S ends)) I3 T3 S3) |]. rewrite middle. etransitivity; [exact (H_low_digits ends S1 I1 T1) |].
      replace (2 ^ (many * digit - delay * digit)) with (pw r (N - D)) by (unfold r; rewrite pw_words by lia; f_equal; rewrite EN, ED, Nat2Z.inj_sub by lia; ring).
      destruct full as [Ef _].
      pose proof (entered_words r N D (fun i => a_q (first + S (S N) + i)%nat) (fun i => found (first + S (S N) + i)%nat) ltac:(lia) DN) as E. cbv beta in E.
      replace (first + S (S N) + D)%nat with ends in E by (unfold ends, T; lia). rewrite E.
      - apply digits_ext. intros i I. unfold u. f_equal. lia.
      - rewrite <- Ef. apply bits_of.
      - intros. apply bits_of.
      - intros i I. rewrite Nat.add_succ_r. apply moves. replace (first + S (S N) + i)%nat with (first + (S (S N) + i))%nat by lia. apply loop_state. unfold T. lia. }
    destruct (bits_of final) as (_ & _ & _ & _ & A & _).
    rewrite (low_and_high (many * digit) (delay * digit) (a_q final) ltac:(lia) A). replace (many * digit - delay * digit) with Pair by reflexivity. rewrite X, Z.add_comm.
    replace (part (a_q final) 0 (delay * digit)) with (a_q final mod 2 ^ (delay * digit)) by (unfold part; change (2 ^ 0) with 1; rewrite Z.div_1_r; reflexivity). rewrite G, lowest. do 2 f_equal.
    unfold part. change (2 ^ 0) with 1. rewrite !Z.div_1_r. rewrite <- (Z.add_mod_idemp_l (s_q ends + c_q ends)), (Z.add_mod (s_q ends)), Z.add_mod_idemp_l by (apply Z.pow_nonzero; lia). reflexivity.
  Qed.

  Lemma answered : net "p_o" final = value.
  Proof.
    destruct radix as [R Hh]. destruct numbers as (EN & ED & _ & _ & DN). destruct result as [_ V]. destruct room as (EH & EO & _). destruct scale_is as [EL LP].
    assert (PP : 0 <= Pair /\ Pair <= state /\ many * digit = delay * digit + Pair) by (unfold Pair; lia). destruct PP as (P0 & PS & PM).
    rewrite H_answer, <- (Z.mod_small value (2 ^ operand)) by (assert (L * n < L * 2 ^ W) by (apply Z.mul_lt_mono_pos_l; lia); lia).
    assert (E : (2 ^ operand | a_q final - value)).
    { rewrite converted_sum. unfold value. apply (divide_pow operand (many * digit)); [lia |]. rewrite PM, Z.pow_add_r by lia.
      replace (2 ^ (delay * digit)) with (pw r D) by (unfold r; rewrite pw_words, <- ED by lia; reflexivity).
      pose proof (divide_pow Pair state _ ltac:(lia) (signed_divides state (s_q ends + c_q ends) ltac:(lia))) as [j E].
      unfold Y. fold ends. unfold pair_value. set (v := s_q ends + c_q ends) in *. rewrite (Z.mod_eq (v + carry_q ends)) by (apply Z.pow_nonzero; lia).
      exists (- (j + (v + carry_q ends) / 2 ^ Pair)). set (e := (v + carry_q ends) / 2 ^ Pair) in *.
      replace (signed state v) with (v + j * 2 ^ Pair) by lia. ring. }
    destruct E as [z E]. replace (a_q final) with (value + z * 2 ^ operand) by lia. apply Z_mod_plus_full.
  Qed.

  Lemma before : forall t, (c < t < final)%nat -> phase t <> 3.
  Proof.
    intros t LT. destruct converting as ((P1 & P2 & P3 & _) & _). assert (t < ends \/ t = ends \/ t = S ends \/ t = S (S ends))%nat as [X | [-> | [-> | ->]]] by (unfold final in LT; lia);
      [| rewrite P1 | rewrite P2 | rewrite P3]; try discriminate.
    destruct (loop_state (t - first)%nat ltac:(unfold ends, first in *; lia)) as (P0 & _).
    replace (first + (t - first))%nat with t in P0 by (unfold first in *; lia). rewrite P0. discriminate.
  Qed.

  Lemma at_rest : started final = 0 /\ carries final = 0.
  Proof.
    destruct converting as (_ & (_ & _ & S3) & (_ & _ & S6)). unfold final. split; [destruct (H_controls (S (S ends))) as (_ & _ & _ & _ & ->); exact S3 | exact (H_no_carries _ S6)].
  Qed.
  End Request.

  Theorem contract : multiplier net (net "a_i") (net "b_i") n_of (net "p_o") (T + 5) (T + 5) (2 ^ (many * digit))
    (fun c => n_of c mod 2 = 1 /\ 3 <= n_of c /\ n_of c < 2 ^ W /\ raised (digit * (delay + 1)) (n_of c) (2 ^ (digit * (delay + 1)) * net "n_scaled_i" c))
    (fun n x => 0 <= x < 2 * 2 ^ (digit * (delay + 1)) * n) (fun n x => 0 <= x < 2 * 2 ^ (digit * (delay + 1)) * n).
  Proof.
    apply (serves _ _ _ _ _ _ _ _ _ _ _ phase 0 3 (fun t => started t = 0 /\ carries t = 0)).
    - exact H_ready.
    - intros c I V (odd & least & most & constant) a_range b_range. exists (T + 5)%nat.
      pose proof (before c I V odd least most constant a_range b_range) as B. pose proof (converting c I V odd least most constant a_range b_range) as ((_ & _ & _ & E) & _).
      pose proof (at_rest c I V odd least most constant a_range b_range) as Q. pose proof (result c I V odd least most constant a_range b_range) as [M R].
      pose proof (answered c I V odd least most constant a_range b_range) as P. replace (S (S (S (S c + S T))))%nat with (c + (T + 5))%nat in * by lia.
      rewrite P. split; [lia |]. split; [exact E |]. split; [exact B |]. split; [exact Q |]. split; [exact R |].
      apply montgomery_mod. destruct numbers as (EN & _). unfold r in M. rewrite pw_words, <- EN in M by lia. exact M.
    - intros t E [S0 C0] F. pose proof (H_wait t E F) as E'. assert (G : start t = 0) by (apply no_start; rewrite E; discriminate).
      split; [exact E' |]. split; [destruct (H_controls t) as (_ & _ & _ & _ & ->); split; [exact G | exact (H_no_carries t S0)] |].
      rewrite !H_answer. rewrite (H_rests t); [reflexivity | | | exact G | exact C0]; rewrite ?idle_is, ?shift_is, E; reflexivity.
  Qed.
End Chain.
