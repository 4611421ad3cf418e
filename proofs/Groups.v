(* SPDX-License-Identifier: Apache-2.0 *)
(* A pair to binary by groups, modulo 2^N: the sums of groups, the carries between them, groups plus carries: mf_group_converter. *)
From Coq Require Import ZArith Lia.
Require Import DigitRecurrence Contract WordSerial Bits Blocks.
Open Scope Z_scope.
Set Default Proof Using "All".

Lemma part_part : forall x l n i w, 0 <= l -> 0 <= i -> 0 <= w -> i + w <= n -> part (part x l n) i w = part x (l + i) w.
Proof.
  intros x l n i w L I W N. unfold part. rewrite Z.pow_add_r, <- Z.div_div by (try apply Z.pow_nonzero; try apply Z.pow_pos_nonneg; lia).
  set (y := x / 2 ^ l). rewrite (Z.mod_eq y) by (apply Z.pow_nonzero; lia). set (q := y / 2 ^ n).
  assert (2 ^ n = 2 ^ i * (2 ^ w * 2 ^ (n - i - w))) as -> by (rewrite <- !Z.pow_add_r by lia; f_equal; lia).
  replace (y - 2 ^ i * (2 ^ w * 2 ^ (n - i - w)) * q) with (y + (- (2 ^ (n - i - w) * q)) * 2 ^ w * 2 ^ i) by ring.
  rewrite Z.div_add by (apply Z.pow_nonzero; lia). apply Z_mod_plus_full.
Qed.

