(* SPDX-License-Identifier: Apache-2.0 *)
(* The rows of mf_square_rows add up to a square, for operands of any number of bits: of Booth terms each has the bits of the operand above it, twice, and its own square. *)
From Coq Require Import ZArith Lia.
Require Import DigitRecurrence Contract Bits BoothRows Groups PipelinedSum.
Open Scope Z_scope.
Set Default Proof Using "All".

Definition negative (e : Z) : Z := if e =? 7 then 0 else e / 4.
Definition selected (e one two : Z) : Z := if e =? 0 then 0 else if e =? 7 then 0 else if e =? 3 then two else if e =? 4 then two else one.
(* d^2 + 8 d b without the -16 of a negative term, b the topmost of its bits *)
Definition square_digit (e : Z) : Z := selected e (if e / 4 =? 1 then 9 else 1) 4.
(* The constant without the signs that it makes up for. *)
Definition sign_places (m : Z) (k : nat) : Z := total (fun j => 2 ^ (m + 2 * Z.of_nat j + 2) + 16 * 16 ^ Z.of_nat j) k.

Lemma windows : forall e, 0 <= e < 8 -> e = 0 \/ e = 1 \/ e = 2 \/ e = 3 \/ e = 4 \/ e = 5 \/ e = 6 \/ e = 7.
Proof. intros. lia. Qed.

Lemma square_digit_is : forall e, 0 <= e < 8 ->
  0 <= square_digit e < 16 /\ 0 <= negative e <= 1 /\ square_digit e = booth_term e * booth_term e + 8 * booth_term e * (e / 4) + 16 * negative e.
Proof. intros e E. destruct (windows e E) as [-> | [-> | [-> | [-> | [-> | [-> | [-> | ->]]]]]]]; vm_compute; repeat split; discriminate. Qed.

Lemma fold_row_is : forall e x ones, 0 <= e < 8 ->
  (if negative e =? 1 then ones - 1 - selected e x (2 * x) else selected e x (2 * x)) + (1 - negative e) * ones = booth_term e * x - negative e + ones.
Proof.
  intros e x ones E. destruct (windows e E) as [-> | [-> | [-> | [-> | [-> | [-> | [-> | ->]]]]]]]; unfold negative, selected, booth_term;
    repeat match goal with |- context [?a / ?b] => let v := eval vm_compute in (a / b) in change (a / b) with v end;
    repeat match goal with |- context [?a mod ?b] => let v := eval vm_compute in (a mod b) in change (a mod b) with v end; cbn [Z.eqb Pos.eqb]; lia.
Qed.

Lemma pow16 : forall j, 2 ^ (4 * Z.of_nat j) = 16 ^ Z.of_nat j.
Proof. intros. rewrite Z.pow_mul_r by lia. reflexivity. Qed.

(* A net of digits of four bits. *)
Lemma hex_digits : forall x n k, 0 <= n -> total (fun j => 16 ^ Z.of_nat j * part x (4 * Z.of_nat j) (Z.min 4 (n - 4 * Z.of_nat j))) k = part x 0 (Z.min (4 * Z.of_nat k) n) \/ n < 4 * Z.of_nat k - 3.
Proof.
  intros x n k N. induction k; [left; cbn [total]; unfold part; change (4 * Z.of_nat 0) with 0; rewrite Z.min_l by lia; change (2 ^ 0) with 1; rewrite Z.mod_1_r; reflexivity |].
  destruct (Z.lt_ge_cases n (4 * Z.of_nat (S k) - 3)) as [L | L]; [right; exact L |]. left. cbn [total]. destruct IHk as [-> | F]; [| exfalso; lia].
  rewrite Z.min_l by lia. replace (Z.min (4 * Z.of_nat (S k)) n) with (4 * Z.of_nat k + Z.min 4 (n - 4 * Z.of_nat k)) by lia. rewrite part_split, Z.add_0_l, pow16 by lia. reflexivity.
Qed.

