(* SPDX-License-Identifier: Apache-2.0 *)
(* A pipeline for one modulus: a product, steps of a Montgomery reduction, and a buffer of results. It is about functions of the cycle, which are nets of the
   RTL in fixed_prime.v and fixed_square.v; of the product it knows its value, of each other sum that it is the sum of its rows. *)
From Coq Require Import ZArith Lia String.
Require Import DigitRecurrence Instances Contract Control Bits Pipelined CreditBuffer BoothRows Products Groups PipelinedSum.
Open Scope string_scope. Open Scope Z_scope.
Set Default Proof Using "All".

Lemma part_low : forall x w v, 0 <= v <= w -> part (part x 0 w) 0 v = part x 0 v.
Proof. intros. rewrite part_part by lia. reflexivity. Qed.

Lemma high_part : forall s g b m, 0 <= g -> 0 <= b -> m = b + g -> part (s mod 2 ^ m) g b = (s / 2 ^ g) mod 2 ^ b.
Proof. intros s g b m G B ->. pose proof (part_part s 0 (b + g) g b) as E. unfold part in E at 2. rewrite Z.div_1_r in E. apply E; lia. Qed.

(* The topmost columns of a sum, of which the lowest ones were rounded down: they are those of the whole sum. *)
Lemma rounded : forall l g z s e, 0 <= l -> 0 <= g -> 2 ^ l * s = 2 ^ l * (2 ^ g * z + 2 ^ g - 1) - e -> 0 <= e < 2 ^ l * 2 ^ g -> s / 2 ^ g = z.
Proof.
  intros l g z s e L G E B. pose proof (Z.pow_pos_nonneg 2 l ltac:(lia) L) as P. pose proof (Z.pow_pos_nonneg 2 g ltac:(lia) G) as Q.
  set (x := 2 ^ g * z + 2 ^ g - 1 - s). assert (X : e = 2 ^ l * x) by (unfold x; lia). assert (0 <= x < 2 ^ g) by nia.
  symmetry. apply (Z.div_unique _ _ _ (2 ^ g - 1 - x)); [lia |]. unfold x. lia.
Qed.

(* After steps of d bits in all a value is below 2^(x + 1). Where u = 1 a quotient digit may be one more. *)
Lemma value_range : forall W n u T Q V d x, 0 <= W -> 0 < n < 2 ^ W -> 0 <= u <= 1 -> 0 <= T < (2 * n) * (2 * n) -> 0 <= Q -> 3 * Q + 3 + u <= (3 + u) * 2 ^ d -> 0 <= d ->
  V * 2 ^ d = T + Q * n -> 2 * W + 2 <= d + x -> W + 1 <= x -> 0 <= V < 2 ^ (x + 1).
Proof.
  intros W n u T Q V d x HW N U TR Q0 QR D E X1 X2. pose proof (Z.pow_pos_nonneg 2 d ltac:(lia) D) as P. pose proof (Z.pow_pos_nonneg 2 x ltac:(lia) ltac:(lia)) as P2.
  assert (A : T < 2 ^ d * 2 ^ x).
  { apply Z.lt_le_trans with (2 ^ (2 * W + 2)); [| rewrite <- Z.pow_add_r by lia; apply Z.pow_le_mono_r; lia].
    replace (2 * W + 2) with ((W + 1) + (W + 1)) by lia. rewrite Z.pow_add_r, Z.pow_add_r by lia. change (2 ^ 1) with 2. clear - TR N. nia. }
  assert (B : Q * n < 2 ^ d * 2 ^ x).
  { pose proof (Z.pow_le_mono_r 2 (W + 1) x ltac:(lia) X2) as L. rewrite Z.pow_add_r in L by lia. change (2 ^ 1) with 2 in L. set (r := 2 ^ d) in *. set (y := 2 ^ x) in *.
    assert (C : 3 * Q < 4 * r) by (clear - QR U P; nia). assert (G : 2 * n <= y) by (clear - L N; lia). clear - C G P N Q0. nia. }
  rewrite Z.pow_add_r by lia. change (2 ^ 1) with 2. assert (0 <= Q * n) by (apply Z.mul_nonneg_nonneg; lia). split; [| apply (Z.mul_lt_mono_pos_r (2 ^ d)); [exact P | rewrite E; lia]].
  apply (Z.mul_le_mono_pos_r _ _ (2 ^ d)); [exact P | rewrite E; lia].
Qed.

Lemma result_range : forall W n u T Q V d, 0 <= W -> 0 < n < 2 ^ W -> 0 <= u <= 1 -> 0 <= T < (2 * n) * (2 * n) -> 0 <= Q -> 3 * Q + 3 + u <= (3 + u) * 2 ^ d ->
  V * 2 ^ d = T + Q * n -> W + 2 + u <= d -> 0 <= V < 2 * n.
Proof.
  intros W n u T Q V d HW N U TR Q0 QR E D. pose proof (Z.pow_pos_nonneg 2 d ltac:(lia) ltac:(lia)) as P. pose proof (Z.pow_le_mono_r 2 (W + 2 + u) d ltac:(lia) D) as R.
  rewrite Z.pow_add_r, Z.pow_add_r in R by lia. change (2 ^ 2) with 4 in R. set (r := 2 ^ d) in *. set (w := 2 ^ W) in *.
  assert (A : 0 <= Q * n) by (apply Z.mul_nonneg_nonneg; lia). assert (B : T + Q * n < r * (2 * n)).
  { assert (u = 0 \/ u = 1) as [-> | ->] by lia.
    - change (2 ^ 0) with 1 in R. assert (G : n * (4 * n) <= n * r) by (apply Z.mul_le_mono_nonneg_l; lia). assert (F : Q * n <= (r - 1) * n) by (apply Z.mul_le_mono_nonneg_r; lia). clear - G F TR N. lia.
    - change (2 ^ 1) with 2 in R. assert (G : n * (8 * n) <= n * r) by (apply Z.mul_le_mono_nonneg_l; lia). assert (F : 3 * Q * n <= (4 * r) * n) by (apply Z.mul_le_mono_nonneg_r; lia).
      assert (0 < n * r) by (apply Z.mul_pos_pos; lia). clear - G F TR N H. lia. }
  split; [apply (Z.mul_le_mono_pos_r _ _ r) | apply (Z.mul_lt_mono_pos_r r)]; lia.
