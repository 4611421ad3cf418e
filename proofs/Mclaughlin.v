(* SPDX-License-Identifier: Apache-2.0 *)
(* mf_mclaughlin_core: m = x y n' modulo r = P - 1, then x y + m n modulo h = P + 1, a digit of D bits in each cycle, k digits; P = 2^(k D). It is about functions
   of the cycle, which are nets of the RTL: the signed ones hs, hd, shifted, there, total as integers. *)
From Coq Require Import ZArith Lia.
Require Import DigitRecurrence Instances Others Contract WordSerial.
Open Scope Z_scope.
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

Section Core.
  Variables (k D : Z) (core left done x y nq ni m_out r rd rsum product hq hs hd shifted there total : nat -> Z).
  Let q := Z.to_nat k. Let P := 2 ^ (k * D). Let B := 2 ^ D. Let T := 2 ^ ((k - 1) * D).
  Hypotheses (wide : 2 <= k /\ 1 <= D)
    (registers : forall t, 0 <= x t < P /\ 0 <= y t < P /\ 0 <= r t < 2 * P /\ 0 <= rsum t < 4 * P /\ 0 <= product t < P * B /\ 0 <= hq t < 4 * P)
    (H_count : forall t, (core t = 1 \/ core t = 3) \/ core t = 5 -> left t < k - 1 -> core (S t) = core t /\ left (S t) = left t + 1 /\ done (S t) = 0)
    (H_phase : forall t, ((core t = 1 \/ core t = 3) \/ core t = 5) /\ left t = k - 1 \/ core t = 2 \/ core t = 4 -> core (S t) = core t + 1 /\ left (S t) = 0 /\ done (S t) = 0)
    (H_ends : forall t, core t = 6 -> core (S t) = 0 /\ done (S t) = 1)
    (H_keep : forall t, 0 < core t -> nq (S t) = nq t /\ ni (S t) = ni t)
    (H_product : forall t, product t = (x t / T) mod B * y t)
    (H_added : forall t, rsum t = r t mod T * B + r t / T + product t mod P + product t / P /\ rd t = rsum t mod P + rsum t / P)
    (H_shifted : forall t, shifted t = hs t mod T * B - hs t / T)
    (H_there : forall t, there t = product t mod P - product t / P)
    (H_combined : forall t, shifted t < 2 * P -> 0 < shifted t + 2 * P -> there t < P -> 0 < there t + P ->
      total t = if core t =? 1 then shifted t - there t else shifted t + there t)
    (H_folded : forall t, hd t = total t mod P - total t / P)
    (H_passes : forall t, (core t = 1 \/ core t = 3) \/ core t = 5 -> x (S t) = (x t * B) mod P /\ y (S t) = y t /\
      r (S t) = (if core t =? 5 then r t else rd t) /\ hs (S t) = (if core t =? 3 then hs t else hd t))
    (H_reduced : forall t, r t < P + 3 -> m_out t = if r t mod P + r t / P =? P - 1 then 0 else r t mod P + r t / P)
    (H_settles : forall t, core t = 2 \/ core t = 4 -> x (S t) = m_out t /\ y (S t) = (if core t =? 2 then ni t else nq t) /\
      r (S t) = (if core t =? 2 then 0 else m_out t) /\ hs (S t) = hs t)
    (H_below : forall t, core t = 6 -> hs (S t) = if hs t <? 0 then hs t + P + 1 else if hs t <? P + 1 then hs t else hs t - P - 1)
    (H_signed : forall t, hs t = two (k * D + 2) (hq t)).

  Lemma sizes : Z.of_nat q = k /\ P = T * B /\ P = pw B q /\ 2 <= T /\ 2 <= B /\ 4 <= P.
  Proof.
    destruct wide as (k2 & D1). assert (E : Z.of_nat q = k) by (unfold q; lia). split; [exact E |].
    split; [unfold P, T, B; rewrite <- Z.pow_add_r by nia; f_equal; ring |]. split; [unfold P, B; rewrite pw_words, E by lia; reflexivity |].
    split; [unfold T; apply (Z.pow_le_mono_r 2 1); nia |]. split; [unfold B; apply (Z.pow_le_mono_r 2 1); lia | unfold P; apply (Z.pow_le_mono_r 2 2); nia].
  Qed.

  (* ---------------------------------------------------------------- a digit *)

  Lemma product_of : forall t, product t = x t / T * y t.
  Proof.
    intros t. destruct sizes as (_ & PT & _ & T2 & B2 & _). destruct (registers t) as (X & _). rewrite (H_product t). rewrite Z.mod_small; [reflexivity |].
    split; [apply Z.div_pos | apply Z.div_lt_upper_bound]; lia.
  Qed.

  Lemma added_digit : forall t, congruent (P - 1) (rd t) (B * r t + 1 * (x t / T * y t)) /\ 0 <= rd t < P + 3.
  Proof.
    intros t. destruct sizes as (_ & PT & _ & T2 & B2 & _). destruct (registers t) as (_ & _ & R1 & R2 & R3 & _). destruct (H_added t) as [E1 E2]. pose proof (product_of t) as E3.
    rewrite <- E3. set (z := product t) in *. pose proof (Z.div_mod (r t) T ltac:(lia)) as F1. pose proof (Z.div_mod z P ltac:(lia)) as F2.
    set (s := rsum t) in *. pose proof (Z.div_mod s P ltac:(lia)) as F3. pose proof (Z.mod_pos_bound s P ltac:(lia)). split.
    - exists (- (r t / T) - z / P - s / P). rewrite E2. replace (B * r t) with (B * (r t mod T) + P * (r t / T)) by (rewrite PT; rewrite F1 at 3; ring).
      replace (1 * z) with (P * (z / P) + z mod P) by lia. lia.
    - rewrite E2. assert (0 <= s / P < 4) by (split; [apply Z.div_pos | apply Z.div_lt_upper_bound]; lia). lia.
  Qed.

  (* The sign of the product's digits modulo 2^Length + 1. *)
  Let sign t := if core t =? 1 then -1 else 1.

  Lemma digit_there : forall t, -1 <= hs t <= P + 1 -> congruent (P + 1) (hd t) (B * hs t + sign t * (x t / T * y t)) /\ -1 <= hd t <= P + 1.
  Proof.
    intros t R. destruct sizes as (_ & PT & _ & T2 & B2 & _). destruct (registers t) as (_ & _ & _ & _ & R3 & _). pose proof (H_shifted t) as E1. pose proof (H_there t) as E2.
    pose proof (H_folded t) as E4. pose proof (product_of t) as E5. rewrite <- E5. set (z := product t) in *.
    pose proof (Z.div_mod (hs t) T ltac:(lia)) as F1. pose proof (Z.mod_pos_bound (hs t) T ltac:(lia)) as G1. pose proof (Z.div_mod z P ltac:(lia)) as F2. pose proof (Z.mod_pos_bound z P ltac:(lia)) as G2.
    assert (Q1 : -1 <= hs t / T <= B) by (split; [apply Z.div_le_lower_bound; lia | apply Z.lt_succ_r, Z.div_lt_upper_bound; nia]).
    assert (Q2 : 0 <= z / P < B) by (split; [apply Z.div_pos | apply Z.div_lt_upper_bound]; lia).
    assert (Q3 : 0 <= hs t mod T * B <= P - B) by (rewrite PT; split; [apply Z.mul_nonneg_nonneg; lia |]; replace (T * B - B) with ((T - 1) * B) by ring; apply Z.mul_le_mono_nonneg_r; lia).
    assert (Q4 : 2 * B <= P) by (rewrite PT; apply Z.mul_le_mono_nonneg_r; lia).
    pose proof (H_combined t) as E3. rewrite E1, E2 in E3. specialize (E3 ltac:(lia) ltac:(lia) ltac:(lia) ltac:(lia)).
    set (s := total t) in *. pose proof (Z.div_mod s P ltac:(lia)) as F3. pose proof (Z.mod_pos_bound s P ltac:(lia)) as G3.
    assert (X : s = hs t mod T * B - hs t / T + sign t * (z mod P - z / P)) by (unfold sign; destruct (core t =? 1); lia).
    assert (Q5 : -2 <= s / P <= 1).
    { assert (- (2 * P) <= s < 2 * P) by (rewrite X; unfold sign; destruct (core t =? 1); lia). split; [apply Z.div_le_lower_bound; lia | apply Z.lt_succ_r, Z.div_lt_upper_bound; lia]. }
    split; [| lia]. exists (- (s / P) - hs t / T - sign t * (z / P)). rewrite E4.
    replace (B * hs t) with (B * (hs t mod T) + P * (hs t / T)) by (rewrite PT; rewrite F1 at 3; ring). replace (sign t * z) with (sign t * (P * (z / P) + z mod P)) by (f_equal; lia).
    assert (s mod P = s - P * (s / P)) by lia. replace (s mod P) with (s - P * (s / P)) by lia. rewrite X at 1. ring.
  Qed.

  (* ---------------------------------------------------------------- a pass *)

  Section Pass.
  Variables (s : nat) (p : Z).
  Hypotheses (is_pass : (p = 1 \/ p = 3) \/ p = 5) (C0 : core s = p) (L0 : left s = 0) (D0 : done s = 0).

  Lemma control : forall j, (j <= q)%nat -> core (s + j)%nat = (if (j <? q)%nat then p else p + 1) /\
    ((j < q)%nat -> left (s + j)%nat = Z.of_nat j) /\ done (s + j)%nat = 0 /\ nq (s + j)%nat = nq s /\ ni (s + j)%nat = ni s.
  Proof.
    destruct sizes as (Eq & _). induction j; intros L.
    - rewrite Nat.add_0_r. destruct (Nat.ltb_spec 0 q); [auto 10 | lia].
    - destruct (IHj ltac:(lia)) as (C1 & L1 & D1 & N1 & I1). destruct (Nat.ltb_spec j q) as [Lj | Lj]; [| lia]. specialize (L1 Lj).
      destruct (H_keep (s + j)%nat ltac:(lia)) as [N2 I2]. rewrite Nat.add_succ_r, N2, I2, N1, I1. destruct (Nat.ltb_spec (S j) q) as [Lk | Lk].
      + destruct (H_count (s + j)%nat) as (C2 & L2 & D2); [rewrite C1; exact is_pass | lia |]. rewrite C2, L2, D2. repeat split; try assumption; lia.
      + destruct (H_phase (s + j)%nat) as (C2 & L2 & D2); [left; split; [rewrite C1; exact is_pass | lia] |]. rewrite C2, D2, C1. repeat split; lia.
  Qed.

  Lemma inside : forall j, (j < q)%nat -> core (s + j)%nat = p /\ x (S (s + j)) = (x (s + j)%nat * B) mod P /\ y (S (s + j)) = y (s + j)%nat /\
    r (S (s + j)) = (if p =? 5 then r (s + j)%nat else rd (s + j)%nat) /\ hs (S (s + j)) = (if p =? 3 then hs (s + j)%nat else hd (s + j)%nat).
  Proof.
    intros j L. destruct (control j ltac:(lia)) as (C1 & _). destruct (Nat.ltb_spec j q); [| lia]. destruct (H_passes (s + j)%nat) as (X1 & Y1 & R1 & H1); [rewrite C1; exact is_pass |].
    rewrite C1 in R1, H1. repeat split; assumption.
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
    intros np R0. destruct digits_leave as (Xq & _ & step). destruct sizes as (Eq & _ & PB & _). destruct wide as (k2 & _).
    pose proof (horner B P (P - 1) 1 1 (y s) q (fun j => r (s + j)%nat) (fun j => x (s + j)%nat) (fun j => x (s + j)%nat / T) eq_refl ltac:(exists 1; ring)) as G. split.
    - apply (both _ _ (P * (x s * y s))); [| exists (x s * y s); ring]. cbv beta in G. rewrite Xq, Nat.add_0_r, R0, <- PB in G.
      replace (r (s + q)%nat + 1 * 1 * (0 * y s)) with (r (s + q)%nat) in G by ring. replace (P * (0 + 1 * 1 * (x s * y s))) with (P * (x s * y s)) in G by ring.
      apply G. intros j L. destruct (step j L) as [S1 S2]. split; [| exact S1]. destruct (inside j L) as (_ & _ & _ & R1 & _). destruct (Z.eqb_spec p 5); [contradiction |].
      rewrite Nat.add_succ_r, R1, <- S2. apply added_digit.
    - destruct (inside (q - 1)%nat ltac:(lia)) as (_ & _ & _ & R1 & _). destruct (Z.eqb_spec p 5); [contradiction |]. replace (S (s + (q - 1)))%nat with (s + q)%nat in R1 by lia.
      rewrite R1. apply added_digit.
  Qed.

  (* Modulo 2^Length + 1. *)
  Lemma product_above : p <> 3 -> -1 <= hs s <= P + 1 -> congruent (P + 1) (hs (s + q)%nat) (- hs s + sign s * (x s * y s)) /\ -1 <= hs (s + q)%nat <= P + 1.
  Proof.
    intros np R0. destruct digits_leave as (Xq & _ & step). destruct sizes as (Eq & _ & PB & _).
    assert (same : forall j, (j < q)%nat -> sign (s + j)%nat = sign s) by (intros j L; unfold sign; destruct (inside j L) as (-> & _); rewrite C0; reflexivity).
    assert (bound : forall j, (j <= q)%nat -> -1 <= hs (s + j)%nat <= P + 1).
    { induction j; intros L; [rewrite Nat.add_0_r; exact R0 |]. destruct (inside j ltac:(lia)) as (_ & _ & _ & _ & H1). destruct (Z.eqb_spec p 3); [contradiction |].
      rewrite Nat.add_succ_r, H1. apply digit_there, IHj. lia. }
    split; [| apply bound; lia].
    pose proof (horner B P (P + 1) (-1) (sign s) (y s) q (fun j => hs (s + j)%nat) (fun j => x (s + j)%nat) (fun j => x (s + j)%nat / T) eq_refl ltac:(exists 1; ring)) as G.
    apply (both _ _ (P * (hs s + sign s * -1 * (x s * y s)))); [| exists (hs s + sign s * -1 * (x s * y s)); ring].
    cbv beta in G. rewrite Xq, Nat.add_0_r, <- PB in G. replace (hs (s + q)%nat + sign s * -1 * (0 * y s)) with (hs (s + q)%nat) in G by ring.
    apply G. intros j L. destruct (step j L) as [S1 S2]. split; [| exact S1]. destruct (inside j L) as (_ & _ & _ & _ & H1). destruct (Z.eqb_spec p 3); [contradiction |].
    rewrite Nat.add_succ_r, H1, <- S2, <- (same j L). apply digit_there, bound. lia.
  Qed.

  Lemma held : p = 3 -> hs (s + q)%nat = hs s.
  Proof.
    intros Ep. assert (M : forall j, (j <= q)%nat -> hs (s + j)%nat = hs s).
    { induction j; intros L; [rewrite Nat.add_0_r; reflexivity |]. destruct (inside j ltac:(lia)) as (_ & _ & _ & _ & H1). rewrite Ep in H1. cbn [Z.eqb Pos.eqb] in H1.
      rewrite Nat.add_succ_r, H1. apply IHj. lia. }
    apply M. lia.
  Qed.
  Lemma kept_here : p = 5 -> r (s + q)%nat = r s.
  Proof.
    intros Ep. assert (M : forall j, (j <= q)%nat -> r (s + j)%nat = r s).
    { induction j; intros L; [rewrite Nat.add_0_r; reflexivity |]. destruct (inside j ltac:(lia)) as (_ & _ & _ & R1 & _). rewrite Ep in R1. cbn [Z.eqb Pos.eqb] in R1.
      rewrite Nat.add_succ_r, R1. apply IHj. lia. }
    apply M. lia.
  Qed.
  End Pass.

  Lemma below_r : forall t z, 0 <= r t < P + 3 -> congruent (P - 1) (r t) z -> m_out t = z mod (P - 1).
  Proof.
    intros t z R C. destruct sizes as (_ & PT & _ & T2 & B2 & _). pose proof (H_reduced t ltac:(lia)) as E.
    pose proof (Z.div_mod (r t) P ltac:(lia)) as F. pose proof (Z.mod_pos_bound (r t) P ltac:(lia)). assert (Q : r t / P = 0 \/ r t / P = 1).
    { assert (0 <= r t / P < 2) by (split; [apply Z.div_pos | apply Z.div_lt_upper_bound]; lia). lia. }
    set (u := r t mod P + r t / P) in *. apply residue.
    - destruct (Z.eqb_spec u (P - 1)); destruct Q as [Q | Q]; rewrite Q in *; lia.
    - eapply both; [| exact C]. destruct (Z.eqb_spec u (P - 1)); [exists (- (r t / P) - 1) | exists (- (r t / P))]; lia.
  Qed.

  Section Operation.
  (* The operands are in the registers in cycle s1. *)
  Variables (s1 : nat).
  Let a := x s1. Let b := y s1. Let n := nq s1. Let n' := ni s1.
  Hypotheses (C1 : core s1 = 1) (L1 : left s1 = 0) (D1 : done s1 = 0) (R1 : r s1 = 0) (G1 : hq s1 = 0).
  Let e1 := (s1 + q)%nat. Let s2 := S e1. Let e2 := (s2 + q)%nat. Let s3 := S e2. Let e3 := (s3 + q)%nat. Let f := S e3.

  Let m := (a * b * n') mod (P - 1).

  Lemma steps : (forall t, (s1 <= t < f)%nat -> done t = 0) /\ core f = 0 /\ done f = 1 /\ core e3 = 6 /\ r e3 = m /\ hq f = (a * b + m * n) mod (P + 1).
  Proof.
    destruct sizes as (_ & PT & _ & T2 & B2 & P4). assert (E2' : 2 ^ (k * D + 2) = 4 * P) by (unfold P; rewrite Z.pow_add_r by nia; ring).
    assert (H1 : hs s1 = 0) by (rewrite H_signed; unfold two; rewrite G1; assert (0 < 2 ^ (k * D + 2 - 1)) by (apply Z.pow_pos_nonneg; nia); destruct (Z.ltb_spec 0 (2 ^ (k * D + 2 - 1))); lia).
    (* x y *)
    pose proof (control s1 1 ltac:(auto) C1 L1 D1) as ctl1. destruct (ctl1 q (le_n q)) as (C2 & _ & D2 & N2 & I2). rewrite Nat.ltb_irrefl in C2. change (1 + 1) with 2 in C2. fold e1 in C2, D2, N2, I2.
    destruct (product_here s1 1 ltac:(auto) C1 L1 D1 ltac:(lia) R1) as [A1 A2]. destruct (product_above s1 1 ltac:(auto) C1 L1 D1 ltac:(lia) ltac:(lia)) as [A3 A4].
    fold e1 in A1, A2, A3, A4. fold a b in A1, A3. fold n n' in N2, I2.
    pose proof (below_r e1 (a * b) A2 A1) as M1. destruct (H_settles e1 ltac:(left; exact C2)) as (X3 & Y3 & R3 & G3). rewrite C2 in Y3, R3. cbn [Z.eqb Pos.eqb] in Y3, R3.
    destruct (H_phase e1 ltac:(right; left; exact C2)) as (C3 & L3 & D3). destruct (H_keep e1 ltac:(lia)) as [N3 I3].
    fold s2 in X3, Y3, R3, G3, C3, L3, D3, N3, I3. rewrite C2 in C3. change (2 + 1) with 3 in C3.
    (* m *)
    pose proof (control s2 3 ltac:(auto) C3 L3 D3) as ctl2. destruct (ctl2 q (le_n q)) as (C4 & _ & D4 & N4 & I4). rewrite Nat.ltb_irrefl in C4. change (3 + 1) with 4 in C4. fold e2 in C4, D4, N4, I4.
    destruct (product_here s2 3 ltac:(auto) C3 L3 D3 ltac:(lia) R3) as [A5 A6]. pose proof (held s2 3 ltac:(auto) C3 L3 D3 eq_refl) as A7. fold e2 in A5, A6, A7.
    rewrite X3, Y3, M1, I2 in A5. pose proof (below_r e2 _ A6 A5) as M2. rewrite Z.mul_mod_idemp_l in M2 by lia. fold m in M2.
    destruct (H_settles e2 ltac:(right; exact C4)) as (X5 & Y5 & R5 & G5). rewrite C4 in Y5, R5. cbn [Z.eqb Pos.eqb] in Y5, R5.
    destruct (H_phase e2 ltac:(right; right; exact C4)) as (C5 & L5 & D5). destruct (H_keep e2 ltac:(lia)) as [N5 I5].
    fold s3 in X5, Y5, R5, G5, C5, L5, D5, N5, I5. rewrite C4 in C5. change (4 + 1) with 5 in C5.
    (* x y + m n *)
    pose proof (control s3 5 ltac:(auto) C5 L5 D5) as ctl3. destruct (ctl3 q (le_n q)) as (C6 & _ & D6 & N6 & I6). rewrite Nat.ltb_irrefl in C6. fold e3 in C6, D6, N6, I6.
    assert (H3 : hs s3 = hs e1) by (rewrite G5, <- G3; exact A7). pose proof (kept_here s3 5 ltac:(auto) C5 L5 D5 eq_refl) as K6. fold e3 in K6. rewrite R5, M2 in K6.
    destruct (product_above s3 5 ltac:(auto) C5 L5 D5 ltac:(lia) ltac:(lia)) as [A8 A9]. fold e3 in A8, A9. rewrite H3, X5, Y5, M2, N4, N3, N2 in A8.
    unfold sign in A3, A8. rewrite C1 in A3. rewrite C5 in A8. cbn [Z.eqb Pos.eqb] in A3, A8. change (5 + 1) with 6 in C6.
    destruct (H_ends e3 C6) as [C7 D7]. pose proof (H_below e3 C6) as G7. fold f in C7, D7, G7.
    split; [| repeat split; try assumption].
    - intros t Ht. destruct (Nat.le_gt_cases t e1) as [L | L].
      + destruct (ctl1 (t - s1)%nat ltac:(unfold e1 in *; lia)) as (_ & _ & E & _). replace (s1 + (t - s1))%nat with t in E by lia. exact E.
      + destruct (Nat.le_gt_cases t e2) as [L' | L'].
        * destruct (ctl2 (t - s2)%nat ltac:(unfold e2, s2 in *; lia)) as (_ & _ & E & _). replace (s2 + (t - s2))%nat with t in E by (unfold s2 in *; lia). exact E.
        * destruct (ctl3 (t - s3)%nat ltac:(unfold f, e3, s3 in *; lia)) as (_ & _ & E & _). replace (s3 + (t - s3))%nat with t in E by (unfold s3 in *; lia). exact E.
    - assert (C : congruent (P + 1) (hs e3) (a * b + m * n)).
      { destruct A3 as [i A3], A8 as [j A8]. exists (j - i). rewrite A8, A3, H1. ring. }
      destruct (registers f) as (_ & _ & _ & _ & _ & Rf). rewrite H_signed in G7.
      set (g := if hs e3 <? 0 then hs e3 + P + 1 else if hs e3 <? P + 1 then hs e3 else hs e3 - P - 1) in *.
      assert (Rg : 0 <= g < P + 1) by (unfold g; destruct (Z.ltb_spec (hs e3) 0); [lia |]; destruct (Z.ltb_spec (hs e3) (P + 1)); lia).
      assert (Cg : congruent (P + 1) g (hs e3)) by (unfold g; destruct (hs e3 <? 0); [exists 1; ring |]; destruct (hs e3 <? P + 1); [exists 0; ring | exists (-1); ring]).
      rewrite (two_small (k * D + 2) (hq f) g ltac:(lia) G7 ltac:(lia)). apply residue; [exact Rg | eapply both; [exact Cg | exact C]].
  Qed.

  (* m is there, and the last settling, in the cycle before f. *)
  Theorem passed : let f := (s1 + (3 * q + 3))%nat in let m := (x s1 * y s1 * ni s1) mod (P - 1) in
    (forall t, (s1 <= t < f)%nat -> done t = 0) /\ core f = 0 /\ done f = 1 /\ core (s1 + (3 * q + 2))%nat = 6 /\ r (s1 + (3 * q + 2))%nat = m /\
    hq f = (x s1 * y s1 + m * nq s1) mod (P + 1).
  Proof.
    cbv zeta. replace (s1 + (3 * q + 3))%nat with f by (unfold f, e3, s3, e2, s2, e1; lia). replace (s1 + (3 * q + 2))%nat with e3 by (unfold e3, s3, e2, s2, e1; lia). apply steps.
  Qed.
  End Operation.
End Core.
