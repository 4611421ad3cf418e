(* SPDX-License-Identifier: Apache-2.0 *)
(* mf_multiplier_passes: T = a b, Q = T n' mod R, U = Q n in three passes of a multiplier of M cycles, and two additions. The hypotheses are the lemmas on it
   that montforge prints, and that its multiplier multiplies. *)
From Coq Require Import ZArith Lia String.
Require Import Instances WordSerial Contract Control.
Open Scope string_scope. Open Scope Z_scope.
Set Default Proof Using "All".

Section Passes.
  Variables (M : nat) (W : Z) (net : trace).
  Let R := 2 ^ W.
  Local Notation phase := (net "u_passes.phase_q"). Local Notation count := (net "u_passes.count_q").
  Local Notation x := (net "x"). Local Notation y := (net "y"). Local Notation product := (net "product").
  Local Notation x_q := (net "u_passes.x_q"). Local Notation y_q := (net "u_passes.y_q"). Local Notation n_q := (net "u_passes.n_q").
  Local Notation n_prime_q := (net "u_passes.n_prime_q"). Local Notation t_high := (net "u_passes.t_high_q"). Local Notation low := (net "u_passes.low_not_zero_q").
  Local Notation sum := (net "u_passes.sum_q"). Local Notation p := (net "u_passes.p_q").
  Hypotheses (some : (1 <= M)%nat)
    (ready : forall t, net "req_ready_o" t = (if phase t =? 0 then 1 else 0) /\ net "rsp_valid_o" t = (if phase t =? 6 then 1 else 0))
    (rest : forall t, phase t < 1 \/ 3 < phase t -> count (S t) = 0)
    (accept : forall t, phase t = 0 -> net "req_valid_i" t = 1 ->
      phase (S t) = 1 /\ x_q (S t) = net "a_i" t /\ y_q (S t) = net "b_i" t /\ n_q (S t) = net "n_i" t /\ n_prime_q (S t) = net "n_prime_i" t)
    (keep : forall t, 0 < phase t -> x_q (S t) = x_q t /\ y_q (S t) = y_q t /\ n_q (S t) = n_q t /\ n_prime_q (S t) = n_prime_q t)
    (runs : forall t, (phase t = 1 \/ phase t = 2) \/ phase t = 3 -> count t < Z.of_nat M - 1 -> phase (S t) = phase t /\ count (S t) = count t + 1)
    (ends : forall t, (phase t = 1 \/ phase t = 2) \/ phase t = 3 -> count t = Z.of_nat M - 1 -> phase (S t) = phase t + 1 /\ count (S t) = 0)
    (adds : forall t, phase t = 4 \/ phase t = 5 -> phase (S t) = phase t + 1)
    (operands : forall t, x t = (if phase t =? 2 then product t mod R else if phase t =? 3 then product t mod R else x_q t) /\
      y t = (if phase t =? 2 then n_prime_q t else if phase t =? 3 then n_q t else y_q t))
    (halves : forall t, t_high (S t) = (if phase t =? 2 then product t / R else t_high t) /\
      low (S t) = (if phase t =? 2 then if product t mod R =? 0 then 0 else 1 else low t))
    (added : forall t, phase t = 4 -> sum (S t) = t_high t + product t / R + low t)
    (reduced : forall t, phase t = 5 -> sum t < 2 * n_q t -> p (S t) = if sum t <? n_q t then sum t else sum t - n_q t)
    (hold : forall t, phase t = 6 -> net "rsp_ready_i" t = 0 -> phase (S t) = 6 /\ p (S t) = p t) (answer : forall t, net "p_o" t = p t)
    (multiplied : forall t, product (M + t)%nat = x t * y t).

  Lemma pass : forall v t, v = 1 \/ v = 2 \/ v = 3 -> phase t = v -> count t = 0 ->
    (forall j, (j < M)%nat -> phase (j + t)%nat = v) /\ phase (M + t)%nat = v + 1 /\ count (M + t)%nat = 0.
  Proof.
    intros v t V P C. assert (G : forall j, (j < M)%nat -> phase (j + t)%nat = v /\ count (j + t)%nat = Z.of_nat j).
    { induction j; intros L; [cbn [Nat.add]; auto |]. destruct (IHj ltac:(lia)) as [P1 C1]. destruct (runs (j + t)%nat ltac:(clear - P1 V; lia) ltac:(clear - C1 L; lia)) as [P2 C2].
      cbn [Nat.add]. split; [congruence | clear - C1 C2; lia]. }
    split; [intros j L; apply G, L |]. destruct (G (M - 1)%nat ltac:(lia)) as [P1 C1]. destruct (ends (M - 1 + t)%nat ltac:(clear - P1 V; lia) ltac:(clear - C1 some; lia)) as [P2 C2].
    replace (S (M - 1 + t)) with (M + t)%nat in P2, C2 by (clear - some; lia). rewrite P1 in P2. auto.
  Qed.

  Section Operation.
  (* The registers have been loaded before cycle f. *)
  Variables (a b n_in n_prime : Z) (f : nat).
  Hypotheses (first : phase f = 1 /\ count f = 0) (loaded : x_q f = a /\ y_q f = b /\ n_q f = n_in /\ n_prime_q f = n_prime).
  Let d := (3 * M + 2)%nat.

  Lemma phases : (forall j, (j < M)%nat -> phase (j + f)%nat = 1) /\ (forall j, (j < M)%nat -> phase (j + (M + f))%nat = 2) /\
    (forall j, (j < M)%nat -> phase (j + (M + (M + f)))%nat = 3) /\ phase (M + (M + (M + f)))%nat = 4 /\ phase (S (M + (M + (M + f)))) = 5 /\ phase (S (S (M + (M + (M + f))))) = 6.
  Proof.
    destruct first as [P C]. destruct (pass 1 f ltac:(tauto) P C) as (A1 & A2 & A3). destruct (pass 2 (M + f)%nat ltac:(tauto) A2 A3) as (B1 & B2 & B3).
    destruct (pass 3 (M + (M + f))%nat ltac:(tauto) B2 B3) as (C1 & C2 & _). pose proof (adds _ (or_introl C2)) as D1. rewrite C2 in D1. pose proof (adds _ (or_intror D1)) as D2. rewrite D1 in D2.
    repeat split; assumption.
  Qed.

  Lemma before : forall j, (j < d)%nat -> 0 < phase (j + f)%nat < 6.
  Proof.
    intros j L. destruct phases as (A & B & C & D & E & _). unfold d in L.
    destruct (Nat.lt_ge_cases j M) as [I | I]; [rewrite A by exact I; lia |]. destruct (Nat.lt_ge_cases j (2 * M)) as [I2 | I2].
    { specialize (B (j - M)%nat ltac:(lia)). replace (j - M + (M + f))%nat with (j + f)%nat in B by lia. lia. }
    destruct (Nat.lt_ge_cases j (3 * M)) as [I3 | I3]; [specialize (C (j - 2 * M)%nat ltac:(lia)); replace (j - 2 * M + (M + (M + f)))%nat with (j + f)%nat in C by lia; lia |].
    assert (j = 3 * M \/ j = 3 * M + 1)%nat as [-> | ->] by lia; [replace (3 * M + f)%nat with (M + (M + (M + f)))%nat by lia; lia |].
    replace (3 * M + 1 + f)%nat with (S (M + (M + (M + f)))) by lia. lia.
  Qed.

  Lemma kept : forall j, (j <= d)%nat -> x_q (j + f)%nat = a /\ y_q (j + f)%nat = b /\ n_q (j + f)%nat = n_in /\ n_prime_q (j + f)%nat = n_prime.
  Proof.
    induction j; intros L; [exact loaded |]. cbn [Nat.add]. destruct (keep (j + f)%nat ltac:(apply before; lia)) as (-> & -> & -> & ->). apply IHj. lia.
  Qed.

  Let T := a * b. Let q := (T mod R * n_prime) mod R.

  Lemma first_product : forall j, (j < M)%nat -> product (j + (M + f))%nat = T.
  Proof.
    intros j L. destruct phases as (A & _). replace (j + (M + f))%nat with (M + (j + f))%nat by lia. rewrite multiplied. destruct (operands (j + f)%nat) as [-> ->].
    rewrite A by exact L. cbn [Z.eqb Pos.eqb]. destruct (kept j ltac:(unfold d; lia)) as (-> & -> & _). reflexivity.
  Qed.

  Lemma sum_is : sum (S (M + (M + (M + f)))) = T / R + q * n_in / R + (if T mod R =? 0 then 0 else 1).
  Proof.
    destruct phases as (A & B & C & D & _). pose proof (B O ltac:(lia)) as B0. pose proof (C O ltac:(lia)) as C0. cbn [Nat.add] in B0, C0.
    pose proof (first_product O ltac:(lia)) as P1. cbn [Nat.add] in P1.
    assert (P2 : product (M + (M + f))%nat = T mod R * n_prime).
    { rewrite multiplied. destruct (operands (M + f)%nat) as [-> ->]. rewrite B0, P1. cbn [Z.eqb Pos.eqb]. destruct (kept M ltac:(unfold d; lia)) as (_ & _ & _ & ->). reflexivity. }
    assert (P3 : product (M + (M + (M + f)))%nat = q * n_in).
    { rewrite multiplied. destruct (operands (M + (M + f))%nat) as [-> ->]. rewrite C0, P2. cbn [Z.eqb Pos.eqb]. destruct (kept (M + M)%nat ltac:(unfold d; lia)) as (_ & _ & E & _).
      rewrite Nat.add_assoc, E. reflexivity. }
    assert (H : forall j, (j <= M)%nat -> t_high (j + (M + (M + f)))%nat = T / R /\ low (j + (M + (M + f)))%nat = if T mod R =? 0 then 0 else 1).
    { induction j; intros L.
      - cbn [Nat.add]. pose proof (B (M - 1)%nat ltac:(lia)) as PH. pose proof (first_product (M - 1) ltac:(lia)) as P. destruct (halves (M - 1 + (M + f))%nat) as [H1 H2]. rewrite PH, P in H1, H2.
        replace (S (M - 1 + (M + f))) with (M + (M + f))%nat in H1, H2 by lia. auto.
      - destruct (halves (j + (M + (M + f)))%nat) as [H1 H2]. rewrite C in H1, H2 by lia. cbn [Z.eqb Pos.eqb] in H1, H2. cbn [Nat.add]. rewrite H1, H2. apply IHj. lia. }
    destruct (H M ltac:(lia)) as [H1 H2]. rewrite (added _ D), H1, H2, P3. ring.
  Qed.

  Theorem response : 0 < n_in < R -> (n_in * n_prime + 1) mod R = 0 -> 0 <= a < n_in -> 0 <= b < n_in ->
    phase (d + f)%nat = 6 /\ (forall j, (j < d)%nat -> phase (j + f)%nat <> 6) /\ 0 <= p (d + f)%nat < n_in /\ (p (d + f)%nat * R) mod n_in = (a * b) mod n_in.
  Proof.
    intros N I A B. destruct phases as (_ & _ & _ & _ & E & F). replace (d + f)%nat with (S (S (M + (M + (M + f))))) by (unfold d; lia). split; [exact F |].
    split; [intros j L; pose proof (before j L); lia |]. destruct (full_word n_in n_prime R a b N A B I) as [Bd Mo]. fold T in Bd, Mo. cbv zeta in Bd, Mo. fold T q in Bd, Mo.
    rewrite <- sum_is in Bd, Mo. apply montgomery_mod in Mo. destruct (kept (3 * M + 1)%nat ltac:(unfold d; lia)) as (_ & _ & K & _). replace (3 * M + 1 + f)%nat with (S (M + (M + (M + f)))) in K by lia.
    pose proof (reduced _ E ltac:(rewrite K; apply Bd)) as P. rewrite K in P. rewrite P. set (u := sum (S (M + (M + (M + f))))) in *. destruct (Z.ltb_spec u n_in); [split; [lia | exact Mo] |].
    split; [lia |]. rewrite <- Mo. replace ((u - n_in) * R) with (u * R + (- R) * n_in) by ring. apply Z_mod_plus_full.
  Qed.
  End Operation.

  Theorem serves_products : (forall t, 0 <= net "n_i" t < R) ->
    multiplier net (net "a_i") (net "b_i") (net "n_i") (net "p_o") (3 * M + 3) (3 * M + 3) R
      (fun c => net "n_i" c mod 2 = 1 /\ (net "n_i" c * net "n_prime_i" c + 1) mod R = 0) (fun n x => 0 <= x < n) (fun n p => 0 <= p < n).
  Proof.
    intros N. apply (serves _ _ _ _ _ _ _ _ _ _ _ phase 0 6 (fun _ => True)); [exact ready | |].
    - intros c I V [odd inverse] A B. destruct (accept c I V) as (F & L). assert (C : count (S c) = 0) by (apply rest; left; rewrite I; reflexivity).
      specialize (N c). destruct (response _ _ _ _ (S c) (conj F C) L ltac:(clear - N A; lia) inverse A B) as (P & Q & B' & E).
      exists (3 * M + 3)%nat. split; [lia |]. replace (c + (3 * M + 3))%nat with (3 * M + 2 + S c)%nat by lia. split; [exact P |]. split; [| rewrite answer; auto].
      intros t T. specialize (Q (t - S c)%nat ltac:(lia)). replace (t - S c + S c)%nat with t in Q by lia. exact Q.
    - intros t D _ G. destruct (hold t D G) as [D' P']. rewrite !answer, P'. auto.
  Qed.
End Passes.
