(* SPDX-License-Identifier: Apache-2.0 *)
(* One row of FIOS on a multiplier-accumulator with the program fast of three pipeline levels and a C register: what its sums are, and the program. *)
From Coq Require Import ZArith Lia Bool.
Require Import DigitRecurrence Pipelined.
Open Scope Z_scope.
Set Default Proof Using "All".

(* ---------------------------------------------------------------- the program: the step of each issue cycle of a row of s words *)
Section Program.
  Variables (s : nat).
  Hypothesis some : (6 <= s)%nat.

  Definition prog (k : nat) : Z :=
    if (k <? 11)%nat then Z.of_nat k else if (k <? 2 * s - 1)%nat then if Nat.odd k then 11 else 12
    else if (k =? 2 * s - 1)%nat then 13 else if (k =? 2 * s)%nat then 14 else 15.

  Lemma prog_early : forall k, (k < 11)%nat -> prog k = Z.of_nat k.
  Proof. intros k L. unfold prog. destruct (Nat.ltb_spec k 11); [reflexivity | lia]. Qed.

  Lemma prog_word : forall j, (5 <= j < s)%nat -> prog (2 * j + 1) = (if (j =? s - 1)%nat then 13 else 11) /\ prog (2 * j + 2) = if (j =? s - 1)%nat then 14 else 12.
  Proof.
    intros j L. unfold prog. rewrite (Nat.add_comm _ 1), (Nat.add_comm _ 2), !Nat.odd_add_mul_2. change (Nat.odd 1) with true. change (Nat.odd 2) with false.
    destruct (Nat.ltb_spec (1 + 2 * j) 11); [lia |]. destruct (Nat.ltb_spec (2 + 2 * j) 11); [lia |]. destruct (Nat.eqb_spec j (s - 1)) as [-> | N].
    - destruct (Nat.ltb_spec (1 + 2 * (s - 1)) (2 * s - 1)); [lia |]. destruct (Nat.ltb_spec (2 + 2 * (s - 1)) (2 * s - 1)); [lia |].
      destruct (Nat.eqb_spec (1 + 2 * (s - 1)) (2 * s - 1)); [| lia]. destruct (Nat.eqb_spec (2 + 2 * (s - 1)) (2 * s - 1)); [lia |].
      destruct (Nat.eqb_spec (2 + 2 * (s - 1)) (2 * s)); [auto | lia].
    - destruct (Nat.ltb_spec (1 + 2 * j) (2 * s - 1)); [| lia]. destruct (Nat.ltb_spec (2 + 2 * j) (2 * s - 1)); [auto | lia].
  Qed.

  Lemma prog_idle : forall k, (2 * s < k)%nat -> prog k = 15.
  Proof.
    intros k L. unfold prog. destruct (Nat.ltb_spec k 11); [lia |]. destruct (Nat.ltb_spec k (2 * s - 1)); [lia |].
    destruct (Nat.eqb_spec k (2 * s - 1)); [lia |]. destruct (Nat.eqb_spec k (2 * s)); [lia | reflexivity].
  Qed.

  (* A slot is one of the first eleven, or one of the two of a word. *)
  Lemma slot_of : forall k, (k <= 2 * s)%nat -> (k < 11)%nat \/ exists j, (5 <= j < s)%nat /\ (k = 2 * j + 1 \/ k = 2 * j + 2)%nat.
  Proof.
    intros k L. destruct (Nat.lt_ge_cases k 11); [left; assumption | right]. destruct (Nat.Even_or_Odd k) as [[j E] | [j E]]; [exists (j - 1)%nat | exists j]; lia.
  Qed.

  Lemma prog_range : forall k, (k <= 2 * s)%nat -> 0 <= prog k <= 14.
  Proof.
    intros k L. destruct (slot_of k L) as [E | (j & J & [-> | ->])]; [rewrite prog_early by exact E; lia | |]; destruct (prog_word j J) as [E1 E2]; rewrite ?E1, ?E2;
      destruct (j =? s - 1)%nat; lia.
  Qed.

  Lemma prog_busy : forall k, prog k <> 15 <-> (k <= 2 * s)%nat.
  Proof.
    intros k. destruct (Nat.le_gt_cases k (2 * s)) as [L | L]; [pose proof (prog_range k L); lia | rewrite prog_idle by exact L; lia].
  Qed.

  Lemma prog_zero : forall k, prog k = 0 <-> k = O.
  Proof.
    intros k. split; [intros E | intros ->; reflexivity]. destruct (Nat.le_gt_cases k (2 * s)) as [L | L]; [| rewrite prog_idle in E by exact L; discriminate].
    destruct (slot_of k L) as [K | (j & J & [-> | ->])]; [rewrite prog_early in E by exact K; lia | |]; destruct (prog_word j J) as [E1 E2]; rewrite ?E1, ?E2 in E;
      destruct (j =? s - 1)%nat; lia.
  Qed.

