# SPDX-License-Identifier: Apache-2.0
"""A mapped netlist as instances of cells and the nets that one of them drives."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from montforge.errors import ToolFailedError
from montforge.hardware.liberty import Cell
from montforge.verify.netlist import bits_of, statements

Pin = tuple[int, str]
"""Number of an instance and name of its pin."""


@dataclass(frozen=True)
class Instance:
    """An instance ``name`` of cell ``kind``; an escaped name begins with a backslash."""

    name: str
    kind: str


@dataclass(frozen=True)
class Net:
    """A net that an instance drives: its driver, the inputs of instances, and the output ports."""

    name: str
    driver: Pin
    sinks: tuple[Pin, ...]
    ports: tuple[str, ...]


@dataclass(frozen=True)
class Netlist:
    """Instances and nets of a netlist.

    ``nets`` are those that an instance drives, but no clock gate. ``inputs`` are the inputs of
    instances that each other net drives, such as a port's.
    """

    verilog: str
    instances: tuple[Instance, ...]
    nets: tuple[Net, ...]
    inputs: Mapping[str, tuple[Pin, ...]]


def read_netlist(verilog: str, cells: Mapping[str, Cell]) -> Netlist:
    """Return the netlist of Yosys' ``verilog``, whose instances are of ``cells``.

    Raises ToolFailedError for a cell that is not among them, and for text that is not understood.
    """
    instances: list[Instance] = []
    outputs: list[str] = []
    widths: dict[str, int] = {}
    same: dict[str, str] = {}
    drivers: dict[str, Pin] = {}
    sinks: dict[str, list[Pin]] = {}
    for kind, *parts in statements(verilog):
        if kind == "port":
            way, high, name = parts
            widths[name] = int(high or 0) + 1
            if way == "output":
                outputs.append(name)
        elif kind == "assign":
            same.update(zip(*(bits_of(part, widths) for part in parts), strict=True))
        else:
            name, cell, pins = parts
            if cell not in cells:
                raise ToolFailedError(f"the library has no cell {cell}, which the netlist has.")
            number, inputs = len(instances), cells[cell].inputs
            instances.append(Instance(name, cell))
            for pin, text in pins.items():
                for net in bits_of(text, widths):
                    if pin in inputs:
                        sinks.setdefault(net, []).append((number, pin))
                    else:
                        drivers[net] = (number, pin)

    def source(net: str) -> str:
        while net in same:
            net = same[net]
        return net

    loads: dict[str, list[Pin]] = {}
    ports: dict[str, list[str]] = {}
    for net, pins in sinks.items():
        loads.setdefault(source(net), []).extend(pins)
    for port in outputs:
        for net in bits_of(port, widths):
            ports.setdefault(source(net), []).append(net)
    nets = (
        Net(net, driver, tuple(loads.get(net, ())), tuple(ports.get(net, ())))
        for net, driver in drivers.items()
        if (net in loads or net in ports) and cells[instances[driver[0]].kind].clock_gate is None
    )
    others = {net: tuple(pins) for net, pins in loads.items() if net not in drivers}
    return Netlist(verilog, tuple(instances), tuple(nets), others)


def resized(verilog: str, kinds: Mapping[str, str]) -> str:
    """Return ``verilog`` with other cells: ``kinds`` by the names of the instances."""

    def line(found: re.Match[str]) -> str:
        kind = kinds.get(found[2].strip())
        return found[0] if kind is None else f"  {kind} {found[2]} ("

    return re.sub(r"^  ([\w$]+) (\\\S+ |[\w$]+) \($", line, verilog, flags=re.MULTILINE)


def rewired(
    verilog: str,
    removed: Collection[str],
    nets: Mapping[tuple[str, str], str],
    added: Sequence[str],
) -> str:
    """Return ``verilog`` with other instances and connections.

    Instances whose names are ``removed`` are left out, ``nets`` has new nets by instance and pin,
    and the statements ``added`` come before the first instance.
    """
    changed: dict[str, dict[str, str]] = {}
    for (name, pin), net in nets.items():
        changed.setdefault(name, {})[pin] = written(net)
    statements = list(added)

    def instance(found: re.Match[str]) -> str:
        name = found[1].strip()
        mine = changed.get(name, {})

        def pin(each: re.Match[str]) -> str:
            return f"    .{each[1]}({mine.get(each[1], each[2])}){each[3]}"

        kept = "" if name in removed else re.sub(_PIN, pin, found[0]) if mine else found[0]
        before = "".join(statements)
        statements.clear()
        return before + kept

    return re.sub(_INSTANCE, instance, verilog)


def written(net: str) -> str:
    """Return the name of a net as it stands in Verilog text."""
    return f"{net} " if net.startswith("\\") else net


_INSTANCE = re.compile(r"^  [\w$]+ (\\\S+ |[\w$]+) \(\n(?:    .*\n)*  \);\n", re.MULTILINE)
_PIN = re.compile(r"^    \.(\w+)\((.*?)\)(,?)$", re.MULTILINE)
