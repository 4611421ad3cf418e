(* SPDX-License-Identifier: Apache-2.0 *)
(* Parts of vectors, their two's complement, and rows of full adders, bit by bit: for the sums of pairs modulo 2^m. *)
From Coq Require Import ZArith Lia.
Require Import Contract Others.
Open Scope Z_scope.

(* width bits of x from bit low on. *)
Definition part (x low width : Z) : Z := (x / 2 ^ low) mod 2 ^ width.

Lemma part_range : forall x low width, 0 <= width -> 0 <= part x low width < 2 ^ width.
Proof. intros. apply Z.mod_pos_bound, Z.pow_pos_nonneg; lia. Qed.

Lemma bit_range : forall x low, 0 <= part x low 1 <= 1.
Proof. intros. pose proof (part_range x low 1 ltac:(lia)). lia. Qed.

(* The upper of two parts that are side by side. *)
Lemma part_split : forall x low v w, 0 <= low -> 0 <= v -> 0 <= w -> part x low (v + w) = part x low v + 2 ^ v * part x (low + v) w.
Proof.
  intros x low v w L V W. unfold part. rewrite !Z.pow_add_r, <- Z.div_div by (try apply Z.pow_nonzero; try apply Z.pow_pos_nonneg; lia).
  apply Z.rem_mul_r; [apply Z.pow_nonzero | apply Z.pow_pos_nonneg]; lia.
Qed.

Lemma part_whole : forall x w, 0 <= x < 2 ^ w -> part x 0 w = x.
Proof. intros x w R. unfold part. rewrite Z.div_1_r. apply Z.mod_small, R. Qed.

(* ---------------------------------------------------------------- congruence *)

Lemma divide_mod : forall M x, 0 < M -> x mod M = 0 -> (M | x).
Proof. intros M x P E. apply Z.mod_divide; [lia | exact E]. Qed.

(* Adds up all that M divides. *)
Ltac sum_divides := repeat match goal with A : (?M | ?x), B : (?M | ?y) |- _ =>
  let C := fresh in assert (C : (M | x + y)) by (apply Z.divide_add_r; assumption); clear A B end.

(* Closes a goal (M | x) if x is the sum of all that M divides, or the opposite of it. *)
Ltac by_sum := sum_divides; match goal with A : (?M | ?y) |- (?M | ?x) =>
  first [replace x with y by ring; exact A | replace x with (- y) by ring; apply Z.divide_opp_r; exact A] end.

Lemma near : forall M x y, (M | x - y) -> - M < x - y < M -> x = y.
Proof.
  intros M x y [k E] B. destruct (Z.eq_dec k 0) as [-> | N]; [lia |]. assert (k <= -1 \/ 1 <= k) by lia. assert (0 < M) by lia. nia.
Qed.

Lemma divide_pow : forall j k x, 0 <= j <= k -> (2 ^ k | x) -> (2 ^ j | x).
Proof. intros j k x L D. apply Z.divide_trans with (2 ^ k); [| exact D]. exists (2 ^ (k - j)). rewrite <- Z.pow_add_r by lia. f_equal. lia. Qed.

(* ---------------------------------------------------------------- two's complement *)

Lemma half : forall w, 1 <= w -> 2 ^ w = 2 * 2 ^ (w - 1).
Proof. intros w L. rewrite <- Z.pow_succ_r by lia. f_equal. lia. Qed.

Lemma two_range : forall w x, 1 <= w -> 0 <= x < 2 ^ w -> - 2 ^ (w - 1) <= two w x < 2 ^ (w - 1).
Proof. intros w x L R. pose proof (half w L). unfold two. destruct (Z.ltb_spec x (2 ^ (w - 1))); lia. Qed.

Lemma two_divides : forall w x, (2 ^ w | two w x - x).
Proof. intros w x. unfold two. destruct (x <? 2 ^ (w - 1)); [exists 0 | exists (-1)]; lia. Qed.

(* The integer of 2 w bits that x is, modulo 2^w. *)
Definition signed (w x : Z) : Z := two w (x mod 2 ^ w).

Lemma signed_range : forall w x, 1 <= w -> - 2 ^ (w - 1) <= signed w x < 2 ^ (w - 1).
Proof. intros w x L. apply two_range; [exact L |]. apply Z.mod_pos_bound, Z.pow_pos_nonneg; lia. Qed.

Lemma signed_divides : forall w x, 0 <= w -> (2 ^ w | signed w x - x).
Proof.
  intros w x L. pose proof (two_divides w (x mod 2 ^ w)) as D. assert (E : (2 ^ w | x mod 2 ^ w - x)).
  { exists (- (x / 2 ^ w)). rewrite (Z.mod_eq x) by (apply Z.pow_nonzero; lia). ring. }
  unfold signed. by_sum.
Qed.

Lemma signed_is : forall w x y, 1 <= w -> - 2 ^ (w - 1) <= y < 2 ^ (w - 1) -> (2 ^ w | y - x) -> signed w x = y.
Proof.
  intros w x y L R D. pose proof (signed_range w x L). pose proof (half w L). pose proof (signed_divides w x ltac:(lia)) as E.
  apply (near (2 ^ w)); [| lia]. apply Z.divide_opp_r in D. by_sum.
Qed.

(* ---------------------------------------------------------------- rows of full adders *)

Lemma bit_split : forall x, x = 2 * Z.shiftr x 1 + Z.b2z (Z.testbit x 0).
Proof.
  intros x. rewrite Z.shiftr_div_pow2 by lia. change (2 ^ 1) with 2. rewrite Z.bit0_mod. apply Z.div_mod. lia.
Qed.

Lemma full_adder_below : forall k x y z, 0 <= x < 2 ^ Z.of_nat k -> 0 <= y < 2 ^ Z.of_nat k -> 0 <= z < 2 ^ Z.of_nat k ->
  Z.lxor (Z.lxor x y) z + 2 * Z.lor (Z.land x y) (Z.land (Z.lxor x y) z) = x + y + z.
Proof.
  induction k; intros x y z X Y U.
  - change (2 ^ Z.of_nat 0) with 1 in *. replace x with 0 by lia. replace y with 0 by lia. replace z with 0 by lia. reflexivity.
  - rewrite Nat2Z.inj_succ, Z.pow_succ_r in * by lia.
    assert (H : forall u, 0 <= u < 2 * 2 ^ Z.of_nat k -> 0 <= Z.shiftr u 1 < 2 ^ Z.of_nat k).
    { intros u R. rewrite Z.shiftr_div_pow2 by lia. change (2 ^ 1) with 2. split; [apply Z.div_pos; lia | apply Z.div_lt_upper_bound; lia]. }
    specialize (IHk (Z.shiftr x 1) (Z.shiftr y 1) (Z.shiftr z 1) (H x X) (H y Y) (H z U)).
    pose proof (bit_split (Z.lxor (Z.lxor x y) z)) as A. pose proof (bit_split (Z.lor (Z.land x y) (Z.land (Z.lxor x y) z))) as B.
    rewrite !Z.shiftr_lxor, !Z.lxor_spec in A. rewrite Z.shiftr_lor, !Z.shiftr_land, Z.shiftr_lxor, Z.lor_spec, !Z.land_spec, Z.lxor_spec in B.
    pose proof (bit_split x) as Ex. pose proof (bit_split y) as Ey. pose proof (bit_split z) as Ez. revert A B Ex Ey Ez.
    destruct (Z.testbit x 0), (Z.testbit y 0), (Z.testbit z 0); cbn [xorb orb andb Z.b2z]; intros; lia.
Qed.

Theorem full_adder : forall x y z, 0 <= x -> 0 <= y -> 0 <= z ->
  Z.lxor (Z.lxor x y) z + 2 * Z.lor (Z.land x y) (Z.land (Z.lxor x y) z) = x + y + z.
Proof.
  intros x y z X Y U. apply (full_adder_below (Z.to_nat (x + y + z))); rewrite Z2Nat.id by lia;
    pose proof (Z.pow_gt_lin_r 2 (x + y + z) ltac:(lia) ltac:(lia)); lia.
Qed.

(* A row of m bits whose free lowest place takes a bit. *)
Theorem row : forall m x y z s c bit, 0 <= m -> 0 <= x -> 0 <= y -> 0 <= z -> s = Z.lxor (Z.lxor x y) z ->
  c = (2 * Z.lor (Z.land x y) (Z.land (Z.lxor x y) z)) mod 2 ^ m + bit -> (2 ^ m | s + c - (x + y + z + bit)).
Proof.
  intros m x y z s c bit L X Y U -> ->. pose proof (full_adder x y z X Y U) as E.
  set (k := Z.lor _ _) in *. set (v := Z.lxor (Z.lxor x y) z) in *. rewrite (Z.mod_eq (2 * k)) by (apply Z.pow_nonzero; lia).
  exists (- (2 * k / 2 ^ m)). lia.
Qed.

(* A row of 4:2 compressors: its vectors are those of two rows of full adders. *)
Theorem compressor_row : forall m a b c d s k below bit, 0 <= m -> 0 <= a -> 0 <= b -> 0 <= c -> 0 <= d -> 0 <= below ->
  let half := Z.lxor (Z.lxor a b) c in let carry := (2 * Z.lor (Z.land a b) (Z.land (Z.lxor a b) c)) mod 2 ^ m + below in
  s = Z.lxor (Z.lxor half d) carry -> k = (2 * Z.lor (Z.land half d) (Z.land (Z.lxor half d) carry)) mod 2 ^ m + bit ->
  (2 ^ m | s + k - (a + b + c + d + below + bit)).
Proof.
  intros m a b c d s k below bit M A B C D L half carry S K.
  assert (H : 0 <= half) by (unfold half; rewrite !Z.lxor_nonneg; tauto).
  assert (P : 0 <= carry) by (unfold carry; pose proof (Z.mod_pos_bound (2 * Z.lor (Z.land a b) (Z.land (Z.lxor a b) c)) (2 ^ m)); assert (0 < 2 ^ m) by (apply Z.pow_pos_nonneg; lia); lia).
  pose proof (row m a b c half carry below M A B C eq_refl eq_refl) as X. pose proof (row m half d carry s k bit M H D P S K) as Y.
  by_sum.
Qed.

(* Closes 0 <= x, of parts without a look at the context; M says 0 <= m. *)
Ltac nonnegative M := first [exact M | exact (proj1 (bit_range _ _)) | exact (proj1 (part_range _ _ _ M)) | lia].

(* Turns all rows of m bits in the context into what 2^m divides, those of 4:2 compressors first. *)
Ltac rows_divide m := let M := fresh in assert (M : 0 <= m) by lia; repeat match goal with
  | A : ?s = Z.lxor (Z.lxor (Z.lxor (Z.lxor ?x ?y) ?z) ?v) ((2 * Z.lor (Z.land ?x ?y) (Z.land (Z.lxor ?x ?y) ?z)) mod 2 ^ m + ?below), B : ?c = _ mod 2 ^ m + ?bit |- _ =>
    let D := fresh in assert (D : (2 ^ m | s + c - (x + y + z + v + below + bit)))
      by (eapply compressor_row; [.. | exact A | exact B]; nonnegative M); clear A B
  | A : ?s = Z.lxor (Z.lxor ?x ?y) ?z, B : ?c = (2 * Z.lor (Z.land ?x ?y) (Z.land (Z.lxor ?x ?y) ?z)) mod 2 ^ m + ?bit |- _ =>
    let D := fresh in assert (D : (2 ^ m | s + c - (x + y + z + bit))) by (apply row; [.. | exact A | exact B]; nonnegative M); clear A B end; clear M.

(* ---------------------------------------------------------------- multiples by a Booth term *)

Lemma complement : forall m v, 0 <= m -> 0 <= v < 2 ^ m -> Z.lxor v (2 ^ m - 1) = 2 ^ m - 1 - v.
Proof.
  intros m v M V. replace (2 ^ m - 1) with (Z.ones m) by (rewrite Z.ones_equiv; lia).
  assert (E : Z.land v (Z.lxor v (Z.ones m)) = 0).
  { apply Z.bits_inj'. intros i I. rewrite Z.land_spec, Z.lxor_spec, Z.bits_0. destruct (Z.lt_ge_cases i m) as [L | L].
    - rewrite Z.ones_spec_low by lia. destruct (Z.testbit v i); reflexivity.
    - rewrite <- (Z.mod_small v (2 ^ m)), Z.mod_pow2_bits_high by lia. reflexivity. }
  apply Z.add_nocarry_lxor in E. rewrite <- Z.lxor_assoc, Z.lxor_nilpotent, Z.lxor_0_l in E. lia.
Qed.

(* A multiple without the 1 that completes it if it is negative. *)
Theorem booth_multiple : forall m x once twice negative v, 0 <= m -> 0 <= once <= 1 -> 0 <= twice <= 1 -> 0 <= negative <= 1 -> once + twice <= 1 ->
  v = Z.lxor (Z.lor (once * (x mod 2 ^ m)) (twice * ((2 * (x mod 2 ^ m)) mod 2 ^ m))) (negative * (2 ^ m - 1)) ->
  (2 ^ m | v + negative - (once + 2 * twice) * (1 - 2 * negative) * x).
Proof.
  intros m x once twice negative v M O T N L ->. assert (P : 0 < 2 ^ m) by (apply Z.pow_pos_nonneg; lia).
  set (y := x mod 2 ^ m). pose proof (Z.mod_pos_bound x (2 ^ m) P) as Y. pose proof (Z.mod_pos_bound (2 * y) (2 ^ m) P) as Y2. fold y in Y.
  pose proof (Z.div_mod x (2 ^ m) ltac:(lia)) as E. fold y in E. pose proof (Z.div_mod (2 * y) (2 ^ m) ltac:(lia)) as E2.
  set (y2 := (2 * y) mod 2 ^ m) in *. set (j := x / 2 ^ m) in *. set (i := 2 * y / 2 ^ m) in *.
  assert (C : exists k, Z.lor (once * y) (twice * y2) = (once + 2 * twice) * x + k * 2 ^ m /\ 0 <= Z.lor (once * y) (twice * y2) < 2 ^ m).
  { assert (once = 0 /\ twice = 0 \/ once = 1 /\ twice = 0 \/ once = 0 /\ twice = 1) as [[-> ->] | [[-> ->] | [-> ->]]] by lia;
      rewrite ?Z.mul_0_l, ?Z.mul_1_l, ?Z.lor_0_l, ?Z.lor_0_r; [exists 0 | exists (- j) | exists (- i - 2 * j)]; lia. }
  destruct C as (k & C & R). set (z := Z.lor _ _) in *. assert (negative = 0 \/ negative = 1) as [-> | ->] by lia.
  - rewrite Z.mul_0_l, Z.lxor_0_r. exists k. lia.
  - rewrite Z.mul_1_l, complement by lia. exists (1 - k). lia.
Qed.

(* Turns all multiples of m bits in the context into what 2^m divides. *)
Ltac multiples_divide m := let M := fresh in assert (M : 0 <= m) by lia; repeat match goal with
  A : ?v = Z.lxor (Z.lor (?o * (?x mod 2 ^ m)) (?t * ((2 * (?x mod 2 ^ m)) mod 2 ^ m))) (?g * (2 ^ m - 1)) |- _ =>
    let D := fresh in assert (D : (2 ^ m | v + g - (o + 2 * t) * (1 - 2 * g) * x))
      by (apply booth_multiple; [exact M | apply bit_range | apply bit_range | apply bit_range | assumption | exact A]); clear A end; clear M.

(* ---------------------------------------------------------------- a pair of m bits that is shifted by a digit of w bits *)

(* The integer of m bits that the pair s, c is. *)
Definition pair_value (m s c : Z) : Z := signed m (s + c).

Lemma low_and_high : forall m w x, 0 <= w <= m -> 0 <= x < 2 ^ m -> x = part x 0 w + 2 ^ w * part x w (m - w).
Proof.
  intros m w x L R. rewrite <- (part_whole x m R) at 1. replace m with (w + (m - w)) at 1 by lia. rewrite part_split by lia. reflexivity.
Qed.

Section Pair.
  Variables (m w s c k pending : Z).
  Let V := pair_value m s c.
  Let r := 2 ^ w.
  Let low := part s 0 w + part c 0 w.
  Hypotheses (sizes : 1 <= w <= m) (s_range : 0 <= s < 2 ^ m) (c_range : 0 <= c < 2 ^ m).

  Lemma value_divides : (2 ^ m | V - (s + c)).
  Proof. apply signed_divides. lia. Qed.

  Lemma low_of_pair : (r | V - low).
  Proof.
    pose proof (divide_pow w m _ ltac:(lia) value_divides) as [i D]. fold r in D. pose proof (low_and_high m w s ltac:(lia) s_range) as S.
    pose proof (low_and_high m w c ltac:(lia) c_range) as C. fold r in S, C. unfold low. exists (i + part s w (m - w) + part c w (m - w)). lia.
  Qed.

  (* The lowest digit is u with the carry into it, j. *)
  Lemma dropped : forall j u, 0 <= j <= 1 -> (r | V + j - u) ->
    (0 < (low - u) mod r \/ r * pending = low - u) /\ (0 < (low + 1 - u) mod r \/ r * pending = low + 1 - u) -> r * pending = low + (j - u).
  Proof.
    intros j u J [y D] [C0 C1]. destruct low_of_pair as [i L]. assert (R : 0 < r) by (apply Z.pow_pos_nonneg; lia).
    assert (E : (low + j - u) mod r = 0) by (apply Z.mod_divide; [lia |]; exists (y - i); lia).
    assert (j = 0 \/ j = 1) as [-> | ->] by lia; rewrite ?Z.add_0_r in *; [destruct C0 | destruct C1]; lia.
  Qed.

  (* What is carried out of the lowest digit with k, if that leaves 0. *)
  Hypothesis carried : r * pending = low + k.

  Lemma digit_above : 2 * w <= m -> exists y, V + k = r * y /\ (r | part s w w + part c w w + pending - y).
  Proof.
    intros L. pose proof value_divides as [i D]. unfold low in carried.
    pose proof (low_and_high m w s ltac:(lia) s_range) as S. pose proof (low_and_high m w c ltac:(lia) c_range) as C. fold r in S, C.
    replace (m - w) with (w + (m - 2 * w)) in S, C by lia. rewrite part_split in S, C by lia. fold r in S, C.
    set (s2 := part s (w + w) (m - 2 * w)) in *. set (c2 := part c (w + w) (m - 2 * w)) in *.
    assert (M : 2 ^ m = r * (r * 2 ^ (m - 2 * w))) by (unfold r; rewrite <- !Z.pow_add_r by lia; f_equal; lia). rewrite M in D.
    exists (part s w w + part c w w + pending + r * (s2 + c2 + i * 2 ^ (m - 2 * w))). split; [lia |]. exists (- (s2 + c2 + i * 2 ^ (m - 2 * w))). lia.
  Qed.

  Lemma folded : forall f, 2 <= m -> 0 <= f < 4 -> (4 | part s (m - 2) 2 + part c (m - 2) 2 - f) -> - 2 ^ (m - 2) <= V <= 2 ^ (m - 2) ->
    V = (if f <? 2 then f else f - 4) * 2 ^ (m - 2) + part s 0 (m - 2) + part c 0 (m - 2).
  Proof.
    intros f L F [i D] B. pose proof (low_and_high m (m - 2) s ltac:(lia) s_range) as S. pose proof (low_and_high m (m - 2) c ltac:(lia) c_range) as C.
    replace (m - (m - 2)) with 2 in S, C by lia.
    assert (H : 0 < 2 ^ (m - 2)) by (apply Z.pow_pos_nonneg; lia). apply (fold_exact (2 ^ (m - 2)) s c (part s (m - 2) 2) (part s 0 (m - 2)) (part c (m - 2) 2) (part c 0 (m - 2)) f);
      try (apply part_range; lia); try assumption; try lia; [exists i; lia |].
    destruct value_divides as [j E]. exists (- j). assert (2 ^ m = 4 * 2 ^ (m - 2)) by (change 4 with (2 ^ 2); rewrite <- Z.pow_add_r by lia; f_equal; lia). lia.
  Qed.

  (* The shifted pair, and the carry of the digit that is dropped. *)
  Theorem shifted : forall f, w + 2 <= m -> 0 <= f < 4 -> (4 | part s (m - 2) 2 + part c (m - 2) 2 - f) -> - 2 ^ (m - 2) <= V <= 2 ^ (m - 2) ->
    V + k = r * ((if f <? 2 then f else f - 4) * 2 ^ (m - 2 - w) + part s w (m - 2 - w) + part c w (m - 2 - w) + pending).
  Proof.
    intros f L F D B. pose proof (folded f ltac:(lia) F D B) as E. pose proof carried as P. unfold low in P.
    replace (m - 2) with (w + (m - 2 - w)) in E by lia. rewrite (part_split s 0 w), (part_split c 0 w), Z.pow_add_r, !Z.add_0_l in E by lia.
    fold r in E. lia.
  Qed.
End Pair.
