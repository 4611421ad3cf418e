(* SPDX-License-Identifier: Apache-2.0 *)
(* `lia` that first leaves definitions of the context alone: beside a section's own ones Light's takes twice as long. *)
From Coq Require Import Lia Zify.
Require Import Light.

Ltac lean_lia := intros; Zify.zify_pre_hook; zify_op; zify_iter_specs; Zify.zify_to_euclidean_division_equations; Zify.zify_post_hook; xlia Lia.zchecker.
Ltac lia := first [lean_lia | Light.lia].

(* Closes premises of a theorem by arithmetic; those for all cycles are left, on which lia would fail late. *)
Ltac by_arithmetic := try assumption; lazymatch goal with |- forall _, _ => idtac | _ => try lia end.
