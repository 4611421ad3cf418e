(* SPDX-License-Identifier: Apache-2.0 *)
(* mf_fixed_prime with steps whose quotient is a product, from the nets of the RTL to the contract, for every modulus, width and word. The hypotheses are
   the lemmas that montforge prints into fixed_prime_lemmas.v, for the rows of its sums, and proves on the RTL. *)
From Coq Require Import ZArith Lia String.
Require Import Contract Bits Numbered Pipelined BoothRows PipelinedSum FixedModulus fixed_prime_lemmas.
Open Scope string_scope. Open Scope Z_scope.
Set Default Proof Using "All".

Section Chain.
  Variables (K : nat) (modulus latency product_rows product_cycles steps word quotient_rows quotient_signs quotient_places quotient_minus quotient_cycles
    guard multiple_rows multiple_signs multiple_places multiple_minus multiple_cycles : Z) (net : trace) (n : nat -> Z).
  Let W := Z.of_nat K.
  Local Notation on lemma := (lemma W modulus latency product_rows product_cycles steps word quotient_rows quotient_signs quotient_places quotient_minus quotient_cycles
    guard multiple_rows multiple_signs multiple_places multiple_minus multiple_cycles net).
  Hypotheses (fit : fits W modulus latency product_rows product_cycles steps word quotient_rows quotient_signs quotient_places quotient_minus quotient_cycles
      guard multiple_rows multiple_signs multiple_places multiple_minus multiple_cycles = true) (H_ranges : on ranges) (H_odd : on odd)
    (H_handshake : on buffer_handshake) (H_empty : on buffer_empty) (H_counts : on buffer_counts) (H_places : on buffer_places) (H_keeps : on buffer_keeps)
    (H_shows : on buffer_shows) (H_none : on none) (H_enters : on enters) (H_leaves : on leaves)
    (H_product_terms : on product_terms) (H_product_tree : on product_tree) (H_product_groups : on product_groups) (H_product_carries : on product_carries)
    (H_product_sum : on product_sum) (H_values : on values)
    (H_quotient_terms : on quotient_terms) (H_quotient_tree : on quotient_tree) (H_quotient_groups : on quotient_groups) (H_quotient_carries : on quotient_carries)
    (H_quotient_sum : on quotient_sum) (H_kept : on kept)
    (H_multiple_terms : on multiple_terms) (H_multiple_tree : on multiple_tree) (H_multiple_groups : on multiple_groups) (H_multiple_carries : on multiple_carries)
    (H_multiple_sum : on multiple_sum) (H_result : on step_result).

  Local Notation of_step of := (fun i => net (numbered "u_core.gen_montgomery.gen_step[" i of)).

  Lemma inputs : forall t, (0 <= net "a_i" t < 2 ^ (W + 1) /\ 0 <= net "b_i" t < 2 ^ (W + 1)) /\ 0 <= net "req_valid_i" t < 2 /\ 0 <= net "rsp_ready_i" t < 2.
  Proof. clear - H_ranges. intros t. generalize (H_ranges t). unfold ranges. nets_as_variables net. clear. intros. match goal with R : _ /\ _ |- _ => decompose [and] R; clear R end. repeat split; assumption. Qed.


  Theorem contract : pipelined net (net "a_i") (net "b_i") n (net "p_o") (S (Z.to_nat latency)) (S (Z.to_nat latency)) (2 ^ (steps * word))
    (fun c => n c = modulus) (fun n x => 0 <= x < 2 * n) (fun n p => 0 <= p < 2 * n).
  Proof.
    apply (fixed_modulus W modulus latency product_rows product_cycles steps word quotient_rows quotient_signs quotient_places quotient_minus quotient_cycles
      guard multiple_rows multiple_signs multiple_places multiple_minus multiple_cycles net (net "a_i") (net "b_i") n (net "p_o") (net "valid_q")
      (net "u_buffer.owed_q") (net "u_buffer.waiting_q") (net "u_buffer.put_q") (net "u_buffer.take_q") (net "u_buffer.put_i") (net "u_buffer.result_i") (net "u_buffer.results_q")
      (net "u_core.u_product.gen_rows.gen_product.u_product.u_sum.rows_i") (net "u_core.u_product.gen_rows.gen_product.u_product.u_sum.u_adder.sum_o")
      (of_step "].u_step.gen_quotient.u_q.rows_i") (of_step "].u_step.gen_quotient.u_q.u_adder.sum_o") (of_step "].u_step.u_sum.rows_i") (of_step "].u_step.u_sum.u_adder.sum_o")
      (of_step "].v_before") (of_step "].v") (of_step "].u_step.u_kept.gen_registers.line_q")); [exact fit | exact inputs | exact H_handshake | exact H_empty | exact H_counts | exact H_places
      | exact H_keeps | exact H_shows | exact H_none | exact H_enters | exact H_leaves | | | exact H_values | exact H_result | exact H_quotient_terms | | exact H_kept | exact H_multiple_terms |].
    - intros t. destruct (fits_says _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ fit) as ((HW & _ & R & _) & _). apply booth_product; [clear - HW; lia | exact R | apply inputs | apply (H_product_terms t)].
    - destruct (fits_says _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ fit) as ((HW & _) & _). pose proof H_product_tree as H1. pose proof H_product_groups as H2. pose proof H_product_carries as H3.
      pose proof H_product_sum as H4. unfold product_tree, product_groups, product_carries, product_sum in *.
      assert (M1 : 1 <= 2 * (W + 1)) by (clear - HW; lia). assert (M0 : 0 <= 2 * (W + 1)) by (clear - HW; lia). clear - H1 H2 H3 H4 M1 M0. sum_of_rows net H1 H2 H3 H4.
    - cbv beta. intros i t v I. pose proof (fun t => H_quotient_tree t i I) as H1. pose proof (fun t => H_quotient_groups t i I) as H2. pose proof (fun t => H_quotient_carries t i I) as H3.
      pose proof (fun t => H_quotient_sum t i I) as H4. destruct (fits_says _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ fit) as ((_ & _ & _ & _ & M2 & _) & _).
      assert (M1 : 1 <= word) by (clear - M2; lia). assert (M0 : 0 <= word) by (clear - M1; lia).
      clear - H1 H2 H3 H4 M1 M0. revert t v. sum_of_rows net H1 H2 H3 H4.
    - cbv beta. intros i t v I sum M1. pose proof (fun t => H_multiple_tree t i I) as H1. pose proof (fun t => H_multiple_groups t i I) as H2. pose proof (fun t => H_multiple_carries t i I) as H3.
      pose proof (fun t => H_multiple_sum t i I) as H4. assert (M0 : 0 <= sum) by (clear - M1; lia). fold sum in H1, H2, H3, H4. clearbody sum. clear - H1 H2 H3 H4 M1 M0. revert t v.
      sum_of_rows net H1 H2 H3 H4.
  Qed.
End Chain.
