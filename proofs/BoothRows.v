(* SPDX-License-Identifier: Apache-2.0 *)
(* Booth terms of a digit, and multiples by them whose signs are not extended, for any number of terms. *)
From Coq Require Import ZArith Lia.
Require Import DigitRecurrence Instances Contract Others Bits.
Open Scope Z_scope.

(* ---------------------------------------------------------------- sums *)
Fixpoint total (f : nat -> Z) (k : nat) : Z := match k with O => 0 | S i => total f i + f i end.

Lemma total_split : forall f j k, total f (j + k) = total f j + total (fun i => f (j + i)%nat) k.
Proof. induction k; [rewrite Nat.add_0_r; cbn [total]; lia | rewrite Nat.add_succ_r; cbn [total]; rewrite IHk; lia]. Qed.

Lemma total_ext : forall f g k, (forall i, (i < k)%nat -> f i = g i) -> total f k = total g k.
Proof. induction k; intros H; cbn [total]; [reflexivity | rewrite IHk, H by (intros; try apply H; lia); reflexivity]. Qed.

Lemma total_sub : forall f g k, total (fun i => f i - g i) k = total f k - total g k.
Proof. induction k; cbn [total]; lia. Qed.

Lemma total_divides : forall M f k, (forall i, (i < k)%nat -> (M | f i)) -> (M | total f k).
Proof. induction k; intros H; cbn [total]; [apply Z.divide_0_r | apply Z.divide_add_r; [apply IHk; intros |]; apply H; lia]. Qed.

(* ---------------------------------------------------------------- a digit x of w bits, with a transfer from below, by its terms *)
Definition booth_term (y : Z) : Z := y / 2 + y mod 2 - 4 * (y / 4).

(* A row of mf_booth_rows, as its bits and the constant of its sign, is what rows_product in Products.v speaks of. *)
Lemma booth_bits : forall m e x sign, 0 <= e < 8 -> let negative := if e =? 7 then 0 else e / 4 in
  let magnitude := if e =? 0 then 0 else if e =? 7 then 0 else if e =? 3 then 2 * x else if e =? 4 then 2 * x else x in
  (if negative =? 1 then m - 1 - magnitude else magnitude) + (sign - negative) * m = booth_term e * x - negative + sign * m.
Proof.
  intros m e x sign E. assert (e = 0 \/ e = 1 \/ e = 2 \/ e = 3 \/ e = 4 \/ e = 5 \/ e = 6 \/ e = 7) as [-> | [-> | [-> | [-> | [-> | [-> | [-> | ->]]]]]]] by lia;
    cbv zeta; unfold booth_term; repeat match goal with |- context [?a / ?b] => let v := eval vm_compute in (a / b) in change (a / b) with v end;
    repeat match goal with |- context [?a mod ?b] => let v := eval vm_compute in (a mod b) in change (a mod b) with v end; cbn [Z.eqb Pos.eqb]; lia.
Qed.

Theorem booth_digit : forall w x below k term, 1 <= w <= 2 * Z.of_nat k -> 0 <= x < 2 ^ w -> 0 <= below <= 1 ->
  (forall j, (j < k)%nat -> term j = booth_term (((2 * two w x + below) / 2 ^ (2 * Z.of_nat j)) mod 8)) -> digits 4 term k = two w x + below.
