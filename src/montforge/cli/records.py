# SPDX-License-Identifier: Apache-2.0
"""``montforge records``."""

from __future__ import annotations

from typing import Annotated

import typer

from montforge.cli.common import JsonOption, output, print_json
from montforge.errors import CHECK_FAILED
from montforge.papers.records import standings, standings_table
from montforge.store import read_results


def records(
    check: Annotated[
        bool,
        typer.Option(
            "--check",
            help="Status 1 if a record is not beaten and does not say why, or says so and is.",
        ),
    ] = False,
    json_output: JsonOption = False,
) -> None:
    """List published records in gate equivalents and FO4 delays, and stored designs."""
    found = standings(read_results())
    table = standings_table(found)
    if json_output:
        print_json(table.to_json())
    else:
        output.print(table.condensed().to_rich())
    wrong = [each.record.name for each in found if not each.is_as_stated]
    if check and wrong:
        output.print(f"Not as stated: {', '.join(wrong)}.")
        raise typer.Exit(CHECK_FAILED)
