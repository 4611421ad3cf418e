(* SPDX-License-Identifier: Apache-2.0 *)
(* Powers by Montgomery products, over any multiplier that keeps its contract: what a product stands for, when a multiplier answers,
   what an exponentiator promises of its nets. The products are values of nets, so that equal operands may have unequal products. *)
From Coq Require Import ZArith Znumtheory Zpow_facts Lia String.
Require Import DigitRecurrence WordSerial Contract.
Open Scope string_scope. Open Scope Z_scope.

(* ---------------------------------------------------------------- residues *)
Lemma congruent_iff : forall n a b, 0 < n -> (a mod n = b mod n <-> (n | a - b)).
Proof.
  intros n a b N. split; intros H.
  - exists (a / n - b / n). pose proof (Z.div_mod a n ltac:(lia)). pose proof (Z.div_mod b n ltac:(lia)). nia.
  - destruct H as [j E]. replace a with (b + j * n) by lia. apply Z_mod_plus_full.
Qed.

Lemma power_of_two_coprime : forall n k, n mod 2 = 1 -> 0 <= k -> rel_prime n (2 ^ k).
Proof.
  intros n k O K. apply rel_prime_Zpower_r; [exact K |]. apply rel_prime_mod_rev; [lia |]. rewrite O. apply rel_prime_1.
Qed.

Lemma inverse_coprime : forall n k R, 0 < R -> (n * k + 1) mod R = 0 -> rel_prime n R.
Proof.
  intros n k R P H. apply Z.mod_divide in H; [| lia]. destruct H as [j E]. apply bezout_rel_prime. apply (Bezout_intro _ _ _ (- k) j). lia.
Qed.

Section Residues.
  (* the modulus, R, the base; which operands and results are legal under a modulus, all residues among them *)
  Variables (n R : Z) (ok : Z -> Z -> Prop) (x : Z).
  Hypotheses (coprime : rel_prime n R) (large : 3 <= n) (residues : forall y, 0 <= y < n -> ok n y).

  Lemma cancel : forall u v, (u * R) mod n = (v * R) mod n -> u mod n = v mod n.
  Proof.
    intros u v H. apply congruent_iff in H; [| lia]. apply congruent_iff; [lia |]. apply Gauss with R.
    - replace (R * (u - v)) with (u * R - v * R) by ring. exact H.
    - exact coprime.
  Qed.

  (* X stands for x^k in the Montgomery domain: X = x^k R (mod n), an operand. *)
  Definition stands (k X : Z) : Prop := ok n X /\ X mod n = (x ^ k * R) mod n.
  (* p is a product of a and b. *)
  Definition product (p a b : Z) : Prop := ok n p /\ (p * R) mod n = (a * b) mod n.

  Lemma multiplied : forall p a b i j, product p a b -> stands i a -> stands j b -> 0 <= i -> 0 <= j -> stands (i + j) p.
  Proof.
    intros p a b i j [P E] [_ A] [_ B] I J. split; [exact P |]. apply cancel. rewrite E, Z.mul_mod, A, B, <- Z.mul_mod, Z.pow_add_r by lia.
    f_equal. ring.
  Qed.

  Lemma one_stands : forall X, X = R mod n -> stands 0 X.
  Proof.
    intros X ->. pose proof (Z.mod_pos_bound R n ltac:(lia)). split; [apply residues; lia |]. rewrite Z.pow_0_r, Z.mul_1_l, Z.mod_mod by lia. reflexivity.
  Qed.

  (* Into the domain with R^2 mod n, and out with 1. *)
  Lemma into : forall p r2, product p x r2 -> r2 = (R * R) mod n -> stands 1 p.
  Proof.
    intros p r2 [P E] ->. split; [exact P |]. apply cancel. rewrite E, Z.mul_mod_idemp_r, Z.pow_1_r by lia. f_equal. ring.
  Qed.

  Lemma out_of : forall p X k, product p X 1 -> stands k X -> p mod n = (x ^ k) mod n.
  Proof. intros p X k [P E] [_ H]. apply cancel. rewrite E, Z.mul_1_r. exact H. Qed.
End Residues.

