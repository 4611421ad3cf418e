(* SPDX-License-Identifier: Apache-2.0 *)
(* Booth terms of mf_unit_accumulator that may be zeros with a sign: the complemented row of such a term and the 1 that completes it are the row of 0. *)
From Coq Require Import ZArith Lia.
Require Import DigitRecurrence Instances Contract Others Bits BoothRows UnitAccumulator UnitTerm.
Open Scope Z_scope.
Set Default Proof Using "All".

Definition selected (k : nat) (x : Z) : Prop := forall j, (j < k)%nat -> once x j + twice x j <= 1.

Lemma bits_of_term : forall x j, 0 <= once x j <= 1 /\ 0 <= twice x j <= 1 /\ 0 <= negative x j <= 1.
Proof. intros. repeat split; apply bit_range. Qed.

(* The terms of a register as a digit of w bits, or none. *)
Theorem selected_terms : forall w k x valid y, 1 <= w <= 2 * Z.of_nat k -> 0 <= y < 2 ^ w ->
  (forall j, 0 <= j < Z.of_nat k ->
    (part x (3 * j + 2) 1 + 2 * part x (3 * j + 1) 1) * (1 - 2 * part x (3 * j + 0) 1) = (if valid =? 1 then booth_term ((2 * two w y / 2 ^ (2 * j)) mod 8) else 0) /\
    part x (3 * j + 2) 1 + part x (3 * j + 1) 1 <= 1) ->
  selected k x /\ number k x = if valid =? 1 then two w y else 0.
Proof.
  intros w k x valid y L Y H. split.
  - intros j J. exact (proj2 (H (Z.of_nat j) ltac:(lia))).
  - unfold number. destruct (Z.eqb_spec valid 1) as [E | N].
    + rewrite <- (Z.add_0_r (two w y)). apply (booth_digit w); [exact L | exact Y | lia |]. intros j J. rewrite Z.add_0_r. destruct (H (Z.of_nat j) ltac:(lia)) as [G _]. exact G.
    + apply digits_zero. intros j J. destruct (H (Z.of_nat j) ltac:(lia)) as [G _]. exact G.
Qed.

(* ---------------------------------------------------------------- the row of a term of 0, with its sign n *)
Lemma multiple_of_zero : forall own n, 1 <= own -> 0 <= n <= 1 -> let v := Z.lxor (Z.lor (0 * 0) (0 * 0)) (n * (2 ^ own - 1)) in
  v = n * (2 ^ own - 1) /\ v / 2 ^ (own - 1) = n /\ v mod 2 ^ (own - 1) = n * (2 ^ (own - 1) - 1).
Proof.
  intros own n O N v. assert (E : v = n * (2 ^ own - 1)) by reflexivity. clearbody v. pose proof (half own O) as H. pose proof (Z.pow_pos_nonneg 2 (own - 1) ltac:(lia) ltac:(lia)) as P.
  set (g := 2 ^ (own - 1)) in *. split; [exact E |]. assert (n = 0 \/ n = 1) as [-> | ->] by lia; [rewrite E, Z.mul_0_l, Zdiv_0_l, Zmod_0_l; split; lia |].
  split; symmetry; [apply (Z.div_unique v g 1 (g - 1)) | apply (Z.mod_unique v g 1)]; lia.
Qed.

