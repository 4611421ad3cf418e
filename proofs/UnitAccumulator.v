(* SPDX-License-Identifier: Apache-2.0 *)
(* mf_unit_accumulator: a pair of m bits, to which multiples of an operand and of the modulus by Booth digits are added, and which is shifted by a digit. *)
From Coq Require Import ZArith Lia.
Require Import DigitRecurrence Instances Contract Bits BoothRows.
Open Scope Z_scope.
Set Default Proof Using "All".

Lemma part_zero : forall low w, part 0 low w = 0.
Proof. intros. unfold part. rewrite Zdiv_0_l. apply Zmod_0_l. Qed.

(* ---------------------------------------------------------------- k Booth terms x, vectors of m bits side by side, single bits *)
Definition once (x : Z) (j : nat) : Z := part x (3 * Z.of_nat j + 2) 1.
Definition twice (x : Z) (j : nat) : Z := part x (3 * Z.of_nat j + 1) 1.
Definition negative (x : Z) (j : nat) : Z := part x (3 * Z.of_nat j + 0) 1.
Definition number (k : nat) (x : Z) : Z := digits 4 (fun j => (once x j + 2 * twice x j) * (1 - 2 * negative x j)) k.
(* A term of 0 may have a sign: its complemented row and the 1 that completes it are the row of 0. *)
Definition legal (k : nat) (x : Z) : Prop := forall j, (j < k)%nat -> once x j + twice x j <= 1.
Definition place (m x : Z) (i : nat) : Z := part x (Z.of_nat i * m) m.
Definition single (x : Z) (i : nat) : Z := part x (Z.of_nat i) 1.

Lemma bits_of_term : forall x j, 0 <= once x j <= 1 /\ 0 <= twice x j <= 1 /\ 0 <= negative x j <= 1.
Proof. intros. repeat split; apply bit_range. Qed.

(* The terms of a register as a digit of w bits, or none. *)
Theorem terms_of : forall w k x valid y below, 1 <= w <= 2 * Z.of_nat k -> 0 <= y < 2 ^ w -> 0 <= below <= 1 ->
  (forall j, 0 <= j < Z.of_nat k ->
    (part x (3 * j + 2) 1 + 2 * part x (3 * j + 1) 1) * (1 - 2 * part x (3 * j + 0) 1) =
      (if valid =? 1 then booth_term (((2 * two w y + below) / 2 ^ (2 * j)) mod 8) else 0) /\
    part x (3 * j + 2) 1 + part x (3 * j + 1) 1 <= 1) ->
  legal k x /\ number k x = if valid =? 1 then two w y + below else 0.
Proof.
  intros w k x valid y below L Y B H. split.
  - intros j J. exact (proj2 (H (Z.of_nat j) ltac:(lia))).
  - unfold number. destruct (Z.eqb_spec valid 1).
    + apply (booth_digit w); [exact L | exact Y | exact B |]. intros j J. destruct (H (Z.of_nat j) ltac:(lia)) as (E & _). exact E.
    + apply digits_zero. intros j J. destruct (H (Z.of_nat j) ltac:(lia)) as (E & _). exact E.
Qed.

(* The same of terms whose zeros have no sign: without a digit no term has one. *)
Theorem unsigned_terms_of : forall w k x valid y below, 1 <= w <= 2 * Z.of_nat k -> 0 <= y < 2 ^ w -> 0 <= below <= 1 ->
  (forall j, 0 <= j < Z.of_nat k ->
    (part x (3 * j + 2) 1 + 2 * part x (3 * j + 1) 1) * (1 - 2 * part x (3 * j + 0) 1) =
      (if valid =? 1 then booth_term (((2 * two w y + below) / 2 ^ (2 * j)) mod 8) else 0) /\
    part x (3 * j + 2) 1 + part x (3 * j + 1) 1 <= 1 /\ (1 <= part x (3 * j + 2) 1 + part x (3 * j + 1) 1 \/ part x (3 * j + 0) 1 = 0)) ->
  legal k x /\ number k x = (if valid =? 1 then two w y + below else 0) /\ (valid <> 1 -> forall j, (j < k)%nat -> negative x j = 0).
