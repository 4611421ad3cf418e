# SPDX-License-Identifier: Apache-2.0
"""Results of an exploration: one row for each design, and the frontier."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from montforge.errors import InputFileError
from montforge.explore.frontier import frontier
from montforge.hardware.forms import PARALLEL
from montforge.measure.own_rtl import FORM
from montforge.report import Cell, Table


@dataclass(frozen=True)
class Row:
    """A design with its figures, or with the reason that it has none.

    ``label`` is its short name: the parameters in which the exploration's designs differ.
    ``status`` is ``measured`` or ``failed``; ``message`` says why. ``area`` is in ``area_unit``
    (``um2``, ``A_FA`` or ``LUT``), ``period``, ``latency`` and ``time`` are in ``time_unit``
    (``ns`` or ``T_FA``). ``latency`` is ``cycles`` (fixed, or the mean over random operations)
    times ``period``; ``time`` counts ``handover`` cycles more, until ``rsp_valid_o``: designs are
    compared by it. ``interval`` is the distance of two operations in cycles. ``seconds`` (of
    processors) and ``peak_mb`` were used by the job when it ran; ``command`` measures the design
    again. ``netlist_checked`` is ``operations`` if the mapped netlist was simulated.
    ``memory_bits`` are in memories that are no part of area and period: those of standard cells.
    ``placed`` has `WITH_WIRES` of the figures with wires, if they were asked for; the ``message``
    of a measured row says why it has none.
    ``form`` is the one that the design is a top of. ``compiled`` is the hash of RTL and scripts.
    """

    design: str
    label: str
    architecture: str
    parameters: dict[str, int | str]
    status: str
    message: str
    area: float | None
    area_unit: str | None
    area_registers: float | None
    resources: dict[str, int] | None
    period: float | None
    period_no_wires: float | None
    time_unit: str | None
    fmax_mhz: float | None
    cycles: float | None
    handover: int
    interval: str
    latency: float | None
    area_latency: float | None
    time: float | None
    area_time: float | None
    critical_path: str | None
    tools: dict[str, str]
    command: str
    commit: str | None
    inputs: str | None
    seconds: float | None
    peak_mb: float | None
    netlist_checked: str | None = None
    memory_bits: int = 0
    form: str = PARALLEL
    compiled: str | None = None
    placed: dict[str, Any] | None = None

    @classmethod
    def of(cls, figures: dict[str, Any], **known: Any) -> Row:
        """Return the row with the ``figures`` of a `Measurement.to_json`, which may be missing.

        ``known`` are the other fields. On an FPGA the area is the number of LUTs.
        """
        path, load = figures.get("critical_path"), figures.get("wire_load")
        area, unit = figures.get("area"), figures.get("area_unit")
        resources = figures.get("resources")
        if resources is not None:
            area, unit = float(resources["lut"]), "LUT"
        latency, until_valid = figures.get("latency"), figures.get("time")
        names = ("area_registers", "period", "fmax_mhz", "cycles", "commit", "inputs", "compiled")
        same: dict[str, Any] = {name: figures.get(name) for name in names}
        return cls(
            area=area,
            area_unit=unit,
            resources=resources,
            period_no_wires=load["period_without"] if load else None,
            time_unit=figures.get("period_unit"),
            latency=latency,
            area_latency=None if area is None or latency is None else area * latency,
            time=until_valid,
            area_time=None if area is None or until_valid is None else area * until_valid,
            critical_path=f"{path['start']} -> {path['end']}" if path else None,
            tools=figures.get("tools", {}),
            netlist_checked=figures.get("netlist_checked"),
            placed=with_wires(figures),
            **same,
            **known,
        )

    def to_json(self) -> dict[str, Any]:
        """Return all fields as JSON-ready values; ``placed`` only if there is one."""
        return {key: value for key, value in vars(self).items() if (key, value) != ("placed", None)}


@dataclass(frozen=True)
class Exploration:
    """All rows of an exploration, in the order of the space; failed designs are among them.

    With ``placed`` designs are compared by their figures with wires where they have them.
    """

    title: str
    target: str
    target_title: str
    command: str
    rows: tuple[Row, ...]
    left_out: int
    seconds: float
    placed: bool = False

    @property
    def measured(self) -> list[Row]:
        """The rows with figures."""
        return [row for row in self.rows if row.status == "measured"]

    @property
    def failed(self) -> list[Row]:
        """The rows without figures."""
        return [row for row in self.rows if row.status != "measured"]

    @cached_property
    def frontier(self) -> list[Row]:
        """The rows that no other one beats in area and time, by growing area."""
        rows = self.measured
        return [rows[i] for i in frontier([self.cost(row) for row in rows])]

    def cost(self, row: Row) -> tuple[float, float]:
        """Return the area and time of a measured row by which it is compared."""
        return cost_with_wires(row) if self.placed else cost(row)

    @property
    def has_memories(self) -> bool:
        """Whether a measured design has memories beside its area."""
        return any(row.memory_bits for row in self.measured)

    @property
    def units(self) -> tuple[str, str]:
        """The units of areas and times."""
        first = next(iter(self.measured), None)
        return ("um2", "ns") if first is None else (str(first.area_unit), str(first.time_unit))

    def records(self) -> list[dict[str, Any]]:
        """Return one flat record a row, the same keys in each: columns of the table files.

        Parameters are columns ``p_NAME``, resources ``r_NAME``, tools ``tool_NAME``, figures with
        wires ``placed_NAME`` (their tools are not there).
        """
        best = {row.design for row in self.frontier}
        names = [
            (prefix, field, name)
            for field, prefix in _SPREAD.items()
            for name in dict.fromkeys(
                key
                for row in self.rows
                for key, value in (getattr(row, field) or {}).items()
                if not isinstance(value, dict)
            )
        ]
        return [
            {
                **{key: value for key, value in vars(row).items() if key not in _SPREAD},
                "frontier": row.design in best,
                **{
                    f"{prefix}_{name}": (getattr(row, field) or {}).get(name)
                    for prefix, field, name in names
                },
            }
            for row in self.rows
        ]

    def to_json(self) -> dict[str, Any]:
        """Return everything as JSON-ready values."""
        return {
            "title": self.title,
            "target": self.target,
            "target_title": self.target_title,
            "command": self.command,
            "seconds": self.seconds,
            "measured": len(self.measured),
            "failed": len(self.failed),
            "left_out": self.left_out,
            "placed": self.placed,
            "frontier": [row.design for row in self.frontier],
            "rows": [row.to_json() for row in self.rows],
        }

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Exploration:
        """Return the exploration whose `to_json` gave ``data``."""
        return cls(
            **{name: data[name] for name in ("title", "target", "target_title", "command")},
            rows=tuple(Row(**row) for row in data["rows"]),
            left_out=data["left_out"],
            seconds=data["seconds"],
            placed=data["placed"],
        )

    def table(self) -> Table:
        """Return the frontier as a table."""
        area, time = self.units
        notes = [f"{len(self.measured)} designs measured on {self.target_title}."]
        if self.left_out:
            notes.append(f"{self.left_out} illegal combinations of the space were left out.")
        if self.placed:
            notes.append(WIRES_NOTE)
        if self.has_memories:
            notes.append(MEMORIES_NOTE)
        notes += [f"Failed: {row.label}: {row.message}" for row in self.rows if row.message]
        memories: dict[str, Callable[[Row], Cell]] = {"memory bits": lambda row: row.memory_bits}
        columns: dict[str, Callable[[Row], Cell]] = {
            "design": lambda row: row.label,
            f"area {area}": lambda row: None if row.area is None else float(row.area),
            f"period {time}": lambda row: row.period,
            "cycles": lambda row: row.cycles,
            f"time {time}": lambda row: row.time,
            product(area, time): scaled_product,
            **(memories if self.has_memories else {}),
            **(WIRES_COLUMNS if any(row.placed for row in self.frontier) else {}),
        }
        return Table.of(f"Frontier: {self.title}", self.frontier, columns, notes)


def read_own(path: Path, target: str) -> Row:
    """Return the row of own RTL on ``target`` from a file of ``montforge measure --rtl --json``.

    The author states the cycles of an operation; they are taken for the interval of two operations
    as well. Raises InputFileError.
    """
    try:
        figures = json.loads(path.read_text(encoding="utf-8"))
        is_own = figures["form"] == FORM and figures["time"] is not None
    except (OSError, ValueError, KeyError, TypeError):
        is_own = False
    if not is_own:
        raise InputFileError(
            f"{path} has no figures of own RTL: it must be the output of `montforge measure --rtl"
            " FILE --top NAME --cycles N --target NAME --json`."
        )
    name, parameters = figures["architecture"], figures["parameters"]
    if figures["target"] != target:
        raise InputFileError(
            f"{path} was measured on {figures['target']}, the others are on {target}."
        )
    values = ", ".join(f"{key}={value}" for key, value in parameters.items())
    return Row.of(
        figures,
        design=figures["design"],
        label=f"{name}({values})" if values else name,
        architecture=name,
        parameters=parameters,
        status="measured",
        message="",
        handover=figures["handover"],
        interval=f"{figures['cycles']:g}",
        command=figures["command"],
        seconds=None,
        peak_mb=None,
        form=FORM,
    )


MEMORIES_NOTE = "Memories are counted in bits, which are no part of area and period."
WIRES_NOTE = (
    "Designs on the frontier were placed, and are compared by their figures with wires, after"
    " sizing; the others by the figures before, which placing can make better or worse."
)
_SPREAD = {"parameters": "p", "resources": "r", "tools": "tool", "placed": "placed"}
"""Fields with a column for each of their keys, and the prefix of these columns."""


def _placed(name: str, scale: float = 1.0) -> Callable[[Row], Cell]:
    def figure(row: Row) -> Cell:
        value = (row.placed or {}).get(name)
        return None if value is None else value * scale

    return figure


WIRES_COLUMNS: dict[str, Callable[[Row], Cell]] = {
    "period ns placed": _placed("period_placed"),
    "period ns sized": _placed("period_sized"),
    "area um2 sized": _placed("area_sized"),
    "area x time mm2 ns sized": _placed("area_time", 1e-6),
}
"""The columns of tables that have figures with wires."""
WITH_WIRES = (
    "seed", "period_no_wires", "period_wire_load", "period_placed", "period_sized", "area_sized",
    "time", "area_time", "utilization", "layer", "capacitance_ff_um", "resistance_ohm_um", "effort",
    "netlist_checked", "tools", "compiled",
)  # fmt: skip
"""The figures with wires that a row has, of those of a measurement."""
CLOCK_TREE = "clock_tree_estimate"
"""A figure that rows which were stored before it have not."""


def with_wires(figures: dict[str, Any]) -> dict[str, Any] | None:
    """Return `WITH_WIRES` of the figures of a measurement or a row, or None if it has none.

    `CLOCK_TREE` is with them, if it is there.
    """
    placed = figures.get("placed")
    if placed is None:
        return None
    later = (CLOCK_TREE,) if CLOCK_TREE in placed else ()
    return {name: placed.get(name) for name in (*WITH_WIRES, *later)}


def cost(row: Row) -> tuple[float, float]:
    """Return area and time of a measured row."""
    assert row.area is not None
    assert row.time is not None
    return row.area, row.time


def cost_with_wires(row: Row) -> tuple[float, float]:
    """Return area and time of a measured row, with wires if it was placed."""
    return cost(row) if row.placed is None else (row.placed["area_sized"], row.placed["time"])


def product(area_unit: str, time_unit: str) -> str:
    """Return the name of area * time with its unit; mm2 ns instead of um2 ns."""
    return f"area x time {'mm2' if area_unit == 'um2' else area_unit} {time_unit}"


def scaled_product(row: Row) -> float | None:
    """Return area * time in the unit of `product`."""
    if row.area_time is None:
        return None
    return row.area_time / 1e6 if row.area_unit == "um2" else row.area_time
