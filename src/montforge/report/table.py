# SPDX-License-Identifier: Apache-2.0
"""One table of results, and its forms: terminal, Markdown, HTML, LaTeX, CSV, JSON."""

from __future__ import annotations

import csv
import io
import re
import textwrap
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from html import escape
from typing import TYPE_CHECKING, Any, Literal, Self, TypeVar

if TYPE_CHECKING:
    import rich.table
    from rich.console import Console, ConsoleOptions, Group

Cell = str | int | float | None
Item = TypeVar("Item")
BORDER = 3
"""Characters around a cell on a terminal."""


@dataclass(frozen=True)
class Table:
    """A titled table; every row has one cell per column. ``None`` means "not available".

    The columns have different names, without spaces around them, as they are keys in JSON; raises
    ValueError for others.
    """

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    notes: tuple[str, ...] = ()

    @classmethod
    def of(
        cls,
        title: str,
        items: Iterable[Item],
        columns: Mapping[str, Callable[[Item], Cell]],
        notes: Iterable[str] = (),
    ) -> Self:
        """Return a table with a row for each item; a column is a name and a function of an item."""
        rows = tuple(tuple(cell(item) for cell in columns.values()) for item in items)
        return cls(title, tuple(columns), rows, tuple(notes))

    def __post_init__(self) -> None:
        """Check the columns' names, which programs have as keys."""
        if list(dict.fromkeys(map(str.strip, self.columns))) != list(self.columns):
            raise ValueError(
                f"columns must have different names without outer spaces: {self.columns}"
            )

    def to_markdown(self) -> str:
        """Return the table as Markdown with its title and notes."""
        lines = [f"### {self.title}", ""]
        lines.append("| " + " | ".join(self.columns) + " |")
        lines.append("|" + "|".join(" ---: " if n else " --- " for n in self._numeric()) + "|")
        lines += ["| " + " | ".join(map(format_cell, row)) + " |" for row in self.rows]
        if self.notes:
            lines += ["", *(f"- {note}" for note in self.notes)]
        return "\n".join(lines) + "\n"

    def to_html(self) -> str:
        """Return the table as an HTML fragment."""
        kinds = ["" if numeric else ' class="text"' for numeric in self._numeric()]

        def line(tag: str, cells: Iterable[Cell]) -> str:
            found = (
                f"<{tag}{kind}>{escape(format_cell(cell))}</{tag}>"
                for kind, cell in zip(kinds, cells, strict=True)
            )
            return f"<tr>{''.join(found)}</tr>"

        head = line("th", self.columns)
        body = "".join(line("td", row) + "\n" for row in self.rows)
        notes = "".join(f"<li>{escape(note)}</li>" for note in self.notes)
        return (
            f"<h2>{escape(self.title)}</h2>\n<table>\n<thead>{head}</thead>\n"
            f"<tbody>\n{body}</tbody>\n</table>\n" + (f"<ul>{notes}</ul>\n" if notes else "")
        )

    def to_latex(self, command: str) -> str:
        """Return the table as a float for LaTeX with booktabs.

        Its caption has title, notes, and the ``command`` that makes the table.
        """
        sentences = [f"{self.title}.", *self.notes]
        caption = " ".join(map(_latex, sentences))
        caption += rf" Made by \texttt{{{_latex(command)}}}."
        columns = "".join("r" if numeric else "l" for numeric in self._numeric())
        rows = [" & ".join(map(_latex, map(format_cell, row))) + r" \\" for row in self.rows]
        head = " & ".join(map(_latex, self.columns)) + r" \\"
        lines = [
            r"\begin{table}",
            r"\centering",
            rf"\caption{{{caption}}}",
            rf"\begin{{tabular}}{{{columns}}}",
            *(r"\toprule", head, r"\midrule", *rows, r"\bottomrule"),
            r"\end{tabular}",
            r"\end{table}",
        ]
        return "\n".join(lines) + "\n"

    def to_csv(self) -> str:
        """Return the columns' names and the rows with all digits, as RFC 4180 has them."""
        text = io.StringIO()
        csv.writer(text, lineterminator="\n").writerows([self.columns, *self.rows])
        return text.getvalue()

    def to_json(self) -> dict[str, Any]:
        """Return title, notes, and the rows as objects by column name."""
        return {
            "title": self.title,
            "rows": [dict(zip(self.columns, row, strict=True)) for row in self.rows],
            "notes": list(self.notes),
        }

    def condensed(self) -> Self:
        """Return the table without the columns that are the same in all rows, which a note names.

        The first column stays.
        """
        if len(self.rows) < 2:
            return self
        cells = [*zip(*self.rows, strict=True)]
        alike = [at for at in range(1, len(cells)) if len(set(cells[at])) == 1]
        if not alike:
            return self
        kept = [at for at in range(len(cells)) if at not in alike]
        facts = (f"{self.columns[at]} {format_cell(cells[at][0])}" for at in alike)
        return replace(
            self,
            columns=tuple(self.columns[at] for at in kept),
            rows=tuple(tuple(row[at] for at in kept) for row in self.rows),
            notes=(f"In all rows: {'; '.join(facts)}.", *self.notes),
        )

    def to_rich(self) -> Group:
        """Return the table for a terminal: several ones of some columns each if it is narrow."""
        import rich.console  # which is not in a browser

        return rich.console.Group(_Fitting(self))

    def fitting(self, width: int) -> list[list[int]]:
        """Return the columns of each of several tables, none wider than ``width`` characters.

        Each begins with the first column, which names the rows. No number and no word is broken
        unless the first column with another one is too wide.
        """
        sizes = [self._least(at) + BORDER for at in range(len(self.columns))]
        groups = [[0]]
        for at in range(1, len(sizes)):
            group = groups[-1]
            if len(group) > 1 and sum(sizes[each] for each in (*group, at)) >= width:
                groups.append([0])
            groups[-1].append(at)
        return groups

    def _least(self, at: int) -> int:
        """Return the length of a column's longest word or number."""
        texts = (self.columns[at], *(format_cell(row[at]) for row in self.rows))
        return max((len(word) for text in texts for word in text.split()), default=0)

    def _rich_part(
        self, group: list[int], width: int, *, first: bool, last: bool
    ) -> rich.table.Table:
        """Return some of the columns; the first part has the title, the last one the notes."""
        import rich.table

        table = rich.table.Table(title=self.title if first else None, title_justify="left")
        texts = [[format_cell(row[at]) for at in group] for row in self.rows]
        numeric = self._numeric()
        sizes = [self._least(at) for at in group]
        room = width - 1 - sum(size + BORDER for size in sizes)
        for place, at in enumerate(group):
            name = self.columns[at]
            longest = max(map(len, [*name.split(), *(row[place] for row in texts)]))
            wider = min(longest - sizes[place], max(room, 0))
            room -= wider
            justify: Literal["left", "right"] = "right" if numeric[at] else "left"
            table.add_column(
                textwrap.fill(name, longest), justify=justify, overflow="fold",
                no_wrap=numeric[at], width=sizes[place] + wider if room >= 0 else None,
            )  # fmt: skip
        for row in texts:
            table.add_row(*row)
        if self.notes and last:
            table.caption = "\n".join(self.notes)
            table.caption_justify = "left"
        return table

    def _numeric(self) -> list[bool]:
        """Return for each column whether it has no text in it; the first one names the row."""
        return [
            index > 0 and not any(isinstance(row[index], str) for row in self.rows)
            for index in range(len(self.columns))
        ]


@dataclass(frozen=True)
class _Fitting:
    """A table that rich draws as wide as its terminal."""

    table: Table

    def __rich_console__(self, _: Console, options: ConsoleOptions) -> Iterator[rich.table.Table]:
        groups = self.table.fitting(options.max_width)
        for group in groups:
            first, last = group is groups[0], group is groups[-1]
            yield self.table._rich_part(group, options.max_width, first=first, last=last)


_LATEX = {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}"}


def _latex(text: str) -> str:
    """Return ``text`` with the characters that LaTeX reads otherwise written out."""
    return re.sub(r"[\\~^&%$#_{}]", lambda found: _LATEX.get(found[0], "\\" + found[0]), text)


def format_cell(cell: Cell) -> str:
    """Return a cell as text: four significant digits for small numbers, thousands separated."""
    if cell is None:
        return "-"
    if isinstance(cell, float):
        if abs(cell) >= 1000:
            return f"{cell:,.0f}"
        return f"{cell:.4g}"
    if isinstance(cell, int) and abs(cell) >= 10000:
        return f"{cell:,}"
    return str(cell)
