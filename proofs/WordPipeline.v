(* SPDX-License-Identifier: Apache-2.0 *)
(* A row of elements, each of which computes (x + alpha b + theta n) / 2 word by word: element e + 1 begins `off` cycles after element e, and element 0 begins again after
   `round` cycles, with the words of the last element. Cycles are counted from the first one of an operation on. *)
From Coq Require Import ZArith Lia Bool.
Require Import DigitRecurrence Instances WordSerial WordRow.
Open Scope Z_scope.
Set Default Proof Using "All".

(* ---------------------------------------------------------------- a register that turns by a word *)
Definition turned (r b : Z) (m i : nat) : Z := b / pw r i + pw r (m - i) * (b mod pw r i).

Lemma turned_whole : forall r b m, 1 < r -> 0 <= b < pw r m -> turned r b m 0 = b /\ turned r b m m = b.
Proof.
  intros r b m R B. unfold turned. rewrite Nat.sub_diag, (Z.div_small b (pw r m)), (Z.mod_small b (pw r m)) by exact B. cbn [pw]. rewrite Z.mod_1_r, Z.div_1_r. split; ring.
Qed.

Lemma turned_on : forall r b m i, 1 < r -> (i < m)%nat -> turned r b m i mod r = word r b i /\ turned r b m i / r + pw r (m - 1) * (turned r b m i mod r) = turned r b m (S i).
Proof.
  intros r b m i R L. pose proof (pw_pos r i ltac:(lia)) as P.
  assert (E : turned r b m i = b / pw r i + pw r (m - S i) * (b mod pw r i) * r) by (unfold turned; replace (m - i)%nat with (S (m - S i)) by lia; cbn [pw]; ring).
  assert (M : turned r b m i mod r = word r b i) by (rewrite E, Z_mod_plus_full; reflexivity). split; [exact M |]. rewrite M, E, Z.div_add by lia. unfold turned. rewrite low_words by exact R. fold (word r b i).
  rewrite Z.div_div by lia. cbn [pw]. replace (m - 1)%nat with (m - S i + i)%nat by lia. rewrite pw_add, (Z.mul_comm (pw r i) r). ring.
Qed.

(* ---------------------------------------------------------------- rounds *)
Lemma next_place : forall round k, (1 <= round)%nat -> (S k mod round = if k mod round =? round - 1 then 0 else S (k mod round))%nat /\
  (S k / round = if k mod round =? round - 1 then S (k / round) else k / round)%nat.
Proof.
  intros round k R. pose proof (Nat.div_mod k round ltac:(lia)) as E. pose proof (Nat.mod_upper_bound k round ltac:(lia)) as M.
  set (q := (k / round)%nat) in *. set (m := (k mod round)%nat) in *. destruct (Nat.eqb_spec m (round - 1)) as [X | X].
  - split; symmetry; [apply (Nat.mod_unique _ _ (S q)) | apply (Nat.div_unique _ _ _ 0)]; lia.
  - split; symmetry; [apply (Nat.mod_unique _ _ q) | apply (Nat.div_unique _ _ _ (S m))]; lia.
Qed.

Definition flag (c : bool) : Z := if c then 1 else 0.

Lemma flag_is : forall c, (flag c =? 1) = c.
Proof. intros []; reflexivity. Qed.

