# SPDX-License-Identifier: Apache-2.0
"""The lemmas on mf_booth_csa from which proofs/booth_csa.v follows."""

from __future__ import annotations

from montforge.arch.booth_csa import BINARY_RADIX, NONNEGATIVE, BoothCsa
from montforge.prove.lemmas.booth import Terms, Tree, multiple, row
from montforge.prove.lemmas.shared import handshake, request, taken
from montforge.prove.statement import (
    Expression,
    Lemma,
    W,
    clog2,
    either,
    following,
    net,
    part,
    pow2,
    signed,
    size,
)

IDLE, LOOP, TAIL, FINISH, DONE = range(5)
D = size("digit")
"""Bits of a digit."""
TAIL_CYCLES, FLUSH = 7, 1
ITERATIONS = (W + 2 + D - 1) // D
STATE, OPERAND = W + D + 3, W + 3
RADIX = pow2(D)

phase, next_phase = net("u_core.phase_q", 3), following(net("u_core.phase_q", 3))
left = net("u_core.left_q", clog2(ITERATIONS + TAIL_CYCLES + FLUSH))
next_left = following(left)
a, b, n = net("u_core.a_q", 2 * OPERAND), net("u_core.b_q", 2 * OPERAND), net("u_core.n_q", W)
s, c = net("u_core.s_q", STATE), net("u_core.c_q", STATE)
digit = net("u_core.digit", D)
carry, transfer = net("u_core.carry_q"), net("u_core.transfer_q")
next_carry, next_transfer = following(carry), following(transfer)
pending = net("u_core.pending")
shift, hold, word = net("u_core.shift_q"), net("u_core.hold_q"), net("u_core.word_q")
_Q = "u_core.gen_quotient.u_quotient"
inverse, product, b_low = (net(f"{_Q}.{name}", D) for name in ("n_inverse_q", "product_q", "b_q"))
operands = {name: (net(f"{name}_s_i", OPERAND), net(f"{name}_c_i", W + 1)) for name in "ab"}
fold = net("u_core.u_accumulator.fold", 2)
flush_sum = net("u_core.gen_flush.sum", OPERAND)
flush_carry = net("u_core.gen_flush.row_carry", OPERAND)
LATENESS = 5
"""Delay by which a quotient digit is late for the tree, in XOR gates."""
HALF = STATE - 2 - D  # bits of a vector below its two topmost, without the lowest digit


