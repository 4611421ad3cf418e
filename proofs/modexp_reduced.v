(* SPDX-License-Identifier: Apache-2.0 *)
(* mf_modexp over a multiplier whose results are below 2^PS n, or signed and between -n and n: after the last product 2^(PS - 1) n is subtracted
   word by word, then half of that, at last n, where that leaves no borrow; or n is added to what is below 0. The product may be a pair of vectors, which
   the same words add. *)
From Coq Require Import ZArith Znumtheory Lia String.
Require Import DigitRecurrence WordSerial Contract Powers modexp_lemmas modexp.
Open Scope string_scope. Open Scope Z_scope.
Set Default Proof Using "All".

Lemma turns_of : forall P x k j o, 0 <= o < P -> 0 <= x - P * j < P -> o = x - P * k -> k = j.
Proof. intros P x k j o O X E. assert (- P < P * (k - j) < P) by (rewrite Z.mul_sub_distr_l; lia). nia. Qed.

(* Words of a product with M, from words w of m; x has those, and what is above them. *)
Lemma times : forall r M m x, 1 < r -> x O = m mod r * M -> (forall i, x (S i) = (m / pw r (S i)) mod r * M + x i / r) ->
  forall i, m * M / pw r i = x i + M * (m / pw r (S i)) * r.
Proof.
  intros r M m x R X0 X. assert (split : forall y, y = r * (y / r) + y mod r) by (intros y; apply Z.div_mod; lia). induction i as [| i IH].
  - cbn [pw]. rewrite Z.div_1_r, Z.mul_1_r, X0. rewrite (split m) at 1. ring.
  - pose proof (pw_pos r i ltac:(lia)) as Pi. pose proof (pw_pos r (S i) ltac:(lia)) as Ps.
    assert (below : forall y, y / pw r (S i) / r = y / pw r (S (S i))) by (intros y; cbn [pw]; rewrite Z.div_div, (Z.mul_comm _ r) by (cbn [pw] in Ps; lia); reflexivity).
    replace (m * M / pw r (S i)) with (m * M / pw r i / r) by (cbn [pw]; rewrite Z.div_div, (Z.mul_comm _ r) by lia; reflexivity).
    rewrite IH, Z.div_add by lia. rewrite X, <- below. set (y := m / pw r (S i)). rewrite (split y) at 1. ring.
Qed.

(* A word of a half. *)
Lemma half_word : forall r h y, 0 < h -> r = 2 * h -> (y / 2) mod r = y mod r / 2 + (y / r) mod 2 * h.
Proof.
  intros r h y H ->. pose proof (Z.div_mod y (2 * h) ltac:(lia)) as E. pose proof (Z.mod_pos_bound y (2 * h) ltac:(lia)) as B.
  pose proof (Z.div_mod (y / (2 * h)) 2 ltac:(lia)) as F. pose proof (Z.mod_pos_bound (y / (2 * h)) 2 ltac:(lia)) as C.
  set (l := y mod (2 * h)) in *. set (u := y / (2 * h)) in *. assert (Y : y / 2 = l / 2 + h * u) by (rewrite E; replace (2 * h * u + l) with (l + h * u * 2) by ring; rewrite Z.div_add by lia; reflexivity).
  pose proof (Z.div_mod l 2 ltac:(lia)). pose proof (Z.mod_pos_bound l 2 ltac:(lia)). symmetry.
  apply Z.mod_unique with (u / 2).
  - left. clear Y E F. assert (D : u mod 2 = 0 \/ u mod 2 = 1) by (clear - C; lia). destruct D as [-> | ->]; lia.
  - rewrite Y. set (q := u / 2) in *. set (c := u mod 2) in *. rewrite F. ring.
Qed.

Lemma halved : forall r m i, 1 < r -> m / 2 / pw r i = m / pw r i / 2.
Proof. intros r m i R. pose proof (pw_pos r i ltac:(lia)). rewrite !Z.div_div by lia. f_equal. ring. Qed.

