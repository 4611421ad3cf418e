(* SPDX-License-Identifier: Apache-2.0 *)
(* mf_fios_systolic from the nets of the RTL to the contract, for every width and any number of words from 3 on. The hypotheses are the lemmas that
   montforge prints into fios_systolic_lemmas.v, for the Booth rows of a word, and proves on the RTL. Cycle 0 of the RTL's header is `first`. *)
From Coq Require Import ZArith Lia String.
Require Import DigitRecurrence Instances Others WordSerial Contract Control Bits BoothRows Products FiosRows fios_systolic_lemmas.
Open Scope string_scope. Open Scope Z_scope.
Set Default Proof Using "All".

Section Chain.
  Variables (K : nat) (words word rows : Z) (net : trace).
  Let W := Z.of_nat K.
  Local Notation on lemma := (lemma W words word rows net).
  Hypotheses (wide : (1 <= K)%nat /\ 3 <= words /\ 3 <= word /\ W + 2 <= words * word /\ 2 * rows - 2 <= word <= 2 * rows - 1) (H_ranges : on ranges)
    (H_ready : on ready) (H_selects : on selects) (H_at_reset : on at_reset) (H_accept : on accept) (H_count : on count) (H_load : on load)
    (H_load_words : on load_words) (H_words_of_a : on words_of_a) (H_quotient_enters : on word_of_quotient) (H_keep : on keep) (H_line : on line)
    (H_factor_0 : on factor_0) (H_rows_0 : on rows_of_0) (H_products_0 : on products_of_0) (H_stays_0 : on product_of_0_stays)
    (H_low_0 : on low_of_0) (H_rows_q : on rows_of_quotient) (H_rows : on rows_of_elements) (H_products : on products)
    (H_words_of_t : on words_of_t) (H_top_word : on top_word) (H_hold : on hold) (H_answer : on answer) (H_tree_0 : on tree_of_0)
    (H_product_0 : on product_of_0) (H_one_0 : on one_of_0) (H_tree_q : on tree_of_quotient) (H_quotient : on quotient_word)
    (H_tree_1 : on tree_of_first) (H_late_1 : on late_of_first) (H_value_1 : on value_of_first) (H_tree : on tree_of_others)
    (H_value : on value_of_others).

  Local Notation element name := (net (append "gen_element[1..].u_element." name)).
  Local Notation phase := (net "phase_q"). Local Notation cycle := (net "cycle_q"). Local Notation x_0 := (net "x_0_q"). Local Notation y_0 := (net "y_0").
  Local Notation late := (net "p_0_late_q"). Local Notation p_0 := (net "p_0_q"). Local Notation quotient := (net "quotient").
  Local Notation low_0 := (net "low_0"). Local Notation n0_prime := (net "n0_prime_q").

  Let r := 2 ^ word.
  Let s := Z.to_nat words.
  Let k := Z.to_nat rows.
  (* of element e + 1 *)
  Let sum (t : nat) (e : Z) : Z := part (net "sum_q" t) e 1.
  Let x (t : nat) (e : Z) : Z := part (net "x_q" t) (e * word) word.
  Let y (t : nat) (e : Z) : Z := part (net "gen_element[1..].u_element.y_q" t) (e * word) word.
  Let p (t : nat) (e : Z) : Z := part (net "gen_element[1..].u_element.p_q" t) (e * (2 * word)) (2 * word).
  Let value (t : nat) (e : Z) : Z := part (net "gen_element[1..].u_element.value" t) (e * (2 * word + 1)) (2 * word + 1).
  Let carry (t : nat) (e : Z) : Z := part (net "carry_q" t) (e * (word + 1)) (word + 1).
  Let T (t : nat) (j : Z) : Z := part (net "t_q" t) (j * word) word.

  (* The ranges of whole nets, a few of all. *)
  Lemma in_words : forall t, 0 <= x_0 t < r /\ 0 <= y_0 t < r /\ 0 <= low_0 t < r /\ 0 <= n0_prime t < r /\ 0 <= late t < 2 ^ (2 * word) /\
    0 <= net "a_i" t < 2 ^ (W + 1) /\ 0 <= net "b_i" t < 2 ^ (W + 1) /\ 0 <= net "n_i" t < 2 ^ W /\ 0 <= net "t_q" t < 2 ^ (words * word) /\
    0 <= net "sum_q" t.
  Proof. intros t. pose proof (H_ranges t) as R. decompose [and] R. repeat split; assumption. Qed.

  Lemma sizes : words = Z.of_nat s /\ (3 <= s)%nat /\ rows = Z.of_nat k /\ (2 <= k)%nat /\ Z.of_nat k = word / 2 + 1.
  Proof.
    unfold s, k. rewrite !Z2Nat.id by lia. replace (word / 2) with (rows - 1); [lia |]. apply (Z.div_unique word 2 _ (word - 2 * (rows - 1))); lia.
  Qed.

  Lemma powers : 8 <= r /\ 2 ^ (2 * word) = r * r /\ 2 ^ (2 * word + 1) = 2 * (r * r) /\ 2 ^ (2 * word + 1 + 1) = 4 * (r * r) /\ 2 ^ (word + 1) = 2 * r.
  Proof.
    unfold r. pose proof (Z.pow_le_mono_r 2 3 word ltac:(lia) ltac:(lia)) as B. change (2 ^ 3) with 8 in B.
    replace (2 * word) with (word + word) by lia. rewrite !Z.pow_add_r by lia. lia.
  Qed.

  Lemma widths : 0 <= word /\ 0 <= 2 * word + 1 /\ 0 <= 2 * word + 1 + 1.
  Proof. lia. Qed.

  Lemma square : forall u v, 0 <= u < r -> 0 <= v < r -> 0 <= u * v <= (r - 1) * (r - 1).
  Proof. intros u v U V. split; [apply Z.mul_nonneg_nonneg | apply Z.mul_le_mono_nonneg]; lia. Qed.

  Ltac fixed_rows := let E := fresh in let RK := fresh in pose proof (proj1 (H_tree_0 O)) as E; pose proof (proj1 (proj2 (proj2 sizes))) as RK;
    match type of E with _ = ?c => let n := eval vm_compute in (Z.to_nat c) in assert (KN : k = n) by (clear - E RK; lia) end; clear RK E.

  (* ---------------------------------------------------------------- element 0 *)
  Let pair (t : nat) (i : Z) : Z := part (net "pair_0" t) (i * (2 * word + 1 + 1)) (2 * word + 1 + 1).

  Lemma bit : forall t e, 0 <= sum t e <= 1.
  Proof. intros. apply bit_range. Qed.

  Lemma rows_of_0_sum : forall t, total (fun j => part (net "rows_0" t) (Z.of_nat j * (2 * word + 1)) (2 * word + 1)) k = x_0 t * y_0 t + 2 ^ (2 * word).
  Proof.
    intros t. destruct sizes as (_ & _ & RK & K2 & K3). apply (rows_product word (x_0 t) (y_0 t) k); [lia | exact K3 | apply in_words |].
    intros j J. pose proof (H_rows_0 t (Z.of_nat j) ltac:(lia)) as E. rewrite (Z.mod_small (Z.of_nat j) rows), RK in E by lia. exact E.
  Qed.

  Lemma pair_is : forall t, pair t 0 + pair t 1 = x_0 t * y_0 t + 2 ^ (2 * word) + sum t 0 * late t + sum t 0 * T t 0 /\ 0 <= pair t 0 /\ 0 <= pair t 1.
  Proof.
    intros t. pose proof (rows_of_0_sum t) as S0. destruct powers as (P1 & P2 & P3 & P4 & _).
    destruct (in_words t) as (X & Y & _ & _ & L & _). pose proof (square _ _ X Y) as XY. pose proof (bit t 0) as B. pose proof (part_range (net "t_q" t) 0 word ltac:(lia)) as T0.
    fold r in T0. unfold T. rewrite Z.mul_0_l. unfold sum in *. set (u := part (net "sum_q" t) 0 1) in *.
    assert (L1 : 0 <= u * late t < r * r) by (assert (u = 0 \/ u = 1) as [-> | ->] by lia; lia).
    assert (T1 : 0 <= u * part (net "t_q" t) 0 word < r) by (assert (u = 0 \/ u = 1) as [-> | ->] by lia; lia).
    destruct (H_tree_0 t) as (_ & R). fold u in R. unfold pair. fixed_rows. rewrite KN in S0. cbn [total] in S0. revert S0. places_as_integers. intros S0.
    rewrite P2 in *. revert R S0 L1 T1 XY. pose proof widths as (Q1 & Q2 & Q3). generalize (x_0 t * y_0 t) (u * late t) (u * part (net "t_q" t) 0 word). clear - wide P1 P4 Q1 Q2 Q3. intros xy ul ut.
    parts_as_variables. intros R S0 L1 T1 XY. decompose [and] R; clear R. rows_add (2 * word + 1 + 1). lia.
  Qed.

  (* ---------------------------------------------------------------- the quotient *)
  Lemma part_low : forall u l v w, 0 <= l -> 0 <= v <= w -> (2 ^ v | part u l v - part u l w).
  Proof. intros u l v w L V. replace w with (v + (w - v)) by lia. rewrite part_split by lia. exists (- part u (l + v) (w - v)). lia. Qed.

  Lemma quotient_is : forall t, quotient t = (low_0 t * n0_prime t) mod r.
  Proof.
    intros t. destruct sizes as (_ & _ & RK & K2 & K3). destruct powers as (P1 & P2 & _). destruct (in_words t) as (_ & _ & _ & N & _).
    assert (S0 : total (fun j => part (net "u_quotient.rows" t) (Z.of_nat j * (2 * word + 1)) (2 * word + 1)) k = low_0 t * n0_prime t + 2 ^ (2 * word)).
    { apply (rows_product word (low_0 t) (n0_prime t) k); [lia | exact K3 | exact N |].
      intros j J. pose proof (H_rows_q t (Z.of_nat j) ltac:(lia)) as E. rewrite (Z.mod_small (Z.of_nat j) rows), RK in E by lia. exact E. }
    pose proof (total_divides r (fun j => part (net "u_quotient.rows" t) (Z.of_nat j * (2 * word + 1)) word -
      part (net "u_quotient.rows" t) (Z.of_nat j * (2 * word + 1)) (2 * word + 1)) k ltac:(intros; apply part_low; lia)) as D. rewrite total_sub, S0, P2 in D.
    pose proof (H_quotient t) as Q. pose proof (H_tree_q t) as R. fold r in Q. rewrite Q.
    assert (E : (r | part (net "u_quotient.pair" t) (0 * word) word + part (net "u_quotient.pair" t) (1 * word) word - low_0 t * n0_prime t)).
    { assert (D2 : (r | r * r)) by (exists r; reflexivity). revert R D. fixed_rows. rewrite KN. cbn [total]. places_as_integers. pose proof widths as (Q1 & Q2 & Q3). generalize (low_0 t * n0_prime t).
      clear - wide D2 Q1 Q2 Q3. intros ln. parts_as_variables. intros R D. decompose [and] R; clear R. rows_divide word. unfold r in *. by_sum. }
    destruct E as [j E]. replace (_ + _) with (low_0 t * n0_prime t + j * r) by lia. apply Z_mod_plus_full.
  Qed.

  (* ---------------------------------------------------------------- the other elements *)
  Lemma rows_sum_of : forall t e, 0 <= e < words - 1 ->
    total (fun j => part (net "gen_element[1..].u_element.rows" t) ((e * rows + Z.of_nat j) * (2 * word + 1)) (2 * word + 1)) k = x t e * y t e + r * r.
  Proof.
    intros t e L. destruct sizes as (_ & _ & RK & K2 & K3). destruct powers as (_ & P2 & _). rewrite <- P2.
    apply (rows_product word (x t e) (y t e) k); [lia | exact K3 | apply part_range; lia |].
    intros j J. pose proof (H_rows t (e * rows + Z.of_nat j) ltac:(nia)) as E.
    assert (E1 : (e * rows + Z.of_nat j) mod rows = Z.of_nat j) by (rewrite Z.add_comm, Z_mod_plus_full; apply Z.mod_small; lia).
    assert (E2 : (e * rows + Z.of_nat j) / rows = e) by (rewrite Z.add_comm, Z.div_add, Z.div_small by lia; lia).
    rewrite E1, E2 in E. rewrite <- RK. exact E.
  Qed.

  Lemma value_first : forall t, let u := sum t 0 in exists j,
    value t 0 = x t 0 * y t 0 + r * r + u * p t 0 + (u * T t 1 + u * ((r - 1) * r)) + u * (pair t 0 / r) + u * (pair t 1 / r) + u * net "one_0" t + j * (2 * (r * r)).
  Proof.
    intros t u. destruct powers as (P1 & _ & P3 & _). pose proof (H_value_1 t) as V.
    assert (S0 : total (fun j => part (net "gen_element[1..].u_element.rows" t) (Z.of_nat j * (2 * word + 1)) (2 * word + 1)) k = x t 0 * y t 0 + r * r)
      by (rewrite <- rows_sum_of by lia; apply total_ext; intros; f_equal; lia).
    pose proof (bit t 0) as U. fold u in U.
    pose proof (H_tree_1 t) as R. pose proof (H_late_1 t) as L. unfold sum in u. fold u in R, L. fold r in R, L. fold (T t 1) in R. fold (pair t 0) (pair t 1) in L.
    change (part (net "gen_element[1..].u_element.p_q" t) (0 * (2 * word)) (2 * word)) with (p t 0) in R.
    assert (A : forall v, 0 <= v -> 0 <= u * v) by (clear - U; intros; apply Z.mul_nonneg_nonneg; lia).
    assert (A1 : 0 <= u * p t 0) by (apply A, part_range; clear - wide; lia).
    assert (A2 : 0 <= u * T t 1 + u * ((r - 1) * r)) by (apply Z.add_nonneg_nonneg; apply A; [apply part_range, widths | clear - P1; apply Z.mul_nonneg_nonneg; lia]).
    assert (A3 : forall i, 0 <= u * (pair t i / r)) by (intros i; apply A, Z.div_pos; [apply part_range, widths | clear - P1; lia]).
    assert (E : (2 ^ (2 * word + 1) | part (net "gen_element[1].u_element.gen_late.late" t) (0 * (2 * word + 1)) (2 * word + 1) +
      part (net "gen_element[1].u_element.gen_late.late" t) (1 * (2 * word + 1)) (2 * word + 1) -
      (x t 0 * y t 0 + r * r + u * p t 0 + (u * T t 1 + u * ((r - 1) * r)) + u * (pair t 0 / r) + u * (pair t 1 / r) + u * net "one_0" t))).
    { pose proof widths as (Q1 & Q2 & Q3). revert R L S0 A1 A2. generalize (A3 0) (A3 1). fixed_rows. rewrite KN. cbn [total]. places_as_integers.
      generalize (x t 0 * y t 0 + r * r) (u * p t 0) (u * T t 1 + u * ((r - 1) * r)) (u * (pair t 0 / r)) (u * (pair t 1 / r)) (u * net "one_0" t).
      clear - wide Q1 Q2 Q3. intros xy up ut u0 u1 one A3 A4. parts_as_variables. intros R L S0 A1 A2. decompose [and] R; clear R. decompose [and] L; clear L.
      rows_divide (2 * word + 1). rewrite <- S0. by_sum. }
    rewrite P3 in E, V. unfold value. rewrite V. destruct E as [j E]. match type of E with ?v - _ = _ =>
      exists (j - v / (2 * (r * r))); pose proof (Z.div_mod v (2 * (r * r)) ltac:(lia)) as M; clear - E M; lia end.
  Qed.

  Lemma value_others : forall t e, 0 <= e < words - 2 -> let u := sum t (e + 1) in exists j,
    value t (e + 1) = x t (e + 1) * y t (e + 1) + u * p t (e + 1) + u * T t (e + 2) + u * carry t e + j * (2 * (r * r)).
  Proof.
    intros t e L u. destruct powers as (P1 & P2 & P3 & _). pose proof (rows_sum_of t (e + 1) ltac:(lia)) as S0. pose proof (H_value t e L) as V.
    pose proof (bit t (e + 1)) as U. fold u in U. pose proof (H_tree t e L) as R. unfold sum in u. fold u (T t (e + 2)) (p t (e + 1)) (carry t e) in R.
    assert (A : forall v, 0 <= v -> 0 <= u * v) by (clear - U; intros; apply Z.mul_nonneg_nonneg; lia).
    assert (A1 : 0 <= u * p t (e + 1)) by (apply A, part_range; clear - wide; lia).
    assert (A2 : 0 <= u * T t (e + 2) + 2 ^ (2 * word + 1 - 1)) by (apply Z.add_nonneg_nonneg; [apply A, part_range, widths | apply Z.pow_nonneg; clear; lia]).
    assert (A3 : 0 <= u * carry t e) by (apply A, part_range; clear - wide; lia).
    assert (E : (2 ^ (2 * word + 1) | part (net "gen_element[2..].u_element.pair" t) (e * (2 * (2 * word + 1)) + 0 * (2 * word + 1)) (2 * word + 1) +
      part (net "gen_element[2..].u_element.pair" t) (e * (2 * (2 * word + 1)) + 1 * (2 * word + 1)) (2 * word + 1) -
      (x t (e + 1) * y t (e + 1) + r * r + u * p t (e + 1) + (u * T t (e + 2) + 2 ^ (2 * word + 1 - 1)) + u * carry t e))).
    { pose proof widths as (Q1 & Q2 & Q3). revert R S0 A1 A2 A3. fixed_rows. rewrite KN. cbn [total]. places_as_integers.
      generalize (x t (e + 1) * y t (e + 1) + r * r) (u * p t (e + 1)) (u * T t (e + 2) + 2 ^ (2 * word + 1 - 1)) (u * carry t e).
      clear - wide Q1 Q2 Q3. intros xy up ut uc. parts_as_variables. intros R S0 A1 A2 A3. decompose [and] R; clear R. rows_divide (2 * word + 1). rewrite <- S0. by_sum. }
    replace (2 * word + 1 - 1) with (2 * word) in E by lia. rewrite P2, P3 in *. unfold value. rewrite V. destruct E as [j E]. match type of E with ?v - _ = _ =>
      exists (j + 1 - v / (2 * (r * r))); pose proof (Z.div_mod v (2 * (r * r)) ltac:(lia)) as M; clear - E M; lia end.
  Qed.

  (* ---------------------------------------------------------------- what an element has after a product, and after a sum *)
  Lemma no_multiple : forall u v j, 0 <= u < 2 * (r * r) -> 0 <= v < 2 * (r * r) -> u = v + j * (2 * (r * r)) -> u = v.
  Proof. intros u v j U V E. assert (j = 0) as -> by (apply (small_multiple (2 * (r * r))); lia). lia. Qed.

  Lemma value_range : forall t e, 0 <= value t e < 2 * (r * r).
  Proof. intros t e. destruct powers as (_ & _ & <- & _). apply part_range. lia. Qed.

  Lemma factors : forall t e, 0 <= x t e * y t e <= (r - 1) * (r - 1).
  Proof. intros t e. apply square; apply part_range; lia. Qed.

  Lemma product_left : forall t e, 0 <= e < words - 1 -> sum t e = 0 -> p (S t) e = x t e * y t e.
  Proof.
    intros t e L Z0. destruct (H_products t e L) as [E _]. destruct powers as (P1 & P2 & _). rewrite P2 in E. fold (value t e) in E.
    unfold p. rewrite E. pose proof (factors t e) as F. assert (R : 0 <= x t e * y t e < r * r) by lia. etransitivity; [| exact (Z.mod_small _ _ R)].
    destruct (Z.eq_dec e 0) as [-> | N].
    - destruct (value_first t) as [j V]. rewrite Z0 in V. rewrite V. replace (_ + _) with (x t 0 * y t 0 + (1 + 2 * j) * (r * r)) by lia. apply Z_mod_plus_full.
    - destruct (value_others t (e - 1) ltac:(lia)) as [j V]. replace (e - 1 + 1) with e in V by lia. rewrite Z0 in V. rewrite V.
      replace (_ + _) with (x t e * y t e + (2 * j) * (r * r)) by lia. apply Z_mod_plus_full.
  Qed.

  Lemma product_0_is : forall t, sum t 0 = 0 -> net "product_0" t = x_0 t * y_0 t.
  Proof.
    intros t Z0. destruct powers as (P1 & P2 & _). destruct (pair_is t) as (E & _). destruct (in_words t) as (X & Y & _). pose proof (square _ _ X Y).
    pose proof (H_product_0 t) as Q. fold (pair t 0) (pair t 1) in Q. rewrite Q, E, Z0, P2. replace (_ + _ + _ + _) with (x_0 t * y_0 t + 1 * (r * r)) by lia.
    rewrite Z_mod_plus_full. apply Z.mod_small. lia.
  Qed.

  Lemma sum_first : forall t h, sum t 0 = 1 -> x_0 t * y_0 t + late t + T t 0 = r * h -> 0 <= h <= 2 * r - 2 -> p t 0 <= (r - 1) * (r - 1) ->
    value t 0 = x t 0 * y t 0 + p t 0 + T t 1 + h.
  Proof.
    intros t h O E H B. destruct powers as (P1 & P2 & _). destruct (pair_is t) as (Q & _). destruct (value_first t) as [j V]. rewrite O, P2 in *.
    pose proof (factors t 0). pose proof (part_range (net "gen_element[1..].u_element.p_q" t) (0 * (2 * word)) (2 * word) ltac:(lia)) as PR. fold (p t 0) in PR.
    pose proof (part_range (net "t_q" t) (1 * word) word ltac:(lia)) as TR. fold (T t 1) r in TR.
    pose proof (Z.div_mod (pair t 0) r ltac:(lia)) as D0. pose proof (Z.div_mod (pair t 1) r ltac:(lia)) as D1.
    assert (M : (pair t 0 mod r + pair t 1 mod r) mod r = 0).
    { rewrite <- Z.add_mod, Q by lia. replace (_ + _) with ((h + r) * r) by lia. apply Z_mod_mult. }
    pose proof (H_one_0 t) as One. fold r (pair t 0) (pair t 1) in One. specialize (One M).
    assert (G : pair t 0 / r + pair t 1 / r + net "one_0" t = h + r) by (apply (Z.mul_reg_l _ _ r); lia).
    apply (no_multiple _ _ (j + 1)); [apply value_range | lia | lia].
  Qed.

  Lemma sum_others : forall t e, 0 <= e < words - 2 -> sum t (e + 1) = 1 -> carry t e <= 2 * r - 2 -> p t (e + 1) <= (r - 1) * (r - 1) ->
    value t (e + 1) = x t (e + 1) * y t (e + 1) + p t (e + 1) + T t (e + 2) + carry t e.
  Proof.
    intros t e L O C B. destruct powers as (P1 & P2 & _). destruct (value_others t e L) as [j V]. rewrite O in V. pose proof (factors t (e + 1)).
    pose proof (part_range (net "gen_element[1..].u_element.p_q" t) ((e + 1) * (2 * word)) (2 * word) ltac:(lia)) as PR. fold (p t (e + 1)) in PR.
    pose proof (part_range (net "t_q" t) ((e + 2) * word) word ltac:(lia)) as TR. fold (T t (e + 2)) r in TR.
    pose proof (part_range (net "carry_q" t) (e * (word + 1)) (word + 1) ltac:(lia)) as CR. fold (carry t e) in CR.
    apply (no_multiple _ _ j); [apply value_range | lia | lia].
  Qed.

  (* ---------------------------------------------------------------- the registers of words, and the selects *)
  Lemma part_above : forall u v l w, 0 <= v -> 0 <= l -> part u (v + l) w = part (u / 2 ^ v) l w.
  Proof. intros u v l w V L. unfold part. rewrite Z.pow_add_r, Z.div_div by (try apply Z.pow_nonzero; try apply Z.pow_pos_nonneg; lia). reflexivity. Qed.

  Lemma part_below : forall u m l w, 0 <= l -> 0 <= w -> l + w <= m -> part (u mod 2 ^ m) l w = part u l w.
  Proof.
    intros u m l w L V M. unfold part. assert (P : 0 < 2 ^ l) by (apply Z.pow_pos_nonneg; lia). assert (Q : 0 < 2 ^ (m - l)) by (apply Z.pow_pos_nonneg; lia).
    replace m with (l + (m - l)) at 1 by lia. rewrite Z.pow_add_r, Z.rem_mul_r by lia. rewrite (Z.mul_comm (2 ^ l)), Z.div_add, Z.div_small by (try apply Z.mod_pos_bound; lia).
    rewrite Z.add_0_l. symmetry. apply Znumtheory.Zmod_div_mod; [apply Z.pow_pos_nonneg; lia | exact Q |]. exists (2 ^ (m - l - w)).
    rewrite <- Z.pow_add_r by lia. f_equal. lia.
  Qed.

  Lemma part_of_0 : forall l w, part 0 l w = 0.
  Proof. intros. unfold part. rewrite Zdiv_0_l. apply Zmod_0_l. Qed.

  Lemma x_moves : forall t e, 0 <= e < words - 2 -> x (S t) (e + 1) = x t e.
  Proof.
    intros t e L. destruct (H_line t) as [_ E]. unfold x. replace ((e + 1) * word) with (word + e * word) by lia.
    rewrite part_above, E, part_below by nia. reflexivity.
  Qed.

  Lemma sum_moves : forall t e, 0 <= e < words - 2 -> sum (S t) (e + 1) = if phase (S t) =? 1 then sum t e else 0.
  Proof.
    intros t e L. destruct (H_selects t) as (_ & _ & _ & _ & _ & E). unfold sum. replace (e + 1) with (1 + e) by lia. rewrite part_above by lia.
    change (2 ^ 1) with 2. rewrite E. destruct (phase (S t) =? 1); [apply part_below; lia | apply part_of_0].
  Qed.

  Lemma rests : forall t, phase t <> 1 -> net "sum_q" t = 0.
  Proof.
    intros t P. destruct t as [| u]; [apply (H_at_reset O eq_refl) |]. destruct (H_selects u) as (C & _ & _ & _ & E0 & E1).
    destruct (Z.eqb_spec (phase (S u)) 1) as [X | _]; [contradiction |]. assert (C0 : cycle (S u) = 0) by (rewrite C; destruct (_ =? _); reflexivity).
    rewrite C0 in E0. change (0 mod 2) with 0 in E0. cbn [Z.eqb] in E0. unfold part in E0. change (2 ^ 0) with 1 in E0. change (2 ^ 1) with 2 in E0.
    rewrite Z.div_1_r in E0. rewrite (Z.div_mod (net "sum_q" (S u)) 2) by lia. rewrite E0, E1. reflexivity.
  Qed.

  Lemma idles : forall t, net "idle_q" t = if phase t =? 0 then 1 else 0.
  Proof. intros [| u]; [destruct (H_at_reset O eq_refl) as (-> & -> & _); reflexivity | apply (H_selects u)]. Qed.

  Lemma t_next : forall t j, net "idle_q" t = 0 -> 0 <= j < words - 1 -> T (S t) j = if sum t j =? 1 then value t j mod r else T t j.
  Proof. intros t j I L. exact (H_words_of_t t j L I). Qed.

  Lemma t_whole : forall t, net "t_q" t = digits r (fun j => T t (Z.of_nat j)) s.
  Proof.
    intros t. destruct sizes as (S1 & S2 & _). destruct powers as (P1 & _). destruct (in_words t) as (_ & _ & _ & _ & _ & _ & _ & _ & R & _).
    rewrite <- (Z.mod_small (net "t_q" t) (pw r s)) by (unfold r; rewrite pw_words by lia; rewrite <- S1; exact R).
    rewrite <- word_digits by lia. apply digits_ext. intros j J. unfold T, part, r. rewrite pw_words by lia. reflexivity.
  Qed.

  Section Request.
  (* A request is accepted in cycle c. *)
  Variables (c : nat).
  Let a := net "a_i" c. Let b := net "b_i" c. Let n := net "n_i" c.
  Hypotheses (idle : phase c = 0) (request : net "req_valid_i" c = 1) (odd : n mod 2 = 1) (inverse : (n * net "n0_prime_i" c + 1) mod 2 ^ word = 0)
    (a_range : a < 2 * n) (b_range : b < 2 * n).

  Let first := S c.
  Let done := (first + (3 * s - 1))%nat.
  Let digit (v : Z) (i : nat) : Z := (v / pw r i) mod r.

  Lemma small : 0 < n /\ 0 <= a < 2 * n /\ 0 <= b < 2 * n /\ 4 * n <= pw r s /\ pw r s = 2 ^ (words * word) /\ 2 * n <= 2 ^ (W + 1).
  Proof.
    destruct (in_words c) as (_ & _ & _ & _ & _ & A & B & N & _). destruct sizes as (S1 & _). pose proof (odd_positive n ltac:(unfold n; lia) odd).
    assert (P : pw r s = 2 ^ (words * word)) by (unfold r; rewrite pw_words, <- S1 by lia; reflexivity).
    pose proof (Z.pow_le_mono_r 2 (W + 2) (words * word) ltac:(lia) ltac:(lia)) as Q. rewrite Z.pow_add_r in Q by lia. rewrite (Z.pow_add_r 2 W) by lia.
    unfold a, b, n in *. lia.
  Qed.

  Lemma running : forall i, (i <= 3 * s - 2)%nat -> phase (first + i)%nat = 1 /\ cycle (first + i)%nat = Z.of_nat i.
  Proof.
    destruct sizes as (S1 & S2 & _). induction i; intros L.
    - rewrite Nat.add_0_r. split; [apply (H_accept c idle request) |]. destruct (H_selects c) as (E & _). fold first in E. rewrite E, idle. reflexivity.
    - destruct (IHi ltac:(lia)) as (P & C). rewrite Nat.add_succ_r. pose proof (H_count _ P) as N. destruct (Z.eqb_spec (cycle (first + i)%nat) (3 * words - 1 - 1)); [lia |].
      split; [exact N |]. destruct (H_selects (first + i)%nat) as (E & _). rewrite E, P, N, C. cbn [Z.eqb Pos.eqb].
      destruct (Z.log2_up_spec (3 * words - 1) ltac:(lia)) as [_ B]. rewrite Z.mod_small by lia. lia.
  Qed.

  Lemma ended : phase done = 2.
  Proof.
    destruct sizes as (S1 & S2 & _). destruct (running (3 * s - 2)%nat ltac:(lia)) as (P & C). pose proof (H_count _ P) as N.
    unfold done. replace (first + (3 * s - 1))%nat with (S (first + (3 * s - 2)))%nat by lia. rewrite N.
    destruct (Z.eqb_spec (cycle (first + (3 * s - 2))%nat) (3 * words - 1 - 1)); [reflexivity | lia].
  Qed.

  Lemma selected : forall i, (i <= 3 * s - 2)%nat -> net "idle_q" (first + i)%nat = 0 /\ net "take_q" (first + i)%nat = 1 - Z.of_nat i mod 2 /\
    net "first_q" (first + i)%nat = if Z.of_nat i =? 0 then 1 else 0.
  Proof.
    intros i L. destruct (running i L) as (P & C). split; [rewrite idles, P; reflexivity |]. unfold first in *. cbn [Nat.add] in *.
    destruct (H_selects (c + i)%nat) as (_ & _ & F & E & _). rewrite E, C, F. split; [reflexivity |]. destruct i as [| i].
    - rewrite Nat.add_0_r in *. rewrite idle, P. reflexivity.
    - destruct (running i ltac:(lia)) as (P' & _). unfold first in P'. rewrite Nat.add_succ_r. cbn [Nat.add] in P'. rewrite P'. reflexivity.
  Qed.

  (* Whether an element has a word of the quotient. *)
  Let turn (z : Z) : Z := if z mod 2 =? 0 then if z <=? 0 then 0 else if z <=? 2 * words then 1 else 0 else 0.

  Lemma sums_at : forall e i, (e <= s - 2)%nat -> (i <= 3 * s - 2)%nat -> sum (first + i)%nat (Z.of_nat e) = turn (Z.of_nat i - Z.of_nat e).
  Proof.
    destruct sizes as (S1 & S2 & _). induction e; intros i E L.
    - destruct (running i L) as (_ & C). unfold first in *. cbn [Nat.add] in *. destruct (H_selects (c + i)%nat) as (_ & _ & _ & _ & Q & _). rewrite C in Q.
      unfold sum. change (Z.of_nat 0) with 0. rewrite Q, Z.sub_0_r. unfold turn. destruct (Z.of_nat i mod 2 =? 0); [| reflexivity].
      destruct (Z.eqb_spec (Z.of_nat i) 0); destruct (Z.leb_spec (Z.of_nat i) 0); lia || reflexivity.
    - destruct (running i L) as (P & _). replace (Z.of_nat (S e)) with (Z.of_nat e + 1) by lia. unfold first in *. cbn [Nat.add] in *.
      rewrite (sum_moves (c + i)%nat (Z.of_nat e)) by lia. rewrite P. cbn [Z.eqb Pos.eqb]. destruct i as [| i].
      + rewrite Nat.add_0_r. unfold sum. rewrite (rests c) by lia. rewrite part_of_0. unfold turn. destruct (_ =? _); [| reflexivity].
        destruct (Z.leb_spec (Z.of_nat 0 - (Z.of_nat e + 1)) 0); [reflexivity | lia].
      + rewrite Nat.add_succ_r. specialize (IHe i ltac:(lia) ltac:(lia)). cbn [Nat.add] in IHe. rewrite IHe. f_equal. lia.
  Qed.

  Lemma turn_on : forall i, (i < s)%nat -> turn (Z.of_nat (2 * i + 2)) = 1.
  Proof.
    intros i L. destruct sizes as (S1 & _). unfold turn. replace (Z.of_nat (2 * i + 2)) with ((Z.of_nat i + 1) * 2) by lia. rewrite Z_mod_mult. cbn [Z.eqb].
    destruct (Z.leb_spec ((Z.of_nat i + 1) * 2) 0); [lia |]. destruct (Z.leb_spec ((Z.of_nat i + 1) * 2) (2 * words)); [reflexivity | lia].
  Qed.

  Lemma turn_off : forall i, turn (Z.of_nat (2 * i + 1)) = 0.
  Proof.
    intros i. unfold turn. replace (Z.of_nat (2 * i + 1)) with (1 + Z.of_nat i * 2) by lia. rewrite Z_mod_plus_full. reflexivity.
  Qed.

  Lemma turn_when : forall z, turn z = 0 \/ turn z = 1 /\ exists i, (i < s)%nat /\ z = Z.of_nat (2 * i + 2).
  Proof.
    intros z. destruct sizes as (S1 & _). unfold turn. destruct (Z.eqb_spec (z mod 2) 0) as [M | _]; [| left; reflexivity].
    destruct (Z.leb_spec z 0); [left; reflexivity |]. destruct (Z.leb_spec z (2 * words)); [| left; reflexivity]. right. split; [reflexivity |].
    pose proof (Z.div_mod z 2 ltac:(lia)). exists (Z.to_nat (z / 2 - 1)). lia.
  Qed.

  (* ---------------------------------------------------------------- words of a, of the quotient, of b and n *)
  Lemma even_or_odd : forall i, Z.of_nat (2 * i) mod 2 = 0 /\ Z.of_nat (2 * i + 1) mod 2 = 1.
  Proof.
    intros i. replace (Z.of_nat (2 * i)) with (Z.of_nat i * 2) by lia. replace (Z.of_nat (2 * i + 1)) with (1 + Z.of_nat i * 2) by lia.
    rewrite Z_mod_mult, Z_mod_plus_full. split; reflexivity.
  Qed.

  Lemma a_moves : forall i, (2 * i + 1 <= 3 * s - 2)%nat -> net "a_q" (first + 2 * i)%nat = a / pw r (S i) /\ net "a_held_q" (first + 2 * i)%nat = digit a i.
  Proof.
    destruct powers as (P1 & _). induction i; intros L.
    - destruct (H_load c) as (E1 & E2 & _); [rewrite idles, idle; reflexivity |]. fold r a first in E1, E2. rewrite Nat.add_0_r, E1, E2. unfold digit. cbn [pw].
      rewrite Z.mul_1_r, Z.div_1_r. split; reflexivity.
    - destruct (IHi ltac:(lia)) as [E1 _]. destruct (selected (2 * i)%nat ltac:(lia)) as (I0 & T0 & _). destruct (selected (2 * i + 1)%nat ltac:(lia)) as (I1 & T1 & _).
      destruct (even_or_odd i) as [M0 M1]. rewrite M0 in T0. rewrite M1 in T1.
      destruct (H_words_of_a _ I0 T0) as (Q1 & Q2 & _). destruct (H_quotient_enters _ I1 T1) as (Q3 & Q4 & _). fold r in Q1, Q2.
      replace (S (first + (2 * i + 1))) with (first + 2 * S i)%nat in Q3, Q4 by lia. replace (first + (2 * i + 1))%nat with (S (first + 2 * i)) in Q3, Q4 by lia.
      rewrite Q3, Q4, Q1, Q2, E1. split; [| reflexivity]. pose proof (pw_pos r (S i) ltac:(lia)). rewrite Z.div_div by lia. f_equal. cbn [pw]. ring.
  Qed.

  Let q (i : nat) : Z := quotient (first + (2 * i + 1))%nat.

  Lemma words_of_0 : forall i, (i < s)%nat -> x_0 (first + 2 * i)%nat = (match i with O => digit a O | S j => q j end) /\
    ((S i < s)%nat -> x_0 (first + (2 * i + 1))%nat = digit a (S i)).
  Proof.
    intros i L. destruct sizes as (_ & S2 & _). split.
    - destruct i as [| i]; [rewrite Nat.add_0_r; destruct (H_load c) as (_ & _ & E & _); [rewrite idles, idle; reflexivity |]; fold first a r in E; rewrite E; unfold digit;
        cbn [pw]; rewrite Z.div_1_r; reflexivity |].
      destruct (selected (2 * i + 1)%nat ltac:(lia)) as (I & T1 & _). rewrite (proj2 (even_or_odd i)) in T1. destruct (H_quotient_enters _ I T1) as (_ & _ & E).
      replace (first + 2 * S i)%nat with (S (first + (2 * i + 1))) by lia. exact E.
    - intros L'. destruct (selected (2 * i)%nat ltac:(lia)) as (I & T0 & _). rewrite (proj1 (even_or_odd i)) in T0. destruct (H_words_of_a _ I T0) as (_ & _ & E).
      destruct (a_moves i ltac:(lia)) as (A & _). replace (first + (2 * i + 1))%nat with (S (first + 2 * i)) by lia. rewrite E, A. reflexivity.
  Qed.

  Lemma words_on_line : forall e i, (e <= s - 2)%nat -> (i < s)%nat -> x (first + (2 * i + 1 + e))%nat (Z.of_nat e) = digit a i /\
    x (first + (2 * i + 2 + e))%nat (Z.of_nat e) = q i.
  Proof.
    destruct sizes as (S1 & S2 & _). induction e; intros i E L.
    - destruct (selected (2 * i)%nat ltac:(lia)) as (I & T0 & _). destruct (selected (2 * i + 1)%nat ltac:(lia)) as (_ & T1 & _).
      destruct (even_or_odd i) as [M0 M1]. rewrite M0 in T0. rewrite M1 in T1. destruct (a_moves i ltac:(lia)) as (_ & A).
      destruct (H_line (first + 2 * i)%nat) as [E0 _]. destruct (H_line (first + (2 * i + 1))%nat) as [E1 _]. rewrite T0 in E0. rewrite T1 in E1.
      unfold x. change (Z.of_nat 0 * word) with 0. rewrite !Nat.add_0_r. replace (first + (2 * i + 1))%nat with (S (first + 2 * i)) at 1 by lia.
      replace (first + (2 * i + 2))%nat with (S (first + (2 * i + 1))) by lia. rewrite E0, E1. split; [exact A | reflexivity].
    - destruct (IHe i ltac:(lia) L) as [A B]. replace (Z.of_nat (S e)) with (Z.of_nat e + 1) by lia.
      replace (first + (2 * i + 1 + S e))%nat with (S (first + (2 * i + 1 + e))) by lia. replace (first + (2 * i + 2 + S e))%nat with (S (first + (2 * i + 2 + e))) by lia.
      rewrite !x_moves by lia. auto.
  Qed.

  Lemma constants : forall m, (m <= 3 * s - 1)%nat -> net "n0_prime_q" (first + m)%nat = net "n0_prime_i" c /\ net "b_0_q" (first + m)%nat = digit b O /\
    net "n_0_q" (first + m)%nat = digit n O.
  Proof.
    induction m; intros L.
    - rewrite Nat.add_0_r. destruct (H_load c) as (_ & _ & _ & E1 & E2 & E3 & _); [rewrite idles, idle; reflexivity |]. fold first in E1, E2, E3. rewrite E1, E2, E3.
      unfold digit. cbn [pw]. rewrite !Z.div_1_r. auto.
    - rewrite Nat.add_succ_r. destruct (selected m ltac:(lia)) as (I & _). destruct (H_keep _ I) as (-> & -> & -> & _). apply IHm. lia.
  Qed.

  Lemma words_in_turn : forall e m, (e <= s - 2)%nat -> (m <= 3 * s - 1)%nat -> let o := Z.of_nat (m + e) mod 2 =? 1 in
    y (first + m)%nat (Z.of_nat e) = (if o then digit b (S e) else digit n (S e)) /\
    part (net "gen_element[1..].u_element.z_q" (first + m)%nat) (Z.of_nat e * word) word = (if o then digit n (S e) else digit b (S e)).
  Proof.
    intros e m E. destruct sizes as (S1 & S2 & _). induction m; intros L o.
    - destruct (H_load_words c (Z.of_nat e) ltac:(lia)) as (Y & Z0); [rewrite idles, idle; reflexivity |]. fold first in Y, Z0. unfold y. rewrite Nat.add_0_r, Y, Z0.
      replace ((Z.of_nat e + 1) * word) with (Z.of_nat (S e) * word) by lia. unfold r in *. rewrite <- pw_words by lia. unfold o. cbn [Nat.add].
      pose proof (Z.mod_pos_bound (Z.of_nat e) 2 ltac:(lia)). destruct (Z.eqb_spec (Z.of_nat e mod 2) 1); destruct (Z.eqb_spec (Z.of_nat e mod 2) 0); try lia; split; reflexivity.
    - destruct (selected m ltac:(lia)) as (I & _). rewrite Nat.add_succ_r. destruct (H_keep _ I) as (_ & _ & _ & Y & Z0). unfold y. rewrite Y, Z0.
      destruct (IHm ltac:(lia)) as [A B]. unfold y in A. rewrite A, B. unfold o. replace (Z.of_nat (S m + e)) with (Z.of_nat (m + e) + 1) by lia.
      pose proof (Z.mod_pos_bound (Z.of_nat (m + e)) 2 ltac:(lia)). rewrite Z.add_mod by lia. change (1 mod 2) with 1.
      assert (Z.of_nat (m + e) mod 2 = 0 \/ Z.of_nat (m + e) mod 2 = 1) as [-> | ->] by lia; split; reflexivity.
  Qed.

  Lemma words_of_operands : forall e i, (e <= s - 2)%nat -> (i < s)%nat -> y (first + (2 * i + 1 + e))%nat (Z.of_nat e) = digit b (S e) /\
    y (first + (2 * i + 2 + e))%nat (Z.of_nat e) = digit n (S e).
  Proof.
    intros e i E L. destruct sizes as (S1 & S2 & _). destruct (words_in_turn e (2 * i + 1 + e) E ltac:(lia)) as [A _]. destruct (words_in_turn e (2 * i + 2 + e) E ltac:(lia)) as [B _].
    rewrite A, B. replace (2 * i + 1 + e + e)%nat with (2 * (i + e) + 1)%nat by lia. replace (2 * i + 2 + e + e)%nat with (2 * (i + e + 1))%nat by lia.
    destruct (even_or_odd (i + e)) as [_ ->]. destruct (even_or_odd (i + e + 1)) as [-> _]. split; reflexivity.
  Qed.

  (* ---------------------------------------------------------------- products and words of t of each row *)
  Lemma products_at_0 : forall i, (i < s)%nat -> p_0 (first + (2 * i + 1))%nat = digit a i * digit b O /\ late (first + (2 * i + 2))%nat = digit a i * digit b O.
  Proof.
    destruct sizes as (S1 & S2 & _).
    assert (P : forall m i, (m <= 2 * s - 1)%nat -> turn (Z.of_nat m) = 0 -> x_0 (first + m)%nat = digit a i -> net "product_0" (first + m)%nat = digit a i * digit b O).
    { intros m i M Z0 X. pose proof (sums_at 0 m ltac:(lia) ltac:(lia)) as U. change (Z.of_nat 0) with 0 in U. rewrite Z.sub_0_r, Z0 in U.
      rewrite product_0_is, X by exact U. pose proof (H_factor_0 (first + m)%nat) as Y. unfold sum in U. rewrite U in Y. cbn [Z.eqb] in Y. rewrite Y.
      destruct (constants m ltac:(lia)) as (_ & -> & _). reflexivity. }
    assert (G : forall i, (i < s)%nat -> p_0 (first + (2 * i + 1))%nat = digit a i * digit b O).
    { intros i L. destruct i as [| i].
      - destruct (selected 0 ltac:(lia)) as (_ & _ & F). rewrite Nat.add_0_r in F. destruct (H_products_0 first (or_introl F)) as [E _].
        replace (first + (2 * 0 + 1))%nat with (S first) by lia. rewrite E. specialize (P O O ltac:(lia) eq_refl). rewrite Nat.add_0_r in P. apply P.
        destruct (words_of_0 O ltac:(lia)) as [X _]. rewrite Nat.mul_0_r, Nat.add_0_r in X. exact X.
      - destruct (selected (2 * i + 1)%nat ltac:(lia)) as (_ & T1 & _). rewrite (proj2 (even_or_odd i)) in T1. destruct (H_products_0 _ (or_intror T1)) as [E _].
        destruct (selected (2 * i + 2)%nat ltac:(lia)) as (_ & T0 & F). replace (2 * i + 2)%nat with (2 * (i + 1))%nat in T0 at 2 by lia.
        rewrite (proj1 (even_or_odd (i + 1))) in T0. destruct (Z.eqb_spec (Z.of_nat (2 * i + 2)) 0); [lia |].
        destruct (H_stays_0 _ F T0) as [E2 _]. replace (first + (2 * S i + 1))%nat with (S (first + (2 * i + 2))) by lia. rewrite E2.
        replace (first + (2 * i + 2))%nat with (S (first + (2 * i + 1))) by lia. rewrite E. apply P; [lia | apply turn_off | apply words_of_0; lia]. }
    intros i L. split; [apply G, L |]. destruct (selected (2 * i + 1)%nat ltac:(lia)) as (_ & T1 & _). rewrite (proj2 (even_or_odd i)) in T1.
    destruct (H_products_0 _ (or_intror T1)) as [_ E]. replace (first + (2 * i + 2))%nat with (S (first + (2 * i + 1))) by lia. rewrite E. apply G, L.
  Qed.

  (* The sum of element e + 1 in row i, and the words before a row. *)
  Let V (i e : nat) : Z := value (first + (2 * i + 2 + e))%nat (Z.of_nat e).
  Let before (i j : nat) : Z := match i with O => 0 | S h => if Nat.eqb j (s - 1) then (V h (s - 2) / r) mod r else V h j mod r end.
  Let writer (j : nat) : nat := if Nat.eqb j (s - 1) then (s - 2)%nat else j.

  Lemma writes : forall m j, (m <= 3 * s - 2)%nat -> (j < s)%nat -> T (first + S m)%nat (Z.of_nat j) = if sum (first + m)%nat (Z.of_nat (writer j)) =? 1 then
    (if Nat.eqb j (s - 1) then (value (first + m)%nat (Z.of_nat (s - 2)) / r) mod r else value (first + m)%nat (Z.of_nat j) mod r) else T (first + m)%nat (Z.of_nat j).
  Proof.
    intros m j M L. destruct sizes as (S1 & S2 & _). destruct (selected m M) as (I & _). rewrite Nat.add_succ_r. unfold writer. destruct (Nat.eqb_spec j (s - 1)) as [-> | N].
    - pose proof (H_top_word _ I) as E. fold r in E. unfold T, sum, value. replace (Z.of_nat (s - 1)) with (words - 1) by lia. replace (Z.of_nat (s - 2)) with (words - 2) by lia.
      exact E.
    - apply t_next; [exact I | lia].
  Qed.

  Lemma words_before : forall m i j, (m <= 3 * s - 1)%nat -> (i <= s)%nat -> (j < s)%nat -> (2 * i + 1 + writer j <= m \/ i = O)%nat -> (m <= 2 * i + 2 + writer j \/ i = s)%nat ->
    T (first + m)%nat (Z.of_nat j) = before i j.
  Proof.
    destruct sizes as (S1 & S2 & _). induction m; intros i j M I J A B.
    - assert (i = O) as -> by lia. rewrite Nat.add_0_r. destruct (H_load c) as (_ & _ & _ & _ & _ & _ & E); [rewrite idles, idle; reflexivity |].
      unfold T. fold first in E. rewrite E. apply part_of_0.
    - assert (WL : (writer j <= s - 2)%nat) by (unfold writer; destruct (Nat.eqb_spec j (s - 1)); lia).
      rewrite (writes m j) by lia. rewrite (sums_at (writer j) m) by lia. destruct (turn_when (Z.of_nat m - Z.of_nat (writer j))) as [E | (E & h & H & D)]; rewrite E; cbn [Z.eqb Pos.eqb].
      + apply IHm; try lia. destruct A as [A | A]; [| right; exact A]. destruct (Nat.eq_dec (2 * i + 1 + writer j) (S m)) as [Q | Q]; [| left; lia]. destruct i as [| i]; [right; reflexivity |].
        exfalso. replace (Z.of_nat m - Z.of_nat (writer j)) with (Z.of_nat (2 * i + 2)) in E by lia. rewrite turn_on in E by lia. discriminate.
      + assert (i = S h) as -> by lia. unfold before, V. replace m with (2 * h + 2 + writer j)%nat by lia. unfold writer. destruct (Nat.eqb_spec j (s - 1)); reflexivity.
  Qed.

  Lemma word_read : forall i e, (i < s)%nat -> (e <= s - 2)%nat -> T (first + (2 * i + 2 + e))%nat (Z.of_nat (S e)) = before i (S e).
  Proof.
    intros i e I E. destruct sizes as (S1 & S2 & _). apply words_before; try lia; unfold writer; destruct (Nat.eqb_spec (S e) (s - 1)); lia.
  Qed.

  Lemma lowest_read : forall i, (i < s)%nat -> T (first + (2 * i + 1))%nat 0 = before i O /\ T (first + (2 * i + 2))%nat 0 = before i O.
  Proof.
    intros i I. destruct sizes as (S1 & S2 & _). change 0 with (Z.of_nat 0). split; apply words_before; try lia; unfold writer; destruct (Nat.eqb_spec 0 (s - 1)); lia.
  Qed.

  Lemma digit_range : forall v i, 0 <= digit v i < r.
  Proof. intros. apply Z.mod_pos_bound. destruct powers. lia. Qed.

  Lemma q_range : forall i, 0 <= q i < r.
  Proof. intros i. unfold q. rewrite quotient_is. apply Z.mod_pos_bound. destruct powers. lia. Qed.

  Lemma before_range : forall i j, 0 <= before i j < r.
  Proof. intros [| i] j; unfold before; destruct powers as (P & _); [lia |]. destruct (Nat.eqb _ _); apply Z.mod_pos_bound; lia. Qed.

  (* The sum of element 0, which the quotient makes a multiple of the radix. *)
  Let lowest (i : nat) : Z := digit a i * digit b O + q i * digit n O + before i O.

  Lemma lowest_divides : forall i, (i < s)%nat -> lowest i = r * (lowest i / r) /\ 0 <= lowest i / r <= 2 * r - 2.
  Proof.
    intros i I. destruct powers as (P1 & _). destruct sizes as (S1 & S2 & _).
    assert (D : (r | lowest i)).
    { destruct (products_at_0 i I) as (E & _). destruct (lowest_read i I) as (E0 & _). destruct (constants (2 * i + 1)%nat ltac:(lia)) as (En & _).
      pose proof (quotient_is (first + (2 * i + 1))%nat) as Q. fold (q i) in Q. pose proof (H_low_0 (first + (2 * i + 1))%nat) as L0. fold r in L0.
      change (part (net "t_q" (first + (2 * i + 1))%nat) 0 word) with (part (net "t_q" (first + (2 * i + 1))%nat) (0 * word) word) in L0.
      fold (T (first + (2 * i + 1))%nat 0) in L0. rewrite E, E0 in L0. rewrite En, L0 in Q. rewrite Z.add_mod_idemp_l, Z.mul_mod_idemp_l in Q by lia.
      set (low := digit a i * digit b O + before i O) in *.
      assert (D0 : digit n O = n mod r) by (unfold digit; cbn [pw]; rewrite Z.div_1_r; reflexivity).
      pose proof (Z.div_mod (low * net "n0_prime_i" c) r ltac:(lia)) as D1. rewrite <- Q in D1. pose proof (Z.div_mod n r ltac:(lia)) as D2. rewrite <- D0 in D2.
      fold r in inverse. pose proof (Z.div_mod (n * net "n0_prime_i" c + 1) r ltac:(lia)) as D3. rewrite inverse, Z.add_0_r in D3.
      unfold lowest. replace (_ + _ + _) with (low + q i * digit n O) by (unfold low; ring).
      set (u := low * net "n0_prime_i" c / r) in *. set (v := n / r) in *. set (w := (n * net "n0_prime_i" c + 1) / r) in *. set (n0 := net "n0_prime_i" c) in *.
      exists (low * w - u * n - q i * v). replace (q i) with (low * n0 - r * u) by lia. replace (digit n O) with (n - r * v) by lia.
      replace ((low * w - u * n - (low * n0 - r * u) * v) * r) with (low * (r * w) - (u * n + (low * n0 - r * u) * v) * r) by ring. rewrite <- D3. ring. }
    pose proof (square _ _ (digit_range a i) (digit_range b O)) as X. pose proof (square _ _ (q_range i) (digit_range n O)) as Y. pose proof (before_range i O) as B.
    destruct D as [h D]. rewrite D, Z.div_mul by lia. split; [ring |]. unfold lowest in D. split; [apply (Z.mul_le_mono_pos_r _ _ r); lia |].
    apply Z.lt_succ_r. apply (Z.mul_lt_mono_pos_r r); lia.
  Qed.

  Let into (i j : nat) : Z := match j with O => 0 | S O => lowest i / r | S (S e) => V i e / r end.

  Lemma sums_of_row : forall i, (i < s)%nat -> forall e, (e <= s - 2)%nat ->
    V i e = before i (S e) + digit a i * digit b (S e) + q i * digit n (S e) + into i (S e) /\ 0 <= into i (S e) <= 2 * r - 2 /\ 0 <= V i e / r <= 2 * r - 2.
  Proof.
    intros i I. destruct powers as (P1 & _). destruct sizes as (S1 & S2 & _).
    assert (C : forall e, (e <= s - 2)%nat -> p (first + (2 * i + 2 + e))%nat (Z.of_nat e) = digit a i * digit b (S e) /\
      x (first + (2 * i + 2 + e))%nat (Z.of_nat e) * y (first + (2 * i + 2 + e))%nat (Z.of_nat e) = q i * digit n (S e) /\ sum (first + (2 * i + 2 + e))%nat (Z.of_nat e) = 1).
    { intros e E. destruct (words_on_line e i E I) as [X1 X2]. destruct (words_of_operands e i E I) as [Y1 Y2]. rewrite X2, Y2. split; [| split; [reflexivity |]].
      - replace (first + (2 * i + 2 + e))%nat with (S (first + (2 * i + 1 + e))) by lia. rewrite product_left; [rewrite X1, Y1; reflexivity | lia |].
        rewrite sums_at by lia. replace (_ - _) with (Z.of_nat (2 * i + 1)) by lia. apply turn_off.
      - rewrite sums_at by lia. replace (_ - _) with (Z.of_nat (2 * i + 2)) by lia. apply turn_on, I. }
    assert (Bound : forall e, V i e = before i (S e) + digit a i * digit b (S e) + q i * digit n (S e) + into i (S e) -> 0 <= into i (S e) <= 2 * r - 2 -> 0 <= V i e / r <= 2 * r - 2).
    { intros e E B. pose proof (square _ _ (digit_range a i) (digit_range b (S e))). pose proof (square _ _ (q_range i) (digit_range n (S e))). pose proof (before_range i (S e)).
      split; [apply Z.div_pos; lia |]. apply Z.lt_succ_r, Z.div_lt_upper_bound; lia. }
    induction e; intros E; destruct (C _ E) as (P & XY & U).
    - destruct (lowest_divides i I) as [D B]. rewrite Nat.add_0_r in *. change (Z.of_nat 0) with 0 in *.
      assert (G : V i 0 = before i 1 + digit a i * digit b 1 + q i * digit n 1 + into i 1); [| split; [exact G |]; split; [exact B | apply Bound; [exact G | exact B]]].
      pose proof (word_read i 0 I ltac:(lia)) as T1. rewrite Nat.add_0_r in T1. change (Z.of_nat 1) with 1 in T1.
      unfold V, into. rewrite Nat.add_0_r. change (Z.of_nat 0) with 0. rewrite (sum_first _ (lowest i / r) U); [rewrite XY, P, T1; ring | | exact B | rewrite P; apply square; apply digit_range].
      rewrite <- D. destruct (lowest_read i I) as [_ ->]. destruct (products_at_0 i I) as [_ ->].
      replace (first + (2 * i + 2))%nat with (first + 2 * S i)%nat by lia.
      assert (X : x_0 (first + 2 * S i)%nat = q i).
      { destruct (selected (2 * i + 1)%nat ltac:(lia)) as (Z0 & T0 & _). rewrite (proj2 (even_or_odd i)) in T0. destruct (H_quotient_enters _ Z0 T0) as (_ & _ & X).
        replace (first + 2 * S i)%nat with (S (first + (2 * i + 1))) by lia. exact X. }
      rewrite X. pose proof (H_factor_0 (first + 2 * S i)%nat) as Y. replace (first + (2 * i + 2))%nat with (first + 2 * S i)%nat in U by lia. unfold sum in U. rewrite U in Y. cbn [Z.eqb Pos.eqb] in Y.
      rewrite Y. destruct (constants (2 * S i)%nat ltac:(lia)) as (_ & _ & ->). unfold lowest. ring.
    - destruct (IHe ltac:(lia)) as (_ & _ & B). replace (Z.of_nat (S e)) with (Z.of_nat e + 1) in * by lia.
      assert (CV : carry (first + (2 * i + 2 + S e))%nat (Z.of_nat e) = V i e / r).
      { destruct (H_products (first + (2 * i + 2 + e))%nat (Z.of_nat e) ltac:(lia)) as [_ F]. replace (first + (2 * i + 2 + S e))%nat with (S (first + (2 * i + 2 + e))) by lia. exact F. }
      assert (G : V i (S e) = before i (S (S e)) + digit a i * digit b (S (S e)) + q i * digit n (S (S e)) + into i (S (S e)));
        [| split; [exact G |]; split; [exact B | apply Bound; [exact G | exact B]]].
      pose proof (word_read i (S e) I ltac:(lia)) as T1. unfold V at 1. replace (Z.of_nat (S e)) with (Z.of_nat e + 1) by lia.
      rewrite sum_others; [| lia | exact U | rewrite CV; apply B | rewrite P; apply square; apply digit_range].
      rewrite XY, P, CV. replace (Z.of_nat e + 2) with (Z.of_nat (S (S e))) by lia. rewrite T1. unfold into. ring.
  Qed.

  Lemma product_is : 0 <= net "t_q" done < 2 * n /\ montgomery n (pw r s) a b (net "t_q" done).
  Proof.
    destruct powers as (P1 & _). destruct sizes as (S1 & S2 & _). destruct small as (N & A & B & R4 & _).
    assert (E : net "t_q" done = digits r (before s) s).
    { rewrite t_whole. apply digits_ext. intros j J. unfold done. apply words_before; try lia; unfold writer; destruct (Nat.eqb_spec j (s - 1)); lia. }
    assert (words_of : forall v, 0 <= v < pw r s -> digits r (digit v) s = v) by (intros v L; unfold digit; rewrite word_digits by lia; apply Z.mod_small, L).
    rewrite E. apply (fios r n a b s (digit a) (digit b) (digit n) q before (fun i j => match j with O => 0 | S e => V i e mod r end) into);
      try lia; try (apply words_of; lia); try (intros; apply digit_range).
    - intros i _. apply q_range.
    - intros i j I J. destruct j as [| e].
      + unfold into. destruct (lowest_divides i I) as [D _]. rewrite Z.add_0_l, <- D. unfold lowest. ring.
      + destruct (sums_of_row i I e ltac:(lia)) as (G & _). rewrite <- G. unfold into. rewrite Z.add_comm. symmetry. apply Z.div_mod. lia.
    - intros i [| e] _ _; [lia |]. apply Z.mod_pos_bound. lia.
    - intros i [| [| e]] I J; [unfold into; lia | apply (sums_of_row i I O ltac:(lia)) | apply (sums_of_row i I e ltac:(lia))].
    - intros i _. split; reflexivity.
    - intros j _. reflexivity.
    - intros i j _ J. unfold before. destruct (Nat.eqb_spec j (s - 1)); [lia | reflexivity].
    - intros i _. unfold before. rewrite Nat.eqb_refl. assert (X : forall m, m = S (S (s - 2)) -> into i m = V i (s - 2) / r) by (intros m ->; reflexivity).
      rewrite X by lia. reflexivity.
  Qed.

  Lemma response : let t := (c + 3 * s)%nat in phase t = 2 /\ (forall i, (c < i < t)%nat -> phase i <> 2) /\
    0 <= net "p_o" t < 2 * n /\ (net "p_o" t * 2 ^ (words * word)) mod n = (a * b) mod n.
  Proof.
    intros t. destruct sizes as (S1 & S2 & _). replace t with done by (unfold t, done, first; lia). destruct small as (N & _ & _ & _ & R & W2). destruct product_is as [B M].
    split; [exact ended |]. split.
    - intros i L. destruct (running (i - first)%nat ltac:(unfold done, first in *; lia)) as (P & _). replace (first + (i - first))%nat with i in P by (unfold first; lia). lia.
    - rewrite H_answer, Z.mod_small by lia. split; [exact B |]. rewrite <- R. apply montgomery_mod, M.
  Qed.
  End Request.

  Theorem contract : multiplier net (net "a_i") (net "b_i") (net "n_i") (net "p_o") (3 * s) (3 * s) (2 ^ (words * word))
    (fun c => net "n_i" c mod 2 = 1 /\ (net "n_i" c * net "n0_prime_i" c + 1) mod 2 ^ word = 0) (fun n x => 0 <= x < 2 * n) (fun n p => 0 <= p < 2 * n).
  Proof.
    apply (serves _ _ _ _ _ _ _ _ _ _ _ phase 0 2 (fun _ => True)); [exact H_ready | |].
    - intros c I V [odd inverse] [_ A] [_ B]. exists (3 * s)%nat. destruct (response c I V odd inverse A B) as (P & N & R & M). split; [lia |]. auto.
    - intros t D _ G. split; [apply (H_hold t D G) |]. split; [exact I |]. rewrite !H_answer. f_equal. destruct sizes as (S1 & S2 & _).
      assert (Z0 : net "idle_q" t = 0) by (rewrite idles, D; reflexivity). rewrite !t_whole. apply digits_ext. intros j J.
      destruct (Nat.eq_dec j (s - 1)) as [-> | N].
      + pose proof (H_top_word t Z0) as E. rewrite (rests t) in E by lia. rewrite part_of_0 in E. cbn [Z.eqb] in E. unfold T. replace (Z.of_nat (s - 1)) with (words - 1) by lia. exact E.
      + rewrite t_next by (exact Z0 || lia). unfold sum. rewrite (rests t) by lia. rewrite part_of_0. reflexivity.
  Qed.
End Chain.
