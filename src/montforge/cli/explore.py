# SPDX-License-Identifier: Apache-2.0
"""``montforge explore``."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

from montforge.cli.common import (
    ClockGatingOption,
    DaskOption,
    EffortOption,
    FormOption,
    JsonOption,
    LibertyOption,
    NetlistCheckOption,
    OwnOption,
    SamplesOption,
    TargetOption,
    messages,
    options_of,
    output,
    print_json,
)
from montforge.errors import ParameterError
from montforge.explore import Settings, Status, StatusFunction, explore_space, write_exploration
from montforge.explore.files import check_folder
from montforge.explore.results import cost_with_wires, scaled_product
from montforge.explore.settings import SAMPLES, TIME_LIMIT
from montforge.explore.trials import SAMPLERS
from montforge.hardware.forms import PARALLEL


def explore(
    out: Annotated[
        Path, typer.Option("-o", "--output", help="Write the results into this folder.")
    ],
    width: Annotated[int, typer.Option(help="Bits of the modulus.")] = 256,
    target: TargetOption = None,
    liberty: LibertyOption = None,
    arch: Annotated[
        list[str] | None,
        typer.Option(
            "--arch", metavar="ARCH", help="Only this architecture; may be given several times."
        ),
    ] = None,
    space: Annotated[
        Path | None, typer.Option(help="A TOML file with [[space]] tables: ranges of parameters.")
    ] = None,
    points: Annotated[
        Path | None, typer.Option(help="A TOML file with [[point]] tables: a list of designs.")
    ] = None,
    form: FormOption = None,
    trials: Annotated[
        int | None,
        typer.Option(
            help="Number of designs to measure, which Optuna chooses near the frontier of a space"
            " of any size (extra search); without it all are measured."
        ),
    ] = None,
    sampler: Annotated[
        str, typer.Option(help="With --trials: " + ", ".join(SAMPLERS) + ".")
    ] = SAMPLERS[0],
    seed: Annotated[int, typer.Option(min=0, help="Seed of the search.")] = 1,
    samples: SamplesOption = SAMPLES,
    seeds: Annotated[int, typer.Option(help="Placement seeds on an FPGA.")] = 3,
    effort: EffortOption = "full",
    netlist_check: NetlistCheckOption = False,
    clock_gating: ClockGatingOption = False,
    placed: Annotated[
        bool,
        typer.Option(
            "--placed", help="Place the designs on the frontier, and compare these by their wires."
        ),
    ] = False,
    workers: Annotated[
        int | None, typer.Option(min=1, help="Designs at a time (default: all cores).")
    ] = None,
    dask: DaskOption = None,
    time_limit: Annotated[float, typer.Option(help="Seconds that a design may take.")] = TIME_LIMIT,
    memory_limit: Annotated[
        float | None,
        typer.Option(help="MB that a design may take (default: its share of the free memory)."),
    ] = None,
    retry: Annotated[
        bool, typer.Option("--retry", help="Try designs again that failed in earlier runs.")
    ] = False,
    own: OwnOption = None,
    json_output: JsonOption = False,
) -> None:
    """Measure a space of designs; draw and print the frontier of area and latency."""
    if target is None and liberty is None:
        raise ParameterError("name a target (--target nangate45) or a Liberty file (--liberty).")
    check_folder(out)
    listed = {
        "architectures": tuple(arch or ()),
        "form": form or PARALLEL,
        "own": tuple(own or ()),
    }
    settings = Settings(**options_of(Settings, {**locals(), **listed}))
    with _exploration_progress() as report:
        found = explore_space(settings, report)
    write_exploration(found, out)
    if json_output:
        print_json(found.to_json())
    else:
        output.print(found.table().to_rich())
        output.print(f"results: {out}")
    if any(row.message for row in found.rows):
        raise typer.Exit(1)


@contextmanager
def _exploration_progress() -> Iterator[StatusFunction]:
    """Print a line for each design, and on a terminal a bar below the lines."""

    def line(status: Status) -> None:
        row = status.last
        if row is None:
            return
        if row.status == "measured":
            area, time = cost_with_wires(row)
            figures = f"{area:,.0f} {row.area_unit}, {time:.4g} {row.time_unit}"
            figures += " with wires" if row.placed else f", product {scaled_product(row):.4g}"
            if row.memory_bits:
                figures += f", and {row.memory_bits:,} bits of memory"
        else:
            figures = f"failed: {row.message}"
        text = f"[{status.done}/{status.total}] {row.label}: {figures}"
        if not messages.is_terminal:
            text += f" ({_remaining(status)})"
        messages.print(text, soft_wrap=True)

    if not messages.is_terminal:
        yield line
        return
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    with Progress(*columns, console=messages, transient=True) as bar:
        task = bar.add_task("explore", total=None)

        def show(status: Status) -> None:
            line(status)
            text = f"explore, {status.failed} failed, {_remaining(status)}"
            bar.update(task, description=text, completed=status.done, total=status.total)

        yield show


def _remaining(status: Status) -> str:
    if status.remaining is None:
        return "no estimate yet"
    if status.remaining < 90:
        return f"about {status.remaining:.0f} s left"
    return f"about {status.remaining / 60:.0f} min left"
