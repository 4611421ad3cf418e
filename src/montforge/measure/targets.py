# SPDX-License-Identifier: Apache-2.0
"""Targets of measurements: standard-cell libraries and FPGA devices, as TOML data.

Each file ``targets/NAME.toml`` describes one target; ``targets/effort.toml`` is the synthesis
effort of libraries that state none. Liberty files that montforge does not ship are found in the
folder that ``$MONTFORGE_TECH`` names, and nowhere else.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any

from montforge.errors import InputFileError, ParameterError, ToolMissingError, unknown_name
from montforge.hardware import Hardware
from montforge.hardware.fpga import Fpga, families, find_fpga, target_data, targets_folder
from montforge.hardware.liberty import Library, default_wire_load, read_liberty, scan_liberty
from montforge.measure.table2 import table2_genlib, table2_liberty


@dataclass(frozen=True)
class Effort:
    """Which synthesis runs are tried on a standard-cell library; see ``targets/effort.toml``.

    ``scripts`` are ABC commands by name, with ``{D}`` for the delay target; ``slower`` is the
    step from the best point's target to the next one, while the best is the slowest.
    """

    scripts: Mapping[str, str]
    probe: str
    first_factor: float
    refined: int
    factors: Sequence[float]
    slower: float
    adders: Sequence[str]
    wide_bits: int
    booth_bits: int


@cache
def _default_effort() -> Effort:
    return Effort(**target_data("effort"))


@dataclass(frozen=True)
class StandardCells:
    """A standard-cell library and how it is used.

    ``liberty`` is the file's text. ``genlib`` is given if delays do not depend on load: ABC then
    maps with it instead of the Liberty file. ``driver`` (empty: ideal) drives the inputs,
    ``load_ff`` loads the outputs, and the clock's edges last ``clock_transition_ns``. With
    ``clock_gating`` registers that load together get a clock that is gated (`with_clock_gating`).
    ``weak_cells`` are left out of some points of a sweep.
    Areas and times are in ``area_unit`` and ``time_unit``.
    """

    name: str
    title: str
    liberty: str = ""
    wire_load: str | None = None
    dont_use: Sequence[str] = ()
    weak_cells: Sequence[str] = ()
    driver: str = ""
    load_ff: float = 0.0
    clock_transition_ns: float = 0.0
    effort: Effort = field(default_factory=_default_effort)
    notes: Sequence[str] = ()
    genlib: str = ""
    area_unit: str = "um2"
    time_unit: str = "ns"
    clock_gating: bool = False


Target = StandardCells | Fpga


def target_names() -> tuple[str, ...]:
    """Return the names of all registered targets."""
    files = {entry.name for entry in targets_folder().iterdir()} - {"effort.toml", "families.toml"}
    return tuple(sorted(name[:-5] for name in files if name.endswith(".toml")))


def find_target(name: str | None = None, liberty: Path | None = None) -> Target:
    """Return the target called ``name``, a user's ``liberty`` file, or a target on that file.

    With both, ``liberty`` replaces the file of the registered library ``name``. Raises
    UnknownNameError, InputFileError, ToolMissingError, or ParameterError where ``name`` takes no
    ``liberty``, or neither is given.
    """
    if name is None:
        if liberty is None:
            raise ParameterError(
                f"no target: name one of {', '.join(target_names())}, or a Liberty file."
            )
        return _user_library(liberty)
    if name not in target_names():
        raise unknown_name("target", name, target_names())
    data, found = target_data(name), described_target(name)
    if data["kind"] == "standard_cells" and isinstance(found, StandardCells):
        text = read_liberty(liberty or _library_path(name, data))
        if liberty is not None:
            _check_pair(found, liberty, text)
        return replace(found, liberty=text, wire_load=default_wire_load(text))
    if liberty is not None:
        raise ParameterError(
            f"target {name} takes no Liberty file; leave the target out to measure on the file."
        )
    return found


def described_target(name: str, effort: str | None = None) -> Target:
    """Return the target called ``name`` as its file describes it: a library without its cells.

    With ``effort`` quick it has the short sweep.
    """
    data = target_data(name)
    kind = data.pop("kind")
    if kind in families():
        return find_fpga(name)
    if kind == "table2":
        data |= {"liberty": table2_liberty(), "genlib": table2_genlib()}
        data["effort"] = Effort(**data["effort"])
    else:
        data["liberty"] = ""
        for other in ("package", "capacitance_unit_ff", "placement"):
            data.pop(other, None)
    found = StandardCells(name, **data)
    return with_quick_effort(found) if effort == "quick" else found


def _check_pair(target: StandardCells, liberty: Path, text: str) -> None:
    """Raise ParameterError if a Liberty file is of another library than ``target``."""
    name, driver = target.name, target.driver
    if all(cell.name != driver for cell in scan_liberty(text).cells):
        raise ParameterError(
            f"the Liberty file {liberty} is not of target {name}: it has no cell {driver}, with"
            f" which {name} drives inputs. Leave the target out to measure on the file alone."
        )


def with_quick_effort(target: StandardCells) -> StandardCells:
    """Return ``target`` with a short sweep: the probe's script, one kind of adder."""
    full = target.effort
    scripts = {full.probe: full.scripts[full.probe]}
    quick = replace(full, scripts=scripts, refined=1, factors=(), adders=full.adders[:1])
    return replace(target, effort=quick, weak_cells=())


