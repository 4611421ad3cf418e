(* SPDX-License-Identifier: Apache-2.0 *)
(* mf_modexp with windows of DW bits: a table of powers, then for each digit DW squarings, a scan of the table beside them, a product. *)
From Coq Require Import ZArith Znumtheory Lia String.
Require Import Contract Bits Powers modexp_lemmas modexp modexp_reader modexp_scan.
Open Scope string_scope. Open Scope Z_scope.
Set Default Proof Using "All".

Section Nets.
  Variable net : trace.
  Definition digit_taken := net "u_chains.gen_chain[0].u_chain.u_control.digit_take_o".
  Definition left_ := net "u_chains.gen_chain[0].u_chain.u_control.left_q".
  Definition entry := net "u_chains.gen_chain[0].u_chain.u_control.u_entries.entry_q".
  Definition waits := net "u_chains.gen_chain[0].u_chain.u_recoder.gen_window.wait_q".
  Definition filling := net "u_chains.gen_chain[0].u_chain.u_recoder.gen_window.filling_q".
  Definition valid := net "u_chains.gen_chain[0].u_chain.u_recoder.gen_window.valid_q".
  Definition given := net "u_chains.gen_chain[0].u_chain.u_recoder.gen_window.digit_q".
  Definition lacks := net "u_chains.gen_chain[0].u_chain.u_recoder.gen_window.left_q".
End Nets.

