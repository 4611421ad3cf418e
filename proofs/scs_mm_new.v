(* SPDX-License-Identifier: Apache-2.0 *)
(* mf_scs_mm_new from the nets of the RTL to the contract, for every width, closed or as published. The hypotheses are the lemmas that montforge prints into
   scs_mm_new_lemmas.v, and proves on the RTL. The number of cycles depends on the operands. *)
From Coq Require Import ZArith Lia String.
Require Import DigitRecurrence Instances Contract Control HalfAdders Raised Settling Skipping scs_mm_new_lemmas Arithmetic.
Open Scope string_scope. Open Scope Z_scope.
Set Default Proof Using "All".

(* No response before the last phase, from the cycles of the phases before it. *)
Lemma not_before : forall (P : nat -> Z) r j T i, let resolves := S (S r) in let v := (resolves + j + S T)%nat in
  P (S r) = 1 -> (forall k, (k <= j)%nat -> P (resolves + k)%nat = 2) -> (forall k, (1 <= k <= T)%nat -> P (resolves + j + k)%nat = 3) -> P v = 4 ->
  (forall k, (k <= i)%nat -> P (S v + k)%nat = 4) -> forall t, (r < t < S v + S i)%nat -> P t <> 5.
Proof.
  intros P r j T i resolves v P1 P2 P3 P4 P5 t L E. unfold v, resolves in *.
  assert (t = S r \/ (exists k, k <= j /\ t = S (S r) + k) \/ (exists k, 1 <= k <= T /\ t = S (S r) + j + k) \/ t = S (S r) + j + S T \/ exists k, k <= i /\ t = S (S (S r) + j + S T) + k)%nat
    as [-> | [(k & I & ->) | [(k & I & ->) | [-> | (k & I & ->)]]]]; [| rewrite P1 in E | rewrite P2 in E by exact I | rewrite P3 in E by exact I | rewrite P4 in E | rewrite P5 in E by exact I]; try discriminate.
  destruct (Nat.le_gt_cases t (S r)); [left; lia | right]. destruct (Nat.le_gt_cases t (S (S r) + j)); [left; exists (t - S (S r))%nat; lia | right].
  destruct (Nat.le_gt_cases t (S (S r) + j + T)); [left; exists (t - (S (S r) + j))%nat; lia | right].
  destruct (Nat.eq_dec t (S (S r) + j + S T)); [left; assumption | right; exists (t - S (S (S r) + j + S T))%nat; lia].
Qed.

