# SPDX-License-Identifier: Apache-2.0
"""docs/guides/paper_table.md does what it says: a paper's table for LaTeX."""

from __future__ import annotations

import csv
from pathlib import Path

from doc_page import Page, run

(MAKE,) = Page.read("guides/paper_table.md").commands


def test_the_table_for_latex_has_the_figures_of_the_csv(tmp_path: Path) -> None:
    run(MAKE, tmp_path)
    folder = tmp_path / "tables"
    text = (folder / "grale2020-1.tex").read_text()
    rows = list(csv.DictReader((folder / "grale2020-1.csv").open()))
    assert r"\toprule" in text and r"\texttt{montforge reproduce grale2020 --table 2}" in text
    lines = [line for line in text.splitlines() if line.startswith(("Eberle", "Grossschaedl"))]
    assert len(lines) == 8
    for line in lines:
        cells = [cell.strip() for cell in line.removesuffix(r"\\").split("&")]
        (row,) = [row for row in rows if row["design"] == cells[0]]
        assert cells[-2:] == [row["paper's cycles"], row["our cycles"]]