End Program.

Section Counted.
  Variables (s : nat).
  Hypothesis some : (6 <= s)%nat.
  (* How often a property of steps holds before the slots of words. *)
  Variables (f : Z -> bool).
  Let g (k : nat) : bool := f (prog s k).
  Hypothesis pairs : (f 11 = f 13) /\ (f 12 = f 14).

  Lemma count_words : forall j, (5 <= j < s)%nat -> count g (2 * j + 1) = (count (fun k => f (Z.of_nat k)) 11 + (j - 5) * ((if f 11 then 1 else 0) + if f 12 then 1 else 0))%nat /\
    count g (2 * j + 2) = ((if f 11 then 1 else 0) + count g (2 * j + 1))%nat.
  Proof.
    assert (O : forall j, (5 <= j < s)%nat -> g (2 * j + 1)%nat = f 11 /\ g (2 * j + 2)%nat = f 12).
    { intros j J. unfold g. destruct (prog_word s some j J) as [-> ->]. destruct pairs. destruct (j =? s - 1)%nat; auto. }
    intros j [J1 J2]. split.
    - revert J2. induction J1 as [| j J1 IH]; intros J2.
      + change (2 * 5 + 1)%nat with 11%nat. rewrite Nat.sub_diag, Nat.mul_0_l, Nat.add_0_r. apply count_ext. intros i L. unfold g. rewrite prog_early by (exact some || exact L). reflexivity.
      + specialize (IH ltac:(lia)). destruct (O j ltac:(lia)) as [E1 E2]. set (before := count (fun k => f (Z.of_nat k)) 11) in *. replace (2 * S j + 1)%nat with (S (S (2 * j + 1))) by lia. cbn [count]. rewrite IH.
        replace (S (2 * j + 1)) with (2 * j + 2)%nat by lia. rewrite E1, E2. replace (S j - 5)%nat with (S (j - 5)) by lia. destruct (f 11), (f 12); lia.
    - replace (2 * j + 2)%nat with (S (2 * j + 1)) by lia. cbn [count]. rewrite (proj1 (O j (conj J1 J2))). reflexivity.
  Qed.

  Lemma count_early : forall k, (k <= 11)%nat -> count g k = count (fun i => f (Z.of_nat i)) k.
  Proof. intros k L. apply count_ext. intros i I. unfold g. rewrite prog_early by (exact some || lia). reflexivity. Qed.
End Counted.

