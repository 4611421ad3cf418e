# SPDX-License-Identifier: Apache-2.0
"""Results as a table with the names of METRICS2.1, for programs that read such tables.

``metrics.toml`` of this package is the dictionary: each column's meaning, and where its name is
from.
"""

from __future__ import annotations

import csv
import json
import tomllib
from collections.abc import Callable, Sequence
from importlib.resources import files
from pathlib import Path
from typing import Any

from montforge.errors import ParameterError
from montforge.store import Result
from montforge.work.extras import require
from montforge.work.limits import unwritable

Records = Sequence[dict[str, Any]]


def dictionary() -> dict[str, dict[str, str]]:
    """Return ``meaning`` and, unless a name is montforge's own, ``from`` of each column, in order.

    ``from`` is ``METRICS2.1`` or ``OpenROAD``.
    """
    text = files("montforge.store").joinpath("metrics.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


def record(row: Result) -> dict[str, Any]:
    """Return a result of a library design with the columns of `dictionary`."""
    resources, wires = row.resources or {}, row.placed or {}
    fmax = 1e9 / row.period if row.period is not None and row.period_unit == "ns" else None
    own = {
        "architecture": row.architecture,
        "parameters": json.dumps(row.parameters),
        "form": row.form,
        "width": row.size,
        "function": row.function,
        "result": row.result,
        "constant_time": row.constant_time,
        "period": row.period,
        "cycles": row.cycles,
        "interval": row.interval,
        "time": row.time,
        "memory_bits": row.memory_bits,
        **{name: resources.get(name) for name in ("lut", "ff", "dsp", "bram")},
        "effort": row.effort,
        "netlist_checked": row.netlist_checked,
        "tools": json.dumps(row.tools),
        "command": row.command,
        "compiled": row.compiled,
        "message": row.message,
        "period_placed": wires.get("period_placed"),
        "placed": None if row.placed is None else json.dumps(row.placed),
    }
    return {
        "run__flow__design": row.chosen.identifier,
        "run__flow__platform": row.target,
        "run__flow__variant": ", ".join(f"{name}={value}" for name, value in row.options.items()),
        "run__flow__platform__timing_units": row.period_unit,
        "run__flow__platform__distance_units": "um" if row.area_unit == "um2" else None,
        "run__flow__scripts_commit": row.commit,
        "synth__design__instance__area__stdcell": row.area,
        "synth__design__instance__area__class:sequential_cell": row.area_registers,
        "synth__timing__fmax": None if resources else fmax,
        "detailedplace__design__instance__area__stdcell": wires.get("area_sized"),
        "detailedplace__timing__fmax": 1e9 / wires["period_sized"] if wires else None,
        "finish__timing__fmax": fmax if resources else None,
        **{f"montforge__{name}": value for name, value in own.items()},
    }


def export(rows: Sequence[Result], path: Path) -> None:
    """Write ``rows`` into ``path``, a line or object each: CSV, JSON or Parquet by its suffix.

    Raises ParameterError for another suffix, ToolMissingError without pyarrow for Parquet,
    OutputFolderError if it can't be written.
    """
    if path.suffix not in WRITERS:
        raise ParameterError(
            f"the export {path.name!r} has no known suffix; it must be one of {', '.join(WRITERS)}."
        )
    try:
        WRITERS[path.suffix]([record(row) for row in rows if not row.is_own], path)
    except OSError as error:
        raise unwritable(path.parent, error) from None


def _csv(records: Records, path: Path) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(dictionary()))
        writer.writeheader()
        writer.writerows(records)


def _json(records: Records, path: Path) -> None:
    path.write_text(json.dumps(records, indent=1) + "\n", encoding="utf-8")


def _parquet(records: Records, path: Path) -> None:
    require("parquet", "pyarrow")
    from pyarrow import Table
    from pyarrow.parquet import write_table

    write_table(Table.from_pylist(records), path)


WRITERS: dict[str, Callable[[Records, Path], None]] = {
    ".csv": _csv,
    ".json": _json,
    ".parquet": _parquet,
}
