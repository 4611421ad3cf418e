# SPDX-License-Identifier: Apache-2.0
"""The lemmas on mf_barrett from which proofs/barrett.v follows."""

from __future__ import annotations

from functools import cache

from montforge.arch.barrett import FACTOR_BITS, Barrett
from montforge.prove.lemmas.shared import ready, stages_in_step
from montforge.prove.lemmas.truncated_product import total, truncated_product
from montforge.prove.statement import Expression, Lemma, W, clog2, following, net, part, pow2, size

LEAST, FRACTION = size("least"), size("fraction")
"""The least modulus; mu is 2^FRACTION / n, rounded down."""
OPERAND, FACTOR = W + 1, W + FACTOR_BITS
POINT = W + 7
"""The fraction of q in its product."""
CUT = POINT - 2 - clog2(FACTOR // 2 + 1)
"""Columns of that product that are left out."""

a, b, q, t_low, p = (net(f"{x}_q", OPERAND) for x in ("a", "b", "q", "t_low", "p"))
n, mu, t = net("n_q", 3 * W), net("mu_q", 2 * FACTOR), net("t_q", 2 * OPERAND)
moves, ONES = ready.eq(1), pow2(OPERAND) - 1


def _modulus(at: int) -> Expression:
    """Return the modulus in a stage."""
    return part(n, at * W, W)


def _mu(at: int) -> Expression:
    """Return mu in a stage."""
    return part(mu, at * FACTOR, FACTOR)


def _next(of: Expression) -> Expression:
    """Return a part of a register in the next cycle."""
    whole, *place = of.arguments
    assert isinstance(whole, Expression)
    return Expression(of.operation, (following(whole), *place))


@cache
def _lemmas(rows_t: int, rows_q: int) -> tuple[Lemma, ...]:
    """Return the lemmas on a design with these numbers of rows."""
    product, estimate, multiple = (
        total(f"u_{x}", bits)
        for x, bits in {"t": 2 * OPERAND, "q": POINT + OPERAND - CUT, "p": OPERAND}.items()
    )
    return (
        Lemma(
            "constants",
            (),
            (LEAST.eq(pow2(W - 1) + 1), FRACTION.eq(2 * W + 4)),
            "The least modulus and the fraction of mu are those of the contract.",
        ),
        *stages_in_step(4),
        Lemma(
            "accept",
            (moves,),
            (
                following(a).eq(net("a_i", OPERAND)),
                following(b).eq(net("b_i", OPERAND)),
                _next(_modulus(0)).eq(net("n_i", W)),
                _next(_mu(0)).eq(net("mu_i", FACTOR)),
            ),
        ),
        *truncated_product("t", "u_t", OPERAND, rows_t, a, b, high=2 * OPERAND),
        Lemma(
            "product",
            (moves,),
            (
                following(t).eq(product),
                _next(_modulus(1)).eq(_modulus(0)),
                _next(_mu(1)).eq(_mu(0)),
            ),
        ),
        *truncated_product(
            "q",
            "u_q",
            FACTOR,
            rows_q,
            _mu(1),
            part(t, W - 3, FACTOR),
            low=CUT,
            high=POINT + OPERAND,
        ),
        Lemma(
            "quotient",
            (moves,),
            (
                following(q).eq(part(estimate, POINT - CUT, OPERAND)),
                following(t_low).eq(t % pow2(OPERAND)),
                _next(_modulus(2)).eq(_modulus(1)),
            ),
        ),
        *truncated_product(
            "p", "u_p", OPERAND, rows_t, _modulus(2), q, high=OPERAND, addend=ONES - t_low
        ),
        Lemma("difference", (moves,), (following(p).eq(ONES - multiple),)),
        Lemma(
            "hold", (ready.eq(0),), tuple(following(x).eq(x) for x in (a, b, n, mu, t, q, t_low, p))
        ),
        Lemma("answer", (), (net("p_o", OPERAND).eq(p),)),
    )


def lemmas_on(design: Barrett) -> tuple[Lemma, ...]:
    """Return the lemmas on ``design``."""
    width = design.width
    return _lemmas((width + 1) // 2 + 1, (width + FACTOR_BITS) // 2 + 1)


def sizes(design: Barrett) -> dict[str, int]:
    """Return the least modulus, and the fraction of mu."""
    return {
        "least": design.contract.modulus.minimum,
        "fraction": 2 * design.width + FACTOR_BITS - 1,
    }
