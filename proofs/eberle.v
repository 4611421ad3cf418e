(* SPDX-License-Identifier: Apache-2.0 *)
(* mf_eberle_par with lazy reduction from the nets of the RTL to the contract, for every width and number of digits. The hypotheses are the lemmas
   that montforge prints into eberle_lemmas.v, and proves on the RTL. *)
From Coq Require Import ZArith Lia String.
Require Import DigitRecurrence Instances Contract Control WordSerial eberle_lemmas Arithmetic.
Open Scope string_scope. Open Scope Z_scope.
Set Default Proof Using "All".

(* ---------------------------------------------------------------- integers *)

(* A register of m words that takes a word from above in each of the first k steps. *)
Lemma some_shifted_in : forall r m k d w, 1 < r -> (k <= m)%nat -> (forall i, (i < k)%nat -> d (S i) = d i / r + pw r (m - 1) * w i) ->
  forall i, (i <= k)%nat -> d i = d O / pw r i + pw r (m - i) * digits r w i.
Proof.
  intros r m k d w R Hk H. induction i; intros L; [cbn [pw digits]; rewrite Z.div_1_r; lia |].
  pose proof (pw_pos r i ltac:(lia)). rewrite H, IHi by lia. replace (m - i)%nat with (S (m - S i)) by lia. cbn [pw digits].
  rewrite <- (Z.mul_assoc r), (Z.mul_comm r (pw r (m - S i) * _)), Z.div_add by lia. rewrite Z.div_div by lia. rewrite (Z.mul_comm (pw r i) r).
  replace (m - 1)%nat with (m - S i + i)%nat by lia. rewrite pw_add. ring.
Qed.

(* A register that is turned by m words. *)
Lemma turned : forall r m d, 1 < r -> 0 <= d O < pw r m -> (forall i, (i < m)%nat -> d (S i) = d i / r + pw r (m - 1) * (d i mod r)) ->
  d m = d O /\ forall i, (i < m)%nat -> d i mod r = (d O / pw r i) mod r.
Proof.
  intros r m d R D H. pose proof (lowest_word r m d (fun i => d i mod r) R H) as low. split; [| exact low].
  rewrite (shifted_in r m d (fun i => d i mod r) R H m) by lia. rewrite Nat.sub_diag, Z.div_small by exact D. cbn [pw].
  rewrite (digits_ext r _ (fun i => (d O / pw r i) mod r) m low), word_digits, Z.mod_small by assumption. lia.
Qed.

(* The words w of x y + e + carry 0. *)
Theorem serial_product : forall r m x y e w carry, 1 < r ->
  (forall i, (i < m)%nat -> w i + r * carry (S i) = (x / pw r i) mod r * y + (e / pw r i) mod r + carry i) ->
  digits r w m + pw r m * carry m = x mod pw r m * y + e mod pw r m + carry O.
Proof.
  induction m; intros x y e w carry R H; [cbn [digits pw]; rewrite !Z.mod_1_r; lia |].
  specialize (IHm x y e w carry R ltac:(intros; apply H; lia)). specialize (H m ltac:(lia)).
  rewrite !low_words by assumption. cbn [digits].
  assert (E : pw r m * w m + pw r (S m) * carry (S m) = pw r m * ((x / pw r m) mod r * y + (e / pw r m) mod r + carry m)) by (rewrite <- H; cbn [pw]; ring).
  rewrite Z.mul_add_distr_r. lia.
Qed.

(* The lowest word becomes 0. *)
Lemma lowest_becomes_0 : forall r n c t q w z, 1 < r -> (n * c + 1) mod r = 0 -> 0 <= w < r -> (exists y, q + r * y = t mod r * c) ->
  w + r * z = n mod r * q + t mod r -> w = 0.
Proof.
  intros r n c t q w z R inverse Hw [y Q] E. apply Z.mod_divide in inverse; [| lia]. destruct inverse as [i I].
  pose proof (Z.div_mod n r ltac:(lia)) as N. set (u := t mod r) in *. set (h := n / r) in *.
  assert (X : n mod r * (u * c) = u * (i * r - 1) - r * (h * u * c)) by (replace (i * r - 1) with (n * c) by lia; rewrite N at 2; ring).
  replace q with (u * c - r * y) in E by lia. rewrite Z.mul_sub_distr_l, X in E.
  assert (D : w = r * (u * i - n mod r * y - h * u * c - z)) by lia.
  set (f := u * i - n mod r * y - h * u * c - z) in *. clearbody f. destruct (Z.eq_dec f 0) as [-> | F]; [lia |]. exfalso.
  assert (f <= -1 \/ 1 <= f) as [G | G] by lia; [assert (r * f <= r * -1) by (apply Z.mul_le_mono_nonneg_l; lia) | assert (r * 1 <= r * f) by (apply Z.mul_le_mono_nonneg_l; lia)]; lia.
Qed.

