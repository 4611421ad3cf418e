# SPDX-License-Identifier: Apache-2.0
"""``montforge parameters``."""

from __future__ import annotations

from typing import Annotated

import typer

from montforge.arch import design
from montforge.cli.common import JsonOption, Name, show
from montforge.errors import ParameterError
from montforge.programs.fft.parameters import STANDARD
from montforge.report.transform_sets import selection

WITH_SETS = ("fmlm", "fmle")


def parameters(
    name: Name,
    width: Annotated[int, typer.Option(help="Bits of the widest modulus.")] = 1024,
    moduli: Annotated[str, typer.Option(help="standard or swapped.")] = STANDARD,
    json_output: JsonOption = False,
) -> None:
    """Show the legal parameter sets of a design with transforms, and the cost of each."""
    if name not in WITH_SETS:
        raise ParameterError(
            f"{name} has no parameter sets to choose from; {' and '.join(WITH_SETS)} have."
        )
    design(name, width=width, moduli=moduli)  # refuses an illegal width or choice
    table = selection(width, moduli)
    show(json_output, table.to_json(), table.to_rich())
