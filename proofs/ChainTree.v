(* SPDX-License-Identifier: Apache-2.0 *)
(* A tree of adders in words with saved carries: 2^v rows, a register behind each adder, sum i of a level from sums 2 i and 2 i + 1 of the one below.
   Carries of the lower sum enter the adder of both; those of the upper one enter k cycles after its lowest row was added that row, as do those of the sum of all rows row 0. *)
From Coq Require Import ZArith Arith Lia.
Require Import DigitRecurrence WordSerial Bits Blocks ChainSums.
Open Scope Z_scope.
Set Default Proof Using "All".

Lemma shifted_index : forall i e, (i * 2 ^ S e = 2 * i * 2 ^ e)%nat.
Proof. intros. rewrite Nat.pow_succ_r'. ring. Qed.

(* A row is row 0, or the lowest row of an upper sum. *)
Lemma lowest_rows : forall v i, (i < 2 ^ v)%nat -> i = O \/ exists e x, (e < v)%nat /\ (2 * x + 1 < 2 ^ (v - e))%nat /\ i = ((2 * x + 1) * 2 ^ e)%nat.
Proof.
  induction v; intros i L; [cbn in L; lia |]. rewrite Nat.pow_succ_r' in L. destruct (Nat.Even_or_Odd i) as [[h ->] | [h ->]].
  - destruct (IHv h ltac:(lia)) as [-> | (e & x & E & X & ->)]; [left; reflexivity | right]. exists (S e), x. split; [lia |]. split; [replace (S v - S e)%nat with (v - e)%nat by lia; exact X | rewrite shifted_index; ring].
  - right. exists O, h. split; [lia |]. rewrite Nat.sub_0_r, Nat.pow_succ_r'. cbn [Nat.pow]. lia.
Qed.

