(* SPDX-License-Identifier: Apache-2.0 *)
(* mf_pipelined_sum: levels of a compressor tree on any number of vectors of m bits, and rows of multiples of a constant. *)
From Coq Require Import ZArith Lia.
Require Import DigitRecurrence Contract Bits BoothRows Groups.
Open Scope Z_scope.
Set Default Proof Using "All".

(* vector i of those side by side in x *)
Definition vector (m x i : Z) : Z := part x (i * m) m.
Definition vectors (m x : Z) (i : nat) : Z := vector m x (Z.of_nat i).

(* ---------------------------------------------------------------- a level *)
Definition sum_of (a b c : Z) : Z := Z.lxor (Z.lxor a b) c.
Definition carry_of (m a b c : Z) : Z := (2 * Z.lor (Z.land a b) (Z.land (Z.lxor a b) c)) mod 2 ^ m + 0.

Lemma total_blocks : forall M f h p q k, (forall g, (g < k)%nat -> (M | total (fun i => f (p * g + i)%nat) p - total (fun i => h (q * g + i)%nat) q)) ->
  (M | total f (p * k) - total h (q * k)).
Proof.
  induction k; intros H; [rewrite !Nat.mul_0_r; cbn [total]; apply Z.divide_0_r |].
  replace (p * S k)%nat with (p * k + p)%nat by lia. replace (q * S k)%nat with (q * k + q)%nat by lia. rewrite !total_split.
  pose proof (IHk ltac:(intros; apply H; lia)) as A. pose proof (H k ltac:(lia)) as B. by_sum.
Qed.