Proof.
  intros w x below k term L X C H. set (y := 2 * two w x + below) in *.
  assert (pow4 : forall i, 2 ^ (2 * Z.of_nat i) = pw 4 i) by (intros; rewrite pw_Z, Z.pow_mul_r by lia; reflexivity).
  assert (G : forall i, (i <= k)%nat -> let z := y / pw 4 i in digits 4 term i = y / 2 + y mod 2 - pw 4 i * (z / 2 + z mod 2)).
  { induction i; intros I; cbn [digits pw]; [rewrite Z.div_1_r; lia |]. rewrite IHi, H, pow4 by lia. pose proof (pw_pos 4 i ltac:(lia)).
    rewrite (Z.mul_comm 4), <- Z.div_div by lia. set (z := y / pw 4 i). unfold booth_term. set (e := z mod 8).
    pose proof (Z.div_mod z 8 ltac:(lia)) as E. fold e in E. set (q := z / 8) in *. pose proof (Z.mod_pos_bound z 8 ltac:(lia)) as B. fold e in B.
    assert (z / 4 = 2 * q + e / 4) as -> by (replace z with (e + (2 * q) * 4) by lia; rewrite Z.div_add by lia; lia).
    assert (z / 2 = 4 * q + e / 2) as -> by (replace z with (e + (4 * q) * 2) by lia; rewrite Z.div_add by lia; lia).
    assert (z mod 2 = e mod 2) as -> by (replace z with (e + (4 * q) * 2) by lia; apply Z_mod_plus_full).
    assert (D : 0 <= e / 4 <= 1) by (split; [apply Z.div_pos; lia | apply Z.lt_succ_r, Z.div_lt_upper_bound; lia]).
    assert ((2 * q + e / 4) / 2 = q) as -> by (rewrite Z.add_comm, Z.mul_comm, Z.div_add, Z.div_small by lia; lia).
    assert ((2 * q + e / 4) mod 2 = e / 4) as -> by (rewrite Z.add_comm, Z.mul_comm, Z_mod_plus_full, Z.mod_small by lia; lia). lia. }
  specialize (G k (le_n k)). cbv zeta in G. rewrite G. pose proof (pw_pos 4 k ltac:(lia)) as P. pose proof (two_range w x ltac:(lia) X) as R. pose proof (half w ltac:(lia)).
  assert (B : - pw 4 k <= y < pw 4 k) by (rewrite <- pow4; pose proof (Z.pow_le_mono_r 2 w (2 * Z.of_nat k) ltac:(lia) ltac:(lia)); unfold y; lia).
  assert (Y : y / 2 + y mod 2 = two w x + below).
  { pose proof (Z.div_mod y 2 ltac:(lia)) as E. pose proof (Z.mod_pos_bound y 2 ltac:(lia)) as M. clear - E M C. subst y. lia. }
  rewrite Y. destruct (Z.lt_ge_cases y 0) as [N | N].
  - assert (y / pw 4 k = -1) as -> by (symmetry; apply (Z.div_unique _ _ _ (y + pw 4 k)); lia). change (-1 / 2) with (-1). change (-1 mod 2) with 1. lia.
  - rewrite (Z.div_small y) by lia. change (0 / 2) with 0. change (0 mod 2) with 0. lia.
Qed.