Proof.
  intros w k x valid y below L Y B H.
  assert (T : legal k x /\ number k x = if valid =? 1 then two w y + below else 0).
  { apply (terms_of w); [exact L | exact Y | exact B |]. intros j J. destruct (H j J) as (E & F & _). split; assumption. }
  destruct T as [T1 T2]. split; [exact T1 | split; [exact T2 |]]. intros V j J.
  destruct (H (Z.of_nat j) ltac:(lia)) as (E & _ & [F | F]); [| exact F].
  destruct (Z.eqb_spec valid 1); [contradiction |]. pose proof (bit_range x (3 * Z.of_nat j + 0)) as G.
  pose proof (bit_range x (3 * Z.of_nat j + 1)). pose proof (bit_range x (3 * Z.of_nat j + 2)).
  unfold negative. apply Z.mul_eq_0 in E. lia.
Qed.

(* ---------------------------------------------------------------- tactics on lemmas that hang on the number of terms or on the delay *)
(* The first tactic proves a design whose accumulator has Delay = 2, the second one that with 3; H tells which it is. *)
Ltac by_delay_of H two three := let X := fresh "X" in pose proof (H O) as X; lazymatch type of X with _ = 2 => two | _ => destruct X as [X _]; three end.

(* The number of terms for which the lemmas are printed: H tells it. *)
Ltac fixed_terms_of H number terms := let E := fresh in let F := fresh in destruct (H O) as (E & _); destruct number as (F & _);
  match type of E with _ = ?k => let n := eval vm_compute in (Z.to_nat k) in assert (TN : terms = n) by (clear - E F; lia) end; clear E F.

(* A tree from its rows R of m bits: its outputs are the sum of its inputs and bits. Two rows may be the outputs. *)
Ltac by_tree_of m R := unfold place, negative, single; cbn [total Nat.add Nat.sub];
  repeat match goal with |- context [Z.of_nat ?k] => let z := eval vm_compute in (Z.of_nat k) in lazymatch z with Z0 => change (Z.of_nat k) with z | Zpos _ => change (Z.of_nat k) with z end end;
  repeat match goal with |- context [3 * ?k + 0] => let z := eval vm_compute in (3 * k + 0) in lazymatch z with Z0 => change (3 * k + 0) with z | Zpos _ => change (3 * k + 0) with z end end;
  decompose [and] R; clear R; rows_divide m;
  first [by_sum | repeat match goal with E : part _ _ _ = part _ _ _ |- _ => rewrite E; clear E end; exists 0; ring].

(* ---------------------------------------------------------------- rows of the multiples of x, of p bits, by k terms *)
Definition booth_row (m p k x terms j : Z) : Z :=
  let own := p + 2 * j + 1 in let y := (x * 2 ^ (2 * j)) mod 2 ^ own in
  let v := Z.lxor (Z.lor (part terms (3 * j + 2) 1 * y) (part terms (3 * j + 1) 1 * ((2 * y) mod 2 ^ own))) (part terms (3 * j + 0) 1 * (2 ^ own - 1)) in
  if j =? 0 then v + v / 2 ^ (own - 1) * 2 ^ own + (1 - v / 2 ^ (own - 1)) * 2 ^ (own + 1) + (2 ^ m - 2 ^ (p + 2 * k))
  else v mod 2 ^ (own - 1) + (1 - v / 2 ^ (own - 1)) * 2 ^ (own - 1) + 2 ^ own.

(* The row of a term of 0, with its sign n. *)
Lemma multiple_of_zero : forall own n, 1 <= own -> 0 <= n <= 1 -> let v := Z.lxor (Z.lor (0 * 0) (0 * 0)) (n * (2 ^ own - 1)) in
  v = n * (2 ^ own - 1) /\ v / 2 ^ (own - 1) = n /\ v mod 2 ^ (own - 1) = n * (2 ^ (own - 1) - 1).
Proof.
  intros own n O N v. assert (E : v = n * (2 ^ own - 1)) by reflexivity. clearbody v. pose proof (half own O) as H. pose proof (Z.pow_pos_nonneg 2 (own - 1) ltac:(lia) ltac:(lia)) as P.
  set (g := 2 ^ (own - 1)) in *. split; [exact E |]. assert (n = 0 \/ n = 1) as [-> | ->] by lia; [rewrite E, Z.mul_0_l, Zdiv_0_l, Zmod_0_l; split; lia |].
  split; symmetry; [apply (Z.div_unique v g 1 (g - 1)) | apply (Z.mod_unique v g 1)]; lia.
Qed.

