(* SPDX-License-Identifier: Apache-2.0 *)
(* mf_booth_csa_pipelined from the nets of the RTL to the contract, for every width and radix. The hypotheses are the lemmas that montforge
   prints into booth_csa_lemmas.v, and proves on the RTL; those on digits, multiples and rows have as many parts as the radix needs. *)
From Coq Require Import ZArith Lia String.
Require Import DigitRecurrence Instances WordSerial Contract Control Bits Scaled LateBooth LateLoop Recoded Flush booth_csa_lemmas.
Open Scope string_scope. Open Scope Z_scope.
Set Default Proof Using "All".

(* The value of a digit in a register of Booth terms, one or two of them, and that each term is legal. *)
Definition terms (x : Z) : Z :=
  (part x 2 1 + 2 * part x 1 1) * (1 - 2 * part x 0 1) + 4 * ((part x 5 1 + 2 * part x 4 1) * (1 - 2 * part x 3 1)).
Definition legal (x : Z) : Prop := part x 2 1 + part x 1 1 <= 1 /\ part x 5 1 + part x 4 1 <= 1.

Lemma one_term : forall x, 0 <= x < 2 ^ 3 -> terms x = (part x 2 1 + 2 * part x 1 1) * (1 - 2 * part x 0 1) /\ part x 5 1 + part x 4 1 <= 1.
Proof.
  intros x R. assert (E : part x 5 1 = 0 /\ part x 4 1 = 0) by (unfold part; rewrite !Z.div_small by (split; [lia |]; apply Z.lt_le_trans with (2 ^ 3); [apply R | apply Z.pow_le_mono_r; lia]); auto).
  unfold terms. destruct E as [-> ->]. split; [ring | lia].
Qed.

