(* SPDX-License-Identifier: Apache-2.0 *)
(* mf_fixed_prime with steps whose quotient is a product, from the nets of the RTL to the contract, for every modulus, width and word. The hypotheses are
   the lemmas that montforge prints into fixed_prime_lemmas.v, for the rows of its sums, and proves on the RTL. *)
From Coq Require Import ZArith Lia String.
Require Import DigitRecurrence Instances Contract Control Bits Numbered Pipelined CreditBuffer BoothRows Products Groups PipelinedSum fixed_prime_lemmas.
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

(* After j steps of w bits a value is below 2^x. *)
Lemma value_range : forall W n T Q V d x, 0 <= W -> 0 < n < 2 ^ W -> 0 <= T < (2 * n) * (2 * n) -> 0 <= Q < 2 ^ d -> 0 <= d -> V * 2 ^ d = T + Q * n -> 2 * W + 2 <= d + x -> W <= x ->
  0 <= V < 2 ^ (x + 1).
Proof.
  intros W n T Q V d x HW N TR QR D E X1 X2. pose proof (Z.pow_pos_nonneg 2 d ltac:(lia) D) as P. pose proof (Z.pow_pos_nonneg 2 x ltac:(lia) ltac:(lia)) as P2.
  assert (A : T < 2 ^ d * 2 ^ x).
  { apply Z.lt_le_trans with (2 ^ (2 * W + 2)); [| rewrite <- Z.pow_add_r by lia; apply Z.pow_le_mono_r; lia].
    replace (2 * W + 2) with ((W + 1) + (W + 1)) by lia. rewrite Z.pow_add_r, Z.pow_add_r by lia. change (2 ^ 1) with 2. nia. }
  assert (B : Q * n < 2 ^ d * 2 ^ x).
  { apply Z.le_lt_trans with (Q * 2 ^ x); [| apply Z.mul_lt_mono_pos_r; lia]. apply Z.mul_le_mono_nonneg_l; [lia |]. pose proof (Z.pow_le_mono_r 2 W x ltac:(lia) X2). lia. }
  rewrite Z.pow_add_r by lia. change (2 ^ 1) with 2. assert (0 <= Q * n) by (apply Z.mul_nonneg_nonneg; lia). split; [| apply (Z.mul_lt_mono_pos_r (2 ^ d)); [exact P | rewrite E; lia]].
  apply (Z.mul_le_mono_pos_r _ _ (2 ^ d)); [exact P | rewrite E; lia].
Qed.

Lemma result_range : forall W n T Q V d, 0 <= W -> 0 < n < 2 ^ W -> 0 <= T < (2 * n) * (2 * n) -> 0 <= Q < 2 ^ d -> V * 2 ^ d = T + Q * n -> W + 2 <= d -> 0 <= V < 2 * n.
Proof.
  intros W n T Q V d HW N TR QR E D. pose proof (Z.pow_pos_nonneg 2 d ltac:(lia) ltac:(lia)) as P. pose proof (Z.pow_le_mono_r 2 (W + 2) d ltac:(lia) D) as R.
  rewrite Z.pow_add_r in R by lia. change (2 ^ 2) with 4 in R. assert (A : 0 <= Q * n <= 2 ^ d * n) by nia. assert (B : 4 * n * n <= 2 ^ d * n) by nia. nia.
Qed.

(* Row j of mf_booth_selected_rows, as its bits and the constant of its sign, is what rows_product speaks of. *)
Lemma booth_bits : forall m e x sign, 0 <= e < 8 -> let negative := if e =? 7 then 0 else e / 4 in
  let magnitude := if e =? 0 then 0 else if e =? 7 then 0 else if e =? 3 then 2 * x else if e =? 4 then 2 * x else x in
  (if negative =? 1 then m - 1 - magnitude else magnitude) + (sign - negative) * m = booth_term e * x - negative + sign * m.
Proof.
  intros m e x sign E. assert (e = 0 \/ e = 1 \/ e = 2 \/ e = 3 \/ e = 4 \/ e = 5 \/ e = 6 \/ e = 7) as [-> | [-> | [-> | [-> | [-> | [-> | [-> | ->]]]]]]] by lia;
    cbv zeta; unfold booth_term; repeat match goal with |- context [?a / ?b] => let v := eval vm_compute in (a / b) in change (a / b) with v end;
    repeat match goal with |- context [?a mod ?b] => let v := eval vm_compute in (a mod b) in change (a mod b) with v end; cbn [Z.eqb Pos.eqb]; lia.