Qed.

(* The rows of mf_pipelined_product with operands x and y of m bits. *)
Theorem booth_product : forall m x y rows X, 3 <= m -> rows = m / 2 + 1 -> 0 <= y < 2 ^ m ->
  (forall j, 0 <= j < rows -> let window := ((2 * y) / 2 ^ (2 * j)) mod 8 in let below := ((8 * y) / 2 ^ (2 * j)) mod 8 in
    let negative := fun e => if e =? 7 then 0 else e / 4 in
    let magnitude := if window =? 0 then 0 else if window =? 7 then 0 else if window =? 3 then 2 * x else if window =? 4 then 2 * x else x in
    let sign := if j =? 0 then 4 else if j =? rows - 1 then 0 else if j =? rows - 2 then if m mod 2 =? 0 then 1 else 3 else 3 in
    part X (j * (2 * m)) (2 * m) = (2 ^ (2 * j) * ((if negative window =? 1 then 2 ^ (m + 1) - 1 - magnitude else magnitude) + (sign - negative window) * 2 ^ (m + 1)) +
      2 ^ (2 * j) / 4 * negative below) mod 2 ^ (2 * m)) ->
  (2 ^ (2 * m) | total (vectors (2 * m) X) (Z.to_nat rows) - x * y).
Proof.
  intros m x y rows X M R Y H. assert (KR : rows = Z.of_nat (Z.to_nat rows)) by (pose proof (Z.div_pos m 2); lia).
  set (row := fun j => 2 ^ (2 * Z.of_nat j) * (booth_term (((2 * y) / 2 ^ (2 * Z.of_nat j)) mod 8) * x -
      (if ((2 * y) / 2 ^ (2 * Z.of_nat j)) mod 8 =? 7 then 0 else (((2 * y) / 2 ^ (2 * Z.of_nat j)) mod 8) / 4) +
      (if Z.of_nat j =? 0 then 4 else if Z.of_nat j =? rows - 1 then 0 else if Z.of_nat j =? rows - 2 then if m mod 2 =? 0 then 1 else 3 else 3) * 2 ^ (m + 1)) +
    2 ^ (2 * Z.of_nat j) / 4 * (if ((8 * y) / 2 ^ (2 * Z.of_nat j)) mod 8 =? 7 then 0 else (((8 * y) / 2 ^ (2 * Z.of_nat j)) mod 8) / 4)).
  pose proof (rows_product m x y (Z.to_nat rows) row ltac:(lia) ltac:(lia) Y) as G. rewrite <- KR in G. specialize (G ltac:(intros; reflexivity)).
  pose proof (total_divides (2 ^ (2 * m)) (fun j => vectors (2 * m) X j - row j) (Z.to_nat rows)) as D. rewrite total_sub, G in D.
  assert (D' := D ltac:(intros j J; unfold vectors, vector; pose proof (H (Z.of_nat j) ltac:(lia)) as E; cbv zeta in E; rewrite E; clear E;
    rewrite booth_bits by (apply Z.mod_pos_bound; lia); fold (row j); exists (- (row j / 2 ^ (2 * m))); rewrite (Z.mod_eq (row j)) by (apply Z.pow_nonzero; lia); ring)).
  clear D. destruct D' as [k D]. exists (k + 1). lia.
Qed.

(* The rows of a step: v, of `bits` bits, without its lowest columns, and q times n by signed digits. Their sum has (v + q n) / 2^word above the guard. *)
Lemma step_rows : forall word guard bits m v q z n places signs k X, 0 <= guard <= word -> word - guard <= bits -> 0 <= m -> 0 <= v < 2 ^ bits ->
  let low := word - guard in
  vector m X 0 = part v low (bits - low) mod 2 ^ m ->
  (forall r, 0 <= r < Z.of_nat k ->
    vector m X (1 + r) = ((if sign_of signs r =? 1 then 2 ^ word - 1 - q else q) * 2 ^ place_of places r / 2 ^ low) mod 2 ^ m) ->
  vector m X (1 + Z.of_nat k) = (((2 ^ guard - 1) * 2 ^ low + negatives places signs k - negatives places signs k * 2 ^ word) / 2 ^ low) mod 2 ^ m ->
  factor places signs k = n -> guard = word \/ Z.of_nat k + 2 <= 2 ^ guard -> v + q * n = 2 ^ word * z ->
  exists s, (2 ^ m | total (vectors m X) (S (S k)) - s) /\ s / 2 ^ guard = z.
Proof.
  intros word guard bits m v q z n places signs k X G B Hm V low H0 Hr Hl F C E. assert (L : 0 <= low) by (unfold low; lia).
  destruct (constant_rows m low word q places signs ((2 ^ guard - 1) * 2 ^ low) k (fun r => vector m X (1 + r)) ltac:(lia) Hr Hl) as (s & e & D & S1 & E1).
  rewrite F in S1. pose proof (Z.pow_pos_nonneg 2 low ltac:(lia) L) as P. pose proof (Z.pow_pos_nonneg 2 guard ltac:(lia) ltac:(lia)) as PG.
  assert (W : 2 ^ word = 2 ^ low * 2 ^ guard) by (rewrite <- Z.pow_add_r by (unfold low; lia); f_equal; unfold low; lia).
  pose proof (Z.div_mod v (2 ^ low) ltac:(lia)) as DV. pose proof (Z.mod_pos_bound v (2 ^ low) P) as MV. exists (v / 2 ^ low + s). split.
  - change (S (S k)) with (1 + S k)%nat. rewrite total_split.
    rewrite (total_ext (fun i => vectors m X (1 + i)) (fun r => vector m X (1 + Z.of_nat r))) by (intros; unfold vectors; f_equal; lia).
    assert (A : (2 ^ m | total (vectors m X) 1 - v / 2 ^ low)).
    { cbn [total]. unfold vectors. change (Z.of_nat 0) with 0. rewrite H0. unfold part. rewrite (Z.mod_small (v / 2 ^ low)).
      - exists (- (v / 2 ^ low / 2 ^ m)). rewrite (Z.mod_eq (v / _)) by (apply Z.pow_nonzero; lia). ring.
      - split; [apply Z.div_pos; lia |]. apply Z.div_lt_upper_bound; [exact P |]. rewrite <- Z.pow_add_r by lia. replace (low + (bits - low)) with bits by lia. apply V. }
    clear - A D. by_sum.
  - apply (rounded low guard z _ (e + v mod 2 ^ low)); [exact L | lia | |].
    + rewrite Z.mul_add_distr_l, S1. rewrite W in E. set (a := 2 ^ low) in *. set (b := 2 ^ guard) in *. clear - DV E. nia.
    + split; [lia |]. destruct C as [C | C].
      * assert (Z0 : low = 0) by (unfold low; lia). rewrite Z0 in *. change (2 ^ 0) with 1 in *. lia.
      * apply Z.le_lt_trans with ((Z.of_nat k + 2) * (2 ^ low - 1)); [lia |]. apply Z.le_lt_trans with (2 ^ guard * (2 ^ low - 1)); [apply Z.mul_le_mono_nonneg_r; lia | lia].
