# SPDX-License-Identifier: Apache-2.0
"""One chart of results and its two forms: an interactive figure and a PNG file."""

from __future__ import annotations

import colorsys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from montforge.errors import ParameterError

if TYPE_CHECKING:
    import plotly.graph_objects as go
    from matplotlib.axes import Axes

COLOURS = (
    "#2166ac", "#d6604d", "#4d9221", "#762a83", "#8c510a", "#01868e", "#c51b7d", "#b8860b",
    "#4a4a9c", "#555555", "#e08214",
)  # fmt: skip
"""Of the first series, in every picture and in the page that chooses."""
FRONTIER_COLOUR = "#333333"


@dataclass(frozen=True)
class Point:
    """One marker or bar: ``label`` names it, ``x`` is a number in a scatter, unused in bars."""

    label: str
    y: float
    x: float = 0.0


@dataclass(frozen=True)
class Chart:
    """Bars over labels, or points in a plane; one colour for each named series.

    ``log_y`` makes the vertical axis logarithmic; ``steps`` are the corners (x, y) of a frontier of
    least values, from left to right, that is drawn through the points; ``chosen`` has a ring and
    its label.
    """

    title: str
    kind: Literal["bar", "scatter"]
    x_title: str
    y_title: str
    series: tuple[tuple[str, tuple[Point, ...]], ...]
    log_y: bool = False
    steps: tuple[tuple[float, float], ...] = ()
    chosen: Point | None = None

    def to_plotly(self) -> go.Figure:
        """Return the chart as an interactive figure."""
        import plotly.graph_objects as go

        figure = go.Figure()
        for index, (name, points) in enumerate(self.series):
            colour = _colour(index)
            labels, ys = [p.label for p in points], [p.y for p in points]
            if self.kind == "bar":
                figure.add_bar(name=name, x=labels, y=ys, marker_color=colour)
            else:
                figure.add_scatter(
                    name=name,
                    x=[p.x for p in points],
                    y=ys,
                    text=labels,
                    mode="markers+text",
                    textposition=[f"top {self._side(p)}" for p in points],
                    marker={"color": colour, "size": 9},
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
        figure.update_yaxes(type="log" if self.log_y else "linear")
        figure.update_layout(
            title=self.title,
            xaxis_title=self.x_title,
            yaxis_title=self.y_title,
            template="plotly_white",
            barmode="group",
            showlegend=len(self.series) > 1,
        )
        if self.kind == "scatter":  # a phone has no room beside the plane
            figure.update_layout(
                legend={"orientation": "h", "y": -0.2}, margin={"l": 60, "r": 20}, height=600
            )
        return figure

    def write_png(self, path: Path) -> None:
        """Write the chart as a PNG file."""
        from matplotlib.figure import Figure
        from matplotlib.ticker import LogFormatter

        figure = Figure(figsize=(8, 4.5), layout="constrained")
        axes = figure.subplots()
        labels = list(dict.fromkeys(p.label for _, points in self.series for p in points))
        share = 0.8 / len(self.series)
        for index, (name, points) in enumerate(self.series):
            colour = _colour(index)
            if self.kind == "bar":
                places = [labels.index(p.label) + (index + 0.5) * share - 0.4 for p in points]
                axes.bar(places, [p.y for p in points], share, color=colour, label=name)
            else:
                xs, ys = [p.x for p in points], [p.y for p in points]
                axes.scatter(xs, ys, color=colour, label=name)
                for point in points:
                    self._annotate(axes, point, 4, fontsize=8)
        if self.kind == "bar":
            axes.set_xticks(range(len(labels)), labels, rotation=30, ha="right", fontsize=8)
        if self.steps:
            xs, ys = [x for x, _ in self.steps], [y for _, y in self.steps]
            axes.step(xs, ys, where="post", color=FRONTIER_COLOUR, linewidth=1, label="frontier")
        if self.chosen:
            place = [self.chosen.x], [self.chosen.y]
            axes.scatter(*place, s=180, c="none", edgecolors=FRONTIER_COLOUR, linewidths=2)
            self._annotate(axes, self.chosen, 9, weight="bold")
        if self.log_y:
            axes.set_yscale("log")
            axes.yaxis.set_major_formatter("{x:,g}")
            axes.yaxis.set_minor_formatter(LogFormatter(labelOnlyBase=False))
        axes.set(title=self.title, xlabel=self.x_title, ylabel=self.y_title)
        axes.grid(
            which="both" if self.log_y else "major",
            axis="y" if self.kind == "bar" else "both",
            alpha=0.3,
        )
        axes.spines[["top", "right"]].set_visible(False)
        if len(self.series) > 1:
            axes.legend(frameon=False)
        figure.savefig(path, dpi=120, metadata={"Software": None})

    def _side(self, point: Point) -> Literal["left", "right"]:
        """Return the side of a point that its label is on: the one with more room."""
        xs = [each.x for _, points in self.series for each in points]
        return "right" if point.x <= (min(xs) + max(xs)) / 2 else "left"

    def _annotate(self, axes: Axes, point: Point, distance: float, **style: Any) -> None:
        """Write the label of a point beside it, ``distance`` in points of type."""
        right = self._side(point) == "right"
        axes.annotate(
            point.label,
            (point.x, point.y),
            textcoords="offset points",
            xytext=(distance if right else -distance, distance),
            ha="left" if right else "right",
            **style,
        )


def _colour(index: int) -> str:
    """Return the colour of a series; no two of a chart have the same one."""
    if index < len(COLOURS):
        return COLOURS[index]
    hue = index * 0.618 % 1  # by the golden ratio, so that neighbours lie apart
    return "#" + "".join(f"{round(255 * part):02x}" for part in colorsys.hsv_to_rgb(hue, 0.6, 0.7))


def check_suffix(path: Path, suffixes: Sequence[str]) -> None:
    """Raise ParameterError for a picture whose suffix is none of ``suffixes``."""
    if path.suffix not in suffixes:
        raise ParameterError(
            f"the picture {path.name!r} has no known suffix; it must be one of"
            f" {', '.join(suffixes)}."
        )