def lemmas(terms: int) -> tuple[Lemma, ...]:
    """Return the lemmas on designs whose digits have so many Booth terms, 1 or 2."""
    d = Terms(net("u_core.d_q", 3 * terms), terms)
    next_d = Terms(following(d.of), terms)
    q = Terms(net("u_core.q", 3 * terms), terms)
    tree = Tree("u_core.u_accumulator.u_tree", STATE, 2 + 3 * terms, terms, LATENESS)
    loading = (phase.eq(IDLE), next_phase.eq(LOOP))
    looping = (phase.eq(LOOP), next_phase.eq(LOOP))
    a_s, a_c = operands["a"]
    b_s, b_c = operands["b"]

    def recoded(x: Expression, y: Expression) -> tuple[Expression, ...]:
        return (
            (RADIX * following(carry) + digit).eq(x % RADIX + y % RADIX + carry),
            next_d.digit.eq(digit + transfer - RADIX * following(transfer)),
            next_d.digit >= 0 - RADIX // 2,
            next_d.digit <= RADIX // 2,
            *next_d.legal,
        )

    vectors = [signed(part(b, at, OPERAND)) for at in (0, OPERAND)]
    multiples = [
        multiple(tree.vector(2 + 2 * term + number), d, term, x, STATE)
        for term in range(terms)
        for number, x in enumerate(vectors)
    ] + [multiple(tree.vector(2 + 2 * terms + term), q, term, n, STATE) for term in range(terms)]
    ones = [d.negative(i // 2) for i in range(2 * terms)] + [q.negative(i) for i in range(terms)]
    low = part(s, 0, D) + part(c, 0, D)
    return (
        handshake(phase, done=DONE),
        Lemma(
            "accept",
            (phase.eq(IDLE), request.eq(1)),
            (
                next_phase.eq(LOOP),
                next_left.eq(ITERATIONS - 1),
                following(n).eq(net("n_i", W)),
                part(following(b), 0, OPERAND).eq(b_s),
                part(following(b), OPERAND, OPERAND).eq(b_c),
                signed(part(following(a), 0, OPERAND)).eq(signed(a_s) // RADIX),
                signed(part(following(a), OPERAND, OPERAND)).eq(a_c // RADIX),
            ),
        ),
        Lemma(
            "loop",
            looping,
            (
                following(n).eq(n),
                following(b).eq(b),
                signed(part(following(a), 0, OPERAND)).eq(signed(part(a, 0, OPERAND)) // RADIX),
                signed(part(following(a), OPERAND, OPERAND)).eq(
                    signed(part(a, OPERAND, OPERAND)) // RADIX
                ),
                following(shift).eq(1),
                following(hold).eq(0),
                following(word).eq(0),
            ),
        ),
        Lemma("first_digit", loading, recoded(a_s, a_c), "The first digit comes from the port."),
        Lemma("next_digit", looping, recoded(part(a, 0, OPERAND), part(a, OPERAND, OPERAND))),
        Lemma("no_digit", (next_phase.eq(IDLE),), (next_carry.eq(0), next_transfer.eq(0))),
        Lemma("at_reset", (), (phase.eq(IDLE), carry.eq(0), transfer.eq(0)), at_reset=True),
        Lemma(
            "inverse",
            (phase.eq(IDLE), (net("n_i", W) % 2).eq(1)),
            (((following(inverse) * net("n_i", W) + 1) % RADIX).eq(0),),
        ),
        Lemma(
            "first_product",
            loading,
            (
                ((following(b_low) - b_s - b_c) % RADIX).eq(0),
                ((following(product) - (digit + transfer) * (b_s + b_c)) % RADIX).eq(0),
            ),
            "A digit of A times B, modulo the radix, is there a cycle before its iteration.",
            cut=("u_core.digit",),
        ),
        Lemma(
            "next_product",
            looping,
            (
                following(inverse).eq(inverse),
                following(b_low).eq(b_low),
                ((following(product) - (digit + transfer) * b_low) % RADIX).eq(0),
            ),
            cut=("u_core.digit",),
        ),
        Lemma(
            "quotient",
            (),
            (
                (
                    (q.digit - (part(s, D, D) + part(c, D, D) + pending + product) * inverse)
                    % RADIX
                ).eq(0),
                q.digit >= 0 - RADIX // 2,
                q.digit <= RADIX // 2,
                *q.legal,
            ),
        ),
        Lemma(
            "pending_carry",
            (),
            (
                (low % RADIX > 0) | (RADIX * pending).eq(low),
                ((low + 1) % RADIX > 0) | (RADIX * pending).eq(low + 1),
            ),
            "The carry of the digit that is dropped, if that is 0 with a carry from below or none.",
        ),
        Lemma(
            "clear",
            (phase.eq(IDLE),),
            (
                part(following(s), 0, D).eq(0),
                part(following(c), 0, D).eq(0),
                part(following(s), D, D).eq(0),
                part(following(c), D, D).eq(0),
                following(shift).eq(0),
                following(hold).eq(0),
                following(word).eq(0),
            ),
        ),
        Lemma(
            "no_pair",
            (shift.eq(0), hold.eq(0), word.eq(0)),
            (tree.vector(0).eq(0), tree.vector(1).eq(0)),
        ),
        Lemma(
            "fold",
            (),
            (((part(s, STATE - 2, 2) + part(c, STATE - 2, 2) - fold) % 4).eq(0),),
        ),
        Lemma(
            "pair",
            (shift.eq(1), hold.eq(0), word.eq(0)),
            (
                tree.vector(0).eq(
                    (either(fold < 2, fold, fold - 4) * pow2(HALF) + part(s, D, HALF)) % pow2(STATE)
                ),
                tree.vector(1).eq(part(c, D, HALF)),
            ),
            "The fold brings all signs into one vector, so that the pair can be shifted.",
            cut=("u_core.u_accumulator.fold",),
        ),
        Lemma("multiples", (), tuple(multiples), cut=("u_core.q",)),
        Lemma("rows", (), tree.statements(ones)),
        Lemma(
            "accumulate",
            (phase.eq(LOOP),),
            (following(s).eq(tree.sum_), following(c).eq(tree.carry)),
        ),
        Lemma(
            "flush_row",
            (),
            row(
                (part(s, D, OPERAND), part(c, D, OPERAND), size("nonnegative") * n),
                flush_sum,
                flush_carry,
                OPERAND,
                0,
            ),
        ),
        Lemma(
            "flush",
            (phase.eq(FINISH),),
            (
                part(following(a), 0, W + 1).eq(part(flush_sum, 0, W + 1)),
                (
                    (
                        part(following(a), W + 1, 2)
                        - part(flush_sum, W + 1, 2)
                        - part(flush_carry, W + 1, 2)
                    )
                    % 4
                ).eq(0),
                part(following(a), OPERAND, W + 1).eq(part(flush_carry, 0, W + 1) + pending),
            ),
        ),
        Lemma("count", (phase.eq(LOOP), left > 0), (next_phase.eq(LOOP), next_left.eq(left - 1))),
        Lemma(
            "count_end",
            (phase.eq(LOOP), left.eq(0)),
            (next_phase.eq(FINISH), next_left.eq(FLUSH - 1), following(n).eq(n)),
        ),
        Lemma("finish", (phase.eq(FINISH), left.eq(0)), (next_phase.eq(DONE),)),
        Lemma("wait", (phase.eq(DONE), taken.eq(0)), (next_phase.eq(DONE), following(a).eq(a))),
        Lemma(
            "answer",
            (),
            (
                net("p_s_o", OPERAND).eq(part(a, 0, OPERAND)),
                net("p_c_o", W + 1).eq(part(a, OPERAND, W + 1)),
            ),
        ),
    )


LEMMAS = lemmas(1)
_WIDER = lemmas(2)


def lemmas_on(design: BoothCsa) -> tuple[Lemma, ...] | None:
    """Return the lemmas on a design; None if there are none with its parameters."""
    if design.pipeline or design.radix == BINARY_RADIX:
        return None
    return LEMMAS if design.radix == 4 else _WIDER


def missing_parts(design: BoothCsa) -> str:
    """Return what a design without lemmas lacks."""
    if design.pipeline:
        return "the theorem on late quotient digits and the tail of pipeline = 1, and its lemmas"
    return f"lemmas on the binary operands of radix = {design.radix}, and on their conversion"


def sizes(design: BoothCsa) -> dict[str, int]:
    """Return the parameters that lemmas may hang on beside the width."""
    return {
        "digit": design.radix.bit_length() - 1,
        "nonnegative": int(design.result == NONNEGATIVE),
    }
