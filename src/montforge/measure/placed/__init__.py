# SPDX-License-Identifier: Apache-2.0
"""Figures of a measured netlist with wires, from a placement of its cells.

The netlist is the one that was measured, on the rows of the target's `Technology`. OpenSTA times it
with the wires of a tree for each net: the period *placed*. Then cells get other sizes
(`montforge.measure.placed.sizing`), are moved to legal places again, and are timed with the wires
that follow: the period *sized*. The clock is ideal, nothing is routed, and nets that ports drive
have no wires. Each step is kept by the content of all that it depends on.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from montforge.hardware import Hardware
from montforge.hardware.liberty import Library, scan_liberty
from montforge.measure import yosys
from montforge.measure.compiled import compiled_hash
from montforge.measure.identity import stored
from montforge.measure.opensta import (
    LONGEST_PATH,
    WIRES,
    opensta_version,
    parse_placed,
    placed_script,
    run_opensta,
)
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
    ``area_sized`` after cells got other sizes; ``compiled`` is `placed_hash`. ``simulate`` does
    operations on the netlist that has them, and returns their number. Raises ToolMissingError,
    ToolFailedError, ParameterError, CheckFailedError.
    """
    flow = _Flow(design, target, found.liberty, technology_of(target.name), seed, store)
    first = flow.layout(found.netlist().read_text())
    sizing = flow.sizing(first)
    names = {each.name.removeprefix("\\"): each.name for each in first.netlist.instances}
    kinds = {names[name]: kind for name, kind in sizing["kinds"].items()}
    last = flow.layout(resized(first.netlist.verilog, kinds), start=first)
    timing = flow.timing(last)
    if flow.area(last) * timing["period"] > flow.area(first) * sizing["placed"]:
        last, kinds, timing = first, {}, flow.timing(first)  # moved cells cost more than sizes give
    checked = replace(found, best={**found.best, "key": last.key}, netlist=lambda: flow.file(last))
    operations = 0 if simulate is None else simulate(checked, store)
    wire_load = target.wire_load is not None
    return {
        "seed": seed,
        "compiled": placed_hash(design, target),
        **asdict(flow.technology),
        "effort": EFFORT,
        "rows": first.placement.die.rows,
        "row_sites": first.placement.die.sites,
        "wire_um": round(first.wire_um, 2),
        "wire_um_sized": round(last.wire_um, 2),
        "period_no_wires": found.timing["period_no_wire_load"],
        "period_wire_load": found.timing["period"] if wire_load else None,
        "period_placed": sizing["placed"],
        "period_sized": timing["period"],
        "area_sized": round(flow.area(last), 6),
        "resized": len(kinds),
        "period_by_load_ratio": sizing["by_ratio"],
        "trials": sizing["trials"],
        "critical_path": {name: timing[name] for name in ("start", "end", "cells")},
        "netlist_checked": "operations" if operations else None,
        "netlist_operations": operations,
        "tools": {"coloquinte": coloquinte_version(), "opensta": opensta_version()},
        "inputs": content_hash("placed", sizing["key"], timing["key"]),
    }


def placed_hash(design: Hardware, target: StandardCells) -> str:
    """Return the hash of all that figures with wires depend on, but the tools and the cells.

    It is of what `compiled_hash` is of, the sources of placement and sizing, the script of timing,
    and the target's rows and wires. Raises ParameterError for a target without them.
    """
    script = placed_script(design.top, design.clock, replace(target, wire_load=None))
    return content_hash(
        *(compiled_hash(design, target), statements_hash("montforge.measure.placed")),
        *(script, LONGEST_PATH, asdict(technology_of(target.name))),
    )


def placed_text(figures: dict[str, Any]) -> list[tuple[str, str]]:
    """Return `placed_figures` for people: labels and texts."""
    wire_load = figures["period_wire_load"]
    beside = "" if wire_load is None else f", {wire_load:.4g} ns with the wire-load model"
    return [
        ("placed", f"{figures['period_placed']:.4g} ns, the netlist as it is"),
        (
            "sized",
            f"{figures['period_sized']:.4g} ns, {figures['area_sized']:,.6g} um2, with another"
            f" size of {figures['resized']:,} cells",
        ),
        ("without place", f"{figures['period_no_wires']:.4g} ns without wires{beside}"),
        (
            "wires",
            f"{figures['wire_um'] / 1e3:.4g} mm of {figures['layer']}:"
            f" {figures['capacitance_ff_um']:.4g} fF/um, {figures['resistance_ohm_um']:.4g} ohm/um;"
            f" {figures['utilization']:.0%} of the rows used, seed {figures['seed']}",
        ),
        ("not contained", "clock tree, routing, wires of ports"),
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
        self._top = design.top
        self._target = target
        self._library: Library = scan_liberty(target.liberty)
        self._cells = {cell.name: cell for cell in self._library.cells}
        self._liberty = liberty
        self._seed = seed
        self._store = store
        self._script = placed_script(design.top, design.clock, target)
        self._code = statements_hash("montforge.measure.placed")
        self._log = cache_root() / "logs" / f"placed-{design.name}-{target.name}.log"

    def layout(self, verilog: str, start: _Layout | None = None) -> _Layout:
        """Return the layout of a netlist, from the cache or by the placer.

        With ``start``, that of the same netlist with other sizes, its cells are moved apart.
        """
        netlist = read_netlist(verilog, self._cells)
        kinds = [instance.kind for instance in netlist.instances]
        width = widths(kinds, self._cells, self.technology)

        def build(folder: Path) -> None:
            if start is None:
                placement = place(netlist, width, self.technology, self._seed, self._log)
            else:
                placement = moved(start.placement, width)
            (folder / _PLACES).write_text(json.dumps(asdict(placement)))

        key = content_hash(
            *(self._code, verilog, self._liberty.parent.name, asdict(self.technology)),
            *(self._seed, coloquinte_version(), None if start is None else start.key),
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

    def sizing(self, layout: _Layout) -> dict[str, Any]:
        """Return what `parse_sizing` finds, from the store or by OpenSTA."""
        wire_ff_um = self.technology.capacitance_ff_um

        def make() -> dict[str, Any]:
            choices = {
                ratio: sized_by_load(
                    layout.netlist, layout.wires, wire_ff_um, self._library, self._target, ratio
                )
                for ratio in RATIOS
            }
            sizes = sizes_of(self._library, self._target)
            script = sizing_script(layout.netlist, self._cells, choices, sizes)
            return asdict(parse_sizing(self._opensta(script, layout)))

        return stored(self._store, "placed sizes", self._inputs(layout), make)

    def timing(self, layout: _Layout) -> dict[str, Any]:
        """Return what `parse_placed` finds, from the store or by OpenSTA."""

        def make() -> dict[str, Any]:
            return parse_placed(self._opensta(LONGEST_PATH, layout))

        return stored(self._store, "placed timing", self._inputs(layout), make)

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
