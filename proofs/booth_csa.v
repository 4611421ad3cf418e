(* SPDX-License-Identifier: Apache-2.0 *)
(* mf_booth_csa from the nets of the RTL to the contract, for every width and radix. The hypotheses are the lemmas that montforge
   prints into booth_csa_lemmas.v, and proves on the RTL; those on multiples and rows have as many parts as the radix needs. *)
From Coq Require Import ZArith Lia String.
Require Import DigitRecurrence Instances WordSerial Contract Control Bits booth_csa_lemmas.
Open Scope string_scope. Open Scope Z_scope.
Set Default Proof Using "All".

Section Chain.
  Variables (K : nat) (digit nonnegative : Z) (net : trace).
  Let W := Z.of_nat K.
  Hypotheses (sizes : 3 <= W /\ 2 <= digit <= W + 3 /\ 0 <= nonnegative <= 1) (H_ranges : ranges W digit nonnegative net)
    (H_ready : ready W digit nonnegative net) (H_accept : accept W digit nonnegative net) (H_loop : loop W digit nonnegative net)
    (H_first_digit : first_digit W digit nonnegative net) (H_next_digit : next_digit W digit nonnegative net)
    (H_no_digit : no_digit W digit nonnegative net) (H_at_reset : at_reset W digit nonnegative net)
    (H_inverse : inverse W digit nonnegative net) (H_first_product : first_product W digit nonnegative net)
    (H_next_product : next_product W digit nonnegative net) (H_quotient : quotient W digit nonnegative net)
    (H_pending : pending_carry W digit nonnegative net) (H_clear : clear W digit nonnegative net)
    (H_no_pair : no_pair W digit nonnegative net) (H_fold : fold W digit nonnegative net) (H_pair : pair W digit nonnegative net)
    (H_multiples : multiples W digit nonnegative net) (H_rows : rows W digit nonnegative net)
    (H_accumulate : accumulate W digit nonnegative net) (H_count : count W digit nonnegative net)
    (H_count_end : count_end W digit nonnegative net) (H_flush_row : flush_row W digit nonnegative net) (H_flush : flush W digit nonnegative net)
    (H_finish : finish W digit nonnegative net) (H_wait : wait W digit nonnegative net) (H_answer : answer W digit nonnegative net).

  Let r := 2 ^ digit.
  Let h := 2 ^ (digit - 1).
  Let State := W + digit + 3.
  Let M := Z.to_nat ((W + 2 + digit - 1) / digit).                                            (* iterations *)

  Lemma radix : r = 2 * h /\ 2 <= h.
  Proof.
    unfold r, h. split; [apply half; lia |]. change 2 with (2 ^ 1) at 1. apply Z.pow_le_mono_r; lia.
  Qed.

  Lemma iterations : (W + 2 + digit - 1) / digit = Z.of_nat M /\ (1 <= M)%nat /\ 4 * 2 ^ W <= pw (2 * h) M.
  Proof.
    destruct (word_count digit (W + 2) ltac:(lia) ltac:(lia)) as (E & L & B). fold M in E, L, B. split; [exact E |]. split; [exact L |].
    destruct radix as [<- _]. unfold r. rewrite pw_words by lia. change 4 with (2 ^ 2). rewrite <- Z.pow_add_r by lia. apply Z.pow_le_mono_r; lia.
  Qed.

  (* The vectors of a pair of operands, the sum vector being signed. *)
  Definition operand (s c : string) (t : nat) : Z := two (W + 3) (net s t) + net c t.

  (* The digit that is found in a cycle, and used in the next one. *)
  Let value (t : nat) : Z := net "u_core.digit" t + net "u_core.transfer_q" t - r * net "u_core.transfer_q" (S t).
  Let b_of (t : nat) : Z := two (W + 3) (part (net "u_core.b_q" t) 0 (W + 3)) + two (W + 3) (part (net "u_core.b_q" t) (W + 3) (W + 3)).
  Let vector (i : Z) (t : nat) : Z := part (net "u_core.u_accumulator.u_tree.rows_i" t) (i * (W + digit + 3)) (W + digit + 3).
  Let low (t : nat) : Z := part (net "u_core.s_q" t) 0 digit + part (net "u_core.c_q" t) 0 digit.

  (* The tree adds the multiples of b and n to the pair. *)
  Lemma sums : forall t, net "u_core.phase_q" t = 0 \/ net "u_core.phase_q" t = 1 -> net "u_core.phase_q" (S t) = 1 ->
    exists q, - h <= q <= h /\
      (r | q - (part (net "u_core.s_q" (S t)) digit digit + part (net "u_core.c_q" (S t)) digit digit + net "u_core.pending" (S t) +
        net "u_core.gen_quotient.u_quotient.product_q" (S t)) * net "u_core.gen_quotient.u_quotient.n_inverse_q" (S t)) /\
      (2 ^ State | net "u_core.s_q" (S (S t)) + net "u_core.c_q" (S (S t)) -
        (vector 0 (S t) + vector 1 (S t) + value t * b_of (S t) + q * net "u_core.n_q" (S t))).
  Proof.
    intros t P Q. destruct P as [P | P]; [pose proof (H_first_digit t P Q) as R | pose proof (H_next_digit t P Q) as R];
      destruct R as (_ & E & _ & _ & L); fold r in E; fold (value t) in E; rewrite <- E; clear E P;
      pose proof (H_quotient (S t)) as (Q1 & Q2 & Q3 & Q4); pose proof (H_rows (S t)) as Rows; destruct (H_accumulate (S t) Q) as [-> ->];
      pose proof (H_multiples (S t)) as Mu; decompose [and] L; decompose [and] Q4;
      (assert (half_r : 2 ^ digit / 2 = h) by (destruct radix as [X _]; fold r; rewrite X, Z.mul_comm; apply Z.div_mul; lia)); rewrite half_r in Q2, Q3;
      (match type of Q3 with ?q <= _ => exists q end);
      (split; [lia |]); (split; [apply divide_mod; [apply Z.pow_pos_nonneg; lia | exact Q1] |]); clear Q1 Q2 Q3 half_r;
      unfold b_of, vector, State;
      decompose [and] Rows; decompose [and] Mu; clear Rows Mu;
      multiples_divide (W + digit + 3);
      rows_divide (W + digit + 3); by_sum.
  Qed.

  (* The digit and the carry are the lowest part of an operand's rest, a pair x, y of it. *)
  Let rest (t : nat) : Z := two (W + 3) (part (net "u_core.a_q" t) 0 (W + 3)) + two (W + 3) (part (net "u_core.a_q" t) (W + 3) (W + 3)) +
    net "u_core.carry_q" t + net "u_core.transfer_q" t.

  Lemma value_range : forall t, net "u_core.phase_q" t = 0 \/ net "u_core.phase_q" t = 1 -> net "u_core.phase_q" (S t) = 1 -> - h <= value t <= h.
  Proof.
    intros t P Q. assert (half_r : 2 ^ digit / 2 = h) by (destruct radix as [X _]; fold r; rewrite X, Z.mul_comm; apply Z.div_mul; lia).
    destruct P as [P | P]; [pose proof (H_first_digit t P Q) as R | pose proof (H_next_digit t P Q) as R]; destruct R as (_ & E & L & U & _);
      rewrite half_r in L, U; fold r in E; unfold value; lia.
  Qed.

  Lemma lowest : forall x, two (W + 3) x mod r = x mod r.
  Proof.
    intros x. pose proof (divide_pow digit (W + 3) _ ltac:(lia) (two_divides (W + 3) x)) as [j E]. fold r in E.
    replace (two (W + 3) x) with (x + j * r) by lia. apply Z_mod_plus_full.
  Qed.

  Lemma rest_step : forall t, net "u_core.phase_q" t = 1 -> net "u_core.phase_q" (S t) = 1 -> rest t = r * rest (S t) + value t.
  Proof.
    intros t P Q. destruct (H_next_digit t P Q) as (E & _). destruct (H_loop t P Q) as (_ & _ & X & Y & _). unfold rest, value. rewrite X, Y. fold r in E |- *.
    assert (r <> 0) by (destruct radix; lia). set (x := part _ 0 _) in *. set (y := part _ (W + 3) _) in *.
    pose proof (Z.div_mod (two (W + 3) x) r ltac:(assumption)) as A. pose proof (Z.div_mod (two (W + 3) y) r ltac:(assumption)) as B.
    rewrite lowest in A, B. lia.
  Qed.

  Section Request.
  (* A request is accepted in cycle c. *)
  Variables (c : nat).
  Let a := operand "a_s_i" "a_c_i" c. Let b := operand "b_s_i" "b_c_i" c. Let n := net "n_i" c.
  Hypotheses (idle : net "u_core.phase_q" c = 0) (request : net "req_valid_i" c = 1) (odd : n mod 2 = 1)
    (a_range : - n < a < n) (b_range : - n < b < n).
  Let first := S c.                                                                          (* the first cycle of the loop *)

  Lemma n_range : 0 < n < 2 ^ W.
  Proof. assert (0 <= n < 2 ^ W) by (unfold n; in_range H_ranges c). pose proof (odd_positive n ltac:(lia) odd). lia. Qed.

  Lemma loop_state : forall t, (t < M)%nat -> net "u_core.phase_q" (first + t)%nat = 1 /\ net "u_core.left_q" (first + t)%nat = Z.of_nat (M - 1 - t) /\
    net "u_core.n_q" (first + t)%nat = n /\ b_of (first + t) = b /\ (r | net "u_core.gen_quotient.u_quotient.n_inverse_q" (first + t)%nat * n + 1) /\
    (r | net "u_core.gen_quotient.u_quotient.b_q" (first + t)%nat - b).
  Proof.
    destruct iterations as (EM & LM & _). assert (r_positive : 0 < r) by (destruct radix; lia). induction t; intros L.
    - rewrite Nat.add_0_r. destruct (H_accept c idle request) as (A1 & A2 & A3 & A4 & A5 & _). fold first in A1, A2, A3, A4, A5.
      split; [exact A1 |]. split; [rewrite A2, EM; lia |]. split; [exact A3 |].
      assert (small : net "b_c_i" c < 2 ^ (W + 3 - 1)).
      { assert (net "b_c_i" c < 2 ^ (W + 1)) by in_range H_ranges c. pose proof (Z.pow_le_mono_r 2 (W + 1) (W + 3 - 1) ltac:(lia) ltac:(lia)). lia. }
      assert (two (W + 3) (net "b_c_i" c) = net "b_c_i" c) by (unfold two; destruct (Z.ltb_spec (net "b_c_i" c) (2 ^ (W + 3 - 1))); lia).
      split; [unfold b_of, b, operand; rewrite A4, A5; lia |].
      pose proof (divide_mod _ _ r_positive (H_inverse c idle odd)) as I. fold first n r in I. split; [exact I |]. clear I.
      destruct (H_first_product c idle A1) as [P _]. apply (divide_mod _ _ r_positive) in P. fold first r in P.
      pose proof (divide_pow digit (W + 3) _ ltac:(lia) (two_divides (W + 3) (net "b_s_i" c))) as D. fold r in D. apply Z.divide_opp_r in D. unfold b, operand. by_sum.
    - destruct (IHt ltac:(lia)) as (I1 & I2 & I3 & I4 & I5 & I6). rewrite Nat.add_succ_r. destruct (H_count _ I1 ltac:(lia)) as [C1 C2].
      destruct (H_loop _ I1 C1) as (L1 & L2 & _). destruct (H_next_product _ I1 C1) as (P1 & P2 & _). unfold b_of. rewrite L1, L2, P1, P2.
      split; [exact C1 |]. split; [lia |]. auto.
  Qed.

  Lemma entered : forall t, (t < M)%nat -> (net "u_core.phase_q" (c + t)%nat = 0 \/ net "u_core.phase_q" (c + t)%nat = 1) /\ net "u_core.phase_q" (S (c + t)) = 1.
  Proof.
    intros t L. destruct (loop_state t L) as (P & _). split; [| exact P]. destruct t; [rewrite Nat.add_0_r; auto |]. right.
    destruct (loop_state t ltac:(lia)) as (Q & _). rewrite Nat.add_succ_r. exact Q.
  Qed.

  Lemma no_carry : net "u_core.carry_q" c = 0 /\ net "u_core.transfer_q" c = 0.
  Proof. destruct c as [| t]; [destruct (H_at_reset O eq_refl) as (_ & E); exact E | exact (H_no_digit t idle)]. Qed.

  (* The digits of a. *)
  Let left_of (t : nat) : Z := match t with O => a | S i => rest (first + i) end.

  Lemma left_step : forall t, (t < M)%nat -> left_of t = r * left_of (S t) + value (c + t).
  Proof.
    intros [| t] L; cbn [left_of].
    - destruct (entered O ltac:(lia)) as [_ Q]. rewrite Nat.add_0_r in *. destruct no_carry as [N1 N2].
      destruct (H_first_digit c idle Q) as (E & _). destruct (H_accept c idle request) as (_ & _ & _ & _ & _ & X & Y). fold first r in E, X, Y.
      unfold left_of, rest, value. rewrite Nat.add_0_r, X, Y. unfold a, operand. rewrite N1, N2 in *. fold first r.
      assert (r <> 0) by (destruct radix; lia). pose proof (Z.div_mod (two (W + 3) (net "a_s_i" c)) r ltac:(assumption)) as A.
      pose proof (Z.div_mod (net "a_c_i" c) r ltac:(assumption)) as B. rewrite lowest in A. lia.
    - destruct (loop_state t ltac:(lia)) as (P & _). destruct (loop_state (S t) L) as (Q & _). rewrite Nat.add_succ_r in Q.
      unfold left_of. rewrite !Nat.add_succ_r. rewrite (rest_step _ P Q). reflexivity.
  Qed.

  Lemma digits_bound_signed : forall f k, (forall t, (t < k)%nat -> - h <= f t <= h) -> (2 * h - 1) * Z.abs (digits (2 * h) f k) <= h * (pw (2 * h) k - 1).
  Proof.
    destruct radix as [_ Hh]. induction k; intros F; cbn [digits pw]; [lia |]. specialize (IHk ltac:(intros; apply F; lia)). specialize (F k ltac:(lia)).
    pose proof (pw_pos (2 * h) k ltac:(lia)). set (P := pw (2 * h) k) in *. set (D := digits (2 * h) f k) in *.
    pose proof (range_mul P (f k) P h ltac:(lia) F). assert (Z.abs (D + P * f k) <= Z.abs D + P * h) by lia.
    assert ((2 * h - 1) * Z.abs (D + P * f k) <= (2 * h - 1) * (Z.abs D + P * h)) by (apply Z.mul_le_mono_nonneg_l; lia). lia.
  Qed.

  Lemma digits_of_a : a = digits (2 * h) (fun t => value (c + t)) M.
  Proof.
    destruct radix as [R Hh]. destruct iterations as (_ & _ & big). pose proof n_range as N.
    pose proof (shifted_out (2 * h) left_of (fun t => value (c + t)) M ltac:(intros t L; rewrite <- R; apply left_step, L)) as E. change (left_of O) with a in E.
    pose proof (digits_bound_signed (fun t => value (c + t)) M ltac:(intros t L; apply value_range; apply (entered t L))) as B.
    pose proof (pw_pos (2 * h) M ltac:(lia)). set (P := pw (2 * h) M) in *. set (D := digits _ _ M) in *.
    assert (D3 : 3 * Z.abs D <= 2 * P).
    { apply (Z.mul_le_mono_pos_l _ _ (2 * h - 1)); [lia |]. assert (2 * P <= h * P) by (apply Z.mul_le_mono_nonneg_r; lia). lia. }
    assert (X : left_of M = 0); [| rewrite X in E; lia].
    destruct (Z.eq_dec (left_of M) 0) as [| NZ]; [assumption |]. assert (P <= P * Z.abs (left_of M)) by (apply Z.le_mul_diag_r; lia).
    rewrite <- (Z.abs_eq P) in H0 at 2 by lia. rewrite <- Z.abs_mul in H0. lia.
  Qed.

  Lemma product : forall t, (t < M)%nat -> (r | net "u_core.gen_quotient.u_quotient.product_q" (first + t)%nat - value (c + t) * b).
  Proof.
    intros t L. assert (r_positive : 0 < r) by (destruct radix; lia). destruct (loop_state t L) as (Q & _).
    assert (G : exists z, (r | z - b) /\ (r | net "u_core.gen_quotient.u_quotient.product_q" (first + t)%nat -
      (net "u_core.digit" (c + t)%nat + net "u_core.transfer_q" (c + t)%nat) * z)).
    { destruct t.
      - rewrite Nat.add_0_r in *. rewrite Nat.add_0_r. destruct (H_first_product c idle Q) as [_ P]. apply (divide_mod _ _ r_positive) in P. eexists. split; [| exact P].
        pose proof (divide_pow digit (W + 3) _ ltac:(lia) (two_divides (W + 3) (net "b_s_i" c))) as D. fold r in D. apply Z.divide_opp_r in D.
        clear P. unfold b, operand. by_sum.
      - destruct (loop_state t ltac:(lia)) as (P & _ & _ & _ & _ & B). rewrite !Nat.add_succ_r in *. destruct (H_next_product _ P Q) as (_ & _ & D).
        apply (divide_mod _ _ r_positive) in D. eexists. split; [exact B | exact D]. }
    destruct G as (z & [i E] & [j F]). unfold value. exists (j + i * (net "u_core.digit" (c + t)%nat + net "u_core.transfer_q" (c + t)%nat) + net "u_core.transfer_q" (S (c + t)) * b).
    replace z with (b + i * r) in F by lia. lia.
  Qed.

  (* The pair, and the carry of the digit that was dropped. *)
  Let dropped_carry (t : nat) : Z := match t with O => 0 | S i => net "u_core.pending" (first + i)%nat end.
  Let total (t : nat) : Z := match t with O => 0 | S i => pair_value State (net "u_core.s_q" (first + t)%nat) (net "u_core.c_q" (first + t)%nat) + dropped_carry t end.

  Lemma bits_of : forall t, 0 <= net "u_core.s_q" t < 2 ^ State /\ 0 <= net "u_core.c_q" t < 2 ^ State /\ 0 <= net "u_core.pending" t <= 1.
  Proof.
    intros t. assert (0 <= net "u_core.pending" t < 2 ^ 1) by in_range H_ranges t. unfold State. split; [in_range H_ranges t |]. split; [in_range H_ranges t | lia].
  Qed.

  Lemma carried : forall t, 0 <= dropped_carry t <= 1.
  Proof. intros [| t]; cbn [dropped_carry]; [lia | apply bits_of]. Qed.

  (* What the tree gets of the pair, and the digit for the quotient. *)
  Lemma shifted_pair : forall t y, (t < M)%nat -> total t = r * y -> - (2 * n) <= y <= 2 * n ->
    (2 ^ State | vector 0 (first + t) + vector 1 (first + t) + net "u_core.pending" (first + t)%nat - y) /\
    (r | part (net "u_core.s_q" (first + t)%nat) digit digit + part (net "u_core.c_q" (first + t)%nat) digit digit + net "u_core.pending" (first + t)%nat - y).
  Proof.
    intros t y L E B. pose proof n_range as N. assert (r_positive : 0 < r) by (destruct radix; lia). unfold vector. destruct t.
    - rewrite Nat.add_0_r. cbn [total] in E. assert (y = 0) as -> by (apply (Z.mul_reg_l _ _ r); lia).
      destruct (H_clear c idle) as (C1 & C2 & C3 & C4 & C5 & C6 & C7). fold first in C1, C2, C3, C4, C5, C6, C7.
      destruct (H_no_pair first C5 C6 C7) as [-> ->]. destruct (H_pending first) as [P _]. rewrite C1, C2 in P. rewrite C3, C4. fold r in P.
      assert (net "u_core.pending" first = 0) as -> by (destruct P as [P | P]; [rewrite Z.mod_0_l in P; lia | apply (Z.mul_reg_l _ _ r); lia]). split; exists 0; reflexivity.
    - rewrite !Nat.add_succ_r in *. destruct (loop_state t ltac:(lia)) as (P & _). destruct (loop_state (S t) L) as (Q & _). rewrite Nat.add_succ_r in Q.
      destruct (H_loop _ P Q) as (_ & _ & _ & _ & L1 & L2 & L3). destruct (H_pair _ L1 L2 L3) as [-> ->].
      set (u := S (first + t)) in *. unfold total in E. rewrite Nat.add_succ_r in E. fold u in E. pose proof (carried (S t)) as K1. set (k := dropped_carry (S t)) in *.
      destruct (bits_of u) as (B1 & B2 & _). pose proof (H_pending u) as C. fold r in C.
      pose proof (dropped State digit _ _ _ ltac:(unfold State; lia) B1 B2 k 0 K1 ltac:(exists y; fold r; lia) C) as D. fold r in D.
      split.
      + assert (four : (4 | part (net "u_core.s_q" u) (State - 2) 2 + part (net "u_core.c_q" u) (State - 2) 2 - net "u_core.u_accumulator.fold" u))
          by (apply divide_mod; [lia | apply H_fold]).
        assert (F : 0 <= net "u_core.u_accumulator.fold" u < 4) by (change 4 with (2 ^ 2); in_range H_ranges u).
        assert (wide : 2 ^ (State - 2) = 2 * r * 2 ^ W) by (unfold State, r; replace (W + digit + 3 - 2) with (1 + digit + W) by lia; rewrite !Z.pow_add_r by lia; lia).
        assert (S_range : - 2 ^ (State - 2) <= pair_value State (net "u_core.s_q" u) (net "u_core.c_q" u) <= 2 ^ (State - 2)).
        { pose proof (scale r _ _ _ ltac:(lia) B). pose proof (scale r n n (2 ^ W - 1) ltac:(lia) ltac:(lia)). lia. }
        pose proof (shifted State digit _ _ (k - 0) _ ltac:(unfold State; lia) B1 B2 D _ ltac:(unfold State; lia) F four S_range) as X. fold r in X.
        rewrite Z.sub_0_r, E in X. apply Z.mul_reg_l in X; [| lia]. unfold State in *.
        set (fs := if _ <? 2 then _ else _) in *. set (G := 2 ^ (W + digit + 3 - 2 - digit)) in *. set (ps := part _ digit (W + digit + 3 - 2 - digit)) in *.
        rewrite (Z.mod_eq (fs * G + ps)) by (apply Z.pow_nonzero; lia). exists (- ((fs * G + ps) / 2 ^ (W + digit + 3))). lia.
      + destruct (digit_above State digit _ _ (k - 0) _ ltac:(unfold State; lia) B1 B2 D ltac:(unfold State; lia)) as (z & Z1 & Z2). fold r in Z1. rewrite Z.sub_0_r in Z1.
        assert (y = z) as -> by (apply (Z.mul_reg_l _ _ r); lia). exact Z2.
  Qed.

  Lemma step : forall t y, (t < M)%nat -> total t = r * y -> - (2 * n) <= y <= 2 * n ->
    exists q z, - h <= q <= h /\ total (S t) = r * z /\ r * z = y + value (c + t) * b + q * n /\ - (2 * n) <= z <= 2 * n.
  Proof.
    intros t y L E B. pose proof n_range as N. destruct radix as [R Hh]. assert (r_positive : 0 < r) by lia.
    destruct (entered t L) as [P Q]. destruct (sums _ P Q) as (q & q_range & D1 & D2). pose proof (value_range _ P Q) as d_range.
    replace (S (c + t)) with (first + t)%nat in * by (unfold first; lia).
    destruct (shifted_pair t y L E B) as [V1 V2]. destruct (loop_state t L) as (_ & _ & N1 & B1 & I & _). rewrite N1, B1 in D2. pose proof (product t L) as D3.
    set (d := value (c + t)) in *. set (p := net "u_core.pending" (first + t)%nat) in *.
    assert (Z1 : (r | y + d * b + q * n)).
    { set (x := part _ digit digit + part _ digit digit + p) in *. set (i := net "u_core.gen_quotient.u_quotient.n_inverse_q" (first + t)%nat) in *.
      set (g := net "u_core.gen_quotient.u_quotient.product_q" (first + t)%nat) in *. destruct D1 as [j1 D1], V2 as [j2 V2], I as [j3 I], D3 as [j4 D3].
      exists (j1 * n + (x + g) * j3 - j2 - j4). assert (T : (x + g) * (i * n) = (x + g) * (j3 * r - 1)) by (f_equal; lia).
      replace q with ((x + g) * i + j1 * r) by lia. replace y with (x - j2 * r) by lia. replace (d * b) with (g - j4 * r) by lia. lia. }
    assert (db : - (h * n) <= d * b <= h * n) by (apply range_mul; lia). assert (qn : - (h * n) <= q * n <= h * n) by (apply range_mul; lia).
    assert (wide : 2 ^ (State - 1) = 4 * r * 2 ^ W) by (unfold State, r; replace (W + digit + 3 - 1) with (2 + digit + W) by lia; rewrite !Z.pow_add_r by lia; lia).
    assert (rn : 2 * (h * n) = r * n) by (rewrite R; ring). pose proof (scale r n n (2 ^ W - 1) ltac:(lia) ltac:(lia)) as rn_small. pose proof (scale n 4 r r ltac:(lia) ltac:(lia)) as rn_big.
    pose proof (bits_of (first + t)%nat) as (_ & _ & p_range). fold p in p_range.
    assert (V : pair_value State (net "u_core.s_q" (S (first + t))) (net "u_core.c_q" (S (first + t))) = y + d * b + q * n - p).
    { apply signed_is; [unfold State; lia | lia |]. apply Z.divide_opp_r in D2. apply Z.divide_opp_r in V1. clear - D2 V1. by_sum. }
    destruct Z1 as [z Z1]. exists q, z. split; [exact q_range |]. split; [unfold total, dropped_carry; rewrite Nat.add_succ_r, V; fold p; lia |].
    split; [lia |]. split; apply (Z.mul_le_mono_pos_l _ _ r); lia.
  Qed.

  Lemma steps : forall t, (t <= M)%nat -> exists y, total t = r * y /\ - (2 * n) <= y <= 2 * n.
  Proof.
    pose proof n_range. induction t; intros L; [exists 0; cbn [total]; lia |]. destruct (IHt ltac:(lia)) as (y & E & B).
    destruct (step t y ltac:(lia) E B) as (q & z & _ & F & _ & G). exists z. auto.
  Qed.

  Let quotient_of (t : nat) : Z := total t / r.

  Lemma result : - n < quotient_of M < n /\ montgomery n (pw (2 * h) M) a b (quotient_of M) /\ total M = r * quotient_of M.
  Proof.
    pose proof n_range as N. destruct radix as [R Hh]. destruct iterations as (_ & _ & big).
    assert (exact : forall t, (t <= M)%nat -> total t = r * quotient_of t /\ - (2 * n) <= quotient_of t <= 2 * n).
    { intros t L. destruct (steps t L) as (y & E & B). unfold quotient_of. rewrite E, Z.mul_comm, Z.div_mul by lia. lia. }
    assert (G : - n < quotient_of M < n /\ montgomery n (pw (2 * h) M) a b (quotient_of M)).
    { apply (booth_csa h n a b M quotient_of (fun t => value (c + t)) (fun t => (total (S t) - quotient_of t - value (c + t) * b) / n)); try lia.
      - exact digits_of_a.
      - intros t L. apply value_range; apply (entered t L).
      - unfold quotient_of. cbn [total]. apply Z.div_0_l. lia.
      - intros t L _. destruct (exact t ltac:(lia)) as [E B]. destruct (exact (S t) ltac:(lia)) as [F _].
        destruct (step t _ L E B) as (q & z & q_range & F' & G & _). rewrite F', G.
        replace (quotient_of t + value (c + t) * b + q * n - quotient_of t - value (c + t) * b) with (q * n) by ring. rewrite Z.div_mul by lia.
        split; [lia |]. rewrite <- R, <- F, F', G. reflexivity. }
    destruct G. destruct (exact M ltac:(lia)). auto.
  Qed.

  Let flushes := (first + M)%nat.

  Lemma end_of_loop : net "u_core.phase_q" flushes = 3 /\ net "u_core.left_q" flushes = 0 /\ net "u_core.n_q" flushes = n.
  Proof.
    destruct iterations as (_ & L & _). destruct (loop_state (M - 1)%nat ltac:(lia)) as (P & Q & N & _). unfold flushes.
    replace (first + M)%nat with (S (first + (M - 1)))%nat by lia. rewrite <- N. apply H_count_end; [exact P | lia].
  Qed.

  Let result_of (t : nat) : Z := operand "p_s_o" "p_c_o" t.

  Lemma answered : result_of (S flushes) = quotient_of M + nonnegative * n.
  Proof.
    pose proof n_range as N. destruct radix as [R Hh]. destruct iterations as (_ & LM & _). destruct end_of_loop as (P & _ & Nq). destruct result as (B & _ & E).
    set (u := flushes) in *. destruct (bits_of u) as (B1 & B2 & B3). set (k := dropped_carry M). pose proof (carried M) as K1. fold k in K1.
    assert (E' : pair_value State (net "u_core.s_q" u) (net "u_core.c_q" u) + k = r * quotient_of M).
    { rewrite <- E. unfold total, k. destruct M as [| i]; [lia | reflexivity]. }
    pose proof (H_pending u) as C. fold r in C.
    pose proof (dropped State digit _ _ _ ltac:(unfold State; lia) B1 B2 k 0 K1 ltac:(exists (quotient_of M); fold r; lia) C) as X. fold r in X.
    pose proof (value_divides State digit (net "u_core.s_q" u) (net "u_core.c_q" u) ltac:(unfold State; lia)) as [j J].
    pose proof (low_and_high State digit _ ltac:(unfold State; lia) B1) as S1. pose proof (low_and_high State digit _ ltac:(unfold State; lia) B2) as S2.
    replace (State - digit) with (W + 3) in S1, S2 by (unfold State; lia). fold r in S1, S2.
    destruct (H_flush_row u) as [F1 F2]. rewrite Nq in F1, F2. set (x := part (net "u_core.s_q" u) digit (W + 3)) in *. set (y := part (net "u_core.c_q" u) digit (W + 3)) in *.
    assert (wide : 2 ^ State = r * 2 ^ (W + 3)) by (unfold State, r; rewrite <- Z.pow_add_r by lia; f_equal; lia).
    set (sum := net "u_core.gen_flush.sum" u) in *. set (carry := net "u_core.gen_flush.row_carry" u) in *. set (p := net "u_core.pending" u) in *.
    assert (Q : quotient_of M = p + x + y + j * 2 ^ (W + 3)) by (apply (Z.mul_reg_l _ _ r); [lia |]; rewrite <- E'; unfold pair_value in *; lia).
    assert (nn : 0 <= nonnegative * n <= n) by (assert (nonnegative = 0 \/ nonnegative = 1) as [X0 | X0] by lia; rewrite X0; lia).
    assert (row_sum : (2 ^ (W + 3) | sum + carry - (x + y + nonnegative * n + 0))) by (apply (row (W + 3)); try assumption; try lia; apply part_range; lia).
    assert (pow3 : 2 ^ (W + 3) = 8 * 2 ^ W) by (rewrite Z.pow_add_r by lia; lia). assert (pow2 : 2 ^ (W + 3 - 1) = 4 * 2 ^ W) by (replace (W + 3 - 1) with (W + 2) by lia; rewrite Z.pow_add_r by lia; lia).
    assert (pow1 : 2 ^ (W + 1) = 2 * 2 ^ W) by (rewrite Z.pow_add_r by lia; lia).
    assert (V : pair_value (W + 3) sum carry = quotient_of M - p + nonnegative * n).
    { apply signed_is; [lia | lia |]. destruct row_sum as [i row_sum]. exists (j - i). lia. }
    destruct (H_flush u P) as (A1 & A2 & A3). apply divide_mod in A2; [| lia]. set (v := net "u_core.a_q" (S u)) in *. fold sum carry p in A1, A2, A3.
    assert (sum_range : 0 <= sum < 2 ^ (W + 3)) by (unfold sum; in_range H_ranges u). assert (carry_range : 0 <= carry < 2 ^ (W + 3)) by (unfold carry; in_range H_ranges u).
    set (f := part v (W + 1) 2) in *. assert (f_range : 0 <= f < 4) by (apply (part_range v (W + 1) 2); lia).
    pose proof (folded (W + 3) 1 sum carry ltac:(lia) sum_range carry_range f ltac:(lia) f_range) as F. replace (W + 3 - 2) with (W + 1) in F by lia.
    specialize (F ltac:(apply Z.divide_opp_r in A2; by_sum) ltac:(unfold pair_value in V |- *; lia)). fold (pair_value (W + 3) sum carry) in F. rewrite V in F.
    unfold result_of, operand. destruct (H_answer (S u)) as [-> ->]. fold v. rewrite A3.
    replace (W + 3) with (W + 1 + 2) at 2 by lia. rewrite part_split by lia. replace (0 + (W + 1)) with (W + 1) by lia. fold f. rewrite A1.
    pose proof (part_range sum 0 (W + 1) ltac:(lia)) as low_range. unfold two. rewrite pow2. rewrite pow1 in *.
    destruct (Z.ltb_spec f 2); [assert (f = 0 \/ f = 1) as [f0 | f0] by lia | assert (f = 2 \/ f = 3) as [f0 | f0] by lia]; rewrite f0 in F |- *;
      match goal with |- context [?x <? ?y] => destruct (Z.ltb_spec x y) end; lia.
  Qed.

  Lemma outcome : (nonnegative - 1) * n < result_of (S flushes) < (nonnegative + 1) * n /\
    (result_of (S flushes) * 2 ^ (Z.of_nat M * digit)) mod n = (a * b) mod n.
  Proof.
    rewrite answered. destruct result as (R & [k G] & _). destruct radix as [E _]. rewrite <- E in G. unfold r in G. rewrite pw_words in G by lia.
    split; [lia |]. apply montgomery_mod. exists (k + nonnegative * 2 ^ (Z.of_nat M * digit)). rewrite Z.mul_add_distr_r, G. ring.
  Qed.

  Lemma done : net "u_core.phase_q" (S flushes) = 4.
  Proof. destruct end_of_loop as (P & L & _). exact (H_finish _ P L). Qed.

  Lemma before : forall t, (c < t < S flushes)%nat -> net "u_core.phase_q" t <> 4.
  Proof.
    intros t L. destruct (Nat.eq_dec t flushes) as [-> | X]; [destruct end_of_loop as (-> & _); discriminate |].
    destruct (loop_state (t - first)%nat ltac:(unfold flushes, first in *; lia)) as (P & _).
    replace (first + (t - first))%nat with t in P by (unfold first in *; lia). rewrite P. discriminate.
  Qed.
  End Request.

  Theorem contract : multiplier net (operand "a_s_i" "a_c_i") (operand "b_s_i" "b_c_i") (net "n_i") (operand "p_s_o" "p_c_o") (M + 2) (M + 2) (2 ^ (Z.of_nat M * digit))
    (fun c => net "n_i" c mod 2 = 1) (fun n x => - n < x < n) (fun n p => (nonnegative - 1) * n < p < (nonnegative + 1) * n).
  Proof.
    apply (serves _ _ _ _ _ _ _ _ _ _ _ (net "u_core.phase_q") 0 4 (fun _ => True)); [exact H_ready | |].
    - intros c I V odd a_range b_range. exists (M + 2)%nat. pose proof (before c I V odd a_range b_range) as B. pose proof (done c I V odd a_range b_range) as D.
      pose proof (outcome c I V odd a_range b_range) as X. replace (S (S c + M))%nat with (c + (M + 2))%nat in * by lia.
      split; [lia |]. split; [exact D |]. split; [exact B |]. split; [exact Logic.I |]. exact X.
    - intros t D _ T. destruct (H_wait t D T) as [D' A']. unfold operand. destruct (H_answer t) as [-> ->]. destruct (H_answer (S t)) as [-> ->]. rewrite A'. auto.
  Qed.
End Chain.
