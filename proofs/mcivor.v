(* SPDX-License-Identifier: Apache-2.0 *)
(* mf_mcivor with a multiplier of three stages from the nets of the RTL to the contract, for every width and block. The hypotheses are the lemmas that
   montforge prints into mcivor_lemmas.v, for the number of blocks, and proves on the RTL. *)
From Coq Require Import ZArith Lia String.
Require Import DigitRecurrence Instances WordSerial Contract Control Bits BoothRows Products BlockProduct mcivor_lemmas.
Open Scope string_scope. Open Scope Z_scope.
Set Default Proof Using "All".

Section Chain.
  Variables (K : nat) (blocks block : Z) (net : trace).
  Let W := Z.of_nat K.
  Local Notation on lemma := (lemma W blocks block net).
  Hypotheses (wide : (1 <= K)%nat /\ 1 <= block /\ 2 <= blocks /\ W <= blocks * block) (H_ranges : on ranges) (H_ready : on ready)
    (H_rest : on rest) (H_accept : on accept) (H_keep : on keep) (H_runs : on runs) (H_ends : on ends) (H_adds : on adds) (H_operands : on operands)
    (H_halves : on halves) (H_added : on added) (H_reduced : on reduced) (H_hold : on hold) (H_answer : on answer) (H_products : on block_products)
    (H_row_ends : on ends_of_rows) (H_last : on last_stage) (H_tree : on tree).

  Local Notation phase := (net "u_passes.phase_q"). Local Notation count := (net "u_passes.count_q").
  Local Notation x := (net "x"). Local Notation y := (net "y"). Local Notation product := (net "product").
  Let R := 2 ^ W.
  Let SW := 2 * (blocks * block).

  Lemma sizes : blocks = Z.of_nat (Z.to_nat blocks) /\ (2 <= Z.to_nat blocks)%nat /\ 0 <= SW /\ 0 <= (blocks + 1) * block.
  Proof. unfold SW. assert (0 <= blocks * block) by (apply Z.mul_nonneg_nonneg; lia). lia. Qed.

  Lemma operands_range : forall t, 0 <= x t < R /\ 0 <= y t < R.
  Proof. intros t. in_range H_ranges t. Qed.

  (* ---------------------------------------------------------------- the multiplier *)
  Lemma rows_sum : forall t, total (fun k => part (net "u_multiplier.gen_block_row[0..].products_q" (S t)) (Z.of_nat k * ((blocks + 1) * block)) ((blocks + 1) * block) *
    2 ^ (Z.of_nat (Nat.div2 k) * block)) (2 * Z.to_nat blocks) = x t * y t.
  Proof.
    intros t. destruct sizes as (BN & B2 & _). destruct (operands_range t) as [X Y].
    assert (P : R <= 2 ^ (blocks * block)) by (apply Z.pow_le_mono_r; lia).
    pose proof (block_product block (net "u_multiplier.gen_block_row[0..].products_q" (S t)) (x t) (y t) (Z.to_nat blocks)) as G. rewrite <- BN in G. apply G; [lia | lia | lia | ..].
    - intros i j I J. pose proof (H_products t (Z.of_nat i * blocks + Z.of_nat j) ltac:(nia)) as E.
      assert (E1 : (Z.of_nat i * blocks + Z.of_nat j) mod blocks = Z.of_nat j) by (rewrite Z.add_comm, Z_mod_plus_full; apply Z.mod_small; lia).
      assert (E2 : (Z.of_nat i * blocks + Z.of_nat j) / blocks = Z.of_nat i) by (rewrite Z.add_comm, Z.div_add, Z.div_small by lia; lia).
      rewrite E1, E2 in E. exact E.
    - intros i I. apply (H_row_ends t (Z.of_nat i)). lia.
    - intros i I. apply (H_row_ends t (Z.of_nat i)). lia.
  Qed.

  Lemma multiplied : forall t, product (S (S (S t))) = x t * y t.
  Proof.
    intros t. destruct (operands_range t) as [X Y]. destruct sizes as (BN & B2 & S0 & L0). pose proof (rows_sum t) as S1.
    pose proof (proj1 (proj2 (H_tree (S t)))) as D. pose proof (H_last (S (S t))) as Q. rewrite D in Q. fold SW in Q.
    assert (E : (2 ^ SW | part (net "u_multiplier.pair_d" (S t)) 0 SW + part (net "u_multiplier.pair_d" (S t)) SW SW - x t * y t)).
    { replace SW with (1 * SW) at 3 by lia. change 0 with (0 * SW) at 1. pose proof (proj1 (H_tree O)) as C. pose proof (H_tree (S t)) as T. revert T S1. generalize (x t * y t).
      match type of C with _ = ?c => let n := eval vm_compute in (Z.to_nat c) in assert (CN : Z.to_nat blocks = n) by (clear - C; rewrite C; reflexivity) end.
      rewrite CN. cbn [Nat.mul Nat.add total Nat.div2]. places_as_integers. fold SW. clear - S0 L0. intros xy.
      repeat match goal with |- context [part ?a ?l ?v * 2 ^ ?u] =>
        generalize (Z.mul_nonneg_nonneg _ _ (proj1 (part_range a l v L0)) (Z.pow_nonneg 2 u ltac:(clear; lia))); generalize (part a l v * 2 ^ u); intros ? ? end.
      parts_as_variables. intros T S1. decompose [and] T; clear T. rows_divide SW. rewrite <- S1. by_sum. }
    pose proof (divide_pow (2 * W) SW _ ltac:(unfold SW; lia) E) as [j G]. rewrite Q. replace (_ + _) with (x t * y t + j * 2 ^ (2 * W)) by lia.
    rewrite Z_mod_plus_full. apply Z.mod_small. replace (2 * W) with (W + W) by lia. rewrite Z.pow_add_r by lia. fold R.
    split; [apply Z.mul_nonneg_nonneg; lia | apply Z.mul_lt_mono_nonneg; lia].
  Qed.

  (* ---------------------------------------------------------------- the passes *)
  Lemma pass : forall t v, phase t = v -> count t = 0 -> v = 1 \/ v = 2 \/ v = 3 ->
    (phase (1 + t)%nat = v /\ phase (2 + t)%nat = v) /\ phase (3 + t)%nat = v + 1 /\ count (3 + t)%nat = 0.
  Proof.
    intros t v P C V. cbn [Nat.add].
    assert (in_pass : forall i, phase i = v -> (phase i = 1 \/ phase i = 2) \/ phase i = 3) by (intros i ->; tauto).
    destruct (H_runs _ (in_pass _ P) ltac:(lia)) as [P1 C1]. rewrite P in P1. destruct (H_runs _ (in_pass _ P1) ltac:(lia)) as [P2 C2]. rewrite P1 in P2.
    destruct (H_ends _ (in_pass _ P2) ltac:(lia)) as [P3 C3]. rewrite P2 in P3. auto.
  Qed.

  Section Request.
  (* A request is accepted in cycle c. *)
  Variables (c : nat).
  Let a := net "a_i" c. Let b := net "b_i" c. Let n := net "n_i" c.
  Hypotheses (idle : phase c = 0) (request : net "req_valid_i" c = 1) (odd : n mod 2 = 1) (inverse : (n * net "n_prime_i" c + 1) mod R = 0)
    (a_range : 0 <= a < n) (b_range : 0 <= b < n).
  Let first := S c.

  Lemma phases : (phase first = 1 /\ phase (1 + first)%nat = 1 /\ phase (2 + first)%nat = 1) /\
    (phase (3 + first)%nat = 2 /\ phase (4 + first)%nat = 2 /\ phase (5 + first)%nat = 2) /\
    (phase (6 + first)%nat = 3 /\ phase (7 + first)%nat = 3 /\ phase (8 + first)%nat = 3) /\
    phase (9 + first)%nat = 4 /\ phase (10 + first)%nat = 5 /\ phase (11 + first)%nat = 6.
  Proof.
    destruct (H_accept c idle request) as (P & _). pose proof (H_rest c ltac:(left; lia)) as C. fold first in P, C.
    destruct (pass first 1 P C ltac:(tauto)) as ((A1 & A2) & A3 & A4). destruct (pass (3 + first) 2 A3 A4 ltac:(tauto)) as ((B1 & B2) & B3 & B4).
    destruct (pass (6 + first) 3 B3 B4 ltac:(tauto)) as ((D1 & D2) & D3 & _). pose proof (H_adds (9 + first)%nat ltac:(tauto)) as E.
    cbn [Nat.add] in *. rewrite D3 in E. pose proof (H_adds _ (or_intror E)) as F. rewrite E in F. repeat split; assumption.
  Qed.

  Lemma kept : forall i, (i <= 11)%nat -> net "u_passes.x_q" (i + first)%nat = a /\ net "u_passes.y_q" (i + first)%nat = b /\ net "u_passes.n_q" (i + first)%nat = n /\
    net "u_passes.n_prime_q" (i + first)%nat = net "n_prime_i" c.
  Proof.
    induction i; intros L; [apply (H_accept c idle request) |]. destruct phases as ((A1 & A2 & A3) & (B1 & B2 & B3) & (D1 & D2 & D3) & E1 & E2 & E3).
    assert (P : 0 < phase (i + first)%nat) by (do 11 (destruct i as [| i]; [cbn [Nat.add] in *; lia |]); lia).
    cbn [Nat.add]. destruct (H_keep _ P) as (-> & -> & -> & ->). apply IHi. lia.
  Qed.

  Let T := a * b. Let q := (T mod R * net "n_prime_i" c) mod R.

  Lemma total_is : net "u_passes.sum_q" (10 + first)%nat = T / R + q * n / R + (if T mod R =? 0 then 0 else 1).
  Proof.
    destruct phases as ((A1 & A2 & A3) & (B1 & B2 & B3) & (D1 & D2 & D3) & E1 & E2 & E3).
    assert (P : forall i, (i <= 2)%nat -> phase (i + first)%nat = 1 -> product (3 + (i + first))%nat = T).
    { intros i L P. cbn [Nat.add]. rewrite multiplied. destruct (H_operands (i + first)%nat) as [X Y]. destruct (kept i ltac:(lia)) as (K1 & K2 & _).
      rewrite P, K1 in X. rewrite P, K2 in Y. rewrite X, Y. reflexivity. }
    pose proof (P 0%nat ltac:(lia) A1) as P3. pose proof (P 2%nat ltac:(lia) A3) as P5. clear P. cbn [Nat.add] in *.
    pose proof (multiplied (3 + first)) as P6. destruct (H_operands (3 + first)%nat) as [X Y]. destruct (kept 3 ltac:(lia)) as (_ & _ & _ & K4). cbn [Nat.add] in *.
    rewrite B1, P3 in X. rewrite B1, K4 in Y. cbn [Z.eqb Pos.eqb] in X, Y. rewrite X, Y in P6.
    pose proof (multiplied (6 + first)) as P9. clear X Y. destruct (H_operands (6 + first)%nat) as [X Y]. destruct (kept 6 ltac:(lia)) as (_ & _ & K3 & _). cbn [Nat.add] in *.
    rewrite D1, P6 in X. rewrite D1, K3 in Y. cbn [Z.eqb Pos.eqb] in X, Y. fold R q in X. rewrite X, Y in P9.
    destruct (H_halves (5 + first)%nat) as [H5 L5]. destruct (H_halves (6 + first)%nat) as [H6 L6]. destruct (H_halves (7 + first)%nat) as [H7 L7].
    destruct (H_halves (8 + first)%nat) as [H8 L8]. cbn [Nat.add] in *. rewrite B3 in H5, L5. rewrite D1 in H6, L6. rewrite D2 in H7, L7. rewrite D3 in H8, L8.
    cbn [Z.eqb Pos.eqb] in *. pose proof (H_added _ E1) as S. rewrite S, P9, H8, H7, H6, H5, L8, L7, L6, L5, P5. reflexivity.
  Qed.

  Lemma response : let t := (c + 12)%nat in phase t = 6 /\ (forall i, (c < i < t)%nat -> phase i <> 6) /\ 0 <= net "p_o" t < n /\
    (net "p_o" t * 2 ^ W) mod n = (a * b) mod n.
  Proof.
    intros t. replace t with (11 + first)%nat by (unfold t, first; lia). destruct phases as ((A1 & A2 & A3) & (B1 & B2 & B3) & (D1 & D2 & D3) & E1 & E2 & E3).
    split; [exact E3 |]. split.
    - intros i L. assert (J : exists j, (j <= 10)%nat /\ i = (j + first)%nat) by (exists (i - first)%nat; unfold first in *; lia). destruct J as (j & J & ->).
      do 11 (destruct j as [| j]; [cbn [Nat.add] in *; lia |]). lia.
    - assert (N : 0 <= n < R) by in_range H_ranges c. destruct (full_word n (net "n_prime_i" c) R a b ltac:(lia) a_range b_range inverse) as [B M].
      fold T in B, M. fold q in B, M. cbv zeta in B, M. fold T q in B, M. rewrite <- total_is in B, M. apply montgomery_mod in M.
      destruct (kept 10 ltac:(lia)) as (_ & _ & K3 & _). pose proof (H_reduced (10 + first)%nat E2 ltac:(rewrite K3; apply B)) as P. rewrite K3 in P. rewrite H_answer.
      change (11 + first)%nat with (S (10 + first)). rewrite P. fold R. set (u := net "u_passes.sum_q" (10 + first)%nat) in *. destruct (Z.ltb_spec u n); [split; [lia | exact M] |].
      split; [lia |]. rewrite <- M. replace ((u - n) * R) with (u * R + (- R) * n) by ring. apply Z_mod_plus_full.
  Qed.
  End Request.

  Theorem contract : multiplier net (net "a_i") (net "b_i") (net "n_i") (net "p_o") 12 12 (2 ^ W)
    (fun c => net "n_i" c mod 2 = 1 /\ (net "n_i" c * net "n_prime_i" c + 1) mod 2 ^ W = 0) (fun n x => 0 <= x < n) (fun n p => 0 <= p < n).
  Proof.
    apply (serves _ _ _ _ _ _ _ _ _ _ _ phase 0 6 (fun _ => True)); [exact H_ready | |].
    - intros c I V [odd inverse] A B. exists 12%nat. destruct (response c I V odd inverse A B) as (P & N & M). split; [lia |]. auto.
    - intros t D _ G. destruct (H_hold t D G) as [D' P']. rewrite !H_answer, P'. auto.
  Qed.
End Chain.
