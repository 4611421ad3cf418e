# SPDX-License-Identifier: Apache-2.0
"""The application: all commands under one name."""

from __future__ import annotations

from typing import Annotated

import typer

import montforge
from montforge.cli.cycles import cycles
from montforge.cli.explore import explore
from montforge.cli.generate import generate
from montforge.cli.info import info
from montforge.cli.list_command import list_command
from montforge.cli.measure import measure
from montforge.cli.model import model_command
from montforge.cli.reproduce import reproduce
from montforge.cli.verify import verify

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    help="Montgomery arithmetic hardware: generate, verify, measure and compare designs.",
)


@app.callback(invoke_without_command=True)
def options(
    version: Annotated[bool, typer.Option("--version", help="Print the version.")] = False,
) -> None:
    """Print the version if asked."""
    if version:
        typer.echo(f"montforge {montforge.__version__}")
        raise typer.Exit


app.command("list")(list_command)
for _command in (info, generate, verify, cycles, measure, explore, reproduce):
    app.command()(_command)
app.command("model")(model_command)
