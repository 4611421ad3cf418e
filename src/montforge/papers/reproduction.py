# SPDX-License-Identifier: Apache-2.0
"""Reproductions: a paper's published figures beside measured ones, as tables and charts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from montforge.errors import ParameterError, unknown_name
from montforge.hardware.fpga import families, target_data
from montforge.measure.targets import target_names
from montforge.papers.data import Paper
from montforge.report.chart import Chart
from montforge.report.page import Page, Section
from montforge.report.table import Table
from montforge.work.command import command_line, unless
from montforge.work.extras import require
from montforge.work.limits import check_output_folder
from montforge.work.progress import ProgressFunction


@dataclass(frozen=True)
class Request:
    """Scope of a reproduction: empty ``targets`` or ``widths`` and a ``samples`` of None mean the
    table's own; ``seed`` is that of the random operands, ``effort`` and ``placed`` those of
    `measure`.
    """

    targets: tuple[str, ...] = ()
    widths: tuple[int, ...] = ()
    samples: int | None = None
    seed: int = 1
    effort: str = "full"
    placed: bool = False
    progress: ProgressFunction | None = None


Part = tuple[list[Table], list[Chart]]
CELLS, FPGAS = "standard cells", "FPGAs"
OF_CELLS = ("widths", "samples", "effort", "placed")
"""What tables of standard cells take."""
_OPTIONS = {"widths": "--width", "samples": "--samples", "effort": "--effort", "placed": "--placed"}


@dataclass(frozen=True)
class Reproducer:
    """A function that makes a table again.

    ``targets`` is the kind that it is measured on, `CELLS`, `FPGAS` or none; ``takes`` are those of
    a request's ``widths``, ``samples``, ``effort`` and ``placed`` that have an effect on it.
    """

    make: Callable[[Request], Part]
    targets: str = ""
    takes: tuple[str, ...] = ()


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
        """Write ``PAPER.md``, ``PAPER.html`` (self-contained), ``PAPER-NUMBER.png`` for each chart,
        and ``PAPER-NUMBER.tex`` (booktabs) and ``.csv`` for each table.
        """
        check_output_folder(folder)
        folder.mkdir(parents=True, exist_ok=True)
        lines = [f"# {self.title}", "", f"Made by `{self.command}`.", ""]
        for index, chart in enumerate(self.charts):
            name = f"{self.paper}-{index + 1}.png"
            chart.write(folder / name)
            lines += [f"![{chart.title}]({name})", ""]
        for index, table in enumerate(self.tables):
            path = folder / f"{self.paper}-{index + 1}"
            path.with_suffix(".tex").write_text(table.to_latex(self.command), encoding="utf-8")
            path.with_suffix(".csv").write_text(table.to_csv(), encoding="utf-8")
        lines += [table.to_markdown() for table in self.tables]
        (folder / f"{self.paper}.md").write_text("\n".join(lines), encoding="utf-8")
        sections: list[Section] = [*self.charts]
        sections += self.tables
        Page.of(self.title, sections, self.command).write(folder / f"{self.paper}.html")


def run(
    source: Paper, reproducers: Mapping[str, Reproducer], table: str | None, request: Request
) -> Reproduction:
    """Run one or all ``reproducers`` (by table name) of a paper.

    Before anything is measured, raises UnknownNameError for a table or target that does not exist,
    ParameterError for an option without effect, and ToolMissingError without plotting libraries.
    """
    require("papers", "matplotlib", "plotly")
    if table is not None and table not in reproducers:
        raise unknown_name(f"table of {source.name}", table, reproducers)
    chosen = reproducers if table is None else {table: reproducers[table]}
    _check_effect(source.name, chosen, reproducers, request)
    tables, charts = joined(reproducer.make(request) for reproducer in chosen.values())
    command = command_line(
        "reproduce",
        [source.name],
        table=table,
        target=request.targets,
        width=request.widths,
        samples=request.samples,
        effort=unless("full", request.effort),
        seed=unless(1, request.seed),
        placed=request.placed,
    )
    return Reproduction(source.name, source.title, tuple(tables), tuple(charts), command)


def joined(parts: Iterable[Part]) -> Part:
    """Return the tables and the charts of all ``parts``, in order."""
    tables: list[Table] = []
    charts: list[Chart] = []
    for more_tables, more_charts in parts:
        tables += more_tables
        charts += more_charts
    return tables, charts


def _check_effect(
    paper: str,
    chosen: Mapping[str, Reproducer],
    reproducers: Mapping[str, Reproducer],
    request: Request,
) -> None:
    """Raise if a target of ``request`` does not exist, or if one of its options has no effect."""

    def refuse(option: str, takers: list[str]) -> ParameterError:
        where = f"table {' and '.join(chosen)} of {paper}"
        legal = f"table {', '.join(takers)}" if takers else "no table"
        return ParameterError(f"{option} has no effect on {where}; {legal} of the paper takes it.")

    for target in request.targets:
        if target not in target_names():
            raise unknown_name("target", target, target_names())
        kind = FPGAS if target_data(target)["kind"] in families() else CELLS
        if all(each.targets != kind for each in chosen.values()):
            takers = [name for name, each in reproducers.items() if each.targets == kind]
            raise refuse(f"--target {target}", takers)
    for name, option in _OPTIONS.items():
        given = getattr(request, name) != getattr(Request(), name)
        if given and all(name not in each.takes for each in chosen.values()):
            takers = [table for table, each in reproducers.items() if name in each.takes]
            raise refuse(option, takers)
