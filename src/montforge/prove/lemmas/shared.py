# SPDX-License-Identifier: Apache-2.0
"""Nets and lemmas that several multipliers share: handshake, registered selects, adders."""

from __future__ import annotations

import operator
from collections.abc import Mapping, Sequence
from functools import reduce

from montforge.arch.fcs_mm import FcsMmm42
from montforge.arch.scs_mm_new import CLOSED as CLOSED_FORM
from montforge.arch.scs_mm_new import ScsMmNew
from montforge.prove.statement import (
    Expression,
    Lemma,
    Operand,
    W,
    either,
    following,
    net,
    part,
    pow2,
    size,
)

request, ready = net("req_valid_i"), net("req_ready_o")
response, taken = net("rsp_valid_o"), net("rsp_ready_i")
CLOSED = size("closed")
"""1 in the form whose results are legal operands, else 0."""


def form(design: FcsMmm42 | ScsMmNew) -> dict[str, int]:
    """Return the size `CLOSED` of a design."""
    return {"closed": int(design.variant == CLOSED_FORM)}


def handshake(phase: Expression, *, idle: int = 0, done: int) -> Lemma:
    """Return the lemma that ready and valid each belong to one value of ``phase``."""
    return Lemma(
        "ready",
        (),
        (
            ready.eq(either(phase.eq(idle), 1, 0)),
            response.eq(either(phase.eq(done), 1, 0)),
        ),
    )


def one_of(of: Expression, values: Sequence[int]) -> Expression:
    """Return that ``of`` is one of ``values``."""
    return reduce(operator.or_, (of.eq(each) for each in values))


def by_phase(phase: Expression, values: Mapping[int, Operand]) -> Operand:
    """Return the value of ``phase``, 0 of those that are not in ``values``."""
    found: Operand = 0
    for each, chosen in values.items():
        found = either(phase.eq(each), chosen, found)
    return found


def stages_in_step(stages: int) -> tuple[Lemma, ...]:
    """Return the lemmas on the control of ``stages`` stages that move unless a response waits."""
    valid, at = net("valid_q", stages), size("i")
    moves, waits = ready.eq(1), ready.eq(0)
    return (
        Lemma(
            "handshake",
            (),
            (ready.eq(either(response.eq(1), taken, 1)), response.eq(part(valid, stages - 1))),
        ),
        Lemma("empty", (), (valid.eq(0),), at_reset=True),
        Lemma("enters", (moves,), (part(following(valid), 0).eq(request),)),
        Lemma(
            "moves",
            (moves,),
            (part(following(valid), at + 1).eq(part(valid, at)),),
            each=("i", Expression("int", (stages - 1,))),
        ),
        Lemma("stays", (waits,), (following(valid).eq(valid),)),
    )


def registered_selects(
    phase: Expression, phases: Mapping[Expression, Sequence[int]]
) -> tuple[Lemma, Lemma]:
    """Return the lemmas that each register in ``phases`` is 1 in these phases, else 0."""

    def selected(by: Expression, values: Sequence[int]) -> Expression | int:
        return either(by.eq(values[0]), 1, selected(by, values[1:])) if values else 0

    shows = [following(each).eq(selected(following(phase), phases[each])) for each in phases]
    reset = [each.eq(int(0 in phases[each])) for each in phases]
    return (
        Lemma("selects", (), tuple(shows), "The selects are registers of the next phase."),
        Lemma("selects_at_reset", (), (phase.eq(0), *reset), at_reset=True),
    )


def operands_taken(width: Expression = W) -> tuple[Expression, ...]:
    """Return that a_q, b_q of ``width`` bits and n_q get the operands."""
    return tuple(
        following(net(f"{name}_q", bits)).eq(net(f"{name}_i", bits))
        for name, bits in {"a": width, "b": width, "n": W}.items()
    )


