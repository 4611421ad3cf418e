(* SPDX-License-Identifier: Apache-2.0 *)
(* Products of words by mf_booth_rows, and compressor trees whose inputs have a sum that fits, so that nothing wraps. *)
From Coq Require Import ZArith Lia.
Require Import DigitRecurrence Contract Others Bits BoothRows.
Open Scope Z_scope.
Set Default Proof Using "All".

(* ---------------------------------------------------------------- the k rows of x y, of w bits each *)
Section Rows.
  Variables (w x y : Z) (k : nat) (row : nat -> Z).
  Let bits (j : nat) : Z := ((2 * y) / 2 ^ (2 * Z.of_nat j)) mod 8.
  Let negative (e : Z) : Z := if e =? 7 then 0 else e / 4.
  Let sign (j : nat) : Z := if Z.of_nat j =? 0 then 4 else if Z.of_nat j =? Z.of_nat k - 1 then 0
    else if Z.of_nat j =? Z.of_nat k - 2 then if w mod 2 =? 0 then 1 else 3 else 3.
  Hypotheses (wide : 3 <= w) (count : Z.of_nat k = w / 2 + 1) (y_range : 0 <= y < 2 ^ w)
    (row_is : forall j, (j < k)%nat -> row j = 2 ^ (2 * Z.of_nat j) * (booth_term (bits j) * x - negative (bits j) + sign j * 2 ^ (w + 1)) +
      2 ^ (2 * Z.of_nat j) / 4 * negative (((8 * y) / 2 ^ (2 * Z.of_nat j)) mod 8)).

  Lemma halved : w = 2 * (w / 2) + w mod 2 /\ 0 <= w mod 2 < 2.
  Proof. split; [apply Z.div_mod; lia | apply Z.mod_pos_bound; lia]. Qed.

  Lemma pow4 : forall j, 2 ^ (2 * Z.of_nat j) = pw 4 j.
  Proof. intros. rewrite pw_Z, Z.pow_mul_r by lia. reflexivity. Qed.

  Lemma rows_to : forall i, (i < k)%nat -> total row (S i) = x * digits 4 (fun j => booth_term (bits j)) (S i) - pw 4 i * negative (bits i) +
    digits 4 sign (S i) * 2 ^ (w + 1).
  Proof.
    induction i; intros L.
    - cbn [total digits pw]. rewrite row_is by lia. change (2 ^ (2 * Z.of_nat 0)) with 1. rewrite (Z.div_1_r (8 * y)).
      rewrite (Z.mul_comm 8 y), Z_mod_mult. change (negative 0) with 0. lia.
    - change (total row (S (S i))) with (total row (S i) + row (S i)). rewrite IHi, row_is by lia.
      assert (E : 2 ^ (2 * Z.of_nat (S i)) = 4 * pw 4 i) by (rewrite pow4; reflexivity).
      assert (B : ((8 * y) / 2 ^ (2 * Z.of_nat (S i))) mod 8 = bits i).
      { unfold bits. rewrite E, pow4. replace (8 * y) with (4 * (2 * y)) by ring. rewrite Z.div_mul_cancel_l; [reflexivity | | lia].
        pose proof (pw_pos 4 i ltac:(lia)). lia. }
      rewrite B, E. replace (4 * pw 4 i / 4) with (pw 4 i) by (rewrite Z.mul_comm, Z.div_mul; lia). cbn [digits pw]. ring.
  Qed.

  Lemma constants : digits 4 sign k * 2 ^ (w + 1) = 2 ^ (2 * w).
  Proof.
    destruct halved as [H M]. assert (K : (2 <= k)%nat) by lia.
    assert (G : forall i, (i < k - 2)%nat -> digits 4 sign (S i) = pw 4 (S i)).
    { induction i; intros L; [reflexivity |]. change (digits 4 sign (S (S i))) with (digits 4 sign (S i) + pw 4 (S i) * sign (S i)). rewrite IHi by lia.
      replace (sign (S i)) with 3; [cbn [pw]; ring |]. unfold sign.
      destruct (Z.eqb_spec (Z.of_nat (S i)) 0); [lia |]. destruct (Z.eqb_spec (Z.of_nat (S i)) (Z.of_nat k - 1)); [lia |].
      destruct (Z.eqb_spec (Z.of_nat (S i)) (Z.of_nat k - 2)); [lia | reflexivity]. }
    assert (last : digits 4 sign k = digits 4 sign (k - 1)).
    { replace k with (S (k - 1)) at 1 by lia. cbn [digits]. replace (sign (k - 1)) with 0; [lia |]. unfold sign.
      destruct (Z.eqb_spec (Z.of_nat (k - 1)) 0); [lia |]. destruct (Z.eqb_spec (Z.of_nat (k - 1)) (Z.of_nat k - 1)); [reflexivity | lia]. }
    assert (P : digits 4 sign (k - 1) = 2 ^ (w - 1)); [| rewrite last, P, <- Z.pow_add_r by lia; f_equal; lia].
    destruct (Nat.eq_dec k 2) as [K2 | K2].
    - rewrite K2. cbn [Nat.sub digits pw]. replace w with 3 by lia. unfold sign. reflexivity.
    - replace (k - 1)%nat with (S (k - 2)) by lia. cbn [digits]. replace (k - 2)%nat with (S (k - 3)) by lia. rewrite G by lia.
      replace (S (k - 3)) with (k - 2)%nat by lia. unfold sign.
      destruct (Z.eqb_spec (Z.of_nat (k - 2)) 0); [lia |]. destruct (Z.eqb_spec (Z.of_nat (k - 2)) (Z.of_nat k - 1)); [lia |].
      destruct (Z.eqb_spec (Z.of_nat (k - 2)) (Z.of_nat k - 2)); [| lia]. rewrite <- pow4. destruct (Z.eqb_spec (w mod 2) 0).
      + replace (w - 1) with (2 * Z.of_nat (k - 2) + 1) by lia. rewrite Z.pow_add_r by lia. lia.
      + replace (w - 1) with (2 * Z.of_nat (k - 2) + 2) by lia. rewrite Z.pow_add_r by lia. lia.
  Qed.

  Theorem rows_product : total row k = x * y + 2 ^ (2 * w).
  Proof.
    destruct halved as [H M]. replace k with (S (k - 1)) by lia. rewrite rows_to by lia. replace (S (k - 1)) with k by lia. rewrite constants.
    assert (D : digits 4 (fun j => booth_term (bits j)) k = y).
    { assert (P : 2 ^ (w + 1) = 2 * 2 ^ w) by (rewrite Z.pow_add_r by lia; lia).
      assert (T : two (w + 1) y = y) by (unfold two; replace (w + 1 - 1) with w by lia; destruct (Z.ltb_spec y (2 ^ w)); lia).
      rewrite (booth_digit (w + 1) y 0 k); [lia | lia | lia | lia |]. intros j L. rewrite T. unfold bits. do 3 f_equal. lia. }
    assert (N : negative (bits (k - 1)) = 0).
    { assert (B : 0 <= bits (k - 1) < 4).
      { assert (P : 2 * y < 4 * 2 ^ (2 * Z.of_nat (k - 1))).
        { pose proof (Z.pow_le_mono_r 2 (w + 1) (2 + 2 * Z.of_nat (k - 1)) ltac:(lia) ltac:(lia)) as P.
          rewrite (Z.pow_add_r 2 w), (Z.pow_add_r 2 2) in P by lia. lia. }
        assert (Q : 0 <= 2 * y / 2 ^ (2 * Z.of_nat (k - 1)) < 4).
        { split; [apply Z.div_pos; [lia | apply Z.pow_pos_nonneg; lia] |]. apply Z.div_lt_upper_bound; [apply Z.pow_pos_nonneg; lia | lia]. }
        unfold bits. rewrite Z.mod_small by lia. exact Q. }
      unfold negative. destruct (Z.eqb_spec (bits (k - 1)) 7); [reflexivity | apply Z.div_small; lia]. }
    rewrite D, N. lia.
  Qed.
