(* SPDX-License-Identifier: Apache-2.0 *)
(* mf_pass_array: Booth rows of k terms times an operand of w bits, whose complemented signs make every row nonnegative, and the digits of a pass. *)
From Coq Require Import ZArith Lia.
Require Import DigitRecurrence Instances Contract Bits BoothRows UnitAccumulator.
Open Scope Z_scope.
Set Default Proof Using "All".

(* ---------------------------------------------------------------- a row *)
Definition multiple (w y once twice negative : Z) : Z :=
  Z.lxor (Z.lor (once * (y mod 2 ^ (w + 1))) (twice * ((2 * (y mod 2 ^ (w + 1))) mod 2 ^ (w + 1)))) (negative * (2 ^ (w + 1) - 1)).

Lemma row_is : forall w y once twice negative, 1 <= w -> - 2 ^ (w - 1) <= y < 2 ^ (w - 1) -> 0 <= once <= 1 -> 0 <= twice <= 1 -> 0 <= negative <= 1 -> once + twice <= 1 ->
  let v := multiple w y once twice negative in v mod 2 ^ w + (1 - v / 2 ^ w) * 2 ^ w + negative = (once + 2 * twice) * (1 - 2 * negative) * y + 2 ^ w.
Proof.
  intros w y once twice negative W Y O T N L v. assert (P : 0 < 2 ^ w) by (apply Z.pow_pos_nonneg; lia). pose proof (half w W) as Hw.
  assert (P1 : 2 ^ (w + 1) = 2 * 2 ^ w) by (rewrite Z.pow_add_r by lia; lia).
  pose proof (booth_multiple (w + 1) y once twice negative v ltac:(lia) O T N L eq_refl) as D.
  assert (R : 0 <= v < 2 ^ (w + 1)).
  { unfold v, multiple. set (x := y mod _). pose proof (Z.mod_pos_bound y (2 ^ (w + 1)) ltac:(lia)) as B. fold x in B.
    pose proof (Z.mod_pos_bound (2 * x) (2 ^ (w + 1)) ltac:(lia)) as B2. set (x2 := (2 * x) mod _) in *.
    assert (C : 0 <= Z.lor (once * x) (twice * x2) < 2 ^ (w + 1)).
    { assert (once = 0 /\ twice = 0 \/ once = 1 /\ twice = 0 \/ once = 0 /\ twice = 1) as [[-> ->] | [[-> ->] | [-> ->]]] by lia;
        rewrite ?Z.mul_0_l, ?Z.mul_1_l, ?Z.lor_0_l, ?Z.lor_0_r; lia. }
    assert (negative = 0 \/ negative = 1) as [-> | ->] by lia; [rewrite Z.mul_0_l, Z.lxor_0_r; lia |]. rewrite Z.mul_1_l, complement by lia. lia. }
  set (e := (once + 2 * twice) * (1 - 2 * negative) * y) in *.
  assert (E : - 2 ^ w <= e - negative < 2 ^ w).
  { unfold e. assert (once = 0 /\ twice = 0 \/ once = 1 /\ twice = 0 \/ once = 0 /\ twice = 1) as [[-> ->] | [[-> ->] | [-> ->]]] by lia;
      assert (negative = 0 \/ negative = 1) as [-> | ->] by lia; lia. }
  pose proof (Z.div_mod v (2 ^ w) ltac:(lia)) as M. pose proof (Z.mod_pos_bound v (2 ^ w) P) as Q.
  assert (q : v / 2 ^ w = 0 \/ v / 2 ^ w = 1).
  { assert (0 <= v / 2 ^ w) by (apply Z.div_pos; lia). assert (v / 2 ^ w < 2) by (apply Z.div_lt_upper_bound; lia). lia. }
  assert (G : v - 2 ^ (w + 1) * (v / 2 ^ w) = e - negative); [| lia].
  apply (near (2 ^ (w + 1))); [| destruct q as [q | q]; rewrite q in *; lia].
  replace (v - 2 ^ (w + 1) * (v / 2 ^ w) - (e - negative)) with (v + negative - e + 2 ^ (w + 1) * (- (v / 2 ^ w))) by ring.
  apply Z.divide_add_r; [exact D | apply Z.divide_factor_l].
Qed.

