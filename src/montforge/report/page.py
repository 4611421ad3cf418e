# SPDX-License-Identifier: Apache-2.0
"""Self-contained HTML pages: tables, text and interactive charts that work offline."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING

from montforge.report.chart import Chart
from montforge.report.table import Table
from montforge.work.templates import render

if TYPE_CHECKING:
    import plotly.graph_objects as go

Section = Table | Chart | str
"""A table, a chart, or a paragraph of text."""


@dataclass(frozen=True)
class Page:
    """One HTML file that loads nothing from anywhere.

    ``body`` and ``style`` are HTML and CSS; ``command``, if given, makes the page again and is
    printed at its end. With ``charts`` Plotly's library is part of the page.
    """

    title: str
    body: str
    command: str = ""
    style: str = ""
    charts: bool = False

    @classmethod
    def of(cls, title: str, sections: Sequence[Section], command: str) -> Page:
        """Return the page of ``sections`` in order."""
        charts = any(isinstance(section, Chart) for section in sections)
        return cls(title, "\n".join(map(_fragment, sections)), command, charts=charts)

    def write(self, path: Path) -> None:
        """Write the page to ``path``."""
        library = ""
        if self.charts:
            from plotly.offline import get_plotlyjs

            library = get_plotlyjs()
        text = render("page.html.in", vars(self), library=library)
        path.write_text(text, encoding="utf-8")


def figure_html(figure: go.Figure) -> str:
    """Return an interactive figure for a page with charts."""
    return str(figure.to_html(include_plotlyjs=False, full_html=False))


def _fragment(section: Section) -> str:
    if isinstance(section, Table):
        return section.to_html()
    if isinstance(section, str):
        return f"<p>{escape(section)}</p>"
    return figure_html(section.to_plotly())
