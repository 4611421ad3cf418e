(* SPDX-License-Identifier: Apache-2.0 *)
(* The flush of mf_booth_csa_core: the pair without its lowest digit of w bits, a row of full adders that can add n, and the fold of both signs. *)
From Coq Require Import ZArith Lia.
Require Import Contract Bits.
Open Scope Z_scope.
Set Default Proof Using "All".

Section Flush.
  (* s, c, a pair of m bits that is 2^w Q with a carry k; v, the register of both vectors after it. *)
  Variables (W w m s c k Q n nonnegative pending sum carry v : Z).
  Let r := 2 ^ w.
  Hypotheses (sizes : 1 <= W /\ 1 <= w /\ w + (W + 3) <= m) (s_range : 0 <= s < 2 ^ m) (c_range : 0 <= c < 2 ^ m) (n_range : 0 < n < 2 ^ W) (Q_range : - n < Q < n)
    (is_nonnegative : 0 <= nonnegative <= 1) (pending_range : 0 <= pending <= 1) (is_pair : pair_value m s c + k = r * Q)
    (carried : r * pending = part s 0 w + part c 0 w + k)
    (sum_is : sum = Z.lxor (Z.lxor (part s w (W + 3)) (part c w (W + 3))) (nonnegative * n))
    (carry_is : carry = (2 * Z.lor (Z.land (part s w (W + 3)) (part c w (W + 3))) (Z.land (Z.lxor (part s w (W + 3)) (part c w (W + 3))) (nonnegative * n))) mod 2 ^ (W + 3) + 0)
    (sum_range : 0 <= sum < 2 ^ (W + 3)) (carry_range : 0 <= carry < 2 ^ (W + 3))
    (low : part v 0 (W + 1) = part sum 0 (W + 1)) (top : (part v (W + 1) 2 - (part sum (W + 1) 2 + part carry (W + 1) 2)) mod 4 = 0)
    (carries : part v (W + 3) (W + 1) = part carry 0 (W + 1) + pending).

  Lemma above : exists j, Q = pending + part s w (W + 3) + part c w (W + 3) + j * 2 ^ (W + 3).
  Proof.
    assert (R : 0 < r) by (apply Z.pow_pos_nonneg; lia). pose proof (value_divides m w s c ltac:(lia)) as [j J].
    pose proof (low_and_high m w s ltac:(lia) s_range) as S1. pose proof (low_and_high m w c ltac:(lia) c_range) as S2. fold r in S1, S2.
    replace (m - w) with (W + 3 + (m - w - (W + 3))) in S1, S2 by lia. rewrite part_split in S1, S2 by lia.
    set (s' := part s (w + (W + 3)) _) in *. set (c' := part c (w + (W + 3)) _) in *.
    assert (wide : 2 ^ m = r * (2 ^ (W + 3) * 2 ^ (m - w - (W + 3)))) by (unfold r; rewrite <- !Z.pow_add_r by lia; f_equal; lia).
    exists (s' + c' + j * 2 ^ (m - w - (W + 3))). apply (Z.mul_reg_l _ _ r); [lia |]. rewrite <- is_pair. rewrite wide in J. lia.
  Qed.

  Theorem flushed : two (W + 3) (part v 0 (W + 3)) + part v (W + 3) (W + 1) = Q + nonnegative * n.
  Proof.
    destruct above as [j E]. set (x := part s w (W + 3)) in *. set (y := part c w (W + 3)) in *.
    assert (nn : 0 <= nonnegative * n <= n) by (assert (nonnegative = 0 \/ nonnegative = 1) as [X0 | X0] by lia; rewrite X0; lia).
    assert (row_sum : (2 ^ (W + 3) | sum + carry - (x + y + nonnegative * n + 0))) by (apply (row (W + 3)); try assumption; try lia; apply part_range; lia).
    assert (pow3 : 2 ^ (W + 3) = 8 * 2 ^ W) by (rewrite Z.pow_add_r by lia; lia). assert (pow2 : 2 ^ (W + 3 - 1) = 4 * 2 ^ W) by (replace (W + 3 - 1) with (W + 2) by lia; rewrite Z.pow_add_r by lia; lia).
    assert (pow1 : 2 ^ (W + 1) = 2 * 2 ^ W) by (rewrite Z.pow_add_r by lia; lia).
    assert (V : pair_value (W + 3) sum carry = Q - pending + nonnegative * n).
    { apply signed_is; [lia | lia |]. destruct row_sum as [i row_sum]. exists (j - i). lia. }
    apply divide_mod in top; [| lia]. set (f := part v (W + 1) 2) in *. assert (f_range : 0 <= f < 4) by (apply (part_range v (W + 1) 2); lia).
    pose proof (folded (W + 3) 1 sum carry ltac:(lia) sum_range carry_range f ltac:(lia) f_range) as F. replace (W + 3 - 2) with (W + 1) in F by lia.
    specialize (F ltac:(apply Z.divide_opp_r in top; by_sum) ltac:(unfold pair_value in V |- *; lia)). fold (pair_value (W + 3) sum carry) in F. rewrite V in F.
    rewrite carries. replace (W + 3) with (W + 1 + 2) at 2 by lia. rewrite part_split by lia. replace (0 + (W + 1)) with (W + 1) by lia. fold f. rewrite low.
    pose proof (part_range sum 0 (W + 1) ltac:(lia)) as low_range. unfold two. rewrite pow2. rewrite pow1 in *.
    destruct (Z.ltb_spec f 2); [assert (f = 0 \/ f = 1) as [f0 | f0] by lia | assert (f = 2 \/ f = 3) as [f0 | f0] by lia]; rewrite f0 in F |- *;
      match goal with |- context [?x <? ?y] => destruct (Z.ltb_spec x y) end; lia.
  Qed.
End Flush.
