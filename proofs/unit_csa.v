(* SPDX-License-Identifier: Apache-2.0 *)
(* mf_unit_csa from the nets of the RTL to the contract, for every width and group; one text for all digits and delays. The hypotheses are the
   lemmas that montforge prints into unit_csa_lemmas.v, for the Booth terms and delay of a design, and proves on the RTL. *)
From Coq Require Import ZArith Lia String.
Require Import DigitRecurrence Contract Control Bits UnitAccumulator Groups Scaled unit_csa_lemmas unit_csa_loop unit_csa_alone unit_csa_scaled.
Open Scope string_scope. Open Scope Z_scope.
Set Default Proof Using "All".

Section Chain.
  Variables (width : nat) (loops many last digit operand modulus state delay Pair group : Z) (net : trace) (n_of : nat -> Z).
  Let W := Z.of_nat width.
  Local Notation on lemma := (lemma W loops many last digit operand modulus state delay Pair group net).
  Hypotheses (sizes : (3 <= W /\ 2 <= digit /\ 2 <= delay <= 3 /\ 1 <= group) /\ (operand = W + digit * delay /\ modulus = W /\ state = operand + digit + 1) /\
      (operand <= many * digit < operand + digit /\ last = many /\ loops = many + delay /\ Pair = many * digit - (delay - 1) * digit)) (H_ranges : on ranges)
    (H_ready : on ready) (H_selects : on selects) (H_valid : on valid_digits) (H_at_reset : on at_reset) (H_accept : on accept) (H_count : on count)
    (H_no_load : on no_load) (H_no_load_yet : on no_load_yet) (H_converts : on converts) (H_wait : on wait) (H_keep : on keep)
    (H_keep_modulus : on keep_modulus) (H_shift_a : on shift_a) (H_first_digit : on first_digit) (H_other_digits : on other_digits)
    (H_a_terms : on a_terms) (H_first_terms : on first_terms) (H_a_transfer : on a_transfer) (H_quotient_digit : on quotient_digit)
    (H_quotient_terms : on quotient_terms) (H_quotient_transfer : on quotient_transfer) (H_a_multiples : on a_multiples)
    (H_product_rows : on product_rows) (H_product : on product) (H_quotient_multiples : on quotient_multiples) (H_quotient_rows : on quotient_rows)
    (H_quotient_product : on quotient_product) (H_rows : on rows) (H_pair : on pair) (H_accumulate : on accumulate) (H_look_ahead : on look_ahead)
    (H_no_carries : on no_carries) (H_rests : on rests) (H_no_exact : on no_exact) (H_last_transfer : on last_transfer) (H_starts : on starts)
    (H_count_end : on count_end) (H_converted : on converted) (H_sums : on sums) (H_increments : on increments) (H_low_digits : on low_digits)
    (H_low_digits_stay : on low_digits_stay) (H_answer : on answer).

  Local Notation phase := (net "u_core.phase_q"). Local Notation left := (net "u_core.left_q"). Local Notation idle := (net "u_core.idle_q").
  Local Notation shift := (net "u_core.shift_q"). Local Notation start := (net "u_core.start_q"). Local Notation started := (net "u_core.u_convert.started_q").
  Local Notation carries := (net "u_core.u_convert.carries"). Local Notation a_q := (net "u_core.a_q").
  Local Notation s_q := (net "u_core.s_q"). Local Notation c_q := (net "u_core.c_q"). Local Notation carry_q := (net "u_core.carry_q").

  Let N := Z.to_nat many.                                                                   (* digits of a and of the quotient *)
  Let T := (Z.to_nat (delay - 1) + S N)%nat.                                                (* the last cycle of the loop *)

  Lemma positive : 1 <= digit.
  Proof. lia. Qed.

  Local Notation alone lemma := (lemma W loops many last digit operand modulus state delay Pair group net positive H_ranges H_selects H_at_reset H_accept
    H_no_load H_shift_a H_quotient_digit H_quotient_transfer H_accumulate).
  Ltac range t := in_range H_ranges t.

  Lemma idle_is : forall t, idle t = if phase t =? 0 then 1 else 0.
  Proof. exact (alone unit_csa_alone.idle_is). Qed.

  Lemma shift_is : forall t, shift t = if phase t =? 1 then 1 else 0.
  Proof. exact (alone unit_csa_alone.shift_is). Qed.

  Lemma no_start : forall t, phase t <> 3 -> phase t <> 4 -> start t = 0.
  Proof.
    intros [| t] P _; [apply (H_at_reset O eq_refl) |]. destruct (H_starts t) as [-> _].
    destruct (Z.eqb_spec (phase t) 1) as [E |]; [| reflexivity]. destruct (Z.eqb_spec (left t) 0) as [F |]; [| reflexivity].
    destruct (H_count_end t E F). contradiction.
  Qed.

  Local Notation loop lemma := (lemma width loops many last digit operand modulus state delay Pair group net sizes H_ranges H_selects H_valid H_at_reset
    H_count H_no_load_yet H_keep H_keep_modulus H_first_digit H_other_digits H_a_terms H_first_terms H_a_transfer H_quotient_digit H_quotient_terms
    H_a_multiples H_product_rows H_product H_quotient_multiples H_quotient_rows H_quotient_product H_rows H_pair H_accumulate H_no_exact H_last_transfer
    (fun _ : nat => False) (fun (t : nat) (F : False) => False_ind _ F) (fun t _ => proj1 (H_quotient_transfer t)) (fun t => proj2 (H_quotient_transfer t))
    (alone unit_csa_alone.resting) (alone unit_csa_alone.shifts no_start)).

  Section Request.
  (* A request is accepted in cycle c. *)
  Variables (c : nat).
  Let n := n_of c. Let a := two operand (net "a_i" c). Let b := two operand (net "b_i" c).
  Hypotheses (begins : phase c = 0) (request : net "req_valid_i" c = 1) (odd : n mod 2 = 1) (least : 3 <= n) (most : n < 2 ^ W)
    (constant : scaled (digit * delay) n (two W (net "n_scaled_i" c)))
    (a_range : - (2 ^ (digit * delay) * n) < 2 * a < 2 ^ (digit * delay) * n) (b_range : - (2 ^ (digit * delay) * n) < 2 * b < 2 ^ (digit * delay) * n).
  Local Notation requested lemma := (loop lemma c n (alone unit_csa_alone.begun no_start c begins request) odd least most constant a_range b_range).
  Let first := S c.
  Let ends := (first + S T)%nat.                                                            (* the first cycle of the conversion *)
  Let final := S (S ends).

  Lemma loop_state : forall t, (t <= T)%nat -> phase (first + t)%nat = 1 /\ left (first + t)%nat = Z.of_nat (T - t).
  Proof. exact (requested unit_csa_scaled.loop_state). Qed.

  Lemma converting : phase ends = 3 /\ phase (S ends) = 3 /\ phase final = 5 /\ start ends = 1 /\ start (S ends) = 0.
  Proof.
    destruct (loop_state T (le_n T)) as (P0 & L0). rewrite Nat.sub_diag in L0. destruct (H_count_end _ P0 L0) as [P1 L1]. rewrite <- Nat.add_succ_r in P1, L1. fold ends in P1, L1.
    destruct (H_converts ends P1 ltac:(lia)) as [P2 L2']. pose proof (H_converted (S ends) P2 ltac:(lia)) as P3.
    destruct (H_starts (first + T)%nat) as (S1 & _). rewrite <- Nat.add_succ_r, P0, L0 in S1. fold ends in S1.
    destruct (H_starts ends) as (S2 & _). rewrite P1 in S2. repeat split; assumption.
  Qed.

  Lemma answered : let p := two operand (net "p_o" final) in
    - (2 ^ (digit * delay) * n) < 2 * p < 2 ^ (digit * delay) * n /\ (p * 2 ^ (many * digit)) mod n = (a * b) mod n.
  Proof.
    destruct converting as (P1 & P2 & P3 & S1 & S2). pose proof (requested unit_csa_scaled.places) as (PP & _ & L0 & _). cbv zeta.
    assert (calm : forall t, phase t = 3 -> idle t = 0 /\ shift t = 0) by (intros t E; rewrite idle_is, shift_is, E; split; reflexivity).
    destruct (calm _ P1) as [I1 T1]. destruct (calm _ P2) as [I2 T2]. clear calm. destruct (loop unit_csa_scaled.bits_of ends) as (_ & _ & _ & _ & K & _).
    rewrite H_answer. apply (requested unit_csa_scaled.register_value); [range final | |].
    - apply (Groups.converted group Pair _ _ _ _ (a_q (S ends)) _ (net "u_core.u_convert.generates" ends) (net "u_core.u_convert.propagates" ends)
        (carries (S ends))); try exact K; try lia.
      + intros i I. exact (H_sums ends i I S1 I1 T1).
      + intros i I. exact (H_look_ahead ends i I S1).
      + intros i I. exact (H_increments (S ends) i I I2 T2 S2).
    - etransitivity; [exact (H_low_digits_stay (S ends) I2 T2 S2) |]. etransitivity; [exact (H_low_digits ends S1 I1 T1) |].
      apply (requested unit_csa_scaled.last_digits). rewrite idle_is. destruct (loop_state T (le_n T)) as [P0 _]. fold N T first. rewrite P0. reflexivity.
  Qed.

  Lemma before : forall t, (c < t < final)%nat -> phase t <> 5.
  Proof.
    intros t L. destruct converting as (P1 & P2 & _). assert (t < ends \/ t = ends \/ t = S ends)%nat as [X | [-> | ->]] by (unfold final in L; lia);
      [| rewrite P1 | rewrite P2]; try discriminate.
    destruct (loop_state (t - first)%nat ltac:(unfold ends, first in *; lia)) as (P0 & _).
    replace (first + (t - first))%nat with t in P0 by (unfold first in *; lia). rewrite P0. discriminate.
  Qed.

  Lemma at_rest : started final = 0.
  Proof. destruct converting as (_ & _ & _ & _ & S2). unfold final. destruct (H_starts (S ends)) as (_ & ->). exact S2. Qed.
  End Request.

  Theorem contract : multiplier net (fun t => two operand (net "a_i" t)) (fun t => two operand (net "b_i" t)) n_of
    (fun t => two operand (net "p_o" t)) (T + 4) (T + 4) (2 ^ (many * digit))
    (fun c => n_of c mod 2 = 1 /\ 3 <= n_of c /\ n_of c < 2 ^ W /\ scaled (digit * delay) (n_of c) (two W (net "n_scaled_i" c)))
    (fun n x => - (2 ^ (digit * delay) * n) < 2 * x < 2 ^ (digit * delay) * n) (fun n x => - (2 ^ (digit * delay) * n) < 2 * x < 2 ^ (digit * delay) * n).
  Proof.
    apply (serves _ _ _ _ _ _ _ _ _ _ _ phase 0 5 (fun t => started t = 0)).
    - intros t. destruct (H_ready t) as [-> ->]. rewrite idle_is. split; reflexivity.
    - intros c I V (odd & least & most & constant) a_range b_range. exists (T + 4)%nat.
      pose proof (before c I V odd least most constant a_range b_range) as B. pose proof (converting c I V odd least most constant a_range b_range) as (_ & _ & D & _).
      pose proof (at_rest c I V odd least most constant a_range b_range) as Q. pose proof (answered c I V odd least most constant a_range b_range) as A.
      replace (S (S (S c + S T)))%nat with (c + (T + 4))%nat in * by lia. split; [lia |]. split; [exact D |]. split; [exact B |]. split; [exact Q | exact A].
    - intros t D S0 F. pose proof (H_wait t D F) as D'. assert (G : start t = 0) by (apply no_start; rewrite D; discriminate).
      split; [exact D' |]. split.
      + destruct (H_starts t) as (_ & ->). exact G.
      + rewrite !H_answer. rewrite (H_rests t); [reflexivity | | | exact G | exact (H_no_carries t S0)]; rewrite ?idle_is, ?shift_is, D; reflexivity.
  Qed.
End Chain.
