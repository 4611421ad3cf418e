# SPDX-License-Identifier: Apache-2.0
"""The lemmas on mf_eberle_par with lazy reduction from which proofs/eberle.v follows."""

from __future__ import annotations

from montforge.arch.eberle import Eberle
from montforge.prove.lemmas.shared import ready, request, response, taken
from montforge.prove.statement import (
    Expression,
    Lemma,
    W,
    clog2,
    either,
    following,
    holds,
    later,
    net,
    pow2,
    size,
)

IDLE, RUN = range(2)
MULTIPLY, QUOTIENT, REDUCE = range(1, 4)
"""Phases of the core."""

K, BITS = size("k"), size("digit_bits")
"""Digits, and bits of a digit."""
R, TOP = pow2(BITS), pow2((K - 1) * BITS)
"""The radix, and the place of the highest digit."""

phase, core = net("phase_q", 2), net("u_core.phase_q", 2)
digit, row = net("u_core.digit_q", clog2(K)), net("u_core.row_q", clog2(K))
valid = net("u_core.valid_q")
a, b, n, n0_prime = (
    net("a_q", K * BITS),
    net("b_q", K * BITS),
    net("n_q", K * BITS),
    net("n0_prime_q", BITS),
)
t, top = net("u_core.t_q", K * BITS), net("u_core.t_top_q")
quotient, carry = net("u_core.quotient_q", BITS), net("u_core.carry_q", BITS)
high_held, high = net("u_core.high_q", BITS + 1), net("u_core.high", BITS + 1)
x, y, addend = net("u_core.x", BITS), net("u_core.y", BITS), net("u_core.addend", BITS)
value, low = net("u_core.value", 2 * BITS), net("u_core.low", BITS)
last = digit.eq(K - 1)
calm = core.eq(IDLE) & digit.eq(0) & row.eq(0)
quiet = holds("quiet", phase <= RUN, phase.eq(RUN) | calm, valid.eq(0) | calm)
core_next, digit_next, row_next = following(core), following(digit), following(row)
VALUE = ("u_core.value",)


def _turned(of: Expression) -> Expression:
    """Return a register after it was turned by a digit."""
    return of // R + TOP * (of % R)


