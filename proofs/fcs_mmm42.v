(* SPDX-License-Identifier: Apache-2.0 *)
(* mf_fcs_mmm42 from the nets of the RTL to the contract, for every width, closed or as published. The hypotheses are the lemmas that montforge prints into
   fcs_mmm42_lemmas.v, and proves on the RTL. The number of cycles depends on the operands. *)
From Coq Require Import ZArith Lia String.
Require Import DigitRecurrence Instances Contract Control Raised Skipping fcs_mmm42_lemmas Arithmetic.
Open Scope string_scope. Open Scope Z_scope.
Set Default Proof Using "All".

Section Chain.
  Variables (K : nat) (closed : Z) (net : trace) (n : nat -> Z).
  Let W := Z.of_nat K. Let u := Z.to_nat closed.
  Hypotheses (wide : (1 <= K)%nat /\ 0 <= closed <= 1) (H_ranges : ranges W closed net) (H_ready : ready W closed net) (H_accept : accept W closed net) (H_added : added W closed net)
    (H_begin : bits_begin W closed net) (H_selects : selects W closed net) (H_keep : keep W closed net) (H_keep_sum : keep_sum W closed net) (H_count : count W closed net)
    (H_end : count_end W closed net) (H_bits : bits W closed net) (H_digits : digits W closed net) (H_multiple : multiple W closed net) (H_row1 : row1 W closed net)
    (H_row2 : row2 W closed net) (H_low : low_bits W closed net) (H_skipped : skipped W closed net) (H_moves : moves W closed net) (H_next : next_quotient W closed net)
    (H_hold : hold W closed net) (H_answer : answer W closed net).

  Let N := W + 1 + closed + 4.
  Notation P := (net "phase_q"). Notation left := (net "left_q"). Notation skip := (net "skip_d"). Notation s := (net "s"). Notation c := (net "c").
  Notation bit := (net "multiplier_bit_q"). Notation q := (net "quotient_digit_q").

  Definition pair (x y : name) (t : nat) : Z := net x t + net y t.

  Lemma vectors : forall t, 0 <= s t < 2 ^ N /\ 0 <= c t < 2 ^ N /\ 0 <= net "sum2" t < 2 ^ N /\ 0 <= net "carry2" t < 2 ^ N.
  Proof. intros t. in_range H_ranges t. Qed.

  Lemma flags : forall t, 0 <= skip t < 2 ^ 1 /\ 0 <= bit t < 2 ^ 1 /\ 0 <= q t < 2 ^ 1.
  Proof. intros t. in_range H_ranges t. Qed.

  Lemma powers : 2 ^ N = 2 * 2 ^ (N - 1) /\ 2 ^ (N - 1) = 8 * 2 ^ (W + 1 + closed) /\ 2 ^ (W + 2) = 4 * 2 ^ W /\ 0 < 2 ^ W /\ 2 ^ (W + 1 + closed) = (2 + 2 * closed) * 2 ^ W.
  Proof. apply form_powers; unfold W; lia. Qed.

  (* The operand from the bit after this iteration's on: two bits, and a pair and a carry above them, of which a shift is due. *)
  Let due x t := if net "u_brfa.shift1_q" t =? 1 then net x t / 2 else if net "u_brfa.shift2_q" t =? 1 then net x t / 4 else net x t.
  Let above t := due "u_brfa.s_q" t + due "u_brfa.c_q" t + net "u_brfa.carry_q" t.
  Let rest t := net "u_brfa.next_q" t + 2 * net "u_brfa.after_next_q" t + 4 * above t.

  Lemma lowest : forall t, rest t mod 2 = net "u_brfa.next_q" t /\ rest t / 2 mod 2 = net "u_brfa.after_next_q" t.
  Proof.
    intros t. assert (A : 0 <= net "u_brfa.next_q" t < 2 ^ 1 /\ 0 <= net "u_brfa.after_next_q" t < 2 ^ 1) by in_range H_ranges t.
    unfold rest. set (x := above t) in *. change (2 ^ 1) with 2 in A.
    replace (net "u_brfa.next_q" t + 2 * net "u_brfa.after_next_q" t + 4 * x) with (net "u_brfa.next_q" t + (net "u_brfa.after_next_q" t + x * 2) * 2) by ring.
    rewrite Z_mod_plus_full, Z.div_add, (Z.div_small (net "u_brfa.next_q" t)), Z.add_0_l, Z_mod_plus_full, !Z.mod_small by lia. auto.
  Qed.

  Section Request.
  (* A request is accepted in cycle r, with the constant n m + 1. *)
  Variables (r : nat) (m : Z).
  Let a := pair "a_s_i" "a_c_i" r. Let b := pair "b_s_i" "b_c_i" r. Let M := n r. Let multiple := M * m.
  Hypotheses (idle : P r = 0) (request : net "req_valid_i" r = 1) (odd : M mod 2 = 1) (M_range : 0 < M < 2 ^ W) (m_range : 0 <= m < 4)
    (constant : net "n_hat_i" r = multiple + 1) (divides : net "n_hat_i" r mod 4 = 0) (a_range : a < (2 + 2 * closed) * M) (b_range : b < (2 + 2 * closed) * M).

  Let first := S r. Let z := S first.                                                         (* the first cycles of the phases *)
  Let n_hat := multiple + 1.

  Lemma operands : 0 <= a /\ 0 <= b < 2 ^ (W + 1 + closed) /\ 0 < multiple <= 3 * M /\ n_hat mod 4 = 0 /\ multiple mod 2 = 1.
  Proof.
    assert (0 <= net "a_s_i" r /\ 0 <= net "a_c_i" r /\ 0 <= net "b_s_i" r /\ 0 <= net "b_c_i" r).
    { repeat split; match goal with |- 0 <= net ?x r => assert (0 <= net x r) by in_range H_ranges r; assumption end. }
    destruct powers as (_ & P2 & P3 & P4 & P5). rewrite constant in divides. fold n_hat in divides.
    destruct (raised_4 M m ltac:(lia) odd m_range divides) as (odd' & multiple_range & _). fold multiple in odd', multiple_range.
    assert ((2 + 2 * closed) * M <= (2 + 2 * closed) * 2 ^ W) by (apply Z.mul_le_mono_nonneg_l; lia). unfold a, b, pair in *. lia.
  Qed.

  (* What holds in each cycle of the loop. *)
  Let inside t := P t = 2 /\ net "select_operand_q" t = 0 /\ net "select_q" t = 1 /\
    net "last_iteration_q" t = (if left t =? 0 then 1 else 0) /\ net "last_but_one_q" t = (if left t =? 1 then 1 else 0) /\
    net "u_brfa.shift1_q" t + net "u_brfa.shift2_q" t <= 1 /\ s t < 2 ^ (N - 1) /\ c t < 2 ^ (N - 1) /\
    c t mod 4 = 0 /\ (if net "select_shift2_q" t =? 1 then 0 else c t mod 8) = 0 /\ q t = s t mod 2 /\
    pair "bs_q" "bc_q" t = b /\ 4 * net "n_hat_q" t = n_hat /\ 4 * pair "ds_q" "dc_q" t = 8 * b + n_hat /\ net "dc_q" t mod 4 = 0.

  Lemma start : P first = 1 /\ inside z /\ left z = W + 5 + 2 * closed /\ s z + c z = 0 /\ bit z = 0 /\ rest z = a.
  Proof.
    destruct (H_accept r idle request) as (A1 & A2 & A3 & A4 & A5 & A6 & A7 & A8 & A9 & A10 & A11 & A12 & A13 & A14). fold first in A1, A2, A3, A4, A5, A6, A7, A8, A9, A10, A11, A12, A13, A14.
    destruct operands as (_ & B & _ & N4 & _). destruct powers as (P1 & P2 & P3 & P4 & P5).
    assert (E : 4 * net "n_hat_q" first = n_hat).
    { pose proof (Z.div_mod (net "n_hat_i" r) 4 ltac:(lia)). rewrite divides in *. unfold n_hat. lia. }
    destruct (H_added first A1 A10 A11 A12 A13 A14) as (D1 & D2 & D3 & D4 & D5 & D6 & D7 & D8); [unfold b, pair in *; lia |].
    destruct (H_begin first A1 A5 A6) as [E1 E2]. destruct (H_keep first ltac:(lia)) as (K1 & K2 & K3).
    destruct (H_selects first) as (S1 & S2 & S3 & S4); [fold z in D1 |- *; lia |]. fold z in D1, D2, D3, D4, D5, D6, D7, D8, E1, E2, K1, K2, K3, S1, S2, S3, S4. rewrite D1 in S2, S3, S4. cbn [Z.eqb Pos.eqb] in S2, S3, S4.
    split; [exact A1 |]. split; [| split; [exact D2 |]; split; [lia |]; split; [exact D6 |]; change (rest z = a) ; unfold a, pair; unfold rest, above, due; lia].
    unfold inside, pair. rewrite D3, D4, D5. repeat split; try assumption; try (unfold b, pair; lia); try lia.
    destruct (net "select_shift2_q" z =? 1); reflexivity.
  Qed.

  Lemma step : forall t, inside t -> 2 ^ (1 + skip t) * (s (S t) + c (S t)) = s t + c t + bit t * (8 * b) + q t * multiple /\
    s (S t) < 2 ^ (N - 1) /\ c (S t) < 2 ^ (N - 1) /\ c (S t) mod 4 = 0 /\ (if net "select_shift2_q" (S t) =? 1 then 0 else c (S t) mod 8) = 0 /\
    net "select_operand_q" (S t) = 0 /\ (P (S t) = 2 \/ P (S t) = 3).
  Proof.
    intros t (Q & O & Se & C1 & C2 & one & L1 & L2 & c4 & c8 & Eq & B & Nh & D & D4).
    assert (after : P (S t) = 2 \/ P (S t) = 3) by (destruct (Z.le_gt_cases (left t) (skip t)) as [L | L]; [right; apply (H_end t Q C1 C2 L) | left; apply (H_count t Q C1 C2 L)]).
    destruct (H_selects t ltac:(lia)) as (O' & _). destruct (H_moves t Q Se O') as (M1 & M2 & M3).
    destruct (H_multiple t) as (X1 & X2 & X3); [unfold pair in *; lia |]. destruct (H_row1 t L1 L2 X2) as [R1 R2]. pose proof (H_row2 t R2 X3) as R3.
    assert (D2 : net "dc_q" t mod 2 = 0).
    { pose proof (Z.div_mod (net "dc_q" t) 4 ltac:(lia)) as E. rewrite D4 in E. rewrite E. replace (4 * (net "dc_q" t / 4) + 0) with (2 * (net "dc_q" t / 4) * 2) by ring. apply Z_mod_mult. }
    destruct (H_low t c4 D2) as [Lo1 Lo2]. destruct (flags t) as (F & _). destruct (vectors t) as (_ & _ & V3 & V4). destruct powers as (P1 & _).
    pose proof (Z.div_mod (net "carry2" t) 16 ltac:(lia)) as Ec. rewrite Lo2 in Ec. set (h := net "carry2" t / 16) in *.
    pose proof (Z.div_mod (net "sum2" t) 4 ltac:(lia)) as Es.
    assert (S2 : net "sum2" t mod 2 = q t).
    { rewrite Eq, Es, Lo1. pose proof (Z.div_mod (s t) 4 ltac:(lia)) as E. rewrite E at 2.
      replace (4 * (net "sum2" t / 4) + s t mod 4) with (s t mod 4 + (2 * (net "sum2" t / 4)) * 2) by ring.
      replace (4 * (s t / 4) + s t mod 4) with (s t mod 4 + (2 * (s t / 4)) * 2) by ring. rewrite !Z_mod_plus_full. reflexivity. }
    assert (U : net "sum2" t + net "carry2" t = s t + c t + bit t * (8 * b) + q t * multiple + q t).
    { clear - R1 R3 X1 B Nh. unfold pair in B. unfold n_hat in Nh. rewrite B, Nh in X1. rewrite R3, R1. transitivity (s t + c t + (net "x1" t + net "x2" t)); [ring | rewrite X1; ring]. }
    assert (skip t = 0 \/ skip t = 1) as [G | G] by lia; rewrite G in *; cbn [Z.eqb Pos.eqb] in M1, M2; rewrite M1, M2, M3.
    - assert (J : net "carry2" t / 2 = 8 * h) by (rewrite Ec; replace (16 * h + 0) with (8 * h * 2) by ring; apply Z.div_mul; lia).
      rewrite J. change (2 ^ (1 + 0)) with 2. pose proof (Z.div_mod (net "sum2" t) 2 ltac:(lia)).
      split; [lia |]. split; [apply Z.div_lt_upper_bound; lia |]. split; [lia |]. split; [replace (8 * h) with (2 * h * 4) by ring; apply Z_mod_mult |].
      split; [cbn [Z.eqb]; rewrite Z.mul_comm; apply Z_mod_mult | auto].
    - assert (J : net "carry2" t / 4 = 4 * h) by (rewrite Ec; replace (16 * h + 0) with (4 * h * 4) by ring; apply Z.div_mul; lia).
      destruct (H_skipped t Q O c4 G) as [_ T]. rewrite T, <- Eq in Lo1. rewrite Lo1 in Es.
      rewrite J. change (2 ^ (1 + 1)) with 4.
      split; [lia |]. split; [apply Z.div_lt_upper_bound; lia |]. split; [lia |]. split; [rewrite Z.mul_comm; apply Z_mod_mult |]. auto.
  Qed.

  Lemma loop : exists T, (K + 6 + 2 * u <= 2 * S T)%nat /\ (S T <= K + 6 + 2 * u)%nat /\ (forall i, (i <= T)%nat -> P (z + i)%nat = 2) /\ P (z + S T)%nat = 3 /\
    net "select_operand_q" (z + S T)%nat = 0 /\ net "select_q" (z + S T)%nat = 2 /\
    0 <= s (z + S T)%nat + c (z + S T)%nat < M + multiple /\ montgomery M (pw 2 (K + 2 + 2 * u)) a b (s (z + S T)%nat + c (z + S T)%nat).
  Proof.
    destruct operands as (A & B & N3 & N4 & odd'). destruct start as (P1 & in0 & L0 & Y0 & B0 & R0).
    assert (AB : a * b < M * pw 2 (K + 2 + 2 * u)) by (apply form_bound; rewrite ?pw_Z; fold W; lia).
    destruct (skipping_loop M multiple b (2 * a) 3 (K + 3 + 2 * u) 2 (fun i => s (z + i)%nat + c (z + i)%nat) (fun i => bit (z + i)%nat) (fun i => rest (z + i)%nat)
      (fun i => q (z + i)%nat) (fun i => left (z + i)%nat + 1) (fun i => 1 + skip (z + i)%nat) (fun i => inside (z + i)%nat)) as (T & T1 & T2 & all & LT & R & X); by_arithmetic.
    - rewrite Zodd_mod, odd'. reflexivity.
    - replace (K + 3 + 2 * u)%nat with (S (K + 2 + 2 * u)) by lia. cbn [pw]. lia.
    - replace (K + 3 + 2 * u + 3)%nat with (K + (6 + 2 * u))%nat by lia. rewrite pw_add, pw_Z. fold W. pose proof (pw_le 2 6 (6 + 2 * u) ltac:(lia) ltac:(lia)) as X. change (pw 2 6) with 64 in X.
      destruct powers as (_ & _ & _ & P4 & _). assert (2 ^ W * 64 <= 2 ^ W * pw 2 (6 + 2 * u)) by (apply Z.mul_le_mono_nonneg_l; lia). nia.
    - rewrite Nat.add_0_r. exact in0.
    - rewrite Nat.add_0_r, L0. unfold W, u. lia.
    - rewrite Nat.add_0_r. exact Y0.
    - rewrite Nat.add_0_r, B0, Z.mul_comm, Z_mod_mult. reflexivity.
    - rewrite Nat.add_0_r, R0, (Z.mul_comm 2 a), Z.div_mul by lia. reflexivity.
    - intros i Ki. rewrite !Nat.add_succ_r. set (t := (z + i)%nat) in *. destruct (flags t) as (F1 & F2 & F3).
      destruct (step t Ki) as (E & V1 & V2 & c4 & c8 & O' & _). pose proof Ki as (Q & O & Se & C1 & C2 & one & _ & _ & d4 & d8 & Eq & Bq & Nh & D & D4).
      destruct (lowest t) as [l1 l2]. destruct (H_bits t Q one) as [bits one']. change (rest (S t) = (if skip t =? 1 then rest t / 4 else rest t / 2)) in bits.
      split; [lia |]. split; [destruct (Z.le_gt_cases (left t) (skip t)) as [L | L]; [destruct (H_end t Q C1 C2 L) |]; lia |]. split; [lia |].
      split; [rewrite E; cbn [pw]; ring |].
      replace (1 + skip t - 1) with (skip t) by ring.
      assert (G : (skip t = 0 \/ skip t = 1) /\ rest t mod 2 ^ skip t = 0).
      { assert (skip t = 0 \/ skip t = 1) as [G | G] by lia; (split; [auto |]); rewrite G; [apply Z.mod_1_r |].
        destruct (H_skipped t Q O d4 G) as [H0 _]. change (2 ^ 1) with 2. lia. }
      destruct G as [G G0]. split; [exact G0 |]. intros L. destruct (H_count t Q C1 C2 ltac:(lia)) as [Q' L'].
      destruct (H_selects t ltac:(lia)) as (_ & S2 & S3 & S4). rewrite Q' in S2, S3, S4. cbn [Z.eqb Pos.eqb] in S2, S3, S4.
      destruct (H_keep t ltac:(lia)) as (K1 & K2 & K3). destruct (H_keep_sum t Q) as (K4 & K5). pose proof (H_digits t Q Q') as Db.
      split; [| split; [lia |]].
      + unfold inside, pair in *. rewrite K1, K2, K3, K4, K5. repeat split; try assumption; try lia. apply (H_next t); try assumption.
        pose proof (Z.div_mod (net "dc_q" t) 4 ltac:(lia)) as X. rewrite D4 in X.
        replace (net "n_hat_q" t) with (net "ds_q" t + (2 * (net "dc_q" t / 4) - b) * 2) by lia. rewrite Z_mod_plus_full. reflexivity.
      + destruct G as [G | G]; rewrite G in *; cbn [Z.eqb Pos.eqb] in Db, bits.
        * change (2 ^ 0) with 1. rewrite Z.div_1_r. split; [exact (eq_trans Db (eq_sym l1)) | exact bits].
        * split; [exact (eq_trans Db (eq_sym l2)) | exact bits].
    - exists T. split; [lia |]. split; [lia |]. split; [intros i Hi; apply (all i Hi) |].
      pose proof (all T (le_n T)) as inT. pose proof inT as (Q & _ & _ & C1 & C2 & _). destruct (H_end (z + T)%nat Q C1 C2 ltac:(lia)) as [Q' _].
      destruct (H_selects (z + T)%nat ltac:(lia)) as (S1 & S2 & _). rewrite <- Nat.add_succ_r in Q', S1, S2. rewrite Q' in S2. cbn [Z.eqb Pos.eqb] in S2.
      split; [exact Q' |]. split; [exact S1 |]. split; [exact S2 |]. split; [lia |].
      apply (montgomery_multiple M multiple); [exists m; unfold multiple; ring |]. apply montgomery_halved; [exact odd' |].
      replace (K + 3 + 2 * u)%nat with (S (K + 2 + 2 * u)) in X by lia. exact X.
  Qed.

  Lemma answered : forall t, s t + c t < 4 * M -> pair "p_s_o" "p_c_o" t = s t + c t.
  Proof.
    intros t L. destruct (vectors t) as (V1 & V2 & _). destruct powers as (_ & _ & P3 & _). unfold pair. destruct (H_answer t) as [-> ->].
    rewrite !Z.mod_small by lia. reflexivity.
  Qed.

  Lemma response : exists d : nat, (2 + (K + 7 + 2 * u) / 2 <= d <= K + 8 + 2 * u)%nat /\ P (r + d)%nat = 3 /\ (forall t, (r < t < r + d)%nat -> P t <> 3) /\
    (net "select_operand_q" (r + d)%nat = 0 /\ net "select_q" (r + d)%nat = 2) /\ 0 <= pair "p_s_o" "p_c_o" (r + d)%nat < M + multiple /\
    (pair "p_s_o" "p_c_o" (r + d)%nat * 2 ^ (W + 2 + 2 * closed)) mod M = (a * b) mod M.
  Proof.
    destruct loop as (T & T1 & T2 & phases & Q & O & Se & R & X). destruct start as (P1 & _). destruct operands as (_ & _ & N3 & _). exists (2 + S T)%nat. replace (r + (2 + S T))%nat with (z + S T)%nat by (unfold z, first; lia).
    assert (least : ((K + 7 + 2 * u) / 2 <= S T)%nat) by (apply Nat.lt_succ_r, Nat.div_lt_upper_bound; lia).
    split; [lia |]. split; [exact Q |]. split; [| split; [auto |]].
    - intros t Ht. destruct (Nat.eq_dec t first) as [-> | H9]; [lia |]. specialize (phases (t - z)%nat ltac:(unfold z, first in *; lia)).
      replace (z + (t - z))%nat with t in phases by (unfold z, first in *; lia). lia.
    - rewrite answered by lia. split; [exact R |]. apply montgomery_mod.
      replace (2 ^ (W + 2 + 2 * closed)) with (pw 2 (K + 2 + 2 * u)); [exact X |]. rewrite pw_Z. f_equal. unfold W, u. lia.
  Qed.
  End Request.

  Theorem contract : multiplier net (pair "a_s_i" "a_c_i") (pair "b_s_i" "b_c_i") n (pair "p_s_o" "p_c_o") (2 + (K + 7 + 2 * u) / 2) (K + 8 + 2 * u) (2 ^ (W + 2 + 2 * closed))
    (fun r => n r mod 2 = 1 /\ 3 <= n r /\ n r < 2 ^ W /\ raised 2 (n r) (net "n_hat_i" r)) (fun n x => 0 <= x < (2 + 2 * closed) * n)
    (fun n p => 0 <= p < 4 * n /\ (n mod 4 = 1 \/ p < 2 * n)).
  Proof.
    apply (serves _ _ _ _ _ _ _ _ _ _ _ P 0 3 (fun t => net "select_operand_q" t = 0 /\ net "select_q" t = 2)); [exact H_ready | |].
    - intros r I V (odd & least & most & m & M & E & D) [_ a_range] [_ b_range].
      destruct (response r m I V odd ltac:(lia) M E D a_range b_range) as (d & L & Q & B & F & R & X). exists d.
      rewrite E in D. destruct (raised_4 (n r) m ltac:(lia) odd M D) as (_ & three & one).
      split; [exact L |]. split; [exact Q |]. split; [exact B |]. split; [exact F |]. split; [| exact X].
      destruct one; [split; [lia | left; assumption] | split; [lia | right; lia]].
    - intros t D [O Se] T. destruct (H_hold t D Se O T) as (D' & S' & O' & E1 & E2).
      split; [exact D' |]. split; [auto |]. unfold pair. destruct (H_answer t) as [-> ->]. destruct (H_answer (S t)) as [-> ->]. congruence.
  Qed.
End Chain.
