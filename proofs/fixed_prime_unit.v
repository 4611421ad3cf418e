(* SPDX-License-Identifier: Apache-2.0 *)
(* mf_fixed_prime with a modulus that is 1 or -1 modulo 2^word, as fixed_prime.v: a step takes no product for its quotient digit. *)
From Coq Require Import ZArith Lia String.
Require Import Contract Bits Numbered Pipelined BoothRows PipelinedSum FixedModulus UnitSteps fixed_prime_lemmas.
Open Scope string_scope. Open Scope Z_scope.
Set Default Proof Using "All".

Section Chain.
  Variables (K : nat) (modulus latency product_rows product_cycles steps word multiple_rows multiple_signs unit multiple_places constant multiple_minus multiple_cycles : Z) (net : trace) (n : nat -> Z).
  Let W := Z.of_nat K.
  Local Notation on lemma := (lemma W modulus latency product_rows product_cycles steps word multiple_rows multiple_signs unit multiple_places constant multiple_minus multiple_cycles net).
  Hypotheses (fit : (fits_unit W modulus latency (1 + product_cycles) steps word unit constant (factor multiple_places multiple_signs (Z.to_nat (multiple_rows - 2)))
    multiple_rows multiple_signs multiple_places multiple_minus multiple_cycles &&
      (1 <=? product_cycles) && (product_rows =? (W + 1) / 2 + 1))%bool = true)
    (H_ranges : on ranges) (H_odd : on odd)
    (H_handshake : on buffer_handshake) (H_empty : on buffer_empty) (H_counts : on buffer_counts) (H_places : on buffer_places) (H_keeps : on buffer_keeps)
    (H_shows : on buffer_shows) (H_none : on none) (H_enters : on enters) (H_leaves : on leaves)
    (H_product_terms : on product_terms) (H_product_tree : on product_tree) (H_product_groups : on product_groups)
    (H_product_carries : on product_carries) (H_product_sum : on product_sum) (H_values : on values)
    (H_kept : on kept)
    (H_multiple_terms : on multiple_terms) (H_multiple_tree : on multiple_tree) (H_multiple_groups : on multiple_groups) (H_multiple_carries : on multiple_carries)
    (H_multiple_sum : on multiple_sum) (H_result : on step_result).

  Lemma inputs : forall t, (0 <= net "a_i" t < 2 ^ (W + 1) /\ 0 <= net "b_i" t < 2 ^ (W + 1)) /\ 0 <= net "req_valid_i" t < 2 /\ 0 <= net "rsp_ready_i" t < 2.
  Proof. clear - H_ranges. intros t. generalize (H_ranges t). unfold ranges. nets_as_variables net. clear. intros. match goal with R : _ /\ _ |- _ => decompose [and] R; clear R end. repeat split; assumption. Qed.

  Lemma fit_says : fits_unit W modulus latency (1 + product_cycles) steps word unit constant (factor multiple_places multiple_signs (Z.to_nat (multiple_rows - 2)))
    multiple_rows multiple_signs multiple_places multiple_minus multiple_cycles = true /\
    (3 <= W /\ 1 <= word) /\ 1 <= product_cycles /\ product_rows = (W + 1) / 2 + 1.
  Proof.
    pose proof fit as F. clear - F. rewrite !Bool.andb_true_iff, Z.leb_le, !Z.eqb_eq in F. destruct F as ((F & P) & R). pose proof (unit_says _ _ _ _ _ _ _ _ _ _ _ _ _ _ F) as ((HW & _ & _ & HM & _) & _).
    repeat split; try assumption. clear - HM. lia.
  Qed.

  Lemma product_is : forall t, part (net "u_core.u_product.gen_rows.gen_product.u_product.u_sum.u_adder.sum_o" (Z.to_nat (1 + product_cycles) + t)%nat) 0 (2 * (W + 1)) = net "a_i" t * net "b_i" t.
  Proof.
    destruct fit_says as (_ & (HW & _) & P & R).
    assert (sum : forall t v, (2 ^ (2 * (W + 1)) | total (vectors (2 * (W + 1)) (net "u_core.u_product.gen_rows.gen_product.u_product.u_sum.rows_i" t)) (Z.to_nat product_rows) - v) ->
      part (net "u_core.u_product.gen_rows.gen_product.u_product.u_sum.u_adder.sum_o" (Z.to_nat product_cycles + t)%nat) 0 (2 * (W + 1)) = v mod 2 ^ (2 * (W + 1))).
    { product_by net HW H_product_tree H_product_groups H_product_carries H_product_sum. }
    intros t. destruct (inputs t) as ((A & B) & _). replace (Z.to_nat (1 + product_cycles) + t)%nat with (Z.to_nat product_cycles + S t)%nat by (clear - P; lia).
    rewrite (sum (S t) (net "a_i" t * net "b_i" t)).
    - clear - HW A B. apply Z.mod_small. replace (2 * (W + 1)) with ((W + 1) + (W + 1)) by lia. rewrite Z.pow_add_r by lia. split; [apply Z.mul_nonneg_nonneg; lia | apply Z.mul_lt_mono_nonneg; lia].
    - apply booth_product; [clear - HW; lia | exact R | exact B | apply (H_product_terms t)].
  Qed.

  Theorem contract : pipelined net (net "a_i") (net "b_i") n (net "p_o") (S (Z.to_nat latency)) (S (Z.to_nat latency)) (2 ^ (steps * word))
    (fun c => n c = modulus) (fun n x => 0 <= x < 2 * n) (fun n p => 0 <= p < 2 * n).
  Proof.
    destruct fit_says as (F & _). destruct (unit_says _ _ _ _ _ _ _ _ _ _ _ _ _ _ F) as ((_ & _ & S1 & _) & (P & M & L) & _).
    assert (some : 1 <= latency) by (clear - S1 P M L; nia).
    eapply unit_modulus with (a := net "a_i") (b := net "b_i") (result := net "u_buffer.result_i")
      (v_before := fun i => net (numbered "u_core.gen_montgomery.gen_step[" i "].v_before")) (v_after := fun i => net (numbered "u_core.gen_montgomery.gen_step[" i "].v"));
      [exact F | intros right | exact product_is | exact H_values | exact H_result | exact H_kept | exact H_multiple_terms |].
    - eapply one_modulus; [exact some | exact inputs | exact H_handshake | exact H_empty | exact H_counts | exact H_places | exact H_keeps | exact H_shows | exact H_none | exact H_enters | exact H_leaves | exact right].
    - cbv beta. intros i t v I sum S2. of_step net i I H_multiple_tree H_multiple_groups H_multiple_carries H_multiple_sum.
      assert (S0 : 0 <= sum) by (clear - S2; lia). fold sum in H, H0, H1, H2. clearbody sum. clear - H H0 H1 H2 S2 S0. revert t v. sum_of_rows net H H0 H1 H2.
  Qed.
End Chain.
