# SPDX-License-Identifier: Apache-2.0
"""One chart of results and its two forms: an interactive figure and a picture (PNG or PDF)."""

from __future__ import annotations

import colorsys
import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from montforge.errors import ParameterError
from montforge.report.labels import Name, write_names
from montforge.work.extras import require

if TYPE_CHECKING:
    import plotly.graph_objects as go
    from matplotlib.axes import Axes
    from matplotlib.axis import Axis
    from matplotlib.figure import Figure

COLOURS = (
    "#2166ac", "#d6604d", "#4d9221", "#762a83", "#8c510a", "#01868e", "#c51b7d", "#b8860b",
    "#4a4a9c", "#555555", "#e08214",
)  # fmt: skip
"""Of the first series, in every picture and in the page that chooses."""
FRONTIER_COLOUR = "#333333"
MARKERS = {
    "o": "circle", "s": "square", "D": "diamond", "^": "triangle-up", "v": "triangle-down",
    "P": "cross", "*": "star", "X": "x", "<": "triangle-left", ">": "triangle-right",
}  # fmt: skip
"""Matplotlib's markers, and Plotly's names of them."""
SUFFIXES = (".png", ".pdf")
LONG_LEGEND = 20
DECADE = 10.0
"""An axis with values that are so many times another one is logarithmic, as is the other axis."""
LOGARITHMIC_AXIS = {"type": "log", "dtick": "D2", "tickformat": ",.4~r", "automargin": True}
"""Of Plotly: ticks at 1, 2 and 5 of each decade, with whole numbers (``200``, not a bare ``2``)."""
LEGEND_BELOW = {"orientation": "h", "yref": "container", "yanchor": "bottom", "y": 0}


@dataclass(frozen=True)
class Point:
    """One marker or bar: ``label`` names it, ``x`` is a number in a scatter, unused in bars."""

    label: str
    y: float
    x: float = 0.0


@dataclass(frozen=True)
class Chart:
    """Bars over labels, or points in a plane; one colour and marker for each named series.

    Both axes of a plane are logarithmic if one of them spans a decade; bars are it over two
    decades. ``steps`` are the corners (x, y) of a frontier of least values, from left to right,
    that is drawn through the points; those have rings and their labels, of other points those that
    have room. ``chosen`` has a thicker ring.
    """

    title: str
    kind: Literal["bar", "scatter"]
    x_title: str
    y_title: str
    series: tuple[tuple[str, tuple[Point, ...]], ...]
    steps: tuple[tuple[float, float], ...] = ()
    chosen: Point | None = None

    @property
    def points(self) -> list[Point]:
        """All points."""
        return [point for _, points in self.series for point in points]

    @property
    def is_logarithmic(self) -> bool:
        """Whether the values span a decade; of bars two."""
        ys, xs = [p.y for p in self.points], [p.x for p in self.points]
        if self.kind == "bar":
            return _spans(ys, DECADE**2)
        positive = all(value > 0 for value in (*xs, *ys))
        return positive and (_spans(xs, DECADE) or _spans(ys, DECADE))

    def to_plotly(self) -> go.Figure:
        """Return the chart as an interactive figure, which names a point under the pointer."""
        import plotly.graph_objects as go

        figure = go.Figure()
        styles = series_styles([name for name, _ in self.series])
        for name, points in self.series:
            colour, marker = styles[name]
            labels, ys = [p.label for p in points], [p.y for p in points]
            if self.kind == "bar":
                figure.add_bar(name=name, x=labels, y=ys, marker_color=colour)
            else:
                figure.add_scatter(
                    name=name,
                    x=[p.x for p in points],
                    y=ys,
                    text=labels,
                    mode="markers",
                    marker={"color": colour, "size": 9, "symbol": MARKERS[marker]},
                )
        if self.steps:
            figure.add_scatter(
                name="frontier",
                x=[x for x, _ in self.steps],
                y=[y for _, y in self.steps],
                mode="lines",
                line={"shape": "hv", "color": FRONTIER_COLOUR, "width": 1},
            )
        if self.chosen:
            figure.add_scatter(
                name=self.chosen.label,
                x=[self.chosen.x],
                y=[self.chosen.y],
                text=[self.chosen.label],
                mode="markers+text",
                textposition=f"top {self._side(self.chosen)}",
                marker={
                    "symbol": "circle-open",
                    "size": 18,
                    "color": FRONTIER_COLOUR,
                    "line": {"width": 2},
                },
            )
        axis = LOGARITHMIC_AXIS if self.is_logarithmic else {"type": "linear"}
        figure.update_yaxes(axis)
        if self.kind == "scatter":  # a phone has no room beside it, nor for long ticks
            figure.update_xaxes(axis, tickangle=-45 if self.is_logarithmic else None)
            figure.update_layout(legend=LEGEND_BELOW, margin={"l": 60, "r": 20}, height=600)
        figure.update_layout(
            title=self.title,
            xaxis_title=self.x_title,
            yaxis_title=self.y_title,
            template="plotly_white",
            barmode="group",
            showlegend=len(self.series) > 1,
        )
        return figure

    @property
    def data(self) -> str:
        """All that is drawn, as a JSON text."""
        return json.dumps(asdict(self))

    def write(self, path: Path) -> None:
        """Write the chart as a picture; a PNG file has its `data` as the description.

        Raises ParameterError for another suffix, ToolMissingError without Matplotlib.
        """
        check_suffix(path, SUFFIXES)
        require("papers", "matplotlib")
        of_png = {"Software": None, "Description": self.data}
        plain = of_png if path.suffix == ".png" else {"CreationDate": None}
        self.to_figure().savefig(path, metadata=plain)

    def to_figure(self) -> Figure:
        """Return the chart as a Matplotlib figure."""
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure

        figure = Figure(figsize=(9, 5.5), dpi=120, layout="constrained")
        FigureCanvasAgg(figure)
        axes = figure.subplots()
        axes.set(title=self.title, xlabel=self.x_title, ylabel=self.y_title)
        axes.spines[["top", "right"]].set_visible(False)
        if self.kind == "bar":
            self._draw_bars(axes)
        else:
            self._draw_points(axes)
        if len(self.series) > 1 or self.steps:
            many = len(self.series) > LONG_LEGEND
            figure.legend(
                loc="outside right upper", frameon=False, fontsize=6 if many else 8,
                labelspacing=0.3 if many else 0.5,
            )  # fmt: skip
        figure.draw_without_rendering()
        figure.set_layout_engine("none")
        if self.kind == "bar":
            _turn_if_they_touch(axes, figure)
        else:
            at = [(point.x, point.y) for point in self.points]
            write_names(axes, self._names(), at, self.steps)
        return figure

    def _draw_bars(self, axes: Axes) -> None:
        labels = list(dict.fromkeys(p.label for p in self.points))
        share = 0.8 / len(self.series)
        styles = series_styles([name for name, _ in self.series])
        for index, (name, points) in enumerate(self.series):
            places = [labels.index(p.label) + (index + 0.5) * share - 0.4 for p in points]
            axes.bar(places, [p.y for p in points], share, color=styles[name][0], label=name)
        axes.set_xticks(range(len(labels)), labels, fontsize=8)
        if self.is_logarithmic:
            _make_logarithmic(axes, "y", [p.y for p in self.points])
        axes.grid(axis="y", alpha=0.3)

    def _draw_points(self, axes: Axes) -> None:
        for name, (colour, marker) in series_styles([name for name, _ in self.series]).items():
            points = dict(self.series)[name]
            xs, ys = [p.x for p in points], [p.y for p in points]
            axes.scatter(xs, ys, color=colour, marker=marker, s=30, linewidths=0, label=name)
        if self.steps:
            xs, ys = [x for x, _ in self.steps], [y for _, y in self.steps]
            axes.step(
                xs, ys, where="post", label="frontier", zorder=0, color=FRONTIER_COLOUR, linewidth=1
            )
            axes.scatter(xs, ys, s=80, facecolors="none", edgecolors=FRONTIER_COLOUR, linewidths=1)
        if self.chosen:
            place = [self.chosen.x], [self.chosen.y]
            axes.scatter(*place, s=180, c="none", edgecolors=FRONTIER_COLOUR, linewidths=2)
        axes.margins(0.08)
        if self.is_logarithmic:
            _make_logarithmic(axes, "x", [p.x for p in self.points])
            _make_logarithmic(axes, "y", [p.y for p in self.points])
        axes.grid(which="both", alpha=0.25)

    def _names(self) -> list[Name]:
        corners = set(self.steps)
        names = {
            (p.x, p.y): Name(p.label, p.x, p.y, must=not corners or (p.x, p.y) in corners)
            for p in self.points
            if p.label
        }
        if self.chosen:
            at = self.chosen.x, self.chosen.y
            names[at] = Name(self.chosen.label, *at, bold=True)
        return list(names.values())

    def _side(self, point: Point) -> Literal["left", "right"]:
        """Return the side of a point that its label is on: the one with more room."""
        xs = [each.x for each in self.points]
        return "right" if point.x <= (min(xs) + max(xs)) / 2 else "left"


