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
