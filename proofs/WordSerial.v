(* SPDX-License-Identifier: Apache-2.0 *)
(* A sum word by word, the lowest first, by a short adder and a carry: mf_word_serial_adder. r = 2^V, m words. *)
From Coq Require Import ZArith Lia.
Require Import DigitRecurrence.
Open Scope Z_scope.

(* A register of m words that takes a word from above in each step. *)
Lemma shifted_in : forall r m d w, 1 < r -> (forall i, (i < m)%nat -> d (S i) = d i / r + pw r (m - 1) * w i) ->
  forall i, (i <= m)%nat -> d i = d O / pw r i + pw r (m - i) * digits r w i.
Proof.
  intros r m d w R H. induction i; intros L; [cbn [pw digits]; rewrite Z.div_1_r; lia |].
  pose proof (pw_pos r i ltac:(lia)). rewrite H, IHi by lia. replace (m - i)%nat with (S (m - S i)) by lia. cbn [pw digits].
  rewrite <- (Z.mul_assoc r), (Z.mul_comm r (pw r (m - S i) * _)), Z.div_add by lia. rewrite Z.div_div by lia. rewrite (Z.mul_comm (pw r i) r).
  replace (m - 1)%nat with (m - S i + i)%nat by lia. rewrite pw_add. ring.
Qed.

(* Its lowest word is one of the first value until all have left. *)
Lemma lowest_word : forall r m d w, 1 < r -> (forall i, (i < m)%nat -> d (S i) = d i / r + pw r (m - 1) * w i) ->
  forall i, (i < m)%nat -> d i mod r = (d O / pw r i) mod r.
Proof.
  intros r m d w R H i L. rewrite (shifted_in r m d w R H i) by lia. replace (m - i)%nat with (S (m - S i)) by lia. cbn [pw].
  rewrite <- Z.mul_assoc, (Z.mul_comm r), Z_mod_plus_full. reflexivity.
Qed.

Lemma shifted_down : forall r m (y : nat -> Z), 1 < r -> (forall i, (i < m)%nat -> y (S i) = y i / r) -> forall i, (i <= m)%nat -> y i = y O / pw r i.
Proof.
  intros r m y R H. induction i; intros L; [cbn [pw]; rewrite Z.div_1_r; reflexivity |].
  pose proof (pw_pos r i ltac:(lia)). rewrite H, IHi by lia. cbn [pw]. rewrite Z.div_div, (Z.mul_comm r) by lia. reflexivity.
Qed.

Lemma low_words : forall r x m, 1 < r -> x mod pw r (S m) = x mod pw r m + pw r m * ((x / pw r m) mod r).
Proof. intros r x m R. pose proof (pw_pos r m ltac:(lia)). cbn [pw]. rewrite Z.mul_comm. apply Z.rem_mul_r; lia. Qed.

(* The words w of x + y + carry 0. *)
Theorem serial_sum : forall r m x y w carry, 1 < r ->
  (forall i, (i < m)%nat -> w i + r * carry (S i) = (x / pw r i) mod r + (y / pw r i) mod r + carry i) ->
  digits r w m + pw r m * carry m = x mod pw r m + y mod pw r m + carry O.
Proof.
  induction m; intros x y w carry R H; [cbn [digits pw]; rewrite !Z.mod_1_r; lia |].
  specialize (IHm x y w carry R ltac:(intros; apply H; lia)). specialize (H m ltac:(lia)).
  rewrite !low_words by assumption. cbn [digits].
  assert (E : pw r m * w m + pw r (S m) * carry (S m) = pw r m * ((x / pw r m) mod r + (y / pw r m) mod r + carry m)) by (rewrite <- H; cbn [pw]; ring).
  lia.
Qed.

Lemma pw_words : forall V i, 0 <= V -> pw (2 ^ V) i = 2 ^ (Z.of_nat i * V).
Proof. intros V i H. rewrite pw_Z, <- Z.pow_mul_r by lia. f_equal. lia. Qed.

