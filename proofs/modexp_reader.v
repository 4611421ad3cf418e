(* SPDX-License-Identifier: Apache-2.0 *)
(* The reader of mf_modexp's exponent: the bits that are still to come, and their value. *)
From Coq Require Import ZArith Lia String.
Require Import Contract Powers modexp_lemmas.
Open Scope string_scope. Open Scope Z_scope.
Set Default Proof Using "All".

Section Nets.
  Variable net : trace.
  Definition busy := net "u_chains.gen_chain[0].u_chain.u_control.busy_q".
  Definition idle := net "u_chains.gen_chain[0].u_chain.u_control.idle_q".
  Definition wipe := net "u_chains.gen_chain[0].u_chain.u_control.wipe_q".
  Definition bit_valid := net "u_chains.gen_chain[0].u_chain.u_exponent.valid_q".
  Definition bit := net "u_chains.gen_chain[0].u_chain.u_exponent.bit_q".
  Definition found := net "u_chains.gen_chain[0].u_chain.u_exponent.found_q".
  Definition more := net "u_chains.gen_chain[0].u_chain.u_exponent.any_q".
  Definition at_ := net "u_chains.gen_chain[0].u_chain.u_exponent.at_q".
  Definition empty := net "u_chains.gen_chain[0].u_chain.u_exponent.empty_q".
  Definition exponent := net "u_chains.gen_chain[0].u_chain.u_exponent.gen_registers.e_q".
  Definition word := net "u_chains.gen_chain[0].u_chain.u_exponent.gen_registers.word_q".
  Definition chosen := net "u_chains.gen_chain[0].u_chain.u_exponent.select_q".
  Definition digit := net "u_chains.gen_chain[0].u_chain.u_control.digit_q".
  Definition first_ := net "u_chains.gen_chain[0].u_chain.u_control.first_q".
  Definition take := net "u_chains.gen_chain[0].u_chain.u_exponent.take_i".
  (* the bits of the exponent that come: how many, and their value *)
  Definition source s := if empty s =? 1 then 0 else exponent s.
  Definition to_read s := if more s =? 1 then at_ s + 1 else 0.
  Definition unread s := if more s =? 1 then source s mod 2 ^ (at_ s + 1) else 0.
  Definition found_bit s := if empty s =? 1 then 0 else (word s / 2 ^ chosen s) mod 2.
  Definition count s := bit_valid s + (found s + to_read s).
  Definition value s := bit_valid s * (bit s * 2 ^ (found s + to_read s)) + (found s * (found_bit s * 2 ^ to_read s) + unread s).
  Definition at_ok E s := more s = 1 -> at_ s < E.
End Nets.

Section Reader.
  Variables (W E B A DW CB SG PS : Z) (net : trace).
  Hypotheses (exponent_bits : 1 <= E) (H_bounds : bounds W E B A DW CB SG PS net) (H_quiet : quiet_on W E B A DW CB SG PS net) (H_bits : bits W E B A DW CB SG PS net)
    (H_reset : quiet_at_reset W E B A DW CB SG PS net) (H_loads : exponent_loads W E B A DW CB SG PS net) (H_bit : bit_moves W E B A DW CB SG PS net)
    (H_bit_stays : bit_stays W E B A DW CB SG PS net) (H_word : word_moves W E B A DW CB SG PS net) (H_read : word_read W E B A DW CB SG PS net)
    (H_word_stays : word_stays W E B A DW CB SG PS net) (H_exponent : exponent_stays W E B A DW CB SG PS net).

  Lemma one_bit : forall s, (bit_valid net s = 0 \/ bit_valid net s = 1) /\ (found net s = 0 \/ found net s = 1) /\
    (more net s = 0 \/ more net s = 1) /\ (take net s = 0 \/ take net s = 1) /\ (first_ net s = 0 \/ first_ net s = 1).
  Proof. intros s. destruct (H_bits s) as (V & F & M & T & G & _). auto. Qed.

  Lemma at_range : forall s, 0 <= at_ net s < 2 ^ (Z.max (Z.log2_up ((E + 31) / 32)) 1 + 5).
  Proof. intros s. destruct (H_bounds s) as (L & U & _). exact (conj L U). Qed.

  Definition sound s := busy net s = 1 /\ idle net s = 0 /\ wipe net s = 0 /\ at_ok net E s.

  Lemma source_stays : forall s, sound s -> source net (S s) = source net s /\ empty net (S s) = empty net s.
  Proof.
    intros s (Y & I & _). destruct (H_exponent s Y I) as [E1 E2]. unfold source. change (exponent net (S s) = exponent net s) in E1.
    change (empty net (S s) = empty net s) in E2. rewrite E1, E2. auto.
  Qed.

  (* The word register takes a bit of those to be read. *)
  Lemma fetched : forall s, sound s -> (bit_valid net s = 0 \/ take net s = 1) \/ found net s = 0 ->
    found net (S s) + to_read net (S s) = to_read net s /\
    found net (S s) * (found_bit net (S s) * 2 ^ to_read net (S s)) + unread net (S s) = unread net s /\
    at_ok net E (S s).
  Proof.
    unfold at_ok. intros s Y D. destruct (source_stays s Y) as [E1 E2]. destruct Y as (Y & I & _ & a_range). unfold at_ok in a_range.
    destruct (H_word s Y D) as (F & M & T). change (found net (S s) = more net s) in F.
    change (more net (S s) = if at_ net s =? 0 then 0 else more net s) in M.
    change (at_ net (S s) = (at_ net s - 1) mod 2 ^ (Z.max (Z.log2_up ((E + 31) / 32)) 1 + 5)) in T.
    pose proof (at_range s) as G.
    destruct (one_bit s) as (_ & _ & [X | X] & _).
    - unfold to_read, unread. rewrite F, M, X. destruct (at_ net s =? 0); cbn; lia.
    - specialize (a_range X).
      assert (N : at_ net s < (E + 31) / 32 * 32) by (pose proof (Z.div_mod (E + 31) 32 ltac:(lia)); pose proof (Z.mod_pos_bound (E + 31) 32 ltac:(lia)); lia).
      pose proof (H_read s Y D N) as Q.
      change ((word net (S s) / 2 ^ chosen net (S s)) mod 2 = (exponent net s / 2 ^ at_ net s) mod 2) in Q.
      unfold to_read, unread, found_bit. rewrite F, M, X, E1, E2, Q. unfold source.
      destruct (Z.eqb_spec (at_ net s) 0) as [Z0 | Z0].
      + change (1 =? 1) with true. change (0 =? 1) with false. cbv iota. rewrite Z0, Z.pow_0_r, Z.div_1_r, Z.add_0_l, Z.pow_1_r.
        split; [lia |]. split; [| discriminate]. destruct (empty net s =? 1); [rewrite Z.mod_0_l by lia |]; lia.
      + rewrite Z.mod_small in T by lia. rewrite T. change (1 =? 1) with true. cbv iota. replace (at_ net s - 1 + 1) with (at_ net s) by lia.
        split; [lia |]. split; [| lia]. destruct (empty net s =? 1); [rewrite !Z.mod_0_l by (apply Z.pow_nonzero; lia); lia |].
        rewrite (top_bit _ (at_ net s)) by lia. lia.
  Qed.

  Lemma reader_waits : forall s, sound s -> take net s = 0 \/ bit_valid net s = 0 ->
    count net (S s) = count net s /\ value net (S s) = value net s /\ at_ok net E (S s).
  Proof.
    unfold at_ok. intros s Y N. destruct (source_stays s Y) as [E1 E2]. pose proof Y as (Y1 & _ & _ & a_range). unfold at_ok in a_range.
    destruct (one_bit s) as ([V | V] & bits_found & _).
    - destruct (fetched s Y) as (F1 & F2 & F3); [auto |]. destruct (H_bit s Y1 (or_introl V)) as [B1 B2].
      change (bit_valid net (S s) = found net s) in B1. change (bit net (S s) = found_bit net s) in B2.
      unfold count, value. rewrite F1, F2, B1, B2, V. repeat split; try lia; exact F3.
    - assert (N0 : take net s = 0) by lia. clear N. rename N0 into N. destruct (H_bit_stays s Y1 V N) as [B1 B2]. change (bit_valid net (S s) = bit_valid net s) in B1. change (bit net (S s) = bit net s) in B2.
      destruct bits_found as [F | F].
      + destruct (fetched s Y) as (F1 & F2 & F3); [auto |]. unfold count, value. rewrite F1, F2, B1, B2, F. repeat split; try lia; exact F3.
      + destruct (H_word_stays s Y1 V F N) as (K1 & K2 & K3 & K4 & K5).
        change (found net (S s) = found net s) in K1. change (more net (S s) = more net s) in K2. change (at_ net (S s) = at_ net s) in K3.
        change (word net (S s) = word net s) in K4. change (chosen net (S s) = chosen net s) in K5.
        unfold count, value, to_read, unread, found_bit. rewrite K1, K2, K3, K4, K5, B1, B2, E1, E2. auto.
  Qed.

  Lemma reader_takes : forall s, sound s -> bit_valid net s = 1 -> take net s = 1 ->
    count net s = count net (S s) + 1 /\ value net s = bit net s * 2 ^ count net (S s) + value net (S s) /\
    at_ok net E (S s).
  Proof.
    unfold at_ok. intros s Y V N. destruct (fetched s Y) as (F1 & F2 & F3); [auto |]. destruct Y as (Y1 & _).
    destruct (H_bit s Y1 (or_intror N)) as [B1 B2]. change (bit_valid net (S s) = found net s) in B1. change (bit net (S s) = found_bit net s) in B2.
    unfold count, value. rewrite F1, F2, B1, B2, V. repeat split; try lia; exact F3.
  Qed.

  (* After a request all of the exponent comes. *)
  Lemma reader_starts : forall c, net "req_valid_i" c = 1 -> net "req_ready_o" c = 1 -> net "e_len_i" c <= E ->
    net "e_i" c < 2 ^ net "e_len_i" c ->
    at_ok net E (S c) /\ first_ net (S c) = 1 /\ value net (S c) = net "e_i" c.
  Proof.
    intros c V Y L U. destruct (H_bounds c) as (_ & _ & _ & _ & _ & E0 & L0).
    assert (Q : forall s, quiet W E B A DW CB SG PS net s) by (induction s; [apply H_reset; reflexivity | apply H_quiet; assumption]).
    destruct (H_loads c (Q c) V Y L) as (S6 & S7 & S8 & S9 & S10 & S11 & S12).
    change (exponent net (S c) = net "e_i" c) in S6. change (0 <= net "e_i" c) in E0.
    change (empty net (S c) = if net "e_len_i" c =? 0 then 1 else 0) in S7. change (more net (S c) = 1) in S9.
    change (at_ net (S c) = if net "e_len_i" c =? 0 then 0 else net "e_len_i" c - 1) in S8. change (first_ net (S c) = 1) in S10.
    change (found net (S c) = 0) in S11. change (bit_valid net (S c) = 0) in S12. set (len := net "e_len_i" c) in *.
    split; [intros _; fold (at_ net (S c)); rewrite S8; destruct (Z.eqb_spec len 0); lia |]. split; [exact S10 |].
    unfold value, unread, source. rewrite S9, S11, S12, S6, S7, S8. change (1 =? 1) with true. cbv iota.
    destruct (Z.eqb_spec len 0) as [Z0 | Z0]; [rewrite Z0 in U | ].
    - change (2 ^ 0) with 1 in U. change (1 =? 1) with true. cbv iota. rewrite Z.mod_0_l by (apply Z.pow_nonzero; lia). lia.
    - change (0 =? 1) with false. cbv iota. replace (len - 1 + 1) with len by lia. rewrite Z.mod_small by lia. lia.
  Qed.

  Lemma count_range : forall s, 0 <= count net s.
  Proof.
    intros s. destruct (one_bit s) as (V & F & _). unfold count, to_read. pose proof (at_range s). destruct (more net s =? 1); lia.
  Qed.
End Reader.
