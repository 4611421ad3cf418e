(* SPDX-License-Identifier: Apache-2.0 *)
(* mf_fios_dsp_par from the nets of the RTL to the contract, for every width and number of words: variant fast, three pipeline levels, a C register, a ring that
   divides the number of words and does not wait. The hypotheses are the lemmas that montforge prints into fios_dsp_lemmas.v, and proves on the RTL. *)
From Coq Require Import ZArith Lia String Bool.
Require Import DigitRecurrence Instances WordSerial Contract Control Bits Pipelined Buffered Ages FiosElement FiosControl FiosRing FiosOut FiosData FiosStream fios_dsp_lemmas.
Open Scope string_scope. Open Scope Z_scope.
Set Default Proof Using "All".

Lemma sizes_of : forall words count interval rounds, 6 <= words /\ 1 <= count <= words /\ 2 * words + 1 <= 9 * count /\
  9 * (words - count) + 2 * words + 1 <= interval /\ 9 * (words - 1) + 2 <= interval <= 9 * words + 1 -> words mod count = 0 -> rounds = words / count ->
  let s := Z.to_nat words in let l := Z.to_nat count in let I := Z.to_nat interval in let rounds := Z.to_nat rounds in
  (Z.of_nat s = words /\ Z.of_nat l = count /\ Z.of_nat I = interval) /\ (6 <= s)%nat /\ (1 <= l <= s)%nat /\ (2 * s + 1 <= 9 * l)%nat /\
    (9 * (s - l) + 2 * s + 1 <= I)%nat /\ (9 * (s - 1) + 2 <= I <= 9 * s + 1)%nat /\ (1 <= rounds)%nat /\ s = (l * rounds)%nat.
Proof.
  intros words count interval rounds H M Q s l I k. assert (S1 : words = Z.of_nat s) by (unfold s; lia). assert (S2 : count = Z.of_nat l) by (unfold l; lia).
  assert (S3 : interval = Z.of_nat I) by (unfold I; lia). assert (D : words = count * rounds) by (rewrite Q; pose proof (Z.div_mod words count ltac:(lia)); lia).
  assert (P : 0 < rounds) by (rewrite Q; apply Z.div_str_pos; lia). assert (S4 : rounds = Z.of_nat k) by (unfold k; lia). clearbody s l I k. clear M Q. subst. rewrite <- Nat2Z.inj_mul in D. lia.
Qed.

