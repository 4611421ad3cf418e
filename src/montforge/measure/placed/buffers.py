# SPDX-License-Identifier: Apache-2.0
"""Buffer trees that are built again by the places of the inputs that they drive.

Synthesis builds trees without places, so that a buffer may drive inputs all over the die. Here the
inputs of a net are cut into halves by place, until each part is for one buffer; the buffers are
the inputs of the next level. The netlist is to be placed anew then, which draws each part together.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from statistics import median

from montforge.hardware.liberty import Library
from montforge.measure.placed.netlist import Netlist, Pin, rewired, written
from montforge.measure.placed.sizing import Sizes
from montforge.measure.placed.wires import Place

FAN_OUT = 10
"""The most inputs that a net of a tree drives."""
_SIZE = 2
"""Position among its sizes, the smallest first, of what a buffer is placed as."""


@dataclass(frozen=True)
class Node:
    """An input of an instance, or a buffer with the nodes that it drives."""

    place: Place
    pin: Pin | None = None
    driven: tuple[Node, ...] = ()


@dataclass(frozen=True)
class Buffer:
    """A kind of buffer and its pins."""

    kind: str
    into: str
    out: str


def rebuilt(
    netlist: Netlist, places: Sequence[Place], library: Library, sizes: Sizes
) -> tuple[str, int]:
    """Return the netlist with other trees, and their number; ``places`` are those of its instances.

    A tree is a net with more than `FAN_OUT` inputs, where buffers in between count as no inputs.
    """
    names = {cell.name for cell in library.buffers()}
    buffers = {at for at, each in enumerate(netlist.instances) if each.kind in names}
    used = Counter(netlist.instances[at].kind for at in buffers)
    families = [sizes[kind] for kind in sorted(used, key=used.__getitem__) if kind in sizes]
    if not families:
        return netlist.verilog, 0
    cell = families[-1][min(_SIZE, len(families[-1]) - 1)]
    output = next(pin for at, pin in (net.driver for net in netlist.nets) if at in buffers)
    removed: set[str] = set()
    trees: list[tuple[str, list[Node]]] = []
    for root, leaves, inner in _trees(netlist, buffers):
        removed.update(netlist.instances[at].name for at in inner)
        trees.append((root, levels([Node(places[leaf[0]], leaf) for leaf in leaves])))
    buffer = Buffer(cell.name, cell.inputs[0], output)
    return with_trees(netlist, trees, buffer, "placed_buffer", removed)[0], len(trees)


def levels(nodes: Sequence[Node], lowest: int = FAN_OUT) -> list[Node]:
    """Return at most `FAN_OUT` nodes that drive ``nodes``, by buffers at the middle of these.

    A buffer drives at most `FAN_OUT` nodes, those that drive ``nodes`` themselves ``lowest``.
    """
    now, most = list(nodes), lowest
    while len(now) > most:
        parts = _parts(now, math.ceil(len(now) / most))
        now = [Node(middle(part), driven=tuple(part)) for part in parts]
        most = FAN_OUT
    return now


def with_trees(
    netlist: Netlist,
    trees: Iterable[tuple[str, Sequence[Node]]],
    buffer: Buffer,
    name: str,
    removed: Collection[str] = (),
) -> tuple[str, list[Place]]:
    """Return the netlist with buffers, and the places of these, its first instances.

    ``trees`` are nets and the nodes that they drive, ``name`` begins the names of the buffers;
    instances with the names ``removed`` are left out.
    """
    pins: dict[tuple[str, str], str] = {}
    added: list[str] = []
    places: list[Place] = []

    def drive(net: str, nodes: Sequence[Node]) -> None:
        for node in nodes:
            if node.pin is not None:
                pins[netlist.instances[node.pin[0]].name, node.pin[1]] = net
                continue
            new = f"{name}_{len(places)}"
            places.append(node.place)
            added.append(
                f"  wire {new}_net;\n  {buffer.kind} {new} (\n"
                f"    .{buffer.into}({written(net)}),\n    .{buffer.out}({new}_net)\n  );\n"
            )
            drive(f"{new}_net", node.driven)

    for root, nodes in trees:
        drive(root, nodes)
    return rewired(netlist.verilog, removed, pins, added), places


def _trees(
    netlist: Netlist, buffers: Collection[int]
) -> Iterator[tuple[str, list[Pin], list[int]]]:
    """Yield the net at the root of each tree, all inputs that it drives, its buffers."""
    behind = {net.driver[0]: net.sinks for net in netlist.nets if not net.ports}
    inside = behind.keys() & set(buffers)
    for net in netlist.nets:
        if net.driver[0] in inside:
            continue
        leaves, inner, todo = [], [], list(net.sinks)
        while todo:
            pin = todo.pop()
            if pin[0] in inside:
                inner.append(pin[0])
                todo += behind[pin[0]]
            else:
                leaves.append(pin)
        if len(leaves) > FAN_OUT:
            yield net.name, leaves, inner


def _parts(nodes: Sequence[Node], parts: int) -> list[list[Node]]:
    """Return ``parts`` parts of about one size: cuts across the longer side, one after another."""
    if parts == 1:
        return [list(nodes)]
    spread = [max(side) - min(side) for side in zip(*(node.place for node in nodes), strict=True)]
    first = spread.index(max(spread))
    ordered = sorted(nodes, key=lambda node: (node.place[first], node.place[1 - first]))
    left = parts // 2
    cut = round(len(ordered) * left / parts)
    return _parts(ordered[:cut], left) + _parts(ordered[cut:], parts - left)


def middle(nodes: Sequence[Node]) -> Place:
    """Return the middle of the places of nodes: their medians."""
    return median(node.place[0] for node in nodes), median(node.place[1] for node in nodes)
