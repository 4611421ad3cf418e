(* SPDX-License-Identifier: Apache-2.0 *)
(* Names of nets of the instances that a loop of the RTL makes. *)
From Coq Require Import ZArith String DecimalString.
Open Scope string_scope.

Definition numbered (before : string) (i : Z) (after : string) : string := before ++ NilZero.string_of_int (Z.to_int i) ++ after.
