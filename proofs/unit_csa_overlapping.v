(* SPDX-License-Identifier: Apache-2.0 *)
(* unit_csa with requests that overlap, of each kind of result: an operation that has left the loop, or the tail, to its response. The hypotheses are lemmas
   that montforge prints into unit_csa_lemmas.v, for the Booth terms and delay of a design, and proves on the RTL, and what follows from them. *)
From Coq Require Import ZArith Lia String Bool.
Require Import Contract Control Bits Pipelined unit_csa_lemmas unit_csa_loop Arithmetic.
Open Scope string_scope. Open Scope Z_scope.
Set Default Proof Using "All".

Section Overlapping.
  Variables (W loops many last digit operand modulus state delay Pair group : Z) (net : trace) (n_of : nat -> Z).
  Local Notation on lemma := (lemma W loops many last digit operand modulus state delay Pair group net).
  Hypotheses (H_ranges : on ranges) (H_ready : on ready) (H_steps : on steps) (H_parks : on parks) (H_fills : on fills) (H_groups_kept : on groups_kept)
    (H_look_ahead : on look_ahead) (H_no_carries : on no_carries) (H_rests : on rests) (H_answer : on answer).

  Local Notation phase := (net "u_core.phase_q"). Local Notation idle := (net "u_core.idle_q").
  Local Notation shift := (net "u_core.shift_q"). Local Notation start := (net "u_core.start_q"). Local Notation a_q := (net "u_core.a_q").
  Local Notation fill := (net "u_core.fill"). Local Notation park := (net "u_core.park"). Local Notation move := (net "u_core.gen_overlap.move_q").
  Local Notation summed := (net "u_core.gen_overlap.summed_q"). Local Notation carried := (net "u_core.gen_overlap.carried_q").
  Local Notation valid := (net "u_core.gen_overlap.valid_q"). Local Notation occupied := (net "u_core.gen_overlap.occupied_q").
  Local Notation p_q := (net "u_core.gen_overlap.p_q"). Local Notation started := (net "u_core.u_convert.started_q").
  Local Notation carries := (net "u_core.u_convert.carries").
  Local Notation made := (net "u_core.u_convert.gen_three_cycles.generates_q"). Local Notation passed := (net "u_core.u_convert.gen_three_cycles.propagates_q").
  Local Notation taken_i := (net "rsp_ready_i").

  (* T + 1 cycles before the conversion, Low bits below the pair *)
  Variables (T : nat) (Low : Z).
  Ltac range t := in_range H_ranges t.

  Lemma bits : forall t, (0 <= fill t <= 1 /\ 0 <= move t <= 1 /\ 0 <= summed t <= 1 /\ 0 <= carried t <= 1 /\ 0 <= valid t <= 1) /\
    0 <= idle t <= 1 /\ 0 <= net "req_valid_i" t <= 1 /\ 0 <= taken_i t <= 1.
  Proof.
    intros t. assert (B : forall x, 0 <= x < 2 ^ 1 -> 0 <= x <= 1) by (intros x; change (2 ^ 1) with 2; lia).
    repeat split; apply B; range t.
  Qed.

  (* A request that is legal is accepted in cycle c. *)
  Variables (R : Z) (legal : nat -> Prop) (bounded : Z -> Z -> Prop).
  Let request (c : nat) : Prop := net "req_valid_i" c = 1 /\ idle c = 1 /\ legal c /\ bounded (n_of c) (two operand (net "a_i" c)) /\
    bounded (n_of c) (two operand (net "b_i" c)).
  Let is_product (c : nat) (p : Z) : Prop := bounded (n_of c) p /\
    (p * R) mod n_of c = (two operand (net "a_i" c) * two operand (net "b_i" c)) mod n_of c.

  (* An operation whose loop and tail end in the cycle before. *)
  Let ends (c : nat) : nat := (S c + S T)%nat.
  (* x has the sums of groups of its pair, above its last digits; g and q are what they make and pass *)
  Variables (has_sums : nat -> Z -> Z -> Z -> Prop).
  (* operations before the conversion, and in it *)
  Variables (in_loop : nat -> Z).
  Let in_converter (t : nat) : Z := fill t + move t + occupied t.

  Hypotheses
    (control : forall t, (phase t = 6 -> idle t = 0 /\ shift t = 0) /\ fill t + move t + summed t + carried t + valid t <= 1 /\
      occupied t = summed t + carried t + valid t /\ started t = summed t /\ start t = fill t + park t)
    (empty : in_loop O = 0 /\ in_converter O = 0 /\ carries O = 0) (least_in_loop : forall t, 0 <= in_loop t)
    (entered : forall c, request c -> in_loop (S c) = 1)
    (balance : forall t, in_loop (S t) + in_converter (S t) + net "rsp_valid_o" t * taken_i t = in_loop t + in_converter t + net "req_ready_o" t * net "req_valid_i" t)
    (loop_on : forall c i, request c -> (i < T)%nat -> let t := (c + S i)%nat in in_converter (S t) + net "rsp_valid_o" t * taken_i t = in_converter t)
    (loop_end : forall c, request c -> let t := (c + S T)%nat in fill (S t) + in_converter t = 1 + net "rsp_valid_o" t * taken_i t /\ start (S t) = 1 /\
      (fill (S t) = 1 \/ (phase (S t) = 6 /\ net "rsp_valid_o" t = 1) /\ taken_i t = 0))
    (waits_for : forall t, phase t = 6 -> fill t = 0 -> net "rsp_valid_o" t = 1 /\ move (S t) = taken_i t /\ (taken_i t = 1 \/ phase (S t) = 6) /\ start (S t) = 0)
    (summed_up : forall c, request c -> start (ends c) = 1 ->
      has_sums c (net "u_core.sums" (ends c)) (net "u_core.u_convert.generates" (ends c)) (net "u_core.u_convert.propagates" (ends c)))
    (incremented : forall t i, 0 <= i < (Pair + group - 1) / group -> fill t = 0 -> move t = 0 -> let w := Z.min group (Pair - i * group) in
      part (p_q (S t)) (Low + i * group) w = (part (p_q t) (Low + i * group) w + ((2 * carries t) / 2 ^ i) mod 2) mod 2 ^ w)
    (low_stays : forall t, fill t = 0 -> move t = 0 -> part (p_q (S t)) 0 Low = part (p_q t) 0 Low)
    (* the carries between the groups make the product of it *)
    (carried_groups : forall c x g q k y, request c -> has_sums c x g q -> 0 <= y < 2 ^ (many * digit) ->
      (forall i, 0 <= i < (Pair + group - 1) / group - 1 ->
        (k / 2 ^ i) mod 2 = if part g i 1 =? 1 then 1 else if part q i 1 =? 1 then ((2 * k) / 2 ^ i) mod 2 else 0) ->
      (forall i, 0 <= i < (Pair + group - 1) / group -> let w := Z.min group (Pair - i * group) in
        part y (Low + i * group) w = (part x (Low + i * group) w + ((2 * k) / 2 ^ i) mod 2) mod 2 ^ w) ->
      part y 0 Low = part x 0 Low -> is_product c (two operand (part y 0 operand))).

  (* ---------------------------------------------------------------- an operation from its request to its response *)
  (* as sums in the register of a, on the way to that of the result, as sums in it, with the carries found, at the end *)
  Definition place (c d before : nat) (x g q : Z) : Prop := let t := (c + d)%nat in
    phase t = 6 /\ fill t = 0 /\ before = 1%nat /\ (T + 2 <= d)%nat /\ (moving net c d <= T + 1)%nat /\ a_q (S t) = x /\ made (S t) = g /\ passed (S t) = q \/
    before = O /\ (fill t + move t = 1 /\ (T + 2 <= d)%nat /\ (moving net c d <= T + 2)%nat /\ p_q (S t) = x /\ made (S t) = g /\ passed (S t) = q \/
      summed t = 1 /\ (T + 3 <= d)%nat /\ (moving net c d <= T + 3)%nat /\ p_q t = x /\ made t = g /\ passed t = q \/
      carried t = 1 /\ (T + 4 <= d)%nat /\ (moving net c d <= T + 4)%nat /\ p_q t = x /\
        (forall i, 0 <= i < (Pair + group - 1) / group - 1 ->
          (carries t / 2 ^ i) mod 2 = if part g i 1 =? 1 then 1 else if part q i 1 =? 1 then ((2 * carries t) / 2 ^ i) mod 2 else 0) \/
      valid t = 1 /\ (T + 5 <= d)%nat /\ is_product c (two operand (net "p_o" t))).

  Definition is_after (c d before : nat) : Prop := request c /\
    ((exists i, (i <= T)%nat /\ d = S i /\ Z.of_nat before = in_converter (c + d)%nat) \/ exists x g q, has_sums c x g q /\ place c d before x g q).

  Lemma cases : forall t, valid t = 0 /\ takes net t = false /\ waits net t = false \/ valid t = 1 /\ taken_i t = 1 /\ takes net t = true /\ waits net t = false \/
    valid t = 1 /\ taken_i t = 0 /\ takes net t = false /\ waits net t = true.
  Proof.
    intros t. destruct (bits t) as ((_ & _ & _ & _ & B) & _ & _ & Y0). unfold takes, waits. destruct (H_ready t) as [_ ->].
    assert (valid t = 0 \/ valid t = 1) as [-> | ->] by lia; [left; auto |]. assert (taken_i t = 0 \/ taken_i t = 1) as [-> | ->] by lia; [right; right | right; left]; auto.
  Qed.

  Lemma moving_on : forall c d, moving net c (S d) = ((if waits net (c + d) then 0 else 1) + moving net c d)%nat.
  Proof. intros. unfold moving. cbn [Pipelined.count]. destruct (waits net (c + d)); reflexivity. Qed.

  Lemma moving_most : forall c d, (moving net c d <= d)%nat.
  Proof. induction d; [apply le_n |]. rewrite moving_on. destruct (waits net (c + d)); lia. Qed.

  Lemma no_carries_yet : forall t, carried t = 0 -> carries t = 0.
  Proof.
    intros [| t] C; [apply empty |]. apply H_no_carries. destruct (control t) as (_ & _ & _ & -> & _).
    destruct (H_steps t) as (_ & E & _). congruence.
  Qed.

  Lemma of_nothing : forall t, 0 <= in_loop t /\ 0 <= in_converter t /\ valid t <= in_converter t.
  Proof.
    intros t. destruct (bits t) as ((B1 & B2 & B3 & B4 & B5) & _). destruct (control t) as (_ & _ & OC & _). unfold in_converter.
    split; [apply least_in_loop | lia].
  Qed.

  (* of the d-th cycle after a request: whether the response is taken, and where an operation after the others is next *)
  Let k (t : nat) : nat := if takes net t then 1%nat else 0%nat.
  Let next (c d before : nat) : Prop := (before = O /\ k (c + d) = 1%nat) \/ is_after c (S d) (before - k (c + d))%nat /\ (k (c + d) <= before)%nat.

  Lemma quiet : forall t, phase t = 6 -> idle t = 0 /\ shift t = 0.
  Proof. intros t. apply control. Qed.

  Lemma alone_in_converter : forall t, fill t + move t + summed t + carried t + valid t <= 1 /\ (0 <= fill t <= 1 /\ 0 <= move t <= 1 /\ 0 <= summed t <= 1 /\
    0 <= carried t <= 1 /\ 0 <= valid t <= 1) /\ start t = fill t + park t /\ 0 <= park t /\ in_converter t = fill t + move t + summed t + carried t + valid t.
  Proof.
    intros t. destruct (control t) as (_ & ONE & OC & _ & ST). destruct (bits t) as (B & _). assert (0 <= park t < 2 ^ 1) by range t.
    split; [exact ONE |]. split; [exact B |]. split; [exact ST |]. split; [lia | unfold in_converter; clear - OC; lia].
  Qed.

  Lemma moves_in_loop : forall c i before, request c -> (i < T)%nat -> Z.of_nat before = in_converter (c + S i)%nat -> next c (S i) before.
  Proof.
    intros c i before R0 I C. unfold next, is_after, k. rewrite (Nat.add_succ_r c (S i)). set (t := (c + S i)%nat) in *.
    pose proof (loop_on c i R0 I) as F. cbv zeta in F. fold t in F. destruct (H_ready t) as [_ RV]. rewrite RV in F.
    change (in_converter (S t) + valid t * taken_i t = in_converter t) in F. destruct (alone_in_converter t) as (ONE & B & _ & _ & _). rewrite <- C in F.
    right. destruct (cases t) as [(V & -> & _) | [(V & Y & -> & _) | (V & Y & -> & _)]]; rewrite V in F; try rewrite Y in F; (split; [split; [exact R0 |]; left; exists (S i) |]);
      destruct (of_nothing (S t)) as (_ & G & _); clear - I F G; try split; try split; lia.
  Qed.

  Lemma moves_at_end : forall c before, request c -> Z.of_nat before = in_converter (c + S T)%nat -> next c (S T) before.
  Proof.
    intros c before R0 C. unfold next, is_after, place, k. cbv zeta. rewrite moving_on. pose proof (moving_most c (S T)) as MM.
    assert (En : (c + S (S T))%nat = ends c) by (unfold ends; clear; lia). rewrite (Nat.add_succ_r c (S T)) in En |- *. set (t := (c + S T)%nat) in *.
    destruct (loop_end c R0) as (F1 & F2 & F3). fold t in F1, F2, F3. destruct (H_ready t) as [_ RV]. rewrite RV in F1, F3.
    change (fill (S t) + in_converter t = 1 + valid t * taken_i t) in F1. rewrite <- C in F1.
    pose proof (summed_up c R0) as HS. rewrite <- En in HS. specialize (HS F2).
    destruct (H_groups_kept (S t)) as (K3 & K4). rewrite F2 in K3, K4. cbn [Z.eqb Pos.eqb] in K3, K4.
    destruct (alone_in_converter (S t)) as (ONE & B & ST & PK & _). rewrite F2 in ST. right.
    assert (filled : fill (S t) = 1 -> p_q (S (S t)) = net "u_core.sums" (S t)) by (intros E; rewrite H_fills by (clear - ONE B E; lia); rewrite E; reflexivity).
    destruct (cases t) as [(V & -> & ->) | [(V & Y & -> & ->) | (V & Y & -> & ->)]]; rewrite V in F1, F3; try rewrite Y in F1, F3.
    - assert (E : fill (S t) = 1) by (destruct F3 as [E | [[_ E] _]]; [exact E | discriminate]). rewrite E in F1. split; [| clear; lia].
      split; [exact R0 |]. right. do 3 eexists. split; [exact HS |]. right. split; [clear - F1; lia |]. left.
      split; [clear - ONE B E; lia |]. split; [clear; lia |]. split; [clear - MM; lia |]. split; [exact (filled E) | split; assumption].
    - assert (E : fill (S t) = 1) by (destruct F3 as [E | [_ E]]; [exact E | discriminate]). rewrite E in F1. split; [| clear - F1; lia].
      split; [exact R0 |]. right. do 3 eexists. split; [exact HS |]. right. split; [clear - F1; lia |]. left.
      split; [clear - ONE B E; lia |]. split; [clear; lia |]. split; [clear - MM; lia |]. split; [exact (filled E) | split; assumption].
    - split; [| clear; lia]. split; [exact R0 |]. right. do 3 eexists. split; [exact HS |].
      destruct F3 as [E | [[P6 _] _]].
      + right. rewrite E in F1. split; [clear - F1; lia |]. left.
        split; [clear - ONE B E; lia |]. split; [clear; lia |]. split; [clear - MM; lia |]. split; [exact (filled E) | split; assumption].
      + assert (fill (S t) = 0 \/ fill (S t) = 1) as [E | E] by (clear - B; lia).
        * left. rewrite E in F1, ST. split; [exact P6 |]. split; [exact E |]. split; [clear - F1; lia |]. split; [clear; lia |]. split; [clear - MM; lia |].
          split; [| split; assumption]. destruct (quiet (S t) P6) as [I0 S0]. rewrite H_parks by assumption. assert (park (S t) = 1) as -> by (clear - ST; lia). reflexivity.
        * right. rewrite E in F1. split; [clear - F1; lia |]. left.
          split; [clear - ONE B E; lia |]. split; [clear; lia |]. split; [clear - MM; lia |]. split; [exact (filled E) | split; assumption].
  Qed.

  Lemma moves_held : forall c d x g q, request c -> has_sums c x g q -> let t := (c + d)%nat in phase t = 6 -> fill t = 0 -> (T + 2 <= d)%nat ->
    (moving net c d <= T + 1)%nat -> a_q (S t) = x -> made (S t) = g -> passed (S t) = q -> next c d 1.
  Proof.
    intros c d x g q R0 HS t P6 F0 D M X1 X2 X3. unfold next, is_after, place, k. cbv zeta. rewrite moving_on, Nat.add_succ_r. fold t. right.
    destruct (waits_for t P6 F0) as (V & M' & Q & S0). destruct (H_ready t) as [_ RV]. rewrite RV in V.
    destruct (H_groups_kept (S t)) as (K3 & K4). rewrite S0 in K3, K4. cbn [Z.eqb] in K3, K4. rewrite X2 in K3. rewrite X3 in K4.
    destruct (alone_in_converter (S t)) as (ONE & B & ST & PK & _). rewrite S0 in ST. assert (fill (S t) = 0 /\ park (S t) = 0) as [F1 K0] by (clear - B ST PK; lia).
    split; [| destruct (takes net t); clear; lia]. split; [exact R0 |]. right. exists x, g, q. split; [exact HS |].
    destruct (cases t) as [(V0 & _) | [(_ & Y & -> & ->) | (_ & Y & -> & ->)]]; [congruence | |]; rewrite Y in *.
    - right. split; [reflexivity |]. left. split; [clear - F1 M'; lia |]. split; [clear - D; lia |]. split; [clear - M; lia |]. split; [| split; assumption].
      rewrite H_fills by (clear - F1 M'; lia). rewrite F1. exact X1.
    - left. destruct Q as [Q | P6']; [discriminate |]. destruct (quiet (S t) P6') as [I0 S1]. split; [exact P6' |]. split; [exact F1 |]. split; [reflexivity |].
      split; [clear - D; lia |]. split; [exact M |]. split; [| split; assumption]. rewrite H_parks, K0 by assumption. exact X1.
  Qed.

  Lemma moves : forall c d before, is_after c d before -> next c d before.
  Proof.
    intros c d before [R0 [(i & I & -> & C) | (x & g & q & HS & P)]].
    - destruct (Nat.eq_dec i T) as [-> | X]; [exact (moves_at_end c before R0 C) | apply moves_in_loop; [exact R0 | lia | exact C]].
    - destruct P as [(P6 & F0 & -> & D & M & X1 & X2 & X3) | (-> & P)]; [exact (moves_held c d x g q R0 HS P6 F0 D M X1 X2 X3) |].
      unfold next, is_after, place, k. cbv zeta. rewrite moving_on, Nat.add_succ_r. set (t := (c + d)%nat) in *.
      destruct (alone_in_converter t) as (ONE & B & _). destruct (H_steps t) as (T1 & T2 & T3).
      assert (still : fill t = 0 -> move t = 0 -> carried t = 0 -> p_q (S t) = p_q t) by (intros; apply H_rests; try assumption; apply no_carries_yet; assumption).
      assert (none : valid t = 0 -> takes net t = false /\ waits net t = false) by (intros V; destruct (cases t) as [(_ & E) | [(V' & _) | (V' & _)]]; [exact E | congruence | congruence]).
      destruct P as [(F & D & M & X1 & X2 & X3) | [(F & D & M & X1 & X2 & X3) | [(F & D & M & X1 & X2) | (F & D & X1)]]].
      + right. destruct none as [-> ->]; [clear - ONE B F; lia |]. split; [| clear; lia]. split; [exact R0 |]. right. exists x, g, q. split; [exact HS |].
        right. split; [reflexivity |]. right. left. split; [| split; [clear - D; lia | split; [clear - M; lia | auto]]].
        rewrite T1. assert (fill t = 1 /\ move t = 0 \/ fill t = 0 /\ move t = 1) as [[-> ->] | [-> ->]] by (clear - B F; lia); reflexivity.
      + right. destruct none as [-> ->]; [clear - ONE B F; lia |]. split; [| clear; lia]. split; [exact R0 |]. right. exists x, g, q. split; [exact HS |].
        right. split; [reflexivity |]. right. right. left. split; [congruence |]. split; [clear - D; lia |]. split; [clear - M; lia |].
        split; [rewrite still by (clear - ONE B F; lia); exact X1 |]. intros j J. rewrite <- X2, <- X3. apply (H_look_ahead t j J).
        destruct (control t) as (_ & _ & _ & -> & _). exact F.
      + assert (E : fill t = 0 /\ move t = 0 /\ valid t = 0) by (clear - ONE B F; lia). destruct E as (F0 & M0 & V0).
        right. destruct (none V0) as [-> ->]. split; [| clear; lia]. split; [exact R0 |]. right. exists x, g, q. split; [exact HS |].
        right. split; [reflexivity |]. right. right. right. split; [rewrite T3, F, V0; reflexivity |]. split; [clear - D; lia |].
        rewrite H_answer. apply (carried_groups c x g q (carries t) (p_q (S t)) R0 HS); [range (S t) | exact X2 | |].
        * intros j J. cbv zeta. rewrite <- X1. exact (incremented t j J F0 M0).
        * etransitivity; [exact (low_stays t F0 M0) |]. rewrite X1. reflexivity.
      + destruct (cases t) as [(V' & _) | [(_ & Y & -> & _) | (_ & Y & -> & ->)]]; [congruence | left; auto |]. right. split; [| clear; lia].
        assert (E : fill t = 0 /\ move t = 0 /\ carried t = 0) by (clear - ONE B F; lia). destruct E as (F0 & M0 & C0).
        split; [exact R0 |]. right. exists x, g, q. split; [exact HS |]. right. split; [reflexivity |]. right. right. right.
        split; [rewrite T3, F, Y, C0; reflexivity |]. split; [clear - D; lia |]. rewrite !H_answer in *. rewrite still by assumption. exact X1.
  Qed.

  Lemma balanced : forall t, in_loop (S t) + in_converter (S t) + (if takes net t then 1 else 0) = in_loop t + in_converter t + if accepts net t then 1 else 0.
  Proof.
    intros t. pose proof (balance t) as E.
    destruct (bits t) as (_ & BI & BQ & BR). unfold accepts, takes. destruct (H_ready t) as [RI RV]. rewrite RI, RV in *.
    destruct (bits t) as ((_ & _ & _ & _ & B5) & _).
    assert (valid t = 0 \/ valid t = 1) as [V | V] by lia; assert (taken_i t = 0 \/ taken_i t = 1) as [Y | Y] by lia;
      assert (idle t = 0 \/ idle t = 1) as [I | I] by lia; assert (net "req_valid_i" t = 0 \/ net "req_valid_i" t = 1) as [Q | Q] by lia;
      rewrite V, Y, I, Q in *; cbn [Z.eqb Pos.eqb andb]; lia.
  Qed.

  Theorem overlapping : pipelined net (fun t => two operand (net "a_i" t)) (fun t => two operand (net "b_i" t)) n_of
    (fun t => two operand (net "p_o" t)) (T + 5) (T + 5) R legal bounded bounded.
  Proof.
    apply (in_order _ _ _ _ _ _ _ _ _ _ _ (fun t => Z.to_nat (in_loop t + in_converter t)) is_after).
    - destruct empty as (-> & -> & _). reflexivity.
    - intros t. pose proof (balanced t). pose proof (of_nothing t). pose proof (of_nothing (S t)). destruct (takes net t), (accepts net t); lia.
    - intros t V. destruct (H_ready t) as [_ E]. rewrite E in V. pose proof (of_nothing t). lia.
    - intros t V Y. destruct (H_ready t) as [_ E]. destruct (H_ready (S t)) as [_ ->]. rewrite E in V. destruct (H_steps t) as (_ & _ & ->). rewrite V, Y.
      destruct (bits t) as ((B1 & B2 & B3 & B4 & B5) & _). destruct (control t) as (_ & ONE & _). assert (carried t = 0) as C by lia. rewrite C.
      split; [reflexivity |]. rewrite !H_answer, H_rests by (try lia; apply no_carries_yet, C). reflexivity.
    - intros c V Y L A B. destruct (H_ready c) as [I _]. rewrite Y in I. assert (R0 : request c) by (split; [exact V |]; split; [congruence |]; auto).
      split; [exact R0 |]. left. exists O. split; [lia |]. split; [reflexivity |]. rewrite Nat.add_1_r. pose proof (balanced c) as E. pose proof (of_nothing c) as F.
      assert (accepts net c = true) as G by (unfold accepts; rewrite V, Y; reflexivity). rewrite G, (entered c R0) in E.
      pose proof (of_nothing (S c)). destruct (takes net c); lia.
    - exact moves.
    - intros c d [R0 H] V. destruct (H_ready (c + d)%nat) as [_ RV]. rewrite RV in V. pose proof (of_nothing (c + d)%nat) as F.
      destruct (bits (c + d)%nat) as ((B1 & B2 & B3 & B4 & B5) & _). destruct (control (c + d)%nat) as (_ & ONE & _).
      destruct H as [(i & _ & _ & E) | (x & g & q & _ & P)]; [lia |].
      destruct P as [(_ & _ & E & _) | (_ & [(E & _) | [(E & _) | [(E & _) | (_ & D & G)]]])]; [discriminate | lia | lia | lia |].
      split; [lia | exact G].
    - intros c d before [R0 H] M. pose proof (moving_most c d). destruct H as [(i & I & E & _) | (x & g & q & _ & P)]; [lia |].
      destruct P as [(_ & _ & _ & _ & E & _) | (-> & [(_ & _ & E & _) | [(_ & _ & E & _) | [(_ & _ & E & _) | (V & _)]]])]; [lia | lia | lia | lia |].
      split; [reflexivity |]. destruct (H_ready (c + d)%nat) as [_ ->]. exact V.
    - lia.
  Qed.
End Overlapping.
