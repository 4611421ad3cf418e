# SPDX-License-Identifier: Apache-2.0
"""Files and cycles of pipelined sums and products of full words: `mf_pipeline_pkg`."""

from __future__ import annotations

from montforge.arch.carry_save_rows import TREE_STAGES, rows_after

PIPELINED_PRODUCT = (
    *TREE_STAGES,
    "prim/mf_pipeline_pkg.sv",
    "prim/mf_carry_lookahead.sv",
    "prim/mf_delay_line.sv",
    "prim/mf_pipelined_sum.sv",
    "prim/mf_pipelined_adder.sv",
    "prim/mf_credit_buffer.sv",
    "booth/mf_booth_pkg.sv",
    "booth/mf_booth_recoder.sv",
    "digit/mf_booth_selected_rows.sv",
    "digit/mf_pipelined_product.sv",
    "prim/mf_product_pkg.sv",
    "fixed/mf_square_rows.sv",
    "fixed/mf_fixed_product.sv",
)
"""Files of a whole product, and of the buffer in which results wait, in compile order."""

TREE_FORMULA = (
    "V(rows)",
    "cycles of a compressor tree of these rows, each with the delay of levels full adders",
)
PRODUCT_FORMULA = (
    "product P",
    "1 + V(rows of the width + 1 bits) + 2; each Karatsuba level: 4 + V(5), and P of half the bits"
    " and one",
)
"""Rows of an architecture's formulas."""

WIDEST = 768
"""The widest operands; the widest prime of a curve in use, that of BW6-761, has 761 bits."""
_FEWEST_SPLIT = 6
_ADDER_CYCLES = 2


def sum_cycles(rows: int, levels: int) -> int:
    """Return the cycles of a sum of ``rows`` vectors, each with the delay of ``levels`` adders."""
    cycles = 1 + _ADDER_CYCLES
    while (rows := rows_after(rows, 2 * levels)) > 2:
        cycles += 1
    return cycles


def product_cycles(bits: int, karatsuba: int, levels: int, *, square: bool = False) -> int:
    """Return the cycles of a product of ``bits`` bits with so many Karatsuba levels, or square.

    Operands of fewer than six bits are not split.
    """
    cycles = 1
    for _ in range(karatsuba):
        if bits >= _FEWEST_SPLIT:
            bits = (bits + 1) // 2 + 1
            cycles += _ADDER_CYCLES + sum_cycles(5, levels)
    return cycles + sum_cycles((bits - 1) // 2 + 3 if square else bits // 2 + 1, levels)
