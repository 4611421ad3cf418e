# SPDX-License-Identifier: Apache-2.0
"""Published RSA engines, from ``montforge/papers/rsa_engines.json`` and ``dai2018.json``."""

from __future__ import annotations

import json
from importlib.resources import files

from montforge.papers.data import Published, paper, rows_of
from montforge.report import Table

NOT_STATED = "not stated"


def private_operations() -> list[Published]:
    """Return their private operations as printed, by growing length of the key.

    Each has ``engine, platform, key_bits, cycles, ms, leaves_out``; None: not stated.
    """
    data = json.loads((files("montforge.papers") / "rsa_engines.json").read_text())
    table4 = {
        (row["key_bits"], row["spa"]): row
        for row in paper("dai2018").rows("table4_fmle_virtex6_speed3")
    }
    rows = rows_of(data["private_operations"])
    for entry in rows_of(data["dai2018"]):
        found = table4[entry["key_bits"], entry["spa"]]
        cycles = (found["key_bits"] + 2) * found["cycles_per_fmlm"]
        rows.append({**entry, "cycles": cycles, "ms": found["dec_ms"]})
    return sorted(rows, key=lambda row: int(row["key_bits"]))


def published_engines() -> Table:
    """Return their private operations as printed: cycles, time, and parts that are left out."""
    return Table.of(
        "Private operations of published engines, as printed",
        private_operations(),
        {
            "engine": lambda row: row["engine"],
            "platform": lambda row: row["platform"] or NOT_STATED,
            "bits": lambda row: row["key_bits"],
            "cycles": lambda row: (
                NOT_STATED if row["cycles"] is None else cycles_text(row["cycles"])
            ),
            "time": lambda row: NOT_STATED if row["ms"] is None else f"{row['ms']} ms",
            "leaves out": lambda row: (
                NOT_STATED if row["leaves_out"] is None else ", ".join(row["leaves_out"])
            ),
        },
    )


def cycles_text(cycles: int) -> str:
    """Return cycles in millions."""
    return f"{cycles / 1e6:.4g} M"
