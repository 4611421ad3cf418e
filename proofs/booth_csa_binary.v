(* SPDX-License-Identifier: Apache-2.0 *)
(* mf_booth_csa_binary from the nets of the RTL to the contract, for every width and word of the conversion. The hypotheses are the lemmas that
   montforge prints into booth_csa_lemmas.v, and proves on the RTL. *)
From Coq Require Import ZArith Lia String.
Require Import DigitRecurrence Instances WordSerial Contract Control Bits Recoded EarlyLoop Conversion Converter booth_csa_lemmas.
Open Scope string_scope. Open Scope Z_scope.
Set Default Proof Using "All".

Section Chain.
  Variables (K : nat) (digit word nonnegative : Z) (net : trace).
  Let W := Z.of_nat K.
  Hypotheses (sizes : 3 <= W /\ 2 <= digit <= W + 3 /\ 1 <= word <= W + 1 /\ 0 <= nonnegative <= 1) (H_ranges : ranges W digit word nonnegative net)
    (H_ready : ready W digit word nonnegative net) (H_accept : accept W digit word nonnegative net) (H_loop : loop W digit word nonnegative net)
    (H_first_digit : first_digit W digit word nonnegative net) (H_next_digit : next_digit W digit word nonnegative net)
    (H_no_digit : no_digit W digit word nonnegative net) (H_at_reset : at_reset W digit word nonnegative net)
    (H_inverse : inverse W digit word nonnegative net) (H_first_product : first_product W digit word nonnegative net)
    (H_next_product : next_product W digit word nonnegative net) (H_quotient : quotient W digit word nonnegative net)
    (H_pending : pending_carry W digit word nonnegative net) (H_clear : clear W digit word nonnegative net)
    (H_no_pair : no_pair W digit word nonnegative net) (H_fold : fold W digit word nonnegative net) (H_pair : pair W digit word nonnegative net)
    (H_multiples : multiples W digit word nonnegative net) (H_rows : rows W digit word nonnegative net)
    (H_accumulate : accumulate W digit word nonnegative net) (H_count : count W digit word nonnegative net)
    (H_count_end : count_end W digit word nonnegative net) (H_no_digits : no_digits W digit word nonnegative net)
    (H_words_next : words_next W digit word nonnegative net) (H_none : no_quotient W digit word nonnegative net)
    (H_convert_carry : convert_carry W digit word nonnegative net) (H_word_found : word_found W digit word nonnegative net)
    (H_words_left : words_left W digit word nonnegative net) (H_lowest_left : lowest_left W digit word nonnegative net)
    (H_word_enters : word_enters W digit word nonnegative net) (H_last_enters : last_enters W digit word nonnegative net)
    (H_correct : correct W digit word nonnegative net) (H_finishing : finishing W digit word nonnegative net)
    (H_finish : finish W digit word nonnegative net) (H_wait : wait W digit word nonnegative net) (H_answer : answer W digit word nonnegative net).

  Local Notation phase := (net "u_core.phase_q"). Local Notation left := (net "u_core.left_q"). Local Notation a_q := (net "u_core.a_q").
  Local Notation s_q := (net "u_core.s_q"). Local Notation c_q := (net "u_core.c_q"). Local Notation carry := (net "u_core.carry_q").
  Local Notation d_q := (net "u_core.d_q"). Local Notation q_net := (net "u_core.q").
  Local Notation vector i t := (part (net "u_core.u_accumulator.u_tree.rows_i" t) (i * (W + digit + 3)) (W + digit + 3)).
  Let r := 2 ^ digit.
  Let h := 2 ^ (digit - 1).
  Let State := W + digit + 3.
  Let M := Z.to_nat ((W + 2 + digit - 1) / digit).                                            (* iterations *)
  Let words := Z.to_nat ((W + word) / word).
  Let cycles : nat := (words - 1 + Z.to_nat nonnegative)%nat.                               (* of the conversion after its first one *)
  Let b_of (t : nat) : Z := two (W + 1) (part (net "u_core.b_q" t) 0 (W + 1)).
  Let rest (t : nat) : Z := two (W + 1) (part (a_q t) 0 (W + 1)).
  Let operand (x : name) (t : nat) : Z := two (W + 1) (net x t).

  Lemma radix : r = 2 * h /\ 2 <= h /\ r / 2 = h.
  Proof.
    assert (E : r = 2 * h) by (unfold r, h; apply half; lia). split; [exact E |]. split; [unfold h; change 2 with (2 ^ 1) at 1; apply Z.pow_le_mono_r; lia |].
    rewrite E, Z.mul_comm. apply Z.div_mul. lia.
  Qed.

  Ltac range t := in_range H_ranges t.

  (* The terms of a digit are legal. *)
  Let legal (x : Z) : Prop := part x 2 1 + part x 1 1 <= 1 /\ part x 5 1 + part x 4 1 <= 1 /\ part x 8 1 + part x 7 1 <= 1.

  Lemma found_digit : forall t, phase t = 0 \/ phase t = 1 -> phase (S t) = 1 ->
    terms (d_q (S t)) = net "u_core.digit" t + net "u_core.transfer_q" t - r * net "u_core.transfer_q" (S t) /\ - h <= terms (d_q (S t)) <= h /\ legal (d_q (S t)).
  Proof.
    intros t P Q. destruct radix as (_ & _ & half_r). destruct P as [P | P]; [pose proof (H_first_digit t P Q) as F | pose proof (H_next_digit t P Q) as F];
      fold (terms (d_q (S t))) in F; fold r in F; rewrite half_r in F; decompose [and] F; unfold legal; repeat split; (assumption || lia).
  Qed.

  (* What the tree adds. *)
  Lemma sums : forall t, legal (d_q t) -> 0 < phase t ->
    (2 ^ State | s_q (S t) + c_q (S t) - (vector 0 t + vector 1 t + terms (d_q t) * b_of t + terms (q_net t) * net "u_core.n_q" t)).
  Proof.
    intros t (L1 & L2 & L3) P. pose proof (H_quotient t) as (_ & _ & _ & L4 & L5 & L6).
    pose proof (H_rows t) as Rows. pose proof (H_multiples t) as Mu. destruct (H_accumulate t P) as [-> ->].
    clear - L1 L2 L3 L4 L5 L6 Rows Mu sizes. unfold State, terms, b_of. decompose [and] Rows. decompose [and] Mu. clear Rows Mu.
    multiples_divide (W + digit + 3). rows_divide (W + digit + 3). by_sum.
  Qed.

  Lemma first_rest : forall t, phase t = 0 -> net "req_valid_i" t = 1 -> phase (S t) = 1 -> operand "a_i" t + carry t = r * (rest (S t) + carry (S t)) + net "u_core.digit" t.
  Proof.
    intros t P V Q. destruct (H_first_digit t P Q) as (E & _). destruct (H_accept t P V) as (_ & _ & _ & _ & X). unfold rest, operand. rewrite X. fold r in E |- *.
    pose proof (Z.div_mod (two (W + 1) (net "a_i" t)) r ltac:(destruct radix; lia)) as A. lia.
  Qed.

  Lemma next_rest : forall t, phase t = 1 -> phase (S t) = 1 -> rest t + carry t = r * (rest (S t) + carry (S t)) + net "u_core.digit" t.
  Proof.
    intros t P Q. destruct (H_next_digit t P Q) as (E & _). destruct (H_loop t P Q) as (_ & _ & X & _). unfold rest. rewrite X. fold r in E |- *.
    set (x := two (W + 1) _) in *. pose proof (Z.div_mod x r ltac:(destruct radix; lia)) as A. lia.
  Qed.

  (* In the conversion no multiple is added. *)
  Lemma next_pair : forall t, phase (S t) = 3 ->
    (2 ^ State | s_q (S (S t)) + c_q (S (S t)) - (s_q (S t) / 2 ^ (word + digit) * 2 ^ digit + c_q (S t) / 2 ^ (word + digit) * 2 ^ digit)) /\
    part (s_q (S (S t))) 0 digit = 0 /\ part (c_q (S (S t))) 0 digit = 0.
  Proof.
    intros t P. destruct (H_words_next t P) as (X1 & X2 & X3 & X4). pose proof (H_none _ X4) as Q. pose proof (H_no_digits t ltac:(lia)) as D.
    split; [| apply (H_lowest_left _ X1 X2 X3 D Q); lia]. destruct (H_words_left _ X1 X2 X3) as [V0 V1].
    pose proof (sums (S t) ltac:(rewrite D; repeat split; cbn; lia) ltac:(lia)) as X. rewrite V0, V1, D, Q in X.
    change (terms 0) with 0 in X. rewrite !Z.mul_0_l, !Z.add_0_r in X. exact X.
  Qed.

  Section Request.
  (* A request is accepted in cycle c. *)
  Variables (c : nat).
  Let a := operand "a_i" c. Let b := operand "b_i" c. Let n := net "n_i" c.
  Hypotheses (idle : phase c = 0) (request : net "req_valid_i" c = 1) (odd : n mod 2 = 1) (a_range : - n < a < n) (b_range : - n < b < n).
  Let first := S c.
  Let e := (first + M)%nat.                                                                  (* the first cycle of the conversion *)

  Lemma n_range : 0 < n < 2 ^ W.
  Proof. assert (0 <= n < 2 ^ W) by (unfold n; range c). pose proof (odd_positive n ltac:(lia) odd). lia. Qed.

  Lemma iterations : (W + 2 + digit - 1) / digit = Z.of_nat M /\ 4 * 2 ^ W <= pw r M.
  Proof.
    destruct (word_count digit (W + 2) ltac:(lia) ltac:(lia)) as (E & _ & B). fold M in E, B. split; [exact E |].
    unfold r. rewrite pw_words by lia. change 4 with (2 ^ 2). rewrite <- Z.pow_add_r by lia. apply Z.pow_le_mono_r; lia.
  Qed.

  Lemma in_loop : forall t, (t < M)%nat -> phase (first + t)%nat = 1 /\ left (first + t)%nat = Z.of_nat (M - 1 - t).
  Proof.
    destruct iterations as (EM & _). destruct (H_accept c idle request) as (A1 & A2 & _). fold first in A1, A2. induction t; intros L.
    - rewrite Nat.add_0_r, A2, EM. split; [exact A1 | lia].
    - destruct (IHt ltac:(lia)) as (I1 & I2). rewrite Nat.add_succ_r. destruct (H_count _ I1 ltac:(lia)) as [-> ->]. split; [reflexivity | lia].
  Qed.

  Lemma digits_of_a : a = digits r (fun t => net "u_core.digit" (c + t)%nat + net "u_core.transfer_q" (c + t)%nat - r * net "u_core.transfer_q" (S (c + t))) M.
  Proof.
    destruct iterations as (_ & big). pose proof n_range. apply (recoded digit net (operand "a_i") rest) with (n := n) (M := M).
    - lia.
    - exact first_rest.
    - exact next_rest.
    - destruct (H_at_reset O eq_refl) as (_ & E). exact E.
    - exact H_no_digit.
    - intros t P Q. destruct (found_digit t P Q) as (E & B & _). rewrite E in B. exact B.
    - exact idle.
    - exact request.
    - intros t L. apply in_loop, L.
    - exact a_range.
    - fold r. lia.
  Qed.

  Lemma run : (forall t, (t < M)%nat -> phase (first + t)%nat = 1 /\ left (first + t)%nat = Z.of_nat (M - 1 - t) /\ net "u_core.n_q" (first + t)%nat = n) /\ (1 <= M)%nat /\
    exists p j, 0 <= j <= 1 /\ pair_value State (s_q e) (c_q e) + j = r * p /\ - n < p < n /\ montgomery n (pw r M) a b p.
  Proof.
    assert (R : 0 < r) by (destruct radix; lia). destruct (H_accept c idle request) as (A1 & A2 & A3 & A4 & _).
    pose proof (H_inverse c idle odd) as I. destruct (H_first_product c idle A1) as (P1 & P2). apply divide_mod in I, P1, P2; try exact R.
    apply (early_run K digit net b_of).
    - lia.
    - intros t. split; [range t |]. split; [range t |]. split; range t.
    - intros t P Q. destruct (H_loop t P Q) as (X1 & X2 & _ & X). unfold b_of. rewrite X2. auto.
    - exact H_next_product.
    - exact H_pending.
    - exact H_clear.
    - exact H_no_pair.
    - exact H_fold.
    - exact H_pair.
    - exact H_count.
    - intros t P Q. destruct (found_digit t P Q) as (E & B & _). rewrite E in B. exact B.
    - intros t P Q. destruct (found_digit t P Q) as (E & _ & L). destruct (H_quotient (S t)) as (Q1 & Q2 & Q3 & _). destruct radix as (_ & _ & half_r).
      exists (terms (q_net (S t))). fold r in E, Q1, Q2, Q3. rewrite half_r in Q2, Q3. fold (terms (q_net (S t))) in Q1, Q2, Q3.
      split; [lia |]. split; [apply divide_mod; [exact R | exact Q1] |]. fold r. rewrite <- E. apply sums; [exact L | lia].
    - exact idle.
    - exact n_range.
    - exact a_range.
    - exact b_range.
    - repeat split; try assumption. unfold b_of. rewrite A4. reflexivity.
    - exact I.
    - exact P1.
    - exact P2.
    - exact digits_of_a.
  Qed.

  (* The first tactic proves signed results, the second one those to which n is added. *)
  Ltac by_sign one two := let X := fresh "X" in pose proof (H_correct O) as X; lazymatch type of X with nonnegative = 0 => one | _ => two end.

  Lemma begins : phase e = 3 /\ left e = (W + word) / word + nonnegative - 1 /\ net "u_core.n_q" e = n.
  Proof.
    destruct run as (L & LM & _). destruct (L (M - 1)%nat ltac:(lia)) as (P & Q & N). destruct (H_count_end _ P ltac:(lia)) as (X1 & X2 & X3).
    replace e with (S (first + (M - 1))) by (unfold e; lia). rewrite X1, X2, X3, N. split; [reflexivity |]. split; [| reflexivity].
    by_sign ltac:(rewrite X; reflexivity) ltac:(destruct (H_correct _ X1) as (-> & _); reflexivity).
  Qed.

  Let result_of (t : nat) : Z := if nonnegative =? 1 then net "p_o" t else two (W + 1) (net "p_o" t).

  Lemma outcome : (phase (e + S cycles)%nat = 4 /\ (forall i, (i <= cycles)%nat -> phase (e + i)%nat = 3)) /\
    (nonnegative - 1) * n - nonnegative < result_of (e + S cycles) < n /\ (result_of (e + S cycles) * 2 ^ (Z.of_nat M * digit)) mod n = (a * b) mod n.
  Proof.
    destruct run as (L & LM & p & j & J & E & B & G). pose proof n_range as N. pose proof begins as begins. destruct begins as (P & _).
    assert (start : exists j, 0 <= j <= 1 /\ pair_value State (s_q e) (c_q e) + j = 2 ^ digit * p) by (exists j; auto).
    assert (sizes' : 3 <= W /\ 1 <= digit /\ 1 <= word /\ 0 <= nonnegative <= 1 /\ word + digit <= State /\ W + 1 + digit <= State) by (unfold State; lia).
    assert (pair_range : forall t, 0 <= s_q t < 2 ^ State /\ 0 <= c_q t < 2 ^ State) by (intros t; split; range t).
    assert (registers : forall t, 0 <= a_q t < 2 ^ (1 * ((W + word) / word * word)) /\ 0 <= net "u_core.b_q" t < 2 ^ (1 * ((W + word) / word * word)) /\
      0 <= net "u_core.gen_convert.word" t < 2 ^ word) by (intros t; split; [range t |]; split; range t).
    assert (next : forall i, (forall j, (j <= i)%nat -> phase (e + j)%nat = 3) ->
      (2 ^ State | s_q (e + S i)%nat + c_q (e + S i)%nat - (s_q (e + i)%nat / 2 ^ (word + digit) * 2 ^ digit + c_q (e + i)%nat / 2 ^ (word + digit) * 2 ^ digit)) /\
      part (s_q (e + S i)%nat) 0 digit = 0 /\ part (c_q (e + S i)%nat) 0 digit = 0).
    { intros i F. specialize (F i (le_n _)). replace (e + S i)%nat with (S (S (c + M + i))) by (unfold e, first; lia). replace (e + i)%nat with (S (c + M + i)) in * by (unfold e, first; lia).
      exact (next_pair _ F). }
    assert (C : (0 < (part (s_q e) 0 digit + part (c_q e) 0 digit) mod 2 ^ digit \/ 2 ^ digit * net "u_core.gen_convert.u_convert.carry_q" e = part (s_q e) 0 digit + part (c_q e) 0 digit) /\
      (0 < (part (s_q e) 0 digit + part (c_q e) 0 digit + 1) mod 2 ^ digit \/ 2 ^ digit * net "u_core.gen_convert.u_convert.carry_q" e = part (s_q e) 0 digit + part (c_q e) 0 digit + 1)).
    { destruct (L (M - 1)%nat ltac:(lia)) as (P' & _). replace e with (S (first + (M - 1))) by (unfold e; lia). exact (H_convert_carry _ P'). }
    assert (G' : (p * 2 ^ (Z.of_nat M * digit)) mod n = (a * b) mod n).
    { apply montgomery_mod. unfold r in G. rewrite pw_words in G by lia. exact G. }
    split.
    - split; [exact (converted_in W digit word nonnegative State n p net e sizes' pair_range registers N B begins start C H_word_found H_finishing H_finish next H_word_enters) |].
      intros i I. apply (converting W digit word nonnegative State n p net e sizes' pair_range registers N B begins start C H_word_found H_finishing H_finish next H_word_enters i I).
    - unfold result_of. by_sign
        ltac:(pose proof (signed_result W digit word nonnegative State n p net e sizes' pair_range registers N B begins start C H_word_found H_finishing H_finish next H_word_enters
          X H_last_enters H_answer) as V; unfold cycles, words; rewrite V; rewrite X; cbn [Z.eqb]; split; [lia | exact G'])
        ltac:(destruct (H_correct _ P) as (X1 & _);
          pose proof (corrected_result W digit word nonnegative State n p net e sizes' pair_range registers N B begins start C H_word_found H_finishing H_finish next H_word_enters
            X1 H_last_enters ltac:(intros t Pt; rewrite X1; apply (H_correct t Pt)) H_answer) as V;
          unfold cycles, words; rewrite V; rewrite X1; cbn [Z.eqb Pos.eqb]; destruct (Z.ltb_spec p 0);
          [split; [lia |]; rewrite Z.mul_add_distr_r, (Z.mul_comm n), Z_mod_plus_full; exact G' | split; [lia | exact G']]).
  Qed.

  Lemma before : forall t, (c < t < e + S cycles)%nat -> phase t <> 4.
  Proof.
    intros t L. destruct (Nat.lt_ge_cases t e) as [G | G].
    - destruct run as (F & _). destruct (F (t - first)%nat ltac:(unfold e, first in *; lia)) as (X & _). replace (first + (t - first))%nat with t in X by (unfold first; lia). rewrite X. discriminate.
    - destruct outcome as ((_ & F) & _). specialize (F (t - e)%nat ltac:(lia)). replace (e + (t - e))%nat with t in F by lia. rewrite F. discriminate.
  Qed.
  End Request.

  Let latency : nat := (M + 2 + cycles)%nat.

  Theorem contract : multiplier net (operand "a_i") (operand "b_i") (net "n_i") (if nonnegative =? 1 then net "p_o" else operand "p_o") latency latency (2 ^ (Z.of_nat M * digit))
    (fun c => net "n_i" c mod 2 = 1) (fun n x => - n < x < n) (fun n p => (nonnegative - 1) * n - nonnegative < p < n).
  Proof.
    apply (serves _ _ _ _ _ _ _ _ _ _ _ phase 0 4 (fun _ => True)); [exact H_ready | |].
    - intros c I V odd a_range b_range. exists latency. pose proof (before c I V odd a_range b_range) as B. pose proof (outcome c I V odd a_range b_range) as ((D & _) & X).
      replace (S c + M + S cycles)%nat with (c + latency)%nat in * by (unfold latency; lia).
      split; [lia |]. split; [exact D |]. split; [exact B |]. split; [exact Logic.I |]. destruct (nonnegative =? 1); exact X.
    - intros t D _ T. destruct (H_wait t D T) as [D' A']. split; [exact D' |]. split; [exact Logic.I |]. assert (E : net "p_o" (S t) = net "p_o" t) by (rewrite !H_answer, A'; reflexivity).
      unfold operand. destruct (nonnegative =? 1); rewrite E; reflexivity.
  Qed.
End Chain.
