(* SPDX-License-Identifier: Apache-2.0 *)
(* Names of nets of the instances that a loop of the RTL makes. *)
From Coq Require Import ZArith.
From Coq.Init Require Import Byte.
Require Import Contract.

Fixpoint decimal (digits : Decimal.uint) (after : name) : name := match digits with
  | Decimal.Nil => after
  | Decimal.D0 others => Character x30 (decimal others after) | Decimal.D1 others => Character x31 (decimal others after)
  | Decimal.D2 others => Character x32 (decimal others after) | Decimal.D3 others => Character x33 (decimal others after)
  | Decimal.D4 others => Character x34 (decimal others after) | Decimal.D5 others => Character x35 (decimal others after)
  | Decimal.D6 others => Character x36 (decimal others after) | Decimal.D7 others => Character x37 (decimal others after)
  | Decimal.D8 others => Character x38 (decimal others after) | Decimal.D9 others => Character x39 (decimal others after)
  end.
Definition numbered (before : name) (i : Z) (after : name) : name := append before (decimal (N.to_uint (Z.to_N i)) after).
