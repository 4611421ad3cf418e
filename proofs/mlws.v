(* SPDX-License-Identifier: Apache-2.0 *)
(* mf_mlws from the nets of the RTL to the contract, for every width and size of a digit. The hypotheses are the lemmas that montforge prints into
   mlws_lemmas.v, and proves on the RTL. *)
From Coq Require Import ZArith Lia String.
Require Import Instances Others Contract Control Mclaughlin mlws_lemmas.
Open Scope string_scope. Open Scope Z_scope.
Set Default Proof Using "All".

Section Chain.
  Variables (K : nat) (k D : Z) (net : trace).
  Let W := Z.of_nat K.
  Hypotheses (wide : (1 <= K)%nat /\ 2 <= k /\ 1 <= D /\ W + 2 <= k * D) (H_ranges : ranges W k D net) (H_ready : ready W k D net)
    (H_reset : quiet_at_reset W k D net) (H_quiet : quiet_on W k D net) (H_accept : accept W k D net) (H_runs : runs W k D net)
    (H_count : count W k D net) (H_phase : next_phase W k D net) (H_ends : ends W k D net) (H_keep : keep W k D net)
    (H_product : multiplied W k D net) (H_added : added W k D net) (H_shifted : shifted W k D net) (H_there : product_there W k D net)
    (H_combined : combined W k D net) (H_folded : folded W k D net) (H_passes : passes W k D net) (H_reduced : reduced W k D net)
    (H_settles : settles W k D net) (H_below : below_h W k D net) (H_halved : halved W k D net) (H_hold : hold W k D net)
    (H_answer : answer W k D net).

  Let q := Z.to_nat k. Let P := 2 ^ (k * D).
  Notation phase := (net "phase_q"). Notation core := (net "u_core.phase_q"). Notation left := (net "u_core.count_q"). Notation done := (net "u_core.done_q").
  Notation x := (net "u_core.multiplier_q"). Notation y := (net "u_core.multiplicand_q"). Notation r := (net "u_core.r_q"). Notation h := (net "u_core.h_q").
  Notation nq := (net "u_core.n_q"). Notation ni := (net "u_core.n_prime_q").

  Lemma sizes : Z.of_nat q = k /\ 2 <= 2 ^ W /\ 4 <= P /\ 2 ^ (k * D + 1) = 2 * P /\ 2 ^ (k * D + 2) = 4 * P /\ 2 ^ (k * D + D) = P * 2 ^ D /\
    P = 2 * (P / 2) /\ 4 * 2 ^ W <= P /\ 2 ^ (W + 1) = 2 * 2 ^ W.
  Proof.
    destruct wide as (K1 & k2 & D1 & fits). split; [unfold q; lia |]. split; [apply (Z.pow_le_mono_r 2 1); unfold W; lia |].
    split; [unfold P; apply (Z.pow_le_mono_r 2 2); nia |]. unfold P. split; [rewrite Z.pow_add_r by nia; ring |]. split; [rewrite Z.pow_add_r by nia; ring |].
    split; [rewrite Z.pow_add_r by nia; ring |]. split; [replace (k * D) with (1 + (k * D - 1)) by ring; rewrite Z.pow_add_r by nia; change (2 ^ 1) with 2; rewrite (Z.mul_comm 2 (2 ^ (k * D - 1))), Z.div_mul by lia; ring |]. split; [| rewrite Z.pow_add_r by (unfold W; lia); ring].
    apply Z.le_trans with (2 ^ (W + 2)); [rewrite Z.pow_add_r by (unfold W; lia); lia | apply Z.pow_le_mono_r; lia].
  Qed.

  Lemma sizes_core : 2 <= k /\ 1 <= D.
  Proof. destruct wide as (_ & A & B & _). auto. Qed.

  Lemma rests : forall t, quiet W k D net t.
  Proof. induction t; [apply H_reset; reflexivity | apply H_quiet, IHt]. Qed.

  Lemma registers : forall t, 0 <= x t < P /\ 0 <= y t < P /\ 0 <= r t < 2 * P /\ 0 <= net "u_core.r_sum" t < 4 * P /\ 0 <= net "u_core.product" t < P * 2 ^ D /\
    0 <= h t < 4 * P.
  Proof.
    intros t. destruct sizes as (_ & _ & _ & E1 & E2 & E3 & _).
    assert (0 <= x t < P /\ 0 <= y t < P /\ 0 <= r t < 2 ^ (k * D + 1) /\ 0 <= net "u_core.r_sum" t < 2 ^ (k * D + 2) /\ 0 <= net "u_core.product" t < 2 ^ (k * D + D) /\
      0 <= h t < 2 ^ (k * D + 2)) by in_range H_ranges t. lia.
  Qed.

  Lemma signed_passes : forall t, (core t = 1 \/ core t = 3) \/ core t = 5 -> x (S t) = (x t * 2 ^ D) mod P /\ y (S t) = y t /\
    r (S t) = (if core t =? 5 then r t else net "u_core.r_d" t) /\
    two (k * D + 2) (h (S t)) = if core t =? 3 then two (k * D + 2) (h t) else two (k * D + 2) (net "u_core.h_d" t).
  Proof. intros t I. destruct (H_passes t I) as (X & Y & R & V). repeat split; try assumption. rewrite V. destruct (core t =? 3); reflexivity. Qed.

  Lemma signed_settles : forall t, core t = 2 \/ core t = 4 -> x (S t) = net "u_core.m" t /\ y (S t) = (if core t =? 2 then ni t else nq t) /\
    r (S t) = (if core t =? 2 then 0 else net "u_core.m" t) /\ two (k * D + 2) (h (S t)) = two (k * D + 2) (h t).
  Proof. intros t I. destruct (H_settles t I) as (X & Y & R & V). repeat split; try assumption. rewrite V. reflexivity. Qed.

  Definition core_passed s1 C1 L1 D1 R1 G1 := passed k D core left done x y nq ni (net "u_core.m") r (net "u_core.r_d") (net "u_core.r_sum") (net "u_core.product")
    h (fun t => two (k * D + 2) (h t)) (fun t => two (k * D + 2) (net "u_core.h_d" t)) (fun t => two (k * D + 3) (net "u_core.h_shifted" t))
    (fun t => two (k * D + 3) (net "u_core.h_product" t)) (fun t => two (k * D + 3) (net "u_core.h_sum" t)) sizes_core registers H_count H_phase H_ends H_keep
    H_product H_added H_shifted H_there H_combined H_folded signed_passes H_reduced signed_settles H_below (fun t => eq_refl) s1 C1 L1 D1 R1 G1.

  Section Request.
  (* A request is accepted in cycle c. *)
  Variables (c : nat).
  Let a := net "a_i" c. Let b := net "b_i" c. Let n := net "n_i" c. Let n' := net "n_prime_i" c.
  Hypotheses (idle : phase c = 0) (request : net "req_valid_i" c = 1) (positive : 2 <= n) (inverse : (n * n' + 1) mod (P - 1) = 0) (a_range : a < 2 * n) (b_range : b < 2 * n).

  Lemma small : n < 2 ^ W /\ 0 <= a /\ 0 <= b.
  Proof. assert (0 <= a /\ 0 <= b /\ 0 <= n < 2 ^ W) by in_range H_ranges c. lia. Qed.

  Let m := (a * b * n') mod (P - 1). Let f := (S c + (3 * q + 3))%nat.

  Lemma product_there_is : (forall t, (c < t <= f)%nat -> phase t = 1) /\ done f = 1 /\ h f = (a * b + m * n) mod (P + 1).
  Proof.
    destruct (H_accept c idle request (rests c)) as (P1 & C1 & L1 & D1 & X1 & Y1 & N1 & I1 & R1 & G1).
    destruct (core_passed (S c) C1 L1 D1 R1 G1) as (N & _ & D2 & _ & _ & V). fold q P in N, D2, V. fold f in N, D2, V. rewrite X1, Y1, N1, I1 in V.
    split; [| auto]. assert (R : forall j, (S c + j <= f)%nat -> phase (S c + j)%nat = 1).
    { induction j; intros L; [rewrite Nat.add_0_r; exact P1 |]. rewrite Nat.add_succ_r. apply H_runs; [apply IHj; lia | apply N; lia]. }
    intros t L. replace t with (S c + (t - S c))%nat by lia. apply R. lia.
  Qed.

  Lemma response : let d := (3 * q + 5)%nat in phase (c + d)%nat = 2 /\ (forall t, (c < t < c + d)%nat -> phase t <> 2) /\
    0 <= net "p_o" (c + d)%nat < 2 * n /\ (net "p_o" (c + d)%nat * (P - 1)) mod n = (a * b) mod n.
  Proof.
    intros d. destruct product_there_is as (run & D1 & G). destruct sizes as (_ & W1 & P4 & _ & _ & _ & even & W4 & W5). destruct small as (Nn & An & Bn).
    replace (c + d)%nat with (S f) by (unfold d, f; lia). destruct (H_halved f (run f ltac:(unfold f; lia)) D1) as [P2 V2]. fold P in V2.
    split; [exact P2 |]. split; [intros t Ht; rewrite run by lia; lia |]. rewrite H_answer, V2, G.
    destruct (mclaughlin P n n' a b m ((a * b + m * n) mod (P + 1)) ((1 - (a * b + m * n) mod (P + 1)) mod P / 2)) as [R M]; try reflexivity; try lia.
    - exists (P / 2). exact even.
    - symmetry. apply (Z.mod_unique _ _ ((n * n' + 1) / (P - 1) - 1)); [lia |]. pose proof (Z.div_mod (n * n' + 1) (P - 1) ltac:(lia)) as E. rewrite inverse in E. lia.
    - rewrite Z.mod_small by lia. split; [exact R |]. apply montgomery_mod. exact M.
  Qed.
  End Request.

  Theorem contract : multiplier net (net "a_i") (net "b_i") (net "n_i") (net "p_o") (Z.to_nat (3 * k + 5)) (Z.to_nat (3 * k + 5)) (P - 1)
    (fun c => 2 <= net "n_i" c /\ (net "n_i" c * net "n_prime_i" c + 1) mod (P - 1) = 0) (fun n x => 0 <= x < 2 * n) (fun n p => 0 <= p < 2 * n).
  Proof.
    destruct sizes as (Eq & _). replace (Z.to_nat (3 * k + 5)) with (3 * q + 5)%nat by lia.
    apply (serves _ _ _ _ _ _ _ _ _ _ _ phase 0 2 (fun _ => True)); [exact H_ready | |].
    - intros c I X [positive inverse] [_ a_range] [_ b_range]. exists (3 * q + 5)%nat. destruct (response c I X positive inverse a_range b_range) as (D1 & B1 & R & M).
      split; [lia |]. auto.
    - intros t E _ N. destruct (H_hold t E N (rests t)) as [E' V]. rewrite !H_answer, V. auto.
  Qed.
End Chain.
