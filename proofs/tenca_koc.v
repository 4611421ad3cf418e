(* SPDX-License-Identifier: Apache-2.0 *)
(* mf_tenca_koc_par from the nets of the RTL to the contract, for every width, word and number of elements, one or two cycles apart, in both forms. The hypotheses are the
   lemmas that montforge prints into tenca_koc_lemmas.v, and proves on the RTL. *)
From Coq Require Import ZArith Lia String.
Require Import DigitRecurrence Instances WordSerial Contract Control Bits Cycles WordRow WordPipeline tenca_koc_lemmas.
Open Scope string_scope. Open Scope Z_scope.
Set Default Proof Using "All".

(* A word of a register of m words that moves up by a word. *)
Lemma moved_up : forall x y word m g, 0 <= word -> x / 2 ^ word = y mod 2 ^ ((m - 1) * word) -> 0 <= g -> g + 1 < m -> part x ((g + 1) * word) word = part y (g * word) word.
Proof.
  intros x y word m g W E G L. unfold part. assert (0 <= g * word) by (apply Z.mul_nonneg_nonneg; lia). assert (0 <= (m - 2 - g) * word) by (apply Z.mul_nonneg_nonneg; lia).
  replace ((g + 1) * word) with (word + g * word) by ring. rewrite Z.pow_add_r, <- Z.div_div by (lia || apply Z.pow_nonzero; lia || apply Z.pow_pos_nonneg; lia). rewrite E.
  replace ((m - 1) * word) with (g * word + (word + (m - 2 - g) * word)) by ring. rewrite !Z.pow_add_r by lia.
  assert (P : 0 < 2 ^ (g * word)) by (apply Z.pow_pos_nonneg; lia). assert (Q : 0 < 2 ^ word) by (apply Z.pow_pos_nonneg; lia). assert (R : 0 < 2 ^ ((m - 2 - g) * word)) by (apply Z.pow_pos_nonneg; lia).
  revert P Q R. generalize (2 ^ (g * word)) (2 ^ word) (2 ^ ((m - 2 - g) * word)). intros p q r P Q R.
  rewrite (Z.rem_mul_r y p (q * r)) by (lia || apply Z.mul_pos_pos; lia). rewrite (Z.mul_comm p), Z.div_add, Z.div_small, Z.add_0_l by (try apply Z.mod_pos_bound; lia).
  rewrite Z.rem_mul_r, (Z.mul_comm q), Z_mod_plus_full, Z.mod_mod by lia. reflexivity.
Qed.

(* Such a register takes a word in each cycle, which is the topmost one m cycles later. *)
Lemma waits : forall (x out : nat -> Z) word m, 0 <= word -> (forall t, part (x (S t)) (0 * word) word = out t) -> (forall t, x (S t) / 2 ^ word = x t mod 2 ^ ((Z.of_nat m - 1) * word)) ->
  forall t i, (i < m)%nat -> part (x (S (t + i))) (Z.of_nat i * word) word = out t.
Proof.
  intros x out word m P taken moves t. induction i; intros L; [rewrite Nat.add_0_r; apply taken |]. replace (Z.of_nat (S i)) with (Z.of_nat i + 1) by lia. replace (t + S i)%nat with (S (t + i)) by lia.
  rewrite (moved_up _ _ word (Z.of_nat m) (Z.of_nat i) P (moves _) ltac:(lia) ltac:(lia)). apply IHi. lia.
Qed.

