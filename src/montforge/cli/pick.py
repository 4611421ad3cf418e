# SPDX-License-Identifier: Apache-2.0
"""``montforge pick``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from montforge.cli.common import JsonOption, options_of, output, print_json, show_progress
from montforge.explore.plot import frontier_chart
from montforge.store import read_results, with_others
from montforge.store.pick import FUNCTIONS, METRICS, RANGES, Picked, Request, renewed
from montforge.store.pick import pick as pick_design


def pick(
    width: Annotated[int, typer.Option(help="Bits of the widest modulus.")] = 256,
    target: Annotated[str, typer.Option(help="A target of the store.")] = "nangate45",
    max_area: Annotated[
        float | None, typer.Option(help="Largest area in um2; LUTs on an FPGA.")
    ] = None,
    max_latency: Annotated[
        float | None, typer.Option(help="Longest time of an operation in ns.")
    ] = None,
    max_interval: Annotated[
        float | None, typer.Option(help="Longest time between two operations in ns.")
    ] = None,
    constant_time: Annotated[
        bool, typer.Option("--constant-time", help="Only designs of constant time.")
    ] = False,
    result: Annotated[str, typer.Option(help="One of " + ", ".join(RANGES) + ".")] = "any",
    minimise: Annotated[
        str, typer.Option("--min", help="Rank by one of " + ", ".join(METRICS) + ".")
    ] = "product",
    function: Annotated[
        str, typer.Option(help="One of " + ", ".join(FUNCTIONS) + ".")
    ] = "multiply",
    estimate: Annotated[
        bool,
        typer.Option("--estimate", help="List designs between two measured widths as well, apart."),
    ] = False,
    modulus: Annotated[
        str,
        typer.Option(
            help="The one modulus of the task, an integer or a prime's name: designs that have it"
            " as a literal are ranked, too."
        ),
    ] = "",
    placed: Annotated[
        bool,
        typer.Option(
            "--placed",
            help="Rank by the figures of placed and sized netlists, and only designs that have"
            " them.",
        ),
    ] = False,
    plot: Annotated[
        Path | None, typer.Option(help="Draw all that fit, and their frontier (.png, .pdf).")
    ] = None,
    measure: Annotated[
        bool, typer.Option("--measure", help="Measure shown rows with older sources again.")
    ] = False,
    others: Annotated[
        list[Path] | None,
        typer.Option(
            "--with",
            help="Add own RTL (a file of measure --rtl --json) or rows of the store's format"
            " (.jsonl); may be given several times.",
        ),
    ] = None,
    json_output: JsonOption = False,
) -> None:
    """Choose a design from measured results: what fits, ranked, with the command that makes it."""
    request = Request(**options_of(Request, locals()))
    results = with_others(read_results(), others or (), target)
    found = pick_design(request, results)
    if measure:
        with show_progress("pick") as advance:
            found = pick_design(request, renewed(found, results, advance))
    if plot is not None and found.choices:
        time = "time between two operations" if found.by_rate else "time of an operation"
        frontier_chart(found.exploration(), time, mark_first=True).write(plot)
    if json_output:
        print_json(found.to_json())
    elif found.choices:
        output.print(found.table().condensed().to_rich())
        commands = [choice for choice in found.choices if choice.generate][:3]
        for number, choice in enumerate(commands, start=1):
            _line(f"{number}. {choice.generate}")
    elif not found.estimates:
        _misses(found)
    if found.estimates and not json_output:
        output.print(found.estimates_table().condensed().to_rich())
        for number, choice in enumerate(found.estimates[:3], start=1):
            _line(f"{number}. {choice.stored.command}")
    if not found.choices and not found.estimates:
        raise typer.Exit(1)


def _misses(found: Picked) -> None:
    _line("No stored design fits. The nearest, each with the one limit that it misses:")
    for miss in found.misses:
        needs = f"{miss.needs:,.5g}" if isinstance(miss.needs, float) else miss.needs
        choice = miss.choice
        area = f"{choice.area:,.0f} {choice.stored.area_unit or 'LUT'}"
        _line(f"  {choice.stored.label}: {miss.limit} {needs} ({area}, {choice.latency:.4g} ns)")
    if not found.misses:
        _line("  none: each design misses two limits or more; move more than one.")


def _line(text: str) -> None:
    output.print(text, markup=False, highlight=False, soft_wrap=True)
