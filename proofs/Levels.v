(* SPDX-License-Identifier: Apache-2.0 *)
(* mf_compressor_tree level by level, for any number of rows: vectors of m bits whose sum is that of the inputs, less carries out of the topmost place. *)
From Coq Require Import ZArith Lia.
Require Import Contract Bits BoothRows UnitAccumulator.
Open Scope Z_scope.

(* The k vectors side by side in y have the sum of the n in x, but for multiples of 2^m that are lost. *)
Definition reduced (m x n y k : Z) : Prop := exists lost, 0 <= lost /\ total (place m y) (Z.to_nat k) = total (place m x) (Z.to_nat n) - 2 ^ m * lost.

Lemma reduced_to_itself : forall m x n, reduced m x n x n.
Proof. intros. exists 0. split; [reflexivity | ring]. Qed.

Lemma reduced_further : forall m x n y k z l, reduced m x n y k -> reduced m y k z l -> reduced m x n z l.
Proof. intros m x n y k z l (i & I & E) (j & J & F). exists (i + j). split; [lia |]. rewrite F, E. ring. Qed.

(* ---------------------------------------------------------------- rows *)
Lemma row_loses : forall m x y z s c, 0 <= m -> 0 <= x -> 0 <= y -> 0 <= z -> s = Z.lxor (Z.lxor x y) z ->
  c = (2 * Z.lor (Z.land x y) (Z.land (Z.lxor x y) z)) mod 2 ^ m + 0 -> exists j, 0 <= j /\ s + c = x + y + z - 2 ^ m * j /\ 0 <= s /\ 0 <= c.
Proof.
  intros m x y z s c M X Y U -> ->. pose proof (full_adder x y z X Y U) as E. assert (P : 0 < 2 ^ m) by (apply Z.pow_pos_nonneg; lia).
  assert (A : 0 <= Z.lxor x y) by (rewrite Z.lxor_nonneg; tauto). assert (B : 0 <= Z.lxor (Z.lxor x y) z) by (rewrite Z.lxor_nonneg; tauto).
  assert (C : 0 <= Z.lor (Z.land x y) (Z.land (Z.lxor x y) z)) by (apply Z.lor_nonneg; rewrite !Z.land_nonneg; tauto).
  set (k := Z.lor _ _) in *. exists (2 * k / 2 ^ m). pose proof (Z.div_mod (2 * k) (2 ^ m) ltac:(lia)). pose proof (Z.mod_pos_bound (2 * k) (2 ^ m) P).
  split; [apply Z.div_pos; lia |]. lia.
Qed.

Lemma compressor_loses : forall m a b c d s k, 0 <= m -> 0 <= a -> 0 <= b -> 0 <= c -> 0 <= d ->
  let half := Z.lxor (Z.lxor a b) c in let carry := (2 * Z.lor (Z.land a b) (Z.land (Z.lxor a b) c)) mod 2 ^ m + 0 in
  s = Z.lxor (Z.lxor half d) carry -> k = (2 * Z.lor (Z.land half d) (Z.land (Z.lxor half d) carry)) mod 2 ^ m + 0 ->
  exists j, 0 <= j /\ s + k = a + b + c + d - 2 ^ m * j.
Proof.
  intros m a b c d s k M A B C D half carry S K. destruct (row_loses m a b c half carry M A B C eq_refl eq_refl) as (i & I & E & H1 & H2).
  destruct (row_loses m half d carry s k M H1 D H2 S K) as (j & J & F & _). exists (i + j). split; [lia |]. lia.
Qed.

