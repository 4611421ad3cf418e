(* SPDX-License-Identifier: Apache-2.0 *)
(* mf_full_pipelined from the nets of the RTL to the contract, for every width. The hypotheses are the lemmas that montforge prints into
   full_pipelined_lemmas.v, and proves on the RTL. *)
From Coq Require Import ZArith Lia String.
Require Import Instances Contract Control Bits Pipelined full_pipelined_lemmas.
Open Scope string_scope. Open Scope Z_scope.
Set Default Proof Using "All".

Section Chain.
  Variables (K : nat) (net : trace).
  Let W := Z.of_nat K.
  Hypotheses (wide : (1 <= K)%nat) (H_ranges : ranges W net) (H_handshake : handshake W net) (H_empty : empty W net) (H_enters : enters W net)
    (H_moves : moves W net) (H_stays : stays W net) (H_accept : accept W net) (H_product : product W net) (H_quotient : quotient W net)
    (H_multiple : multiple W net) (H_halves : halves_added W net) (H_reduce : reduce W net) (H_hold : hold W net) (H_answer : answer W net).

  Local Notation word x at_ := (part x (at_ * W) W).
  Let R := 2 ^ W.

  (* what a stage has of the operation of the request in cycle c *)
  Definition has (c stage t : nat) : Prop :=
    let n := net "n_i" c in let T := net "a_i" c * net "b_i" c in let q := (T mod R * net "n_prime_i" c) mod R in
    (n mod 2 = 1 /\ (n * net "n_prime_i" c + 1) mod R = 0 /\ 0 <= net "a_i" c < n /\ 0 <= net "b_i" c < n) /\
    match stage with
    | 0%nat => net "a_q" t = net "a_i" c /\ net "b_q" t = net "b_i" c /\ word (net "n_q" t) 0 = n /\ word (net "n_prime_q" t) 0 = net "n_prime_i" c
    | 1%nat => net "t_q" t = T /\ word (net "n_q" t) 1 = n /\ word (net "n_prime_q" t) 1 = net "n_prime_i" c
    | 2%nat => net "q_q" t = q /\ word (net "t_high_q" t) 0 = T / R /\ part (net "low_not_zero_q" t) 0 1 = (if T mod R =? 0 then 0 else 1) /\
        word (net "n_q" t) 2 = n
    | 3%nat => net "u_high_q" t = q * n / R /\ word (net "t_high_q" t) 1 = T / R /\ part (net "low_not_zero_q" t) 1 1 = (if T mod R =? 0 then 0 else 1) /\
        word (net "n_q" t) 3 = n
    | _ => 0 <= net "p_q" t < n /\ (net "p_q" t * R) mod n = T mod n
    end.

  Lemma moved : forall c t i, (i < 4)%nat -> net "req_ready_o" t = 1 -> has c i t -> has c (S i) (S t).
  Proof.
    intros c t i I Y [L G]. split; [exact L |]. destruct i as [| [| [| [| i]]]]; [| | | | lia]; cbn beta iota zeta in G |- *.
    - destruct G as (<- & <- & <- & <-). apply H_product, Y.
    - destruct G as (<- & <- & <-). rewrite Z.mul_mod_idemp_l by (apply Z.pow_nonzero; lia). apply H_quotient, Y.
    - destruct G as (<- & <- & <- & <-). apply H_multiple, Y.
    - destruct G as (U & T & Z0 & N). destruct L as (odd & inverse & A & B). assert (NR : 0 <= net "n_i" c < 2 ^ W) by in_range H_ranges c.
      pose proof (H_halves t) as X. rewrite U, T, Z0 in X.
      pose proof (full_word (net "n_i" c) (net "n_prime_i" c) R (net "a_i" c) (net "b_i" c) ltac:(unfold R; lia) A B inverse) as [P M]. cbv zeta in P, M.
      rewrite (Z.add_comm (_ / R)) in X. rewrite (Z.add_comm (_ / R)) in P, M. rewrite <- X in P, M. apply montgomery_mod in M.
      pose proof (H_reduce t Y) as Q. rewrite N in Q. rewrite (Q ltac:(lia)). destruct (Z.ltb_spec (net "sum" t) (net "n_i" c)); [split; [lia | exact M] |].
      split; [lia |]. rewrite <- M. replace ((net "sum" t - net "n_i" c) * R) with (net "sum" t * R + (- R) * net "n_i" c) by ring. apply Z_mod_plus_full.
  Qed.

  Theorem contract : pipelined net (net "a_i") (net "b_i") (net "n_i") (net "p_o") 5 5 (2 ^ W)
    (fun c => net "n_i" c mod 2 = 1 /\ (net "n_i" c * net "n_prime_i" c + 1) mod 2 ^ W = 0) (fun n x => 0 <= x < n) (fun n p => 0 <= p < n).
  Proof.
    apply (stages _ _ _ _ _ _ _ _ _ 4%nat has); [intros t; in_range H_ranges t | exact H_handshake | exact H_empty | exact H_enters | exact H_moves | exact H_stays | ..].
    - intros t Y. rewrite !H_answer. apply H_hold, Y.
    - intros c Y [odd inverse] A B. split; [auto |]. apply H_accept, Y.
    - exact moved.
    - intros c t i I Y [L G]. split; [exact L |]. destruct (H_hold t Y) as (E1 & E2 & E3 & E4 & E5 & E6 & E7 & E8 & E9 & E10).
      rewrite E1, E2, E3, E4, E5, E6, E7, E8, E9, E10. exact G.
    - intros c t [_ G]. rewrite H_answer. exact G.
  Qed.
End Chain.
