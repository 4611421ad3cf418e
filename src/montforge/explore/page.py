# SPDX-License-Identifier: Apache-2.0
"""The interactive page of an exploration: one HTML file that loads nothing from anywhere."""

from __future__ import annotations

import json
from html import escape
from importlib.resources import files
from pathlib import Path
from typing import Any

from montforge.explore.results import (
    MEMORIES_NOTE,
    WIRES_COLUMNS,
    WIRES_NOTE,
    Exploration,
    Row,
    product,
    scaled_product,
)
from montforge.report.chart import (
    FRONTIER_COLOUR,
    LEGEND_BELOW,
    LOGARITHMIC_AXIS,
    MARKERS,
    series_styles,
)
from montforge.report.page import Page
from montforge.work.templates import render


def write_page(found: Exploration, path: Path) -> None:
    """Write the page: a plot with zoom and hover, filters, a sortable table, commands to copy."""
    fields = {
        "summary": escape(_summary(found)),
        "data": json.dumps(page_data(found)).replace("<", "\\u003c"),
    }
    Page(
        f"Area and latency: {found.title}",
        render("explorer.html.in", fields),
        found.command,
        style=files("montforge.explore").joinpath("page.css").read_text(encoding="utf-8"),
        charts=True,
    ).write(path)


def page_data(found: Exploration) -> dict[str, Any]:
    """Return the data of the page's script: columns, rows, colours, axis titles."""
    area, time = found.units
    best = {row.design for row in found.frontier}
    names = list(dict.fromkeys(row.architecture for row in found.rows))
    return {
        "columns": [
            ["label", "design", "text"],
            ["status", "status", "text"],
            ["area", f"area {area}", "number"],
            ["area_registers", f"registers {area}", "number"],
            *([["memory_bits", "memory bits", "number"]] if found.has_memories else []),
            ["period", f"period {time}", "number"],
            ["period_no_wires", "without wire load", "number"],
            ["fmax_mhz", "MHz", "number"],
            ["cycles", "cycles", "number"],
            ["interval", "interval", "text"],
            ["handover", "until valid", "number"],
            ["time", f"time {time}", "number"],
            ["product", product(area, time), "number"],
            *([name, name, "number"] for name in WIRES_COLUMNS if found.placed),
            ["parameters", "parameters", "text"],
            ["critical_path", "critical path", "text"],
            ["seconds", "processor s", "number"],
        ],
        "rows": [{**_row(row, row.design in best), **_position(found, row)} for row in found.rows],
        "styles": {
            name: {"color": colour, "symbol": MARKERS[marker]}
            for name, (colour, marker) in series_styles(names).items()
        },
        "frontier": FRONTIER_COLOUR,
        "axis": LOGARITHMIC_AXIS,
        "legend": LEGEND_BELOW,
        "area": f"area, {area}",
        "time": f"time of an operation, {time}",
    }


def _position(found: Exploration, row: Row) -> dict[str, float | None]:
    """Return the place of a row in the plot, which is that by which it is compared."""
    x, y = found.cost(row) if row.status == "measured" else (None, None)
    return {"x": x, "y": y}


def _row(row: Row, on_frontier: bool) -> dict[str, Any]:
    names = (
        "architecture", "label", "status", "message", "area", "area_registers", "period",
        "period_no_wires", "fmax_mhz", "cycles", "handover", "interval", "time", "critical_path",
        "seconds", "command", "resources", "tools", "memory_bits",
    )  # fmt: skip
    return {
        **{name: getattr(row, name) for name in names},
        "parameters": ", ".join(f"{key}={value}" for key, value in row.parameters.items()),
        "product": scaled_product(row),
        **{name: figure(row) for name, figure in WIRES_COLUMNS.items()},
        "frontier": on_frontier,
    }


def _summary(found: Exploration) -> str:
    parts = [f"{len(found.measured)} designs measured on {found.target_title}"]
    if found.failed:
        parts.append(f"{len(found.failed)} failed")
    if found.left_out:
        parts.append(f"{found.left_out} illegal combinations left out")
    text = f"{', '.join(parts)}. The frontier are the designs that no other one beats in both."
    if found.placed:
        text = f"{text} {WIRES_NOTE}"
    return f"{text} {MEMORIES_NOTE}" if found.has_memories else text
