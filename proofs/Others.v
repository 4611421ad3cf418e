(* SPDX-License-Identifier: Apache-2.0 *)
(* Rows of words (FIOS and other word-serial forms), McLaughlin's R = 2^l - 1, and adder rows by columns. *)
From Coq Require Import ZArith Lia.
Require Import DigitRecurrence Instances.
Open Scope Z_scope.

(* ---------------------------------------------------------------- a row of words: t_j + r c_(j+1) = s_j + x b_j + m n_j + c_j
   FIOS: x = a_i, the words t go one place down, t_0 = 0. CIOS, SOS and systolic rows differ in when a word is computed only. *)
Theorem word_row : forall r s b n t c x m K, (forall j, (j < K)%nat -> t j + r * c (S j) = s j + x * b j + m * n j + c j) ->
  digits r t K + pw r K * c K = digits r s K + x * digits r b K + m * digits r n K + c O.
Proof.
  induction K; intros H; cbn [digits pw]; [lia |]. specialize (IHK (fun j L => H j (Nat.lt_lt_succ_r _ _ L))).
  specialize (H K (Nat.lt_succ_diag_r K)). nia.
Qed.

(* With t_0 = 0 a row divides by r: r S' = S + x B + m N, the plain recurrence. *)
Theorem fios_row : forall r s b n t c x m K, (forall j, (j < S K)%nat -> t j + r * c (S j) = s j + x * b j + m * n j + c j) ->
  c O = 0 -> t O = 0 -> let S' := digits r (fun j => t (1 + j)%nat) K + pw r K * c (S K) in
  r * S' = digits r s (S K) + x * digits r b (S K) + m * digits r n (S K).
Proof.
  intros r s b n t c x m K H C0 T0 S'. pose proof (word_row r s b n t c x m (S K) H) as E. rewrite C0 in E.
  change (S K) with (1 + K)%nat in E at 1. rewrite digits_split in E. cbn [digits pw] in E. rewrite T0 in E. unfold S'. cbn [digits pw] in *. nia.
Qed.

(* ---------------------------------------------------------------- mlws, fmlm: R = 2^l - 1, H = 2^l + 1, P2 = 2^l *)
Theorem mclaughlin : forall P n ni a b m g p, 0 < n -> 4 * n <= P - 1 -> (exists k, P = 2 * k) ->
  0 <= a < 2 * n -> 0 <= b < 2 * n -> (n * ni) mod (P - 1) = P - 2 ->
  m = (a * b * ni) mod (P - 1) -> g = (a * b + m * n) mod (P + 1) -> p = ((1 - g) mod P) / 2 ->
  0 <= p < 2 * n /\ montgomery n (P - 1) a b p.
Proof.
  intros P n ni a b m g p Hn H4 [k HP] Ha Hb Hi Hm Hg Hp.
  assert (E : exists t, a * b + m * n = t * (P - 1)).
  { pose proof (Z.div_mod (a * b * ni) (P - 1) ltac:(lia)) as U. pose proof (Z.div_mod (n * ni) (P - 1) ltac:(lia)) as V. rewrite Hi in V.
    rewrite <- Hm in U. set (u := a * b * ni / (P - 1)) in *. set (v := n * ni / (P - 1)) in *. exists (a * b * (v + 1) - n * u).
    replace m with (a * b * ni - (P - 1) * u) by lia. replace (a * b + (a * b * ni - (P - 1) * u) * n) with (a * b * (1 + n * ni) - (P - 1) * u * n) by ring.
    rewrite V. ring. }
  destruct E as [t E].
  assert (M : 0 <= m < P - 1) by (rewrite Hm; apply Z.mod_pos_bound; lia).
  assert (AB : 0 <= a * b < 2 * n * (2 * n)) by (split; [apply Z.mul_nonneg_nonneg; lia | apply Z.mul_lt_mono_nonneg; lia]).
  assert (T : 0 <= t < 2 * n).
  { assert (0 <= m * n <= (P - 1) * n) by (split; [apply Z.mul_nonneg_nonneg; lia | apply Z.mul_le_mono_nonneg_r; lia]).
    assert (n * (4 * n) <= n * (P - 1)) by (apply Z.mul_le_mono_nonneg_l; lia).
    split; [apply (Z.mul_le_mono_pos_r 0 t (P - 1)); lia | apply (Z.mul_lt_mono_pos_r (P - 1)); lia]. }
  assert (p = t).
  { rewrite Hp, Hg, E. replace (t * (P - 1)) with (- (2 * t) + t * (P + 1)) by ring. rewrite Z_mod_plus_full.
    destruct (Z.eq_dec t 0) as [-> | T0].
    - rewrite Z.mod_0_l, Z.sub_0_r, Z.mod_small by lia. reflexivity.
    - rewrite <- (Z_mod_plus_full (- (2 * t)) 1 (P + 1)), (Z.mod_small (- (2 * t) + 1 * (P + 1))) by lia.
      replace (1 - (- (2 * t) + 1 * (P + 1))) with (2 * t + (-1) * P) by ring.
      rewrite Z_mod_plus_full, Z.mod_small, Z.mul_comm, Z.div_mul by lia. reflexivity. }
  subst p. rewrite H. split; [exact T | exists m; lia].
Qed.

(* ---------------------------------------------------------------- adder rows by columns *)
Theorem adder_row : forall x y z s c W, (forall i, (i < W)%nat -> s i + 2 * c (S i) = x i + y i + z i) ->
  digits 2 s W + (digits 2 c (S W) - c O) = digits 2 x W + digits 2 y W + digits 2 z W.
Proof.
  induction W; intros H; [cbn [digits pw]; lia |]. specialize (IHW (fun i L => H i (Nat.lt_lt_succ_r _ _ L))). specialize (H W (Nat.lt_succ_diag_r W)).
  change (digits 2 c (S (S W))) with (digits 2 c (S W) + pw 2 (S W) * c (S W)). cbn [digits]. cbn [pw]. cbn [digits] in IHW. nia.
Qed.

(* ---------------------------------------------------------------- a carry-save pair that is shifted by a digit
   s, c: vectors of m bits, H = 2^(m-2), r = 2^w. V: the value of the pair, as signed m bits. The fold adds the two topmost bits of c to
   those of s, modulo 4; then both vectors are shifted. k is the carry of the digit that was dropped before, Y = V + k. *)
Definition congruent (M x y : Z) : Prop := exists j, x = y + j * M.

Lemma small_multiple : forall M j, 0 < M -> - M < j * M < M -> j = 0.
Proof. intros M j HM B. destruct (Z.eq_dec j 0); [assumption |]. assert (j <= -1 \/ 1 <= j) by lia. nia. Qed.

Lemma fold_exact : forall H s c sh sl ch cl f V, 0 < H -> s = sh * H + sl -> c = ch * H + cl -> 0 <= sl < H -> 0 <= cl < H ->
  0 <= f < 4 -> congruent 4 (sh + ch) f -> congruent (4 * H) (s + c) V -> - H <= V <= H ->
  V = (if f <? 2 then f else f - 4) * H + sl + cl.
Proof.
  intros H s c sh sl ch cl f V HH -> -> Sl Cl F [i E] [j G] B. set (g := if f <? 2 then f else f - 4).
  assert (X : exists e, f = g + 4 * e /\ -2 <= g <= 1) by (unfold g; destruct (Z.ltb_spec f 2); [exists 0 | exists 1]; lia).
  destruct X as [e [X Gb]].
  assert (D : V - (g * H + sl + cl) = (e + i - j) * (4 * H)) by nia.
  assert (e + i - j = 0) by (apply (small_multiple (4 * H)); [lia | rewrite <- D; nia]). nia.
Qed.

Theorem pair_step : forall r g s c sh sl ch cl f V k D s' c' V', 0 < r -> 0 < g -> let H := r * g in
  s = sh * H + sl -> c = ch * H + cl -> 0 <= sl < H -> 0 <= cl < H -> 0 <= f < 4 -> congruent 4 (sh + ch) f ->
  congruent (4 * H) (s + c) V -> - H <= V <= H -> 0 <= k <= 1 ->
  (* the statements that are checked on the RTL: tree and fold *)
  congruent (4 * H) (s' + c') ((if f <? 2 then f else f - 4) * g + sl / r + cl / r + D) ->
  congruent (4 * H) (s' + c') V' -> - (2 * H) <= V' < 2 * H -> - (2 * H) <= (if f <? 2 then f else f - 4) * g + sl / r + cl / r + D < 2 * H ->
  let k' := (sl mod r + cl mod r + k) / r in
  V' + k' = (V + k) / r + D /\ 0 <= k' <= 1 /\ (V + k) mod r = (sl mod r + cl mod r + k) mod r.
Proof.
  intros r g s c sh sl ch cl f V k D s' c' V' Hr Hg H Es Ec Sl Cl F Ff CV BV Bk CT CV' BV' BT k'.
  set (h := if f <? 2 then f else f - 4) in *.
  assert (EV : V = h * H + sl + cl) by (apply (fold_exact H s c sh sl ch cl f V); auto; unfold H; nia).
  pose proof (Z.div_mod sl r ltac:(lia)). pose proof (Z.div_mod cl r ltac:(lia)).
  pose proof (Z.mod_pos_bound sl r Hr). pose proof (Z.mod_pos_bound cl r Hr).
  assert (Y : V + k = (sl mod r + cl mod r + k) + (h * g + sl / r + cl / r) * r) by (unfold H in EV; nia).
  assert (E : V' = h * g + sl / r + cl / r + D).
  { destruct CT as [i I], CV' as [j J]. assert (X : V' - (h * g + sl / r + cl / r + D) = (i - j) * (4 * H)) by lia.
    assert (i - j = 0) by (apply (small_multiple (4 * H)); [unfold H; nia | rewrite <- X; lia]). nia. }
  repeat split.
  - rewrite Y, Z.div_add by lia. unfold k'. lia.
  - apply Z.div_pos; lia.
  - unfold k'. apply Z.lt_succ_r. apply Z.div_lt_upper_bound; lia.
  - rewrite Y. apply Z_mod_plus_full.
Qed.

(* ---------------------------------------------------------------- Booth terms: y = sum of (-2 y_(2j+1) + y_(2j) + y_(2j-1)) 4^j *)
Theorem booth_terms : forall y k, (forall i, 0 <= y i <= 1) ->
  digits 4 (fun j => -2 * y (2 * j + 1)%nat + y (2 * j)%nat + match j with O => 0 | S i => y (2 * i + 1)%nat end) k =
  digits 2 y (2 * k) - match k with O => 0 | S i => pw 4 k * y (2 * i + 1)%nat end.
Proof.
  intros y k _. assert (P : forall j, pw 2 (2 * j) = pw 4 j) by (intros; rewrite <- (pw_mul 2 2 j); reflexivity).
  induction k; [reflexivity |]. replace (2 * S k)%nat with (S (S (2 * k))) by lia.
  cbn [digits]. rewrite IHk. change (pw 2 (S (2 * k))) with (2 * pw 2 (2 * k)). rewrite P.
  replace (S (2 * k)) with (2 * k + 1)%nat by lia. cbn [pw]. destruct k as [| i]; cbn [pw]; nia.
Qed.
