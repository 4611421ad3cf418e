(* SPDX-License-Identifier: Apache-2.0 *)
(* mf_scs_mm2 from the nets of the RTL to the contract, for every width. The hypotheses are the lemmas that montforge prints into
   scs_mm2_lemmas.v, and proves on the RTL. The number of cycles depends on the operands. *)
From Coq Require Import ZArith Lia String.
Require Import DigitRecurrence Instances Contract Control WordSerial HalfAdders scs_mm2_lemmas.
Open Scope string_scope. Open Scope Z_scope.
Set Default Proof Using "All".

Section Chain.
  Variables (K : nat) (net : trace).
  Let W := Z.of_nat K.
  Hypotheses (wide : (1 <= K)%nat) (H_ranges : ranges W net) (H_ready : ready W net) (H_selects : selects W net) (H_reset : selects_at_reset W net)
    (H_accept : accept W net) (H_inputs : inputs W net) (H_row1 : row1 W net) (H_row2 : row2 W net) (H_half1 : half_adders1 W net)
    (H_half2 : half_adders2 W net) (H_halve : halve W net) (H_shift : shift W net) (H_count : count W net) (H_end : count_end W net)
    (H_converts : converts W net) (H_hold : hold W net) (H_answer : answer W net).

  Let total t := net "ss_q" t + net "sc_q" t.

  Lemma vectors : forall t, 0 <= net "ss_q" t < 2 ^ (W + 1) /\ 0 <= net "sc_q" t < 2 ^ (W + 1) /\ 0 <= net "a_q" t < 2 ^ (W + 1).
  Proof. intros t. in_range H_ranges t. Qed.

  Lemma double : 2 ^ (W + 2) = 2 * 2 ^ (W + 1) /\ 2 ^ (W + 1) = 2 * 2 ^ W /\ 0 < 2 ^ W.
  Proof. rewrite !Z.pow_add_r by lia. assert (0 < 2 ^ W) by (apply Z.pow_pos_nonneg; lia). lia. Qed.

  Lemma twice_in : forall t k, net "phase_q" t = k -> net "select_twice_q" t = (if 2 <=? k then 1 else 0).
  Proof. intros t k <-. destruct t; [destruct (H_reset O eq_refl) as (-> & _ & ->); reflexivity | apply H_selects]. Qed.

  Lemma pair_in : forall t k, net "phase_q" t = k -> k <> 1 -> net "select_pair_q" t = 0.
  Proof.
    intros t k E N. destruct t; [apply (H_reset O eq_refl) |]. destruct (H_selects t) as [-> _]. rewrite E.
    destruct (Z.eqb_spec k 1); [contradiction |]. destruct (net "phase_q" t =? 1); reflexivity.
  Qed.

  (* Two rows of half adders, of which the second one halves: phases after the loop. *)
  Lemma settling : forall t k, 2 <= net "phase_q" t -> net "a_q" t = 0 -> total t < 2 ^ (W + 1) -> 0 <= k -> (2 ^ k | net "sc_q" t) ->
    total (S t) = total t /\ (2 ^ (k + 2) | net "sc_q" (S t)) /\ net "a_q" (S t) = 0.
  Proof.
    intros t k P A small Hk D. pose proof (twice_in t _ eq_refl) as T. pose proof (pair_in t _ eq_refl ltac:(lia)) as Q.
    destruct (Z.leb_spec 2 (net "phase_q" t)); [| lia]. destruct (H_inputs t ltac:(lia)) as [I1 I2]. rewrite T in I1, I2. cbn [Z.eqb Pos.eqb] in I1, I2.
    destruct double as (P2 & _). destruct (vectors t) as (V1 & V2 & _).
    assert (E1 : net "s" t mod 2 = 0) by (rewrite I1, Z.mul_comm; apply Z_mod_mult). assert (E2 : net "c" t mod 2 = 0) by (rewrite I2, Z.mul_comm; apply Z_mod_mult).
    destruct (H_half1 t A ltac:(unfold total in small; lia) E1 E2) as (F1 & F2 & F3).
    destruct (H_half2 t ltac:(unfold total in small; lia) F2) as (G1 & G2 & G3). destruct (H_halve t) as [N1 N2].
    assert (D1 : (2 ^ (k + 1) | net "c" t)) by (rewrite I2; apply divides_double; assumption).
    assert (D2 : (2 ^ (k + 1 + 1) | net "u_csa.carry1" t)) by (rewrite F3; apply row_divides; [lia | lia | exact D1]).
    assert (D3 : (2 ^ (k + 1 + 1 + 1) | net "u_csa.carry_o" t)) by (rewrite G3; apply row_divides; [lia | lia | exact D2]).
    destruct (H_shift t ltac:(lia)) as [-> _]. rewrite A. split; [| split; [| reflexivity]].
    - unfold total. rewrite N1, N2. pose proof (Z.div_mod (net "u_csa.sum_o" t) 2 ltac:(lia)).
      assert (net "u_csa.carry_o" t mod 2 = 0).
      { apply Z.mod_divide; [lia |]. apply Z.divide_trans with (2 ^ (k + 1 + 1 + 1)); [| exact D3]. exists (2 ^ (k + 2)).
        replace (k + 1 + 1 + 1) with (Z.succ (k + 2)) by lia. rewrite Z.pow_succ_r by lia. ring. }
      pose proof (Z.div_mod (net "u_csa.carry_o" t) 2 ltac:(lia)). lia.
    - rewrite N2. apply divides_half; [lia |]. replace (k + 2 + 1) with (k + 1 + 1 + 1) by lia. exact D3.
  Qed.

  Section Request.
  (* A request is accepted in cycle c. *)
  Variables (c : nat).
  Let a := net "a_i" c. Let b := net "b_i" c. Let n := net "n_i" c.
  Hypotheses (idle : net "phase_q" c = 0) (request : net "req_valid_i" c = 1) (odd : n mod 2 = 1) (a_range : a < 2 * n) (b_range : b < 2 * n).

  Let first := S c. Let conversion := (first + (K + 2))%nat.                                  (* the first cycles of the phases *)
  (* The state before each iteration: 0 in the first one. *)
  Let state t := net "s" (first + t)%nat + net "c" (first + t)%nat.

  Lemma small : 0 < n < 2 ^ W /\ 0 <= a < 2 ^ (W + 1) /\ 0 <= b.
  Proof.
    assert (0 <= n < 2 ^ W) by in_range H_ranges c. assert (0 <= a < 2 ^ (W + 1)) by in_range H_ranges c. assert (0 <= b) by in_range H_ranges c.
    pose proof (odd_positive n ltac:(lia) odd). lia.
  Qed.

  Lemma loop : (forall t, (t <= K + 1)%nat -> net "phase_q" (first + t)%nat = 1 /\ net "b_q" (first + t)%nat = b /\ net "n_q" (first + t)%nat = n) /\
    net "phase_q" conversion = 2.
  Proof.
    destruct (H_accept c idle request) as (A1 & A2 & _ & A4 & A5).
    assert (kept : forall t, net "phase_q" t = 1 -> net "b_q" t = b /\ net "n_q" t = n -> net "b_q" (S t) = b /\ net "n_q" (S t) = n)
      by (intros t P E; destruct (H_shift t ltac:(lia)) as (_ & -> & ->); exact E).
    pose proof (counted _ _ 1 (fun t => net "b_q" t = b /\ net "n_q" t = n) H_count kept first (K + 1)%nat A1 ltac:(unfold W in A2; unfold first; lia) (conj A4 A5)) as C.
    split; [intros t L; destruct (C t L) as (P & _ & E); auto |]. destruct (C (K + 1)%nat ltac:(lia)) as (P & L & _).
    unfold conversion. replace (first + (K + 2))%nat with (S (first + (K + 1)))%nat by lia. apply H_end; [exact P | lia].
  Qed.

  Lemma operand : forall t, (t <= K + 2)%nat -> net "a_q" (first + t)%nat = a / 2 ^ Z.of_nat t.
  Proof.
    intros t L. destruct (H_accept c idle request) as (_ & _ & A3 & _).
    pose proof (shifted_down 2 (K + 2) (fun i => net "a_q" (first + i)%nat) ltac:(lia)) as G. cbv beta in G. rewrite Nat.add_0_r in G. unfold a.
    rewrite <- A3, <- pw_Z. apply G; [| exact L]. intros i I. destruct (proj1 loop i ltac:(lia)) as (P & _). rewrite Nat.add_succ_r. apply H_shift. lia.
  Qed.

  (* The inputs of the adder in the loop. *)
  Lemma pair_of : forall t, (t <= K + 1)%nat -> (t = O -> net "s" (first + t)%nat = 0 /\ net "c" (first + t)%nat = 0) /\
    (t <> O -> net "s" (first + t)%nat = net "ss_q" (first + t)%nat /\ net "c" (first + t)%nat = net "sc_q" (first + t)%nat).
  Proof.
    intros t L. destruct (proj1 loop t L) as (P & _). pose proof (twice_in _ _ P) as T. cbn [Z.leb Z.compare Pos.compare Pos.compare_cont] in T.
    assert (R : 0 <= net "select_pair_q" (first + t)%nat < 2 ^ 1) by in_range H_ranges (first + t)%nat.
    destruct (H_inputs (first + t)%nat ltac:(lia)) as [-> ->]. rewrite T. cbn [Z.eqb]. split; intros E.
    - subst t. rewrite Nat.add_0_r in *. unfold first. destruct (H_selects c) as [-> _]. rewrite idle. cbn [Z.eqb]. auto.
    - replace (first + t)%nat with (S (first + (t - 1)))%nat by lia. destruct (H_selects (first + (t - 1))%nat) as [-> _].
      destruct (proj1 loop (t - 1)%nat ltac:(lia)) as (P1 & _). replace (S (first + (t - 1)))%nat with (first + t)%nat by lia. rewrite P1, P. auto.
  Qed.

  Lemma recurrence : forall t, (t < K + 2)%nat -> let q := net "u_csa.quotient_digit" (first + t)%nat in
    0 <= q <= 1 /\ 2 * total (first + S t) = state t + net "a_q" (first + t)%nat mod 2 * b + q * n.
  Proof.
    intros t L q. destruct (proj1 loop t ltac:(lia)) as (P & B & N). destruct (pair_of t ltac:(lia)) as [Z0 Z1]. destruct (vectors (first + t)%nat) as (V1 & V2 & _).
    destruct double as (_ & X & Y).
    assert (I : net "s" (first + t)%nat < 2 ^ (W + 1) /\ net "c" (first + t)%nat < 2 ^ (W + 1))
      by (destruct t; [destruct (Z0 eq_refl); lia | destruct (Z1 ltac:(discriminate)); lia]).
    destruct (H_row1 (first + t)%nat (proj1 I) (proj2 I)) as (R1 & R2 & R3). destruct (H_row2 _ R2 R3 ltac:(rewrite N; exact odd)) as (E1 & E2 & E3).
    destruct (H_halve (first + t)%nat) as [N1 N2]. assert (0 <= q < 2 ^ 1) by in_range H_ranges (first + t)%nat.
    split; [lia |]. unfold total, state. rewrite Nat.add_succ_r, N1, N2. rewrite B in R1. rewrite N in E1. apply halves; [unfold q; lia | | exact E3].
    pose proof (Z.div_mod (net "u_csa.sum_o" (first + t)%nat) 2 ltac:(lia)). pose proof (Z.div_mod (net "u_csa.carry_o" (first + t)%nat) 2 ltac:(lia)).
    unfold q. replace (net "s" (first + t)%nat + net "c" (first + t)%nat + net "a_q" (first + t)%nat mod 2 * b + net "u_csa.quotient_digit" (first + t)%nat * n)
      with ((net "u_csa.sum_o" (first + t)%nat / 2 + net "u_csa.carry_o" (first + t)%nat / 2) * 2) by lia. apply Z_mod_mult.
  Qed.

  Lemma result : 0 <= total conversion < 2 * n /\ montgomery n (pw 2 (K + 2)) a b (total conversion).
  Proof.
    destruct small as (N & A & B). destruct (pair_of O ltac:(lia)) as [Z0 _]. destruct (Z0 eq_refl) as [S0 C0]. rewrite Nat.add_0_r in S0, C0.
    (* the state of iteration t, which the pair is after the first one *)
    set (T := fun t => match t with O => 0 | S _ => total (first + t) end).
    assert (same : forall t, (t <= K + 1)%nat -> T t = state t).
    { intros [| t] L; unfold T, state; [rewrite Nat.add_0_r; lia |]. destruct (pair_of (S t) L) as [_ Z1]. destruct (Z1 ltac:(discriminate)) as [-> ->]. reflexivity. }
    replace (total conversion) with (T (K + 2)%nat) by (unfold T, conversion; rewrite Nat.add_succ_r; reflexivity).
    apply (long_loop n a b K T (fun t => net "a_q" (first + t)%nat) (fun t => net "u_csa.quotient_digit" (first + t)%nat));
      [lia | rewrite pw_Z; apply N | lia | lia | reflexivity | | |].
    - rewrite (operand O) by lia. apply Z.div_1_r.
    - intros t L. destruct (proj1 loop t ltac:(lia)) as (P & _). rewrite Nat.add_succ_r. apply H_shift. lia.
    - intros t L. rewrite (same t) by lia. exact (recurrence t L).
  Qed.

  (* The number of rows that the conversion needs. *)
  Lemma converted : exists j, (j <= (K + 2) / 2)%nat /\ (forall i, (i <= j)%nat -> net "phase_q" (conversion + i)%nat = 2) /\
    net "phase_q" (conversion + S j)%nat = 3 /\ net "ss_q" (conversion + S j)%nat = total conversion /\ net "sc_q" (conversion + S j)%nat = 0 /\
    net "a_q" (conversion + S j)%nat = 0.
  Proof.
    destruct result as [R _]. destruct small as (N & A & _). destruct double as (_ & X & Y).
    assert (A0 : net "a_q" conversion = 0) by (unfold conversion; rewrite operand by lia; apply Z.div_small; split; [lia |];
      pose proof (Z.pow_le_mono_r 2 (W + 1) (Z.of_nat (K + 2)) ltac:(lia) ltac:(unfold W; lia)); lia).
    pose (keeps := fun i => net "phase_q" (conversion + i)%nat = 2 /\ total (conversion + i) = total conversion /\ net "a_q" (conversion + i)%nat = 0 /\
      (2 ^ (2 * Z.of_nat i) | net "sc_q" (conversion + i)%nat)).
    destruct (until keeps (fun i => net "sc_q" (conversion + i)%nat) ((K + 2) / 2)) as (j & J & (K1 & K2 & K3 & K4) & C0 & before).
    - unfold keeps. rewrite Nat.add_0_r. repeat split; [apply loop | exact A0 |]. apply Z.divide_1_l.
    - intros i L (P & T & A1 & D) C. destruct (settling (conversion + i)%nat (2 * Z.of_nat i) ltac:(rewrite P; lia) A1 ltac:(rewrite T; lia) ltac:(lia) D) as (S1 & S2 & S3).
      unfold keeps. rewrite Nat.add_succ_r. repeat split; [| lia | exact S3 |].
      + rewrite (H_converts _ P). destruct (Z.eqb_spec (net "sc_q" (conversion + i)%nat) 0); [contradiction | reflexivity].
      + replace (2 * Z.of_nat (S i)) with (2 * Z.of_nat i + 2) by lia. exact S2.
    - intros (_ & _ & _ & D). apply (divided_small (2 * Z.of_nat ((K + 2) / 2)) (W + 1)); [apply vectors | | lia | exact D].
      pose proof (Nat.div_mod (K + 2) 2 ltac:(lia)). pose proof (Nat.mod_upper_bound (K + 2) 2 ltac:(lia)). unfold W. lia.
    - exists j. split; [exact J |]. split; [intros i I; destruct (Nat.eq_dec i j) as [-> | E]; [exact K1 | apply (before i); lia] |].
      destruct (settling (conversion + j)%nat (W + 1) ltac:(rewrite K1; lia) K3 ltac:(rewrite K2; lia) ltac:(lia) ltac:(rewrite C0; apply Z.divide_0_r)) as (S1 & S2 & S3).
      rewrite Nat.add_succ_r. split; [rewrite (H_converts _ K1), C0; reflexivity |].
      assert (Z0 : net "sc_q" (S (conversion + j)) = 0) by (apply (divided_small (W + 1 + 2) (W + 1)); [apply vectors | lia | lia | exact S2]).
      split; [unfold total in *; lia |]. auto.
  Qed.
  End Request.

  Theorem contract : multiplier net (net "a_i") (net "b_i") (net "n_i") (net "p_o") (K + 4) (K + 4 + (K + 2) / 2) (2 ^ (W + 2))
    (fun c => net "n_i" c mod 2 = 1) (fun n x => 0 <= x < 2 * n) (fun n p => 0 <= p < 2 * n).
  Proof.
    apply (serves _ _ _ _ _ _ _ _ _ _ _ (net "phase_q") 0 3 (fun t => net "sc_q" t = 0 /\ net "a_q" t = 0)); [exact H_ready | |].
    - intros c I V odd [_ a_range] [_ b_range]. destruct (converted c I V odd a_range b_range) as (j & J & B & P & X & C & A).
      destruct (result c I V odd a_range b_range) as [R M]. destruct (loop c I V odd a_range b_range) as [L _]. exists (K + 4 + j)%nat.
      replace (S c + (K + 2) + S j)%nat with (c + (K + 4 + j))%nat in * by lia. split; [lia |]. split; [exact P |]. split.
      + intros t T. destruct (Nat.le_gt_cases t (c + K + 2)) as [H | H].
        * destruct (L (t - S c)%nat ltac:(lia)) as (E & _). replace (S c + (t - S c))%nat with t in E by lia. lia.
        * pose proof (B (t - (S c + (K + 2)))%nat ltac:(lia)) as E. replace (S c + (K + 2) + (t - (S c + (K + 2))))%nat with t in E by lia. lia.
      + split; [auto |]. rewrite H_answer, X. split; [exact R |]. apply montgomery_mod.
        replace (2 ^ (W + 2)) with (pw 2 (K + 2)); [exact M |]. rewrite pw_Z. f_equal. unfold W. lia.
    - intros t D [C A] T. rewrite !H_answer. destruct (vectors t) as (V1 & _).
      destruct (settling t (W + 1) ltac:(rewrite D; lia) A ltac:(unfold total; lia) ltac:(lia) ltac:(rewrite C; apply Z.divide_0_r)) as (S1 & S2 & S3).
      assert (Z0 : net "sc_q" (S t) = 0) by (apply (divided_small (W + 1 + 2) (W + 1)); [apply vectors | lia | lia | exact S2]).
      split; [exact (H_hold t D T) |]. unfold total in S1. split; [auto | lia].
  Qed.
End Chain.
