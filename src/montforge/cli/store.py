# SPDX-License-Identifier: Apache-2.0
"""``montforge store``."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from montforge import store as results
from montforge.cli.common import DaskOption, WorkersOption, output
from montforge.errors import InputFileError, ParameterError
from montforge.store.export import export as write_export
from montforge.store.fill import fill, read_grid


def store(
    path: Annotated[
        Path | None,
        typer.Option("--results", help="The results to renew (default: those of the package)."),
    ] = None,
    grid: Annotated[
        Path | None, typer.Option(help="A TOML file with [[part]] tables (default: the package's).")
    ] = None,
    target: Annotated[
        list[str] | None, typer.Option(help="Only on this target; may be given several times.")
    ] = None,
    width: Annotated[list[int] | None, typer.Option(help="Only of these widths.")] = None,
    retry: Annotated[
        bool, typer.Option("--retry", help="Try designs again that were left out.")
    ] = False,
    workers: WorkersOption = None,
    dask: DaskOption = None,
    export: Annotated[
        Path | None,
        typer.Option(
            help="Measure nothing; write the results into this file: .csv, .json, .parquet."
        ),
    ] = None,
) -> None:
    """Measure the designs of the store's grid that its results lack, or that are stale in them."""
    place = path or Path(results.__file__).with_name(results.RESULTS)
    if not place.is_file():
        raise InputFileError(f"there is no file {place}; an empty one begins new results.")
    if export is not None:
        given = {"--grid": grid, "--retry": retry, "--workers": workers, "--dask": dask}
        if named := [option for option, value in given.items() if value]:
            raise ParameterError(f"--export measures nothing, so {named[0]} has no effect.")
        rows = results.read_results(place.read_text(encoding="utf-8"))
        kept = [row for row in rows if _is_wanted(row, target, width)]
        write_export(kept, export)
        return
    parts = [
        replace(part, designs=tuple(d for d in part.designs if not width or d.size in width))
        for part in read_grid(grid)
        if not target or part.target in target
    ]
    if not any(part.designs for part in parts):
        raise ParameterError("the grid has no design of these targets and widths.")
    fill(place, parts, workers=workers, dask=dask, retry=retry, report=_line)


def _is_wanted(row: results.Result, target: list[str] | None, width: list[int] | None) -> bool:
    return (not target or row.target in target) and (not width or row.size in width)


def _line(new: results.Result, old: results.Result | None) -> None:
    """Print a row, and how it differs from the one that it replaces."""
    name = f"{new.target} {new.size} bits, {new.label}"
    if new.message:
        text = f"left out: {new.message}"
    else:
        text = "new" if old is None else "as before"
        if old is not None and (change := _change(old, new)):
            text = change
    output.print(f"{name}: {text}", markup=False, highlight=False, soft_wrap=True)


def _change(old: results.Result, new: results.Result) -> str:
    """Return which figures changed, in percent."""
    pairs = {
        name: (getattr(old, name), getattr(new, name)) for name in ("area", "period", "cycles")
    }
    return ", ".join(
        f"{name} {100 * (now / before - 1):+.1f}%"
        for name, (before, now) in pairs.items()
        if before and now and before != now
    )
