(* SPDX-License-Identifier: Apache-2.0 *)
(* mf_scs_mm_skip from the nets of the RTL to the contract, for every width and 1 to 3 skips. The hypotheses are the lemmas that montforge prints
   into scs_mm_skip_lemmas.v, and proves on the RTL. The number of cycles depends on the operands. *)
From Coq Require Import ZArith Lia String.
Require Import DigitRecurrence Instances Contract Control HalfAdders Raised Settling Skipping scs_mm_skip_lemmas Arithmetic.
Open Scope string_scope. Open Scope Z_scope.
Set Default Proof Using "All".

(* ---------------------------------------------------------------- integers *)

Lemma middle_bits : forall i r L x, 0 <= i -> 0 <= r -> i + r <= L -> ((x mod 2 ^ L) / 2 ^ i) mod 2 ^ r = (x / 2 ^ i) mod 2 ^ r.
Proof.
  intros i r L x I R H. assert (0 < 2 ^ i) by (apply Z.pow_pos_nonneg; lia). assert (0 < 2 ^ L) by (apply Z.pow_pos_nonneg; lia).
  pose proof (Z.div_mod x (2 ^ L) ltac:(lia)) as E. set (y := x mod 2 ^ L) in *. rewrite E.
  replace (2 ^ L * (x / 2 ^ L)) with ((2 ^ (L - i - r) * (x / 2 ^ L) * 2 ^ r) * 2 ^ i)
    by (replace (2 ^ L) with (2 ^ (L - i - r) * 2 ^ r * 2 ^ i) by (rewrite <- !Z.pow_add_r by lia; f_equal; lia); ring).
  rewrite Z.div_add_l, Z.add_comm, Z_mod_plus_full by lia. reflexivity.
Qed.

Lemma lower_bits : forall r L x, 0 <= r <= L -> (x mod 2 ^ L) mod 2 ^ r = x mod 2 ^ r.
Proof. intros r L x H. pose proof (middle_bits 0 r L x ltac:(lia) ltac:(lia) ltac:(lia)) as E. change (2 ^ 0) with 1 in E. rewrite !Z.div_1_r in E. exact E. Qed.

Lemma one_bit : forall i L x, 0 <= i < L -> ((x mod 2 ^ L) / 2 ^ i) mod 2 = (x / 2 ^ i) mod 2.
Proof. intros i L x H. apply (middle_bits i 1 L x); lia. Qed.

Lemma shifted_pair : forall w x y, 0 <= w -> x / 2 ^ w + y / 2 ^ w + (x mod 2 ^ w + y mod 2 ^ w) / 2 ^ w = (x + y) / 2 ^ w.
Proof.
  intros w x y H. assert (0 < 2 ^ w) by (apply Z.pow_pos_nonneg; lia). pose proof (Z.div_mod x (2 ^ w) ltac:(lia)) as X. pose proof (Z.div_mod y (2 ^ w) ltac:(lia)) as Y.
  rewrite X at 3. rewrite Y at 3. replace (2 ^ w * (x / 2 ^ w) + x mod 2 ^ w + (2 ^ w * (y / 2 ^ w) + y mod 2 ^ w))
    with ((x / 2 ^ w + y / 2 ^ w) * 2 ^ w + (x mod 2 ^ w + y mod 2 ^ w)) by ring. rewrite Z.div_add_l by lia. reflexivity.
Qed.

Lemma half_below : forall h v w, 0 <= w -> 0 <= v < 2 * h -> v / 2 ^ (w + 1) < h.
Proof.
  intros h v w L R. pose proof (Z.pow_le_mono_r 2 1 (w + 1) ltac:(lia) ltac:(lia)) as P. change (2 ^ 1) with 2 in P. apply Z.div_lt_upper_bound; [lia |].
  assert (2 * h <= 2 ^ (w + 1) * h) by (apply Z.mul_le_mono_nonneg_r; lia). lia.
Qed.

(* The operand that a cycle adds: 0, A, B, or both. *)
Lemma one_multiple : forall q bit add A B D carry, 0 <= q < 2 -> 0 <= bit <= 1 -> add = (if q =? 1 then 4 - 3 * bit else 2 * bit) -> D = B + A ->
  (((add = 0 \/ add = 1) \/ add = 2) \/ add = 4) /\
  (if add =? 4 then A else 0) + (if add =? 2 then B else 0) + (if add =? 1 then D else 0) + carry = bit * B + q * A + carry.
Proof.
  intros q bit add A B D carry Q R -> ->. assert (q = 0 \/ q = 1) as [-> | ->] by lia; assert (bit = 0 \/ bit = 1) as [-> | ->] by lia;
    change (4 - 3 * 0) with 4; change (4 - 3 * 1) with 1; change (2 * 0) with 0; change (2 * 1) with 2; cbn [Z.eqb Pos.eqb]; lia.
Qed.

(* The sum of a cycle, as the shifted state y. *)
Lemma one_sum : forall V j t bit q b nh M sum, 0 <= j < V + 1 -> q = t mod 2 -> 2 * nh = M + 1 -> sum = t + bit * (2 ^ (V + 2) * b) + q * (M + 1) ->
  let digits := ((t / 2) mod 2 ^ (V + 1) + q * nh) mod 2 ^ (V + 1) in digits mod 2 ^ j = 0 ->
  exists y, sum = 2 ^ (j + 1) * y + q /\ (digits / 2 ^ j) mod 2 = y mod 2 /\ 2 ^ (j + 1) * y = t + bit * (2 ^ (V + 2) * b) + q * M.
Proof.
  intros V j t bit q b nh M sum J Q H S digits D. set (u := t / 2 + bit * (2 ^ (V + 1) * b) + q * nh).
  assert (E : digits = u mod 2 ^ (V + 1)).
  { unfold digits, u. replace (t / 2 + bit * (2 ^ (V + 1) * b) + q * nh) with (t / 2 + q * nh + (bit * b) * 2 ^ (V + 1)) by ring. rewrite Z_mod_plus_full.
    rewrite (Z.add_mod (_ mod _)), Zmod_mod, <- Z.add_mod by (apply Z.pow_nonzero; lia). reflexivity. }
  rewrite E, lower_bits in D by lia. exists (u / 2 ^ j). assert (0 < 2 ^ j) by (apply Z.pow_pos_nonneg; lia).
  pose proof (Z.div_mod u (2 ^ j) ltac:(lia)) as Y. rewrite D, Z.add_0_r in Y. rewrite E, one_bit by lia.
  assert (U : 2 ^ (j + 1) * (u / 2 ^ j) = 2 * u) by (rewrite Z.pow_add_r by lia; change (2 ^ 1) with 2; lia).
  assert (T : 2 * u = t - q + bit * (2 ^ (V + 2) * b) + q * (M + 1)).
  { unfold u. replace (2 ^ (V + 2)) with (2 * 2 ^ (V + 1)) by (rewrite <- Z.pow_succ_r by lia; f_equal; lia). rewrite <- H. rewrite Q at 3. pose proof (Z.div_mod t 2 ltac:(lia)). clear Y U E D S H. lia. }
  rewrite U, T. split; [lia |]. split; [reflexivity | lia].
Qed.

Lemma pair_moves : forall V j x y z q, 0 <= j < V + 1 -> 0 <= q < 2 -> x + y = 2 ^ (j + 1) * z + q ->
  x / 2 ^ (j + 1) + y / 2 ^ (j + 1) + (x mod 2 ^ (j + 1) + y mod 2 ^ (j + 1)) / 2 ^ (j + 1) = z /\
  ((x mod 2 ^ (2 * V + 3) + y mod 2 ^ (2 * V + 3)) / 2 ^ (j + 2)) mod 2 ^ (V + 1) = (z / 2) mod 2 ^ (V + 1).
