(* SPDX-License-Identifier: Apache-2.0 *)
(* unit_csa with the exact tail that takes no request before the response before has been taken: from a request to p in a_q. What follows is the theorem's
   of a kind of result. *)
From Coq Require Import ZArith Lia String.
Require Import DigitRecurrence Instances WordSerial Contract Bits UnitAccumulator Groups Scaled unit_csa_lemmas unit_csa_loop unit_csa_alone unit_csa_tail.
Open Scope string_scope. Open Scope Z_scope.
Set Default Proof Using "All".

Section Exact.
  Variables (W loops many last digit operand modulus state delay Pair group : Z) (net : trace).
  Local Notation on lemma := (lemma W loops many last digit operand modulus state delay Pair group net).
  Local Notation phase := (net "u_core.phase_q"). Local Notation left := (net "u_core.left_q"). Local Notation idle := (net "u_core.idle_q").
  Local Notation shift := (net "u_core.shift_q"). Local Notation start := (net "u_core.start_q").
  Local Notation carries := (net "u_core.u_convert.carries"). Local Notation a_q := (net "u_core.a_q"). Local Notation n_q := (net "u_core.gen_n.n_q").
  Local Notation s_q := (net "u_core.s_q"). Local Notation c_q := (net "u_core.c_q").

  Hypotheses (sizes : (3 <= W /\ 3 <= digit /\ 2 <= delay <= 3 /\ 1 <= group) /\ (operand = W + 1 /\ modulus = W + 1 /\ state = W + digit * delay + 2 /\ Pair = operand) /\
      (operand <= many * digit /\ delay <= many) /\ (1 <= last /\ W + 2 <= last * digit + digit * delay /\ many <= last + delay /\ loops = last + delay + 1))
    (H_ranges : on ranges) (H_selects : on selects) (H_valid : on valid_digits) (H_at_reset : on at_reset) (H_accept : on accept) (H_count : on count)
    (H_no_load : on no_load) (H_no_load_yet : on no_load_yet) (H_converts : on converts) (H_keep : on keep)
    (H_keep_modulus : on keep_modulus) (H_shift_a : on shift_a) (H_first_digit : on first_digit) (H_other_digits : on other_digits)
    (H_a_terms : on a_terms) (H_first_terms : on first_terms) (H_a_transfer : on a_transfer) (H_quotient_digit : on quotient_digit)
    (H_quotient_terms : on quotient_terms) (H_quotient_transfer : on quotient_transfer) (H_a_multiples : on a_multiples)
    (H_product_rows : on product_rows) (H_product : on product) (H_quotient_multiples : on quotient_multiples) (H_quotient_rows : on quotient_rows)
    (H_quotient_product : on quotient_product) (H_rows : on rows) (H_pair : on pair) (H_accumulate : on accumulate) (H_look_ahead : on look_ahead)
    (H_no_transfer : on no_transfer) (H_tail : on tail) (H_tail_count : on tail_count) (H_tail_end : on tail_end) (H_constants : on constants)
    (H_first : on first_of_exact) (H_dated_at_reset : on dated_at_reset) (H_dated_on : on dated_on) (H_no_exact : on no_exact)
    (H_exact_terms : on exact_terms) (H_low_terms : on low_terms) (H_exact_multiples : on exact_multiples) (H_exact_rows : on exact_rows)
    (H_exact_digit : on exact_digit) (H_exact_transfer : on exact_transfer) (H_loads : on loads) (H_increments : on increments)
    (no_start : forall t, phase t <> 3 -> phase t <> 4 -> start t = 0) (starts_after : forall t, phase t = 2 -> left t = 0 -> start (S t) = 1)
    (start_once : forall t, phase t = 3 -> 0 < left t -> start (S t) = 0)
    (first_sums : forall t i, phase t = 2 -> left t = 0 -> 0 <= i < (Pair + group - 1) / group -> start (S t) = 1 -> idle (S t) = 0 -> shift (S t) = 0 ->
      let bits := Z.min group (Pair - i * group) in
      let pair := part (s_q (S t)) (digit + i * group) bits + part (c_q (S t)) (digit + i * group) bits in
      let carry := if part (s_q (S t)) (digit - 1) 1 + part (c_q (S t)) (digit - 1) 1 =? 0 then 0 else 1 in
      part (a_q (S (S t))) (0 + i * group) bits + 2 ^ bits * part (net "u_core.u_convert.generates" (S t)) i 1 = pair + (if i =? 0 then carry else 0) /\
      part (net "u_core.u_convert.propagates" (S t)) i 1 = if pair =? 2 ^ bits - 1 then 1 else 0).

  Let D := S (Z.to_nat (delay - 1)).
  Let L := Z.to_nat loops.

  Lemma positive : 1 <= digit.
  Proof. lia. Qed.

  Local Notation alone lemma := (lemma W loops many last digit operand modulus state delay Pair group net positive H_ranges H_selects H_at_reset H_accept
    H_no_load H_shift_a H_quotient_digit H_quotient_transfer H_accumulate).

  Lemma idle_is : forall t, idle t = if phase t =? 0 then 1 else 0.
  Proof. exact (alone unit_csa_alone.idle_is). Qed.

  Lemma shift_is : forall t, shift t = if phase t =? 1 then 1 else 0.
  Proof. exact (alone unit_csa_alone.shift_is). Qed.

  Lemma looping : forall t, phase t = 1 -> idle t = 0.
  Proof. intros t P. rewrite idle_is, P. reflexivity. Qed.

  Lemma tailing : forall t, phase t = 2 -> 0 < left t -> idle t = 0.
  Proof. intros t P _. rewrite idle_is, P. reflexivity. Qed.

  Local Notation tail lemma := (lemma W loops many last digit operand modulus state delay Pair group net sizes H_ranges H_selects H_valid H_at_reset H_count
    H_no_load_yet H_keep H_keep_modulus H_first_digit H_other_digits H_a_terms H_first_terms H_a_transfer H_quotient_digit H_quotient_terms
    H_a_multiples H_product_rows H_product H_quotient_multiples H_quotient_rows H_quotient_product H_rows H_pair H_accumulate
    H_no_transfer H_tail H_tail_count H_constants H_first H_dated_at_reset H_dated_on H_no_exact H_exact_terms H_low_terms
    H_exact_multiples H_exact_rows H_exact_digit H_exact_transfer H_loads
    (fun _ : nat => False) (fun (t : nat) (F : False) => False_ind _ F) (fun t _ => proj1 (H_quotient_transfer t)) (fun t => proj2 (H_quotient_transfer t))
    looping tailing (alone unit_csa_alone.shifts no_start)).

  Section Request.
  (* A request is accepted in cycle c. *)
  Variables (c : nat).
  Let n := net "n_i" c. Let a := two operand (net "a_i" c). Let b := two operand (net "b_i" c). Let nbar := two W (net "n_scaled_i" c).
  Hypotheses (begins : phase c = 0) (request : net "req_valid_i" c = 1) (odd : n mod 2 = 1) (least : 3 <= n)
    (constant : scaled (digit * delay) n nbar) (inverse : (n * net "n_inverse_i" c + 1) mod 2 ^ (digit * delay) = 0)
    (a_range : - n < a < n) (b_range : - n < b < n).
  Local Notation requested lemma := (tail lemma c (alone unit_csa_alone.begun no_start c begins request) (tail unit_csa_tail.undated c (or_introl begins))
    odd least constant inverse a_range b_range).
  Let first := S c.
  Let ends := (first + S L + S D)%nat.                                                      (* the first cycle of the conversion *)

  Lemma most : n <= 2 ^ W - 1.
  Proof. exact (requested unit_csa_tail.most). Qed.

  Lemma value : montgomery n (pw (2 ^ digit) (Z.to_nat last) * pw (2 ^ digit) D) a b (exact_value loops last digit state delay net c) /\
    - n < exact_value loops last digit state delay net c < n.
  Proof. exact (requested unit_csa_tail.value). Qed.

  Lemma converting : phase ends = 3 /\ left ends = 1 /\ phase (S ends) = 3 /\ left (S ends) = 0 /\ start ends = 1 /\ start (S ends) = 0.
  Proof.
    destruct (requested unit_csa_tail.tail_state D (le_n D)) as (P0 & L0 & _). fold D L first in P0, L0. rewrite Nat.sub_diag in L0. unfold ends. rewrite Nat.add_succ_r.
    destruct (H_tail_end _ P0 L0) as [P1 L1]. destruct (H_converts _ P1 ltac:(lia)) as [P2 L2']. pose proof (starts_after _ P0 L0). pose proof (start_once _ P1 ltac:(lia)).
    repeat split; try assumption. lia.
  Qed.

  Lemma last_of_tail : exists t, ends = S t /\ phase t = 2 /\ left t = 0.
  Proof.
    destruct (requested unit_csa_tail.tail_state D (le_n D)) as (P & L0 & _). fold D L first in P, L0. rewrite Nat.sub_diag in L0. unfold ends. rewrite Nat.add_succ_r. eexists. split; [reflexivity |].
    split; [exact P | exact L0].
  Qed.

  Lemma busy : forall t, (c < t <= S ends)%nat -> phase t = 1 \/ phase t = 2 \/ phase t = 3.
  Proof.
    intros t T. assert ((t < ends) \/ t = ends \/ t = S ends)%nat as [X | [-> | ->]] by lia; [| right; right; apply converting | right; right; apply converting].
    pose proof (requested unit_csa_tail.running (t - first)%nat) as R. fold D L first in R. replace (first + (t - first))%nat with t in R by (unfold first in *; lia).
    destruct (R X); [left | right; left]; assumption.
  Qed.

  Lemma held : forall k, (first + k <= S (S ends))%nat -> n_q (first + k)%nat = n.
  Proof.
    intros k I. apply (requested unit_csa_tail.kept). intros i J. fold first. rewrite idle_is.
    destruct (busy (first + i)%nat ltac:(unfold first in *; lia)) as [-> | [-> | ->]]; reflexivity.
  Qed.

  Theorem converted_value : part (a_q (S (S ends))) 0 operand = exact_value loops last digit state delay net c mod 2 ^ operand.
  Proof.
    destruct converting as (P1 & _ & P2 & _ & S1 & S2).
    assert (calm : forall t, phase t = 3 -> idle t = 0 /\ shift t = 0) by (intros t E; rewrite idle_is, shift_is, E; split; reflexivity).
    destruct (calm _ P1) as [I1 T1]. destruct (calm _ P2) as [I2 T2]. clear calm.
    destruct last_of_tail as (t & E & P0 & L0).
    apply (requested unit_csa_tail.converted_value). cbv zeta. fold D L first ends.
    apply (Groups.converted group Pair 0 _ _ _ (a_q (S ends)) _ (net "u_core.u_convert.generates" ends) (net "u_core.u_convert.propagates" ends)
      (carries (S ends))); try lia.
    - destruct (_ =? 0); lia.
    - intros i I. assert (ig : 0 <= i * group) by (apply Z.mul_nonneg_nonneg; lia). assert (dg : 0 <= digit) by lia.
      rewrite E in S1, I1, T1. destruct (first_sums t i P0 L0 I S1 I1 T1) as [A1 A2]. rewrite <- E in A1, A2. rewrite !(part_above _ digit) in A1, A2 by assumption. split; [exact A1 | exact A2].
    - intros i I. exact (H_look_ahead ends i I S1).
    - intros i I. exact (H_increments (S ends) i I I2 T2 S2).
  Qed.
  End Request.
End Exact.
