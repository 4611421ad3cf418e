# SPDX-License-Identifier: Apache-2.0
"""The static plot in the form of Grale and Swartzlander's Fig. 6 to 8."""

from __future__ import annotations

from montforge.explore.results import Exploration, Row
from montforge.report.chart import Chart, Point


def frontier_chart(
    found: Exploration, times: str = "time of an operation", *, mark_first: bool = False
) -> Chart:
    """Return time against area of all designs, those on the frontier with their names.

    ``times`` names the vertical axis. Every architecture has its colour and marker. With
    ``mark_first`` the first design has a ring and its name.
    """
    area, time = found.units
    scale, area_name = (1e3, f"10³ {area}") if area == "um2" else (1.0, area)

    def place(row: Row) -> tuple[float, float]:
        size, seconds = found.cost(row)
        return size / scale, seconds

    best = {row.design for row in found.frontier}
    series: dict[str, tuple[Point, ...]] = {}
    for row in found.measured:
        x, y = place(row)
        point = Point(row.label if row.design in best else "", y, x)
        series[row.architecture] = (*series.get(row.architecture, ()), point)
    chosen = None
    if mark_first:
        x, y = place(found.measured[0])
        chosen = Point(f"first: {found.measured[0].label}", y, x)
    return Chart(
        found.title, "scatter", f"area, {area_name}", f"{times}, {time}", tuple(series.items()),
        steps=tuple(map(place, found.frontier)), chosen=chosen,
    )  # fmt: skip
