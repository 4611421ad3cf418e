(* SPDX-License-Identifier: Apache-2.0 *)
(* unit_csa that takes no request before the response before has been taken: what unit_csa_loop.v asks of a request. The hypotheses are lemmas that
   montforge prints into unit_csa_lemmas.v, for the Booth terms and delay of a design, and proves on the RTL. *)
From Coq Require Import ZArith Lia String.
Require Import Contract Control Bits UnitAccumulator unit_csa_lemmas unit_csa_loop.
Open Scope string_scope. Open Scope Z_scope.
Set Default Proof Using "All".

Section Alone.
  Variables (W loops many last digit operand modulus state delay Pair group : Z) (net : trace).
  Local Notation on lemma := (lemma W loops many last digit operand modulus state delay Pair group net).
  Hypotheses (positive : 1 <= digit) (H_ranges : on ranges) (H_selects : on selects) (H_at_reset : on at_reset) (H_accept : on accept) (H_no_load : on no_load)
    (H_shift_a : on shift_a) (H_quotient_digit : on quotient_digit) (H_quotient_transfer : on quotient_transfer) (H_accumulate : on accumulate).
  Local Notation phase := (net "u_core.phase_q"). Local Notation left := (net "u_core.left_q"). Local Notation idle := (net "u_core.idle_q").
  Local Notation clear := (net "u_core.clear_q"). Local Notation shift := (net "u_core.shift_q"). Local Notation start := (net "u_core.start_q").
  Local Notation load := (net "u_core.load_q"). Local Notation a_q := (net "u_core.a_q"). Local Notation b_q := (net "u_core.b_q").
  Local Notation modulus_q := (net "u_core.modulus_q").
  Ltac range t := in_range H_ranges t.

  Lemma idle_is : forall t, idle t = if phase t =? 0 then 1 else 0.
  Proof. intros [| t]; [destruct (H_at_reset O eq_refl) as (-> & -> & _); reflexivity | apply H_selects]. Qed.

  Lemma shift_is : forall t, shift t = if phase t =? 1 then 1 else 0.
  Proof.
    intros [| t]; [destruct (H_at_reset O eq_refl) as (-> & _ & _ & -> & _); reflexivity |].
    destruct (H_selects t) as (_ & _ & -> & _). rewrite idle_is. destruct (Z.eqb_spec (phase (S t)) 0) as [-> |]; reflexivity.
  Qed.

  Lemma resting : forall t, phase t = 1 -> 0 < left t -> idle t = 0.
  Proof. intros t P _. rewrite idle_is, P. reflexivity. Qed.

  Hypothesis no_start : forall t, phase t <> 3 -> phase t <> 4 -> start t = 0.

  Lemma shifts : forall t, phase t = 1 -> idle t = 0 -> a_q (S t) = a_q t / 2 ^ digit + 2 ^ (many * digit - digit) * net "u_core.u" t.
  Proof. intros t P I. apply H_shift_a; [exact I | rewrite shift_is, P; reflexivity | apply no_start; rewrite P; discriminate]. Qed.

  Variables (c : nat).
  Hypotheses (begins : phase c = 0) (request : net "req_valid_i" c = 1).

  Lemma first_transfer : net "u_core.transfer_q" (S c) = 0 -> net "u_core.u_transfer_q" (S (S c)) = 0.
  Proof.
    intros V. assert (C : clear c = 1).
    { destruct c as [| t]; [apply (H_at_reset O eq_refl) |]. destruct (H_selects t) as (_ & -> & _). rewrite begins. destruct (idle t =? 1); reflexivity. }
    assert (CC : net "u_core.clear" c = 1).
    { destruct (H_selects c) as (_ & _ & _ & ->). rewrite C. assert (0 <= load c < 2 ^ 1) by range c. change (2 ^ 1) with 2 in *.
      assert (load c = 0 \/ load c = 1) as [-> | ->] by lia; reflexivity. }
    destruct (H_accumulate c) as (E1 & E2 & _). destruct (H_quotient_transfer c) as [_ E3]. rewrite C in E3. rewrite CC in E1, E2.
    destruct (H_quotient_transfer (S c)) as [-> _]. pose proof (H_quotient_digit (S c) (or_introl V)) as Q.
    rewrite E1, E2, E3, V in Q. cbn [Z.eqb Pos.eqb] in Q. rewrite !part_zero in Q.
    assert (0 <= net "u_core.u" (S c) < 2 ^ digit) by (range (S c)). assert (0 <= net "u_core.carry" (S c) < 2 ^ 1) by (range (S c)).
    pose proof (Z.pow_pos_nonneg 2 digit ltac:(lia) ltac:(lia)). assert (net "u_core.u" (S c) = 0) as ->; [| apply part_zero]. assert (net "u_core.carry" (S c) = 0 \/ net "u_core.carry" (S c) = 1) as [F | F] by lia; rewrite F in Q; lia.
  Qed.

  Lemma begun : begins_in W loops many digit operand modulus net c.
  Proof.
    assert (I : idle c = 1) by (rewrite idle_is, begins; reflexivity). split; [exact I |]. split; [rewrite begins; discriminate |].
    split; [apply H_no_load; rewrite begins; reflexivity |]. split; [| exact first_transfer].
    apply H_accept; [exact begins | exact request | exact I | rewrite shift_is, begins; reflexivity | apply no_start; rewrite begins; discriminate].
  Qed.
End Alone.
