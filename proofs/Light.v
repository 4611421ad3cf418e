(* SPDX-License-Identifier: Apache-2.0 *)
(* `lia` that first tries without the signs of powers: beside a dozen of them in the context, Coq's own takes a second for what takes this one a millisecond. *)
From Coq Require Import Lia Zify.

Ltac light_lia := intros; Zify.zify_pre_hook; zify_elim_let; zify_op; zify_iter_specs; Zify.zify_to_euclidean_division_equations; Zify.zify_post_hook; xlia Lia.zchecker.
Ltac lia := first [light_lia | Lia.lia].
