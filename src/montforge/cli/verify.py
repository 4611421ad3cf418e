# SPDX-License-Identifier: Apache-2.0
"""``montforge verify``."""

from __future__ import annotations

from pathlib import Path
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
    run_call,
    show,
)
from montforge.programs.primes import read_modulus
from montforge.verify import ALL, MODES
from montforge.verify import verify as verify_design


def verify(
    context: typer.Context,
    name: Name,
    parameter: ParameterOption = None,
    form: FormOption = None,
    operations: Annotated[
        int | None,
        typer.Option(min=1, help="Random operations (default: 1000, fewer of slow cores)."),
    ] = None,
    mode: Annotated[str, typer.Option(help="One of " + ", ".join(MODES) + ".")] = ALL,
    chain_length: Annotated[
        int | None,
        typer.Option(min=1, help="Operations of a chain (default: 1000, fewer of slow cores)."),
    ] = None,
    modulus: Annotated[
        str | None,
        typer.Option(help="Use this modulus: decimal, hexadecimal with 0x, or a prime's name."),
    ] = None,
    vectors: Annotated[
        Path | None,
        typer.Option(
            help='JSON lines {"n", "a", "b"} in hexadecimal, checks a*b mod n, and "p"; of an'
            ' exponentiator {"n", "x", "e"}, checks x^e mod n, and "y".'
        ),
    ] = None,
    only: Annotated[
        int | None, typer.Option(min=0, help="Repeat just the operation of that index.")
    ] = None,
    waves: Annotated[Path | None, typer.Option(help="Write an FST file (.fst) of the run.")] = None,
    seed: SeedOption = None,
    workers: WorkersOption = None,
    json_output: JsonOption = False,
) -> None:
    """Check products, bounds, cycles and handshakes of the RTL against integers."""
    chosen = chosen_design(name, parameter, form)
    options = {**locals(), "modulus": None if modulus is None else read_modulus(modulus)}
    report = run_call(context, verify_design.dispatch(type(chosen)), chosen, options)
    show(json_output, report.to_json(), str(report))
    if report.failed:
        raise typer.Exit(1)
