# SPDX-License-Identifier: Apache-2.0
"""``montforge model``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from montforge.cli.common import JsonOption, output, print_json
from montforge.errors import ParameterError
from montforge.programs.serial import METHODS, model
from montforge.report import gantt
from montforge.report.serial_tables import cycles_table, formulas_table


def model_command(
    k: Annotated[int, typer.Option("--k", help="Digits of an operand, 2 to 16.")] = 4,
    m: Annotated[
        str, typer.Option("--m", metavar="M", help="Digit multipliers: 3, 1..5 or 1,2,4.")
    ] = "1..5",
    method: Annotated[
        list[str] | None,
        typer.Option("--class", help="One of " + ", ".join(METHODS) + " (default: all)."),
    ] = None,
    picture: Annotated[
        Path | None,
        typer.Option(help="Draw the schedule of one class and one m (.png .svg .pdf .html)."),
    ] = None,
    pipeline: Annotated[
        bool, typer.Option("--pipeline", help="Draw load, multiply and accumulate (Fig. 4).")
    ] = False,
    json_output: JsonOption = False,
) -> None:
    """Show the Extended Serial Montgomery Model: cycles, storage and schedules of its classes."""
    models = [model(k, count, name) for count in _counts(m) for name in method or METHODS]
    if picture is not None:
        if len(models) != 1:
            raise ParameterError(
                f"a picture shows one schedule, not {len(models)};"
                " name one class and one m (--class SPS --m 3)."
            )
        stages = gantt.STAGES if pipeline else ()
        title = f"{models[0].method}, k = {k}, m = {models[0].m}"
        gantt.write_picture(models[0].bars(), picture, title=title, stages=stages)
    if json_output:
        print_json({"k": k, "models": [found.to_json() for found in models]})
        return
    output.print(formulas_table(models).to_rich())
    output.print(cycles_table(models).to_rich())
    if picture is not None:
        output.print(f"picture: {picture}")


def _counts(text: str) -> list[int]:
    """Return the numbers of ``3``, ``1..5`` or ``1,2,4``, without repetitions, in order."""
    found: list[int] = []
    for part in text.split(","):
        first, dots, last = part.partition("..")
        low = _number(text, first)
        found += range(low, _number(text, last) + 1) if dots else [low]
    if not found:
        raise ParameterError(f"m = {text!r} has no number in it; write 3, 1..5 or 1,2,4.")
    return list(dict.fromkeys(found))


def _number(whole: str, text: str) -> int:
    if not (text.strip().isascii() and text.strip().isdigit() and len(text) <= 4):
        raise ParameterError(f"m = {whole!r} is not a list of numbers; write 3, 1..5 or 1,2,4.")
    return int(text)
