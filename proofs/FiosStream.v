(* SPDX-License-Identifier: Apache-2.0 *)
(* Words of operands on their way to the FIOS elements: readers, the stream of the sequencer, the line of elements. *)
From Coq Require Import ZArith Lia Bool.
Require Import DigitRecurrence Pipelined Ages FiosElement FiosRing.
Open Scope Z_scope.
Set Default Proof Using "All".

Section Reader.
  (* what is left of the operand *)
  Variables (r : Z) (value left ready enable shift half takes : nat -> Z).
  Hypotheses (radix : 2 <= r)
    (enables : forall t, enable (S t) = (if ready (S t) =? 1 then 1 else shift (S t)) /\ shift (S t) = (if ready (S t) =? 1 then 0 else shift (S t)) /\ shift (S t) * half (S t) = 0)
    (reset : enable O = 1 /\ shift O = 0)
    (loads : forall t, ready t = 1 -> enable t = 1 -> shift t = 0 -> left (S t) = value t)
    (moves : forall t, ready t = 0 -> enable t = shift t -> shift t * half t = 0 -> takes t = 1 -> ready (S t) = 0 -> left (S t) = left t / r)
    (stays : forall t, ready t = 0 -> enable t = shift t -> shift t * half t = 0 -> takes t = 0 -> left (S t) = left t)
    (bits : forall t, takes t = 0 \/ takes t = 1).

  Theorem reads : forall c, ready c = 1 -> forall k, (forall j, (1 <= j <= k)%nat -> ready (c + j)%nat = 0 /\ (takes (c + j)%nat = 1 -> ready (c + j + 1)%nat = 0)) ->
    left (c + 1 + k)%nat = value c / pw r (count (fun j => takes (c + 1 + j)%nat =? 1) k).
  Proof.
    intros c C. induction k as [| k IH]; intros H.
    - rewrite Nat.add_0_r. cbn [count pw]. rewrite Z.div_1_r, Nat.add_1_r. destruct c as [| c]; [apply loads; [exact C | apply reset | apply reset] |].
      destruct (enables c) as (E & F & _). rewrite C in E, F. apply loads; assumption.
    - specialize (IH (fun j J => H j ltac:(clear - J; lia))). destruct (H (S k) ltac:(clear; lia)) as [R0 R1]. replace (c + S k)%nat with (S (c + k)) in * by (clear; lia).
      replace (c + 1 + S k)%nat with (S (S (c + k))) by (clear; lia). replace (c + 1 + k)%nat with (S (c + k)) in IH by (clear; lia). destruct (enables (c + k)%nat) as (E & _ & Z0). rewrite R0 in E. cbn [Z.eqb] in E.
      cbn [count]. replace (c + 1 + k)%nat with (S (c + k)) by (clear; lia). destruct (bits (S (c + k))) as [B | B]; rewrite B; cbn [Z.eqb Pos.eqb Nat.add].
      + rewrite stays by assumption. exact IH.
      + replace (S (c + k) + 1)%nat with (S (S (c + k))) in R1 by (clear; lia). rewrite moves by (try assumption; apply R1, B). rewrite IH. pose proof (pw_pos r (count (fun j => takes (c + 1 + j)%nat =? 1) k) ltac:(clear - radix; lia)).
        rewrite Z.div_div by lia. f_equal. cbn [pw]. ring.
  Qed.
End Reader.

(* ---------------------------------------------------------------- the stream of a row *)
Definition is_y (v : Z) : Z := if v =? 13 then 1 else if v =? 11 then 1 else if v =? 5 then 1 else if v =? 4 then 1 else if v =? 2 then 1 else if v =? 1 then 1 else if v =? 0 then 1 else 0.
Definition is_n (v : Z) : Z := if v =? 14 then 1 else if v =? 12 then 1 else if v =? 10 then 1 else if v =? 9 then 1 else if v =? 8 then 1 else if v =? 7 then 1 else if v =? 6 then 1 else if v =? 3 then 1 else 0.

