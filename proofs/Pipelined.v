(* SPDX-License-Identifier: Apache-2.0 *)
(* What a multiplier promises that has several operations under way: the k-th response is that of the k-th request. Cycle 0 is the first one after reset. *)
From Coq Require Import ZArith Lia String Bool.
Require Import Contract Bits.
Open Scope string_scope. Open Scope Z_scope.

(* How many of the first t numbers f holds for. *)
Fixpoint count (f : nat -> bool) (t : nat) : nat := match t with O => O | S i => ((if f i then 1 else 0) + count f i)%nat end.

Lemma count_ext : forall f g t, (forall i, (i < t)%nat -> f i = g i) -> count f t = count g t.
Proof. induction t; intros E; [reflexivity |]. cbn [count]. rewrite (E t), IHt by (intros; apply E; lia) || lia. reflexivity. Qed.

Lemma count_first : forall f t, count f (S t) = ((if f O then 1 else 0) + count (fun i => f (S i)) t)%nat.
Proof. induction t; [reflexivity |]. cbn [count] in *. rewrite IHt. lia. Qed.

Lemma count_none : forall f t, (forall i, (i < t)%nat -> f i = false) -> count f t = O.
Proof. induction t; intros E; [reflexivity |]. cbn [count]. rewrite (E t), IHt by (intros; apply E; lia) || lia. reflexivity. Qed.

Section Cycles.
  Variables (net : trace).
  Definition accepts (t : nat) : bool := (net "req_valid_i" t =? 1) && (net "req_ready_o" t =? 1).
  Definition takes (t : nat) : bool := (net "rsp_valid_o" t =? 1) && (net "rsp_ready_i" t =? 1).
  Definition waits (t : nat) : bool := (net "rsp_valid_o" t =? 1) && (net "rsp_ready_i" t =? 0).
  (* requests accepted, and responses taken, before cycle t *)
  Definition accepted : nat -> nat := count accepts.
  Definition taken : nat -> nat := count takes.
  (* those of the d cycles from c on in which no response waits *)
  Definition moving (c d : nat) : nat := count (fun i => negb (waits (c + i))) d.
End Cycles.

