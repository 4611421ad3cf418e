(* SPDX-License-Identifier: Apache-2.0 *)
(* mf_unit_chain from the nets of the RTL to the contract, for every width, digit and word. The hypotheses are the lemmas that montforge prints into unit_chain_lemmas.v and
   proves on the RTL. Cycle 0 of an operation is `first`, as in the RTL's header. *)
From Coq Require Import ZArith Arith Lia String.
Require Import DigitRecurrence Instances UnsignedDigits WordSerial Contract Control Bits Blocks Groups Raised UnitAccumulator ChainSums ChainTree Numbered unit_chain_lemmas.
Open Scope string_scope. Open Scope Z_scope.
Set Default Proof Using "All".

Section Chain.
  Variables (width : nat) (many steps levels digit operand state chain : Z) (net : trace) (n_of : nat -> Z).
  Let W := Z.of_nat width.
  Local Notation on lemma := (lemma W many steps levels digit operand state chain net).
  Hypotheses (sizes : (3 <= W /\ 1 <= levels /\ digit = 2 ^ levels /\ chain = steps * digit /\ levels + 1 <= steps) /\
      (operand = W + digit * (levels + 2) + 1 /\ state = operand + digit + 1 /\ chain < state /\ operand < many * digit <= operand + digit)) (H_ranges : on ranges)
    (H_control_at_reset : on control_at_reset) (H_control_on : on control_on) (H_accepts : on accepts) (H_counts : on counts) (H_ends : on ends) (H_waits : on waits)
    (H_loads : on loads) (H_next_digit : on next_digit) (H_modulus : on modulus) (H_low_digits : on low_digits) (H_cleared : on cleared) (H_lines : on lines)
    (H_rows : on rows) (H_joints : on joints) (H_narrow : on narrow) (H_words : on words) (H_ages : on ages) (H_late_digits : on late_digits)
    (H_no_other_digits : on no_other_digits) (H_late_joins : on late_joins) (H_flags : on flags) (H_look_ahead : on look_ahead) (H_nothing_between : on nothing_between)
    (H_answer : on answer).

  Local Notation phase := (net "phase_q"). Local Notation cycle := (net "cycle_q"). Local Notation idle := (net "idle_q"). Local Notation take := (net "take_q").
  Local Notation shift := (net "shift_q"). Local Notation n_clear := (net "n_clear_q"). Local Notation tail i t := (part (net "tail_q" t) i 1).
  Local Notation a_q := (net "a_q"). Local Notation b_q := (net "b_q"). Local Notation n_q := (net "n_q"). Local Notation d_q := (net "d_q"). Local Notation low_q := (net "low_q").
  Local Notation y_q := (net "y_q"). Local Notation y_carry := (net "y_carry_q"). Local Notation y_into := (net "y_carry_in_q"). Local Notation between := (net "between").
  Local Notation late := (net "late"). Local Notation generates := (net "generates_q"). Local Notation propagates := (net "propagates_q").
  Local Notation into_rows := (net "gen_level[0].gen_sum[0..].carry_in").
  (* As the lemmas have them. *)
  Local Notation END := (many + steps + 2 * levels + 3). Local Notation SUM := (operand + digit + levels). Local Notation ENDS := ((operand + digit + levels + chain - 1) / chain).
  Local Notation WORDS := ((state + chain - 1) / chain). Local Notation ROW_ENDS := ((operand + 1 + chain - 1) / chain). Local Notation LOW := ((steps + levels + 1) * digit).

  Let r := 2 ^ digit.
  Let v := Z.to_nat levels.
  Let k := Z.to_nat steps.
  Let K := Z.to_nat many.
  Let F := (K + k + 2 * v + 3)%nat.                 (* the cycle in which Y stops *)
  Let D := (v + 1)%nat.
  Let M := Z.to_nat WORDS.
  Let wide (e : nat) : Z := operand + 2 ^ Z.of_nat e + Z.of_nat e.
  Let E (e : nat) : nat := Z.to_nat ((wide e + (chain - 1)) / chain).
  Let NC := S (Z.to_nat ((operand - 2) / chain)).   (* words out of which there are carries *)

  (* ---------------------------------------------------------------- sizes *)
  Lemma numbers : (levels = Z.of_nat v /\ steps = Z.of_nat k /\ many = Z.of_nat K /\ END = Z.of_nat F) /\ (1 <= v)%nat /\ (v + 1 <= k)%nat /\ (1 <= K)%nat /\ digit = 2 ^ Z.of_nat v /\
    digit = Z.of_nat (2 ^ v) /\ 2 <= digit.
  Proof.
    destruct sizes as ((W3 & L1 & ED & EC & LS) & (EO & ES & CS & MD & MD2)). assert (D2 : 2 <= digit) by (rewrite ED; change 2 with (2 ^ 1) at 1; apply Z.pow_le_mono_r; lia).
    assert (0 < many) by (apply (Z.mul_lt_mono_pos_r digit); [lia |]; assert (0 <= digit * (levels + 2)) by (apply Z.mul_nonneg_nonneg; lia); lia).
    assert (EV : levels = Z.of_nat v) by (unfold v; lia). split; [unfold F, v, k, K; lia |]. split; [lia |]. split; [unfold k; lia |]. split; [unfold K; lia |]. split; [rewrite <- EV; exact ED |].
    split; [| exact D2]. rewrite ED, EV. rewrite Nat2Z.inj_pow. reflexivity.
  Qed.

  Lemma room : digit + 2 * levels <= chain /\ 2 * digit <= chain /\ 0 < chain /\ 2 <= operand - 3 /\ W <= operand - 2.
  Proof.
    destruct numbers as ((EV & EK & EM & EF) & v1 & vk & K1 & ED & ED2 & D2). destruct sizes as ((W3 & L1 & _ & EC & LS) & (EO & _)).
    assert (digit * (levels + 1) <= chain) by (rewrite EC, (Z.mul_comm steps); apply Z.mul_le_mono_nonneg_l; lia). assert (levels * 2 <= levels * digit) by (apply Z.mul_le_mono_nonneg_l; lia).
    assert (1 * digit <= levels * digit) by (apply Z.mul_le_mono_nonneg_r; lia). repeat split; lia.
  Qed.

  Lemma few : (1 <= NC)%nat /\ Z.of_nat (NC - 1) * chain + 2 <= operand /\ operand - 1 <= Z.of_nat NC * chain.
  Proof.
    destruct room as (_ & _ & C0 & O2 & _). pose proof (Z.div_mod (operand - 2) chain ltac:(lia)) as DM. pose proof (Z.mod_pos_bound (operand - 2) chain C0) as MB. pose proof (Z.div_pos (operand - 2) chain ltac:(lia) C0).
    unfold NC. set (q := (operand - 2) / chain) in *. rewrite Nat2Z.inj_succ. replace (S (Z.to_nat q) - 1)%nat with (Z.to_nat q) by lia. rewrite Z2Nat.id by lia. split; [lia |]. split; lia.
  Qed.

  Lemma powers_of_levels : forall e, (e <= v)%nat -> 1 <= 2 ^ Z.of_nat e <= digit.
  Proof.
    intros e L. destruct numbers as (_ & _ & _ & _ & ED & _). rewrite ED. pose proof (Z.pow_pos_nonneg 2 (Z.of_nat e) ltac:(lia) ltac:(lia)). pose proof (Z.pow_le_mono_r 2 (Z.of_nat e) (Z.of_nat v) ltac:(lia) ltac:(lia)). lia.
  Qed.

  Lemma ends_at : forall e, (e <= v)%nat -> wide e <= Z.of_nat (E e) * chain /\ (Z.of_nat (E e) - 1) * chain < wide e /\ (1 <= E e)%nat /\ (E e - 1 <= NC <= E e)%nat.
  Proof.
    intros e L. destruct room as (C1 & C2 & C0 & O2 & _). destruct few as (N1 & N2 & N3). pose proof (powers_of_levels e L) as P. destruct numbers as ((EV & _) & _).
    assert (R : operand + 1 <= wide e <= operand + digit + levels) by (unfold wide; lia).
    pose proof (Z.div_mod (wide e + (chain - 1)) chain ltac:(lia)) as DM. pose proof (Z.mod_pos_bound (wide e + (chain - 1)) chain C0) as MB. pose proof (Z.div_pos (wide e + (chain - 1)) chain ltac:(lia) C0).
    unfold E. set (q := (wide e + (chain - 1)) / chain) in *. rewrite Z2Nat.id by lia.
    assert (Q1 : 1 <= q) by (apply Z.lt_succ_r, (Z.mul_lt_mono_pos_l chain); lia).
    split; [lia |]. split; [lia |]. split; [lia |]. split.
    - apply Nat2Z.inj_le, Z.lt_succ_r, (Z.mul_lt_mono_pos_r chain); [lia |]. rewrite Nat2Z.inj_sub, Z2Nat.id by lia. lia.
    - apply Nat2Z.inj_le. rewrite Z2Nat.id by lia. apply Z.lt_succ_r. replace (Z.of_nat NC) with (Z.of_nat (NC - 1) + 1) by lia. assert (Z.of_nat (NC - 1) < q) by (apply (Z.mul_lt_mono_pos_r chain); lia). lia.
  Qed.

  Lemma words_number : WORDS = Z.of_nat M /\ (2 <= M)%nat /\ state <= Z.of_nat M * chain /\ (Z.of_nat M - 1) * chain < state /\ (M - 1 <= NC)%nat.
  Proof.
    destruct room as (C1 & C2 & C0 & O2 & _). destruct few as (N1 & N2 & N3). destruct numbers as ((EV & _) & v1 & _). destruct sizes as (_ & (_ & ES & CS & _)).
    pose proof (Z.div_mod (state + chain - 1) chain ltac:(lia)) as DM. pose proof (Z.mod_pos_bound (state + chain - 1) chain C0) as MB. pose proof (Z.div_pos (state + chain - 1) chain ltac:(lia) C0).
    unfold M. set (q := (state + chain - 1) / chain) in *. rewrite !Z2Nat.id by lia. assert (2 <= q) by (assert (1 < q); [apply (Z.mul_lt_mono_pos_l chain); lia | lia]).
    split; [reflexivity |]. split; [lia |]. split; [lia |]. split; [lia |].
    apply Nat2Z.inj_le, Z.lt_succ_r, (Z.mul_lt_mono_pos_r chain); [lia |]. rewrite Nat2Z.inj_sub, Z2Nat.id by lia. lia.
  Qed.

  Lemma radix : 4 <= r /\ pw r k = 2 ^ chain.
  Proof.
    destruct numbers as ((EV & EK & _) & _ & _ & _ & _ & _ & D2). destruct sizes as ((_ & _ & _ & EC & _) & _). unfold r. split; [change 4 with (2 ^ 2); apply Z.pow_le_mono_r; lia |].
    rewrite pw_words by lia. f_equal. rewrite EC, EK. reflexivity.
  Qed.

  (* ---------------------------------------------------------------- control *)
  Lemma in_control : forall t, under_control W many steps levels digit operand state chain net t.
  Proof. induction t; [apply (H_control_at_reset O eq_refl) | apply H_control_on, IHt]. Qed.

  Lemma control : forall t, (phase t <= 2 /\ idle t = (if phase t =? 0 then 1 else 0) /\ net "req_ready_o" t = idle t /\ net "rsp_valid_o" t = (if phase t =? 2 then 1 else 0)) /\
    ((phase t = 1 /\ cycle t <= END + 4) \/ cycle t = 0 \/ (phase t = 2 /\ cycle t = END + 5)) /\
    (tail 1 t = (if cycle t =? END then 1 else 0) /\ tail 3 t = (if cycle t =? END + 2 then 1 else 0) /\ n_clear t = (if cycle t =? many + levels + 1 then 1 else 0)) /\
    (phase t = 1 -> take t = if cycle t <=? END - 2 then 1 else 0) /\ (phase t = 1 -> cycle t <> 0 -> shift t = if cycle t <=? END - 1 then 1 else 0) /\ (phase t = 2 -> take t = 0 /\ shift t = 0).
  Proof.
    intros t. pose proof (in_control t) as X. unfold under_control in X. rewrite Z.add_0_r in X. assert (R1 : 0 <= take t) by apply (H_ranges t). assert (R2 : 0 <= shift t) by apply (H_ranges t).
    destruct X as ((((((((((((((P & I) & Y) & V) & CY) & _) & T1) & _) & T3) & _) & _) & NCl) & TK) & SH) & DN).
    split; [auto |]. split; [destruct CY as [[CY | CY] | CY]; auto |]. split; [auto |]. clear - TK SH DN R1 R2.
    split; [intros Q; destruct TK as [[TK | TK] | TK]; [lia | lia | exact TK] |]. split; [| intros Q; destruct DN; lia].
    intros Q C. destruct SH as [[[SH | SH] | SH] | SH]; [lia | lia | lia | exact SH].
  Qed.

  (* ---------------------------------------------------------------- parts of the nets *)
  Lemma in_range_of : forall t, (0 <= y_q t < 2 ^ state /\ 0 <= n_q t < 2 ^ W /\ 0 <= b_q t < 2 ^ operand /\ 0 <= low_q t < 2 ^ LOW) /\ (0 <= net "a_i" t < 2 ^ operand /\ 0 <= late t < 2 ^ SUM).
  Proof. intros t. repeat split; in_range H_ranges t. Qed.

  Lemma flag_part : forall x l n j, 0 <= l -> 0 <= Z.of_nat j -> Z.of_nat j + 1 <= n -> flag (part x l n) j = part x (l + Z.of_nat j) 1.
  Proof. intros x l n j L J N. rewrite <- (part_part x l n (Z.of_nat j) 1) by lia. reflexivity. Qed.

  Lemma block_part : forall x l n N j, 0 <= l -> N <= n -> 0 < chain -> 0 <= bits chain N j -> block chain N (part x l n) j = part x (l + Z.of_nat j * chain) (bits chain N j).
  Proof.
    intros x l n N j L LN C B. assert (0 <= Z.of_nat j * chain) by (apply Z.mul_nonneg_nonneg; lia).
    rewrite <- (part_part x l n (Z.of_nat j * chain) (bits chain N j)) by (unfold bits in *; lia). reflexivity.
  Qed.

  Lemma levels_of : forall q i, (i < 2 ^ q)%nat -> Z.log2_up (Z.of_nat (2 ^ q) + Z.of_nat i + 1) = Z.of_nat q + 1.
  Proof.
    intros q i L. pose proof (Nat2Z.inj_pow 2 q) as X. change (Z.of_nat 2) with 2 in X. rewrite X. rewrite (Z.add_1_r (Z.of_nat q)). apply Z.log2_up_unique; [lia |]. rewrite Z.pred_succ, Z.pow_succ_r by lia. rewrite <- X. set (p := (2 ^ q)%nat) in *. clearbody p. clear - L. lia.
  Qed.

  (* The number of sum i of a level in the lemmas. *)
  Lemma place_of : forall e i, (e <= v)%nat -> (i < 2 ^ (v - e))%nat -> exists x, 0 <= x < 2 * digit - 1 /\ ((1 <= e)%nat -> x < digit - 1) /\ ((e < v)%nat -> 0 < x) /\
    levels - (Z.log2_up (x + 2) - 1) = Z.of_nat e /\ x + 1 - 2 ^ (Z.log2_up (x + 2) - 1) = Z.of_nat i.
  Proof.
    intros e i Le Li. destruct numbers as ((EV & _) & _ & _ & _ & _ & ED & _). exists (Z.of_nat (2 ^ (v - e)) + Z.of_nat i - 1).
    replace (Z.of_nat (2 ^ (v - e)) + Z.of_nat i - 1 + 2) with (Z.of_nat (2 ^ (v - e)) + Z.of_nat i + 1) by ring. rewrite levels_of by exact Li.
    pose proof (Nat2Z.inj_pow 2 (v - e)) as X. change (Z.of_nat 2) with 2 in X. replace (Z.of_nat (v - e) + 1 - 1) with (Z.of_nat (v - e)) by ring. rewrite <- X.
    assert (P : (1 <= 2 ^ (v - e) <= 2 ^ v)%nat) by (split; [change 1%nat with (2 ^ 0)%nat; apply Nat.pow_le_mono_r; lia | apply Nat.pow_le_mono_r; lia]). clear X.
    split; [lia |]. split; [intros G; assert ((2 * 2 ^ (v - e) <= 2 ^ v)%nat) by (rewrite <- Nat.pow_succ_r'; apply Nat.pow_le_mono_r; lia); lia |].
    split; [intros G; assert ((2 ^ 1 <= 2 ^ (v - e))%nat) by (apply Nat.pow_le_mono_r; lia); change (2 ^ 1)%nat with 2%nat in *; lia |]. split; lia.
  Qed.

  Lemma loop_of : forall c, phase c = 0 -> net "req_valid_i" c = 1 -> forall i, (i <= F + 4)%nat -> phase (S c + i)%nat = 1 /\ cycle (S c + i)%nat = Z.of_nat i.
  Proof.
    intros c begins request. destruct numbers as ((_ & _ & _ & EF) & _). induction i; intros I; [rewrite Nat.add_0_r; apply (H_accepts c (in_control c) begins request) |]. rewrite Nat.add_succ_r.
    destruct (IHi ltac:(clear - I; lia)) as [P C]. destruct (H_counts _ (in_control (S c + i)%nat) P ltac:(clear - C EF I; lia)) as [-> ->]. split; [reflexivity | clear - C; lia].
  Qed.

  Lemma done_at : forall c, phase c = 0 -> net "req_valid_i" c = 1 -> phase (S c + (F + 5))%nat = 2.
  Proof.
    intros c B Q. destruct (loop_of c B Q (F + 4) (le_n _)) as [P C]. destruct numbers as ((_ & _ & _ & EF) & _). replace (S c + (F + 5))%nat with (S (S c + (F + 4))) by (clear; lia).
    apply (H_ends _ (in_control _) P). clear - C EF. lia.
  Qed.

  Section Request.
  (* A request is accepted in cycle c; until cycle `whole` of it no other one is. *)
  Variables (c whole : nat).
  Let n := n_of c. Let a := net "a_i" c. Let b := net "b_i" c. Let nbar := net "n_scaled_i" c. Let L := 2 ^ (digit * (levels + 2)).
  Hypotheses (begins : phase c = 0) (request : net "req_valid_i" c = 1) (odd : n mod 2 = 1) (least : 3 <= n) (most : n < 2 ^ W)
    (constant : raised (digit * (levels + 2)) n (2 ^ (digit * (levels + 2)) * nbar)) (a_range : 0 <= a < 2 * L * n) (b_range : 0 <= b < 2 * L * n).
  Let first := S c.
  Hypotheses (long : (F + 5 <= whole)%nat) (waiting : forall i, (F + 5 <= i <= whole)%nat -> phase (first + i)%nat = 2).

  Lemma in_loop : forall i, (i <= F + 4)%nat -> phase (first + i)%nat = 1 /\ cycle (first + i)%nat = Z.of_nat i.
  Proof. exact (loop_of c begins request). Qed.

  Lemma busy : forall i, (i <= whole)%nat -> idle (first + i)%nat = 0.
  Proof.
    intros i I. destruct (control (first + i)%nat) as ((_ & -> & _) & _). destruct (Nat.le_gt_cases i (F + 4)) as [X | X]; [destruct (in_loop i X) as [-> _]; reflexivity | rewrite waiting by lia; reflexivity].
  Qed.

  Lemma counter : forall i, (i <= whole)%nat -> ((i <= F + 4)%nat /\ cycle (first + i)%nat = Z.of_nat i) \/ (F + 5 <= i)%nat /\ (cycle (first + i)%nat = 0 \/ cycle (first + i)%nat = Z.of_nat (F + 5)).
  Proof.
    intros i I. destruct numbers as ((_ & _ & _ & EF) & _). destruct (Nat.le_gt_cases i (F + 4)) as [X | X]; [left; split; [exact X | apply in_loop, X] |]. right. split; [lia |]. pose proof (waiting i ltac:(lia)) as P.
    destruct (control (first + i)%nat) as (_ & [[Q _] | [Q | [_ Q]]] & _); [rewrite P in Q; discriminate | left; exact Q | right; rewrite Q, EF; clear; lia].
  Qed.

  Lemma tail_bit : forall i, (i <= whole)%nat -> (i <> F)%nat -> tail 1 (first + i)%nat = 0.
  Proof.
    intros i I N. destruct numbers as ((_ & _ & _ & EF) & _). destruct (control (first + i)%nat) as (_ & _ & (-> & _) & _). pose proof (counter i I) as C. destruct (Z.eqb_spec (cycle (first + i)%nat) END); [lia | reflexivity].
  Qed.

  (* ---------------------------------------------------------------- registers of operands *)
  Lemma loaded : d_q first + r * a_q first = a /\ b_q first = b /\ n_q first = nbar.
  Proof.
    destruct (control c) as ((_ & I & _) & C & (_ & _ & N) & _). rewrite begins in I. apply (H_loads c I). rewrite N. destruct numbers as ((_ & _ & EM & _) & v1 & _ & K1 & _).
    destruct (Z.eqb_spec (cycle c) (many + levels + 1)); [lia | reflexivity].
  Qed.

  Lemma kept : forall i, (i <= whole)%nat -> b_q (first + i)%nat = b.
  Proof.
    induction i; intros I; [rewrite Nat.add_0_r; apply loaded |]. rewrite Nat.add_succ_r. destruct (H_next_digit (first + i)%nat (busy i ltac:(lia))) as [_ ->]. apply IHi. lia.
  Qed.

  Lemma digit_register : forall i, (i <= whole)%nat -> d_q (first + i)%nat = (a / pw r i) mod r /\ a_q (first + i)%nat = a / pw r (S i).
  Proof.
    destruct radix as [R4 _]. assert (low : forall d x y, 0 <= d < r -> d + r * x = y -> d = y mod r /\ x = y / r).
    { intros d x y RD H. split; [apply (Z.mod_unique _ _ x); lia | apply (Z.div_unique _ _ _ d); lia]. }
    assert (RD : forall t, 0 <= d_q t < r) by (intros t; apply (H_ranges t)). induction i; intros I.
    - rewrite Nat.add_0_r. destruct loaded as (H & _). destruct (low _ _ _ (RD first) H) as [-> ->]. cbn [pw]. rewrite Z.div_1_r, Z.mul_1_r. split; reflexivity.
    - rewrite Nat.add_succ_r. destruct (H_next_digit (first + i)%nat (busy i ltac:(lia))) as [H _]. destruct (IHi ltac:(lia)) as [_ EA]. rewrite EA in H. destruct (low _ _ _ (RD _) H) as [-> ->].
      split; [reflexivity |]. pose proof (pw_pos r (S i) ltac:(lia)). rewrite Z.div_div, (Z.mul_comm (pw r (S i)) r) by lia. reflexivity.
  Qed.

  Lemma modulus_register : forall i, (i <= whole)%nat -> n_q (first + i)%nat = if Nat.leb i (K + v + 1) then nbar else 0.
  Proof.
    destruct numbers as ((EV & _ & EM & EF) & _). induction i; intros I; [rewrite Nat.add_0_r; cbn [Nat.leb]; apply loaded |]. rewrite Nat.add_succ_r, (H_modulus _ (busy i ltac:(lia))), IHi by lia.
    destruct (control (first + i)%nat) as (_ & _ & (_ & _ & ->) & _). pose proof (counter i ltac:(lia)) as C.
    destruct (Z.eqb_spec (cycle (first + i)%nat) (many + levels + 1)), (Nat.leb_spec i (K + v + 1)), (Nat.leb_spec (S i) (K + v + 1)); cbn; lia.
  Qed.

  (* ---------------------------------------------------------------- sums and carries *)
  Let A (e i t : nat) : Z := part (net "sums" (first + t)%nat) ((Z.of_nat e * digit + Z.of_nat i) * SUM) SUM.
  Let C (e i t : nat) : Z := part (net "carries" (first + t)%nat) ((Z.of_nat e * digit + Z.of_nat i) * ENDS) ENDS.
  Let into (i t : nat) : Z := part (into_rows (first + t)%nat) (Z.of_nat i * ROW_ENDS) ROW_ENDS.

  Lemma ends_are : forall e, (e <= v)%nat -> (wide e + (chain - 1)) / chain = Z.of_nat (E e) /\ Z.of_nat (E e) <= ENDS /\ wide e <= SUM /\ 0 <= ENDS /\ 0 <= SUM.
  Proof.
    intros e Le. destruct room as (_ & _ & C0 & O2 & _). pose proof (powers_of_levels e Le) as P. destruct numbers as ((EV & _) & _). assert (WS : wide e <= SUM) by (unfold wide; lia). assert (0 <= wide e) by (unfold wide; lia).
    pose proof (Z.div_pos (wide e + (chain - 1)) chain ltac:(lia) C0). unfold E. rewrite Z2Nat.id by lia. split; [reflexivity |].
    assert ((wide e + (chain - 1)) / chain <= ENDS) by (apply Z.div_le_mono; lia). lia.
  Qed.

  Lemma row_ends : ROW_ENDS = Z.of_nat (E 0).
  Proof. destruct (ends_are O ltac:(lia)) as [<- _]. f_equal. unfold wide. change (2 ^ Z.of_nat 0) with 1. lia. Qed.

  Lemma narrow_at : forall e i t, (e <= v)%nat -> (i < 2 ^ (v - e))%nat -> 0 <= A e i t < 2 ^ wide e /\ 0 <= C e i t < 2 ^ Z.of_nat (E e).
  Proof.
    intros e i t Le Li. destruct (place_of e i Le Li) as (x & X & _ & _ & X1 & X2). destruct (H_narrow (first + t)%nat x X) as [N1 N2]. rewrite X1, X2 in N1, N2. fold (wide e) in N1, N2.
    destruct (ends_are e Le) as (EE & EL & EW & E0 & S0). rewrite EE in N2. pose proof (part_range (net "sums" (first + t)%nat) ((Z.of_nat e * digit + Z.of_nat i) * SUM) SUM S0) as R1.
    pose proof (part_range (net "carries" (first + t)%nat) ((Z.of_nat e * digit + Z.of_nat i) * ENDS) ENDS E0) as R2. fold (A e i t) in N1, R1. fold (C e i t) in N2, R2.
    assert (0 <= wide e) by (unfold wide; pose proof (powers_of_levels e Le); destruct room as (_ & _ & _ & O2 & _); lia).
    assert (0 < 2 ^ wide e) by (apply Z.pow_pos_nonneg; lia). assert (0 < 2 ^ Z.of_nat (E e)) by (apply Z.pow_pos_nonneg; lia).
    apply Z.div_small_iff in N1; [| lia]. apply Z.div_small_iff in N2; [| lia]. clear - N1 N2 R1 R2. lia.
  Qed.

  Lemma start_at : forall e i, A e i 0%nat = 0 /\ C e i 0%nat = 0.
  Proof.
    intros e i. destruct (control c) as ((_ & I & _) & _). rewrite begins in I. destruct (H_cleared c I) as (E1 & E2 & _). unfold A, C. rewrite Nat.add_0_r. fold first in E1, E2. rewrite E1, E2. unfold part. rewrite !Zdiv_0_l, !Zmod_0_l. split; reflexivity.
  Qed.

  Lemma rows_at : forall t i, (t <= whole)%nat -> (i < 2 ^ v)%nat -> adds chain (wide 0) (E 0%nat) (A 0%nat i (S t)) (C 0%nat i (S t))
    (fun j => flag (d_q (first + t)%nat) i * block chain (wide 0) b j + flag (y_q (first + t)%nat) i * block chain (wide 0) (n_q (first + t)%nat) j + flag (into i t) j).
  Proof.
    intros t i Lt Li. destruct (narrow_at O i (S t) ltac:(lia) ltac:(rewrite Nat.sub_0_r; exact Li)) as [R1 R2]. split; [exact R1 |]. split; [exact R2 |]. clear R1 R2. intros j J.
    destruct numbers as (_ & _ & _ & _ & _ & ED & _). destruct (ends_are O ltac:(lia)) as (EE & EL & EW & E0 & S0). destruct (ends_at O ltac:(lia)) as (e1 & e2 & e3 & _). destruct room as (_ & _ & C0 & _).
    assert (W0 : operand + 1 = wide 0) by (unfold wide; change (2 ^ Z.of_nat 0) with 1; lia).
    pose proof (H_rows (first + t)%nat (Z.of_nat i) ltac:(lia) (busy t Lt) (Z.of_nat j) ltac:(rewrite row_ends; lia)) as H. rewrite (kept t Lt), <- Nat.add_succ_r in H. rewrite <- W0 in *.
    assert (0 <= Z.of_nat i * SUM) by (apply Z.mul_nonneg_nonneg; lia). assert (0 <= Z.of_nat i * ENDS) by (apply Z.mul_nonneg_nonneg; lia). assert (0 <= Z.of_nat i * ROW_ENDS) by (apply Z.mul_nonneg_nonneg; rewrite ?row_ends; lia).
    pose proof (bits_range chain (operand + 1) (E 0%nat) ltac:(lia) e1 e2 e3 j J) as B. unfold A, C, into. change (Z.of_nat 0 * digit + Z.of_nat i) with (Z.of_nat i).
    rewrite block_part, !flag_part by (rewrite ?row_ends; lia). exact H.
  Qed.

  Lemma joints_at : forall t e i, (t <= whole)%nat -> (e < v)%nat -> (i < 2 ^ (v - S e))%nat -> tail 1 (first + t)%nat = 0 \/ (S e < v)%nat -> adds chain (wide (S e)) (E (S e)) (A (S e) i (S t)) (C (S e) i (S t))
    (fun j => block chain (wide (S e)) (2 ^ 2 ^ Z.of_nat e * A e (2 * i + 1)%nat t) j + block chain (wide (S e)) (A e (2 * i)%nat t) j + flag (2 * C e (2 * i)%nat t) j).
  Proof.
    intros t e i Lt Le Li H1. destruct (narrow_at (S e) i (S t) Le Li) as [R1 R2]. split; [exact R1 |]. split; [exact R2 |]. clear R1 R2. intros j J.
    destruct (ends_are (S e) Le) as (EE & EL & EW & E0 & S0). destruct (ends_at (S e) Le) as (e1 & e2 & e3 & _). destruct room as (_ & _ & C0 & _). destruct numbers as (_ & _ & _ & _ & _ & _ & D2).
    destruct (place_of (S e) i Le Li) as (x & X & X0 & XV & X1 & X2). pose proof (H_joints (first + t)%nat x ltac:(lia) (busy t Lt)) as H. rewrite X1, X2 in H. fold (wide (S e)) in H.
    specialize (H ltac:(destruct H1 as [H1 | H1]; [left; exact H1 | right; apply XV, H1]) (Z.of_nat j) ltac:(rewrite EE; lia)). rewrite <- Nat.add_succ_r in H.
    replace (Z.of_nat (S e) - 1) with (Z.of_nat e) in H by lia. replace (2 * Z.of_nat i) with (Z.of_nat (2 * i)) in H by lia. replace (Z.of_nat e * digit + Z.of_nat (2 * i) + 1) with (Z.of_nat e * digit + Z.of_nat (2 * i + 1)) in H by lia.
    assert (G : forall p q x, 0 <= x -> 0 <= (Z.of_nat p * digit + Z.of_nat q) * x) by (intros p q y Y; apply Z.mul_nonneg_nonneg; [assert (0 <= Z.of_nat p * digit) by (apply Z.mul_nonneg_nonneg; lia); lia | exact Y]).
    pose proof (G (S e) i SUM S0). pose proof (G (S e) i ENDS E0). pose proof (G e (2 * i)%nat SUM S0).
    pose proof (bits_range chain (wide (S e)) (E (S e)) ltac:(lia) e1 e2 e3 j J) as B.
    assert (F1 : block chain (wide (S e)) (A (S e) i (S t)) j + 2 ^ bits chain (wide (S e)) j * flag (C (S e) i (S t)) j =
      part (net "sums" (first + S t)%nat) ((Z.of_nat (S e) * digit + Z.of_nat i) * SUM + Z.of_nat j * chain) (bits chain (wide (S e)) j) +
      2 ^ bits chain (wide (S e)) j * part (net "carries" (first + S t)%nat) ((Z.of_nat (S e) * digit + Z.of_nat i) * ENDS + Z.of_nat j) 1) by (unfold A, C; rewrite block_part, flag_part by lia; reflexivity).
    assert (F2 : block chain (wide (S e)) (A e (2 * i)%nat t) j = part (net "sums" (first + t)%nat) ((Z.of_nat e * digit + Z.of_nat (2 * i)) * SUM + Z.of_nat j * chain) (bits chain (wide (S e)) j)) by (unfold A; rewrite block_part by lia; reflexivity).
    rewrite F1, F2. exact H.
  Qed.

  Lemma lines_at : forall e i t, (t <= S whole)%nat -> (e < v)%nat /\ (exists x, i = (2 * x + 1)%nat) /\ (i < 2 ^ (v - e))%nat \/ e = v /\ i = 0%nat ->
    into (i * 2 ^ e)%nat t = if Nat.ltb t (k - 1 - e) then 0 else C e i (t - (k - 1 - e))%nat mod 2 ^ Z.of_nat (E 0%nat).
  Proof.
    intros e i t Lt H. destruct numbers as ((EV & EK & _) & v1 & vk & _ & _ & ED & _). pose proof (Nat2Z.inj_pow 2 e) as PE. change (Z.of_nat 2) with 2 in PE.
    assert (X : exists g, 0 <= g < digit /\ levels - Z.log2_up (g + 1) = Z.of_nat e /\ 2 * g + 1 - 2 ^ Z.log2_up (g + 1) = Z.of_nat i /\ (e <= v)%nat).
    { destruct H as [(Le & (x & ->) & Li) | [-> ->]]; [| exists 0; change (Z.log2_up (0 + 1)) with 0; change (2 ^ 0) with 1; repeat split; lia].
      assert (L2 : (2 ^ (v - e) = 2 * 2 ^ (v - e - 1))%nat) by (replace (v - e)%nat with (S (v - e - 1)) at 1 by lia; apply Nat.pow_succ_r').
      exists (Z.of_nat (2 ^ (v - e - 1)) + Z.of_nat x). rewrite levels_of by lia. replace (Z.of_nat (v - e - 1) + 1) with (Z.of_nat (v - e)) by lia.
      pose proof (Nat2Z.inj_pow 2 (v - e)) as PV. change (Z.of_nat 2) with 2 in PV. rewrite <- PV. assert (PL : (2 ^ (v - e) <= 2 ^ v)%nat) by (apply Nat.pow_le_mono_r; lia). clear PE PV. repeat split; lia. }
    destruct X as (g & G & G1 & G2 & Le). set (Lg := fun t => net (numbered "gen_level[0].gen_sum[" ((2 * g + 1 - 2 ^ Z.log2_up (g + 1)) * 2 ^ (levels - Z.log2_up (g + 1))) "].gen_row.line") (first + t)%nat).
    assert (HL : forall t, Lg t mod 2 ^ ROW_ENDS = C e i t mod 2 ^ ROW_ENDS /\ part (into_rows (first + t)%nat) (Z.of_nat i * 2 ^ Z.of_nat e * ROW_ENDS) ROW_ENDS = Lg t / 2 ^ ((steps - 1 - Z.of_nat e) * ROW_ENDS)).
    { intros t'. destruct (H_lines (first + t')%nat g G) as (E1 & _ & E3). rewrite G1, G2 in E1, E3. unfold Lg, C. rewrite G1, G2. split; [exact E1 | exact E3]. }
    assert (HM : forall t, Lg (S t) / 2 ^ ROW_ENDS = if idle (first + t)%nat =? 1 then 0 else Lg t mod 2 ^ ((steps - 1 - Z.of_nat e) * ROW_ENDS)).
    { intros t'. destruct (H_lines (first + t')%nat g G) as (_ & E2 & _). rewrite G1, G2 in E2. unfold Lg. rewrite Nat.add_succ_r, G1, G2. exact E2. }
    assert (HE : Lg O / 2 ^ ROW_ENDS = 0).
    { destruct (H_lines c g G) as (_ & E2 & _). destruct (control c) as ((_ & I & _) & _). rewrite begins in I. rewrite I in E2. unfold Lg. rewrite Nat.add_0_r. exact E2. }
    destruct (ends_at O ltac:(lia)) as (_ & _ & e3 & _). rewrite row_ends in *. set (Q := 2 ^ Z.of_nat (E O)) in *. assert (Q1 : 1 < Q) by (apply Z.pow_gt_1; lia).
    assert (EP : 2 ^ ((steps - 1 - Z.of_nat e) * Z.of_nat (E O)) = pw Q (k - 1 - e)) by (unfold Q; rewrite pw_words by lia; f_equal; f_equal; lia). rewrite EP in *.
    rewrite <- (aged Q (k - 1 - e) (S whole) Lg (fun t => C e i t mod Q) Q1 (fun t _ => proj1 (HL t)) HE) by (lia || (intros t' T'; rewrite HM, busy by lia; reflexivity)).
    destruct (HL t) as [_ HI]. unfold into. rewrite row_ends. replace (Z.of_nat (i * 2 ^ e)) with (Z.of_nat i * 2 ^ Z.of_nat e) by (rewrite Nat2Z.inj_mul, PE; reflexivity). rewrite <- HI. symmetry. apply Z.mod_small, part_range. lia.
  Qed.

  Lemma tree_some : 2 ^ Z.of_nat v <= chain.
  Proof. destruct numbers as (_ & _ & _ & _ & <- & _). destruct room as (_ & C2 & _). destruct numbers as (_ & _ & _ & _ & _ & _ & D2). lia. Qed.
  Lemma tree_late : (v + 1 <= k)%nat.
  Proof. apply numbers. Qed.
  Lemma tree_few : (1 <= NC)%nat /\ Z.of_nat (NC - 1) * chain + 2 <= operand.
  Proof. split; apply few. Qed.
  Lemma tree_b : 0 <= b < 2 ^ operand.
  Proof. destruct loaded as (_ & <- & _). apply in_range_of. Qed.
  Lemma tree_n : forall t, 0 <= n_q (first + t)%nat < 2 ^ (operand - 2).
  Proof. intros t. destruct (in_range_of (first + t)%nat) as ((_ & R & _) & _). destruct room as (_ & _ & _ & _ & X). pose proof (Z.pow_le_mono_r 2 W (operand - 2) ltac:(lia) X). lia. Qed.
  Lemma tree_rows : forall t i, (t < F)%nat -> (i < 2 ^ v)%nat -> adds chain (wide 0) (E 0%nat) (A 0%nat i (S t)) (C 0%nat i (S t))
    (fun j => flag (d_q (first + t)%nat) i * block chain (wide 0) b j + flag (y_q (first + t)%nat) i * block chain (wide 0) (n_q (first + t)%nat) j + flag (into i t) j).
  Proof. intros t i Lt Li. apply rows_at; [clear - Lt long; lia | exact Li]. Qed.
  Lemma tree_joints : forall t e i, (t < F)%nat -> (e < v)%nat -> (i < 2 ^ (v - S e))%nat -> adds chain (wide (S e)) (E (S e)) (A (S e) i (S t)) (C (S e) i (S t))
    (fun j => block chain (wide (S e)) (2 ^ 2 ^ Z.of_nat e * A e (2 * i + 1)%nat t) j + block chain (wide (S e)) (A e (2 * i)%nat t) j + flag (2 * C e (2 * i)%nat t) j).
  Proof. intros t e i Lt Le Li. apply joints_at; [clear - Lt long; lia | exact Le | exact Li | left; apply tail_bit; clear - Lt long; lia]. Qed.
  Lemma tree_lines : forall e i t, (t <= F)%nat -> (e < v)%nat /\ (exists x, i = (2 * x + 1)%nat) /\ (i < 2 ^ (v - e))%nat \/ e = v /\ i = 0%nat ->
    into (i * 2 ^ e)%nat t = if Nat.ltb t (k - 1 - e) then 0 else C e i (t - (k - 1 - e))%nat mod 2 ^ Z.of_nat (E 0%nat).
  Proof. intros e i t Lt H. apply lines_at; [clear - Lt long; lia | exact H]. Qed.
  Local Notation tree lemma := (lemma chain operand v k F NC E A C into b (fun t => n_q (first + t)%nat) (fun t => d_q (first + t)%nat) (fun t => y_q (first + t)%nat)
    tree_some tree_late tree_few ends_at tree_b tree_n start_at tree_rows tree_joints tree_lines).
  Let total := ChainTree.total chain v NC C.
  Let save (x : Z) : Z := carried chain NC x.

  (* ---------------------------------------------------------------- Y *)
  Let y (t : nat) : Z := y_q (first + t)%nat.
  Let Cy (t : nat) : Z := part (y_carry (first + t)%nat) 0 WORDS.
  Let yin (t : nat) : Z := y_into (first + t)%nat.

  Lemma words_at : forall t, (t <= whole)%nat -> adds chain state M (y (S t)) (Cy (S t))
    (fun j => block chain state (if shift (first + t)%nat =? 1 then y t / r else y t) j + block chain state (A v 0 t) j + flag (yin t) j).
  Proof.
    intros t Lt. destruct words_number as (EM & M2 & m1 & m2 & _). destruct numbers as ((EV & _) & _). destruct room as (_ & _ & C0 & _). split; [apply in_range_of |].
    split; [unfold Cy; rewrite EM; apply part_range; clear; lia |]. intros j J. pose proof (H_words (first + t)%nat (Z.of_nat j) ltac:(rewrite EM; clear - J; lia) (busy t Lt)) as H.
    unfold Cy. rewrite flag_part by (rewrite ?EM; clear - J; lia). unfold A. change (Z.of_nat 0) with 0. rewrite Z.add_0_r, Z.add_0_l, <- EV. unfold y. rewrite !Nat.add_succ_r.
    destruct (shift (first + t)%nat =? 1); exact H.
  Qed.

  Lemma carries_by_age : forall j t, (j <= k - 1)%nat -> (t <= S whole)%nat -> part (y_carry (first + t)%nat) (Z.of_nat j * WORDS) WORDS = if Nat.ltb t j then 0 else Cy (t - j).
  Proof.
    intros j t J Lt. destruct words_number as (EM & M2 & _). destruct numbers as ((_ & EK & _) & _ & vk & _). set (Q := 2 ^ WORDS). assert (Q1 : 1 < Q) by (unfold Q; rewrite EM; apply Z.pow_gt_1; clear - M2; lia).
    assert (W0 : 0 <= WORDS) by (rewrite EM; clear; lia).
    rewrite <- (aged Q (k - 1) (S whole) (fun t => y_carry (first + t)%nat) Cy Q1); cbv beta; [unfold part, Q; rewrite pw_words by exact W0; reflexivity | | | | exact J | exact Lt].
    - intros t' _. unfold Cy, part. change (2 ^ 0) with 1. rewrite Z.div_1_r. reflexivity.
    - rewrite Nat.add_0_r. destruct (control c) as ((_ & I & _) & _). rewrite begins in I. destruct (H_cleared c I) as (_ & _ & _ & X & _). unfold first. rewrite X. apply Zdiv_0_l.
    - intros t' Lt'. destruct (H_ages (first + t')%nat (busy t' ltac:(clear - Lt'; lia))) as [X _]. rewrite Nat.add_succ_r. fold Q in X. rewrite X. f_equal. unfold Q. rewrite pw_words by exact W0. f_equal. rewrite Z.mul_comm. f_equal. clear - EK vk. lia.
  Qed.

  Lemma yin_first : yin 0 = 0 /\ y 0 = 0 /\ Cy 0 = 0.
  Proof.
    destruct (control c) as ((_ & I & _) & _). rewrite begins in I. destruct (H_cleared c I) as (_ & _ & Y0 & X & X2). unfold yin, y, Cy. rewrite Nat.add_0_r. unfold first. rewrite Y0, X, X2. split; [reflexivity |]. split; [reflexivity |].
    unfold part. rewrite Zdiv_0_l. apply Zmod_0_l.
  Qed.

  Lemma yin_at : forall t, (S t < F)%nat -> yin (S t) = if Nat.ltb t (k - 2) then 0 else Cy (t - (k - 2)).
  Proof.
    intros t Lt. destruct numbers as ((_ & EK & _ & EF) & v1 & vk & _). destruct (H_ages (first + t)%nat (busy t ltac:(clear - Lt long; lia))) as [_ X]. destruct (in_loop t ltac:(clear - Lt; lia)) as [P CT].
    destruct (control (first + t)%nat) as (_ & _ & _ & T1 & _). specialize (T1 P). rewrite CT, EF in T1. destruct (Z.leb_spec (Z.of_nat t) (Z.of_nat F - 2)) as [_ | Y]; [| clear - Lt Y; lia].
    rewrite T1 in X. change (1 =? 1) with true in X. cbv iota in X. unfold yin. rewrite Nat.add_succ_r, X. rewrite <- carries_by_age by (clear - v1 vk Lt long; lia). f_equal. rewrite Z.mul_comm. f_equal. clear - EK v1 vk. lia.
  Qed.

  Lemma radix_is : 2 ^ 2 ^ Z.of_nat v = r /\ 2 ^ Z.of_nat v = digit.
  Proof. destruct numbers as (_ & _ & _ & _ & ED & _). rewrite <- ED. split; reflexivity. Qed.

  Lemma state_is : 2 ^ state = 8 * (r * 2 ^ (operand - 2)) /\ 0 < 2 ^ (operand - 2).
  Proof.
    destruct sizes as (_ & (_ & ES & _)). destruct room as (_ & _ & _ & O2 & _). destruct numbers as (_ & _ & _ & _ & _ & _ & D2). unfold r. rewrite ES. split; [| apply Z.pow_pos_nonneg; lia].
    change 8 with (2 ^ 3). rewrite <- !Z.pow_add_r by lia. f_equal. lia.
  Qed.

  Lemma root_fits : forall t, (t <= F)%nat -> 0 <= A v 0%nat t <= (r - 1) * (7 * 2 ^ (operand - 2)).
  Proof. intros t Lt. pose proof (tree root_range t Lt) as H. cbv zeta beta in H. destruct radix_is as [E0 _]. rewrite E0 in H. exact H. Qed.

  Let thin (t : nat) : Prop := 0 <= Cy t < 2 ^ Z.of_nat (M - 1).

  Lemma thin_saves : forall x, 0 <= x < 2 ^ Z.of_nat (M - 1) -> carried chain M x = save x /\ carried chain (M - 1) x = save x.
  Proof.
    intros x X. destruct words_number as (_ & M2 & _ & _ & N). split; [| symmetry; apply carried_more; assumption]. unfold save. rewrite (carried_more chain x (M - 1) M X) by (clear; lia). symmetry. apply carried_more; assumption.
  Qed.

  Lemma yin_thin : forall t, (t < F)%nat -> (forall t', (t' <= t)%nat -> thin t') -> 0 <= yin t < 2 ^ Z.of_nat (M - 1).
  Proof.
    intros t Lt H. assert (P : 0 < 2 ^ Z.of_nat (M - 1)) by (apply Z.pow_pos_nonneg; clear; lia). destruct t as [| t]; [destruct yin_first as [-> _]; clear - P; lia |]. rewrite yin_at by exact Lt.
    destruct (Nat.ltb t (k - 2)); [clear - P; lia | apply H; clear; lia].
  Qed.

  Lemma y_step : forall t, (t < F)%nat -> (forall t', (t' <= t)%nat -> thin t') -> thin (S t) /\ y (S t) + 2 ^ chain * save (Cy (S t)) = y t / r + A v 0%nat t + save (yin t).
  Proof.
    intros t Lt H. pose proof (words_at t ltac:(clear - Lt long; lia)) as W0. destruct radix as [R4 _]. destruct state_is as [ES Q0]. destruct words_number as (EM & M2 & m1 & m2 & MN). destruct room as (_ & _ & C0 & _).
    pose proof (yin_thin t Lt H) as YT. destruct (thin_saves _ YT) as [S1 _]. pose proof (root_fits t ltac:(clear - Lt; lia)) as RF. destruct (in_range_of (first + t)%nat) as ((YR & _) & _). fold (y t) in YR.
    assert (EY : (if shift (first + t)%nat =? 1 then y t / r else y t) = y t / r).
    { destruct t as [| t]; [destruct yin_first as (_ & -> & _); rewrite Zdiv_0_l; destruct (shift _ =? 1); reflexivity |]. destruct (in_loop (S t) ltac:(clear - Lt; lia)) as [P CT]. destruct numbers as ((_ & _ & _ & EF) & _).
      destruct (control (first + S t)%nat) as (_ & _ & _ & _ & S2 & _). rewrite S2, CT, EF by (assumption || (rewrite CT; clear; lia)). destruct (Z.leb_spec (Z.of_nat (S t)) (Z.of_nat F - 1)) as [_ | X]; [reflexivity | clear - Lt X; lia]. }
    rewrite EY in W0. clear EY. set (q := 2 ^ (operand - 2)) in *. assert (YD : 0 <= y t / r < 8 * q).
    { split; [apply Z.div_pos; clear - YR R4; lia | apply Z.div_lt_upper_bound; [clear - R4; lia |]]. replace (r * (8 * q)) with (2 ^ state) by (rewrite ES; ring). apply YR. }
    assert (SV : 0 <= save (yin t) <= 2 * q).
    { split; [apply carried_range; clear - C0; lia |]. exact (tree carried_half (yin t)). }
    assert (RQ : (r - 1) * (7 * q) = 7 * (r * q) - 7 * q) by ring. assert (RQ2 : 4 * q <= r * q) by (apply Z.mul_le_mono_nonneg_r; clear - R4 Q0; lia).
    assert (EX : digits (2 ^ chain) (fun j => block chain state (y t / r) j + block chain state (A v 0 t) j + flag (yin t) j) M = y t / r + A v 0%nat t + save (yin t)).
    { rewrite !digits_add, !(words_fit chain state M) by (clear - m1 m2 M2 C0 YD RF RQ RQ2 ES Q0; lia). f_equal. exact S1. }
    destruct (adds_up chain state M ltac:(clear - C0; lia) m1 m2 ltac:(clear - M2; lia) _ _ _ W0) as [T1 T2]; [rewrite EX, ES; clear - YD RF RQ RQ2 SV Q0; lia |]. rewrite EX in T2. split; [exact T1 |].
    rewrite <- (proj2 (thin_saves _ T1)). exact T2.
  Qed.

  Lemma all_thin : forall t, (t <= F)%nat -> forall t', (t' <= t)%nat -> thin t'.
  Proof.
    induction t; intros Lt t' L'.
    - replace t' with O by (clear - L'; lia). unfold thin. destruct yin_first as (_ & _ & ->). assert (0 < 2 ^ Z.of_nat (M - 1)) by (apply Z.pow_pos_nonneg; clear; lia). split; [apply Z.le_refl | assumption].
    - destruct (Nat.eq_dec t' (S t)) as [-> | N]; [apply (y_step t ltac:(clear - Lt; lia)); intros; apply IHt; clear - Lt H; lia | apply IHt; clear - Lt L' N; lia].
  Qed.

  Lemma at_y : forall t, (t < F)%nat -> y (S t) + 2 ^ chain * save (Cy (S t)) = y t / r + A v 0%nat t + save (yin t).
  Proof. intros t Lt. apply (y_step t Lt). intros. apply (all_thin t); clear - Lt H; lia. Qed.

  Lemma save_0 : save 0 = 0.
  Proof. apply carried_zero. intros. apply flag_0. Qed.

  Lemma v_short : (v + 2 <= F)%nat.
  Proof. unfold F. clear. lia. Qed.

  Lemma nothing_yet : forall t, (t <= v + 1)%nat -> forall t', (t' <= t)%nat -> y t' = 0 /\ save (Cy t') = 0.
  Proof.
    pose proof v_short as VS. destruct radix as [R4 _]. induction t; intros Lt t' L'.
    - replace t' with O by (clear - L'; lia). destruct yin_first as (_ & -> & ->). split; [reflexivity | apply save_0].
    - destruct (Nat.eq_dec t' (S t)) as [-> | N]; [| apply IHt; clear - Lt L' N; lia]. specialize (IHt ltac:(clear - Lt; lia)). pose proof (at_y t ltac:(clear - Lt VS; lia)) as H.
      destruct (tree still_empty v O t (le_n v) ltac:(rewrite Nat.sub_diag; cbn; clear; lia) ltac:(clear - Lt; lia) ltac:(clear - Lt VS; lia)) as [Z0 _]. destruct (IHt t (le_n t)) as [Y0 _]. rewrite Z0, Y0, Zdiv_0_l in H.
      assert (I0 : save (yin t) = 0).
      { destruct t as [| t]; [destruct yin_first as [-> _]; apply save_0 |]. rewrite yin_at by (clear - Lt VS; lia). destruct (Nat.ltb t (k - 2)); [apply save_0 | apply IHt; clear; lia]. }
      rewrite I0 in H. destruct room as (_ & _ & C0 & _). assert (0 < 2 ^ chain) by (apply Z.pow_pos_nonneg; clear - C0; lia). pose proof (carried_range chain NC (Cy (S t)) ltac:(clear - C0; lia)) as CR. fold (save (Cy (S t))) in CR.
      assert (0 <= y (S t)) by apply in_range_of. assert (0 <= 2 ^ chain * save (Cy (S t))) by (apply Z.mul_nonneg_nonneg; clear - H0 CR; lia). assert (X : 2 ^ chain * save (Cy (S t)) = 0) by (clear - H H1 H2; lia).
      split; [clear - H X; lia |]. apply Z.mul_eq_0 in X. clear - X H0. lia.
  Qed.

  (* ---------------------------------------------------------------- the recurrence *)
  Let Y (t : nat) : Z := y (t + v + 1).
  Let z (t : nat) : Z := (if Nat.ltb t k then 0 else total (t - k)) + (if Nat.ltb t k then 0 else save (Cy (t - k + v + 2))).
  Let X (t : nat) : Z := ((a / pw r t) mod r) * b + (y t mod r) * n_q (first + t)%nat.

  Lemma lowest : forall x, part x 0 (2 ^ Z.of_nat v) = x mod r.
  Proof. intros x. destruct radix_is as [_ ->]. unfold part, r. change (2 ^ 0) with 1. rewrite Z.div_1_r. reflexivity. Qed.

  Lemma Y_step : forall t, (t + v + 1 < F)%nat -> Y (S t) = Y t / r + X t + z t - pw r k * z (t + k)%nat.
  Proof.
    intros t Lt. pose proof (at_y (t + v + 1) Lt) as H. pose proof (tree sum_of_rows t ltac:(clear - Lt; lia) ltac:(clear - Lt; lia)) as G. cbv zeta beta in G. fold total in G. rewrite !lowest in G. fold (y t) in G. destruct (digit_register t ltac:(clear - Lt long; lia)) as [ED _]. rewrite ED, Zmod_mod in G.
    destruct radix as [R4 ->]. destruct numbers as (_ & v1 & vk & _).
    assert (I : save (yin (t + v + 1)) = if Nat.ltb t k then 0 else save (Cy (t - k + v + 2))).
    { replace (t + v + 1)%nat with (S (t + v)) by (clear; lia). rewrite yin_at by (clear - Lt; lia). destruct (Nat.ltb_spec t k) as [T | T], (Nat.ltb_spec (t + v) (k - 2)) as [T2 | T2].
      - apply save_0.
      - apply (nothing_yet (v + 1) (le_n _)). clear - T T2. lia.
      - clear - T T2. lia.
      - do 2 f_equal. clear - T T2 vk v1. lia. }
    unfold z. replace (Nat.ltb (t + k) k) with false by (symmetry; apply Nat.ltb_ge; clear; lia). replace (t + k - k)%nat with t by (clear; lia). unfold Y, X. replace (S t + v + 1)%nat with (S (t + v + 1)) by (clear; lia).
    replace (t + v + 2)%nat with (S (t + v + 1)) by (clear; lia). rewrite <- I, Z.mul_add_distr_l. clear - H G. lia.
  Qed.

  Let V (t : nat) : Z := Y t + r * digits r (fun e => z (t + e)%nat) k.
  Let u (t : nat) : Z := Y t mod r.

  Lemma V_step : forall t, (t + v + 1 < F)%nat -> r * V (S t) = V t - u t + r * X t.
  Proof. intros t Lt. destruct radix as [R4 _]. apply (late_carries r k Y X z t ltac:(clear - R4; lia) (Y_step t Lt)). Qed.

  Lemma product_here : forall t, (t < D + S K)%nat -> X t = ((a / pw r t) mod r) * b + delayed D u t * nbar.
  Proof.
    intros t Lt. unfold X. f_equal. rewrite modulus_register by (unfold D, F in *; clear - Lt long; lia). destruct (Nat.leb_spec t (K + v + 1)) as [_ | T]; [| unfold D in Lt; clear - Lt T; lia].
    f_equal. unfold delayed, u, Y, D. destruct (Nat.ltb_spec t (v + 1)) as [T | T]; [destruct (nothing_yet (v + 1) (le_n _) t ltac:(clear - T; lia)) as [-> _]; apply Zmod_0_l |]. do 2 f_equal. clear - T. lia.
  Qed.

  Lemma scale : L = pw r (S D) /\ 0 < L /\ 2 ^ operand = 2 * (L * 2 ^ W) /\ 2 * 2 ^ operand <= pw r K /\ 0 <= a < pw r K.
  Proof.
    destruct numbers as ((EV & _ & EM & _) & v1 & vk & K1 & _ & _ & D2). destruct sizes as ((W3 & _) & (EO & _ & _ & M1 & _)). assert (DL : 0 <= digit * (levels + 2)) by (apply Z.mul_nonneg_nonneg; lia).
    assert (EP : pw r K = 2 ^ (many * digit)) by (unfold r; rewrite pw_words, EM by lia; reflexivity). assert (AR : 0 <= a < 2 ^ operand) by apply in_range_of.
    assert (BK : 2 * 2 ^ operand <= pw r K) by (rewrite EP, <- Z.pow_succ_r by lia; apply Z.pow_le_mono_r; lia).
    split; [unfold L, r, D; rewrite pw_words by lia; f_equal; rewrite Z.mul_comm; f_equal; lia |]. split; [apply Z.pow_pos_nonneg; lia |].
    split; [rewrite EO; unfold L; rewrite <- Z.pow_add_r, <- Z.pow_succ_r by lia; f_equal; lia |]. split; [exact BK | clear - AR BK; lia].
  Qed.

  Let value := pw r D * V (D + S K)%nat + digits r (fun i => u (S K + i)%nat) D.

  Lemma is_value : montgomery n (pw r K) a b value /\ 0 <= value < 2 * L * n.
  Proof.
    destruct radix as [R4 _]. destruct scale as (EL & LP & EO & BK & AK). destruct constant as (ni & I & Ec & _). fold L in I, Ec. destruct numbers as (_ & v1 & vk & _).
    assert (LN : L * n < L * 2 ^ W) by (apply Z.mul_lt_mono_pos_l; assumption). pose proof a_range as aR. pose proof b_range as bR.
    assert (SD : forall t, (t < D + S K)%nat -> (t + v + 1 < F)%nat) by (intros t Lt; unfold D, F in *; clear - Lt vk; lia).
    rewrite EL in I, Ec, aR, bR, LN, EO |- *. apply (unsigned_digits r n ni nbar a b K D V (fun t => (a / pw r t) mod r) u).
    - clear - R4. lia.
    - clear - least. lia.
    - exact Ec.
    - exact I.
    - clear - LN EO BK. lia.
    - exact aR.
    - exact bR.
    - unfold V, Y. destruct (nothing_yet (v + 1) (le_n _) (0 + v + 1)%nat (le_n _)) as [-> _]. rewrite digits_zero; [ring |]. intros e Le. unfold z. rewrite Nat.add_0_l. destruct (Nat.ltb_spec e k) as [_ | T]; [reflexivity | clear - Le T; lia].
    - rewrite word_digits by (clear - R4; lia). symmetry. apply Z.mod_small. pose proof (pw_le r K (D + S K) ltac:(clear - R4; lia) ltac:(clear; lia)). clear - AK H. lia.
    - intros t. apply Z.mod_pos_bound. clear - R4. lia.
    - intros t Lt. rewrite V_step, product_here by (try apply SD; exact Lt). ring.
  Qed.

  (* ---------------------------------------------------------------- the last cycles *)
  Let last := (D + S K + k)%nat.

  Lemma from_last : (last + v + 1 = F)%nat.
  Proof. unfold last, D, F. clear. lia. Qed.

  Lemma no_more : forall t, (D + S K <= t)%nat -> (t <= whole)%nat -> d_q (first + t)%nat = 0 /\ n_q (first + t)%nat = 0.
  Proof.
    intros t Lo Lt. destruct (digit_register t Lt) as [-> _]. rewrite (modulus_register t Lt). destruct (Nat.leb_spec t (K + v + 1)) as [T | _]; [unfold D in Lo; clear - Lo T; lia |]. split; [| reflexivity].
    destruct scale as (_ & _ & _ & _ & AK). destruct radix as [R4 _]. pose proof (pw_le r K t ltac:(clear - R4; lia) ltac:(clear - Lo; lia)). rewrite Z.div_small by (clear - AK H; lia). apply Zmod_0_l.
  Qed.

  Lemma tree_ended : forall t, (D + S K <= t < F)%nat -> d_q (first + t)%nat = 0 /\ n_q (first + t)%nat = 0.
  Proof. intros t [Lo Lt]. apply no_more; [exact Lo | clear - Lt long; lia]. Qed.
  Local Notation ended lemma := (lemma chain operand v k F NC E A C into b (fun t => n_q (first + t)%nat) (fun t => d_q (first + t)%nat) (fun t => y_q (first + t)%nat)
    tree_some tree_late tree_few ends_at tree_b tree_n start_at tree_rows tree_joints tree_lines (D + S K)%nat tree_ended).

  Lemma value_at_last : value = pw r (D + k) * V last + digits r (fun i => u (S K + i)%nat) (D + k).
  Proof.
    unfold value. rewrite digits_split, pw_add. pose proof (shifted_out r (fun i => V (D + S K + i)%nat) (fun i => u (D + S K + i)%nat) k) as Q. cbv beta in Q. rewrite Nat.add_0_r in Q. rewrite Q; clear Q.
    - unfold last. rewrite (digits_ext r (fun i => u (D + S K + i)%nat) (fun i => u (S K + (D + i))%nat)) by (intros; f_equal; clear; lia). ring.
    - intros t Lt. pose proof from_last as FL. unfold last in FL. replace (D + S K + S t)%nat with (S (D + S K + t)) by (clear; lia). rewrite V_step by (clear - Lt FL; lia). unfold X. destruct (no_more (D + S K + t) ltac:(clear; lia) ltac:(clear - Lt FL long; lia)) as [D0 ->].
      destruct (digit_register (D + S K + t) ltac:(clear - Lt FL long; lia)) as [D1 _]. rewrite <- D1, D0. ring.
  Qed.

  Lemma late_is : late (first + F)%nat = r * digits r (fun e => save (Cy (K + 2 * v + 4 + e))) k.
  Proof.
    destruct (in_range_of (first + F)%nat) as (_ & _ & LR). set (x := late (first + F)%nat) in *. destruct (H_no_other_digits (first + F)%nat) as [L0 L1]. fold x in L0, L1. fold r in L0.
    destruct radix as [R4 RK]. destruct numbers as ((EV & EK & _ & EF) & v1 & vk & _ & _ & _ & D2). destruct words_number as (EM & M2 & m1 & m2 & MN). rewrite EM in L1. destruct room as (_ & _ & _ & O2 & _). destruct sizes as ((_ & _ & _ & EC & _) & (_ & ES & _)).
    set (N := (k * (M - 1))%nat). assert (EN : steps * (Z.of_nat M - 1) = Z.of_nat N) by (unfold N; rewrite EK, Nat2Z.inj_mul; clear - M2; f_equal; lia). rewrite EN in L1.
    assert (EP : 2 ^ (digit * (Z.of_nat N + 1)) = pw r (1 + N)) by (unfold r; rewrite pw_words by (clear - D2; lia); f_equal; rewrite Z.mul_comm; f_equal; clear; lia). rewrite EP in L1.
    assert (PP : 0 < pw r (1 + N)) by (apply pw_pos; clear - R4; lia). assert (XR : 0 <= x < pw r (1 + N)) by (apply Z.div_small_iff in L1; [clear - L1 LR PP; lia | clear - PP; lia]).
    rewrite <- (Z.mod_small x (pw r (1 + N))) by exact XR. rewrite <- word_digits by (clear - R4; lia). rewrite digits_split.
    assert (F0 : digits r (fun i => (x / pw r i) mod r) 1 = 0) by (cbn [digits pw]; rewrite Z.div_1_r, L0; reflexivity). rewrite F0, Z.add_0_l. replace (pw r 1) with r by (cbn [pw]; ring). f_equal.
    rewrite (digits_ext r _ (fun x => flag (Cy (K + 2 * v + 4 + x mod k)) (x / k)) N).
    - unfold N. rewrite (digits_by_rows r k (M - 1) (fun e j => flag (Cy (K + 2 * v + 4 + e)) j)) by (clear - vk; lia). apply digits_ext. intros e Le. rewrite RK. apply thin_saves. apply (all_thin F (le_n F)). unfold F. clear - Le. lia.
    - intros i Li. pose proof (Nat.div_mod i k ltac:(clear - vk; lia)) as DM. pose proof (Nat.mod_upper_bound i k ltac:(clear - vk; lia)) as MB.
      assert (QB : (i / k < M - 1)%nat) by (apply Nat.div_lt_upper_bound; [clear - vk; lia | exact Li]). set (q := (i / k)%nat) in *. set (e := (i mod k)%nat) in *.
      pose proof (H_late_digits (first + F)%nat (Z.of_nat i) ltac:(rewrite EM, EN; clear - Li; lia)) as H. fold x in H. rewrite EM in H.
      assert (EQ : (Z.of_nat i + steps) / steps = Z.of_nat q + 1) by (rewrite EK; symmetry; apply (Z.div_unique _ _ _ (Z.of_nat e)); [left; clear - MB; lia | rewrite DM, Nat2Z.inj_add, Nat2Z.inj_mul; ring]).
      rewrite EQ in H. replace ((steps * (Z.of_nat q + 1) - 1 - Z.of_nat i) * Z.of_nat M + (Z.of_nat q + 1) - 1) with (Z.of_nat (k - 1 - e) * Z.of_nat M + Z.of_nat q) in H.
      2: { replace (Z.of_nat (k - 1 - e)) with (steps * (Z.of_nat q + 1) - 1 - Z.of_nat i); [ring |]. rewrite EK, DM, Nat2Z.inj_add, Nat2Z.inj_mul, !Nat2Z.inj_sub by (clear - MB; lia). change (Z.of_nat 1) with 1. ring. }
      rewrite <- (flag_part _ _ (Z.of_nat M)) in H by (try (apply Z.mul_nonneg_nonneg); clear - QB; lia). rewrite <- EM, carries_by_age in H by (clear - MB long; lia).
      destruct (Nat.ltb_spec F (k - 1 - e)) as [T | _]; [unfold F in T; clear - T; lia |]. replace (F - (k - 1 - e))%nat with (K + 2 * v + 4 + e)%nat in H by (unfold F; clear - MB; lia). rewrite <- H.
      (* a digit, also the topmost one *)
      destruct (word_count digit SUM ltac:(clear - D2; lia) ltac:(clear - O2 D2 EV; lia)) as (El & w1 & w2). set (l := Z.to_nat ((SUM + digit - 1) / digit)) in *. clearbody l.
      assert (LN : (Z.of_nat i + 1) * digit < SUM).
      { assert ((Z.of_nat i + 1) * digit <= (Z.of_nat M - 1) * chain); [| clear - H0 m2 ES EV v1; lia]. rewrite EC, Z.mul_assoc. apply Z.mul_le_mono_nonneg_r; [clear - D2; lia |]. rewrite Z.mul_comm, EN. clear - Li. lia. }
      assert (IL : (S i < l)%nat) by (apply Nat2Z.inj_lt, (Z.mul_lt_mono_pos_r digit); [clear - D2; lia |]; clear - LN w2; lia).
      assert (w3 : (Z.of_nat l - 1) * digit < SUM).
      { pose proof (Z.div_mod (SUM + digit - 1) digit ltac:(clear - D2; lia)) as DM2. pose proof (Z.mod_pos_bound (SUM + digit - 1) digit ltac:(clear - D2; lia)) as MB2. rewrite El in DM2. clear - DM2 MB2 D2. lia. }
      change (1 + i)%nat with (S i). unfold r. rewrite <- (whole_word digit SUM l ltac:(clear - D2; lia) w2 w3 w1 x (S i) LR IL). unfold block, bits, part. replace (Z.of_nat (S i)) with (Z.of_nat i + 1) by (clear; lia). reflexivity.
  Qed.

  Lemma V_last : V last = y F + late (first + F)%nat.
  Proof.
    rewrite late_is. unfold V, Y. rewrite from_last. f_equal. f_equal. apply digits_ext. intros e Le. unfold z, last. destruct numbers as (_ & v1 & vk & _).
    destruct (Nat.ltb_spec (D + S K + k + e) k) as [T | _]; [clear - T; lia |]. replace (D + S K + k + e - k)%nat with (D + S K + e)%nat by (clear; lia).
    pose proof (ended total_ends (D + S K + e)%nat ltac:(clear; lia) ltac:(unfold D, F; clear - Le; lia)) as T0. fold total in T0. rewrite T0, Z.add_0_l. do 2 f_equal. unfold D. clear. lia.
  Qed.

  Lemma no_carry_left : forall e i t, (e <= v)%nat -> (i < 2 ^ (v - e))%nat -> (t <= F)%nat -> save (C e i t) = 0 -> C e i t = 0.
  Proof.
    intros e i t Le Li Lt H. destruct room as (_ & _ & C0 & _). apply (nothing_carried chain NC); [clear - C0; lia | | exact H]. apply (tree carries_fit e _ Le). apply (tree all_sound F (le_n F) t Lt e i Le Li).
  Qed.

  Lemma quiet : forall e i t, (e < v)%nat -> adds chain (wide (S e)) (E (S e)) (A (S e) i (S t)) (C (S e) i (S t))
    (fun j => block chain (wide (S e)) (2 ^ 2 ^ Z.of_nat e * A e (2 * i + 1)%nat t) j + block chain (wide (S e)) (A e (2 * i)%nat t) j + flag (2 * C e (2 * i)%nat t) j) ->
    A e (2 * i + 1)%nat t = 0 -> A e (2 * i)%nat t = 0 -> C e (2 * i)%nat t = 0 -> C (S e) i (S t) = 0 /\ A (S e) i (S t) = 0.
  Proof.
    intros e i t Le H A1 A2 C1. rewrite A1, A2, C1, !Z.mul_0_r in H. destruct room as (_ & _ & C0 & O2 & _). destruct (ends_at (S e) Le) as (e1 & e2 & e3 & _).
    destruct (adds_same chain (wide (S e)) (E (S e)) (A (S e) i (S t)) (C (S e) i (S t)) 0 ltac:(clear - C0; lia) e1 e2 e3) as [-> ->]; [| | split; reflexivity].
    - split; [apply Z.le_refl | apply Z.pow_pos_nonneg; [clear; lia |]]. unfold wide. pose proof (Z.pow_nonneg 2 (Z.of_nat (S e)) ltac:(clear; lia)). clear - O2 H0. lia.
    - destruct H as (H1 & H2 & H3). split; [exact H1 |]. split; [exact H2 |]. intros j J. rewrite H3 by exact J. rewrite flag_0. unfold block. rewrite Zdiv_0_l, Zmod_0_l. ring.
  Qed.

  Lemma tail_at : tail 1 (first + F)%nat = 1 /\ tail 3 (first + (F + 2))%nat = 1.
  Proof.
    destruct numbers as ((_ & _ & _ & EF) & _). destruct (in_loop F ltac:(clear; lia)) as [_ C1]. destruct (in_loop (F + 2) ltac:(clear; lia)) as [_ C2].
    destruct (control (first + F)%nat) as (_ & _ & (-> & _) & _). destruct (control (first + (F + 2))%nat) as (_ & _ & (_ & -> & _) & _). rewrite C1, C2, EF, Z.eqb_refl.
    destruct (Z.eqb_spec (Z.of_nat (F + 2)) (Z.of_nat F + 2)) as [_ | N]; [split; reflexivity | clear - N; lia].
  Qed.

  Lemma nothing_left : forall t, (t <= S whole)%nat -> forall t', (F <= t' <= t)%nat -> forall e i, (e <= v)%nat -> (i < 2 ^ (v - e))%nat -> C e i t' = 0 /\ (A e i t' = 0 \/ e = v /\ t' = S F).
  Proof.
    destruct numbers as ((EV & _) & v1 & vk & _). destruct room as (_ & _ & C0 & _). assert (M0 : 1 <= chain) by (clear - C0; lia).
    induction t; intros Lt t' [L1 L2] e i Le Li; [unfold F in L1; clear - L1 L2; lia |]. destruct (Nat.eq_dec t' (S t)) as [-> | N]; [| apply IHt; try assumption; clear - Lt L1 L2 N; lia].
    specialize (IHt ltac:(clear - Lt; lia)). destruct (Nat.eq_dec (S t) F) as [EF | NF].
    - rewrite EF. pose proof (ended all_ends e i (F - e - 1)%nat Le Li) as H. replace (F - e - 1 + e + 1)%nat with F in H by (unfold F; clear - Le; lia).
      destruct H as [H1 H2]; [unfold F, D; clear - Le; lia | unfold F; clear - Le; lia |]. split; [apply no_carry_left; try assumption; apply le_n | left; exact H1].
    - assert (Lt2 : (F <= t <= whole)%nat) by (clear - Lt L1 NF; lia). clear L1 L2 NF. destruct e as [| e].
      + destruct (ends_at O ltac:(clear; lia)) as (e1 & e2 & e3 & _). rewrite Nat.sub_0_r in Li. pose proof (rows_at t i (proj2 Lt2) Li) as H. destruct (no_more t ltac:(unfold D, F in *; clear - Lt2; lia) (proj2 Lt2)) as [D0 N0]. rewrite D0, N0 in H.
        assert (I0 : into i t = 0).
        { assert (G : forall e j, (e <= v)%nat -> (j < 2 ^ (v - e))%nat -> into i t = (if Nat.ltb t (k - 1 - e) then 0 else C e j (t - (k - 1 - e))%nat mod 2 ^ Z.of_nat (E 0%nat)) -> into i t = 0).
          { intros e j Le' Lj ->. destruct (Nat.ltb_spec t (k - 1 - e)) as [T | T]; [reflexivity |]. replace (C e j (t - (k - 1 - e))%nat) with 0; [apply Zmod_0_l |]. symmetry.
            destruct (Nat.le_gt_cases F (t - (k - 1 - e))) as [T2 | T2]; [apply IHt; try assumption; clear - T2; lia |]. apply no_carry_left; try assumption; [clear - T2; lia |].
            pose proof (ended carries_end e j (t - k)%nat Le' Lj) as Q. replace (t - k + e + 1)%nat with (t - (k - 1 - e))%nat in Q by (clear - Le' vk Lt2; unfold F in *; lia). apply Q; unfold D, F in *; clear - Le' Lt2 T2 vk; lia. }
          destruct (lowest_rows v i Li) as [-> | (e & x & Le2 & X2 & ->)].
          - apply (G v O (le_n v)); [rewrite Nat.sub_diag; cbn; clear; lia |]. rewrite <- (lines_at v O t) by (try (right; split; reflexivity); clear - Lt2; lia). reflexivity.
          - apply (G e (2 * x + 1)%nat ltac:(clear - Le2; lia) X2). apply lines_at; [clear - Lt2; lia |]. left. split; [exact Le2 |]. split; [exists x; reflexivity | exact X2]. }
        rewrite I0 in H. destruct (adds_same chain (wide 0) (E 0%nat) (A 0%nat i (S t)) (C 0%nat i (S t)) 0 M0 e1 e2 e3) as [-> ->]; [| | split; [reflexivity | left; reflexivity]].
        * split; [apply Z.le_refl | apply Z.pow_pos_nonneg; [clear; lia |]]. unfold wide. change (2 ^ Z.of_nat 0) with 1. destruct room as (_ & _ & _ & O2 & _). clear - O2. lia.
        * destruct H as (H1 & H2 & H3). split; [exact H1 |]. split; [exact H2 |]. intros j J. rewrite H3 by exact J. rewrite !flag_0. unfold block. rewrite Zdiv_0_l, Zmod_0_l. ring.
      + assert (L3 : (2 ^ (v - e) = 2 * 2 ^ (v - S e))%nat) by (replace (v - e)%nat with (S (v - S e)) by (clear - Le; lia); apply Nat.pow_succ_r').
        destruct (IHt t ltac:(clear - Lt2; lia) e (2 * i)%nat ltac:(clear - Le; lia) ltac:(clear - Li L3; lia)) as [C1 A1]. destruct (IHt t ltac:(clear - Lt2; lia) e (2 * i + 1)%nat ltac:(clear - Le; lia) ltac:(clear - Li L3; lia)) as [_ A2].
        assert (A1' : A e (2 * i)%nat t = 0) by (destruct A1 as [A1 | [A1 _]]; [exact A1 | clear - A1 Le; lia]). assert (A2' : A e (2 * i + 1)%nat t = 0) by (destruct A2 as [A2 | [A2 _]]; [exact A2 | clear - A2 Le; lia]).
        destruct (Nat.eq_dec t F) as [-> | NF]; [destruct (Nat.eq_dec (S e) v) as [EV2 | NV] |].
        * assert (i = O) as -> by (rewrite EV2, Nat.sub_diag in Li; cbn in Li; clear - Li; lia). destruct (H_late_joins (first + F)%nat) as [_ HX].
          -- apply busy. clear - long. lia.
          -- apply tail_at.
          -- unfold A in A1'. rewrite Z.add_0_r in A1'. replace (levels - 1) with (Z.of_nat e) by (clear - EV EV2; lia). exact A1'.
          -- unfold C in C1. rewrite Z.add_0_r in C1. replace (levels - 1) with (Z.of_nat e) by (clear - EV EV2; lia). exact C1.
          -- unfold A in A2'. replace (levels - 1) with (Z.of_nat e) by (clear - EV EV2; lia). exact A2'.
          -- split; [| right; split; [exact EV2 | reflexivity]]. unfold C. rewrite Nat.add_succ_r. change (Z.of_nat 0) with 0. rewrite Z.add_0_r. replace (Z.of_nat (S e)) with levels by (clear - EV EV2; lia). exact HX.
        * assert (Lv : (S e < v)%nat) by (clear - Le NV; lia). pose proof (joints_at F e i (proj2 Lt2) Le Li (or_intror Lv)) as H. destruct (quiet e i F Le H A2' A1' C1) as [-> ->]. split; [reflexivity | left; reflexivity].
        * pose proof (joints_at t e i (proj2 Lt2) Le Li (or_introl (tail_bit t (proj2 Lt2) NF))) as H. destruct (quiet e i t Le H A2' A1' C1) as [-> ->]. split; [reflexivity | left; reflexivity].
  Qed.

  Lemma root_left : forall t, (F <= t <= S whole)%nat -> (t <> S F -> A v 0%nat t = 0) /\ (t = S F -> A v 0%nat t = late (first + F)%nat).
  Proof.
    intros t [Lo Lt]. destruct numbers as ((EV & _) & v1 & _). assert (J : (0 < 2 ^ (v - v))%nat) by (rewrite Nat.sub_diag; cbn; clear; lia).
    split; [intros N; destruct (nothing_left t Lt t ltac:(clear - Lo; lia) v O (le_n v) J) as [_ [H | [_ H]]]; [exact H | contradiction] |]. intros ->.
    set (e := (v - 1)%nat). assert (Ee : (e < v)%nat) by (unfold e; clear - v1; lia). assert (J2 : (2 ^ (v - e) = 2)%nat) by (unfold e; replace (v - (v - 1))%nat with 1%nat by (clear - v1; lia); reflexivity).
    destruct (nothing_left F ltac:(clear - long; lia) F ltac:(clear; lia) e 0%nat ltac:(clear - Ee; lia) ltac:(rewrite J2; clear; lia)) as [C1 A1]. destruct (nothing_left F ltac:(clear - long; lia) F ltac:(clear; lia) e 1%nat ltac:(clear - Ee; lia) ltac:(rewrite J2; clear; lia)) as [_ A2].
    assert (A1' : A e 0%nat F = 0) by (destruct A1 as [A1 | [_ A1]]; [exact A1 | clear - A1; lia]). assert (A2' : A e 1%nat F = 0) by (destruct A2 as [A2 | [_ A2]]; [exact A2 | clear - A2; lia]).
    assert (EL : levels - 1 = Z.of_nat e) by (unfold e; clear - EV v1; lia). unfold A, C in A1', A2', C1. change (Z.of_nat 0) with 0 in A1', C1. rewrite Z.add_0_r in A1', C1.
    destruct (H_late_joins (first + F)%nat) as [HX _]; try (rewrite EL; assumption); [apply busy; clear - long; lia | apply tail_at |].
    unfold A. rewrite Nat.add_succ_r. change (Z.of_nat 0) with 0. rewrite Z.add_0_r, <- EV. exact HX.
  Qed.

  Lemma at_rest : forall t, (F <= t <= whole)%nat -> shift (first + t)%nat = 0 /\ take (first + t)%nat = 0.
  Proof.
    intros t [Lo Lt]. destruct numbers as ((_ & _ & _ & EF) & _). destruct (control (first + t)%nat) as (_ & _ & _ & T1 & S1 & R2). destruct (Nat.le_gt_cases t (F + 4)) as [T | T].
    - destruct (in_loop t T) as [P CT]. specialize (T1 P). specialize (S1 P). rewrite CT, EF in *. specialize (S1 ltac:(unfold F in Lo; clear - Lo; lia)).
      destruct (Z.leb_spec (Z.of_nat t) (Z.of_nat F - 1)) as [Q | _]; [clear - Q Lo; lia |]. destruct (Z.leb_spec (Z.of_nat t) (Z.of_nat F - 2)) as [Q | _]; [clear - Q Lo; lia |]. split; assumption.
    - destruct (R2 (waiting t ltac:(clear - T Lt; lia))) as [R3 R4]. split; assumption.
  Qed.

  Lemma stopping : take (first + (F - 1))%nat = 0.
  Proof.
    destruct numbers as ((_ & _ & _ & EF) & _). destruct (control (first + (F - 1))%nat) as (_ & _ & _ & T1 & _). destruct (in_loop (F - 1) ltac:(clear; lia)) as [P CT]. rewrite (T1 P), CT, EF.
    destruct (Z.leb_spec (Z.of_nat (F - 1)) (Z.of_nat F - 2)) as [Q | _]; [unfold F in Q; clear - Q; lia | reflexivity].
  Qed.

  Lemma no_flags : forall t, (t <= whole)%nat -> (t <> F + 2)%nat -> between (first + S t)%nat = 0.
  Proof.
    intros t Lt N. destruct words_number as (EM & M2 & _). destruct numbers as ((_ & _ & _ & EF) & _). assert (T3 : tail 3 (first + t)%nat = 0).
    { destruct (control (first + t)%nat) as (_ & _ & (_ & -> & _) & _). pose proof (counter t Lt) as CT. destruct (Z.eqb_spec (cycle (first + t)%nat) (END + 2)) as [Q | _]; [rewrite EF in Q; clear - Q CT N; lia | reflexivity]. }
    rewrite Nat.add_succ_r. apply H_nothing_between; apply (no_bits _ M).
    - rewrite <- EM. apply (H_ranges (S (first + t))).
    - intros j J. destruct (H_flags (first + t)%nat (Z.of_nat j) ltac:(rewrite EM; clear - J; lia)) as [Q _]. rewrite T3 in Q. exact Q.
    - rewrite <- EM. apply (H_ranges (S (first + t))).
    - intros j J. destruct (H_flags (first + t)%nat (Z.of_nat j) ltac:(rewrite EM; clear - J; lia)) as [_ Q]. rewrite T3 in Q. exact Q.
  Qed.

  Lemma yin_between : forall t, (F - 1 <= t <= whole)%nat -> yin (S t) = (2 * between (first + t)%nat) mod 2 ^ WORDS.
  Proof.
    intros t [Lo Lt]. destruct (H_ages (first + t)%nat (busy t Lt)) as [_ Q]. unfold yin. rewrite Nat.add_succ_r, Q.
    destruct (Nat.eq_dec t (F - 1)) as [-> | N]; [rewrite stopping; reflexivity |]. destruct (at_rest t ltac:(clear - Lo N Lt; lia)) as [_ ->]. reflexivity.
  Qed.

  Lemma nothing_in : forall t, (F <= t <= S whole)%nat -> (t <> F + 4)%nat -> yin t = 0.
  Proof.
    intros t [Lo Lt] N. destruct t as [| [| t]]; [unfold F in Lo; clear - Lo; lia | unfold F in Lo; clear - Lo; lia |]. rewrite yin_between by (clear - Lo Lt; lia). rewrite no_flags by (clear - Lt N; lia). rewrite Z.mul_0_r. apply Zmod_0_l.
  Qed.

  Lemma resting_words : forall t, (F <= t <= whole)%nat -> adds chain state M (y (S t)) (Cy (S t)) (fun j => block chain state (y t) j + block chain state (A v 0 t) j + flag (yin t) j).
  Proof. intros t Lt. pose proof (words_at t (proj2 Lt)) as H. destruct (at_rest t Lt) as [S0 _]. rewrite S0 in H. exact H. Qed.

  Lemma y_rests : forall t, (F <= t <= whole)%nat -> (t <> F + 1)%nat -> (t <> F + 4)%nat -> y (S t) = y t.
  Proof.
    intros t Lt N1 N4. destruct words_number as (EM & M2 & m1 & m2 & _). destruct room as (_ & _ & C0 & _). destruct (root_left t ltac:(clear - Lt; lia)) as [A0 _]. pose proof (nothing_in t ltac:(clear - Lt; lia) N4) as Y0.
    destruct (resting_words t Lt) as (H1 & H2 & H3). apply (adds_same chain state M (y (S t)) (Cy (S t)) (y t) ltac:(clear - C0; lia) m1 m2 ltac:(clear - M2; lia)); [apply in_range_of |].
    split; [exact H1 |]. split; [exact H2 |]. intros j J. rewrite H3 by exact J. rewrite A0, Y0, flag_0 by (clear - N1; lia). unfold block at 2. rewrite Zdiv_0_l, Zmod_0_l. ring.
  Qed.

  Lemma value_parts : 0 <= V last < 2 ^ operand /\ value = pw r (D + k) * V last + digits r (fun i => u (S K + i)%nat) (D + k) /\ 0 <= value < 2 ^ operand.
  Proof.
    destruct is_value as [_ RV]. destruct scale as (_ & LP & EO & _). assert (LN : L * n < L * 2 ^ W) by (apply Z.mul_lt_mono_pos_l; assumption). pose proof value_at_last as EV. destruct radix as [R4 _].
    pose proof (pw_pos r (D + k) ltac:(clear - R4; lia)) as P. pose proof (digits_bound r (fun i => u (S K + i)%nat) (D + k) ltac:(clear - R4; lia) ltac:(intros; apply Z.mod_pos_bound; clear - R4; lia)) as DB.
    assert (RV2 : 0 <= value < 2 ^ operand) by (clear - RV LN EO; lia). split; [| split; [exact EV | exact RV2]].
    assert (V0 : 0 <= V last) by (rewrite V_last; pose proof (proj1 (proj1 (proj1 (in_range_of (first + F)%nat)))) as Q1; pose proof (proj1 (proj2 (proj2 (in_range_of (first + F)%nat)))) as Q2; unfold y; clear - Q1 Q2; lia).
    assert (1 * V last <= pw r (D + k) * V last) by (apply Z.mul_le_mono_nonneg_r; [exact V0 | clear - P; lia]). clear - H V0 EV DB RV2. lia.
  Qed.

  Lemma converted : y (F + 5) = V last.
  Proof.
    destruct words_number as (EM & M2 & m1 & m2 & _). destruct room as (_ & _ & C0 & _). destruct value_parts as (VR & _). destruct (in_range_of (first + F)%nat) as ((YR & _) & _ & LR). fold (y F) in YR.
    assert (SO : 2 ^ operand <= 2 ^ state) by (apply Z.pow_le_mono_r; [clear; lia |]; destruct sizes as (_ & (_ & ES & _)); destruct numbers as (_ & _ & _ & _ & _ & _ & D2); clear - ES D2; lia).
    assert (LS : 0 <= late (first + F)%nat < 2 ^ state) by (pose proof V_last as Q; rewrite Q in VR; clear - VR SO LR YR; lia).
    assert (E1 : y (F + 1) = y F) by (replace (F + 1)%nat with (S F) by (clear; lia); apply y_rests; clear - long; lia).
    assert (E2 : y (F + 4) = y (F + 2)) by (replace (F + 4)%nat with (S (F + 3)) by (clear; lia); rewrite y_rests by (clear - long; lia); replace (F + 3)%nat with (S (F + 2)) by (clear; lia); apply y_rests; clear - long; lia).
    assert (S0 : 1 <= state) by (clear - m2 M2 C0; assert (1 * chain <= (Z.of_nat M - 1) * chain) by (apply Z.mul_le_mono_nonneg_r; lia); lia).
    assert (BP : forall x j, (j < M)%nat -> block chain state x j = part x (0 + Z.of_nat j * chain) (Z.min chain (state - Z.of_nat j * chain))) by reflexivity.
    assert (SUMS : forall j, (j < M)%nat -> block chain state (y (F + 2)) j + 2 ^ bits chain state j * flag (Cy (F + 2)) j = block chain state (y F) j + block chain state (late (first + F)%nat) j).
    { intros j J. destruct (resting_words (F + 1) ltac:(clear - long; lia)) as (_ & _ & H). replace (S (F + 1)) with (F + 2)%nat in H by (clear; lia). rewrite H by exact J. rewrite E1, (nothing_in (F + 1)) by (clear - long; lia).
      replace (F + 1)%nat with (S F) by (clear; lia). rewrite (proj2 (root_left (S F) ltac:(clear - long; lia)) eq_refl), flag_0. ring. }
    set (gn := generates (first + (F + 3))%nat). set (pg := propagates (first + (F + 3))%nat). set (bt := between (first + (F + 3))%nat).
    assert (FLAGS : forall j, (j < M)%nat -> part gn (Z.of_nat j) 1 = flag (Cy (F + 2)) j /\ part pg (Z.of_nat j) 1 = if block chain state (y (F + 2)) j =? 2 ^ bits chain state j - 1 then 1 else 0).
    { intros j J. destruct (H_flags (first + (F + 2))%nat (Z.of_nat j) ltac:(rewrite EM; clear - J; lia)) as [Q1 Q2]. rewrite (proj2 tail_at) in Q1, Q2. replace (S (first + (F + 2))) with (first + (F + 3))%nat in Q1, Q2 by (clear; lia).
      split; [| exact Q2]. unfold gn. rewrite Q1. unfold Cy. rewrite flag_part by (rewrite ?EM; clear - J; lia). reflexivity. }
    assert (BOTH : forall j, (j < M)%nat -> part gn (Z.of_nat j) 1 + part pg (Z.of_nat j) 1 <= 1 /\ part pg (Z.of_nat j) 1 = if block chain state (y F) j + block chain state (late (first + F)%nat) j =? 2 ^ bits chain state j - 1 then 1 else 0).
    { intros j J. destruct (FLAGS j J) as [-> ->]. pose proof (SUMS j J) as Q. pose proof (flag_range (Cy (F + 2)) j) as FR.
      pose proof (block_range chain state M ltac:(clear - C0; lia) m1 m2 ltac:(clear - M2; lia) (y F) j J) as B1. pose proof (block_range chain state M ltac:(clear - C0; lia) m1 m2 ltac:(clear - M2; lia) (late (first + F)%nat) j J) as B2.
      pose proof (block_range chain state M ltac:(clear - C0; lia) m1 m2 ltac:(clear - M2; lia) (y (F + 2)) j J) as B3. set (p := 2 ^ bits chain state j) in *. assert (G : flag (Cy (F + 2)) j = 0 \/ flag (Cy (F + 2)) j = 1) by (clear - FR; lia).
      destruct G as [G | G]; rewrite G in *; rewrite <- Q.
      - rewrite Z.mul_0_r, Z.add_0_r. destruct (_ =? _); split; reflexivity || discriminate.
      - rewrite Z.mul_1_r in *. destruct (Z.eqb_spec (block chain state (y (F + 2)) j) (p - 1)) as [X1 | X1]; [clear - X1 Q B1 B2; lia |]. destruct (Z.eqb_spec (block chain state (y (F + 2)) j + p) (p - 1)) as [X2 | X2]; [clear - X2 B3; lia |]. split; [discriminate | reflexivity]. }
    pose proof (Groups.converted chain state 0 (y F) (late (first + F)%nat) 0 (y (F + 2)) (y (F + 5)) gn pg bt ltac:(clear - C0; lia) S0 ltac:(clear; lia) ltac:(clear; lia)) as Q. cbv zeta in Q. rewrite EM in Q.
    assert (NAT : forall i, 0 <= i < Z.of_nat M -> exists j, (j < M)%nat /\ i = Z.of_nat j) by (intros i I; exists (Z.to_nat i); clear - I; lia).
    assert (Q1 : part (y (F + 5)) 0 state = (part (y F) 0 state + part (late (first + F)%nat) 0 state + 0) mod 2 ^ state).
    { apply Q; clear Q.
      - intros i I. destruct (NAT i I) as (j & J & ->). destruct (FLAGS j J) as [-> _]. destruct (BOTH j J) as [_ ->]. split; [| reflexivity]. etransitivity; [exact (SUMS j J) |]. destruct (Z.of_nat j =? 0); rewrite Z.add_0_r; reflexivity.
      - intros i I. destruct (NAT i ltac:(clear - I; lia)) as (j & J & ->). etransitivity; [| apply (H_look_ahead (first + (F + 3))%nat (Z.of_nat j)); [rewrite EM; clear - J; lia |]].
        + reflexivity.
        + intros x X0. rewrite EM in X0. destruct (NAT x X0) as (j' & J' & ->). apply BOTH, J'.
      - intros i I. destruct (NAT i I) as (j & J & ->). destruct (resting_words (F + 4) ltac:(clear - long; lia)) as (_ & _ & H). specialize (H j J). replace (S (F + 4)) with (F + 5)%nat in H by (clear; lia).
        rewrite (proj1 (root_left (F + 4) ltac:(clear - long; lia))) in H by (clear; lia). unfold block at 3 in H. rewrite Zdiv_0_l, Zmod_0_l, Z.add_0_r, E2 in H. replace (F + 4)%nat with (S (F + 3)) in H by (clear; lia).
        rewrite yin_between in H by (clear - long; lia). fold bt in H. assert (EF : flag ((2 * bt) mod 2 ^ WORDS) j = ((2 * bt) / 2 ^ Z.of_nat j) mod 2).
        { pose proof (flag_part (2 * bt) 0 WORDS j ltac:(clear; lia) ltac:(clear; lia) ltac:(rewrite EM; clear - J; lia)) as G. unfold part at 1 in G. change (2 ^ 0) with 1 in G. rewrite Z.div_1_r in G. exact G. }
        rewrite EF in H. rewrite <- !BP by exact J. pose proof (block_range chain state M ltac:(clear - C0; lia) m1 m2 ltac:(clear - M2; lia) (y (F + 5)) j J) as B5.
        apply (Z.mod_unique _ _ (flag (Cy (F + 5)) j)); [left; exact B5 |]. rewrite <- H. fold (bits chain state j). ring. }
    rewrite !part_whole in Q1 by (assumption || apply in_range_of). rewrite Z.add_0_r, <- V_last in Q1. rewrite Q1. apply Z.mod_small. clear - VR SO. lia.
  Qed.

  Lemma low_rests : forall t, (F + 5 <= t <= whole)%nat -> low_q (first + t)%nat = digits r (fun i => u (S K + i)%nat) (D + k) /\ y t = V last.
  Proof.
    intros t [Lo Lt]. destruct radix as [R4 _]. destruct numbers as ((EV & EK & _ & EF) & v1 & vk & _ & _ & _ & D2).
    assert (ELOW : LOW = Z.of_nat (D + k) * digit) by (unfold D; rewrite EK, EV; f_equal; clear; lia).
    assert (low_F : low_q (first + F)%nat = digits r (fun i => u (S K + i)%nat) (D + k)).
    { set (s := (F - (D + k))%nat). assert (SF : (s + (D + k) = F /\ s = K + v + 2)%nat) by (unfold s, F, D; clear; lia).
      pose proof (entered_words r (D + k) (D + k) (fun i => low_q (first + (s + i))%nat) (fun i => u (S K + i)%nat) ltac:(clear - R4; lia) (le_n _)) as G. cbv beta in G. rewrite Nat.sub_diag, (proj1 SF) in G. cbn [pw] in G. rewrite Z.div_1_r in G. apply G; clear G.
      - destruct (in_range_of (first + (s + 0))%nat) as ((_ & _ & _ & R) & _). unfold r. rewrite pw_words by (clear - D2; lia). rewrite <- ELOW. exact R.
      - intros i Li. apply Z.mod_pos_bound. clear - R4. lia.
      - intros i Li. replace (first + (s + S i))%nat with (S (first + (s + i))) by (clear; lia). rewrite H_low_digits. destruct (in_loop (s + i) ltac:(clear - Li SF; lia)) as [P CT]. destruct (control (first + (s + i))%nat) as (_ & _ & _ & _ & S1 & _).
        rewrite (S1 P) by (rewrite CT; clear - SF; lia). rewrite CT, EF. destruct (Z.leb_spec (Z.of_nat (s + i)) (Z.of_nat F - 1)) as [_ | Q]; [| clear - Q Li SF; lia]. change (1 =? 1) with true. cbv iota. fold r. f_equal. f_equal.
        + unfold r. rewrite pw_words by (clear - D2; lia). f_equal. rewrite ELOW, Nat2Z.inj_sub by (unfold D; clear; lia). ring.
        + unfold u, Y, y. do 3 f_equal. clear - SF. lia. }
    assert (G : forall d, (F + d <= whole)%nat -> low_q (first + (F + d))%nat = digits r (fun i => u (S K + i)%nat) (D + k)).
    { induction d; intros Ld; [rewrite Nat.add_0_r; exact low_F |]. replace (first + (F + S d))%nat with (S (first + (F + d))) by (clear; lia). rewrite H_low_digits. destruct (at_rest (F + d) ltac:(clear - Ld; lia)) as [-> _]. apply IHd. clear - Ld. lia. }
    split; [replace t with (F + (t - F))%nat by (clear - Lo; lia); apply G; clear - Lo Lt; lia |].
    assert (H : forall d, (F + 5 + d <= whole)%nat -> y (F + 5 + d) = V last).
    { induction d; intros Ld; [rewrite Nat.add_0_r; exact converted |]. rewrite Nat.add_succ_r, y_rests by (clear - Ld; lia). apply IHd. clear - Ld. lia. }
    replace t with (F + 5 + (t - F - 5))%nat by (clear - Lo; lia). apply H. clear - Lo Lt. lia.
  Qed.

  Lemma answered : forall t, (F + 5 <= t <= whole)%nat -> net "p_o" (first + t)%nat = value.
  Proof.
    intros t Lt. destruct (low_rests t Lt) as [E1 E2]. destruct value_parts as (_ & EV & RV). destruct numbers as ((EVv & EK & _) & _ & _ & _ & _ & _ & D2). rewrite H_answer, E1. fold (y t). rewrite E2.
    replace (2 ^ LOW) with (pw r (D + k)) by (unfold r; rewrite pw_words by (clear - D2; lia); f_equal; f_equal; unfold D; clear - EVv EK; lia). rewrite Z.add_comm, <- EV. apply Z.mod_small, RV.
  Qed.
  End Request.

  (* ---------------------------------------------------------------- the contract *)
  Let legal (c : nat) : Prop := n_of c mod 2 = 1 /\ 3 <= n_of c /\ n_of c < 2 ^ W /\ raised (digit * (levels + 2)) (n_of c) (2 ^ (digit * (levels + 2)) * net "n_scaled_i" c).
  Let bounded (n x : Z) : Prop := 0 <= x < 2 * 2 ^ (digit * (levels + 2)) * n.
  Let asked (c : nat) : Prop := phase c = 0 /\ net "req_valid_i" c = 1 /\ legal c /\ bounded (n_of c) (net "a_i" c) /\ bounded (n_of c) (net "b_i" c).
  (* A response waits in cycle t. *)
  Let rests (t : nat) : Prop := exists c whole, asked c /\ (F + 5 <= whole)%nat /\ t = (S c + whole)%nat /\ forall i, (F + 5 <= i <= whole)%nat -> phase (S c + i)%nat = 2.

  Lemma responds : forall c whole, asked c -> (F + 5 <= whole)%nat -> (forall i, (F + 5 <= i <= whole)%nat -> phase (S c + i)%nat = 2) ->
    exists p, (montgomery (n_of c) (pw r K) (net "a_i" c) (net "b_i" c) p /\ bounded (n_of c) p) /\ forall t, (F + 5 <= t <= whole)%nat -> net "p_o" (S c + t)%nat = p.
  Proof.
    intros c whole (B & Q & (odd & least & most & constant) & X1 & X2) long waiting. eexists. split; [exact (is_value c whole B Q odd least most constant X1 X2 long waiting) |].
    intros t T. exact (answered c whole B Q odd least most constant X1 X2 long waiting t T).
  Qed.

  Theorem contract : multiplier net (net "a_i") (net "b_i") n_of (net "p_o") (F + 6) (F + 6) (2 ^ (digit * many)) legal bounded bounded.
  Proof.
    apply (serves _ _ _ _ _ _ _ _ _ _ _ phase 0 2 rests).
    - intros t. destruct (control t) as ((_ & I & -> & V) & _). split; [exact I | exact V].
    - intros c B Q G X1 X2. exists (F + 6)%nat. assert (AS : asked c) by (unfold asked; auto). assert (EC : (c + (F + 6) = S c + (F + 5))%nat) by (clear; lia). rewrite EC. pose proof (done_at c B Q) as DN.
      assert (WT : forall i, (F + 5 <= i <= F + 5)%nat -> phase (S c + i)%nat = 2) by (intros i I; replace i with (F + 5)%nat by (clear - I; lia); exact DN).
      destruct (responds c (F + 5) AS (le_n _) WT) as (p & (P1 & P2) & P3). rewrite (P3 (F + 5)%nat) by (clear; lia). split; [clear; lia |]. split; [exact DN |].
      split; [intros t T; replace t with (S c + (t - S c))%nat by (clear - T; lia); destruct (loop_of c B Q (t - S c) ltac:(clear - T; lia)) as [-> _]; discriminate |].
      split; [exists c, (F + 5)%nat; split; [exact AS |]; split; [apply le_n |]; split; [reflexivity | exact WT] |]. split; [exact P2 |].
      destruct numbers as ((_ & _ & EM & _) & _ & _ & _ & _ & _ & D2). replace (2 ^ (digit * many)) with (pw r K); [apply montgomery_mod, P1 |]. unfold r. rewrite pw_words by (clear - D2; lia). f_equal. rewrite Z.mul_comm, EM. reflexivity.
    - intros t P (c & whole & AS & Lo & -> & WT) T. pose proof (H_waits (S c + whole)%nat (in_control _) P T) as PN. split; [exact PN |].
      assert (WT2 : forall i, (F + 5 <= i <= S whole)%nat -> phase (S c + i)%nat = 2).
      { intros i I. destruct (Nat.eq_dec i (S whole)) as [-> | N]; [rewrite Nat.add_succ_r; exact PN | apply WT; clear - I N; lia]. }
      split; [exists c, (S whole); split; [exact AS |]; split; [clear - Lo; lia |]; split; [rewrite Nat.add_succ_r; reflexivity | exact WT2] |].
      destruct (responds c (S whole) AS ltac:(clear - Lo; lia) WT2) as (p & _ & P3). rewrite <- Nat.add_succ_r, !P3 by (clear - Lo; lia). reflexivity.
  Qed.
End Chain.
