(* SPDX-License-Identifier: Apache-2.0 *)
(* Adders in words of m bits, whose carries are saved: bit j of a number of carries is the one out of word j. *)
From Coq Require Import ZArith Arith Lia.
Require Import DigitRecurrence WordSerial Bits Blocks.
Open Scope Z_scope.
Set Default Proof Using "All".

(* Carries as an integer, each at the lowest bit of its word. *)
Definition carried (m : Z) (n : nat) (x : Z) : Z := digits (2 ^ m) (flag x) n.

Lemma flag_none : forall x n j, 0 <= x < 2 ^ Z.of_nat n -> (n <= j)%nat -> flag x j = 0.
Proof.
  intros x n j R L. unfold flag. rewrite Z.div_small; [reflexivity |]. pose proof (Z.pow_le_mono_r 2 (Z.of_nat n) (Z.of_nat j) ltac:(lia) ltac:(lia)). lia.
Qed.

Lemma carried_more : forall m x n n', 0 <= x < 2 ^ Z.of_nat n -> (n <= n')%nat -> carried m n' x = carried m n x.
Proof.
  intros m x n n' R L. unfold carried. replace n' with (n + (n' - n))%nat by lia. rewrite digits_split, (digits_zero _ (fun i => flag x (n + i)%nat)); [ring |].
  intros t _. apply (flag_none x n); [exact R | lia].
Qed.

Lemma carried_range : forall m n x, 1 <= m -> 0 <= carried m n x < pw (2 ^ m) n.
Proof.
  intros m n x M. assert (R : 1 < 2 ^ m) by (apply (Z.pow_gt_1 2 m); lia). apply digits_bound; [lia |]. intros t _. pose proof (flag_range x t). lia.
Qed.

Lemma carried_small : forall m n x, 1 <= m -> (1 <= n)%nat -> carried m n x < 2 ^ (Z.of_nat (n - 1) * m + 1).
Proof.
  intros m n x M N. destruct n as [| n]; [lia |]. unfold carried. cbn [digits]. fold (carried m n x). pose proof (carried_range m n x M) as R. rewrite pw_words in * by lia.
  replace (S n - 1)%nat with n by lia. rewrite Z.pow_add_r by lia. change (2 ^ 1) with 2. pose proof (flag_range x n) as F. set (p := 2 ^ _) in *.
  assert (flag x n = 0 \/ flag x n = 1) as [-> | ->] by lia; lia.
Qed.

Lemma carried_zero : forall m n x, (forall j, (j < n)%nat -> flag x j = 0) -> carried m n x = 0.
Proof. intros. apply digits_zero. assumption. Qed.

Lemma flag_0 : forall j, flag 0 j = 0.
Proof. intros. unfold flag. rewrite Zdiv_0_l. reflexivity. Qed.

Lemma flag_double : forall x j, flag (2 * x) (S j) = flag x j.
Proof. intros. unfold flag. rewrite Nat2Z.inj_succ, Z.pow_succ_r, Z.div_mul_cancel_l by lia || (apply Z.pow_nonzero; lia) || lia. reflexivity. Qed.

Lemma flag_double_0 : forall x, flag (2 * x) 0 = 0.
Proof. intros. unfold flag. change (2 ^ Z.of_nat 0) with 1. rewrite Z.div_1_r, Z.mul_comm. apply Z_mod_mult. Qed.

Lemma carried_double : forall m n x, carried m (S n) (2 * x) = 2 ^ m * carried m n x.
Proof.
  intros. unfold carried. change (S n) with (1 + n)%nat. rewrite digits_split. cbn [digits pw]. rewrite flag_double_0, Z.mul_1_r, <- digits_scale, <- digits_scale, Z.add_0_l.
  apply digits_ext. intros j _. change (1 + j)%nat with (S j). rewrite flag_double. reflexivity.
Qed.

(* The words of a sum of digits that are below 2^m. *)
Lemma word_of_digits : forall r f n j, 1 < r -> (forall i, (i < n)%nat -> 0 <= f i < r) -> (j < n)%nat -> (digits r f n / pw r j) mod r = f j.
Proof.
  intros r f n j R F L. replace n with (j + S (n - S j))%nat by lia. rewrite digits_split. change (S (n - S j)) with (1 + (n - S j))%nat. rewrite digits_split. cbn [digits pw].
  pose proof (pw_pos r j ltac:(lia)). pose proof (digits_bound r f j ltac:(lia) ltac:(intros; apply F; lia)) as B.
  rewrite Z.add_comm, Z.mul_comm, Z.div_add_l by lia. rewrite Z.div_small by exact B. rewrite !Nat.add_0_r, !Z.mul_1_l, !Z.add_0_r, Z.add_0_l, Z.mul_1_r, Z.mul_comm, Z_mod_plus_full. apply Z.mod_small, F, L.
Qed.

(* ---------------------------------------------------------------- one adder: N bits in l words *)
Section Adder.
  Variables (m N : Z) (l : nat).
  Hypotheses (some : 1 <= m) (enough : N <= Z.of_nat l * m) (needed : (Z.of_nat l - 1) * m < N) (one : (1 <= l)%nat).

  (* Each word of s and its carry are what goes into the word. *)
  Definition adds (s c : Z) (f : nat -> Z) : Prop := 0 <= s < 2 ^ N /\ 0 <= c < 2 ^ Z.of_nat l /\
    forall j, (j < l)%nat -> block m N s j + 2 ^ bits m N j * flag c j = f j.

  Lemma adds_up : forall s c f, adds s c f -> digits (2 ^ m) f l < 2 ^ N -> 0 <= c < 2 ^ Z.of_nat (l - 1) /\ s + 2 ^ m * carried m (l - 1) c = digits (2 ^ m) f l.
  Proof.
    intros s c f (RS & RC & W) B. set (k := (l - 1)%nat) in *. assert (EL : l = S k) by lia.
    assert (E : digits (2 ^ m) f l = s + 2 ^ m * carried m k c + 2 ^ N * flag c k).
    { rewrite <- (in_blocks m N l some enough needed one s RS) at 1. rewrite (digits_ext _ f (fun j => block m N s j + 2 ^ bits m N j * flag c j) l) by (intros; symmetry; apply W; assumption).
      rewrite digits_add, EL. cbn [digits]. rewrite (digits_ext _ (fun j => 2 ^ bits m N j * flag c j) (fun j => 2 ^ m * flag c j) k).
      - rewrite digits_scale. fold (carried m k c). assert (F : pw (2 ^ m) k * 2 ^ bits m N k = 2 ^ N).
        { pose proof (bits_range m N l some enough needed one k ltac:(lia)) as G. rewrite pw_words, <- Z.pow_add_r by lia. f_equal. unfold bits in *. lia. }
        rewrite <- F. ring.
      - intros t L. rewrite (bits_below m N l some enough needed one) by lia. reflexivity. }
    assert (P : 0 < 2 ^ N) by lia. pose proof (carried_range m k c some) as RK. pose proof (flag_range c k) as RF. assert (0 < 2 ^ m) by (apply Z.pow_pos_nonneg; lia).
    assert (0 <= 2 ^ m * carried m k c) by (apply Z.mul_nonneg_nonneg; lia).
    assert (F0 : flag c k = 0) by (assert (flag c k = 0 \/ flag c k = 1) as [X | X] by lia; [exact X | rewrite X in E; lia]). rewrite F0 in E. split; [| lia].
    split; [lia |]. unfold flag in F0. rewrite EL, Nat2Z.inj_succ, Z.pow_succ_r in RC by lia. set (p := 2 ^ Z.of_nat k) in *.
    assert (0 < p) by (apply Z.pow_pos_nonneg; lia). assert (Q : c / p < 2) by (apply Z.div_lt_upper_bound; lia). pose proof (Z.div_pos c p ltac:(lia) ltac:(lia)).
    rewrite Z.mod_small in F0 by lia. pose proof (Z.div_mod c p ltac:(lia)). pose proof (Z.mod_pos_bound c p ltac:(lia)). lia.
  Qed.

  Lemma words_fit : forall x, 0 <= x < 2 ^ N -> digits (2 ^ m) (block m N x) l = x.
  Proof. exact (in_blocks m N l some enough needed one). Qed.

  Lemma low_part : forall x, digits (2 ^ m) (block m N x) l = x mod 2 ^ N.
  Proof.
    intros x. rewrite <- (words_fit (x mod 2 ^ N)) by (apply Z.mod_pos_bound, Z.pow_pos_nonneg; nia). apply digits_ext. intros j L. unfold block.
    pose proof (bits_range m N l some enough needed one j L) as G. assert (G2 : Z.of_nat j * m + bits m N j <= N) by (unfold bits; lia).
    rewrite (Z.mod_eq x) by (apply Z.pow_nonzero; nia). set (q := x / 2 ^ N).
    replace (2 ^ N) with (2 ^ (N - Z.of_nat j * m - bits m N j) * 2 ^ bits m N j * 2 ^ (Z.of_nat j * m)) by (rewrite <- !Z.pow_add_r by lia; f_equal; lia).
    set (e := 2 ^ (N - _ - _)). replace (x - e * 2 ^ bits m N j * 2 ^ (Z.of_nat j * m) * q) with (x + (- (e * q)) * 2 ^ bits m N j * 2 ^ (Z.of_nat j * m)) by ring.
    rewrite Z.div_add by (apply Z.pow_nonzero; lia). rewrite Z_mod_plus_full. reflexivity.
  Qed.

  (* A word of what fits is the word of m bits. *)
  Lemma whole_word : forall x j, 0 <= x < 2 ^ N -> (j < l)%nat -> block m N x j = (x / pw (2 ^ m) j) mod 2 ^ m.
  Proof.
    intros x j R L. unfold block. rewrite pw_words by lia. pose proof (bits_range m N l some enough needed one j L) as G.
    destruct (Z.eq_dec (bits m N j) m) as [-> | D]; [reflexivity |]. assert (EB : bits m N j = N - Z.of_nat j * m) by (unfold bits in *; lia).
    assert (B : 0 <= x / 2 ^ (Z.of_nat j * m) < 2 ^ bits m N j).
    { split; [apply Z.div_pos; [lia | apply Z.pow_pos_nonneg; lia] |]. apply Z.div_lt_upper_bound; [apply Z.pow_pos_nonneg; lia |].
      rewrite <- Z.pow_add_r by lia. replace (Z.of_nat j * m + bits m N j) with N by lia. apply R. }
    pose proof (Z.pow_le_mono_r 2 (bits m N j) m ltac:(lia) ltac:(lia)). rewrite !Z.mod_small by lia. reflexivity.
  Qed.
End Adder.

(* ---------------------------------------------------------------- bits *)
Lemma bits_are : forall x n, 0 <= x < 2 ^ Z.of_nat n -> digits 2 (flag x) n = x.
Proof.
  intros x n R. rewrite <- (Z.mod_small x (pw 2 n)) at 2 by (rewrite pw_Z; exact R). rewrite <- word_digits by lia. apply digits_ext. intros i _. unfold flag. rewrite pw_Z. reflexivity.
Qed.

Lemma no_bits : forall x n, 0 <= x < 2 ^ Z.of_nat n -> (forall j, (j < n)%nat -> flag x j = 0) -> x = 0.
Proof. intros x n R H. rewrite <- (bits_are x n R). apply digits_zero, H. Qed.

(* What fits into the words stays as it is. *)
Lemma adds_same : forall m N l s c x, 1 <= m -> N <= Z.of_nat l * m -> (Z.of_nat l - 1) * m < N -> (1 <= l)%nat -> 0 <= x < 2 ^ N -> adds m N l s c (block m N x) -> s = x /\ c = 0.
Proof.
  intros m N l s c x M E1 E2 E3 X (RS & RC & W). assert (G : forall j, (j < l)%nat -> flag c j = 0 /\ block m N s j = block m N x j).
  { intros j J. specialize (W j J). pose proof (block_range m N l M E1 E2 E3 s j J). pose proof (block_range m N l M E1 E2 E3 x j J). pose proof (flag_range c j) as F.
    assert (flag c j = 0 \/ flag c j = 1) as [Z | Z] by lia; rewrite Z in W; split; lia. }
  split.
  - rewrite <- (words_fit m N l M E1 E2 E3 s RS), <- (words_fit m N l M E1 E2 E3 x X). apply digits_ext. intros j J. apply G, J.
  - apply (no_bits c l RC). intros j J. apply G, J.
Qed.

(* ---------------------------------------------------------------- carries that join k steps late, k digits lower *)
Theorem late_carries : forall r k Y X z t, 1 < r ->
  Y (S t) = Y t / r + X t + z t - pw r k * z (t + k)%nat ->
  let V := fun t => Y t + r * digits r (fun e => z (t + e)%nat) k in
  r * V (S t) = V t - Y t mod r + r * X t /\ V t mod r = Y t mod r.
Proof.
  intros r k Y X z t R E V. unfold V. split.
  - assert (F : z t + r * digits r (fun e => z (S t + e)%nat) k = digits r (fun e => z (t + e)%nat) k + pw r k * z (t + k)%nat).
    { change (digits r (fun e => z (t + e)%nat) k + pw r k * z (t + k)%nat) with (digits r (fun e => z (t + e)%nat) (1 + k)). rewrite digits_split. cbn [digits pw].
      rewrite Nat.add_0_r, (digits_ext r (fun e => z (S t + e)%nat) (fun i => z (t + (1 + i))%nat)) by (intros; f_equal; lia). ring. }
    rewrite E. pose proof (Z.div_mod (Y t) r ltac:(lia)). set (p := digits r (fun e => z (S t + e)%nat) k) in *. set (q := digits r (fun e => z (t + e)%nat) k) in *.
    assert (r * (r * p) = r * (q + pw r k * z (t + k)%nat - z t)) by (f_equal; lia). lia.
  - rewrite Z.mul_comm, Z_mod_plus_full. reflexivity.
Qed.

Lemma nothing_carried : forall m n x, 1 <= m -> 0 <= x < 2 ^ Z.of_nat n -> carried m n x = 0 -> x = 0.
Proof.
  intros m n x M R H. apply (no_bits x n R). clear R. assert (P : 1 < 2 ^ m) by (apply (Z.pow_gt_1 2 m); lia). intros j J. unfold carried in H.
  rewrite <- (word_of_digits (2 ^ m) (flag x) n j P); [rewrite H, Zdiv_0_l, Zmod_0_l; reflexivity | | exact J]. intros i _. pose proof (flag_range x i). lia.
Qed.

(* A register takes a word in each cycle, and moves those before up: words by age. *)
Lemma aged : forall Q late T L h, 1 < Q -> (forall c, (c <= T)%nat -> L c mod Q = h c) -> L O / Q = 0 -> (forall c, (c < T)%nat -> L (S c) / Q = L c mod pw Q late) ->
  forall j c, (j <= late)%nat -> (c <= T)%nat -> (L c / pw Q j) mod Q = if Nat.ltb c j then 0 else h (c - j)%nat.
Proof.
  intros Q late T L h R low empty moves. induction j; intros c J C.
  - cbn [pw Nat.ltb Nat.leb]. rewrite Z.div_1_r, Nat.sub_0_r. apply low, C.
  - pose proof (pw_pos Q j ltac:(lia)). cbn [pw]. rewrite <- Z.div_div by lia. destruct c as [| c]; [rewrite empty, Zdiv_0_l, Zmod_0_l; reflexivity |].
    rewrite moves by lia. change (Nat.ltb (S c) (S j)) with (Nat.ltb c j). change (S c - S j)%nat with (c - j)%nat. rewrite <- (IHj c ltac:(lia) ltac:(lia)).
    replace late with (j + S (late - S j))%nat by lia. rewrite pw_add. cbn [pw]. set (e := pw Q (late - S j)). rewrite (Z.mod_eq (L c)) by (pose proof (pw_pos Q (late - S j) ltac:(lia)); unfold e; lia).
    set (q := L c / _). replace (L c - pw Q j * (Q * e) * q) with (L c + (- (e * q) * Q) * pw Q j) by ring. rewrite Z.div_add by lia. apply Z_mod_plus_full.
Qed.

(* Digits of k places in rows of n places. *)
Lemma digits_by_rows : forall r k n (g : nat -> nat -> Z), (1 <= k)%nat -> digits r (fun x => g (x mod k)%nat (x / k)%nat) (k * n) = digits r (fun e => digits (pw r k) (g e) n) k.
Proof.
  intros r k n g K. induction n; [rewrite Nat.mul_0_r; cbn [digits]; symmetry; apply digits_zero; reflexivity |].
  rewrite Nat.mul_succ_r, digits_split, IHn. cbn [digits]. rewrite digits_add. f_equal. rewrite <- digits_scale, pw_mul. apply digits_ext. intros e L.
  rewrite (Nat.mul_comm k n), Nat.add_comm, Nat.mod_add, Nat.div_add, Nat.mod_small, Nat.div_small by lia. rewrite (Nat.mul_comm n k). reflexivity.
Qed.