(* m groups of B bits, of N bits in all. *)
Section Groups.
  Variables (B N : Z) (m : nat).
  Hypotheses (some : 1 <= B) (enough : N <= Z.of_nat m * B) (needed : (Z.of_nat m - 1) * B < N) (one : (1 <= m)%nat).
  Let r := 2 ^ B.
  Let bits := bits B N.
  Let block := block B N.

  (* x + y + c in groups: u is left in a group, g leaves it, p tells whether a carry would pass it; k leaves it with the carry into it. *)
  Variables (x y c : Z) (u g p k f : nat -> Z).
  Let into (i : nat) : Z := match i with O => 0 | S j => k j end.
  Let added (i : nat) : Z := block x i + block y i + match i with O => c | _ => 0 end.
  Hypotheses (pair : 0 <= x < 2 ^ N /\ 0 <= y < 2 ^ N) (c_range : 0 <= c <= 1)
    (left : forall i, (i < m)%nat -> 0 <= u i < 2 ^ bits i /\ 0 <= g i <= 1 /\ u i + 2 ^ bits i * g i = added i)
    (passes : forall i, (i < m)%nat -> p i = if block x i + block y i =? 2 ^ bits i - 1 then 1 else 0)
    (carries : forall i, (i < m)%nat -> k i = if g i =? 1 then 1 else if p i =? 1 then into i else 0)
    (sums : forall i, (i < m)%nat -> f i = (u i + into i) mod 2 ^ bits i).

  Lemma carry_into : forall i, (i < m)%nat -> 0 <= into i <= 1.
  Proof.
    induction i; intros L; cbn [into]; [lia |]. rewrite carries by lia. specialize (IHi ltac:(lia)). destruct (g i =? 1); [lia |]. destruct (p i =? 1); lia.
  Qed.

  (* What a group has and what leaves it. *)
  Lemma group_sum : forall i, (i < m)%nat -> added i + into i = f i + 2 ^ bits i * k i.
  Proof.
    intros i L. destruct (left i L) as (U & G & A). pose proof (bits_range B N m some enough needed one i L) as W. fold bits in W.
    pose proof (Z.pow_pos_nonneg 2 (bits i) ltac:(lia) ltac:(lia)) as P. pose proof (carry_into i L) as I.
    pose proof (block_range B N m some enough needed one x i L) as X. pose proof (block_range B N m some enough needed one y i L) as Y. fold bits block in X, Y.
    rewrite (sums i L), (carries i L), (passes i L). unfold added in *. set (w := 2 ^ bits i) in *.
    assert (C : match i with O => c | _ => 0 end = 0 \/ (match i with O => c | _ => 0 end = 1 /\ into i = 0)) by (destruct i; cbn [into]; lia).
    set (e := match i with O => c | _ => 0 end) in *.
    destruct (Z.eqb_spec (g i) 1) as [G1 | G1].
    - assert (u i + into i < w) by lia. rewrite Z.mod_small by lia. lia.
    - assert (G0 : g i = 0) by lia. rewrite G0 in A. destruct (Z.eqb_spec (block x i + block y i) (w - 1)) as [E | E].
      + change (1 =? 1) with true. cbv iota. assert (e = 0) by lia. assert (into i = 0 \/ into i = 1) as [-> | ->] by lia.
        * rewrite Z.add_0_r, Z.mod_small by lia. lia.
        * replace (u i + 1) with (0 + 1 * w) by lia. rewrite Z_mod_plus_full, Z.mod_0_l by lia. lia.
      + change (0 =? 1) with false. cbv iota. assert (u i + into i < w) by lia. rewrite Z.mod_small by lia. lia.
  Qed.

  Theorem groups_sum : digits r f m = (x + y + c) mod 2 ^ N.
  Proof.
    pose proof (radix B N m some enough needed one) as R. fold r in R. destruct pair as [X Y].
    assert (E : digits r added m = x + y + c).
    { unfold added. rewrite !digits_add. unfold block, r. rewrite !(in_blocks B N m) by assumption. replace m with (1 + (m - 1))%nat by lia.
      rewrite digits_split, (digits_zero _ (fun i => match (1 + i)%nat with O => c | _ => 0 end)) by (intros; reflexivity). cbn [digits pw]. lia. }
    set (l := (m - 1)%nat). assert (M : m = S l) by lia.
    assert (low : forall i, (i <= l)%nat -> digits r added i = digits r f i + pw r i * into i).
    { induction i; intros L; [cbn [digits into]; lia |]. cbn [digits pw into]. rewrite (IHi ltac:(lia)). pose proof (group_sum i ltac:(lia)) as G.
      unfold bits in G. rewrite (bits_below B N m some enough needed one i) in G by lia. fold r in G.
      replace (digits r f i + pw r i * into i + pw r i * added i) with (digits r f i + pw r i * (added i + into i)) by ring. rewrite G. ring. }
    rewrite M in E. cbn [digits] in E. rewrite low in E by lia. pose proof (group_sum l ltac:(lia)) as G.
    assert (full : pw r l * 2 ^ bits l = 2 ^ N).
    { pose proof (bits_range B N m some enough needed one l ltac:(lia)) as W. fold bits in W. unfold r. rewrite pw_words, <- Z.pow_add_r by lia. f_equal.
      unfold bits, Blocks.bits in *. lia. }
    rewrite M. cbn [digits]. replace (x + y + c) with (digits r f l + pw r l * f l + k l * 2 ^ N).
    - rewrite Z_mod_plus_full. symmetry. apply Z.mod_small.
      assert (F : 0 <= digits r f l < pw r l).
      { apply digits_bound; [lia |]. intros i L. rewrite (sums i ltac:(lia)). unfold bits. rewrite (bits_below B N m some enough needed one i) by lia. fold r. apply Z.mod_pos_bound. lia. }
      pose proof (bits_range B N m some enough needed one l ltac:(lia)) as W. fold bits in W.
      assert (T : 0 <= f l < 2 ^ bits l) by (rewrite (sums l ltac:(lia)); apply Z.mod_pos_bound, Z.pow_pos_nonneg; lia).
      rewrite <- full. set (w := 2 ^ bits l) in *. set (P := pw r l) in *. split; [apply Z.add_nonneg_nonneg; [| apply Z.mul_nonneg_nonneg]; lia |].
      assert (P * f l <= P * (w - 1)) by (apply Z.mul_le_mono_nonneg_l; lia). lia.
    - rewrite <- E, <- full. replace (digits r f l + pw r l * into l + pw r l * added l) with (digits r f l + pw r l * (added l + into l)) by ring. rewrite G. ring.
  Qed.
End Groups.

(* ---------------------------------------------------------------- mf_group_converter: x + y + c, of N bits, in groups of B bits
   a1 has the sums of groups from bit `low` on, a2 these with the carries between them. *)
