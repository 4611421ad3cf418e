# SPDX-License-Identifier: Apache-2.0
"""Self-contained HTML pages: tables, text and interactive charts that work offline."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from pathlib import Path

from montforge.report.chart import Chart
from montforge.report.table import Table

Section = Table | Chart | str
"""A table, a chart, or a paragraph of text."""

STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; max-width: 70rem; margin: 2rem auto; padding: 0 1rem;
       color: #1c2733; background: #fff; }
table { border-collapse: collapse; margin: 1rem 0; display: block; overflow-x: auto; }
th, td { border-bottom: 1px solid #d7dde3; padding: .3rem .7rem; text-align: right; }
th { background: #f2f5f8; } th:first-child, td:first-child { text-align: left; }
code { background: #f2f5f8; padding: .1rem .3rem; } h1 { font-size: 1.6rem; }
h2 { font-size: 1.15rem; margin-top: 2rem; }
"""


def write_page(path: Path, title: str, sections: Sequence[Section], command: str) -> None:
    """Write one HTML file with ``sections`` in order; strings are paragraphs.

    ``command``, which makes the page again, is printed at the end. The page loads nothing from
    anywhere: the chart library is part of it where a chart is.
    """
    script = ""
    if any(isinstance(section, Chart) for section in sections):
        from plotly.offline import get_plotlyjs

        script = f"<script>{get_plotlyjs()}</script>"
    body = "\n".join(_fragment(section) for section in sections)
    path.write_text(
        f'<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta name="viewport" content="width=device-width">\n<title>{escape(title)}</title>\n'
        f"<style>{STYLE}</style>\n{script}\n</head>\n<body>\n<h1>{escape(title)}</h1>\n{body}\n"
        f"<p>Made by <code>{escape(command)}</code>.</p>\n</body>\n</html>\n",
        encoding="utf-8",
    )


def _fragment(section: Section) -> str:
    if isinstance(section, Table):
        return section.to_html()
    if isinstance(section, str):
        return f"<p>{escape(section)}</p>"
    return str(section.to_plotly().to_html(include_plotlyjs=False, full_html=False))