Section Chain.
  Variables (K : nat) (digit nonnegative : Z) (net : trace).
  Let W := Z.of_nat K.
  Hypotheses (sizes : 3 <= W /\ 2 <= digit <= W + 3 /\ 0 <= nonnegative <= 1) (H_ranges : ranges W digit nonnegative net)
    (H_ready : ready W digit nonnegative net) (H_accept : accept W digit nonnegative net) (H_loop : loop W digit nonnegative net)
    (H_first_digit : first_digit W digit nonnegative net) (H_next_digit : next_digit W digit nonnegative net)
    (H_no_digit : no_digit W digit nonnegative net) (H_no_digits : no_digits W digit nonnegative net) (H_at_reset : at_reset W digit nonnegative net)
    (H_quiet : quiet_on W digit nonnegative net) (H_selects : selects W digit nonnegative net) (H_inverse : inverse W digit nonnegative net)
    (H_kept : kept W digit nonnegative net) (H_digit : quotient_digit W digit nonnegative net) (H_scaled : scaled_digit W digit nonnegative net)
    (H_exact : exact_digit W digit nonnegative net) (H_none : no_quotient W digit nonnegative net) (H_pending : pending_carry W digit nonnegative net)
    (H_no_pending : no_pending W digit nonnegative net) (H_clear : clear W digit nonnegative net) (H_no_pair : no_pair W digit nonnegative net)
    (H_fold : fold W digit nonnegative net) (H_pair : pair W digit nonnegative net) (H_held : held_pair W digit nonnegative net)
    (H_multiples : multiples W digit nonnegative net) (H_rows : rows W digit nonnegative net) (H_accumulate : accumulate W digit nonnegative net)
    (H_count : count W digit nonnegative net) (H_loop_end : loop_end W digit nonnegative net) (H_tail_end : tail_end W digit nonnegative net)
    (H_flush_row : flush_row W digit nonnegative net) (H_flush : flush W digit nonnegative net)
    (H_finish : finish W digit nonnegative net) (H_wait : wait W digit nonnegative net) (H_answer : answer W digit nonnegative net).

  Local Notation phase := (net "u_core.phase_q"). Local Notation left := (net "u_core.left_q"). Local Notation a_q := (net "u_core.a_q").
  Local Notation s_q := (net "u_core.s_q"). Local Notation c_q := (net "u_core.c_q"). Local Notation carry := (net "u_core.carry_q").
  Local Notation scaled_q := (net "u_core.scaled_q"). Local Notation exact_q := (net "u_core.exact_q"). Local Notation one := (net "u_core.one").
  Local Notation d_q := (net "u_core.d_q"). Local Notation q_net := (net "u_core.q").
  Local Notation State := (W + 2 * digit + 2).
  Local Notation vector i t := (part (net "u_core.u_accumulator.u_tree.rows_i" t) (i * State) State).
  Let r := 2 ^ digit.
  Let h := 2 ^ (digit - 1).
  Let M := Z.to_nat ((W + 3 + digit - 1) / digit).                                            (* iterations *)
  Let b_of (t : nat) : Z := two (W + 3) (part (net "u_core.b_q" t) 0 (W + 3)) + two (W + 3) (part (net "u_core.b_q" t) (W + 3) (W + 3)).
  Let d_of (t : nat) : Z := terms (d_q t).
  Let q_of (t : nat) : Z := terms (q_net t).

  (* The vectors of a pair of operands, the sum vector being signed. *)
  Definition operand (s c : name) (t : nat) : Z := two (W + 3) (net s t) + net c t.

  Lemma radix : r = 2 * h /\ 2 <= h /\ r / 2 = h.
  Proof.
    assert (E : r = 2 * h) by (unfold r, h; apply half; lia). split; [exact E |]. split; [unfold h; change 2 with (2 ^ 1) at 1; apply Z.pow_le_mono_r; lia |].
    rewrite E, Z.mul_comm. apply Z.div_mul. lia.
  Qed.

  Ltac range t := in_range H_ranges t.
  (* Finds the value of the digit x, a net in cycle t, in F, of one term or of two. *)
  Ltac of_terms x t F := let S := fresh in
    first [assert (S : 0 <= x < 2 ^ 3) by range t; apply one_term in S; destruct S as [S ?]; rewrite <- S in F; clear S | fold (terms x) in F].

  Lemma found_digit : forall t, phase t = 0 \/ phase t = 1 -> phase (S t) = 1 ->
    d_of (S t) = net "u_core.digit" t + net "u_core.transfer_q" t - r * net "u_core.transfer_q" (S t) /\ - h <= d_of (S t) <= h /\ legal (d_q (S t)).
  Proof.
    intros t P Q. destruct radix as (_ & _ & half_r). unfold d_of. destruct P as [P | P]; [pose proof (H_first_digit t P Q) as F | pose proof (H_next_digit t P Q) as F];
      of_terms (d_q (S t)) (S t) F; fold r in F; rewrite half_r in F; decompose [and] F; unfold legal; repeat split; (assumption || lia).
  Qed.

  Lemma scaled_value : forall t, scaled_q t = 1 -> exact_q t = 0 ->
    q_of (S t) = net "u_core.gen_late_quotient.u_quotient.digit" t + net "u_core.gen_late_quotient.u_quotient.transfer_q" t - 2 ^ digit * net "u_core.gen_late_quotient.u_quotient.transfer_q" (S t) /\
    net "u_core.gen_late_quotient.u_quotient.transfer_q" (S t) = (if 2 * net "u_core.gen_late_quotient.u_quotient.digit" t <? 2 ^ digit then 0 else 1) /\ legal (q_net (S t)).
  Proof. intros t A B. pose proof (H_scaled t A B) as F. unfold q_of. of_terms (q_net (S t)) (S t) F; decompose [and] F; unfold legal; repeat split; assumption. Qed.

  Lemma exact_value : forall t, scaled_q t = 0 -> exact_q t = 1 ->
    ((q_of (S t) - net "u_core.gen_late_quotient.u_quotient.exact_q" t) mod 2 ^ digit = 0 /\ 0 - 2 ^ digit / 2 <= q_of (S t) /\ q_of (S t) <= 2 ^ digit / 2 /\
    net "u_core.gen_late_quotient.u_quotient.transfer_q" (S t) =
      (if net "u_core.gen_late_quotient.u_quotient.exact_now_q" t =? 1 then 0 else net "u_core.gen_late_quotient.u_quotient.transfer_q" t)) /\ legal (q_net (S t)).
  Proof. intros t A B. pose proof (H_exact t A B) as F. unfold q_of. of_terms (q_net (S t)) (S t) F; decompose [and] F; unfold legal; repeat split; assumption. Qed.

  Lemma no_value : forall t, scaled_q t = 0 -> exact_q t = 0 -> (q_of (S t) = 0 /\ net "u_core.gen_late_quotient.u_quotient.transfer_q" (S t) =
      (if net "u_core.gen_late_quotient.u_quotient.exact_now_q" t =? 1 then 0 else net "u_core.gen_late_quotient.u_quotient.transfer_q" t)) /\ q_net (S t) = 0.
  Proof. intros t A B. pose proof (H_none t A B) as F. destruct F as (E & F). unfold q_of. rewrite E. decompose [and] F. repeat split; assumption. Qed.

  (* What the tree adds. *)
  Lemma sums : forall t, phase t = 0 \/ phase t = 1 \/ 1 < phase (S t) -> phase (S t) <> 0 -> scaled_q t = 0 \/ exact_q t = 0 -> one (S t) = 0 \/ 1 < phase (S t) ->
    (2 ^ State | s_q (S (S t)) + c_q (S (S t)) - (vector 0 (S t) + vector 1 (S t) + r * (d_of (S t) * b_of (S t)) +
      q_of (S t) * two (W + digit) (net "u_core.gen_late_quotient.modulus_q" (S t)) + one (S t))).
  Proof.
    intros t P N X O. assert (ph : 0 <= phase (S t) < 2 ^ 3) by range (S t).
    assert (L : legal (d_q (S t)) /\ (one (S t) = 0 \/ part (d_q (S t)) 0 1 = 0)).
    { destruct (Z.lt_ge_cases 1 (phase (S t))) as [G | G].
      - rewrite (H_no_digits t G). split; [split; cbn; lia | right; reflexivity].
      - split; [| left; lia]. apply found_digit; lia. }
    assert (Lq : legal (q_net (S t))).
    { assert (0 <= scaled_q t < 2 ^ 1) by range t. assert (0 <= exact_q t < 2 ^ 1) by range t. change (2 ^ 1) with 2 in *.
      assert (scaled_q t = 1 /\ exact_q t = 0 \/ scaled_q t = 0 /\ exact_q t = 1 \/ scaled_q t = 0 /\ exact_q t = 0) as [[A B] | [[A B] | [A B]]] by lia;
        [apply (scaled_value t A B) | apply (exact_value t A B) | destruct (no_value t A B) as [_ E]; rewrite E; split; cbn; lia]. }
    destruct L as ((L1 & L2) & L3). destruct Lq as (L4 & L5).
    pose proof (H_rows (S t) L3) as Rows. pose proof (H_multiples (S t)) as Mu. destruct (H_accumulate (S t) ltac:(lia)) as [-> ->].
    assert (one_range : 0 <= one (S t) < 2 ^ 1) by range (S t). pose proof (bit_range (d_q (S t)) 0) as negative_range.
    unfold d_of, q_of.
    try (let A := fresh in let B := fresh in assert (A : 0 <= d_q (S t) < 2 ^ 3) by range (S t); assert (B : 0 <= q_net (S t) < 2 ^ 3) by range (S t);
      destruct (one_term _ A) as [-> _]; destruct (one_term _ B) as [-> _]; clear A B).
    clear H_ranges H_ready H_accept H_loop H_first_digit H_next_digit H_no_digit H_no_digits H_at_reset H_quiet H_selects H_inverse H_kept H_digit H_scaled H_exact H_none H_pending
      H_no_pending H_clear H_no_pair H_fold H_pair H_held H_multiples H_rows H_accumulate H_count H_loop_end H_tail_end H_flush_row H_flush H_finish H_wait H_answer P N X O ph L3.
    unfold terms, b_of, r. decompose [and] Rows. decompose [and] Mu. clear Rows Mu. multiples_divide (W + 2 * digit + 2). rows_divide (W + 2 * digit + 2). by_sum.
  Qed.

  Lemma always_quiet : forall t, quiet W digit nonnegative net t.
  Proof. induction t; [destruct (H_at_reset O eq_refl) as (_ & _ & _ & Q); exact Q | apply H_quiet, IHt]. Qed.

  (* ---------------------------------------------------------------- the digits of a *)
  Let rest (t : nat) : Z := two (W + 3) (part (a_q t) 0 (W + 3)) + two (W + 3) (part (a_q t) (W + 3) (W + 3)).

  Lemma first_rest : forall t, phase t = 0 -> net "req_valid_i" t = 1 -> phase (S t) = 1 ->
    operand "a_s_i" "a_c_i" t + carry t = r * (rest (S t) + carry (S t)) + net "u_core.digit" t.
  Proof.
    intros t P V Q. destruct (H_first_digit t P Q) as (E & _). destruct (H_accept t P V) as (_ & _ & _ & _ & _ & X & Y & _). unfold rest, operand. rewrite X, Y. fold r in E |- *.
    assert (r <> 0) by (destruct radix; lia). pose proof (Z.div_mod (two (W + 3) (net "a_s_i" t)) r ltac:(assumption)) as A.
    pose proof (Z.div_mod (net "a_c_i" t) r ltac:(assumption)) as B. unfold r in A at 3. rewrite lowest in A by lia. fold r in A. lia.
  Qed.

  Lemma next_rest : forall t, phase t = 1 -> phase (S t) = 1 -> rest t + carry t = r * (rest (S t) + carry (S t)) + net "u_core.digit" t.
  Proof.
    intros t P Q. destruct (H_next_digit t P Q) as (E & _). destruct (H_loop t P Q) as (_ & _ & X & Y). unfold rest. rewrite X, Y. fold r in E |- *.
    assert (r <> 0) by (destruct radix; lia). set (x := part _ 0 _) in *. set (y := part _ (W + 3) _) in *.
    pose proof (Z.div_mod (two (W + 3) x) r ltac:(assumption)) as A. pose proof (Z.div_mod (two (W + 3) y) r ltac:(assumption)) as B.
    unfold r in A at 3. unfold r in B at 3. rewrite lowest in A, B by lia. fold r in A, B. lia.
  Qed.

  Section Request.
  (* A request is accepted in cycle c. *)
  Variables (c : nat).
  Let a := operand "a_s_i" "a_c_i" c. Let b := operand "b_s_i" "b_c_i" c. Let n := net "n_i" c. Let nbar := two W (net "n_scaled_i" c).
  Hypotheses (idle : phase c = 0) (request : net "req_valid_i" c = 1) (odd : n mod 2 = 1) (constant : scaled (2 * digit) n nbar)
    (a_range : - n < a < n) (b_range : - n < b < n).
  Let first := S c.
  Let e := (first + (M + 7))%nat.                                                            (* the cycle of the flush *)

  Lemma n_range : 0 < n < 2 ^ W.
  Proof. assert (0 <= n < 2 ^ W) by (unfold n; range c). pose proof (odd_positive n ltac:(lia) odd). lia. Qed.

  Lemma iterations : (W + 3 + digit - 1) / digit = Z.of_nat M /\ (1 <= M)%nat /\ 4 * 2 ^ W <= pw r M.
  Proof.
    destruct (word_count digit (W + 3) ltac:(lia) ltac:(lia)) as (E & L & B). fold M in E, L, B. split; [exact E |]. split; [exact L |].
    unfold r. rewrite pw_words by lia. change 4 with (2 ^ 2). rewrite <- Z.pow_add_r by lia. apply Z.pow_le_mono_r; lia.
  Qed.

  Lemma in_loop : forall t, (t < M)%nat -> phase (first + t)%nat = 1 /\ left (first + t)%nat = Z.of_nat (M - 1 - t).
  Proof.
    destruct iterations as (EM & LM & _). destruct (H_accept c idle request) as (A1 & A2 & _). fold first in A1, A2. induction t; intros L.
    - rewrite Nat.add_0_r, A2, EM. split; [exact A1 | lia].
    - destruct (IHt ltac:(lia)) as (I1 & I2). rewrite Nat.add_succ_r. destruct (H_count _ (or_introl I1) ltac:(lia)) as [-> ->]. split; [exact I1 | lia].
  Qed.

  Lemma entered : forall t, (t < M)%nat -> (phase (c + t)%nat = 0 \/ phase (c + t)%nat = 1) /\ phase (S (c + t)) = 1.
  Proof.
    intros t L. destruct (in_loop t L) as (P & _). split; [| exact P]. destruct t; [rewrite Nat.add_0_r; auto |]. right.
    destruct (in_loop t ltac:(lia)) as (Q & _). rewrite Nat.add_succ_r. exact Q.
  Qed.

  Lemma digits_of_a : a = digits r (fun t => d_of (first + t)) M.
  Proof.
    destruct iterations as (_ & _ & big). pose proof n_range.
    eapply eq_trans; [apply (recoded digit net (operand "a_s_i" "a_c_i") rest) with (n := n) (M := M) |].
    - lia.
    - exact first_rest.
    - exact next_rest.
    - destruct (H_at_reset O eq_refl) as (_ & E1 & E2 & _). auto.
    - exact H_no_digit.
    - intros t P Q. destruct (found_digit t P Q) as (E & B & _). rewrite E in B. exact B.
    - exact idle.
    - exact request.
    - intros t L. apply in_loop, L.
    - exact a_range.
    - fold r. lia.
    - apply digits_ext. intros t L. destruct (entered t L) as [P Q]. destruct (found_digit _ P Q) as [E _]. symmetry. exact E.
  Qed.

  Lemma run : (exists p j, 0 <= j <= 1 /\ pair_value State (s_q e) (c_q e) + j = r * p /\ - n < p < n /\ montgomery n (pw r M) a b p) /\
    (phase e = 3 /\ left e = 0 /\ net "u_core.n_q" e = n /\ net "u_core.gen_late_quotient.u_quotient.digit_q" e = 0) /\
    (forall i, (forall j, (j <= i)%nat -> phase (e + j)%nat = 3) -> q_net (e + i)%nat = 0 /\ one (e + i)%nat = 0 /\ d_q (e + i)%nat = 0) /\
    (forall t, (c < t < e)%nat -> phase t = 1 \/ phase t = 2).
  Proof.
    pose proof (always_quiet c) as (((Q1 & Q2) & _) & Q5).
    destruct (H_accept c idle request) as (A1 & A2 & A3 & A4 & A5 & _ & _ & A6). pose proof (H_inverse c idle odd) as I.
    assert (small : net "b_c_i" c < 2 ^ (W + 3 - 1)).
    { assert (0 <= net "b_c_i" c < 2 ^ (W + 1)) by range c. pose proof (Z.pow_le_mono_r 2 (W + 1) (W + 3 - 1) ltac:(lia) ltac:(lia)). lia. }
    apply (late_run K digit 0 0 net b_of d_of q_of) with (nbar := nbar).
    - lia.
    - intros t. split; range t.
    - intros t. split; range t.
    - intros t. split; [range t |]. split; [range t |]. split; range t.
    - exact H_selects.
    - exact H_kept.
    - exact H_digit.
    - intros t S1 S2. destruct (scaled_value t S1 S2) as (X & Y & _). auto.
    - intros t S1 S2. apply (exact_value t S1 S2).
    - intros t S1 S2. apply (no_value t S1 S2).
    - intros t S1 S2. apply (no_value t S1 S2).
    - exact H_pending.
    - exact H_no_pending.
    - exact H_clear.
    - exact H_no_pair.
    - exact H_fold.
    - exact H_pair.
    - exact H_held.
    - exact H_count.
    - exact H_loop_end.
    - exact H_tail_end.
    - intros t P Q. destruct (H_loop t P Q) as (_ & E & _). unfold b_of. rewrite E. reflexivity.
    - exact H_no_digits.
    - intros t E. unfold d_of. rewrite E. reflexivity.
    - exact sums.
    - exact idle.
    - clear - Q1 Q2 Q5 idle. lia.
    - repeat split; try assumption. unfold b_of, b, operand. rewrite A4, A5. f_equal. unfold two. destruct (Z.ltb_spec (net "b_c_i" c) (2 ^ (W + 3 - 1))); lia.
    - apply divide_mod in I; [exact I | apply Z.pow_pos_nonneg; lia].
    - exact odd.
    - exact a_range.
    - exact b_range.
    - exact constant.
    - exact digits_of_a.
    - intros t L. destruct (entered t L) as [P Q]. apply (found_digit _ P Q).
  Qed.

  Let result_of (t : nat) : Z := operand "p_s_o" "p_c_o" t.

  Lemma outcome : (nonnegative - 1) * n < result_of (S e) < (nonnegative + 1) * n /\ (result_of (S e) * 2 ^ (Z.of_nat M * digit)) mod n = (a * b) mod n.
  Proof.
    destruct run as ((p & j & J & E & B & G) & (P & _ & N & D) & _ & _). pose proof n_range as n_range.
    assert (s_range : 0 <= s_q e < 2 ^ State) by range e. assert (c_range : 0 <= c_q e < 2 ^ State) by range e. assert (p_range : 0 <= net "u_core.pending" e < 2 ^ 1) by range e.
    change (2 ^ 1) with 2 in p_range. pose proof (H_pending e) as C. rewrite D in C.
    pose proof (dropped State digit _ _ _ ltac:(lia) s_range c_range j 0 J ltac:(exists p; fold r; lia) C) as X. rewrite Z.sub_0_r in X.
    destruct (H_flush_row e) as [F1 F2]. rewrite N in F1, F2. destruct (H_flush e P) as (A1 & A2 & A3).
    assert (V : result_of (S e) = p + nonnegative * n).
    { unfold result_of, operand. destruct (H_answer (S e)) as [-> ->].
      apply (flushed W digit State (s_q e) (c_q e) j p n nonnegative (net "u_core.pending" e) (net "u_core.gen_flush.sum" e) (net "u_core.gen_flush.row_carry" e));
        try assumption; try lia; range e. }
    rewrite V. unfold r in G. destruct G as [k G]. rewrite pw_words in G by lia.
    split; [lia |]. apply montgomery_mod. exists (k + nonnegative * 2 ^ (Z.of_nat M * digit)). rewrite Z.mul_add_distr_r, G. ring.
  Qed.

  Lemma done : phase (S e) = 4.
  Proof. destruct run as (_ & (P & L & _) & _). exact (H_finish _ P L). Qed.

  Lemma before : forall t, (c < t < S e)%nat -> phase t <> 4.
  Proof.
    intros t L. destruct run as (_ & (P & _) & _ & F). destruct (Nat.eq_dec t e) as [-> | X]; [rewrite P; discriminate |].
    destruct (F t ltac:(lia)) as [-> | ->]; discriminate.
  Qed.
  End Request.

  Theorem contract : multiplier net (operand "a_s_i" "a_c_i") (operand "b_s_i" "b_c_i") (net "n_i") (operand "p_s_o" "p_c_o") (M + 9) (M + 9) (2 ^ (Z.of_nat M * digit))
    (fun c => net "n_i" c mod 2 = 1 /\ scaled (2 * digit) (net "n_i" c) (two W (net "n_scaled_i" c))) (fun n x => - n < x < n)
    (fun n p => (nonnegative - 1) * n < p < (nonnegative + 1) * n).
  Proof.
    apply (serves _ _ _ _ _ _ _ _ _ _ _ phase 0 4 (fun _ => True)); [exact H_ready | |].
    - intros c I V [odd constant] a_range b_range. exists (M + 9)%nat. pose proof (before c I V odd constant a_range b_range) as B. pose proof (done c I V odd constant a_range b_range) as D.
      pose proof (outcome c I V odd constant a_range b_range) as X. replace (S (S c + (M + 7)))%nat with (c + (M + 9))%nat in * by lia.
      split; [lia |]. split; [exact D |]. split; [exact B |]. split; [exact Logic.I |]. exact X.
    - intros t D _ T. destruct (H_wait t D T) as [D' A']. unfold operand. destruct (H_answer t) as [-> ->]. destruct (H_answer (S t)) as [-> ->]. rewrite A'. auto.
  Qed.
End Chain.
