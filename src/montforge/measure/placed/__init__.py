# SPDX-License-Identifier: Apache-2.0
"""Figures of a measured netlist with wires, from a placement of its cells.

The netlist is the one that was measured, on the rows of the target's `Technology`. OpenSTA times it
with the wires of a tree for each net: the period *placed*. Then buffer trees are built by place
(`montforge.measure.placed.buffers`) and all cells are placed again, where that makes area times
period less; cells get other sizes (`montforge.measure.placed.sizing`), are moved to legal places
again, and are timed with the wires that follow: the period *sized*. Where wires still make the
longest path much longer, cells that follow each other on long paths are pulled together, all are
placed again, and cells get other sizes. The clock is ideal, nothing is routed, and nets that ports
drive have no wires. Each step is kept by the content of all that it depends on.
"""

from __future__ import annotations

import json
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import Any

from montforge.hardware import Hardware
from montforge.hardware.liberty import Library, scan_liberty
from montforge.measure import yosys
from montforge.measure.compiled import compiled_hash
from montforge.measure.identity import stored
from montforge.measure.opensta import (
    LONG_PATHS,
    LONGEST_PATH,
    WIRES,
    opensta_version,
    parse_paths,
    parse_placed,
    placed_script,
    run_opensta,
)
from montforge.measure.placed.buffers import rebuilt
from montforge.measure.placed.clock import clock_script, clock_tree, parse_clock
from montforge.measure.placed.netlist import Netlist, read_netlist, resized
from montforge.measure.placed.placer import (
    EFFORT,
    Die,
    Placement,
    centres,
    coloquinte_version,
    moved,
    place,
    widths,
)
from montforge.measure.placed.sizing import (
    RATIOS,
    TRIALS,
    parse_sizing,
    sized_by_load,
    sizes_of,
    sizing_script,
)
from montforge.measure.placed.technology import Technology, technology_of
from montforge.measure.placed.wires import Edge, spef, trees, wire_length
from montforge.measure.sweep import Sweep
from montforge.measure.targets import StandardCells
from montforge.work.cache import ResultStore, cache_root, cached_folder, content_hash
from montforge.work.sources import statements_hash

_SECONDS = 7200.0
_ROUNDS = 2
"""How often buffer trees are built by the places of cells."""
_LONGER = 1.15
"""Cells are pulled together if the period sized is above this multiple of that without wires."""
_PULLS = 4
"""By how many further nets the cells on long paths are pulled together, each time."""
_PULLED_ROUNDS = 6
"""How often they are, at most."""
_NEAR = 1.03
"""Layouts are sized whose area * period, with sizes by load, is up to this multiple of the best."""
_PLACES = "places.json"


def check_placeable(target: str | None) -> None:
    """Raise the error, if there is one, that `placed_figures` on ``target`` ends with."""
    technology_of(target)
    coloquinte_version()


def placed_figures(
    design: Hardware,
    target: StandardCells,
    found: Sweep,
    seed: int,
    store: ResultStore,
    simulate: Callable[[Sweep, ResultStore], int] | None,
) -> dict[str, Any]:
    """Return the figures with wires of the best point of a sweep of ``design``.

    Periods are in ns, areas in um2, lengths in um: ``period_no_wires`` and ``period_wire_load`` (or
    None) are those of the sweep, ``period_placed`` is with wires, ``period_sized`` and
    ``area_sized`` after ``trees`` buffer trees were built by place and ``resized`` cells got other
    sizes. ``clock_tree_estimate`` is in no other figure: `_Flow.clock_tree`. ``compiled`` is
    `placed_hash`. ``simulate`` does operations on the netlist that has these trees and sizes, and
    returns their number. Raises ToolMissingError, ToolFailedError, ParameterError,
    CheckFailedError.
    """
    flow = _Flow(design, target, found.liberty, technology_of(target.name), seed, store)
    start = flow.layout(found.netlist().read_text())
    best = flow.best(start, found.timing["period_no_wire_load"])
    last, timing = best.layout, flow.timing(best.layout)
    checked = replace(found, best={**found.best, "key": last.key}, netlist=lambda: flow.file(last))
    operations = 0 if simulate is None else simulate(checked, store)
    wire_load = target.wire_load is not None
    return {
        "seed": seed,
        "compiled": placed_hash(design, target),
        **asdict(flow.technology),
        "effort": EFFORT,
        "rows": last.placement.die.rows,
        "row_sites": last.placement.die.sites,
        "wire_um": round(start.wire_um, 2),
        "wire_um_sized": round(last.wire_um, 2),
        "period_no_wires": found.timing["period_no_wire_load"],
        "period_wire_load": found.timing["period"] if wire_load else None,
        "period_placed": flow.timing(start)["period"],
        "period_sized": timing["period"],
        "area_sized": round(flow.area(last), 6),
        "trees": best.trees,
        "pulled": best.pulled,
        "resized": best.resized,
        "period_by_load_ratio": best.sizing["by_ratio"],
        "trials": best.sizing["trials"],
        "critical_path": {name: timing[name] for name in ("start", "end", "cells")},
        "clock_tree_estimate": flow.clock_tree(last),
        "netlist_checked": "operations" if operations else None,
        "netlist_operations": operations,
        "tools": {"coloquinte": coloquinte_version(), "opensta": opensta_version()},
        "inputs": content_hash("placed", best.sizing["key"], timing["key"]),
    }


