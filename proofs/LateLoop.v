(* SPDX-License-Identifier: Apache-2.0 *)
(* The loop and the tail of mf_booth_csa_core with late digits of the quotient, for every width and radix: a pair that, with a carry into it, is
   2^digit times the result. Operands are pairs or binary, so that their digits, and what the tree adds, are taken from lemmas of each. *)
From Coq Require Import ZArith Lia String.
Require Import DigitRecurrence Instances WordSerial Contract Bits LateBooth Scaled.
Open Scope string_scope. Open Scope Z_scope.
Set Default Proof Using "All".

Section LateLoop.
  (* word, the select of words after the tail; last, the cycles of the next phase after its first one; b_of, d_of, q_of, the values of B, of a digit
     of A and of one of the quotient in a cycle. *)
  Variables (K : nat) (digit word last : Z) (phase left n_q shift hold word_q scaled_q exact_q s_q c_q pending modulus ninv found held chosen kept now one
    fold rows d_net q_net b_of d_of q_of : nat -> Z).
  Let W := Z.of_nat K.
  Local Notation State := (W + 2 * digit + 2).
  Local Notation vector i t := (part (rows t) (i * State) State).
  Local Notation low x t := (part (x t) 0 digit).
  Let r := 2 ^ digit.
  Let h := 2 ^ (digit - 1).
  Let M := Z.to_nat ((W + 3 + digit - 1) / digit).                                            (* iterations *)

  Hypotheses (sizes : 3 <= W /\ 2 <= digit)
    (pair_range : forall t, 0 <= s_q t < 2 ^ State /\ 0 <= c_q t < 2 ^ State)
    (digit_range : forall t, 0 <= found t < 2 ^ digit /\ 0 <= held t < 2 ^ digit)
    (bit_range : forall t, 0 <= pending t < 2 ^ 1 /\ 0 <= kept t < 2 ^ 1 /\ 0 <= fold t < 2 ^ 2 /\ 0 <= n_q t < 2 ^ W)
    (H_selects : forall t : nat,
      shift (S t) = (if phase (S t) =? 1 then (if phase t =? 0 then 0 else 1) else (if phase (S t) =? 2 then (if left (S t) =? 3 then 1 else 0) else 0)) /\
      hold (S t) = (if phase (S t) =? 2 then (if left (S t) =? 3 then 0 else 1) else 0) /\
      word_q (S t) = (if phase (S t) =? 3 then word else 0) /\
      scaled_q (S t) = (if phase (S t) =? 1 then (if phase t =? 0 then 0 else (if 0 <? left (S t) then 1 else 0)) else 0) /\
      exact_q (S t) = (if phase (S t) =? 2 then (if left (S t) =? 5 then 1 else (if left (S t) =? 1 then 1 else 0)) else 0))
    (H_kept : forall t : nat, phase t = 1 \/ phase t = 2 -> n_q (S t) = n_q t /\ ninv (S t) = ninv t /\
      two (W + digit) (modulus (S t)) = (if phase t =? 2 then n_q t else two (W + digit) (modulus t)))
    (H_digit : forall t : nat, (found t - (part (s_q t) digit digit + part (c_q t) digit digit + pending t)) mod 2 ^ digit = 0 /\
      held (S t) = (if shift t =? 1 then found t else 0) /\ now (S t) = exact_q t /\
      (chosen (S t) - (held t + kept t) * ninv t) mod 2 ^ digit = 0 /\ one t = (if now t =? 1 then kept t else 0))
    (H_scaled : forall t : nat, scaled_q t = 1 -> exact_q t = 0 ->
      q_of (S t) = found t + kept t - 2 ^ digit * kept (S t) /\ kept (S t) = (if 2 * found t <? 2 ^ digit then 0 else 1))
    (H_exact : forall t : nat, scaled_q t = 0 -> exact_q t = 1 -> (q_of (S t) - chosen t) mod 2 ^ digit = 0 /\ 0 - 2 ^ digit / 2 <= q_of (S t) /\
      q_of (S t) <= 2 ^ digit / 2 /\ kept (S t) = (if now t =? 1 then 0 else kept t))
    (H_none : forall t : nat, scaled_q t = 0 -> exact_q t = 0 -> q_of (S t) = 0 /\ kept (S t) = (if now t =? 1 then 0 else kept t))
    (H_no_q : forall t : nat, scaled_q t = 0 -> exact_q t = 0 -> q_net (S t) = 0)
    (H_pending : forall t : nat,
      (0 < (low s_q t + low c_q t - held t) mod 2 ^ digit \/ 2 ^ digit * pending t = low s_q t + low c_q t - held t) /\
      (0 < (low s_q t + low c_q t + 1 - held t) mod 2 ^ digit \/ 2 ^ digit * pending t = low s_q t + low c_q t + 1 - held t))
    (H_no_pending : forall t : nat, low s_q t = 0 -> low c_q t = 0 -> pending t = 0)
    (H_clear : forall t : nat, phase t = 0 -> low s_q (S t) = 0 /\ low c_q (S t) = 0 /\ part (s_q (S t)) digit digit = 0 /\ part (c_q (S t)) digit digit = 0 /\
      shift (S t) = 0 /\ hold (S t) = 0 /\ word_q (S t) = 0)
    (H_no_pair : forall t : nat, shift t = 0 -> hold t = 0 -> word_q t = 0 -> vector 0 t = 0 /\ vector 1 t = 0)
    (H_fold : forall t : nat, (part (s_q t) (State - 2) 2 + part (c_q t) (State - 2) 2 - fold t) mod 4 = 0)
    (H_pair : forall t : nat, shift t = 1 -> hold t = 0 -> word_q t = 0 ->
      vector 0 t = ((if fold t <? 2 then fold t else fold t - 4) * 2 ^ (State - 2 - digit) + part (s_q t) digit (State - 2 - digit)) mod 2 ^ State /\
      vector 1 t = part (c_q t) digit (State - 2 - digit))
    (H_held : forall t : nat, shift t = 0 -> hold t = 1 -> word_q t = 0 -> vector 0 t = s_q t /\ vector 1 t = c_q t)
    (H_count : forall t : nat, phase t = 1 \/ phase t = 2 -> 0 < left t -> phase (S t) = phase t /\ left (S t) = left t - 1)
    (H_loop_end : forall t : nat, phase t = 1 -> left t = 0 -> phase (S t) = 2 /\ left (S t) = 6)
    (H_tail_end : forall t : nat, phase t = 2 -> left t = 0 -> phase (S t) = 3 /\ left (S t) = last)
    (H_b : forall t : nat, phase t = 1 -> phase (S t) = 1 -> b_of (S t) = b_of t)
    (H_no_d : forall t : nat, 1 < phase (S t) -> d_net (S t) = 0) (no_value : forall t : nat, d_net t = 0 -> d_of t = 0)
    (H_sums : forall t : nat, phase t = 0 \/ phase t = 1 \/ 1 < phase (S t) -> phase (S t) <> 0 -> scaled_q t = 0 \/ exact_q t = 0 -> one (S t) = 0 \/ 1 < phase (S t) ->
      (2 ^ State | s_q (S (S t)) + c_q (S (S t)) - (vector 0 (S t) + vector 1 (S t) + r * (d_of (S t) * b_of (S t)) + q_of (S t) * two (W + digit) (modulus (S t)) + one (S t)))).

  Lemma radix : r = 2 * h /\ 2 <= h.
  Proof. unfold r, h. split; [apply half; lia |]. change 2 with (2 ^ 1) at 1. apply Z.pow_le_mono_r; lia. Qed.

  Lemma iterations : (W + 3 + digit - 1) / digit = Z.of_nat M /\ (1 <= M)%nat /\ 8 * 2 ^ W <= pw (2 * h) M.
  Proof.
    destruct (word_count digit (W + 3) ltac:(lia) ltac:(lia)) as (E & L & B). fold M in E, L, B. split; [exact E |]. split; [exact L |].
    destruct radix as [<- _]. unfold r. rewrite pw_words by lia. change 8 with (2 ^ 3). rewrite <- Z.pow_add_r by lia. apply Z.pow_le_mono_r; lia.
  Qed.

  Lemma wide : 2 ^ (State - 2) = r * (r * 2 ^ W) /\ 2 ^ (State - 1) = 2 * (r * (r * 2 ^ W)).
  Proof.
    assert (E : 2 ^ (State - 2) = r * (r * 2 ^ W)) by (unfold r; rewrite <- !Z.pow_add_r by lia; f_equal; lia). split; [exact E |].
    rewrite <- E, (half (State - 1)) by lia. do 2 f_equal. lia.
  Qed.

  Section Request.
  (* A request was accepted in cycle c. *)
  Variables (c : nat) (a b n nbar : Z).
  Let first := S c.
  Let at_ (t : nat) : nat := (first + t)%nat.
  Hypotheses (idle : phase c = 0) (rests : scaled_q c = 0 /\ exact_q c = 0 /\ kept c = 0)
    (accepted : phase first = 1 /\ left first = (W + 3 + digit - 1) / digit - 1 /\ n_q first = n /\ two (W + digit) (modulus first) = r * nbar /\ b_of first = b)
    (inverse : (r | ninv first * n + 1)) (odd : n mod 2 = 1) (a_range : - n < a < n) (b_range : - n < b < n) (constant : scaled (2 * digit) n nbar)
    (digits_of_a : a = digits r (fun t => d_of (at_ t)) M) (d_range : forall t, (t < M)%nat -> - h <= d_of (at_ t) <= h).

  Lemma n_small : n < 2 ^ W.
  Proof. destruct accepted as (_ & _ & <- & _). destruct (bit_range first) as (_ & _ & _ & R). lia. Qed.

  Lemma positive : 0 < n.
  Proof. destruct accepted as (_ & _ & E & _). destruct (bit_range first) as (_ & _ & _ & R). rewrite E in R. destruct (Z.eq_dec n 0) as [X |]; [rewrite X in odd; discriminate | lia]. Qed.

  Lemma nbar_range : - (n - 1) <= 2 * nbar <= n - 1.
  Proof. pose proof (scaled_range (2 * digit) n nbar ltac:(lia) positive constant). pose proof (Z.div_mod n 2 ltac:(lia)). lia. Qed.

  Lemma loop_state : forall t, (t < M)%nat -> phase (at_ t) = 1 /\ left (at_ t) = Z.of_nat (M - 1 - t) /\ n_q (at_ t) = n /\ b_of (at_ t) = b /\
    two (W + digit) (modulus (at_ t)) = r * nbar /\ ninv (at_ t) = ninv first.
  Proof.
    destruct iterations as (EM & LM & _). destruct accepted as (A1 & A2 & A3 & A4 & A5). induction t; intros L; unfold at_.
    - rewrite Nat.add_0_r. repeat split; try assumption. lia.
    - destruct (IHt ltac:(lia)) as (I1 & I2 & I3 & I4 & I5 & I6). unfold at_ in *. rewrite Nat.add_succ_r. destruct (H_count _ (or_introl I1) ltac:(lia)) as [C1 C2].
      rewrite I1 in C1. destruct (H_kept _ (or_introl I1)) as (K1 & K2 & K3). rewrite I1 in K3. cbn [Z.eqb Pos.eqb] in K3. rewrite (H_b _ I1 C1), K1, K2, K3. repeat split; try assumption. lia.
  Qed.

  Lemma tail_state : forall i, (i < 7)%nat -> phase (at_ (M + i)) = 2 /\ left (at_ (M + i)) = Z.of_nat (6 - i) /\ n_q (at_ (M + i)) = n /\ ninv (at_ (M + i)) = ninv first /\
    ((1 <= i)%nat -> two (W + digit) (modulus (at_ (M + i))) = n).
  Proof.
    destruct iterations as (_ & LM & _). induction i; intros L.
    - rewrite Nat.add_0_r. destruct (loop_state (M - 1) ltac:(lia)) as (I1 & I2 & I3 & _ & _ & I6). destruct (H_kept _ (or_introl I1)) as (K1 & K2 & _).
      replace (at_ M) with (S (at_ (M - 1))) by (unfold at_; lia). rewrite K1, K2. destruct (H_loop_end _ I1 ltac:(lia)) as [-> ->]. repeat split; try assumption. lia.
    - destruct (IHi ltac:(lia)) as (I1 & I2 & I3 & I4 & _). destruct (H_count _ (or_intror I1) ltac:(lia)) as [C1 C2]. destruct (H_kept _ (or_intror I1)) as (K1 & K2 & K3).
      rewrite I1 in K3. cbn [Z.eqb Pos.eqb] in K3. replace (at_ (M + S i)) with (S (at_ (M + i))) by (unfold at_; lia). rewrite K1, K2, C1, C2, K3. repeat split; try assumption; lia.
  Qed.

  Lemma loop_selects : forall t, (t < M)%nat -> shift (at_ t) = (if Nat.eqb t 0 then 0 else 1) /\ hold (at_ t) = 0 /\ word_q (at_ t) = 0 /\
    scaled_q (at_ t) = (if Nat.eqb t 0 then 0 else if Nat.ltb t (M - 1) then 1 else 0) /\ exact_q (at_ t) = 0.
  Proof.
    intros t L. destruct (loop_state t L) as (P & Q & _). destruct t as [| t].
    - unfold at_ in *. rewrite Nat.add_0_r in *. pose proof (H_selects c) as X. fold first in X. destruct X as (-> & -> & -> & -> & ->). rewrite P, idle.
      cbn [Z.eqb Pos.eqb Nat.eqb]. auto.
    - destruct (loop_state t ltac:(lia)) as (P' & _). replace (at_ (S t)) with (S (at_ t)) in * by (unfold at_; lia).
      destruct (H_selects (at_ t)) as (-> & -> & -> & -> & ->). rewrite P, P', Q. cbn [Z.eqb Nat.eqb Pos.eqb].
      repeat split. destruct (Nat.ltb_spec (S t) (M - 1)), (Z.ltb_spec 0 (Z.of_nat (M - 1 - S t))); lia.
  Qed.

  Lemma tail_selects : forall i, (i < 7)%nat -> shift (at_ (M + i)) = (if Nat.eqb i 3 then 1 else 0) /\ hold (at_ (M + i)) = (if Nat.eqb i 3 then 0 else 1) /\
    word_q (at_ (M + i)) = 0 /\ scaled_q (at_ (M + i)) = 0 /\ exact_q (at_ (M + i)) = (if Nat.eqb i 1 then 1 else if Nat.eqb i 5 then 1 else 0).
  Proof.
    intros i L. destruct (tail_state i L) as (P & Q & _). pose proof (H_selects (c + M + i)) as X.
    replace (S (c + M + i)) with (at_ (M + i)) in X by (unfold at_, first; lia). destruct X as (-> & -> & -> & -> & ->). rewrite P, Q. do 7 (destruct i as [| i]; [cbn; auto |]). lia.
  Qed.

  (* ---------------------------------------------------------------- digits of the quotient *)
  Lemma two_to_one : 2 ^ 1 = 2. Proof. reflexivity. Qed.

  Lemma begun : q_of first = 0 /\ kept first = 0 /\ now first = 0 /\ pending first = 0 /\ found first = 0 /\ vector 0 first = 0 /\ vector 1 first = 0.
  Proof.
    destruct rests as (R1 & R2 & R3). destruct (H_none c R1 R2) as [Q X]. fold first in Q, X. destruct (H_digit c) as (_ & _ & N & _). fold first in N.
    destruct (H_clear c idle) as (C1 & C2 & C3 & C4 & C5 & C6 & C7). fold first in C1, C2, C3, C4, C5, C6, C7.
    pose proof (H_no_pending first C1 C2) as P. destruct (H_digit first) as (F & _). rewrite C3, C4, P in F.
    destruct (digit_range first) as [G _]. replace (found first - (0 + 0 + 0)) with (found first) in F by ring. rewrite Z.mod_small in F by assumption.
    destruct (H_no_pair first C5 C6 C7) as [V0 V1]. rewrite R3 in X. destruct (now c =? 1); repeat split; try assumption; lia.
  Qed.

  Lemma loop_one : forall t, (t < M)%nat -> now (at_ t) = 0 /\ one (at_ t) = 0.
  Proof.
    intros t L. assert (N : now (at_ t) = 0).
    { destruct t as [| t]; [unfold at_; rewrite Nat.add_0_r; apply begun |]. destruct (loop_selects t ltac:(lia)) as (_ & _ & _ & _ & X).
      replace (at_ (S t)) with (S (at_ t)) by (unfold at_; lia). destruct (H_digit (at_ t)) as (_ & _ & -> & _). exact X. }
    split; [exact N |]. destruct (H_digit (at_ t)) as (_ & _ & _ & _ & ->). rewrite N. reflexivity.
  Qed.

  (* A digit of the quotient for n-bar, and the transfer into the next one. *)
  Let u (t : nat) : Z := found (at_ t).
  Let k (t : nat) : Z := kept (at_ t).
  Let q (t : nat) : Z := u t + k t - r * k (S t).

  Lemma first_kept : k O = 0 /\ k 1%nat = 0 /\ (1 < M \/ M = 1)%nat.
  Proof.
    destruct iterations as (_ & LM & _). destruct begun as (_ & B & N & _). unfold k, at_. rewrite Nat.add_0_r. split; [exact B |]. split; [| lia].
    destruct (loop_selects O ltac:(lia)) as (_ & _ & _ & S1 & S2). unfold at_ in S1, S2. rewrite Nat.add_0_r in S1, S2. cbn [Nat.eqb] in S1.
    destruct (H_none first S1 S2) as [_ X]. replace (first + 1)%nat with (S first) by lia. rewrite X, N, B. reflexivity.
  Qed.

  Lemma transfer_next : transfers r u k (M - 1).
  Proof.
    intros t L. destruct t as [| t].
    - destruct first_kept as (_ & -> & _). unfold u, at_. rewrite Nat.add_0_r. destruct begun as (_ & _ & _ & _ & -> & _). destruct radix. destruct (Z.ltb_spec (2 * 0) r); lia.
    - destruct (loop_selects (S t) ltac:(lia)) as (_ & _ & _ & S1 & S2). cbn [Nat.eqb] in S1. destruct (Nat.ltb_spec (S t) (M - 1)); [| lia].
      destruct (H_scaled _ S1 S2) as [_ X]. unfold k, u. replace (at_ (S (S t))) with (S (at_ (S t))) by (unfold at_; lia). exact X.
  Qed.

  Lemma used : forall t, (t < M)%nat -> q_of (at_ t) = delayed 1 q t.
  Proof.
    intros t L. unfold delayed. destruct t as [| [| t]].
    - unfold at_. rewrite Nat.add_0_r. apply begun.
    - destruct (loop_selects O ltac:(lia)) as (_ & _ & _ & S1 & S2). cbn [Nat.eqb] in S1. destruct (H_none _ S1 S2) as [Q _].
      replace (at_ 1) with (S (at_ 0)) by (unfold at_; lia). rewrite Q. cbn [Nat.ltb Nat.leb Nat.sub]. unfold q. destruct first_kept as (-> & -> & _).
      unfold u, at_. rewrite Nat.add_0_r. destruct begun as (_ & _ & _ & _ & -> & _). ring.
    - destruct (loop_selects (S t) ltac:(lia)) as (_ & _ & _ & S1 & S2). cbn [Nat.eqb] in S1. destruct (Nat.ltb_spec (S t) (M - 1)); [| lia].
      destruct (H_scaled _ S1 S2) as [X _]. replace (at_ (S (S t))) with (S (at_ (S t))) by (unfold at_; lia). rewrite X. cbn [Nat.ltb Nat.leb Nat.sub]. unfold q, u, k.
      replace (at_ (S (S t))) with (S (at_ (S t))) by (unfold at_; lia). reflexivity.
  Qed.

  Lemma q_small : forall t, (t < M)%nat -> - h <= delayed 1 q t <= h.
  Proof.
    intros t L. destruct radix as [R Hh]. unfold delayed. destruct (Nat.ltb_spec t 1); [lia |]. unfold q. rewrite (transfer_next (t - 1)%nat ltac:(lia)).
    unfold u, k. destruct (digit_range (at_ (t - 1))) as [G _]. fold r in G. destruct (bit_range (at_ (t - 1))) as (_ & B & _). rewrite two_to_one in B.
    destruct (Z.ltb_spec (2 * found (at_ (t - 1))) r); lia.
  Qed.

  (* ---------------------------------------------------------------- the pair *)
  Let value (t : nat) : Z := pair_value State (s_q t) (c_q t).

  Lemma is_value : forall t y, - (r * (r * 2 ^ W)) <= y <= r * (r * 2 ^ W) -> (2 ^ State | y - (s_q t + c_q t)) -> value t = y.
  Proof. intros t y B D. destruct wide as [_ E]. destruct radix. apply signed_is; [lia | | exact D]. rewrite E. nia. Qed.

  (* A pair with a carry j into it, of whose lowest digit the value is held, is shifted. *)
  Lemma shifts : forall t j y, shift t = 1 -> hold t = 0 -> word_q t = 0 -> 0 <= j <= 1 -> value t + j = r * y + held t -> - (r * (r * 2 ^ W)) <= value t <= r * (r * 2 ^ W) ->
    (2 ^ State | vector 0 t + vector 1 t + pending t - y) /\ (r | found t - y) /\ held (S t) = found t.
  Proof.
    intros t j y S1 S2 S3 J E B. destruct (pair_range t) as [B1 B2]. destruct wide as [E2 _]. assert (r_positive : 0 < r) by (destruct radix; lia).
    destruct (bit_range t) as (_ & _ & F & _). change (2 ^ 2) with 4 in F. pose proof (divide_mod 4 _ ltac:(lia) (H_fold t)) as four.
    pose proof (dropped State digit _ _ (pending t) ltac:(lia) B1 B2 j (held t) J ltac:(exists y; unfold value in E; fold r; lia) (H_pending t)) as D.
    pose proof (shifted State digit _ _ _ _ ltac:(lia) B1 B2 D _ ltac:(lia) F four ltac:(rewrite E2; exact B)) as X.
    destruct (digit_above State digit _ _ _ _ ltac:(lia) B1 B2 D ltac:(lia)) as (z & Z1 & Z2). fold r in X, Z1, Z2. fold (value t) in X, Z1.
    assert (z = y) as -> by (apply (Z.mul_reg_l _ _ r); lia).
    destruct (H_digit t) as (F1 & F2 & _). rewrite S1 in F2. apply divide_mod in F1; [| exact r_positive]. fold r in F1.
    split; [| split; [clear - F1 Z2; by_sum | exact F2]].
    replace (value t + (j - held t)) with (r * y) in X by lia. apply Z.mul_reg_l in X; [| lia]. destruct (H_pair t S1 S2 S3) as [-> ->].
    set (fs := if _ <? 2 then _ else _) in *. set (G := 2 ^ (State - 2 - digit)) in *. set (ps := part _ digit (State - 2 - digit)) in *.
    rewrite (Z.mod_eq (fs * G + ps)) by (apply Z.pow_nonzero; lia). exists (- ((fs * G + ps) / 2 ^ State)). lia.
  Qed.

  (* The pair with its carry: r Y t and the digit that the next cycle drops. *)
  Let Y (t : nat) : Z := match t with O => 0 | S i => (value (at_ t) + pending (at_ i) - u i) / r end.
  Let good (t : nat) : Prop := - (r * n) <= Y t <= r * n /\ match t with O => True | S i =>
    value (at_ t) + pending (at_ i) = r * Y t + u i /\ - (r * (r * 2 ^ W)) <= value (at_ t) <= r * (r * 2 ^ W) /\ held (at_ t) = u i end.

  Lemma bits : forall t, 0 <= pending t <= 1 /\ 0 <= kept t <= 1.
  Proof. intros t. destruct (bit_range t) as (A & B & _). rewrite two_to_one in *. lia. Qed.

  Lemma entry : forall t, (t < M)%nat -> good t ->
    (2 ^ State | vector 0 (at_ t) + vector 1 (at_ t) + pending (at_ t) - Y t) /\ (r | u t - Y t) /\ held (at_ (S t)) = u t.
  Proof.
    intros t L [_ G]. destruct (loop_selects t L) as (S1 & S2 & S3 & _). replace (at_ (S t)) with (S (at_ t)) by (unfold at_; lia). destruct t as [| t].
    - unfold u, at_ in *. rewrite Nat.add_0_r in *. destruct begun as (_ & _ & _ & P & F & V0 & V1). rewrite P, F, V0, V1. cbn [Nat.eqb] in S1.
      destruct (H_digit first) as (_ & X & _). rewrite S1 in X. cbn [Z.eqb] in X. split; [exists 0; reflexivity |]. split; [exists 0; reflexivity | exact X].
    - cbn [Nat.eqb] in S1. destruct G as (E & B & X). rewrite <- X in E. apply (shifts (at_ (S t)) (pending (at_ t)) (Y (S t)) S1 S2 S3); [apply bits | exact E | exact B].
  Qed.

  Lemma step_room : forall r h n T y b nbar d q p u, r = 2 * h -> 2 <= h -> 0 < n -> n < T -> - n < b < n -> - (n - 1) <= 2 * nbar <= n - 1 -> - h <= d <= h -> - h <= q <= h ->
    0 <= p <= 1 -> 0 <= u < r -> - (r * n) <= y <= r * n -> - (r * (r * T)) <= y - p + r * (d * b) + q * (r * nbar) <= r * (r * T) /\
    (forall z, z * r = y - u + r * (d * b) + q * (r * nbar) -> - (r * n) <= z <= r * n).
  Proof using.
    clear. intros * R Hh N0 N b_range nr dr q_range p_range u_range B.
    pose proof (range_mul d b h (n - 1) dr ltac:(lia)) as db. pose proof (range_mul q (2 * nbar) h (n - 1) q_range nr) as qn.
    pose proof (scale r _ _ _ ltac:(lia) db) as A. pose proof (scale r _ _ _ ltac:(lia) qn) as C. clear db qn dr q_range nr b_range.
    assert (E1 : 2 * (h * (n - 1)) = r * n - r) by (rewrite R; ring). assert (E2 : 2 * (r * (h * (n - 1))) = r * (r * n) - r * r) by (rewrite R; ring).
    pose proof (scale r 4 r r ltac:(lia) ltac:(lia)) as rr. pose proof (scale n 4 r r ltac:(lia) ltac:(lia)) as rn. pose proof (scale (r * n) 4 r r ltac:(apply Z.mul_nonneg_nonneg; lia) ltac:(lia)) as rrn.
    pose proof (scale (r * r) (n + 1) T T ltac:(apply Z.mul_nonneg_nonneg; lia) ltac:(lia)) as big.
    replace (q * (r * nbar)) with (r * (q * nbar)) by ring. replace (r * (q * (2 * nbar))) with (2 * (r * (q * nbar))) in C by ring.
    set (x := r * (d * b)) in *. set (x' := r * (q * nbar)) in *. replace (r * - (h * (n - 1))) with (- (r * (h * (n - 1)))) in * by ring. set (hn := r * (h * (n - 1))) in *.
    split; [lia |]. intros z E. assert (0 < r) by lia. split; apply (Z.mul_le_mono_pos_l _ _ r); lia.
  Qed.

  Lemma tail_room : forall r h n T V x z p, r = 2 * h -> 2 <= h -> 0 < n -> n < T -> 8 * Z.abs V < 3 * (r * r * n) -> - h <= x <= h -> 0 <= p <= 1 ->
    - (r * (r * T)) <= V + x * n - p <= r * (r * T) /\ (r * z = V + x * n -> - (r * n) <= z <= r * n /\ - (r * (r * T)) <= z - p <= r * (r * T)) /\
    (- (r * n) <= z <= r * n -> - (r * (r * T)) <= z - p + x * n <= r * (r * T)).
  Proof using.
    clear. intros * R Hh N0 N V0 X P. pose proof (scale r 4 r r ltac:(lia) ltac:(lia)) as rr. pose proof (scale n 4 r r ltac:(lia) ltac:(lia)) as rn.
    pose proof (scale (r * n) 4 r r ltac:(apply Z.mul_nonneg_nonneg; lia) ltac:(lia)) as rrn. pose proof (scale (r * r) (n + 1) T T ltac:(apply Z.mul_nonneg_nonneg; lia) ltac:(lia)) as big.
    pose proof (range_mul x n h n X ltac:(lia)) as xn. assert (hn : 2 * (h * n) = r * n) by (rewrite R; ring). set (y := x * n) in *. clear X. assert (r0 : 0 < r) by lia.
    split; [lia |]. split; [intros E | lia]. assert (B : - (r * n) <= z <= r * n) by (split; apply (Z.mul_le_mono_pos_l _ _ r); lia). split; [exact B | lia].
  Qed.

  Lemma step : forall t, (t < M)%nat -> good t -> good (S t) /\ r * Y (S t) = Y t - u t + r * (d_of (at_ t) * b) + r * (delayed 1 q t * nbar).
  Proof.
    intros t L G. destruct (entry t L G) as (D1 & D2 & X). destruct G as [B _]. destruct radix as [R Hh]. pose proof n_small as N. pose proof positive as N0.
    destruct (loop_state t L) as (P & _ & _ & Bt & Mt & _). destruct (loop_one t L) as [_ O]. pose proof (used t L) as Q. pose proof (q_small t L) as q_range. pose proof (d_range t L) as dr.
    assert (D3 : (2 ^ State | s_q (at_ (S t)) + c_q (at_ (S t)) - (vector 0 (at_ t) + vector 1 (at_ t) + r * (d_of (at_ t) * b) + delayed 1 q t * (r * nbar)))).
    { pose proof (H_sums (c + t)) as D. replace (S (c + t)) with (at_ t) in D by (unfold at_, first; lia). replace (S (at_ t)) with (at_ (S t)) in D by (unfold at_; lia).
      rewrite P, O, Bt, Mt, Q, Z.add_0_r in D. apply D; [| lia | | left; reflexivity].
      - destruct t as [| t]; [left; rewrite Nat.add_0_r; exact idle | right; left; destruct (loop_state t ltac:(lia)) as (P' & _); rewrite <- P'; f_equal; unfold at_, first; lia].
      - right. destruct t as [| t]; [rewrite Nat.add_0_r; apply rests |]. destruct (loop_selects t ltac:(lia)) as (_ & _ & _ & _ & E). rewrite <- E. f_equal. unfold at_, first. lia. }
    set (d := d_of (at_ t)) in *. set (qt := delayed 1 q t) in *. destruct (bits (at_ t)) as [p_range _]. set (p := pending (at_ t)) in *.
    destruct (digit_range (at_ t)) as [u_range _]. fold r in u_range. fold (u t) in u_range.
    pose proof nbar_range as nr. destruct (step_room r h n (2 ^ W) (Y t) b nbar d qt p (u t) R Hh N0 N b_range nr dr q_range p_range u_range B) as [room next].
    assert (V : value (at_ (S t)) = Y t - p + r * (d * b) + qt * (r * nbar)).
    { apply is_value; [exact room |]. apply Z.divide_opp_r in D3. apply Z.divide_opp_r in D1. clear - D1 D3. by_sum. }
    assert (Z0 : exists z, value (at_ (S t)) + p - u t = z * r).
    { destruct D2 as [z D2]. exists (- z + d * b + qt * nbar). rewrite V. clear - D2. lia. }
    destruct Z0 as [z Z0]. assert (r0 : r <> 0) by (clear - R Hh; lia). assert (YS : Y (S t) = z) by (unfold Y; fold p; rewrite Z0; apply Z.div_mul, r0).
    rewrite V in Z0. unfold good. rewrite YS. fold p. rewrite X, V. clear - Z0 next room. split; [| lia].
    split; [apply next; lia |]. split; [lia |]. split; [exact room | reflexivity].
  Qed.

  Lemma steps : forall t, (t <= M)%nat -> good t.
  Proof.
    induction t; intros L; [|apply step; [lia | apply IHt; lia]]. pose proof positive. destruct radix. unfold good, Y. split; [| exact I].
    assert (0 <= r * n) by (apply Z.mul_nonneg_nonneg; lia). lia.
  Qed.

  (* ---------------------------------------------------------------- the tail *)
  Let tail (i : nat) : nat := at_ (M + i).

  Lemma tail_sum : forall i, (i < 7)%nat -> q_of (tail i) = 0 \/ (1 <= i)%nat ->
    (2 ^ State | s_q (tail (S i)) + c_q (tail (S i)) - (vector 0 (tail i) + vector 1 (tail i) + q_of (tail i) * n + one (tail i))).
  Proof.
    intros i L Q. destruct (tail_state i L) as (P & _ & _ & _ & Mi). fold (tail i) in P, Mi. destruct iterations as (_ & LM & _).
    pose proof (H_sums (c + M + i)) as D. pose proof (H_no_d (c + M + i)) as N. replace (S (c + M + i)) with (tail i) in D, N by (unfold tail, at_, first; lia).
    replace (S (tail i)) with (tail (S i)) in D by (unfold tail, at_; lia). rewrite (no_value _ (N ltac:(lia))) in D.
    assert (E : q_of (tail i) * two (W + digit) (modulus (tail i)) = q_of (tail i) * n) by (destruct Q as [-> | Q]; [ring | rewrite Mi by exact Q; reflexivity]).
    rewrite E, Z.mul_0_l, Z.mul_0_r, Z.add_0_r in D. apply D; [lia | lia | | lia].
    destruct i as [| i].
    - right. destruct (loop_selects (M - 1) ltac:(lia)) as (_ & _ & _ & _ & X). rewrite <- X. f_equal. unfold at_, first. lia.
    - left. destruct (tail_selects i ltac:(lia)) as (_ & _ & _ & X & _). rewrite <- X. f_equal. unfold at_, first. lia.
  Qed.

  Lemma holds_pair : forall i, (i < 7)%nat -> i <> 3%nat -> vector 0 (tail i) = s_q (tail i) /\ vector 1 (tail i) = c_q (tail i).
  Proof.
    intros i L X. destruct (tail_selects i L) as (S1 & S2 & S3 & _). destruct (Nat.eqb_spec i 3); [lia |]. apply H_held; assumption.
  Qed.

  Lemma same : forall t t', (2 ^ State | s_q t' + c_q t' - (s_q t + c_q t)) -> value t' = value t.
  Proof.
    intros t t' D. unfold value, pair_value, signed. f_equal. apply Z.divide_opp_r in D. destruct D as [z D].
    replace (s_q t' + c_q t') with (s_q t + c_q t + (- z) * 2 ^ State) by lia. apply Z_mod_plus_full.
  Qed.

  Lemma after : forall i, at_ (M + S i) = S (at_ (M + i)). Proof. intros i. unfold at_. lia. Qed.

  Lemma tail_digits : let Q i := q_of (tail i) in let One i := one (tail i) in
    Q 0%nat = 0 /\ One 0%nat = 0 /\ Q 1%nat = 0 /\ One 1%nat = 0 /\ One 2%nat = k (M - 1) /\ Q 3%nat = 0 /\ One 3%nat = 0 /\ Q 4%nat = 0 /\ One 4%nat = 0 /\
    Q 5%nat = 0 /\ One 5%nat = 0 /\ One 6%nat = 0 /\ held (tail 3) = 0 /\ held (tail 7) = 0 /\ kept (tail 7) = 0 /\
    (- h <= Q 2%nat <= h /\ (r | Q 2%nat - (held (tail 0) + k (M - 1)) * ninv first)) /\
    (- h <= Q 6%nat <= h /\ (r | Q 6%nat - held (tail 4) * ninv first)) /\ q_of (tail 7) = 0 /\ now (tail 7) = 0.
  Proof.
    destruct iterations as (_ & LM & _). destruct radix as [R Hh]. assert (half_r : 2 ^ digit / 2 = h) by (fold r; rewrite R, Z.mul_comm; apply Z.div_mul; lia).
    destruct (loop_selects (M - 1) ltac:(lia)) as (_ & _ & _ & A1 & A2). destruct (loop_one (M - 1) ltac:(lia)) as [A3 _].
    assert (A1' : scaled_q (at_ (M - 1)) = 0) by (rewrite A1; destruct (Nat.eqb_spec (M - 1) 0); [reflexivity | destruct (Nat.ltb_spec (M - 1) (M - 1)); [lia | reflexivity]]).
    destruct (H_none _ A1' A2) as [Q0 K0]. rewrite A3 in K0. cbn [Z.eqb] in K0. destruct (H_digit (at_ (M - 1))) as (_ & _ & N0 & _). rewrite A2 in N0.
    replace (S (at_ (M - 1))) with (tail 0) in * by (unfold tail, at_; lia). fold (k (M - 1)) in K0. clear A1 A1' A2 A3.
    assert (G : forall i, (i < 7)%nat -> let t := tail i in let e := exact_q t in scaled_q t = 0 /\ tail (S i) = S t /\ ninv t = ninv first /\ e = (if Nat.eqb i 1 then 1 else if Nat.eqb i 5 then 1 else 0) /\
      held (tail (S i)) = (if Nat.eqb i 3 then found t else 0) /\ now (tail (S i)) = e /\ (r | chosen (tail (S i)) - (held t + kept t) * ninv first) /\
      one t = (if now t =? 1 then kept t else 0)).
    { intros i L t e. destruct (tail_selects i L) as (S1 & _ & _ & S2 & S3). destruct (tail_state i L) as (_ & _ & _ & I & _).
      fold (tail i) in S1, S2, S3, I. fold t in S1, S2, S3, I. destruct (H_digit t) as (_ & H1 & H2 & H3 & H4). rewrite I in H3. rewrite S1 in H1.
      assert (E : tail (S i) = S t) by (unfold t, tail; apply after). rewrite E. apply divide_mod in H3; [| fold r; lia]. fold r in H3.
      repeat split; try assumption. rewrite H1. destruct (Nat.eqb i 3); reflexivity. }
    destruct (G 0%nat ltac:(lia)) as (a0 & b0 & c0 & d0 & e0 & f0 & g0 & h0). destruct (G 1%nat ltac:(lia)) as (a1 & b1 & c1 & d1 & e1 & f1 & g1 & h1).
    destruct (G 2%nat ltac:(lia)) as (a2 & b2 & c2 & d2 & e2 & f2 & g2 & h2). destruct (G 3%nat ltac:(lia)) as (a3 & b3 & c3 & d3 & e3 & f3 & g3 & h3).
    destruct (G 4%nat ltac:(lia)) as (a4 & b4 & c4 & d4 & e4 & f4 & g4 & h4). destruct (G 5%nat ltac:(lia)) as (a5 & b5 & c5 & d5 & e5 & f5 & g5 & h5).
    destruct (G 6%nat ltac:(lia)) as (a6 & b6 & c6 & d6 & e6 & f6 & g6 & h6). clear G. cbn [Nat.eqb] in *.
    destruct (H_none _ a0 d0) as [Q1 K1]. rewrite <- b0, N0 in *. cbn [Z.eqb] in *. rewrite K0 in *.
    destruct (H_exact _ a1 d1) as (Q2 & L2 & U2 & K2). rewrite <- b1, f0, d0 in *. cbn [Z.eqb] in *. rewrite K1 in *.
    destruct (H_none _ a2 d2) as [Q3 K3]. rewrite <- b2, f1, d1 in *. cbn [Z.eqb Pos.eqb] in *. rewrite K2 in *.
    destruct (H_none _ a3 d3) as [Q4 K4]. rewrite <- b3, f2, d2 in *. cbn [Z.eqb] in *. rewrite K3 in *.
    destruct (H_none _ a4 d4) as [Q5 K5]. rewrite <- b4, f3, d3 in *. cbn [Z.eqb] in *. rewrite K4 in *.
    destruct (H_exact _ a5 d5) as (Q6 & L6 & U6 & K6). rewrite <- b5, f4, d4 in *. cbn [Z.eqb] in *. rewrite K5 in *.
    destruct (H_none _ a6 d6) as [Q7 K7]. rewrite <- b6, f5, d5 in *. cbn [Z.eqb Pos.eqb] in *. rewrite K6, Z.add_0_r in *.
    assert (r0 : 0 < r) by (clear - R Hh; lia). apply divide_mod in Q2; [| exact r0]. apply divide_mod in Q6; [| exact r0]. fold r in Q2, Q6. rewrite half_r in *.
    repeat split; first [assumption | clear - L2; lia | clear - L6; lia | clear - U2; lia | clear - U6; lia | clear - Q2 g0; by_sum | clear - Q6 g4; by_sum | congruence | lia].
  Qed.

  Theorem outcome : exists p j, 0 <= j <= 1 /\ value (tail 7) + j = r * p /\ - n < p < n /\ montgomery n (pw r M) a b p.
  Proof.
    destruct iterations as (_ & LM & big). destruct radix as [R Hh]. pose proof n_small as N. pose proof positive as N0. rewrite <- R in big. pose proof wide as [w2 _].
    pose proof constant as (ni & ni_range & E). assert (L2 : 2 ^ (2 * digit) = r * r) by (unfold r; rewrite <- Z.pow_add_r by lia; f_equal; lia). rewrite L2 in *.
    set (m := (M - 1)%nat). assert (EM : M = S m) by lia.
    pose proof (steps M (le_n M)) as [YM G]. assert (G' : value (tail 0) + pending (at_ m) = r * Y M + u m /\ - (r * (r * 2 ^ W)) <= value (tail 0) <= r * (r * 2 ^ W) /\ held (tail 0) = u m).
    { rewrite EM in G. unfold tail. rewrite EM, Nat.add_0_r. exact G. }
    clear G. destruct G' as (G1 & G2 & G3).
    assert (steps' : forall t, (t < S m)%nat -> r * Y (S t) = Y t - u t + r * (d_of (at_ t) * b) + r * (delayed 1 q t * nbar))
      by (intros t L; apply step; [lia | apply steps; lia]).
    assert (u_range : forall t, 0 <= u t < r) by (intros t; apply digit_range).
    assert (A : forall t, (t < S m)%nat -> True) by auto.
    pose proof (loop_range h n ni nbar a b m Y (fun t => d_of (at_ t)) q u k) as LR.
    pose proof (late_booth h n ni nbar a b m Y (fun t => d_of (at_ t)) q u k) as LB.
    rewrite <- R in LR, LB. rewrite <- EM in LR, LB.
    assert (D2 : a = digits r (fun t => d_of (at_ t)) M) by exact digits_of_a.
    assert (tr : transfers r u k m) by exact transfer_next.
    specialize (LR ltac:(lia) N0 ltac:(lia) ltac:(lia) a_range b_range ltac:(lia) (conj eq_refl (proj1 first_kept)) D2 ltac:(rewrite EM; exact steps') (fun t _ => u_range t) tr (fun t _ => eq_refl)).
    specialize (LB ltac:(lia) N0 ltac:(lia) ltac:(lia) a_range b_range ltac:(lia) (conj eq_refl (proj1 first_kept)) D2 ltac:(rewrite EM; exact steps') (fun t _ => u_range t) tr (fun t _ => eq_refl)).
    set (V := r * Y M + u m + k m) in *.
    destruct tail_digits as (q0 & o0 & q1 & o1 & o2 & q3 & o3 & q4 & o4 & q5 & o5 & o6 & h3 & h7 & _ & (B2 & C2) & (B6 & C6) & _). fold m in o2, C2. rewrite G3 in C2.
    assert (keeps : forall i, (i < 7)%nat -> i <> 3%nat -> q_of (tail i) = 0 -> one (tail i) = 0 -> value (tail (S i)) = value (tail i)).
    { intros i L X Q O. apply same. pose proof (tail_sum i L (or_introl Q)) as D. destruct (holds_pair i L X) as [V0 V1]. rewrite V0, V1, Q, O in D. clear - D. by_sum. }
    assert (adds : forall i y, (i < 7)%nat -> i <> 3%nat -> (1 <= i)%nat -> y = value (tail i) + q_of (tail i) * n + one (tail i) -> - (r * (r * 2 ^ W)) <= y <= r * (r * 2 ^ W) -> value (tail (S i)) = y).
    { intros i y L X P Ey B. apply is_value; [exact B |]. pose proof (tail_sum i L (or_intror P)) as D. destruct (holds_pair i L X) as [V0 V1]. rewrite V0, V1 in D.
      pose proof (value_divides State digit (s_q (tail i)) (c_q (tail i)) ltac:(lia)) as D'. fold (value (tail i)) in D'. rewrite Ey. apply Z.divide_opp_r in D. clear - D D'. by_sum. }
    pose proof (keeps 0%nat ltac:(lia) ltac:(lia) q0 o0) as v1. pose proof (keeps 1%nat ltac:(lia) ltac:(lia) q1 o1) as v2.
    set (x := q_of (tail 2)) in *. set (x' := q_of (tail 6)) in *.
    destruct (bits (at_ m)) as [j_range _]. set (j := pending (at_ m)) in *.
    pose proof (adds 2%nat (V + x * n - j) ltac:(lia) ltac:(lia) ltac:(lia) ltac:(rewrite o2, v2, v1; unfold V; clear - G1; lia) (proj1 (tail_room r h n _ V x 0 j R Hh N0 N LR B2 j_range))) as v3.
    assert (Z1 : exists z, V + x * n = r * z).
    { destruct C2 as [i1 C2], inverse as [i2 I]. exists (Y M + i1 * n + (u m + k m) * i2). unfold V. replace x with ((u m + k m) * ninv first + i1 * r) by (clear - C2; lia).
      assert (T : (u m + k m) * (ninv first * n + 1) = (u m + k m) * (i2 * r)) by (rewrite I; reflexivity). clear - T. lia. }
    destruct Z1 as [z Z1]. destruct (bits (tail 3)) as [p_range _]. set (p4 := pending (tail 3)) in *.
    destruct (tail_room r h n _ V x z p4 R Hh N0 N LR B2 p_range) as (_ & room & _). destruct (room ltac:(clear - Z1; lia)) as [z_range z_room].
    destruct (tail_room r h n _ V x' z p4 R Hh N0 N LR B6 p_range) as (_ & _ & last_room). specialize (last_room z_range).
    destruct (tail_selects 3 ltac:(lia)) as (S1 & S2 & S3 & _). cbn [Nat.eqb] in S1, S2. fold (tail 3) in S1, S2, S3.
    destruct (shifts (tail 3) j z S1 S2 S3 j_range ltac:(rewrite h3, v3; clear - Z1; lia) ltac:(rewrite v3; exact (proj1 (tail_room r h n _ V x 0 j R Hh N0 N LR B2 j_range)))) as (D3 & F3 & H4). fold p4 in D3.
    assert (v4 : value (tail 4) = z - p4).
    { apply is_value; [exact z_room |]. pose proof (tail_sum 3 ltac:(lia) (or_introl q3)) as D. rewrite q3, o3 in D. apply Z.divide_opp_r in D, D3. clear - D D3. by_sum. }
    pose proof (keeps 4%nat ltac:(lia) ltac:(lia) q4 o4) as v5. pose proof (keeps 5%nat ltac:(lia) ltac:(lia) q5 o5) as v6.
    pose proof (adds 6%nat (z - p4 + x' * n) ltac:(lia) ltac:(lia) ltac:(lia) ltac:(rewrite o6, v6, v5, v4; fold x'; clear; lia) last_room) as v7.
    assert (Z2 : exists p, z + x' * n = r * p).
    { replace (S (tail 3)) with (tail 4) in H4 by (unfold tail, at_; lia). rewrite H4 in C6. destruct C6 as [i1 C6], inverse as [i2 I], F3 as [i3 F3].
      exists (i1 * n + found (tail 3) * i2 - i3). replace x' with (found (tail 3) * ninv first + i1 * r) by (clear - C6; lia).
      assert (T : found (tail 3) * (ninv first * n + 1) = found (tail 3) * (i2 * r)) by (rewrite I; reflexivity). clear - T F3. lia. }
    destruct Z2 as [p Z2]. exists p, p4. split; [exact p_range |]. split; [clear - v7 Z2; lia |]. apply (LB x x' z p B2 B6); [clear - Z1 | clear - Z2]; lia.
  Qed.

  (* The next phase, in which nothing is added. *)
  Lemma after_tail : phase (tail 7) = 3 /\ left (tail 7) = last /\ n_q (tail 7) = n /\ held (tail 7) = 0.
  Proof.
    destruct (tail_state 6 ltac:(lia)) as (P & Q & N & _). destruct (H_tail_end _ P Q) as [P' Q']. destruct (H_kept _ (or_intror P)) as (N' & _).
    unfold tail. rewrite after, P', Q', N', N. rewrite <- after. destruct tail_digits as (_ & _ & _ & _ & _ & _ & _ & _ & _ & _ & _ & _ & _ & h7 & _). auto.
  Qed.

  Lemma nothing_added : forall i, (forall j, (j <= i)%nat -> phase (tail 7 + j)%nat = 3) -> q_net (tail 7 + i)%nat = 0 /\ one (tail 7 + i)%nat = 0 /\
    d_net (tail 7 + i)%nat = 0.
  Proof.
    intros i P. destruct tail_digits as (_ & _ & _ & _ & _ & _ & _ & _ & _ & _ & _ & _ & _ & _ & k7 & _ & _ & q7 & n7).
    destruct (tail_selects 6 ltac:(lia)) as (_ & _ & _ & S1 & S2). cbn [Nat.eqb] in S2.
    assert (G : forall j, (j <= i)%nat -> q_net (tail 7 + j)%nat = 0 /\ kept (tail 7 + j)%nat = 0 /\ now (tail 7 + j)%nat = 0 /\
      scaled_q (tail 7 + j)%nat = 0 /\ exact_q (tail 7 + j)%nat = 0).
    { induction j; intros L.
      - rewrite Nat.add_0_r. specialize (P O ltac:(lia)). rewrite Nat.add_0_r in P. pose proof (H_no_q _ S1 S2) as Q. rewrite <- after in Q. fold (tail 7) in Q.
        pose proof (H_selects (at_ (M + 6))) as X. rewrite <- after in X. fold (tail 7) in X. destruct X as (_ & _ & _ & X1 & X2). rewrite P in X1, X2. auto.
      - destruct (IHj ltac:(lia)) as (_ & G2 & G3 & G4 & G5). rewrite Nat.add_succ_r. pose proof (P (S j) L) as P'. rewrite Nat.add_succ_r in P'.
        destruct (H_none _ G4 G5) as [_ X]. rewrite G3 in X. cbn [Z.eqb] in X. destruct (H_digit (tail 7 + j)%nat) as (_ & _ & N & _).
        destruct (H_selects (tail 7 + j)%nat) as (_ & _ & _ & X1 & X2). rewrite P' in X1, X2. cbn [Z.eqb Pos.eqb] in X1, X2.
        split; [apply H_no_q; assumption |]. repeat split; congruence. }
    destruct (G i (le_n i)) as (G1 & G2 & G3 & _). split; [exact G1 |]. destruct (H_digit (tail 7 + i)%nat) as (_ & _ & _ & _ & ->). rewrite G3. split; [reflexivity |].
    specialize (P i (le_n i)). replace (tail 7 + i)%nat with (S (tail 6 + i)) in * by (unfold tail, at_; lia). apply H_no_d. lia.
  Qed.

  Lemma not_before : forall t, (c < t < tail 7)%nat -> phase t = 1 \/ phase t = 2.
  Proof.
    intros t L. unfold tail, at_, first in L. destruct (Nat.lt_ge_cases (t - S c) M) as [G | G].
    - left. destruct (loop_state (t - S c) G) as (<- & _). f_equal. unfold at_, first. lia.
    - right. destruct (tail_state (t - S c - M) ltac:(lia)) as (<- & _). f_equal. unfold at_, first. lia.
  Qed.

  Theorem late_run_of : let e := (first + (M + 7))%nat in
    (exists p j, 0 <= j <= 1 /\ pair_value State (s_q e) (c_q e) + j = r * p /\ - n < p < n /\ montgomery n (pw r M) a b p) /\
    (phase e = 3 /\ left e = last /\ n_q e = n /\ held e = 0) /\
    (forall i, (forall j, (j <= i)%nat -> phase (e + j)%nat = 3) -> q_net (e + i)%nat = 0 /\ one (e + i)%nat = 0 /\ d_net (e + i)%nat = 0) /\
    (forall t, (c < t < e)%nat -> phase t = 1 \/ phase t = 2).
  Proof. split; [exact outcome |]. split; [exact after_tail |]. split; [exact nothing_added | exact not_before]. Qed.
  End Request.
End LateLoop.

(* For the nets of mf_booth_csa_core. They are variables above, as Coq is slow with names as long as these in the context. *)
Definition late_run (K : nat) (digit word last : Z) (net : trace) (b_of d_of q_of : nat -> Z) := late_run_of K digit word last
  (net "u_core.phase_q") (net "u_core.left_q") (net "u_core.n_q") (net "u_core.shift_q") (net "u_core.hold_q") (net "u_core.word_q")
  (net "u_core.scaled_q") (net "u_core.exact_q") (net "u_core.s_q") (net "u_core.c_q") (net "u_core.pending")
  (net "u_core.gen_late_quotient.modulus_q") (net "u_core.gen_late_quotient.u_quotient.n_inverse_q") (net "u_core.gen_late_quotient.u_quotient.digit")
  (net "u_core.gen_late_quotient.u_quotient.digit_q") (net "u_core.gen_late_quotient.u_quotient.exact_q")
  (net "u_core.gen_late_quotient.u_quotient.transfer_q") (net "u_core.gen_late_quotient.u_quotient.exact_now_q") (net "u_core.one")
  (net "u_core.u_accumulator.fold") (net "u_core.u_accumulator.u_tree.rows_i") (net "u_core.d_q") (net "u_core.q") b_of d_of q_of.
