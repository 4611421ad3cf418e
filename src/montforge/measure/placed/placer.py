# SPDX-License-Identifier: Apache-2.0
"""Placement of a netlist's cells in rows, by Coloquinte (https://github.com/Coloquinte/PlaceRoute).

The die is about square. Ports have no place, and what a port drives pulls no cell: pins at the
border spread the cells of designs with ports this wide, which lie inside a chip. A seed stands for
an order in which the placer is given cells and nets; it has no randomness of its own.
"""

from __future__ import annotations

import json
import math
import random
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from montforge.errors import ToolMissingError
from montforge.hardware.liberty import Cell
from montforge.measure.placed.netlist import Netlist
from montforge.measure.placed.technology import Technology
from montforge.measure.placed.wires import Place
from montforge.work.extras import missing
from montforge.work.tools import run_tool

EFFORT = 2
"""Coloquinte's effort, of 1 to 9."""
_SECONDS = 7200.0
_DRIVER = Path(__file__).with_name("coloquinte_driver.py")
_LAST_PYTHON = (3, 12)


def coloquinte_version() -> str:
    """Return the version of Coloquinte. Raises ToolMissingError, with the reason."""
    try:
        return version("coloquinte")
    except PackageNotFoundError:
        if sys.version_info[:2] > _LAST_PYTHON:
            raise ToolMissingError(
                "--placed needs the placer Coloquinte, which is for Python 3.11 and 3.12 only;"
                f" this is Python {sys.version_info.major}.{sys.version_info.minor}."
            ) from None
        raise missing("Coloquinte", "placed") from None


@dataclass(frozen=True)
class Die:
    """Rows of sites: their numbers."""

    rows: int
    sites: int


@dataclass(frozen=True)
class Placement:
    """Lower left corners of the instances, in sites and rows."""

    die: Die
    x: tuple[int, ...]
    y: tuple[int, ...]


def widths(kinds: Sequence[str], cells: Mapping[str, Cell], technology: Technology) -> list[int]:
    """Return the widths of instances in sites: a cell has the height of a row."""
    site = technology.row_um * technology.site_um
    return [max(1, round(cells[kind].area / site)) for kind in kinds]


def die_of(width: Sequence[int], technology: Technology) -> Die:
    """Return a die, about square, of which cells with these widths take the utilization."""
    sites = sum(width) / technology.utilization
    rows = max(1, round(math.sqrt(sites * technology.site_um / technology.row_um)))
    return Die(rows, max(math.ceil(sites / rows), max(width)))


def place(
    netlist: Netlist,
    width: Sequence[int],
    technology: Technology,
    seed: int,
    log: Path,
    pulls: Sequence[Sequence[int]] = (),
) -> Placement:
    """Return a legal placement of ``netlist``; ``width`` in sites, ``log`` for a failed run.

    ``pulls`` are instances that are drawn together as if a further net joined them.
    Raises ToolMissingError, ToolFailedError.
    """
    coloquinte_version()
    order = list(range(len(width)))
    nets = [sorted({at for at, _ in (net.driver, *net.sinks)}) for net in netlist.nets]
    nets = [net for net in nets if len(net) > 1]
    chance = random.Random(seed)
    chance.shuffle(order)
    chance.shuffle(nets)
    position = {cell: at for at, cell in enumerate(order)}
    die = die_of(width, technology)
    site, row = technology.site_nm, technology.row_nm
    circuit: dict[str, Any] = {
        "width": [site * width[cell] for cell in order],
        "height": row,
        "size": [site * die.sites, row * die.rows],
        "nets": [[position[cell] for cell in net] for net in (*nets, *pulls)],
        "effort": EFFORT,
    }
    with tempfile.TemporaryDirectory() as name:
        made = Path(name) / "places.json"
        run_tool(
            [sys.executable, "-P", _DRIVER, made],
            log=Path(name) / "coloquinte.log",
            timeout=_SECONDS,
            stdin=json.dumps(circuit),
            keep_log=log,
            name="coloquinte",
        )
        places = json.loads(made.read_text())
    # Widths are whole sites, so that cells which do not overlap do not on sites to their left.
    x, y = ([places[axis][position[cell]] for cell in range(len(order))] for axis in "xy")
    return Placement(die, tuple(each // site for each in x), tuple(each // row for each in y))


def moved(placement: Placement, width: Sequence[int]) -> Placement:
    """Return a legal placement of the same instances with other widths, in sites.

    Each stays in its row, in the order there: wider ones push those to their right, and at the end
    of a row to their left. A row that is too short makes the die longer.
    """
    rows: dict[int, list[int]] = {}
    for cell in sorted(range(len(width)), key=lambda cell: (placement.x[cell], cell)):
        rows.setdefault(placement.y[cell], []).append(cell)
    sites = max(sum(width[cell] for cell in row) for row in rows.values())
    die = Die(placement.die.rows, max(placement.die.sites, sites))
    x = list(placement.x)
    for row in rows.values():
        free = 0
        for cell in row:
            x[cell] = max(x[cell], free)
            free = x[cell] + width[cell]
        free = die.sites
        for cell in reversed(row):
            x[cell] = min(x[cell], free - width[cell])
            free = x[cell]
    return Placement(die, tuple(x), placement.y)


def centres(placement: Placement, width: Sequence[int], technology: Technology) -> list[Place]:
    """Return the centres of the instances in um."""
    return [
        (technology.site_um * (x + each / 2), technology.row_um * (y + 0.5))
        for x, y, each in zip(placement.x, placement.y, width, strict=True)
    ]