Section Multiplier.
  (* as in Contract.v; the most cycles are those in which no response waits *)
  Variables (net : trace) (a b n p : nat -> Z) (least most : nat) (R : Z) (legal : nat -> Prop) (operand result : Z -> Z -> Prop).

  Definition pipelined : Prop :=
    (* no response without a request *)
    (forall t, net "rsp_valid_o" t = 1 -> (taken net t < accepted net t)%nat) /\
    (* it stays until it is taken *)
    (forall t, net "rsp_valid_o" t = 1 -> net "rsp_ready_i" t = 0 -> net "rsp_valid_o" (S t) = 1 /\ p (S t) = p t) /\
    (* of a request after k others, the response after k others is the product, comes not before its time, and is there or taken in time *)
    forall c, net "req_valid_i" c = 1 -> net "req_ready_o" c = 1 -> legal c -> operand (n c) (a c) -> operand (n c) (b c) ->
    forall d, let k := accepted net c in
      (net "rsp_valid_o" (c + d)%nat = 1 -> taken net (c + d) = k ->
        (least <= d)%nat /\ result (n c) (p (c + d)%nat) /\ (p (c + d)%nat * R) mod n c = (a c * b c) mod n c) /\
      ((most <= moving net c d)%nat -> (k < taken net (c + d))%nat \/ taken net (c + d) = k /\ net "rsp_valid_o" (c + d)%nat = 1).

  Section Order.
  (* operations under way *)
  Variables (under_way : nat -> nat).
  (* d cycles after its request an operation is under way, and so many are before it *)
  Variables (is_after : nat -> nat -> nat -> Prop).
  Let taken_at (t : nat) : nat := if takes net t then 1%nat else 0%nat.
  Hypothesis none : under_way O = O.
  Hypothesis balance : forall t, (under_way (S t) + taken_at t = under_way t + if accepts net t then 1 else 0)%nat.
  Hypothesis some : forall t, net "rsp_valid_o" t = 1 -> (0 < under_way t)%nat.
  Hypothesis stays : forall t, net "rsp_valid_o" t = 1 -> net "rsp_ready_i" t = 0 -> net "rsp_valid_o" (S t) = 1 /\ p (S t) = p t.
  Hypothesis enters : forall c, net "req_valid_i" c = 1 -> net "req_ready_o" c = 1 -> legal c -> operand (n c) (a c) -> operand (n c) (b c) ->
    is_after c 1%nat (under_way c - taken_at c)%nat.
  Hypothesis moves : forall c d before, is_after c d before ->
    (before = O /\ taken_at (c + d) = 1%nat) \/ is_after c (S d) (before - taken_at (c + d))%nat /\ (taken_at (c + d) <= before)%nat.
  Hypothesis answers : forall c d, is_after c d O -> net "rsp_valid_o" (c + d)%nat = 1 ->
    (least <= d)%nat /\ result (n c) (p (c + d)%nat) /\ (p (c + d)%nat * R) mod n c = (a c * b c) mod n c.
  Hypothesis in_time : forall c d before, is_after c d before -> (most <= moving net c d)%nat -> before = O /\ net "rsp_valid_o" (c + d)%nat = 1.
  Hypothesis time : (1 <= most)%nat.

  Lemma counted : forall t, (taken net t + under_way t = accepted net t)%nat.
  Proof.
    induction t; [unfold taken, accepted; cbn [count]; lia |]. pose proof (balance t) as B. unfold taken, accepted, taken_at in *. cbn [count].
    destruct (takes net t), (accepts net t); lia.
  Qed.

  Lemma followed : forall c, net "req_valid_i" c = 1 -> net "req_ready_o" c = 1 -> legal c -> operand (n c) (a c) -> operand (n c) (b c) ->
    forall d, (1 <= d)%nat -> (accepted net c < taken net (c + d))%nat \/ exists before, is_after c d before /\ (taken net (c + d) + before = accepted net c)%nat.
  Proof.
    intros c V Y L A B. pose proof (enters c V Y L A B) as E. assert (some_at : (taken_at c <= under_way c)%nat).
    { unfold taken_at, takes. destruct (Z.eqb_spec (net "rsp_valid_o" c) 1) as [T | T]; cbn [andb]; [| lia]. pose proof (some c T). destruct (_ =? 1); lia. }
    assert (step : forall t, taken net (S t) = (taken_at t + taken net t)%nat) by reflexivity. pose proof (counted c) as C.
    induction d as [| d IH]; intros D; [lia |]. rewrite Nat.add_succ_r, step. destruct d as [| d].
    - rewrite Nat.add_0_r. right. eexists. split; [exact E | lia].
    - destruct (IH ltac:(lia)) as [G | (before & G & T)]; [left; lia |]. destruct (moves _ _ _ G) as [[Z0 M] | [M Le]]; [left; lia |].
      right. eexists. split; [exact M | lia].
  Qed.

  Theorem in_order : pipelined.
  Proof.
    split; [intros t V; pose proof (counted t); pose proof (some t V); lia |]. split; [exact stays |]. intros c V Y L A B d. cbv zeta.
    destruct d as [| d].
    - rewrite !Nat.add_0_r. unfold moving. cbn [count]. split; [| lia]. intros X T. pose proof (counted c). pose proof (some c X). lia.
    - destruct (followed c V Y L A B (S d) ltac:(lia)) as [G | (before & G & T)]; (split; [intros X K | intros M]); try lia.
      + apply answers; [| exact X]. replace O with before by lia. exact G.
      + destruct (in_time _ _ _ G M) as [-> X]. right. split; [lia | exact X].
  Qed.
  End Order.
End Multiplier.