(* ---------------------------------------------------------------- all rows of a digit *)
Lemma bits_of_pairs : forall k x, part x 0 (2 * Z.of_nat k) = digits 4 (fun j => part x (2 * Z.of_nat j) 2) k.
Proof.
  induction k; intros x; [unfold part; cbn [digits]; rewrite Z.mod_1_r; reflexivity |].
  replace (2 * Z.of_nat (S k)) with (2 * Z.of_nat k + 2) by lia. rewrite part_split, IHk by lia. cbn [digits]. rewrite pw_Z, Z.pow_mul_r by lia. reflexivity.
Qed.

Lemma pow4 : forall j, 2 ^ (2 * Z.of_nat j) = pw 4 j.
Proof. intros. rewrite pw_Z, Z.pow_mul_r by lia. reflexivity. Qed.

Section Rows.
  Variables (m w y terms rows ones first second one : Z) (k : nat).
  Let row (j : nat) : Z := place m rows j.
  Let D := 2 * Z.of_nat k.
  Let all := digits 4 (fun _ => 1) k.
  Hypotheses (sizes : 1 <= w /\ (1 <= k)%nat) (y_range : - 2 ^ (w - 1) <= y < 2 ^ (w - 1)) (legal : forall j, (j < k)%nat -> once terms j + twice terms j <= 1)
    (multiples : forall j, (j < k)%nat -> let v := multiple w y (once terms j) (twice terms j) (negative terms j) in
      row j = 2 ^ (2 * Z.of_nat j) * (v mod 2 ^ w + (1 - v / 2 ^ w) * 2 ^ w))
    (ones_range : 0 <= ones < 2 ^ D) (ones_are : forall j, (j < k)%nat -> part ones (2 * Z.of_nat j) 2 = negative terms j + 2 * (if Z.of_nat j =? Z.of_nat k - 1 then one else 0))
    (first_row : row k = 2 ^ D * first + ones) (second_row : row (S k) = 2 ^ D * second + 2 ^ (D - 1) * one).

  Lemma ones_sum : ones = digits 4 (negative terms) k + 2 ^ (D - 1) * one.
  Proof.
    rewrite <- (part_whole ones D ones_range) at 1. unfold D at 1. rewrite bits_of_pairs.
    assert (G : forall i, (i <= k)%nat -> digits 4 (fun j => part ones (2 * Z.of_nat j) 2) i = digits 4 (negative terms) i + (if (i =? k)%nat then 2 ^ (D - 1) * one else 0)).
    { induction i; intros L; cbn [digits].
      - destruct (Nat.eqb_spec 0 k); lia.
      - rewrite IHi, ones_are by lia. destruct (Nat.eqb_spec i k); [lia |]. destruct (Nat.eqb_spec (S i) k) as [E | E]; destruct (Z.eqb_spec (Z.of_nat i) (Z.of_nat k - 1)); try lia.
        assert (2 ^ (D - 1) = 2 * pw 4 i) as -> by (unfold D; replace (2 * Z.of_nat k - 1) with (1 + 2 * Z.of_nat i) by lia; rewrite Z.pow_add_r, pow4 by lia; reflexivity). ring. }
    rewrite G, Nat.eqb_refl by lia. reflexivity.
  Qed.

  Theorem rows_total : total row (S (S k)) = number k terms * y + 2 ^ w * all + 2 ^ D * (first + second + one).
  Proof.
    assert (G : forall i, (i <= k)%nat -> total row i + digits 4 (negative terms) i = digits 4 (fun j => (once terms j + 2 * twice terms j) * (1 - 2 * negative terms j)) i * y +
      2 ^ w * digits 4 (fun _ => 1) i).
    { induction i; intros L; [cbn [total digits]; lia |]. specialize (IHi ltac:(lia)). cbn [total digits]. rewrite multiples, pow4 by lia.
      pose proof (row_is w y (once terms i) (twice terms i) (negative terms i) ltac:(lia) y_range (bit_range _ _) (bit_range _ _) (bit_range _ _) (legal i ltac:(lia))) as X. cbv zeta in X.
      set (q := _ + (1 - _) * 2 ^ w) in *. replace q with ((once terms i + 2 * twice terms i) * (1 - 2 * negative terms i) * y + 2 ^ w - negative terms i) by lia. clear X. lia. }
    specialize (G k (le_n k)). cbn [total]. rewrite first_row, second_row, ones_sum. fold all in G. unfold number. assert (2 ^ D = 2 * 2 ^ (D - 1)) by (apply half; unfold D; lia). lia.
  Qed.
