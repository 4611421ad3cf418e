# SPDX-License-Identifier: Apache-2.0
"""``montforge leak``."""

from __future__ import annotations

from typing import Annotated

import typer

from montforge.arch import design
from montforge.arch.parameter import named_values
from montforge.cli.common import (
    JsonOption,
    Name,
    ParameterOption,
    SeedOption,
    drawn_seed,
    output,
    refuse_given,
    show,
    show_progress,
)
from montforge.errors import CHECK_FAILED
from montforge.leak import MODELS, NOT_MASKED, EngineLeakReport, LeakReport
from montforge.leak import faults as find_faults
from montforge.leak import leak as find_leaks

FAULT_TRIALS, OPERATIONS = 20_000, 5000


def leak(
    context: typer.Context,
    name: Name,
    parameter: ParameterOption = None,
    faults: Annotated[
        bool, typer.Option("--faults", help="Flip single register bits instead.")
    ] = False,
    model: Annotated[
        str, typer.Option(help=f"Activity that is counted: {' or '.join(MODELS)}.")
    ] = MODELS[0],
    noise: Annotated[
        float, typer.Option(help="Noise beside the activity, as a multiple of its deviation.")
    ] = 10.0,
    samples: Annotated[
        int | None,
        typer.Option(help=f"Operations (default: {OPERATIONS:,}; {FAULT_TRIALS:,} faults)."),
    ] = None,
    seed: SeedOption = None,
    timeout: Annotated[float, typer.Option(min=1, help="Seconds for each experiment.")] = 600.0,
    json_output: JsonOption = False,
) -> None:
    """Show where a design's time and activity follow its operands, or what single faults do.

    Exit status 1: the null test finds a difference, so that no finding counts.
    """
    chosen_design = design(name, **named_values(parameter or ()))
    if faults:
        refuse_given(context, ("model", "noise"), "faults are no activity", where=" with --faults")
    with drawn_seed(seed) as chosen, show_progress("leak") as progress:
        if faults:
            campaign = find_faults(
                chosen_design,
                samples=FAULT_TRIALS if samples is None else samples,
                seed=chosen,
                timeout=timeout,
            )
            show(json_output, campaign.to_json(), campaign.table().to_rich())
            return
        report = find_leaks(
            chosen_design,
            model=model,
            samples=OPERATIONS if samples is None else samples,
            noise=noise,
            seed=chosen,
            timeout=timeout,
            progress=progress,
        )
    if json_output:
        show(True, report.to_json(), None)
    else:
        _print(report)
    if not report.is_valid:
        raise typer.Exit(CHECK_FAILED)


def _print(report: LeakReport | EngineLeakReport) -> None:
    output.print(f"time: {report.time}")
    output.print(report.table().to_rich())
    if not report.is_valid:
        output.print("The null test finds a difference: no finding counts. Try another seed.")
    output.print(NOT_MASKED)
