(* SPDX-License-Identifier: Apache-2.0 *)
(* mf_modexp, one chain on one multiplier whose results are below n, two turns for each bit of the exponent: from the nets of the RTL to
   the power, for every width. The hypotheses are lemmas that montforge prints into modexp_lemmas.v, and proves on the RTL; the
   multiplier's contract; and what the turns of the algorithm do, which is in modexp_ALGORITHM.v. *)
From Coq Require Import ZArith Lia String.
Require Import DigitRecurrence WordSerial Contract Powers modexp_lemmas.
Open Scope string_scope. Open Scope Z_scope.
Set Default Proof Using "All".

Definition PART := "u_chains.gen_alone.u_multipliers.u_multiplier.u_part.".

Section Nets.
  Variable net : trace.
  Definition part name := net (append PART name).
  Definition t := net "u_chains.gen_chain[0].u_chain.t_s_q".
  Definition acc := net "u_chains.gen_chain[0].u_chain.acc_s_q".
  Definition nq := net "u_chains.gen_chain[0].u_chain.n_q".
  Definition one := net "u_chains.gen_chain[0].u_chain.gen_one_word.word_q".
  Definition step := net "u_chains.gen_chain[0].u_chain.u_control.step_q".
  Definition digit := net "u_chains.gen_chain[0].u_chain.u_control.digit_q".
  Definition first_ := net "u_chains.gen_chain[0].u_chain.u_control.first_q".
  Definition passes := net "u_chains.gen_chain[0].u_chain.u_control.pass_q".
  Definition words := net "u_chains.gen_chain[0].u_chain.u_control.words_q".
  Definition wrong := net "u_chains.gen_chain[0].u_chain.u_control.error_enter".
  Definition take := net "u_chains.gen_chain[0].u_chain.u_control.digit_take_o".
  Definition acc_is_second := net "u_chains.gen_chain[0].u_chain.u_control.b_acc_q".
  Definition busy := net "u_chains.gen_chain[0].u_chain.u_control.busy_q".
  Definition idle := net "u_chains.gen_chain[0].u_chain.u_control.idle_q".
  Definition wipe := net "u_chains.gen_chain[0].u_chain.u_control.wipe_q".
  Definition done := net "u_chains.gen_chain[0].u_chain.u_control.done_q".
  Definition error := net "u_chains.gen_chain[0].u_chain.u_control.error_q".
  Definition bit_valid := net "u_chains.gen_chain[0].u_chain.u_exponent.valid_q".
  Definition bit := net "u_chains.gen_chain[0].u_chain.u_exponent.bit_q".
  Definition found := net "u_chains.gen_chain[0].u_chain.u_exponent.found_q".
  Definition more := net "u_chains.gen_chain[0].u_chain.u_exponent.any_q".
  Definition at_ := net "u_chains.gen_chain[0].u_chain.u_exponent.at_q".
  Definition empty := net "u_chains.gen_chain[0].u_chain.u_exponent.empty_q".
  Definition exponent := net "u_chains.gen_chain[0].u_chain.u_exponent.gen_registers.e_q".
  Definition word := net "u_chains.gen_chain[0].u_chain.u_exponent.gen_registers.word_q".
  Definition chosen := net "u_chains.gen_chain[0].u_chain.u_exponent.select_q".
  Definition asks := net "u_chains.gen_alone.u_multipliers.u_multiplier.u_part.req_valid_i".
  Definition accepts := net "u_chains.gen_alone.u_multipliers.u_multiplier.u_part.req_ready_o".
  Definition answers := net "u_chains.gen_alone.u_multipliers.u_multiplier.u_part.rsp_valid_o".
  Definition takes := net "u_chains.gen_alone.u_multipliers.u_multiplier.u_part.rsp_ready_i".
  Definition p := net "u_chains.gen_alone.u_multipliers.u_multiplier.u_part.p_o".
  Definition abort := net "abort_i".
  (* the second operand *)
  Definition second s := if acc_is_second s =? 1 then acc s else t s.
  (* the bits of the exponent that come: how many, and their value *)
  Definition source s := if empty s =? 1 then 0 else exponent s.
  Definition to_read s := if more s =? 1 then at_ s + 1 else 0.
  Definition unread s := if more s =? 1 then source s mod 2 ^ (at_ s + 1) else 0.
  Definition found_bit s := if empty s =? 1 then 0 else (word s / 2 ^ chosen s) mod 2.
  Definition count s := bit_valid s + (found s + to_read s).
  Definition value s := bit_valid s * (bit s * 2 ^ (found s + to_read s)) + (found s * (found_bit s * 2 ^ to_read s) + unread s).
End Nets.

Section Chain.
  Variables (W E B A : Z) (net : trace).
  Hypotheses (adder : 1 <= A) (width : 3 <= W) (exponent_bits : 1 <= E).
  Hypotheses (H_bits : bits W E B A net) (H_bounds : bounds W E B A net) (H_quiet : quiet_on W E B A net) (H_reset : quiet_at_reset W E B A net)
    (H_ports : ports W E B A net) (H_part_ports : part_ports W E B A net) (H_stays : stays W E B A net) (H_accept : accept W E B A net)
    (H_bit : bit_moves W E B A net) (H_bit_stays : bit_stays W E B A net) (H_word : word_moves W E B A net)
    (H_read : word_read W E B A net) (H_word_stays : word_stays W E B A net) (H_exponent : exponent_stays W E B A net)
    (H_digit : digit_moves W E B A net) (H_digit_stays : digit_stays W E B A net) (H_running : running W E B A net)
    (H_x_waits : waits_for_x W E B A net) (H_x : x_enters W E B A net) (H_first : first_bit W E B A net) (H_no_bit : no_bit W E B A net)
    (H_last : last_operand W E B A net)
    (H_entering : entering_waits W E B A net) (H_asks : entering_asks W E B A net) (H_checking : checking_on W E B A net)
    (H_rotates : rotates W E B A net) (H_rotated : rotated W E B A net) (H_rests : rests W E B A net)
    (H_entered : entered_waits W E B A net) (H_refuses : refuses W E B A net)
    (H_begun : begun_waits W E B A net) (H_begun_asks : begun_asks W E B A net) (H_decided : decided_waits W E B A net)
    (H_loaded : loaded_waits W E B A net) (H_left : left W E B A net).

  Lemma quiet_always : forall s, quiet W E B A net s.
  Proof. induction s; [apply H_reset; reflexivity | apply H_quiet; assumption]. Qed.

  Lemma one_bit : forall s, (bit_valid net s = 0 \/ bit_valid net s = 1) /\ (found net s = 0 \/ found net s = 1) /\
    (more net s = 0 \/ more net s = 1) /\ (take net s = 0 \/ take net s = 1) /\ (first_ net s = 0 \/ first_ net s = 1) /\
    (passes net s = 0 \/ passes net s = 1) /\ (asks net s = 0 \/ asks net s = 1) /\ (accepts net s = 0 \/ accepts net s = 1) /\
    (answers net s = 0 \/ answers net s = 1) /\ (wrong net s = 0 \/ wrong net s = 1) /\
    (digit net s = 0 \/ digit net s = 1) /\ (bit net s = 0 \/ bit net s = 1).
  Proof. exact H_bits. Qed.

  Lemma at_range : forall s, 0 <= at_ net s < 2 ^ (Z.max (Z.log2_up ((E + 31) / 32)) 1 + 5).
  Proof. intros s. destruct (H_bounds s) as (L & U & _). exact (conj L U). Qed.

  (* ---------------------------------------------------------------- the exponent's reader *)
  Definition sound s := busy net s = 1 /\ idle net s = 0 /\ wipe net s = 0 /\ (more net s = 1 -> at_ net s < E).

  Lemma source_stays : forall s, sound s -> source net (S s) = source net s /\ empty net (S s) = empty net s.
  Proof.
    intros s (Y & I & _). destruct (H_exponent s Y I) as [E1 E2]. unfold source. change (exponent net (S s) = exponent net s) in E1.
    change (empty net (S s) = empty net s) in E2. rewrite E1, E2. auto.
  Qed.

  (* The word register takes a bit of those to be read. *)
  Lemma fetched : forall s, sound s -> (bit_valid net s = 0 \/ take net s = 1) \/ found net s = 0 ->
    found net (S s) + to_read net (S s) = to_read net s /\
    found net (S s) * (found_bit net (S s) * 2 ^ to_read net (S s)) + unread net (S s) = unread net s /\
    (more net (S s) = 1 -> at_ net (S s) < E).
  Proof.
    intros s Y D. destruct (source_stays s Y) as [E1 E2]. destruct Y as (Y & I & _ & a_range).
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

  Lemma reader_waits : forall s, sound s -> take net s = 0 ->
    count net (S s) = count net s /\ value net (S s) = value net s /\ (more net (S s) = 1 -> at_ net (S s) < E).
  Proof.
    intros s Y N. destruct (source_stays s Y) as [E1 E2]. pose proof Y as (Y1 & _ & _ & a_range).
    destruct (one_bit s) as ([V | V] & bits_found & _).
    - destruct (fetched s Y) as (F1 & F2 & F3); [auto |]. destruct (H_bit s Y1 (or_introl V)) as [B1 B2].
      change (bit_valid net (S s) = found net s) in B1. change (bit net (S s) = found_bit net s) in B2.
      unfold count, value. rewrite F1, F2, B1, B2, V. repeat split; try lia; exact F3.
    - destruct (H_bit_stays s Y1 V N) as [B1 B2]. change (bit_valid net (S s) = bit_valid net s) in B1. change (bit net (S s) = bit net s) in B2.
      destruct bits_found as [F | F].
      + destruct (fetched s Y) as (F1 & F2 & F3); [auto |]. unfold count, value. rewrite F1, F2, B1, B2, F. repeat split; try lia; exact F3.
      + destruct (H_word_stays s Y1 V F N) as (K1 & K2 & K3 & K4 & K5).
        change (found net (S s) = found net s) in K1. change (more net (S s) = more net s) in K2. change (at_ net (S s) = at_ net s) in K3.
        change (word net (S s) = word net s) in K4. change (chosen net (S s) = chosen net s) in K5.
        unfold count, value, to_read, unread, found_bit. rewrite K1, K2, K3, K4, K5, B1, B2, E1, E2. auto.
  Qed.

  Lemma reader_takes : forall s, sound s -> bit_valid net s = 1 -> take net s = 1 ->
    count net s = count net (S s) + 1 /\ value net s = bit net s * 2 ^ count net (S s) + value net (S s) /\
    (more net (S s) = 1 -> at_ net (S s) < E).
  Proof.
    intros s Y V N. destruct (fetched s Y) as (F1 & F2 & F3); [auto |]. destruct Y as (Y1 & _).
    destruct (H_bit s Y1 (or_intror N)) as [B1 B2]. change (bit_valid net (S s) = found net s) in B1. change (bit net (S s) = found_bit net s) in B2.
    unfold count, value. rewrite F1, F2, B1, B2, V. repeat split; try lia; exact F3.
  Qed.

  Lemma count_range : forall s, 0 <= count net s.
  Proof.
    intros s. destruct (one_bit s) as (V & F & _). unfold count, to_read. pose proof (at_range s). destruct (more net s =? 1); lia.
  Qed.

  (* ---------------------------------------------------------------- a request *)
  Section Algorithm.
  (* R = 2^r, the bound of operands and results in moduli, the multiplier's cycles *)
  Variables (r m : Z) (least most : nat).
  (* What t and acc hold within a bit of the exponent: what stands for which power, the step, the bit, the number of the bits before it,
     t, acc. *)
  Variable M : (Z -> Z -> Prop) -> Z -> Z -> Z -> Z -> Z -> Prop.
  Hypotheses (r_range : 0 <= r) (m_range : 1 <= m) (fits : m * 2 ^ W <= 2 ^ B) (least_2 : (2 <= least)%nat).
  Hypothesis H_part : multiplier (part net) (part net "a_i") (part net "b_i") (part net "n_i") (part net "p_o") least most (2 ^ r)
    (fun c => part net "n_i" c mod 2 = 1 /\ 3 <= part net "n_i" c) (fun n x => 0 <= x < m * n) (fun n x => 0 <= x < m * n).
  Hypothesis M_legal : forall n x st d k a b, M (stands n r m x) st d k a b -> 0 <= a < m * n /\ 0 <= b < m * n.
  Hypothesis M_enters : forall s n x, entered W E B A net s -> abort net s = 0 -> answers net s = 1 -> wrong net s = 0 ->
    stands n r m x 1 (p net s) -> stands n r m x 0 (one net s) ->
    begun W E B A net (S s) /\ nq net (S s) = nq net s /\ take net s = 0 /\ step net (S s) <> 5 /\
    M (stands n r m x) (step net (S s)) (digit net s) 0 (t net (S s)) (acc net (S s)).
  Hypothesis M_taken : forall s n x k, n mod 2 = 1 -> 3 <= n -> 0 <= k -> loaded W E B A net s -> step net s <> 5 -> abort net s = 0 ->
    answers net s = 1 -> M (stands n r m x) (step net s) (digit net s) k (t net s) (acc net s) ->
    product n r m (p net s) (t net s) (second net s) ->
    begun W E B A net (S s) /\ nq net (S s) = nq net s /\
    ((take net s = 0 /\ step net (S s) <> 5 /\ M (stands n r m x) (step net (S s)) (digit net s) k (t net (S s)) (acc net (S s))) \/
     (take net s = 1 /\ bit_valid net s = 1 /\ step net (S s) <> 5 /\
      M (stands n r m x) (step net (S s)) (bit net s) (2 * k + digit net s) (t net (S s)) (acc net (S s))) \/
     (take net s = 0 /\ bit_valid net s = 0 /\ step net (S s) = 5 /\ stands n r m x (2 * k + digit net s) (t net (S s)) /\
      acc net (S s) = 1)).

  Section Request.
  Variable c : nat.
  Let x := net "x_i" c. Let n := net "n_i" c. Let ee := net "e_i" c.
  Hypotheses (request : net "req_valid_i" c = 1) (ready : net "req_ready_o" c = 1) (legal : legal_power net E (2 ^ r) c).

  Lemma odd : n mod 2 = 1. Proof. exact (proj1 legal). Qed.
  Lemma large : 3 <= n. Proof. exact (proj1 (proj2 legal)). Qed.
  Lemma n_fits : n < 2 ^ W. Proof. destruct (H_bounds c) as (_ & _ & _ & _ & N & _). exact N. Qed.
  Lemma x_legal : 0 <= x < m * n.
  Proof.
    destruct (H_bounds c) as (_ & _ & _ & X & _). destruct legal as (_ & _ & L & _). change (0 <= x) in X. change (x < n) in L.
    pose proof large. nia.
  Qed.
  Lemma r2_legal : 0 <= net "r2_i" c < m * n.
  Proof.
    destruct legal as (_ & _ & _ & _ & _ & _ & R2). rewrite R2. change (net "n_i" c) with n. pose proof large.
    pose proof (Z.mod_pos_bound (2 ^ r * 2 ^ r) n ltac:(lia)). nia.
  Qed.
  Lemma operand_fits : forall y, 0 <= y < m * n -> y mod 2 ^ B = y.
  Proof. intros y Y. apply Z.mod_small. pose proof n_fits. nia. Qed.

  (* A multiplication was asked for in cycle c0, and its answer has not been taken. *)
  Definition pend a b (s c0 : nat) : Prop := (c0 < s)%nat /\ asks net c0 = 1 /\ accepts net c0 = 1 /\ part net "a_i" c0 = a /\
    part net "b_i" c0 = b /\ part net "n_i" c0 = n /\ (forall i, (c0 < i < s)%nat -> answers net i = 1 -> takes net i = 0).

  Lemma pend_on : forall a b s c0, pend a b s c0 -> (answers net s = 1 -> takes net s = 0) -> pend a b (S s) c0.
  Proof.
    intros a b s c0 (C & V & Y & A1 & B1 & N1 & Q) N. repeat split; try assumption; [lia |]. intros i I V'.
    destruct (Nat.eq_dec i s) as [-> | X]; [apply N, V' | apply Q; [lia | exact V']].
  Qed.

  Lemma pend_answers : forall a b s c0, 0 <= a < m * n -> 0 <= b < m * n -> pend a b s c0 -> answers net s = 1 ->
    (c0 + least <= s)%nat /\ product n r m (p net s) a b.
  Proof.
    intros a b s c0 Ra Rb (C & V & Y & A1 & B1 & N1 & Q) V'.
    pose proof (answered _ _ _ _ _ _ _ _ _ _ _ H_part ltac:(lia) c0 V Y) as G. cbn beta in G. rewrite A1, B1, N1 in G.
    destruct (G (conj odd large) Ra Rb s C Q V') as (L & P & D). split; [exact L | exact (conj P D)].
  Qed.

  Lemma asked : forall s, net "u_chains.gen_chain[0].u_chain.u_control.b_read_q" s = 0 -> nq net s = n -> 0 <= t net s < m * n ->
    0 <= second net s < m * n -> asks net s = 1 -> accepts net s = 1 -> pend (t net s) (second net s) (S s) s.
  Proof.
    intros s T N Rt Rs V Y. destruct (H_part_ports s T) as (P1 & P2 & P3 & _).
    change (part net "a_i" s = t net s mod 2 ^ B) in P1. change (part net "b_i" s = second net s mod 2 ^ B) in P2.
    change (part net "n_i" s = nq net s mod 2 ^ W) in P3. rewrite operand_fits in P1, P2 by assumption. pose proof n_fits. pose proof large.
    rewrite N, Z.mod_small in P3 by lia. repeat split; try assumption; [lia |]. intros i I. lia.
  Qed.

  Definition at_ok s := more net s = 1 -> at_ net s < E.
  Definition pre s := (first_ net s = 1 /\ value net s = ee) \/
    (first_ net s = 0 /\ ee = digit net s * 2 ^ count net s + value net s).
  Definition body s :=
    (step net s <> 5 /\ exists k, 0 <= k /\ M (stands n r m x) (step net s) (digit net s) k (t net s) (acc net s) /\
      ee = (2 * k + digit net s) * 2 ^ count net s + value net s) \/
    (step net s = 5 /\ stands n r m x ee (t net s) /\ acc net s = 1).
  Let words_ := (Z.max B (W + 2) + A - 1) / A.
  Let K := Z.to_nat words_.
  Let rotate y := y / 2 ^ A + y mod 2 ^ A * 2 ^ (words_ * A - A).
  Definition turning s := (passes net s = 0 /\ nq net s = n) \/
    (passes net s = 1 /\ exists s0 i, s = (s0 + i)%nat /\ (i <= K)%nat /\ words net s = Z.of_nat (K - i) /\ nq net s0 = n /\
      forall j, (j < i)%nat -> nq net (s0 + S j)%nat = rotate (nq net (s0 + j)%nat)).
  Definition live s := at_ok s /\
    ((entering W E B A net s /\ t net s = x /\ acc net s = net "r2_i" c /\ one net s = net "r1_i" c /\ nq net s = n /\ pre s) \/
     (checking W E B A net s /\ (exists c0, pend x (net "r2_i" c) s c0) /\ one net s = net "r1_i" c /\ turning s /\ pre s) \/
     (entered W E B A net s /\ (exists c0, pend x (net "r2_i" c) s c0) /\ one net s = net "r1_i" c /\ nq net s = n /\ pre s) \/
     (begun W E B A net s /\ nq net s = n /\ body s) \/
     (decided W E B A net s /\ nq net s = n /\ body s /\ exists c0, s = S c0 /\ pend (t net s) (second net s) s c0) \/
     (loaded W E B A net s /\ nq net s = n /\ body s /\ exists c0, pend (t net s) (second net s) s c0)).
  Definition over s := done net s = 1 /\
    (0 < error net s \/ (error net s = 0 /\ 0 <= t net s < m * n /\ t net s mod n = (x ^ ee) mod n)).

  Lemma size : words_ = Z.of_nat K /\ (1 <= K)%nat /\ Z.max B (W + 2) <= Z.of_nat K * A.
  Proof. apply word_count; [exact adder | lia]. Qed.

  Lemma starts : live (S c).
  Proof.
    destruct legal as (_ & _ & _ & L & U & _). destruct (H_bounds c) as (_ & _ & _ & _ & _ & E0 & L0).
    destruct (H_accept c (quiet_always c) request ready L) as (S1 & S2 & S3 & S4 & S5 & S6 & S7 & S8 & S9 & S10 & S11 & S12).
    change (exponent net (S c) = ee) in S6. change (0 <= ee) in E0. change (ee < 2 ^ net "e_len_i" c) in U.
    change (empty net (S c) = if net "e_len_i" c =? 0 then 1 else 0) in S7. change (more net (S c) = 1) in S9.
    change (at_ net (S c) = if net "e_len_i" c =? 0 then 0 else net "e_len_i" c - 1) in S8. change (first_ net (S c) = 1) in S10.
    change (found net (S c) = 0) in S11. change (bit_valid net (S c) = 0) in S12. set (len := net "e_len_i" c) in *.
    split; [intros _; rewrite S8; destruct (Z.eqb_spec len 0); lia |]. left.
    split; [exact S1 |]. split; [exact S2 |]. split; [exact S3 |]. split; [exact S4 |]. split; [exact S5 |]. left. split; [exact S10 |].
    unfold value, unread, source. rewrite S9, S11, S12, S6, S7, S8. change (1 =? 1) with true. cbv iota.
    destruct (Z.eqb_spec len 0) as [Z0 | Z0]; [rewrite Z0 in U | ].
    - change (2 ^ 0) with 1 in U. change (1 =? 1) with true. cbv iota. rewrite Z.mod_0_l by (apply Z.pow_nonzero; lia). lia.
    - change (0 =? 1) with false. cbv iota. replace (len - 1 + 1) with len by lia. rewrite Z.mod_small by lia. lia.
  Qed.

  Lemma live_runs : forall s, live s -> sound s /\ done net s = 0 /\ net "u_chains.gen_chain[0].u_chain.u_control.b_read_q" s = 0.
  Proof.
    intros s [O L]. assert (R : ((((entering W E B A net s \/ checking W E B A net s) \/ entered W E B A net s) \/ begun W E B A net s) \/
      decided W E B A net s) \/ loaded W E B A net s) by tauto.
    destruct (H_running s R) as (Y & I & P & D & T). unfold sound. auto.
  Qed.

  Lemma pre_on : forall s, sound s -> pre s -> take net s = (if first_ net s =? 1 then bit_valid net s else 0) -> pre (S s) /\ at_ok (S s).
  Proof.
    intros s Y P T. pose proof Y as (Y1 & Y2 & Y3 & _). destruct (one_bit s) as (_ & _ & _ & [N | N] & _).
    - destruct (reader_waits s Y N) as (C & V & O). split; [| exact O]. destruct (H_digit_stays s Y1 Y2 Y3 N) as [D F].
      change (digit net (S s) = digit net s) in D. change (first_ net (S s) = first_ net s) in F. unfold pre. rewrite C, V, D, F. exact P.
    - destruct (H_digit s Y1 Y2 Y3 N) as (D & F & V). change (digit net (S s) = bit net s) in D. change (first_ net (S s) = 0) in F.
      change (bit_valid net s = 1) in V. destruct (reader_takes s Y V N) as (C & Q & O). split; [| exact O]. right. split; [exact F |].
      rewrite N in T. destruct P as [[_ P] | [F0 _]]; [lia |]. rewrite F0 in T. discriminate.
  Qed.

  Lemma body_on : forall s, sound s -> body s -> take net s = 0 -> t net (S s) = t net s -> acc net (S s) = acc net s ->
    step net (S s) = step net s -> digit net (S s) = digit net s -> body (S s) /\ at_ok (S s).
  Proof.
    intros s Y P N T C G D. destruct (reader_waits s Y N) as (Q & V & O). split; [| exact O]. unfold body. rewrite T, C, G, D, Q, V. exact P.
  Qed.

  Lemma body_legal : forall s, body s -> begun W E B A net s \/ decided W E B A net s \/ loaded W E B A net s ->
    0 <= t net s < m * n /\ 0 <= second net s < m * n.
  Proof.
    intros s [[_ (k & _ & P & _)] | (F & [P _] & C)] R.
    - destruct (M_legal _ _ _ _ _ _ _ P). unfold second. destruct (acc_is_second net s =? 1); auto.
    - split; [exact P |]. unfold second. rewrite C. pose proof large. assert (1 < m * n) by nia. destruct (acc_is_second net s =? 1); lia.
  Qed.

  (* What the multiplier is told of a response. *)
  Lemma told : forall s, net "u_chains.gen_chain[0].u_chain.u_control.b_read_q" s = 0 ->
    takes net s = if net "u_chains.gen_chain[0].u_chain.u_control.waiting_q" s =? 1 then answers net s else 0.
  Proof. intros s T. destruct (H_part_ports s T) as (_ & _ & _ & K0). exact K0. Qed.

  Lemma not_taken : forall s, net "u_chains.gen_chain[0].u_chain.u_control.b_read_q" s = 0 -> answers net s = 0 \/
    net "u_chains.gen_chain[0].u_chain.u_control.waiting_q" s = 0 -> answers net s = 1 -> takes net s = 0.
  Proof. intros s T [Q | Q] V; [lia |]. rewrite (told s T), Q. reflexivity. Qed.

  Lemma rotation_ends : forall s0, nq net s0 = n -> (forall j, (j < K)%nat -> nq net (s0 + S j)%nat = rotate (nq net (s0 + j)%nat)) ->
    nq net (s0 + K)%nat = n.
  Proof.
    intros s0 N H. destruct size as (Ew & K1 & Kb). pose proof n_fits. pose proof large.
    set (f := fun j => nq net (s0 + j)%nat). assert (F0 : f O = n) by (unfold f; rewrite Nat.add_0_r; exact N). change (f K = n). rewrite <- F0.
    apply (rotated_whole A K f); [exact adder | |].
    - rewrite F0. split; [lia |]. apply Z.lt_le_trans with (2 ^ W); [assumption |]. apply Z.pow_le_mono_r; lia.
    - intros j J. unfold f at 1. rewrite (H j J). change (nq net (s0 + j)%nat) with (f j). unfold rotate. rewrite Ew.
      replace (Z.of_nat K * A - A) with ((Z.of_nat K - 1) * A) by ring. ring.
  Qed.

  Lemma from_entering : forall s, at_ok s -> entering W E B A net s -> t net s = x -> acc net s = net "r2_i" c -> one net s = net "r1_i" c ->
    nq net s = n -> pre s -> sound s -> net "u_chains.gen_chain[0].u_chain.u_control.b_read_q" s = 0 -> abort net s = 0 -> live (S s).
  Proof.
    intros s O S0 T C One N P Y Tb Ab. destruct (H_x s (or_introl S0)) as (Sec & Pass & _). change (acc_is_second net s = 1) in Sec.
    assert (Q : (asks net s = 1 /\ accepts net s = 1) \/ (asks net s = 0 \/ accepts net s = 0))
      by (destruct (one_bit s) as (_ & _ & _ & _ & _ & _ & [A1 | A1] & [A2 | A2] & _); auto).
    destruct Q as [[A1 A2] | Q].
    - destruct (H_asks s S0 Ab A1 A2) as (S1 & C1 & One1 & N1 & Pass1 & W1 & Tk). destruct (pre_on s Y P Tk) as [P1 O1].
      split; [exact O1 |]. right. left. split; [exact S1 |]. split.
      + exists s. assert (Sx : second net s = net "r2_i" c) by (unfold second; rewrite Sec; exact C).
        rewrite <- T, <- Sx. apply asked; try assumption; [rewrite T; exact x_legal | rewrite Sx; exact r2_legal].
      + split; [rewrite <- One; exact One1 |]. split; [| exact P1]. right. split; [exact Pass1 |]. exists s, 1%nat. destruct size as (Ew & K1 & _).
        split; [lia |]. split; [lia |]. split; [change (words net (S s) = words_ - 1) in W1; lia |]. split; [exact N |].
        intros j J. replace j with 0%nat by lia. rewrite Nat.add_0_r, Nat.add_1_r. exact N1.
    - destruct (H_entering s S0 Ab Q) as (S1 & T1 & C1 & One1 & N1 & Tk). destruct (pre_on s Y P Tk) as [P1 O1].
      split; [exact O1 |]. left. change (t net (S s) = t net s) in T1. change (acc net (S s) = acc net s) in C1.
      change (one net (S s) = one net s) in One1. change (nq net (S s) = nq net s) in N1. rewrite T1, C1, One1, N1. auto 10.
  Qed.

  Lemma from_checking : forall s c0, checking W E B A net s -> pend x (net "r2_i" c) s c0 -> one net s = net "r1_i" c -> turning s ->
    pre s -> sound s -> net "u_chains.gen_chain[0].u_chain.u_control.b_read_q" s = 0 -> abort net s = 0 -> live (S s).
  Proof.
    intros s c0 S0 Q One N P Y Tb Ab. destruct (H_checking s S0 Ab) as (S1 & C1 & One1 & Tk). destruct (pre_on s Y P Tk) as [P1 O1].
    destruct (H_x_waits s S0) as (Wt & _). assert (Q1 : pend x (net "r2_i" c) (S s) c0) by (apply pend_on; [exact Q | apply not_taken; auto]).
    change (one net (S s) = one net s) in One1. rewrite One in One1.
    assert (N1 : turning (S s)).
    { destruct N as [[Pass N] | [Pass (s0 & i & Es & Ki & Wd & N & H)]].
      - destruct (H_rests s S0 Pass) as [Pass1 N1]. left. split; [exact Pass1 |]. rewrite <- N. exact N1.
      - destruct (Nat.eq_dec i K) as [-> | X].
        + destruct (H_rotated s S0 Pass) as [Pass1 N1]; [change (words net s = 0); lia |]. left. split; [exact Pass1 |].
          change (nq net (S s) = nq net s) in N1. rewrite N1, Es. apply rotation_ends; assumption.
        + destruct (H_rotates s S0 Pass) as (Pass1 & W1 & N1); [change (0 < words net s); lia |]. right. split; [exact Pass1 |].
          exists s0, (S i). change (words net (S s) = words net s - 1) in W1. split; [lia |]. split; [lia |]. split; [lia |]. split; [exact N |].
          intros j J. destruct (Nat.eq_dec j i) as [-> | Y0]; [| apply H; lia]. rewrite <- Es, Nat.add_succ_r, <- Es. exact N1. }
    split; [exact O1 |]. destruct S1 as [S1 | S1].
    - right. left. split; [exact S1 |]. split; [exists c0; exact Q1 |]. auto 10.
    - right. right. left. destruct (H_x (S s) (or_intror S1)) as (_ & Pass & _). change (passes net (S s) = 0) in Pass.
      split; [exact S1 |]. split; [exists c0; exact Q1 |]. split; [exact One1 |]. split; [| exact P1]. destruct N1 as [[_ N1] | [Z1 _]]; [exact N1 | lia].
  Qed.

  Lemma from_entered : forall s c0, entered W E B A net s -> pend x (net "r2_i" c) s c0 -> one net s = net "r1_i" c -> nq net s = n ->
    pre s -> sound s -> net "u_chains.gen_chain[0].u_chain.u_control.b_read_q" s = 0 -> abort net s = 0 -> live (S s) \/ over (S s).
  Proof.
    intros s c0 S0 Q One N P Y Tb Ab. pose proof Y as (Y1 & Y2 & Y3 & _).
    assert (F : first_ net s = 0) by (apply H_first; auto).
    destruct (one_bit s) as (_ & _ & _ & _ & _ & _ & _ & _ & [V | V] & [Wr | Wr] & _).
    1, 2: left; destruct (H_entered s S0 Ab V) as (S1 & C1 & One1 & N1 & D1 & Tk); destruct (pre_on s Y P) as [P1 O1];
      [rewrite F; exact Tk |]; split; [exact O1 |]; right; right; left; split; [exact S1 |]; split;
      [exists c0; apply pend_on; [exact Q | apply not_taken; auto] |]; split; [rewrite <- One; exact One1 |]; split; [rewrite <- N; exact N1 | exact P1].
    - left. destruct (pend_answers _ _ _ _ x_legal r2_legal Q V) as [_ X]. destruct legal as (_ & _ & _ & _ & _ & R1 & R2).
      pose proof odd as On. pose proof large as Ln.
      assert (X1 : stands n r m x 1 (p net s)) by (apply (into n r m x On Ln r_range _ _ X); exact R2).
      assert (X0 : stands n r m x 0 (one net s)) by (apply (one_stands n r m x Ln r_range m_range); rewrite One; exact R1).
      destruct (M_enters s n x S0 Ab V Wr X1 X0) as (S1 & N1 & Tk & G & Mx). destruct (reader_waits s Y Tk) as (Cq & Vq & O1).
      destruct (H_digit_stays s Y1 Y2 Y3 Tk) as [D1 _]. change (digit net (S s) = digit net s) in D1.
      split; [exact O1 |]. right. right. right. left. split; [exact S1 |]. split; [rewrite N1; exact N |]. left. split; [exact G |].
      exists 0. split; [lia |]. rewrite D1, Cq, Vq. split; [exact Mx |]. destruct P as [[F1 _] | [_ P]]; [lia |]. rewrite P. ring.
    - right. destruct (H_refuses s S0 Ab V Wr) as [D1 E1]. split; [exact D1 | left; exact E1].
  Qed.

  Lemma from_begun : forall s, begun W E B A net s -> nq net s = n -> body s -> sound s ->
    net "u_chains.gen_chain[0].u_chain.u_control.b_read_q" s = 0 -> abort net s = 0 -> live (S s).
  Proof.
    intros s S0 N P Y Tb Ab. destruct (body_legal s P (or_introl S0)) as [Rt Rs].
    assert (Q : (asks net s = 1 /\ accepts net s = 1) \/ (asks net s = 0 \/ accepts net s = 0))
      by (destruct (one_bit s) as (_ & _ & _ & _ & _ & _ & [A1 | A1] & [A2 | A2] & _); auto).
    destruct Q as [[A1 A2] | Q].
    - destruct (H_begun_asks s S0 Ab A1 A2) as (S1 & T1 & C1 & N1 & G1 & D1 & Sx & Tk). destruct (body_on s Y P Tk T1 C1 G1 D1) as [P1 O1].
      split; [exact O1 |]. right. right. right. right. left. split; [exact S1 |]. split; [rewrite <- N; exact N1 |]. split; [exact P1 |].
      exists s. split; [reflexivity |]. assert (X : second net (S s) = second net s).
      { unfold second. change (acc_is_second net (S s) = acc_is_second net s) in Sx. change (acc net (S s) = acc net s) in C1.
        change (t net (S s) = t net s) in T1. rewrite Sx, C1, T1. reflexivity. }
      change (t net (S s) = t net s) in T1. rewrite X, T1. apply asked; assumption.
    - destruct (H_begun s S0 Ab Q) as (S1 & T1 & C1 & N1 & G1 & D1 & Sx & Tk). destruct (body_on s Y P Tk T1 C1 G1 D1) as [P1 O1].
      split; [exact O1 |]. right. right. right. left. split; [exact S1 |]. split; [rewrite <- N; exact N1 | exact P1].
  Qed.

  Lemma from_decided : forall s c0, decided W E B A net s -> s = S c0 -> pend (t net s) (second net s) s c0 -> nq net s = n -> body s ->
    sound s -> net "u_chains.gen_chain[0].u_chain.u_control.b_read_q" s = 0 -> abort net s = 0 -> live (S s).
  Proof.
    intros s c0 S0 Es Q N P Y Tb Ab. destruct (body_legal s P (or_intror (or_introl S0))) as [Rt Rs].
    destruct (one_bit s) as (_ & _ & _ & _ & _ & _ & _ & _ & [V | V] & _).
    - destruct (H_decided s S0 Ab V) as (S1 & T1 & C1 & N1 & G1 & D1 & Sx & Tk). destruct (body_on s Y P Tk T1 C1 G1 D1) as [P1 O1].
      split; [exact O1 |]. right. right. right. right. right. split; [exact S1 |]. split; [rewrite <- N; exact N1 |]. split; [exact P1 |].
      exists c0. change (t net (S s) = t net s) in T1. change (acc net (S s) = acc net s) in C1.
      change (acc_is_second net (S s) = acc_is_second net s) in Sx.
      assert (X : second net (S s) = second net s) by (unfold second; rewrite Sx, C1, T1; reflexivity).
      rewrite X, T1. apply pend_on; [exact Q | apply not_taken; auto].
    - destruct (pend_answers _ _ _ _ Rt Rs Q V) as [L _]. lia.
  Qed.

  Lemma from_loaded : forall s c0, loaded W E B A net s -> pend (t net s) (second net s) s c0 -> nq net s = n -> body s ->
    sound s -> net "u_chains.gen_chain[0].u_chain.u_control.b_read_q" s = 0 -> abort net s = 0 -> live (S s) \/ over (S s).
  Proof.
    intros s c0 S0 Q N P Y Tb Ab. pose proof Y as (Y1 & Y2 & Y3 & _).
    destruct (body_legal s P (or_intror (or_intror S0))) as [Rt Rs].
    destruct (one_bit s) as (_ & _ & _ & _ & _ & _ & _ & _ & [V | V] & _).
    - left. destruct (H_loaded s S0 Ab V) as (S1 & T1 & C1 & N1 & G1 & D1 & Sx & Tk). destruct (body_on s Y P Tk T1 C1 G1 D1) as [P1 O1].
      split; [exact O1 |]. right. right. right. right. right. split; [exact S1 |]. split; [rewrite <- N; exact N1 |]. split; [exact P1 |].
      exists c0. change (t net (S s) = t net s) in T1. change (acc net (S s) = acc net s) in C1.
      change (acc_is_second net (S s) = acc_is_second net s) in Sx.
      assert (X : second net (S s) = second net s) by (unfold second; rewrite Sx, C1, T1; reflexivity).
      rewrite X, T1. apply pend_on; [exact Q | apply not_taken; auto].
    - destruct (pend_answers _ _ _ _ Rt Rs Q V) as [_ X]. pose proof odd as On. pose proof large as Ln.
      destruct P as [[G (k & Kp & Mk & Ek)] | (G & St & C1)].
      + left. destruct (M_taken s n x k On Ln Kp S0 G Ab V Mk X) as (S1 & N1 & [(Tk & G1 & M1) | [(Tk & Bv & G1 & M1) | (Tk & Bv & G1 & St & C1)]]).
        * destruct (reader_waits s Y Tk) as (Cq & Vq & O1). destruct (H_digit_stays s Y1 Y2 Y3 Tk) as [D1 _].
          change (digit net (S s) = digit net s) in D1.
          split; [exact O1 |]. right. right. right. left. split; [exact S1 |]. split; [rewrite N1; exact N |]. left. split; [exact G1 |].
          exists k. rewrite D1, Cq, Vq. auto.
        * destruct (reader_takes s Y Bv Tk) as (Cq & Vq & O1). destruct (H_digit s Y1 Y2 Y3 Tk) as (D1 & _).
          change (digit net (S s) = bit net s) in D1. destruct (one_bit s) as (_ & _ & _ & _ & _ & _ & _ & _ & _ & _ & Dg & _).
          split; [exact O1 |]. right. right. right. left. split; [exact S1 |]. split; [rewrite N1; exact N |]. left. split; [exact G1 |].
          exists (2 * k + digit net s). split; [lia |]. rewrite D1. split; [exact M1 |]. rewrite Ek, Cq, Vq, Z.pow_add_r, Z.pow_1_r by (try lia; apply count_range).
          ring.
        * destruct (reader_waits s Y Tk) as (Cq & Vq & O1). destruct (H_no_bit s S0 Bv) as [F0 M0].
          change (found net s = 0) in F0. change (more net s = 0) in M0.
          split; [exact O1 |]. right. right. right. left. split; [exact S1 |]. split; [rewrite N1; exact N |]. right. split; [exact G1 |].
          split; [| exact C1]. replace ee with (2 * k + digit net s); [exact St |]. rewrite Ek. unfold count, value, to_read, unread.
          rewrite Bv, F0, M0. change (0 =? 1) with false. cbv iota. change (2 ^ (0 + (0 + 0))) with 1. lia.
      + right. destruct (H_left s S0 G Ab V) as (D1 & E1 & T1). split; [exact D1 |]. right. split; [exact E1 |].
        change (t net (S s) = p net s) in T1. rewrite T1. assert (Sx : second net s = 1).
        { unfold second. assert (acc_is_second net s = 1) as -> by (apply H_last; auto). exact C1. }
        rewrite Sx in X. split; [exact (proj1 X) |]. apply (out_of n r m x On Ln r_range _ _ _ X St).
  Qed.

  Lemma goes_on : forall s, live s -> abort net s = 0 -> live (S s) \/ over (S s).
  Proof.
    intros s L Ab. destruct (live_runs s L) as (Y & _ & Tb).
    destruct L as [O [(S0 & T & C & One & N & P) | [(S0 & [c0 Q] & One & N & P) | [(S0 & [c0 Q] & One & N & P) | [(S0 & N & P) |
      [(S0 & N & P & c0 & Es & Q) | (S0 & N & P & c0 & Q)]]]]]].
    - left. apply from_entering; assumption.
    - left. apply (from_checking s c0); assumption.
    - apply (from_entered s c0); assumption.
    - left. apply from_begun; assumption.
    - left. apply (from_decided s c0); assumption.
    - apply (from_loaded s c0); assumption.
  Qed.

  Lemma until_response : forall d, (c < d)%nat -> (forall i, (c <= i < d)%nat -> abort net i = 0) ->
    (forall i, (c < i < d)%nat -> done net i = 0) -> live d \/ over d.
  Proof.
    induction d; intros C Ab V; [lia |]. destruct (Nat.eq_dec c d) as [<- | X]; [left; exact starts |].
    destruct IHd as [L | [D _]]; [lia | intros; apply Ab; lia | intros; apply V; lia | apply goes_on; [exact L | apply Ab; lia] |].
    rewrite (V d ltac:(lia)) in D. discriminate.
  Qed.
  End Request.

  Hypothesis below_n : m = 1.

  Theorem powers : power net E (2 ^ r).
  Proof.
    intros c d request ready legal C Ab V Vd Ed.
    assert (shown : forall s, net "rsp_valid_o" s = done net s /\ net "error_o" s = error net s /\ net "y_o" s = t net s mod 2 ^ W)
      by (intros s; destruct (H_ports s) as (_ & P); exact P).
    assert (D : live c d \/ over c d).
    { apply (until_response c request ready legal d C Ab). intros i I. destruct (shown i) as [P _]. rewrite <- P. exact (V i I). }
    destruct (shown d) as (Sd & Se & _). rewrite Sd in Vd. rewrite Se in Ed.
    destruct D as [L | [_ [F | (_ & Rt & Q)]]]; [destruct (live_runs c request ready legal d L) as (_ & D0 & _); lia | lia |].
    assert (kept : forall j, (forall i, (i < j)%nat -> net "rsp_ready_i" (d + i)%nat = 0) ->
      done net (d + j)%nat = 1 /\ error net (d + j)%nat = 0 /\ t net (d + j)%nat = t net d).
    { induction j; intros H; [rewrite Nat.add_0_r; auto |]. destruct IHj as (D1 & E1 & T1); [intros; apply H; lia |].
      destruct (H_stays (d + j)%nat (quiet_always _) D1 (H j ltac:(lia))) as (D2 & T2 & E2). rewrite Nat.add_succ_r.
      change (t net (S (d + j)) = t net (d + j)%nat) in T2. change (error net (S (d + j)) = error net (d + j)%nat) in E2.
      rewrite T2, E2. auto. }
    intros j H. destruct (kept j H) as (D1 & E1 & T1). destruct (shown (d + j)%nat) as (-> & -> & ->). split; [exact D1 |]. split; [exact E1 |].
    destruct legal as (_ & L3 & _). destruct (H_bounds c) as (_ & _ & _ & _ & N & _). rewrite below_n, Z.mul_1_l in Rt.
    rewrite T1, Z.mod_small by lia. rewrite <- Q. symmetry. apply Z.mod_small. exact Rt.
  Qed.
  End Algorithm.
End Chain.