(* ---------------------------------------------------------------- the sums of a row, by the cycle since its first issue *)
Section Row.
  (* P: the accumulator; A, B: factors of a slot; C: its addend; Q: the register of m; S1 .. S3: the queue of saved values *)
  (* The accumulator may have more bits than a sum needs, so that it wraps at D. *)
  Variables (r D : Z) (s : nat) (x n0 : Z) (y n t : nat -> Z) (P A B C Q S1 S2 S3 : nat -> Z).
  Hypotheses (radix : 2 <= r) (D_large : 2 * (r * r) <= D) (some : (6 <= s)%nat) (x_range : 0 <= x < r) (y_range : forall j, 0 <= y j < r) (n_range : forall j, 0 <= n j < r) (t_range : forall j, (j < s)%nat -> 0 <= t j < r)
    (n0_range : 0 <= n0 < r) (inverse : (n O * n0 + 1) mod r = 0) (P_range : forall k, 0 <= P k).
  (* the words of the stream *)
  Hypotheses (B_first : B 0%nat = y 0%nat /\ B 1%nat = y 1%nat /\ B 2%nat = y 2%nat /\ B 3%nat = n0 /\ B 4%nat = y 3%nat /\ B 5%nat = y 4%nat)
    (B_then : forall j, (j <= 4)%nat -> B (6 + j)%nat = n j) (B_last : forall j, (5 <= j < s)%nat -> B (2 * j + 1)%nat = y j /\ B (2 * j + 2)%nat = n j).
  (* the addends that come in *)
  Hypotheses (C_first : C 0%nat = t 0%nat /\ C 1%nat = t 1%nat /\ C 2%nat = t 2%nat /\ C 4%nat = t 3%nat /\ C 5%nat = t 4%nat)
    (C_last : forall j, (5 <= j < s)%nat -> C (2 * j + 1)%nat = t j) (C_saved : forall j, (j <= 4)%nat -> C (6 + j)%nat = S3 (7 + j)%nat).
  Hypotheses (A_x : forall k, (k <= 2)%nat \/ (k = 4)%nat \/ (k = 5)%nat -> A k = x) (A_p : A 3%nat = P 3%nat mod r /\ A 6%nat = P 6%nat mod r)
    (A_m : forall j, (1 <= j <= 4)%nat -> A (6 + j)%nat = Q (6 + j)%nat) (A_word : forall j, (5 <= j < s)%nat -> A (2 * j + 1)%nat = x /\ A (2 * j + 2)%nat = Q (2 * j + 2)%nat)
    (Q_is : forall k, (7 <= k <= 2 * s)%nat -> Q k = P 6%nat mod r).
  Hypotheses (kept : forall k, (k = 3)%nat -> S1 (k + 4)%nat = S1 (k + 3)%nat /\ S2 (k + 4)%nat = S2 (k + 3)%nat /\ S3 (k + 4)%nat = S3 (k + 3)%nat)
    (saved : forall k, (k <= 7)%nat -> k <> 3%nat -> S1 (k + 4)%nat = P (k + 3)%nat mod (r * r) /\ S2 (k + 4)%nat = S1 (k + 3)%nat /\ S3 (k + 4)%nat = S2 (k + 3)%nat).
  Hypotheses (products : forall k, (k <= 2)%nat \/ (k = 4)%nat \/ (k = 5)%nat \/ (k = 6)%nat -> P (k + 3)%nat = (C k + A k * B k) mod D)
    (quotient : P 6%nat = (A 3%nat * B 3%nat) mod D)
    (sums : forall j, (1 <= j <= 4)%nat -> P (8 + j)%nat < 2 * (r * r) -> P (9 + j)%nat = (P (8 + j)%nat / r + C (6 + j)%nat + A (6 + j)%nat * B (6 + j)%nat) mod D)
    (pairs : forall j, (5 <= j < s)%nat -> (P (2 * j + 3)%nat < 2 * (r * r) -> P (2 * j + 4)%nat = (P (2 * j + 3)%nat / r + C (2 * j + 1)%nat + A (2 * j + 1)%nat * B (2 * j + 1)%nat) mod D) /\
      P (2 * j + 5)%nat = (P (2 * j + 4)%nat + A (2 * j + 2)%nat * B (2 * j + 2)%nat) mod D).

  Definition quotient_word : Z := P 6%nat mod r.
  Local Notation m := quotient_word.
  (* the cycle in which the sum of a place is there *)
  Definition sum_at (j : nat) : nat := if (j <=? 4)%nat then (9 + j)%nat else (2 * j + 5)%nat.
  Let V (j : nat) : Z := P (sum_at j).
  Definition carry_into (j : nat) : Z := match j with O => 0 | S i => P (sum_at i) / r end.

  Lemma square : forall u v, 0 <= u < r -> 0 <= v < r -> 0 <= u * v <= (r - 1) * (r - 1).
  Proof. intros u v U V0. split; [apply Z.mul_nonneg_nonneg | apply Z.mul_le_mono_nonneg]; lia. Qed.

  Lemma m_range : 0 <= m < r.
  Proof. apply Z.mod_pos_bound. lia. Qed.

  Lemma product_is : forall k j, (k <= 2)%nat /\ j = k \/ (k = 4)%nat /\ (j = 3)%nat \/ (k = 5)%nat /\ (j = 4)%nat -> P (k + 3)%nat = t j + x * y j.
  Proof.
    intros k j K. rewrite products by lia. rewrite A_x by lia.
    assert (E : C k = t j /\ B k = y j) by (destruct B_first as (B0 & B1 & B2 & _ & B4 & B5); destruct C_first as (C0 & C1 & C2 & C4 & C5);
      destruct K as [[K ->] | [[-> ->] | [-> ->]]]; auto; destruct k as [| [| [| k]]]; auto; lia).
    destruct E as [-> ->]. apply Z.mod_small. pose proof (square _ _ x_range (y_range j)). pose proof (t_range j ltac:(lia)). nia.
  Qed.

  Lemma saved_are : forall j, (j <= 4)%nat -> C (6 + j)%nat = t j + x * y j.
  Proof.
    assert (small : forall j, (j < s)%nat -> (t j + x * y j) mod (r * r) = t j + x * y j).
    { intros j J. apply Z.mod_small. pose proof (square _ _ x_range (y_range j)). pose proof (t_range j J). nia. }
    pose proof (product_is 0 0 ltac:(lia)) as P0. pose proof (product_is 1 1 ltac:(lia)) as P1. pose proof (product_is 2 2 ltac:(lia)) as P2.
    pose proof (product_is 4 3 ltac:(lia)) as P3. pose proof (product_is 5 4 ltac:(lia)) as P4.
    pose proof (saved 0 ltac:(lia) ltac:(lia)) as (U1 & U2 & U3). pose proof (saved 1 ltac:(lia) ltac:(lia)) as (V1 & V2 & V3). pose proof (saved 2 ltac:(lia) ltac:(lia)) as (W1 & W2 & W3).
    pose proof (kept 3 eq_refl) as (X1 & X2 & X3). pose proof (saved 4 ltac:(lia) ltac:(lia)) as (Y1 & Y2 & Y3). pose proof (saved 5 ltac:(lia) ltac:(lia)) as (Z1 & Z2 & Z3).
    pose proof (saved 6 ltac:(lia) ltac:(lia)) as (F1 & F2 & F3). pose proof (saved 7 ltac:(lia) ltac:(lia)) as (G1 & G2 & G3). cbn [Nat.add] in *.
    intros j J. rewrite C_saved by exact J. destruct j as [| [| [| [| [| j]]]]]; [| | | | | lia]; cbn [Nat.add].
    - rewrite X3, W3, V2, U1. rewrite P0. apply small; lia.
    - rewrite Y3, X2, W2, V1. rewrite P1. apply small; lia.
    - rewrite Z3, Y2, X1, W1. rewrite P2. apply small; lia.
    - rewrite F3, Z2, Y1. rewrite P3. apply small; lia.
    - rewrite G3, F2, Z1. rewrite P4. apply small; lia.
  Qed.

  Lemma m_is : m = ((t O + x * y O) mod r * n0) mod r.
  Proof.
    unfold quotient_word. rewrite quotient. destruct A_p as [-> _]. destruct B_first as (_ & _ & _ & -> & _). pose proof (product_is 0 0 ltac:(lia)) as P0. cbn [Nat.add] in P0. rewrite P0.
    pose proof (Z.mod_pos_bound (t O + x * y O) r ltac:(lia)) as M. pose proof (square _ _ M n0_range). rewrite (Z.mod_small _ D) by nia. reflexivity.
  Qed.

  Lemma row_sums : forall j, (j < s)%nat -> V j = t j + x * y j + m * n j + carry_into j /\ 0 <= carry_into j <= 2 * r - 2.
  Proof.
    pose proof m_range as M.
    assert (next : forall j, V j = t j + x * y j + m * n j + carry_into j -> (j < s)%nat -> 0 <= carry_into j <= 2 * r - 2 -> 0 <= V j / r <= 2 * r - 2).
    { intros j E J Cj. pose proof (square _ _ x_range (y_range j)). pose proof (square _ _ M (n_range j)). pose proof (t_range j J). split; [apply Z.div_pos; lia |].
      apply Z.lt_succ_r, Z.div_lt_upper_bound; [lia |]. rewrite E. nia. }
    induction j; intros J.
    - split; [| cbn [carry_into]; lia]. unfold V. change (sum_at 0) with (6 + 3)%nat. rewrite products by lia. destruct A_p as [_ ->]. pose proof (saved_are 0 ltac:(lia)) as C0. pose proof (B_then 0 ltac:(lia)) as B0. cbn [Nat.add] in C0, B0. rewrite C0, B0. fold m.
      cbn [carry_into]. rewrite Z.mod_small; [ring |]. pose proof (square _ _ x_range (y_range 0)). pose proof (square _ _ M (n_range 0)). pose proof (t_range O ltac:(lia)). nia.
    - destruct (IHj ltac:(lia)) as [E Cj]. pose proof (next j E ltac:(lia) Cj) as N. split; [| exact N]. change (carry_into (S j)) with (V j / r).
      pose proof (square _ _ x_range (y_range (S j))) as XY. pose proof (square _ _ M (n_range (S j))) as MN. pose proof (t_range (S j) J) as T.
      assert (small : forall u, 0 <= u <= t (S j) + x * y (S j) + m * n (S j) + (V j / r) -> u mod D = u) by (intros u U; apply Z.mod_small; nia).
      assert (VS : V j < 2 * (r * r)) by (rewrite E; pose proof (square _ _ x_range (y_range j)); pose proof (square _ _ M (n_range j)); pose proof (t_range j ltac:(lia)); nia).
      destruct (Nat.le_gt_cases (S j) 4) as [L | L].
      + assert (VE : V (S j) = P (9 + S j)%nat) by (unfold V, sum_at; destruct (Nat.leb_spec (S j) 4); [reflexivity | lia]).
        assert (VJ : V j = P (8 + S j)%nat) by (unfold V, sum_at; destruct (Nat.leb_spec j 4); [f_equal; lia | lia]).
        rewrite VE, sums by (rewrite <- ?VJ; lia). rewrite <- VJ, saved_are, A_m, B_then, Q_is by lia. fold m. rewrite small by lia. ring.
      + assert (VE : V (S j) = P (2 * S j + 5)%nat) by (unfold V, sum_at; destruct (Nat.leb_spec (S j) 4); [lia | reflexivity]).
        assert (VJ : V j = P (2 * S j + 3)%nat) by (unfold V, sum_at; destruct (Nat.leb_spec j 4); f_equal; lia).
        destruct (pairs (S j) ltac:(lia)) as [E1 E2]. specialize (E1 ltac:(rewrite <- VJ; exact VS)). destruct (A_word (S j) ltac:(lia)) as [A1 A2]. destruct (B_last (S j) ltac:(lia)) as [B1 B2].
        rewrite A1, B1, C_last, <- VJ in E1 by lia. rewrite A2, B2, Q_is in E2 by lia. fold m in E2. rewrite small in E1 by lia.
        rewrite VE, E2, E1, small by lia. ring.
  Qed.

  Lemma last_carry : 0 <= carry_into s <= 2 * r - 2.
  Proof.
    set (j := (s - 1)%nat). assert (E : forall k, k = S j -> carry_into k = V j / r) by (intros ? ->; reflexivity).
    rewrite E by (unfold j; lia). destruct (row_sums j ltac:(unfold j; lia)) as [F Cj]. pose proof m_range as M.
    pose proof (square _ _ x_range (y_range j)). pose proof (square _ _ M (n_range j)). pose proof (t_range j ltac:(unfold j; lia)). split; [apply Z.div_pos; lia |].
    apply Z.lt_succ_r, Z.div_lt_upper_bound; [lia |]. rewrite F. nia.
  Qed.

  Lemma lowest : V O mod r = 0.
  Proof.
    destruct (row_sums O ltac:(lia)) as [-> _]. cbn [carry_into]. rewrite Z.add_0_r. rewrite m_is. set (u := t O + x * y O).
    rewrite Z.mul_comm, Z.add_mod, Z.mul_mod_idemp_r, <- Z.add_mod by lia. rewrite (Z.mod_eq u) by lia. set (v := u / r).
    replace (u + n O * ((u - r * v) * n0)) with (u * (n O * n0 + 1) + - (v * n O * n0) * r) by ring. rewrite Z_mod_plus_full, Z.mul_mod, inverse, Z.mul_0_r by lia. apply Zmod_0_l.
  Qed.

  Theorem row_is : 0 <= m < r /\ (forall j, (j < s)%nat -> V j = t j + x * y j + m * n j + carry_into j /\ 0 <= carry_into j) /\ 0 <= carry_into s /\ V O mod r = 0.
  Proof. split; [exact m_range |]. split; [intros j J; destruct (row_sums j J); split; [assumption | lia] |]. split; [apply last_carry | exact lowest]. Qed.
