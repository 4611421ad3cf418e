# SPDX-License-Identifier: Apache-2.0
"""Facts of a Liberty file that the flow must know before a tool reads the file.

This is no Liberty parser: Yosys, ABC and OpenSTA read the file themselves. It tells a Liberty
file from other files, and finds the few cells that a user's library needs defaults for.
"""

from __future__ import annotations

import gzip
import re
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from montforge.errors import InputFileError

NO_WIRE_LOAD = "montforge_none"
"""A wire-load model without capacitance, which `with_no_wire_load` adds."""


@dataclass(frozen=True)
class ClockGate:
    """The pins of an integrated clock gate for registers that load at a rising edge.

    ``tests`` pass the clock whatever the enable is; they are tied to 0.
    """

    clock: str
    enable: str
    output: str
    tests: tuple[str, ...]


@dataclass(frozen=True)
class Cell:
    """A cell of a library: ``function`` of its only output pin, or empty; area as stated.

    ``capacitances`` are those of the inputs, in the library's unit. ``next_state`` is the
    expression that a flip-flop loads, or None if the cell isn't one; ``clock_gate`` likewise.
    """

    name: str
    area: float
    inputs: tuple[str, ...]
    function: str
    capacitances: tuple[float, ...]
    next_state: str | None
    clock_gate: ClockGate | None = None

    @property
    def input_capacitance(self) -> float:
        """Capacitance of the first input, in the library's unit; 0 without inputs."""
        return self.capacitances[0] if self.capacitances else 0.0


@dataclass(frozen=True)
class Library:
    """The cells of a library, its default wire-load model and its unit of capacitance in fF."""

    cells: tuple[Cell, ...]
    wire_load: str | None
    capacitance_unit_ff: float

    def buffers(self) -> list[Cell]:
        """Return the buffers, the smallest first."""
        return self._gates(lambda cell: cell.inputs[0])

    def inverters(self) -> list[Cell]:
        """Return the inverters, the smallest first."""
        return self._gates(lambda cell: f"!{cell.inputs[0]}")

    def enable_flip_flops(self) -> list[str]:
        """Return the names of the flip-flops whose data passes logic, such as an enable."""
        return [
            cell.name
            for cell in self.cells
            if cell.next_state is not None and re.search(r"[&|+*^\s']", cell.next_state.strip())
        ]

    def _gates(self, function: Callable[[Cell], str]) -> list[Cell]:
        found = [
            cell
            for cell in self.cells
            if len(cell.inputs) == 1
            and cell.next_state is None
            and re.sub(r"[()\s]", "", cell.function) == function(cell)
        ]
        return sorted(found, key=lambda cell: (cell.area, cell.name))


def read_liberty(path: Path) -> str:
    """Return the text of a Liberty file, plain or compressed with gzip.

    Raises InputFileError if the file is missing, unreadable, empty or not a Liberty library.
    """
    try:
        data = path.read_bytes()
        if data.startswith(b"\x1f\x8b"):
            data = gzip.decompress(data)
    except (OSError, EOFError, zlib.error) as error:
        reason = getattr(error, "strerror", None) or error
        raise InputFileError(f"the Liberty file {path} can't be read: {reason}.") from None
    text = re.sub(r"/\*.*?\*/", " ", data.decode("utf-8", "replace"), flags=re.DOTALL)
    if not text.strip():
        raise InputFileError(f"the Liberty file {path} is empty; a library with cells is needed.")
    if not re.match(r"\s*(//[^\n]*\s*)*library\s*\(", text) or not re.search(r"\bcell\s*\(", text):
        raise InputFileError(
            f"{path} is not a Liberty file: it must hold one group `library (NAME) {{ ... }}`"
            " with cells."
        )
    bare = re.sub(r'"[^"]*"', "", text)
    if bare.count("{") != bare.count("}"):
        raise InputFileError(
            f"the Liberty file {path} is damaged or cut off: it has {bare.count('{')} opening and"
            f" {bare.count('}')} closing braces."
        )
    return text


def scan_liberty(text: str) -> Library:
    """Return the cells, wire load and capacitance unit of a Liberty text."""
    header, *groups = re.split(r"\bcell\s*\(", text)
    unit = re.search(r"capacitive_load_unit\s*\(\s*([\d.eE+-]+)\s*,\s*\"?(\w+)", header)
    scale = float(unit[1]) * (1000.0 if unit[2].lower() == "pf" else 1.0) if unit else 1.0
    return Library(tuple(map(_cell, groups)), default_wire_load(text), scale)


def default_wire_load(text: str) -> str | None:
    """Return the name of the library's default wire-load model, if it has one."""
    return _attribute("default_wire_load", text) or None


def with_no_wire_load(text: str) -> str:
    """Return the library with the model `NO_WIRE_LOAD` added at its end."""
    end = text.rindex("}")
    model = (
        f'  wire_load ("{NO_WIRE_LOAD}") {{ capacitance : 0; resistance : 0; slope : 0;'
        " fanout_length (1, 0); }\n"
    )
    return text[:end] + model + text[end:]


def _cell(group: str) -> Cell:
    body, *pins = re.split(r"\bpin\s*\(", group)
    inputs = [pin for pin in pins if _attribute("direction", pin) == "input"]
    outputs = [pin for pin in pins if _attribute("direction", pin) == "output"]
    flip_flop = re.search(r"\bff\s*\(", group)
    return Cell(
        name=_name(group),
        area=_number("area", body),
        inputs=tuple(map(_name, inputs)),
        function=(_attribute("function", outputs[0]) or "") if len(outputs) == 1 else "",
        capacitances=tuple(_number("capacitance", pin) for pin in inputs),
        next_state=(_attribute("next_state", group) or "") if flip_flop else None,
        clock_gate=_clock_gate(group, pins),
    )


def _clock_gate(group: str, pins: list[str]) -> ClockGate | None:
    """Return the pins of a gate whose latch is open while the clock is low, or None."""
    kind = _attribute("clock_gating_integrated_cell", group)
    if kind is None or not kind.startswith("latch_posedge"):
        return None

    def named(role: str) -> tuple[str, ...]:
        attribute = f"clock_gate_{role}_pin"
        return tuple(_name(pin) for pin in pins if _attribute(attribute, pin) == "true")

    clock, enable, output = named("clock"), named("enable"), named("out")
    if not (len(clock) == len(enable) == len(output) == 1):
        return None
    return ClockGate(clock[0], enable[0], output[0], named("test"))


def _name(group: str) -> str:
    """Return the name of a group whose text begins behind its opening parenthesis."""
    return re.sub(r"[\"\s]", "", group.partition(")")[0])


def _attribute(name: str, text: str) -> str | None:
    """Return the value of the first attribute ``name``, quoted or bare, if there is one."""
    found = re.search(rf"\b{name}\s*:\s*(?:\"([^\"]*)\"|([^\s;}}]+))", text)
    return found and (found[2] if found[1] is None else found[1].strip())


def _number(name: str, text: str) -> float:
    found = re.match(r"[\d.eE+-]+", _attribute(name, text) or "")
    return float(found[0]) if found else 0.0
