(* SPDX-License-Identifier: Apache-2.0 *)
(* mf_scs_mm from the nets of the RTL to the contract, for every width. The hypotheses are the lemmas that montforge prints into
   scs_mm_lemmas.v, and proves on the RTL. *)
From Coq Require Import ZArith Lia String.
Require Import DigitRecurrence Instances Contract Control scs_mm_lemmas.
Open Scope string_scope. Open Scope Z_scope.
Set Default Proof Using "All".

Section Chain.
  Variables (K : nat) (net : trace).
  Let W := Z.of_nat K.
  Hypotheses (wide : (1 <= K)%nat) (H_ranges : ranges W net) (H_ready : ready W net) (H_selects : selects W net) (H_reset : selects_at_reset W net)
    (H_accept : accept W net) (H_clear : clear W net) (H_row1 : row1 W net) (H_row2 : row2 W net) (H_step : step W net)
    (H_count : count W net) (H_end : count_end W net) (H_add : add W net) (H_added : added W net) (H_hold : hold W net)
    (H_answer : answer W net).

  (* In every cycle the selects are those of the phase. *)
  Lemma selected : forall t k, net "phase_q" t = k ->
    net "select_loop_q" t = (if k =? 1 then 1 else 0) /\ net "select_add_q" t = (if k =? 2 then 1 else if k =? 3 then 1 else 0).
  Proof. intros t k <-. destruct t; [destruct (H_reset O eq_refl) as (-> & -> & ->); auto | apply H_selects]. Qed.

  Section Request.
  (* A request is accepted in cycle c. *)
  Variables (c : nat).
  Let a := net "a_i" c. Let b := net "b_i" c. Let n := net "n_i" c.
  Hypotheses (idle : net "phase_q" c = 0) (request : net "req_valid_i" c = 1) (odd : n mod 2 = 1) (a_range : a < 2 * n) (b_range : b < 2 * n).

  Let first := S c.                                                                          (* the first cycle of the loop *)
  Let total t := net "ss_q" t + net "sc_q" t.

  Lemma loop : forall t, (t <= K + 1)%nat -> net "phase_q" (first + t)%nat = 1 /\ net "u_countdown.left_q" (first + t)%nat = Z.of_nat (K + 1 - t) /\
    net "b_q" (first + t)%nat = b /\ net "n_q" (first + t)%nat = n.
  Proof.
    destruct (H_accept c idle request) as (A1 & A2 & _ & A4 & A5).
    apply (counted _ _ 1 (fun t => net "b_q" t = b /\ net "n_q" t = n)); [exact H_count | | exact A1 | unfold first; lia | auto].
    intros t P [B N]. destruct (selected _ _ P) as [L1 L2]. destruct (H_step t P L1 L2) as (_ & _ & _ & -> & ->). auto.
  Qed.

  (* One cycle of the loop, exactly. *)
  Lemma recurrence : forall t, (t < K + 2)%nat -> let q := net "u_csa.quotient_digit" (first + t)%nat in
    0 <= q <= 1 /\ 2 * total (first + S t) = total (first + t) + net "a_q" (first + t)%nat mod 2 * b + q * n.
  Proof.
    intros t L q. destruct (loop t ltac:(lia)) as (S1 & _ & S3 & S4). destruct (selected _ _ S1) as [L1 L2].
    destruct (H_step _ S1 L1 L2) as (N1 & N2 & _ & _ & _). destruct (H_row1 (first + t)%nat ltac:(in_range H_ranges (first + t)%nat) ltac:(in_range H_ranges (first + t)%nat)) as (R1 & R2 & R3).
    destruct (H_row2 _ R2 R3 ltac:(rewrite S4; exact odd)) as (E1 & E2 & E3). pose proof (H_ranges (first + t)%nat).
    split; [unfold q; lia |]. unfold total. rewrite Nat.add_succ_r, N1, N2. rewrite S3 in R1. rewrite S4 in E1. fold q in E1.
    pose proof (Z.div_mod (net "u_csa.sum_o" (first + t)%nat) 2 ltac:(lia)). pose proof (Z.div_mod (net "u_csa.carry_o" (first + t)%nat) 2 ltac:(lia)).
    lia.
  Qed.

  Let added := (first + (K + 2))%nat.                                                         (* the cycle of the addition *)

  Lemma result : 0 <= total added < 2 * n /\ montgomery n (pw 2 (K + 2)) a b (total added).
  Proof.
    destruct (H_accept c idle request) as (_ & _ & A3 & _). destruct (selected _ _ idle) as [L1 L2].
    destruct (H_clear c idle L1 L2) as [C1 C2]. pose proof (H_ranges c) as Rc.
    apply (long_loop n a b K (fun t => total (first + t)) (fun t => net "a_q" (first + t)%nat) (fun t => net "u_csa.quotient_digit" (first + t)%nat)).
    - unfold n, a, b in *. lia.
    - rewrite pw_Z. fold W. unfold n. lia.
    - unfold n, a, b in *. lia.
    - unfold n, a, b in *. lia.
    - unfold total. rewrite Nat.add_0_r. unfold first. lia.
    - cbn beta. rewrite Nat.add_0_r. exact A3.
    - intros t L. destruct (loop t ltac:(lia)) as (S1 & _). destruct (selected _ _ S1) as [M1 M2].
      rewrite Nat.add_succ_r. apply (H_step _ S1 M1 M2).
    - exact recurrence.
  Qed.

  Lemma end_of_loop : net "phase_q" added = 2.
  Proof.
    destruct (loop (K + 1)%nat ltac:(lia)) as (S1 & S2 & _). unfold added. replace (first + (K + 2))%nat with (S (first + (K + 1)))%nat by lia.
    apply H_end; [exact S1 | lia].
  Qed.

  Let done := (c + (K + 4))%nat.

  Lemma sum : net "phase_q" done = 3 /\ net "ss_q" done = total added /\ net "sc_q" done = 0.
  Proof.
    pose proof end_of_loop as E. destruct (selected _ _ E) as [L1 L2].
    destruct (H_add _ L1 L2) as [A1 A2]. pose proof (H_added _ E). destruct result as [R _].
    replace done with (S added) by (unfold done, added, first; lia). repeat split; auto. rewrite A1. apply Z.mod_small.
    unfold total in *. pose proof (H_ranges c) as Rc. unfold n in *. assert (2 ^ (W + 1) = 2 * 2 ^ W) by (rewrite Z.pow_add_r by lia; lia). lia.
  Qed.

  Lemma before : forall t, (c < t < done)%nat -> net "phase_q" t <> 3.
  Proof.
    intros t L. destruct (Nat.eq_dec t added) as [-> | N]; [rewrite end_of_loop; lia |].
    destruct (loop (t - first)%nat ltac:(unfold done, added, first in *; lia)) as (E & _).
    replace (first + (t - first))%nat with t in E by (unfold first; lia). lia.
  Qed.
  End Request.

  Theorem contract : multiplier net (net "a_i") (net "b_i") (net "n_i") (net "p_o") (K + 4) (K + 4) (2 ^ (W + 2))
    (fun c => net "n_i" c mod 2 = 1) (fun n x => 0 <= x < 2 * n) (fun n p => 0 <= p < 2 * n).
  Proof.
    apply (serves _ _ _ _ _ _ _ _ _ _ _ (net "phase_q") 0 3 (fun t => net "sc_q" t = 0)); [exact H_ready | |].
    - intros c I V odd [_ a_range] [_ b_range]. exists (K + 4)%nat.
      destruct (sum c I V odd a_range b_range) as (D1 & D2 & D3). destruct (result c I V odd a_range b_range) as (R & M).
      split; [lia |]. split; [exact D1 |]. split; [apply before; assumption |]. split; [exact D3 |]. rewrite H_answer, D2.
      split; [exact R |]. apply montgomery_mod. replace (2 ^ (W + 2)) with (pw 2 (K + 2)); [exact M |]. rewrite pw_Z. f_equal. unfold W. lia.
    - intros t D C T. destruct (selected _ _ D) as [L1 L2]. destruct (H_add t L1 L2) as [S2 C2]. rewrite !H_answer, S2, C, Z.add_0_r.
      split; [exact (H_hold t D T) |]. split; [exact C2 |]. apply Z.mod_small. pose proof (H_ranges t). lia.
  Qed.
End Chain.