End Rows.

(* ---------------------------------------------------------------- adder rows of m bits whose sums fit *)
Theorem exact_row : forall m x y z s c, 0 <= x -> 0 <= y -> 0 <= z -> x + y + z < 2 ^ m -> s = Z.lxor (Z.lxor x y) z ->
  c = (2 * Z.lor (Z.land x y) (Z.land (Z.lxor x y) z)) mod 2 ^ m + 0 -> s + c = x + y + z /\ 0 <= s /\ 0 <= c.
Proof.
  intros m x y z s c X Y U F -> ->. pose proof (full_adder x y z X Y U) as E.
  assert (A : 0 <= Z.lxor x y) by (rewrite Z.lxor_nonneg; tauto). assert (B : 0 <= Z.lxor (Z.lxor x y) z) by (rewrite Z.lxor_nonneg; tauto).
  assert (C : 0 <= Z.lor (Z.land x y) (Z.land (Z.lxor x y) z)) by (apply Z.lor_nonneg; rewrite !Z.land_nonneg; tauto).
  rewrite Z.mod_small by lia. lia.
Qed.

Theorem exact_compressor : forall m a b c d s k, 0 <= a -> 0 <= b -> 0 <= c -> 0 <= d -> a + b + c + d < 2 ^ m ->
  let half := Z.lxor (Z.lxor a b) c in let carry := (2 * Z.lor (Z.land a b) (Z.land (Z.lxor a b) c)) mod 2 ^ m + 0 in
  s = Z.lxor (Z.lxor half d) carry -> k = (2 * Z.lor (Z.land half d) (Z.land (Z.lxor half d) carry)) mod 2 ^ m + 0 ->
  s + k = a + b + c + d /\ 0 <= s /\ 0 <= k.
