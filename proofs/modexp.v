(* SPDX-License-Identifier: Apache-2.0 *)
(* mf_modexp, one chain on one multiplier: from the nets of the RTL to the power, for every width and any algorithm that keeps an
   invariant. The hypotheses are lemmas that montforge prints into modexp_lemmas.v, and proves on the RTL; the multiplier's responses; the
   invariant, which is that of modexp_bits.v or modexp_window.v; and what follows the last product, modexp_below_n.v or
   modexp_reduced.v. *)
From Coq Require Import ZArith Znumtheory Lia String.
Require Import DigitRecurrence WordSerial Contract Powers modexp_lemmas.
Open Scope string_scope. Open Scope Z_scope.
Set Default Proof Using "All".

Definition PART := "u_chains.gen_alone.u_multipliers.u_multiplier.u_part.".

Section Nets.
  Variable net : trace.
  Definition part name := net (append PART name).
  (* y *)
  Definition outcome := net "u_chains.gen_chain[0].u_chain.t_s_q".
  Definition nq := net "u_chains.gen_chain[0].u_chain.n_q".
  Definition step := net "u_chains.gen_chain[0].u_chain.u_control.step_q".
  Definition passes := net "u_chains.gen_chain[0].u_chain.u_control.pass_q".
  Definition words := net "u_chains.gen_chain[0].u_chain.u_control.words_q".
  Definition wrong := net "u_chains.gen_chain[0].u_chain.u_control.error_enter".
  Definition acc_is_second := net "u_chains.gen_chain[0].u_chain.u_control.b_acc_q".
  Definition read_is_second := net "u_chains.gen_chain[0].u_chain.u_control.b_read_q".
  Definition done := net "u_chains.gen_chain[0].u_chain.u_control.done_q".
  Definition error := net "u_chains.gen_chain[0].u_chain.u_control.error_q".
  Definition asks := net "u_chains.gen_alone.u_multipliers.u_multiplier.u_part.req_valid_i".
  Definition accepts := net "u_chains.gen_alone.u_multipliers.u_multiplier.u_part.req_ready_o".
  Definition answers := net "u_chains.gen_alone.u_multipliers.u_multiplier.u_part.rsp_valid_o".
  Definition takes := net "u_chains.gen_alone.u_multipliers.u_multiplier.u_part.rsp_ready_i".
  Definition abort := net "abort_i".
End Nets.

(* The second operand. Operands and results are integers, the values of one vector or two. *)
Definition second (W E B A DW CB SG PS : Z) (net : trace) s := if acc_is_second net s =? 1 then value_acc W E B A DW CB SG PS net s
  else if read_is_second net s =? 1 then value_read W E B A DW CB SG PS net s else value_t W E B A DW CB SG PS net s.

(* The states of an operation: x enters, while it is checked, or after it; then turns, each begun, decided, loaded. *)
Inductive state := Entering | Checking | Entered | Begun | Decided | Loaded.

(* The last product, in cycle e, is a legal result: the first response has no error, and shows its residue. *)
Definition ends (W E B A DW CB SG PS : Z) (net : trace) (ok : Z -> Z -> Prop) := forall n e, 3 <= n < 2 ^ W -> quiet W E B A DW CB SG PS net e -> loaded W E B A DW CB SG PS net e ->
  step net e = 5 -> answers net e = 1 -> nq net e = n -> ok n (value_product W E B A DW CB SG PS net e) ->
  forall d, (e < d)%nat -> (forall i, (e <= i < d)%nat -> abort net i = 0) -> (forall i, (e < i < d)%nat -> done net i = 0) ->
  done net d = 1 -> error net d = 0 /\ outcome net d mod 2 ^ W = value_product W E B A DW CB SG PS net e mod n.

