# SPDX-License-Identifier: Apache-2.0
"""Placing the netlists of stored results: figures with wires for the designs that users see."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from montforge.arch import architecture, registry
from montforge.errors import ParameterError, ToolFailedError
from montforge.explore.executors import make_executor
from montforge.explore.explorer import LASTING
from montforge.explore.job import request_of
from montforge.explore.settings import SAMPLES, Settings
from montforge.explore.sources import liberty_path, pack_sources
from montforge.measure import find_target
from montforge.measure.measurement import measure_command
from montforge.measure.placed.technology import placed_targets, technology_of
from montforge.store import Result, read_results, results_text
from montforge.store.fill import SEEDS, replace_text
from montforge.store.pick import Request, pick

SITES_OF_A_CELL = 8.0
"""Sites that a cell takes on the average."""
MS_OF_A_CELL = 10.0
"""Processor time that placing, sizing and simulating take for each cell of a netlist.

It grows with the netlist and with each pull: of the designs of benchmarks/explore_256.toml that
`montforge explore --placed` placed on nangate45, none took less than 0.6 times as much, none more
than 2.3 times.
"""
STOPPED = 4.0
"""A job is stopped after so many times the limit of estimates; pulling takes up to that."""

Report = Callable[[Result, Result, str], None]
"""Gets a row as it was, as it is now, and the reason if it has no figures with wires."""


@dataclass(frozen=True)
class Wanted:
    """What is placed: rows of ``targets``, ``widths``, ``architectures``; empty: of all of them.

    Without ``architectures`` these are multipliers of any odd modulus that `pick` shows: those on a
    frontier of their width and target, and the first ones by area times latency.
    """

    targets: Sequence[str] = ()
    widths: Sequence[int] = ()
    architectures: Sequence[str] = ()

    def rows(self, results: Iterable[Result]) -> list[Result]:
        """Return the rows, those that take least time first.

        Raises ParameterError for none, and for targets without data of wires, UnknownNameError for
        unknown architectures.
        """
        for target in self.targets:
            technology_of(target)
        for name in self.architectures:
            architecture(name)
        measured = [
            row
            for row in results
            if row.target in (self.targets or placed_targets())
            and row.architecture in (self.architectures or registry())
            and row.time is not None
            and not row.is_own
        ]
        known = [row for row in measured if not self.widths or row.size in self.widths]
        if self.architectures:
            found = known
        else:
            places = dict.fromkeys((row.target, row.size) for row in known)
            found = [row for target, width in places for row in _shown(known, target, width)]
        if not found:
            kind = "" if self.architectures else " (of multipliers of any odd modulus)"
            widths = ", ".join(map(str, sorted({row.size for row in measured}))) or "none"
            raise ParameterError(
                f"the results have no measured row of these names to be placed{kind}; widths of"
                f" measured rows there: {widths}."
            )
        return sorted(found, key=estimate)


def _shown(rows: Iterable[Result], target: str, width: int) -> list[Result]:
    try:
        found = pick(Request(width=width, target=target), rows)
    except ParameterError:  # no multiplier of any odd modulus
        return []
    shown = [*found.shown, *found.on_frontier, *found.on_rate_frontier]
    return list({choice.stored.key_text: choice.stored for choice in shown}.values())


def estimate(row: Result) -> float:
    """Return the processor seconds that `place_results` takes for a row, about.

    The synthesis, if it is not in the cache, comes on top.
    """
    rows = technology_of(row.target)
    assert row.area is not None
    cells = row.area / (rows.row_um * rows.site_um * SITES_OF_A_CELL)
    return MS_OF_A_CELL * cells / 1e3


def missing(rows: Iterable[Result]) -> list[Result]:
    """Return the rows that have no figures with wires of today's sources and tools."""
    return [row for row in rows if row.placed is None or row.placed_stale or row.stale]


def place_results(
    path: Path,
    wanted: Wanted,
    most_seconds: float,
    *,
    workers: int | None = None,
    dask: str | None = None,
    report: Report | None = None,
) -> None:
    """Give the wanted rows of the results in ``path`` figures with wires; write each row at once.

    Rows that have them, of today's sources and tools, stay as they are, so that an interrupted
    call goes on where it stopped. A row whose other figures are still the same gets ``placed``
    alone; an older one is measured again. Those that `estimate` puts above ``most_seconds`` are
    left out; a job is stopped after `STOPPED` times that. Raises MontforgeError, also for a missing
    tool.
    """
    kept = {row.key_text: row for row in read_results(path.read_text(encoding="utf-8"))}
    todo = missing(wanted.rows(kept.values()))
    for target in dict.fromkeys(row.target for row in todo):
        rows = []
        for row in (row for row in todo if row.target == target):
            if (seconds := estimate(row)) <= most_seconds:
                rows.append(row)
            elif report is not None:
                report(row, row, f"about {seconds:.0f} s, above the limit")
        limit = STOPPED * most_seconds
        settings = Settings(target, workers=workers, dask=dask, time_limit=limit)
        for old, new, message in _placed(rows, settings):
            kept[old.key_text] = new
            replace_text(path, results_text(kept.values()))
            if report is not None:
                report(old, new, message)


def _placed(rows: list[Result], settings: Settings) -> Iterator[tuple[Result, Result, str]]:
    if not rows:
        return
    assert settings.target is not None
    target = find_target(settings.target)
    requests = [
        request_of(
            row.chosen,
            target=row.target,
            liberty=liberty_path(target),
            samples=SAMPLES,
            seeds=SEEDS,
            effort=row.effort or "full",
            placed=True,
        )
        for row in rows
    ]
    with make_executor(pack_sources(target), settings) as executor:
        for index, outcome in executor.run(requests):
            old = rows[index]
            if "figures" in outcome:
                # The job's own command names the copy of the Liberty file that it was sent.
                effort = old.effort or "full"
                command = measure_command(old.chosen.words, old.target, None, SEEDS, effort)
                yield old, _with(old, Result.of({**outcome["figures"], "command": command})), ""
            elif outcome["problem"] in LASTING:
                yield old, old, outcome["message"]
            else:
                raise ToolFailedError(outcome["message"])


def _with(old: Result, new: Result) -> Result:
    """Return ``old`` with the wires of ``new``, if its figures are today's, or else ``new``."""
    figures = ("area", "period", "cycles")
    if not old.stale and all(getattr(old, name) == getattr(new, name) for name in figures):
        return replace(old, placed=new.placed)
    return new
