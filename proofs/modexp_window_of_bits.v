(* SPDX-License-Identifier: Apache-2.0 *)
(* mf_modexp with windows of one bit: a squaring for each bit, beside it a scan of the table, which has 1 and the base, and a product. *)
From Coq Require Import ZArith Znumtheory Lia String.
Require Import Contract Bits Powers modexp_lemmas modexp modexp_reader modexp_scan modexp_bits.
Open Scope string_scope. Open Scope Z_scope.

Section WindowOfBits.
  Variables (W E B A DW CB SG PS : Z) (net : trace).
  Local Notation t := (value_t W E B A DW CB SG PS). Local Notation acc := (value_acc W E B A DW CB SG PS). Local Notation read := (value_read W E B A DW CB SG PS).
  Local Notation p := (value_product W E B A DW CB SG PS). Local Notation second := (second W E B A DW CB SG PS).
  Local Notation begun := (begun W E B A DW CB SG PS net). Local Notation T := (T W E B A DW CB SG PS net).
  Local Notation table_of := (table_of W E B A DW CB SG PS net). Local Notation scanned := (scanned W E B A DW CB SG PS net).
  Hypotheses (one_bit : DW = 1) (H_digit_bit : digit_bit W E B A DW CB SG PS net) (H_bits : bits W E B A DW CB SG PS net)
    (H_begun : begun_waits W E B A DW CB SG PS net) (H_turn_stays : turn_stays W E B A DW CB SG PS net) (H_turns : turns W E B A DW CB SG PS net)
    (H_table_loads : table_loads W E B A DW CB SG PS net) (H_table_stays : table_stays W E B A DW CB SG PS net)
    (H_table_enters : table_enters W E B A DW CB SG PS net) (H_table_reads : table_reads W E B A DW CB SG PS net)
    (H_reads_one : reads_one W E B A DW CB SG PS net) (H_product_waits : product_waits W E B A DW CB SG PS net)
    (H_scan_waits : scan_waits W E B A DW CB SG PS net) (H_scan_starts : scan_starts W E B A DW CB SG PS net)
    (H_scan_goes : scan_goes W E B A DW CB SG PS net) (H_scan_ends : scan_ends W E B A DW CB SG PS net) (H_scan_over : scan_over W E B A DW CB SG PS net)
    (H_scan_bits : scan_bits W E B A DW CB SG PS net) (H_scan_turns : scan_turns W E B A DW CB SG PS net)
    (H_scanned_all : scanned_all W E B A DW CB SG PS net) (H_not_waiting : not_waiting W E B A DW CB SG PS net) (H_is_waiting : is_waiting W E B A DW CB SG PS net)
    (H_enters : enters W E B A DW CB SG PS net) (H_enters_left : enters_left W E B A DW CB SG PS net) (H_squared : squared W E B A DW CB SG PS net)
    (H_product : product_taken W E B A DW CB SG PS net) (H_leaves : leaves W E B A DW CB SG PS net).

  (* 1 in the table, and read as x has entered. *)
  Definition first (st : Z -> Z -> Prop) (f : state) s := st 0 (T 0 s) /\ (f = Entered -> st 0 (read net s)).
  (* t stands for the bits of k before the squaring, for twice as many after it; acc for the bit, after the scan that begins with the squaring. *)
  Definition within (st : Z -> Z -> Prop) s (d k : Z) := table_of st 2 s /\ ((begun s /\ starts net s = 1) \/ scanned st s) /\
    ((step net s = 2 /\ st k (t net s)) \/ (step net s = 3 /\ st (2 * k) (t net s))).

  Lemma width_1 : 1 <= DW. Proof. lia. Qed.
  Lemma depth_2 : 2 ^ DW = 2. Proof. rewrite one_bit. reflexivity. Qed.
  Lemma digit_range : forall s, 0 <= digit net s < 2 ^ DW.
  Proof. intros s. rewrite depth_2. destruct (bit_range _ _ _ _ _ _ _ _ _ H_digit_bit H_bits s) as (D & _). lia. Qed.

  Let scanned_on := modexp_scan.scanned_on W E B A DW CB SG PS net width_1 H_table_reads H_scan_starts H_scan_goes H_scan_ends H_scan_over digit_range.
  Let scan_begun := modexp_scan.scan_begun W E B A DW CB SG PS net width_1 H_table_reads H_scan_starts H_scan_goes H_scan_ends H_scan_over digit_range.

  Lemma apart : forall s, begun s -> decided W E B A DW CB SG PS net s \/ loaded W E B A DW CB SG PS net s -> False.
  Proof. intros s S0 S1. pose proof (H_not_waiting s S0) as Q. pose proof (H_is_waiting s S1) as R. cbv beta in Q, R. rewrite Q in R. discriminate. Qed.

  Lemma stays_in_table : forall st s, ((((entering W E B A DW CB SG PS net s \/ checking W E B A DW CB SG PS net s) \/ (entered W E B A DW CB SG PS net s /\ answers net s = 0)) \/
    waiting W E B A DW CB SG PS net s) \/ (loaded W E B A DW CB SG PS net s /\ 1 < step net s)) -> abort net s = 0 -> forall z, z <= 2 -> table_of st z s -> table_of st z (S s).
  Proof.
    intros st s S0 Ab z Z1 H j J. replace (T j (S s)) with (T j s); [exact (H j J) |]. symmetry.
    apply (H_table_stays s j ltac:(rewrite depth_2; lia)); [exact S0 | exact Ab].
  Qed.

  Lemma loads : loads_one W E B A DW CB SG PS net first.
  Proof.
    intros st s Q V Y H. split; [| discriminate]. replace (T 0 (S s)) with (net "r1_i" s); [exact H |]. symmetry.
    exact (H_table_loads s 0 ltac:(cbn; lia) Q V Y).
  Qed.

  Lemma stays : keeps_one W E B A DW CB SG PS net first.
  Proof.
    intros st f g s [H R] S0 _ Ab F G. split.
    - replace (T 0 (S s)) with (T 0 s); [exact H |]. symmetry. apply (H_table_stays s 0 ltac:(rewrite depth_2; lia)); [| exact Ab]. left. left.
      destruct F as [[-> _] | [-> | [-> V]]]; cbn [at_state] in S0; auto.
    - intros ->. replace (read net (S s)) with (T 0 s); [exact H |]. symmetry. apply (H_table_reads s 0 ltac:(rewrite depth_2; lia)). apply H_reads_one.
      destruct F as [[_ X] | [-> | [-> _]]]; [contradiction | left; exact S0 | right; exact S0].
  Qed.

  Lemma second_is : forall s, (begun s \/ decided W E B A DW CB SG PS net s) \/ loaded W E B A DW CB SG PS net s ->
    (step net s = 2 -> second net s = t net s) /\ (step net s = 3 -> second net s = acc net s).
  Proof.
    intros s S0. destruct (H_turns s S0) as (Sx & _ & Z0). unfold modexp.second. change (read_is_second net s = 0) in Z0.
    change (acc_is_second net s = if step net s =? 5 then 1 else if step net s =? 3 then 1 else 0) in Sx.
    rewrite Z0, Sx. split; intros ->; reflexivity.
  Qed.

  Lemma waits : waits_on W E B A DW CB SG PS net within.
  Proof.
    intros st s k S0 Ab _ Dg (Tb & Sc & Hs). destruct (H_turn_stays s S0 Ab) as (T1 & G & _).
    change (t net (S s) = t net s) in T1. change (step net (S s) = step net s) in G.
    split; [exact (stays_in_table st s (or_introl (or_intror S0)) Ab 2 ltac:(lia) Tb) |]. split; [| rewrite G, T1; exact Hs].
    assert (Tb2 : table_of st (2 ^ DW) s) by (rewrite depth_2; exact Tb). assert (Gs : step net s = 2 \/ step net s = 3) by tauto.
    destruct S0 as [S0 | [S0 V]].
    - destruct (H_scan_bits s) as [[Z0 | Z1] _].
      + change (starts net s = 0) in Z0. right. destruct Sc as [[_ X] | Sc]; [lia |].
        apply (scanned_on st s); [left; left; auto | destruct Gs; auto | exact Ab | exact Dg | exact Tb2 | exact Sc].
      + change (starts net s = 1) in Z1.
        assert (Q : (asks net s = 1 /\ accepts net s = 1) \/ (asks net s = 0 \/ accepts net s = 0)) by (destruct (H_bits s) as (_ & _ & _ & _ & _ & _ & [A1 | A1] & [A2 | A2] & _); auto).
        destruct Q as [[A1 A2] | Q].
        * right. apply (scan_begun st s); assumption.
        * left. split; [exact (proj1 (H_begun s S0 Ab Q)) | exact (H_scan_waits s S0 Z1 Ab Q)].
    - right. destruct Sc as [[X _] | Sc]; [destruct (apart s X S0) |].
      apply (scanned_on st s); [destruct S0 as [S0 | S0]; [left; right; auto | right; exact S0] | destruct Gs; auto | exact Ab | exact Dg | exact Tb2 | exact Sc].
  Qed.

  Lemma squares : forall s, begun s -> step net s = 2 -> starts net s = 1.
  Proof.
    intros s S0 G. pose proof (H_scan_turns s (or_introl (or_introl S0))) as Q. change (starts net s = if step net s =? 2 then 1 else 0) in Q.
    rewrite Q, G. reflexivity.
  Qed.

  Variables (r : Z) (ok : Z -> Z -> Prop).

  Lemma operands : legal_operands W E B A DW CB SG PS net r ok within.
  Proof.
    intros n x s d k (_ & Sc & Hs) S0 A1 A2 _. destruct (second_is s (or_introl (or_introl S0))) as [S2 S3]. destruct Hs as [[G [La _]] | [G [La _]]].
    - rewrite (S2 G). auto.
    - rewrite (S3 G). split; [exact La |]. destruct (H_product_waits s S0 G A1 A2) as [Z0 Z1]. change (scans net s = 0) in Z0. change (starts net s = 0) in Z1.
      destruct Sc as [[_ X] | [[X _] | [_ [Lb _]]]]; [lia | lia | exact Lb].
  Qed.

  Lemma enters_on : begins W E B A DW CB SG PS net r ok first within.
  Proof.
    intros s n x S0 Ab V Wr X1 [X0 R0]. specialize (R0 eq_refl). destruct (bit_range _ _ _ _ _ _ _ _ _ H_digit_bit H_bits s) as (D & _ & Bv).
    assert (X : stands n r ok x (2 * 0 + digit net s) (if digit net s =? 1 then p net s else read net s)).
    { destruct (Z.eqb_spec (digit net s) 1) as [-> | Y]; [exact X1 |]. replace (2 * 0 + digit net s) with 0 by lia. exact R0. }
    destruct Bv as [Bv | Bv].
    - destruct (H_enters_left s S0 Wr Bv Ab V) as (S1 & N1 & G & T1 & Tk & C1). change (step net (S s) = 5) in G. change (acc net (S s) = 1) in C1.
      change (t net (S s) = if digit net s =? 1 then p net s else read net s) in T1.
      split; [exact S1 |]. split; [exact N1 |]. right. right. rewrite T1. auto.
    - destruct (H_enters s S0 Wr Bv Ab V) as (S1 & N1 & G & T1 & Tk). change (step net (S s) = 2) in G.
      change (t net (S s) = if digit net s =? 1 then p net s else read net s) in T1.
      split; [exact S1 |]. split; [exact N1 |]. right. left. split; [exact Tk |]. split; [exact Bv |]. rewrite G. split; [discriminate |]. intros _.
      split; [| split; [left; split; [exact S1 | exact (squares (S s) S1 G)] | left; rewrite T1; auto]].
      intros j J. assert (Q : T j (S s) = if j =? 1 then p net s else T j s) by (apply (H_table_enters s j ltac:(rewrite depth_2; lia)); assumption).
      rewrite Q. destruct (Z.eqb_spec j 1) as [-> | Y]; [exact X1 |]. replace j with 0 by lia. exact X0.
  Qed.

  Lemma turns_on : goes_on W E B A DW CB SG PS net r ok within.
  Proof.
    intros s n x k Cp Ln K0 S0 N5 Ab V (Tb & Sc & Hs) P. destruct (bit_range _ _ _ _ _ _ _ _ _ H_digit_bit H_bits s) as (D & _ & Bv).
    destruct Sc as [[Y _] | Sc]; [destruct (apart s Y (or_intror S0)) |].
    destruct (second_is s (or_intror S0)) as [S2 S3].
    assert (Tb1 : 1 < step net s -> table_of (stands n r ok x) 2 (S s)) by (intros Z1; apply (stays_in_table _ s); [right; auto | exact Ab | lia | exact Tb]).
    destruct Hs as [[G Ha] | [G Ha]].
    - rewrite (S2 G) in P. destruct (H_squared s S0 G Ab V) as (S1 & N1 & G1 & T1 & Tk). change (step net (S s) = 3) in G1. change (t net (S s) = p net s) in T1.
      split; [exact S1 |]. split; [exact N1 |]. left. split; [exact Tk |]. rewrite G1. split; [discriminate |]. intros Dg. split; [apply Tb1; lia |]. split.
      + right. apply (scanned_on _ s); [right; exact S0 | left; exact G | exact Ab | exact Dg | rewrite depth_2; exact Tb | exact Sc].
      + right. split; [exact G1 |]. rewrite T1. replace (2 * k) with (k + k) by ring. apply (multiplied n r ok x Cp Ln _ _ _ _ _ P Ha Ha); lia.
    - rewrite (S3 G) in P. pose proof (H_scanned_all s (or_intror S0) G) as Z0. change (scans net s = 0) in Z0.
      assert (Hd : stands n r ok x (digit net s) (acc net s)) by (destruct Sc as [[Z1 _] | [_ H]]; [lia | exact H]).
      pose proof (multiplied n r ok x Cp Ln _ _ _ _ _ P Ha Hd ltac:(lia) ltac:(lia)) as X. destruct Bv as [Bv | Bv].
      + destruct (H_leaves s S0 G Bv Ab V) as (S1 & N1 & G1 & T1 & Tk & C1). change (step net (S s) = 5) in G1. change (t net (S s) = p net s) in T1.
        change (acc net (S s) = 1) in C1. split; [exact S1 |]. split; [exact N1 |]. right. right. rewrite T1. auto.
      + destruct (H_product s S0 G Bv Ab V) as (S1 & N1 & G1 & T1 & Tk). change (step net (S s) = 2) in G1. change (t net (S s) = p net s) in T1.
        split; [exact S1 |]. split; [exact N1 |]. right. left. split; [exact Tk |]. split; [exact Bv |]. rewrite G1. split; [discriminate |]. intros _.
        split; [apply Tb1; lia |]. split; [left; split; [exact S1 | exact (squares (S s) S1 G1)] | left; rewrite T1; auto].
  Qed.
End WindowOfBits.
