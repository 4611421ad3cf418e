(* SPDX-License-Identifier: Apache-2.0 *)
(* mf_credit_buffer: results of a pipeline that does not stall wait in places that their requests were given. *)
From Coq Require Import ZArith Lia String Bool.
Require Import Contract Pipelined.
Open Scope string_scope. Open Scope Z_scope.
Set Default Proof Using "All".

Lemma count_le : forall f s t, (s <= t)%nat -> (count f s <= count f t <= count f s + (t - s))%nat.
Proof.
  induction t; intros L; [replace s with O by lia; lia |]. destruct (Nat.eq_dec s (S t)) as [-> |]; [lia |].
  specialize (IHt ltac:(lia)). cbn [count]. destruct (f t); lia.
Qed.

Lemma count_before : forall f s t, f s = true -> (s < t)%nat -> (count f s < count f t)%nat.
Proof. intros f s t F L. pose proof (count_le f (S s) t ltac:(lia)) as C. cbn [count] in C. rewrite F in C. lia. Qed.

(* The number k of which f holds. *)
Lemma count_reaches : forall f t k, (k < count f t)%nat -> exists s, (s < t)%nat /\ f s = true /\ count f s = k.
Proof.
  induction t; intros k L; cbn [count] in L; [lia |]. destruct (Nat.lt_ge_cases k (count f t)) as [B | B].
  - destruct (IHt k B) as (s & S1 & S2). exists s. split; [lia | exact S2].
  - exists t. destruct (f t); [| lia]. split; [lia |]. split; [reflexivity | lia].
Qed.

