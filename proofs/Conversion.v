(* SPDX-License-Identifier: Apache-2.0 *)
(* A pair that is made binary word by word: V bits above the lowest digit of w bits are added and dropped in each cycle, and what is left
   of the pair is added up anew, modulo 2^m. *)
From Coq Require Import ZArith Lia.
Require Import DigitRecurrence Contract Bits WordSerial.
Open Scope Z_scope.
Set Default Proof Using "All".

Section Conversion.
  Variables (m w V p : Z) (words : nat) (s c word carry : nat -> Z).
  Let R := 2 ^ V.
  Hypotheses (sizes : 1 <= w /\ 1 <= V /\ V + w <= m) (ranges : forall i, 0 <= s i < 2 ^ m /\ 0 <= c i < 2 ^ m)
    (start : exists j, pair_value m (s O) (c O) + j = 2 ^ w * p /\ 2 ^ w * carry O = part (s O) 0 w + part (c O) 0 w + j)
    (found : forall i, (i < words)%nat -> word i + R * carry (S i) = part (s i) w V + part (c i) w V + carry i)
    (next : forall i, (i < words)%nat -> (2 ^ m | s (S i) + c (S i) - (s i / 2 ^ (V + w) * 2 ^ w + c i / 2 ^ (V + w) * 2 ^ w)))
    (lowest : forall i, (i < words)%nat -> part (s (S i)) 0 w = 0 /\ part (c (S i)) 0 w = 0).

  Let above (x : Z) : Z := x / 2 ^ w.
  Let rest (i : nat) : Z := above (s i) + above (c i) + carry i.

  Lemma split_low : forall x, x = 2 ^ w * above x + part x 0 w.
  Proof. intros x. unfold above, part. rewrite Z.div_1_r. apply Z.div_mod, Z.pow_nonzero; lia. Qed.

  Lemma split_word : forall x, above x = part x w V + R * (x / 2 ^ (V + w)).
  Proof.
    intros x. unfold above, part, R. rewrite (Z.add_comm V w), Z.pow_add_r, <- Z.div_div by (try apply Z.pow_nonzero; try apply Z.pow_pos_nonneg; lia).
    rewrite Z.add_comm. apply Z.div_mod, Z.pow_nonzero; lia.
  Qed.

  Lemma cancel : forall x, (2 ^ m | 2 ^ w * x) -> (2 ^ (m - w) | x).
  Proof.
    intros x [z E]. exists z. assert (P : 0 < 2 ^ w) by (apply Z.pow_pos_nonneg; lia). replace m with (w + (m - w)) in E at 1 by lia. rewrite Z.pow_add_r in E by lia.
    apply (Z.mul_reg_l _ _ (2 ^ w)); [lia |]. lia.
  Qed.

  Lemma begins : (2 ^ (m - w) | rest O - p).
  Proof.
    destruct start as (j & E & C). apply cancel. pose proof (value_divides m w (s O) (c O) ltac:(lia)) as [z D]. exists (- z). unfold rest.
    pose proof (split_low (s O)). pose proof (split_low (c O)). lia.
  Qed.

  Lemma continues : forall i, (i < words)%nat -> (2 ^ (m - w) | word i + R * rest (S i) - rest i).
  Proof.
    intros i L. pose proof (found i L) as F. destruct (lowest i L) as [Ls Lc]. pose proof (next i L) as D.
    pose proof (split_low (s (S i))) as Es. pose proof (split_low (c (S i))) as Ec. rewrite Ls in Es. rewrite Lc in Ec.
    assert (D' : (2 ^ (m - w) | above (s (S i)) + above (c (S i)) - (s i / 2 ^ (V + w) + c i / 2 ^ (V + w)))).
    { apply cancel. destruct D as [z D]. exists z. rewrite <- D. rewrite Z.add_0_r in Es, Ec. set (ys := above (s (S i))) in *. set (yc := above (c (S i))) in *. lia. }
    destruct D' as [z D']. exists (R * z). unfold rest at 1. unfold rest.
    pose proof (split_word (s i)) as Ss. pose proof (split_word (c i)) as Sc. rewrite Ss, Sc. set (x := s i / 2 ^ (V + w)) in *. set (y := c i / 2 ^ (V + w)) in *.
    replace (above (s (S i)) + above (c (S i))) with (x + y + z * 2 ^ (m - w)) by lia. lia.
  Qed.

  Lemma words_found : forall i, (i <= words)%nat -> (2 ^ (m - w) | digits R word i + pw R i * rest i - p).
  Proof.
    induction i; intros L; cbn [digits pw]; [pose proof begins as [z D]; exists z; lia |].
    destruct (IHi ltac:(lia)) as [z D]. destruct (continues i ltac:(lia)) as [z' D']. exists (z + pw R i * z').
    replace (digits R word i + pw R i * word i + R * pw R i * rest (S i) - p) with (digits R word i + pw R i * rest i - p + pw R i * (word i + R * rest (S i) - rest i)) by ring.
    rewrite D, D'. ring.
  Qed.

  Theorem converted : forall B, 0 <= B -> B <= m - w -> B <= Z.of_nat words * V -> (2 ^ B | digits R word words - p).
  Proof.
    intros B HB L1 L2. pose proof (words_found words (le_n _)) as D. apply (divide_pow B) in D; [| lia]. unfold R in *. rewrite pw_words in D by lia.
    assert (D2 : (2 ^ B | 2 ^ (Z.of_nat words * V))) by (apply (divide_pow B (Z.of_nat words * V)); [lia | exists 1; ring]).
    destruct D as [z D], D2 as [z2 D2]. exists (z - z2 * rest words). rewrite D2 in D. lia.
  Qed.
End Conversion.

(* A register that takes the words from above, one in each cycle. *)
Lemma register : forall V (m : nat) a word, 1 <= V -> 0 <= a O < 2 ^ (Z.of_nat m * V) ->
  (forall i, (i < m)%nat -> a (S i) = a i / 2 ^ V + 2 ^ ((Z.of_nat m - 1) * V) * word i) -> a m = digits (2 ^ V) word m.
Proof.
  intros V m a word HV A enters. assert (R : 1 < 2 ^ V) by (apply (Z.pow_gt_1 2 V); lia).
  assert (enters' : forall i, (i < m)%nat -> a (S i) = a i / 2 ^ V + pw (2 ^ V) (m - 1) * word i).
  { intros i L. rewrite (enters i L), pw_words by lia. do 4 f_equal. lia. }
  pose proof (shifted_in (2 ^ V) m a word R enters' m (le_n m)) as E. rewrite Nat.sub_diag, pw_words, Z.div_small in E by (assumption || lia). cbn [pw] in E. lia.
Qed.

Lemma top_word : forall V k x y, 0 <= V -> 0 <= k -> 0 <= x < 2 ^ k -> 0 <= y < 2 ^ V -> part (x + 2 ^ k * y) k V = y.
Proof.
  intros V k x y HV HK X Y. unfold part. assert (0 < 2 ^ k) by (apply Z.pow_pos_nonneg; lia). rewrite (Z.mul_comm (2 ^ k)), Z.div_add, Z.div_small by lia.
  apply Z.mod_small. lia.
Qed.

(* A second sum, n being added one word behind: its words in the cycles from 1 on. *)
Theorem added_behind : forall V (m : nat) a n word added carry b, 1 <= V -> (1 <= m)%nat -> 0 <= a O < 2 ^ (Z.of_nat m * V) -> 0 <= n 1%nat < 2 ^ (Z.of_nat m * V) ->
  0 <= b 1%nat < 2 ^ (Z.of_nat m * V) -> (forall i, (i < m)%nat -> 0 <= word i < 2 ^ V) -> (forall i, (i < m)%nat -> 0 <= a i < 2 ^ (Z.of_nat m * V)) ->
  (forall i, (i < m)%nat -> a (S i) = a i / 2 ^ V + 2 ^ ((Z.of_nat m - 1) * V) * word i) ->
  (forall i, (i <= m)%nat -> b (S i) = b i / 2 ^ V + 2 ^ ((Z.of_nat m - 1) * V) * added i) -> carry 1%nat = 0 ->
  (forall i, (1 <= i <= m)%nat -> n (S i) = n i / 2 ^ V /\ added i + 2 ^ V * carry (S i) = part (a i) ((Z.of_nat m - 1) * V) V + n i mod 2 ^ V + carry i) ->
  (2 ^ (Z.of_nat m * V) | b (S m) - (a m + n 1%nat)).
Proof.
  intros V m a n word added carry b HV Hm A N B words a_range enters b_enters C0 adds. assert (R : 1 < 2 ^ V) by (apply (Z.pow_gt_1 2 V); lia).
  pose proof (register V m a word HV A enters) as E.
  pose proof (register V m (fun i => b (S i)) (fun i => added (S i)) HV B ltac:(intros i L; apply b_enters; lia)) as F. cbn beta in F.
  assert (word_digits' : forall i, (i < m)%nat -> (a m / pw (2 ^ V) i) mod 2 ^ V = word i).
  { intros i L. rewrite E. replace m with (i + (m - i))%nat by lia. rewrite digits_split. pose proof (pw_pos (2 ^ V) i ltac:(lia)).
    rewrite (Z.mul_comm (pw _ i)), Z.div_add, Z.div_small by (try apply digits_bound; try lia; intros; apply words; lia). rewrite Z.add_0_l.
    replace (m - i)%nat with (1 + (m - i - 1))%nat by lia. rewrite digits_split. cbn [digits pw]. rewrite !Nat.add_0_r, Z.mul_1_r, Z.add_0_l, Z.mul_1_l.
    rewrite (Z.mul_comm (2 ^ V)), Z_mod_plus_full. apply Z.mod_small, words. lia. }
  assert (low : forall i, (i <= m)%nat -> n (S i) = n 1%nat / pw (2 ^ V) i).
  { apply (shifted_down (2 ^ V) m (fun i => n (S i)) R). intros i L. apply adds. lia. }
  pose proof (serial_sum (2 ^ V) m (a m) (n 1%nat) (fun i => added (S i)) (fun i => carry (S i)) R) as G. cbn beta in G. rewrite pw_words in G by lia.
  rewrite <- F, C0 in G. assert (A' : 0 <= a m < 2 ^ (Z.of_nat m * V)) by (rewrite E, <- pw_words by lia; apply digits_bound; [lia | exact words]).
  rewrite (Z.mod_small (a m)), (Z.mod_small (n 1%nat)) in G by assumption.
  exists (- carry (S m)). rewrite <- (Z.add_0_r (a m + n 1%nat)). rewrite <- G; [ring |].
  intros i L. destruct (adds (S i) ltac:(lia)) as [_ ->]. rewrite low, word_digits' by lia. do 2 f_equal.
  rewrite (enters i L). apply top_word; [lia | apply Z.mul_nonneg_nonneg; lia | | apply words, L]. specialize (a_range i L). split; [apply Z.div_pos; lia |]. apply Z.div_lt_upper_bound; [lia |].
  rewrite <- Z.pow_add_r by (try apply Z.mul_nonneg_nonneg; lia). replace (V + (Z.of_nat m - 1) * V) with (Z.of_nat m * V) by ring. lia.
Qed.

(* The sign of an integer of W + 1 bits, and what W bits tell of one that is not negative. *)
Lemma sign_bit : forall W x p, 0 <= W -> (2 ^ (W + 1) | x - p) -> - 2 ^ W <= p < 2 ^ W -> part x W 1 = if p <? 0 then 1 else 0.
Proof.
  intros W x p HW [z E] B. assert (P : 0 < 2 ^ W) by (apply Z.pow_pos_nonneg; lia). rewrite Z.pow_add_r in E by lia. change (2 ^ 1) with 2 in E.
  unfold part. change (2 ^ 1) with 2. replace x with (p + 2 * z * 2 ^ W) by lia. rewrite Z.div_add by lia.
  destruct (Z.ltb_spec p 0).
  - replace (p / 2 ^ W) with (-1) by (apply (Z.div_unique_pos _ _ _ (p + 2 ^ W)); lia). replace (-1 + 2 * z) with (1 + (z - 1) * 2) by ring. apply Z_mod_plus_full.
  - rewrite Z.div_small by lia. replace (0 + 2 * z) with (0 + z * 2) by ring. apply Z_mod_plus_full.
Qed.

Lemma low_is : forall W x p, 0 <= W -> (2 ^ W | x - p) -> 0 <= p < 2 ^ W -> part x 0 W = p.
Proof.
  intros W x p HW [z E] B. unfold part. rewrite Z.div_1_r. replace x with (p + z * 2 ^ W) by lia. rewrite Z_mod_plus_full. apply Z.mod_small, B.
Qed.
