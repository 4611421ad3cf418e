# SPDX-License-Identifier: Apache-2.0
"""``montforge list``."""

from __future__ import annotations

from typing import Any

from montforge.arch import design, registry
from montforge.cli.common import JsonOption, show
from montforge.prove.verdicts import CHECKS, widest_verdict
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
            "verdicts": {
                check: widest_verdict(design(a.name), check).to_json() for check in CHECKS
            },
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
            "constant time": lambda each: _text(each, "timing"),
            "function": lambda each: _text(each, "function"),
        },
        (
            "Constant time, function: the stored verdict on the widest design with usual parameters"
            " (docs/proved.md).",
            "Radix 2 of the high-radix family booth_csa is fcs_mm1.",
            "Parameters: montforge info ARCHITECTURE.",
        ),
    )
    show(json_output, {"architectures": found}, table.to_rich())


def _text(each: dict[str, Any], check: str) -> str:
    return widest_verdict(design(each["architecture"]), check).text
