# SPDX-License-Identifier: Apache-2.0
"""Rows of results tables: the designs of a paper, simulated for cycles and measured on targets."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice
from typing import Any

from montforge.arch import Core
from montforge.errors import InputFileError, MontforgeError, ParameterError, ToolMissingError
from montforge.measure import Measurement, StandardCells, find_target, measure
from montforge.measure.placed.technology import placed_targets
from montforge.papers.data import Paper, PaperDesign, Published
from montforge.papers.reproduction import Part, Request, joined
from montforge.report.table import Cell, Table
from montforge.verify import correct_cycles
from montforge.work.jobs import JOBS, results_of
from montforge.work.progress import Progress


@dataclass(frozen=True)
class Row:
    """A row of a table: a design at one width, and the paper's figures, empty if it has none."""

    entry: PaperDesign
    chosen: Core
    published: Published

    @property
    def label(self) -> str:
        """The row's name in the paper's tables."""
        return self.entry.label

    @property
    def width(self) -> int:
        """Bits of the modulus."""
        return self.chosen.contract.width

    @property
    def core_cycles(self) -> int:
        """Cycles of the core, without loading and collecting."""
        assert self.chosen.core_cycles is not None
        return self.chosen.core_cycles

    def paper(self, column: str) -> Any:
        """Return the paper's figure of a column, or None."""
        return self.published.get(column)

    def if_published(self, value: Callable[[Published], float]) -> float | None:
        """Return a value that follows from the published figures, if there are any."""
        return value(self.published) if self.published else None


@dataclass(frozen=True)
class Measured(Row):
    """A row on one standard-cell target; ``cycles`` are the latency or its mean."""

    cycles: float
    measured: Measurement

    @property
    def period(self) -> float:
        """Clock period in ns, with the wires of the library's model if it has one."""
        assert self.measured.period_ns is not None
        return self.measured.period_ns

    @property
    def period_without(self) -> float | None:
        """Clock period in ns without wires, if the library has a wire-load model."""
        return (self.measured.wire_load or {}).get("period_without")

    @property
    def area(self) -> float:
        """Cell area in um2."""
        assert self.measured.area_um2 is not None
        return self.measured.area_um2

    @property
    def placed(self) -> dict[str, Any] | None:
        """The figures with wires, if they were asked for."""
        return self.measured.placed

    @property
    def time_us(self) -> float:
        """Time of one multiplication in us, until ``rsp_valid_o``."""
        return (self.cycles + self.chosen.contract.handover) * self.period / 1e3

    @property
    def atp(self) -> float:
        """Area times time in 1e3 um2 * us."""
        return self.area * self.time_us / 1e3


@dataclass(frozen=True)
class Counted(Row):
    """A row on an FPGA."""

    measured: Measurement

    def count(self, kind: str) -> int:
        """Return the number of the resources of a kind."""
        return (self.measured.resources or {})[kind]


@dataclass(frozen=True)
class Group:
    """The rows of one table: all designs at one width on one target."""

    width: int
    target: str
    designs: tuple[tuple[PaperDesign, Published], ...]

    @property
    def place(self) -> str:
        """Target and width, for titles."""
        return f"{self.target}, {self.width} bits"


Columns = dict[str, Callable[[Measured], Cell]]
Figure = Callable[[Measured], float]


def measured_tables(
    title: str,
    source: Paper,
    groups: Sequence[Group],
    request: Request,
    samples: int | None,
    make: Callable[[Group, list[Measured], list[str]], Part],
    *,
    keep_going: bool = False,
) -> Part:
    """Return the tables and charts that ``make`` draws of each group's rows and failures.

    A few designs at a time are measured. ``samples`` are the simulated operations for a mean cycle
    count; None takes the contract's fixed latency. A design that can't be measured raises
    MontforgeError; with ``keep_going`` it is a line of the failures. A group without its target
    is a table that says why, under ``title``; but if ``request`` names the target, raises
    ToolMissingError or InputFileError. Raises ParameterError for a target without areas in um2.
    """
    absent: dict[str, str] = {}
    for target in dict.fromkeys(group.target for group in groups):
        try:
            _check_cell_target(target)
        except (ToolMissingError, InputFileError) as error:
            if target in request.targets:
                raise
            absent[target] = f"Not measured: {error}"
    jobs = [
        partial(_row, entry, published, group, request, samples, keep_going)
        for group in groups
        if group.target not in absent
        for entry, published in group.designs
    ]
    results = iter(results_of(jobs, JOBS, Progress(request.progress, len(jobs))))

    def part(group: Group) -> Part:
        if group.target in absent:
            reason = (absent[group.target],)
            return [Table(f"{title} on {group.place}", (source.label_column,), (), reason)], []
        found = list(islice(results, len(group.designs)))
        failures = [each for each in found if isinstance(each, str)]
        return make(group, [each for each in found if not isinstance(each, str)], failures)

    return joined(map(part, groups))


