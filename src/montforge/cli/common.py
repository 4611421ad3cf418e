# SPDX-License-Identifier: Apache-2.0
"""What the commands share: options, the consoles, designs from words, progress, JSON."""

from __future__ import annotations

import json
import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated, Any

import typer
from rich.console import Console

from montforge.arch import ENGINE, Design, architecture, design
from montforge.errors import ParameterError, ToolFailedError
from montforge.hardware.forms import FORMS, PARALLEL
from montforge.work.progress import ProgressFunction

FILE_COLUMNS = 240
"""Of what is no terminal, so that no figure of a table is cut off; COLUMNS changes it."""

output = Console()
if not output.is_terminal and "COLUMNS" not in os.environ:
    output.width = FILE_COLUMNS
messages = Console(stderr=True)

Name = Annotated[str, typer.Argument(metavar="ARCH", help="An architecture: see `montforge list`.")]
ParameterOption = Annotated[
    list[str] | None,
    typer.Option(
        "-p", "--parameter", metavar="NAME=VALUE", help="A parameter of the architecture."
    ),
]
FormOption = Annotated[
    str,
    typer.Option("--form", help=f"The form that is the top: {', '.join(FORMS)}; see `info`."),
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print one JSON object.")]
SeedOption = Annotated[
    int | None, typer.Option("--seed", min=0, help="Seed of the random operands (default: new).")
]
EffortOption = Annotated[
    str, typer.Option(help="Synthesis on standard cells: full, or quick (two or three points).")
]
NetlistCheckOption = Annotated[
    bool,
    typer.Option("--netlist-check", help="Simulate the mapped netlist at quick effort, too."),
]
WorkersOption = Annotated[
    int | None, typer.Option("--workers", min=1, help="Worker processes (default: all cores).")
]


def chosen_design(name: str, parameters: list[str] | None, form: str = PARALLEL) -> Design:
    """Return the design of an architecture, of ``NAME=VALUE`` words, and in a form.

    Raises MontforgeError.
    """
    values: dict[str, object] = {}
    for text in parameters or ():
        key, equals, value = text.partition("=")
        if not equals:
            raise ParameterError(
                f"parameter {text!r} has no value; write -p NAME=VALUE, such as -p width=256."
            )
        if key in values:
            raise ParameterError(f"parameter {key} is given twice; give it once.")
        values[key] = value
    architecture(name)
    return design(name, **values).with_form(form)


def integer(name: str, text: str | None) -> int | None:
    """Return the integer that ``text`` stands for, if any. Raises ParameterError."""
    try:
        return None if text is None else int(text, 0)
    except ValueError:
        raise ParameterError(
            f"{name} {text!r} is not an integer; write it in decimal, or in hexadecimal with 0x."
        ) from None


@contextmanager
def drawn_seed(seed: int | None) -> Iterator[int]:
    """Give ``seed``, or a new one, which is printed when the work is cut off and would be lost."""
    chosen = secrets.randbits(32) if seed is None else seed
    try:
        yield chosen
    except (KeyboardInterrupt, ToolFailedError):
        if seed is None:
            text = f"the seed of this run is {chosen}: with --seed {chosen} it goes on"
            messages.print(text, markup=False, highlight=False, soft_wrap=True)
        raise


@contextmanager
def show_progress(title: str) -> Iterator[ProgressFunction | None]:
    """Show a bar on a terminal, and nothing elsewhere."""
    if not messages.is_terminal:
        yield None
        return
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeRemainingColumn,
    )

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=messages, transient=True) as bar:
        task = bar.add_task(title, total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)


def print_json(data: dict[str, Any]) -> None:
    """Print ``data`` on standard output as one JSON object."""
    typer.echo(json.dumps(data))


def refuse_others(context: typer.Context, *used: str) -> None:
    """Raise ParameterError if an option is given that the engine has no use for.

    ``used`` are the names of the Python parameters of those that it has.
    """
    options = [o for o in context.command.params if o.param_type_name == "option"]
    given = [o.opts[-1] for o in options if o.name not in used and is_given(context, o.name or "")]
    if given:
        takes = ", ".join(o.opts[-1] for o in options if o.name in used)
        raise ParameterError(
            f"{', '.join(given)} has no meaning for {ENGINE}; "
            f"{context.command.name} {ENGINE} takes {takes}."
        )


def is_given(context: typer.Context, option: str) -> bool:
    """Return whether an option, by the name of its Python parameter, is on the command line."""
    source = context.get_parameter_source(option)
    return source is not None and source.name == "COMMANDLINE"


def check_engine(
    parameters: list[str] | None,
    operations: int | None,
    seed: int | None,
    *,
    json_output: bool,
    errors: bool,
) -> None:
    """Run `montforge.verify.engine.check` print its report; exit with status 1 for mismatches."""
    from montforge.arch.rsa.parameters import engine_of
    from montforge.verify.engine import check

    with show_progress(ENGINE) as advance:
        report = check(
            engine_of(parameters or ()),
            operations=operations,
            seed=seed,
            errors=errors,
            progress=advance,
        )
    if json_output:
        print_json(report.to_json())
    else:
        output.print(str(report), markup=False, highlight=False)
    if report.failures:
        raise typer.Exit(1)
