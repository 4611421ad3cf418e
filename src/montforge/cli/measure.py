# SPDX-License-Identifier: Apache-2.0
"""``montforge measure``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from montforge.arch.parameter import named_values
from montforge.cli.common import (
    ClockGatingOption,
    EffortOption,
    FormOption,
    JsonOption,
    LibertyOption,
    NetlistCheckOption,
    ParameterOption,
    PlacedOption,
    SamplesOption,
    TargetOption,
    chosen_design,
    integer,
    options_of,
    refuse_given,
    show,
    show_progress,
)
from montforge.errors import ParameterError
from montforge.hardware.fpga import Fpga
from montforge.measure import Target, find_target
from montforge.measure import measure as measure_design
from montforge.measure.own_rtl import measure_own
from montforge.verify import mean_latency

OF_PLACEMENTS, OF_CELLS = (
    ("seeds", "frequency"),
    (
        "effort",
        "netlist_check",
        "clock_gating",
        "placed",
    ),
)
OF_OWN = ("top", "cycles", "clock", "rtl_parameter")
OF_LIBRARY = ("parameter", "form", "samples", "netlist_check")
"""Options, by their Python parameters, that are for some targets or for some designs."""


def measure(
    context: typer.Context,
    name: Annotated[
        list[str] | None,
        typer.Argument(metavar="ARCH", help="An architecture, or with --rtl more files."),
    ] = None,
    parameter: ParameterOption = None,
    form: FormOption = None,
    target: TargetOption = None,
    liberty: LibertyOption = None,
    seeds: Annotated[
        int, typer.Option(min=0, help="Placement seeds on an FPGA; 0: synthesis only.")
    ] = 3,
    frequency: Annotated[
        int | None,
        typer.Option(min=1, help="Goal of placements in MHz (default: the target's)."),
    ] = None,
    effort: EffortOption = "full",
    netlist_check: NetlistCheckOption = False,
    clock_gating: ClockGatingOption = False,
    placed: PlacedOption = False,
    seed: Annotated[int, typer.Option(min=0, help="With --placed: seed of the placement.")] = 1,
    samples: SamplesOption = 2000,
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
    _refuse_elsewhere(context, find_target(target, liberty))
    if not placed:
        refuse_given(context, ["seed"], "it is for --placed")
    with show_progress("measure") as advance:
        common = options_of(measure_design, locals()) | {"progress": advance}
        if rtl:
            refuse_given(context, OF_LIBRARY, "it is for an architecture, not for --rtl")
            if top is None or cycles is None:
                raise ParameterError("--rtl needs --top NAME and --cycles N, a latency in cycles.")
            files = [*rtl, *map(Path, name or ())]
            values = _integers(rtl_parameter)
            result = measure_own(files, top, clock=clock or "clk", parameters=values, **common)
        else:
            refuse_given(context, OF_OWN, "it is for own files (--rtl FILE)")
            if name is None or len(name) != 1:
                raise ParameterError("name one architecture, or own files by --rtl FILE.")
            chosen = chosen_design(name[0], parameter, form)
            if not chosen.needs_samples:
                refuse_given(
                    context,
                    ["samples"],
                    f"the latency of {chosen} is fixed, so that there is no mean to be found",
                )
            given = {"samples": samples}
            mean = mean_latency(chosen, **options_of(mean_latency.dispatch(type(chosen)), given))
            result = measure_design(chosen, **common | {"cycles": mean})
    show(json_output, result.to_json(), str(result))


def _integers(words: list[str] | None) -> dict[str, int]:
    """Return the values of ``NAME=VALUE`` words of -P. Raises ParameterError."""
    found = named_values(words or ()).items()
    return {name: integer(f"-P {name}", text) or 0 for name, text in found}


def _refuse_elsewhere(context: typer.Context, target: Target) -> None:
    """Raise ParameterError, with the rule, for an option that is for targets of another kind."""
    where = f" on {target.name}"
    if not isinstance(target, Fpga):
        refuse_given(context, OF_PLACEMENTS, "placements are for FPGAs", where=where)
        return
    refuse_given(context, OF_CELLS, "it is for standard cells", where=where)
    if target.family.oscillator:
        refuse_given(context, ["frequency"], "the goal is the oscillator's", where=where)
    if not target.is_placed:
        refuse_given(context, OF_PLACEMENTS, "nothing is placed there", where=where)
