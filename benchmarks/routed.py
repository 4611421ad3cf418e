# SPDX-License-Identifier: Apache-2.0
"""Wires as `montforge measure --placed` estimates them, and a router's, on one placement.

    python benchmarks/routed.py [DESIGN ...]

A design is words of ``montforge measure``, by default `DESIGNS`; the target is osu018, for which
Debian has a LEF file (qflow-tech-osu018) and a router (apt-get install qrouter). Both sides time
the netlist as it is, with the same places. Estimated wires are those of `montforge.measure.placed`;
routed ones have the resistance and capacitance that the LEF file states for their layers. It
states none for vias and none between neighbours. As in the estimate, nets that ports drive, among
them the clock, have no wires and are not routed.
"""

from __future__ import annotations

import argparse
import re
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise
from pathlib import Path

from mapped import mapped, period

from montforge.errors import ToolFailedError
from montforge.measure import StandardCells, find_target
from montforge.measure.placed.netlist import Netlist, Pin
from montforge.measure.placed.placer import Placement, centres, place
from montforge.measure.placed.technology import Technology, technology_of
from montforge.measure.placed.wires import spef, trees, wire_length
from montforge.report import Cell, Table
from montforge.work.tools import run_tool

DESIGNS = ("mm_r2 -p width=64", "unit_csa -p width=64")
LEF = Path("/usr/share/qflow/tech/osu018/osu018_stdcells.lef")
SCRIPT = f"""\
read_lef {LEF}
vdd vdd
gnd gnd
read_def placed.def
set left [stage1]
foreach {{mask effort}} {{10 10 30 20 50 50 none 50 none 100}} {{
  if {{!$left}} break
  set left [stage2 mask $mask effort $effort]
}}
write_def routed.def
puts "LEFT $left"
flush stdout
quit
"""
STARTS = 8
"""qrouter 1.4.71 ends about each third time in a segmentation fault before it routes a net."""

TOUCHING_OHM = 0.001
"""Of a via, and between a pin and the wire on it."""
REACH = 150
"""Half the width of a wire on metal1 and metal2, in nm."""
BESIDE = 500
"""From a via on a pin beside the track to the wire on it, at most, in nm; tracks are 800 apart."""

Point = tuple[int, int, int]
"""Metal layer, x and y in nm."""
Box = tuple[int, float, float, float, float]
"""Metal layer; left, lower, right and upper edge in um."""


@dataclass(frozen=True)
class Layer:
    """A metal's wires: pitch in nm, ohm and fF a um, and whether tracks are rows."""

    pitch: int
    ohm: float
    ff: float
    horizontal: bool


@dataclass(frozen=True)
class Macro:
    """A cell: its width in um, and where its pins are. A Liberty file's area may say another."""

    um: float
    pins: Mapping[str, Sequence[Box]]


@dataclass(frozen=True)
class Route:
    """A routed net: wires between two points, and vias between two layers at one place."""

    wires: tuple[tuple[Point, Point], ...]
    vias: tuple[tuple[Point, Point], ...]


