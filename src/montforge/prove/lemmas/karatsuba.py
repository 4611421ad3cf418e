# SPDX-License-Identifier: Apache-2.0
"""The lemmas on mf_karatsuba with two levels from which proofs/karatsuba.v follows."""

from __future__ import annotations

from collections.abc import Iterator

from montforge.arch.full_word import Karatsuba
from montforge.prove.lemmas.passes import RESULT, X, Y, passes
from montforge.prove.statement import Expression, Lemma, W, following, net, pow2

LEVELS = 2
FEWEST_SPLIT = 4
"""Operands of fewer bits are not split."""
PARTS = ("low", "high", "middle")
TOP = "u_multiplier"


def _parts(width: Expression) -> tuple[Expression, ...]:
    """Return the bits of the operands of a multiplier's parts."""
    low = (width + 1) // 2
    return low, width - low, low + 1


def _ends(name: str, width: Expression) -> tuple[Expression, ...]:
    """Return the operands of a multiplier, and its product."""
    if name == TOP:
        return X, Y, RESULT
    return net(f"{name}.x_i", width), net(f"{name}.y_i", width), net(f"{name}.product_o", 2 * width)


def _inner(name: str) -> Iterator[str]:
    yield from (f"{name}.gen_split.u_{part}" for part in PARTS)


def _split(name: str, width: Expression) -> tuple[Expression, ...]:
    """Return the statements on a multiplier that is split: operands of its parts, and its sum."""
    low, _, _ = bits = _parts(width)
    x, y, product = _ends(name, width)
    ends = [_ends(each, of) for each, of in zip(_inner(name), bits, strict=True)]
    (x0, y0, p0), (x1, y1, p1), (x2, y2, p2) = ends
    middle = net(f"{name}.gen_split.middle", 2 * low + 2)
    halves = [
        statement
        for whole, of_low, of_high, of_middle in ((x, x0, x1, x2), (y, y0, y1, y2))
        for statement in (
            following(of_low).eq(whole % pow2(low)),
            following(of_high).eq(whole // pow2(low)),
            following(of_middle).eq(whole % pow2(low) + whole // pow2(low)),
        )
    ]
    return (
        *halves,
        middle.eq((p2 - p1 - p0) % pow2(2 * low + 2)),
        following(product).eq((p0 + pow2(2 * low) * p1 + pow2(low) * middle) % pow2(2 * width)),
    )


def _leaf(name: str, width: Expression) -> Expression:
    """Return the statement on a multiplier that is not split."""
    x, y, product = _ends(name, width)
    return following(product).eq(x * y)


def _lemmas() -> Iterator[Lemma]:
    yield Lemma("halves_of", (), _split(TOP, W), "Two halves of each operand, and their sum.")
    for part, name, width in zip(PARTS, _inner(TOP), _parts(W), strict=True):
        yield Lemma(f"halves_of_{part}", (), _split(name, width))
        leaves = zip(_inner(name), _parts(width), strict=True)
        yield Lemma(f"leaves_of_{part}", (), tuple(_leaf(*each) for each in leaves))


LEMMAS = (*passes(2 * LEVELS + 1), *_lemmas())


def lacks(design: Karatsuba) -> str:
    """Return for which of its parameters a design has no lemmas, or nothing."""
    if design.levels != LEVELS:
        return f"levels = {design.levels}"
    return "" if design.width // 2 >= FEWEST_SPLIT else "a half of fewer than 4 bits"