Section Square.
  Variables (x : Z).
  Let e (j : nat) : Z := ((2 * x) / 2 ^ (2 * Z.of_nat j)) mod 8.
  Let below (j : nat) : Z := ((8 * x) / 2 ^ (2 * Z.of_nat j)) mod 8.
  Let above (j : nat) : Z := x / 2 ^ (2 * Z.of_nat j + 2).

  Lemma window_range : forall j, 0 <= e j < 8.
  Proof. intros. apply Z.mod_pos_bound. lia. Qed.

  Lemma below_is : forall j, below (S j) = e j.
  Proof.
    intros j. unfold below, e. pose proof (Z.pow_pos_nonneg 2 (2 * Z.of_nat j) ltac:(lia) ltac:(lia)). replace (2 * Z.of_nat (S j)) with (2 + 2 * Z.of_nat j) by lia.
    rewrite Z.pow_add_r by lia. change (2 ^ 2) with 4. replace (8 * x) with (4 * (2 * x)) by ring. rewrite Z.div_mul_cancel_l by lia. reflexivity.
  Qed.

  (* What is left of x after j terms. *)
  Let left (j : nat) : Z := let z := (2 * x) / 2 ^ (2 * Z.of_nat j) in z / 2 + z mod 2.

  Lemma left_is : forall j, left j = booth_term (e j) + 4 * (above j + e j / 4) /\ left (S j) = above j + e j / 4.
  Proof.
    intros j. pose proof (Z.pow_pos_nonneg 2 (2 * Z.of_nat j) ltac:(lia) ltac:(lia)) as P. unfold left, above, e. cbv zeta.
    assert (A : x / 2 ^ (2 * Z.of_nat j + 2) = (2 * x) / 2 ^ (2 * Z.of_nat j) / 8).
    { rewrite Z.div_div, Z.pow_add_r by lia. change (2 ^ 2) with 4. replace (2 ^ (2 * Z.of_nat j) * 8) with (2 * (2 ^ (2 * Z.of_nat j) * 4)) by ring. rewrite Z.div_mul_cancel_l by lia. reflexivity. }
    replace (2 * Z.of_nat (S j)) with (2 * Z.of_nat j + 2) by lia. rewrite A, (Z.pow_add_r 2 _ 2), <- Z.div_div by lia. change (2 ^ 2) with 4. set (z := (2 * x) / _) in *. clearbody z. clear. unfold booth_term.
    pose proof (Z.div_mod z 8 ltac:(lia)) as E. pose proof (Z.mod_pos_bound z 8 ltac:(lia)) as B. set (w := z mod 8) in *. set (q := z / 8) in *.
    assert (z / 4 = 2 * q + w / 4) as -> by (replace z with (w + (2 * q) * 4) by lia; rewrite Z.div_add by lia; lia).
    assert (z / 2 = 4 * q + w / 2) as -> by (replace z with (w + (4 * q) * 2) by lia; rewrite Z.div_add by lia; lia).
    assert (z mod 2 = w mod 2) as -> by (replace z with (w + (4 * q) * 2) by lia; apply Z_mod_plus_full).
    assert (D : 0 <= w / 4 <= 1) by (split; [apply Z.div_pos; lia | apply Z.lt_succ_r, Z.div_lt_upper_bound; lia]).
    rewrite (Z.add_comm (2 * q)), (Z.mul_comm 2), Z.div_add, (Z.div_small (w / 4)), Z_mod_plus_full, (Z.mod_small (w / 4)) by lia. lia.
  Qed.

  Let square (j : nat) : Z := 16 ^ Z.of_nat j * (booth_term (e j) * booth_term (e j) + 8 * booth_term (e j) * (above j + e j / 4)).

  Lemma squares : forall k, x * x = total square k + 16 ^ Z.of_nat k * (left k * left k).
  Proof.
    induction k.
    - cbn [total]. unfold left. cbv zeta. change (2 ^ (2 * Z.of_nat 0)) with 1. change (16 ^ Z.of_nat 0) with 1. rewrite Z.div_1_r, (Z.mul_comm 2), Z_mod_mult, Z_div_mult by lia. lia.
    - rewrite IHk. cbn [total]. destruct (left_is k) as [E1 E2]. rewrite E1, E2. rewrite Nat2Z.inj_succ, Z.pow_succ_r by lia. unfold square. ring.
  Qed.

  Variables (m folds : Z).
  Let K := Z.to_nat folds.
  Hypotheses (wide : 3 <= m) (count : folds = (m - 1) / 2) (x_range : 0 <= x < 2 ^ m).

  Lemma folds_are : folds = Z.of_nat K /\ 2 * folds + 1 <= m <= 2 * folds + 2.
  Proof. clear - wide count K. pose proof (Z.div_mod (m - 1) 2 ltac:(lia)). pose proof (Z.mod_pos_bound (m - 1) 2 ltac:(lia)). unfold K. lia. Qed.

  (* The rows: of folds, of digits, of signs. *)
  Let fold_row (j : nat) : Z := 8 * 16 ^ Z.of_nat j * (booth_term (e j) * above j - negative (e j)) + 2 ^ (m + 2 * Z.of_nat j + 2).
  Let digit (j : nat) : Z := 16 ^ Z.of_nat j * square_digit (e j).
  Let sign (j : nat) : Z := 16 ^ Z.of_nat j * (8 * (if Z.of_nat j =? folds then 0 else negative (e j)) + (if Z.of_nat j =? 0 then 0 else 1 - negative (below j))).

  Lemma signs_to : forall k, (k <= K)%nat -> total sign k + 16 ^ Z.of_nat k * (if Z.of_nat k =? 0 then 0 else 1 - negative (below k)) =
    total (fun j => 8 * 16 ^ Z.of_nat j * negative (e j) + 16 * 16 ^ Z.of_nat j * (1 - negative (e j))) k.
  Proof.
    destruct folds_are as [F _]. clear wide count x_range. induction k; intros L; [reflexivity |]. cbn [total]. rewrite <- IHk by lia. unfold sign at 2. rewrite below_is.
    destruct (Z.eqb_spec (Z.of_nat k) folds); [lia |]. destruct (Z.eqb_spec (Z.of_nat (S k)) 0); [lia |]. rewrite Nat2Z.inj_succ, Z.pow_succ_r by lia. ring.
  Qed.

  Lemma rows_to : forall k, total fold_row k + total digit k + total (fun j => 8 * 16 ^ Z.of_nat j * negative (e j) + 16 * 16 ^ Z.of_nat j * (1 - negative (e j))) k - sign_places m k = total square k.
  Proof.
    clear wide count x_range K sign. induction k; [reflexivity |]. unfold sign_places in *. cbn [total]. rewrite <- IHk. unfold fold_row at 2, digit at 2, square. destruct (square_digit_is (e k) (window_range k)) as (_ & _ & ->). ring.
  Qed.

  Theorem all_rows : (2 ^ (2 * m) | total fold_row K + total digit (S K) + total sign (S K) - sign_places m (S K) - x * x).
  Proof.
    destruct folds_are as [F M]. pose proof (rows_to K) as R. pose proof (signs_to K (le_n K)) as G. rewrite <- G in R. clear G. pose proof (squares (S K)) as Q.
    assert (A : above K = 0).
    { unfold above. apply Z.div_small. pose proof (Z.pow_le_mono_r 2 m (2 * Z.of_nat K + 2) ltac:(lia) ltac:(lia)). lia. }
    assert (P : 2 ^ (2 * m + 2) = 4 * 2 ^ (2 * m)) by (rewrite Z.pow_add_r by lia; change (2 ^ 2) with 4; ring).
    assert (D : exists k, 16 ^ Z.of_nat (S K) = k * 2 ^ (2 * m)) by (exists (2 ^ (4 * Z.of_nat (S K) - 2 * m)); rewrite <- Z.pow_add_r, <- pow16 by lia; f_equal; lia).
    destruct D as [k D]. assert (D2 : exists i, 2 ^ (m + 2 * Z.of_nat K + 2) = i * 2 ^ (2 * m)) by (exists (2 ^ (m + 2 * Z.of_nat K + 2 - 2 * m)); rewrite <- Z.pow_add_r by lia; f_equal; lia).
    destruct D2 as [i D2]. rewrite D in Q. assert (D3 : 16 * 16 ^ Z.of_nat K = k * 2 ^ (2 * m)) by (rewrite <- D, Nat2Z.inj_succ, Z.pow_succ_r by lia; reflexivity).
    unfold sign_places in *. cbn [total] in *. rewrite D2, D3. unfold digit at 2, sign at 2. destruct (Z.eqb_spec (Z.of_nat K) folds) as [_ | N]; [| lia].
    destruct (square_digit_is (e K) (window_range K)) as (_ & _ & ->). unfold square at 2 in Q. rewrite A in Q. rewrite Q, <- R. clear - D3.
    exists (negative (e K) * k - i - k - k * (left (S K) * left (S K))). replace (16 ^ Z.of_nat K * (booth_term (e K) * booth_term (e K) + 8 * booth_term (e K) * (e K / 4) + 16 * negative (e K))) with
      (16 ^ Z.of_nat K * (booth_term (e K) * booth_term (e K) + 8 * booth_term (e K) * (0 + e K / 4)) + negative (e K) * (k * 2 ^ (2 * m))) by (rewrite <- D3; ring). ring.
  Qed.
