(* SPDX-License-Identifier: Apache-2.0 *)
(* One range of many, as a place in a list, so that no proof repeats all of them. *)
From Coq Require Import ZArith.
Open Scope Z_scope.

Fixpoint all (l : list Prop) : Prop := match l with nil => True | cons p l' => match l' with nil => p | _ => p /\ all l' end end.
Fixpoint place_of (i : nat) (l : list Prop) : Prop := match l, i with nil, _ => True | cons p _, O => p | cons _ l', S k => place_of k l' end.

Lemma one_of : forall i l, all l -> place_of i l.
Proof.
  induction i; intros [| p l] H; cbn [place_of]; try exact I; destruct l; cbn [all] in H; try (exact H || exact (proj1 H)); [destruct i; exact I | apply IHi, (proj2 H)].
Qed.

Ltac parts T := lazymatch T with 0 <= _ < _ => constr:(cons T nil) | ?A /\ ?B => let l := parts B in constr:(cons A l) end.
Ltac index l name i := lazymatch l with cons (0 <= _ name _ < _) _ => i | cons _ ?l' => index l' name (S i) end.