End Rows.

(* The sum of a pair that they are added to has room. *)
Section Room.
  Variables (w y terms : Z) (k : nat).
  Let D := 2 * Z.of_nat k.
  Let all := digits 4 (fun _ => 1) k.
  Hypotheses (sizes : 1 <= w /\ (1 <= k)%nat) (y_range : - 2 ^ (w - 1) <= y < 2 ^ (w - 1)) (legal : forall j, (j < k)%nat -> once terms j + twice terms j <= 1).

  Lemma all_is : 3 * all + 1 = 2 ^ D.
  Proof. unfold all, D. rewrite pow4. clear. induction k as [| i]; cbn [digits pw]; lia. Qed.

  Lemma number_range : - 2 * all <= number k terms <= 2 * all.
  Proof.
    unfold number, all. assert (G : forall i, (i <= k)%nat -> - 2 * digits 4 (fun _ => 1) i <= digits 4 (fun j => (once terms j + 2 * twice terms j) * (1 - 2 * negative terms j)) i <= 2 * digits 4 (fun _ => 1) i).
    { induction i; intros L; [cbn [digits]; lia |]. specialize (IHi ltac:(lia)). cbn [digits]. specialize (legal i ltac:(lia)). pose proof (pw_pos 4 i ltac:(lia)).
      assert (B : - 2 <= (once terms i + 2 * twice terms i) * (1 - 2 * negative terms i) <= 2).
      { pose proof (bit_range terms (3 * Z.of_nat i + 0)) as B0. pose proof (bit_range terms (3 * Z.of_nat i + 1)) as B1. pose proof (bit_range terms (3 * Z.of_nat i + 2)) as B2.
        fold (negative terms i) in B0. fold (twice terms i) in B1. fold (once terms i) in B2. assert (negative terms i = 0 \/ negative terms i = 1) as [-> | ->] by lia; lia. }
      set (z := (once terms i + 2 * twice terms i) * _) in *. assert (- 2 * pw 4 i <= pw 4 i * z <= 2 * pw 4 i) by (split; [rewrite Z.mul_comm; apply Z.mul_le_mono_nonneg_l | rewrite (Z.mul_comm 2); apply Z.mul_le_mono_nonneg_l]; lia). lia. }
    apply G. lia.
  Qed.

  Theorem sum_fits : forall high, 0 <= high <= 2 * (2 ^ w - 1) -> high + (number k terms * y + 2 ^ w * all) < 2 ^ D * 2 ^ w.
  Proof.
    intros high Hs. pose proof all_is as A. pose proof number_range as B. pose proof (half w ltac:(lia)) as Hw.
    assert (A1 : 1 <= all). { pose proof (Z.pow_le_mono_r 2 2 D ltac:(lia) ltac:(unfold D; lia)) as X. change (2 ^ 2) with 4 in X. lia. }
    assert (X : number k terms * y <= 2 ^ w * all).
    { apply (Z.le_trans _ (Z.abs (number k terms * y))); [lia |]. rewrite Z.abs_mul. apply (Z.le_trans _ (2 * all * 2 ^ (w - 1))); [apply Z.mul_le_mono_nonneg; lia | rewrite Hw; lia]. }
    rewrite <- A. assert (2 ^ w * 1 <= 2 ^ w * all) by (apply Z.mul_le_mono_nonneg_l; lia). lia.
  Qed.
End Room.

(* ---------------------------------------------------------------- the digits of a pass, the lowest first *)
(* What is carried out of the lowest i digits, of which each is lo before carries. *)
Fixpoint carried (r : Z) (lo : nat -> Z) (i : nat) : Z := match i with O => 0 | S j => (lo j + carried r lo j) / r end.
Definition resolved (r : Z) (lo : nat -> Z) (i : nat) : Z := (lo i + carried r lo i) mod r.

Lemma carried_range : forall r lo k, 1 < r -> (forall i, (i < k)%nat -> 0 <= lo i <= 2 * (r - 1)) -> forall i, (i <= k)%nat -> 0 <= carried r lo i <= 1.
Proof.
  intros r lo k R H. induction i; intros L; cbn [carried]; [lia |]. specialize (IHi ltac:(lia)). specialize (H i ltac:(lia)).
  split; [apply Z.div_pos; lia |]. apply Z.lt_succ_r. apply Z.div_lt_upper_bound; lia.
