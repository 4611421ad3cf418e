# SPDX-License-Identifier: Apache-2.0
"""``montforge measure``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from montforge.arch import PARALLEL
from montforge.cli.common import (
    EffortOption,
    FormOption,
    JsonOption,
    Name,
    NetlistCheckOption,
    ParameterOption,
    chosen_design,
    output,
    print_json,
    show_progress,
)
from montforge.errors import ParameterError
from montforge.measure import find_target
from montforge.measure import measure as measure_design
from montforge.verify import mean_latency


def measure(
    name: Name,
    parameter: ParameterOption = None,
    form: FormOption = PARALLEL,
    target: Annotated[
        str | None, typer.Option(help="A target, such as osu018, nangate45, ecp5-85k, xcup.")
    ] = None,
    liberty: Annotated[
        Path | None, typer.Option(help="A Liberty file to measure on, plain or gzip.")
    ] = None,
    seeds: Annotated[
        int, typer.Option(min=0, help="Placement seeds on an FPGA; 0: synthesis only.")
    ] = 3,
    effort: EffortOption = "full",
    netlist_check: NetlistCheckOption = False,
    samples: Annotated[
        int, typer.Option(min=1, help="Operations for the mean latency, if it depends on data.")
    ] = 2000,
    json_output: JsonOption = False,
) -> None:
    """Measure area, clock period and latency on a target."""
    chosen = chosen_design(name, parameter, form)
    if target is None and liberty is None:
        raise ParameterError("name a target (--target osu018) or a Liberty file (--liberty FILE).")
    find_target(target, liberty)
    with show_progress("measure") as advance:
        result = measure_design(
            chosen,
            target,
            liberty=liberty,
            cycles=mean_latency(chosen, samples=samples),
            seeds=seeds,
            effort=effort,
            netlist_check=netlist_check,
            progress=advance,
        )
    if json_output:
        print_json(result.to_json())
    else:
        output.print(str(result), markup=False, highlight=False)
