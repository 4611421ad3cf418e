(* SPDX-License-Identifier: Apache-2.0 *)
(* Digit recurrences of radix 2 that take several digits in a cycle, of which all but the first are 0 and add nothing: an induction over
   the digits that are left, not over cycles. The number of cycles hangs on the operands.

       2^w(t) Y(t+1) = Y(t) + d(t) B + q(t) N,    a(t) = d(t) + 2^w(t) a(t+1),    left(t+1) = left(t) - w(t),    1 <= w(t) <= s

   Y is the state, a what is left of the operand, w the digits of cycle t, s the most of them. A core with n + 1 or 3 n + 1 in place of n
   has N = n or 3 n: its state drops the quotient digit q as its lowest bit. *)
From Coq Require Import ZArith Lia Znumtheory Zpow_facts.
Require Import DigitRecurrence Instances.
Open Scope Z_scope.
Set Default Proof Using "All".

Section Skipping.
  Variables (B N : Z) (s : nat) (Y a d q : nat -> Z) (w left : nat -> nat).
  (* Each cycle in which digits are left, if all before it were such cycles. *)
  Hypotheses (some : (1 <= s)%nat)
    (step : forall t, (forall i, (i <= t)%nat -> (0 < left i)%nat) ->
      (1 <= w t <= s)%nat /\ (w t <= left t)%nat /\ left (S t) = (left t - w t)%nat /\ 0 <= q t <= 1 /\
      pw 2 (w t) * Y (S t) = Y t + d t * B + q t * N /\ a t = d t + pw 2 (w t) * a (S t)).

  (* The digits run out, after at least left / s cycles and at most left. *)
  Theorem runs_out : exists T, left T = O /\ (forall t, (t < T)%nat -> (0 < left t)%nat) /\ (left O <= s * T)%nat /\ (T <= left O)%nat.
  Proof.
    assert (G : forall m t, (left t <= m)%nat -> (forall i, (i < t)%nat -> (0 < left i)%nat) -> (left O <= s * t + left t)%nat -> (t + left t <= left O)%nat ->
      exists T, left T = O /\ (forall t, (t < T)%nat -> (0 < left t)%nat) /\ (left O <= s * T)%nat /\ (T <= left O)%nat).
    { induction m; intros t M before H1 H2; [exists t; repeat split; auto; lia |].
      destruct (Nat.eq_dec (left t) 0) as [E | E]; [exists t; repeat split; auto; lia |].
      assert (now : forall i, (i <= t)%nat -> (0 < left i)%nat) by (intros i I; destruct (Nat.eq_dec i t) as [-> |]; [lia | apply before; lia]).
      destruct (step t now) as (W1 & W2 & L & _). apply (IHm (S t)); [lia | intros i I; apply now; lia | nia | lia]. }
    apply (G (left O) O); [lia | intros; lia | lia | lia].
  Qed.

  (* After any number of cycles, over the digits that were taken. *)
  Theorem recurrence : forall t, (forall i, (i < t)%nat -> (0 < left i)%nat) ->
    (left t <= left O)%nat /\ let p := pw 2 (left O - left t) in
    exists Q, 0 <= Q < p /\ p * Y t + p * (a t * B) = Y O + a O * B + N * Q.
  Proof.
    induction t; intros H; [rewrite Nat.sub_diag; split; [lia |]; exists 0; cbn [pw]; lia |].
    destruct (IHt ltac:(intros; apply H; lia)) as (L0 & Q & HQ & E). cbv zeta in *.
    destruct (step t ltac:(intros; apply H; lia)) as (W1 & W2 & L & HQ1 & EY & EA). rewrite L. split; [lia |].
    set (p := pw 2 (left O - left t)) in *. replace (left O - (left t - w t))%nat with ((left O - left t) + w t)%nat by lia.
    rewrite pw_add. fold p. exists (Q + p * q t). pose proof (pw_pos 2 (w t) ltac:(lia)) as P. pose proof (pw_le 2 1 (w t) ltac:(lia) ltac:(lia)) as P1.
    change (pw 2 1) with 2 in P1. split; [nia |].
    replace (p * pw 2 (w t) * Y (S t)) with (p * (pw 2 (w t) * Y (S t))) by ring. rewrite EY.
    replace (p * pw 2 (w t) * (a (S t) * B)) with (p * (pw 2 (w t) * a (S t)) * B) by ring. replace (pw 2 (w t) * a (S t)) with (a t - d t) by lia.
    replace (p * (Y t + d t * B + q t * N) + p * (a t - d t) * B) with (p * Y t + p * (a t * B) + p * q t * N) by ring. rewrite E. ring.
  Qed.
