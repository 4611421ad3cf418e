# SPDX-License-Identifier: Apache-2.0
"""The papers whose architectures montforge implements."""

from montforge.arch.base import Citation

KUANG_2016 = Citation(
    authors="S.-R. Kuang, K.-Y. Wu, R.-Y. Lu",
    title="Low-Cost High-Performance VLSI Architecture for Montgomery Modular Multiplication",
    venue="IEEE Transactions on VLSI Systems 24(2)",
    year=2016,
)
