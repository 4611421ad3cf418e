# SPDX-License-Identifier: Apache-2.0
"""Measuring the designs of the store's grid, and keeping each as soon as it is done."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any

from montforge.arch import Design, architecture, design
from montforge.arch.parameter import named_values
from montforge.errors import InputFileError, ParameterError, ToolFailedError, UnknownNameError
from montforge.explore.executors import make_executor
from montforge.explore.explorer import LASTING
from montforge.explore.job import request_of
from montforge.explore.settings import SAMPLES, Settings
from montforge.explore.sources import liberty_path, pack_sources
from montforge.measure import StandardCells, find_target
from montforge.measure.measurement import measure_command
from montforge.store import Result, key_of, read_results, results_text

EFFORT, SEEDS = "quick", 1
"""Of the designs of a grid, on standard cells and on an FPGA."""
_OTHERS_SECONDS = 900.0
"""The most that a design which is not in the grid may take."""


@dataclass(frozen=True)
class Part:
    """A part of the grid: designs on one target, of which one may take ``seconds``.

    On standard cells they are measured with ``effort``.
    """

    target: str
    seconds: float
    designs: tuple[Design, ...]
    effort: str = EFFORT


def read_grid(path: Path | None = None) -> list[Part]:
    """Return the parts of a grid file, of the package's without it.

    Of each of its designs there is one at each width that it exists at. Raises InputFileError.
    """
    place = files("montforge.store").joinpath("grid.toml") if path is None else path
    try:
        data = tomllib.loads(place.read_text(encoding="utf-8"))
        tables = [
            (str(t["target"]), float(t["seconds"]), list(t["widths"]), list(t["designs"]))
            for t in data["part"]
        ]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise InputFileError(
            f"{place} is no grid ({type(error).__name__}: {error}): it needs [[part]] tables with"
            " target, seconds, widths, designs."
        ) from None
    return [_part(*table) for table in tables]


def _part(target: str, seconds: float, widths: list[int], rows: list[str]) -> Part:
    designs: dict[Design, None] = {}
    try:
        asked = [(name, named_values(words)) for name, *words in map(str.split, rows)]
    except ParameterError as error:
        raise InputFileError(f"Of the grid's designs: {error}") from None
    for width in widths:
        for name, values in asked:
            try:
                sized = {architecture(name).size_parameter: str(width)}
                designs[design(name, **{**values, **sized})] = None
            except UnknownNameError as error:
                raise InputFileError(f"{name} of the grid: {error}") from None
            except ParameterError:  # not at this width
                continue
    return Part(target, seconds, tuple(designs))


def stale_parts(results: Iterable[Result], grid: Sequence[Part]) -> list[Part]:
    """Return the designs of stale rows that are not in ``grid``, a part a target and effort."""
    planned = {(part.target, part.effort, each) for part in grid for each in part.designs}
    others: dict[tuple[str, str], list[Design]] = {}
    for row in results:
        effort = row.effort or EFFORT
        if row.stale and (row.target, effort, row.chosen) not in planned:
            others.setdefault((row.target, effort), []).append(row.chosen)
    return [
        Part(target, _OTHERS_SECONDS, tuple(designs), effort)
        for (target, effort), designs in others.items()
    ]


def fill(
    path: Path,
    parts: list[Part],
    *,
    workers: int | None = None,
    dask: str | None = None,
    retry: bool = False,
    report: Callable[[Result, Result | None], None] | None = None,
) -> None:
    """Measure what the results of ``path`` lack or have stale, and write each row at once.

    ``workers`` designs at a time on this machine, or on the Dask cluster ``dask``. Designs that
    were left out are tried again with ``retry``. ``report`` gets each new row and the one that it
    replaces. Raises MontforgeError, also for a missing tool.
    """
    kept = {row.key_text: row for row in read_results(path.read_text(encoding="utf-8"))}
    for part in parts:
        for row in _measured(part, kept, workers, dask, retry):
            if report is not None:
                report(row, kept.get(row.key_text))
            kept[row.key_text] = row
            replace_text(path, results_text(kept.values()))


def _measured(
    part: Part, kept: dict[str, Result], workers: int | None, dask: str | None, retry: bool
) -> Iterator[Result]:
    target = find_target(part.target)
    effort = part.effort if isinstance(target, StandardCells) else None
    known = {each: kept.get(str(key_of(each, part.target, effort))) for each in part.designs}
    missing = [
        each for each, row in known.items() if row is None or row.stale or (retry and row.message)
    ]
    if not missing:
        return
    settings = Settings(
        part.target,
        effort=part.effort,
        seeds=SEEDS,
        workers=workers,
        dask=dask,
        time_limit=part.seconds,
    )
    requests = [
        request_of(
            each,
            target=part.target,
            liberty=liberty_path(target),
            samples=SAMPLES,
            seeds=SEEDS,
            effort=part.effort,
        )
        for each in missing
    ]
    with make_executor(pack_sources(target), settings) as executor:
        for index, outcome in executor.run(requests):
            figures: dict[str, Any] | None = outcome.get("figures")
            if figures is None and outcome["problem"] not in LASTING:
                raise ToolFailedError(outcome["message"])
            if figures is None:
                yield Result.refused(missing[index], part.target, effort, outcome["message"])
            else:
                # The job's own command names the copy of the Liberty file that it was sent.
                words = missing[index].words
                command = measure_command(words, part.target, None, SEEDS, part.effort)
                yield Result.of({**figures, "command": command})


def replace_text(path: Path, text: str) -> None:
    """Replace ``path`` as a whole, so that an interrupt leaves the old text or the new one."""
    made = path.with_name(f".{path.name}.new")
    made.write_text(text, encoding="utf-8")
    made.replace(path)
