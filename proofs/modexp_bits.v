(* SPDX-License-Identifier: Apache-2.0 *)
(* mf_modexp with turns for each bit of the exponent: the invariant of modexp.v from what the turns do, which is in modexp_ladder.v,
   modexp_square_multiply_always.v, modexp_l2r.v and modexp_window_of_bits.v. *)
From Coq Require Import ZArith Znumtheory Lia String.
Require Import Contract Powers modexp_lemmas modexp modexp_reader.
Open Scope string_scope. Open Scope Z_scope.
Set Default Proof Using "All".

Lemma bit_range : forall W E B A DW CB SG PS net, digit_bit W E B A DW CB SG PS net -> bits W E B A DW CB SG PS net ->
forall s, 0 <= digit net s <= 1 /\ 0 <= bit net s <= 1 /\ (bit_valid net s = 0 \/ bit_valid net s = 1).
Proof.
  intros W E B A DW CB SG PS net H_digit H_bits s. destruct (H_bits s) as (V & _ & _ & _ & _ & _ & _ & _ & _ & _ & Bt). destruct (H_digit s) as [Dg _].
  change (bit net s = 0 \/ bit net s = 1) in Bt. change (digit net s = 0 \/ digit net s = 1) in Dg. repeat split; try lia. exact V.
Qed.
Section Turns.
  Variables (W E B A DW CB SG PS : Z) (net : trace) (r : Z) (ok : Z -> Z -> Prop).
  Local Notation t := (value_t W E B A DW CB SG PS). Local Notation acc := (value_acc W E B A DW CB SG PS).
  Local Notation p := (value_product W E B A DW CB SG PS). Local Notation second := (second W E B A DW CB SG PS).
  Local Notation at_state := (at_state W E B A DW CB SG PS net). Local Notation begun := (begun W E B A DW CB SG PS net).
  Local Notation decided := (decided W E B A DW CB SG PS net). Local Notation loaded := (loaded W E B A DW CB SG PS net).
  (* What holds until x has entered, in a state and a cycle, and within a bit of the exponent, in a cycle; the bit, the number of the bits
     before it. Both with what stands for which power. *)
  Variables (N : (Z -> Z -> Prop) -> state -> nat -> Prop) (M : (Z -> Z -> Prop) -> nat -> Z -> Z -> Prop).

  Definition loads_one := forall (st : Z -> Z -> Prop) s, quiet W E B A DW CB SG PS net s -> net "req_valid_i" s = 1 -> net "req_ready_o" s = 1 ->
    st 0 (net "r1_i" s) -> N st Entering (S s).
  Definition keeps_one := forall st f g s, N st f s -> at_state f s -> at_state g (S s) -> abort net s = 0 ->
    (f = Entering /\ g <> Entered) \/ f = Checking \/ (f = Entered /\ answers net s = 0) -> g = Entering \/ g = Checking \/ g = Entered -> N st g (S s).

  Definition legal_operands := forall n x s d k, M (stands n r ok x) s d k -> begun s -> asks net s = 1 -> accepts net s = 1 -> step net s <> 5 ->
    ok n (t net s) /\ ok n (second net s).
  Definition waiting s := begun s \/ ((decided s \/ loaded s) /\ answers net s = 0).
  Definition waits_on := forall st s k, waiting s -> abort net s = 0 -> step net s <> 5 -> digit net (S s) = digit net s -> M st s (digit net s) k ->
    M st (S s) (digit net s) k.

  (* After a product but the last one, of the bits of k: within the bit, with the next bit, or in the last turn. *)
  Definition moves_on s n x k := begun (S s) /\ nq net (S s) = nq net s /\
    ((take net s = 0 /\ step net (S s) <> 5 /\ (digit net (S s) = digit net s -> M (stands n r ok x) (S s) (digit net s) k)) \/
     (take net s = 1 /\ bit_valid net s = 1 /\ step net (S s) <> 5 /\
      (digit net (S s) = bit net s -> M (stands n r ok x) (S s) (bit net s) (2 * k + digit net s))) \/
     (take net s = 0 /\ bit_valid net s = 0 /\ step net (S s) = 5 /\ stands n r ok x (2 * k + digit net s) (t net (S s)) /\ acc net (S s) = 1)).
  Definition begins := forall s n x, entered W E B A DW CB SG PS net s -> abort net s = 0 -> answers net s = 1 -> wrong net s = 0 ->
    stands n r ok x 1 (p net s) -> N (stands n r ok x) Entered s -> moves_on s n x 0.
  Definition goes_on := forall s n x k, rel_prime n r -> 3 <= n -> 0 <= k -> loaded s -> step net s <> 5 -> abort net s = 0 ->
    answers net s = 1 -> M (stands n r ok x) s (digit net s) k -> product n r ok (p net s) (t net s) (second net s) -> moves_on s n x k.
