(* SPDX-License-Identifier: Apache-2.0 *)
(* An element that computes (x + alpha b + theta n) / 2 word by word, the lowest first, theta the lowest bit of x + alpha b: words of r = 2 h. *)
From Coq Require Import ZArith Lia.
Require Import DigitRecurrence WordSerial.
Open Scope Z_scope.
Set Default Proof Using "All".

Definition word (r z : Z) (j : nat) : Z := (z / pw r j) mod r.

Lemma word_beyond : forall r z m j, 1 < r -> 0 <= z < pw r m -> (m <= j)%nat -> word r z j = 0.
Proof. intros r z m j R Z M. unfold word. pose proof (pw_le r m j ltac:(lia) M). rewrite Z.div_small by lia. apply Z.mod_0_l. lia. Qed.

Lemma halved : forall h u, 1 <= h -> h * ((u / (2 * h)) mod 2) + (u mod (2 * h)) / 2 = (u / 2) mod (2 * h).
Proof.
  intros h u H. pose proof (Z.div_mod u (2 * h) ltac:(lia)) as E. pose proof (Z.mod_pos_bound u (2 * h) ltac:(lia)) as M.
  set (q := u / (2 * h)) in *. set (m := u mod (2 * h)) in *. pose proof (Z.div_mod q 2 ltac:(lia)) as Q. pose proof (Z.mod_pos_bound q 2 ltac:(lia)) as Q0.
  set (q1 := q / 2) in *. set (q0 := q mod 2) in *. pose proof (Z.div_mod m 2 ltac:(lia)) as D. pose proof (Z.mod_pos_bound m 2 ltac:(lia)) as D0.
  assert (G : u / 2 = h * q0 + m / 2 + q1 * (2 * h)).
  { rewrite E. replace (2 * h * q + m) with (h * q * 2 + m) by ring. rewrite Z.div_add_l, Q by lia. ring. }
  rewrite G, Z_mod_plus_full. symmetry. apply Z.mod_small. assert (q0 = 0 \/ q0 = 1) as [-> | ->] by lia; lia.
Qed.

