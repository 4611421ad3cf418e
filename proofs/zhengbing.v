(* SPDX-License-Identifier: Apache-2.0 *)
(* mf_zhengbing from the nets of the RTL to the contract, for every width. The hypotheses are the lemmas that montforge prints into
   zhengbing_lemmas.v, and proves on the RTL. *)
From Coq Require Import ZArith Lia String.
Require Import DigitRecurrence Instances Contract Control WordSerial zhengbing_lemmas.
Open Scope string_scope. Open Scope Z_scope.
Set Default Proof Using "All".

Section Chain.
  Variables (K : nat) (converter : Z) (net : trace).
  Let W := Z.of_nat K.
  Hypotheses (wide : (1 <= K)%nat /\ 1 <= converter) (H_ranges : ranges W converter net) (H_ready : ready W converter net)
    (H_selects : selects W converter net) (H_reset : selects_at_reset W converter net) (H_accept : accept W converter net)
    (H_no_carry : no_carry W converter net) (H_word : word_added W converter net) (H_move : words_move W converter net)
    (H_keep : keep W converter net) (H_operands : keep_operands W converter net) (H_multiple : multiple W converter net)
    (H_quotient : quotient W converter net) (H_row : row W converter net) (H_step : step W converter net) (H_count : count W converter net)
    (H_next : next_phase W converter net) (H_hold : hold W converter net) (H_answer : answer W converter net).

  Let V := Z.min converter (W + 2).                                                           (* bits of a word *)
  Let m := Z.to_nat ((W + 2 + V - 1) / V).                                                    (* words of a sum *)

  Lemma selected : forall t k, net "phase_q" t = k -> net "select_operand_q" t = (if k =? 0 then 1 else 0) /\
    net "select_loop_q" t = (if k =? 2 then 1 else 0) /\ net "select_words_q" t = (if k =? 1 then 1 else if k =? 3 then 1 else 0).
  Proof. intros t k <-. destruct t; [destruct (H_reset O eq_refl) as (-> & -> & -> & ->); auto | apply H_selects]. Qed.

  Lemma word_size : 1 <= V /\ (W + 2 + V - 1) / V = Z.of_nat m /\ (1 <= m)%nat /\ W + 2 <= Z.of_nat m * V.
  Proof. assert (1 <= V) by (unfold V, W; lia). split; [assumption |]. apply word_count; lia. Qed.

  Lemma counting : forall P t, 1 <= P < 4 -> net "phase_q" t = P -> 0 < net "u_countdown.left_q" t ->
    net "phase_q" (S t) = P /\ net "u_countdown.left_q" (S t) = net "u_countdown.left_q" t - 1.
  Proof. intros P t C E L. destruct (H_count t ltac:(lia) ltac:(lia) L). lia. Qed.

  Lemma ending : forall P t, 1 <= P < 4 -> net "phase_q" t = P -> net "u_countdown.left_q" t = 0 ->
    net "phase_q" (S t) = P + 1 /\ net "u_countdown.left_q" (S t) = (if P =? 1 then W + 1 else Z.of_nat m - 1).
  Proof.
    intros P t C E L. destruct (H_next t ltac:(lia) ltac:(lia) L) as [N1 N2]. destruct word_size as (_ & M & _). fold V in N2.
    rewrite E, M in *. auto.
  Qed.

  (* A sum of the pair word by word into D. *)
  Lemma addition : forall s, (forall i, (i < m)%nat -> net "phase_q" (s + i)%nat = 1 \/ net "phase_q" (s + i)%nat = 3) ->
    net "u_cpa.carry_q" s = 0 -> net "ss_q" s + net "sc_q" s < 2 ^ (W + 2) ->
    net "d_q" (s + m)%nat = net "ss_q" s + net "sc_q" s /\ net "ss_q" (s + m)%nat = 0 /\ net "sc_q" (s + m)%nat = 0.
  Proof.
    intros s phases C0 small. destruct word_size as (Vr & E & M & B). pose proof (Z.pow_le_mono_r 2 (W + 2) (Z.of_nat m * V) ltac:(lia) B) as Q.
    assert (adds : forall i, (i < m)%nat -> net "select_operand_q" (s + i)%nat = 0 /\ net "select_loop_q" (s + i)%nat = 0 /\ net "select_words_q" (s + i)%nat = 1).
    { intros i L. destruct (phases i L) as [P | P]; destruct (selected _ _ P) as (-> & -> & ->); auto. }
    assert (moves : forall i, (i < m)%nat -> net "ss_q" (s + S i)%nat = net "ss_q" (s + i)%nat / 2 ^ V /\ net "sc_q" (s + S i)%nat = net "sc_q" (s + i)%nat / 2 ^ V /\
      net "d_q" (s + S i)%nat = net "d_q" (s + i)%nat / 2 ^ V + 2 ^ ((Z.of_nat m - 1) * V) * net "word" (s + i)%nat).
    { intros i L. destruct (adds i L) as (L1 & L2 & L3). rewrite <- E, Nat.add_succ_r. exact (H_move _ L3 L1 L2). }
    assert (d_range : forall t, 0 <= net "d_q" t < 2 ^ (Z.of_nat m * V)) by (intros t; rewrite <- E; in_range H_ranges t).
    assert (s_least : 0 <= net "ss_q" s) by in_range H_ranges s. assert (c_least : 0 <= net "sc_q" s) by in_range H_ranges s.
    assert (carry_least : 0 <= net "u_cpa.carry_q" (s + m)%nat) by in_range H_ranges (s + m)%nat.
    assert (R : 1 < 2 ^ V) by (apply (Z.pow_gt_1 2 V); lia).
    pose proof (d_range s) as D0. pose proof (d_range (s + m)%nat) as D1.
    repeat split.
    - pose proof (sum_that_fits V m (fun i => net "ss_q" (s + i)%nat) (fun i => net "sc_q" (s + i)%nat) (fun i => net "word" (s + i)%nat)
        (fun i => net "u_cpa.carry_q" (s + i)%nat) (fun i => net "d_q" (s + i)%nat) Vr) as G. cbv beta zeta in G. rewrite Nat.add_0_r in G.
      apply G; clear G; [lia | lia | exact D0 | lia | exact carry_least | exact C0 | lia | | left | |]; intros i L; try apply (moves i L).
      rewrite Nat.add_succ_r. apply H_word, (adds i L).
    - pose proof (shifted_down (2 ^ V) m (fun i => net "ss_q" (s + i)%nat) R ltac:(intros i L; apply (moves i L)) m ltac:(lia)) as G. cbv beta in G.
      rewrite G, Nat.add_0_r, pw_words by lia. apply Z.div_small. lia.
    - pose proof (shifted_down (2 ^ V) m (fun i => net "sc_q" (s + i)%nat) R ltac:(intros i L; apply (moves i L)) m ltac:(lia)) as G. cbv beta in G.
      rewrite G, Nat.add_0_r, pw_words by lia. apply Z.div_small. lia.
  Qed.

  Section Request.
  (* A request is accepted in cycle c. *)
  Variables (c : nat).
  Let a := net "a_i" c. Let b := net "b_i" c. Let n := net "n_i" c.
  Hypotheses (idle : net "phase_q" c = 0) (request : net "req_valid_i" c = 1) (odd : n mod 2 = 1) (a_range : a < 2 * n) (b_range : b < 2 * n).

  (* The first cycles of the phases after it. *)
  Let first := S c. Let loops := (first + m)%nat. Let converts := (loops + (K + 2))%nat. Let done := (converts + m)%nat.
  Let total t := net "ss_q" t + net "sc_q" t.

  Lemma small : 0 < n < 2 ^ W /\ 0 <= a /\ 0 <= b.
  Proof.
    assert (0 <= n < 2 ^ W) by in_range H_ranges c. assert (0 <= a) by in_range H_ranges c. assert (0 <= b) by in_range H_ranges c.
    pose proof (odd_positive n ltac:(lia) odd). lia.
  Qed.

  Lemma four : 2 ^ (W + 2) = 4 * 2 ^ W.
  Proof. rewrite Z.pow_add_r by lia. lia. Qed.

  Lemma accepted : net "phase_q" first = 1 /\ net "u_countdown.left_q" first = Z.of_nat m - 1 /\ net "ss_q" first = b /\ net "sc_q" first = n /\
    net "a_q" first = a /\ net "b_q" first = b /\ net "n_q" first = n.
  Proof.
    destruct (selected _ _ idle) as (L1 & L2 & L3). destruct (H_accept c idle request L1 L2 L3) as (A1 & A2 & A3 & A4 & A5 & A6 & A7).
    destruct word_size as (_ & E & _). fold V in A2. rewrite E in A2. repeat split; assumption.
  Qed.

  Lemma precomputation : (forall i, (i < m)%nat -> net "phase_q" (first + i)%nat = 1) /\ net "phase_q" loops = 2 /\
    net "u_countdown.left_q" loops = Z.of_nat (K + 2) - 1 /\ net "a_q" loops = a /\ net "b_q" loops = b /\ net "n_q" loops = n.
  Proof.
    destruct accepted as (A1 & A2 & _ & _ & A). destruct word_size as (_ & _ & M & _).
    destruct (phase_runs _ _ 1 2 (W + 1) (fun t => net "a_q" t = a /\ net "b_q" t = b /\ net "n_q" t = n)
      (fun t => counting 1 t ltac:(lia)) (fun t => ending 1 t ltac:(lia))) with (s := first) (d := m) as (R & P & L & E); auto.
    - intros t P (Ea & Eb & En). destruct (H_operands t ltac:(lia)) as [-> ->]. rewrite (H_keep t P). auto.
    - split; [intros i L'; apply (R i L') |]. split; [exact P |]. split; [etransitivity; [exact L | unfold W; lia] | exact E].
  Qed.

  Lemma d_ready : net "d_q" loops = b + n /\ net "ss_q" loops = 0 /\ net "sc_q" loops = 0.
  Proof.
    destruct accepted as (_ & _ & Sb & Sn & _). destruct small as (N & _ & B). unfold loops. rewrite <- Sb, <- Sn. apply addition.
    - intros i L. left. apply precomputation, L.
    - destruct (selected _ _ idle) as (_ & _ & L3). exact (H_no_carry c L3).
    - rewrite Sb, Sn, four. lia.
  Qed.

  Lemma step_at : forall t, net "phase_q" t = 2 -> net "ss_q" (S t) = net "sum" t / 2 /\ net "sc_q" (S t) = net "carry" t / 2 /\
    net "a_q" (S t) = net "a_q" t / 2 /\ net "d_q" (S t) = net "d_q" t.
  Proof. intros t P. destruct (selected _ _ P) as (L1 & L2 & L3). exact (H_step t P L1 L2 L3). Qed.

  Lemma loop : (forall t, (t < K + 2)%nat -> net "phase_q" (loops + t)%nat = 2 /\ net "b_q" (loops + t)%nat = b /\ net "n_q" (loops + t)%nat = n /\
    net "d_q" (loops + t)%nat = b + n) /\ net "phase_q" converts = 3 /\ net "u_countdown.left_q" converts = Z.of_nat m - 1.
  Proof.
    destruct precomputation as (_ & P & L & _ & B & N). destruct d_ready as (D & _).
    destruct (phase_runs _ _ 2 3 (Z.of_nat m - 1) (fun t => net "b_q" t = b /\ net "n_q" t = n /\ net "d_q" t = b + n)
      (fun t => counting 2 t ltac:(lia)) (fun t => ending 2 t ltac:(lia))) with (s := loops) (d := (K + 2)%nat) as (R & P' & L' & _); auto; [| lia].
    intros t P' (Eb & En & Ed). destruct (H_operands t ltac:(lia)) as [-> ->]. destruct (step_at t P') as (_ & _ & _ & ->). auto.
  Qed.

  (* One cycle of the loop, exactly. *)
  Lemma recurrence : forall t, (t < K + 2)%nat -> let q := net "quotient_digit" (loops + t)%nat in
    0 <= q <= 1 /\ 2 * total (loops + S t) = total (loops + t) + net "a_q" (loops + t)%nat mod 2 * b + q * n.
  Proof.
    intros t L q. destruct (proj1 loop t L) as (P & B & N & D).
    destruct (step_at _ P) as (N1 & N2 & _). pose proof (H_multiple (loops + t)%nat ltac:(rewrite B, N; exact D)) as X.
    pose proof (H_quotient (loops + t)%nat ltac:(rewrite N; exact odd)) as E. destruct (H_row (loops + t)%nat ltac:(replace (W + 2 - 1) with (W + 1) by lia; in_range H_ranges (loops + t)%nat)) as [R1 R2]. rewrite B, N in *.
    assert (0 <= q < 2 ^ 1) by in_range H_ranges (loops + t)%nat. split; [lia |]. unfold total. rewrite Nat.add_succ_r, N1, N2.
    rewrite X in R1. apply halves; [rewrite R1; unfold q; ring | exact E | exact R2].
  Qed.

  Lemma result : 0 <= total converts < 2 * n /\ montgomery n (pw 2 (K + 2)) a b (total converts).
  Proof.
    destruct precomputation as (_ & _ & _ & A & _). destruct d_ready as (_ & S0 & C0). destruct small as (N & A0 & B0).
    apply (long_loop n a b K (fun t => total (loops + t)) (fun t => net "a_q" (loops + t)%nat) (fun t => net "quotient_digit" (loops + t)%nat));
      [lia | rewrite pw_Z; exact (proj2 N) | lia | lia | | | | exact recurrence].
    - unfold total. rewrite Nat.add_0_r. lia.
    - cbn beta. rewrite Nat.add_0_r. exact A.
    - intros t L. destruct (proj1 loop t L) as (P & _). rewrite Nat.add_succ_r. apply (step_at _ P).
  Qed.

  Lemma conversion : (forall i, (i < m)%nat -> net "phase_q" (converts + i)%nat = 3) /\ net "phase_q" done = 4.
  Proof.
    destruct loop as (_ & P & L). destruct word_size as (_ & _ & M & _).
    destruct (phase_runs _ _ 3 4 (Z.of_nat m - 1) (fun _ => True)
      (fun t => counting 3 t ltac:(lia)) (fun t => ending 3 t ltac:(lia))) with (s := converts) (d := m) as (R & P' & _); auto.
    split; [intros i L'; apply (R i L') | exact P'].
  Qed.

  Lemma whole : net "d_q" done = total converts.
  Proof.
    destruct result as [R _]. destruct small as (N & _). pose proof four. apply addition; [| | unfold total in R; lia].
    - intros i L. right. apply conversion, L.
    - destruct (proj1 loop (K + 1)%nat ltac:(lia)) as (P & _). destruct (selected _ _ P) as (_ & _ & L3). unfold converts.
      replace (loops + (K + 2))%nat with (S (loops + (K + 1)))%nat by lia. exact (H_no_carry _ L3).
  Qed.

  Lemma before : forall t, (c < t < done)%nat -> net "phase_q" t <> 4.
  Proof.
    intros t L. destruct (Nat.lt_ge_cases t loops) as [H | H]; [| destruct (Nat.lt_ge_cases t converts) as [H' | H']].
    - pose proof (proj1 precomputation (t - first)%nat ltac:(unfold loops, first in *; lia)) as E. replace (first + (t - first))%nat with t in E by (unfold first; lia). lia.
    - destruct (proj1 loop (t - loops)%nat ltac:(unfold converts in *; lia)) as (E & _). replace (loops + (t - loops))%nat with t in E by lia. lia.
    - pose proof (proj1 conversion (t - converts)%nat ltac:(unfold done in *; lia)) as E. replace (converts + (t - converts))%nat with t in E by lia. lia.
  Qed.

  Lemma response : let t := (c + (K + 3 + 2 * m))%nat in net "phase_q" t = 4 /\ (forall i, (c < i < t)%nat -> net "phase_q" i <> 4) /\
    0 <= net "p_o" t < 2 * n /\ (net "p_o" t * 2 ^ (W + 2)) mod n = (a * b) mod n.
  Proof.
    intros t. replace t with done by (unfold t, done, converts, loops, first; lia). destruct result as [R M]. destruct small as (N & _).
    assert (2 ^ (W + 1) = 2 * 2 ^ W) by (rewrite Z.pow_add_r by lia; lia).
    rewrite H_answer, whole, Z.mod_small by lia. split; [apply conversion |]. split; [exact before |]. split; [exact R |].
    apply montgomery_mod. replace (2 ^ (W + 2)) with (pw 2 (K + 2)); [exact M |]. rewrite pw_Z. f_equal. unfold W. lia.
  Qed.
  End Request.

  Theorem contract : multiplier net (net "a_i") (net "b_i") (net "n_i") (net "p_o") (K + 3 + 2 * m) (K + 3 + 2 * m) (2 ^ (W + 2))
    (fun c => net "n_i" c mod 2 = 1) (fun n x => 0 <= x < 2 * n) (fun n p => 0 <= p < 2 * n).
  Proof.
    apply (serves _ _ _ _ _ _ _ _ _ _ _ (net "phase_q") 0 4 (fun _ => True)); [exact H_ready | |].
    - intros c I V' odd [_ a_range] [_ b_range]. exists (K + 3 + 2 * m)%nat. destruct (response c I V' odd a_range b_range) as (P & B & R & M).
      split; [lia |]. auto.
    - intros t D _ T. destruct (selected _ _ D) as (_ & _ & L3). destruct (H_hold t D T L3) as [D' S']. rewrite !H_answer, S'. auto.
  Qed.
End Chain.
