(* SPDX-License-Identifier: Apache-2.0 *)
(* mf_booth_csa from the nets of the RTL to the contract, for every width and radix. The hypotheses are the lemmas that montforge
   prints into booth_csa_lemmas.v, and proves on the RTL; those on multiples and rows have as many parts as the radix needs. *)
From Coq Require Import ZArith Lia String.
Require Import DigitRecurrence Instances WordSerial Contract Control Bits Recoded EarlyLoop Flush booth_csa_lemmas.
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
  Definition operand (s c : name) (t : nat) : Z := two (W + 3) (net s t) + net c t.

  (* The digit that is found in a cycle, and used in the next one. *)
  Let value (t : nat) : Z := net "u_core.digit" t + net "u_core.transfer_q" t - r * net "u_core.transfer_q" (S t).
  Let b_of (t : nat) : Z := two (W + 3) (part (net "u_core.b_q" t) 0 (W + 3)) + two (W + 3) (part (net "u_core.b_q" t) (W + 3) (W + 3)).
  Let vector (i : Z) (t : nat) : Z := part (net "u_core.u_accumulator.u_tree.rows_i" t) (i * (W + digit + 3)) (W + digit + 3).

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

  Lemma value_range : forall t, net "u_core.phase_q" t = 0 \/ net "u_core.phase_q" t = 1 -> net "u_core.phase_q" (S t) = 1 -> - h <= value t <= h.
  Proof.
    intros t P Q. assert (half_r : 2 ^ digit / 2 = h) by (destruct radix as [X _]; fold r; rewrite X, Z.mul_comm; apply Z.div_mul; lia).
    destruct P as [P | P]; [pose proof (H_first_digit t P Q) as R | pose proof (H_next_digit t P Q) as R]; destruct R as (_ & E & L & U & _);
      rewrite half_r in L, U; fold r in E; unfold value; lia.
  Qed.

  Let carry := net "u_core.carry_q".
  Let rest (t : nat) : Z := two (W + 3) (part (net "u_core.a_q" t) 0 (W + 3)) + two (W + 3) (part (net "u_core.a_q" t) (W + 3) (W + 3)).

  Lemma first_rest : forall t, net "u_core.phase_q" t = 0 -> net "req_valid_i" t = 1 -> net "u_core.phase_q" (S t) = 1 ->
    operand "a_s_i" "a_c_i" t + carry t = r * (rest (S t) + carry (S t)) + net "u_core.digit" t.
  Proof.
    intros t P V Q. destruct (H_first_digit t P Q) as (E & _). destruct (H_accept t P V) as (_ & _ & _ & _ & _ & X & Y). unfold rest, operand. rewrite X, Y. fold r carry in E |- *.
    assert (r <> 0) by (destruct radix; lia). pose proof (Z.div_mod (two (W + 3) (net "a_s_i" t)) r ltac:(assumption)) as A.
    pose proof (Z.div_mod (net "a_c_i" t) r ltac:(assumption)) as B. unfold r in A at 3. rewrite lowest in A by lia. fold r in A. lia.
  Qed.

  Lemma next_rest : forall t, net "u_core.phase_q" t = 1 -> net "u_core.phase_q" (S t) = 1 -> rest t + carry t = r * (rest (S t) + carry (S t)) + net "u_core.digit" t.
  Proof.
    intros t P Q. destruct (H_next_digit t P Q) as (E & _). destruct (H_loop t P Q) as (_ & _ & X & Y & _). unfold rest. rewrite X, Y. fold r carry in E |- *.
    assert (r <> 0) by (destruct radix; lia). set (x := part _ 0 _) in *. set (y := part _ (W + 3) _) in *.
    pose proof (Z.div_mod (two (W + 3) x) r ltac:(assumption)) as A. pose proof (Z.div_mod (two (W + 3) y) r ltac:(assumption)) as B.
    unfold r in A at 3. unfold r in B at 3. rewrite lowest in A, B by lia. fold r in A, B. lia.
  Qed.

  Section Request.
  (* A request is accepted in cycle c. *)
  Variables (c : nat).
  Let a := operand "a_s_i" "a_c_i" c. Let b := operand "b_s_i" "b_c_i" c. Let n := net "n_i" c.
  Hypotheses (idle : net "u_core.phase_q" c = 0) (request : net "req_valid_i" c = 1) (odd : n mod 2 = 1)
    (a_range : - n < a < n) (b_range : - n < b < n).
  Let first := S c.                                                                          (* the first cycle of the loop *)
  Let flushes := (first + M)%nat.

  Lemma n_range : 0 < n < 2 ^ W.
  Proof. assert (0 <= n < 2 ^ W) by (unfold n; in_range H_ranges c). pose proof (odd_positive n ltac:(lia) odd). lia. Qed.

  Lemma in_loop : forall t, (t < M)%nat -> net "u_core.phase_q" (first + t)%nat = 1 /\ net "u_core.left_q" (first + t)%nat = Z.of_nat (M - 1 - t).
  Proof.
    destruct iterations as (EM & _). destruct (H_accept c idle request) as (A1 & A2 & _). fold first in A1, A2. induction t; intros L.
    - rewrite Nat.add_0_r, A2, EM. split; [exact A1 | lia].
    - destruct (IHt ltac:(lia)) as (I1 & I2). rewrite Nat.add_succ_r. destruct (H_count _ I1 ltac:(lia)) as [-> ->]. split; [reflexivity | lia].
  Qed.

  Lemma digits_of_a : a = digits r (fun t => value (c + t)) M.
  Proof.
    destruct iterations as (_ & _ & big). destruct radix as [R _]. pose proof n_range. apply (recoded digit net (operand "a_s_i" "a_c_i") rest) with (n := n) (M := M).
    - lia.
    - exact first_rest.
    - exact next_rest.
    - destruct (H_at_reset O eq_refl) as (_ & E). exact E.
    - exact H_no_digit.
    - exact value_range.
    - exact idle.
    - exact request.
    - intros t L. apply in_loop, L.
    - exact a_range.
    - fold r. rewrite R. lia.
  Qed.

  Lemma run : (forall t, (t < M)%nat -> net "u_core.phase_q" (first + t)%nat = 1 /\ net "u_core.left_q" (first + t)%nat = Z.of_nat (M - 1 - t) /\ net "u_core.n_q" (first + t)%nat = n) /\
    (1 <= M)%nat /\ exists p j, 0 <= j <= 1 /\ pair_value State (net "u_core.s_q" flushes) (net "u_core.c_q" flushes) + j = r * p /\ - n < p < n /\ montgomery n (pw r M) a b p.
  Proof.
    assert (R : 0 < r) by (destruct radix; lia). destruct (H_accept c idle request) as (A1 & A2 & A3 & A4 & A5 & _).
    pose proof (H_inverse c idle odd) as I. destruct (H_first_product c idle A1) as (P1 & P2). apply divide_mod in I, P1, P2; try exact R.
    assert (small : net "b_c_i" c < 2 ^ (W + 3 - 1)).
    { assert (net "b_c_i" c < 2 ^ (W + 1)) by in_range H_ranges c. pose proof (Z.pow_le_mono_r 2 (W + 1) (W + 3 - 1) ltac:(lia) ltac:(lia)). lia. }
    assert (two (W + 3) (net "b_c_i" c) = net "b_c_i" c) by (unfold two; destruct (Z.ltb_spec (net "b_c_i" c) (2 ^ (W + 3 - 1))); lia).
    pose proof (divide_pow digit (W + 3) _ ltac:(lia) (two_divides (W + 3) (net "b_s_i" c))) as B. fold r in B, I, P1, P2.
    apply (early_run K digit net b_of).
    - lia.
    - intros t. split; [in_range H_ranges t |]. split; [in_range H_ranges t |]. split; in_range H_ranges t.
    - intros t P Q. destruct (H_loop t P Q) as (X1 & X2 & _ & _ & X). unfold b_of. rewrite X2. auto.
    - exact H_next_product.
    - exact H_pending.
    - exact H_clear.
    - exact H_no_pair.
    - exact H_fold.
    - exact H_pair.
    - exact H_count.
    - exact value_range.
    - exact sums.
    - exact idle.
    - exact n_range.
    - exact a_range.
    - exact b_range.
    - repeat split; try assumption. unfold b_of, b, operand. rewrite A4, A5. lia.
    - exact I.
    - apply Z.divide_opp_r in B. unfold b, operand. clear - B P1. by_sum.
    - destruct B as [i B], P2 as [k P2]. fold r. unfold b, operand. exists (k - (net "u_core.digit" c + net "u_core.transfer_q" c) * i).
      replace (two (W + 3) (net "b_s_i" c)) with (net "b_s_i" c + i * r) by lia. clear - P2. lia.
    - exact digits_of_a.
  Qed.

  Lemma end_of_loop : net "u_core.phase_q" flushes = 3 /\ net "u_core.left_q" flushes = 0 /\ net "u_core.n_q" flushes = n.
  Proof.
    destruct run as (L & LM & _). destruct (L (M - 1)%nat ltac:(lia)) as (P & Q & N). unfold flushes.
    replace (first + M)%nat with (S (first + (M - 1)))%nat by lia. rewrite <- N. apply H_count_end; [exact P | lia].
  Qed.

  Let result_of (t : nat) : Z := operand "p_s_o" "p_c_o" t.

  Lemma outcome : (nonnegative - 1) * n < result_of (S flushes) < (nonnegative + 1) * n /\
    (result_of (S flushes) * 2 ^ (Z.of_nat M * digit)) mod n = (a * b) mod n.
  Proof.
    destruct run as (_ & _ & p & j & J & E & B & G). pose proof n_range as n_range. destruct end_of_loop as (P & _ & N). unfold State in E.
    set (e := flushes) in *. assert (s_range : 0 <= net "u_core.s_q" e < 2 ^ (W + digit + 3)) by in_range H_ranges e. assert (c_range : 0 <= net "u_core.c_q" e < 2 ^ (W + digit + 3)) by in_range H_ranges e.
    assert (p_range : 0 <= net "u_core.pending" e < 2 ^ 1) by in_range H_ranges e. change (2 ^ 1) with 2 in p_range. pose proof (H_pending e) as C.
    pose proof (dropped (W + digit + 3) digit _ _ _ ltac:(lia) s_range c_range j 0 J ltac:(exists p; fold r; lia) C) as X. rewrite Z.sub_0_r in X.
    destruct (H_flush_row e) as [F1 F2]. rewrite N in F1, F2. destruct (H_flush e P) as (A1 & A2 & A3).
    assert (V : result_of (S e) = p + nonnegative * n).
    { unfold result_of, operand. destruct (H_answer (S e)) as [-> ->].
      apply (flushed W digit (W + digit + 3) (net "u_core.s_q" e) (net "u_core.c_q" e) j p n nonnegative (net "u_core.pending" e) (net "u_core.gen_flush.sum" e) (net "u_core.gen_flush.row_carry" e));
        try assumption; try lia; in_range H_ranges e. }
    rewrite V. destruct G as [k G]. unfold r in G. rewrite pw_words in G by lia.
    split; [lia |]. apply montgomery_mod. exists (k + nonnegative * 2 ^ (Z.of_nat M * digit)). rewrite Z.mul_add_distr_r, G. ring.
  Qed.

  Lemma done : net "u_core.phase_q" (S flushes) = 4.
  Proof. destruct end_of_loop as (P & L & _). exact (H_finish _ P L). Qed.

  Lemma before : forall t, (c < t < S flushes)%nat -> net "u_core.phase_q" t <> 4.
  Proof.
    intros t L. destruct (Nat.eq_dec t flushes) as [-> | X]; [destruct end_of_loop as (-> & _); discriminate |].
    destruct (in_loop (t - first)%nat ltac:(unfold flushes, first in *; lia)) as (P & _).
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