def counted_loop(phase: Expression, left: Expression, loop: int, after: int) -> tuple[Lemma, Lemma]:
    """Return the lemmas that ``left`` counts down to 0 in phase ``loop``, and ``after`` follows."""
    next_, counted = following(phase), following(left)
    return (
        Lemma("count", (phase.eq(loop), left > 0), (next_.eq(loop), counted.eq(left - 1))),
        Lemma("count_end", (phase.eq(loop), left.eq(0)), (next_.eq(after),)),
    )


def counted_phases(
    phase: Expression, left: Expression, first: int, done: int, reload: Expression
) -> tuple[Lemma, Lemma]:
    """Return the lemmas that ``left`` counts down in each phase from ``first`` to ``done``.

    With 0 the next phase begins, and ``left`` is ``reload``.
    """
    within, next_, counted = (phase >= first, phase < done), following(phase), following(left)
    return (
        Lemma("count", (*within, left > 0), (next_.eq(phase), counted.eq(left - 1))),
        Lemma("next_phase", (*within, left.eq(0)), (next_.eq(phase + 1), counted.eq(reload))),
    )


def two_level_adder(
    s: Expression, c: Expression, bit: Expression, b: Expression, n: Expression
) -> tuple[Lemma, Lemma]:
    """Return the lemmas on the rows of mf_two_level_csa with the vectors ``s`` and ``c``."""
    sum1, carry1 = net("u_csa.sum1", W + 2), net("u_csa.carry1", W + 2)
    sum2, carry2 = net("u_csa.sum_o", W + 2), net("u_csa.carry_o", W + 2)
    return (
        Lemma(
            "row1",
            (s < pow2(W + 1), c < pow2(W + 1)),
            ((sum1 + carry1).eq(s + c + bit * b), sum1 < pow2(W + 1), (carry1 % 2).eq(0)),
            "The first row of full adders, exactly.",
        ),
        Lemma(
            "row2",
            (sum1 < pow2(W + 1), (carry1 % 2).eq(0), (n % 2).eq(1)),
            (
                (sum2 + carry2).eq(sum1 + carry1 + net("u_csa.quotient_digit") * n),
                (sum2 % 2).eq(0),
                (carry2 % 2).eq(0),
            ),
            "The second one; the quotient digit makes both vectors even.",
            cut=("u_csa.sum1", "u_csa.carry1"),
        ),
    )


def word_serial_adder(
    adder: str, select: Expression, word: Expression, bits: Expression, *pair: Expression
) -> tuple[Lemma, Lemma]:
    """Return the lemmas on a mf_word_serial_adder, which adds a pair while ``select`` is 1."""
    carry, (x, y) = net(f"{adder}.carry_q"), pair
    after = following(carry)
    return (
        Lemma("no_carry", (select.eq(0),), (after.eq(0),)),
        Lemma(
            "word_added",
            (select.eq(1),),
            ((word + pow2(bits) * after).eq(x % pow2(bits) + y % pow2(bits) + carry),),
        ),
    )


def one_level_adder(
    width: Expression,
    bit: Expression,
    b: Expression,
    n: Expression,
    d: Expression,
    *pair: Expression,
) -> tuple[Lemma, Lemma, Lemma]:
    """Return the lemmas on the row of ``width`` bits that adds 0, N, B or D = B + N to a pair."""
    s, c = pair
    quotient, x = net("quotient_digit"), net("x", width)
    sum_, carry = net("sum", width), net("carry", width)
    return (
        Lemma(
            "multiple",
            (d.eq(b + n),),
            (x.eq(bit * b + quotient * n),),
            "The multiple that a bit of A and the quotient digit select.",
            cut=("quotient_digit",),
        ),
        Lemma(
            "quotient",
            ((n % 2).eq(1),),
            (((s + c + bit * b + quotient * n) % 2).eq(0),),
            "The quotient digit makes the sum even.",
        ),
        Lemma(
            "row",
            (s < pow2(width - 1),),
            ((sum_ + carry).eq(s + c + x), (carry % 2).eq(0)),
            "The row of full adders, exactly.",
            cut=("x",),
        ),
    )
