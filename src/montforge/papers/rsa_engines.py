# SPDX-License-Identifier: Apache-2.0
"""Published RSA engines, from ``montforge/papers/rsa_engines.json`` and ``dai2018.json``."""

from __future__ import annotations

import json
from importlib.resources import files
from typing import Any

from montforge.papers.data import paper
from montforge.report import Table

COLUMNS = ("engine", "platform", "bits", "cycles", "time", "leaves out")
NOT_STATED = "not stated"
Row = tuple[str, str, int, str, str, str]


def published_engines() -> Table:
    """Return their private operations as printed: cycles, time, and parts that are left out."""
    data = json.loads((files("montforge.papers") / "rsa_engines.json").read_text())
    table4 = paper("dai2018").rows("table4_fmle_virtex6_speed3")
    rows = [_row(**entry) for entry in _entries(data["private_operations"])]
    for entry in _entries(data["dai2018"]):
        place = entry["key_bits"], entry.pop("spa")
        (found,) = (row for row in table4 if (row["key_bits"], row["spa"]) == place)
        cycles = (found["key_bits"] + 2) * found["cycles_per_fmlm"]
        rows.append(_row(**entry, cycles=cycles, ms=found["dec_ms"]))
    rows.sort(key=lambda row: row[2])
    return Table("Private operations of published engines, as printed", COLUMNS, tuple(rows))


def cycles_text(cycles: int) -> str:
    """Return cycles in millions."""
    return f"{cycles / 1e6:.4g} M"


def _entries(table: dict[str, Any]) -> list[dict[str, Any]]:
    return [dict(zip(table["columns"], row, strict=True)) for row in table["rows"]]


def _row(
    *, engine: str, platform: str, key_bits: int, cycles: int | None,
    ms: float | None, leaves_out: list[str] | None,
) -> Row:  # fmt: skip
    return (
        engine,
        platform or NOT_STATED,
        key_bits,
        NOT_STATED if cycles is None else cycles_text(cycles),
        NOT_STATED if ms is None else f"{ms} ms",
        NOT_STATED if leaves_out is None else ", ".join(leaves_out),
    )
