# SPDX-License-Identifier: Apache-2.0
"""Published tables as data: ``NAME.json`` holds a paper's figures, ``NAME.toml`` says which of
our designs stand for its rows, with a note for each known deviation.
"""

from __future__ import annotations

import json
import tomllib
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import Any

from montforge.arch import Core, Design, core
from montforge.errors import unknown_name


@dataclass(frozen=True)
class PaperDesign:
    """A row of a paper's tables and the design that stands for it, at any width.

    ``ours`` marks a design that the paper does not have and that is set beside its own. Cycles do
    not depend on the parameters ``not_cycles``.
    """

    label: str
    architecture: str
    parameters: tuple[tuple[str, int | str], ...]
    notes: tuple[str, ...]
    ours: bool = False
    not_cycles: tuple[str, ...] = ()

    def at_width(self, width: int) -> Core:
        """Return our design at ``width`` bits."""
        return core(self.architecture, width=width, **dict(self.parameters))

    def describes(self, candidate: Design) -> bool:
        """Return whether ``candidate`` has the cycles of this design at some width."""
        return candidate.name == self.architecture and all(
            candidate.parameters.get(key) == value
            for key, value in self.parameters
            if key not in self.not_cycles
        )


@dataclass(frozen=True)
class Paper:
    """A paper's figures (``data``, as printed there) and its designs.

    ``label_column`` is the column of its tables that names a design; ``width`` the one size that
    all of them are for, if the tables have no column ``key_bits`` or ``width``. ``facts`` are
    further figures, which are for that paper's reproduction only.
    """

    name: str
    data: dict[str, Any]
    designs: tuple[PaperDesign, ...]
    label_column: str = "multiplier"
    width: int | None = None
    facts: dict[str, Any] = field(default_factory=dict)

    def design(self, label: str) -> PaperDesign | None:
        """Return the design that stands for the rows with ``label``, or None."""
        return next((d for d in self.designs if d.label == label), None)

    def rows(self, table: str) -> list[dict[str, Any]]:
        """Return the rows of a table of ``data`` as dictionaries by column name."""
        found = self.data[table]
        return [dict(zip(found["columns"], row, strict=True)) for row in found["rows"]]


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
    mapping = tomllib.loads((folder / f"{name}.toml").read_text())
    return Paper(
        name,
        json.loads((folder / f"{name}.json").read_text()),
        tuple(
            PaperDesign(
                entry["label"],
                entry["architecture"],
                tuple(entry.get("parameters", {}).items()),
                tuple(entry.get("notes", ())),
                entry.get("ours", False),
                tuple(entry.get("not_cycles", ())),
            )
            for entry in mapping["design"]
        ),
        mapping.get("label_column", "multiplier"),
        mapping.get("width"),
        mapping.get("facts", {}),
    )


def published_cycles(candidate: Design) -> list[dict[str, Any]]:
    """Return the published cycle counts of a design as a row for each paper and label.

    A row has the keys ``paper, label, width, cycles, adjustment, adjusted``: the count as printed,
    the cycles of loading and collecting that the contract's latency has beyond the core's, and
    their sum, which compares with the latency.
    """
    found = []
    core = candidate.core_cycles
    adjustment = 0 if core is None else (candidate.fixed_cycles or core) - core
    for name in paper_names():
        source = paper(name)
        labels = {d.label for d in source.designs if d.describes(candidate)}
        for table in source.data.values():
            columns = table.get("columns", ()) if isinstance(table, dict) else ()
            if "cycles" not in columns or source.label_column not in columns:
                continue
            for row in (dict(zip(columns, values, strict=True)) for values in table["rows"]):
                label = str(row[source.label_column])
                width = row.get("key_bits", row.get("width", source.width))
                if label in labels and width == candidate.size:
                    count = row["cycles"]
                    found.append(
                        {
                            "paper": name,
                            "label": label,
                            "width": width,
                            "cycles": count,
                            "adjustment": adjustment,
                            "adjusted": count + adjustment,
                        }
                    )
    return found
