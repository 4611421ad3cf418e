(* SPDX-License-Identifier: Apache-2.0 *)
(* The constant of designs that take a multiple of the modulus in its place: n m + 1, a multiple of 2^bits, with 0 <= m < 2^bits. *)
From Coq Require Import ZArith Lia.
Open Scope Z_scope.

Definition raised (bits n h : Z) : Prop := exists m, 0 <= m < 2 ^ bits /\ h = n * m + 1 /\ h mod 2 ^ bits = 0.

(* A multiple of 2: it is n + 1. *)
Lemma raised_1 : forall n h, raised 1 n h -> h = n + 1.
Proof.
  intros n h (m & M & -> & E). change (2 ^ 1) with 2 in *. assert (m = 0 \/ m = 1) as [-> | ->] by lia; [| lia].
  rewrite Z.mul_0_r in E. discriminate.
Qed.

(* A multiple of 4: n m is odd, and it is n itself where n is 3 modulo 4. *)
Lemma raised_4 : forall n m, 0 < n -> n mod 2 = 1 -> 0 <= m < 4 -> (n * m + 1) mod 4 = 0 ->
  n * m mod 2 = 1 /\ 0 < n * m <= 3 * n /\ (n mod 4 = 1 \/ n * m = n).
Proof.
  intros n m positive odd M E. pose proof (Z.div_mod (n * m + 1) 4 ltac:(lia)) as F. rewrite E in F.
  pose proof (Z.div_mod n 4 ltac:(lia)) as G. pose proof (Z.mod_pos_bound n 4 ltac:(lia)). pose proof (Z.div_mod n 2 ltac:(lia)) as I. rewrite odd in I.
  assert (O : n * m mod 2 = 1) by (replace (n * m) with (1 + (2 * ((n * m + 1) / 4) - 1) * 2) by lia; rewrite Z_mod_plus_full; reflexivity).
  assert (m = 0 \/ m = 1 \/ m = 2 \/ m = 3) as [-> | [-> | [-> | ->]]] by lia; lia.
Qed.
