(* SPDX-License-Identifier: Apache-2.0 *)
(* Adder rows in the context, one after another: what is known of the others is hidden from `lia`, or cleared. *)
From Coq Require Import ZArith Lia.
Require Import Contract Others Bits BoothRows Products.
Open Scope Z_scope.

(* To rewrite with: where Coq has to find it out, in a long statement, it takes seconds. *)
Lemma booth_term_is : forall y, booth_term y = y / 2 + y mod 2 - 4 * (y / 4).
Proof. reflexivity. Qed.

Definition hidden (P : Prop) : Prop := P.

(* A total of a number of terms, in S, becomes a sum by rewriting: Coq takes a time exponential in the number to see that the two are the same. *)
Lemma total_next : forall f k, total f (S k) = total f k + f k.
Proof. reflexivity. Qed.

Lemma total_nothing : forall f, total f 0 = 0.
Proof. reflexivity. Qed.

Ltac total_as_sum S := rewrite !total_next, total_nothing in S; cbv beta in S;
  repeat match type of S with context [Z.of_nat ?k] => let z := eval vm_compute in (Z.of_nat k) in
    let E := fresh in assert (E : Z.of_nat k = z) by reflexivity; rewrite E in S; clear E end.

(* All vectors with parts in the goal become variables: their names are long. *)
Ltac nets_as_variables := repeat match goal with |- context [part (?f ?x ?t) _ _] => generalize (f x t); intros ? end.

(* Closes 0 <= x from the range of x. *)
Ltac nonnegative := first [assumption | match goal with H : 0 <= ?x < _ |- 0 <= ?x => exact (proj1 H) end |
  lazymatch goal with |- 0 <= part _ _ _ => apply part_range; (assumption || lia) end | lia].

(* Turns all rows of m bits in the context into what 2^m divides, those of 4:2 compressors first. *)
Ltac rows_divide m := let M := fresh in assert (M : 0 <= m) by (assumption || lia); repeat match goal with
  | A : ?s = Z.lxor (Z.lxor (Z.lxor (Z.lxor ?x ?y) ?z) ?v) ((2 * Z.lor (Z.land ?x ?y) (Z.land (Z.lxor ?x ?y) ?z)) mod 2 ^ m + ?below), B : ?c = _ mod 2 ^ m + ?bit |- _ =>
    let D := fresh in assert (D : (2 ^ m | s + c - (x + y + z + v + below + bit))) by (eapply compressor_row; [.. | exact A | exact B]; nonnegative); clear A B
  | A : ?s = Z.lxor (Z.lxor ?x ?y) ?z, B : ?c = (2 * Z.lor (Z.land ?x ?y) (Z.land (Z.lxor ?x ?y) ?z)) mod 2 ^ m + ?bit |- _ =>
    let D := fresh in assert (D : (2 ^ m | s + c - (x + y + z + bit))) by (apply row; [nonnegative | nonnegative | nonnegative | nonnegative | exact A | exact B]); clear A B end.

(* S says what all inputs add up to, which is below 2^m: turns all rows of m bits in the context, from the inputs on, into one sum, S, of the outputs. *)
Ltac rows_add m S :=
  let V := lazymatch type of S with _ = ?V => V end in let fits := fresh "fits" in assert (fits : V < 2 ^ m) by lia;
  repeat match goal with H : 0 <= ?v < _ |- _ => lazymatch type of S with context [v] => let N := fresh in pose proof (proj1 H) as N; clear H | _ => clear H end end;
  repeat match reverse goal with
    | A : ?s = Z.lxor ?x ?y |- _ => change (hidden (s = Z.lxor x y)) in A
    | A : ?c = ?x mod 2 ^ m + 0 |- _ => change (hidden (c = x mod 2 ^ m + 0)) in A end;
  let next s c inputs D := let N := fresh in let N' := fresh in let S' := fresh in destruct D as (D & N & N');
    lazymatch type of S with ?l = _ => assert (S' : l + s + c - inputs = V) by (clear - S D; lia) end; clear S D; rename S' into S in
  repeat match reverse goal with
    | A : hidden (?s = Z.lxor (Z.lxor (Z.lxor (Z.lxor ?x ?y) ?z) ?v) ((2 * Z.lor (Z.land ?x ?y) (Z.land (Z.lxor ?x ?y) ?z)) mod 2 ^ m + 0)),
      B : hidden (?c = (2 * Z.lor (Z.land (Z.lxor (Z.lxor ?x ?y) ?z) ?v) _) mod 2 ^ m + 0) |- _ =>
        let D := fresh in assert (D : s + c = x + y + z + v /\ 0 <= s /\ 0 <= c)
          by (eapply (exact_compressor m); [nonnegative | nonnegative | nonnegative | nonnegative | lia | exact A | exact B]);
        clear A B; next s c (x + y + z + v) D
    | A : hidden (?s = Z.lxor (Z.lxor ?x ?y) ?z), B : hidden (?c = (2 * Z.lor (Z.land ?x ?y) (Z.land (Z.lxor ?x ?y) ?z)) mod 2 ^ m + 0) |- _ =>
        let D := fresh in assert (D : s + c = x + y + z /\ 0 <= s /\ 0 <= c)
          by (eapply (exact_row m); [nonnegative | nonnegative | nonnegative | lia | exact A | exact B]);
        clear A B; next s c (x + y + z) D
  end.
