(* SPDX-License-Identifier: Apache-2.0 *)
(* Ranges of nets from the one statement on all of them, each by its place in the list. *)
From Coq Require Import ZArith.
Require Import Ranges.
Open Scope Z_scope.

Ltac literally A := lazymatch goal with |- ?G => constr_eq A G end.
Ltac by_conversion A := change A.
(* Closes a bound with one of the ranges l, those of L from place i on, which p proves. *)
Ltac one_in l i L p same := lazymatch l with cons (?A /\ ?B) ?l' =>
  first [same A; exact (proj1 (one_of i L p)) | same B; exact (proj2 (one_of i L p)) | one_in l' (S i) L p same] end.

(* Proves ranges that are some of H, in cycle t. *)
Ltac in_range H t := repeat split;
  let p := constr:(H t) in let T := type of p in let L := parts T in first [assumption | one_in L O L p literally | one_in L O L p by_conversion].