Qed.

(* ---------------------------------------------------------------- control, whatever computes the results *)
Section Control.
  Variables (W modulus latency R : Z).
  (* operands, result and the modulus that a user takes; the nets of the control *)
  Variables (net : trace) (a b n shown valid owed waiting put take puts result places : nat -> Z).
  Hypotheses (some : 1 <= latency)
    (inputs : forall t, (0 <= a t < 2 ^ (W + 1) /\ 0 <= b t < 2 ^ (W + 1)) /\ 0 <= net "req_valid_i" t < 2 /\ 0 <= net "rsp_ready_i" t < 2)
    (* the buffer *)
    (H_handshake : forall t, net "req_ready_o" t = (if owed t =? latency + 2 then 0 else 1) /\ net "rsp_valid_o" t = (if waiting t =? 0 then 0 else 1))
    (H_empty : forall t, t = O -> owed t = 0 /\ waiting t = 0 /\ put t = 0 /\ take t = 0)
    (H_counts : forall t, owed t <= latency + 2 -> waiting t + puts t <= owed t ->
      owed (S t) = owed t + net "req_valid_i" t * net "req_ready_o" t - net "rsp_valid_o" t * net "rsp_ready_i" t /\
      waiting (S t) = waiting t + puts t - net "rsp_valid_o" t * net "rsp_ready_i" t)
    (H_places : forall t, put t < latency + 2 -> take t < latency + 2 ->
      put (S t) = (if puts t =? 1 then if put t =? latency + 2 - 1 then 0 else put t + 1 else put t) /\
      take (S t) = (if net "rsp_valid_o" t * net "rsp_ready_i" t =? 1 then if take t =? latency + 2 - 1 then 0 else take t + 1 else take t))
    (H_keeps : forall t i, 0 <= i < latency + 2 -> part (places (S t)) (i * (W + 1)) (W + 1) =
      (if puts t =? 1 then if put t =? i then result t else part (places t) (i * (W + 1)) (W + 1) else part (places t) (i * (W + 1)) (W + 1)))
    (H_shows : forall t i, 0 <= i < latency + 2 -> take t = i -> shown t = part (places t) (i * (W + 1)) (W + 1))
    (* results under way *)
    (H_none : forall t, t = O -> valid t = 0) (H_enters : forall t, valid (S t) = (2 * valid t + net "req_valid_i" t * net "req_ready_o" t) mod 2 ^ latency)
    (H_leaves : forall t, puts t = part (valid t) (latency - 1) 1)
    (* the result of a request *)
    (right : forall c, 0 <= a c < 2 * modulus -> 0 <= b c < 2 * modulus -> 0 <= result (c + Z.to_nat latency)%nat < 2 * modulus /\
      (result (c + Z.to_nat latency)%nat * R) mod modulus = (a c * b c) mod modulus).

  Lemma valid_is : forall t i, (i < Z.to_nat latency)%nat ->
    part (valid t) (Z.of_nat i) 1 = if Nat.leb t i then 0 else if accepts net (t - 1 - i) then 1 else 0.
  Proof.
    pose proof some as LP. pose proof inputs as IN. clear - H_none H_enters IN LP H_handshake.
    induction t; intros i I.
    - rewrite H_none by reflexivity. unfold part. rewrite Zdiv_0_l. reflexivity.
    - rewrite H_enters. assert (X : net "req_valid_i" t * net "req_ready_o" t = if accepts net t then 1 else 0).
      { unfold accepts. assert (net "req_valid_i" t = 0 \/ net "req_valid_i" t = 1) as [-> | ->] by (pose proof (IN t); lia);
          destruct (H_handshake t) as [-> _]; destruct (_ =? latency + 2); reflexivity. }
      rewrite X. set (x := if accepts net t then 1 else 0). assert (XR : 0 <= x <= 1) by (unfold x; destruct (accepts net t); lia).
      set (y := 2 * valid t + x). assert (Y : part (y mod 2 ^ latency) (Z.of_nat i) 1 = part y (Z.of_nat i) 1).
      { pose proof (part_part y 0 latency (Z.of_nat i) 1 ltac:(lia) ltac:(lia) ltac:(lia) ltac:(lia)) as P. unfold part in P at 2. rewrite Z.div_1_r, Z.add_0_l in P. exact P. }
      rewrite Y. destruct i as [| i].
      + change (Z.of_nat 0) with 0. unfold part. rewrite Z.div_1_r. change (2 ^ 1) with 2. unfold y. rewrite Z.add_comm, Z.mul_comm, Z_mod_plus_full, Z.mod_small by lia.
        cbn [Nat.leb]. replace (S t - 1 - 0)%nat with t by lia. reflexivity.
      + cbn [Nat.leb]. replace (S t - 1 - S i)%nat with (t - 1 - i)%nat by lia. rewrite <- IHt by lia. unfold part, y. rewrite Nat2Z.inj_succ, Z.pow_succ_r, <- Z.div_div by lia.
        rewrite (Z.add_comm (2 * _)), (Z.mul_comm 2), Z.div_add, (Z.div_small x) by lia. reflexivity.
  Qed.

  Theorem one_modulus : pipelined net a b n shown (S (Z.to_nat latency)) (S (Z.to_nat latency)) R
    (fun c => n c = modulus) (fun n x => 0 <= x < 2 * n) (fun n p => 0 <= p < 2 * n).
  Proof.
    pose proof some as LP. assert (DE : Z.of_nat (Z.to_nat (latency + 2)) = latency + 2) by (clear - LP; lia).
    apply (buffered net a b n shown R (fun c => n c = modulus) (fun n x => 0 <= x < 2 * n) (fun n p => 0 <= p < 2 * n)
      (Z.to_nat latency) (Z.to_nat (latency + 2)) owed waiting put take puts
      result (fun t i => part (places t) (i * (W + 1)) (W + 1))); rewrite ?DE.
    - clear - LP. lia.
    - intros t. apply inputs.
    - exact H_handshake.
    - exact H_empty.
    - exact H_counts.
    - exact H_places.
    - exact H_keeps.
    - exact H_shows.
    - intros t. rewrite H_leaves. replace (latency - 1) with (Z.of_nat (Z.to_nat latency - 1)) by (clear - LP; lia). rewrite valid_is by (clear - LP; lia).
      destruct (Nat.leb_spec t (Z.to_nat latency - 1)), (Nat.ltb_spec t (Z.to_nat latency)); try (exfalso; clear - LP H H0; lia); [reflexivity |].
      replace (t - 1 - (Z.to_nat latency - 1))%nat with (t - Z.to_nat latency)%nat by (clear - LP; lia). reflexivity.
    - intros c _ _ -> A B. apply right; assumption.
  Qed.
