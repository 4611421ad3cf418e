# SPDX-License-Identifier: Apache-2.0
"""``montforge store``."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from montforge import store as results
from montforge.cli.common import DaskOption, WorkersOption, output, refuse_given
from montforge.errors import InputFileError, ParameterError
from montforge.store.export import export as write_export
from montforge.store.fill import fill, read_grid, stale_parts
from montforge.store.placed import STOPPED, Wanted, estimate, missing, place_results


def store(
    context: typer.Context,
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
    placed: Annotated[
        bool,
        typer.Option(
            "--placed",
            help="Place stored designs instead, those on the frontiers of a width and the first"
            " ones of pick, and add figures with wires to their rows.",
        ),
    ] = False,
    arch: Annotated[
        list[str] | None,
        typer.Option(
            metavar="ARCH", help="With --placed: all rows of this architecture; several times."
        ),
    ] = None,
    seconds: Annotated[
        float,
        typer.Option(
            min=1,
            help="With --placed: designs that take more by an estimate are left out, and those"
            f" that take {STOPPED:.0f} times as long are stopped.",
        ),
    ] = 900.0,
    plan: Annotated[
        bool, typer.Option("--plan", help="With --placed: place nothing, print what would be.")
    ] = False,
    export: Annotated[
        Path | None,
        typer.Option(
            help="Measure nothing; write the results into this file: .csv, .json, .parquet."
        ),
    ] = None,
) -> None:
    """Measure the designs of the store's grid that its results lack, and all rows that are stale.

    With a grid of one's own, its designs alone. With --placed, place those that are there.
    """
    place = path or Path(results.__file__).with_name(results.RESULTS)
    if not place.is_file():
        raise InputFileError(f"there is no file {place}; an empty one begins new results.")
    if not placed:
        refuse_given(context, ["arch", "seconds", "plan"], "it is for --placed")
    if export is not None:
        idle = ["grid", "retry", "workers", "dask", "placed"]
        refuse_given(context, idle, "--export measures nothing")
        rows = results.read_results(place.read_text(encoding="utf-8"))
        kept = [row for row in rows if _is_wanted(row, target, width)]
        write_export(kept, export)
        return
    if placed:
        refuse_given(context, ["grid", "retry"], "--placed takes the designs of the results")
        wanted = Wanted(target or (), width or (), arch or ())
        if plan:
            _plan(missing(wanted.rows(results.read_results(place.read_text("utf-8")))), seconds)
        else:
            place_results(place, wanted, seconds, workers=workers, dask=dask, report=_placed_line)
        return
    parts = read_grid(grid)
    if grid is None:
        parts += stale_parts(results.read_results(place.read_text(encoding="utf-8")), parts)
    parts = [
        replace(part, designs=tuple(d for d in part.designs if not width or d.size in width))
        for part in parts
        if not target or part.target in target
    ]
    if not any(part.designs for part in parts):
        raise ParameterError("the grid has no design of these targets and widths.")
    fill(place, parts, workers=workers, dask=dask, retry=retry, report=_line)


def _is_wanted(row: results.Result, target: list[str] | None, width: list[int] | None) -> bool:
    return (not target or row.target in target) and (not width or row.size in width)


def _line(new: results.Result, old: results.Result | None) -> None:
    """Print a row, and how it differs from the one that it replaces."""
    if new.message:
        text = f"left out: {new.message}"
    elif old is None or old.message:
        text = "new"
    else:
        text = _change(old, new) or "as before"
    _print(f"{_name(new)}: {text}")


def _name(row: results.Result) -> str:
    return f"{row.target} {row.size} bits, {row.label}"


def _print(text: str) -> None:
    output.print(text, markup=False, highlight=False, soft_wrap=True)


def _plan(rows: list[results.Result], most_seconds: float) -> None:
    """Print the rows to be placed, and the processor seconds that they take about."""
    total = 0.0
    for row in rows:
        seconds = estimate(row)
        is_left_out = seconds > most_seconds
        total += 0 if is_left_out else seconds
        _print(f"{_name(row)}: {seconds:.0f} s{' (left out)' * is_left_out}")
    _print(f"{total / 60:.0f} processor minutes, and the synthesis of what is not in the cache.")


def _placed_line(old: results.Result, new: results.Result, message: str) -> None:
    """Print the figures with wires of a row, or why it has none."""
    if message:
        _print(f"{_name(old)}: left out: {message}")
        return
    found = new.placed
    assert found is not None
    other = _change(old, new)
    _print(
        f"{_name(old)}: period {new.period:.4g} ns, placed {found['period_placed']:.4g} ns, sized"
        f" {found['period_sized']:.4g} ns{f'; since the stored row: {other}' if other else ''}"
    )


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