Section Chain.
  Variables (K round rounds off last words elements : nat) (closed word : Z) (net : trace).
  Let W := Z.of_nat K.
  Local Notation on lemma := (lemma (Z.of_nat K) (Z.of_nat round) (Z.of_nat rounds) (Z.of_nat off) (Z.of_nat last) (Z.of_nat words) closed word (Z.of_nat elements) net).
  Hypotheses (wide : (closed = 0 \/ closed = 1) /\ 1 <= word /\ W + 1 + closed <= Z.of_nat words * word) (near : off = 1%nat \/ off = 2%nat)
    (whole : Z.of_nat ((rounds - 1) * elements + last + 1) = W + 2 * closed)
    (sizes : (1 <= off /\ off * elements <= round /\ 1 <= words /\ words + 1 <= round /\ 1 <= rounds /\ last < elements)%nat)
    (H_ranges : on ranges) (H_ready : on ready) (H_at_reset : on quiet_at_reset) (H_quiet : on quiet_on) (H_accept : on accept) (H_count : on count) (H_rounds : on rounds_count)
    (H_bits : on bits_of_a) (H_takes : on takes_a) (H_words : on words_of_operands) (H_inputs : on inputs_of_0) (H_quotient : on quotient) (H_added : on added) (H_lowest : on lowest) (H_kept : on kept)
    (H_no_starts : on no_starts) (H_link_starts : on link_of_starts) (H_link : on link) (H_link_words : on link_of_words) (H_returns : on returns) (H_result : on result_words)
    (H_hold : on hold) (H_answer : on answer).

  Let latency := (round * (rounds - 1) + off * last + words + 1)%nat.
  Let iterations := ((rounds - 1) * elements + last + 1)%nat.
  Let h := 2 ^ (word - 1).
  Let r := 2 * h.
  Local Notation phase := (net "phase_q"). Local Notation running := (net "u_core.running_q").
  Let low (e t : nat) : Z := part (net "u_core.v_low" t) (Z.of_nat e) 1.
  Let rest (e t : nat) : Z := part (net "u_core.v" t) (Z.of_nat e * (word - 1)) (word - 1).
  Let first (e t : nat) : Z := part (net "u_core.first" t) (Z.of_nat e) 1.
  Let in_words (name : name) (e t : nat) : Z := part (net name t) (Z.of_nat e * word) word.
  Local Notation sum := (in_words "u_core.s"). Local Notation y := (in_words "u_core.y"). Local Notation z := (in_words "u_core.n").
  Local Notation element name := (append "u_core.gen_element[0..].u_element." name).
  Let element_bit (name : name) (e t : nat) : Z := part (net (element name) t) (Z.of_nat e) 1.
  Let carry (e t : nat) : Z := part (net (element "carry_q") t) (2 * Z.of_nat e) 2.
  Let total (e t : nat) : Z := part (net (element "v") t) (Z.of_nat e * (word + 2)) (word + 2).

  Lemma radix : 1 <= h /\ 2 ^ word = r /\ 2 ^ (word - 1) = h.
  Proof. unfold r, h. split; [assert (0 < 2 ^ (word - 1)) by (apply Z.pow_pos_nonneg; lia); lia |]. split; [apply half; lia | reflexivity]. Qed.

  Lemma powers : (2 + 2 * closed) * 2 ^ W <= pw r words /\ 2 ^ (W + 1) = 2 * 2 ^ W /\ 0 < 2 ^ W /\ 2 ^ (Z.of_nat words * word) = pw r words /\
    2 ^ ((Z.of_nat words - 1) * word) = pw r (words - 1).
  Proof.
    destruct radix as (_ & <- & _). rewrite !pw_words by lia. replace (Z.of_nat (words - 1)) with (Z.of_nat words - 1) by lia. assert (0 < 2 ^ W) by (apply Z.pow_pos_nonneg; lia).
    pose proof (Z.pow_le_mono_r 2 (W + 1 + closed) (Z.of_nat words * word) ltac:(lia) ltac:(lia)) as P. rewrite Z.pow_add_r in P by lia. rewrite (Z.pow_add_r 2 W 1) in * by lia.
    destruct wide as ([-> | ->] & _); lia.
  Qed.

  Lemma latency_is : Z.of_nat round * (Z.of_nat rounds - 1) + Z.of_nat off * Z.of_nat last + Z.of_nat words + 1 = Z.of_nat latency.
  Proof. unfold latency. clear - sizes. rewrite !Nat2Z.inj_add, !Nat2Z.inj_mul, Nat2Z.inj_sub by lia. lia. Qed.

  Lemma quiet_always : forall t, quiet (Z.of_nat K) (Z.of_nat round) (Z.of_nat rounds) (Z.of_nat off) (Z.of_nat last) (Z.of_nat words) closed word (Z.of_nat elements) net t.
  Proof. induction t; [apply (H_at_reset O eq_refl) | apply H_quiet, IHt]. Qed.

  (* ---------------------------------------------------------------- from element to element *)
  Lemma running_is : forall t, running t = if phase t =? 1 then 1 else 0.
  Proof. intros t. apply (quiet_always t). Qed.

  Lemma next_is : forall e, (S e < elements)%nat -> Z.of_nat (S e) = Z.of_nat e + 1 /\ 0 <= Z.of_nat e < Z.of_nat elements - 1.
  Proof. clear. lia. Qed.

  (* Register i of the link behind element e. *)
  Let link_bit (e i t : nat) : Z := part (net "u_core.gen_link[1..].first_q" t) (Z.of_nat e * Z.of_nat off + Z.of_nat i) 1.
  Let link_word (name : name) (e i t : nat) : Z := part (net name t) ((Z.of_nat e * Z.of_nat off + Z.of_nat i) * word) word.

  Lemma top_of_link : forall e, Z.of_nat e * Z.of_nat off + Z.of_nat off - 1 = Z.of_nat e * Z.of_nat off + Z.of_nat (off - 1).
  Proof. clear - near. intros e. lia. Qed.

  Lemma link_bit_moves : forall e t, (S e < elements)%nat -> phase t = 1 ->
    link_bit e 0 (S t) = first e t /\ forall i, (S i < off)%nat -> link_bit e (S i) (S t) = link_bit e i t.
  Proof.
    intros e t L P. destruct (next_is e L) as [_ I]. pose proof (running_is t) as R. rewrite P in R. destruct (H_link_starts t _ I R) as (A & B). unfold link_bit. rewrite Z.add_0_r. split; [exact A |].
    intros i J. specialize (B (Z.of_nat i) ltac:(clear - J; lia)). rewrite !Z.mul_1_r in B. replace (Z.of_nat (S i)) with (Z.of_nat i + 1) by (clear; lia). rewrite Z.add_assoc. exact B.
  Qed.

  Lemma first_is : forall e t, (S e < elements)%nat -> first (S e) t = link_bit e (off - 1) t.
  Proof. intros e t L. destruct (next_is e L) as [E I]. unfold first, link_bit. rewrite E, <- top_of_link. apply (H_link t _ I). Qed.

  Lemma first_on : forall e t, (S e < elements)%nat -> (forall i, (i < off)%nat -> phase (t + i)%nat = 1) -> first (S e) (t + off)%nat = first e t.
  Proof.
    intros e t L P. assert (G : forall i, (i < off)%nat -> link_bit e i (S (t + i)) = first e t).
    { induction i; intros J; [rewrite Nat.add_0_r; apply link_bit_moves; [exact L | specialize (P 0%nat J); rewrite Nat.add_0_r in P; exact P] |].
      destruct (link_bit_moves e (t + S i) L (P _ J)) as (_ & ->); [| exact J]. replace (t + S i)%nat with (S (t + i)) by (clear; lia). apply IHi. clear - J. lia. }
    rewrite first_is by exact L. replace (t + off)%nat with (S (t + (off - 1))) by (clear - near; lia). apply G. clear - near. lia.
  Qed.

  Lemma first_early : forall e t k, (S e < elements)%nat -> phase t <> 1 -> (k < off)%nat -> (forall i, (i < k)%nat -> phase (S t + i)%nat = 1) -> first (S e) (S t + k)%nat = 0.
  Proof.
    intros e t k L P K1 Q. rewrite first_is by exact L. destruct (next_is e L) as [_ I]. assert (G : forall j, (j <= k)%nat -> forall i, (j <= i < off)%nat -> link_bit e i (S t + j)%nat = 0).
    { induction j; intros J i B.
      - rewrite Nat.add_0_r. pose proof (running_is t) as R. destruct (Z.eqb_spec (phase t) 1); [contradiction |]. pose proof (H_no_starts t _ I R) as N. unfold link_bit.
        apply (no_bit _ _ off i); [apply Z.mul_nonneg_nonneg; clear; lia | exact N | apply B].
      - destruct i as [| i]; [lia |]. rewrite Nat.add_succ_r. destruct (link_bit_moves e (S t + j) L (Q j J)) as (_ & ->); [| apply B]. apply IHj; clear - J B; lia. }
    apply (G k (le_n k)). clear - K1. lia.
  Qed.

  Lemma words_on : forall e t, (S e < elements)%nat -> y (S e) (t + off)%nat = y e t /\ z (S e) (t + off)%nat = z e t.
  Proof.
    intros e t L. destruct (next_is e L) as [E I].
    assert (G : forall i, (i < off)%nat -> link_word "u_core.gen_link[1..].y_link_q" e i (S (t + i)) = y e t /\ link_word "u_core.gen_link[1..].n_link_q" e i (S (t + i)) = z e t).
    { unfold link_word. induction i; intros J.
      - rewrite Nat.add_0_r, Z.add_0_r. destruct (H_link_words t _ I) as (A & B & _). split; [exact A | exact B].
      - destruct (IHi ltac:(clear - J; lia)) as (A & B). destruct (H_link (S (t + i)) _ I) as (_ & _ & _ & C & D). specialize (C (Z.of_nat i) ltac:(clear - J; lia)). specialize (D (Z.of_nat i) ltac:(clear - J; lia)).
        replace (t + S i)%nat with (S (t + i)) by (clear; lia). replace (Z.of_nat (S i)) with (Z.of_nat i + 1) by (clear; lia). rewrite Z.add_assoc, C, D. split; [exact A | exact B]. }
    specialize (G (off - 1)%nat ltac:(clear - near; lia)). replace (S (t + (off - 1))) with (t + off)%nat in G by (clear - near; lia).
    unfold in_words at 1 3. rewrite E. destruct (H_link (t + off)%nat _ I) as (_ & -> & -> & _). rewrite top_of_link. exact G.
  Qed.

  Lemma sum_on : forall e t, (S e < elements)%nat -> sum (S e) (t + (off - 1))%nat = h * low e t + rest e t.
  Proof.
    intros e t L. destruct (next_is e L) as [E I]. destruct (H_link_words t _ I) as (_ & _ & A). unfold in_words. rewrite E. clear - near A.
    destruct near as [O | O]; rewrite O in *; cbn [Nat.sub Z.of_nat Z.eqb Pos.eqb Pos.of_succ_nat Pos.succ] in A |- *; [rewrite Nat.add_0_r | rewrite Nat.add_1_r]; exact A.
  Qed.

  Let stages := (round - off * elements + off - 1)%nat.

  Lemma returned_is : forall t, net "u_core.returned" (t + stages)%nat = h * low (elements - 1) t + rest (elements - 1) t.
  Proof.
    intros t. assert (SZ : Z.of_nat round - Z.of_nat off * Z.of_nat elements + Z.of_nat off - 1 = Z.of_nat stages /\ Z.of_nat (elements - 1) = Z.of_nat elements - 1).
    { unfold stages. clear - sizes. split; [rewrite !Nat2Z.inj_sub, Nat2Z.inj_add, Nat2Z.inj_sub, Nat2Z.inj_mul by lia; reflexivity | lia]. }
    destruct SZ as (SZ & EL). first
      [ solve [destruct (H_returns t) as (Z0 & A); rewrite SZ in Z0; replace (t + stages)%nat with t by (clear - Z0; lia); rewrite A; unfold low, rest; rewrite EL; reflexivity]
      | assert (S1 : (1 <= stages)%nat) by (destruct (H_returns t) as (P & _); rewrite SZ in P; clear - P; lia);
        destruct (H_returns (t + stages)%nat) as (_ & -> & _); rewrite SZ; replace (Z.of_nat stages - 1) with (Z.of_nat (stages - 1)) by (clear - S1; lia);
        replace (t + stages)%nat with (S (t + (stages - 1))) by (clear - S1; lia); apply (waits _ (fun t => h * low (elements - 1) t + rest (elements - 1) t) word stages);
        [lia | intros u; destruct (H_returns u) as (_ & _ & A & _); unfold low, rest; rewrite EL; exact A |
         intros u; destruct (H_returns u) as (_ & _ & _ & B); rewrite SZ in B; exact B | clear - S1; lia] ].
  Qed.

  (* ---------------------------------------------------------------- bits of a *)
  Lemma takes_one : forall t e, (e < elements)%nat -> first e t = 1 -> net "u_core.last_round_q" t <> 1 \/ (e <= last)%nat -> net "u_core.a_taken_o" t = 1.
  Proof.
    intros t e L F C. rewrite H_takes. assert (G : forall k, (e < k)%nat -> part (net "u_core.first" t) 0 (Z.of_nat k) <> 0).
    { intros k I E. pose proof (no_bit _ 0 k e ltac:(lia) E I) as N. rewrite Z.add_0_l in N. unfold first in F. lia. }
    replace (Z.of_nat last + 1) with (Z.of_nat (S last)) by lia. pose proof (G (S last)) as G1. pose proof (G elements L) as G2. clear - C G1 G2.
    destruct (Z.eqb_spec (net "u_core.last_round_q" t) 1); [destruct (Z.eqb_spec (part (net "u_core.first" t) 0 (Z.of_nat (S last))) 0) | destruct (Z.eqb_spec (part (net "u_core.first" t) 0 (Z.of_nat elements)) 0)]; lia.
  Qed.

  Lemma takes_none : forall t, (forall e, (e < elements)%nat -> first e t = 0) -> net "u_core.a_taken_o" t = 0.
  Proof.
    intros t F. rewrite H_takes. assert (G : forall k, (k <= elements)%nat -> part (net "u_core.first" t) 0 (Z.of_nat k) = 0).
    { intros k I. apply no_bits; [lia |]. intros i B. rewrite Z.add_0_l. apply F. lia. }
    replace (Z.of_nat last + 1) with (Z.of_nat (S last)) by lia. rewrite !G by lia. destruct (_ =? 1); reflexivity.
  Qed.

  Section Request.
  (* A request is accepted in cycle c. *)
  Variables (c : nat).
  Let a := net "a_i" c. Let b := net "b_i" c. Let n := net "n_i" c.
  Hypotheses (idle : phase c = 0) (request : net "req_valid_i" c = 1) (odd : n mod 2 = 1) (a_range : a < (1 + closed) * n) (b_range : b < (1 + closed) * n).

  Let f := S c.

  Lemma small : 0 < n < 2 ^ W /\ 0 <= a < 2 ^ (W + closed) /\ 0 <= b.
  Proof.
    assert (A : 0 <= a < 2 ^ (W + closed)) by in_range H_ranges c. assert (B : 0 <= b < 2 ^ (W + closed)) by in_range H_ranges c. assert (N : 0 <= n < 2 ^ W) by in_range H_ranges c.
    pose proof (odd_positive n (proj1 N) odd). clear - A B N H. lia.
  Qed.

  Lemma computed : (forall k, (k < latency)%nat -> phase (k + f)%nat = 1) /\ phase (latency + f)%nat = 2 /\ net "p_q" (latency + f)%nat = x a b n iterations.
  Proof.
    destruct radix as (R1 & R2 & R3). destruct small as (N & A & B). destruct powers as (P1 & P2 & P3 & P4 & P5). pose proof latency_is as LI.
    destruct (H_accept c idle request (quiet_always c)) as (A1 & A2 & A3 & A4 & A5 & A6 & A7 & A8 & A9 & A10 & A11).
    assert (S3 : (2 + closed) * n <= pw r words /\ (1 + closed) * n <= pw r words) by (clear - wide N P1; destruct wide as ([-> | ->] & _); lia). destruct S3 as [S3 S4].
    pose proof (proj1 wide) as CL. pose proof (proj1 N) as N1. pose proof (conj B b_range) as B1.
    apply (pipeline h a b n elements off round rounds last words R1 sizes) with (phase := fun k => phase (k + f)%nat) (count := fun k => net "u_core.count_q" (k + f)%nat)
      (place := fun k => net "u_core.place_q" (k + f)%nat) (first_round := fun k => net "u_core.first_round_q" (k + f)%nat) (last_round := fun k => net "u_core.last_round_q" (k + f)%nat)
      (starts := fun k => net "u_core.starts_q" (k + f)%nat) (words_left := fun k => net "u_core.words_left_q" (k + f)%nat) (valid := fun k => net "u_core.p_valid_o" (k + f)%nat)
      (first := fun e k => first e (k + f)) (y := fun e k => y e (k + f)%nat) (z := fun e k => z e (k + f)%nat) (sum := fun e k => sum e (k + f)%nat) (low := fun e k => low e (k + f)) (rest := fun e k => rest e (k + f))
      (b_q := fun k => net "b_q" (k + f)%nat) (n_q := fun k => net "n_q" (k + f)%nat) (returned := fun k => net "u_core.returned" (k + f)%nat) (a_q := fun k => net "a_q" (k + f)%nat)
      (taken := fun k => net "u_core.a_taken_o" (k + f)%nat) (quotient := fun e k => element_bit "q" e (k + f)) (kept_quotient := fun e k => element_bit "q_q" e (k + f))
      (kept_bit := fun e k => element_bit "a_bit_q" e (k + f)) (carry := fun e k => carry e (k + f)) (total := fun e k => total e (k + f)) (p_q := fun k => net "p_q" (k + f)%nat); fold r; fold latency; cbn [Nat.add].
    - clear - B b_range S4. lia.
    - clear - N P1 P3 wide. destruct wide as ([-> | ->] & _); lia.
    - exact odd.
    - intros i _. pose proof (proj2 (proj2 (sum_range closed a b n CL N1 B1 i))) as T. clear - T S3. lia.
    - repeat split; try assumption. unfold f. rewrite A5. clear - sizes. destruct (Z.eqb_spec (Z.of_nat rounds) 1), (Nat.eqb_spec rounds 1); lia || reflexivity.
    - intros k P. pose proof (H_count _ P (quiet_always _)) as X. rewrite LI in X. exact X.
    - intros k P. pose proof (H_rounds _ P (quiet_always _)) as X. rewrite LI in X. exact X.
    - split; assumption.
    - intros k P. pose proof (H_words _ P (quiet_always _)) as X. rewrite R2, P5 in X. exact X.
    - intros k P. pose proof (H_inputs (k + f)%nat) as X. destruct (quiet_always (k + f)) as [Q _]. rewrite Q, P, R2 in X. exact X.
    - intros e k L I P. assert (NP : phase c <> 1) by (rewrite idle; discriminate). replace (k + f)%nat with (S c + k)%nat by (unfold f; clear; lia). apply (first_early e c k L NP I).
      intros i J. replace (S c + i)%nat with (i + f)%nat by (unfold f; clear; lia). apply P, J.
    - intros e k L P. replace (k + off + f)%nat with (k + f + off)%nat by (clear; lia). apply (first_on e (k + f) L). intros i J. replace (k + f + i)%nat with (k + i + f)%nat by (clear; lia). apply P. clear - J. lia.
    - intros e k L. replace (k + off + f)%nat with (k + f + off)%nat by (clear; lia). apply (words_on e (k + f) L).
    - exact A9.
    - intros k P. apply (H_bits _ P (quiet_always _)).
    - intros k e L F C. apply (takes_one _ e L F C).
    - intros k F. apply takes_none, F.
    - intros e k L. apply (H_quotient (k + f)%nat (Z.of_nat e)). lia.
    - intros e k L. apply (H_quotient (k + f)%nat (Z.of_nat e)). lia.
    - intros e k L. apply (H_quotient (k + f)%nat (Z.of_nat e)). lia.
    - intros e k L. apply (H_added (k + f)%nat (Z.of_nat e)). lia.
    - intros e k L. pose proof (H_kept (k + f)%nat (Z.of_nat e) ltac:(lia)) as [X _]. rewrite R2 in X. exact X.
    - intros e k L. pose proof (H_kept (k + f)%nat (Z.of_nat e) ltac:(lia)) as [_ X]. rewrite R2 in X. exact X.
    - intros e k L. apply (H_lowest (k + f)%nat (Z.of_nat e)). lia.
    - intros e k L. replace (k + (off - 1) + f)%nat with (k + f + (off - 1))%nat by (clear; lia). apply (sum_on e (k + f) L).
    - intros k. fold stages. replace (k + stages + f)%nat with (k + f + stages)%nat by (clear; lia). apply returned_is.
    - intros k. rewrite <- P4. in_range H_ranges (k + f)%nat.
    - intros k P. pose proof (H_result _ P (quiet_always _)) as X. rewrite R2, P5 in X. exact X.
  Qed.

  Lemma response : let t := (c + (latency + 1))%nat in phase t = 2 /\ (forall i, (c < i < t)%nat -> phase i <> 2) /\
    0 <= net "p_o" t < 2 * n /\ (net "p_o" t * 2 ^ (W + 2 * closed)) mod n = (a * b) mod n.
  Proof.
    intros t. destruct computed as (C1 & C2 & C3). replace t with (latency + f)%nat by (unfold t, f; lia). destruct small as (N & A & B). destruct (product closed a b n (proj1 wide) (proj1 N) (conj B b_range) K iterations whole) as [R M]; [exact odd | exact (conj (proj1 A) a_range) | exact N |]. destruct powers as (_ & P2 & _).
    split; [exact C2 |]. split.
    - intros i L. assert (D : exists k, (k < latency)%nat /\ i = (k + f)%nat) by (exists (i - f)%nat; unfold t, f in *; clear - L; lia). destruct D as (k & D & ->). rewrite (C1 k D). discriminate.
    - rewrite H_answer, C3. fold W. rewrite Z.mod_small by (clear - R P2 N; lia). split; [exact R |]. apply montgomery_mod. replace (2 ^ (W + 2 * closed)) with (pw 2 iterations); [exact M |]. rewrite pw_Z. unfold iterations. rewrite whole. reflexivity.
  Qed.
  End Request.

  Theorem chain : multiplier net (net "a_i") (net "b_i") (net "n_i") (net "p_o") (latency + 1) (latency + 1) (2 ^ (W + 2 * closed))
    (fun c => net "n_i" c mod 2 = 1) (fun n x => 0 <= x < (1 + closed) * n) (fun n p => 0 <= p < 2 * n).
  Proof.
    apply (serves _ _ _ _ _ _ _ _ _ _ _ phase 0 2 (fun _ => True)); [exact H_ready | |].
    - intros c I V odd [_ A] [_ B]. exists (latency + 1)%nat. destruct (response c I V odd A B) as (P & N & R & M). split; [lia |]. auto.
    - intros t D _ T. destruct (H_hold t D T (quiet_always t)) as [D' S']. rewrite !H_answer, S'. auto.
  Qed.