End Control.

(* ---------------------------------------------------------------- steps that each clear `word` bits in D cycles, whatever their quotient *)
Section Chain.
  Variables (W modulus steps word u : Z) (before after : Z -> nat -> Z) (D : nat).
  Let value_bits (i : Z) : Z := Z.max (2 * (W + 1) - i * word) (W + 1) + Z.min 1 i * Z.min 1 (steps - i).
  Hypotheses (sizes : 0 <= W /\ 0 < modulus < 2 ^ W /\ 1 <= steps /\ 2 <= word /\ 0 <= u <= 1 /\ W + 2 + u <= steps * word)
    (divided : forall i t, 0 <= i < steps -> exists z q, before i t + q * modulus = 2 ^ word * z /\ 0 <= q < 2 ^ word + u /\ after i (D + t)%nat = z mod 2 ^ value_bits (i + 1))
    (passes : forall i t, 0 <= i < steps - 1 -> before (i + 1) t = after i t).
  Variables (T : Z) (start : nat).
  Hypotheses (range : 0 <= T < (2 * modulus) * (2 * modulus)) (begins : before 0 start = T).
  Let at_step (j : nat) : nat := (j * D + start)%nat.

  Lemma chain_widths : value_bits steps = W + 1 /\ forall i, 0 < i < steps -> value_bits i = Z.max (2 * (W + 1) - i * word) (W + 1) + 1.
  Proof.
    destruct sizes as (HW & _ & S1 & W2 & HU & W3). unfold value_bits. clear - HW S1 W2 HU W3. split.
    - rewrite Z.sub_diag, (Z.min_r 1 0), Z.max_r by lia. lia.
    - intros i I. rewrite !Z.min_l by lia. lia.
  Qed.

  (* V is the value after j steps. *)
  Definition reached (j : nat) (V : Z) : Prop := exists q, 0 <= q /\ 3 * q + 3 + u <= (3 + u) * 2 ^ (Z.of_nat j * word) /\ V * 2 ^ (Z.of_nat j * word) = T + q * modulus.

  Lemma reached_range : forall j V, (1 <= j)%nat -> Z.of_nat j <= steps -> reached j V -> 0 <= V < 2 ^ value_bits (Z.of_nat j) /\ (Z.of_nat j = steps -> 0 <= V < 2 * modulus).
  Proof.
    intros j V J1 J2 (q & B0 & B & E). destruct sizes as (HW & N & S1 & W2 & HU & W3). destruct chain_widths as (V1 & V2).
    set (d := Z.of_nat j * word) in *. destruct (Z.eq_dec (Z.of_nat j) steps) as [F | F].
    - assert (DE : W + 2 + u <= d) by (unfold d; rewrite F; exact W3). rewrite F, V1. pose proof (result_range W modulus u T q V d HW N HU range B0 B E DE) as R.
      split; [| intros _; exact R]. rewrite Z.pow_add_r by (clear - HW; lia). change (2 ^ 1) with 2. clear - R N. lia.
    - rewrite V2 by (clear - J1 J2 F; lia). split; [| intros G; contradiction (F G)]. fold d.
      apply (value_range W modulus u T q V d (Z.max (2 * (W + 1) - d) (W + 1))); [exact HW | exact N | exact HU | exact range | exact B0 | exact B | | exact E | clear; lia | clear; lia].
      unfold d. apply Z.mul_nonneg_nonneg; clear - W2; lia.
  Qed.

  Lemma step_on : forall j, Z.of_nat j < steps -> reached j (before (Z.of_nat j) (at_step j)) -> reached (S j) (after (Z.of_nat j) (at_step (S j))).
  Proof.
    intros j J (p & B0 & B & E). destruct (divided (Z.of_nat j) (at_step j) ltac:(clear - J; lia)) as (z & q & DE & Bq & F). destruct sizes as (_ & _ & _ & W2 & HU & _).
    assert (P : 2 ^ (Z.of_nat (S j) * word) = 2 ^ (Z.of_nat j * word) * 2 ^ word).
    { rewrite <- Z.pow_add_r by (try apply Z.mul_nonneg_nonneg; clear - W2; lia). f_equal. clear. lia. }
    pose proof (Z.pow_le_mono_r 2 2 word ltac:(clear; lia) W2) as R4. change (2 ^ 2) with 4 in R4.
    pose proof (Z.pow_pos_nonneg 2 (Z.of_nat j * word) ltac:(clear; lia) ltac:(apply Z.mul_nonneg_nonneg; clear - W2; lia)) as X0.
    assert (R : reached (S j) z).
    { exists (p + 2 ^ (Z.of_nat j * word) * q). rewrite P. set (x := 2 ^ (Z.of_nat j * word)) in *. set (r := 2 ^ word) in *. split; [| split].
      - clear - B0 Bq X0. assert (0 <= x * q) by (apply Z.mul_nonneg_nonneg; lia). lia.
      - assert (A : x * q <= x * (r - 1 + u)) by (apply Z.mul_le_mono_nonneg_l; clear - Bq X0; lia). assert (C : x * (4 * u) <= x * (r * u)) by (apply Z.mul_le_mono_nonneg_l; [clear - X0; lia |]; apply Z.mul_le_mono_nonneg_r; clear - R4 HU; lia).
        clear - A B C. lia.
      - replace (z * (x * r)) with (x * (r * z)) by ring. rewrite <- DE. clear - E. lia. }
    replace (at_step (S j)) with (D + at_step j)%nat by (unfold at_step; clear; lia).
    destruct (reached_range (S j) z ltac:(clear; lia) ltac:(clear - J; lia) R) as [G _]. rewrite F, Z.mod_small; [exact R |]. replace (Z.of_nat j + 1) with (Z.of_nat (S j)) by (clear; lia). exact G.
  Qed.

  Lemma steps_to : forall j, Z.of_nat j < steps -> reached j (before (Z.of_nat j) (at_step j)).
  Proof.
    induction j; intros J.
    - exists 0. change (Z.of_nat 0 * word) with 0. change (2 ^ 0) with 1. change (Z.of_nat 0) with 0. unfold at_step. cbn [Nat.mul]. rewrite Nat.add_0_l, begins. clear. lia.
    - pose proof (step_on j ltac:(clear - J; lia) (IHj ltac:(clear - J; lia))) as R. replace (Z.of_nat (S j)) with (Z.of_nat j + 1) by (clear; lia). rewrite passes by (clear - J; lia). exact R.
  Qed.

  Theorem chain : let V := after (steps - 1) (Z.to_nat steps * D + start)%nat in 0 <= V < 2 * modulus /\ (V * 2 ^ (steps * word)) mod modulus = T mod modulus.
  Proof.
    destruct sizes as (_ & _ & S1 & _). set (l := Z.to_nat (steps - 1)). assert (L : Z.of_nat l = steps - 1) by (unfold l; clear - S1; lia).
    pose proof (step_on l ltac:(clear - L; lia) (steps_to l ltac:(clear - L; lia))) as R. rewrite L in R. unfold at_step in R. replace (S l) with (Z.to_nat steps) in R by (clear - L S1; lia).
    cbv zeta. set (V := after _ _) in *. assert (LS : Z.of_nat (Z.to_nat steps) = steps) by (clear - S1; lia).
    destruct (reached_range (Z.to_nat steps) V ltac:(clear - S1; lia) ltac:(clear - LS; lia) R) as [_ G].
    split; [apply G; exact LS |]. destruct R as (q & _ & _ & F). rewrite LS in F. rewrite F. apply Z_mod_plus_full.
  Qed.