Section Chain.
  Variables (K : nat) (closed : Z) (net : trace) (n : nat -> Z).
  Let W := Z.of_nat K. Let u := Z.to_nat closed.
  Hypotheses (wide : (1 <= K)%nat /\ 0 <= closed <= 1) (H_ranges : ranges W closed net) (H_ready : ready W closed net) (H_reset : phase_at_reset W closed net) (H_selects : selects W closed net)
    (H_accept : accept W closed net) (H_added : added W closed net) (H_resolves : resolving W closed net) (H_count : count W closed net) (H_end : count_end W closed net)
    (H_converts : converts W closed net) (H_waits : waits W closed net) (H_keep : keep W closed net) (H_inputs : inputs W closed net) (H_nothing : nothing W closed net)
    (H_multiple : multiple W closed net) (H_row : row W closed net) (H_half : half_adders W closed net) (H_moved : moved W closed net) (H_digits : digits W closed net)
    (H_bit : skipped_bit W closed net) (H_place : skipped_place W closed net) (H_first : first_quotient W closed net) (H_next : next_quotient W closed net)
    (H_answer : answer W closed net).

  Let N := W + 1 + closed + 4.
  Notation P := (net "phase_q"). Notation left := (net "left_q"). Notation skip := (net "skip_d").
  Notation ss := (net "ss_q"). Notation sc := (net "sc_q"). Notation s := (net "s"). Notation c := (net "c"). Notation sum := (net "sum"). Notation carry := (net "carry").
  Notation bit := (net "multiplier_bit_q"). Notation q := (net "quotient_bit_q").

  Lemma vectors : forall t, 0 <= ss t < 2 ^ N /\ 0 <= sc t < 2 ^ N /\ 0 <= s t < 2 ^ N /\ 0 <= c t < 2 ^ N /\ 0 <= sum t < 2 ^ N /\ 0 <= carry t < 2 ^ N.
  Proof. intros t. in_range H_ranges t. Qed.

  Lemma flags : forall t, 0 <= skip t < 2 ^ 1 /\ 0 <= bit t < 2 ^ 1 /\ 0 <= q t < 2 ^ 1.
  Proof. intros t. in_range H_ranges t. Qed.

  Lemma powers : 2 ^ N = 2 * 2 ^ (N - 1) /\ 2 ^ (N - 1) = 8 * 2 ^ (W + 1 + closed) /\ 2 ^ (W + 2) = 4 * 2 ^ W /\ 0 < 2 ^ W /\ 2 ^ (W + 1 + closed) = (2 + 2 * closed) * 2 ^ W.
  Proof. apply form_powers; unfold W; lia. Qed.

  (* A pair that stays in its place, and the rows of half adders. *)
  Let held t := net "full_adder_q" t = 0 /\ net "select_operand_q" t = 0 /\ net "select_hold_q" t = 1 /\ net "select_shift1_q" t = 0 /\ net "select_shift2_q" t = 0 /\
    net "first_convert_q" t = 0 /\ bit t = 0 /\ q t = 0 /\ net "shift1_multiplier_q" t = 0 /\ net "shift2_multiplier_q" t = 0.

  Lemma is_held : forall t, P (S t) = 2 \/ P (S t) = 4 \/ P (S t) = 5 -> P t <> 3 -> held (S t).
  Proof.
    intros t E X. destruct (H_selects t ltac:(lia)) as (S1 & S2 & S3 & S4 & S5 & S6 & S7 & S8 & S9 & S10 & _). destruct (flags (S t)) as (_ & F1 & F2).
    destruct (Z.eqb_spec (P t) 3); [contradiction |]. destruct (Z.eqb_spec (P (S t)) 1); [lia |]. destruct (Z.eqb_spec (P (S t)) 3); [lia |]. unfold held. lia.
  Qed.

  Lemma rows : forall t k, held t -> 0 <= k -> (2 ^ k | sc t) -> ss t + sc t < 2 ^ N -> ss (S t) + sc (S t) = ss t + sc t /\ (2 ^ (k + 2) | sc (S t)).
  Proof.
    intros t k (F & O & Hd & S1 & S2 & _) Hk D small. destruct (H_inputs t ltac:(lia)) as [I1 I2]. rewrite O, Hd, S1, S2 in I1, I2.
    assert (J1 : s t = ss t) by lia. assert (J2 : c t = sc t) by lia. clear I1 I2.
    destruct (H_half t F ltac:(rewrite J1, J2; exact small)) as [E1 E2]. destruct (H_moved t) as [-> ->].
    split; [lia |]. rewrite J2 in E2. eapply two_rows_divide; [exact Hk | | exact D | exact E2]. unfold N. lia.
  Qed.

  (* The same in the first cycle of the conversion, which shifts. *)
  Lemma first_rows : forall t, net "full_adder_q" t = 0 -> s t + c t < 2 ^ N -> ss (S t) + sc (S t) = s t + c t /\ (2 ^ 2 | sc (S t)).
  Proof.
    intros t F small. destruct (H_half t F small) as [E1 E2]. destruct (H_moved t) as [-> ->]. split; [exact E1 |].
    apply (two_rows_divide 0 N (s t) (c t) _ _ (Z.le_refl 0) ltac:(lia) (Z.divide_1_l _) E2).
  Qed.

  Section Request.
  (* A request is accepted in cycle r, with the constant n m + 1. *)
  Variables (r : nat) (m : Z).
  Let a := net "a_i" r. Let b := net "b_i" r. Let M := n r. Let multiple := M * m.
  Hypotheses (idle : P r = 0) (request : net "req_valid_i" r = 1) (odd : M mod 2 = 1) (M_range : 0 < M < 2 ^ W) (m_range : 0 <= m < 4)
    (constant : net "n_hat_i" r = multiple + 1) (divides : net "n_hat_i" r mod 4 = 0) (a_range : a < (2 + 2 * closed) * M) (b_range : b < (2 + 2 * closed) * M).

  Let first := S r. Let resolves := S first.                                                  (* the first cycles of the phases *)
  Let n_hat := multiple + 1.

  Lemma operands : 0 <= a /\ 0 <= b /\ 8 * b < 2 ^ (N - 1) /\ 0 < multiple <= 3 * M /\ 0 < n_hat < 2 ^ (W + 2) /\ n_hat mod 4 = 0 /\ multiple mod 2 = 1.
  Proof.
    assert (0 <= a) by in_range H_ranges r. assert (0 <= b) by in_range H_ranges r. destruct powers as (_ & P2 & P3 & P4 & P5).
    assert (R : 0 <= net "n_hat_i" r < 2 ^ (W + 2)) by in_range H_ranges r. rewrite constant in divides, R. fold n_hat in divides, R.
    destruct (raised_4 M m ltac:(lia) odd m_range divides) as (odd' & multiple_range & _). fold multiple in odd', multiple_range.
    assert ((2 + 2 * closed) * M <= (2 + 2 * closed) * 2 ^ W - (2 + 2 * closed)) by (replace ((2 + 2 * closed) * 2 ^ W - (2 + 2 * closed)) with ((2 + 2 * closed) * (2 ^ W - 1)) by ring; apply Z.mul_le_mono_nonneg_l; lia).
    unfold n_hat in *. lia.
  Qed.

  Lemma start : P first = 1 /\ P resolves = 2 /\ held resolves /\ left resolves = W + 5 + 2 * closed /\ ss resolves + sc resolves = 8 * b + n_hat /\ (2 ^ Z.of_nat 1 | sc resolves) /\
    net "a_q" resolves = a /\ net "b_q" resolves = b /\ 4 * net "n_hat_q" resolves = n_hat.
  Proof.
    destruct (H_accept r idle request) as (A1 & A2 & A3 & A4). fold first in A1, A2, A3, A4. destruct (H_added first A1) as [A5 A6]. fold resolves in A5, A6.
    destruct (H_selects r ltac:(fold first; lia)) as (S1 & S2 & S3 & S4 & S5 & S6 & S7 & _ & S9 & S10 & _). fold first in S1, S2, S3, S4, S5, S6, S7, S9, S10.
    rewrite A1, idle in *. cbn [Z.eqb Pos.eqb] in S1, S2, S3, S4, S5, S6, S7, S9, S10. destruct (flags first) as (_ & F1 & F2).
    assert (E : 4 * net "n_hat_q" first = n_hat).
    { pose proof (Z.div_mod (net "n_hat_i" r) 4 ltac:(lia)). rewrite divides in *. unfold n_hat. lia. }
    destruct (H_inputs first ltac:(lia)) as [I1 I2]. rewrite S2, S3, S4, S5 in I1, I2. destruct operands as (O1 & O2 & O3 & O4 & O5 & _). destruct powers as (P1 & P2 & P3 & P4 & P5).
    assert (J1 : s first = 8 * b) by (unfold b; lia). assert (J2 : c first = n_hat) by lia. clear I1 I2.
    pose proof (H_nothing first ltac:(lia) ltac:(lia)) as X. destruct (H_row first S1 ltac:(rewrite J1; exact O3) ltac:(rewrite J2; fold N; lia)) as [R1 R2].
    destruct (H_keep first ltac:(lia) ltac:(lia)) as (K1 & K2 & _ & K4). rewrite S6, S7 in K4. cbn [Z.eqb] in K4. fold resolves in K1, K2, K4.
    destruct (H_moved first) as [M1 M2]. fold resolves in M1, M2.
    split; [reflexivity |]. split; [exact A5 |]. split; [apply is_held; [left; exact A5 | fold first; lia] |]. split; [exact A6 |]. split; [lia |].
    split; [rewrite M2; apply Z.mod_divide; [lia | exact R2] |]. rewrite K1, K2, K4. auto.
  Qed.

  (* The loop begins after cycle z, the last one of the resolution. *)
  Section Loop.
  Variables (j : nat).
  Let z := (resolves + j)%nat.
  Hypotheses (in_phase : forall i, (i <= j)%nat -> P (resolves + i)%nat = 2 /\ held (resolves + i)%nat) (no_carry : sc z = 0)
    (resolved : ss z = 8 * b + n_hat).

  Lemma operands_kept : forall i, (i <= j)%nat -> net "a_q" (resolves + i)%nat = a /\ net "b_q" (resolves + i)%nat = b /\ 4 * net "n_hat_q" (resolves + i)%nat = n_hat /\
    left (resolves + i)%nat = W + 5 + 2 * closed.
  Proof.
    induction i; intros L; [rewrite Nat.add_0_r; destruct start as (_ & _ & _ & E1 & _ & _ & E); tauto |]. destruct (IHi ltac:(lia)) as (E1 & E2 & E3 & E4).
    destruct (in_phase i ltac:(lia)) as (Q & _ & _ & _ & _ & _ & _ & _ & _ & H1 & H2). destruct (in_phase (S i) ltac:(lia)) as (Q' & _). rewrite Nat.add_succ_r in *.
    destruct (H_keep (resolves + i)%nat ltac:(lia) ltac:(lia)) as (-> & -> & _ & K4). rewrite H1, H2 in K4. cbn [Z.eqb] in K4. rewrite K4.
    destruct (H_resolves _ Q E4) as [G1 G2]. rewrite Q' in G1. destruct (sc (resolves + i)%nat =? 0); [discriminate | auto].
  Qed.

  (* What holds in each cycle of the loop. *)
  Let inside t := P t = 3 /\ net "full_adder_q" t = 1 /\ net "select_operand_q" t = 0 /\ net "select_hold_q" t = 0 /\
    net "last_iteration_q" t = (if left t =? 0 then 1 else 0) /\ net "last_but_one_q" t = (if left t =? 1 then 1 else 0) /\
    net "shift1_multiplier_q" t + net "shift2_multiplier_q" t <= 1 /\ s t < 2 ^ (N - 1) /\ c t < 2 ^ (N - 1) /\ q t = (s t + c t) mod 2 /\
    net "b_q" t = b /\ 4 * net "n_hat_q" t = n_hat /\ 8 * net "d_q" t + n_hat mod 8 = 8 * b + n_hat.
  Let Y i := match i with O => 0 | _ => s (z + i)%nat + c (z + i)%nat end.
  Let quotient i := match i with O => 0 | _ => q (z + i)%nat end.
  Let keeps i := match i with O => True | _ => inside (z + i)%nat end.

  (* The selects of the cycle after one that is followed by the loop. *)
  Lemma enters : forall t, P (S t) = 3 -> net "full_adder_q" (S t) = 1 /\ net "select_operand_q" (S t) = 0 /\ net "select_hold_q" (S t) = 0 /\
    net "last_iteration_q" (S t) = (if left (S t) =? 0 then 1 else 0) /\ net "last_but_one_q" (S t) = (if left (S t) =? 1 then 1 else 0) /\
    net "shift1_multiplier_q" (S t) = 1 - skip t /\ net "shift2_multiplier_q" (S t) = skip t.
  Proof.
    intros t E. destruct (H_selects t ltac:(lia)) as (S1 & S2 & S3 & _ & _ & S6 & S7 & _ & _ & _ & S11 & S12). rewrite E in *. cbn [Z.eqb Pos.eqb] in *. auto 10.
  Qed.

  (* The digit of the next iteration, and those above it. *)
  Lemma digits_move : forall t x, 0 < P t -> net "shift1_multiplier_q" t + net "shift2_multiplier_q" t <= 1 -> net "a_q" (S t) = x -> P (S t) = 3 ->
    x mod 2 ^ skip t = 0 /\ bit (S t) = x / 2 ^ skip t mod 2 /\ net "a_q" (S (S t)) = x / 2 ^ (1 + skip t).
  Proof.
    intros t x Q one X E. destruct (enters t E) as (_ & _ & _ & _ & _ & S6 & S7). destruct (flags t) as (F & _). pose proof (H_digits t Q E one) as D. rewrite X in D.
    destruct (H_keep (S t) ltac:(lia) ltac:(lia)) as (_ & _ & _ & K4). rewrite S6, S7, X in K4.
    assert (skip t = 0 \/ skip t = 1) as [G | G] by lia; rewrite G in *; cbn [Z.eqb Pos.eqb Z.sub Z.add Z.opp Z.pos_sub] in *.
    - rewrite Z.mod_1_r, Z.div_1_r. auto.
    - pose proof (H_bit t Q one G) as B. rewrite X in B. auto.
  Qed.

  Lemma moves : forall t, inside t -> 2 ^ (1 + skip t) * (s (S t) + c (S t)) = s t + c t + bit t * (8 * b) + q t * multiple /\ s (S t) < 2 ^ (N - 1) /\ c (S t) < 2 ^ (N - 1) /\
    net "select_operand_q" (S t) = 0 /\ net "select_hold_q" (S t) = 0 /\ net "b_q" (S t) = b /\ 4 * net "n_hat_q" (S t) = n_hat /\ net "d_q" (S t) = net "d_q" t /\
    0 < P (S t) /\ P (S t) <> 1 /\ P (S t) <> 2.
  Proof.
    intros t (Q & F & O & Hd & C1 & C2 & one & L1 & L2 & Eq & B & Nh & D).
    assert (after : P (S t) = 3 \/ P (S t) = 4) by (destruct (Z.le_gt_cases (left t) (skip t)) as [L | L]; [right; apply (H_end t Q C1 C2 L) | left; apply (H_count t Q C1 C2 L)]).
    destruct (H_selects t ltac:(lia)) as (_ & S2 & S3 & S4 & S5 & _). rewrite Q in S3, S4, S5. cbn [Z.eqb Pos.eqb] in S3, S4, S5.
    destruct (Z.eqb_spec (P (S t)) 1); [lia |]. assert (S3' : net "select_hold_q" (S t) = 0) by (destruct (P (S t) =? 3); lia). clear S3.
    destruct (flags t) as (F1 & _). destruct (H_inputs (S t) ltac:(lia)) as [I1 I2]. rewrite S2, S3', S4, S5 in I1, I2.
    destruct (H_moved t) as [M1 M2]. rewrite M1 in I1. rewrite M2 in I2. pose proof (H_multiple t ltac:(rewrite Nh, B; exact D)) as X. rewrite B, Nh in X.
    destruct (H_row t F L1 L2) as [R1 R2]. destruct (vectors t) as (_ & _ & V3 & V4 & V5 & V6). destruct powers as (P1 & _).
    destruct (H_keep t ltac:(lia) one) as (K1 & K2 & K3 & _). rewrite Q in K3. cbn [Z.eqb Pos.eqb] in K3.
    assert (H2 : sum t / 2 < 2 ^ (N - 1) /\ carry t / 2 < 2 ^ (N - 1)) by (split; apply Z.div_lt_upper_bound; lia).
    assert (H4 : sum t / 4 < 2 ^ (N - 1) /\ carry t / 4 < 2 ^ (N - 1)) by (split; apply Z.div_lt_upper_bound; lia).
    assert (E : 2 ^ (1 + skip t) * (s (S t) + c (S t)) = s t + c t + bit t * (8 * b) + q t * multiple /\ s (S t) < 2 ^ (N - 1) /\ c (S t) < 2 ^ (N - 1)).
    { assert (U : sum t + carry t = s t + c t + (bit t * (8 * b) + q t * n_hat)) by lia. unfold n_hat in U.
      assert (skip t = 0 \/ skip t = 1) as [G | G] by lia; rewrite G in *.
      - assert (J1 : s (S t) = sum t / 2) by lia. assert (J2 : c (S t) = carry t / 2) by lia. rewrite J1, J2. split; [| lia]. change (2 ^ (1 + 0)) with 2.
        assert (T : sum t mod 2 = q t).
        { rewrite Eq. destruct operands as (_ & _ & _ & _ & _ & N4 & _). pose proof (Z.div_mod n_hat 4 ltac:(lia)) as E4. pose proof (Z.div_mod (carry t) 2 ltac:(lia)) as E2.
          replace (sum t) with (s t + c t + (bit t * (4 * b) + q t * (2 * (n_hat / 4)) - carry t / 2) * 2) by (unfold n_hat in *; lia). apply Z_mod_plus_full. }
        pose proof (Z.div_mod (sum t) 2 ltac:(lia)). pose proof (Z.div_mod (carry t) 2 ltac:(lia)). lia.
      - destruct (H_place t F O Hd G) as [T1 T2]. rewrite <- Eq in T1.
        assert (J1 : s (S t) = sum t / 4) by lia. assert (J2 : c (S t) = carry t / 4) by lia. rewrite J1, J2. split; [| lia]. change (2 ^ (1 + 1)) with 4.
        pose proof (Z.div_mod (sum t) 4 ltac:(lia)). pose proof (Z.div_mod (carry t) 4 ltac:(lia)). lia. }
    destruct E as (E1 & E2 & E3). rewrite K1, K2, K3. split; [exact E1 |]. split; [exact E2 |]. split; [exact E3 |]. lia.
  Qed.

  Lemma first_iteration : P (S z) = 3 /\ left (S z) = W + 5 + 2 * closed - 1 - skip z /\ inside (S z) /\ s (S z) + c (S z) = 0 /\ net "a_q" (S z) = a.
  Proof.
    destruct (in_phase j (le_n j)) as (Q & H). fold z in Q, H. destruct (operands_kept j (le_n j)) as (A & B & Nh & L). fold z in A, B, Nh, L.
    destruct H as (_ & _ & _ & H1 & H2 & _ & _ & H3 & H4 & H5). destruct (H_resolves z Q L) as [G1 G2]. rewrite no_carry in G1, G2. cbn [Z.eqb] in G1, G2.
    destruct (enters z G1) as (S1 & S2 & S3 & S4 & S5 & S6 & S7). destruct (H_selects z ltac:(lia)) as (_ & _ & _ & S8 & S9 & _). rewrite Q in S8, S9. cbn [Z.eqb Pos.eqb] in S8, S9.
    destruct (H_inputs (S z) ltac:(lia)) as [I1 I2]. rewrite S2, S3, S8, S9 in I1, I2. assert (J1 : s (S z) = 0) by lia. assert (J2 : c (S z) = 0) by lia.
    destruct (H_keep z ltac:(lia) ltac:(lia)) as (K1 & K2 & K3 & K4). rewrite Q, resolved in K3. rewrite H4, H5 in K4. cbn [Z.eqb Pos.eqb] in K3, K4.
    pose proof (H_first z Q H1 H2 H3) as Q0. destruct powers as (P1 & P2 & P3 & P4 & P5). destruct (flags z) as (F & _).
    assert (D : 8 * ((8 * b + n_hat) / 8) + n_hat mod 8 = 8 * b + n_hat).
    { rewrite (Z.mul_comm 8 b), Z.div_add_l by lia. pose proof (Z.div_mod n_hat 8 ltac:(lia)). lia. }
    split; [exact G1 |]. split; [lia |]. split; [| split; [lia | rewrite K4; exact A]]. unfold inside. rewrite J1, J2, Q0, K1, K2, K3. repeat split; try assumption; lia.
  Qed.

  Lemma loop : exists T, (K + 6 + 2 * u <= 2 * S T)%nat /\ (S T <= K + 6 + 2 * u)%nat /\ (forall i, (1 <= i <= T)%nat -> P (z + i)%nat = 3) /\ P (z + S T)%nat = 4 /\
    net "full_adder_q" (z + S T)%nat = 0 /\ net "first_convert_q" (z + S T)%nat = 1 /\
    0 <= s (z + S T)%nat + c (z + S T)%nat < M + multiple /\ montgomery M (pw 2 (K + 2 + 2 * u)) a b (s (z + S T)%nat + c (z + S T)%nat).
  Proof.
    destruct operands as (A & B & B8 & N3 & Nh & N4 & odd'). destruct first_iteration as (P1 & L1 & in1 & Y1 & a1). destruct (in_phase j (le_n j)) as (Pz & Hz). fold z in Pz, Hz.
    destruct Hz as (_ & _ & _ & H1 & H2 & _ & H6 & H3 & H4 & H5).
    assert (AB : a * b < M * pw 2 (K + 2 + 2 * u)) by (apply form_bound; rewrite ?pw_Z; fold W; lia).
    destruct (skipping_loop M multiple b (2 * a) 3 (K + 3 + 2 * u) 2 Y (fun i => bit (z + i)%nat) (fun i => net "a_q" (S (z + i))) quotient
      (fun i => left (z + i)%nat + 1) (fun i => 1 + skip (z + i)%nat) keeps) as (T & T1 & T2 & all & LT & R & X); by_arithmetic.
    - rewrite Zodd_mod, odd'. reflexivity.
    - replace (K + 3 + 2 * u)%nat with (S (K + 2 + 2 * u)) by lia. cbn [pw]. lia.
    - replace (K + 3 + 2 * u + 3)%nat with (K + (6 + 2 * u))%nat by lia. rewrite pw_add, pw_Z. fold W. pose proof (pw_le 2 6 (6 + 2 * u) ltac:(lia) ltac:(lia)) as X. change (pw 2 6) with 64 in X.
      destruct powers as (_ & _ & _ & P4 & _). assert (2 ^ W * 64 <= 2 ^ W * pw 2 (6 + 2 * u)) by (apply Z.mul_le_mono_nonneg_l; lia). nia.
    - exact I.
    - rewrite Nat.add_0_r. destruct (operands_kept j (le_n j)) as (_ & _ & _ & E). fold z in E. rewrite E. unfold W, u. lia.
    - reflexivity.
    - rewrite Nat.add_0_r, H6. rewrite Z.mul_comm, Z_mod_mult. reflexivity.
    - rewrite Nat.add_0_r, a1, (Z.mul_comm 2 a), Z.div_mul by lia. reflexivity.
    - intros i Ki. destruct (flags (z + i)%nat) as (F1 & F2 & F3). split; [lia |].
      assert (G : forall x, 0 <= x -> 1 + x - 1 = x) by (intros; lia). rewrite G by lia.
      assert (core : P (z + i)%nat <> 0 /\ 0 < P (z + i)%nat /\ net "shift1_multiplier_q" (z + i)%nat + net "shift2_multiplier_q" (z + i)%nat <= 1 /\
        (skip (z + i)%nat < left (z + i)%nat -> P (S (z + i)) = 3 /\ left (S (z + i)) = left (z + i)%nat - 1 - skip (z + i)%nat /\ inside (S (z + i))) /\
        1 + skip (z + i)%nat <= left (z + i)%nat + 1 /\ 0 <= quotient i <= 1 /\ 2 ^ (1 + skip (z + i)%nat) * Y (S i) = Y i + bit (z + i)%nat * (pw 2 3 * b) + quotient i * multiple /\
        (skip (z + i)%nat = 1 -> net "a_q" (S (z + i)) mod 2 = 0)).
      { destruct i as [| i].
        - rewrite Nat.add_0_r in *. unfold Y, quotient. rewrite Nat.add_succ_r, Nat.add_0_r, Y1, H6, Pz. destruct (operands_kept j (le_n j)) as (_ & _ & _ & E). fold z in E.
          split; [lia |]. split; [lia |]. split; [lia |]. split; [intros _; split; [exact P1 | split; [lia | exact in1]] |]. split; [lia |]. split; [lia |]. split; [lia |].
          intros G1. apply (H_bit z ltac:(lia) ltac:(lia) G1).
        - unfold keeps in Ki. set (t := (z + S i)%nat) in *. destruct (moves t Ki) as (E & V1 & V2 & O & Hd & B' & N' & D' & _). pose proof Ki as (Q & F & _ & _ & C1 & C2 & one & _ & _ & Eq & _ & _ & D).
          unfold Y, quotient. fold t. rewrite Nat.add_succ_r. fold t. split; [lia |]. split; [lia |]. split; [exact one |]. split.
          { intros L. destruct (H_count t Q C1 C2 L) as [Q' L']. split; [exact Q' |]. split; [exact L' |]. destruct (enters t Q') as (S1 & S2 & S3 & S4 & S5 & S6 & S7).
            pose proof (H_next t Q Q' F ltac:(apply Ki) ltac:(apply Ki)) as Eq'. unfold inside. rewrite D'. repeat split; try assumption; lia. }
          split; [destruct (Z.le_gt_cases (left t) (skip t)) as [L | L]; [destruct (H_end t Q C1 C2 L) |]; lia |]. split; [lia |]. split; [rewrite E; cbn [pw]; ring |].
          intros G1. apply (H_bit t ltac:(lia) one G1). }
      destruct core as (_ & Q & one & next & W1 & Rq & E & B0). split; [lia |]. split; [exact Rq |]. split; [exact E |]. split.
      { assert (skip (z + i)%nat = 0 \/ skip (z + i)%nat = 1) as [G1 | G1] by lia; rewrite G1; [apply Z.mod_1_r | apply (B0 G1)]. }
      intros L. destruct (next ltac:(lia)) as (Q' & L' & in'). destruct (digits_move (z + i)%nat _ Q one eq_refl Q') as (D0 & D1 & D2).
      unfold keeps. rewrite !Nat.add_succ_r. split; [exact in' |]. split; [lia |]. auto.
    - exists T. split; [lia |]. split; [lia |].
      assert (phases : forall i, (1 <= i <= T)%nat -> inside (z + i)%nat) by (intros i Hi; specialize (all i ltac:(lia)); destruct i; [lia | exact all]).
      assert (T0 : (1 <= T)%nat) by lia. pose proof (phases T ltac:(lia)) as inT. split; [intros i Hi; apply (phases i Hi) |].
      pose proof inT as (Q & _ & _ & _ & C1 & C2 & _). destruct (H_end (z + T)%nat Q C1 C2 ltac:(lia)) as [Q' _]. rewrite <- Nat.add_succ_r in Q'. split; [exact Q' |].
      destruct (H_selects (z + T)%nat ltac:(rewrite <- Nat.add_succ_r; lia)) as (S1 & _ & _ & _ & _ & _ & _ & S8 & _). rewrite <- Nat.add_succ_r in S1, S8. rewrite Q' in S1. rewrite Q in S8.
      split; [exact S1 |]. split; [exact S8 |]. unfold Y in R, X. split; [lia |].
      apply (montgomery_multiple M multiple); [exists m; unfold multiple; ring |]. apply montgomery_halved; [exact odd' |].
      replace (K + 3 + 2 * u)%nat with (S (K + 2 + 2 * u)) in X by lia. exact X.
  Qed.
  End Loop.

  Let H := ((K + 6 + u) / 2)%nat.

  Lemma half_rows : N <= Z.of_nat (2 * H) /\ (1 <= H)%nat.
  Proof. unfold N, H, W, u. pose proof (Nat.div_mod (K + 6 + Z.to_nat closed) 2 ltac:(lia)). pose proof (Nat.mod_upper_bound (K + 6 + Z.to_nat closed) 2 ltac:(lia)). lia. Qed.

  Lemma response : exists d : nat, ((K + 7 + 2 * u) / 2 + 4 <= d <= K + 9 + 2 * u + 2 * H)%nat /\ P (r + d)%nat = 5 /\ (forall t, (r < t < r + d)%nat -> P t <> 5) /\
    (held (r + d) /\ sc (r + d)%nat = 0) /\ 0 <= net "p_o" (r + d)%nat < M + multiple /\ (net "p_o" (r + d)%nat * 2 ^ (W + 2 + 2 * closed)) mod M = (a * b) mod M.
  Proof.
    destruct start as (P1 & P2 & H0 & L0 & T0 & D0 & _). destruct operands as (A & B & B8 & N3 & Nh & _). destruct powers as (Q1 & Q2 & Q3 & Q4 & Q5). destruct half_rows as [HH H1].
    assert (range : forall t, 0 <= ss t /\ 0 <= sc t < 2 ^ N) by (intros t; destruct (vectors t); lia).
    destruct (settles P ss sc 2 3 N (fun t => held t /\ left t = W + 5 + 2 * closed) ltac:(unfold N; lia) range) with (s := resolves) (J := H) (e := 1%nat)
      as (j & J & in2 & P3 & C2 & S2 & _); by_arithmetic.
    - intros t k _ [Ht _]. apply rows. exact Ht.
    - intros t Pt [Ht Lt]. destruct (H_resolves t Pt Lt) as [G1 G2]. split; [exact G1 |]. intros G3. split; [apply is_held; [auto | lia] |].
      rewrite G3 in G1. destruct (sc t =? 0); [discriminate | exact G2].
    - auto.
    - rewrite T0 in S2. destruct (loop j ltac:(intros i Hi; destruct (in2 i Hi) as (? & ? & _); auto) C2 S2) as (T & T1 & T2 & in3 & P4 & F4 & C4 & R & X).
      set (v := (resolves + j + S T)%nat) in *. destruct (first_rows v F4 ltac:(lia)) as [S5 D5].
      pose proof (H_converts v P4) as P5. rewrite C4 in P5. cbn [Z.eqb Pos.eqb] in P5. pose proof (is_held v ltac:(auto) ltac:(lia)) as H5.
      destruct (settles P ss sc 4 5 N held ltac:(unfold N; lia) range) with (s := S v) (J := (H - 1)%nat) (e := 2%nat)
        as (i & I & in4 & P6 & _ & _ & S6 & C6); by_arithmetic.
      + intros t k _ Ht. apply rows. exact Ht.
      + intros t Pt Ht. pose proof (H_converts t Pt) as G1. destruct Ht as (_ & _ & _ & _ & _ & E & _). rewrite E in G1. cbn [Z.eqb] in G1. split; [exact G1 |].
        intros G3. apply is_held; [auto | lia].
      + exists (j + S T + i + 4)%nat. replace (r + (j + S T + i + 4))%nat with (S v + S i)%nat by (unfold v, resolves, first; lia).
        assert (least : ((K + 7 + 2 * u) / 2 <= S T)%nat) by (apply Nat.lt_succ_r, Nat.div_lt_upper_bound; lia).
        split; [lia |]. split; [exact P6 |]. split; [| split; [split; [| exact C6] |]].
        * apply (not_before P r j T i); [exact P1 | intros k Hk; apply (in2 k Hk) | exact in3 | exact P4 | intros k Hk; apply (in4 k Hk)].
        * rewrite Nat.add_succ_r. apply is_held; [rewrite <- Nat.add_succ_r; auto |]. destruct (in4 i (le_n i)) as [E _]. lia.
        * rewrite H_answer, S6, S5, Z.mod_small by lia. split; [exact R |]. apply montgomery_mod.
          replace (2 ^ (W + 2 + 2 * closed)) with (pw 2 (K + 2 + 2 * u)); [exact X |]. rewrite pw_Z. f_equal. unfold W, u. lia.
  Qed.
  End Request.

  Theorem contract : multiplier net (net "a_i") (net "b_i") n (net "p_o") ((K + 7 + 2 * u) / 2 + 4) (K + 9 + 2 * u + 2 * ((K + 6 + u) / 2)) (2 ^ (W + 2 + 2 * closed))
    (fun r => n r mod 2 = 1 /\ 3 <= n r /\ n r < 2 ^ W /\ raised 2 (n r) (net "n_hat_i" r)) (fun n x => 0 <= x < (2 + 2 * closed) * n)
    (fun n p => 0 <= p < 4 * n /\ (n mod 4 = 1 \/ p < 2 * n)).
  Proof.
    apply (serves _ _ _ _ _ _ _ _ _ _ _ P 0 5 (fun t => held t /\ sc t = 0)); [exact H_ready | |].
    - intros r I V (odd & least & most & m & M & E & D) [_ a_range] [_ b_range].
      destruct (response r m I V odd ltac:(lia) M E D a_range b_range) as (d & L & Q & B & F & R & X). exists d.
      rewrite E in D. destruct (raised_4 (n r) m ltac:(lia) odd M D) as (_ & three & one).
      split; [exact L |]. split; [exact Q |]. split; [exact B |]. split; [exact F |]. split; [| exact X].
      destruct one; [split; [lia | left; assumption] | split; [lia | right; lia]].
    - intros t D [Hd C] T. destruct (vectors t) as (V1 & V2 & _). destruct (vectors (S t)) as (V3 & V4 & _). pose proof (H_waits t D T) as D'.
      destruct (rows t N Hd ltac:(unfold N; lia) ltac:(rewrite C; apply Z.divide_0_r) ltac:(lia)) as [S1 S2].
      assert (Z0 : sc (S t) = 0) by (apply (divided_small (N + 2) N); [exact V4 | lia | unfold N; lia | exact S2]).
      split; [exact D' |]. split; [split; [apply is_held; [auto | lia] | exact Z0] |]. rewrite !H_answer. f_equal. lia.
  Qed.
End Chain.
