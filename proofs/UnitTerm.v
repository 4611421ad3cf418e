(* SPDX-License-Identifier: Apache-2.0 *)
(* A mf_unit_accumulator of digits with one Booth term: its row is extended, and is the product. The tree has a place less on both sides: with a row of
   zeros between them it is that of UnitAccumulator.v. *)
From Coq Require Import ZArith Lia.
Require Import DigitRecurrence Instances Contract Bits BoothRows Groups UnitAccumulator.
Open Scope Z_scope.

(* Vectors of m bits with zeros after the first three. *)
Definition with_gap (m x : Z) : Z := x mod 2 ^ (3 * m) + 2 ^ (4 * m) * (x / 2 ^ (3 * m)).

Lemma gap_low : forall m x i, 0 <= m -> (i < 3)%nat -> place m (with_gap m x) i = place m x i.
Proof.
  intros m x i M I. unfold place, with_gap, part. set (j := Z.of_nat i).
  assert (J : 0 <= j * m /\ 3 * m = j * m + (m + (2 - j) * m) /\ 4 * m = j * m + (m + (3 - j) * m) /\ 0 <= (2 - j) * m /\ 0 <= (3 - j) * m) by (unfold j; nia).
  destruct J as (J0 & J3 & J4 & J5 & J6). rewrite J4, Z.pow_add_r, <- Z.mul_assoc, (Z.mul_comm (2 ^ (j * m))), Z.div_add by (try apply Z.pow_nonzero; lia).
  rewrite Z.pow_add_r, <- Z.mul_assoc, (Z.mul_comm (2 ^ m)), Z_mod_plus_full by lia.
  pose proof (part_part x 0 (3 * m) (j * m) m ltac:(lia) J0 M ltac:(lia)) as P. unfold part in P. change (2 ^ 0) with 1 in P. rewrite Z.div_1_r, Z.add_0_l in P. exact P.
Qed.

Lemma gap_is : forall m x, 0 <= m -> place m (with_gap m x) 3 = 0 /\ place m (with_gap m x) 4 = place m x 3.
Proof.
  intros m x M. unfold place, with_gap, part. change (Z.of_nat 3) with 3. change (Z.of_nat 4) with 4.
  pose proof (Z.pow_pos_nonneg 2 (3 * m) ltac:(lia) ltac:(lia)) as P3. pose proof (Z.pow_pos_nonneg 2 (4 * m) ltac:(lia) ltac:(lia)) as P4.
  pose proof (Z.mod_pos_bound x (2 ^ (3 * m)) P3) as B. pose proof (Z.pow_le_mono_r 2 (3 * m) (4 * m) ltac:(lia) ltac:(lia)) as L. set (lo := x mod _) in *. set (hi := x / _). split.
  - replace (4 * m) with (m + 3 * m) by ring. rewrite Z.pow_add_r, <- Z.mul_assoc, (Z.mul_comm (2 ^ (3 * m))), Z.mul_assoc, Z.div_add, Z.div_small by lia.
    rewrite Z.add_0_l, Z.mul_comm. apply Z.mod_mul, Z.pow_nonzero; lia.
  - rewrite (Z.mul_comm (2 ^ (4 * m))), Z.div_add, Z.div_small by lia. rewrite Z.add_0_l. reflexivity.
Qed.

Lemma no_bit : forall k x i, 0 <= k -> 0 <= x < 2 ^ k -> k <= Z.of_nat i -> single x i = 0.
Proof. intros k x i K X I. unfold single, part. rewrite Z.div_small; [reflexivity |]. pose proof (Z.pow_le_mono_r 2 k (Z.of_nat i) ltac:(lia) I). lia. Qed.

(* The row of the one term of a digit times x of p bits: its multiple, of a bit more, is extended to m bits. *)
Definition extended_row (m p x terms j : Z) : Z :=
  let own := p + 2 * j + 1 in let y := (x * 2 ^ (2 * j)) mod 2 ^ own in
  let v := Z.lxor (Z.lor (part terms (3 * j + 2) 1 * y) (part terms (3 * j + 1) 1 * ((2 * y) mod 2 ^ own))) (part terms (3 * j + 0) 1 * (2 ^ own - 1)) in
  v + v / 2 ^ (own - 1) * (2 ^ m - 2 ^ own).

Lemma extended_other_than_zero : forall m p x terms, 1 <= p -> p + 1 <= m -> - 2 ^ (p - 1) <= x < 2 ^ (p - 1) -> legal 1 terms ->
  1 <= once terms 0 + twice terms 0 \/ negative terms 0 = 0 -> (2 ^ m | extended_row m p x terms 0 + negative terms 0 - number 1 terms * x).