End Skipping.

(* The contract: B = 2^e b, R = 2^k, of k + e digits. The bound of the result is n + N. *)
Theorem skipping : forall n N b A e k s Y a d q w left, 0 < n -> 0 < N -> Z.odd N = true -> 0 <= A -> 0 <= b -> A * b < n * pw 2 k -> A < pw 2 (k + e) ->
  (1 <= s)%nat -> Y O = 0 -> a O = A -> left O = (k + e)%nat -> (forall t, 0 <= a t) ->
  (forall t, (forall i, (i <= t)%nat -> (0 < left i)%nat) ->
    (1 <= w t <= s)%nat /\ (w t <= left t)%nat /\ left (S t) = (left t - w t)%nat /\ 0 <= q t <= 1 /\
    pw 2 (w t) * Y (S t) = Y t + d t * (pw 2 e * b) + q t * N /\ a t = d t + pw 2 (w t) * a (S t) /\ 0 <= d t) ->
  exists T, (k + e <= s * T)%nat /\ (T <= k + e)%nat /\ left T = O /\ (forall t, (t < T)%nat -> (0 < left t)%nat) /\
    0 <= Y T < n + N /\ montgomery N (pw 2 k) A b (Y T).
Proof.
  intros n N b A e k s Y a d q w left Hn HN odd HA Hb small fits Hs Y0 A0 L0 positive step.
  assert (step' : forall t, (forall i, (i <= t)%nat -> (0 < left i)%nat) ->
    (1 <= w t <= s)%nat /\ (w t <= left t)%nat /\ left (S t) = (left t - w t)%nat /\ 0 <= q t <= 1 /\
    pw 2 (w t) * Y (S t) = Y t + d t * (pw 2 e * b) + q t * N /\ a t = d t + pw 2 (w t) * a (S t)).
  { intros t H. destruct (step t H) as (W1 & W2 & W3 & W4 & W5 & W6 & _). auto 10. }
  destruct (runs_out (pw 2 e * b) N s Y a d q w left Hs step') as (T & LT & before & T1 & T2). rewrite L0 in *.
  destruct (recurrence (pw 2 e * b) N s Y a d q w left Hs step' T before) as (_ & Q & HQ & E). rewrite L0, LT, Nat.sub_0_r, Y0, A0 in *.
  set (p := pw 2 (k + e)) in *. assert (P : p = pw 2 k * pw 2 e) by (apply pw_add). pose proof (pw_pos 2 k ltac:(lia)) as Pk. pose proof (pw_pos 2 e ltac:(lia)) as Pe.
  assert (R : forall t, (forall i, (i < t)%nat -> (0 < left i)%nat) -> pw 2 (k + e - left t) * a t <= A).
  { induction t; intros H; [rewrite L0, Nat.sub_diag; cbn [pw]; lia |]. specialize (IHt ltac:(intros; apply H; lia)).
    destruct (step t ltac:(intros; apply H; lia)) as (W1 & W2 & W3 & _ & _ & EA & D).
    destruct (recurrence (pw 2 e * b) N s Y a d q w left Hs step' t ltac:(intros; apply H; lia)) as (L1 & _). rewrite W3.
    replace (k + e - (left t - w t))%nat with ((k + e - left t) + w t)%nat by lia. rewrite pw_add. pose proof (pw_pos 2 (k + e - left t) ltac:(lia)).
    apply Z.le_trans with (pw 2 (k + e - left t) * a t); [| exact IHt]. rewrite <- Z.mul_assoc. apply Z.mul_le_mono_nonneg_l; lia. }
  specialize (R T before). rewrite LT, Nat.sub_0_r in R. fold p in R. assert (aT : a T = 0) by (pose proof (positive T); nia).
  rewrite aT, Z.mul_0_l, Z.mul_0_r, Z.add_0_r, Z.add_0_l in E.
  assert (Q2 : (pw 2 e | Q)).
  { apply Gauss with N; [exists (pw 2 k * Y T - A * b); rewrite P in E; lia |]. apply rel_prime_sym. rewrite pw_Z. apply rel_prime_Zpower_r; [lia |].
    apply rel_prime_sym, prime_rel_prime; [exact prime_2 |]. intros [z D]. rewrite D, Z.odd_mul, Bool.andb_false_r in odd. discriminate. }
  destruct Q2 as [z Qz]. exists T. split; [exact T1 |]. split; [exact T2 |]. split; [exact LT |]. split; [exact before |].
  assert (AB : 0 <= A * b) by (apply Z.mul_nonneg_nonneg; assumption). assert (NQ : 0 <= N * Q < N * p) by (split; [apply Z.mul_nonneg_nonneg; lia | apply Z.mul_lt_mono_pos_l; lia]).
  assert (E1 : A * (pw 2 e * b) = pw 2 e * (A * b)) by ring. assert (E2 : pw 2 e * (A * b) < pw 2 e * (n * pw 2 k)) by (apply Z.mul_lt_mono_pos_l; assumption).
  assert (E3 : 0 <= pw 2 e * (A * b)) by (apply Z.mul_nonneg_nonneg; lia). assert (E4 : pw 2 e * (n * pw 2 k) = p * n) by (rewrite P; ring). assert (Pp : 0 < p) by (rewrite P; apply Z.mul_pos_pos; assumption).
  split.
  - split; [apply (Z.mul_le_mono_pos_l _ _ p); lia | apply (Z.mul_lt_mono_pos_l p); lia].
  - exists z. apply (Z.mul_reg_l _ _ (pw 2 e)); [lia |]. rewrite Qz, P in E. lia.
Qed.

(* What a core shows of each cycle of its loop: in cycle t it adds the digit bit of A, above which rest is left, and w of left digits are taken.
   The loop ends when all are. *)
Theorem skipping_loop : forall n N b A e k s (Y bit rest q left w : nat -> Z) (keeps : nat -> Prop), 0 < n -> 0 < N -> Z.odd N = true -> 0 <= A -> 0 <= b ->
  A * b < n * pw 2 k -> A < pw 2 (k + e) -> (1 <= s)%nat -> (1 <= k)%nat ->
  keeps O -> left O = Z.of_nat (k + e) -> Y O = 0 -> bit O = A mod 2 -> rest O = A / 2 ->
  (forall t, keeps t -> 1 <= w t <= Z.of_nat s /\ w t <= left t /\ 0 <= q t <= 1 /\ 2 ^ w t * Y (S t) = Y t + bit t * (pw 2 e * b) + q t * N /\
    rest t mod 2 ^ (w t - 1) = 0 /\
    (w t < left t -> keeps (S t) /\ left (S t) = left t - w t /\ bit (S t) = rest t / 2 ^ (w t - 1) mod 2 /\ rest (S t) = rest t / 2 ^ w t)) ->
  exists T, (k + e <= s * S T)%nat /\ (S T <= k + e)%nat /\ (forall t, (t <= T)%nat -> keeps t) /\ left T = w T /\
    0 <= Y (S T) < n + N /\ montgomery N (pw 2 k) A b (Y (S T)).
Proof.
  intros n N b A e k s Y bit rest q left w keeps Hn HN odd HA Hb small fits Hs Hk K0 L0 Y0 B0 R0 step.
  set (L := fix L t := match t with O => (k + e)%nat | S u => (L u - Z.to_nat (w u))%nat end).
  set (a := fun t => A / 2 ^ Z.of_nat (k + e - L t)).
  assert (inv : forall t, (forall i, (i <= t)%nat -> (0 < L i)%nat) ->
    (L t <= k + e)%nat /\ keeps t /\ left t = Z.of_nat (L t) /\ bit t = a t mod 2 /\ rest t = a t / 2).
  { induction t; intros H.
    - unfold a. cbn [L]. rewrite Nat.sub_diag. change (2 ^ Z.of_nat 0) with 1. rewrite Z.div_1_r. auto.
    - destruct (IHt ltac:(intros; apply H; lia)) as (U & Kt & Lt & Bt & Rt). pose proof (H (S t) (le_n _)) as P. destruct (step t Kt) as (W1 & W2 & _ & _ & _ & next).
      change (L (S t)) with (L t - Z.to_nat (w t))%nat in *. destruct (next ltac:(lia)) as (K1 & L1 & B1 & R1).
      split; [lia |]. split; [exact K1 |]. split; [lia |].
      assert (E : a (S t) = a t / 2 ^ w t).
      { unfold a. change (L (S t)) with (L t - Z.to_nat (w t))%nat. rewrite Z.div_div by (try apply Z.pow_nonzero; try apply Z.pow_pos_nonneg; lia). rewrite <- Z.pow_add_r by lia. do 2 f_equal. lia. }
      rewrite B1, R1, E, Rt. split.
      + rewrite Z.div_div by (try apply Z.pow_pos_nonneg; lia). do 2 f_equal. rewrite <- Z.pow_succ_r by lia. f_equal. lia.
      + rewrite !Z.div_div by (try apply Z.pow_pos_nonneg; lia). f_equal. ring. }
  destruct (skipping n N b A e k s Y a (fun t => a t mod 2) q (fun t => Z.to_nat (w t)) L) as (T & T1 & T2 & LT & before & R & M); try assumption.
  - unfold a. cbn [L]. rewrite Nat.sub_diag. apply Z.div_1_r.
  - reflexivity.
  - intros t. unfold a. apply Z.div_pos; [exact HA | apply Z.pow_pos_nonneg; lia].
  - intros t H. destruct (inv t H) as (U & Kt & Lt & Bt & Rt). destruct (step t Kt) as (W1 & W2 & Q1 & E & Z0 & _). specialize (H t (le_n t)).
    split; [lia |]. split; [lia |]. split; [reflexivity |]. split; [exact Q1 |]. rewrite !pw_Z, Z2Nat.id by lia. rewrite <- Bt, pw_Z in *. split; [exact E |].
    assert (F : a (S t) = a t / 2 ^ w t).
    { unfold a. change (L (S t)) with (L t - Z.to_nat (w t))%nat. rewrite Z.div_div by (try apply Z.pow_nonzero; try apply Z.pow_pos_nonneg; lia). rewrite <- Z.pow_add_r by lia. do 2 f_equal. lia. }
    assert (P : 0 < 2 ^ (w t - 1)) by (apply Z.pow_pos_nonneg; lia). assert (D : 2 ^ w t = 2 * 2 ^ (w t - 1)) by (rewrite <- Z.pow_succ_r by lia; f_equal; lia).
    split; [| rewrite Bt; apply Z.mod_pos_bound; lia]. rewrite F, D, <- Z.div_div, <- Rt, Bt by lia.
    pose proof (Z.div_mod (rest t) (2 ^ (w t - 1)) ltac:(lia)) as X. pose proof (Z.div_mod (a t) 2 ltac:(lia)). rewrite Z0 in X. rewrite <- Z.mul_assoc. lia.
  - destruct T as [| T]; [cbn [L] in LT; lia |]. exists T. split; [exact T1 |]. split; [exact T2 |].
    assert (H : forall t, (t <= T)%nat -> (0 < L t)%nat) by (intros t I; apply before; lia).
    split; [intros t I; apply inv; intros i J; apply H; lia |].
    destruct (inv T H) as (U & Kt & Lt & _). destruct (step T Kt) as (W1 & W2 & _). change (L (S T)) with (L T - Z.to_nat (w T))%nat in LT.
    split; [specialize (H T (le_n T)); lia |]. auto.
Qed.

(* A multiple of the modulus. *)
Theorem montgomery_multiple : forall n N R a b p, (n | N) -> montgomery N R a b p -> montgomery n R a b p.
Proof. intros n N R a b p [m ->] [k E]. exists (k * m). rewrite E. ring. Qed.

(* With twice an operand and twice R. *)
Theorem montgomery_halved : forall n R a b p, n mod 2 = 1 -> montgomery n (2 * R) (2 * a) b p -> montgomery n R a b p.
Proof.
  intros n R a b p odd [k E]. pose proof (Z.div_mod k 2 ltac:(lia)) as D. pose proof (Z.mod_pos_bound k 2 ltac:(lia)). pose proof (Z.div_mod n 2 ltac:(lia)) as F. rewrite odd in F.
  assert (even : k mod 2 = 0).
  { destruct (Z.eq_dec (k mod 2) 1) as [O |]; [| lia]. exfalso. rewrite O in D. set (u := k / 2) in *. set (v := n / 2) in *. rewrite D, F in E.
    replace ((2 * v + 1) * (2 * u + 1)) with (2 * (v * (2 * u + 1) + u) + 1) in E by ring. lia. }
  exists (k / 2). rewrite even in D. set (u := k / 2) in *. rewrite D in E. replace (n * (2 * u + 0)) with (2 * (n * u)) in E by ring. lia.
Qed.

(* scs_mm_skip: N = n, operands below 2 n, R of two bits more than n. *)
Corollary scs_mm_skip_bound : forall n K a b, 0 < n < pw 2 K -> 0 <= a < 2 * n -> 0 <= b < 2 * n -> a * b < n * pw 2 (K + 2).
Proof. intros n K a b Hn Ha Hb. rewrite pw_add. cbn [pw]. assert (a * b <= (2 * n) * (2 * n)) by (apply Z.mul_le_mono_nonneg; lia). nia. Qed.

(* scs_mm_new and fcs_mmm42, closed: operands below 4 n, R of four bits more than n; N = 3 n at most, so that the result is below 4 n. *)
Corollary scs_mm_new_bound : forall n K a b, 0 < n < pw 2 K -> 0 <= a < 4 * n -> 0 <= b < 4 * n -> a * b < n * pw 2 (K + 4).
Proof. intros n K a b Hn Ha Hb. rewrite pw_add. cbn [pw]. assert (a * b <= (4 * n) * (4 * n)) by (apply Z.mul_le_mono_nonneg; lia). nia. Qed.

(* Both forms, closed (1) or as published (0): operands below 2 n or 4 n. *)
Corollary form_bound : forall n K closed a b, 0 <= closed <= 1 -> 0 < n < pw 2 K -> 0 <= a < (2 + 2 * closed) * n -> 0 <= b < (2 + 2 * closed) * n ->
  a * b < n * pw 2 (K + 2 + 2 * Z.to_nat closed).
Proof.
  intros n K closed a b C Hn Ha Hb. assert (closed = 0 \/ closed = 1) as [-> | ->] by lia.
  - replace (K + 2 + 2 * Z.to_nat 0)%nat with (K + 2)%nat by (cbn; lia). apply scs_mm_skip_bound; lia.
  - replace (K + 2 + 2 * Z.to_nat 1)%nat with (K + 4)%nat by (cbn; lia). apply scs_mm_new_bound; lia.
Qed.

Lemma form_powers : forall W closed, 0 <= W -> 0 <= closed <= 1 -> let N := W + 1 + closed + 4 in
  2 ^ N = 2 * 2 ^ (N - 1) /\ 2 ^ (N - 1) = 8 * 2 ^ (W + 1 + closed) /\ 2 ^ (W + 2) = 4 * 2 ^ W /\ 0 < 2 ^ W /\ 2 ^ (W + 1 + closed) = (2 + 2 * closed) * 2 ^ W.
Proof.
  intros W closed HW C N. unfold N. replace (W + 1 + closed + 4 - 1) with (W + 1 + closed + 3) by lia. assert (0 < 2 ^ W) by (apply Z.pow_pos_nonneg; lia).
  assert (closed = 0 \/ closed = 1) as [-> | ->] by lia; rewrite !Z.pow_add_r by lia; lia.
Qed.
