(* SPDX-License-Identifier: Apache-2.0 *)
(* The vectors that the accumulators of mf_rmm add in a cycle: their sums, and what is at their digits, from the lemmas on the nets. *)
From Coq Require Import ZArith Lia String.
Require Import Contract Control Bits BoothRows Products DigitPlan AdderRows rmm_lemmas.
Open Scope string_scope. Open Scope Z_scope.
Set Default Proof Using "All".

Ltac number_of name E := match type of E with _ = ?c => let n := eval vm_compute in (2 * Z.to_nat c)%nat in assert (name : (2 * Z.to_nat c)%nat = n) by reflexivity; rewrite <- E in name at 1 end.

(* What a product of multiplier j, of issue e, brings to digit p. *)
Definition parts_of (digit plan sum carry tops e j p : Z) : Z := let place := p - first plan e - second plan e in
  (if place =? 0 then part sum (2 * j * digit) digit + part carry (2 * j * digit) digit else 0) +
  (if place =? 1 then part sum ((2 * j + 1) * digit) digit + part carry ((2 * j + 1) * digit) digit else 0) + (if place =? 2 then part tops j 1 else 0).
Definition brought_t (digit plan sum carry tops e j p : Z) : Z := let b := parts_of digit plan sum carry tops e j p in
  if phase plan e =? 3 then b else if phase plan e =? 1 then b else 0.
Definition brought_q (digit plan sum carry tops e j p : Z) : Z := let b := parts_of digit plan sum carry tops e j p in if phase plan e =? 2 then b else 0.

Lemma index : forall s p n, 0 <= p < n -> (s * n + p) / n = s /\ (s * n + p) mod n = p.
Proof. intros s p n P. rewrite Z.add_comm. split; [rewrite Z.div_add, Z.div_small by lia; lia | rewrite Z_mod_plus_full; apply Z.mod_small; lia]. Qed.

Lemma index_range : forall s p n k, 0 <= p < n -> 0 <= s < k -> 0 <= s * n + p < k * n.
Proof. intros s p n k P S. pose proof (Z.mul_nonneg_nonneg s n ltac:(lia) ltac:(lia)). pose proof (Z.mul_le_mono_nonneg_r (s + 1) k n ltac:(lia) ltac:(lia)). lia. Qed.