End Square.

(* A row of digits of four bits, of which the last one may be cut. *)
Lemma digits_row : forall n k X v, 4 * Z.of_nat k < n <= 4 * Z.of_nat (S k) -> (forall j, 0 <= v j < 16) ->
  (forall j, (j < S k)%nat -> part X (4 * Z.of_nat j) (Z.min 4 (n - 4 * Z.of_nat j)) = v j mod 2 ^ Z.min 4 (n - 4 * Z.of_nat j)) ->
  (2 ^ n | part X 0 n - total (fun j => 16 ^ Z.of_nat j * v j) (S k)).
Proof.
  intros n k X v N V H. destruct (hex_digits X n (S k) ltac:(lia)) as [E | E]; [| exfalso; lia]. rewrite Z.min_r in E by lia. rewrite <- E, <- total_sub.
  apply total_divides. intros j J. rewrite H by exact J. specialize (V j). destruct (Z.lt_ge_cases (n - 4 * Z.of_nat j) 4) as [L | L].
  - rewrite Z.min_r by lia. set (w := n - 4 * Z.of_nat j). exists (- (v j / 2 ^ w)). rewrite (Z.mod_eq (v j)) by (apply Z.pow_nonzero; unfold w; lia).
    replace (2 ^ n) with (16 ^ Z.of_nat j * 2 ^ w) by (rewrite <- pow16, <- Z.pow_add_r by (unfold w; lia); f_equal; unfold w; lia). ring.
  - rewrite Z.min_l by lia. change (2 ^ 4) with 16. rewrite Z.mod_small by lia. rewrite Z.sub_diag. apply Z.divide_0_r.
