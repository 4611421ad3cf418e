(* SPDX-License-Identifier: Apache-2.0 *)
(* A carry-save pair to binary by blocks: rows of half adders resolve each block, a look-ahead finds the carries between them. *)
From Coq Require Import ZArith Lia.
Require Import DigitRecurrence WordSerial HalfAdders.
Open Scope Z_scope.
Set Default Proof Using "All".

Definition flag (x : Z) (i : nat) : Z := (x / 2 ^ Z.of_nat i) mod 2.

Lemma flag_range : forall x i, 0 <= flag x i <= 1.
Proof. intros. unfold flag. pose proof (Z.mod_pos_bound (x / 2 ^ Z.of_nat i) 2 ltac:(lia)). lia. Qed.

(* The carry vector of two rows of half adders: two more zeros at its bottom. *)
Theorem rows_divide : forall k w s c r, 0 <= k -> 0 <= w -> (2 ^ k | c) -> (2 ^ (k + 2) | (2 * Z.land r ((2 * Z.land s c) mod 2 ^ w)) mod 2 ^ w).
Proof.
  intros k w s c r K HW D. replace (k + 2) with (k + 1 + 1) by lia. apply row_divides; [lia | lia |]. apply row_divides; assumption.
Qed.

(* ---------------------------------------------------------------- one block of w bits, J cycles *)
Section Block.
  Variables (w : Z) (J : nat) (s c o : nat -> Z).
  Hypotheses (width : 0 <= w <= 2 * Z.of_nat J)
    (range : forall j, 0 <= s j < 2 ^ w /\ 0 <= c j < 2 ^ w /\ 0 <= o j <= 1)
    (sum : forall j, (j < J)%nat -> s (S j) + c (S j) + 2 ^ w * o j = s j + c j)
    (zeros : forall j k, (j < J)%nat -> 0 <= k -> (2 ^ k | c j) -> (2 ^ (k + 2) | c (S j))).

  Lemma settled : c J = 0 /\ s J = (s O + c O) mod 2 ^ w.
  Proof.
    assert (D : forall j, (j <= J)%nat -> (2 ^ (2 * Z.of_nat j) | c j)).
    { induction j; intros L; [apply Z.divide_1_l |]. replace (2 * Z.of_nat (S j)) with (2 * Z.of_nat j + 2) by lia.
      apply zeros; [lia | lia | apply IHj; lia]. }
    assert (C : c J = 0) by (apply (divided_small (2 * Z.of_nat J) w); [apply range | lia | lia | apply D; lia]).
    split; [exact C |].
    assert (M : forall j, (j <= J)%nat -> exists k, s j + c j = s O + c O + k * 2 ^ w).
    { induction j; intros L; [exists 0; lia |]. destruct (IHj ltac:(lia)) as [k E]. exists (k - o j). pose proof (sum j ltac:(lia)). lia. }
    destruct (M J ltac:(lia)) as [k E]. rewrite C, Z.add_0_r in E. destruct (range J) as [R _].
    rewrite <- (Z.mod_small (s J) (2 ^ w)) by exact R. rewrite E. apply Z_mod_plus_full.
  Qed.

  (* g: whether a carry has left the block. *)
  Variables (g : nat -> Z).
  Hypotheses (none : g O = 0) (leaves : forall j, (j < J)%nat -> g (S j) = if o j =? 1 then 1 else g j).

  Lemma gone : forall j, (j <= J)%nat -> 0 <= g j <= 1 /\ s j + c j + 2 ^ w * g j = s O + c O.
  Proof.
    destruct (range O) as (R1 & R2 & _).
    induction j; intros L; [rewrite none; lia |]. destruct (IHj ltac:(lia)) as [G E]. pose proof (sum j ltac:(lia)) as U.
    destruct (range j) as (S1 & S2 & O1). destruct (range (S j)) as (S3 & S4 & _). rewrite (leaves j ltac:(lia)).
    destruct (Z.eqb_spec (o j) 1) as [O2 | O2].
    - rewrite O2 in U. assert (g j = 0) as G0 by nia. rewrite G0 in E. lia.
    - assert (O0 : o j = 0) by lia. rewrite O0 in U. lia.
  Qed.

  (* What is known a cycle early: whether a block is all ones, if no carry has left it. *)
  Hypotheses (two : (2 <= J)%nat) (ones : forall j, (j < J)%nat -> s j + c j = 2 ^ w - 1 -> c (S j) = 0).

  Lemma early : g J = 0 -> (s (J - 1)%nat = 2 ^ w - 1 <-> s J = 2 ^ w - 1).
  Proof.
    intros G. destruct settled as [C _]. destruct (gone J ltac:(lia)) as [_ E]. rewrite G, C in E.
    destruct (gone (J - 1)%nat ltac:(lia)) as [G1 E1]. destruct (range (J - 1)%nat) as (R1 & R2 & _). destruct (range J) as (R3 & _).
    assert (G0 : g (J - 1)%nat = 0) by nia. rewrite G0 in E1. split; intros A; [lia |].
    destruct (gone (J - 2)%nat ltac:(lia)) as [G2 E2]. destruct (range (J - 2)%nat) as (R4 & R5 & _). assert (G3 : g (J - 2)%nat = 0) by nia.
    rewrite G3 in E2. pose proof (ones (J - 2)%nat ltac:(lia) ltac:(lia)) as C1. replace (S (J - 2)) with (J - 1)%nat in C1 by lia. lia.
  Qed.
