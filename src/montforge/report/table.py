# SPDX-License-Identifier: Apache-2.0
"""One table of results, and its forms: terminal, Markdown, HTML, LaTeX, CSV, JSON."""

from __future__ import annotations

import csv
import io
import re
import textwrap
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from html import escape
from typing import TYPE_CHECKING, Any, Literal, Self, TypeVar

if TYPE_CHECKING:
    import rich.table

Cell = str | int | float | None
Item = TypeVar("Item")


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

    def to_rich(self) -> rich.table.Table:
        """Return the table for a terminal."""
        import rich.table  # which is not in a browser

        table = rich.table.Table(title=self.title, title_justify="left")
        texts = [[*map(format_cell, row)] for row in self.rows]
        for at, (name, numeric) in enumerate(zip(self.columns, self._numeric(), strict=True)):
            size = max(map(len, [*name.split(), *(row[at] for row in texts)]))
            justify: Literal["left", "right"] = "right" if numeric else "left"
            head = textwrap.fill(name, size)
            table.add_column(head, justify=justify, overflow="fold", no_wrap=numeric)
        for row in texts:
            table.add_row(*row)
        if self.notes:
            table.caption = "\n".join(self.notes)
            table.caption_justify = "left"
        return table

    def _numeric(self) -> list[bool]:
        """Return for each column whether it has no text in it; the first one names the row."""
        return [
            index > 0 and not any(isinstance(row[index], str) for row in self.rows)
            for index in range(len(self.columns))
        ]


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