Section Level.
  Variables (m x y fours threes passes : Z).
  Hypotheses (width : 0 <= m) (counts : 0 <= fours /\ 0 <= threes /\ 0 <= passes)
    (H4 : forall g, 0 <= g < fours ->
      vector m y (2 * g + 0) = sum_of (sum_of (vector m x (4 * g + 3)) (vector m x (4 * g + 2)) (vector m x (4 * g + 1))) (vector m x (4 * g + 0))
        ((2 * Z.lor (Z.land (vector m x (4 * g + 3)) (vector m x (4 * g + 2)))
          (Z.land (Z.lxor (vector m x (4 * g + 3)) (vector m x (4 * g + 2))) (vector m x (4 * g + 1)))) mod 2 ^ m + 0) /\
      vector m y (2 * g + 1) = carry_of m (sum_of (vector m x (4 * g + 3)) (vector m x (4 * g + 2)) (vector m x (4 * g + 1))) (vector m x (4 * g + 0))
        ((2 * Z.lor (Z.land (vector m x (4 * g + 3)) (vector m x (4 * g + 2)))
          (Z.land (Z.lxor (vector m x (4 * g + 3)) (vector m x (4 * g + 2))) (vector m x (4 * g + 1)))) mod 2 ^ m + 0))
    (H3 : forall g, 0 <= g < threes ->
      vector m y (2 * fours + 2 * g + 0) = sum_of (vector m x (4 * fours + 3 * g + 2)) (vector m x (4 * fours + 3 * g + 1)) (vector m x (4 * fours + 3 * g + 0)) /\
      vector m y (2 * fours + 2 * g + 1) =
        carry_of m (vector m x (4 * fours + 3 * g + 2)) (vector m x (4 * fours + 3 * g + 1)) (vector m x (4 * fours + 3 * g + 0)))
    (H1 : forall g, 0 <= g < passes -> vector m y (2 * fours + 2 * threes + g) = vector m x (4 * fours + 3 * threes + g)).

  Lemma vector_range : forall z i, 0 <= vector m z i < 2 ^ m.
  Proof. intros. apply part_range, width. Qed.

  Lemma sum_nonneg : forall a b c, 0 <= a -> 0 <= b -> 0 <= c -> 0 <= sum_of a b c.
  Proof. intros a b c A B C. unfold sum_of. rewrite !Z.lxor_nonneg. tauto. Qed.

  Theorem level_sum : (2 ^ m | total (vectors m y) (Z.to_nat (2 * fours + 2 * threes + passes)) - total (vectors m x) (Z.to_nat (4 * fours + 3 * threes + passes))).
  Proof.
    pose proof (Z.pow_pos_nonneg 2 m ltac:(lia) width) as Q. set (F := Z.to_nat fours). set (T := Z.to_nat threes). set (P := Z.to_nat passes).
    replace (Z.to_nat (2 * fours + 2 * threes + passes)) with (2 * F + (2 * T + P))%nat by lia.
    replace (Z.to_nat (4 * fours + 3 * threes + passes)) with (4 * F + (3 * T + P))%nat by lia. rewrite !total_split.
    assert (A : (2 ^ m | total (vectors m y) (2 * F) - total (vectors m x) (4 * F))).
    { apply total_blocks. intros g G. cbn [total]. unfold vectors. rewrite !Nat2Z.inj_add, !Nat2Z.inj_mul. set (i := Z.of_nat g).
      change (Z.of_nat 0) with 0. change (Z.of_nat 1) with 1. change (Z.of_nat 2) with 2. change (Z.of_nat 3) with 3. change (Z.of_nat 4) with 4.
      destruct (H4 i ltac:(lia)) as [S C]. unfold carry_of in C. unfold sum_of in S at 1.
      set (below := (2 * Z.lor (Z.land (vector m x (4 * i + 3)) (vector m x (4 * i + 2))) _) mod 2 ^ m + 0) in *. set (half := sum_of _ _ _) in *.
      pose proof (vector_range x (4 * i + 0)). pose proof (vector_range x (4 * i + 1)). pose proof (vector_range x (4 * i + 2)). pose proof (vector_range x (4 * i + 3)).
      assert (0 <= below) by (pose proof (Z.mod_pos_bound (2 * Z.lor (Z.land (vector m x (4 * i + 3)) (vector m x (4 * i + 2)))
          (Z.land (Z.lxor (vector m x (4 * i + 3)) (vector m x (4 * i + 2))) (vector m x (4 * i + 1)))) (2 ^ m) ltac:(lia)); unfold below; lia).
      pose proof (row m (vector m x (4 * i + 3)) (vector m x (4 * i + 2)) (vector m x (4 * i + 1)) half below 0 width ltac:(lia) ltac:(lia) ltac:(lia) eq_refl eq_refl) as D1.
      pose proof (row m half (vector m x (4 * i + 0)) below _ _ 0 width ltac:(apply sum_nonneg; lia) ltac:(lia) ltac:(lia) S C) as D2. clear - D1 D2. by_sum. }
    assert (B : (2 ^ m | total (fun i => vectors m y (2 * F + i)) (2 * T) - total (fun i => vectors m x (4 * F + i)) (3 * T))).
    { apply total_blocks. intros g G. cbn [total]. unfold vectors. rewrite !Nat2Z.inj_add, !Nat2Z.inj_mul. set (i := Z.of_nat g).
      change (Z.of_nat 0) with 0. change (Z.of_nat 1) with 1. change (Z.of_nat 2) with 2. change (Z.of_nat 3) with 3. change (Z.of_nat 4) with 4.
      replace (Z.of_nat F) with fours by lia. rewrite !Z.add_assoc. destruct (H3 i ltac:(lia)) as [S C]. unfold carry_of in C. unfold sum_of in S.
      pose proof (vector_range x (4 * fours + 3 * i + 0)). pose proof (vector_range x (4 * fours + 3 * i + 1)). pose proof (vector_range x (4 * fours + 3 * i + 2)).
      pose proof (row m (vector m x (4 * fours + 3 * i + 2)) (vector m x (4 * fours + 3 * i + 1)) (vector m x (4 * fours + 3 * i + 0)) _ _ 0 width ltac:(lia) ltac:(lia) ltac:(lia) S C) as D1. clear - D1. by_sum. }
    rewrite (total_ext (fun i => vectors m y (2 * F + (2 * T + i))) (fun i => vectors m x (4 * F + (3 * T + i)))).
    - clear - A B. by_sum.
    - intros i I. unfold vectors. replace (Z.of_nat (2 * F + (2 * T + i))) with (2 * fours + 2 * threes + Z.of_nat i) by lia.
      replace (Z.of_nat (4 * F + (3 * T + i))) with (4 * fours + 3 * threes + Z.of_nat i) by lia. apply H1. lia.
  Qed.
