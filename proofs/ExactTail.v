(* SPDX-License-Identifier: Apache-2.0 *)
(* The exact tail: V + n Q, Q = V n' modulo r^D in centred digits, divided by r^D digit by digit. *)
From Coq Require Import ZArith Lia.
Require Import DigitRecurrence Instances Bits BoothRows.
Open Scope Z_scope.

(* Rows of k Booth terms times y, of m bits without signs: the multiples modulo 2^m. *)
Theorem multiples_sum : forall m y k row once twice negative, 0 <= m ->
  (forall j, (j < k)%nat -> 0 <= once j <= 1 /\ 0 <= twice j <= 1 /\ 0 <= negative j <= 1 /\ once j + twice j <= 1) ->
  (forall j, (j < k)%nat -> let x := (y * 2 ^ (2 * Z.of_nat j)) mod 2 ^ m in
    row j = Z.lxor (Z.lor (once j * x) (twice j * ((2 * x) mod 2 ^ m))) (negative j * (2 ^ m - 1))) ->
  (2 ^ m | total row k + total negative k - digits 4 (fun j => (once j + 2 * twice j) * (1 - 2 * negative j)) k * y).
Proof.
  intros m y k row once twice negative M terms rows.
  assert (E : forall i, digits 4 (fun j => (once j + 2 * twice j) * (1 - 2 * negative j)) i * y =
    total (fun j => (once j + 2 * twice j) * (1 - 2 * negative j) * (y * 2 ^ (2 * Z.of_nat j))) i).
  { induction i; cbn [digits total]; [lia |]. rewrite <- IHi. rewrite pw_Z. assert (2 ^ (2 * Z.of_nat i) = 4 ^ Z.of_nat i) as -> by (rewrite Z.pow_mul_r by lia; reflexivity). ring. }
  rewrite E. set (f := fun j => _ * (y * _)).
  pose proof (total_divides (2 ^ m) (fun j => row j - (f j - negative j)) k) as D. rewrite !total_sub in D.
  replace (total row k + total negative k - total f k) with (total row k - (total f k - total negative k)) by ring. apply D.
  intros j J. destruct (terms j J) as (O & T & N & Y). pose proof (booth_multiple m (y * 2 ^ (2 * Z.of_nat j)) _ _ _ _ M O T N Y (rows j J)) as B.
  fold (f j) in B. replace (row j - (f j - negative j)) with (row j + negative j - f j) by ring. exact B.
Qed.

Section Quotient.
  (* s, c: the pair before its digit g leaves it, with the carry k; v: the digits of V; t: the transfers between digits of Q. *)
  Variables (h ni : Z) (D : nat) (v s c g k t : nat -> Z).
  Let r := 2 * h.
  Let e (i : nat) : Z := g i + t i - r * t (S i).
  Hypotheses (radix : 1 < h) (some : (0 < D)%nat) (begins : (pw r D | s O + c O - v O * ni) /\ k O = 0 /\ t O = 0)
    (adds : forall i, (S i < D)%nat -> (pw r D | s (S i) + c (S i) - (s i / r + c i / r + v (S i) * ni)))
    (digit : forall i, (i < D)%nat -> g i + r * k (S i) = s i mod r + c i mod r + k i /\ 0 <= g i < r)
    (transfers : forall i, (i < D)%nat -> t (S i) = if 2 * g i <? r then 0 else 1).

  Lemma leaves : forall i, (i < D)%nat -> s i + c i + k i = g i + r * (s i / r + c i / r + k (S i)).
  Proof.
    intros i L. destruct (digit i L) as [E _]. pose proof (Z.div_mod (s i) r ltac:(unfold r; lia)). pose proof (Z.div_mod (c i) r ltac:(unfold r; lia)). lia.
  Qed.

  Lemma partial : forall i, (i < D)%nat -> (pw r D | digits r v (S i) * ni - (digits r g i + pw r i * (s i + c i + k i))).
  Proof.
    destruct begins as (B & K0 & _). induction i; intros L.
    - cbn [digits pw]. rewrite K0. apply Z.divide_opp_r in B. replace (_ - _) with (- (s O + c O - v O * ni)) by ring. exact B.
    - specialize (IHi ltac:(lia)). rewrite (leaves i ltac:(lia)) in IHi. pose proof (adds i L) as A. apply (Z.divide_mul_r _ (pw r (S i)) _) in A.
      cbn [digits pw] in *. set (x := s i / r + c i / r) in *.
      replace ((digits r v i + pw r i * v i + r * pw r i * v (S i)) * ni - (digits r g i + pw r i * g i + r * pw r i * (s (S i) + c (S i) + k (S i)))) with
        ((digits r v i + pw r i * v i) * ni - (digits r g i + pw r i * (g i + r * (x + k (S i)))) - r * pw r i * (s (S i) + c (S i) - (x + v (S i) * ni))) by ring.
      apply Z.divide_sub_r; assumption.
  Qed.

  Theorem exact_quotient : (pw r D | digits r v D * ni - digits r e D) /\ forall i, (i <= D)%nat -> (0 < i)%nat -> - pw r i <= 2 * digits r e i < pw r i.
  Proof.
    destruct begins as (_ & _ & T0). split.
    - rewrite (recoded r e g t D) by reflexivity. rewrite T0. replace D with (S (D - 1)) at 1 2 3 4 by lia. pose proof (partial (D - 1) ltac:(lia)) as P.
      rewrite (leaves (D - 1)) in P by lia. replace D with (S (D - 1)) in P at 1 by lia. cbn [digits pw] in *. set (j := (D - 1)%nat) in *.
      set (x := s j / r + c j / r + k (S j)) in *. replace (t D) with (t (S j)) by (unfold j; f_equal; lia).
      apply (Z.divide_add_r _ _ (r * pw r j * (x + t (S j)))) in P; [| apply Z.divide_factor_l]. match type of P with (_ | ?y) => match goal with |- (_ | ?x) => replace x with y by ring end end. exact P.
    - intros i L Hi. unfold r, e. apply (signed_quotient_bound h _ g t i); try assumption; try lia; try reflexivity; intros j J; [apply digit | apply transfers]; lia.
  Qed.
End Quotient.

(* ---------------------------------------------------------------- V + n Q, in D steps of which each drops a digit of zeros *)
Section Tail.
  Variables (h n ni V : Z) (D : nat) (e : nat -> Z).
  Let r := 2 * h.
  Hypotheses (radix : 1 < h) (some : (0 < D)%nat) (modulus : 0 < n) (inverse : (pw r D | n * ni + 1)) (quotient : (pw r D | V * ni - digits r e D))
    (e_range : forall i, (i <= D)%nat -> (0 < i)%nat -> - pw r i <= 2 * digits r e i < pw r i) (v_range : - (pw r D * n) < 2 * V < pw r D * n).
  Definition left_of (i : nat) : Z := (V + n * digits r e i) / pw r i.

  Lemma left_is : forall i, (i <= D)%nat -> pw r i * left_of i = V + n * digits r e i.
  Proof.
    intros i L. assert (R : 0 < r) by (unfold r; lia). pose proof (pw_pos r i R) as P.
    assert (W : (pw r D | V + n * digits r e D)).
    { apply (Z.divide_mul_r _ V _) in inverse. apply (Z.divide_mul_r _ n _) in quotient.
      replace (V + n * digits r e D) with (V * (n * ni + 1) - n * (V * ni - digits r e D)) by ring. apply Z.divide_sub_r; assumption. }
    assert (G : (pw r i | V + n * digits r e i)).
    { replace D with (i + (D - i))%nat in W by lia. rewrite pw_add, digits_split in W. apply (Z.divide_trans (pw r i)) in W; [| apply Z.divide_factor_l].
      replace (V + n * digits r e i) with (V + n * (digits r e i + pw r i * digits r (fun j => e (i + j)%nat) (D - i)) - pw r i * (n * digits r (fun j => e (i + j)%nat) (D - i))) by ring.
      apply Z.divide_sub_r; [exact W | apply Z.divide_factor_l]. }
    unfold left_of. destruct G as [z ->]. rewrite Z.div_mul by lia. ring.
  Qed.

  Lemma left_first : left_of O = V.
  Proof. pose proof (left_is O ltac:(lia)) as E. cbn [pw digits] in E. lia. Qed.

  Lemma left_next : forall i, (S i <= D)%nat -> r * left_of (S i) = left_of i + e i * n.
  Proof.
    intros i L. assert (R : 0 < r) by (unfold r; lia). pose proof (pw_pos r i R) as P. apply (Z.mul_reg_l _ _ (pw r i)); [lia |].
    pose proof (left_is (S i) L) as E. pose proof (left_is i ltac:(lia)) as F. cbn [pw digits] in E.
    replace (pw r i * (r * left_of (S i))) with (r * pw r i * left_of (S i)) by ring. rewrite E, (Z.mul_add_distr_l (pw r i) (left_of i)), F. ring.
  Qed.

  Lemma left_range : forall i, (i < D)%nat -> - (pw r D * n) <= r * left_of (S i) <= pw r D * n.
  Proof.
    intros i L. assert (R : 1 < r) by (unfold r; lia). pose proof (pw_pos r i ltac:(lia)) as P. pose proof (left_is (S i) L) as E. cbn [pw] in E.
    pose proof (e_range (S i) L ltac:(lia)) as B. cbn [pw] in B. pose proof (pw_le r (S i) D ltac:(lia) L) as G. cbn [pw] in G.
    apply (Z.mul_le_mono_nonneg_r _ _ n) in G; [| lia].
    assert (- (r * pw r i * n) <= 2 * (n * digits r e (S i)) <= r * pw r i * n).
    { pose proof (scale n (- (r * pw r i)) (2 * digits r e (S i)) (r * pw r i) ltac:(lia) ltac:(lia)). lia. }
    assert (B2 : Z.abs (pw r i * (r * left_of (S i))) <= pw r D * n) by (replace (pw r i * (r * left_of (S i))) with (r * pw r i * left_of (S i)) by ring; lia).
    rewrite Z.abs_mul, (Z.abs_eq (pw r i)) in B2 by lia.
    assert (1 * Z.abs (r * left_of (S i)) <= pw r i * Z.abs (r * left_of (S i))) by (apply Z.mul_le_mono_nonneg_r; lia). lia.
  Qed.

  Theorem exact_result : forall R a b, montgomery n R a b V -> montgomery n (R * pw r D) a b (left_of D) /\ - n < left_of D < n.
  Proof.
    intros R a b [z M]. pose proof (left_is D (le_n D)) as E. assert (P : 0 < pw r D) by (apply pw_pos; unfold r; lia). split.
    - exists (z + R * digits r e D). replace (left_of D * (R * pw r D)) with (R * (pw r D * left_of D)) by ring. rewrite E.
      replace (R * (V + n * digits r e D)) with (V * R + R * digits r e D * n) by ring. rewrite M. ring.
    - pose proof (e_range D (le_n D) some) as B.
      assert (- (pw r D * n) <= 2 * (n * digits r e D) <= pw r D * n).
      { pose proof (scale n (- pw r D) (2 * digits r e D) (pw r D) ltac:(lia) ltac:(lia)). lia. }
      assert (F : Z.abs (pw r D * left_of D) < pw r D * n) by lia. rewrite Z.abs_mul, (Z.abs_eq (pw r D)) in F by lia.
      apply Z.mul_lt_mono_pos_l in F; lia.
  Qed.
End Tail.
