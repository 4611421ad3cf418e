# SPDX-License-Identifier: Apache-2.0
"""Pictures: texts have room, frontiers their names, decades logarithmic axes.

Those are all charts that the documentation, `pick --plot` and `explore` draw.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations

import mkdocs_pictures
import numpy as np
import pytest
from matplotlib.axes import Axes
from matplotlib.colors import to_hex
from matplotlib.text import Text
from matplotlib.transforms import Bbox

from montforge.demos import multiplier as demo
from montforge.explore.plot import frontier_chart
from montforge.report import chart as chart_module
from montforge.report.chart import Chart, Point
from montforge.report.labels import Name
from montforge.store import exploration, read_results
from montforge.store.pick import Request, pick


def explored(width: int) -> Chart:
    return frontier_chart(exploration(read_results(), width=width, target="nangate45"))


def picked(**asked: object) -> Chart:
    request = Request(**{"width": 256, "target": "nangate45", **asked})  # type: ignore[arg-type]
    return frontier_chart(pick(request).exploration())


def crowd() -> Chart:
    """Forty neighbours on a frontier, with long names."""
    points = tuple(
        Point(f"design_{at}(parameter={at}, other={at * at})", 1000 * 0.93**at, 10 * 1.04**at)
        for at in range(40)
    )
    return Chart("C", "scatter", "x", "y", (("s", points),), tuple((p.x, p.y) for p in points))


CHARTS: dict[str, Callable[[], Chart]] = {
    **mkdocs_pictures.REPRODUCTIONS,
    **{f"explored {width}": lambda width=width: explored(width) for width in (64, 256, 1024)},
    "picked by rate": lambda: picked(minimise="throughput"),
    "picked engines": lambda: picked(width=64, function="rsa"),
    "explored on an FPGA": lambda: mkdocs_pictures.fpga(read_results()),
    "demonstration": demo.stored_picture,
}


def texts(chart: Chart) -> list[tuple[Text, Bbox]]:
    """All texts of a picture that are to be read, and their boxes in pixels."""
    figure = chart.to_figure()
    figure.draw_without_rendering()
    found = [
        each for each in figure.findobj(Text) if each.get_visible() and each.get_text().strip()
    ]
    (axes,) = figure.axes
    left, right = sorted(axes.get_xlim())
    low, high = sorted(axes.get_ylim())
    ticks = [
        label
        for axis, least, most in ((axes.xaxis, left, right), (axes.yaxis, low, high))
        for tick in (*axis.get_major_ticks(), *axis.get_minor_ticks())
        for label in (tick.label1, tick.label2)
        if not least <= tick.get_loc() <= most
    ]  # Matplotlib draws none of those
    # The extent of an annotation has its line, too.
    return [(each, Text.get_window_extent(each)) for each in found if each not in ticks]


def overlaps(chart: Chart) -> list[tuple[str, str]]:
    """The pairs of texts that lie on each other, and texts that leave the picture."""
    found = texts(chart)
    picture = found[0][0].figure.bbox
    pairs = [
        (one.get_text(), other.get_text())
        for (one, box), (other, second) in combinations(found, 2)
        if box.x0 < second.x1 and second.x0 < box.x1 and box.y0 < second.y1 and second.y0 < box.y1
    ]
    outside = [
        (text.get_text(), "outside")
        for text, box in found
        if box.x0 < 0 or box.y0 < 0 or box.x1 > picture.x1 or box.y1 > picture.y1
    ]
    return pairs + outside


@pytest.mark.parametrize("name", [*CHARTS, "crowd"])
def test_no_text_lies_on_another(name: str) -> None:
    chart = crowd() if name == "crowd" else CHARTS[name]()
    assert overlaps(chart) == []


@pytest.mark.parametrize("name", CHARTS)
def test_designs_on_the_frontier_are_named(name: str) -> None:
    chart = CHARTS[name]()
    written = {text.get_text() for text, _ in texts(chart)}
    corners = set(chart.steps)
    expected = {p.label for p in chart.points if (p.x, p.y) in corners and p.label}
    if chart.chosen:
        expected.add(chart.chosen.label)
    if chart.steps:
        assert len(expected) > 1
    assert expected <= written
    if chart.kind == "bar":
        assert {str(point.label) for point in chart.points} <= written


@pytest.mark.parametrize("name", CHARTS)
def test_what_spans_decades_is_logarithmic(name: str) -> None:
    chart = CHARTS[name]()
    (axes,) = chart.to_figure().axes
    ys, xs = [p.y for p in chart.points], [p.x for p in chart.points]
    if chart.kind == "scatter":
        spans = max(max(ys) / min(ys), max(xs) / min(xs)) >= 10
        assert (axes.get_xscale(), axes.get_yscale()) == (("log" if spans else "linear"),) * 2
    else:
        assert axes.get_yscale() == ("log" if max(ys) / min(ys) >= 100 else "linear")


def test_names_at_their_points_would_overlap(monkeypatch: pytest.MonkeyPatch) -> None:
    """The check fails for names that are written without a look at others."""

    def write(axes: Axes, names: list[Name], *_: object) -> None:
        for name in names:
            axes.annotate(name.text, (name.x, name.y), (4, 4), textcoords="offset points")

    assert overlaps(explored(256)) == []
    monkeypatch.setattr(chart_module, "write_names", write)
    assert len(overlaps(explored(256))) > 3


@pytest.mark.parametrize("name", CHARTS)
def test_series_have_the_colours_of_the_palette(name: str) -> None:
    chart = CHARTS[name]()
    handles = chart.to_figure().axes[0].get_legend_handles_labels()[0]
    kinds = [each.patches[0] if chart.kind == "bar" else each for each in handles]
    drawn = [
        to_hex(np.ravel(each.get_facecolor())) for each in kinds if hasattr(each, "get_facecolor")
    ]
    palette = chart_module.COLOURS
    assert drawn[: len(palette)] == list(palette[: len(chart.series)])
    traces = chart.to_plotly().data[: len(chart.series)]
    assert [trace.marker.color for trace in traces] == drawn