Section Chain.
  Variables (W E B A DW CB SG PS : Z) (net : trace).
  Local Notation t := (value_t W E B A DW CB SG PS). Local Notation acc := (value_acc W E B A DW CB SG PS). Local Notation read := (value_read W E B A DW CB SG PS).
  Local Notation p := (value_product W E B A DW CB SG PS). Local Notation second := (second W E B A DW CB SG PS).
  Hypotheses (adder : 1 <= A) (width : 3 <= W).
  Hypotheses (H_bounds : bounds W E B A DW CB SG PS net) (H_quiet : quiet_on W E B A DW CB SG PS net) (H_bits : bits W E B A DW CB SG PS net)
    (H_reset : quiet_at_reset W E B A DW CB SG PS net) (H_ports : ports W E B A DW CB SG PS net) (H_part_ports : part_ports W E B A DW CB SG PS net)
    (H_stays : stays W E B A DW CB SG PS net) (H_accept : accept W E B A DW CB SG PS net) (H_running : running W E B A DW CB SG PS net)
    (H_x_waits : waits_for_x W E B A DW CB SG PS net) (H_x : x_enters W E B A DW CB SG PS net) (H_entering : entering_waits W E B A DW CB SG PS net)
    (H_asks : entering_asks W E B A DW CB SG PS net) (H_checking : checking_on W E B A DW CB SG PS net) (H_rotates : rotates W E B A DW CB SG PS net)
    (H_rotated : rotated W E B A DW CB SG PS net) (H_rests : rests W E B A DW CB SG PS net) (H_entered : entered_waits W E B A DW CB SG PS net)
    (H_refuses : refuses W E B A DW CB SG PS net) (H_begun : begun_waits W E B A DW CB SG PS net) (H_begun_asks : begun_asks W E B A DW CB SG PS net)
    (H_decided : decided_waits W E B A DW CB SG PS net) (H_loaded : loaded_waits W E B A DW CB SG PS net).

  Definition at_state (f : state) (s : nat) : Prop := match f with
    | Entering => entering W E B A DW CB SG PS net s | Checking => checking W E B A DW CB SG PS net s | Entered => entered W E B A DW CB SG PS net s
    | Begun => begun W E B A DW CB SG PS net s | Decided => decided W E B A DW CB SG PS net s | Loaded => loaded W E B A DW CB SG PS net s end.

  Lemma quiet_always : forall s, quiet W E B A DW CB SG PS net s.
  Proof. induction s; [apply H_reset; reflexivity | apply H_quiet; assumption]. Qed.

  Lemma asked_or_not : forall s, (asks net s = 1 /\ accepts net s = 1) \/ (asks net s = 0 \/ accepts net s = 0).
  Proof. intros s. destruct (H_bits s) as (_ & _ & _ & _ & _ & _ & [A1 | A1] & [A2 | A2] & _); auto. Qed.

  Lemma answers_bit : forall s, answers net s = 0 \/ answers net s = 1.
  Proof. intros s. destruct (H_bits s) as (_ & _ & _ & _ & _ & _ & _ & _ & V & _). exact V. Qed.

  Lemma running_at : forall f s, at_state f s -> net "u_chains.gen_chain[0].u_chain.u_control.busy_q" s = 1 /\
    net "u_chains.gen_chain[0].u_chain.u_control.idle_q" s = 0 /\ net "u_chains.gen_chain[0].u_chain.u_control.wipe_q" s = 0 /\
    done net s = 0 /\ (acc_is_second net s = 0 \/ read_is_second net s = 0).
  Proof. intros f s S0. apply H_running. destruct f; cbn [at_state] in S0; tauto. Qed.

  (* ---------------------------------------------------------------- a request *)
  (* R, the bound of operands and results in moduli, the multiplier's fewest cycles *)
  Variables (r : Z) (ok : Z -> Z -> Prop) (least : nat).
  Hypotheses (residues : forall n y, 3 <= n -> 0 <= y < n -> ok n y) (least_2 : (2 <= least)%nat).
  (* the multiplier's modulus; its constant: of a request, in its register, at the multiplier's port; whether it suits n *)
  Variables (part_modulus request_constant constant part_constant : nat -> Z) (suits : Z -> Z -> Prop).
  Hypotheses (H_coprime : forall n k, n mod 2 = 1 -> suits n k -> rel_prime n r)
    (H_constant_loads : forall s, quiet W E B A DW CB SG PS net s -> net "req_valid_i" s = 1 -> net "req_ready_o" s = 1 -> constant (S s) = request_constant s)
    (H_constant_stays : forall f s, at_state f s -> constant (S s) = constant s) (H_constant : forall s, part_constant s = constant s)
    (H_modulus : forall s, part_modulus s = nq net s mod 2 ^ W).
  Hypothesis H_part : responds (part net) (value_first W E B A DW CB SG PS net) (value_other W E B A DW CB SG PS net) part_modulus (p net) least r
    (fun c => part_modulus c mod 2 = 1 /\ 3 <= part_modulus c < 2 ^ W /\ suits (part_modulus c) (part_constant c)) ok ok.

  Definition suited c := suits (net "n_i" c) (request_constant c).
  Definition requested c := net "req_valid_i" c = 1 /\ net "req_ready_o" c = 1 /\ legal_power net E r suited c.
  Definition base := net "x_i".
  Definition modulus := net "n_i".
  Definition operand c y := ok (modulus c) y.
  Definition is_power c y := operand c y /\ y mod modulus c = (base c ^ net "e_i" c) mod modulus c.

  (* What the algorithm keeps in each state, from the request in cycle c on; what it wants of the product that it waits for. *)
  Variables (keeps : state -> nat -> nat -> Prop) (wants : nat -> nat -> Z -> Prop).
  Hypothesis I_starts : forall c, requested c -> keeps Entering c (S c).
  Hypothesis I_first : forall c f g s, requested c -> keeps f c s -> at_state f s -> at_state g (S s) -> abort net s = 0 ->
    (f = Entering /\ g <> Entered) \/ f = Checking \/ (f = Entered /\ answers net s = 0) -> g = Entering \/ g = Checking \/ g = Entered ->
    keeps g c (S s).
  Hypothesis I_enters : forall c s, requested c -> keeps Entered c s -> entered W E B A DW CB SG PS net s -> abort net s = 0 -> answers net s = 1 ->
    wrong net s = 0 -> stands (modulus c) r ok (base c) 1 (p net s) ->
    begun W E B A DW CB SG PS net (S s) /\ nq net (S s) = nq net s /\ keeps Begun c (S s).
  Hypothesis I_waits : forall c s, requested c -> keeps Begun c s -> begun W E B A DW CB SG PS net s -> abort net s = 0 ->
    asks net s = 0 \/ accepts net s = 0 -> begun W E B A DW CB SG PS net (S s) -> keeps Begun c (S s).
  Hypothesis I_asks : forall c s, requested c -> keeps Begun c s -> begun W E B A DW CB SG PS net s -> abort net s = 0 -> asks net s = 1 ->
    accepts net s = 1 -> decided W E B A DW CB SG PS net (S s) ->
    keeps Decided c (S s) /\ operand c (t net s) /\ operand c (second net s) /\
    forall y, product (modulus c) r ok y (t net s) (second net s) -> wants c (S s) y.
  Hypothesis I_goes : forall c f s, requested c -> keeps f c s -> at_state f s -> f = Decided \/ f = Loaded -> abort net s = 0 ->
    answers net s = 0 -> loaded W E B A DW CB SG PS net (S s) -> keeps Loaded c (S s) /\ forall y, wants c s y -> wants c (S s) y.
  Hypothesis I_taken : forall c s, requested c -> keeps Loaded c s -> loaded W E B A DW CB SG PS net s -> abort net s = 0 -> answers net s = 1 ->
    step net s <> 5 -> wants c s (p net s) ->
    begun W E B A DW CB SG PS net (S s) /\ nq net (S s) = nq net s /\ keeps Begun c (S s).
  Hypothesis I_left : forall c s y, requested c -> keeps Loaded c s -> loaded W E B A DW CB SG PS net s -> step net s = 5 -> wants c s y -> is_power c y.

  Section Request.
  Variable c : nat.
  Hypothesis request : requested c.
  Let x := base c. Let n := modulus c.

  Lemma odd : n mod 2 = 1. Proof. exact (proj1 (proj2 (proj2 request))). Qed.
  Lemma large : 3 <= n. Proof. exact (proj1 (proj2 (proj2 (proj2 request)))). Qed.
  Lemma n_fits : n < 2 ^ W. Proof. destruct (H_bounds c) as (_ & _ & _ & _ & N & _). exact N. Qed.
  Lemma x_legal : ok n x.
  Proof.
    destruct (H_bounds c) as (_ & _ & _ & X & _). destruct request as (_ & _ & legal). destruct legal as (_ & _ & L & _). change (0 <= x) in X. change (x < n) in L.
    pose proof large. apply residues; lia.
  Qed.
  Lemma r2_legal : ok n (net "r2_i" c).
  Proof.
    destruct request as (_ & _ & legal). destruct legal as (_ & _ & _ & _ & _ & _ & R2 & _). rewrite R2. change (net "n_i" c) with n. pose proof large.
    apply residues; [lia |]. apply Z.mod_pos_bound. lia.
  Qed.
  Lemma suitable : suits n (request_constant c).
  Proof. destruct request as (_ & _ & legal). destruct legal as (_ & _ & _ & _ & _ & _ & _ & U). exact U. Qed.
  Lemma coprime : rel_prime n r. Proof. exact (H_coprime n _ odd suitable). Qed.
  (* A multiplication was asked for in cycle c0, and its answer has not been taken. *)
  Definition pend a b (s c0 : nat) : Prop := (c0 < s)%nat /\ asks net c0 = 1 /\ accepts net c0 = 1 /\ value_first W E B A DW CB SG PS net c0 = a /\
    value_other W E B A DW CB SG PS net c0 = b /\ part_modulus c0 = n /\ part_constant c0 = request_constant c /\
    (forall i, (c0 < i < s)%nat -> answers net i = 1 -> takes net i = 0).

  Lemma pend_on : forall a b s c0, pend a b s c0 -> (answers net s = 1 -> takes net s = 0) -> pend a b (S s) c0.
  Proof.
    intros a b s c0 (C & V & Y & A1 & B1 & N1 & G1 & Q) N. repeat split; try assumption; [lia |]. intros i I V'.
    destruct (Nat.eq_dec i s) as [-> | X]; [apply N, V' | apply Q; [lia | exact V']].
  Qed.

  Lemma pend_answers : forall a b s c0, ok n a -> ok n b -> pend a b s c0 -> answers net s = 1 ->
    (c0 + least <= s)%nat /\ product n r ok (p net s) a b.
  Proof.
    intros a b s c0 Ra Rb (C & V & Y & A1 & B1 & N1 & G1 & Q) V'.
    pose proof (H_part c0 V Y) as G. cbn beta in G. rewrite A1, B1, N1, G1 in G.
    destruct (G (conj odd (conj (conj large n_fits) suitable)) Ra Rb s C Q V') as (L & P & D). split; [exact L | exact (conj P D)].
  Qed.

  Lemma asked : forall s, acc_is_second net s = 0 \/ read_is_second net s = 0 -> nq net s = n -> constant s = request_constant c ->
    asks net s = 1 -> accepts net s = 1 -> pend (t net s) (second net s) (S s) s.
  Proof.
    intros s T N G1 V Y. rewrite <- (H_constant s) in G1. destruct (H_part_ports s T) as (P1 & P2 & _). pose proof (H_modulus s) as P3.
    pose proof n_fits. pose proof large. rewrite N, Z.mod_small in P3 by lia. repeat split; try assumption; [lia |]. intros i I. lia.
  Qed.

  Let words_ := (Z.max B (W + 2) + A - 1) / A.
  Let K := Z.to_nat words_.
  Let rotate y := y / 2 ^ A + y mod 2 ^ A * 2 ^ (words_ * A - A).
  Definition turning s := (passes net s = 0 /\ nq net s = n) \/
    (passes net s = 1 /\ exists s0 i, s = (s0 + i)%nat /\ (i <= K)%nat /\ words net s = Z.of_nat (K - i) /\ nq net s0 = n /\
      forall j, (j < i)%nat -> nq net (s0 + S j)%nat = rotate (nq net (s0 + j)%nat)).
  Definition due s c0 := exists a b, operand c a /\ operand c b /\ pend a b s c0 /\ forall y, product n r ok y a b -> wants c s y.
  Definition rest (f : state) s := match f with
    | Entering => t net s = x /\ acc net s = net "r2_i" c /\ nq net s = n
    | Checking => (exists c0, pend x (net "r2_i" c) s c0) /\ turning s
    | Entered => (exists c0, pend x (net "r2_i" c) s c0) /\ nq net s = n
    | Begun => nq net s = n
    | Decided => nq net s = n /\ exists c0, s = S c0 /\ due s c0
    | Loaded => nq net s = n /\ exists c0, due s c0 end.
  Definition live s := exists f, at_state f s /\ keeps f c s /\ rest f s.
  Definition has_constant s := constant s = request_constant c.
  Definition refused s := done net s = 1 /\ 0 < error net s.
  (* The last product has come. *)
  Definition last e := loaded W E B A DW CB SG PS net e /\ step net e = 5 /\ answers net e = 1 /\ nq net e = n /\ is_power c (p net e).

  Lemma size : words_ = Z.of_nat K /\ (1 <= K)%nat /\ Z.max B (W + 2) <= Z.of_nat K * A.
  Proof. apply word_count; [exact adder | lia]. Qed.

  Lemma starts : live (S c).
  Proof.
    pose proof request as (V & Y & _ & _ & _ & L & _). destruct (H_accept c (quiet_always c) V Y L) as (S1 & S2 & S3 & S4).
    exists Entering. split; [exact S1 |]. split; [apply I_starts, request |]. split; [exact S2 |]. split; [exact S3 | exact S4].
  Qed.

  (* What the multiplier is told of a response. *)
  Lemma told : forall s, acc_is_second net s = 0 \/ read_is_second net s = 0 ->
    takes net s = if net "u_chains.gen_chain[0].u_chain.u_control.waiting_q" s =? 1 then answers net s else 0.
  Proof. intros s T. destruct (H_part_ports s T) as (_ & _ & K0). exact K0. Qed.

  Lemma not_taken : forall s, acc_is_second net s = 0 \/ read_is_second net s = 0 -> answers net s = 0 \/
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

  Lemma from_entering : forall s, has_constant s -> entering W E B A DW CB SG PS net s -> keeps Entering c s -> rest Entering s -> abort net s = 0 -> live (S s).
  Proof.
    intros s G1 S0 P (T & C & N) Ab. destruct (H_x s (or_introl S0)) as (Sec & Pass). change (acc_is_second net s = 1) in Sec.
    destruct (running_at Entering s S0) as (_ & _ & _ & _ & Tb).
    destruct (asked_or_not s) as [[A1 A2] | Q].
    - destruct (H_asks s (quiet_always s) S0 Ab A1 A2) as (S1 & N1 & Pass1 & W1). exists Checking. split; [exact S1 |].
      split; [apply (I_first c Entering Checking); auto; left; split; [reflexivity | discriminate] |]. split.
      + exists s. assert (Sx : second net s = net "r2_i" c) by (unfold second; rewrite Sec; exact C).
        rewrite <- T, <- Sx. apply asked; assumption.
      + right. split; [exact Pass1 |]. exists s, 1%nat. destruct size as (Ew & K1 & _).
        split; [lia |]. split; [lia |]. split; [change (words net (S s) = words_ - 1) in W1; lia |]. split; [exact N |].
        intros j J. replace j with 0%nat by lia. rewrite Nat.add_0_r, Nat.add_1_r. exact N1.
    - destruct (H_entering s S0 Ab Q) as (S1 & T1 & C1 & N1).
      change (t net (S s) = t net s) in T1. change (acc net (S s) = acc net s) in C1. change (nq net (S s) = nq net s) in N1.
      exists Entering. split; [exact S1 |]. split; [apply (I_first c Entering Entering); auto; left; split; [reflexivity | discriminate] |].
      cbn [rest]. rewrite T1, C1, N1. auto.
  Qed.

  Lemma from_checking : forall s, checking W E B A DW CB SG PS net s -> keeps Checking c s -> rest Checking s -> abort net s = 0 -> live (S s).
  Proof.
    intros s S0 P ((c0 & Q) & N) Ab. pose proof (H_checking s S0 Ab) as S1.
    pose proof (H_x_waits s S0) as Wt. destruct (running_at Checking s S0) as (_ & _ & _ & _ & Tb).
    assert (Q1 : pend x (net "r2_i" c) (S s) c0) by (apply pend_on; [exact Q | apply not_taken; auto]).
    assert (N1 : turning (S s)).
    { destruct N as [[Pass N] | [Pass (s0 & i & Es & Ki & Wd & N & H)]].
      - destruct (H_rests s S0 Pass) as [Pass1 N1]. left. split; [exact Pass1 |]. rewrite <- N. exact N1.
      - destruct (Nat.eq_dec i K) as [-> | X].
        + destruct (H_rotated s S0 Pass) as [Pass1 N1]; [change (words net s = 0); lia |]. left. split; [exact Pass1 |].
          change (nq net (S s) = nq net s) in N1. rewrite N1, Es. apply rotation_ends; assumption.
        + destruct (H_rotates s (quiet_always s) S0 Pass) as (Pass1 & W1 & N1); [change (0 < words net s); lia |]. right. split; [exact Pass1 |].
          exists s0, (S i). change (words net (S s) = words net s - 1) in W1. split; [lia |]. split; [lia |]. split; [lia |]. split; [exact N |].
          intros j J. destruct (Nat.eq_dec j i) as [-> | Y0]; [| apply H; lia]. rewrite <- Es, Nat.add_succ_r, <- Es. exact N1. }
    destruct S1 as [S1 | S1].
    - exists Checking. split; [exact S1 |]. split; [apply (I_first c Checking Checking); auto |]. split; [exists c0; exact Q1 | exact N1].
    - exists Entered. split; [exact S1 |]. split; [apply (I_first c Checking Entered); auto |]. split; [exists c0; exact Q1 |].
      destruct (H_x (S s) (or_intror S1)) as (_ & Pass). change (passes net (S s) = 0) in Pass.
      destruct N1 as [[_ N1] | [Z1 _]]; [exact N1 | lia].
  Qed.

  Lemma from_entered : forall s, entered W E B A DW CB SG PS net s -> keeps Entered c s -> rest Entered s -> abort net s = 0 -> live (S s) \/ refused (S s).
  Proof.
    intros s S0 P ((c0 & Q) & N) Ab. destruct (running_at Entered s S0) as (_ & _ & _ & _ & Tb).
    destruct (answers_bit s) as [V | V].
    - left. destruct (H_entered s S0 Ab V) as (S1 & N1). exists Entered. split; [exact S1 |]. split; [apply (I_first c Entered Entered); auto 6 |].
      split; [exists c0; apply pend_on; [exact Q | apply not_taken; auto] | rewrite <- N; exact N1].
    - destruct (H_bits s) as (_ & _ & _ & _ & _ & _ & _ & _ & _ & Wr & _). destruct Wr as [Wr | Wr].
      + left. destruct (pend_answers _ _ _ _ x_legal r2_legal Q V) as [_ X]. pose proof request as (_ & _ & _ & _ & _ & _ & _ & _ & R2 & _).
        pose proof coprime as Cp. pose proof large as Ln.
        assert (X1 : stands n r ok x 1 (p net s)) by (apply (into n r ok x Cp Ln _ _ X); exact R2).
        destruct (I_enters c s request P S0 Ab V Wr X1) as (S1 & N1 & P1). exists Begun. split; [exact S1 |]. split; [exact P1 |].
        cbn [rest]. rewrite N1. exact N.
      + right. exact (H_refuses s S0 Ab V Wr).
  Qed.

  Lemma from_begun : forall s, has_constant s -> begun W E B A DW CB SG PS net s -> keeps Begun c s -> rest Begun s -> abort net s = 0 -> live (S s).
  Proof.
    intros s G1 S0 P N Ab. cbn [rest] in N. destruct (running_at Begun s S0) as (_ & _ & _ & _ & Tb). destruct (asked_or_not s) as [[A1 A2] | Q].
    - destruct (H_begun_asks s S0 Ab A1 A2) as (S1 & N1). destruct (I_asks c s request P S0 Ab A1 A2 S1) as (P1 & Rt & Rs & G).
      exists Decided. split; [exact S1 |]. split; [exact P1 |]. split; [rewrite <- N; exact N1 |].
      exists s. split; [reflexivity |]. exists (t net s), (second net s). split; [exact Rt |]. split; [exact Rs |].
      split; [apply asked; assumption | exact G].
    - destruct (H_begun s S0 Ab Q) as (S1 & N1). exists Begun. split; [exact S1 |]. split; [apply I_waits; assumption |].
      cbn [rest]. rewrite <- N. exact N1.
  Qed.

  Lemma due_on : forall s c0, due s c0 -> answers net s = 0 -> acc_is_second net s = 0 \/ read_is_second net s = 0 ->
    (forall y, wants c s y -> wants c (S s) y) -> due (S s) c0.
  Proof.
    intros s c0 (a & b & La & Lb & Q & G) V Tb H. exists a, b. split; [exact La |]. split; [exact Lb |].
    split; [apply pend_on; [exact Q | apply not_taken; auto] |]. intros y Y. apply H, G, Y.
  Qed.

  Lemma from_decided : forall s, decided W E B A DW CB SG PS net s -> keeps Decided c s -> rest Decided s -> abort net s = 0 -> live (S s).
  Proof.
    intros s S0 P (N & c0 & Es & Q) Ab. destruct (running_at Decided s S0) as (_ & _ & _ & _ & Tb). destruct (answers_bit s) as [V | V].
    - destruct (H_decided s S0 Ab V) as (S1 & N1). destruct (I_goes c Decided s request P S0 (or_introl eq_refl) Ab V S1) as [P1 G].
      exists Loaded. split; [exact S1 |]. split; [exact P1 |]. split; [rewrite <- N; exact N1 |]. exists c0. apply due_on; assumption.
    - destruct Q as (a & b & La & Lb & Q & G). destruct (pend_answers _ _ _ _ La Lb Q V) as [L _]. lia.
  Qed.

  Lemma from_loaded : forall s, loaded W E B A DW CB SG PS net s -> keeps Loaded c s -> rest Loaded s -> abort net s = 0 -> live (S s) \/ last s.
  Proof.
    intros s S0 P (N & c0 & Q) Ab. destruct (running_at Loaded s S0) as (_ & _ & _ & _ & Tb). destruct (answers_bit s) as [V | V].
    - left. destruct (H_loaded s S0 Ab V) as (S1 & N1). destruct (I_goes c Loaded s request P S0 (or_intror eq_refl) Ab V S1) as [P1 G].
      exists Loaded. split; [exact S1 |]. split; [exact P1 |]. split; [rewrite <- N; exact N1 |]. exists c0. apply due_on; assumption.
    - destruct Q as (a & b & La & Lb & Q & G). destruct (pend_answers _ _ _ _ La Lb Q V) as [_ X]. apply G in X.
      destruct (Z.eq_dec (step net s) 5) as [Z5 | Z5].
      + right. repeat (split; [assumption |]). apply (I_left c s); assumption.
      + left. destruct (I_taken c s request P S0 Ab V Z5 X) as (S1 & N1 & P1). exists Begun. split; [exact S1 |]. split; [exact P1 |].
        cbn [rest]. rewrite N1. exact N.
  Qed.

  Lemma constant_on : forall s, has_constant s -> live s -> has_constant (S s).
  Proof. intros s G1 (f & S0 & _). unfold has_constant. rewrite (H_constant_stays f s S0). exact G1. Qed.

  Lemma goes_on : forall s, has_constant s -> live s -> abort net s = 0 -> live (S s) \/ refused (S s) \/ last s.
  Proof.
    intros s G1 (f & S0 & P & R) Ab. destruct f; cbn [at_state] in S0.
    - left. apply from_entering; assumption.
    - left. apply from_checking; assumption.
    - destruct (from_entered s S0 P R Ab); auto.
    - left. apply from_begun; assumption.
    - left. apply from_decided; assumption.
    - destruct (from_loaded s S0 P R Ab); auto.
  Qed.

  Lemma until_response : forall d, (c < d)%nat -> (forall i, (c <= i < d)%nat -> abort net i = 0) ->
    (forall i, (c < i < d)%nat -> done net i = 0) -> (has_constant d /\ live d) \/ refused d \/ exists e, (c < e < d)%nat /\ last e.
  Proof.
    induction d; intros C Ab V; [lia |]. destruct (Nat.eq_dec c d) as [<- | X].
    { left. split; [| exact starts]. pose proof request as (V0 & Y0 & _). exact (H_constant_loads c (quiet_always c) V0 Y0). }
    destruct IHd as [[G1 L] | [[D _] | (e & I & L)]]; [lia | intros; apply Ab; lia | intros; apply V; lia | | |].
    - destruct (goes_on d G1 L) as [L1 | [R1 | L1]]; [apply Ab; lia | left; split; [exact (constant_on d G1 L) | exact L1] | auto |]. right. right. exists d. split; [lia | exact L1].
    - rewrite (V d ltac:(lia)) in D. discriminate.
    - right. right. exists e. split; [lia | exact L].
  Qed.
  End Request.

  Hypothesis H_ends : ends W E B A DW CB SG PS net ok.

  Theorem powers : power net E r suited.
  Proof.
    intros c d request ready legal C Ab V Vd Ed.
    assert (shown : forall s, net "rsp_valid_o" s = done net s /\ net "error_o" s = error net s /\ net "y_o" s = outcome net s mod 2 ^ W)
      by (intros s; destruct (H_ports s) as (_ & P); exact P).
    assert (Q0 : requested c) by (split; [exact request |]; split; [exact ready | exact legal]).
    assert (V0 : forall i, (c < i < d)%nat -> done net i = 0) by (intros i I; destruct (shown i) as [P _]; rewrite <- P; exact (V i I)).
    destruct (shown d) as (Sd & Se & _). rewrite Sd in Vd. rewrite Se in Ed. pose proof (large c Q0) as Ln. pose proof (n_fits c Q0) as Nf.
    assert (Q : outcome net d mod 2 ^ W = (base c ^ net "e_i" c) mod modulus c).
    { destruct (until_response c Q0 d C Ab V0) as [(_ & f & S0 & _) | [[_ F] | (e & I & S0 & Z5 & A1 & N & Rg & Q)]];
        [destruct (running_at f d S0) as (_ & _ & _ & D0 & _); lia | lia |].
      destruct (H_ends (modulus c) e (conj Ln Nf) (quiet_always e) S0 Z5 A1 N Rg d (proj2 I)) as [_ T1];
        [intros; apply Ab; lia | intros; apply V0; lia | exact Vd |].
      rewrite T1. exact Q. }
    assert (kept : forall j, (forall i, (i < j)%nat -> net "rsp_ready_i" (d + i)%nat = 0) ->
      done net (d + j)%nat = 1 /\ error net (d + j)%nat = 0 /\ outcome net (d + j)%nat = outcome net d).
    { induction j; intros H; [rewrite Nat.add_0_r; auto |]. destruct IHj as (D1 & E1 & T1); [intros; apply H; lia |].
      destruct (H_stays (d + j)%nat (quiet_always _) D1 (H j ltac:(lia))) as (D2 & T2 & E2). rewrite Nat.add_succ_r.
      change (outcome net (S (d + j)) = outcome net (d + j)%nat) in T2. change (error net (S (d + j)) = error net (d + j)%nat) in E2.
      rewrite T2, E2. auto. }
    intros j H. destruct (kept j H) as (D1 & E1 & T1). destruct (shown (d + j)%nat) as (-> & -> & ->). split; [exact D1 |]. split; [exact E1 |].
    rewrite T1. exact Q.
  Qed.
End Chain.