(* A contract that asks for more, or says less, holds as well. *)
Lemma weaker : forall net a b n p least most R (legal legal' : nat -> Prop) (operand result operand' result' : Z -> Z -> Prop),
  pipelined net a b n p least most R legal operand result ->
  (forall c, legal' c -> legal c) -> (forall m x, operand' m x -> operand m x) -> (forall m x, result m x -> result' m x) ->
  pipelined net a b n p least most R legal' operand' result'.
Proof.
  intros * (M1 & M2 & M) L O P. split; [exact M1 |]. split; [exact M2 |]. intros c V Y Lc Oa Ob d.
  destruct (M c V Y (L _ Lc) (O _ _ Oa) (O _ _ Ob) d) as [A1 A2]. split; [| exact A2]. intros X K. destruct (A1 X K) as (B1 & B2 & B3). auto.
Qed.

(* Stages that all move in a cycle in which no response waits: stage 0 takes the request, the response is that of the last one. *)
Section Stages.
  Variables (net : trace) (a b n p : nat -> Z) (R : Z) (legal : nat -> Prop) (operand result : Z -> Z -> Prop).
  (* the last stage *)
  Variables (last : nat).
  (* what a stage has of the operation of a request *)
  Variables (has : nat -> nat -> nat -> Prop).
  Local Notation ready := (net "req_ready_o"). Local Notation response := (net "rsp_valid_o").
  (* whether a stage has an operation in a cycle *)
  Let valid (i t : nat) : Z := part (net "valid_q" t) (Z.of_nat i) 1.
  Hypothesis bits : forall t, 0 <= net "rsp_ready_i" t < 2.
  Hypothesis handshake : forall t, ready t = (if response t =? 1 then net "rsp_ready_i" t else 1) /\ response t = valid last t.
  Hypothesis empty : forall t, t = O -> net "valid_q" t = 0.
  Hypothesis enters : forall t, ready t = 1 -> valid O (S t) = net "req_valid_i" t.
  Hypothesis moves : forall t i, 0 <= i < Z.of_nat last -> ready t = 1 -> part (net "valid_q" (S t)) (i + 1) 1 = part (net "valid_q" t) i 1.
  Hypothesis stays : forall t, ready t = 0 -> net "valid_q" (S t) = net "valid_q" t.
  Hypothesis still : forall t, ready t = 0 -> p (S t) = p t.
  Hypothesis first_has : forall c, ready c = 1 -> legal c -> operand (n c) (a c) -> operand (n c) (b c) -> has c O (S c).
  Hypothesis next_has : forall c t i, (i < last)%nat -> ready t = 1 -> has c i t -> has c (S i) (S t).
  Hypothesis held_has : forall c t i, (i <= last)%nat -> ready t = 0 -> has c i t -> has c i (S t).
  Hypothesis last_has : forall c t, has c last t -> result (n c) (p t) /\ (p t * R) mod n c = (a c * b c) mod n c.

  Let valids (i t k : nat) : nat := count (fun j => valid (i + j)%nat t =? 1) k.

  Lemma next : forall t i, (i < last)%nat -> ready t = 1 -> valid (S i) (S t) = valid i t.
  Proof. intros t i I Y. unfold valid. rewrite Nat2Z.inj_succ. apply (moves t); [lia | exact Y]. Qed.

  Lemma held : forall t i, ready t = 0 -> valid i (S t) = valid i t.
  Proof. intros t i Y. unfold valid. rewrite stays by exact Y. reflexivity. Qed.

  Lemma moves_or_waits : forall t, ready t = 1 /\ waits net t = false /\ takes net t = (valid last t =? 1) \/
    ready t = 0 /\ waits net t = true /\ takes net t = false /\ valid last t = 1.
  Proof.
    intros t. destruct (handshake t) as [Y V]. pose proof (bits t). unfold waits, takes. rewrite <- V. destruct (Z.eqb_spec (response t) 1) as [X | X]; cbn [andb].
    - assert (net "rsp_ready_i" t = 0 \/ net "rsp_ready_i" t = 1) as [E | E] by lia; rewrite Y, E; [right | left]; auto.
    - left. auto.
  Qed.

  Lemma first_of : forall i t k, valids i t (S k) = ((if (valid i t =? 1)%Z then 1 else 0) + valids (S i) t k)%nat.
  Proof. intros. unfold valids. rewrite count_first, Nat.add_0_r. f_equal. apply count_ext. intros. rewrite Nat.add_succ_r. reflexivity. Qed.

  Lemma last_of : forall i t, (i <= last)%nat -> valids i t (S (last - i)) = ((if (valid last t =? 1)%Z then 1 else 0) + valids i t (last - i))%nat.
  Proof. intros i t I. unfold valids. cbn [count]. replace (i + (last - i))%nat with last by lia. reflexivity. Qed.

  Lemma moved : forall i t, (i <= last)%nat -> ready t = 1 -> valids (S i) (S t) (last - i) = valids i t (last - i).
  Proof. intros i t I Y. apply count_ext. intros j J. cbn [Nat.add]. rewrite next by lia || assumption. reflexivity. Qed.

  Lemma held_all : forall i t k, ready t = 0 -> valids i (S t) k = valids i t k.
  Proof. intros i t k Y. apply count_ext. intros j J. rewrite held by assumption. reflexivity. Qed.

  Theorem stages : pipelined net a b n p (S last) (S last) R legal operand result.
  Proof.
    apply (in_order _ _ _ _ _ _ _ _ _ _ _ (fun t => valids O t (S last)) (fun c d before => exists i, (i <= last)%nat /\ (i < d)%nat /\ moving net c d = S i /\
      valid i (c + d)%nat = 1 /\ before = valids (S i) (c + d)%nat (last - i) /\ has c i (c + d)%nat)); try lia.
    - apply count_none. intros. cbn [Nat.add]. unfold valid, part. rewrite empty, Zdiv_0_l by reflexivity. reflexivity.
    - intros t. pose proof (last_of O t ltac:(lia)) as F. rewrite Nat.sub_0_r in F. unfold accepts. destruct (moves_or_waits t) as [(Y & _ & ->) | (Y & _ & -> & _)]; rewrite Y.
      + rewrite first_of, enters by assumption. pose proof (moved O t ltac:(lia) Y) as M. rewrite Nat.sub_0_r in M. rewrite M, F. cbn [Z.eqb Pos.eqb]. rewrite andb_true_r. lia.
      + rewrite held_all by lia || assumption. cbn [Z.eqb]. rewrite andb_false_r. lia.
    - intros t V. pose proof (last_of O t ltac:(lia)) as F. rewrite Nat.sub_0_r in F. rewrite F. destruct (handshake t) as [_ <-]. rewrite V. cbn. lia.
    - intros t V F. destruct (handshake t) as [Y E]. rewrite V, F in Y. cbn in Y. destruct (handshake (S t)) as [_ ->]. rewrite held by lia || assumption. split; [congruence | auto].
    - intros c V Y L A B. exists O. rewrite Nat.sub_0_r, Nat.add_1_r. pose proof (last_of O c ltac:(lia)) as F. pose proof (moved O c ltac:(lia) Y) as M. rewrite Nat.sub_0_r in F, M.
      destruct (moves_or_waits c) as [(_ & W & ->) | (Y0 & _)]; [| congruence]. rewrite enters, M by assumption.
      repeat split; try lia; try assumption; [| auto]. unfold moving. cbn [count]. rewrite !Nat.add_0_r, W. reflexivity.
    - intros c d before (i & I & D & M & V & -> & P). unfold moving in *. cbn [count]. rewrite Nat.add_succ_r.
      destruct (moves_or_waits (c + d)) as [(Y & W & T) | (Y & W & T & X)]; rewrite W, T; cbn [negb].
      + destruct (Nat.eq_dec i last) as [-> | N]; [left; rewrite Nat.sub_diag, V; split; reflexivity |]. right. pose proof (last_of (S i) (c + d) ltac:(lia)) as F.
        pose proof (moved (S i) (c + d) ltac:(lia) Y) as G. replace (S (last - S i)) with (last - i)%nat in F by lia. split; [| lia].
        exists (S i). rewrite next by lia || assumption. repeat split; try lia. apply next_has; lia || assumption.
      + right. split; [| lia]. exists i. rewrite held, held_all by lia || assumption. repeat split; try lia. apply held_has; assumption.
    - intros c d (i & I & D & M & V & Z0 & P) X. destruct (handshake (c + d)) as [_ E]. assert (i = last) as ->.
      { destruct (Nat.eq_dec i last) as [| N]; [assumption |]. pose proof (last_of (S i) (c + d) ltac:(lia)) as F. replace (S (last - S i)) with (last - i)%nat in F by lia.
        rewrite <- E, X in F. cbn in F. lia. }
      split; [lia | auto].
    - intros c d before (i & I & D & M & V & -> & P) T. assert (i = last) as -> by lia. rewrite Nat.sub_diag. destruct (handshake (c + d)) as [_ ->]. auto.
  Qed.
End Stages.
