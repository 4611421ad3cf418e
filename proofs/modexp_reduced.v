(* SPDX-License-Identifier: Apache-2.0 *)
(* mf_modexp over a multiplier whose results are below 2n: after the last product n is subtracted word by word, and the difference is the
   result if it is not below 0. *)
From Coq Require Import ZArith Lia String.
Require Import DigitRecurrence WordSerial Contract modexp_lemmas modexp.
Open Scope string_scope. Open Scope Z_scope.

Section Reduction.
  Variables (W E B A DW : Z) (net : trace).
  Definition whole := net "u_chains.gen_chain[0].u_chain.acc_whole".
  Definition other_word := net "u_chains.gen_chain[0].u_chain.other_word_q".
  Definition term := net "u_chains.gen_chain[0].u_chain.term_q".
  Definition carry := net "u_chains.gen_chain[0].u_chain.other_carry_q".
  Definition negative := net "u_chains.gen_chain[0].u_chain.other_negative_q".
  Hypotheses (adder : 1 <= A) (width : 3 <= W) (H_vectors : vectors W E B A DW net) (H_reduces : reduces W E B A DW net)
    (H_not_done : not_done W E B A DW net) (H_subtracts : subtracts W E B A DW net) (H_on : reduces_on W E B A DW net)
    (H_last : reduces_last W E B A DW net) (H_chooses : chooses W E B A DW net).

  Let words_ := (Z.max B (W + 2) + A - 1) / A.
  Let K := Z.to_nat words_.
  Let P := 2 ^ (Z.of_nat K * A).
  Let r := 2 ^ A.

  Lemma size : words_ = Z.of_nat K /\ (1 <= K)%nat /\ Z.max B (W + 2) <= Z.of_nat K * A.
  Proof. apply word_count; [exact adder | lia]. Qed.

  Lemma padded : words_ * A = Z.of_nat K * A /\ Z.max B (words_ * A) = Z.of_nat K * A.
  Proof. destruct size as (Ew & _ & L). rewrite Ew. split; [reflexivity | lia]. Qed.

  Lemma vector : forall s, 0 <= whole s < P /\ 0 <= other_word s < r /\ 0 <= carry s <= 1.
  Proof.
    intros s. destruct (H_vectors s) as (L1 & L2 & L3 & L4 & L5). destruct padded as [_ Q].
    change (whole s < 2 ^ Z.max B (words_ * A)) in L2. rewrite Q in L2.
    change (0 <= whole s) in L1. change (0 <= other_word s) in L3. change (other_word s < r) in L4.
    change (carry s = 0 \/ carry s = 1) in L5. unfold P. lia.
  Qed.

  Section Product.
  Variables (n : Z) (e d : nat).
  Hypotheses (N : 3 <= n < 2 ^ W) (Q0 : quiet W E B A DW net e) (S0 : loaded W E B A DW net e) (Z5 : step net e = 5)
    (V : answers net e = 1) (Nq : nq net e = n) (Rp : 0 <= p net e < 2 * n) (De : (e < d)%nat)
    (Ab : forall i, (e <= i < d)%nat -> abort net i = 0) (Q : forall i, (e < i < d)%nat -> done net i = 0) (Vd : done net d = 1).

  Let rotate y := y / r + y mod r * 2 ^ (words_ * A - A).

  Lemma d_after : forall s, (e < s)%nat -> (s <= d)%nat -> done net s = 0 -> (s < d)%nat.
  Proof. intros s L L1 D. destruct (Nat.eq_dec s d) as [-> | X]; [rewrite D in Vd; discriminate | lia]. Qed.

  (* The pass: in cycle S e + i the words from i on are still to be subtracted. *)
  Lemma passes_on : forall i, (i < K)%nat -> (S e + i < d)%nat /\ reducing W E B A DW net (S e + i) /\ words net (S e + i)%nat = Z.of_nat (K - 1 - i) /\
    nq net (S e + i)%nat = rotate (nq net (e + i)%nat) /\ term (S e + i)%nat = r - 1 - nq net (e + i)%nat mod r.
  Proof.
    destruct size as (Ew & K1 & _).
    induction i; intros I.
    - destruct (H_reduces e Q0 S0 Z5 (Ab e ltac:(lia)) V) as (S1 & W1 & _ & _ & N1 & T1). rewrite !Nat.add_0_r.
      assert (D0 : done net (S e) = 0) by (apply H_not_done; left; exact S1). change (words net (S e) = words_ - 1) in W1.
      split; [apply d_after; [lia | lia | exact D0] |]. split; [exact S1 |]. split; [lia |]. split; [exact N1 | exact T1].
    - destruct IHi as (L & S1 & W1 & _ & _); [lia |]. rewrite !Nat.add_succ_r.
      destruct (H_on (S e + i)%nat S1 (Ab (S e + i)%nat ltac:(lia))) as (S2 & W2 & N2 & T2); [change (0 < words net (S e + i)%nat); lia |].
      assert (D0 : done net (S (S e + i)) = 0) by (apply H_not_done; left; exact S2).
      change (words net (S (S e + i)) = words net (S e + i)%nat - 1) in W2.
      split; [apply d_after; [lia | lia | exact D0] |]. split; [exact S2 |]. split; [lia |].
      replace (S e + i)%nat with (S (e + i)) in * by lia. split; [exact N2 | exact T2].
  Qed.

  Lemma word_of_n : forall i, (i < K)%nat -> term (S e + i)%nat = r - 1 - (n / pw r i) mod r.
  Proof.
    intros i I. destruct (passes_on i I) as (_ & _ & _ & _ & ->). f_equal. rewrite <- Nq. destruct size as (Ew & K1 & _).
    assert (R : 1 < r) by (apply (Z.pow_gt_1 2 A); lia).
    rewrite <- (Nat.add_0_r e) at 2. apply (lowest_word r K (fun i => nq net (e + i)%nat) (fun i => nq net (e + i)%nat mod r) R); [| exact I].
    intros j J. cbn beta. destruct (passes_on j J) as (_ & _ & _ & H & _). rewrite Nat.add_succ_r. change (S (e + j)) with (S e + j)%nat. rewrite H.
    unfold rotate. rewrite Ew. unfold r at 4. rewrite pw_words by lia. replace (Z.of_nat (K - 1) * A) with (Z.of_nat K * A - A) by nia. ring.
  Qed.

  Let s1 := (S e + K)%nat.

  Lemma subtracted : whole s1 + P * carry s1 = p net e + P - n /\ t net s1 = p net e.
  Proof.
    destruct size as (Ew & K1 & Kb). assert (R : 1 < r) by (apply (Z.pow_gt_1 2 A); lia).
    destruct (H_reduces e Q0 S0 Z5 (Ab e ltac:(lia)) V) as (_ & _ & T0 & C0 & _). change (t net (S e) = p net e) in T0. change (carry (S e) = 1) in C0.
    assert (B0 : 2 * 2 ^ W <= P).
    { unfold P. change (2 * 2 ^ W) with (2 ^ 1 * 2 ^ W). rewrite <- Z.pow_add_r by lia. apply Z.pow_le_mono_r; lia. }
    pose proof (difference A K (fun i => t net (S e + i)%nat) (fun i => n / pw r i) (fun i => other_word (S (S e + i)))
      (fun i => carry (S e + i)%nat) (fun i => whole (S e + i)%nat) adder) as H. cbn beta zeta in H. fold r P in H.
    rewrite Nat.add_0_r, T0, C0 in H. cbn [pw] in H. rewrite Z.div_1_r in H.
    apply H; clear H; try lia; try apply vector; try reflexivity.
    - intros i I. destruct (passes_on i I) as (L & S1 & _). destruct (H_subtracts (S e + i)%nat S1 (Ab (S e + i)%nat ltac:(lia))) as (T1 & _).
      rewrite Nat.add_succ_r. etransitivity; [exact T1 |]. fold words_. rewrite Ew. fold r.
      replace (Z.of_nat K * A - A) with ((Z.of_nat K - 1) * A) by ring. change (net "u_chains.gen_chain[0].u_chain.t_s_q") with (t net). ring.
    - intros i I. pose proof (pw_pos r i ltac:(lia)). cbn [pw]. rewrite Z.div_div, (Z.mul_comm r) by lia. reflexivity.
    - intros i I. destruct (passes_on i I) as (L & S1 & _). destruct (H_subtracts (S e + i)%nat S1 (Ab (S e + i)%nat ltac:(lia))) as (_ & T1 & _).
      rewrite Nat.add_succ_r. etransitivity; [exact T1 |]. fold words_. rewrite Ew. fold r.
      replace (Z.of_nat K * A - A) with ((Z.of_nat K - 1) * A) by ring. unfold whole, other_word. ring.
    - intros i I. destruct (passes_on i I) as (L & S1 & _). destruct (H_subtracts (S e + i)%nat S1 (Ab (S e + i)%nat ltac:(lia))) as (_ & _ & T1 & _).
      rewrite Nat.add_succ_r, (Z.mul_comm r). etransitivity; [exact T1 |]. fold r.
      change (net "u_chains.gen_chain[0].u_chain.term_q" (S e + i)%nat) with (term (S e + i)%nat). rewrite (word_of_n i I). reflexivity.
  Qed.

  Lemma sign : negative s1 = whole s1 / 2 ^ (Z.of_nat K * A - 1).
  Proof.
    destruct size as (Ew & K1 & Kb). assert (R : 1 < r) by (apply (Z.pow_gt_1 2 A); lia).
    destruct (passes_on (K - 1) ltac:(lia)) as (L & S1 & _). destruct (H_subtracts (S e + (K - 1))%nat S1 (Ab (S e + (K - 1))%nat ltac:(lia))) as (_ & D1 & _ & G).
    replace (S (S e + (K - 1))) with s1 in * by (unfold s1; lia).
    change (negative s1 = other_word s1 / 2 ^ (A - 1)) in G. rewrite G.
    assert (D2 : whole s1 = whole (S e + (K - 1))%nat / r + other_word s1 * 2 ^ ((Z.of_nat K - 1) * A)).
    { etransitivity; [exact D1 |]. fold words_. rewrite Ew. fold r. replace (Z.of_nat K * A - A) with ((Z.of_nat K - 1) * A) by ring. reflexivity. }
    destruct (vector (S e + (K - 1))%nat) as (Wb & _). destruct (vector s1) as (_ & Ob & _).
    set (low := 2 ^ ((Z.of_nat K - 1) * A)) in *. assert (0 < low) by (apply Z.pow_pos_nonneg; nia).
    assert (Pr : P = r * low) by (unfold P, r, low; rewrite <- Z.pow_add_r by nia; f_equal; ring).
    assert (Lb : 0 <= whole (S e + (K - 1))%nat / r < low).
    { split; [apply Z.div_pos; lia |]. apply Z.div_lt_upper_bound; [lia |]. rewrite <- Pr. lia. }
    assert (Hp : 2 ^ (Z.of_nat K * A - 1) = low * 2 ^ (A - 1)) by (unfold low; rewrite <- Z.pow_add_r by nia; f_equal; ring).
    rewrite Hp, D2, <- Z.div_div by (try lia; apply Z.pow_pos_nonneg; lia). rewrite Z.div_add, (Z.div_small (_ / r)) by lia. reflexivity.
  Qed.

  Lemma shown : error net d = 0 /\ t net d = p net e mod n.
  Proof.
    destruct size as (Ew & K1 & Kb). destruct (passes_on (K - 1) ltac:(lia)) as (L & S1 & W1 & _).
    pose proof (H_last (S e + (K - 1))%nat S1 (Ab (S e + (K - 1))%nat ltac:(lia))) as C1. replace (S (S e + (K - 1))) with s1 in C1 by (unfold s1; lia).
    assert (C2 : choosing W E B A DW net s1) by (apply C1; change (words net (S e + (K - 1))%nat = 0); lia).
    assert (L1 : (s1 < d)%nat) by (apply d_after; [unfold s1; lia | unfold s1; lia | apply H_not_done; right; exact C2]).
    destruct (H_chooses s1 C2 (Ab s1 ltac:(unfold s1 in *; lia))) as (D1 & E1 & T1). change (done net (S s1) = 1) in D1.
    destruct subtracted as [D T]. pose proof sign as Sg. assert (d = S s1) as ->.
    { destruct (Nat.eq_dec d (S s1)) as [X | X]; [exact X |]. rewrite (Q (S s1)) in D1; [discriminate | unfold s1 in *; lia]. }
    split; [exact E1 |]. change (t net (S s1) = if negative s1 =? 1 then t net s1 else whole s1) in T1. rewrite T1.
    rewrite T, Sg. destruct (vector s1) as (Wb & _ & Cb).
    assert (Half : P = 2 * 2 ^ (Z.of_nat K * A - 1)).
    { unfold P. rewrite <- (Z.pow_succ_r 2) by nia. f_equal. lia. }
    assert (B0 : 2 ^ W < 2 ^ (Z.of_nat K * A - 1)) by (apply Z.pow_lt_mono_r; nia).
    set (half := 2 ^ (Z.of_nat K * A - 1)) in *. assert (0 < half) by lia.
    assert (carry s1 = 0 \/ carry s1 = 1) as [C0 | C0] by lia; rewrite C0 in D.
    - replace (whole s1 / half) with 1; [| apply Z.div_unique with (whole s1 - half); lia].
      change (1 =? 1) with true. cbv iota. symmetry. apply Z.mod_small. lia.
    - rewrite Z.div_small by lia. change (0 =? 1) with false. cbv iota.
      apply Z.mod_unique with 1; lia.
  Qed.
  End Product.

  Theorem ends_with_difference : ends W E B A DW net 2.
  Proof. intros n e N Q0 S0 Z5 V Nq Rp d De Ab Q Vd. apply (shown n e d); assumption. Qed.
End Reduction.