Section Array.
  Variables (h a b n : Z) (E off round rounds last words : nat).
  Let r := 2 * h.
  Hypothesis radix : 1 <= h.

  Lemma r_is : 1 < r.
  Proof using radix. unfold r. lia. Qed.

  Let latency := (round * (rounds - 1) + off * last + words + 1)%nat.
  Let iterations := ((rounds - 1) * E + last + 1)%nat.
  Hypotheses (sizes : (1 <= off /\ off * E <= round /\ 1 <= words /\ words + 1 <= round /\ 1 <= rounds /\ last < E)%nat)
    (b_range : 0 <= b < pw r words) (n_range : 0 <= n < pw r words) (odd : n mod 2 = 1).

  (* ---------------------------------------------------------------- the sums *)
  Definition alpha (i : nat) : Z := (a / pw 2 i) mod 2.
  Fixpoint x (i : nat) : Z := match i with O => 0 | S j => (x j + alpha j * b + (x j + alpha j * b) mod 2 * n) / 2 end.
  Definition theta (i : nat) : Z := (x i + alpha i * b) mod 2.
  Hypothesis fits : forall i, (i < iterations)%nat -> 0 <= x i + alpha i * b + theta i * n < 2 * pw r words.

  Lemma x_fits : forall i, (i <= iterations)%nat -> 0 <= x i < pw r words.
  Proof.
    intros [| i] L; [pose proof (pw_pos r words ltac:(pose proof r_is; lia)); cbn [x]; lia |]. pose proof (fits i ltac:(lia)) as [B C]. unfold theta in B, C. cbn [x].
    split; [apply Z.div_pos; lia | apply Z.div_lt_upper_bound; lia].
  Qed.

  (* ---------------------------------------------------------------- control *)
  Variables (phase count place first_round last_round starts words_left valid : nat -> Z).
  Hypotheses (begins : phase O = 1 /\ count O = 0 /\ place O = 0 /\ first_round O = 1 /\ last_round O = flag (rounds =? 1)%nat /\ starts O = 1 /\ words_left O = 1 /\ valid O = 0)
    (counts : forall k, phase k = 1 -> phase (S k) = (if count k =? Z.of_nat latency - 1 then 2 else 1) /\ count (S k) = (count k + 1) mod 2 ^ Z.log2_up (Z.of_nat latency) /\
      place (S k) = if place k =? Z.of_nat round - 1 then 0 else (place k + 1) mod 2 ^ Z.log2_up (Z.of_nat round))
    (controls : forall k, phase k = 1 -> first_round (S k) = (if place k =? Z.of_nat round - 1 then 0 else first_round k) /\
      last_round (S k) = (if place k =? Z.of_nat round - 1 then if count k =? Z.of_nat round * (Z.of_nat rounds - 1) - 1 then 1 else last_round k else last_round k) /\
      starts (S k) = (if place k =? Z.of_nat round - 1 then 1 - last_round k else 0) /\
      words_left (S k) = (if place k =? Z.of_nat round - 1 then 1 - last_round k else if place k =? Z.of_nat words - 1 then 0 else words_left k) /\
      valid (S k) = if count k =? Z.of_nat latency - 1 then 0 else if count k =? Z.of_nat latency - Z.of_nat words - 1 then 1 else valid k).

  Lemma control : forall k, (k < latency)%nat -> let q := (k / round)%nat in let m := (k mod round)%nat in phase k = 1 /\ count k = Z.of_nat k /\ place k = Z.of_nat m /\
    first_round k = flag (q =? 0)%nat /\ last_round k = flag (rounds - 1 <=? q)%nat /\ starts k = flag ((m =? 0)%nat && (q <? rounds)%nat) /\
    words_left k = flag ((m <? words)%nat && (q <? rounds)%nat) /\ valid k = flag (latency - words <=? k)%nat.
  Proof.
    assert (H : (1 <= words /\ words + 1 <= round /\ 1 <= rounds /\ words + 1 <= latency)%nat) by (clear - sizes; unfold latency; lia). clearbody latency. induction k; intros L q m.
    - unfold q, m. rewrite Nat.div_0_l, Nat.mod_0_l by lia. destruct begins as (-> & -> & -> & -> & -> & -> & -> & ->). clear - H. repeat split.
      + f_equal. destruct (Nat.eqb_spec rounds 1), (Nat.leb_spec (rounds - 1) 0); lia || reflexivity.
      + destruct (Nat.ltb_spec 0 rounds); [reflexivity | lia].
      + destruct (Nat.ltb_spec 0 words), (Nat.ltb_spec 0 rounds); lia || reflexivity.
      + destruct (Nat.leb_spec (latency - words) 0); [lia | reflexivity].
    - destruct (IHk ltac:(lia)) as (P & C & Pl & Fr & Lr & St & Wl & V). destruct (counts k P) as (P' & C' & Pl'). destruct (controls k P) as (Fr' & Lr' & St' & Wl' & V').
      pose proof (next_place round k ltac:(lia)) as (Nm & Nq). fold q in Nq. fold m in Nm. pose proof (Nat.div_mod k round ltac:(lia)) as D. pose proof (Nat.mod_upper_bound k round ltac:(lia)) as M.
      rewrite P', C', Pl', Fr', Lr', St', Wl', V', C, Pl, Fr, Lr, Wl, V. clearbody q m. clear - H L Nm Nq D M.
      destruct (Z.log2_up_spec (Z.of_nat latency) ltac:(lia)) as [_ B1]. destruct (Z.log2_up_spec (Z.of_nat round) ltac:(lia)) as [_ B2].
      set (u := (k / round)%nat) in *. set (v := (k mod round)%nat) in *. destruct (Z.eqb_spec (Z.of_nat k) (Z.of_nat latency - 1)); [lia |].
      split; [reflexivity |]. split; [rewrite Z.mod_small; lia |].
      assert (EV : (Z.of_nat v =? Z.of_nat round - 1) = (v =? round - 1)%nat) by (destruct (Z.eqb_spec (Z.of_nat v) (Z.of_nat round - 1)), (Nat.eqb_spec v (round - 1)); lia). rewrite EV. split; [rewrite Nm; destruct (Nat.eqb_spec v (round - 1)); [reflexivity | rewrite Z.mod_small; lia] |].
      assert (VA : (if Z.of_nat k =? Z.of_nat latency - Z.of_nat words - 1 then 1 else flag (latency - words <=? k)%nat) = flag (latency - words <=? S k)%nat).
      { destruct (Z.eqb_spec (Z.of_nat k) (Z.of_nat latency - Z.of_nat words - 1)); destruct (Nat.leb_spec (latency - words) k), (Nat.leb_spec (latency - words) (S k)); reflexivity || lia. }
      rewrite VA, Nq, Nm. destruct (Nat.eqb_spec v (round - 1)) as [X | X].
      + assert (EC : (Z.of_nat k =? Z.of_nat round * (Z.of_nat rounds - 1) - 1) = (S u =? rounds - 1)%nat).
        { assert (K1 : Z.of_nat k = Z.of_nat round * Z.of_nat (S u) - 1) by (clear - D X M; nia). rewrite K1. replace (Z.of_nat rounds - 1) with (Z.of_nat (rounds - 1)) by lia.
          destruct (Nat.eqb_spec (S u) (rounds - 1)) as [Y | Y]; [rewrite Y; apply Z.eqb_refl |]. apply Z.eqb_neq. intros G. apply Y. clear - G H. nia. }
        rewrite EC. clear EC D. destruct (Nat.leb_spec (rounds - 1) u), (Nat.leb_spec (rounds - 1) (S u)), (Nat.eqb_spec (S u) (rounds - 1)), (Nat.ltb_spec (S u) rounds), (Nat.ltb_spec 0 words); cbn [flag andb Nat.eqb]; repeat split; lia.
      + clear D. destruct (Z.eqb_spec (Z.of_nat v) (Z.of_nat words - 1)), (Nat.ltb_spec v words), (Nat.ltb_spec (S v) words), (Nat.ltb_spec u rounds); cbn [flag andb Nat.eqb]; repeat split; lia.
  Qed.

  (* A cycle of a round; those behind the last round belong to it as well. *)
  Definition within (p j : nat) : Prop := (p < rounds)%nat /\ ((j < round)%nat \/ (p + 1)%nat = rounds).

  Lemma selects : forall p j, within p j -> (p * round + j < latency)%nat ->
    starts (p * round + j)%nat = flag (j =? 0)%nat /\ words_left (p * round + j)%nat = flag (j <? words)%nat /\ ((j < round)%nat -> first_round (p * round + j)%nat = flag (p =? 0)%nat).
  Proof.
    intros p j (P & J) L. destruct (control _ L) as (_ & _ & _ & F & _ & S & W & _). rewrite F, S, W. clear - sizes P J. destruct (Nat.lt_ge_cases j round) as [G | G].
    - rewrite <- (Nat.div_unique (p * round + j) round p j), <- (Nat.mod_unique (p * round + j) round p j) by lia. destruct (Nat.ltb_spec p rounds); [| lia]. rewrite !andb_true_r. auto.
    - assert (Q : (rounds <= (p * round + j) / round)%nat) by (apply Nat.div_le_lower_bound; [lia |]; replace rounds with (p + 1)%nat by lia; lia).
      destruct (Nat.ltb_spec ((p * round + j) / round) rounds); [lia |]. rewrite !andb_false_r. destruct (Nat.eqb_spec j 0), (Nat.ltb_spec j words); repeat split; lia.
  Qed.

  (* ---------------------------------------------------------------- words of the operands *)
  Variables (first y z sum low rest : nat -> nat -> Z) (b_q n_q returned : nat -> Z).
  Hypotheses (operands_loaded : b_q O = b /\ n_q O = n)
    (operands_turn : forall k, phase k = 1 -> b_q (S k) = (if words_left k =? 1 then b_q k / r + pw r (words - 1) * (b_q k mod r) else b_q k) /\
      n_q (S k) = if words_left k =? 1 then n_q k / r + pw r (words - 1) * (n_q k mod r) else n_q k)
    (inputs : forall k, phase k = 1 -> first O k = starts k /\ y O k = (if words_left k =? 1 then b_q k mod r else 0) /\ z O k = (if words_left k =? 1 then n_q k mod r else 0) /\
      sum O k = if first_round k =? 1 then 0 else if words_left k =? 1 then returned k else 0).

  Lemma turns : forall (v : Z) (reg : nat -> Z), 0 <= v < pw r words -> reg O = v ->
    (forall k, phase k = 1 -> reg (S k) = if words_left k =? 1 then reg k / r + pw r (words - 1) * (reg k mod r) else reg k) ->
    forall p j, within p j -> (p * round + j < latency)%nat -> (if words_left (p * round + j)%nat =? 1 then reg (p * round + j)%nat mod r else 0) = word r v j.
  Proof.
    intros v reg V R0 RS. destruct (turned_whole r v words r_is V) as [T0 TW].
    assert (G : forall k, (k < latency)%nat -> (k / round < rounds)%nat -> reg k = turned r v words (Nat.min (k mod round) words)).
    { induction k; intros L Q; [rewrite Nat.mod_0_l by lia; cbn [Nat.min]; congruence |]. pose proof (next_place round k ltac:(lia)) as (Nm & Nq). rewrite Nq in Q. rewrite Nm.
      destruct (control k ltac:(lia)) as (P & _ & _ & _ & _ & _ & W & _). rewrite RS, W, flag_is by exact P. clear W P. assert (Q1 : (k / round < rounds)%nat) by (destruct (_ =? _)%nat in Q; lia).
      specialize (IHk ltac:(lia) Q1). destruct (Nat.ltb_spec (k / round) rounds); [| lia]. rewrite andb_true_r, IHk. clear - radix sizes T0 TW. generalize (k mod round)%nat. intros m.
      destruct (Nat.ltb_spec m words) as [M | M].
      - destruct (Nat.eqb_spec m (round - 1)); [lia |]. rewrite !Nat.min_l by lia. apply turned_on; [exact r_is | exact M].
      - rewrite Nat.min_r by lia. destruct (Nat.eqb_spec m (round - 1)); [cbn [Nat.min]; congruence | rewrite Nat.min_r by lia; reflexivity]. }
    intros p j W L. destruct (selects p j W L) as (_ & -> & _). rewrite flag_is. destruct (Nat.ltb_spec j words) as [J | J]; [| symmetry; apply (word_beyond r v words); [exact r_is | exact V | exact J]].
    destruct W as [P _]. rewrite G; [| exact L |]; rewrite <- ?(Nat.mod_unique (p * round + j) round p j), <- ?(Nat.div_unique (p * round + j) round p j) by lia; [| exact P].
    rewrite Nat.min_l by lia. apply turned_on; [exact r_is | exact J].
  Qed.

  Hypotheses (early : forall e k, (S e < E)%nat -> (k < off)%nat -> (forall i, (i < k)%nat -> phase i = 1) -> first (S e) k = 0)
    (starts_on : forall e k, (S e < E)%nat -> (forall i, (i < k + off)%nat -> phase i = 1) -> first (S e) (k + off)%nat = first e k)
    (words_on : forall e k, (S e < E)%nat -> y (S e) (k + off)%nat = y e k /\ z (S e) (k + off)%nat = z e k).

  Lemma runs : forall k, (k < latency)%nat -> forall i, (i < k)%nat -> phase i = 1.
  Proof. intros k L i I. apply (control i). lia. Qed.

  Lemma streams : forall e p j, (e < E)%nat -> within p j -> (p * round + off * e + j < latency)%nat -> let k := (p * round + off * e + j)%nat in
    first e k = flag (j =? 0)%nat /\ y e k = word r b j /\ z e k = word r n j.
  Proof.
    induction e; intros p j L W T k.
    - rewrite Nat.mul_0_r, Nat.add_0_r in T. unfold k. rewrite Nat.mul_0_r, Nat.add_0_r. destruct (control _ T) as (P & _). destruct (inputs _ P) as (-> & -> & -> & _). destruct (selects p j W T) as (-> & _).
      split; [reflexivity |]. split; [apply (turns b b_q) | apply (turns n n_q)]; try assumption; try apply operands_loaded; intros; apply operands_turn; assumption.
    - rewrite Nat.mul_succ_r in T. unfold k. replace (p * round + off * S e + j)%nat with (p * round + off * e + j + off)%nat by lia. destruct (IHe p j ltac:(lia) W ltac:(lia)) as (F & Y & Z).
      rewrite (starts_on _ _ L (runs (p * round + off * e + j + off) ltac:(lia))). destruct (words_on e (p * round + off * e + j) L) as [-> ->]. auto.
  Qed.

  Lemma not_yet : forall e k, (e < E)%nat -> (k < latency)%nat -> (k < off * e)%nat -> first e k = 0.
  Proof.
    induction e; intros k L T K; [lia |]. destruct (Nat.lt_ge_cases k off) as [G | G]; [apply early; [exact L | exact G | apply runs, T] |].
    replace k with (k - off + off)%nat by lia. rewrite (starts_on _ _ L (runs (k - off + off) ltac:(lia))). apply IHe; lia.
  Qed.

  (* ---------------------------------------------------------------- bits of a *)
  Let start (p e : nat) : nat := (p * round + off * e)%nat.
  Let number (p e : nat) : nat := (p * E + e)%nat.
  Variables (a_q taken : nat -> Z).
  Hypotheses (a_loaded : a_q O = a) (a_moves : forall k, phase k = 1 -> a_q (S k) = if taken k =? 1 then a_q k / 2 else a_q k)
    (takes : forall k e, (e < E)%nat -> first e k = 1 -> last_round k <> 1 \/ (e <= last)%nat -> taken k = 1)
    (takes_not : forall k, (forall e, (e < E)%nat -> first e k = 0) -> taken k = 0).

  Lemma start_in_time : forall p e, (p < rounds)%nat -> (e < E)%nat -> (number p e < iterations)%nat -> (start p e + words < latency)%nat.
  Proof.
    intros p e P L N. unfold start, number, latency, iterations in *. clear - sizes P L N. destruct (Nat.eq_dec p (rounds - 1)) as [-> | X].
    - assert (e <= last)%nat by lia. pose proof (Nat.mul_le_mono_l e last off ltac:(lia)). lia.
    - pose proof (Nat.mul_le_mono_l (S e) E off ltac:(lia)). rewrite Nat.mul_succ_r in *. pose proof (Nat.mul_le_mono_r (S p) (rounds - 1) round ltac:(lia)). lia.
  Qed.

  Lemma bit_taken : forall p e, (p < rounds)%nat -> (e < E)%nat -> (number p e < iterations)%nat -> taken (start p e) = 1.
  Proof.
    intros p e P L N. pose proof (start_in_time p e P L N) as T. apply (takes _ e L).
    - pose proof (streams e p 0 L) as G. rewrite !Nat.add_0_r in G. apply G; [split; lia | unfold start in T; lia].
    - destruct (Nat.eq_dec p (rounds - 1)) as [-> | X]; [right; unfold number, iterations in N; lia | left].
      destruct (control (start p e) ltac:(lia)) as (_ & _ & _ & _ & -> & _). assert (D : ((start p e) / round = p)%nat).
      { symmetry. apply (Nat.div_unique _ _ _ (off * e)); [| unfold start; lia]. pose proof (Nat.mul_le_mono_l (S e) E off ltac:(lia)). rewrite Nat.mul_succ_r in *. lia. }
      rewrite D. destruct (Nat.leb_spec (rounds - 1) p); [lia | discriminate].
  Qed.

  (* No element begins between two starts, d cycles behind the first one. *)
  Lemma none_begins : forall p e d, (p < rounds)%nat -> (e < E)%nat -> (1 <= d)%nat -> ((S e < E)%nat /\ (d < off)%nat \/ (S e = E)%nat /\ (off * e + d < round)%nat) -> (start p e + d < latency)%nat ->
    taken (start p e + d)%nat = 0.
  Proof.
    intros p e d P L D N T. apply takes_not. intros f F. unfold start in *.
    assert (B : (off * e + d < round)%nat) by (destruct N as [[N1 N2] | [N1 N2]]; [| exact N2]; pose proof (Nat.mul_le_mono_l (S (S e)) E off ltac:(lia)); lia).
    destruct (Nat.le_gt_cases f e) as [G | G].
    - pose proof (Nat.mul_le_mono_l f e off G) as M. pose proof (streams f p (off * e - off * f + d) F) as S. replace (p * round + off * f + (off * e - off * f + d))%nat with (p * round + off * e + d)%nat in S by lia.
      destruct S as (-> & _); [split; lia | exact T |]. destruct (Nat.eqb_spec (off * e - off * f + d) 0); [lia | reflexivity].
    - destruct N as [[N1 N2] | [N1 N2]]; [| lia]. pose proof (Nat.mul_le_mono_l (S e) f off ltac:(lia)) as M. pose proof (Nat.mul_le_mono_l (S f) E off ltac:(lia)) as M2. destruct p as [| p].
      + apply not_yet; [exact F | exact T |]. lia.
      + pose proof (streams f p (round + off * e + d - off * f) F) as S. replace (p * round + off * f + (round + off * e + d - off * f))%nat with (Datatypes.S p * round + off * e + d)%nat in S by lia.
        destruct S as (-> & _); [split; lia | exact T |]. destruct (Nat.eqb_spec (round + off * e + d - off * f) 0); [lia | reflexivity].
  Qed.

  Lemma a_waits : forall p e d, (p < rounds)%nat -> (e < E)%nat -> (number p e < iterations)%nat -> (1 <= d)%nat -> (start p e + d < latency)%nat ->
    ((S e < E)%nat /\ (d <= off)%nat \/ (S e = E)%nat /\ (off * e + d <= round)%nat) -> a_q (start p e + d)%nat = a_q (start p e) / 2.
  Proof.
    intros p e d P L N. induction d as [| d]; intros D T B; [lia |]. rewrite Nat.add_succ_r. destruct (control (start p e + d)%nat ltac:(lia)) as (Ph & _). rewrite (a_moves _ Ph).
    destruct d as [| d]; [rewrite Nat.add_0_r, (bit_taken p e P L N); reflexivity |]. rewrite (none_begins p e (S d) P L ltac:(lia) ltac:(lia) ltac:(lia)). apply IHd; lia.
  Qed.

  Lemma bits_of_a : forall p e, (p < rounds)%nat -> (e < E)%nat -> (number p e < iterations)%nat -> a_q (start p e) = a / pw 2 (number p e).
  Proof.
    assert (halve : forall i, a / pw 2 i / 2 = a / pw 2 (S i)) by (intros i; pose proof (pw_pos 2 i ltac:(lia)); rewrite Z.div_div by lia; cbn [pw]; f_equal; ring).
    induction p; induction e; intros P L N.
    - unfold start, number. rewrite Nat.mul_0_r. cbn [Nat.mul Nat.add pw]. rewrite a_loaded, Z.div_1_r. reflexivity.
    - pose proof (start_in_time 0 (S e) P L N) as T. replace (start 0 (S e)) with (start 0 e + off)%nat in * by (unfold start; lia). rewrite a_waits, IHe; try (unfold number in *; lia).
      rewrite halve. reflexivity.
    - assert (N1 : (number p (E - 1) < iterations)%nat) by (unfold number in *; lia). pose proof (start_in_time (S p) 0 P L N) as T.
      assert (M : (off * (E - 1) + off = off * E)%nat) by (replace E with (S (E - 1)) at 2 by lia; lia).
      replace (start (S p) 0) with (start p (E - 1) + (round - off * (E - 1)))%nat in * by (unfold start; lia). rewrite a_waits, IHp; try lia.
      rewrite halve. f_equal. f_equal. unfold number. lia.
    - pose proof (start_in_time (S p) (S e) P L N) as T. replace (start (S p) (S e)) with (start (S p) e + off)%nat in * by (unfold start; lia). rewrite a_waits, IHe; try (unfold number in *; lia).
      rewrite halve. f_equal. f_equal. unfold number. lia.
  Qed.

  (* ---------------------------------------------------------------- elements *)
  Variables (quotient kept_quotient kept_bit carry total : nat -> nat -> Z).
  Hypotheses (quotient_is : forall e k, (e < E)%nat -> quotient e k = if first e k =? 1 then (sum e k mod 2 + a_q k mod 2 * (y e k mod 2)) mod 2 else kept_quotient e k)
    (quotient_kept : forall e k, (e < E)%nat -> kept_quotient e (S k) = quotient e k) (bit_kept : forall e k, (e < E)%nat -> kept_bit e (S k) = if first e k =? 1 then a_q k mod 2 else kept_bit e k)
    (total_is : forall e k, (e < E)%nat -> total e k = sum e k + (if first e k =? 1 then a_q k mod 2 else kept_bit e k) * y e k + quotient e k * z e k + (if first e k =? 1 then 0 else carry e k))
    (carry_kept : forall e k, (e < E)%nat -> carry e (S k) = total e k / r) (rest_kept : forall e k, (e < E)%nat -> rest e (S k) = (total e k mod r) / 2)
    (low_is : forall e k, (e < E)%nat -> low e k = total e k mod 2)
    (sum_on : forall e k, (S e < E)%nat -> sum (S e) (k + (off - 1))%nat = h * low e k + rest e k)
    (returns : forall k, returned (k + (round - off * E + off - 1))%nat = h * low (E - 1)%nat k + rest (E - 1)%nat k).

  Lemma begins_even : forall e k, (e < E)%nat -> first e k = 1 -> z e k mod 2 = 1 -> low e k = 0.
  Proof.
    intros e k L F Z1. rewrite low_is, total_is, quotient_is, F by exact L. cbn [Z.eqb Pos.eqb]. generalize (a_q k mod 2) (sum e k) (y e k). intros c s v.
    pose proof (Z.div_mod s 2 ltac:(lia)) as D1. pose proof (Z.div_mod v 2 ltac:(lia)) as D2. pose proof (Z.div_mod (z e k) 2 ltac:(lia)) as D3. pose proof (Z.div_mod (s mod 2 + c * (v mod 2)) 2 ltac:(lia)) as D4. rewrite Z1 in D3.
    set (q := (s mod 2 + c * (v mod 2)) mod 2) in *. set (q1 := (s mod 2 + c * (v mod 2)) / 2) in *. clearbody q q1. revert D1 D2 D3 D4. generalize (z e k / 2). generalize (z e k). generalize (s / 2) (s mod 2) (v / 2) (v mod 2).
    intros s1 s0 v1 v0 u z1 -> -> -> D4. replace (2 * s1 + s0 + c * (2 * v1 + v0) + q * (2 * z1 + 1) + 0) with ((s1 + c * v1 + q * z1 + q + q1) * 2) by lia. apply Z_mod_mult.
  Qed.

  Definition comes (p e : nat) : Prop := forall j, within p j -> (start p e + j < latency)%nat -> sum e (start p e + j)%nat = word r (x (number p e)) j.
  Definition goes (p e : nat) : Prop := forall j, within p j -> (start p e + S j < latency)%nat -> h * low e (start p e + S j)%nat + rest e (start p e + S j)%nat = word r (x (S (number p e))) j.

  Lemma element : forall p e, (p < rounds)%nat -> (e < E)%nat -> (number p e < iterations)%nat -> comes p e -> goes p e.
  Proof.
    intros p e P L N C j W T. pose proof (fits _ N) as B. pose proof (bits_of_a p e P L N) as A. pose proof (start_in_time p e P L N) as IT. set (i := number p e) in *.
    set (m := if (p + 1 =? rounds)%nat then (latency - start p e)%nat else Nat.min (latency - start p e) round).
    assert (M : (0 < m)%nat /\ forall l, (l < m)%nat -> within p l /\ (start p e + l < latency)%nat).
    { unfold m, within. clear - sizes IT P. destruct (Nat.eqb_spec (p + 1) rounds); (split; [lia | intros l M; split; lia]). }
    destruct M as [M0 M]. cbn [x]. fold i. change (x i + alpha i * b + (x i + alpha i * b) mod 2 * n) with (x i + alpha i * b + theta i * n).
    apply (leaves h (x i) b n (alpha i) (theta i) radix (first e) (sum e) (y e) (z e) (fun k => a_q k mod 2) (kept_bit e) (quotient e) (kept_quotient e) (carry e) (total e) (low e) (rest e) (start p e) m);
      [intros t; apply quotient_is, L | intros t; apply quotient_kept, L | intros t; apply bit_kept, L | intros t; apply total_is, L | intros t; apply carry_kept, L |
       intros t; apply rest_kept, L | intros t; apply low_is, L | reflexivity | | |].
    - intros _. rewrite A. reflexivity.
    - intros l LM. destruct (M l LM) as [Wl Tl]. destruct (streams e p l L Wl Tl) as (F & Y & Z). repeat split; [exact F | apply C; assumption | exact Y | exact Z].
    - destruct (Nat.lt_ge_cases (S j) m) as [G | G]; [left; exact G | right]. destruct W as [_ J]. assert (X : (p + 1 < rounds)%nat /\ S j = round /\ m = round) by (unfold m in *; clear - G J T P; destruct (Nat.eqb_spec (p + 1) rounds); lia).
      destruct X as (X1 & X2 & X3). rewrite X3, <- X2. split; [reflexivity |]. split.
      + assert (W' : within (S p) 0) by (split; lia). destruct (streams e (S p) 0 L W' ltac:(unfold start in T; lia)) as (F & _ & Z). rewrite Nat.add_0_r in F, Z.
        replace (start p e + S j)%nat with (S p * round + off * e)%nat by (unfold start; lia). apply begins_even; [exact L | exact F |]. rewrite Z. unfold word. cbn [pw]. rewrite Z.div_1_r. unfold r.
        rewrite (lowest_bit h radix). exact odd.
      + pose proof (pw_le r (S words) (S j) ltac:(pose proof r_is; lia) ltac:(lia)) as PL. change (pw r (S words)) with (r * pw r words) in PL. split; [lia |]. apply Z.lt_le_trans with (1 := proj2 B). apply Z.le_trans with (2 := PL).
        apply Z.mul_le_mono_nonneg_r; [apply Z.lt_le_incl, pw_pos |]; unfold r; lia.
  Qed.

  Lemma next_element : forall p e, (S e < E)%nat -> goes p e -> comes p (S e) \/ (iterations <= number p (S e))%nat.
  Proof.
    intros p e L G. left. intros j W T. replace (start p (S e) + j)%nat with (start p e + S j + (off - 1))%nat in * by (unfold start; lia). rewrite sum_on by exact L.
    replace (number p (S e)) with (S (number p e)) by (unfold number; lia). apply G; [exact W | lia].
  Qed.

  Lemma next_round : forall p, (S p < rounds)%nat -> (number (S p) 0 <= iterations)%nat -> goes p (E - 1) -> comes (S p) 0.
  Proof.
    intros p P N G j W T. unfold start in T |- *. rewrite Nat.mul_0_r, Nat.add_0_r in *. destruct (control _ T) as (Ph & _). destruct (inputs _ Ph) as (_ & _ & _ & ->). destruct (selects _ _ W T) as (_ & -> & F).
    rewrite flag_is. assert (M : (off * (E - 1) + off = off * E)%nat) by (replace E with (S (E - 1)) at 2 by lia; lia). destruct (Nat.ltb_spec j words) as [J | J].
    - rewrite F by lia. cbn [Nat.eqb flag Z.eqb]. replace (S p * round + j)%nat with (start p (E - 1) + S j + (round - off * E + off - 1))%nat in * by (unfold start; lia). rewrite returns.
      replace (number (S p) 0) with (S (number p (E - 1))) by (unfold number; lia). apply G; [split; lia | lia].
    - rewrite (word_beyond r _ words j r_is (x_fits _ N) J). destruct (_ =? 1); reflexivity.
  Qed.

  Lemma first_comes : comes 0 0.
  Proof.
    intros j W T. unfold start in *. rewrite Nat.mul_0_r, Nat.add_0_r in *. destruct (control _ T) as (Ph & _). destruct (inputs _ Ph) as (_ & _ & _ & ->). destruct (selects _ _ W T) as (_ & -> & F). rewrite flag_is.
    assert (Z0 : word r (x (number 0 0)) j = 0) by (apply (word_beyond r _ 0); [exact r_is | unfold number; cbn [Nat.mul Nat.add x pw]; lia | lia]). rewrite Z0.
    destruct (Nat.ltb_spec j words) as [J | J]; [rewrite F by lia; reflexivity | destruct (_ =? 1); reflexivity].
  Qed.

  Lemma all_come : forall p e, (p < rounds)%nat -> (e < E)%nat -> (number p e < iterations)%nat -> comes p e.
  Proof.
    induction p; induction e; intros P L N.
    - exact first_comes.
    - assert (N1 : (number 0 e < iterations)%nat) by (unfold number in *; lia). destruct (next_element 0 e L (element 0 e P ltac:(lia) N1 (IHe P ltac:(lia) N1))); [assumption | lia].
    - assert (N1 : (number p (E - 1) < iterations)%nat) by (unfold number in *; lia). apply next_round; [exact P | lia |]. apply element; [lia | lia | exact N1 |]. apply IHp; [lia | lia | exact N1].
    - assert (N1 : (number (S p) e < iterations)%nat) by (unfold number in *; lia). destruct (next_element (S p) e L (element (S p) e P ltac:(lia) N1 (IHe P ltac:(lia) N1))); [assumption | lia].
  Qed.

  (* ---------------------------------------------------------------- the result *)
  Variable (p_q : nat -> Z).
  Hypotheses (p_range : forall k, 0 <= p_q k < pw r words)
    (p_takes : forall k, phase k = 1 -> p_q (S k) = if valid k =? 1 then p_q k / r + pw r (words - 1) * (h * low last k + rest last k) else p_q k).

  Theorem pipeline : (forall k, (k < latency)%nat -> phase k = 1) /\ phase latency = 2 /\ p_q latency = x iterations.
  Proof.
    split; [intros k L; apply (control k L) |]. split.
    - assert (L1 : exists l, latency = S l) by (exists (round * (rounds - 1) + off * last + words)%nat; apply Nat.add_1_r). destruct L1 as [l L1].
      destruct (control l ltac:(rewrite L1; apply le_n)) as (P & C & _). destruct (counts _ P) as (Ph & _). rewrite L1, Ph, C, L1. clear. destruct (Z.eqb_spec (Z.of_nat l) (Z.of_nat (S l) - 1)); [reflexivity | lia].
    - assert (N : (number (rounds - 1) last < iterations)%nat) by (clear; unfold number, iterations; lia). assert (RL : (rounds - 1 < rounds)%nat /\ (last < E)%nat) by (clear - sizes; lia). destruct RL as [R1 R2].
      pose proof (element (rounds - 1) last R1 R2 N (all_come (rounds - 1) last R1 R2 N)) as G.
      assert (LS : (latency = start (rounds - 1) last + S words)%nat) by (unfold latency, start; lia). assert (EI : S (number (rounds - 1) last) = iterations) by (unfold number, iterations; lia). unfold goes in G. rewrite EI in G.
      set (s := S (start (rounds - 1) last)).
      pose proof (shifted_in r words (fun i => p_q (s + i)%nat) (word r (x iterations)) r_is) as H. cbv beta in H.
      assert (X : p_q (s + words)%nat = p_q (s + 0)%nat / pw r words + pw r (words - words) * digits r (word r (x iterations)) words).
      { apply H; [| lia]. intros i I. rewrite Nat.add_succ_r. destruct (control (s + i)%nat ltac:(unfold s; lia)) as (P & _ & _ & _ & _ & _ & _ & V). rewrite (p_takes _ P), V, flag_is.
        destruct (Nat.leb_spec (latency - words) (s + i)) as [Y | Y]; [| unfold s in Y; lia]. f_equal. f_equal. unfold s. replace (S (start (rounds - 1) last) + i)%nat with (start (rounds - 1) last + S i)%nat by lia.
        apply G; [split; lia | lia]. }
      replace latency with (s + words)%nat by (unfold s; lia). rewrite X, Z.div_small, Nat.sub_diag by apply p_range. cbn [pw]. unfold word. rewrite word_digits, Z.mod_small by (exact r_is || (apply x_fits; lia)). ring.
  Qed.