(* The register d takes the words of x + y + carry 0. Both summands are shifted out, or the sum takes the place of the first one. *)
Theorem added : forall (V : Z) (m : nat) x y w carry d, let r := 2 ^ V in let P := 2 ^ (Z.of_nat m * V) in 1 <= V ->
  0 <= x O < P -> 0 <= y O < P -> 0 <= d O < P ->
  (forall i, (i < m)%nat -> d (S i) = d i / r + 2 ^ ((Z.of_nat m - 1) * V) * w i) ->
  (forall i, (i < m)%nat -> x (S i) = x i / r) \/ (forall i, x i = d i) -> (forall i, (i < m)%nat -> y (S i) = y i / r) ->
  (forall i, (i < m)%nat -> w i + r * carry (S i) = x i mod r + y i mod r + carry i) ->
  d m + P * carry m = x O + y O + carry O.
Proof.
  intros V m x y w carry d r P HV X Y D enters Xs Ys words.
  assert (R : 1 < r) by (apply (Z.pow_gt_1 2 V); lia). unfold P in *. rewrite <- pw_words in * by lia. fold r in X, Y, D |- *.
  assert (enters' : forall i, (i < m)%nat -> d (S i) = d i / r + pw r (m - 1) * w i).
  { intros i L. rewrite (enters i L). unfold r at 3. rewrite pw_words by lia. do 4 f_equal. lia. }
  pose proof (shifted_in r m d w R enters' m ltac:(lia)) as E. rewrite Nat.sub_diag, Z.div_small in E by assumption. cbn [pw] in E.
  assert (W : forall i, (i < m)%nat -> w i + r * carry (S i) = (x O / pw r i) mod r + (y O / pw r i) mod r + carry i).
  { intros i L. rewrite (words i L), (shifted_down r m y R Ys i) by lia. do 2 f_equal.
    destruct Xs as [Xs | Xs]; [rewrite (shifted_down r m x R Xs i) by lia; reflexivity | rewrite !Xs; apply (lowest_word r m d w R enters' i L)]. }
  pose proof (serial_sum r m (x O) (y O) w carry R W) as G. rewrite !Z.mod_small in G by assumption. lia.
Qed.

Lemma no_carry_out : forall P s carry t, s + P * carry = t -> 0 < P -> 0 <= s -> t < P -> 0 <= carry -> s = t.
Proof. intros P s carry t E HP S T C. assert (carry = 0) as -> by nia. lia. Qed.

(* A sum that fits, without a carry into its lowest word. *)
Theorem sum_that_fits : forall (V : Z) (m : nat) x y w carry d, let r := 2 ^ V in let P := 2 ^ (Z.of_nat m * V) in 1 <= V ->
  0 <= x O < P -> 0 <= y O < P -> 0 <= d O < P -> 0 <= d m -> 0 <= carry m -> carry O = 0 -> x O + y O < P ->
  (forall i, (i < m)%nat -> d (S i) = d i / r + 2 ^ ((Z.of_nat m - 1) * V) * w i) ->
  (forall i, (i < m)%nat -> x (S i) = x i / r) \/ (forall i, x i = d i) -> (forall i, (i < m)%nat -> y (S i) = y i / r) ->
  (forall i, (i < m)%nat -> w i + r * carry (S i) = x i mod r + y i mod r + carry i) ->
  d m = x O + y O.
Proof.
  intros V m x y w carry d r P HV X Y D Dm Cm C0 F enters Xs Ys words.
  pose proof (added V m x y w carry d HV X Y D enters Xs Ys words) as E. rewrite C0, Z.add_0_r in E.
  apply (no_carry_out P _ (carry m)); [exact E | apply Z.pow_pos_nonneg; lia | exact Dm | exact F | exact Cm].
Qed.

(* Words of V bits that hold B bits. *)
Lemma word_count : forall V B, 1 <= V -> 1 <= B -> let m := Z.to_nat ((B + V - 1) / V) in
  (B + V - 1) / V = Z.of_nat m /\ (1 <= m)%nat /\ B <= Z.of_nat m * V.
Proof.
  intros V B HV HB m. pose proof (Z.div_mod (B + V - 1) V ltac:(lia)) as E. pose proof (Z.mod_pos_bound (B + V - 1) V ltac:(lia)) as M.
  set (q := (B + V - 1) / V) in *. assert (1 <= q) by nia. unfold m. rewrite Z2Nat.id by lia. repeat split; [lia | nia].
Qed.

(* ---------------------------------------------------------------- a difference: the words of x + (2^(m V) - 1 - n) + 1 *)

Lemma word_digits : forall r x m, 1 < r -> digits r (fun i => (x / pw r i) mod r) m = x mod pw r m.
Proof. intros r x m R. induction m; [cbn [digits pw]; rewrite Z.mod_1_r; reflexivity | rewrite low_words, <- IHm by assumption; reflexivity]. Qed.

Lemma complement_word : forall r m n i, 1 < r -> (i < m)%nat -> ((pw r m - 1 - n) / pw r i) mod r = r - 1 - (n / pw r i) mod r.
Proof.
  intros r m n i R L. pose proof (pw_pos r i ltac:(lia)) as Pi. replace m with (S (m - S i) + i)%nat by lia. rewrite pw_add. cbn [pw].
  set (g := pw r (m - S i)). set (P := pw r i) in *. pose proof (Z.div_mod n P ltac:(lia)) as E. pose proof (Z.mod_pos_bound n P Pi) as B.
  set (q := n / P) in *. set (l := n mod P) in *.
  replace (r * g * P - 1 - n) with (P - 1 - l + (r * g - 1 - q) * P) by (rewrite E; ring). rewrite Z.div_add, Z.div_small by lia.
  replace (0 + (r * g - 1 - q)) with (r - 1 - q mod r + (g - 1 - q / r) * r) by (pose proof (Z.div_mod q r ltac:(lia)); lia).
  rewrite Z_mod_plus_full. apply Z.mod_small. pose proof (Z.mod_pos_bound q r ltac:(lia)). lia.
Qed.

(* The register s is rotated, n is shifted out, d takes the difference. *)
Theorem difference : forall (V : Z) (m : nat) s n w carry d, let r := 2 ^ V in let P := 2 ^ (Z.of_nat m * V) in 1 <= V ->
  0 <= s O < P -> 0 <= n O < P -> 0 <= d O < P -> carry O = 1 ->
  (forall i, (i < m)%nat -> s (S i) = s i / r + 2 ^ ((Z.of_nat m - 1) * V) * (s i mod r)) -> (forall i, (i < m)%nat -> n (S i) = n i / r) ->
  (forall i, (i < m)%nat -> d (S i) = d i / r + 2 ^ ((Z.of_nat m - 1) * V) * w i) ->
  (forall i, (i < m)%nat -> w i + r * carry (S i) = s i mod r + (r - 1 - n i mod r) + carry i) ->
  d m + P * carry m = s O + P - n O /\ s m = s O.
Proof.
  intros V m s n w carry d r P HV X Y D C0 rotates shifts enters words.
  assert (R : 1 < r) by (apply (Z.pow_gt_1 2 V); lia). unfold P in *. rewrite <- pw_words in * by lia. fold r in X, Y, D |- *.
  assert (top : forall i, (i < m)%nat -> 2 ^ ((Z.of_nat m - 1) * V) = pw r (m - 1)) by (intros; unfold r; rewrite pw_words by lia; do 2 f_equal; lia).
  assert (rotates' : forall i, (i < m)%nat -> s (S i) = s i / r + pw r (m - 1) * (s i mod r)) by (intros i L; rewrite <- (top i L); apply rotates, L).
  assert (enters' : forall i, (i < m)%nat -> d (S i) = d i / r + pw r (m - 1) * w i) by (intros i L; rewrite <- (top i L); apply enters, L).
  pose proof (shifted_in r m d w R enters' m ltac:(lia)) as E. rewrite Nat.sub_diag, Z.div_small in E by assumption. cbn [pw] in E.
  pose proof (shifted_in r m s (fun i => s i mod r) R rotates' m ltac:(lia)) as F. rewrite Nat.sub_diag, Z.div_small in F by assumption. cbn [pw] in F.
  pose proof (lowest_word r m s (fun i => s i mod r) R rotates') as low.
  assert (W : forall i, (i < m)%nat -> w i + r * carry (S i) = (s O / pw r i) mod r + ((pw r m - 1 - n O) / pw r i) mod r + carry i).
  { intros i L. rewrite (words i L), complement_word, (low i L), (shifted_down r m n R shifts i) by lia. reflexivity. }
  pose proof (serial_sum r m (s O) (pw r m - 1 - n O) w carry R W) as G. rewrite !Z.mod_small, C0 in G by lia. split; [lia |].
  rewrite F, (digits_ext r _ (fun i => (s O / pw r i) mod r) m low), word_digits, Z.mod_small by assumption. lia.
Qed.
