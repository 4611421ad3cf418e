# SPDX-License-Identifier: Apache-2.0
"""Grale and Swartzlander's Tables IV and V from the Extended Serial Montgomery Model."""

from __future__ import annotations

from collections.abc import Sequence

from montforge.programs.serial import TITLES, SerialModel
from montforge.report.table import Table


def cycles_table(models: Sequence[SerialModel]) -> Table:
    """Return the cycles of ``models`` (of one k) as Table V: a row for each m, a column a class.

    A note names the schedules that dependencies make longer than the formula.
    """
    classes = tuple(dict.fromkeys(x.method for x in models))
    found = {(x.m, x.method): x.cycles for x in models}
    rows = tuple(
        (m, *(found.get((m, name)) for name in classes)) for m in dict.fromkeys(x.m for x in models)
    )
    notes = [f"{name}: {TITLES[name]}" for name in classes]
    notes += [
        f"{x.method} with m = {x.m}: dependencies stall, the schedule has {len(x.schedule)} cycles."
        for x in models
        if len(x.schedule) != x.cycles
    ]
    title = f"Cycles of one multiplication, k = {models[0].k}"
    return Table(title, ("m", *classes), rows, tuple(notes))


def formulas_table(models: Sequence[SerialModel]) -> Table:
    """Return the formulas of Table IV for the classes of ``models``, with products and storage."""
    classes = {x.method: x for x in models}
    rows = tuple((x.method, x.formula, x.products, x.storage) for x in classes.values())
    columns = ("class", "cycles with m multipliers", "digit products", "digits of storage")
    return Table("Extended Serial Montgomery Model", columns, rows)
