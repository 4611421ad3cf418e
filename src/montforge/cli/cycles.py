# SPDX-License-Identifier: Apache-2.0
"""``montforge cycles``."""

from __future__ import annotations

from typing import Annotated

import typer

from montforge.cli.common import (
    FormOption,
    JsonOption,
    Name,
    ParameterOption,
    SeedOption,
    WorkersOption,
    chosen_design,
    output,
    print_json,
    run_call,
)
from montforge.papers import published_cycles
from montforge.verify import measure_cycles


def cycles(
    context: typer.Context,
    name: Name,
    parameter: ParameterOption = None,
    form: FormOption = None,
    samples: Annotated[
        int | None,
        typer.Option(min=1, help="Random operations (default: 2000, fewer of slow cores)."),
    ] = None,
    seed: SeedOption = None,
    workers: WorkersOption = None,
    json_output: JsonOption = False,
) -> None:
    """Measure cycles of the RTL, check the model's prediction of each, show published counts."""
    chosen = chosen_design(name, parameter, form)
    call = measure_cycles.dispatch(type(chosen))
    report = run_call(context, call, chosen, locals())
    published = published_cycles(chosen)
    core = chosen.core_cycles
    if json_output:
        latency = chosen.contract.to_json().get("latency", {"text": chosen.latency_text})
        extra = {"latency": latency, "core_cycles": core, "published": published}
        print_json({**report.to_json(), **extra})
    else:
        output.print(str(report))
        output.print(f"  contract: {chosen.latency_text}")
        if core is not None:
            output.print(f"  core alone, without loading and collecting: {core} cycles")
        for row in published:
            text = f"  published: {row['cycles']} ({row['label']}, {row['paper']})"
            if row["adjustment"]:
                text += f", with loading and collecting {row['adjusted']}"
            output.print(text)
    if report.failed:
        raise typer.Exit(1)