End Row.

(* ---------------------------------------------------------------- words that come in wait in a queue of two *)
Section Pins.
  Variables (s : nat) (I C Q1 Q2 : nat -> Z).
  Hypothesis some : (6 <= s)%nat.
  Hypotheses (early : forall k, (k <= 2)%nat \/ (k = 5)%nat -> C k = I (k + 1)%nat) (fourth : C 4%nat = Q1 5%nat) (later : forall j, (5 <= j < s)%nat -> C (2 * j + 1)%nat = Q2 (2 * j + 2)%nat)
    (shifts : forall k, (k = 3 \/ k = 7 \/ k = 9)%nat \/ (exists j, (5 <= j < s - 1)%nat /\ k = 2 * j + 1)%nat -> Q1 (k + 2)%nat = I (k + 1)%nat /\ Q2 (k + 2)%nat = Q1 (k + 1)%nat)
    (rests : forall k, (k = 8 \/ k = 10)%nat \/ (exists j, (5 <= j < s - 1)%nat /\ k = 2 * j + 2)%nat -> Q1 (k + 2)%nat = Q1 (k + 1)%nat /\ Q2 (k + 2)%nat = Q2 (k + 1)%nat).

  (* the cycle in which a word comes *)
  Definition word_at (j : nat) : nat := if (j <=? 2)%nat then (j + 1)%nat else (2 * j - 2)%nat.

  Lemma comes : C 0%nat = I (word_at 0) /\ C 1%nat = I (word_at 1) /\ C 2%nat = I (word_at 2) /\ C 4%nat = I (word_at 3) /\ C 5%nat = I (word_at 4).
  Proof.
    repeat split; try (apply early; lia). rewrite fourth. destruct (shifts 3 ltac:(lia)) as [E _]. exact E.
  Qed.

  Lemma comes_later : forall j, (5 <= j < s)%nat -> C (2 * j + 1)%nat = I (word_at j).
  Proof.
    assert (G : forall j, (5 <= j < s)%nat -> Q1 (2 * j + 2)%nat = I (2 * j)%nat /\ Q2 (2 * j + 2)%nat = I (2 * j - 2)%nat).
    { intros j [J1 J2]. revert J2. induction J1 as [| j J1 IH]; intros J2.
      - destruct (shifts 7 ltac:(lia)) as [E1 _]. destruct (rests 8 ltac:(lia)) as [E2 _]. destruct (shifts 9 ltac:(lia)) as [E3 E4]. destruct (rests 10 ltac:(lia)) as [E5 E6]. cbn [Nat.add Nat.mul Nat.sub] in *.
        rewrite E5, E6, E3, E4, E2, E1. auto.
      - destruct (IH ltac:(lia)) as [F1 F2]. destruct (shifts (2 * j + 1)%nat) as [E1 E2]; [right; exists j; lia |]. destruct (rests (2 * j + 2)%nat) as [E3 E4]; [right; exists j; lia |].
        replace (2 * j + 2 + 2)%nat with (2 * S j + 2)%nat in E3, E4 by lia. replace (2 * j + 1 + 2)%nat with (2 * j + 2 + 1)%nat in E1, E2 by lia. replace (2 * j + 1 + 1)%nat with (2 * j + 2)%nat in E1, E2 by lia.
        rewrite E3, E4, E1, E2, F1. split; f_equal; lia. }
    intros j J. rewrite later by exact J. rewrite (proj2 (G j J)). unfold word_at. destruct (Nat.leb_spec j 2); [lia | reflexivity].
  Qed.
End Pins.
