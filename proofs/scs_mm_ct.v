(* SPDX-License-Identifier: Apache-2.0 *)
(* mf_scs_mm_ct from the nets of the RTL to the contract, for every width with up to 1024 blocks. The hypotheses are the lemmas that
   montforge prints into scs_mm_ct_lemmas.v, and proves on the RTL. *)
From Coq Require Import ZArith Lia String.
Require Import DigitRecurrence Instances Contract Control WordSerial HalfAdders Raised Blocks scs_mm_ct_lemmas.
Open Scope string_scope. Open Scope Z_scope.
Set Default Proof Using "All".

Lemma flag_low : forall x m i, (i < m)%nat -> flag (x mod 2 ^ Z.of_nat m) i = flag x i.
Proof.
  intros x m i L. unfold flag. rewrite <- !Z.bit0_mod, !Z.div_pow2_bits by lia. rewrite Z.mod_pow2_bits_low by lia. reflexivity.
Qed.

Lemma flag_up : forall x i, flag (2 * x) (S i) = flag x i.
Proof.
  intros x i. unfold flag. rewrite Nat2Z.inj_succ, Z.pow_succ_r, Z.div_mul_cancel_l by (try apply Z.pow_nonzero; lia). reflexivity.
Qed.

Lemma flag_up_0 : forall x, flag (2 * x) 0 = 0.
Proof. intros. unfold flag. change (2 ^ Z.of_nat 0) with 1. rewrite Z.div_1_r, Z.mul_comm. apply Z_mod_mult. Qed.

(* Blocks, cycles that resolve a block, cycles of the look-ahead. *)
Definition sizes (W B : Z) (m J L : nat) : Prop := let blocks := (W + 4 + B - 1) / B in
  Z.of_nat J = (B + 1) / 2 /\ B <= 2 * Z.of_nat J /\ (2 <= J)%nat /\ Z.of_nat L = Z.max ((Z.log2_up blocks + 4) / 5) 1 /\ (L = 1 \/ L = 2)%nat /\
  Z.of_nat m = blocks /\ (1 <= m)%nat /\ W + 4 <= Z.of_nat m * B /\ (Z.of_nat m - 1) * B < W + 4.

