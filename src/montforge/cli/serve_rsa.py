# SPDX-License-Identifier: Apache-2.0
"""``montforge serve-rsa``."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import Annotated

import typer

from montforge.cli.common import chosen_design, messages, output
from montforge.errors import ParameterError
from montforge.hardware.forms import AXI


def serve_rsa(
    socket: Annotated[Path, typer.Argument(help="The Unix socket to make.")],
    parameter: Annotated[
        list[str] | None,
        typer.Option(
            "-p",
            "--parameter",
            metavar="NAME=VALUE",
            help="A parameter of the engine: bits, core, core.PARAMETER, window, halves, slots ...",
        ),
    ] = None,
    seed: Annotated[int, typer.Option(min=0, help="Seed of the simulated random words.")] = 1,
) -> None:
    """Simulate an RSA engine behind a Unix socket, until interrupted."""
    from montforge.host.simulation import build, serve

    if socket.exists():
        raise ParameterError(f"{socket} exists; name a socket to make.")
    if not socket.parent.is_dir():
        raise ParameterError(f"{socket.parent} is no folder; name a socket in one that exists.")
    engine = chosen_design("rsa", parameter, AXI)
    process = serve(build(engine.hardware), socket, seed=seed)
    try:
        with suppress(KeyboardInterrupt):
            output.print(f"{engine} is at {socket}")
            messages.print("Its random words are for simulation only. Ctrl-C ends it.")
            process.wait()
    finally:
        process.kill()
        process.communicate()
        socket.unlink(missing_ok=True)
