# SPDX-License-Identifier: Apache-2.0
"""Published tables as data, and what reproduces them."""

from montforge.papers.data import Paper, PaperDesign, paper, paper_names, published_cycles

__all__ = ["Paper", "PaperDesign", "paper", "paper_names", "published_cycles"]
