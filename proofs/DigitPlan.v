(* SPDX-License-Identifier: Apache-2.0 *)
(* A Montgomery product of k digits of D bits from digit products that a plan issues, M in a step: T = A B, Q = T N' mod R, U = Q N. Q reads digits of T,
   and U reads digits of Q, while the sums are still under way. The plan is an integer, 11 bits an issue; `good` finds by computation that it is complete and in order. *)
From Coq Require Import ZArith Lia List Bool.
Require Import DigitRecurrence WordSerial Bits BoothRows Groups.
Import ListNotations.
Open Scope Z_scope.

(* ---------------------------------------------------------------- sums *)
Lemma total_add : forall f g k, total (fun i => f i + g i) k = total f k + total g k.
Proof. induction k; cbn [total]; lia. Qed.

Lemma total_scale : forall c f k, total (fun i => c * f i) k = c * total f k.
Proof. induction k; cbn [total]; lia. Qed.

Lemma total_none : forall f k, (forall i, (i < k)%nat -> f i = 0) -> total f k = 0.
Proof. induction k; intros H; cbn [total]; [reflexivity |]. rewrite IHk by (intros; apply H; lia). rewrite H by lia. reflexivity. Qed.

Lemma total_cut : forall f j k, (j <= k)%nat -> total f k = total f j + total (fun i => f (j + i)%nat) (k - j).
Proof. intros. rewrite <- total_split. f_equal. lia. Qed.

Lemma total_first : forall f k, total f (S k) = f O + total (fun i => f (S i)) k.
Proof. intros. change (S k) with (1 + k)%nat. rewrite total_split. reflexivity. Qed.

Lemma total_swap : forall (f : nat -> nat -> Z) j k, total (fun i => total (f i) k) j = total (fun i => total (fun l => f l i) j) k.
Proof. induction j; intros k; cbn [total]; [symmetry; apply total_none; reflexivity |]. rewrite IHj, <- total_add. reflexivity. Qed.

Lemma total_one : forall f j k, (j < k)%nat -> total (fun i => if Nat.eqb i j then f i else 0) k = f j.
Proof.
  induction k; intros L; [lia |]. cbn [total]. destruct (Nat.eqb_spec k j) as [-> | N].
  - rewrite total_none; [lia |]. intros i I. destruct (Nat.eqb_spec i j); [lia | reflexivity].
  - rewrite IHk by lia. lia.
Qed.

Lemma total_bounds : forall f g k, (forall i, (i < k)%nat -> 0 <= f i <= g i) -> 0 <= total f k <= total g k.
Proof. induction k; intros H; cbn [total]; [lia |]. specialize (IHk (fun i L => H i (Nat.lt_lt_succ_r _ _ L))). specialize (H k (Nat.lt_succ_diag_r k)). lia. Qed.

Lemma total_rows : forall f m s, total f (s * m) = total (fun i => total (fun j => f (i * m + j)%nat) m) s.
Proof. induction s; [reflexivity |]. cbn [total]. replace (S s * m)%nat with (s * m + m)%nat by lia. rewrite total_split, IHs. reflexivity. Qed.

Lemma total_digits : forall r f k, digits r f k = total (fun i => f i * pw r i) k.
Proof. induction k; cbn [digits total]; [reflexivity |]. rewrite IHk. ring. Qed.

Lemma divide_sub : forall M x y z, (M | x - y) -> (M | y - z) -> (M | x - z).
Proof. intros M x y z A B. replace (x - z) with ((x - y) + (y - z)) by lia. apply Z.divide_add_r; assumption. Qed.

(* ---------------------------------------------------------------- the plan *)
Definition phase (plan e : Z) : Z := (plan / 2 ^ (11 * e + 8)) mod 4.
Definition first (plan e : Z) : Z := (plan / 2 ^ (11 * e + 4)) mod 16.
Definition second (plan e : Z) : Z := (plan / 2 ^ (11 * e + 0)) mod 16.

Definition issue : Set := Z * Z * Z.
Fixpoint decoded (plan : Z) (n : nat) : list issue := match n with
  | O => [] | S l => (Z.land (Z.shiftr plan 8) 3, Z.land (Z.shiftr plan 4) 15, Z.land plan 15) :: decoded (Z.shiftr plan 11) l end.

Lemma decoded_at : forall n plan e d, (e < n)%nat -> nth e (decoded plan n) d = (phase plan (Z.of_nat e), first plan (Z.of_nat e), second plan (Z.of_nat e)).
Proof.
  assert (field : forall plan low w, 0 <= low -> 0 <= w -> Z.land (Z.shiftr plan low) (Z.ones w) = (plan / 2 ^ low) mod 2 ^ w)
    by (intros; rewrite Z.land_ones, Z.shiftr_div_pow2 by lia; reflexivity).
  induction n; intros plan e d L; [lia |]. destruct e as [| e]; cbn [decoded nth].
  - unfold phase, first, second. change (11 * Z.of_nat 0) with 0. change (Z.land plan 15) with (Z.land (Z.shiftr plan 0) 15).
    change 3 with (Z.ones 2). change 15 with (Z.ones 4). rewrite !field by lia. reflexivity.
  - rewrite IHn by lia. unfold phase, first, second. rewrite Z.shiftr_div_pow2 by lia.
    assert (G : forall low, 0 <= low -> plan / 2 ^ 11 / 2 ^ (11 * Z.of_nat e + low) = plan / 2 ^ (11 * Z.of_nat (S e) + low)).
    { intros low H. rewrite Z.div_div by (try apply Z.pow_nonzero; try apply Z.pow_pos_nonneg; lia). rewrite <- Z.pow_add_r by lia. do 2 f_equal. lia. }
    rewrite !G by lia. reflexivity.