Section Row.
  Variables (h x b n alpha theta : Z).
  Let r := 2 * h.
  Hypothesis radix : 1 <= h.
  Let T := x + alpha * b + theta * n.

  Definition carried (j : nat) : Z := (x mod pw r j + alpha * (b mod pw r j) + theta * (n mod pw r j)) / pw r j.
  Definition value (j : nat) : Z := word r x j + alpha * word r b j + theta * word r n j + carried j.

  Lemma nothing_carried : carried 0 = 0.
  Proof. unfold carried. cbn [pw]. rewrite !Z.mod_1_r, Z.div_1_r. ring. Qed.

  Lemma carried_on : forall j, carried (S j) = value j / r.
  Proof.
    intros j. unfold carried, value. assert (R : 1 < r) by (unfold r; lia). pose proof (pw_pos r j ltac:(lia)) as P. rewrite !low_words by exact R. fold (word r x j) (word r b j) (word r n j).
    set (s := x mod pw r j + alpha * (b mod pw r j) + theta * (n mod pw r j)). set (d := word r x j + alpha * word r b j + theta * word r n j).
    match goal with |- ?z / _ = _ => replace z with (d * pw r j + s) by (unfold d, s; ring) end. cbn [pw]. rewrite (Z.mul_comm r), <- Z.div_div, Z.div_add_l by lia. reflexivity.
  Qed.

  Lemma value_word : forall j, value j mod r = word r T j.
  Proof.
    intros j. assert (R : 1 < r) by (unfold r; lia). pose proof (pw_pos r j ltac:(lia)) as P. unfold value, carried, word, T. set (p := pw r j) in *.
    assert (E : x + alpha * b + theta * n = (x / p + alpha * (b / p) + theta * (n / p)) * p + (x mod p + alpha * (b mod p) + theta * (n mod p))).
    { pose proof (Z.div_mod x p ltac:(lia)) as Ex. pose proof (Z.div_mod b p ltac:(lia)) as Eb. pose proof (Z.div_mod n p ltac:(lia)) as En. revert Ex Eb En.
      generalize (x / p) (x mod p) (b / p) (b mod p) (n / p) (n mod p). intros u x0 v b0 z n0 -> -> ->. ring. }
    rewrite E, Z.div_add_l by lia. generalize ((x mod p + alpha * (b mod p) + theta * (n mod p)) / p) (x / p) (b / p) (n / p). intros c u v z. clear E.
    assert (D : u + alpha * v + theta * z + c = u mod r + alpha * (v mod r) + theta * (z mod r) + c + (u / r + alpha * (v / r) + theta * (z / r)) * r).
    { pose proof (Z.div_mod u r ltac:(lia)) as Du. pose proof (Z.div_mod v r ltac:(lia)) as Dv. pose proof (Z.div_mod z r ltac:(lia)) as Dz. revert Du Dv Dz.
      generalize (u / r) (u mod r) (v / r) (v mod r) (z / r) (z mod r). intros u1 u0 v1 v0 z1 z0 -> -> ->. ring. }
    rewrite D,Z_mod_plus_full. reflexivity.
  Qed.

  Lemma lowest_bit : forall y, (y mod r) mod 2 = y mod 2.
  Proof using radix. intros y. unfold r. clear - radix. rewrite Z.rem_mul_r, (Z.mul_comm 2), Z_mod_plus_full by lia. apply Z.mod_mod. lia. Qed.

  (* The word that leaves: the lowest bit of the next value above the bits of this one. *)
  Lemma halved_word : forall j, h * (word r T (S j) mod 2) + (value j mod r) / 2 = word r (T / 2) j.
  Proof.
    intros j. assert (R : 0 < r) by (unfold r; lia). pose proof (pw_pos r j R) as P. rewrite value_word. unfold word. rewrite lowest_bit. cbn [pw].
    rewrite (Z.mul_comm r (pw r j)), <- Z.div_div by lia. revert P. generalize (pw r j). intros p P. unfold r. rewrite halved, !Z.div_div, (Z.mul_comm 2 p) by lia. reflexivity.
  Qed.

  (* ---------------------------------------------------------------- the element *)
  (* what comes in and what it holds, by the cycle; m words from the cycle s on *)
  Variables (first sum y z a next_a quotient kept_quotient carry total low rest : nat -> Z) (s m : nat).
  Hypotheses (quotient_is : forall t, quotient t = if first t =? 1 then (sum t mod 2 + a t * (y t mod 2)) mod 2 else kept_quotient t)
    (quotient_kept : forall t, kept_quotient (S t) = quotient t) (bit_kept : forall t, next_a (S t) = if first t =? 1 then a t else next_a t)
    (total_is : forall t, total t = sum t + (if first t =? 1 then a t else next_a t) * y t + quotient t * z t + (if first t =? 1 then 0 else carry t))
    (carry_kept : forall t, carry (S t) = total t / r) (rest_kept : forall t, rest (S t) = (total t mod r) / 2) (low_is : forall t, low t = total t mod 2)
    (theta_is : theta = (x + alpha * b) mod 2) (bit : (0 < m)%nat -> a s = alpha)
    (words : forall j, (j < m)%nat -> first (s + j)%nat = (if (j =? 0)%nat then 1 else 0) /\ sum (s + j)%nat = word r x j /\ y (s + j)%nat = word r b j /\ z (s + j)%nat = word r n j).

  Lemma totals : forall j, (j < m)%nat -> total (s + j)%nat = value j /\ next_a (s + S j)%nat = alpha /\ kept_quotient (s + S j)%nat = theta.
  Proof.
    induction j; intros L.
    - destruct (words 0%nat L) as (W1 & W2 & W3 & W4). pose proof (bit L) as B. rewrite Nat.add_0_r in *. cbn [Nat.eqb] in W1. replace (s + 1)%nat with (S s) by lia.
      assert (Q : quotient s = theta).
      { rewrite quotient_is, W1, W2, W3, B, theta_is. cbn [Z.eqb Pos.eqb]. unfold word. cbn [pw]. rewrite !Z.div_1_r, !lowest_bit.
        rewrite (Z.add_mod x), (Z.mul_mod alpha) by lia. rewrite (Z.add_mod (x mod 2)), (Z.mul_mod alpha (b mod 2)), !Z.mod_mod by lia. reflexivity. }
      rewrite quotient_kept, bit_kept, total_is, Q, W1, W2, W3, W4, B. cbn [Z.eqb Pos.eqb]. unfold value. rewrite nothing_carried. auto.
    - destruct (IHj ltac:(lia)) as (V & Na & K). destruct (words (S j) L) as (W1 & W2 & W3 & W4). cbn [Nat.eqb] in W1. replace (s + S (S j))%nat with (S (s + S j)) by lia.
      assert (Q : quotient (s + S j)%nat = theta) by (rewrite quotient_is, W1; exact K).
      rewrite quotient_kept, bit_kept, total_is, Q, W1, W2, W3, W4, Na. cbn [Z.eqb]. replace (s + S j)%nat with (S (s + j)) by lia. rewrite carry_kept, V. unfold value at 2. rewrite carried_on. auto.
  Qed.

  Theorem leaves : forall j, (S j < m)%nat \/ S j = m /\ low (s + m)%nat = 0 /\ 0 <= T < pw r m -> h * low (s + S j)%nat + rest (s + S j)%nat = word r (T / 2) j.
  Proof.
    intros j L. assert (J : (j < m)%nat) by lia. rewrite <- halved_word. replace (s + S j)%nat with (S (s + j)) at 2 by lia. rewrite rest_kept. destruct (totals j J) as (-> & _). f_equal. f_equal.
    destruct L as [L | (L & Z0 & B)].
    - rewrite low_is. destruct (totals (S j) L) as (-> & _). rewrite <- value_word, lowest_bit. reflexivity.
    - rewrite L, Z0, (word_beyond r T m m ltac:(unfold r; lia) B (le_n m)). reflexivity.
  Qed.
End Row.
