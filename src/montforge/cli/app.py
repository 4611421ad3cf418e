# SPDX-License-Identifier: Apache-2.0
"""The application: all commands under one name, each loaded when it is called."""

from __future__ import annotations

from importlib import import_module
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

import montforge
from montforge.cli.interrupts import work_begins
from montforge.errors import unknown_name

COMMANDS = {
    "list": "list_command",
    "info": "info",
    "constants": "constants",
    "parameters": "parameters",
    "generate": "generate",
    "verify": "verify",
    "cycles": "cycles",
    "prove": "prove",
    "leak": "leak",
    "measure": "measure",
    "explore": "explore",
    "reproduce": "reproduce",
    "records": "records",
    "pick": "pick",
    "store": "store",
    "model": "model_command",
    "serve-rsa": "serve_rsa",
}
"""The function of each command, in the module of the same name."""


class _Commands(TyperGroup):
    """The commands, so that listing architectures does not load the measurements."""

    def list_commands(self, ctx: Any) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        if cmd_name not in COMMANDS:
            raise unknown_name("command", cmd_name, COMMANDS)
        name = COMMANDS[cmd_name]
        single = typer.Typer(add_completion=False, rich_markup_mode=None)
        single.command(cmd_name)(getattr(import_module(f"montforge.cli.{name}"), name))
        work_begins()
        return typer.main.get_command(single)


app = typer.Typer(
    cls=_Commands,
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    help="Montgomery arithmetic hardware: generate, verify, measure and compare designs.",
    epilog="Exit status: 0 done, 1 a check failed or a design has no figures, 2 bad usage,"
    " 3 no verdict,"
    " 4 a tool or the machine failed, 130 interrupted.",
)


@app.callback(invoke_without_command=True)
def options(
    version: Annotated[bool, typer.Option("--version", help="Print the version.")] = False,
) -> None:
    """Print the version if asked."""
    if version:
        typer.echo(f"montforge {montforge.__version__}")
        raise typer.Exit
