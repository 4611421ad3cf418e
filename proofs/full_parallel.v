(* SPDX-License-Identifier: Apache-2.0 *)
(* mf_full_parallel from the nets of the RTL to the contract, for every width. The hypotheses are the lemmas that montforge prints into
   full_parallel_lemmas.v, and proves on the RTL. *)
From Coq Require Import ZArith Lia String.
Require Import DigitRecurrence Instances Contract Control full_parallel_lemmas.
Open Scope string_scope. Open Scope Z_scope.
Set Default Proof Using "All".

Section Chain.
  Variables (K : nat) (net : trace).
  Let W := Z.of_nat K.
  Hypotheses (wide : (1 <= K)%nat) (H_ranges : ranges W net) (H_ready : ready W net) (H_accept : accept W net) (H_product : product W net)
    (H_quotient : quotient W net) (H_multiple : multiple W net) (H_halves : halves_added W net) (H_reduce : reduce W net) (H_hold : hold W net)
    (H_answer : answer W net).

  Lemma computed : forall c, net "state_q" c = 0 -> net "req_valid_i" c = 1 -> let n := net "n_i" c in
    n mod 2 = 1 -> (n * net "n_prime_i" c + 1) mod 2 ^ W = 0 -> 0 <= net "a_i" c < n -> 0 <= net "b_i" c < n ->
    net "state_q" (S c) = 1 /\ net "state_q" (S (S c)) = 2 /\ 0 <= net "p_o" (S (S c)) < n /\
    (net "p_o" (S (S c)) * 2 ^ W) mod n = (net "a_i" c * net "b_i" c) mod n.
  Proof.
    intros c I V n odd inverse A B. destruct (H_accept c I V) as (E1 & E2 & E3 & E4 & E5).
    assert (N : 0 <= n < 2 ^ W) by in_range H_ranges c. pose proof (odd_positive n ltac:(lia) odd) as N0.
    pose proof (H_product (S c)) as T. pose proof (H_quotient (S c)) as Q. pose proof (H_multiple (S c)) as U. pose proof (H_halves (S c)) as X.
    rewrite E2, E3 in T. rewrite E5 in Q. rewrite E4 in U. fold n in U.
    rewrite <- Z.mul_mod_idemp_l in Q by lia. rewrite T in Q, X. rewrite U, Q in X.
    destruct (full_word n (net "n_prime_i" c) (2 ^ W) _ _ ltac:(lia) A B inverse) as [R M]. rewrite <- X in R, M.
    destruct (H_reduce (S c) E1 ltac:(rewrite E4; apply R)) as [D P]. rewrite E4 in P. fold n in P. rewrite H_answer, P.
    split; [exact E1 |]. split; [exact D |]. apply montgomery_mod in M. destruct (Z.ltb_spec (net "sum" (S c)) n) as [L | L].
    - split; [lia | exact M].
    - split; [lia |]. rewrite <- M. replace ((net "sum" (S c) - n) * 2 ^ W) with (net "sum" (S c) * 2 ^ W + (- 2 ^ W) * n) by ring. apply Z_mod_plus_full.
  Qed.

  Theorem contract : multiplier net (net "a_i") (net "b_i") (net "n_i") (net "p_o") 2 2 (2 ^ W)
    (fun c => net "n_i" c mod 2 = 1 /\ (net "n_i" c * net "n_prime_i" c + 1) mod 2 ^ W = 0) (fun n x => 0 <= x < n) (fun n p => 0 <= p < n).
  Proof.
    apply (serves _ _ _ _ _ _ _ _ _ _ _ (net "state_q") 0 2 (fun _ => True)); [exact H_ready | |].
    - intros c I V [odd inverse] A B. destruct (computed c I V odd inverse A B) as (S1 & S2 & P & M). exists 2%nat.
      replace (c + 2)%nat with (S (S c)) by lia. split; [lia |]. split; [exact S2 |]. split; [| auto].
      intros t L. replace t with (S c) by lia. lia.
    - intros t D _ T. destruct (H_hold t D T) as [D' P']. rewrite !H_answer, P'. auto.
  Qed.
End Chain.
