(* SPDX-License-Identifier: Apache-2.0 *)
(* Digit recurrences: one theorem behind every Montgomery multiplier of the library.

   A core keeps an integer Y. In step t it drops the lowest digit u_t, divides by the radix r, and adds a digit of an operand and
   a quotient digit that was found D steps before:

       r Y(t+1) = Y(t) - u(t) + r^e d(t) b + r^g q(t-D) M           (t = 0 .. m + D - 1;  q = 0 before the first)
       q(t)     = u(t) + c(t) - r c(t+1),  c(0) = 0                 (recoding: c is what a signed digit moves up)
       r^(g+D) M = N + 1                                            (N is a multiple of the modulus n, -1 modulo r^(g+D))

   Then      r^m P = Y(0) + r^e b A + N Q,   A = sum d(t) r^t, Q = sum q(t) r^t,
   where     P = r^D Y(m+D) + sum_(i<D) u(m+i) r^i + c(m).

   Nothing here depends on a width, a radix or a number of steps. Instances: Instances.v. *)
From Coq Require Import ZArith Lia.
Require Export Light.
Open Scope Z_scope.

(* ------------------------------------------------------------------ powers and digit sums *)

Fixpoint pw (r : Z) (k : nat) : Z := match k with O => 1 | S j => r * pw r j end.

Fixpoint digits (r : Z) (f : nat -> Z) (k : nat) : Z :=           (* sum_(t<k) f(t) r^t *)
  match k with O => 0 | S j => digits r f j + pw r j * f j end.

Definition delayed (D : nat) (q : nat -> Z) (t : nat) : Z := if Nat.ltb t D then 0 else q (t - D)%nat.

Lemma pw_add : forall r j k, pw r (j + k) = pw r j * pw r k.
Proof. induction j; intros; cbn [pw Nat.add]; [lia | rewrite IHj; ring]. Qed.

Lemma pw_mul : forall r j k, pw (pw r j) k = pw r (j * k).
Proof. induction k; [rewrite Nat.mul_0_r; reflexivity | rewrite Nat.mul_succ_r, Nat.add_comm, pw_add; cbn [pw]; rewrite IHk; reflexivity]. Qed.

Lemma pw_pos : forall r k, 0 < r -> 0 < pw r k.
Proof. induction k; cbn [pw]; intros; [lia | apply Z.mul_pos_pos; auto]. Qed.

Lemma pw_Z : forall r k, pw r k = r ^ Z.of_nat k.
Proof. induction k; [reflexivity | cbn [pw]; rewrite IHk, Nat2Z.inj_succ, Z.pow_succ_r by lia; ring]. Qed.

Lemma pw_le : forall r j k, 0 < r -> (j <= k)%nat -> pw r j <= pw r k.
Proof.
  intros r j k R L. replace k with (j + (k - j))%nat by lia. rewrite pw_add.
  pose proof (pw_pos r j R). pose proof (pw_pos r (k - j) R). nia.
Qed.

Lemma digits_ext : forall r f g k, (forall t, (t < k)%nat -> f t = g t) -> digits r f k = digits r g k.
Proof. induction k; intros H; cbn [digits]; [reflexivity | rewrite IHk, H by (intros; try apply H; lia); reflexivity]. Qed.

Lemma digits_add : forall r f g k, digits r (fun t => f t + g t) k = digits r f k + digits r g k.
Proof. induction k; cbn [digits]; [lia | rewrite IHk; ring]. Qed.

Lemma digits_scale : forall r x f k, digits r (fun t => x * f t) k = x * digits r f k.
Proof. induction k; cbn [digits]; [lia | rewrite IHk; ring]. Qed.

Lemma digits_split : forall r f j k, digits r f (j + k) = digits r f j + pw r j * digits r (fun i => f (j + i)%nat) k.
Proof.
  induction k; [rewrite Nat.add_0_r; cbn [digits]; ring |].
  rewrite Nat.add_succ_r; cbn [digits]. rewrite IHk, pw_add. ring.
Qed.

Lemma digits_zero : forall r f k, (forall t, (t < k)%nat -> f t = 0) -> digits r f k = 0.
Proof. induction k; intros H; cbn [digits]; [reflexivity | rewrite IHk, H by (intros; try apply H; lia); ring]. Qed.

Lemma digits_delayed : forall r q D m, digits r (delayed D q) (D + m) = pw r D * digits r q m.
Proof.
  intros. rewrite digits_split, (digits_zero r (delayed D q)).
  - rewrite Z.add_0_l. f_equal. apply digits_ext. intros t _. unfold delayed.
    destruct (Nat.ltb_spec (D + t) D); [lia | f_equal; lia].
  - intros t L. unfold delayed. destruct (Nat.ltb_spec t D); [reflexivity | lia].
Qed.