def placed_hash(design: Hardware, target: StandardCells) -> str:
    """Return the hash of all that figures with wires depend on, but the tools and the cells.

    It is of what `compiled_hash` is of, the sources of placement and sizing, the script of timing,
    and the target's rows and wires. Raises ParameterError for a target without them.
    """
    script = placed_script(design.top, design.clock, replace(target, wire_load=None))
    return content_hash(
        *(compiled_hash(design, target), statements_hash("montforge.measure.placed")),
        *(script, LONGEST_PATH, LONG_PATHS, asdict(technology_of(target.name))),
    )


def placed_text(figures: dict[str, Any]) -> list[tuple[str, str]]:
    """Return `placed_figures` for people: labels and texts."""
    wire_load, tree = figures["period_wire_load"], figures["clock_tree_estimate"]
    beside = "" if wire_load is None else f", {wire_load:.4g} ns with the wire-load model"
    return [
        ("placed", f"{figures['period_placed']:.4g} ns, the netlist as it is"),
        (
            "sized",
            f"{figures['period_sized']:.4g} ns, {figures['area_sized']:,.6g} um2, with"
            f" {figures['trees']:,} buffer trees by place, long paths pulled together"
            f" {figures['pulled']} times, another size of {figures['resized']:,} cells",
        ),
        ("without place", f"{figures['period_no_wires']:.4g} ns without wires{beside}"),
        (
            "wires",
            f"{figures['wire_um'] / 1e3:.4g} mm of {figures['layer']}:"
            f" {figures['capacitance_ff_um']:.4g} fF/um, {figures['resistance_ohm_um']:.4g} ohm/um;"
            f" {figures['utilization']:.0%} of the rows used, seed {figures['seed']}",
        ),
        (
            "clock tree",
            f"estimate: {tree['buffers']:,} buffers, {tree['leaf_buffers']:,} of them for"
            f" {tree['registers']:,} registers, {tree['area']:,.6g} um2,"
            f" {tree['wire_um'] / 1e3:.4g} mm; latency {tree['latency']:.4g} ns, skew"
            f" {tree['skew']:.4g} ns; period with it {tree['period']:.4g} ns",
        ),
        ("not contained", "that clock tree, routing, wires of ports"),
    ]


@dataclass(frozen=True)
class _Layout:
    """A netlist, its placement and wires; ``key`` is the hash of all that they were made from."""

    key: str
    netlist: Netlist
    width: Sequence[int]
    placement: Placement
    wires: Sequence[Sequence[Edge]]

    @property
    def wire_um(self) -> float:
        """Length of all wires in um."""
        return sum(map(wire_length, self.wires))


@dataclass(frozen=True)
class _Outcome:
    """A layout and what led to it.

    Its trees that were built by place, the times that long paths were ``pulled`` together, how
    often cells got other sizes, and the last sizing.
    """

    layout: _Layout
    trees: int
    resized: int
    sizing: dict[str, Any]
    pulled: int = 0


_Pulls = Counter[tuple[str, str]]
"""How many further nets the placer has between two instances."""


