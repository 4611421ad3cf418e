# SPDX-License-Identifier: Apache-2.0
"""The common part of the commands: options, the consoles, designs from words, progress, JSON."""

from __future__ import annotations

import inspect
import json
import os
import secrets
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any, TypeVar

import typer
from rich.console import Console

from montforge.arch import Design, design
from montforge.arch.parameter import named_values
from montforge.errors import ParameterError, ToolFailedError
from montforge.hardware.forms import FORMS
from montforge.work.progress import ProgressFunction

Report = TypeVar("Report")
OF_ALL = ("parameter", "form", "json_output")
"""Options, by their Python parameters, of each command for a design."""
FILE_COLUMNS = 240
"""Width of files and pipes, so that no figure of a table is cut off; COLUMNS changes it."""

output = Console(markup=False, highlight=False)
if not output.is_terminal and "COLUMNS" not in os.environ:
    output.width = FILE_COLUMNS
messages = Console(stderr=True, markup=False, highlight=False)

Name = Annotated[str, typer.Argument(metavar="ARCH", help="An architecture: see `montforge list`.")]
ParameterOption = Annotated[
    list[str] | None,
    typer.Option(
        "-p", "--parameter", metavar="NAME=VALUE", help="A parameter of the architecture."
    ),
]
FormOption = Annotated[
    str | None,
    typer.Option(
        help=f"The form that is the top: {', '.join(FORMS)}; of an engine axi or axis. See `info`."
    ),
]
TargetOption = Annotated[
    str | None, typer.Option(help="A target, such as osu018, nangate45, ecp5-85k.")
]
LibertyOption = Annotated[
    Path | None, typer.Option(help="A Liberty file to measure on, plain or gzip.")
]
EffortOption = Annotated[
    str, typer.Option(help="Synthesis on standard cells: full, or quick (two or three points).")
]
NetlistCheckOption = Annotated[
    bool,
    typer.Option("--netlist-check", help="Simulate the mapped netlist at quick effort, too."),
]
ClockGatingOption = Annotated[
    bool,
    typer.Option(
        "--clock-gating", help="On standard cells: gate the clock of registers that load together."
    ),
]
PlacedOption = Annotated[
    bool, typer.Option("--placed", help="Place standard cells, and give figures with wires, too.")
]
SamplesOption = Annotated[
    int, typer.Option(min=1, help="Operations for the mean latency, if it depends on data.")
]
OwnOption = Annotated[
    list[Path] | None,
    typer.Option(
        "--with", metavar="FILE", help="Figures of own RTL to compare: `measure --rtl --json`."
    ),
]
SeedOption = Annotated[int | None, typer.Option(min=0, help="Seed of the operands (default: new).")]
WorkersOption = Annotated[
    int | None,
    typer.Option(min=1, help="Worker processes (default: $MONTFORGE_WORKERS, or all cores)."),
]
DaskOption = Annotated[
    str | None,
    typer.Option(metavar="ADDRESS", help="Use a Dask cluster: tcp://HOST:PORT, or local."),
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print one JSON object.")]


def chosen_design(name: str, parameters: list[str] | None, form: str | None = None) -> Design:
    """Return the design of an architecture, of ``NAME=VALUE`` words, and in a form.

    Raises MontforgeError.
    """
    found = design(name, **named_values(parameters or ()))
    return found if form is None else found.with_form(form)


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
            messages.print(text, soft_wrap=True)
        raise


@contextmanager
def show_progress(title: str) -> Iterator[ProgressFunction | None]:
    """Show a bar on a terminal, and nothing elsewhere."""
    if not messages.is_terminal:
        yield None
        return
    from rich import progress

    columns = (
        progress.TextColumn("{task.description}"),
        progress.BarColumn(),
        progress.MofNCompleteColumn(),
        progress.TimeRemainingColumn(),
    )
    with progress.Progress(*columns, console=messages, transient=True) as bar:
        task = bar.add_task(title, total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)


def print_json(data: dict[str, Any]) -> None:
    """Print ``data`` on standard output as one JSON object."""
    typer.echo(json.dumps(data))


def show(json_output: bool, data: dict[str, Any], text: object) -> None:
    """Print ``data`` as JSON, or else ``text``, which is a string or a table."""
    if json_output:
        print_json(data)
    else:
        output.print(text)


def run_call(
    context: typer.Context,
    call: Callable[..., Report],
    design: Design,
    options: Mapping[str, Any],
) -> Report:
    """Do a command's work by ``call``, the function for the kind of ``design``.

    ``options`` have the names of Python parameters; those that ``call`` does not take are left out.
    Raises ParameterError if one of these is given on the command line.
    """
    _refuse_others(context, design, call)
    title = str(context.command.name)
    with drawn_seed(options["seed"]) as seed, show_progress(title) as advance:
        return call(design, progress=advance, **options_of(call, {**options, "seed": seed}))


def _refuse_others(context: typer.Context, design: Design, call: Callable[..., Any]) -> None:
    """Raise ParameterError if an option is given that ``call`` does not take."""
    takes = inspect.signature(call).parameters
    options = [o for o in context.command.params if o.param_type_name == "option"]
    options = [o for o in options if o.name not in OF_ALL]
    refused = [o.opts[-1] for o in options if is_given(context, o.name) and o.name not in takes]
    if refused:
        known = ", ".join(o.opts[-1] for o in options if o.name in takes)
        raise ParameterError(
            f"{', '.join(refused)} has no meaning for {design.name};"
            f" {context.command.name} {design.name} takes {known}."
        )


def options_of(call: Callable[..., Any], options: Mapping[str, Any]) -> dict[str, Any]:
    """Return those of ``options``, such as a command's ``locals()``, that ``call`` takes."""
    takes = inspect.signature(call).parameters
    return {name: value for name, value in options.items() if name in takes}


def refuse_given(
    context: typer.Context, names: Iterable[str], why: str, *, where: str = ""
) -> None:
    """Raise ParameterError if one of the options, by their Python parameters, is given."""
    for option in context.command.params:
        if option.name in names and is_given(context, option.name):
            raise ParameterError(f"{option.opts[0]} has no effect{where}: {why}; leave it out.")


def is_given(context: typer.Context, option: str | None) -> bool:
    """Return whether an option, by the name of its Python parameter, is on the command line."""
    source = context.get_parameter_source(option or "")
    return source is not None and source.name == "COMMANDLINE"
