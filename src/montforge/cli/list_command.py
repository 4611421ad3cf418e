# SPDX-License-Identifier: Apache-2.0
"""``montforge list``."""

from __future__ import annotations

from montforge.arch import design, registry
from montforge.cli.common import JsonOption, show
from montforge.report import Table


def list_command(json_output: JsonOption = False) -> None:
    """List the architectures."""
    found = [
        {
            "architecture": a.name,
            "title": a.title,
            "family": a.family,
            "parameters": [p.name for p in a.specs()],
            "latency": design(a.name).timing,
        }
        for a in registry().values()
    ]
    table = Table.of(
        "Architectures",
        found,
        {
            "architecture": lambda each: str(each["architecture"]),
            "title": lambda each: str(each["title"]),
            "latency": lambda each: str(each["latency"]),
        },
        (
            "Radix 2 of the high-radix family booth_csa is fcs_mm1.",
            "Parameters: montforge info ARCHITECTURE.",
        ),
    )
    show(json_output, {"architectures": found}, table.to_rich())
