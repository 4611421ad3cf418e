# SPDX-License-Identifier: Apache-2.0
"""Reproductions: a paper's published figures beside measured ones, as tables and charts."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from montforge.errors import unknown_name
from montforge.extras import require
from montforge.measure.targets import target_names
from montforge.progress import ProgressFunction
from montforge.report.chart import Chart
from montforge.report.page import Section, write_page
from montforge.report.table import Table


@dataclass(frozen=True)
class Request:
    """What to reproduce: empty ``targets`` or ``widths`` and a ``samples`` of None mean the
    table's own; ``seed`` is that of the random operands, ``effort`` that of `measure`.
    """

    targets: tuple[str, ...] = ()
    widths: tuple[int, ...] = ()
    samples: int | None = None
    seed: int = 1
    effort: str = "full"
    progress: ProgressFunction | None = None


Part = tuple[list[Table], list[Chart]]
Reproducer = Callable[[Request], Part]


@dataclass(frozen=True)
class Reproduction:
    """Tables and charts of a paper, and the command that makes them again."""

    paper: str
    title: str
    tables: tuple[Table, ...]
    charts: tuple[Chart, ...]
    command: str

    def to_json(self) -> dict[str, Any]:
        """Return the tables as JSON-ready values."""
        return {
            "paper": self.paper,
            "title": self.title,
            "command": self.command,
            "tables": [table.to_json() for table in self.tables],
        }

    def write(self, folder: Path) -> None:
        """Write ``PAPER.md``, ``PAPER.html`` (self-contained) and a PNG for each chart."""
        folder.mkdir(parents=True, exist_ok=True)
        lines = [f"# {self.title}", "", f"Made by `{self.command}`.", ""]
        for index, chart in enumerate(self.charts):
            name = f"{self.paper}-{index + 1}.png"
            chart.write_png(folder / name)
            lines += [f"![{chart.title}]({name})", ""]
        lines += [table.to_markdown() for table in self.tables]
        (folder / f"{self.paper}.md").write_text("\n".join(lines), encoding="utf-8")
        sections: list[Section] = [*self.charts]
        sections += self.tables
        write_page(folder / f"{self.paper}.html", self.title, sections, self.command)


def run(
    paper: str,
    title: str,
    reproducers: Mapping[str, Reproducer],
    table: str | None,
    request: Request,
) -> Reproduction:
    """Run one or all ``reproducers`` (by table name) of a paper.

    Raises UnknownNameError for a table or target that does not exist, and ToolMissingError
    without the plotting libraries, before anything is measured.
    """
    require("papers", "matplotlib", "plotly")
    if table is not None and table not in reproducers:
        raise unknown_name(f"table of {paper}", table, reproducers)
    for target in request.targets:
        if target not in target_names():
            raise unknown_name("target", target, target_names())
    tables: list[Table] = []
    charts: list[Chart] = []
    for name in [table] if table is not None else list(reproducers):
        more_tables, more_charts = reproducers[name](request)
        tables += more_tables
        charts += more_charts
    command = _command(paper, table, request)
    return Reproduction(paper, title, tuple(tables), tuple(charts), command)


def _command(paper: str, table: str | None, request: Request) -> str:
    words = ["montforge", "reproduce", paper]
    words += ["--table", table] if table is not None else []
    for target in request.targets:
        words += ["--target", target]
    for width in request.widths:
        words += ["--width", str(width)]
    words += ["--samples", str(request.samples)] if request.samples is not None else []
    words += ["--effort", request.effort] if request.effort != "full" else []
    words += ["--seed", str(request.seed)] if request.seed != 1 else []
    return shlex.join(words)
