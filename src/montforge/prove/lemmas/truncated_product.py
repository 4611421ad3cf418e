# SPDX-License-Identifier: Apache-2.0
"""The lemmas on mf_truncated_product: theorem truncated, proofs/TruncatedProduct.v."""

from __future__ import annotations

from montforge.prove.lemmas.booth import booth_row, levels_of_tree
from montforge.prove.statement import Expression, Lemma, Operand, net, part, pow2, size

j = size("j")
"""The number of a row."""


def truncated_product(
    label: str,
    name: str,
    width: Expression,
    count: int,
    x: Expression,
    y: Expression,
    *,
    low: Operand = 0,
    high: Expression,
    addend: Expression | None = None,
) -> tuple[Lemma, ...]:
    """Return the lemmas on a product of ``width`` bits, whose ``count`` rows have y's Booth terms.

    Their names begin with ``label``. ``low`` and ``high`` are its parameters; ``addend`` is added.
    """
    inputs, rows, bits = count + (addend is not None), width // 2 + 1, high - low
    kept, pair = net(f"{name}.u_tree.rows_i", inputs * bits), net(f"{name}.u_tree.rows_o", 2 * bits)
    own = booth_row(j, rows, width, x, y)
    added = () if addend is None else (part(kept, rows * bits, bits).eq(addend),)
    return (
        Lemma(
            f"{label}_rows",
            (),
            (part(kept, j * bits, bits).eq((own // pow2(low)) % pow2(bits)),),
            "A term of y times x, with a constant for the sign, and the 1 of the row below.",
            each=("j", rows),
        ),
        Lemma(
            f"{label}_tree",
            (),
            (rows.eq(count), *added, *levels_of_tree(f"{name}.u_tree", bits, inputs)),
            "Each level of the tree, from the rows on.",
        ),
        Lemma(
            f"{label}_added",
            (),
            (total(name, bits).eq((part(pair, 0, bits) + part(pair, bits, bits)) % pow2(bits)),),
            cut=(f"{name}.u_tree.rows_o",),
        ),
    )


def total(name: str, bits: Expression) -> Expression:
    """Return the sum, of ``bits`` bits."""
    return net(f"{name}.u_adder.sum_o", bits)