Qed.

(* Above its issues a plan has none. *)
Lemma no_issue : forall plan n e, 0 <= plan < 2 ^ (11 * n) -> 0 <= n <= e -> phase plan e = 0.
Proof.
  intros plan n e P N. unfold phase. rewrite Z.div_small; [reflexivity |]. split; [lia |]. apply Z.lt_le_trans with (2 ^ (11 * n)); [lia | apply Z.pow_le_mono_r; lia].
Qed.

Lemma decoded_length : forall n plan, length (decoded plan n) = n.
Proof. induction n; intros; cbn [decoded length]; [reflexivity | rewrite IHn; reflexivity]. Qed.

(* ---------------------------------------------------------------- what makes a plan good *)
Definition is_issue (p i j : Z) (x : issue) : bool := let '(q, v, w) := x in (q =? p) && (v =? i) && (w =? j).
Definition count (p i j : Z) (l : list issue) : Z := Z.of_nat (length (filter (is_issue p i j) l)).
Definition within (k : Z) (x : issue) : bool := let '(p, i, j) := x in (p =? 0) || (0 <=? i) && (i <? k) && ((0 <=? j) && (j <? k)).
Definition wanted (k kept p i j : Z) : Z := if p =? 1 then 1 else if p =? 2 then (if i + j <? k then 1 else 0) else if i + j <? kept then 0 else 1.
Definition complete (k : nat) (kept : Z) (l : list issue) : bool := forallb (within (Z.of_nat k)) l && forallb (fun p => forallb (fun i => forallb (fun j =>
  count p (Z.of_nat i) (Z.of_nat j) l =? wanted (Z.of_nat k) kept p (Z.of_nat i) (Z.of_nat j)) (seq 0 k)) (seq 0 k)) [1; 2; 3].

(* x in step s may be issued with y in step u: a digit of T or Q is final L steps after the last product that it hangs on; no product of U is added before one of Q is issued. *)
Definition in_time (L : nat) (x y : nat * issue) : bool := let '(s, (p, i, _)) := x in let '(u, (q, v, w)) := y in
  (if ((p =? 2) && (q =? 1) || (p =? 3) && (q =? 2)) && (v + w <=? i) then Nat.leb (u + L) s else true) && (if (p =? 2) && (q =? 3) then Nat.leb s u else true).