Proof.
  intros V j x y z q J Q E. pose proof (Z.pow_le_mono_r 2 1 (j + 1) ltac:(lia) ltac:(lia)) as P. change (2 ^ 1) with 2 in P.
  assert (D : (x + y) / 2 ^ (j + 1) = z) by (symmetry; apply (Z.div_unique _ _ _ q); [left; lia | exact E]).
  split; [rewrite shifted_pair by lia; exact D |]. rewrite <- (middle_bits (j + 2) (V + 1) (2 * V + 3)), <- Zplus_mod, middle_bits by lia. f_equal.
  replace (2 ^ (j + 2)) with (2 ^ (j + 1) * 2) by (rewrite <- (Z.mul_comm 2), <- Z.pow_succ_r by lia; f_equal; lia). rewrite <- Z.div_div, D by lia. reflexivity.
Qed.

(* The end mark is not passed, and is seen where it is reached. *)
Lemma end_mark : forall m j mark p, 1 <= m <= 3 -> 0 <= j < m + 1 -> p <= mark ->
  let e := (if mark =? p then 1 else (if mark =? p + 1 then 2 else (if mark =? p + 2 then 4 else (if mark =? p + 3 then 8 else 0)))) mod 2 ^ (m + 1) in
  e mod 2 ^ j = 0 -> p + j <= mark /\ (e / 2 ^ j) mod 2 = (if mark =? p + j then 1 else 0).
Proof.
  intros m j mark p M J L e. subst e.
  assert (Cm : m = 1 \/ m = 2 \/ m = 3) by lia. assert (Cj : j = 0 \/ j = 1 \/ j = 2 \/ j = 3) by lia.
  destruct Cm as [-> | [-> | ->]], Cj as [-> | [-> | [-> | ->]]]; try lia;
    destruct (Z.eqb_spec mark p), (Z.eqb_spec mark (p + 1)), (Z.eqb_spec mark (p + 2)), (Z.eqb_spec mark (p + 3)); try lia;
    rewrite ?Z.add_0_r; match goal with |- context [mark =? ?y] => destruct (Z.eqb_spec mark y) | _ => idtac end; try lia;
    intros Q; (discriminate Q || (split; [lia | reflexivity])).
Qed.

(* The one-hot place of the window. *)
Lemma place_moves : forall m p j, 0 <= m -> 0 <= p < 2 * (m + 1) -> 0 <= j < m + 1 ->
  (Z.lor (2 ^ p mod 2 ^ (m + 1)) (2 ^ p / 2 ^ (m + 1)) * 2 * 2 ^ j) mod 2 ^ (2 * (m + 1)) = 2 ^ ((if p <? m + 1 then p else p - (m + 1)) + (j + 1)).
Proof.
  intros m p j M P J. assert (0 < 2 ^ (m + 1)) by (apply Z.pow_pos_nonneg; lia).
  assert (E : Z.lor (2 ^ p mod 2 ^ (m + 1)) (2 ^ p / 2 ^ (m + 1)) = 2 ^ (if p <? m + 1 then p else p - (m + 1))).
  { destruct (Z.ltb_spec p (m + 1)) as [L | L].
    - assert (2 ^ p < 2 ^ (m + 1)) by (apply Z.pow_lt_mono_r; lia). rewrite Z.mod_small, Z.div_small by (split; [apply Z.pow_nonneg; lia | lia]). apply Z.lor_0_r.
    - replace (2 ^ p) with (2 ^ (p - (m + 1)) * 2 ^ (m + 1)) by (rewrite <- Z.pow_add_r by lia; f_equal; lia). rewrite Z_mod_mult, Z.div_mul by lia. apply Z.lor_0_l. }
  rewrite E. set (i := if p <? m + 1 then p else p - (m + 1)). assert (I : 0 <= i < m + 1) by (unfold i; destruct (Z.ltb_spec p (m + 1)); lia).
  replace (2 ^ i * 2 * 2 ^ j) with (2 ^ (i + (j + 1))) by (rewrite !Z.pow_add_r by lia; ring). apply Z.mod_small. split; [apply Z.pow_nonneg; lia | apply Z.pow_lt_mono_r; lia].
Qed.