class _Flow:
    """The steps of a netlist on a target. Everything is made once, and kept in the cache."""

    def __init__(
        self,
        design: Hardware,
        target: StandardCells,
        liberty: Path,
        technology: Technology,
        seed: int,
        store: ResultStore,
    ) -> None:
        self.technology = technology
        self._top, self._clock = design.top, design.clock
        self._target = target
        self._library: Library = scan_liberty(target.liberty)
        self._cells = {cell.name: cell for cell in self._library.cells}
        self._sizes = sizes_of(self._library, target)
        self._liberty = liberty
        self._seed = seed
        self._store = store
        self._script = placed_script(design.top, design.clock, target)
        self._code = statements_hash("montforge.measure.placed")
        self._log = cache_root() / "logs" / f"placed-{design.name}-{target.name}.log"

    def layout(
        self, verilog: str, start: _Layout | None = None, pulls: _Pulls | None = None
    ) -> _Layout:
        """Return the layout of a netlist, from the cache or by the placer.

        With ``start``, that of the same netlist with other sizes, its cells are moved apart; with
        ``pulls`` the placer has so many further nets between instances.
        """
        netlist = read_netlist(verilog, self._cells)
        kinds = [instance.kind for instance in netlist.instances]
        width = widths(kinds, self._cells, self.technology)
        number = {each.name: at for at, each in enumerate(netlist.instances)}
        pairs = sorted((pulls or _Pulls()).elements())

        def build(folder: Path) -> None:
            if start is None:
                pulled = [[number[name] for name in pair] for pair in pairs]
                placement = place(netlist, width, self.technology, self._seed, self._log, pulled)
            else:
                placement = moved(start.placement, width)
            (folder / _PLACES).write_text(json.dumps(asdict(placement)))

        key = content_hash(
            *(self._code, verilog, self._liberty.parent.name, asdict(self.technology)),
            *(self._seed, coloquinte_version(), None if start is None else start.key, pairs),
        )
        data = json.loads((cached_folder("placements", key, build) / _PLACES).read_text())
        placement = Placement(Die(**data["die"]), tuple(data["x"]), tuple(data["y"]))
        wires = trees(netlist, centres(placement, width, self.technology))
        return _Layout(key, netlist, width, placement, wires)

    def file(self, layout: _Layout) -> Path:
        """Return the file with the netlist of a layout."""

        def build(folder: Path) -> None:
            (folder / yosys.MAPPED).write_text(layout.netlist.verilog)

        return cached_folder("placed", layout.key, build) / yosys.MAPPED

    def area(self, layout: _Layout) -> float:
        """Return the area of all cells in um2."""
        return sum(self._cells[each.kind].area for each in layout.netlist.instances)

    def best(self, start: _Layout, period_no_wires: float) -> _Outcome:
        """Return what a placed netlist becomes: the outcome with the least area times period.

        If its period is more than `_LONGER` times that without wires, cells that follow each other
        on long paths are pulled together and all are placed again, until that helps no more.
        """
        best = min(self.outcomes(start), key=lambda each: self.merit(each.layout))
        if self.timing(best.layout)["period"] <= _LONGER * period_no_wires:
            return best
        pulls = _Pulls()
        for pulled in range(1, _PULLED_ROUNDS + 1):
            pulls.update(dict.fromkeys(self.on_long_paths(best.layout), _PULLS))
            layout = self.layout(best.layout.netlist.verilog, pulls=pulls)
            sized, resized, sizing = self.sized(layout)
            if self.merit(sized) >= self.merit(best.layout):
                break
            best = _Outcome(sized, best.trees, best.resized + resized, sizing, pulled)
        return best

    def on_long_paths(self, layout: _Layout) -> list[tuple[str, str]]:
        """Return each two instances that follow each other on a long path, by their names."""
        names = {each.name.removeprefix("\\"): each.name for each in layout.netlist.instances}

        def make() -> dict[str, Any]:
            paths = parse_paths(self._opensta(LONG_PATHS, layout))
            gates = ([names[name] for name in path if name in names] for path in paths)
            return {"pairs": sorted({pair for path in gates for pair in pairwise(path)})}

        found = stored(self._store, "placed paths", self._inputs(layout), make)
        return [(one, other) for one, other in found["pairs"]]

    def outcomes(self, start: _Layout) -> Iterator[_Outcome]:
        """Yield a netlist's layouts: with trees as they are and by place, with sizes and without.

        Trees are built again `_ROUNDS` times, each time by the places before. Sizes are found for
        those that are near the best one with sizes by load; moving cells may cost what they give.
        """
        layouts = [(start, 0)]
        for _ in range(_ROUNDS):
            layout = layouts[-1][0]
            middles = centres(layout.placement, layout.width, self.technology)
            verilog, trees = rebuilt(layout.netlist, middles, self._library, self._sizes)
            if trees:
                layouts.append((self.layout(verilog), trees))
        merits = [self._merit_by_load(layout) for layout, _ in layouts]
        for (layout, trees), merit in zip(layouts, merits, strict=True):
            yield _Outcome(layout, trees, 0, self.sizing(layout, trials=0))
            if merit <= _NEAR * min(merits):
                sized, changed, sizing = self.sized(layout)
                yield _Outcome(sized, trees, changed, sizing)

    def sized(self, layout: _Layout) -> tuple[_Layout, int, dict[str, Any]]:
        """Return a layout with other sizes, the number of cells that got one, their sizing."""
        sizing = self.sizing(layout)
        kinds = self._kinds(layout, sizing)
        made = self.layout(resized(layout.netlist.verilog, kinds), start=layout)
        return made, len(kinds), sizing

    def _kinds(self, layout: _Layout, sizing: dict[str, Any]) -> dict[str, str]:
        """Return the new cells of instances by their names."""
        names = {each.name.removeprefix("\\"): each.name for each in layout.netlist.instances}
        return {names[name]: kind for name, kind in sizing["kinds"].items()}

    def merit(self, layout: _Layout) -> float:
        """Return the area in um2 times the period in ns of a layout as it is."""
        return self.area(layout) * float(self.timing(layout)["period"])

    def _merit_by_load(self, layout: _Layout) -> float:
        """Return area times period of a layout with the best sizes by load, cells not moved."""
        sizing = self.sizing(layout, trials=0)
        kinds = self._kinds(layout, sizing)
        cells = (kinds.get(each.name, each.kind) for each in layout.netlist.instances)
        return sum(self._cells[cell].area for cell in cells) * float(sizing["period"])

    def sizing(self, layout: _Layout, trials: int = TRIALS) -> dict[str, Any]:
        """Return what `parse_sizing` finds, from the store or by OpenSTA."""
        wire_ff_um = self.technology.capacitance_ff_um

        def make() -> dict[str, Any]:
            choices = {
                ratio: sized_by_load(
                    layout.netlist, layout.wires, wire_ff_um, self._library, self._target, ratio
                )
                for ratio in RATIOS
            }
            script = sizing_script(layout.netlist, self._cells, choices, self._sizes, trials)
            return asdict(parse_sizing(self._opensta(script, layout)))

        return stored(self._store, "placed sizes", [*self._inputs(layout), trials], make)

    def timing(self, layout: _Layout) -> dict[str, Any]:
        """Return what `parse_placed` finds, from the store or by OpenSTA."""

        def make() -> dict[str, Any]:
            return parse_placed(self._opensta(LONGEST_PATH, layout))

        return stored(self._store, "placed timing", self._inputs(layout), make)

    def clock_tree(self, layout: _Layout) -> dict[str, Any]:
        """Return an estimate of the layout's clock tree, from the store or by OpenSTA.

        ``registers`` and clock gates, ``buffers`` and the ``leaf_buffers`` that drive those,
        ``area`` of buffers in um2, ``wire_um``, and what `parse_clock` finds.
        """

        def make() -> dict[str, Any]:
            places = centres(layout.placement, layout.width, self.technology)
            tree = clock_tree(layout.netlist, self._clock, places, self.technology)
            netlist = read_netlist(tree.verilog, self._cells)
            wires = trees(netlist, [*tree.places, *places])
            made = replace(layout, netlist=netlist, wires=wires)
            return {
                "registers": len(tree.registers),
                "leaf_buffers": tree.leaves,
                "buffers": len(tree.places),
                "area": round(self.area(made) - self.area(layout), 6),
                "wire_um": round(made.wire_um - layout.wire_um, 2),
                **parse_clock(self._opensta(clock_script(tree), made)),
            }

        found = stored(self._store, "placed clock", self._inputs(layout), make)
        return {name: value for name, value in found.items() if name not in ("key", "commit")}

    def _inputs(self, layout: _Layout) -> list[object]:
        return [layout.key, self._script, opensta_version()]

    def _opensta(self, script: str, layout: _Layout) -> str:
        lines = spef(self._top, layout.netlist, layout.wires, self.technology)
        with tempfile.TemporaryDirectory() as name:
            netlist, wires = Path(name) / yosys.MAPPED, Path(name) / WIRES
            netlist.write_text(layout.netlist.verilog)
            wires.write_text("".join(f"{line}\n" for line in lines))
            sources = (self._liberty, netlist, wires)
            return run_opensta(f"{self._script}{script}", sources, _SECONDS, self._log)