Lemma digits_bound : forall r f k, 0 < r -> (forall t, (t < k)%nat -> 0 <= f t < r) -> 0 <= digits r f k < pw r k.
Proof.
  induction k; intros R H; cbn [digits pw]; [lia |].
  specialize (IHk R (fun t L => H t (Nat.lt_lt_succ_r _ _ L))). specialize (H k (Nat.lt_succ_diag_r k)).
  pose proof (pw_pos r k R). nia.
Qed.

(* ------------------------------------------------------------------ the identity *)

Lemma telescope : forall r Y X T, (forall t, (t < T)%nat -> r * Y (S t) = Y t + X t) -> pw r T * Y T = Y O + digits r X T.
Proof.
  induction T; intros H; cbn [pw digits]; [lia |].
  rewrite <- Z.mul_assoc, (Z.mul_comm r), <- Z.mul_assoc, (Z.mul_comm (Y (S T)) r), H by lia.
  rewrite Z.mul_add_distr_l, IHT by (intros; apply H; lia). ring.
Qed.

Lemma recoded : forall r q u c m, (forall t, (t < m)%nat -> q t = u t + c t - r * c (S t)) ->
  digits r q m = digits r u m + c O - pw r m * c m.
Proof. induction m; intros H; cbn [pw digits]; [lia | rewrite IHm, H by (intros; try apply H; lia); ring]. Qed.

Section Recurrence.
  Variables (r b M N : Z) (e g D m : nat) (Y d q u c : nat -> Z).
  Hypothesis step : forall t, (t < D + m)%nat ->
    r * Y (S t) = Y t - u t + pw r e * (d t * b) + pw r g * (delayed D q t * M).
  Hypothesis recode : forall t, (t < m)%nat -> q t = u t + c t - r * c (S t).
  Hypothesis no_transfer : c O = 0.
  Hypothesis unit_modulus : pw r (g + D) * M = N + 1.

  Definition result : Z := pw r D * Y (D + m)%nat + digits r (fun i => u (m + i)%nat) D + c m.

  Theorem digit_recurrence :
    pw r m * result = Y O + pw r e * (b * digits r d (D + m)) + N * digits r q m.
  Proof.
    pose (X := fun t => (-1) * u t + (pw r e * b * d t + pw r g * M * delayed D q t)).
    assert (E : pw r (D + m) * Y (D + m)%nat = Y O + digits r X (D + m))
      by (apply telescope; intros; rewrite step by assumption; unfold X; ring).
    unfold X in E. rewrite !digits_add, !digits_scale, digits_delayed in E.
    rewrite (Nat.add_comm D m), (digits_split r u m D), (Nat.add_comm m D) in E.
    pose proof (recoded r q u c m recode) as Rq. rewrite no_transfer in Rq.
    rewrite pw_add in E, unit_modulus. unfold result.
    set (Q := digits r q m) in *. set (U := digits r u m) in *. set (V := digits r (fun i => u (m + i)%nat) D) in *.
    assert (F : pw r g * M * (pw r D * Q) = (N + 1) * Q) by (rewrite <- unit_modulus; ring).
    nia.
  Qed.
End Recurrence.

(* ------------------------------------------------------------------ the interval: step lemmas may assume it *)

Theorem interval : forall r lo hi Y X T, 1 < r -> lo <= Y O <= hi ->
  (forall t, (t < T)%nat -> lo <= Y t <= hi -> r * Y (S t) = Y t + X t /\ (r - 1) * lo <= X t <= (r - 1) * hi) ->
  forall t, (t <= T)%nat -> lo <= Y t <= hi.
Proof.
  intros r lo hi Y X T R B H. induction t; intros L; [assumption |].
  specialize (IHt (Nat.lt_le_incl _ _ L)). destruct (H t L IHt) as [E F]. nia.
Qed.

(* Signed digits: the quotient lies in [-r^m / 2, r^m / 2). *)
Definition transfers (r : Z) (u c : nat -> Z) (m : nat) :=
  forall t, (t < m)%nat -> c (S t) = if 2 * u t <? r then 0 else 1.


Theorem signed_quotient_bound : forall h q u c m, 0 < h -> (0 < m)%nat -> c O = 0 ->
  (forall t, (t < m)%nat -> 0 <= u t < 2 * h) -> transfers (2 * h) u c m ->
  (forall t, (t < m)%nat -> q t = u t + c t - 2 * h * c (S t)) ->
  - pw (2 * h) m <= 2 * digits (2 * h) q m < pw (2 * h) m.
Proof.
  intros h q u c m Hh Hm C0 U Tr Rq. rewrite (recoded _ q u c m Rq), C0.
  destruct m as [| k]; [lia |]. cbn [digits pw]. specialize (Tr k (Nat.lt_succ_diag_r k)).
  assert (B : 0 <= digits (2 * h) u k < pw (2 * h) k) by (apply digits_bound; [lia | intros; apply U; lia]).
  specialize (U k (Nat.lt_succ_diag_r k)). pose proof (pw_pos (2 * h) k ltac:(lia)) as P.
  rewrite Tr. destruct (Z.ltb_spec (2 * u k) (2 * h)); nia.
Qed.