LEMMAS = (
    Lemma(
        "ready",
        (),
        (ready.eq(either(phase.eq(IDLE), 1, 0)), response.eq(either(phase.eq(RUN), valid, 0))),
    ),
    Lemma("quiet_at_reset", (), (phase.eq(IDLE), quiet), at_reset=True),
    Lemma("quiet_on", (quiet,), (later(quiet),), "The core rests while no operation is under way."),
    Lemma(
        "accept",
        (phase.eq(IDLE), request.eq(1), quiet),
        (
            following(phase).eq(RUN),
            core_next.eq(MULTIPLY),
            digit_next.eq(0),
            row_next.eq(0),
            following(valid).eq(0),
            following(a).eq(net("a_i", W + 1)),
            following(b).eq(net("b_i", W + 1)),
            following(n).eq(net("n_i", W)),
            following(n0_prime).eq(net("n0_prime_i", BITS)),
            following(t).eq(0),
            following(top).eq(0),
            following(carry).eq(0),
        ),
    ),
    Lemma(
        "runs",
        (phase.eq(RUN), valid.eq(0)),
        (following(phase).eq(RUN), following(n0_prime).eq(n0_prime)),
    ),
    Lemma(
        "count",
        (core.eq(MULTIPLY) | core.eq(REDUCE), digit < K - 1, valid.eq(0)),
        (
            core_next.eq(core),
            digit_next.eq(digit + 1),
            row_next.eq(row),
            following(valid).eq(0),
        ),
    ),
    Lemma(
        "next_phase",
        (core.eq(QUOTIENT) | (core.eq(MULTIPLY) & last), valid.eq(0)),
        (core_next.eq(core + 1), digit_next.eq(0), row_next.eq(row), following(valid).eq(0)),
    ),
    Lemma(
        "next_row",
        (core.eq(REDUCE), last, row < K),
        (
            core_next.eq(either(row.eq(K - 1), IDLE, MULTIPLY)),
            digit_next.eq(0),
            row_next.eq(either(row.eq(K - 1), 0, row + 1)),
            following(valid).eq(either(row.eq(K - 1), 1, 0)),
        ),
    ),
    Lemma(
        "added",
        (),
        (value.eq((x * y + addend + carry) % pow2(2 * BITS)), low.eq(value % R)),
        "The unit that multiplies and accumulates.",
        cut=("u_core.x", "u_core.y", "u_core.addend"),
    ),
    Lemma(
        "carried",
        (either(core.eq(REDUCE), high_held, top) < R,),
        (high.eq(either(core.eq(REDUCE), high_held, top) + value // R),),
        cut=VALUE,
    ),
    Lemma(
        "factors",
        (core >= MULTIPLY,),
        (
            x.eq(either(core.eq(MULTIPLY), a % R, either(core.eq(REDUCE), n % R, t % R))),
            y.eq(either(core.eq(MULTIPLY), b % R, either(core.eq(REDUCE), quotient, n0_prime))),
            addend.eq(
                either(
                    core.eq(QUOTIENT),
                    0,
                    either(core.eq(MULTIPLY), t % R, either(digit.eq(0), t % R, (t // R) % R)),
                )
            ),
        ),
    ),
    Lemma(
        "multiplies",
        (phase.eq(RUN), core.eq(MULTIPLY)),
        (
            following(a).eq(_turned(a)),
            following(b).eq(either(last, b // R, b)),
            following(n).eq(n),
            following(t).eq(t // R + TOP * low),
            following(top).eq(top),
            following(carry).eq(either(last, 0, value // R)),
            following(high_held).eq(either(last, high, high_held)),
        ),
        cut=(*VALUE, "u_core.high"),
    ),
    Lemma(
        "divides",
        (phase.eq(RUN), core.eq(QUOTIENT)),
        (
            following(a).eq(a),
            following(b).eq(b),
            following(n).eq(n),
            following(t).eq(t),
            following(top).eq(top),
            following(carry).eq(0),
            following(high_held).eq(high_held),
            following(quotient).eq(low),
        ),
        cut=VALUE,
    ),
    Lemma(
        "reduces",
        (phase.eq(RUN), core.eq(REDUCE)),
        (
            following(a).eq(a),
            following(b).eq(b),
            following(n).eq(_turned(n)),
            following(quotient).eq(quotient),
            following(carry).eq(either(last, 0, value // R)),
            following(high_held).eq(high_held),
        ),
        cut=VALUE,
    ),
    Lemma(
        "moves_down",
        (phase.eq(RUN), core.eq(REDUCE), digit < K - 1),
        (following(t).eq(either(digit.eq(0), t, t // R + TOP * low)),),
        "The digit that becomes 0 stays until the second one is done.",
        cut=VALUE,
    ),
    Lemma(
        "last_move",
        (phase.eq(RUN), core.eq(REDUCE), last),
        (
            (following(t) + pow2(K * BITS) * following(top)).eq(
                t // pow2(2 * BITS) + pow2((K - 2) * BITS) * low + TOP * high
            ),
        ),
        cut=(*VALUE, "u_core.high"),
    ),
    Lemma(
        "hold",
        (phase.eq(RUN), valid.eq(1), taken.eq(0), quiet),
        (following(phase).eq(RUN), following(valid).eq(1), following(t).eq(t)),
    ),
    Lemma("answer", (), (net("p_o", W + 1).eq(t % pow2(W + 1)),)),
)


def sizes(design: Eberle) -> dict[str, int]:
    """Return the bits of a digit, which are those of its constant."""
    return {"digit_bits": design.contract.field("n0_prime").encoding.width}
