(* SPDX-License-Identifier: Apache-2.0 *)
(* mf_unit_csa from the nets of the RTL to the contract, for every width and group; one text for all digits and delays. The hypotheses are the
   lemmas that montforge prints into unit_csa_lemmas.v, for the Booth terms and delay of a design, and proves on the RTL. Cycle 0 of the RTL's header is `first`. *)
From Coq Require Import ZArith Lia String.
Require Import DigitRecurrence Instances WordSerial Contract Control Bits Blocks BoothRows Groups LateQuotient Scaled unit_csa_lemmas.
Open Scope string_scope. Open Scope Z_scope.
Set Default Proof Using "All".

Lemma part_zero : forall low w, part 0 low w = 0.
Proof. intros. unfold part. rewrite Zdiv_0_l. apply Zmod_0_l. Qed.

Section Chain.
  Variables (K : nat) (digit delay group : Z) (net : trace) (n_of : nat -> Z).
  Let W := Z.of_nat K.
  Hypotheses (sizes : 3 <= W /\ 5 <= digit /\ 2 <= delay <= 3 /\ 1 <= group /\ 2 * digit <= digit * delay) (H_ranges : ranges W digit delay group net)
    (H_ready : ready W digit delay group net) (H_selects : selects W digit delay group net) (H_valid : valid_digits W digit delay group net)
    (H_at_reset : at_reset W digit delay group net) (H_accept : accept W digit delay group net) (H_count : count W digit delay group net)
    (H_count_end : count_end W digit delay group net) (H_converts : converts W digit delay group net)
    (H_converted : converted W digit delay group net) (H_wait : wait W digit delay group net) (H_keep : keep W digit delay group net)
    (H_shift_a : shift_a W digit delay group net) (H_first_digit : first_digit W digit delay group net)
    (H_other_digits : other_digits W digit delay group net) (H_a_terms : a_terms W digit delay group net)
    (H_first_terms : first_terms W digit delay group net) (H_a_transfer : a_transfer W digit delay group net)
    (H_quotient_digit : quotient_digit W digit delay group net) (H_quotient_terms : quotient_terms W digit delay group net)
    (H_quotient_transfer : quotient_transfer W digit delay group net) (H_a_multiples : a_multiples W digit delay group net)
    (H_product_rows : product_rows W digit delay group net) (H_product : product W digit delay group net)
    (H_quotient_multiples : quotient_multiples W digit delay group net) (H_quotient_rows : quotient_rows W digit delay group net)
    (H_quotient_product : quotient_product W digit delay group net) (H_rows : rows W digit delay group net) (H_pair : pair W digit delay group net)
    (H_accumulate : accumulate W digit delay group net) (H_sums : sums W digit delay group net)
    (H_look_ahead : look_ahead W digit delay group net) (H_no_carries : no_carries W digit delay group net)
    (H_increments : increments W digit delay group net) (H_rests : rests W digit delay group net) (H_answer : answer W digit delay group net).

  Local Notation phase := (net "u_core.phase_q"). Local Notation left := (net "u_core.left_q").
  Local Notation idle := (net "u_core.idle_q"). Local Notation clear := (net "u_core.clear_q"). Local Notation shift := (net "u_core.shift_q").
  Local Notation start := (net "u_core.start_q"). Local Notation transfer := (net "u_core.transfer_q").
  Local Notation started := (net "u_core.u_convert.started_q"). Local Notation carries := (net "u_core.u_convert.carries").
  Local Notation a_q := (net "u_core.a_q"). Local Notation b_q := (net "u_core.b_q"). Local Notation modulus_q := (net "u_core.modulus_q").
  Local Notation s_q := (net "u_core.s_q"). Local Notation c_q := (net "u_core.c_q"). Local Notation carry_q := (net "u_core.carry_q").
  Local Notation d_q := (net "u_core.d_q"). Local Notation q_q := (net "u_core.q_q"). Local Notation u_transfer := (net "u_core.u_transfer_q").
  Local Notation inputs := (net "u_core.u_accumulator.u_tree.rows_i"). Local Notation outputs := (net "u_core.u_accumulator.u_tree.rows_o").
  Local Notation singles := (net "u_core.u_accumulator.u_tree.bits_i").
  Local Notation product_inputs := (net "u_core.u_accumulator.u_p.gen_tree.u_tree.rows_i").
  Local Notation product_outputs := (net "u_core.u_accumulator.u_p.gen_tree.u_tree.rows_o").
  Local Notation quotient_inputs := (net "u_core.u_accumulator.gen_product.u_q.gen_tree.u_tree.rows_i").
  Local Notation quotient_outputs := (net "u_core.u_accumulator.gen_product.u_q.gen_tree.u_tree.rows_o").

  Let r := 2 ^ digit.
  Let h := 2 ^ (digit - 1).
  Let Operand := W + digit * delay.
  Let State := W + digit * delay + digit + 1.
  Let Terms := Z.to_nat ((digit + 1) / 2).
  Let D1 := Z.to_nat (delay - 1).
  Let N := Z.to_nat ((W + digit * delay + digit - 1) / digit).                               (* digits *)
  Let Vectors := if delay =? 2 then Terms else 2%nat.                                       (* of the quotient in the tree *)
  Let from (t : nat) : nat := if delay =? 2 then S t else t.                                (* the cycle of the digit that they have *)
  Let T := (D1 + S N)%nat.                                                                  (* the last cycle of the loop *)

  Lemma radix : r = 2 * h /\ 16 <= h.
  Proof. unfold r, h. split; [apply half; lia |]. change 16 with (2 ^ 4). apply Z.pow_le_mono_r; lia. Qed.

  Lemma numbers : (W + digit * delay + digit - 1) / digit = Z.of_nat N /\ Operand <= Z.of_nat N * digit /\ (D1 + 1 < N)%nat /\ delay = Z.of_nat D1 + 1 /\ (1 <= D1)%nat.
  Proof.
    destruct (word_count digit Operand ltac:(lia) ltac:(unfold Operand; lia)) as (E & _ & B). fold N in E, B. split; [exact E |]. split; [exact B |].
    assert (delay = Z.of_nat D1 + 1) by (unfold D1; lia). repeat split; try lia. unfold Operand in B. nia.
  Qed.

  Lemma state_bits : 1 <= digit /\ digit + 2 <= State.
  Proof. unfold State. lia. Qed.

  Lemma terms_number : (digit + 1) / 2 = Z.of_nat Terms /\ (3 <= Terms)%nat /\ digit <= 2 * Z.of_nat Terms <= digit + 1.
  Proof.
    pose proof (Z.div_mod (digit + 1) 2 ltac:(lia)). pose proof (Z.mod_pos_bound (digit + 1) 2 ltac:(lia)). unfold Terms. set (k := (digit + 1) / 2) in *.
    rewrite Z2Nat.id by lia. repeat split; lia.
  Qed.

  (* ---------------------------------------------------------------- sums *)
  Let once (x : Z) (j : nat) : Z := part x (3 * Z.of_nat j + 2) 1.
  Let twice (x : Z) (j : nat) : Z := part x (3 * Z.of_nat j + 1) 1.
  Let negative (x : Z) (j : nat) : Z := part x (3 * Z.of_nat j + 0) 1.
  Let number (x : Z) : Z := digits 4 (fun j => (once x j + 2 * twice x j) * (1 - 2 * negative x j)) Terms.
  Let legal (x : Z) : Prop := forall j, (j < Terms)%nat -> once x j + twice x j <= 1 /\ (1 <= once x j + twice x j \/ negative x j = 0).
  Let place (x : Z) (i : nat) : Z := part x (Z.of_nat i * State) State.
  Let single (x : Z) (i : nat) : Z := part x (Z.of_nat i) 1.

  Lemma legal_terms : forall x, legal x -> forall j, (j < Terms)%nat ->
    0 <= once x j <= 1 /\ 0 <= twice x j <= 1 /\ 0 <= negative x j <= 1 /\ once x j + twice x j <= 1 /\ (1 <= once x j + twice x j \/ negative x j = 0).
  Proof. intros x L j J. destruct (L j J). repeat split; try apply bit_range; assumption. Qed.

  Ltac apart := match goal with T : Terms = _ |- _ => clear - T | _ => clear end; lia.
  Ltac same_place := unfold place, State; do 2 f_equal; apart.
  Ltac same_bit := unfold single, negative; f_equal; apart.
  Ltac range t := let R := fresh in pose proof (H_ranges t) as R; repeat first [exact R | exact (proj1 R) | apply proj2 in R].

  (* The first tactic proves a design with delay = 2, the second one that with 3. *)
  Ltac by_delay two three := let X := fresh "X" in pose proof (H_quotient_product O) as X; lazymatch type of X with delay = 2 => two | _ => destruct X as [X _]; three end.
  Ltac by_vectors := by_delay
    ltac:(assert (EV : Vectors = Terms) by (unfold Vectors; match goal with X : delay = 2 |- _ => rewrite X end; reflexivity))
    ltac:(assert (EV : Vectors = 2%nat) by (unfold Vectors; match goal with X : delay = 3 |- _ => rewrite X end; reflexivity)).

  (* The number of terms for which the lemmas are printed. *)
  Ltac fixed_terms := let E := fresh in let F := fresh in destruct (H_product_rows O) as (E & _); destruct terms_number as (F & _);
    match type of E with _ = ?k => let n := eval vm_compute in (Z.to_nat k) in assert (TN : Terms = n) by (clear - E F; lia) end; clear E F.

  (* A tree from its rows R: its outputs are the sum of its inputs and bits. *)
  Ltac by_tree R := unfold place, negative, single, State; cbn [total Nat.add Nat.sub];
    repeat match goal with |- context [Z.of_nat ?k] => let z := eval vm_compute in (Z.of_nat k) in lazymatch z with Z0 => change (Z.of_nat k) with z | Zpos _ => change (Z.of_nat k) with z end end;
    repeat match goal with |- context [3 * ?k + 0] => let z := eval vm_compute in (3 * k + 0) in lazymatch z with Z0 => change (3 * k + 0) with z | Zpos _ => change (3 * k + 0) with z end end;
    decompose [and] R; clear R; rows_divide (W + digit * delay + digit + 1); by_sum.

  Lemma product_reduced : forall t,
    (2 ^ State | place (product_outputs t) 0 + place (product_outputs t) 1 - (total (place (product_inputs t)) Terms + total (negative (d_q t)) (Terms - 2))).
  Proof. intros t. fixed_terms. destruct (H_product_rows t) as (_ & R). rewrite TN. by_tree R. Qed.

  Lemma pair_reduced : forall t,
    (2 ^ State | place (outputs t) 0 + place (outputs t) 1 - (total (place (inputs t)) (4 + Vectors) + total (single (singles t)) (Vectors + 2))).
  Proof. intros t. fixed_terms. by_vectors. pose proof (H_rows t) as R. rewrite EV, ?TN. by_tree R. Qed.

  Lemma product_sum : forall t, legal (d_q t) ->
    (2 ^ State | place (inputs (S t)) 2 + place (inputs (S t)) 3 + single (singles (S t)) Vectors + single (singles (S t)) (Vectors + 1) -
      number (d_q t) * two Operand (b_q t)).
  Proof.
    intros t L. destruct terms_number as (ET & T3 & TD). destruct (H_product t) as (P1 & P2 & P3 & P4). fixed_terms.
    assert (B : 0 <= b_q t < 2 ^ Operand) by (unfold Operand; range t). by_vectors. rewrite EV.
    assert (Q1 : place (inputs (S t)) 2 = place (product_outputs t) 0) by (etransitivity; [exact P1 | same_place]).
    assert (Q2 : place (inputs (S t)) 3 = place (product_outputs t) 1) by (etransitivity; [exact P2 | same_place]).
    match goal with |- (_ | _ + single ?x ?i + single ?x ?k - _) =>
      assert (Q3 : single x i = negative (d_q t) (Terms - 2)) by (etransitivity; [etransitivity; [| exact P3] |]; same_bit);
      assert (Q4 : single x k = negative (d_q t) (Terms - 1)) by (etransitivity; [etransitivity; [| exact P4] |]; same_bit) end.
    rewrite Q1, Q2, Q3, Q4. apply (product_tree (2 ^ State) Terms (place (product_inputs t))); [lia | apply product_reduced |].
    apply (rows_sum State Operand (two Operand (b_q t)) Terms (place (product_inputs t)) (once (d_q t)) (twice (d_q t)) (negative (d_q t))
      ltac:(unfold State, Operand; lia) (two_range Operand _ ltac:(unfold Operand; lia) B) (legal_terms _ L)).
    - pose proof (H_a_multiples t 0 ltac:(lia)) as E. rewrite ET in E. exact E.
    - intros j J. pose proof (H_a_multiples t (Z.of_nat j) ltac:(lia)) as E. destruct (Z.eqb_spec (Z.of_nat j) 0); [lia | exact E].
  Qed.

  Lemma sum_of : forall t, legal (q_q (from t)) ->
    (2 ^ State | place (outputs (S t)) 0 + place (outputs (S t)) 1 - (place (inputs (S t)) 0 + place (inputs (S t)) 1 +
      place (inputs (S t)) 2 + place (inputs (S t)) 3 + single (singles (S t)) Vectors + single (singles (S t)) (Vectors + 1) +
      number (q_q (from t)) * two W (modulus_q (from t)))).
  Proof.
    intros t L. destruct terms_number as (ET & T3 & TD). assert (B : forall i, 0 <= modulus_q i < 2 ^ W) by (intros i; range i).
    pose proof (fun f => rows_sum State W (two W (modulus_q (from t))) Terms f (once (q_q (from t))) (twice (q_q (from t))) (negative (q_q (from t)))
      ltac:(unfold State; lia) (two_range W _ ltac:(lia) (B _)) (legal_terms _ L)) as C. fold (number (q_q (from t))) in C.
    pose proof (pair_reduced (S t)) as A. rewrite total_split in A. fixed_terms. by_vectors. rewrite EV in *.
    by_delay
      ltac:(idtac; match goal with X : delay = 2 |- _ => assert (EF : from t = S t) by (unfold from; rewrite X; reflexivity) end)
      ltac:(idtac; match goal with X : delay = 3 |- _ => assert (EF : from t = t) by (unfold from; rewrite X; reflexivity) end).
    rewrite EF in *. by_delay
      ltac:(
        specialize (C (fun i => place (inputs (S t)) (4 + i)));
        assert (C' : (2 ^ State | total (fun i => place (inputs (S t)) (4 + i)) Terms + total (negative (q_q (S t))) Terms - number (q_q (S t)) * two W (modulus_q (S t))));
        [apply C; clear A C; [destruct (H_quotient_multiples (S t) 0 ltac:(lia)) as [E _]; rewrite ET in E; exact E |
          intros j J; destruct (H_quotient_multiples (S t) (Z.of_nat j) ltac:(lia)) as [E _]; destruct (Z.eqb_spec (Z.of_nat j) 0); [lia |];
          etransitivity; [| exact E]; same_place] |];
        clear C; assert (E : total (single (singles (S t))) (Terms + 2) = total (negative (q_q (S t))) Terms + single (singles (S t)) Terms + single (singles (S t)) (Terms + 1));
        [replace (Terms + 2)%nat with (S (S Terms)) by lia; cbn [total]; f_equal; [f_equal | f_equal; lia]; apply total_ext; intros i I;
          destruct (H_quotient_multiples (S t) (Z.of_nat i) ltac:(lia)) as [_ Q]; etransitivity; [exact Q |]; same_bit |];
        rewrite E in A; change (total (place (inputs (S t))) 4) with (0 + place (inputs (S t)) 0 + place (inputs (S t)) 1 + place (inputs (S t)) 2 + place (inputs (S t)) 3) in A;
        clear - A C'; by_sum)
      ltac:(
        destruct (H_quotient_product t) as (_ & P1 & P2 & P3 & P4); specialize (C (place (quotient_inputs t)));
        assert (Q1 : place (inputs (S t)) 4 = place (quotient_outputs t) 0) by (etransitivity; [exact P1 | same_place]);
        assert (Q2 : place (inputs (S t)) 5 = place (quotient_outputs t) 1) by (etransitivity; [exact P2 | same_place]);
        assert (Q3 : single (singles (S t)) 0 = negative (q_q t) (Terms - 2)) by (etransitivity; [exact P3 | same_bit]);
        assert (Q4 : single (singles (S t)) 1 = negative (q_q t) (Terms - 1)) by (etransitivity; [exact P4 | same_bit]);
        assert (A' : (2 ^ State | place (quotient_outputs t) 0 + place (quotient_outputs t) 1 - (total (place (quotient_inputs t)) Terms + total (negative (q_q t)) (Terms - 2))));
        [destruct (H_quotient_rows t) as (_ & R); rewrite TN; clear A C; by_tree R |];
        assert (C' : (2 ^ State | place (quotient_outputs t) 0 + place (quotient_outputs t) 1 + negative (q_q t) (Terms - 2) +
          negative (q_q t) (Terms - 1) - number (q_q t) * two W (modulus_q t)));
        [apply (product_tree (2 ^ State) Terms (place (quotient_inputs t))); [lia | exact A' |];
          apply C; [pose proof (H_quotient_multiples t 0 ltac:(lia)) as E; rewrite ET in E; exact E |
            intros j J; pose proof (H_quotient_multiples t (Z.of_nat j) ltac:(lia)) as E; destruct (Z.eqb_spec (Z.of_nat j) 0); [lia | exact E]] |];
        cbn [total Nat.add] in A |- *; rewrite <- Q1, <- Q2, <- Q3, <- Q4 in C'; clear - A C'; by_sum).
  Qed.

  (* The terms of a register as a digit, or none. *)
  Lemma terms_of : forall x valid y below, 0 <= y < r -> 0 <= below <= 1 ->
    (forall j, 0 <= j < (digit + 1) / 2 ->
      (part x (3 * j + 2) 1 + 2 * part x (3 * j + 1) 1) * (1 - 2 * part x (3 * j + 0) 1) =
        (if valid =? 1 then booth_term (((2 * two digit y + below) / 2 ^ (2 * j)) mod 8) else 0) /\
      part x (3 * j + 2) 1 + part x (3 * j + 1) 1 <= 1 /\ (1 <= part x (3 * j + 2) 1 + part x (3 * j + 1) 1 \/ part x (3 * j + 0) 1 = 0)) ->
    legal x /\ number x = (if valid =? 1 then y + below - r * part y (digit - 1) 1 else 0) /\ (valid <> 1 -> negative x (Terms - 1) = 0).
  Proof.
    intros x valid y below Y B H. destruct terms_number as (ET & T3 & TD). rewrite ET in H. split; [| split].
    - intros j J. destruct (H (Z.of_nat j) ltac:(lia)) as (_ & G). exact G.
    - unfold number. destruct (Z.eqb_spec valid 1).
      + replace (y + below - r * part y (digit - 1) 1) with (two digit y + below) by (rewrite (two_by_top digit y) by (try exact Y; lia); unfold r; ring).
        apply booth_digit; [lia | exact Y | exact B |]. intros j J. destruct (H (Z.of_nat j) ltac:(lia)) as (E & _). exact E.
      + apply digits_zero. intros j J. destruct (H (Z.of_nat j) ltac:(lia)) as (E & _). exact E.
    - intros V. destruct (H (Z.of_nat (Terms - 1)) ltac:(lia)) as (E & _ & [F | F]); [| exact F].
      destruct (Z.eqb_spec valid 1); [contradiction |]. pose proof (bit_range x (3 * Z.of_nat (Terms - 1) + 0)) as G.
      pose proof (bit_range x (3 * Z.of_nat (Terms - 1) + 1)). pose proof (bit_range x (3 * Z.of_nat (Terms - 1) + 2)).
      unfold negative. apply Z.mul_eq_0 in E. lia.
  Qed.

  Lemma bits_of : forall t, 0 <= net "u_core.u" t < r /\ 0 <= net "u_core.digit" t < r /\ 0 <= s_q t < 2 ^ State /\ 0 <= c_q t < 2 ^ State /\
    0 <= carry_q t <= 1 /\ 0 <= net "u_core.carry" t <= 1 /\ 0 <= u_transfer t <= 1 /\ 0 <= net "u_core.digit_transfer_q" t <= 1.
  Proof.
    intros t. assert (0 <= carry_q t < 2 ^ 1) by range t. assert (0 <= net "u_core.carry" t < 2 ^ 1) by range t.
    assert (0 <= u_transfer t < 2 ^ 1) by range t. assert (0 <= net "u_core.digit_transfer_q" t < 2 ^ 1) by range t.
    change (2 ^ 1) with 2 in *. unfold r, State. split; [range t |]. split; [range t |]. split; [range t |]. split; [range t |]. lia.
  Qed.

  Lemma quotient_is : forall t, legal (q_q (S t)) /\
    number (q_q (S t)) = if net "u_core.q_valid_q" t =? 1 then net "u_core.u" t + u_transfer t - r * u_transfer (S t) else 0.
  Proof.
    intros t. destruct (bits_of t) as (U & _ & _ & _ & _ & _ & C & _). destruct (H_quotient_transfer t) as [-> _].
    destruct (terms_of _ (net "u_core.q_valid_q" t) _ _ U C (H_quotient_terms t)) as (L & E & _). split; assumption.
  Qed.

  (* ---------------------------------------------------------------- control *)
  Lemma idle_is : forall t, idle t = if phase t =? 0 then 1 else 0.
  Proof. intros [| t]; [destruct (H_at_reset O eq_refl) as (-> & -> & _); reflexivity | apply H_selects]. Qed.

  Lemma shift_is : forall t, shift t = if phase t =? 1 then 1 else 0.
  Proof. intros [| t]; [destruct (H_at_reset O eq_refl) as (-> & _ & _ & -> & _); reflexivity | apply H_selects]. Qed.

  Lemma no_start : forall t, phase t <> 3 -> start t = 0.
  Proof.
    intros [| t] P; [apply (H_at_reset O eq_refl) |]. destruct (H_selects t) as (_ & _ & _ & -> & _).
    destruct (Z.eqb_spec (phase t) 1) as [E |]; [| reflexivity]. destruct (Z.eqb_spec (left t) 0) as [F |]; [| reflexivity].
    destruct (H_count_end t E F). contradiction.
  Qed.

  Section Request.
  (* A request is accepted in cycle c. *)
  Variables (c : nat).
  Let n := n_of c. Let a := two Operand (net "a_i" c). Let b := two Operand (net "b_i" c). Let nbar := two W (net "n_scaled_i" c).
  Hypotheses (begins : phase c = 0) (request : net "req_valid_i" c = 1) (odd : n mod 2 = 1) (least : 3 <= n) (most : n < 2 ^ W)
    (constant : scaled (digit * delay) n nbar)
    (a_range : - (2 ^ (digit * delay) * n) < 2 * a < 2 ^ (digit * delay) * n) (b_range : - (2 ^ (digit * delay) * n) < 2 * b < 2 ^ (digit * delay) * n).
  Let first := S c.

  Lemma loop_state : forall t, (t <= T)%nat -> phase (first + t)%nat = 1 /\ left (first + t)%nat = Z.of_nat (T - t) /\
    b_q (first + t)%nat = net "b_i" c /\ modulus_q (first + t)%nat = net "n_scaled_i" c.
  Proof.
    destruct numbers as (EN & _ & _ & ED & _). induction t; intros L.
    - rewrite Nat.add_0_r. destruct (H_accept c begins request) as (A1 & A2 & _ & A4 & A5); [rewrite idle_is, begins; reflexivity | rewrite shift_is, begins; reflexivity |
        apply no_start; rewrite begins; discriminate |]. rewrite EN in A2. unfold first. rewrite A1, A2, A4, A5. repeat split. unfold T. lia.
    - destruct (IHt ltac:(lia)) as (I1 & I2 & I3 & I4). rewrite Nat.add_succ_r. destruct (H_count _ I1 ltac:(lia)) as [C1 C2].
      destruct (H_keep (first + t)%nat) as [K1 K2]; [rewrite idle_is, I1; reflexivity |]. rewrite C1, C2, K1, K2. repeat split; try assumption. lia.
  Qed.

  Lemma clear_at : clear c = 1 /\ clear first = 1 /\ forall t, (t < T)%nat -> clear (first + S t)%nat = 0.
  Proof.
    split; [| split].
    - destruct c as [| t]; [apply (H_at_reset O eq_refl) |]. destruct (H_selects t) as (_ & -> & _). rewrite begins. destruct (idle t =? 1); reflexivity.
    - destruct (H_selects c) as (_ & E & _). unfold first. rewrite E, idle_is, begins. reflexivity.
    - intros t L. rewrite Nat.add_succ_r. destruct (H_selects (first + t)%nat) as (_ & -> & _). rewrite idle_is. destruct (loop_state t ltac:(lia)) as (-> & _).
      destruct (loop_state (S t) ltac:(lia)) as (P & _). rewrite Nat.add_succ_r in P. rewrite P. reflexivity.
  Qed.

  Lemma empty : s_q first = 0 /\ c_q first = 0 /\ carry_q first = 0 /\ s_q (S first) = 0 /\ c_q (S first) = 0 /\ carry_q (S first) = 0.
  Proof.
    destruct clear_at as (C1 & C2 & _). destruct (H_accumulate c) as (A1 & A2 & _). destruct (H_accumulate first) as (B1 & B2 & _).
    destruct (H_quotient_transfer c) as [_ D1']. destruct (H_quotient_transfer first) as [_ D2]. fold first in A1, A2, D1'.
    rewrite A1, A2, B1, B2, D1', D2, C1, C2. repeat split; reflexivity.
  Qed.

  Lemma valid_at : net "u_core.q_valid_q" first = 0 /\ transfer first = 0 /\ forall t, (t < T)%nat ->
    net "u_core.q_valid_q" (first + S t)%nat = (if Nat.leb t N then 1 else 0) /\ transfer (first + S t)%nat = (if Nat.eqb t (S N) then u_transfer (first + S t)%nat else 0).
  Proof.
    destruct numbers as (_ & _ & _ & ED & _). split; [| split].
    - destruct (H_valid c) as (_ & E & _). unfold first. rewrite E, begins. reflexivity.
    - destruct (H_valid c) as (_ & _ & E). unfold first. rewrite E, begins. reflexivity.
    - intros t L. destruct (loop_state t ltac:(lia)) as (P & Q & _). destruct (loop_state (S t) ltac:(lia)) as (_ & R & _). rewrite Nat.add_succ_r in *.
      destruct (H_valid (first + t)%nat) as (_ & -> & ->). rewrite P, Q, R. change (1 =? 1) with true. cbv iota. unfold T in *.
      destruct (Z.ltb_spec 0 (Z.of_nat (D1 + S N - t))); [| lia].
      split; [destruct (Nat.leb_spec t N), (Z.ltb_spec (delay - 2) (Z.of_nat (D1 + S N - S t))) |
        destruct (Nat.eqb_spec t (S N)), (Z.eqb_spec (Z.of_nat (D1 + S N - S t)) (delay - 2))]; lia.
  Qed.

  Lemma d_valid_at : net "u_core.d_valid_q" c = 1 /\ forall t, (t <= T)%nat -> net "u_core.d_valid_q" (first + t)%nat = if Nat.ltb (S t) N then 1 else 0.
  Proof.
    destruct numbers as (_ & _ & _ & ED & _). split.
    - destruct c as [| t]; [apply (H_at_reset O eq_refl) |]. destruct (H_valid t) as (-> & _). rewrite begins. reflexivity.
    - intros t L. destruct (loop_state t L) as (P & Q & _). change (first + t)%nat with (S (c + t)) in *. destruct (H_valid (c + t)%nat) as (-> & _). rewrite P, Q.
      change (1 =? 0) with false. change (1 =? 1) with true. cbv iota. unfold T.
      destruct (Nat.ltb_spec (S t) N), (Z.ltb_spec (delay + 1) (Z.of_nat (D1 + S N - t))); lia.
  Qed.

  (* ---------------------------------------------------------------- the digits of a *)
  Let below (t : nat) : Z := match t with O => 0 | S i => net "u_core.digit_transfer_q" (first + i)%nat end.
  Let d (t : nat) : Z := if Nat.ltb t N then net "u_core.digit" (c + t)%nat + below t - r * below (S t) else 0.

  Lemma below_range : forall t, 0 <= below t <= 1.
  Proof. intros [| t]; cbn [below]; [lia | apply bits_of]. Qed.

  Lemma below_is : forall t, below (S t) = part (net "u_core.digit" (c + t)%nat) (digit - 1) 1.
  Proof. intros t. cbn [below]. apply (H_a_transfer (c + t)%nat). Qed.

  Lemma digit_register : forall t, (t <= T)%nat -> legal (d_q (first + t)%nat) /\ number (d_q (first + t)%nat) = d t /\
    ((N <= t)%nat -> negative (d_q (first + t)%nat) (Terms - 1) = 0).
  Proof.
    intros t L. destruct d_valid_at as [V0 V]. destruct (bits_of (c + t)%nat) as (_ & U & _).
    assert (E : exists valid, valid = (if Nat.ltb t N then 1 else 0) /\ legal (d_q (first + t)%nat) /\
      number (d_q (first + t)%nat) = (if valid =? 1 then net "u_core.digit" (c + t)%nat + below t - r * part (net "u_core.digit" (c + t)%nat) (digit - 1) 1 else 0) /\
      (valid <> 1 -> negative (d_q (first + t)%nat) (Terms - 1) = 0)).
    { destruct t as [| i].
      - exists 1. destruct numbers as (_ & _ & NB & _). destruct (Nat.ltb_spec 0 N); [| lia]. split; [reflexivity |]. rewrite !Nat.add_0_r in *. cbn [below].
        apply (terms_of _ 1 _ 0 U ltac:(lia)). intros j J. pose proof (H_first_terms c j J ltac:(rewrite idle_is, begins; reflexivity) V0) as F. rewrite V0 in F. exact F.
      - exists (net "u_core.d_valid_q" (first + i)%nat). specialize (V i ltac:(lia)). split; [exact V |]. rewrite !Nat.add_succ_r in *. cbn [below].
        change (S (c + i)) with (first + i)%nat in *. apply terms_of; [exact U | apply bits_of |]. intros j J. apply (H_a_terms (first + i)%nat j J).
        left. rewrite idle_is. destruct (loop_state i ltac:(lia)) as (-> & _). reflexivity. }
    destruct E as (valid & Ev & E1 & E2 & E3). split; [exact E1 |]. unfold d. rewrite below_is. split.
    - rewrite E2, Ev. destruct (Nat.ltb t N); reflexivity.
    - intros G. apply E3. rewrite Ev. destruct (Nat.ltb_spec t N); lia.
  Qed.

  Lemma digit_at : forall t, (t < N)%nat -> net "u_core.digit" (c + t)%nat = (a / pw r t) mod r.
  Proof.
    destruct radix as [_ Hh]. destruct numbers as (EN & B & NB & _ & _). assert (R1 : 1 < r) by (destruct radix; lia).
    assert (full : 2 ^ (Z.of_nat N * digit) = pw r N) by (unfold r; rewrite pw_words by lia; reflexivity).
    assert (A0 : a_q first = (a / r) mod pw r N).
    { destruct (H_accept c begins request) as (_ & _ & A & _); [rewrite idle_is, begins; reflexivity | rewrite shift_is, begins; reflexivity |
        apply no_start; rewrite begins; discriminate |]. rewrite EN in A. rewrite <- full. exact A. }
    assert (moves : forall i, (i < N)%nat -> a_q (first + S i)%nat = a_q (first + i)%nat / r + pw r (N - 1) * net "u_core.u" (first + i)%nat).
    { intros i L. destruct (loop_state i ltac:(unfold T; lia)) as (P & _). rewrite Nat.add_succ_r, H_shift_a;
        [| rewrite idle_is, P; reflexivity | rewrite shift_is, P; reflexivity | apply no_start; rewrite P; discriminate].
      rewrite EN. fold r. f_equal. f_equal. unfold r. rewrite pw_words by lia. f_equal. lia. }
    intros [| t] L; [cbn [pw]; rewrite Nat.add_0_r, Z.div_1_r |].
    - rewrite H_first_digit by (rewrite idle_is, begins; reflexivity). fold r. unfold a.
      pose proof (divide_pow digit Operand _ ltac:(unfold Operand; lia) (two_divides Operand (net "a_i" c))) as [j E]. fold r in E.
      replace (two Operand (net "a_i" c)) with (net "a_i" c + j * r) by lia. symmetry. apply Z_mod_plus_full.
    - pose proof (lowest_word r N (fun i => a_q (first + i)%nat) (fun i => net "u_core.u" (first + i)%nat) R1 moves t ltac:(lia)) as E. cbv beta in E.
      rewrite Nat.add_0_r, A0 in E. rewrite Nat.add_succ_r. change (S (c + t)) with (first + t)%nat.
      destruct (loop_state t ltac:(unfold T; lia)) as (P & _). rewrite H_other_digits by (rewrite idle_is, P; reflexivity).
      unfold part. change (2 ^ 0) with 1. rewrite Z.div_1_r. fold r. rewrite E. cbn [pw]. pose proof (pw_pos r t ltac:(lia)).
      rewrite <- Z.div_div by lia. unfold r. rewrite !pw_words by lia. fold r. set (y := a / r).
      assert (fits : Z.of_nat t * digit + digit <= Z.of_nat N * digit) by (replace (Z.of_nat t * digit + digit) with (Z.of_nat (S t) * digit) by lia; apply Z.mul_le_mono_nonneg_r; lia).
      pose proof (part_part y 0 (Z.of_nat N * digit) (Z.of_nat t * digit) digit ltac:(lia) ltac:(lia) ltac:(lia) fits) as F. unfold part in F.
      change (2 ^ 0) with 1 in F. rewrite Z.div_1_r in F. exact F.
  Qed.

  Lemma a_bounds : - pw r N <= 2 * a < pw r N.
  Proof.
    destruct numbers as (_ & B & _). assert (R : 0 <= net "a_i" c < 2 ^ Operand) by (unfold Operand; range c).
    pose proof (two_range Operand _ ltac:(unfold Operand; lia) R) as X. fold a in X. pose proof (half Operand ltac:(unfold Operand; lia)).
    unfold r. rewrite pw_words by lia. pose proof (Z.pow_le_mono_r 2 Operand (Z.of_nat N * digit) ltac:(lia) B). lia.
  Qed.

  Lemma digits_of_a : a = digits r d N.
  Proof.
    destruct radix as [R Hh]. destruct numbers as (_ & _ & NB & _). assert (R1 : 1 < r) by lia.
    rewrite (digits_ext r d (fun t => net "u_core.digit" (c + t)%nat + below t - r * below (S t))) by (intros t L; unfold d; destruct (Nat.ltb_spec t N); [reflexivity | lia]).
    rewrite (recoded r _ (fun t => net "u_core.digit" (c + t)%nat) below N) by reflexivity.
    rewrite (digits_ext r _ (fun t => (a / pw r t) mod r)) by (intros; apply digit_at; assumption). rewrite word_digits by exact R1. cbn [below].
    replace N with (S (N - 1)) at 3 by lia. rewrite below_is, digit_at by lia. rewrite (top_bit_range digit) by (try (apply Z.mod_pos_bound); lia). fold h.
    pose proof a_bounds as B. replace N with (S (N - 1)) in B |- * by lia. replace (S (N - 1) - 1)%nat with (N - 1)%nat by lia. cbn [pw] in *.
    pose proof (pw_pos r (N - 1) ltac:(lia)) as P. set (p := pw r (N - 1)) in *. rewrite (Z.mul_comm r p), Z.rem_mul_r by lia.
    pose proof (Z.div_mod a p ltac:(lia)) as E. pose proof (Z.mod_pos_bound a p P) as M. set (y := a / p) in *. set (e := a mod p) in *.
    assert (Y : - h <= y < h) by (split; [apply Z.lt_succ_r |]; apply (Z.mul_lt_mono_pos_l p); lia).
    destruct (Z.lt_ge_cases y 0).
    - assert (y mod r = y + r) as -> by (symmetry; apply (Z.mod_unique y r (-1)); lia). destruct (Z.ltb_spec (y + r) h); lia.
    - rewrite Z.mod_small by lia. destruct (Z.ltb_spec y h); lia.
  Qed.

  Lemma d_range : forall t, - h <= d t <= h.
  Proof.
    intros t. unfold d. destruct radix as [R Hh]. destruct (Nat.ltb t N); [| lia]. rewrite below_is. pose proof (below_range t). destruct (bits_of (c + t)%nat) as (_ & U & _).
    rewrite (top_bit_range digit) by (try exact U; lia). fold h. destruct (Z.ltb_spec (net "u_core.digit" (c + t)%nat) h); lia.
  Qed.

  (* ---------------------------------------------------------------- the recurrence *)
  Let u (t : nat) : Z := net "u_core.u" (first + S t)%nat.
  Let carried (t : nat) : Z := u_transfer (first + S t)%nat.
  Let q (t : nat) : Z := u t + carried t - r * carried (S t).
  Let Y (t : nat) : Z := pair_value State (s_q (first + S t)%nat) (c_q (first + S t)%nat) + carry_q (first + S t)%nat.
  Let P := 2 ^ W - 1.
  Let L2 := pw r (S D1).
  Let bound := h * (P * L2).

  Lemma scale_is : L2 = 2 ^ (digit * delay).
  Proof. destruct numbers as (_ & _ & _ & ED & _). unfold L2, r. rewrite pw_words by lia. f_equal. nia. Qed.

  Lemma wide : 2 ^ (State - 2) = bound + h * L2 /\ 32 <= h * L2 /\ 1 <= P /\ 2 ^ (State - 1) = 2 * 2 ^ (State - 2) /\ 2 ^ State = 4 * 2 ^ (State - 2).
  Proof.
    destruct radix as [R Hh]. destruct numbers as (_ & _ & _ & ED & _).
    assert (E : 2 ^ (State - 2) = h * (2 ^ W * L2)).
    { rewrite scale_is. unfold h. rewrite <- !Z.pow_add_r by lia. f_equal. unfold State. lia. }
    pose proof (Z.pow_le_mono_r 2 2 W ltac:(lia) ltac:(lia)) as W4. change (2 ^ 2) with 4 in W4. pose proof (pw_pos r (S D1) ltac:(lia)) as PL. fold L2 in PL.
    assert (L22 : 2 <= L2).
    { rewrite scale_is. change 2 with (2 ^ 1) at 1. apply Z.pow_le_mono_r; lia. }
    pose proof (Z.mul_le_mono_nonneg 16 h 2 L2 ltac:(lia) Hh ltac:(lia) L22).
    split; [unfold bound, P; rewrite E; ring |]. split; [lia |]. split; [unfold P; lia |].
    pose proof (half State ltac:(unfold State; lia)) as H1. pose proof (half (State - 1) ltac:(unfold State; lia)) as H2.
    replace (State - 1 - 1) with (State - 2) in H2 by lia. lia.
  Qed.

  Lemma even : (S N < T)%nat -> c_q (first + S (S N))%nat mod 2 = 0.
  Proof.
    intros L. destruct terms_number as (ET & T3 & _). rewrite Nat.add_succ_r. destruct (H_accumulate (first + S N)%nat) as (_ & _ & ->).
    destruct clear_at as (_ & _ & C). rewrite (C N) by lia. change (0 =? 1) with false. cbv iota. rewrite Nat.add_succ_r.
    destruct (H_product (first + N)%nat) as (_ & _ & _ & E). rewrite E. fixed_terms. destruct (digit_register N ltac:(lia)) as (_ & _ & G).
    rewrite <- (G (le_n N)). same_bit.
  Qed.

  Lemma quotient_register : forall k, (k < T)%nat -> legal (q_q (first + S k)%nat) /\
    number (q_q (first + S k)%nat) = match k with O => 0 | S i => if Nat.leb i N then q i else 0 end.
  Proof.
    intros k L. rewrite Nat.add_succ_r. destruct (quotient_is (first + k)%nat) as [G E]. split; [exact G |]. rewrite E.
    destruct valid_at as (V0 & _ & V). destruct k as [| i]; [rewrite Nat.add_0_r, V0; reflexivity |]. destruct (V i ltac:(lia)) as [-> _].
    unfold q, u, carried. rewrite !Nat.add_succ_r. destruct (Nat.leb i N); reflexivity.
  Qed.

  Lemma no_quotient : legal (q_q first) /\ number (q_q first) = 0.
  Proof.
    destruct (quotient_is c) as [G E]. split; [exact G |]. unfold first. rewrite E. assert (net "u_core.q_valid_q" c = 0) as ->; [| reflexivity].
    destruct c as [| t]; [apply (H_at_reset O eq_refl) |]. destruct (H_valid t) as (_ & -> & _).
    destruct (Z.eqb_spec (phase t) 1) as [P1 |]; [| reflexivity]. destruct (Z.ltb_spec 0 (left t)) as [L1 |]; [| reflexivity].
    destruct (H_count t P1 L1). lia.
  Qed.

  Lemma quotient_at : forall t, (t < T)%nat -> legal (q_q (from (first + t)%nat)) /\ number (q_q (from (first + t)%nat)) = delayed D1 q t /\
    modulus_q (from (first + t)%nat) = net "n_scaled_i" c.
  Proof.
    intros t L. destruct numbers as (_ & _ & _ & ED & _). assert (delay = 2 \/ delay = 3) as [E2 | E3] by lia; unfold delayed.
    - assert (D1 = 1%nat) as E1 by lia. assert (from (first + t)%nat = S (first + t)) as -> by (unfold from; rewrite E2; reflexivity). rewrite <- Nat.add_succ_r. destruct (quotient_register t L) as [G E]. destruct (loop_state (S t) ltac:(lia)) as (_ & _ & _ & M).
      split; [exact G |]. split; [| exact M]. rewrite E, E1. destruct t as [| i]; [reflexivity |]. unfold T in L. destruct (Nat.leb_spec i N); [| lia].
      change (Nat.ltb (S i) 1) with false. cbv iota. rewrite Nat.sub_succ, Nat.sub_0_r. reflexivity.
    - assert (D1 = 2%nat) as E1 by lia. assert (from (first + t)%nat = (first + t)%nat) as -> by (unfold from; rewrite E3; reflexivity). destruct (loop_state t ltac:(lia)) as (_ & _ & _ & M). rewrite E1. destruct t as [| k].
      + rewrite Nat.add_0_r in *. destruct no_quotient as [G E]. split; [exact G |]. split; [exact E | exact M].
      + destruct (quotient_register k ltac:(lia)) as [G E]. split; [exact G |]. split; [| exact M]. rewrite E. destruct k as [| i]; [reflexivity |].
        unfold T in L. destruct (Nat.leb_spec i N); [| lia]. change (Nat.ltb (S (S i)) 2) with false. cbv iota. do 2 rewrite Nat.sub_succ. rewrite Nat.sub_0_r. reflexivity.
  Qed.

  Lemma nbar_range : - P <= 2 * nbar <= P.
  Proof. pose proof (scaled_range (digit * delay) n nbar ltac:(lia) ltac:(lia) constant) as B. unfold P. clear - B most. lia. Qed.

  Lemma product_range : forall t, - bound <= 2 * (d t * b) <= bound.
  Proof.
    intros t. assert (bR : - (P * L2) <= 2 * b <= P * L2).
    { rewrite scale_is. assert (0 <= 2 ^ (digit * delay)) by (apply Z.pow_nonneg; lia). assert (2 ^ (digit * delay) * n <= 2 ^ (digit * delay) * P)
        by (apply Z.mul_le_mono_nonneg_l; unfold P; lia). lia. }
    pose proof (range_mul (d t) (2 * b) h (P * L2) (d_range t) bR) as B. unfold bound. clear - B. lia.
  Qed.

  Lemma quotient_range : forall t, - bound <= 2 * (delayed D1 q t * nbar) <= bound.
  Proof.
    intros t. destruct radix as [R Hh]. destruct wide as (_ & _ & W3 & _).
    assert (qR : - h <= delayed D1 q t <= h).
    { unfold delayed. destruct (Nat.ltb t D1); [lia |]. set (k := (t - D1)%nat). unfold q, carried. rewrite (Nat.add_succ_r first (S k)).
      destruct (H_quotient_transfer (first + S k)%nat) as [-> _]. destruct (bits_of (first + S k)%nat) as (Uk & _ & _ & _ & _ & _ & Ck & _).
      rewrite (top_bit_range digit) by (try exact Uk; lia). fold h. unfold u. destruct (Z.ltb_spec (net "u_core.u" (first + S k)%nat) h); lia. }
    pose proof (range_mul _ (2 * nbar) h P qR nbar_range) as B. pose proof (pw_pos r (S D1) ltac:(lia)) as PL. fold L2 in PL.
    assert (h * (P * 1) <= bound) by (unfold bound; apply Z.mul_le_mono_nonneg_l; [| apply Z.mul_le_mono_nonneg_l]; lia). lia.
  Qed.

  Lemma step : forall t, (t < T)%nat -> - (bound + 1) <= Y t <= bound + 1 ->
    r * Y (S t) = Y t + (if Nat.eqb t (S N) then carried t else 0) - u t + r * (d t * b) + r * (delayed D1 q t * nbar).
  Proof.
    intros t L B. destruct radix as [R Hh]. destruct wide as (W1 & W2 & W3 & W4 & W5). destruct clear_at as (_ & _ & C). specialize (C t L).
    destruct valid_at as (_ & _ & V). destruct (V t L) as [_ X]. clear V. set (i := (first + S t)%nat) in *.
    destruct (bits_of i) as (U & _ & S1 & C1 & K1 & K2 & K3 & _).
    assert (Q : net "u_core.u" i + r * net "u_core.carry" i = part (s_q i) 0 digit + part (c_q i) 0 digit + carry_q i + (if Nat.eqb t (S N) then u_transfer i else 0)).
    { assert (free : transfer i = 0 \/ c_q i mod 2 = 0).
      { rewrite X. destruct (Nat.eqb_spec t (S N)) as [E |]; [right; unfold i; rewrite E; apply even; lia | left; reflexivity]. }
      rewrite <- X. exact (H_quotient_digit i free). }
    destruct (H_pair i) as (F1 & F2 & F3). assert (F : 0 <= net "u_core.u_accumulator.fold" i < 4) by (change 4 with (2 ^ 2); range i).
    apply divide_mod in F1; [| reflexivity]. set (x := if Nat.eqb t (S N) then u_transfer i else 0) in *.
    assert (xr : 0 <= x <= 1) by (unfold x; destruct (Nat.eqb t (S N)); [exact K3 | split; discriminate]).
    assert (Vr : - 2 ^ (State - 2) <= pair_value State (s_q i) (c_q i) <= 2 ^ (State - 2)) by (unfold Y in B; fold i in B; clear - B W1 W2 K1; lia).
    destruct (folded_pair State digit (s_q i) (c_q i) _ (carry_q i) x _ _ _ _ (proj1 state_bits) (proj2 state_bits) S1 C1 F F1 Vr Q F2 F3) as (z & D0 & G).
    change (2 ^ State | place (inputs i) 0 + place (inputs i) 1 - z) in D0. fold r in G. rewrite R in G, U. clear F F1 F2 F3 Q X S1 C1 Vr.
    destruct (digit_register t ltac:(lia)) as (Ld & Ed & _). pose proof (product_sum (first + t)%nat Ld) as D2. destruct (loop_state t ltac:(lia)) as (_ & _ & Eb & _).
    rewrite Ed, Eb in D2. fold b in D2. rewrite <- Nat.add_succ_r in D2. fold i in D2.
    destruct (quotient_at t L) as (Lq & Eq & Em). pose proof (sum_of (first + t)%nat Lq) as D3. rewrite Eq, Em, <- Nat.add_succ_r in D3. fold i nbar in D3.
    pose proof (product_range t) as eR. pose proof (quotient_range t) as gR. set (e := d t * b) in *. set (g := delayed D1 q t * nbar) in *.
    assert (D4 : (2 ^ State | z + e + g - (s_q (S i) + c_q (S i)))).
    { destruct (H_accumulate i) as (E1 & E2 & _). rewrite C in E1, E2. change (0 =? 1) with false in E1, E2. cbv iota in E1, E2.
      assert (s_q (S i) = place (outputs i) 0) as -> by (etransitivity; [exact E1 | same_place]).
      assert (c_q (S i) = place (outputs i) 1) as -> by (etransitivity; [exact E2 | same_place]).
      clear - D0 D2 D3. by_sum. }
    assert (rW : 2 * h <= 2 ^ (State - 2)) by (rewrite <- R; unfold r; apply Z.pow_le_mono_r; unfold State; lia).
    destruct (next_pair h _ L2 bound _ _ x _ _ z e g Hh W1 W2 rW B K1 xr U K2 G eR gR) as [_ room].
    assert (V' : pair_value State (s_q (S i)) (c_q (S i)) = z + e + g) by (apply signed_is; [unfold State; lia | rewrite W4; exact room | exact D4]).
    destruct (H_quotient_transfer i) as [_ Kc]. rewrite C in Kc. change (0 =? 1) with false in Kc. cbv iota in Kc.
    unfold Y. rewrite (Nat.add_succ_r first (S t)). fold i. rewrite V', Kc. unfold carried, u. fold i x. rewrite R. clear - G. lia.
  Qed.

  Let value := pw r D1 * Y T + digits r (fun i => u (S N + i)%nat) D1.

  Lemma result : montgomery n (pw r N) a b value /\ - (2 ^ (digit * delay) * n) < 2 * value < 2 ^ (digit * delay) * n.
  Proof.
    destruct radix as [R Hh]. destruct numbers as (_ & NO & NB & ED & D11). destruct empty as (E1 & E2 & E3 & E4 & E5 & E6). destruct constant as (ni & I & E).
    pose proof scale_is as SI. pose proof a_range as aR. pose proof b_range as bR. rewrite <- SI in I, E, aR, bR |- *.
    pose proof (late_quotient h n ni nbar a b P N D1 Y d u carried) as G. cbv zeta in G. rewrite <- R in G. fold L2 bound q in G.
    apply G; clear G; try assumption; try lia.
    - exact nbar_range.
    - rewrite SI. unfold r. rewrite pw_words by lia. apply Z.le_trans with (2 ^ Operand); [| apply Z.pow_le_mono_r; lia].
      unfold Operand. rewrite Z.pow_add_r by lia. apply Z.mul_le_mono_nonneg_r; [apply Z.pow_nonneg |]; lia.
    - split.
      + unfold Y. rewrite Nat.add_1_r, E4, E5, E6. unfold pair_value, signed. rewrite Zmod_0_l. unfold two.
        destruct (Z.ltb_spec 0 (2 ^ (State - 1))); [reflexivity |]. pose proof (Z.pow_pos_nonneg 2 (State - 1) ltac:(lia) ltac:(unfold State; lia)). lia.
      + unfold carried. rewrite Nat.add_1_r. destruct (H_quotient_transfer first) as [-> _]. destruct valid_at as (_ & V & _).
        pose proof (H_quotient_digit first (or_introl V)) as Q. rewrite E1, E2, E3, V, !part_zero in Q. fold r in Q.
        destruct (bits_of first) as (U & _ & _ & _ & _ & C & _). assert (net "u_core.u" first = 0) as -> by nia. apply part_zero.
    - exact digits_of_a.
    - intros t L. unfold d. destruct (Nat.ltb_spec t N); [lia | reflexivity].
    - exact d_range.
    - intros t. apply bits_of.
    - intros t. unfold carried. rewrite (Nat.add_succ_r first (S t)). destruct (H_quotient_transfer (first + S t)%nat) as [-> _].
      destruct (bits_of (first + S t)%nat) as (U & _). rewrite (top_bit_range digit) by (try exact U; lia). fold h. unfold u.
      destruct (Z.ltb_spec (net "u_core.u" (first + S t)%nat) h), (Z.ltb_spec (2 * net "u_core.u" (first + S t)%nat) r); lia.
    - exact step.
  Qed.

  (* ---------------------------------------------------------------- the conversion *)
  Let ends := (first + S T)%nat.                                                            (* its first cycle *)
  Let Sum := (W + digit * delay + digit - 1) / digit * digit.
  Let Low := (delay - 1) * digit.
  Let Pair := (W + digit * delay + digit - 1) / digit * digit - (delay - 1) * digit.

  Lemma converting : phase ends = 3 /\ phase (S ends) = 3 /\ phase (S (S ends)) = 5 /\ start ends = 1 /\ start (S ends) = 0.
  Proof.
    destruct (loop_state T (le_n T)) as (P0 & L0 & _). rewrite Nat.sub_diag in L0. destruct (H_count_end _ P0 L0) as [P1 L1]. rewrite <- Nat.add_succ_r in P1, L1. fold ends in P1, L1.
    destruct (H_converts ends P1 ltac:(lia)) as [P2 L2']. pose proof (H_converted (S ends) P2 ltac:(lia)) as P3.
    destruct (H_selects (first + T)%nat) as (_ & _ & _ & S1 & _). rewrite <- Nat.add_succ_r, P0, L0 in S1. fold ends in S1.
    destruct (H_selects ends) as (_ & _ & _ & S2 & _). rewrite P1 in S2. repeat split; assumption.
  Qed.

  Lemma groups : let m := Z.to_nat ((Pair + group - 1) / group) in (Pair + group - 1) / group = Z.of_nat m /\ (1 <= m)%nat /\
    Pair <= Z.of_nat m * group /\ (Z.of_nat m - 1) * group < Pair /\ 1 <= Pair /\ Pair <= State /\ 0 <= Low /\ Sum = Low + Pair /\ Operand <= Sum /\ 2 ^ Low = pw r D1.
  Proof.
    destruct numbers as (EN & B & NB & ED & _). assert (LD : (delay - 1) * digit = Z.of_nat D1 * digit) by (f_equal; lia).
    assert ((Z.of_nat D1 + 1) * digit <= Z.of_nat N * digit) by (apply Z.mul_le_mono_nonneg_r; lia). assert (1 <= Pair) by (unfold Pair; rewrite EN, LD; lia).
    destruct (word_count group Pair ltac:(lia) ltac:(lia)) as (E & G1 & G2). set (m := Z.to_nat _) in *. split; [exact E |]. split; [exact G1 |]. split; [exact G2 |].
    pose proof (Z.div_mod (Pair + group - 1) group ltac:(lia)) as X. pose proof (Z.mod_pos_bound (Pair + group - 1) group ltac:(lia)) as X1. rewrite E in X.
    split; [clear - X X1; lia |]. clear X X1 E. split; [assumption |].
    pose proof (Z.div_mod (W + digit * delay + digit - 1) digit ltac:(lia)) as X. pose proof (Z.mod_pos_bound (W + digit * delay + digit - 1) digit ltac:(lia)) as X1. rewrite EN in X.
    assert (X2 : 0 <= Z.of_nat D1 * digit) by (apply Z.mul_nonneg_nonneg; lia).
    split; [unfold Pair, State; rewrite EN, LD; clear - X X1 X2; lia |]. split; [unfold Low; rewrite LD; exact X2 |].
    split; [unfold Sum, Low, Pair; clear; lia |]. split; [unfold Sum; rewrite EN; exact B |]. unfold Low, r. rewrite LD, pw_words by lia. reflexivity.
  Qed.

  Let final := S (S ends).

  Lemma low_digits : part (a_q ends) (Sum - Low) Low = digits r (fun i => u (S N + i)%nat) D1.
  Proof.
    destruct radix as [R Hh]. destruct numbers as (EN & _ & NB & ED & _). destruct groups as (_ & _ & _ & _ & _ & _ & L0 & SE & _ & LP).
    set (w := fun i => net "u_core.u" (first + (S (S N) + i))%nat). set (z := fun i => a_q (first + (S (S N) + i))%nat).
    assert (F : digits r w D1 = digits r (fun i => u (S N + i)%nat) D1) by (apply digits_ext; intros; unfold w, u; do 2 f_equal; lia). rewrite <- F. clear F.
    assert (Up : 2 ^ (Sum - Low) = pw r (N - D1)) by (unfold Sum, Low, r; rewrite EN, pw_words by lia; f_equal; nia).
    assert (Us : 2 ^ Sum = pw r N) by (unfold Sum, r; rewrite EN, pw_words by lia; reflexivity).
    assert (z0 : 0 <= z O < pw r N) by (rewrite <- Us; unfold z, Sum; range (first + (S (S N) + 0))%nat).
    assert (E : forall i, (i <= D1)%nat -> z i = z O / pw r i + pw r (N - i) * digits r w i).
    { induction i; intros L; [cbn [pw digits]; rewrite Z.div_1_r; lia |]. unfold z at 1. rewrite !Nat.add_succ_r.
      destruct (loop_state (S (S N) + i)%nat ltac:(unfold T; lia)) as (P0 & _).
      rewrite H_shift_a by (rewrite ?idle_is, ?shift_is, ?P0; try reflexivity; apply no_start; rewrite P0; discriminate). change (a_q (first + (S (S N) + i))%nat) with (z i).
      change (net "u_core.u" (first + (S (S N) + i))%nat) with (w i). fold r. rewrite IHi by lia. pose proof (pw_pos r i ltac:(lia)). cbn [pw digits].
      replace (N - i)%nat with (S (N - S i)) by lia. cbn [pw]. rewrite <- (Z.mul_assoc r), (Z.mul_comm r (pw r (N - S i) * _)), Z.div_add by lia.
      rewrite Z.div_div, (Z.mul_comm (pw r i)) by lia.
      assert (2 ^ ((W + digit * delay + digit - 1) / digit * digit - digit) = pw r (N - S i) * pw r i) as ->.
      { rewrite <- pw_add. replace (N - S i + i)%nat with (N - 1)%nat by lia. unfold r. rewrite EN, pw_words by lia. f_equal. lia. }
      ring. }
    assert (a_q ends = z D1) as -> by (unfold ends, z, T; do 2 f_equal; lia). rewrite E by lia. unfold part. rewrite Up, LP.
    pose proof (pw_pos r D1 ltac:(lia)). pose proof (pw_pos r (N - D1) ltac:(lia)).
    assert (0 <= z O / pw r D1 < pw r (N - D1)).
    { split; [apply Z.div_pos; lia | apply Z.div_lt_upper_bound; [lia |]]. rewrite <- pw_add. replace (D1 + (N - D1))%nat with N by lia. lia. }
    rewrite (Z.mul_comm (pw r (N - D1))), Z.div_add, (Z.div_small (z O / _)), Z.add_0_l by lia. apply Z.mod_small. apply digits_bound; [lia |]. intros. apply bits_of.
  Qed.

  Lemma converted_sum : a_q final = 2 ^ Low * ((s_q ends + c_q ends + carry_q ends) mod 2 ^ Pair) + digits r (fun i => u (S N + i)%nat) D1.
  Proof.
    destruct converting as (P1 & P2 & P3 & S1 & S2). destruct groups as (EM & M1 & G1 & G2 & PP & PS & L0 & SE & _ & LP). set (m := Z.to_nat ((Pair + group - 1) / group)) in *.
    assert (calm : forall t, phase t = 3 -> idle t = 0 /\ shift t = 0) by (intros t E; rewrite idle_is, shift_is, E; split; reflexivity).
    destruct (calm _ P1) as [I1 T1]. destruct (calm _ P2) as [I2 T2]. clear calm.
    set (x := part (s_q ends) 0 Pair). set (y := part (c_q ends) 0 Pair). set (bits := bits group Pair).
    assert (gw : forall i, (i < m)%nat -> 1 <= bits i <= group /\ Z.of_nat i * group + bits i <= Pair) by
      (intros i L; split; [apply (bits_range group Pair m); assumption || lia | unfold bits, Blocks.bits; clear; lia]).
    assert (part_block : forall z l i, 0 <= l -> (i < m)%nat -> block group Pair (part z l Pair) i = part z (l + Z.of_nat i * group) (bits i)).
    { intros z l i Hl L. destruct (gw i L). apply (part_part z l Pair (Z.of_nat i * group) (bits i)); lia. }
    set (g := fun i => part (net "u_core.u_convert.generates" ends) (Z.of_nat i) 1). set (p := fun i => part (net "u_core.u_convert.propagates" ends) (Z.of_nat i) 1).
    set (found := fun i => flag (carries (S ends)) i). set (from_below := fun i => match i with O => 0 | S j => found j end).
    assert (into : forall i, (2 * carries (S ends)) / 2 ^ Z.of_nat i mod 2 = from_below i).
    { intros [| j]; [change (2 ^ Z.of_nat 0) with 1; rewrite Z.div_1_r, Z.mul_comm; apply Z.mod_mul; lia |]. unfold from_below, found, flag.
      rewrite Nat2Z.inj_succ, Z.pow_succ_r, Z.div_mul_cancel_l by lia || (apply Z.pow_nonzero; lia) || lia. reflexivity. }
    (* No carry leaves the topmost group. *)
    set (k := fun i => if Nat.ltb (S i) m then found i else if g i =? 1 then 1 else if p i =? 1 then from_below i else 0).
    assert (below_top : forall i, (i < m)%nat -> from_below i = match i with O => 0 | S j => k j end).
    { intros [| j] L; [reflexivity |]. unfold from_below, k. destruct (Nat.ltb_spec (S j) m); [reflexivity | lia]. }
    pose proof (groups_sum group Pair m ltac:(lia) ltac:(lia) ltac:(lia) M1 x y (carry_q ends)
      (fun i => part (a_q (S ends)) (Low + Z.of_nat i * group) (bits i)) g p k (block group Pair (part (a_q final) Low Pair))) as G.
    assert (XR : 0 <= x < 2 ^ Pair) by (apply part_range; lia). assert (YR : 0 <= y < 2 ^ Pair) by (apply part_range; lia).
    rewrite (in_blocks group Pair m) in G by (try apply part_range; lia).
    assert (H : part (a_q final) Low Pair = (x + y + carry_q ends) mod 2 ^ Pair).
    { apply G; clear G; [auto | apply bits_of | | | |].
      - intros i L. destruct (gw i L). split; [apply (part_range _ _ (bits i)); lia |]. split; [apply bit_range |].
        destruct (H_sums ends (Z.of_nat i) ltac:(fold Pair; lia) S1 I1 T1) as (_ & E & _). unfold x, y. rewrite !part_block by lia. rewrite !Z.add_0_l in *.
        etransitivity; [exact E |]. destruct i; reflexivity.
      - intros i L. destruct (H_sums ends (Z.of_nat i) ltac:(fold Pair; lia) S1 I1 T1) as (_ & _ & E). unfold x, y. rewrite !part_block by lia. exact E.
      - intros i L. rewrite <- below_top by exact L. unfold k at 1. destruct (Nat.ltb_spec (S i) m) as [top |]; [| reflexivity]. rewrite <- into.
        apply (H_look_ahead ends (Z.of_nat i)); [fold Pair; lia | exact S1].
      - intros i L. rewrite <- below_top, <- into, part_block by lia. apply (H_increments (S ends) (Z.of_nat i) ltac:(fold Pair; lia) I2 T2 S2). }
    assert (L : part (a_q final) 0 Low = digits r (fun i => u (S N + i)%nat) D1).
    { destruct (H_increments (S ends) 0 ltac:(fold Pair; lia) I2 T2 S2) as (E & _). destruct (H_sums ends 0 ltac:(fold Pair; lia) S1 I1 T1) as (F & _).
      unfold final. etransitivity; [exact E |]. etransitivity; [exact F |]. exact low_digits. }
    assert (R : 0 <= a_q final < 2 ^ Sum) by (unfold Sum; range final).
    rewrite (low_and_high Sum Low (a_q final) ltac:(lia) R). replace (Sum - Low) with Pair by lia. rewrite H, L, Z.add_comm. do 2 f_equal.
    unfold x, y, part. change (2 ^ 0) with 1. rewrite !Z.div_1_r. rewrite <- (Z.add_mod_idemp_l (s_q ends + c_q ends)), (Z.add_mod (s_q ends)), Z.add_mod_idemp_l by (apply Z.pow_nonzero; lia). reflexivity.
  Qed.

  Lemma answered : two Operand (net "p_o" final) = value.
  Proof.
    destruct radix as [R Hh]. destruct groups as (_ & _ & _ & _ & PP & PS & L0 & SE & SO & LP). rewrite H_answer. fold Operand.
    assert (O1 : 1 <= Operand) by (unfold Operand; lia). unfold part. change (2 ^ 0) with 1. rewrite Z.div_1_r. change (signed Operand (a_q final) = value).
    apply signed_is; [exact O1 | |].
    - destruct result as [_ B]. pose proof (half Operand O1) as H. assert (2 ^ Operand = 2 ^ W * 2 ^ (digit * delay)) by (unfold Operand; rewrite Z.pow_add_r by lia; reflexivity).
      assert (2 ^ (digit * delay) * n <= 2 ^ (digit * delay) * 2 ^ W) by (apply Z.mul_le_mono_nonneg_l; [apply Z.pow_nonneg |]; lia). lia.
    - rewrite converted_sum. unfold value. apply (divide_pow Operand Sum); [lia |]. rewrite SE, Z.pow_add_r, LP by lia.
      pose proof (divide_pow Pair State _ ltac:(lia) (signed_divides State (s_q ends + c_q ends) ltac:(lia))) as [j E].
      unfold Y. fold ends. unfold pair_value. set (v := s_q ends + c_q ends) in *. rewrite (Z.mod_eq (v + carry_q ends)) by (apply Z.pow_nonzero; lia).
      exists (j + (v + carry_q ends) / 2 ^ Pair). set (e := (v + carry_q ends) / 2 ^ Pair) in *.
      replace (signed State v) with (v + j * 2 ^ Pair) by lia. ring.
  Qed.

  Lemma before : forall t, (c < t < final)%nat -> phase t <> 5.
  Proof.
    intros t L. destruct converting as (P1 & P2 & _). assert (t < ends \/ t = ends \/ t = S ends)%nat as [X | [-> | ->]] by (unfold final in L; lia);
      [| rewrite P1 | rewrite P2]; try discriminate.
    destruct (loop_state (t - first)%nat ltac:(unfold ends, first in *; lia)) as (P0 & _).
    replace (first + (t - first))%nat with t in P0 by (unfold first in *; lia). rewrite P0. discriminate.
  Qed.

  Lemma at_rest : started final = 0.
  Proof. destruct converting as (_ & _ & _ & _ & S2). unfold final. destruct (H_selects (S ends)) as (_ & _ & _ & _ & ->). exact S2. Qed.
  End Request.

  Theorem contract : multiplier net (fun t => two (W + digit * delay) (net "a_i" t)) (fun t => two (W + digit * delay) (net "b_i" t)) n_of
    (fun t => two (W + digit * delay) (net "p_o" t)) (T + 4) (T + 4) (2 ^ (Z.of_nat N * digit))
    (fun c => n_of c mod 2 = 1 /\ 3 <= n_of c /\ n_of c < 2 ^ W /\ scaled (digit * delay) (n_of c) (two W (net "n_scaled_i" c)))
    (fun n x => - (2 ^ (digit * delay) * n) < 2 * x < 2 ^ (digit * delay) * n) (fun n x => - (2 ^ (digit * delay) * n) < 2 * x < 2 ^ (digit * delay) * n).
  Proof.
    apply (serves _ _ _ _ _ _ _ _ _ _ _ phase 0 5 (fun t => started t = 0)).
    - intros t. destruct (H_ready t) as [-> ->]. rewrite idle_is. split; reflexivity.
    - intros c I V (odd & least & most & constant) a_range b_range. exists (T + 4)%nat.
      pose proof (before c I V odd least most constant a_range b_range) as B. pose proof (converting c I V odd least most constant a_range b_range) as (_ & _ & D & _).
      pose proof (at_rest c I V odd least most constant a_range b_range) as Q. pose proof (result c I V odd least most constant a_range b_range) as [M R].
      pose proof (answered c I V odd least most constant a_range b_range) as E. replace (S (S (S c + S T)))%nat with (c + (T + 4))%nat in * by lia.
      unfold Operand in E. rewrite E. split; [lia |]. split; [exact D |]. split; [exact B |]. split; [exact Q |]. split; [exact R |].
      apply montgomery_mod. unfold r in M. rewrite pw_words in M by lia. exact M.
    - intros t D S0 F. pose proof (H_wait t D F) as D'. assert (G : start t = 0) by (apply no_start; rewrite D; discriminate).
      split; [exact D' |]. split.
      + destruct (H_selects t) as (_ & _ & _ & _ & ->). exact G.
      + rewrite !H_answer. rewrite (H_rests t); [reflexivity | | | exact G | exact (H_no_carries t S0)]; rewrite ?idle_is, ?shift_is, D; reflexivity.
  Qed.
End Chain.
