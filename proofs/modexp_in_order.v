(* SPDX-License-Identifier: Apache-2.0 *)
(* mf_modexp over a multiplier that has several operations under way: it asks for a product when all responses before were taken, aborts or not, so that
   the next response is that of its request. *)
From Coq Require Import ZArith Lia String Bool.
Require Import Contract Pipelined Powers modexp_lemmas modexp.
Open Scope string_scope. Open Scope Z_scope.

Section InOrder.
  Variables (W E B A DW CB SG PS : Z) (net : trace).
  Hypotheses (H_quiet : quiet_on W E B A DW CB SG PS net) (H_reset : quiet_at_reset W E B A DW CB SG PS net) (H_owed : owed W E B A DW CB SG PS net)
    (H_none : owed_at_reset W E B A DW CB SG PS net).
  Local Notation owed_ := (value_owed W E B A DW CB SG PS net).

  Lemma owes : forall s, Z.of_nat (taken (part net) s) + owed_ s = Z.of_nat (accepted (part net) s).
  Proof.
    assert (Q : forall s, quiet W E B A DW CB SG PS net s) by (induction s; [apply H_reset; reflexivity | apply H_quiet; assumption]).
    induction s as [| s IH]; [exact (H_none O eq_refl) |]. destruct (H_owed s (Q s)) as (N & _). unfold taken, accepted in *. cbn [count].
    change (owed_ (S s) + (if answers net s =? 1 then if takes net s =? 1 then 1 else 0 else 0) =
      owed_ s + (if asks net s =? 1 then if accepts net s =? 1 then 1 else 0 else 0)) in N.
    change (Pipelined.takes (part net) s) with ((answers net s =? 1) && (takes net s =? 1)).
    change (Pipelined.accepts (part net) s) with ((asks net s =? 1) && (accepts net s =? 1)).
    destruct (answers net s =? 1), (takes net s =? 1), (asks net s =? 1), (accepts net s =? 1); cbn [andb]; lia.
  Qed.

  Theorem in_order : forall a b n p least most R legal operand result, pipelined (part net) a b n p least most R legal operand result ->
    responds (part net) a b n p least R legal operand result.
  Proof.
    intros * (_ & _ & M) c V Y L A0 B0 s C waits now.
    assert (Q : forall s, quiet W E B A DW CB SG PS net s) by (induction s0; [apply H_reset; reflexivity | apply H_quiet; assumption]).
    destruct (H_owed c (Q c)) as (_ & [Z0 | Z0] & T); [change (asks net c = 0) in Z0; change (asks net c = 1) in V; lia |].
    pose proof (owes c) as O. change (owed_ c = 0) in Z0. rewrite Z0 in O.
    assert (same : forall j, (c + j <= s)%nat -> taken (part net) (c + j) = taken (part net) c).
    { induction j as [| j IH]; intros J; [rewrite Nat.add_0_r; reflexivity |]. rewrite Nat.add_succ_r. unfold taken in *. cbn [count]. rewrite IH by lia.
      destruct (Pipelined.takes (part net) (c + j)) eqn:F; [| reflexivity]. apply andb_prop in F. destruct F as [F1 F2]. apply Z.eqb_eq in F1, F2.
      destruct j as [| j]; [| rewrite (waits (c + S j)%nat ltac:(lia) F1) in F2; discriminate]. rewrite Nat.add_0_r in *.
      destruct T as [[T | T] | T]; [change (asks net c = 0) in T; change (asks net c = 1) in V; lia | change (answers net c = 0) in T; change (answers net c = 1) in F1; lia | change (takes net c = 0) in T; change (takes net c = 1) in F2; lia]. }
    destruct (M c V Y L A0 B0 (s - c)%nat) as [G _]. specialize (same (s - c)%nat ltac:(lia)). replace (c + (s - c))%nat with s in * by lia.
    destruct (G now ltac:(lia)) as (G1 & G2 & G3). split; [lia |]. split; [exact G2 | exact G3].
  Qed.
End InOrder.
