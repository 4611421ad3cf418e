# SPDX-License-Identifier: Apache-2.0
"""Three placers on the same netlists: Coloquinte, graywolf, and a quadratic one on scipy.

    python benchmarks/placers.py [--target nangate45] [--seconds 900] [DESIGN ...]

A design is words of ``montforge measure``, by default `DESIGNS`. Printed are half the perimeter of
all nets, the length of all spanning trees, the period with these trees as wires (the netlist as it
is), and the processor seconds of the placer. All have the same rows, sites and share of the rows
that cells take, and no places of ports. Debian's graywolf, if it is there, gets as much time by the
clock as --seconds says. scipy (pip install scipy) is no dependency of montforge.
"""

from __future__ import annotations

import argparse
import re
import shutil
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from mapped import mapped, period, processor_seconds
from numpy.typing import NDArray

from montforge import report
from montforge.errors import ToolFailedError
from montforge.measure import StandardCells, find_target
from montforge.measure.placed.netlist import Netlist
from montforge.measure.placed.placer import Die, Placement, centres, die_of, place, widths
from montforge.measure.placed.technology import Technology, technology_of
from montforge.measure.placed.wires import Place, spef, trees, wire_length
from montforge.work.tools import run_tool

DESIGNS = ("mm_r2 -p width=64", "unit_csa -p width=64", "scs_mm_skip -p width=256")
ROUNDS = 40
"""Rounds of solving and spreading of `quadratic`."""
Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