End Chain.

(* ---------------------------------------------------------------- steps whose quotient is a product *)
(* What the numbers of a design have to be; `product` are the cycles of the product. *)
Definition fits (W modulus latency product steps word quotient_rows quotient_signs quotient_places quotient_minus quotient_cycles
  guard multiple_rows multiple_signs multiple_places multiple_minus multiple_cycles : Z) : bool :=
  (let q := Z.to_nat (quotient_rows - 1) in let n := Z.to_nat (multiple_rows - 2) in
  (3 <=? W) && (0 <? modulus) && (modulus <? 2 ^ W) && (1 <=? steps) && (2 <=? word) && (word <=? W + 2) && (W + 2 <=? steps * word) && (1 <=? quotient_rows) && (2 <=? multiple_rows) &&
  (1 <=? product) && (1 <=? quotient_cycles) && (1 <=? multiple_cycles) && (0 <=? guard) && (guard <=? word) &&
  (latency =? product + steps * (quotient_cycles + multiple_cycles)) && ((guard =? word) || (multiple_rows <=? 2 ^ guard)) &&
  (negatives quotient_places quotient_signs q =? quotient_minus) && (negatives multiple_places multiple_signs n =? multiple_minus) &&
  (factor multiple_places multiple_signs n =? modulus) && ((modulus * factor quotient_places quotient_signs q + 1) mod 2 ^ word =? 0))%bool.

Lemma fits_says : forall W modulus latency product steps word quotient_rows quotient_signs quotient_places quotient_minus quotient_cycles
    guard multiple_rows multiple_signs multiple_places multiple_minus multiple_cycles,
  fits W modulus latency product steps word quotient_rows quotient_signs quotient_places quotient_minus quotient_cycles
    guard multiple_rows multiple_signs multiple_places multiple_minus multiple_cycles = true ->
  let q_digits := Z.to_nat (quotient_rows - 1) in let n_digits := Z.to_nat (multiple_rows - 2) in
  (3 <= W /\ 0 < modulus < 2 ^ W /\ 1 <= steps /\ 2 <= word /\ word <= W + 2 /\ W + 2 <= steps * word /\ 1 <= quotient_rows /\ 2 <= multiple_rows) /\
  (1 <= product /\ 1 <= quotient_cycles /\ 1 <= multiple_cycles /\ 0 <= guard <= word /\ latency = product + steps * (quotient_cycles + multiple_cycles)) /\
  (guard = word \/ multiple_rows <= 2 ^ guard) /\ negatives quotient_places quotient_signs q_digits = quotient_minus /\
  negatives multiple_places multiple_signs n_digits = multiple_minus /\ factor multiple_places multiple_signs n_digits = modulus /\
  (modulus * factor quotient_places quotient_signs q_digits + 1) mod 2 ^ word = 0.
Proof.
  intros until 1. match goal with F : fits _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ = true |- _ => unfold fits in F; cbv zeta in F |- *;
    rewrite !Bool.andb_true_iff, Bool.orb_true_iff, !Z.leb_le, !Z.ltb_lt, !Z.eqb_eq in F; clear - F end. tauto.
Qed.

