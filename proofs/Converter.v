(* SPDX-License-Identifier: Apache-2.0 *)
(* The conversion of mf_booth_csa_core: words of the pair enter the register of A, and n is added one word behind if a result may not be negative. *)
From Coq Require Import ZArith Lia String.
Require Import DigitRecurrence Contract Bits WordSerial Conversion.
Open Scope string_scope. Open Scope Z_scope.
Set Default Proof Using "All".

(* The value of a digit in a register of Booth terms, three of them. *)
Definition terms (x : Z) : Z :=
  ((part x 2 1 + 2 * part x 1 1) * (1 - 2 * part x 0 1) + 4 * ((part x 5 1 + 2 * part x 4 1) * (1 - 2 * part x 3 1))) + 16 * ((part x 8 1 + 2 * part x 7 1) * (1 - 2 * part x 6 1)).

Section Converter.
  (* e, the first cycle of the conversion of a pair of State bits that is 2^digit p with a carry into it. *)
  Variables (W digit word nonnegative State n p : Z) (net : trace) (e : nat).
  Local Notation phase := (net "u_core.phase_q"). Local Notation left := (net "u_core.left_q"). Local Notation n_q := (net "u_core.n_q").
  Local Notation a_q := (net "u_core.a_q"). Local Notation b_q := (net "u_core.b_q"). Local Notation s_q := (net "u_core.s_q"). Local Notation c_q := (net "u_core.c_q").
  Local Notation found := (net "u_core.gen_convert.word"). Local Notation carry := (net "u_core.gen_convert.u_convert.carry_q").
  Local Notation added := (net "u_core.gen_convert.gen_correct.corrected_word"). Local Notation second := (net "u_core.gen_convert.gen_correct.u_correct.carry_q").
  Local Notation low t := (part (s_q t) 0 digit + part (c_q t) 0 digit).
  Local Notation all_words := ((W + word) / word).
  Local Notation above := ((all_words - 1) * word).
  Let r := 2 ^ digit.
  Let words := Z.to_nat all_words.
  Let cycles : nat := (words - 1 + Z.to_nat nonnegative)%nat.                               (* after the first one *)
  Hypotheses (sizes : 3 <= W /\ 1 <= digit /\ 1 <= word /\ 0 <= nonnegative <= 1 /\ word + digit <= State /\ W + 1 + digit <= State)
    (pair_range : forall t, 0 <= s_q t < 2 ^ State /\ 0 <= c_q t < 2 ^ State)
    (registers : forall t, 0 <= a_q t < 2 ^ (1 * (all_words * word)) /\ 0 <= b_q t < 2 ^ (1 * (all_words * word)) /\ 0 <= found t < 2 ^ word)
    (n_range : 0 < n < 2 ^ W) (p_range : - n < p < n)
    (begins : phase e = 3 /\ left e = all_words + nonnegative - 1 /\ n_q e = n)
    (start : exists j, 0 <= j <= 1 /\ pair_value State (s_q e) (c_q e) + j = r * p)
    (H_carry : (0 < low e mod 2 ^ digit \/ 2 ^ digit * carry e = low e) /\ (0 < (low e + 1) mod 2 ^ digit \/ 2 ^ digit * carry e = low e + 1))
    (H_word_found : forall t, phase t = 3 -> found t + 2 ^ word * carry (S t) = part (s_q t) digit word + part (c_q t) digit word + carry t)
    (H_finishing : forall t, phase t = 3 -> 0 < left t -> phase (S t) = 3 /\ left (S t) = left t - 1)
    (H_finish : forall t, phase t = 3 -> left t = 0 -> phase (S t) = 4)
    (H_next : forall i, (forall j, (j <= i)%nat -> phase (e + j)%nat = 3) ->
      (2 ^ State | s_q (e + S i)%nat + c_q (e + S i)%nat - (s_q (e + i)%nat / 2 ^ (word + digit) * 2 ^ digit + c_q (e + i)%nat / 2 ^ (word + digit) * 2 ^ digit)) /\
      part (s_q (e + S i)%nat) 0 digit = 0 /\ part (c_q (e + S i)%nat) 0 digit = 0)
    (H_enters : forall t, phase t = 3 -> 0 < left t -> a_q (S t) = a_q t / 2 ^ word + 2 ^ above * found t).

  Lemma words_number : all_words = Z.of_nat words /\ (1 <= words)%nat /\ W + 1 <= Z.of_nat words * word.
  Proof.
    pose proof (word_count word (W + 1) ltac:(lia) ltac:(lia)) as C. replace (W + 1 + word - 1) with (W + word) in C by lia. exact C.
  Qed.

  Lemma cycles_number : Z.of_nat cycles = all_words + nonnegative - 1.
  Proof. destruct words_number as (-> & L & _). unfold cycles. lia. Qed.

  Lemma converting : forall i, (i <= cycles)%nat -> phase (e + i)%nat = 3 /\ left (e + i)%nat = Z.of_nat (cycles - i).
  Proof.
    destruct begins as (P & L & _). pose proof cycles_number. induction i; intros G; [rewrite Nat.add_0_r; split; [exact P | rewrite L; lia] |].
    destruct (IHi ltac:(lia)) as [P1 L1]. rewrite Nat.add_succ_r. destruct (H_finishing _ P1 ltac:(lia)) as [-> ->]. split; [reflexivity | lia].
  Qed.

  Lemma converted_in : phase (e + S cycles)%nat = 4.
  Proof. destruct (converting cycles (le_n _)) as [P1 L1]. rewrite Nat.sub_diag in L1. rewrite Nat.add_succ_r. exact (H_finish _ P1 L1). Qed.

  Lemma found_words : (2 ^ (W + 1) | digits (2 ^ word) (fun i => found (e + i)%nat) words - p).
  Proof.
    destruct start as (j & J & E). destruct words_number as (_ & W1 & W2). assert (LC : (words <= S cycles)%nat) by (unfold cycles; lia).
    assert (NP : forall i, (i < words)%nat -> forall j, (j <= i)%nat -> phase (e + j)%nat = 3) by (intros i L j' J'; apply converting; lia).
    apply (Conversion.converted State digit word p words (fun i => s_q (e + i)%nat) (fun i => c_q (e + i)%nat) _ (fun i => carry (e + i)%nat)).
    - lia.
    - intros i. apply pair_range.
    - exists j. rewrite !Nat.add_0_r. split; [exact E |].
      rewrite (dropped State digit (s_q e) (c_q e) (carry e) ltac:(lia) (proj1 (pair_range e)) (proj2 (pair_range e)) j 0 J);
        [lia | exists p; fold r; lia | rewrite !Z.sub_0_r; exact H_carry].
    - intros i L. destruct (converting i ltac:(lia)) as [P1 _]. rewrite Nat.add_succ_r. exact (H_word_found _ P1).
    - intros i L. apply H_next, NP, L.
    - intros i L. apply H_next, NP, L.
    - lia.
    - lia.
    - exact W2.
  Qed.

  Let P := 2 ^ (Z.of_nat words * word).

  Lemma in_registers : forall t, 0 <= a_q t < P /\ 0 <= b_q t < P /\ 0 <= found t < 2 ^ word.
  Proof.
    intros t. destruct words_number as (E & _). unfold P. rewrite <- E. replace (all_words * word) with (1 * (all_words * word)) by ring. apply registers.
  Qed.

  Lemma top : above = (Z.of_nat words - 1) * word.
  Proof. destruct words_number as (-> & _). reflexivity. Qed.

  Lemma enters : forall i, (i < cycles)%nat -> a_q (e + S i)%nat = a_q (e + i)%nat / 2 ^ word + 2 ^ ((Z.of_nat words - 1) * word) * found (e + i)%nat.
  Proof. intros i L. destruct (converting i ltac:(lia)) as [X Y]. rewrite Nat.add_succ_r, <- top. apply (H_enters _ X). lia. Qed.

  Theorem signed_result : nonnegative = 0 -> (forall t, phase t = 3 -> left t = 0 -> a_q (S t) = a_q t / 2 ^ word + 2 ^ above * found t) ->
    (forall t, net "p_o" t = part (a_q t) 0 (W + 1)) -> two (W + 1) (net "p_o" (e + S cycles)%nat) = p.
  Proof.
    intros X H_last H_answer. pose proof found_words as D. destruct words_number as (_ & W1 & W2). pose proof enters as before.
    destruct (converting cycles ltac:(lia)) as [PL LL]. rewrite Nat.sub_diag in LL. pose proof (H_last _ PL LL) as last. rewrite <- Nat.add_succ_r, top in last.
    assert (pow0 : 2 ^ (W + 1 - 1) = 2 ^ W) by (f_equal; lia).
    assert (EC : S cycles = words) by (unfold cycles; rewrite X; cbn [Z.to_nat]; clear - W1; lia). rewrite EC in last |- *.
    assert (A : a_q (e + words)%nat = digits (2 ^ word) (fun i => found (e + i)%nat) words).
    { apply (register word words (fun i => a_q (e + i)%nat)); [lia | rewrite Nat.add_0_r; apply in_registers |].
      intros i L. destruct (Nat.eq_dec i cycles) as [-> | Y]; [rewrite EC; exact last | apply before; clear - EC L Y; lia]. }
    rewrite H_answer, A. unfold part. rewrite Z.div_1_r. apply signed_is; [lia | rewrite pow0; lia | apply Z.divide_opp_r in D; by_sum].
  Qed.

  Theorem corrected_result : nonnegative = 1 ->
    (forall t, phase t = 3 -> left t = 0 -> a_q (S t) = (if part (a_q t) W 1 =? 1 then b_q t / 2 ^ word + 2 ^ above * added t else a_q t)) ->
    (forall t, phase t = 3 -> b_q (S t) = b_q t / 2 ^ word + 2 ^ above * added t /\
      ((if left t =? all_words + nonnegative - 1 then 1 else 0) = 0 \/ second (S t) = 0 /\ n_q (S t) = n_q t) /\
      (left t = all_words + nonnegative - 1 \/ added t + 2 ^ word * second (S t) = part (a_q t) above word + n_q t mod 2 ^ word + second t /\ n_q (S t) = n_q t / 2 ^ word)) ->
    (forall t, net "p_o" t = part (a_q t) 0 W) -> net "p_o" (e + S cycles)%nat = (if p <? 0 then p + n else p).
  Proof.
    intros X H_last H_correct H_answer. pose proof found_words as D. destruct words_number as (EW & W1 & W2). pose proof enters as before. rewrite X in H_correct.
    destruct (converting cycles ltac:(lia)) as [PL LL]. rewrite Nat.sub_diag in LL. pose proof (H_last _ PL LL) as last. rewrite <- Nat.add_succ_r, top in last.
    assert (EC : cycles = words) by (unfold cycles; rewrite X; change (Z.to_nat 1) with 1%nat; clear - W1; lia). rewrite EC in *.
    assert (A : a_q (e + words)%nat = digits (2 ^ word) (fun i => found (e + i)%nat) words)
      by (apply (register word words (fun i => a_q (e + i)%nat)); [lia | rewrite Nat.add_0_r; apply in_registers | exact before]).
    rewrite <- A in D.
    assert (F0 : second (e + 1)%nat = 0 /\ n_q (e + 1)%nat = n).
    { destruct begins as (P0 & L0 & N0). destruct (H_correct _ P0) as (_ & Y & _). rewrite L0, X, Z.eqb_refl in Y. destruct Y as [Y | [Y1 Y2]]; [discriminate |].
      replace (e + 1)%nat with (S e) by lia. split; [exact Y1 | rewrite Y2; exact N0]. }
    destruct F0 as [F1 F2]. assert (PW : 2 ^ W <= P) by (unfold P; apply Z.pow_le_mono_r; lia).
    pose proof (added_behind word words (fun i => a_q (e + i)%nat) (fun i => n_q (e + i)%nat) (fun i => found (e + i)%nat) (fun i => added (e + i)%nat) (fun i => second (e + i)%nat)
      (fun i => b_q (e + i)%nat) ltac:(lia) W1) as C.
    cbn beta in C. fold P in C. rewrite F2 in C.
    specialize (C (proj1 (in_registers _)) ltac:(clear - n_range PW; lia) (proj1 (proj2 (in_registers _))) (fun i _ => proj2 (proj2 (in_registers _))) (fun i _ => proj1 (in_registers _)) before).
    assert (BE : forall i, (i <= words)%nat -> b_q (e + S i)%nat = b_q (e + i)%nat / 2 ^ word + 2 ^ ((Z.of_nat words - 1) * word) * added (e + i)%nat).
    { intros i L. destruct (converting i ltac:(rewrite EC; exact L)) as [P0 _]. rewrite Nat.add_succ_r, <- top. apply (H_correct _ P0). }
    specialize (C BE F1).
    assert (C' : (P | b_q (e + S words)%nat - (a_q (e + words)%nat + n))).
    { apply C. intros i L. destruct (converting i ltac:(rewrite EC; lia)) as [P0 L0]. rewrite EC in L0. destruct (H_correct _ P0) as (_ & _ & Y).
      rewrite L0, top in Y. rewrite !Nat.add_succ_r. destruct Y as [Y | [Y1 Y2]]; [clear - Y L EW; lia | split; [exact Y2 | exact Y1]]. }
    rewrite H_answer, last, <- BE by lia. rewrite (sign_bit W _ p ltac:(lia) D ltac:(clear - p_range n_range; lia)).
    pose proof (divide_pow W (W + 1) _ ltac:(lia) D) as D'. pose proof (divide_pow W (Z.of_nat words * word) _ ltac:(lia) C') as C2.
    assert (C3 : (2 ^ W | b_q (e + S words)%nat - (p + n))) by (clear - C2 D'; by_sum).
    destruct (Z.ltb_spec p 0); cbn [Z.eqb Pos.eqb]; [apply low_is | apply low_is]; try assumption; clear - p_range n_range H sizes; lia.
  Qed.
End Converter.