Definition placed (M : nat) (l : list issue) : list (nat * issue) := combine (map (fun e => (e / M)%nat) (seq 0 (length l))) l.
Definition in_order (M L : nat) (l : list issue) : bool := let a := placed M l in
  forallb (fun x => forallb (in_time L x) a) a && forallb (fun x => let '(s, (p, _, _)) := x in (p <? 2) || Nat.leb 1 s) a.
Definition good (k M L N : nat) (kept plan : Z) : bool := let l := decoded plan N in complete k kept l && in_order M L l.

Lemma in_placed : forall M l e d, (e < length l)%nat -> In ((e / M)%nat, nth e l d) (placed M l).
Proof.
  intros M l e d L. unfold placed. assert (E : length (map (fun i => (i / M)%nat) (seq 0 (length l))) = length l) by (rewrite map_length, seq_length; reflexivity).
  replace ((e / M)%nat, nth e l d) with (nth e (combine (map (fun i => (i / M)%nat) (seq 0 (length l))) l) ((0 / M)%nat, d)).
  - apply nth_In. rewrite combine_length, E. lia.
  - rewrite combine_nth by exact E. f_equal. rewrite map_nth with (f := fun i => (i / M)%nat), seq_nth by exact L. reflexivity.
Qed.

Section Counted.
  Variables (k : nat) (p : Z) (f : Z -> Z -> Z).
  Hypothesis some : p <> 0.
  Let of (x : issue) : Z := let '(q, i, j) := x in if q =? p then f i j else 0.
  Let grid (g : Z -> Z -> Z) : Z := total (fun i => total (fun j => g (Z.of_nat i) (Z.of_nat j)) k) k.


  Lemma one_place : forall i j, 0 <= i < Z.of_nat k -> 0 <= j < Z.of_nat k -> grid (fun v w => if (i =? v) && (j =? w) then f v w else 0) = f i j.
  Proof.
    intros i j I J. unfold grid. etransitivity; [| exact (total_one (fun v => f i j) (Z.to_nat i) k ltac:(lia))].
    apply total_ext. intros v _. destruct (Nat.eqb_spec v (Z.to_nat i)) as [-> | N].
    - etransitivity; [| exact (total_one (fun w => f i j) (Z.to_nat j) k ltac:(lia))]. apply total_ext. intros w _. rewrite Z2Nat.id, Z.eqb_refl by lia. cbn [andb].
      destruct (Nat.eqb_spec w (Z.to_nat j)) as [-> | N]; [rewrite Z2Nat.id, Z.eqb_refl by lia; reflexivity |]. destruct (Z.eqb_spec j (Z.of_nat w)); [lia | reflexivity].
    - apply total_none. intros w _. destruct (Z.eqb_spec i (Z.of_nat v)); [lia | reflexivity].
  Qed.

  Lemma counted : forall l d, forallb (within (Z.of_nat k)) l = true -> total (fun e => of (nth e l d)) (length l) = grid (fun i j => count p i j l * f i j).
  Proof.
    induction l as [| [[q v] w] l IH]; intros d R.
    - cbn [length total]. symmetry. apply total_none. intros. apply total_none. intros. unfold count. cbn [filter length]. lia.
    - cbn [forallb] in R. apply andb_true_iff in R as [R0 R]. cbn [length]. rewrite total_first. cbn [nth]. rewrite (IH d R).
      assert (E : grid (fun i j => count p i j ((q, v, w) :: l) * f i j) =
        grid (fun i j => if is_issue p i j (q, v, w) then f i j else 0) + grid (fun i j => count p i j l * f i j)).
      { unfold grid. rewrite <- total_add. apply total_ext. intros i _. rewrite <- total_add. apply total_ext. intros j _. unfold count. cbn [filter].
        destruct (is_issue _ _ _ _); cbn [length]; lia. }
      etransitivity; [| symmetry; exact E]. clear E. f_equal. unfold of, is_issue. destruct (Z.eqb_spec q p) as [-> | N]; cbn [andb].
      + cbn [within] in R0. unfold within in R0. symmetry. apply one_place; destruct (Z.eqb_spec p 0); cbn [orb] in R0; lia.
      + symmetry. apply total_none. intros. apply total_none. reflexivity.
  Qed.
End Counted.

(* ---------------------------------------------------------------- digits *)
Section Digits.
  Variables (D : Z) (k : nat).
  Hypothesis wide : 1 <= D.
  Definition digit (v i : Z) : Z := part v (i * D) D.
  Definition place (c : Z) : Z := 2 ^ (c * D).

  Lemma place_pos : forall c, 0 <= c -> 0 < place c.
  Proof. intros. apply Z.pow_pos_nonneg; nia. Qed.

  Lemma place_add : forall c d, 0 <= c -> 0 <= d -> place (c + d) = place c * place d.
  Proof. intros. unfold place. rewrite <- Z.pow_add_r by nia. f_equal. ring. Qed.

  Lemma place_one : place 1 = 2 ^ D.
  Proof. unfold place. f_equal. lia. Qed.

  Lemma place_divides : forall c d, 0 <= c <= d -> (place c | place d).
  Proof. intros c d L. exists (place (d - c)). rewrite <- place_add by lia. f_equal. lia. Qed.

  Lemma digit_range : forall v i, 0 <= digit v i < 2 ^ D.
  Proof. intros. apply part_range. lia. Qed.

  Lemma in_digits : forall v, 0 <= v < place (Z.of_nat k) -> total (fun i => digit v (Z.of_nat i) * place (Z.of_nat i)) k = v.
  Proof.
    intros v V. assert (r1 : 1 < 2 ^ D) by (apply (Z.pow_gt_1 2 D); lia). transitivity (v mod pw (2 ^ D) k); [| apply Z.mod_small; rewrite pw_words by lia; exact V].
    rewrite <- word_digits, total_digits by exact r1. apply total_ext. intros i _. unfold digit, part, place. rewrite pw_words by lia. reflexivity.
  Qed.

  Lemma same_digit : forall u v i, 0 <= i -> (place (i + 1) | u - v) -> digit u i = digit v i.
  Proof.
    intros u v i I [q E]. unfold digit, part. rewrite place_add in E by lia. unfold place in E. rewrite Z.mul_1_l in E.
    replace u with (v + q * 2 ^ D * 2 ^ (i * D)) by lia. rewrite Z.div_add by (apply Z.pow_nonzero; nia). apply Z_mod_plus_full.
  Qed.

  (* a part of a product that comes to digit c of n *)
  Lemma one_part : forall c u n, 0 <= c -> (place (Z.of_nat n) | total (fun i => (if Z.of_nat i =? c then u else 0) * place (Z.of_nat i)) n - u * place c).
  Proof.
    intros c u n C. destruct (Z.lt_ge_cases c (Z.of_nat n)) as [L | L].
    - rewrite (total_ext _ (fun i => if Nat.eqb i (Z.to_nat c) then u * place (Z.of_nat i) else 0)).
      + rewrite (total_one (fun i => u * place (Z.of_nat i))), Z2Nat.id, Z.sub_diag by lia. apply Z.divide_0_r.
      + intros i _. destruct (Z.eqb_spec (Z.of_nat i) c), (Nat.eqb_spec i (Z.to_nat c)); ring || lia.
    - rewrite total_none; [apply Z.divide_opp_r; rewrite Z.opp_sub_distr, Z.sub_0_r || idtac; replace (- (0 - u * place c)) with (u * place c) by ring; apply Z.divide_mul_r, place_divides; lia |].
      intros i I. destruct (Z.eqb_spec (Z.of_nat i) c); [lia | ring].
  Qed.

  Lemma three_parts : forall i j u v w n, 0 <= i -> 0 <= j -> (place (Z.of_nat n) | total (fun p =>
    (((if Z.of_nat p - i - j =? 0 then u else 0) + (if Z.of_nat p - i - j =? 1 then v else 0)) + (if Z.of_nat p - i - j =? 2 then w else 0)) * place (Z.of_nat p)) n -
    (u + v * 2 ^ D + w * (2 ^ D * 2 ^ D)) * place (i + j)).
  Proof.
    intros i j u v w n I J. pose proof (one_part (i + j) u n ltac:(lia)) as A. pose proof (one_part (i + j + 1) v n ltac:(lia)) as B. pose proof (one_part (i + j + 1 + 1) w n ltac:(lia)) as C.
    rewrite !(place_add (i + j + 1) 1), !(place_add (i + j) 1), place_one in C by lia. rewrite (place_add (i + j) 1), place_one in B by lia.
    rewrite (total_ext _ (fun p => ((if Z.of_nat p =? i + j then u else 0) * place (Z.of_nat p) + (if Z.of_nat p =? i + j + 1 then v else 0) * place (Z.of_nat p)) +
      (if Z.of_nat p =? i + j + 1 + 1 then w else 0) * place (Z.of_nat p))).
    - rewrite !total_add. by_sum.
    - intros p _. destruct (Z.eqb_spec (Z.of_nat p - i - j) 0), (Z.eqb_spec (Z.of_nat p - i - j) 1), (Z.eqb_spec (Z.of_nat p - i - j) 2),
        (Z.eqb_spec (Z.of_nat p) (i + j)), (Z.eqb_spec (Z.of_nat p) (i + j + 1)), (Z.eqb_spec (Z.of_nat p) (i + j + 1 + 1)); lia || ring.
  Qed.

  (* vectors of n digits whose digits have the sums of the parts that come to them *)
  Lemma vectors_sum : forall lanes vectors n M (brought : nat -> nat -> Z) more, 0 <= more < place (Z.of_nat n) ->
    (forall p, (p < n)%nat -> total (fun v => part lanes (Z.of_nat v * (Z.of_nat n * D) + Z.of_nat p * D) D) vectors = total (fun j => brought j p) M + digit more (Z.of_nat p)) ->
    total (fun v => part lanes (Z.of_nat v * (Z.of_nat n * D)) (Z.of_nat n * D)) vectors = total (fun j => total (fun p => brought j p * place (Z.of_nat p)) n) M + more.
  Proof.
    intros lanes vectors n M brought more R H.
    assert (words : forall z, 0 <= z < place (Z.of_nat n) -> z = total (fun i => digit z (Z.of_nat i) * place (Z.of_nat i)) n).
    { intros z Z0. assert (r1 : 1 < 2 ^ D) by (apply (Z.pow_gt_1 2 D); lia). transitivity (z mod pw (2 ^ D) n); [symmetry; apply Z.mod_small; rewrite pw_words by lia; exact Z0 |].
      rewrite <- word_digits, total_digits by exact r1. apply total_ext. intros i _. unfold digit, part, place. rewrite pw_words by lia. reflexivity. }
    rewrite (words more R) at 1. rewrite total_swap, <- total_add.
    rewrite (total_ext _ (fun v => total (fun p => part lanes (Z.of_nat v * (Z.of_nat n * D) + Z.of_nat p * D) D * place (Z.of_nat p)) n)).
    - rewrite total_swap. apply total_ext. intros p P. transitivity (place (Z.of_nat p) * total (fun v => part lanes (Z.of_nat v * (Z.of_nat n * D) + Z.of_nat p * D) D) vectors).
      + rewrite <- total_scale. apply total_ext. intros. ring.
      + rewrite (H p P), Z.mul_add_distr_l, <- total_scale. rewrite Z.mul_comm with (m := digit more _). f_equal. apply total_ext. intros. ring.
    - intros v _. assert (0 <= Z.of_nat n * D) by (apply Z.mul_nonneg_nonneg; lia). assert (0 <= Z.of_nat v * (Z.of_nat n * D)) by (apply Z.mul_nonneg_nonneg; lia).
      rewrite (words (part lanes (Z.of_nat v * (Z.of_nat n * D)) (Z.of_nat n * D))) by (apply part_range; lia). apply total_ext. intros p P. unfold digit.
      assert (Z.of_nat p * D + D <= Z.of_nat n * D) by (replace (Z.of_nat p * D + D) with ((Z.of_nat p + 1) * D) by ring; apply Z.mul_le_mono_nonneg_r; lia).
      rewrite part_part by (try apply Z.mul_nonneg_nonneg; lia). reflexivity.
  Qed.

  Definition grid (g : Z -> Z -> Z) : Z := total (fun i => total (fun j => g (Z.of_nat i) (Z.of_nat j)) k) k.

  Lemma grid_ext : forall g h, (forall i j, 0 <= i < Z.of_nat k -> 0 <= j < Z.of_nat k -> g i j = h i j) -> grid g = grid h.
  Proof. intros g h E. apply total_ext. intros i I. apply total_ext. intros j J. apply E; lia. Qed.

  Lemma grid_add : forall g h, grid (fun i j => g i j + h i j) = grid g + grid h.
  Proof. intros. unfold grid. rewrite <- total_add. apply total_ext. intros. apply total_add. Qed.

  Lemma grid_divides : forall m g, (forall i j, 0 <= i < Z.of_nat k -> 0 <= j < Z.of_nat k -> (m | g i j)) -> (m | grid g).
  Proof. intros m g H. apply total_divides. intros. apply total_divides. intros. apply H; lia. Qed.

  Lemma all_products : forall u v, 0 <= u < place (Z.of_nat k) -> 0 <= v < place (Z.of_nat k) -> grid (fun i j => digit u i * digit v j * place (i + j)) = u * v.
  Proof.
    intros u v U V. transitivity (total (fun i => digit u (Z.of_nat i) * place (Z.of_nat i)) k * total (fun j => digit v (Z.of_nat j) * place (Z.of_nat j)) k); [| rewrite !in_digits by assumption; reflexivity].
    rewrite Z.mul_comm, <- total_scale. apply total_ext. intros i _.
    rewrite Z.mul_comm, <- total_scale. apply total_ext. intros j _. rewrite place_add by lia. ring.
  Qed.
End Digits.

(* ---------------------------------------------------------------- a product by the plan *)
Set Default Proof Using "All".
Section Plan.
  Variables (D : Z) (k M L N : nat) (kept plan excess initial_t initial_q : Z).
  Local Notation place := (place D). Local Notation digit := (digit D). Local Notation grid := (grid k).
  Let R := place (Z.of_nat k).
  Let phase (e : nat) := phase plan (Z.of_nat e). Let first (e : nat) := first plan (Z.of_nat e). Let second (e : nat) := second plan (Z.of_nat e).
  Hypotheses (wide : 1 <= D) (some : (1 <= k)%nat /\ (1 <= M)%nat /\ (1 <= L)%nat) (is_good : good k M L N kept plan = true)
    (T_starts : (R | initial_t + excess * grid (fun i j => place (i + j)))) (Q_starts : (R | initial_q + excess * grid (fun i j => if i + j <? Z.of_nat k then place (i + j) else 0))).

  (* operands, and the issues' operands; what the accumulators of T and of Q have when a step reads them *)
  Variables (a b n n' : Z) (x y of_t of_q : nat -> Z).
  Let step (e : nat) : nat := (e / M)%nat.
  Hypotheses (a_range : 0 <= a < R) (b_range : 0 <= b < R) (n_range : 0 <= n < R) (n'_range : 0 <= n' < R)
    (x_is : forall e, (e < N)%nat -> x e = if phase e =? 3 then digit (of_q (step e)) (first e) else if phase e =? 2 then digit (of_t (step e)) (first e) else
      if phase e =? 1 then digit a (first e) else 0)
    (y_is : forall e, (e < N)%nat -> y e = if phase e =? 3 then digit n (second e) else if phase e =? 2 then digit n' (second e) else
      if phase e =? 1 then digit b (second e) else 0).
  Definition term (x y : nat -> Z) (e : nat) : Z := (x e * y e + excess) * place (first e + second e).
  Definition term_t (x y : nat -> Z) (e : nat) : Z := if phase e =? 3 then term x y e else if phase e =? 1 then term x y e else 0.
  Definition term_q (x y : nat -> Z) (e : nat) : Z := if phase e =? 2 then term x y e else 0.
  Hypotheses (of_t_is : forall s, (1 <= s)%nat -> (s * M < N)%nat -> (R | of_t s - (initial_t + total (term_t x y) ((s + 1 - L) * M))))
    (of_q_is : forall s, (1 <= s)%nat -> (s * M < N)%nat -> (R | of_q s - (initial_q + total (term_q x y) ((s + 1 - L) * M)))).

  Let l := decoded plan N.

  Lemma at_issue : forall e, (e < N)%nat -> nth e l (0, 0, 0) = (phase e, first e, second e).
  Proof. intros e E. apply decoded_at, E. Qed.

  Lemma is_complete : forallb (within (Z.of_nat k)) l = true /\ forall p i j, p = 1 \/ p = 2 \/ p = 3 -> 0 <= i < Z.of_nat k -> 0 <= j < Z.of_nat k ->
    count p i j l = wanted (Z.of_nat k) kept p i j.
  Proof.
    pose proof is_good as G. unfold good in G. fold l in G. apply andb_true_iff in G as [G _]. unfold complete in G. apply andb_true_iff in G as [G C]. split; [exact G |].
    intros p i j P I J. rewrite forallb_forall in C. assert (C1 := C p ltac:(cbn [In]; intuition)). rewrite forallb_forall in C1.
    assert (C2 := C1 (Z.to_nat i) ltac:(apply in_seq; lia)). rewrite forallb_forall in C2. assert (C3 := C2 (Z.to_nat j) ltac:(apply in_seq; lia)).
    rewrite !Z2Nat.id in C3 by lia. apply Z.eqb_eq, C3.
  Qed.

  (* a sum over the products of a phase *)
  Lemma of_phase : forall p f, p = 1 \/ p = 2 \/ p = 3 -> total (fun e => if phase e =? p then f (first e) (second e) else 0) N =
    grid (fun i j => wanted (Z.of_nat k) kept p i j * f i j).
  Proof.
    intros p f P. destruct is_complete as [W C]. pose proof (counted k p f ltac:(lia) l (0, 0, 0) W) as G. unfold l at 2 in G. rewrite decoded_length in G.
    change (total (fun i => total (fun j => count p (Z.of_nat i) (Z.of_nat j) l * f (Z.of_nat i) (Z.of_nat j)) k) k) with (grid (fun i j => count p i j l * f i j)) in G.
    rewrite (grid_ext k _ (fun i j => wanted (Z.of_nat k) kept p i j * f i j)) in G by (intros; rewrite C by assumption; reflexivity). rewrite <- G.
    apply total_ext. intros e E. rewrite at_issue by exact E. reflexivity.
  Qed.

  Lemma in_range_of : forall e, (e < N)%nat -> phase e <> 0 -> 0 <= first e < Z.of_nat k /\ 0 <= second e < Z.of_nat k.
  Proof.
    intros e E P. destruct is_complete as [W _]. rewrite forallb_forall in W. assert (I : In (nth e l (0, 0, 0)) l) by (apply nth_In; unfold l; rewrite decoded_length; exact E).
    apply W in I. rewrite at_issue in I by exact E. unfold within in I. destruct (Z.eqb_spec (phase e) 0); [contradiction |]. cbn [orb] in I. lia.
  Qed.

  Lemma ordered : forall e u, (e < N)%nat -> (u < N)%nat ->
    (phase e = 2 /\ phase u = 1 \/ phase e = 3 /\ phase u = 2 -> first u + second u <= first e -> (step u + L <= step e)%nat) /\
    (phase e = 2 -> phase u = 3 -> (step e <= step u)%nat).
  Proof.
    intros e u E U. pose proof is_good as G. unfold good in G. fold l in G. apply andb_true_iff in G as [_ G]. unfold in_order in G. cbv zeta in G. apply andb_true_iff in G as [G _]. rewrite forallb_forall in G.
    assert (G1 := G _ (in_placed M l e (0, 0, 0) ltac:(unfold l; rewrite decoded_length; exact E))). rewrite forallb_forall in G1.
    assert (G2 := G1 _ (in_placed M l u (0, 0, 0) ltac:(unfold l; rewrite decoded_length; exact U))). rewrite !at_issue in G2 by assumption. fold (step e) (step u) in G2.
    unfold in_time in G2. apply andb_true_iff in G2 as [A B]. split.
    - intros [[P Q] | [P Q]] O; rewrite P, Q in A; cbn [Z.eqb Pos.eqb andb orb] in A; destruct (Z.leb_spec (first u + second u) (first e)); try lia; apply Nat.leb_le, A.
    - intros P Q. rewrite P, Q in B. apply Nat.leb_le, B.
  Qed.

  Lemma not_at_once : forall e, (e < N)%nat -> 2 <= phase e -> (1 <= step e)%nat.
  Proof.
    intros e E P. pose proof is_good as G. unfold good in G. fold l in G. apply andb_true_iff in G as [_ G]. unfold in_order in G. cbv zeta in G. apply andb_true_iff in G as [_ G].
    rewrite forallb_forall in G. assert (G1 := G _ (in_placed M l e (0, 0, 0) ltac:(unfold l; rewrite decoded_length; exact E))). rewrite at_issue in G1 by exact E. fold (step e) in G1.
    destruct (Z.ltb_spec (phase e) 2); [lia |]. apply Nat.leb_le, G1.
  Qed.

  Lemma split_phases : forall e, phase e = 0 \/ phase e = 1 \/ phase e = 2 \/ phase e = 3.
  Proof. intros. unfold phase, DigitPlan.phase. pose proof (Z.mod_pos_bound (plan / 2 ^ (11 * Z.of_nat e + 8)) 4 ltac:(lia)). lia. Qed.

  Lemma later_step : forall e s, (s * M <= e)%nat -> (s <= step e)%nat.
  Proof. intros e s H. apply Nat.div_le_lower_bound; lia. Qed.
  Lemma earlier_step : forall e s, (e < s * M)%nat -> (step e < s)%nat.
  Proof. intros e s H. apply Nat.div_lt_upper_bound; lia. Qed.

  (* A value that is read differs from the sum of all products of the phase in higher digits alone. *)
  Lemma read : forall (mem all : nat -> Z) v initial c i X, 0 <= i < Z.of_nat k -> (c <= N)%nat -> (R | v - (initial + total mem c)) -> (R | initial + total all N - X) ->
    (forall u, (u < c)%nat -> mem u = all u) -> (forall u, (c <= u < N)%nat -> (place (i + 1) | all u)) -> digit v i = digit X i.
  Proof.
    intros mem all v initial c i X I C V A done left. apply same_digit; [exact wide | lia |]. assert (P : (place (i + 1) | R)) by (apply place_divides; lia).
    pose proof (Z.divide_trans _ _ _ P V) as V'. pose proof (Z.divide_trans _ _ _ P A) as A'.
    assert (B : (place (i + 1) | total all N - total mem c)).
    { rewrite (total_cut all c N C), (total_ext mem all c done).
      replace (_ - _) with (total (fun u => all (c + u)%nat) (N - c)) by lia. apply total_divides. intros u U. apply left. lia. }
    replace (v - X) with (v - (initial + total mem c) + (initial + total all N - X) - (total all N - total mem c)) by lia.
    apply Z.divide_sub_r; [apply Z.divide_add_r |]; assumption.
  Qed.

  Lemma term_divides : forall u i, phase u <> 0 -> (u < N)%nat -> 0 <= i -> i < first u + second u -> (place (i + 1) | term x y u).
  Proof. intros u i P U I O. unfold term. apply Z.divide_mul_r, place_divides; lia. Qed.

  Let term_of (p : Z) (e : nat) : Z := if phase e =? p then term x y e else 0.

  Lemma product_t : total (fun e => if phase e =? 1 then x e * y e * place (first e + second e) else 0) N = a * b.
  Proof.
    rewrite <- (all_products D k wide a b a_range b_range).
    etransitivity; [| etransitivity; [exact (of_phase 1 (fun i j => digit a i * digit b j * place (i + j)) ltac:(lia)) |]].
    - apply total_ext. intros e E. rewrite x_is, y_is by exact E. destruct (Z.eqb_spec (phase e) 1) as [-> | _]; reflexivity.
    - apply grid_ext. intros. unfold wanted. cbn [Z.eqb Pos.eqb]. ring.
  Qed.

  Lemma sum_t : (R | initial_t + total (term_of 1) N - a * b).
  Proof.
    rewrite <- product_t. replace (total (term_of 1) N) with (total (fun e => if phase e =? 1 then x e * y e * place (first e + second e) else 0) N +
      excess * total (fun e => if phase e =? 1 then place (first e + second e) else 0) N).
    - rewrite (of_phase 1 (fun i j => place (i + j)) ltac:(lia)). rewrite (grid_ext k _ (fun i j => place (i + j))) by (intros; unfold wanted; cbn [Z.eqb Pos.eqb]; ring).
      replace (_ - _) with (initial_t + excess * grid (fun i j => place (i + j))) by lia. exact T_starts.
    - rewrite <- total_scale, <- total_add. apply total_ext. intros e _. unfold term_of, term. destruct (_ =? _); ring.
  Qed.

  Lemma reads_t : forall e, (e < N)%nat -> phase e = 2 -> digit (of_t (step e)) (first e) = digit (a * b) (first e).
  Proof.
    intros e E P. destruct (in_range_of e E ltac:(lia)) as [F _]. assert (S1 : (step e * M <= e)%nat) by (unfold step; rewrite Nat.mul_comm; apply Nat.mul_div_le; lia).
    apply (read (term_t x y) (term_of 1) _ initial_t ((step e + 1 - L) * M) _ _ F); [nia | apply of_t_is; [apply (not_at_once e E); lia | lia] | apply sum_t | |].
    - intros u U. pose proof (earlier_step _ _ U) as B. unfold term_t, term_of. destruct (split_phases u) as [Pu | [Pu | [Pu | Pu]]]; rewrite Pu; try reflexivity.
      pose proof (proj2 (ordered e u E ltac:(nia)) P Pu). lia.
    - intros u [U U']. pose proof (later_step _ _ U) as B. unfold term_of. destruct (Z.eqb_spec (phase u) 1) as [Pu | _]; [| apply Z.divide_0_r].
      apply term_divides; [lia | lia | lia |]. destruct (Z.lt_ge_cases (first e) (first u + second u)) as [O | O]; [exact O |].
      pose proof (proj1 (ordered e u E U') (or_introl (conj P Pu)) O). lia.
  Qed.

  Definition quotient : Z := (a * b) mod R * n' mod R.

  Lemma R_pos : 0 < R.
  Proof. apply place_pos; lia. Qed.

  Lemma low_digits : forall v i, 0 <= i < Z.of_nat k -> digit (v mod R) i = digit v i.
  Proof.
    intros v i I. apply same_digit; [exact wide | lia |]. apply Z.divide_trans with R; [apply place_divides; lia |]. exists (- (v / R)). pose proof R_pos. rewrite Z.mod_eq by lia. ring.
  Qed.

  Lemma sum_q : (R | initial_q + total (term_of 2) N - quotient).
  Proof.
    pose proof R_pos as P. set (t := (a * b) mod R). assert (Tr : 0 <= t < R) by (apply Z.mod_pos_bound, P).
    assert (X : total (fun e => if phase e =? 2 then x e * y e * place (first e + second e) else 0) N = grid (fun i j => if i + j <? Z.of_nat k then digit t i * digit n' j * place (i + j) else 0)).
    { etransitivity; [| etransitivity; [exact (of_phase 2 (fun i j => digit t i * digit n' j * place (i + j)) ltac:(lia)) |]].
      - apply total_ext. intros e E. rewrite x_is, y_is by exact E. destruct (Z.eqb_spec (phase e) 2) as [Pe | _]; [| reflexivity]. rewrite Pe. cbn [Z.eqb Pos.eqb].
        unfold t. destruct (in_range_of e E ltac:(lia)) as [F _]. rewrite (reads_t e E Pe), low_digits by exact F. reflexivity.
      - apply grid_ext. intros. unfold wanted. cbn [Z.eqb Pos.eqb]. destruct (_ <? _); ring. }
    assert (Y : (R | grid (fun i j => if i + j <? Z.of_nat k then digit t i * digit n' j * place (i + j) else 0) - t * n')).
    { set (g := fun i j => if i + j <? Z.of_nat k then 0 else digit t i * digit n' j * place (i + j)).
      assert (E : t * n' = grid (fun i j => if i + j <? Z.of_nat k then digit t i * digit n' j * place (i + j) else 0) + grid g).
      { rewrite <- (all_products D k wide t n' Tr n'_range), <- grid_add. apply grid_ext. intros. unfold g. destruct (_ <? _); ring. }
      rewrite E. replace (_ - _) with (- grid g) by ring. apply Z.divide_opp_r, grid_divides. intros i j I J. unfold g.
      destruct (Z.ltb_spec (i + j) (Z.of_nat k)); [apply Z.divide_0_r | apply Z.divide_mul_r, place_divides; lia]. }
    replace (total (term_of 2) N) with (total (fun e => if phase e =? 2 then x e * y e * place (first e + second e) else 0) N +
      excess * total (fun e => if phase e =? 2 then place (first e + second e) else 0) N).
    - rewrite X, (of_phase 2 (fun i j => place (i + j)) ltac:(lia)).
      rewrite (grid_ext k (fun i j => wanted (Z.of_nat k) kept 2 i j * place (i + j)) (fun i j => if i + j <? Z.of_nat k then place (i + j) else 0)) by (intros; unfold wanted; cbn [Z.eqb Pos.eqb]; destruct (_ <? _); ring).
      assert (Z0 : (R | t * n' - quotient)) by (exists (t * n' / R); unfold quotient; fold t; rewrite (Z.mod_eq (t * n')) by lia; ring).
      replace (_ - quotient) with (initial_q + excess * grid (fun i j => if i + j <? Z.of_nat k then place (i + j) else 0) +
        (grid (fun i j => if i + j <? Z.of_nat k then digit t i * digit n' j * place (i + j) else 0) - t * n') + (t * n' - quotient)) by ring.
      apply Z.divide_add_r; [apply Z.divide_add_r |]; [exact Q_starts | exact Y | exact Z0].
    - rewrite <- total_scale, <- total_add. apply total_ext. intros e _. unfold term_of, term. destruct (_ =? _); ring.
  Qed.

  Lemma reads_q : forall e, (e < N)%nat -> phase e = 3 -> digit (of_q (step e)) (first e) = digit quotient (first e).
  Proof.
    intros e E P. destruct (in_range_of e E ltac:(lia)) as [F _]. assert (S1 : (step e * M <= e)%nat) by (unfold step; rewrite Nat.mul_comm; apply Nat.mul_div_le; lia).
    apply (read (term_q x y) (term_of 2) _ initial_q ((step e + 1 - L) * M) _ _ F); [nia | apply of_q_is; [apply (not_at_once e E); lia | lia] | apply sum_q | |].
    - reflexivity.
    - intros u [U U']. pose proof (later_step _ _ U) as B. unfold term_of. destruct (Z.eqb_spec (phase u) 2) as [Pu | _]; [| apply Z.divide_0_r].
      apply term_divides; [lia | lia | lia |]. destruct (Z.lt_ge_cases (first e) (first u + second u)) as [O | O]; [exact O |].
      pose proof (proj1 (ordered e u E U') (or_intror (conj P Pu)) O). lia.
  Qed.

  (* what the accumulators have in the end *)
  Theorem all_of_t : total (term_t x y) N = a * b + grid (fun i j => if i + j <? kept then 0 else digit quotient i * digit n j * place (i + j)) +
    excess * (grid (fun i j => place (i + j)) + grid (fun i j => if i + j <? kept then 0 else place (i + j))).
  Proof.
    assert (U : total (fun e => if phase e =? 3 then x e * y e * place (first e + second e) else 0) N = grid (fun i j => if i + j <? kept then 0 else digit quotient i * digit n j * place (i + j))).
    { etransitivity; [| etransitivity; [exact (of_phase 3 (fun i j => digit quotient i * digit n j * place (i + j)) ltac:(lia)) |]].
      - apply total_ext. intros e E. rewrite x_is, y_is by exact E. destruct (Z.eqb_spec (phase e) 3) as [Pe | _]; [| reflexivity]. rewrite (reads_q e E Pe). reflexivity.
      - apply grid_ext. intros. unfold wanted. cbn [Z.eqb Pos.eqb]. destruct (_ <? _); ring. }
    rewrite <- U, <- product_t.
    rewrite <- (grid_ext k (fun i j => wanted (Z.of_nat k) kept 1 i j * place (i + j)) (fun i j => place (i + j))) by (intros; unfold wanted; cbn [Z.eqb Pos.eqb]; ring).
    rewrite <- (grid_ext k (fun i j => wanted (Z.of_nat k) kept 3 i j * place (i + j)) (fun i j => if i + j <? kept then 0 else place (i + j)))
      by (intros; unfold wanted; cbn [Z.eqb Pos.eqb]; destruct (_ <? _); ring).
    rewrite <- (of_phase 1 (fun i j => place (i + j)) ltac:(lia)), <- (of_phase 3 (fun i j => place (i + j)) ltac:(lia)).
    rewrite Z.mul_add_distr_l, <- !total_scale, <- !total_add. apply total_ext. intros e _. unfold term_t, term.
    destruct (split_phases e) as [P | [P | [P | P]]]; rewrite P; cbn [Z.eqb Pos.eqb]; ring.
  Qed.

  Theorem all_of_q : (R | initial_q + total (term_q x y) N - quotient).
  Proof. exact sum_q. Qed.

  (* the last digit of Q is read, so that all of Q is final L steps before the last one *)
  Theorem q_is_final : kept <= 2 * (Z.of_nat k - 1) -> exists e, (e < N)%nat /\ forall u, (u < N)%nat -> phase u = 2 -> (step u + L <= step e)%nat.
  Proof.
    intros Ke. set (h := Z.of_nat k - 1) in *.
    assert (G : exists e, (e < N)%nat /\ phase e = 3 /\ first e = h).
    { destruct is_complete as [_ C]. pose proof (C 3 h h ltac:(lia) ltac:(unfold h; lia) ltac:(unfold h; lia)) as E. unfold wanted in E. cbn [Z.eqb Pos.eqb] in E.
      destruct (Z.ltb_spec (h + h) kept); [lia |]. unfold count in E. destruct (filter (is_issue 3 h h) l) as [| z m] eqn:F; [discriminate |].
      assert (I : In z (filter (is_issue 3 h h) l)) by (rewrite F; left; reflexivity). apply filter_In in I as [I J]. apply (In_nth _ _ (0, 0, 0)) in I as (e & E1 & E2).
      unfold l in E1. rewrite decoded_length in E1. exists e. rewrite at_issue in E2 by exact E1. subst z. unfold is_issue in J. split; [exact E1 |].
      apply andb_true_iff in J as [J _]. apply andb_true_iff in J as [J1 J2]. split; apply Z.eqb_eq; assumption. }
    destruct G as (e & E & P & F). exists e. split; [exact E |]. intros u U Pu. apply (proj1 (ordered e u E U)); [auto |]. rewrite F.
    destruct (Z.le_gt_cases (first u + second u) h) as [O | O]; [exact O |]. exfalso.
    destruct is_complete as [_ C]. destruct (in_range_of u U ltac:(lia)) as [F1 F2]. pose proof (C 2 _ _ ltac:(lia) F1 F2) as E2. unfold wanted in E2. cbn [Z.eqb Pos.eqb] in E2.
    destruct (Z.ltb_spec (first u + second u) (Z.of_nat k)); [unfold h in O; lia |]. unfold count in E2.
    assert (I : In (nth u l (0, 0, 0)) (filter (is_issue 2 (first u) (second u)) l)).
    { apply filter_In. split; [apply nth_In; unfold l; rewrite decoded_length; exact U |]. rewrite at_issue by exact U. unfold is_issue. rewrite Pu, !Z.eqb_refl. reflexivity. }
    destruct (filter _ _); [contradiction | discriminate].
  Qed.
End Plan.