Section Buffer.
  Variables (net : trace) (a b n p : nat -> Z) (R : Z) (legal : nat -> Prop) (operand within : Z -> Z -> Prop).
  (* cycles from a request to its result, places, operations owed and results waiting, the places of the next result to come and to go *)
  Variables (latency depth : nat) (owed waiting put take puts : nat -> Z).
  (* results of the pipeline, and what is in a place *)
  Variables (result : nat -> Z) (place : nat -> Z -> Z).
  Let D := Z.of_nat depth.
  Hypothesis sizes : (1 <= latency)%nat /\ (1 <= depth <= latency + 2)%nat.
  Hypothesis bits : forall t, 0 <= net "req_valid_i" t < 2 /\ 0 <= net "rsp_ready_i" t < 2.
  (* A request is accepted if there is a place, and at some times alone. *)
  Hypothesis handshake : forall t, (0 <= net "req_ready_o" t < 2 /\ (net "req_ready_o" t = 1 -> owed t <> D)) /\ net "rsp_valid_o" t = (if waiting t =? 0 then 0 else 1).
  Hypothesis empty : forall t, t = O -> owed t = 0 /\ waiting t = 0 /\ put t = 0 /\ take t = 0.
  Hypothesis counts : forall t, owed t <= D -> waiting t + puts t <= owed t ->
    owed (S t) = owed t + net "req_valid_i" t * net "req_ready_o" t - net "rsp_valid_o" t * net "rsp_ready_i" t /\
    waiting (S t) = waiting t + puts t - net "rsp_valid_o" t * net "rsp_ready_i" t.
  Hypothesis places : forall t, put t < D -> take t < D ->
    put (S t) = (if puts t =? 1 then if put t =? D - 1 then 0 else put t + 1 else put t) /\
    take (S t) = (if net "rsp_valid_o" t * net "rsp_ready_i" t =? 1 then if take t =? D - 1 then 0 else take t + 1 else take t).
  Hypothesis keeps : forall t i, 0 <= i < D -> place (S t) i = (if puts t =? 1 then if put t =? i then result t else place t i else place t i).
  Hypothesis shows : forall t i, 0 <= i < D -> take t = i -> p t = place t i.
  Hypothesis comes : forall t, puts t = (if Nat.ltb t latency then 0 else if accepts net (t - latency) then 1 else 0).
  Hypothesis right : forall c, net "req_valid_i" c = 1 -> net "req_ready_o" c = 1 -> legal c -> operand (n c) (a c) -> operand (n c) (b c) ->
    within (n c) (result (c + latency)%nat) /\ (result (c + latency)%nat * R) mod n c = (a c * b c) mod n c.

  (* results that have come before cycle t *)
  Let come (t : nat) : nat := accepted net (t - latency).

  Lemma accepted_bit : forall t, net "req_valid_i" t * net "req_ready_o" t = (if accepts net t then 1 else 0).
  Proof.
    intros t. destruct (bits t) as [V _]. destruct (handshake t) as [[Y _] _]. unfold accepts.
    assert (net "req_valid_i" t = 0 \/ net "req_valid_i" t = 1) as [-> | ->] by lia; assert (net "req_ready_o" t = 0 \/ net "req_ready_o" t = 1) as [-> | ->] by lia; reflexivity.
  Qed.

  Lemma taken_bit : forall t, net "rsp_valid_o" t * net "rsp_ready_i" t = (if takes net t then 1 else 0).
  Proof.
    intros t. destruct (bits t) as [_ V]. destruct (handshake t) as [_ Y]. unfold takes. rewrite Y.
    assert (net "rsp_ready_i" t = 0 \/ net "rsp_ready_i" t = 1) as [-> | ->] by lia; destruct (waiting t =? 0); reflexivity.
  Qed.

  Lemma come_next : forall t, Z.of_nat (come (S t)) = Z.of_nat (come t) + puts t.
  Proof.
    intros t. unfold come. rewrite comes. destruct (Nat.ltb_spec t latency).
    - replace (S t - latency)%nat with O by lia. replace (t - latency)%nat with O by lia. lia.
    - replace (S t - latency)%nat with (S (t - latency)) by lia. unfold accepted. cbn [count]. destruct (accepts net (t - latency)); lia.
  Qed.

  Lemma come_accepted : forall t, Z.of_nat (come t) + puts t <= Z.of_nat (accepted net t).
  Proof. intros t. rewrite <- come_next. unfold come. pose proof (count_le (accepts net) (S t - latency) t ltac:(lia)). unfold accepted. lia. Qed.

  Lemma next_place : forall k, (if Z.of_nat k mod D =? D - 1 then 0 else Z.of_nat k mod D + 1) = Z.of_nat (S k) mod D.
  Proof.
    intros k. pose proof (Z.mod_pos_bound (Z.of_nat k) D ltac:(lia)) as B. pose proof (Z.div_mod (Z.of_nat k) D ltac:(lia)) as E. rewrite Nat2Z.inj_succ.
    destruct (Z.eqb_spec (Z.of_nat k mod D) (D - 1)); [apply (Z.mod_unique_pos _ _ (Z.of_nat k / D + 1)) | apply (Z.mod_unique_pos _ _ (Z.of_nat k / D))]; lia.
  Qed.

  Theorem counted : forall t, (owed t = Z.of_nat (accepted net t) - Z.of_nat (taken net t) /\ waiting t = Z.of_nat (come t) - Z.of_nat (taken net t)) /\
    (put t = Z.of_nat (come t) mod D /\ take t = Z.of_nat (taken net t) mod D) /\ owed t <= D /\ 0 <= waiting t.
  Proof.
    induction t.
    - destruct (empty O eq_refl) as (-> & -> & -> & ->). unfold come. cbn [Nat.sub]. unfold accepted, taken. cbn [count]. rewrite Z.mod_0_l by lia. lia.
    - destruct IHt as ((O1 & W1) & (P1 & T1) & B1 & B2). pose proof (come_accepted t) as C. pose proof (come_next t) as N.
      destruct (counts t B1 ltac:(lia)) as [O2 W2]. rewrite taken_bit in O2, W2. rewrite accepted_bit in O2.
      assert (T2 : taken net (S t) = (if takes net t then S (taken net t) else taken net t)) by (unfold taken; cbn [count]; destruct (takes net t); reflexivity).
      assert (A2 : accepted net (S t) = (if accepts net t then S (accepted net t) else accepted net t)) by (unfold accepted; cbn [count]; destruct (accepts net t); reflexivity).
      pose proof (Z.mod_pos_bound (Z.of_nat (come t)) D ltac:(lia)). pose proof (Z.mod_pos_bound (Z.of_nat (taken net t)) D ltac:(lia)).
      destruct (places t ltac:(lia) ltac:(lia)) as [P2 T3]. rewrite taken_bit in T3.
      assert (PB : puts t = 0 \/ puts t = 1) by (rewrite comes; destruct (Nat.ltb t latency), (accepts net (t - latency)); lia).
      assert (AB : accepts net t = true -> owed t < D).
      { intros A. pose proof (accepted_bit t) as E. destruct (handshake t) as [[Y1 Y2] _], (bits t) as [V _]. rewrite A in E. assert (net "req_ready_o" t = 1) as Y by nia. specialize (Y2 Y). lia. }
      assert (TB : takes net t = true -> 0 < waiting t).
      { intros A. pose proof (taken_bit t) as E. destruct (handshake t) as [_ Y]. rewrite A, Y in E. destruct (Z.eqb_spec (waiting t) 0); lia. }
      split; [| split; [split |]].
      + rewrite O2, W2, T2, A2, N. destruct (takes net t), (accepts net t); lia.
      + rewrite P2, P1. destruct PB as [E | E]; rewrite E in N |- *; cbn [Z.eqb Pos.eqb].
        * f_equal. lia.
        * rewrite next_place. f_equal. lia.
      + rewrite T3, T1, T2. destruct (takes net t); cbn [Z.eqb Pos.eqb]; [apply next_place | reflexivity].
      + rewrite O2, W2. destruct (takes net t) eqn:E1, (accepts net t) eqn:E2; try specialize (AB E2); try specialize (TB E1); lia.
  Qed.

  Lemma other_place : forall i j, (i < j)%nat -> Z.of_nat j - Z.of_nat i < D -> Z.of_nat i mod D <> Z.of_nat j mod D.
  Proof.
    intros i j L B E. pose proof (Z.div_mod (Z.of_nat i) D ltac:(lia)) as I. pose proof (Z.div_mod (Z.of_nat j) D ltac:(lia)) as J. rewrite E in I.
    set (x := Z.of_nat i / D) in *. set (y := Z.of_nat j / D) in *. assert (x < y \/ y <= x) as [G | G] by lia; nia.
  Qed.

  (* The result of a request is in its place until it is taken. *)
  Lemma stored : forall c t, accepts net c = true -> (c + latency < t)%nat -> (taken net t <= accepted net c)%nat ->
    place t (Z.of_nat (accepted net c) mod D) = result (c + latency)%nat.
  Proof.
    intros c t A. induction t as [| t IH]; intros L T; [lia |]. pose proof (Z.mod_pos_bound (Z.of_nat (accepted net c)) D ltac:(lia)) as M.
    rewrite keeps by exact M. pose proof (counted t) as ((O1 & W1) & (P1 & _) & B1 & B2). pose proof (come_accepted t) as C.
    assert (T2 : (taken net t <= accepted net c)%nat) by (pose proof (count_le (takes net) t (S t) ltac:(lia)); unfold taken in *; lia).
    destruct (Nat.eq_dec t (c + latency)) as [-> | N].
    - assert (E : puts (c + latency)%nat = 1) by (rewrite comes; destruct (Nat.ltb_spec (c + latency) latency); [lia |]; replace (c + latency - latency)%nat with c by lia; rewrite A; reflexivity).
      assert (come (c + latency) = accepted net c) as F by (unfold come; f_equal; lia). rewrite E, P1, F, !Z.eqb_refl. reflexivity.
    - assert (G : (accepted net c < come t)%nat) by (apply (count_before (accepts net) c); [exact A | lia]).
      rewrite (IH ltac:(lia) T2). destruct (Z.eqb_spec (puts t) 1) as [E |]; [| reflexivity]. destruct (Z.eqb_spec (put t) (Z.of_nat (accepted net c) mod D)) as [F |]; [| reflexivity].
      rewrite P1 in F. symmetry in F. apply other_place in F; lia.
  Qed.

  Lemma answered : forall c t, accepts net c = true -> (c + latency < t)%nat -> taken net t = accepted net c -> p t = result (c + latency)%nat.
  Proof.
    intros c t A L T. pose proof (counted t) as (_ & (_ & T1) & _). rewrite (shows t (Z.of_nat (taken net t) mod D)); [| apply Z.mod_pos_bound; lia | exact T1].
    rewrite T. apply stored; [exact A | exact L | lia].
  Qed.

  Lemma response : forall t, net "rsp_valid_o" t = 1 <-> (taken net t < come t)%nat.
  Proof.
    intros t. pose proof (counted t) as ((_ & W1) & _ & _ & B2). destruct (handshake t) as [_ ->]. destruct (Z.eqb_spec (waiting t) 0); lia.
  Qed.

  Theorem buffered_at_times : pipelined net a b n p (S latency) (S latency) R legal operand within.
  Proof.
    split; [| split].
    - intros t V. apply response in V. pose proof (count_le (accepts net) (t - latency) t ltac:(lia)). unfold come, accepted in *. lia.
    - intros t V F. apply response in V. destruct (count_reaches (accepts net) (t - latency) (taken net t) V) as (c & L & A & E).
      assert (T : taken net (S t) = taken net t).
      { unfold taken. cbn [count]. assert (takes net t = false) as -> by (unfold takes; rewrite F; apply andb_false_r). reflexivity. }
      split; [apply response; rewrite T; pose proof (come_next t) as N; rewrite comes in N; destruct (Nat.ltb t latency), (accepts net (t - latency)); lia |].
      rewrite !(answered c) by (exact A || lia || (unfold accepted; lia)). reflexivity.
    - intros c V Y L Oa Ob d k. assert (A : accepts net c = true) by (unfold accepts; rewrite V, Y; reflexivity). split.
      + intros X K. apply response in X. assert (C : (c + latency < c + d)%nat).
        { destruct (Nat.lt_ge_cases (c + latency) (c + d)) as [| G]; [assumption |]. pose proof (count_le (accepts net) (c + d - latency) c ltac:(lia)). unfold come, k, accepted in *. lia. }
        rewrite (answered c) by assumption. split; [lia |]. apply right; assumption.
      + intros M. assert (G : (k < taken net (c + d))%nat \/ (k + moving net c d <= taken net (c + d) + S latency)%nat).
        { clear M. induction d as [| d IH].
          - right. unfold moving. cbn [count]. rewrite !Nat.add_0_r. pose proof (counted c) as ((O1 & _) & _ & B & _). destruct (handshake c) as [[_ Y1] _]. specialize (Y1 Y). unfold k, D in *. lia.
          - rewrite Nat.add_succ_r. assert (T : taken net (S (c + d)) = ((if takes net (c + d) then 1 else 0) + taken net (c + d))%nat) by reflexivity.
            assert (S1 : moving net c (S d) = ((if negb (waits net (c + d)) then 1 else 0) + moving net c d)%nat) by reflexivity. rewrite T, S1.
            destruct IH as [IH | IH]; [left; lia |]. destruct (handshake (c + d)) as [_ V1]. destruct (bits (c + d)) as [_ B]. unfold takes, waits.
            destruct (Z.eqb_spec (waiting (c + d)%nat) 0) as [W | W]; rewrite V1; cbn [Z.eqb Pos.eqb andb negb].
            + pose proof (counted (c + d)) as ((_ & W1) & _). pose proof (count_le (fun i => negb (waits net (c + i))) 0 d ltac:(lia)) as Md. cbn [count] in Md. fold (moving net c d) in Md.
              destruct (Nat.lt_ge_cases c (c + d - latency)) as [Q | Q].
              * left. pose proof (count_before (accepts net) c (c + d - latency) A Q). unfold come, k, accepted in *. lia.
              * right. pose proof (count_le (accepts net) (c + d - latency) c Q). unfold come, k, accepted in *. lia.
            + assert (net "rsp_ready_i" (c + d)%nat = 0 \/ net "rsp_ready_i" (c + d)%nat = 1) as [-> | ->] by lia; cbn [Z.eqb Pos.eqb negb]; right; lia. }
        destruct G as [G | G]; [left; exact G |]. destruct (Nat.lt_ge_cases k (taken net (c + d))) as [| Q]; [left; assumption |]. right.
        pose proof (count_le (fun i => negb (waits net (c + i))) 0 d ltac:(lia)) as Md. cbn [count] in Md. fold (moving net c d) in Md. split; [lia |]. apply response.
        pose proof (count_before (accepts net) c (c + d - latency) A ltac:(lia)). unfold come, k, accepted in *. lia.
  Qed.
