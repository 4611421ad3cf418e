(* SPDX-License-Identifier: Apache-2.0 *)
(* A pipeline for one modulus n that is 1 or -1 modulo 2^w, as FixedModulus.v: the quotient digit of a step is the lowest w bits, or 2^w less them, and
   (n - 1) / 2^w or (n + 1) / 2^w its multiple. *)
From Coq Require Import ZArith Lia String.
Require Import DigitRecurrence Instances Contract Control Bits Pipelined CreditBuffer BoothRows Products Groups PipelinedSum FixedModulus.
Open Scope string_scope. Open Scope Z_scope.
Set Default Proof Using "All".

(* What the numbers of a design have to be; `unit` is 1 for n = 1, 2 for n = -1 modulo 2^word. *)
Definition fits_unit (W modulus latency product steps word unit constant multiple multiple_rows multiple_signs multiple_places multiple_minus multiple_cycles : Z) : bool :=
  (let k := Z.to_nat (multiple_rows - 2) in
  (3 <=? W) && (0 <? modulus) && (modulus <? 2 ^ W) && (1 <=? steps) && (2 <=? word) && (word <=? W + 2) && (1 <=? unit) && (unit <=? 2) && (W + 4 - unit <=? steps * word) &&
  (2 <=? multiple_rows) && (1 <=? product) && (1 <=? multiple_cycles) && (latency =? product + steps * multiple_cycles) &&
  (negatives multiple_places multiple_signs k =? multiple_minus) && (factor multiple_places multiple_signs k =? multiple) &&
  (modulus =? multiple * 2 ^ word + (if unit =? 1 then 1 else -1)) && (constant =? if unit =? 1 then multiple + 1 else 0))%bool.

Lemma unit_says : forall W modulus latency product steps word unit constant multiple multiple_rows multiple_signs multiple_places multiple_minus multiple_cycles,
  fits_unit W modulus latency product steps word unit constant multiple multiple_rows multiple_signs multiple_places multiple_minus multiple_cycles = true ->
  let digits := Z.to_nat (multiple_rows - 2) in
  (3 <= W /\ 0 < modulus < 2 ^ W /\ 1 <= steps /\ 2 <= word <= W + 2 /\ W + 2 + (2 - unit) <= steps * word) /\
  (1 <= product /\ 1 <= multiple_cycles /\ latency = product + steps * multiple_cycles) /\
  (2 <= multiple_rows /\ negatives multiple_places multiple_signs digits = multiple_minus /\ factor multiple_places multiple_signs digits = multiple) /\
  (unit = 1 /\ modulus = multiple * 2 ^ word + 1 /\ constant = multiple + 1 \/ unit = 2 /\ modulus = multiple * 2 ^ word - 1 /\ constant = 0).
Proof.
  intros until 1. match goal with F : _ = true |- _ => unfold fits_unit in F; cbv zeta in F |- *; rewrite !Bool.andb_true_iff, !Z.leb_le, !Z.ltb_lt, !Z.eqb_eq in F; decompose [and] F; clear F end.
  repeat split; try assumption; try lia. destruct (Z.eqb_spec unit 1); [left | right]; lia.
Qed.