def with_clock_gating(target: Target) -> StandardCells:
    """Return ``target`` with enables of registers as integrated clock gates.

    Raises ParameterError for an FPGA, and for a library without such cells.
    """
    if isinstance(target, StandardCells):
        gates = (cell for cell in scan_liberty(target.liberty).cells if cell.clock_gate is not None)
        if any(cell.name not in target.dont_use for cell in gates):
            return replace(target, clock_gating=True)
    raise ParameterError(
        f"{target.name} has no integrated clock gate (a Liberty cell whose"
        " clock_gating_integrated_cell is latch_posedge); leave out --clock-gating there."
    )


def _user_library(path: Path) -> StandardCells:
    """Return a user's library with defaults that follow from its cells.

    The driver is the second smallest buffer (or inverter), outputs carry three of the smallest
    inverters, and flip-flops with enable are left out because nothing buffers enable nets.
    """
    text = read_liberty(path)
    library = scan_liberty(text)
    if all(cell.next_state is None for cell in library.cells):
        raise InputFileError(f"the Liberty file {path} has no flip-flop.")
    return StandardCells(
        name=path.name,
        title=f"Liberty file {path.name}",
        liberty=text,
        wire_load=library.wire_load,
        dont_use=tuple(library.enable_flip_flops()),
        driver=_driver(path, library),
        load_ff=round(3 * _inverter_load_ff(path, library), 3),
        clock_transition_ns=0.05,
        notes=("Driver, load and excluded cells are derived from the library.",),
    )


def _driver(path: Path, library: Library) -> str:
    cells = library.buffers() or library.inverters()
    if not cells:
        raise InputFileError(f"the Liberty file {path} has neither a buffer nor an inverter.")
    larger = [cell for cell in cells if cell.area > cells[0].area]
    return (larger or cells)[0].name


def _inverter_load_ff(path: Path, library: Library) -> float:
    inverters = library.inverters()
    if not inverters:
        raise InputFileError(f"the Liberty file {path} has no inverter.")
    return inverters[0].input_capacitance * library.capacitance_unit_ff


def _library_path(name: str, data: Mapping[str, Any]) -> Path:
    """Return where the Liberty file of a registered library is, or say how to get it."""
    path = Path(data["liberty"])
    if "package" in data:
        if not path.is_file():
            raise ToolMissingError(
                f"the Liberty file of target {name} is missing: install it with"
                f" `apt-get install {data['package']}`."
            )
        return path
    folder = os.environ.get("MONTFORGE_TECH")
    if folder and (Path(folder) / path).is_file():
        return Path(folder) / path
    where = f"is not in {folder}" if folder else "does not come with montforge"
    raise InputFileError(
        f"the Liberty file {path} of target {name} {where}: set MONTFORGE_TECH to the folder that"
        " has it, or pass it with --liberty FILE."
    )


def lacks_primitive(design: Hardware, primitive: str, target: str) -> ParameterError:
    """Return the error for a design with a vendor's ``primitive`` that ``target`` does not have."""
    return ParameterError(
        f"{design.name} instantiates {primitive}, which target {target} does not have; choose the"
        " generic multiplier (`montforge info` names the parameter), or a target of that vendor."
    )