End Array.

(* ---------------------------------------------------------------- the sums, and the product: with closed = 1 operands are below 2 n, and there are two steps more than bits *)
Section Sums.
  Variables (closed a b n : Z).
  Hypotheses (form : closed = 0 \/ closed = 1) (modulus : 0 < n) (b_range : 0 <= b < (1 + closed) * n).

  Lemma factor : forall u v, 0 <= u <= 1 -> 0 <= v -> 0 <= u * v <= v.
  Proof. clear. intros u v U V. assert (u = 0 \/ u = 1) as [-> | ->] by lia; lia. Qed.

  Lemma sum_range : forall i, 0 <= x a b n i < (2 + closed) * n /\ 0 <= theta a b n i <= 1 /\ 0 <= x a b n i + alpha a i * b + theta a b n i * n < 2 * ((2 + closed) * n).
  Proof.
    assert (G : forall i, 0 <= x a b n i < (2 + closed) * n -> 0 <= theta a b n i <= 1 /\ 0 <= x a b n i + alpha a i * b + theta a b n i * n < 2 * ((2 + closed) * n)).
    { intros i X. pose proof (Z.mod_pos_bound (x a b n i + alpha a i * b) 2 ltac:(lia)) as T. fold (theta a b n i) in T. pose proof (Z.mod_pos_bound (a / pw 2 i) 2 ltac:(lia)) as U. fold (alpha a i) in U.
      pose proof (factor (alpha a i) b ltac:(lia) ltac:(lia)). pose proof (factor (theta a b n i) n ltac:(lia) ltac:(lia)). lia. }
    assert (X : forall i, 0 <= x a b n i < (2 + closed) * n); [| intros i; specialize (X i); split; [exact X | apply G, X]].
    induction i; [cbn [x]; destruct form as [-> | ->]; lia |]. destruct (G i IHi) as (_ & T). cbn [x]. fold (theta a b n i). split; [apply Z.div_pos; lia | apply Z.div_lt_upper_bound; lia].
  Qed.

  Lemma halved_sum : n mod 2 = 1 -> forall i, 2 * x a b n (S i) = x a b n i + alpha a i * b + theta a b n i * n.
  Proof.
    intros odd i. cbn [x]. fold (theta a b n i). assert (E : (x a b n i + alpha a i * b + theta a b n i * n) mod 2 = 0).
    { unfold theta. rewrite Z.add_mod, Z.mul_mod, odd, Z.mod_mod, Z.mul_1_r, Z.mod_mod, Z.add_diag, Z.mul_comm by lia. apply Z.mod_mul. lia. }
    pose proof (Z.div_mod (x a b n i + alpha a i * b + theta a b n i * n) 2 ltac:(lia)). lia.
  Qed.

  Theorem product : forall K steps, Z.of_nat steps = Z.of_nat K + 2 * closed -> n mod 2 = 1 -> 0 <= a < (1 + closed) * n -> 0 < n < 2 ^ Z.of_nat K ->
    0 <= x a b n steps < 2 * n /\ montgomery n (pw 2 steps) a b (x a b n steps).
  Proof.
    intros K steps E odd A N. rewrite <- pw_Z in N. assert (C : closed = 1 /\ steps = (K + 2)%nat \/ closed = 0 /\ steps = K) by (clear - form E; lia). pose proof b_range as B. destruct C as [[C ->] | [C ->]]; rewrite C in A, B.
    - apply (long_loop n a b K (x a b n) (fun i => a / pw 2 i) (theta a b n)); [lia | apply N | lia | lia | reflexivity | apply Z.div_1_r | |].
      + intros i _. pose proof (pw_pos 2 i ltac:(lia)). cbn [pw]. rewrite Z.div_div by lia. f_equal. ring.
      + intros i _. split; [apply sum_range | apply halved_sum, odd].
    - split; [pose proof (sum_range K) as (X & _); rewrite C in X; lia |]. pose proof (plain_recurrence 2 n b K (x a b n) (alpha a) (theta a b n) eq_refl (fun i _ => halved_sum odd i)) as P.
      assert (D : digits 2 (alpha a) K = a) by (unfold alpha; rewrite word_digits by lia; apply Z.mod_small; lia). rewrite D in P. exists (digits 2 (theta a b n) K). lia.
  Qed.
End Sums.