End Block.

(* ---------------------------------------------------------------- m blocks of B bits, of N bits in all *)
Section Blocks.
  Variables (B N : Z) (m : nat).
  Hypotheses (some : 1 <= B) (enough : N <= Z.of_nat m * B) (needed : (Z.of_nat m - 1) * B < N) (one : (1 <= m)%nat).
  Let r := 2 ^ B.

  Definition bits (i : nat) : Z := Z.min B (N - Z.of_nat i * B).
  Definition block (x : Z) (i : nat) : Z := (x / 2 ^ (Z.of_nat i * B)) mod 2 ^ bits i.

  Lemma bits_range : forall i, (i < m)%nat -> 1 <= bits i <= B.
  Proof. intros i L. unfold bits. nia. Qed.

  Lemma bits_below : forall i, (i < m - 1)%nat -> bits i = B.
  Proof. intros i L. unfold bits. nia. Qed.

  Lemma block_range : forall x i, (i < m)%nat -> 0 <= block x i < 2 ^ bits i.
  Proof. intros x i L. apply Z.mod_pos_bound. pose proof (bits_range i L). apply Z.pow_pos_nonneg; lia. Qed.

  Lemma radix : 1 < r.
  Proof. apply (Z.pow_gt_1 2 B); lia. Qed.

  Theorem in_blocks : forall x, 0 <= x < 2 ^ N -> digits r (block x) m = x.
  Proof.
    intros x R. pose proof radix. rewrite <- (Z.mod_small x (pw r m)) at 2.
    - rewrite <- word_digits by assumption. apply digits_ext. intros i L. unfold block, r. rewrite pw_words by lia. destruct (bits_range i L) as [B1 B2].
      destruct (Z.eq_dec (bits i) B) as [-> | E]; [reflexivity |]. assert (E2 : bits i = N - Z.of_nat i * B) by (unfold bits in *; lia).
      assert (Q : 0 <= x / 2 ^ (Z.of_nat i * B) < 2 ^ bits i).
      { split; [apply Z.div_pos; [lia | apply Z.pow_pos_nonneg; lia] |]. apply Z.div_lt_upper_bound; [apply Z.pow_pos_nonneg; lia |].
        rewrite <- Z.pow_add_r by lia. replace (Z.of_nat i * B + bits i) with N by lia. lia. }
      pose proof (Z.pow_le_mono_r 2 (bits i) B ltac:(lia) ltac:(lia)). rewrite !Z.mod_small by lia. reflexivity.
    - unfold r. rewrite pw_words by lia. pose proof (Z.pow_le_mono_r 2 N (Z.of_nat m * B) ltac:(lia) enough). lia.
  Qed.

  (* x + y in blocks: u is left in a block, g leaves it; k leaves it with the carry into it; f is the sum. *)
  Variables (x y : Z) (u g p k f : nat -> Z).
  Let into (i : nat) : Z := match i with O => 0 | S j => k j end.
  Hypotheses (pair : 0 <= x < 2 ^ N /\ 0 <= y < 2 ^ N) (fits : x + y < 2 ^ N)
    (left : forall i, (i < m)%nat -> 0 <= u i < 2 ^ bits i /\ 0 <= g i <= 1 /\ u i + 2 ^ bits i * g i = block x i + block y i)
    (passes : forall i, (i < m - 1)%nat -> g i = 0 -> (p i = 1 <-> u i = 2 ^ B - 1))
    (carries : forall i, (i < m - 1)%nat -> k i = if g i =? 1 then 1 else if p i =? 1 then into i else 0)
    (sums : forall i, (i < m)%nat -> f i = (u i + into i) mod 2 ^ bits i).

  Lemma into_range : forall i, (i < m)%nat -> 0 <= into i <= 1.
  Proof.
    induction i; intros L; cbn [into]; [lia |]. rewrite carries by lia. specialize (IHi ltac:(lia)).
    destruct (g i =? 1); [lia |]. destruct (p i =? 1); lia.
  Qed.

  Theorem blocks_sum : digits r f m = x + y.
  Proof.
    pose proof radix as R1. destruct pair as [X Y].
    assert (E : digits r (fun i => block x i + block y i) m = x + y) by (rewrite digits_add, !in_blocks by assumption; reflexivity).
    assert (low : forall i, (i <= m - 1)%nat -> digits r (fun i => block x i + block y i) i = digits r f i + pw r i * into i).
    { induction i; intros L; [cbn [digits into]; lia |]. cbn [digits pw]. rewrite (IHi ltac:(lia)). destruct (left i ltac:(lia)) as (U & G & A).
      pose proof (block_range x i ltac:(lia)) as BX. pose proof (block_range y i ltac:(lia)) as BY.
      rewrite (sums i ltac:(lia)), <- A. pose proof (into_range i ltac:(lia)) as I. rewrite (bits_below i ltac:(lia)) in *. fold r in U, A, BX, BY |- *.
      assert (S : u i + r * g i + into i = (u i + into i) mod r + r * k i).
      { rewrite (carries i ltac:(lia)). pose proof (passes i ltac:(lia)) as P. destruct (Z.eqb_spec (g i) 1) as [G1 | G1].
        - rewrite G1 in *. rewrite Z.mod_small by lia. lia.
        - assert (G0 : g i = 0) by lia. specialize (P G0). rewrite G0. fold r in P. destruct (Z.eqb_spec (p i) 1) as [P1 | P1].
          + apply P in P1. assert (into i = 0 \/ into i = 1) as [-> | ->] by lia.
            * rewrite Z.add_0_r, Z.mod_small by lia. lia.
            * rewrite P1. replace (r - 1 + 1) with (0 + 1 * r) by lia. rewrite Z_mod_plus_full, Z.mod_0_l by lia. lia.
          + rewrite Z.mod_small by lia. lia. }
      cbn [into]. assert (pw r i * (u i + r * g i + into i) = pw r i * ((u i + into i) mod r + r * k i)) by (rewrite S; reflexivity). lia. }
    replace m with (S (m - 1)) in E by lia. cbn [digits] in E. rewrite low in E by lia. replace m with (S (m - 1)) at 1 by lia. cbn [digits].
    set (l := (m - 1)%nat) in *. destruct (left l ltac:(lia)) as (U & G & A). rewrite <- A in E. rewrite (sums l ltac:(lia)).
    pose proof (bits_range l ltac:(lia)) as BL. pose proof (Z.pow_pos_nonneg 2 (bits l) ltac:(lia) ltac:(lia)) as P0.
    set (w := 2 ^ bits l) in *. pose proof (into_range l ltac:(lia)) as I.
    pose proof (Z.div_mod (u l + into l) w ltac:(lia)) as D. pose proof (Z.mod_pos_bound (u l + into l) w P0) as M.
    pose proof (Z.div_pos (u l + into l) w ltac:(lia) P0) as Q. set (e := (u l + into l) / w) in *.
    assert (full : pw r l * w = 2 ^ N).
    { unfold w, r. rewrite pw_words, <- Z.pow_add_r by lia. f_equal. unfold bits, l. replace (Z.of_nat (m - 1)) with (Z.of_nat m - 1) by lia. lia. }
    assert (F : 0 <= digits r f l).
    { apply (digits_bound r f l); [lia |]. intros i L. rewrite (sums i ltac:(lia)), (bits_below i ltac:(lia)). fold r. apply Z.mod_pos_bound. lia. }
    pose proof (pw_pos r l ltac:(lia)) as PL.
    assert (S : pw r l * (u l + w * g l) + pw r l * into l = pw r l * ((u l + into l) mod w) + 2 ^ N * (e + g l)) by (rewrite <- full; lia).
    assert (FM : 0 <= pw r l * ((u l + into l) mod w)) by (apply Z.mul_nonneg_nonneg; lia).
    assert (NP : 0 < 2 ^ N) by lia. assert (Z0 : e + g l = 0) by (assert (e + g l < 1) by (apply (Z.mul_lt_mono_pos_l (2 ^ N)); lia); lia). rewrite Z0 in S. lia.
  Qed.
End Blocks.