Lemma is_y_bit : forall v, is_y v = 0 \/ is_y v = 1.
Proof. intros v. unfold is_y. repeat (destruct (_ =? _); [right; reflexivity |]). left. reflexivity. Qed.
Lemma is_n_bit : forall v, is_n v = 0 \/ is_n v = 1.
Proof. intros v. unfold is_n. repeat (destruct (_ =? _); [right; reflexivity |]). left. reflexivity. Qed.

Section Stream.
  Variables (s : nat) (Y N : nat -> Z).
  Hypothesis some : (6 <= s)%nat.
  Definition y_count (k : nat) : nat := count (fun i => is_y (prog s i) =? 1) k.
  Definition n_count (k : nat) : nat := count (fun i => is_n (prog s i) =? 1) k.
  Definition stream (k : nat) : Z := if is_n (prog s k) =? 1 then N (n_count k) else Y (y_count k).

  Lemma stream_is : (stream 0 = Y 0%nat /\ stream 1 = Y 1%nat /\ stream 2 = Y 2%nat /\ stream 3 = N 0%nat /\ stream 4 = Y 3%nat /\ stream 5 = Y 4%nat) /\
    (forall j, (j <= 4)%nat -> stream (6 + j)%nat = N (1 + j)%nat) /\ forall j, (5 <= j < s)%nat -> stream (2 * j + 1)%nat = Y j /\ stream (2 * j + 2)%nat = N (1 + j)%nat.
  Proof.
    split; [repeat split; reflexivity |]. split; [intros j J; do 5 (destruct j as [| j]; [reflexivity |]); clear - J; lia |].
    intros j J. destruct (count_words s some (fun v => is_y v =? 1) ltac:(split; reflexivity) j J) as [A _]. destruct (count_words s some (fun v => is_n v =? 1) ltac:(split; reflexivity) j J) as [B C].
    destruct (prog_word s some j J) as [P1 P2]. unfold stream. rewrite P1, P2. unfold y_count, n_count. rewrite A, C, B.
    change (count (fun k => is_y (Z.of_nat k) =? 1) 11) with 5%nat. change (count (fun k => is_n (Z.of_nat k) =? 1) 11) with 6%nat.
    change (is_y 11 =? 1) with true. change (is_y 12 =? 1) with false. change (is_n 11 =? 1) with false. change (is_n 12 =? 1) with true. cbv iota beta.
    replace (5 + (j - 5) * (1 + 0))%nat with j by (clear - J; lia). replace (0 + (6 + (j - 5) * (0 + 1)))%nat with (1 + j)%nat by (clear - J; lia). destruct (j =? s - 1)%nat; split; reflexivity.
  Qed.
End Stream.

