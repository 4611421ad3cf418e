(* SPDX-License-Identifier: Apache-2.0 *)
(* mf_modexp over a multiplier whose results are below 2n, or signed and between -n and n: after the last product n is subtracted word by
   word, or added, and the sum is the result if it has to be. The product may be a pair of vectors, which the same words add. *)
From Coq Require Import ZArith Znumtheory Lia String.
Require Import DigitRecurrence WordSerial Contract Powers modexp_lemmas modexp.
Open Scope string_scope. Open Scope Z_scope.

Lemma turns_of : forall P x k j o, 0 <= o < P -> 0 <= x - P * j < P -> o = x - P * k -> k = j.
Proof. intros P x k j o O X E. assert (- P < P * (k - j) < P) by (rewrite Z.mul_sub_distr_l; lia). nia. Qed.

Section Reduction.
  Variables (W E B A DW CB SG : Z) (net : trace).
  Local Notation p := (value_product W E B A DW CB SG net).
  Local Notation value := (value_pass_t W E B A DW CB SG net). Local Notation carries := (value_pass_carries W E B A DW CB SG net).
  Local Notation other := (value_pass_other W E B A DW CB SG net). Local Notation value_carry := (value_value_carry W E B A DW CB SG net).
  Local Notation other_carry := (value_other_carry W E B A DW CB SG net). Local Notation chosen := (value_chosen W E B A DW CB SG net).
  Definition term := net "u_chains.gen_chain[0].u_chain.term_q".
  Hypotheses (adder : 1 <= A) (width : 3 <= W) (sign : SG = 0 \/ SG = 1).
  Hypotheses (H_vectors : vectors W E B A DW CB SG net) (H_reduces : reduces W E B A DW CB SG net)
    (H_not_done : not_done W E B A DW CB SG net) (H_subtracts : subtracts W E B A DW CB SG net) (H_on : reduces_on W E B A DW CB SG net)
    (H_last : reduces_last W E B A DW CB SG net) (H_chooses : chooses W E B A DW CB SG net).

  Let words_ := (Z.max B (W + 2) + A - 1) / A.
  Let K := Z.to_nat words_.
  Let P := 2 ^ (Z.of_nat K * A).
  Let r := 2 ^ A.

  Lemma size : words_ = Z.of_nat K /\ (1 <= K)%nat /\ Z.max B (W + 2) <= Z.of_nat K * A.
  Proof. apply word_count; [exact adder | lia]. Qed.

  Lemma vector : forall s, 0 <= value s < P /\ 0 <= other s < P /\ 0 <= value_carry s /\ 0 <= other_carry s /\ 0 <= carries s.
  Proof.
    intros s. destruct (H_vectors s) as (L1 & L2 & L3 & L4 & L5 & L6 & L7). destruct size as (Q & _). unfold P. rewrite <- Q. auto 10.
  Qed.

  Lemma halves : P = 2 * 2 ^ (Z.of_nat K * A - 1) /\ 2 * 2 ^ W <= 2 ^ (Z.of_nat K * A - 1) /\ (2 ^ W | P).
  Proof.
    destruct size as (Ew & K1 & Kb). split; [| split].
    - unfold P. rewrite <- (Z.pow_succ_r 2) by nia. f_equal. lia.
    - rewrite <- (Z.pow_succ_r 2) by lia. apply Z.pow_le_mono_r; lia.
    - exists (2 ^ (Z.of_nat K * A - W)). unfold P. rewrite <- Z.pow_add_r by lia. f_equal. ring.
  Qed.

  Section Product.
  Variables (n : Z) (e d : nat).
  Hypotheses (N : 3 <= n < 2 ^ W) (Q0 : quiet W E B A DW CB SG net e) (S0 : loaded W E B A DW CB SG net e) (Z5 : step net e = 5)
    (V : answers net e = 1) (Nq : nq net e = n) (Rp : if SG =? 0 then 0 <= p e < 2 * n else - n < p e < n) (De : (e < d)%nat)
    (Ab : forall i, (e <= i < d)%nat -> abort net i = 0) (Q : forall i, (e < i < d)%nat -> done net i = 0) (Vd : done net d = 1).

  Let rotate y := y / r + y mod r * 2 ^ (words_ * A - A).
  Let word_of x := if SG =? 0 then r - 1 - x mod r else x mod r.

  Lemma d_after : forall s, (e < s)%nat -> (s <= d)%nat -> done net s = 0 -> (s < d)%nat.
  Proof. intros s L L1 D. destruct (Nat.eq_dec s d) as [-> | X]; [rewrite D in Vd; discriminate | lia]. Qed.

  (* The pass: in cycle S e + i the words from i on are still to be added. *)
  Lemma passes_on : forall i, (i < K)%nat -> (S e + i < d)%nat /\ reducing W E B A DW CB SG net (S e + i) /\
    words net (S e + i)%nat = Z.of_nat (K - 1 - i) /\ nq net (S e + i)%nat = rotate (nq net (e + i)%nat) /\
    term (S e + i)%nat = word_of (nq net (e + i)%nat).
  Proof.
    destruct size as (Ew & K1 & _).
    induction i; intros I.
    - destruct (H_reduces e Q0 S0 Z5 (Ab e ltac:(lia)) V) as (S1 & W1 & _ & _ & _ & _ & N1 & T1). rewrite !Nat.add_0_r.
      assert (D0 : done net (S e) = 0) by (apply H_not_done; left; exact S1). change (words net (S e) = words_ - 1) in W1.
      split; [apply d_after; [lia | lia | exact D0] |]. split; [exact S1 |]. split; [lia |]. split; [exact N1 | exact T1].
    - destruct IHi as (L & S1 & W1 & _ & _); [lia |]. rewrite !Nat.add_succ_r.
      destruct (H_on (S e + i)%nat S1 (Ab (S e + i)%nat ltac:(lia))) as (S2 & W2 & N2 & T2).
      change (words net (S e + i)%nat = 0 \/ words net (S (S e + i)) = words net (S e + i)%nat - 1) in W2.
      assert (X : net "u_chains.gen_chain[0].u_chain.u_control.words_q" (S e + i)%nat <> 0) by (change (words net (S e + i)%nat <> 0); lia).
      destruct S2 as [S2 | S2]; [contradiction |]. destruct W2 as [W2 | W2]; [contradiction |].
      destruct N2 as [N2 | N2]; [contradiction |]. destruct T2 as [T2 | T2]; [contradiction |].
      assert (D0 : done net (S (S e + i)) = 0) by (apply H_not_done; left; exact S2).
      split; [apply d_after; [lia | lia | exact D0] |]. split; [exact S2 |]. split; [lia |].
      replace (S e + i)%nat with (S (e + i)) in * by lia. split; [exact N2 | exact T2].
  Qed.

  (* The summand: n, or its complement. *)
  Let summand := if SG =? 0 then P - 1 - n else n.

  Lemma n_below : 0 <= n < P.
  Proof. destruct halves as (-> & H & _). lia. Qed.

  Lemma word_of_n : forall i, (i < K)%nat -> term (S e + i)%nat = (summand / pw r i) mod r.
  Proof.
    intros i I. destruct (passes_on i I) as (_ & _ & _ & _ & ->). assert (R : 1 < r) by (apply (Z.pow_gt_1 2 A); lia).
    destruct size as (Ew & K1 & _).
    assert (H : nq net (e + i)%nat mod r = (n / pw r i) mod r).
    { rewrite <- Nq. rewrite <- (Nat.add_0_r e) at 2.
      apply (lowest_word r K (fun i => nq net (e + i)%nat) (fun i => nq net (e + i)%nat mod r) R); [| exact I].
      intros j J. cbn beta. destruct (passes_on j J) as (_ & _ & _ & H & _). rewrite Nat.add_succ_r. change (S (e + j)) with (S e + j)%nat. rewrite H.
      unfold rotate. rewrite Ew. unfold r at 4. rewrite pw_words by lia. replace (Z.of_nat (K - 1) * A) with (Z.of_nat K * A - A) by nia. ring. }
    unfold word_of, summand. rewrite H. destruct (SG =? 0); [| reflexivity].
    unfold P. rewrite <- pw_words by lia. fold r. rewrite complement_word by assumption. reflexivity.
  Qed.

  Let s1 := (S e + K)%nat.

  Lemma added : value s1 + P * value_carry s1 = value (S e) + carries (S e) /\
    other s1 + P * other_carry s1 = value (S e) + carries (S e) + (if SG =? 0 then P - n else n) /\
    (value (S e) + carries (S e)) mod P = p e mod P.
  Proof.
    destruct size as (Ew & K1 & Kb). destruct (H_reduces e Q0 S0 Z5 (Ab e ltac:(lia)) V) as (_ & _ & T0 & C0 & V0 & O0 & _).
    fold words_ in T0, C0. rewrite Ew in T0, C0. change ((value (S e) + carries (S e)) mod P = p e mod P) in T0. change (carries (S e) < P) in C0.
    pose proof n_below as Nb.
    assert (top : words_ * A - A = (Z.of_nat K - 1) * A) by (rewrite Ew; ring).
    pose proof (sums_of_pairs A K (fun i => value (S e + i)%nat) (fun i => carries (S e + i)%nat) (fun i => other (S e + i)%nat) summand
      (fun i => value_carry (S e + i)%nat) (fun i => other_carry (S e + i)%nat) adder K1) as H. cbn beta zeta in H. fold r P in H.
    rewrite Nat.add_0_r, V0, O0 in H. fold s1 in H.
    destruct H as [H1 H2]; try apply vector.
    - split; [apply vector | exact C0].
    - unfold summand. destruct (SG =? 0); lia.
    - intros i I. destruct (passes_on i I) as (L & S1 & _). destruct (H_subtracts (S e + i)%nat S1 (Ab (S e + i)%nat ltac:(lia))) as (T1 & _).
      rewrite Nat.add_succ_r. fold words_ in T1. rewrite top in T1. exact T1.
    - intros i I. destruct (passes_on i I) as (L & S1 & _). destruct (H_subtracts (S e + i)%nat S1 (Ab (S e + i)%nat ltac:(lia))) as (_ & _ & T1 & _).
      rewrite Nat.add_succ_r. exact T1.
    - intros i I. destruct (passes_on i I) as (L & S1 & _). destruct (H_subtracts (S e + i)%nat S1 (Ab (S e + i)%nat ltac:(lia))) as (_ & _ & _ & T1 & _).
      rewrite Nat.add_succ_r. fold words_ in T1. rewrite top in T1. exact T1.
    - intros i I. destruct (passes_on i I) as (L & S1 & _). destruct (H_subtracts (S e + i)%nat S1 (Ab (S e + i)%nat ltac:(lia))) as (_ & T1 & _).
      rewrite Nat.add_succ_r. fold words_ in T1. rewrite top in T1. exact T1.
    - intros i I. destruct (passes_on i I) as (L & S1 & _). destruct (H_subtracts (S e + i)%nat S1 (Ab (S e + i)%nat ltac:(lia))) as (_ & _ & _ & _ & T1 & _).
      rewrite Nat.add_succ_r, <- (word_of_n i I). fold words_ in T1. rewrite top in T1. exact T1.
    - split; [lia |]. split; [| exact T0]. rewrite H2. unfold summand. destruct (SG =? 0); lia.
  Qed.

  Lemma choice : chosen s1 = if SG =? 0 then 1 - other s1 / 2 ^ (Z.of_nat K * A - 1) else value s1 / 2 ^ (Z.of_nat K * A - 1).
  Proof.
    destruct size as (Ew & K1 & Kb). destruct (passes_on (K - 1) ltac:(lia)) as (L & S1 & _).
    destruct (H_subtracts (S e + (K - 1))%nat S1 (Ab (S e + (K - 1))%nat ltac:(lia))) as (_ & _ & _ & _ & _ & G).
    replace (S (S e + (K - 1))) with s1 in G by (unfold s1; lia). fold words_ in G. rewrite Ew in G. exact G.
  Qed.

  (* From both sums to the residue. *)
  Lemma residue : let half := 2 ^ (Z.of_nat K * A - 1) in (if (if SG =? 0 then 1 - other s1 / half else value s1 / half) =? 1 then other s1 else value s1) = p e mod n.
  Proof.
    intros half. destruct added as (Hv & Ho & Hm). destruct halves as (Hp & Hw & _). fold half in Hp, Hw.
    destruct (vector s1) as (Bv & Bo & _). destruct (vector (S e)) as (Be & _ & _ & _ & Bc).
    assert (Ev : value s1 = p e mod P).
    { rewrite <- Hm, <- Hv, (Z.mul_comm P), Z_mod_plus_full. symmetry. apply Z.mod_small. exact Bv. }
    assert (Eo : exists k, other s1 = value s1 + (if SG =? 0 then P - n else n) - P * k).
    { exists (other_carry s1 - value_carry s1). lia. }
    clear Hv Ho Hm. destruct Eo as [k Eo]. pose proof Rp as Rg.
    set (v := p e) in *. set (o := other s1) in *. set (u := value s1) in *.
    clearbody P half v o u. clear - sign N Hp Hw Bv Bo Rg Ev Eo. destruct sign as [Sg | Sg]; rewrite Sg in *; cbn [Z.eqb] in *.
    - rewrite Z.mod_small in Ev by lia. rewrite Ev in *. destruct (Z_lt_ge_dec v n) as [L | L].
      + assert (k = 0) as -> by (apply (turns_of P _ k 0 o Bo) in Eo; lia). replace (o / half) with 1; [| apply Z.div_unique with (o - half); lia].
        cbn [Z.eqb Z.sub Z.add Z.opp Z.pos_sub]. symmetry. apply Z.mod_small. lia.
      + assert (k = 1) as -> by (apply (turns_of P _ k 1 o Bo) in Eo; lia). rewrite Z.div_small by lia. cbn [Z.eqb Z.sub Z.add Z.opp Pos.eqb]. apply Z.mod_unique with 1; lia.
    - destruct (Z_lt_ge_dec v 0) as [L | L].
      + assert (Ev' : u = v + P) by (rewrite Ev; symmetry; apply Z.mod_unique with (-1); lia). rewrite Ev' in *.
        replace ((v + P) / half) with 1; [| apply Z.div_unique with (v + P - half); lia]. cbn [Z.eqb Pos.eqb].
        assert (k = 1) as -> by (apply (turns_of P _ k 1 o Bo) in Eo; lia). apply Z.mod_unique with (-1); lia.
      + rewrite Z.mod_small in Ev by lia. rewrite Ev. rewrite Z.div_small by lia. cbn [Z.eqb]. symmetry. apply Z.mod_small. lia.
  Qed.

  Lemma shown : error net d = 0 /\ outcome net d mod 2 ^ W = p e mod n.
  Proof.
    destruct size as (Ew & K1 & Kb). destruct (passes_on (K - 1) ltac:(lia)) as (L & S1 & W1 & _).
    destruct (H_last (S e + (K - 1))%nat S1 (Ab (S e + (K - 1))%nat ltac:(lia))) as [C1 | C2]; [change (0 < words net (S e + (K - 1))%nat) in C1; lia |].
    replace (S (S e + (K - 1))) with s1 in C2 by (unfold s1; lia). change (choosing W E B A DW CB SG net s1) in C2.
    assert (L1 : (s1 < d)%nat) by (apply d_after; [unfold s1; lia | unfold s1; lia | apply H_not_done; right; exact C2]).
    destruct (H_chooses s1 C2 (Ab s1 ltac:(unfold s1 in *; lia))) as (D1 & E1 & T1). change (done net (S s1) = 1) in D1.
    pose proof choice as Ch. pose proof residue as Re. cbv zeta in Re. pose proof halves as (_ & _ & Dv). pose proof n_below as Nb.
    assert (d = S s1) as ->.
    { destruct (Nat.eq_dec d (S s1)) as [X | X]; [exact X |]. rewrite (Q (S s1)) in D1; [discriminate | unfold s1 in *; lia]. }
    split; [exact E1 |]. fold words_ in T1. rewrite Ew in T1. fold P in T1.
    change (outcome net (S s1) mod P = if chosen s1 =? 1 then other s1 else value s1) in T1. rewrite Ch, Re in T1.
    pose proof (Z.mod_pos_bound (p e) n ltac:(lia)). pose proof (Z.pow_pos_nonneg 2 W ltac:(lia) ltac:(lia)).
    rewrite (Zmod_div_mod (2 ^ W) P) by (assumption || lia). rewrite T1. apply Z.mod_small. lia.
  Qed.
  End Product.

  Theorem ends_with_pass : forall ok : Z -> Z -> Prop, (forall n y, 3 <= n -> ok n y -> if SG =? 0 then 0 <= y < 2 * n else - n < y < n) ->
    ends W E B A DW CB SG net ok.
  Proof. intros ok below n e N Q0 S0 Z5 V Nq Rp d De Ab Q Vd. apply (shown n e d); try assumption. apply below; [lia | exact Rp]. Qed.
End Reduction.
