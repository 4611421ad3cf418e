(* SPDX-License-Identifier: Apache-2.0 *)
(* The table of mf_modexp with windows, and the scan that reads all of it beside the squarings of a digit, so that acc has the power of
   the digit at the end. *)
From Coq Require Import ZArith Lia String.
Require Import Contract Bits Powers modexp_lemmas modexp modexp_reader.
Open Scope string_scope. Open Scope Z_scope.
Set Default Proof Using "All".

Section Nets.
  Variable net : trace.
  Definition address := net "u_chains.gen_chain[0].u_chain.u_control.u_entries.read_addr_q".
  Definition starts := net "u_chains.gen_chain[0].u_chain.u_control.u_entries.gen_scan.starts_q".
  Definition scans := net "u_chains.gen_chain[0].u_chain.u_control.u_entries.gen_scan.scan_q".
End Nets.

Section Scan.
  Variables (W E B A DW CB SG PS : Z) (net : trace).
  Local Notation acc := (value_acc W E B A DW CB SG PS net). Local Notation read := (value_read W E B A DW CB SG PS net).
  Hypotheses (digit_bits : 1 <= DW) (H_table_reads : table_reads W E B A DW CB SG PS net) (H_scan_starts : scan_starts W E B A DW CB SG PS net)
    (H_scan_goes : scan_goes W E B A DW CB SG PS net) (H_scan_ends : scan_ends W E B A DW CB SG PS net) (H_scan_over : scan_over W E B A DW CB SG PS net)
    (digit_range : forall s, 0 <= digit net s < 2 ^ DW).
  (* what stands for which power *)
  Variable st : Z -> Z -> Prop.

  Definition LAST := 2 ^ DW - 1.
  Definition T (j : Z) s := value_power W E B A DW CB SG PS j net s.
  Definition scan_at s := (address net s + LAST) mod 2 ^ DW.
  Definition table_of z s := forall j, 0 <= j < z -> st j (T j s).
  Definition scanned s :=
    (scans net s = 1 /\ st (scan_at s) (read s) /\ (digit net s < scan_at s -> st (digit net s) (acc s))) \/
    (scans net s = 0 /\ st (digit net s) (acc s)).

  Lemma depth : 2 <= 2 ^ DW.
  Proof. change 2 with (2 ^ 1) at 1. apply Z.pow_le_mono_r; lia. Qed.

  Lemma reads_at : forall s j, 0 <= j < 2 ^ DW -> address net s = j -> read (S s) = T j s.
  Proof. intros s j R Q. exact (H_table_reads s j R Q). Qed.

  Lemma scan_begun : forall s, begun W E B A DW CB SG PS net s -> starts net s = 1 -> abort net s = 0 -> asks net s = 1 -> accepts net s = 1 ->
    table_of (2 ^ DW) s -> scanned (S s).
  Proof.
    intros s S0 Z1 Ab A1 A2 Tb. pose proof depth as Dp. destruct (H_scan_starts s S0 Z1 Ab A1 A2) as (_ & Z2 & Ad & At). change (scans net (S s) = 1) in Z2.
    change (address net s = 0) in Ad. change (scan_at (S s) = 0) in At. left. split; [exact Z2 |]. rewrite At.
    split; [rewrite (reads_at s 0 ltac:(lia) Ad); apply Tb; lia |]. pose proof (digit_range (S s)). lia.
  Qed.

  Lemma scanned_on : forall s,
    ((begun W E B A DW CB SG PS net s /\ starts net s = 0) \/ (decided W E B A DW CB SG PS net s /\ answers net s = 0)) \/ loaded W E B A DW CB SG PS net s ->
    step net s = 2 \/ (step net s = 3 /\ (begun W E B A DW CB SG PS net s \/ answers net s = 0)) -> abort net s = 0 ->
    digit net (S s) = digit net s -> table_of (2 ^ DW) s -> scanned s -> scanned (S s).
  Proof.
    intros s S0 G Ab Dg Tb P. pose proof depth as Dp. pose proof (digit_range s) as Dr. unfold scanned. rewrite Dg. destruct P as [(Z1 & R & C) | (Z0 & C)].
    - pose proof (Z.mod_pos_bound (address net s + LAST) (2 ^ DW) ltac:(lia)) as Pr. change (0 <= scan_at s < 2 ^ DW) in Pr.
      destruct (Z_lt_ge_dec (scan_at s) LAST) as [L | L].
      + destruct (H_scan_goes s S0 G Ab Z1 L) as (Z2 & A1 & A2 & C2). change (scans net (S s) = 1) in Z2. change (address net s = scan_at s + 1) in A1.
        change (scan_at (S s) = scan_at s + 1) in A2. change (acc (S s) = if scan_at s =? digit net s then read s else acc s) in C2.
        left. split; [exact Z2 |]. rewrite A2. unfold LAST in L. split.
        * rewrite (reads_at s (scan_at s + 1) ltac:(lia) A1). apply Tb. lia.
        * intros D1. rewrite C2. destruct (Z.eqb_spec (scan_at s) (digit net s)) as [<- | X]; [exact R | apply C; lia].
      + unfold LAST in L. assert (Q : scan_at s = LAST) by (unfold LAST; lia). destruct (H_scan_ends s S0 G Ab Z1 Q) as (Z2 & C2).
        change (scans net (S s) = 0) in Z2. change (acc (S s) = if scan_at s =? digit net s then read s else acc s) in C2.
        right. split; [exact Z2 |]. rewrite C2. destruct (Z.eqb_spec (scan_at s) (digit net s)) as [<- | X]; [exact R | apply C; lia].
    - destruct (H_scan_over s S0 G Ab Z0) as (Z2 & C2). change (scans net (S s) = 0) in Z2. change (acc (S s) = acc s) in C2.
      right. rewrite C2. auto.
  Qed.
End Scan.