Section Modulus.
  Variables (W modulus latency product steps word unit constant multiple multiple_rows multiple_signs multiple_places multiple_minus multiple_cycles : Z).
  (* operands, the result that is shown, the modulus that a user takes; the result of the last step *)
  Variables (net : trace) (a b n shown result : nat -> Z).
  (* the product, the rows of the sums, the sums, the values of steps *)
  Variables (product_total : nat -> Z) (multiple_vectors multiple_total v_before v_after : Z -> nat -> Z).
  Let value_bits (i : Z) : Z := Z.max (2 * (W + 1) - i * word) (W + 1) + Z.min 1 i * Z.min 1 (steps - i).
  Let M := Z.to_nat multiple_cycles.
  Let digits := Z.to_nat (multiple_rows - 2).
  Hypotheses (fit : fits_unit W modulus latency product steps word unit constant multiple multiple_rows multiple_signs multiple_places multiple_minus multiple_cycles = true)
    (* the control and the buffer, for every way to a result *)
    (control : (forall c, 0 <= a c < 2 * modulus -> 0 <= b c < 2 * modulus -> 0 <= result (c + Z.to_nat latency)%nat < 2 * modulus /\
        (result (c + Z.to_nat latency)%nat * 2 ^ (steps * word)) mod modulus = (a c * b c) mod modulus) ->
      pipelined net a b n shown (S (Z.to_nat latency)) (S (Z.to_nat latency)) (2 ^ (steps * word)) (fun c => n c = modulus) (fun n x => 0 <= x < 2 * n) (fun n p => 0 <= p < 2 * n))
    (product_is : forall t, part (product_total (Z.to_nat product + t)%nat) 0 (2 * (W + 1)) = a t * b t)
    (* the values of steps *)
    (H_values : forall t, part (v_before 0 t) 0 (2 * (W + 1)) = part (product_total t) 0 (2 * (W + 1)) /\
      (forall i, 0 <= i < steps - 1 -> part (v_before (i + 1) t) 0 (value_bits (i + 1)) = part (v_after i t) 0 (value_bits (i + 1))) /\
      result t = part (v_after (steps - 1) t) 0 (W + 1))
    (H_result : forall t i, 0 <= i < steps -> part (v_after i t) 0 (value_bits (i + 1)) = part (multiple_total i t) 0 (value_bits (i + 1)))
    (H_kept : forall t i, 0 <= i < steps -> let sum := value_bits (i + 1) in
      part (multiple_vectors i t) (0 * sum) sum = part (v_before i t) word (value_bits i - word) mod 2 ^ sum)
    (H_terms : forall t i, 0 <= i < steps -> let sum := value_bits (i + 1) in
      let q := if unit =? 1 then 2 ^ word - 1 - part (v_before i t) 0 word else part (v_before i t) 0 word in
      (forall r, 0 <= r < multiple_rows - 1 - 1 -> part (multiple_vectors i t) ((1 + r) * sum) sum =
        ((if sign_of multiple_signs r =? 1 then 2 ^ word - 1 - q else q) * 2 ^ place_of multiple_places r / 2 ^ 0) mod 2 ^ sum) /\
      part (multiple_vectors i t) ((1 + (multiple_rows - 1 - 1)) * sum) sum = ((constant + multiple_minus - multiple_minus * 2 ^ word) / 2 ^ 0) mod 2 ^ sum)
    (multiple_sum : forall i t v, 0 <= i < steps -> let sum := value_bits (i + 1) in 1 <= sum ->
      (2 ^ sum | total (vectors sum (multiple_vectors i t)) (Z.to_nat multiple_rows) - v) -> part (multiple_total i (M + t)%nat) 0 sum = v mod 2 ^ sum).

  Let sizes := unit_says _ _ _ _ _ _ _ _ _ _ _ _ _ _ fit.

  Let before (i : Z) (t : nat) : Z := part (v_before i t) 0 (value_bits i).
  Let after (i : Z) (t : nat) : Z := part (v_after i t) 0 (value_bits (i + 1)).

  Lemma value_widths : value_bits 0 = 2 * (W + 1) /\ value_bits steps = W + 1 /\ forall i, 0 <= i < steps -> word <= value_bits i /\ 1 <= value_bits (i + 1).
  Proof.
    destruct sizes as ((HW & _ & S1 & W2 & W3) & _ & _ & U). assert (HU : 1 <= unit <= 2) by lia. unfold value_bits. clear - HW S1 W2 W3 HU. split; [| split].
    - rewrite Z.min_r by lia. lia.
    - rewrite Z.sub_diag, (Z.min_r 1 0), Z.max_r by lia. lia.
    - intros i I. split; [| lia]. destruct (Z.eq_dec i 0) as [-> |]; [lia |]. rewrite !Z.min_l by lia. lia.
  Qed.

  Lemma divided : forall i t, 0 <= i < steps -> exists z q, before i t + q * modulus = 2 ^ word * z /\ 0 <= q < 2 ^ word + (2 - unit) /\ after i (M + t)%nat = z mod 2 ^ value_bits (i + 1).
  Proof.
    intros i t I. destruct sizes as ((HW & _ & _ & W2 & _) & _ & (MR & NM & FM) & U). fold digits in NM, FM. destruct value_widths as (_ & _ & V). destruct (V i I) as [B B1]. clear V.
    set (sum := value_bits (i + 1)) in *. set (low := part (v_before i t) 0 word). set (high := part (v_before i t) word (value_bits i - word)).
    set (x := if unit =? 1 then 2 ^ word - 1 - low else low). pose proof (part_range (v_before i t) 0 word ltac:(clear - W2; lia)) as LR. fold low in LR.
    assert (E : before i t = low + 2 ^ word * high).
    { unfold before, low, high. replace (value_bits i) with (word + (value_bits i - word)) at 1 by (clear; lia). rewrite part_split by (clear - W2 B; lia). reflexivity. }
    assert (DN : multiple_rows - 1 - 1 = Z.of_nat digits) by (unfold digits; clear - MR; lia).
    destruct (H_terms t i I) as [R L]. fold low x in R. fold sum in R, L. rewrite DN in R, L. rewrite <- NM in L.
    destruct (constant_rows sum 0 word x multiple_places multiple_signs constant digits (fun r => vector sum (multiple_vectors i t) (1 + r)) ltac:(clear - B1 W2; lia) R L) as (s & e & D & S1 & E1).
    change (2 ^ 0) with 1 in S1, E1. assert (S2 : s = x * multiple + constant) by (rewrite FM in S1; clear - S1 E1; lia). clear S1 E1 R L.
    exists (high + s), (if unit =? 1 then 2 ^ word - low else low). split; [| split].
    - rewrite E, S2. unfold x. clear - U. destruct U as [(-> & -> & ->) | (-> & -> & ->)]; cbn [Z.eqb Pos.eqb]; ring.
    - clear - U LR. destruct U as [(-> & _) | (-> & _)]; cbn [Z.eqb Pos.eqb]; lia.
    - unfold after. fold sum. etransitivity; [apply (H_result _ i I) |]. fold sum. apply (multiple_sum i t (high + s) I B1). fold sum.
      replace (Z.to_nat multiple_rows) with (1 + S digits)%nat by (clear - DN MR; lia). rewrite total_split.
      rewrite (total_ext (fun i0 => vectors sum (multiple_vectors i t) (1 + i0)) (fun r => vector sum (multiple_vectors i t) (1 + Z.of_nat r))) by (intros; unfold vectors; f_equal; clear; lia).
      assert (A : (2 ^ sum | total (vectors sum (multiple_vectors i t)) 1 - high)).
      { cbn [total]. unfold vectors, vector. change (Z.of_nat 0) with 0. pose proof (H_kept t i I) as K. cbv zeta in K. fold sum high in K. rewrite K.
        exists (- (high / 2 ^ sum)). rewrite (Z.mod_eq high) by (apply Z.pow_nonzero; clear - B1; lia). ring. }
      clear - A D. by_sum.
  Qed.

  Theorem unit_modulus : pipelined net a b n shown (S (Z.to_nat latency)) (S (Z.to_nat latency)) (2 ^ (steps * word))
    (fun c => n c = modulus) (fun n x => 0 <= x < 2 * n) (fun n p => 0 <= p < 2 * n).
  Proof.
    apply control. intros c A B. destruct sizes as ((HW & N & S1 & W2 & W3) & (PC & MC & LE) & _ & U). destruct value_widths as (V0 & V1 & _).
    assert (TE : (c + Z.to_nat latency)%nat = (Z.to_nat steps * M + (Z.to_nat product + c))%nat).
    { unfold M. apply Nat2Z.inj. rewrite !Nat2Z.inj_add, Nat2Z.inj_mul, !Z2Nat.id by (clear - LE PC MC S1; nia). rewrite LE. clear. lia. }
    pose proof (fun D P => chain W modulus steps word (2 - unit) before after M ltac:(clear - HW N S1 W2 W3 U; lia) D P (a c * b c) (Z.to_nat product + c)) as G. rewrite <- TE in G. cbv zeta in G.
    destruct (H_values (c + Z.to_nat latency)%nat) as (_ & _ & E). assert (E2 : result (c + Z.to_nat latency)%nat = after (steps - 1) (c + Z.to_nat latency)%nat).
    { etransitivity; [exact E |]. unfold after. replace (steps - 1 + 1) with steps by (clear; lia). rewrite V1. reflexivity. }
    rewrite E2. apply G.
    - exact divided.
    - intros i t I. destruct (H_values t) as (_ & P & _). apply (P i I).
    - split; [apply Z.mul_nonneg_nonneg; clear - A B; lia | apply Z.mul_lt_mono_nonneg; clear - A B; lia].
    - unfold before. rewrite V0. destruct (H_values (Z.to_nat product + c)%nat) as [P _]. rewrite P. apply product_is.
  Qed.
End Modulus.
