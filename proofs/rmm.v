(* SPDX-License-Identifier: Apache-2.0 *)
(* mf_rmm with an estimated column, Booth multipliers of one stage with carry-save products and binary accumulators, one operation at a time, from the nets of
   the RTL to the contract, for every width, plan and number of digits. The hypotheses are the lemmas that montforge prints into rmm_lemmas.v, for the numbers of
   multipliers and of lanes, and proves on the RTL. *)
From Coq Require Import ZArith Lia String Bool.
Require Import DigitRecurrence Contract Control Bits BoothRows Products DigitPlan DigitEstimate AdderRows rmm_lemmas rmm_vectors Arithmetic.
Open Scope string_scope. Open Scope Z_scope.
Set Default Proof Using "All".

(* What is found by computation: the sizes fit, the plan is good, and the accumulators begin with minus the excess of all products. *)
Definition fits (W steps k digit m plan rows initial_t initial_q top places : Z) : bool :=
  let D := Z.to_nat k in let R := 2 ^ (k * digit) in let excess := 2 ^ (2 * digit) in let column := fun i j => place digit (i + j) in
  (1 <=? W) && (2 <=? k) && (4 <=? digit) && (1 <=? m) && (3 <=? steps) && (1 <=? top) && (top <=? digit) && (W + 2 <=? k * digit) && (rows =? digit / 2 + 1) &&
  (k * digit + (W + 1) <=? places * digit) && (1 <=? places) && (0 <=? plan) && (plan <? 2 ^ (11 * (steps * m))) && good D (Z.to_nat m) 2 (Z.to_nat (steps * m)) (k - 1) plan &&
  (2 * ((k - 1) * (2 * 2 ^ top - 1) * 2 ^ digit + (k - 2) * (2 ^ top * 2 ^ top)) <=? 2 ^ top * 2 ^ top * 2 ^ digit) &&
  ((initial_t + excess * grid D column) mod R =? 0) && ((initial_q + excess * grid D (fun i j => if i + j <? k then column i j else 0)) mod R =? 0) &&
  ((initial_t + excess * (grid D column + grid D (fun i j => if i + j <? k - 1 then 0 else column i j))) mod 2 ^ (k * digit + (W + 1)) =? 0).

(* All lemmas, as one hypothesis: `lia` looks at each. *)
Definition lemmas (W steps k digit m plan rows initial_t initial_q top places lanes_t lanes_q : Z) (net : trace) : Prop :=
  ranges W steps k digit m plan rows initial_t initial_q top places lanes_t lanes_q net /\
  ready W steps k digit m plan rows initial_t initial_q top places lanes_t lanes_q net /\
  calm_at_reset W steps k digit m plan rows initial_t initial_q top places lanes_t lanes_q net /\
  calm_on W steps k digit m plan rows initial_t initial_q top places lanes_t lanes_q net /\
  accept W steps k digit m plan rows initial_t initial_q top places lanes_t lanes_q net /\
  runs W steps k digit m plan rows initial_t initial_q top places lanes_t lanes_q net /\
  ends W steps k digit m plan rows initial_t initial_q top places lanes_t lanes_q net /\
  waits W steps k digit m plan rows initial_t initial_q top places lanes_t lanes_q net /\
  keep W steps k digit m plan rows initial_t initial_q top places lanes_t lanes_q net /\
  past W steps k digit m plan rows initial_t initial_q top places lanes_t lanes_q net /\
  operands W steps k digit m plan rows initial_t initial_q top places lanes_t lanes_q net /\
  operands_taken W steps k digit m plan rows initial_t initial_q top places lanes_t lanes_q net /\
  rows_of_products W steps k digit m plan rows initial_t initial_q top places lanes_t lanes_q net /\
  value_t W steps k digit m plan rows initial_t initial_q top places lanes_t lanes_q net /\
  state_t W steps k digit m plan rows initial_t initial_q top places lanes_t lanes_q net /\
  value_q W steps k digit m plan rows initial_t initial_q top places lanes_t lanes_q net /\
  state_q W steps k digit m plan rows initial_t initial_q top places lanes_t lanes_q net /\
  correction W steps k digit m plan rows initial_t initial_q top places lanes_t lanes_q net /\
  answer W steps k digit m plan rows initial_t initial_q top places lanes_t lanes_q net /\
  estimates W steps k digit m plan rows initial_t initial_q top places lanes_t lanes_q net /\
  tree_of_products W steps k digit m plan rows initial_t initial_q top places lanes_t lanes_q net /\
  products W steps k digit m plan rows initial_t initial_q top places lanes_t lanes_q net /\
  added_t W steps k digit m plan rows initial_t initial_q top places lanes_t lanes_q net /\
  quiet_t W steps k digit m plan rows initial_t initial_q top places lanes_t lanes_q net /\
  tree_t W steps k digit m plan rows initial_t initial_q top places lanes_t lanes_q net /\
  added_q W steps k digit m plan rows initial_t initial_q top places lanes_t lanes_q net /\
  quiet_q W steps k digit m plan rows initial_t initial_q top places lanes_t lanes_q net /\
  tree_q W steps k digit m plan rows initial_t initial_q top places lanes_t lanes_q net.