Theorem converted : forall B N low x y c a1 a2 generates propagates carries, 1 <= B -> 1 <= N -> 0 <= low -> 0 <= c <= 1 ->
  let some := (N + B - 1) / B in let bits := fun i => Z.min B (N - i * B) in
  (forall i, 0 <= i < some ->
    part a1 (low + i * B) (bits i) + 2 ^ bits i * part generates i 1 = part x (i * B) (bits i) + part y (i * B) (bits i) + (if i =? 0 then c else 0) /\
    part propagates i 1 = if part x (i * B) (bits i) + part y (i * B) (bits i) =? 2 ^ bits i - 1 then 1 else 0) ->
  (forall i, 0 <= i < some - 1 -> (carries / 2 ^ i) mod 2 =
    if part generates i 1 =? 1 then 1 else if part propagates i 1 =? 1 then ((2 * carries) / 2 ^ i) mod 2 else 0) ->
  (forall i, 0 <= i < some -> part a2 (low + i * B) (bits i) = (part a1 (low + i * B) (bits i) + ((2 * carries) / 2 ^ i) mod 2) mod 2 ^ bits i) ->
  part a2 low N = (part x 0 N + part y 0 N + c) mod 2 ^ N.
Proof.
  intros B N low x y c a1 a2 generates propagates carries HB HN HL HC some width sums look_ahead increments.
  destruct (word_count B N HB HN) as (EM & M1 & G1). set (m := Z.to_nat _) in *. fold some in EM.
  assert (G2 : (Z.of_nat m - 1) * B < N).
  { pose proof (Z.div_mod (N + B - 1) B ltac:(lia)) as D. pose proof (Z.mod_pos_bound (N + B - 1) B ltac:(lia)). fold some in D. rewrite EM in D. lia. }
  set (bits := Blocks.bits B N).
  assert (gw : forall i, (i < m)%nat -> 1 <= bits i <= B /\ Z.of_nat i * B + bits i <= N) by
    (intros i L; split; [apply (bits_range B N m); assumption || lia | unfold bits, Blocks.bits; lia]).
  assert (part_block : forall z l i, 0 <= l -> (i < m)%nat -> block B N (part z l N) i = part z (l + Z.of_nat i * B) (bits i)).
  { intros z l i Hl L. destruct (gw i L). apply (part_part z l N (Z.of_nat i * B) (bits i)); lia. }
  set (g := fun i => part generates (Z.of_nat i) 1). set (p := fun i => part propagates (Z.of_nat i) 1).
  set (found := fun i => flag carries i). set (from_below := fun i => match i with O => 0 | S j => found j end).
  assert (into : forall i, (2 * carries) / 2 ^ Z.of_nat i mod 2 = from_below i).
  { intros [| j]; [change (2 ^ Z.of_nat 0) with 1; rewrite Z.div_1_r, Z.mul_comm; apply Z.mod_mul; lia |]. unfold from_below, found, flag.
    rewrite Nat2Z.inj_succ, Z.pow_succ_r, Z.div_mul_cancel_l by lia || (apply Z.pow_nonzero; lia) || lia. reflexivity. }
  (* No carry leaves the topmost group. *)
  set (k := fun i => if Nat.ltb (S i) m then found i else if g i =? 1 then 1 else if p i =? 1 then from_below i else 0).
  assert (below_top : forall i, (i < m)%nat -> from_below i = match i with O => 0 | S j => k j end).
  { intros [| j] L; [reflexivity |]. unfold from_below, k. destruct (Nat.ltb_spec (S j) m); [reflexivity | lia]. }
  pose proof (groups_sum B N m HB G1 G2 M1 (part x 0 N) (part y 0 N) c
    (fun i => part a1 (low + Z.of_nat i * B) (bits i)) g p k (block B N (part a2 low N))) as G.
  rewrite (in_blocks B N m) in G by (try apply part_range; lia).
  apply G; clear G; [split; apply part_range; lia | exact HC | | | |].
  - intros i L. destruct (gw i L). split; [apply (part_range _ _ (bits i)); lia |]. split; [apply bit_range |].
    destruct (sums (Z.of_nat i) ltac:(lia)) as (E & _). rewrite !part_block by lia. rewrite !Z.add_0_l. etransitivity; [exact E |]. destruct i; reflexivity.
  - intros i L. destruct (sums (Z.of_nat i) ltac:(lia)) as (_ & E). rewrite !part_block by lia. exact E.
  - intros i L. rewrite <- below_top by exact L. unfold k at 1. destruct (Nat.ltb_spec (S i) m) as [top |]; [| reflexivity]. rewrite <- into.
    apply (look_ahead (Z.of_nat i)). lia.
  - intros i L. rewrite <- below_top, <- into, part_block by lia. apply (increments (Z.of_nat i)). lia.
Qed.
