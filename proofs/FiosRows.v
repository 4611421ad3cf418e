(* SPDX-License-Identifier: Apache-2.0 *)
(* FIOS on words: for each word A i of a, a row t j = (t j + A i b j + q i n j + c j), one word down. Whatever computes the words, and when. *)
From Coq Require Import ZArith Lia.
Require Import DigitRecurrence Instances Others.
Open Scope Z_scope.
Set Default Proof Using "All".

Section Fios.
  (* words by row and place: t before a row, what it leaves in each place, the carry into each; the top word of a row is its last carry *)
  Variables (r n a b : Z) (s : nat) (A B N q : nat -> Z) (t low c : nat -> nat -> Z).
  Hypotheses (radix : 1 < r) (some : (1 <= s)%nat) (modulus : 0 < n /\ 4 * n <= pw r s) (a_range : 0 <= a < 2 * n) (b_range : 0 <= b < 2 * n)
    (a_words : digits r A s = a) (b_words : digits r B s = b) (n_words : digits r N s = n)
    (A_range : forall i, (i < s)%nat -> 0 <= A i < r) (q_range : forall i, (i < s)%nat -> 0 <= q i < r)
    (row : forall i j, (i < s)%nat -> (j < s)%nat -> low i j + r * c i (S j) = t i j + A i * B j + q i * N j + c i j)
    (words : forall i j, (i < s)%nat -> (j < s)%nat -> 0 <= low i j < r) (carries : forall i j, (i < s)%nat -> (j <= s)%nat -> 0 <= c i j)
    (first : forall i, (i < s)%nat -> c i O = 0 /\ low i O = 0) (start : forall j, (j < s)%nat -> t O j = 0)
    (down : forall i j, (i < s)%nat -> (S j < s)%nat -> t (S i) j = low i (S j)) (top : forall i, (i < s)%nat -> t (S i) (s - 1)%nat = c i s mod r).

  Let T (i : nat) : Z := digits r (t i) s.

  Lemma one_row : forall i, (i < s)%nat -> 0 <= T i < 3 * n -> r * T (S i) = T i + A i * b + q i * n /\ 0 <= T (S i) < 3 * n.
  Proof.
    intros i L R. pose proof (fios_row r (t i) B N (low i) (c i) (A i) (q i) (s - 1)) as E. destruct (first i L) as [C0 L0].
    replace (S (s - 1)) with s in E by lia. specialize (E (fun j J => row i j L J) C0 L0). cbv zeta in E. rewrite b_words, n_words in E. fold (T i) in E.
    set (D := digits r (fun j => low i (1 + j)%nat) (s - 1)) in *.
    assert (DR : 0 <= D < pw r (s - 1)) by (apply digits_bound; [lia |]; intros j J; apply words; lia).
    pose proof (pw_pos r (s - 1) ltac:(lia)) as P. pose proof (carries i s L (le_n s)) as CS.
    assert (PS : pw r s = r * pw r (s - 1)) by (replace s with (S (s - 1)) at 1 by lia; reflexivity).
    pose proof (A_range i L) as AR. pose proof (q_range i L) as QR.
    assert (B1 : 0 <= A i * b <= (r - 1) * (2 * n)) by (split; [apply Z.mul_nonneg_nonneg | apply Z.mul_le_mono_nonneg]; lia).
    assert (B2 : 0 <= q i * n <= (r - 1) * n) by (split; [apply Z.mul_nonneg_nonneg | apply Z.mul_le_mono_nonneg]; lia).
    set (S' := D + pw r (s - 1) * c i s) in *.
    assert (SB : 0 <= S' < 3 * n).
    { split; [unfold S'; assert (0 <= pw r (s - 1) * c i s) by (apply Z.mul_nonneg_nonneg; lia); lia |]. apply (Z.mul_lt_mono_pos_l r); lia. }
    assert (C1 : c i s < r).
    { apply (Z.mul_lt_mono_pos_l (pw r (s - 1))); [exact P |]. unfold S' in SB. lia. }
    assert (TE : T (S i) = S'); [| rewrite TE; split; [lia | exact SB]].
    unfold T. replace s with (S (s - 1)) at 1 by lia. cbn [digits]. rewrite top, (Z.mod_small (c i s)) by lia. unfold S', D. f_equal.
    apply digits_ext. intros j J. apply down; lia.
  Qed.

  Theorem fios : 0 <= T s < 2 * n /\ montgomery n (pw r s) a b (T s).
  Proof.
    assert (T0 : T O = 0) by (apply digits_zero; exact start).
    assert (G : forall i, (i <= s)%nat -> 0 <= T i < 3 * n) by (induction i; intros L; [lia | apply one_row; [| apply IHi]; lia]).
    pose proof (plain_recurrence r n b s T A q T0 (fun i L => proj1 (one_row i L (G i ltac:(lia))))) as E. rewrite a_words in E.
    assert (Q : 0 <= digits r q s < pw r s) by (apply digits_bound; [lia | exact q_range]). set (D := digits r q s) in *. set (R := pw r s) in *.
    split; [| exists D; lia]. specialize (G s (le_n s)). split; [lia |].
    assert (a * b <= 2 * n * (2 * n)) by (apply Z.mul_le_mono_nonneg; lia). assert (n * (4 * n) <= n * R) by (apply Z.mul_le_mono_nonneg_l; lia).
    assert (n * D < n * R) by (apply Z.mul_lt_mono_pos_l; lia). apply (Z.mul_lt_mono_pos_l R); lia.
  Qed.
End Fios.