Section Chain.
  Variables (K : nat) (k V : Z) (net : trace).
  Let W := Z.of_nat K.
  Hypotheses (wide : (1 <= K)%nat /\ 2 <= k /\ 1 <= V /\ W + 2 <= k * V) (H_ranges : ranges W k V net) (H_ready : ready W k V net)
    (H_reset : quiet_at_reset W k V net) (H_quiet : quiet_on W k V net) (H_accept : accept W k V net) (H_runs : runs W k V net)
    (H_count : count W k V net) (H_phase : next_phase W k V net) (H_row : next_row W k V net) (H_added : added W k V net)
    (H_carried : carried W k V net) (H_factors : factors W k V net) (H_multiplies : multiplies W k V net) (H_divides : divides W k V net)
    (H_reduces : reduces W k V net) (H_moves : moves_down W k V net) (H_last : last_move W k V net) (H_hold : hold W k V net)
    (H_answer : answer W k V net).

  Let m := Z.to_nat k. Let r := 2 ^ V. Let R := pw r m.
  Notation P := (net "phase_q"). Notation core := (net "u_core.phase_q"). Notation digit := (net "u_core.digit_q"). Notation row := (net "u_core.row_q").
  Notation valid := (net "u_core.valid_q"). Notation t := (net "u_core.t_q"). Notation top := (net "u_core.t_top_q"). Notation carry := (net "u_core.carry_q").
  Notation low := (net "u_core.low"). Notation value := (net "u_core.value"). Notation held := (net "u_core.high_q"). Notation high := (net "u_core.high").
  Notation ra := (net "a_q"). Notation rb := (net "b_q"). Notation rn := (net "n_q"). Notation rq := (net "u_core.quotient_q").

  Lemma sizes : Z.of_nat m = k /\ (2 <= m)%nat /\ 1 < r /\ R = 2 ^ (k * V) /\ 2 ^ ((k - 1) * V) = pw r (m - 1) /\ 2 ^ ((k - 2) * V) = pw r (m - 2) /\
    2 ^ (2 * V) = r * r /\ 4 * 2 ^ W <= R /\ 2 ^ (W + 1) = 2 * 2 ^ W /\ 0 < 2 ^ W.
  Proof.
    destruct wide as (_ & k2 & V1 & fits). assert (E : Z.of_nat m = k) by (unfold m; lia). assert (G : (2 <= m)%nat) by lia.
    assert (R' : R = 2 ^ (k * V)) by (unfold R, r; rewrite pw_words, E by lia; reflexivity).
    split; [exact E |]. split; [exact G |]. split; [apply (Z.pow_gt_1 2 V); lia |]. split; [exact R' |].
    split; [unfold r; rewrite pw_words by lia; do 2 f_equal; lia |]. split; [unfold r; rewrite pw_words by lia; do 2 f_equal; lia |].
    split; [unfold r; rewrite <- Z.pow_add_r by lia; f_equal; lia |].
    pose proof (Z.pow_le_mono_r 2 (W + 2) (k * V) ltac:(lia) fits) as L. rewrite R'. rewrite !Z.pow_add_r in * by (unfold W; lia).
    assert (0 < 2 ^ W) by (apply Z.pow_pos_nonneg; lia). lia.
  Qed.

  Lemma registers : forall u, 0 <= t u < R /\ 0 <= top u <= 1 /\ 0 <= held u /\ 0 <= ra u < R /\ 0 <= rn u < R /\ 0 <= rq u < r /\ 0 <= rb u /\ 0 <= high u.
  Proof.
    intros u. destruct sizes as (_ & _ & _ & E & _). rewrite E. assert (0 <= top u < 2 ^ 1) by in_range H_ranges u.
    assert (0 <= t u < 2 ^ (k * V) /\ 0 <= ra u < 2 ^ (k * V) /\ 0 <= rn u < 2 ^ (k * V) /\ 0 <= rq u < r /\ 0 <= held u /\ 0 <= rb u /\ 0 <= high u) by in_range H_ranges u.
    lia.
  Qed.

  (* The unit that multiplies and accumulates. *)
  Lemma unit : forall u, low u + r * (value u / r) = net "u_core.x" u * net "u_core.y" u + net "u_core.addend" u + carry u /\ 0 <= low u < r /\ 0 <= value u / r < r.
  Proof.
    intros u. destruct sizes as (_ & _ & R1 & _ & _ & _ & R2 & _). destruct (H_added u) as [E L]. fold r in L.
    assert (0 <= net "u_core.x" u < r /\ 0 <= net "u_core.y" u < r /\ 0 <= net "u_core.addend" u < r /\ 0 <= carry u < r /\ 0 <= low u < r) as (X & Y & A & C & Lo) by in_range H_ranges u.
    rewrite R2 in E. set (v := net "u_core.x" u * net "u_core.y" u + net "u_core.addend" u + carry u) in *.
    assert (v < r * r) by (unfold v; nia). assert (0 <= v) by (unfold v; nia). rewrite Z.mod_small in E by lia. rewrite L, E.
    pose proof (Z.div_mod v r ltac:(lia)). split; [lia |]. split; [apply Z.mod_pos_bound; lia |]. split; [apply Z.div_pos; lia | apply Z.div_lt_upper_bound; lia].
  Qed.

  (* The core rests while no operation is under way. *)
  Let calm u := (core u = 0 /\ digit u = 0) /\ row u = 0.
  Lemma rests : forall u, quiet W k V net u.
  Proof. induction u; [apply H_reset; reflexivity | apply H_quiet, IHu]. Qed.

  (* The digits of a pass. *)
  Lemma pass : forall s p, p = 1 \/ p = 3 -> P s = 1 -> core s = p -> digit s = 0 -> valid s = 0 -> forall j, (j < m)%nat ->
    P (s + j)%nat = 1 /\ core (s + j)%nat = p /\ digit (s + j)%nat = Z.of_nat j /\ row (s + j)%nat = row s /\ valid (s + j)%nat = 0 /\
    net "n0_prime_q" (s + j)%nat = net "n0_prime_q" s.
  Proof.
    intros s p Hp P0 C0 D0 V0. destruct sizes as (Em & _). induction j; intros L; [rewrite Nat.add_0_r; auto 10 |].
    destruct (IHj ltac:(lia)) as (P1 & C1 & D1 & R1 & V1 & N1). rewrite Nat.add_succ_r. destruct (H_runs _ P1 V1) as [P2 N2].
    destruct (H_count (s + j)%nat) as (C2 & D2 & R2 & V2); [rewrite C1; lia | lia | exact V1 |]. rewrite C2, D2, R2, N2. repeat split; try assumption; lia.
  Qed.

  Section Request.
  (* A request is accepted in cycle c. *)
  Variables (c : nat).
  Let a := net "a_i" c. Let b := net "b_i" c. Let n := net "n_i" c. Let n0 := net "n0_prime_i" c.
  Hypotheses (idle : P c = 0) (request : net "req_valid_i" c = 1) (odd : n mod 2 = 1) (inverse : (n * n0 + 1) mod r = 0) (a_range : a < 2 * n) (b_range : b < 2 * n).

  Let total u := t u + R * top u.

  Lemma small : 0 < n < 2 ^ W /\ 0 <= a < R /\ 0 <= b < R /\ a + n < R.
  Proof.
    assert (0 <= a /\ 0 <= b /\ 0 <= n < 2 ^ W) as (A & B & N) by in_range H_ranges c. pose proof (odd_positive n ltac:(lia) odd). destruct sizes as (_ & _ & _ & _ & _ & _ & _ & R4 & _). lia.
  Qed.

  Let begins s i := P s = 1 /\ core s = 1 /\ digit s = 0 /\ row s = Z.of_nat i /\ valid s = 0 /\ ra s = a /\ rn s = n /\ net "n0_prime_q" s = n0 /\ carry s = 0.

  Section Row.
  Variables (s i : nat).
  Hypotheses (Hi : (i < m)%nat) (B0 : begins s i) (S0 : total s < R).
  Let y := rb s mod r. Let u := (s + m)%nat. Let v := S u.

  Lemma multiplied : t u + R * held u = total s + a * y /\ ra u = a /\ rn u = n /\ rb u = rb s / r /\ carry u = 0 /\ core u = 2 /\ digit u = 0 /\
    row u = Z.of_nat i /\ valid u = 0 /\ P u = 1 /\ net "n0_prime_q" u = n0.
  Proof.
    destruct B0 as (P0 & C0 & D0 & R0 & V0 & A0 & N0 & I0 & Ca0). pose proof (pass s 1 ltac:(auto) P0 C0 D0 V0) as ctl. destruct sizes as (Em & m2 & r1 & _ & top_place & _ & _ & R4 & _).
    destruct small as (Nn & An & _).
    assert (step : forall j, (j < m)%nat -> let x := (s + j)%nat in ra (S x) = ra x / r + pw r (m - 1) * (ra x mod r) /\
      rb (S x) = (if digit x =? k - 1 then rb x / r else rb x) /\ rn (S x) = rn x /\ t (S x) = t x / r + pw r (m - 1) * low x /\ top (S x) = top x /\
      carry (S x) = (if digit x =? k - 1 then 0 else value x / r) /\ held (S x) = (if digit x =? k - 1 then high x else held x)).
    { intros j L x. destruct (ctl j L) as (P1 & C1 & _). rewrite <- top_place. exact (H_multiplies x P1 C1). }
    assert (same : forall j, (j < m)%nat -> rb (s + j)%nat = rb s /\ rn (s + j)%nat = n /\ top (s + j)%nat = top s).
    { induction j; intros L; [rewrite Nat.add_0_r; auto |]. destruct (IHj ltac:(lia)) as (b1 & n1 & t1). destruct (step j ltac:(lia)) as (_ & b2 & n2 & _ & t2 & _).
      destruct (ctl j ltac:(lia)) as (_ & _ & D1 & _). rewrite Nat.add_succ_r, n2, t2, b2. destruct (Z.eqb_spec (digit (s + j)%nat) (k - 1)); [lia | auto]. }
    destruct (turned r m (fun j => ra (s + j)%nat) r1) as [A1 A2].
    { rewrite Nat.add_0_r, A0. fold R. lia. }
    { intros j L. rewrite Nat.add_succ_r. apply (step j L). }
    rewrite Nat.add_0_r, A0 in A1, A2.
    assert (T : forall j, (j < m)%nat -> t (s + S j)%nat = t (s + j)%nat / r + pw r (m - 1) * low (s + j)%nat) by (intros j L; rewrite Nat.add_succ_r; apply (step j L)).
    pose proof (lowest_word r m (fun j => t (s + j)%nat) (fun j => low (s + j)%nat) r1 T) as T1. cbn beta in T1. rewrite Nat.add_0_r in T1.
    pose proof (shifted_in r m (fun j => t (s + j)%nat) (fun j => low (s + j)%nat) r1 T m (le_n m)) as T2. cbn beta in T2. rewrite Nat.add_0_r, Nat.sub_diag in T2.
    destruct (registers s) as (ts & tops & _). fold R in T2. rewrite Z.div_small in T2 by exact ts. cbn [pw] in T2.
    set (ca := fun j => match j with O => 0 | S x => value (s + x)%nat / r end).
    assert (C : forall j, (j < m)%nat -> carry (s + j)%nat = ca j).
    { intros [| j] L; [rewrite Nat.add_0_r; exact Ca0 |]. destruct (step j ltac:(lia)) as (_ & _ & _ & _ & _ & C2 & _). destruct (ctl j ltac:(lia)) as (_ & _ & D1 & _).
      rewrite Nat.add_succ_r, C2. destruct (Z.eqb_spec (digit (s + j)%nat) (k - 1)); [lia | reflexivity]. }
    pose proof (serial_product r m a y (t s) (fun j => low (s + j)%nat) ca r1) as X. fold R in X. rewrite !Z.mod_small in X by (fold R; lia).
    assert (last : (m - 1 < m)%nat) by lia. destruct (ctl _ last) as (Pl & Cl & Dl & Rl & Vl & Nl). destruct (step _ last) as (_ & bl & nl & _ & tl & cl & hl).
    destruct (same _ last) as (bs & ns & tops'). replace (S (s + (m - 1)))%nat with u in * by (unfold u; lia).
    rewrite (proj2 (Z.eqb_eq _ _)) in bl, cl, hl by lia.
    destruct (H_phase (s + (m - 1))%nat) as (C3 & D3 & R3 & V3); [lia | exact Vl |]. destruct (H_runs _ Pl Vl) as [P3 N3]. replace (S (s + (m - 1)))%nat with u in * by (unfold u; lia).
    assert (Hh : high (s + (m - 1))%nat = top s + ca m).
    { pose proof (H_carried (s + (m - 1))%nat) as E. rewrite Cl in E. cbn [Z.eqb Pos.eqb] in E. rewrite tops' in E. rewrite E by (fold r; lia).
      replace m with (S (m - 1)) at 2 by lia. reflexivity. }
    split; [| rewrite bl, nl, cl, C3, D3, R3, Rl, V3, P3, N3, Nl, R0, bs, ns, Cl; repeat split; try assumption; lia].
    change (t u) with (t (s + m)%nat). rewrite T2, hl, Hh. unfold total. specialize (X ltac:(
      intros j L; destruct (ctl j L) as (P1 & C1 & D1 & _); destruct (H_factors (s + j)%nat ltac:(lia)) as (x1 & y1 & e1); rewrite C1 in x1, y1, e1;
      cbn [Z.eqb Pos.eqb] in x1, y1, e1; fold r in x1, y1, e1; destruct (unit (s + j)%nat) as [E _]; rewrite x1, y1, e1, (C j L), (A2 j L), (T1 j L), (proj1 (same j L)) in E; exact E)).
    change (ca O) with 0 in X. lia.
  Qed.

  Lemma reduced : exists q, 0 <= q < r /\ let e := (v + m)%nat in r * total e = total s + a * y + n * q /\ ra e = a /\ rn e = n /\ rb e = rb s / r /\ carry e = 0 /\
    P e = 1 /\ net "n0_prime_q" e = n0 /\ digit e = 0 /\
    (if Z.of_nat i =? k - 1 then valid e = 1 else core e = 1 /\ row e = Z.of_nat (S i) /\ valid e = 0) /\
    forall x, (s <= x < e)%nat -> P x = 1 /\ valid x = 0.
  Proof.
    destruct multiplied as (M & A0 & N0 & Bu & Ca0 & C0 & D0 & R0 & V0 & P0 & I0). destruct sizes as (Em & m2 & r1 & _ & top_place & two_below & R2 & R4 & _). destruct small as (Nn & An & _).
    destruct (H_divides u P0 C0) as (A1 & B1 & N1 & T1 & _ & Ca1 & H1 & Q1). destruct (H_phase u ltac:(auto) V0) as (C1 & D1 & R1 & V1). destruct (H_runs u P0 V0) as [P1 I1].
    fold v in A1, B1, N1, T1, Ca1, H1, Q1, C1, D1, R1, V1, P1, I1. rewrite C0 in C1. change (2 + 1) with 3 in C1.
    pose proof (pass v 3 ltac:(auto) P1 C1 D1 V1) as ctl.
    assert (quotient : exists z, rq v + r * z = t v mod r * n0).
    { destruct (unit u) as [E _]. destruct (H_factors u ltac:(lia)) as (x1 & y1 & e1). rewrite C0 in x1, y1, e1. cbn [Z.eqb Pos.eqb] in x1, y1, e1. fold r in x1.
      exists (value u / r). rewrite Q1, T1, <- I0, E, x1, y1, e1, Ca0. ring. }
    assert (step : forall j, (j < m)%nat -> let x := (v + j)%nat in ra (S x) = ra x /\ rb (S x) = rb x /\ rn (S x) = rn x / r + pw r (m - 1) * (rn x mod r) /\ rq (S x) = rq x /\
      carry (S x) = (if digit x =? k - 1 then 0 else value x / r) /\ held (S x) = held x).
    { intros j L x. destruct (ctl j L) as (P2 & C2 & _). rewrite <- top_place. exact (H_reduces x P2 C2). }
    assert (same : forall j, (j <= m)%nat -> ra (v + j)%nat = a /\ rb (v + j)%nat = rb s / r /\ rq (v + j)%nat = rq v /\ held (v + j)%nat = held u).
    { induction j; intros L; [rewrite Nat.add_0_r, A1, B1, A0, Bu, H1; auto |]. destruct (IHj ltac:(lia)) as (a1 & b1 & q1 & h1). destruct (step j ltac:(lia)) as (a2 & b2 & _ & q2 & _ & h2).
      rewrite Nat.add_succ_r, a2, b2, q2, h2. auto. }
    destruct (turned r m (fun j => rn (v + j)%nat) r1) as [N2 N3].
    { rewrite Nat.add_0_r, N1, N0. fold R. lia. }
    { intros j L. rewrite Nat.add_succ_r. apply (step j L). }
    rewrite Nat.add_0_r, N1, N0 in N2, N3.
    (* the digits that stay until the last one *)
    set (d := fun j => t (v + S j)%nat). set (w := fun j => low (v + j)%nat).
    assert (d0 : d O = t u).
    { unfold d. destruct (ctl O ltac:(lia)) as (P2 & C2 & D2 & _). rewrite Nat.add_0_r in *. rewrite Nat.add_1_r, (H_moves v P2 C2), D2, T1 by lia. reflexivity. }
    assert (T : forall j, (j < m - 2)%nat -> d (S j) = d j / r + pw r (m - 1) * w (S j)).
    { intros j L. unfold d, w. destruct (ctl (S j) ltac:(lia)) as (P2 & C2 & D2 & _). rewrite (Nat.add_succ_r v (S j)), (H_moves (v + S j)%nat P2 C2), D2, top_place by lia.
      destruct (Z.eqb_spec (Z.of_nat (S j)) 0); [lia | reflexivity]. }
    pose proof (some_shifted_in r m (m - 2) d (fun j => w (S j)) r1 ltac:(lia) T) as T2. rewrite d0 in T2.
    destruct (registers u) as (tu & _ & hu & _). destruct (registers v) as (_ & _ & _ & _ & _ & qv & _).
    assert (addend : forall j, (j < m)%nat -> net "u_core.addend" (v + j)%nat = (t u / pw r j) mod r).
    { intros j L. destruct (ctl j L) as (P2 & C2 & D2 & _). destruct (H_factors (v + j)%nat ltac:(lia)) as (_ & _ & e1). rewrite C2, D2 in e1. cbn [Z.eqb Pos.eqb] in e1. fold r in e1.
      rewrite e1. destruct j as [| j]; [cbn [Z.of_nat Z.eqb pw]; rewrite Nat.add_0_r, T1, Z.div_1_r; reflexivity |].
      destruct (Z.eqb_spec (Z.of_nat (S j)) 0); [lia |]. change (t (v + S j)%nat) with (d j). rewrite (T2 j) by lia.
      replace (m - j)%nat with (S (m - S j)) by lia. pose proof (pw_pos r j ltac:(lia)). cbn [pw]. rewrite <- (Z.mul_assoc r), (Z.mul_comm r (pw r (m - S j) * _)), Z.div_add by lia.
      rewrite Z.div_div, (Z.mul_comm (pw r j)) by lia. replace (m - S j)%nat with (S (m - S (S j))) by lia. cbn [pw]. rewrite <- (Z.mul_assoc r), (Z.mul_comm r (pw r _ * _)), Z_mod_plus_full. reflexivity. }
    set (ca := fun j => match j with O => 0 | S x => value (v + x)%nat / r end).
    assert (C : forall j, (j < m)%nat -> carry (v + j)%nat = ca j).
    { intros [| j] L; [rewrite Nat.add_0_r; exact Ca1 |]. destruct (step j ltac:(lia)) as (_ & _ & _ & _ & C2 & _). destruct (ctl j ltac:(lia)) as (_ & _ & D2 & _).
      rewrite Nat.add_succ_r, C2. destruct (Z.eqb_spec (digit (v + j)%nat) (k - 1)); [lia | reflexivity]. }
    assert (words : forall j, (j < m)%nat -> w j + r * ca (S j) = (n / pw r j) mod r * rq v + (t u / pw r j) mod r + ca j).
    { intros j L. destruct (ctl j L) as (P2 & C2 & D2 & _). destruct (H_factors (v + j)%nat ltac:(lia)) as (x1 & y1 & _). rewrite C2 in x1, y1. cbn [Z.eqb Pos.eqb] in x1, y1. fold r in x1.
      destruct (unit (v + j)%nat) as [E _]. rewrite x1, y1, (addend j L), (C j L), (N3 j L), (proj1 (proj2 (proj2 (same j ltac:(lia))))) in E. exact E. }
    pose proof (serial_product r m n (rq v) (t u) w ca r1 words) as X. fold R in X. rewrite !Z.mod_small in X by (fold R; lia). change (ca O) with 0 in X.
    assert (w0 : w O = 0).
    { pose proof (words O ltac:(lia)) as E. cbn [pw] in E. rewrite !Z.div_1_r in E. change (ca O) with 0 in E. unfold w. rewrite Nat.add_0_r. destruct (unit v) as (_ & L & _).
      apply (lowest_becomes_0 r n n0 (t u) (rq v) (low v) (ca 1%nat) r1 inverse L); [rewrite <- T1; exact quotient |]. unfold w in E. rewrite Nat.add_0_r in E. lia. }
    assert (last : (m - 1 < m)%nat) by lia. destruct (ctl _ last) as (Pl & Cl & Dl & Rl & Vl & Il). destruct (step _ last) as (_ & _ & _ & _ & cl & _).
    rewrite (proj2 (Z.eqb_eq _ _)) in cl by lia. destruct (same (m - 1)%nat ltac:(lia)) as (_ & _ & _ & hs).
    destruct (H_row (v + (m - 1))%nat Cl ltac:(lia)) as (C4 & D4 & R4' & V4); [lia |]. destruct (H_runs _ Pl Vl) as [P4 I4].
    pose proof (H_last (v + (m - 1))%nat Pl Cl ltac:(lia)) as Tl. rewrite Rl, R1, R0 in C4, R4', V4. replace (S (v + (m - 1)))%nat with (v + m)%nat in * by lia.
    assert (held_small : held u < r).
    { apply (Z.mul_lt_mono_pos_l R); [lia |]. assert (0 <= y < r) by (apply Z.mod_pos_bound; lia). assert (a * y <= (R - 1) * (r - 1)) by (apply Z.mul_le_mono_nonneg; lia). lia. }
    assert (Hh : high (v + (m - 1))%nat = held u + ca m).
    { pose proof (H_carried (v + (m - 1))%nat) as E. rewrite Cl, hs in E. cbn [Z.eqb Pos.eqb] in E. rewrite E by (fold r; lia). replace m with (S (m - 1)) at 2 by lia. reflexivity. }
    exists (rq v). split; [exact qv |]. cbv zeta. split.
    - unfold total in M |- *. destruct sizes as (_ & _ & _ & R' & _). rewrite R', Tl, Hh, R2, top_place, two_below.
      replace (t (v + (m - 1))%nat) with (d (m - 2)%nat) by (unfold d; do 2 f_equal; lia). rewrite T2 by lia. replace (m - (m - 2))%nat with 2%nat by lia. cbn [pw]. rewrite Z.mul_1_r.
      pose proof (pw_pos r (m - 2) ltac:(lia)) as Pm. assert (rr : 0 < r * r) by (apply Z.mul_pos_pos; lia). rewrite (Z.mul_comm (r * r)), Z.div_add by (clear - rr; lia). rewrite Z.div_div by (clear - Pm rr; lia).
      assert (E : pw r (m - 2) * (r * r) = R) by (unfold R; replace m with (m - 2 + 2)%nat at 2 by lia; rewrite pw_add; cbn [pw]; ring). rewrite E, Z.div_small by exact tu.
      pose proof (digits_split r w 1 (m - 1)) as Ds. replace (1 + (m - 1))%nat with m in Ds by lia. cbn [digits pw Nat.add] in Ds. rewrite w0 in Ds.
      replace (m - 1)%nat with (S (m - 2)) in Ds by lia. cbn [digits] in Ds. change (low (v + (m - 1))%nat) with (w (m - 1)%nat). replace (m - 1)%nat with (S (m - 2)) by lia. cbn [pw].
      assert (G : r * (r * pw r (m - 2)) = R) by (rewrite <- E; ring). 
      replace (r * (0 + digits r (fun j => w (S j)) (m - 2) + pw r (m - 2) * w (S (m - 2)) + r * pw r (m - 2) * (held u + ca m)))
        with (r * (digits r (fun j => w (S j)) (m - 2) + pw r (m - 2) * w (S (m - 2))) + r * (r * pw r (m - 2)) * (held u + ca m)) by ring. rewrite G. lia.
    - destruct (same m (le_n m)) as (a2 & b2 & _). split; [exact a2 |]. split; [exact N2 |]. split; [exact b2 |]. split; [exact cl |]. split; [exact P4 |].
      split; [rewrite I4, Il, I1; exact I0 |]. split; [exact D4 |]. split.
      + destruct (Z.of_nat i =? k - 1); [exact V4 |]. split; [exact C4 |]. split; [lia | exact V4].
      + intros x Hx. destruct (Nat.lt_ge_cases x u) as [L | L].
        * destruct B0 as (p0 & c0 & e0 & _ & v0 & _). destruct (pass s 1 ltac:(auto) p0 c0 e0 v0 (x - s)%nat ltac:(unfold u in L; lia)) as (X1 & _ & _ & _ & X2 & _).
          replace (s + (x - s))%nat with x in * by lia. auto.
        * destruct (Nat.eq_dec x u) as [-> | G]; [auto |]. destruct (ctl (x - v)%nat ltac:(unfold v in *; lia)) as (X1 & _ & _ & _ & X2 & _).
          replace (v + (x - v))%nat with x in * by (unfold v in *; lia). auto.
  Qed.
  End Row.

  Let at_row i := (S c + i * (2 * m + 1))%nat.

  Lemma rows : forall i, (i <= m)%nat -> let s := at_row i in
    (exists Q, 0 <= Q < pw r i /\ pw r i * total s = a * (b mod pw r i) + n * Q) /\ total s < a + n /\ P s = 1 /\
    ((i < m)%nat -> begins s i /\ rb s = b / pw r i) /\ (i = m -> valid s = 1) /\ forall x, (c < x < s)%nat -> P x = 1 /\ valid x = 0.
  Proof.
    destruct sizes as (Em & m2 & r1 & _). destruct small as (Nn & An & Bn & fits).
    assert (bound : forall i Q x, 0 <= Q < pw r i -> pw r i * x = a * (b mod pw r i) + n * Q -> x < a + n).
    { intros i Q x HQ E. pose proof (pw_pos r i ltac:(lia)) as Pp. pose proof (Z.mod_pos_bound b (pw r i) Pp). apply (Z.mul_lt_mono_pos_l (pw r i)); [exact Pp |].
      assert (a * (b mod pw r i) <= a * (pw r i - 1)) by (apply Z.mul_le_mono_nonneg_l; lia). assert (n * Q <= n * (pw r i - 1)) by (apply Z.mul_le_mono_nonneg_l; lia). lia. }
    induction i; intros L s.
    - unfold s, at_row. cbn [Nat.mul]. rewrite Nat.add_0_r.
      destruct (H_accept c idle request (rests c)) as (P1 & C1 & D1 & R1 & V1 & A1 & B1 & N1 & I1 & T1 & Top1 & Ca1).
      assert (Z0 : total (S c) = 0) by (unfold total; rewrite T1, Top1; lia). rewrite Z0. cbn [pw]. rewrite Z.mod_1_r, Z.div_1_r.
      split; [exists 0; lia |]. split; [lia |]. split; [exact P1 |]. split; [intros _; unfold begins; repeat split; assumption |]. split; [lia | intros; lia].
    - destruct (IHi ltac:(lia)) as ((Q & HQ & E) & B & _ & now & _ & before). destruct (now ltac:(lia)) as (B0 & rb0). fold (at_row i) in *.
      destruct (reduced (at_row i) i ltac:(lia) B0 ltac:(lia)) as (q & Hq & E1 & A1 & N1 & B1 & Ca1 & P1 & I1 & D1 & next & quiet').
      replace (S (at_row i + m) + m)%nat with s in * by (unfold s, at_row; lia).
      assert (X : exists Q', 0 <= Q' < pw r (S i) /\ pw r (S i) * total s = a * (b mod pw r (S i)) + n * Q').
      { exists (Q + pw r i * q). rewrite low_words by lia. rewrite rb0 in E1. cbn [pw]. pose proof (pw_pos r i ltac:(lia)). split; [nia |].
        replace (r * pw r i * total s) with (pw r i * (r * total s)) by ring. rewrite E1. set (z := (b / pw r i) mod r) in *.
        replace (pw r i * (total (at_row i) + a * z + n * q)) with (pw r i * total (at_row i) + pw r i * (a * z + n * q)) by ring. rewrite E. ring. }
      split; [exact X |]. destruct X as (Q' & HQ' & E'). split; [exact (bound _ _ _ HQ' E') |]. split; [exact P1 |]. split; [| split].
      + intros L'. destruct (Z.eqb_spec (Z.of_nat i) (k - 1)); [lia |]. destruct next as (C2 & R2 & V2). split; [unfold begins; repeat split; assumption |].
        rewrite B1, rb0. pose proof (pw_pos r i ltac:(lia)). cbn [pw]. rewrite Z.div_div, (Z.mul_comm r) by lia. reflexivity.
      + intros Ei. destruct (Z.eqb_spec (Z.of_nat i) (k - 1)); [exact next | lia].
      + intros x Hx. destruct (Nat.lt_ge_cases x (at_row i)) as [G | G]; [apply before; lia | apply quiet'; lia].
  Qed.

  Lemma response : let d := (m * (2 * m + 1) + 1)%nat in P (c + d)%nat = 1 /\ valid (c + d)%nat = 1 /\ (forall x, (c < x < c + d)%nat -> P x = 1 /\ valid x = 0) /\
    0 <= net "p_o" (c + d)%nat < 2 * n /\ (net "p_o" (c + d)%nat * 2 ^ (k * V)) mod n = (a * b) mod n.
  Proof.
    intros d. destruct (rows m (le_n m)) as ((Q & HQ & E) & B & P1 & _ & V1 & before). replace (at_row m) with (c + d)%nat in * by (unfold at_row, d; lia).
    destruct small as (Nn & An & Bn & fits). destruct sizes as (Em & m2 & r1 & R' & _ & _ & _ & R4 & W1 & _). fold R in HQ, E. rewrite (Z.mod_small b) in E by lia.
    destruct (registers (c + d)) as (Rt & Rtop & _).
    assert (L : total (c + d) < 2 * n).
    { apply (Z.mul_lt_mono_pos_l R); [lia |]. assert (a * b <= (2 * n - 1) * (2 * n)) by (apply Z.mul_le_mono_nonneg; lia). assert (n * Q < n * R) by (apply Z.mul_lt_mono_pos_l; lia).
      assert (4 * n * n <= R * n) by (apply Z.mul_le_mono_nonneg_r; lia). lia. }
    assert (T0 : top (c + d)%nat = 0) by (assert (top (c + d)%nat = 0 \/ top (c + d)%nat = 1) as [X | X] by (clear - Rtop; lia); [exact X | unfold total in L; rewrite X in L; lia]). assert (T : net "p_o" (c + d)%nat = total (c + d)).
    { rewrite H_answer. unfold total in *. rewrite T0 in *. rewrite Z.mod_small by lia. lia. }
    split; [exact P1 |]. split; [apply V1; reflexivity |]. split; [exact before |]. rewrite T. split; [unfold total in *; rewrite T0 in *; lia |].
    rewrite <- R'. rewrite Z.mul_comm, E, (Z.mul_comm n). apply Z_mod_plus_full.
  Qed.
  End Request.

  Theorem contract : multiplier net (net "a_i") (net "b_i") (net "n_i") (net "p_o") (Z.to_nat (k * (2 * k + 1) + 1)) (Z.to_nat (k * (2 * k + 1) + 1)) (2 ^ (k * V))
    (fun c => net "n_i" c mod 2 = 1 /\ (net "n_i" c * net "n0_prime_i" c + 1) mod 2 ^ V = 0) (fun n x => 0 <= x < 2 * n) (fun n p => 0 <= p < 2 * n).
  Proof.
    destruct sizes as (Em & _). assert (Ed : Z.to_nat (k * (2 * k + 1) + 1) = (m * (2 * m + 1) + 1)%nat) by lia. rewrite Ed.
    set (phase := fun u => if P u =? 0 then 0 else if P u =? 1 then 1 + valid u else 3).
    assert (flag : forall u, 0 <= valid u < 2 ^ 1) by (intros u; in_range H_ranges u).
    assert (done : forall u, phase u = 2 <-> P u = 1 /\ valid u = 1).
    { intros u. unfold phase. specialize (flag u). destruct (Z.eqb_spec (P u) 0); [lia |]. destruct (Z.eqb_spec (P u) 1); lia. }
    apply (serves _ _ _ _ _ _ _ _ _ _ _ phase 0 2 (fun _ => True)).
    - intros u. destruct (H_ready u) as [-> ->]. specialize (flag u). unfold phase. destruct (Z.eqb_spec (P u) 0) as [E | E]; [rewrite E; auto |].
      destruct (Z.eqb_spec (P u) 1) as [F | F]; [| auto]. split; [destruct (Z.eqb_spec (1 + valid u) 0); lia |].
      destruct (Z.eqb_spec (1 + valid u) 2); lia.
    - intros c I X [odd inverse] [_ a_range] [_ b_range]. exists (m * (2 * m + 1) + 1)%nat.
      assert (I' : P c = 0). { unfold phase in I. specialize (flag c). destruct (Z.eqb_spec (P c) 0); [assumption |]. destruct (P c =? 1); lia. }
      destruct (response c I' X odd inverse a_range b_range) as (D1 & D2 & B & Rg & M). split; [lia |]. split; [apply done; auto |]. split; [| auto].
      intros u Hu F. apply done in F. destruct (B u Hu). lia.
    - intros u D _ T. apply done in D. destruct D as [D1 D2]. destruct (H_hold u D1 D2 T (rests u)) as (D3 & D4 & D5). split; [apply done; auto |]. split; [auto |].
      rewrite !H_answer, D5. reflexivity.
  Qed.
End Chain.
