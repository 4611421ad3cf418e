# SPDX-License-Identifier: Apache-2.0
"""``montforge reproduce``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from montforge.cli.common import (
    EffortOption,
    JsonOption,
    PlacedOption,
    output,
    print_json,
    show_progress,
)
from montforge.papers import reproduce as reproduce_paper
from montforge.work.limits import check_output_folder


def reproduce(
    paper: Annotated[str, typer.Argument(metavar="PAPER", help="A paper, such as kuang2016.")],
    table: Annotated[
        str | None, typer.Option(help="A table of the paper (default: all of them).")
    ] = None,
    target: Annotated[
        list[str] | None, typer.Option(help="Measure on these targets (default: the table's).")
    ] = None,
    width: Annotated[
        list[int] | None, typer.Option(help="Only these widths (default: the table's).")
    ] = None,
    samples: Annotated[
        int | None, typer.Option(min=1, help="Operations (default: the paper's number).")
    ] = None,
    effort: EffortOption = "full",
    placed: PlacedOption = False,
    out: Annotated[
        Path | None, typer.Option("-o", "--output", help="Write the pages into this folder.")
    ] = None,
    seed: Annotated[int, typer.Option(min=0, help="Seed of the random operands.")] = 1,
    json_output: JsonOption = False,
) -> None:
    """Put a paper's published figures beside measured ones."""
    if out is not None:
        check_output_folder(out)
    with show_progress("reproduce") as advance:
        result = reproduce_paper(
            paper,
            table=table,
            targets=tuple(target or ()),
            widths=tuple(width or ()),
            samples=samples,
            effort=effort,
            placed=placed,
            seed=seed,
            progress=advance,
        )
    if out is not None:
        result.write(out)
    if json_output:
        print_json(result.to_json())
        return
    for part in result.tables:
        output.print(part.to_rich())
    if out is not None:
        output.print(f"pages: {out}")