Section Chain.
  Variables (K m : nat) (net : trace) (n : nat -> Z).
  Let W := Z.of_nat K. Let V := Z.of_nat m.
  Hypotheses (wide : (1 <= K)%nat /\ (1 <= m <= 3)%nat) (H_ranges : ranges W V net) (H_ready : ready W V net) (H_phases : phases W V net)
    (H_reset : phases_at_reset W V net) (H_accept : accept W V net) (H_b : added_b W V net) (H_n : added_n W V net) (H_resolves : resolving W V net)
    (H_loops : looping W V net) (H_converts : converts W V net) (H_waits : waits W V net) (H_selects : selects W V net) (H_operands : operands W V net)
    (H_keep : keep W V net) (H_multiple : multiple W V net) (H_first : first_row W V net) (H_second : second_row W V net) (H_row : row W V net)
    (H_half : half_adders W V net) (H_last : carry_added W V net) (H_nothing : nothing_moves W V net) (H_stays : stays W V net) (H_moves : moves W V net)
    (H_found : found W V net) (H_skipped : skipped W V net) (H_digits : next_digits W V net) (H_window : window W V net) (H_end : window_end W V net)
    (H_rows : window_row W V net) (H_answer : answer W V net).

  Let N := W + V + 4.
  Notation P := (net "phase_q"). Notation resolved := (net "resolved_q"). Notation ends := (net "ends"). Notation advance := (net "advance").
  Notation ss := (net "u_datapath.ss_q"). Notation sc := (net "u_datapath.sc_q"). Notation s := (net "u_datapath.s"). Notation c := (net "u_datapath.c").
  Notation sum := (net "u_datapath.sum"). Notation carry := (net "u_datapath.carry"). Notation carry_in := (net "u_datapath.carry_in_q").
  Notation hold := (net "u_datapath.hold_q"). Notation shift := (net "u_datapath.shift_q"). Notation full := (net "u_datapath.full_adder_q").
  Notation q := (net "u_datapath.quotient_q"). Notation value := (net "u_datapath.value_q"). Notation add := (net "u_datapath.add_q").
  Notation position := (net "u_window.position_q"). Notation rows_left := (net "u_window.rows_left_q").

  (* One bit a phase, in all cycles. *)
  Lemma one : forall t, (((((P t = 1 \/ P t = 2) \/ P t = 4) \/ P t = 8) \/ P t = 16) \/ P t = 32) \/ P t = 64.
  Proof. induction t; [pose proof (H_reset O eq_refl); lia |]. apply H_phases. assumption. Qed.

  Lemma vectors : forall t, 0 <= ss t < 2 ^ N /\ 0 <= sc t < 2 ^ N /\ 0 <= s t < 2 ^ N /\ 0 <= c t < 2 ^ N /\ 0 <= sum t < 2 ^ N /\ 0 <= carry t < 2 ^ N.
  Proof. intros t. in_range H_ranges t. Qed.

  Lemma flags : forall t, 0 <= q t < 2 ^ 1 /\ 0 <= resolved t < 2 ^ 1 /\ 0 <= ends t < 2 ^ 1 /\ 0 <= advance t < 2 ^ (V + 1) /\ 0 <= carry_in t < 2 ^ 1.
  Proof. intros t. in_range H_ranges t. Qed.

  Lemma powers : 2 ^ N = 2 * 2 ^ (N - 1) /\ 2 ^ (N - 1) = 2 ^ (V + 2) * (2 * 2 ^ W) /\ 8 <= 2 ^ (V + 2) /\ 2 ^ (W + 1) = 2 * 2 ^ W /\ 0 < 2 ^ W /\ 2 ^ (V + 2) = 2 * 2 ^ (V + 1).
  Proof.
    unfold N. replace (W + V + 4 - 1) with ((V + 2) + (W + 1)) by lia. replace (W + V + 4) with ((V + 2) + (W + 2)) by lia.
    assert (2 ^ 3 <= 2 ^ (V + 2)) by (apply Z.pow_le_mono_r; lia). change (2 ^ 3) with 8 in *.
    replace (2 ^ (V + 2)) with (2 * 2 ^ (V + 1)) in * by (rewrite <- Z.pow_succ_r by lia; f_equal; lia).
    rewrite !(Z.pow_add_r _ (V + 2)), (Z.pow_add_r _ W 2), (Z.pow_add_r _ W 1) by lia. assert (0 < 2 ^ W) by (apply Z.pow_pos_nonneg; lia).
    replace (2 ^ (V + 2)) with (2 * 2 ^ (V + 1)) by (rewrite <- Z.pow_succ_r by lia; f_equal; lia). change (2 ^ 1) with 2. change (2 ^ 2) with 4. repeat split; try lia.
  Qed.

  (* A pair that stays in its place, and the rows of half adders. *)
  Let held t := hold t = 1 /\ shift t = 0 /\ full t = 0 /\ carry_in t = 0 /\ ss t = s t /\ sc t = c t.

  Lemma next_held : forall t, P t = 4 \/ P t = 8 /\ resolved t = 0 \/ P t = 32 \/ P t = 64 -> held (S t) /\ s (S t) = sum t /\ c (S t) = carry t.
  Proof.
    intros t E. destruct (H_selects t (one t)) as (_ & _ & S3 & S4 & S5).
    assert (G : hold (S t) = 1 /\ shift (S t) = 0 /\ full (S t) = 0).
    { destruct E as [E | [[E R] | [E | E]]]; rewrite E in *; cbn [Z.eqb Pos.eqb] in S3, S4, S5; rewrite ?R in S3, S5; lia. }
    destruct G as (G1 & G2 & G3). destruct (H_stays t G1 G2) as (M1 & M2 & M3 & M4 & M5 & _). unfold held. rewrite M1, M2, M3, M4. auto 10.
  Qed.

  Lemma rows : forall t k, held t -> P t = 8 /\ resolved t = 0 \/ P t = 32 \/ P t = 64 -> 0 <= k -> (2 ^ k | c t) -> s t + c t < 2 ^ N ->
    s (S t) + c (S t) = s t + c t /\ (2 ^ (k + 2) | c (S t)).
  Proof.
    intros t k (_ & _ & F & I & _) E Hk D small. destruct (H_half t F I small) as [E1 E2]. destruct (next_held t ltac:(tauto)) as (_ & -> & ->).
    split; [exact E1 |]. apply (two_rows_divide k (W + V + 4) (s t) (c t) _ _ Hk ltac:(lia) D E2).
  Qed.

  (* ---------------------------------------------------------------- the window *)
  Let pos t := Z.log2 (position t).
  Let mark t := rows_left t * (V + 1) + (W + V + 4) mod (V + 1).
  Let rest t := net "u_window.a_q" t / 2 ^ pos t.
  Let placed t := position t = 2 ^ pos t /\ 0 <= pos t < 2 * (V + 1) /\ pos t <= mark t.
  Let bit t := if add t =? 2 then 1 else (if add t =? 1 then 1 else 0).
  Let digits_ t := (value t + q t * net "u_datapath.n_hat_q" t) mod 2 ^ (V + 1).
  Let j t := Z.log2 (advance t).

  Lemma placed_at : forall t p, position t = 2 ^ p -> 0 <= p < 2 * (V + 1) -> p <= mark t -> placed t /\ pos t = p.
  Proof. intros t p E R M. assert (G : pos t = p) by (unfold pos; rewrite E; apply Z.log2_pow2; lia). unfold placed. rewrite G. auto. Qed.

  Lemma search : forall t, P t = 8 \/ P t = 16 -> P t = 16 \/ resolved t = 1 -> placed t ->
    advance t = 2 ^ j t /\ 0 <= j t < V + 1 /\ digits_ t mod 2 ^ j t = 0 /\ rest t mod 2 ^ j t = 0 /\ pos t + j t <= mark t /\
    (ends t = 0 -> pos t + (j t + 1) <= mark t /\ placed (S t) /\ rest (S t) = rest t / 2 ^ (j t + 1) /\ mark (S t) - pos (S t) = mark t - pos t - (j t + 1) /\
      q (S t) = (digits_ t / 2 ^ j t) mod 2 /\ bit (S t) = (rest t / 2 ^ j t) mod 2 /\ add (S t) = (if q (S t) =? 1 then 4 - 3 * bit (S t) else 2 * bit (S t))) /\
    (ends t = 1 -> mark t = pos t + j t).
  Proof.
    intros t E1 E2 (A1 & A2 & A3). destruct (H_found t E1 E2) as [F1 F2]. destruct (flags t) as (_ & _ & Re & Ra & _).
    assert (J : advance t = 2 ^ j t /\ 0 <= j t < V + 1).
    { unfold j. destruct F1 as [[[F1 | F1] | F1] | F1]; rewrite F1 in *.
      - change (Z.log2 1) with 0. lia.
      - change (Z.log2 2) with 1. lia.
      - change (Z.log2 4) with 2. split; [reflexivity |]. assert (V = 1 \/ 2 <= V) as [E | E] by lia; [rewrite E in Ra; change (2 ^ (1 + 1)) with 4 in Ra |]; lia.
      - change (Z.log2 8) with 3. split; [reflexivity |]. assert (V = 1 \/ V = 2 \/ 3 <= V) as [E | [E | E]] by lia; [rewrite E in Ra; change (2 ^ (1 + 1)) with 4 in Ra | rewrite E in Ra; change (2 ^ (2 + 1)) with 8 in Ra |]; lia. }
    destruct J as [J1 J2]. destruct (H_skipped t (j t) J2 E1 E2 J1) as (B1 & B2 & B3 & B4). fold (digits_ t) in B3.
    pose proof (H_window t (pos t) A2 A1) as C1. fold (rest t) in C1. pose proof (H_end t (pos t) A2 A1 A3) as C2. fold (mark t) in C2.
    rewrite C1, lower_bits in B1 by lia. rewrite C2 in B2, B4. destruct (end_mark V (j t) (mark t) (pos t) ltac:(lia) J2 A3 B2) as [D1 D2]. rewrite D2 in B4.
    split; [exact J1 |]. split; [exact J2 |]. split; [exact B3 |]. split; [exact B1 |]. split; [exact D1 |]. split.
    2: { intros X. rewrite X in B4. destruct (Z.eqb_spec (mark t) (pos t + j t)); lia. }
    intros X. rewrite X in B4. assert (D3 : mark t <> pos t + j t) by (destruct (Z.eqb_spec (mark t) (pos t + j t)); lia).
    assert (above : 1 < P t) by lia. destruct (H_rows t (pos t) A2 (one t) above A1 A3) as [R1 R2]. rewrite A1, J1, place_moves in F2 by lia.
    set (i := (if pos t <? V + 1 then pos t else pos t - (V + 1)) + (j t + 1)) in *.
    assert (I : 0 <= i < 2 * (V + 1) /\ mark (S t) - i = mark t - pos t - (j t + 1) /\ net "u_window.a_q" (S t) / 2 ^ i = rest t / 2 ^ (j t + 1)).
    { unfold mark, rest, i. rewrite R1, R2. destruct (Z.ltb_spec (pos t) (V + 1)) as [L | L]; (split; [lia |]; split; [unfold mark; ring |]).
      - rewrite Z.div_div by (apply Z.pow_nonzero || apply Z.pow_pos_nonneg; lia). rewrite <- Z.pow_add_r by lia. reflexivity.
      - rewrite !Z.div_div by (apply Z.pow_nonzero || apply Z.pow_pos_nonneg; lia). rewrite <- !Z.pow_add_r by lia. do 2 f_equal. lia. }
    destruct I as (I1 & I2 & I3). destruct (placed_at (S t) i F2 I1 ltac:(lia)) as [G1 G2].
    destruct (H_digits t (j t) J2 E1 E2 J1 X) as [Q1 Q2]. fold (digits_ t) in Q1. rewrite C1, one_bit in Q2 by lia.
    split; [lia |]. split; [exact G1 |]. unfold rest at 1. rewrite G2. split; [exact I3 |]. split; [exact I2 |]. split; [exact Q1 |].
    assert (bits : bit (S t) = (rest t / 2 ^ j t) mod 2).
    { unfold bit. rewrite Q2. pose proof (Z.mod_pos_bound (rest t / 2 ^ j t) 2 ltac:(lia)) as U. set (y := (rest t / 2 ^ j t) mod 2) in *.
      assert (y = 0 \/ y = 1) as [-> | ->] by lia; destruct (q (S t) =? 1); reflexivity. }
    split; [exact bits |]. rewrite bits. exact Q2.
  Qed.

  Section Request.
  (* A request is accepted in cycle r. *)
  Variables (r : nat).
  Let a := net "a_i" r. Let b := net "b_i" r. Let M := n r.
  Hypotheses (idle : P r = 1) (request : net "req_valid_i" r = 1) (odd : M mod 2 = 1) (M_range : 0 < M < 2 ^ W)
    (constant : net "n_hat_i" r = M + 1) (a_range : a < 2 * M) (b_range : b < 2 * M).

  Let resolves := S (S (S r)).                                                                (* the first cycle of the phase *)
  Let R2 := 2 ^ (V + 2).
  Let d_hat := R2 * b + (M + 1).

  Lemma operands_ : 0 <= a /\ 0 <= b /\ 0 < d_hat /\ R2 * b < 2 ^ (N - 1) /\ M + 1 < 2 ^ (N - 1) /\ 2 * ((M + 1) / 2) = M + 1 /\ 2 * 2 ^ W <= 2 ^ (N - 1).
  Proof.
    assert (0 <= a) by in_range H_ranges r. assert (0 <= b) by in_range H_ranges r. destruct powers as (P1 & P2 & P3 & P4 & P5 & _). fold R2 in P2, P3.
    pose proof (Z.div_mod (M + 1) 2 ltac:(lia)) as E. pose proof (Z.div_mod M 2 ltac:(lia)) as F. rewrite odd in F.
    assert (G : (M + 1) mod 2 = 0) by (replace (M + 1) with ((M / 2 + 1) * 2) by lia; apply Z_mod_mult).
    assert (R2 * b < R2 * (2 * 2 ^ W)) by (apply Z.mul_lt_mono_pos_l; lia). assert (0 <= R2 * b) by (apply Z.mul_nonneg_nonneg; lia).
    assert (1 * (2 * 2 ^ W) <= R2 * (2 * 2 ^ W)) by (apply Z.mul_le_mono_nonneg_r; lia). unfold d_hat. lia.
  Qed.

  Let kept t := net "u_window.a_q" t = a /\ mark t = W + V + 4 /\ position t = 1 /\ net "u_datapath.b_q" t = b /\ 2 * net "u_datapath.n_hat_q" t = M + 1.

  Lemma keeps_operands : forall t, 1 < P t -> P t < 16 -> P t = 2 \/ P t = 4 \/ resolved t = 0 -> kept t -> kept (S t).
  Proof.
    intros t L1 L2 E (A & L & O & B & Nh). destruct (H_operands t (one t) ltac:(pose proof (one t); lia) L2) as (_ & _ & O').
    destruct (H_keep t (one t) L1) as (K1 & K2 & _). destruct (H_rows t 0 ltac:(lia) (one t) L1 O ltac:(fold (mark t); lia)) as [R3 R4].
    destruct (Z.ltb_spec 0 (V + 1)); [| lia]. unfold kept, mark in *. rewrite R3, R4, K1, K2. auto.
  Qed.

  Lemma start : P (S r) = 2 /\ P (S (S r)) = 4 /\ P resolves = 8 /\ resolved resolves = 0 /\ held resolves /\ s resolves + c resolves = d_hat /\
    (2 ^ Z.of_nat 4 | c resolves) /\ kept resolves.
  Proof.
    destruct (H_accept r idle request) as (A1 & A2 & A3 & A4 & A5). pose proof (H_b _ A1) as A6. pose proof (H_n _ A6) as A7. fold resolves in A7.
    destruct operands_ as (O1 & O2 & O3 & O4 & O5 & O6 & _). destruct powers as (P1 & P2 & P3 & P4 & P5 & _). fold R2 in P2, P3.
    destruct (H_operands r (one r) ltac:(lia) ltac:(lia)) as (U1 & _ & U3). rewrite idle in U1. cbn [Z.eqb Pos.eqb] in U1.
    assert (k1 : kept (S r)).
    { unfold kept. rewrite A2, U3, A4, A5, constant. split; [reflexivity |]. split; [| auto]. unfold mark. rewrite A3.
      pose proof (Z.div_mod (W + V + 4) (V + 1) ltac:(lia)). lia. }
    pose proof (keeps_operands (S r) ltac:(lia) ltac:(lia) ltac:(auto) k1) as k2. pose proof (keeps_operands (S (S r)) ltac:(lia) ltac:(lia) ltac:(auto) k2) as k3. fold resolves in k3.
    destruct (H_selects r (one r)) as (_ & _ & S3 & S4 & S5). rewrite idle in S3, S4, S5. cbn [Z.eqb Pos.eqb] in S3, S4, S5.
    destruct (H_nothing r S3 S4) as (Z1 & Z2 & Z3 & _).
    destruct (H_first (S r) S5 Z1 Z2) as [F1 F2]. pose proof (H_multiple (S r) ltac:(lia)) as X1. rewrite U1, Z3 in X1. cbn [Z.eqb Pos.eqb] in X1.
    destruct (H_selects (S r) (one _)) as (_ & _ & S6 & S7 & S8). rewrite A1 in S6, S7, S8. cbn [Z.eqb Pos.eqb] in S6, S7, S8.
    destruct (H_stays (S r) S6 S7) as (Y1 & Y2 & _ & _ & Y5 & _).
    destruct (H_operands (S r) (one _) ltac:(lia) ltac:(lia)) as (U4 & _ & _). rewrite A1 in U4. cbn [Z.eqb Pos.eqb] in U4.
    pose proof (H_multiple (S (S r)) ltac:(lia)) as X2. rewrite U4, Y5 in X2. cbn [Z.eqb Pos.eqb] in X2.
    destruct k1 as (_ & _ & _ & kb & _). destruct k2 as (_ & _ & _ & _ & kn). rewrite kb in X1. fold R2 in X1.
    assert (E1 : s (S (S r)) = R2 * b) by lia. assert (E2 : c (S (S r)) = 0) by lia.
    destruct (H_row (S (S r)) S8 ltac:(rewrite E1; exact O4) ltac:(rewrite E2; apply Z.pow_pos_nonneg; lia)) as [G1 _].
    assert (G2 : carry (S (S r)) mod 16 = 0).
    { apply H_second; [exact S8 | | exact E2]. rewrite E1. unfold R2. replace (V + 2) with (3 + (V - 1)) by lia. rewrite Z.pow_add_r, (Z.mul_comm (2 ^ 3)), <- Z.mul_assoc, (Z.mul_comm (2 ^ 3)), Z.mul_assoc by lia. apply Z_mod_mult. }
    destruct (next_held (S (S r)) ltac:(auto)) as (Hh & M1 & M2). fold resolves in Hh, M1, M2.
    destruct (H_selects (S (S r)) (one _)) as (S9 & _). rewrite A6 in S9. cbn [Z.eqb Pos.eqb] in S9. fold resolves in S9.
    split; [exact A1 |]. split; [exact A6 |]. split; [exact A7 |]. split; [exact S9 |]. split; [exact Hh |]. split; [unfold d_hat; lia |].
    split; [rewrite M2; apply Z.mod_divide; [discriminate | exact G2] |]. exact k3.
  Qed.

  (* The loop begins after cycle z, the last one of the resolution. *)
  Section Loop.
  Variables (z : nat).
  Hypotheses (z_phase : P z = 8) (z_resolved : resolved z = 1) (z_kept : kept z) (z_digit : ss z = d_hat /\ q z = 0 /\ value z = 0 /\ add z = 0).

  Let total t := s t + c t + carry_in t.
  (* What holds in each cycle of the loop. *)
  Let inside t := P t = 16 /\ full t = 1 /\ s t < 2 ^ (N - 1) /\ c t < 2 ^ (N - 1) /\ q t = total t mod 2 /\ value t = (total t / 2) mod 2 ^ (V + 1) /\
    0 <= bit t <= 1 /\ add t = (if q t =? 1 then 4 - 3 * bit t else 2 * bit t) /\ placed t /\
    net "u_datapath.b_q" t = b /\ 2 * net "u_datapath.n_hat_q" t = M + 1 /\ R2 * net "u_datapath.d_q" t + (M + 1) mod R2 = d_hat.
  Let Y i := match i with O => 0 | _ => total (z + i)%nat end.
  Let keeps i := match i with O => True | _ => inside (z + i)%nat end.
  Let quotient i := match i with O => 0 | _ => q (z + i)%nat end.

  Lemma bit_range : forall x i, 0 <= (x / 2 ^ i) mod 2 <= 1.
  Proof. intros x i. pose proof (Z.mod_pos_bound (x / 2 ^ i) 2 ltac:(lia)). lia. Qed.

  (* A cycle of the loop, exactly; after it the pair is shifted. *)
  Lemma step : forall t, inside t ->
    0 <= j t < V + 1 /\ rest t mod 2 ^ j t = 0 /\ pos t + j t <= mark t /\ 2 ^ (j t + 1) * total (S t) = total t + bit t * (R2 * b) + q t * M /\
    (ends t = 0 -> inside (S t) /\ pos t + (j t + 1) <= mark t /\ rest (S t) = rest t / 2 ^ (j t + 1) /\ mark (S t) - pos (S t) = mark t - pos t - (j t + 1) /\
      bit (S t) = (rest t / 2 ^ j t) mod 2) /\
    (ends t = 1 -> mark t = pos t + j t).
  Proof.
    intros t (Q & F & L1 & L2 & Eq & Ev & Rb & Ea & pl & B & Nh & D). destruct (search t ltac:(auto) ltac:(auto) pl) as (J1 & J2 & D0 & B0 & D1 & more & final).
    destruct (flags t) as (Rq & _). change (2 ^ 1) with 2 in Rq.
    (* the sum *)
    destruct (one_multiple (q t) (bit t) (add t) (M + 1) (R2 * b) d_hat (carry_in t) Rq Rb Ea eq_refl) as [Oa X'].
    pose proof (H_multiple t Oa) as X. fold R2 in X. rewrite Nh, B, D, X' in X. clear X'. destruct (H_row t F L1 L2) as [R3 R4]. rewrite X in R3.
    assert (R5 : sum t + carry t = total t + bit t * (R2 * b) + q t * (M + 1)) by (rewrite R3; unfold total; ring).
    unfold digits_ in D0. rewrite Ev in D0. destruct (one_sum V (j t) (total t) (bit t) (q t) b _ M _ J2 Eq Nh R5 D0) as (y & U & G & E). rewrite <- Ev in G. fold (digits_ t) in G.
    (* the shift *)
    destruct (H_selects t (one t)) as (_ & _ & S3 & S4 & S5). rewrite Q in S3, S4, S5. cbn [Z.eqb Pos.eqb] in S3, S4, S5. rewrite J1 in S4.
    destruct (H_moves t (j t) J2 S3 S4 R4) as (M1 & M2 & M3 & M4). destruct (pair_moves V (j t) _ _ y (q t) J2 Rq U) as [T T2].
    rewrite <- M1, <- M2, <- M3 in T. fold (total (S t)) in T. rewrite <- M4 in T2.
    split; [exact J2 |]. split; [exact B0 |]. split; [exact D1 |]. split; [rewrite T; exact E |].
    split; [| exact final]. intros E0. destruct (more E0) as (N1 & N2 & N3 & N4 & N5 & N6 & N7). split; [| auto 10].
    destruct (vectors t) as (_ & _ & _ & _ & V5 & V6). destruct powers as (P1 & _).
    assert (half : forall v, 0 <= v < 2 ^ N -> v / 2 ^ (j t + 1) < 2 ^ (N - 1)) by (intros v Hv; apply half_below; [apply J2 | rewrite <- P1; exact Hv]).
    destruct (H_keep t (one t) ltac:(rewrite Q; reflexivity)) as (K1 & K2 & K3). rewrite Q in K3. cbn [Z.eqb Pos.eqb] in K3.
    pose proof (H_loops t Q) as Q'. rewrite E0 in Q'. cbn [Z.eqb] in Q'. rewrite G in N5.
    unfold inside. rewrite T, K1, K2, K3, M1, M2.
    split; [exact Q' |]. split; [rewrite S5, E0; reflexivity |]. split; [apply half; exact V5 |]. split; [apply half; exact V6 |]. split; [exact N5 |]. split; [exact T2 |].
    split; [rewrite N6; apply bit_range |]. split; [exact N7 |]. auto.
  Qed.

  Lemma first_iteration : 0 <= j z < V + 1 /\ rest z mod 2 ^ j z = 0 /\ pos z = 0 /\ pos z + j z <= mark z /\ total (S z) = 0 /\
    inside (S z) /\ pos z + (j z + 1) <= mark z /\ rest (S z) = rest z / 2 ^ (j z + 1) /\ mark (S z) - pos (S z) = mark z - pos z - (j z + 1) /\
      bit (S z) = (rest z / 2 ^ j z) mod 2.
  Proof.
    destruct z_kept as (A & L & O & B & Nh). destruct z_digit as (S0 & q0 & v0 & a0).
    destruct (placed_at z 0 O ltac:(lia) ltac:(lia)) as [pl pos0]. destruct (search z ltac:(auto) ltac:(auto) pl) as (J1 & J2 & D0 & B0 & D1 & more & final).
    destruct (flags z) as (_ & _ & Re & _). change (2 ^ 1) with 2 in Re.
    assert (E0 : ends z = 0) by (assert (ends z = 0 \/ ends z = 1) as [E | E] by lia; [exact E |]; specialize (final E); lia).
    destruct (more E0) as (N1 & N2 & N3 & N4 & N5 & N6 & N7). destruct (H_selects z (one z)) as (_ & _ & S3 & S4 & S5).
    rewrite z_phase in S3, S4, S5. cbn [Z.eqb Pos.eqb] in S3, S4, S5. rewrite z_resolved in S3, S5. destruct (H_nothing z ltac:(lia) S4) as (Z1 & Z2 & Z3 & Z4).
    assert (T : total (S z) = 0) by (unfold total; lia). pose proof (H_resolves z z_phase) as Q'. rewrite z_resolved in Q'. cbn [Z.eqb Pos.eqb] in Q'.
    destruct (H_keep z (one z) ltac:(lia)) as (K1 & K2 & K3). rewrite z_phase, S0 in K3. cbn [Z.eqb Pos.eqb] in K3. fold R2 in K3.
    assert (qz : digits_ z = 0) by (unfold digits_; rewrite q0, v0; reflexivity). rewrite qz in N5. pose proof (bit_range (rest z) (j z)) as rb.
    destruct powers as (P1 & P2 & P3 & P4 & P5 & _). fold R2 in P2, P3.
    assert (D : R2 * (d_hat / R2) + (M + 1) mod R2 = d_hat).
    { unfold d_hat. rewrite (Z.mul_comm R2 b), Z.div_add_l by lia. pose proof (Z.div_mod (M + 1) R2 ltac:(lia)). lia. }
    split; [exact J2 |]. split; [exact B0 |]. split; [exact pos0 |]. split; [exact D1 |]. split; [exact T |]. split; [| auto 10].
    unfold inside. rewrite T, Z1, Z2, K1, K2, K3, Z4, N5. rewrite Z.div_0_l by (apply Z.pow_nonzero; lia).
    assert (0 < 2 ^ (N - 1)) by (clear - P2 P3 P5; lia). rewrite N5, Z.div_0_l in N7 by (apply Z.pow_nonzero; lia).
    split; [exact Q' |]. split; [exact S5 |]. split; [assumption |]. split; [assumption |]. split; [reflexivity |]. split; [reflexivity |].
    split; [rewrite N6; apply bit_range |]. split; [exact N7 |]. auto.
  Qed.

  Lemma loop : exists T, (K + m + 5 <= (m + 1) * S T)%nat /\ (S T <= K + m + 5)%nat /\ (forall i, (1 <= i <= T)%nat -> P (z + i)%nat = 16) /\ P (z + S T)%nat = 32 /\
    full (z + S T)%nat = 0 /\ net "first_convert_q" (z + S T)%nat = 1 /\
    0 <= total (z + S T) < 2 * M /\ montgomery M (pw 2 (K + 2)) a b (total (z + S T)).
  Proof.
    destruct operands_ as (A & B & _). destruct first_iteration as (j0 & r0 & p0 & l0 & T0 & in1 & next0 & rest1 & mark1 & bit1).
    destruct z_kept as (A0 & L & O & _). destruct z_digit as (_ & _ & _ & a0).
    pose proof (scs_mm_skip_bound M K a b ltac:(rewrite pw_Z; fold W; lia) ltac:(lia) ltac:(lia)) as AB.
    assert (rest0 : rest z = a) by (unfold rest; rewrite p0, A0; apply Z.div_1_r).
    assert (R2_is : pw 2 (m + 2) = R2) by (rewrite pw_Z; unfold R2, V; f_equal; lia).
    destruct (skipping_loop M M b (2 * a) (m + 2) (K + 3) (m + 1) Y (fun i => bit (z + i)%nat) (fun i => rest (z + i)) quotient
      (fun i => mark (z + i) - pos (z + i) + 1) (fun i => j (z + i) + 1) keeps) as (T & T1 & T2 & all & LT & R & X); by_arithmetic.
    - rewrite Zodd_mod, odd. reflexivity.
    - replace (K + 3)%nat with (S (K + 2)) by lia. cbn [pw]. lia.
    - replace (K + 3 + (m + 2))%nat with ((m + 2) + (K + 3))%nat by lia. rewrite pw_add, (pw_add 2 K 3), R2_is, pw_Z. fold W. cbn [pw].
      destruct powers as (_ & _ & P3 & _ & P5 & _). fold R2 in P3. assert (8 * (2 ^ W * 8) <= R2 * (2 ^ W * 8)) by (apply Z.mul_le_mono_nonneg_r; lia). lia.
    - exact I.
    - rewrite Nat.add_0_r, p0, L. unfold W, V. lia.
    - reflexivity.
    - rewrite Nat.add_0_r. unfold bit. rewrite a0. cbn [Z.eqb]. rewrite Z.mul_comm, Z_mod_mult. reflexivity.
    - rewrite Nat.add_0_r, rest0, (Z.mul_comm 2 a), Z.div_mul by lia. reflexivity.
    - intros i Ki. rewrite R2_is. replace (j (z + i) + 1 - 1) with (j (z + i)) by lia. destruct i as [| i].
      + rewrite Nat.add_0_r in *. unfold Y, quotient. rewrite !Nat.add_1_r, T0. assert (b0 : bit z = 0) by (unfold bit; rewrite a0; reflexivity). rewrite b0.
        split; [lia |]. split; [lia |]. split; [lia |]. split; [lia |]. split; [exact r0 |]. intros _. unfold keeps. rewrite Nat.add_1_r.
        split; [exact in1 |]. split; [lia |]. auto.
      + unfold keeps in Ki. set (t := (z + S i)%nat) in *. destruct (step t Ki) as (J2 & B0 & D1 & E & more & final). pose proof Ki as (_ & _ & _ & _ & Eq & _).
        assert (St : (z + S (S i))%nat = S t) by (unfold t; lia). unfold Y, quotient. fold t. rewrite !St. pose proof (Z.mod_pos_bound (total t) 2 ltac:(lia)) as Rq. rewrite <- Eq in Rq.
        split; [lia |]. split; [lia |]. split; [lia |]. split; [exact E |]. split; [exact B0 |]. intros L'. unfold keeps. rewrite !St.
        destruct (flags t) as (_ & _ & Re & _). change (2 ^ 1) with 2 in Re.
        assert (E0 : ends t = 0) by (assert (ends t = 0 \/ ends t = 1) as [E0 | E0] by lia; [exact E0 |]; specialize (final E0); lia).
        destruct (more E0) as (in2 & _ & rest2 & mark2 & bit2). split; [exact in2 |]. split; [lia |]. auto.
    - exists T. split; [lia |]. split; [lia |].
      assert (phases : forall i, (1 <= i <= T)%nat -> inside (z + i)%nat) by (intros i Hi; specialize (all i ltac:(lia)); destruct i; [lia | exact all]).
      assert (T0' : (1 <= T)%nat) by (destruct T; [rewrite Nat.add_0_r in LT; lia | lia]).
      pose proof (phases T ltac:(lia)) as inT. split; [intros i Hi; apply (phases i Hi) |].
      destruct (step (z + T) inT) as (_ & _ & _ & _ & more & _). pose proof inT as (Q & _). destruct (flags (z + T)%nat) as (_ & _ & Re & _). change (2 ^ 1) with 2 in Re.
      assert (E1 : ends (z + T)%nat = 1) by (assert (ends (z + T)%nat = 0 \/ ends (z + T)%nat = 1) as [E0 | E0] by lia; [destruct (more E0) as (_ & G & _); lia | exact E0]).
      pose proof (H_loops _ Q) as Q'. rewrite E1 in Q'. cbn [Z.eqb Pos.eqb] in Q'. rewrite <- Nat.add_succ_r in Q'. split; [exact Q' |].
      destruct (H_selects (z + T)%nat (one _)) as (_ & S2 & _ & _ & S5). rewrite Q in S2, S5. cbn [Z.eqb Pos.eqb] in S2, S5. rewrite <- Nat.add_succ_r in S2, S5.
      split; [lia |]. split; [exact S2 |]. unfold Y in R, X. split; [lia |].
      apply montgomery_halved; [exact odd |]. replace (K + 3)%nat with (S (K + 2)) in X by lia. exact X.
  Qed.
  End Loop.

  Let H := ((K + m + 5) / 2)%nat.

  Lemma half_rows : N <= Z.of_nat (2 * H) /\ (3 <= H)%nat.
  Proof. unfold N, H, W, V. pose proof (Nat.div_mod (K + m + 5) 2 ltac:(lia)). pose proof (Nat.mod_upper_bound (K + m + 5) 2 ltac:(lia)). lia. Qed.

  Lemma response : exists d : nat, ((K + m + 5 + m) / (m + 1) + 7 <= d <= K + m + 11 + 2 * H)%nat /\ P (r + d)%nat = 64 /\ (forall t, (r < t < r + d)%nat -> P t <> 64) /\
    (held (r + d) /\ c (r + d)%nat = 0) /\ 0 <= net "p_o" (r + d)%nat < 2 * M /\ (net "p_o" (r + d)%nat * 2 ^ (W + 2)) mod M = (a * b) mod M.
  Proof.
    destruct start as (P1 & P2 & P3 & res0 & H0 & T0 & D0 & k0). destruct operands_ as (A & B & d0 & d1 & d2 & _ & d3). destruct powers as (Q1 & Q2 & Q3 & Q4 & Q5 & _). destruct half_rows as [HH H1].
    assert (range : forall t, 0 <= s t /\ 0 <= c t < 2 ^ N) by (intros t; destruct (vectors t) as (_ & _ & V3 & V4 & _); lia).
    set (still := fun t => held t /\ P t = 8 /\ resolved t = 0 /\ kept t).
    assert (leaves : forall t, P (S t) = 8 -> still t -> P (S (S t)) = (if c t =? 0 then 16 else 8) /\ (P (S (S t)) = 8 -> still (S t))).
    { intros t E (Ht & Et & Rt & kt). destruct (H_selects t (one t)) as (S1 & _). rewrite Et in S1. cbn [Z.eqb Pos.eqb] in S1.
      pose proof Ht as (_ & _ & _ & _ & _ & Esc). rewrite Esc in S1. pose proof (H_resolves (S t) E) as G. rewrite S1 in G.
      assert (G' : P (S (S t)) = (if c t =? 0 then 16 else 8)) by (rewrite G; destruct (c t =? 0); reflexivity). split; [exact G' |]. intros E8.
      split; [apply next_held; auto |]. split; [exact E |]. split; [| apply keeps_operands; auto; lia]. rewrite S1. rewrite G' in E8. destruct (c t =? 0); [discriminate | reflexivity]. }
    destruct (settles (fun t => P (S t)) s c 8 16 N still ltac:(unfold N; lia) range) with (s := resolves) (J := (H - 2)%nat) (e := 4%nat)
      as (i & I & in8 & P16 & C0 & S0 & S1 & C1).
    - intros t k _ (Ht & Et & Rt & _). apply rows; auto.
    - exact leaves.
    - pose proof (H_resolves resolves P3) as G. rewrite res0 in G. exact G.
    - unfold still. auto.
    - exact D0.
    - rewrite T0. unfold d_hat. lia.
    - lia.
    - rewrite T0 in S0, S1. set (z := S (resolves + i)) in *.
      destruct (in8 i (le_n i)) as [Pz (Hi & Ei & Ri & ki)]. fold z in Pz. rewrite Nat.add_succ_r in P16, S1, C1. fold z in P16, S1, C1.
      destruct (next_held (resolves + i) ltac:(auto)) as ((_ & _ & _ & _ & Ess & _) & _). fold z in Ess.
      destruct (H_operands (resolves + i)%nat (one _) ltac:(auto) ltac:(lia)) as (U1 & U2 & _). rewrite Ei in U1, U2. cbn [Z.eqb Pos.eqb] in U1, U2. fold z in U1, U2.
      destruct (H_selects (resolves + i)%nat (one _)) as (S2 & _ & S3 & S4 & _). rewrite Ei in S2, S3, S4. cbn [Z.eqb Pos.eqb] in S2, S3, S4. pose proof Hi as (_ & _ & _ & _ & _ & Esc).
      rewrite Esc, C0 in S2. cbn [Z.eqb] in S2. fold z in S2, S3, S4. rewrite Ri in S3.
      destruct (H_stays (resolves + i)%nat S3 S4) as (_ & _ & _ & _ & _ & v0). fold z in v0.
      pose proof (keeps_operands (resolves + i) ltac:(lia) ltac:(lia) ltac:(auto) ki) as kz. fold z in kz.
      destruct (loop z Pz S2 kz ltac:(rewrite Ess; auto)) as (T & T1 & T2 & in16 & P32 & F32 & first & R & X).
      set (v := (z + S T)%nat) in *. cbv beta in R, X. assert (R' : s v + c v + carry_in v < 2 ^ N) by lia. destruct (H_last v F32 R') as [L1 L2]. destruct (next_held v ltac:(auto)) as (Hv & Sv & Cv).
      destruct (H_selects v (one v)) as (res1 & first1 & _). rewrite P32 in res1, first1. cbn [Z.eqb Pos.eqb] in res1, first1. rewrite first in res1. cbn [Z.eqb Pos.eqb] in res1.
      pose proof (H_converts v P32) as P33. assert (resv : resolved v = 0).
      { unfold v. rewrite Nat.add_succ_r. destruct (H_selects (z + T)%nat (one _)) as (G & _). assert (T0' : P (z + T)%nat = 16).
        { destruct T; [| apply in16; lia]. exfalso. assert (first0 : net "first_convert_q" v = 1) by exact first. unfold v in first0. rewrite Nat.add_succ_r, Nat.add_0_r in first0.
          destruct (H_selects z (one z)) as (_ & G2 & _). rewrite Pz in G2. cbn [Z.eqb Pos.eqb] in G2. lia. }
        rewrite T0' in G. cbn [Z.eqb Pos.eqb] in G. exact G. }
      rewrite resv in P33. cbn [Z.eqb] in P33.
      set (still2 := fun t => held t /\ P t = 32 /\ resolved t = 0 /\ net "first_convert_q" t = 0).
      destruct (settles (fun t => P (S t)) s c 32 64 N still2 ltac:(unfold N; lia) range) with (s := S v) (J := H) (e := 1%nat)
        as (k & Ik & in32 & P64 & _ & _ & S6 & C6).
      + intros t g _ (Ht & Et & _). apply rows; auto.
      + intros t E (Ht & Et & Rt & Ft). destruct (H_selects t (one t)) as (G1 & G2 & _). rewrite Et in G1, G2. cbn [Z.eqb Pos.eqb] in G1, G2. rewrite Ft in G1. cbn [Z.eqb] in G1.
        pose proof Ht as (_ & _ & _ & _ & _ & Esc'). rewrite Esc' in G1. pose proof (H_converts (S t) E) as G. rewrite G1 in G.
        assert (G' : P (S (S t)) = (if c t =? 0 then 64 else 32)) by (rewrite G; destruct (c t =? 0); reflexivity). split; [exact G' |]. intros E32.
        split; [apply next_held; auto |]. split; [exact E |]. split; [| exact G2]. rewrite G1. rewrite G' in E32. destruct (c t =? 0); [discriminate | reflexivity].
      + pose proof (H_converts (S v) P33) as G. rewrite res1 in G. exact G.
      + unfold still2. auto.
      + rewrite Cv. apply Z.mod_divide; [lia | exact L2].
      + rewrite Sv, Cv, L1. lia.
      + lia.
      + rewrite Nat.add_succ_r in P64, S6, C6. set (e := S (S v + k)) in *. assert (E9 : (r + (i + S T + k + 7))%nat = S e) by (unfold e, v, z, resolves; lia).
        exists (i + S T + k + 7)%nat. rewrite E9.
        destruct (in32 k (le_n k)) as [Pe (He & Ee & Re & Fe)]. fold e in Pe.
        assert (still_e : held e) by (apply next_held; auto).
        destruct (rows e N still_e ltac:(auto) ltac:(unfold N; lia) ltac:(rewrite C6; apply Z.divide_0_r) ltac:(rewrite C6, S6, Sv, Cv, L1; lia)) as [G1 G2].
        assert (C7 : c (S e) = 0) by (apply (divided_small (N + 2) N); [apply range | lia | unfold N; lia | exact G2]).
        assert (held_d : held (S e)) by (apply next_held; auto).
        assert (least : ((K + m + 5 + m) / (m + 1) <= S T)%nat) by (apply Nat.lt_succ_r, Nat.div_lt_upper_bound; lia).
        split; [lia |]. split; [exact P64 |]. split; [| split; [auto |]].
        * clear - P1 P2 P3 in8 in16 P32 P33 in32. intros t Ht. destruct (Nat.lt_ge_cases t (S v)) as [H7 | H7].
          -- destruct (Nat.lt_ge_cases t (S z)) as [H8 | H8].
             ++ destruct (Nat.eq_dec t (S r)) as [-> |]; [lia |]. destruct (Nat.eq_dec t (S (S r))) as [-> |]; [lia |]. destruct (Nat.eq_dec t resolves) as [-> |]; [lia |].
                destruct (in8 (t - S resolves)%nat ltac:(unfold z, resolves in *; lia)) as [E _]. replace (S (resolves + (t - S resolves))) with t in E by (unfold resolves in *; lia). lia.
             ++ destruct (Nat.eq_dec t v) as [-> | H9]; [lia |]. specialize (in16 (t - z)%nat ltac:(unfold v in *; lia)). replace (z + (t - z))%nat with t in in16 by lia. lia.
          -- destruct (Nat.eq_dec t (S v)) as [-> |]; [lia |]. destruct (in32 (t - S (S v))%nat ltac:(unfold e in *; lia)) as [E _].
             replace (S (S v + (t - S (S v)))) with t in E by lia. lia.
        * clear - held_d R L1 S6 Sv Cv M_range Q4 X H_answer G1 C7 C6. destruct held_d as (_ & _ & _ & _ & Es & _). rewrite H_answer, Es. replace (s (S e)) with (s v + c v + carry_in v) by lia.
          rewrite Z.mod_small by lia. split; [exact R |]. apply montgomery_mod. replace (2 ^ (W + 2)) with (pw 2 (K + 2)); [exact X |]. rewrite pw_Z. f_equal. unfold W. lia.
  Qed.
  End Request.

  Theorem chain : multiplier net (net "a_i") (net "b_i") n (net "p_o") ((K + m + 5 + m) / (m + 1) + 7) (K + m + 11 + 2 * ((K + m + 5) / 2)) (2 ^ (W + 2))
    (fun r => n r mod 2 = 1 /\ 3 <= n r /\ n r < 2 ^ W /\ raised 1 (n r) (net "n_hat_i" r)) (fun n x => 0 <= x < 2 * n) (fun n p => 0 <= p < 2 * n).
  Proof.
    apply (serves _ _ _ _ _ _ _ _ _ _ _ P 1 64 (fun t => held t /\ c t = 0)).
    - intros t. destruct (H_ready t) as [-> ->]. destruct (one t) as [[[[[[E | E] | E] | E] | E] | E] | E]; rewrite E; auto.
    - intros r I Y (odd & least & most & constant) [_ a_range] [_ b_range]. apply raised_1 in constant.
      destruct (response r I Y odd ltac:(lia) constant a_range b_range) as (d & Hd). exists d. tauto.
    - intros t E [Hd C] T. destruct (vectors t) as (_ & _ & V3 & V4 & _). destruct (vectors (S t)) as (_ & _ & V5 & V6 & _).
      destruct (rows t N Hd ltac:(auto) ltac:(unfold N; lia) ltac:(rewrite C; apply Z.divide_0_r) ltac:(lia)) as [S1 S2].
      assert (Z0 : c (S t) = 0) by (apply (divided_small (N + 2) N); [exact V6 | lia | unfold N; lia | exact S2]).
      destruct (next_held t ltac:(auto)) as (Hd' & _). split; [exact (H_waits t E T) |]. split; [auto |].
      destruct Hd as (_ & _ & _ & _ & E1 & _). pose proof Hd' as (_ & _ & _ & _ & E2 & _). rewrite !H_answer, E1, E2. f_equal. lia.
  Qed.
End Chain.

Theorem contract : forall (K : nat) (skips : Z) (net : trace) (n : nat -> Z), let W := Z.of_nat K in
  (1 <= K)%nat /\ 1 <= skips <= 3 ->
  ranges W skips net -> ready W skips net -> phases W skips net -> phases_at_reset W skips net -> accept W skips net -> added_b W skips net -> added_n W skips net ->
  resolving W skips net -> looping W skips net -> converts W skips net -> waits W skips net -> selects W skips net -> operands W skips net -> keep W skips net ->
  multiple W skips net -> first_row W skips net -> second_row W skips net -> row W skips net -> half_adders W skips net -> carry_added W skips net ->
  nothing_moves W skips net -> stays W skips net -> moves W skips net -> found W skips net -> skipped W skips net -> next_digits W skips net ->
  window W skips net -> window_end W skips net -> window_row W skips net -> answer W skips net ->
  let m := Z.to_nat skips in
  multiplier net (net "a_i") (net "b_i") n (net "p_o") ((K + m + 5 + m) / (m + 1) + 7) (K + m + 11 + 2 * ((K + m + 5) / 2)) (2 ^ (W + 2))
    (fun r => n r mod 2 = 1 /\ 3 <= n r /\ n r < 2 ^ W /\ raised 1 (n r) (net "n_hat_i" r)) (fun n x => 0 <= x < 2 * n) (fun n p => 0 <= p < 2 * n).
Proof.
  intros K skips net n W wide. assert (E : skips = Z.of_nat (Z.to_nat skips)) by lia. revert wide. rewrite E, Nat2Z.id. intros wide. intros.
  apply (chain K (Z.to_nat skips) net n); try assumption. lia.
Qed.
