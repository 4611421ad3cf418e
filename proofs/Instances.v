(* SPDX-License-Identifier: Apache-2.0 *)
(* Multipliers of the library as instances of DigitRecurrence.digit_recurrence, and the bounds of their contracts.
   Each theorem's hypotheses are the lemmas that are checked on the RTL; each conclusion is the contract. *)
From Coq Require Import ZArith Lia Znumtheory.
Require Import DigitRecurrence.
Open Scope Z_scope.

(* The contract of a multiplier: p R = a b (mod n). *)
Definition montgomery (n R a b p : Z) : Prop := exists k, p * R = a * b + k * n.

Lemma montgomery_mod : forall n R a b p, montgomery n R a b p -> (p * R) mod n = (a * b) mod n.
Proof. intros n R a b p [k E]. rewrite E. apply Z_mod_plus_full. Qed.

Lemma range_mul : forall x y p s, - p <= x <= p -> - s <= y <= s -> - (p * s) <= x * y <= p * s.
Proof.
  intros x y p s X Y. assert (Z.abs x * Z.abs y <= p * s) by (apply Z.mul_le_mono_nonneg; lia).
  rewrite <- Z.abs_mul in *. lia.
Qed.

(* Two vectors, both of an even sum and an even carry, are halved without loss. *)
Lemma halves : forall T s c, s + c = T -> T mod 2 = 0 -> c mod 2 = 0 -> 2 * (s / 2 + c / 2) = T.
Proof. intros T s c E HT HC. pose proof (Z.div_mod s 2 ltac:(lia)). pose proof (Z.div_mod c 2 ltac:(lia)). pose proof (Z.div_mod T 2 ltac:(lia)).
  pose proof (Z.mod_pos_bound s 2 ltac:(lia)). lia. Qed.

Lemma two_cases : forall x y q m, 0 <= q <= 1 -> x = y + q * m -> x = y \/ x = y + m.
Proof. intros x y q m Q E. assert (q = 0 \/ q = 1) as [-> | ->] by lia; lia. Qed.

(* A register that is shifted down by a digit in each step gives the digits of what was loaded. *)
Lemma shifted_out : forall r a d K, (forall t, (t < K)%nat -> a t = r * a (S t) + d t) -> a O = digits r d K + pw r K * a K.
Proof. induction K; intros H; cbn [digits pw]; [lia | rewrite IHK, H by (intros; try apply H; lia); ring]. Qed.

(* ---------------------------------------------------------------- the plain form: D = 0, nothing scaled, exact division
   r S' = S + d b + q n: mm_r2, fcs_mm1, booth_csa (pipeline=0), scs_mm, and scs_mm_ct with u = q and N-hat = n + 1. *)
Corollary plain_recurrence : forall r n b K S d q, S O = 0 ->
  (forall t, (t < K)%nat -> r * S (Datatypes.S t) = S t + d t * b + q t * n) ->
  pw r K * S K = digits r d K * b + n * digits r q K.
Proof.
  intros r n b K S d q S0 H.
  pose proof (digit_recurrence r b (n + 1) n 0 0 0 K S d q q (fun _ => 0)) as G.
  unfold result in G; cbn [pw digits Nat.add] in G. rewrite S0 in G.
  assert (X : pw r K * (1 * S K + 0 + 0) = 0 + 1 * (b * digits r d K) + n * digits r q K); [| lia].
  apply G; intros; unfold delayed; cbn [Nat.ltb Nat.leb]; rewrite ?Nat.sub_0_r; try (rewrite H by lia); ring.
Qed.

(* ---------------------------------------------------------------- mm_r2 *)
Lemma mm_r2_bound : forall n b K S A, 0 < n -> 0 <= b < n -> S O = 0 ->
  (forall t, (t < K)%nat -> 0 <= S t < 2 * n ->
     2 * S (Datatypes.S t) = S t + A t mod 2 * b \/ 2 * S (Datatypes.S t) = S t + A t mod 2 * b + n) ->
  forall t, (t <= K)%nat -> 0 <= S t < 2 * n.
Proof.
  intros n b K S A Hn Hb S0 step.
  assert (B : forall t, (t <= K)%nat -> 0 <= S t <= 2 * n - 1); [| intros t L; specialize (B t L); lia].
  apply (interval 2 0 (2 * n - 1) S (fun t => 2 * S (Datatypes.S t) - S t) K); [lia | lia |].
  intros t L I. destruct (step t L ltac:(lia)) as [E | E]; pose proof (Z.mod_pos_bound (A t) 2 ltac:(lia));
    (split; [lia |]); assert (0 <= A t mod 2 * b <= b) by nia; lia.
Qed.

Theorem mm_r2 : forall n a b K S A p, 0 < n -> 0 <= b < n -> 0 <= a < pw 2 K ->
  S O = 0 -> A O = a ->
  (forall t, (t < K)%nat -> A (Datatypes.S t) = A t / 2) ->
  (forall t, (t < K)%nat -> 0 <= S t < 2 * n ->
     2 * S (Datatypes.S t) = S t + A t mod 2 * b \/ 2 * S (Datatypes.S t) = S t + A t mod 2 * b + n) ->
  (0 <= S K < 2 * n -> p = if S K <? n then S K else S K - n) ->
  0 <= p < n /\ montgomery n (pw 2 K) a b p.
Proof.
  intros n a b K S A p Hn Hb Ha S0 A0 shift step last.
  pose (q := fun t => if 2 * S (Datatypes.S t) =? S t + A t mod 2 * b then 0 else 1).
  assert (Hq : forall t, (t < K)%nat -> 0 <= S t < 2 * n ->
            2 * S (Datatypes.S t) = S t + A t mod 2 * b + q t * n /\ 0 <= q t <= 1).
  { intros t L B. unfold q. destruct (Z.eqb_spec (2 * S (Datatypes.S t)) (S t + A t mod 2 * b)); destruct (step t L B); lia. }
  pose proof (mm_r2_bound n b K S A Hn Hb S0 step) as B.
  assert (Da : a = digits 2 (fun t => A t mod 2) K + pw 2 K * A K).
  { rewrite <- A0. apply shifted_out. intros t L. rewrite shift by assumption. apply Z.div_mod. lia. }
  assert (AK : A K = 0).
  { assert (0 <= digits 2 (fun t => A t mod 2) K < pw 2 K)
      by (apply digits_bound; [lia | intros; apply Z.mod_pos_bound; lia]). nia. }
  assert (E : pw 2 K * S K = digits 2 (fun t => A t mod 2) K * b + n * digits 2 q K)
    by (apply plain_recurrence; [assumption | intros t L; apply Hq; [assumption | specialize (B t ltac:(lia)); lia]]).
  specialize (B K ltac:(lia)). rewrite last by lia. rewrite AK in Da.
  destruct (Z.ltb_spec (S K) n); (split; [lia |]).
  - exists (digits 2 q K). nia.
  - exists (digits 2 q K - pw 2 K). nia.
Qed.

(* ---------------------------------------------------------------- two steps more than bits, operands below 2n: scs_mm, fcs_mm1, ... *)
Theorem long_loop : forall n a b K S A q, 0 < n -> n < pw 2 K -> 0 <= a < 2 * n -> 0 <= b < 2 * n ->
  S O = 0 -> A O = a -> (forall t, (t < K + 2)%nat -> A (Datatypes.S t) = A t / 2) ->
  (forall t, (t < K + 2)%nat -> 0 <= q t <= 1 /\ 2 * S (Datatypes.S t) = S t + A t mod 2 * b + q t * n) ->
  0 <= S (K + 2)%nat < 2 * n /\ montgomery n (pw 2 (K + 2)) a b (S (K + 2)%nat).
Proof.
  intros n a b K S A q Hn HK Ha Hb S0 A0 shift step.
  assert (P : pw 2 (K + 2) = 4 * pw 2 K) by (rewrite pw_add; cbn [pw]; ring).
  assert (Da : a = digits 2 (fun t => A t mod 2) (K + 2) + pw 2 (K + 2) * A (K + 2)%nat).
  { rewrite <- A0. apply shifted_out. intros t L. rewrite shift by assumption. apply Z.div_mod. lia. }
  assert (AK : A (K + 2)%nat = 0).
  { assert (0 <= digits 2 (fun t => A t mod 2) (K + 2) < pw 2 (K + 2))
      by (apply digits_bound; [lia | intros; apply Z.mod_pos_bound; lia]). nia. }
  assert (E : pw 2 (K + 2) * S (K + 2)%nat = digits 2 (fun t => A t mod 2) (K + 2) * b + n * digits 2 q (K + 2))
    by (apply plain_recurrence; [assumption | intros t L; apply step; assumption]).
  replace (digits 2 (fun t => A t mod 2) (K + 2)) with a in E by lia.
  assert (Q : 0 <= digits 2 q (K + 2) < pw 2 (K + 2)) by (apply digits_bound; [lia | intros t L; destruct (step t L); lia]).
  set (T := S (K + 2)%nat) in *. set (D := digits 2 q (K + 2)) in *. set (R := pw 2 (K + 2)) in *.
  split; [| exists D; lia].
  assert (0 <= a * b) by nia. assert (0 <= n * D) by nia. assert (a * b < n * R) by (rewrite P; nia). assert (n * D < n * R) by nia.
  split; nia.
Qed.

(* ---------------------------------------------------------------- scs_mm_ct: B-hat = 4 b, N-hat = n + 1, A' = floor((A + X) / 2)
   The lowest bit of A + X is q, since 4 b and n + 1 are even: 2 A' = A + a_i B-hat + q N-hat - q. *)
Theorem scs_mm_ct : forall n a b K A bit q, 0 < n -> Z.odd n = true -> 0 <= a < 2 * n -> 0 <= b < 2 * n ->
  n < pw 2 K -> a = digits 2 bit (K + 4) -> (forall t, (t < K + 4)%nat -> 0 <= bit t <= 1) -> A O = 0 ->
  (forall t, (t < K + 4)%nat -> 0 <= A t <= 9 * n -> q t = A t mod 2 /\ A (S t) = (A t + (bit t * (4 * b) + q t * (n + 1))) / 2) ->
  0 <= A (K + 4)%nat < 2 * n /\ montgomery n (pw 2 (K + 2)) a b (A (K + 4)%nat).
Proof.
  intros n a b K A bit q Hn Odd Ha Hb HK Da Hbit A0 step.
  assert (Hq : forall t, (t < K + 4)%nat -> 0 <= A t <= 9 * n ->
     2 * A (S t) = A t + bit t * (4 * b) + q t * n /\ 0 <= q t <= 1).
  { intros t L B. destruct (step t L B) as [Q E]. rewrite Zodd_mod in Odd. apply Zeq_bool_eq in Odd.
    pose proof (Z.div_mod (A t + (bit t * (4 * b) + q t * (n + 1))) 2 ltac:(lia)).
    pose proof (Z.mod_pos_bound (A t) 2 ltac:(lia)). pose proof (Z.div_mod (A t) 2 ltac:(lia)). pose proof (Z.div_mod n 2 ltac:(lia)).
    assert (M : (A t + (bit t * (4 * b) + q t * (n + 1))) mod 2 = q t).
    { replace (A t + (bit t * (4 * b) + q t * (n + 1))) with (A t mod 2 + (A t / 2 + bit t * (2 * b) + q t * (n / 2 + 1)) * 2) by nia.
      rewrite Z_mod_plus_full, Q. apply Z.mod_small. lia. }
    split; lia. }
  assert (B : forall t, (t <= K + 4)%nat -> 0 <= A t <= 9 * n).
  { apply (interval 2 0 (9 * n) A (fun t => bit t * (4 * b) + q t * n) (K + 4)); [lia | lia |].
    intros t L I. destruct (Hq t L I). specialize (Hbit t L). split; [lia | nia]. }
  assert (E : pw 2 (K + 4) * A (K + 4)%nat = digits 2 bit (K + 4) * (4 * b) + n * digits 2 q (K + 4))
    by (apply plain_recurrence; [assumption | intros t L; apply Hq; [assumption | apply B; lia]]).
  rewrite <- Da in E.
  assert (P4 : pw 2 (K + 4) = 4 * pw 2 (K + 2)) by (rewrite !pw_add; cbn [pw]; ring).
  assert (P2 : pw 2 (K + 2) = 4 * pw 2 K) by (rewrite pw_add; cbn [pw]; ring).
  assert (Q4 : exists k, digits 2 q (K + 4) = 4 * k).
  { assert (G : (4 | digits 2 q (K + 4))); [| destruct G as [k G]; exists k; lia].
    apply Gauss with n; [exists (pw 2 (K + 2) * A (K + 4)%nat - a * b); lia |].
    apply rel_prime_sym. change 4 with (2 * 2). apply rel_prime_mult; apply rel_prime_sym; apply prime_rel_prime; try apply prime_2;
      intros [k D]; rewrite D, Z.odd_mul, Bool.andb_false_r in Odd; discriminate. }
  destruct Q4 as [k Q4].
  assert (QB : 0 <= digits 2 q (K + 4) < pw 2 (K + 4))
    by (apply digits_bound; [lia | intros t L; specialize (Hq t L (B t ltac:(lia))); lia]).
  assert (M : A (K + 4)%nat * pw 2 (K + 2) = a * b + k * n) by nia.
  split; [| exists k; exact M]. specialize (B (K + 4)%nat ltac:(lia)).
  assert (a * b < n * pw 2 (K + 2)) by (rewrite P2; nia).
  split; [lia |]. nia.
Qed.

(* ---------------------------------------------------------------- booth_csa, pipeline=0: r S' = S + d b + q n, |q| <= r / 2, |p| < n *)
Theorem booth_csa : forall h n a b K S d q, 1 < h -> 0 < n -> - n < a < n -> - n < b < n ->
  a = digits (2 * h) d K -> (forall t, (t < K)%nat -> - h <= d t <= h) -> 4 * n <= pw (2 * h) K -> S O = 0 ->
  (forall t, (t < K)%nat -> - (2 * n) <= S t <= 2 * n ->
     - h <= q t <= h /\ 2 * h * S (Datatypes.S t) = S t + d t * b + q t * n) ->
  - n < S K < n /\ montgomery n (pw (2 * h) K) a b (S K).
Proof.
  intros h n a b K S d q Hh Hn Ha Hb Da Hd HK S0 step.
  assert (B : forall t, (t <= K)%nat -> - (2 * n) <= S t <= 2 * n).
  { apply (interval (2 * h) (- (2 * n)) (2 * n) S (fun t => d t * b + q t * n) K); [lia | lia |].
    intros t L I. destruct (step t L I) as [Q E]. specialize (Hd t L). split; [lia |].
    pose proof (range_mul (d t) b h n Hd ltac:(lia)). pose proof (range_mul (q t) n h n Q ltac:(lia)).
    assert (n <= h * n) by nia. lia. }
  assert (E : pw (2 * h) K * S K = digits (2 * h) d K * b + n * digits (2 * h) q K)
    by (apply plain_recurrence; [assumption | intros t L; apply step; [assumption | apply B; lia]]).
  rewrite <- Da in E. split; [| exists (digits (2 * h) q K); lia].
  (* |Q| <= h (r^K - 1) / (r - 1) *)
  assert (QB : forall k, (k <= K)%nat -> (2 * h - 1) * Z.abs (digits (2 * h) q k) <= h * (pw (2 * h) k - 1)).
  { induction k; intros L; cbn [digits pw]; [lia |]. specialize (IHk ltac:(lia)).
    destruct (step k ltac:(lia) (B k ltac:(lia))) as [Q _]. pose proof (pw_pos (2 * h) k ltac:(lia)).
    set (P := pw (2 * h) k) in *. set (D := digits (2 * h) q k) in *.
    pose proof (range_mul P (q k) P h ltac:(lia) Q). assert (Z.abs (D + P * q k) <= Z.abs D + P * h) by lia.
    assert ((2 * h - 1) * Z.abs (D + P * q k) <= (2 * h - 1) * (Z.abs D + P * h)) by (apply Z.mul_le_mono_nonneg_l; lia). lia. }
  specialize (QB K ltac:(lia)). pose proof (pw_pos (2 * h) K ltac:(lia)) as PP.
  set (P := pw (2 * h) K) in *. set (Q := digits (2 * h) q K) in *.
  assert (AB : 4 * Z.abs (a * b) < n * P).
  { rewrite Z.abs_mul. assert (Z.abs a * Z.abs b < n * n) by (apply Z.mul_lt_mono_nonneg; lia).
    assert (n * (4 * n) <= n * P) by (apply Z.mul_le_mono_nonneg_l; lia). lia. }
  assert (Q3 : 3 * Z.abs Q <= 2 * P).
  { apply (Z.mul_le_mono_pos_l _ _ (2 * h - 1)); [lia |]. assert (2 * P <= h * P) by (apply Z.mul_le_mono_nonneg_r; lia). lia. }
  assert (NQ : 3 * Z.abs (n * Q) <= 2 * (n * P)) by (rewrite Z.abs_mul, (Z.abs_eq n) by lia; nia).
  assert (PS : Z.abs (P * S K) < n * P) by lia. rewrite Z.abs_mul, (Z.abs_eq P) in PS by lia.
  assert (Z.abs (S K) < n) by (apply (Z.mul_lt_mono_pos_l P); lia). lia.
Qed.

Lemma scale : forall k lo x hi, 0 <= k -> lo <= x <= hi -> k * lo <= k * x <= k * hi.
Proof. intros. split; apply Z.mul_le_mono_nonneg_l; lia. Qed.

(* ---------------------------------------------------------------- whole words: T = a b, Q = T0 n' mod R, (T + Q n) / R without its low half *)
Theorem full_word : forall n ni R a b, 0 < n < R -> 0 <= a < n -> 0 <= b < n -> (n * ni + 1) mod R = 0 ->
  let t := a * b in let q := (t mod R * ni) mod R in let sum := t / R + q * n / R + (if t mod R =? 0 then 0 else 1) in
  0 <= sum < 2 * n /\ montgomery n R a b sum.
Proof.
  intros n ni R a b Hn Ha Hb Hi t q sum. pose proof (Z.div_mod t R ltac:(lia)) as T. pose proof (Z.mod_pos_bound t R ltac:(lia)) as T0.
  set (t0 := t mod R) in *. set (t1 := t / R) in *. pose proof (Z.mod_pos_bound (t0 * ni) R ltac:(lia)) as Q. fold q in Q.
  assert (D : exists z, q * n + t0 = R * z).
  { pose proof (Z.div_mod (n * ni + 1) R ltac:(lia)) as I. rewrite Hi in I. pose proof (Z.div_mod (t0 * ni) R ltac:(lia)) as J. fold q in J.
    exists (t0 * ((n * ni + 1) / R) - (t0 * ni) / R * n). rewrite Z.mul_sub_distr_l, (Z.mul_comm R (t0 * _)), <- Z.mul_assoc, (Z.mul_comm _ R).
    replace (R * ((n * ni + 1) / R)) with (n * ni + 1) by lia. replace q with (t0 * ni - R * (t0 * ni / R)) by lia. ring. }
  destruct D as [z D].
  assert (E : sum * R = t + q * n).
  { unfold sum. destruct (Z.eqb_spec t0 0) as [Z0 | Z0].
    - assert (q = 0) as -> by (unfold q; rewrite Z0; apply Z.mod_0_l; lia). rewrite Z.div_0_l by lia. lia.
    - replace (q * n / R) with (z - 1) by (apply (Z.div_unique _ _ _ (R - t0)); lia). lia. }
  assert (t_range : 0 <= t < n * R) by (unfold t; split; [apply Z.mul_nonneg_nonneg; lia |];
    apply Z.le_lt_trans with (n * b); [apply Z.mul_le_mono_nonneg_r; lia | apply Z.mul_lt_mono_pos_l; lia]).
  assert (u_range : 0 <= q * n < n * R) by (split; [apply Z.mul_nonneg_nonneg; lia | rewrite Z.mul_comm; apply Z.mul_lt_mono_pos_l; lia]).
  split; [| exists q; unfold t in E; lia].
  split; [apply (Z.mul_le_mono_pos_r _ _ R); lia | apply (Z.mul_lt_mono_pos_r R); lia].
Qed.
