(* SPDX-License-Identifier: Apache-2.0 *)
(* mf_modexp over a multiplier whose results are below n: the last product is the result. *)
From Coq Require Import ZArith Lia.
Require Import Contract modexp_lemmas modexp.
Open Scope Z_scope.

Theorem ends_with_product : forall W E B A DW CB SG PS net (ok : Z -> Z -> Prop), (forall n y, 3 <= n -> ok n y -> 0 <= y < n) -> left W E B A DW CB SG PS net -> ends W E B A DW CB SG PS net ok.
Proof.
  intros W E B A DW CB SG PS net ok below H n e N _ S0 Z5 V _ R d D Ab Q Vd. destruct (H e S0 Z5 (Ab e ltac:(lia)) V) as (D1 & E1 & T1).
  change (done net (S e) = 1) in D1. change (outcome net (S e) = value_product W E B A DW CB SG PS net e) in T1.
  destruct (Nat.eq_dec d (S e)) as [-> | X]; [| rewrite (Q (S e) ltac:(lia)) in D1; discriminate].
  destruct (below n _ (proj1 N) R) as [P1 P2]. split; [exact E1 |]. rewrite T1, !Z.mod_small by lia. reflexivity.
Qed.
