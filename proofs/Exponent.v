(* SPDX-License-Identifier: Apache-2.0 *)
(* Exponentiation over any closed multiplier that keeps the contract: exponents add, whatever the order of multiplications. *)
From Coq Require Import ZArith Lia.
Require Import DigitRecurrence Instances.
Open Scope Z_scope.

Section Exponentiation.
  Variables (n R Ri : Z) (ok : Z -> Prop) (mul : Z -> Z -> Z).
  Hypothesis inverse : exists k, R * Ri = 1 + k * n.                                       (* gcd(R, n) = 1 *)
  Hypothesis contract : forall a b, ok a -> ok b -> ok (mul a b) /\ montgomery n R a b (mul a b).

  (* X stands for x^k in the Montgomery domain: a legal operand, X = x^k R (mod n). *)
  Definition stands (x : Z) (k : nat) (X : Z) : Prop := ok X /\ exists j, X = pw x k * R + j * n.

  Theorem exponents_add : forall x i j X Y, stands x i X -> stands x j Y -> stands x (i + j) (mul X Y).
  Proof.
    intros x i j X Y [OX [s EX]] [OY [t EY]]. destruct (contract X Y OX OY) as [O [k E]]. destruct inverse as [v V].
    split; [exact O |]. rewrite pw_add, EX, EY in *. set (a := pw x i) in *. set (b := pw x j) in *. set (p := mul _ _) in *.
    exists (a * b * R * v + a * R * t * Ri + s * b * R * Ri + s * t * n * Ri + k * Ri - p * v).
    assert (F : p * (R * Ri) = ((a * R + s * n) * (b * R + t * n) + k * n) * Ri) by (rewrite <- E; ring).
    assert (G : p = p * (R * Ri) - p * (v * n)) by (rewrite V; ring). rewrite G at 1. rewrite F.
    assert (H : a * R * (b * R) * Ri = a * b * R * (R * Ri)) by ring.
    replace (((a * R + s * n) * (b * R + t * n) + k * n) * Ri) with
      (a * R * (b * R) * Ri + (a * R * t * Ri + s * b * R * Ri + s * t * n * Ri + k * Ri) * n) by ring.
    rewrite H, V. ring.
  Qed.

  (* Into the domain with R^2 mod n, and out with 1. *)
  Lemma enter : forall x r2, ok x -> ok r2 -> (exists k, r2 = R * R + k * n) -> stands x 1 (mul x r2).
  Proof.
    intros x r2 Ox O2 [k E2]. destruct (contract x r2 Ox O2) as [O [j E]]. destruct inverse as [v V]. split; [exact O |].
    cbn [pw]. set (p := mul x r2) in *. exists (x * R * v + x * k * Ri + j * Ri - p * v).
    assert (p * (R * Ri) = (x * r2 + j * n) * Ri) by (rewrite <- E; ring). rewrite E2, V in H.
    assert (x * (R * R) * Ri = x * R * (1 + v * n)) by (rewrite <- V; ring). nia.
  Qed.

  Lemma leave : forall x k X, stands x k X -> ok 1 -> exists j, mul X 1 = pw x k + j * n.
  Proof.
    intros x k X [OX [s EX]] O1. destruct (contract X 1 OX O1) as [_ [j E]]. destruct inverse as [v V].
    set (p := mul X 1) in *. exists (pw x k * v + s * Ri + j * Ri - p * v).
    assert (p * (R * Ri) = (X * 1 + j * n) * Ri) by (rewrite <- E; ring). rewrite EX, V in H.
    assert (pw x k * R * Ri = pw x k * (1 + v * n)) by (rewrite <- V; ring). nia.
  Qed.

  Fixpoint value (w : nat) (e : nat -> nat) (k : nat) : nat :=                              (* digits of the exponent, highest first *)
    match k with O => O | S j => 2 ^ w * value w e j + e j end.

  Fixpoint squares (w : nat) (X : Z) : Z := match w with O => X | S j => let Y := squares j X in mul Y Y end.

  Lemma squares_stand : forall x w k X, stands x k X -> stands x (2 ^ w * k) (squares w X).
  Proof.
    induction w; intros; cbn [squares Nat.pow]; [rewrite Nat.mul_1_l; assumption |].
    replace (2 * 2 ^ w * k)%nat with (2 ^ w * k + 2 ^ w * k)%nat by lia. apply exponents_add; apply IHw; assumption.
  Qed.

  (* Fixed windows of w bits (w = 1: square and multiply always); the table holds x^0 .. x^(2^w - 1). *)
  Theorem windows : forall x w e T A k, (forall i, (i < 2 ^ w)%nat -> stands x i (T i)) -> (forall i, (i < k)%nat -> (e i < 2 ^ w)%nat) ->
    stands x 0 (A O) -> (forall i, (i < k)%nat -> A (S i) = mul (squares w (A i)) (T (e i))) -> stands x (value w e k) (A k).
  Proof.
    induction k; intros Tb E A0 H; cbn [value]; [assumption |]. rewrite H by lia.
    apply exponents_add; [apply squares_stand, IHk; auto | apply Tb, E; lia].
  Qed.

  (* Montgomery's ladder. *)
  Theorem ladder : forall x e A B k, (forall i, (i < k)%nat -> (e i < 2)%nat) -> stands x 0 (A O) -> stands x 1 (B O) ->
    (forall i, (i < k)%nat -> (e i = 0%nat -> A (S i) = mul (A i) (A i) /\ B (S i) = mul (A i) (B i)) /\
                              (e i = 1%nat -> A (S i) = mul (A i) (B i) /\ B (S i) = mul (B i) (B i))) ->
    stands x (value 1 e k) (A k) /\ stands x (value 1 e k + 1) (B k).
  Proof.
    induction k; intros E A0 B0 H; [auto |].
    destruct IHk as [HA HB]; auto. destruct (H k (Nat.lt_succ_diag_r k)) as [H0 H1]. specialize (E k (Nat.lt_succ_diag_r k)).
    cbn [value]. rewrite Nat.pow_1_r. set (v := value 1 e k) in *.
    destruct (e k) as [| [| z]]; [destruct (H0 eq_refl) as [-> ->] | destruct (H1 eq_refl) as [-> ->] | lia]; split.
    - replace (2 * v + 0)%nat with (v + v)%nat by lia. apply exponents_add; auto.
    - replace (2 * v + 0 + 1)%nat with (v + (v + 1))%nat by lia. apply exponents_add; auto.
    - replace (2 * v + 1)%nat with (v + (v + 1))%nat by lia. apply exponents_add; auto.
    - replace (2 * v + 1 + 1)%nat with ((v + 1) + (v + 1))%nat by lia. apply exponents_add; auto.
  Qed.
End Exponentiation.
