# SPDX-License-Identifier: Apache-2.0
"""``montforge cycles``."""

from __future__ import annotations

from typing import Annotated

import typer

from montforge.arch import ENGINE
from montforge.cli.common import (
    FormOption,
    JsonOption,
    Name,
    ParameterOption,
    SeedOption,
    WorkersOption,
    check_engine,
    chosen_design,
    drawn_seed,
    output,
    print_json,
    refuse_others,
    show_progress,
)
from montforge.hardware.forms import PARALLEL
from montforge.papers import published_cycles
from montforge.verify import measure_cycles


def cycles(
    context: typer.Context,
    name: Name,
    parameter: ParameterOption = None,
    form: FormOption = PARALLEL,
    samples: Annotated[
        int | None,
        typer.Option(min=1, help="Random operations (default: 2000, fewer of slow cores)."),
    ] = None,
    seed: SeedOption = None,
    workers: WorkersOption = None,
    json_output: JsonOption = False,
) -> None:
    """Measure cycles of the RTL, check the model's prediction of each, show published counts."""
    if name == ENGINE:
        refuse_others(context, "parameter", "samples", "seed", "json_output")
        check_engine(parameter, samples, seed, json_output=json_output, errors=False)
        return
    chosen = chosen_design(name, parameter, form)
    with drawn_seed(seed) as chosen_seed, show_progress("cycles") as advance:
        report = measure_cycles(
            chosen, samples=samples, seed=chosen_seed, workers=workers, progress=advance
        )
    published = published_cycles(chosen)
    core = chosen.core_cycles
    if json_output:
        latency = chosen.contract.to_json()["latency"]
        extra = {"latency": latency, "core_cycles": core, "published": published}
        print_json({**report.to_json(), **extra})
    else:
        output.print(str(report), markup=False, highlight=False)
        text = chosen.contract.cycles_text(chosen.contract.latency)
        output.print(f"  contract: {text}", markup=False, highlight=False)
        if core is not None:
            output.print(f"  core alone, without loading and collecting: {core} cycles")
        for row in published:
            text = f"  published: {row['cycles']} ({row['label']}, {row['paper']})"
            if row["adjustment"]:
                text += f", with loading and collecting {row['adjusted']}"
            output.print(text, markup=False, highlight=False)
    if report.mismatches or report.model_mismatches:
        raise typer.Exit(1)