Qed.

Theorem pass : forall r y C k value before hi lo, 1 < r -> (forall i, (i < S k)%nat -> hi i * r + lo i = before i + value i * y + C) -> before O = 0 ->
  (forall i, (S i < S k)%nat -> before (S i) = hi i) ->
  pw r (S k) * (hi k + carried r lo (S k)) + digits r (resolved r lo) (S k) = digits r value (S k) * y + C * digits r (fun _ => 1) (S k).
Proof.
  intros r y C k value before hi lo R step start next.
  assert (S1 : forall i, (i < S k)%nat -> (hi i + carried r lo (S i)) * r + resolved r lo i = before i + carried r lo i + value i * y + C).
  { intros i L. unfold resolved. cbn [carried]. pose proof (Z.div_mod (lo i + carried r lo i) r ltac:(lia)). specialize (step i L). lia. }
  assert (G : forall i, (i <= k)%nat -> pw r (S i) * (hi i + carried r lo (S i)) + digits r (resolved r lo) (S i) = digits r value (S i) * y + C * digits r (fun _ => 1) (S i)).
  { induction i; intros L.
    - specialize (S1 O ltac:(lia)). rewrite start in S1. cbn [pw digits]. change (carried r lo O) with 0 in S1. lia.
    - specialize (IHi ltac:(lia)). specialize (S1 (S i) ltac:(lia)). rewrite next in S1 by lia.
      change (pw r (S (S i))) with (r * pw r (S i)). change (digits r (resolved r lo) (S (S i))) with (digits r (resolved r lo) (S i) + pw r (S i) * resolved r lo (S i)).
      change (digits r value (S (S i))) with (digits r value (S i) + pw r (S i) * value (S i)). change (digits r (fun _ => 1) (S (S i))) with (digits r (fun _ => 1) (S i) + pw r (S i) * 1).
      set (P := pw r (S i)) in *. set (e := carried r lo (S (S i))) in *. replace (r * P * (hi (S i) + e)) with (P * ((hi (S i) + e) * r)) by ring.
      replace ((hi (S i) + e) * r) with (hi i + carried r lo (S i) + value (S i) * y + C - resolved r lo (S i)) by lia. lia. }
  apply G. lia.
Qed.

(* Signed digits: each is recoded with the topmost bit of that below. *)
Theorem recoded_digits : forall w k g below, 1 <= w -> (forall i, (i < S k)%nat -> 0 <= g i < 2 ^ w) -> below O = 0 -> (forall i, (S i < S k)%nat -> below (S i) = g i / 2 ^ (w - 1)) ->
  digits (2 ^ w) (fun i => two w (g i) + below i) (S k) = two (Z.of_nat (S k) * w) (digits (2 ^ w) g (S k)).