End Chain.

Theorem contract : forall (K : nat) (round rounds offset last words closed word elements : Z) (net : trace),
  ((closed = 0 \/ closed = 1) /\ 1 <= word /\ Z.of_nat K + 1 + closed <= words * word) /\ (offset = 1 \/ offset = 2) /\ 1 <= words /\ 1 <= rounds /\ 0 <= last < elements /\
    offset * elements <= round /\ words + 1 <= round /\ (rounds - 1) * elements + last + 1 = Z.of_nat K + 2 * closed ->
  let on (lemma : Z -> Z -> Z -> Z -> Z -> Z -> Z -> Z -> Z -> trace -> Prop) := lemma (Z.of_nat K) round rounds offset last words closed word elements net in
  on ranges -> on ready -> on quiet_at_reset -> on quiet_on -> on accept -> on count -> on rounds_count -> on bits_of_a -> on takes_a -> on words_of_operands -> on inputs_of_0 ->
  on quotient -> on added -> on lowest -> on kept -> on no_starts -> on link_of_starts -> on link -> on link_of_words -> on returns -> on result_words -> on hold -> on answer ->
  let cycles := Z.to_nat (round * (rounds - 1) + offset * last + words + 2) in
  multiplier net (net "a_i") (net "b_i") (net "n_i") (net "p_o") cycles cycles (2 ^ (Z.of_nat K + 2 * closed))
    (fun c => net "n_i" c mod 2 = 1) (fun n x => 0 <= x < (1 + closed) * n) (fun n p => 0 <= p < 2 * n).