def main() -> None:
    """Place, route and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("design", nargs="*", default=DESIGNS)
    rows = [compared(words) for words in parser.parse_args().design]
    columns = ("design", "cells", "nets", "vias", "estimated mm", "routed mm", "% longer",
               "estimated ns", "routed ns", "% slower")  # fmt: skip
    print(Table("Estimated and routed wires, osu018", columns, tuple(rows)).to_markdown())


def compared(words: str) -> tuple[Cell, ...]:
    """Return the row of a design."""
    target = find_target("osu018")
    assert isinstance(target, StandardCells)
    technology = technology_of(target.name)
    found = mapped(words, target)
    layers, macros = read_lef(LEF.read_text())
    width = [round(macros[each.kind].um / technology.site_um) for each in found.netlist.instances]
    with tempfile.TemporaryDirectory() as folder:
        placement = place(found.netlist, width, technology, 1, Path(folder) / "log")
    wires = trees(found.netlist, centres(placement, width, technology))
    routes = routed(found.netlist, placement, technology, layers)
    lines = routed_spef(found.top, found.netlist, placement, technology, layers, macros, routes)
    estimated = sum(map(wire_length, wires)) / 1e3
    length = sum(um(wire) for route in routes.values() for wire in route.wires) / 1e3
    before = period(found, spef(found.top, found.netlist, wires, technology))
    after = period(found, lines)
    vias = sum(len(route.vias) for route in routes.values())
    return (words, len(width), len(routes), vias, round(estimated, 1), round(length, 1),
            round(100 * (length / estimated - 1), 1), before, after,
            round(100 * (after / before - 1), 1))  # fmt: skip


def um(wire: tuple[Point, Point]) -> float:
    """Return the length of a wire in um."""
    (_, x, y), (_, to_x, to_y) = wire
    return (abs(to_x - x) + abs(to_y - y)) / 1e3


def read_lef(text: str) -> tuple[dict[int, Layer], dict[str, Macro]]:
    """Return the metals by their numbers, and the cells by their names."""
    number = r"\s+([\d.e-]+)"
    layers = {}
    for at, body in re.findall(r"^LAYER metal(\d)$(.*?)^END metal", text, re.DOTALL | re.MULTILINE):
        names = ("PITCH", "WIDTH", "RPERSQ", "CPERSQDIST", "EDGECAPACITANCE")
        pitch, wide, ohm, ff, edge_ff = (
            float(re.findall(rf"\b{name}{number}", body)[0]) for name in names
        )
        layers[int(at)] = Layer(
            round(1e3 * pitch), ohm / wide, 1e3 * (wide * ff + 2 * edge_ff), "HORIZONTAL" in body
        )
    macros = {}
    for cell, body in re.findall(r"^MACRO (\w+)$(.*?)^END \1", text, re.DOTALL | re.MULTILINE):
        ports = re.findall(r"^  PIN (\w+)$(.*?)^  END \1", body, re.DOTALL | re.MULTILINE)
        (um,) = re.findall(r"\bSIZE (\S+) BY", body)
        macros[cell] = Macro(float(um), {pin: boxes_of(port) for pin, port in ports})
    return layers, macros


def boxes_of(port: str) -> list[Box]:
    """Return the boxes of a pin's ``PORT`` in a LEF file."""
    return [
        (int(metal), left, low, right, high)
        for metal, rects in re.findall(r"LAYER metal(\d) ;([^L]*)", port)
        for left, low, right, high in (
            map(float, each.split()) for each in re.findall(r"RECT (.*?) ;", rects)
        )
    ]


