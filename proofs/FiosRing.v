(* SPDX-License-Identifier: Apache-2.0 *)
(* Steps that go round in the ring of FIOS elements: which one an element issues, by the cycles since an acceptance, and which words come out. *)
From Coq Require Import ZArith Lia Bool.
Require Import Pipelined Ages FiosElement Arithmetic.
Open Scope Z_scope.
Set Default Proof Using "All".

Section Turns.
  Variables (s l I rounds : nat).
  Hypothesis size : (6 <= s)%nat /\ (1 <= l <= s)%nat /\ (2 * s + 1 <= 9 * l)%nat /\ (9 * (s - l) + 2 * s + 1 <= I)%nat /\ (9 * (s - 1) + 2 <= I <= 9 * s + 1)%nat /\ (1 <= rounds)%nat /\ s = (l * rounds)%nat.

  (* the row that an element works on in its turn, by the cycles since that of the sequencer *)
  Definition row (a e : nat) : nat := (l * (a / (9 * l)) + e)%nat.
  Definition issued (a e : nat) : Z := if (row a e <? s)%nat then prog s (a mod (9 * l)) else 15.

  Lemma round : forall q k, (k < 9 * l)%nat -> ((9 * l * q + k) / (9 * l) = q /\ (9 * l * q + k) mod (9 * l) = k)%nat.
  Proof. intros q k K. split; [symmetry; apply (Nat.div_unique _ _ _ k); lia | symmetry; apply (Nat.mod_unique _ _ q); lia]. Qed.

  Lemma rounds_of : forall a, exists q k, (k < 9 * l)%nat /\ a = (9 * l * q + k)%nat.
  Proof. intros a. exists (a / (9 * l))%nat, (a mod (9 * l))%nat. split; [apply Nat.mod_upper_bound; lia | apply Nat.div_mod; lia]. Qed.

  Lemma within : forall q e, (e < l)%nat -> (l * q + e < s <-> q < rounds)%nat.
  Proof.
    intros q e E. destruct size as (_ & _ & _ & _ & _ & _ & ->). clear - E. split; intros H.
    - apply (Nat.mul_lt_mono_pos_l l); lia.
    - assert (l * (q + 1) <= l * rounds)%nat by (apply Nat.mul_le_mono_l; lia). lia.
  Qed.

  Lemma issued_is : forall q k e, (e < l)%nat -> (k < 9 * l)%nat -> issued (9 * l * q + k) e = if (q <? rounds)%nat then prog s k else 15.
  Proof.
    intros q k e E K. destruct (round q k K) as [A B]. unfold issued, row. rewrite A, B. pose proof (within q e E). destruct (Nat.ltb_spec q rounds), (Nat.ltb_spec (l * q + e) s); reflexivity || lia.
  Qed.

  Lemma products : (forall q, S q < rounds -> 9 * l * q + 18 * l <= 9 * s)%nat /\ (forall q, q < rounds -> 9 * l * q + 9 * l <= 9 * s)%nat /\
    (forall q, q = rounds - 1 -> l * q + l = s)%nat /\ (forall q, l * q + l = s -> q = rounds - 1)%nat /\ (forall q, q <> O -> 9 * l * q = 9 * l * (q - 1) + 9 * l)%nat.
  Proof.
    destruct size as (_ & L & _ & _ & _ & R & E). clear - L R E. repeat split; intros q H.
    - assert (l * (q + 2) <= l * rounds)%nat by (apply Nat.mul_le_mono_l; lia). lia.
    - assert (l * (q + 1) <= l * rounds)%nat by (apply Nat.mul_le_mono_l; lia). lia.
    - subst. replace rounds with (rounds - 1 + 1)%nat at 2 by lia. lia.
    - assert (X : (l * (q + 1) = l * rounds)%nat) by lia. apply Nat.mul_cancel_l in X; lia.
    - replace q with (q - 1 + 1)%nat at 1 by lia. lia.
  Qed.

  Lemma top_row : forall q, (q = rounds - 1 -> (l * q + (l - 1) =? s - 1) = true)%nat /\ ((l * q + (l - 1) =? s - 1) = true -> q = rounds - 1)%nat.
  Proof.
    intros q. destruct products as (_ & _ & A & B & _). specialize (A q). specialize (B q). destruct size as (_ & L & _). clear - A B L.
    split; [intros E; apply Nat.eqb_eq; specialize (A E); lia | intros E; apply Nat.eqb_eq in E; apply B; lia].
  Qed.

  Lemma not_top : forall q e, (S e < l -> q < rounds -> (l * q + e =? s - 1) = false)%nat.
  Proof. intros q e E Q. pose proof (proj2 (within q (S e) E) Q) as H. clear - H. apply Nat.eqb_neq. lia. Qed.

  Lemma never_issued : forall a e, (e < l)%nat -> (9 * s <= a)%nat -> issued a e = 15.
  Proof.
    intros a e E A. destruct (rounds_of a) as (q & k & K & ->). rewrite issued_is by assumption. destruct (Nat.ltb_spec q rounds) as [L | L]; [| reflexivity].
    destruct products as (_ & P & _). specialize (P q L). lia.
  Qed.