Qed.

Theorem square_product : forall m x rows constant X, 3 <= m -> rows - 3 = (m - 1) / 2 -> 0 <= x < 2 ^ m ->
  (constant + sign_places m (Z.to_nat (rows - 2))) mod 2 ^ (2 * m) = 0 ->
  let e := fun j => ((2 * x) / 2 ^ (2 * j)) mod 8 in let bits := fun j => Z.min 4 (2 * m - 4 * j) in
  (forall j, 0 <= j < rows - 3 -> let ones := 2 ^ (m - 2 * j - 1) in let above := x / 2 ^ (2 * j + 2) in
    part X (j * (2 * m)) (2 * m) = 2 ^ (4 * j + 3) *
      ((if negative (e j) =? 1 then ones - 1 - selected (e j) above (2 * above) else selected (e j) above (2 * above)) + (1 - negative (e j)) * ones)) ->
  (forall j, 0 <= j < rows - 3 + 1 ->
    part X ((rows - 3) * (2 * m) + 4 * j) (bits j) = square_digit (e j) mod 2 ^ bits j /\
    part X ((rows - 3 + 1) * (2 * m) + 4 * j) (bits j) = (8 * (if j =? rows - 3 then 0 else negative (e j)) +
      (if j =? 0 then 0 else 1 - negative (((8 * x) / 2 ^ (2 * j)) mod 8))) mod 2 ^ bits j) ->
  part X ((rows - 3 + 2) * (2 * m)) (2 * m) = constant -> (2 ^ (2 * m) | total (vectors (2 * m) X) (Z.to_nat rows) - x * x).
