(* SPDX-License-Identifier: Apache-2.0 *)
(* mf_barrett from the nets of the RTL to the contract, for every width. The hypotheses are the lemmas that montforge prints into barrett_lemmas.v, for the
   rows of its products, and proves on the RTL. *)
From Coq Require Import ZArith Lia String.
Require Import Contract Control Bits BoothRows UnitAccumulator Levels TruncatedProduct Pipelined barrett_lemmas.
Open Scope string_scope. Open Scope Z_scope.
Set Default Proof Using "All".

(* Proves reduced from the statements G on a tree. Nets become variables, so that their names do not slow Coq down. *)
Ltac by_tree net G range := revert G; clear - range; repeat match goal with |- context [net ?name] => generalize (net name) end; clear - range; intros; match goal with G : _ /\ _ |- _ => by_levels G end.

(* The quotient by mu, of a product that lacks e, is too small by less than 1. *)
Theorem estimate : forall W n T e, 3 <= W -> 2 ^ (W - 1) < n -> 0 <= T < 2 ^ (2 * W + 2) -> 0 <= e -> 4 * e <= 2 ^ (W + 7) ->
  0 <= T - (2 ^ (2 * W + 4) / n * (T / 2 ^ (W - 3)) - e) / 2 ^ (W + 7) * n < 2 * n.
Proof.
  intros W n T e HW N TR E0 E. set (B := 2 ^ (W - 3)). set (P := 2 ^ (W + 7)) in *. set (mu := 2 ^ (2 * W + 4) / n). set (y := T / B). set (Q := (mu * y - e) / P).
  assert (B0 : 0 < B) by (apply Z.pow_pos_nonneg; lia). assert (P0 : 0 < P) by (apply Z.pow_pos_nonneg; lia).
  assert (N4 : 4 * B < n) by (replace (W - 1) with (2 + (W - 3)) in N by lia; rewrite Z.pow_add_r in N by lia; fold B in N; lia).
  assert (EA : 2 ^ (2 * W + 4) = B * P) by (unfold B, P; rewrite <- Z.pow_add_r by lia; f_equal; lia).
  assert (y_range : 0 <= y /\ 4 * y <= P).
  { assert (X : 2 ^ (2 * W + 2) = 2 ^ (W + 5) * B) by (unfold B; rewrite <- Z.pow_add_r by lia; f_equal; lia).
    assert (X2 : P = 4 * 2 ^ (W + 5)) by (unfold P; replace (W + 7) with (2 + (W + 5)) by lia; rewrite Z.pow_add_r by lia; lia).
    split; [apply Z.div_pos; lia |]. assert (y < 2 ^ (W + 5)) by (apply Z.div_lt_upper_bound; lia). lia. }
  pose proof (Z.div_mod (2 ^ (2 * W + 4)) n ltac:(lia)) as D1. pose proof (Z.mod_pos_bound (2 ^ (2 * W + 4)) n ltac:(lia)) as M1. fold mu in D1. rewrite EA in D1, M1.
  pose proof (Z.div_mod T B ltac:(lia)) as D2. pose proof (Z.mod_pos_bound T B B0) as M2. fold y in D2. pose proof (Z.div_mod (mu * y - e) P ltac:(lia)) as D3.
  pose proof (Z.mod_pos_bound (mu * y - e) P P0) as M3. fold Q in D3. set (r := (B * P) mod n) in *. set (s := T mod B) in *. set (f := (mu * y - e) mod P) in *.
  clearbody mu y Q r s f B P. clear EA TR N.
  assert (K : (T - Q * n) * P = n * (e + f) + y * r + s * P).
  { rewrite D2. replace (Q * n * P) with (n * (mu * y - e - f)) by (rewrite D3; ring). replace ((B * y + s - Q * n) * P) with (y * (B * P) + s * P - Q * n * P) by ring.
    replace (Q * n * P) with (n * (mu * y - e - f)) by (rewrite D3; ring). rewrite D1. ring. }
  assert (K1 : 0 <= n * (e + f)) by (apply Z.mul_nonneg_nonneg; lia). assert (K2 : 0 <= y * r) by (apply Z.mul_nonneg_nonneg; lia). assert (K3 : 0 <= s * P) by (apply Z.mul_nonneg_nonneg; lia).
  assert (L1 : n * (4 * (e + f)) < n * (5 * P)) by (apply Z.mul_lt_mono_pos_l; lia).
  assert (L2 : 4 * y * r <= P * n) by (apply Z.mul_le_mono_nonneg; lia). assert (L3 : 4 * s * P <= n * P) by (apply Z.mul_le_mono_nonneg_r; lia).
  split; [apply (Z.mul_le_mono_pos_r _ _ P); lia | apply (Z.mul_lt_mono_pos_r P); [exact P0 |]]. rewrite K. lia.