(* ---------------------------------------------------------------- the line of elements *)
Section Line.
  Variables (s l I rounds : nat).
  Hypothesis size : (6 <= s)%nat /\ (1 <= l <= s)%nat /\ (2 * s + 1 <= 9 * l)%nat /\ (9 * (s - l) + 2 * s + 1 <= I)%nat /\ (9 * (s - 1) + 2 <= I <= 9 * s + 1)%nat /\ (1 <= rounds)%nat /\ s = (l * rounds)%nat.
  Variables (acc : nat -> bool) (step_valid word_valid late x_word : nat -> Z) (st0 st1 st load_x x first0 first1 w : nat -> nat -> Z) (line : nat -> nat -> nat -> Z).
  Let big := (9 * s)%nat.
  Local Notation old := (age acc big).
  Local Notation at_ i := (i mod l)%nat.
  Hypotheses (spaced : forall t, acc t = true -> (I <= S (old t))%nat) (valid_is : forall t, step_valid t = if (old t <=? 2 * s)%nat then 1 else 0)
    (ring : forall t e, (e < l)%nat -> st t e = issued s l (age_before acc big (3 + 9 * e) t) e)
    (moves : forall t e, (e < l)%nat -> st1 (S t) e = st0 t e /\ st (S t) e = st1 t e)
    (load_next : forall t e, (e < l)%nat -> load_x (S t) e = if st0 t e =? 0 then 1 else 0)
    (x_next : forall t e, (e < l)%nat -> x (S t) e = if load_x t e =? 1 then x_word t else x t e)
    (first1_next : forall t e, (e < l)%nat -> first1 (S t) e = first0 t e) (first0_next : forall t e, (e < l)%nat -> first0 (S t) e = match e with O => step_valid t | S _ => 0 end)
    (word_valid_next : forall t, word_valid (S (S t)) = step_valid t)
    (w_next : forall t e, (e < l)%nat -> w (S t) e = match e with O => if word_valid t =? 1 then late t else line 7 t (l - 1)%nat | S e' => line 7 t e' end)
    (line_first : forall t e, (e < l)%nat -> line O (S t) e = w t e) (line_next : forall t e j, (e < l)%nat -> (j < 7)%nat -> line (S j) (S t) e = line j t e).

  Lemma top_once : forall u e, (e < l)%nat -> st u e = 14 -> st (u + 1)%nat e <> 14.
  Proof.
    destruct size as (S4 & S5 & S6 & _ & _ & S9 & _). intros u e E. rewrite !ring by exact E. rewrite Nat.add_1_r. assert (BE : big = (9 * s)%nat) by reflexivity.
    assert (P14 : forall k, prog s k = 14 -> k = (2 * s)%nat).
    { intros k P. destruct (Nat.le_gt_cases k (2 * s)) as [L | L]; [| rewrite prog_idle in P by assumption; discriminate]. destruct (slot_of s S4 k L) as [K | (j & J & [-> | ->])].
      - rewrite prog_early in P by assumption. clear - P K. lia.
      - destruct (prog_word s S4 j J) as [Q _]. rewrite Q in P. destruct (j =? s - 1)%nat; discriminate.
      - destruct (prog_word s S4 j J) as [_ Q]. rewrite Q in P. destruct (Nat.eqb_spec j (s - 1)) as [-> |]; [clear - S4; lia | discriminate]. }
    assert (G : forall a, issued s l a e = 14 -> exists q, (a = 9 * l * q + 2 * s)%nat).
    { intros a. destruct (rounds_of s l I rounds size a) as (q & k & K & ->). rewrite (issued_is s l I rounds size) by assumption. destruct (q <? rounds)%nat; [| discriminate]. intros P. apply P14 in P. subst k. exists q. reflexivity. }
    assert (NB : issued s l big e <> 14) by (rewrite (never_issued s l I rounds size) by (exact E || (clear - BE; lia)); discriminate).
    intros H1 H2. unfold age_before in H1, H2. destruct (Nat.ltb_spec u (3 + 9 * e)) as [U | U]; [contradiction |]. destruct (Nat.ltb_spec (S u) (3 + 9 * e)) as [V | V]; [contradiction |].
    replace (S u - (3 + 9 * e))%nat with (S (u - (3 + 9 * e))) in H2 by (clear - U; lia). cbn [age] in H2. destruct (acc (u - (3 + 9 * e))).
    - destruct (G _ H2) as [q X]. clear - X S4. destruct q; lia.
    - destruct (G _ H1) as [q1 X1]. destruct (G _ H2) as [q2 X2]. rewrite X1 in X2. clear - X2 S6 S4.
      destruct (Nat.le_gt_cases q2 q1) as [L | L]; [pose proof (Nat.mul_le_mono_l _ _ (9 * l) L); lia |]. pose proof (Nat.mul_le_mono_l (q1 + 1) q2 (9 * l) ltac:(lia)). lia.
  Qed.

  Variables (c : nat) (a stream : nat -> Z).
  Let T (i : nat) : nat := (c + 4 + 9 * i)%nat.
  Hypotheses (accepted : acc c = true) (x_comes : forall i, (i < s)%nat -> x_word (c + 3 + 9 * i)%nat = a i) (words_come : forall k, (k <= 2 * s)%nat -> late (c + 3 + k)%nat = stream k).

  Lemma at_range : forall i, (at_ i < l)%nat.
  Proof. intros i. apply Nat.mod_upper_bound. destruct size as (_ & L & _). clear - L. lia. Qed.

  Lemma turn : forall i, (i < s)%nat -> exists q, (i = l * q + at_ i)%nat /\ (9 * (i - at_ i) <= 9 * (s - l))%nat /\ (q < rounds)%nat.
  Proof.
    intros i L. exists (i / l)%nat. destruct size as (S4 & S5 & _ & _ & _ & S9 & ES). pose proof (Nat.div_mod i l ltac:(clear - S5; lia)) as D. pose proof (at_range i) as U.
    assert (Q : (i / l < rounds)%nat) by (apply Nat.div_lt_upper_bound; [clear - S5; lia | rewrite <- ES; exact L]). repeat split; [exact D | | exact Q].
    pose proof (Nat.mul_le_mono_l (i / l + 1) rounds l ltac:(clear - Q; lia)) as M. rewrite <- ES in M. clear - D M. lia.
  Qed.

  Lemma steps : forall i k, (i < s)%nat -> (k <= 2 * s)%nat -> st (T i + k)%nat (at_ i) = prog s k.
  Proof.
    intros i k L K. destruct size as (S4 & S5 & S6 & S7 & S8 & S9 & ES). pose proof (at_range i) as U. destruct (turn i L) as (q & D & M & Q). rewrite ring by exact U.
    unfold age_before. destruct (Nat.ltb_spec (T i + k) (3 + 9 * (at_ i))) as [X | X]; [unfold T in X; clear - X D; lia |].
    replace (T i + k - (3 + 9 * at_ i))%nat with (c + 1 + (9 * (i - at_ i) + k))%nat by (unfold T; clear - D; lia).
    rewrite (age_after acc big I spaced c _ accepted) by (clear - M K S7; lia). replace (9 * (i - at_ i) + k)%nat with (9 * l * q + k)%nat by (clear - D; lia).
    rewrite (issued_is s l I rounds size) by (exact U || (clear - K S6; lia)). destruct (Nat.ltb_spec q rounds); [reflexivity | clear - Q H; lia].
  Qed.

  Lemma old_is : forall k, (k < I)%nat -> old (c + 1 + k) = k.
  Proof. intros k K. apply (age_after acc big I spaced); assumption. Qed.

  (* In the first element the sequencer's steps are those of the first row alone. *)
  Lemma valid_when : forall i k, (i < s)%nat -> (k <= 2 * s)%nat -> at_ i = O -> step_valid (c + 1 + (9 * i + k))%nat = if (i =? 0)%nat then 1 else 0.
  Proof.
    intros i k L K A0. destruct size as (S4 & S5 & S6 & S7 & S8 & S9 & ES). destruct (turn i L) as (q & D & M & Q). rewrite A0 in D, M. rewrite valid_is, old_is by (clear - M K S7; lia).
    destruct (Nat.eqb_spec i 0) as [-> | N]; [destruct (Nat.leb_spec (9 * 0 + k) (2 * s)) as [_ | X]; [reflexivity | clear - X K; lia] |].
    destruct (Nat.leb_spec (9 * i + k) (2 * s)) as [X |]; [exfalso | reflexivity]. destruct q as [| q]; [clear - D N; lia |]. clear - D X S6. lia.
  Qed.

  Lemma firsts : forall i k, (i < s)%nat -> (k <= 2 * s)%nat -> first1 (T i + k - 1)%nat (at_ i) = if (i =? 0)%nat then 1 else 0.
  Proof.
    intros i k L K. pose proof (at_range i) as U. replace (T i + k - 1)%nat with (S (S (c + 1 + (9 * i + k)))) by (unfold T; clear; lia). rewrite first1_next, first0_next by exact U. destruct (at_ i) as [| e] eqn:E.
    - apply valid_when; assumption.
    - destruct (Nat.eqb_spec i 0) as [-> |]; [| reflexivity]. rewrite Nat.mod_0_l in E; [discriminate |]. destruct size as (_ & X & _). clear - X. lia.
  Qed.

  Lemma xs : forall i k, (i < s)%nat -> (k <= 2 * s)%nat -> x (T i + k)%nat (at_ i) = a i.
  Proof.
    intros i k L. destruct size as (S4 & _). pose proof (at_range i) as U. induction k as [| k IH]; intros K.
    - pose proof (steps i 0 L K) as P. rewrite Nat.add_0_r in *. replace (T i) with (S (S (c + 2 + 9 * i))) in * by (unfold T; clear; lia). destruct (moves (S (c + 2 + 9 * i)) _ U) as [_ M1]. destruct (moves (c + 2 + 9 * i)%nat _ U) as [M2 _].
      rewrite M1, M2 in P. rewrite x_next, load_next, P by exact U. change (prog s 0) with 0. cbn [Z.eqb Pos.eqb]. rewrite <- (x_comes i L). f_equal. clear. lia.
    - pose proof (steps i (S k) L K) as P. replace (T i + S k)%nat with (S (T i + k)) in * by (clear; lia). destruct (moves (T i + k)%nat _ U) as [_ M1]. rewrite x_next by exact U.
      assert (E : T i = S (c + 3 + 9 * i)) by (unfold T; clear; lia). rewrite E in *. cbn [Nat.add] in *. destruct (moves (c + 3 + 9 * i + k)%nat _ U) as [M2 _]. rewrite M1, M2 in P. rewrite load_next, P by exact U.
      destruct (Z.eqb_spec (prog s (S k)) 0) as [X |]; [apply (prog_zero s S4) in X; discriminate |]. cbn [Z.eqb]. apply IH. clear - K. lia.
  Qed.

  Lemma delayed : forall t e, (e < l)%nat -> line 7 (t + 8)%nat e = w t e.
  Proof. intros t e E. do 8 rewrite Nat.add_succ_r. rewrite Nat.add_0_r. do 7 rewrite line_next by (exact E || (clear; lia)). apply line_first, E. Qed.

  Theorem words : forall i k, (i < s)%nat -> (k <= 2 * s)%nat -> w (T i + k)%nat (at_ i) = stream k.
  Proof.
    destruct size as (S4 & S5 & S6 & S7 & S8 & S9 & ES). induction i as [| i IH]; intros k L K.
    - rewrite Nat.mod_0_l by (clear - S5; lia). replace (T 0 + k)%nat with (S (S (S (c + 1 + (9 * 0 + k))))) by (unfold T; clear; lia). rewrite w_next by (clear - S5; lia).
      rewrite word_valid_next, (valid_when 0 k) by (try assumption; apply Nat.mod_0_l; clear - S5; lia). cbn [Nat.eqb Z.eqb Pos.eqb]. rewrite <- words_come by exact K. f_equal. clear. lia.
    - specialize (IH k ltac:(clear - L; lia) K). pose proof (at_range (S i)) as U. pose proof (at_range i) as U1. replace (T (S i) + k)%nat with (S (T i + k + 8)) by (unfold T; clear; lia). rewrite w_next by exact U.
      assert (AN : match at_ (S i) with O => (l - 1)%nat | S e => e end = at_ i).
      { pose proof (Nat.div_mod i l ltac:(clear - S5; lia)) as E. clear - E U1. destruct (Nat.eq_dec (S (i mod l)) l) as [F | F];
          [rewrite <- (Nat.mod_unique (S i) l (S (i / l)) 0) | rewrite <- (Nat.mod_unique (S i) l (i / l) (S (i mod l)))]; lia. }
      destruct (at_ (S i)) as [| e] eqn:E.
      + replace (T i + k + 8)%nat with (S (S (c + 1 + (9 * S i + k)))) at 1 by (unfold T; clear; lia). rewrite word_valid_next, (valid_when (S i) k) by assumption. cbn [Nat.eqb Z.eqb]. rewrite AN, delayed by exact U1. exact IH.
      + rewrite AN, delayed by exact U1. exact IH.
  Qed.
End Line.
