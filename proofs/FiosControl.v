(* SPDX-License-Identifier: Apache-2.0 *)
(* The control of the FIOS array with a ring of l elements for s words, in the program of FiosElement.v: what each control net is, by the cycles since an acceptance. *)
From Coq Require Import ZArith Lia Bool.
Require Import Pipelined Ages FiosElement Arithmetic.
Open Scope Z_scope.
Set Default Proof Using "All".

Section Control.
  (* I: cycles between two acceptances *)
  Variables (s l I : nat).
  Hypothesis size : (6 <= s)%nat /\ (1 <= l <= s)%nat /\ (2 * s + 1 <= 9 * l)%nat /\ (9 * (s - l) + 2 * s + 1 <= I)%nat /\ (9 * (s - 1) + 2 <= I <= 9 * s + 1)%nat.
  Variables (accept room ready waited wait step_q pairs : nat -> Z).
  Let acc (t : nat) : bool := accept t =? 1.
  Let big := (9 * s)%nat.
  Local Notation old := (age acc big).
  Local Notation old_before := (age_before acc big).

  (* ---------------------------------------------------------------- acceptance *)
  Hypotheses (reset : ready O = 1 /\ waited O = 1 /\ step_q O = 15) (wait_range : forall t, 0 <= wait t)
    (accept_ready : forall t, accept t = 1 -> ready t = 1)
    (ready_next : forall t, ready (S t) = if room t =? 1 then if waited t =? 1 then if accept t =? 1 then 0 else 1 else 0 else 0)
    (waited_next : forall t, waited (S t) = if waited t =? 1 then if accept t =? 1 then 0 else 1 else if wait t =? 0 then 1 else 0)
    (wait_next : forall t, waited t = 1 -> wait (S t) = Z.of_nat I - 3) (wait_counts : forall t, waited t <> 1 -> wait t <> 0 -> wait (S t) = wait t - 1).

  Lemma acc_ready : forall t, acc t = true -> ready t = 1.
  Proof. intros t A. apply accept_ready, Z.eqb_eq, A. Qed.

  Lemma waits_are : forall t, (ready t = 1 -> waited t = 1 /\ (I <= S (old t))%nat) /\ (waited t = 1 -> (I <= S (S (old t)))%nat) /\
    (waited t <> 1 -> wait t = Z.of_nat I - 3 - Z.of_nat (old t)).
  Proof.
    induction t as [| t (R & V & N)].
    - destruct reset as (-> & -> & _). cbn [age]. unfold big. clear - size. repeat split; lia.
    - rewrite ready_next, waited_next. pose proof (accept_ready t) as A. cbn [age]. change (acc t) with (accept t =? 1). pose proof (wait_range t) as W0. pose proof (wait_next t) as WN. pose proof (wait_counts t) as WC.
      clear - size R V N A W0 WN WC. destruct (Z.eqb_spec (accept t) 1) as [Q | Q].
      + destruct (R (A Q)) as [E _]. rewrite E. cbn [Z.eqb Pos.eqb]. specialize (WN E). repeat split; intros; destruct (room t =? 1); lia.
      + destruct (Z.eqb_spec (waited t) 1) as [E | E]; [specialize (V E) | specialize (N E)].
        * repeat split; intros; destruct (room t =? 1); lia.
        * destruct (Z.eqb_spec (wait t) 0); repeat split; intros; destruct (room t =? 1); lia.
  Qed.

  Lemma spaced : forall t, acc t = true -> (I <= S (old t))%nat.
  Proof. intros t A. apply waits_are, acc_ready, A. Qed.

  Lemma not_ready : forall t, (S (old t) < I)%nat -> ready t = 0.
  Proof.
    intros t L. destruct (Z.eq_dec (ready t) 1) as [E | E]; [destruct (waits_are t) as (H & _); destruct (H E); lia |].
    destruct t; [destruct reset; lia |]. rewrite ready_next in *. destruct (room t =? 1), (waited t =? 1), (accept t =? 1); lia.
  Qed.

  (* ---------------------------------------------------------------- steps of the sequencer *)
  Hypotheses (step_next : forall t, step_q (S t) = if accept t =? 1 then 0 else if step_q t =? 15 then 15 else if step_q t =? 14 then 15 else
      if step_q t =? 10 then if Z.of_nat s =? 6 then 13 else 11 else if step_q t =? 12 then if pairs t =? 1 then 13 else 11 else (step_q t + 1) mod 16)
    (pairs_next : forall t, pairs (S t) = if ready t =? 1 then Z.of_nat s - 6 else if step_q t =? 12 then (pairs t - 1) mod 2 ^ Z.log2_up (Z.of_nat s - 6 + 2) else pairs t).

  Lemma steps_are : forall t, step_q t = prog s (old t) /\ ((old t < 2 * s - 1)%nat -> pairs t = Z.of_nat (s - 6 - (old t - 11) / 2)).
  Proof.
    destruct size as (S4 & S5 & S6 & S7 & S8). induction t as [| t [E P]].
    - destruct reset as (_ & _ & ->). cbn [age]. unfold big. rewrite prog_idle by lia. split; [reflexivity | lia].
    - rewrite step_next, pairs_next. pose proof (accept_ready t) as AR. pose proof (not_ready t) as NR. cbn [age]. change (acc t) with (accept t =? 1).
      destruct (Z.eqb_spec (accept t) 1) as [A | A].
      + rewrite AR by exact A. cbn [Z.eqb Pos.eqb]. split; [reflexivity |]. intros _. change ((0 - 11) / 2)%nat with O. lia.
      + set (k := age acc big t) in *.
        assert (RD : (S k < 2 * s - 1)%nat -> (ready t =? 1) = false) by (intros L; rewrite NR by lia; reflexivity).
        clear - S4 S5 S6 S7 S8 E P RD. rewrite E. destruct (Nat.le_gt_cases k (2 * s)) as [L | L].
        2: { rewrite !prog_idle by lia. split; [reflexivity | lia]. }
        destruct (slot_of s S4 k L) as [J | (j & J & D)].
        * rewrite (prog_early s S4 k J). assert (PK : (k < 10)%nat -> prog s (S k) = Z.of_nat k + 1) by (intros; rewrite prog_early by lia; lia).
          assert (PE : (S k < 2 * s - 1)%nat -> (if ready t =? 1 then Z.of_nat s - 6 else if Z.of_nat k =? 12 then (pairs t - 1) mod 2 ^ Z.log2_up (Z.of_nat s - 6 + 2) else pairs t) = Z.of_nat (s - 6 - (S k - 11) / 2)).
          { intros L2. rewrite RD by exact L2. destruct (Z.eqb_spec (Z.of_nat k) 12); [lia |]. rewrite P by lia. replace (k - 11)%nat with O by lia. replace (S k - 11)%nat with O by lia. reflexivity. }
          split; [| exact PE]. destruct (Nat.eq_dec k 10) as [K10 | K10].
          -- rewrite K10. change (Z.of_nat 10) with 10. cbn [Z.eqb Pos.eqb]. unfold prog. change (11 <? 11)%nat with false. cbn [Nat.odd Nat.even negb].
             clear - S4. destruct (Z.eqb_spec (Z.of_nat s) 6); destruct (Nat.ltb_spec 11 (2 * s - 1)); try lia. destruct (Nat.eqb_spec 11 (2 * s - 1)); [reflexivity | lia].
          -- clear PE P RD E. rewrite PK by lia. clear PK. destruct (Z.eqb_spec (Z.of_nat k) 15); [lia |]. destruct (Z.eqb_spec (Z.of_nat k) 14); [lia |]. destruct (Z.eqb_spec (Z.of_nat k) 10); [lia |].
             destruct (Z.eqb_spec (Z.of_nat k) 12); [lia |]. apply Z.mod_small. lia.
        * destruct (prog_word s S4 j J) as [P1 P2]. destruct D as [D | D]; rewrite D in *.
          -- rewrite P1. replace (S (2 * j + 1)) with (2 * j + 2)%nat by lia. rewrite P2. destruct (Nat.eqb_spec j (s - 1)) as [JL | JL]; (split; [reflexivity |]); intros L2; [lia |].
             rewrite RD by lia. cbn [Z.eqb Pos.eqb]. rewrite P by lia. clear - J L2. rewrite <- (Nat.div_unique (2 * j + 1 - 11) 2 (j - 5) 0), <- (Nat.div_unique (2 * j + 2 - 11) 2 (j - 5) 1); lia.
          -- rewrite P2. replace (S (2 * j + 2)) with (2 * S j + 1)%nat by lia. destruct (Nat.eqb_spec j (s - 1)) as [JL | JL].
             ++ split; [| lia]. rewrite prog_idle by lia. reflexivity.
             ++ destruct (prog_word s S4 (S j) ltac:(lia)) as [P3 _]. rewrite P3. specialize (P ltac:(lia)). rewrite <- (Nat.div_unique (2 * j + 2 - 11) 2 (j - 5) 1) in P by (clear - J; lia).
                split.
                ** cbn [Z.eqb Pos.eqb]. rewrite P. clear - J JL L. destruct (Nat.eqb_spec (S j) (s - 1)); destruct (Z.eqb_spec (Z.of_nat (s - 6 - (j - 5))) 1); lia || reflexivity.
                ** intros L2. rewrite RD by lia. cbn [Z.eqb Pos.eqb]. rewrite P. clear - S4 J JL L L2. rewrite <- (Nat.div_unique (2 * S j + 1 - 11) 2 (S j - 5) 0) by lia.
                   destruct (Z.log2_up_spec (Z.of_nat s - 6 + 2) ltac:(lia)) as [_ B]. rewrite Z.mod_small by lia. lia.
  Qed.

  (* ---------------------------------------------------------------- words of x are asked for *)
  Variables (accepted x_left x_wait x_next x_last x_was_last : nat -> Z).
  Let asked (t : nat) : Z := if x_left t =? 0 then 0 else if x_wait t =? 0 then 1 else 0.
  Hypotheses (x_reset : accepted O = 0 /\ x_left O = 0) (accepted_next : forall t, accepted (S t) = accept t) (x_next_is : forall t, x_next (S t) = if accepted t =? 1 then 1 else asked t)
    (x_left_next : forall t, x_left (S t) = if accepted t =? 1 then Z.of_nat s - 1 else x_left t - asked t)
    (x_wait_next : forall t, x_wait (S t) = if accepted t =? 1 then 8 else if asked t =? 1 then 8 else if x_wait t =? 0 then 0 else x_wait t - 1)
    (x_last_next : forall t, x_last (S t) = if x_left t =? 1 then 1 else 0) (x_was_next : forall t, x_was_last (S t) = if x_next t =? 1 then x_last t else x_was_last t).

  Lemma accepted_is : forall t, accepted t = 1 <-> old t = O.
  Proof.
    intros [| t]; [destruct x_reset as [-> _]; cbn [age]; unfold big; clear - size; lia |]. rewrite accepted_next. cbn [age]. change (acc t) with (accept t =? 1). destruct (Z.eqb_spec (accept t) 1); [tauto | lia].
  Qed.

  Lemma x_state : forall t, x_left t = (if (old t =? 0)%nat then 0 else Z.of_nat (s - 1 - (old t - 1) / 9)) /\
    (old t <> O -> (old t <= 9 * (s - 1))%nat -> x_wait t = Z.of_nat (8 - (old t - 1) mod 9)).
  Proof.
    destruct size as (S4 & S5 & S6 & S7 & S8). induction t as [| t [L V]].
    - destruct x_reset as [_ ->]. cbn [age]. unfold big. destruct (Nat.eqb_spec (9 * s) 0); [lia |]. pose proof (Nat.div_le_lower_bound (9 * s - 1) 9 (s - 1) ltac:(lia) ltac:(lia)). lia.
    - rewrite x_left_next, x_wait_next. pose proof (accepted_is t) as AI. pose proof (spaced t) as SP. cbn [age]. change (acc t) with (accept t =? 1). change (acc t) with (accept t =? 1) in SP. unfold asked. set (k := age acc big t) in *.
      clear - S4 S5 S6 S7 S8 L V AI SP. pose proof (Nat.div_mod (k - 1) 9 ltac:(lia)) as D. pose proof (Nat.mod_upper_bound (k - 1) 9 ltac:(lia)) as M. set (q := ((k - 1) / 9)%nat) in *. set (m := ((k - 1) mod 9)%nat) in *.
      destruct (Z.eqb_spec (accept t) 1) as [A | A].
      + specialize (SP eq_refl). split; [| lia]. destruct (Z.eqb_spec (accepted t) 1) as [E | E]; [lia |]. rewrite L. destruct (Nat.eqb_spec k 0); [lia |]. replace (s - 1 - q)%nat with O by lia. reflexivity.
      + rewrite !Nat.sub_succ, !Nat.sub_0_r. destruct (Nat.eqb_spec (S k) 0); [lia |]. destruct (Z.eqb_spec (accepted t) 1) as [E | E].
        * apply AI in E. rewrite E. change (0 / 9)%nat with O. change (0 mod 9)%nat with O. split; intros; lia.
        * destruct (Nat.eqb_spec k 0) as [K | K]; [tauto |]. rewrite L. destruct (Z.eqb_spec (Z.of_nat (s - 1 - q)) 0) as [Z0 | Z0].
          -- cbn [Z.eqb]. assert (s - 1 <= k / 9)%nat by (apply Nat.div_le_lower_bound; lia). split; [lia | intros; lia].
          -- specialize (V K ltac:(lia)). rewrite V. destruct (Nat.eq_dec m 8) as [M8 | M8].
             ++ rewrite M8. rewrite <- (Nat.div_unique k 9 (S q) 0), <- (Nat.mod_unique k 9 (S q) 0) by lia. cbn [Z.of_nat Nat.sub Z.eqb Pos.eqb]. split; [lia | intros; lia].
             ++ rewrite <- (Nat.div_unique k 9 q (S m)), <- (Nat.mod_unique k 9 q (S m)) by lia. destruct (Z.eqb_spec (Z.of_nat (8 - m)) 0); [lia |]. cbn [Z.eqb]. split; [lia | intros; lia].
  Qed.

  Lemma x_next_when : forall t, x_next (S t) = if (old t mod 9 =? 0)%nat && (old t <=? 9 * (s - 1))%nat then 1 else 0.
  Proof.
    intros t. destruct size as (S4 & S5 & S6 & S7 & S8). rewrite x_next_is. pose proof (accepted_is t) as AI. destruct (x_state t) as [L V]. unfold asked. set (k := old t) in *. clear - S4 S5 S6 S7 S8 AI L V.
    destruct (Z.eqb_spec (accepted t) 1) as [E | E]; [apply AI in E; rewrite E; reflexivity |]. destruct (Nat.eqb_spec k 0) as [K | K]; [tauto |].
    pose proof (Nat.div_mod (k - 1) 9 ltac:(lia)) as D. pose proof (Nat.mod_upper_bound (k - 1) 9 ltac:(lia)) as M. set (q := ((k - 1) / 9)%nat) in *. set (m := ((k - 1) mod 9)%nat) in *. rewrite L.
    destruct (Z.eqb_spec (Z.of_nat (s - 1 - q)) 0) as [Z0 | Z0].
    - destruct (Nat.leb_spec k (9 * (s - 1))); [lia |]. rewrite andb_false_r. reflexivity.
    - rewrite V by lia. destruct (Nat.leb_spec k (9 * (s - 1))); [| lia]. rewrite andb_true_r. destruct (Nat.eq_dec m 8) as [M8 | M8].
      + rewrite M8, <- (Nat.mod_unique k 9 (S q) 0) by lia. reflexivity.
      + rewrite <- (Nat.mod_unique k 9 q (S m)) by lia. destruct (Z.eqb_spec (Z.of_nat (8 - m)) 0); [lia | reflexivity].
  Qed.

  Lemma asks_x : forall c i, acc c = true -> (i < s)%nat -> x_next (c + 2 + 9 * i)%nat = 1 /\ x_last (c + 2 + 9 * i)%nat = if (i =? s - 1)%nat then 1 else 0.
  Proof.
    intros c i C L. destruct size as (S4 & S5 & S6 & S7 & S8). replace (c + 2 + 9 * i)%nat with (S (c + 1 + 9 * i)) by lia. rewrite x_next_when, x_last_next.
    destruct (x_state (c + 1 + 9 * i)) as [E _]. rewrite E. rewrite (age_after acc big I spaced c (9 * i) C) by lia. rewrite (Nat.mul_comm 9 i), Nat.mod_mul by lia.
    destruct (Nat.leb_spec (i * 9) (9 * (s - 1))); [| lia]. split; [reflexivity |]. destruct (Nat.eqb_spec (i * 9) 0) as [Z0 | Z0]; [destruct (Nat.eqb_spec i (s - 1)); [lia | reflexivity] |].
    rewrite <- (Nat.div_unique (i * 9 - 1) 9 (i - 1) 8) by lia. destruct (Nat.eqb_spec i (s - 1)); destruct (Z.eqb_spec (Z.of_nat (s - 1 - (i - 1))) 1); lia.
  Qed.

  (* x_i is there in the cycle before the first issue of its row. *)
  Lemma last_word : forall c i, acc c = true -> (i < s)%nat -> x_was_last (c + 3 + 9 * i)%nat = if (i =? s - 1)%nat then 1 else 0.
  Proof. intros c i C L. destruct (asks_x c i C L) as [A B]. replace (c + 3 + 9 * i)%nat with (S (c + 2 + 9 * i)) by lia. rewrite x_was_next, A. exact B. Qed.
End Control.
