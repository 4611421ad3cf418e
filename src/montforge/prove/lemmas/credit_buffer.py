# SPDX-License-Identifier: Apache-2.0
"""The lemmas on mf_credit_buffer: theorem buffered, proofs/CreditBuffer.v."""

from __future__ import annotations

from montforge.prove.lemmas.shared import ready, request, response, taken
from montforge.prove.statement import (
    Expression,
    Lemma,
    Operand,
    clog2,
    either,
    following,
    net,
    part,
    size,
)

place = size("place")
"""The number of a place."""


def credit_buffer(
    width: Expression,
    depth: Expression,
    name: str = "u_buffer",
    in_time: Expression | None = None,
) -> tuple[Lemma, ...]:
    """Return the lemmas on a buffer of ``depth`` results of ``width`` bits.

    Its handshakes, and its result ``p_o``, are those of the top, which accepts requests when
    ``in_time`` holds; always without it.
    """
    now: Operand = 1 if in_time is None else either(in_time, 1, 0)
    owed, waiting, put, take = (
        net(f"{name}.{each}_q", clog2(depth + 1)) for each in ("owed", "waiting", "put", "take")
    )
    comes, results = net(f"{name}.put_i"), net(f"{name}.results_q", depth * width)
    result, shown = net(f"{name}.result_i", width), net("p_o", width)
    goes = response * taken

    def next_place(of: Expression) -> Expression:
        return either(of.eq(depth - 1), 0, of + 1)

    def of_place(vector: Expression) -> Expression:
        return part(vector, place * width, width)

    def if_(truth: Expression, yes: Operand, no: Operand) -> Expression:
        return either(truth.eq(1), yes, no)

    return (
        Lemma(
            "buffer_handshake",
            (),
            (ready.eq(either(owed.eq(depth), 0, now)), response.eq(either(waiting.eq(0), 0, 1))),
        ),
        Lemma(
            "buffer_empty",
            (),
            tuple(each.eq(0) for each in (owed, waiting, put, take)),
            at_reset=True,
        ),
        Lemma(
            "buffer_counts",
            (owed <= depth, waiting + comes <= owed),
            (
                following(owed).eq(owed + request * ready - goes),
                following(waiting).eq(waiting + comes - goes),
            ),
        ),
        Lemma(
            "buffer_places",
            (put < depth, take < depth),
            (
                following(put).eq(if_(comes, next_place(put), put)),
                following(take).eq(if_(goes, next_place(take), take)),
            ),
        ),
        Lemma(
            "buffer_keeps",
            (),
            (
                of_place(following(results)).eq(
                    if_(comes, either(put.eq(place), result, of_place(results)), of_place(results))
                ),
            ),
            each=("place", depth),
        ),
        Lemma(
            "buffer_shows", (take.eq(place),), (shown.eq(of_place(results)),), each=("place", depth)
        ),
    )
