(* SPDX-License-Identifier: Apache-2.0 *)
(* mf_mcivor with a multiplier of three stages from the nets of the RTL to the contract, for every width and block. The hypotheses are the lemmas that
   montforge prints into mcivor_lemmas.v, for the number of blocks, and proves on the RTL. *)
From Coq Require Import ZArith Lia String.
Require Import DigitRecurrence Instances WordSerial Contract Control Bits BoothRows Products BlockProduct Passes mcivor_lemmas.
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

  Theorem contract : multiplier net (net "a_i") (net "b_i") (net "n_i") (net "p_o") 12 12 (2 ^ W)
    (fun c => net "n_i" c mod 2 = 1 /\ (net "n_i" c * net "n_prime_i" c + 1) mod 2 ^ W = 0) (fun n x => 0 <= x < n) (fun n p => 0 <= p < n).
  Proof.
    apply (serves_products 3 W net); try assumption; [lia | exact multiplied |]. intros t. in_range H_ranges t.
  Qed.
End Chain.
