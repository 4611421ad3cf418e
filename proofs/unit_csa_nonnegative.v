(* SPDX-License-Identifier: Apache-2.0 *)
(* mf_unit_csa_exact with nonnegative results from the nets of the RTL to the contract, for every width and group; one text for all digits and delays. The hypotheses are the
   lemmas that montforge prints into unit_csa_lemmas.v, for the Booth terms and delay of a design, and proves on the RTL. *)
From Coq Require Import ZArith Lia String.
Require Import DigitRecurrence Instances WordSerial Contract Control Bits UnitAccumulator Groups Scaled unit_csa_lemmas unit_csa_loop unit_csa_tail unit_csa_exact.
Open Scope string_scope. Open Scope Z_scope.
Set Default Proof Using "All".

Section Chain.
  Variables (width : nat) (loops many last digit operand modulus state delay Pair group : Z) (net : trace).
  Let W := Z.of_nat width.
  Local Notation on lemma := (lemma W loops many last digit operand modulus state delay Pair group net).
  Hypotheses (sizes : (3 <= W /\ 3 <= digit /\ 2 <= delay <= 3 /\ 1 <= group) /\ (operand = W + 1 /\ modulus = W + 1 /\ state = W + digit * delay + 2 /\ Pair = operand) /\
      (operand <= many * digit /\ delay <= many) /\ (1 <= last /\ W + 2 <= last * digit + digit * delay /\ many <= last + delay /\ loops = last + delay + 1))
    (H_ranges : on ranges) (H_ready : on ready) (H_selects : on selects) (H_valid : on valid_digits) (H_at_reset : on at_reset) (H_accept : on accept)
    (H_count : on count) (H_no_load : on no_load) (H_no_load_yet : on no_load_yet) (H_converts : on converts) (H_wait : on wait) (H_keep : on keep)
    (H_keep_modulus : on keep_modulus) (H_shift_a : on shift_a) (H_first_digit : on first_digit) (H_other_digits : on other_digits)
    (H_a_terms : on a_terms) (H_first_terms : on first_terms) (H_a_transfer : on a_transfer) (H_quotient_digit : on quotient_digit)
    (H_quotient_terms : on quotient_terms) (H_quotient_transfer : on quotient_transfer) (H_a_multiples : on a_multiples)
    (H_product_rows : on product_rows) (H_product : on product) (H_quotient_multiples : on quotient_multiples) (H_quotient_rows : on quotient_rows)
    (H_quotient_product : on quotient_product) (H_rows : on rows) (H_pair : on pair) (H_accumulate : on accumulate) (H_look_ahead : on look_ahead)
    (H_no_carries : on no_carries) (H_rests : on rests)
    (H_no_transfer : on no_transfer) (H_tail : on tail) (H_tail_count : on tail_count) (H_constants : on constants)
    (H_first : on first_of_exact) (H_dated_at_reset : on dated_at_reset) (H_dated_on : on dated_on) (H_no_exact : on no_exact)
    (H_exact_terms : on exact_terms) (H_low_terms : on low_terms) (H_exact_multiples : on exact_multiples) (H_exact_rows : on exact_rows)
    (H_exact_digit : on exact_digit) (H_exact_transfer : on exact_transfer) (H_loads : on loads) (H_tail_end : on tail_end) (H_increments : on increments) (H_sums : on sums)
    (H_starts : on starts) (H_corrects : on corrects) (H_finds_p : on finds_p) (H_selects_p : on selects_p) (H_selects_no_n : on selects_no_n)
    (H_selects_n : on selects_n) (H_converted : on converted) (H_correction : on correction) (H_corrected : on corrected)
    (H_corrected_sums : on corrected_sums) (H_answer : on answer).

  Local Notation phase := (net "u_core.phase_q"). Local Notation left := (net "u_core.left_q"). Local Notation start := (net "u_core.start_q").
  Local Notation idle := (net "u_core.idle_q"). Local Notation shift := (net "u_core.shift_q"). Local Notation a_q := (net "u_core.a_q").
  Local Notation started := (net "u_core.u_convert.started_q"). Local Notation carries := (net "u_core.u_convert.carries").

  Lemma no_start : forall t, phase t <> 3 -> phase t <> 4 -> start t = 0.
  Proof.
    intros [| t] P Q; [apply (H_at_reset O eq_refl) |]. destruct (H_starts t) as [-> _].
    destruct (Z.eqb_spec (phase t) 2) as [E |].
    - destruct (Z.eqb_spec (left t) 0) as [F |]; [| reflexivity]. destruct (H_tail_end t E F). contradiction.
    - destruct (Z.eqb_spec (phase t) 3) as [E |]; [| reflexivity]. destruct (Z.eqb_spec (left t) 0) as [F |]; [| reflexivity]. destruct (H_converted t E F). contradiction.
  Qed.

  Lemma starts_after : forall t, phase t = 2 -> left t = 0 -> start (S t) = 1.
  Proof. intros t P L. destruct (H_starts t) as [-> _]. rewrite P, L. reflexivity. Qed.

  Lemma start_once : forall t, phase t = 3 -> 0 < left t -> start (S t) = 0.
  Proof. intros t P L. destruct (H_starts t) as [-> _]. rewrite P. change (3 =? 2) with false. change (3 =? 3) with true. cbv iota. destruct (Z.eqb_spec (left t) 0); [lia | reflexivity]. Qed.

  Lemma no_correction_yet : forall t, phase t = 2 -> left t = 0 -> net "u_core.correct_q" (S t) = 0.
  Proof. intros t P L. rewrite H_corrects. destruct (H_tail_end t P L) as [-> _]. reflexivity. Qed.

  Lemma no_select_yet : forall t, phase t = 2 -> net "u_core.gen_nonnegative.select_p_q" (S t) = 0 /\ net "u_core.gen_nonnegative.select_n_q" (S t) = 0.
  Proof.
    intros [| t] P; [destruct (H_at_reset O eq_refl) as (E & _); rewrite E in P; discriminate |].
    assert (F : net "u_core.gen_nonnegative.p_found_q" (S t) = 0) by (rewrite H_finds_p, P; reflexivity).
    rewrite H_selects_p, F, (H_selects_no_n _ F). split; reflexivity.
  Qed.

  Definition first_sums t i (P : phase t = 2) (L : left t = 0) I S1 I1 T1 :=
    H_sums (S t) i I S1 I1 T1 (no_correction_yet t P L) (proj1 (no_select_yet t P)) (proj2 (no_select_yet t P)).

  Local Notation exact lemma := (lemma W loops many last digit operand modulus state delay Pair group net sizes H_ranges H_selects H_valid H_at_reset H_accept H_count
    H_no_load H_no_load_yet H_converts H_keep H_keep_modulus H_shift_a H_first_digit H_other_digits H_a_terms H_first_terms H_a_transfer H_quotient_digit
    H_quotient_terms H_quotient_transfer H_a_multiples H_product_rows H_product H_quotient_multiples H_quotient_rows H_quotient_product H_rows H_pair H_accumulate
    H_look_ahead H_no_transfer H_tail H_tail_count H_tail_end H_constants H_first H_dated_at_reset H_dated_on H_no_exact H_exact_terms H_low_terms
    H_exact_multiples H_exact_rows H_exact_digit H_exact_transfer H_loads H_increments no_start starts_after start_once first_sums).
  Ltac range t := in_range H_ranges t.
  Let D := S (Z.to_nat (delay - 1)).
  Let L := Z.to_nat loops.

  Lemma idle_is : forall t, idle t = if phase t =? 0 then 1 else 0.
  Proof. exact (exact unit_csa_exact.idle_is). Qed.

  Lemma shift_is : forall t, shift t = if phase t =? 1 then 1 else 0.
  Proof. exact (exact unit_csa_exact.shift_is). Qed.

  Section Request.
  (* A request is accepted in cycle c. *)
  Variables (c : nat).
  Let n := net "n_i" c. Let a := two operand (net "a_i" c). Let b := two operand (net "b_i" c).
  Hypotheses (begins : phase c = 0) (request : net "req_valid_i" c = 1) (odd : n mod 2 = 1) (least : 3 <= n)
    (constant : scaled (digit * delay) n (two W (net "n_scaled_i" c))) (inverse : (n * net "n_inverse_i" c + 1) mod 2 ^ (digit * delay) = 0)
    (a_range : - n < a < n) (b_range : - n < b < n).
  Local Notation requested lemma := (exact lemma c begins request odd least constant inverse a_range b_range).
  Let ends := (S c + S L + S D)%nat.
  Let p := exact_value loops last digit state delay net c.

  Lemma converting : phase ends = 3 /\ left ends = 1 /\ phase (S ends) = 3 /\ left (S ends) = 0 /\ start ends = 1 /\ start (S ends) = 0.
  Proof. exact (requested unit_csa_exact.converting). Qed.

  Lemma value : montgomery n (2 ^ (last * digit + digit * delay)) a b p /\ - n < p < n.
  Proof.
    pose proof (requested unit_csa_exact.value) as V. cbv zeta in V. rewrite !pw_words in V by lia. rewrite <- Z.pow_add_r in V by (apply Z.mul_nonneg_nonneg; lia).
    replace (Z.of_nat (Z.to_nat last) * digit + Z.of_nat (S (Z.to_nat (delay - 1))) * digit) with (last * digit + digit * delay) in V; [exact V |].
    replace (Z.of_nat (Z.to_nat last)) with last by lia. replace (Z.of_nat (S (Z.to_nat (delay - 1)))) with delay by lia. ring.
  Qed.

  Lemma in_a : part (a_q (S (S ends))) 0 operand = p mod 2 ^ operand.
  Proof. exact (requested unit_csa_exact.converted_value). Qed.

  Lemma most : n <= 2 ^ W - 1.
  Proof. exact (requested unit_csa_exact.most). Qed.

  Let again := S (S ends).                                                                  (* the first cycle of the second conversion *)

  Lemma correcting : phase again = 4 /\ phase (S again) = 4 /\ phase (S (S again)) = 5 /\ start again = 1 /\ start (S again) = 0 /\ started (S (S again)) = 0.
  Proof.
    destruct converting as (_ & _ & P2 & L2 & _ & S2). unfold again. destruct (H_converted _ P2 L2) as [P3 L3]. destruct (H_correction _ P3 ltac:(lia)) as [P4 L4].
    pose proof (H_corrected _ P4 ltac:(lia)) as P5. destruct (H_starts (S ends)) as (S3 & _). rewrite P2, L2 in S3. destruct (H_starts (S (S ends))) as (S4 & _). rewrite P3 in S4.
    destruct (H_starts (S (S (S ends)))) as (_ & S5). rewrite S4 in S5. repeat split; assumption.
  Qed.

  Lemma finished : phase (S (S again)) = 5 /\ started (S (S again)) = 0.
  Proof. destruct correcting as (_ & _ & A & _ & _ & B). split; assumption. Qed.

  Lemma before : forall t, (c < t < S (S again))%nat -> phase t <> 5.
  Proof.
    intros t T. destruct correcting as (P1 & P2 & _). assert (t <= S ends \/ t = again \/ t = S again)%nat as [X | [-> | ->]] by (unfold again in *; lia);
      [| rewrite P1; discriminate | rewrite P2; discriminate].
    destruct (requested unit_csa_exact.busy t ltac:(unfold ends, L, D in *; lia)) as [-> | [-> | ->]]; discriminate.
  Qed.

  Lemma answered : montgomery n (2 ^ (last * digit + digit * delay)) a b (net "p_o" (S (S again))) /\ 0 <= net "p_o" (S (S again)) < n.
  Proof.
    destruct correcting as (P1 & P2 & _ & S1 & S2 & _). destruct value as [[z M] R]. pose proof most as B. pose proof (half operand ltac:(lia)) as O. replace (operand - 1) with W in O by lia.
    assert (calm3 : forall t, phase t = 3 -> idle t = 0 /\ shift t = 0) by (intros t E; rewrite idle_is, shift_is, E; split; reflexivity).
    assert (calm : forall t, phase t = 4 -> idle t = 0 /\ shift t = 0) by (intros t E; rewrite idle_is, shift_is, E; split; reflexivity).
    destruct (calm _ P1) as [I1 T1]. destruct (calm _ P2) as [I2 T2]. clear calm.
    assert (C1 : net "u_core.correct_q" again = 1) by (unfold again in *; rewrite H_corrects, P1; reflexivity).
    destruct converting as (_ & _ & P0 & L0 & _ & S0). destruct (calm3 _ P0) as [I0 T0].
    assert (V1 : net "u_core.gen_nonnegative.p_found_q" (S ends) = 1) by (rewrite H_finds_p, P0, L0; reflexivity).
    pose proof (H_selects_p (S ends)) as C2. rewrite V1 in C2. pose proof (H_selects_n _ V1 I0 T0 S0) as C3. fold again in C2, C3.
    assert (N1 : net "u_core.gen_n.n_q" again = n).
    { pose proof (requested unit_csa_exact.held (S L + S D + 2)%nat) as H. replace (S c + (S L + S D + 2))%nat with again in H by (unfold again, ends; lia).
      apply H. unfold again, ends, L, D. lia. }
    pose proof in_a as A. fold again in A.
    assert (sign : part (a_q again) W 1 = if p <? 0 then 1 else 0).
    { pose proof (part_part (a_q again) 0 operand W 1 ltac:(lia) ltac:(lia) ltac:(lia) ltac:(lia)) as E. rewrite Z.add_0_l, A in E. rewrite <- E. replace W with (operand - 1) at 1 by lia.
      rewrite BoothRows.top_bit_range by (try apply Z.mod_pos_bound; lia). replace (operand - 1) with W by lia. destruct (Z.ltb_spec p 0).
      - rewrite <- (Z.mod_unique p (2 ^ operand) (-1) (p + 2 ^ operand)) by lia. destruct (Z.ltb_spec (p + 2 ^ operand) (2 ^ W)); lia.
      - rewrite Z.mod_small by lia. destruct (Z.ltb_spec p (2 ^ W)); lia. }
    set (y := if p <? 0 then n else 0).
    assert (E : part (a_q (S (S again))) 0 Pair = (part (a_q again) 0 Pair + part y 0 Pair + 0) mod 2 ^ Pair).
    { apply (Groups.converted group Pair 0 (a_q again) y 0 (a_q (S again)) _ (net "u_core.u_convert.generates" again) (net "u_core.u_convert.propagates" again)
        (carries (S again))); try lia.
      - intros i I. assert (G : (if part (a_q again) W 1 =? 1 then (net "u_core.gen_n.n_q" again / 2 ^ (i * group)) mod 2 ^ Z.min group (Pair - i * group) else 0) =
          part y (i * group) (Z.min group (Pair - i * group))).
        { rewrite sign, N1. unfold y. destruct (p <? 0); [reflexivity |]. symmetry. apply part_zero. }
        destruct (H_corrected_sums again i I S1 I1 T1 C1 C2 C3) as [A1 A2]. rewrite G in A1, A2. split; [exact A1 | exact A2].
      - intros i I. exact (H_look_ahead again i I S1).
      - intros i I. exact (H_increments (S again) i I I2 T2 S2). }
    assert (F : net "p_o" (S (S again)) = p + y).
    { rewrite H_answer. pose proof (part_part (a_q (S (S again))) 0 Pair 0 W ltac:(lia) ltac:(lia) ltac:(lia) ltac:(lia)) as G. rewrite !Z.add_0_l in G. rewrite <- G, E, <- (Z.add_0_r (_ + _)).
      replace Pair with operand by lia. rewrite A. rewrite (part_whole y) by (unfold y; destruct (Z.ltb_spec p 0); lia). rewrite !Z.add_0_r, Z.add_mod_idemp_l by lia.
      unfold y. destruct (Z.ltb_spec p 0); rewrite Z.mod_small by lia; unfold part; change (2 ^ 0) with 1; rewrite Z.div_1_r; apply Z.mod_small; lia. }
    rewrite F. unfold y. destruct (Z.ltb_spec p 0); (split; [| lia]).
    - exists (z + 2 ^ (last * digit + digit * delay)). rewrite Z.mul_add_distr_r, M. ring.
    - exists z. rewrite Z.add_0_r. exact M.
  Qed.
  End Request.

  Theorem contract : multiplier net (fun t => two operand (net "a_i" t)) (fun t => two operand (net "b_i" t)) (net "n_i")
    (net "p_o") (L + D + 7) (L + D + 7) (2 ^ (last * digit + digit * delay))
    (fun c => net "n_i" c mod 2 = 1 /\ 3 <= net "n_i" c /\ scaled (digit * delay) (net "n_i" c) (two W (net "n_scaled_i" c)) /\
      (net "n_i" c * net "n_inverse_i" c + 1) mod 2 ^ (digit * delay) = 0)
    (fun n x => - n < x < n) (fun n x => 0 <= x < n).
  Proof.
    apply (serves _ _ _ _ _ _ _ _ _ _ _ phase 0 5 (fun t => started t = 0)).
    - intros t. destruct (H_ready t) as [-> ->]. rewrite idle_is. split; reflexivity.
    - intros c I V (odd & least & constant & inverse) a_range b_range. exists (L + D + 7)%nat.
      pose proof (before c I V odd least constant inverse a_range b_range) as B. pose proof (finished c I V odd least constant inverse a_range b_range) as (F1 & F2).
      pose proof (answered c I V odd least constant inverse a_range b_range) as (M & R).
      replace (c + (L + D + 7))%nat with (S (S (S (S (S c + S L + S D))))) by lia.
      split; [lia |]. split; [exact F1 |]. split; [exact B |]. split; [exact F2 |]. split; [exact R |]. apply montgomery_mod. exact M.
    - intros t D0 S0 F. pose proof (H_wait t D0 F) as D'. assert (G : start t = 0) by (apply no_start; rewrite D0; discriminate).
      split; [exact D' |]. split.
      + destruct (H_starts t) as (_ & ->). exact G.
      + rewrite !H_answer. rewrite (H_rests t); [reflexivity | | | exact G | exact (H_no_carries t S0)]; rewrite ?idle_is, ?shift_is, D0; reflexivity.
  Qed.
End Chain.
