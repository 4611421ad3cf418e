(* SPDX-License-Identifier: Apache-2.0 *)
(* mf_unit_csa from the nets of the RTL to the contract, for every width and group; one text for all digits and delays. The hypotheses are the
   lemmas that montforge prints into unit_csa_lemmas.v, for the Booth terms and delay of a design, and proves on the RTL. *)
From Coq Require Import ZArith Lia String.
Require Import DigitRecurrence Instances WordSerial Contract Control Bits UnitAccumulator Groups LateQuotient Scaled unit_csa_lemmas unit_csa_loop.
Open Scope string_scope. Open Scope Z_scope.
Set Default Proof Using "All".

Section Chain.
  Variables (width : nat) (loops many last digit operand modulus state delay Pair group : Z) (net : trace) (n_of : nat -> Z).
  Let W := Z.of_nat width.
  Local Notation on lemma := (lemma W loops many last digit operand modulus state delay Pair group net).
  Hypotheses (sizes : (3 <= W /\ 3 <= digit /\ 2 <= delay <= 3 /\ 1 <= group) /\ (operand = W + digit * delay /\ modulus = W /\ state = operand + digit + 1) /\
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

  Let r := 2 ^ digit.
  Let h := 2 ^ (digit - 1).
  Let D1 := Z.to_nat (delay - 1).
  Let N := Z.to_nat many.                                                                   (* digits of a and of the quotient *)
  Let T := (D1 + S N)%nat.                                                                  (* the last cycle of the loop *)

  Lemma enough : 2 * digit <= digit * delay /\ delay <= many.
  Proof. split; nia. Qed.

  Lemma numbers : many = Z.of_nat N /\ delay = Z.of_nat D1 + 1 /\ (1 <= D1)%nat /\ (D1 < N)%nat /\ Z.to_nat loops = T /\ Z.to_nat last = N.
  Proof. pose proof enough. unfold T, N, D1. lia. Qed.

  Lemma loop_sizes : (3 <= W /\ 3 <= digit /\ 2 <= delay <= 3 /\ 1 <= group) /\ (1 <= operand <= many * digit /\ W <= modulus) /\
    (operand + digit < state /\ modulus + digit < state) /\ (delay <= many /\ 1 <= last /\ many <= last + delay <= loops).
  Proof. pose proof enough. lia. Qed.

  Local Notation loop lemma := (lemma W loops many last digit operand modulus state delay Pair group net loop_sizes H_ranges H_selects H_valid H_at_reset
    H_accept H_count H_no_load H_no_load_yet H_keep H_keep_modulus H_shift_a H_first_digit H_other_digits H_a_terms H_first_terms H_a_transfer H_quotient_digit
    H_quotient_terms H_quotient_transfer H_a_multiples H_product_rows H_product H_quotient_multiples H_quotient_rows H_quotient_product H_rows H_pair H_accumulate).
  Ltac range t := range_of H_ranges t.

  Lemma radix : r = 2 * h /\ 4 <= h.
  Proof. exact (loop unit_csa_loop.radix). Qed.

  Lemma idle_is : forall t, idle t = if phase t =? 0 then 1 else 0.
  Proof. exact (loop unit_csa_loop.idle_is). Qed.

  Lemma shift_is : forall t, shift t = if phase t =? 1 then 1 else 0.
  Proof. exact (loop unit_csa_loop.shift_is). Qed.

  Lemma no_start : forall t, phase t <> 3 -> phase t <> 4 -> start t = 0.
  Proof.
    intros [| t] P _; [apply (H_at_reset O eq_refl) |]. destruct (H_starts t) as [-> _].
    destruct (Z.eqb_spec (phase t) 1) as [E |]; [| reflexivity]. destruct (Z.eqb_spec (left t) 0) as [F |]; [| reflexivity].
    destruct (H_count_end t E F). contradiction.
  Qed.

  Section Request.
  (* A request is accepted in cycle c. *)
  Variables (c : nat).
  Let n := n_of c. Let a := two operand (net "a_i" c). Let b := two operand (net "b_i" c). Let nbar := two W (net "n_scaled_i" c).
  Hypotheses (begins : phase c = 0) (request : net "req_valid_i" c = 1) (odd : n mod 2 = 1) (least : 3 <= n) (most : n < 2 ^ W)
    (constant : scaled (digit * delay) n nbar)
    (a_range : - (2 ^ (digit * delay) * n) < 2 * a < 2 ^ (digit * delay) * n) (b_range : - (2 ^ (digit * delay) * n) < 2 * b < 2 ^ (digit * delay) * n).
  Let first := S c.
  Let below (t : nat) : Z := match t with O => 0 | S i => net "u_core.digit_transfer_q" (first + i)%nat end.
  Let d (t : nat) : Z := if Nat.ltb t N then net "u_core.digit" (c + t)%nat + below t - r * below (S t) else 0.
  Let u (t : nat) : Z := net "u_core.u" (first + S t)%nat.
  Let carried (t : nat) : Z := net "u_core.u_transfer_q" (first + S t)%nat.
  Let q (t : nat) : Z := if Nat.leb t N then u t + carried t - r * carried (S t) else 0.
  Let x (t : nat) : Z := if Nat.eqb t (S N) then carried t else 0.
  Let Y (t : nat) : Z := pair_value state (s_q (first + S t)%nat) (c_q (first + S t)%nat) + carry_q (first + S t)%nat.
  Let P := 2 ^ W - 1.
  Let L2 := pw r (S D1).
  Let bound := h * (P * L2).

  Lemma loop_state : forall t, (t <= T)%nat -> phase (first + t)%nat = 1 /\ left (first + t)%nat = Z.of_nat (T - t).
  Proof.
    intros t L. pose proof (loop unit_csa_loop.loop_state c begins request no_start t) as G. cbv zeta in G. destruct numbers as (_ & _ & _ & _ & E & _).
    rewrite E in G. destruct (G L) as (E1 & E2 & _). auto.
  Qed.

  Lemma transfers : net "u_core.transfer_q" first = 0 /\ forall t, (t < T)%nat ->
    net "u_core.transfer_q" (first + S t)%nat = x t /\ (x t = 0 \/ x t = carried t /\ (N < t)%nat).
  Proof.
    destruct numbers as (EN & ED & D11 & _). split; [unfold first; rewrite (H_last_transfer c), begins; reflexivity |].
    intros t L. destruct (loop_state t ltac:(lia)) as (E1 & E2). destruct (loop_state (S t) ltac:(lia)) as (_ & E3). split.
    - rewrite Nat.add_succ_r in *. rewrite (H_last_transfer (first + t)%nat), E1, E2, E3. change (1 =? 1) with true. cbv iota.
      unfold x, carried. rewrite Nat.add_succ_r. destruct (Z.ltb_spec 0 (Z.of_nat (T - t))); [| lia]. unfold T in *.
      destruct (Nat.eqb_spec t (S N)), (Z.eqb_spec (Z.of_nat (D1 + S N - S t)) (delay - 2)); lia.
    - unfold x. destruct (Nat.eqb_spec t (S N)); [right; split; [reflexivity | lia] | left; reflexivity].
  Qed.

  Lemma scale_is : L2 = 2 ^ (digit * delay).
  Proof. destruct numbers as (_ & ED & _). unfold L2, r. rewrite pw_words by lia. f_equal. nia. Qed.

  Lemma wide : 2 ^ (state - 2) = bound + h * L2 /\ 16 <= L2 /\ 1 <= P.
  Proof.
    destruct radix as [R Hh]. pose proof enough as [E2 _]. assert (E : 2 ^ (state - 2) = h * (2 ^ W * L2)).
    { rewrite scale_is. unfold h. rewrite <- !Z.pow_add_r by lia. f_equal. lia. }
    pose proof (Z.pow_le_mono_r 2 2 W ltac:(lia) ltac:(lia)) as W4. change (2 ^ 2) with 4 in W4.
    split; [unfold bound, P; rewrite E; ring |]. split; [| unfold P; lia].
    rewrite scale_is. change 16 with (2 ^ 4). apply Z.pow_le_mono_r; lia.
  Qed.

  Lemma nbar_range : - P <= 2 * nbar <= P.
  Proof. pose proof (scaled_range (digit * delay) n nbar ltac:(lia) ltac:(lia) constant) as B. unfold P. clear - B most. lia. Qed.

  Lemma b_limit : - (P * L2) <= 2 * b <= P * L2.
  Proof.
    rewrite scale_is. assert (0 <= 2 ^ (digit * delay)) by (apply Z.pow_nonneg; lia).
    assert (2 ^ (digit * delay) * n <= 2 ^ (digit * delay) * P) by (apply Z.mul_le_mono_nonneg_l; unfold P; lia). lia.
  Qed.

  Lemma limits : 0 <= P <= P * L2 /\ h * (h * P) + h * (P * L2) + 2 * h <= h * (h * (P * L2)) /\ bound + 2 <= 2 ^ (state - 2).
  Proof.
    destruct radix as [R Hh]. destruct wide as (W1 & W2 & W3). assert (16 * P <= P * L2) by (rewrite (Z.mul_comm P); apply Z.mul_le_mono_nonneg_r; lia).
    assert (32 <= h * L2) by (change 32 with (2 * 16); apply Z.mul_le_mono_nonneg; lia). split; [lia |]. split; [| lia].
    rewrite <- Z.mul_add_distr_l. rewrite (Z.mul_comm 2), <- Z.mul_add_distr_l. apply Z.mul_le_mono_nonneg_l; [lia |].
    assert (h * (16 * P) <= h * (P * L2)) by (apply Z.mul_le_mono_nonneg_l; lia). assert (4 * (P * L2) <= h * (P * L2)) by (apply Z.mul_le_mono_nonneg_r; lia). lia.
  Qed.

  Local Notation requested lemma := (loop lemma c begins request no_start).
  Local Notation late lemma := (requested lemma P (P * L2) x (conj (H_no_exact c) (fun t _ => H_no_exact (first + t)%nat))).

  Lemma transfers_of_loop : net "u_core.transfer_q" first = 0 /\ forall t, (t < Z.to_nat loops)%nat ->
    net "u_core.transfer_q" (first + S t)%nat = x t /\ (x t = 0 \/ x t = carried t /\ (N < t)%nat).
  Proof. destruct numbers as (_ & _ & _ & _ & -> & _). exact transfers. Qed.

  Local Notation recurrence lemma := (late lemma transfers_of_loop nbar_range b_limit (proj1 limits) (proj2 (proj2 limits))).

  Lemma step : forall t, (t < T)%nat -> - (bound + 1) <= Y t <= bound + 1 ->
    r * Y (S t) = Y t + x t - u t + r * (d t * b) + r * (delayed D1 q t * nbar).
  Proof.
    intros t L. pose proof (recurrence unit_csa_loop.step t) as G. cbv zeta in G. destruct numbers as (_ & _ & _ & _ & E & F). rewrite E, F in G. exact (G L).
  Qed.

  Let value := pw r D1 * Y T + digits r (fun i => u (S N + i)%nat) D1.

  Lemma result : montgomery n (pw r N) a b value /\ - (2 ^ (digit * delay) * n) < 2 * value < 2 ^ (digit * delay) * n.
  Proof.
    destruct radix as [R Hh]. destruct numbers as (EN & ED & D11 & DN & _). destruct constant as (ni & I & E).
    pose proof scale_is as SI. pose proof a_range as aR. pose proof b_range as bR. rewrite <- SI in I, E, aR, bR |- *.
    pose proof (late_quotient h n ni nbar a b P (P * L2) N D1 Y d u carried) as G. cbv zeta in G. rewrite <- R in G. fold L2 bound in G.
    apply G; clear G; try assumption; try lia.
    - assert ((2 * Z.abs a) * (2 * Z.abs b) < (L2 * n) * (L2 * n)) by (apply Z.mul_lt_mono_nonneg; lia).
      assert (full : L2 * n <= pw r N).
      { rewrite SI. unfold r. rewrite pw_words, Z.mul_comm by lia. apply Z.le_trans with (2 ^ operand); [| apply Z.pow_le_mono_r; lia].
        replace operand with (W + digit * delay) by lia. rewrite Z.pow_add_r by lia. apply Z.mul_le_mono_nonneg_r; [apply Z.pow_nonneg |]; lia. }
      assert ((L2 * n) * (L2 * n) <= (L2 * n) * pw r N) by (apply Z.mul_le_mono_nonneg_l; lia). rewrite Z.abs_mul. lia.
    - exact b_limit.
    - exact nbar_range.
    - rewrite R. exact (conj (proj1 limits) (proj1 (proj2 limits))).
    - exact (recurrence unit_csa_loop.at_start).
    - exact (requested unit_csa_loop.digits_of_a).
    - intros t L. unfold d. destruct (Nat.ltb_spec t N); [lia | reflexivity].
    - exact (requested unit_csa_loop.d_range).
    - intros t. apply (loop unit_csa_loop.bits_of).
    - exact (recurrence unit_csa_loop.carried_is).
    - intros t L B. rewrite (step t L B). unfold x. do 2 f_equal. f_equal. unfold delayed. destruct (Nat.ltb t D1); [reflexivity |]. unfold q.
      destruct (Nat.leb_spec (t - D1) N); [reflexivity | lia].
  Qed.

  (* ---------------------------------------------------------------- the conversion *)
  Let ends := (first + S T)%nat.                                                            (* its first cycle *)
  Let Low := (delay - 1) * digit.
  Let final := S (S ends).

  Lemma converting : phase ends = 3 /\ phase (S ends) = 3 /\ phase final = 5 /\ start ends = 1 /\ start (S ends) = 0.
  Proof.
    destruct (loop_state T (le_n T)) as (P0 & L0). rewrite Nat.sub_diag in L0. destruct (H_count_end _ P0 L0) as [P1 L1]. rewrite <- Nat.add_succ_r in P1, L1. fold ends in P1, L1.
    destruct (H_converts ends P1 ltac:(lia)) as [P2 L2']. pose proof (H_converted (S ends) P2 ltac:(lia)) as P3.
    destruct (H_starts (first + T)%nat) as (S1 & _). rewrite <- Nat.add_succ_r, P0, L0 in S1. fold ends in S1.
    destruct (H_starts ends) as (S2 & _). rewrite P1 in S2. repeat split; assumption.
  Qed.

  Lemma places : 1 <= Pair /\ Pair <= state /\ 0 <= Low /\ many * digit = Low + Pair /\ Low = Z.of_nat D1 * digit /\ 2 ^ Low = pw r D1.
  Proof.
    destruct numbers as (EN & ED & D11 & DN & _). pose proof enough as [_ E]. assert (LD : Low = Z.of_nat D1 * digit) by (unfold Low; f_equal; lia).
    assert (delay * digit <= many * digit) by (apply Z.mul_le_mono_nonneg_r; lia). assert (0 <= Low) by (rewrite LD; apply Z.mul_nonneg_nonneg; lia).
    unfold Low in *. repeat split; try lia. rewrite LD. unfold r. rewrite pw_words by lia. reflexivity.
  Qed.

  Lemma converted_sum : a_q final = 2 ^ Low * ((s_q ends + c_q ends + carry_q ends) mod 2 ^ Pair) + digits r (fun i => u (S N + i)%nat) D1.
  Proof.
    destruct converting as (P1 & P2 & P3 & S1 & S2). destruct places as (PP & PS & L0 & SE & LD & LP). destruct numbers as (_ & _ & D11 & DN & _).
    assert (calm : forall t, phase t = 3 -> idle t = 0 /\ shift t = 0) by (intros t E; rewrite idle_is, shift_is, E; split; reflexivity).
    destruct (calm _ P1) as [I1 T1]. destruct (calm _ P2) as [I2 T2]. clear calm.
    destruct (loop unit_csa_loop.bits_of ends) as (_ & _ & _ & _ & K & _).
    assert (H : part (a_q final) Low Pair = (part (s_q ends) 0 Pair + part (c_q ends) 0 Pair + carry_q ends) mod 2 ^ Pair).
    { apply (Groups.converted group Pair Low _ _ _ (a_q (S ends)) _ (net "u_core.u_convert.generates" ends) (net "u_core.u_convert.propagates" ends)
        (carries (S ends))); try lia.
      - intros i I. exact (H_sums ends i I S1 I1 T1).
      - intros i I. exact (H_look_ahead ends i I S1).
      - intros i I. exact (H_increments (S ends) i I I2 T2 S2). }
    assert (G : part (a_q final) 0 Low = digits r (fun i => u (S N + i)%nat) D1).
    { unfold final. etransitivity; [exact (H_low_digits_stay (S ends) I2 T2 S2) |]. etransitivity; [exact (H_low_digits ends S1 I1 T1) |]. fold Low.
      pose proof (requested unit_csa_loop.entered (first + S (S N))%nat D1 ltac:(lia)) as E. rewrite <- LD in E. fold r in E.
      replace (first + S (S N) + D1)%nat with ends in E by (unfold ends, T; lia). etransitivity; [apply E |].
      - intros i I. replace (first + S (S N) + i)%nat with (first + (S (S N) + i))%nat by lia. apply loop_state. unfold T. lia.
      - apply digits_ext. intros i I. unfold u. f_equal. lia. }
    assert (R : 0 <= a_q final < 2 ^ (many * digit)) by (range final).
    rewrite (low_and_high (many * digit) Low (a_q final) ltac:(lia) R). replace (many * digit - Low) with Pair by lia. rewrite H, G, Z.add_comm. do 2 f_equal.
    unfold part. change (2 ^ 0) with 1. rewrite !Z.div_1_r. rewrite <- (Z.add_mod_idemp_l (s_q ends + c_q ends)), (Z.add_mod (s_q ends)), Z.add_mod_idemp_l by (apply Z.pow_nonzero; lia). reflexivity.
  Qed.

  Lemma answered : two operand (net "p_o" final) = value.
  Proof.
    destruct radix as [R Hh]. destruct places as (PP & PS & L0 & SE & LD & LP). rewrite H_answer.
    assert (O1 : 1 <= operand) by lia. unfold part. change (2 ^ 0) with 1. rewrite Z.div_1_r. change (signed operand (a_q final) = value).
    apply signed_is; [exact O1 | |].
    - destruct result as [_ B]. pose proof (half operand O1) as H. assert (2 ^ operand = 2 ^ W * 2 ^ (digit * delay)) by (replace operand with (W + digit * delay) by lia; rewrite Z.pow_add_r by lia; reflexivity).
      assert (2 ^ (digit * delay) * n <= 2 ^ (digit * delay) * 2 ^ W) by (apply Z.mul_le_mono_nonneg_l; [apply Z.pow_nonneg |]; lia). lia.
    - rewrite converted_sum. unfold value. apply (divide_pow operand (many * digit)); [lia |]. rewrite SE, Z.pow_add_r, LP by lia.
      pose proof (divide_pow Pair state _ ltac:(lia) (signed_divides state (s_q ends + c_q ends) ltac:(lia))) as [j E].
      unfold Y. fold ends. unfold pair_value. set (v := s_q ends + c_q ends) in *. rewrite (Z.mod_eq (v + carry_q ends)) by (apply Z.pow_nonzero; lia).
      exists (j + (v + carry_q ends) / 2 ^ Pair). set (e := (v + carry_q ends) / 2 ^ Pair) in *.
      replace (signed state v) with (v + j * 2 ^ Pair) by lia. ring.
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
      pose proof (at_rest c I V odd least most constant a_range b_range) as Q. pose proof (result c I V odd least most constant a_range b_range) as [M R].
      pose proof (answered c I V odd least most constant a_range b_range) as E. replace (S (S (S c + S T)))%nat with (c + (T + 4))%nat in * by lia.
      rewrite E. split; [lia |]. split; [exact D |]. split; [exact B |]. split; [exact Q |]. split; [exact R |].
      apply montgomery_mod. destruct numbers as (EN & _). unfold r in M. rewrite pw_words, <- EN in M by lia. exact M.
    - intros t D S0 F. pose proof (H_wait t D F) as D'. assert (G : start t = 0) by (apply no_start; rewrite D; discriminate).
      split; [exact D' |]. split.
      + destruct (H_starts t) as (_ & ->). exact G.
      + rewrite !H_answer. rewrite (H_rests t); [reflexivity | | | exact G | exact (H_no_carries t S0)]; rewrite ?idle_is, ?shift_is, D; reflexivity.
  Qed.
End Chain.
