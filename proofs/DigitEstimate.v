(* SPDX-License-Identifier: Apache-2.0 *)
(* T + U without the columns of U below k - 1: half of R and an estimate of column k - 2, from the g topmost bits of its digits, make up for them. *)
From Coq Require Import ZArith Lia.
Require Import DigitRecurrence Instances Bits BoothRows DigitPlan.
Open Scope Z_scope.
Set Default Proof Using "All".

Section Estimate.
  Variables (D g W : Z) (k : nat).
  Local Notation place := (place D). Local Notation digit := (digit D). Local Notation grid := (grid k). Local Notation K := (Z.of_nat k).
  Let R := place K. Let G := 2 ^ g. Let r := 2 ^ D.
  Hypotheses (some : (2 <= k)%nat /\ 1 <= g <= D /\ 1 <= W /\ W + 2 <= K * D) (enough : 2 * ((K - 1) * (2 * G - 1) * r + (K - 2) * (G * G)) <= G * G * r).

  Definition top (v i : Z) : Z := part v (i * D + (D - g)) g.
  Definition estimate (u v : Z) : Z := total (fun i => top u (Z.of_nat i) * top v (Z.of_nat (k - 2 - i))) (k - 1).

  Lemma diagonal : forall c f, (c < k)%nat -> grid (fun i j => if i + j =? Z.of_nat c then f i j else 0) = total (fun i => f (Z.of_nat i) (Z.of_nat (c - i))) (S c).
  Proof.
    intros c f C. unfold DigitPlan.grid. rewrite (total_cut _ (Datatypes.S c) k) by lia. rewrite (total_none _ (k - Datatypes.S c)), Z.add_0_r.
    - apply total_ext. intros i I. etransitivity; [| exact (total_one (fun j => f (Z.of_nat i) (Z.of_nat j)) (c - i)%nat k ltac:(lia))]. apply total_ext. intros j _.
      destruct (Nat.eqb_spec j (c - i)), (Z.eqb_spec (Z.of_nat i + Z.of_nat j) (Z.of_nat c)); reflexivity || lia.
    - intros i _. apply total_none. intros j _. destruct (Z.eqb_spec (Z.of_nat (Datatypes.S c + i) + Z.of_nat j) (Z.of_nat c)); [lia | reflexivity].
  Qed.

  Lemma row_below : forall v i c m, 0 <= i <= c -> 0 <= total (fun j => if i + Z.of_nat j <? c then digit v (Z.of_nat j) * place (i + Z.of_nat j) else 0) m <= place (Z.min (i + Z.of_nat m) c).
  Proof.
    intros v i c m I. induction m.
    - cbn [total]. pose proof (place_pos D ltac:(lia) (Z.min (i + Z.of_nat 0) c) ltac:(lia)). lia.
    - cbn [total]. destruct (Z.ltb_spec (i + Z.of_nat m) c) as [L | L].
      + replace (Z.min (i + Z.of_nat (S m)) c) with (i + Z.of_nat m + 1) by lia. rewrite (place_add D ltac:(lia) (i + Z.of_nat m) 1) by lia. rewrite Z.min_l in IHm by lia.
        rewrite place_one by lia. fold r. pose proof (digit_range D ltac:(lia) v (Z.of_nat m)) as V. fold r in V.
        pose proof (place_pos D ltac:(lia) (i + Z.of_nat m) ltac:(lia)). set (p := place (i + Z.of_nat m)) in *. nia.
      + rewrite Z.min_r in * by lia. lia.
  Qed.

  Lemma below : forall u v c, (c <= k)%nat -> 0 <= grid (fun i j => if i + j <? Z.of_nat c then digit u i * digit v j * place (i + j) else 0) <= Z.of_nat c * place (Z.of_nat c + 1).
  Proof.
    intros u v c C. assert (P : 0 < place (Z.of_nat c)) by (apply place_pos; lia).
    assert (E : place (Z.of_nat c + 1) = place (Z.of_nat c) * r) by (rewrite place_add, place_one by lia; reflexivity).
    assert (T : total (fun i => if Nat.ltb i c then place (Z.of_nat c + 1) else 0) k = Z.of_nat c * place (Z.of_nat c + 1)).
    { rewrite (total_cut _ c k C), (total_none _ (k - c)).
      - rewrite (total_ext _ (fun _ => place (Z.of_nat c + 1))) by (intros i I; destruct (Nat.ltb_spec i c); [reflexivity | lia]).
        generalize (place (Z.of_nat c + 1)). intros z. clear. induction c; cbn [total]; lia.
      - intros i _. destruct (Nat.ltb_spec (c + i) c); [lia | reflexivity]. }
    rewrite <- T. apply total_bounds. intros i I. destruct (Nat.ltb_spec i c) as [L | L].
    - pose proof (row_below v (Z.of_nat i) (Z.of_nat c) k ltac:(lia)) as B. rewrite Z.min_r in B by lia.
      rewrite (total_ext _ (fun j => digit u (Z.of_nat i) * (if Z.of_nat i + Z.of_nat j <? Z.of_nat c then digit v (Z.of_nat j) * place (Z.of_nat i + Z.of_nat j) else 0)))
        by (intros; destruct (_ <? _); ring).
      rewrite total_scale, E. pose proof (digit_range D ltac:(lia) u (Z.of_nat i)) as U. fold r in U. nia.
    - rewrite total_none; [lia |]. intros j _. destruct (Z.ltb_spec (Z.of_nat i + Z.of_nat j) (Z.of_nat c)); [lia | reflexivity].
  Qed.

  Let unit := 2 ^ (D - g).

  Lemma powers : r = G * unit /\ 0 < unit /\ 1 < G.
  Proof.
    unfold r, G, unit. rewrite <- Z.pow_add_r by lia. split; [f_equal; lia |]. split; [apply Z.pow_pos_nonneg; lia | apply (Z.pow_gt_1 2 g); lia].
  Qed.

  Lemma near_product : forall u v i j, 0 <= i -> 0 <= j -> 0 <= digit u i * digit v j - top u i * top v j * (unit * unit) <= (2 * G - 1) * (unit * unit).
  Proof.
    assert (S : forall v i, 0 <= i -> exists low, digit v i = top v i * unit + low /\ 0 <= low < unit /\ 0 <= top v i < G).
    { intros v i I. exists (part v (i * D) (D - g)). unfold DigitPlan.digit, top. replace D with ((D - g) + g) at 2 by lia. rewrite part_split by nia. fold unit.
      split; [ring |]. split; apply part_range; lia. }
    intros u v i j I J. destruct (S u i I) as (x & -> & X & U). destruct (S v j J) as (y & -> & Y & V). set (p := top u i) in *. set (q := top v j) in *.
    replace (_ - _) with (p * y * unit + x * q * unit + x * y) by ring.
    clear - X U Y V. assert (between : forall e e' f f', 0 <= e <= e' -> 0 <= f <= f' -> 0 <= e * f <= e' * f').
    { intros e e' f f' E F. split; [apply Z.mul_nonneg_nonneg | apply Z.mul_le_mono_nonneg]; lia. }
    pose proof (between (p * y) ((G - 1) * unit) unit unit ltac:(apply between; lia) ltac:(lia)). pose proof (between (x * q) (unit * (G - 1)) unit unit ltac:(apply between; lia) ltac:(lia)).
    pose proof (between x unit y unit ltac:(lia) ltac:(lia)). lia.
  Qed.

  Variables (a b n n' : Z).
  Hypotheses (n_range : 0 < n < 2 ^ W) (inverse : (n * n' + 1) mod R = 0) (a_range : 0 <= a < 2 * n) (b_range : 0 <= b < 2 * n).
  Let q := (a * b) mod R * n' mod R.
  Let U := grid (fun i j => if i + j <? K - 1 then 0 else digit q i * digit n j * place (i + j)).
  Let S := a * b + U + (2 ^ (2 * g - 1) + estimate q n) * 2 ^ (K * D - 2 * g).

  Lemma sizes : R = G * G * 2 ^ (K * D - 2 * g) /\ 0 < 2 ^ (K * D - 2 * g) /\ 2 * 2 ^ (2 * g - 1) = G * G /\ R = r * place (K - 1) /\ 0 < R /\ 4 * 2 ^ W <= R /\ n < R.
  Proof.
    assert (4 * 2 ^ W <= R). { change 4 with (2 ^ 2). rewrite <- Z.pow_add_r by lia. apply Z.pow_le_mono_r; lia. }
    assert (2 * g <= K * D) by nia. unfold R, DigitPlan.place in *. unfold G, r. split; [rewrite <- !Z.pow_add_r by lia; f_equal; lia |]. split; [apply Z.pow_pos_nonneg; lia |]. split; [| split; [| lia]].
    - rewrite <- Z.pow_add_r, <- Z.pow_succ_r by lia. f_equal. lia.
    - assert (0 <= (K - 1) * D) by (apply Z.mul_nonneg_nonneg; lia). rewrite <- Z.pow_add_r by lia. f_equal. ring.
  Qed.

  Lemma left_out : 0 <= q * n - U - estimate q n * 2 ^ (K * D - 2 * g) /\ 2 * (q * n - U - estimate q n * 2 ^ (K * D - 2 * g)) <= R.
  Proof.
    destruct sizes as (E1 & V0 & E2 & E3 & R0 & E4 & NR). destruct powers as (P1 & P2 & P3). set (V := 2 ^ (K * D - 2 * g)) in *.
    assert (Q : 0 <= q < R) by (apply Z.mod_pos_bound, R0).
    set (c := (k - 2)%nat). assert (EV : unit * unit * place (Z.of_nat c) = V).
    { assert (0 <= Z.of_nat c * D) by (apply Z.mul_nonneg_nonneg; lia). unfold unit, DigitPlan.place, V. rewrite <- !Z.pow_add_r by lia. f_equal.
      replace (Z.of_nat c) with (K - 2) by (unfold c; lia). ring. }
    set (f := fun i j => digit q i * digit n j * place (i + j)).
    assert (A : q * n - U = grid (fun i j => if i + j =? Z.of_nat c then f i j else 0) + grid (fun i j => if i + j <? Z.of_nat c then f i j else 0)).
    { rewrite <- (all_products D k ltac:(lia) q n Q ltac:(lia)). unfold U. enough (E : grid (fun i j => digit q i * digit n j * place (i + j)) =
        (grid (fun i j => if i + j =? Z.of_nat c then f i j else 0) + grid (fun i j => if i + j <? Z.of_nat c then f i j else 0)) +
        grid (fun i j => if i + j <? K - 1 then 0 else digit q i * digit n j * place (i + j))) by lia.
      rewrite <- !grid_add. apply grid_ext. intros i j I J. fold (f i j). unfold c.
      destruct (Z.eqb_spec (i + j) (Z.of_nat (k - 2))), (Z.ltb_spec (i + j) (Z.of_nat (k - 2))), (Z.ltb_spec (i + j) (K - 1)); lia. }
    rewrite (diagonal c f ltac:(unfold c; lia)) in A. pose proof (below q n c ltac:(unfold c; lia)) as B. fold f in B. change (fun i j => if i + j <? Z.of_nat c then digit q i * digit n j * place (i + j) else 0)
      with (fun i j => if i + j <? Z.of_nat c then f i j else 0) in B.
    assert (C : 0 <= total (fun i => f (Z.of_nat i) (Z.of_nat (c - i))) (Datatypes.S c) - estimate q n * V <= (K - 1) * ((2 * G - 1) * V)).
    { unfold estimate. replace (k - 1)%nat with (Datatypes.S c) by (unfold c; lia). fold c. rewrite Z.mul_comm, <- total_scale, <- total_sub.
      replace ((K - 1) * ((2 * G - 1) * V)) with (total (fun _ => (2 * G - 1) * V) (Datatypes.S c)).
      - apply total_bounds. intros i I. unfold f. replace (Z.of_nat i + Z.of_nat (c - i)) with (Z.of_nat c) by lia.
        pose proof (near_product q n (Z.of_nat i) (Z.of_nat (c - i)) ltac:(lia) ltac:(lia)) as N. pose proof (place_pos D ltac:(lia) (Z.of_nat c) ltac:(lia)) as P.
        rewrite <- EV. set (p := place (Z.of_nat c)) in *. set (z := digit q _ * digit n _) in *. set (y := top q _ * top n _) in *.
        replace (z * p - unit * unit * p * y) with ((z - y * (unit * unit)) * p) by ring. replace ((2 * G - 1) * (unit * unit * p)) with ((2 * G - 1) * (unit * unit) * p) by ring.
        split; [apply Z.mul_nonneg_nonneg; lia | apply Z.mul_le_mono_nonneg_r; lia].
      - replace (K - 1) with (Z.of_nat (Datatypes.S c)) by (unfold c; lia). generalize ((2 * G - 1) * V) (Datatypes.S c). clear. intros z m. induction m; cbn [total]; lia. }
    set (x := total _ (Datatypes.S c)) in *. set (lower := grid (fun i j => if i + j <? Z.of_nat c then f i j else 0)) in *.
    replace (Z.of_nat c * place (Z.of_nat c + 1)) with ((K - 2) * place (K - 1)) in B by (unfold c; do 2 f_equal; lia).
    assert (F : 2 * ((K - 1) * ((2 * G - 1) * V)) + 2 * ((K - 2) * place (K - 1)) <= R).
    { assert (r0 : 0 < r) by (unfold r; apply Z.pow_pos_nonneg; lia). apply (Z.mul_le_mono_pos_r _ _ r); [exact r0 |].
      replace ((2 * ((K - 1) * ((2 * G - 1) * V)) + 2 * ((K - 2) * place (K - 1))) * r) with (2 * ((K - 1) * (2 * G - 1) * r) * V + 2 * (K - 2) * (r * place (K - 1))) by ring.
      rewrite <- E3. rewrite E1 at 1. replace (2 * ((K - 1) * (2 * G - 1) * r) * V + 2 * (K - 2) * (G * G * V)) with (2 * ((K - 1) * (2 * G - 1) * r + (K - 2) * (G * G)) * V) by ring.
      rewrite E1. replace (G * G * V * r) with (G * G * r * V) by ring. apply Z.mul_le_mono_nonneg_r; lia. }
    lia.
  Qed.

  Theorem rounded : let p := S / R in 0 <= S < R * 2 ^ (W + 1) /\ 0 <= p < 2 * n /\ (p * R) mod n = (a * b) mod n.
  Proof.
    destruct sizes as (E1 & V0 & E2 & E3 & R0 & E4 & NR). pose proof left_out as [L1 L2]. set (V := 2 ^ (K * D - 2 * g)) in *.
    assert (Q : 0 <= q < R) by (apply Z.mod_pos_bound, R0).
    assert (X : exists m, a * b + q * n = R * m).
    { assert (M : (a * b + q * n) mod R = 0).
      { unfold q. rewrite <- Z.add_mod_idemp_r, Z.mul_mod_idemp_l, <- Z.mul_assoc, Z.mul_mod_idemp_l, Z.add_mod_idemp_r by lia.
        replace (a * b + a * b * (n' * n)) with (a * b * (n * n' + 1)) by ring. rewrite <- Z.mul_mod_idemp_r, inverse, Z.mul_0_r by lia. apply Zmod_0_l. }
      exists ((a * b + q * n) / R). apply Z.div_exact; lia. }
    destruct X as [m X]. assert (H : S = R * m + (R - (q * n - U - estimate q n * V)) - 2 ^ (2 * g - 1) * V).
    { unfold S. fold V. rewrite <- X. assert (2 ^ (2 * g - 1) * V * 2 = R) by (rewrite E1, <- E2; ring). lia. }
    assert (HR : 2 * (2 ^ (2 * g - 1) * V) = R) by (rewrite E1, <- E2; ring). cbv zeta.
    assert (P : S / R = m) by (symmetry; apply (Z.div_unique _ _ _ (S - R * m)); lia). rewrite P.
    assert (M : 0 <= m < 2 * n).
    { pose proof (Z.mul_nonneg_nonneg a b ltac:(lia) ltac:(lia)). pose proof (Z.mul_nonneg_nonneg q n ltac:(lia) ltac:(lia)).
      pose proof (Z.mul_le_mono_nonneg a (2 * n - 1) b (2 * n - 1) ltac:(lia) ltac:(lia) ltac:(lia) ltac:(lia)).
      pose proof (Z.mul_le_mono_nonneg_r (4 * n) R n ltac:(lia) ltac:(lia)). pose proof (Z.mul_le_mono_nonneg_r q (R - 1) n ltac:(lia) ltac:(lia)).
      split; [apply (Z.mul_nonneg_cancel_l R); [exact R0 | rewrite <- X; lia] |]. apply (Z.mul_lt_mono_pos_l R); [exact R0 |]. rewrite <- X. lia. }
    split; [| split; [exact M |]].
    - pose proof (Z.mul_nonneg_nonneg R m ltac:(lia) ltac:(lia)). split; [lia |]. rewrite Z.pow_add_r by lia. change (2 ^ 1) with 2.
      pose proof (Z.mul_le_mono_nonneg_l (m + 1) (2 ^ W * 2) R ltac:(lia) ltac:(lia)). lia.
    - rewrite Z.mul_comm, <- X. apply Z_mod_plus_full.
  Qed.
End Estimate.