def routed(
    netlist: Netlist, placement: Placement, technology: Technology, layers: Mapping[int, Layer]
) -> dict[int, Route]:
    """Return the routes of all nets with sinks, by their numbers. Raises ToolFailedError."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        text = placed_def(netlist, placement, technology, layers)
        (folder / "placed.def").write_text(text)
        (folder / "route.tcl").write_text(SCRIPT)
        command = ["qrouter", "-nog", "-noc", "-s", "route.tcl"]
        for _ in range(STARTS):
            try:
                log = run_tool(command, log=folder / "log", timeout=7200.0, cwd=folder)
                break
            except ToolFailedError as error:
                failed = error
        else:
            raise failed
        (left,) = re.findall(r"^LEFT (\d+)", log, re.MULTILINE)
        if left != "0":
            raise ToolFailedError(f"qrouter left {left} nets without a route.")
        made = (folder / "routed.def").read_text()
    body = made[made.index("\nNETS") : made.index("\nEND NETS")]
    net = re.compile(r"^- n(\d+)$.*?\+ ROUTED (.*?);$", re.DOTALL | re.MULTILINE)
    return {int(number): route_of(text) for number, text in net.findall(body)}


def placed_def(
    netlist: Netlist, placement: Placement, technology: Technology, layers: Mapping[int, Layer]
) -> str:
    """Return the DEF file of a placement; cells of odd rows are upside down."""
    site, row = technology.site_nm, technology.row_nm
    size = (placement.die.sites * site, placement.die.rows * row)
    nets = [(at, net) for at, net in enumerate(netlist.nets) if net.sinks]
    lines = ["VERSION 5.6 ;", "DESIGN top ;", "UNITS DISTANCE MICRONS 1000 ;"]
    lines.append(f"DIEAREA ( 0 0 ) ( {size[0]} {size[1]} ) ;")
    for at, layer in layers.items():
        axis, pitch = ("Y" if layer.horizontal else "X"), layer.pitch
        count = size[layer.horizontal] // pitch
        lines.append(f"TRACKS {axis} {pitch // 2} DO {count} STEP {pitch} LAYER metal{at} ;")
    lines.append(f"COMPONENTS {len(netlist.instances)} ;")
    for at, (each, x, y) in enumerate(
        zip(netlist.instances, placement.x, placement.y, strict=True)
    ):
        place_text = f"( {x * site} {y * row} ) {'FS' if y % 2 else 'N'}"
        lines.append(f"- c{at} {each.kind} + PLACED {place_text} ;")
    lines += ["END COMPONENTS", f"NETS {len(nets)} ;"]
    for at, net in nets:
        pins = " ".join(f"( c{cell} {pin} )" for cell, pin in (net.driver, *net.sinks))
        lines += [f"- n{at}", f"  {pins} ;"]
    return "\n".join([*lines, "END NETS", "END DESIGN", ""])


def route_of(text: str) -> Route:
    """Return the route of the paths that follow ``ROUTED`` in a DEF file."""
    wires, vias = list[tuple[Point, Point]](), list[tuple[Point, Point]]()
    for path in re.split(r"\bNEW\b", text):
        metal, *words = path.split()
        layer, x, y = int(metal.removeprefix("metal")), 0, 0
        last: Point | None = None
        for to_x, to_y, via in re.findall(r"\( (\S+) (\S+) \)|(\S+)", " ".join(words)):
            if via:
                one, other = map(int, re.findall(r"M(\d)", via))
                vias.append(((one, x, y), (other, x, y)))
                continue
            x, y = (x if to_x == "*" else int(to_x)), (y if to_y == "*" else int(to_y))
            if last is not None:
                wires.append((last, (layer, x, y)))
            last = (layer, x, y)
    return Route(tuple(wires), tuple(vias))


def routed_spef(
    top: str,
    netlist: Netlist,
    placement: Placement,
    technology: Technology,
    layers: Mapping[int, Layer],
    macros: Mapping[str, Macro],
    routes: Mapping[int, Route],
) -> Iterator[str]:
    """Yield the lines of the SPEF file of routed nets; what they connect is as in the estimate.

    Raises ToolFailedError for a route that does not reach a pin.
    """
    empty = "\n".join(spef(top, netlist, [()] * len(netlist.nets), technology))
    head, *bodies = empty.split("*D_NET ")
    yield head
    for number, (net, body) in enumerate(zip(netlist.nets, bodies, strict=True)):
        connected, _ = body.split("*CAP")
        name, *_ = connected.split()
        pins, ports = (re.findall(rf"^\*{kind} (\S+)", connected, re.MULTILINE) for kind in "IP")
        boxes = [
            pin_boxes(pin, netlist, placement, technology, macros)
            for pin in (net.driver, *net.sinks)
        ]
        ohms, ff = tree_of(routes.get(number, Route((), ())), boxes, layers)
        names = {at: f"{name}:{at}" for at in ff} | dict(enumerate(pins))
        ohms += [(0, -1 - at, TOUCHING_OHM) for at, _ in enumerate(ports)]
        names |= {-1 - at: port for at, port in enumerate(ports)}
        yield f"*D_NET {connected}*CAP"
        yield from (f"{at + 1} {names[at]} {ff[at]:.6f}" for at in ff)
        yield "*RES"
        yield from (
            f"{at} {names[left]} {names[right]} {ohm:.6f}"
            for at, (left, right, ohm) in enumerate(ohms, 1)
        )
        yield "*END"


def tree_of(
    route: Route, boxes: Sequence[Sequence[Box]], layers: Mapping[int, Layer]
) -> tuple[list[tuple[int, int, float]], dict[int, float]]:
    """Return the resistances in ohm between the nodes of a net, and fF at each.

    The first nodes are the net's pins, then come points of its route; boxes are where a pin is.
    """
    points = sorted({point for pair in (*route.wires, *route.vias) for point in pair})
    parts = {
        pair
        for wire in route.wires
        for pair in pairwise(sorted(point for point in points if is_on(point, wire)))
    }
    first = len(boxes)
    node = {point: at for at, point in enumerate(points, first)}
    ff = dict.fromkeys(range(first + len(points)), 0.0)
    touching = [pair for pair in combinations(points, 2) if is_beside(*pair)]
    ohms = [(node[left], node[right], TOUCHING_OHM) for left, right in (*route.vias, *touching)]
    for left, right in parts:
        layer = layers[left[0]]
        ohms.append((node[left], node[right], layer.ohm * um((left, right))))
        for end in (left, right):
            ff[node[end]] += layer.ff * um((left, right)) / 2
    for pin, places in enumerate(boxes):
        taps = [point for point in points if any(is_in(point, box) for box in places)]
        if not taps and first > 1:
            raise ToolFailedError(f"a route does not reach pin {pin} of its net.")
        ohms += [(pin, node[point], TOUCHING_OHM) for point in taps]
    reached, ways = {0}, dict[int, set[int]]()
    for left_node, right_node, _ in ohms:
        ways.setdefault(left_node, set()).add(right_node)
        ways.setdefault(right_node, set()).add(left_node)
    todo = [0]
    while todo:
        new = ways.get(todo.pop(), set()) - reached
        reached |= new
        todo += new
    if not reached.issuperset(range(first)):
        raise ToolFailedError("a route does not connect all pins of its net.")
    return ohms, ff


def is_on(point: Point, wire: tuple[Point, Point]) -> bool:
    """Return whether a point is on a wire."""
    (layer, x, y), (_, to_x, to_y) = wire
    return (
        point[0] == layer
        and min(x, to_x) <= point[1] <= max(x, to_x)
        and min(y, to_y) <= point[2] <= max(y, to_y)
    )


def is_beside(point: Point, other: Point) -> bool:
    """Return whether two points are one place, of which a pin is beside the track."""
    return point[0] == other[0] and all(abs(point[at] - other[at]) <= BESIDE for at in (1, 2))


def is_in(point: Point, box: Box) -> bool:
    """Return whether a point is in a box, or half a wire beside it at most."""
    metal, *edges = box
    left, low, right, high = (round(1e3 * edge) for edge in edges)
    layer, x, y = point
    return (
        layer == metal and left - REACH <= x <= right + REACH and low - REACH <= y <= high + REACH
    )


def pin_boxes(
    pin: Pin,
    netlist: Netlist,
    placement: Placement,
    technology: Technology,
    macros: Mapping[str, Macro],
) -> list[Box]:
    """Return where a pin is, in um."""
    at, name = pin
    x, y = placement.x[at] * technology.site_um, placement.y[at] * technology.row_um
    row = technology.row_um
    found = []
    for layer, left, low, right, high in macros[netlist.instances[at].kind].pins[name]:
        below, above = (row - high, row - low) if placement.y[at] % 2 else (low, high)
        found.append((layer, x + left, y + below, x + right, y + above))
    return found


if __name__ == "__main__":
    main()