End Level.

(* After a level the vectors still have the sum v. *)
Theorem level_keeps : forall m x y fours threes passes,
  (forall g, 0 <= g < fours ->
      vector m y (2 * g + 0) = sum_of (sum_of (vector m x (4 * g + 3)) (vector m x (4 * g + 2)) (vector m x (4 * g + 1))) (vector m x (4 * g + 0))
        ((2 * Z.lor (Z.land (vector m x (4 * g + 3)) (vector m x (4 * g + 2)))
          (Z.land (Z.lxor (vector m x (4 * g + 3)) (vector m x (4 * g + 2))) (vector m x (4 * g + 1)))) mod 2 ^ m + 0) /\
      vector m y (2 * g + 1) = carry_of m (sum_of (vector m x (4 * g + 3)) (vector m x (4 * g + 2)) (vector m x (4 * g + 1))) (vector m x (4 * g + 0))
        ((2 * Z.lor (Z.land (vector m x (4 * g + 3)) (vector m x (4 * g + 2)))
          (Z.land (Z.lxor (vector m x (4 * g + 3)) (vector m x (4 * g + 2))) (vector m x (4 * g + 1)))) mod 2 ^ m + 0)) ->
  (forall g, 0 <= g < threes ->
      vector m y (2 * fours + 2 * g + 0) = sum_of (vector m x (4 * fours + 3 * g + 2)) (vector m x (4 * fours + 3 * g + 1)) (vector m x (4 * fours + 3 * g + 0)) /\
      vector m y (2 * fours + 2 * g + 1) =
        carry_of m (vector m x (4 * fours + 3 * g + 2)) (vector m x (4 * fours + 3 * g + 1)) (vector m x (4 * fours + 3 * g + 0))) ->
  (forall g, 0 <= g < passes -> vector m y (2 * fours + 2 * threes + g) = vector m x (4 * fours + 3 * threes + g)) ->
  forall v before after, (2 ^ m | total (vectors m x) before - v) -> before = Z.to_nat (4 * fours + 3 * threes + passes) ->
  after = Z.to_nat (2 * fours + 2 * threes + passes) -> 0 <= m -> 0 <= fours /\ 0 <= threes /\ 0 <= passes -> (2 ^ m | total (vectors m y) after - v).
Proof.
  intros m x y fours threes passes H4 H3 H1 v before after A -> -> M C. pose proof (level_sum m x y fours threes passes M C H4 H3 H1) as B. by_sum.
Qed.

(* The pair a, b that is left, to binary, by mf_pipelined_adder. *)
Theorem pipelined_sum : forall m a b sums generates propagates carries out v, 1 <= m ->
  let some := (m + 8 - 1) / 8 in let bits := fun g => Z.min 8 (m - g * 8) in
  (forall g, 0 <= g < some ->
    part sums (0 + g * 8) (bits g) + 2 ^ bits g * part generates g 1 = part a (g * 8) (bits g) + part b (g * 8) (bits g) + (if g =? 0 then 0 else 0) /\
    part propagates g 1 = if part a (g * 8) (bits g) + part b (g * 8) (bits g) =? 2 ^ bits g - 1 then 1 else 0) ->
  (forall g, 0 <= g < some -> (carries / 2 ^ g) mod 2 =
    if part generates g 1 =? 1 then 1 else if part propagates g 1 =? 1 then ((2 * carries) / 2 ^ g) mod 2 else 0) ->
  (forall g, 0 <= g < some -> part out (0 + g * 8) (bits g) = (part sums (0 + g * 8) (bits g) + ((2 * carries) / 2 ^ g) mod 2) mod 2 ^ bits g) ->
  (2 ^ m | part a 0 m + part b 0 m - v) -> part out 0 m = v mod 2 ^ m.
