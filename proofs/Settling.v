(* SPDX-License-Identifier: Apache-2.0 *)
(* A phase in which two rows of half adders a cycle add a pair until its carry vector is 0. *)
From Coq Require Import ZArith Lia.
Require Import Control HalfAdders.
Open Scope Z_scope.

Theorem two_rows_divide : forall k m s c f carry, 0 <= k -> 0 <= m -> (2 ^ k | c) -> carry = (2 * Z.land f ((2 * Z.land s c) mod 2 ^ m)) mod 2 ^ m -> (2 ^ (k + 2) | carry).
Proof.
  intros k m s c f carry K M D ->. replace (k + 2) with (k + 1 + 1) by lia. apply row_divides; [lia | exact M |]. apply row_divides; assumption.
Qed.

Section Settling.
  Variables (phase ss sc : nat -> Z) (p q m : Z) (held : nat -> Prop).
  Hypotheses (m_range : 0 <= m) (pair_range : forall t, 0 <= ss t /\ 0 <= sc t < 2 ^ m)
    (row : forall t k, phase t = p -> held t -> 0 <= k -> (2 ^ k | sc t) -> ss t + sc t < 2 ^ m -> ss (S t) + sc (S t) = ss t + sc t /\ (2 ^ (k + 2) | sc (S t)))
    (goes : forall t, phase t = p -> held t -> phase (S t) = (if sc t =? 0 then q else p) /\ (phase (S t) = p -> held (S t))).

  Lemma settled : forall t, phase t = p -> held t -> sc t = 0 -> ss t < 2 ^ m -> ss (S t) = ss t /\ sc (S t) = 0.
  Proof.
    intros t P H C L. destruct (pair_range (S t)) as [_ V].
    destruct (row t m P H m_range ltac:(rewrite C; apply Z.divide_0_r) ltac:(lia)) as [T D].
    assert (Z0 : sc (S t) = 0) by (apply (divided_small (m + 2) m); [exact V | lia | lia | exact D]). lia.
  Qed.

  Theorem settles : forall s J e, phase s = p -> held s -> (2 ^ Z.of_nat e | sc s) -> ss s + sc s < 2 ^ m -> m <= Z.of_nat (2 * J + e) ->
    exists j, (j <= J)%nat /\ (forall i, (i <= j)%nat -> phase (s + i)%nat = p /\ held (s + i)%nat) /\ phase (s + S j)%nat = q /\
      sc (s + j)%nat = 0 /\ ss (s + j)%nat = ss s + sc s /\ ss (s + S j)%nat = ss s + sc s /\ sc (s + S j)%nat = 0.
  Proof.
    intros s J e P0 H0 D0 small HJ.
    pose (keeps := fun i => phase (s + i)%nat = p /\ held (s + i)%nat /\ ss (s + i)%nat + sc (s + i)%nat = ss s + sc s /\ (2 ^ Z.of_nat (2 * i + e) | sc (s + i)%nat)).
    destruct (until keeps (fun i => sc (s + i)%nat) J) as (j & Hj & (K1 & K2 & K3 & _) & C0 & before).
    - unfold keeps. rewrite Nat.add_0_r, Nat.mul_0_r. auto.
    - intros i L (P & H & T & D) C. destruct (goes _ P H) as [G1 G2]. destruct (Z.eqb_spec (sc (s + i)%nat) 0) as [X | X]; [contradiction |].
      destruct (row _ _ P H (Nat2Z.is_nonneg _) D ltac:(rewrite T; exact small)) as [R1 R2]. unfold keeps. rewrite Nat.add_succ_r.
      split; [exact G1 |]. split; [auto |]. split; [lia |]. replace (Z.of_nat (2 * S i + e)) with (Z.of_nat (2 * i + e) + 2) by lia. exact R2.
    - intros (_ & _ & _ & D). apply (divided_small (Z.of_nat (2 * J + e)) m); [apply pair_range | exact HJ | exact m_range | exact D].
    - exists j. split; [exact Hj |]. split; [intros i I; destruct (Nat.eq_dec i j) as [-> | E]; [auto | destruct (before i ltac:(lia)) as [(B1 & B2 & _) _]; auto] |].
      assert (T : ss (s + j)%nat = ss s + sc s) by lia. destruct (settled _ K1 K2 C0 ltac:(lia)) as [S1 S2]. destruct (goes _ K1 K2) as [G1 _].
      rewrite Nat.add_succ_r, G1, S1, C0, T. auto.
  Qed.
End Settling.