Section Digit.
  Variables (m p x terms : Z) (k : nat).
  Hypotheses (sizes : 1 <= p /\ (2 <= k)%nat /\ p + 2 * Z.of_nat k <= m) (x_range : - 2 ^ (p - 1) <= x < 2 ^ (p - 1)) (allowed : selected k terms).

  (* The sign of a term other than 0. *)
  Let sign (j : nat) : Z := if once terms j + twice terms j =? 0 then 0 else negative terms j.

  Lemma sign_is : forall j, sign j = negative terms j \/ once terms j = 0 /\ twice terms j = 0 /\ sign j = 0.
  Proof. intros j. destruct (bits_of_term terms j) as (O & T & _). unfold sign. destruct (Z.eqb_spec (once terms j + twice terms j) 0); [right; lia | left; reflexivity]. Qed.

  Theorem digit_rows : forall row, (forall j, 0 <= j < Z.of_nat k -> row j = booth_row m p (Z.of_nat k) x terms j) ->
    (2 ^ m | total (fun i => row (Z.of_nat i)) k + total (negative terms) k - number k terms * x).
  Proof.
    intros row H. assert (D : (2 ^ m | total (fun i => row (Z.of_nat i) + (negative terms i - sign i)) k + total sign k - number k terms * x)).
    { replace (number k terms) with (digits 4 (fun j => (once terms j + 2 * twice terms j) * (1 - 2 * sign j)) k)
        by (apply digits_ext; intros j _; destruct (sign_is j) as [-> | (-> & -> & _)]; reflexivity).
      apply (rows_sum m p x k _ (once terms) (twice terms) sign sizes x_range).
      - intros j J. destruct (bits_of_term terms j) as (O & T & N). specialize (allowed j J). unfold sign. destruct (Z.eqb_spec (once terms j + twice terms j) 0); repeat split; lia.
      - pose proof (H 0 ltac:(lia)) as E. change (Z.of_nat 0) with 0 in *. destruct (sign_is O) as [-> | (Z1 & Z2 & ->)]; [rewrite Z.sub_diag, Z.add_0_r; exact E |].
        unfold booth_row in E. change (0 =? 0) with true in E. cbv iota zeta in E. change (part terms (3 * 0 + 2) 1) with (once terms O) in E.
        change (part terms (3 * 0 + 1) 1) with (twice terms O) in E. change (part terms (3 * 0 + 0) 1) with (negative terms O) in E. rewrite Z1, Z2 in *. cbv zeta. rewrite !Z.mul_0_l in *.
        destruct (bits_of_term terms O) as (_ & _ & N). set (own := p + 2 * 0 + 1) in *. pose proof (half (own + 1) ltac:(unfold own; lia)) as H1. replace (own + 1 - 1) with own in H1 by ring.
        destruct (multiple_of_zero own (negative terms O) ltac:(unfold own; lia) N) as (V1 & V2 & _).
        cbv zeta in V1, V2. rewrite !Z.mul_0_l in V1, V2. rewrite V1 in V2, E. rewrite V2 in E. change (Z.lxor (Z.lor 0 0) 0) with 0. rewrite Zdiv_0_l, E, H1. ring.
      - intros j J. cbv beta. pose proof (H (Z.of_nat j) ltac:(lia)) as E. destruct (sign_is j) as [-> | (Z1 & Z2 & ->)].
        + rewrite Z.sub_diag, Z.add_0_r. unfold booth_row in E. destruct (Z.eqb_spec (Z.of_nat j) 0); [lia | exact E].
        + unfold booth_row in E. destruct (Z.eqb_spec (Z.of_nat j) 0); [lia |]. cbv zeta in E. fold (once terms j) in E. fold (twice terms j) in E. fold (negative terms j) in E.
          rewrite Z1, Z2 in *. cbv zeta. rewrite !Z.mul_0_l in *. destruct (bits_of_term terms j) as (_ & _ & N). set (own := p + 2 * Z.of_nat j + 1) in *.
          destruct (multiple_of_zero own (negative terms j) ltac:(unfold own; lia) N) as (V1 & V2 & V3).
          cbv zeta in V1, V2, V3. rewrite !Z.mul_0_l in V1, V2, V3. rewrite V1 in V2, V3, E. rewrite V2, V3 in E. change (Z.lxor (Z.lor 0 0) 0) with 0. rewrite Zdiv_0_l, Zmod_0_l, E. ring. }
    assert (S : total (fun i => row (Z.of_nat i) + (negative terms i - sign i)) k + total sign k = total (fun i => row (Z.of_nat i)) k + total (negative terms) k).
    { clear. induction k; cbn [total]; [reflexivity | lia]. }
    rewrite S in D. exact D.
  Qed.

  (* They join the pair, in its rows from 4 on. *)
  Theorem rows_taken : forall inputs singles, (forall j, 0 <= j < Z.of_nat k ->
      part inputs ((4 + j) * m) m = booth_row m p (Z.of_nat k) x terms j /\ part singles j 1 = part terms (3 * j) 1) ->
    (2 ^ m | total (fun i => place m inputs (4 + i)) k + total (single singles) k - number k terms * x).
  Proof.
    intros inputs singles H. pose proof (digit_rows (fun j => part inputs ((4 + j) * m) m) (fun j J => proj1 (H j J))) as D.
    rewrite (total_ext (single singles) (negative terms) k), (total_ext (fun i => place m inputs (4 + i)) (fun i => part inputs ((4 + Z.of_nat i) * m) m) k); [exact D | |].
    - intros i I. unfold place. do 2 f_equal. lia.
    - intros i I. destruct (H (Z.of_nat i) ltac:(lia)) as [_ E]. unfold single, negative. rewrite E. f_equal. lia.
  Qed.

  (* They are reduced to two vectors, which join the pair in the next cycle, with two bits. *)
  Theorem product_taken : forall rows vectors inputs singles at_ bit,
    (forall j, 0 <= j < Z.of_nat k -> part rows (j * m) m = booth_row m p (Z.of_nat k) x terms j) ->
    (2 ^ m | place m vectors 0 + place m vectors 1 - (total (place m rows) k + total (negative terms) (k - 2))) ->
    place m inputs at_ = part vectors 0 m /\ place m inputs (at_ + 1) = part vectors m m /\
      single singles bit = negative terms (k - 2) /\ single singles (bit + 1) = negative terms (k - 1) ->
    (2 ^ m | place m inputs at_ + place m inputs (at_ + 1) + single singles bit + single singles (bit + 1) - number k terms * x).
  Proof.
    intros rows vectors inputs singles at_ bit H R (-> & -> & -> & ->). pose proof (digit_rows (fun j => part rows (j * m) m) H) as D.
    pose proof (product_tree (2 ^ m) k (place m rows) (negative terms) _ _ _ ltac:(lia) R D) as E. unfold place at 1 2 in E.
    change (Z.of_nat 0 * m) with 0 in E. change (Z.of_nat 1) with 1 in E. rewrite Z.mul_1_l in E. exact E.
  Qed.
