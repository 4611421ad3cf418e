(* SPDX-License-Identifier: Apache-2.0 *)
(* The words of an operation on the ring of FIOS elements: what each element's registers make of a step, and that rows follow each other as `fios` asks. *)
From Coq Require Import ZArith Lia Bool.
Require Import DigitRecurrence Instances Others FiosRows FiosElement.
Open Scope Z_scope.
Set Default Proof Using "All".

(* ---------------------------------------------------------------- the microcode *)
Definition op_of (v : Z) : Z :=
  if v =? 15 then 4 else if v =? 14 then 5 else if v =? 13 then 11 else if v =? 12 then 5 else if v =? 11 then 11 else if v =? 10 then 11 else if v =? 9 then 11 else
  if v =? 8 then 11 else if v =? 7 then 11 else if v =? 6 then 3 else if v =? 5 then 3 else if v =? 4 then 3 else if v =? 3 then 1 else if v =? 2 then 3 else
  if v =? 1 then 3 else if v =? 0 then 3 else 0.
(* in the first row, in which no words come in *)
Definition first_op_of (v : Z) : Z :=
  if v =? 15 then 4 else if v =? 14 then 5 else if v =? 13 then 9 else if v =? 12 then 5 else if v =? 11 then 9 else if v =? 10 then 11 else if v =? 9 then 11 else
  if v =? 8 then 11 else if v =? 7 then 11 else if v =? 6 then 3 else if v =? 5 then 1 else if v =? 4 then 1 else if v =? 3 then 1 else if v =? 2 then 1 else
  if v =? 1 then 1 else if v =? 0 then 1 else 0.
Definition source_of (v : Z) : Z :=
  if v =? 14 then 2 else if v =? 12 then 2 else if v =? 10 then 2 else if v =? 9 then 2 else if v =? 8 then 2 else if v =? 7 then 2 else if v =? 6 then 1 else if v =? 3 then 1 else 0.
Definition pin_shift (v : Z) : Z := if v =? 11 then 1 else if v =? 9 then 1 else if v =? 7 then 1 else if v =? 3 then 1 else 0.
Definition c_of (v : Z) : Z :=
  if v =? 13 then 2 else if v =? 11 then 2 else if v =? 10 then 3 else if v =? 9 then 3 else if v =? 8 then 3 else if v =? 7 then 3 else if v =? 6 then 3 else if v =? 4 then 1 else 0.
Definition save_shift (v : Z) : Z :=
  if v =? 7 then 1 else if v =? 6 then 1 else if v =? 5 then 1 else if v =? 4 then 1 else if v =? 2 then 1 else if v =? 1 then 1 else if v =? 0 then 1 else 0.
Definition is_top (v : Z) : Z := if v =? 14 then 1 else 0.

Section Data.
  Variables (s l : nat) (r D : Z).
  Hypothesis size : (6 <= s)%nat /\ (1 <= l)%nat.
  (* by cycle and element; a word that goes to the neighbour is out, one that comes from it is pin *)
  Variables (st first x a w m p c pin out q1 q2 s1 s2 s3 top : nat -> nat -> Z).
  Hypotheses (D_large : 2 * (r * r) <= D)
    (a_is : forall u e, (1 <= u)%nat -> (e < l)%nat -> a u e = if source_of (st u e) =? 1 then p u e mod r else if source_of (st u e) =? 2 then m u e else x u e)
    (m_next : forall u e, (1 <= u)%nat -> (e < l)%nat -> m (u + 1)%nat e = if st u e =? 6 then p u e mod r else m u e)
    (q_next : forall u e, (1 <= u)%nat -> (e < l)%nat -> q1 (u + 2)%nat e = (if pin_shift (st u e) =? 1 then pin (u + 1)%nat e else q1 (u + 1)%nat e) /\
      q2 (u + 2)%nat e = if pin_shift (st u e) =? 1 then q1 (u + 1)%nat e else q2 (u + 1)%nat e)
    (c_is : forall u e, (1 <= u)%nat -> (e < l)%nat -> c (u + 1)%nat e = if c_of (st u e) =? 0 then pin (u + 1)%nat e else if c_of (st u e) =? 3 then s3 (u + 1)%nat e else
      if c_of (st u e) =? 1 then q1 (u + 1)%nat e else q2 (u + 1)%nat e)
    (s_next : forall u e, (1 <= u)%nat -> (e < l)%nat -> s1 (u + 4)%nat e = (if save_shift (st u e) =? 1 then p (u + 3)%nat e mod (r * r) else s1 (u + 3)%nat e) /\
      s2 (u + 4)%nat e = (if save_shift (st u e) =? 1 then s1 (u + 3)%nat e else s2 (u + 3)%nat e) /\
      s3 (u + 4)%nat e = (if save_shift (st u e) =? 1 then s2 (u + 3)%nat e else s3 (u + 3)%nat e))
    (top_next : forall u e, (1 <= u)%nat -> (e < l)%nat -> top (u + 4)%nat e = if is_top (st u e) =? 1 then (p (u + 3)%nat e / r) mod r else top (u + 3)%nat e)
    (out_is : forall u e, (1 <= u)%nat -> (e < l)%nat -> out (u + 5)%nat e = if is_top (st u e) =? 1 then top (u + 5)%nat e else p (u + 5)%nat e mod r)
    (p_next : forall u e, (1 <= u)%nat -> (e < l)%nat -> let op := if first u e =? 1 then first_op_of (st u e) else op_of (st u e) in
      (op / 4 = 2 -> p (u + 2)%nat e < 2 * (r * r)) -> p (u + 3)%nat e = ((if op / 4 =? 1 then p (u + 2)%nat e else if op / 4 =? 2 then p (u + 2)%nat e / r else 0) + (if op / 2 mod 2 =? 1 then c (u + 1)%nat e else 0) +
        (if op mod 2 =? 1 then a u e * w u e else 0)) mod D)
    (p_range : forall u e, (e < l)%nat -> 0 <= p u e)
    (pin_is : forall u e, (e < l)%nat -> pin u e = out u (match e with O => (l - 1)%nat | S e' => e' end))
    (top_once : forall u e, (e < l)%nat -> st u e = 14 -> st (u + 1)%nat e <> 14).

  (* An operation: the cycle of the first issue, and its words. *)
  Variables (start : nat) (A B N : nat -> Z) (n0 : Z).
  Let T (i : nat) : nat := (start + 9 * i)%nat.
  Let at_ (i : nat) : nat := (i mod l)%nat.
  Hypotheses (radix : 2 <= r) (started : (1 <= start)%nat) (A_range : forall i, 0 <= A i < r) (B_range : forall i, 0 <= B i < r) (N_range : forall i, 0 <= N i < r) (n0_range : 0 <= n0 < r)
    (inverse : (N O * n0 + 1) mod r = 0)
    (steps : forall i k, (i < s)%nat -> (k <= 2 * s)%nat -> st (T i + k)%nat (at_ i) = prog s k)
    (firsts : forall i k, (i < s)%nat -> (k <= 2 * s)%nat -> first (T i + k)%nat (at_ i) = if (i =? 0)%nat then 1 else 0)
    (xs : forall i k, (i < s)%nat -> (k <= 2 * s)%nat -> x (T i + k)%nat (at_ i) = A i)
    (words : forall i, (i < s)%nat -> let v k := w (T i + k)%nat (at_ i) in
      (v 0%nat = B 0%nat /\ v 1%nat = B 1%nat /\ v 2%nat = B 2%nat /\ v 3%nat = n0 /\ v 4%nat = B 3%nat /\ v 5%nat = B 4%nat) /\
      (forall j, (j <= 4)%nat -> v (6 + j)%nat = N j) /\ forall j, (5 <= j < s)%nat -> v (2 * j + 1)%nat = B j /\ v (2 * j + 2)%nat = N j).

  Let P (i k : nat) : Z := p (T i + k)%nat (at_ i).
  Definition before (i j : nat) : Z := match i with O => 0 | S h => if (j =? s - 1)%nat then (P h (sum_at (s - 1)) / r) mod r else P h (sum_at (S j)) mod r end.
  Definition quotients (i : nat) : Z := P i 6 mod r.
  Definition carries (i j : nat) : Z := carry_into r (P i) j.

  Lemma before_range : forall i j, 0 <= before i j < r.
  Proof. intros [| i] j; unfold before; [clear - radix; lia |]. destruct (j =? s - 1)%nat; apply Z.mod_pos_bound; clear - radix; lia. Qed.

  Lemma at_range : forall i, (at_ i < l)%nat.
  Proof. intros i. apply Nat.mod_upper_bound. destruct size as [_ L]. clear - L. lia. Qed.

  Lemma at_next : forall i, match at_ (S i) with O => (l - 1)%nat | S e => e end = at_ i.
  Proof.
    intros i. unfold at_. destruct size as [_ L]. pose proof (Nat.div_mod i l ltac:(clear - L; lia)) as E. pose proof (Nat.mod_upper_bound i l ltac:(clear - L; lia)) as U. clear - L E U.
    destruct (Nat.eq_dec (S (i mod l)) l) as [F | F].
    - rewrite <- (Nat.mod_unique (S i) l (S (i / l)) 0); lia.
    - rewrite <- (Nat.mod_unique (S i) l (i / l) (S (i mod l))); lia.
  Qed.

  Ltac slot_at i k := let E := fresh "E" in pose proof (steps i k) as E.

  (* A word that an element has made comes to its neighbour in time. *)
  Lemma comes_in : forall i j, (S i < s)%nat -> (j < s)%nat -> pin (T (S i) + word_at j)%nat (at_ (S i)) = before (S i) j.
  Proof.
    intros i j I J. destruct size as [S6 L]. rewrite pin_is by apply at_range. rewrite at_next. pose proof (at_range i) as AR. unfold before. destruct (Nat.eqb_spec j (s - 1)) as [-> | NE].
    - assert (E14 : st (T i + 2 * s)%nat (at_ i) = 14).
      { rewrite steps by (clear - I; lia). destruct (prog_word s S6 (s - 1) ltac:(clear - S6; lia)) as [_ Q]. rewrite Nat.eqb_refl in Q. rewrite <- Q. f_equal. clear - S6. lia. }
      replace (T (S i) + word_at (s - 1))%nat with (T i + 2 * s + 5)%nat by (unfold T, word_at; destruct (Nat.leb_spec (s - 1) 2); clear - S6 H || idtac; lia).
      rewrite out_is by (exact AR || (unfold T; clear - started; lia)). rewrite E14. cbn [is_top Z.eqb Pos.eqb].
      pose proof (top_once _ _ AR E14) as N14. replace (T i + 2 * s + 5)%nat with (T i + 2 * s + 1 + 4)%nat by (clear; lia). rewrite top_next by (exact AR || (unfold T; clear - started; lia)).
      unfold is_top. destruct (Z.eqb_spec (st (T i + 2 * s + 1)%nat (at_ i)) 14) as [X | _]; [contradiction |]. cbn [Z.eqb].
      replace (T i + 2 * s + 1 + 3)%nat with (T i + 2 * s + 4)%nat by (clear; lia). rewrite top_next by (exact AR || (unfold T; clear - started; lia)). rewrite E14. cbn [is_top Z.eqb Pos.eqb].
      unfold P. replace (T i + sum_at (s - 1))%nat with (T i + 2 * s + 3)%nat; [reflexivity |]. unfold sum_at. destruct (Nat.leb_spec (s - 1) 4); clear - S6 H; lia.
    - assert (W : exists k, (k <= 2 * s)%nat /\ (T (S i) + word_at j = T i + k + 5)%nat /\ (T i + sum_at (S j) = T i + k + 5)%nat /\ prog s k <> 14).
      { unfold T, word_at, sum_at. destruct (Nat.leb_spec j 2) as [J2 | J2].
        - exists (5 + j)%nat. destruct (Nat.leb_spec (S j) 4); [| clear - J2 H; lia]. repeat split; try (clear - J2 S6; lia). rewrite prog_early by (exact S6 || (clear - J2; lia)). clear - J2. lia.
        - destruct (Nat.leb_spec (S j) 4) as [J4 | J4].
          + exists 8%nat. repeat split; try (clear - J2 J4 S6; lia). rewrite prog_early by (exact S6 || (clear; lia)). discriminate.
          + exists (2 * j + 2)%nat. repeat split; try (clear - J J2 J4 S6 NE; lia). destruct (Nat.eq_dec j 4) as [-> | N4]; [rewrite prog_early by (exact S6 || (clear; lia)); discriminate |].
            destruct (prog_word s S6 j ltac:(clear - J J4 N4; lia)) as [_ Q]. rewrite Q. destruct (Nat.eqb_spec j (s - 1)); [contradiction | discriminate]. }
      destruct W as (k & K & E1 & E2 & N14). unfold P. rewrite E1, E2, out_is by (exact AR || (unfold T; clear - started; lia)). rewrite steps by (exact K || (clear - I; lia)). unfold is_top.
      destruct (Z.eqb_spec (prog s k) 14); [contradiction | reflexivity].
  Qed.

  Section OneRow.
    Variables (i : nat).
    Hypothesis row : (i < s)%nat.
    Let e := at_ i.
    Let C (k : nat) : Z := if ((i =? 0)%nat && negb (c_of (prog s k) =? 3))%bool then 0 else c (T i + (k + 1))%nat e.

    Lemma here : (1 <= T i)%nat /\ (e < l)%nat.
    Proof. split; [unfold T; clear - started; lia | apply at_range]. Qed.

    Lemma p_at : forall k v, (k <= 2 * s)%nat -> prog s k = v -> let op := if (i =? 0)%nat then first_op_of v else op_of v in
      (op / 4 = 2 -> P i (k + 2) < 2 * (r * r)) -> P i (k + 3) = ((if op / 4 =? 1 then P i (k + 2) else if op / 4 =? 2 then P i (k + 2) / r else 0) + (if op / 2 mod 2 =? 1 then c (T i + (k + 1))%nat e else 0) +
        (if op mod 2 =? 1 then a (T i + k)%nat e * w (T i + k)%nat e else 0)) mod D.
    Proof.
      intros k v K E. destruct here as [TH EH]. pose proof (p_next (T i + k)%nat e ltac:(clear - TH; lia) EH) as F. unfold e in F. rewrite (firsts i k row K), (steps i k row K), E in F. rewrite <- !Nat.add_assoc in F. unfold P.
      destruct (i =? 0)%nat; exact F.
    Qed.

    Lemma a_at : forall k v, (k <= 2 * s)%nat -> prog s k = v -> a (T i + k)%nat e = if source_of v =? 1 then P i k mod r else if source_of v =? 2 then m (T i + k)%nat e else A i.
    Proof. intros k v K E. destruct here as [TH EH]. rewrite a_is by (exact EH || (clear - TH; lia)). unfold e. rewrite (steps i k row K), (xs i k row K), E. reflexivity. Qed.

    Lemma q_at : forall k v, (k <= 2 * s)%nat -> prog s k = v -> q1 (T i + (k + 2))%nat e = (if pin_shift v =? 1 then pin (T i + (k + 1))%nat e else q1 (T i + (k + 1))%nat e) /\
      q2 (T i + (k + 2))%nat e = if pin_shift v =? 1 then q1 (T i + (k + 1))%nat e else q2 (T i + (k + 1))%nat e.
    Proof. intros k v K E. destruct here as [TH EH]. pose proof (q_next (T i + k)%nat e ltac:(clear - TH; lia) EH) as F. unfold e in F. rewrite (steps i k row K), E in F. rewrite <- !Nat.add_assoc in F. exact F. Qed.

    Lemma c_at : forall k v, (k <= 2 * s)%nat -> prog s k = v -> c (T i + (k + 1))%nat e = if c_of v =? 0 then pin (T i + (k + 1))%nat e else if c_of v =? 3 then s3 (T i + (k + 1))%nat e else
      if c_of v =? 1 then q1 (T i + (k + 1))%nat e else q2 (T i + (k + 1))%nat e.
    Proof. intros k v K E. destruct here as [TH EH]. pose proof (c_is (T i + k)%nat e ltac:(clear - TH; lia) EH) as F. unfold e in F. rewrite (steps i k row K), E in F. rewrite <- !Nat.add_assoc in F. exact F. Qed.

    Lemma s_at : forall k v, (k <= 2 * s)%nat -> prog s k = v -> s1 (T i + (k + 4))%nat e = (if save_shift v =? 1 then P i (k + 3) mod (r * r) else s1 (T i + (k + 3))%nat e) /\
      s2 (T i + (k + 4))%nat e = (if save_shift v =? 1 then s1 (T i + (k + 3))%nat e else s2 (T i + (k + 3))%nat e) /\
      s3 (T i + (k + 4))%nat e = (if save_shift v =? 1 then s2 (T i + (k + 3))%nat e else s3 (T i + (k + 3))%nat e).
    Proof. intros k v K E. destruct here as [TH EH]. pose proof (s_next (T i + k)%nat e ltac:(clear - TH; lia) EH) as F. unfold e in F. rewrite (steps i k row K), E in F. rewrite <- !Nat.add_assoc in F. exact F. Qed.

    Lemma m_at : forall k, (7 <= k <= 2 * s)%nat -> m (T i + k)%nat e = P i 6 mod r.
    Proof.
      destruct size as [S6 _]. destruct here as [TH EH]. intros k [K1 K2]. revert K2. induction K1 as [| k K1 IH]; intros K2.
      - replace (T i + 7)%nat with (T i + 6 + 1)%nat by (clear; lia). rewrite m_next by (exact EH || (clear - TH; lia)). unfold e. rewrite (steps i 6%nat row) by (clear - S6; lia). reflexivity.
      - specialize (IH ltac:(clear - K2; lia)). replace (T i + S k)%nat with (T i + k + 1)%nat by (clear; lia). rewrite m_next by (exact EH || (clear - TH; lia)). unfold e in *. rewrite (steps i k row) by (clear - K2; lia).
        destruct (Z.eqb_spec (prog s k) 6) as [X |]; [exfalso | exact IH]. destruct (slot_of s S6 k ltac:(clear - K2; lia)) as [Q | (j & J & [Q | Q])].
        + rewrite prog_early in X by assumption. clear - X K1. lia.
        + destruct (prog_word s S6 j J) as [Y _]. rewrite Q, Y in X. destruct (j =? s - 1)%nat; discriminate.
        + destruct (prog_word s S6 j J) as [_ Y]. rewrite Q, Y in X. destruct (j =? s - 1)%nat; discriminate.
    Qed.

    (* the words that come in are those of the row before *)
    Lemma addends : (C 0 = before i 0 /\ C 1 = before i 1 /\ C 2 = before i 2 /\ C 4 = before i 3 /\ C 5 = before i 4) /\ forall j, (5 <= j < s)%nat -> C (2 * j + 1)%nat = before i j.
    Proof.
      destruct size as [S6 _]. destruct (Nat.eq_dec i 0) as [IE | NE0].
      - assert (B0 : forall j, before i j = 0) by (rewrite IE; reflexivity). assert (NZ : (i =? 0)%nat = true) by (rewrite IE; reflexivity). unfold C. rewrite NZ, !B0. cbn [andb].
        split; [repeat split; reflexivity |]. intros j J. rewrite B0. destruct (prog_word s S6 j J) as [-> _]. destruct (j =? s - 1)%nat; reflexivity.
      - assert (NZ : (i =? 0)%nat = false) by (apply Nat.eqb_neq, NE0). assert (XE : exists h, i = S h) by (exists (i - 1)%nat; clear - NE0; lia). destruct XE as [h IE].
        set (I := fun k => pin (T i + k)%nat e). set (Q1 := fun k => q1 (T i + k)%nat e). set (Q2 := fun k => q2 (T i + k)%nat e).
        assert (CE : forall k, C k = c (T i + (k + 1))%nat e) by (intros k; unfold C; rewrite NZ; reflexivity).
        assert (E1 : forall k, (k <= 2)%nat \/ (k = 5)%nat -> C k = I (k + 1)%nat).
        { intros k K. rewrite CE, (c_at k (Z.of_nat k)) by (try apply prog_early; clear - K S6; lia). destruct K as [K | ->]; [| reflexivity]. do 3 (destruct k as [| k]; [reflexivity |]). clear - K. lia. }
        assert (E2 : C 4%nat = Q1 5%nat) by (rewrite CE, (c_at 4 4) by (try apply prog_early; clear - S6; lia); reflexivity).
        assert (E3 : forall j, (5 <= j < s)%nat -> C (2 * j + 1)%nat = Q2 (2 * j + 2)%nat).
        { intros j J. rewrite CE. destruct (prog_word s S6 j J) as [Y _]. rewrite (c_at (2 * j + 1) _ ltac:(clear - J; lia) Y). unfold Q2. replace (2 * j + 1 + 1)%nat with (2 * j + 2)%nat by (clear; lia).
          destruct (j =? s - 1)%nat; reflexivity. }
        assert (E4 : forall k, (k = 3 \/ k = 7 \/ k = 9)%nat \/ (exists j, (5 <= j < s - 1)%nat /\ k = 2 * j + 1)%nat -> Q1 (k + 2)%nat = I (k + 1)%nat /\ Q2 (k + 2)%nat = Q1 (k + 1)%nat).
        { intros k [K | (j & J & ->)].
          - destruct (q_at k (Z.of_nat k) ltac:(clear - K S6; lia) ltac:(apply prog_early; clear - K S6; lia)) as [X Y]. destruct K as [-> | [-> | ->]]; split; assumption.
          - destruct (prog_word s S6 j ltac:(clear - J; lia)) as [Y _]. destruct (Nat.eqb_spec j (s - 1)) as [X |]; [clear - J X; lia |]. destruct (q_at (2 * j + 1)%nat _ ltac:(clear - J; lia) Y) as [X1 X2]. split; assumption. }
        assert (E5 : forall k, (k = 8 \/ k = 10)%nat \/ (exists j, (5 <= j < s - 1)%nat /\ k = 2 * j + 2)%nat -> Q1 (k + 2)%nat = Q1 (k + 1)%nat /\ Q2 (k + 2)%nat = Q2 (k + 1)%nat).
        { intros k [K | (j & J & ->)].
          - destruct (q_at k (Z.of_nat k) ltac:(clear - K S6; lia) ltac:(apply prog_early; clear - K S6; lia)) as [X Y]. destruct K as [-> | ->]; split; assumption.
          - destruct (prog_word s S6 j ltac:(clear - J; lia)) as [_ Y]. destruct (Nat.eqb_spec j (s - 1)) as [X |]; [clear - J X; lia |]. destruct (q_at (2 * j + 2)%nat _ ltac:(clear - J; lia) Y) as [X1 X2]. split; assumption. }
        assert (IB : forall j, (j < s)%nat -> I (word_at j) = before i j) by (intros j J; unfold I, e; rewrite IE; apply comes_in; [rewrite <- IE; exact row | exact J]).
        destruct (comes s I C Q1 Q2 S6 E1 E2 E3 E4 E5) as (F0 & F1 & F2 & F4 & F5). rewrite F0, F1, F2, F4, F5, !IB by (clear - S6; lia). split; [auto |].
        intros j J. rewrite (comes_later s I C Q1 Q2 S6 E1 E2 E3 E4 E5 j J). apply IB. clear - J. lia.
    Qed.

    Theorem row_of : 0 <= quotients i < r /\ (forall j, (j < s)%nat -> P i (sum_at j) = before i j + A i * B j + quotients i * N j + carries i j /\ 0 <= carries i j) /\
      0 <= carries i s /\ P i (sum_at 0) mod r = 0.
    Proof.
      destruct size as [S6 _]. destruct (words i row) as (W1 & W2 & W3). destruct addends as (C1 & C2).
      assert (early : forall k, (k < 11)%nat -> prog s k = Z.of_nat k) by (intros; apply prog_early; assumption).
      apply (row_is r D s (A i) n0 B N (before i) (P i) (fun k => a (T i + k)%nat e) (fun k => w (T i + k)%nat e) C (fun k => m (T i + k)%nat e)
        (fun k => s1 (T i + k)%nat e) (fun k => s2 (T i + k)%nat e) (fun k => s3 (T i + k)%nat e)); try assumption.
      - apply A_range.
      - intros j _. apply before_range.
      - intros k. apply p_range, at_range.
      - intros j J. assert (X : negb (c_of (Z.of_nat (6 + j)) =? 3) = false) by (do 5 (destruct j as [| j]; [reflexivity |]); clear - J; lia).
        unfold C. rewrite early, X, andb_false_r by (clear - J; lia). rewrite (c_at (6 + j) (Z.of_nat (6 + j))) by (try apply early; clear - J S6; lia). replace (6 + j + 1)%nat with (7 + j)%nat by (clear; lia).
        do 5 (destruct j as [| j]; [reflexivity |]). clear - J. lia.
      - intros k K. rewrite (a_at k (Z.of_nat k)) by (try apply early; clear - K S6; lia). destruct K as [K | [-> | ->]]; try reflexivity. do 3 (destruct k as [| k]; [reflexivity |]). clear - K. lia.
      - split; [rewrite (a_at 3 3) by (try apply early; clear - S6; lia) | rewrite (a_at 6 6) by (try apply early; clear - S6; lia)]; reflexivity.
      - intros j J. rewrite (a_at (6 + j) (Z.of_nat (6 + j))) by (try apply early; clear - J S6; lia). destruct j as [| j]; [clear - J; lia |]. do 4 (destruct j as [| j]; [reflexivity |]). clear - J. lia.
      - intros j J. destruct (prog_word s S6 j J) as [Y1 Y2]. rewrite (a_at (2 * j + 1)%nat _ ltac:(clear - J; lia) Y1), (a_at (2 * j + 2)%nat _ ltac:(clear - J; lia) Y2). destruct (j =? s - 1)%nat; split; reflexivity.
      - exact m_at.
      - intros k ->. exact (s_at 3 3 ltac:(clear - S6; lia) (early 3%nat ltac:(clear; lia))).
      - intros k K K3. pose proof (s_at k (Z.of_nat k) ltac:(clear - K S6; lia) (early k ltac:(clear - K; lia))) as X. do 8 (destruct k as [| k]; [first [exact X | clear - K3; lia] |]). clear - K. lia.
      - intros k K. pose proof (p_at k (Z.of_nat k) ltac:(clear - K S6; lia) (early k ltac:(clear - K; lia))) as X. unfold C. rewrite early by (clear - K; lia). cbv zeta in X.
        do 7 (destruct k as [| k]; [first [clear - K; lia | destruct (i =? 0)%nat; apply X; discriminate] |]). clear - K. lia.
      - pose proof (p_at 3 3 ltac:(clear - S6; lia) (early 3%nat ltac:(clear; lia))) as X. destruct (i =? 0)%nat; apply X; discriminate.
      - intros j J PJ. pose proof (p_at (6 + j) (Z.of_nat (6 + j)) ltac:(clear - J S6; lia) (early (6 + j)%nat ltac:(clear - J; lia))) as X. unfold C. rewrite early by (clear - J; lia). cbv zeta in X.
        destruct j as [| j]; [clear - J; lia |]. do 4 (destruct j as [| j]; [destruct (i =? 0)%nat; exact (X (fun _ => PJ)) |]). clear - J. lia.
      - intros j J. destruct (prog_word s S6 j J) as [Y1 Y2]. pose proof (p_at (2 * j + 1)%nat _ ltac:(clear - J; lia) Y1) as X1. pose proof (p_at (2 * j + 2)%nat _ ltac:(clear - J; lia) Y2) as X2. cbv zeta in X1, X2. unfold C. rewrite Y1.
        replace (2 * j + 1 + 3)%nat with (2 * j + 4)%nat in X1 by (clear; lia). replace (2 * j + 1 + 2)%nat with (2 * j + 3)%nat in X1 by (clear; lia). replace (2 * j + 1 + 1)%nat with (2 * j + 2)%nat in * by (clear; lia).
        replace (2 * j + 2 + 3)%nat with (2 * j + 5)%nat in X2 by (clear; lia). replace (2 * j + 2 + 2)%nat with (2 * j + 4)%nat in X2 by (clear; lia).
        split; [intros PJ; destruct (i =? 0)%nat, (j =? s - 1)%nat; exact (X1 (fun _ => PJ)) |]. rewrite <- (Z.add_0_r (P i (2 * j + 4)%nat)). destruct (i =? 0)%nat, (j =? s - 1)%nat; apply X2; discriminate.
    Qed.
  End OneRow.

  Theorem product : forall n av bv, 0 < n /\ 4 * n <= pw r s -> 0 <= av < 2 * n -> 0 <= bv < 2 * n -> digits r A s = av -> digits r B s = bv -> digits r N s = n ->
    0 <= digits r (before s) s < 2 * n /\ montgomery n (pw r s) av bv (digits r (before s) s).
  Proof.
    destruct size as [S6 _]. intros n av bv Hn Ha Hb EA EB EN. apply (fios r n av bv s A B N quotients before (fun i j => P i (sum_at j) mod r) carries); try assumption; try (clear - radix S6; lia).
    - intros i _. apply A_range.
    - intros i I. apply (row_of i I).
    - intros i j I J. destruct (row_of i I) as (_ & R & _). rewrite <- (proj1 (R j J)). change (carries i (S j)) with (P i (sum_at j) / r). rewrite Z.add_comm. symmetry. apply Z.div_mod. clear - radix. lia.
    - intros. apply Z.mod_pos_bound. clear - radix. lia.
    - intros i j I J. destruct (row_of i I) as (_ & R & S0 & _). destruct (Nat.eq_dec j s) as [-> | NE]; [exact S0 |]. apply (R j). clear - J NE. lia.
    - intros i I. split; [reflexivity | apply (row_of i I)].
    - reflexivity.
    - intros i j I J. unfold before. destruct (Nat.eqb_spec j (s - 1)) as [-> |]; [clear - J; lia | reflexivity].
    - intros i I. unfold before. rewrite Nat.eqb_refl. assert (X : forall k, k = S (s - 1) -> carries i k = P i (sum_at (s - 1)) / r) by (intros ? ->; reflexivity). rewrite X by (clear - S6; lia). reflexivity.
  Qed.
End Data.
