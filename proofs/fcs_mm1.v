(* SPDX-License-Identifier: Apache-2.0 *)
(* mf_fcs_mm1 from the nets of the RTL to the contract, for every width. The hypotheses are the lemmas that montforge prints into
   fcs_mm1_lemmas.v, and proves on the RTL. *)
From Coq Require Import ZArith Lia String.
Require Import DigitRecurrence Instances Contract Control fcs_mm1_lemmas.
Open Scope string_scope. Open Scope Z_scope.
Set Default Proof Using "All".

Lemma factor : forall x y, 0 <= x <= 1 -> 0 <= y -> 0 <= x * y <= y.
Proof. nia. Qed.

Section Chain.
  Variables (K : nat) (net : trace).
  Let W := Z.of_nat K.
  Hypotheses (wide : (1 <= K)%nat) (H_ranges : ranges W net) (H_ready : ready W net) (H_selects : selects W net)
    (H_reset : selects_at_reset W net) (H_accept : accept W net) (H_clear : clear W net) (H_row1 : row1 W net) (H_row2 : row2 W net)
    (H_quotient : quotient W net) (H_row3 : row3 W net) (H_step : step W net) (H_count : count W net) (H_end : count_end W net)
    (H_hold : hold W net) (H_answer : answer W net).

  Definition pair (s c : name) (t : nat) : Z := net s t + net c t.

  Lemma selected : forall t k, net "phase_q" t = k -> net "select_q" t = (if k =? 1 then 1 else if k =? 2 then 2 else 0).
  Proof. intros t k <-. destruct t; [destruct (H_reset O eq_refl) as (-> & ->); reflexivity | apply H_selects]. Qed.

  Section Request.
  (* A request is accepted in cycle c. *)
  Variables (c : nat).
  Let a := pair "a_s_i" "a_c_i" c. Let b := pair "b_s_i" "b_c_i" c. Let n := net "n_i" c.
  Hypotheses (idle : net "phase_q" c = 0) (request : net "req_valid_i" c = 1) (odd : n mod 2 = 1) (a_range : a < 2 * n) (b_range : b < 2 * n).

  Let first := S c.                                                                          (* the first cycle of the loop *)
  Let total t := net "ss_q" t + net "sc_q" t.
  (* The operand that is left: its lowest bit is registered, the rest is a pair and a carry. *)
  Let operand t := net "a_bit" t + 2 * (net "u_brfa.s_q" t + net "u_brfa.c_q" t + net "u_brfa.carry_q" t).

  Lemma loop : forall t, (t <= K + 1)%nat -> net "phase_q" (first + t)%nat = 1 /\ net "u_countdown.left_q" (first + t)%nat = Z.of_nat (K + 1 - t) /\
    pair "bs_q" "bc_q" (first + t)%nat = b /\ net "n_q" (first + t)%nat = n.
  Proof.
    destruct (H_accept c idle request) as (A1 & A2 & _ & A4 & A5 & A6).
    apply (counted _ _ 1 (fun t => pair "bs_q" "bc_q" t = b /\ net "n_q" t = n)); [exact H_count | | exact A1 | unfold first; lia |].
    - intros t P [B N]. destruct (H_step t P (selected _ _ P)) as (_ & _ & _ & U3 & U4 & ->). unfold pair in *. rewrite U3, U4. auto.
    - unfold pair, b, pair, first. rewrite A4, A5. auto.
  Qed.

  (* One cycle of the loop, exactly, while the state is below 4 n. *)
  Lemma recurrence : forall t, (t < K + 2)%nat -> 0 <= total (first + t) < 4 * n -> let q := net "quotient_digit" (first + t)%nat in
    0 <= q <= 1 /\ 2 * total (first + S t) = total (first + t) + operand (first + t) mod 2 * b + q * n /\
    operand (first + S t) = operand (first + t) / 2.
  Proof.
    intros t L B q. destruct (loop t ltac:(lia)) as (S1 & _ & S3 & S4).
    destruct (H_step _ S1 (selected _ _ S1)) as (N1 & N2 & N3 & _). destruct (H_row1 (first + t)%nat) as (R1 & R2 & _).
    destruct (H_row2 _ R2) as (E1 & E2). pose proof (H_quotient (first + t)%nat) as Q. pose proof (H_ranges (first + t)%nat) as R.
    pose proof (H_ranges c) as Rc. unfold pair in S3.
    assert (P : 2 ^ (W + 3) = 8 * 2 ^ W) by (rewrite Z.pow_add_r by lia; lia).
    assert (bit : 0 <= net "a_bit" (first + t)%nat <= 1) by lia.
    assert (U : net "sum2" (first + t)%nat + net "carry2" (first + t)%nat = total (first + t) + net "a_bit" (first + t)%nat * b).
    { rewrite E1, R1, <- S3. unfold total. ring. }
    assert (b_least : 0 <= b) by (unfold b, pair; lia). pose proof (factor _ _ bit b_least).
    assert (small : net "sum2" (first + t)%nat + net "carry2" (first + t)%nat < 2 ^ (W + 3)) by (unfold n, b in *; lia).
    destruct (H_row3 _ small E2 Q ltac:(rewrite S4; exact odd)) as (G1 & G2 & G3).
    assert (lowest : operand (first + t) mod 2 = net "a_bit" (first + t)%nat).
    { unfold operand. rewrite Z.mul_comm, Z_mod_plus_full. apply Z.mod_small. lia. }
    assert (half : operand (first + t) / 2 = net "u_brfa.s_q" (first + t)%nat + net "u_brfa.c_q" (first + t)%nat + net "u_brfa.carry_q" (first + t)%nat).
    { unfold operand. rewrite Z.mul_comm, Z.div_add by lia. rewrite Z.div_small by lia. lia. }
    split; [unfold q; lia |]. split.
    - rewrite lowest. rewrite S4 in G1. fold q in G1. unfold total in *. rewrite Nat.add_succ_r, N1, N2.
      pose proof (Z.div_mod (net "sum3" (first + t)%nat) 2 ltac:(lia)). pose proof (Z.div_mod (net "carry3" (first + t)%nat) 2 ltac:(lia)). lia.
    - rewrite half. unfold operand. rewrite Nat.add_succ_r. exact N3.
  Qed.

  Lemma start : total first = 0 /\ operand first = a.
  Proof.
    destruct (H_accept c idle request) as (_ & _ & A3 & _). destruct (H_clear c idle (selected _ _ idle)) as [C1 C2].
    unfold total, operand, first, a, pair. split; [lia | exact A3].
  Qed.

  Lemma bound : forall t, (t <= K + 2)%nat -> 0 <= total (first + t) < 4 * n.
  Proof.
    pose proof (H_ranges c) as Rc. assert (0 < n) by (apply odd_positive; [unfold n; lia | exact odd]).
    induction t; intros L; [rewrite Nat.add_0_r; destruct start; lia |].
    specialize (IHt ltac:(lia)). destruct (recurrence t ltac:(lia) IHt) as (Q & E & _). cbv zeta in *.
    pose proof (Z.mod_pos_bound (operand (first + t)) 2 ltac:(lia)) as M. assert (b_least : 0 <= b) by (unfold b, pair; lia).
    pose proof (factor (operand (first + t) mod 2) b ltac:(lia) b_least). pose proof (factor _ n Q ltac:(lia)). lia.
  Qed.

  Let done := (first + (K + 2))%nat.

  Lemma result : 0 <= total done < 2 * n /\ montgomery n (pw 2 (K + 2)) a b (total done).
  Proof.
    pose proof (H_ranges c) as Rc. destruct start as [T0 A0].
    apply (long_loop n a b K (fun t => total (first + t)) (fun t => operand (first + t)) (fun t => net "quotient_digit" (first + t)%nat)).
    - pose proof (bound 0 ltac:(lia)). lia.
    - rewrite pw_Z. fold W. unfold n. lia.
    - unfold a, pair in *. lia.
    - unfold b, pair in *. lia.
    - cbn beta. rewrite Nat.add_0_r. exact T0.
    - cbn beta. rewrite Nat.add_0_r. exact A0.
    - intros t L. apply recurrence; [exact L | apply bound; lia].
    - intros t L. destruct (recurrence t L (bound t ltac:(lia))) as (Q & E & _). split; assumption.
  Qed.

  Lemma end_of_loop : net "phase_q" done = 2.
  Proof.
    destruct (loop (K + 1)%nat ltac:(lia)) as (S1 & S2 & _). unfold done. replace (first + (K + 2))%nat with (S (first + (K + 1)))%nat by lia.
    apply H_end; [exact S1 | lia].
  Qed.

  Lemma before : forall t, (c < t < c + (K + 3))%nat -> net "phase_q" t <> 2.
  Proof.
    intros t L. destruct (loop (t - first)%nat ltac:(unfold first in *; lia)) as (E & _).
    replace (first + (t - first))%nat with t in E by (unfold first; lia). lia.
  Qed.
  End Request.

  (* Both vectors of the answer are whole. *)
  Lemma whole : forall t, pair "ss_q" "sc_q" t < 2 ^ (W + 1) -> pair "p_s_o" "p_c_o" t = pair "ss_q" "sc_q" t.
  Proof.
    intros t B. destruct (H_answer t) as [P1 P2]. pose proof (H_ranges t) as R. unfold pair in *. rewrite P1, P2, !Z.mod_small; lia.
  Qed.

  Theorem contract : multiplier net (pair "a_s_i" "a_c_i") (pair "b_s_i" "b_c_i") (net "n_i") (pair "p_s_o" "p_c_o") (K + 3) (K + 3) (2 ^ (W + 2))
    (fun c => net "n_i" c mod 2 = 1) (fun n x => 0 <= x < 2 * n) (fun n p => 0 <= p < 2 * n).
  Proof.
    apply (serves _ _ _ _ _ _ _ _ _ _ _ (net "phase_q") 0 2 (fun t => pair "ss_q" "sc_q" t < 2 ^ (W + 1))); [exact H_ready | |].
    - intros c I V odd [_ a_range] [_ b_range]. exists (K + 3)%nat.
      destruct (result c I V odd a_range b_range) as [R M]. pose proof (end_of_loop c I V odd a_range b_range) as E. pose proof (H_ranges c) as Rc.
      replace (S c + (K + 2))%nat with (c + (K + 3))%nat in * by lia. fold (pair "ss_q" "sc_q" (c + (K + 3))) in *.
      assert (B : pair "ss_q" "sc_q" (c + (K + 3)) < 2 ^ (W + 1)) by (rewrite Z.pow_add_r by lia; lia).
      split; [lia |]. split; [exact E |]. split; [apply before; assumption |]. split; [exact B |]. rewrite (whole _ B). split; [exact R |].
      apply montgomery_mod. replace (2 ^ (W + 2)) with (pw 2 (K + 2)); [exact M |]. rewrite pw_Z. f_equal. unfold W. lia.
    - intros t D B T. destruct (H_hold t D (selected _ _ D) T) as (T1 & T2 & T3).
      assert (X : pair "ss_q" "sc_q" (S t) = pair "ss_q" "sc_q" t) by (unfold pair; rewrite T2, T3; reflexivity).
      rewrite !whole, X by (rewrite ?X; exact B). auto.
  Qed.
End Chain.
