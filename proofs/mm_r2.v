(* SPDX-License-Identifier: Apache-2.0 *)
(* mf_mm_r2 from the nets of the RTL to the contract, for every width. The hypotheses are the lemmas that montforge prints into
   mm_r2_lemmas.v, and proves on the RTL. *)
From Coq Require Import ZArith Lia String.
Require Import DigitRecurrence Instances Contract Control mm_r2_lemmas.
Open Scope string_scope. Open Scope Z_scope.
Set Default Proof Using "All".

Section Chain.
  Variables (K : nat) (net : trace).
  Let W := Z.of_nat K.
  Hypotheses (wide : (1 <= K)%nat) (H_ranges : ranges W net) (H_ready : ready W net) (H_accept : accept W net) (H_step : step W net)
    (H_count_up : count_up W net) (H_count_end : count_end W net) (H_reduce : reduce W net) (H_answer : answer W net) (H_hold : hold W net).

  Section Request.
  (* A request is accepted in cycle c, with operands that the contract allows. *)
  Variables (c : nat).
  Let a := net "a_i" c. Let b := net "b_i" c. Let n := net "n_i" c.
  Hypotheses (idle : net "state_q" c = 0) (request : net "req_valid_i" c = 1) (odd : n mod 2 = 1) (b_range : b < n).

  Let first := S c.                                                                          (* the first cycle of the loop *)
  Let state t := net "s_q" (first + t)%nat.
  Let operand t := net "a_q" (first + t)%nat.

  Lemma loop : forall t, (t <= K - 1)%nat -> net "state_q" (first + t)%nat = 1 /\ W - 1 - net "count_q" (first + t)%nat = Z.of_nat (K - 1 - t) /\
    net "b_q" (first + t)%nat = b /\ net "n_q" (first + t)%nat = n.
  Proof.
    destruct (H_accept c idle request) as (A1 & A2 & _ & _ & A5 & A6).
    apply (counted (net "state_q") (fun t => W - 1 - net "count_q" t) 1 (fun t => net "b_q" t = b /\ net "n_q" t = n)); [| | exact A1 | | auto].
    - intros t P L. destruct (H_count_up t P ltac:(lia)) as [U1 U2]. split; [exact U1 | lia].
    - intros t P [B N]. destruct (H_step t P ltac:(rewrite N; exact odd)) as (_ & _ & -> & ->). auto.
    - unfold first. lia.
  Qed.

  Let reduced := (first + K)%nat.

  Lemma end_of_loop : net "state_q" reduced = 2 /\ net "n_q" reduced = n.
  Proof.
    destruct (loop (K - 1)%nat ltac:(lia)) as (S1 & S2 & _ & S4). unfold reduced. replace (first + K)%nat with (S (first + (K - 1)))%nat by lia.
    destruct (H_step _ S1 ltac:(rewrite S4; exact odd)) as (_ & _ & _ & ->). split; [| exact S4].
    apply H_count_end; [exact S1 | lia].
  Qed.

  Lemma shift : forall t, (t < K)%nat -> operand (S t) = operand t / 2.
  Proof.
    intros t L. destruct (loop t ltac:(lia)) as (S1 & _ & _ & S4). unfold operand. rewrite Nat.add_succ_r.
    apply H_step; [exact S1 | rewrite S4; exact odd].
  Qed.

  Lemma recurrence : forall t, (t < K)%nat -> 0 <= state t < 2 * n ->
    2 * state (S t) = state t + operand t mod 2 * b \/ 2 * state (S t) = state t + operand t mod 2 * b + n.
  Proof.
    intros t L _. destruct (loop t ltac:(lia)) as (S1 & _ & S3 & S4). pose proof (H_ranges (first + t)%nat) as R. unfold state, operand.
    rewrite Nat.add_succ_r. destruct (H_step _ S1 ltac:(rewrite S4; exact odd)) as (St & _). rewrite S3, S4 in St.
    apply (two_cases _ _ (net "quotient_digit" (first + t)%nat)); [lia | exact St].
  Qed.

  Let done := (c + (K + 2))%nat.

  Lemma result : net "state_q" done = 3 /\ 0 <= net "p_o" done < n /\ (net "p_o" done * 2 ^ W) mod n = (a * b) mod n.
  Proof.
    destruct (H_accept c idle request) as (_ & _ & A3 & A4 & _ & _). pose proof (H_ranges c) as R. destruct end_of_loop as [E1 E2].
    pose (p := if state K <? n then state K else state K - n).
    assert (positive : 0 < n) by (apply odd_positive; unfold n in *; lia).
    assert (S0 : state 0%nat = 0) by (unfold state; rewrite Nat.add_0_r; exact A3).
    assert (G : 0 <= p < n /\ montgomery n (pw 2 K) a b p).
    { apply (mm_r2 n a b K state operand); [exact positive | unfold b in *; lia | rewrite pw_Z; fold W; unfold a; lia | exact S0 |
        unfold operand; rewrite Nat.add_0_r; exact A4 | exact shift | exact recurrence | reflexivity]. }
    assert (B : 0 <= state K < 2 * n).
    { apply (mm_r2_bound n b K state operand); [exact positive | unfold b in *; lia | exact S0 | exact recurrence | lia]. }
    unfold state in B, p. fold reduced in B, p. destruct (H_reduce reduced E1 ltac:(rewrite E2; exact (proj2 B))) as [D1 D2]. rewrite E2 in D2. fold p in D2.
    replace done with (S reduced) by (unfold done, reduced, first; lia). destruct G as [G1 G2].
    assert (P : net "p_o" (S reduced) = p) by (rewrite H_answer, D2 by exact D1; apply Z.mod_small; unfold n in *; lia).
    rewrite P. split; [exact D1 |]. split; [exact G1 |]. apply montgomery_mod. unfold W. rewrite <- pw_Z. exact G2.
  Qed.

  Lemma before : forall t, (c < t < done)%nat -> net "state_q" t <> 3.
  Proof.
    intros t L. destruct (Nat.eq_dec t reduced) as [-> | N]; [destruct end_of_loop; lia |].
    destruct (loop (t - first)%nat ltac:(unfold done, reduced, first in *; lia)) as (E & _). replace (first + (t - first))%nat with t in E by (unfold first; lia).
    lia.
  Qed.
  End Request.

  Theorem contract : multiplier net (net "a_i") (net "b_i") (net "n_i") (net "p_o") (K + 2) (K + 2) (2 ^ W)
    (fun c => net "n_i" c mod 2 = 1) (fun n x => 0 <= x < n) (fun n p => 0 <= p < n).
  Proof.
    apply (serves _ _ _ _ _ _ _ _ _ _ _ (net "state_q") 0 3 (fun _ => True)); [exact H_ready | |].
    - intros c I V odd _ [_ b_range]. exists (K + 2)%nat. destruct (result c I V odd b_range) as (D & P & M).
      split; [lia |]. split; [exact D |]. split; [apply before; assumption | auto].
    - intros t D _ T. destruct (H_hold t D T) as [D' S']. rewrite !H_answer, S' by assumption. auto.
  Qed.
End Chain.
