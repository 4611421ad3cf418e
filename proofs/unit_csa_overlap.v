(* SPDX-License-Identifier: Apache-2.0 *)
(* mf_unit_csa with requests that overlap, from the nets of the RTL to the contract, for every width and group; one text for all digits and delays. The
   hypotheses are the lemmas that montforge prints into unit_csa_lemmas.v, for the Booth terms and delay of a design, and proves on the RTL. *)
From Coq Require Import ZArith Lia String.
Require Import DigitRecurrence Instances WordSerial Contract Control Bits UnitAccumulator Groups Scaled Pipelined unit_csa_lemmas unit_csa_loop unit_csa_scaled unit_csa_overlapping.
Open Scope string_scope. Open Scope Z_scope.
Set Default Proof Using "All".

Section Chain.
  Variables (width : nat) (loops many last digit operand modulus state delay Pair group : Z) (net : trace) (n_of : nat -> Z).
  Let W := Z.of_nat width.
  Local Notation on lemma := (lemma W loops many last digit operand modulus state delay Pair group net).
  Hypotheses (sizes : (3 <= W /\ 2 <= digit /\ 2 <= delay <= 3 /\ 1 <= group) /\ (operand = W + digit * delay /\ modulus = W /\ state = operand + digit + 1) /\
      (operand <= many * digit < operand + digit /\ last = many /\ loops = many + delay /\ Pair = many * digit - (delay - 1) * digit)) (H_ranges : on ranges)
    (H_ready : on ready) (H_selects : on selects) (H_valid : on valid_digits) (H_at_reset : on at_reset) (H_accept : on accept) (H_count : on count)
    (H_no_load : on no_load) (H_no_load_yet : on no_load_yet) (H_keep : on keep)
    (H_keep_modulus : on keep_modulus) (H_shift_a : on shift_a) (H_first_digit : on first_digit) (H_other_digits : on other_digits)
    (H_a_terms : on a_terms) (H_first_terms : on first_terms) (H_a_transfer : on a_transfer) (H_quotient_digit : on quotient_digit)
    (H_quotient_terms : on quotient_terms) (H_quotient_transfer : on quotient_transfer) (H_a_multiples : on a_multiples)
    (H_product_rows : on product_rows) (H_product : on product) (H_quotient_multiples : on quotient_multiples) (H_quotient_rows : on quotient_rows)
    (H_quotient_product : on quotient_product) (H_rows : on rows) (H_pair : on pair) (H_accumulate : on accumulate)
    (H_no_exact : on no_exact) (H_last_transfer : on last_transfer) (H_control_at_reset : on control_at_reset) (H_control_on : on control_on)
    (H_balance : on balance) (H_loop_on : on loop_on) (H_loop_end : on loop_end) (H_waits : on waits_for_place) (H_steps : on steps) (H_starts : on starts)
    (H_parks : on parks) (H_fills : on fills) (H_low_digits : on low_digits) (H_low_sums : on low_sums) (H_sums : on sums) (H_groups_kept : on groups_kept)
    (H_look_ahead : on look_ahead) (H_no_carries : on no_carries) (H_increments : on increments) (H_low_digits_stay : on low_digits_stay) (H_rests : on rests)
    (H_answer : on answer).

  Local Notation phase := (net "u_core.phase_q"). Local Notation left := (net "u_core.left_q"). Local Notation idle := (net "u_core.idle_q").
  Local Notation shift := (net "u_core.shift_q"). Local Notation start := (net "u_core.start_q"). Local Notation a_q := (net "u_core.a_q").
  Local Notation fill := (net "u_core.fill"). Local Notation park := (net "u_core.park"). Local Notation move := (net "u_core.gen_overlap.move_q").
  Local Notation summed := (net "u_core.gen_overlap.summed_q"). Local Notation carried := (net "u_core.gen_overlap.carried_q").
  Local Notation valid := (net "u_core.gen_overlap.valid_q"). Local Notation occupied := (net "u_core.gen_overlap.occupied_q").
  Local Notation p_q := (net "u_core.gen_overlap.p_q"). Local Notation started := (net "u_core.u_convert.started_q").
  Local Notation carries := (net "u_core.u_convert.carries"). Local Notation low_q := (net "u_core.gen_scaled_sum.gen_low.low_q").
  Local Notation made := (net "u_core.u_convert.gen_three_cycles.generates_q"). Local Notation passed := (net "u_core.u_convert.gen_three_cycles.propagates_q").
  Local Notation taken_i := (net "rsp_ready_i").
  Local Notation s_q := (net "u_core.s_q"). Local Notation c_q := (net "u_core.c_q"). Local Notation carry_q := (net "u_core.carry_q").

  Let r := 2 ^ digit.
  Let D1 := Z.to_nat (delay - 1).
  Let N := Z.to_nat many.                                                                   (* digits of a and of the quotient *)
  Let T := (D1 + S N)%nat.                                                                  (* the last cycle of the loop *)
  Let Low := (delay - 1) * digit.
  Ltac range t := in_range H_ranges t.

  (* ---------------------------------------------------------------- control *)
  Lemma in_control : forall t, under_control W loops many last digit operand modulus state delay Pair group net t.
  Proof. induction t; [apply (H_control_at_reset O eq_refl) | apply H_control_on, IHt]. Qed.

  Lemma bits : forall t, (0 <= fill t <= 1 /\ 0 <= move t <= 1 /\ 0 <= summed t <= 1 /\ 0 <= carried t <= 1 /\ 0 <= valid t <= 1) /\
    0 <= idle t <= 1 /\ 0 <= net "req_valid_i" t <= 1 /\ 0 <= taken_i t <= 1.
  Proof.
    intros t. assert (B : forall x, 0 <= x < 2 ^ 1 -> 0 <= x <= 1) by (intros x; change (2 ^ 1) with 2; lia).
    repeat split; apply B; range t.
  Qed.

  Lemma control : forall t, (phase t = 0 \/ phase t = 1 \/ phase t = 6) /\ (phase t = 0 -> idle t = 1) /\
    (idle t = 1 -> phase t = 0 \/ phase t = 1 /\ left t = 0) /\
    shift t = (if idle t =? 1 then 0 else if phase t =? 1 then 1 else 0) /\ fill t + move t + summed t + carried t + valid t <= 1 /\
    occupied t = summed t + carried t + valid t /\ started t = summed t /\ start t = fill t + park t /\ (park t = 0 \/ phase t = 6) /\ (move t = 0 \/ phase t = 0).
  Proof.
    intros t. pose proof (in_control t) as X. destruct (bits t) as (_ & I & _). unfold under_control in X.
    destruct X as [[[[[[[[[[[[[[X1 _] X3] X4] X5] X6] X7] X8] X9] X10] _] X12] _] _] _].
    split; [clear - X1; tauto |]. split; [clear - X3; lia |]. split; [intros E; destruct X4 as [[X4 | X4] | [[X4 Y4] _]]; [congruence | left; exact X4 | right; split; assumption] |].
    split; [exact X5 |]. split; [exact X6 |]. split; [exact X7 |]. split; [exact X8 |]. split; [exact X9 |]. split; [destruct X10 as [X10 | [X10 _]]; [left | right]; exact X10 | exact X12].
  Qed.

  Lemma resting : forall t, phase t = 1 -> 0 < left t -> idle t = 0.
  Proof. intros t P L. destruct (control t) as (_ & _ & I & _). destruct (bits t) as (_ & B & _). lia. Qed.

  Lemma shifts : forall t, phase t = 1 -> idle t = 0 -> a_q (S t) = a_q t / 2 ^ digit + 2 ^ (many * digit - digit) * net "u_core.u" t.
  Proof. intros t P I. destruct (control t) as (_ & _ & _ & E & _ & _ & _ & _ & K & _). apply H_shift_a; [exact I | rewrite E, I, P; reflexivity | lia]. Qed.

  Let erased (t : nat) : Prop := net "u_core.clear_q" t = 1.

  Lemma transfer_is : forall t, ~ erased t -> net "u_core.u_transfer_q" (S t) = part (net "u_core.u" t) (digit - 1) 1.
  Proof. intros t E. destruct (H_quotient_transfer t) as [-> _]. destruct (Z.eqb_spec (net "u_core.clear_q" t) 1); [contradiction | reflexivity]. Qed.

  Local Notation loop lemma := (lemma width loops many last digit operand modulus state delay Pair group net sizes H_ranges H_selects H_valid H_at_reset
    H_count H_no_load_yet H_keep H_keep_modulus H_first_digit H_other_digits H_a_terms H_first_terms H_a_transfer H_quotient_digit H_quotient_terms
    H_a_multiples H_product_rows H_product H_quotient_multiples H_quotient_rows H_quotient_product H_rows H_pair H_accumulate H_no_exact H_last_transfer
    erased (fun t E => E) transfer_is (fun t => proj2 (H_quotient_transfer t)) resting shifts).

  (* A request that is legal is accepted in cycle c. *)
  Let legal (c : nat) : Prop := n_of c mod 2 = 1 /\ 3 <= n_of c /\ n_of c < 2 ^ W /\ scaled (digit * delay) (n_of c) (two W (net "n_scaled_i" c)).
  Let bounded (n x : Z) : Prop := - (2 ^ (digit * delay) * n) < 2 * x < 2 ^ (digit * delay) * n.
  Let request (c : nat) : Prop := net "req_valid_i" c = 1 /\ idle c = 1 /\ legal c /\ bounded (n_of c) (two operand (net "a_i" c)) /\
    bounded (n_of c) (two operand (net "b_i" c)).
  Let is_product (c : nat) (p : Z) : Prop := bounded (n_of c) p /\
    (p * 2 ^ (many * digit)) mod n_of c = (two operand (net "a_i" c) * two operand (net "b_i" c)) mod n_of c.

  Lemma begun : forall c, net "req_valid_i" c = 1 -> idle c = 1 -> begins_in W loops many digit operand modulus net c.
  Proof.
    intros c V I. destruct (control c) as (_ & _ & J & _). split; [exact I |]. split; [intros P; destruct (J I) as [E | [_ E]]; [congruence | exact E] |].
    split; [apply H_no_load |]. split; [exact (H_accept c (in_control c) V I) |]. intros _. destruct (H_quotient_transfer (S c)) as [-> _].
    destruct (H_selects c) as (_ & -> & _). rewrite I. reflexivity.
  Qed.

  Lemma sizes_of : (1 <= D1)%nat /\ (2 <= N)%nat /\ Z.of_nat T = loops /\ Low = Z.of_nat D1 * digit /\ 1 <= Pair /\ 0 <= Low /\ 1 <= group /\ 0 <= digit.
  Proof.
    pose proof (loop unit_csa_scaled.numbers) as (EN & ED & D11 & DN & EL & _). pose proof (loop unit_csa_scaled.enough) as [_ E].
    fold D1 N T in EN, ED, D11, DN, EL. assert (LD : Low = Z.of_nat D1 * digit) by (unfold Low; f_equal; lia).
    assert (delay * digit <= many * digit) by (apply Z.mul_le_mono_nonneg_r; lia). assert (0 <= Low) by (rewrite LD; apply Z.mul_nonneg_nonneg; lia).
    unfold Low in *. repeat split; try lia; nia.
  Qed.

  (* ---------------------------------------------------------------- an operation whose loop ends in the cycle before *)
  Let ends (c : nat) : nat := (S c + S T)%nat.
  (* x has the sums of groups of its pair, above its last digits; g and q are what they make and pass *)
  Definition has_sums (c : nat) (x g q : Z) : Prop :=
    (forall i, 0 <= i < (Pair + group - 1) / group -> let w := Z.min group (Pair - i * group) in
      let y := part (s_q (ends c)) (0 + i * group) w + part (c_q (ends c)) (0 + i * group) w in
      part x (Low + i * group) w + 2 ^ w * part g i 1 = y + (if i =? 0 then carry_q (ends c) else 0) /\
      part q i 1 = if y =? 2 ^ w - 1 then 1 else 0) /\
    part x 0 Low = digits r (fun i => net "u_core.u" (S c + S (S N + i))%nat) D1.

  Lemma loop_state : forall c i, request c -> (i <= T)%nat -> phase (S c + i)%nat = 1 /\ left (S c + i)%nat = Z.of_nat (T - i).
  Proof.
    intros c i (V & I & (odd & least & most & constant) & A & B) L. exact (loop unit_csa_scaled.loop_state c (n_of c) (begun c V I) odd least most constant A B i L).
  Qed.

  Lemma last_digits : forall c, request c -> start (ends c) = 1 -> has_sums c (net "u_core.sums" (ends c)) (net "u_core.u_convert.generates" (ends c)) (net "u_core.u_convert.propagates" (ends c)).
  Proof.
    intros c R S1. destruct sizes_of as (D11 & N2 & ET & LD & P1 & L0 & G1 & d0). split; [intros i I; exact (H_sums (ends c) i I S1) |].
    unfold Low. rewrite H_low_sums. set (s := (S c + S (S N))%nat).
    pose proof (loop unit_csa_scaled.radix) as [Rh Hh]. fold r in Rh.
    assert (E : low_q (s + D1)%nat = low_q s / pw r D1 + pw r (D1 - D1) * digits r (fun i => net "u_core.u" (s + i)%nat) D1).
    { pose proof (entering r D1 D1 (fun i => low_q (s + i)%nat) (fun i => net "u_core.u" (s + i)%nat) ltac:(lia) (le_n _)) as E. cbv beta in E. rewrite Nat.add_0_r in E. apply E.
      intros i I. rewrite Nat.add_succ_r, H_low_digits. fold r. do 2 f_equal. unfold r. rewrite pw_words by lia. f_equal. fold Low. rewrite LD. replace (Z.of_nat (D1 - 1)) with (Z.of_nat D1 - 1) by lia. ring. }
    replace (ends c) with (s + D1)%nat by (unfold ends, s, T; lia). rewrite E, Nat.sub_diag. cbn [pw].
    assert (B : 0 <= low_q s < pw r D1) by (unfold r; rewrite pw_words, <- LD by lia; range s). rewrite Z.div_small by exact B.
    rewrite Z.add_0_l, Z.mul_1_l. apply digits_ext. intros i I. f_equal. unfold s. lia.
  Qed.

  (* The carries between the groups make the product of it. *)
  Lemma carried_groups : forall c x g q k y, request c -> has_sums c x g q -> 0 <= y < 2 ^ (many * digit) ->
    (forall i, 0 <= i < (Pair + group - 1) / group - 1 ->
      (k / 2 ^ i) mod 2 = if part g i 1 =? 1 then 1 else if part q i 1 =? 1 then ((2 * k) / 2 ^ i) mod 2 else 0) ->
    (forall i, 0 <= i < (Pair + group - 1) / group -> let w := Z.min group (Pair - i * group) in
      part y (Low + i * group) w = (part x (Low + i * group) w + ((2 * k) / 2 ^ i) mod 2) mod 2 ^ w) ->
    part y 0 Low = part x 0 Low -> is_product c (two operand (part y 0 operand)).
  Proof.
    intros c x g q k y (V & I & (odd & least & most & constant) & A & B) [H1 H2] Ry C M E. destruct sizes_of as (D11 & N2 & ET & LD & P1 & L0 & G1 & d0).
    destruct (loop unit_csa_scaled.bits_of (ends c)) as (_ & _ & _ & _ & K & _).
    apply (loop unit_csa_scaled.register_value c (n_of c) (begun c V I) odd least most constant A B y Ry).
    - apply (Groups.converted group Pair Low _ _ _ x y g q k); try assumption.
    - etransitivity; [exact E | exact H2].
  Qed.

  (* ---------------------------------------------------------------- from its request to its response *)
  Let in_converter (t : nat) : Z := fill t + move t + occupied t.

  Lemma quiet : forall t, phase t = 6 -> idle t = 0 /\ shift t = 0.
  Proof.
    intros t P. destruct (control t) as (_ & _ & I & SH & _). destruct (bits t) as (_ & BI & _). assert (I0 : idle t = 0) by (clear - P I BI; lia).
    split; [exact I0 |]. rewrite SH, I0, P. reflexivity.
  Qed.

  Let in_loop (t : nat) : Z := if phase t =? 1 then 1 else if phase t =? 6 then 1 - fill t else 0.

  Theorem contract : pipelined net (fun t => two operand (net "a_i" t)) (fun t => two operand (net "b_i" t)) n_of
    (fun t => two operand (net "p_o" t)) (T + 5) (T + 5) (2 ^ (many * digit)) legal bounded bounded.
  Proof.
    apply (overlapping W loops many last digit operand modulus state delay Pair group net n_of H_ranges H_ready H_steps H_parks H_fills H_groups_kept
      H_look_ahead H_no_carries H_rests H_answer T Low (2 ^ (many * digit)) legal bounded has_sums in_loop).
    - intros t. destruct (control t) as (_ & _ & _ & _ & ONE & OC & SD & ST & _). split; [exact (quiet t) | auto].
    - destruct (H_control_at_reset O eq_refl) as (_ & C & E). destruct (H_at_reset O eq_refl) as (P0 & _). unfold in_loop. rewrite P0. auto.
    - intros t. destruct (bits t) as ((B & _) & _). unfold in_loop. destruct (phase t =? 1), (phase t =? 6); lia.
    - intros c (V & I & _). unfold in_loop. destruct (H_accept c (in_control c) V I) as (-> & _). reflexivity.
    - intros t. exact (H_balance t (in_control t)).
    - intros c i R I. destruct (loop_state c i R ltac:(lia)) as (P0 & L0). rewrite <- Nat.add_succ_comm. apply (H_loop_on _ (in_control _) P0). lia.
    - intros c R. destruct (loop_state c T R (le_n T)) as (P0 & L0). rewrite Nat.sub_diag in L0. rewrite <- Nat.add_succ_comm. exact (H_loop_end _ (in_control _) P0 L0).
    - intros t P F. exact (H_waits t (in_control t) P F).
    - exact last_digits.
    - intros t i I F M. exact (H_increments t i I F M).
    - exact H_low_digits_stay.
    - exact carried_groups.
  Qed.
End Chain.
