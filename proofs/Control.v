(* SPDX-License-Identifier: Apache-2.0 *)
(* The control of a multiplier that does one operation at a time: phases, a counter of their cycles, the handshake. *)
From Coq Require Import ZArith Lia String.
Require InRange.
Require Import Contract.
Open Scope string_scope. Open Scope Z_scope.

(* A phase in which a counter goes down to 0, and in which a property of the state is kept. *)
Lemma counted : forall (phase left : nat -> Z) (P : Z) (keeps : nat -> Prop),
  (forall t, phase t = P -> 0 < left t -> phase (S t) = P /\ left (S t) = left t - 1) ->
  (forall t, phase t = P -> keeps t -> keeps (S t)) ->
  forall (s d : nat), phase s = P -> left s = Z.of_nat d -> keeps s ->
  forall i, (i <= d)%nat -> phase (s + i)%nat = P /\ left (s + i)%nat = Z.of_nat (d - i) /\ keeps (s + i)%nat.
Proof.
  intros phase left P keeps down kept s d P0 L0 K0. induction i; intros L; [rewrite Nat.add_0_r, Nat.sub_0_r; auto |].
  destruct (IHi ltac:(lia)) as (P1 & L1 & K1). rewrite Nat.add_succ_r.
  destruct (down _ P1 ltac:(lia)) as [P2 L2]. repeat split; [exact P2 | lia | auto].
Qed.

(* Such a phase of d cycles, and the first cycle of the phase after it. *)
Theorem phase_runs : forall (phase left : nat -> Z) (P Q next : Z) (keeps : nat -> Prop),
  (forall t, phase t = P -> 0 < left t -> phase (S t) = P /\ left (S t) = left t - 1) ->
  (forall t, phase t = P -> left t = 0 -> phase (S t) = Q /\ left (S t) = next) ->
  (forall t, phase t = P -> keeps t -> keeps (S t)) ->
  forall (s d : nat), (1 <= d)%nat -> phase s = P -> left s = Z.of_nat d - 1 -> keeps s ->
  (forall i, (i < d)%nat -> phase (s + i)%nat = P /\ keeps (s + i)%nat) /\
  phase (s + d)%nat = Q /\ left (s + d)%nat = next /\ keeps (s + d)%nat.
Proof.
  intros phase left P Q next keeps down ends kept s d D P0 L0 K0.
  pose proof (counted phase left P keeps down kept s (d - 1)%nat P0 ltac:(lia) K0) as C.
  split; [intros i L; destruct (C i ltac:(lia)) as (A & _ & B); auto |].
  destruct (C (d - 1)%nat ltac:(lia)) as (A & B & E). replace (s + d)%nat with (S (s + (d - 1)))%nat by lia.
  destruct (ends _ A ltac:(lia)). auto.
Qed.

(* A phase that ends when a value is 0, which it is after J cycles at the latest. *)
Lemma until : forall (keeps : nat -> Prop) (value : nat -> Z) (J : nat), keeps O ->
  (forall i, (i < J)%nat -> keeps i -> value i <> 0 -> keeps (S i)) -> (keeps J -> value J = 0) ->
  exists j, (j <= J)%nat /\ keeps j /\ value j = 0 /\ forall i, (i < j)%nat -> keeps i /\ value i <> 0.
Proof.
  intros keeps value J K0 step last.
  assert (G : forall d, (d <= J)%nat -> (exists j, (j < d)%nat /\ keeps j /\ value j = 0 /\ forall i, (i < j)%nat -> keeps i /\ value i <> 0) \/
    keeps d /\ forall i, (i < d)%nat -> keeps i /\ value i <> 0).
  { induction d; intros L; [right; split; [exact K0 | intros; lia] |].
    destruct (IHd ltac:(lia)) as [(j & H1 & H2) | [H1 H2]]; [left; exists j; split; [lia | exact H2] |].
    destruct (Z.eq_dec (value d) 0) as [E | E]; [left; exists d; auto |]. right. split; [apply step; auto; lia |].
    intros i I. destruct (Nat.eq_dec i d) as [-> | X]; [auto | apply H2; lia]. }
  destruct (G J (le_n J)) as [(j & H1 & H2) | [H1 H2]]; [exists j; split; [lia | exact H2] | exists J; auto].
Qed.

Section Handshake.
  Variables (net : trace) (a b n p : nat -> Z) (least most : nat) (R : Z) (legal : nat -> Prop) (operand result : Z -> Z -> Prop).
  (* the phase by the cycle, its values in which a request is taken and in which a response is valid *)
  Variables (phase : nat -> Z) (idle done : Z).
  (* a property of the state that holds while a response waits *)
  Variables (rests : nat -> Prop).
  Hypothesis handshake : forall t,
    net "req_ready_o" t = (if phase t =? idle then 1 else 0) /\ net "rsp_valid_o" t = (if phase t =? done then 1 else 0).
  Hypothesis computes : forall c, phase c = idle -> net "req_valid_i" c = 1 -> legal c -> operand (n c) (a c) -> operand (n c) (b c) ->
    exists d : nat, (least <= d <= most)%nat /\ phase (c + d)%nat = done /\ (forall t, (c < t < c + d)%nat -> phase t <> done) /\
    rests (c + d)%nat /\ result (n c) (p (c + d)%nat) /\ (p (c + d)%nat * R) mod n c = (a c * b c) mod n c.
  Hypothesis waits : forall t, phase t = done -> rests t -> net "rsp_ready_i" t = 0 -> phase (S t) = done /\ rests (S t) /\ p (S t) = p t.

  Theorem serves : multiplier net a b n p least most R legal operand result.
  Proof.
    assert (valid : forall t, phase t = done -> net "rsp_valid_o" t = 1)
      by (intros t E; destruct (handshake t) as [_ ->]; rewrite E, Z.eqb_refl; reflexivity).
    intros c request now L A B.
    assert (I : phase c = idle) by (destruct (handshake c) as [Y _]; destruct (Z.eqb_spec (phase c) idle); [assumption | lia]).
    destruct (computes c I request L A B) as (d & D & E & N & Q & G & M). exists d.
    assert (stays : forall j, (forall i, (i < j)%nat -> net "rsp_ready_i" (c + d + i)%nat = 0) ->
      phase (c + d + j)%nat = done /\ rests (c + d + j)%nat /\ p (c + d + j)%nat = p (c + d)%nat).
    { induction j; intros H; [rewrite Nat.add_0_r; auto |]. destruct (IHj ltac:(intros; apply H; lia)) as (S1 & S2 & S3).
      destruct (waits _ S1 S2 (H j ltac:(lia))) as (T1 & T2 & T3). rewrite Nat.add_succ_r. repeat split; congruence || assumption. }
    repeat split; try assumption; try lia; [apply valid, E | | |].
    - intros t T. specialize (N t T). destruct (handshake t) as [_ ->]. destruct (Z.eqb_spec (phase t) done); [contradiction | reflexivity].
    - apply valid, stays. assumption.
    - apply stays. assumption.
  Qed.
End Handshake.

(* 0 < n for an odd n. *)
Lemma odd_positive : forall n, 0 <= n -> n mod 2 = 1 -> 0 < n.
Proof. intros n R O. destruct (Z.eq_dec n 0) as [-> | E]; [discriminate | lia]. Qed.

(* Closes a statement that is one of the ranges of nets, H in cycle t. *)
Ltac in_range H t := InRange.in_range H t.
