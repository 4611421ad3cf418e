# SPDX-License-Identifier: Apache-2.0
"""The static plot in the form of Grale and Swartzlander's Fig. 6 to 8."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from montforge.explore.results import Exploration, cost
from montforge.report.chart import COLOURS, check_suffix
from montforge.work.extras import require

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MARKERS = "osD^vP*X<>"
SUFFIXES = (".png", ".pdf")


def styles(names: list[str]) -> dict[str, tuple[str, str]]:
    """Return a colour and a Matplotlib marker for each name; all pairs differ up to 60 names."""
    return {
        name: (COLOURS[at % len(COLOURS)], MARKERS[(at + at // len(COLOURS)) % len(MARKERS)])
        for at, name in enumerate(names)
    }


def write_plot(found: Exploration, path: Path, times: str = "time of an operation") -> None:
    """Draw time (logarithmic) against area into ``path``: PNG or PDF by its suffix.

    ``times`` names the vertical axis.

    Every architecture has its colour and marker; the frontier is a line of steps through its
    designs. Raises ParameterError for another suffix, ToolMissingError without Matplotlib.
    """
    check_suffix(path, SUFFIXES)
    require("papers", "matplotlib")
    from matplotlib.figure import Figure

    area, time = found.units
    scale, area_name = (1e3, f"10³ {area}") if area == "um2" else (1.0, area)
    figure = Figure(figsize=(8, 5.5), layout="constrained")
    axes = figure.subplots()
    names = list(dict.fromkeys(row.architecture for row in found.measured))
    for name, (colour, marker) in styles(names).items():
        points = [cost(row) for row in found.measured if row.architecture == name]
        axes.scatter(
            [x / scale for x, _ in points],
            [y for _, y in points],
            color=colour,
            marker=marker,
            s=26,
            alpha=0.8,
            linewidths=0,
            label=name,
        )
    best = [cost(row) for row in found.frontier]
    xs, ys = [x / scale for x, _ in best], [y for _, y in best]
    axes.step(xs, ys, where="post", color="#333333", linewidth=1, label="frontier", zorder=0)
    axes.scatter(xs, ys, s=80, facecolors="none", edgecolors="#333333", linewidths=0.9)
    if found.measured:
        _logarithmic(axes, [row.time or 0.0 for row in found.measured])
    axes.set(title=found.title, xlabel=f"area, {area_name}", ylabel=f"{times}, {time}")
    axes.grid(which="both", alpha=0.25)
    axes.spines[["top", "right"]].set_visible(False)
    figure.legend(loc="outside right upper", frameon=False, fontsize=8)
    plain = {"Software": None} if path.suffix == ".png" else {"CreationDate": None}
    figure.savefig(path, dpi=150, metadata=plain)


def _logarithmic(axes: Axes, values: list[float]) -> None:
    """Make the vertical axis logarithmic, with plain numbers at ticks that suit ``values``."""
    from matplotlib.ticker import LogLocator, NullFormatter, StrMethodFormatter

    narrow = max(values) < 6 * min(values)
    axes.set_yscale("log")
    axes.yaxis.set_major_locator(LogLocator(subs=range(1, 10) if narrow else (1, 2, 5)))
    axes.yaxis.set_major_formatter(StrMethodFormatter("{x:g}"))
    axes.yaxis.set_minor_formatter(NullFormatter())
