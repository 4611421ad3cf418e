# SPDX-License-Identifier: Apache-2.0
"""``montforge constants``."""

from __future__ import annotations

from typing import Annotated

import typer

from montforge.arch import core
from montforge.arch.parameter import named_values
from montforge.cli.common import JsonOption, Name, ParameterOption, print_json
from montforge.errors import unknown_name
from montforge.generate.constants import FORMATS, constants_json, constants_text
from montforge.programs.primes import read_modulus


def constants(
    name: Name,
    modulus: Annotated[
        str, typer.Argument(help="Decimal, hexadecimal with 0x, or a prime's name, such as p256.")
    ],
    parameter: ParameterOption = None,
    kind: Annotated[
        str, typer.Option("--format", help="One of " + ", ".join(FORMATS) + ".")
    ] = "hex",
    json_output: JsonOption = False,
) -> None:
    """Print n, R mod n, R^2 mod n, and the other constants of a design of n's width."""
    if kind not in FORMATS:
        raise unknown_name("format", kind, FORMATS)
    n = read_modulus(modulus)
    values = named_values(parameter or ())
    chosen = core(name, **{"width": str(max(n, 1).bit_length()), **values})
    if json_output:
        print_json(constants_json(chosen, n))
    else:
        typer.echo(constants_text(chosen, n, kind), nl=False)