Section Tree.
  Variables (m len : Z) (v k T NC : nat) (E : nat -> nat) (A C : nat -> nat -> nat -> Z) (into : nat -> nat -> Z) (b : Z) (n d u : nat -> Z).
  Let width (e : nat) : Z := len + 2 ^ Z.of_nat e + Z.of_nat e.
  Let p (e : nat) : Z := 2 ^ 2 ^ Z.of_nat e.
  Hypotheses (some : 2 ^ Z.of_nat v <= m) (late : (v + 1 <= k)%nat) (few : (1 <= NC)%nat /\ Z.of_nat (NC - 1) * m + 2 <= len)
    (ends : forall e, (e <= v)%nat -> width e <= Z.of_nat (E e) * m /\ (Z.of_nat (E e) - 1) * m < width e /\ (1 <= E e)%nat /\ (E e - 1 <= NC <= E e)%nat)
    (b_range : 0 <= b < 2 ^ len) (n_range : forall c, 0 <= n c < 2 ^ (len - 2))
    (start : forall e i, A e i 0%nat = 0 /\ C e i 0%nat = 0)
    (rows : forall c i, (c < T)%nat -> (i < 2 ^ v)%nat -> adds m (width 0) (E 0%nat) (A 0%nat i (S c)) (C 0%nat i (S c))
      (fun j => flag (d c) i * block m (width 0) b j + flag (u c) i * block m (width 0) (n c) j + flag (into i c) j))
    (joints : forall c e i, (c < T)%nat -> (e < v)%nat -> (i < 2 ^ (v - S e))%nat -> adds m (width (S e)) (E (S e)) (A (S e) i (S c)) (C (S e) i (S c))
      (fun j => block m (width (S e)) (p e * A e (2 * i + 1)%nat c) j + block m (width (S e)) (A e (2 * i)%nat c) j + flag (2 * C e (2 * i)%nat c) j))
    (lines : forall e i c, (c <= T)%nat -> (e < v)%nat /\ (exists x, i = (2 * x + 1)%nat) /\ (i < 2 ^ (v - e))%nat \/ e = v /\ i = 0%nat ->
      into (i * 2 ^ e)%nat c = if Nat.ltb c (k - 1 - e) then 0 else C e i (c - (k - 1 - e))%nat mod 2 ^ Z.of_nat (E 0%nat)).
  Let quarter := 2 ^ (len - 2).
  Let most := 7 * quarter.
  Let G (e i c : nat) : Z := A e i c + 2 ^ m * carried m NC (C e i c).

  Lemma numbers : 1 <= m /\ 2 <= len /\ 0 < 2 ^ m /\ 0 < quarter /\ 2 ^ len = 4 * quarter.
  Proof.
    pose proof (Z.pow_pos_nonneg 2 (Z.of_nat v) ltac:(lia) ltac:(lia)). assert (0 <= Z.of_nat (NC - 1) * m) by (apply Z.mul_nonneg_nonneg; lia).
    split; [lia |]. split; [lia |]. split; [apply Z.pow_pos_nonneg; lia |]. split; [apply Z.pow_pos_nonneg; lia |]. unfold quarter. change 4 with (2 ^ 2). rewrite <- Z.pow_add_r by lia. f_equal. lia.
  Qed.

  Lemma powers : forall e, 2 <= p e /\ p (S e) = p e * p e /\ p 0 = 2.
  Proof.
    intros e. pose proof (Z.pow_pos_nonneg 2 (Z.of_nat e) ltac:(lia) ltac:(lia)) as P. unfold p. split; [change 2 with (2 ^ 1) at 1; apply Z.pow_le_mono_r; lia |].
    split; [| reflexivity]. rewrite Nat2Z.inj_succ, Z.pow_succ_r, <- Z.pow_add_r by lia. f_equal. lia.
  Qed.

  Lemma top : forall e, (p e - 1) * most < 2 ^ width e /\ 0 <= width e.
  Proof.
    intros e. destruct numbers as (M & O2 & _ & Q & F). pose proof (Z.pow_pos_nonneg 2 (Z.of_nat e) ltac:(lia) ltac:(lia)) as P. split; [| unfold width; lia].
    destruct e as [| e]; [destruct (powers O) as (_ & _ & ->); unfold width; change (2 ^ Z.of_nat 0) with 1; rewrite Z.add_0_r, Z.pow_add_r, F by lia; change (2 ^ 1) with 2; unfold most; lia |].
    destruct (powers (S e)) as (B & _). assert (X : p (S e) * (8 * quarter) <= 2 ^ width (S e)).
    { replace (8 * quarter) with (2 ^ (len + 1)) by (rewrite Z.pow_add_r, F by lia; change (2 ^ 1) with 2; ring). unfold p. rewrite <- Z.pow_add_r by lia. apply Z.pow_le_mono_r; unfold width; lia. }
    unfold most. assert (p (S e) * quarter >= quarter) by (apply Z.le_ge; rewrite <- (Z.mul_1_l quarter) at 1; apply Z.mul_le_mono_nonneg_r; lia). lia.
  Qed.

  Definition sound (c : nat) : Prop := forall e i, (e <= v)%nat -> (i < 2 ^ (v - e))%nat -> 0 <= C e i c < 2 ^ Z.of_nat (E e - 1) /\ 0 <= A e i c /\ G e i c <= (p e - 1) * most.

  Lemma carries_fit : forall e x, (e <= v)%nat -> 0 <= x < 2 ^ Z.of_nat (E e - 1) -> 0 <= x < 2 ^ Z.of_nat NC /\ x < 2 ^ Z.of_nat (E 0%nat) /\ carried m (E e - 1) x = carried m NC x.
  Proof.
    intros e x L X. destruct (ends e L) as (_ & _ & _ & N1 & _). destruct (ends O ltac:(lia)) as (_ & _ & _ & _ & N2).
    pose proof (Z.pow_le_mono_r 2 (Z.of_nat (E e - 1)) (Z.of_nat NC) ltac:(lia) ltac:(lia)). pose proof (Z.pow_le_mono_r 2 (Z.of_nat NC) (Z.of_nat (E O)) ltac:(lia) ltac:(lia)).
    split; [lia |]. split; [lia |]. symmetry. apply carried_more; [exact X | exact N1].
  Qed.

  Lemma carried_nonneg : forall x, 0 <= carried m NC x.
  Proof. intros. apply carried_range. apply numbers. Qed.

  Lemma carried_half : forall x, carried m NC x <= 2 * quarter.
  Proof.
    intros x. destruct numbers as (M & O2 & _ & Q & F). pose proof (carried_small m NC x M ltac:(lia)) as X.
    pose proof (Z.pow_le_mono_r 2 (Z.of_nat (NC - 1) * m + 1) (len - 1) ltac:(lia) ltac:(lia)). replace (2 ^ (len - 1)) with (2 * quarter) in * by (unfold quarter; rewrite <- Z.pow_succ_r by lia; f_equal; lia). lia.
  Qed.

  (* What enters a row. *)
  Lemma enters : forall i c, (i < 2 ^ v)%nat -> (c <= T)%nat -> (forall c', (c' <= c)%nat -> sound c') ->
    into i c = 0 /\ (c < k)%nat \/ exists e j, (e <= v)%nat /\ (j < 2 ^ (v - e))%nat /\ (k - 1 - e <= c)%nat /\ into i c = C e j (c - (k - 1 - e))%nat.
  Proof.
    intros i c L LT SO. assert (F : forall e j, (e <= v)%nat -> (j < 2 ^ (v - e))%nat -> into i c = (if Nat.ltb c (k - 1 - e) then 0 else C e j (c - (k - 1 - e))%nat mod 2 ^ Z.of_nat (E O)) ->
      into i c = 0 /\ (c < k)%nat \/ exists e j, (e <= v)%nat /\ (j < 2 ^ (v - e))%nat /\ (k - 1 - e <= c)%nat /\ into i c = C e j (c - (k - 1 - e))%nat).
    { intros e j Le J H. destruct (Nat.ltb_spec c (k - 1 - e)); [left; split; [exact H | lia] |]. right. exists e, j. repeat split; try assumption. rewrite H. apply Z.mod_small.
      destruct (SO (c - (k - 1 - e))%nat ltac:(lia) e j Le J) as (X & _). destruct (carries_fit e _ Le X). lia. }
    destruct (lowest_rows v i L) as [-> | (e & x & Le & X & ->)].
    - apply (F v O (le_n v)); [rewrite Nat.sub_diag; cbn; lia |]. rewrite <- (lines v O c LT) by (right; split; reflexivity). reflexivity.
    - apply (F e (2 * x + 1)%nat ltac:(lia) X). apply lines; [exact LT |]. left. split; [exact Le |]. split; [exists x; reflexivity | exact X].
  Qed.

  Lemma row_sum : forall i c, (i < 2 ^ v)%nat -> (c < T)%nat -> (forall c', (c' <= c)%nat -> sound c') ->
    0 <= C 0 i (S c) < 2 ^ Z.of_nat (E 0%nat - 1) /\ 0 <= A 0 i (S c) /\ G 0 i (S c) = flag (d c) i * b + flag (u c) i * n c + carried m NC (into i c) /\ G 0 i (S c) <= most.
  Proof.
    intros i c L LT SO. destruct numbers as (M & O2 & P & Q & F). destruct (ends O ltac:(lia)) as (e1 & e2 & e3 & e4 & e5). destruct (top O) as [T0 T1]. destruct (powers O) as (_ & _ & P0). rewrite P0 in T0.
    assert (I : 0 <= into i c < 2 ^ Z.of_nat NC).
    { destruct (enters i c L ltac:(lia) SO) as [[-> _] | (e & j & Le & J & Lc & ->)]; [split; [lia | apply Z.pow_pos_nonneg; lia] |].
      destruct (SO (c - (k - 1 - e))%nat ltac:(lia) e j Le J) as (X & _). apply (carries_fit e); assumption. }
    pose proof (n_range c) as RN. fold quarter in RN. pose proof (flag_range (d c) i) as FD. pose proof (flag_range (u c) i) as FU.
    assert (W : forall x, 0 <= x < 2 ^ len -> 0 <= x < 2 ^ width 0) by (intros x X; pose proof (Z.pow_le_mono_r 2 len (width 0) ltac:(lia) ltac:(unfold width; change (2 ^ Z.of_nat 0) with 1; lia)); lia).
    assert (EX : digits (2 ^ m) (fun j => flag (d c) i * block m (width 0) b j + flag (u c) i * block m (width 0) (n c) j + flag (into i c) j) (E O) = flag (d c) i * b + flag (u c) i * n c + carried m NC (into i c)).
    { rewrite !digits_add, !digits_scale, !(words_fit m (width 0) (E O)) by (try (apply W); assumption || lia). f_equal. apply (carried_more m _ NC); assumption || lia. }
    pose proof (carried_half (into i c)) as CH. pose proof (carried_nonneg (into i c)) as CN.
    assert (B1 : 0 <= flag (d c) i * b <= 4 * quarter) by (assert (flag (d c) i = 0 \/ flag (d c) i = 1) as [-> | ->] by lia; lia).
    assert (B2 : 0 <= flag (u c) i * n c <= quarter) by (assert (flag (u c) i = 0 \/ flag (u c) i = 1) as [-> | ->] by lia; lia).
    destruct (adds_up m (width 0) (E O) M e1 e2 e3 _ _ _ (rows c i LT L)) as [RC ES]; [rewrite EX; unfold most in *; lia |]. rewrite EX in ES.
    destruct (rows c i LT L) as (RA & _). split; [exact RC |]. split; [lia |]. unfold G. destruct (carries_fit O _ ltac:(lia) RC) as (_ & _ & <-). split; [exact ES |]. rewrite ES. unfold most. lia.
  Qed.

  Lemma joint_sum : forall e i c, (e < v)%nat -> (i < 2 ^ (v - S e))%nat -> (c < T)%nat -> sound c ->
    0 <= C (S e) i (S c) < 2 ^ Z.of_nat (E (S e) - 1) /\ 0 <= A (S e) i (S c) /\ G (S e) i (S c) = G e (2 * i) c + p e * A e (2 * i + 1)%nat c /\ G (S e) i (S c) <= (p (S e) - 1) * most.
  Proof.
    intros e i c Le L LT SO. destruct numbers as (M & O2 & P & Q & F). destruct (ends (S e) ltac:(lia)) as (e1 & e2 & e3 & e4 & e5). destruct (top (S e)) as [T0 T1]. destruct (powers e) as (B & PP & _).
    assert (L2 : (2 ^ (v - e) = 2 * 2 ^ (v - S e))%nat) by (replace (v - e)%nat with (S (v - S e)) by lia; apply Nat.pow_succ_r').
    destruct (SO e (2 * i)%nat ltac:(lia) ltac:(lia)) as (C1 & A1 & G1). destruct (SO e (2 * i + 1)%nat ltac:(lia) ltac:(lia)) as (_ & A2 & G2).
    assert (N1 : 0 <= 2 ^ m * carried m NC (C e (2 * i)%nat c)) by (apply Z.mul_nonneg_nonneg; [lia | apply carried_nonneg]).
    assert (N2 : 0 <= 2 ^ m * carried m NC (C e (2 * i + 1)%nat c)) by (apply Z.mul_nonneg_nonneg; [lia | apply carried_nonneg]).
    assert (U : 0 <= p e * A e (2 * i + 1)%nat c <= p e * ((p e - 1) * most)) by (unfold G in G2; split; [apply Z.mul_nonneg_nonneg; lia | apply Z.mul_le_mono_nonneg_l; lia]).
    assert (PS : p e * ((p e - 1) * most) + (p e - 1) * most = (p (S e) - 1) * most) by (rewrite PP; ring).
    assert (EX : digits (2 ^ m) (fun j => block m (width (S e)) (p e * A e (2 * i + 1)%nat c) j + block m (width (S e)) (A e (2 * i)%nat c) j + flag (2 * C e (2 * i)%nat c) j) (E (S e)) =
      G e (2 * i) c + p e * A e (2 * i + 1)%nat c).
    { unfold G in *. rewrite !digits_add, !(words_fit m (width (S e)) (E (S e))) by (assumption || lia). fold (carried m (E (S e)) (2 * C e (2 * i)%nat c)).
      replace (carried m (E (S e)) (2 * C e (2 * i)%nat c)) with (2 ^ m * carried m NC (C e (2 * i)%nat c)); [ring |].
      destruct (carries_fit e _ ltac:(lia) C1) as (_ & _ & <-). destruct (ends e ltac:(lia)) as (f1 & f2 & f3 & f4 & f5). rewrite <- carried_double.
      assert (EE : (E e <= E (S e))%nat).
      { apply Nat2Z.inj_le, Z.lt_succ_r, (Z.mul_lt_mono_pos_r m); [lia |]. assert (width e <= width (S e)); [| lia]. unfold width. rewrite Nat2Z.inj_succ, Z.pow_succ_r by lia.
        pose proof (Z.pow_pos_nonneg 2 (Z.of_nat e) ltac:(lia) ltac:(lia)). lia. }
      replace (S (E e - 1)) with (E e) by lia. symmetry. apply carried_more; [| exact EE]. replace (E e) with (S (E e - 1)) by lia. rewrite Nat2Z.inj_succ, Z.pow_succ_r by lia. lia. }
    destruct (adds_up m (width (S e)) (E (S e)) M e1 e2 e3 _ _ _ (joints c e i LT Le L)) as [RC ES]; [rewrite EX; unfold G in *; lia |]. rewrite EX in ES.
    destruct (joints c e i LT Le L) as (RA & _). split; [exact RC |]. split; [lia |]. assert (EG : G (S e) i (S c) = G e (2 * i) c + p e * A e (2 * i + 1)%nat c).
    { unfold G at 1. destruct (carries_fit (S e) _ ltac:(lia) RC) as (_ & _ & <-). exact ES. }
    split; [exact EG |]. rewrite EG. lia.
  Qed.

  Lemma all_sound : forall c, (c <= T)%nat -> forall c', (c' <= c)%nat -> sound c'.
  Proof.
    destruct numbers as (M & O2 & P & Q & F). induction c; intros LT c' L.
    - replace c' with O by lia. intros e i Le J. destruct (start e i) as [EA EC]. unfold G. rewrite EA, EC, carried_zero by (intros; apply flag_0). destruct (powers e) as (B & _).
      assert (0 <= (p e - 1) * most) by (apply Z.mul_nonneg_nonneg; unfold most; lia). split; [split; [lia | apply Z.pow_pos_nonneg; lia] | lia].
    - destruct (Nat.eq_dec c' (S c)) as [-> | N]; [| apply (IHc ltac:(lia)); lia]. specialize (IHc ltac:(lia)). intros [| e] i Le J.
      + rewrite Nat.sub_0_r in J. destruct (row_sum i c J ltac:(lia) IHc) as (R1 & R2 & _ & R3). destruct (powers O) as (_ & _ & ->). split; [exact R1 |]. split; [exact R2 | lia].
      + destruct (joint_sum e i c ltac:(lia) J ltac:(lia) (IHc c (le_n c))) as (R1 & R2 & _ & R3). auto.
  Qed.

  Lemma at_row : forall i c, (i < 2 ^ v)%nat -> (c < T)%nat -> G 0 i (S c) = flag (d c) i * b + flag (u c) i * n c + carried m NC (into i c).
  Proof. intros i c L LT. apply (row_sum i c L LT). intros. apply (all_sound c); lia. Qed.

  Lemma at_joint : forall e i c, (e < v)%nat -> (i < 2 ^ (v - S e))%nat -> (c < T)%nat -> G (S e) i (S c) = G e (2 * i) c + p e * A e (2 * i + 1)%nat c.
  Proof. intros e i c Le L LT. apply (joint_sum e i c Le L LT). apply (all_sound c); lia. Qed.

  (* ---------------------------------------------------------------- what is added to all rows in a cycle *)
  Fixpoint inflow (e i c : nat) : Z := match e with O => carried m NC (into i c) | S e => inflow e (2 * i) c + p e * inflow e (2 * i + 1) c end.
  (* Carries that leave the sums below sum i in the cycles in which what was added then is in them. *)
  Fixpoint outflow (e i c : nat) : Z := match e with O => 0 | S e => outflow e (2 * i) c + p e * (outflow e (2 * i + 1) c + carried m NC (C e (2 * i + 1) (c + e + 1))) end.
  Let multiple (e i c : nat) : Z := part (d c) (Z.of_nat i * 2 ^ Z.of_nat e) (2 ^ Z.of_nat e) * b + part (u c) (Z.of_nat i * 2 ^ Z.of_nat e) (2 ^ Z.of_nat e) * n c.

  Lemma part_halves : forall x e i, part x (Z.of_nat (2 * i) * 2 ^ Z.of_nat e) (2 ^ Z.of_nat e) + p e * part x (Z.of_nat (2 * i + 1) * 2 ^ Z.of_nat e) (2 ^ Z.of_nat e) =
    part x (Z.of_nat i * 2 ^ Z.of_nat (S e)) (2 ^ Z.of_nat (S e)).
  Proof.
    intros x e i. pose proof (Z.pow_pos_nonneg 2 (Z.of_nat e) ltac:(lia) ltac:(lia)). replace (2 ^ Z.of_nat (S e)) with (2 ^ Z.of_nat e + 2 ^ Z.of_nat e) by (rewrite Nat2Z.inj_succ, Z.pow_succ_r by lia; lia).
    rewrite part_split by lia. replace (Z.of_nat (2 * i)) with (2 * Z.of_nat i) by lia. replace (Z.of_nat (2 * i + 1)) with (2 * Z.of_nat i + 1) by lia. unfold p.
    set (h := 2 ^ Z.of_nat e) in *. replace (2 * Z.of_nat i * h) with (Z.of_nat i * (h + h)) by ring. replace ((2 * Z.of_nat i + 1) * h) with (Z.of_nat i * (h + h) + h) by ring. reflexivity.
  Qed.

  Lemma in_tree : forall e i c, (e <= v)%nat -> (i < 2 ^ (v - e))%nat -> (c + e < T)%nat -> G e i (c + e + 1) = multiple e i c + inflow e i c - 2 ^ m * outflow e i c.
  Proof.
    induction e; intros i c Le L LT.
    - rewrite Nat.sub_0_r in L. replace (c + 0 + 1)%nat with (S c) by lia. rewrite at_row by lia. cbn [inflow outflow]. unfold multiple, flag, part. change (2 ^ Z.of_nat 0) with 1. rewrite !Z.mul_1_r. change (2 ^ 1) with 2. ring.
    - assert (L2 : (2 ^ (v - e) = 2 * 2 ^ (v - S e))%nat) by (replace (v - e)%nat with (S (v - S e)) by lia; apply Nat.pow_succ_r').
      replace (c + S e + 1)%nat with (S (c + e + 1)) by lia. rewrite at_joint by lia. pose proof (IHe (2 * i)%nat c ltac:(lia) ltac:(lia) ltac:(lia)) as E1. pose proof (IHe (2 * i + 1)%nat c ltac:(lia) ltac:(lia) ltac:(lia)) as E2.
      rewrite E1. unfold G in E2. assert (EA : A e (2 * i + 1)%nat (c + e + 1)%nat = multiple e (2 * i + 1) c + inflow e (2 * i + 1) c - 2 ^ m * outflow e (2 * i + 1) c - 2 ^ m * carried m NC (C e (2 * i + 1)%nat (c + e + 1)%nat)) by lia.
      rewrite EA. cbn [inflow outflow]. unfold multiple. rewrite <- !part_halves. ring.
  Qed.

  Let row_carries (i c : nat) : Z := carried m NC (into i c).

  Lemma line_at : forall e i c, (c <= T)%nat -> (e < v)%nat /\ (exists x, i = (2 * x + 1)%nat) /\ (i < 2 ^ (v - e))%nat \/ e = v /\ i = O -> (k <= c)%nat -> row_carries (i * 2 ^ e) c = carried m NC (C e i (c - k + e + 1)).
  Proof.
    intros e i c LT H K. unfold row_carries. rewrite (lines e i c LT H). destruct (Nat.ltb_spec c (k - 1 - e)); [lia |]. assert (Le : (e <= v)%nat /\ (i < 2 ^ (v - e))%nat).
    { destruct H as [(H1 & _ & H2) | [-> ->]]; [split; [lia | exact H2] | rewrite Nat.sub_diag; cbn; lia]. }
    destruct Le as [Le J]. destruct (all_sound T (le_n T) (c - (k - 1 - e))%nat ltac:(lia) e i Le J) as (X & _). rewrite Z.mod_small by (destruct (carries_fit e _ Le X); lia). do 2 f_equal. lia.
  Qed.

  Lemma later_inflow : forall e i c, (e <= v)%nat -> (i < 2 ^ (v - e))%nat -> (c + k <= T)%nat -> inflow e i (c + k) = row_carries (i * 2 ^ e) (c + k) + outflow e i c.
  Proof.
    induction e; intros i c Le L LT; [cbn [inflow outflow Nat.pow]; rewrite Nat.mul_1_r; unfold row_carries; ring |].
    assert (L2 : (2 ^ (v - e) = 2 * 2 ^ (v - S e))%nat) by (replace (v - e)%nat with (S (v - S e)) by lia; apply Nat.pow_succ_r').
    cbn [inflow outflow]. rewrite !IHe by lia. rewrite shifted_index. rewrite (line_at e (2 * i + 1) (c + k)) by (lia || (left; split; [lia |]; split; [exists i; reflexivity | lia])).
    replace (c + k - k + e + 1)%nat with (c + e + 1)%nat by lia. ring.
  Qed.

  Lemma no_inflow : forall e i c, (e <= v)%nat -> (i < 2 ^ (v - e))%nat -> (forall j, (j < 2 ^ v)%nat -> row_carries j c = 0) -> inflow e i c = 0.
  Proof.
    induction e; intros i c Le L H; [rewrite Nat.sub_0_r in L; apply H, L |].
    assert (L2 : (2 ^ (v - e) = 2 * 2 ^ (v - S e))%nat) by (replace (v - e)%nat with (S (v - S e)) by lia; apply Nat.pow_succ_r'). cbn [inflow]. rewrite !IHe by (assumption || lia). ring.
  Qed.

  Definition total (c : nat) : Z := outflow v 0 c + carried m NC (C v 0%nat (c + v + 1)).

  (* ---------------------------------------------------------------- the first cycles *)
  Lemma both_nothing : forall e i c, (e <= v)%nat -> (i < 2 ^ (v - e))%nat -> (c <= T)%nat -> G e i c = 0 -> A e i c = 0 /\ carried m NC (C e i c) = 0.
  Proof.
    intros e i c Le L LT H. destruct numbers as (_ & _ & P & _). destruct (all_sound T (le_n T) c LT e i Le L) as (_ & A0 & _). pose proof (carried_nonneg (C e i c)) as N. unfold G in H.
    assert (0 <= 2 ^ m * carried m NC (C e i c)) by (apply Z.mul_nonneg_nonneg; lia). split; [lia |]. assert (X : 2 ^ m * carried m NC (C e i c) = 0) by lia. apply Z.mul_eq_0 in X. lia.
  Qed.

  Lemma still_empty : forall e i c, (e <= v)%nat -> (i < 2 ^ (v - e))%nat -> (c <= e)%nat -> (c <= T)%nat -> A e i c = 0 /\ carried m NC (C e i c) = 0.
  Proof.
    assert (Z0 : forall e i, A e i O = 0 /\ carried m NC (C e i O) = 0) by (intros e i; destruct (start e i) as [-> ->]; split; [reflexivity | apply carried_zero; intros; apply flag_0]).
    induction e; intros i c Le L Lc LT; [replace c with O by lia; apply Z0 |]. destruct c as [| c]; [apply Z0 |].
    assert (L2 : (2 ^ (v - e) = 2 * 2 ^ (v - S e))%nat) by (replace (v - e)%nat with (S (v - S e)) by lia; apply Nat.pow_succ_r').
    apply both_nothing; try assumption. rewrite at_joint by lia. unfold G. destruct (IHe (2 * i)%nat c ltac:(lia) ltac:(lia) ltac:(lia) ltac:(lia)) as [-> ->]. destruct (IHe (2 * i + 1)%nat c ltac:(lia) ltac:(lia) ltac:(lia) ltac:(lia)) as [-> _]. ring.
  Qed.

  Lemma no_early_carries : forall i c, (i < 2 ^ v)%nat -> (c < k)%nat -> (c <= T)%nat -> row_carries i c = 0.
  Proof.
    intros i c L Lc LT. unfold row_carries. destruct (enters i c L LT ltac:(intros; apply (all_sound T); lia)) as [[-> _] | (e & j & Le & J & Le2 & ->)]; [apply carried_zero; intros; apply flag_0 |].
    apply (still_empty e j); assumption || lia.
  Qed.

  Theorem sum_of_rows : forall c, (c + v < T)%nat -> (c <= T)%nat ->
    A v 0 (c + v + 1) = part (d c) 0 (2 ^ Z.of_nat v) * b + part (u c) 0 (2 ^ Z.of_nat v) * n c + (if Nat.ltb c k then 0 else total (c - k)) - 2 ^ m * total c.
  Proof.
    intros c LT _. assert (J : (0 < 2 ^ (v - v))%nat) by (rewrite Nat.sub_diag; cbn; lia). pose proof (in_tree v O c (le_n v) J LT) as H. unfold G, multiple in H. change (Z.of_nat 0) with 0 in H. rewrite !Z.mul_0_l in H.
    assert (I : inflow v 0 c = if Nat.ltb c k then 0 else total (c - k)).
    { destruct (Nat.ltb_spec c k) as [X | X]; [apply no_inflow; [lia | exact J | intros; apply no_early_carries; lia] |].
      pose proof (later_inflow v O (c - k) (le_n v) J ltac:(lia)) as F. replace (c - k + k)%nat with c in F by lia. rewrite F, (line_at v O c) by (lia || (right; split; reflexivity)). unfold total. ring. }
    rewrite I in H. unfold total at 2. lia.
  Qed.

  Lemma root_range : forall c, (c <= T)%nat -> 0 <= A v 0%nat c <= (p v - 1) * most.
  Proof.
    intros c LT. destruct numbers as (_ & _ & P & _). destruct (all_sound T (le_n T) c LT v O (le_n v) ltac:(rewrite Nat.sub_diag; cbn; lia)) as (_ & A0 & H). unfold G in H.
    assert (0 <= 2 ^ m * carried m NC (C v 0%nat c)) by (apply Z.mul_nonneg_nonneg; [lia | apply carried_nonneg]). lia.
  Qed.

  (* ---------------------------------------------------------------- the last cycles: carries alone are added, and make no carries *)
  Variable c0 : nat.
  Hypothesis ended : forall c, (c0 <= c < T)%nat -> d c = 0 /\ n c = 0.

  Let word (x : Z) (j : nat) : Z := (x / pw (2 ^ m) j) mod 2 ^ m.
  Let thin (e i c : nat) : Prop := forall j, (j < E e)%nat -> flag (C e i c) j = 0 /\ 0 <= word (A e i c) j < p e /\ ((NC <= j)%nat -> word (A e i c) j = 0).

  (* A word and its carry, of what fits into the word. *)
  Lemma one_word : forall e s c f j, (e <= v)%nat -> adds m (width e) (E e) s c f -> (j < E e)%nat -> 0 <= f j < p e -> ((NC <= j)%nat -> f j = 0) -> flag c j = 0 /\ word s j = f j.
  Proof.
    intros e s c f j Le (RS & RC & W) L F N. destruct numbers as (M & O2 & _). destruct (ends e Le) as (e1 & e2 & e3 & e4). specialize (W j L).
    unfold word. rewrite <- (whole_word m (width e) (E e) M e1 e2 e3 s j RS L). pose proof (flag_range c j). pose proof (block_range m (width e) (E e) M e1 e2 e3 s j L) as B.
    pose proof (bits_range m (width e) (E e) M e1 e2 e3 j L) as G0. assert (X : f j < 2 ^ bits m (width e) j).
    { destruct (Nat.le_gt_cases NC j) as [Y | Y]; [rewrite N by exact Y; apply Z.pow_pos_nonneg; lia |].
      apply Z.lt_le_trans with (p e); [apply F |]. apply Z.pow_le_mono_r; [lia |]. unfold bits. apply Z.min_glb.
      - apply Z.le_trans with (2 ^ Z.of_nat v); [apply Z.pow_le_mono_r; lia | exact some].
      - assert (Z.of_nat j * m <= Z.of_nat (NC - 1) * m) by (apply Z.mul_le_mono_nonneg_r; lia). unfold width. lia. }
    assert (C0 : flag c j = 0 \/ flag c j = 1) by lia. destruct C0 as [C0 | C0]; rewrite C0 in W; split; lia.
  Qed.

  Lemma thin_after : forall e i c, (e <= v)%nat -> (i < 2 ^ (v - e))%nat -> (c0 <= c)%nat -> (c + e < T)%nat -> thin e i (c + e + 1).
  Proof.
    destruct numbers as (M & O2 & _). assert (R : 1 < 2 ^ m) by (apply (Z.pow_gt_1 2 m); lia). induction e; intros i c Le L Lc LT j J.
    - rewrite Nat.sub_0_r in L. replace (c + 0 + 1)%nat with (S c) by lia. destruct (powers O) as (_ & _ & P0). destruct (ended c ltac:(lia)) as [D0 N0].
      assert (EF : flag (d c) i * block m (width 0) b j + flag (u c) i * block m (width 0) (n c) j + flag (into i c) j = flag (into i c) j).
      { rewrite D0, N0, flag_0. unfold block. rewrite Zdiv_0_l, Zmod_0_l. ring. }
      pose proof (flag_range (into i c) j) as FR. assert (FN : (NC <= j)%nat -> flag (into i c) j = 0).
      { intros Y. apply (flag_none _ NC); [| exact Y]. destruct (enters i c L ltac:(lia) ltac:(intros; apply (all_sound T); lia)) as [[-> _] | (e & x & Lx & X & Le2 & ->)]; [split; [lia | apply Z.pow_pos_nonneg; lia] |].
        apply (carries_fit e _ Lx). apply (all_sound T (le_n T)); assumption || lia. }
      destruct (one_word O _ _ _ j ltac:(lia) (rows c i ltac:(lia) L) J) as [F1 F2]; cbv beta in *; rewrite ?EF in *; [lia | exact FN |]. split; [exact F1 |]. rewrite F2, P0. split; [lia | exact FN].
    - assert (L2 : (2 ^ (v - e) = 2 * 2 ^ (v - S e))%nat) by (replace (v - e)%nat with (S (v - S e)) by lia; apply Nat.pow_succ_r'). replace (c + S e + 1)%nat with (S (c + e + 1)) by lia. set (t := (c + e + 1)%nat).
      pose proof (IHe (2 * i)%nat c ltac:(lia) ltac:(lia) Lc ltac:(lia)) as T1. pose proof (IHe (2 * i + 1)%nat c ltac:(lia) ltac:(lia) Lc ltac:(lia)) as T2. fold t in T1, T2.
      destruct (powers e) as (B & PP & _). destruct (ends e ltac:(lia)) as (f1 & f2 & f3 & f4 & f5). destruct (ends (S e) ltac:(lia)) as (e1 & e2 & e3 & e4 & e5).
      destruct (all_sound T (le_n T) t ltac:(unfold t; lia) e (2 * i)%nat ltac:(lia) ltac:(lia)) as (C1 & A1 & G1). destruct (all_sound T (le_n T) t ltac:(unfold t; lia) e (2 * i + 1)%nat ltac:(lia) ltac:(lia)) as (C2 & A2 & G2).
      pose proof (carried_nonneg (C e (2 * i)%nat t)) as N1. pose proof (carried_nonneg (C e (2 * i + 1)%nat t)) as N2. unfold G in G1, G2. destruct (top (S e)) as [TS TW]. destruct (top e) as [TE TV].
      assert (M1 : 0 <= 2 ^ m * carried m NC (C e (2 * i)%nat t)) by (apply Z.mul_nonneg_nonneg; lia). assert (M2 : 0 <= 2 ^ m * carried m NC (C e (2 * i + 1)%nat t)) by (apply Z.mul_nonneg_nonneg; lia).
      assert (U : 0 <= p e * A e (2 * i + 1)%nat t <= p e * ((p e - 1) * most)) by (split; [apply Z.mul_nonneg_nonneg; lia | apply Z.mul_le_mono_nonneg_l; lia]).
      assert (PS : p e * ((p e - 1) * most) + (p e - 1) * most = (p (S e) - 1) * most) by (rewrite PP; ring). assert (0 <= (p e - 1) * most) by lia.
      assert (UP : 0 <= p e * ((p e - 1) * most)) by (apply Z.mul_nonneg_nonneg; lia).
      (* words of sums below, also behind their ends *)
      assert (small : forall x y, (y = 2 * i \/ y = 2 * i + 1)%nat -> thin e y t -> 0 <= A e y t < 2 ^ width e -> 0 <= word (A e y t) x < p e /\ ((NC <= x)%nat -> word (A e y t) x = 0)).
      { intros x y _ Tn RA. destruct (Nat.le_gt_cases (E e) x) as [X | X]; [| apply Tn, X]. assert (word (A e y t) x = 0); [| lia]. unfold word. rewrite Z.div_small; [reflexivity |].
        rewrite pw_words by lia. pose proof (Z.pow_le_mono_r 2 (width e) (Z.of_nat x * m) ltac:(lia)). assert (Z.of_nat (E e) * m <= Z.of_nat x * m) by (apply Z.mul_le_mono_nonneg_r; lia). lia. }
      pose proof (fun x => small x (2 * i)%nat ltac:(lia) T1 ltac:(lia)) as W1. pose proof (fun x => small x (2 * i + 1)%nat ltac:(lia) T2 ltac:(lia)) as W2.
      assert (EU : forall x, (x < E (S e))%nat -> word (p e * A e (2 * i + 1)%nat t) x = p e * word (A e (2 * i + 1)%nat t) x).
      { intros x X. assert (EA : p e * A e (2 * i + 1)%nat t = digits (2 ^ m) (fun j => p e * word (A e (2 * i + 1)%nat t) j) (E (S e))).
        { rewrite digits_scale. f_equal. unfold word. rewrite word_digits, Z.mod_small; [reflexivity | | exact R]. rewrite pw_words by lia.
          pose proof (Z.pow_le_mono_r 2 (width (S e)) (Z.of_nat (E (S e)) * m) ltac:(lia) e1). assert (A e (2 * i + 1)%nat t <= p e * A e (2 * i + 1)%nat t) by (rewrite <- (Z.mul_1_l (A _ _ _)) at 1; apply Z.mul_le_mono_nonneg_r; lia). lia. }
        rewrite EA. unfold word at 1. apply (word_of_digits (2 ^ m)); [exact R | | exact X]. intros y _. destruct (W2 y) as [Y _]. split; [apply Z.mul_nonneg_nonneg; lia |].
        apply Z.lt_le_trans with (p (S e)); [rewrite PP; apply Z.mul_lt_mono_pos_l; lia |]. unfold p. apply Z.pow_le_mono_r; [lia |]. apply Z.le_trans with (2 ^ Z.of_nat v); [apply Z.pow_le_mono_r; lia | exact some]. }
      assert (ED : flag (2 * C e (2 * i)%nat t) j = 0).
      { destruct j as [| j]; [apply flag_double_0 |]. rewrite flag_double. destruct (Nat.lt_ge_cases j (E e)) as [X | X]; [apply T1, X |]. apply (flag_none _ (E e - 1)); [exact C1 | lia]. }
      set (f := fun j => block m (width (S e)) (p e * A e (2 * i + 1)%nat t) j + block m (width (S e)) (A e (2 * i)%nat t) j + flag (2 * C e (2 * i)%nat t) j).
      assert (EF : f j = p e * word (A e (2 * i + 1)%nat t) j + word (A e (2 * i)%nat t) j).
      { unfold f. rewrite !(whole_word m (width (S e)) (E (S e)) M e1 e2 e3) by (assumption || lia). fold (word (p e * A e (2 * i + 1)%nat t) j) (word (A e (2 * i)%nat t) j). rewrite EU, ED by exact J. ring. }
      destruct (W1 j) as [X1 Z1]. destruct (W2 j) as [X2 Z2]. assert (XP : p e * word (A e (2 * i + 1)%nat t) j <= p e * (p e - 1)) by (apply Z.mul_le_mono_nonneg_l; lia).
      assert (XN : 0 <= p e * word (A e (2 * i + 1)%nat t) j) by (apply Z.mul_nonneg_nonneg; lia).
      assert (FR : 0 <= f j < p (S e)) by (rewrite EF, PP; lia). assert (FN : (NC <= j)%nat -> f j = 0) by (intros Y; rewrite EF, Z1, Z2 by exact Y; ring).
      destruct (one_word (S e) _ _ f j Le (joints t e i ltac:(unfold t; lia) ltac:(lia) L) J FR FN) as [F1 F2]. split; [exact F1 |]. rewrite F2. split; assumption.
  Qed.

  Lemma carries_end : forall e i c, (e <= v)%nat -> (i < 2 ^ (v - e))%nat -> (c0 <= c)%nat -> (c + e < T)%nat -> carried m NC (C e i (c + e + 1)) = 0.
  Proof. intros e i c Le L Lc LT. apply carried_zero. intros j J. apply (thin_after e i c Le L Lc LT). destruct (ends e Le). lia. Qed.

  Theorem total_ends : forall c, (c0 <= c)%nat -> (c + v < T)%nat -> total c = 0.
  Proof.
    intros c Lc LT. unfold total. rewrite carries_end by (try (rewrite Nat.sub_diag; cbn); lia). enough (X : forall e i, (e <= v)%nat -> (i < 2 ^ (v - e))%nat -> outflow e i c = 0) by (rewrite X by (try (rewrite Nat.sub_diag; cbn); lia); reflexivity).
    induction e; intros i Le L; [reflexivity |]. assert (L2 : (2 ^ (v - e) = 2 * 2 ^ (v - S e))%nat) by (replace (v - e)%nat with (S (v - S e)) by lia; apply Nat.pow_succ_r').
    cbn [outflow]. rewrite !IHe, carries_end by lia. ring.
  Qed.

  Lemma rows_end : forall i c, (i < 2 ^ v)%nat -> (c0 + k <= c)%nat -> (c <= T)%nat -> row_carries i c = 0.
  Proof.
    intros i c L Lc LT. unfold row_carries. destruct (enters i c L LT ltac:(intros; apply (all_sound T); lia)) as [[-> _] | (e & j & Le & J & Le2 & ->)]; [apply carried_zero; intros; apply flag_0 |].
    replace (c - (k - 1 - e))%nat with ((c - k) + e + 1)%nat by lia. apply carries_end; assumption || lia.
  Qed.

  Theorem all_ends : forall e i c, (e <= v)%nat -> (i < 2 ^ (v - e))%nat -> (c0 + k <= c)%nat -> (c + e < T)%nat -> A e i (c + e + 1) = 0 /\ carried m NC (C e i (c + e + 1)) = 0.
  Proof.
    induction e; intros i c Le L Lc LT.
    - rewrite Nat.sub_0_r in L. replace (c + 0 + 1)%nat with (S c) by lia. apply both_nothing; try lia; [rewrite Nat.sub_0_r; exact L |]. rewrite at_row by lia. destruct (ended c ltac:(lia)) as [-> ->].
      pose proof (rows_end i c L Lc ltac:(lia)) as X. unfold row_carries in X. rewrite X, flag_0. ring.
    - assert (L2 : (2 ^ (v - e) = 2 * 2 ^ (v - S e))%nat) by (replace (v - e)%nat with (S (v - S e)) by lia; apply Nat.pow_succ_r'). replace (c + S e + 1)%nat with (S (c + e + 1)) by lia.
      apply both_nothing; try assumption; [lia |]. rewrite at_joint by lia. unfold G. destruct (IHe (2 * i)%nat c ltac:(lia) ltac:(lia) Lc ltac:(lia)) as [-> ->]. destruct (IHe (2 * i + 1)%nat c ltac:(lia) ltac:(lia) Lc ltac:(lia)) as [-> _]. ring.
  Qed.
End Tree.
