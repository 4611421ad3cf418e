(* SPDX-License-Identifier: Apache-2.0 *)
(* unit_csa with a scaled result: from the loop to the value of its result, whatever takes a request and converts it. The hypotheses are lemmas that
   montforge prints into unit_csa_lemmas.v, for the Booth terms and delay of a design, and proves on the RTL. *)
From Coq Require Import ZArith Lia String.
Require Import DigitRecurrence Instances WordSerial Contract Control Bits UnitAccumulator Groups LateQuotient Scaled unit_csa_lemmas unit_csa_loop Arithmetic.
Open Scope string_scope. Open Scope Z_scope.
Set Default Proof Using "All".

Section Loop.
  Variables (width : nat) (loops many last digit operand modulus state delay Pair group : Z) (net : trace).
  Let W := Z.of_nat width.
  Local Notation on lemma := (lemma W loops many last digit operand modulus state delay Pair group net).
  Hypotheses (sizes : (3 <= W /\ 2 <= digit /\ 2 <= delay <= 3 /\ 1 <= group) /\ (operand = W + digit * delay /\ modulus = W /\ state = operand + digit + 1) /\
      (operand <= many * digit < operand + digit /\ last = many /\ loops = many + delay /\ Pair = many * digit - (delay - 1) * digit)) (H_ranges : on ranges)
    (H_selects : on selects) (H_valid : on valid_digits) (H_at_reset : on at_reset) (H_count : on count) (H_no_load_yet : on no_load_yet) (H_keep : on keep)
    (H_keep_modulus : on keep_modulus) (H_first_digit : on first_digit) (H_other_digits : on other_digits)
    (H_a_terms : on a_terms) (H_first_terms : on first_terms) (H_a_transfer : on a_transfer) (H_quotient_digit : on quotient_digit)
    (H_quotient_terms : on quotient_terms) (H_a_multiples : on a_multiples)
    (H_product_rows : on product_rows) (H_product : on product) (H_quotient_multiples : on quotient_multiples) (H_quotient_rows : on quotient_rows)
    (H_quotient_product : on quotient_product) (H_rows : on rows) (H_pair : on pair) (H_accumulate : on accumulate)
    (H_no_exact : on no_exact) (H_last_transfer : on last_transfer).
  (* as in unit_csa_loop.v *)
  Variables (erased : nat -> Prop).
  Hypotheses (H_erased : forall t, erased t -> net "u_core.clear_q" t = 1)
    (H_transfer : forall t, ~ erased t -> net "u_core.u_transfer_q" (S t) = part (net "u_core.u" t) (digit - 1) 1)
    (H_carry : forall t, net "u_core.carry_q" (S t) = if net "u_core.clear_q" t =? 1 then 0 else net "u_core.carry" t)
    (resting : forall t, net "u_core.phase_q" t = 1 -> 0 < net "u_core.left_q" t -> net "u_core.idle_q" t = 0)
    (shifts : forall t, net "u_core.phase_q" t = 1 -> net "u_core.idle_q" t = 0 ->
      net "u_core.a_q" (S t) = net "u_core.a_q" t / 2 ^ digit + 2 ^ (many * digit - digit) * net "u_core.u" t).

  Local Notation phase := (net "u_core.phase_q"). Local Notation left := (net "u_core.left_q"). Local Notation s_q := (net "u_core.s_q").
  Local Notation c_q := (net "u_core.c_q"). Local Notation carry_q := (net "u_core.carry_q").

  Let r := 2 ^ digit.
  Let h := 2 ^ (digit - 1).
  Let D1 := Z.to_nat (delay - 1).
  Let N := Z.to_nat many.                                                                   (* digits of a and of the quotient *)
  Let T := (D1 + S N)%nat.                                                                  (* the last cycle of the loop *)

  Lemma enough : 2 * digit <= digit * delay /\ delay <= many.
  Proof. split; nia. Qed.

  Lemma numbers : many = Z.of_nat N /\ delay = Z.of_nat D1 + 1 /\ (1 <= D1)%nat /\ (D1 < N)%nat /\ Z.to_nat loops = T /\ Z.to_nat last = N.
  Proof. pose proof enough. unfold T, N, D1. lia. Qed.

  Lemma loop_sizes : (3 <= W /\ 2 <= digit /\ 2 <= delay <= 3 /\ 1 <= group) /\ (1 <= operand <= many * digit /\ W <= modulus) /\
    (operand + digit < state /\ modulus + digit < state) /\ (delay <= many /\ 1 <= last /\ many <= last + delay <= loops).
  Proof. pose proof enough. lia. Qed.

  Local Notation loop lemma := (lemma W loops many last digit operand modulus state delay Pair group net loop_sizes H_ranges H_selects H_valid H_at_reset
    H_count H_no_load_yet H_keep H_keep_modulus H_first_digit H_other_digits H_a_terms H_first_terms H_a_transfer H_quotient_digit
    H_quotient_terms H_a_multiples H_product_rows H_product H_quotient_multiples H_quotient_rows H_quotient_product H_rows H_pair H_accumulate
    erased H_erased H_transfer H_carry resting shifts).
  Ltac range t := in_range H_ranges t.

  Lemma radix : r = 2 * h /\ 2 <= h.
  Proof. exact (loop unit_csa_loop.radix). Qed.

  Lemma bits_of : forall t, 0 <= net "u_core.u" t < r /\ 0 <= net "u_core.digit" t < r /\ 0 <= s_q t < 2 ^ state /\ 0 <= c_q t < 2 ^ state /\
    0 <= carry_q t <= 1 /\ 0 <= net "u_core.carry" t <= 1 /\ 0 <= net "u_core.u_transfer_q" t <= 1 /\ 0 <= net "u_core.digit_transfer_q" t <= 1.
  Proof. exact (loop unit_csa_loop.bits_of). Qed.

  Section Request.
  (* A request is accepted in cycle c. *)
  Variables (c : nat) (n : Z).
  Let a := two operand (net "a_i" c). Let b := two operand (net "b_i" c). Let nbar := two W (net "n_scaled_i" c).
  Hypotheses (begun : begins_in W loops many digit operand modulus net c)
    (odd : n mod 2 = 1) (least : 3 <= n) (most : n < 2 ^ W)
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
    intros t L. pose proof (loop unit_csa_loop.loop_state c begun t) as G. cbv zeta in G. destruct numbers as (_ & _ & _ & _ & E & _).
    rewrite E in G. destruct (G L) as (E1 & E2 & _). auto.
  Qed.

  Lemma transfers : net "u_core.transfer_q" first = 0 /\ forall t, (t < T)%nat ->
    net "u_core.transfer_q" (first + S t)%nat = x t /\ (x t = 0 \/ x t = carried t /\ (N < t)%nat).
  Proof.
    destruct numbers as (EN & ED & D11 & _). split.
    { unfold first. rewrite (H_last_transfer c). destruct (Z.eqb_spec (phase c) 1) as [E |]; [| reflexivity]. rewrite (proj1 (proj2 begun) E). reflexivity. }
    intros t L. destruct (loop_state t ltac:(lia)) as (E1 & E2). destruct (loop_state (S t) ltac:(lia)) as (_ & E3). split.
    - rewrite Nat.add_succ_r in *. rewrite (H_last_transfer (first + t)%nat), E1, E2, E3. change (1 =? 1) with true. cbv iota.
      unfold x. destruct (Z.ltb_spec 0 (Z.of_nat (T - t))); [| lia].
      destruct (Z.eqb_spec (Z.of_nat (T - S t)) (delay - 2)), (Nat.eqb_spec t (S N)) as [-> |]; unfold T in *; try lia.
      unfold carried. rewrite (Nat.add_succ_r first (S N)). symmetry. apply H_transfer. apply (loop unit_csa_loop.not_erased c begun). lia.
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
    assert (h * (16 * P) <= h * (P * L2)) by (apply Z.mul_le_mono_nonneg_l; lia). assert (2 * (P * L2) <= h * (P * L2)) by (apply Z.mul_le_mono_nonneg_r; lia). lia.
  Qed.

  Local Notation requested lemma := (loop lemma c begun).
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
    (* the transfers by the digits: those of the RTL, up to the end of the loop *)
    assert (exists f : nat -> Z, f O = 0 /\ (forall t, f (S t) = if 2 * u t <? r then 0 else 1) /\ forall t, (t <= T)%nat -> f t = carried t) as (f & f0 & f1 & fT).
    { exists (fun t => match t with O => 0 | S i => if 2 * u i <? r then 0 else 1 end). split; [reflexivity |]. split; [reflexivity |]. destruct numbers as (_ & _ & _ & _ & ET & _). intros [| t] T0; [symmetry; unfold carried; rewrite Nat.add_1_r; apply begun, transfers |]. symmetry.
      apply (recurrence unit_csa_loop.carried_is). apply (requested unit_csa_loop.not_erased). lia. }
    pose proof (late_quotient h n ni nbar a b P (P * L2) N D1 Y d u f) as G. cbv zeta in G. rewrite <- R in G. fold L2 bound in G.
    apply G; clear G; try assumption; try lia.
    - assert ((2 * Z.abs a) * (2 * Z.abs b) < (L2 * n) * (L2 * n)) by (apply Z.mul_lt_mono_nonneg; lia).
      assert (full : L2 * n <= pw r N).
      { rewrite SI. unfold r. rewrite pw_words, Z.mul_comm by lia. apply Z.le_trans with (2 ^ operand); [| apply Z.pow_le_mono_r; lia].
        replace operand with (W + digit * delay) by lia. rewrite Z.pow_add_r by lia. apply Z.mul_le_mono_nonneg_r; [apply Z.pow_nonneg |]; lia. }
      assert ((L2 * n) * (L2 * n) <= (L2 * n) * pw r N) by (apply Z.mul_le_mono_nonneg_l; lia). rewrite Z.abs_mul. lia.
    - exact b_limit.
    - exact nbar_range.
    - rewrite R. exact (conj (proj1 limits) (proj1 (proj2 limits))).
    - split; [exact (recurrence unit_csa_loop.at_start) | exact f0].
    - exact (requested unit_csa_loop.digits_of_a).
    - intros t L. unfold d. destruct (Nat.ltb_spec t N); [lia | reflexivity].
    - exact (requested unit_csa_loop.d_range).
    - intros t. apply (loop unit_csa_loop.bits_of).
    - intros t L B. rewrite (step t L B). unfold x. rewrite <- (fT t) by lia. do 2 f_equal. f_equal. unfold delayed. destruct (Nat.ltb t D1); [reflexivity |].
      unfold q. destruct (Nat.leb_spec (t - D1) N); [| lia]. rewrite !fT by (unfold T in *; lia). reflexivity.
  Qed.

  (* ---------------------------------------------------------------- the conversion *)
  Let ends := (first + S T)%nat.                                                            (* its first cycle *)
  Let Low := (delay - 1) * digit.

  Lemma places : 1 <= Pair /\ Pair <= state /\ 0 <= Low /\ many * digit = Low + Pair /\ Low = Z.of_nat D1 * digit /\ 2 ^ Low = pw r D1.
  Proof.
    destruct numbers as (EN & ED & D11 & DN & _). pose proof enough as [_ E]. assert (LD : Low = Z.of_nat D1 * digit) by (unfold Low; f_equal; lia).
    assert (delay * digit <= many * digit) by (apply Z.mul_le_mono_nonneg_r; lia). assert (0 <= Low) by (rewrite LD; apply Z.mul_nonneg_nonneg; lia).
    unfold Low in *. repeat split; try lia. rewrite LD. unfold r. rewrite pw_words by lia. reflexivity.
  Qed.

  (* A register in which the pair has been converted above the digits of the last cycles of the loop. *)
  Lemma answered : forall y, 0 <= y < 2 ^ (many * digit) -> part y Low Pair = (part (s_q ends) 0 Pair + part (c_q ends) 0 Pair + carry_q ends) mod 2 ^ Pair ->
    part y 0 Low = digits r (fun i => u (S N + i)%nat) D1 -> two operand (part y 0 operand) = value.
  Proof.
    intros y Ry C1 C2. destruct radix as [R Hh]. destruct places as (PP & PS & L0 & SE & LD & LP).
    assert (C : y = 2 ^ Low * ((s_q ends + c_q ends + carry_q ends) mod 2 ^ Pair) + digits r (fun i => u (S N + i)%nat) D1).
    { rewrite (low_and_high (many * digit) Low y ltac:(lia) Ry). replace (many * digit - Low) with Pair by lia. rewrite C1, C2, Z.add_comm. do 2 f_equal.
      unfold part. change (2 ^ 0) with 1. rewrite !Z.div_1_r. rewrite <- (Z.add_mod_idemp_l (s_q ends + c_q ends)), (Z.add_mod (s_q ends)), Z.add_mod_idemp_l by (apply Z.pow_nonzero; lia). reflexivity. }
    assert (O1 : 1 <= operand) by lia. unfold part. change (2 ^ 0) with 1. rewrite Z.div_1_r. change (signed operand y = value).
    apply signed_is; [exact O1 | |].
    - destruct result as [_ B]. pose proof (half operand O1) as H. assert (2 ^ operand = 2 ^ W * 2 ^ (digit * delay)) by (replace operand with (W + digit * delay) by lia; rewrite Z.pow_add_r by lia; reflexivity).
      assert (2 ^ (digit * delay) * n <= 2 ^ (digit * delay) * 2 ^ W) by (apply Z.mul_le_mono_nonneg_l; [apply Z.pow_nonneg |]; lia). lia.
    - rewrite C. unfold value. apply (divide_pow operand (many * digit)); [lia |]. rewrite SE, Z.pow_add_r, LP by lia.
      pose proof (divide_pow Pair state _ ltac:(lia) (signed_divides state (s_q ends + c_q ends) ltac:(lia))) as [j E].
      unfold Y. fold ends. unfold pair_value. set (v := s_q ends + c_q ends) in *. rewrite (Z.mod_eq (v + carry_q ends)) by (apply Z.pow_nonzero; lia).
      exists (j + (v + carry_q ends) / 2 ^ Pair). set (e := (v + carry_q ends) / 2 ^ Pair) in *.
      replace (signed state v) with (v + j * 2 ^ Pair) by lia. ring.
  Qed.

  Theorem register_value : forall y, 0 <= y < 2 ^ (many * digit) -> part y Low Pair = (part (s_q ends) 0 Pair + part (c_q ends) 0 Pair + carry_q ends) mod 2 ^ Pair ->
    part y 0 Low = digits r (fun i => u (S N + i)%nat) D1 -> let p := two operand (part y 0 operand) in
    - (2 ^ (digit * delay) * n) < 2 * p < 2 ^ (digit * delay) * n /\ (p * 2 ^ (many * digit)) mod n = (a * b) mod n.
  Proof.
    intros y Ry C1 C2. cbv zeta. rewrite (answered y Ry C1 C2). destruct result as [M R]. split; [exact R |]. apply montgomery_mod.
    destruct numbers as (EN & _). unfold r in M. rewrite pw_words, <- EN in M by lia. exact M.
  Qed.

  (* The last digits of the loop are at the top of a_q, if no operand replaces them. *)
  Lemma last_digits : net "u_core.idle_q" (first + T)%nat = 0 -> part (net "u_core.a_q" ends) (many * digit - Low) Low = digits r (fun i => u (S N + i)%nat) D1.
  Proof.
    intros I0. destruct numbers as (EN & ED & D11 & DN & _). destruct places as (_ & _ & _ & _ & LD & _).
    pose proof (requested unit_csa_loop.entered (first + S (S N))%nat D1 ltac:(lia)) as E. rewrite <- LD in E. fold r in E.
    replace (first + S (S N) + D1)%nat with ends in E by (unfold ends, T; lia). etransitivity; [apply E |].
    - intros i I. replace (first + S (S N) + i)%nat with (first + (S (S N) + i))%nat by lia. destruct (loop_state (S (S N) + i)%nat ltac:(unfold T; lia)) as [P0 L0].
      split; [exact P0 |]. destruct (Nat.eq_dec (S (S N) + i) T) as [-> | X]; [exact I0 |]. apply resting; [exact P0 | unfold T in *; lia].
    - apply digits_ext. intros i I. unfold u. f_equal. lia.
  Qed.
  End Request.
End Loop.
