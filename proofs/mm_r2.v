(* SPDX-License-Identifier: Apache-2.0 *)
(* mf_mm_r2 from the nets of the RTL to the contract, for every width. The hypotheses are the lemmas that montforge prints into
   mm_r2_lemmas.v, and proves on the RTL. *)
From Coq Require Import ZArith Lia String.
Require Import DigitRecurrence Instances Contract mm_r2_lemmas.
Open Scope string_scope. Open Scope Z_scope.

Section Chain.
  Variables (K : nat) (net : trace).
  Let W := Z.of_nat K.
  Hypotheses (H_ranges : ranges W net) (H_ready : ready W net) (H_accept : accept W net) (H_step : step W net)
    (H_count_up : count_up W net) (H_count_end : count_end W net) (H_reduce : reduce W net) (H_answer : answer W net) (H_hold : hold W net).

  (* A request is accepted in cycle c, with operands that the contract allows. *)
  Variables (c : nat).
  Let a := net "a_i" c. Let b := net "b_i" c. Let n := net "n_i" c.
  Hypotheses (wide : (1 <= K)%nat) (odd : n mod 2 = 1) (b_range : b < n)
    (request : net "req_valid_i" c = 1) (ready_now : net "req_ready_o" c = 1).

  Let first := S c.                                                                          (* the first cycle of the loop *)

  Lemma loop : forall t, (t < K)%nat ->
    net "state_q" (first + t)%nat = 1 /\ net "count_q" (first + t)%nat = Z.of_nat t /\ net "b_q" (first + t)%nat = b /\ net "n_q" (first + t)%nat = n.
  Proof.
    assert (I : net "state_q" c = 0) by (destruct (H_ready c) as [R _]; lia).
    destruct (H_accept c I request) as (A1 & A2 & A3 & A4 & A5 & A6). unfold first.
    induction t; intros L; [rewrite Nat.add_0_r; auto |].
    destruct (IHt ltac:(lia)) as (S1 & S2 & S3 & S4). rewrite Nat.add_succ_r.
    destruct (H_count_up _ S1 ltac:(unfold W; lia)) as [U1 U2].
    destruct (H_step _ S1 ltac:(rewrite S4; exact odd)) as (_ & _ & U3 & U4). rewrite U3, U4, U2. repeat split; auto; lia.
  Qed.

  Lemma q_range : forall t, 0 <= net "quotient_digit" t <= 1.
  Proof. intros t. pose proof (H_ranges t). lia. Qed.

  Lemma two_cases : forall x y q m, 0 <= q <= 1 -> x = y + q * m -> x = y \/ x = y + m.
  Proof. intros x y q m Q E. assert (q = 0 \/ q = 1) as [-> | ->] by lia; lia. Qed.

  Let reduced := (first + K)%nat.

  Lemma end_of_loop : net "state_q" reduced = 2 /\ net "n_q" reduced = n.
  Proof.
    destruct (loop (K - 1)%nat ltac:(lia)) as (S1 & S2 & S3 & S4). unfold reduced. replace (first + K)%nat with (S (first + (K - 1)))%nat by lia.
    destruct (H_step _ S1 ltac:(rewrite S4; exact odd)) as (_ & _ & _ & U4). rewrite U4. split; [| exact S4].
    apply H_count_end; [exact S1 | unfold W; lia].
  Qed.

  (* K + 2 cycles after the request the answer is valid, and it is a b 2^-K mod n. *)
  Theorem correct : net "rsp_valid_o" (c + K + 2)%nat = 1 /\
    0 <= net "p_o" (c + K + 2)%nat < n /\ (net "p_o" (c + K + 2)%nat * 2 ^ W) mod n = (a * b) mod n.
  Proof.
    assert (I : net "state_q" c = 0) by (destruct (H_ready c) as [R _]; lia).
    destruct (H_accept c I request) as (_ & _ & A3 & A4 & _ & _).
    assert (Ra : 0 <= a < 2 ^ W) by (pose proof (H_ranges c); unfold a; lia).
    assert (Rb : 0 <= b) by (pose proof (H_ranges c); unfold b; lia).
    destruct end_of_loop as [E1 E2].
    pose (p := if net "s_q" reduced <? n then net "s_q" reduced else net "s_q" reduced - n).
    assert (G : 0 <= p < n /\ montgomery n (pw 2 K) a b p).
    { apply (mm_r2 n a b K (fun t => net "s_q" (first + t)%nat) (fun t => net "a_q" (first + t)%nat)); try lia.
      - rewrite pw_Z. exact Ra.
      - cbn beta. rewrite Nat.add_0_r. exact A3.
      - cbn beta. rewrite Nat.add_0_r. exact A4.
      - intros t L. destruct (loop t L) as (S1 & _ & _ & S4). rewrite Nat.add_succ_r. apply H_step; [exact S1 | rewrite S4; exact odd].
      - intros t L _. destruct (loop t L) as (S1 & _ & S3 & S4). rewrite Nat.add_succ_r.
        destruct (H_step _ S1 ltac:(rewrite S4; exact odd)) as (St & _). rewrite S3, S4 in St. exact (two_cases _ _ _ _ (q_range _) St).
      - reflexivity. }
    assert (B : 0 <= net "s_q" reduced < 2 * n).
    { (* the last value of the loop is in range, by the same theorem's invariant *)
      apply (mm_r2_bound n b K (fun t => net "s_q" (first + t)%nat) (fun t => net "a_q" (first + t)%nat)); try lia.
      - cbn beta. rewrite Nat.add_0_r. exact A3.
      - intros t L _. destruct (loop t L) as (S1 & _ & S3 & S4). rewrite Nat.add_succ_r.
        destruct (H_step _ S1 ltac:(rewrite S4; exact odd)) as (St & _). rewrite S3, S4 in St. exact (two_cases _ _ _ _ (q_range _) St). }
    destruct (H_reduce reduced E1 ltac:(rewrite E2; lia)) as [D1 D2]. rewrite E2 in D2. fold p in D2.
    replace (c + K + 2)%nat with (S reduced) by (unfold reduced, first; lia).
    assert (P : net "p_o" (S reduced) = p).
    { rewrite H_answer, D2 by exact D1. apply Z.mod_small. pose proof (H_ranges c). unfold n in *. lia. }
    rewrite P. split; [destruct (H_ready (S reduced)) as [_ V]; lia |]. destruct G as [G1 G2]. split; [exact G1 |].
    apply montgomery_mod. unfold W. rewrite <- pw_Z. exact G2.
  Qed.

  (* Never before: the answer is not valid in any cycle between. *)
  Theorem not_before : forall t, (c < t < c + K + 2)%nat -> net "rsp_valid_o" t = 0.
  Proof.
    intros t L. destruct (Nat.eq_dec t reduced) as [-> | N].
    - destruct end_of_loop as [E _]. destruct (H_ready reduced) as [_ V]. lia.
    - destruct (loop (t - first)%nat ltac:(unfold reduced, first in *; lia)) as (E & _). replace (first + (t - first))%nat with t in E by (unfold first; lia).
      destruct (H_ready t) as [_ V]. lia.
  Qed.

  (* It stays until it is taken. *)
  Theorem stays : forall j, (forall i, (i < j)%nat -> net "rsp_ready_i" (c + K + 2 + i)%nat = 0) ->
    net "rsp_valid_o" (c + K + 2 + j)%nat = 1 /\ net "p_o" (c + K + 2 + j)%nat = net "p_o" (c + K + 2)%nat.
  Proof.
    assert (D : net "state_q" (c + K + 2)%nat = 3) by (destruct correct as [V _]; destruct (H_ready (c + K + 2)%nat) as [_ X]; lia).
    set (z := (c + K + 2)%nat) in *.
    assert (I : forall j, (forall i, (i < j)%nat -> net "rsp_ready_i" (z + i)%nat = 0) ->
      net "state_q" (z + j)%nat = 3 /\ net "s_q" (z + j)%nat = net "s_q" z).
    { induction j; intros H; [rewrite Nat.add_0_r; auto |]. destruct (IHj ltac:(intros; apply H; lia)) as [S1 S2].
      destruct (H_hold _ S1 (H j ltac:(lia))) as [T1 T2]. rewrite Nat.add_succ_r. split; [exact T1 | congruence]. }
    intros j H. destruct (I j H) as [S1 S2]. split; [destruct (H_ready (z + j)%nat) as [_ V]; lia |].
    rewrite !H_answer, S2 by assumption. reflexivity.
  Qed.
End Chain.

Theorem contract : forall K net, (1 <= K)%nat -> let W := Z.of_nat K in
  ranges W net -> ready W net -> accept W net -> step W net -> count_up W net -> count_end W net -> reduce W net -> answer W net -> hold W net ->
  multiplier net (net "a_i") (net "b_i") (net "n_i") (net "p_o") (K + 2) (2 ^ W)
    (fun c => net "n_i" c mod 2 = 1) (fun n x => 0 <= x < n) (fun n p => 0 <= p < n).
Proof.
  intros K net wide W H_ranges H_ready H_accept H_step H_up H_end H_reduce H_answer H_hold c request now odd a_range b_range.
  pose proof (correct K net H_ranges H_ready H_accept H_step H_up H_end H_reduce H_answer c wide odd
    (proj2 b_range) request now) as (V & P & M).
  rewrite Nat.add_assoc. repeat split; try assumption; try lia.
  - intros t L. eapply not_before; eauto; try lia.
  - intros; eapply stays; eauto; lia.
  - intros; eapply stays; eauto; lia.
Qed.