Section Chain.
  Variables (bits : nat) (steps k digit m plan rows initial_t initial_q top places lanes_t lanes_q : Z) (net : trace).
  Let W := Z.of_nat bits.
  Local Notation on lemma := (lemma W steps k digit m plan rows initial_t initial_q top places lanes_t lanes_q net).
  Hypotheses (wide : fits W steps k digit m plan rows initial_t initial_q top places = true) (all : on lemmas).
  Lemma H_ranges : on ranges. Proof. exact (proj1 all). Qed.
  Lemma H_ready : on ready. Proof. exact (proj1 (proj2 all)). Qed.
  Lemma H_calm_0 : on calm_at_reset. Proof. exact (proj1 (proj2 (proj2 all))). Qed.
  Lemma H_calm : on calm_on. Proof. exact (proj1 (proj2 (proj2 (proj2 all)))). Qed.
  Lemma H_accept : on accept. Proof. exact (proj1 (proj2 (proj2 (proj2 (proj2 all))))). Qed.
  Lemma H_runs : on runs. Proof. exact (proj1 (proj2 (proj2 (proj2 (proj2 (proj2 all)))))). Qed.
  Lemma H_ends : on ends. Proof. exact (proj1 (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 all))))))). Qed.
  Lemma H_waits : on waits. Proof. exact (proj1 (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 all)))))))). Qed.
  Lemma H_keep : on keep. Proof. exact (proj1 (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 all))))))))). Qed.
  Lemma H_past : on past. Proof. exact (proj1 (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 all)))))))))). Qed.
  Lemma H_operands : on operands. Proof. exact (proj1 (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 all))))))))))). Qed.
  Lemma H_taken : on operands_taken. Proof. exact (proj1 (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 all)))))))))))). Qed.
  Lemma H_rows : on rows_of_products. Proof. exact (proj1 (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 all))))))))))))). Qed.
  Lemma H_value_t : on value_t. Proof. exact (proj1 (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 all)))))))))))))). Qed.
  Lemma H_state_t : on state_t. Proof. exact (proj1 (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 all))))))))))))))). Qed.
  Lemma H_value_q : on value_q. Proof. exact (proj1 (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 all)))))))))))))))). Qed.
  Lemma H_state_q : on state_q. Proof. exact (proj1 (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 all))))))))))))))))). Qed.
  Lemma H_correction : on correction. Proof. exact (proj1 (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 all)))))))))))))))))). Qed.
  Lemma H_answer : on answer. Proof. exact (proj1 (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 all))))))))))))))))))). Qed.
  Lemma H_estimates : on estimates. Proof. exact (proj1 (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 all)))))))))))))))))))). Qed.
  Lemma H_tree : on tree_of_products. Proof. exact (proj1 (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 all))))))))))))))))))))). Qed.
  Lemma H_products : on products. Proof. exact (proj1 (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 all)))))))))))))))))))))). Qed.
  Lemma H_added_t : on added_t. Proof. exact (proj1 (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 all))))))))))))))))))))))). Qed.
  Lemma H_quiet_t : on quiet_t. Proof. exact (proj1 (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 all)))))))))))))))))))))))). Qed.
  Lemma H_tree_t : on tree_t. Proof. exact (proj1 (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 all))))))))))))))))))))))))). Qed.
  Lemma H_added_q : on added_q. Proof. exact (proj1 (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 all)))))))))))))))))))))))))). Qed.
  Lemma H_quiet_q : on quiet_q. Proof. exact (proj1 (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 all))))))))))))))))))))))))))). Qed.
  Lemma H_tree_q : on tree_q. Proof. exact (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 all))))))))))))))))))))))))))). Qed.

  Local Notation step := (net "gen_legal.u_datapath.u_control.step_q"). Local Notation issuing := (net "gen_legal.u_datapath.u_control.issuing_q").
  Local Notation readies := (net "gen_legal.u_datapath.u_control.ready_q"). Local Notation busy := (net "gen_legal.u_datapath.u_control.busy_q").
  Local Notation done := (net "gen_legal.u_datapath.u_control.done_q"). Local Notation initialise := (net "gen_legal.u_datapath.u_control.initialise_q").
  Local Notation correct := (net "gen_legal.u_datapath.u_control.correct_q"). Local Notation next_step := (net "gen_legal.u_datapath.next_step").
  Local Notation next_issuing := (net "gen_legal.u_datapath.next_issuing"). Local Notation product_step := (net "gen_legal.u_datapath.product_step").
  Local Notation product_issuing := (net "gen_legal.u_datapath.product_issuing"). Local Notation x := (net "gen_legal.u_datapath.x"). Local Notation y := (net "gen_legal.u_datapath.y").
  Local Notation sum := (net "gen_legal.u_datapath.product_sum"). Local Notation carry := (net "gen_legal.u_datapath.product_carry").
  Local Notation tops := (net "gen_legal.u_datapath.product_top"). Local Notation correction_ := (net "gen_legal.u_datapath.gen_context[0].correction").
  Local Notation vectors_t := (net "gen_legal.u_datapath.gen_context[0].gen_accumulator[0].gen_present.u_accumulator.lanes").
  Local Notation vectors_q := (net "gen_legal.u_datapath.gen_context[0].gen_accumulator[1].gen_present.u_accumulator.lanes").
  Local Notation value_t_ := (net "gen_legal.u_datapath.gen_context[0].gen_accumulator[0].gen_present.u_accumulator.value_o").
  Local Notation value_q_ := (net "gen_legal.u_datapath.gen_context[0].gen_accumulator[1].gen_present.u_accumulator.value_o").
  Local Notation state_t_ := (net "gen_legal.u_datapath.gen_context[0].gen_accumulator[0].gen_present.u_accumulator.u_accumulator.state_q").
  Local Notation state_q_ := (net "gen_legal.u_datapath.gen_context[0].gen_accumulator[1].gen_present.u_accumulator.u_accumulator.state_q").
  Local Notation pair_t := (net "gen_legal.u_datapath.gen_context[0].gen_accumulator[0].gen_present.u_accumulator.u_accumulator.pair").
  Local Notation pair_q := (net "gen_legal.u_datapath.gen_context[0].gen_accumulator[1].gen_present.u_accumulator.u_accumulator.pair").
  Local Notation pairs := (net "gen_legal.u_datapath.gen_multiplier[0..].u_multiplier.gen_booth.pair").
  Local Notation booth := (net "gen_legal.u_datapath.gen_multiplier[0..].u_multiplier.gen_booth.rows").
  Local Notation calm_in t := (calm W steps k digit m plan rows initial_t initial_q top places lanes_t lanes_q net t).

  Let R := 2 ^ (k * digit). Let A := k * digit + (W + 1). Let K := Z.to_nat k. Let M := Z.to_nat m. Let S_ := Z.to_nat steps. Let N := Z.to_nat (steps * m).
  Let excess := 2 ^ (2 * digit).

  Lemma facts : (1 <= W /\ 2 <= k /\ 4 <= digit /\ 1 <= m /\ 3 <= steps /\ 1 <= top <= digit /\ W + 2 <= k * digit /\ rows = digit / 2 + 1 /\ A <= places * digit /\ 1 <= places) /\
    0 <= plan < 2 ^ (11 * (steps * m)) /\ good K M 2 N (k - 1) plan = true /\
    2 * ((k - 1) * (2 * 2 ^ top - 1) * 2 ^ digit + (k - 2) * (2 ^ top * 2 ^ top)) <= 2 ^ top * 2 ^ top * 2 ^ digit /\
    (R | initial_t + excess * grid K (fun i j => place digit (i + j))) /\ (R | initial_q + excess * grid K (fun i j => if i + j <? k then place digit (i + j) else 0)) /\
    (2 ^ A | initial_t + excess * (grid K (fun i j => place digit (i + j)) + grid K (fun i j => if i + j <? k - 1 then 0 else place digit (i + j)))).
  Proof.
    pose proof wide as F. unfold fits in F. cbv zeta in F. fold K M N R excess A in F. clear - F. repeat apply andb_true_iff in F as [F ?].
    repeat match goal with H : (_ <=? _) = true |- _ => apply Z.leb_le in H | H : (_ <? _) = true |- _ => apply Z.ltb_lt in H | H : (_ =? _) = true |- _ => apply Z.eqb_eq in H end.
    assert (0 <= k * digit) by (apply Z.mul_nonneg_nonneg; lia). assert (0 < R) by (apply Z.pow_pos_nonneg; lia). assert (0 < 2 ^ A) by (apply Z.pow_pos_nonneg; unfold A; lia).
    repeat split; try (apply divide_mod; assumption); try assumption. 
  Qed.

  (* ---------------------------------------------------------------- the multipliers *)
  Lemma bit_of : forall u, 0 <= u < 2 * excess -> u = u mod excess + excess * (u / excess) /\ 0 <= u / excess <= 1.
  Proof.
    intros u U. assert (0 < excess) by (apply Z.pow_pos_nonneg; destruct facts; lia). split; [rewrite Z.add_comm; apply Z.div_mod; lia |].
    split; [apply Z.div_pos; lia | apply Z.lt_succ_r, Z.div_lt_upper_bound; lia].
  Qed.

  Let operand (v t slot : Z) : Z := part v (slot * digit) digit.

  Ltac number_of_rows := let E := fresh in pose proof (proj1 (H_tree O 0 ltac:(destruct facts; lia))) as E;
    match type of E with _ = ?c => let n := eval vm_compute in (Z.to_nat c) in assert (KN : Z.to_nat rows = n) by (rewrite E; reflexivity) end; clear E.

  Lemma pair_is : forall t e, 0 <= e < m -> let p i := part (pairs t) (e * (2 * (2 * digit + 1)) + i * (2 * digit + 1)) (2 * digit + 1) in
    p 0 + p 1 = part (x t) (e * digit) digit * part (y t) (e * digit) digit + excess /\ 0 <= p 0 /\ 0 <= p 1.
  Proof.
    intros t e L p. destruct facts as [(F1 & F2 & F3 & F4 & F5 & F6 & F7 & F8 & F9) _]. assert (RP : 1 <= rows) by (rewrite F8; pose proof (Z.div_pos digit 2 ltac:(lia) ltac:(lia)); lia).
    set (u := part (x t) (e * digit) digit). set (v := part (y t) (e * digit) digit).
    assert (U : 0 <= u < 2 ^ digit) by (apply part_range; lia). assert (V : 0 <= v < 2 ^ digit) by (apply part_range; lia).
    assert (S0 : total (fun j => part (booth t) ((e * rows + Z.of_nat j) * (2 * digit + 1)) (2 * digit + 1)) (Z.to_nat rows) = u * v + excess).
    { apply (rows_product digit u v (Z.to_nat rows)); [lia | lia | exact V |]. intros j J. pose proof (Z.mul_le_mono_nonneg_r (e + 1) m rows ltac:(lia) ltac:(lia)). pose proof (Z.mul_nonneg_nonneg e rows ltac:(lia) ltac:(lia)).
      pose proof (H_rows t (e * rows + Z.of_nat j) ltac:(lia)) as E.
      assert (E1 : (e * rows + Z.of_nat j) mod rows = Z.of_nat j) by (rewrite Z.add_comm, Z_mod_plus_full; apply Z.mod_small; lia).
      assert (E2 : (e * rows + Z.of_nat j) / rows = e) by (rewrite Z.add_comm, Z.div_add, Z.div_small by lia; lia).
      rewrite E1, E2 in E. rewrite Z2Nat.id by lia. rewrite booth_term_is. exact E. }
    unfold p. number_of_rows. rewrite KN in S0. total_as_sum S0.
    assert (B : 0 <= u * v < excess).
    { split; [apply Z.mul_nonneg_nonneg; lia |]. unfold excess. replace (2 * digit) with (digit + digit) by lia. rewrite Z.pow_add_r by lia. apply Z.mul_lt_mono_nonneg; lia. }
    assert (P : 2 ^ (2 * digit + 1) = 2 * excess) by (unfold excess; rewrite Z.pow_add_r by lia; lia). assert (Q : 0 <= 2 * digit + 1) by lia.
    pose proof (proj2 (H_tree t e L)) as T. revert T S0 B P. generalize excess (u * v). clear - Q. intros E uv. nets_as_variables. parts_as_variables. intros T S0 B P. decompose [and] T; clear T. rows_add (2 * digit + 1) S0. lia.
  Qed.

  Lemma product : forall t e, 0 <= e < m -> part (carry (S t)) (e * (2 * digit)) 1 = 0 /\
    part (sum (S t)) (e * (2 * digit)) (2 * digit) + part (carry (S t)) (e * (2 * digit)) (2 * digit) + part (tops (S t)) e 1 * excess =
    part (x t) (e * digit) digit * part (y t) (e * digit) digit + excess.
  Proof.
    intros t e L. destruct facts as [(F1 & F2 & F3 & F4 & F5 & F6 & F7 & F8 & F9) _]. destruct (pair_is t e L) as (E & P0 & P1). destruct (H_products t e L) as (-> & -> & C & ->). split; [exact C |].
    fold excess. set (p0 := part (pairs t) (_ + 0 * _) _) in *. set (p1 := part (pairs t) (_ + 1 * _) _) in *.
    assert (U : 0 <= part (x t) (e * digit) digit < 2 ^ digit) by (apply part_range; lia). assert (V : 0 <= part (y t) (e * digit) digit < 2 ^ digit) by (apply part_range; lia).
    assert (B : part (x t) (e * digit) digit * part (y t) (e * digit) digit < excess).
    { unfold excess. replace (2 * digit) with (digit + digit) by lia. rewrite Z.pow_add_r by lia. apply Z.mul_lt_mono_nonneg; lia. }
    set (xy := part (x t) _ _ * _) in *. destruct (bit_of p0 ltac:(lia)) as [S0 B0]. destruct (bit_of p1 ltac:(lia)) as [S1 B1].
    assert (0 < excess) by (apply Z.pow_pos_nonneg; lia). pose proof (Z.mod_pos_bound p0 excess ltac:(lia)). pose proof (Z.mod_pos_bound p1 excess ltac:(lia)).
    assert (C0 : p0 / excess = 0 \/ p0 / excess = 1) by lia. assert (C1 : p1 / excess = 0 \/ p1 / excess = 1) by lia.
    destruct C0 as [C0 | C0], C1 as [C1 | C1]; rewrite C0, C1 in *; cbn [Z.lor Pos.lor]; lia.
  Qed.


  (* ---------------------------------------------------------------- the accumulators *)
  Lemma part_low : forall u l v w, 0 <= l -> 0 <= v <= w -> (2 ^ v | part u l v - part u l w).
  Proof. clear. intros u l v w L V. replace w with (v + (w - v)) by lia. rewrite part_split by lia. exists (- part u (l + v) (w - v)). lia. Qed.

  Lemma part_of_0 : forall l w, part 0 l w = 0.
  Proof. clear. intros. unfold part. rewrite Zdiv_0_l. apply Zmod_0_l. Qed.

  Lemma widths : 0 <= k * digit /\ 0 <= A /\ 0 <= places * digit.
  Proof. destruct facts as [(F1 & F2 & F3 & F4 & F5 & F6 & F7 & F8 & F9 & F10) _]. unfold A. repeat split; try apply Z.mul_nonneg_nonneg; lia. Qed.

  (* the term of issue e, whose operands multiplier j has in cycle t *)
  Let term_of (t : nat) (e j : Z) : Z := (part (x t) (j * digit) digit * part (y t) (j * digit) digit + excess) * place digit (first plan e + second plan e).
  Let in_t (t : nat) (e j : Z) : Z := if phase plan e =? 3 then term_of t e j else if phase plan e =? 1 then term_of t e j else 0.
  Let in_q (t : nat) (e j : Z) : Z := if phase plan e =? 2 then term_of t e j else 0.
  Let parts (t : nat) := parts_of digit plan (sum (S t)) (carry (S t)) (tops (S t)).

  Lemma parts_sum : forall t e j n, 0 <= j < m -> (place digit (Z.of_nat n) | total (fun p => parts t e j (Z.of_nat p) * place digit (Z.of_nat p)) n - term_of t e j).
  Proof.
    intros t e j n J. destruct facts as [(F1 & F2 & F3 & F4 & F5 & F6 & F7 & F8 & F9 & F10) _]. destruct (product t j J) as [_ P].
    assert (two : forall v, part v (j * (2 * digit)) (2 * digit) = part v (2 * j * digit) digit + 2 ^ digit * part v ((2 * j + 1) * digit) digit).
    { intros v. replace (2 * j * digit) with (j * (2 * digit)) by ring. replace ((2 * j + 1) * digit) with (j * (2 * digit) + digit) by ring. rewrite <- part_split by (try apply Z.mul_nonneg_nonneg; lia). f_equal. lia. }
    rewrite !two in P. unfold term_of. rewrite <- P.
    pose proof (three_parts digit ltac:(lia) (first plan e) (second plan e) (part (sum (S t)) (2 * j * digit) digit + part (carry (S t)) (2 * j * digit) digit)
      (part (sum (S t)) ((2 * j + 1) * digit) digit + part (carry (S t)) ((2 * j + 1) * digit) digit) (part (tops (S t)) j 1) n
      ltac:(apply Z.mod_pos_bound; lia) ltac:(apply Z.mod_pos_bound; lia)) as G.
    replace excess with (2 ^ digit * 2 ^ digit) by (unfold excess; rewrite <- Z.pow_add_r by lia; f_equal; lia).
    match type of G with (_ | ?a - ?b) => match goal with |- (_ | ?c - ?d) => replace d with b; [exact G |] end end. clear. ring.
  Qed.

  Lemma brought_sum : forall f g n s, (forall e j, 0 <= j < m -> (place digit (Z.of_nat n) | total (fun p => f e j (Z.of_nat p) * place digit (Z.of_nat p)) n - g e j)) ->
    (place digit (Z.of_nat n) | total (fun j => total (fun p => f (s * m + Z.of_nat j) (Z.of_nat j) (Z.of_nat p) * place digit (Z.of_nat p)) n) M - total (fun j => g (s * m + Z.of_nat j) (Z.of_nat j)) M).
  Proof. intros f g n s H. rewrite <- total_sub. apply total_divides. intros j J. apply H. unfold M in J. lia. Qed.

  Lemma sum_t_step : forall t s, 0 <= s < steps + 2 -> product_step t = s -> product_issuing t = 1 -> s = steps - 1 \/ correct (S t) = 0 ->
    (2 ^ A | value_t_ (S t) - (state_t_ (S t) + total (fun j => in_t t (s * m + Z.of_nat j) (Z.of_nat j)) M + correction_ (S t))).
  Proof.
    intros t s S0 C I L. destruct facts as [(F1 & F2 & F3 & F4 & F5 & F6 & F7 & F8 & F9 & F10) _]. destruct widths as (W1 & W2 & W3).
    destruct (in_ranges _ _ _ _ _ _ _ _ _ _ _ _ _ _ H_ranges (S t)) as (_ & _ & _ & _ & _ & _ & _ & _ & (St & _) & _ & Cr).
    pose proof (tree_t_sum _ _ _ _ _ _ _ _ _ _ _ _ _ _ (S t) _ W2 H_tree_t eq_refl St) as T. cbv zeta in T. fold A in T. rewrite Z.mul_0_l, Z.mul_1_l in T.
    pose proof (H_value_t (S t)) as V. fold A in V. set (n := Z.to_nat places). assert (PN : places = Z.of_nat n) by (unfold n; lia).
    pose proof (vectors_sum digit ltac:(lia) (vectors_t (S t)) (2 * Z.to_nat lanes_t) n M
      (fun j p => brought_t digit plan (sum (S t)) (carry (S t)) (tops (S t)) (s * m + Z.of_nat j) (Z.of_nat j) (Z.of_nat p)) (correction_ (S t))) as E.
    rewrite <- PN in E. specialize (E ltac:(split; [apply Cr |]; apply Z.lt_le_trans with (2 ^ A); [apply Cr | apply Z.pow_le_mono_r; lia])).
    specialize (E ltac:(intros p P; apply (digits_t _ _ _ _ _ _ _ _ _ _ _ _ _ _ t s (Z.of_nat p) H_added_t H_tree_t ltac:(lia) S0 C I L); intros j J; apply (product t j J))).
    assert (B := brought_sum (fun e j p => brought_t digit plan (sum (S t)) (carry (S t)) (tops (S t)) e j p) (in_t t) n s).
    specialize (B ltac:(intros e j J; unfold in_t, brought_t; fold (parts t e j); destruct (_ =? 3); [apply parts_sum, J |]; destruct (_ =? 1); [apply parts_sum, J |];
      rewrite (total_none _ n) by (intros; ring); apply Z.divide_0_r)). cbv beta in B.
    assert (Q : (2 ^ A | place digit (Z.of_nat n))) by (rewrite <- PN; unfold place; apply (Z.divide_trans _ (2 ^ (places * digit))); [apply (divide_pow A (places * digit)); [lia |]; apply Z.divide_refl | apply Z.divide_refl]).
    apply (Z.divide_trans _ _ _ Q) in B.
    assert (H : (2 ^ A | total (fun v => part (vectors_t (S t)) (Z.of_nat v * (places * digit)) A) (2 * Z.to_nat lanes_t) - total (fun v => part (vectors_t (S t)) (Z.of_nat v * (places * digit)) (places * digit)) (2 * Z.to_nat lanes_t))).
    { rewrite <- total_sub. apply total_divides. intros v _. apply part_low; [apply Z.mul_nonneg_nonneg; lia | lia]. }
    rewrite E in H. rewrite V. rewrite Z.mod_eq by (apply Z.pow_nonzero; lia). destruct T as [q1 T], B as [q2 B], H as [q3 H]. eexists (q1 + q2 + q3 - _). 
    match goal with |- _ - 2 ^ A * ?z - _ = _ => instantiate (1 := z) end. lia.
  Qed.
  Lemma sum_q_step : forall t s, 0 <= s < steps + 2 -> product_step t = s -> product_issuing t = 1 -> s = steps - 1 \/ correct (S t) = 0 ->
    (R | value_q_ (S t) - (state_q_ (S t) + total (fun j => in_q t (s * m + Z.of_nat j) (Z.of_nat j)) M)).
  Proof.
    intros t s S0 C I L. destruct facts as [(F1 & F2 & F3 & F4 & F5 & F6 & F7 & F8 & F9 & F10) _]. destruct widths as (W1 & W2 & W3).
    destruct (in_ranges _ _ _ _ _ _ _ _ _ _ _ _ _ _ H_ranges (S t)) as (_ & _ & _ & _ & _ & _ & _ & _ & _ & (St & _) & _).
    pose proof (tree_q_sum _ _ _ _ _ _ _ _ _ _ _ _ _ _ (S t) _ W1 H_tree_q eq_refl St) as T. cbv zeta in T. fold R in T. rewrite Z.mul_0_l, Z.mul_1_l in T.
    pose proof (H_value_q (S t)) as V. fold R in V. set (n := Z.to_nat k). assert (PN : k = Z.of_nat n) by (unfold n; lia).
    pose proof (vectors_sum digit ltac:(lia) (vectors_q (S t)) (2 * Z.to_nat lanes_q) n M
      (fun j p => brought_q digit plan (sum (S t)) (carry (S t)) (tops (S t)) (s * m + Z.of_nat j) (Z.of_nat j) (Z.of_nat p)) 0) as E.
    rewrite <- PN in E. specialize (E ltac:(split; [lia | apply place_pos; lia])).
    specialize (E ltac:(intros p P; replace (DigitPlan.digit digit 0 (Z.of_nat p)) with 0 by (symmetry; apply part_of_0);
      apply (digits_q _ _ _ _ _ _ _ _ _ _ _ _ _ _ t s (Z.of_nat p) H_added_q H_tree_q ltac:(lia) S0 C I L); intros j J; apply (product t j J))).
    assert (B := brought_sum (fun e j p => brought_q digit plan (sum (S t)) (carry (S t)) (tops (S t)) e j p) (in_q t) n s).
    specialize (B ltac:(intros e j J; unfold in_q, brought_q; fold (parts t e j); destruct (_ =? 2); [apply parts_sum, J |];
      rewrite (total_none _ n) by (intros; ring); apply Z.divide_0_r)). cbv beta in B.
    rewrite <- PN in B. change (place digit k) with R in B. rewrite E in T. rewrite V. rewrite Z.mod_eq by (apply Z.pow_nonzero; lia). destruct T as [q1 T], B as [q2 B]. eexists (q1 + q2 - _).
    match goal with |- _ - R * ?z - _ = _ => instantiate (1 := z) end. lia.
  Qed.

  Lemma same : forall w u v, 0 <= u < 2 ^ w -> 0 <= v < 2 ^ w -> (2 ^ w | u - v) -> u = v.
  Proof. clear. intros w u v U V H. apply (near (2 ^ w)); [exact H | lia]. Qed.

  Lemma quiet_t_step : forall t, product_issuing t = 0 -> correct (S t) = 0 -> value_t_ (S t) = state_t_ (S t).
  Proof.
    intros t I C. destruct widths as (W1 & W2 & W3). destruct (in_ranges _ _ _ _ _ _ _ _ _ _ _ _ _ _ H_ranges (S t)) as (_ & _ & _ & _ & _ & _ & Vt & _ & St & _).
    pose proof (tree_t_sum _ _ _ _ _ _ _ _ _ _ _ _ _ _ (S t) _ W2 H_tree_t eq_refl (proj1 St)) as T. cbv zeta in T. fold A in T, Vt, St. rewrite Z.mul_0_l, Z.mul_1_l, (H_quiet_t t I C) in T.
    rewrite total_none in T by (intros; apply part_of_0). apply (same A); [exact Vt | exact St |]. rewrite (H_value_t (S t)). fold A. rewrite Z.mod_eq by (apply Z.pow_nonzero; lia).
    destruct T as [q T]. eexists (q - _). match goal with |- _ - _ * ?z - _ = _ => instantiate (1 := z) end. lia.
  Qed.

  Lemma quiet_q_step : forall t, product_issuing t = 0 -> correct (S t) = 0 -> value_q_ (S t) = state_q_ (S t).
  Proof.
    intros t I C. destruct widths as (W1 & W2 & W3). destruct (in_ranges _ _ _ _ _ _ _ _ _ _ _ _ _ _ H_ranges (S t)) as (_ & _ & _ & _ & _ & _ & _ & Vq & _ & Sq & _).
    pose proof (tree_q_sum _ _ _ _ _ _ _ _ _ _ _ _ _ _ (S t) _ W1 H_tree_q eq_refl (proj1 Sq)) as T. cbv zeta in T. rewrite Z.mul_0_l, Z.mul_1_l, (H_quiet_q t I C) in T.
    rewrite total_none in T by (intros; apply part_of_0). apply (same (k * digit)); [exact Vq | exact Sq |]. rewrite (H_value_q (S t)). rewrite Z.mod_eq by (apply Z.pow_nonzero; lia).
    destruct T as [q T]. eexists (q - _). match goal with |- _ - _ * ?z - _ = _ => instantiate (1 := z) end. lia.
  Qed.

  (* ---------------------------------------------------------------- the control *)
  Lemma calm_always : forall t, calm_in t.
  Proof. induction t; [apply (H_calm_0 O eq_refl) | apply (H_calm t IHt)]. Qed.

  Lemma bits_of : forall t, (readies t = 0 \/ readies t = 1) /\ (done t = 0 \/ done t = 1).
  Proof. intros t. destruct (in_ranges _ _ _ _ _ _ _ _ _ _ _ _ _ _ H_ranges t) as (U & V & _). lia. Qed.

  Lemma no_products : forall t e j, steps * m <= e -> in_t t e j = 0 /\ in_q t e j = 0.
  Proof.
    intros t e j E. destruct facts as [(F1 & F2 & F3 & F4 & F5 & _) [P _]]. assert (0 <= steps * m) by (apply Z.mul_nonneg_nonneg; lia).
    unfold in_t, in_q. rewrite (no_issue plan (steps * m) e P ltac:(lia)). split; reflexivity.
  Qed.

  (* a value that stays, as the next products that come are none *)
  Definition ended (t : nat) : Prop := product_issuing t = 0 \/ (product_issuing t = 1 /\ steps <= product_step t < steps + 2).

  Lemma stays : forall t, ended t -> correct (S t) = 0 -> value_t_ (S t) = state_t_ (S t).
  Proof.
    intros t [I | [I P]] C; [apply quiet_t_step; assumption |]. destruct facts as [(F1 & F2 & F3 & F4 & F5 & F6 & F7 & F8 & F9 & F10) _]. destruct widths as (W1 & W2 & W3).
    destruct (in_ranges _ _ _ _ _ _ _ _ _ _ _ _ _ _ H_ranges (S t)) as (_ & _ & _ & _ & _ & _ & Vt & _ & St & _).
    pose proof (sum_t_step t (product_step t) ltac:(lia) eq_refl I (or_intror C)) as G. pose proof (H_correction (S t)) as E. rewrite C, !Z.mul_0_l in E. rewrite E in G.
    rewrite total_none in G by (intros j J; apply no_products; pose proof (Z.mul_le_mono_nonneg_r steps (product_step t) m ltac:(lia) ltac:(lia)); lia).
    apply (same A); [exact Vt | exact St |]. destruct G as [q G]. exists q. lia.
  Qed.

  Lemma counts : S_ = Z.to_nat steps /\ steps = Z.of_nat S_ /\ (3 <= S_)%nat /\ m = Z.of_nat M /\ (1 <= M)%nat /\ k = Z.of_nat K /\ (2 <= K)%nat /\ N = (S_ * M)%nat.
  Proof. destruct facts as [(F1 & F2 & F3 & F4 & F5 & _) _]. unfold S_, M, K, N. repeat split; try lia. Qed.

  Section Request.
  (* A request is accepted in cycle c. *)
  Variables (c : nat).
  Let a := net "a_i" c. Let b := net "b_i" c. Let n := net "n_i" c. Let n' := net "n_prime_i" c.
  Hypotheses (idle : readies c = 1) (request : net "req_valid_i" c = 1).

  Lemma run : forall i, (i <= S_ + 1)%nat -> let t := (1 + i + c)%nat in (step t = Z.of_nat i /\ issuing t = 1 /\ busy t = 1 /\ done t = 0) /\
    initialise t = (if Nat.eqb i 0 then 1 else 0) /\ correct t = (if Nat.eqb i (S_ + 1) then 1 else 0) /\ next_step (i + c)%nat = Z.of_nat i /\ next_issuing (i + c)%nat = 1.
  Proof.
    destruct counts as (_ & CS & C3 & _). induction i; intros L t.
    - destruct (H_accept c (calm_always c) idle request) as (A1 & A2 & A3 & A4 & A5 & A6 & A7 & A8 & _). unfold t. cbn [Nat.add]. destruct (Nat.eqb_spec 0 (S_ + 1)); [lia |]. repeat split; assumption.
    - destruct (IHi ltac:(lia)) as ((B1 & B2 & B3 & B4) & _). destruct (H_runs _ (calm_always _) B3 B4 ltac:(lia)) as (A1 & A2 & A3 & A4 & A5 & A6 & A7 & A8).
      unfold t. cbn [Nat.add] in *. change (Nat.eqb (S i) 0) with false. rewrite B1 in A1, A3, A8. rewrite B2 in A2, A4. repeat split; try assumption; try lia.
      rewrite A8. destruct (Z.eqb_spec (Z.of_nat i) steps), (Nat.eqb_spec (S i) (S_ + 1)); reflexivity || lia.
  Qed.

  Lemma is_done : let t := (3 + S_ + c)%nat in done t = 1 /\ issuing t = 0 /\ initialise t = 0 /\ correct t = 0.
  Proof.
    destruct counts as (_ & CS & C3 & _). destruct (run (S_ + 1)%nat (le_n _)) as ((B1 & B2 & B3 & B4) & _). replace (1 + (S_ + 1) + c)%nat with (2 + S_ + c)%nat in * by lia.
    apply (H_ends _ (calm_always _) B3 B4). lia.
  Qed.

  Lemma at_rest : issuing c = 0.
  Proof. destruct (calm_always c) as ((R1 & [B | (B & I)]) & _); [rewrite idle, B in R1; discriminate | exact I]. Qed.

  Lemma kept : forall i, (i <= S_ + 2)%nat -> let t := (1 + i + c)%nat in net "gen_legal.u_datapath.a_q" t = a /\ net "gen_legal.u_datapath.b_q" t = b /\
    net "gen_legal.u_datapath.n_q" t = n /\ net "gen_legal.u_datapath.n_prime_q" t = n'.
  Proof.
    induction i; intros L t.
    - destruct (H_accept c (calm_always c) idle request) as (_ & _ & _ & _ & _ & _ & _ & _ & G). exact G.
    - specialize (IHi ltac:(lia)). cbv zeta in IHi. destruct (run i ltac:(lia)) as ((_ & _ & B & _) & _). destruct (calm_always (1 + i + c)%nat) as ((R1 & _) & _).
      destruct (H_keep (1 + i + c)%nat ltac:(lia)) as (E1 & E2 & E3 & E4). unfold t. cbn [Nat.add] in *. rewrite E1, E2, E3, E4. exact IHi.
  Qed.

  (* operands of issue e *)
  Let xs (e : nat) : Z := part (x (2 + e / M + c)%nat) (Z.of_nat (e mod M) * digit) digit.
  Let ys (e : nat) : Z := part (y (2 + e / M + c)%nat) (Z.of_nat (e mod M) * digit) digit.
  Let of_t (s : nat) : Z := value_t_ (1 + s + c)%nat.
  Let of_q (s : nat) : Z := value_q_ (1 + s + c)%nat.

  Lemma place_of_issue : forall e, (e < N)%nat -> (e / M < S_)%nat /\ (e mod M < M)%nat /\ e = (e / M * M + e mod M)%nat.
  Proof.
    intros e E. destruct counts as (_ & _ & _ & _ & M1 & _ & _ & EN). split; [apply Nat.div_lt_upper_bound; lia |]. split; [apply Nat.mod_upper_bound; lia |].
    rewrite Nat.mul_comm. apply Nat.div_mod. lia.
  Qed.

  Lemma operands_are : forall e, (e < N)%nat ->
    xs e = (if phase plan (Z.of_nat e) =? 3 then DigitPlan.digit digit (of_q (e / M)) (first plan (Z.of_nat e)) else if phase plan (Z.of_nat e) =? 2 then
      DigitPlan.digit digit (of_t (e / M)) (first plan (Z.of_nat e)) else if phase plan (Z.of_nat e) =? 1 then DigitPlan.digit digit a (first plan (Z.of_nat e)) else 0) /\
    ys e = (if phase plan (Z.of_nat e) =? 3 then DigitPlan.digit digit n (second plan (Z.of_nat e)) else if phase plan (Z.of_nat e) =? 2 then
      DigitPlan.digit digit n' (second plan (Z.of_nat e)) else if phase plan (Z.of_nat e) =? 1 then DigitPlan.digit digit b (second plan (Z.of_nat e)) else 0).
  Proof.
    intros e E. destruct (place_of_issue e E) as (E1 & E2 & E3). destruct counts as (_ & CS & C3 & CM & M1 & _ & _ & EN). set (s := (e / M)%nat) in *. set (j := (e mod M)%nat) in *.
    destruct (run s ltac:(lia)) as (_ & _ & _ & N1 & N2). destruct (index (Z.of_nat s) (Z.of_nat j) m ltac:(lia)) as [I1 I2].
    assert (EZ : Z.of_nat e = Z.of_nat s * m + Z.of_nat j) by (rewrite E3; lia). pose proof (index_range (Z.of_nat s) (Z.of_nat j) m steps ltac:(lia) ltac:(lia)) as IR.
    rewrite <- EZ in *. destruct (H_operands (s + c)%nat (Z.of_nat e) IR ltac:(rewrite I1; exact N1) N2) as [X Y]. rewrite I2 in X, Y.
    destruct (kept s ltac:(lia)) as (K1 & K2 & K3 & K4). cbn [Nat.add] in K1, K2, K3, K4. rewrite K1 in X. rewrite K2, K3, K4 in Y.
    destruct (H_taken (S (s + c))) as [T1 T2]. unfold xs, ys. fold s j. cbn [Nat.add]. rewrite T1, T2, X, Y. split; reflexivity.
  Qed.

  (* the products of step s are added two cycles after their operands come *)
  Lemma terms_of_step : forall (f : nat -> Z -> Z -> Z) (g : nat -> Z) s, (s < S_)%nat -> (forall e, (e < N)%nat -> g e = f (2 + e / M + c)%nat (Z.of_nat e) (Z.of_nat (e mod M))) ->
    total g ((S s) * M) = total g (s * M) + total (fun j => f (2 + s + c)%nat (Z.of_nat s * m + Z.of_nat j) (Z.of_nat j)) M.
  Proof.
    intros f g s L H. destruct counts as (_ & CS & C3 & CM & M1 & _ & _ & EN). replace (S s * M)%nat with (s * M + M)%nat by lia. rewrite total_split. f_equal. apply total_ext. intros j J.
    assert (D1 : ((s * M + j) / M = s)%nat) by (rewrite Nat.div_add_l, Nat.div_small by lia; lia).
    assert (D2 : ((s * M + j) mod M = j)%nat) by (rewrite Nat.add_comm, Nat.mod_add, Nat.mod_small by lia; reflexivity).
    pose proof (Nat.mul_le_mono_r (s + 1) S_ M ltac:(lia)). rewrite H, D1, D2 by lia. f_equal. lia.
  Qed.

  Let terms_t := term_t digit plan excess xs ys.
  Let terms_q := term_q digit plan excess xs ys.

  Lemma products_come : forall s, (s <= S_)%nat -> product_step (2 + s + c)%nat = Z.of_nat s /\ product_issuing (2 + s + c)%nat = 1.
  Proof. intros s L. destruct (run s ltac:(lia)) as ((B1 & B2 & _) & _). destruct (H_past (1 + s + c)%nat) as [P1 P2]. cbn [Nat.add] in *. rewrite P1, P2. auto. Qed.

  Lemma state_is : forall i, (i <= S_ + 1)%nat -> state_t_ (2 + i + c)%nat = (if Nat.eqb i 0 then initial_t else value_t_ (1 + i + c)%nat) /\
    state_q_ (2 + i + c)%nat = (if Nat.eqb i 0 then initial_q else value_q_ (1 + i + c)%nat).
  Proof.
    intros i L. destruct (run i L) as (_ & I & _). pose proof (H_state_t (1 + i + c)%nat) as T. pose proof (H_state_q (1 + i + c)%nat) as Q. cbn [Nat.add] in *. rewrite T, Q, I.
    destruct (Nat.eqb i 0); split; reflexivity.
  Qed.

  Lemma added_up : forall i, (i <= S_)%nat ->
    (2 ^ A | value_t_ (2 + i + c)%nat - (initial_t + total terms_t (i * M) + (if Nat.eqb i S_ then correction_ (2 + S_ + c)%nat else 0))) /\
    (R | value_q_ (2 + i + c)%nat - (initial_q + total terms_q (i * M))).
  Proof.
    destruct counts as (_ & CS & C3 & CM & M1 & _ & _ & EN). induction i; intros L.
    - destruct (state_is O ltac:(lia)) as [T Q]. cbn [Nat.add] in T, Q. change (Nat.eqb 0 0) with true in T, Q. destruct (H_past c) as [_ P]. rewrite at_rest in P. destruct (run 1 ltac:(lia)) as (_ & _ & C & _).
      destruct (Nat.eqb_spec 1 (S_ + 1)); [lia |]. cbn [Nat.add] in C |- *. destruct (Nat.eqb_spec 0 S_); [lia |]. cbn [Nat.mul total].
      rewrite (quiet_t_step (S c) P C), (quiet_q_step (S c) P C), T, Q. split; [exists 0 | exists 0]; lia.
    - destruct (IHi ltac:(lia)) as [Vt Vq]. destruct (Nat.eqb_spec i S_); [lia |]. destruct (state_is (S i) ltac:(lia)) as [T Q]. change (Nat.eqb (S i) 0) with false in T, Q.
      destruct (products_come i ltac:(lia)) as [P1 P2].
      assert (C : correct (S (2 + i + c))%nat = if Nat.eqb (S i) S_ then 1 else 0).
      { destruct (run (2 + i)%nat ltac:(lia)) as (_ & _ & C & _). replace (1 + (2 + i) + c)%nat with (S (2 + i + c)) in C by lia. rewrite C.
        destruct (Nat.eqb_spec (2 + i) (S_ + 1)), (Nat.eqb_spec (S i) S_); reflexivity || lia. }
      assert (O : Z.of_nat i = steps - 1 \/ correct (S (2 + i + c)) = 0) by (rewrite C; destruct (Nat.eqb_spec (S i) S_); [left; lia | right; reflexivity]).
      pose proof (sum_t_step (2 + i + c)%nat (Z.of_nat i) ltac:(lia) P1 P2 O) as G. pose proof (sum_q_step (2 + i + c)%nat (Z.of_nat i) ltac:(lia) P1 P2 O) as H.
      replace (2 + S i + c)%nat with (S (2 + i + c)) in * by lia. rewrite T in G. rewrite Q in H. replace (1 + S i + c)%nat with (2 + i + c)%nat in * by lia.
      assert (Ct : correction_ (S (2 + i + c)) = if Nat.eqb (S i) S_ then correction_ (2 + S_ + c)%nat else 0).
      { destruct (Nat.eqb_spec (S i) S_) as [Es | Es]; [f_equal; lia |]. rewrite (H_correction (S (2 + i + c))), C. lia. }
      rewrite Ct in G. unfold terms_t, terms_q in *. rewrite (terms_of_step in_t (term_t digit plan excess xs ys) i ltac:(lia) ltac:(reflexivity)), (terms_of_step in_q (term_q digit plan excess xs ys) i ltac:(lia) ltac:(reflexivity)).
      clear - G H Vt Vq. split; [destruct G as [q1 G], Vt as [q2 Vt]; exists (q1 + q2) | destruct H as [q1 H], Vq as [q2 Vq]; exists (q1 + q2)]; lia.
  Qed.

  Hypotheses (odd : n mod 2 = 1) (inverse : (n * n' + 1) mod R = 0) (a_range : 0 <= a < 2 * n) (b_range : 0 <= b < 2 * n).
  Let q := (a * b) mod R * n' mod R.
  Let u_kept := grid K (fun i j => if i + j <? k - 1 then 0 else DigitPlan.digit digit q i * DigitPlan.digit digit n j * place digit (i + j)).

  Lemma in_words : 0 <= a < R /\ 0 <= b < R /\ 0 < n < 2 ^ W /\ 0 <= n < R /\ 0 <= n' < R /\ 0 < R /\ R * 2 ^ (W + 1) = 2 ^ A /\ 2 ^ W < R.
  Proof.
    destruct facts as [(F1 & F2 & F3 & F4 & F5 & F6 & F7 & _) _]. destruct widths as (W1 & _).
    destruct (in_ranges _ _ _ _ _ _ _ _ _ _ _ _ _ _ H_ranges c) as (_ & _ & Ra & Rb & Rn & Rp & _). fold a b n n' R in Ra, Rb, Rn, Rp.
    pose proof (odd_positive n ltac:(lia) odd). assert (2 ^ (W + 1) < R /\ 2 ^ W < R) by (split; apply Z.pow_lt_mono_r; lia).
    assert (R * 2 ^ (W + 1) = 2 ^ A) by (unfold R, A; rewrite <- Z.pow_add_r by lia; reflexivity). lia.
  Qed.

  Lemma by_plan : total terms_t N = a * b + u_kept + excess * (grid K (fun i j => place digit (i + j)) + grid K (fun i j => if i + j <? k - 1 then 0 else place digit (i + j))) /\
    (R | initial_q + total terms_q N - q) /\ exists e, (e < N)%nat /\ forall u, (u < N)%nat -> phase plan (Z.of_nat u) = 2 -> (u / M + 2 <= e / M)%nat.
  Proof.
    destruct facts as [(F1 & F2 & F3 & F4 & F5 & F6 & F7 & _) (_ & good_plan & _ & T0 & Q0 & _)]. destruct counts as (_ & CS & C3 & CM & M1 & CK & K2 & EN).
    destruct in_words as (Ra & Rb & _ & Rn & Rp & RP & RA & _). assert (RK : place digit (Z.of_nat K) = R) by (rewrite <- CK; reflexivity).
    assert (of_t_is : forall s, (1 <= s)%nat -> (s * M < N)%nat -> (place digit (Z.of_nat K) | of_t s - (initial_t + total (term_t digit plan excess xs ys) ((s + 1 - 2) * M)))).
    { intros s S1 S2. rewrite RK. assert (S3 : (s < S_)%nat) by (clear - S2 EN M1; nia). destruct (added_up (s - 1) ltac:(lia)) as [V _]. destruct (Nat.eqb_spec (s - 1) S_); [lia |]. rewrite Z.add_0_r in V.
      replace (2 + (s - 1) + c)%nat with (1 + s + c)%nat in V by lia. replace (s + 1 - 2)%nat with (s - 1)%nat by lia. apply (Z.divide_trans _ (2 ^ A)); [| exact V]. exists (2 ^ (W + 1)). lia. }
    assert (of_q_is : forall s, (1 <= s)%nat -> (s * M < N)%nat -> (place digit (Z.of_nat K) | of_q s - (initial_q + total (term_q digit plan excess xs ys) ((s + 1 - 2) * M)))).
    { intros s S1 S2. rewrite RK. assert (S3 : (s < S_)%nat) by (clear - S2 EN M1; nia). destruct (added_up (s - 1) ltac:(lia)) as [_ V].
      replace (2 + (s - 1) + c)%nat with (1 + s + c)%nat in V by lia. replace (s + 1 - 2)%nat with (s - 1)%nat by lia. exact V. }
    assert (T1 : (place digit (Z.of_nat K) | initial_t + excess * grid K (fun i j => place digit (i + j)))) by (rewrite RK; exact T0).
    assert (Q1 : (place digit (Z.of_nat K) | initial_q + excess * grid K (fun i j => if i + j <? Z.of_nat K then place digit (i + j) else 0))) by (rewrite RK, <- CK; exact Q0).
    assert (some : (1 <= K)%nat /\ (1 <= M)%nat /\ (1 <= 2)%nat) by lia. assert (wide_digit : 1 <= digit) by lia. rewrite <- RK in Ra, Rb, Rn, Rp.
    pose proof (all_of_t digit K M 2 N (k - 1) plan excess initial_t initial_q wide_digit some good_plan T1 Q1 a b n n' xs ys of_t of_q Ra Rb Rn Rp
      (fun e E => proj1 (operands_are e E)) (fun e E => proj2 (operands_are e E)) of_t_is of_q_is) as X1.
    pose proof (all_of_q digit K M 2 N (k - 1) plan excess initial_t initial_q wide_digit some good_plan T1 Q1 a b n n' xs ys of_t of_q Ra Rb Rn Rp
      (fun e E => proj1 (operands_are e E)) (fun e E => proj2 (operands_are e E)) of_t_is of_q_is) as X2.
    pose proof (q_is_final digit K M 2 N (k - 1) plan excess initial_t initial_q wide_digit some good_plan T1 Q1 a b n n' xs ys of_t of_q Ra Rb Rn Rp
      (fun e E => proj1 (operands_are e E)) (fun e E => proj2 (operands_are e E)) of_t_is of_q_is) as X3.
    unfold quotient in X1, X2. rewrite RK in X1, X2. split; [exact X1 |]. split; [exact X2 |]. apply X3. lia.
  Qed.

  Lemma q_is : state_q_ (1 + S_ + c)%nat = q.
  Proof.
    destruct by_plan as (_ & X & e & E & F). destruct counts as (_ & CS & C3 & CM & M1 & CK & K2 & EN). destruct in_words as (_ & _ & _ & _ & _ & RP & _).
    destruct (state_is (S_ - 1) ltac:(lia)) as [_ Q]. destruct (Nat.eqb_spec (S_ - 1) 0); [lia |]. destruct (added_up (S_ - 2) ltac:(lia)) as [_ V].
    replace (2 + (S_ - 1) + c)%nat with (1 + S_ + c)%nat in Q by lia. replace (1 + (S_ - 1) + c)%nat with (2 + (S_ - 2) + c)%nat in Q by lia. rewrite <- Q in V.
    destruct (in_ranges _ _ _ _ _ _ _ _ _ _ _ _ _ _ H_ranges (1 + S_ + c)%nat) as (_ & _ & _ & _ & _ & _ & _ & _ & _ & Sq & _). apply (same (k * digit)); [exact Sq | apply Z.mod_pos_bound, RP |]. fold R.
    destruct (place_of_issue e E) as (E1 & _). assert (L : ((S_ - 2) * M <= N)%nat) by (rewrite EN; apply Nat.mul_le_mono_r; lia).
    rewrite (total_cut terms_q ((S_ - 2) * M) N L), (total_none _ (N - _)), Z.add_0_r in X; [exact (divide_sub _ _ _ _ V ltac:(replace (_ - q) with (initial_q + total terms_q ((S_ - 2) * M) - q) by lia; exact X)) |].
    intros i I. unfold terms_q, term_q. destruct (Z.eqb_spec (phase plan (Z.of_nat ((S_ - 2) * M + i))) 2) as [P | _]; [| reflexivity]. pose proof (F ((S_ - 2) * M + i)%nat ltac:(lia) P) as O.
    assert (S_ - 2 <= ((S_ - 2) * M + i) / M)%nat by (apply Nat.div_le_lower_bound; lia). lia.
  Qed.

  Lemma result_is : state_t_ (3 + S_ + c)%nat = a * b + u_kept + (2 ^ (2 * top - 1) + estimate digit top K q n) * 2 ^ (k * digit - 2 * top) /\
    let p := state_t_ (3 + S_ + c)%nat / R in 0 <= p < 2 * n /\ (p * R) mod n = (a * b) mod n.
  Proof.
    destruct facts as [(F1 & F2 & F3 & F4 & F5 & F6 & F7 & _) (_ & _ & enough & _ & _ & begins)]. destruct by_plan as (X & _). destruct counts as (_ & CS & C3 & CM & M1 & CK & K2 & EN).
    destruct in_words as (_ & _ & Rn & _ & _ & RP & RA & _). destruct (state_is (S_ + 1) ltac:(lia)) as [T _]. destruct (Nat.eqb_spec (S_ + 1) 0); [lia |].
    replace (2 + (S_ + 1) + c)%nat with (3 + S_ + c)%nat in T by lia. replace (1 + (S_ + 1) + c)%nat with (2 + S_ + c)%nat in T by lia. destruct (added_up S_ (le_n _)) as [V _].
    rewrite Nat.eqb_refl, <- T, <- EN in V. pose proof (H_correction (2 + S_ + c)%nat) as C. destruct (run (S_ + 1)%nat (le_n _)) as (_ & _ & C1 & _). rewrite Nat.eqb_refl in C1.
    replace (1 + (S_ + 1) + c)%nat with (2 + S_ + c)%nat in C1 by lia. rewrite C1, Z.mul_1_l in C.
    destruct (H_estimates (1 + S_ + c)%nat) as [EK G]. destruct (kept S_ ltac:(lia)) as (_ & _ & N1 & _). cbv zeta in N1. rewrite q_is, N1 in G. cbn [Nat.add] in G, C.
    assert (GE : net "gen_legal.u_datapath.gen_context[0].u_result.gen_estimate.estimate_q" (S (S (S_ + c))) = 2 ^ (2 * top - 1) + estimate digit top K q n).
    { rewrite G. f_equal. unfold estimate, DigitEstimate.top. match type of EK with _ = ?z => let v := eval vm_compute in (Z.to_nat z) in assert (KN : K = v) by (unfold K; rewrite EK; reflexivity) end.
      rewrite KN. cbn [Nat.sub total]. rewrite Z.add_0_l. reflexivity. }
    rewrite GE in C. rewrite CK in enough. pose proof (rounded digit top W K) as P. rewrite <- CK in P.
    specialize (P ltac:(lia)). rewrite CK in P. specialize (P enough a b n n' Rn). rewrite <- CK in P. specialize (P inverse a_range b_range). destruct P as (P1 & P2 & P3).
    change (place digit k) with R in P1, P2, P3. fold q in P1, P2, P3. fold u_kept in P1, P2, P3.
    destruct (in_ranges _ _ _ _ _ _ _ _ _ _ _ _ _ _ H_ranges (3 + S_ + c)%nat) as (_ & _ & _ & _ & _ & _ & _ & _ & St & _). fold A in St.
    assert (E : state_t_ (3 + S_ + c)%nat = a * b + u_kept + (2 ^ (2 * top - 1) + estimate digit top K q n) * 2 ^ (k * digit - 2 * top)).
    { apply (same A); [exact St | rewrite <- RA; exact P1 |]. rewrite X in V. change (2 + S_ + c)%nat with (S (S (S_ + c))) in V. rewrite C in V. clear - V begins. destruct V as [q1 V], begins as [q2 begins]. exists (q1 + q2). lia. }
    split; [exact E |]. cbv zeta. rewrite E. split; [exact P2 | exact P3].
  Qed.
  End Request.

  (* ---------------------------------------------------------------- the contract *)
  Let phase_of (t : nat) : Z := if readies t =? 1 then 0 else if done t =? 1 then 2 else 1.
  Let rests (t : nat) : Prop := done t = 1 /\ issuing t = 0 /\ initialise t = 0 /\ ended t /\ value_t_ t = state_t_ t.

  Lemma not_both : forall t, done t = 1 -> readies t = 0.
  Proof. intros t F. destruct (calm_always t) as ((R1 & _) & [B | (B & _)]); [rewrite B in F; discriminate |]. clear - R1 B. lia. Qed.

  Lemma done_phase : forall t, done t = 1 -> phase_of t = 2.
  Proof. intros t F. unfold phase_of. rewrite (not_both t F), F. reflexivity. Qed.

  Lemma result_rests : forall c, readies c = 1 -> net "req_valid_i" c = 1 -> rests (3 + S_ + c)%nat.
  Proof.
    intros c I V. destruct (is_done c I V) as (A1 & A2 & A3 & A4). destruct counts as (_ & CS & C3 & _). unfold rests. repeat split; try assumption.
    - right. destruct (run c I V (S_ + 1)%nat (le_n _)) as ((B1 & B2 & _) & _). replace (1 + (S_ + 1) + c)%nat with (2 + S_ + c)%nat in * by (clear; lia).
      destruct (H_past (2 + S_ + c)%nat) as [P1 P2]. cbn [Nat.add] in *. rewrite P1, P2, B1, B2. clear - CS. lia.
    - apply (stays (2 + S_ + c)%nat); [| exact A4]. right. destruct (products_come c I V S_ (le_n _)) as [-> ->]. clear - CS. lia.
  Qed.

  Theorem from_lemmas : multiplier net (net "a_i") (net "b_i") (net "n_i") (net "p_o") (Z.to_nat (steps + 3)) (Z.to_nat (steps + 3)) (2 ^ (k * digit))
    (fun c => net "n_i" c mod 2 = 1 /\ (net "n_i" c * net "n_prime_i" c + 1) mod 2 ^ (k * digit) = 0) (fun n x => 0 <= x < 2 * n) (fun n p => 0 <= p < 2 * n).
  Proof.
    destruct counts as (_ & CS & C3 & _). apply (serves _ _ _ _ _ _ _ _ _ _ _ phase_of 0 2 rests).
    - intros t. destruct (H_ready t) as [-> ->]. pose proof (not_both t) as B. destruct (bits_of t) as [[U | U] [V | V]]; unfold phase_of; rewrite U, V; auto. specialize (B V). rewrite U in B. discriminate.
    - intros c I V [odd inverse] Ra Rb. assert (Y : readies c = 1) by (unfold phase_of in I; destruct (Z.eqb_spec (readies c) 1); [assumption |]; destruct (done c =? 1); discriminate).
      destruct (result_is c Y V odd inverse Ra Rb) as (_ & P1 & P2). destruct (in_words c Y V odd inverse Ra Rb) as (_ & _ & Rn & _ & _ & RP & RA & _).
      exists (3 + S_)%nat. assert (T : (c + (3 + S_) = 3 + S_ + c)%nat) by (clear; lia). rewrite T. destruct (is_done c Y V) as (F & _).
      assert (E : net "p_o" (3 + S_ + c)%nat = state_t_ (3 + S_ + c)%nat / R).
      { rewrite (H_answer (3 + S_ + c)%nat). fold (R). unfold part. fold R. apply Z.mod_small. destruct facts as [(F1 & _) _]. rewrite Z.pow_add_r by (clear - F1; lia). change (2 ^ 1) with 2. clear - P1 Rn. lia. }
      rewrite E. split; [clear - CS; lia |]. split; [apply done_phase, F |]. split; [| split; [apply result_rests; assumption | split; [exact P1 | exact P2]]].
      intros t L G. pose proof (run c Y V (t - c - 1)%nat ltac:(clear - L; lia)) as H. replace (1 + (t - c - 1) + c)%nat with t in H by (clear - L; lia). destruct H as ((_ & _ & _ & N0) & _).
      unfold phase_of in G. rewrite N0 in G. destruct (readies t =? 1); discriminate.
    - intros t _ (A1 & A2 & A3 & A4 & A5) W0. destruct (H_waits t (calm_always t) A1 W0) as (B1 & B2 & B3 & B4). destruct (H_past t) as [P1 P2].
      split; [apply done_phase, B1 |]. split; [split; [exact B1 |]; split; [exact B2 |]; split; [exact B3 |]; split; [left; rewrite P2; exact A2 | apply (stays t A4 B4)] |].
      rewrite !H_answer, H_state_t, A3. cbn [Z.eqb Pos.eqb]. rewrite A5. reflexivity.
  Qed.
End Chain.

Theorem contract : forall (bits : nat) (steps k digit m plan rows initial_t initial_q top places lanes_t lanes_q : Z) (net : trace),
  let W := Z.of_nat bits in fits W steps k digit m plan rows initial_t initial_q top places = true ->
  ranges W steps k digit m plan rows initial_t initial_q top places lanes_t lanes_q net ->
  ready W steps k digit m plan rows initial_t initial_q top places lanes_t lanes_q net ->
  calm_at_reset W steps k digit m plan rows initial_t initial_q top places lanes_t lanes_q net ->
  calm_on W steps k digit m plan rows initial_t initial_q top places lanes_t lanes_q net ->
  accept W steps k digit m plan rows initial_t initial_q top places lanes_t lanes_q net ->
  runs W steps k digit m plan rows initial_t initial_q top places lanes_t lanes_q net ->
  ends W steps k digit m plan rows initial_t initial_q top places lanes_t lanes_q net ->
  waits W steps k digit m plan rows initial_t initial_q top places lanes_t lanes_q net ->
  keep W steps k digit m plan rows initial_t initial_q top places lanes_t lanes_q net ->
  past W steps k digit m plan rows initial_t initial_q top places lanes_t lanes_q net ->
  operands W steps k digit m plan rows initial_t initial_q top places lanes_t lanes_q net ->
  operands_taken W steps k digit m plan rows initial_t initial_q top places lanes_t lanes_q net ->
  rows_of_products W steps k digit m plan rows initial_t initial_q top places lanes_t lanes_q net ->
  value_t W steps k digit m plan rows initial_t initial_q top places lanes_t lanes_q net ->
  state_t W steps k digit m plan rows initial_t initial_q top places lanes_t lanes_q net ->
  value_q W steps k digit m plan rows initial_t initial_q top places lanes_t lanes_q net ->
  state_q W steps k digit m plan rows initial_t initial_q top places lanes_t lanes_q net ->
  correction W steps k digit m plan rows initial_t initial_q top places lanes_t lanes_q net ->
  answer W steps k digit m plan rows initial_t initial_q top places lanes_t lanes_q net ->
  estimates W steps k digit m plan rows initial_t initial_q top places lanes_t lanes_q net ->
  tree_of_products W steps k digit m plan rows initial_t initial_q top places lanes_t lanes_q net ->
  products W steps k digit m plan rows initial_t initial_q top places lanes_t lanes_q net ->
  added_t W steps k digit m plan rows initial_t initial_q top places lanes_t lanes_q net ->
  quiet_t W steps k digit m plan rows initial_t initial_q top places lanes_t lanes_q net ->
  tree_t W steps k digit m plan rows initial_t initial_q top places lanes_t lanes_q net ->
  added_q W steps k digit m plan rows initial_t initial_q top places lanes_t lanes_q net ->
  quiet_q W steps k digit m plan rows initial_t initial_q top places lanes_t lanes_q net ->
  tree_q W steps k digit m plan rows initial_t initial_q top places lanes_t lanes_q net ->
  multiplier net (net "a_i") (net "b_i") (net "n_i") (net "p_o") (Z.to_nat (steps + 3)) (Z.to_nat (steps + 3)) (2 ^ (k * digit))
    (fun c => net "n_i" c mod 2 = 1 /\ (net "n_i" c * net "n_prime_i" c + 1) mod 2 ^ (k * digit) = 0) (fun n x => 0 <= x < 2 * n) (fun n p => 0 <= p < 2 * n).
Proof.
  intros bits steps k digit m plan rows initial_t initial_q top places lanes_t lanes_q net W fit H0 H1 H2 H3 H4 H5 H6 H7 H8 H9 H10 H11 H12 H13 H14 H15 H16 H17 H18 H19 H20 H21 H22 H23 H24 H25 H26 H27.
  exact (from_lemmas _ _ _ _ _ _ _ _ _ _ _ _ _ net fit (conj H0 (conj H1 (conj H2 (conj H3 (conj H4 (conj H5 (conj H6 (conj H7 (conj H8 (conj H9 (conj H10 (conj H11 (conj H12 (conj H13 (conj H14 (conj H15 (conj H16 (conj H17 (conj H18 (conj H19 (conj H20 (conj H21 (conj H22 (conj H23 (conj H24 (conj H25 (conj H26 H27)))))))))))))))))))))))))))).
Qed.