Qed.

(* What the numbers of a design have to be. *)
Definition fits (W modulus latency product_rows product_cycles steps word quotient_rows quotient_signs quotient_places quotient_minus quotient_cycles
  guard multiple_rows multiple_signs multiple_places multiple_minus multiple_cycles : Z) : bool :=
  (let q := Z.to_nat (quotient_rows - 1) in let n := Z.to_nat (multiple_rows - 2) in
  (3 <=? W) && (0 <? modulus) && (modulus <? 2 ^ W) && (product_rows =? (W + 1) / 2 + 1) && (1 <=? steps) && (2 <=? word) && (word <=? W + 2) && (W + 2 <=? steps * word) && (1 <=? quotient_rows) && (2 <=? multiple_rows) &&
  (1 <=? product_cycles) && (1 <=? quotient_cycles) && (1 <=? multiple_cycles) && (0 <=? guard) && (guard <=? word) &&
  (latency =? 1 + product_cycles + steps * (quotient_cycles + multiple_cycles)) && ((guard =? word) || (multiple_rows <=? 2 ^ guard)) &&
  (negatives quotient_places quotient_signs q =? quotient_minus) && (negatives multiple_places multiple_signs n =? multiple_minus) &&
  (factor multiple_places multiple_signs n =? modulus) && ((modulus * factor quotient_places quotient_signs q + 1) mod 2 ^ word =? 0))%bool.

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

