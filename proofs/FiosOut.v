(* SPDX-License-Identifier: Apache-2.0 *)
(* The words that come out of the ring of FIOS elements: when the last one does, and what has been collected then. *)
From Coq Require Import ZArith Lia Bool.
Require Import DigitRecurrence Pipelined Buffered Ages FiosElement FiosRing.
Open Scope Z_scope.
Set Default Proof Using "All".

(* Whether a step's result is a word for the neighbour. *)
Definition emits (v : Z) : bool := (7 <=? v) && (v <=? 10) || (v =? 12) || (v =? 14).

Section Slots.
  Variables (s : nat).
  Hypothesis some : (6 <= s)%nat.

  (* words that come out before a slot *)
  Definition sent_before (k : nat) : nat := count (fun i => emits (prog s i)) k.

  Lemma sent_early : forall k, (k <= 11)%nat -> sent_before k = (k - 7)%nat.
  Proof.
    intros k L. unfold sent_before. rewrite (count_early s some emits) by auto.
    do 12 (destruct k as [| k]; [reflexivity |]). lia.
  Qed.

  Lemma sent_words : forall j, (5 <= j < s)%nat -> sent_before (2 * j + 1) = (j - 1)%nat /\ sent_before (2 * j + 2) = (j - 1)%nat.
  Proof.
    intros j J. destruct (count_words s some emits ltac:(split; reflexivity) j J) as [A B]. unfold sent_before. rewrite B, A. clear - J.
    change (count (fun k => emits (Z.of_nat k)) 11) with 4%nat. cbn [emits Z.leb Z.eqb Z.compare Pos.compare Pos.compare_cont Pos.eqb andb orb]. change (emits 11) with false. change (emits 12) with true. split; lia.
  Qed.

  Lemma emits_slot : forall k, (k <= 2 * s)%nat -> emits (prog s k) = true -> (7 <= k)%nat /\ ((k <= 10)%nat \/ exists j, (5 <= j < s)%nat /\ k = (2 * j + 2)%nat).
  Proof.
    intros k L E. destruct (slot_of s some k L) as [K | (j & J & [-> | ->])].
    - rewrite prog_early in E by (exact some || exact K). clear - E K. do 7 (destruct k as [| k]; [discriminate |]). lia.
    - destruct (prog_word s some j J) as [P _]. rewrite P in E. destruct (j =? s - 1)%nat; discriminate.
    - split; [lia | right; exists j; auto].
  Qed.

  Lemma emits_last : emits (prog s (2 * s)) = true /\ sent_before (2 * s) = (s - 2)%nat.
  Proof.
    destruct (prog_word s some (s - 1) ltac:(lia)) as [_ P]. destruct (sent_words (s - 1) ltac:(lia)) as [_ B]. replace (2 * (s - 1) + 2)%nat with (2 * s)%nat in * by lia. rewrite P, B, Nat.eqb_refl. split; [reflexivity | lia].
  Qed.

  Lemma sent_at : forall k, (k < 2 * s)%nat -> emits (prog s k) = true -> (sent_before k < s - 2)%nat.
  Proof.
    intros k L E. destruct (emits_slot k ltac:(lia) E) as [K [K2 | (j & J & ->)]]; [rewrite sent_early by lia; lia |]. rewrite (proj2 (sent_words j J)). lia.
  Qed.

  Lemma sent_next : forall k, sent_before (S k) = ((if emits (prog s k) then 1 else 0) + sent_before k)%nat.
  Proof. reflexivity. Qed.

  Lemma sent_most : forall k, (k <= 2 * s)%nat -> (sent_before k <= s - 2)%nat.
  Proof. intros k L. rewrite <- (proj2 emits_last). apply count_le, L. Qed.
End Slots.

Section Out.
  Variables (s l I rounds : nat).
  Hypothesis size : (6 <= s)%nat /\ (1 <= l <= s)%nat /\ (2 * s + 1 <= 9 * l)%nat /\ (9 * (s - l) + 2 * s + 1 <= I)%nat /\ (9 * (s - 1) + 2 <= I <= 9 * s + 1)%nat /\ (1 <= rounds)%nat /\ s = (l * rounds)%nat.
  Variables (acc : nat -> bool) (step last em em1 p_valid finish beats : nat -> Z).
  Let big := (9 * s)%nat.
  Local Notation old := (age acc big).
  Local Notation old_before := (age_before acc big).
  Local Notation issued := (issued s l). Local Notation row := (row l).
  Let before := (3 + 9 * (s - 1))%nat.
  Let since (t : nat) : nat := old_before before t.
  Hypotheses (spaced : forall t, acc t = true -> (I <= S (old t))%nat)
    (ring : forall t, let a := old_before (3 + 9 * (l - 1)) t in step t = issued a (l - 1) /\ (step t <> 15 -> last t = if (row a (l - 1) =? s - 1)%nat then 1 else 0))
    (out_reset : em O = 0 /\ em1 O = 0 /\ p_valid O = 0 /\ finish O = 0 /\ beats O = Z.of_nat s - 1)
    (em_next : forall t, em (S t) = if last t =? 1 then if emits (step t) then 1 else 0 else 0) (em1_next : forall t, em1 (S t) = em t) (p_valid_next : forall t, p_valid (S t) = em1 t)
    (finish_next : forall t, finish (S t) = if em1 t =? 1 then if beats t =? 1 then 1 else 0 else 0)
    (beats_next : forall t, beats (S t) = if em1 t =? 1 then if beats t =? 1 then Z.of_nat s - 1 else (beats t - 1) mod 2 ^ Z.log2_up (Z.of_nat s) else beats t).

  Lemma rows : (9 * l * (rounds - 1) = 9 * (s - l))%nat /\ (1 <= l)%nat /\ (2 * s < 9 * l)%nat.
  Proof.
    destruct size as (_ & L & M & _ & _ & R & E). split; [| clear - L M; lia]. clear - L R E. subst s. destruct rounds as [| k]; [lia |]. clear. replace (S k - 1)%nat with k by lia. lia.
  Qed.

  (* What the last element issues in the last row. *)
  Lemma emits_when : forall t, (if last t =? 1 then emits (step t) else false) = emits (prog s (since t)).
  Proof.
    intros t. destruct size as (S4 & S5 & S6 & S7 & S8 & S9 & ES). destruct rows as (RE & L1 & SL). destruct (ring t) as [R1 R2]. set (a := old_before (3 + 9 * (l - 1)) t) in *.
    assert (BE : big = (9 * s)%nat) by reflexivity. assert (BF : before = (3 + 9 * (s - 1))%nat) by reflexivity.
    assert (A : (since t <= 2 * s)%nat -> a = (9 * l * (rounds - 1) + since t)%nat).
    { unfold since, a, age_before. destruct (Nat.ltb_spec t before) as [T | T]; [intros H; clear - H BE S4; lia |]. destruct (Nat.ltb_spec t (3 + 9 * (l - 1))) as [T2 | T2]; [clear - T T2 BF S5; lia |]. intros H.
      replace (t - (3 + 9 * (l - 1)))%nat with (t - before + 9 * (s - l))%nat by (clear - T BF S5; lia). rewrite (age_more acc big I spaced) by (clear - H S7; lia). clear - RE. lia. }
    assert (B : forall k, (k <= 2 * s)%nat -> a = (9 * l * (rounds - 1) + k)%nat -> since t = k).
    { intros k K. unfold since, a, age_before. destruct (Nat.ltb_spec t (3 + 9 * (l - 1))) as [T2 | T2]; [intros H; clear - H BE RE K S5 SL; lia |]. intros H.
      destruct (Nat.ltb_spec t before) as [T | T].
      - rewrite (age_never acc big) in H; [clear - H BE RE K S5 SL; lia |]. rewrite H. clear - T T2 BF RE S5. lia.
      - replace (t - before)%nat with (t - (3 + 9 * (l - 1)) - 9 * (s - l))%nat by (clear - T BF S5; lia). rewrite age_less; [rewrite H; clear - RE; lia | rewrite H; clear - RE; lia | clear - T BF S5; lia]. }
    destruct (Nat.le_gt_cases (since t) (2 * s)) as [L | L].
    - specialize (A L). rewrite A in R1. rewrite (issued_is s l I rounds size) in R1 by (clear - L1 L SL; lia). destruct (Nat.ltb_spec (rounds - 1) rounds) as [_ | X]; [| clear - X S9; lia].
      assert (N : step t <> 15) by (rewrite R1; apply (prog_busy s S4); exact L). specialize (R2 N). rewrite A in R2. unfold FiosRing.row in R2. destruct (round s l I rounds size (rounds - 1) (since t) ltac:(clear - L SL; lia)) as [RD _].
      rewrite RD, (proj1 (top_row s l I rounds size (rounds - 1)) eq_refl) in R2. rewrite R2, R1. reflexivity.
    - rewrite (prog_idle s S4 (since t)) by exact L. change (emits 15) with false. destruct (Z.eqb_spec (last t) 1) as [LE |]; [| reflexivity]. destruct (emits (step t)) eqn:EM; [exfalso | reflexivity].
      assert (N : step t <> 15) by (intros X; rewrite X in EM; discriminate). specialize (R2 N). destruct (rounds_of s l I rounds size a) as (q & k & K & EA). rewrite EA, (issued_is s l I rounds size) in R1 by (clear - L1 K; lia).
      destruct (Nat.ltb_spec q rounds) as [Q | Q]; [| contradiction]. rewrite R1 in N. apply (prog_busy s S4) in N. unfold FiosRing.row in R2. destruct (round s l I rounds size q k K) as [RD _]. rewrite EA, RD, LE in R2.
      destruct (l * q + (l - 1) =? s - 1)%nat eqn:TR; [| discriminate]. apply (top_row s l I rounds size) in TR. specialize (B k N). rewrite TR in EA. specialize (B EA). clear - B L N. lia.
  Qed.

  Lemma em1_is : forall t, em1 (S (S t)) = if emits (prog s (since t)) then 1 else 0.
  Proof. intros t. rewrite em1_next, em_next, <- emits_when. destruct (last t =? 1); reflexivity. Qed.

  Lemma p_valid_is : forall t, p_valid (S (S (S t))) = if emits (prog s (since t)) then 1 else 0.
  Proof. intros t. rewrite p_valid_next. apply em1_is. Qed.

  Lemma since_next : forall t, since (S t) = O /\ (2 * s < since t)%nat \/ since (S t) = S (since t) \/ (2 * s < since t)%nat /\ (2 * s < since (S t))%nat.
  Proof.
    intros t. destruct size as (S4 & S5 & S6 & S7 & S8 & _). assert (BE : big = (9 * s)%nat) by reflexivity. unfold since, age_before. destruct (Nat.ltb_spec (S t) before) as [T | T].
    - destruct (Nat.ltb_spec t before); right; right; clear - BE S4 T H || clear - BE S4; lia.
    - destruct (Nat.ltb_spec t before) as [U | U].
      + replace (S t - before)%nat with O by lia. cbn [age]. right. right. clear - BE S4. lia.
      + replace (S t - before)%nat with (S (t - before)) by lia. cbn [age]. destruct (acc (t - before)) eqn:A; [left | right; left; reflexivity]. split; [reflexivity |]. apply spaced in A. clear - A S4 S8. lia.
  Qed.

  Lemma beats_are : forall t, beats (S (S t)) = if (since t <=? 2 * s)%nat then Z.of_nat (s - 1 - sent_before s (since t)) else Z.of_nat s - 1.
  Proof.
    destruct size as (S4 & _). destruct (emits_last s S4) as [EL SL]. induction t as [| t IH].
    - destruct out_reset as (E0 & E1 & _ & _ & B0). rewrite beats_next, em1_next, E0. cbn [Z.eqb]. rewrite beats_next, E1. cbn [Z.eqb]. rewrite B0. unfold since, age_before. unfold before.
      destruct (Nat.ltb_spec 0 (3 + 9 * (s - 1))) as [_ | X]; [| lia]. destruct (Nat.leb_spec big (2 * s)) as [X | X]; [unfold big in X; clear - X S4; lia | reflexivity].
    - rewrite beats_next, em1_is, IH. pose proof (since_next t) as N. set (k := since t) in *. set (k' := since (S t)) in *. clearbody k k'. clear - S4 EL SL N.
      destruct (Nat.leb_spec k (2 * s)) as [L | L].
      + destruct N as [[_ N] | [N | [N _]]]; [lia | rewrite N | lia]. rewrite (sent_next s S4). destruct (Nat.eq_dec k (2 * s)) as [-> | NE].
        * rewrite EL, SL. cbn [Z.eqb Pos.eqb]. destruct (Z.eqb_spec (Z.of_nat (s - 1 - (s - 2))) 1) as [_ | X]; [| lia]. destruct (Nat.leb_spec (S (2 * s)) (2 * s)); [lia | reflexivity].
        * destruct (Nat.leb_spec (S k) (2 * s)) as [_ |]; [| lia]. destruct (emits (prog s k)) eqn:E; cbn [Z.eqb Pos.eqb].
          -- pose proof (sent_at s S4 k ltac:(lia) E) as SA. destruct (Z.eqb_spec (Z.of_nat (s - 1 - sent_before s k)) 1) as [X |]; [lia |]. destruct (Z.log2_up_spec (Z.of_nat s) ltac:(lia)) as [_ B]. rewrite Z.mod_small by lia. lia.
          -- reflexivity.
      + rewrite prog_idle by assumption. change (emits 15) with false. cbn [Z.eqb]. destruct N as [[N _] | [N | [_ N]]].
        * rewrite N. cbn [Nat.leb]. change (sent_before s 0) with O. lia.
        * destruct (Nat.leb_spec k' (2 * s)); [lia | reflexivity].
        * destruct (Nat.leb_spec k' (2 * s)); [lia | reflexivity].
  Qed.

  Lemma finishes_when : forall t, finish (S (S (S t))) = if (since t =? 2 * s)%nat then 1 else 0.
  Proof.
    intros t. destruct size as (S4 & _). destruct (emits_last s S4) as [EL SL]. rewrite finish_next, em1_is, beats_are. set (k := since t). clearbody k. clear - S4 EL SL. destruct (Nat.eqb_spec k (2 * s)) as [-> | N].
    - rewrite EL, SL, Nat.leb_refl. cbn [Z.eqb Pos.eqb]. destruct (Z.eqb_spec (Z.of_nat (s - 1 - (s - 2))) 1); [reflexivity | lia].
    - destruct (Nat.leb_spec k (2 * s)) as [L | L].
      + destruct (emits (prog s k)) eqn:E; [| reflexivity]. cbn [Z.eqb Pos.eqb]. pose proof (sent_at s S4 k ltac:(lia) E). destruct (Z.eqb_spec (Z.of_nat (s - 1 - sent_before s k)) 1); [lia | reflexivity].
      + rewrite prog_idle by assumption. reflexivity.
  Qed.

  Lemma since_after : forall c k, acc c = true -> (k < I)%nat -> since (c + 1 + before + k) = k.
  Proof.
    intros c k C K. unfold since, age_before. destruct (Nat.ltb_spec (c + 1 + before + k) before); [lia |]. replace (c + 1 + before + k - before)%nat with (c + 1 + k)%nat by lia. apply (age_after acc big I spaced); assumption.
  Qed.

  Theorem finishes : forall t, finish t = if (11 * s - 2 <=? t)%nat && acc (t - (11 * s - 2)) then 1 else 0.
  Proof.
    intros t. destruct size as (S4 & _ & _ & _ & S8 & _). destruct t as [| [| [| t]]].
    - destruct out_reset as (_ & _ & _ & -> & _). destruct (Nat.leb_spec (11 * s - 2) 0); [lia | reflexivity].
    - rewrite finish_next. destruct out_reset as (_ & -> & _). destruct (Nat.leb_spec (11 * s - 2) 1); [lia | reflexivity].
    - rewrite finish_next, em1_next. destruct out_reset as (-> & _). destruct (Nat.leb_spec (11 * s - 2) 2); [lia | reflexivity].
    - rewrite finishes_when. destruct (Nat.leb_spec (11 * s - 2) (S (S (S t)))) as [L | L]; cbn [andb].
      + assert (TE : t = (S (S (S t)) - (11 * s - 2) + 1 + before + 2 * s)%nat) by (unfold before; lia). set (c := (S (S (S t)) - (11 * s - 2))%nat) in *.
        destruct (acc c) eqn:C; [rewrite TE, since_after, Nat.eqb_refl by (assumption || lia); reflexivity |]. destruct (Nat.eqb_spec (since t) (2 * s)) as [E |]; [exfalso | reflexivity].
        unfold since, age_before in E. destruct (Nat.ltb_spec t before); [lia |]. destruct (age_event acc big (t - before)) as [[E1 _] | (c' & C1 & C2 & C3 & _)]; [unfold big in *; lia |].
        replace c' with c in C2 by lia. congruence.
      + destruct (Nat.eqb_spec (since t) (2 * s)) as [E |]; [exfalso | reflexivity]. unfold since, age_before in E. destruct (Nat.ltb_spec t before); [unfold big in E; lia |].
        destruct (age_event acc big (t - before)) as [[E1 _] | (c' & C1 & C2 & C3 & _)]; [unfold big in *; lia | unfold before in *; lia].
  Qed.

  (* ---------------------------------------------------------------- the words that are collected *)
  Variables (r : Z) (w words_q : nat -> Z) (word : nat -> Z) (c : nat).
  Let first := (c + 4 + before)%nat.
  Hypotheses (radix : 2 <= r) (accepted : acc c = true) (words_range : forall t, 0 <= words_q t < pw r (s - 2)) (w_range : forall t, 0 <= w t < r)
    (words_next : forall t, words_q (S t) = if p_valid t =? 1 then words_q t / r + w t * pw r (s - 3) else words_q t)
    (word_is : forall k, (k <= 2 * s)%nat -> emits (prog s k) = true -> w (first + k)%nat = word (sent_before s k)).

  Lemma pw_split : forall a b, pw r (a + b) = pw r a * pw r b.
  Proof. induction a; intros b; cbn [pw Nat.add]; [lia | rewrite IHa; ring]. Qed.

  Theorem collected : words_q (first + 2 * s)%nat = digits r word (s - 2).
  Proof.
    destruct size as (S4 & _ & _ & _ & S8 & _). assert (P : forall k, 0 < pw r k) by (intros; apply pw_pos; lia).
    assert (G : forall k, (k <= 2 * s)%nat -> words_q (first + k)%nat / pw r (s - 2 - sent_before s k) = digits r word (sent_before s k)).
    { induction k; intros K.
      - change (sent_before s 0) with O. cbn [digits]. rewrite Nat.sub_0_r. apply Z.div_small, words_range.
      - specialize (IHk ltac:(lia)). rewrite Nat.add_succ_r, words_next, (sent_next s S4). replace (first + k)%nat with (S (S (S (c + 1 + before + k)))) at 1 by (unfold first; lia). rewrite p_valid_is, since_after by (assumption || lia).
        destruct (emits (prog s k)) eqn:E; cbn [Z.eqb Pos.eqb Nat.add]; [| exact IHk].
        pose proof (sent_at s S4 k ltac:(lia) E) as SA. rewrite (word_is k ltac:(lia) E). set (m := sent_before s k) in *. cbn [digits]. rewrite <- IHk.
        replace (s - 3)%nat with (s - 2 - S m + m)%nat by lia. rewrite pw_split. replace (s - 2 - m)%nat with (1 + (s - 2 - S m))%nat by lia. rewrite pw_split. cbn [pw]. rewrite Z.mul_1_r.
        replace (word m * (pw r (s - 2 - S m) * pw r m)) with (pw r m * word m * pw r (s - 2 - S m)) by ring. rewrite Z.div_add by (specialize (P (s - 2 - S m)%nat); lia).
        rewrite Z.div_div by (try specialize (P (s - 2 - S m)%nat); lia). reflexivity. }
    specialize (G (2 * s)%nat ltac:(lia)). rewrite (proj2 (emits_last s S4)) in G. rewrite Nat.sub_diag in G. cbn [pw] in G. rewrite Z.div_1_r in G. exact G.
  Qed.
End Out.