Proof.
  intros m x rows constant X M R XR C e bits F D L. destruct (folds_are x m (rows - 3) M R XR) as [FK FM]. set (k := Z.to_nat (rows - 3)) in *.
  pose proof (all_rows x m (rows - 3) M R XR) as A. cbv zeta in A. fold k in A. apply divide_mod in C; [| apply Z.pow_pos_nonneg; lia].
  replace (Z.to_nat (rows - 2)) with (S k) in C by (unfold k; lia). replace (Z.to_nat rows) with (S (S (S k))) by (unfold k; lia). cbn [total].
  assert (F2 : total (vectors (2 * m) X) k = total (fun j => 8 * 16 ^ Z.of_nat j * (booth_term (e (Z.of_nat j)) * (x / 2 ^ (2 * Z.of_nat j + 2)) - negative (e (Z.of_nat j))) + 2 ^ (m + 2 * Z.of_nat j + 2)) k).
  { apply total_ext. intros j J. unfold vectors, vector. pose proof (F (Z.of_nat j) ltac:(lia)) as G. cbv zeta in G. rewrite G, fold_row_is by (apply Z.mod_pos_bound; lia).
    rewrite Z.pow_add_r, pow16 by lia. change (2 ^ 3) with 8. replace (m + 2 * Z.of_nat j + 2) with (4 * Z.of_nat j + 3 + (m - 2 * Z.of_nat j - 1)) by lia.
    rewrite (Z.pow_add_r 2 (4 * Z.of_nat j + 3)), (Z.pow_add_r 2 (4 * Z.of_nat j)), pow16 by lia. change (2 ^ 3) with 8. ring. }
  assert (B : forall j, 0 <= negative (e j) <= 1 /\ 0 <= negative ((8 * x) / 2 ^ (2 * j) mod 8) <= 1 /\ 0 <= square_digit (e j) < 16).
  { intros j. destruct (square_digit_is (e j) ltac:(apply Z.mod_pos_bound; lia)) as (B1 & B2 & _). destruct (square_digit_is ((8 * x) / 2 ^ (2 * j) mod 8) ltac:(apply Z.mod_pos_bound; lia)) as (_ & B3 & _). tauto. }
  assert (G : forall a v, 0 <= a -> (forall j, 0 <= v j < 16) -> (forall j, (j < S k)%nat -> part X (a * (2 * m) + 4 * Z.of_nat j) (bits (Z.of_nat j)) = v j mod 2 ^ bits (Z.of_nat j)) ->
    (2 ^ (2 * m) | part X (a * (2 * m)) (2 * m) - total (fun j => 16 ^ Z.of_nat j * v j) (S k))).
  { clear - FM FK M. intros a v A0 B H. assert (0 <= a * (2 * m)) by (apply Z.mul_nonneg_nonneg; lia). pose proof (digits_row (2 * m) k (part X (a * (2 * m)) (2 * m)) v ltac:(lia) B) as G.
    rewrite part_part, Z.add_0_r in G by lia. apply G. intros j J. rewrite part_part by lia. apply H, J. }
  assert (D1 := G (rows - 3) (fun j => square_digit (e (Z.of_nat j))) ltac:(lia) ltac:(intros; apply B) ltac:(intros j J; apply D; lia)).
  assert (D2 := G (rows - 3 + 1) (fun j => 8 * (if Z.of_nat j =? rows - 3 then 0 else negative (e (Z.of_nat j))) +
      (if Z.of_nat j =? 0 then 0 else 1 - negative (((8 * x) / 2 ^ (2 * Z.of_nat j)) mod 8))) ltac:(lia)
    ltac:(intros j; pose proof (B (Z.of_nat j)); cbv beta; repeat match goal with |- context [if ?c then _ else _] => destruct c end; lia) ltac:(intros j J; apply D; lia)).
  assert (E1 : vectors (2 * m) X k = part X ((rows - 3) * (2 * m)) (2 * m)) by (unfold vectors, vector; rewrite <- FK; reflexivity).
  assert (E2 : vectors (2 * m) X (S k) = part X ((rows - 3 + 1) * (2 * m)) (2 * m)) by (unfold vectors, vector; replace (Z.of_nat (S k)) with (rows - 3 + 1) by lia; reflexivity).
  assert (D3 : vectors (2 * m) X (S (S k)) = constant) by (unfold vectors, vector; replace (Z.of_nat (S (S k))) with (rows - 3 + 2) by lia; exact L).
  unfold e in *. cbv beta in *. rewrite F2, E1, E2, D3. clear - A C D1 D2. by_sum.
Qed.