Section Digit.
  Variables (m p x terms : Z) (k : nat).
  Hypotheses (sizes : 1 <= p /\ (2 <= k)%nat /\ p + 2 * Z.of_nat k <= m) (x_range : - 2 ^ (p - 1) <= x < 2 ^ (p - 1)) (allowed : legal k terms).

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

(* ---------------------------------------------------------------- the pair *)
(* Its next value has room: 4 H is 2 to its bits, v its value, z what is left of it without its lowest digit. *)
Lemma next_pair : forall h H bound v k x u carry z e g, 1 <= h -> 0 <= bound -> bound + 2 <= H -> - (bound + 1) <= v + k <= bound + 1 ->
  0 <= k <= 1 -> 0 <= x <= 1 -> 0 <= u < 2 * h -> 0 <= carry <= 1 -> v + k + x = u + 2 * h * (carry + z) -> - bound <= 2 * e <= bound -> - bound <= 2 * g <= bound ->
  - H <= v <= H /\ - (2 * H) <= z + e + g < 2 * H.
Proof.
  intros h H bound v k x u carry z e g Hh HB HH B K X U C E Eb Gb. split; [lia |].
  assert (A : 2 * h * Z.abs (carry + z) <= bound + 2 + 2 * h) by (rewrite <- (Z.abs_eq (2 * h)), <- Z.abs_mul at 1 by lia; lia).
  destruct (Z.eq_dec (carry + z) 0); [lia |].
  assert (2 * (Z.abs (carry + z) - 1) <= 2 * h * (Z.abs (carry + z) - 1)) by (apply Z.mul_le_mono_nonneg_r; lia). lia.
Qed.