Section Chain.
  Variables (W E B A DW CB SG PS : Z) (net : trace).
  Local Notation t := (value_t W E B A DW CB SG PS). Local Notation acc := (value_acc W E B A DW CB SG PS). Local Notation read := (value_read W E B A DW CB SG PS).
  Local Notation p := (value_product W E B A DW CB SG PS). Local Notation second := (second W E B A DW CB SG PS).
  Hypotheses (adder : 1 <= A) (width : 3 <= W) (exponent_bits : 1 <= E) (digit_bits : 2 <= DW).
  Hypotheses (H_bounds : bounds W E B A DW CB SG PS net) (H_quiet : quiet_on W E B A DW CB SG PS net) (H_bits : bits W E B A DW CB SG PS net)
    (H_reset : quiet_at_reset W E B A DW CB SG PS net) (H_ports : ports W E B A DW CB SG PS net) (H_part_ports : part_ports W E B A DW CB SG PS net)
    (H_stays : stays W E B A DW CB SG PS net) (H_accept : accept W E B A DW CB SG PS net) (H_running : running W E B A DW CB SG PS net)
    (H_x_waits : waits_for_x W E B A DW CB SG PS net) (H_x : x_enters W E B A DW CB SG PS net) (H_entering : entering_waits W E B A DW CB SG PS net)
    (H_asks : entering_asks W E B A DW CB SG PS net) (H_checking : checking_on W E B A DW CB SG PS net) (H_rotates : rotates W E B A DW CB SG PS net)
    (H_rotated : rotated W E B A DW CB SG PS net) (H_rests : rests W E B A DW CB SG PS net) (H_entered : entered_waits W E B A DW CB SG PS net)
    (H_refuses : refuses W E B A DW CB SG PS net) (H_begun : begun_waits W E B A DW CB SG PS net) (H_begun_asks : begun_asks W E B A DW CB SG PS net)
    (H_decided : decided_waits W E B A DW CB SG PS net) (H_loaded : loaded_waits W E B A DW CB SG PS net).
  Hypotheses (H_loads : exponent_loads W E B A DW CB SG PS net) (H_bit : bit_moves W E B A DW CB SG PS net) (H_bit_stays : bit_stays W E B A DW CB SG PS net)
    (H_word : word_moves W E B A DW CB SG PS net) (H_read : word_read W E B A DW CB SG PS net) (H_word_stays : word_stays W E B A DW CB SG PS net)
    (H_exponent : exponent_stays W E B A DW CB SG PS net).
  Hypotheses (H_window_bits : window_bits W E B A DW CB SG PS net) (H_window_bounds : window_bounds W E B A DW CB SG PS net)
    (H_table_loads : table_loads W E B A DW CB SG PS net) (H_table_stays : table_stays W E B A DW CB SG PS net)
    (H_table_enters : table_enters W E B A DW CB SG PS net) (H_table_takes : table_takes W E B A DW CB SG PS net)
    (H_table_reads : table_reads W E B A DW CB SG PS net) (H_digit : digit_moves W E B A DW CB SG PS net) (H_digit_stays : digit_stays W E B A DW CB SG PS net)
    (H_begins : recoder_begins W E B A DW CB SG PS net) (H_fills : recoder_fills W E B A DW CB SG PS net) (H_starves : recoder_starves W E B A DW CB SG PS net)
    (H_keeps : recoder_keeps W E B A DW CB SG PS net) (H_gives : recoder_gives W E B A DW CB SG PS net) (H_restarts : recoder_restarts W E B A DW CB SG PS net)
    (H_first_waits : first_waits W E B A DW CB SG PS net) (H_wait_range : wait_range W E B A DW CB SG PS net) (H_first : first_digit W E B A DW CB SG PS net)
    (H_no_digit : no_digit W E B A DW CB SG PS net) (H_enters_stays : enters_stays W E B A DW CB SG PS net) (H_reads_one : reads_one W E B A DW CB SG PS net)
    (H_turn_stays : turn_stays W E B A DW CB SG PS net) (H_acc_stays : acc_stays W E B A DW CB SG PS net) (H_turns : window_turns W E B A DW CB SG PS net)
    (H_reads_base : reads_base W E B A DW CB SG PS net) (H_reads_again : reads_base_again W E B A DW CB SG PS net)
    (H_reads_half : reads_half W E B A DW CB SG PS net) (H_product_waits : product_waits W E B A DW CB SG PS net)
    (H_scan_waits : scan_waits W E B A DW CB SG PS net) (H_scan_starts : scan_starts W E B A DW CB SG PS net) (H_scan_goes : scan_goes W E B A DW CB SG PS net)
    (H_scan_ends : scan_ends W E B A DW CB SG PS net) (H_scan_over : scan_over W E B A DW CB SG PS net) (H_enters : enters W E B A DW CB SG PS net)
    (H_entry : entry_taken W E B A DW CB SG PS net) (H_table_done : table_done W E B A DW CB SG PS net) (H_table_leaves : table_leaves W E B A DW CB SG PS net)
    (H_square : square_taken W E B A DW CB SG PS net) (H_squared : squared W E B A DW CB SG PS net) (H_product : product_taken W E B A DW CB SG PS net)
    (H_leaves : leaves W E B A DW CB SG PS net).
  Variables (r : Z) (ok : Z -> Z -> Prop) (least : nat).
  Hypotheses (residues : forall n y, 3 <= n -> 0 <= y < n -> ok n y) (least_2 : (2 <= least)%nat).
  Variables (part_modulus request_constant constant part_constant : nat -> Z) (suits : Z -> Z -> Prop).
  Hypotheses (H_coprime : forall n k, n mod 2 = 1 -> suits n k -> rel_prime n r)
    (H_constant_loads : forall s, quiet W E B A DW CB SG PS net s -> net "req_valid_i" s = 1 -> net "req_ready_o" s = 1 -> constant (S s) = request_constant s)
    (H_constant_stays : forall f s, at_state W E B A DW CB SG PS net f s -> constant (S s) = constant s) (H_constant : forall s, part_constant s = constant s)
    (H_modulus : forall s, part_modulus s = nq net s mod 2 ^ W).
  Hypothesis H_part : responds (modexp.part net) (value_first W E B A DW CB SG PS net) (value_other W E B A DW CB SG PS net) part_modulus
    (p net) least r
    (fun c => part_modulus c mod 2 = 1 /\ 3 <= part_modulus c < 2 ^ W /\ suits (part_modulus c) (part_constant c))
    ok ok.
  Hypothesis H_ends : ends W E B A DW CB SG PS net ok.

  Let requested := requested E net r request_constant suits.
  Let e := net "e_i".
  Let reads := reader_waits W E B A DW CB SG PS net exponent_bits H_bounds H_quiet H_bits H_reset H_loads H_bit H_bit_stays H_word H_read
    H_word_stays H_exponent.
  Let gives := reader_takes W E B A DW CB SG PS net exponent_bits H_bounds H_quiet H_bits H_reset H_loads H_bit H_bit_stays H_word H_read
    H_word_stays H_exponent.
  Let at_state := at_state W E B A DW CB SG PS net.

  (* ---------------------------------------------------------------- the digits *)
  (* The bits that the recoder has of the next digit, and all that come: their number and their value. *)
  Definition weight s := count net s + (if filling net s + valid net s =? 1 then DW - lacks net s else 0).
  Definition rest s := (if filling net s + valid net s =? 1 then given net s mod 2 ^ (DW - lacks net s) else 0) * 2 ^ count net s + value net s.

  Lemma any_state : forall f s, at_state f s ->
    ((entering W E B A DW CB SG PS net s \/ checking W E B A DW CB SG PS net s) \/ entered W E B A DW CB SG PS net s) \/
    ((begun W E B A DW CB SG PS net s \/ decided W E B A DW CB SG PS net s) \/ loaded W E B A DW CB SG PS net s).
  Proof. intros f s S0. destruct f; cbn in S0; tauto. Qed.

  Lemma sound_at : forall f s, at_state f s -> at_ok net E s -> sound E net s.
  Proof. intros f s S0 O. destruct (H_running s (any_state f s S0)) as (Y & I & P & _). unfold sound. auto. Qed.

  Lemma window_bit : forall s, (starts net s = 0 \/ starts net s = 1) /\ (scans net s = 0 \/ scans net s = 1) /\
    (valid net s = 0 \/ valid net s = 1) /\ (filling net s = 0 \/ filling net s = 1) /\ (digit_taken net s = 0 \/ digit_taken net s = 1).
  Proof. intros s. exact (H_window_bits s). Qed.

  Lemma digit_range : forall s, 0 <= digit net s < 2 ^ DW /\ 0 <= given net s < 2 ^ DW.
  Proof. intros s. destruct (H_window_bounds s) as (D1 & D2 & G1 & G2). exact (conj (conj D1 D2) (conj G1 G2)). Qed.

  Lemma waits_or_not : forall s, 0 < waits net s \/ waits net s = 0.
  Proof. intros s. pose proof (H_wait_range s) as Q. change (0 <= waits net s) in Q. lia. Qed.

  Lemma a_bit_more : forall g b l, 0 < l <= DW -> 0 <= b <= 1 -> ((2 * g + b) mod 2 ^ DW) mod 2 ^ (DW - (l - 1)) = 2 * (g mod 2 ^ (DW - l)) + b.
  Proof.
    intros g b l L Bt. replace (DW - (l - 1)) with (DW - l + 1) by ring. pose proof (Z.pow_pos_nonneg 2 (DW - l) ltac:(lia) ltac:(lia)) as P.
    assert (P2 : 2 ^ (DW - l + 1) = 2 * 2 ^ (DW - l)) by (rewrite Z.pow_add_r by lia; lia).
    rewrite <- Zmod_div_mod; [| apply Z.pow_pos_nonneg; lia | apply Z.pow_pos_nonneg; lia |].
    - rewrite P2. pose proof (Z.div_mod g (2 ^ (DW - l)) ltac:(lia)) as Q. pose proof (Z.mod_pos_bound g (2 ^ (DW - l)) P) as G.
      symmetry. apply Z.mod_unique with (g / 2 ^ (DW - l)); [left; lia |]. lia.
    - exists (2 ^ (l - 1)). rewrite <- Z.pow_add_r by lia. f_equal. ring.
  Qed.

  (* While control takes no digit; before the first digit what is before all bits, v, has to be 0. *)
  Lemma rest_on : forall f s v, at_state f s -> sound E net s -> digit_taken net s = 0 -> (0 < waits net s -> v = 0) ->
    v * 2 ^ weight (S s) + rest (S s) = v * 2 ^ weight s + rest s /\ at_ok net E (S s).
  Proof.
    intros f s v S0 Y N Z0. pose proof (any_state f s S0) as Q. pose proof (count_range W E B A DW CB SG PS net exponent_bits H_bounds H_quiet H_bits H_reset
      H_loads H_bit H_bit_stays H_word H_read H_word_stays H_exponent) as CR.
    destruct (window_bit s) as (_ & _ & V & F & _). destruct (window_bit (S s)) as (_ & _ & V1 & F1 & _).
    destruct (waits_or_not s) as [Wt | Wt].
    - destruct (H_begins s Q Wt) as (F0 & V0 & T0 & V2 & G). change (filling net s = 0) in F0. change (valid net s = 0) in V0.
      change (take net s = 0) in T0. change (valid net (S s) = 0) in V2. change (filling net (S s) = 0 \/ given net (S s) = 0) in G.
      destruct (reads s Y (or_introl T0)) as (C & U & O). split; [| exact O]. rewrite (Z0 Wt). unfold rest. rewrite F0, V0, V2, C, U.
      change (0 + 0 =? 1) with false. cbv iota. destruct G as [G | G]; [rewrite G; reflexivity |]. rewrite G, Zmod_0_l.
      destruct (filling net (S s) + 0 =? 1); ring.
    - destruct F as [F | F].
      + destruct V as [V | V].
        * destruct (H_restarts s Q Wt F V) as (T0 & V2 & F2 & L2). change (take net s = 0) in T0. change (valid net (S s) = 0) in V2.
          change (filling net (S s) = 1) in F2. change (lacks net (S s) = DW) in L2.
          destruct (reads s Y (or_introl T0)) as (C & U & O). split; [| exact O]. unfold weight, rest. rewrite F, V, F2, V2, L2, C, U.
          change (1 + 0 =? 1) with true. change (0 + 0 =? 1) with false. cbv iota. rewrite Z.sub_diag, Z.pow_0_r, Z.mod_1_r. ring.
        * destruct (H_keeps s Q V N) as (F0 & T0 & L0 & G2 & L2 & F2 & V2). change (take net s = 0) in T0. change (given net (S s) = given net s) in G2.
          change (lacks net (S s) = lacks net s) in L2. change (filling net (S s) = filling net s) in F2. change (valid net (S s) = valid net s) in V2.
          destruct (reads s Y (or_introl T0)) as (C & U & O). split; [| exact O]. unfold weight, rest. rewrite F2, V2, L2, G2, C, U. reflexivity.
      + destruct (H_bits s) as (Bv & _ & _ & _ & _ & _ & _ & _ & _ & _ & Bt). destruct Bv as [Bv | Bv].
        * destruct (H_starves s Q F Bv) as (V0 & _ & G2 & L2 & F2 & V2). change (given net (S s) = given net s) in G2.
          change (lacks net (S s) = lacks net s) in L2. change (filling net (S s) = filling net s) in F2. change (valid net (S s) = valid net s) in V2.
          destruct (reads s Y (or_intror Bv)) as (C & U & O). split; [| exact O]. unfold weight, rest. rewrite F2, V2, L2, G2, C, U. reflexivity.
        * destruct (H_fills s Q F Bv) as (T1 & V0 & _ & L1 & L3 & G2 & L2 & FV). change (take net s = 1) in T1. change (valid net s = 0) in V0.
          change (0 < lacks net s) in L1. change (lacks net s <= DW) in L3. change (lacks net (S s) = lacks net s - 1) in L2.
          change (given net (S s) = (2 * given net s + bit net s) mod 2 ^ DW) in G2. change (filling net (S s) + valid net (S s) = 1) in FV.
          change (bit net s = 0 \/ bit net s = 1) in Bt.
          destruct (gives s Y Bv T1) as (C & U & O). split; [| exact O]. pose proof (CR (S s)) as C0. unfold weight, rest. rewrite FV, F, V0, G2, L2, C, U.
          change (1 =? 1) with true. change (1 + 0 =? 1) with true. cbv iota. rewrite a_bit_more by lia.
          replace (count net (S s) + 1 + (DW - lacks net s)) with (count net (S s) + (DW - (lacks net s - 1))) by ring.
          rewrite (Z.pow_add_r 2 (count net (S s)) 1) by lia. change (2 ^ 1) with 2. ring.
  Qed.

  (* When control takes a digit. *)
  Lemma rest_given : forall f s v, at_state f s -> sound E net s -> digit_taken net s = 1 ->
    (v * 2 ^ DW + digit net (S s)) * 2 ^ weight (S s) + rest (S s) = v * 2 ^ weight s + rest s /\ at_ok net E (S s) /\ first_ net (S s) = 0.
  Proof.
    intros f s v S0 Y N. pose proof (any_state f s S0) as Q. pose proof Y as (Y1 & Y2 & Y3 & _). pose proof (count_range W E B A DW CB SG PS net exponent_bits
      H_bounds H_quiet H_bits H_reset H_loads H_bit H_bit_stays H_word H_read H_word_stays H_exponent s) as C0.
    destruct (H_digit s Y1 Y2 Y3 N) as (D1 & F & V). change (digit net (S s) = given net s) in D1. change (first_ net (S s) = 0) in F.
    change (valid net s = 1) in V. destruct (H_gives s Q V N) as (F0 & T0 & L0 & F2 & V2).
    change (filling net s = 0) in F0. change (take net s = 0) in T0. change (lacks net s = 0) in L0. change (filling net (S s) = 0) in F2.
    change (valid net (S s) = 0) in V2. destruct (reads s Y (or_introl T0)) as (C & U & O). split; [| auto].
    unfold weight, rest. rewrite F0, V, L0, F2, V2, C, U, D1. change (0 + 1 =? 1) with true. change (0 + 0 =? 1) with false. cbv iota.
    destruct (digit_range s) as [_ G]. rewrite Z.sub_0_r, Z.mod_small, Z.add_0_r, (Z.pow_add_r 2 (count net s) DW) by lia. ring.
  Qed.

  (* ---------------------------------------------------------------- the invariant *)
  Local Notation T := (T W E B A DW CB SG PS net). Local Notation LAST := (LAST DW). Local Notation scan_at := (scan_at DW net).
  Definition st c := stands (modulus net c) r ok (base net c).
  Definition table_of c := table_of W E B A DW CB SG PS net (st c).
  Definition scanned c := scanned W E B A DW CB SG PS net (st c).
  Definition whole c v s := e c = v * 2 ^ weight s + rest s.
  Definition before c s := table_of c 1 s /\
    ((first_ net s = 1 /\ whole c 0 s) \/ (first_ net s = 0 /\ whole c (digit net s) s)).
  (* The squarings done of a digit's: left_ is their number after this one. *)
  Definition turn c s :=
    (step net s = 1 /\ table_of c (entry net s) s /\ (digit net s < entry net s -> st c (digit net s) (acc net s)) /\
      st c (if entry net s mod 2 =? 1 then entry net s - 1 else entry net s / 2) (t net s) /\ whole c (digit net s) s) \/
    (step net s = 2 /\ table_of c (2 ^ DW) s /\ exists k, 0 <= k /\ st c (k * 2 ^ (DW - 1 - left_ net s)) (t net s) /\
      whole c (k * 2 ^ DW + digit net s) s) \/
    (step net s = 3 /\ table_of c (2 ^ DW) s /\ exists k, 0 <= k /\ st c (k * 2 ^ DW) (t net s) /\ whole c (k * 2 ^ DW + digit net s) s) \/
    (step net s = 5 /\ st c (e c) (t net s) /\ acc net s = 1).
  Definition squares s := step net s = 2 \/ step net s = 3.
  Definition keeps (f : state) c s := at_ok net E s /\ match f with
    | Entering | Checking => before c s
    | Entered => before c s /\ st c 0 (read net s)
    | Begun => turn c s /\ (squares s -> starts net s = 1 \/ scanned c s) /\
        (step net s = 1 -> entry net s mod 2 = 1 -> st c 1 (read net s))
    | Decided => turn c s /\ (squares s -> scanned c s)
    | Loaded => turn c s /\ (squares s -> scanned c s) /\
        (step net s = 1 -> entry net s mod 2 = 1 -> entry net s < LAST -> st c ((entry net s + 1) / 2) (read net s)) end.
  Definition wants c s y :=
    (step net s = 1 -> st c (entry net s) y) /\
    (step net s = 2 -> exists k, 0 <= k /\ st c (k * 2 ^ (DW - left_ net s)) y /\ whole c (k * 2 ^ DW + digit net s) s) /\
    (step net s = 3 -> exists k, 0 <= k /\ st c (k * 2 ^ DW + digit net s) y /\ whole c (k * 2 ^ DW + digit net s) s) /\
    (step net s = 5 -> is_power net ok c y).

  Lemma depth : 4 <= 2 ^ DW.
  Proof. change 4 with (2 ^ 2). apply Z.pow_le_mono_r; lia. Qed.

  Lemma coprime_modulus : forall c, requested c -> rel_prime (modulus net c) r /\ 3 <= modulus net c.
  Proof. intros c (_ & _ & O & L & _ & _ & _ & _ & _ & U). exact (conj (H_coprime _ _ O U) L). Qed.

  Lemma more_than_one : 1 <= DW. Proof. lia. Qed.
  Lemma digits : forall s, 0 <= digit net s < 2 ^ DW. Proof. intros s. exact (proj1 (digit_range s)). Qed.

  Lemma reads_at : forall s j, 0 <= j < 2 ^ DW -> address net s = j -> read net (S s) = T j s.
  Proof. intros s j R Q. exact (H_table_reads s j R Q). Qed.

  Lemma in_turn : forall s, begun W E B A DW CB SG PS net s \/ decided W E B A DW CB SG PS net s \/ loaded W E B A DW CB SG PS net s ->
    first_ net s = 0 /\ (step net s = 1 \/ step net s = 2 \/ step net s = 3 \/ step net s = 5) /\
    acc_is_second net s = (if step net s =? 5 then 1 else if step net s =? 3 then 1 else 0) /\
    read_is_second net s = (if step net s =? 1 then entry net s mod 2 else 0) /\
    (step net s = 1 -> 2 <= entry net s <= LAST) /\ (step net s = 2 -> 0 <= left_ net s < DW).
  Proof.
    intros s S0. assert (Q : (begun W E B A DW CB SG PS net s \/ decided W E B A DW CB SG PS net s) \/ loaded W E B A DW CB SG PS net s) by tauto.
    split; [apply H_first; tauto |]. destruct (H_turns s Q) as (G & Sx & Tb & E2 & EL & L0 & L1).
    change (((step net s = 1 \/ step net s = 2) \/ step net s = 3) \/ step net s = 5) in G.
    change ((step net s < 1 \/ 1 < step net s) \/ 2 <= entry net s) in E2. change ((step net s < 1 \/ 1 < step net s) \/ entry net s <= LAST) in EL.
    change ((step net s < 2 \/ 2 < step net s) \/ 0 <= left_ net s) in L0. change ((step net s < 2 \/ 2 < step net s) \/ left_ net s < DW) in L1.
    split; [clear - G; tauto |]. split; [exact Sx |]. split; [exact Tb |]. clear - E2 EL L0 L1. lia.
  Qed.

  Lemma first_turns : forall s, first_ net s = 0 -> forall f, at_state f s -> 0 < waits net s -> False.
  Proof. intros s F f S0 Wt. pose proof (H_first_waits s (any_state f s S0) Wt) as Q. change (first_ net s = 1) in Q. lia. Qed.

  Lemma whole_on : forall c f s v, at_state f s -> sound E net s -> digit_taken net s = 0 -> (0 < waits net s -> v = 0) -> whole c v s ->
    whole c v (S s) /\ at_ok net E (S s).
  Proof. intros c f s v S0 Y N Z0 H. destruct (rest_on f s v S0 Y N Z0) as [Q O]. unfold whole in *. rewrite Q. auto. Qed.

  Lemma starts_ : forall c, requested c -> keeps Entering c (S c).
  Proof.
    intros c Rq. pose proof Rq as (V & Y & L). pose proof L as (_ & _ & _ & Len & U & R1 & _). destruct (coprime_modulus c Rq) as [_ Ln].
    destruct (reader_starts W E B A DW CB SG PS net exponent_bits H_bounds H_quiet H_bits H_reset H_loads H_bit H_bit_stays H_word H_read H_word_stays
      H_exponent c V Y Len U) as (O & F & Q).
    assert (Qc : quiet W E B A DW CB SG PS net c) by (clear - H_reset H_quiet; induction c; [apply H_reset; reflexivity | apply H_quiet; assumption]).
    destruct (H_accept c Qc V Y Len) as (S1 & _). destruct (H_table_loads c 0 ltac:(lia) Qc V Y) as [T0 Wt]. change (waits net (S c) = 1) in Wt.
    split; [exact O |]. split.
    - intros j J. replace j with 0 by lia. unfold st. apply (one_stands _ r ok _ Ln (fun y => residues _ y Ln)). transitivity (net "r1_i" c); [exact T0 | exact R1].
    - left. split; [exact F |]. destruct (H_begins (S c) (any_state Entering (S c) S1) ltac:(change (0 < waits net (S c)); lia)) as (F0 & V0 & _).
      change (filling net (S c) = 0) in F0. change (valid net (S c) = 0) in V0. unfold whole, rest. rewrite F0, V0, Q. change (0 + 0 =? 1) with false.
      cbv iota. unfold e. ring.
  Qed.

  Lemma before_on : forall c f s, at_state f s -> f = Entering \/ f = Checking \/ (f = Entered /\ answers net s = 0) -> abort net s = 0 ->
    at_ok net E s -> before c s -> before c (S s) /\ at_ok net E (S s).
  Proof.
    intros c f s S0 F Ab O [Tb P]. pose proof (sound_at f s S0 O) as Y. pose proof Y as (Y1 & Y2 & Y3 & _). pose proof depth as Dp.
    assert (Q : (entering W E B A DW CB SG PS net s \/ checking W E B A DW CB SG PS net s) \/ (entered W E B A DW CB SG PS net s /\ answers net s = 0))
      by (destruct F as [-> | [-> | [-> V]]]; cbn in S0; auto).
    assert (Tb1 : table_of c 1 (S s)).
    { intros j J. replace (T j (S s)) with (T j s); [apply Tb, J |]. symmetry.
      apply (H_table_stays s j ltac:(lia)); [left; left; exact Q | exact Ab]. }
    pose proof (H_enters_stays s Q Ab) as Tk. change (digit_taken net s = if first_ net s =? 1 then valid net s else 0) in Tk.
    destruct (window_bit s) as (_ & _ & _ & _ & [N | N]).
    - destruct (H_digit_stays s Y1 Y2 Y3 N) as [Dg Fr]. change (digit net (S s) = digit net s) in Dg. change (first_ net (S s) = first_ net s) in Fr.
      unfold before. rewrite Dg, Fr. destruct P as [[Fi P] | [Fi P]].
      + destruct (whole_on c f s 0 S0 Y N (fun _ => eq_refl) P) as [P1 O1]. auto.
      + destruct (whole_on c f s (digit net s) S0 Y N) as [P1 O1]; [intros Wt; destruct (first_turns s Fi f S0 Wt) | exact P | auto].
    - rewrite N in Tk. destruct P as [[Fi P] | [Fi P]]; [| rewrite Fi in Tk; discriminate].
      destruct (rest_given f s 0 S0 Y N) as (Q1 & O1 & F1). split; [| exact O1]. split; [exact Tb1 |]. right. split; [exact F1 |].
      unfold whole in *. rewrite P. rewrite <- Q1. ring.
  Qed.

  Lemma first_on : forall c f g s, requested c -> keeps f c s -> at_state f s -> at_state g (S s) -> abort net s = 0 ->
    (f = Entering /\ g <> Entered) \/ f = Checking \/ (f = Entered /\ answers net s = 0) -> g = Entering \/ g = Checking \/ g = Entered ->
    keeps g c (S s).
  Proof.
    intros c f g s Rq [O P] S0 S1 Ab F G. pose proof depth as Dp.
    assert (P0 : before c s) by (destruct F as [[-> _] | [-> | [-> _]]]; [exact P | exact P | exact (proj1 P)]).
    destruct (before_on c f s S0 ltac:(tauto) Ab O P0) as [P1 O1]. split; [exact O1 |].
    destruct G as [-> | [-> | ->]]; [exact P1 | exact P1 |]. split; [exact P1 |].
    assert (A0 : address net s = 0).
    { apply H_reads_one. destruct F as [[_ X] | [-> | [-> _]]]; [destruct X; reflexivity | left; exact S0 | right; exact S0]. }
    rewrite (reads_at s 0 ltac:(lia) A0). apply (proj1 P0). lia.
  Qed.

  Lemma enters_turn : forall c s, requested c -> keeps Entered c s -> entered W E B A DW CB SG PS net s -> abort net s = 0 -> answers net s = 1 ->
    wrong net s = 0 -> stands (modulus net c) r ok (base net c) 1 (p net s) ->
    begun W E B A DW CB SG PS net (S s) /\ nq net (S s) = nq net s /\ keeps Begun c (S s).
  Proof.
    intros c s Rq [O [[Tb P] R0]] S0 Ab V Wr X1. pose proof depth as Dp.
    pose proof (sound_at Entered s S0 O) as Y. pose proof Y as (Y1 & Y2 & Y3 & _).
    destruct (H_enters s S0 Ab V Wr) as (S1 & N1 & G & T1 & C1 & E1 & Tk). change (step net (S s) = 1) in G. change (t net (S s) = p net s) in T1.
    change (acc net (S s) = if digit net s =? 1 then p net s else if digit net s =? 0 then read net s else 0) in C1.
    change (entry net (S s) = 2) in E1. change (digit_taken net s = 0) in Tk.
    destruct (H_digit_stays s Y1 Y2 Y3 Tk) as [Dg _]. change (digit net (S s) = digit net s) in Dg.
    assert (F : first_ net s = 0) by (apply H_first; tauto). destruct P as [[F1 _] | [_ P]]; [lia |].
    destruct (whole_on c Entered s (digit net s) S0 Y Tk) as [P1 O1]; [intros Wt; destruct (first_turns s F Entered S0 Wt) | exact P |].
    split; [exact S1 |]. split; [exact N1 |]. split; [exact O1 |]. split; [| split].
    - left. rewrite G, E1, Dg, T1, C1. split; [reflexivity |]. split; [| split; [| split; [exact X1 | exact P1]]].
      + intros j J. assert (Q : T j (S s) = if j =? 1 then p net s else T j s) by (apply (H_table_enters s j ltac:(lia)); assumption).
        rewrite Q. destruct (Z.eqb_spec j 1) as [-> | X]; [exact X1 |]. apply Tb. lia.
      + intros L. destruct (digit_range s) as [Dr _]. destruct (Z.eqb_spec (digit net s) 1) as [-> | X]; [exact X1 |].
        replace (digit net s) with 0 by lia. exact R0.
    - intros [Q | Q]; rewrite G in Q; discriminate.
    - intros _ Q. rewrite E1 in Q. discriminate.
  Qed.

  (* ---------------------------------------------------------------- turns *)
  Definition waiting s := begun W E B A DW CB SG PS net s \/ ((decided W E B A DW CB SG PS net s \/ loaded W E B A DW CB SG PS net s) /\ answers net s = 0).

  Lemma stays_ : forall s, waiting s -> abort net s = 0 -> sound E net s ->
    (t net (S s) = t net s /\ step net (S s) = step net s /\ entry net (S s) = entry net s /\ left_ net (S s) = left_ net s) /\
    digit net (S s) = digit net s /\ digit_taken net s = 0.
  Proof.
    intros s S0 Ab (Y1 & Y2 & Y3 & _). destruct (H_turn_stays s S0 Ab) as (T1 & G & E1 & _ & L1 & N).
    destruct (H_digit_stays s Y1 Y2 Y3 N) as [Dg _]. auto.
  Qed.

  Lemma waiting_state : forall s, waiting s -> exists f, at_state f s /\ first_ net s = 0.
  Proof.
    intros s S0. assert (F : first_ net s = 0) by (apply H_first; destruct S0 as [S0 | [[S0 | S0] _]]; tauto).
    destruct S0 as [S0 | [[S0 | S0] _]]; [exists Begun | exists Decided | exists Loaded]; exact (conj S0 F).
  Qed.

  Lemma turn_on : forall c s, waiting s -> abort net s = 0 -> sound E net s -> turn c s ->
    turn c (S s) /\ at_ok net E (S s) /\ forall y, wants c s y -> wants c (S s) y.
  Proof.
    intros c s S0 Ab Y P. pose proof depth as Dp. destruct (stays_ s S0 Ab Y) as ((T1 & G & E1 & L1) & Dg & N). destruct (waiting_state s S0) as (f & Sf & F).
    assert (Wh : forall v, whole c v s -> whole c v (S s) /\ at_ok net E (S s)).
    { intros v H. apply (whole_on c f s v Sf Y N); [intros Wt; destruct (first_turns s F f Sf Wt) | exact H]. }
    assert (O : at_ok net E (S s)).
    { destruct (rest_on f s 0 Sf Y N (fun _ => eq_refl)) as [_ O]. exact O. }
    assert (Tb : forall z, z <= 2 ^ DW -> table_of c z s -> table_of c z (S s)).
    { intros z Z1 H j J. replace (T j (S s)) with (T j s); [apply H, J |]. symmetry.
      apply (H_table_stays s j ltac:(lia)); [left; right; exact S0 | exact Ab]. }
    assert (C1 : step net s = 1 \/ step net s = 5 -> acc net (S s) = acc net s) by (intros Q; exact (H_acc_stays s S0 Q Ab)).
    split; [| split; [exact O |]].
    - unfold turn. rewrite T1, G, E1, L1, Dg. destruct P as [(Z1 & Ta & Ca & Ha & Hw) | [(Z1 & Ta & k & K0 & Ha & Hw) | [(Z1 & Ta & k & K0 & Ha & Hw) | (Z1 & Ha & Ca)]]].
      + left. rewrite (C1 (or_introl Z1)). split; [exact Z1 |]. destruct (Wh _ Hw) as [Hw1 _]. split; [| auto]. apply Tb; [| exact Ta].
        assert (B0 : begun W E B A DW CB SG PS net s \/ decided W E B A DW CB SG PS net s \/ loaded W E B A DW CB SG PS net s) by (clear - S0; unfold waiting in S0; tauto).
        destruct (in_turn s B0) as (_ & _ & _ & _ & R & _). specialize (R Z1). unfold LAST in R. lia.
      + right. left. split; [exact Z1 |]. split; [apply Tb; [lia | exact Ta] |]. exists k. destruct (Wh _ Hw) as [Hw1 _]. auto.
      + right. right. left. split; [exact Z1 |]. split; [apply Tb; [lia | exact Ta] |]. exists k. destruct (Wh _ Hw) as [Hw1 _]. auto.
      + right. right. right. rewrite (C1 (or_intror Z1)). auto.
    - intros y (W1 & W2 & W3 & W5). unfold wants. rewrite G, E1, L1, Dg. split; [exact W1 |]. split; [| split; [| exact W5]].
      + intros Z1. destruct (W2 Z1) as (k & K0 & Q & Hw). exists k. destruct (Wh _ Hw) as [Hw1 _]. auto.
      + intros Z1. destruct (W3 Z1) as (k & K0 & Q & Hw). exists k. destruct (Wh _ Hw) as [Hw1 _]. auto.
  Qed.

  Let scanned_on c := modexp_scan.scanned_on W E B A DW CB SG PS net more_than_one H_table_reads H_scan_starts H_scan_goes H_scan_ends H_scan_over digits (st c).
  Let scan_begun c := modexp_scan.scan_begun W E B A DW CB SG PS net more_than_one H_table_reads H_scan_starts H_scan_goes H_scan_ends H_scan_over digits (st c).

  Lemma whole_table : forall c s, turn c s -> squares s -> table_of c (2 ^ DW) s.
  Proof.
    intros c s P Q. assert (Q0 : step net s <> 1 /\ step net s <> 5) by (destruct Q as [-> | ->]; split; discriminate).
    destruct P as [(Z1 & _) | [(_ & Ta & _) | [(_ & Ta & _) | (Z1 & _)]]]; [destruct Q0; contradiction | exact Ta | exact Ta | destruct Q0; contradiction].
  Qed.

  Lemma table_index : forall s, step net s = 1 -> begun W E B A DW CB SG PS net s \/ decided W E B A DW CB SG PS net s \/ loaded W E B A DW CB SG PS net s ->
    2 <= entry net s <= LAST.
  Proof. intros s Z1 S0. destruct (in_turn s S0) as (_ & _ & _ & _ & R & _). exact (R Z1). Qed.

  Lemma waits_turn : forall c s, requested c -> keeps Begun c s -> begun W E B A DW CB SG PS net s -> abort net s = 0 ->
    asks net s = 0 \/ accepts net s = 0 -> begun W E B A DW CB SG PS net (S s) -> keeps Begun c (S s).
  Proof.
    intros c s Rq (O & P & Sc & Rd) S0 Ab Q S1. pose proof (sound_at Begun s S0 O) as Y. pose proof depth as Dp.
    destruct (turn_on c s (or_introl S0) Ab Y P) as (P1 & O1 & _). destruct (stays_ s (or_introl S0) Ab Y) as ((T1 & G & E1 & L1) & Dg & N).
    split; [exact O1 |]. split; [exact P1 |]. unfold squares. rewrite G, E1. split.
    - intros Sq. destruct (window_bit s) as ([Z0 | Z1] & _).
      + destruct (Sc Sq) as [X | X]; [lia |]. right.
        apply (scanned_on c s); [left; left; auto | destruct Sq; auto | exact Ab | exact Dg | exact (whole_table c s P Sq) | exact X].
      + left. exact (H_scan_waits s S0 Z1 Ab Q).
    - intros Z1 Od. rewrite (reads_at s 1 ltac:(lia) (H_reads_base s S0 Z1)).
      destruct P as [(_ & Ta & _) | [(Z2 & _) | [(Z2 & _) | (Z2 & _)]]]; try (rewrite Z1 in Z2; discriminate).
      apply Ta. pose proof (table_index s Z1 (or_introl S0)). lia.
  Qed.

  Lemma legal_one : forall c, requested c -> operand net ok c 1.
  Proof. intros c Rq. destruct (coprime_modulus c Rq) as [_ L]. apply residues; lia. Qed.

  Lemma asks_turn : forall c s, requested c -> keeps Begun c s -> begun W E B A DW CB SG PS net s -> abort net s = 0 -> asks net s = 1 ->
    accepts net s = 1 -> decided W E B A DW CB SG PS net (S s) ->
    keeps Decided c (S s) /\ operand net ok c (t net s) /\ operand net ok c (second net s) /\
    forall y, product (modulus net c) r ok y (t net s) (second net s) -> wants c (S s) y.
  Proof.
    intros c s Rq (O & P & Sc & Rd) S0 Ab A1 A2 S1. pose proof (sound_at Begun s S0 O) as Y. pose proof depth as Dp.
    destruct (coprime_modulus c Rq) as [Cp Ln].
    destruct (turn_on c s (or_introl S0) Ab Y P) as (P1 & O1 & Wo). destruct (stays_ s (or_introl S0) Ab Y) as ((T1 & G & E1 & L1) & Dg & N).
    split; [split; [exact O1 |]; split; [exact P1 |] |].
    - intros Sq. assert (Sq0 : squares s) by (unfold squares in *; rewrite G in Sq; exact Sq). pose proof (whole_table c s P Sq0) as Tb.
      destruct (window_bit s) as ([Z0 | Z1] & _).
      + destruct (Sc Sq0) as [X | X]; [lia |].
        apply (scanned_on c s); [left; left; auto | destruct Sq0; auto | exact Ab | exact Dg | exact Tb | exact X].
      + apply (scan_begun c s); assumption.
    - destruct (in_turn s (or_introl S0)) as (_ & _ & Sx & Tx & R & Rl).
      destruct P as [(Z1 & Ta & Ca & Ha & Hw) | [(Z1 & Ta & k & K0 & Ha & Hw) | [(Z1 & Ta & k & K0 & Ha & Hw) | (Z1 & Ha & Ca)]]];
        rewrite Z1 in Sx, Tx.
      + change (acc_is_second net s = 0) in Sx. change (read_is_second net s = entry net s mod 2) in Tx. specialize (R Z1).
        unfold second. rewrite Sx, Tx. change (0 =? 1) with false. cbv iota.
        pose proof (Z.mod_pos_bound (entry net s) 2 ltac:(lia)) as M2. pose proof (Z.div_mod (entry net s) 2 ltac:(lia)) as D2.
        destruct (Z.eqb_spec (entry net s mod 2) 1) as [Od | Ev].
        * specialize (Rd Z1 Od). split; [exact (proj1 Ha) |]. split; [exact (proj1 Rd) |]. intros y Py. apply Wo.
          split; [intros _ |]. { replace (entry net s) with (entry net s - 1 + 1) by ring. apply (multiplied _ r ok _ Cp Ln _ _ _ _ _ Py Ha Rd); lia. }
          rewrite Z1. split; [discriminate |]. split; discriminate.
        * split; [exact (proj1 Ha) |]. split; [exact (proj1 Ha) |]. intros y Py. apply Wo.
          split; [intros _ |]. { replace (entry net s) with (entry net s / 2 + entry net s / 2) by lia. apply (multiplied _ r ok _ Cp Ln _ _ _ _ _ Py Ha Ha); lia. }
          rewrite Z1. split; [discriminate |]. split; discriminate.
      + change (acc_is_second net s = 0) in Sx. change (read_is_second net s = 0) in Tx. specialize (Rl Z1).
        unfold second. rewrite Sx, Tx. change (0 =? 1) with false. cbv iota. split; [exact (proj1 Ha) |]. split; [exact (proj1 Ha) |].
        intros y Py. apply Wo. unfold wants. rewrite Z1. split; [discriminate |]. split; [intros _ | split; discriminate].
        exists k. split; [exact K0 |]. split; [| exact Hw]. pose proof (Z.pow_pos_nonneg 2 (DW - 1 - left_ net s) ltac:(lia) ltac:(lia)).
        replace (DW - left_ net s) with (DW - 1 - left_ net s + 1) by ring. rewrite Z.pow_add_r, Z.pow_1_r by lia.
        replace (k * (2 ^ (DW - 1 - left_ net s) * 2)) with (k * 2 ^ (DW - 1 - left_ net s) + k * 2 ^ (DW - 1 - left_ net s)) by ring.
        apply (multiplied _ r ok _ Cp Ln _ _ _ _ _ Py Ha Ha); nia.
      + change (acc_is_second net s = 1) in Sx. unfold second. rewrite Sx. change (1 =? 1) with true. cbv iota.
        destruct (H_product_waits s S0 Z1 A1 A2) as (Z2 & Z3). change (scans net s = 0) in Z2. change (starts net s = 0) in Z3.
        destruct (Sc (or_intror Z1)) as [X | [(X & _) | (_ & Hd)]]; [lia | lia |].
        split; [exact (proj1 Ha) |]. split; [exact (proj1 Hd) |]. intros y Py. apply Wo. unfold wants. rewrite Z1.
        split; [discriminate |]. split; [discriminate |]. split; [intros _ | discriminate]. exists k. split; [exact K0 |]. split; [| exact Hw].
        destruct (digit_range s) as [Dr _]. apply (multiplied _ r ok _ Cp Ln _ _ _ _ _ Py Ha Hd); nia.
      + change (acc_is_second net s = 1) in Sx. unfold second. rewrite Sx. change (1 =? 1) with true. cbv iota. rewrite Ca.
        split; [exact (proj1 Ha) |]. split; [apply legal_one, Rq |]. intros y Py. apply Wo. unfold wants. rewrite Z1.
        split; [discriminate |]. split; [discriminate |]. split; [discriminate |]. intros _. split; [exact (proj1 Py) |].
        apply (out_of _ r ok _ Cp Ln y (t net s) _ Py Ha).
  Qed.

  Lemma goes_turn : forall c f s, requested c -> keeps f c s -> at_state f s -> f = Decided \/ f = Loaded -> abort net s = 0 ->
    answers net s = 0 -> loaded W E B A DW CB SG PS net (S s) -> keeps Loaded c (S s) /\ forall y, wants c s y -> wants c (S s) y.
  Proof.
    intros c f s Rq P0 S0 F Ab V S1. pose proof depth as Dp.
    assert (S2 : decided W E B A DW CB SG PS net s \/ loaded W E B A DW CB SG PS net s) by (destruct F as [-> | ->]; [left | right]; exact S0).
    assert (P : at_ok net E s /\ turn c s /\ (squares s -> scanned c s)) by (destruct F as [-> | ->]; unfold keeps in P0; tauto).
    clear P0. destruct P as (O & P & Sc). pose proof (sound_at f s S0 O) as Y. pose proof (or_intror (conj S2 V) : waiting s) as Wa.
    destruct (turn_on c s Wa Ab Y P) as (P1 & O1 & Wo). destruct (stays_ s Wa Ab Y) as ((T1 & G & E1 & L1) & Dg & N).
    split; [| exact Wo]. split; [exact O1 |]. split; [exact P1 |]. unfold squares. rewrite G, E1. split.
    - intros Sq. 
      apply (scanned_on c s); [destruct S2; auto | destruct Sq; auto | exact Ab | exact Dg | exact (whole_table c s P Sq) | exact (Sc Sq)].
    - intros Z1 Od L. pose proof (table_index s Z1 (or_intror S2)) as R. unfold LAST in *.
      pose proof (H_reads_half s S2 Z1 Od) as Q. change (address net s = (entry net s + 1) / 2 mod 2 ^ (DW - 1)) in Q.
      assert (P2 : 2 ^ DW = 2 * 2 ^ (DW - 1)) by (rewrite <- Z.pow_succ_r by lia; f_equal; lia).
      pose proof (Z.div_mod (entry net s) 2 ltac:(lia)) as D2. rewrite Od in D2. set (h := entry net s / 2) in *.
      assert (H2 : (entry net s + 1) / 2 = h + 1) by (replace (entry net s + 1) with ((h + 1) * 2) by lia; apply Z.div_mul; lia).
      rewrite H2 in *. rewrite Z.mod_small in Q by lia. rewrite (reads_at s (h + 1) ltac:(lia) Q).
      destruct P as [(_ & Ta & _) | [(Z2 & _) | [(Z2 & _) | (Z2 & _)]]]; try (rewrite Z1 in Z2; discriminate). apply Ta. lia.
  Qed.

  (* With the response of a turn. *)
  Lemma taken_turn : forall c s, requested c -> keeps Loaded c s -> loaded W E B A DW CB SG PS net s -> abort net s = 0 -> answers net s = 1 ->
    step net s <> 5 -> wants c s (p net s) -> begun W E B A DW CB SG PS net (S s) /\ nq net (S s) = nq net s /\ keeps Begun c (S s).
  Proof.
    intros c s Rq (O & P & Sc & Rd) S0 Ab V N5 (W1 & W2 & W3 & _). pose proof depth as Dp. pose proof (sound_at Loaded s S0 O) as Y.
    pose proof Y as (Y1 & Y2 & Y3 & _). destruct (in_turn s (or_intror (or_intror S0))) as (F & G & _ & _ & R & Rl).
    assert (on : forall v, digit_taken net s = 0 -> whole c v s -> whole c v (S s) /\ at_ok net E (S s) /\ digit net (S s) = digit net s).
    { intros v N H. destruct (whole_on c Loaded s v S0 Y N) as [H1 O1]; [intros Wt; destruct (first_turns s F Loaded S0 Wt) | exact H |].
      destruct (H_digit_stays s Y1 Y2 Y3 N) as [Dg _]. auto. }
    assert (next : forall v, digit_taken net s = 1 -> whole c v s -> whole c (v * 2 ^ DW + digit net (S s)) (S s) /\ at_ok net E (S s)).
    { intros v N H. destruct (rest_given Loaded s v S0 Y N) as (Q & O1 & _). unfold whole in *. rewrite Q. auto. }
    assert (last : forall v, filling net s = 1 /\ lacks net s = DW /\ bit_valid net s = 0 /\ found net s = 0 /\ more net s = 0 ->
      digit_taken net s = 0 -> whole c v s -> e c = v /\ at_ok net E (S s)).
    { intros v (F1 & L1 & B1 & F2 & M1) N H. destruct (on v N H) as (_ & O1 & _). split; [| exact O1]. unfold whole, weight, rest in H. rewrite F1, L1 in H.
      unfold count, value, to_read, unread in H. rewrite B1, F2, M1 in H. rewrite Z.sub_diag, Z.pow_0_r, Z.mod_1_r in H. change (0 =? 1) with false in H.
      cbv iota in H. destruct (1 + valid net s =? 1); change (2 ^ (0 + (0 + 0) + 0)) with 1 in H; change (2 ^ (0 + (0 + 0))) with 1 in H; lia. }
    assert (Ts : step net s <> 1 -> table_of c (2 ^ DW) s -> table_of c (2 ^ DW) (S s)).
    { intros N1 H j J. replace (T j (S s)) with (T j s); [apply H, J |]. symmetry.
      apply (H_table_stays s j ltac:(lia)); [right; split; [exact S0 |]; change (1 < step net s); lia | exact Ab]. }
    destruct P as [(Z1 & Ta & Ca & Ha & Hw) | [(Z1 & Ta & _) | [(Z1 & Ta & _) | (Z1 & _)]]]; [| | | contradiction].
    - specialize (R Z1). specialize (W1 Z1). pose proof (Z.mod_pos_bound (entry net s) 2 ltac:(lia)) as M2. pose proof (Z.div_mod (entry net s) 2 ltac:(lia)) as D2.
      assert (Tk : forall z, z <= entry net s + 1 -> table_of c z (S s)).
      { intros z L j J. assert (Q : T j (S s) = if entry net s =? j then p net s else T j s)
          by (apply (H_table_takes s j ltac:(unfold LAST in R; lia)); assumption).
        rewrite Q. destruct (Z.eqb_spec (entry net s) j) as [<- | X]; [exact W1 | apply Ta; lia]. }
      assert (Cd : digit net s < entry net s + 1 -> st c (digit net s) (if entry net s =? digit net s then p net s else acc net s)).
      { intros L. destruct (Z.eqb_spec (entry net s) (digit net s)) as [<- | X]; [exact W1 | apply Ca; lia]. }
      destruct (Z_lt_ge_dec (entry net s) LAST) as [L | L].
      + destruct (H_entry s S0 Z1 L Ab V) as (S1 & N1 & G1 & T1 & C1 & E1 & N). change (step net (S s) = 1) in G1.
        change (t net (S s) = if entry net s mod 2 =? 1 then read net s else p net s) in T1. change (entry net (S s) = entry net s + 1) in E1.
        change (acc net (S s) = if entry net s =? digit net s then p net s else acc net s) in C1.
        destruct (on _ N Hw) as (Hw1 & O1 & Dg). split; [exact S1 |]. split; [exact N1 |]. split; [exact O1 |]. split; [| split].
        * left. rewrite G1, E1, Dg, C1, T1. split; [reflexivity |]. split; [apply Tk; lia |]. split; [exact Cd |]. split; [| exact Hw1].
          pose proof (Z.mod_pos_bound (entry net s + 1) 2 ltac:(lia)) as M3. pose proof (Z.div_mod (entry net s + 1) 2 ltac:(lia)) as D3.
          destruct (Z.eqb_spec (entry net s mod 2) 1) as [Od | Ev]; destruct (Z.eqb_spec ((entry net s + 1) mod 2) 1) as [Od1 | Ev1]; try lia.
          -- exact (Rd Z1 Od L).
          -- replace (entry net s + 1 - 1) with (entry net s) by ring. exact W1.
        * intros [Q | Q]; rewrite G1 in Q; discriminate.
        * intros _ Od. rewrite E1 in Od. pose proof (Z.div_mod (entry net s + 1) 2 ltac:(lia)) as D3.
          assert (A1 : address net s = 1) by (apply H_reads_again; [right; exact S0 | exact Z1 | change (entry net s mod 2 = 0); lia]).
          rewrite (reads_at s 1 ltac:(lia) A1). apply Ta. lia.
      + assert (EL : entry net s = LAST) by lia. destruct (digit_range s) as [Dr _].
        assert (Td : st c (digit net s) (if entry net s =? digit net s then p net s else acc net s)) by (apply Cd; unfold LAST in EL; lia).
        destruct (window_bit s) as (_ & _ & [Dv | Dv] & _).
        * destruct (H_table_leaves s S0 Z1 EL Dv Ab V) as (S1 & N1 & G1 & T1 & N & C1). change (step net (S s) = 5) in G1.
          change (t net (S s) = if entry net s =? digit net s then p net s else acc net s) in T1. change (acc net (S s) = 1) in C1.
          destruct (last _ (H_no_digit s S0 (or_intror (conj Z1 EL)) Dv) N Hw) as [Q O1].
          split; [exact S1 |]. split; [exact N1 |]. split; [exact O1 |]. split; [| split].
          -- right. right. right. rewrite G1, T1, C1, Q. auto.
          -- intros [X | X]; rewrite G1 in X; discriminate.
          -- intros X. rewrite G1 in X. discriminate.
        * destruct (H_table_done s S0 Z1 EL Dv Ab V) as (S1 & N1 & G1 & T1 & N & St1 & L1). change (step net (S s) = 2) in G1.
          change (t net (S s) = if entry net s =? digit net s then p net s else acc net s) in T1. change (starts net (S s) = 1) in St1.
          change (left_ net (S s) = DW - 1) in L1. destruct (next _ N Hw) as [Hw1 O1].
          split; [exact S1 |]. split; [exact N1 |]. split; [exact O1 |]. split; [| split].
          -- right. left. rewrite G1, T1, L1. split; [reflexivity |]. split; [apply Tk; unfold LAST in EL; lia |]. exists (digit net s).
             split; [lia |]. split; [| exact Hw1]. rewrite Z.sub_diag, Z.pow_0_r, Z.mul_1_r. exact Td.
          -- intros _. left. exact St1.
          -- intros X. rewrite G1 in X. discriminate.
    - specialize (Rl Z1). destruct (W2 Z1) as (k & K0 & Pk & Hw). assert (N1' : step net s <> 1) by lia.
      assert (SS : forall f0, digit net (S s) = digit net s -> f0 = scanned c (S s) -> f0).
      { intros f0 Dg ->. apply (scanned_on c s); [right; exact S0 | left; exact Z1 | exact Ab | exact Dg | exact Ta | exact (Sc (or_introl Z1))]. }
      destruct (Z_lt_ge_dec 0 (left_ net s)) as [L | L].
      + destruct (H_square s S0 Z1 L Ab V) as (S1 & N1 & G1 & T1 & L1 & N). change (step net (S s) = 2) in G1. change (t net (S s) = p net s) in T1.
        change (left_ net (S s) = left_ net s - 1) in L1. destruct (on _ N Hw) as (Hw1 & O1 & Dg).
        split; [exact S1 |]. split; [exact N1 |]. split; [exact O1 |]. split; [| split].
        * right. left. rewrite G1, T1, L1, Dg. split; [reflexivity |]. split; [exact (Ts N1' Ta) |]. exists k. split; [exact K0 |]. split; [| exact Hw1].
          replace (DW - 1 - (left_ net s - 1)) with (DW - left_ net s) by ring. exact Pk.
        * intros _. right. exact (SS _ Dg eq_refl).
        * intros X. rewrite G1 in X. discriminate.
      + assert (L0 : left_ net s = 0) by lia. destruct (H_squared s S0 Z1 L0 Ab V) as (S1 & N1 & G1 & T1 & N). change (step net (S s) = 3) in G1.
        change (t net (S s) = p net s) in T1. destruct (on _ N Hw) as (Hw1 & O1 & Dg).
        split; [exact S1 |]. split; [exact N1 |]. split; [exact O1 |]. split; [| split].
        * right. right. left. rewrite G1, T1, Dg. split; [reflexivity |]. split; [exact (Ts N1' Ta) |]. exists k. split; [exact K0 |].
          split; [| exact Hw1]. rewrite L0, Z.sub_0_r in Pk. exact Pk.
        * intros _. right. exact (SS _ Dg eq_refl).
        * intros X. rewrite G1 in X. discriminate.
    - destruct (W3 Z1) as (k & K0 & Pk & Hw). assert (N1' : step net s <> 1) by lia. destruct (digit_range s) as [Dr _].
      destruct (window_bit s) as (_ & _ & [Dv | Dv] & _).
      + destruct (H_leaves s S0 Z1 Dv Ab V) as (S1 & N1 & G1 & T1 & N & C1). change (step net (S s) = 5) in G1. change (t net (S s) = p net s) in T1.
        change (acc net (S s) = 1) in C1. destruct (last _ (H_no_digit s S0 (or_introl Z1) Dv) N Hw) as [Q O1].
        split; [exact S1 |]. split; [exact N1 |]. split; [exact O1 |]. split; [| split].
        * right. right. right. rewrite G1, T1, C1, Q. auto.
        * intros [X | X]; rewrite G1 in X; discriminate.
        * intros X. rewrite G1 in X. discriminate.
      + destruct (H_product s S0 Z1 Dv Ab V) as (S1 & N1 & G1 & T1 & N & St1 & L1). change (step net (S s) = 2) in G1. change (t net (S s) = p net s) in T1.
        change (starts net (S s) = 1) in St1. change (left_ net (S s) = DW - 1) in L1. destruct (next _ N Hw) as [Hw1 O1].
        split; [exact S1 |]. split; [exact N1 |]. split; [exact O1 |]. split; [| split].
        * right. left. rewrite G1, T1, L1. split; [reflexivity |]. split; [exact (Ts N1' Ta) |]. exists (k * 2 ^ DW + digit net s). split; [nia |].
          split; [| exact Hw1]. rewrite Z.sub_diag, Z.pow_0_r, Z.mul_1_r. exact Pk.
        * intros _. left. exact St1.
        * intros X. rewrite G1 in X. discriminate.
  Qed.

  Theorem powers : power net E r (suited net request_constant suits).
  Proof.
    eapply modexp.powers with (W := W) (A := A) (DW := DW) (keeps := keeps) (wants := wants); try eassumption.
    - exact starts_.
    - exact first_on.
    - exact enters_turn.
    - exact waits_turn.
    - exact asks_turn.
    - exact goes_turn.
    - exact taken_turn.
    - intros c s y Rq _ _ Z5 (_ & _ & _ & Q). exact (Q Z5).
  Qed.
End Chain.