End Buffer.

(* A request is accepted whenever there is a place. *)
Theorem buffered : forall (net : trace) (a b n p : nat -> Z) (R : Z) (legal : nat -> Prop) (operand within : Z -> Z -> Prop) (latency depth : nat)
  (owed waiting put take puts result : nat -> Z) (place : nat -> Z -> Z),
  ((1 <= latency)%nat /\ (1 <= depth <= latency + 2)%nat) -> (forall t, 0 <= net "req_valid_i" t < 2 /\ 0 <= net "rsp_ready_i" t < 2) ->
  (forall t, net "req_ready_o" t = (if owed t =? Z.of_nat depth then 0 else 1) /\ net "rsp_valid_o" t = (if waiting t =? 0 then 0 else 1)) ->
  (forall t, t = O -> owed t = 0 /\ waiting t = 0 /\ put t = 0 /\ take t = 0) ->
  (forall t, owed t <= Z.of_nat depth -> waiting t + puts t <= owed t ->
    owed (S t) = owed t + net "req_valid_i" t * net "req_ready_o" t - net "rsp_valid_o" t * net "rsp_ready_i" t /\
    waiting (S t) = waiting t + puts t - net "rsp_valid_o" t * net "rsp_ready_i" t) ->
  (forall t, put t < Z.of_nat depth -> take t < Z.of_nat depth ->
    put (S t) = (if puts t =? 1 then if put t =? Z.of_nat depth - 1 then 0 else put t + 1 else put t) /\
    take (S t) = (if net "rsp_valid_o" t * net "rsp_ready_i" t =? 1 then if take t =? Z.of_nat depth - 1 then 0 else take t + 1 else take t)) ->
  (forall t i, 0 <= i < Z.of_nat depth -> place (S t) i = (if puts t =? 1 then if put t =? i then result t else place t i else place t i)) ->
  (forall t i, 0 <= i < Z.of_nat depth -> take t = i -> p t = place t i) ->
  (forall t, puts t = (if Nat.ltb t latency then 0 else if accepts net (t - latency) then 1 else 0)) ->
  (forall c, net "req_valid_i" c = 1 -> net "req_ready_o" c = 1 -> legal c -> operand (n c) (a c) -> operand (n c) (b c) ->
    within (n c) (result (c + latency)%nat) /\ (result (c + latency)%nat * R) mod n c = (a c * b c) mod n c) ->
  pipelined net a b n p (S latency) (S latency) R legal operand within.
Proof.
  intros * sizes bits handshake. apply buffered_at_times; [exact sizes | exact bits |]. intros t. destruct (handshake t) as [-> ->]. destruct (Z.eqb_spec (owed t) (Z.of_nat depth)); lia.
Qed.
