(* SPDX-License-Identifier: Apache-2.0 *)
(* mf_mlws from the nets of the RTL to the contract, for every width and size of a digit. The hypotheses are the lemmas that montforge prints into
   mlws_lemmas.v, and proves on the RTL. *)
From Coq Require Import ZArith Lia String.
Require Import DigitRecurrence Instances Others Contract Control WordSerial mlws_lemmas.
Open Scope string_scope. Open Scope Z_scope.
Set Default Proof Using "All".

(* ---------------------------------------------------------------- integers *)

(* Horner's rule modulo M, where P, the radix B to the number of digits, is e = 1 or -1: the highest digit first, products of digits added or subtracted. *)
Lemma horner : forall B P M e s y k (acc v d : nat -> Z), e * e = 1 -> congruent M P e ->
  (forall i, (i < k)%nat -> congruent M (acc (S i)) (B * acc i + s * (d i * y)) /\ v (S i) = B * v i - d i * P) ->
  congruent M (acc k + s * e * (v k * y)) (pw B k * (acc O + s * e * (v O * y))).
Proof.
  intros B P M e s y k acc v d ee [u U]. induction k; intros H; [exists 0; cbn [pw]; ring |].
  destruct (IHk ltac:(intros; apply H; lia)) as [j J]. destruct (H k ltac:(lia)) as [[i I] V]. exists (i - s * e * d k * u * y + B * j).
  cbn [pw]. set (X := acc O + s * e * (v O * y)) in *. replace (B * pw B k * X) with (B * (acc k + s * e * (v k * y)) - B * j * M) by (rewrite J; ring).
  rewrite I, V, U. replace (s * e * ((B * v k - d k * (e + u * M)) * y)) with (s * e * (B * v k * y) - e * e * (s * d k * y) - s * e * d k * u * y * M) by ring.
  rewrite ee. ring.
Qed.

Lemma residue : forall M x y, 0 <= x < M -> congruent M x y -> x = y mod M.
Proof. intros M x y R [j E]. rewrite <- (Z.mod_small x M R), E. apply Z_mod_plus_full. Qed.

Lemma both : forall M x y z, congruent M x y -> congruent M y z -> congruent M x z.
Proof. intros M x y z [i ->] [j ->]. exists (i + j). ring. Qed.

Lemma two_small : forall w x y, 0 <= x < 2 ^ w -> two w x = y -> 0 <= y -> x = y.
Proof. intros w x y R. unfold two. destruct (Z.ltb_spec x (2 ^ (w - 1))); lia. Qed.

Section Chain.
  Variables (K : nat) (k D : Z) (net : trace).
  Let W := Z.of_nat K.
  Hypotheses (wide : (1 <= K)%nat /\ 2 <= k /\ 1 <= D /\ W + 2 <= k * D) (H_ranges : ranges W k D net) (H_ready : ready W k D net)
    (H_reset : quiet_at_reset W k D net) (H_quiet : quiet_on W k D net) (H_accept : accept W k D net) (H_runs : runs W k D net)
    (H_count : count W k D net) (H_phase : next_phase W k D net) (H_ends : ends W k D net) (H_keep : keep W k D net)
    (H_product : multiplied W k D net) (H_added : added W k D net) (H_shifted : shifted W k D net) (H_there : product_there W k D net)
    (H_combined : combined W k D net) (H_folded : folded W k D net) (H_passes : passes W k D net) (H_reduced : reduced W k D net)
    (H_settles : settles W k D net) (H_below : below_h W k D net) (H_halved : halved W k D net) (H_hold : hold W k D net)
    (H_answer : answer W k D net).

  Let q := Z.to_nat k. Let P := 2 ^ (k * D). Let B := 2 ^ D. Let T := 2 ^ ((k - 1) * D).
  Notation phase := (net "phase_q"). Notation core := (net "u_core.phase_q"). Notation left := (net "u_core.count_q"). Notation done := (net "u_core.done_q").
  Notation x := (net "u_core.multiplier_q"). Notation y := (net "u_core.multiplicand_q"). Notation r := (net "u_core.r_q"). Notation rd := (net "u_core.r_d").
  Notation product := (net "u_core.product"). Notation nq := (net "u_core.n_q"). Notation ni := (net "u_core.n_prime_q").
  Let H t := two (k * D + 2) (net "u_core.h_q" t).
  Let Hd t := two (k * D + 2) (net "u_core.h_d" t).

  Lemma sizes : Z.of_nat q = k /\ P = T * B /\ P = pw B q /\ 2 <= T /\ 2 <= B /\ 4 * 2 ^ W <= P /\ 2 ^ (W + 1) = 2 * 2 ^ W /\ 2 <= 2 ^ W /\
    2 ^ (k * D + 1) = 2 * P /\ 2 ^ (k * D + 2) = 4 * P /\ 2 ^ (k * D + D) = P * B.
  Proof.
    destruct wide as (K1 & k2 & D1 & fits). assert (E : Z.of_nat q = k) by (unfold q; lia). split; [exact E |].
    split; [unfold P, T, B; rewrite <- Z.pow_add_r by nia; f_equal; ring |]. split; [unfold P, B; rewrite pw_words, E by lia; reflexivity |].
    split; [unfold T; apply (Z.pow_le_mono_r 2 1); nia |]. split; [unfold B; apply (Z.pow_le_mono_r 2 1); lia |].
    pose proof (Z.pow_le_mono_r 2 (W + 2) (k * D) ltac:(lia) fits) as L. pose proof (Z.pow_le_mono_r 2 1 W ltac:(lia) ltac:(unfold W; lia)) as L1.
    unfold P, B. rewrite !Z.pow_add_r in * by (unfold W; lia). lia.
  Qed.

  Lemma registers : forall t, 0 <= x t < P /\ 0 <= y t < P /\ 0 <= r t < 2 * P /\ 0 <= net "u_core.r_sum" t < 4 * P /\ 0 <= product t < P * B /\ 0 <= nq t < P /\
    0 <= net "u_core.h_q" t < 4 * P /\ 0 <= done t <= 1.
  Proof.
    intros t. destruct sizes as (_ & _ & _ & _ & _ & _ & _ & _ & E1 & E2 & E3). assert (0 <= done t < 2 ^ 1) by in_range H_ranges t.
    assert (0 <= x t < P /\ 0 <= y t < P /\ 0 <= r t < 2 ^ (k * D + 1) /\ 0 <= net "u_core.r_sum" t < 2 ^ (k * D + 2) /\ 0 <= product t < 2 ^ (k * D + D) /\
      0 <= nq t < P /\ 0 <= net "u_core.h_q" t < 2 ^ (k * D + 2)) by in_range H_ranges t. lia.
  Qed.

  Lemma rests : forall t, quiet W k D net t.
  Proof. induction t; [apply H_reset; reflexivity | apply H_quiet, IHt]. Qed.

  (* ---------------------------------------------------------------- a digit *)

  Lemma product_of : forall t, product t = x t / T * y t.
  Proof.
    intros t. destruct sizes as (_ & PT & _ & T2 & B2 & _). destruct (registers t) as (X & _). rewrite (H_product t). fold T B. rewrite Z.mod_small; [reflexivity |].
    split; [apply Z.div_pos | apply Z.div_lt_upper_bound]; lia.
  Qed.

  Lemma added_digit : forall t, congruent (P - 1) (rd t) (B * r t + 1 * (x t / T * y t)) /\ 0 <= rd t < P + 3.
  Proof.
    intros t. destruct sizes as (_ & PT & _ & T2 & B2 & _). destruct (registers t) as (_ & _ & R1 & R2 & R3 & _). destruct (H_added t) as [E1 E2]. pose proof (product_of t) as E3.
    fold P B T in E1, E2, E3. rewrite <- E3. set (z := product t) in *. pose proof (Z.div_mod (r t) T ltac:(lia)) as F1. pose proof (Z.div_mod z P ltac:(lia)) as F2.
    set (s := net "u_core.r_sum" t) in *. pose proof (Z.div_mod s P ltac:(lia)) as F3. pose proof (Z.mod_pos_bound s P ltac:(lia)). split.
    - exists (- (r t / T) - z / P - s / P). rewrite E2. replace (B * r t) with (B * (r t mod T) + P * (r t / T)) by (rewrite PT; rewrite F1 at 3; ring).
      replace (1 * z) with (P * (z / P) + z mod P) by lia. lia.
    - rewrite E2. assert (0 <= s / P < 4) by (split; [apply Z.div_pos | apply Z.div_lt_upper_bound]; lia). lia.
  Qed.

  (* The sign of the product's digits modulo 2^Length + 1. *)
  Let sign t := if core t =? 1 then -1 else 1.

  Lemma digit_there : forall t, -1 <= H t <= P + 1 -> congruent (P + 1) (Hd t) (B * H t + sign t * (x t / T * y t)) /\ -1 <= Hd t <= P + 1.
  Proof.
    intros t R. destruct sizes as (_ & PT & _ & T2 & B2 & _). destruct (registers t) as (_ & _ & _ & _ & R3 & _). pose proof (H_shifted t) as E1. pose proof (H_there t) as E2.
    pose proof (H_folded t) as E4. pose proof (product_of t) as E5. fold P B T in E1, E2, E4, E5. fold (H t) in E1. fold (Hd t) in E4. rewrite <- E5. set (z := product t) in *.
    pose proof (Z.div_mod (H t) T ltac:(lia)) as F1. pose proof (Z.mod_pos_bound (H t) T ltac:(lia)) as G1. pose proof (Z.div_mod z P ltac:(lia)) as F2. pose proof (Z.mod_pos_bound z P ltac:(lia)) as G2.
    assert (Q1 : -1 <= H t / T <= B) by (split; [apply Z.div_le_lower_bound; lia | apply Z.lt_succ_r, Z.div_lt_upper_bound; nia]).
    assert (Q2 : 0 <= z / P < B) by (split; [apply Z.div_pos | apply Z.div_lt_upper_bound]; lia).
    assert (Q3 : 0 <= H t mod T * B <= P - B) by (rewrite PT; split; [apply Z.mul_nonneg_nonneg; lia |]; replace (T * B - B) with ((T - 1) * B) by ring; apply Z.mul_le_mono_nonneg_r; lia).
    assert (Q4 : 2 * B <= P) by (rewrite PT; apply Z.mul_le_mono_nonneg_r; lia).
    pose proof (H_combined t) as E3. fold P in E3. rewrite E1, E2 in E3. specialize (E3 ltac:(lia) ltac:(lia) ltac:(lia) ltac:(lia)).
    set (s := two (k * D + 3) (net "u_core.h_sum" t)) in *. pose proof (Z.div_mod s P ltac:(lia)) as F3. pose proof (Z.mod_pos_bound s P ltac:(lia)) as G3.
    assert (X : s = H t mod T * B - H t / T + sign t * (z mod P - z / P)) by (unfold sign; destruct (core t =? 1); lia).
    assert (Q5 : -2 <= s / P <= 1).
    { assert (- (2 * P) <= s < 2 * P) by (rewrite X; unfold sign; destruct (core t =? 1); lia). split; [apply Z.div_le_lower_bound; lia | apply Z.lt_succ_r, Z.div_lt_upper_bound; lia]. }
    split; [| lia]. exists (- (s / P) - H t / T - sign t * (z / P)). rewrite E4.
    replace (B * H t) with (B * (H t mod T) + P * (H t / T)) by (rewrite PT; rewrite F1 at 3; ring). replace (sign t * z) with (sign t * (P * (z / P) + z mod P)) by (f_equal; lia).
    assert (s mod P = s - P * (s / P)) by lia. replace (s mod P) with (s - P * (s / P)) by lia. rewrite X at 1. ring.
  Qed.

  (* ---------------------------------------------------------------- a pass *)

  Section Pass.
  Variables (s : nat) (p : Z).
  Hypotheses (is_pass : (p = 1 \/ p = 3) \/ p = 5) (P0 : phase s = 1) (C0 : core s = p) (L0 : left s = 0) (D0 : done s = 0).

  Lemma control : forall j, (j <= q)%nat -> phase (s + j)%nat = 1 /\ core (s + j)%nat = (if (j <? q)%nat then p else p + 1) /\
    ((j < q)%nat -> left (s + j)%nat = Z.of_nat j) /\ done (s + j)%nat = 0 /\ nq (s + j)%nat = nq s /\ ni (s + j)%nat = ni s.
  Proof.
    destruct sizes as (Eq & _). induction j; intros L.
    - rewrite Nat.add_0_r. destruct (Nat.ltb_spec 0 q); [auto 10 | lia].
    - destruct (IHj ltac:(lia)) as (P1 & C1 & L1 & D1 & N1 & I1). destruct (Nat.ltb_spec j q) as [Lj | Lj]; [| lia]. specialize (L1 Lj). pose proof (H_runs _ P1 D1) as P2.
      destruct (H_keep (s + j)%nat ltac:(lia)) as [N2 I2]. rewrite Nat.add_succ_r, P2, N2, I2, N1, I1. destruct (Nat.ltb_spec (S j) q) as [Lk | Lk].
      + destruct (H_count (s + j)%nat) as (C2 & L2 & D2); [rewrite C1; exact is_pass | lia |]. rewrite C2, L2, D2. repeat split; try assumption; lia.
      + destruct (H_phase (s + j)%nat) as (C2 & L2 & D2); [left; split; [rewrite C1; exact is_pass | lia] |]. rewrite C2, D2, C1. repeat split; lia.
  Qed.

  Lemma inside : forall j, (j < q)%nat -> core (s + j)%nat = p /\ x (S (s + j)) = (x (s + j)%nat * B) mod P /\ y (S (s + j)) = y (s + j)%nat /\
    r (S (s + j)) = (if p =? 5 then r (s + j)%nat else rd (s + j)%nat) /\ H (S (s + j)) = (if p =? 3 then H (s + j)%nat else Hd (s + j)%nat).
  Proof.
    intros j L. destruct (control j ltac:(lia)) as (_ & C1 & _). destruct (Nat.ltb_spec j q); [| lia]. destruct (H_passes (s + j)%nat) as (X1 & Y1 & R1 & H1); [rewrite C1; exact is_pass |].
    rewrite C1 in R1, H1. fold P B in X1. unfold H, Hd. rewrite H1. repeat split; try assumption. destruct (p =? 3); reflexivity.
  Qed.

  Lemma digits_leave : x (s + q)%nat = 0 /\ y (s + q)%nat = y s /\ forall j, (j < q)%nat -> x (s + S j)%nat = B * x (s + j)%nat - x (s + j)%nat / T * P /\ y (s + j)%nat = y s.
  Proof.
    destruct sizes as (_ & PT & PB & T2 & B2 & _). destruct (registers s) as (Rx & _).
    assert (M : forall j, (j <= q)%nat -> x (s + j)%nat = (x s * pw B j) mod P /\ y (s + j)%nat = y s).
    { induction j; intros L; [rewrite Nat.add_0_r; cbn [pw]; rewrite Z.mul_1_r, Z.mod_small by exact Rx; auto |]. destruct (IHj ltac:(lia)) as [X1 Y1].
      destruct (inside j ltac:(lia)) as (_ & X2 & Y2 & _). rewrite Nat.add_succ_r, X2, Y2, X1, Z.mul_mod_idemp_l by lia. split; [f_equal; cbn [pw]; ring | exact Y1]. }
    split; [| split; [apply (M q); lia |]].
    - destruct (M q (le_n q)) as [-> _]. rewrite <- PB. apply Z_mod_mult.
    - intros j L. split; [| apply M; lia]. destruct (inside j L) as (_ & X2 & _). rewrite Nat.add_succ_r, X2. set (v := x (s + j)%nat).
      assert (E : v * B / P = v / T) by (rewrite PT; apply Z.div_mul_cancel_r; lia). rewrite <- E. pose proof (Z.div_mod (v * B) P ltac:(lia)). lia.
  Qed.

  (* Modulo 2^Length - 1. *)
  Lemma product_here : p <> 5 -> r s = 0 -> congruent (P - 1) (r (s + q)%nat) (x s * y s) /\ 0 <= r (s + q)%nat < P + 3.
  Proof.
    intros np R0. destruct digits_leave as (Xq & _ & step). destruct sizes as (Eq & _ & PB & _). destruct wide as (_ & k2 & _).
    pose proof (horner B P (P - 1) 1 1 (y s) q (fun j => r (s + j)%nat) (fun j => x (s + j)%nat) (fun j => x (s + j)%nat / T) eq_refl ltac:(exists 1; ring)) as G. split.
    - apply (both _ _ (P * (x s * y s))); [| exists (x s * y s); ring]. cbv beta in G. rewrite Xq, Nat.add_0_r, R0, <- PB in G.
      replace (r (s + q)%nat + 1 * 1 * (0 * y s)) with (r (s + q)%nat) in G by ring. replace (P * (0 + 1 * 1 * (x s * y s))) with (P * (x s * y s)) in G by ring.
      apply G. intros j L. destruct (step j L) as [S1 S2]. split; [| exact S1]. destruct (inside j L) as (_ & _ & _ & R1 & _). destruct (Z.eqb_spec p 5); [contradiction |].
      rewrite Nat.add_succ_r, R1, <- S2. apply added_digit.
    - destruct (inside (q - 1)%nat ltac:(lia)) as (_ & _ & _ & R1 & _). destruct (Z.eqb_spec p 5); [contradiction |]. replace (S (s + (q - 1)))%nat with (s + q)%nat in R1 by lia.
      rewrite R1. apply added_digit.
  Qed.

  (* Modulo 2^Length + 1. *)
  Lemma product_above : p <> 3 -> -1 <= H s <= P + 1 -> congruent (P + 1) (H (s + q)%nat) (- H s + sign s * (x s * y s)) /\ -1 <= H (s + q)%nat <= P + 1.
  Proof.
    intros np R0. destruct digits_leave as (Xq & _ & step). destruct sizes as (Eq & _ & PB & _).
    assert (same : forall j, (j < q)%nat -> sign (s + j)%nat = sign s) by (intros j L; unfold sign; destruct (inside j L) as (-> & _); rewrite C0; reflexivity).
    assert (bound : forall j, (j <= q)%nat -> -1 <= H (s + j)%nat <= P + 1).
    { induction j; intros L; [rewrite Nat.add_0_r; exact R0 |]. destruct (inside j ltac:(lia)) as (_ & _ & _ & _ & H1). destruct (Z.eqb_spec p 3); [contradiction |].
      rewrite Nat.add_succ_r, H1. apply digit_there, IHj. lia. }
    split; [| apply bound; lia].
    pose proof (horner B P (P + 1) (-1) (sign s) (y s) q (fun j => H (s + j)%nat) (fun j => x (s + j)%nat) (fun j => x (s + j)%nat / T) eq_refl ltac:(exists 1; ring)) as G.
    apply (both _ _ (P * (H s + sign s * -1 * (x s * y s)))); [| exists (H s + sign s * -1 * (x s * y s)); ring].
    cbv beta in G. rewrite Xq, Nat.add_0_r, <- PB in G. replace (H (s + q)%nat + sign s * -1 * (0 * y s)) with (H (s + q)%nat) in G by ring.
    apply G. intros j L. destruct (step j L) as [S1 S2]. split; [| exact S1]. destruct (inside j L) as (_ & _ & _ & _ & H1). destruct (Z.eqb_spec p 3); [contradiction |].
    rewrite Nat.add_succ_r, H1, <- S2, <- (same j L). apply digit_there, bound. lia.
  Qed.

  Lemma held : p = 3 -> H (s + q)%nat = H s.
  Proof.
    intros Ep. assert (M : forall j, (j <= q)%nat -> H (s + j)%nat = H s).
    { induction j; intros L; [rewrite Nat.add_0_r; reflexivity |]. destruct (inside j ltac:(lia)) as (_ & _ & _ & _ & H1). rewrite Ep in H1. cbn [Z.eqb Pos.eqb] in H1.
      rewrite Nat.add_succ_r, H1. apply IHj. lia. }
    apply M. lia.
  Qed.
  End Pass.

  Lemma below_r : forall t z, 0 <= r t < P + 3 -> congruent (P - 1) (r t) z -> net "u_core.m" t = z mod (P - 1).
  Proof.
    intros t z R C. destruct sizes as (_ & PT & _ & T2 & B2 & W4 & _ & W1 & _). pose proof (H_reduced t ltac:(fold P; lia)) as E. fold P in E.
    pose proof (Z.div_mod (r t) P ltac:(lia)) as F. pose proof (Z.mod_pos_bound (r t) P ltac:(lia)). assert (Q : r t / P = 0 \/ r t / P = 1).
    { assert (0 <= r t / P < 2) by (split; [apply Z.div_pos | apply Z.div_lt_upper_bound]; lia). lia. }
    set (u := r t mod P + r t / P) in *. apply residue.
    - destruct (Z.eqb_spec u (P - 1)); destruct Q as [Q | Q]; rewrite Q in *; lia.
    - eapply both; [| exact C]. destruct (Z.eqb_spec u (P - 1)); [exists (- (r t / P) - 1) | exists (- (r t / P))]; lia.
  Qed.

  Section Request.
  (* A request is accepted in cycle c. *)
  Variables (c : nat).
  Let a := net "a_i" c. Let b := net "b_i" c. Let n := net "n_i" c. Let n' := net "n_prime_i" c.
  Hypotheses (idle : phase c = 0) (request : net "req_valid_i" c = 1) (positive : 2 <= n) (inverse : (n * n' + 1) mod (P - 1) = 0) (a_range : a < 2 * n) (b_range : b < 2 * n).

  Let s1 := S c. Let e1 := (s1 + q)%nat. Let s2 := S e1. Let e2 := (s2 + q)%nat. Let s3 := S e2. Let e3 := (s3 + q)%nat. Let f := S e3.

  Lemma small : n < 2 ^ W /\ 0 <= a /\ 0 <= b.
  Proof. assert (0 <= a /\ 0 <= b /\ 0 <= n < 2 ^ W) by in_range H_ranges c. lia. Qed.

  Let m := (a * b * n') mod (P - 1).

  Lemma passed : (forall t, (c < t <= f)%nat -> phase t = 1) /\ done f = 1 /\ net "u_core.h_q" f = (a * b + m * n) mod (P + 1).
  Proof.
    destruct sizes as (_ & PT & _ & T2 & B2 & W4 & _ & W1 & E1' & E2' & _). destruct small as (Nn & An & Bn).
    destruct (H_accept c idle request (rests c)) as (P1 & C1 & L1 & D1 & X1 & Y1 & N1 & I1 & R1 & G1). fold s1 in P1, C1, L1, D1, X1, Y1, N1, I1, R1, G1.
    assert (H1 : H s1 = 0) by (unfold H, two; rewrite G1; assert (0 < 2 ^ (k * D + 2 - 1)) by (apply Z.pow_pos_nonneg; lia); destruct (Z.ltb_spec 0 (2 ^ (k * D + 2 - 1))); lia).
    (* x y *)
    pose proof (control s1 1 ltac:(auto) P1 C1 L1 D1) as ctl1. destruct (ctl1 q (le_n q)) as (P2 & C2 & _ & D2 & N2 & I2). rewrite Nat.ltb_irrefl in C2. change (1 + 1) with 2 in C2. fold e1 in P2, C2, D2, N2, I2.
    destruct (product_here s1 1 ltac:(auto) P1 C1 L1 D1 ltac:(lia) R1) as [A1 A2]. destruct (product_above s1 1 ltac:(auto) P1 C1 L1 D1 ltac:(lia) ltac:(lia)) as [A3 A4].
    fold e1 in A1, A2, A3, A4. rewrite X1, Y1 in A1, A3. fold a b in A1, A3.
    pose proof (below_r e1 (a * b) A2 A1) as M1. destruct (H_settles e1 ltac:(left; exact C2)) as (X3 & Y3 & R3 & G3). rewrite C2 in Y3, R3. cbn [Z.eqb Pos.eqb] in Y3, R3.
    destruct (H_phase e1 ltac:(right; left; exact C2)) as (C3 & L3 & D3). pose proof (H_runs e1 P2 D2) as P3. destruct (H_keep e1 ltac:(lia)) as [N3 I3].
    fold s2 in X3, Y3, R3, G3, C3, L3, D3, P3, N3, I3. rewrite C2 in C3. change (2 + 1) with 3 in C3.
    (* m *)
    pose proof (control s2 3 ltac:(auto) P3 C3 L3 D3) as ctl2. destruct (ctl2 q (le_n q)) as (P4 & C4 & _ & D4 & N4 & I4). rewrite Nat.ltb_irrefl in C4. change (3 + 1) with 4 in C4. fold e2 in P4, C4, D4, N4, I4.
    destruct (product_here s2 3 ltac:(auto) P3 C3 L3 D3 ltac:(lia) R3) as [A5 A6]. pose proof (held s2 3 ltac:(auto) P3 C3 L3 D3 eq_refl) as A7. fold e2 in A5, A6, A7.
    rewrite X3, Y3, M1, I2, I1 in A5. fold n' in A5. pose proof (below_r e2 _ A6 A5) as M2. rewrite Z.mul_mod_idemp_l in M2 by lia. fold m in M2.
    destruct (H_settles e2 ltac:(right; exact C4)) as (X5 & Y5 & R5 & G5). rewrite C4 in Y5. cbn [Z.eqb Pos.eqb] in Y5.
    destruct (H_phase e2 ltac:(right; right; exact C4)) as (C5 & L5 & D5). pose proof (H_runs e2 P4 D4) as P5. destruct (H_keep e2 ltac:(lia)) as [N5 I5].
    fold s3 in X5, Y5, R5, G5, C5, L5, D5, P5, N5, I5. rewrite C4 in C5. change (4 + 1) with 5 in C5.
    (* x y + m n *)
    pose proof (control s3 5 ltac:(auto) P5 C5 L5 D5) as ctl3. destruct (ctl3 q (le_n q)) as (P6 & C6 & _ & D6 & N6 & I6). rewrite Nat.ltb_irrefl in C6. fold e3 in P6, C6, D6, N6, I6.
    assert (H3 : H s3 = H e1) by (unfold H in *; rewrite G5, <- G3; exact A7).
    destruct (product_above s3 5 ltac:(auto) P5 C5 L5 D5 ltac:(lia) ltac:(lia)) as [A8 A9]. fold e3 in A8, A9. rewrite H3, X5, Y5, M2, N4, N3, N2, N1 in A8. fold n in A8.
    unfold sign in A3, A8. rewrite C1 in A3. rewrite C5 in A8. cbn [Z.eqb Pos.eqb] in A3, A8. change (5 + 1) with 6 in C6.
    destruct (H_ends e3 C6) as [C7 D7]. pose proof (H_runs e3 P6 D6) as P7. pose proof (H_below e3 C6) as G7. fold P in G7. fold f in C7, D7, P7, G7. fold (H e3) in G7.
    split; [| split; [exact D7 |]].
    - intros t Ht. destruct (Nat.le_gt_cases t e1) as [L | L].
      + destruct (ctl1 (t - s1)%nat ltac:(unfold e1, s1 in *; lia)) as (E & _). replace (s1 + (t - s1))%nat with t in E by (unfold s1 in *; lia). exact E.
      + destruct (Nat.le_gt_cases t e2) as [L' | L'].
        * destruct (ctl2 (t - s2)%nat ltac:(unfold e2, s2 in *; lia)) as (E & _). replace (s2 + (t - s2))%nat with t in E by (unfold s2 in *; lia). exact E.
        * destruct (Nat.eq_dec t f) as [-> | Nf]; [exact P7 |]. destruct (ctl3 (t - s3)%nat ltac:(unfold f, e3, s3 in *; lia)) as (E & _).
          replace (s3 + (t - s3))%nat with t in E by (unfold s3 in *; lia). exact E.
    - assert (C : congruent (P + 1) (H e3) (a * b + m * n)).
      { destruct A3 as [i A3], A8 as [j A8]. exists (j - i). rewrite A8, A3, H1. ring. }
      destruct (registers f) as (_ & _ & _ & _ & _ & _ & Rf & _).
      set (g := if H e3 <? 0 then H e3 + P + 1 else if H e3 <? P + 1 then H e3 else H e3 - P - 1) in *.
      assert (Rg : 0 <= g < P + 1) by (unfold g; destruct (Z.ltb_spec (H e3) 0); [lia |]; destruct (Z.ltb_spec (H e3) (P + 1)); lia).
      assert (Cg : congruent (P + 1) g (H e3)) by (unfold g; destruct (H e3 <? 0); [exists 1; ring |]; destruct (H e3 <? P + 1); [exists 0; ring | exists (-1); ring]).
      rewrite (two_small (k * D + 2) (net "u_core.h_q" f) g ltac:(lia) G7 ltac:(lia)). apply residue; [exact Rg | eapply both; [exact Cg | exact C]].
  Qed.

  Lemma response : let d := (3 * q + 5)%nat in phase (c + d)%nat = 2 /\ (forall t, (c < t < c + d)%nat -> phase t <> 2) /\
    0 <= net "p_o" (c + d)%nat < 2 * n /\ (net "p_o" (c + d)%nat * (P - 1)) mod n = (a * b) mod n.
  Proof.
    intros d. destruct passed as (run & D1 & G). destruct sizes as (_ & PT & _ & T2 & B2 & W4 & W5 & W1 & _). destruct small as (Nn & An & Bn).
    replace (c + d)%nat with (S f) by (unfold d, f, e3, s3, e2, s2, e1, s1; lia). destruct (H_halved f (run f ltac:(unfold f, e3, s3, e2, s2, e1, s1; lia)) D1) as [P2 V2]. fold P in V2.
    split; [exact P2 |]. split; [intros t Ht; rewrite run by lia; lia |]. rewrite H_answer, V2, G.
    destruct (mclaughlin P n n' a b m ((a * b + m * n) mod (P + 1)) ((1 - (a * b + m * n) mod (P + 1)) mod P / 2)) as [R M]; try reflexivity; try lia.
    - exists (T * (B / 2)). rewrite PT. unfold B. destruct wide as (_ & _ & HD & _). replace D with (1 + (D - 1)) by lia. rewrite Z.pow_add_r by lia. change (2 ^ 1) with 2.
      rewrite (Z.mul_comm 2 (2 ^ (D - 1))), Z.div_mul by lia. ring.
    - symmetry. apply (Z.mod_unique _ _ ((n * n' + 1) / (P - 1) - 1)); [lia |]. pose proof (Z.div_mod (n * n' + 1) (P - 1) ltac:(lia)) as E. rewrite inverse in E. lia.
    - rewrite Z.mod_small by lia. split; [exact R |]. apply montgomery_mod. exact M.
  Qed.
  End Request.

  Theorem contract : multiplier net (net "a_i") (net "b_i") (net "n_i") (net "p_o") (Z.to_nat (3 * k + 5)) (Z.to_nat (3 * k + 5)) (P - 1)
    (fun c => 2 <= net "n_i" c /\ (net "n_i" c * net "n_prime_i" c + 1) mod (P - 1) = 0) (fun n x => 0 <= x < 2 * n) (fun n p => 0 <= p < 2 * n).
  Proof.
    destruct sizes as (Eq & _). replace (Z.to_nat (3 * k + 5)) with (3 * q + 5)%nat by lia.
    apply (serves _ _ _ _ _ _ _ _ _ _ _ phase 0 2 (fun _ => True)); [exact H_ready | |].
    - intros c I X [positive inverse] [_ a_range] [_ b_range]. exists (3 * q + 5)%nat. destruct (response c I X positive inverse a_range b_range) as (D1 & B1 & R & M).
      split; [lia |]. auto.
    - intros t E _ N. destruct (H_hold t E N (rests t)) as [E' V]. rewrite !H_answer, V. auto.
  Qed.
End Chain.
