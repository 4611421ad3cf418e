# SPDX-License-Identifier: Apache-2.0
"""What the lemmas on mf_mlm and mf_mlws share: on mf_mclaughlin_core (proofs/Mclaughlin.v)."""

from __future__ import annotations

from montforge.arch.mclaughlin import Mlm, Mlws
from montforge.prove.lemmas.shared import one_of
from montforge.prove.statement import (
    Expression,
    Lemma,
    Operand,
    W,
    clog2,
    either,
    following,
    holds,
    net,
    pow2,
    signed,
    size,
)

IDLE, PRODUCT, SETTLE_PRODUCT, QUOTIENT, SETTLE_QUOTIENT, MULTIPLE, SETTLE_MULTIPLE = range(7)
"""Phases of the core."""

DIGIT, K = size("digit"), size("digits")
"""Bits of a digit, and digits."""
LENGTH = K * DIGIT
P, TOP, RADIX = pow2(LENGTH), pow2((K - 1) * DIGIT), pow2(DIGIT)
"""2^Length, the place of the highest digit, 2^Digit."""

core, done = net("u_core.phase_q", 3), net("u_core.done_q")
count = net("u_core.count_q", clog2(K))
multiplier, multiplicand, n, n_prime, m = (
    net(f"u_core.{name}", LENGTH)
    for name in ("multiplier_q", "multiplicand_q", "n_q", "n_prime_q", "m")
)
r, r_d, r_sum = (
    net("u_core.r_q", LENGTH + 1),
    net("u_core.r_d", LENGTH + 1),
    net("u_core.r_sum", LENGTH + 2),
)
h, h_d, h_sum = (
    net("u_core.h_q", LENGTH + 2),
    net("u_core.h_d", LENGTH + 2),
    net("u_core.h_sum", LENGTH + 3),
)
product = net("u_core.product", LENGTH + DIGIT)
in_pass = one_of(core, (PRODUCT, QUOTIENT, MULTIPLE))
core_next, count_next = following(core), following(count)
settled = r % P + r // P
h_value, h_total = signed(h), signed(h_sum)
h_shifted, h_product = (
    signed(net(f"u_core.{name}", LENGTH + 3)) for name in ("h_shifted", "h_product")
)


def rests(phase: Expression, run: int, last: int) -> Expression:
    """Return that the core is idle but in phase ``run`` of those up to ``last``."""
    return holds(
        "quiet",
        phase <= last,
        phase.eq(run) | (core.eq(IDLE) & done.eq(0)),
        done.eq(0) | core.eq(IDLE),
    )


def loaded(width: Operand) -> tuple[Expression, ...]:
    """Return that the core begins, with operands of ``width`` bits."""
    return (
        core_next.eq(PRODUCT),
        count_next.eq(0),
        following(done).eq(0),
        following(multiplier).eq(net("a_i", width)),
        following(multiplicand).eq(net("b_i", width)),
        following(n).eq(net("n_i", W)),
        following(n_prime).eq(net("n_prime_i", LENGTH)),
        following(r).eq(0),
        following(h).eq(0),
    )


CORE = (
    Lemma(
        "count",
        (in_pass, count < K - 1),
        (core_next.eq(core), count_next.eq(count + 1), following(done).eq(0)),
    ),
    Lemma(
        "next_phase",
        ((in_pass & count.eq(K - 1)) | one_of(core, (SETTLE_PRODUCT, SETTLE_QUOTIENT)),),
        (core_next.eq(core + 1), count_next.eq(0), following(done).eq(0)),
    ),
    Lemma("ends", (core.eq(SETTLE_MULTIPLE),), (core_next.eq(IDLE), following(done).eq(1))),
    Lemma(
        "keep",
        (core > IDLE,),
        (following(n).eq(n), following(n_prime).eq(n_prime)),
    ),
    Lemma("multiplied", (), (product.eq(((multiplier // TOP) % RADIX) * multiplicand),)),
    Lemma(
        "added",
        (),
        (
            r_sum.eq((r % TOP) * RADIX + r // TOP + product % P + product // P),
            r_d.eq(r_sum % P + r_sum // P),
        ),
        "Modulo 2^Length - 1.",
        cut=("u_core.product",),
    ),
    Lemma(
        "shifted",
        (),
        (h_shifted.eq((h_value % TOP) * RADIX - h_value // TOP),),
        "Modulo 2^Length + 1.",
    ),
    Lemma(
        "product_there",
        (),
        (h_product.eq(product % P - product // P),),
        cut=("u_core.product",),
    ),
    Lemma(
        "combined",
        (h_shifted < 2 * P, h_shifted + 2 * P > 0, h_product < P, h_product + P > 0),
        (h_total.eq(either(core.eq(PRODUCT), h_shifted - h_product, h_shifted + h_product)),),
        "The product is subtracted in the first pass.",
        cut=("u_core.h_shifted", "u_core.h_product"),
    ),
    Lemma(
        "folded",
        (),
        (signed(h_d).eq(h_total % P - h_total // P),),
        cut=("u_core.h_sum",),
    ),
    Lemma(
        "passes",
        (in_pass,),
        (
            following(multiplier).eq((multiplier * RADIX) % P),
            following(multiplicand).eq(multiplicand),
            following(r).eq(either(core.eq(MULTIPLE), r, r_d)),
            following(h).eq(either(core.eq(QUOTIENT), h, h_d)),
        ),
        cut=("u_core.r_d", "u_core.h_d"),
    ),
    Lemma(
        "reduced",
        (r < P + 3,),
        (m.eq(either(settled.eq(P - 1), 0, settled)),),
        "Below 2^Length - 1.",
    ),
    Lemma(
        "settles",
        (one_of(core, (SETTLE_PRODUCT, SETTLE_QUOTIENT)),),
        (
            following(multiplier).eq(m),
            following(multiplicand).eq(either(core.eq(SETTLE_PRODUCT), n_prime, n)),
            following(r).eq(either(core.eq(SETTLE_PRODUCT), 0, m)),
            following(h).eq(h),
        ),
        cut=("u_core.m",),
    ),
    Lemma(
        "below_h",
        (core.eq(SETTLE_MULTIPLE),),
        (
            signed(following(h)).eq(
                either(
                    h_value < 0,
                    h_value + P + 1,
                    either(h_value < P + 1, h_value, h_value - P - 1),
                )
            ),
        ),
    ),
)
"""The lemmas on the core in an operation, in the order of the theorem."""


def sizes(design: Mlm | Mlws) -> dict[str, int]:
    """Return the number of digits."""
    return {"digits": design.contract.r.bit_length() // design.digit}
