(* SPDX-License-Identifier: Apache-2.0 *)
(* Premises of a theorem that arithmetic closes; those for all cycles are left, on which lia would fail late. *)
Require Import Light.

Ltac by_arithmetic := try assumption; lazymatch goal with |- forall _, _ => idtac | _ => try lia end.