End Turns.

Section Chain.
  Variables (W E B A DW CB SG PS : Z) (net : trace).
  Local Notation t := (value_t W E B A DW CB SG PS). Local Notation acc := (value_acc W E B A DW CB SG PS). Local Notation read := (value_read W E B A DW CB SG PS).
  Local Notation p := (value_product W E B A DW CB SG PS). Local Notation second := (second W E B A DW CB SG PS).
  Hypotheses (adder : 1 <= A) (width : 3 <= W) (exponent_bits : 1 <= E).
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
  Hypotheses (H_digit_bit : digit_bit W E B A DW CB SG PS net) (H_digit : digit_moves W E B A DW CB SG PS net) (H_digit_stays : digit_stays W E B A DW CB SG PS net)
    (H_first : first_bit W E B A DW CB SG PS net) (H_no_bit : no_bit W E B A DW CB SG PS net) (H_enters_stays : enters_stays W E B A DW CB SG PS net)
    (H_turns : turns W E B A DW CB SG PS net) (H_turn_stays : turn_stays W E B A DW CB SG PS net) (H_second_stays : second_stays W E B A DW CB SG PS net).
  Variables (r : Z) (ok : Z -> Z -> Prop) (least : nat).
  Variables (N : (Z -> Z -> Prop) -> state -> nat -> Prop) (M : (Z -> Z -> Prop) -> nat -> Z -> Z -> Prop).
  Hypotheses (residues : forall n y, 3 <= n -> 0 <= y < n -> ok n y) (least_2 : (2 <= least)%nat).
  Variables (part_modulus request_constant constant part_constant : nat -> Z) (suits : Z -> Z -> Prop).
  Hypotheses (H_coprime : forall n k, n mod 2 = 1 -> suits n k -> rel_prime n r)
    (H_constant_loads : forall s, quiet W E B A DW CB SG PS net s -> net "req_valid_i" s = 1 -> net "req_ready_o" s = 1 -> constant (S s) = request_constant s)
    (H_constant_stays : forall f s, at_state W E B A DW CB SG PS net f s -> constant (S s) = constant s) (H_constant : forall s, part_constant s = constant s)
    (H_modulus : forall s, part_modulus s = nq net s mod 2 ^ W).
  Hypothesis H_part : responds (part net) (value_first W E B A DW CB SG PS net) (value_other W E B A DW CB SG PS net) part_modulus (p net) least r
    (fun c => part_modulus c mod 2 = 1 /\ 3 <= part_modulus c < 2 ^ W /\ suits (part_modulus c) (part_constant c)) ok ok.
  Hypotheses (N_loads : loads_one W E B A DW CB SG PS net N) (N_stays : keeps_one W E B A DW CB SG PS net N) (M_legal : legal_operands W E B A DW CB SG PS net r ok M)
    (M_waits : waits_on W E B A DW CB SG PS net M) (M_begins : begins W E B A DW CB SG PS net r ok N M) (M_goes_on : goes_on W E B A DW CB SG PS net r ok M).
  Hypothesis H_ends : ends W E B A DW CB SG PS net ok.

  Let requested := requested E net r request_constant suits.
  Let exponent_of := net "e_i".
  Let reads := reader_waits W E B A DW CB SG PS net exponent_bits H_bounds H_quiet H_bits H_reset H_loads H_bit H_bit_stays H_word H_read
    H_word_stays H_exponent.
  Let gives := reader_takes W E B A DW CB SG PS net exponent_bits H_bounds H_quiet H_bits H_reset H_loads H_bit H_bit_stays H_word H_read
    H_word_stays H_exponent.

  Let st c := stands (modulus net c) r ok (base net c).
  Definition before f c s := N (st c) f s /\
    ((first_ net s = 1 /\ value net s = exponent_of c) \/
     (first_ net s = 0 /\ exponent_of c = digit net s * 2 ^ count net s + value net s)).
  Definition turn c s :=
    (step net s <> 5 /\ exists k, 0 <= k /\ M (st c) s (digit net s) k /\ exponent_of c = (2 * k + digit net s) * 2 ^ count net s + value net s) \/
    (step net s = 5 /\ st c (exponent_of c) (t net s) /\ acc net s = 1).
  Definition keeps (f : state) c s := at_ok net E s /\
    match f with Entering | Checking | Entered => before f c s | Begun | Decided | Loaded => turn c s end.
  Definition wants c s y := product (modulus net c) r ok y (t net s) (second net s).

  Lemma sound_at : forall f s, at_state W E B A DW CB SG PS net f s -> at_ok net E s -> sound E net s.
  Proof.
    intros f s S0 O. assert (R : running W E B A DW CB SG PS net) by exact H_running. destruct (R s) as (Y & I & P & _).
    { destruct f; cbn [at_state] in S0; tauto. } unfold sound. auto.
  Qed.

  Lemma coprime_modulus : forall c, requested c -> rel_prime (modulus net c) r /\ 3 <= modulus net c.
  Proof. intros c (_ & _ & O & L & _ & _ & _ & _ & _ & U). exact (conj (H_coprime _ _ O U) L). Qed.

  Lemma before_on : forall c f g s, at_state W E B A DW CB SG PS net f s -> at_state W E B A DW CB SG PS net g (S s) -> sound E net s -> before f c s -> abort net s = 0 ->
    (f = Entering /\ g <> Entered) \/ f = Checking \/ (f = Entered /\ answers net s = 0) -> g = Entering \/ g = Checking \/ g = Entered ->
    before g c (S s) /\ at_ok net E (S s).
  Proof.
    intros c f g s S0 S1 Y [One P] Ab F G. pose proof (N_stays _ f g s One S0 S1 Ab F G) as One1. pose proof Y as (Y1 & Y2 & Y3 & _).
    assert (Q : (entering W E B A DW CB SG PS net s \/ checking W E B A DW CB SG PS net s) \/ (entered W E B A DW CB SG PS net s /\ answers net s = 0))
      by (destruct F as [[-> _] | [-> | [-> V]]]; cbn [at_state] in S0; auto).
    pose proof (H_enters_stays s Q Ab) as T. change (take net s = if first_ net s =? 1 then bit_valid net s else 0) in T.
    destruct (H_bits s) as (_ & _ & _ & [X | X] & _); change (take net s = 0) in X || change (take net s = 1) in X.
    - destruct (reads s Y (or_introl X)) as (C & V & O). split; [| exact O]. destruct (H_digit_stays s Y1 Y2 Y3 X) as [Dg Fr].
      change (digit net (S s) = digit net s) in Dg. change (first_ net (S s) = first_ net s) in Fr. unfold before.
      rewrite C, V, Dg, Fr. exact (conj One1 P).
    - destruct (H_digit s Y1 Y2 Y3 X) as (Dg & Fr & V). change (digit net (S s) = bit net s) in Dg. change (first_ net (S s) = 0) in Fr.
      change (bit_valid net s = 1) in V. destruct (gives s Y V X) as (C & U & O). split; [| exact O].
      split; [exact One1 |]. right. split; [exact Fr |].
      rewrite X in T. destruct P as [[_ P] | [F0 _]]; [rewrite Dg; lia |]. rewrite F0 in T. discriminate.
  Qed.

  Let waiting := waiting W E B A DW CB SG PS net.

  Lemma turn_on : forall c s, sound E net s -> turn c s -> waiting s -> abort net s = 0 ->
    turn c (S s) /\ at_ok net E (S s) /\ t net (S s) = t net s /\ acc_is_second net (S s) = acc_is_second net s.
  Proof.
    intros c s Y P S0 Ab. pose proof Y as (Y1 & Y2 & Y3 & _). destruct (H_turn_stays s S0 Ab) as (T & G & Sx & X).
    change (t net (S s) = t net s) in T. change (step net (S s) = step net s) in G.
    change (acc_is_second net (S s) = acc_is_second net s) in Sx. change (take net s = 0) in X.
    destruct (H_digit_stays s Y1 Y2 Y3 X) as [Dg _]. change (digit net (S s) = digit net s) in Dg.
    destruct (reads s Y (or_introl X)) as (Q & V & O). split; [| auto]. unfold turn. rewrite T, G, Dg, Q, V.
    destruct P as [(Z5 & k & K0 & Mk & Ek) | (Z5 & St & C1)].
    - left. split; [exact Z5 |]. exists k. split; [exact K0 |]. split; [apply M_waits; assumption | exact Ek].
    - right. split; [exact Z5 |]. split; [exact St |]. rewrite <- C1. apply H_second_stays; [| | exact Ab].
      + destruct S0 as [S0 | S0]; [left; split; [exact S0 | right; exact Z5] | right; exact S0].
      + assert (S2 : (begun W E B A DW CB SG PS net s \/ decided W E B A DW CB SG PS net s) \/ loaded W E B A DW CB SG PS net s)
          by (destruct S0 as [S0 | [[S0 | S0] _]]; tauto).
        destruct (H_turns s S2) as (Sc & _). rewrite Sc. change (net "u_chains.gen_chain[0].u_chain.u_control.step_q" s) with (step net s). rewrite Z5. reflexivity.
  Qed.

  Lemma in_turn : forall s, begun W E B A DW CB SG PS net s \/ decided W E B A DW CB SG PS net s \/ loaded W E B A DW CB SG PS net s ->
    first_ net s = 0 /\ read_is_second net s = 0.
  Proof.
    intros s S0. split; [apply H_first; tauto |]. assert (Q : (begun W E B A DW CB SG PS net s \/ decided W E B A DW CB SG PS net s) \/ loaded W E B A DW CB SG PS net s) by tauto.
    destruct (H_turns s Q) as (_ & _ & Z0). exact Z0.
  Qed.

  Lemma turn_operands : forall c s, requested c -> turn c s -> begun W E B A DW CB SG PS net s -> asks net s = 1 -> accepts net s = 1 ->
    operand net ok c (t net s) /\ operand net ok c (second net s).
  Proof.
    intros c s Rq [[Z5 (k & _ & P & _)] | (Z5 & [P _] & C)] S0 A1 A2; unfold operand; [exact (M_legal _ _ _ _ _ P S0 A1 A2 Z5) |].
    split; [exact P |]. destruct (in_turn s (or_introl S0)) as [_ T]. unfold second. rewrite T, C. change (0 =? 1) with false. cbv iota.
    destruct (coprime_modulus c Rq) as [_ L]. destruct (acc_is_second net s =? 1); [apply residues; lia | exact P].
  Qed.

  (* The second operand stays until its product comes. *)
  Lemma second_on : forall s, (begun W E B A DW CB SG PS net s /\ asks net s = 1 /\ accepts net s = 1) \/
    ((decided W E B A DW CB SG PS net s \/ loaded W E B A DW CB SG PS net s) /\ answers net s = 0) -> abort net s = 0 ->
    decided W E B A DW CB SG PS net (S s) \/ loaded W E B A DW CB SG PS net (S s) ->
    t net (S s) = t net s -> acc_is_second net (S s) = acc_is_second net s -> second net (S s) = second net s.
  Proof.
    intros s S0 Ab S1 T Sx. destruct (in_turn s) as [_ T1]; [destruct S0 as [[S0 _] | [S0 _]]; tauto |]. destruct (in_turn (S s)) as [_ T2]; [tauto |].
    unfold second. rewrite T1, T2, Sx, T. destruct (Z.eqb_spec (acc_is_second net s) 1) as [X | X]; [| reflexivity].
    apply H_second_stays; [| exact X | exact Ab]. destruct S0 as [(S0 & A1 & A2) | S0]; [left; split; [exact S0 | left; auto] | right; exact S0].
  Qed.

  Lemma request_starts : forall c, requested c -> keeps Entering c (S c).
  Proof.
    intros c Rq. pose proof Rq as (V & Y & _ & _ & _ & Len & U & R1 & _).
    destruct (reader_starts W E B A DW CB SG PS net exponent_bits H_bounds H_quiet H_bits H_reset H_loads H_bit H_bit_stays H_word H_read H_word_stays
      H_exponent c V Y Len U) as (O & F & Q). split; [exact O |]. split; [| left; auto].
    apply N_loads; [clear - H_reset H_quiet; induction c; [apply H_reset; reflexivity | apply H_quiet; assumption] | exact V | exact Y |].
    destruct (coprime_modulus c Rq) as [_ Ln]. exact (one_stands (modulus net c) r ok (base net c) Ln (fun y => residues _ y Ln) _ R1).
  Qed.

  Lemma first_on : forall c f g s, requested c -> keeps f c s -> at_state W E B A DW CB SG PS net f s -> at_state W E B A DW CB SG PS net g (S s) -> abort net s = 0 ->
    (f = Entering /\ g <> Entered) \/ f = Checking \/ (f = Entered /\ answers net s = 0) -> g = Entering \/ g = Checking \/ g = Entered -> keeps g c (S s).
  Proof.
    intros c f g s Rq [O P] S0 S1 Ab F G. pose proof (sound_at f s S0 O) as Y.
    assert (P0 : before f c s) by (destruct F as [[-> _] | [-> | [-> _]]]; exact P).
    destruct (before_on c f g s S0 S1 Y P0 Ab F G) as [P1 O1]. split; [exact O1 |]. destruct G as [-> | [-> | ->]]; exact P1.
  Qed.

  (* From a product on. *)
  Lemma moved : forall c s k, (entered W E B A DW CB SG PS net s \/ loaded W E B A DW CB SG PS net s) -> sound E net s -> 0 <= k ->
    exponent_of c = (2 * k + digit net s) * 2 ^ count net s + value net s -> moves_on W E B A DW CB SG PS net r ok M s (modulus net c) (base net c) k ->
    begun W E B A DW CB SG PS net (S s) /\ nq net (S s) = nq net s /\ keeps Begun c (S s).
  Proof.
    intros c s k S0 Y K0 Ek (S1 & N1 & Q). split; [exact S1 |]. split; [exact N1 |]. pose proof Y as (Y1 & Y2 & Y3 & _).
    destruct Q as [(Tk & G1 & M1) | [(Tk & Bv & G1 & M1) | (Tk & Bv & G1 & St & C1)]].
    - destruct (reads s Y (or_introl Tk)) as (Cq & Vq & O1). destruct (H_digit_stays s Y1 Y2 Y3 Tk) as [D1 _].
      change (digit net (S s) = digit net s) in D1. specialize (M1 D1).
      split; [exact O1 |]. left. split; [exact G1 |]. exists k. rewrite D1, Cq, Vq. auto.
    - destruct (gives s Y Bv Tk) as (Cq & Vq & O1). destruct (H_digit s Y1 Y2 Y3 Tk) as (D1 & _).
      change (digit net (S s) = bit net s) in D1. specialize (M1 D1).
      split; [exact O1 |]. left. split; [exact G1 |]. exists (2 * k + digit net s).
      destruct (bit_range W E B A DW CB SG PS net H_digit_bit H_bits s) as (Dg & _).
      split; [lia |]. rewrite D1. split; [exact M1 |].
      rewrite Ek, Cq, Vq, Z.pow_add_r, Z.pow_1_r by (try lia; apply (count_range W E B A DW CB SG PS net exponent_bits); assumption).
      ring.
    - destruct (reads s Y (or_introl Tk)) as (Cq & Vq & O1). destruct (H_no_bit s S0 Bv) as [F0 M0].
      change (found net s = 0) in F0. change (more net s = 0) in M0.
      split; [exact O1 |]. right. split; [exact G1 |].
      split; [| exact C1]. replace (exponent_of c) with (2 * k + digit net s); [exact St |]. rewrite Ek. unfold count, value, to_read, unread.
      rewrite Bv, F0, M0. change (0 =? 1) with false. cbv iota. change (2 ^ (0 + (0 + 0))) with 1. lia.
  Qed.

  Lemma enters_turn : forall c s, requested c -> keeps Entered c s -> entered W E B A DW CB SG PS net s -> abort net s = 0 -> answers net s = 1 ->
    wrong net s = 0 -> st c 1 (p net s) ->
    begun W E B A DW CB SG PS net (S s) /\ nq net (S s) = nq net s /\ keeps Begun c (S s).
  Proof.
    intros c s Rq [O [One P]] S0 Ab V Wr X1. assert (F : first_ net s = 0) by (apply H_first; auto).
    apply (moved c s 0); [left; exact S0 | exact (sound_at Entered s S0 O) | lia | | apply M_begins; assumption].
    destruct P as [[F1 _] | [_ P]]; [lia |]. rewrite P. ring.
  Qed.

  Lemma taken : forall c s, requested c -> keeps Loaded c s -> loaded W E B A DW CB SG PS net s -> abort net s = 0 -> answers net s = 1 ->
    step net s <> 5 -> wants c s (p net s) ->
    begun W E B A DW CB SG PS net (S s) /\ nq net (S s) = nq net s /\ keeps Begun c (S s).
  Proof.
    intros c s Rq [O P] S0 Ab V Z5 X. destruct (coprime_modulus c Rq) as [Cp Ln].
    destruct P as [[_ (k & Kp & Mk & Ek)] | (G & _)]; [| contradiction].
    apply (moved c s k); [right; exact S0 | exact (sound_at Loaded s S0 O) | exact Kp | exact Ek | apply M_goes_on; assumption].
  Qed.

  Theorem powers : power net E r (suited net request_constant suits).
  Proof.
    eapply modexp.powers with (W := W) (A := A) (DW := DW) (keeps := keeps) (wants := wants); try eassumption.
    - exact request_starts.
    - exact first_on.
    - exact enters_turn.
    - intros c s Rq [O P] S0 Ab Q S1. pose proof (sound_at Begun s S0 O) as Y.
      destruct (turn_on c s Y P (or_introl S0) Ab) as (P1 & O1 & _). exact (conj O1 P1).
    - intros c s Rq [O P] S0 Ab A1 A2 S1. pose proof (sound_at Begun s S0 O) as Y.
      destruct (turn_on c s Y P (or_introl S0) Ab) as (P1 & O1 & T1 & Sx).
      destruct (turn_operands c s Rq P S0 A1 A2) as [L1 L2].
      split; [exact (conj O1 P1) |]. split; [exact L1 |]. split; [exact L2 |]. intros y G. unfold wants.
      rewrite T1, (second_on s) by auto. exact G.
    - intros c f s Rq [O P] S0 F Ab V S1. pose proof (sound_at f s S0 O) as Y.
      assert (S2 : decided W E B A DW CB SG PS net s \/ loaded W E B A DW CB SG PS net s) by (destruct F as [-> | ->]; cbn [at_state] in S0; auto).
      assert (P0 : turn c s) by (destruct F as [-> | ->]; exact P).
      destruct (turn_on c s Y P0 (or_intror (conj S2 V)) Ab) as (P1 & O1 & T1 & Sx).
      split; [exact (conj O1 P1) |]. intros y G. unfold wants. rewrite T1, (second_on s) by auto. exact G.
    - exact taken.
    - intros c s y Rq [O P] S0 Z5 [Rg G]. destruct (coprime_modulus c Rq) as [Cp Ln]. destruct P as [[Z0 _] | (_ & St & C1)]; [contradiction |].
      destruct (in_turn s (or_intror (or_intror S0))) as [_ T]. destruct (H_turns s (or_intror S0)) as (Sx & _).
      split; [exact Rg |].
      assert (Q : second net s = 1).
      { unfold second. rewrite T. change (0 =? 1) with false. cbv iota. replace (acc_is_second net s) with 1; [exact C1 |].
        symmetry. etransitivity; [exact Sx |]. change (net "u_chains.gen_chain[0].u_chain.u_control.step_q" s) with (step net s). rewrite Z5. reflexivity. }
      rewrite Q in G. apply (out_of (modulus net c) r ok (base net c) Cp Ln y (t net s) _ (conj Rg G) St).
  Qed.
End Chain.