Proof.
  intros K round rounds offset last words closed word elements net (S1 & S2 & S3 & S4 & S5 & S6 & S7 & S8). cbv zeta beta.
  destruct (Z_of_nat_complete round ltac:(lia)) as [rd ->]. destruct (Z_of_nat_complete rounds ltac:(lia)) as [rds ->]. destruct (Z_of_nat_complete last ltac:(lia)) as [l ->].
  destruct (Z_of_nat_complete words ltac:(lia)) as [ws ->]. destruct (Z_of_nat_complete elements ltac:(lia)) as [es ->]. destruct (Z_of_nat_complete offset ltac:(lia)) as [off ->]. intros.
  assert (SZ : (1 <= off /\ off * es <= rd /\ 1 <= ws /\ ws + 1 <= rd /\ 1 <= rds /\ l < es)%nat) by (clear - S2 S3 S4 S5 S6 S7; lia).
  assert (NR : (off = 1 \/ off = 2)%nat) by (clear - S2; lia).
  assert (WH : Z.of_nat ((rds - 1) * es + l + 1) = Z.of_nat K + 2 * closed) by (rewrite !Nat2Z.inj_add, Nat2Z.inj_mul, Nat2Z.inj_sub by (clear - SZ; lia); clear - S8; lia).
  replace (Z.to_nat _) with (rd * (rds - 1) + off * l + ws + 1 + 1)%nat by (rewrite <- (Nat2Z.id (_ + 1 + 1)); f_equal; rewrite !Nat2Z.inj_add, !Nat2Z.inj_mul, Nat2Z.inj_sub by (clear - SZ; lia); clear; lia).
  apply (chain K rd rds off l ws es closed word net S1 NR WH SZ); assumption.
Qed.