Section Reduction.
  Variables (W E B A DW CB SG PS : Z) (net : trace).
  Local Notation p := (value_product W E B A DW CB SG PS net).
  Local Notation value := (value_pass_t W E B A DW CB SG PS net). Local Notation carries := (value_pass_carries W E B A DW CB SG PS net).
  Local Notation other := (value_pass_other W E B A DW CB SG PS net). Local Notation value_carry := (value_value_carry W E B A DW CB SG PS net).
  Local Notation other_carry := (value_other_carry W E B A DW CB SG PS net). Local Notation chosen := (value_chosen W E B A DW CB SG PS net).
  Local Notation multiple := (value_multiple W E B A DW CB SG PS net).
  Definition term := net "u_chains.gen_chain[0].u_chain.term_q".
  Definition shift := net "u_chains.gen_chain[0].u_chain.u_control.shift_q".
  Hypotheses (adder : 1 <= A) (width : 3 <= W) (many : 1 <= PS) (room : W + PS <= Z.max B (W + 2)) (sign : SG = 0 \/ SG = 1 /\ PS = 1).
  Hypotheses (H_vectors : vectors W E B A DW CB SG PS net) (H_reduces : reduces W E B A DW CB SG PS net)
    (H_not_done : not_done W E B A DW CB SG PS net) (H_subtracts : subtracts W E B A DW CB SG PS net) (H_on : reduces_on W E B A DW CB SG PS net)
    (H_last : reduces_last W E B A DW CB SG PS net) (H_chooses : chooses W E B A DW CB SG PS net) (H_chooses_on : chooses_on W E B A DW CB SG PS net).

  Let words_ := (Z.max B (W + 2) + A - 1) / A.
  Let K := Z.to_nat words_.
  Let P := 2 ^ (Z.of_nat K * A).
  Let half := 2 ^ (Z.of_nat K * A - 1).
  Let r := 2 ^ A.

  Lemma size : words_ = Z.of_nat K /\ (1 <= K)%nat /\ Z.max B (W + 2) <= Z.of_nat K * A.
  Proof. apply word_count; [exact adder | lia]. Qed.

  Lemma vector : forall s, 0 <= value s < P /\ 0 <= other s < P /\ 0 <= value_carry s /\ 0 <= other_carry s /\ 0 <= carries s.
  Proof.
    intros s. destruct (H_vectors s) as (L1 & L2 & L3 & L4 & L5 & L6 & L7 & _). destruct size as (Q & _). unfold P. rewrite <- Q. auto 10.
  Qed.

  Lemma radix : 1 < r. Proof. apply (Z.pow_gt_1 2 A); lia. Qed.

  Lemma halves : P = 2 * half /\ 2 ^ (PS - 1) * 2 ^ W <= half /\ 2 * 2 ^ W <= half /\ (2 ^ W | P).
  Proof.
    destruct size as (Ew & K1 & Kb). split; [| split; [| split]].
    - unfold P, half. rewrite <- (Z.pow_succ_r 2) by nia. f_equal. lia.
    - rewrite <- Z.pow_add_r by lia. apply Z.pow_le_mono_r; lia.
    - rewrite <- (Z.pow_succ_r 2) by lia. apply Z.pow_le_mono_r; lia.
    - exists (2 ^ (Z.of_nat K * A - W)). unfold P. rewrite <- Z.pow_add_r by lia. f_equal. ring.
  Qed.

  (* How n moves, while w words are left, with this one. *)
  Definition moves (s : nat) (w : Z) : Prop :=
    nq net (S s) mod 2 ^ (words_ * A - A) = nq net s / 2 ^ A /\
    (shift (S s) = 0 \/ nq net (S s) / 2 ^ (words_ * A - A) = if shift (S s) =? PS - 1 then (multiple s / 2) mod 2 ^ A
      else nq net s mod 2 ^ A / 2 + (if w =? 1 then 0 else (nq net s / 2 ^ A) mod 2 * 2 ^ (A - 1))) /\
    multiple (S s) = nq net (S s) mod 2 ^ A * 2 ^ (PS - 1) + multiple s / 2 ^ A /\
    term (S s) = if SG =? 0 then 2 ^ A - 1 - (if shift (S s) =? PS - 1 then multiple s mod 2 ^ A else nq net s mod 2 ^ A)
      else (if shift (S s) =? PS - 1 then multiple s mod 2 ^ A else nq net s mod 2 ^ A).

  (* A pass begins after cycle e, with the value v, m in the register of n; q passes follow it. *)
  Definition starts (e : nat) (q m v : Z) : Prop :=
    reducing W E B A DW CB SG PS net (S e) /\ words net (S e) = words_ - 1 /\ value_carry (S e) = 0 /\ other_carry (S e) = (if SG =? 0 then 1 else 0) /\
    moves e words_ /\ shift (S e) = q /\ nq net e = m /\ (q = PS - 1 -> multiple e = nq net e mod r * 2 ^ (PS - 1)) /\
    (value (S e) + carries (S e)) mod P = v mod P /\ carries (S e) < P.
  Definition subtrahend (q m : Z) : Z := if q =? PS - 1 then m * 2 ^ (PS - 1) else m.

  Section Pass.
  Variables (e d : nat) (q m v : Z).
  Let z := subtrahend q m.
  Hypotheses (S0 : starts e q m v) (M : 0 <= m < P) (Z0 : 0 < z <= half) (q_range : 0 <= q <= PS - 1) (De : (e < d)%nat)
    (Ab : forall i, (e <= i < d)%nat -> abort net i = 0) (Q : forall i, (e < i < d)%nat -> done net i = 0) (Vd : done net d = 1).

  Lemma d_after : forall s, (e < s)%nat -> (s <= d)%nat -> done net s = 0 -> (s < d)%nat.
  Proof. intros s L L1 D. destruct (Nat.eq_dec s d) as [-> | X]; [rewrite D in Vd; discriminate | lia]. Qed.

  (* In cycle S e + i the words from i on are still to be added. *)
  Lemma passes_on : forall i, (i < K)%nat -> (S e + i < d)%nat /\ reducing W E B A DW CB SG PS net (S e + i) /\
    words net (S e + i)%nat = Z.of_nat (K - 1 - i) /\ shift (S e + i)%nat = q /\ moves (e + i) (Z.of_nat (K - i)).
  Proof.
    destruct size as (Ew & K1 & _). destruct S0 as (S1 & W1 & _ & _ & N1 & H1 & _).
    induction i; intros I.
    - rewrite !Nat.add_0_r. replace (Z.of_nat (K - 0)) with words_ by lia. assert (D0 : done net (S e) = 0) by (apply H_not_done; left; left; exact S1).
      split; [apply d_after; [lia | lia | exact D0] |]. split; [exact S1 |]. split; [lia |]. split; [exact H1 | exact N1].
    - destruct IHi as (L & S2 & W2 & H2 & _); [lia |].
      destruct (H_on (S e + i)%nat S2 (Ab (S e + i)%nat ltac:(lia))) as (S3 & W3 & H3 & N3 & N4 & N5 & N6).
      change (words net (S e + i)%nat = 0 \/ words net (S (S e + i)) = words net (S e + i)%nat - 1) in W3.
      assert (X : words net (S e + i)%nat <> 0) by (rewrite W2; clear - I; lia).
      destruct S3 as [S3 | S3]; [elim (X S3) |]. destruct W3 as [W3 | W3]; [elim (X W3) |]. destruct H3 as [H3 | H3]; [elim (X H3) |].
      destruct N3 as [N3 | N3]; [elim (X N3) |]. destruct N4 as [N4 | N4]; [elim (X N4) |]. destruct N5 as [N5 | N5]; [elim (X N5) |].
      destruct N6 as [N6 | N6]; [elim (X N6) |].
      assert (D0 : done net (S (S e + i)) = 0) by (apply H_not_done; left; left; exact S3). rewrite !Nat.add_succ_r.
      assert (W4 : words net (S (S e + i)) = Z.of_nat (K - 1 - S i)) by (rewrite W3, W2; clear - I; lia).
      split; [apply d_after; [clear; lia | clear - L; lia | exact D0] |]. split; [exact S3 |]. split; [exact W4 |].
      split; [change (shift (S (S e + i)) = shift (S e + i)%nat) in H3; rewrite H3; exact H2 |].
      replace (Z.of_nat (K - S i)) with (words net (S e + i)%nat) by (rewrite W2; clear - I; lia). exact (conj N3 (conj N4 (conj N5 N6))).
  Qed.

  Lemma top_is : 2 ^ (words_ * A - A) = pw r (K - 1).
  Proof. destruct size as (Ew & K1 & _). unfold r. rewrite pw_words, Ew by lia. f_equal. replace (Z.of_nat (K - 1)) with (Z.of_nat K - 1) by lia. ring. Qed.

  Lemma P_is : P = pw r K.
  Proof. unfold P, r. rewrite pw_words by lia. reflexivity. Qed.

  Lemma n_moves : forall i, (i < K)%nat -> nq net (e + S i)%nat = nq net (e + i)%nat / r + pw r (K - 1) * (nq net (e + S i)%nat / pw r (K - 1)).
  Proof.
    intros i I. destruct (passes_on i I) as (_ & _ & _ & _ & N & _). rewrite top_is in N. rewrite Nat.add_succ_r.
    apply highest_word; [apply pw_pos; pose proof radix; lia | exact N].
  Qed.

  Lemma word_of_n : forall i, (i < K)%nat -> nq net (e + i)%nat mod r = (m / pw r i) mod r.
  Proof.
    intros i I. destruct S0 as (_ & _ & _ & _ & _ & _ & N & _). rewrite <- N. rewrite <- (Nat.add_0_r e) at 2.
    apply (lowest_word r K (fun i => nq net (e + i)%nat) (fun i => nq net (e + S i)%nat / pw r (K - 1)) radix n_moves i I).
  Qed.

  Lemma multiple_is : q = PS - 1 -> forall i, (i < K)%nat -> m * 2 ^ (PS - 1) / pw r i = multiple (e + i)%nat + 2 ^ (PS - 1) * (m / pw r (S i)) * r.
  Proof.
    intros Wd. destruct S0 as (_ & _ & _ & _ & _ & _ & N & X0 & _). specialize (X0 Wd). pose proof (word_of_n O ltac:(destruct size; lia)) as W0.
    rewrite Nat.add_0_r in W0. cbn [pw] in W0. rewrite Z.div_1_r in W0. rewrite W0 in X0.
    set (x := fix x (i : nat) : Z := match i with O => m mod r * 2 ^ (PS - 1) | S j => (m / pw r (S j)) mod r * 2 ^ (PS - 1) + x j / r end).
    assert (same : forall i, (i < K)%nat -> multiple (e + i)%nat = x i).
    { induction i as [| i IH]; intros I; [rewrite Nat.add_0_r; exact X0 |]. cbn [x]. fold x. rewrite <- IH by lia. destruct (passes_on i ltac:(lia)) as (_ & _ & _ & _ & _ & _ & Y & _).
      rewrite <- (word_of_n (S i) I), Nat.add_succ_r. exact Y. }
    intros i I. rewrite (same i I). apply times; [apply radix | reflexivity | reflexivity].
  Qed.

  Lemma word_of_z : forall i, (i < K)%nat -> (if q =? PS - 1 then multiple (e + i)%nat mod r else nq net (e + i)%nat mod r) = (z / pw r i) mod r.
  Proof.
    intros i I. unfold z, subtrahend. destruct (Z.eqb_spec q (PS - 1)) as [Wd | Wd]; [| apply word_of_n, I].
    rewrite (multiple_is Wd i I), Z_mod_plus_full. reflexivity.
  Qed.

  Lemma word_of_half : q <> 0 -> forall i, (i < K)%nat -> nq net (e + S i)%nat / pw r (K - 1) = (z / 2 / pw r i) mod r.
  Proof.
    intros N0 i I. pose proof radix as R. destruct (passes_on i I) as (_ & _ & _ & Sh & _ & N & _). rewrite top_is in N. rewrite Nat.add_succ_r. change (S e + i)%nat with (S (e + i)) in Sh.
    rewrite Sh in N. destruct N as [N | N]; [contradiction |]. rewrite N. clear N. rewrite halved by exact R. unfold z, subtrahend. change (2 ^ A) with r.
    destruct (Z.eqb_spec q (PS - 1)) as [Wd | Wd].
    - rewrite (multiple_is Wd i I). replace (2 ^ (PS - 1)) with (2 ^ (PS - 2) * 2) by (replace (PS - 1) with (Z.succ (PS - 2)) by lia; rewrite Z.pow_succ_r by lia; ring).
      replace (multiple (e + i)%nat + 2 ^ (PS - 2) * 2 * (m / pw r (S i)) * r) with (multiple (e + i)%nat + 2 ^ (PS - 2) * (m / pw r (S i)) * r * 2) by ring.
      rewrite Z.div_add, Z_mod_plus_full by lia. reflexivity.
    - assert (Hr : r = 2 * 2 ^ (A - 1)) by (unfold r; rewrite <- Z.pow_succ_r by lia; f_equal; lia). pose proof (Z.pow_pos_nonneg 2 (A - 1) ltac:(lia) ltac:(lia)) as Hp.
      rewrite (half_word r (2 ^ (A - 1)) _ Hp Hr), (word_of_n i I). f_equal. pose proof (pw_pos r i ltac:(lia)) as Pi.
      replace (m / pw r i / r) with (m / pw r (S i)) by (cbn [pw]; rewrite Z.div_div, (Z.mul_comm _ r) by lia; reflexivity).
      destruct (Z.eqb_spec (Z.of_nat (K - i)) 1) as [L | L].
      + replace (S i) with K by lia. rewrite <- P_is, Z.div_small by exact M. reflexivity.
      + f_equal. assert (even : forall y, (y mod r) mod 2 = y mod 2) by (intros y; symmetry; apply Zmod_div_mod; [lia | lia | exists (2 ^ (A - 1)); lia]).
        rewrite <- (even (m / pw r (S i))), <- (word_of_n (S i)), even by lia. rewrite (n_moves i I). replace (K - 1)%nat with (S (K - 2)) by lia. cbn [pw].
        rewrite Hr at 3. replace (2 * 2 ^ (A - 1) * pw r (K - 2)) with (2 * (2 ^ (A - 1) * pw r (K - 2))) by ring.
        rewrite <- (Z.mul_assoc 2), (Z.mul_comm 2), Z_mod_plus_full. reflexivity.
  Qed.

  Lemma n_after : q <> 0 -> nq net (e + K)%nat = z / 2.
  Proof.
    intros N0. pose proof radix as R. pose proof (shifted_in r K (fun i => nq net (e + i)%nat) (fun i => nq net (e + S i)%nat / pw r (K - 1)) R n_moves K ltac:(lia)) as F. cbn beta in F.
    destruct S0 as (_ & _ & _ & _ & _ & _ & N & _). rewrite Nat.sub_diag, Nat.add_0_r, N in F. rewrite <- P_is in F. rewrite Z.div_small in F by exact M. cbn [pw] in F.
    rewrite F, (digits_ext r _ (fun i => (z / 2 / pw r i) mod r) K (word_of_half N0)), word_digits, <- P_is by exact R.
    pose proof halves as (Hp & _). rewrite Z.mod_small; [ring |]. split; [apply Z.div_pos; lia |]. apply Z.div_lt_upper_bound; lia.
  Qed.

  (* The summand: z, or its complement. *)
  Let summand := if SG =? 0 then P - 1 - z else z.
  Lemma z_below : 0 <= z < P. Proof. pose proof (proj1 halves) as H. pose proof Z0 as B0. clearbody P half z. clear - H B0. lia. Qed.

  Lemma word_of_term : forall i, (i < K)%nat -> term (S e + i)%nat = (summand / pw r i) mod r.
  Proof.
    intros i I. destruct (passes_on i I) as (_ & _ & _ & Sh & _ & _ & _ & T). change (S e + i)%nat with (S (e + i)) in *. rewrite T, Sh. change (2 ^ A) with r. rewrite (word_of_z i I).
    unfold summand. destruct (SG =? 0); [| reflexivity]. rewrite P_is, complement_word by (apply radix || exact I). reflexivity.
  Qed.

  Let s1 := (S e + K)%nat.

  Lemma added : value s1 + P * value_carry s1 = value (S e) + carries (S e) /\
    other s1 + P * other_carry s1 = value (S e) + carries (S e) + (if SG =? 0 then P - z else z) /\ carries s1 = 0.
  Proof.
    destruct size as (Ew & K1 & Kb). destruct S0 as (_ & _ & V0 & O0 & _ & _ & _ & _ & T0 & C0). pose proof z_below as Nb.
    assert (top : words_ * A - A = (Z.of_nat K - 1) * A) by (rewrite Ew; ring).
    assert (subtracted : forall i, (i < K)%nat -> _) by (intros i I; exact (H_subtracts (S e + i)%nat (proj1 (proj2 (passes_on i I))) (Ab (S e + i)%nat ltac:(destruct (passes_on i I); lia)))).
    cbv beta in subtracted. fold words_ in subtracted. rewrite top in subtracted.
    assert (Cs : forall i, (i < K)%nat -> carries (S e + S i)%nat = carries (S e + i)%nat / r) by (intros i I; rewrite Nat.add_succ_r; apply (subtracted i I)).
    pose proof (sums_of_pairs A K (fun i => value (S e + i)%nat) (fun i => carries (S e + i)%nat) (fun i => other (S e + i)%nat) summand
      (fun i => value_carry (S e + i)%nat) (fun i => other_carry (S e + i)%nat) adder K1) as H. cbn beta zeta in H. fold r P in H.
    rewrite Nat.add_0_r, V0, O0 in H. fold s1 in H.
    destruct H as [H1 H2]; try apply vector.
    - split; [apply vector | exact C0].
    - unfold summand. destruct (SG =? 0); lia.
    - intros i I. rewrite Nat.add_succ_r. apply (subtracted i I).
    - exact Cs.
    - intros i I. rewrite Nat.add_succ_r. apply (subtracted i I).
    - intros i I. rewrite Nat.add_succ_r. apply (subtracted i I).
    - intros i I. rewrite Nat.add_succ_r, <- (word_of_term i I). apply (subtracted i I).
    - split; [lia |]. split; [rewrite H2; unfold summand; destruct (SG =? 0); lia |].
      pose proof (shifted_down r K (fun i => carries (S e + i)%nat) radix Cs K ltac:(lia)) as F. cbn beta in F. rewrite Nat.add_0_r, <- P_is in F. fold s1 in F.
      rewrite F. apply Z.div_small. split; [apply vector | exact C0].
  Qed.

  Lemma choice : chosen s1 = if SG =? 0 then 1 - other s1 / half else value s1 / half.
  Proof.
    destruct size as (Ew & K1 & Kb). destruct (passes_on (K - 1) ltac:(lia)) as (L & S1 & _).
    destruct (H_subtracts (S e + (K - 1))%nat S1 (Ab (S e + (K - 1))%nat ltac:(lia))) as (_ & _ & _ & _ & _ & G).
    replace (S (S e + (K - 1))) with s1 in G by (unfold s1; lia). fold words_ in G. rewrite Ew in G. exact G.
  Qed.

  Hypothesis Rv : if SG =? 0 then 0 <= v < 2 * z else - z < v < z.
  Hypothesis small : SG = 1 -> 2 * z <= half.

  (* From both sums to the value after the pass. *)
  Lemma after_pass : let c := if chosen s1 =? 1 then other s1 else value s1 in 0 <= c < z /\ exists k, c = v + k * z.
  Proof.
    cbv zeta. rewrite choice. destruct added as (Hv & Ho & _). destruct S0 as (_ & _ & _ & _ & _ & _ & _ & _ & Hm & _). destruct halves as (Hp & _ & _ & _).
    destruct (vector s1) as (Bv & Bo & _). destruct (vector (S e)) as (Be & _ & _ & _ & Bc).
    assert (Ev : value s1 = v mod P).
    { rewrite <- Hm, <- Hv, (Z.mul_comm P), Z_mod_plus_full. symmetry. apply Z.mod_small. exact Bv. }
    assert (Eo : exists k, other s1 = value s1 + (if SG =? 0 then P - z else z) - P * k).
    { exists (other_carry s1 - value_carry s1). lia. }
    clear Hv Ho Hm. destruct Eo as [k Eo]. pose proof Rv as Rg. pose proof small as Sm. pose proof Z0 as Zr.
    set (o := other s1) in *. set (u := value s1) in *.
    clearbody P half o u z. clear - sign Zr Sm Hp Bv Bo Rg Ev Eo. destruct sign as [Sg | [Sg _]]; rewrite Sg in *; cbn [Z.eqb] in *.
    - rewrite Z.mod_small in Ev by lia. rewrite Ev in *. destruct (Z_lt_ge_dec v z) as [L | L].
      + assert (k = 0) as -> by (apply (turns_of P _ k 0 o Bo) in Eo; lia). replace (o / half) with 1; [| apply Z.div_unique with (o - half); lia].
        cbn [Z.eqb Z.sub Z.add Z.opp Z.pos_sub]. split; [lia | exists 0; lia].
      + assert (k = 1) as -> by (apply (turns_of P _ k 1 o Bo) in Eo; lia). rewrite Z.div_small by lia. cbn [Z.eqb Z.sub Z.add Z.opp Pos.eqb]. split; [lia | exists (-1); lia].
    - specialize (Sm eq_refl). destruct (Z_lt_ge_dec v 0) as [L | L].
      + assert (Ev' : u = v + P) by (rewrite Ev; symmetry; apply Z.mod_unique with (-1); lia). rewrite Ev' in *.
        replace ((v + P) / half) with 1; [| apply Z.div_unique with (v + P - half); lia]. cbn [Z.eqb Pos.eqb].
        assert (k = 1) as -> by (apply (turns_of P _ k 1 o Bo) in Eo; lia). split; [lia | exists 1; lia].
      + rewrite Z.mod_small in Ev by lia. rewrite Ev. rewrite Z.div_small by lia. cbn [Z.eqb]. split; [lia | exists 0; lia].
  Qed.

  Lemma ends_pass : (q = 0 -> choosing W E B A DW CB SG PS net s1) /\
    (q <> 0 -> choosing_on W E B A DW CB SG PS net s1 /\ shift s1 = q - 1 /\ nq net s1 = z / 2) /\ (s1 < d)%nat.
  Proof.
    destruct size as (Ew & K1 & Kb). destruct (passes_on (K - 1) ltac:(lia)) as (L & S1 & W1 & Sh & _).
    destruct (H_last (S e + (K - 1))%nat S1 (Ab (S e + (K - 1))%nat ltac:(lia))) as (C1 & C2 & C3 & C4).
    change (net "u_chains.gen_chain[0].u_chain.u_control.shift_q" (S e + (K - 1))%nat) with (shift (S e + (K - 1))%nat) in *.
    change (net "u_chains.gen_chain[0].u_chain.u_control.words_q" (S e + (K - 1))%nat) with (words net (S e + (K - 1))%nat) in *.
    change (net "u_chains.gen_chain[0].u_chain.n_q" (S e + (K - 1))%nat) with (nq net (S e + (K - 1))%nat) in *.
    assert (Ek : (S e + (K - 1))%nat = (e + K)%nat) by (clear - K1; lia). rewrite Ek in *. change (S (e + K)) with s1 in *. rewrite Sh, W1 in *.
    replace (Z.of_nat (K - 1 - (K - 1))) with 0 in * by lia.
    assert (F : q = 0 -> choosing W E B A DW CB SG PS net s1) by (intros X; destruct C1 as [[C1 | C1] | C1]; [lia | lia | exact C1]).
    assert (G : q <> 0 -> choosing_on W E B A DW CB SG PS net s1 /\ shift s1 = q - 1 /\ nq net s1 = z / 2).
    { intros X. destruct C2 as [[C2 | C2] | C2]; [lia | lia |]. destruct C3 as [[C3 | C3] | C3]; [lia | lia |]. destruct C4 as [[C4 | C4] | C4]; [lia | lia |].
      split; [exact C2 |]. split; [exact C3 |]. change (nq net s1 = nq net (e + K)%nat) in C4. rewrite C4. apply n_after, X. }
    split; [exact F |]. split; [exact G |]. apply d_after; [unfold s1; lia | unfold s1; lia |]. apply H_not_done.
    destruct (Z.eq_dec q 0) as [X | X]; [left; right; exact (F X) | right; exact (proj1 (G X))].
  Qed.

  Lemma next_pass : q <> 0 -> exists c k, starts s1 (q - 1) (z / 2) c /\ 0 <= c < z /\ c = v + k * z.
  Proof.
    intros X. destruct ends_pass as (_ & G & L). destruct (G X) as (C & Sh & N). destruct after_pass as (Bc & k & Ec). destruct added as (_ & _ & C0).
    destruct (H_chooses_on s1 C (Ab s1 ltac:(unfold s1 in *; lia))) as (S1 & W1 & V1 & O1 & N1 & N2 & N3 & N4 & Sh1 & T1 & C1).
    change (shift (S s1) = shift s1) in Sh1. change (value (S s1) = if chosen s1 =? 1 then other s1 else value s1) in T1.
    change (carries (S s1) = if chosen s1 =? 1 then 0 else carries s1) in C1. rewrite C0 in C1.
    assert (C2 : carries (S s1) = 0) by (rewrite C1; destruct (chosen s1 =? 1); reflexivity). pose proof z_below.
    exists (if chosen s1 =? 1 then other s1 else value s1), k. split; [| exact (conj Bc Ec)]. unfold starts.
    split; [exact S1 |]. split; [exact W1 |]. split; [exact V1 |]. split; [exact O1 |]. split; [exact (conj N1 (conj N2 (conj N3 N4))) |].
    split; [lia |]. split; [exact N |]. split; [lia |]. rewrite C2, Z.add_0_r, T1. split; [reflexivity | lia].
  Qed.

  Lemma last_pass : q = 0 -> exists k, error net d = 0 /\ outcome net d mod P = v + k * z /\ 0 <= v + k * z < z.
  Proof.
    intros X. destruct ends_pass as (F & _ & L). destruct after_pass as (Bc & k & Ec). exists k.
    destruct (H_chooses s1 (F X) (Ab s1 ltac:(unfold s1 in *; lia))) as (D1 & E1 & T1). change (done net (S s1) = 1) in D1. destruct size as (Ew & _).
    assert (d = S s1) as ->.
    { destruct (Nat.eq_dec d (S s1)) as [Y | Y]; [exact Y |]. rewrite (Q (S s1)) in D1; [discriminate | unfold s1 in *; lia]. }
    split; [exact E1 |]. fold words_ in T1. rewrite Ew in T1. fold P in T1.
    change (outcome net (S s1) mod P = if chosen s1 =? 1 then other s1 else value s1) in T1. rewrite T1, <- Ec. auto.
  Qed.
  End Pass.

  Lemma multiple_mod : forall n v k w, 0 < n -> (v + k * (w * n)) mod n = v mod n.
  Proof. intros n v k w N. replace (v + k * (w * n)) with (v + k * w * n) by ring. apply Z_mod_plus_full. Qed.

  (* The pass with q passes after it, and these. *)
  Lemma passes_end : forall n d j e m v, 3 <= n < 2 ^ W -> starts e (Z.of_nat j) m v -> 0 <= m < P -> subtrahend (Z.of_nat j) m = 2 ^ Z.of_nat j * n ->
    Z.of_nat j <= PS - 1 -> (if SG =? 0 then 0 <= v < 2 * (2 ^ Z.of_nat j * n) else - n < v < n) -> (e < d)%nat ->
    (forall i, (e <= i < d)%nat -> abort net i = 0) -> (forall i, (e < i < d)%nat -> done net i = 0) -> done net d = 1 ->
    error net d = 0 /\ outcome net d mod P = v mod n.
  Proof.
    intros n d. induction j as [| j IH]; intros e m v N S0 M Ez J Rv De Ab Q Vd; destruct halves as (Hp & Hh & Hw & _);
      pose proof (Z.pow_pos_nonneg 2 W ltac:(lia) ltac:(lia)) as Pw.
    - change (Z.of_nat 0) with 0 in *. rewrite Z.pow_0_r, Z.mul_1_l in *. 
      destruct (last_pass e d 0 m v S0 M ltac:(lia) ltac:(lia) De Ab Q Vd ltac:(rewrite Ez; exact Rv) ltac:(lia) eq_refl) as (k & E0 & T & Bd).
      rewrite Ez in T, Bd. split; [exact E0 |]. rewrite T. rewrite <- (Z_mod_plus_full v k n). symmetry. apply Z.mod_small. exact Bd.
    - set (q := Z.of_nat (S j)) in *. assert (Eq : q - 1 = Z.of_nat j) by (unfold q; lia). assert (Sg : SG = 0) by (destruct sign as [| [_ ?]]; [assumption | lia]).
      assert (Pq : 2 ^ q = 2 * 2 ^ Z.of_nat j) by (rewrite <- Eq, <- Z.pow_succ_r by lia; f_equal; lia).
      pose proof (Z.pow_pos_nonneg 2 (Z.of_nat j) ltac:(lia) ltac:(lia)) as Pj.
      assert (Hz : 2 ^ q * n <= half).
      { apply Z.le_trans with (2 ^ (PS - 1) * 2 ^ W); [| exact Hh]. apply Z.mul_le_mono_nonneg; [lia | apply Z.pow_le_mono_r; lia | lia | lia]. }
      rewrite Sg in Rv. cbn [Z.eqb] in Rv. assert (Zp : 0 < 2 ^ q * n) by (rewrite Pq; apply Z.mul_pos_pos; lia).
      destruct (next_pass e d q m v S0 M ltac:(rewrite Ez; lia) ltac:(lia) De Ab Q Vd ltac:(rewrite Sg, Ez; exact Rv) ltac:(lia) ltac:(lia)) as (c & k & S1 & Bc & Ec).
      rewrite Ez in S1, Bc, Ec. destruct (ends_pass e d q m v S0 M ltac:(rewrite Ez; lia) ltac:(lia) De Ab Q Vd ltac:(rewrite Sg, Ez; exact Rv) ltac:(lia)) as (_ & _ & L).
      assert (Hm : 2 ^ q * n / 2 = 2 ^ Z.of_nat j * n) by (rewrite Pq; replace (2 * 2 ^ Z.of_nat j * n) with (2 ^ Z.of_nat j * n * 2) by ring; apply Z.div_mul; lia).
      rewrite Hm, Eq in S1. rewrite <- (multiple_mod n v k (2 ^ q)), <- Ec by lia.
      assert (M1 : 0 <= 2 ^ Z.of_nat j * n < P) by (split; [apply Z.mul_nonneg_nonneg; lia |]; rewrite Pq in Hz; lia).
      assert (Z1 : subtrahend (Z.of_nat j) (2 ^ Z.of_nat j * n) = 2 ^ Z.of_nat j * n) by (unfold subtrahend; destruct (Z.eqb_spec (Z.of_nat j) (PS - 1)); [lia | reflexivity]).
      assert (R1 : if SG =? 0 then 0 <= c < 2 * (2 ^ Z.of_nat j * n) else - n < c < n) by (rewrite Sg; cbn [Z.eqb]; rewrite Pq in Bc; lia).
      apply (IH _ _ _ N S1 M1 Z1 ltac:(lia) R1 L); [intros; apply Ab; lia | intros; apply Q; lia | exact Vd].
  Qed.

  Theorem ends_with_pass : forall ok : Z -> Z -> Prop, (forall n y, 3 <= n -> ok n y -> if SG =? 0 then 0 <= y < 2 ^ PS * n else - n < y < n) ->
    ends W E B A DW CB SG PS net ok.
  Proof.
    intros ok below n e N Q0 S0 Z5 V Nq Rp d De Ab Q Vd. apply below in Rp; [| lia].
    destruct (H_reduces e Q0 S0 Z5 (Ab e ltac:(lia)) V) as (S1 & W1 & V1 & O1 & N1 & N2 & N3 & N4 & Sh & Ml & T & C). destruct size as (Ew & _).
    fold words_ in T, C. rewrite Ew in T, C. fold P in T, C. destruct halves as (Hp & Hh & Hw & Dv). pose proof (Z.pow_pos_nonneg 2 W ltac:(lia) ltac:(lia)) as Pw.
    assert (S2 : starts e (Z.of_nat (Z.to_nat (PS - 1))) n (p e)).
    { rewrite Z2Nat.id by lia. unfold starts. split; [exact S1 |]. split; [exact W1 |]. split; [exact V1 |]. split; [exact O1 |]. split; [exact (conj N1 (conj N2 (conj N3 N4))) |].
      split; [exact Sh |]. split; [exact Nq |]. split; [intros _; exact Ml |]. split; [exact T | exact C]. }
    destruct (passes_end n d (Z.to_nat (PS - 1)) e n (p e) N S2) as [E0 R0]; rewrite ?Z2Nat.id by lia; try assumption; try lia.
    - unfold subtrahend. rewrite Z.eqb_refl. ring.
    - destruct (SG =? 0); [| exact Rp]. rewrite Z.mul_assoc, <- Z.pow_succ_r by lia. replace (Z.succ (PS - 1)) with PS by lia. exact Rp.
    - split; [exact E0 |]. rewrite (Zmod_div_mod (2 ^ W) P) by (assumption || lia). rewrite R0. apply Z.mod_small. pose proof (Z.mod_pos_bound (p e) n ltac:(lia)). lia.
  Qed.
End Reduction.