Section Pair.
  (* w bits of a digit; rows and bits that enter the tree, those of the quotient from row 4 and bit 0 on; the rows that leave it; the pair s, c. *)
  Variables (m w : Z) (vectors : nat) (inputs singles outputs s c cleared fold : nat -> Z).
  Hypotheses (sizes : 1 <= w /\ w + 2 <= m)
    (reduced : forall t, (2 ^ m | place m (outputs t) 0 + place m (outputs t) 1 - (total (place m (inputs t)) (4 + vectors) + total (single (singles t)) (vectors + 2))))
    (accumulates : forall t, cleared t = 0 -> s (S t) = place m (outputs t) 0 /\ c (S t) = place m (outputs t) 1).

  Definition product_joins (t : nat) (e : Z) : Prop :=
    (2 ^ m | place m (inputs t) 2 + place m (inputs t) 3 + single (singles t) vectors + single (singles t) (vectors + 1) - e).
  Definition quotient_joins (t : nat) (g : Z) : Prop :=
    (2 ^ m | total (fun i => place m (inputs t) (4 + i)) vectors + total (single (singles t)) vectors - g).

  (* What a cycle without a clear makes of the pair: z is what the fold leaves of it without its lowest digit. *)
  Theorem next_sum : forall t z e g, cleared t = 0 -> (2 ^ m | place m (inputs t) 0 + place m (inputs t) 1 - z) -> product_joins t e -> quotient_joins t g ->
    (2 ^ m | z + e + g - (s (S t) + c (S t))).
  Proof.
    intros t z e g C Z0 E G. unfold product_joins, quotient_joins in *. destruct (accumulates t C) as [-> ->]. pose proof (reduced t) as R. rewrite total_split in R.
    change (total (place m (inputs t)) 4) with (0 + place m (inputs t) 0 + place m (inputs t) 1 + place m (inputs t) 2 + place m (inputs t) 3) in R.
    assert (T : total (single (singles t)) (vectors + 2) = total (single (singles t)) vectors + single (singles t) vectors + single (singles t) (vectors + 1)).
    { replace (vectors + 2)%nat with (S (S vectors)) by lia. replace (vectors + 1)%nat with (S vectors) by lia. reflexivity. }
    rewrite T in R. clear - R Z0 E G. by_sum.
  Qed.

  Hypotheses (ranges : forall t, 0 <= s t < 2 ^ m /\ 0 <= c t < 2 ^ m /\ 0 <= fold t < 4)
    (folds : forall t, (part (s t) (m - 2) 2 + part (c t) (m - 2) 2 - fold t) mod 4 = 0 /\
      place m (inputs t) 0 = part (s t) w (m - 2 - w) + fold t mod 2 * 2 ^ (m - 2 - w) + (1 - fold t / 2) * 2 ^ (m - 2 - w + 1) /\
      place m (inputs t) 1 = part (c t) w (m - 2 - w) + (2 ^ m - 2 ^ (m - 2 - w + 1))).

  (* k was carried into the pair; u is its lowest digit, x is added to it. *)
  Theorem advance : forall h t bound u carry k x e g, let v := pair_value m (s t) (c t) in 1 <= h -> 2 ^ w = 2 * h ->
    cleared t = 0 -> product_joins t e -> quotient_joins t g -> 0 <= bound -> bound + 2 <= 2 ^ (m - 2) -> - (bound + 1) <= v + k <= bound + 1 ->
    0 <= k <= 1 -> 0 <= x <= 1 -> 0 <= u < 2 ^ w -> 0 <= carry <= 1 -> u + 2 ^ w * carry = part (s t) 0 w + part (c t) 0 w + k + x ->
    - bound <= 2 * e <= bound -> - bound <= 2 * g <= bound ->
    2 ^ w * (pair_value m (s (S t)) (c (S t)) + carry) = v + k + x - u + 2 ^ w * e + 2 ^ w * g.
  Proof.
    intros h t bound u carry k x e g v Hh R C E G B0 room B K X U Ca D Eb Gb. destruct (ranges t) as (S1 & C1 & F). destruct (folds t) as (F1 & F2 & F3).
    apply divide_mod in F1; [| reflexivity]. assert (Vr : - 2 ^ (m - 2) <= v <= 2 ^ (m - 2)) by lia.
    destruct (folded_pair m w (s t) (c t) _ k x _ _ _ _ ltac:(lia) ltac:(lia) S1 C1 F F1 Vr D F2 F3) as (z & D0 & I). fold v in I.
    pose proof (next_sum t z e g C D0 E G) as D1. pose proof (half m ltac:(lia)) as W5. pose proof (half (m - 1) ltac:(lia)) as W4. replace (m - 1 - 1) with (m - 2) in W4 by lia.
    rewrite R in U, I. destruct (next_pair h (2 ^ (m - 2)) bound _ _ x _ _ z e g ltac:(lia) B0 room B K X U Ca I Eb Gb) as [_ fits].
    assert (V' : pair_value m (s (S t)) (c (S t)) = z + e + g) by (apply signed_is; [lia | rewrite W4; exact fits | exact D1]).
    rewrite V', R. clear - I. lia.
  Qed.
End Pair.

(* ---------------------------------------------------------------- a register of m words that k words have entered *)
Lemma entering : forall r m k d w, 1 < r -> (k <= m)%nat -> (forall i, (i < k)%nat -> d (S i) = d i / r + pw r (m - 1) * w i) -> d k = d O / pw r k + pw r (m - k) * digits r w k.
Proof.
  intros r m k d w R L H. assert (G : forall i, (i <= k)%nat -> d i = d O / pw r i + pw r (m - i) * digits r w i); [| apply G; lia].
  induction i; intros I; [cbn [pw digits]; rewrite Z.div_1_r; lia |].
  pose proof (pw_pos r i ltac:(lia)). rewrite H, IHi by lia. replace (m - i)%nat with (S (m - S i)) by lia. cbn [pw digits].
  rewrite <- (Z.mul_assoc r), (Z.mul_comm r (pw r (m - S i) * _)), Z.div_add by lia. rewrite Z.div_div by lia. rewrite (Z.mul_comm (pw r i) r).
  replace (m - 1)%nat with (m - S i + i)%nat by lia. rewrite pw_add. ring.
Qed.

(* The topmost k words of it are those that entered last. *)
Theorem entered_words : forall r m k d w, 1 < r -> (k <= m)%nat -> 0 <= d O < pw r m -> (forall i, (i < k)%nat -> 0 <= w i < r) ->
  (forall i, (i < k)%nat -> d (S i) = d i / r + pw r (m - 1) * w i) -> d k / pw r (m - k) = digits r w k.
Proof.
  intros r m k d w R L D0 W H. rewrite (entering r m k d w R L H). pose proof (pw_pos r k ltac:(lia)). pose proof (pw_pos r (m - k) ltac:(lia)).
  assert (0 <= d O / pw r k < pw r (m - k)).
  { split; [apply Z.div_pos; lia | apply Z.div_lt_upper_bound; [lia |]]. rewrite <- pw_add. replace (k + (m - k))%nat with m by lia. exact (proj2 D0). }
  rewrite (Z.mul_comm (pw r (m - k))), Z.div_add, (Z.div_small (d O / _)), Z.add_0_l by lia. reflexivity.
Qed.
