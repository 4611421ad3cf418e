(* SPDX-License-Identifier: Apache-2.0 *)
(* The signed digits of an operand of mf_booth_csa_core. Its register has the rest of it, one or two vectors that are shifted by a digit in each
   cycle; carry_q has the carry of the digits that went, transfer_q the transfer of their recoding. *)
From Coq Require Import ZArith Lia String.
Require Import DigitRecurrence Instances Contract Bits LateBooth.
Open Scope string_scope. Open Scope Z_scope.
Set Default Proof Using "All".

(* A vector of m bits has the same lowest digit with and without its sign. *)
Lemma lowest : forall w m x, 0 <= w <= m -> two m x mod 2 ^ w = x mod 2 ^ w.
Proof.
  intros w m x L. pose proof (divide_pow w m _ L (two_divides m x)) as [j E]. replace (two m x) with (x + j * 2 ^ w) by lia. apply Z_mod_plus_full.
Qed.

Section Recoded.
  (* port, the operand at the ports; rest, what the register has. *)
  Variables (digit : Z) (net : trace) (port rest : nat -> Z).
  Local Notation phase := (net "u_core.phase_q"). Local Notation carry := (net "u_core.carry_q"). Local Notation transfer := (net "u_core.transfer_q").
  Local Notation found := (net "u_core.digit").
  Let r := 2 ^ digit.
  Let h := 2 ^ (digit - 1).
  Let value (t : nat) : Z := found t + transfer t - r * transfer (S t).
  Hypotheses (sizes : 2 <= digit)
    (H_first : forall t, phase t = 0 -> net "req_valid_i" t = 1 -> phase (S t) = 1 -> port t + carry t = r * (rest (S t) + carry (S t)) + found t)
    (H_next : forall t, phase t = 1 -> phase (S t) = 1 -> rest t + carry t = r * (rest (S t) + carry (S t)) + found t)
    (H_reset : carry O = 0 /\ transfer O = 0) (H_none : forall t, phase (S t) = 0 -> carry (S t) = 0 /\ transfer (S t) = 0)
    (H_range : forall t, phase t = 0 \/ phase t = 1 -> phase (S t) = 1 -> - h <= value t <= h).

  (* A request is accepted in cycle c, and M cycles of the loop follow. *)
  Theorem recoded : forall c n M, phase c = 0 -> net "req_valid_i" c = 1 -> (forall t, (t < M)%nat -> phase (S c + t)%nat = 1) -> - n < port c < n -> 4 * n <= pw r M ->
    port c = digits r (fun t => value (c + t)) M.
  Proof.
    intros c n M idle request in_loop range big. assert (R : r = 2 * h) by (unfold r, h; apply half; lia).
    assert (Hh : 1 < h) by (unfold h; apply Z.pow_gt_1; lia).
    assert (none : carry c = 0 /\ transfer c = 0) by (destruct c; [exact H_reset | exact (H_none _ idle)]). destruct none as [N1 N2].
    assert (entered : forall t, (t < M)%nat -> (phase (c + t)%nat = 0 \/ phase (c + t)%nat = 1) /\ phase (S (c + t)) = 1).
    { intros t L. split; [| exact (in_loop t L)]. destruct t; [rewrite Nat.add_0_r; auto |]. right. rewrite Nat.add_succ_r. apply (in_loop t). lia. }
    rewrite R in *. apply (all_digits h n (port c) M (fun t => match t with O => port c | S i => rest (c + t)%nat + carry (c + t)%nat + transfer (c + t)%nat end)); try assumption; [reflexivity | |].
    - intros t L. destruct (entered t L) as [P Q]. unfold value. rewrite R. destruct t as [| t].
      + rewrite Nat.add_0_r in *. replace (c + 1)%nat with (S c) by lia. pose proof (H_first c idle request Q). lia.
      + pose proof (in_loop t ltac:(lia)) as P'. replace (S c + t)%nat with (c + S t)%nat in P' by lia. replace (c + S (S t))%nat with (S (c + S t)) by lia.
        pose proof (H_next _ P' Q). lia.
    - intros t L. apply H_range; apply (entered t L).
  Qed.
End Recoded.