def series_styles(names: Sequence[str]) -> dict[str, tuple[str, str]]:
    """Return a colour and a marker for each name; no two have the same colour."""
    markers = list(MARKERS)
    return {name: (_colour(at), markers[at % len(markers)]) for at, name in enumerate(names)}


def _colour(index: int) -> str:
    if index < len(COLOURS):
        return COLOURS[index]
    hue = index * 0.618 % 1  # by the golden ratio, so that neighbours lie apart
    return "#" + "".join(f"{round(255 * part):02x}" for part in colorsys.hsv_to_rgb(hue, 0.6, 0.7))


def _spans(values: Sequence[float], times: float) -> bool:
    return bool(values) and min(values) > 0 and max(values) >= times * min(values)


def _make_logarithmic(axes: Axes, which: Literal["x", "y"], values: Sequence[float]) -> None:
    """Make an axis logarithmic, with plain numbers at ticks that suit ``values``."""
    from matplotlib.ticker import LogLocator, NullFormatter, StrMethodFormatter

    narrow = max(values) < 6 * min(values)
    (axes.set_xscale if which == "x" else axes.set_yscale)("log")
    axis: Axis = axes.xaxis if which == "x" else axes.yaxis
    axis.set_major_locator(LogLocator(subs=range(1, 10) if narrow else (1, 2, 5)))
    axis.set_major_formatter(StrMethodFormatter("{x:,g}"))
    axis.set_minor_formatter(NullFormatter())


def _turn_if_they_touch(axes: Axes, figure: Figure) -> None:
    """Write the labels of bars upwards if two of them have no room side by side."""
    boxes = [label.get_window_extent() for label in axes.get_xticklabels()]
    if any(right.x0 - left.x1 < 4 for left, right in pairwise(boxes)):
        axes.tick_params(axis="x", rotation=90)
        figure.set_layout_engine("constrained")
        figure.draw_without_rendering()
        figure.set_layout_engine("none")


def check_suffix(path: Path, suffixes: Sequence[str]) -> None:
    """Raise ParameterError for a picture whose suffix is none of ``suffixes``."""
    if path.suffix not in suffixes:
        raise ParameterError(
            f"the picture {path.name!r} has no known suffix; it must be one of"
            f" {', '.join(suffixes)}."
        )