def main() -> None:
    """Place and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("design", nargs="*", default=DESIGNS)
    parser.add_argument("--target", default="nangate45")
    parser.add_argument("--seconds", type=float, default=900.0, help="the limit of graywolf")
    given = parser.parse_args()
    target = find_target(given.target)
    assert isinstance(target, StandardCells)
    for words in given.design:
        print(compared(words, target, given.seconds).to_markdown())


def compared(words: str, target: StandardCells, seconds: float) -> report.Table:
    """Return the figures of all placers on one design."""
    found = mapped(words, target)
    netlist, cells = found.netlist, found.cells
    technology = technology_of(target.name)
    width = widths([each.kind for each in netlist.instances], cells, technology)

    def placed(places: Sequence[Place]) -> float:
        return period(found, spef(found.top, netlist, trees(netlist, places), technology))

    def coloquinte() -> Sequence[Place] | str:
        with tempfile.TemporaryDirectory() as folder:
            made = place(netlist, width, technology, 1, Path(folder) / "log")
        return centres(made, width, technology)

    def on_scipy() -> Sequence[Place] | str:
        return centres(quadratic(netlist, width, technology), width, technology)

    placers: dict[str, Callable[[], Sequence[Place] | str]] = {
        "Coloquinte": coloquinte,
        "quadratic, scipy": on_scipy,
        "graywolf": lambda: graywolf(netlist, width, technology, seconds),
    }
    rows: list[tuple[report.Cell, ...]] = []
    for label, run in placers.items():
        begin = processor_seconds()
        places = run()
        used = processor_seconds() - begin
        if isinstance(places, str):
            rows.append((label, None, None, None, round(used, 1), places))
            continue
        length = sum(map(wire_length, trees(netlist, places)))
        figures = (half_perimeter(netlist, places) / 1e3, length / 1e3, placed(places))
        rows.append((label, *figures, round(used, 1), ""))
    columns = ("placer", "half perimeter mm", "trees mm", "placed ns", "seconds", "failed")
    return report.Table(f"{words}, {target.name}, {len(width):,} cells", columns, tuple(rows))


def half_perimeter(netlist: Netlist, places: Sequence[Place]) -> float:
    """Return half the perimeter of the boxes around all nets, in um."""
    total = 0.0
    for net in netlist.nets:
        x, y = zip(*(places[at] for at, _ in (net.driver, *net.sinks)), strict=True)
        total += max(x) - min(x) + max(y) - min(y)
    return total


# The quadratic placer.


def quadratic(netlist: Netlist, width: Sequence[int], technology: Technology) -> Placement:
    """Return a legal placement of least squared lengths that is spread by bisection, in rounds.

    Each round pulls the cells to the places that bisection gave them, and a little harder. A net
    is a star around a point of its own (two pins: a wire). Rows are filled in the order of places.
    """
    from scipy.sparse import csr_array, eye_array
    from scipy.sparse.linalg import cg

    die, count = die_of(width, technology), len(width)
    size = np.array([die.sites, die.rows * technology.row_um / technology.site_um], float)
    weights = np.array(width, float)
    system = _laplacian(netlist, count)
    places = np.random.default_rng(1).random((system.shape[0], 2)) * size
    anchors = places[:count].copy()
    for turn in range(ROUNDS):
        pull = np.zeros(system.shape[0])
        pull[:count] = 0.002 * (turn + 1)
        matrix = csr_array(system + eye_array(system.shape[0]) * 1e-6)
        matrix.setdiag(matrix.diagonal() + pull)
        for axis in (0, 1):
            goal = np.zeros(system.shape[0])
            goal[:count] = pull[:count] * anchors[:, axis]
            places[:, axis], _ = cg(matrix, goal, x0=places[:, axis], rtol=1e-4, maxiter=300)
        anchors = np.empty((count, 2))
        _bisected(places[:count], weights, np.arange(count), np.zeros(2), size, anchors)
    return _in_rows(anchors, width, die)


def _laplacian(netlist: Netlist, count: int) -> Any:
    """Return the Laplacian of all nets; those of more than two cells have a point of their own."""
    from scipy.sparse import coo_array, csr_array

    left, right, weight = [], [], []
    points = count
    for net in netlist.nets:
        cells = sorted({at for at, _ in (net.driver, *net.sinks)})
        if len(cells) == 2:
            pairs, each = [(cells[0], cells[1])], 1.0
        elif len(cells) > 2:
            pairs, each = [(cell, points) for cell in cells], len(cells) / (len(cells) - 1)
            points += 1
        else:
            continue
        for one, other in pairs:
            left += [one, other]
            right += [other, one]
            weight += [each, each]
    adjacent = csr_array(coo_array((weight, (left, right)), shape=(points, points)))
    found = -adjacent
    found.setdiag(adjacent.sum(axis=1))
    return found


def _bisected(
    places: Floats, weights: Floats, cells: Ints, low: Floats, high: Floats, made: Floats
) -> None:
    """Put ``cells`` evenly into the box from ``low`` to ``high``, in the order of their places."""
    if len(cells) == 1:
        made[cells[0]] = (low + high) / 2
        return
    axis = int(np.argmax(high - low))
    order = cells[np.argsort(places[cells, axis], kind="stable")]
    sums = np.cumsum(weights[order])
    cut = min(max(int(np.searchsorted(sums, sums[-1] / 2)), 1), len(order) - 1)
    middle = low[axis] + (high[axis] - low[axis]) * sums[cut - 1] / sums[-1]
    for part, begin, end in ((order[:cut], low[axis], middle), (order[cut:], middle, high[axis])):
        lower, upper = low.copy(), high.copy()
        lower[axis], upper[axis] = begin, end
        _bisected(places, weights, part, lower, upper, made)


def _in_rows(places: Floats, width: Sequence[int], die: Die) -> Placement:
    """Return a legal placement: rows of equal load in the order of y, in each the order of x."""
    x, y = [0] * len(width), [0] * len(width)
    load = sum(width) / die.rows
    rows: list[list[int]] = [[] for _ in range(die.rows)]
    before = 0
    for cell in np.argsort(places[:, 1], kind="stable").tolist():
        rows[min(int(before / load), die.rows - 1)].append(cell)
        before += width[cell]
    for at, row in enumerate(rows):
        row.sort(key=lambda cell: float(places[cell, 0]))
        free, left = 0, sum(width[cell] for cell in row)
        for cell in row:
            wanted = round(float(places[cell, 0]) - width[cell] / 2)
            x[cell] = max(free, min(wanted, die.sites - left))
            y[cell] = at
            free, left = x[cell] + width[cell], left - width[cell]
    return Placement(die, tuple(x), tuple(y))


# Graywolf.

PARAMETERS = """\
RULES
layer metal1 0.07 0.030 horizontal
layer metal2 0.07 0.017 vertical
via via12 metal1 metal2
width metal1 7
width metal2 7
width via12 7
spacing metal1 metal1 7
spacing metal2 metal2 7
overhang via12 metal1 0
overhang via12 metal2 0
ENDRULES
*vertical_wire_weight : 1.0
*vertical_path_weight : 1.0
*padspacing : variable
*rowSep : 0.0 0
*track.pitch : {site}
*minimum_pad_space : {site}
*gridX : {site}
*gridY : {site}
*gridOffsetX : 0
*gridOffsetY : 0
*graphics.wait : off
*last_chance.wait : off
*random.seed : 12345
TWMC*chip.aspect.ratio : 1.0
TWSC*feedThruWidth : {site} layer 1
TWSC*do.global.route : off
TWSC*ignore_feeds : true
TWSC*call_row_evener : true
TWSC*even_rows_maximally : true
GENR*row_to_tile_spacing: 1
GENR*flip_alternate_rows : 1
"""


def graywolf(
    netlist: Netlist, width: Sequence[int], technology: Technology, seconds: float
) -> Sequence[Place] | str:
    """Return the places that graywolf finds, or why there are none; its unit is 10 nm.

    Cells are wider there by the share of the rows that they take.
    """
    if shutil.which("graywolf") is None:
        return "not installed"
    site, row = technology.site_nm // 10, technology.row_nm // 10
    wide = [max(1, round(each / technology.utilization)) * site for each in width]
    signals: list[list[str]] = [[] for _ in width]
    for number, net in enumerate(netlist.nets):
        cells = sorted({at for at, _ in (net.driver, *net.sinks)})
        for at in cells if len(cells) > 1 else ():
            signals[at].append(f"s{number}")
    text = []
    for at, half in enumerate(each // 2 for each in wide):
        text.append(f"cell {at + 1} c{at}")
        text.append(f"left {-half} right {wide[at] - half} bottom {-row // 2} top {row // 2}")
        text += [f"pin name p{n} signal {s} layer 1 0 0" for n, s in enumerate(signals[at])]
        text.append("")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "d.cel").write_text("\n".join(text) + "\n")
        (folder / "d.par").write_text(PARAMETERS.format(site=site))
        try:
            run_tool(["graywolf", "-n", "d"], log=folder / "log", timeout=seconds, cwd=folder)
            made = (folder / "d.pl1").read_text()
        except (ToolFailedError, OSError) as error:
            return str(error).splitlines()[0]
    found = re.findall(r"^c(\d+) +(-?\d+) +(-?\d+) +(-?\d+) +(-?\d+) ", made, re.MULTILINE)
    places = {int(at): (int(a), int(b), int(c), int(d)) for at, a, b, c, d in found}
    if len(places) != len(width):
        return f"{len(places)} of {len(width)} cells have places"
    boxes = (places[at] for at in range(len(width)))
    return [((left + right) / 200, (low + high) / 200) for left, low, right, high in boxes]


if __name__ == "__main__":
    main()
