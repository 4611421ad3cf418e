(* SPDX-License-Identifier: Apache-2.0 *)
(* Columns that each keep a word and a carry of two bits, which belongs to the column above; all sums are exact: words of products, one addition, a pair at the end. *)
From Coq Require Import ZArith Lia.
Require Import DigitRecurrence WordSerial Contract Bits.
Open Scope Z_scope.
Set Default Proof Using "All".

Section Columns.
  (* n words of w bits, n + 1 columns *)
  Variables (w : Z) (n : nat).
  Hypothesis wide : 1 <= w.
  Let r := 2 ^ w.

  Definition word_at (x : Z) (j : nat) : Z := part x (Z.of_nat j * w) w.
  Definition carry_at (k : Z) (j : nat) : Z := part k (Z.of_nat j * 2) 2.
  (* The carries as an integer, each in its own column. *)
  Definition carries_of (k : Z) : Z := digits (2 ^ w) (carry_at k) (S n).

  Lemma radix : 1 < r.
  Proof. apply (Z.pow_gt_1 2 w); lia. Qed.

  Lemma power : forall i, pw r i = 2 ^ (Z.of_nat i * w).
  Proof. intros i. apply pw_words. lia. Qed.

  Lemma words_of : forall x m, 0 <= x < 2 ^ (Z.of_nat m * w) -> digits r (word_at x) m = x.
  Proof.
    intros x m R. pose proof radix. rewrite <- (Z.mod_small x (pw r m)) at 2 by (rewrite power; exact R). rewrite <- word_digits by assumption.
    apply digits_ext. intros i _. unfold word_at, part. rewrite power. reflexivity.
  Qed.

  Lemma column_sum : forall f k add s, 0 <= f < 2 ^ (Z.of_nat (S n) * w) ->
    (forall j, (j < S n)%nat -> word_at f j + r * carry_at k j = add j + s j) -> f + r * carries_of k = digits r add (S n) + digits r s (S n).
  Proof.
    intros f k add s R H. rewrite <- digits_add, <- (words_of f (S n)) at 1 by exact R. unfold carries_of. fold r. rewrite <- digits_scale, <- digits_add.
    apply digits_ext. exact H.
  Qed.

  Lemma product_sum : forall low high x y, 0 <= y < 2 ^ (Z.of_nat n * w) -> word_at high 0 = 0 -> word_at low n = 0 ->
    (forall i, (i < n)%nat -> word_at low i + r * word_at high (S i) = x * word_at y i) ->
    digits r (fun j => word_at low j + word_at high j) (S n) = x * y.
  Proof.
    intros low high x y R H0 Ln H. rewrite digits_add. assert (EL : digits r (word_at low) (S n) = digits r (word_at low) n) by (cbn [digits]; rewrite Ln; ring).
    assert (EH : digits r (word_at high) (S n) = r * digits r (fun t => word_at high (S t)) n).
    { change (S n) with (1 + n)%nat. rewrite digits_split. cbn [digits pw Nat.add]. rewrite H0. ring. }
    etransitivity; [exact (f_equal2 Z.add EL EH) |]. rewrite <- (words_of y n R), <- !digits_scale, <- digits_add. apply digits_ext. exact H.
  Qed.

  (* The pair that is converted: words of the tail above the lowest word of the step before, carries two words lower than where they are. *)
  Theorem pair_sum : forall words carries shifted lowest s k p, (3 <= n)%nat ->
    0 <= lowest < r -> s = lowest + r * (words mod 2 ^ (Z.of_nat n * w - w)) -> 0 <= k < 2 ^ (Z.of_nat n * w) ->
    (forall i, (i < 2)%nat -> word_at k i = carry_at shifted i) -> (forall i, (i < n - 2)%nat -> word_at k (S (S i)) = carry_at shifted (S (S i)) + carry_at carries i) ->
    p = lowest + r * words + r * (r * carries_of carries) + carries_of shifted -> 0 <= p < 2 ^ (Z.of_nat n * w) -> (s + k) mod 2 ^ (Z.of_nat n * w) = p.
  Proof.
    intros words carries shifted lowest s k p N L ES RK K0 K1 EP RP. pose proof radix as R. rewrite <- (Z.mod_small p _ RP).
    assert (PN : 2 ^ (Z.of_nat n * w) = pw r n) by (symmetry; apply power). assert (PS : 2 ^ (Z.of_nat n * w - w) = pw r (n - 1)).
    { rewrite power. f_equal. rewrite Nat2Z.inj_sub by lia. ring. }
    assert (P1 : pw r n = r * pw r (n - 1)) by (replace n with (S (n - 1)) at 1 by lia; reflexivity).
    assert (P2 : pw r n = r * (r * pw r (n - 2))) by (replace n with (S (S (n - 2))) at 1 by lia; reflexivity).
    assert (EK : k = digits r (carry_at shifted) n + r * (r * digits r (carry_at carries) (n - 2))).
    { rewrite <- (words_of k n RK). replace n with (2 + (n - 2))%nat at 1 2 by lia. rewrite !digits_split. rewrite (digits_ext r (word_at k) (carry_at shifted) 2) by (intros; apply K0; assumption).
      rewrite (digits_ext r (fun i => word_at k (2 + i)%nat) (fun i => carry_at shifted (2 + i)%nat + carry_at carries i) (n - 2)) by (intros; apply K1; assumption).
      rewrite digits_add. cbn [pw]. ring. }
    assert (EC : carries_of carries = digits r (carry_at carries) (n - 2) + pw r (n - 2) * digits r (fun i => carry_at carries (n - 2 + i)%nat) 3).
    { unfold carries_of. fold r. replace (S n) with (n - 2 + 3)%nat by lia. apply digits_split. }
    assert (EH : carries_of shifted = digits r (carry_at shifted) n + pw r n * carry_at shifted n) by reflexivity.
    pose proof (Z.div_mod words (pw r (n - 1)) ltac:(pose proof (pw_pos r (n - 1) ltac:(lia)); lia)) as DW. rewrite PS in ES. rewrite PN.
    set (q := words / pw r (n - 1)) in *. set (v := words mod pw r (n - 1)) in *. set (T := digits r (fun i => carry_at carries (n - 2 + i)%nat) 3) in *.
    replace (s + k) with (p + - (q + T + carry_at shifted n) * pw r n); [apply Z_mod_plus_full |].
    rewrite EP, ES, EK, EC, EH, DW, P2. rewrite P2 in P1. replace (pw r (n - 1)) with (r * pw r (n - 2)) by (replace (n - 1)%nat with (S (n - 2)) by lia; reflexivity). ring.
  Qed.
End Columns.
