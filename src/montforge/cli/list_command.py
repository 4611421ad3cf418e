# SPDX-License-Identifier: Apache-2.0
"""``montforge list``."""

from __future__ import annotations

from montforge.arch import design, registry
from montforge.cli.common import JsonOption, output, print_json
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
    if json_output:
        print_json({"architectures": found})
        return
    table = Table(
        "Architectures",
        ("architecture", "what it is", "latency"),
        tuple((str(f["architecture"]), str(f["title"]), str(f["latency"])) for f in found),
        (
            "Radix 2 of the high-radix family booth_csa is fcs_mm1.",
            "Parameters: montforge info ARCHITECTURE.",
        ),
    )
    output.print(table.to_rich())
