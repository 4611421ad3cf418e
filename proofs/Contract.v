(* SPDX-License-Identifier: Apache-2.0 *)
(* What a multiplier promises of its nets. montforge prints an instance of it from the contract of a design. *)
From Coq Require Import ZArith Lia String List.
From Coq.Init Require Import Byte.
Require Export Light.
Open Scope string_scope. Open Scope Z_scope.

(* The name of a net. Coq's own strings have ten terms a character, which Coq goes through again and again. *)
Inductive name := End_of_name | Character (first : byte) (others : name).
Definition name_of (characters : list byte) : name := List.fold_right Character End_of_name characters.
Fixpoint characters_of (x : name) : list byte := match x with End_of_name => nil | Character first others => cons first (characters_of others) end.
String Notation name name_of characters_of : string_scope.
Fixpoint append (x y : name) : name := match x with End_of_name => y | Character first others => Character first (append others y) end.

(* net name t: the unsigned value of a net in clock cycle t, reset inactive. *)
Definition trace := name -> nat -> Z.

(* Two's complement of w bits. *)
Definition two (w x : Z) : Z := if x <? 2 ^ (w - 1) then x else x - 2 ^ w.

Section Multiplier.
  (* operands, modulus and result as integers by the cycle; the fewest and the most cycles from a request to its response; R *)
  Variables (net : trace) (a b n p : nat -> Z) (least most : nat) (R : Z).
  (* what the contract asks of the cycle of a request (its modulus, constants), of an operand under n, of the result under n *)
  Variables (legal : nat -> Prop) (operand result : Z -> Z -> Prop).

  Definition multiplier : Prop := forall c : nat,
    net "req_valid_i" c = 1 -> net "req_ready_o" c = 1 -> legal c -> operand (n c) (a c) -> operand (n c) (b c) ->
    exists cycles : nat, (least <= cycles <= most)%nat /\
    net "rsp_valid_o" (c + cycles)%nat = 1 /\
    result (n c) (p (c + cycles)%nat) /\
    (p (c + cycles)%nat * R) mod n c = (a c * b c) mod n c /\
    (* not before *)
    (forall t, (c < t < c + cycles)%nat -> net "rsp_valid_o" t = 0) /\
    (* it stays until it is taken *)
    (forall j, (forall i, (i < j)%nat -> net "rsp_ready_i" (c + cycles + i)%nat = 0) ->
      net "rsp_valid_o" (c + cycles + j)%nat = 1 /\ p (c + cycles + j)%nat = p (c + cycles)%nat).
End Multiplier.

(* A contract that asks for more, or says less, holds as well. *)
Lemma weaker : forall net a b n p least most R (legal legal' : nat -> Prop) (operand result operand' result' : Z -> Z -> Prop),
  multiplier net a b n p least most R legal operand result ->
  (forall c, legal' c -> legal c) -> (forall m x, operand' m x -> operand m x) -> (forall m x, result m x -> result' m x) ->
  multiplier net a b n p least most R legal' operand' result'.
Proof.
  intros * M L O P c V Y Lc Oa Ob.
  destruct (M c V Y (L _ Lc) (O _ _ Oa) (O _ _ Ob)) as (d & D & A1 & A2 & A3).
  exists d. auto.
Qed.
