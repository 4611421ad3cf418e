(* SPDX-License-Identifier: Apache-2.0 *)
(* The cycles since an event, as state after it has them; lines of registers. *)
From Coq Require Import ZArith Lia.
Open Scope nat_scope.
Set Default Proof Using "All".

(* Cycles since f held, 0 in the one after it; from big on if it never did. *)
Fixpoint age (f : nat -> bool) (big t : nat) : nat := match t with O => big | S u => if f u then O else S (age f big u) end.

(* That of d cycles before. *)
Definition age_before (f : nat -> bool) (big d t : nat) : nat := if t <? d then big else age f big (t - d).

Section Ages.
  Variables (f : nat -> bool) (big : nat).
  Local Notation old := (age f big).

  Lemma age_event : forall t, old t = big + t /\ (forall i, i < t -> f i = false) \/
    exists c, c < t /\ f c = true /\ old t = t - 1 - c /\ forall i, c < i < t -> f i = false.
  Proof.
    induction t as [| t IH]; [left; split; [apply eq_sym, Nat.add_0_r | lia] |]. cbn [age]. destruct (f t) eqn:F.
    - right. exists t. repeat split; [lia | exact F | lia | lia].
    - destruct IH as [[E N] | (c & L & C & E & N)]; [left | right; exists c]; rewrite E; (repeat split; [lia | ..]); try exact C; try lia;
        intros i I; (destruct (Nat.eq_dec i t) as [-> |]; [exact F | apply N; lia]).
  Qed.

  Lemma age_less : forall t m, m <= old t -> m <= t -> old (t - m) = old t - m.
  Proof.
    intros t m A. induction m; intros L; [rewrite !Nat.sub_0_r; reflexivity |]. specialize (IHm ltac:(lia) ltac:(lia)).
    replace (t - m) with (S (t - S m)) in IHm by lia. cbn [age] in IHm. destruct (f (t - S m)); lia.
  Qed.

  Lemma age_never : forall t, t <= old t -> old t = big + t.
  Proof. intros t L. destruct (age_event t) as [[E _] | (c & C & _ & E & _)]; [exact E | lia]. Qed.

  Variables (apart : nat).
  Hypothesis spaced : forall t, f t = true -> apart <= S (old t).

  Lemma age_more : forall t m, old t + m < apart -> old (t + m) = old t + m.
  Proof.
    induction m; intros L; [rewrite !Nat.add_0_r; reflexivity |]. specialize (IHm ltac:(lia)). rewrite Nat.add_succ_r. cbn [age].
    destruct (f (t + m)) eqn:F; [pose proof (spaced _ F) |]; lia.
  Qed.

  Lemma age_after : forall c a, f c = true -> a < apart -> old (c + 1 + a) = a.
  Proof. intros c a C L. assert (Z0 : old (c + 1) = 0) by (rewrite Nat.add_1_r; cbn [age]; rewrite C; reflexivity). rewrite age_more; lia. Qed.

  Lemma none_between : forall c d, f c = true -> f (c + d) = true -> 1 <= d -> apart <= d.
  Proof.
    intros c d C D L. destruct (Nat.le_gt_cases apart d); [assumption |]. pose proof (spaced _ D) as S0. replace (c + d) with (c + 1 + (d - 1)) in S0 by lia. rewrite age_after in S0; lia || assumption.
  Qed.
End Ages.

(* A line of registers after reset, of which the first gets what enters. *)
Lemma line_of : forall (T : Type) (reg : nat -> nat -> T) (enters : nat -> T) (v : T) (last : nat),
  (forall j, j <= last -> reg j O = v) -> (forall t, reg O (S t) = enters t) -> (forall t j, j < last -> reg (S j) (S t) = reg j t) ->
  forall j t, j <= last -> reg j t = if t <=? j then v else enters (t - 1 - j).
Proof.
  intros T reg enters v last R0 E M. induction j as [| j IH]; intros t L.
  - destruct t; [apply R0, L |]. rewrite E. cbn [Nat.leb]. f_equal. lia.
  - destruct t; [apply R0, L |]. rewrite M, IH by lia. cbn [Nat.leb]. destruct (t <=? j); [reflexivity |]. f_equal. lia.
Qed.