def _row(
    entry: PaperDesign,
    published: Published,
    group: Group,
    request: Request,
    samples: int | None,
    keep_going: bool,
) -> Measured | str:
    try:
        chosen = entry.at_width(group.width)
        cycles = cycles_of(chosen, samples, request.seed)
        result = measure(
            chosen,
            group.target,
            cycles=cycles,
            workers=1,
            effort=request.effort,
            placed=_is_placed(group.target, request),
        )
    except (ToolMissingError, InputFileError):
        raise
    except MontforgeError as error:
        if not keep_going:
            raise
        return f"{entry.label}: not measured: {error}"
    return Measured(entry, chosen, published, cycles, result)


def cycles_of(chosen: Core, samples: int | None, seed: int) -> float:
    """Return the mean cycles of ``samples`` operations; without any, the contract's fixed latency.

    Raises CheckFailedError for a wrong result or count.
    """
    if samples is None:
        return chosen.contract.latency.minimum
    return correct_cycles(chosen, samples=samples, seed=seed, workers=1).mean


def _check_cell_target(name: str) -> None:
    """Raise ParameterError for a target that has no area in um2; else as `find_target`."""
    target = find_target(name)
    if not isinstance(target, StandardCells) or target.area_unit != "um2":
        raise ParameterError(
            f"target {name} gives no area in um2, which this table has; name a standard-cell"
            " library, such as osu018."
        )


def _is_placed(target: str, request: Request) -> bool:
    """Return whether rows on ``target`` have figures with wires: if there is data of its wires.

    A target that the request names is placed in any case, so that its error is seen.
    """
    return request.placed and (target in placed_targets() or target in request.targets)


def placed_columns(rows: Sequence[Measured]) -> Columns:
    """Return the columns of the placed and sized netlists, none if ``rows`` are not placed."""

    def column(name: str, scale: float = 1.0) -> Callable[[Measured], Cell]:
        return lambda row: None if row.placed is None else row.placed[name] * scale

    if all(row.placed is None for row in rows):
        return {}
    return {
        "period ns, placed": column("period_placed"),
        "period ns, sized": column("period_sized"),
        "area um2, sized": column("area_sized"),
        "area*time 1e3 um2 us, sized": column("area_time", 1e-6),
    }


def beside(name: str, ours: Callable[[Measured], Cell], key: str) -> Columns:
    """Return the columns of a measured figure and of the paper's figure ``key``."""
    return {name: ours, f"{name}, paper": lambda row: row.paper(key)}


def ratio_table(
    title: str,
    source: Paper,
    rows: Sequence[Measured],
    base: Measured,
    figures: Mapping[str, tuple[Figure, str]],
) -> Table:
    """Return measured figures relative to the row ``base``, each beside the paper's ratio.

    A figure has its column's name, a function of a row, and its key in `Row.published`.
    """

    def ours(value: Figure) -> Callable[[Measured], Cell]:
        return lambda row: round(value(row) / value(base), 3)

    def theirs(key: str) -> Callable[[Measured], Cell]:
        def ratio(row: Measured) -> float | None:
            both = key in base.published and key in row.published
            return round(row.published[key] / base.published[key], 3) if both else None

        return ratio

    columns: Columns = {source.label_column: lambda row: row.label}
    for name, (value, key) in figures.items():
        columns |= {name: ours(value), f"{name}, paper": theirs(key)}
    return Table.of(title, rows, columns)
