(* SPDX-License-Identifier: Apache-2.0 *)
(* mf_booth_csa_binary_pipelined from the nets of the RTL to the contract, for every width and word of the conversion. The hypotheses are the lemmas that
   montforge prints into booth_csa_lemmas.v, and proves on the RTL. *)
From Coq Require Import ZArith Lia String.
Require Import DigitRecurrence Instances WordSerial Contract Control Bits Scaled LateBooth LateLoop Recoded Conversion Converter booth_csa_lemmas.
Open Scope string_scope. Open Scope Z_scope.
Set Default Proof Using "All".

Section Chain.
  Variables (K : nat) (digit word nonnegative : Z) (net : trace).
  Let W := Z.of_nat K.
  Hypotheses (sizes : 3 <= W /\ 2 <= digit /\ 1 <= word <= W + 1 /\ 0 <= nonnegative <= 1) (H_ranges : ranges W digit word nonnegative net)
    (H_ready : ready W digit word nonnegative net) (H_accept : accept W digit word nonnegative net) (H_loop : loop W digit word nonnegative net)
    (H_first_digit : first_digit W digit word nonnegative net) (H_next_digit : next_digit W digit word nonnegative net)
    (H_no_digit : no_digit W digit word nonnegative net) (H_no_digits : no_digits W digit word nonnegative net)
    (H_at_reset : at_reset W digit word nonnegative net) (H_quiet : quiet_on W digit word nonnegative net)
    (H_selects : selects W digit word nonnegative net) (H_inverse : inverse W digit word nonnegative net) (H_kept : kept W digit word nonnegative net)
    (H_digit : quotient_digit W digit word nonnegative net) (H_scaled : scaled_digit W digit word nonnegative net)
    (H_exact : exact_digit W digit word nonnegative net) (H_none : no_quotient W digit word nonnegative net)
    (H_pending : pending_carry W digit word nonnegative net) (H_no_pending : no_pending W digit word nonnegative net)
    (H_clear : clear W digit word nonnegative net) (H_no_pair : no_pair W digit word nonnegative net) (H_fold : fold W digit word nonnegative net)
    (H_pair : pair W digit word nonnegative net) (H_held : held_pair W digit word nonnegative net) (H_multiples : multiples W digit word nonnegative net)
    (H_rows : rows W digit word nonnegative net) (H_accumulate : accumulate W digit word nonnegative net) (H_count : count W digit word nonnegative net)
    (H_loop_end : loop_end W digit word nonnegative net) (H_tail_end : tail_end W digit word nonnegative net)
    (H_convert_carry : convert_carry W digit word nonnegative net) (H_word_found : word_found W digit word nonnegative net)
    (H_words_left : words_left W digit word nonnegative net) (H_lowest_left : lowest_left W digit word nonnegative net)
    (H_word_enters : word_enters W digit word nonnegative net) (H_last_enters : last_enters W digit word nonnegative net)
    (H_correct : correct W digit word nonnegative net) (H_finishing : finishing W digit word nonnegative net)
    (H_finish : finish W digit word nonnegative net) (H_wait : wait W digit word nonnegative net) (H_answer : answer W digit word nonnegative net).

  Local Notation phase := (net "u_core.phase_q"). Local Notation left := (net "u_core.left_q"). Local Notation a_q := (net "u_core.a_q").
  Local Notation s_q := (net "u_core.s_q"). Local Notation c_q := (net "u_core.c_q").
  Local Notation scaled_q := (net "u_core.scaled_q"). Local Notation exact_q := (net "u_core.exact_q"). Local Notation one := (net "u_core.one").
  Local Notation State := (W + 2 * digit + 2).
  Local Notation vector i t := (part (net "u_core.u_accumulator.u_tree.rows_i" t) (i * State) State).
  Let r := 2 ^ digit.
  Let h := 2 ^ (digit - 1).
  Let M := Z.to_nat ((W + 3 + digit - 1) / digit).
  Let words := Z.to_nat ((W + word) / word).
  Let b_of (t : nat) : Z := two (W + 1) (part (net "u_core.b_q" t) 0 (W + 1)).
  Let operand (x : name) (t : nat) : Z := two (W + 1) (net x t).

  Let d_of (t : nat) : Z := terms (net "u_core.d_q" t).
  Let q_of (t : nat) : Z := terms (net "u_core.q" t).

  Lemma radix : r = 2 * h /\ 2 <= h /\ r / 2 = h.
  Proof.
    assert (E : r = 2 * h) by (unfold r, h; apply half; lia). split; [exact E |]. split; [unfold h; change 2 with (2 ^ 1) at 1; apply Z.pow_le_mono_r; lia |].
    rewrite E, Z.mul_comm. apply Z.div_mul. lia.
  Qed.

  Ltac range t := in_range H_ranges t.

  (* What the tree adds. *)
  Lemma sums : forall t, phase t = 0 \/ phase t = 1 \/ 1 < phase (S t) -> phase (S t) <> 0 -> scaled_q t = 0 \/ exact_q t = 0 -> one (S t) = 0 \/ 1 < phase (S t) ->
    (2 ^ State | s_q (S (S t)) + c_q (S (S t)) - (vector 0 (S t) + vector 1 (S t) + r * (d_of (S t) * b_of (S t)) +
      q_of (S t) * two (W + digit) (net "u_core.gen_late_quotient.modulus_q" (S t)) + one (S t))).
  Proof.
    intros t P N X O.
    assert (ph : 0 <= phase (S t) < 2 ^ 3) by range (S t).
    assert (L : part (net "u_core.d_q" (S t)) 2 1 + part (net "u_core.d_q" (S t)) 1 1 <= 1 /\ part (net "u_core.d_q" (S t)) 5 1 + part (net "u_core.d_q" (S t)) 4 1 <= 1 /\
      part (net "u_core.d_q" (S t)) 8 1 + part (net "u_core.d_q" (S t)) 7 1 <= 1 /\ (one (S t) = 0 \/ part (net "u_core.d_q" (S t)) 0 1 = 0)).
    { destruct (Z.lt_ge_cases 1 (phase (S t))) as [G | G].
      - rewrite (H_no_digits t G). cbn. split; [lia |]. split; [lia |]. split; [lia | right; reflexivity].
      - assert (P1 : phase (S t) = 1) by lia. destruct P as [P | [P | P]]; [pose proof (H_first_digit t P P1) as F | pose proof (H_next_digit t P P1) as F | lia];
          decompose [and] F; repeat split; try assumption; left; lia. }
    assert (Lq : part (net "u_core.q" (S t)) 2 1 + part (net "u_core.q" (S t)) 1 1 <= 1 /\ part (net "u_core.q" (S t)) 5 1 + part (net "u_core.q" (S t)) 4 1 <= 1 /\
      part (net "u_core.q" (S t)) 8 1 + part (net "u_core.q" (S t)) 7 1 <= 1).
    { assert (0 <= scaled_q t < 2 ^ 1) by range t. assert (0 <= exact_q t < 2 ^ 1) by range t. change (2 ^ 1) with 2 in *.
      assert (scaled_q t = 1 /\ exact_q t = 0 \/ scaled_q t = 0 /\ exact_q t = 1 \/ scaled_q t = 0 /\ exact_q t = 0) as [[A B] | [[A B] | [A B]]] by lia;
        [pose proof (H_scaled t A B) as F | pose proof (H_exact t A B) as F | pose proof (H_none t A B) as F]; decompose [and] F; repeat split; assumption. }
    assert (one_range : 0 <= one (S t) < 2 ^ 1) by range (S t). pose proof (bit_range (net "u_core.d_q" (S t)) 0) as negative_range. destruct L as (L1 & L2 & L3 & L4). destruct Lq as (L5 & L6 & L7).
    pose proof (H_rows (S t) L4) as Rows. pose proof (H_multiples (S t)) as Mu. destruct (H_accumulate (S t) ltac:(lia)) as [-> ->].
    clear H_ranges H_ready H_accept H_loop H_first_digit H_next_digit H_no_digit H_no_digits H_at_reset H_quiet H_selects H_inverse H_kept H_digit H_scaled H_exact H_none H_pending
      H_no_pending H_clear H_no_pair H_fold H_pair H_held H_multiples H_rows H_accumulate H_count H_loop_end H_tail_end H_convert_carry H_word_found H_words_left H_lowest_left
      H_word_enters H_last_enters H_correct H_finishing H_finish H_wait H_answer P N X O ph L4.
    unfold d_of, q_of, terms, b_of, r. decompose [and] Rows. decompose [and] Mu. clear Rows Mu. multiples_divide (W + 2 * digit + 2). rows_divide (W + 2 * digit + 2). by_sum.
  Qed.

  Lemma always_quiet : forall t, quiet W digit word nonnegative net t.
  Proof. induction t; [destruct (H_at_reset O eq_refl) as (_ & _ & _ & Q); exact Q | apply H_quiet, IHt]. Qed.

  (* ---------------------------------------------------------------- the digits of a *)
  Let rest (t : nat) : Z := two (W + 1) (part (a_q t) 0 (W + 1)).

  Lemma found_digit : forall t, phase t = 0 \/ phase t = 1 -> phase (S t) = 1 ->
    d_of (S t) = net "u_core.digit" t + net "u_core.transfer_q" t - r * net "u_core.transfer_q" (S t) /\ - h <= d_of (S t) <= h.
  Proof.
    intros t P Q. destruct radix as (_ & _ & half_r). destruct P as [P | P]; [pose proof (H_first_digit t P Q) as F | pose proof (H_next_digit t P Q) as F];
      fold (terms (net "u_core.d_q" (S t))) (d_of (S t)) in F; fold r in F; rewrite half_r in F; decompose [and] F; split; (assumption || lia).
  Qed.

  Lemma first_rest : forall t, phase t = 0 -> net "req_valid_i" t = 1 -> phase (S t) = 1 ->
    operand "a_i" t + net "u_core.carry_q" t = r * (rest (S t) + net "u_core.carry_q" (S t)) + net "u_core.digit" t.
  Proof.
    intros t P V Q. destruct (H_first_digit t P Q) as (E & _). destruct (H_accept t P V) as (_ & _ & _ & _ & X & _). unfold rest, operand. rewrite X. fold r in E |- *.
    pose proof (Z.div_mod (two (W + 1) (net "a_i" t)) r ltac:(destruct radix; lia)) as A. lia.
  Qed.

  Lemma next_rest : forall t, phase t = 1 -> phase (S t) = 1 -> rest t + net "u_core.carry_q" t = r * (rest (S t) + net "u_core.carry_q" (S t)) + net "u_core.digit" t.
  Proof.
    intros t P Q. destruct (H_next_digit t P Q) as (E & _). destruct (H_loop t P Q) as (_ & _ & X). unfold rest. rewrite X. fold r in E |- *.
    set (x := two (W + 1) _) in *. pose proof (Z.div_mod x r ltac:(destruct radix; lia)) as A. lia.
  Qed.

  Lemma words_number : (W + word) / word = Z.of_nat words /\ (1 <= words)%nat /\ W + 1 <= Z.of_nat words * word.
  Proof.
    pose proof (word_count word (W + 1) ltac:(lia) ltac:(lia)) as C. replace (W + 1 + word - 1) with (W + word) in C by lia. exact C.
  Qed.

  (* The first tactic proves signed results, the second one those to which n is added. *)
  Ltac by_sign one two := let X := fresh "X" in pose proof (H_correct O) as X; lazymatch type of X with nonnegative = 0 => one | _ => two end.

  Let cycles : nat := (words - 1 + Z.to_nat nonnegative)%nat.                               (* of the conversion after its first one *)

  Lemma last_cycle : forall t, phase t = 2 -> left t = 0 -> phase (S t) = 3 /\ left (S t) = Z.of_nat cycles.
  Proof.
    intros t P L. destruct (H_tail_end t P L) as [A B]. split; [exact A |]. destruct words_number as (E & N & _). rewrite E in B. unfold cycles.
    by_sign ltac:(rewrite X; lia) ltac:(destruct (H_correct _ A) as (N1 & _); rewrite N1; lia).
  Qed.

  Section Request.
  (* A request is accepted in cycle c. *)
  Variables (c : nat).
  Let a := operand "a_i" c. Let b := operand "b_i" c. Let n := net "n_i" c. Let nbar := two W (net "n_scaled_i" c).
  Hypotheses (idle : phase c = 0) (request : net "req_valid_i" c = 1) (odd : n mod 2 = 1) (constant : scaled (2 * digit) n nbar)
    (a_range : - n < a < n) (b_range : - n < b < n).
  Let first := S c.
  Let e := (first + (M + 7))%nat.                                                            (* the first cycle of the conversion *)

  Lemma n_range : 0 < n < 2 ^ W.
  Proof. assert (0 <= n < 2 ^ W) by (unfold n; range c). pose proof (odd_positive n ltac:(lia) odd). lia. Qed.

  Lemma iterations : (W + 3 + digit - 1) / digit = Z.of_nat M /\ (1 <= M)%nat /\ 4 * 2 ^ W <= pw (2 * h) M.
  Proof.
    destruct (word_count digit (W + 3) ltac:(lia) ltac:(lia)) as (E & L & B). fold M in E, L, B. split; [exact E |]. split; [exact L |].
    destruct radix as [<- _]. unfold r. rewrite pw_words by lia. change 4 with (2 ^ 2). rewrite <- Z.pow_add_r by lia. apply Z.pow_le_mono_r; lia.
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
    destruct radix as (R & _). destruct iterations as (_ & _ & big). pose proof n_range.
    eapply eq_trans; [apply (recoded digit net (operand "a_i") rest) with (n := n) (M := M) |].
    - lia.
    - exact first_rest.
    - exact next_rest.
    - destruct (H_at_reset O eq_refl) as (_ & E1 & E2 & _). auto.
    - exact H_no_digit.
    - intros t P Q. destruct (found_digit t P Q) as (E & B). rewrite E in B. exact B.
    - exact idle.
    - exact request.
    - intros t L. apply in_loop, L.
    - exact a_range.
    - fold r. rewrite R. lia.
    - apply digits_ext. intros t L. destruct (entered t L) as [P Q]. destruct (found_digit _ P Q) as [E _]. symmetry. exact E.
  Qed.

  Lemma run : (exists p j, 0 <= j <= 1 /\ pair_value State (s_q e) (c_q e) + j = r * p /\ - n < p < n /\ montgomery n (pw r M) a b p) /\
    (phase e = 3 /\ left e = Z.of_nat cycles /\ net "u_core.n_q" e = n /\ net "u_core.gen_late_quotient.u_quotient.digit_q" e = 0) /\
    (forall i, (forall j, (j <= i)%nat -> phase (e + j)%nat = 3) -> net "u_core.q" (e + i)%nat = 0 /\ one (e + i)%nat = 0 /\ net "u_core.d_q" (e + i)%nat = 0) /\
    (forall t, (c < t < e)%nat -> phase t = 1 \/ phase t = 2).
  Proof.
    pose proof (always_quiet c) as (((Q1 & Q2) & _) & Q5).
    destruct (H_accept c idle request) as (A1 & A2 & A3 & A4 & _ & A6). pose proof (H_inverse c idle odd) as I.
    apply (late_run K digit 1 (Z.of_nat cycles) net b_of d_of q_of) with (nbar := nbar).
    - lia.
    - intros t. split; range t.
    - intros t. split; range t.
    - intros t. split; [range t |]. split; [range t |]. split; range t.
    - exact H_selects.
    - exact H_kept.
    - exact H_digit.
    - intros t S1 S2. destruct (H_scaled t S1 S2) as (X & Y & _). split; [exact X | exact Y].
    - intros t S1 S2. destruct (H_exact t S1 S2) as (X1 & X2 & X3 & X4). decompose [and] X4. repeat split; assumption.
    - intros t S1 S2. destruct (H_none t S1 S2) as (X1 & X2 & X3). decompose [and] X3. split; assumption.
    - intros t S1 S2. apply (H_none t S1 S2).
    - exact H_pending.
    - exact H_no_pending.
    - exact H_clear.
    - exact H_no_pair.
    - exact H_fold.
    - exact H_pair.
    - exact H_held.
    - exact H_count.
    - exact H_loop_end.
    - exact last_cycle.
    - intros t P Q. destruct (H_loop t P Q) as (_ & E & _). unfold b_of. rewrite E. reflexivity.
    - exact H_no_digits.
    - intros t E. unfold d_of. rewrite E. reflexivity.
    - exact sums.
    - exact idle.
    - clear - Q1 Q2 Q5 idle. lia.
    - repeat split; try assumption. unfold b_of. rewrite A4. reflexivity.
    - apply divide_mod in I; [exact I | apply Z.pow_pos_nonneg; lia].
    - exact odd.
    - exact a_range.
    - exact b_range.
    - exact constant.
    - exact digits_of_a.
    - intros t L. destruct (entered t L) as [P Q]. apply (found_digit _ P Q).
  Qed.

  Let pred (i : nat) : nat := (first + (M + 6) + i)%nat.

  Lemma next_pair : forall i, (forall j, (j <= i)%nat -> phase (e + j)%nat = 3) ->
    (2 ^ State | s_q (e + S i)%nat + c_q (e + S i)%nat - (s_q (e + i)%nat / 2 ^ (word + digit) * 2 ^ digit + c_q (e + i)%nat / 2 ^ (word + digit) * 2 ^ digit)) /\
    part (s_q (e + S i)%nat) 0 digit = 0 /\ part (c_q (e + S i)%nat) 0 digit = 0.
  Proof.
    intros i F. pose proof (F i (le_n _)) as P. destruct run as (_ & _ & N & _). destruct (N i F) as (N1 & N2 & N3). clear N.
    assert (E : (e + i)%nat = S (pred i)) by (unfold pred, e; lia). rewrite Nat.add_succ_r. pose proof (H_selects (pred i)) as X. rewrite <- E, P in X. cbn [Z.eqb Pos.eqb] in X.
    destruct X as (X1 & X2 & X3 & _). split; [| apply (H_lowest_left _ X1 X2 X3 N3 N1 N2); lia].
    destruct (H_words_left _ X1 X2 X3) as [V0 V1]. pose proof (always_quiet (pred i)) as (((Q1 & Q2) & _) & _).
    pose proof (sums (pred i)) as D. rewrite <- E, P, N2, V0, V1 in D. assert (d0 : d_of (e + i)%nat = 0) by (unfold d_of; rewrite N3; reflexivity).
    assert (q0 : q_of (e + i)%nat = 0) by (unfold q_of; rewrite N1; reflexivity). rewrite d0, q0, !Z.mul_0_l, Z.mul_0_r, !Z.add_0_r in D. apply D; clear - Q1 Q2; lia.
  Qed.

  Let result_of (t : nat) : Z := if nonnegative =? 1 then net "p_o" t else two (W + 1) (net "p_o" t).

  Lemma outcome : (phase (e + S cycles)%nat = 4 /\ (forall i, (i <= cycles)%nat -> phase (e + i)%nat = 3)) /\
    (nonnegative - 1) * n - nonnegative < result_of (e + S cycles) < n /\ (result_of (e + S cycles) * 2 ^ (Z.of_nat M * digit)) mod n = (a * b) mod n.
  Proof.
    destruct run as ((p & j & J & E & B & G) & (P & L & Nq & _) & _ & F). pose proof n_range as N. destruct words_number as (EW & W1 & _).
    assert (begins : phase e = 3 /\ left e = (W + word) / word + nonnegative - 1 /\ net "u_core.n_q" e = n) by (rewrite L, EW; unfold cycles; repeat split; try assumption; lia).
    assert (start : exists j, 0 <= j <= 1 /\ pair_value State (s_q e) (c_q e) + j = 2 ^ digit * p) by (exists j; auto).
    assert (sizes' : 3 <= W /\ 1 <= digit /\ 1 <= word /\ 0 <= nonnegative <= 1 /\ word + digit <= State /\ W + 1 + digit <= State) by lia.
    assert (pair_range : forall t, 0 <= s_q t < 2 ^ State /\ 0 <= c_q t < 2 ^ State) by (intros t; split; range t).
    assert (registers : forall t, 0 <= a_q t < 2 ^ (1 * ((W + word) / word * word)) /\ 0 <= net "u_core.b_q" t < 2 ^ (1 * ((W + word) / word * word)) /\
      0 <= net "u_core.gen_convert.word" t < 2 ^ word) by (intros t; split; [range t |]; split; range t).
    assert (Pe : phase (pred 0) = 2).
    { destruct iterations as (_ & LM & _). destruct (F (pred 0) ltac:(unfold pred, e, first; lia)) as [X | X]; [| exact X].
      assert (0 <= left (pred 0)) by range (pred 0).
      assert (Q : phase (S (pred 0)) = 3) by (rewrite <- P; f_equal; unfold pred, e; lia).
      destruct (Z.eq_dec (left (pred 0)) 0) as [Z0 | Z0]; [destruct (H_loop_end _ X Z0) | destruct (H_count _ (or_introl X) ltac:(lia))]; lia. }
    pose proof (H_convert_carry _ Pe) as C. replace (S (pred 0)) with e in C by (unfold pred, e; lia).
    assert (G' : (p * 2 ^ (Z.of_nat M * digit)) mod n = (a * b) mod n).
    { apply montgomery_mod. unfold r in G. rewrite pw_words in G by lia. exact G. }
    split.
    - split; [exact (converted_in W digit word nonnegative State n p net e sizes' pair_range registers N B begins start C H_word_found H_finishing H_finish next_pair H_word_enters) |].
      intros i I. apply (converting W digit word nonnegative State n p net e sizes' pair_range registers N B begins start C H_word_found H_finishing H_finish next_pair H_word_enters i I).
    - unfold result_of. by_sign
        ltac:(pose proof (signed_result W digit word nonnegative State n p net e sizes' pair_range registers N B begins start C H_word_found H_finishing H_finish next_pair H_word_enters
          X H_last_enters H_answer) as V; unfold cycles, words; rewrite V; rewrite X; cbn [Z.eqb]; split; [lia | exact G'])
        ltac:(destruct (H_correct _ P) as (X1 & _);
          pose proof (corrected_result W digit word nonnegative State n p net e sizes' pair_range registers N B begins start C H_word_found H_finishing H_finish next_pair H_word_enters
            X1 H_last_enters ltac:(intros t Pt; rewrite X1; apply (H_correct t Pt)) H_answer) as V;
          unfold cycles, words; rewrite V; rewrite X1; cbn [Z.eqb Pos.eqb]; destruct (Z.ltb_spec p 0);
          [split; [lia |]; rewrite Z.mul_add_distr_r, (Z.mul_comm n), Z_mod_plus_full; exact G' | split; [lia | exact G']]).
  Qed.

  Lemma before : forall t, (c < t < e + S cycles)%nat -> phase t <> 4.
  Proof.
    intros t L. destruct (Nat.lt_ge_cases t e) as [G | G]; [destruct run as (_ & _ & _ & F); destruct (F t ltac:(lia)) as [-> | ->]; discriminate |].
    destruct outcome as ((_ & F) & _). specialize (F (t - e)%nat ltac:(lia)). replace (e + (t - e))%nat with t in F by lia. rewrite F. discriminate.
  Qed.
  End Request.

  Let latency : nat := (M + 9 + cycles)%nat.

  Theorem contract : multiplier net (operand "a_i") (operand "b_i") (net "n_i") (if nonnegative =? 1 then net "p_o" else operand "p_o") latency latency (2 ^ (Z.of_nat M * digit))
    (fun c => net "n_i" c mod 2 = 1 /\ scaled (2 * digit) (net "n_i" c) (two W (net "n_scaled_i" c))) (fun n x => - n < x < n) (fun n p => (nonnegative - 1) * n - nonnegative < p < n).
  Proof.
    apply (serves _ _ _ _ _ _ _ _ _ _ _ phase 0 4 (fun _ => True)); [exact H_ready | |].
    - intros c I V [odd constant] a_range b_range. exists latency. pose proof (before c I V odd constant a_range b_range) as B.
      pose proof (outcome c I V odd constant a_range b_range) as ((D & _) & X). replace (S c + (M + 7) + S cycles)%nat with (c + latency)%nat in * by (unfold latency; lia).
      split; [lia |]. split; [exact D |]. split; [exact B |]. split; [exact Logic.I |]. destruct (nonnegative =? 1); exact X.
    - intros t D _ T. destruct (H_wait t D T) as [D' A']. split; [exact D' |]. split; [exact Logic.I |]. assert (E : net "p_o" (S t) = net "p_o" t) by (rewrite !H_answer, A'; reflexivity).
      unfold operand. destruct (nonnegative =? 1); rewrite E; reflexivity.
  Qed.
End Chain.