End Digit.

(* One term: its row joins the pair in place i, with its bit j. *)
Theorem extended_joins : forall m p x terms inputs singles i j, 1 <= p -> p + 1 <= m -> - 2 ^ (p - 1) <= x < 2 ^ (p - 1) -> selected 1 terms ->
  place m inputs i = extended_row m p x terms 0 -> single singles j = negative terms 0 -> (2 ^ m | place m inputs i + single singles j - number 1 terms * x).
Proof.
  intros m p x terms inputs singles i j P M X A E1 E2. specialize (A O ltac:(lia)). destruct (bits_of_term terms O) as (O1 & T1 & N1).
  destruct (Z.eq_dec (once terms O + twice terms O) 0) as [N | N].
  - rewrite E1, E2. unfold number, extended_row. cbn [digits pw]. change (part terms (3 * 0 + 2) 1) with (once terms O). change (part terms (3 * 0 + 1) 1) with (twice terms O).
    change (part terms (3 * 0 + 0) 1) with (negative terms O). assert (Z1 : once terms O = 0) by lia. assert (Z2 : twice terms O = 0) by lia. rewrite Z1, Z2. cbv zeta. rewrite !Z.mul_0_l.
    destruct (multiple_of_zero (p + 2 * 0 + 1) (negative terms O) ltac:(lia) N1) as (V1 & V2 & _). cbv zeta in V1, V2. rewrite !Z.mul_0_l in V1, V2. rewrite V1 in V2 |- *. rewrite V2.
    exists (negative terms O). ring.
  - apply (UnitTerm.extended_joins m p x terms inputs singles i j P M X); [| exact E1 | exact E2]. intros l L. replace l with O by lia. split; [exact A | left; lia].
Qed.