(* ---------------------------------------------------------------- groups of a level *)
Section Groups.
  Variables (M : Z) (u v : nat -> Z).

  Lemma sum_of_fours : forall k, (forall g, (g < k)%nat -> exists j, 0 <= j /\ v (2 * g)%nat + v (2 * g + 1)%nat = u (4 * g + 3)%nat + u (4 * g + 2)%nat + u (4 * g + 1)%nat + u (4 * g)%nat - M * j) ->
    exists j, 0 <= j /\ total v (2 * k) = total u (4 * k) - M * j.
  Proof.
    induction k; intros H; [exists 0; split; [reflexivity |]; cbn [Nat.mul Nat.add total]; ring |]. destruct (IHk ltac:(intros; apply H; lia)) as (i & I & E). destruct (H k ltac:(lia)) as (j & J & F).
    exists (i + j). split; [lia |]. replace (2 * S k)%nat with (S (S (2 * k))) by lia. replace (4 * S k)%nat with (S (S (S (S (4 * k))))) by lia. cbn [total]. rewrite E.
    replace (S (2 * k)) with (2 * k + 1)%nat by lia. replace (S (S (S (4 * k)))) with (4 * k + 3)%nat by lia. replace (S (S (4 * k))) with (4 * k + 2)%nat by lia.
    replace (S (4 * k)) with (4 * k + 1)%nat by lia. lia.
  Qed.

  Lemma sum_of_threes : forall k, (forall g, (g < k)%nat -> exists j, 0 <= j /\ v (2 * g)%nat + v (2 * g + 1)%nat = u (3 * g + 2)%nat + u (3 * g + 1)%nat + u (3 * g)%nat - M * j) ->
    exists j, 0 <= j /\ total v (2 * k) = total u (3 * k) - M * j.
  Proof.
    induction k; intros H; [exists 0; split; [reflexivity |]; cbn [Nat.mul Nat.add total]; ring |]. destruct (IHk ltac:(intros; apply H; lia)) as (i & I & E). destruct (H k ltac:(lia)) as (j & J & F).
    exists (i + j). split; [lia |]. replace (2 * S k)%nat with (S (S (2 * k))) by lia. replace (3 * S k)%nat with (S (S (S (3 * k)))) by lia. cbn [total]. rewrite E.
    replace (S (2 * k)) with (2 * k + 1)%nat by lia. replace (S (S (3 * k))) with (3 * k + 2)%nat by lia. replace (S (3 * k)) with (3 * k + 1)%nat by lia. lia.
  Qed.
End Groups.

