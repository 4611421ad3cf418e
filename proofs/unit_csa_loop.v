(* SPDX-License-Identifier: Apache-2.0 *)
(* unit_csa: sums, digits and recurrence of mf_unit_csa_core up to the end of its loop, for every kind of result. Its hypotheses are lemmas that montforge
   prints into unit_csa_lemmas.v, for the Booth terms and delay of a design, and proves on the RTL. Cycle 0 of the RTL's header is `first`. *)
From Coq Require Import ZArith Lia String.
Require Import DigitRecurrence Instances WordSerial Contract Control Bits Groups BoothRows UnitAccumulator UnitTerm unit_csa_lemmas Arithmetic.
Open Scope string_scope. Open Scope Z_scope.
Set Default Proof Using "All".

(* ---------------------------------------------------------------- one range of many: as a place in a list, so that no proof repeats all of them *)
Fixpoint all (l : list Prop) : Prop := match l with nil => True | cons p l' => match l' with nil => p | _ => p /\ all l' end end.
Fixpoint place_of (i : nat) (l : list Prop) : Prop := match l, i with nil, _ => True | cons p _, O => p | cons _ l', S k => place_of k l' end.

Lemma one_of : forall i l, all l -> place_of i l.
Proof.
  induction i; intros [| p l] H; cbn [place_of]; try exact I; destruct l; cbn [all] in H; try (exact H || exact (proj1 H)); [destruct i; exact I | apply IHi, (proj2 H)].
Qed.

Ltac parts T := lazymatch T with 0 <= _ < _ => constr:(cons T nil) | ?A /\ ?B => let l := parts B in constr:(cons A l) end.
Ltac index l name i := lazymatch l with cons (0 <= _ name _ < _) _ => i | cons _ ?l' => index l' name (S i) end.

(* The form of a design as the lemma on products of the quotient tells it: the first tactic proves one with delay = 2, the second one with delay = 3 and
   copies of the selects by region, the third one another with delay = 3. *)
Ltac by_form_of stated two regions three := lazymatch eval unfold quotient_product in stated with
  | nat -> _ = 2 => two
  | nat -> _ = 3 => regions
  | _ => three end.

(* A request is accepted in cycle c: its operands are in the registers, and nothing is left of the operation before. *)
Definition begins_in (W loops many digit operand modulus : Z) (net : trace) (c : nat) : Prop :=
  net "u_core.idle_q" c = 1 /\ (net "u_core.phase_q" c = 1 -> net "u_core.left_q" c = 0) /\ net "u_core.load_q" (S c) = 0 /\
  (net "u_core.phase_q" (S c) = 1 /\ net "u_core.left_q" (S c) = loops /\
    net "u_core.a_q" (S c) = (two operand (net "a_i" c) / 2 ^ digit) mod 2 ^ (many * digit) /\ net "u_core.b_q" (S c) = net "b_i" c /\
    net "u_core.modulus_q" (S c) = two W (net "n_scaled_i" c) mod 2 ^ modulus) /\
  (net "u_core.transfer_q" (S c) = 0 -> net "u_core.u_transfer_q" (S (S c)) = 0).

Section Loop.
  Variables (W loops many last digit operand modulus state delay Pair group : Z) (net : trace).
  Local Notation on lemma := (lemma W loops many last digit operand modulus state delay Pair group net).
  Hypotheses (sizes : (3 <= W /\ 2 <= digit /\ 2 <= delay <= 3 /\ 1 <= group) /\ (1 <= operand <= many * digit /\ W <= modulus) /\
      (operand + digit < state /\ modulus + digit < state) /\ (delay <= many /\ 1 <= last /\ many <= last + delay <= loops)) (H_ranges : on ranges)
    (H_selects : on selects) (H_valid : on valid_digits) (H_at_reset : on at_reset) (H_count : on count)
    (H_no_load_yet : on no_load_yet) (H_keep : on keep) (H_keep_modulus : on keep_modulus)
    (H_first_digit : on first_digit) (H_other_digits : on other_digits) (H_a_terms : on a_terms)
    (H_first_terms : on first_terms) (H_a_transfer : on a_transfer) (H_quotient_digit : on quotient_digit) (H_quotient_terms : on quotient_terms)
    (H_a_multiples : on a_multiples) (H_product_rows : on product_rows) (H_product : on product)
    (H_quotient_multiples : on quotient_multiples) (H_quotient_rows : on quotient_rows) (H_quotient_product : on quotient_product)
    (H_rows : on rows) (H_pair : on pair) (H_accumulate : on accumulate).
  (* in which cycles the transfer from a digit of the quotient is erased *)
  Variables (erased : nat -> Prop).
  Hypotheses (H_erased : forall t, erased t -> net "u_core.clear_q" t = 1)
    (H_transfer : forall t, ~ erased t -> net "u_core.u_transfer_q" (S t) = part (net "u_core.u" t) (digit - 1) 1)
    (H_carry : forall t, net "u_core.carry_q" (S t) = if net "u_core.clear_q" t =? 1 then 0 else net "u_core.carry" t)
    (resting : forall t, net "u_core.phase_q" t = 1 -> 0 < net "u_core.left_q" t -> net "u_core.idle_q" t = 0)
    (shifts : forall t, net "u_core.phase_q" t = 1 -> net "u_core.idle_q" t = 0 ->
      net "u_core.a_q" (S t) = net "u_core.a_q" t / 2 ^ digit + 2 ^ (many * digit - digit) * net "u_core.u" t).

  Local Notation phase := (net "u_core.phase_q"). Local Notation left := (net "u_core.left_q"). Local Notation load := (net "u_core.load_q").
  Local Notation idle := (net "u_core.idle_q"). Local Notation clear := (net "u_core.clear_q").
  Local Notation transfer := (net "u_core.transfer_q"). Local Notation cleared := (net "u_core.clear").
  Local Notation a_q := (net "u_core.a_q"). Local Notation b_q := (net "u_core.b_q"). Local Notation modulus_q := (net "u_core.modulus_q").
  Local Notation s_q := (net "u_core.s_q"). Local Notation c_q := (net "u_core.c_q"). Local Notation carry_q := (net "u_core.carry_q").
  Local Notation d_q := (net "u_core.d_q"). Local Notation q_q := (net "u_core.q_q"). Local Notation u_transfer := (net "u_core.u_transfer_q").
  Local Notation rows_i := (net "u_core.u_accumulator.u_tree.rows_i"). Local Notation outputs := (net "u_core.u_accumulator.u_tree.rows_o").
  Local Notation singles := (net "u_core.u_accumulator.u_tree.bits_i").
  Local Notation product_inputs := (net "u_core.u_accumulator.u_p.rows").
  Local Notation product_outputs := (net "u_core.u_accumulator.u_p.vectors").
  Local Notation quotient_inputs := (net "u_core.u_accumulator.gen_product.u_q.rows").
  Local Notation quotient_outputs := (net "u_core.u_accumulator.gen_product.u_q.vectors").

  Let r := 2 ^ digit.
  Let h := 2 ^ (digit - 1).
  Let Terms := Z.to_nat ((digit + 1) / 2).
  Let D1 := Z.to_nat (delay - 1).
  Let N := Z.to_nat many.                                                                (* digits of a *)
  Let K := Z.to_nat last.                                                                   (* the last digit of the quotient *)
  Let L := Z.to_nat loops.                                                                  (* the last cycle of the loop *)
  Ltac by_form two regions three := by_form_of (on quotient_product) two regions three.
  Let Vectors : nat := ltac:(by_form ltac:(exact Terms) ltac:(exact Terms) ltac:(exact (if digit =? 2 then 1%nat else 2%nat))).  (* of the quotient in the tree *)
  Let inputs (t : nat) : Z := if digit =? 2 then with_gap state (rows_i t) else rows_i t.   (* with zeros in the place of a second row *)
  Let from (t : nat) : nat := if delay =? 2 then S t else t.                                (* the cycle of the digit that they have *)
  Local Notation number := (number Terms). Local Notation legal := (legal Terms). Local Notation place := (place state).

  Lemma radix : r = 2 * h /\ 2 <= h.
  Proof. unfold r, h. split; [apply half; lia |]. change 2 with (2 ^ 1) at 1. apply Z.pow_le_mono_r; lia. Qed.

  Lemma numbers : many = Z.of_nat N /\ last = Z.of_nat K /\ loops = Z.of_nat L /\ delay = Z.of_nat D1 + 1 /\ (1 <= D1 <= 2)%nat /\ (D1 < N)%nat /\
    (1 <= K)%nat /\ (N <= K + S D1 <= L)%nat.
  Proof. unfold N, K, L, D1. lia. Qed.

  Lemma terms_number : (digit + 1) / 2 = Z.of_nat Terms /\ (1 <= Terms)%nat /\ digit <= 2 * Z.of_nat Terms <= digit + 1.
  Proof.
    pose proof (Z.div_mod (digit + 1) 2 ltac:(lia)). pose proof (Z.mod_pos_bound (digit + 1) 2 ltac:(lia)). unfold Terms. set (k := (digit + 1) / 2) in *.
    rewrite Z2Nat.id by lia. repeat split; lia.
  Qed.

  Ltac range t := in_range H_ranges t.
  Ltac delay_is := let X := fresh "X" in pose proof (H_quotient_product O) as X; by_form ltac:(idtac) ltac:(idtac) ltac:(destruct X as [X _]).
  Ltac by_tree R := by_tree_of state R.
  (* The first tactic proves a design with one term, the second one that with more. *)
  Ltac by_terms one more := fixed_terms_of H_product_rows terms_number Terms; destruct terms_number as (ET & _ & TD);
    lazymatch goal with
    | TN : Terms = 1%nat |- _ => assert (D2 : digit = 2) by (rewrite TN in TD; clear - TD sizes; lia); assert (ND : (digit =? 2) = true) by (rewrite D2; reflexivity);
        assert (EV : Vectors = 1%nat) by (unfold Vectors; rewrite ?ND, ?TN; reflexivity); one
    | TN : Terms = _ |- _ => assert (T2 : (2 <= Terms)%nat) by (rewrite TN; clear; lia); assert (ND : (digit =? 2) = false) by (apply Z.eqb_neq; clear - T2 TD; lia);
        by_form ltac:(assert (EV : Vectors = Terms) by reflexivity) ltac:(assert (EV : Vectors = Terms) by reflexivity)
          ltac:(assert (EV : Vectors = 2%nat) by (unfold Vectors; rewrite ND; reflexivity)); more
    end.

  Lemma first_rows : forall t i, (i < 2)%nat -> place (inputs t) i = place (rows_i t) i.
  Proof. intros t i I. unfold inputs. destruct (digit =? 2); [apply gap_low; lia | reflexivity]. Qed.

  Lemma pair_reduced : forall t,
    (2 ^ state | place (outputs t) 0 + place (outputs t) 1 - (total (place (inputs t)) (4 + Vectors) + total (single (singles t)) (Vectors + 2))).
  Proof.
    intros t. pose proof (H_rows t) as R. by_terms
      ltac:(
        assert (G : (2 ^ state | place (outputs t) 0 + place (outputs t) 1 - (total (place (rows_i t)) 4 + total (single (singles t)) 2))) by (by_tree R);
        assert (none : single (singles t) 2 = 0) by (apply (no_bit 2); [discriminate | range t | discriminate]);
        destruct (gap_is state (rows_i t) ltac:(lia)) as [G3 G4]; rewrite EV; unfold inputs; rewrite ND; cbn [total Nat.add] in G |- *;
        rewrite !gap_low, G3, G4, none by lia; clear - G; by_sum)
      ltac:(rewrite EV; unfold inputs; rewrite ND, ?TN; by_tree R).
  Qed.

  Lemma folds : forall t, (part (s_q t) (state - 2) 2 + part (c_q t) (state - 2) 2 - net "u_core.u_accumulator.fold" t) mod 4 = 0 /\
    place (inputs t) 0 = part (s_q t) digit (state - 2 - digit) + net "u_core.u_accumulator.fold" t mod 2 * 2 ^ (state - 2 - digit) +
      (1 - net "u_core.u_accumulator.fold" t / 2) * 2 ^ (state - 2 - digit + 1) /\
    place (inputs t) 1 = part (c_q t) digit (state - 2 - digit) + (2 ^ state - 2 ^ (state - 2 - digit + 1)).
  Proof. intros t. rewrite !first_rows by lia. exact (H_pair t). Qed.

  (* Of the rows of a digit times b in cycle S t; with copies nothing is known of those in cycle 0. *)
  Let multiples := ltac:(by_form ltac:(exact (fun t => H_a_multiples (S t))) ltac:(exact H_a_multiples) ltac:(exact (fun t => H_a_multiples (S t)))).

  Lemma product_sum : forall i, load (S i) = 0 -> legal (d_q (S i)) -> product_joins state Vectors inputs singles (S (S i)) (number (d_q (S i)) * two operand (b_q (S i))).
  Proof.
    intros i NL G. set (t := S i) in *. assert (B : - 2 ^ (operand - 1) <= two operand (b_q t) < 2 ^ (operand - 1)) by (apply two_range; [lia | range t]).
    pose proof (H_product t NL) as P. pose proof (H_product_rows t) as V. by_terms
      ltac:(
        rewrite TN in G; pose proof (extended state operand _ _ ltac:(lia) ltac:(lia) B G) as E; destruct P as [P1 P2]; destruct V as [_ V]; change (part (product_outputs t) 0 state = part (product_inputs t) (0 * state) state) in V;
        pose proof (multiples i 0 ltac:(rewrite ET, TN; split; reflexivity)) as M; change (part (product_inputs t) (0 * state) state = extended_row state operand (two operand (b_q t)) (d_q t) 0) in M;
        assert (none : single (singles (S t)) 2 = 0) by (apply (no_bit 2); [discriminate | range (S t) | discriminate]);
        destruct (gap_is state (rows_i (S t)) ltac:(lia)) as [G3 _]; unfold product_joins; rewrite EV, TN; unfold inputs; rewrite ND, gap_low, G3 by lia; cbn [Nat.add];
        rewrite none; change (place (rows_i (S t)) 2) with (part (rows_i (S t)) (2 * state) state); change (single (singles (S t)) 1) with (part (singles (S t)) 1 1);
        rewrite P1, P2, V, M; change (part (d_q t) 0 1) with (negative (d_q t) 0); rewrite !Z.add_0_r; exact E)
      ltac:(
        unfold product_joins, inputs; rewrite ND; apply (product_taken state operand _ _ Terms) with (rows := product_inputs t) (vectors := product_outputs t); try (clear - sizes T2 TD; lia);
        [exact B | exact G | rewrite <- ET; exact (multiples i) | destruct V as (_ & V); rewrite TN; by_tree V | rewrite EV, ?TN; exact P]).
  Qed.

  Lemma sum_of : forall t, two modulus (modulus_q (S t)) = two modulus (modulus_q t) -> legal (q_q (from t)) -> quotient_joins state Vectors inputs singles (S t) (number (q_q (from t)) * two modulus (modulus_q (from t))).
  Proof.
    intros t SM G. delay_is. assert (B : forall i, - 2 ^ (modulus - 1) <= two modulus (modulus_q i) < 2 ^ (modulus - 1)) by (intros i; apply two_range; [lia | range i]).
    unfold quotient_joins. by_terms
      ltac:(
        rewrite TN in G |- *; pose proof (extended state modulus _ _ ltac:(lia) ltac:(lia) (B (from t)) G) as E; destruct (gap_is state (rows_i (S t)) ltac:(lia)) as [_ G4];
        rewrite EV; unfold inputs; rewrite ND; cbn [total Nat.add]; rewrite G4, !Z.add_0_l;
        change (place (rows_i (S t)) 3) with (part (rows_i (S t)) (3 * state) state); change (single (singles (S t)) 0) with (part (singles (S t)) 0 1);
        by_form
          ltac:(
            assert (EF : from t = S t) by (unfold from; match goal with X : delay = 2 |- _ => rewrite X end; reflexivity); rewrite EF in *;
            pose proof (H_quotient_multiples (S t) 0 ltac:(rewrite ET, TN; split; reflexivity)) as [M1 M2];
            change (part (rows_i (S t)) (3 * state) state = extended_row state modulus (two modulus (modulus_q (S t))) (q_q (S t)) 0) in M1;
            change (part (singles (S t)) 0 1 = negative (q_q (S t)) 0) in M2; rewrite M1, M2; exact E)
          ltac:(
            assert (EF : from t = t) by (unfold from; match goal with X : delay = 3 |- _ => rewrite X end; reflexivity); rewrite EF in *;
            pose proof (H_quotient_multiples t 0 ltac:(rewrite ET, TN; split; reflexivity)) as [M1 M2];
            change (part (rows_i (S t)) (3 * state) state = extended_row state modulus (two modulus (modulus_q (S t))) (q_q t) 0) in M1;
            change (part (singles (S t)) 0 1 = negative (q_q t) 0) in M2; rewrite M1, M2, SM; exact E)
          ltac:(
            assert (EF : from t = t) by (unfold from; match goal with X : delay = 3 |- _ => rewrite X end; reflexivity); rewrite EF in *;
            pose proof (H_quotient_multiples t 0 ltac:(rewrite ET, TN; split; reflexivity)) as M;
            change (part (quotient_inputs t) (0 * state) state = extended_row state modulus (two modulus (modulus_q t)) (q_q t) 0) in M;
            destruct (H_quotient_rows t) as (_ & V); change (part (quotient_outputs t) 0 state = part (quotient_inputs t) (0 * state) state) in V;
            destruct (H_quotient_product t) as (_ & P1 & P2); rewrite P1, P2, V, M;
            change (part (q_q t) 0 1) with (negative (q_q t) 0); exact E))
      ltac:(
        rewrite EV; unfold inputs; rewrite ND; by_form
          ltac:(
            assert (EF : from t = S t) by (unfold from; match goal with X : delay = 2 |- _ => rewrite X end; reflexivity); rewrite EF in *;
            apply (rows_taken state modulus); [clear - sizes T2 TD; lia | apply B | exact G |]; rewrite <- ET; exact (H_quotient_multiples (S t)))
          ltac:(
            assert (EF : from t = t) by (unfold from; match goal with X : delay = 3 |- _ => rewrite X end; reflexivity); rewrite EF in *; rewrite <- SM;
            apply (rows_taken state modulus); [clear - sizes T2 TD; lia | apply B | exact G |]; rewrite <- ET; exact (H_quotient_multiples t))
          ltac:(
            assert (EF : from t = t) by (unfold from; match goal with X : delay = 3 |- _ => rewrite X end; reflexivity); rewrite EF in *;
            assert (R : (2 ^ state | place (quotient_outputs t) 0 + place (quotient_outputs t) 1 - (total (place (quotient_inputs t)) Terms + total (negative (q_q t)) (Terms - 2))))
              by (rewrite TN; destruct (H_quotient_rows t) as (_ & Q); by_tree Q);
            pose proof (product_taken state modulus (two modulus (modulus_q t)) (q_q t) Terms ltac:(clear - sizes T2 TD; lia) (B t) G (quotient_inputs t) (quotient_outputs t) (rows_i (S t)) (singles (S t)) 4 0
              ltac:(rewrite <- ET; exact (H_quotient_multiples t)) R ltac:(destruct (H_quotient_product t) as (_ & P); rewrite TN; exact P)) as A;
            cbn [total Nat.add] in A |- *; clear - A; by_sum)).
  Qed.

  Lemma bits_of : forall t, 0 <= net "u_core.u" t < r /\ 0 <= net "u_core.digit" t < r /\ 0 <= s_q t < 2 ^ state /\ 0 <= c_q t < 2 ^ state /\
    0 <= carry_q t <= 1 /\ 0 <= net "u_core.carry" t <= 1 /\ 0 <= u_transfer t <= 1 /\ 0 <= net "u_core.digit_transfer_q" t <= 1.
  Proof.
    intros t. assert (0 <= carry_q t < 2 ^ 1) by range t. assert (0 <= net "u_core.carry" t < 2 ^ 1) by range t.
    assert (0 <= u_transfer t < 2 ^ 1) by range t. assert (0 <= net "u_core.digit_transfer_q" t < 2 ^ 1) by range t.
    change (2 ^ 1) with 2 in *. unfold r. split; [range t |]. split; [range t |]. split; [range t |]. split; [range t |]. lia.
  Qed.

  Lemma digit_terms : forall x valid y below, 0 <= y < r -> 0 <= below <= 1 ->
    (forall j, 0 <= j < (digit + 1) / 2 ->
      (part x (3 * j + 2) 1 + 2 * part x (3 * j + 1) 1) * (1 - 2 * part x (3 * j + 0) 1) =
        (if valid =? 1 then booth_term (((2 * two digit y + below) / 2 ^ (2 * j)) mod 8) else 0) /\
      part x (3 * j + 2) 1 + part x (3 * j + 1) 1 <= 1 /\ (1 <= part x (3 * j + 2) 1 + part x (3 * j + 1) 1 \/ part x (3 * j + 0) 1 = 0)) ->
    legal x /\ number x = (if valid =? 1 then y + below - r * part y (digit - 1) 1 else 0) /\ (valid <> 1 -> forall j, (j < Terms)%nat -> negative x j = 0).
  Proof.
    intros x valid y below Y B H. destruct terms_number as (ET & T2 & TD). rewrite ET in H.
    replace (y + below - r * part y (digit - 1) 1) with (two digit y + below) by (rewrite (two_by_top digit y) by (try exact Y; lia); unfold r; ring).
    apply (unsigned_terms_of digit); [lia | exact Y | exact B | exact H].
  Qed.

  Lemma quotient_is : forall t, net "u_core.exact" t = 0 -> (net "u_core.q_valid_q" t = 1 -> ~ erased t) -> legal (q_q (S t)) /\
    number (q_q (S t)) = if net "u_core.q_valid_q" t =? 1 then net "u_core.u" t + u_transfer t - r * u_transfer (S t) else 0.
  Proof.
    intros t X V. destruct (bits_of t) as (U & _ & _ & _ & _ & _ & C & _).
    destruct (digit_terms _ (net "u_core.q_valid_q" t) _ _ U C (fun j J => H_quotient_terms t j J X)) as (G & E & _). split; [exact G |].
    rewrite E. destruct (Z.eqb_spec (net "u_core.q_valid_q" t) 1) as [F |]; [rewrite H_transfer by exact (V F); reflexivity | reflexivity].
  Qed.

  (* ---------------------------------------------------------------- control *)
  Section Request.
  (* A request is accepted in cycle c. *)
  Variables (c : nat).
  Let a := two operand (net "a_i" c). Let b := two operand (net "b_i" c). Let nbar := two W (net "n_scaled_i" c).
  Let first := S c.
  Let carried (t : nat) : Z := u_transfer (first + S t)%nat.
  Hypothesis begun : begins_in W loops many digit operand modulus net c.

  Lemma loop_state : forall t, (t <= L)%nat -> phase (first + t)%nat = 1 /\ left (first + t)%nat = Z.of_nat (L - t) /\
    b_q (first + t)%nat = net "b_i" c /\ two modulus (modulus_q (first + t)%nat) = nbar.
  Proof.
    destruct numbers as (_ & _ & EL & _). induction t; intros LT.
    - rewrite Nat.add_0_r. destruct begun as (_ & _ & _ & (A1 & A2 & _ & A4 & A5) & _). fold first nbar in A1, A2, A4, A5. rewrite A1, A2, A4, A5. split; [reflexivity |]. split; [lia |]. split; [reflexivity |].
      change (signed modulus nbar = nbar). apply signed_is; [lia | | exists 0; lia]. assert (0 <= net "n_scaled_i" c < 2 ^ W) by range c.
      pose proof (two_range W (net "n_scaled_i" c) ltac:(lia) ltac:(assumption)) as R. fold nbar in R. pose proof (Z.pow_le_mono_r 2 (W - 1) (modulus - 1) ltac:(lia) ltac:(lia)). lia.
    - destruct (IHt ltac:(lia)) as (I1 & I2 & I3 & I4). rewrite Nat.add_succ_r. destruct (H_count _ I1 ltac:(lia)) as [C1 C2].
      assert (I0 : idle (first + t)%nat = 0) by (apply resting; [exact I1 | lia]).
      rewrite C1, C2, (H_keep _ I0), (H_keep_modulus _ I0 I1 ltac:(lia)). repeat split; try assumption. lia.
  Qed.

  Lemma no_load_before : forall t, (t <= L)%nat -> load (first + t)%nat = 0.
  Proof.
    intros [| t] LT; [rewrite Nat.add_0_r; apply begun |]. rewrite Nat.add_succ_r.
    destruct (loop_state t ltac:(lia)) as (P0 & L0 & _). apply H_no_load_yet; [exact P0 | lia].
  Qed.

  Lemma not_idle : forall t, (t < L)%nat -> idle (first + t)%nat = 0.
  Proof. intros t LT. destruct (loop_state t ltac:(lia)) as (P0 & L0 & _). apply resting; [exact P0 | lia]. Qed.

  Lemma clear_at : clear first = 1 /\ (forall t, (t < L)%nat -> clear (first + S t)%nat = 0) /\ cleared first = 1 /\
    forall t, (t < L)%nat -> cleared (first + S t)%nat = 0.
  Proof.
    assert (C1 : clear first = 1) by (destruct (H_selects c) as (_ & E & _); unfold first; rewrite E, (proj1 begun); reflexivity).
    assert (C2 : forall t, (t < L)%nat -> clear (first + S t)%nat = 0).
    { intros t LT. rewrite Nat.add_succ_r. destruct (H_selects (first + t)%nat) as (_ & -> & _). rewrite not_idle by exact LT.
      destruct (loop_state (S t) ltac:(lia)) as (P0 & _). rewrite Nat.add_succ_r in P0. rewrite P0. reflexivity. }
    split; [exact C1 |]. split; [exact C2 |]. split.
    - destruct (H_selects first) as (_ & _ & _ & ->). rewrite C1. assert (0 <= load first < 2 ^ 1) by range first. change (2 ^ 1) with 2 in *.
      assert (load first = 0 \/ load first = 1) as [-> | ->] by lia; reflexivity.
    - intros t LT. destruct (H_selects (first + S t)%nat) as (_ & _ & _ & ->). rewrite C2, no_load_before by lia. reflexivity.
  Qed.

  Lemma not_erased : forall t, (t < L)%nat -> ~ erased (first + S t)%nat.
  Proof. intros t LT E. apply H_erased in E. destruct clear_at as (_ & C & _). rewrite C in E by exact LT. discriminate. Qed.

  Lemma empty : s_q (S first) = 0 /\ c_q (S first) = 0 /\ carry_q (S first) = 0.
  Proof.
    destruct clear_at as (C1 & _ & C2 & _). destruct (H_accumulate first) as (B1 & B2 & _). rewrite B1, B2, H_carry, C1, C2. repeat split; reflexivity.
  Qed.

  Lemma valid_at : net "u_core.q_valid_q" c = 0 /\ net "u_core.q_valid_q" first = 0 /\ forall t, (t < L)%nat ->
    net "u_core.q_valid_q" (first + S t)%nat = if Nat.leb t K then 1 else 0.
  Proof.
    destruct numbers as (_ & EK & EL & _). split; [| split].
    - destruct c as [| t]; [apply (H_at_reset O eq_refl) |]. destruct (H_valid t) as (_ & ->).
      destruct (Z.eqb_spec (phase t) 1) as [P1 |]; [| reflexivity]. destruct (Z.ltb_spec 0 (left t)) as [L1 |]; [| reflexivity].
      destruct (H_count t P1 L1) as [P2 L2]. rewrite (proj1 (proj2 begun) P2). destruct (Z.ltb_spec (loops - 2 - last) 0); [lia | reflexivity].
    - destruct (H_valid c) as (_ & E). unfold first. rewrite E. destruct (Z.eqb_spec (phase c) 1) as [P1 |]; [| reflexivity]. rewrite (proj1 (proj2 begun) P1). reflexivity.
    - intros t LT. destruct (loop_state t ltac:(lia)) as (P0 & Q & _). destruct (loop_state (S t) ltac:(lia)) as (_ & R & _). rewrite Nat.add_succ_r in *.
      destruct (H_valid (first + t)%nat) as (_ & ->). rewrite P0, Q, R. change (1 =? 1) with true. cbv iota.
      destruct (Z.ltb_spec 0 (Z.of_nat (L - t))); [| lia].
      destruct (Nat.leb_spec t K), (Z.ltb_spec (loops - 2 - last) (Z.of_nat (L - S t))); lia.
  Qed.

  Lemma d_valid_at : net "u_core.d_valid_q" c = 1 /\ forall t, (t <= L)%nat -> idle (first + t)%nat = 0 -> net "u_core.d_valid_q" (first + t)%nat = if Nat.ltb (S t) N then 1 else 0.
  Proof.
    destruct numbers as (EN & _ & EL & _). split.
    - destruct c as [| t]; [apply (H_at_reset O eq_refl) |]. destruct (H_valid t) as (-> & _). rewrite (proj1 begun). reflexivity.
    - intros t LT I0. destruct (loop_state t LT) as (P0 & Q & _). change (first + t)%nat with (S (c + t)) in *. destruct (H_valid (c + t)%nat) as (-> & _). rewrite P0, Q, I0.
      change (0 =? 1) with false. change (1 =? 1) with true. cbv iota.
      destruct (Nat.ltb_spec (S t) N), (Z.ltb_spec (loops + 1 - many) (Z.of_nat (L - t))); lia.
  Qed.

  (* ---------------------------------------------------------------- the digits of a *)
  Let below (t : nat) : Z := match t with O => 0 | S i => net "u_core.digit_transfer_q" (first + i)%nat end.
  Let d (t : nat) : Z := if Nat.ltb t N then net "u_core.digit" (c + t)%nat + below t - r * below (S t) else 0.

  Lemma below_range : forall t, 0 <= below t <= 1.
  Proof. intros [| t]; cbn [below]; [lia | apply bits_of]. Qed.

  Lemma below_is : forall t, below (S t) = part (net "u_core.digit" (c + t)%nat) (digit - 1) 1.
  Proof. intros t. cbn [below]. apply (H_a_transfer (c + t)%nat). Qed.

  Lemma digit_register : forall t, (t <= L)%nat \/ t = S L /\ idle (first + L)%nat = 0 -> legal (d_q (first + t)%nat) /\ number (d_q (first + t)%nat) = d t /\
    ((N <= t)%nat -> forall j, (j < Terms)%nat -> negative (d_q (first + t)%nat) j = 0).
  Proof.
    intros t LT. destruct d_valid_at as [V0 V]. destruct (bits_of (c + t)%nat) as (_ & U & _).
    assert (E : exists valid, valid = (if Nat.ltb t N then 1 else 0) /\ legal (d_q (first + t)%nat) /\
      number (d_q (first + t)%nat) = (if valid =? 1 then net "u_core.digit" (c + t)%nat + below t - r * part (net "u_core.digit" (c + t)%nat) (digit - 1) 1 else 0) /\
      (valid <> 1 -> forall j, (j < Terms)%nat -> negative (d_q (first + t)%nat) j = 0)).
    { destruct t as [| i].
      - exists 1. destruct (Nat.ltb_spec 0 N); [| destruct numbers; lia]. split; [reflexivity |]. rewrite !Nat.add_0_r in *. cbn [below].
        apply (digit_terms _ 1 _ 0 U ltac:(lia)). intros j J. pose proof (H_first_terms c j J (proj1 begun) V0) as F. rewrite V0 in F. exact F.
      - exists (net "u_core.d_valid_q" (first + i)%nat). assert (I0 : idle (first + i)%nat = 0) by (destruct LT as [LT | [E I0]]; [apply not_idle; lia | replace i with L by lia; exact I0]).
        specialize (V i ltac:(lia) I0). split; [exact V |]. rewrite !Nat.add_succ_r in *. cbn [below].
        change (S (c + i)) with (first + i)%nat in *. apply digit_terms; [exact U | apply bits_of |]. intros j J. apply (H_a_terms (first + i)%nat j J).
        left. exact I0. }
    destruct E as (valid & Ev & E1 & E2 & E3). split; [exact E1 |]. unfold d. rewrite below_is. split.
    - rewrite E2, Ev. destruct (Nat.ltb t N); reflexivity.
    - intros G. apply E3. rewrite Ev. destruct (Nat.ltb_spec t N); lia.
  Qed.

  Lemma digit_at : forall t, (t < N)%nat -> net "u_core.digit" (c + t)%nat = (a / pw r t) mod r.
  Proof.
    destruct radix as [_ Hh]. destruct numbers as (EN & _ & _ & _ & _ & _ & _ & NB & NL). assert (R1 : 1 < r) by (destruct radix; lia).
    assert (full : 2 ^ (many * digit) = pw r N) by (unfold r; rewrite EN, pw_words by lia; reflexivity).
    assert (A0 : a_q first = (a / r) mod pw r N).
    { destruct begun as (_ & _ & _ & (_ & _ & A & _) & _). rewrite <- full. exact A. }
    assert (moves : forall i, (i < N)%nat -> a_q (first + S i)%nat = a_q (first + i)%nat / r + pw r (N - 1) * net "u_core.u" (first + i)%nat).
    { intros i LT. destruct (loop_state i ltac:(lia)) as (P0 & _). rewrite Nat.add_succ_r, shifts by (exact P0 || apply not_idle; lia).
      fold r. f_equal. f_equal. unfold r. rewrite pw_words by lia. f_equal. lia. }
    intros [| t] LT; [cbn [pw]; rewrite Nat.add_0_r, Z.div_1_r |].
    - rewrite H_first_digit by exact (proj1 begun). reflexivity.
    - pose proof (lowest_word r N (fun i => a_q (first + i)%nat) (fun i => net "u_core.u" (first + i)%nat) R1 moves t ltac:(lia)) as E. cbv beta in E.
      rewrite Nat.add_0_r, A0 in E. rewrite Nat.add_succ_r. change (S (c + t)) with (first + t)%nat.
      destruct (loop_state t ltac:(lia)) as (P0 & _). rewrite H_other_digits by (apply not_idle; lia).
      unfold part. change (2 ^ 0) with 1. rewrite Z.div_1_r. fold r. rewrite E. cbn [pw]. pose proof (pw_pos r t ltac:(lia)).
      rewrite <- Z.div_div by lia. unfold r. rewrite !pw_words by lia. fold r. set (y := a / r).
      assert (fits : Z.of_nat t * digit + digit <= Z.of_nat N * digit) by (replace (Z.of_nat t * digit + digit) with (Z.of_nat (S t) * digit) by lia; apply Z.mul_le_mono_nonneg_r; lia).
      pose proof (part_part y 0 (Z.of_nat N * digit) (Z.of_nat t * digit) digit ltac:(lia) ltac:(lia) ltac:(lia) fits) as F. unfold part in F.
      change (2 ^ 0) with 1 in F. rewrite Z.div_1_r in F. exact F.
  Qed.

  Lemma a_bounds : - pw r N <= 2 * a < pw r N.
  Proof.
    destruct numbers as (EN & _). assert (R : 0 <= net "a_i" c < 2 ^ operand) by range c.
    pose proof (two_range operand _ ltac:(lia) R) as X. fold a in X. pose proof (half operand ltac:(lia)).
    unfold r. rewrite pw_words by lia. pose proof (Z.pow_le_mono_r 2 operand (Z.of_nat N * digit) ltac:(lia) ltac:(rewrite <- EN; lia)). lia.
  Qed.

  Lemma digits_of_a : a = digits r d N.
  Proof.
    destruct radix as [R Hh]. destruct numbers as (_ & _ & _ & _ & _ & NB & _). assert (R1 : 1 < r) by lia.
    rewrite (digits_ext r d (fun t => net "u_core.digit" (c + t)%nat + below t - r * below (S t))) by (intros t LT; unfold d; destruct (Nat.ltb_spec t N); [reflexivity | lia]).
    rewrite (recoded r _ (fun t => net "u_core.digit" (c + t)%nat) below N) by reflexivity.
    rewrite (digits_ext r _ (fun t => (a / pw r t) mod r)) by (intros; apply digit_at; assumption). rewrite word_digits by exact R1. cbn [below].
    replace N with (S (N - 1)) at 3 by lia. rewrite below_is, digit_at by lia. rewrite (top_bit_range digit) by (try (apply Z.mod_pos_bound); lia). fold h.
    pose proof a_bounds as B. replace N with (S (N - 1)) in B |- * by lia. replace (S (N - 1) - 1)%nat with (N - 1)%nat by lia. cbn [pw] in *.
    pose proof (pw_pos r (N - 1) ltac:(lia)) as Q. set (p := pw r (N - 1)) in *. rewrite (Z.mul_comm r p), Z.rem_mul_r by lia.
    pose proof (Z.div_mod a p ltac:(lia)) as E. pose proof (Z.mod_pos_bound a p Q) as M. set (y := a / p) in *. set (e := a mod p) in *.
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

  (* Digits that entered a_q from cycle s on: the last k ones are at its top. *)
  Lemma entered : forall s k, (k <= N)%nat -> (forall i, (i < k)%nat -> phase (s + i)%nat = 1 /\ idle (s + i)%nat = 0) ->
    part (a_q (s + k)%nat) (many * digit - Z.of_nat k * digit) (Z.of_nat k * digit) = digits r (fun i => net "u_core.u" (s + i)%nat) k.
  Proof.
    intros s k LK looping. destruct radix as [R Hh]. destruct numbers as (EN & _). set (w := fun i => net "u_core.u" (s + i)%nat). set (z := fun i => a_q (s + i)%nat).
    assert (Us : 2 ^ (many * digit) = pw r N) by (unfold r; rewrite EN, pw_words by lia; reflexivity).
    assert (Up : 2 ^ (many * digit - Z.of_nat k * digit) = pw r (N - k)) by (unfold r; rewrite pw_words by lia; f_equal; rewrite EN, Nat2Z.inj_sub by exact LK; ring).
    assert (Lp : 2 ^ (Z.of_nat k * digit) = pw r k) by (unfold r; rewrite pw_words by lia; reflexivity).
    assert (z0 : 0 <= z O < pw r N) by (rewrite <- Us; unfold z; range (s + 0)%nat).
    assert (moves : forall i, (i < k)%nat -> z (S i) = z i / r + pw r (N - 1) * w i).
    { intros i LT. unfold z. rewrite Nat.add_succ_r. destruct (looping i LT) as [P0 I0].
      rewrite shifts by assumption. fold r. do 2 f_equal.
      unfold r. rewrite pw_words by lia. f_equal. rewrite EN, Nat2Z.inj_sub by (clear - LK LT; lia). change (Z.of_nat 1) with 1. ring. }
    change (a_q (s + k)%nat) with (z k). unfold part. rewrite Up, Lp, (entered_words r N k z w) by (try exact moves; try exact LK; try exact z0; try (intros; apply bits_of); clear - R Hh; lia).
    apply Z.mod_small, digits_bound; [clear - R Hh; lia |]. intros. apply bits_of.
  Qed.

  (* ---------------------------------------------------------------- the recurrence *)
  (* x is added to the lowest digit, bound is that of the pair. *)
  Variables (P limit : Z) (x : nat -> Z).
  Let bound := h * limit.
  Hypotheses (quiet : net "u_core.exact" c = 0 /\ forall t, (t < L)%nat -> net "u_core.exact" (first + t)%nat = 0)
    (transfers : transfer first = 0 /\ forall t, (t < L)%nat -> transfer (first + S t)%nat = x t /\ (x t = 0 \/ x t = carried t /\ (N < t)%nat))
    (nbar_range : - P <= 2 * nbar <= P) (b_range : - limit <= 2 * b <= limit) (limits : 0 <= P <= limit) (room : bound + 2 <= 2 ^ (state - 2)).

  Let u (t : nat) : Z := net "u_core.u" (first + S t)%nat.
  Let q (t : nat) : Z := if Nat.leb t K then u t + carried t - r * carried (S t) else 0.
  Let Y (t : nat) : Z := pair_value state (s_q (first + S t)%nat) (c_q (first + S t)%nat) + carry_q (first + S t)%nat.

  Lemma carried_is : forall t, ~ erased (first + S t)%nat -> carried (S t) = if 2 * u t <? r then 0 else 1.
  Proof.
    intros t NE. destruct radix as [R Hh]. unfold carried. rewrite (Nat.add_succ_r first (S t)), H_transfer by exact NE.
    destruct (bits_of (first + S t)%nat) as (U & _). rewrite (top_bit_range digit) by (try exact U; lia). fold h. unfold u.
    destruct (Z.ltb_spec (net "u_core.u" (first + S t)%nat) h), (Z.ltb_spec (2 * net "u_core.u" (first + S t)%nat) r); lia.
  Qed.

  Lemma even : forall t, (N <= t < L)%nat -> c_q (first + S (S t))%nat mod 2 = 0.
  Proof.
    intros t LT. rewrite Nat.add_succ_r. destruct (H_accumulate (first + S t)%nat) as (_ & _ & ->).
    destruct clear_at as (_ & _ & _ & C). rewrite C by lia. change (0 =? 1) with false. cbv iota. rewrite Nat.add_succ_r.
    pose proof (H_product (first + t)%nat (no_load_before t ltac:(lia))) as PR. destruct (digit_register t ltac:(lia)) as (_ & _ & G).
    assert (G0 : negative (d_q (first + t)%nat) (Terms - 1) = 0) by (apply (G (proj1 LT)); destruct terms_number; lia). clear G. by_terms
      ltac:(destruct PR as [_ E]; rewrite TN in G0; rewrite E; exact G0)
      ltac:(destruct PR as (_ & _ & _ & E); rewrite TN in G0; rewrite E; exact G0).
  Qed.

  Lemma quotient_register : forall k, (k < L)%nat -> legal (q_q (first + S k)%nat) /\
    number (q_q (first + S k)%nat) = match k with O => 0 | S i => q i end.
  Proof.
    intros k LT. rewrite Nat.add_succ_r. destruct (quotient_is (first + k)%nat (proj2 quiet k LT)) as [G E].
    { destruct valid_at as (_ & V0 & _). destruct k as [| i]; [rewrite Nat.add_0_r, V0; discriminate | intros _; apply not_erased; lia]. }
    split; [exact G |]. rewrite E. destruct valid_at as (_ & V0 & V). destruct k as [| i]; [rewrite Nat.add_0_r, V0; reflexivity |]. rewrite (V i ltac:(lia)).
    unfold q, u, carried. rewrite !Nat.add_succ_r. destruct (Nat.leb i K); reflexivity.
  Qed.

  Lemma no_quotient : legal (q_q first) /\ number (q_q first) = 0.
  Proof.
    destruct valid_at as (V0 & _). destruct (quotient_is c (proj1 quiet)) as [G E]; [rewrite V0; discriminate |]. split; [exact G |]. unfold first. rewrite E, V0. reflexivity.
  Qed.

  Lemma quotient_at : forall t, (t < L)%nat -> legal (q_q (from (first + t)%nat)) /\ number (q_q (from (first + t)%nat)) = delayed D1 q t /\
    two modulus (modulus_q (from (first + t)%nat)) = nbar.
  Proof.
    intros t LT. destruct numbers as (_ & _ & _ & ED & _). assert (delay = 2 \/ delay = 3) as [E2 | E3] by lia; unfold delayed.
    - assert (D1 = 1%nat) as E1 by lia. assert (from (first + t)%nat = S (first + t)) as -> by (unfold from; rewrite E2; reflexivity). rewrite <- Nat.add_succ_r.
      destruct (quotient_register t LT) as [G E]. destruct (loop_state (S t) ltac:(lia)) as (_ & _ & _ & M).
      split; [exact G |]. split; [| exact M]. rewrite E, E1. destruct t as [| i]; [reflexivity |].
      change (Nat.ltb (S i) 1) with false. cbv iota. rewrite Nat.sub_succ, Nat.sub_0_r. reflexivity.
    - assert (D1 = 2%nat) as E1 by lia. assert (from (first + t)%nat = (first + t)%nat) as -> by (unfold from; rewrite E3; reflexivity).
      destruct (loop_state t ltac:(lia)) as (_ & _ & _ & M). rewrite E1. destruct t as [| k].
      + rewrite Nat.add_0_r in *. destruct no_quotient as [G E]. split; [exact G |]. split; [exact E | exact M].
      + destruct (quotient_register k ltac:(lia)) as [G E]. split; [exact G |]. split; [| exact M]. rewrite E. destruct k as [| i]; [reflexivity |].
        change (Nat.ltb (S (S i)) 2) with false. cbv iota. do 2 rewrite Nat.sub_succ. rewrite Nat.sub_0_r. reflexivity.
  Qed.

  Lemma product_range : forall t, - bound <= 2 * (d t * b) <= bound.
  Proof. intros t. pose proof (range_mul (d t) (2 * b) h limit (d_range t) b_range) as B. unfold bound. clear - B. lia. Qed.

  Lemma quotient_range : forall t, - bound <= 2 * (delayed D1 q t * nbar) <= bound.
  Proof.
    intros t. destruct radix as [R Hh]. assert (qR : - h <= delayed D1 q t <= h).
    { unfold delayed. destruct (Nat.ltb t D1); [lia |]. set (k := (t - D1)%nat). unfold q. destruct (Nat.leb_spec k K); [| lia]. rewrite carried_is by (apply not_erased; destruct numbers as (_ & _ & _ & _ & _ & _ & _ & _ & NL); lia).
      destruct (bits_of (first + S k)%nat) as (Uk & _ & _ & _ & _ & _ & Ck & _). unfold u, carried in *. destruct (Z.ltb_spec (2 * net "u_core.u" (first + S k)%nat) r); lia. }
    pose proof (range_mul _ (2 * nbar) h P qR nbar_range) as B. assert (h * P <= bound) by (unfold bound; apply Z.mul_le_mono_nonneg_l; lia). lia.
  Qed.

  Lemma accumulates : forall t, cleared t = 0 -> s_q (S t) = place (outputs t) 0 /\ c_q (S t) = place (outputs t) 1.
  Proof.
    intros t C. destruct (H_accumulate t) as (E1 & E2 & _). rewrite C in E1, E2. change (0 =? 1) with false in E1, E2. cbv iota in E1, E2. split; [exact E1 | exact E2].
  Qed.

  Lemma next_sum : forall i z e g, two modulus (modulus_q (S i)) = two modulus (modulus_q i) -> cleared (S i) = 0 -> legal (q_q (from i)) -> number (q_q (from i)) * two modulus (modulus_q (from i)) = g ->
    (2 ^ state | place (inputs (S i)) 0 + place (inputs (S i)) 1 - z) -> product_joins state Vectors inputs singles (S i) e ->
    (2 ^ state | z + e + g - (s_q (S (S i)) + c_q (S (S i)))).
  Proof.
    intros i z e g SM C Lq <- D0 D2.
    exact (UnitAccumulator.next_sum state digit Vectors inputs singles outputs s_q c_q cleared (net "u_core.u_accumulator.fold") ltac:(lia) pair_reduced accumulates _ z e _ C D0 D2 (sum_of i SM Lq)).
  Qed.

  Lemma step : forall t, (t < L)%nat -> - (bound + 1) <= Y t <= bound + 1 ->
    r * Y (S t) = Y t + x t - u t + r * (d t * b) + r * (delayed D1 q t * nbar).
  Proof.
    intros t LT B. destruct radix as [R Hh]. destruct clear_at as (_ & C & _ & CC). specialize (C t LT). specialize (CC t LT).
    assert (B0 : 0 <= bound) by (unfold bound; apply Z.mul_nonneg_nonneg; lia).
    destruct (proj2 transfers t LT) as [X X2]. destruct (bits_of (first + S t)%nat) as (U & _ & _ & _ & K1 & K2 & K3 & _).
    assert (Q : net "u_core.u" (first + S t)%nat + r * net "u_core.carry" (first + S t)%nat = part (s_q (first + S t)%nat) 0 digit + part (c_q (first + S t)%nat) 0 digit + carry_q (first + S t)%nat + x t).
    { rewrite <- X. apply (H_quotient_digit (first + S t)%nat). rewrite X. destruct X2 as [E | [_ E]]; [left; exact E | right]. destruct t as [| k]; [lia |]. apply even. lia. }
    assert (xr : 0 <= x t <= 1) by (destruct X2 as [-> | [-> _]]; [split; discriminate | exact K3]).
    destruct (digit_register t ltac:(lia)) as (Ld & Ed & _). pose proof (product_sum (c + t)%nat (no_load_before t ltac:(lia)) Ld) as D2.
    change (S (c + t)) with (first + t)%nat in D2.
    destruct (loop_state t ltac:(lia)) as (_ & _ & Eb & _). rewrite Ed, Eb in D2. fold b in D2.
    destruct (quotient_at t LT) as (Lq & Eq & Em). assert (SM : two modulus (modulus_q (S (first + t))) = two modulus (modulus_q (first + t)%nat)).
    { destruct (loop_state t ltac:(lia)) as (_ & _ & _ & ->). rewrite <- Nat.add_succ_r. apply loop_state. lia. }
    pose proof (sum_of (first + t)%nat SM Lq) as D3. rewrite Eq, Em in D3. rewrite <- Nat.add_succ_r in D2, D3.
    pose proof (advance state digit Vectors inputs singles outputs s_q c_q cleared (net "u_core.u_accumulator.fold") ltac:(lia) pair_reduced accumulates) as A.
    specialize (A ltac:(intros i; destruct (bits_of i) as (_ & _ & S1 & C1 & _); split; [exact S1 |]; split; [exact C1 |]; change 4 with (2 ^ 2); range i) folds).
    specialize (A h (first + S t)%nat bound _ _ _ (x t) _ _ ltac:(lia) R CC D2 D3 B0 room B K1 xr U K2 Q (product_range t) (quotient_range t)). cbv zeta in A.
    pose proof (H_carry (first + S t)%nat) as Kc. rewrite C in Kc. change (0 =? 1) with false in Kc. cbv iota in Kc.
    unfold Y. rewrite (Nat.add_succ_r first (S t)), Kc. exact A.
  Qed.

  Lemma at_start : Y O = 0.
  Proof.
    destruct empty as (E1 & E2 & E3). unfold Y. rewrite Nat.add_1_r, E1, E2, E3. unfold pair_value, signed. rewrite Zmod_0_l. unfold two.
    destruct (Z.ltb_spec 0 (2 ^ (state - 1))); [reflexivity |]. pose proof (Z.pow_pos_nonneg 2 (state - 1) ltac:(lia) ltac:(lia)). lia.
  Qed.
  End Request.
End Loop.