Proof.
  intros m p x terms P M X A Z0. destruct (bits_of_term terms O) as (O1 & T1 & N1). pose proof (A O ltac:(lia)) as Y.
  set (own := p + 1). set (y := (x * 2 ^ (2 * 0)) mod 2 ^ own).
  set (v := Z.lxor (Z.lor (once terms 0 * y) (twice terms 0 * ((2 * y) mod 2 ^ own))) (negative terms 0 * (2 ^ own - 1))).
  assert (E : extended_row m p x terms 0 = v + v / 2 ^ (own - 1) * (2 ^ m - 2 ^ own)) by (unfold extended_row, v, y, own, once, twice, negative; repeat f_equal; lia).
  pose proof (booth_multiple own (x * 2 ^ (2 * 0)) _ _ _ v ltac:(unfold own; lia) O1 T1 N1 Y eq_refl) as D. change (2 ^ (2 * 0)) with 1 in D. rewrite Z.mul_1_r in D.
  assert (EN : number 1 terms = (once terms 0 + 2 * twice terms 0) * (1 - 2 * negative terms 0)) by (unfold number; cbn [digits pw]; lia). rewrite E, EN.
  assert (PO : 0 < 2 ^ own) by (apply Z.pow_pos_nonneg; unfold own; lia). pose proof (half own ltac:(unfold own; lia)) as Ho. replace (own - 1) with p in * by (unfold own; ring).
  pose proof (half p P) as Hp.
  assert (R : 0 <= v < 2 ^ own).
  { unfold v. pose proof (Z.mod_pos_bound (x * 2 ^ (2 * 0)) (2 ^ own) PO) as B. fold y in B. pose proof (Z.mod_pos_bound (2 * y) (2 ^ own) PO) as B2. set (y2 := (2 * y) mod _) in *.
    assert (C : 0 <= Z.lor (once terms 0 * y) (twice terms 0 * y2) < 2 ^ own).
    { assert (once terms 0 = 0 /\ twice terms 0 = 0 \/ once terms 0 = 1 /\ twice terms 0 = 0 \/ once terms 0 = 0 /\ twice terms 0 = 1) as [[-> ->] | [[-> ->] | [-> ->]]] by lia;
        rewrite ?Z.mul_0_l, ?Z.mul_1_l, ?Z.lor_0_l, ?Z.lor_0_r; lia. }
    assert (negative terms 0 = 0 \/ negative terms 0 = 1) as [-> | ->] by lia; [rewrite Z.mul_0_l, Z.lxor_0_r; lia |].
    rewrite Z.mul_1_l, complement by (unfold own in *; lia). lia. }
  clearbody v. clear E y.
  assert (S : two own v = (once terms 0 + 2 * twice terms 0) * (1 - 2 * negative terms 0) * x - negative terms 0).
  { pose proof (two_divides own v) as G. pose proof (two_range own v ltac:(unfold own; lia) R) as B. replace (own - 1) with p in B by (unfold own; ring). apply (near (2 ^ own)).
    - set (z := (once terms 0 + 2 * twice terms 0) * (1 - 2 * negative terms 0)) in *. replace (two own v - (z * x - negative terms 0)) with ((two own v - v) + (v + negative terms 0 - z * x)) by ring. apply Z.divide_add_r; assumption.
    - clear D G. assert (once terms 0 = 0 /\ twice terms 0 = 0 \/ once terms 0 = 1 /\ twice terms 0 = 0 \/ once terms 0 = 0 /\ twice terms 0 = 1) as [[E1 E2] | [[E1 E2] | [E1 E2]]] by lia;
        assert (negative terms 0 = 0 \/ negative terms 0 = 1) as [E3 | E3] by lia; rewrite E1, E2, E3; lia. }
  assert (sign : v / 2 ^ p = if v <? 2 ^ p then 0 else 1).
  { destruct (Z.ltb_spec v (2 ^ p)); [apply Z.div_small; lia | symmetry; apply (Z.div_unique _ _ _ (v - 2 ^ p)); lia]. }
  rewrite sign. unfold two in S. replace (own - 1) with p in S by (unfold own; ring). set (w := (once terms 0 + 2 * twice terms 0) * (1 - 2 * negative terms 0) * x) in *.
  destruct (v <? 2 ^ p); [exists 0 | exists 1]; lia.
Qed.

Theorem extended : forall m p x terms, 1 <= p -> p + 1 <= m -> - 2 ^ (p - 1) <= x < 2 ^ (p - 1) -> legal 1 terms ->
  (2 ^ m | extended_row m p x terms 0 + negative terms 0 - number 1 terms * x).
Proof.
  intros m p x terms P M X A. pose proof (A O ltac:(lia)) as L. destruct (bits_of_term terms O) as (O1 & T1 & N1).
  destruct (Z.eq_dec (once terms O + twice terms O) 0) as [N | N]; [| apply extended_other_than_zero; try assumption; left; lia].
  unfold number, extended_row. cbn [digits pw]. change (part terms (3 * 0 + 2) 1) with (once terms O). change (part terms (3 * 0 + 1) 1) with (twice terms O).
  change (part terms (3 * 0 + 0) 1) with (negative terms O). assert (Z1 : once terms O = 0) by lia. assert (Z2 : twice terms O = 0) by lia. rewrite Z1, Z2. cbv zeta. rewrite !Z.mul_0_l.
  destruct (multiple_of_zero (p + 2 * 0 + 1) (negative terms O) ltac:(lia) N1) as (V1 & V2 & _). cbv zeta in V1, V2. rewrite !Z.mul_0_l in V1, V2. rewrite V1 in V2 |- *. rewrite V2.
  exists (negative terms O). ring.
Qed.

(* It joins the pair in place i, with its bit j. *)
Theorem extended_joins : forall m p x terms inputs singles i j, 1 <= p -> p + 1 <= m -> - 2 ^ (p - 1) <= x < 2 ^ (p - 1) -> legal 1 terms ->
  place m inputs i = extended_row m p x terms 0 -> single singles j = negative terms 0 -> (2 ^ m | place m inputs i + single singles j - number 1 terms * x).
Proof. intros m p x terms inputs singles i j P M X A -> ->. exact (extended m p x terms P M X A). Qed.