(* Two's complement by the topmost bit. *)
Lemma top_bit_range : forall w x, 1 <= w -> 0 <= x < 2 ^ w -> part x (w - 1) 1 = if x <? 2 ^ (w - 1) then 0 else 1.
Proof.
  intros w x L X. pose proof (half w L). unfold part. change (2 ^ 1) with 2. pose proof (Z.pow_pos_nonneg 2 (w - 1) ltac:(lia) ltac:(lia)).
  destruct (Z.ltb_spec x (2 ^ (w - 1))); [rewrite Z.div_small by lia; reflexivity |].
  assert (x / 2 ^ (w - 1) = 1) as -> by (symmetry; apply (Z.div_unique _ _ _ (x - 2 ^ (w - 1))); lia). reflexivity.
Qed.

Lemma two_by_top : forall w x, 1 <= w -> 0 <= x < 2 ^ w -> two w x = x - 2 ^ w * part x (w - 1) 1.
Proof. intros w x L X. rewrite top_bit_range by assumption. unfold two. destruct (x <? _); lia. Qed.

(* ---------------------------------------------------------------- mf_unit_rows: k terms of a digit times x of p bits, modulo 2^m
   Row j has the multiple v j of p + 2 j + 1 bits, without the 1 that completes a negative one. Its sign is complemented in place of
   extended, and row 0 has the constant that makes up for that of all rows. *)
Section Rows.
  Variables (m p x : Z) (k : nat) (row : nat -> Z) (once twice negative : nat -> Z).
  Let own (j : nat) : Z := p + 2 * Z.of_nat j + 1.
  Let value (j : nat) : Z := (once j + 2 * twice j) * (1 - 2 * negative j).
  Let v (j : nat) : Z := let y := (x * 2 ^ (2 * Z.of_nat j)) mod 2 ^ own j in
    Z.lxor (Z.lor (once j * y) (twice j * ((2 * y) mod 2 ^ own j))) (negative j * (2 ^ own j - 1)).
  Hypotheses (sizes : 1 <= p /\ (2 <= k)%nat /\ p + 2 * Z.of_nat k <= m) (x_range : - 2 ^ (p - 1) <= x < 2 ^ (p - 1))
    (terms : forall j, (j < k)%nat -> 0 <= once j <= 1 /\ 0 <= twice j <= 1 /\ 0 <= negative j <= 1 /\ once j + twice j <= 1 /\
      (1 <= once j + twice j \/ negative j = 0))
    (first : row O = v O + v O / 2 ^ (own O - 1) * 2 ^ own O + (1 - v O / 2 ^ (own O - 1)) * 2 ^ (own O + 1) + (2 ^ m - 2 ^ (p + 2 * Z.of_nat k)))
    (others : forall j, (1 <= j < k)%nat -> row j = v j mod 2 ^ (own j - 1) + (1 - v j / 2 ^ (own j - 1)) * 2 ^ (own j - 1) + 2 ^ own j).

  Lemma multiple_is : forall j, (j < k)%nat -> 0 <= v j < 2 ^ own j /\ two (own j) (v j) = value j * pw 4 j * x - negative j.
  Proof.
    intros j L. destruct (terms j L) as (O & T & N & Y & Z0). assert (P : 0 < 2 ^ own j) by (apply Z.pow_pos_nonneg; unfold own; lia).
    assert (pow4 : 2 ^ (2 * Z.of_nat j) = pw 4 j) by (rewrite pw_Z, Z.pow_mul_r by lia; reflexivity).
    assert (R : 0 <= v j < 2 ^ own j).
    { unfold v. cbv zeta. set (y := (x * _) mod _). pose proof (Z.mod_pos_bound (x * 2 ^ (2 * Z.of_nat j)) (2 ^ own j) P) as B. fold y in B.
      pose proof (Z.mod_pos_bound (2 * y) (2 ^ own j) P) as B2. set (y2 := (2 * y) mod _) in *.
      assert (C : 0 <= Z.lor (once j * y) (twice j * y2) < 2 ^ own j).
      { assert (once j = 0 /\ twice j = 0 \/ once j = 1 /\ twice j = 0 \/ once j = 0 /\ twice j = 1) as [[-> ->] | [[-> ->] | [-> ->]]] by lia;
          rewrite ?Z.mul_0_l, ?Z.mul_1_l, ?Z.lor_0_l, ?Z.lor_0_r; lia. }
      assert (negative j = 0 \/ negative j = 1) as [-> | ->] by lia; [rewrite Z.mul_0_l, Z.lxor_0_r; lia |].
      rewrite Z.mul_1_l, complement by (unfold own in *; lia). lia. }
    split; [exact R |].
    pose proof (booth_multiple (own j) (x * 2 ^ (2 * Z.of_nat j)) _ _ _ (v j) ltac:(unfold own; lia) O T N Y eq_refl) as D. fold (value j) in D.
    assert (own_power : 2 ^ (own j - 1) = 2 * (pw 4 j * 2 ^ (p - 1))).
    { rewrite <- pow4, <- Z.pow_add_r by lia. rewrite <- Z.pow_succ_r by lia. f_equal. unfold own. lia. }
    pose proof (two_divides (own j) (v j)) as E. pose proof (two_range (own j) (v j) ltac:(unfold own; lia) R) as B. pose proof (half (own j) ltac:(unfold own; lia)).
    apply (near (2 ^ own j)).
    - rewrite pow4 in D. replace (two (own j) (v j) - (value j * pw 4 j * x - negative j)) with
        ((two (own j) (v j) - v j) + (v j + negative j - value j * (x * pw 4 j))) by ring. apply Z.divide_add_r; assumption.
    - pose proof (pw_pos 4 j ltac:(lia)) as Q. pose proof (scale (pw 4 j) (- 2 ^ (p - 1)) x (2 ^ (p - 1) - 1) ltac:(lia) ltac:(lia)) as X.
      rewrite own_power in *. unfold value. set (z := pw 4 j * x) in *. set (H0 := pw 4 j * 2 ^ (p - 1)) in *.
      replace ((once j + 2 * twice j) * (1 - 2 * negative j) * pw 4 j * x) with ((once j + 2 * twice j) * (1 - 2 * negative j) * z) by (unfold z; ring).
      assert (- H0 <= z < H0) by (unfold z, H0; lia). clear X D E own_power.
      assert (once j = 0 /\ twice j = 0 \/ once j = 1 /\ twice j = 0 \/ once j = 0 /\ twice j = 1) as [[E1 E2] | [[E1 E2] | [E1 E2]]] by lia;
        assert (negative j = 0 \/ negative j = 1) as [E3 | E3] by lia; rewrite E1, E2, E3; lia.
  Qed.

  Let extra (j : nat) : Z := match j with O => 2 ^ (p + 2) - 2 ^ (p + 2 * Z.of_nat k) | _ => 3 * 2 ^ (p + 2 * Z.of_nat j) end.

  Lemma row_is : forall j, (j < k)%nat -> (2 ^ m | row j + negative j - (value j * pw 4 j * x + extra j)).
  Proof.
    intros j L. destruct (multiple_is j L) as [R E]. pose proof (half (own j) ltac:(unfold own; lia)) as Ho. pose proof (Z.pow_pos_nonneg 2 (own j - 1) ltac:(lia) ltac:(unfold own; lia)) as P.
    assert (sign : v j / 2 ^ (own j - 1) = if v j <? 2 ^ (own j - 1) then 0 else 1).
    { destruct (Z.ltb_spec (v j) (2 ^ (own j - 1))); [apply Z.div_small; lia | symmetry; apply (Z.div_unique _ _ _ (v j - 2 ^ (own j - 1))); lia]. }
    unfold two in E. pose proof (Z.div_mod (v j) (2 ^ (own j - 1)) ltac:(lia)) as M. destruct j as [| i].
    - exists 1. rewrite first, sign. unfold extra. assert (own O + 1 = p + 2) as -> by (unfold own; lia). assert (2 ^ (p + 2) = 2 * 2 ^ own O).
      { rewrite <- Z.pow_succ_r by (unfold own; lia). f_equal. unfold own. lia. } destruct (v O <? _); lia.
    - exists 0. rewrite others by lia. set (j := S i) in *. rewrite sign in *. unfold extra, j. fold j. assert (p + 2 * Z.of_nat j = own j - 1) as -> by (unfold own; lia). destruct (v j <? _); lia.
  Qed.

  Theorem rows_sum : (2 ^ m | total row k + total negative k - digits 4 value k * x).
  Proof.
    pose proof (total_divides (2 ^ m) (fun j => row j - (value j * pw 4 j * x + extra j - negative j)) k) as D. rewrite total_sub in D.
    assert (E : total (fun j => value j * pw 4 j * x + extra j - negative j) k = digits 4 value k * x - total negative k).
    { rewrite total_sub. assert (X : forall i, total (fun j => value j * pw 4 j * x + extra j) i = digits 4 value i * x + total extra i).
      { induction i; cbn [total digits]; [lia | rewrite IHi; ring]. }
      assert (C : forall i, (1 <= i)%nat -> total extra i = 2 ^ (p + 2 * Z.of_nat i) - 2 ^ (p + 2 * Z.of_nat k)).
      { induction i; intros I; [lia |]. destruct i as [| i]; [cbn [total]; unfold extra; change (2 * Z.of_nat 1) with 2; lia |].
        change (total extra (S (S i))) with (total extra (S i) + extra (S i)). rewrite IHi by lia. unfold extra.
        replace (p + 2 * Z.of_nat (S (S i))) with (2 + (p + 2 * Z.of_nat (S i))) by lia. rewrite (Z.pow_add_r 2 2) by lia. change (2 ^ 2) with 4. lia. }
      rewrite X, C by lia. lia. }
    rewrite E in D. replace (total row k + total negative k - digits 4 value k * x) with (total row k - (digits 4 value k * x - total negative k)) by lia.
    apply D. intros i L. replace (row i - (value i * pw 4 i * x + extra i - negative i)) with (row i + negative i - (value i * pw 4 i * x + extra i)) by lia. apply row_is, L.
  Qed.
End Rows.

(* ---------------------------------------------------------------- a mf_unit_product: a tree reduces its rows v, with all but two of the negative ones, to s + c *)
Theorem product_tree : forall M k v negative s c y, (2 <= k)%nat -> (M | s + c - (total v k + total negative (k - 2))) ->
  (M | total v k + total negative k - y) -> (M | s + c + negative (k - 2)%nat + negative (k - 1)%nat - y).
Proof.
  intros M k v negative s c y K R D. assert (E : total negative k = total negative (k - 2) + negative (k - 2)%nat + negative (k - 1)%nat).
  { replace k with (S (S (k - 2))) at 1 by lia. cbn [total]. do 2 f_equal. lia. }
  rewrite E in D. clear - D R. by_sum.
Qed.

(* ---------------------------------------------------------------- the pair of a mf_unit_accumulator, m bits, shifted by a digit of w bits
   The fold f has the sign, complemented in place of extended. k was carried into the pair; u is its lowest digit, x is added to it. *)
Theorem folded_pair : forall m w s c f k x u carry v0 v1, 1 <= w -> w + 2 <= m -> 0 <= s < 2 ^ m -> 0 <= c < 2 ^ m -> 0 <= f < 4 ->
  (4 | part s (m - 2) 2 + part c (m - 2) 2 - f) -> - 2 ^ (m - 2) <= pair_value m s c <= 2 ^ (m - 2) ->
  u + 2 ^ w * carry = part s 0 w + part c 0 w + k + x ->
  v0 = part s w (m - 2 - w) + f mod 2 * 2 ^ (m - 2 - w) + (1 - f / 2) * 2 ^ (m - 2 - w + 1) -> v1 = part c w (m - 2 - w) + (2 ^ m - 2 ^ (m - 2 - w + 1)) ->
  exists z, (2 ^ m | v0 + v1 - z) /\ pair_value m s c + k + x = u + 2 ^ w * (carry + z).
Proof.
  intros m w s c f k x u carry v0 v1 Hw Hm S C F D B U -> ->. pose proof (folded m 1 s c ltac:(lia) S C f ltac:(lia) F D B) as G.
  set (g := m - 2 - w) in *. replace (m - 2) with (w + g) in G by (unfold g; lia). rewrite !part_split, Z.pow_add_r, !Z.add_0_l in G by (unfold g; lia).
  set (fs := if f <? 2 then f else f - 4) in *. exists (fs * 2 ^ g + part s w g + part c w g). split; [| lia].
  assert (Fs : fs = f mod 2 - 2 * (f / 2)) by (unfold fs; assert (f = 0 \/ f = 1 \/ f = 2 \/ f = 3) as [-> | [-> | [-> | ->]]] by lia; reflexivity).
  exists 1. rewrite Fs, Z.pow_add_r by (unfold g; lia). change (2 ^ 1) with 2. ring.
Qed.