Section Chain.
  Variables (K : nat) (B : Z) (net : trace) (n : nat -> Z).
  Let W := Z.of_nat K.
  Hypotheses (wide : (1 <= K)%nat /\ 4 <= B /\ Z.of_nat K + 4 <= 1024 * B) (H_ranges : ranges W B net) (H_ready : ready W B net)
    (H_phases : phases W B net) (H_reset : phases_at_reset W B net) (H_accept : accept W B net) (H_b : added_b W B net)
    (H_n : added_n W B net) (H_count : count W B net) (H_next : next_phase W B net) (H_hold : hold W B net) (H_keep : keep W B net)
    (H_selects : selects W B net) (H_operand_b : operand_b W B net) (H_operand_n : operand_n W B net)
    (H_first : first_digits W B net) (H_digits : next_digits W B net) (H_multiple : multiple W B net) (H_row : row W B net)
    (H_move : move W B net) (H_bit : bit_1 W B net) (H_held : held W B net) (H_half : half_adders W B net) (H_rest : rest W B net) (H_ones : ones W B net)
    (H_left : left_blocks W B net) (H_found : carries_found W B net) (H_injected : injected W B net) (H_answer : answer W B net).

  Let N := W + 4.
  Notation blocks := ((W + 4 + B - 1) / B). Notation rows := ((B + 1) / 2). Notation ahead := (Z.max ((Z.log2_up blocks + 4) / 5) 1).
  (* Blocks, cycles that resolve a block, cycles of the look-ahead, cycles of a conversion. *)
  Variables (m J L V : nat).
  Hypotheses (counts : sizes W B m J L) (V_is : V = (2 * J + 1 + L)%nat).
  Notation P := (net "phase_q"). Notation left := (net "left_q").
  Notation s := (net "u_datapath.s"). Notation c := (net "u_datapath.c"). Notation sum := (net "u_datapath.sum"). Notation carry := (net "u_datapath.carry").

  Lemma conversion : 2 * rows + 1 + ahead = Z.of_nat V.
  Proof. destruct counts as (E1 & _ & _ & E2 & _). rewrite <- E1, <- E2, V_is. lia. Qed.

  (* One bit a phase, in all cycles. *)
  Lemma one : forall t, (((((P t = 1 \/ P t = 2) \/ P t = 4) \/ P t = 8) \/ P t = 16) \/ P t = 32) \/ P t = 64.
  Proof.
    assert (G : forall t, ((((((P t = 1 \/ P t = 2) \/ P t = 4) \/ P t = 8) \/ P t = 16) \/ P t = 32) \/ P t = 64) /\
      ((P t < 8 \/ 32 < P t) \/ net "last_q" t = (if left t =? 0 then 1 else 0))).
    { induction t; [pose proof (H_reset O eq_refl); lia |]. destruct IHt. apply H_phases; assumption. }
    intros t. apply G.
  Qed.

  Lemma last : forall t, 8 <= P t <= 32 -> net "last_q" t = (if left t =? 0 then 1 else 0).
  Proof.
    assert (G : forall t, (P t < 8 \/ 32 < P t) \/ net "last_q" t = (if left t =? 0 then 1 else 0)).
    { induction t; [pose proof (H_reset O eq_refl); lia |]. apply H_phases; [apply one | assumption]. }
    intros t R. destruct (G t); [lia | assumption].
  Qed.

  Lemma vectors : forall t, 0 <= s t < 2 ^ N /\ 0 <= c t < 2 ^ N /\ 0 <= sum t < 2 ^ N /\ 0 <= carry t < 2 ^ N.
  Proof. intros t. in_range H_ranges t. Qed.

  (* A phase that is counted goes on while cycles are left. *)
  Lemma counting : forall t p, P t = p -> p = 8 \/ p = 16 \/ p = 32 -> 0 < left t -> P (S t) = p /\ left (S t) = left t - 1.
  Proof.
    intros t p E O G. assert (X : net "last_q" t = 0) by (rewrite last by lia; destruct (Z.eqb_spec (left t) 0); lia).
    destruct (H_count t (one t) ltac:(lia) ltac:(lia) X G). lia.
  Qed.

  (* What leaves the row of full adders. *)
  Lemma full_row : forall t, net "u_datapath.full_adder_q" t = 1 -> s t < 2 ^ (N - 1) -> c t < 2 ^ (N - 1) ->
    sum t + carry t = s t + c t + net "u_datapath.x" t /\ carry t mod 2 = 0.
  Proof. intros t F A1 A2. exact (H_row t F A1 A2). Qed.

  (* ---------------------------------------------------------------- a conversion, in the V cycles after cycle e *)
  Section Conversion.
  Variables (e : nat).
  Let at_ j := (S e + j)%nat.
  Hypotheses (before : P e <> 8 /\ P e <> 32 /\ net "look_ahead_q" e = 0 /\ net "u_datapath.carry_in_q" (S e) = 0)
    (in_phase : forall j, (j < V)%nat -> P (at_ j) = 8 \/ P (at_ j) = 32)
    (half_row : forall j, (j < V)%nat -> net "u_datapath.full_adder_q" (at_ j) = 0)
    (holds : forall j, (j < V)%nat -> net "u_datapath.hold_q" (at_ (S j)) = 1 /\ net "u_datapath.shift_q" (at_ (S j)) = 0)
    (look : forall j, (j < V)%nat -> net "look_ahead_q" (at_ j) = if (j =? J + L - 1)%nat then 1 else 0)
    (fits : s (S e) + c (S e) < 2 ^ N).
  Notation blk := (block B N).
  Let w i := 2 ^ bits B N i.

  Lemma next : forall j, at_ (S j) = S (at_ j).
  Proof. intros. unfold at_. lia. Qed.

  Lemma no_carry_in : forall j, net "u_datapath.carry_in_q" (at_ j) = 0.
  Proof. intros j. unfold at_. rewrite Nat.add_succ_l. apply (H_selects (e + j)%nat (one _)). Qed.

  Lemma quiet : forall j, (j < V)%nat -> j <> (J + L)%nat -> net "carry_into_q" (at_ j) = 0.
  Proof.
    intros [| j] H X; [unfold at_; rewrite Nat.add_0_r; rewrite H_injected; destruct before as (_ & _ & -> & _); reflexivity |].
    rewrite next, H_injected, look by lia. destruct counts as (_ & _ & Q & _ & A & _). destruct (Nat.eqb_spec j (J + L - 1)); [lia | reflexivity].
  Qed.

  Lemma block_bits : forall i, (i < m)%nat -> 1 <= bits B N i <= B /\ 0 < w i.
  Proof.
    destruct counts as (_ & _ & _ & _ & _ & _ & C1 & C2 & C3). intros i I. pose proof (bits_range B N m ltac:(lia) C2 C3 C1 i I).
    split; [assumption | unfold w; apply Z.pow_pos_nonneg; lia].
  Qed.

  Lemma in_block : forall x i, (i < m)%nat -> 0 <= blk x i < w i.
  Proof. intros x i I. apply Z.mod_pos_bound. destruct (block_bits i I). unfold w in *. assumption. Qed.

  (* One cycle, in one block. *)
  Lemma block_step : forall j i, (j < V)%nat -> (i < m)%nat ->
    blk (s (at_ (S j))) i + blk (c (at_ (S j))) i + w i * flag (net "overflow" (at_ j)) i =
      blk (s (at_ j)) i + blk (c (at_ j)) i + flag (net "carry_into_q" (at_ j)) i /\
    exists r, blk (c (at_ (S j))) i =
      (2 * Z.land r ((2 * Z.land (blk (s (at_ j)) i) (blk (c (at_ j)) i)) mod w i)) mod w i + flag (net "carry_into_q" (at_ j)) i.
  Proof.
    intros j i H I. destruct (holds j H) as [H1 H2]. rewrite next in *. destruct counts as (_ & _ & _ & _ & _ & M & _).
    destruct (H_move (at_ j) ltac:(lia)) as [M1 M2]. rewrite H1, H2 in M1, M2. cbn [Z.eqb Pos.eqb] in M1, M2. rewrite Z.add_0_r in M1, M2. rewrite M1, M2.
    assert (I' : 0 <= Z.of_nat i < (W + 4 + B - 1) / B) by lia.
    destruct (H_half (at_ j) (Z.of_nat i) I' (half_row j H) (no_carry_in j)) as [A1 A2]. split; [exact A1 | eexists; exact A2].
  Qed.

  Lemma block_ones : forall j i, (j < V)%nat -> j <> (J + L)%nat -> (i < m)%nat ->
    blk (s (at_ j)) i + blk (c (at_ j)) i = w i - 1 -> blk (c (at_ (S j))) i = 0.
  Proof.
    intros j i H X I A. destruct (holds j H) as [H1 H2]. rewrite next in *. destruct counts as (_ & _ & _ & _ & _ & M & _).
    destruct (H_move (at_ j) ltac:(lia)) as [_ M2]. rewrite H1, H2 in M2. cbn [Z.eqb Pos.eqb] in M2. rewrite Z.add_0_r in M2. rewrite M2.
    assert (I' : 0 <= Z.of_nat i < (W + 4 + B - 1) / B) by lia.
    apply (H_ones (at_ j) (Z.of_nat i) I' (half_row j H) (no_carry_in j)); [rewrite (quiet j H X); apply Z.mod_0_l; lia | exact A].
  Qed.

  Lemma flag_0 : forall i, flag 0 i = 0.
  Proof. intros. unfold flag. rewrite Z.div_0_l by (apply Z.pow_nonzero; lia). reflexivity. Qed.

  (* The rows of half adders, J cycles from cycle k on in which nothing is injected. *)
  Section Rows.
  Variables (k i : nat).
  Hypotheses (quietly : forall j, (j < J)%nat -> (k + j < V)%nat /\ (k + j)%nat <> (J + L)%nat) (inside : (i < m)%nat).
  Let sb j := blk (s (at_ (k + j))) i. Let cb j := blk (c (at_ (k + j))) i. Let ob j := flag (net "overflow" (at_ (k + j))) i.

  Lemma bits_rows : 0 <= bits B N i <= 2 * Z.of_nat J.
  Proof. destruct (block_bits i inside). destruct counts as (E & D & _). lia. Qed.

  Lemma rows_range : forall j, 0 <= sb j < 2 ^ bits B N i /\ 0 <= cb j < 2 ^ bits B N i /\ 0 <= ob j <= 1.
  Proof.
    intros j. pose proof (in_block (s (at_ (k + j))) i inside) as R1. pose proof (in_block (c (at_ (k + j))) i inside) as R2.
    pose proof (flag_range (net "overflow" (at_ (k + j))) i). unfold w in *. auto.
  Qed.

  Lemma rows_sum : forall j, (j < J)%nat -> sb (S j) + cb (S j) + 2 ^ bits B N i * ob j = sb j + cb j.
  Proof.
    intros j H. destruct (quietly j H) as [Q1 Q2]. destruct (block_step (k + j) i Q1 inside) as [E _]. rewrite (quiet _ Q1 Q2), flag_0, Z.add_0_r in E.
    unfold sb, cb, ob. rewrite Nat.add_succ_r. exact E.
  Qed.

  Lemma rows_zeros : forall j q, (j < J)%nat -> 0 <= q -> (2 ^ q | cb j) -> (2 ^ (q + 2) | cb (S j)).
  Proof.
    intros j q H HQ D. destruct (quietly j H) as [Q1 Q2]. destruct (block_step (k + j) i Q1 inside) as [_ [r E]].
    rewrite (quiet _ Q1 Q2), flag_0, Z.add_0_r in E. unfold cb. rewrite Nat.add_succ_r, E. apply rows_divide; [lia | apply bits_rows | exact D].
  Qed.

  Lemma rows_settled : cb J = 0 /\ sb J = (sb O + cb O) mod 2 ^ bits B N i.
  Proof. exact (settled (bits B N i) J sb cb ob bits_rows rows_range rows_sum rows_zeros). Qed.
  End Rows.

  Let gone_ i j := flag (net "carry_out_q" (at_ j)) i.

  (* The first rows: blocks without carries, and what has left them. *)
  Lemma first_half : forall i, (i < m)%nat -> blk (c (at_ J)) i = 0 /\
    blk (s (at_ J)) i + w i * gone_ i J = blk (s (at_ 0)) i + blk (c (at_ 0)) i /\
    (gone_ i J = 0 -> (blk (s (at_ (J - 1))) i = w i - 1 <-> blk (s (at_ J)) i = w i - 1)).
  Proof.
    intros i I. destruct counts as (_ & _ & two & _ & A & M & _).
    assert (quietly : forall j, (j < J)%nat -> (0 + j < V)%nat /\ (0 + j)%nat <> (J + L)%nat) by (intros; lia).
    destruct (rows_settled 0 i quietly I) as [C _].
    assert (I' : 0 <= Z.of_nat i < (W + 4 + B - 1) / B) by lia.
    assert (none : gone_ i 0 = 0).
    { unfold gone_, at_, flag. rewrite Nat.add_0_r. destruct (H_left e (Z.of_nat i) I' (one e)) as [-> _]. destruct before as (N1 & N2 & _).
      destruct (Z.eqb_spec (P e) 32); [contradiction |]. destruct (Z.eqb_spec (P e) 8); [contradiction | reflexivity]. }
    assert (leaves : forall j, (j < J)%nat -> gone_ i (S j) = if flag (net "overflow" (at_ (0 + j))) i =? 1 then 1 else gone_ i j).
    { intros j H. unfold gone_. rewrite next. destruct (H_left (at_ j) (Z.of_nat i) I' (one _)) as [E _]. unfold flag at 1. rewrite E.
      destruct (in_phase j ltac:(lia)) as [Q | Q]; rewrite Q; reflexivity. }
    pose proof (gone (bits B N i) J _ _ _ (bits_rows 0 i quietly I) (rows_range 0 i quietly I) (rows_sum 0 i quietly I) (rows_zeros 0 i quietly I) (gone_ i) none leaves
      J (le_n J)) as [_ G].
    pose proof (early (bits B N i) J _ _ _ (bits_rows 0 i quietly I) (rows_range 0 i quietly I) (rows_sum 0 i quietly I) (rows_zeros 0 i quietly I) (gone_ i) none leaves
      two) as Y.
    cbn [Nat.add] in *. rewrite C, Z.add_0_r in G. split; [exact C |]. split; [exact G |]. apply Y.
    intros j H. apply block_ones; [lia | lia | exact I].
  Qed.

  Lemma waits : forall i d, (i < m)%nat -> (d <= L)%nat -> blk (c (at_ (J + d))) i = 0 /\ blk (s (at_ (J + d))) i = blk (s (at_ J)) i.
  Proof.
    intros i d I. induction d; intros H; [rewrite Nat.add_0_r; split; [apply first_half, I | reflexivity] |]. destruct (IHd ltac:(lia)) as [C E].
    destruct (block_step (J + d) i ltac:(lia) I) as [A [r R]]. rewrite (quiet (J + d)%nat) in A, R by lia.
    rewrite flag_0, C, Z.land_0_r, Z.mul_0_r, Z.mod_0_l, Z.land_0_r, Z.mul_0_r, Z.mod_0_l in R by (destruct (block_bits i I); lia).
    rewrite Nat.add_succ_r. rewrite R, C, flag_0 in A. split; [exact R |].
    pose proof (in_block (s (at_ (J + d))) i I). pose proof (in_block (s (at_ (S (J + d)))) i I). pose proof (flag_range (net "overflow" (at_ (J + d))) i).
    assert (flag (net "overflow" (at_ (J + d))) i = 0) as O by nia. rewrite O in A. lia.
  Qed.

  Let found i := flag (net "carry_from" (at_ (J + L - 1))) i.
  Let into i := match i with O => 0 | S j => found j end.

  Lemma injects : forall i, (i < m)%nat -> blk (c (at_ (J + L + 1))) i = into i /\ blk (s (at_ (J + L + 1))) i = blk (s (at_ J)) i.
  Proof.
    intros i I. destruct counts as (_ & _ & two & _ & A0 & M & _). destruct (waits i L I (le_n L)) as [C E].
    destruct (block_step (J + L) i ltac:(lia) I) as [A [r R]]. replace (S (J + L)) with (J + L + 1)%nat in * by lia.
    assert (F : flag (net "carry_into_q" (at_ (J + L))) i = into i).
    { replace (J + L)%nat with (S (J + L - 1)) by lia. rewrite next, H_injected, look by lia. rewrite Nat.eqb_refl. cbn [Z.eqb Pos.eqb].
      rewrite <- M, flag_low by exact I. destruct i; [apply flag_up_0 | apply flag_up]. }
    rewrite C, Z.land_0_r, Z.mul_0_r, Z.mod_0_l, Z.land_0_r, Z.mul_0_r, Z.mod_0_l in R by (destruct (block_bits i I); lia). rewrite F in *.
    rewrite R, C in A. split; [lia |].
    pose proof (in_block (s (at_ (J + L))) i I). pose proof (in_block (s (at_ (J + L + 1))) i I). pose proof (flag_range (net "overflow" (at_ (J + L))) i).
    assert (flag (net "overflow" (at_ (J + L))) i = 0) as O by nia. rewrite O in A. lia.
  Qed.

  Lemma second_half : forall i, (i < m)%nat -> blk (c (at_ V)) i = 0 /\ blk (s (at_ V)) i = (blk (s (at_ J)) i + into i) mod w i.
  Proof.
    intros i I. destruct (rows_settled (J + L + 1) i ltac:(intros; lia) I) as [C E]. destruct (injects i I) as [C0 E0].
    rewrite Nat.add_0_r, C0, E0 in E. replace (J + L + 1 + J)%nat with V in * by lia. auto.
  Qed.

  Lemma carries : forall i, (i < m - 1)%nat -> found i = if gone_ i J =? 1 then 1 else if flag (net "all_ones_q" (at_ J)) i =? 1 then into i else 0.
  Proof.
    intros i I. destruct counts as (_ & _ & _ & EL & A & M & _).
    assert (I' : 0 <= Z.of_nat i < (W + 4 + B - 1) / B) by lia. pose proof (H_found (at_ J) (Z.of_nat i) I') as F.
    assert (L2 : ahead <= 2) by lia. specialize (F L2). clear L2. unfold found, gone_, flag at 1 2 3.
    assert (U : forall x, ((2 * x) / 2 ^ Z.of_nat i) mod 2 = match i with O => 0 | S j => flag x j end).
    { intros x. fold (flag (2 * x) i). destruct i; [apply flag_up_0 | apply flag_up]. }
    rewrite !U in F. rewrite <- EL in F. destruct A as [A | A]; rewrite A in F; cbn [Z.eqb Pos.eqb Z.of_nat Pos.of_succ_nat Pos.succ] in F.
    - unfold into, found. rewrite A, Nat.add_sub. exact F.
    - unfold into, found. rewrite <- next in F. rewrite A. replace (J + 2 - 1)%nat with (S J) by lia. exact F.
  Qed.

  Lemma passes : forall i, (i < m - 1)%nat -> gone_ i J = 0 -> (flag (net "all_ones_q" (at_ J)) i = 1 <-> blk (s (at_ J)) i = 2 ^ B - 1).
  Proof.
    intros i I G. destruct counts as (_ & _ & two & _ & A & M & C1 & C2 & C3).
    assert (J1 : (J - 1)%nat = S (J - 2)) by lia. assert (J2 : (J - 2 < V)%nat) by lia. assert (J3 : J = S (J - 1)) by lia.
    assert (I' : 0 <= Z.of_nat i < (W + 4 + B - 1) / B) by lia. destruct (first_half i ltac:(lia)) as (_ & _ & Y). specialize (Y G).
    assert (WB : w i = 2 ^ B) by (unfold w; rewrite (bits_below B N m ltac:(lia) C2 C3 C1 i I); reflexivity). rewrite WB in Y.
    destruct (holds _ J2) as [H1 H2]. rewrite <- J1 in H1, H2. pose proof (H_held _ H1 H2) as E.
    destruct (H_left (at_ (J - 1)) (Z.of_nat i) I' (one _)) as [_ F]. rewrite <- next, <- J3 in F.
    rewrite E in F. unfold flag. rewrite F. change (W + 4) with N. fold (bits B N i). fold (blk (s (at_ (J - 1))) i).
    rewrite <- Y. destruct (Z.eqb_spec (blk (s (at_ (J - 1))) i) (2 ^ B - 1)) as [X | X]; split; [auto | reflexivity | discriminate | contradiction].
  Qed.

  Theorem converts : c (at_ V) = 0 /\ s (at_ V) = s (S e) + c (S e).
  Proof.
    destruct counts as (_ & _ & two & _ & A & M & C1 & C2 & C3). destruct (vectors (S e)) as (X & Y & _). destruct (vectors (at_ V)) as (XV & YV & _).
    assert (E0 : at_ 0 = S e) by (unfold at_; lia).
    pose proof (in_blocks B N m ltac:(lia) C2 C3 C1) as whole. split.
    - rewrite <- (whole _ YV). apply digits_zero. intros i I. apply second_half, I.
    - rewrite <- (whole _ XV).
      apply (blocks_sum B N m ltac:(lia) C2 C3 C1 (s (S e)) (c (S e)) (fun i => blk (s (at_ J)) i) (fun i => gone_ i J)
        (flag (net "all_ones_q" (at_ J))) found (blk (s (at_ V)))); [auto | exact fits | | exact passes | exact carries | apply second_half].
      intros i I. destruct (first_half i I) as (_ & G & _). rewrite E0 in G. split; [apply in_block, I |]. split; [apply flag_range | exact G].
  Qed.
  End Conversion.

  (* The selects after a cycle, by its phase. *)
  Lemma selected : forall t p, P t = p ->
    net "u_datapath.hold_q" (S t) = (if p =? 64 then 1 else if p =? 32 then 1 else if p =? 8 then 1 - net "last_q" t else if p =? 4 then 1 else if p =? 2 then 1 else 0) /\
    net "u_datapath.shift_q" (S t) = (if p =? 16 then 1 else 0) /\
    net "u_datapath.full_adder_q" (S t) = (if p =? 16 then 1 - net "last_q" t else if p =? 8 then net "last_q" t else if p =? 2 then 1 else if p =? 1 then 1 else 0) /\
    net "u_datapath.carry_in_q" (S t) = 0 /\
    net "look_ahead_q" (S t) = (if p =? 32 then if left t =? Z.of_nat J + 2 then 1 else 0 else if p =? 8 then if left t =? Z.of_nat J + 3 then 1 else 0 else 0).
  Proof. intros t p <-. destruct counts as (E & _). rewrite E. exact (H_selects t (one t)). Qed.

  (* What enters the row after a cycle that selects the pair, its half, or nothing. *)
  Lemma moved : forall t h q, net "u_datapath.hold_q" (S t) = h -> net "u_datapath.shift_q" (S t) = q -> h + q <= 1 ->
    s (S t) = (if h =? 1 then sum t else 0) + (if q =? 1 then sum t / 2 else 0) /\ c (S t) = (if h =? 1 then carry t else 0) + (if q =? 1 then carry t / 2 else 0).
  Proof. intros t h q <- <- G. exact (H_move t G). Qed.

  (* A conversion in the phase p = 8 or 32, which begins with u + V cycles left; it comes after a cycle of another phase. *)
  Lemma in_phases : forall e p u, (p = 8 /\ u = 1%nat \/ p = 32 /\ u = 0%nat) -> P (S e) = p -> left (S e) = Z.of_nat (V + u) - 1 ->
    P e = p / 2 -> net "last_q" e = (if p =? 32 then 1 else net "last_q" e) -> net "look_ahead_q" e = 0 -> s (S e) + c (S e) < 2 ^ N ->
    (forall j, (j < V + u)%nat -> P (S e + j)%nat = p /\ left (S e + j)%nat = Z.of_nat (V + u - 1 - j)) /\
    c (S e + V)%nat = 0 /\ s (S e + V)%nat = s (S e) + c (S e) /\ net "u_datapath.hold_q" (S e + V)%nat = 1 /\ net "u_datapath.shift_q" (S e + V)%nat = 0 /\
    net "look_ahead_q" (S e + V)%nat = 0 /\ net "carry_into_q" (S e + V)%nat = 0.
  Proof.
    intros e p u C PF LF PE Last La fits. destruct counts as (_ & _ & two & _ & A & _). assert (Hp : p = 8 \/ p = 32) by tauto.
    assert (G : forall j, (j < V + u)%nat -> P (S e + j)%nat = p /\ left (S e + j)%nat = Z.of_nat (V + u - 1 - j)).
    { intros j H. pose proof (counted P left p (fun _ => True)) as Q. destruct (Q ltac:(intros; apply counting; [assumption | lia | assumption]) ltac:(auto)
        (S e) (V + u - 1)%nat PF ltac:(lia) Logic.I j ltac:(lia)) as (Q1 & Q2 & _). split; [exact Q1 | rewrite Q2; f_equal; lia]. }
    assert (not_last : forall j, (j < V)%nat -> p = 8 -> net "last_q" (S e + j)%nat = 0).
    { intros j H E. destruct (G j ltac:(lia)) as [G1 G2]. rewrite last, G2 by lia. destruct (Z.eqb_spec (Z.of_nat (V + u - 1 - j)) 0); [lia | reflexivity]. }
    assert (holds : forall j, (j < V)%nat -> net "u_datapath.hold_q" (S e + S j)%nat = 1 /\ net "u_datapath.shift_q" (S e + S j)%nat = 0).
    { intros j H. destruct (G j ltac:(lia)) as [G1 _]. rewrite Nat.add_succ_r. destruct (selected _ _ G1) as (H1 & H2 & _).
      destruct Hp as [E | E]; [rewrite (not_last j H E) in H1 |]; rewrite E in *; auto. }
    assert (half_row : forall j, (j < V)%nat -> net "u_datapath.full_adder_q" (S e + j)%nat = 0).
    { intros [| j] H; [rewrite Nat.add_0_r | rewrite Nat.add_succ_r].
      - destruct (selected _ _ PE) as (_ & _ & F & _). destruct Hp as [E | E]; rewrite E in F; [exact F |]. change (32 / 2) with 16 in F. cbn [Z.eqb Pos.eqb] in F.
        rewrite Last, E in F. exact F.
      - destruct (G j ltac:(lia)) as [G1 _]. destruct (selected _ _ G1) as (_ & _ & F & _). destruct Hp as [E | E]; rewrite E in *; cbn [Z.eqb Pos.eqb] in F;
          [rewrite (not_last j ltac:(lia) eq_refl) in F |]; exact F. }
    assert (look : forall j, (j < V)%nat -> net "look_ahead_q" (S e + j)%nat = if (j =? J + L - 1)%nat then 1 else 0).
    { intros [| j] H; [rewrite Nat.add_0_r | rewrite Nat.add_succ_r].
      - destruct (selected _ _ PE) as (_ & _ & _ & _ & F). destruct (Nat.eqb_spec 0 (J + L - 1)); [lia |]. rewrite F. destruct Hp as [E | E]; rewrite E; reflexivity.
      - destruct (G j ltac:(lia)) as [G1 G2]. destruct (selected _ _ G1) as (_ & _ & _ & _ & F). rewrite F, G2.
        destruct (Nat.eqb_spec (S j) (J + L - 1)); destruct Hp as [E | E]; rewrite E in *; cbn [Z.eqb Pos.eqb];
          [destruct (Z.eqb_spec (Z.of_nat (V + u - 1 - j)) (Z.of_nat J + 3)) | destruct (Z.eqb_spec (Z.of_nat (V + u - 1 - j)) (Z.of_nat J + 2)) |
           destruct (Z.eqb_spec (Z.of_nat (V + u - 1 - j)) (Z.of_nat J + 3)) | destruct (Z.eqb_spec (Z.of_nat (V + u - 1 - j)) (Z.of_nat J + 2))]; lia. }
    split; [exact G |].
    destruct (converts e) as [C1 C2]; [| | exact half_row | exact holds | exact look | exact fits |].
    - destruct (selected _ _ PE) as (_ & _ & _ & Q & _). rewrite PE. destruct Hp as [E | E]; rewrite E; repeat split; assumption || discriminate.
    - intros j H. destruct (G j ltac:(lia)) as [-> _]. exact Hp.
    - destruct (G (V - 1)%nat ltac:(lia)) as [G1 G2]. destruct (G (V - 2)%nat ltac:(lia)) as [G3 G4].
      split; [exact C1 |]. split; [exact C2 |]. destruct (holds (V - 1)%nat ltac:(lia)) as [H1 H2]. replace (S (V - 1)) with V in * by lia. split; [exact H1 |].
      split; [exact H2 |]. replace (S e + V)%nat with (S (S e + (V - 1)))%nat by lia. split.
      + destruct (selected _ _ G1) as (_ & _ & _ & _ & ->). rewrite G2. destruct Hp as [E | E]; rewrite E in *; cbn [Z.eqb Pos.eqb];
          [destruct (Z.eqb_spec (Z.of_nat (V + u - 1 - (V - 1))) (Z.of_nat J + 3)) | destruct (Z.eqb_spec (Z.of_nat (V + u - 1 - (V - 1))) (Z.of_nat J + 2))]; lia.
      + rewrite H_injected, look by lia. destruct (Nat.eqb_spec (V - 1) (J + L - 1)); [lia | reflexivity].
  Qed.

  Section Request.
  (* A request is accepted in cycle r. *)
  Variables (r : nat).
  Let a := net "a_i" r. Let b := net "b_i" r. Let M := n r.
  Hypotheses (idle : P r = 1) (request : net "req_valid_i" r = 1) (odd : M mod 2 = 1) (modulus : 0 < M < 2 ^ W) (constant : net "n_hat_i" r = M + 1)
    (a_range : a < 2 * M) (b_range : b < 2 * M).

  Let resolves := S (S (S r)). Let loops := (resolves + (V + 1))%nat. Let conversion_ := (loops + (K + 4))%nat.   (* the first cycles of the phases *)
  Let total t := s t + c t.

  Lemma operands : 0 <= a /\ 0 <= b /\ 2 ^ N = 16 * 2 ^ W /\ 2 ^ (N - 1) = 8 * 2 ^ W /\ 0 < 2 ^ W.
  Proof.
    assert (0 <= a < 2 ^ (W + 1) /\ 0 <= b < 2 ^ (W + 1)) by in_range H_ranges r.
    unfold N. replace (W + 4 - 1) with (W + 3) by lia. rewrite !Z.pow_add_r by lia. lia.
  Qed.

  (* The operands stay, a is shifted down. *)
  Lemma stays : forall t, (forall i, (i < t)%nat -> 1 < P (S r + i)%nat) ->
    net "a_q" (S r + t)%nat = (a * 2 ^ Z.of_nat (V + 2)) / 2 ^ Z.of_nat t /\ net "u_datapath.b_q" (S r + t)%nat = b /\ 2 * net "u_datapath.n_hat_q" (S r + t)%nat = M + 1.
  Proof.
    destruct (H_accept r idle request) as (_ & A1 & A2 & A3). fold a in A1. fold b in A2. rewrite conversion in A1.
    induction t; intros H.
    - rewrite Nat.add_0_r, A1, A2, A3, constant. change (2 ^ Z.of_nat 0) with 1. rewrite Z.div_1_r.
      split; [f_equal; f_equal; lia |]. split; [reflexivity |]. pose proof (Z.div_mod (M + 1) 2 ltac:(lia)) as D. replace ((M + 1) mod 2) with 0 in D; [lia |].
      rewrite Z.add_mod, odd by lia. reflexivity.
    - destruct (IHt ltac:(intros; apply H; lia)) as (E1 & E2 & E3). rewrite Nat.add_succ_r. destruct (H_keep _ (one _) (H t ltac:(lia))) as (-> & -> & -> & _).
      rewrite E1. split; [| auto]. rewrite Nat2Z.inj_succ, Z.pow_succ_r, Z.mul_comm, Z.div_div by lia. f_equal. lia.
  Qed.

  (* B-hat, and B-hat + N-hat as a pair. *)
  Lemma start : P (S r) = 2 /\ P (S (S r)) = 4 /\ P resolves = 8 /\ left resolves = Z.of_nat (V + 1) - 1 /\ total resolves = 4 * b + (M + 1) /\
    net "look_ahead_q" (S (S r)) = 0.
  Proof.
    destruct (H_accept r idle request) as (P1 & _). pose proof (H_b _ P1) as P2. destruct (H_n _ P2) as [P3 L3]. 
    rewrite conversion in L3. destruct operands as (A & B0 & N0 & N1 & W0).
    destruct (selected _ _ idle) as (S1 & S2 & S3 & S4 & _). destruct (selected _ _ P1) as (T1 & T2 & T3 & T4 & T5). destruct (selected _ _ P2) as (U1 & U2 & _).
    cbn [Z.eqb Pos.eqb] in *. destruct (moved _ _ _ S1 S2 ltac:(lia)) as [M1 M2]. destruct (moved _ _ _ T1 T2 ltac:(lia)) as [M3 M4].
    destruct (moved _ _ _ U1 U2 ltac:(lia)) as [M5 M6]. cbn [Z.eqb Pos.eqb] in *. rewrite ?Z.add_0_r in *.
    destruct (stays 0 ltac:(lia)) as (_ & B1 & _). destruct (stays 1 ltac:(intros; replace (S r + i)%nat with (S r) by lia; lia)) as (_ & _ & N2).
    rewrite Nat.add_0_r in B1. rewrite Nat.add_1_r in N2.
    pose proof (H_operand_b r idle) as O1. pose proof (H_operand_n (S r) P1) as O2.
    pose proof (H_multiple (S r) ltac:(lia) S4) as X1. pose proof (H_multiple (S (S r)) ltac:(lia) T4) as X2. rewrite O1 in X1. rewrite O2 in X2.
    cbn [Z.eqb Pos.eqb] in X1, X2. rewrite ?Z.add_0_r, ?Z.add_0_l, B1 in X1. rewrite ?Z.add_0_r, ?Z.add_0_l, N2 in X2.
    destruct (full_row (S r) S3 ltac:(lia) ltac:(lia)) as [R1 _]. rewrite M1, M2, X1 in R1.
    destruct (vectors (S r)) as (_ & _ & V1 & V2). destruct (full_row (S (S r)) T3 ltac:(lia) ltac:(lia)) as [R2 _]. rewrite M3, M4, X2 in R2.
    split; [exact P1 |]. split; [exact P2 |]. split; [exact P3 |]. split; [unfold resolves; rewrite L3; lia |]. split; [unfold total, resolves; lia | exact T5].
  Qed.

  Lemma resolution : (forall j, (j < V + 1)%nat -> P (resolves + j)%nat = 8 /\ left (resolves + j)%nat = Z.of_nat (V - j)) /\
    c (resolves + V)%nat = 0 /\ s (resolves + V)%nat = 4 * b + (M + 1) /\ net "u_datapath.hold_q" (resolves + V)%nat = 1 /\
    net "u_datapath.shift_q" (resolves + V)%nat = 0.
  Proof.
    destruct start as (P1 & P2 & P3 & L3 & T & La). destruct operands as (A & B0 & N0 & N1 & W0).
    destruct (in_phases (S (S r)) 8 1 ltac:(auto) P3 L3 P2 eq_refl La) as (G & C & E & H1 & H2 & _); [fold resolves; fold (total resolves); lia |].
    fold resolves in G, C, E, H1, H2. fold (total resolves) in E. rewrite T in E. repeat split; try assumption.
    - intros. apply G. assumption.
    - destruct (G j H) as [_ ->]. f_equal. lia.
  Qed.

  Lemma busy : forall i, (i < V + 3)%nat -> 1 < P (S r + i)%nat.
  Proof.
    intros i H. destruct start as (P1 & P2 & _). destruct (Nat.lt_ge_cases i 2) as [G | G].
    - assert (i = 0 \/ i = 1)%nat as [-> | ->] by lia; [rewrite Nat.add_0_r | rewrite Nat.add_1_r]; lia.
    - destruct (proj1 resolution (i - 2)%nat ltac:(lia)) as [E _]. replace (resolves + (i - 2))%nat with (S r + i)%nat in E by (unfold resolves; lia). lia.
  Qed.

  Lemma loop : forall t, (t <= K + 3)%nat -> P (loops + t)%nat = 16 /\ left (loops + t)%nat = Z.of_nat (K + 3 - t).
  Proof.
    destruct (proj1 resolution V ltac:(lia)) as [P1 L1]. rewrite Nat.sub_diag in L1.
    assert (X : net "last_q" (resolves + V)%nat = 1) by (rewrite last, L1 by lia; reflexivity).
    destruct (H_next (resolves + V)%nat (one _) ltac:(lia) ltac:(lia) X) as [P2 L2]. rewrite P1 in P2, L2. cbn [Z.eqb Pos.eqb] in L2. destruct L2 as [L2 | L2]; [| discriminate].
    intros t H. unfold loops. replace (resolves + (V + 1))%nat with (S (resolves + V)) by lia.
    destruct (counted P left 16 (fun _ => True) ltac:(intros; apply counting; [assumption | lia | assumption]) ltac:(auto)
      (S (resolves + V)) (K + 3)%nat P2 ltac:(rewrite L2; lia) Logic.I t H) as (Q1 & Q2 & _). auto.
  Qed.

  Lemma kept : forall t, (t <= K + 4)%nat -> net "a_q" (resolves + V + t)%nat = a / 2 ^ Z.of_nat t /\
    net "u_datapath.b_q" (resolves + V + t)%nat = b /\ 2 * net "u_datapath.n_hat_q" (resolves + V + t)%nat = M + 1.
  Proof.
    intros t H. destruct (stays (V + 2 + t)) as (E1 & E2 & E3).
    { intros i I. destruct (Nat.lt_ge_cases i (V + 3)) as [G | G]; [apply busy, G |].
      destruct (loop (i - (V + 3)) ltac:(lia)) as [E _]. replace (loops + (i - (V + 3)))%nat with (S r + i)%nat in E by (unfold loops, resolves; lia). lia. }
    replace (resolves + V + t)%nat with (S r + (V + 2 + t))%nat by (unfold resolves; lia). split; [| auto]. rewrite E1.
    rewrite (Nat2Z.inj_add (V + 2) t), (Z.add_comm (Z.of_nat (V + 2))), Z.pow_add_r by lia. apply Z.div_mul_cancel_r; apply Z.pow_nonzero; lia.
  Qed.

  Lemma kept_sum : forall t, (t <= K + 3)%nat -> net "u_datapath.d_q" (loops + t)%nat = (4 * b + (M + 1)) / 4.
  Proof.
    destruct resolution as (G & _ & E & H1 & H2). induction t; intros H.
    - rewrite Nat.add_0_r. unfold loops. replace (resolves + (V + 1))%nat with (S (resolves + V)) by lia. destruct (G V ltac:(lia)) as [P1 _].
      destruct (H_keep _ (one (resolves + V)) ltac:(lia)) as (_ & _ & _ & ->). rewrite P1, (H_held _ H1 H2), E. reflexivity.
    - rewrite Nat.add_succ_r. destruct (loop t ltac:(lia)) as [P1 _]. destruct (H_keep _ (one (loops + t)) ltac:(lia)) as (_ & _ & _ & ->). rewrite P1. apply IHt. lia.
  Qed.

  Let bit t := (a / 2 ^ Z.of_nat t) mod 2.
  Let ready_for t := s (loops + t)%nat < 2 ^ (N - 1) /\ c (loops + t)%nat < 2 ^ (N - 1) /\ net "u_datapath.full_adder_q" (loops + t)%nat = 1 /\
    net "u_datapath.quotient_q" (loops + t)%nat = total (loops + t) mod 2 /\ net "value_1" (loops + t)%nat = (total (loops + t) / 2) mod 2 /\
    net "u_datapath.add_q" (loops + t)%nat = (if net "u_datapath.quotient_q" (loops + t)%nat =? 1 then 4 - 3 * bit t else 2 * bit t).

  (* One cycle of the loop. *)
  Lemma step : forall t, (t <= K + 3)%nat -> ready_for t ->
    total (loops + S t) = (total (loops + t) + (bit t * (4 * b) + (total (loops + t) mod 2) * (M + 1))) / 2 /\
    s (loops + S t)%nat < 2 ^ (N - 1) /\ c (loops + S t)%nat < 2 ^ (N - 1) /\ ((t < K + 3)%nat -> ready_for (S t)).
  Proof.
    intros t H (A1 & A2 & F & Q & Y & D). destruct (loop t H) as [P1 L1]. destruct operands as (_ & _ & N0 & N1 & W0).
    destruct (selected _ _ P1) as (S1 & S2 & S3 & _). cbn [Z.eqb Pos.eqb] in S1, S2, S3. destruct (moved _ _ _ S1 S2 ltac:(lia)) as [M1 M2].
    cbn [Z.eqb Pos.eqb] in M1, M2. rewrite Z.add_0_l in M1, M2. destruct (full_row _ F A1 A2) as [R1 R2]. destruct (vectors (loops + t)%nat) as (V1 & V2 & V3 & V4).
    destruct (kept (S t) ltac:(lia)) as (K1 & K2 & K3). replace (resolves + V + S t)%nat with (loops + t)%nat in * by (unfold loops; lia).
    pose proof (kept_sum t H) as K4. pose proof (Z.mod_pos_bound (a / 2 ^ Z.of_nat t) 2 ltac:(lia)) as B1. fold (bit t) in B1.
    pose proof (Z.mod_pos_bound (total (loops + t)) 2 ltac:(lia)) as Q1.
    assert (CI : net "u_datapath.carry_in_q" (loops + t)%nat = 0).
    { unfold loops, resolves. rewrite !Nat.add_succ_l. apply (H_selects _ (one _)). }
    assert (X : net "u_datapath.x" (loops + t)%nat = bit t * (4 * b) + (total (loops + t) mod 2) * (M + 1)).
    { assert (G : 4 * ((4 * b + (M + 1)) / 4) + (M + 1) mod 4 = 4 * b + (M + 1)).
      { pose proof (Z.div_mod (4 * b + (M + 1)) 4 ltac:(lia)) as E. replace ((4 * b + (M + 1)) mod 4) with ((M + 1) mod 4) in E; [lia |].
        rewrite (Z.add_comm (4 * b)), (Z.mul_comm 4), Z_mod_plus_full. reflexivity. }
      pose proof (fun O => H_multiple (loops + t)%nat O CI) as X. rewrite K2, K3, K4, G in X. rewrite Q in D.
      set (q := total (loops + t) mod 2) in *. set (u := bit t) in *.
      assert (Cq : q = 0 \/ q = 1) by lia. assert (Cu : u = 0 \/ u = 1) by lia.
      destruct Cq as [Eq | Eq], Cu as [Eu | Eu]; rewrite Eq, Eu in D |- *;
        (match type of D with _ = ?e => let v := eval cbv in e in change e with v in D end); rewrite D in X; rewrite X by auto; cbn [Z.eqb Pos.eqb]; lia. }
    pose proof (Z.div_mod (sum (loops + t)%nat) 2 ltac:(lia)) as D1. pose proof (Z.mod_pos_bound (sum (loops + t)%nat) 2 ltac:(lia)) as D2.
    pose proof (Z.div_mod (carry (loops + t)%nat) 2 ltac:(lia)) as D3.
    assert (N2 : 2 ^ N = 2 * 2 ^ (N - 1)) by lia.
    assert (T : total (loops + S t) = (sum (loops + t)%nat + carry (loops + t)%nat) / 2).
    { unfold total. rewrite Nat.add_succ_r, M1, M2. apply (Z.div_unique _ _ _ (sum (loops + t)%nat mod 2)); lia. }
    assert (U : sum (loops + t)%nat + carry (loops + t)%nat = total (loops + t) + (bit t * (4 * b) + (total (loops + t) mod 2) * (M + 1))) by (unfold total at 1; lia).
    rewrite <- U. split; [exact T |].
    assert (H1 : s (loops + S t)%nat < 2 ^ (N - 1)) by (rewrite Nat.add_succ_r, M1; lia).
    assert (H2 : c (loops + S t)%nat < 2 ^ (N - 1)) by (rewrite Nat.add_succ_r, M2; lia).
    split; [exact H1 |]. split; [exact H2 |]. intros H3.
    assert (NL : net "last_q" (loops + t)%nat = 0) by (rewrite last, L1 by lia; destruct (Z.eqb_spec (Z.of_nat (K + 3 - t)) 0); lia).
    destruct (H_digits _ P1 NL) as [G1 G2]. rewrite NL in S3. rewrite K1 in G1. fold (bit (S t)) in G1. rewrite <- Nat.add_succ_r in G1, G2, S3.
    unfold ready_for. split; [exact H1 |]. split; [exact H2 |]. split; [exact S3 |]. split; [| split; [| exact G1]].
    - rewrite G2, T, U, Q, Y. set (A := total (loops + t)) in *. pose proof (Z.div_mod A 2 ltac:(lia)) as E.
      assert (G : (A + (bit t * (4 * b) + A mod 2 * (M + 1))) / 2 = A / 2 + A mod 2 * net "u_datapath.n_hat_q" (loops + t)%nat + (bit t * b) * 2)
        by (symmetry; apply (Z.div_unique _ _ _ (A mod 2)); lia).
      rewrite G, Z_mod_plus_full. rewrite (Z.add_mod (A / 2)), (Z.add_mod (A / 2 mod 2)), Zmod_mod by lia. reflexivity.
    - rewrite Nat.add_succ_r, (H_bit _ R2), S2. cbn [Z.eqb Pos.eqb]. rewrite <- Nat.add_succ_r, T, Z.div_div by lia. reflexivity.
  Qed.

  Lemma first_step : total loops = 0 /\ ready_for 0.
  Proof.
    destruct (proj1 resolution V ltac:(lia)) as [P1 L1]. rewrite Nat.sub_diag in L1. destruct operands as (_ & _ & N0 & N1 & W0).
    assert (X : net "last_q" (resolves + V)%nat = 1) by (rewrite last, L1 by lia; reflexivity).
    destruct (selected _ _ P1) as (S1 & S2 & S3 & _). rewrite X in S1, S3. cbn [Z.eqb Pos.eqb Z.sub Z.add Z.opp Z.pos_sub] in S1, S2, S3.
    destruct (moved _ _ _ S1 S2 ltac:(lia)) as [M1 M2]. cbn [Z.eqb Z.add] in M1, M2. destruct (H_first _ P1 X) as (G1 & G2 & G3).
    destruct (kept 0 ltac:(lia)) as (K1 & _). rewrite Nat.add_0_r in K1. rewrite K1 in G1. fold (bit 0) in G1.
    assert (E : loops = S (resolves + V)) by (unfold loops; lia). unfold ready_for. rewrite !Nat.add_0_r, E.
    assert (T : total (S (resolves + V)) = 0) by (unfold total; lia). split; [exact T |]. rewrite M1, M2, S3, G1, G2, G3, T.
    pose proof (Z.mod_pos_bound (a / 2 ^ Z.of_nat 0) 2 ltac:(lia)) as B1. fold (bit 0) in B1.
    repeat split; reflexivity || lia.
  Qed.

  Lemma state : forall t, (t <= K + 3)%nat -> ready_for t.
  Proof. induction t; intros H; [apply first_step |]. apply (step t); [lia | apply IHt; lia | lia]. Qed.

  Lemma result : 0 <= total conversion_ < 2 * M /\ montgomery M (pw 2 (K + 2)) a b (total conversion_).
  Proof.
    destruct operands as (A & B0 & _). unfold conversion_.
    apply (scs_mm_ct M a b K (fun t => total (loops + t)) bit (fun t => total (loops + t) mod 2)); try lia.
    - rewrite Zodd_mod, odd. reflexivity.
    - rewrite pw_Z. fold W. lia.
    - transitivity (a mod pw 2 (K + 4)).
      + symmetry. apply Z.mod_small. rewrite pw_add, pw_Z. fold W. cbn [pw]. lia.
      + rewrite <- word_digits by lia. apply digits_ext. intros t _. unfold bit. rewrite pw_Z. reflexivity.
    - intros t _. unfold bit. pose proof (Z.mod_pos_bound (a / 2 ^ Z.of_nat t) 2 ltac:(lia)). lia.
    - rewrite Nat.add_0_r. apply first_step.
    - intros t H _. split; [reflexivity |]. apply (step t); [lia | apply state; lia].
  Qed.

  Let done := (conversion_ + V)%nat.

  Lemma response : P done = 64 /\ (forall t, (r < t < done)%nat -> P t <> 64) /\ c done = 0 /\ s done = total conversion_ /\
    net "u_datapath.hold_q" done = 1 /\ net "u_datapath.shift_q" done = 0 /\ net "look_ahead_q" done = 0 /\ net "carry_into_q" done = 0 /\
    net "u_datapath.full_adder_q" done = 0 /\ net "u_datapath.carry_in_q" done = 0.
  Proof.
    destruct operands as (_ & _ & N0 & N1 & W0). destruct (loop (K + 3) ltac:(lia)) as [P1 L1]. rewrite Nat.sub_diag in L1.
    destruct (loop (K + 2) ltac:(lia)) as [P0 _]. destruct (selected _ _ P0) as (_ & _ & _ & _ & La). cbn [Z.eqb Pos.eqb] in La.
    assert (X : net "last_q" (loops + (K + 3))%nat = 1) by (rewrite last, L1 by lia; reflexivity).
    destruct (H_next (loops + (K + 3))%nat (one _) ltac:(lia) ltac:(lia) X) as [P2 L2]. rewrite P1 in P2, L2. cbn [Z.eqb Pos.eqb] in L2.
    destruct L2 as [L2 | L2]; [| discriminate]. rewrite conversion in L2. destruct result as [R _].
    assert (E : conversion_ = S (loops + (K + 3))) by (unfold conversion_; lia).
    assert (La' : net "look_ahead_q" (loops + (K + 3))%nat = 0) by (replace (loops + (K + 3))%nat with (S (loops + (K + 2))) by lia; exact La).
    destruct (in_phases (loops + (K + 3)) 32 0 ltac:(auto) P2) as (G & C & T & H1 & H2 & H3 & H4);
      [rewrite L2; lia | exact P1 | exact X | exact La' | rewrite <- E; fold (total conversion_); lia |].
    rewrite <- E in G, C, T, H1, H2, H3, H4. fold (total conversion_) in T. fold done in C, T, H1, H2, H3, H4.
    destruct counts as (_ & _ & two & _).
    assert (PD : P done = 64 /\ net "u_datapath.full_adder_q" done = 0 /\ net "u_datapath.carry_in_q" done = 0).
    { destruct (G (V - 1)%nat ltac:(lia)) as [G1 G2]. destruct (selected _ _ G1) as (_ & _ & F1 & F2 & _). cbn [Z.eqb Pos.eqb] in F1. replace (V + 0 - 1 - (V - 1))%nat with 0%nat in G2 by lia.
      assert (Y : net "last_q" (conversion_ + (V - 1))%nat = 1) by (rewrite last, G2 by lia; reflexivity).
      destruct (H_next (conversion_ + (V - 1))%nat (one _) ltac:(lia) ltac:(lia) Y) as [G3 _]. unfold done.
      replace (conversion_ + V)%nat with (S (conversion_ + (V - 1))) by lia. rewrite G3, G1. auto. }
    destruct PD as (PD & F1 & F2). split; [exact PD |]. split; [| auto 10]. intros t H.
    destruct start as (Q1 & Q2 & _). destruct (Nat.lt_ge_cases t conversion_) as [I1 | I1].
    - destruct (Nat.lt_ge_cases t loops) as [I2 | I2].
      + destruct (Nat.lt_ge_cases t resolves) as [I3 | I3].
        * assert (t = S r \/ t = S (S r)) as [-> | ->] by (unfold resolves in I3; lia); lia.
        * destruct (proj1 resolution (t - resolves)%nat ltac:(unfold loops in I2; lia)) as [F _]. replace (resolves + (t - resolves))%nat with t in F by lia. lia.
      + destruct (loop (t - loops)%nat ltac:(unfold conversion_ in I1; lia)) as [F _]. replace (loops + (t - loops))%nat with t in F by lia. lia.
    - destruct (G (t - conversion_)%nat ltac:(unfold done in H; lia)) as [F _]. replace (conversion_ + (t - conversion_))%nat with t in F by lia. lia.
  Qed.
  End Request.

  Let rests t := net "u_datapath.hold_q" t = 1 /\ net "u_datapath.shift_q" t = 0 /\ c t = 0 /\ net "look_ahead_q" t = 0 /\ net "carry_into_q" t = 0 /\
    net "u_datapath.full_adder_q" t = 0 /\ net "u_datapath.carry_in_q" t = 0.

  Lemma resting : forall t, P t = 64 -> rests t -> rests (S t) /\ s (S t) = s t.
  Proof.
    intros t E (R1 & R2 & R3 & R4 & R5 & R6 & R7). destruct (selected _ _ E) as (S1 & S2 & S3 & S4 & S5). cbn [Z.eqb Pos.eqb] in *.
    destruct (moved _ _ _ S1 S2 ltac:(lia)) as [M1 M2]. cbn [Z.eqb Pos.eqb] in M1, M2. rewrite Z.add_0_r in M1, M2.
    destruct (H_rest t R6 R7 R5 R3) as [T1 T2]. pose proof (H_injected t) as I. rewrite R4 in I. cbn [Z.eqb] in I. unfold rests.
    rewrite M1, M2, T1, T2. auto 10.
  Qed.

  Theorem chain : multiplier net (net "a_i") (net "b_i") n (net "p_o") (K + 8 + 2 * V) (K + 8 + 2 * V) (2 ^ (W + 2))
    (fun r => n r mod 2 = 1 /\ 3 <= n r /\ n r < 2 ^ W /\ raised 1 (n r) (net "n_hat_i" r)) (fun n x => 0 <= x < 2 * n) (fun n p => 0 <= p < 2 * n).
  Proof.
    apply (serves _ _ _ _ _ _ _ _ _ _ _ P 1 64 rests).
    - intros t. destruct (H_ready t) as [-> ->]. destruct (one t) as [[[[[[E | E] | E] | E] | E] | E] | E]; rewrite E; auto.
    - intros r I Y (odd & least & most & constant) [_ a_range] [_ b_range]. exists (K + 8 + 2 * V)%nat. apply raised_1 in constant.
      destruct (response r I Y odd ltac:(lia) constant a_range b_range) as (R1 & R2 & R3 & R4 & R5 & R6 & R7 & R8 & R9 & R10).
      destruct (result r I Y odd ltac:(lia) constant a_range b_range) as [G X].
      replace (S (S (S r)) + (V + 1) + (K + 4) + V)%nat with (r + (K + 8 + 2 * V))%nat in * by lia.
      split; [lia |]. split; [exact R1 |]. split; [exact R2 |]. split; [unfold rests; auto 10 |].
      assert (E : net "p_o" (r + (K + 8 + 2 * V))%nat = s (r + (K + 8 + 2 * V))%nat).
      { rewrite H_answer, (H_held _ R5 R6). apply Z.mod_small. destruct (vectors (r + (K + 8 + 2 * V))%nat) as (X1 & _). rewrite Z.pow_add_r by lia. lia. }
      rewrite E, R4. split; [exact G |]. apply montgomery_mod. replace (2 ^ (W + 2)) with (pw 2 (K + 2)); [exact X |]. rewrite pw_Z. f_equal. unfold W. lia.
    - intros t E R T. destruct (resting t E R) as [R' S']. split; [exact (H_hold t E T) |]. split; [exact R' |].
      destruct R as (R1 & R2 & _). destruct R' as (R3 & R4 & _). rewrite !H_answer, (H_held _ R1 R2), (H_held _ R3 R4), S'. reflexivity.
  Qed.
End Chain.

Theorem contract : forall (K : nat) (B : Z) (net : trace) (n : nat -> Z), let W := Z.of_nat K in
  (1 <= K)%nat /\ 4 <= B /\ Z.of_nat K + 4 <= 1024 * B ->
  ranges W B net -> ready W B net -> phases W B net -> phases_at_reset W B net -> accept W B net -> added_b W B net -> added_n W B net ->
  count W B net -> next_phase W B net -> hold W B net -> keep W B net -> selects W B net -> operand_b W B net -> operand_n W B net ->
  first_digits W B net -> next_digits W B net -> multiple W B net -> row W B net -> move W B net -> bit_1 W B net -> held W B net ->
  half_adders W B net -> rest W B net -> ones W B net -> left_blocks W B net -> carries_found W B net -> injected W B net -> answer W B net ->
  let blocks := (W + 4 + B - 1) / B in
  let conversion := (2 * Z.to_nat ((B + 1) / 2) + 1 + Z.to_nat (Z.max ((Z.log2_up blocks + 4) / 5) 1))%nat in
  multiplier net (net "a_i") (net "b_i") n (net "p_o") (K + 8 + 2 * conversion) (K + 8 + 2 * conversion) (2 ^ (W + 2))
    (fun r => n r mod 2 = 1 /\ 3 <= n r /\ n r < 2 ^ W /\ raised 1 (n r) (net "n_hat_i" r)) (fun n x => 0 <= x < 2 * n) (fun n p => 0 <= p < 2 * n).
Proof.
  intros K B net n W wide. intros. eapply (chain K B net n) with (m := Z.to_nat blocks); try eassumption; [| reflexivity]. clear - wide.
  unfold sizes. fold W in wide. fold blocks.
  pose proof (Z.div_mod (B + 1) 2 ltac:(lia)) as Q1. pose proof (Z.mod_pos_bound (B + 1) 2 ltac:(lia)) as Q2.
  destruct (word_count B (W + 4) ltac:(lia) ltac:(lia)) as (C1 & C2 & C3). fold blocks in C1, C2, C3.
  assert (M : blocks < 1025) by (apply Z.div_lt_upper_bound; lia).
  assert (G : Z.log2_up blocks <= 10) by (change 10 with (Z.log2_up 1024); apply Z.log2_up_le_mono; lia).
  pose proof (Z.log2_up_nonneg blocks) as G0. assert (A : (Z.log2_up blocks + 4) / 5 < 3) by (apply Z.div_lt_upper_bound; lia).
  assert (U : (blocks - 1) * B < W + 4) by (pose proof (Z.mul_div_le (W + 4 + B - 1) B ltac:(lia)) as D; fold blocks in D; lia).
  rewrite <- C1. rewrite !Z2Nat.id by lia. repeat split; try assumption; lia.
Qed.
