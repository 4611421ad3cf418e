(* SPDX-License-Identifier: Apache-2.0 *)
(* mf_mlm from the nets of the RTL to the contract, for every width and size of a digit. The hypotheses are the lemmas that montforge prints into
   mlm_lemmas.v, and proves on the RTL. *)
From Coq Require Import ZArith Lia String.
Require Import Instances Others Contract Control Mclaughlin mlm_lemmas.
Open Scope string_scope. Open Scope Z_scope.
Set Default Proof Using "All".

(* The integers of Algorithm 2: the only t below 2 n with w congruent to it modulo P + 1 and of the parity of a b + m n. *)
Lemma selected : forall P n n' a b m w, P = 2 * (P / 2) -> 3 <= P -> 2 <= n <= P - 1 -> (n * n' + 1) mod (P - 1) = 0 -> 0 <= a < n -> 0 <= b < n ->
  m = (a * b * n') mod (P - 1) -> 0 <= w <= P -> (2 * w + (a * b + m * n) mod (P + 1)) mod (P + 1) = 0 ->
  let t := if (w + (a * b + m * n)) mod 2 =? 0 then w else w + (P + 1) in 0 <= t < 2 * n /\ t * (P - 1) = a * b + m * n.
Proof.
  intros P n n' a b m w even P3 N I A B Hm Wr Hw. cbv zeta. set (z := a * b + m * n) in *.
  assert (E : exists t, z = t * (P - 1)).
  { pose proof (Z.div_mod (a * b * n') (P - 1) ltac:(lia)) as U. pose proof (Z.div_mod (n * n' + 1) (P - 1) ltac:(lia)) as V. rewrite I in V. rewrite <- Hm in U.
    set (u := a * b * n' / (P - 1)) in *. set (v := (n * n' + 1) / (P - 1)) in *. exists (a * b * v - n * u). unfold z. replace m with (a * b * n' - (P - 1) * u) by lia.
    replace (a * b + (a * b * n' - (P - 1) * u) * n) with (a * b * (n * n' + 1) - (P - 1) * u * n) by ring. rewrite V. ring. }
  destruct E as [t E]. assert (M : 0 <= m < P - 1) by (rewrite Hm; apply Z.mod_pos_bound; lia).
  assert (T : 0 <= t < 2 * n).
  { assert (0 <= a * b < n * n) by (split; [apply Z.mul_nonneg_nonneg; lia | apply Z.mul_lt_mono_nonneg; lia]).
    assert (0 <= m * n <= (P - 1) * n) by (split; [apply Z.mul_nonneg_nonneg; lia | apply Z.mul_le_mono_nonneg_r; lia]).
    assert (n * n <= n * (P - 1)) by (apply Z.mul_le_mono_nonneg_l; lia). unfold z in E.
    split; [apply (Z.mul_le_mono_pos_r 0 t (P - 1)); lia | apply (Z.mul_lt_mono_pos_r (P - 1)); lia]. }
  (* 2 (w - t) is a multiple of the odd P + 1 *)
  assert (C : w = t \/ w + (P + 1) = t).
  { pose proof (Z.div_mod z (P + 1) ltac:(lia)) as F. pose proof (Z.div_mod (2 * w + z mod (P + 1)) (P + 1) ltac:(lia)) as G. rewrite Hw in G.
    set (e := z / (P + 1)) in *. set (g := (2 * w + z mod (P + 1)) / (P + 1)) in *. assert (X : 2 * (w - t) = (P + 1) * (g + e - t)) by lia.
    assert (Y : (P + 1) * (g + e - t) = 2 * ((P / 2) * (g + e - t)) + (g + e - t)) by (rewrite even at 1; ring).
    set (i := w - t - (P / 2) * (g + e - t)) in *. assert (Z : g + e - t = 2 * i) by (unfold i; lia). rewrite Z in X. assert (V : w - t = (P + 1) * i) by lia.
    assert (i = 0 \/ i = -1) as [-> | ->]; [| left; lia | right; lia]. assert (-2 < i < 1) by (split; apply (Z.mul_lt_mono_pos_l (P + 1)); lia). lia. }
  assert (D : z = 2 * (t * (P / 2) - t) + t) by (rewrite E; rewrite even at 1; ring).
  destruct C as [C | C].
  - replace (w + z) with ((t * (P / 2)) * 2) by lia. rewrite Z_mod_mult. cbn [Z.eqb]. subst w. auto.
  - replace (w + z) with (1 + (t - P / 2 - 1 + (t * (P / 2) - t)) * 2) by lia. rewrite Z_mod_plus_full. change (1 mod 2 =? 0) with false. cbv iota. rewrite C. auto.
Qed.

Lemma parities : forall v a b m n, (v + a mod 2 * (b mod 2) + m mod 2 * (n mod 2)) mod 2 = (v + (a * b + m * n)) mod 2.
Proof.
  intros. pose proof (Z.div_mod a 2 ltac:(lia)) as A. pose proof (Z.div_mod b 2 ltac:(lia)) as B. pose proof (Z.div_mod m 2 ltac:(lia)) as M. pose proof (Z.div_mod n 2 ltac:(lia)) as N.
  set (a1 := a / 2) in *. set (a0 := a mod 2) in *. set (b1 := b / 2) in *. set (b0 := b mod 2) in *. set (m1 := m / 2) in *. set (m0 := m mod 2) in *. set (n1 := n / 2) in *.
  set (n0 := n mod 2) in *. clearbody a1 a0 b1 b0 m1 m0 n1 n0. subst a b m n.
  rewrite <- (Z_mod_plus_full (v + a0 * b0 + m0 * n0) (2 * a1 * b1 + a1 * b0 + a0 * b1 + (2 * m1 * n1 + m1 * n0 + m0 * n1)) 2). f_equal. ring.
Qed.

Section Chain.
  Variables (K : nat) (k D : Z) (net : trace).
  Let W := Z.of_nat K.
  Hypotheses (wide : (1 <= K)%nat /\ 2 <= k /\ 1 <= D /\ W <= k * D) (H_ranges : ranges W k D net) (H_ready : ready W k D net)
    (H_reset : quiet_at_reset W k D net) (H_quiet : quiet_on W k D net) (H_accept : accept W k D net) (H_runs : runs W k D net)
    (H_count : count W k D net) (H_phase : next_phase W k D net) (H_ends : ends W k D net) (H_keep : keep W k D net)
    (H_product : multiplied W k D net) (H_added : added W k D net) (H_shifted : shifted W k D net) (H_there : product_there W k D net)
    (H_combined : combined W k D net) (H_folded : folded W k D net) (H_passes : passes W k D net) (H_reduced : reduced W k D net)
    (H_settles : settles W k D net) (H_below : below_h W k D net) (H_own : own_kept W k D net) (H_m : m_kept W k D net)
    (H_g : g_kept W k D net) (H_negated : negated W k D net) (H_add_f : add_f W k D net) (H_halved : halved W k D net) (H_add_w : add_w W k D net)
    (H_compared : compared W k D net) (H_subtracted : subtracted W k D net) (H_hold : hold W k D net) (H_answer : answer W k D net).

  Let q := Z.to_nat k. Let P := 2 ^ (k * D).
  Notation phase := (net "phase_q"). Notation core := (net "u_core.phase_q"). Notation left := (net "u_core.count_q"). Notation done := (net "u_core.done_q").
  Notation x := (net "u_core.multiplier_q"). Notation y := (net "u_core.multiplicand_q"). Notation r := (net "u_core.r_q"). Notation h := (net "u_core.h_q").
  Notation nq := (net "u_core.n_q"). Notation ni := (net "u_core.n_prime_q").
  Notation t_q := (net "t_q"). Notation n_q := (net "n_q"). Notation odd := (net "parity_q").

  Lemma sizes : Z.of_nat q = k /\ 2 <= 2 ^ W /\ 4 <= P /\ 2 ^ (k * D + 1) = 2 * P /\ 2 ^ (k * D + 2) = 4 * P /\ 2 ^ (k * D + D) = P * 2 ^ D /\
    P = 2 * (P / 2) /\ 2 ^ W <= P.
  Proof.
    destruct wide as (K1 & k2 & D1 & fits). split; [unfold q; lia |]. split; [apply (Z.pow_le_mono_r 2 1); unfold W; lia |].
    split; [unfold P; apply (Z.pow_le_mono_r 2 2); nia |]. unfold P. split; [rewrite Z.pow_add_r by nia; ring |]. split; [rewrite Z.pow_add_r by nia; ring |].
    split; [rewrite Z.pow_add_r by nia; ring |]. split; [replace (k * D) with (1 + (k * D - 1)) by ring; rewrite Z.pow_add_r by nia; change (2 ^ 1) with 2; rewrite (Z.mul_comm 2 (2 ^ (k * D - 1))), Z.div_mul by lia; ring |apply Z.pow_le_mono_r; lia].
  Qed.

  Lemma sizes_core : 2 <= k /\ 1 <= D.
  Proof. destruct wide as (_ & A & B & _). auto. Qed.

  Lemma rests : forall t, quiet W k D net t.
  Proof. induction t; [apply H_reset; reflexivity | apply H_quiet, IHt]. Qed.

  Lemma registers : forall t, 0 <= x t < P /\ 0 <= y t < P /\ 0 <= r t < 2 * P /\ 0 <= net "u_core.r_sum" t < 4 * P /\ 0 <= net "u_core.product" t < P * 2 ^ D /\
    0 <= h t < 4 * P.
  Proof.
    intros t. destruct sizes as (_ & _ & _ & E1 & E2 & E3 & _).
    assert (0 <= x t < P /\ 0 <= y t < P /\ 0 <= r t < 2 ^ (k * D + 1) /\ 0 <= net "u_core.r_sum" t < 2 ^ (k * D + 2) /\ 0 <= net "u_core.product" t < 2 ^ (k * D + D) /\
      0 <= h t < 2 ^ (k * D + 2)) by in_range H_ranges t. lia.
  Qed.

  Lemma signed_passes : forall t, (core t = 1 \/ core t = 3) \/ core t = 5 -> x (S t) = (x t * 2 ^ D) mod P /\ y (S t) = y t /\
    r (S t) = (if core t =? 5 then r t else net "u_core.r_d" t) /\
    two (k * D + 2) (h (S t)) = if core t =? 3 then two (k * D + 2) (h t) else two (k * D + 2) (net "u_core.h_d" t).
  Proof. intros t I. destruct (H_passes t I) as (X & Y & R & V). repeat split; try assumption. rewrite V. destruct (core t =? 3); reflexivity. Qed.

  Lemma signed_settles : forall t, core t = 2 \/ core t = 4 -> x (S t) = net "u_core.m" t /\ y (S t) = (if core t =? 2 then ni t else nq t) /\
    r (S t) = (if core t =? 2 then 0 else net "u_core.m" t) /\ two (k * D + 2) (h (S t)) = two (k * D + 2) (h t).
  Proof. intros t I. destruct (H_settles t I) as (X & Y & R & V). repeat split; try assumption. rewrite V. reflexivity. Qed.

  Definition core_passed s1 C1 L1 D1 R1 G1 := passed k D core left done x y nq ni (net "u_core.m") r (net "u_core.r_d") (net "u_core.r_sum") (net "u_core.product")
    h (fun t => two (k * D + 2) (h t)) (fun t => two (k * D + 2) (net "u_core.h_d" t)) (fun t => two (k * D + 3) (net "u_core.h_shifted" t))
    (fun t => two (k * D + 3) (net "u_core.h_product" t)) (fun t => two (k * D + 3) (net "u_core.h_sum" t)) sizes_core registers H_count H_phase H_ends H_keep
    H_product H_added H_shifted H_there H_combined H_folded signed_passes H_reduced signed_settles H_below (fun t => eq_refl) s1 C1 L1 D1 R1 G1.

  Section Request.
  (* A request is accepted in cycle c. *)
  Variables (c : nat).
  Let a := net "a_i" c. Let b := net "b_i" c. Let n := net "n_i" c. Let n' := net "n_prime_i" c.
  Hypotheses (idle : phase c = 0) (request : net "req_valid_i" c = 1) (positive : 2 <= n) (inverse : (n * n' + 1) mod (P - 1) = 0) (a_range : a < n) (b_range : b < n).

  Lemma small : n <= P - 2 /\ n < 2 ^ W /\ 0 <= a /\ 0 <= b.
  Proof.
    assert (0 <= a /\ 0 <= b /\ 0 <= n < 2 ^ W) by in_range H_ranges c. destruct sizes as (_ & _ & P4 & _ & _ & _ & _ & L). repeat split; try lia.
    destruct (Z.eq_dec n (P - 1)) as [E | E]; [| lia]. exfalso. rewrite E in inverse. replace ((P - 1) * n' + 1) with (1 + n' * (P - 1)) in inverse by ring.
    rewrite Z_mod_plus_full, Z.mod_small in inverse; lia.
  Qed.

  Let m := (a * b * n') mod (P - 1). Let z := a * b + m * n. Let f := (S c + (3 * q + 3))%nat.

  (* The registers that stay. *)
  Definition kept t := n_q t = n /\ odd t = (a mod 2) * (b mod 2) /\ r t = m.

  Lemma product_there_is : (forall t, (c < t <= f)%nat -> phase t = 1) /\ phase (S f) = 2 /\ h (S f) = z mod (P + 1) /\ kept (S f).
  Proof.
    destruct (H_accept c idle request (rests c)) as (P1 & C1 & L1 & D1 & X1 & Y1 & N1 & I1 & R1 & G1 & N2 & O2).
    destruct (core_passed (S c) C1 L1 D1 R1 G1) as (N & C2 & D2 & C3 & M & V). fold q P in N, D2, C2, C3, M, V. fold f in N, D2, C2, V.
    rewrite X1, Y1, N1, I1 in V. rewrite X1, Y1, I1 in M. fold a b n n' in M, V. fold m in M, V. fold z in V.
    assert (R : forall j, (S c + j <= f)%nat -> phase (S c + j)%nat = 1 /\ n_q (S c + j)%nat = n /\ odd (S c + j)%nat = (a mod 2) * (b mod 2)).
    { induction j; intros L; [rewrite Nat.add_0_r; auto |]. rewrite Nat.add_succ_r. destruct (IHj ltac:(lia)) as (A1 & A2 & A3). destruct (H_own (S c + j)%nat ltac:(lia)) as [B1 B2].
      rewrite B1, B2. split; [| auto]. rewrite (H_runs _ A1), N by lia. reflexivity. }
    assert (F : phase f = 1) by (apply R; unfold f; lia). split; [intros t L; replace t with (S c + (t - S c))%nat by lia; apply R; lia |].
    split; [rewrite (H_runs f F), D2; reflexivity |]. split; [rewrite (H_g f F D2 (rests f)); exact V |].
    destruct (R (3 * q + 3)%nat ltac:(unfold f; lia)) as (_ & A2 & A3). fold f in A2, A3. destruct (H_own f ltac:(lia)) as [B1 B2]. unfold kept. rewrite B1, B2. repeat split; try assumption.
    rewrite (H_m f (rests f)) by (right; exact D2). replace f with (S (S c + (3 * q + 2))) by (unfold f; lia). rewrite (H_m _ (rests _)) by (left; right; exact C3). exact M.
  Qed.

  Lemma on : forall t, 1 < phase t -> kept t -> kept (S t).
  Proof. intros t L (A1 & A2 & A3). destruct (H_own t ltac:(lia)) as [B1 B2]. unfold kept. rewrite B1, B2, (H_m t (rests t)) by (left; left; lia). auto. Qed.

  Definition result t := phase t = 8 /\ 0 <= t_q t < n /\ (t_q t * (P - 1)) mod n = (a * b) mod n.

  (* The phases from Compare on. *)
  Lemma last : forall s, phase s = 6 -> kept s -> 0 <= t_q s < 2 * n -> t_q s * (P - 1) = z -> exists d, (1 <= d <= 2)%nat /\ result (s + d) /\
    forall i, (i < d)%nat -> phase (s + i)%nat <> 8.
  Proof.
    intros s Ps Ks T E. destruct small as (n2 & _ & _ & _). destruct (H_compared s Ps ltac:(fold P; lia)) as [T1 P1]. destruct Ks as (N & Ko & Km). rewrite N in P1. destruct (Z.ltb_spec (t_q s) n) as [L | L].
    - exists 1%nat. replace (s + 1)%nat with (S s) by lia. split; [lia |]. split; [| intros i Hi; replace (s + i)%nat with s by lia; lia].
      split; [exact P1 |]. rewrite T1. split; [lia |]. rewrite E. unfold z. apply Z_mod_plus_full.
    - destruct (on s ltac:(lia) (conj N (conj Ko Km))) as (N1 & _). destruct (H_subtracted (S s) P1 ltac:(lia)) as [T2 P2]. exists 2%nat. replace (s + 2)%nat with (S (S s)) by lia. split; [lia |].
      split; [| intros i Hi; assert (i = 0 \/ i = 1)%nat as [-> | ->] by lia; [rewrite Nat.add_0_r; lia | replace (s + 1)%nat with (S s) by lia; lia]].
      split; [exact P2 |]. rewrite T2, T1, N1. split; [lia |]. replace ((t_q s - n) * (P - 1)) with (z + (- (P - 1)) * n) by lia. rewrite Z_mod_plus_full. unfold z. apply Z_mod_plus_full.
  Qed.

  (* From Halve on. *)
  Lemma halves : forall s v, phase s = 4 -> kept s -> t_q s = 2 * v -> 0 <= v <= P -> (2 * v + z mod (P + 1)) mod (P + 1) = 0 -> exists d, (2 <= d <= 4)%nat /\ result (s + d) /\
    forall i, (i < d)%nat -> phase (s + i)%nat <> 8.
  Proof.
    intros s v Ps Ks T V C. destruct sizes as (_ & _ & P4 & _ & _ & _ & even & _). destruct small as (n2 & _ & An & Bn).
    pose proof (selected P n n' a b m v even ltac:(lia) ltac:(lia) inverse ltac:(lia) ltac:(lia) eq_refl V C) as S0. cbv zeta in S0. fold z in S0.
    destruct (H_halved s Ps) as [T1 P1]. destruct Ks as (N & Ko & Km). rewrite T, Z.mul_comm, Z.div_mul in T1, P1 by lia. rewrite N, Ko, Km in P1. pose proof (on s ltac:(lia) (conj N (conj Ko Km))) as K1.
    rewrite parities in P1. fold z in P1.
    destruct (Z.eqb_spec ((v + z) mod 2) 0) as [E | E].
    - destruct S0 as [S1 S2]. destruct (last (S s) P1 K1 ltac:(lia) ltac:(rewrite T1; exact S2)) as (d & Dd & R & Q). exists (S d). rewrite Nat.add_succ_r. split; [lia |]. split; [exact R |].
      intros [| i] Hi; [rewrite Nat.add_0_r; lia |]. rewrite Nat.add_succ_r. apply Q. lia.
    - destruct (H_add_w (S s) P1 ltac:(fold P; lia)) as [T2 P2]. fold P in T2. rewrite T1 in T2. destruct S0 as [S1 S2].
      destruct (last (S (S s)) P2 (on (S s) ltac:(lia) K1) ltac:(lia) ltac:(rewrite T2; exact S2)) as (d & Dd & R & Q). exists (S (S d)). rewrite !Nat.add_succ_r. split; [lia |]. split; [exact R |].
      intros [| [| i]] Hi; [rewrite Nat.add_0_r; lia | replace (s + 1)%nat with (S s) by lia; lia |]. rewrite !Nat.add_succ_r. apply Q. lia.
  Qed.

  Lemma response : exists d, (3 * q + 8 <= d <= 3 * q + 11)%nat /\ result (c + d) /\ forall t, (c < t < c + d)%nat -> phase t <> 8.
  Proof.
    destruct product_there_is as (run & P1 & G & K1). destruct sizes as (_ & _ & P4 & _ & _ & _ & even & _).
    pose proof (Z.mod_pos_bound z (P + 1) ltac:(lia)) as B. destruct (H_negated (S f) P1 ltac:(fold P; lia)) as [T2 P2]. fold P in T2, P2. rewrite G in T2, P2. set (g := z mod (P + 1)) in *.
    set (v := if g =? 0 then 0 else P + 1 - g) in *. assert (Rv : 0 <= v <= P /\ exists i, v + g = i * (P + 1)) by (unfold v; destruct (Z.eqb_spec g 0); split; [lia | exists 0; lia | lia | exists 1; lia]).
    destruct Rv as [Rv [i I]]. pose proof (on (S f) ltac:(lia) K1) as K2. pose proof (Z.div_mod v 2 ltac:(lia)) as F. pose proof (Z.mod_pos_bound v 2 ltac:(lia)) as U.
    assert (early : forall t d, (S c + (3 * q + 3) < t)%nat -> (exists e, (2 <= e <= d)%nat /\ result (t + e) /\ forall j, (j < e)%nat -> phase (t + j)%nat <> 8) -> (forall u, (f < u < t)%nat -> phase u <> 8) ->
      exists e, (t + 2 <= c + e <= t + d)%nat /\ result (c + e) /\ forall u, (c < u < c + e)%nat -> phase u <> 8).
    { intros t d L (e & De & R & Q) X. exists (t + e - c)%nat. replace (c + (t + e - c))%nat with (t + e)%nat by lia. split; [lia |]. split; [exact R |].
      intros u Hu. destruct (Nat.le_gt_cases u f) as [Lf | Lf]; [rewrite run by lia; lia |]. destruct (Nat.lt_ge_cases u t) as [Lt | Lt]; [apply X; lia |]. replace u with (t + (u - t))%nat by lia. apply Q. lia. }
    destruct (Z.eqb_spec (v mod 2) 1) as [O | O].
    - destruct (H_add_f (S (S f)) P2 ltac:(fold P; lia)) as [T3 P3]. fold P in T3. rewrite T2 in T3.
      assert (O2 : v + (P + 1) = 2 * (v / 2 + P / 2 + 1)) by lia.
      destruct (early (S (S (S f))) 4%nat ltac:(unfold f; lia) (halves _ (v / 2 + P / 2 + 1) P3 (on (S (S f)) ltac:(lia) K2) ltac:(lia) ltac:(lia)
        ltac:(fold g; replace (2 * (v / 2 + P / 2 + 1) + g) with ((i + 1) * (P + 1)) by lia; apply Z_mod_mult))) as (e & De & R).
      + intros u Hu. assert (u = S f \/ u = S (S f)) as [-> | ->] by lia; lia.
      + exists e. split; [unfold f in De; lia | exact R].
    - destruct (early (S (S f)) 4%nat ltac:(unfold f; lia) (halves _ (v / 2) P2 K2 ltac:(lia) ltac:(lia) ltac:(fold g; replace (2 * (v / 2) + g) with (i * (P + 1)) by lia; apply Z_mod_mult))) as (e & De & R).
      + intros u Hu. assert (u = S f) as -> by lia. lia.
      + exists e. split; [unfold f in De; lia | exact R].
  Qed.
  End Request.

  Theorem contract : multiplier net (net "a_i") (net "b_i") (net "n_i") (net "p_o") (Z.to_nat (3 * k + 8)) (Z.to_nat (3 * k + 11)) (P - 1)
    (fun c => 2 <= net "n_i" c /\ (net "n_i" c * net "n_prime_i" c + 1) mod (P - 1) = 0) (fun n x => 0 <= x < n) (fun n p => 0 <= p < n).
  Proof.
    destruct sizes as (Eq & _ & _ & _ & _ & _ & _ & L). apply (serves _ _ _ _ _ _ _ _ _ _ _ phase 0 8 (fun _ => True)); [exact H_ready | |].
    - intros c I X [positive inverse] [_ a_range] [_ b_range]. destruct (response c I X positive inverse a_range b_range) as (d & Dd & (D1 & R & M) & B1).
      destruct (small c I X positive inverse a_range b_range) as (_ & Nn & _). exists d. split; [lia |]. rewrite H_answer, Z.mod_small by lia. auto 6.
    - intros t E _ N. destruct (H_hold t E N) as [E' V]. rewrite !H_answer, V. auto.
  Qed.
End Chain.
