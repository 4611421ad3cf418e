(* SPDX-License-Identifier: Apache-2.0 *)
(* mf_mscs_mm from the nets of the RTL to the contract, for every width. The hypotheses are the lemmas that montforge prints into
   mscs_mm_lemmas.v, and proves on the RTL. The number of cycles depends on the operands. *)
From Coq Require Import ZArith Lia String.
Require Import DigitRecurrence Instances Contract Control WordSerial HalfAdders mscs_mm_lemmas.
Open Scope string_scope. Open Scope Z_scope.
Set Default Proof Using "All".

Section Chain.
  Variables (K : nat) (net : trace).
  Let W := Z.of_nat K.
  Hypotheses (wide : (1 <= K)%nat) (H_ranges : ranges W net) (H_ready : ready W net) (H_selects : selects W net) (H_reset : selects_at_reset W net)
    (H_accept : accept W net) (H_inputs : inputs W net) (H_nothing : nothing W net) (H_multiple : multiple W net) (H_half : half_adders W net)
    (H_row : row W net) (H_halve : halve W net) (H_keep : keep W net) (H_added : added W net) (H_resolves : resolving W net)
    (H_first : first_digits W net) (H_next : next_digits W net) (H_count : count W net) (H_end : count_end W net)
    (H_converts : converts W net) (H_hold : hold W net) (H_answer : answer W net).

  Let total t := net "ss_q" t + net "sc_q" t.

  Lemma vectors : forall t, 0 <= net "ss_q" t < 2 ^ (W + 2) /\ 0 <= net "sc_q" t < 2 ^ (W + 2).
  Proof. intros t. in_range H_ranges t. Qed.

  Lemma digits_range : forall t, 0 <= net "multiplier_bit_q" t < 2 ^ 1 /\ 0 <= net "quotient_digit_q" t < 2 ^ 1.
  Proof. intros t. in_range H_ranges t. Qed.

  Lemma double : 2 ^ (W + 3) = 2 * 2 ^ (W + 2) /\ 2 ^ (W + 2) = 2 * 2 ^ (W + 1) /\ 2 ^ (W + 1) = 2 * 2 ^ W /\ 0 < 2 ^ W.
  Proof. rewrite !Z.pow_add_r by lia. assert (0 < 2 ^ W) by (apply Z.pow_pos_nonneg; lia). lia. Qed.

  (* The selects outside of the loop, and no multiple there. *)
  Lemma selected : forall t k, net "phase_q" t = k -> k <> 3 -> net "select_operand_q" t = (if k =? 1 then 1 else 0) /\
    net "select_twice_q" t = (if k =? 1 then 0 else 1) /\ net "select_pair_q" t = 0 /\ net "select_half_d_q" t = 0 /\ net "select_half_b_q" t = 0 /\
    net "x" t = 0.
  Proof.
    intros t k E N.
    assert (G : net "select_operand_q" t = (if k =? 1 then 1 else 0) /\ net "select_twice_q" t = (if k =? 1 then 0 else 1) /\
      net "select_pair_q" t = 0 /\ net "select_half_d_q" t = 0 /\ net "select_half_b_q" t = 0 /\
      net "multiplier_bit_q" t = 0 /\ net "quotient_digit_q" t = 0).
    { destruct t; [destruct (H_reset O eq_refl) as (P & -> & -> & -> & -> & -> & -> & ->); rewrite P in E; subst k; cbn; auto 10 |].
      destruct (digits_range (S t)) as [R1 R2]. destruct (H_selects t) as (A1 & A2 & A3 & A4 & A5 & A6 & A7). rewrite E in *.
      destruct (Z.eqb_spec k 3); [contradiction |].
      assert (B : (if net "phase_q" t =? 2 then 0 else 0) = 0) by (destruct (net "phase_q" t =? 2); reflexivity). rewrite B in *.
      assert (B3 : (if net "phase_q" t =? 3 then 0 else 0) = 0) by (destruct (net "phase_q" t =? 3); reflexivity). rewrite B3 in *.
      split; [exact A1 |]. split; [exact A2 |]. split; [exact A3 |]. split; [destruct (net "b_q" t mod 2 =? 1); exact A4 |].
      split; [destruct (net "b_q" t mod 2 =? 1); exact A5 |]. lia. }
    destruct G as (A1 & A2 & A3 & A4 & A5 & A6 & A7). pose proof (H_nothing t A6 A7). auto 10.
  Qed.

  (* A row of half adders, which halves: phases that resolve a pair. *)
  Lemma settling : forall t k, net "phase_q" t = 2 \/ net "phase_q" t = 4 \/ net "phase_q" t = 5 -> total t < 2 ^ (W + 2) -> 0 <= k ->
    (2 ^ k | net "sc_q" t) -> total (S t) = total t /\ (2 ^ (k + 1) | net "sc_q" (S t)).
  Proof.
    intros t k P small Hk D. destruct (selected t _ eq_refl ltac:(lia)) as (A1 & A2 & A3 & A4 & A5 & X0).
    destruct (Z.eqb_spec (net "phase_q" t) 1); [lia |]. destruct (H_inputs t ltac:(lia) ltac:(lia)) as [I1 I2].
    rewrite A1, A2, A3, A4 in I1. rewrite A1, A2, A3, A5 in I2. cbn [Z.eqb Pos.eqb] in I1, I2.
    assert (J1 : net "s" t = 2 * net "ss_q" t) by lia. assert (J2 : net "c" t = 2 * net "sc_q" t) by lia. clear I1 I2.
    destruct double as (P3 & _). destruct (vectors t) as [V1 V2].
    destruct (H_half t X0 ltac:(unfold total in small; lia)) as [F1 F2]. destruct (H_halve t) as [N1 N2].
    assert (D1 : (2 ^ (k + 1) | net "c" t)) by (rewrite J2; apply divides_double; assumption).
    assert (D2 : (2 ^ (k + 1 + 1) | net "carry" t)) by (rewrite F2; apply row_divides; [lia | lia | exact D1]).
    split; [| rewrite N2; apply divides_half; [lia | exact D2]].
    assert (even : net "carry" t mod 2 = 0).
    { apply Z.mod_divide; [lia |]. apply Z.divide_trans with (2 ^ (k + 1 + 1)); [| exact D2]. exists (2 ^ (k + 1)).
      replace (k + 1 + 1) with (Z.succ (k + 1)) by lia. rewrite Z.pow_succ_r by lia. ring. }
    unfold total. rewrite N1, N2. apply (Z.mul_reg_l _ _ 2); [lia |]. rewrite (halves (2 * total t) _ _); [reflexivity | unfold total; lia | | exact even].
    rewrite Z.mul_comm. apply Z_mod_mult.
  Qed.

  Lemma settled : forall t, net "phase_q" t = 2 \/ net "phase_q" t = 4 \/ net "phase_q" t = 5 -> net "sc_q" t = 0 ->
    net "ss_q" (S t) = net "ss_q" t /\ net "sc_q" (S t) = 0.
  Proof.
    intros t P C. destruct (vectors t) as [V1 V2]. destruct (vectors (S t)) as [V3 V4].
    destruct (settling t (W + 2) P ltac:(unfold total; lia) ltac:(lia) ltac:(rewrite C; apply Z.divide_0_r)) as [S1 S2].
    assert (Z0 : net "sc_q" (S t) = 0) by (apply (divided_small (W + 2 + 1) (W + 2)); [exact V4 | lia | lia | exact S2]).
    unfold total in S1. lia.
  Qed.

  (* Such a phase p, from a cycle s on, until the carry vector is 0; then comes the phase q. *)
  Lemma settles : forall p q s J e, (p = 2 \/ p = 4) -> (forall t, net "phase_q" t = p -> net "phase_q" (S t) = (if net "sc_q" t =? 0 then q else p)) ->
    net "phase_q" s = p -> (2 ^ Z.of_nat e | net "sc_q" s) -> total s < 2 ^ Z.of_nat (J + e) -> Z.of_nat (J + e) <= W + 2 ->
    exists j, (j <= J)%nat /\ (forall i, (i <= j)%nat -> net "phase_q" (s + i)%nat = p) /\ net "phase_q" (s + S j)%nat = q /\
      net "sc_q" (s + j)%nat = 0 /\ net "ss_q" (s + j)%nat = total s /\ net "ss_q" (s + S j)%nat = total s /\ net "sc_q" (s + S j)%nat = 0.
  Proof.
    intros p q s J e Hp goes P0 D0 small HJ. pose proof (Z.pow_le_mono_r 2 (Z.of_nat (J + e)) (W + 2) ltac:(lia) HJ) as L2.
    pose (keeps := fun i => net "phase_q" (s + i)%nat = p /\ total (s + i) = total s /\ (2 ^ Z.of_nat (i + e) | net "sc_q" (s + i)%nat)).
    destruct (until keeps (fun i => net "sc_q" (s + i)%nat) J) as (j & Hj & (K1 & K2 & _) & C0 & before).
    - unfold keeps. rewrite Nat.add_0_r. auto.
    - intros i L (P & T & D) C. destruct (settling (s + i)%nat (Z.of_nat (i + e)) ltac:(lia) ltac:(rewrite T; lia) ltac:(lia) D) as [S1 S2].
      unfold keeps. rewrite Nat.add_succ_r. repeat split; [| lia | replace (Z.of_nat (S i + e)) with (Z.of_nat (i + e) + 1) by lia; exact S2].
      rewrite (goes _ P). destruct (Z.eqb_spec (net "sc_q" (s + i)%nat) 0); [contradiction | reflexivity].
    - intros (_ & T & D). destruct (vectors (s + J)%nat) as [V1 V2]. apply (divided_small (Z.of_nat (J + e)) (Z.of_nat (J + e))); [| lia | lia | exact D].
      unfold total in *. lia.
    - exists j. split; [exact Hj |]. split; [intros i I; destruct (Nat.eq_dec i j) as [-> | E]; [exact K1 | apply (before i); lia] |].
      destruct (settled (s + j)%nat ltac:(lia) C0) as [S1 S2]. assert (S0 : net "ss_q" (s + j)%nat = total s) by (unfold total in *; lia).
      rewrite Nat.add_succ_r, S1, S0. split; [rewrite (goes _ K1), C0; reflexivity |]. auto.
  Qed.

  Section Request.
  (* A request is accepted in cycle c. *)
  Variables (c : nat).
  Let a := net "a_i" c. Let b := net "b_i" c. Let n := net "n_i" c.
  Hypotheses (idle : net "phase_q" c = 0) (request : net "req_valid_i" c = 1) (odd : n mod 2 = 1) (a_range : a < 2 * n) (b_range : b < 2 * n).

  Let first := S c. Let resolves := S first.                                                  (* the first cycles of the phases *)

  Lemma small : 0 < n < 2 ^ W /\ 0 <= a < 2 ^ (W + 1) /\ 0 <= b.
  Proof.
    assert (0 <= n < 2 ^ W) by in_range H_ranges c. assert (0 <= a < 2 ^ (W + 1)) by in_range H_ranges c. assert (0 <= b) by in_range H_ranges c.
    pose proof (odd_positive n ltac:(lia) odd). lia.
  Qed.

  Lemma start : net "phase_q" first = 1 /\ net "phase_q" resolves = 2 /\ total resolves = b + n /\ (2 ^ Z.of_nat 1 | net "sc_q" resolves) /\
    net "a_q" resolves = a /\ net "b_q" resolves = b /\ net "n_q" resolves = n.
  Proof.
    destruct (H_accept c idle request) as (A1 & A2 & A3 & A4). fold first in A1, A2, A3, A4. fold a in A2. fold b in A3. fold n in A4.
    destruct (selected first 1 A1 ltac:(lia)) as (B1 & B2 & B3 & B4 & B5 & X0). cbn [Z.eqb Pos.eqb] in B1, B2.
    destruct (H_inputs first ltac:(lia) ltac:(lia)) as [I1 I2]. rewrite B1, B2, B3, B4 in I1. rewrite B1, B2, B3, B5 in I2. cbn [Z.eqb Pos.eqb] in I1, I2.
    destruct small as (N & A & B). destruct double as (P3 & P2 & P1 & P0).
    assert (J1 : net "s" first = 2 * b) by lia. assert (J2 : net "c" first = 2 * n) by lia. clear I1 I2.
    destruct (H_half first X0 ltac:(lia)) as [F1 F2]. destruct (H_halve first) as [N1 N2]. destruct (H_keep first ltac:(lia)) as (K1 & K2 & K3 & _).
    fold resolves in N1, N2, K1, K2, K3. rewrite A1 in K3. cbn [Z.eqb Pos.eqb] in K3.
    assert (D : (2 ^ (1 + 1) | net "carry" first)) by (rewrite F2, J2; apply row_divides; [lia | lia | exists n; lia]).
    split; [exact A1 |]. split; [exact (H_added first A1) |]. split; [| split; [rewrite N2; apply (divides_half 1); [lia | exact D] | rewrite K1, K2, K3; auto]].
    unfold total. rewrite N1, N2. apply (Z.mul_reg_l _ _ 2); [lia |].
    rewrite (halves (2 * (b + n)) _ _); [reflexivity | lia | rewrite Z.mul_comm; apply Z_mod_mult |].
    apply Z.mod_divide; [lia |]. apply Z.divide_trans with (2 ^ (1 + 1)); [exists 2; reflexivity | exact D].
  Qed.

  (* The loop begins in cycle l, after the last cycle of the resolution. *)
  Section Loop.
  Variables (j : nat).
  Hypotheses (in_phase : forall i, (i <= j)%nat -> net "phase_q" (resolves + i)%nat = 2) (no_carry : net "sc_q" (resolves + j)%nat = 0)
    (resolved : net "ss_q" (resolves + j)%nat = b + n) (then_loop : net "phase_q" (resolves + S j)%nat = 3)
    (still : net "ss_q" (resolves + S j)%nat = b + n).
  Let l := (resolves + S j)%nat. Let conversion := (l + (K + 1))%nat.

  Lemma operands_kept : forall i, (i <= j)%nat -> net "a_q" (resolves + i)%nat = a /\ net "b_q" (resolves + i)%nat = b /\ net "n_q" (resolves + i)%nat = n.
  Proof.
    induction i; intros L; [rewrite Nat.add_0_r; destruct start as (_ & _ & _ & _ & E); exact E |]. destruct (IHi ltac:(lia)) as (E1 & E2 & E3). pose proof (in_phase i ltac:(lia)) as P.
    rewrite Nat.add_succ_r. destruct (H_keep (resolves + i)%nat ltac:(lia)) as (-> & -> & K3 & _). rewrite P in K3. cbn [Z.eqb Pos.eqb] in K3. rewrite K3. auto.
  Qed.

  (* The quotient digit of the first iteration, and the state after it. *)
  Let q0 := a mod 2 * (b mod 2).
  Let s1 := if a mod 2 =? 1 then if b mod 2 =? 1 then (b + n) / 2 else b / 2 else 0.

  Lemma first_iteration : 2 * s1 = a mod 2 * b + q0 * n /\ 0 <= q0 <= 1.
  Proof.
    unfold s1, q0. pose proof (Z.mod_pos_bound a 2 ltac:(lia)). pose proof (Z.mod_pos_bound b 2 ltac:(lia)). pose proof (Z.div_mod b 2 ltac:(lia)).
    pose proof (Z.div_mod (b + n) 2 ltac:(lia)). pose proof (Z.mod_pos_bound (b + n) 2 ltac:(lia)). pose proof (Z.div_mod n 2 ltac:(lia)).
    assert (A : a mod 2 = 0 \/ a mod 2 = 1) by lia. assert (B : b mod 2 = 0 \/ b mod 2 = 1) by lia.
    destruct A as [-> | ->], B as [EB | EB]; rewrite EB; cbn [Z.eqb Pos.eqb]; lia.
  Qed.

  (* The adder's pair in cycle t of the loop. *)
  Let state t := net "s" (l + t)%nat + net "c" (l + t)%nat.

  (* What holds in each cycle of the loop. *)
  Let keeps t := net "b_q" t = b /\ net "n_q" t = n /\ net "d_q" t = b + n /\ net "multiplier_bit_q" t = (net "a_q" t / 2) mod 2 /\
    net "s" t < 2 ^ (W + 2) /\ net "c" t < 2 ^ (W + 2) /\
    (net "s" t + net "c" t + net "multiplier_bit_q" t * b + net "quotient_digit_q" t * n) mod 2 = 0.

  Lemma quarter : forall y, (y / 2) / 2 = y / 4.
  Proof. intros y. rewrite Z.div_div by lia. reflexivity. Qed.

  Lemma enters : net "a_q" l = a /\ state 0 = s1 /\ keeps l.
  Proof.
    destruct (operands_kept j (le_n j)) as (E1 & E2 & E3). pose proof (in_phase j (le_n j)) as P. set (z := (resolves + j)%nat) in *.
    assert (lz : l = S z) by (unfold l, z; lia).
    destruct (H_keep z ltac:(lia)) as (K1 & K2 & K3 & K4). rewrite P in K3, K4. cbn [Z.eqb Pos.eqb] in K3, K4. rewrite <- lz in K1, K2, K3, K4.
    destruct (H_first z P no_carry ltac:(rewrite E3; exact odd)) as [D1 D2]. rewrite <- lz in D1, D2.
    assert (then_l : net "phase_q" l = 3) by exact then_loop.
    destruct (H_selects z) as (A1 & A2 & A3 & A4 & A5 & _). rewrite <- lz, then_l in A1, A2, A3, A4, A5. rewrite P in A3, A4, A5. cbn [Z.eqb Pos.eqb] in A1, A2, A3, A4, A5.
    rewrite E1, E2 in A4, A5. rewrite resolved, E1, E2, E3 in D2. fold s1 in D2. rewrite E1 in D1.
    pose proof (Z.mod_pos_bound a 2 ltac:(lia)) as Ra.
    assert (H4 : 0 <= net "select_half_d_q" l <= 1 /\ 0 <= net "select_half_b_q" l <= 1) by (rewrite A4, A5; destruct (b mod 2 =? 1); lia).
    destruct (H_inputs l ltac:(lia) ltac:(lia)) as [I1 I2]. rewrite A1, A2, A3 in I1, I2. cbn [Z.eqb Pos.eqb] in I1, I2.
    destruct double as (_ & P2 & P1 & P0). destruct small as (N & A & B).
    fold l in still. rewrite still in I1. rewrite K1, E2 in I2.
    assert (S0 : net "s" l + net "c" l = s1 /\ net "s" l <= b + n /\ net "c" l <= b + n).
    { pose proof (Z.div_le_upper_bound (b + n) 2 (b + n) ltac:(lia) ltac:(lia)). pose proof (Z.div_le_upper_bound b 2 b ltac:(lia) ltac:(lia)).
      pose proof (Z.div_pos (b + n) 2 ltac:(lia) ltac:(lia)). pose proof (Z.div_pos b 2 ltac:(lia) ltac:(lia)).
      rewrite I1, I2, A4, A5. unfold s1. assert (Ca : a mod 2 = 0 \/ a mod 2 = 1) by lia.
      destruct Ca as [-> | ->]; destruct (b mod 2 =? 1); cbn [Z.eqb Pos.eqb]; lia. }
    split; [rewrite K3; exact E1 |]. unfold state. rewrite Nat.add_0_r. split; [apply S0 |].
    unfold keeps. rewrite K1, K2, K3, K4, E1, E2, E3, resolved. repeat split; [exact D1 | lia | lia |]. rewrite (proj1 S0). exact D2.
  Qed.

  Lemma step_at : forall t, net "phase_q" t = 3 -> keeps t ->
    net "a_q" (S t) = net "a_q" t / 2 /\ 2 * total (S t) = net "s" t + net "c" t + (net "a_q" t / 2) mod 2 * b + net "quotient_digit_q" t * n.
  Proof.
    intros t P (B & N & D & M & S1 & C1 & E). destruct (H_keep t ltac:(lia)) as (_ & _ & K3 & _). rewrite P in K3. cbn [Z.eqb Pos.eqb] in K3.
    split; [exact K3 |]. pose proof (H_multiple t ltac:(rewrite B, N; exact D)) as X. rewrite B, N in X. rewrite <- M.
    destruct small as (Hn & _ & Hb). destruct double as (_ & P2 & P1 & _). destruct (digits_range t) as [R1 R2].
    assert (net "x" t < 2 ^ (W + 2)).
    { rewrite X. assert (net "multiplier_bit_q" t * b <= b) by nia. assert (net "quotient_digit_q" t * n <= n) by nia. lia. }
    destruct (H_row t S1 C1 ltac:(assumption)) as [T1 T2]. destruct (H_halve t) as [N1 N2].
    unfold total. rewrite N1, N2. apply halves; [rewrite T1, X; ring | exact E | exact T2].
  Qed.

  Lemma next_at : forall t, net "phase_q" t = 3 -> 0 < net "u_countdown.left_q" t -> keeps t ->
    keeps (S t) /\ net "s" (S t) + net "c" (S t) = total (S t).
  Proof.
    intros t P L H. destruct (step_at t P H) as [A _]. destruct H as (B & N & D & M & S1 & C1 & E). destruct (H_count t P L) as [Q _].
    destruct (H_keep t ltac:(lia)) as (K1 & K2 & _ & K4). rewrite P in K4. cbn [Z.eqb Pos.eqb] in K4.
    destruct (H_next t P L ltac:(rewrite N; exact odd)) as [D1 D2]. destruct (H_halve t) as [N1 N2]. rewrite <- N1, <- N2, B, N in D2.
    destruct (H_selects t) as (A1 & A2 & A3 & A4 & A5 & _). rewrite P, Q in *. cbn [Z.eqb Pos.eqb] in A1, A2, A3, A4, A5.
    assert (net "select_half_d_q" (S t) = 0 /\ net "select_half_b_q" (S t) = 0) as [B4 B5]
      by (rewrite A4, A5; destruct (net "b_q" t mod 2 =? 1); auto).
    destruct (H_inputs (S t) ltac:(lia) ltac:(lia)) as [I1 I2]. rewrite A1, A2, A3, B4 in I1. rewrite A1, A2, A3, B5 in I2. cbn [Z.eqb Pos.eqb] in I1, I2.
    assert (J1 : net "s" (S t) = net "ss_q" (S t)) by lia. assert (J2 : net "c" (S t) = net "sc_q" (S t)) by lia. clear I1 I2.
    destruct (vectors (S t)) as [V1 V2]. unfold keeps, total. rewrite J1, J2, K1, K2, K4, A, quarter. repeat split; auto; lia.
  Qed.

  Lemma loop : (forall t, (t <= K)%nat -> net "phase_q" (l + t)%nat = 3 /\ net "u_countdown.left_q" (l + t)%nat = Z.of_nat (K - t) /\ keeps (l + t)%nat) /\
    net "phase_q" conversion = 4.
  Proof.
    destruct enters as (_ & _ & K0). pose proof (in_phase j (le_n j)) as P. destruct (H_resolves _ P) as [_ L0]. rewrite <- Nat.add_succ_r in L0. fold l in L0.
    assert (G : forall t, (t <= K)%nat -> net "phase_q" (l + t)%nat = 3 /\ net "u_countdown.left_q" (l + t)%nat = Z.of_nat (K - t) /\ keeps (l + t)%nat).
    { induction t; intros L; [rewrite Nat.add_0_r, Nat.sub_0_r; auto |]. destruct (IHt ltac:(lia)) as (P1 & L1 & K1). rewrite Nat.add_succ_r.
      destruct (H_count _ P1 ltac:(lia)) as [P2 L2]. destruct (next_at _ P1 ltac:(lia) K1) as [K2 _]. repeat split; [exact P2 | lia | apply K2 ..]. }
    split; [exact G |]. destruct (G K (le_n K)) as (P1 & L1 & _). unfold conversion. replace (l + (K + 1))%nat with (S (l + K))%nat by lia. apply H_end; [exact P1 | lia].
  Qed.

  Lemma operand : forall t, (t <= K + 1)%nat -> net "a_q" (l + t)%nat = a / 2 ^ Z.of_nat t.
  Proof.
    intros t L. destruct enters as (E & _). pose proof (shifted_down 2 (K + 1) (fun i => net "a_q" (l + i)%nat) ltac:(lia)) as G. cbv beta in G.
    rewrite Nat.add_0_r, E in G. rewrite <- pw_Z. apply G; [| exact L]. intros i I. destruct (proj1 loop i ltac:(lia)) as (P & _ & H). rewrite Nat.add_succ_r.
    apply (step_at _ P H).
  Qed.

  Lemma result : 0 <= total conversion < 2 * n /\ montgomery n (pw 2 (K + 2)) a b (total conversion).
  Proof.
    destruct small as (N & A & B). destruct first_iteration as [F1 F2]. destruct enters as (_ & S0 & _).
    set (T := fun t => match t with O => 0 | S O => s1 | S (S _ as i) => total (l + i) end).
    set (Q := fun t => match t with O => q0 | S i => net "quotient_digit_q" (l + i)%nat end).
    assert (same : forall i, (i <= K)%nat -> T (S i) = state i).
    { intros [| i] L; [symmetry; exact S0 |]. unfold T, state. destruct (proj1 loop i ltac:(lia)) as (P & L1 & H). rewrite Nat.add_succ_r.
      symmetry. apply (next_at _ P ltac:(lia) H). }
    replace (total conversion) with (T (K + 2)%nat) by (unfold conversion; replace (K + 2)%nat with (S (S K)) by lia; unfold T; do 2 f_equal; lia).
    apply (long_loop n a b K T (fun t => a / 2 ^ Z.of_nat t) Q);
      [lia | rewrite pw_Z; apply N | lia | lia | reflexivity | apply Z.div_1_r | |].
    - intros t L. rewrite Nat2Z.inj_succ, Z.pow_succ_r, Z.mul_comm, Z.div_div by lia. reflexivity.
    - intros [| i] L.
      + unfold T, Q. split; [exact F2 |]. change (2 ^ Z.of_nat 0) with 1. rewrite Z.div_1_r, F1. lia.
      + destruct (proj1 loop i ltac:(lia)) as (P & L1 & H). destruct (step_at _ P H) as [_ E]. destruct (digits_range (l + i)%nat) as [_ R]. unfold Q.
        split; [lia |]. rewrite (same i) by lia. unfold T, state. rewrite Nat.add_succ_r, E, (operand i) by lia.
        rewrite Nat2Z.inj_succ, Z.pow_succ_r, (Z.mul_comm 2), Z.div_div by lia. reflexivity.
  Qed.
  End Loop.

  Lemma response : exists d : nat, (K + 5 <= d <= 3 * K + 7)%nat /\ net "phase_q" (c + d)%nat = 5 /\
    (forall t, (c < t < c + d)%nat -> net "phase_q" t <> 5) /\ net "sc_q" (c + d)%nat = 0 /\
    0 <= net "p_o" (c + d)%nat < 2 * n /\ (net "p_o" (c + d)%nat * 2 ^ (W + 2)) mod n = (a * b) mod n.
  Proof.
    destruct start as (P1 & P2 & T & D0 & _). destruct small as (N & A & B). destruct double as (Q3 & Q2 & Q1 & Q0).
    assert (goes : forall t, net "phase_q" t = 2 -> net "phase_q" (S t) = (if net "sc_q" t =? 0 then 3 else 2)) by (intros t P; apply (H_resolves t P)).
    destruct (settles 2 3 resolves (K + 1)%nat 1%nat (or_introl eq_refl) goes P2 D0) as (j & J & in_phase & then_loop & C0 & S0 & S1 & _);
      [rewrite T; replace (Z.of_nat (K + 1 + 1)) with (W + 2) by (unfold W; lia); lia | unfold W; lia |]. rewrite T in S0, S1.
    destruct (loop j in_phase C0 S0 then_loop S1) as [L P4]. destruct (result j in_phase C0 S0 then_loop S1) as [R M].
    set (conversion := (resolves + S j + (K + 1))%nat) in *.
    destruct (settles 4 5 conversion (K + 1)%nat 0%nat (or_intror eq_refl) H_converts P4) as (i & I & in4 & then_done & _ & _ & X1 & X2);
      [apply Z.divide_1_l | replace (Z.of_nat (K + 1 + 0)) with (W + 1) by (unfold W; lia); lia | unfold W; lia |].
    exists (K + 5 + j + i)%nat. replace (c + (K + 5 + j + i))%nat with (conversion + S i)%nat by (unfold conversion, resolves, first; lia).
    split; [lia |]. split; [exact then_done |]. split; [| split; [exact X2 |]].
    - intros t H. destruct (Nat.lt_ge_cases t conversion) as [H1 | H1].
      + destruct (Nat.lt_ge_cases t (resolves + S j)) as [H2 | H2].
        * destruct (Nat.eq_dec t first) as [-> | N1]; [lia |]. pose proof (in_phase (t - resolves)%nat ltac:(unfold resolves, first in *; lia)) as E.
          replace (resolves + (t - resolves))%nat with t in E by (unfold resolves, first in *; lia). lia.
        * destruct (L (t - (resolves + S j))%nat ltac:(unfold conversion in *; lia)) as (E & _).
          replace (resolves + S j + (t - (resolves + S j)))%nat with t in E by lia. lia.
      + pose proof (in4 (t - conversion)%nat ltac:(lia)) as E. replace (conversion + (t - conversion))%nat with t in E by lia. lia.
    - rewrite H_answer, X1, Z.mod_small by lia. split; [exact R |]. apply montgomery_mod.
      replace (2 ^ (W + 2)) with (pw 2 (K + 2)); [exact M |]. rewrite pw_Z. f_equal. unfold W. lia.
  Qed.
  End Request.

  Theorem contract : multiplier net (net "a_i") (net "b_i") (net "n_i") (net "p_o") (K + 5) (3 * K + 7) (2 ^ (W + 2))
    (fun c => net "n_i" c mod 2 = 1) (fun n x => 0 <= x < 2 * n) (fun n p => 0 <= p < 2 * n).
  Proof.
    apply (serves _ _ _ _ _ _ _ _ _ _ _ (net "phase_q") 0 5 (fun t => net "sc_q" t = 0)); [exact H_ready | |].
    - intros c I V odd [_ a_range] [_ b_range]. destruct (response c I V odd a_range b_range) as (d & D & P & B & C & R & M). exists d. auto 10.
    - intros t D C T. destruct (settled t ltac:(auto) C) as [S1 S2]. rewrite !H_answer, S1, (H_hold t D T). auto.
  Qed.
End Chain.
