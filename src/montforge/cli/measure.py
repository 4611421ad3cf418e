# SPDX-License-Identifier: Apache-2.0
"""``montforge measure``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from montforge.arch import Design
from montforge.arch.parameter import named_values
from montforge.cli.common import (
    FormOption,
    JsonOption,
    NetlistCheckOption,
    ParameterOption,
    chosen_design,
    integer,
    options_of,
    output,
    print_json,
    show_progress,
)
from montforge.errors import ParameterError
from montforge.hardware.fpga import Fpga
from montforge.measure import Target, find_target
from montforge.measure import measure as measure_design
from montforge.measure.own_rtl import measure_own
from montforge.verify import mean_latency

SEEDS, SAMPLES = 3, 2000


def measure(
    name: Annotated[
        list[str] | None,
        typer.Argument(metavar="ARCH", help="An architecture, or with --rtl more files."),
    ] = None,
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
        typer.Option(min=1, help="Goal of placements in MHz (default: the target's)."),
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
    rtl: Annotated[
        list[Path] | None,
        typer.Option(help="Own files in place of ARCH: Verilog, SystemVerilog, or VHDL."),
    ] = None,
    top: Annotated[str | None, typer.Option(help="With --rtl: the module to measure.")] = None,
    clock: Annotated[
        str | None, typer.Option(help="With --rtl: the input that clocks all registers (clk).")
    ] = None,
    cycles: Annotated[
        float | None, typer.Option(help="With --rtl: the cycles of an operation.")
    ] = None,
    rtl_parameter: Annotated[
        list[str] | None,
        typer.Option("-P", metavar="NAME=VALUE", help="With --rtl: a parameter of the module."),
    ] = None,
    json_output: JsonOption = False,
) -> None:
    """Measure area, clock period and latency on a target: of a design, or of own RTL."""
    if target is None and liberty is None:
        raise ParameterError("name a target (--target osu018) or a Liberty file (--liberty FILE).")
    of_placements = {"--seeds": seeds, "--frequency": frequency}
    _refuse_elsewhere(find_target(target, liberty), of_placements, effort, netlist_check)
    common: dict[str, Any] = {
        "liberty": liberty,
        "seeds": SEEDS if seeds is None else seeds,
        "frequency": frequency,
        "effort": effort or "full",
    }
    of_own = {"--top": top, "--cycles": cycles, "--clock": clock, "-P": rtl_parameter}
    of_library = {
        "-p": parameter, "--form": form, "--samples": samples, "--netlist-check": netlist_check
    }  # fmt: skip
    with show_progress("measure") as advance:
        common["progress"] = advance
        if rtl:
            _refuse_given(of_library, "it is for an architecture, not for --rtl")
            if top is None or cycles is None:
                raise ParameterError("--rtl needs --top NAME and --cycles N, a latency in cycles.")
            result = measure_own(
                [*rtl, *map(Path, name or ())],
                top,
                target,
                cycles=cycles,
                clock=clock or "clk",
                parameters=_integers(rtl_parameter),
                **common,
            )
        else:
            _refuse_given(of_own, "it is for own files (--rtl FILE)")
            if name is None or len(name) != 1:
                raise ParameterError("name one architecture, or own files by --rtl FILE.")
            chosen = chosen_design(name[0], parameter, form)
            _refuse_samples(chosen, samples)
            given = {"samples": samples or SAMPLES}
            mean = mean_latency(chosen, **options_of(mean_latency.dispatch(type(chosen)), given))
            common["netlist_check"] = netlist_check
            result = measure_design(chosen, target, cycles=mean, **common)
    if json_output:
        print_json(result.to_json())
    else:
        output.print(str(result), markup=False, highlight=False)


def _integers(words: list[str] | None) -> dict[str, int]:
    """Return the values of ``NAME=VALUE`` words of -P. Raises ParameterError."""
    found = named_values(words or ()).items()
    return {name: integer(f"-P {name}", text) or 0 for name, text in found}


def _refuse_given(options: dict[str, Any], why: str) -> None:
    """Raise ParameterError if one of ``options`` is given."""
    for option, value in options.items():
        if value is not None and value is not False:
            raise ParameterError(f"{option} has no effect: {why}; leave it out.")


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
        if of_placements["--frequency"] is not None and target.family.oscillator:
            raise ParameterError(
                f"--frequency has no effect on {target.name}: the goal is the oscillator's; leave"
                " it out."
            )
        if placing and not target.is_placed:
            raise ParameterError(
                f"{placing[0]} has no effect on {target.name}: nothing is placed there; leave it"
                " out."
            )
    elif placing:
        raise ParameterError(
            f"{placing[0]} has no effect on {target.name}: placements are for FPGAs; leave it out."
        )
