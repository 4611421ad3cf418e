(* SPDX-License-Identifier: Apache-2.0 *)
(* mf_truncated_product: columns of the rows of mf_booth_rows, and of a vector beside them, in one compressor tree with an adder. *)
From Coq Require Import ZArith Lia.
Require Import DigitRecurrence Instances Contract Others Bits BoothRows Products UnitAccumulator Levels.
Open Scope Z_scope.
Set Default Proof Using "All".

(* Row j of x y, of w bits each, by its bits and the constant of its sign. *)
Definition row_bits (w x y j : Z) : Z :=
  let window := ((2 * y) / 2 ^ (2 * j)) mod 8 in let below := ((8 * y) / 2 ^ (2 * j)) mod 8 in
  let negative := fun e => if e =? 7 then 0 else e / 4 in
  let magnitude := if window =? 0 then 0 else if window =? 7 then 0 else if window =? 3 then 2 * x else if window =? 4 then 2 * x else x in
  let sign := if j =? 0 then 4 else if j =? w / 2 + 1 - 1 then 0 else if j =? w / 2 + 1 - 2 then if w mod 2 =? 0 then 1 else 3 else 3 in
  2 ^ (2 * j) * ((if negative window =? 1 then 2 ^ (w + 1) - 1 - magnitude else magnitude) + (sign - negative window) * 2 ^ (w + 1)) + 2 ^ (2 * j) / 4 * negative below.

Lemma all_rows : forall w x y, 3 <= w -> 0 <= y < 2 ^ w -> total (fun j => row_bits w x y (Z.of_nat j)) (Z.to_nat (w / 2 + 1)) = x * y + 2 ^ (2 * w).
Proof.
  intros w x y W Y. pose proof (Z.div_pos w 2 ltac:(lia) ltac:(lia)) as D. apply (rows_product w x y); [exact W | lia | exact Y |].
  intros j J. unfold row_bits. cbv zeta. rewrite (booth_bits _ (((2 * y) / 2 ^ (2 * Z.of_nat j)) mod 8)) by (apply Z.mod_pos_bound; lia).
  replace (Z.of_nat (Z.to_nat (w / 2 + 1))) with (w / 2 + 1) by lia. reflexivity.
Qed.

(* Rounding each of k down loses less than 2^low each. *)
Lemma all_floors : forall f low k, 0 <= low -> exists e, 0 <= e <= Z.of_nat k * (2 ^ low - 1) /\ 2 ^ low * total (fun j => f j / 2 ^ low) k = total f k - e.
Proof.
  intros f low k L. pose proof (Z.pow_pos_nonneg 2 low ltac:(lia) L) as P. induction k as [| k (e & B & E)]; [exists 0; cbn [total]; lia |]. cbn [total].
  pose proof (Z.div_mod (f k) (2 ^ low) ltac:(lia)) as D. pose proof (Z.mod_pos_bound (f k) (2 ^ low) P). exists (e + f k mod 2 ^ low). lia.
Qed.

Lemma mod_divides : forall M x, M <> 0 -> (M | x mod M - x).
Proof. intros M x N. exists (- (x / M)). rewrite (Z.mod_eq x) by exact N. ring. Qed.

(* The n rows X are those of the product, and the vector added; the tree leaves P. *)
Theorem truncated : forall w low high x y X n added P sum, let m := high - low in let k := w / 2 + 1 in
  3 <= w /\ 0 <= low <= high /\ high <= 2 * w -> 0 <= y < 2 ^ w -> (forall j, 0 <= j < k -> part X (j * m) m = (row_bits w x y j / 2 ^ low) mod 2 ^ m) ->
  total (place m X) (Z.to_nat n) = total (place m X) (Z.to_nat k) + added -> reduced m X n P 2 -> sum = (part P 0 m + part P m m) mod 2 ^ m ->
  exists e, 0 <= e <= k * (2 ^ low - 1) /\ (2 ^ high | 2 ^ low * (sum - added) - (x * y - e)).
Proof.
  intros w low high x y X n added P sum m k S Y R A (lost & _ & T) Q. assert (K0 : 0 <= k) by (pose proof (Z.div_pos w 2 ltac:(lia) ltac:(lia)); unfold k; lia).
  set (row := fun j => row_bits w x y (Z.of_nat j)). pose proof (all_rows w x y ltac:(lia) Y) as F. fold row k in F.
  destruct (all_floors row low (Z.to_nat k) ltac:(lia)) as (e & B & E). rewrite F in E. exists e. split; [lia |].
  assert (M0 : 2 ^ m <> 0) by (apply Z.pow_nonzero; unfold m; lia). assert (H : 2 ^ high = 2 ^ low * 2 ^ m) by (rewrite <- Z.pow_add_r by (unfold m; lia); f_equal; unfold m; lia).
  assert (H2 : 2 ^ (2 * w) = 2 ^ high * 2 ^ (2 * w - high)) by (rewrite <- Z.pow_add_r by lia; f_equal; lia).
  assert (D : (2 ^ m | total (place m X) (Z.to_nat k) - total (fun j => row j / 2 ^ low) (Z.to_nat k))).
  { rewrite <- total_sub. apply total_divides. intros j J. unfold place. rewrite R by lia. apply mod_divides, M0. }
  pose proof (mod_divides (2 ^ m) (part P 0 m + part P m m) M0) as D2. rewrite <- Q in D2. change (Z.to_nat 2) with 2%nat in T. cbn [total] in T. unfold place at 1 2 in T.
  change (Z.of_nat 0 * m) with 0 in T. replace (Z.of_nat 1 * m) with m in T by lia. rewrite A in T. destruct D as [i D]. destruct D2 as [j D2]. exists (i + j - lost + 2 ^ (2 * w - high)).
  set (rows := total (place m X) (Z.to_nat k)) in *. set (floors := total (fun j => row j / 2 ^ low) (Z.to_nat k)) in *. clearbody rows floors. rewrite H in *. rewrite H2 in E. clear - T D D2 E.
  assert (G : sum - added = floors + (i + j - lost) * 2 ^ m) by lia. rewrite G, Z.mul_add_distr_l, E. ring.
Qed.

(* A sum without its columns below `low`, from column `point` on. *)
Lemma columns : forall low point bits s z, 0 <= low <= point -> 0 <= bits -> (2 ^ (point + bits) | 2 ^ low * s - z) -> (2 ^ bits | part s (point - low) bits - z / 2 ^ point).
Proof.
  intros low point bits s z L B [k E]. pose proof (Z.pow_pos_nonneg 2 low ltac:(lia) ltac:(lia)) as P. pose proof (Z.pow_pos_nonneg 2 (point - low) ltac:(lia) ltac:(lia)) as P2.
  assert (EP : 2 ^ point = 2 ^ low * 2 ^ (point - low)) by (rewrite <- Z.pow_add_r by lia; f_equal; lia). rewrite Z.pow_add_r in E by lia.
  assert (Z0 : z = 2 ^ low * (s - k * 2 ^ bits * 2 ^ (point - low))) by (rewrite EP in E; lia). rewrite Z0, EP, Z.div_mul_cancel_l by lia.
  replace (s - k * 2 ^ bits * 2 ^ (point - low)) with (s + (- k * 2 ^ bits) * 2 ^ (point - low)) by ring. rewrite Z.div_add by lia. unfold part.
  destruct (mod_divides (2 ^ bits) (s / 2 ^ (point - low)) ltac:(apply Z.pow_nonzero; lia)) as [i F]. exists (i + k). lia.
Qed.