Section Trees.
  Variables (W steps k digit m plan rows initial_t initial_q top places lanes_t lanes_q : Z) (net : trace).
  Local Notation on lemma := (lemma W steps k digit m plan rows initial_t initial_q top places lanes_t lanes_q net).
  Local Notation sum := (net "gen_legal.u_datapath.product_sum"). Local Notation carry := (net "gen_legal.u_datapath.product_carry").
  Local Notation tops := (net "gen_legal.u_datapath.product_top").
  Local Notation product_step := (net "gen_legal.u_datapath.product_step"). Local Notation product_issuing := (net "gen_legal.u_datapath.product_issuing").
  Local Notation correct := (net "gen_legal.u_datapath.u_control.correct_q").

  Ltac tree H t Ev A A0 pair vectors := let E := fresh "E" in let T := fresh "T" in let LN := fresh "LN" in destruct (H t) as (_ & E & T); number_of LN E; rewrite LN; cbn [total]; places_as_integers;
    fold A in T, A0; fold pair vectors in T; rewrite <- Ev in T; clearbody A pair vectors; clear E LN H Ev; revert T; nets_as_variables; parts_as_variables; intros T; decompose [and] T; clear T; rows_divide A; by_sum.

  Lemma tree_t_sum : forall t v, 0 <= k * digit + (W + 1) -> on tree_t -> v = net "gen_legal.u_datapath.gen_context[0].gen_accumulator[0].gen_present.u_accumulator.u_accumulator.state_q" t ->
    let A := k * digit + (W + 1) in 0 <= v ->
    let pair := net "gen_legal.u_datapath.gen_context[0].gen_accumulator[0].gen_present.u_accumulator.u_accumulator.pair" t in
    let vectors := net "gen_legal.u_datapath.gen_context[0].gen_accumulator[0].gen_present.u_accumulator.lanes" t in
    (2 ^ A | part pair (0 * A) A + part pair (1 * A) A - (v + total (fun v => part vectors (Z.of_nat v * (places * digit)) A) (2 * Z.to_nat lanes_t))).
  Proof. intros t v A0 H Ev A Sv pair vectors. tree H t Ev A A0 pair vectors. Qed.

  Lemma tree_q_sum : forall t v, 0 <= k * digit -> on tree_q -> v = net "gen_legal.u_datapath.gen_context[0].gen_accumulator[1].gen_present.u_accumulator.u_accumulator.state_q" t ->
    let A := k * digit in 0 <= v ->
    let pair := net "gen_legal.u_datapath.gen_context[0].gen_accumulator[1].gen_present.u_accumulator.u_accumulator.pair" t in
    let vectors := net "gen_legal.u_datapath.gen_context[0].gen_accumulator[1].gen_present.u_accumulator.lanes" t in
    (2 ^ A | part pair (0 * A) A + part pair (1 * A) A - (v + total (fun v => part vectors (Z.of_nat v * A) A) (2 * Z.to_nat lanes_q))).
  Proof. intros t v A0 H Ev A Sv pair vectors. tree H t Ev A A0 pair vectors. Qed.

  Ltac added H Htree t s p n P S C I L V := let EM := fresh "EM" in let EL := fresh "EL" in let MN := fresh "MN" in let LN := fresh "LN" in let G := fresh "G" in let E1 := fresh "E1" in let E2 := fresh "E2" in
    destruct (Htree O) as (EM & EL & _); pose proof (H t (s * n + p) (index_range s p n _ P S)) as G; destruct (index s p n P) as [E1 E2]; rewrite E1, E2 in G; specialize (G C I L);
    repeat match type of G with part _ (?j * _) 1 = 0 -> _ => specialize (G (V j ltac:(lia))) end;
    number_of LN EL; match type of EM with _ = ?c => let z := eval vm_compute in (Z.to_nat c) in assert (MN : Z.to_nat m = z) by (rewrite EM; reflexivity) end;
    rewrite LN, MN; cbn [total]; rewrite !Z.add_0_l; exact G.

  Lemma digits_t : forall t s p, on added_t -> on tree_t -> 0 <= p < places -> 0 <= s < steps + 2 -> product_step t = s -> product_issuing t = 1 -> s = steps - 1 \/ correct (S t) = 0 ->
    (forall j, 0 <= j < m -> part (carry (S t)) (j * (2 * digit)) 1 = 0) ->
    let vectors := net "gen_legal.u_datapath.gen_context[0].gen_accumulator[0].gen_present.u_accumulator.lanes" (S t) in
    total (fun v => part vectors (Z.of_nat v * (places * digit) + p * digit) digit) (2 * Z.to_nat lanes_t) =
    total (fun j => brought_t digit plan (sum (S t)) (carry (S t)) (tops (S t)) (s * m + Z.of_nat j) (Z.of_nat j) p) (Z.to_nat m) +
      part (net "gen_legal.u_datapath.gen_context[0].correction" (S t)) (p * digit) digit.
  Proof. intros t s p H Htree P S C I L V vectors. added H Htree t s p places P S C I L V. Qed.

  Lemma digits_q : forall t s p, on added_q -> on tree_q -> 0 <= p < k -> 0 <= s < steps + 2 -> product_step t = s -> product_issuing t = 1 -> s = steps - 1 \/ correct (S t) = 0 ->
    (forall j, 0 <= j < m -> part (carry (S t)) (j * (2 * digit)) 1 = 0) ->
    let vectors := net "gen_legal.u_datapath.gen_context[0].gen_accumulator[1].gen_present.u_accumulator.lanes" (S t) in
    total (fun v => part vectors (Z.of_nat v * (k * digit) + p * digit) digit) (2 * Z.to_nat lanes_q) =
    total (fun j => brought_q digit plan (sum (S t)) (carry (S t)) (tops (S t)) (s * m + Z.of_nat j) (Z.of_nat j) p) (Z.to_nat m) + 0.
  Proof. intros t s p H Htree P S C I L V vectors. added H Htree t s p k P S C I L V. Qed.
  Lemma in_ranges : on ranges -> forall t, 0 <= net "gen_legal.u_datapath.u_control.ready_q" t < 2 /\ 0 <= net "gen_legal.u_datapath.u_control.done_q" t < 2 /\
    0 <= net "a_i" t < 2 ^ (W + 1) /\ 0 <= net "b_i" t < 2 ^ (W + 1) /\ 0 <= net "n_i" t < 2 ^ W /\ 0 <= net "n_prime_i" t < 2 ^ (k * digit) /\
    0 <= net "gen_legal.u_datapath.gen_context[0].gen_accumulator[0].gen_present.u_accumulator.value_o" t < 2 ^ (k * digit + (W + 1)) /\
    0 <= net "gen_legal.u_datapath.gen_context[0].gen_accumulator[1].gen_present.u_accumulator.value_o" t < 2 ^ (k * digit) /\
    0 <= net "gen_legal.u_datapath.gen_context[0].gen_accumulator[0].gen_present.u_accumulator.u_accumulator.state_q" t < 2 ^ (k * digit + (W + 1)) /\
    0 <= net "gen_legal.u_datapath.gen_context[0].gen_accumulator[1].gen_present.u_accumulator.u_accumulator.state_q" t < 2 ^ (k * digit) /\
    0 <= net "gen_legal.u_datapath.gen_context[0].correction" t < 2 ^ (k * digit + (W + 1)).
  Proof. intros H t. in_range H t. Qed.
End Trees.

