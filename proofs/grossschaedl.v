(* SPDX-License-Identifier: Apache-2.0 *)
(* mf_grossschaedl with lazy reduction from the nets of the RTL to the contract, for every width. The hypotheses are the lemmas that
   montforge prints into grossschaedl_lemmas.v, and proves on the RTL. *)
From Coq Require Import ZArith Lia String.
Require Import DigitRecurrence Instances Contract Control WordSerial grossschaedl_lemmas.
Open Scope string_scope. Open Scope Z_scope.
Set Default Proof Using "All".

Lemma factor : forall x y, 0 <= x <= 1 -> 0 <= y -> 0 <= x * y <= y.
Proof. nia. Qed.

Section Chain.
  Variables (K : nat) (digit : Z) (net : trace).
  Let W := Z.of_nat K.
  Hypotheses (wide : (1 <= K)%nat /\ 1 <= digit) (H_ranges : ranges W digit net) (H_ready : ready W digit net) (H_accept : accept W digit net)
    (H_row1 : row1 W digit net) (H_quotient : quotient W digit net) (H_row2 : row2 W digit net) (H_step : step W digit net)
    (H_digit : digit_added W digit net) (H_convert : convert W digit net) (H_count : count_up W digit net) (H_end : count_end W digit net)
    (H_digits : digits_count W digit net) (H_hold : hold W digit net) (H_answer : answer W digit net).

  Let m := Z.to_nat ((W + 1 + digit - 1) / digit).                                            (* digits of a result *)
  Let SW := Z.max (W + 2) ((W + 1 + digit - 1) / digit * digit).                              (* bits of the state *)
  Let total t := net "s_q" t + net "c_q" t.

  Lemma digit_size : (W + 1 + digit - 1) / digit = Z.of_nat m /\ (1 <= m)%nat /\ W + 1 <= Z.of_nat m * digit.
  Proof. apply word_count; unfold W; lia. Qed.

  Lemma powers : 2 ^ (W + 1) = 2 * 2 ^ W /\ 0 < 2 ^ W /\ 8 * 2 ^ W <= 2 ^ (SW + 1) /\ 2 ^ (SW + 1) = 2 * 2 ^ SW /\ 2 ^ (W + 1) <= 2 ^ (Z.of_nat m * digit).
  Proof.
    destruct digit_size as (_ & _ & B). assert (0 < 2 ^ W) by (apply Z.pow_pos_nonneg; lia). assert (S2 : W + 2 <= SW) by (unfold SW; lia).
    pose proof (Z.pow_le_mono_r 2 (W + 3) (SW + 1) ltac:(lia) ltac:(lia)) as P. pose proof (Z.pow_le_mono_r 2 (W + 1) (Z.of_nat m * digit) ltac:(lia) B) as Q.
    assert (2 ^ (W + 3) = 8 * 2 ^ W) by (rewrite Z.pow_add_r by lia; lia). assert (2 ^ (W + 1) = 2 * 2 ^ W) by (rewrite Z.pow_add_r by lia; lia).
    assert (2 ^ (SW + 1) = 2 * 2 ^ SW) by (rewrite Z.pow_add_r by lia; lia). lia.
  Qed.

  Lemma pair_least : forall t, 0 <= net "s_q" t /\ 0 <= net "c_q" t.
  Proof. intros t. in_range H_ranges t. Qed.

  Section Request.
  (* A request is accepted in cycle c. *)
  Variables (c : nat).
  Let a := net "a_i" c. Let b := net "b_i" c. Let n := net "n_i" c.
  Hypotheses (idle : net "phase_q" c = 0) (request : net "req_valid_i" c = 1) (odd : n mod 2 = 1) (a_range : a < 2 * n) (b_range : b < 2 * n).

  Let first := S c. Let converts := (first + (K + 2))%nat. Let done := (converts + m)%nat.    (* the first cycles of the phases *)

  Lemma small : 0 < n < 2 ^ W /\ 0 <= a /\ 0 <= b.
  Proof.
    assert (0 <= n < 2 ^ W) by in_range H_ranges c. assert (0 <= a) by in_range H_ranges c. assert (0 <= b) by in_range H_ranges c.
    pose proof (odd_positive n ltac:(lia) odd). lia.
  Qed.

  (* What holds in each cycle of the loop. *)
  Let keeps t := net "b_q" t = b /\ net "n_q" t = n /\ net "carry_q" t = 0 /\ total t < 3 * n.

  Lemma step_at : forall t, net "phase_q" t = 1 -> keeps t -> let q := net "quotient_bit" t in 0 <= q <= 1 /\ keeps (S t) /\
    net "a_q" (S t) = net "a_q" t / 2 /\ 2 * total (S t) = total t + net "a_q" t mod 2 * b + q * n.
  Proof.
    intros t P (B & N & C & T) q. destruct small as (Hn & _ & Hb). destruct powers as (P1 & P0 & P3 & _). destruct (pair_least t) as [S0 C0].
    destruct (H_row1 t) as (R1 & R2 & _). assert (carry_range : net "carry1" t < 2 ^ (SW + 1)).
    { assert (M : 0 <= net "sum1" t) by in_range H_ranges t. pose proof (Z.mod_pos_bound (net "a_q" t) 2 ltac:(lia)).
      pose proof (factor (net "a_q" t mod 2) b ltac:(lia) Hb). rewrite B in R1. unfold total in T. lia. }
    destruct (H_row2 t R2 carry_range) as (E1 & E2). pose proof (H_quotient t ltac:(rewrite N; exact odd)) as E.
    assert (Q : 0 <= q < 2 ^ 1) by in_range H_ranges t. assert (Q1 : 0 <= q <= 1) by lia. pose proof (Z.mod_pos_bound (net "a_q" t) 2 ltac:(lia)).
    pose proof (factor (net "a_q" t mod 2) b ltac:(lia) Hb). pose proof (factor q n Q1 ltac:(lia)). rewrite B in *. rewrite N in *. fold q in E1, E.
    unfold total in T. destruct (H_step t P ltac:(fold SW; lia)) as (N1 & N2 & N3 & N4 & N5 & N6).
    assert (half : 2 * total (S t) = total t + net "a_q" t mod 2 * b + q * n).
    { unfold total. rewrite N1, N2. apply halves; [lia | exact E | exact E2]. }
    split; [exact Q1 |]. split; [| auto]. unfold keeps. rewrite N4, N5, N6. repeat split; auto. unfold total in half |- *. lia.
  Qed.

  Lemma loop : (forall t, (t <= K + 1)%nat -> net "phase_q" (first + t)%nat = 1 /\ net "count_q" (first + t)%nat = Z.of_nat t /\ keeps (first + t)%nat) /\
    net "phase_q" converts = 2 /\ net "count_q" converts = 0 /\ net "carry_q" converts = 0.
  Proof.
    destruct (H_accept c idle request) as (A1 & A2 & _ & A4 & A5 & A6 & A7 & A8). destruct small as (N & _).
    assert (G : forall t, (t <= K + 1)%nat -> net "phase_q" (first + t)%nat = 1 /\ net "count_q" (first + t)%nat = Z.of_nat t /\ keeps (first + t)%nat).
    { induction t; intros L; [rewrite Nat.add_0_r; unfold keeps, total, first; rewrite A6, A7; repeat split; auto; lia |].
      destruct (IHt ltac:(lia)) as (P & C & H). rewrite Nat.add_succ_r. destruct (H_count _ P ltac:(unfold W; lia)) as [-> ->].
      destruct (step_at _ P H) as (_ & H' & _). split; [reflexivity |]. split; [lia | exact H']. }
    split; [exact G |]. destruct (G (K + 1)%nat ltac:(lia)) as (P & C & H). unfold converts. replace (first + (K + 2))%nat with (S (first + (K + 1)))%nat by lia.
    destruct (H_end _ P ltac:(unfold W; lia)) as [E1 E2]. destruct (step_at _ P H) as (_ & (_ & _ & E3 & _) & _). auto.
  Qed.

  Lemma result : 0 <= total converts < 2 * n /\ montgomery n (pw 2 (K + 2)) a b (total converts).
  Proof.
    destruct (H_accept c idle request) as (_ & _ & A3 & _ & _ & A6 & A7 & _). destruct small as (N & A & B). destruct loop as [L _].
    apply (long_loop n a b K (fun t => total (first + t)) (fun t => net "a_q" (first + t)%nat) (fun t => net "quotient_bit" (first + t)%nat));
      [lia | rewrite pw_Z; apply N | lia | lia | unfold total; rewrite Nat.add_0_r; unfold first; lia | rewrite Nat.add_0_r; exact A3 | |];
      intros t T; destruct (L t ltac:(lia)) as (P & _ & H); destruct (step_at _ P H) as (Q & _ & E1 & E2); rewrite Nat.add_succ_r; auto.
  Qed.

  Lemma conversion : (forall i, (i < m)%nat -> net "phase_q" (converts + i)%nat = 2 /\ net "s_q" (converts + i)%nat < 2 ^ (Z.of_nat m * digit)) /\
    net "phase_q" done = 3.
  Proof.
    destruct loop as (_ & P0 & C0 & _). destruct result as [R _]. destruct small as (N & _). destruct powers as (P1 & _ & _ & _ & P4).
    destruct digit_size as (E & M & _). destruct (pair_least converts) as [S0 S1]. unfold total in R.
    assert (G : forall i, (i < m)%nat -> net "phase_q" (converts + i)%nat = 2 /\ net "count_q" (converts + i)%nat = Z.of_nat i /\
      net "s_q" (converts + i)%nat < 2 ^ (Z.of_nat m * digit)).
    { induction i; intros L; [rewrite Nat.add_0_r; repeat split; auto; lia |]. destruct (IHi ltac:(lia)) as (P & C & B). rewrite Nat.add_succ_r.
      destruct (H_digits _ P ltac:(rewrite E; lia)) as [D1 D2]. rewrite E in D1, D2.
      destruct (Z.eqb_spec (net "count_q" (converts + i)%nat) (Z.of_nat m - 1)); [lia |].
      destruct (H_convert _ P ltac:(rewrite E; exact B)) as (_ & _ & _ & B'). rewrite E in B'. repeat split; [exact D1 | lia | exact B']. }
    split; [intros i L; destruct (G i L) as (P & _ & B); auto |]. destruct (G (m - 1)%nat ltac:(lia)) as (P & C & _). unfold done.
    replace (converts + m)%nat with (S (converts + (m - 1)))%nat by lia. destruct (H_digits _ P ltac:(rewrite E; lia)) as [D1 _]. rewrite E in D1. rewrite D1.
    destruct (Z.eqb_spec (net "count_q" (converts + (m - 1))%nat) (Z.of_nat m - 1)); [reflexivity | lia].
  Qed.

  Lemma whole : net "s_q" done = total converts.
  Proof.
    destruct result as [R _]. destruct loop as (_ & _ & _ & C0). destruct conversion as [G _]. destruct small as (N & _). destruct powers as (P1 & _ & _ & _ & P4).
    destruct digit_size as (E & M & _). destruct (pair_least converts) as [S0 S1]. destruct (pair_least done) as [S2 _].
    assert (least : 0 <= net "carry_q" done) by in_range H_ranges done. unfold total in *.
    pose proof (sum_that_fits digit m (fun i => net "s_q" (converts + i)%nat) (fun i => net "c_q" (converts + i)%nat)
      (fun i => net "sum_digit" (converts + i)%nat mod 2 ^ digit) (fun i => net "carry_q" (converts + i)%nat) (fun i => net "s_q" (converts + i)%nat) (proj2 wide)) as F.
    cbv beta zeta in F. rewrite Nat.add_0_r in F. fold done in F.
    apply F; clear F; [lia | lia | lia | exact S2 | exact least | exact C0 | lia | | right; reflexivity | |];
      intros i L; destruct (G i L) as [P B]; destruct (H_convert _ P ltac:(rewrite E; exact B)) as (X1 & X2 & X3 & _); rewrite ?Nat.add_succ_r.
    - rewrite X1, E. reflexivity.
    - exact X2.
    - rewrite X3, <- (H_digit (converts + i)%nat), Z.add_comm, <- Z.div_mod; [reflexivity | apply Z.pow_nonzero; lia].
  Qed.

  Lemma response : let t := (c + (K + 3 + m))%nat in net "phase_q" t = 3 /\ (forall i, (c < i < t)%nat -> net "phase_q" i <> 3) /\
    0 <= net "p_o" t < 2 * n /\ (net "p_o" t * 2 ^ (W + 2)) mod n = (a * b) mod n.
  Proof.
    intros t. replace t with done by (unfold t, done, converts, first; lia). destruct result as [R M]. destruct small as (N & _). destruct powers as (P1 & _).
    split; [apply conversion |]. split.
    - intros i L. destruct (Nat.lt_ge_cases i converts) as [H | H].
      + destruct (proj1 loop (i - first)%nat ltac:(unfold converts, first in *; lia)) as (E & _). replace (first + (i - first))%nat with i in E by (unfold first; lia). lia.
      + destruct (proj1 conversion (i - converts)%nat ltac:(unfold done in *; lia)) as (E & _). replace (converts + (i - converts))%nat with i in E by lia. lia.
    - rewrite H_answer, whole, Z.mod_small by lia. split; [exact R |]. apply montgomery_mod.
      replace (2 ^ (W + 2)) with (pw 2 (K + 2)); [exact M |]. rewrite pw_Z. f_equal. unfold W. lia.
  Qed.
  End Request.

  Theorem contract : multiplier net (net "a_i") (net "b_i") (net "n_i") (net "p_o") (K + 3 + m) (K + 3 + m) (2 ^ (W + 2))
    (fun c => net "n_i" c mod 2 = 1) (fun n x => 0 <= x < 2 * n) (fun n p => 0 <= p < 2 * n).
  Proof.
    apply (serves _ _ _ _ _ _ _ _ _ _ _ (net "phase_q") 0 3 (fun _ => True)); [exact H_ready | |].
    - intros c I V odd [_ a_range] [_ b_range]. exists (K + 3 + m)%nat. destruct (response c I V odd a_range b_range) as (P & B & R & M).
      split; [lia |]. auto.
    - intros t D _ T. destruct (H_hold t D T) as [D' S']. rewrite !H_answer, S'. auto.
  Qed.
End Chain.
