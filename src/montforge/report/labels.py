# SPDX-License-Identifier: Apache-2.0
"""Names of points in a Matplotlib plot, none of which lies on another or leaves the axes."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Box = tuple[float, float, float, float]
"""Left, bottom, right and top in pixels."""
RADII = (7, 11, 16, 22, 29, 37, 46, 56, 68, 82, 98, 116, 136, 160)
"""Distances of a name from its point in points of type, the near ones first."""
NEAR = 16
"""The largest distance that needs no line from the name to its point."""
ANGLES = (45, 135, 315, 225, 0, 180, 90, 270, 22, 67, 112, 157, 202, 247, 292, 337)
MARK, GAP = 4.0, 2.0
"""Half of a mark, and the least room between two names, in points of type."""


@dataclass(frozen=True)
class Name:
    """A name for the point (x, y) in data coordinates; one that is no ``must`` is left out where
    there is no room near the point.
    """

    text: str
    x: float
    y: float
    must: bool = True
    bold: bool = False


def write_names(
    axes: Axes,
    names: Iterable[Name],
    points: Sequence[tuple[float, float]],
    corners: Sequence[tuple[float, float]] = (),
    size: float = 8,
) -> None:
    """Write names beside their points, those that must be there first.

    Marks at ``points`` and the steps through ``corners`` are kept free where that is possible. The
    axes have their final place and limits. A name that must be there and has no room anywhere is
    left out like others, which a figure of more height mends.
    """
    figure = axes.figure
    unit = figure.dpi / 72
    room: Box = axes.get_window_extent().extents
    marks = [_grown((*at, *at), MARK * unit) for at in axes.transData.transform(points)]
    line = _steps(axes.transData.transform(corners).tolist()) if corners else []
    taken: list[Box] = []
    for name in sorted(names, key=lambda each: not each.must):
        at = tuple(axes.transData.transform((name.x, name.y)).tolist())
        weight = "bold" if name.bold else "normal"
        text = axes.annotate(
            name.text, (name.x, name.y), textcoords="offset points", xytext=(0, 0),
            fontsize=size, weight=weight, annotation_clip=False,
        )  # fmt: skip
        text.set_in_layout(False)
        extent = text.get_window_extent()
        place = _best(at, extent.width, extent.height, unit, name.must, (room, marks, line, taken))
        text.remove()
        if place is None:
            continue
        _, box, radius = place
        taken.append(_grown(box, GAP * unit))
        offset = ((box[0] - at[0]) / unit, (box[1] - at[1]) / unit)
        arrow: dict[str, Any] | None = None
        if radius > NEAR:
            end = _nearest(at, box)
            arrow = {"arrowstyle": "-", "color": "#888888", "linewidth": 0.6, "shrinkA": 0}
            arrow |= {"shrinkB": MARK, "relpos": _share(end, box)}
        axes.annotate(
            name.text, (name.x, name.y), textcoords="offset points", xytext=offset, ha="left",
            va="bottom", fontsize=size, weight=weight, arrowprops=arrow, gid="name",
        ).set_in_layout(False)  # fmt: skip


def _best(
    at: Sequence[float],
    width: float,
    height: float,
    unit: float,
    must: bool,
    obstacles: tuple[Box, list[Box], list[Box], list[Box]],
) -> tuple[float, Box, float] | None:
    """Return the least cost of a place, the place, and its distance; None if there is no room."""
    room, marks, line, taken = obstacles
    best: tuple[float, Box, float] | None = None
    for radius in RADII if must else [each for each in RADII if each <= NEAR]:
        if best is not None and best[0] <= radius:
            break
        for turn, angle in enumerate(ANGLES):
            direction = math.cos(math.radians(angle)), math.sin(math.radians(angle))
            x, y = (at[axis] + radius * unit * part for axis, part in enumerate(direction))
            left = x if angle in (0, 22, 45, 67, 292, 315, 337) else x - width
            low = y if 0 < angle < 180 else y - height
            if angle in (90, 270):
                left = x - width / 2
            if angle in (0, 180):
                low = y - height / 2
            box = (left, low, left + width, low + height)
            if not _inside(box, room) or any(_overlap(box, other) for other in taken):
                continue
            end = _nearest(at, box)
            covered = sum(_overlap(box, other) for other in marks)
            crossed = sum(_overlap(box, other) for other in line)
            crossed += sum(_crosses(at, end, other) for other in taken)
            cost = radius + 0.1 * turn + 60 * covered + 25 * crossed
            if best is None or cost < best[0]:
                best = cost, box, radius
    return best


def _steps(corners: Sequence[Sequence[float]]) -> list[Box]:
    """Return the thin boxes of a line that goes to the right and then down to each corner."""
    found = []
    for (x0, y0), (x1, y1) in pairwise(corners):
        found += [(x0, y0, x1, y0), (x1, min(y0, y1), x1, max(y0, y1))]
    return found


def _grown(box: Sequence[float], by: float) -> Box:
    return box[0] - by, box[1] - by, box[2] + by, box[3] + by


def _overlap(one: Box, other: Box) -> bool:
    return one[0] <= other[2] and other[0] <= one[2] and one[1] <= other[3] and other[1] <= one[3]


def _inside(box: Box, room: Box) -> bool:
    return room[0] <= box[0] and box[2] <= room[2] and room[1] <= box[1] and box[3] <= room[3]


def _nearest(at: Sequence[float], box: Box) -> tuple[float, float]:
    """Return the point of a box that is nearest to another point."""
    return min(max(at[0], box[0]), box[2]), min(max(at[1], box[1]), box[3])


def _share(end: tuple[float, float], box: Box) -> tuple[float, float]:
    """Return a point of a box as parts of its width and height."""
    return (end[0] - box[0]) / (box[2] - box[0]), (end[1] - box[1]) / (box[3] - box[1])


def _crosses(start: Sequence[float], end: Sequence[float], box: Box) -> bool:
    """Return whether a straight line meets a box: at one of nine points of it, or nearly."""
    parts = [each / 8 for each in range(9)]
    places = [
        (start[0] + part * (end[0] - start[0]), start[1] + part * (end[1] - start[1]))
        for part in parts
    ]
    return any(_overlap((*at, *at), box) for at in places)
