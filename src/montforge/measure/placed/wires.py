# SPDX-License-Identifier: Apache-2.0
"""Wires of placed nets: a tree for each net, its capacitance, and all of them as SPEF.

A tree is a minimum spanning tree of the net's instances by rectilinear distances between their
centres: longer than a rectilinear Steiner tree by a few percent, never by more than half (F. K.
Hwang, SIAM J. Appl. Math. 30, 1976). An edge is a wire of distributed resistance and capacitance.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from montforge.measure.placed.netlist import Net, Netlist
from montforge.measure.placed.technology import Technology

Place = tuple[float, float]
"""Centre of an instance in um."""

Edge = tuple[int, int, float]
"""Two ends of a wire, as positions in a list, and its length in um."""

_TOUCHING_OHM = 0.001
"""Resistance between pins of one instance, and to a port, which has no place."""


def spanning_tree(places: Sequence[Place]) -> list[Edge]:
    """Return the edges of a minimum spanning tree by rectilinear distances (Prim's algorithm)."""
    nearest = {
        at: (abs(x - places[0][0]) + abs(y - places[0][1]), 0)
        for at, (x, y) in enumerate(places)
        if at
    }
    edges = []
    while nearest:
        new = min(nearest, key=nearest.__getitem__)
        length, old = nearest.pop(new)
        edges.append((old, new, length))
        x, y = places[new]
        for at, (known, _) in nearest.items():
            distance = abs(places[at][0] - x) + abs(places[at][1] - y)
            if distance < known:
                nearest[at] = (distance, new)
    return edges


def trees(netlist: Netlist, places: Sequence[Place]) -> list[list[Edge]]:
    """Return the tree of each net; its ends are positions in ``(net.driver, *net.sinks)``."""
    return [
        spanning_tree([places[instance] for instance, _ in (net.driver, *net.sinks)])
        for net in netlist.nets
    ]


def wire_length(tree: Iterable[Edge]) -> float:
    """Return the length of a tree's wires in um."""
    return sum(length for _, _, length in tree)


def spef(
    top: str, netlist: Netlist, wires: Sequence[Sequence[Edge]], technology: Technology
) -> Iterator[str]:
    """Yield the lines of the SPEF file (IEEE 1481) of a netlist with a tree for each net."""
    yield from (
        '*SPEF "IEEE 1481-1998"',
        f'*DESIGN "{top}"',
        *('*DATE ""', '*VENDOR ""', '*PROGRAM "montforge"', '*VERSION ""', '*DESIGN_FLOW ""'),
        *("*DIVIDER /", "*DELIMITER :", "*BUS_DELIMITER [ ]"),
        *("*T_UNIT 1 NS", "*C_UNIT 1 FF", "*R_UNIT 1 OHM", "*L_UNIT 1 HENRY"),
    )
    names = [_name(instance.name) for instance in netlist.instances]
    for net, tree in zip(netlist.nets, wires, strict=True):
        yield from _net(net, names, tree, technology)


def _net(
    net: Net, names: Sequence[str], tree: Sequence[Edge], technology: Technology
) -> Iterator[str]:
    pins = [f"{names[instance]}:{pin}" for instance, pin in (net.driver, *net.sinks)]
    ports = [_name(port) for port in net.ports]
    capacitance = [0.0] * len(pins)
    for left, right, length in tree:
        for end in (left, right):
            capacitance[end] += length * technology.capacitance_ff_um / 2
    yield f"*D_NET {_name(net.name)} {sum(capacitance):.6f}"
    yield "*CONN"
    for at, pin in enumerate(pins):
        yield f"*I {pin} {'I' if at else 'O'}"
    yield from (f"*P {port} O" for port in ports)
    yield "*CAP"
    yield from (f"{at + 1} {pin} {capacitance[at]:.6f}" for at, pin in enumerate(pins))
    yield "*RES"
    ohms = [
        (pins[left], pins[right], max(length * technology.resistance_ohm_um, _TOUCHING_OHM))
        for left, right, length in tree
    ]
    ohms += [(pins[0], port, _TOUCHING_OHM) for port in ports]
    yield from (f"{at} {left} {right} {ohm:.6f}" for at, (left, right, ohm) in enumerate(ohms, 1))
    yield "*END"


def _name(name: str) -> str:
    """Return a Verilog name as SPEF has it: the brackets of an escaped name are no bus."""
    if not name.startswith("\\"):
        return name
    return "".join(each if each.isalnum() or each == "_" else f"\\{each}" for each in name[1:])