Proof.
  intros w k g below W range start next. set (r := 2 ^ w) in *. assert (R : 0 < r) by (apply Z.pow_pos_nonneg; lia). pose proof (half w W) as Hw. fold r in Hw.
  set (h := 2 ^ (w - 1)) in *. assert (0 < h) by lia. set (top := fun i => g i / h).
  assert (T : forall i, (i < S k)%nat -> two w (g i) = g i - r * top i /\ (top i = 0 /\ g i < h \/ top i = 1 /\ h <= g i)).
  { intros i L. specialize (range i L). unfold two, top. fold h. destruct (Z.ltb_spec (g i) h).
    - rewrite Z.div_small by lia. lia.
    - assert (g i / h = 1) as -> by (symmetry; apply (Z.div_unique _ _ _ (g i - h)); lia). fold r. lia. }
  assert (G : forall i, (i <= k)%nat -> digits r (fun i => two w (g i) + below i) (S i) = digits r g (S i) - pw r (S i) * top i).
  { induction i; intros L.
    - destruct (T O ltac:(lia)) as [E _]. cbn [digits pw]. rewrite start, E. lia.
    - change (digits r (fun i => two w (g i) + below i) (S (S i))) with (digits r (fun i => two w (g i) + below i) (S i) + pw r (S i) * (two w (g (S i)) + below (S i))).
      rewrite IHi, next by lia. fold (top i). destruct (T (S i) ltac:(lia)) as [-> _].
      change (digits r g (S (S i))) with (digits r g (S i) + pw r (S i) * g (S i)). change (pw r (S (S i))) with (r * pw r (S i)). ring. }
  rewrite G by lia. assert (PW : forall i, pw r i = 2 ^ (Z.of_nat i * w)) by (intros; rewrite pw_Z; unfold r; rewrite <- Z.pow_mul_r by lia; f_equal; lia).
  destruct (T k ltac:(lia)) as [_ B]. cbn [digits] in *. unfold two. rewrite <- PW.
  assert (X : forall i, (i <= S k)%nat -> 0 <= digits r g i < pw r i).
  { induction i; intros L; cbn [digits pw]; [lia |]. specialize (IHi ltac:(lia)). specialize (range i ltac:(lia)). pose proof (pw_pos r i R).
    assert (0 <= pw r i * g i) by (apply Z.mul_nonneg_nonneg; lia). assert (pw r i * g i <= pw r i * (r - 1)) by (apply Z.mul_le_mono_nonneg_l; lia). lia. }
  specialize (X k ltac:(lia)). assert (E : 2 ^ (Z.of_nat (S k) * w - 1) = pw r k * h).
  { rewrite PW. unfold h. rewrite <- Z.pow_add_r by lia. f_equal. lia. }
  rewrite E. cbn [pw]. pose proof (pw_pos r k R). set (P := pw r k) in *. destruct B as [[B1 B2] | [B1 B2]]; rewrite B1.
  - assert (P * g k <= P * (h - 1)) by (apply Z.mul_le_mono_nonneg_l; lia). destruct (Z.ltb_spec (digits r g k + P * g k) (P * h)); lia.
  - assert (P * h <= P * g k) by (apply Z.mul_le_mono_nonneg_l; lia). destruct (Z.ltb_spec (digits r g k + P * g k) (P * h)); lia.
Qed.

(* ---------------------------------------------------------------- the end *)
(* The carry out of a digit of w bits, by the topmost bits of both vectors and of the sum. *)
Lemma carry_by_tops : forall w s c k, 1 <= w -> 0 <= s < 2 ^ w -> 0 <= c < 2 ^ w -> 0 <= k <= 1 -> let h := 2 ^ (w - 1) in
  let top := (s + c + k) mod 2 ^ w / h in (s + c + k) / 2 ^ w = if s / h =? 1 then (if c / h =? 1 then 1 else 1 - top) else if c / h =? 1 then 1 - top else 0.
Proof.
  intros w s c k W S C K h top. pose proof (half w W) as Hw. fold h in Hw. assert (P : 0 < h) by (apply Z.pow_pos_nonneg; lia).
  assert (B : forall x, 0 <= x < 2 ^ w -> x / h = 0 /\ x < h \/ x / h = 1 /\ h <= x).
  { intros x X. destruct (Z.lt_ge_cases x h); [left; rewrite Z.div_small by lia; lia | right; split; [symmetry; apply (Z.div_unique _ _ _ (x - h)); lia | lia]]. }
  pose proof (Z.div_mod (s + c + k) (2 ^ w) ltac:(lia)) as E. pose proof (Z.mod_pos_bound (s + c + k) (2 ^ w) ltac:(lia)) as M. pose proof (B _ M) as T. fold top in T.
  set (q := (s + c + k) / 2 ^ w) in *. assert (Q : 0 <= q <= 1) by (split; [apply Z.div_pos; lia | apply Z.lt_succ_r, Z.div_lt_upper_bound; lia]).
  assert (q = 0 \/ q = 1) as [-> | ->] by lia; destruct (B s S) as [[-> S1] | [-> S1]], (B c C) as [[-> C1] | [-> C1]]; cbn [Z.eqb Pos.eqb]; lia.
Qed.

(* The topmost digits of two equal sums of digits. *)
Lemma same_top : forall r f g k, 0 < r -> (forall i, (i < S k)%nat -> 0 <= f i < r) -> (forall i, (i < S k)%nat -> 0 <= g i < r) -> digits r f (S k) = digits r g (S k) -> f k = g k.
Proof.
  intros r f g k R F G E. cbn [digits] in E. pose proof (digits_bound r f k R ltac:(intros; apply F; lia)). pose proof (digits_bound r g k R ltac:(intros; apply G; lia)).
  pose proof (pw_pos r k R). nia.
