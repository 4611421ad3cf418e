# SPDX-License-Identifier: Apache-2.0
"""The lemmas on mf_mcivor with a multiplier of three stages from which proofs/mcivor.v follows."""

from __future__ import annotations

from functools import cache

from montforge.arch.full_word import McIvor
from montforge.prove.lemmas.booth import Tree
from montforge.prove.lemmas.passes import RESULT, X, Y, passes
from montforge.prove.statement import Lemma, W, following, net, part, pow2, size

STAGES = 3

BLOCK, BLOCKS = size("block"), size("blocks")
"""Bits of a block, and blocks of an operand."""
ROW, SUM = (BLOCKS + 1) * BLOCK, 2 * (BLOCKS * BLOCK)
"""Bits of a row of products of blocks, bits of the sum of all."""
e = size("e")

products = net("u_multiplier.gen_block_row[0..].products_q", BLOCKS * (2 * ROW))
pair = net("u_multiplier.pair", 2 * SUM)

_FIXED = (
    *passes(STAGES),
    Lemma(
        "block_products",
        (),
        (
            part(
                following(products),
                (2 * (e // BLOCKS) + e % BLOCKS % 2) * ROW + (e % BLOCKS) * BLOCK,
                2 * BLOCK,
            ).eq(
                ((X // pow2((e % BLOCKS) * BLOCK)) % pow2(BLOCK))
                * ((Y // pow2((e // BLOCKS) * BLOCK)) % pow2(BLOCK))
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
        (following(RESULT).eq((part(pair, 0, SUM) + part(pair, SUM, SUM)) % pow2(2 * W)),),
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
