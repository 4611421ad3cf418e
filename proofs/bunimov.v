(* SPDX-License-Identifier: Apache-2.0 *)
(* mf_bunimov from the nets of the RTL to the contract, for every width. The hypotheses are the lemmas that montforge prints into
   bunimov_lemmas.v, and proves on the RTL. *)
From Coq Require Import ZArith Lia String.
Require Import DigitRecurrence Instances Contract Control WordSerial bunimov_lemmas.
Open Scope string_scope. Open Scope Z_scope.
Set Default Proof Using "All".

(* The borrow of total - n modulo P. *)
Lemma borrow : forall P d carry total n, 0 < P -> 0 <= d < P -> 0 <= carry <= 1 -> 0 <= total -> 0 <= n -> d + P * carry = total + P - n ->
  (carry = 1 -> total - n = d) /\ (carry = 0 -> total < n).
Proof. intros P d carry total n HP D C T N E. split; intros ->; lia. Qed.

Section Chain.
  Variables (K : nat) (converter : Z) (net : trace).
  Let W := Z.of_nat K.
  Hypotheses (wide : (1 <= K)%nat /\ 1 <= converter) (H_ranges : ranges W converter net) (H_ready : ready W converter net)
    (H_selects : selects W converter net) (H_reset : selects_at_reset W converter net) (H_accept : accept W converter net)
    (H_no_carry : no_carry W converter net) (H_carry : carry_on W converter net) (H_carry_in : carry_in W converter net)
    (H_word : word_added W converter net) (H_top : top W converter net) (H_move : words_move W converter net)
    (H_keep : keep W converter net) (H_operands : keep_operands W converter net) (H_subtract : subtract W converter net)
    (H_multiple : multiple W converter net) (H_quotient : quotient W converter net) (H_row : row W converter net) (H_step : step W converter net)
    (H_count : count W converter net) (H_next : next_phase W converter net) (H_hold : hold W converter net) (H_answer : answer W converter net).

  Let V := Z.min converter (W + 2).                                                           (* bits of a word *)
  Let m := Z.to_nat ((W + 2 + V - 1) / V).                                                    (* words of a sum *)
  Let P := 2 ^ (Z.of_nat m * V).

  Lemma selected : forall t k, net "phase_q" t = k -> net "select_operand_q" t = (if k =? 0 then 1 else 0) /\
    net "select_loop_q" t = (if k =? 2 then 1 else 0) /\
    net "select_words_q" t = (if k =? 1 then 1 else if k =? 3 then 1 else if k =? 4 then 1 else 0) /\ net "select_hold_q" t = (if k =? 5 then 1 else 0).
  Proof. intros t k <-. destruct t; [destruct (H_reset O eq_refl) as (-> & -> & -> & -> & ->); auto | apply H_selects]. Qed.

  Lemma word_size : 1 <= V /\ (W + 2 + V - 1) / V = Z.of_nat m /\ (1 <= m)%nat /\ W + 2 <= Z.of_nat m * V.
  Proof. assert (1 <= V) by (unfold V, W; lia). split; [assumption |]. apply word_count; lia. Qed.

  Lemma four : 4 * 2 ^ W <= P /\ 0 < 2 ^ W.
  Proof.
    destruct word_size as (_ & _ & _ & B). pose proof (Z.pow_le_mono_r 2 (W + 2) (Z.of_nat m * V) ltac:(lia) B) as Q.
    rewrite Z.pow_add_r in Q by lia. split; [unfold P; lia | apply Z.pow_pos_nonneg; lia].
  Qed.

  Lemma vectors : forall t, 0 <= net "ss_q" t < P /\ 0 <= net "d_q" t < P /\ 0 <= net "sc_q" t < 2 ^ W /\ 0 <= net "u_cpa.carry_q" t < 2 ^ 1 /\
    0 <= net "carry_out" t < 2 ^ 1.
  Proof. intros t. unfold P. destruct word_size as (_ & <- & _). in_range H_ranges t. Qed.

  Lemma counting : forall p t, 1 <= p < 5 -> net "phase_q" t = p -> 0 < net "u_countdown.left_q" t ->
    net "phase_q" (S t) = p /\ net "u_countdown.left_q" (S t) = net "u_countdown.left_q" t - 1.
  Proof. intros p t C E L. destruct (H_count t ltac:(lia) ltac:(lia) L). lia. Qed.

  Lemma ending : forall p t, 1 <= p < 5 -> net "phase_q" t = p -> net "u_countdown.left_q" t = 0 ->
    net "phase_q" (S t) = p + 1 /\ net "u_countdown.left_q" (S t) = (if p =? 1 then W - 1 else Z.of_nat m - 1).
  Proof.
    intros p t C E L. destruct (H_next t ltac:(lia) ltac:(lia) L) as [N1 N2]. destruct word_size as (_ & M & _). fold V in N2.
    rewrite E, M in *. auto.
  Qed.

  (* What moves in a cycle of a phase of words. *)
  Lemma moved : forall p t, p = 1 \/ p = 3 \/ p = 4 -> net "phase_q" t = p ->
    net "ss_q" (S t) = net "ss_q" t / 2 ^ V + 2 ^ ((Z.of_nat m - 1) * V) * (if p =? 3 then net "word" t else if p =? 4 then net "ss_q" t mod 2 ^ V else 0) /\
    net "sc_q" (S t) = net "sc_q" t / 2 ^ V /\ net "d_q" (S t) = net "d_q" t / 2 ^ V + 2 ^ ((Z.of_nat m - 1) * V) * net "word" t /\
    net "word" t + 2 ^ V * net "carry_out" t =
      net "ss_q" t mod 2 ^ V + (if p =? 4 then 2 ^ V - 1 - net "n_q" t mod 2 ^ V else net "sc_q" t mod 2 ^ V) + net "u_cpa.carry_q" t.
  Proof.
    intros p t C E. destruct (selected _ _ E) as (L1 & L2 & L3 & L4). destruct word_size as (_ & M & _).
    assert (words : net "select_words_q" t = 1 /\ net "select_operand_q" t = 0 /\ net "select_loop_q" t = 0 /\ net "select_hold_q" t = 0)
      by (destruct C as [-> | [-> | ->]]; auto).
    destruct words as (X1 & X2 & X3 & X4). destruct (H_move t X1 X2 X3 X4) as (Y1 & Y2 & Y3). destruct (H_word t) as [Y4 Y5]. pose proof (H_top t) as Y6.
    fold V in Y1, Y2, Y3, Y4, Y5, Y6. rewrite M, E in *. rewrite Y6 in Y1. rewrite Y5 in Y4. auto.
  Qed.

  Lemma carried : forall p t, p = 1 \/ p = 4 \/ p = 3 /\ 0 < net "u_countdown.left_q" t -> net "phase_q" t = p ->
    net "u_cpa.carry_q" (S t) = net "carry_out" t.
  Proof.
    intros p t C E. destruct (selected _ _ E) as (_ & _ & L3 & _). apply H_carry; rewrite ?E.
    - destruct C as [-> | [-> | [-> _]]]; exact L3.
    - destruct C as [-> | [-> | [-> L]]]; [reflexivity | reflexivity | exact L].
  Qed.

  Section Request.
  (* A request is accepted in cycle c. *)
  Variables (c : nat).
  Let a := net "a_i" c. Let b := net "b_i" c. Let n := net "n_i" c.
  Hypotheses (idle : net "phase_q" c = 0) (request : net "req_valid_i" c = 1) (odd : n mod 2 = 1) (b_range : b < n).

  (* The first cycles of the phases after it. *)
  Let first := S c. Let loops := (first + m)%nat. Let converts := (loops + K)%nat. Let subtracts := (converts + m)%nat. Let done := (subtracts + m)%nat.
  Let total t := net "ss_q" t + net "sc_q" t.

  Lemma small : 0 < n < 2 ^ W /\ 0 <= a < 2 ^ W /\ 0 <= b.
  Proof.
    assert (0 <= n < 2 ^ W) by in_range H_ranges c. assert (0 <= a < 2 ^ W) by in_range H_ranges c. assert (0 <= b) by in_range H_ranges c.
    pose proof (odd_positive n ltac:(lia) odd). lia.
  Qed.

  Lemma accepted : net "phase_q" first = 1 /\ net "u_countdown.left_q" first = Z.of_nat m - 1 /\ net "ss_q" first = b /\ net "sc_q" first = n /\
    net "u_cpa.carry_q" first = 0 /\ net "a_q" first = a /\ net "b_q" first = b /\ net "n_q" first = n.
  Proof.
    destruct (selected _ _ idle) as (L1 & L2 & L3 & L4). destruct (H_accept c idle request L1 L2 L3 L4) as (A1 & A2 & A3 & A4 & A5 & A6 & A7).
    destruct word_size as (_ & E & _). fold V in A2. rewrite E in A2. pose proof (H_no_carry c L3 ltac:(lia)). repeat split; assumption.
  Qed.

  Lemma precomputation : (forall i, (i < m)%nat -> net "phase_q" (first + i)%nat = 1) /\ net "phase_q" loops = 2 /\
    net "u_countdown.left_q" loops = Z.of_nat K - 1 /\ net "a_q" loops = a /\ net "b_q" loops = b /\ net "n_q" loops = n.
  Proof.
    destruct accepted as (A1 & A2 & _ & _ & _ & A). destruct word_size as (_ & _ & M & _).
    destruct (phase_runs _ _ 1 2 (W - 1) (fun t => net "a_q" t = a /\ net "b_q" t = b /\ net "n_q" t = n)
      (fun t => counting 1 t ltac:(lia)) (fun t => ending 1 t ltac:(lia))) with (s := first) (d := m) as (R & Q & L & E); auto.
    - intros t Q (Ea & Eb & En). destruct (H_operands t ltac:(lia) ltac:(lia)) as [-> ->]. rewrite (H_keep t Q). auto.
    - split; [intros i L'; apply (R i L') |]. auto.
  Qed.

  Lemma d_ready : net "d_q" loops = b + n /\ net "ss_q" loops = 0 /\ net "sc_q" loops = 0.
  Proof.
    destruct accepted as (_ & _ & Sb & Sn & C0 & _). destruct precomputation as (Q & _). destruct small as (N & _ & B). destruct four as [F _].
    destruct word_size as (HV & _ & M & _). destruct (vectors first) as (V1 & V2 & V3 & _). destruct (vectors loops) as (W1 & W2 & W3 & W4 & _).
    assert (R : 1 < 2 ^ V) by (apply (Z.pow_gt_1 2 V); lia). unfold loops. rewrite <- Sb, <- Sn.
    assert (moves : forall i, (i < m)%nat -> net "ss_q" (first + S i)%nat = net "ss_q" (first + i)%nat / 2 ^ V /\
      net "sc_q" (first + S i)%nat = net "sc_q" (first + i)%nat / 2 ^ V).
    { intros i L. rewrite Nat.add_succ_r. destruct (moved 1 _ ltac:(auto) (Q i L)) as (-> & -> & _). cbn [Z.eqb Pos.eqb]. rewrite Z.mul_0_r, Z.add_0_r. auto. }
    repeat split.
    - pose proof (sum_that_fits V m (fun i => net "ss_q" (first + i)%nat) (fun i => net "sc_q" (first + i)%nat) (fun i => net "word" (first + i)%nat)
        (fun i => net "u_cpa.carry_q" (first + i)%nat) (fun i => net "d_q" (first + i)%nat) HV) as G. cbv beta zeta in G. rewrite Nat.add_0_r in G.
      fold P in G. apply G; clear G; [lia | lia | exact V2 | apply W2 | apply W4 | exact C0 | lia | | left | |]; intros i L; try apply (moves i L).
      + rewrite Nat.add_succ_r. apply (moved 1 _ ltac:(auto) (Q i L)).
      + rewrite Nat.add_succ_r, (carried 1 _ ltac:(auto) (Q i L)). apply (moved 1 _ ltac:(auto) (Q i L)).
    - pose proof (shifted_down (2 ^ V) m (fun i => net "ss_q" (first + i)%nat) R ltac:(intros i L; apply (moves i L)) m ltac:(lia)) as G. cbv beta in G.
      rewrite G, Nat.add_0_r, pw_words by lia. apply Z.div_small. exact V1.
    - pose proof (shifted_down (2 ^ V) m (fun i => net "sc_q" (first + i)%nat) R ltac:(intros i L; apply (moves i L)) m ltac:(lia)) as G. cbv beta in G.
      rewrite G, Nat.add_0_r, pw_words by lia. apply Z.div_small. fold P. lia.
  Qed.

  Lemma step_at : forall t, net "phase_q" t = 2 -> net "ss_q" (S t) = net "sum" t / 2 /\ net "sc_q" (S t) = net "carry" t / 2 /\
    net "a_q" (S t) = net "a_q" t / 2 /\ net "d_q" (S t) = net "d_q" t.
  Proof. intros t Q. destruct (selected _ _ Q) as (L1 & L2 & L3 & L4). exact (H_step t Q L1 L2 L3 L4). Qed.

  Lemma loop : (forall t, (t < K)%nat -> net "phase_q" (loops + t)%nat = 2 /\ net "b_q" (loops + t)%nat = b /\ net "n_q" (loops + t)%nat = n /\
    net "d_q" (loops + t)%nat = b + n /\ net "ss_q" (loops + t)%nat < 2 ^ W) /\
    net "phase_q" converts = 3 /\ net "u_countdown.left_q" converts = Z.of_nat m - 1 /\ net "n_q" converts = n.
  Proof.
    destruct precomputation as (_ & Q & L & _ & B & N). destruct d_ready as (D & S0 & _). destruct four as [_ F].
    destruct (phase_runs _ _ 2 3 (Z.of_nat m - 1) (fun t => net "b_q" t = b /\ net "n_q" t = n /\ net "d_q" t = b + n /\ net "ss_q" t < 2 ^ W)
      (fun t => counting 2 t ltac:(lia)) (fun t => ending 2 t ltac:(lia))) with (s := loops) (d := K) as (R & Q' & L' & E).
    - intros t Q' (Eb & En & Ed & _). destruct (H_operands t ltac:(lia) ltac:(lia)) as [-> ->]. destruct (step_at t Q') as (-> & _ & _ & ->).
      repeat split; auto. apply Z.div_lt_upper_bound; [lia |]. replace (2 * 2 ^ W) with (2 ^ (W + 1)) by (rewrite Z.pow_add_r by lia; lia). in_range H_ranges t.
    - lia.
    - exact Q.
    - exact L.
    - rewrite S0. auto.
    - split; [exact R |]. split; [exact Q' |]. split; [exact L' | apply E].
  Qed.

  (* One cycle of the loop, exactly. *)
  Lemma recurrence : forall t, (t < K)%nat -> 0 <= total (loops + t) < 2 * n ->
    2 * total (loops + S t) = total (loops + t) + net "a_q" (loops + t)%nat mod 2 * b \/
    2 * total (loops + S t) = total (loops + t) + net "a_q" (loops + t)%nat mod 2 * b + n.
  Proof.
    intros t L _. destruct (proj1 loop t L) as (Q & B & N & D & S1). set (q := net "quotient_digit" (loops + t)%nat).
    destruct (step_at _ Q) as (N1 & N2 & _). pose proof (H_multiple (loops + t)%nat ltac:(rewrite B, N; exact D)) as X.
    pose proof (H_quotient (loops + t)%nat ltac:(rewrite N; exact odd)) as E.
    destruct (H_row (loops + t)%nat ltac:(replace (W + 1 - 1) with W by lia; exact S1)) as [R1 R2]. rewrite B, N in *.
    assert (0 <= q < 2 ^ 1) by in_range H_ranges (loops + t)%nat. apply (two_cases _ _ q); [lia |]. unfold total. rewrite Nat.add_succ_r, N1, N2.
    rewrite X in R1. apply halves; [rewrite R1; unfold q; ring | exact E | exact R2].
  Qed.

  Lemma shift : forall t, (t < K)%nat -> net "a_q" (loops + S t)%nat = net "a_q" (loops + t)%nat / 2.
  Proof. intros t L. destruct (proj1 loop t L) as (Q & _). rewrite Nat.add_succ_r. apply (step_at _ Q). Qed.

  Let p := if total converts <? n then total converts else total converts - n.

  Lemma result : 0 <= total converts < 2 * n /\ 0 <= p < n /\ montgomery n (pw 2 K) a b p.
  Proof.
    destruct precomputation as (_ & _ & _ & A & _). destruct d_ready as (_ & S0 & C0). destruct small as (N & A0 & B0).
    assert (start : total (loops + 0) = 0) by (unfold total; rewrite Nat.add_0_r; lia). split.
    - apply (mm_r2_bound n b K (fun t => total (loops + t)) (fun t => net "a_q" (loops + t)%nat)); [lia | lia | exact start | exact recurrence | lia].
    - apply (mm_r2 n a b K (fun t => total (loops + t)) (fun t => net "a_q" (loops + t)%nat));
        [lia | lia | rewrite pw_Z; exact A0 | exact start | rewrite Nat.add_0_r; exact A | exact shift | exact recurrence | reflexivity].
  Qed.

  Lemma conversion : (forall i, (i <= m - 1)%nat -> net "phase_q" (converts + i)%nat = 3 /\ net "u_countdown.left_q" (converts + i)%nat = Z.of_nat (m - 1 - i) /\
    net "n_q" (converts + i)%nat = n) /\
    net "phase_q" subtracts = 4 /\ net "u_countdown.left_q" subtracts = Z.of_nat m - 1 /\ net "n_q" subtracts = n /\ net "u_cpa.carry_q" subtracts = 1.
  Proof.
    destruct loop as (_ & Q & L & N). destruct word_size as (_ & _ & M & _).
    assert (same : forall t, net "phase_q" t = 3 -> net "n_q" t = n -> net "n_q" (S t) = n)
      by (intros t Q' E; destruct (H_operands t ltac:(lia) ltac:(lia)) as [_ ->]; exact E).
    pose proof (counted _ _ 3 (fun t => net "n_q" t = n) (fun t => counting 3 t ltac:(lia)) same converts (m - 1)%nat Q ltac:(lia) N) as C.
    split; [exact C |]. destruct (C (m - 1)%nat ltac:(lia)) as (C1 & C2 & C3). unfold subtracts. replace (converts + m)%nat with (S (converts + (m - 1)))%nat by lia.
    destruct (ending 3 _ ltac:(lia) C1 ltac:(lia)) as [E1 E2]. pose proof (H_carry_in _ C1 ltac:(lia)) as E3. pose proof (same _ C1 C3). auto.
  Qed.

  Lemma converted : net "ss_q" subtracts = total converts.
  Proof.
    destruct result as [B _]. destruct conversion as (Q & _). destruct small as (N & _). destruct four as [F _].
    destruct word_size as (HV & _ & M & _). destruct (vectors converts) as (V1 & _ & V3 & _). destruct (vectors subtracts) as (W1 & _).
    set (carries := fun i => match i with O => 0 | S j => net "carry_out" (converts + j)%nat end).
    assert (carries_at : forall i, (i < m)%nat -> net "u_cpa.carry_q" (converts + i)%nat = carries i).
    { intros [| j] L; cbn [carries].
      - rewrite Nat.add_0_r. destruct (proj1 loop (K - 1)%nat ltac:(lia)) as (E & _). destruct (selected _ _ E) as (_ & _ & L3 & _).
        unfold converts. replace (loops + K)%nat with (S (loops + (K - 1)))%nat by lia. exact (H_no_carry _ L3 ltac:(lia)).
      - destruct (Q j ltac:(lia)) as (E & E' & _). rewrite Nat.add_succ_r. apply (carried 3); [right; right; split; [reflexivity | lia] | exact E]. }
    unfold total in *.
    pose proof (sum_that_fits V m (fun i => net "ss_q" (converts + i)%nat) (fun i => net "sc_q" (converts + i)%nat) (fun i => net "word" (converts + i)%nat)
      carries (fun i => net "ss_q" (converts + i)%nat) HV) as G. cbv beta zeta in G. rewrite Nat.add_0_r in G.
    fold P in G. fold subtracts in G. apply G; clear G; [exact V1 | lia | exact V1 | apply W1 | | reflexivity | lia | | right; reflexivity | |].
    - assert (least : forall i, 0 <= carries i) by (intros [| j]; [reflexivity | apply (vectors (converts + j)%nat)]). apply least.
    - intros i L. rewrite Nat.add_succ_r. destruct (Q i ltac:(lia)) as (E & _). apply (moved 3 _ ltac:(auto) E).
    - intros i L. rewrite Nat.add_succ_r. destruct (Q i ltac:(lia)) as (E & _). apply (moved 3 _ ltac:(auto) E).
    - intros i L. rewrite <- (carries_at i L). destruct (Q i ltac:(lia)) as (E & _). apply (moved 3 _ ltac:(auto) E).
  Qed.

  Lemma subtraction : (forall i, (i < m)%nat -> net "phase_q" (subtracts + i)%nat = 4) /\ net "phase_q" done = 5.
  Proof.
    destruct conversion as (_ & Q & L & _). destruct word_size as (_ & _ & M & _).
    destruct (phase_runs _ _ 4 5 (Z.of_nat m - 1) (fun _ => True)
      (fun t => counting 4 t ltac:(lia)) (fun t => ending 4 t ltac:(lia))) with (s := subtracts) (d := m) as (R & Q' & _); auto.
    split; [intros i L'; apply (R i L') | exact Q'].
  Qed.

  Lemma subtracted : net "ss_q" done = total converts /\ net "d_q" done + P * net "no_borrow_q" done = total converts + P - n.
  Proof.
    destruct result as [B _]. destruct conversion as (_ & _ & _ & N0 & C0). destruct subtraction as (Q & _). destruct small as (N & _). destruct four as [F _].
    destruct word_size as (HV & _ & M & _). destruct (vectors subtracts) as (V1 & V2 & _). pose proof converted as S0.
    assert (last : net "no_borrow_q" done = net "u_cpa.carry_q" done).
    { unfold done. replace (subtracts + m)%nat with (S (subtracts + (m - 1)))%nat by lia. pose proof (Q (m - 1)%nat ltac:(lia)) as E.
      destruct (H_subtract _ E) as [_ ->]. symmetry. apply (carried 4); auto. }
    pose proof (difference V m (fun i => net "ss_q" (subtracts + i)%nat) (fun i => net "n_q" (subtracts + i)%nat) (fun i => net "word" (subtracts + i)%nat)
      (fun i => net "u_cpa.carry_q" (subtracts + i)%nat) (fun i => net "d_q" (subtracts + i)%nat) HV) as G. cbv beta zeta in G. rewrite Nat.add_0_r in G.
    fold P in G. fold done in G. rewrite last, <- S0, <- N0. apply and_comm. apply G; clear G; [exact V1 | lia | exact V2 | exact C0 | | | |];
      intros i L; pose proof (Q i L) as E; rewrite ?Nat.add_succ_r.
    - apply (moved 4 _ ltac:(auto) E).
    - destruct (H_subtract _ E) as [-> _]. reflexivity.
    - apply (moved 4 _ ltac:(auto) E).
    - rewrite (carried 4 _ ltac:(auto) E). apply (moved 4 _ ltac:(auto) E).
  Qed.

  Lemma chosen : net "p_o" done = p.
  Proof.
    destruct result as [B [G _]]. destruct subtracted as [S1 D1]. destruct small as (N & _). destruct four as [F _]. destruct (vectors done) as (_ & V2 & _).
    assert (X : 0 <= net "no_borrow_q" done < 2 ^ 1) by in_range H_ranges done.
    destruct (borrow P (net "d_q" done) (net "no_borrow_q" done) (total converts) n ltac:(lia) V2 ltac:(lia) ltac:(lia) ltac:(lia) D1) as [one zero].
    rewrite H_answer, S1. unfold p in *. destruct (Z.eqb_spec (net "no_borrow_q" done) 1) as [E | E].
    - specialize (one E). destruct (Z.ltb_spec (total converts) n); [lia |]. rewrite Z.mod_small; lia.
    - specialize (zero ltac:(lia)). destruct (Z.ltb_spec (total converts) n); [| lia]. apply Z.mod_small. lia.
  Qed.

  Lemma before : forall t, (c < t < done)%nat -> net "phase_q" t <> 5.
  Proof.
    intros t L. destruct (Nat.lt_ge_cases t loops) as [H | H]; [| destruct (Nat.lt_ge_cases t converts) as [H' | H'];
      [| destruct (Nat.lt_ge_cases t subtracts) as [H2 | H2]]].
    - pose proof (proj1 precomputation (t - first)%nat ltac:(unfold loops, first in *; lia)) as E. replace (first + (t - first))%nat with t in E by (unfold first; lia). lia.
    - destruct (proj1 loop (t - loops)%nat ltac:(unfold converts in *; lia)) as (E & _). replace (loops + (t - loops))%nat with t in E by lia. lia.
    - destruct (proj1 conversion (t - converts)%nat ltac:(unfold subtracts in *; lia)) as (E & _). replace (converts + (t - converts))%nat with t in E by lia. lia.
    - pose proof (proj1 subtraction (t - subtracts)%nat ltac:(unfold done in *; lia)) as E. replace (subtracts + (t - subtracts))%nat with t in E by lia. lia.
  Qed.

  Lemma response : let t := (c + (K + 1 + 3 * m))%nat in net "phase_q" t = 5 /\ (forall i, (c < i < t)%nat -> net "phase_q" i <> 5) /\
    0 <= net "p_o" t < n /\ (net "p_o" t * 2 ^ W) mod n = (a * b) mod n.
  Proof.
    intros t. replace t with done by (unfold t, done, subtracts, converts, loops, first; lia). destruct result as (_ & R & M).
    split; [apply subtraction |]. split; [exact before |]. rewrite chosen. split; [exact R |]. apply montgomery_mod. unfold W. rewrite <- pw_Z. exact M.
  Qed.
  End Request.

  Theorem contract : multiplier net (net "a_i") (net "b_i") (net "n_i") (net "p_o") (K + 1 + 3 * m) (K + 1 + 3 * m) (2 ^ W)
    (fun c => net "n_i" c mod 2 = 1) (fun n x => 0 <= x < n) (fun n p => 0 <= p < n).
  Proof.
    apply (serves _ _ _ _ _ _ _ _ _ _ _ (net "phase_q") 0 5 (fun _ => True)); [exact H_ready | |].
    - intros c I V' odd _ [_ b_range]. exists (K + 1 + 3 * m)%nat. destruct (response c I V' odd b_range) as (Q & B & R & M).
      split; [lia |]. auto.
    - intros t D _ T. destruct (selected _ _ D) as (L1 & L2 & L3 & L4). destruct (H_hold t D T L1 L2 L3 L4) as (D' & S' & D2 & B').
      rewrite !H_answer, S', D2, B'. auto.
  Qed.
End Chain.