Proof.
  intros m a b sums generates propagates carries out v M some bits G C S [k D].
  pose proof (converted 8 m 0 a b 0 sums out generates propagates carries ltac:(lia) M ltac:(lia) ltac:(lia) G ltac:(intros; apply C; lia) S) as E.
  rewrite E. replace (part a 0 m + part b 0 m + 0) with (v + k * 2 ^ m) by lia. apply Z_mod_plus_full.
Qed.

(* A is that the vectors in a net have a sum, from H, the lemma on a tree: those of the net of the last stage. *)
Ltac find_net G X := lazymatch type of G with ?P /\ _ => lazymatch P with context [X] => idtac | _ => destruct G as (_ & G); find_net G X end end.
Ltac through_stage G A := lazymatch type of G with
  | (forall _, _) /\ _ => let L4 := fresh in let L3 := fresh in let L1 := fresh in let B := fresh in destruct G as (L4 & L3 & L1 & G);
      pose proof (level_keeps _ _ _ _ _ _ L4 L3 L1 _ _ _ A eq_refl eq_refl ltac:(assumption || lia) ltac:(clear; lia)) as B; clear A L4 L3 L1; rename B into A; through_stage G A
  | (_ = _) /\ _ => let E := fresh in destruct G as (E & _); rewrite <- E in A; clear E
  end.
Ltac through_tree H A := lazymatch type of A with (_ | total (vectors _ (?found ?t)) _ - _) =>
  let G := fresh in pose proof (H t) as G; cbv beta in G; find_net G (found t);
  lazymatch type of G with
  | (part _ 0 _ = part _ _ _) /\ _ => let EA := fresh in let EB := fresh in destruct G as [EA EB];
      lazymatch type of EA with ?a = _ => lazymatch type of EB with ?b = _ => lazymatch type of A with (?m | _ - ?v) => let B := fresh in
        assert (B : (m | a + b - v)) by (rewrite EA, EB; exact A); clear A EA EB; rename B into A end end end
  | _ => through_stage G A; through_tree H A
  end end.
(* Then A is that the sum in a net is v, by the lemmas on the adder. *)
Ltac through_sum H_tree H_groups H_carries H_sum A := through_tree H_tree A;
  lazymatch type of A with (2 ^ ?m | part (?added ?t) 0 _ + _ - _) =>
    let B := fresh in pose proof (pipelined_sum m _ _ _ _ _ _ _ _ ltac:(assumption || lia) (H_groups t) (H_carries (S t)) (H_sum (S t)) A) as B; clear A; rename B into A end.

(* Nets in the goal become variables, so that their names do not slow Coq down. *)
Ltac nets_as_variables net := repeat match goal with |- context [net ?name] => generalize (net name) end.

(* A sum is that of its rows, by its lemmas, which speak of net. *)
Ltac sum_of_rows net H_tree H_groups H_carries H_sum := let t := fresh in let v := fresh in let A := fresh in let ER := fresh in let EL := fresh in
  revert H_tree H_groups H_carries H_sum; nets_as_variables net; intros; destruct (H_tree O) as (ER & EL & _); rewrite EL;
  match goal with A : (_ | total _ (Z.to_nat _) - _) |- _ => rewrite ER in A; clear ER EL; through_sum H_tree H_groups H_carries H_sum A; exact A end.

(* ---------------------------------------------------------------- mf_constant_rows: x, of `bits` bits, by a constant in signed digits *)
Definition place_of (places r : Z) : Z := (places / 2 ^ (10 * r)) mod 2 ^ 10.
Definition sign_of (signs r : Z) : Z := (signs / 2 ^ r) mod 2.
Definition factor (places signs : Z) (k : nat) : Z := total (fun r => (1 - 2 * sign_of signs (Z.of_nat r)) * 2 ^ place_of places (Z.of_nat r)) k.
Definition negatives (places signs : Z) (k : nat) : Z := total (fun r => sign_of signs (Z.of_nat r) * 2 ^ place_of places (Z.of_nat r)) k.