Section Chain.
  Variables (K : nat) (results word interval words count total_bits : Z) (net : trace) (n : nat -> Z).
  Let W := Z.of_nat K.
  Local Notation on lemma := (lemma W results word interval words count total_bits net).
  Hypotheses (wide : (1 <= K)%nat /\ 2 <= results <= interval /\ 6 <= words /\ 1 <= count <= words /\ 2 * words + 1 <= 9 * count /\
      9 * (words - count) + 2 * words + 1 <= interval /\ 9 * (words - 1) + 2 <= interval <= 9 * words + 1 /\ 1 <= word /\ W + 2 <= words * word /\ 2 * word + 1 <= total_bits)
    (H_ranges : on ranges) (H_requests : on requests) (H_bounded : on bounded) (H_readies : on readies) (H_waits : on waits_between) (H_reset : on at_reset) (H_sequence : on sequence)
    (H_x : on words_of_x) (H_x_enables : on x_enables) (H_x_reset : on x_at_reset) (H_x_loads : on x_loads) (H_x_moves : on x_moves) (H_x_stays : on x_stays) (H_x_word : on x_word)
    (H_y_enables : on y_enables) (H_y_reset : on y_at_reset) (H_y_loads : on y_loads) (H_y_moves : on y_moves) (H_y_stays : on y_stays) (H_y_word : on y_word)
    (H_n_enables : on n_enables) (H_n_reset : on n_at_reset) (H_n_loads : on n_loads) (H_n_moves : on n_moves) (H_n_stays : on n_stays) (H_n_word : on n_word)
    (H_first : on enters_first) (H_enters : on enters) (H_line : on line) (H_line_reset : on line_at_reset) (H_words : on word_line) (H_issue : on issue) (H_choices : on choices) (H_outcomes : on outcomes)
    (H_registers : on registers) (H_queues : on queues) (H_factors : on factors) (H_addends : on addends) (H_multiplies : on multiplies) (H_has_no_product : on has_no_product)
    (H_sums : on sums) (H_totals : on totals) (H_out : on words_out) (H_stored : on stored) (H_answers : on answers)
    (H_buffer : on buffer).

  Let s := Z.to_nat words.
  Let l := Z.to_nat count.
  Let I := Z.to_nat interval.
  Let rounds := Z.to_nat (words / count).
  Let r := 2 ^ word.
  Let time := (11 * s - 1)%nat.
  Let accept := net "u_core.u_sequencer.accept".
  Let acc (t : nat) : bool := accept t =? 1.
  Local Notation old := (age acc (9 * s)).
  Local Notation ready := (net "u_core.u_sequencer.ready_q").

  Lemma sizes : (Z.of_nat s = words /\ Z.of_nat l = count /\ Z.of_nat I = interval) /\ (6 <= s)%nat /\ (1 <= l <= s)%nat /\ (2 * s + 1 <= 9 * l)%nat /\
    (9 * (s - l) + 2 * s + 1 <= I)%nat /\ (9 * (s - 1) + 2 <= I <= 9 * s + 1)%nat /\ (1 <= rounds)%nat /\ s = (l * rounds)%nat.
  Proof. destruct (H_first O) as (M & _). refine (sizes_of words count interval (words / count) _ M eq_refl). clear - wide. lia. Qed.

  Lemma ring_sizes : (6 <= s)%nat /\ (1 <= l <= s)%nat /\ (2 * s + 1 <= 9 * l)%nat /\ (9 * (s - l) + 2 * s + 1 <= I)%nat /\ (9 * (s - 1) + 2 <= I <= 9 * s + 1)%nat /\ (1 <= rounds)%nat /\ s = (l * rounds)%nat.
  Proof. apply sizes. Qed.

  Lemma control_sizes : (6 <= s)%nat /\ (1 <= l <= s)%nat /\ (2 * s + 1 <= 9 * l)%nat /\ (9 * (s - l) + 2 * s + 1 <= I)%nat /\ (9 * (s - 1) + 2 <= I <= 9 * s + 1)%nat.
  Proof. destruct ring_sizes as (A1 & A2 & A3 & A4 & A5 & _). auto. Qed.

  Lemma words_is : Z.of_nat s = words. Proof. apply sizes. Qed.
  Lemma count_is : Z.of_nat l = count. Proof. apply sizes. Qed.
  Lemma interval_is : Z.of_nat I = interval. Proof. apply sizes. Qed.

  Lemma inside : forall e, (e < l)%nat -> 0 <= Z.of_nat e < count.
  Proof. intros e E. rewrite <- count_is. clear - E. lia. Qed.

  Lemma last_element : count - 1 = Z.of_nat (l - 1).
  Proof. rewrite <- count_is. destruct ring_sizes as (_ & L & _). clear - L. lia. Qed.

  Lemma powers : 2 <= r /\ 2 ^ (2 * word) = r * r /\ 2 ^ (2 * word + 1) = 2 * (r * r) /\ forall k : nat, pw r k = 2 ^ (Z.of_nat k * word).
  Proof.
    assert (WP : 1 <= word) by (clear - wide; lia). unfold r. clear - WP. pose proof (Z.pow_le_mono_r 2 1 word ltac:(lia) ltac:(lia)) as B. change (2 ^ 1) with 2 in B.
    replace (2 * word) with (word + word) by lia. rewrite !Z.pow_add_r by lia. repeat split; [exact B | change (2 ^ 1) with 2; lia |]. intros k. apply pw_words. lia.
  Qed.

  (* ---------------------------------------------------------------- control *)
  Lemma bits_are : forall t, 0 <= net "rsp_ready_i" t < 2 /\ 0 <= ready t < 2 /\ 0 <= net "u_core.u_sequencer.wait_q" t.
  Proof. intros t. destruct (H_bounded t) as (A1 & A2 & _ & _ & _ & _ & A3 & A4 & A5 & _). auto. Qed.

  Lemma busy_is : forall t, net "u_core.u_sequencer.busy_q" t = 1 - ready t.
  Proof. induction t as [| t IH]; [destruct (H_reset O eq_refl) as (-> & -> & _); reflexivity | apply (H_readies t IH)]. Qed.

  Lemma ready_is : forall t, net "req_ready_o" t = ready t.
  Proof. intros t. destruct (H_requests t) as (-> & _). rewrite busy_is. lia. Qed.

  Lemma accepts_is : forall t, accepts net t = acc t.
  Proof. intros t. destruct (H_requests t) as (_ & A & _). unfold accepts, acc, accept. rewrite ready_is, A. destruct (net "req_valid_i" t =? 1); reflexivity. Qed.

  Lemma accept_ready : forall t, accept t = 1 -> ready t = 1.
  Proof. intros t A. assert (E : acc t = true) by (unfold acc; rewrite A; reflexivity). rewrite <- accepts_is in E. unfold accepts in E. rewrite ready_is in E. apply andb_prop in E. apply Z.eqb_eq, E. Qed.

  Lemma ready_next : forall t, ready (S t) = if net "room_q" t =? 1 then if net "u_core.u_sequencer.waited_q" t =? 1 then if accept t =? 1 then 0 else 1 else 0 else 0.
  Proof. intros t. apply (H_readies t (busy_is t)). Qed.

  Lemma reset_is : ready O = 1 /\ net "u_core.u_sequencer.waited_q" O = 1 /\ net "u_core.u_sequencer.step_q" O = 15.
  Proof. destruct (H_reset O eq_refl) as (A1 & _ & A2 & _ & A3 & _). auto. Qed.

  Lemma wait_next : forall t, net "u_core.u_sequencer.waited_q" t = 1 -> net "u_core.u_sequencer.wait_q" (S t) = Z.of_nat I - 3.
  Proof. intros t E. rewrite interval_is. destruct (H_waits t) as (_ & F & _). rewrite E in F. exact F. Qed.

  Lemma wait_counts : forall t, net "u_core.u_sequencer.waited_q" t <> 1 -> net "u_core.u_sequencer.wait_q" t <> 0 -> net "u_core.u_sequencer.wait_q" (S t) = net "u_core.u_sequencer.wait_q" t - 1.
  Proof. intros t E F. destruct (H_waits t) as (_ & G & _). apply Z.eqb_neq in E. apply Z.eqb_neq in F. rewrite E, F in G. exact G. Qed.

  Let waits_facts := waits_are s l I control_sizes accept (net "room_q") ready (net "u_core.u_sequencer.waited_q") (net "u_core.u_sequencer.wait_q") (net "u_core.u_sequencer.step_q") (net "u_core.u_sequencer.pairs_q")
    reset_is (fun t => proj2 (proj2 (bits_are t))) accept_ready ready_next (fun t => proj1 (H_waits t)) wait_next wait_counts.

  Lemma spaced : forall t, acc t = true -> (I <= S (old t))%nat.
  Proof. intros t A. apply waits_facts, accept_ready, Z.eqb_eq, A. Qed.

  Lemma not_ready : forall t, (S (old t) < I)%nat -> ready t = 0.
  Proof. exact (not_ready s l I control_sizes accept (net "room_q") ready (net "u_core.u_sequencer.waited_q") (net "u_core.u_sequencer.wait_q") (net "u_core.u_sequencer.step_q") (net "u_core.u_sequencer.pairs_q")
    reset_is (fun t => proj2 (proj2 (bits_are t))) accept_ready ready_next (fun t => proj1 (H_waits t)) wait_next wait_counts). Qed.

  Lemma steps_are : forall t, net "u_core.u_sequencer.step_q" t = prog s (old t).
  Proof.
    intros t. refine (proj1 (steps_are s l I control_sizes accept (net "room_q") ready (net "u_core.u_sequencer.waited_q") (net "u_core.u_sequencer.wait_q") (net "u_core.u_sequencer.step_q") (net "u_core.u_sequencer.pairs_q")
      reset_is (fun t => proj2 (proj2 (bits_are t))) accept_ready ready_next (fun t => proj1 (H_waits t)) wait_next wait_counts _ _ t)).
    - intros u. rewrite words_is. apply (H_sequence u).
    - intros u. rewrite words_is. apply (H_sequence u).
  Qed.

  Lemma valid_is : forall t, net "u_core.u_sequencer.step_valid_q" t = if (old t <=? 2 * s)%nat then 1 else 0.
  Proof.
    destruct ring_sizes as (S6 & _). intros [| t].
    - destruct (H_reset O eq_refl) as (_ & _ & _ & _ & _ & -> & _). cbn [age]. destruct (Nat.leb_spec (9 * s) (2 * s)); [clear - H S6; lia | reflexivity].
    - destruct (H_sequence t) as (_ & -> & _). rewrite steps_are. destruct (Nat.leb_spec (old (S t)) (2 * s)) as [L | L].
      + pose proof (proj2 (prog_busy s S6 (old (S t))) L) as N. apply Z.eqb_neq in N. rewrite N. reflexivity.
      + rewrite prog_idle by assumption. reflexivity.
  Qed.

  Lemma x_resets : net "u_core.u_sequencer.accepted_q" O = 0 /\ net "u_core.u_sequencer.x_left_q" O = 0.
  Proof. destruct (H_reset O eq_refl) as (_ & _ & _ & A1 & _ & _ & _ & A2 & _). auto. Qed.

  Lemma accepted_next : forall t, net "u_core.u_sequencer.accepted_q" (S t) = accept t.
  Proof. intros t. apply (H_waits t). Qed.

  Lemma x_next_when : forall t, net "u_core.u_sequencer.x_next_q" (S t) = if (old t mod 9 =? 0)%nat && (old t <=? 9 * (s - 1))%nat then 1 else 0.
  Proof.
    intros t. refine (x_next_when s l I control_sizes accept (net "room_q") ready (net "u_core.u_sequencer.waited_q") (net "u_core.u_sequencer.wait_q") (net "u_core.u_sequencer.step_q") (net "u_core.u_sequencer.pairs_q")
      reset_is (fun t => proj2 (proj2 (bits_are t))) accept_ready ready_next (fun t => proj1 (H_waits t)) wait_next wait_counts _ _ (net "u_core.u_sequencer.accepted_q") (net "u_core.u_sequencer.x_left_q")
      (net "u_core.u_sequencer.x_wait_q") (net "u_core.u_sequencer.x_next_q") (net "u_core.u_sequencer.x_last_q") (net "u_core.u_sequencer.x_was_last_q") x_resets accepted_next _ _ _ _ _ t);
      intros u; rewrite ?words_is; try apply (H_sequence u); apply (H_x u).
  Qed.

  Lemma last_word : forall c i, acc c = true -> (i < s)%nat -> net "u_core.u_sequencer.x_was_last_q" (c + 3 + 9 * i)%nat = if (i =? s - 1)%nat then 1 else 0.
  Proof.
    refine (last_word s l I control_sizes accept (net "room_q") ready (net "u_core.u_sequencer.waited_q") (net "u_core.u_sequencer.wait_q") (net "u_core.u_sequencer.step_q") (net "u_core.u_sequencer.pairs_q")
      reset_is (fun t => proj2 (proj2 (bits_are t))) accept_ready ready_next (fun t => proj1 (H_waits t)) wait_next wait_counts _ _ (net "u_core.u_sequencer.accepted_q") (net "u_core.u_sequencer.x_left_q")
      (net "u_core.u_sequencer.x_wait_q") (net "u_core.u_sequencer.x_next_q") (net "u_core.u_sequencer.x_last_q") (net "u_core.u_sequencer.x_was_last_q") x_resets accepted_next _ _ _ _ _);
      intros u; rewrite ?words_is; try apply (H_sequence u); apply (H_x u).
  Qed.

  (* ---------------------------------------------------------------- steps of the elements *)
  Let st (j t e : nat) : Z := match j with
    | 0%nat => part (net "u_core.gen_elements[0..].u_element.step0_q" t) (Z.of_nat e * 4) 4
    | 1%nat => part (net "u_core.gen_elements[0..].u_element.step1_q" t) (Z.of_nat e * 4) 4
    | _ => part (net "u_core.gen_elements[0..].u_element.step2_q" t) (Z.of_nat e * 4) 4 end.
  Let sent (j t e : nat) : Z := match j with
    | 0%nat => part (net "u_core.gen_elements[0..].u_element.gen_steps.steps_q" t) (Z.of_nat e * 24) 4
    | S _ => part (net "u_core.gen_elements[0..].u_element.gen_steps.steps_q" t) (Z.of_nat e * 24 + 4 * Z.of_nat j) 4 end.
  Let last (t e : nat) : Z := part (net "u_core.gen_elements[0..].u_element.last_q" t) (Z.of_nat e) 1.
  Let load_x (t e : nat) : Z := part (net "u_core.gen_elements[0..].u_element.load_x_q" t) (Z.of_nat e) 1.
  Let first (j t e : nat) : Z := match j with 0%nat => part (net "u_core.gen_elements[0..].u_element.first0_q" t) (Z.of_nat e) 1 | _ => part (net "u_core.gen_elements[0..].u_element.first1_q" t) (Z.of_nat e) 1 end.
  Let w (t e : nat) : Z := part (net "u_core.gen_elements[0..].u_element.word_q" t) (Z.of_nat e * word) word.
  Let line (j t e : nat) : Z := match j with
    | 0%nat => part (net "u_core.gen_elements[0..].u_element.u_words.gen_registers.line_q" t) (Z.of_nat e * (8 * word)) word
    | S _ => part (net "u_core.gen_elements[0..].u_element.u_words.gen_registers.line_q" t) (Z.of_nat e * (8 * word) + Z.of_nat j * word) word end.
  Let pin (t e : nat) : Z := part (net "u_core.gen_elements[0..].u_element.pin_i" t) (Z.of_nat e * word) word.
  Let out (t e : nat) : Z := part (net "u_core.gen_elements[0..].u_element.pin_o" t) (Z.of_nat e * word) word.

  Lemma from_last : forall t, st 0 (S t) O = (if net "u_core.u_sequencer.step_valid_q" t =? 1 then net "u_core.u_sequencer.step_q" t else sent 5 t (l - 1)%nat) /\
    first 0 (S t) O = net "u_core.u_sequencer.step_valid_q" t /\
    w (S t) O = (if part (net "u_core.u_sequencer.valid_q" t) 1 1 =? 1 then net "u_core.u_sequencer.late_word_q" t else line 7 t (l - 1)%nat) /\ pin t O = out t (l - 1)%nat.
  Proof.
    intros t. destruct (H_first t) as (_ & A1 & A2 & A3 & A4). rewrite last_element in *. unfold st, sent, first, w, line, pin, out. replace (8 * word - word) with (7 * word) in A3 by (clear; lia).
    split; [exact A1 |]. split; [exact A2 |]. split; [exact A3 | exact A4].
  Qed.

  Lemma from_before : forall t e, (S e < l)%nat -> st 0 (S t) (S e) = sent 5 t e /\ first 0 (S t) (S e) = 0 /\ w (S t) (S e) = line 7 t e /\ pin t (S e) = out t e.
  Proof.
    intros t e E. assert (R : 0 <= Z.of_nat e < count - 1) by (rewrite <- count_is; clear - E; lia). destruct (H_enters t (Z.of_nat e) R) as (A1 & A2 & A3 & A4).
    unfold st, sent, first, w, line, pin, out. replace (Z.of_nat (S e)) with (Z.of_nat e + 1) by (clear; lia). replace (8 * word - word) with (7 * word) in A3 by (clear; lia). auto.
  Qed.

  Lemma moves_on : forall t e, (e < l)%nat -> (st 1 (S t) e = st 0 t e /\ st 2 (S t) e = st 1 t e) /\ first 1 (S t) e = first 0 t e /\ sent O (S t) e = (if last t e =? 1 then 15 else st 2 t e) /\
    forall j, (j < 5)%nat -> sent (S j) (S t) e = sent j t e.
  Proof.
    intros t e E. destruct (H_line t _ (inside e E)) as (A1 & A2 & A3 & A4 & B1 & B2 & B3 & B4 & B5). split; [split; assumption |]. split; [exact A3 |]. split; [exact A4 |].
    intros j J. do 5 (destruct j as [| j]; [assumption |]). clear - J. lia.
  Qed.

  Lemma element_reset : forall e, (e < l)%nat -> (forall j, (j <= 2)%nat -> st j O e = 15) /\ forall j, (j <= 5)%nat -> sent j O e = 15.
  Proof.
    intros e E. destruct (H_line_reset O _ (inside e E) eq_refl) as (A0 & A1 & A2 & B0 & B1 & B2 & B3 & B4 & B5). split; intros j J.
    - do 3 (destruct j as [| j]; [assumption |]). clear - J. lia.
    - do 6 (destruct j as [| j]; [assumption |]). clear - J. lia.
  Qed.

  Lemma load_next : forall t e, (e < l)%nat -> load_x (S t) e = if st 0 t e =? 0 then 1 else 0.
  Proof. intros t e E. destruct (H_issue t _ (inside e E)) as (_ & _ & _ & A). exact A. Qed.

  Lemma last_next : forall t e, (e < l)%nat -> last (S t) e = if load_x t e =? 1 then net "u_core.u_sequencer.x_was_last_q" t else last t e.
  Proof. intros t e E. destruct (H_registers t _ (inside e E)) as (_ & A & _). exact A. Qed.

  Lemma ring : forall t e, (e < l)%nat -> st 2 t e = issued s l (age_before acc (9 * s) (3 + 9 * e) t) e /\
    (st 2 t e <> 15 -> last t e = if (row l (age_before acc (9 * s) (3 + 9 * e) t) e =? s - 1)%nat then 1 else 0).
  Proof.
    refine (ring s l I rounds ring_sizes acc (net "u_core.u_sequencer.step_q") (net "u_core.u_sequencer.step_valid_q") (net "u_core.u_sequencer.x_was_last_q") st sent last load_x spaced steps_are last_word _ _
      element_reset _ _ _ _ _ load_next last_next).
    - destruct (H_reset O eq_refl) as (_ & _ & _ & _ & _ & A & _). exact A.
    - intros t. destruct (H_sequence t) as (_ & A & _). exact A.
    - intros t. apply (from_last t).
    - intros t e E. apply (from_before t e E).
    - intros t e E. apply (moves_on t e E).
    - intros t e E. apply (moves_on t e E).
    - intros t e j E J. apply (moves_on t e E), J.
  Qed.

  (* ---------------------------------------------------------------- data of the elements *)
  (* the accumulator, and what an element takes of it *)
  Let p (t e : nat) : Z := mac_total W results word interval words count total_bits (Z.of_nat e) net t.
  Let seen (t e : nat) : Z := part (net "u_core.gen_elements[0..].u_element.p" t) (Z.of_nat e * (2 * word + 1)) (2 * word + 1).
  Let a (t e : nat) : Z := part (net "u_core.gen_elements[0..].u_element.a" t) (Z.of_nat e * word) word.
  Let x (t e : nat) : Z := part (net "u_core.gen_elements[0..].u_element.x_q" t) (Z.of_nat e * word) word.
  Let m (t e : nat) : Z := part (net "u_core.gen_elements[0..].u_element.m_q" t) (Z.of_nat e * word) word.
  Let top (t e : nat) : Z := part (net "u_core.gen_elements[0..].u_element.gen_top.top_q" t) (Z.of_nat e * word) word.
  Let c (t e : nat) : Z := part (net "u_core.gen_elements[0..].u_element.c" t) (Z.of_nat e * (2 * word)) (2 * word).
  Let q1 (t e : nat) : Z := part (net "u_core.gen_elements[0..].u_element.pin_q" t) (Z.of_nat e * (2 * word)) word.
  Let q2 (t e : nat) : Z := part (net "u_core.gen_elements[0..].u_element.pin_q" t) (Z.of_nat e * (2 * word) + word) word.
  Let s1 (t e : nat) : Z := part (net "u_core.gen_elements[0..].u_element.gen_save_queue.save_q" t) (Z.of_nat e * (3 * (2 * word))) (2 * word).
  Let s2 (t e : nat) : Z := part (net "u_core.gen_elements[0..].u_element.gen_save_queue.save_q" t) (Z.of_nat e * (3 * (2 * word)) + 2 * word) (2 * word).
  Let s3 (t e : nat) : Z := part (net "u_core.gen_elements[0..].u_element.gen_save_queue.save_q" t) (Z.of_nat e * (3 * (2 * word)) + 2 * (2 * word)) (2 * word).
  Let c_line (t e : nat) (low bits : Z) : Z := part (net "u_core.gen_elements[0..].u_element.gen_c_control.u_c_control.gen_registers.line_q" t) (Z.of_nat e * 8 + low) bits.
  Let out_line (t e : nat) (low : Z) : Z := part (net "u_core.gen_elements[0..].u_element.u_result_control.gen_registers.line_q" t) (Z.of_nat e * 6 + low) 1.
  Let top_goes (t e : nat) : Z := part (net "u_core.gen_elements[0..].u_element.gen_top.u_top_control.gen_registers.line_q" t) (Z.of_nat e * 2 + 1) 1.
  Let op (t e : nat) : Z := part (net "u_core.gen_elements[0..].u_element.op_q" t) (Z.of_nat e * 4) 4.
  Let source (t e : nat) : Z := part (net "u_core.gen_elements[0..].u_element.a_source_q" t) (Z.of_nat e * 2) 2.
  Let load_m (t e : nat) : Z := part (net "u_core.gen_elements[0..].u_element.load_m_q" t) (Z.of_nat e) 1.

  Lemma issued_next : forall t e, (e < l)%nat -> op (S t) e = (if first 1 t e =? 1 then first_op_of (st 1 t e) else op_of (st 1 t e)) /\ source (S t) e = source_of (st 1 t e) /\
    load_m (S t) e = (if st 1 t e =? 6 then 1 else 0).
  Proof. intros t e E. destruct (H_issue t _ (inside e E)) as (A1 & A2 & A3 & _). split; [exact A1 |]. split; [exact A2 | exact A3]. Qed.

  Lemma c_control : forall t e, (e < l)%nat -> c_line (S (S t)) e 4 1 = pin_shift (st 1 t e) /\ c_line (S (S t)) e 5 1 = 0 /\ c_line (S (S t)) e 6 2 = c_of (st 1 t e).
  Proof.
    intros t e E. destruct (H_choices t _ (inside e E)) as (A1 & A2 & A3 & _). destruct (H_choices (S t) _ (inside e E)) as (_ & _ & _ & B1 & B2 & B3).
    split; [etransitivity; [exact B1 | exact A1] |]. split; [etransitivity; [exact B2 | exact A2] | etransitivity; [exact B3 | exact A3]].
  Qed.

  Lemma out_control : forall t e, (e < l)%nat -> out_line (t + 3)%nat e 4 = is_top (st 2 t e) /\ out_line (t + 3)%nat e 5 = save_shift (st 2 t e) /\ top_goes (t + 5)%nat e = is_top (st 2 t e).
  Proof.
    intros t e E. rewrite !(Nat.add_comm t). cbn [Nat.add]. destruct (H_outcomes t _ (inside e E)) as (A1 & A2 & _). destruct (H_outcomes (S t) _ (inside e E)) as (_ & _ & B1 & B2 & _).
    destruct (H_outcomes (S (S t)) _ (inside e E)) as (_ & _ & _ & _ & C1 & C2 & _). destruct (H_outcomes (S (S (S t))) _ (inside e E)) as (_ & _ & _ & _ & _ & _ & D1 & _).
    destruct (H_outcomes (S (S (S (S t)))) _ (inside e E)) as (_ & _ & _ & _ & _ & _ & _ & F1).
    assert (G : out_line (S (S (S t))) e 4 = is_top (st 2 t e)) by (etransitivity; [exact C1 |]; etransitivity; [exact B1 | exact A1]).
    split; [exact G |]. split; [etransitivity; [exact C2 |]; etransitivity; [exact B2 | exact A2] |]. etransitivity; [exact F1 |]. etransitivity; [exact D1 | exact G].
  Qed.

  Lemma seen_is : forall t e, (e < l)%nat -> seen t e mod r = p t e mod r /\ seen t e mod (r * r) = p t e mod (r * r) /\ (seen t e / r) mod r = (p t e / r) mod r.
  Proof.
    intros t e E. destruct (H_totals t _ (inside e E)) as (A & _). change (seen t e = p t e mod 2 ^ (2 * word + 1)) in A. destruct powers as (P1 & _ & P3 & _). rewrite P3 in A. rewrite A. set (q := p t e). clearbody q. clear - P1.
    rewrite (Z.mod_eq q) by nia. set (k := q / (2 * (r * r))). replace (q - 2 * (r * r) * k) with (q + - (2 * r * k) * r) by ring. split; [apply Z_mod_plus_full |]. split.
    - replace (q + - (2 * r * k) * r) with (q + - (2 * k) * (r * r)) by ring. apply Z_mod_plus_full.
    - rewrite Z.div_add by lia. replace (q / r + - (2 * r * k)) with (q / r + - (2 * k) * r) by ring. apply Z_mod_plus_full.
  Qed.

  Lemma step_2 : forall t e, (e < l)%nat -> st 2 (S t) e = st 1 t e.
  Proof. intros t e E. apply (moves_on t e E). Qed.

  Lemma a_is : forall u e, (1 <= u)%nat -> (e < l)%nat -> a u e = if source_of (st 2 u e) =? 1 then p u e mod r else if source_of (st 2 u e) =? 2 then m u e else x u e.
  Proof.
    intros [| u] e U E; [clear - U; lia |]. rewrite step_2 by exact E. destruct (issued_next u e E) as (_ & <- & _). destruct (H_registers (S u) _ (inside e E)) as (_ & _ & _ & _ & _ & A).
    destruct (seen_is (S u) e E) as (<- & _). exact A.
  Qed.

  Lemma m_next : forall u e, (1 <= u)%nat -> (e < l)%nat -> m (u + 1)%nat e = if st 2 u e =? 6 then p u e mod r else m u e.
  Proof.
    intros [| u] e U E; [clear - U; lia |]. rewrite Nat.add_1_r, step_2 by exact E. destruct (issued_next u e E) as (_ & _ & L). destruct (H_registers (S u) _ (inside e E)) as (_ & _ & A & _).
    change (m (S (S u)) e = if load_m (S u) e =? 1 then seen (S u) e mod r else m (S u) e) in A. destruct (seen_is (S u) e E) as (<- & _). rewrite A, L. destruct (st 1 u e =? 6); reflexivity.
  Qed.

  Lemma queues_next : forall t e, (e < l)%nat -> q1 (S t) e = (if c_line t e 4 1 =? 1 then pin t e else q1 t e) /\ q2 (S t) e = (if c_line t e 4 1 =? 1 then q1 t e else q2 t e) /\
    s1 (S t) e = (if out_line t e 5 =? 1 then p t e mod (r * r) else s1 t e) /\ s2 (S t) e = (if out_line t e 5 =? 1 then s1 t e else s2 t e) /\ s3 (S t) e = (if out_line t e 5 =? 1 then s2 t e else s3 t e) /\
    c t e = if c_line t e 6 2 =? 0 then pin t e else if c_line t e 6 2 =? 3 then if c_line t e 5 1 =? 1 then s2 t e else s3 t e else if c_line t e 6 2 =? 1 then q1 t e else q2 t e.
  Proof.
    intros t e E. destruct (H_queues t _ (inside e E)) as (A1 & A2 & A3 & A4 & A5 & A6). rewrite !Z.mul_1_l in *. destruct powers as (_ & P2 & _). rewrite P2 in A3.
    destruct (seen_is t e E) as (_ & <- & _). split; [exact A1 |]. split; [exact A2 |]. split; [exact A3 |]. split; [exact A4 |]. split; [exact A5 | exact A6].
  Qed.

  Lemma q_next : forall u e, (1 <= u)%nat -> (e < l)%nat -> q1 (u + 2)%nat e = (if pin_shift (st 2 u e) =? 1 then pin (u + 1)%nat e else q1 (u + 1)%nat e) /\
    q2 (u + 2)%nat e = if pin_shift (st 2 u e) =? 1 then q1 (u + 1)%nat e else q2 (u + 1)%nat e.
  Proof.
    intros [| u] e U E; [clear - U; lia |]. rewrite !(Nat.add_comm (S u)), step_2 by exact E. cbn [Nat.add]. destruct (c_control u e E) as (<- & _). destruct (queues_next (S (S u)) e E) as (A1 & A2 & _). auto.
  Qed.

  Lemma c_is : forall u e, (1 <= u)%nat -> (e < l)%nat -> c (u + 1)%nat e = if c_of (st 2 u e) =? 0 then pin (u + 1)%nat e else if c_of (st 2 u e) =? 3 then s3 (u + 1)%nat e else
    if c_of (st 2 u e) =? 1 then q1 (u + 1)%nat e else q2 (u + 1)%nat e.
  Proof.
    intros [| u] e U E; [clear - U; lia |]. rewrite !Nat.add_1_r, step_2 by exact E. destruct (c_control u e E) as (_ & C0 & <-). destruct (queues_next (S (S u)) e E) as (_ & _ & _ & _ & _ & A). rewrite C0 in A. exact A.
  Qed.

  Lemma s_next : forall u e, (1 <= u)%nat -> (e < l)%nat -> s1 (u + 4)%nat e = (if save_shift (st 2 u e) =? 1 then p (u + 3)%nat e mod (r * r) else s1 (u + 3)%nat e) /\
    s2 (u + 4)%nat e = (if save_shift (st 2 u e) =? 1 then s1 (u + 3)%nat e else s2 (u + 3)%nat e) /\ s3 (u + 4)%nat e = (if save_shift (st 2 u e) =? 1 then s2 (u + 3)%nat e else s3 (u + 3)%nat e).
  Proof.
    intros u e U E. destruct (out_control u e E) as (_ & <- & _). destruct (queues_next (u + 3) e E) as (_ & _ & A1 & A2 & A3 & _). replace (u + 4)%nat with (S (u + 3)) by (clear; lia). auto.
  Qed.

  Lemma top_next : forall u e, (1 <= u)%nat -> (e < l)%nat -> top (u + 4)%nat e = if is_top (st 2 u e) =? 1 then (p (u + 3)%nat e / r) mod r else top (u + 3)%nat e.
  Proof.
    intros u e U E. destruct (out_control u e E) as (<- & _). destruct (H_registers (u + 3)%nat _ (inside e E)) as (_ & _ & _ & A & _). replace (u + 4)%nat with (S (u + 3)) by (clear; lia).
    destruct (seen_is (u + 3)%nat e E) as (_ & _ & <-). exact A.
  Qed.

  Lemma out_is : forall u e, (1 <= u)%nat -> (e < l)%nat -> out (u + 5)%nat e = if is_top (st 2 u e) =? 1 then top (u + 5)%nat e else p (u + 5)%nat e mod r.
  Proof. intros u e U E. destruct (out_control u e E) as (_ & _ & <-). destruct (H_registers (u + 5)%nat _ (inside e E)) as (_ & _ & _ & _ & A & _).
    destruct (seen_is (u + 5)%nat e E) as (<- & _). exact A. Qed.

  Lemma operation_is : forall v, op_of v / 4 = 0 \/ op_of v / 4 = 1 \/ op_of v / 4 = 2.
  Proof. intros v. unfold op_of. repeat (destruct (v =? _); [cbv; auto |]). cbv. auto. Qed.

  Lemma first_operation_is : forall v, first_op_of v / 4 = 0 \/ first_op_of v / 4 = 1 \/ first_op_of v / 4 = 2.
  Proof. intros v. unfold first_op_of. repeat (destruct (v =? _); [cbv; auto |]). cbv. auto. Qed.

  Lemma p_next : forall u e, (1 <= u)%nat -> (e < l)%nat -> let o := if first 1 (u - 1)%nat e =? 1 then first_op_of (st 2 u e) else op_of (st 2 u e) in
    (o / 4 = 2 -> p (u + 2)%nat e < 2 * (r * r)) ->
    p (u + 3)%nat e = ((if o / 4 =? 1 then p (u + 2)%nat e else if o / 4 =? 2 then p (u + 2)%nat e / r else 0) + (if o / 2 mod 2 =? 1 then c (u + 1)%nat e else 0) +
      (if o mod 2 =? 1 then a u e * w u e else 0)) mod 2 ^ total_bits.
  Proof.
    intros [| u] e U E; [clear - U; lia |]. rewrite !(Nat.add_comm (S u)), step_2 by exact E. cbn [Nat.add]. rewrite Nat.sub_succ, Nat.sub_0_r. cbv zeta. destruct (issued_next u e E) as (OE & _).
    assert (V : op (S u) e / 4 = 0 \/ op (S u) e / 4 = 1 \/ op (S u) e / 4 = 2) by (rewrite OE; destruct (first 1 u e =? 1); [apply first_operation_is | apply operation_is]).
    rewrite <- OE. clear OE. intros SM. destruct (H_factors (S u) _ (inside e E)) as (A1 & A2 & A3 & A4). change (mac_factor W results word interval words count total_bits (Z.of_nat e) net (S (S u)) = if op (S u) e mod 2 =? 1 then a (S u) e else 0) in A3.
    change (mac_other W results word interval words count total_bits (Z.of_nat e) net (S (S u)) = w (S u) e) in A4. rewrite <- A1 in A2. change (mac_op W results word interval words count total_bits (Z.of_nat e) net (S (S u)) = op (S u) e) in A1.
    assert (W0 : 0 <= word) by (clear - wide; lia).
    pose proof (part_range (net "u_core.gen_elements[0..].u_element.a" (S u)) (Z.of_nat e * word) word W0) as RA. change (0 <= a (S u) e < r) in RA.
    pose proof (part_range (net "u_core.gen_elements[0..].u_element.word_q" (S u)) (Z.of_nat e * word) word W0) as RW. change (0 <= w (S u) e < r) in RW. destruct powers as (P1 & P2 & P3 & _).
    destruct (H_addends (S (S u)) _ (inside e E) A2) as (B1 & B2). rewrite A1 in B1, B2.
    assert (FR : mac_factor W results word interval words count total_bits (Z.of_nat e) net (S (S u)) < r) by (rewrite A3; destruct (op (S u) e mod 2 =? 1); [apply RA | clear - P1; lia]).
    assert (OR : mac_other W results word interval words count total_bits (Z.of_nat e) net (S (S u)) < r) by (rewrite A4; apply RW).
    assert (B3 : mac_product W results word interval words count total_bits (Z.of_nat e) net (S (S (S u))) = (if op (S u) e mod 2 =? 1 then a (S u) e else 0) * w (S u) e).
    { destruct (Z.eqb_spec (op (S u) e mod 2) 1) as [O | O]; rewrite <- A1 in O.
      - rewrite (H_multiplies (S (S u)) _ (inside e E) O FR OR), A3, A4. reflexivity.
      - pose proof (Z.mod_pos_bound (mac_op W results word interval words count total_bits (Z.of_nat e) net (S (S u))) 2 eq_refl) as OB. assert (O0 : mac_op W results word interval words count total_bits (Z.of_nat e) net (S (S u)) mod 2 = 0) by (clear - O OB; lia).
        rewrite (H_has_no_product (S (S u)) _ (inside e E) O0 A3). reflexivity. }
    clear FR OR A1 A2 A3 A4.
    assert (PR : mac_product W results word interval words count total_bits (Z.of_nat e) net (S (S (S u))) < 2 ^ (2 * word)) by (rewrite B3, P2; destruct (op (S u) e mod 2 =? 1); clear - RA RW P1; nia).
    pose proof (H_sums (S (S (S u))) _ (inside e E) PR) as F. rewrite B1, B2, B3, P3 in F. clear PR B1 B2 B3. change (p (S (S (S (S u)))) e = ((if op (S u) e / 4 =? 1 then p (S (S (S u))) e else if op (S u) e / 4 =? 2 then
      if p (S (S (S u))) e <? 2 * (r * r) then p (S (S (S u))) e / r else mac_kept W results word interval words count total_bits (Z.of_nat e) net (S (S (S u))) else if op (S u) e / 4 =? 0 then 0 else
      mac_kept W results word interval words count total_bits (Z.of_nat e) net (S (S (S u)))) + (if op (S u) e / 2 mod 2 =? 1 then c (S (S u)) e else 0) + (if op (S u) e mod 2 =? 1 then a (S u) e else 0) * w (S u) e) mod 2 ^ total_bits) in F.
    rewrite F. f_equal. f_equal; [f_equal | destruct (op (S u) e mod 2 =? 1); ring]. destruct V as [V | [V | V]]; rewrite V in *; cbn [Z.eqb Pos.eqb]; try reflexivity.
    apply Z.ltb_lt in SM; [| reflexivity]. rewrite SM. reflexivity.
  Qed.

  Lemma total_large : 2 * (r * r) <= 2 ^ total_bits.
  Proof. destruct powers as (_ & _ & <- & _). apply Z.pow_le_mono_r; clear - wide; lia. Qed.

  Lemma p_range : forall u e, (e < l)%nat -> 0 <= p u e.
  Proof. intros u e E. apply (H_totals u _ (inside e E)). Qed.

  Lemma pin_is : forall u e, (e < l)%nat -> pin u e = out u (match e with O => (l - 1)%nat | S e' => e' end).
  Proof. intros u [| e] E; [apply (from_last u) | apply (from_before u e E)]. Qed.

  (* ---------------------------------------------------------------- readers, and the stream *)
  Lemma next_ready : forall t, net "req_ready_next" t = ready (S t).
  Proof. intros t. destruct (H_requests t) as (_ & _ & _ & _ & ->). apply ready_is. Qed.

  Lemma resets_more : net "u_core.u_sequencer.x_next_q" O = 0 /\ net "u_core.u_sequencer.y_next_q" O = 0 /\ net "u_core.u_sequencer.n_next_q" O = 0.
  Proof. destruct (H_reset O eq_refl) as (_ & _ & _ & _ & _ & _ & _ & _ & _ & A1 & _ & _ & _ & _ & _ & _ & _ & _ & _ & _ & _ & A2 & A3). auto. Qed.

  Lemma asked_next : forall t, net "u_core.u_sequencer.y_next_q" (S t) = is_y (prog s (old (S t))) /\ net "u_core.u_sequencer.n_next_q" (S t) = is_n (prog s (old (S t))).
  Proof. intros t. destruct (H_sequence t) as (_ & _ & _ & A1 & A2 & _). rewrite steps_are in A1, A2. split; [exact A1 | exact A2]. Qed.

  Lemma bit_values : (forall t, net "u_core.u_sequencer.x_next_q" t = 0 \/ net "u_core.u_sequencer.x_next_q" t = 1) /\ (forall t, net "u_core.u_sequencer.y_next_q" t = 0 \/ net "u_core.u_sequencer.y_next_q" t = 1) /\
    forall t, net "u_core.u_sequencer.n_next_q" t = 0 \/ net "u_core.u_sequencer.n_next_q" t = 1.
  Proof.
    destruct resets_more as (X0 & Y0 & N0). split; [| split]; (intros [| t]; [left; assumption |]).
    - rewrite x_next_when. destruct (_ && _); [right | left]; reflexivity.
    - rewrite (proj1 (asked_next t)). apply is_y_bit.
    - rewrite (proj2 (asked_next t)). apply is_n_bit.
  Qed.

  Definition left_of (front half shift rest : nat -> Z) (t : nat) : Z :=
    front t mod r + r * (if half t =? 1 then if shift t =? 1 then rest t / 2 ^ (2 * word) else rest t else front t / r + r * (if shift t =? 1 then rest t / 2 ^ (2 * word) else rest t)).

  Lemma lowest_left : forall front half shift rest t, left_of front half shift rest t mod r = front t mod r.
  Proof. intros. unfold left_of. rewrite (Z.mul_comm r), Z_mod_plus_full. apply Z.mod_mod. destruct powers as (P & _). clear - P. lia. Qed.

  Definition reads_well (value takes word_of : nat -> Z) : Prop := forall d, ready d = 1 -> forall k, (forall j, (1 <= j <= k)%nat -> ready (d + j)%nat = 0 /\ (takes (d + j)%nat = 1 -> ready (d + j + 1)%nat = 0)) ->
    word_of (d + 1 + k)%nat = (value d / pw r (Pipelined.count (fun j => takes (d + 1 + j)%nat =? 1) k)) mod r.

  Lemma reader : forall (value takes word_of front half shift rest enable : nat -> Z),
    (forall t, enable (S t) = (if net "req_ready_next" t =? 1 then 1 else shift (S t)) /\ shift (S t) = (if net "req_ready_next" t =? 1 then 0 else shift (S t)) /\ shift (S t) * half (S t) = 0) ->
    enable O = 1 /\ shift O = 0 -> (forall t, net "req_ready_o" t = 1 -> enable t = 1 -> shift t = 0 -> left_of front half shift rest (S t) = value t) ->
    (forall t, net "req_ready_o" t = 0 -> enable t = shift t -> shift t * half t = 0 -> takes t = 1 -> net "req_ready_next" t = 0 -> left_of front half shift rest (S t) = left_of front half shift rest t / r) ->
    (forall t, net "req_ready_o" t = 0 -> enable t = shift t -> shift t * half t = 0 -> takes t = 0 -> left_of front half shift rest (S t) = left_of front half shift rest t) ->
    (forall t, takes t = 0 \/ takes t = 1) -> (forall t, word_of t = front t mod r) -> reads_well value takes word_of.
  Proof.
    intros value takes word_of front half shift rest enable E R L M S0 B V d D k H. rewrite V, <- (lowest_left front half shift rest). f_equal.
    apply (reads r value (left_of front half shift rest) ready enable shift half takes); try assumption.
    - apply powers.
    - intros t. rewrite <- next_ready. apply E.
    - intros t. rewrite <- ready_is. apply L.
    - intros t. rewrite <- ready_is, <- next_ready. apply M.
    - intros t. rewrite <- ready_is. apply S0.
  Qed.

  Lemma x_reads : reads_well (net "a_i") (net "u_core.u_sequencer.x_next_q") (net "x_word").
  Proof. exact (reader _ _ _ (net "u_x.front_q") (net "u_x.half_q") (net "u_x.rest_shift_q") (net "u_x.rest_q") (net "u_x.rest_enable_q") H_x_enables (H_x_reset O eq_refl) H_x_loads H_x_moves H_x_stays (proj1 bit_values) H_x_word). Qed.

  Lemma y_reads : reads_well (net "b_i") (net "u_core.u_sequencer.y_next_q") (net "y_word").
  Proof. exact (reader _ _ _ (net "u_y.front_q") (net "u_y.half_q") (net "u_y.rest_shift_q") (net "u_y.rest_q") (net "u_y.rest_enable_q") H_y_enables (H_y_reset O eq_refl) H_y_loads H_y_moves H_y_stays (proj1 (proj2 bit_values)) H_y_word). Qed.

  Lemma n_reads : reads_well (net "n_words_i") (net "u_core.u_sequencer.n_next_q") (net "n_word").
  Proof. exact (reader _ _ _ (net "u_n.front_q") (net "u_n.half_q") (net "u_n.rest_shift_q") (net "u_n.rest_q") (net "u_n.rest_enable_q") H_n_enables (H_n_reset O eq_refl) H_n_loads H_n_moves H_n_stays (proj2 (proj2 bit_values)) H_n_word). Qed.

  (* ---------------------------------------------------------------- facts on the line of elements *)
  Lemma ring_is : forall t e, (e < l)%nat -> st 2 t e = issued s l (age_before acc (9 * s) (3 + 9 * e) t) e.
  Proof. intros t e E. apply (ring t e E). Qed.
  Lemma moves_is : forall t e, (e < l)%nat -> st 1 (S t) e = st 0 t e /\ st 2 (S t) e = st 1 t e.
  Proof. intros t e E. apply (moves_on t e E). Qed.
  Lemma x_next : forall t e, (e < l)%nat -> x (S t) e = if load_x t e =? 1 then net "u_core.u_sequencer.x_q" t else x t e.
  Proof. intros t e E. destruct (H_registers t _ (inside e E)) as (A & _). exact A. Qed.
  Lemma first_1 : forall t e, (e < l)%nat -> first 1 (S t) e = first 0 t e.
  Proof. intros t e E. apply (moves_on t e E). Qed.
  Lemma first_0 : forall t e, (e < l)%nat -> first 0 (S t) e = match e with O => net "u_core.u_sequencer.step_valid_q" t | S _ => 0 end.
  Proof. intros t [| e] E; [apply (from_last t) | apply (from_before t e E)]. Qed.
  Lemma word_valid : forall t, part (net "u_core.u_sequencer.valid_q" (S (S t))) 1 1 = net "u_core.u_sequencer.step_valid_q" t.
  Proof. intros t. destruct (H_sequence (S t)) as (_ & _ & _ & _ & _ & _ & A & _). destruct (H_sequence t) as (_ & _ & _ & _ & _ & B & _). rewrite A. exact B. Qed.
  Lemma w_next : forall t e, (e < l)%nat -> w (S t) e = match e with O => if part (net "u_core.u_sequencer.valid_q" t) 1 1 =? 1 then net "u_core.u_sequencer.late_word_q" t else line 7 t (l - 1)%nat | S e' => line 7 t e' end.
  Proof. intros t [| e] E; [apply (from_last t) | apply (from_before t e E)]. Qed.
  Lemma line_0 : forall t e, (e < l)%nat -> line O (S t) e = w t e.
  Proof. intros t e E. destruct (H_words t _ (inside e E)) as (A & _). exact A. Qed.
  Lemma line_more : forall t e j, (e < l)%nat -> (j < 7)%nat -> line (S j) (S t) e = line j t e.
  Proof.
    intros t e j E J. destruct (H_words t _ (inside e E)) as (_ & A1 & A2 & A3 & A4 & A5 & A6 & A7). do 7 (destruct j as [| j]; [assumption |]). clear - J. lia.
  Qed.

  Local Notation on_line thm := (thm s l I rounds ring_sizes acc (net "u_core.u_sequencer.step_valid_q") (fun t => part (net "u_core.u_sequencer.valid_q" t) 1 1) (net "u_core.u_sequencer.late_word_q") (net "u_core.u_sequencer.x_q")
    (st 0) (st 1) (st 2) load_x x (first 0) (first 1) w line spaced valid_is ring_is moves_is load_next x_next first_1 first_0 word_valid w_next line_0 line_more).

  Lemma once : forall u e, (e < l)%nat -> st 2 u e = 14 -> st 2 (u + 1)%nat e <> 14.
  Proof. exact (on_line top_once). Qed.

  (* ---------------------------------------------------------------- words that come out *)
  Let em (t : nat) : Z := part (net "u_core.emitted_q" t) 0 1.
  Let em1 (t : nat) : Z := part (net "u_core.emitted_q" t) 1 1.
  Let low (t : nat) : Z := p t (l - 1)%nat mod r.

  Lemma last_in : (l - 1 < l)%nat.
  Proof. destruct ring_sizes as (_ & L & _). clear - L. lia. Qed.

  Lemma out_ring : forall t, let b := age_before acc (9 * s) (3 + 9 * (l - 1)) t in st 2 t (l - 1)%nat = issued s l b (l - 1) /\ (st 2 t (l - 1)%nat <> 15 -> last t (l - 1)%nat = if (row l b (l - 1) =? s - 1)%nat then 1 else 0).
  Proof. intros t. apply (ring t (l - 1)%nat last_in). Qed.

  Lemma out_resets : em O = 0 /\ em1 O = 0 /\ net "p_valid" O = 0 /\ net "finish" O = 0 /\ net "u_core.beats_q" O = Z.of_nat s - 1.
  Proof.
    destruct (H_reset O eq_refl) as (_ & _ & _ & _ & _ & _ & _ & _ & _ & _ & _ & _ & _ & _ & _ & _ & _ & A1 & A2 & A3 & A4 & _). rewrite words_is. unfold em, em1, part. rewrite A1, !Zdiv_0_l, !Zmod_0_l. auto.
  Qed.

  Lemma emits_is : forall v u : Z, (if u =? 1 then if v =? 14 then 1 else if v =? 12 then 1 else if v =? 10 then 1 else if v =? 9 then 1 else if v =? 8 then 1 else if v =? 7 then 1 else 0 else 0) =
    if u =? 1 then if emits v then 1 else 0 else 0.
  Proof.
    intros v u. destruct (u =? 1); [| reflexivity]. unfold emits. clear. repeat (match goal with |- context [?y =? ?z] => destruct (Z.eqb_spec y z) as [-> | ?]; [reflexivity |] end).
    destruct (Z.leb_spec 7 v); destruct (Z.leb_spec v 10); try reflexivity; lia.
  Qed.

  Lemma em_next : forall t, em (S t) = if last t (l - 1)%nat =? 1 then if emits (st 2 t (l - 1)%nat) then 1 else 0 else 0.
  Proof. intros t. rewrite <- emits_is. destruct (H_out t) as (E & _). rewrite last_element in E. exact E. Qed.

  Lemma beats_next : forall t, net "u_core.beats_q" (S t) = if em1 t =? 1 then if net "u_core.beats_q" t =? 1 then Z.of_nat s - 1 else (net "u_core.beats_q" t - 1) mod 2 ^ Z.log2_up (Z.of_nat s) else net "u_core.beats_q" t.
  Proof. intros t. rewrite words_is. destruct (H_out t) as (_ & _ & _ & _ & E & _). exact E. Qed.

  Lemma out_next : forall t, em1 (S t) = em t /\ net "p_valid" (S t) = em1 t /\ net "finish" (S t) = (if em1 t =? 1 then if net "u_core.beats_q" t =? 1 then 1 else 0 else 0) /\
    net "words_q" (S t) = if net "p_valid" t =? 1 then net "words_q" t / r + low t * pw r (s - 3) else net "words_q" t.
  Proof.
    intros t. destruct (H_out t) as (_ & E1 & E2 & E3 & _ & E5). rewrite last_element in E5. destruct powers as (_ & _ & _ & P). rewrite P. replace (Z.of_nat (s - 3)) with (words - 3) by (rewrite <- words_is; destruct ring_sizes as (S6 & _); clear - S6; lia).
    split; [exact E1 |]. split; [exact E2 |]. split; [exact E3 |]. unfold low. destruct (seen_is t (l - 1)%nat last_in) as (<- & _). exact E5.
  Qed.

  Local Notation on_out thm := (thm s l I rounds ring_sizes acc (fun t => st 2 t (l - 1)%nat) (fun t => last t (l - 1)%nat) em em1 (net "p_valid") (net "finish") (net "u_core.beats_q") spaced out_ring out_resets em_next
    (fun t => proj1 (out_next t)) (fun t => proj1 (proj2 (out_next t))) (fun t => proj1 (proj2 (proj2 (out_next t)))) beats_next).

  Lemma finishes_when : forall t, net "finish" t = if (time - 1 <=? t)%nat && accepts net (t - (time - 1)) then 1 else 0.
  Proof. intros t. rewrite accepts_is. unfold time. replace (11 * s - 1 - 1)%nat with (11 * s - 2)%nat by (clear; lia). exact (on_out FiosOut.finishes t). Qed.

  Lemma words_range : forall t, 0 <= net "words_q" t < pw r (s - 2).
  Proof.
    intros t. destruct (H_bounded t) as (_ & _ & _ & _ & _ & _ & _ & _ & _ & A1 & A2). destruct powers as (_ & _ & _ & P). rewrite P. replace (Z.of_nat (s - 2)) with (words - 2) by (rewrite <- words_is; destruct ring_sizes as (S6 & _); clear - S6; lia). split; assumption.
  Qed.

  Definition value (t : nat) : Z := (net "words_q" t + p t (l - 1)%nat mod 2 ^ (2 * word) * 2 ^ ((words - 2) * word)) mod 2 ^ (W + 1).

  (* ---------------------------------------------------------------- a request *)
  Section Request.
  Variables (d : nat).
  Hypothesis taken_in : acc d = true.
  Let digit (v : Z) (i : nat) : Z := (v / pw r i) mod r.
  Let A := digit (net "a_i" d).
  Let B := digit (net "b_i" d).
  Let NW := digit (net "n_words_i" d).
  Let N (j : nat) : Z := NW (1 + j)%nat.

  Lemma old_is : forall k, (k < I)%nat -> old (d + 1 + k) = k.
  Proof. intros k L. apply (age_after acc (9 * s) I spaced); assumption. Qed.

  Lemma busy_for : forall j, (1 <= j < I)%nat -> ready (d + j)%nat = 0.
  Proof. intros j J. apply not_ready. replace (d + j)%nat with (d + 1 + (j - 1))%nat by (clear - J; lia). rewrite old_is; clear - J; lia. Qed.

  Lemma asked_at : forall k, (k < I)%nat -> net "u_core.u_sequencer.y_next_q" (d + 1 + k)%nat = is_y (prog s k) /\ net "u_core.u_sequencer.n_next_q" (d + 1 + k)%nat = is_n (prog s k).
  Proof. intros k L. pose proof (asked_next (d + k)) as E. replace (S (d + k)) with (d + 1 + k)%nat in E by (clear; lia). rewrite old_is in E by exact L. exact E. Qed.

  Lemma operand_words : forall k, (k <= 2 * s)%nat -> net "u_core.u_sequencer.late_word_q" (d + 3 + k)%nat = stream s B NW k.
  Proof.
    intros k L. destruct ring_sizes as (S6 & S5 & _ & S7 & S8 & _). assert (D1 : ready d = 1) by (apply accept_ready, Z.eqb_eq, taken_in).
    assert (free : forall j, (1 <= j <= k)%nat -> ready (d + j)%nat = 0 /\ ready (d + j + 1)%nat = 0).
    { intros j J. rewrite <- Nat.add_assoc. split; apply busy_for; clear - J L S8 S6; lia. }
    replace (d + 3 + k)%nat with (S (S (d + 1 + k))) by (clear; lia). destruct (H_sequence (S (d + 1 + k))) as (_ & _ & _ & _ & _ & _ & _ & _ & ->). destruct (H_sequence (d + 1 + k)%nat) as (_ & _ & _ & _ & _ & _ & _ & -> & _).
    destruct (asked_at k ltac:(clear - L S8 S6; lia)) as [_ ->]. unfold stream.
    rewrite (y_reads d D1 k) by (intros j J; destruct (free j J); auto). rewrite (n_reads d D1 k) by (intros j J; destruct (free j J); auto).
    assert (CN : Pipelined.count (fun j => net "u_core.u_sequencer.n_next_q" (d + 1 + j)%nat =? 1) k = n_count s k) by (apply count_ext; intros i J; rewrite (proj2 (asked_at i ltac:(clear - J L S8 S6; lia))); reflexivity).
    assert (CY : Pipelined.count (fun j => net "u_core.u_sequencer.y_next_q" (d + 1 + j)%nat =? 1) k = y_count s k) by (apply count_ext; intros i J; rewrite (proj1 (asked_at i ltac:(clear - J L S8 S6; lia))); reflexivity).
    rewrite CN, CY. reflexivity.
  Qed.

  Lemma x_asked : forall j, (j <= 9 * (s - 1) + 1)%nat -> net "u_core.u_sequencer.x_next_q" (d + 1 + j)%nat = match j with O => 0 | S i => if (i mod 9 =? 0)%nat then 1 else 0 end.
  Proof.
    intros j J. destruct ring_sizes as (S6 & _ & _ & _ & S8 & _). destruct j as [| i].
    - rewrite Nat.add_0_r, Nat.add_1_r, x_next_when. pose proof (spaced d taken_in) as SP. destruct (Nat.leb_spec (old d) (9 * (s - 1))) as [X | X]; [clear - X SP S8; lia | rewrite andb_false_r; reflexivity].
    - replace (d + 1 + S i)%nat with (S (d + 1 + i)) by (clear; lia). rewrite x_next_when, old_is by (clear - J S8; lia). destruct (Nat.leb_spec i (9 * (s - 1))); [| clear - J H; lia]. rewrite andb_true_r. reflexivity.
  Qed.

  Lemma x_counted : forall i, (i < s)%nat -> Pipelined.count (fun j => net "u_core.u_sequencer.x_next_q" (d + 1 + j)%nat =? 1) (1 + 9 * i) = i.
  Proof.
    intros i L. rewrite (count_ext _ (fun j => match j with O => false | S k => (k mod 9 =? 0)%nat end)).
    - clear. induction i as [| i IH]; [reflexivity |]. replace (1 + 9 * S i)%nat with (9 + (1 + 9 * i))%nat by lia. cbn [Nat.add]. cbn [Nat.add] in IH.
      assert (E : forall k, (k < 9)%nat -> ((k + 9 * i) mod 9 = k)%nat) by (intros k K; rewrite (Nat.mul_comm 9), Nat.mod_add, Nat.mod_small by lia; reflexivity).
      remember (S (9 * i)) as b eqn:EB. cbn [Pipelined.count]. rewrite IH. rewrite EB. 
      rewrite (E 0%nat), (E 1%nat), (E 2%nat), (E 3%nat), (E 4%nat), (E 5%nat), (E 6%nat), (E 7%nat), (E 8%nat) || idtac.
      pose proof (E 0%nat ltac:(lia)) as E0. pose proof (E 1%nat ltac:(lia)) as E1. pose proof (E 2%nat ltac:(lia)) as E2. pose proof (E 3%nat ltac:(lia)) as E3. pose proof (E 4%nat ltac:(lia)) as E4.
      pose proof (E 5%nat ltac:(lia)) as E5. pose proof (E 6%nat ltac:(lia)) as E6. pose proof (E 7%nat ltac:(lia)) as E7. pose proof (E 8%nat ltac:(lia)) as E8. cbn [Nat.add] in E0, E1, E2, E3, E4, E5, E6, E7, E8.
      rewrite E0, E1, E2, E3, E4, E5, E6, E7, E8. reflexivity.
    - intros j J. rewrite x_asked by (clear - J L; lia). destruct j as [| k]; [reflexivity |]. destruct (k mod 9 =? 0)%nat; reflexivity.
  Qed.

  Lemma x_words : forall i, (i < s)%nat -> net "u_core.u_sequencer.x_q" (d + 3 + 9 * i)%nat = A i.
  Proof.
    intros i L. destruct ring_sizes as (S6 & _ & _ & _ & S8 & _). assert (D1 : ready d = 1) by (apply accept_ready, Z.eqb_eq, taken_in).
    replace (d + 3 + 9 * i)%nat with (S (d + 1 + S (9 * i))) by (clear; lia). destruct (H_x (d + 1 + S (9 * i))%nat) as (_ & _ & _ & _ & E & _). rewrite E, x_asked by (clear - L; lia).
    rewrite (Nat.mul_comm 9 i), Nat.mod_mul by discriminate. cbn [Nat.eqb Z.eqb Pos.eqb]. rewrite (x_reads d D1).
    - pose proof (x_counted i L) as C. rewrite (Nat.mul_comm 9 i) in C. change (1 + i * 9)%nat with (S (i * 9)) in C. rewrite C. reflexivity.
    - intros j J. split; [apply busy_for; clear - J L S8; lia |]. intros X. rewrite <- Nat.add_assoc. apply busy_for. destruct (Nat.eq_dec j (S (i * 9))) as [JE | JN]; [exfalso | clear - J JN L S8; lia].
      replace (d + j)%nat with (d + 1 + (j - 1))%nat in X by (clear - J; lia). rewrite x_asked in X by (clear - J L; lia). rewrite JE in X. replace (S (i * 9) - 1)%nat with (i * 9)%nat in X by (clear; lia).
      destruct (i * 9)%nat as [| k] eqn:EK; [discriminate |]. destruct (Nat.eqb_spec (k mod 9) 0) as [M |]; [| discriminate]. clear - EK M. pose proof (Nat.div_mod k 9 ltac:(lia)). lia.
  Qed.

  Lemma digit_range : forall v i, 0 <= digit v i < r.
  Proof. intros. apply Z.mod_pos_bound. destruct powers as (P & _). clear - P. lia. Qed.

  Hypotheses (n_word : net "n_words_i" d / r = n d) (inverse : (n d * (net "n_words_i" d mod r) + 1) mod r = 0) (n_range : 0 < n d < 2 ^ W)
    (a_range : 0 <= net "a_i" d < 2 * n d) (b_range : 0 <= net "b_i" d < 2 * n d).
  Local Notation words_at := (before s l r p (d + 4)).

  Lemma large : pw r s = 2 ^ (words * word) /\ 4 * n d <= pw r s /\ 2 * n d <= 2 ^ (W + 1).
  Proof.
    destruct powers as (_ & _ & _ & P). rewrite P, words_is. assert (Q : 2 ^ (W + 2) <= 2 ^ (words * word)) by (apply Z.pow_le_mono_r; clear - wide; lia).
    assert (W0 : 0 <= W) by (unfold W; clear; lia). rewrite Z.pow_add_r in Q by (clear - W0; lia). change (2 ^ 2) with 4 in Q. rewrite (Z.pow_add_r 2 W 1) by (clear - W0; lia). change (2 ^ 1) with 2. set (R := 2 ^ (words * word)) in *. clearbody R. clear - Q n_range. lia.
  Qed.

  Lemma product_is : 0 <= digits r (words_at s) s < 2 * n d /\ montgomery (n d) (pw r s) (net "a_i" d) (net "b_i" d) (digits r (words_at s) s).
  Proof.
    destruct ring_sizes as (S6 & S5 & _). destruct powers as (P1 & _). destruct large as (_ & L4 & _). assert (R1 : 1 < r) by (clear - P1; lia).
    assert (whole : forall v, 0 <= v < pw r s -> digits r (digit v) s = v) by (intros v V; unfold digit; rewrite word_digits by exact R1; apply Z.mod_small, V).
    assert (NE : forall j, N j = digit (n d) j).
    { intros j. unfold N, NW, digit. rewrite <- n_word. pose proof (pw_pos r j ltac:(clear - P1; lia)) as PP. rewrite Z.div_div by (clear - PP P1; lia). reflexivity. }
    apply (FiosData.product s l r (2 ^ total_bits) (conj S6 (proj1 S5)) (st 2) (fun u e => first 1 (u - 1)%nat e) x a w m p c pin out q1 q2 s1 s2 s3 top total_large a_is m_next q_next c_is s_next top_next out_is p_next p_range pin_is once
      (d + 4) A B N (NW O) P1 ltac:(clear; lia)); try (intros; apply digit_range).
    - assert (E : forall v, digit v O = v mod r) by (intros v; unfold digit; cbn [pw]; rewrite Z.div_1_r; reflexivity). rewrite NE. change (NW O) with (digit (net "n_words_i" d) O). rewrite !E.
      rewrite <- Z.add_mod_idemp_l, Z.mul_mod_idemp_l, Z.add_mod_idemp_l by (clear - P1; lia). exact inverse.
    - exact (on_line steps d A (stream s B NW) taken_in x_words operand_words).
    - exact (on_line firsts d A (stream s B NW) taken_in x_words operand_words).
    - exact (on_line xs d A (stream s B NW) taken_in x_words operand_words).
    - intros i L. pose proof (on_line FiosStream.words d A (stream s B NW) taken_in x_words operand_words i) as E. destruct (stream_is s B NW S6) as (F1 & F2 & F3). cbv beta zeta.
      rewrite !E by (exact L || (clear - S6; lia)). split; [exact F1 |]. split.
      + intros j J. rewrite E by (exact L || (clear - J S6; lia)). exact (F2 j J).
      + intros j J. rewrite !E by (exact L || (clear - J S6; lia)). exact (F3 j J).
    - split; [apply n_range | exact L4].
    - exact a_range.
    - exact b_range.
    - apply whole. clear - a_range L4. lia.
    - apply whole. clear - b_range L4. lia.
    - rewrite (digits_ext r N (digit (n d)) s) by (intros; apply NE). apply whole. clear - n_range L4. lia.
  Qed.

  Lemma last_row : forall k, p (d + 4 + (3 + 9 * (s - 1)) + k)%nat (l - 1)%nat = p (d + 4 + 9 * (s - 1) + (k + 3))%nat ((s - 1) mod l)%nat.
  Proof.
    intros k. destruct ring_sizes as (S6 & S5 & _ & _ & _ & R1 & ES). f_equal; [clear; lia |]. apply (Nat.mod_unique (s - 1) l (rounds - 1)); [clear - S5; lia |].
    pose proof (products s l I rounds ring_sizes) as (_ & _ & Q & _). specialize (Q (rounds - 1)%nat eq_refl). clear - Q S5. lia.
  Qed.

  Lemma words_before : forall h j, words_at (S h) j = if (j =? s - 1)%nat then (p (d + 4 + 9 * h + sum_at (s - 1))%nat (h mod l)%nat / r) mod r else p (d + 4 + 9 * h + sum_at (S j))%nat (h mod l)%nat mod r.
  Proof. reflexivity. Qed.

  Lemma collected_words : net "words_q" (d + 4 + (3 + 9 * (s - 1)) + 2 * s)%nat = digits r (words_at s) (s - 2).
  Proof.
    destruct ring_sizes as (S6 & _). apply (on_out collected r low (net "words_q") (words_at s) d).
    - apply powers.
    - exact taken_in.
    - exact words_range.
    - intros t. apply Z.mod_pos_bound. destruct powers as (P & _). clear - P. lia.
    - intros t. apply (out_next t).
    - intros k L E. unfold low. rewrite last_row. replace (words_at s (sent_before s k)) with (words_at (S (s - 1)) (sent_before s k)) by (f_equal; clear - S6; lia). rewrite words_before.
      destruct (emits_slot s S6 k L E) as [K7 [K10 | (j & J & KE)]].
      + rewrite sent_early by (exact S6 || (clear - K10; lia)). destruct (Nat.eqb_spec (k - 7) (s - 1)) as [X | _]; [clear - X K10 S6; lia |]. do 3 f_equal. unfold sum_at. destruct (Nat.leb_spec (S (k - 7)) 4) as [X | X]; clear - X K7 K10; lia.
      + subst k. rewrite (proj2 (sent_words s S6 j J)). destruct (Nat.eqb_spec (j - 1) (s - 1)) as [X | _]; [clear - X J; lia |]. do 3 f_equal. unfold sum_at. destruct (Nat.leb_spec (S (j - 1)) 4) as [X | X]; clear - X J; lia.
  Qed.

  Lemma value_is : value (d + (time - 1)) = digits r (words_at s) s.
  Proof.
    destruct ring_sizes as (S6 & _). destruct powers as (P1 & P2 & _ & PW). destruct product_is as (PR & _). destruct large as (_ & _ & L2). unfold value. replace (d + (time - 1))%nat with (d + 4 + (3 + 9 * (s - 1)) + 2 * s)%nat by (unfold time; clear - S6; lia).
    rewrite collected_words, last_row, P2. replace (2 ^ ((words - 2) * word)) with (pw r (s - 2)) by (rewrite PW; do 2 f_equal; rewrite <- words_is; clear - S6; lia).
    assert (E : digits r (words_at s) s = digits r (words_at s) (s - 2) + p (d + 4 + 9 * (s - 1) + (2 * s + 3))%nat ((s - 1) mod l)%nat mod (r * r) * pw r (s - 2)).
    { set (V := p (d + 4 + 9 * (s - 1) + (2 * s + 3))%nat ((s - 1) mod l)%nat).
      assert (E1 : words_at s (s - 2) = V mod r).
      { replace (words_at s (s - 2)) with (words_at (S (s - 1)) (s - 2)) by (f_equal; clear - S6; lia). rewrite words_before. destruct (Nat.eqb_spec (s - 2) (s - 1)) as [X | _]; [clear - X S6; lia |]. unfold V, sum_at.
        do 3 f_equal. destruct (Nat.leb_spec (S (s - 2)) 4) as [X | X]; clear - X S6; lia. }
      assert (E2 : words_at s (s - 1) = (V / r) mod r).
      { replace (words_at s (s - 1)) with (words_at (S (s - 1)) (s - 1)) by (f_equal; clear - S6; lia). rewrite words_before, Nat.eqb_refl. unfold V, sum_at. do 4 f_equal. destruct (Nat.leb_spec (s - 1) 4) as [X | X]; clear - X S6; lia. }
      rewrite Z.rem_mul_r by (clear - P1; lia). rewrite <- E1, <- E2. assert (SE : forall f k, k = S (S (s - 2)) -> digits r f k = digits r f (s - 2) + pw r (s - 2) * f (s - 2)%nat + pw r (S (s - 2)) * f (S (s - 2))) by (intros f k ->; reflexivity).
      rewrite (SE (words_at s) s) by (clear - S6; lia). replace (S (s - 2)) with (s - 1)%nat by (clear - S6; lia). replace (pw r (s - 1)) with (r * pw r (s - 2)); [ring |]. replace (s - 1)%nat with (S (s - 2)) by (clear - S6; lia). reflexivity. }
    rewrite <- E. apply Z.mod_small. clear - PR L2. lia.
  Qed.
  End Request.

  (* ---------------------------------------------------------------- the contract *)
  Lemma take_is : forall t, net "rsp_valid_o" t = (if net "waiting_q" t =? 0 then 0 else 1) /\ net "take" t = if net "rsp_valid_o" t =? 1 then net "rsp_ready_i" t else 0.
  Proof. intros t. destruct (H_requests t) as (_ & _ & A1 & A2 & _). auto. Qed.

  Lemma buffer_resets : net "room_q" O = 1 /\ net "accepted_q" O = 0 /\ net "under_way_q" O = 0 /\ net "waiting_q" O = 0 /\ net "put_q" O = 0 /\ net "get_q" O = 0.
  Proof. destruct (H_reset O eq_refl) as (_ & _ & _ & _ & _ & _ & _ & _ & _ & _ & _ & A1 & A2 & A3 & A4 & A5 & A6 & _). auto 7. Qed.

  Lemma counts_next : forall t, net "accepted_q" (S t) = (if net "req_valid_i" t =? 1 then net "req_ready_o" t else 0) /\
    net "under_way_q" (S t) = (net "under_way_q" t + net "accepted_q" t - net "take" t) mod 2 ^ Z.log2_up (results + 1) /\ net "waiting_q" (S t) = (net "waiting_q" t + net "finish" t - net "take" t) mod 2 ^ Z.log2_up (results + 1).
  Proof. intros t. destruct (H_buffer t) as (A1 & A2 & _ & A3 & _). auto. Qed.

  Lemma ready_bit : forall t, 0 <= net "req_ready_o" t < 2.
  Proof. intros t. rewrite ready_is. apply bits_are. Qed.

  Lemma was_accepted : forall t, net "accepted_q" (S t) = if acc t then 1 else 0.
  Proof.
    intros t. destruct (counts_next t) as (-> & _). rewrite <- accepts_is. unfold accepts. destruct (net "req_valid_i" t =? 1); [| reflexivity]. cbn [andb]. destruct (Z.eqb_spec (net "req_ready_o" t) 1) as [E | E]; [exact E |].
    pose proof (ready_bit t) as R. clear - E R. lia.
  Qed.

  Lemma room_is : forall t, net "room_q" t = 1 -> net "under_way_q" t <> results.
  Proof.
    intros [| t] R.
    - destruct buffer_resets as (_ & _ & -> & _). clear - wide. lia.
    - destruct (H_buffer t) as (_ & -> & E & _). rewrite R in E. destruct (Z.eqb_spec ((net "under_way_q" t + net "accepted_q" t - net "take" t) mod 2 ^ Z.log2_up (results + 1)) results); [discriminate | assumption].
  Qed.

  Lemma has_room : forall t, net "req_ready_o" (S t) = 1 -> net "under_way_q" t <> results /\ net "accepted_q" t = 0 /\ net "accepted_q" (S t) = 0.
  Proof.
    intros t Y. rewrite ready_is, ready_next in Y. destruct (Z.eqb_spec (net "room_q" t) 1) as [R | _]; [| discriminate]. destruct (Z.eqb_spec (net "u_core.u_sequencer.waited_q" t) 1) as [V | _]; [| discriminate].
    destruct (Z.eqb_spec (accept t) 1) as [_ | NA]; [discriminate |]. split; [apply room_is, R |]. split.
    - destruct t as [| t]; [apply buffer_resets |]. rewrite was_accepted. destruct (acc t) eqn:AT; [exfalso | reflexivity]. destruct (waits_facts (S t)) as (_ & H & _). specialize (H V).
      replace (S t) with (t + 1 + 0)%nat in H by (clear; lia). pose proof control_sizes as CS. destruct CS as (S6 & _ & _ & _ & S8). change (I <= S (S (old (t + 1 + 0))))%nat in H. rewrite (age_after acc (9 * s) I spaced t 0 AT) in H by (clear - S8 S6; lia). clear - H S8 S6. lia.
    - rewrite was_accepted. unfold acc. apply Z.eqb_neq in NA. rewrite NA. reflexivity.
  Qed.

  Lemma apart_is : forall c d, accepts net c = true -> accepts net (c + d) = true -> (1 <= d)%nat -> (I <= d)%nat.
  Proof. intros c0 d. rewrite !accepts_is. apply (none_between acc (9 * s) I spaced). Qed.

  Lemma buffer_sizes : 1 <= results /\ results <= Z.of_nat I + 1 /\ (I < time)%nat.
  Proof. rewrite interval_is. pose proof control_sizes as CS. destruct CS as (S6 & _ & _ & _ & S8). split; [clear - wide; lia |]. split; [clear - wide; lia |]. unfold time. clear - S6 S8. lia. Qed.

  Local Notation in_buffer thm legal operand result := (thm net (net "a_i") (net "b_i") n (net "p_o") time I results (2 ^ (words * word)) legal operand result buffer_sizes (fun t => proj1 (bits_are t)) ready_bit take_is
    (conj (proj1 (proj2 (proj2 (proj2 buffer_resets)))) (conj (proj1 (proj2 (proj2 buffer_resets))) (proj1 (proj2 buffer_resets)))) counts_next has_room finishes_when apart_is).
  Let place (t : nat) (i : Z) : Z := part (net "results_q[0..]" t) (i * (W + 1)) (W + 1).

  Lemma places_next : forall t, net "put_q" (S t) = (if net "finish" t =? 1 then if net "put_q" t =? results - 1 then 0 else (net "put_q" t + 1) mod 2 ^ Z.log2_up results else net "put_q" t) /\
    net "get_q" (S t) = if net "take" t =? 1 then if net "get_q" t =? results - 1 then 0 else (net "get_q" t + 1) mod 2 ^ Z.log2_up results else net "get_q" t.
  Proof. intros t. destruct (H_buffer t) as (_ & _ & _ & _ & A1 & A2). split; [exact A1 | exact A2]. Qed.

  Lemma stored_next : forall t i, 0 <= i < results -> place (S t) i = if net "finish" t =? 1 then if net "put_q" t =? i then value t else place t i else place t i.
  Proof.
    intros t i L. pose proof (H_stored t i L) as E. rewrite last_element in E. unfold value. destruct powers as (_ & P2 & _). rewrite P2 in *. destruct (seen_is t (l - 1)%nat last_in) as (_ & <- & _). exact E.
  Qed.

  Theorem contract : pipelined net (net "a_i") (net "b_i") n (net "p_o") (11 * s - 1) (11 * s - 1) (2 ^ (words * word)) (fun d => 0 < n d < 2 ^ W /\ net "n_words_i" d / 2 ^ word = n d /\ (n d * (net "n_words_i" d mod 2 ^ word) + 1) mod 2 ^ word = 0) (fun n x => 0 <= x < 2 * n) (fun n p => 0 <= p < 2 * n).
  Proof.
    apply (in_buffer buffered (fun d => 0 < n d < 2 ^ W /\ net "n_words_i" d / 2 ^ word = n d /\ (n d * (net "n_words_i" d mod 2 ^ word) + 1) mod 2 ^ word = 0) (fun n x => 0 <= x < 2 * n) (fun n p => 0 <= p < 2 * n)).
    - exact (in_buffer kept (fun d => 0 < n d < 2 ^ W /\ net "n_words_i" d / 2 ^ word = n d /\ (n d * (net "n_words_i" d mod 2 ^ word) + 1) mod 2 ^ word = 0) (fun n x => 0 <= x < 2 * n) (fun n p => 0 <= p < 2 * n) value place (proj2 (proj2 (proj2 (proj2 buffer_resets)))) places_next stored_next H_answers).
    - intros d T (NR & NW0 & NI) AR BR t L TK. rewrite (in_buffer result_is (fun d => 0 < n d < 2 ^ W /\ net "n_words_i" d / 2 ^ word = n d /\ (n d * (net "n_words_i" d mod 2 ^ word) + 1) mod 2 ^ word = 0) (fun n x => 0 <= x < 2 * n) (fun n p => 0 <= p < 2 * n) value place (proj2 (proj2 (proj2 (proj2 buffer_resets)))) places_next stored_next H_answers d T t L TK).
      rewrite accepts_is in T. rewrite (value_is d T NW0 NI NR AR BR). destruct (product_is d T NW0 NI NR AR BR) as [P1 P2]. split; [exact P1 |]. destruct (large d T NW0 NI NR AR BR) as (PE & _). rewrite <- PE. apply montgomery_mod, P2.
  Qed.
End Chain.
