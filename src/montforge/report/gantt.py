# SPDX-License-Identifier: Apache-2.0
"""Pictures of schedules in the manner of Grale and Swartzlander's Fig. 3 and Fig. 4."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from montforge.programs.serial import Bar
from montforge.report.chart import COLOURS, check_suffix
from montforge.report.page import Page, figure_html
from montforge.work.extras import require

if TYPE_CHECKING:
    import plotly.graph_objects as go

PHASES = {"T": "T = A B", "Q": "Q = T M' mod R", "U": "U = Q M"}
_COLOURS = dict(zip(PHASES, COLOURS, strict=False))
STAGES = ("load", "multiply", "accumulate")
_SUFFIXES = (".png", ".svg", ".pdf", ".html")
_MOST_PIXELS = 60_000


def _rows(bars: Sequence[Bar], stages: Sequence[str]) -> list[tuple[int, str, Bar]]:
    """Return (cycle, row name, bar): one row a multiplier, or one a multiplier and stage."""
    if not stages:
        return [(bar.cycle, f"multiplier {bar.multiplier}", bar) for bar in bars]
    multipliers = sorted({bar.multiplier for bar in bars})
    return [
        (bar.cycle + at, stage if len(multipliers) == 1 else f"{stage} {bar.multiplier}", bar)
        for at, stage in enumerate(stages)
        for bar in sorted(bars, key=lambda b: b.multiplier)
    ]


def write_picture(
    bars: Sequence[Bar], path: Path, *, title: str, stages: Sequence[str] = ()
) -> None:
    """Draw a schedule into ``path`` (PNG, SVG, PDF or a page that works offline, by its suffix).

    Rows are multipliers, columns are cycles, colours are phases. With ``stages`` (`STAGES` for
    Fig. 4) each product moves through one row a pipeline stage, a cycle later in each.
    Raises ParameterError for another suffix, ToolMissingError without the plotting libraries.
    """
    check_suffix(path, _SUFFIXES)
    if path.suffix == ".html":
        require("papers", "plotly")
        chart = figure_html(to_plotly(bars, title=title, stages=stages))
        Page(title, chart, charts=True).write(path)
        return
    require("papers", "matplotlib")
    from matplotlib.figure import Figure

    rows = _rows(bars, stages)
    names = list(dict.fromkeys(name for _, name, _ in rows))
    cycles = max(cycle for cycle, _, _ in rows) + 1
    size = (max(4.0, 0.95 * cycles + 1.5), 0.55 * len(names) + 1.4)
    figure = Figure(figsize=size, layout="constrained")
    axes = figure.subplots()
    for cycle, name, bar in rows:
        y = names.index(name)
        axes.barh(y, 0.96, left=cycle - 0.48, height=0.8, color=_COLOURS[bar.phase])
        axes.text(cycle, y, bar.label, ha="center", va="center", fontsize=7, color="white")
    for phase, meaning in PHASES.items():
        axes.barh(0, 0, color=_COLOURS[phase], label=meaning)
    axes.set_yticks(range(len(names)), names)
    axes.set_xticks(range(cycles))
    axes.set_xlim(-0.6, cycles - 0.4)
    axes.invert_yaxis()
    axes.set_xlabel("cycle")
    axes.set_title(title, fontsize=10)
    figure.legend(loc="outside lower center", ncols=3, frameon=False, fontsize=8)
    figure.savefig(path, dpi=min(150, _MOST_PIXELS / size[0]))


def to_plotly(bars: Sequence[Bar], *, title: str, stages: Sequence[str] = ()) -> go.Figure:
    """Return the same picture as an interactive figure."""
    import plotly.graph_objects as go

    rows = _rows(bars, stages)
    figure = go.Figure()
    for phase, meaning in PHASES.items():
        chosen = [(cycle, name, bar) for cycle, name, bar in rows if bar.phase == phase]
        figure.add_bar(
            name=meaning,
            orientation="h",
            base=[cycle - 0.48 for cycle, _, _ in chosen],
            x=[0.96] * len(chosen),
            y=[name for _, name, _ in chosen],
            text=[bar.label for _, _, bar in chosen],
            hovertext=[f"cycle {cycle}: {bar.label}" for cycle, _, bar in chosen],
            hoverinfo="text",
            marker_color=_COLOURS[phase],
        )
    figure.update_layout(
        title=title, barmode="overlay", template="plotly_white", xaxis_title="cycle"
    )
    names = list(dict.fromkeys(name for _, name, _ in rows))
    figure.update_yaxes(categoryorder="array", categoryarray=names[::-1])
    return figure
