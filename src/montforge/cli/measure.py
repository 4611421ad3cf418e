# SPDX-License-Identifier: Apache-2.0
"""``montforge measure``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from montforge.arch import Design
from montforge.cli.common import (
    FormOption,
    JsonOption,
    Name,
    NetlistCheckOption,
    ParameterOption,
    chosen_design,
    options_of,
    output,
    print_json,
    show_progress,
)
from montforge.errors import ParameterError
from montforge.hardware.fpga import Fpga
from montforge.measure import Target, find_target
from montforge.measure import measure as measure_design
from montforge.verify import mean_latency

SEEDS, SAMPLES = 3, 2000


def measure(
    name: Name,
    parameter: ParameterOption = None,
    form: FormOption = None,
    target: Annotated[
        str | None, typer.Option(help="A target, such as osu018, nangate45, ecp5-85k, xcup.")
    ] = None,
    liberty: Annotated[
        Path | None, typer.Option(help="A Liberty file to measure on, plain or gzip.")
    ] = None,
    seeds: Annotated[
        int | None,
        typer.Option(min=0, help="Placement seeds on an FPGA (default: 3); 0: synthesis only."),
    ] = None,
    frequency: Annotated[
        int | None,
        typer.Option(min=1, help="Goal of placements on an ECP5 in MHz (default: the target's)."),
    ] = None,
    effort: Annotated[
        str | None,
        typer.Option(
            help="Synthesis on standard cells: full (the default), or quick (two or three points)."
        ),
    ] = None,
    netlist_check: NetlistCheckOption = False,
    samples: Annotated[
        int | None,
        typer.Option(
            min=1, help="Operations for the mean latency, if it depends on data (default: 2000)."
        ),
    ] = None,
    json_output: JsonOption = False,
) -> None:
    """Measure area, clock period and latency on a target."""
    chosen = chosen_design(name, parameter, form)
    if target is None and liberty is None:
        raise ParameterError("name a target (--target osu018) or a Liberty file (--liberty FILE).")
    of_placements = {"--seeds": seeds, "--frequency": frequency}
    _refuse_elsewhere(find_target(target, liberty), of_placements, effort, netlist_check)
    common: dict[str, Any] = {
        "liberty": liberty,
        "seeds": SEEDS if seeds is None else seeds,
        "frequency": frequency,
        "effort": effort or "full",
        "netlist_check": netlist_check,
    }
    _refuse_samples(chosen, samples)
    of_mean = options_of(mean_latency.dispatch(type(chosen)), {"samples": samples or SAMPLES})
    with show_progress("measure") as advance:
        cycles = mean_latency(chosen, **of_mean)
        result = measure_design(chosen, target, cycles=cycles, progress=advance, **common)
    if json_output:
        print_json(result.to_json())
    else:
        output.print(str(result), markup=False, highlight=False)


def _refuse_samples(design: Design, samples: int | None) -> None:
    """Raise ParameterError, with the rule, for samples that would change nothing."""
    if samples is not None and not design.needs_samples:
        raise ParameterError(
            f"--samples has no effect: the latency of {design} is fixed, so that there is no mean"
            " to be found; leave it out."
        )


def _refuse_elsewhere(
    target: Target, of_placements: dict[str, int | None], effort: str | None, netlist_check: bool
) -> None:
    """Raise ParameterError, with the rule, for an option that is for targets of another kind."""
    placing = [option for option, value in of_placements.items() if value is not None]
    if isinstance(target, Fpga):
        if effort is not None or netlist_check:
            option = "--effort" if effort is not None else "--netlist-check"
            raise ParameterError(
                f"{option} has no effect on {target.name}: it is for standard cells; leave it out."
            )
        if placing and target.kind != "ecp5":
            raise ParameterError(
                f"{placing[0]} has no effect on {target.name}: nothing is placed there; leave it"
                " out."
            )
    elif placing:
        raise ParameterError(
            f"{placing[0]} has no effect on {target.name}: placements are for FPGAs (ecp5-*); leave"
            " it out."
        )
