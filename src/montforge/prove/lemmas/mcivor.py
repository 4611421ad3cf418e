# SPDX-License-Identifier: Apache-2.0
"""The lemmas on mf_mcivor with a multiplier of three stages from which proofs/mcivor.v follows."""

from __future__ import annotations

from functools import cache

from montforge.arch.full_word import McIvor
from montforge.prove.lemmas.booth import Tree
from montforge.prove.lemmas.shared import handshake, one_of, request, taken
from montforge.prove.statement import Lemma, W, either, following, net, part, pow2, size

IDLE, PRODUCT, QUOTIENT, REDUCE, ADD, SUBTRACT, DONE = range(7)
STAGES = 3

BLOCK, BLOCKS = size("block"), size("blocks")
"""Bits of a block, and blocks of an operand."""
ROW, SUM, R = (BLOCKS + 1) * BLOCK, 2 * (BLOCKS * BLOCK), pow2(W)
"""Bits of a row of products of blocks, bits of the sum of all."""
e = size("e")

phase, count = net("u_passes.phase_q", 3), net("u_passes.count_q", 2)
x_q, y_q, n, n_prime, t_high, p = (
    net(f"u_passes.{name}_q", W) for name in ("x", "y", "n", "n_prime", "t_high", "p")
)
low, total = net("u_passes.low_not_zero_q"), net("u_passes.sum_q", W + 1)
x, y, product = net("x", W), net("y", W), net("product", 2 * W)
products = net("u_multiplier.gen_block_row[0..].products_q", BLOCKS * (2 * ROW))
pair = net("u_multiplier.pair", 2 * SUM)
in_pass = one_of(phase, (PRODUCT, QUOTIENT, REDUCE))
next_phase = following(phase)

_FIXED = (
    handshake(phase, done=DONE),
    Lemma("rest", ((phase < PRODUCT) | (phase > REDUCE),), (following(count).eq(0),)),
    Lemma(
        "accept",
        (phase.eq(IDLE), request.eq(1)),
        (
            next_phase.eq(PRODUCT),
            following(x_q).eq(net("a_i", W)),
            following(y_q).eq(net("b_i", W)),
            following(n).eq(net("n_i", W)),
            following(n_prime).eq(net("n_prime_i", W)),
        ),
    ),
    Lemma(
        "keep",
        (phase > IDLE,),
        tuple(following(each).eq(each) for each in (x_q, y_q, n, n_prime)),
    ),
    Lemma(
        "runs",
        (in_pass, count < STAGES - 1),
        (next_phase.eq(phase), following(count).eq(count + 1)),
    ),
    Lemma(
        "ends",
        (in_pass, count.eq(STAGES - 1)),
        (next_phase.eq(phase + 1), following(count).eq(0)),
    ),
    Lemma("adds", (one_of(phase, (ADD, SUBTRACT)),), (next_phase.eq(phase + 1),)),
    Lemma(
        "operands",
        (),
        (
            x.eq(
                either(phase.eq(QUOTIENT), product % R, either(phase.eq(REDUCE), product % R, x_q))
            ),
            y.eq(either(phase.eq(QUOTIENT), n_prime, either(phase.eq(REDUCE), n, y_q))),
        ),
    ),
    Lemma(
        "halves",
        (),
        (
            following(t_high).eq(either(phase.eq(QUOTIENT), product // R, t_high)),
            following(low).eq(either(phase.eq(QUOTIENT), either((product % R).eq(0), 0, 1), low)),
        ),
        "The low halves of T and U add up to R, or are 0.",
    ),
    Lemma(
        "added",
        (phase.eq(ADD),),
        (following(total).eq(t_high + product // R + low),),
    ),
    Lemma(
        "reduced",
        (phase.eq(SUBTRACT), total < 2 * n),
        (following(p).eq(either(total < n, total, total - n)),),
    ),
    Lemma("hold", (phase.eq(DONE), taken.eq(0)), (next_phase.eq(DONE), following(p).eq(p))),
    Lemma("answer", (), (net("p_o", W).eq(p),)),
    Lemma(
        "block_products",
        (),
        (
            part(
                following(products),
                (2 * (e // BLOCKS) + e % BLOCKS % 2) * ROW + (e % BLOCKS) * BLOCK,
                2 * BLOCK,
            ).eq(
                ((x // pow2((e % BLOCKS) * BLOCK)) % pow2(BLOCK))
                * ((y // pow2((e // BLOCKS) * BLOCK)) % pow2(BLOCK))
            ),
        ),
        "Block j = e mod blocks of x times block e / blocks of y; neighbours are in two rows.",
        cut=("x", "y"),
        each=("e", BLOCKS * BLOCKS),
    ),
    Lemma(
        "ends_of_rows",
        (),
        (
            part(following(products), (2 * e + 1) * ROW, BLOCK).eq(0),
            part(following(products), (2 * e + BLOCKS % 2) * ROW + BLOCKS * BLOCK, BLOCK).eq(0),
        ),
        each=("e", BLOCKS),
    ),
    Lemma(
        "last_stage",
        (),
        (following(product).eq((part(pair, 0, SUM) + part(pair, SUM, SUM)) % pow2(2 * W)),),
        cut=("u_multiplier.pair",),
    ),
)


@cache
def _tree(blocks: int) -> Lemma:
    """Return the lemma on the tree of the rows of ``blocks`` blocks."""
    tree = Tree("u_multiplier.u_tree", SUM, 2 * blocks, ends=("", "u_multiplier.pair_d"))
    rows = [part(products, at * ROW, ROW) * pow2((at // 2) * BLOCK) for at in range(2 * blocks)]
    return Lemma(
        "tree",
        (),
        (
            BLOCKS.eq(blocks),
            following(pair).eq(net("u_multiplier.pair_d", 2 * SUM)),
            *tree.statements([0] * (2 * blocks - 2), rows),
        ),
    )


def sizes(design: McIvor) -> dict[str, int]:
    """Return the number of blocks of an operand."""
    return {"blocks": -(-design.width // design.block)}


def lemmas_on(design: McIvor) -> tuple[Lemma, ...]:
    """Return the lemmas on ``design``."""
    return (*_FIXED, _tree(sizes(design)["blocks"]))


def lacks(design: McIvor) -> str:
    """Return for which of its parameters a design has no lemmas, or nothing."""
    if design.stages != STAGES:
        return f"stages = {design.stages}"
    return "one block" if sizes(design)["blocks"] < 2 else ""
