(* SPDX-License-Identifier: Apache-2.0 *)
(* mf_unit_csa with requests that overlap, from the nets of the RTL to the contract, for every width and group; one text for all digits and delays. The
   hypotheses are the lemmas that montforge prints into unit_csa_lemmas.v, for the Booth terms and delay of a design, and proves on the RTL. *)
From Coq Require Import ZArith Lia String Bool.
Require Import DigitRecurrence Instances WordSerial Contract Bits UnitAccumulator Groups Scaled Pipelined unit_csa_lemmas unit_csa_loop unit_csa_scaled.
Open Scope string_scope. Open Scope Z_scope.
Set Default Proof Using "All".

Section Chain.
  Variables (width : nat) (loops many last digit operand modulus state delay Pair group : Z) (net : trace) (n_of : nat -> Z).
  Let W := Z.of_nat width.
  Local Notation on lemma := (lemma W loops many last digit operand modulus state delay Pair group net).
  Hypotheses (sizes : (3 <= W /\ 3 <= digit /\ 2 <= delay <= 3 /\ 1 <= group) /\ (operand = W + digit * delay /\ modulus = W /\ state = operand + digit + 1) /\
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
  Ltac range t := range_of H_ranges t.

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

  (* ---------------------------------------------------------------- an operation from its request to its response *)
  Let in_loop (t : nat) : Z := if phase t =? 1 then 1 else if phase t =? 6 then 1 - fill t else 0.
  Let in_converter (t : nat) : Z := fill t + move t + occupied t.

  (* as sums in the register of a, on the way to that of the result, as sums in it, with the carries found, at the end *)
  Definition place (c d before : nat) (x g q : Z) : Prop := let t := (c + d)%nat in
    phase t = 6 /\ fill t = 0 /\ before = 1%nat /\ (T + 2 <= d)%nat /\ (moving net c d <= T + 1)%nat /\ a_q (S t) = x /\ made (S t) = g /\ passed (S t) = q \/
    before = O /\ (fill t + move t = 1 /\ (T + 2 <= d)%nat /\ (moving net c d <= T + 2)%nat /\ p_q (S t) = x /\ made (S t) = g /\ passed (S t) = q \/
      summed t = 1 /\ (T + 3 <= d)%nat /\ (moving net c d <= T + 3)%nat /\ p_q t = x /\ made t = g /\ passed t = q \/
      carried t = 1 /\ (T + 4 <= d)%nat /\ (moving net c d <= T + 4)%nat /\ p_q t = x /\
        (forall i, 0 <= i < (Pair + group - 1) / group - 1 ->
          (carries t / 2 ^ i) mod 2 = if part g i 1 =? 1 then 1 else if part q i 1 =? 1 then ((2 * carries t) / 2 ^ i) mod 2 else 0) \/
      valid t = 1 /\ (T + 5 <= d)%nat /\ is_product c (two operand (net "p_o" t))).

  Definition is_after (c d before : nat) : Prop := request c /\
    ((exists i, (i <= T)%nat /\ d = S i /\ Z.of_nat before = in_converter (c + d)%nat) \/ exists x g q, has_sums c x g q /\ place c d before x g q).

  Lemma cases : forall t, valid t = 0 /\ takes net t = false /\ waits net t = false \/ valid t = 1 /\ taken_i t = 1 /\ takes net t = true /\ waits net t = false \/
    valid t = 1 /\ taken_i t = 0 /\ takes net t = false /\ waits net t = true.
  Proof.
    intros t. destruct (bits t) as ((_ & _ & _ & _ & B) & _ & _ & R). unfold takes, waits. destruct (H_ready t) as [_ ->].
    assert (valid t = 0 \/ valid t = 1) as [-> | ->] by lia; [left; auto |]. assert (taken_i t = 0 \/ taken_i t = 1) as [-> | ->] by lia; [right; right | right; left]; auto.
  Qed.

  Lemma moving_on : forall c d, moving net c (S d) = ((if waits net (c + d) then 0 else 1) + moving net c d)%nat.
  Proof. intros. unfold moving. cbn [Pipelined.count]. destruct (waits net (c + d)); reflexivity. Qed.

  Lemma moving_most : forall c d, (moving net c d <= d)%nat.
  Proof. induction d; [apply le_n |]. rewrite moving_on. destruct (waits net (c + d)); lia. Qed.

  Lemma no_carries_yet : forall t, carried t = 0 -> carries t = 0.
  Proof.
    intros [| t] C; [apply (H_control_at_reset O eq_refl) |]. apply H_no_carries. destruct (control t) as (_ & _ & _ & _ & _ & _ & -> & _).
    destruct (H_steps t) as (_ & E & _). congruence.
  Qed.

  Lemma of_nothing : forall t, 0 <= in_loop t /\ 0 <= in_converter t /\ valid t <= in_converter t.
  Proof.
    intros t. destruct (bits t) as ((B1 & B2 & B3 & B4 & B5) & _). destruct (control t) as (_ & _ & _ & _ & _ & OC & _). unfold in_loop, in_converter.
    destruct (phase t =? 1), (phase t =? 6); lia.
  Qed.

  (* of the d-th cycle after a request: whether the response is taken, and where an operation after the others is next *)
  Let k (t : nat) : nat := if takes net t then 1%nat else 0%nat.
  Let next (c d before : nat) : Prop := (before = O /\ k (c + d) = 1%nat) \/ is_after c (S d) (before - k (c + d))%nat /\ (k (c + d) <= before)%nat.

  Lemma quiet : forall t, phase t = 6 -> idle t = 0 /\ shift t = 0.
  Proof.
    intros t P. destruct (control t) as (_ & _ & I & SH & _). destruct (bits t) as (_ & BI & _). assert (I0 : idle t = 0) by (clear - P I BI; lia).
    split; [exact I0 |]. rewrite SH, I0, P. reflexivity.
  Qed.

  Lemma alone_in_converter : forall t, fill t + move t + summed t + carried t + valid t <= 1 /\ (0 <= fill t <= 1 /\ 0 <= move t <= 1 /\ 0 <= summed t <= 1 /\
    0 <= carried t <= 1 /\ 0 <= valid t <= 1) /\ start t = fill t + park t /\ 0 <= park t /\ in_converter t = fill t + move t + summed t + carried t + valid t.
  Proof.
    intros t. destruct (control t) as (_ & _ & _ & _ & ONE & OC & _ & ST & _). destruct (bits t) as (B & _). assert (0 <= park t < 2 ^ 1) by range t.
    split; [exact ONE |]. split; [exact B |]. split; [exact ST |]. split; [lia | unfold in_converter; clear - OC; lia].
  Qed.

  Lemma moves_in_loop : forall c i before, request c -> (i < T)%nat -> Z.of_nat before = in_converter (c + S i)%nat -> next c (S i) before.
  Proof.
    intros c i before R I C. unfold next, is_after, k. destruct (loop_state c i R ltac:(lia)) as (P0 & L0). replace (S c + i)%nat with (c + S i)%nat in P0, L0 by (clear; lia).
    rewrite (Nat.add_succ_r c (S i)). set (t := (c + S i)%nat) in *.
    pose proof (H_loop_on t (in_control t) P0 ltac:(clear - L0 I; lia)) as F. destruct (H_ready t) as [_ RV]. rewrite RV in F.
    change (in_converter (S t) + valid t * taken_i t = in_converter t) in F. destruct (alone_in_converter t) as (ONE & B & _ & _ & _). rewrite <- C in F.
    right. destruct (cases t) as [(V & -> & _) | [(V & Y & -> & _) | (V & Y & -> & _)]]; rewrite V in F; try rewrite Y in F; (split; [split; [exact R |]; left; exists (S i) |]);
      destruct (of_nothing (S t)) as (_ & G & _); clear - I F G; try split; try split; lia.
  Qed.

  Lemma moves_at_end : forall c before, request c -> Z.of_nat before = in_converter (c + S T)%nat -> next c (S T) before.
  Proof.
    intros c before R C. unfold next, is_after, place, k. destruct (loop_state c T R (le_n _)) as (P0 & L0). rewrite Nat.sub_diag in L0.
    replace (S c + T)%nat with (c + S T)%nat in P0, L0 by (clear; lia). cbv zeta. rewrite moving_on. pose proof (moving_most c (S T)) as MM.
    assert (En : (c + S (S T))%nat = ends c) by (unfold ends; clear; lia). rewrite (Nat.add_succ_r c (S T)) in En |- *. set (t := (c + S T)%nat) in *.
    destruct (H_loop_end t (in_control t) P0 L0) as (F1 & F2 & F3). destruct (H_ready t) as [_ RV]. rewrite RV in F1, F3.
    change (fill (S t) + in_converter t = 1 + valid t * taken_i t) in F1. rewrite <- C in F1.
    pose proof (last_digits c R) as HS. rewrite <- En in HS. specialize (HS F2).
    destruct (H_groups_kept (S t)) as (K3 & K4). rewrite F2 in K3, K4. cbn [Z.eqb Pos.eqb] in K3, K4.
    destruct (alone_in_converter (S t)) as (ONE & B & ST & PK & _). rewrite F2 in ST. right.
    assert (filled : fill (S t) = 1 -> p_q (S (S t)) = net "u_core.sums" (S t)) by (intros E; rewrite H_fills by (clear - ONE B E; lia); rewrite E; reflexivity).
    destruct (cases t) as [(V & -> & ->) | [(V & Y & -> & ->) | (V & Y & -> & ->)]]; rewrite V in F1, F3; try rewrite Y in F1, F3.
    - assert (E : fill (S t) = 1) by (destruct F3 as [E | [[_ E] _]]; [exact E | discriminate]). rewrite E in F1. split; [| clear; lia].
      split; [exact R |]. right. do 3 eexists. split; [exact HS |]. right. split; [clear - F1; lia |]. left.
      split; [clear - ONE B E; lia |]. split; [clear; lia |]. split; [clear - MM; lia |]. split; [exact (filled E) | split; assumption].
    - assert (E : fill (S t) = 1) by (destruct F3 as [E | [_ E]]; [exact E | discriminate]). rewrite E in F1. split; [| clear - F1; lia].
      split; [exact R |]. right. do 3 eexists. split; [exact HS |]. right. split; [clear - F1; lia |]. left.
      split; [clear - ONE B E; lia |]. split; [clear; lia |]. split; [clear - MM; lia |]. split; [exact (filled E) | split; assumption].
    - split; [| clear; lia]. split; [exact R |]. right. do 3 eexists. split; [exact HS |].
      destruct F3 as [E | [[P6 _] _]].
      + right. rewrite E in F1. split; [clear - F1; lia |]. left.
        split; [clear - ONE B E; lia |]. split; [clear; lia |]. split; [clear - MM; lia |]. split; [exact (filled E) | split; assumption].
      + assert (fill (S t) = 0 \/ fill (S t) = 1) as [E | E] by (clear - B; lia).
        * left. rewrite E in F1, ST. split; [exact P6 |]. split; [exact E |]. split; [clear - F1; lia |]. split; [clear; lia |]. split; [clear - MM; lia |].
          split; [| split; assumption]. destruct (quiet (S t) P6) as [I0 S0]. rewrite H_parks by assumption. assert (park (S t) = 1) as -> by (clear - ST; lia). reflexivity.
        * right. rewrite E in F1. split; [clear - F1; lia |]. left.
          split; [clear - ONE B E; lia |]. split; [clear; lia |]. split; [clear - MM; lia |]. split; [exact (filled E) | split; assumption].
  Qed.

  Lemma moves_held : forall c d x g q, request c -> has_sums c x g q -> let t := (c + d)%nat in phase t = 6 -> fill t = 0 -> (T + 2 <= d)%nat ->
    (moving net c d <= T + 1)%nat -> a_q (S t) = x -> made (S t) = g -> passed (S t) = q -> next c d 1.
  Proof.
    intros c d x g q R HS t P6 F0 D M X1 X2 X3. unfold next, is_after, place, k. cbv zeta. rewrite moving_on, Nat.add_succ_r. fold t. right.
    destruct (H_waits t (in_control t) P6 F0) as (V & M' & Q & S0). destruct (H_ready t) as [_ RV]. rewrite RV in V.
    destruct (H_groups_kept (S t)) as (K3 & K4). rewrite S0 in K3, K4. cbn [Z.eqb] in K3, K4. rewrite X2 in K3. rewrite X3 in K4.
    destruct (alone_in_converter (S t)) as (ONE & B & ST & PK & _). rewrite S0 in ST. assert (fill (S t) = 0 /\ park (S t) = 0) as [F1 K0] by (clear - B ST PK; lia).
    split; [| destruct (takes net t); clear; lia]. split; [exact R |]. right. exists x, g, q. split; [exact HS |].
    destruct (cases t) as [(V0 & _) | [(_ & Y & -> & ->) | (_ & Y & -> & ->)]]; [congruence | |]; rewrite Y in *.
    - right. split; [reflexivity |]. left. split; [clear - F1 M'; lia |]. split; [clear - D; lia |]. split; [clear - M; lia |]. split; [| split; assumption].
      rewrite H_fills by (clear - F1 M'; lia). rewrite F1. exact X1.
    - left. destruct Q as [Q | P6']; [discriminate |]. destruct (quiet (S t) P6') as [I0 S1]. split; [exact P6' |]. split; [exact F1 |]. split; [reflexivity |].
      split; [clear - D; lia |]. split; [exact M |]. split; [| split; assumption]. rewrite H_parks, K0 by assumption. exact X1.
  Qed.

  Lemma moves : forall c d before, is_after c d before -> next c d before.
  Proof.
    intros c d before [R [(i & I & -> & C) | (x & g & q & HS & P)]].
    - destruct (Nat.eq_dec i T) as [-> | X]; [exact (moves_at_end c before R C) | apply moves_in_loop; [exact R | lia | exact C]].
    - destruct P as [(P6 & F0 & -> & D & M & X1 & X2 & X3) | (-> & P)]; [exact (moves_held c d x g q R HS P6 F0 D M X1 X2 X3) |].
      unfold next, is_after, place, k. cbv zeta. rewrite moving_on, Nat.add_succ_r. set (t := (c + d)%nat) in *.
      destruct (alone_in_converter t) as (ONE & B & _). destruct (H_steps t) as (T1 & T2 & T3).
      assert (still : fill t = 0 -> move t = 0 -> carried t = 0 -> p_q (S t) = p_q t) by (intros; apply H_rests; try assumption; apply no_carries_yet; assumption).
      assert (none : valid t = 0 -> takes net t = false /\ waits net t = false) by (intros V; destruct (cases t) as [(_ & E) | [(V' & _) | (V' & _)]]; [exact E | congruence | congruence]).
      destruct P as [(F & D & M & X1 & X2 & X3) | [(F & D & M & X1 & X2 & X3) | [(F & D & M & X1 & X2) | (F & D & X1)]]].
      + right. destruct none as [-> ->]; [clear - ONE B F; lia |]. split; [| clear; lia]. split; [exact R |]. right. exists x, g, q. split; [exact HS |].
        right. split; [reflexivity |]. right. left. split; [| split; [clear - D; lia | split; [clear - M; lia | auto]]].
        rewrite T1. assert (fill t = 1 /\ move t = 0 \/ fill t = 0 /\ move t = 1) as [[-> ->] | [-> ->]] by (clear - B F; lia); reflexivity.
      + right. destruct none as [-> ->]; [clear - ONE B F; lia |]. split; [| clear; lia]. split; [exact R |]. right. exists x, g, q. split; [exact HS |].
        right. split; [reflexivity |]. right. right. left. split; [congruence |]. split; [clear - D; lia |]. split; [clear - M; lia |].
        split; [rewrite still by (clear - ONE B F; lia); exact X1 |]. intros j J. rewrite <- X2, <- X3. apply (H_look_ahead t j J).
        destruct (control t) as (_ & _ & _ & _ & _ & _ & -> & _). exact F.
      + assert (E : fill t = 0 /\ move t = 0 /\ valid t = 0) by (clear - ONE B F; lia). destruct E as (F0 & M0 & V0).
        right. destruct (none V0) as [-> ->]. split; [| clear; lia]. split; [exact R |]. right. exists x, g, q. split; [exact HS |].
        right. split; [reflexivity |]. right. right. right. split; [rewrite T3, F, V0; reflexivity |]. split; [clear - D; lia |].
        rewrite H_answer. apply (carried_groups c x g q (carries t) (p_q (S t)) R HS); [range (S t) | exact X2 | |].
        * intros j J. cbv zeta. rewrite <- X1. exact (H_increments t j J F0 M0).
        * etransitivity; [exact (H_low_digits_stay t F0 M0) |]. rewrite X1. reflexivity.
      + destruct (cases t) as [(V' & _) | [(_ & Y & -> & _) | (_ & Y & -> & ->)]]; [congruence | left; auto |]. right. split; [| clear; lia].
        assert (E : fill t = 0 /\ move t = 0 /\ carried t = 0) by (clear - ONE B F; lia). destruct E as (F0 & M0 & C0).
        split; [exact R |]. right. exists x, g, q. split; [exact HS |]. right. split; [reflexivity |]. right. right. right.
        split; [rewrite T3, F, Y, C0; reflexivity |]. split; [clear - D; lia |]. rewrite !H_answer in *. rewrite still by assumption. exact X1.
  Qed.

  Lemma balanced : forall t, in_loop (S t) + in_converter (S t) + (if takes net t then 1 else 0) = in_loop t + in_converter t + if accepts net t then 1 else 0.
  Proof.
    intros t. pose proof (H_balance t (in_control t)) as E. fold (in_loop t) (in_loop (S t)) (in_converter t) (in_converter (S t)) in E.
    destruct (bits t) as (_ & BI & BQ & BR). unfold accepts, takes. destruct (H_ready t) as [RI RV]. rewrite RI, RV in *.
    destruct (bits t) as ((_ & _ & _ & _ & B5) & _).
    assert (valid t = 0 \/ valid t = 1) as [V | V] by lia; assert (taken_i t = 0 \/ taken_i t = 1) as [Y | Y] by lia;
      assert (idle t = 0 \/ idle t = 1) as [I | I] by lia; assert (net "req_valid_i" t = 0 \/ net "req_valid_i" t = 1) as [Q | Q] by lia;
      rewrite V, Y, I, Q in *; cbn [Z.eqb Pos.eqb andb]; lia.
  Qed.

  Theorem contract : pipelined net (fun t => two operand (net "a_i" t)) (fun t => two operand (net "b_i" t)) n_of
    (fun t => two operand (net "p_o" t)) (T + 5) (T + 5) (2 ^ (many * digit)) legal bounded bounded.
  Proof.
    apply (in_order _ _ _ _ _ _ _ _ _ _ _ (fun t => Z.to_nat (in_loop t + in_converter t)) is_after).
    - destruct (H_control_at_reset O eq_refl) as (_ & _ & E). destruct (H_at_reset O eq_refl) as (P0 & _). fold (in_converter O) in E.
      unfold in_loop. rewrite P0, E. reflexivity.
    - intros t. pose proof (balanced t). pose proof (of_nothing t). pose proof (of_nothing (S t)). destruct (takes net t), (accepts net t); lia.
    - intros t V. destruct (H_ready t) as [_ E]. rewrite E in V. pose proof (of_nothing t). lia.
    - intros t V Y. destruct (H_ready t) as [_ E]. destruct (H_ready (S t)) as [_ ->]. rewrite E in V. destruct (H_steps t) as (_ & _ & ->). rewrite V, Y.
      destruct (bits t) as ((B1 & B2 & B3 & B4 & B5) & _). destruct (control t) as (_ & _ & _ & _ & ONE & _). assert (carried t = 0) as C by lia. rewrite C.
      split; [reflexivity |]. rewrite !H_answer, H_rests by (try lia; apply no_carries_yet, C). reflexivity.
    - intros c V Y L A B. destruct (H_ready c) as [I _]. rewrite Y in I. split; [repeat split; try assumption; try apply L; try apply A; try apply B; congruence |]. left. exists O.
      split; [lia |]. split; [reflexivity |]. rewrite Nat.add_1_r. pose proof (balanced c) as E. pose proof (of_nothing c) as F.
      assert (accepts net c = true) as G by (unfold accepts; rewrite V, Y; reflexivity). rewrite G in E.
      assert (in_loop (S c) = 1) as J by (unfold in_loop; destruct (H_accept c (in_control c) V ltac:(congruence)) as (-> & _); reflexivity). rewrite J in E.
      pose proof (of_nothing (S c)). destruct (takes net c); lia.
    - exact moves.
    - intros c d [R H] V. destruct (H_ready (c + d)%nat) as [_ RV]. rewrite RV in V. pose proof (of_nothing (c + d)%nat) as F.
      destruct (bits (c + d)%nat) as ((B1 & B2 & B3 & B4 & B5) & _). destruct (control (c + d)%nat) as (_ & _ & _ & _ & ONE & _).
      destruct H as [(i & _ & _ & E) | (x & g & q & _ & P)]; [lia |].
      destruct P as [(_ & _ & E & _) | (_ & [(E & _) | [(E & _) | [(E & _) | (_ & D & G)]]])]; [discriminate | lia | lia | lia |].
      split; [lia | exact G].
    - intros c d before [R H] M. pose proof (moving_most c d). destruct H as [(i & I & E & _) | (x & g & q & _ & P)]; [lia |].
      destruct P as [(_ & _ & _ & _ & E & _) | (-> & [(_ & _ & E & _) | [(_ & _ & E & _) | [(_ & _ & E & _) | (V & _)]]])]; [lia | lia | lia | lia |].
      split; [reflexivity |]. destruct (H_ready (c + d)%nat) as [_ ->]. exact V.
    - lia.
  Qed.
End Chain.
