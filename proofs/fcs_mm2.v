(* SPDX-License-Identifier: Apache-2.0 *)
(* mf_fcs_mm2 from the nets of the RTL to the contract, for every width. The hypotheses are the lemmas that montforge prints into
   fcs_mm2_lemmas.v, and proves on the RTL. *)
From Coq Require Import ZArith Lia String.
Require Import DigitRecurrence Instances Contract Control fcs_mm2_lemmas.
Open Scope string_scope. Open Scope Z_scope.
Set Default Proof Using "All".

Section Chain.
  Variables (K : nat) (net : trace).
  Let W := Z.of_nat K.
  Hypotheses (wide : (1 <= K)%nat) (H_ranges : ranges W net) (H_ready : ready W net) (H_selects : selects W net)
    (H_reset : selects_at_reset W net) (H_accept : accept W net) (H_bits : bits W net) (H_keep : keep W net) (H_precomputed : precomputed W net)
    (H_quotient : quotient W net) (H_multiple : multiple W net) (H_row1 : row1 W net) (H_row2 : row2 W net) (H_step : step W net)
    (H_count : count W net) (H_end : count_end W net) (H_hold : hold W net) (H_answer : answer W net).

  Definition pair (s c : name) (t : nat) : Z := net s t + net c t.

  Lemma selected : forall t k, net "phase_q" t = k -> net "select_q" t = (if k =? 0 then 1 else if k =? 2 then 2 else if k =? 3 then 4 else 0) /\
    net "precompute_q" t = (if k =? 1 then 1 else 0).
  Proof. intros t k <-. destruct t; [destruct (H_reset O eq_refl) as (-> & -> & ->); auto | apply H_selects]. Qed.

  Section Request.
  (* A request is accepted in cycle c. *)
  Variables (c : nat).
  Let a := pair "a_s_i" "a_c_i" c. Let b := pair "b_s_i" "b_c_i" c. Let n := net "n_i" c.
  Hypotheses (idle : net "phase_q" c = 0) (request : net "req_valid_i" c = 1) (odd : n mod 2 = 1) (a_range : a < 2 * n) (b_range : b < 2 * n).

  Let first := S c. Let loops := S first. Let done := (loops + (K + 2))%nat.                 (* the first cycles of the phases *)
  Let total := pair "ss_q" "sc_q".
  (* The operand that is left: its lowest bit is registered, the rest is a pair and a carry. *)
  Let operand t := net "a_bit" t + 2 * (net "u_brfa.s_q" t + net "u_brfa.c_q" t + net "u_brfa.carry_q" t).

  Lemma small : 0 < n < 2 ^ W /\ 0 <= a /\ 0 <= b.
  Proof.
    assert (0 <= n < 2 ^ W) by in_range H_ranges c.
    assert (0 <= net "a_s_i" c) by in_range H_ranges c. assert (0 <= net "a_c_i" c) by in_range H_ranges c.
    assert (0 <= net "b_s_i" c) by in_range H_ranges c. assert (0 <= net "b_c_i" c) by in_range H_ranges c.
    pose proof (odd_positive n ltac:(lia) odd). unfold a, b, pair. lia.
  Qed.

  Lemma bit_range : forall t, 0 <= net "a_bit" t <= 1.
  Proof. intros t. assert (0 <= net "a_bit" t < 2 ^ 1) by in_range H_ranges t. lia. Qed.

  Lemma lowest : forall t, operand t mod 2 = net "a_bit" t /\
    operand t / 2 = net "u_brfa.s_q" t + net "u_brfa.c_q" t + net "u_brfa.carry_q" t.
  Proof.
    intros t. pose proof (bit_range t). unfold operand. rewrite (Z.mul_comm 2), Z_mod_plus_full, Z.div_add by lia.
    split; [apply Z.mod_small; lia | rewrite Z.div_small by lia; lia].
  Qed.

  Lemma shift : forall t, 0 < net "phase_q" t -> operand (S t) = operand t / 2.
  Proof. intros t P. rewrite (proj2 (lowest t)). exact (H_bits t P). Qed.

  Lemma start : net "phase_q" first = 1 /\ net "phase_q" loops = 2 /\ net "u_countdown.left_q" loops = Z.of_nat (K + 2) - 1 /\ total loops = 0 /\
    operand loops = a /\ pair "bs_q" "bc_q" loops = b /\ net "n_q" loops = n /\ pair "ds_q" "dc_q" loops = b + n.
  Proof.
    destruct (selected _ _ idle) as [L _]. destruct (H_accept c idle request L) as (A1 & A2 & A3 & A4 & A5 & A6 & A7). fold first in A1, A2, A3, A4, A5, A6, A7.
    destruct (selected _ _ A1) as [L1 L2]. destruct small as (N & _ & _). destruct (H_keep first ltac:(lia)) as (K1 & K2 & K3).
    assert (twice : operand first = a * 2) by (unfold operand, a, pair; lia).
    assert (bit : net "a_bit" first = 0) by (rewrite <- (proj1 (lowest first)), twice; apply Z_mod_mult).
    destruct (H_precomputed first A1 L2 L1 bit) as (P1 & P2 & P3 & P4 & P5).
    { rewrite A6, A7. change (b < 2 ^ (W + 1)). rewrite Z.pow_add_r by lia. lia. }
    fold loops in P1, P2, P3, P4, P5, K1, K2, K3. split; [exact A1 |]. split; [exact P1 |]. split; [unfold W in P2; lia |]. unfold total, pair. split; [lia |].
    split; [unfold loops; rewrite (shift first) by lia; rewrite twice; apply Z.div_mul; lia |].
    unfold b, n, pair. rewrite K1, K2, K3, A3, A4, A5. rewrite A5, A6, A7 in P5. auto.
  Qed.

  Lemma loop : (forall t, (t < K + 2)%nat -> net "phase_q" (loops + t)%nat = 2 /\ pair "bs_q" "bc_q" (loops + t)%nat = b /\
    net "n_q" (loops + t)%nat = n /\ pair "ds_q" "dc_q" (loops + t)%nat = b + n) /\ net "phase_q" done = 3.
  Proof.
    destruct start as (_ & P & L & _ & _ & B & N & D).
    pose proof (counted _ _ 2 (fun t => pair "bs_q" "bc_q" t = b /\ net "n_q" t = n /\ pair "ds_q" "dc_q" t = b + n) H_count) as C.
    assert (kept : forall t, net "phase_q" t = 2 -> pair "bs_q" "bc_q" t = b /\ net "n_q" t = n /\ pair "ds_q" "dc_q" t = b + n ->
      pair "bs_q" "bc_q" (S t) = b /\ net "n_q" (S t) = n /\ pair "ds_q" "dc_q" (S t) = b + n).
    { intros t Q E. destruct (H_keep t ltac:(lia)) as (K1 & K2 & K3). destruct (selected _ _ Q) as [L1 L2].
      destruct (H_step t Q L1 L2) as (_ & _ & K4 & K5). unfold pair in *. rewrite K1, K2, K3, K4, K5. exact E. }
    specialize (C kept loops (K + 1)%nat P ltac:(lia) (conj B (conj N D))). split; [intros t T; destruct (C t ltac:(lia)) as (Q & _ & E); auto |].
    destruct (C (K + 1)%nat ltac:(lia)) as (Q & E & _). unfold done. replace (loops + (K + 2))%nat with (S (loops + (K + 1)))%nat by lia.
    apply H_end; [exact Q | lia].
  Qed.

  (* One cycle of the loop, exactly. *)
  Lemma recurrence : forall t, (t < K + 2)%nat -> let q := net "quotient_digit" (loops + t)%nat in
    0 <= q <= 1 /\ 2 * total (loops + S t) = total (loops + t) + operand (loops + t) mod 2 * b + q * n.
  Proof.
    intros t L q. destruct (proj1 loop t L) as (Q & B & N & D). destruct (selected _ _ Q) as [L1 L2].
    destruct (H_step _ Q L1 L2) as (N1 & N2 & _). destruct (H_multiple (loops + t)%nat) as (X1 & X2 & X3); [unfold pair in *; lia |].
    destruct (H_row1 _ X2) as (R1 & R2 & _). destruct (H_row2 _ R2 X3) as (R3 & R4). pose proof (H_quotient _ L2 ltac:(rewrite N; exact odd)) as E.
    assert (0 <= q < 2 ^ 1) by in_range H_ranges (loops + t)%nat. split; [lia |]. rewrite (proj1 (lowest (loops + t)%nat)). unfold total, pair in *.
    rewrite Nat.add_succ_r, N1, N2. rewrite B, N in *. apply halves; [unfold q; lia | exact E | exact R4].
  Qed.

  Lemma result : 0 <= total done < 2 * n /\ montgomery n (pw 2 (K + 2)) a b (total done).
  Proof.
    destruct start as (_ & _ & _ & S0 & A0 & _). destruct small as (N & A & B).
    apply (long_loop n a b K (fun t => total (loops + t)) (fun t => operand (loops + t)) (fun t => net "quotient_digit" (loops + t)%nat));
      [lia | rewrite pw_Z; apply N | lia | lia | rewrite Nat.add_0_r; exact S0 | rewrite Nat.add_0_r; exact A0 | | exact recurrence].
    intros t L. destruct (proj1 loop t L) as (Q & _). rewrite Nat.add_succ_r. apply shift. lia.
  Qed.

  Lemma response : let t := (c + (K + 4))%nat in net "phase_q" t = 3 /\ (forall i, (c < i < t)%nat -> net "phase_q" i <> 3) /\
    0 <= total t < 2 * n /\ (total t * 2 ^ (W + 2)) mod n = (a * b) mod n.
  Proof.
    intros t. replace t with done by (unfold t, done, loops, first; lia). destruct result as [R M]. split; [apply loop |]. split.
    - intros i L. destruct (Nat.eq_dec i first) as [-> | X]; [destruct start; lia |].
      destruct (proj1 loop (i - loops)%nat ltac:(unfold done, loops, first in *; lia)) as (E & _).
      replace (loops + (i - loops))%nat with i in E by (unfold loops, first in *; lia). lia.
    - split; [exact R |]. apply montgomery_mod. replace (2 ^ (W + 2)) with (pw 2 (K + 2)); [exact M |]. rewrite pw_Z. f_equal. unfold W. lia.
  Qed.
  End Request.

  Theorem contract : multiplier net (pair "a_s_i" "a_c_i") (pair "b_s_i" "b_c_i") (net "n_i") (pair "p_s_o" "p_c_o") (K + 4) (K + 4) (2 ^ (W + 2))
    (fun c => net "n_i" c mod 2 = 1) (fun n x => 0 <= x < 2 * n) (fun n p => 0 <= p < 2 * n).
  Proof.
    assert (whole : forall t, pair "p_s_o" "p_c_o" t = pair "ss_q" "sc_q" t) by (intros t; unfold pair; destruct (H_answer t) as [-> ->]; reflexivity).
    apply (serves _ _ _ _ _ _ _ _ _ _ _ (net "phase_q") 0 3 (fun _ => True)); [exact H_ready | |].
    - intros c I V odd [_ a_range] [_ b_range]. exists (K + 4)%nat. destruct (response c I V odd a_range b_range) as (Q & B & R & M). rewrite whole.
      split; [lia |]. auto.
    - intros t D _ T. destruct (selected _ _ D) as [L _]. destruct (H_hold t D L T) as (D' & S' & C'). rewrite !whole. unfold pair. rewrite S', C'. auto.
  Qed.
End Chain.