Qed.

(* T = a b, Q = T n' and U = -Q n, with halves that are off by the same e: s and c, later s' and c', are the high halves of T and of U - T, less the carries k, k'. *)
Section Difference.
  Variables (w W n ni a b y e h k low z1 e1 low1 h' k' low' s c s' c' : Z).
  Let R := 2 ^ w.
  Let V := 2 ^ (W + 1).
  Let Q := two w low1.
  Let injected := (V - 1 - s) + (V - 1 - c) + (1 - k).
  Hypotheses (sizes : 1 <= W /\ W + 1 <= w) (n_range : 0 < n < 2 ^ W) (inverse : (n * ni + 1) mod R = 0) (y_is : (R | y - ni)) (a_range : - n < a < n) (b_range : - n < b < n)
    (product : R * (h + k) + low = a * b + R * e) (low_range : 0 <= low < R) (quotient : R * z1 + low1 = two w low * y + R * e1) (low1_range : 0 <= low1 < R)
    (multiple_of_n : R * (h' + k') + low' = - Q * n + R * e) (low'_range : 0 <= low' < R) (high : (V | s + c - h)) (high' : (V | s' + c' - (h' + injected))).

  Lemma Q_range : - R <= 2 * Q <= R /\ (R | Q - low1).
  Proof. pose proof (two_range w low1 ltac:(lia) low1_range) as B. pose proof (half w ltac:(lia)) as Hw. fold Q in B. fold R in Hw. split; [lia | apply two_divides]. Qed.

  Lemma same_low : low' = low.
  Proof.
    assert (R0 : 0 < R) by (apply Z.pow_pos_nonneg; lia). destruct Q_range as [_ [i I]]. destruct y_is as [j J]. apply divide_mod in inverse; [| exact R0]. destruct inverse as [l L].
    destruct (two_divides w low) as [g G]. fold R in G. apply (near R); [| lia].
    exists (e - (h' + k') - i * n - n * (e1 - z1 + g * y + low * j) - low * l).
    replace low' with (- Q * n + R * e - R * (h' + k')) by lia. replace Q with (low1 + i * R) by lia. replace low1 with (two w low * y + R * e1 - R * z1) by lia.
    replace (two w low) with (low + g * R) by lia. transitivity (- low * (n * y) - low + R * (e - (h' + k') - i * n - n * (e1 - z1 + g * y))); [ring |].
    replace (n * y) with (l * R - 1 + n * (j * R)) by (replace (l * R) with (n * ni + 1) by lia; replace (j * R) with (y - ni) by lia; ring). ring.
  Qed.

  Theorem signed_difference : let p := two (W + 1) (((V - 1 - s') + (V - 1 - c') + (1 - k')) mod V) in - n < p < n /\ montgomery n R a b p.
  Proof.
    intros p. pose proof same_low as L. destruct Q_range as [B _]. set (x := h + k - (h' + k')). assert (E : a * b + Q * n = R * x) by (unfold x; lia).
    assert (W0 : 0 < 2 ^ W) by (apply Z.pow_pos_nonneg; lia). assert (VW : V = 2 * 2 ^ W) by (unfold V; rewrite Z.pow_add_r by lia; lia).
    assert (RW : 2 * 2 ^ W <= R) by (rewrite <- VW; apply Z.pow_le_mono_r; lia).
    assert (X : - n < x < n).
    { assert (AB : Z.abs (a * b) < n * 2 ^ W) by (rewrite Z.abs_mul; nia). assert (QN : 2 * Z.abs (Q * n) <= R * n) by (rewrite Z.abs_mul, (Z.abs_eq n) by lia; nia).
      assert (F : 2 * Z.abs (R * x) < 2 * (R * n)) by (rewrite <- E; nia). rewrite Z.abs_mul, (Z.abs_eq R) in F by lia. assert (R * Z.abs x < R * n) by lia.
      apply Z.mul_lt_mono_pos_l in H; lia. }
    assert (P : p = x).
    { apply (signed_is (W + 1)); [lia | replace (W + 1 - 1) with W by lia; lia |]. fold V. destruct high as [i I]. destruct high' as [j J]. exists (j - i).
      unfold x, injected in *. lia. }
    rewrite P. split; [exact X |]. exists Q. lia.
  Qed.
End Difference.
