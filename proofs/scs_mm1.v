(* SPDX-License-Identifier: Apache-2.0 *)
(* mf_scs_mm1 from the nets of the RTL to the contract, for every width. The hypotheses are the lemmas that montforge prints into
   scs_mm1_lemmas.v, and proves on the RTL. *)
From Coq Require Import ZArith Lia String.
Require Import DigitRecurrence Instances Contract Control WordSerial scs_mm1_lemmas.
Open Scope string_scope. Open Scope Z_scope.
Set Default Proof Using "All".

Section Chain.
  Variables (K : nat) (converter : Z) (net : trace).
  Let W := Z.of_nat K.
  Hypotheses (wide : (1 <= K)%nat /\ 1 <= converter) (H_ranges : ranges W converter net) (H_ready : ready W converter net)
    (H_selects : selects W converter net) (H_reset : selects_at_reset W converter net) (H_accept : accept W converter net)
    (H_clear : clear W converter net) (H_row1 : row1 W converter net) (H_row2 : row2 W converter net) (H_step : step W converter net)
    (H_start : no_carry W converter net) (H_word : word_added W converter net) (H_convert : convert W converter net)
    (H_count : count W converter net) (H_next : next_phase W converter net) (H_hold : hold W converter net) (H_answer : answer W converter net).

  Let V := Z.min converter (W + 1).                                                           (* bits of a word *)
  Let m := Z.to_nat ((W + 1 + V - 1) / V).                                                    (* words of a result *)
  Let r := 2 ^ V.

  Lemma selected : forall t k, net "phase_q" t = k -> net "select_loop_q" t = (if k =? 1 then 1 else 0) /\
    net "select_convert_q" t = (if k =? 2 then 1 else 0) /\ net "select_hold_q" t = (if k =? 3 then 1 else 0).
  Proof. intros t k <-. destruct t; [destruct (H_reset O eq_refl) as (-> & -> & -> & ->); auto | apply H_selects]. Qed.

  Lemma word_size : 1 <= V <= W + 1 /\ (W + 1 + V - 1) / V = Z.of_nat m /\ (1 <= m)%nat /\ W + 1 <= Z.of_nat m * V.
  Proof.
    assert (1 <= V <= W + 1) by (unfold V, W; lia). split; [assumption |]. apply word_count; lia.
  Qed.

  Lemma counting : forall P t, (P = 1 \/ P = 2) -> net "phase_q" t = P -> 0 < net "u_countdown.left_q" t ->
    net "phase_q" (S t) = P /\ net "u_countdown.left_q" (S t) = net "u_countdown.left_q" t - 1.
  Proof. intros P t C E L. destruct (H_count t ltac:(lia) ltac:(lia) L). lia. Qed.

  Section Request.
  (* A request is accepted in cycle c. *)
  Variables (c : nat).
  Let a := net "a_i" c. Let b := net "b_i" c. Let n := net "n_i" c.
  Hypotheses (idle : net "phase_q" c = 0) (request : net "req_valid_i" c = 1) (odd : n mod 2 = 1) (a_range : a < 2 * n) (b_range : b < 2 * n).

  Let first := S c.                                                                          (* the first cycle of the loop *)
  Let total t := net "ss_q" t + net "sc_q" t.

  Lemma step_at : forall t, net "phase_q" t = 1 -> net "ss_q" (S t) = net "u_csa.sum_o" t / 2 /\ net "sc_q" (S t) = net "u_csa.carry_o" t / 2 /\
    net "a_q" (S t) = net "a_q" t / 2 /\ net "b_q" (S t) = net "b_q" t /\ net "n_q" (S t) = net "n_q" t.
  Proof. intros t P. destruct (selected _ _ P) as (L1 & L2 & L3). exact (H_step t P L1 L2 L3). Qed.

  Lemma loop : forall t, (t <= K + 1)%nat -> net "phase_q" (first + t)%nat = 1 /\ net "u_countdown.left_q" (first + t)%nat = Z.of_nat (K + 1 - t) /\
    net "b_q" (first + t)%nat = b /\ net "n_q" (first + t)%nat = n /\ net "ss_q" (first + t)%nat < 2 ^ (W + 1).
  Proof.
    destruct (H_accept c idle request) as (A1 & A2 & _ & A4 & A5). destruct (selected _ _ idle) as (L1 & L2 & L3).
    apply (counted _ _ 1 (fun t => net "b_q" t = b /\ net "n_q" t = n /\ net "ss_q" t < 2 ^ (W + 1)));
      [intros; apply counting; auto | | exact A1 | unfold first; lia | destruct (H_clear c L1 L2 L3); unfold first; repeat split; lia].
    intros t P (B & N & _). destruct (step_at t P) as (-> & _ & _ & -> & ->). repeat split; auto.
    apply Z.div_lt_upper_bound; [lia |]. replace (2 * 2 ^ (W + 1)) with (2 ^ (W + 2)) by (rewrite <- Z.pow_succ_r by lia; f_equal; lia).
    pose proof (H_ranges t). lia.
  Qed.

  (* One cycle of the loop, exactly. *)
  Lemma recurrence : forall t, (t < K + 2)%nat -> let q := net "u_csa.quotient_digit" (first + t)%nat in
    0 <= q <= 1 /\ 2 * total (first + S t) = total (first + t) + net "a_q" (first + t)%nat mod 2 * b + q * n.
  Proof.
    intros t L q. destruct (loop t ltac:(lia)) as (S1 & _ & S3 & S4 & S5).
    destruct (step_at _ S1) as (N1 & N2 & _). destruct (H_row1 (first + t)%nat S5 ltac:(in_range H_ranges (first + t)%nat)) as (R1 & R2 & R3).
    destruct (H_row2 _ R2 R3 ltac:(rewrite S4; exact odd)) as (E1 & E2 & E3). pose proof (H_ranges (first + t)%nat).
    split; [unfold q; lia |]. unfold total. rewrite Nat.add_succ_r, N1, N2. rewrite S3 in R1. rewrite S4 in E1. fold q in E1.
    pose proof (Z.div_mod (net "u_csa.sum_o" (first + t)%nat) 2 ltac:(lia)). pose proof (Z.div_mod (net "u_csa.carry_o" (first + t)%nat) 2 ltac:(lia)).
    lia.
  Qed.

  Let converts := (first + (K + 2))%nat.                                                      (* the first cycle of the conversion *)

  Lemma result : 0 <= total converts < 2 * n /\ montgomery n (pw 2 (K + 2)) a b (total converts).
  Proof.
    destruct (H_accept c idle request) as (_ & _ & A3 & _). destruct (selected _ _ idle) as (L1 & L2 & L3).
    destruct (H_clear c L1 L2 L3) as [C1 C2]. pose proof (H_ranges c) as Rc.
    apply (long_loop n a b K (fun t => total (first + t)) (fun t => net "a_q" (first + t)%nat) (fun t => net "u_csa.quotient_digit" (first + t)%nat)).
    - apply odd_positive; [unfold n; lia | exact odd].
    - rewrite pw_Z. fold W. unfold n. lia.
    - unfold a in *. lia.
    - unfold b in *. lia.
    - unfold total. rewrite Nat.add_0_r. unfold first. lia.
    - cbn beta. rewrite Nat.add_0_r. exact A3.
    - intros t L. destruct (loop t ltac:(lia)) as (S1 & _). rewrite Nat.add_succ_r. apply (step_at _ S1).
    - exact recurrence.
  Qed.

  Lemma end_of_loop : net "phase_q" converts = 2 /\ net "u_countdown.left_q" converts = Z.of_nat (m - 1).
  Proof.
    destruct (loop (K + 1)%nat ltac:(lia)) as (S1 & S2 & _). unfold converts. replace (first + (K + 2))%nat with (S (first + (K + 1)))%nat by lia.
    destruct (H_next (first + (K + 1))%nat ltac:(lia) ltac:(lia) ltac:(lia)) as [N1 N2]. destruct word_size as (_ & E & M & _). fold V in N2. rewrite E in N2. lia.
  Qed.

  Lemma conversion : forall i, (i <= m - 1)%nat -> net "phase_q" (converts + i)%nat = 2 /\ net "u_countdown.left_q" (converts + i)%nat = Z.of_nat (m - 1 - i).
  Proof.
    destruct end_of_loop as [E1 E2]. intros i L.
    destruct (counted (net "phase_q") (net "u_countdown.left_q") 2 (fun _ => True) ltac:(intros; apply counting; auto) ltac:(auto) converts (m - 1)%nat E1 E2 I i L).
    tauto.
  Qed.

  Let done := (converts + m)%nat.

  Lemma end_of_conversion : net "phase_q" done = 3.
  Proof.
    destruct word_size as (_ & _ & M & _). destruct (conversion (m - 1)%nat ltac:(lia)) as [P L]. unfold done.
    replace (converts + m)%nat with (S (converts + (m - 1)))%nat by lia. destruct (H_next (converts + (m - 1))%nat ltac:(lia) ltac:(lia) ltac:(lia)) as [N _]. lia.
  Qed.

  Lemma no_carry_in : net "u_cpa_fc.carry_q" converts = 0.
  Proof.
    destruct (loop (K + 1)%nat ltac:(lia)) as (S1 & _). destruct (selected _ _ S1) as (_ & L2 & _). unfold converts.
    replace (first + (K + 2))%nat with (S (first + (K + 1)))%nat by lia. exact (H_start _ L2).
  Qed.

  Lemma whole : net "ss_q" done = total converts.
  Proof.
    destruct word_size as (Vr & E & M & B). destruct result as [[R0 R1] _].
    assert (fits : total converts < 2 ^ (Z.of_nat m * V)).
    { assert (N : n < 2 ^ W) by in_range H_ranges c. assert (2 ^ (W + 1) = 2 * 2 ^ W) by (rewrite Z.pow_add_r by lia; lia).
      pose proof (Z.pow_le_mono_r 2 (W + 1) (Z.of_nat m * V) ltac:(lia) B). lia. }
    assert (s_range : forall t, 0 <= net "ss_q" t < 2 ^ (Z.of_nat m * V)) by (intros t; rewrite <- E; in_range H_ranges t).
    assert (c_least : 0 <= net "sc_q" converts) by in_range H_ranges converts.
    assert (carry_least : 0 <= net "u_cpa_fc.carry_q" done) by in_range H_ranges done.
    pose proof (s_range converts) as Sr. unfold total in *.
    pose proof (sum_that_fits V m (fun i => net "ss_q" (converts + i)%nat) (fun i => net "sc_q" (converts + i)%nat) (fun i => net "word" (converts + i)%nat)
      (fun i => net "u_cpa_fc.carry_q" (converts + i)%nat) (fun i => net "ss_q" (converts + i)%nat) (proj1 Vr)) as G. cbv beta zeta in G.
    rewrite Nat.add_0_r in G. fold done in G. apply G; clear G;
      [exact Sr | lia | exact Sr | apply s_range | exact carry_least | exact no_carry_in | exact fits | | right; reflexivity | |];
      intros i L; destruct (conversion i ltac:(lia)) as [C _]; destruct (selected _ _ C) as (L1 & L2 & L3); rewrite ?Nat.add_succ_r.
    - rewrite <- E. apply (H_convert _ L2 L1 L3).
    - apply (H_convert _ L2 L1 L3).
    - exact (H_word _ L2).
  Qed.

  Lemma before : forall t, (c < t < done)%nat -> net "phase_q" t <> 3.
  Proof.
    intros t L. destruct (Nat.lt_ge_cases t converts) as [H | H].
    - destruct (loop (t - first)%nat ltac:(unfold converts, first in *; lia)) as (E & _). replace (first + (t - first))%nat with t in E by (unfold first; lia). lia.
    - destruct (conversion (t - converts)%nat ltac:(unfold done in *; lia)) as (E & _). replace (converts + (t - converts))%nat with t in E by lia. lia.
  Qed.
  End Request.

  Theorem contract : multiplier net (net "a_i") (net "b_i") (net "n_i") (net "p_o") (K + 3 + m) (K + 3 + m) (2 ^ (W + 2))
    (fun c => net "n_i" c mod 2 = 1) (fun n x => 0 <= x < 2 * n) (fun n p => 0 <= p < 2 * n).
  Proof.
    apply (serves _ _ _ _ _ _ _ _ _ _ _ (net "phase_q") 0 3 (fun _ => True)); [exact H_ready | |].
    - intros c I V' odd [_ a_range] [_ b_range]. exists (K + 3 + m)%nat. pose proof (before c I V' odd a_range b_range) as B. pose proof (end_of_conversion c I V' odd a_range b_range) as D.
      pose proof (whole c I V' odd a_range b_range) as X. destruct (result c I V' odd a_range b_range) as [R M]. assert (N : net "n_i" c < 2 ^ W) by in_range H_ranges c.
      replace (S c + (K + 2) + m)%nat with (c + (K + 3 + m))%nat in * by lia.
      split; [lia |]. split; [exact D |]. split; [exact B |]. split; [exact Logic.I |].
      rewrite H_answer, X, Z.mod_small by (rewrite Z.pow_add_r by lia; lia). split; [exact R |].
      apply montgomery_mod. replace (2 ^ (W + 2)) with (pw 2 (K + 2)); [exact M |]. rewrite pw_Z. f_equal. unfold W. lia.
    - intros t D _ T. destruct (selected _ _ D) as (L1 & L2 & L3). destruct (H_hold t D T L1 L2 L3) as [D' S']. rewrite !H_answer, S'. auto.
  Qed.
End Chain.