(* ---------------------------------------------------------------- a multiplier's answer *)

(* After a request, in the first cycles with a response until it is taken: the product, and not before. *)
Definition responds (net : trace) (a b n p : nat -> Z) (least : nat) (R : Z) (legal : nat -> Prop) (operand result : Z -> Z -> Prop) : Prop := forall c,
  net "req_valid_i" c = 1 -> net "req_ready_o" c = 1 -> legal c -> operand (n c) (a c) -> operand (n c) (b c) ->
  forall s, (c < s)%nat -> (forall i, (c < i < s)%nat -> net "rsp_valid_o" i = 1 -> net "rsp_ready_i" i = 0) -> net "rsp_valid_o" s = 1 ->
  (c + least <= s)%nat /\ result (n c) (p s) /\ (p s * R) mod n c = (a c * b c) mod n c.

Theorem answered : forall net a b n p least most R legal operand result, multiplier net a b n p least most R legal operand result ->
  (1 <= least)%nat -> responds net a b n p least R legal operand result.
Proof.
  intros * M least_1 c V Y L A B s C waits now. destruct (M c V Y L A B) as (d & D & V1 & Q & E & before & stays).
  assert (late : (c + d <= s)%nat).
  { destruct (Nat.le_gt_cases (c + d) s) as [G | G]; [exact G |]. rewrite (before s) in now by lia. discriminate. }
  assert (untaken : forall j, (c + d + j <= s)%nat -> forall i, (i < j)%nat -> net "rsp_ready_i" (c + d + i)%nat = 0).
  { induction j; intros J i I; [lia |]. destruct (Nat.eq_dec i j) as [-> | N]; [| apply IHj; lia].
    destruct (stays j (IHj ltac:(lia))) as [Vj _]. apply waits; [lia | exact Vj]. }
  destruct (stays (s - (c + d))%nat (untaken (s - (c + d))%nat ltac:(lia))) as [_ P]. replace (c + d + (s - (c + d)))%nat with s in P by lia.
  rewrite P. split; [lia | auto].
Qed.

(* ---------------------------------------------------------------- a register that is rotated by a word, as often as it has words *)
Lemma rotated_whole : forall (V : Z) (m : nat) s, 1 <= V -> 0 <= s O < 2 ^ (Z.of_nat m * V) ->
  (forall i, (i < m)%nat -> s (S i) = s i / 2 ^ V + 2 ^ ((Z.of_nat m - 1) * V) * (s i mod 2 ^ V)) -> s m = s O.
Proof.
  intros V m s HV B rotates. assert (0 < 2 ^ V) by (apply Z.pow_pos_nonneg; lia).
  apply (difference V m s (fun _ => 0) (fun i => s i mod 2 ^ V) (fun _ => 1) s HV B); try assumption; try lia.
  - intros i L. rewrite Z.div_0_l by lia. reflexivity.
  - intros i L. rewrite Z.mod_0_l by lia. lia.
Qed.

(* ---------------------------------------------------------------- sums of pairs: two vectors, and these with a third summand *)
Lemma telescoped : forall r m x y carry, (forall i, (i < m)%nat -> x i + r * carry (S i) = y i + carry i) ->
  digits r x m + pw r m * carry m = digits r y m + carry O.
Proof.
  induction m; intros x y carry H; cbn [digits pw]; [lia |]. specialize (IHm x y carry ltac:(intros; apply H; lia)). specialize (H m ltac:(lia)).
  assert (E : pw r m * x m + r * pw r m * carry (S m) = pw r m * (y m + carry m)) by (rewrite <- H; ring). lia.
Qed.

Lemma highest_word : forall d e q r, 0 < q -> e mod q = d / r -> e = d / r + q * (e / q).
Proof. intros d e q r Q E. rewrite <- E. pose proof (Z.div_mod e q ltac:(lia)). lia. Qed.

(* The register s takes the sum of s and c, d the sum of s, c and z, whose words are at hand. *)
Theorem sums_of_pairs : forall (V : Z) (m : nat) s c d z first second, let r := 2 ^ V in let P := 2 ^ (Z.of_nat m * V) in
  let top := 2 ^ ((Z.of_nat m - 1) * V) in 1 <= V -> (1 <= m)%nat ->
  0 <= s O < P -> 0 <= c O < P -> 0 <= d O < P -> 0 <= z < P ->
  (forall i, (i < m)%nat -> s (S i) mod top = s i / r) -> (forall i, (i < m)%nat -> c (S i) = c i / r) ->
  (forall i, (i < m)%nat -> d (S i) mod top = d i / r) ->
  (forall i, (i < m)%nat -> s (S i) / top + first (S i) * r = s i mod r + c i mod r + first i) ->
  (forall i, (i < m)%nat -> d (S i) / top + second (S i) * r = s i mod r + c i mod r + (z / pw r i) mod r + second i) ->
  s m + P * first m = s O + c O + first O /\ d m + P * second m = s O + c O + z + second O.
Proof.
  intros V m s c d z first second r P top HV M Sr Cr Dr Zr Ss Cs Ds firsts seconds.
  assert (R : 1 < r) by (apply (Z.pow_gt_1 2 V); lia). assert (T : top = pw r (m - 1)).
  { unfold top, r. rewrite pw_words by lia. do 2 f_equal. lia. }
  assert (Q : 0 < top) by (rewrite T; apply pw_pos; lia). assert (EP : P = pw r m) by (unfold P, r; rewrite pw_words by lia; reflexivity).
  rewrite EP in *. clear EP P. clearbody top. subst top.
  pose proof (fun i L => highest_word (s i) (s (S i)) _ r Q (Ss i L)) as Es. pose proof (fun i L => highest_word (d i) (d (S i)) _ r Q (Ds i L)) as Ed.
  pose proof (shifted_in r m s (fun i => s (S i) / pw r (m - 1)) R Es m ltac:(lia)) as Fs. rewrite Nat.sub_diag, Z.div_small in Fs by assumption.
  pose proof (shifted_in r m d (fun i => d (S i) / pw r (m - 1)) R Ed m ltac:(lia)) as Fd. rewrite Nat.sub_diag, Z.div_small in Fd by assumption.
  cbn [pw] in Fs, Fd. pose proof (lowest_word r m s _ R Es) as low.
  assert (Xs : digits r (fun i => s i mod r) m = s O).
  { rewrite (digits_ext r _ (fun i => (s O / pw r i) mod r) m low), word_digits, Z.mod_small by assumption. reflexivity. }
  assert (Xc : digits r (fun i => c i mod r) m = c O).
  { rewrite (digits_ext r _ (fun i => (c O / pw r i) mod r) m), word_digits, Z.mod_small by
      (assumption || (intros i L; rewrite (shifted_down r m c R Cs i) by lia; reflexivity)). reflexivity. }
  pose proof (telescoped r m (fun i => s (S i) / pw r (m - 1)) (fun i => s i mod r + c i mod r) first
    ltac:(intros i L; cbn beta; rewrite (Z.mul_comm r); apply firsts, L)) as G1.
  pose proof (telescoped r m (fun i => d (S i) / pw r (m - 1)) (fun i => s i mod r + c i mod r + (z / pw r i) mod r) second
    ltac:(intros i L; cbn beta; rewrite (Z.mul_comm r); apply seconds, L)) as G2.
  rewrite !digits_add, Xs, Xc in G1. rewrite !digits_add, Xs, Xc, word_digits, Z.mod_small in G2 by assumption. split; lia.
Qed.

(* ---------------------------------------------------------------- bits, the highest first *)
Lemma top_bit : forall e a, 0 <= a -> e mod 2 ^ (a + 1) = (e / 2 ^ a) mod 2 * 2 ^ a + e mod 2 ^ a.
Proof.
  intros e a A. pose proof (Z.pow_pos_nonneg 2 a ltac:(lia) A). rewrite Z.pow_add_r, Z.pow_1_r, Z.rem_mul_r by lia. ring.
Qed.

(* ---------------------------------------------------------------- an exponentiator *)
Section Exponentiator.
  (* bits of the longest exponent; the multiplier's R; what it asks of its own constant in the cycle of a request *)
  Variables (net : trace) (bits R : Z) (suits : nat -> Prop).

  (* What a request is asked for: n odd, x below it, e of the given length, and the constants of n. *)
  Definition legal_power (c : nat) : Prop :=
    net "n_i" c mod 2 = 1 /\ 3 <= net "n_i" c /\ net "x_i" c < net "n_i" c /\
    net "e_len_i" c <= bits /\ net "e_i" c < 2 ^ net "e_len_i" c /\
    net "r1_i" c = R mod net "n_i" c /\ net "r2_i" c = (R * R) mod net "n_i" c /\ suits c.

  (* The first response after a request, if there is one, if it tells no error, and if nothing was aborted: the power. It stays until
     it is taken. Of the cycle of a response nothing is said, nor that a legal request gets one without an error. *)
  Definition power : Prop := forall c d : nat,
    net "req_valid_i" c = 1 -> net "req_ready_o" c = 1 -> legal_power c ->
    (c < d)%nat -> (forall i, (c <= i < d)%nat -> net "abort_i" i = 0) -> (forall i, (c < i < d)%nat -> net "rsp_valid_o" i = 0) ->
    net "rsp_valid_o" d = 1 -> net "error_o" d = 0 ->
    forall j, (forall i, (i < j)%nat -> net "rsp_ready_i" (d + i)%nat = 0) ->
    net "rsp_valid_o" (d + j)%nat = 1 /\ net "error_o" (d + j)%nat = 0 /\
    net "y_o" (d + j)%nat = (net "x_i" c ^ net "e_i" c) mod net "n_i" c.
End Exponentiator.