(* ---------------------------------------------------------------- a level *)
Section Level.
  Variables (m x y fours threes passed : Z).
  Local Notation of v place := (part v (place * m) m).
  Local Notation sums a b c := (Z.lxor (Z.lxor a b) c).
  Local Notation carries a b c := ((2 * Z.lor (Z.land a b) (Z.land (Z.lxor a b) c)) mod 2 ^ m + 0).
  Hypotheses (sizes : 0 <= m /\ 0 <= fours /\ 0 <= threes /\ 0 <= passed)
    (in_fours : forall g, 0 <= g < fours -> of y (2 * g + 0) = Z.lxor (Z.lxor (sums (of x (4 * g + 3)) (of x (4 * g + 2)) (of x (4 * g + 1))) (of x (4 * g + 0)))
        (carries (of x (4 * g + 3)) (of x (4 * g + 2)) (of x (4 * g + 1))) /\
      of y (2 * g + 1) = carries (sums (of x (4 * g + 3)) (of x (4 * g + 2)) (of x (4 * g + 1))) (of x (4 * g + 0)) (carries (of x (4 * g + 3)) (of x (4 * g + 2)) (of x (4 * g + 1))))
    (in_threes : forall g, 0 <= g < threes ->
      of y (2 * g + (2 * fours + 0)) = sums (of x (3 * g + (4 * fours + 2))) (of x (3 * g + (4 * fours + 1))) (of x (3 * g + (4 * fours + 0))) /\
      of y (2 * g + (2 * fours + 1)) = carries (of x (3 * g + (4 * fours + 2))) (of x (3 * g + (4 * fours + 1))) (of x (3 * g + (4 * fours + 0))))
    (passing : forall g, 0 <= g < passed -> of y (g + (2 * fours + 2 * threes)) = of x (g + (4 * fours + 3 * threes))).

  Theorem level : reduced m x (4 * fours + 3 * threes + passed) y (2 * fours + 2 * threes + passed).
  Proof.
    set (f := Z.to_nat fours). set (h := Z.to_nat threes). set (p := Z.to_nat passed).
    assert (EF : fours = Z.of_nat f) by (unfold f; lia). assert (EH : threes = Z.of_nat h) by (unfold h; lia). assert (EP : passed = Z.of_nat p) by (unfold p; lia).
    unfold reduced. replace (Z.to_nat (4 * fours + 3 * threes + passed)) with (4 * f + 3 * h + p)%nat by lia. replace (Z.to_nat (2 * fours + 2 * threes + passed)) with (2 * f + 2 * h + p)%nat by lia.
    rewrite !total_split. clearbody f h p. subst fours threes passed.
    assert (at_ : forall v i j, Z.of_nat i = j -> of v j = place m v i) by (intros v i j <-; reflexivity). assert (some : forall v i, 0 <= place m v i) by (intros; apply part_range; lia).
    destruct (sum_of_fours (2 ^ m) (place m x) (place m y) f) as (i & I & E).
    { intros g G. destruct (in_fours (Z.of_nat g) ltac:(lia)) as [S C]. rewrite !(at_ x (4 * g + 3)%nat), !(at_ x (4 * g + 2)%nat), !(at_ x (4 * g + 1)%nat), !(at_ x (4 * g)%nat) in S, C by lia.
      rewrite (at_ y (2 * g)%nat) in S by lia. rewrite (at_ y (2 * g + 1)%nat) in C by lia. apply (compressor_loses m _ _ _ _ _ _ ltac:(lia) (some _ _) (some _ _) (some _ _) (some _ _) S C). }
    destruct (sum_of_threes (2 ^ m) (fun i => place m x (4 * f + i)%nat) (fun i => place m y (2 * f + i)%nat) h) as (j & J & F).
    { intros g G. destruct (in_threes (Z.of_nat g) ltac:(lia)) as [S C].
      rewrite !(at_ x (4 * f + (3 * g + 2))%nat), !(at_ x (4 * f + (3 * g + 1))%nat), !(at_ x (4 * f + 3 * g)%nat) in S, C by lia.
      rewrite (at_ y (2 * f + 2 * g)%nat) in S by lia. rewrite (at_ y (2 * f + (2 * g + 1))%nat) in C by lia.
      destruct (row_loses m _ _ _ _ _ ltac:(lia) (some _ _) (some _ _) (some _ _) S C) as (j & J & D & _). exists j. auto. }
    exists (i + j). split; [lia |]. rewrite E, F, (total_ext (fun i => place m y (2 * f + 2 * h + i)%nat) (fun i => place m x (4 * f + 3 * h + i)%nat)); [ring |].
    intros k K. rewrite <- (at_ y (2 * f + 2 * h + k)%nat (Z.of_nat k + (2 * Z.of_nat f + 2 * Z.of_nat h))), <- (at_ x (4 * f + 3 * h + k)%nat (Z.of_nat k + (4 * Z.of_nat f + 3 * Z.of_nat h))) by lia.
    apply passing. lia.
  Qed.
End Level.

(* Proves reduced from the statements H on all levels of a tree, and on its result. *)
Ltac by_levels H := first
  [ rewrite H; exact (reduced_to_itself _ _ _)
  | let F := fresh in let T := fresh in let P := fresh in destruct H as (F & T & P & H);
    match type of F with forall g : Z, 0 <= g < ?fours -> _ => match type of T with forall g : Z, 0 <= g < ?threes -> _ => match type of P with forall g : Z, 0 <= g < ?passed -> _ =>
      match goal with |- reduced ?m _ _ _ _ => eapply reduced_further; [exact (level m _ _ fours threes passed ltac:(lia) F T P) | clear F T P; by_levels H] end end end end ].

