(* SPDX-License-Identifier: Apache-2.0 *)
(* The loop of mf_booth_csa_core whose digits of the quotient take effect at once, for every width and radix: a pair that, with a carry into it, is
   2^digit times the result. Operands are pairs or binary, so that their values, and what the tree adds, are taken from lemmas of each. *)
From Coq Require Import ZArith Lia String.
Require Import DigitRecurrence Instances WordSerial Contract Bits.
Open Scope string_scope. Open Scope Z_scope.
Set Default Proof Using "All".

Section EarlyLoop.
  (* b_of, the value of B in a cycle. *)
  Variables (K : nat) (digit : Z) (net : trace) (b_of : nat -> Z).
  Let W := Z.of_nat K.
  Local Notation phase := (net "u_core.phase_q"). Local Notation left := (net "u_core.left_q"). Local Notation n_q := (net "u_core.n_q").
  Local Notation shift := (net "u_core.shift_q"). Local Notation hold := (net "u_core.hold_q"). Local Notation word_q := (net "u_core.word_q").
  Local Notation s_q := (net "u_core.s_q"). Local Notation c_q := (net "u_core.c_q"). Local Notation pending := (net "u_core.pending").
  Local Notation found := (net "u_core.digit"). Local Notation transfer := (net "u_core.transfer_q"). Local Notation fold := (net "u_core.u_accumulator.fold").
  Local Notation ninv := (net "u_core.gen_quotient.u_quotient.n_inverse_q"). Local Notation b_low := (net "u_core.gen_quotient.u_quotient.b_q").
  Local Notation product_q := (net "u_core.gen_quotient.u_quotient.product_q").
  Local Notation low x t := (part (x t) 0 digit).
  Let r := 2 ^ digit.
  Let h := 2 ^ (digit - 1).
  Let State := W + digit + 3.
  Let M := Z.to_nat ((W + 2 + digit - 1) / digit).                                            (* iterations *)
  Let vector (i : Z) (t : nat) : Z := part (net "u_core.u_accumulator.u_tree.rows_i" t) (i * (W + digit + 3)) (W + digit + 3).
  (* The digit that is found in a cycle, and used in the next one. *)
  Let value (t : nat) : Z := found t + transfer t - r * transfer (S t).

  Hypotheses (sizes : 3 <= W /\ 2 <= digit <= W + 3)
    (H_bits : forall t, 0 <= s_q t < 2 ^ State /\ 0 <= c_q t < 2 ^ State /\ 0 <= pending t < 2 ^ 1 /\ 0 <= fold t < 2 ^ 2)
    (H_loop : forall t : nat, phase t = 1 -> phase (S t) = 1 -> n_q (S t) = n_q t /\ b_of (S t) = b_of t /\ shift (S t) = 1 /\ hold (S t) = 0 /\ word_q (S t) = 0)
    (H_product : forall t : nat, phase t = 1 -> phase (S t) = 1 -> ninv (S t) = ninv t /\ b_low (S t) = b_low t /\
      (product_q (S t) - (found t + transfer t) * b_low t) mod 2 ^ digit = 0)
    (H_pending : forall t : nat, (0 < (low s_q t + low c_q t - 0) mod 2 ^ digit \/ 2 ^ digit * pending t = low s_q t + low c_q t - 0) /\
      (0 < (low s_q t + low c_q t + 1 - 0) mod 2 ^ digit \/ 2 ^ digit * pending t = low s_q t + low c_q t + 1 - 0))
    (H_clear : forall t : nat, phase t = 0 -> low s_q (S t) = 0 /\ low c_q (S t) = 0 /\ part (s_q (S t)) digit digit = 0 /\ part (c_q (S t)) digit digit = 0 /\
      shift (S t) = 0 /\ hold (S t) = 0 /\ word_q (S t) = 0)
    (H_no_pair : forall t : nat, shift t = 0 -> hold t = 0 -> word_q t = 0 -> vector 0 t = 0 /\ vector 1 t = 0)
    (H_fold : forall t : nat, (part (s_q t) (State - 2) 2 + part (c_q t) (State - 2) 2 - fold t) mod 4 = 0)
    (H_pair : forall t : nat, shift t = 1 -> hold t = 0 -> word_q t = 0 ->
      vector 0 t = ((if fold t <? 2 then fold t else fold t - 4) * 2 ^ (State - 2 - digit) + part (s_q t) digit (State - 2 - digit)) mod 2 ^ State /\
      vector 1 t = part (c_q t) digit (State - 2 - digit))
    (H_count : forall t : nat, phase t = 1 -> 0 < left t -> phase (S t) = 1 /\ left (S t) = left t - 1)
    (H_value : forall t : nat, phase t = 0 \/ phase t = 1 -> phase (S t) = 1 -> - h <= value t <= h)
    (H_sums : forall t : nat, phase t = 0 \/ phase t = 1 -> phase (S t) = 1 -> exists q, - h <= q <= h /\
      (r | q - (part (s_q (S t)) digit digit + part (c_q (S t)) digit digit + pending (S t) + product_q (S t)) * ninv (S t)) /\
      (2 ^ State | s_q (S (S t)) + c_q (S (S t)) - (vector 0 (S t) + vector 1 (S t) + value t * b_of (S t) + q * n_q (S t)))).

  Lemma radix : r = 2 * h /\ 2 <= h.
  Proof.
    unfold r, h. split; [apply half; lia |]. change 2 with (2 ^ 1) at 1. apply Z.pow_le_mono_r; lia.
  Qed.

  Lemma iterations : (W + 2 + digit - 1) / digit = Z.of_nat M /\ (1 <= M)%nat /\ 4 * 2 ^ W <= pw (2 * h) M.
  Proof.
    destruct (word_count digit (W + 2) ltac:(lia) ltac:(lia)) as (E & L & B). fold M in E, L, B. split; [exact E |]. split; [exact L |].
    destruct radix as [<- _]. unfold r. rewrite pw_words by lia. change 4 with (2 ^ 2). rewrite <- Z.pow_add_r by lia. apply Z.pow_le_mono_r; lia.
  Qed.

  Section Request.
  (* A request was accepted in cycle c. *)
  Variables (c : nat) (a b n : Z).
  Let first := S c.                                                                          (* the first cycle of the loop *)
  Hypotheses (idle : phase c = 0) (n_range : 0 < n < 2 ^ W) (a_range : - n < a < n) (b_range : - n < b < n)
    (accepted : phase first = 1 /\ left first = (W + 2 + digit - 1) / digit - 1 /\ n_q first = n /\ b_of first = b)
    (inverse : (r | ninv first * n + 1)) (b_lowest : (r | b_low first - b)) (first_product : (r | product_q first - (found c + transfer c) * b))
    (digits_of_a : a = digits r (fun t => value (c + t)) M).

  Lemma loop_state : forall t, (t < M)%nat -> phase (first + t)%nat = 1 /\ left (first + t)%nat = Z.of_nat (M - 1 - t) /\
    n_q (first + t)%nat = n /\ b_of (first + t) = b /\ (r | ninv (first + t)%nat * n + 1) /\ (r | b_low (first + t)%nat - b).
  Proof.
    destruct iterations as (EM & LM & _). destruct accepted as (A1 & A2 & A3 & A4). induction t; intros L.
    - rewrite Nat.add_0_r. repeat split; try assumption. lia.
    - destruct (IHt ltac:(lia)) as (I1 & I2 & I3 & I4 & I5 & I6). rewrite Nat.add_succ_r. destruct (H_count _ I1 ltac:(lia)) as [C1 C2].
      destruct (H_loop _ I1 C1) as (L1 & L2 & _). destruct (H_product _ I1 C1) as (P1 & P2 & _). rewrite L1, L2, P1, P2.
      split; [exact C1 |]. split; [lia |]. auto.
  Qed.

  Lemma entered : forall t, (t < M)%nat -> (phase (c + t)%nat = 0 \/ phase (c + t)%nat = 1) /\ phase (S (c + t)) = 1.
  Proof.
    intros t L. destruct (loop_state t L) as (P & _). split; [| exact P]. destruct t; [rewrite Nat.add_0_r; auto |]. right.
    destruct (loop_state t ltac:(lia)) as (Q & _). rewrite Nat.add_succ_r. exact Q.
  Qed.

  Lemma product : forall t, (t < M)%nat -> (r | product_q (first + t)%nat - value (c + t) * b).
  Proof.
    intros t L. assert (r_positive : 0 < r) by (destruct radix; lia). destruct (loop_state t L) as (Q & _).
    assert (G : exists z, (r | z - b) /\ (r | product_q (first + t)%nat - (found (c + t)%nat + transfer (c + t)%nat) * z)).
    { destruct t.
      - rewrite !Nat.add_0_r in *. exists b. split; [exists 0; ring | exact first_product].
      - destruct (loop_state t ltac:(lia)) as (P & _ & _ & _ & _ & B). rewrite !Nat.add_succ_r in *. destruct (H_product _ P Q) as (_ & _ & D).
        apply (divide_mod _ _ r_positive) in D. eexists. split; [exact B | exact D]. }
    destruct G as (z & [i E] & [j F]). unfold value. exists (j + i * (found (c + t)%nat + transfer (c + t)%nat) + transfer (S (c + t)) * b).
    replace z with (b + i * r) in F by lia. lia.
  Qed.

  (* The pair, and the carry of the digit that was dropped. *)
  Let dropped_carry (t : nat) : Z := match t with O => 0 | S i => pending (first + i)%nat end.
  Let total (t : nat) : Z := match t with O => 0 | S i => pair_value State (s_q (first + t)%nat) (c_q (first + t)%nat) + dropped_carry t end.

  Lemma bits_of : forall t, 0 <= s_q t < 2 ^ State /\ 0 <= c_q t < 2 ^ State /\ 0 <= pending t <= 1.
  Proof.
    intros t. destruct (H_bits t) as (A & B & C & _). change (2 ^ 1) with 2 in C. split; [exact A |]. split; [exact B | lia].
  Qed.

  Lemma carried : forall t, 0 <= dropped_carry t <= 1.
  Proof. intros [| t]; cbn [dropped_carry]; [lia | apply bits_of]. Qed.

  (* What the tree gets of the pair, and the digit for the quotient. *)
  Lemma shifted_pair : forall t y, (t < M)%nat -> total t = r * y -> - (2 * n) <= y <= 2 * n ->
    (2 ^ State | vector 0 (first + t) + vector 1 (first + t) + pending (first + t)%nat - y) /\
    (r | part (s_q (first + t)%nat) digit digit + part (c_q (first + t)%nat) digit digit + pending (first + t)%nat - y).
  Proof.
    intros t y L E B. pose proof n_range as N. assert (r_positive : 0 < r) by (destruct radix; lia). destruct t.
    - rewrite Nat.add_0_r. cbn [total] in E. assert (y = 0) as -> by (apply (Z.mul_reg_l _ _ r); lia).
      destruct (H_clear c idle) as (C1 & C2 & C3 & C4 & C5 & C6 & C7). fold first in C1, C2, C3, C4, C5, C6, C7.
      destruct (H_no_pair first C5 C6 C7) as [-> ->]. destruct (H_pending first) as [P _]. rewrite C1, C2 in P. rewrite C3, C4. fold r in P.
      assert (pending first = 0) as -> by (destruct P as [P | P]; [rewrite Z.mod_0_l in P; lia | apply (Z.mul_reg_l _ _ r); lia]). split; exists 0; reflexivity.
    - rewrite !Nat.add_succ_r in *. destruct (loop_state t ltac:(lia)) as (P & _). destruct (loop_state (S t) L) as (Q & _). rewrite Nat.add_succ_r in Q.
      destruct (H_loop _ P Q) as (_ & _ & L1 & L2 & L3). destruct (H_pair _ L1 L2 L3) as [-> ->].
      set (u := S (first + t)) in *. unfold total in E. rewrite Nat.add_succ_r in E. fold u in E. pose proof (carried (S t)) as K1. set (k := dropped_carry (S t)) in *.
      destruct (bits_of u) as (B1 & B2 & _). pose proof (H_pending u) as C. fold r in C.
      pose proof (dropped State digit _ _ _ ltac:(unfold State; lia) B1 B2 k 0 K1 ltac:(exists y; fold r; lia) C) as D. fold r in D.
      split.
      + assert (four : (4 | part (s_q u) (State - 2) 2 + part (c_q u) (State - 2) 2 - fold u))
          by (apply divide_mod; [lia | apply H_fold]).
        assert (F : 0 <= fold u < 4) by (change 4 with (2 ^ 2); apply H_bits).
        assert (wide : 2 ^ (State - 2) = 2 * r * 2 ^ W) by (unfold State, r; replace (W + digit + 3 - 2) with (1 + digit + W) by lia; rewrite !Z.pow_add_r by lia; lia).
        assert (S_range : - 2 ^ (State - 2) <= pair_value State (s_q u) (c_q u) <= 2 ^ (State - 2)).
        { pose proof (scale r _ _ _ ltac:(lia) B). pose proof (scale r n n (2 ^ W - 1) ltac:(lia) ltac:(lia)). lia. }
        pose proof (shifted State digit _ _ (k - 0) _ ltac:(unfold State; lia) B1 B2 D _ ltac:(unfold State; lia) F four S_range) as X. fold r in X.
        rewrite Z.sub_0_r, E in X. apply Z.mul_reg_l in X; [| lia]. unfold State in *.
        set (fs := if _ <? 2 then _ else _) in *. set (G := 2 ^ (W + digit + 3 - 2 - digit)) in *. set (ps := part _ digit (W + digit + 3 - 2 - digit)) in *.
        rewrite (Z.mod_eq (fs * G + ps)) by (apply Z.pow_nonzero; lia). exists (- ((fs * G + ps) / 2 ^ (W + digit + 3))). lia.
      + destruct (digit_above State digit _ _ (k - 0) _ ltac:(unfold State; lia) B1 B2 D ltac:(unfold State; lia)) as (z & Z1 & Z2). fold r in Z1. rewrite Z.sub_0_r in Z1.
        assert (y = z) as -> by (apply (Z.mul_reg_l _ _ r); lia). exact Z2.
  Qed.

  Lemma step : forall t y, (t < M)%nat -> total t = r * y -> - (2 * n) <= y <= 2 * n ->
    exists q z, - h <= q <= h /\ total (S t) = r * z /\ r * z = y + value (c + t) * b + q * n /\ - (2 * n) <= z <= 2 * n.
  Proof.
    intros t y L E B. pose proof n_range as N. destruct radix as [R Hh]. assert (r_positive : 0 < r) by lia.
    destruct (entered t L) as [P Q]. destruct (H_sums _ P Q) as (q & q_range & D1 & D2). pose proof (H_value _ P Q) as d_range.
    replace (S (c + t)) with (first + t)%nat in * by (unfold first; lia).
    destruct (shifted_pair t y L E B) as [V1 V2]. destruct (loop_state t L) as (_ & _ & N1 & B1 & I & _). rewrite N1, B1 in D2. pose proof (product t L) as D3.
    set (d := value (c + t)) in *. set (p := pending (first + t)%nat) in *.
    assert (Z1 : (r | y + d * b + q * n)).
    { set (x := part _ digit digit + part _ digit digit + p) in *. set (i := ninv (first + t)%nat) in *.
      set (g := product_q (first + t)%nat) in *. destruct D1 as [j1 D1], V2 as [j2 V2], I as [j3 I], D3 as [j4 D3].
      exists (j1 * n + (x + g) * j3 - j2 - j4). assert (T : (x + g) * (i * n) = (x + g) * (j3 * r - 1)) by (f_equal; lia).
      replace q with ((x + g) * i + j1 * r) by lia. replace y with (x - j2 * r) by lia. replace (d * b) with (g - j4 * r) by lia. lia. }
    assert (db : - (h * n) <= d * b <= h * n) by (apply range_mul; lia). assert (qn : - (h * n) <= q * n <= h * n) by (apply range_mul; lia).
    assert (wide : 2 ^ (State - 1) = 4 * r * 2 ^ W) by (unfold State, r; replace (W + digit + 3 - 1) with (2 + digit + W) by lia; rewrite !Z.pow_add_r by lia; lia).
    assert (rn : 2 * (h * n) = r * n) by (rewrite R; ring). pose proof (scale r n n (2 ^ W - 1) ltac:(lia) ltac:(lia)) as rn_small. pose proof (scale n 4 r r ltac:(lia) ltac:(lia)) as rn_big.
    pose proof (bits_of (first + t)%nat) as (_ & _ & p_range). fold p in p_range.
    assert (V : pair_value State (s_q (S (first + t))) (c_q (S (first + t))) = y + d * b + q * n - p).
    { apply signed_is; [unfold State; lia | lia |]. apply Z.divide_opp_r in D2. apply Z.divide_opp_r in V1. clear - D2 V1. by_sum. }
    destruct Z1 as [z Z1]. exists q, z. split; [exact q_range |]. split; [unfold total, dropped_carry; rewrite Nat.add_succ_r, V; fold p; lia |].
    split; [lia |]. split; apply (Z.mul_le_mono_pos_l _ _ r); lia.
  Qed.

  Lemma steps : forall t, (t <= M)%nat -> exists y, total t = r * y /\ - (2 * n) <= y <= 2 * n.
  Proof.
    pose proof n_range. induction t; intros L; [exists 0; cbn [total]; lia |]. destruct (IHt ltac:(lia)) as (y & E & B).
    destruct (step t y ltac:(lia) E B) as (q & z & _ & F & _ & G). exists z. auto.
  Qed.

  Let quotient_of (t : nat) : Z := total t / r.

  Lemma result : - n < quotient_of M < n /\ montgomery n (pw (2 * h) M) a b (quotient_of M) /\ total M = r * quotient_of M.
  Proof.
    pose proof n_range as N. destruct radix as [R Hh]. destruct iterations as (_ & _ & big).
    assert (exact : forall t, (t <= M)%nat -> total t = r * quotient_of t /\ - (2 * n) <= quotient_of t <= 2 * n).
    { intros t L. destruct (steps t L) as (y & E & B). unfold quotient_of. rewrite E, Z.mul_comm, Z.div_mul by lia. lia. }
    assert (G : - n < quotient_of M < n /\ montgomery n (pw (2 * h) M) a b (quotient_of M)).
    { apply (booth_csa h n a b M quotient_of (fun t => value (c + t)) (fun t => (total (S t) - quotient_of t - value (c + t) * b) / n)); try lia.
      - rewrite <- R. exact digits_of_a.
      - intros t L. apply H_value; apply (entered t L).
      - unfold quotient_of. cbn [total]. apply Z.div_0_l. lia.
      - intros t L _. destruct (exact t ltac:(lia)) as [E B]. destruct (exact (S t) ltac:(lia)) as [F _].
        destruct (step t _ L E B) as (q & z & q_range & F' & G & _). rewrite F', G.
        replace (quotient_of t + value (c + t) * b + q * n - quotient_of t - value (c + t) * b) with (q * n) by ring. rewrite Z.div_mul by lia.
        split; [lia |]. rewrite <- R, <- F, F', G. reflexivity. }
    destruct G. destruct (exact M ltac:(lia)). auto.
  Qed.

  Theorem early_run : (forall t, (t < M)%nat -> phase (first + t)%nat = 1 /\ left (first + t)%nat = Z.of_nat (M - 1 - t) /\ n_q (first + t)%nat = n) /\ (1 <= M)%nat /\
    let e := (first + M)%nat in exists p j, 0 <= j <= 1 /\ pair_value State (s_q e) (c_q e) + j = r * p /\ - n < p < n /\ montgomery n (pw r M) a b p.
  Proof.
    destruct iterations as (_ & LM & _). split; [intros t L; destruct (loop_state t L) as (A & B & C & _); auto |]. split; [exact LM |].
    destruct result as (B & G & E). destruct radix as [R _]. rewrite <- R in G. exists (quotient_of M), (dropped_carry M). split; [apply carried |]. split; [| auto].
    rewrite <- E. unfold total. destruct M as [| i]; [lia | reflexivity].
  Qed.
  End Request.
End EarlyLoop.
