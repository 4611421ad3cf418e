# SPDX-License-Identifier: Apache-2.0
"""Published tables as data: ``NAME.json`` holds a paper's figures, ``NAME.toml`` names the designs
of montforge that stand for its rows, with notes on known deviations.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import Any

from montforge.arch import Core, Design, core
from montforge.errors import unknown_name

Published = dict[str, Any]
"""The figures of one row of a paper, by column name."""


@dataclass(frozen=True)
class PaperDesign:
    """A row of a paper's tables and the design that stands for it, at any width.

    ``ours`` marks a design that the paper does not have and that is set beside its own. Cycles do
    not depend on the parameters ``not_cycles``.
    """

    label: str
    architecture: str
    parameters: Mapping[str, int | str] = field(default_factory=dict)
    ours: bool = False
    not_cycles: tuple[str, ...] = ()

    def at_width(self, width: int) -> Core:
        """Return our design at ``width`` bits."""
        return core(self.architecture, width=width, **self.parameters)

    def describes(self, candidate: Design) -> bool:
        """Return whether ``candidate`` has the cycles of this design at some width."""
        return candidate.name == self.architecture and all(
            candidate.parameters.get(key) == value
            for key, value in self.parameters.items()
            if key not in self.not_cycles
        )


@dataclass(frozen=True)
class Paper:
    """A paper's figures (``data``, as printed there) and its designs.

    ``label_column`` is the column of its tables that names a design; ``width`` the one size that
    all of them are for, if the tables have no column ``key_bits`` or ``width``. ``facts`` are
    further figures, which are for that paper's reproduction only. ``design_notes`` explain the
    deviations of a design, ``table_notes`` are those of a reproduced table.
    """

    name: str
    data: dict[str, Any]
    designs: tuple[PaperDesign, ...]
    title: str
    label_column: str = "multiplier"
    width: int | None = None
    facts: dict[str, Any] = field(default_factory=dict)
    design_notes: dict[str, list[str]] = field(default_factory=dict)
    table_notes: dict[str, list[str]] = field(default_factory=dict)

    def design(self, label: str) -> PaperDesign | None:
        """Return the design that stands for the rows with ``label``, or None."""
        return next((d for d in self.designs if d.label == label), None)

    def rows(self, table: str) -> list[Published]:
        """Return the rows of a table of ``data`` as dictionaries by column name."""
        return rows_of(self.data[table])

    def by(self, column: str, table: str) -> dict[Any, Published]:
        """Return the rows of a table of ``data`` by the values of one column."""
        return {row[column]: row for row in self.rows(table)}

    def notes_on(self, *designs: PaperDesign) -> list[str]:
        """Return the notes of designs, each after its label."""
        return [
            f"{d.label}: {note}" for d in designs for note in self.design_notes.get(d.label, ())
        ]

    def notes(self, table: str, **values: object) -> list[str]:
        """Return the notes of a reproduced table with ``values`` in their placeholders."""
        return [note.format(**values) for note in self.table_notes[table]]


def rows_of(table: Mapping[str, Any]) -> list[Published]:
    """Return the ``rows`` of a table as dictionaries by the names of its ``columns``."""
    return [dict(zip(table["columns"], row, strict=True)) for row in table["rows"]]


def paper_names() -> tuple[str, ...]:
    """Return the names of all papers with data."""
    names = (entry.name for entry in files("montforge.papers").iterdir())
    return tuple(sorted(name.removesuffix(".toml") for name in names if name.endswith(".toml")))


@cache
def paper(name: str) -> Paper:
    """Return the paper of that name. Raises UnknownNameError with the nearest name."""
    if name not in paper_names():
        raise unknown_name("paper", name, paper_names())
    folder = files("montforge.papers")
    mapping = tomllib.loads((folder / f"{name}.toml").read_text(encoding="utf-8"))
    designs = tuple(found for entry in mapping.pop("design") for found in _designs(**entry))
    return Paper(name, json.loads((folder / f"{name}.json").read_text()), designs, **mapping)


def _designs(
    label: str, *, each: tuple[dict[str, Any], ...] = ({},), **entry: Any
) -> Iterator[PaperDesign]:
    """Yield the design of an entry, or one for each set of values of ``each``, which stand in the
    label's placeholders and are parameters.
    """
    parameters = entry.pop("parameters", {})
    for values in each:
        yield PaperDesign(label.format(**values), parameters={**parameters, **values}, **entry)


def published_cycles(candidate: Design) -> list[dict[str, Any]]:
    """Return the published cycle counts of a design as a row for each paper and label.

    A row has the keys ``paper, label, width, cycles, adjustment, adjusted``: the count as printed,
    the cycles of loading and collecting that the contract's latency has beyond the core's, and
    their sum, which compares with the latency.
    """
    found = []
    core = candidate.core_cycles
    adjustment = 0 if core is None else (candidate.fixed_cycles or core) - core
    for source in map(paper, paper_names()):
        labels = {d.label for d in source.designs if d.describes(candidate)}
        for table in source.data.values():
            columns = table.get("columns", ()) if isinstance(table, dict) else ()
            if not {"cycles", source.label_column} <= set(columns):
                continue
            for row in rows_of(table):
                label, count = str(row[source.label_column]), row["cycles"]
                width = row.get("key_bits", row.get("width", source.width))
                if label in labels and width == candidate.size:
                    found.append(
                        {
                            "paper": source.name,
                            "label": label,
                            "width": width,
                            "cycles": count,
                            "adjustment": adjustment,
                            "adjusted": count + adjustment,
                        }
                    )
    return found
