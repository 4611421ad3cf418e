(* SPDX-License-Identifier: Apache-2.0 *)
(* mf_unit_csa_exact with signed results and requests that overlap, from the nets of the RTL to the contract, for every width and group; one text for all digits and delays. The
   hypotheses are the lemmas that montforge prints into unit_csa_lemmas.v, for the Booth terms and delay of a design, and proves on the RTL. *)
From Coq Require Import ZArith Lia String.
Require Import DigitRecurrence Instances WordSerial Contract Control Bits UnitAccumulator Groups Scaled Pipelined unit_csa_lemmas unit_csa_loop unit_csa_tail unit_csa_overlapping.
Open Scope string_scope. Open Scope Z_scope.
Set Default Proof Using "All".

Section Chain.
  Variables (width : nat) (loops many last digit operand modulus state delay Pair group : Z) (net : trace).
  Let W := Z.of_nat width.
  Local Notation on lemma := (lemma W loops many last digit operand modulus state delay Pair group net).
  Hypotheses (sizes : (3 <= W /\ 3 <= digit /\ 2 <= delay <= 3 /\ 1 <= group) /\ (operand = W + 1 /\ modulus = W + 1 /\ state = W + digit * delay + 2 /\ Pair = operand) /\
      (operand <= many * digit /\ delay <= many) /\ (1 <= last /\ W + 2 <= last * digit + digit * delay /\ many <= last + delay /\ loops = last + delay + 1)) (H_ranges : on ranges)
    (H_ready : on ready) (H_selects : on selects) (H_valid : on valid_digits) (H_at_reset : on at_reset) (H_accept : on accept) (H_count : on count)
    (H_no_load : on no_load) (H_no_load_yet : on no_load_yet) (H_keep : on keep)
    (H_keep_modulus : on keep_modulus) (H_shift_a : on shift_a) (H_first_digit : on first_digit) (H_other_digits : on other_digits)
    (H_a_terms : on a_terms) (H_first_terms : on first_terms) (H_a_transfer : on a_transfer) (H_quotient_digit : on quotient_digit)
    (H_quotient_terms : on quotient_terms) (H_quotient_transfer : on quotient_transfer) (H_a_multiples : on a_multiples)
    (H_product_rows : on product_rows) (H_product : on product) (H_quotient_multiples : on quotient_multiples) (H_quotient_rows : on quotient_rows)
    (H_quotient_product : on quotient_product) (H_rows : on rows) (H_pair : on pair) (H_accumulate : on accumulate)
    (H_no_transfer : on no_transfer) (H_tail : on tail) (H_tail_count : on tail_count) (H_constants : on constants)
    (H_first : on first_of_exact) (H_dated_at_reset : on dated_at_reset) (H_dated_on : on dated_on) (H_no_exact : on no_exact)
    (H_exact_terms : on exact_terms) (H_low_terms : on low_terms) (H_exact_multiples : on exact_multiples) (H_exact_rows : on exact_rows)
    (H_exact_digit : on exact_digit) (H_exact_transfer : on exact_transfer) (H_loads : on loads) (H_control_at_reset : on control_at_reset) (H_control_on : on control_on)
    (H_balance : on balance) (H_loop_on : on loop_on) (H_loop_end : on loop_end) (H_waits : on waits_for_place) (H_steps : on steps) (H_starts : on starts)
    (H_parks : on parks) (H_fills : on fills) (H_sums : on sums) (H_groups_kept : on groups_kept)
    (H_look_ahead : on look_ahead) (H_no_carries : on no_carries) (H_increments : on increments) (H_rests : on rests)
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
  Let D := S (Z.to_nat (delay - 1)).
  Let L := Z.to_nat loops.
  Let T := (L + S D)%nat.                                                                   (* the last cycle of the tail *)
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

  Lemma control : forall t, ((phase t = 1 -> idle t = 0) /\ (phase t = 2 -> 0 < left t -> idle t = 0) /\ (phase t = 6 -> idle t = 0 /\ shift t = 0)) /\
    (idle t = 1 -> phase t = 0 \/ phase t = 2 /\ left t = 0) /\
    shift t = (if idle t =? 1 then 0 else if phase t =? 1 then 1 else 0) /\ fill t + move t + summed t + carried t + valid t <= 1 /\
    occupied t = summed t + carried t + valid t /\ started t = summed t /\ start t = fill t + park t /\ (park t = 0 \/ phase t = 6).
  Proof.
    intros t. pose proof (in_control t) as X. destruct (bits t) as (_ & I & _). unfold under_control in X.
    destruct X as [[[[[[[[[[[[[[[_ _] _] X4] X5] X6] X7] X8] X9] X10] _] _] _] _] _] _].
    assert (J : idle t = 1 -> phase t = 0 \/ phase t = 2 /\ left t = 0) by (intros E; destruct X4 as [[X4 | X4] | [X4 _]]; [congruence | left; exact X4 | right; exact X4]).
    assert (K : forall k, phase t = k -> k <> 0 -> k <> 2 \/ 0 < left t -> idle t = 0) by (clear - I J; intros k P K0 K2; lia).
    split; [| split; [exact J |]; split; [exact X5 |]; split; [exact X6 |]; split; [exact X7 |]; split; [exact X8 |]; split; [exact X9 |]; destruct X10 as [X10 | [X10 _]]; [left | right]; exact X10].
    split; [intros P; apply (K 1 P); [| left]; discriminate |]. split; [intros P P2; apply (K 2 P); [discriminate | right; exact P2] |].
    intros P. assert (I0 : idle t = 0) by (apply (K 6 P); [| left]; discriminate). split; [exact I0 |]. rewrite X5, I0, P. reflexivity.
  Qed.

  Lemma looping : forall t, phase t = 1 -> idle t = 0.
  Proof. intros t. apply control. Qed.

  Lemma tailing : forall t, phase t = 2 -> 0 < left t -> idle t = 0.
  Proof. intros t. apply control. Qed.

  Lemma shifts : forall t, phase t = 1 -> idle t = 0 -> a_q (S t) = a_q t / 2 ^ digit + 2 ^ (many * digit - digit) * net "u_core.u" t.
  Proof. intros t P I. destruct (control t) as (_ & _ & E & _ & _ & _ & _ & K). apply H_shift_a; [exact I | rewrite E, I, P; reflexivity | lia]. Qed.

  Let erased (t : nat) : Prop := net "u_core.clear_q" t = 1.

  Lemma transfer_is : forall t, ~ erased t -> net "u_core.u_transfer_q" (S t) = part (net "u_core.u" t) (digit - 1) 1.
  Proof. intros t E. destruct (H_quotient_transfer t) as [-> _]. destruct (Z.eqb_spec (net "u_core.clear_q" t) 1); [contradiction | reflexivity]. Qed.

  Local Notation tail lemma := (lemma W loops many last digit operand modulus state delay Pair group net sizes H_ranges H_selects H_valid H_at_reset H_count
    H_no_load_yet H_keep H_keep_modulus H_first_digit H_other_digits H_a_terms H_first_terms H_a_transfer H_quotient_digit H_quotient_terms
    H_a_multiples H_product_rows H_product H_quotient_multiples H_quotient_rows H_quotient_product H_rows H_pair H_accumulate
    H_no_transfer H_tail H_tail_count H_constants H_first H_dated_at_reset H_dated_on H_no_exact H_exact_terms H_low_terms
    H_exact_multiples H_exact_rows H_exact_digit H_exact_transfer H_loads
    erased (fun t E => E) transfer_is (fun t => proj2 (H_quotient_transfer t)) looping tailing shifts).

  (* A request that is legal is accepted in cycle c. *)
  Local Notation n_of := (net "n_i").
  Let legal (c : nat) : Prop := n_of c mod 2 = 1 /\ 3 <= n_of c /\ scaled (digit * delay) (n_of c) (two W (net "n_scaled_i" c)) /\
    (n_of c * net "n_inverse_i" c + 1) mod 2 ^ (digit * delay) = 0.
  Let bounded (n x : Z) : Prop := - n < x < n.
  Let request (c : nat) : Prop := net "req_valid_i" c = 1 /\ idle c = 1 /\ legal c /\ bounded (n_of c) (two operand (net "a_i" c)) /\
    bounded (n_of c) (two operand (net "b_i" c)).
  Let is_product (c : nat) (p : Z) : Prop := bounded (n_of c) p /\
    (p * 2 ^ (last * digit + digit * delay)) mod n_of c = (two operand (net "a_i" c) * two operand (net "b_i" c)) mod n_of c.

  Lemma begun : forall c, net "req_valid_i" c = 1 -> idle c = 1 -> begins_in W loops many digit operand modulus net c.
  Proof.
    intros c V I. destruct (control c) as (_ & J & _). split; [exact I |]. split; [intros P; destruct (J I) as [E | [E _]]; congruence |].
    split; [apply H_no_load; destruct (J I) as [-> | [-> _]]; [left | right]; reflexivity |]. split; [exact (H_accept c (in_control c) V I) |].
    intros _. destruct (H_quotient_transfer (S c)) as [-> _]. destruct (H_selects c) as (_ & -> & _). rewrite I. reflexivity.
  Qed.

  Lemma undated : forall c, idle c = 1 -> net "u_core.first_q" c = 0 /\ net "u_core.gen_exact.u_exact.valid_q" c = 0.
  Proof. intros c I. apply (tail unit_csa_tail.undated). destruct (control c) as (_ & J & _). exact (J I). Qed.

  Lemma of_tail : forall (c : nat) (P : Prop), request c ->
    (begins_in W loops many digit operand modulus net c -> net "u_core.first_q" c = 0 /\ net "u_core.gen_exact.u_exact.valid_q" c = 0 -> n_of c mod 2 = 1 -> 3 <= n_of c ->
      scaled (digit * delay) (n_of c) (two W (net "n_scaled_i" c)) -> (n_of c * net "n_inverse_i" c + 1) mod 2 ^ (digit * delay) = 0 ->
      - n_of c < two operand (net "a_i" c) < n_of c -> - n_of c < two operand (net "b_i" c) < n_of c -> P) -> P.
  Proof. intros c P (V & I & (odd & least & constant & inverse) & A & B) H. exact (H (begun c V I) (undated c I) odd least constant inverse A B). Qed.

  Lemma running : forall c i, request c -> (i <= T)%nat -> let t := (c + S i)%nat in
    (1 <= phase t /\ phase t <= 2) /\ ((i < T)%nat -> phase t < 2 \/ 0 < left t) /\ (i = T -> phase t = 2 /\ left t = 0).
  Proof.
    intros c i R I t. assert (ED : delay = Z.of_nat D) by (unfold D; lia). destruct (Nat.le_gt_cases i L) as [X | X].
    - assert (P : phase t = 1).
      { apply (of_tail c _ R). intros A1 A2 A3 A4 A5 A6 A7 A8. destruct (tail unit_csa_tail.loop_state c A1 A2 A3 A4 A5 A6 A7 A8 i X) as (P & _).
        unfold t. rewrite <- Nat.add_succ_comm. exact P. }
      rewrite P. split; [split; discriminate |]. split; [left; reflexivity | unfold T; lia].
    - assert (E : (i - S L <= D)%nat) by (unfold T in I; lia).
      assert (P : phase t = 2 /\ left t = Z.of_nat (D - (i - S L))).
      { apply (of_tail c _ R). intros A1 A2 A3 A4 A5 A6 A7 A8. destruct (tail unit_csa_tail.tail_state c A1 A2 A3 A4 A5 A6 A7 A8 (i - S L)%nat E) as (P & Q & _).
        fold D L in P, Q. unfold t. replace (c + S i)%nat with (S c + S L + (i - S L))%nat by lia. split; assumption. }
      destruct P as [P Q]. rewrite P, Q. split; [split; discriminate |]. split; [intros J; right; unfold T in J; lia | intros ->; unfold T; split; [reflexivity | lia]].
  Qed.

  (* ---------------------------------------------------------------- an operation whose tail ends in the cycle before *)
  Let ends (c : nat) : nat := (S c + S T)%nat.
  Let dropped (c : nat) : Z := if part (s_q (ends c)) (digit - 1) 1 + part (c_q (ends c)) (digit - 1) 1 =? 0 then 0 else 1.
  (* x has the sums of groups of its pair; g and q are what they make and pass *)
  Definition has_sums (c : nat) (x g q : Z) : Prop :=
    forall i, 0 <= i < (Pair + group - 1) / group -> let w := Z.min group (Pair - i * group) in
      let y := part (s_q (ends c)) (digit + i * group) w + part (c_q (ends c)) (digit + i * group) w in
      part x (0 + i * group) w + 2 ^ w * part g i 1 = y + (if i =? 0 then dropped c else 0) /\ part q i 1 = if y =? 2 ^ w - 1 then 1 else 0.

  (* The carries between the groups make the product of it. *)
  Lemma carried_groups : forall c x g q k y, request c -> has_sums c x g q ->
    (forall i, 0 <= i < (Pair + group - 1) / group - 1 ->
      (k / 2 ^ i) mod 2 = if part g i 1 =? 1 then 1 else if part q i 1 =? 1 then ((2 * k) / 2 ^ i) mod 2 else 0) ->
    (forall i, 0 <= i < (Pair + group - 1) / group -> let w := Z.min group (Pair - i * group) in
      part y (0 + i * group) w = (part x (0 + i * group) w + ((2 * k) / 2 ^ i) mod 2) mod 2 ^ w) -> is_product c (two operand (part y 0 operand)).
  Proof.
    intros c x g q k y R H C M. set (e := exact_value loops last digit state delay net c).
    assert (E : part y 0 operand = e mod 2 ^ operand /\ montgomery (n_of c) (2 ^ (last * digit + digit * delay)) (two operand (net "a_i" c)) (two operand (net "b_i" c)) e /\
      bounded (n_of c) e /\ n_of c <= 2 ^ W - 1).
    { apply (of_tail c _ R). intros A1 A2 A3 A4 A5 A6 A7 A8. split.
      - apply (tail unit_csa_tail.converted_value c A1 A2 A3 A4 A5 A6 A7 A8). cbv zeta. fold D L. replace (S c + S L + S D)%nat with (ends c) by (unfold ends, T; lia). fold (dropped c).
        apply (Groups.converted group Pair 0 _ _ (dropped c) x y g q k); try exact C; try exact M; try lia.
        + unfold dropped. destruct (_ =? 0); lia.
        + intros i I. assert (ig : 0 <= i * group) by (apply Z.mul_nonneg_nonneg; lia). assert (dg : 0 <= digit) by lia.
          destruct (H i I) as [B1 B2]. rewrite !(part_above _ digit) in B1, B2 by assumption. split; [exact B1 | exact B2].
      - destruct (tail unit_csa_tail.value c A1 A2 A3 A4 A5 A6 A7 A8) as [V1 V2]. split; [| split; [exact V2 | exact (tail unit_csa_tail.most c A1 A2 A3 A4 A5 A6 A7 A8)]].
        fold e in V1. rewrite !pw_words in V1 by lia. rewrite <- Z.pow_add_r in V1 by (apply Z.mul_nonneg_nonneg; lia).
        replace (Z.of_nat (Z.to_nat last) * digit + Z.of_nat (S (Z.to_nat (delay - 1))) * digit) with (last * digit + digit * delay) in V1; [exact V1 |].
        replace (Z.of_nat (Z.to_nat last)) with last by lia. replace (Z.of_nat (S (Z.to_nat (delay - 1)))) with delay by lia. ring. }
    destruct E as (E & V1 & V2 & most). assert (P : two operand (part y 0 operand) = e).
    { rewrite E. change (signed operand e = e). unfold bounded in V2. apply signed_is; [lia | | exists 0; ring]. replace (operand - 1) with W by lia. lia. }
    rewrite P. split; [exact V2 | apply montgomery_mod; exact V1].
  Qed.

  Let in_loop (t : nat) : Z := if phase t =? 1 then 1 else if phase t =? 2 then 1 else if phase t =? 6 then 1 - fill t else 0.

  Theorem contract : pipelined net (fun t => two operand (net "a_i" t)) (fun t => two operand (net "b_i" t)) n_of
    (fun t => two operand (net "p_o" t)) (T + 5) (T + 5) (2 ^ (last * digit + digit * delay)) legal bounded bounded.
  Proof.
    apply (overlapping W loops many last digit operand modulus state delay Pair group net n_of H_ranges H_ready H_steps H_parks H_fills H_groups_kept
      H_look_ahead H_no_carries H_rests H_answer T 0 (2 ^ (last * digit + digit * delay)) legal bounded has_sums in_loop).
    - intros t. destruct (control t) as ((_ & _ & QT) & _ & _ & ONE & OC & SD & ST & _). auto.
    - destruct (H_control_at_reset O eq_refl) as (_ & C & E). destruct (H_at_reset O eq_refl) as (P0 & _). unfold in_loop. rewrite P0. auto.
    - intros t. destruct (bits t) as ((B & _) & _). unfold in_loop. destruct (phase t =? 1), (phase t =? 2), (phase t =? 6); lia.
    - intros c (V & I & _). unfold in_loop. destruct (H_accept c (in_control c) V I) as (-> & _). reflexivity.
    - intros t. exact (H_balance t (in_control t)).
    - intros c i R I. destruct (running c i R ltac:(lia)) as ((P1 & P2) & Q & _). exact (H_loop_on _ (in_control _) P1 P2 (Q I)).
    - intros c R. destruct (running c T R (le_n T)) as (_ & _ & Q). destruct (Q eq_refl) as [P0 L0]. exact (H_loop_end _ (in_control _) P0 L0).
    - intros t P F. exact (H_waits t (in_control t) P F).
    - intros c R S1 i I. exact (H_sums (ends c) i I S1).
    - intros t i I F M. exact (H_increments t i I F M).
    - intros t _ _. unfold part. change (2 ^ 0) with 1. rewrite !Z.mod_1_r. reflexivity.
    - intros c x g q k y R H _ C M _. exact (carried_groups c x g q k y R H C M).
  Qed.
End Chain.