Section Chain.
  Variables (K : nat) (modulus latency product_rows product_cycles steps word quotient_rows quotient_signs quotient_places quotient_minus quotient_cycles
    guard multiple_rows multiple_signs multiple_places multiple_minus multiple_cycles : Z) (net : trace) (n : nat -> Z).
  Let W := Z.of_nat K.
  Local Notation on lemma := (lemma W modulus latency product_rows product_cycles steps word quotient_rows quotient_signs quotient_places quotient_minus quotient_cycles
    guard multiple_rows multiple_signs multiple_places multiple_minus multiple_cycles net).
  Hypotheses (fit : fits W modulus latency product_rows product_cycles steps word quotient_rows quotient_signs quotient_places quotient_minus quotient_cycles
      guard multiple_rows multiple_signs multiple_places multiple_minus multiple_cycles = true) (H_ranges : on ranges) (H_odd : on odd)
    (H_handshake : on buffer_handshake) (H_empty : on buffer_empty) (H_counts : on buffer_counts) (H_places : on buffer_places) (H_keeps : on buffer_keeps)
    (H_shows : on buffer_shows) (H_none : on none) (H_enters : on enters) (H_leaves : on leaves)
    (H_product_terms : on product_terms) (H_product_tree : on product_tree) (H_product_groups : on product_groups) (H_product_carries : on product_carries)
    (H_product_sum : on product_sum) (H_values : on values)
    (H_quotient_terms : on quotient_terms) (H_quotient_tree : on quotient_tree) (H_quotient_groups : on quotient_groups) (H_quotient_carries : on quotient_carries)
    (H_quotient_sum : on quotient_sum) (H_kept : on kept)
    (H_multiple_terms : on multiple_terms) (H_multiple_tree : on multiple_tree) (H_multiple_groups : on multiple_groups) (H_multiple_carries : on multiple_carries)
    (H_multiple_sum : on multiple_sum) (H_result : on step_result).

  Let q_digits := Z.to_nat (quotient_rows - 1).
  Let n_digits := Z.to_nat (multiple_rows - 2).

  Lemma sizes : (3 <= W /\ 0 < modulus < 2 ^ W /\ product_rows = (W + 1) / 2 + 1 /\ 1 <= steps /\ 2 <= word /\ word <= W + 2 /\ W + 2 <= steps * word /\ 1 <= quotient_rows /\ 2 <= multiple_rows) /\
    (1 <= product_cycles /\ 1 <= quotient_cycles /\ 1 <= multiple_cycles /\ 0 <= guard <= word /\ latency = 1 + product_cycles + steps * (quotient_cycles + multiple_cycles)) /\
    (guard = word \/ multiple_rows <= 2 ^ guard) /\ negatives quotient_places quotient_signs q_digits = quotient_minus /\
    negatives multiple_places multiple_signs n_digits = multiple_minus /\ factor multiple_places multiple_signs n_digits = modulus /\
    (modulus * factor quotient_places quotient_signs q_digits + 1) mod 2 ^ word = 0.
  Proof.
    pose proof fit as F. unfold fits in F. cbv zeta in F. fold q_digits n_digits in F. rewrite !Bool.andb_true_iff, Bool.orb_true_iff, !Z.leb_le, !Z.ltb_lt, !Z.eqb_eq in F. clear - F. tauto.
  Qed.

  Lemma inputs : forall t, (0 <= net "a_i" t < 2 ^ (W + 1) /\ 0 <= net "b_i" t < 2 ^ (W + 1)) /\ 0 <= net "req_valid_i" t < 2 /\ 0 <= net "rsp_ready_i" t < 2.
  Proof. intros t. pose proof (H_ranges t) as R. unfold ranges in R. clear - R. decompose [and] R. clear R. repeat split; assumption. Qed.

  (* ---------------------------------------------------------------- the product *)
  Local Notation t_net := (net "u_core.u_product.gen_rows.gen_product.u_product.u_sum.u_adder.sum_o").

  Lemma product_is : forall t, part (t_net (Z.to_nat product_cycles + S t)%nat) 0 (2 * (W + 1)) = net "a_i" t * net "b_i" t.
  Proof.
    intros t. destruct sizes as ((HW & _ & R & _) & _). set (m := 2 * (W + 1)). assert (Hm : 0 <= m) by (unfold m; lia). assert (Hm1 : 1 <= m) by (unfold m; lia).
    destruct (inputs t) as ((A1 & B1) & _).
    set (X := net "u_core.u_product.gen_rows.gen_product.u_product.u_sum.rows_i" (S t)).
    assert (KR : product_rows = Z.of_nat (Z.to_nat product_rows)) by (clear - HW R; pose proof (Z.div_pos (W + 1) 2); lia).
    assert (A : (2 ^ m | total (vectors m X) (Z.to_nat product_rows) - net "a_i" t * net "b_i" t)).
    { pose proof (rows_product (W + 1) (net "a_i" t) (net "b_i" t) (Z.to_nat product_rows)) as G. rewrite <- KR in G.
      pose proof (fun row => G row ltac:(lia) R B1) as G2. clear G.
      set (row := fun j => 2 ^ (2 * Z.of_nat j) * (booth_term (((2 * net "b_i" t) / 2 ^ (2 * Z.of_nat j)) mod 8) * net "a_i" t -
          (if ((2 * net "b_i" t) / 2 ^ (2 * Z.of_nat j)) mod 8 =? 7 then 0 else (((2 * net "b_i" t) / 2 ^ (2 * Z.of_nat j)) mod 8) / 4) +
          (if Z.of_nat j =? 0 then 4 else if Z.of_nat j =? product_rows - 1 then 0 else if Z.of_nat j =? product_rows - 2 then if (W + 1) mod 2 =? 0 then 1 else 3 else 3) * 2 ^ (W + 1 + 1)) +
        2 ^ (2 * Z.of_nat j) / 4 * (if ((8 * net "b_i" t) / 2 ^ (2 * Z.of_nat j)) mod 8 =? 7 then 0 else (((8 * net "b_i" t) / 2 ^ (2 * Z.of_nat j)) mod 8) / 4)).
      specialize (G2 row ltac:(intros; reflexivity)). fold m in G2.
      pose proof (total_divides (2 ^ m) (fun j => vectors m X j - row j) (Z.to_nat product_rows)) as D. rewrite total_sub, G2 in D.
      assert (D' := D ltac:(intros j J; unfold vectors, vector;
        pose proof (H_product_terms t (Z.of_nat j) ltac:(clear - J KR; lia)) as E; fold m X in E; rewrite E; clear E;
        rewrite booth_bits by (apply Z.mod_pos_bound; lia); fold (row j); exists (- (row j / 2 ^ m)); rewrite (Z.mod_eq (row j)) by (apply Z.pow_nonzero; lia); ring)).
      clear D. destruct D' as [k D]. exists (k + 1). lia. }
    assert (E : part (t_net (Z.to_nat product_cycles + S t)%nat) 0 m = (net "a_i" t * net "b_i" t) mod 2 ^ m).
    { pose proof H_product_tree as H1. pose proof H_product_groups as H2. pose proof H_product_carries as H3. pose proof H_product_sum as H4.
      clear - A Hm Hm1 H1 H2 H3 H4. unfold product_tree, product_groups, product_carries, product_sum in *. fold m in H1, H2, H3, H4.
      unfold X in A. clear X. revert H1 H2 H3 H4 A. clearbody m. generalize (net "a_i" t * net "b_i" t) (S t). nets_as_variables net. clear - Hm Hm1. intros.
      destruct (H1 O) as (ER & EL & _). rewrite ER in A. rewrite EL. clear ER EL. through_sum H1 H2 H3 H4 A. exact A. }
    rewrite E. apply Z.mod_small. unfold m. replace (2 * (W + 1)) with ((W + 1) + (W + 1)) by lia. rewrite Z.pow_add_r by lia.
    split; [apply Z.mul_nonneg_nonneg; lia | apply Z.mul_lt_mono_nonneg; lia].
  Qed.

  (* ---------------------------------------------------------------- a step *)
  Let value_bits (i : Z) : Z := Z.max (2 * (W + 1) - i * word) (W + 1) + Z.min 1 i * Z.min 1 (steps - i).
  Let before (i : Z) (t : nat) : Z := part (net (numbered "u_core.gen_montgomery.gen_step[" i "].v_before") t) 0 (value_bits i).
  Let after (i : Z) (t : nat) : Z := part (net (numbered "u_core.gen_montgomery.gen_step[" i "].v") t) 0 (value_bits (i + 1)).
  Let low := word - guard.
  Let Q := Z.to_nat quotient_cycles.
  Let M := Z.to_nat multiple_cycles.


  Lemma value_widths : value_bits 0 = 2 * (W + 1) /\ value_bits steps = W + 1 /\ forall i, 0 < i < steps -> value_bits i = Z.max (2 * (W + 1) - i * word) (W + 1) + 1.
  Proof.
    destruct sizes as ((HW & _ & _ & S1 & W2 & _ & W3 & _) & _). unfold value_bits. clear - HW S1 W2 W3. split; [| split].
    - rewrite Z.min_r by lia. lia.
    - rewrite Z.sub_diag, (Z.min_r 1 0), Z.max_r by lia. lia.
    - intros i I. rewrite !Z.min_l by lia. lia.
  Qed.

  Section Step.
  Variables (i : Z).
  Hypothesis at_step : 0 <= i < steps.
  Let kept_bits := value_bits i - low.
  Let sum_bits := value_bits (i + 1) + guard.
  Local Notation q_net := (net (numbered "u_core.gen_montgomery.gen_step[" i "].u_step.gen_quotient.u_q.u_adder.sum_o")).
  Let q (t : nat) : Z := part (q_net t) 0 word.

  Lemma widths : (1 <= word /\ 0 <= low <= word /\ 0 <= guard <= word) /\ word <= value_bits i /\ 1 <= value_bits (i + 1).
  Proof.
    destruct sizes as ((HW & _ & _ & S1 & W2 & WW & _) & (_ & _ & _ & G & _) & _). destruct value_widths as (V0 & V1 & V2). unfold low. clear - HW S1 W2 WW G V0 V1 V2 at_step.
    split; [lia | split].
    - destruct (Z.eq_dec i 0) as [-> |]; [lia |]. rewrite V2 by lia. lia.
    - destruct (Z.eq_dec (i + 1) steps) as [-> |]; [lia |]. rewrite V2 by lia. lia.
  Qed.

  Lemma quotient_is : forall t, q (Q + t)%nat = (part (before i t) 0 word * factor quotient_places quotient_signs q_digits) mod 2 ^ word.
  Proof.
    intros t. destruct widths as ((HW & _) & B & _). destruct sizes as ((_ & _ & _ & _ & _ & _ & _ & QR & _) & _ & _ & NQ & _). set (x := part (before i t) 0 word).
    assert (X : part (net (numbered "u_core.gen_montgomery.gen_step[" i "].v_before") t) 0 word = x) by (unfold x, before; rewrite part_low by lia; reflexivity).
    set (rows := net (numbered "u_core.gen_montgomery.gen_step[" i "].u_step.gen_quotient.u_q.rows_i") t).
    assert (A : (2 ^ word | total (vectors word rows) (Z.to_nat quotient_rows) - x * factor quotient_places quotient_signs q_digits)).
    { destruct (H_quotient_terms t i at_step) as [R L]. fold rows in R, L. rewrite X in R. rewrite <- NQ in L.
      assert (DN : quotient_rows - 1 - 0 = Z.of_nat q_digits) by (unfold q_digits; clear - QR; lia). rewrite DN in R, L.
      destruct (constant_rows word 0 word x quotient_places quotient_signs 0 q_digits (fun r => vector word rows (0 + r)) ltac:(clear - HW; lia) R L) as (s & e & D & S1 & E1).
      change (2 ^ 0) with 1 in S1, E1. replace (Z.to_nat quotient_rows) with (S q_digits) by (unfold q_digits; clear - QR; lia).
      replace (x * factor quotient_places quotient_signs q_digits) with s by (clear - S1 E1; lia). exact D. }
    pose proof (fun t => H_quotient_tree t i at_step) as H1. pose proof (fun t => H_quotient_groups t i at_step) as H2. pose proof (fun t => H_quotient_carries t i at_step) as H3.
    pose proof (fun t => H_quotient_sum t i at_step) as H4. clear - A HW H1 H2 H3 H4. unfold q, Q, rows in *. clear q rows. revert H1 H2 H3 H4 A.
    generalize (x * factor quotient_places quotient_signs q_digits). clear x. nets_as_variables net. clear - HW. intros. destruct (H1 O) as (ER & EL & _). rewrite ER in A. rewrite EL. clear ER EL.
    through_sum H1 H2 H3 H4 A. exact A.
  Qed.

  Lemma kept_is : forall d t, (d < Q)%nat ->
    part (net (numbered "u_core.gen_montgomery.gen_step[" i "].u_step.u_kept.gen_registers.line_q") (S d + t)%nat) (Z.of_nat d * kept_bits) kept_bits =
    part (before i t) low kept_bits.
  Proof.
    destruct widths as ((_ & L & _) & B & _). induction d; intros t D.
    - destruct (H_kept t i at_step) as [E _]. etransitivity; [exact E |]. symmetry. unfold before. rewrite part_part by (unfold kept_bits; lia). reflexivity.
    - destruct (H_kept (S d + t)%nat i at_step) as (_ & E & _). rewrite <- (IHd t) by lia. rewrite Nat2Z.inj_succ. apply (E (Z.of_nat d)). unfold Q in D. lia.
  Qed.

  Theorem step_is : forall t z, before i t + q (Q + t)%nat * modulus = 2 ^ word * z -> after i (M + (Q + t))%nat = z mod 2 ^ value_bits (i + 1).
  Proof.
    intros t z E. destruct widths as ((HW & L & G) & B & B1). destruct sizes as ((_ & _ & _ & _ & _ & _ & _ & _ & MR) & (_ & QC & _) & C & _ & NM & FM & _).
    set (u := (Q + t)%nat) in *. set (rows := net (numbered "u_core.gen_montgomery.gen_step[" i "].u_step.u_sum.rows_i") u).
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
      assert (R : part (net (numbered "u_core.gen_montgomery.gen_step[" i "].u_step.u_sum.u_adder.sum_o") (M + u)%nat) 0 sum_bits = s mod 2 ^ sum_bits).
      { pose proof (fun t => H_multiple_tree t i at_step) as H1. pose proof (fun t => H_multiple_groups t i at_step) as H2. pose proof (fun t => H_multiple_carries t i at_step) as H3.
        pose proof (fun t => H_multiple_sum t i at_step) as H4. change (Z.max (2 * (W + 1) - (i + 1) * word) (W + 1) + Z.min 1 (i + 1) * Z.min 1 (steps - (i + 1)) + guard) with sum_bits in H1, H2, H3, H4.
        clear - D Hs H1 H2 H3 H4. unfold M, rows in *. clear rows. assert (Hs0 : 0 <= sum_bits) by (clear - Hs; lia). revert H1 H2 H3 H4 D. clearbody sum_bits u. nets_as_variables net.
        clear - Hs Hs0. intros. destruct (H1 O) as (ER & EL & _). rewrite ER in D. rewrite EL. clear ER EL. through_sum H1 H2 H3 H4 D. exact D. }
      unfold after. etransitivity; [apply (H_result _ i at_step) |]. fold (value_bits (i + 1)).
      rewrite <- (part_part _ 0 sum_bits guard) by (unfold sum_bits; clear - G B1; lia). etransitivity; [apply (f_equal (fun y => part y guard (value_bits (i + 1)))); exact R |].
      etransitivity; [apply (high_part s guard (value_bits (i + 1)) sum_bits); unfold sum_bits; clear - G B1; lia |]. rewrite S1. reflexivity.
  Qed.
  End Step.

  Lemma divided : forall i t, 0 <= i < steps -> exists z q, before i t + q * modulus = 2 ^ word * z /\ 0 <= q < 2 ^ word /\ after i (M + (Q + t))%nat = z mod 2 ^ value_bits (i + 1).
  Proof.
    intros i t I. pose proof (quotient_is i I t) as E. pose proof (step_is i I t) as F. cbv beta in E, F. destruct (widths i I) as ((HW & _) & B & _).
    destruct sizes as (_ & _ & _ & _ & _ & _ & NQ). set (q := part (net _ (Q + t)%nat) 0 word) in *. set (v := before i t) in *.
    pose proof (Z.pow_pos_nonneg 2 word ltac:(lia) ltac:(clear - HW; lia)) as P. assert (D : (2 ^ word | v + q * modulus)).
    { assert (V : part v 0 word = v mod 2 ^ word) by (unfold part; rewrite Z.div_1_r; reflexivity). rewrite V in E. clear V F. set (f := factor _ _ _) in *.
      apply Z.mod_divide in NQ; [| clear - P; lia]. destruct NQ as [k NQ]. rewrite E, (Z.mod_eq (v mod _ * f)), (Z.mod_eq v) by (clear - P; lia). set (r := 2 ^ word) in *.
      exists (k * (v - r * (v / r)) + v / r - (v - r * (v / r)) * f / r * modulus).
      replace (v + ((v - r * (v / r)) * f - r * ((v - r * (v / r)) * f / r)) * modulus) with
        ((v - r * (v / r)) * (modulus * f + 1) + r * (v / r) - r * ((v - r * (v / r)) * f / r) * modulus) by ring. rewrite NQ. ring. }
    destruct D as [z D]. exists z, q. split; [lia |]. split; [apply part_range; clear - HW; lia |]. apply F. lia.
  Qed.

  Section Request.
  Variables (c : nat).
  Hypotheses (a_range : 0 <= net "a_i" c < 2 * modulus) (b_range : 0 <= net "b_i" c < 2 * modulus).
  Let T := net "a_i" c * net "b_i" c.
  Let at_step (j : nat) : nat := (j * (M + Q) + (Z.to_nat product_cycles + S c))%nat.

  Lemma product_range : 0 <= T < (2 * modulus) * (2 * modulus).
  Proof. unfold T. split; [apply Z.mul_nonneg_nonneg; lia | apply Z.mul_lt_mono_nonneg; lia]. Qed.

  (* V is the value after j steps. *)
  Definition reached (j : nat) (V : Z) : Prop := exists q, 0 <= q < 2 ^ (Z.of_nat j * word) /\ V * 2 ^ (Z.of_nat j * word) = T + q * modulus.

  Lemma reached_range : forall j V, (1 <= j)%nat -> Z.of_nat j <= steps -> reached j V -> 0 <= V < 2 ^ value_bits (Z.of_nat j) /\ (Z.of_nat j = steps -> 0 <= V < 2 * modulus).
  Proof.
    intros j V J1 J2 (q & B & E). destruct sizes as ((HW & N & _ & S1 & W2 & _ & W3 & _) & _). destruct value_widths as (_ & V1 & V2). pose proof product_range as TR.
    set (d := Z.of_nat j * word) in *. destruct (Z.eq_dec (Z.of_nat j) steps) as [F | F].
    - assert (D : W + 2 <= d) by (unfold d; rewrite F; exact W3). rewrite F, V1. pose proof (result_range W modulus T q V d ltac:(clear - HW; lia) N TR B E D) as R.
      split; [| intros _; exact R]. rewrite Z.pow_add_r by (clear - HW; lia). change (2 ^ 1) with 2. clear - R N. lia.
    - rewrite V2 by (clear - J1 J2 F; lia). split; [| intros G; contradiction (F G)]. fold d.
      apply (value_range W modulus T q V d (Z.max (2 * (W + 1) - d) (W + 1))); [clear - HW; lia | exact N | exact TR | exact B | | exact E | clear; lia | clear; lia].
      unfold d. apply Z.mul_nonneg_nonneg; clear - W2; lia.
  Qed.

  Lemma step_on : forall j, Z.of_nat j < steps -> reached j (before (Z.of_nat j) (at_step j)) -> reached (S j) (after (Z.of_nat j) (at_step (S j))).
  Proof.
    intros j J (p & B & E). destruct (divided (Z.of_nat j) (at_step j) ltac:(clear - J; lia)) as (z & q & D & Bq & F). destruct sizes as ((_ & _ & _ & _ & W2 & _) & _).
    assert (P : 2 ^ (Z.of_nat (S j) * word) = 2 ^ (Z.of_nat j * word) * 2 ^ word).
    { rewrite <- Z.pow_add_r by (try apply Z.mul_nonneg_nonneg; clear - W2; lia). f_equal. clear. lia. }
    assert (R : reached (S j) z).
    { exists (p + 2 ^ (Z.of_nat j * word) * q). rewrite P. set (x := 2 ^ (Z.of_nat j * word)) in *. set (r := 2 ^ word) in *. clear - B E D Bq. split; [nia |].
      replace (z * (x * r)) with (x * (r * z)) by ring. rewrite <- D. lia. }
    replace (at_step (S j)) with (M + (Q + at_step j))%nat by (unfold at_step; clear; lia).
    destruct (reached_range (S j) z ltac:(clear; lia) ltac:(clear - J; lia) R) as [G _]. rewrite F, Z.mod_small; [exact R |]. replace (Z.of_nat j + 1) with (Z.of_nat (S j)) by (clear; lia). exact G.
  Qed.

  Lemma steps_to : forall j, Z.of_nat j < steps -> reached j (before (Z.of_nat j) (at_step j)).
  Proof.
    destruct value_widths as (V0 & V1 & V2). induction j; intros J.
    - exists 0. change (Z.of_nat 0 * word) with 0. change (2 ^ 0) with 1. split; [clear; lia |]. unfold before. change (Z.of_nat 0) with 0. rewrite V0. destruct (H_values (at_step 0)) as [E _]. rewrite E. unfold at_step. cbn [Nat.mul Nat.add]. rewrite product_is. fold T. clear. lia.
    - pose proof (step_on j ltac:(clear - J; lia) (IHj ltac:(clear - J; lia))) as R. destruct (H_values (at_step (S j))) as (_ & E & _).
      specialize (E (Z.of_nat j) ltac:(clear - J; lia)). unfold before. replace (Z.of_nat (S j)) with (Z.of_nat j + 1) by (clear; lia). fold (value_bits (Z.of_nat j + 1)) in E. rewrite E. exact R.
  Qed.

  Theorem result_is : 0 <= net "u_buffer.result_i" (c + Z.to_nat latency)%nat < 2 * modulus /\
    (net "u_buffer.result_i" (c + Z.to_nat latency)%nat * 2 ^ (steps * word)) mod modulus = T mod modulus.
  Proof.
    destruct sizes as ((_ & N & _ & S1 & _) & (PC & QC & MC & _ & LE) & _). destruct value_widths as (V0 & V1 & V2). set (l := Z.to_nat (steps - 1)).
    assert (L : Z.of_nat l = steps - 1) by (unfold l; clear - S1; lia).
    assert (TE : (c + Z.to_nat latency)%nat = at_step (S l)).
    { unfold at_step, M, Q. apply Nat2Z.inj. rewrite !Nat2Z.inj_add, Nat2Z.inj_mul, !Nat2Z.inj_add, !Nat2Z.inj_succ, L, !Z2Nat.id by (clear - LE PC QC MC S1; nia). rewrite LE. clear. lia. }
    pose proof (step_on l ltac:(clear - L; lia) (steps_to l ltac:(clear - L; lia))) as R. destruct (H_values (at_step (S l))) as (_ & _ & E).
    assert (E2 : net "u_buffer.result_i" (at_step (S l)) = after (Z.of_nat l) (at_step (S l))).
    { etransitivity; [exact E |]. unfold after. replace (Z.of_nat l + 1) with steps by (clear - L; lia). rewrite V1, L. reflexivity. }
    rewrite TE, E2. assert (LS : Z.of_nat (S l) = steps) by (clear - L; lia). destruct (reached_range (S l) _ ltac:(clear; lia) ltac:(clear - LS; lia) R) as [_ G].
    split; [apply G; exact LS |]. destruct R as (q & _ & F). rewrite LS in F. rewrite F. apply Z_mod_plus_full.
  Qed.
  End Request.

  (* ---------------------------------------------------------------- the requests under way *)
  Lemma valid_is : forall t i, (i < Z.to_nat latency)%nat ->
    part (net "valid_q" t) (Z.of_nat i) 1 = if Nat.leb t i then 0 else if accepts net (t - 1 - i) then 1 else 0.
  Proof.
    destruct sizes as ((_ & _ & _ & S1 & _) & (PC & QC & MC & _ & LE) & _). assert (LP : 1 <= latency) by (clear - LE PC QC MC S1; nia). pose proof inputs as IN. clear - H_none H_enters IN LP H_handshake.
    induction t; intros i I.
    - rewrite H_none by reflexivity. unfold part. rewrite Zdiv_0_l. reflexivity.
    - rewrite H_enters. assert (X : net "req_valid_i" t * net "req_ready_o" t = if accepts net t then 1 else 0).
      { unfold accepts. assert (net "req_valid_i" t = 0 \/ net "req_valid_i" t = 1) as [-> | ->] by (pose proof (IN t); lia);
          destruct (H_handshake t) as [-> _]; destruct (_ =? latency + 2); reflexivity. }
      rewrite X. set (x := if accepts net t then 1 else 0). assert (XR : 0 <= x <= 1) by (unfold x; destruct (accepts net t); lia).
      set (y := 2 * net "valid_q" t + x). assert (Y : part (y mod 2 ^ latency) (Z.of_nat i) 1 = part y (Z.of_nat i) 1).
      { pose proof (part_part y 0 latency (Z.of_nat i) 1 ltac:(lia) ltac:(lia) ltac:(lia) ltac:(lia)) as P. unfold part in P at 2. rewrite Z.div_1_r, Z.add_0_l in P. exact P. }
      rewrite Y. destruct i as [| i].
      + change (Z.of_nat 0) with 0. unfold part. rewrite Z.div_1_r. change (2 ^ 1) with 2. unfold y. rewrite Z.add_comm, Z.mul_comm, Z_mod_plus_full, Z.mod_small by lia.
        cbn [Nat.leb]. replace (S t - 1 - 0)%nat with t by lia. reflexivity.
      + cbn [Nat.leb]. replace (S t - 1 - S i)%nat with (t - 1 - i)%nat by lia. rewrite <- IHt by lia. unfold part, y. rewrite Nat2Z.inj_succ, Z.pow_succ_r, <- Z.div_div by lia.
        rewrite (Z.add_comm (2 * _)), (Z.mul_comm 2), Z.div_add, (Z.div_small x) by lia. reflexivity.
  Qed.

  Theorem contract : pipelined net (net "a_i") (net "b_i") n (net "p_o") (S (Z.to_nat latency)) (S (Z.to_nat latency)) (2 ^ (steps * word))
    (fun c => n c = modulus) (fun n x => 0 <= x < 2 * n) (fun n p => 0 <= p < 2 * n).
  Proof.
    destruct sizes as ((_ & _ & _ & S1 & _) & (PC & QC & MC & _ & LE) & _). assert (LP : 1 <= latency) by (clear - LE PC QC MC S1; nia).
    assert (DE : Z.of_nat (Z.to_nat (latency + 2)) = latency + 2) by (clear - LP; lia).
    apply (buffered net (net "a_i") (net "b_i") n (net "p_o") (2 ^ (steps * word)) (fun c => n c = modulus) (fun n x => 0 <= x < 2 * n) (fun n p => 0 <= p < 2 * n)
      (Z.to_nat latency) (Z.to_nat (latency + 2)) (net "u_buffer.owed_q") (net "u_buffer.waiting_q") (net "u_buffer.put_q") (net "u_buffer.take_q") (net "u_buffer.put_i")
      (net "u_buffer.result_i") (fun t i => part (net "u_buffer.results_q" t) (i * (W + 1)) (W + 1))); rewrite ?DE.
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
    - intros c _ _ -> A B. apply result_is; assumption.
  Qed.
End Chain.
