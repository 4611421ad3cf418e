(* SPDX-License-Identifier: Apache-2.0 *)
(* mf_unit_dsp, one row of multipliers, from the nets of the RTL to the contract, for every width and word. The hypotheses are the lemmas that montforge prints
   into unit_dsp_lemmas.v and proves on the RTL. Cycle c accepts a request; its i-th cycle is c + i, as in the RTL's header; K words of the quotient. *)
From Coq Require Import ZArith Lia String.
Require Import Light DigitRecurrence Instances UnsignedDigits WordSerial Contract Control Bits Groups Raised Pipelined WordColumns unit_dsp_lemmas.
Open Scope string_scope. Open Scope Z_scope.
Set Default Proof Using "All".

Section Chain.
  Variables (width : nat) (idle loops words word operand bus_word other_word : Z) (net : trace) (n_of : nat -> Z).
  Let W := Z.of_nat width.
  Local Notation on lemma := (lemma W idle loops words word operand bus_word other_word net).
  Hypotheses (sizes : (3 <= W /\ 3 <= word /\ operand = W + 2 * word + 1) /\ operand <= words * word < operand + word /\
      operand < loops * word <= operand + word /\ 0 <= idle) (H_ranges : on ranges)
    (H_control_at_reset : on control_at_reset) (H_control_on : on control_on) (H_balance : on balance) (H_begins : on begins) (H_counts : on counts)
    (H_leaves : on leaves) (H_steps : on steps) (H_ends : on ends) (H_converts : on converts) (H_carries_on : on carries_on) (H_responds : on responds)
    (H_stays : on stays) (H_word_of_a : on word_of_a) (H_word_of_quotient : on word_of_quotient) (H_held : on held) (H_held_again : on held_again)
    (H_tail_word : on tail_word) (H_last_tail_word : on last_tail_word) (H_delays : on delays) (H_addends_follow : on addends_follow) (H_loads : on loads)
    (H_keeps : on keeps) (H_a_moves : on a_moves) (H_a_stays : on a_stays) (H_modulus_follows : on modulus_follows) (H_modulus_stays : on modulus_stays)
    (H_bus : on bus) (H_other_operand : on other_operand) (H_product : on product) (H_halves : on halves) (H_outermost : on outermost)
    (H_product_words : on product_words) (H_carries_pass : on carries_pass) (H_aboves : on aboves) (H_adder : on adder) (H_columns : on columns)
    (H_converted_words : on converted_words) (H_lowest_carries : on lowest_carries) (H_converted_carries : on converted_carries) (H_sums : on sums)
    (H_look_ahead : on look_ahead) (H_increments : on increments) (H_result_stays : on result_stays) (H_answer : on answer).

  Local Notation left := (net "left_q"). Local Notation ready := (net "req_ready_o"). Local Notation move := (net "move_q"). Local Notation bus_a := (net "bus_a_q").
  Local Notation busy := (net "busy_q"). Local Notation ways := (net "ways_q"). Local Notation done := (net "done_q"). Local Notation occupied := (net "occupied_q").
  Local Notation summed := (net "summed_q"). Local Notation carried := (net "carried_q"). Local Notation valid := (net "rsp_valid_o").
  Local Notation taken_i := (net "rsp_ready_i"). Local Notation take_tail := (net "take_tail_q"). Local Notation fourth := (net "fourth_q").
  Local Notation addend_1 := (net "addend_1_q"). Local Notation a_q := (net "a_q"). Local Notation b_q := (net "b_q"). Local Notation modulus := (net "modulus_q").
  Local Notation next_modulus := (net "next_modulus_q"). Local Notation words_q := (net "words"). Local Notation tail_q := (net "tail_words").
  Local Notation found := (net "gen_column[0..].u_column.word_d"). Local Notation made := (net "gen_column[0..].u_column.carry_d").
  Local Notation tail_carries := (net "tail_carries"). Local Notation shifted := (net "shifted_carries"). Local Notation lowest := (net "lowest_q").
  Local Notation pair_s := (net "u_convert.s_i"). Local Notation pair_c := (net "u_convert.c_i"). Local Notation result_q := (net "result_q").
  Local Notation generates := (net "u_convert.gen_three_cycles.generates_q"). Local Notation propagates := (net "u_convert.gen_three_cycles.propagates_q").
  Local Notation carries := (net "u_convert.carries").
  Local Notation takes_at t := (part (net "take_q" t) 0 1). Local Notation passes_at t := (part (net "pass_q" t) 0 1).

  Let r := 2 ^ word.
  Let K := Z.to_nat loops.
  Let M := Z.to_nat words.
  Let step (j : Z) (t : nat) : Z := part (net "finish_q" t) j 1.
  Let flight (t : nat) : Z := step 0 t + step 1 t + step 2 t + step 3 t + step 4 t + step 5 t + step 6 t.
  Ltac range t := first [in_range H_ranges t].

  Lemma numbers : words = Z.of_nat M /\ (3 <= M)%nat /\ (3 <= K)%nat /\ (4 + 2 * idle) + 2 * loops = (4 + 2 * idle) + 2 * Z.of_nat K /\ operand < Z.of_nat K * word <= operand + word /\ loops = Z.of_nat K /\ 0 <= idle.
  Proof.
    destruct sizes as ((W3 & w3 & EO) & WO & DO & ET). clear - W3 w3 EO WO DO ET. unfold K, M.
    assert (many : forall x, operand < x * word + 1 -> 3 <= x).
    { intros x X. destruct (Z.lt_ge_cases x 3) as [L | L]; [assert (x * word <= 2 * word) by (apply Z.mul_le_mono_nonneg_r; lia); lia | exact L]. }
    pose proof (many words ltac:(lia)). pose proof (many loops ltac:(lia)). rewrite !Z2Nat.id by lia. repeat split; lia.
  Qed.

  Lemma radix : 1 < r.
  Proof. apply (WordColumns.radix word M). lia. Qed.

  Lemma one_bit : forall t, (0 <= ready t <= 1 /\ 0 <= bus_a t <= 1 /\ 0 <= valid t <= 1 /\ 0 <= taken_i t <= 1 /\ 0 <= net "req_valid_i" t <= 1) /\
    (0 <= done t <= 1 /\ 0 <= occupied t <= 1 /\ 0 <= summed t <= 1 /\ 0 <= carried t <= 1 /\ 0 <= busy t <= 1).
  Proof.
    intros t. assert (B : forall x, 0 <= x < 2 ^ 1 -> 0 <= x <= 1) by (intros x; change (2 ^ 1) with 2; lia).
    repeat split; apply B; range t.
  Qed.

  (* ---------------------------------------------------------------- control *)
  Lemma in_control : forall t, under_control W idle loops words word operand bus_word other_word net t.
  Proof. induction t; [apply (H_control_at_reset O eq_refl) | apply H_control_on, IHt]. Qed.

  Lemma control : forall t, (bus_a t = left t mod 2 /\ move t = Z.lor (ready t) (bus_a t) /\ busy t = (if (4 + 2 * idle) <=? left t then 1 else 0) /\
      fourth t = (if left t =? ((4 + 2 * idle) + 2 * loops) - 4 then 1 else 0)) /\
    (flight t <= 1 /\ ways t = busy t + flight t + done t + occupied t /\ occupied t = summed t + carried t + valid t /\ net "u_convert.started_q" t = summed t) /\
    (flight t = 0 \/ done t + summed t + carried t = 0) /\ (done t = 0 \/ summed t + carried t = 0) /\
    take_tail t = step 2 t + step 4 t + step 6 t /\ part (net "save_q" t) 2 1 = step 1 t /\
    ((left t < ((4 + 2 * idle) + 2 * loops) - 2 \/ ((4 + 2 * idle) + 2 * loops) - 2 < left t) \/ part (net "pass_q" t) 2 1 = 0).
  Proof. intros t. pose proof (in_control t) as X. unfold under_control in X. decompose [and] X. clear X. unfold flight, step. repeat split; assumption. Qed.

  Lemma steps_are : forall t, 0 <= step 0 t <= 1 /\ 0 <= step 1 t <= 1 /\ 0 <= step 2 t <= 1 /\ 0 <= step 3 t <= 1 /\ 0 <= step 4 t <= 1 /\ 0 <= step 5 t <= 1 /\ 0 <= step 6 t <= 1.
  Proof. intros t. unfold step. repeat split; apply bit_range. Qed.

  (* ---------------------------------------------------------------- columns *)
  Let made_of (t : nat) : Z := carries_of word M (made t).
  Let on_bus (t : nat) : Z := if bus_a t =? 1 then part (a_q t) 0 word else part (words_q t) 0 word.
  Let other (t : nat) : Z := if bus_a t =? 1 then b_q t else modulus t.
  Let addend (x : Z) (t : nat) : Z := if x =? 3 then tail_q t / r else if x =? 2 then words_q t else if x =? 1 then words_q t / r else 0.

  Lemma words_range : forall t, (0 <= found t < 2 ^ (Z.of_nat (S M) * word) /\ 0 <= words_q t < 2 ^ (Z.of_nat (S M) * word) /\ 0 <= tail_q t < 2 ^ (Z.of_nat (S M) * word)) /\
    (0 <= net "above" t < 2 ^ (Z.of_nat (S M) * word) /\ 0 <= net "tail_above" t < 2 ^ (Z.of_nat (S M) * word)) /\
    (0 <= a_q t < 2 ^ (Z.of_nat M * word) /\ 0 <= b_q t < 2 ^ (Z.of_nat M * word) /\ 0 <= modulus t < 2 ^ (Z.of_nat M * word) /\ 0 <= result_q t < 2 ^ (Z.of_nat M * word)) /\
    (0 <= pair_s t < 2 ^ (Z.of_nat M * word) /\ 0 <= pair_c t < 2 ^ (Z.of_nat M * word) /\ 0 <= lowest t < r).
  Proof. intros t. destruct numbers as (EM & _). rewrite Nat2Z.inj_succ, <- Z.add_1_r, <- EM. unfold r. repeat split; range t. Qed.

  Lemma carries_small : forall t j, (j < S M)%nat -> carry_at (made t) j <= 2.
  Proof. intros t j J. destruct numbers as (EM & _). apply (H_adder t (Z.of_nat j)). lia. Qed.

  (* What a column adds beside its addend: a product of two cycles before, and the carry of as many, in two places. *)
  Lemma product_added : forall t, digits r (fun j => part (net "gen_column[0..].u_column.sum_q" (S (S (S t)))) (Z.of_nat j * (word + 1)) (word + 1) +
      part (net "gen_column[0..].u_column.top_q" (S (S (S t)))) (Z.of_nat j) 1) (S M) =
    on_bus t * other t + if part (net "pass_q" (S t)) 2 1 =? 1 then made_of (S t) else 0.
  Proof.
    intros t. destruct numbers as (EM & M3 & _). set (u := S (S t)). set (low := net "low" u). set (high := net "high" u).
    assert (C : forall j, (j < S M)%nat -> carry_at (net "gen_column[0..].u_column.carry_q" u) j = if part (net "pass_q" (S t)) 2 1 =? 1 then carry_at (made (S t)) j else 0).
    { intros j J. unfold u. rewrite H_carries_pass. destruct (part (net "pass_q" (S t)) 2 1 =? 1); [reflexivity |]. unfold carry_at, part. rewrite Z.div_0_l by (apply Z.pow_nonzero; lia). reflexivity. }
    rewrite (digits_ext r _ (fun j => (word_at word low j + word_at word high j) + if part (net "pass_q" (S t)) 2 1 =? 1 then carry_at (made (S t)) j else 0)).
    - rewrite digits_add. f_equal.
      + destruct (H_outermost u) as [E1 E2]. destruct (words_range t) as (_ & _ & (_ & RB & RM & _) & _). apply (product_sum word M).
        * lia.
        * unfold other. destruct (bus_a t =? 1); assumption.
        * exact E1.
        * unfold word_at. rewrite <- EM. exact E2.
        * intros i I. unfold word_at. rewrite Nat2Z.inj_succ, <- Z.add_1_r. etransitivity; [exact (H_halves u (Z.of_nat i) ltac:(lia)) |].
          pose proof (H_bus t (Z.of_nat i) ltac:(lia)) as EA. pose proof (H_other_operand t (Z.of_nat i) ltac:(lia)) as EB.
          unfold u. rewrite (H_product (S t) (Z.of_nat i)); [rewrite EA, EB; unfold on_bus, other; destruct (bus_a t =? 1); reflexivity | lia | rewrite EA | rewrite EB];
            destruct (bus_a t =? 1); apply part_range; lia.
      + destruct (part (net "pass_q" (S t)) 2 1 =? 1); [reflexivity | apply digits_zero; reflexivity].
    - intros j J. destruct (H_product_words u (Z.of_nat j) ltac:(lia)) as [E1 E2]. rewrite E1, E2. rewrite <- C by exact J. fold low high.
      change (part (net "gen_column[0..].u_column.carry_q" u) (Z.of_nat j * 2) 2) with (carry_at (net "gen_column[0..].u_column.carry_q" u) j).
      pose proof (C j J) as CJ. pose proof (carries_small (S t) j J). pose proof (part_range (made (S t)) (Z.of_nat j * 2) 2 ltac:(lia)) as P. fold (carry_at (made (S t)) j) in P.
      set (x := carry_at (net _ u) j) in *. assert (X : 0 <= x <= 2) by (destruct (part (net "pass_q" (S t)) 2 1 =? 1); lia).
      unfold word_at. assert (x = 0 \/ x = 1 \/ x = 2) as [-> | [-> | ->]] by lia; cbn; ring.
  Qed.

  Lemma adds : forall t, let s := S (S (S t)) in
    found s + r * made_of s = addend (addend_1 (S t)) s + on_bus t * other t + (if part (net "pass_q" (S t)) 2 1 =? 1 then made_of (S t) else 0).
  Proof.
    intros t s. destruct numbers as (EM & M3 & _). destruct (words_range s) as ((RF & RW & RT) & (RA & RTA) & _). set (x := addend_1 (S t)).
    rewrite <- Z.add_assoc, <- product_added. fold s.
    etransitivity; [apply (column_sum word M ltac:(lia) (found s) (made s) (fun j => if x =? 3 then word_at word (net "tail_above" s) j else if x =? 2 then word_at word (words_q s) j else
      if x =? 1 then word_at word (net "above" s) j else 0) (fun j => part (net "gen_column[0..].u_column.sum_q" s) (Z.of_nat j * (word + 1)) (word + 1) +
      part (net "gen_column[0..].u_column.top_q" s) (Z.of_nat j) 1) RF) |].
    - intros j J. destruct (H_adder s (Z.of_nat j) ltac:(lia)) as [E _].
      assert (X : part (net "gen_column[0..].u_column.addend_q" s) (Z.of_nat j * 2) 2 = x).
      { unfold s. rewrite H_addends_follow by lia. apply H_delays. }
      rewrite X in E. etransitivity; [exact E | unfold word_at; ring].
    - f_equal. unfold addend. destruct (H_aboves s) as [E1 E2]. fold r in E1, E2. rewrite <- E1, <- E2.
      destruct (x =? 3); [apply (words_of word M); lia || assumption |]. destruct (x =? 2); [apply (words_of word M); lia || assumption |].
      destruct (x =? 1); [apply (words_of word M); lia || assumption | apply digits_zero; reflexivity].
  Qed.

  Lemma takes_later : forall t, words_q (S (S (S (S t)))) = if takes_at (S t) =? 1 then found (S (S (S t))) else words_q (S (S (S t))).
  Proof.
    intros t. destruct (H_columns (S (S (S t)))) as (-> & _). destruct (H_delays (S (S t))) as (_ & _ & E & _). destruct (H_delays (S t)) as (_ & F & _). rewrite E, F. reflexivity.
  Qed.

  Lemma passes_later : forall t, part (net "pass_q" (S (S (S t)))) 2 1 = passes_at (S t).
  Proof. intros t. destruct (H_delays (S (S t))) as (_ & _ & _ & _ & E). destruct (H_delays (S t)) as (_ & _ & _ & F & _). rewrite E, F. reflexivity. Qed.

  (* ---------------------------------------------------------------- the pair that is converted *)
  Let small (t : nat) : Prop := forall j, (j < S M)%nat -> carry_at (tail_carries t) j <= 2 /\ carry_at (shifted t) j <= 2.

  Lemma pair_words : forall t, small t -> (forall i, (i < 2)%nat -> word_at word (pair_c t) i = carry_at (shifted t) i) /\
    (forall i, (i < M - 2)%nat -> word_at word (pair_c t) (S (S i)) = carry_at (shifted t) (S (S i)) + carry_at (tail_carries t) i).
  Proof.
    intros t S0. destruct numbers as (EM & M3 & _). split; intros i I.
    - destruct (H_lowest_carries t (proj2 (S0 0%nat ltac:(lia))) (proj2 (S0 1%nat ltac:(lia)))) as [E0 E1]. unfold word_at, carry_at.
      assert (i = 0 \/ i = 1)%nat as [-> | ->] by lia; [exact E0 | change (Z.of_nat 1) with 1; rewrite !Z.mul_1_l; exact E1].
    - destruct (S0 i ltac:(lia)) as [A _]. destruct (S0 (S (S i)) ltac:(lia)) as [_ B]. unfold word_at, carry_at in *. replace (Z.of_nat (S (S i))) with (Z.of_nat i + 2) in * by lia.
      pose proof (H_converted_carries t (Z.of_nat i) ltac:(lia)) as E. rewrite !(Z.mul_comm 2) in E. exact (E B A).
  Qed.

  Lemma pair_same : forall t t', tail_q t = tail_q t' -> tail_carries t = tail_carries t' -> shifted t = shifted t' -> lowest t = lowest t' -> small t' ->
    pair_s t = pair_s t' /\ pair_c t = pair_c t'.
  Proof.
    intros t t' E1 E2 E3 E4 S0. split; [rewrite !H_converted_words, E1, E4; reflexivity |]. destruct (words_range t) as (_ & _ & _ & _ & R & _). destruct (words_range t') as (_ & _ & _ & _ & R' & _).
    assert (S1 : small t) by (unfold small; rewrite E2, E3; exact S0). destruct (pair_words t S1) as [A B]. destruct (pair_words t' S0) as [A' B'].
    rewrite <- (words_of word M ltac:(lia) _ M R), <- (words_of word M ltac:(lia) _ M R'). apply digits_ext. intros [| [| j]] J; [rewrite A, A', E3 by lia; reflexivity .. |].
    rewrite B, B', E2, E3 by lia. reflexivity.
  Qed.

  Section Request.
  (* A request is accepted in cycle c. *)
  Variables (c : nat).
  Hypotheses (request : net "req_valid_i" c = 1) (begins : ready c = 1).
  Let a := net "a_i" c. Let b := net "b_i" c. Let nbar := net "n_scaled_i" c.
  Let d (k : nat) : Z := if Nat.ltb k K then (a / pw r k) mod r else 0.

  (* ---------------------------------------------------------------- its interval *)
  Lemma left_is : forall i, (1 <= i <= 2 * K)%nat -> left (c + i)%nat = ((4 + 2 * idle) + 2 * loops) - Z.of_nat i.
  Proof.
    destruct numbers as (_ & _ & K3 & EC & _). induction i as [| i IH]; intros I; [lia |]. rewrite Nat.add_succ_r.
    destruct i as [| i]; [rewrite Nat.add_0_r, (H_begins c (in_control c) begins request); lia |].
    specialize (IH ltac:(lia)). destruct (H_counts (c + S i)%nat (in_control _) ltac:(lia)) as [_ E]. lia.
  Qed.

  Lemma resting : forall i, (1 <= i < 2 * K)%nat -> ready (c + i)%nat = 0.
  Proof. intros i I. destruct numbers as (_ & _ & _ & EC & _). apply (H_counts (c + i)%nat (in_control _)). rewrite left_is by lia. lia. Qed.

  Lemma finishing : forall j, (j <= 6)%nat -> step (Z.of_nat j) (c + (2 * K + 1 + j))%nat = 1.
  Proof.
    destruct numbers as (_ & _ & K3 & EC & _). induction j as [| j IH]; intros J.
    - replace (c + (2 * K + 1 + 0))%nat with (S (c + 2 * K)) by lia. apply (H_leaves (c + 2 * K)%nat (in_control _)). rewrite left_is by lia. lia.
    - replace (c + (2 * K + 1 + S j))%nat with (S (c + (2 * K + 1 + j))) by lia. unfold step. rewrite Nat2Z.inj_succ, <- Z.add_1_r.
      apply (H_steps _ (Z.of_nat j) ltac:(lia) (in_control _)). apply IH. lia.
  Qed.

  Lemma parity : forall i, (1 <= i <= 2 * K)%nat -> bus_a (c + i)%nat = Z.of_nat i mod 2.
  Proof.
    intros i I. destruct numbers as (_ & _ & _ & EC & _). destruct (control (c + i)%nat) as ((-> & _) & _). rewrite left_is by exact I. destruct sizes as (_ & _ & _ & E).
    clear - EC E. clearbody K. set (m := Z.of_nat i). set (x := Z.of_nat K) in *. clearbody m x. rewrite EC.
    replace ((4 + 2 * idle) + 2 * x - m) with (m + (2 + idle + x - m) * 2) by ring. apply Z_mod_plus_full.
  Qed.

  Lemma odd_of : forall k, Z.of_nat (2 * k + 1) mod 2 = 1.
  Proof. intros k. replace (Z.of_nat (2 * k + 1)) with (1 + Z.of_nat k * 2) by (clear; lia). apply Z_mod_plus_full. Qed.

  Lemma even_of : forall k, Z.of_nat (2 * k + 2) mod 2 = 0.
  Proof. intros k. replace (Z.of_nat (2 * k + 2)) with (0 + (Z.of_nat k + 1) * 2) by (clear; lia). apply Z_mod_plus_full. Qed.

  Lemma moves_at : forall i, (1 <= i < 2 * K)%nat -> move (c + i)%nat = Z.of_nat i mod 2.
  Proof.
    intros i I. destruct (control (c + i)%nat) as ((_ & -> & _) & _). rewrite resting, parity by lia. apply Z.lor_0_l.
  Qed.

  Lemma loaded : a_q (c + 1)%nat = a /\ b_q (c + 1)%nat = b /\ next_modulus (c + 1)%nat = nbar.
  Proof.
    rewrite Nat.add_1_r. apply H_loads; [exact begins |]. destruct (control c) as ((_ & -> & _) & _). rewrite begins. destruct (one_bit c) as ((_ & B & _) & _).
    assert (bus_a c = 0 \/ bus_a c = 1) as [-> | ->] by lia; reflexivity.
  Qed.

  Lemma a_is : forall k, (k < K)%nat -> a_q (c + (2 * k + 1))%nat = a / pw r k.
  Proof.
    induction k as [| k IH]; intros L; [cbn [pw]; rewrite Z.div_1_r; apply loaded |]. pose proof radix as R. pose proof (pw_pos r k ltac:(lia)).
    replace (c + (2 * S k + 1))%nat with (S (c + (2 * k + 2))) by lia. rewrite H_a_stays by (rewrite moves_at, even_of by lia; reflexivity).
    replace (c + (2 * k + 2))%nat with (S (c + (2 * k + 1))) by lia. rewrite H_a_moves by (rewrite ?moves_at, ?odd_of, ?resting by lia; reflexivity).
    rewrite IH by lia. fold r. rewrite Z.div_div by lia. cbn [pw]. f_equal. ring.
  Qed.

  Lemma kept : forall i, (i < 2 * K)%nat -> b_q (c + S i)%nat = b /\ next_modulus (c + S i)%nat = nbar.
  Proof.
    induction i as [| i IH]; intros I; [split; apply loaded |]. rewrite (Nat.add_succ_r c (S i)). destruct (H_keeps (c + S i)%nat ltac:(apply resting; lia)) as [-> ->]. apply IH. lia.
  Qed.

  Lemma modulus_is : forall e, (e < 2 * K)%nat -> modulus (c + (5 + e))%nat = nbar.
  Proof.
    destruct numbers as (_ & _ & K3 & EC & _). induction e as [| e IH]; intros E.
    - replace (c + (5 + 0))%nat with (S (c + 4)) by lia. rewrite H_modulus_follows. destruct (control (c + 4)%nat) as ((_ & _ & _ & ->) & _).
      rewrite left_is by lia. change (Z.of_nat 4) with 4. rewrite Z.eqb_refl. cbn [Z.eqb Pos.eqb]. apply (kept 3). lia.
    - replace (c + (5 + S e))%nat with (S (c + (5 + e))) by lia. rewrite H_modulus_follows. assert (fourth (c + (5 + e))%nat = 0) as ->; [| apply IH; lia].
      destruct (Nat.le_gt_cases (5 + e) (2 * K)) as [L | L].
      + destruct (control (c + (5 + e))%nat) as ((_ & _ & _ & ->) & _). rewrite left_is by lia. destruct (Z.eqb_spec (((4 + 2 * idle) + 2 * loops) - Z.of_nat (5 + e)) (((4 + 2 * idle) + 2 * loops) - 4)); lia.
      + pose proof (finishing (5 + e - (2 * K + 1)) ltac:(lia)) as F. apply (H_modulus_stays _ (Z.of_nat (5 + e - (2 * K + 1))) ltac:(lia) (in_control _)).
        replace (2 * K + 1 + (5 + e - (2 * K + 1)))%nat with (5 + e)%nat in F by lia. exact F.
  Qed.

  (* ---------------------------------------------------------------- products *)
  Lemma low_part : forall x, part x 0 word = x mod r.
  Proof. intros x. unfold part. change (2 ^ 0) with 1. rewrite Z.div_1_r. reflexivity. Qed.

  Lemma product_of_a : forall k, (k < K)%nat -> on_bus (c + (2 * k + 1))%nat * other (c + (2 * k + 1))%nat = d k * b.
  Proof.
    intros k L. unfold on_bus, other, d. rewrite parity, odd_of by lia. change (1 =? 1) with true. cbv iota. rewrite low_part, a_is by lia.
    replace (2 * k + 1)%nat with (S (2 * k)) by lia. destruct (kept (2 * k) ltac:(lia)) as [-> _]. destruct (Nat.ltb_spec k K); [reflexivity | lia].
  Qed.

  Lemma product_of_u : forall i, (6 <= i <= 2 * K + 4)%nat -> bus_a (c + i)%nat = 0 -> on_bus (c + i)%nat * other (c + i)%nat = (words_q (c + i)%nat mod r) * nbar.
  Proof.
    intros i I E. unfold on_bus, other. rewrite E. change (0 =? 1) with false. cbv iota. rewrite low_part.
    pose proof (modulus_is (i - 5) ltac:(lia)) as F. replace (5 + (i - 5))%nat with i in F by lia. rewrite F. reflexivity.
  Qed.

  Lemma adds_at : forall i h j, h = (i + 1)%nat -> j = (i + 3)%nat -> found (c + j)%nat + r * made_of (c + j)%nat =
    addend (addend_1 (c + h)%nat) (c + j)%nat + on_bus (c + i)%nat * other (c + i)%nat + (if part (net "pass_q" (c + h)%nat) 2 1 =? 1 then made_of (c + h)%nat else 0).
  Proof. intros i h j -> ->. replace (c + (i + 3))%nat with (S (S (S (c + i)))) by lia. replace (c + (i + 1))%nat with (S (c + i)) by lia. apply adds. Qed.

  Lemma takes_to : forall i h j l, h = (i + 1)%nat -> j = (i + 3)%nat -> l = (i + 4)%nat -> words_q (c + l)%nat = if takes_at (c + h)%nat =? 1 then found (c + j)%nat else words_q (c + j)%nat.
  Proof.
    intros i h j l -> -> ->. replace (c + (i + 4))%nat with (S (S (S (S (c + i))))) by lia. replace (c + (i + 3))%nat with (S (S (S (c + i)))) by lia.
    replace (c + (i + 1))%nat with (S (c + i)) by lia. apply takes_later.
  Qed.

  Lemma passes_to : forall i h j, h = (i + 1)%nat -> j = (i + 3)%nat -> part (net "pass_q" (c + j)%nat) 2 1 = passes_at (c + h)%nat.
  Proof. intros i h j -> ->. replace (c + (i + 3))%nat with (S (S (S (c + i)))) by lia. replace (c + (i + 1))%nat with (S (c + i)) by lia. apply passes_later. Qed.

  (* What a word on the bus does to the columns three cycles later. *)
  Lemma at_a : forall k, (k < K)%nat -> addend_1 (c + (2 * k + 2))%nat = (if Nat.eqb k 0 then 0 else 1) /\ takes_at (c + (2 * k + 2))%nat = 1 /\
    passes_at (c + (2 * k + 2))%nat = (if Nat.eqb (S k) K then 0 else 1).
  Proof.
    intros k L. destruct numbers as (_ & _ & K3 & EC & _). replace (c + (2 * k + 2))%nat with (S (c + (2 * k + 1))) by lia. pose proof (left_is (2 * k + 1) ltac:(lia)) as E.
    destruct (H_word_of_a (c + (2 * k + 1))%nat (in_control _) ltac:(lia)) as (E1 & E2 & E3).
    { destruct (control (c + (2 * k + 1))%nat) as ((<- & _) & _). rewrite parity, odd_of by lia. reflexivity. }
    rewrite E1, E2, E3, E. split; [| split; [reflexivity |]].
    - destruct (Nat.eqb_spec k 0), (Z.eqb_spec (((4 + 2 * idle) + 2 * loops) - Z.of_nat (2 * k + 1)) (((4 + 2 * idle) + 2 * loops) - 1)); reflexivity || lia.
    - destruct (Nat.eqb_spec (S k) K), (Z.eqb_spec (((4 + 2 * idle) + 2 * loops) - Z.of_nat (2 * k + 1)) ((4 + 2 * idle) + 1)); reflexivity || lia.
  Qed.

  Lemma at_u : forall k, (2 <= k < K)%nat -> addend_1 (c + (2 * k + 3))%nat = 2 /\ takes_at (c + (2 * k + 3))%nat = 1 /\ passes_at (c + (2 * k + 3))%nat = 1.
  Proof.
    intros k L. destruct numbers as (_ & _ & K3 & EC & _). replace (c + (2 * k + 3))%nat with (S (c + (2 * k + 2))) by lia. pose proof (left_is (2 * k + 2) ltac:(lia)) as E.
    apply (H_word_of_quotient (c + (2 * k + 2))%nat (in_control _)); [lia | lia |].
    destruct (control (c + (2 * k + 2))%nat) as ((<- & _) & _). rewrite parity, even_of by lia. reflexivity.
  Qed.

  Lemma holding : takes_at (c + 3)%nat = 0 /\ takes_at (c + 5)%nat = 0 /\ passes_at (c + 5)%nat = 0.
  Proof.
    destruct numbers as (_ & _ & K3 & EC & _). replace (c + 3)%nat with (S (c + 2)) by lia. replace (c + 5)%nat with (S (c + 4)) by lia.
    split; [apply H_held | apply H_held_again]; try apply in_control; rewrite left_is by lia; reflexivity.
  Qed.

  (* ---------------------------------------------------------------- steps *)
  (* Before step k: words, and carries of the last shift and of the last addition. *)
  Let w (k : nat) : Z := words_q (c + (2 * k + 4))%nat.
  Let sc (k : nat) : Z := made_of (c + (2 * k + 2))%nat.
  Let tc (k : nat) : Z := if Nat.leb k 2 then 0 else made_of (c + (2 * k + 3))%nat.
  Let U (k : nat) : Z := w k + r * (sc k + tc k).

  Lemma first_step : U 1 = d 0 * b.
  Proof.
    destruct numbers as (_ & _ & K3 & EC & _). destruct (at_a 0 ltac:(lia)) as (A1 & A2 & _). destruct holding as (G & _).
    pose proof (adds_at 1 2 4 eq_refl eq_refl) as E. pose proof (product_of_a 0 ltac:(lia)) as P. cbn [Nat.mul Nat.add] in A1, A2, P. rewrite A1, P in E.
    assert (X : part (net "pass_q" (c + 2)%nat) 2 1 = 0).
    { destruct (control (c + 2)%nat) as (_ & _ & _ & _ & _ & _ & [[X | X] | X]); [| | exact X]; rewrite left_is in X by lia; clear - X; lia. }
    rewrite X in E. change (0 =? 1) with false in E. cbv iota in E.
    unfold U, w, sc, tc. cbn [Nat.leb Nat.mul Nat.add]. rewrite (takes_to 2 3 5 6 eq_refl eq_refl eq_refl), G. change (0 =? 1) with false. cbv iota.
    rewrite (takes_to 1 2 4 5 eq_refl eq_refl eq_refl), A2. change (1 =? 1) with true. cbv iota. unfold addend in E. change (Nat.eqb 0 0) with true in E. cbn [Z.eqb] in E. lia.
  Qed.

  Lemma next_step : forall k, (1 <= k < K)%nat -> U (S k) = w k / r + d k * b + (sc k + tc k) + (if Nat.leb k 1 then 0 else (w (k - 1) mod r) * nbar).
  Proof.
    intros k L. destruct numbers as (_ & _ & K3 & EC & _).
    destruct (at_a k ltac:(lia)) as (A1 & A2 & _). destruct (at_a (k - 1) ltac:(lia)) as (_ & _ & A3). replace (2 * (k - 1) + 2)%nat with (2 * k)%nat in A3 by lia.
    pose proof (adds_at (2 * k + 1) (2 * k + 2) (2 * k + 4) ltac:(lia) ltac:(lia)) as E. rewrite A1, product_of_a in E by lia.
    rewrite (passes_to (2 * k - 1) (2 * k) (2 * k + 2)), A3 in E by lia.
    pose proof (takes_to (2 * k + 1) (2 * k + 2) (2 * k + 4) (2 * k + 5) ltac:(lia) ltac:(lia) ltac:(lia)) as T. rewrite A2 in T. change (1 =? 1) with true in T. cbv iota in T.
    destruct (Nat.eqb_spec k 0) as [X | _]; [lia |]. destruct (Nat.eqb_spec (S (k - 1)) K) as [X | _]; [lia |]. unfold addend in E. cbn [Z.eqb Pos.eqb] in E.
    unfold U, w, sc, tc. replace (2 * S k + 4)%nat with (2 * k + 6)%nat by lia. replace (2 * S k + 2)%nat with (2 * k + 4)%nat by lia. replace (2 * S k + 3)%nat with (2 * k + 5)%nat by lia.
    destruct (Nat.leb_spec k 1) as [X | X].
    - assert (k = 1)%nat as -> by lia. cbn [Nat.leb Nat.mul Nat.add] in *. destruct holding as (_ & G & _).
      rewrite (takes_to 4 5 7 8 eq_refl eq_refl eq_refl), G. change (0 =? 1) with false. cbv iota. rewrite T. lia.
    - destruct (at_u k ltac:(lia)) as (B1 & B2 & _).
      pose proof (adds_at (2 * k + 2) (2 * k + 3) (2 * k + 5) ltac:(lia) ltac:(lia)) as F. rewrite B1, product_of_u in F; [| lia | rewrite parity, even_of by lia; reflexivity].
      unfold addend in F. cbn [Z.eqb Pos.eqb] in F. rewrite T in F.
      rewrite (takes_to (2 * k + 2) (2 * k + 3) (2 * k + 5) (2 * k + 6)), B2 by lia. change (1 =? 1) with true. cbv iota.
      replace (2 * (k - 1) + 4)%nat with (2 * k + 2)%nat by lia. destruct (Nat.leb_spec (S k) 2) as [Y | _]; [lia |].
      assert (P : (if part (net "pass_q" (c + (2 * k + 3))%nat) 2 1 =? 1 then made_of (c + (2 * k + 3))%nat else 0) = if Nat.leb k 2 then 0 else made_of (c + (2 * k + 3))%nat).
      { rewrite (passes_to (2 * k) (2 * k + 1) (2 * k + 3)) by lia. destruct (Nat.leb_spec k 2) as [Y | Y].
        - assert (k = 2)%nat as -> by lia. destruct holding as (_ & _ & G). cbn [Nat.mul Nat.add]. rewrite G. reflexivity.
        - destruct (at_u (k - 1) ltac:(lia)) as (_ & _ & G). replace (2 * (k - 1) + 3)%nat with (2 * k + 1)%nat in G by lia. rewrite G. reflexivity. }
      rewrite P in F. lia.
  Qed.

  (* ---------------------------------------------------------------- the tail *)
  Lemma only : forall t, flight t <= 1 -> (step 1 t = 1 -> step 2 t + step 4 t + step 6 t = 0) /\ (step 2 t = 1 -> step 2 t + step 4 t + step 6 t = 1 /\ step 1 t = 0) /\
    (step 3 t = 1 -> step 2 t + step 4 t + step 6 t = 0 /\ step 1 t = 0) /\ (step 4 t = 1 -> step 2 t + step 4 t + step 6 t = 1 /\ step 1 t = 0) /\
    (step 5 t = 1 -> step 2 t + step 4 t + step 6 t = 0 /\ step 1 t = 0) /\ (step 6 t = 1 -> step 2 t + step 4 t + step 6 t = 1 /\ step 1 t = 0).
  Proof. intros t F. pose proof (steps_are t). unfold flight in F. repeat split; lia. Qed.

  (* In the cycle of step j the tail takes the sums, and the shift's carries are saved. *)
  Lemma tail_at : forall j t, (1 <= j <= 6)%nat -> t = (c + (2 * K + 1 + j))%nat ->
    take_tail t = (if Nat.even j then 1 else 0) /\ part (net "save_q" t) 2 1 = (if Nat.eqb j 1 then 1 else 0).
  Proof.
    intros j t J ->. pose proof (finishing j ltac:(lia)) as F. set (t := (c + (2 * K + 1 + j))%nat) in *. destruct (control t) as (_ & (O & _) & _ & _ & -> & -> & _). destruct (only t O) as (N1 & N2 & N3 & N4 & N5 & N6).
    assert (j = 1 \/ j = 2 \/ j = 3 \/ j = 4 \/ j = 5 \/ j = 6)%nat as [-> | [-> | [-> | [-> | [-> | ->]]]]] by (clear - J; lia).
    all: auto using conj.
  Qed.

  Lemma tail_to : forall j t u, (1 <= j <= 6)%nat -> t = (c + (2 * K + 1 + j))%nat -> u = S t ->
    tail_q u = (if Nat.even j then found t else tail_q t) /\ tail_carries u = (if Nat.even j then made t else tail_carries t) /\
    shifted u = (if Nat.eqb j 1 then made t else shifted t) /\ lowest u = (if Nat.even j then tail_q t mod r else lowest t).
  Proof.
    intros j t u J T ->. destruct (H_columns t) as (_ & -> & -> & -> & ->). destruct (tail_at j t J T) as [-> ->]. rewrite low_part. destruct (Nat.even j), (Nat.eqb j 1); auto.
  Qed.

  Let five : nat := (c + (2 * K + 5))%nat.
  Let seven : nat := (c + (2 * K + 7))%nat.
  Let ended : nat := (c + (2 * K + 8))%nat.

  Lemma tail_state : tail_q five = w K /\ tail_q seven = found five /\ tail_q ended = found seven /\ tail_carries ended = made seven /\
    lowest ended = found five mod r /\ shifted ended = made (c + (2 * K + 2))%nat.
  Proof.
    destruct numbers as (_ & _ & K3 & _).
    destruct (tail_to 1 (c + (2 * K + 2)) (c + (2 * K + 3)) ltac:(lia) ltac:(lia) ltac:(lia)) as (_ & _ & S1 & _).
    destruct (tail_to 2 (c + (2 * K + 3)) (c + (2 * K + 4)) ltac:(lia) ltac:(lia) ltac:(lia)) as (T2 & _ & S2 & _).
    destruct (tail_to 3 (c + (2 * K + 4)) five ltac:(lia) ltac:(lia) ltac:(unfold five; lia)) as (T3 & _ & S3 & _).
    destruct (tail_to 4 five (c + (2 * K + 6)) ltac:(lia) ltac:(unfold five; lia) ltac:(unfold five; lia)) as (T4 & _ & S4 & _).
    destruct (tail_to 5 (c + (2 * K + 6)) seven ltac:(lia) ltac:(lia) ltac:(unfold seven; lia)) as (T5 & _ & S5 & _).
    destruct (tail_to 6 seven ended ltac:(lia) ltac:(unfold seven; lia) ltac:(unfold seven, ended; lia)) as (T6 & C6 & S6 & L6).
    cbn [Nat.even Nat.eqb] in *. split; [| split; [| split; [exact T6 | split; [exact C6 | split]]]].
    - rewrite T3, T2. unfold w. rewrite (takes_to (2 * K) (2 * K + 1) (2 * K + 3) (2 * K + 4)) by lia. destruct (at_u (K - 1) ltac:(lia)) as (_ & E & _).
      replace (2 * (K - 1) + 3)%nat with (2 * K + 1)%nat in E by lia. rewrite E. reflexivity.
    - rewrite T5. exact T4.
    - rewrite L6, T5, T4. reflexivity.
    - rewrite S6, S5, S4, S3, S2. exact S1.
  Qed.

  Lemma tail_steps : found five + r * made_of five = w K / r + (w (K - 1) mod r) * nbar + tc K /\
    found seven + r * made_of seven = found five / r + (w K mod r) * nbar + made_of five.
  Proof.
    destruct numbers as (_ & _ & K3 & _). destruct tail_state as (T5 & T7 & _). pose proof (finishing 1 ltac:(lia)) as F1. pose proof (finishing 3 ltac:(lia)) as F3.
    change (Z.of_nat 1) with 1 in F1. change (Z.of_nat 3) with 3 in F3. replace (2 * K + 1 + 1)%nat with (2 * K + 2)%nat in F1 by lia. replace (2 * K + 1 + 3)%nat with (2 * K + 4)%nat in F3 by lia.
    destruct (H_tail_word _ (in_control _) F1) as (A1 & P1 & B1). destruct (H_last_tail_word _ (in_control _) F3) as (A3 & B3).
    replace (S (c + (2 * K + 2))) with (c + (2 * K + 3))%nat in A1, P1 by lia. replace (S (c + (2 * K + 4))) with (c + (2 * K + 5))%nat in A3 by lia.
    destruct (at_u (K - 1) ltac:(lia)) as (_ & _ & P). replace (2 * (K - 1) + 3)%nat with (2 * K + 1)%nat in P by lia. split.
    - pose proof (adds_at (2 * K + 2) (2 * K + 3) (2 * K + 5) ltac:(lia) ltac:(lia)) as E. fold five in E.
      rewrite A1, (product_of_u (2 * K + 2)), (passes_to (2 * K) (2 * K + 1) (2 * K + 3)), P in E by lia || exact B1.
      unfold addend in E. cbn [Z.eqb Pos.eqb] in E. rewrite T5 in E. rewrite E. unfold w at 3, tc. replace (2 * (K - 1) + 4)%nat with (2 * K + 2)%nat by lia.
      destruct (Nat.leb_spec K 2); [lia | reflexivity].
    - pose proof (adds_at (2 * K + 4) (2 * K + 5) (2 * K + 7) ltac:(lia) ltac:(lia)) as E. fold five seven in E.
      assert (PE : part (net "pass_q" five) 2 1 = 1) by (unfold five; rewrite (passes_to (2 * K + 2) (2 * K + 3) (2 * K + 5)) by lia; exact P1).
      fold five in A3. rewrite A3, (product_of_u (2 * K + 4)), PE in E by lia || exact B3.
      unfold addend in E. cbn [Z.eqb Pos.eqb] in E. rewrite T7 in E. exact E.
  Qed.

  (* ---------------------------------------------------------------- the product *)
  Let value : Z := found five mod r + r * found seven + r * (r * made_of seven) + sc K.
  Let Y1 : Z := found five + r * made_of five + sc K.                                       (* Y(K+1) *)
  Let Y (k : nat) : Z := if Nat.eqb k 0 then 0 else if Nat.leb k K then U k else if Nat.eqb k (S K) then Y1 else Y1 / r + (w K mod r) * nbar.
  Let u (k : nat) : Z := Y k mod r.
  Let n := n_of c. Let L := 2 ^ (word * 2).
  Hypotheses (odd : n mod 2 = 1) (least : 3 <= n) (most : n < 2 ^ W) (constant : raised (word * 2) n (2 ^ (word * 2) * nbar))
    (a_range : 0 <= a < 2 * L * n) (b_range : 0 <= b < 2 * L * n).

  Lemma low_of : forall x y, (x + r * y) mod r = x mod r.
  Proof. intros x y. rewrite Z.mul_comm. apply Z_mod_plus_full. Qed.

  Lemma high_of : forall x, r * (x / r) = x - x mod r.
  Proof. intros x. pose proof radix. pose proof (Z.div_mod x r ltac:(lia)). lia. Qed.

  Lemma scale : pw r 2 = L /\ pw r K = 2 ^ (word * loops) /\ 2 * L * n < 2 ^ operand /\ 4 * L * n <= pw r K /\ 2 ^ operand <= 2 ^ (Z.of_nat M * word) /\ a < pw r K.
  Proof.
    destruct numbers as (EM & M3 & K3 & EC & EK & EQ & _). destruct sizes as ((W3 & w3 & EO) & WO & _).
    assert (E2 : pw r 2 = L) by (unfold r, L; rewrite pw_words by lia; f_equal; lia). assert (EP : pw r K = 2 ^ (Z.of_nat K * word)) by (unfold r; apply pw_words; lia).
    assert (LP : 0 < L) by (apply Z.pow_pos_nonneg; lia). assert (F : 2 ^ operand = 2 * L * 2 ^ W).
    { rewrite EO. unfold L. replace (W + 2 * word + 1) with (1 + word * 2 + W) by ring. rewrite !Z.pow_add_r by lia. reflexivity. }
    assert (B : L * n < L * 2 ^ W) by (apply Z.mul_lt_mono_pos_l; lia).
    assert (G : 2 * 2 ^ operand <= pw r K) by (rewrite EP, <- Z.pow_succ_r by lia; apply Z.pow_le_mono_r; lia).
    assert (X : a < 2 ^ operand) by (unfold a; range c). assert (0 < 2 ^ operand) by (apply Z.pow_pos_nonneg; lia).
    split; [exact E2 |]. split; [rewrite EP, EQ; f_equal; ring |]. split; [lia |]. split; [lia |]. split; [apply Z.pow_le_mono_r; lia | lia].
  Qed.

  Lemma is_value : montgomery n (pw r K) a b value /\ 0 <= value < 2 * L * n.
  Proof.
    destruct numbers as (_ & _ & K3 & _). pose proof radix as R. destruct scale as (EL & EK & _ & room & _ & aK). destruct constant as (ni & I & E & _). destruct tail_steps as [T1 T2].
    assert (EV : value = pw r 1 * Y (1 + S K) + digits r (fun i => u (S K + i)%nat) 1).
    { assert (EY2 : Y (1 + S K)%nat = Y1 / r + (w K mod r) * nbar).
      { unfold Y. destruct (Nat.eqb_spec (1 + S K) 0) as [? | _]; [lia |]. destruct (Nat.leb_spec (1 + S K) K) as [? | _]; [lia |].
        destruct (Nat.eqb_spec (1 + S K) (S K)) as [? | _]; [lia | reflexivity]. }
      assert (EY1 : Y (S K + 0)%nat = Y1).
      { unfold Y. destruct (Nat.eqb_spec (S K + 0) 0) as [? | _]; [lia |]. destruct (Nat.leb_spec (S K + 0) K) as [? | _]; [lia |].
        destruct (Nat.eqb_spec (S K + 0) (S K)) as [_ | ?]; [reflexivity | lia]. }
      rewrite EY2. cbn [digits pw]. unfold u. rewrite EY1. pose proof (high_of (found five)). pose proof (high_of Y1).
      assert (G : r * (found seven + r * made_of seven) = r * (found five / r) + r * (w K mod r * nbar) + r * made_of five) by (rewrite T2; ring).
      unfold value. unfold Y1 in *. lia. }
    rewrite EV, <- EL. fold L in I, E. pose proof a_range as aR. pose proof b_range as bR. rewrite <- EL in I, E, room, aR, bR. apply (unsigned_digits r n ni nbar a b K 1 Y d u); try assumption; try lia.
    - reflexivity.
    - change (1 + S K)%nat with (S (S K)). cbn [digits]. unfold d at 2 3. destruct (Nat.ltb_spec (S K) K) as [X | _]; [lia |]. destruct (Nat.ltb_spec K K) as [X | _]; [lia |].
      rewrite (digits_ext r d (fun k => (a / pw r k) mod r) K) by (intros k X; unfold d; destruct (Nat.ltb_spec k K); [reflexivity | lia]).
      rewrite word_digits, Z.mod_small by lia. ring.
    - intros t. apply Z.mod_pos_bound. lia.
    - intros t LT. unfold delayed, u. destruct (Nat.ltb_spec t 1) as [X | X].
      + assert (t = O) as -> by lia. unfold Y. cbn [Nat.eqb]. destruct (Nat.leb_spec 1 K) as [_ | X']; [| lia]. rewrite first_step, Zmod_0_l. ring.
      + assert (low_U : forall k, U k mod r = w k mod r) by (intros k; apply low_of).
        assert (t < K \/ t = K \/ t = S K)%nat as [X1 | [-> | ->]] by lia.
        * unfold Y. destruct (Nat.eqb_spec (S t) 0) as [? | _]; [lia |]. destruct (Nat.eqb_spec t 0) as [? | _]; [lia |]. destruct (Nat.leb_spec (S t) K) as [_ | ?]; [| lia].
          destruct (Nat.leb_spec t K) as [_ | ?]; [| lia]. rewrite next_step, low_U by lia. pose proof (high_of (w t)) as H.
          destruct (Nat.leb_spec t 1) as [X2 | X2].
          -- assert (t = 1)%nat as -> by lia. cbn [Nat.sub Nat.eqb]. rewrite Zmod_0_l. unfold U. lia.
          -- destruct (Nat.eqb_spec (t - 1) 0) as [? | _]; [lia |]. destruct (Nat.leb_spec (t - 1) K) as [_ | ?]; [| lia]. rewrite low_U. unfold U. lia.
        * unfold Y. destruct (Nat.eqb_spec (S K) 0) as [? | _]; [lia |]. destruct (Nat.leb_spec (S K) K) as [? | _]; [lia |]. rewrite Nat.eqb_refl.
          destruct (Nat.eqb_spec K 0) as [? | _]; [lia |]. destruct (Nat.leb_spec K K) as [_ | ?]; [| lia]. destruct (Nat.eqb_spec (K - 1) 0) as [? | _]; [lia |].
          destruct (Nat.leb_spec (K - 1) K) as [_ | ?]; [| lia]. rewrite !low_U. unfold d. destruct (Nat.ltb_spec K K) as [? | _]; [lia |]. unfold Y1, U. rewrite T1. pose proof (high_of (w K)). lia.
        * unfold Y. destruct (Nat.eqb_spec (S (S K)) 0) as [? | _]; [lia |]. destruct (Nat.leb_spec (S (S K)) K) as [? | _]; [lia |]. destruct (Nat.eqb_spec (S (S K)) (S K)) as [? | _]; [lia |].
          destruct (Nat.eqb_spec (S K) 0) as [? | _]; [lia |]. destruct (Nat.leb_spec (S K) K) as [? | _]; [lia |]. rewrite Nat.eqb_refl.
          replace (S K - 1)%nat with K by lia. destruct (Nat.eqb_spec K 0) as [? | _]; [lia |]. destruct (Nat.leb_spec K K) as [_ | ?]; [| lia]. rewrite low_U.
          unfold d. destruct (Nat.ltb_spec (S K) K) as [? | _]; [lia |]. pose proof (high_of Y1). lia.
  Qed.

  Lemma ended_small : small ended.
  Proof.
    destruct tail_state as (_ & _ & _ & EC & _ & ES). unfold small. rewrite EC, ES. intros j J. split; apply carries_small, J.
  Qed.

  Lemma ended_pair : exists p, montgomery n (pw r K) a b p /\ 0 <= p < 2 * L * n /\ (part (pair_s ended) 0 (words * word) + part (pair_c ended) 0 (words * word) + 0) mod 2 ^ (words * word) = p.
  Proof.
    exists value. destruct is_value as [V RV]. split; [exact V |]. split; [exact RV |]. destruct numbers as (EM & M3 & _). destruct scale as (_ & _ & F & _ & G & _).
    destruct (words_range ended) as (_ & _ & _ & RS & RC & RL). destruct tail_state as (_ & _ & ET & EC & EL & ES). destruct (pair_words ended ended_small) as [A B].
    rewrite EM, !part_whole, Z.add_0_r by assumption.
    apply (pair_sum word M ltac:(lia) (tail_q ended) (tail_carries ended) (shifted ended) (lowest ended)); try assumption.
    - rewrite <- EM. apply H_converted_words.
    - rewrite ET, EC, EL, ES. reflexivity.
    - lia.
  Qed.
  End Request.

  (* ---------------------------------------------------------------- from its request to its response *)
  Let legal (c : nat) : Prop := n_of c mod 2 = 1 /\ 3 <= n_of c /\ n_of c < 2 ^ W /\ raised (word * 2) (n_of c) (2 ^ (word * 2) * net "n_scaled_i" c).
  Let bounded (n x : Z) : Prop := 0 <= x < 2 * 2 ^ (word * 2) * n.
  Let asked (c : nat) : Prop := net "req_valid_i" c = 1 /\ ready c = 1 /\ legal c /\ bounded (n_of c) (net "a_i" c) /\ bounded (n_of c) (net "b_i" c).
  Let R := 2 ^ (word * loops).
  Let is_product (c : nat) (p : Z) : Prop := bounded (n_of c) p /\ (p * R) mod n_of c = (net "a_i" c * net "b_i" c) mod n_of c.
  Let ended (c : nat) : nat := (c + (2 * K + 8))%nat.
  Let same (c t : nat) : Prop := tail_q t = tail_q (ended c) /\ tail_carries t = tail_carries (ended c) /\ shifted t = shifted (ended c) /\ lowest t = lowest (ended c).
  Let groups : Z := (words * word + word - 1) / word.
  Let bits (g : Z) : Z := Z.min word (words * word - g * word).
  Let pair (c : nat) (g : Z) : Z := part (pair_s (ended c)) (0 + g * word) (bits g) + part (pair_c (ended c)) (0 + g * word) (bits g).
  (* Registers of the conversion have the sums of the groups. *)
  Let sums_in (c t : nat) : Prop := forall g, 0 <= g < groups ->
    part (net "sum_q" t) (0 + g * word) (bits g) + 2 ^ bits g * part (generates t) g 1 = pair c g /\ part (propagates t) g 1 = if pair c g =? 2 ^ bits g - 1 then 1 else 0.

  Lemma bits_some : forall g, 0 <= g < groups -> 1 <= bits g.
  Proof.
    intros g G. destruct numbers as (EM & M3 & _). assert (groups = words) as E.
    { unfold groups. replace (words * word + word - 1) with (word - 1 + words * word) by ring. rewrite Z.div_add by lia. rewrite Z.div_small by lia. reflexivity. }
    rewrite E in G. unfold bits. assert (g * word <= (words - 1) * word) by (apply Z.mul_le_mono_nonneg_r; lia). lia.
  Qed.

  Lemma summed_up : forall c t, asked c -> same c t -> sums_in c (S t).
  Proof.
    intros c t (V & Y & (odd & least & most & constant) & X1 & X2) (E1 & E2 & E3 & E4) g G.
    destruct (pair_same t (ended c) E1 E2 E3 E4 (ended_small c V Y odd least most constant X1 X2)) as [P1 P2].
    destruct (H_sums t g G) as [A B]. rewrite P1, P2 in A, B. split; [|exact B]. fold (bits g) in A. fold (pair c g) in A. rewrite A. destruct (g =? 0); ring.
  Qed.

  Lemma made_or_passed : forall c t, sums_in c t -> forall g, 0 <= g < groups -> part (generates t) g 1 + part (propagates t) g 1 <= 1.
  Proof.
    intros c t S0 g G. destruct (S0 g G) as [A B]. pose proof (bit_range (generates t) g). pose proof (bits_some g G). pose proof (part_range (net "sum_q" t) (0 + g * word) (bits g) ltac:(lia)).
    rewrite B. destruct (Z.eqb_spec (pair c g) (2 ^ bits g - 1)) as [E | _]; [| lia]. rewrite E in A. assert (part (generates t) g 1 = 0 \/ part (generates t) g 1 = 1) as [-> | X] by lia; [lia |]. rewrite X in A. lia.
  Qed.

  (* The same sums make the same carries. *)
  Lemma same_groups : forall c t t', sums_in c t -> sums_in c t' -> forall g, 0 <= g < groups ->
    part (generates t) g 1 = part (generates t') g 1 /\ part (propagates t) g 1 = part (propagates t') g 1.
  Proof.
    intros c t t' S1 S2 g G. destruct (S1 g G) as [A1 B1]. destruct (S2 g G) as [A2 B2]. split; [| rewrite B1, B2; reflexivity]. pose proof (bits_some g G).
    pose proof (part_range (net "sum_q" t) (0 + g * word) (bits g) ltac:(lia)). pose proof (part_range (net "sum_q" t') (0 + g * word) (bits g) ltac:(lia)).
    pose proof (bit_range (generates t) g). pose proof (bit_range (generates t') g).
    assert (part (generates t) g 1 = 0 \/ part (generates t) g 1 = 1) as [X | X] by lia; assert (part (generates t') g 1 = 0 \/ part (generates t') g 1 = 1) as [X' | X'] by lia;
      rewrite X, X' in *; reflexivity || lia.
  Qed.

  Let carried_over (t : nat) : Prop := forall g, 0 <= g < groups - 1 ->
    (carries t / 2 ^ g) mod 2 = if part (generates t) g 1 =? 1 then 1 else if part (propagates t) g 1 =? 1 then ((2 * carries t) / 2 ^ g) mod 2 else 0.

  Lemma looked_ahead : forall c t, summed t = 1 -> sums_in c t -> sums_in c (S t) -> carried_over (S t).
  Proof.
    intros c t Y S1 S2 g G. destruct (same_groups c t (S t) S1 S2 g ltac:(lia)) as [<- <-]. apply (H_look_ahead t g G); [| exact (made_or_passed c t S1)].
    destruct (control t) as (_ & (_ & _ & _ & ->) & _). exact Y.
  Qed.

  Lemma answered : forall c t, asked c -> carried t = 1 -> sums_in c t -> carried_over t -> is_product c (net "p_o" (S t)).
  Proof.
    intros c t (V & Y & (odd & least & most & constant) & A & B) C S0 F. destruct (ended_pair c V Y odd least most constant A B) as (p & P1 & P2 & P3). fold (ended c) in P3.
    destruct (scale c V Y odd least most constant A B) as (_ & EK & PO & _ & PM & _). destruct numbers as (EM & M3 & _). pose proof radix.
    destruct (words_range (S t)) as (_ & _ & (_ & _ & _ & RR) & _).
    assert (E : part (result_q (S t)) 0 (words * word) = p).
    { rewrite <- P3. apply (Groups.converted word (words * word) 0 _ _ 0 (net "sum_q" t) _ (generates t) (propagates t) (carries t)); try lia.
      - intros g G. destruct (S0 g G) as [S1 S2]. split; [| exact S2]. etransitivity; [exact S1 |]. unfold pair. rewrite Z.add_0_l. destruct (g =? 0); fold (bits g); ring.
      - exact F.
      - intros g G. exact (H_increments t g G C). }
    rewrite EM, part_whole in E by exact RR. assert (EP : net "p_o" (S t) = p).
    { rewrite H_answer, E. apply part_whole. lia. }
    rewrite EP. split; [exact P2 |]. apply montgomery_mod. unfold R. rewrite <- EK. exact P1.
  Qed.

  (* A cycle after its request has an operation on the bus, in a step of the tail, in the tail, or in the conversion. *)
  Definition is_after (c d before : nat) : Prop := asked c /\ let t := (c + d)%nat in
    ((1 <= d <= 2 * K)%nat /\ Z.of_nat before = ways t - 1 \/
     (exists j, (j <= 6)%nat /\ d = (2 * K + 1 + j)%nat /\ Z.of_nat before = occupied t) \/
     done t = 1 /\ Z.of_nat before = occupied t /\ (2 * K + 8 <= d)%nat /\ (moving net c d + before <= 2 * K + 8)%nat /\ same c t \/
     before = O /\ (summed t = 1 /\ (2 * K + 9 <= d)%nat /\ (moving net c d <= 2 * K + 9)%nat /\ same c t /\ sums_in c t \/
       carried t = 1 /\ (2 * K + 10 <= d)%nat /\ (moving net c d <= 2 * K + 10)%nat /\ sums_in c t /\ carried_over t \/
       valid t = 1 /\ (2 * K + 11 <= d)%nat /\ is_product c (net "p_o" t))).

  Let k (t : nat) : nat := if takes net t then 1%nat else 0%nat.

  Lemma cases : forall t, Z.of_nat (k t) = valid t * taken_i t /\ (valid t = 0 /\ waits net t = false /\ k t = O \/ valid t = 1 /\ taken_i t = 1 /\ waits net t = false /\ k t = 1%nat \/
    valid t = 1 /\ taken_i t = 0 /\ waits net t = true /\ k t = O).
  Proof.
    intros t. destruct (one_bit t) as ((_ & _ & V & T & _) & _). unfold k, takes, waits. assert (valid t = 0 \/ valid t = 1) as [-> | ->] by lia; [split; [reflexivity | left; auto] |].
    assert (taken_i t = 0 \/ taken_i t = 1) as [-> | ->] by lia; (split; [reflexivity |]); right; [right | left]; auto.
  Qed.

  Lemma moving_on : forall c d, moving net c (S d) = ((if waits net (c + d) then 0 else 1) + moving net c d)%nat.
  Proof. intros. unfold moving. cbn [Pipelined.count]. destruct (waits net (c + d)); reflexivity. Qed.

  Lemma moving_most : forall c d, (moving net c d <= d)%nat.
  Proof. induction d; [apply le_n |]. rewrite moving_on. destruct (waits net (c + d)); lia. Qed.

  Lemma flight_least : forall t, 0 <= flight t /\ (step 0 t = 1 \/ step 1 t = 1 \/ step 2 t = 1 \/ step 3 t = 1 \/ step 4 t = 1 \/ step 5 t = 1 \/ step 6 t = 1 -> 1 <= flight t).
  Proof. intros t. pose proof (steps_are t). unfold flight. split; lia. Qed.

  (* While no operation is in a step of the tail, it stays. *)
  Lemma tail_stays : forall c t, flight t = 0 -> same c t -> same c (S t).
  Proof.
    intros c t F (E1 & E2 & E3 & E4). pose proof (steps_are t) as B. unfold flight in F. destruct (H_columns t) as (_ & X1 & X2 & X3 & X4). unfold same. rewrite X1, X2, X3, X4.
    destruct (control t) as (_ & _ & _ & _ & -> & -> & _). replace (step 2 t + step 4 t + step 6 t) with 0 by lia. replace (step 1 t) with 0 by lia. auto.
  Qed.

  Let next (c d before : nat) : Prop := (before = O /\ k (c + d) = 1%nat) \/ is_after c (S d) (before - k (c + d))%nat /\ (k (c + d) <= before)%nat.

  Lemma at_least : forall t, 0 <= flight t /\ (0 <= busy t <= 1 /\ 0 <= done t <= 1 /\ 0 <= occupied t <= 1 /\ 0 <= summed t <= 1 /\ 0 <= carried t <= 1 /\ 0 <= valid t <= 1).
  Proof. intros t. split; [apply flight_least | destruct (one_bit t) as (A & B); lia]. Qed.

  Lemma moves_on_bus : forall c d before, asked c -> (1 <= d <= 2 * K)%nat -> Z.of_nat before = ways (c + d)%nat - 1 -> next c d before.
  Proof.
    intros c d before A D E. pose proof A as (V & Y & _). right. set (t := (c + d)%nat) in *. destruct (cases t) as (KE & _). pose proof (at_least (S t)) as P.
    assert (ES : (c + S d)%nat = S t) by (unfold t; lia). unfold is_after. rewrite ES. destruct numbers as (_ & _ & _ & EC & _).
    pose proof (left_is c V Y d D) as LF. fold t in LF. destruct (Nat.eq_dec d (2 * K)) as [-> | N].
    - destruct (H_leaves t (in_control t) ltac:(lia)) as [F OC]. rewrite <- KE in OC. split; [| lia]. split; [exact A |]. cbv zeta. right. left. exists O. split; [lia |]. split; [lia |]. lia.
    - destruct (H_counts t (in_control t) ltac:(lia)) as [Y0 LN]. pose proof (H_balance t (in_control t)) as B. rewrite Y0, <- KE in B.
      destruct (control (S t)) as ((_ & _ & BS & _) & (_ & WS & _) & _). rewrite LN, LF in BS. destruct (Z.leb_spec (4 + 2 * idle) (((4 + 2 * idle) + 2 * loops) - Z.of_nat d - 1)) as [_ | X]; [| lia].
      split; [| lia]. split; [exact A |]. left. split; [lia |]. lia.
  Qed.

  Lemma moves_in_step : forall c j before, asked c -> (j <= 6)%nat -> Z.of_nat before = occupied (c + (2 * K + 1 + j))%nat -> next c (2 * K + 1 + j) before.
  Proof.
    intros c j before A J E. pose proof A as (V & Y & _). right. pose proof (finishing c V Y j J) as F. pose proof (moving_most c (2 * K + 1 + j)) as MM. pose proof (moving_on c (2 * K + 1 + j)) as MO.
    set (t := (c + (2 * K + 1 + j))%nat) in *. destruct (cases t) as (KE & CS). pose proof (at_least t) as P0. pose proof (at_least (S t)) as P.
    assert (ES : (c + S (2 * K + 1 + j))%nat = S t) by (unfold t; lia). unfold is_after. rewrite ES. destruct (Nat.eq_dec j 6) as [-> | N].
    - destruct (H_ends t (in_control t) F) as [D OC]. rewrite <- KE in OC. split; [| lia]. split; [exact A |]. right. right. left. split; [exact D |]. split; [lia |]. split; [lia |].
      assert (EN : S t = ended c) by (unfold t, ended; lia). split; [| rewrite EN; repeat split; reflexivity]. rewrite MO.
      destruct (control t) as (_ & (_ & _ & OV & _) & ALONE & _). assert (1 <= flight t) as FL by (apply flight_least; right; right; right; right; right; right; exact F).
      destruct ALONE as [X | X]; [lia |]. destruct CS as [(V0 & -> & K0) | [(V0 & T0 & -> & K0) | (V0 & T0 & -> & K0)]]; lia.
    - destruct (H_steps t (Z.of_nat j) ltac:(lia) (in_control t) F) as [F' OC]. rewrite <- KE in OC. split; [| lia]. split; [exact A |]. right. left. exists (S j). split; [lia |]. split; [lia |]. lia.
  Qed.

  Lemma moves : forall c d before, is_after c d before -> next c d before.
  Proof.
    intros c d before [A [(D & E) | [(j & J & -> & E) | P]]]; [apply moves_on_bus; assumption | apply moves_in_step; assumption |].
    unfold next, is_after. pose proof (moving_on c d) as MO. cbv zeta in P |- *. set (t := (c + d)%nat) in *. assert (ES : (c + S d)%nat = S t) by (unfold t; lia). rewrite ES.
    destruct (cases t) as (KE & CS). pose proof (at_least t) as P0. pose proof (at_least (S t)) as P1. destruct (control t) as (_ & (_ & _ & OV & _) & ALONE & _).
    destruct P as [(DN & E & D & MV & SM) | (-> & [(SU & D & MV & SM & SI) | [(CA & D & MV & SI & CO) | (VA & D & PR)]])].
    - destruct (H_converts t (in_control t) DN) as (D' & S' & O' & OR). rewrite <- KE in O'. assert (F0 : flight t = 0) by (destruct ALONE as [X | X]; lia).
      right. assert (occupied t = 0 \/ occupied t = 1) as [O0 | O1] by lia.
      + split; [| lia]. split; [exact A |]. right. right. right. split; [lia |]. left. split; [lia |]. split; [lia |].
        split; [destruct CS as [(_ & W0 & _) | [(X & _) | (X & _)]]; [rewrite MO, W0; lia | lia | lia] |]. split; [exact (tail_stays c t F0 SM) | exact (summed_up c t A SM)].
      + split; [| lia]. split; [exact A |]. right. right. left. split; [lia |]. split; [lia |]. split; [lia |]. split; [| exact (tail_stays c t F0 SM)].
        rewrite MO. destruct CS as [(X & _) | [(_ & _ & -> & K1) | (_ & _ & -> & K0)]]; lia.
    - pose proof (H_carries_on t (in_control t) SU) as C'. destruct CS as [(_ & W0 & K0) | [(X & _) | (X & _)]]; [| lia | lia]. right. rewrite K0. split; [| lia].
      split; [exact A |]. right. right. right. split; [reflexivity |]. right. left. split; [exact C' |]. split; [lia |]. split; [rewrite MO, W0; lia |].
      pose proof (summed_up c t A SM) as SI'. split; [exact SI' | exact (looked_ahead c t SU SI SI')].
    - pose proof (H_responds t (in_control t) CA) as V'. destruct CS as [(_ & W0 & K0) | [(X & _) | (X & _)]]; [| lia | lia]. right. rewrite K0. split; [| lia].
      split; [exact A |]. right. right. right. split; [reflexivity |]. right. right. split; [exact V' |]. split; [lia |]. exact (answered c t A CA SI CO).
    - destruct CS as [(X & _) | [(_ & _ & _ & K1) | (_ & T0 & _ & K0)]]; [lia | left; split; [reflexivity | exact K1] |]. right. rewrite K0. split; [| lia].
      split; [exact A |]. right. right. right. split; [reflexivity |]. right. right. split; [exact (H_stays t VA T0) |]. split; [lia |].
      rewrite !H_answer in *. rewrite H_result_stays by lia. exact PR.
  Qed.

  Theorem contract : pipelined net (net "a_i") (net "b_i") n_of (net "p_o") (2 * K + 11) (2 * K + 11) (2 ^ (word * loops)) legal bounded bounded.
  Proof.
    apply (in_order _ _ _ _ _ _ _ _ _ _ _ (fun t => Z.to_nat (ways t)) is_after).
    - destruct (H_control_at_reset O eq_refl) as (_ & ->). reflexivity.
    - intros t. fold (k t). pose proof (H_balance t (in_control t)) as B. destruct (cases t) as (KE & _). rewrite <- KE in B. destruct (one_bit t) as ((Y & _ & _ & _ & Q) & _).
      destruct (control t) as (_ & (_ & W0 & _) & _). pose proof (at_least t). destruct (control (S t)) as (_ & (_ & W1 & _) & _). pose proof (at_least (S t)).
      unfold accepts. assert (ready t = 0 \/ ready t = 1) as [Y0 | Y0] by lia; assert (net "req_valid_i" t = 0 \/ net "req_valid_i" t = 1) as [Q0 | Q0] by lia; rewrite Y0, Q0 in *; cbn [Z.eqb Pos.eqb andb]; lia.
    - intros t V. destruct (control t) as (_ & (_ & W0 & OV & _) & _). pose proof (at_least t). lia.
    - intros t V T. split; [exact (H_stays t V T) |]. destruct (control t) as (_ & (_ & _ & OV & _) & _). pose proof (at_least t). rewrite !H_answer, H_result_stays by lia. reflexivity.
    - intros c V Y L A B. fold (k c). assert (AS : asked c) by (unfold asked; auto). split; [exact AS |]. left. split; [destruct numbers as (_ & _ & K3 & _); lia |]. rewrite Nat.add_1_r.
      pose proof (H_balance c (in_control c)) as E. destruct (cases c) as (KE & _). rewrite <- KE, V, Y in E. destruct (control c) as (_ & (_ & W0 & _) & _). pose proof (at_least c).
      pose proof (H_begins c (in_control c) Y V) as LB. destruct (control (S c)) as ((_ & _ & BS & _) & (_ & W1 & _) & _). pose proof (at_least (S c)). destruct numbers as (_ & _ & K3 & EC & _).
      rewrite LB in BS. destruct (Z.leb_spec (4 + 2 * idle) (((4 + 2 * idle) + 2 * loops) - 1)) as [_ | X]; [| lia]. lia.
    - exact moves.
    - intros c d [A P] V. cbv zeta in P. set (t := (c + d)%nat) in *. destruct (control t) as (_ & (_ & W0 & OV & _) & _). pose proof (at_least t).
      destruct P as [(D & E) | [(j & J & -> & E) | [(DN & E & _) | (_ & [(SU & _) | [(CA & _) | (VA & D & PR)]])]]]; [| lia | lia | lia | lia |].
      + destruct A as (V0 & Y & _). destruct (control t) as ((_ & _ & BS & _) & _). pose proof (left_is c V0 Y d D) as LF. fold t in LF. destruct numbers as (_ & _ & K3 & EC & _).
        rewrite LF in BS. destruct (Z.leb_spec (4 + 2 * idle) (((4 + 2 * idle) + 2 * loops) - Z.of_nat d)) as [_ | X]; lia.
      + split; [lia | exact PR].
    - intros c d before [A P] M0. cbv zeta in P. pose proof (moving_most c d).
      destruct P as [(D & E) | [(j & J & -> & E) | [(DN & E & _ & X & _) | (-> & [(SU & _ & X & _) | [(CA & _ & X & _) | (VA & D & PR)]])]]]; lia.
    - lia.
  Qed.
End Chain.
