# SPDX-License-Identifier: Apache-2.0
"""Rows of results tables: the designs of a paper, simulated for cycles and measured on targets."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice
from typing import Any

from montforge.errors import InputFileError, ParameterError, ToolMissingError
from montforge.measure import Measurement, StandardCells, find_target, measure
from montforge.papers.data import PaperDesign
from montforge.papers.reproduction import Request
from montforge.report.table import Cell, Table
from montforge.verify import CyclesReport, correct_cycles
from montforge.work.jobs import JOBS, results_of
from montforge.work.progress import Progress

Published = dict[str, Any]
"""The figures of one row of a paper, by column name."""


@dataclass(frozen=True)
class Row:
    """One design at one width on one target: published figures (if any) and measured ones."""

    label: str
    published: Published | None
    cycles: CyclesReport
    measured: Measurement

    @property
    def period(self) -> float:
        """Clock period in ns."""
        assert self.measured.period_ns is not None
        return self.measured.period_ns

    @property
    def area(self) -> float:
        """Cell area in um2."""
        assert self.measured.area_um2 is not None
        return self.measured.area_um2

    @property
    def time_us(self) -> float:
        """Time of one multiplication in us, until ``rsp_valid_o``."""
        return (self.cycles.mean + self.cycles.handover) * self.period / 1e3

    @property
    def atp(self) -> float:
        """Area times time in 1e3 um2 * us."""
        return self.area * self.time_us / 1e3


@dataclass(frozen=True)
class Group:
    """The rows of one table: all designs at one width on one target."""

    width: int
    target: str
    designs: tuple[tuple[PaperDesign, Published | None], ...]


def measure_groups(
    groups: Sequence[Group], request: Request, samples: int
) -> list[list[Row] | str]:
    """Return the rows of each group, or why its target is not there; a few at a time are measured.

    ``samples`` are the operations for a mean cycle count. A target that ``request`` names must be
    there: else raises ToolMissingError or InputFileError. Raises ParameterError for a target that
    has no area in um2.
    """
    absent: dict[str, str] = {}
    for target in dict.fromkeys(group.target for group in groups):
        try:
            check_cell_target(target)
        except (ToolMissingError, InputFileError) as error:
            if target in request.targets:
                raise
            absent[target] = f"Not measured: {error}"
    present = [group for group in groups if group.target not in absent]
    jobs = [
        partial(_row, entry, published, group, request, samples)
        for group in present
        for entry, published in group.designs
    ]
    rows = iter(results_of(jobs, JOBS, Progress(request.progress, len(jobs))))
    return [
        absent[group.target] if group.target in absent else list(islice(rows, len(group.designs)))
        for group in groups
    ]


def _row(
    entry: PaperDesign, published: Published | None, group: Group, request: Request, samples: int
) -> Row:
    chosen = entry.at_width(group.width)
    cycles = correct_cycles(chosen, samples=samples, seed=request.seed, workers=1)
    result = measure(chosen, group.target, cycles=cycles.mean, workers=1, effort=request.effort)
    return Row(entry.label, published, cycles, result)


def check_cell_target(name: str) -> None:
    """Raise ParameterError for a target that has no area in um2; else as `find_target`."""
    target = find_target(name)
    if not isinstance(target, StandardCells) or target.area_unit != "um2":
        raise ParameterError(
            f"target {name} gives no area in um2, which this table has; name a standard-cell"
            " library, such as osu018."
        )


def ratio_table(
    title: str,
    first_column: str,
    rows: Sequence[Row],
    base: Row,
    figures: Sequence[tuple[str, Callable[[Row], float], str]],
) -> Table:
    """Return measured figures relative to the row ``base``, each beside the paper's ratio.

    A figure is its column's name, a function of a row, and its key in `Row.published`.
    """
    published = base.published or {}

    def cells(row: Row) -> tuple[Cell, ...]:
        found: list[Cell] = [row.label]
        of_row = row.published or {}
        for _, value, key in figures:
            found.append(round(value(row) / value(base), 3))
            both = key in published and key in of_row
            found.append(round(of_row[key] / published[key], 3) if both else None)
        return tuple(found)

    columns = [first_column]
    for name, _, _ in figures:
        columns += [name, f"{name}, paper"]
    return Table(title, tuple(columns), tuple(cells(row) for row in rows))