Proof.
  intros m a b c d s k A B C D F half carry S K. destruct (exact_row m a b c half carry A B C ltac:(lia) eq_refl eq_refl) as (E & H1 & H2).
  destruct (exact_row m half d carry s k H1 D H2 ltac:(lia) S K) as (G & X). lia.
Qed.

(* All parts in the goal become variables with their ranges. *)
Ltac parts_as_variables := repeat match goal with |- context [part ?x ?l ?v] =>
  generalize (part_range x l v ltac:(assumption || lia)); generalize (part x l v); intros ? ? end.

(* Turns all rows of m bits in the context, from the inputs on, into sums. *)
Ltac rows_add m := repeat match reverse goal with
  | A : ?s = Z.lxor (Z.lxor (Z.lxor (Z.lxor ?x ?y) ?z) ?v) ((2 * Z.lor (Z.land ?x ?y) (Z.land (Z.lxor ?x ?y) ?z)) mod 2 ^ m + 0),
    B : ?c = (2 * Z.lor (Z.land (Z.lxor (Z.lxor ?x ?y) ?z) ?v) _) mod 2 ^ m + 0 |- _ =>
      let D := fresh in pose proof (fun P1 P2 P3 P4 P5 => exact_compressor m x y z v s c P1 P2 P3 P4 P5 A B) as D;
      specialize (D ltac:(lia) ltac:(lia) ltac:(lia) ltac:(lia) ltac:(lia)); clear A B
  | A : ?s = Z.lxor (Z.lxor ?x ?y) ?z, B : ?c = (2 * Z.lor (Z.land ?x ?y) (Z.land (Z.lxor ?x ?y) ?z)) mod 2 ^ m + 0 |- _ =>
      let D := fresh in pose proof (fun P1 P2 P3 P4 => exact_row m x y z s c P1 P2 P3 P4 A B) as D;
      specialize (D ltac:(lia) ltac:(lia) ltac:(lia) ltac:(lia)); clear A B
  end.

(* Places of vectors in a list, which are natural numbers, become integers. *)
Ltac places_as_integers := repeat match goal with |- context [Z.of_nat ?k] =>
  let z := eval vm_compute in (Z.of_nat k) in lazymatch z with Z0 => change (Z.of_nat k) with z | Zpos _ => change (Z.of_nat k) with z end end.