Section Constant.
  Variables (m low bits x places signs constant : Z) (k : nat) (row : Z -> Z).
  Let minus := negatives places signs k.
  Hypotheses (widths : 0 <= m /\ 0 <= low /\ 0 <= bits)
    (rows : forall r, 0 <= r < Z.of_nat k ->
      row r = ((if sign_of signs r =? 1 then 2 ^ bits - 1 - x else x) * 2 ^ place_of places r / 2 ^ low) mod 2 ^ m)
    (last : row (Z.of_nat k) = ((constant + minus - minus * 2 ^ bits) / 2 ^ low) mod 2 ^ m).

  Let value (r : nat) : Z := (if sign_of signs (Z.of_nat r) =? 1 then 2 ^ bits - 1 - x else x) * 2 ^ place_of places (Z.of_nat r).

  Lemma floor_mod : forall y, (2 ^ m | (y / 2 ^ low) mod 2 ^ m - y / 2 ^ low).
  Proof. intros y. exists (- (y / 2 ^ low / 2 ^ m)). rewrite (Z.mod_eq (y / _)) by (apply Z.pow_nonzero; lia). ring. Qed.

  Lemma floors : forall i, exists e, 2 ^ low * total (fun r => value r / 2 ^ low) i = total value i - e /\ 0 <= e <= Z.of_nat i * (2 ^ low - 1).
  Proof.
    induction i as [| i (e & E & B)]; [exists 0; cbn [total]; lia |]. cbn [total]. pose proof (Z.pow_pos_nonneg 2 low ltac:(lia) ltac:(lia)) as P.
    pose proof (Z.div_mod (value i) (2 ^ low) ltac:(lia)) as D. pose proof (Z.mod_pos_bound (value i) (2 ^ low) P). exists (e + value i mod 2 ^ low). lia.
  Qed.

  Lemma values : forall i, total value i = x * factor places signs i + (2 ^ bits - 1) * negatives places signs i.
  Proof.
    clear. unfold factor, negatives. induction i as [| i IH]; cbn [total]; [lia |]. rewrite IH. unfold value. pose proof (Z.mod_pos_bound (signs / 2 ^ Z.of_nat i) 2 ltac:(lia)) as S.
    fold (sign_of signs (Z.of_nat i)) in S. assert (sign_of signs (Z.of_nat i) = 0 \/ sign_of signs (Z.of_nat i) = 1) as [-> | ->] by lia; cbn [Z.eqb Pos.eqb]; ring.
  Qed.

  Theorem constant_rows : exists s e, (2 ^ m | total (fun r => row (Z.of_nat r)) (S k) - s) /\ 2 ^ low * s = x * factor places signs k + constant - e /\
    0 <= e <= (Z.of_nat k + 1) * (2 ^ low - 1).
  Proof.
    destruct (floors k) as (e & E & B). pose proof (Z.pow_pos_nonneg 2 low ltac:(lia) ltac:(lia)) as P. set (w := constant + minus - minus * 2 ^ bits) in *.
    pose proof (Z.div_mod w (2 ^ low) ltac:(lia)) as D. pose proof (Z.mod_pos_bound w (2 ^ low) P) as M.
    exists (total (fun r => value r / 2 ^ low) k + w / 2 ^ low), (e + w mod 2 ^ low). split; [| split; [| lia]].
    - cbn [total]. rewrite last. pose proof (floor_mod w) as F. pose proof (total_divides (2 ^ m) (fun r => row (Z.of_nat r) - value r / 2 ^ low) k) as G. rewrite total_sub in G.
      assert (G' := G ltac:(intros i I; rewrite rows by lia; apply floor_mod)). clear G. by_sum.
    - rewrite Z.mul_add_distr_l, E, values. unfold w, minus in *. lia.
  Qed.
End Constant.