Qed.

Section Chain.
  Variables (K : nat) (least fraction : Z) (net : trace).
  Let W := Z.of_nat K.
  Local Notation on lemma := (lemma W least fraction net).
  Hypotheses (wide : 3 <= W) (H_ranges : on ranges) (H_constants : on constants) (H_handshake : on handshake) (H_empty : on empty) (H_enters : on enters)
    (H_moves : on moves) (H_stays : on stays) (H_accept : on accept) (H_t_rows : on t_rows) (H_t_tree : on t_tree) (H_t_added : on t_added) (H_product : on product)
    (H_q_rows : on q_rows) (H_q_tree : on q_tree) (H_q_added : on q_added) (H_quotient : on quotient) (H_p_rows : on p_rows) (H_p_tree : on p_tree)
    (H_p_added : on p_added) (H_difference : on difference) (H_hold : on hold) (H_answer : on answer).

  Local Notation modulus t at_ := (part (net "n_q" t) (at_ * W) W).
  Local Notation factor t at_ := (part (net "mu_q" t) (at_ * (W + 5)) (W + 5)).
  Let point := W + 7.
  Let cut := point - 2 - Z.log2_up ((W + 5) / 2 + 1).

  Lemma cut_range : 0 <= cut <= point /\ 4 * ((W + 5) / 2 + 1) * 2 ^ cut <= 2 ^ point.
  Proof.
    clear - wide. set (k := (W + 5) / 2 + 1). assert (K1 : 2 <= k <= W + 5).
    { unfold k. pose proof (Z.div_le_lower_bound (W + 5) 2 1 ltac:(lia) ltac:(lia)). pose proof (Z.div_lt_upper_bound (W + 5) 2 (W + 4) ltac:(lia) ltac:(lia)). lia. }
    assert (L : 0 <= Z.log2_up k <= W + 5) by (split; [apply Z.log2_up_nonneg | pose proof (Z.log2_up_le_lin k ltac:(lia)); lia]).
    destruct (Z.log2_up_spec k ltac:(lia)) as [_ U]. assert (C : 0 <= cut) by (unfold cut, point; fold k; lia). split; [unfold cut, point in *; fold k in C |- *; lia |].
    assert (E : 2 ^ point = 4 * 2 ^ Z.log2_up k * 2 ^ cut).
    { change 4 with (2 ^ 2). rewrite <- !Z.pow_add_r by lia. f_equal. unfold cut. fold k. lia. }
    rewrite E. apply Z.mul_le_mono_nonneg_r; [apply Z.pow_nonneg; lia | lia].
  Qed.

  Lemma used : forall t, (0 <= net "rsp_ready_i" t < 2 /\ 0 <= net "n_i" t < 2 ^ W) /\ (0 <= net "a_q" t < 2 ^ (W + 1) /\ 0 <= net "b_q" t < 2 ^ (W + 1) /\
    0 <= net "u_t.u_adder.sum_o" t < 2 ^ (2 * (W + 1))) /\ 0 <= net "q_q" t < 2 ^ (W + 1) /\ 0 <= net "u_p.u_adder.sum_o" t < 2 ^ (W + 1).
  Proof. intros t. in_range H_ranges t. Qed.

  Lemma t_is : forall t, net "u_t.u_adder.sum_o" t = net "a_q" t * net "b_q" t.
  Proof.
    intros t. destruct (used t) as (_ & (A & B & S) & _). destruct (H_t_tree t) as (N & G).
    assert (red : reduced (2 * (W + 1) - 0) (net "u_t.u_tree.rows_i" t) ((W + 1) / 2 + 1) (net "u_t.u_tree.rows_o" t) 2).
    { rewrite N. assert (range : 0 <= 2 * (W + 1) - 0) by (clear - wide; lia). by_tree net G range. }
    destruct (truncated (W + 1) 0 (2 * (W + 1)) (net "a_q" t) (net "b_q" t) _ _ 0 _ _ ltac:(clear - wide; lia) B (H_t_rows t) (eq_sym (Z.add_0_r _)) red (H_t_added t)) as (e & E & D).
    clear - A B S D E wide. assert (e = 0) as -> by (clear - E; rewrite Z.pow_0_r in E; lia). rewrite Z.pow_0_r, Z.mul_1_l, !Z.sub_0_r in D. apply (near _ _ _ D).
    replace (2 * (W + 1)) with ((W + 1) + (W + 1)) in * by lia. rewrite (Z.pow_add_r 2 (W + 1) (W + 1)) in * by lia.
    pose proof (Z.mul_nonneg_nonneg (net "a_q" t) (net "b_q" t) ltac:(lia) ltac:(lia)). pose proof (Z.mul_lt_mono_nonneg _ _ _ _ (proj1 A) (proj2 A) (proj1 B) (proj2 B)). lia.
  Qed.

  Lemma q_is : forall t, exists e, (0 <= e /\ 4 * e <= 2 ^ point) /\ (2 ^ (W + 1) | part (net "u_q.u_adder.sum_o" t) (point - cut) (W + 1) -
    (factor t 1 * part (net "t_q" t) (W - 3) (W + 5) - e) / 2 ^ point).
  Proof.
    intros t. destruct cut_range as [C0 C1]. destruct (H_q_tree t) as (N & G).
    assert (red : reduced (point + (W + 1) - cut) (net "u_q.u_tree.rows_i" t) ((W + 5) / 2 + 1) (net "u_q.u_tree.rows_o" t) 2).
    { rewrite N. assert (range : 0 <= point + (W + 1) - cut) by (clear - wide C0; lia). by_tree net G range. }
    destruct (truncated (W + 5) cut (point + (W + 1)) (factor t 1) (part (net "t_q" t) (W - 3) (W + 5)) _ _ 0 _ _ ltac:(clear - wide C0; unfold point in *; lia)
      ltac:(apply part_range; clear - wide; lia) (H_q_rows t) (eq_sym (Z.add_0_r _)) red (H_q_added t)) as (e & E & D).
    exists e. split.
    { pose proof (Z.div_pos (W + 5) 2 ltac:(clear - wide; lia) ltac:(lia)) as K0. revert E C1 K0. clear. generalize ((W + 5) / 2) (2 ^ cut) (2 ^ point). clear. intros. lia. }
    rewrite Z.sub_0_r in D. apply columns; [clear - C0; lia | clear - wide; lia | exact D].
  Qed.

  Lemma p_is : forall t, (2 ^ (W + 1) | (2 ^ (W + 1) - 1 - net "u_p.u_adder.sum_o" t) - (net "t_low_q" t - modulus t 2 * net "q_q" t)).
  Proof.
    intros t. destruct (used t) as (_ & _ & B & _). destruct (H_p_tree t) as (N & A & G).
    set (k := (W + 1) / 2 + 1) in *. assert (K0 : 0 <= k) by (pose proof (Z.div_pos (W + 1) 2 ltac:(clear - wide; lia) ltac:(lia)) as K1; clear - K1; unfold k; lia).
    assert (red : reduced (W + 1 - 0) (net "u_p.u_tree.rows_i" t) (k + 1) (net "u_p.u_tree.rows_o" t) 2).
    { rewrite N. assert (range : 0 <= W + 1 - 0) by (clear - wide; lia). by_tree net G range. }
    set (added := 2 ^ (W + 1) - 1 - net "t_low_q" t) in *.
    assert (T : total (place (W + 1 - 0) (net "u_p.u_tree.rows_i" t)) (Z.to_nat (k + 1)) = total (place (W + 1 - 0) (net "u_p.u_tree.rows_i" t)) (Z.to_nat k) + added).
    { replace (Z.to_nat (k + 1)) with (S (Z.to_nat k)) by (clear - K0; lia). cbn [total]. f_equal. rewrite <- A. unfold place. rewrite Z2Nat.id by exact K0. reflexivity. }
    destruct (truncated (W + 1) 0 (W + 1) (modulus t 2) (net "q_q" t) _ _ added _ _ ltac:(clear - wide; lia) B (H_p_rows t) T red (H_p_added t)) as (e & E & D).
    clear - E D. assert (e = 0) as -> by (clear - E; rewrite Z.pow_0_r in E; lia). rewrite Z.pow_0_r in D. unfold added in D. clear - D. by_sum.
  Qed.

  (* what a stage has of the operation of the request in cycle c *)
  Definition has (c stage t : nat) : Prop :=
    let n := net "n_i" c in let T := net "a_i" c * net "b_i" c in
    ((2 ^ (W - 1) < n /\ net "mu_i" c = 2 ^ (2 * W + 4) / n) /\ 0 <= net "a_i" c < 2 * n /\ 0 <= net "b_i" c < 2 * n) /\
    match stage with
    | 0%nat => net "a_q" t = net "a_i" c /\ net "b_q" t = net "b_i" c /\ modulus t 0 = n /\ factor t 0 = net "mu_i" c
    | 1%nat => net "t_q" t = T /\ modulus t 1 = n /\ factor t 1 = net "mu_i" c
    | 2%nat => (exists e, (0 <= e /\ 4 * e <= 2 ^ point) /\ (2 ^ (W + 1) | net "q_q" t - (2 ^ (2 * W + 4) / n * (T / 2 ^ (W - 3)) - e) / 2 ^ point)) /\
        net "t_low_q" t = T mod 2 ^ (W + 1) /\ modulus t 2 = n
    | _ => 0 <= net "p_q" t < 2 * n /\ (net "p_q" t * 2 ^ 0) mod n = T mod n
    end.

  Lemma product_range : forall c, 0 <= net "a_i" c < 2 * net "n_i" c -> 0 <= net "b_i" c < 2 * net "n_i" c -> 0 <= net "a_i" c * net "b_i" c < 2 ^ (2 * W + 2).
  Proof.
    intros c A B. destruct (used c) as ((_ & N) & _). clear - A B N wide. replace (2 * W + 2) with ((W + 1) + (W + 1)) by lia. rewrite !(Z.pow_add_r 2 _) by lia.
    change (2 ^ 1) with 2. split; [apply Z.mul_nonneg_nonneg; lia | apply Z.mul_lt_mono_nonneg; lia].
  Qed.

  Lemma moved : forall c t i, (i < 3)%nat -> net "req_ready_o" t = 1 -> has c i t -> has c (S i) (S t).
  Proof.
    intros c t i I Y [L G]. split; [exact L |]. destruct i as [| [| [| i]]]; [| | | lia]; cbn beta iota zeta in G |- *.
    - destruct G as (<- & <- & <- & <-). destruct (H_product t Y) as (E1 & E2 & E3). rewrite E1, t_is. auto.
    - destruct G as (T & N & M). destruct (H_quotient t Y) as (E1 & E2 & E3). rewrite E1, E2, T. split; [| split; [reflexivity | rewrite E3; exact N]].
      destruct L as ((_ & MU) & A & B). destruct (q_is t) as (e & E & D). exists e. split; [exact E |]. rewrite M, T, MU in D.
      pose proof (product_range c A B) as R. replace (part (net "a_i" c * net "b_i" c) (W - 3) (W + 5)) with (net "a_i" c * net "b_i" c / 2 ^ (W - 3)) in D; [exact D |].
      clear - R wide. unfold part. symmetry. apply Z.mod_small. split; [apply Z.div_pos; [lia | apply Z.pow_pos_nonneg; lia] |]. apply Z.div_lt_upper_bound; [apply Z.pow_pos_nonneg; lia |].
      rewrite <- Z.pow_add_r by lia. replace (W - 3 + (W + 5)) with (2 * W + 2) by lia. apply R.
    - destruct G as ((e & E & D) & T & N). rewrite (H_difference t Y). destruct L as ((N1 & MU) & A & B). pose proof (p_is t) as P. rewrite T, N in P.
      destruct (used c) as ((_ & NR) & _). destruct (used t) as (_ & _ & _ & S).
      pose proof (estimate W (net "n_i" c) _ e wide N1 (product_range c A B) (proj1 E) (proj2 E)) as X. fold point in X.
      set (Q := (_ - e) / _) in *. set (n := net "n_i" c) in *. set (z := net "a_i" c * net "b_i" c) in *. set (p := 2 ^ (W + 1) - 1 - _) in *.
      assert (p = z - Q * n) as ->.
      { apply (near (2 ^ (W + 1))); [| assert (2 ^ (W + 1) = 2 * 2 ^ W) by (rewrite Z.pow_add_r by lia; lia); unfold p; clear - S X NR H; lia].
        pose proof (mod_divides (2 ^ (W + 1)) z ltac:(apply Z.pow_nonzero; clear - wide; lia)) as F. apply (Z.divide_mul_l _ _ (- n)) in D. clear - P D F. by_sum. }
      split; [exact X |]. rewrite Z.pow_0_r, Z.mul_1_r. replace (z - Q * n) with (z + (- Q) * n) by ring. apply Z_mod_plus_full.
  Qed.

  Theorem contract : pipelined net (net "a_i") (net "b_i") (net "n_i") (net "p_o") 4 4 (2 ^ 0)
    (fun c => least <= net "n_i" c /\ net "mu_i" c = 2 ^ fraction / net "n_i" c) (fun n x => 0 <= x < 2 * n) (fun n p => 0 <= p < 2 * n).
  Proof.
    destruct (H_constants O) as [EL EF].
    apply (stages _ _ _ _ _ _ _ _ _ 3%nat has); [intros t; apply used | exact H_handshake | exact H_empty | exact H_enters | exact H_moves | exact H_stays | ..].
    - intros t Y. rewrite !H_answer. apply H_hold, Y.
    - intros c Y [N M] A B. split; [rewrite EF in M; split; [clear - N M EL; split; [lia | exact M] | auto] |]. apply H_accept, Y.
    - exact moved.
    - intros c t i I Y [L G]. split; [exact L |]. destruct (H_hold t Y) as (E1 & E2 & E3 & E4 & E5 & E6 & E7 & E8). rewrite E1, E2, E3, E4, E5, E6, E7, E8. exact G.
    - intros c t [_ G]. rewrite H_answer. exact G.
  Qed.
End Chain.
