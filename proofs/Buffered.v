(* SPDX-License-Identifier: Apache-2.0 *)
(* Operations of a fixed time that end in a buffer of results: a request is accepted only if there is room for its result. *)
From Coq Require Import ZArith Lia String Bool.
Require Import Contract Bits Pipelined.
Open Scope string_scope. Open Scope Z_scope.
Set Default Proof Using "All".

Lemma count_le : forall f a b, (a <= b)%nat -> (count f a <= count f b)%nat.
Proof. intros f a b L. induction L; [lia |]. cbn [count]. lia. Qed.

Lemma count_true : forall f c, f c = true -> count f (S c) = S (count f c).
Proof. intros f c E. cbn [count]. rewrite E. reflexivity. Qed.

(* The last one that was counted. *)
Lemma count_last : forall f c k, count f c = S k -> exists b, (b < c)%nat /\ f b = true /\ count f b = k.
Proof.
  induction c; intros k E; [discriminate |]. cbn [count] in E. destruct (f c) eqn:F; [exists c; split; [lia |]; split; [exact F | lia] |].
  destruct (IHc k E) as (b & L & B); exists b. split; [lia | exact B].
Qed.

Section Buffer.
  Variables (net : trace) (a b n p : nat -> Z) (time apart : nat) (results R : Z) (legal : nat -> Prop) (operand result : Z -> Z -> Prop).
  Local Notation waiting := (net "waiting_q"). Local Notation under_way := (net "under_way_q").
  Let bits := 2 ^ Z.log2_up (results + 1).
  (* a result is written in the cycle before the last one of its time *)
  Hypothesis sizes : 1 <= results /\ results <= Z.of_nat apart + 1 /\ (apart < time)%nat.
  Hypothesis taken_bit : forall t, 0 <= net "rsp_ready_i" t < 2.
  Hypothesis request_bits : forall t, 0 <= net "req_ready_o" t < 2.
  Hypothesis handshake : forall t, net "rsp_valid_o" t = (if waiting t =? 0 then 0 else 1) /\
    net "take" t = (if net "rsp_valid_o" t =? 1 then net "rsp_ready_i" t else 0).
  Hypothesis at_first : waiting O = 0 /\ under_way O = 0 /\ net "accepted_q" O = 0.
  Hypothesis counts : forall t, net "accepted_q" (S t) = (if net "req_valid_i" t =? 1 then net "req_ready_o" t else 0) /\
    under_way (S t) = (under_way t + net "accepted_q" t - net "take" t) mod bits /\ waiting (S t) = (waiting t + net "finish" t - net "take" t) mod bits.
  Hypothesis has_room : forall t, net "req_ready_o" (S t) = 1 -> under_way t <> results /\ net "accepted_q" t = 0 /\ net "accepted_q" (S t) = 0.
  Hypothesis finishes : forall t, net "finish" t = if (time - 1 <=? t)%nat && accepts net (t - (time - 1)) then 1 else 0.
  Hypothesis spaced : forall c d, accepts net c = true -> accepts net (c + d) = true -> (1 <= d)%nat -> (apart <= d)%nat.
  (* results that have been written before a cycle *)
  Definition finished (t : nat) : nat := accepted net (t - (time - 1)).

  Lemma takes_is : forall t, net "take" t = if takes net t then 1 else 0.
  Proof.
    intros t. destruct (handshake t) as [_ ->]. unfold takes. pose proof (taken_bit t). destruct (net "rsp_valid_o" t =? 1); cbn [andb]; [| reflexivity].
    destruct (Z.eqb_spec (net "rsp_ready_i" t) 1); lia.
  Qed.

  Lemma accepts_is : forall t, net "accepted_q" (S t) = if accepts net t then 1 else 0.
  Proof.
    intros t. destruct (counts t) as [-> _]. unfold accepts. pose proof (request_bits t). destruct (net "req_valid_i" t =? 1); cbn [andb]; [| reflexivity].
    destruct (Z.eqb_spec (net "req_ready_o" t) 1); lia.
  Qed.

  Lemma finish_is : forall t, Z.of_nat (finished (S t)) = Z.of_nat (finished t) + net "finish" t.
  Proof.
    intros t. rewrite finishes. unfold finished, accepted. destruct (Nat.leb_spec (time - 1) t) as [L | L]; cbn [andb].
    - replace (S t - (time - 1))%nat with (S (t - (time - 1))) by lia. cbn [count]. destruct (accepts net (t - (time - 1))); lia.
    - replace (S t - (time - 1))%nat with O by lia. replace (t - (time - 1))%nat with O by lia. lia.
  Qed.

  Lemma finished_le : forall t, (finished t <= accepted net t)%nat.
  Proof. intros t. apply count_le. lia. Qed.

  Lemma wide : results < bits.
  Proof. unfold bits. destruct (Z.log2_up_spec (results + 1) ltac:(lia)). lia. Qed.

  Lemma under_way_is : forall t, under_way t + net "accepted_q" t = Z.of_nat (accepted net t) - Z.of_nat (taken net t) /\
    waiting t = Z.of_nat (finished t) - Z.of_nat (taken net t) /\ 0 <= waiting t /\ under_way t + net "accepted_q" t <= results /\
    (net "req_ready_o" t = 1 -> under_way t + net "accepted_q" t < results).
  Proof.
    pose proof wide as WD. induction t as [| t IH].
    - destruct at_first as (-> & -> & ->). unfold finished, accepted, taken. cbn [count Nat.sub]. lia.
    - destruct IH as (U & V & V0 & U1 & U2). destruct (counts t) as (_ & U' & V'). rewrite takes_is in U', V'. pose proof (finish_is t) as F. pose proof (finished_le (S t)) as FL.
      assert (TK : Z.of_nat (taken net (S t)) = Z.of_nat (taken net t) + if takes net t then 1 else 0) by (unfold taken; cbn [count]; destruct (takes net t); lia).
      assert (AC : Z.of_nat (accepted net (S t)) = Z.of_nat (accepted net t) + if accepts net t then 1 else 0) by (unfold accepted; cbn [count]; destruct (accepts net t); lia).
      assert (T1 : takes net t = true -> 1 <= waiting t).
      { unfold takes. destruct (handshake t) as [-> _]. destruct (Z.eqb_spec (waiting t) 0); cbn; [discriminate | lia]. }
      assert (FN : net "finish" t = 0 \/ net "finish" t = 1) by (rewrite finishes; destruct (_ && _); auto).
      pose proof (finished_le t) as FT. pose proof (accepts_is t) as AQ. pose proof (has_room t) as HR.
      assert (A1 : accepts net t = true -> net "req_ready_o" t = 1) by (unfold accepts; intros E; apply andb_prop in E; destruct E as [_ E]; apply Z.eqb_eq, E).
      destruct (takes net t); [specialize (T1 eq_refl) | clear T1]; destruct (accepts net t); [specialize (A1 eq_refl); specialize (U2 A1) | clear A1 | specialize (A1 eq_refl); specialize (U2 A1) | clear A1];
        rewrite AQ in *; rewrite Z.mod_small in U' by lia; rewrite Z.mod_small in V' by lia; (repeat split; [lia | lia | lia | lia | intros Y; destruct (HR Y) as (? & ? & ?); lia]).
  Qed.

  Lemma valid_is : forall t, net "rsp_valid_o" t = 1 <-> (taken net t < finished t)%nat.
  Proof. intros t. destruct (under_way_is t) as (_ & V & V0 & _). destruct (handshake t) as [-> _]. destruct (Z.eqb_spec (waiting t) 0); lia. Qed.

  Lemma takes_or_waits : forall t, (taken net t < finished t)%nat -> waits net t = false -> taken net (S t) = S (taken net t).
  Proof.
    intros t V W. apply valid_is in V. unfold waits in W. unfold taken. cbn [count]. unfold takes. rewrite V in *. cbn in *. pose proof (taken_bit t).
    destruct (Z.eqb_spec (net "rsp_ready_i" t) 0); [discriminate |]. destruct (Z.eqb_spec (net "rsp_ready_i" t) 1); lia.
  Qed.

  Lemma moving_takes : forall c e d, (e <= d)%nat -> (forall t, (c + e <= t < c + d)%nat -> (taken net t < finished t)%nat) ->
    (moving net c d <= e + (taken net (c + d) - taken net (c + e)))%nat.
  Proof.
    intros c e d L H. unfold moving. induction L as [| d L IH].
    - assert (G : forall f k, (count f k <= k)%nat) by (induction k; cbn [count]; destruct (f _) || idtac; lia). specialize (G (fun i => negb (waits net (c + i))) e). lia.
    - cbn [count]. specialize (IH (fun t T => H t ltac:(lia))). pose proof (count_le (takes net) (c + e) (c + d) ltac:(lia)). rewrite Nat.add_succ_r.
      destruct (waits net (c + d)) eqn:W; cbn [negb].
      + pose proof (count_le (takes net) (c + d) (S (c + d)) ltac:(lia)). unfold taken in *. lia.
      + rewrite (takes_or_waits _ (H (c + d)%nat ltac:(lia)) W). unfold taken in *. lia.
  Qed.

  (* ---------------------------------------------------------------- places of results *)
  Section Places.
  Variables (value : nat -> Z) (place : nat -> Z -> Z).
  Let wraps (v : Z) : Z := if v =? results - 1 then 0 else (v + 1) mod 2 ^ Z.log2_up results.
  Hypotheses (places_first : net "put_q" O = 0 /\ net "get_q" O = 0)
    (places_next : forall t, net "put_q" (S t) = (if net "finish" t =? 1 then wraps (net "put_q" t) else net "put_q" t) /\ net "get_q" (S t) = if net "take" t =? 1 then wraps (net "get_q" t) else net "get_q" t)
    (stored : forall t i, 0 <= i < results -> place (S t) i = if net "finish" t =? 1 then if net "put_q" t =? i then value t else place t i else place t i)
    (read : forall t i, 0 <= i < results -> net "get_q" t = i -> p t = place t i).

  Lemma wraps_is : forall k, wraps (Z.of_nat k mod results) = Z.of_nat (S k) mod results.
  Proof.
    intros k. unfold wraps. pose proof (Z.mod_pos_bound (Z.of_nat k) results ltac:(lia)) as B. pose proof (Z.div_mod (Z.of_nat k) results ltac:(lia)) as D. set (q := Z.of_nat k / results) in *. set (m := Z.of_nat k mod results) in *.
    rewrite Nat2Z.inj_succ. clearbody q m. destruct (Z.eqb_spec m (results - 1)) as [E | E].
    - apply (Z.mod_unique_pos _ _ (q + 1)); lia.
    - destruct (Z.eq_dec results 1) as [R1 | R1]; [lia |]. destruct (Z.log2_up_spec results ltac:(lia)) as [_ L]. rewrite Z.mod_small by lia. apply (Z.mod_unique_pos _ _ q); lia.
  Qed.

  Lemma places_are : forall t, net "put_q" t = Z.of_nat (finished t) mod results /\ net "get_q" t = Z.of_nat (taken net t) mod results.
  Proof.
    induction t as [| t [P G]].
    - destruct places_first as [-> ->]. unfold finished, accepted, taken. cbn [count Nat.sub]. rewrite Z.mod_0_l by lia. auto.
    - destruct (places_next t) as [-> ->]. rewrite P, G, takes_is. pose proof (finish_is t) as F. split.
      + rewrite finishes in *. destruct (_ && _); cbn [Z.eqb Pos.eqb]; [rewrite wraps_is |]; do 2 f_equal; lia.
      + unfold taken. cbn [count]. destruct (takes net t); cbn [Z.eqb Pos.eqb Nat.add]; [apply wraps_is | reflexivity].
  Qed.

  (* A result that is written while one waits goes elsewhere. *)
  Lemma elsewhere : forall t k, (taken net t <= k < finished t)%nat -> net "finish" t = 1 -> net "put_q" t <> Z.of_nat k mod results.
  Proof.
    intros t k [L U] F. destruct (places_are t) as [-> _]. assert (B : Z.of_nat (finished t) < Z.of_nat (taken net t) + results).
    { rewrite finishes in F. destruct (Nat.leb_spec (time - 1) t) as [T | T]; [| discriminate]. cbn [andb] in F. destruct (accepts net (t - (time - 1))) eqn:A; [| discriminate].
      destruct (under_way_is (t - (time - 1))) as (E & _ & _ & _ & RM). assert (Y : net "req_ready_o" (t - (time - 1))%nat = 1) by (unfold accepts in A; apply andb_prop in A; apply Z.eqb_eq, A). specialize (RM Y).
      pose proof (count_le (takes net) (t - (time - 1)) t ltac:(lia)) as M. unfold finished, taken in *. lia. }
    intros E. pose proof (Z.div_mod (Z.of_nat (finished t)) results ltac:(lia)) as D1. pose proof (Z.div_mod (Z.of_nat k) results ltac:(lia)) as D2. rewrite E in D1.
    set (q1 := Z.of_nat (finished t) / results) in *. set (q2 := Z.of_nat k / results) in *. clearbody q1 q2. assert (q1 <= q2 \/ q2 + 1 <= q1) as [Q | Q] by lia.
    - pose proof (Z.mul_le_mono_nonneg_l q1 q2 results ltac:(lia) Q). lia.
    - pose proof (Z.mul_le_mono_nonneg_l (q2 + 1) q1 results ltac:(lia) Q). lia.
  Qed.

  Lemma place_range : forall k, 0 <= Z.of_nat k mod results < results.
  Proof. intros k. apply Z.mod_pos_bound. lia. Qed.

  Lemma kept : forall t, net "rsp_valid_o" t = 1 -> net "rsp_ready_i" t = 0 -> p (S t) = p t.
  Proof.
    intros t V Y. destruct (places_are t) as [_ G]. destruct (places_are (S t)) as [_ G']. assert (T : taken net (S t) = taken net t) by (unfold taken; cbn [count]; unfold takes at 1; rewrite Y, andb_false_r; reflexivity).
    rewrite T in G'. rewrite (read (S t) _ (place_range _) G'), (read t _ (place_range _) G), stored by apply place_range. destruct (Z.eqb_spec (net "finish" t) 1) as [F |]; [| reflexivity].
    apply valid_is in V. destruct (Z.eqb_spec (net "put_q" t) (Z.of_nat (taken net t) mod results)) as [E |]; [| reflexivity]. apply elsewhere in E; [contradiction | lia | exact F].
  Qed.

  Lemma result_is : forall c, accepts net c = true -> forall t, (c + time <= t)%nat -> taken net t = accepted net c -> p t = value (c + (time - 1))%nat.
  Proof.
    intros c A t L T. pose proof (count_true (accepts net) c A) as C1. set (k := accepted net c) in *.
    assert (G : forall d, (taken net (c + time + d) <= k)%nat -> place (c + time + d)%nat (Z.of_nat k mod results) = value (c + (time - 1))%nat).
    { induction d as [| d IH]; intros TK.
      - rewrite Nat.add_0_r. replace (c + time)%nat with (S (c + (time - 1))) by lia. rewrite stored by apply place_range. rewrite finishes. destruct (places_are (c + (time - 1))) as [-> _]. unfold finished.
        replace (c + (time - 1) - (time - 1))%nat with c by lia. fold k. rewrite A. destruct (Nat.leb_spec (time - 1) (c + (time - 1))); [| lia]. cbn [andb Z.eqb Pos.eqb]. rewrite Z.eqb_refl. reflexivity.
      - rewrite Nat.add_succ_r in *. pose proof (count_le (takes net) (c + time + d) (S (c + time + d)) ltac:(lia)) as M. fold (taken net (c + time + d)) (taken net (S (c + time + d))) in M. specialize (IH ltac:(lia)).
        rewrite stored by apply place_range. rewrite IH. destruct (Z.eqb_spec (net "finish" (c + time + d)%nat) 1) as [F |]; [| reflexivity]. destruct (Z.eqb_spec (net "put_q" (c + time + d)%nat) (Z.of_nat k mod results)) as [E |]; [| reflexivity].
        apply elsewhere in E; [contradiction | | exact F]. split; [lia |]. pose proof (count_le (accepts net) (S c) (c + time + d - (time - 1)) ltac:(lia)). unfold finished, accepted in *. lia. }
    destruct (places_are t) as [_ GT]. rewrite T in GT. rewrite (read t _ (place_range _) GT). replace t with (c + time + (t - (c + time)))%nat by lia. apply G. replace (c + time + (t - (c + time)))%nat with t by lia. lia.
  Qed.
  End Places.

  Hypothesis stays : forall t, net "rsp_valid_o" t = 1 -> net "rsp_ready_i" t = 0 -> p (S t) = p t.
  Hypothesis answers : forall c, accepts net c = true -> legal c -> operand (n c) (a c) -> operand (n c) (b c) ->
    forall t, (c + time <= t)%nat -> taken net t = accepted net c -> result (n c) (p t) /\ (p t * R) mod n c = (a c * b c) mod n c.


  Theorem buffered : pipelined net a b n p time time R legal operand result.
  Proof.
    split; [intros t V; apply valid_is in V; pose proof (finished_le t); lia |]. split.
    - intros t V Y. split; [| apply stays; assumption]. assert (T : takes net t = false) by (unfold takes; rewrite Y; apply andb_false_r).
      apply valid_is in V. apply valid_is. unfold taken in *. cbn [count]. rewrite T.
      pose proof (finish_is t). assert (0 <= net "finish" t) by (rewrite finishes; destruct (_ && _); lia). lia.
    - intros c V Y L A B d k. assert (AC : accepts net c = true) by (unfold accepts; rewrite V, Y; reflexivity). pose proof (count_true (accepts net) c AC) as K1. fold (accepted net (S c)) (accepted net c) in K1. fold k in K1.
      split.
      + intros X T. apply valid_is in X. assert (D : (time <= d)%nat).
        { destruct (Nat.le_gt_cases time d) as [| G]; [assumption |]. pose proof (count_le (accepts net) (c + d - (time - 1)) c ltac:(lia)). unfold finished, k, accepted in *. lia. }
        split; [exact D |]. apply answers; auto. lia.
      + intros M. assert (MD : (moving net c d <= d)%nat).
        { unfold moving. clear. induction d; cbn [count]; [lia |]. destruct (negb _); lia. }
        assert (G : (k <= taken net (c + d))%nat).
        { destruct (Nat.le_gt_cases k (taken net (c + d))) as [| G]; [assumption | exfalso]. destruct k as [| k'] eqn:E; [lia |].
          destruct (count_last (accepts net) c k' E) as (b0 & LB & AB & KB). pose proof (spaced b0 (c - b0) AB) as SP. replace (b0 + (c - b0))%nat with c in SP by lia. specialize (SP AC ltac:(lia)).
          set (e := (b0 + time - c)%nat). destruct (under_way_is c) as (U & _ & _ & _ & U2). specialize (U2 Y).
          pose proof (moving_takes c e d ltac:(unfold e; lia)) as MT.
          assert (H : forall t, (c + e <= t < c + d)%nat -> (taken net t < finished t)%nat).
          { intros t T. pose proof (count_le (takes net) t (c + d) ltac:(lia)). pose proof (count_true (accepts net) b0 AB) as K2.
            pose proof (count_le (accepts net) (S b0) (t - (time - 1)) ltac:(unfold e in T; lia)). unfold finished, taken, accepted in *. lia. }
          specialize (MT H). pose proof (count_le (takes net) c (c + e) ltac:(lia)). unfold accepted, taken in *. fold k in U. unfold e in *. lia. }
        destruct (Nat.eq_dec k (taken net (c + d))) as [E | E]; [right | left; lia]. split; [auto |]. apply valid_is. rewrite <- E.
        pose proof (count_le (accepts net) (S c) (c + d - (time - 1)) ltac:(lia)). unfold finished, accepted in *. lia.
  Qed.
End Buffer.