Section Modulus.
  Variables (W modulus latency product steps word quotient_rows quotient_signs quotient_places quotient_minus quotient_cycles
    guard multiple_rows multiple_signs multiple_places multiple_minus multiple_cycles : Z).
  (* the nets of the control; operands, result and the modulus that a user takes *)
  Variables (net : trace) (a b n shown valid owed waiting put take puts result places : nat -> Z).
  (* the product, the rows of the sums, the sums, the values of steps, and the delay line of a step *)
  Variables (product_total : nat -> Z) (quotient_vectors quotient_total multiple_vectors multiple_total v_before v_after line : Z -> nat -> Z).
  Let value_bits (i : Z) : Z := Z.max (2 * (W + 1) - i * word) (W + 1) + Z.min 1 i * Z.min 1 (steps - i).
  Let low := word - guard.
  Let PT := Z.to_nat product.
  Let Q := Z.to_nat quotient_cycles.
  Let M := Z.to_nat multiple_cycles.
  Let q_digits := Z.to_nat (quotient_rows - 1).
  Let n_digits := Z.to_nat (multiple_rows - 2).
  Hypotheses (fit : fits W modulus latency product steps word quotient_rows quotient_signs quotient_places quotient_minus quotient_cycles
      guard multiple_rows multiple_signs multiple_places multiple_minus multiple_cycles = true)
    (inputs : forall t, (0 <= a t < 2 ^ (W + 1) /\ 0 <= b t < 2 ^ (W + 1)) /\ 0 <= net "req_valid_i" t < 2 /\ 0 <= net "rsp_ready_i" t < 2)
    (* the buffer *)
    (H_handshake : forall t, net "req_ready_o" t = (if owed t =? latency + 2 then 0 else 1) /\ net "rsp_valid_o" t = (if waiting t =? 0 then 0 else 1))
    (H_empty : forall t, t = O -> owed t = 0 /\ waiting t = 0 /\ put t = 0 /\ take t = 0)
    (H_counts : forall t, owed t <= latency + 2 -> waiting t + puts t <= owed t ->
      owed (S t) = owed t + net "req_valid_i" t * net "req_ready_o" t - net "rsp_valid_o" t * net "rsp_ready_i" t /\
      waiting (S t) = waiting t + puts t - net "rsp_valid_o" t * net "rsp_ready_i" t)
    (H_places : forall t, put t < latency + 2 -> take t < latency + 2 ->
      put (S t) = (if puts t =? 1 then if put t =? latency + 2 - 1 then 0 else put t + 1 else put t) /\
      take (S t) = (if net "rsp_valid_o" t * net "rsp_ready_i" t =? 1 then if take t =? latency + 2 - 1 then 0 else take t + 1 else take t))
    (H_keeps : forall t i, 0 <= i < latency + 2 -> part (places (S t)) (i * (W + 1)) (W + 1) =
      (if puts t =? 1 then if put t =? i then result t else part (places t) (i * (W + 1)) (W + 1) else part (places t) (i * (W + 1)) (W + 1)))
    (H_shows : forall t i, 0 <= i < latency + 2 -> take t = i -> shown t = part (places t) (i * (W + 1)) (W + 1))
    (* results under way *)
    (H_none : forall t, t = O -> valid t = 0) (H_enters : forall t, valid (S t) = (2 * valid t + net "req_valid_i" t * net "req_ready_o" t) mod 2 ^ latency)
    (H_leaves : forall t, puts t = part (valid t) (latency - 1) 1)
    (* the product *)
    (product_is : forall t, part (product_total (PT + t)%nat) 0 (2 * (W + 1)) = a t * b t)
    (* the values of steps *)
    (H_values : forall t, part (v_before 0 t) 0 (2 * (W + 1)) = part (product_total t) 0 (2 * (W + 1)) /\
      (forall i, 0 <= i < steps - 1 -> part (v_before (i + 1) t) 0 (value_bits (i + 1)) = part (v_after i t) 0 (value_bits (i + 1))) /\
      result t = part (v_after (steps - 1) t) 0 (W + 1))
    (H_result : forall t i, 0 <= i < steps -> part (v_after i t) 0 (value_bits (i + 1)) = part (multiple_total i t) guard (value_bits (i + 1)))
    (* the quotient *)
    (H_quotient_terms : forall t i, 0 <= i < steps ->
      (forall r, 0 <= r < quotient_rows - 1 - 0 -> part (quotient_vectors i t) ((0 + r) * word) word =
        ((if sign_of quotient_signs r =? 1 then 2 ^ word - 1 - part (v_before i t) 0 word else part (v_before i t) 0 word) * 2 ^ place_of quotient_places r / 2 ^ 0) mod 2 ^ word) /\
      part (quotient_vectors i t) ((0 + (quotient_rows - 1 - 0)) * word) word = ((0 + quotient_minus - quotient_minus * 2 ^ word) / 2 ^ 0) mod 2 ^ word)
    (quotient_sum : forall i t v, 0 <= i < steps -> (2 ^ word | total (vectors word (quotient_vectors i t)) (Z.to_nat quotient_rows) - v) ->
      part (quotient_total i (Q + t)%nat) 0 word = v mod 2 ^ word)
    (* its multiple *)
    (H_kept : forall t i, 0 <= i < steps -> let kept := value_bits i - low in let sum := value_bits (i + 1) + guard in
      part (line i (S t)) (0 * kept) kept = part (v_before i t) low kept /\
      (forall e, 0 <= e < quotient_cycles - 1 -> part (line i (S t)) ((e + 1) * kept) kept = part (line i t) (e * kept) kept) /\
      part (multiple_vectors i t) (0 * sum) sum = part (line i t) ((quotient_cycles - 1) * kept) kept mod 2 ^ sum)
    (H_multiple_terms : forall t i, 0 <= i < steps -> let sum := value_bits (i + 1) + guard in let q := part (quotient_total i t) 0 word in
      (forall r, 0 <= r < multiple_rows - 1 - 1 -> part (multiple_vectors i t) ((1 + r) * sum) sum =
        ((if sign_of multiple_signs r =? 1 then 2 ^ word - 1 - q else q) * 2 ^ place_of multiple_places r / 2 ^ low) mod 2 ^ sum) /\
      part (multiple_vectors i t) ((1 + (multiple_rows - 1 - 1)) * sum) sum = (((2 ^ guard - 1) * 2 ^ low + multiple_minus - multiple_minus * 2 ^ word) / 2 ^ low) mod 2 ^ sum)
    (multiple_sum : forall i t v, 0 <= i < steps -> let sum := value_bits (i + 1) + guard in 1 <= sum ->
      (2 ^ sum | total (vectors sum (multiple_vectors i t)) (Z.to_nat multiple_rows) - v) -> part (multiple_total i (M + t)%nat) 0 sum = v mod 2 ^ sum).

  Let sizes := fits_says _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ fit.

  Let before (i : Z) (t : nat) : Z := part (v_before i t) 0 (value_bits i).
  Let after (i : Z) (t : nat) : Z := part (v_after i t) 0 (value_bits (i + 1)).

  Lemma value_widths : value_bits 0 = 2 * (W + 1) /\ value_bits steps = W + 1 /\ forall i, 0 < i < steps -> value_bits i = Z.max (2 * (W + 1) - i * word) (W + 1) + 1.
  Proof.
    destruct sizes as ((HW & _ & S1 & W2 & _ & W3 & _) & _). unfold value_bits. clear - HW S1 W2 W3. split; [| split].
    - rewrite Z.min_r by lia. lia.
    - rewrite Z.sub_diag, (Z.min_r 1 0), Z.max_r by lia. lia.
    - intros i I. rewrite !Z.min_l by lia. lia.
  Qed.

  Section Step.
  Variables (i : Z).
  Hypothesis at_step : 0 <= i < steps.
  Let kept_bits := value_bits i - low.
  Let sum_bits := value_bits (i + 1) + guard.
  Let q (t : nat) : Z := part (quotient_total i t) 0 word.

  Lemma widths : (1 <= word /\ 0 <= low <= word /\ 0 <= guard <= word) /\ word <= value_bits i /\ 1 <= value_bits (i + 1).
  Proof.
    destruct sizes as ((HW & _ & S1 & W2 & WW & _) & (_ & _ & _ & G & _) & _). destruct value_widths as (V0 & V1 & V2). unfold low. clear - HW S1 W2 WW G V0 V1 V2 at_step.
    split; [lia | split].
    - destruct (Z.eq_dec i 0) as [-> |]; [lia |]. rewrite V2 by lia. lia.
    - destruct (Z.eq_dec (i + 1) steps) as [-> |]; [lia |]. rewrite V2 by lia. lia.
  Qed.

  Lemma quotient_is : forall t, q (Q + t)%nat = (part (before i t) 0 word * factor quotient_places quotient_signs q_digits) mod 2 ^ word.
  Proof.
    intros t. destruct widths as ((HW & _) & B & _). destruct sizes as ((_ & _ & _ & _ & _ & _ & QR & _) & _ & _ & NQ & _). apply (quotient_sum i t _ at_step).
    set (x := part (before i t) 0 word). assert (X : part (v_before i t) 0 word = x) by (unfold x, before; rewrite part_low by lia; reflexivity).
    destruct (H_quotient_terms t i at_step) as [R L]. rewrite X in R. rewrite <- NQ in L.
    assert (DN : quotient_rows - 1 - 0 = Z.of_nat q_digits) by (unfold q_digits; clear - QR; lia). rewrite DN in R, L.
    destruct (constant_rows word 0 word x quotient_places quotient_signs 0 q_digits (fun r => vector word (quotient_vectors i t) (0 + r)) ltac:(clear - HW; lia) R L) as (s & e & D & S1 & E1).
    change (2 ^ 0) with 1 in S1, E1. replace (Z.to_nat quotient_rows) with (S q_digits) by (unfold q_digits; clear - QR; lia).
    replace (x * factor quotient_places quotient_signs q_digits) with s by (clear - S1 E1; lia). exact D.
  Qed.

  Lemma kept_is : forall d t, (d < Q)%nat ->
    part (line i (S d + t)%nat) (Z.of_nat d * kept_bits) kept_bits =
    part (before i t) low kept_bits.
  Proof.
    destruct widths as ((_ & L & _) & B & _). induction d; intros t D.
    - destruct (H_kept t i at_step) as [E _]. etransitivity; [exact E |]. symmetry. unfold before. rewrite part_part by (unfold kept_bits; lia). reflexivity.
    - destruct (H_kept (S d + t)%nat i at_step) as (_ & E & _). rewrite <- (IHd t) by lia. rewrite Nat2Z.inj_succ. apply (E (Z.of_nat d)). unfold Q in D. lia.
  Qed.

  Theorem step_is : forall t z, before i t + q (Q + t)%nat * modulus = 2 ^ word * z -> after i (M + (Q + t))%nat = z mod 2 ^ value_bits (i + 1).
  Proof.
    intros t z E. destruct widths as ((HW & L & G) & B & B1). destruct sizes as ((_ & _ & _ & _ & _ & _ & _ & MR) & (_ & QC & _) & C & _ & NM & FM & _).
    set (u := (Q + t)%nat) in *. set (rows := multiple_vectors i u).
    assert (Hs : 1 <= sum_bits) by (unfold sum_bits; clear - B1 G; lia).
    assert (DN : multiple_rows - 1 - 1 = Z.of_nat n_digits) by (unfold n_digits; clear - MR; lia).
    destruct (step_rows word guard (value_bits i) sum_bits (before i t) (q u) z modulus multiple_places multiple_signs n_digits rows) as (s & D & S1).
    - exact G.
    - fold low. clear - B L. lia.
    - clear - Hs. lia.
    - apply part_range. clear - B HW. lia.
    - fold low kept_bits. destruct (H_kept u i at_step) as (_ & _ & K0). etransitivity; [exact K0 |]. f_equal.
      assert (QN : Q = S (Q - 1)) by (unfold Q; clear - QC; lia). replace u with (S (Q - 1) + t)%nat by (unfold u; clear - QN; lia). rewrite <- (kept_is (Q - 1) t) by (clear - QN; lia).
      replace (quotient_cycles - 1) with (Z.of_nat (Q - 1)) by (unfold Q; clear - QC; lia). reflexivity.
    - destruct (H_multiple_terms u i at_step) as [R _]. rewrite DN in R. exact R.
    - destruct (H_multiple_terms u i at_step) as [_ R]. rewrite DN, <- NM in R. exact R.
    - exact FM.
    - destruct C as [C | C]; [left; exact C | right; clear - C MR DN; unfold n_digits in *; lia].
    - exact E.
    - replace (S (S n_digits)) with (Z.to_nat multiple_rows) in D by (clear - DN MR; lia).
      pose proof (multiple_sum i u s at_step Hs D) as R. cbv zeta in R. fold sum_bits in R.
      unfold after. etransitivity; [apply (H_result _ i at_step) |]. fold (value_bits (i + 1)).
      rewrite <- (part_part _ 0 sum_bits guard) by (unfold sum_bits; clear - G B1; lia). etransitivity; [apply (f_equal (fun y => part y guard (value_bits (i + 1)))); exact R |].
      etransitivity; [apply (high_part s guard (value_bits (i + 1)) sum_bits); unfold sum_bits; clear - G B1; lia |]. rewrite S1. reflexivity.
  Qed.
  End Step.

  Lemma divided : forall i t, 0 <= i < steps -> exists z q, before i t + q * modulus = 2 ^ word * z /\ 0 <= q < 2 ^ word /\ after i (M + (Q + t))%nat = z mod 2 ^ value_bits (i + 1).
  Proof.
    intros i t I. pose proof (quotient_is i I t) as E. pose proof (step_is i I t) as F. cbv beta in E, F. destruct (widths i I) as ((HW & _) & B & _).
    destruct sizes as (_ & _ & _ & _ & _ & _ & NQ). set (q := part (quotient_total i (Q + t)%nat) 0 word) in *. set (v := before i t) in *.
    pose proof (Z.pow_pos_nonneg 2 word ltac:(lia) ltac:(clear - HW; lia)) as P. assert (D : (2 ^ word | v + q * modulus)).
    { assert (V : part v 0 word = v mod 2 ^ word) by (unfold part; rewrite Z.div_1_r; reflexivity). rewrite V in E. clear V F. set (f := factor _ _ _) in *.
      apply Z.mod_divide in NQ; [| clear - P; lia]. destruct NQ as [k NQ]. rewrite E, (Z.mod_eq (v mod _ * f)), (Z.mod_eq v) by (clear - P; lia). set (r := 2 ^ word) in *.
      exists (k * (v - r * (v / r)) + v / r - (v - r * (v / r)) * f / r * modulus).
      replace (v + ((v - r * (v / r)) * f - r * ((v - r * (v / r)) * f / r)) * modulus) with
        ((v - r * (v / r)) * (modulus * f + 1) + r * (v / r) - r * ((v - r * (v / r)) * f / r) * modulus) by ring. rewrite NQ. ring. }
    destruct D as [z D]. exists z, q. split; [lia |]. split; [apply part_range; clear - HW; lia |]. apply F. lia.
  Qed.

  Theorem result_is : forall c, 0 <= a c < 2 * modulus -> 0 <= b c < 2 * modulus -> 0 <= result (c + Z.to_nat latency)%nat < 2 * modulus /\
    (result (c + Z.to_nat latency)%nat * 2 ^ (steps * word)) mod modulus = (a c * b c) mod modulus.
  Proof.
    intros c A B. destruct sizes as ((HW & N & S1 & W2 & _ & W3 & _) & (PC & QC & MC & _ & LE) & _). destruct value_widths as (V0 & V1 & _).
    assert (TE : (c + Z.to_nat latency)%nat = (Z.to_nat steps * (M + Q) + (PT + c))%nat).
    { unfold M, Q, PT. apply Nat2Z.inj. rewrite !Nat2Z.inj_add, Nat2Z.inj_mul, !Nat2Z.inj_add, !Z2Nat.id by (clear - LE PC QC MC S1; nia). rewrite LE. clear. lia. }
    pose proof (fun D P => chain W modulus steps word 0 before after (M + Q) ltac:(rewrite Z.add_0_r; clear - HW N S1 W2 W3; lia) D P (a c * b c) (PT + c)) as G. rewrite <- TE in G. cbv zeta in G.
    destruct (H_values (c + Z.to_nat latency)%nat) as (_ & _ & E). assert (E2 : result (c + Z.to_nat latency)%nat = after (steps - 1) (c + Z.to_nat latency)%nat).
    { etransitivity; [exact E |]. unfold after. replace (steps - 1 + 1) with steps by (clear; lia). rewrite V1. reflexivity. }
    rewrite E2. apply G.
    - intros i t I. rewrite Z.add_0_r. replace (M + Q + t)%nat with (M + (Q + t))%nat by (clear; lia). apply divided, I.
    - intros i t I. destruct (H_values t) as (_ & P & _). apply (P i I).
    - split; [apply Z.mul_nonneg_nonneg; clear - A B; lia | apply Z.mul_lt_mono_nonneg; clear - A B; lia].
    - unfold before. rewrite V0. destruct (H_values (PT + c)%nat) as [P _]. rewrite P. apply product_is.
  Qed.

  Theorem fixed_modulus : pipelined net a b n shown (S (Z.to_nat latency)) (S (Z.to_nat latency)) (2 ^ (steps * word))
    (fun c => n c = modulus) (fun n x => 0 <= x < 2 * n) (fun n p => 0 <= p < 2 * n).
  Proof.
    destruct sizes as ((_ & _ & S1 & _) & (PC & QC & MC & _ & LE) & _). assert (LP : 1 <= latency) by (clear - LE PC QC MC S1; nia).
    exact (one_modulus W modulus latency _ net a b n shown valid owed waiting put take puts result places LP inputs H_handshake H_empty H_counts H_places H_keeps H_shows H_none H_enters H_leaves result_is).
  Qed.
End Modulus.

(* The sums of a pipeline, by their lemmas T, G, C and S, which speak of net: of the product, of the quotient of a step, and of its multiple. *)
Ltac product_by net wide T G C S := let H1 := fresh in let H2 := fresh in let H3 := fresh in let H4 := fresh in let M1 := fresh in let M0 := fresh in
  pose proof T as H1; pose proof G as H2; pose proof C as H3; pose proof S as H4; red in H1, H2, H3, H4;
  lazymatch type of wide with 3 <= ?W => assert (M1 : 1 <= 2 * (W + 1)) by (clear - wide; lia); assert (M0 : 0 <= 2 * (W + 1)) by (clear - M1; lia) end;
  clear - H1 H2 H3 H4 M1 M0; sum_of_rows net H1 H2 H3 H4.
Ltac of_step net i I T G C S := let H1 := fresh in let H2 := fresh in let H3 := fresh in let H4 := fresh in
  pose proof (fun t => T t i I) as H1; pose proof (fun t => G t i I) as H2; pose proof (fun t => C t i I) as H3; pose proof (fun t => S t i I) as H4.