End Turns.

Section Ring.
  Variables (s l I rounds : nat).
  Hypothesis size : (6 <= s)%nat /\ (1 <= l <= s)%nat /\ (2 * s + 1 <= 9 * l)%nat /\ (9 * (s - l) + 2 * s + 1 <= I)%nat /\ (9 * (s - 1) + 2 <= I <= 9 * s + 1)%nat /\ (1 <= rounds)%nat /\ s = (l * rounds)%nat.
  Variables (acc : nat -> bool) (step_q step_valid x_was_last : nat -> Z) (st sent : nat -> nat -> nat -> Z) (last load_x : nat -> nat -> Z).
  Let big := (9 * s)%nat.
  Local Notation old := (age acc big).
  Local Notation old_before := (age_before acc big).
  Hypotheses (spaced : forall t, acc t = true -> (I <= S (old t))%nat) (steps_are : forall t, step_q t = prog s (old t))
    (last_word : forall c i, acc c = true -> (i < s)%nat -> x_was_last (c + 3 + 9 * i)%nat = if (i =? s - 1)%nat then 1 else 0)
    (valid_first : step_valid O = 0) (valid_next : forall t, step_valid (S t) = if step_q (S t) =? 15 then 0 else 1)
    (reset : forall e, (e < l)%nat -> (forall j, (j <= 2)%nat -> st j O e = 15) /\ forall j, (j <= 5)%nat -> sent j O e = 15)
    (enters_first : forall t, st O (S t) O = if step_valid t =? 1 then step_q t else sent 5 t (l - 1)%nat)
    (enters : forall t e, (S e < l)%nat -> st O (S t) (S e) = sent 5 t e)
    (moves : forall t e, (e < l)%nat -> st 1 (S t) e = st O t e /\ st 2 (S t) e = st 1 t e)
    (leaves : forall t e, (e < l)%nat -> sent O (S t) e = if last t e =? 1 then 15 else st 2 t e)
    (goes_on : forall t e j, (e < l)%nat -> (j < 5)%nat -> sent (S j) (S t) e = sent j t e)
    (load_next : forall t e, (e < l)%nat -> load_x (S t) e = if st O t e =? 0 then 1 else 0)
    (last_next : forall t e, (e < l)%nat -> last (S t) e = if load_x t e =? 1 then x_was_last t else last t e).

  Definition out (t e : nat) : Z := if last t e =? 1 then 15 else st 2 t e.
  Definition entering (t : nat) : Z := if step_valid t =? 1 then step_q t else sent 5 t (l - 1)%nat.

  Lemma steps_line : forall e t j, (e < l)%nat -> (j <= 2)%nat -> st j t e = if (t <=? j)%nat then 15 else match e with O => entering (t - 1 - j) | S e' => sent 5 (t - 1 - j)%nat e' end.
  Proof.
    intros e t j E J. apply (line_of Z (fun j t => st j t e) (fun t => match e with O => entering t | S e' => sent 5 t e' end) 15 2); [intros; apply reset; assumption | | | exact J].
    - intros u. destruct e; [apply enters_first | apply enters, E].
    - intros u [| [| i]] L; [apply moves, E | apply moves, E | lia].
  Qed.

  Lemma sent_line : forall e t, (e < l)%nat -> sent 5 t e = if (t <=? 5)%nat then 15 else out (t - 6) e.
  Proof.
    intros e t E. rewrite (line_of Z (fun j t => sent j t e) (fun t => out t e) 15 5); [| intros; apply reset; assumption | intros; apply leaves, E | intros; apply goes_on; assumption | lia].
    destruct (t <=? 5)%nat; [reflexivity |]. f_equal. lia.
  Qed.

  Lemma step_of_next : forall e t, (S e < l)%nat -> st 2 t (S e) = if (t <=? 8)%nat then 15 else out (t - 9) e.
  Proof.
    intros e t E. rewrite steps_line by lia. destruct (Nat.leb_spec t 8) as [L | L]; destruct (Nat.leb_spec t 2); try reflexivity; try lia; rewrite sent_line by lia;
      destruct (Nat.leb_spec (t - 1 - 2) 5); try lia; try reflexivity. f_equal. lia.
  Qed.

  Lemma valid_is : forall t, step_valid t = 1 <-> (old t <= 2 * s)%nat.
  Proof.
    destruct size as (S4 & _). intros [| t]; [rewrite valid_first; cbn [age]; unfold big; lia |]. rewrite valid_next, steps_are. rewrite <- (prog_busy s S4). destruct (Z.eqb_spec (prog s (old (S t))) 15); lia.
  Qed.

  Local Notation since e t := (old_before (3 + 9 * e)%nat t).
  Local Notation row := (row l). Local Notation issued := (issued s l). Local Notation issued_is := (issued_is s l I rounds size).
  Local Notation round := (round s l I rounds size). Local Notation rounds_of := (rounds_of s l I rounds size). Local Notation never_issued := (never_issued s l I rounds size).
  Local Notation top_row := (top_row s l I rounds size). Local Notation not_top := (not_top s l I rounds size). Local Notation within := (within s l I rounds size).

  Theorem ring : forall t e, (e < l)%nat -> st 2 t e = issued (since e t) e /\ (st 2 t e <> 15 -> last t e = if (row (since e t) e =? s - 1)%nat then 1 else 0).
  Proof.
    destruct size as (S4 & S5 & S6 & S7 & S8 & S9 & ES). assert (BE : big = (9 * s)%nat) by reflexivity. destruct (products s l I rounds size) as (LR2 & LR & LQ & LQ2 & LG).
    induction t as [t IH] using (well_founded_induction Wf_nat.lt_wf). intros e E.
    assert (G : st 2 t e = issued (since e t) e).
    { destruct e as [| e].
      - rewrite steps_line by lia. destruct (Nat.leb_spec t 2) as [L | L].
        { unfold age_before. destruct (Nat.ltb_spec t (3 + 9 * 0)); [symmetry; apply never_issued; lia | lia]. }
        unfold entering. set (u := (t - 1 - 2)%nat). assert (A0 : since 0 t = old u) by (unfold age_before; destruct (Nat.ltb_spec t (3 + 9 * 0)); [lia | f_equal; unfold u; lia]). rewrite A0.
        pose proof (valid_is u) as V. destruct (Z.eqb_spec (step_valid u) 1) as [V1 | V1].
        + apply V in V1. rewrite steps_are. replace (old u) with (9 * l * 0 + old u)%nat at 2 by lia. rewrite issued_is by lia. destruct (Nat.ltb_spec 0 rounds); [reflexivity | lia].
        + assert (V2 : (2 * s < old u)%nat) by lia. clear V V1. rewrite sent_line by lia. destruct (rounds_of (old u)) as (q & k & K & EA).
          destruct (Nat.leb_spec u 5) as [U | U].
          { destruct (Nat.le_gt_cases u (old u)) as [U2 | U2].
            - rewrite never_issued; [reflexivity | lia |]. rewrite (age_never acc big u U2). lia.
            - lia. }
          destruct (IH (u - 6)%nat ltac:(unfold u in *; lia) (l - 1)%nat ltac:(lia)) as [IH1 IH2]. unfold out. set (a' := since (l - 1) (u - 6)) in *.
          destruct (Nat.eq_dec q 0) as [Q0 | Q0].
          * (* nothing of the operation is issued any more, and nothing comes of the one before *)
            subst q. rewrite EA, issued_is by lia. rewrite prog_idle by lia. replace (if (0 <? rounds)%nat then 15 else 15) with 15 by (destruct (0 <? rounds)%nat; reflexivity).
            destruct (Z.eqb_spec (last (u - 6) (l - 1)%nat) 1) as [_ | N]; [reflexivity |]. destruct (Z.eq_dec (st 2 (u - 6) (l - 1)%nat) 15) as [| N2]; [assumption | exfalso]. specialize (IH2 N2). rewrite IH1 in N2.
            unfold a', age_before in N2. destruct (Nat.ltb_spec (u - 6) (3 + 9 * (l - 1))) as [U2 | U2]; [apply N2, never_issued; lia |].
            destruct (age_event acc big u) as [[E1 _] | (c & C1 & C2 & C3 & _)]; [lia |].
            pose proof (spaced c C2) as SP. assert (A1 : age acc big (c - (9 * l - 1 - old u)) = (old c - (9 * l - 1 - old u))%nat) by (apply age_less; [clear - SP S4 S5 S8 V2 | clear - S5 U2 C1 C3]; lia).
            replace (c - (9 * l - 1 - old u))%nat with (u - 6 - (3 + 9 * (l - 1)))%nat in A1 by (clear - C1 C3 U2 K EA S5; lia).
            assert (AV : a' = (old c - (9 * l - 1 - old u))%nat) by (unfold a', age_before; destruct (Nat.ltb_spec (u - 6) (3 + 9 * (l - 1))); [lia | exact A1]).
            destruct (rounds_of a') as (q' & k' & K' & EA'). rewrite A1, <- AV, EA', issued_is in N2 by (clear - S5 K'; lia). destruct (Nat.ltb_spec q' rounds) as [QL | QL]; [| apply N2; reflexivity].
            assert (QE : q' = (rounds - 1)%nat).
            { destruct (Nat.eq_dec q' (rounds - 1)) as [| QN]; [assumption | exfalso]. assert (KB : (k' <= 2 * s)%nat) by (apply (prog_busy s S4); exact N2). specialize (LR2 q' ltac:(clear - QL QN; lia)). clear - LR2 KB EA' AV SP S7 S6 V2 EA K S5. lia. }
            apply N. rewrite IH2. unfold FiosRing.row. destruct (round q' k' K') as [RD _]. rewrite EA', RD. rewrite (proj1 (top_row q') QE). reflexivity.
          * (* it comes round *)
            assert (AV : a' = (9 * l * (q - 1) + k)%nat \/ (u < 9 * l)%nat /\ a' = big).
            { unfold a', age_before. destruct (Nat.ltb_spec (u - 6) (3 + 9 * (l - 1))) as [U2 | U2]; [right; split; [lia | reflexivity] | left].
              replace (u - 6 - (3 + 9 * (l - 1)))%nat with (u - 9 * l)%nat by (clear - S5; lia). specialize (LG q Q0). rewrite age_less by (clear - EA LG U2 S5; lia). rewrite EA, LG. generalize (9 * l * (q - 1))%nat. clear. intros. lia. }
            destruct AV as [AV | [U2 AV]].
            -- rewrite EA, issued_is by lia. destruct (Nat.ltb_spec q rounds) as [QL | QL].
               ++ rewrite IH1, AV, issued_is by lia. destruct (Nat.ltb_spec (q - 1) rounds); [| lia]. destruct (Z.eqb_spec (last (u - 6) (l - 1)%nat) 1) as [LE | LE]; [| reflexivity].
                  destruct (Z.eq_dec (prog s k) 15) as [| PN]; [congruence |]. rewrite IH1, AV, issued_is in IH2 by lia. destruct (Nat.ltb_spec (q - 1) rounds) as [_ | LL]; [| lia]. specialize (IH2 PN). unfold FiosRing.row in IH2. destruct (round (q - 1) k K) as [RD _].
                  rewrite RD, LE in IH2. destruct (l * (q - 1) + (l - 1) =? s - 1)%nat eqn:TR; [apply top_row in TR; clear - TR QL Q0; lia | discriminate].
               ++ destruct (Z.eqb_spec (last (u - 6) (l - 1)%nat) 1) as [LE | LE]; [reflexivity |]. destruct (Z.eq_dec (st 2 (u - 6) (l - 1)%nat) 15) as [| N2]; [assumption | exfalso]. specialize (IH2 N2).
                  rewrite IH1, AV, issued_is in N2 by lia. destruct (Nat.ltb_spec (q - 1) rounds) as [QL2 | QL2]; [| apply N2; reflexivity]. apply LE. rewrite IH2, AV. unfold FiosRing.row. destruct (round (q - 1) k K) as [RD _]. rewrite RD.
                  rewrite (proj1 (top_row (q - 1))) by (clear - QL QL2 Q0; lia). reflexivity.
            -- (* no operation was accepted yet *)
               assert (UA : (u <= old u)%nat) by (specialize (LG q Q0); lia). rewrite (never_issued (old u)) by (rewrite ?(age_never acc big u UA); lia).
               destruct (Z.eqb_spec (last (u - 6) (l - 1)%nat) 1); [reflexivity |]. rewrite IH1, AV. apply never_issued; lia.
      - rewrite step_of_next by exact E. destruct (Nat.leb_spec t 8) as [L | L].
        { unfold age_before. destruct (Nat.ltb_spec t (3 + 9 * S e)); [symmetry; apply never_issued; lia | lia]. }
        destruct (IH (t - 9)%nat ltac:(lia) e ltac:(lia)) as [IH1 IH2].
        assert (AE : since (S e) t = since e (t - 9)) by (unfold age_before; destruct (Nat.ltb_spec t (3 + 9 * S e)), (Nat.ltb_spec (t - 9) (3 + 9 * e)); try lia; f_equal; lia).
        rewrite AE. set (a := since e (t - 9)) in *. unfold out. destruct (rounds_of a) as (q & k & K & EA). rewrite EA in *. rewrite issued_is in * by lia.
        destruct (Z.eq_dec (st 2 (t - 9) e) 15) as [N | N]; [rewrite N, <- IH1, N; destruct (last (t - 9) e =? 1); reflexivity |]. specialize (IH2 N). rewrite IH2. unfold FiosRing.row. destruct (round q k K) as [RD _]. rewrite RD.
        destruct (Nat.ltb_spec q rounds) as [QL | QL]; [| contradiction]. rewrite (not_top q e E QL). exact IH1. }
    split; [exact G |]. intros N. assert (T3 : (3 <= t)%nat).
    { destruct (Nat.le_gt_cases t 2) as [L |]; [| lia]. exfalso. apply N. rewrite steps_line by lia. destruct (Nat.leb_spec t 2); [reflexivity | lia]. }
    rewrite G in N. unfold age_before in N |- *. destruct (Nat.ltb_spec t (3 + 9 * e)) as [TL | TL]; [exfalso; apply N, never_issued; lia |].
    assert (A0 : since e t = old (t - (3 + 9 * e))) by (unfold age_before; destruct (Nat.ltb_spec t (3 + 9 * e)); [lia | reflexivity]).
    set (u := (t - (3 + 9 * e))%nat) in *. destruct (rounds_of (old u)) as (q & k & K & EA). rewrite EA, issued_is in N by lia. destruct (Nat.ltb_spec q rounds) as [QL |]; [| exfalso; apply N; reflexivity].
    assert (KB : (k <= 2 * s)%nat) by (apply (prog_busy s S4); exact N). unfold FiosRing.row. destruct (round q k K) as [RD _]. rewrite EA, RD.
    assert (LN : last t e = if st 2 t e =? 0 then x_was_last (t - 1)%nat else last (t - 1)%nat e).
    { destruct t as [| [| t]]; [lia | lia |]. rewrite last_next, load_next by lia. destruct (moves (S t) e E) as [_ M2]. destruct (moves t e E) as [M1 _]. rewrite M2, M1.
      replace (S (S t) - 1)%nat with (S t) by lia. destruct (st 0 t e =? 0); reflexivity. }
    rewrite LN, G, A0, EA, issued_is by lia. destruct (Nat.ltb_spec q rounds) as [_ |]; [| lia]. specialize (LR q QL). destruct (Z.eqb_spec (prog s k) 0) as [P0 | P0].
    - apply (prog_zero s S4) in P0. destruct (age_event acc big u) as [[E1 _] | (c & C1 & C2 & C3 & _)]; [lia |].
      replace (t - 1)%nat with (c + 3 + 9 * (l * q + e))%nat by (unfold u in *; lia). apply last_word; [exact C2 | apply within; assumption].
    - assert (K1 : (1 <= k)%nat) by (destruct k; [exfalso; apply P0, (prog_zero s S4); reflexivity | lia]).
      assert (U1 : (1 <= u)%nat) by (destruct u; [cbn [age] in EA; lia | lia]).
      destruct (IH (t - 1)%nat ltac:(lia) e E) as [IH1 IH2]. assert (AE : since e (t - 1) = (9 * l * q + (k - 1))%nat).
      { unfold age_before. destruct (Nat.ltb_spec (t - 1) (3 + 9 * e)); [unfold u in U1; lia |]. replace (t - 1 - (3 + 9 * e))%nat with (u - 1)%nat by (unfold u; clear; lia). clear - EA K1 U1. rewrite age_less by lia. lia. }
      rewrite AE in *. rewrite issued_is in IH1 by (clear - E K; lia). destruct (Nat.ltb_spec q rounds) as [_ |]; [| lia]. unfold FiosRing.row in IH2. destruct (round q (k - 1) ltac:(lia)) as [RD2 _]. rewrite RD2 in IH2. apply IH2.
      rewrite IH1. apply (prog_busy s S4). lia.
  Qed.
End Ring.
