# SPDX-License-Identifier: Apache-2.0
"""Measuring RTL that is not of the library: Verilog, SystemVerilog, or VHDL through GHDL."""

from __future__ import annotations

import json
import re
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import cache
from math import inf
from pathlib import Path
from typing import Any

from montforge.errors import InputFileError, ParameterError, ToolFailedError, unknown_name
from montforge.hardware import Hardware
from montforge.hardware.verilog import instance
from montforge.hardware.yosys import read_design, run_yosys
from montforge.measure.measurement import Measurement, measure_hardware
from montforge.work.cache import cache_root, cached_folder, content_hash
from montforge.work.tools import find_program, run_tool

VHDL = (".vhd", ".vhdl")
FORM = "own"
"""The form of a `Measurement` of own RTL, which has no contract."""
_SECONDS = 600.0
_TO_JSON = "proc\nflatten\nopt_clean\nwrite_json top.json"
_INCLUDE = re.compile(r'^[ \t]*`include[ \t]+"([^"]+)".*$', re.MULTILINE)
_MESSAGE = re.compile(r"\S+:\d+:\d+:")
"""The begin of GHDL's warnings, which stand between the lines of the Verilog that it writes."""
_ASSIGNED = re.compile(r"\b([A-Za-z_]\w*)\s*=")
_DEPTH = 15
_STATED = "Cycles are those that --cycles states; no operation was simulated."


def measure_own(
    files: Sequence[Path],
    top: str,
    target: str | None = None,
    *,
    cycles: float,
    clock: str = "clk",
    parameters: Mapping[str, int] | None = None,
    **options: Any,
) -> Measurement:
    """Measure module ``top`` of ``files``, in compile order, as `measure` does a design.

    ``cycles`` is the latency of an operation; ``clock`` the input that clocks all registers.
    ``parameters`` are those of the top (VHDL: its generics). ``options`` are ``liberty``,
    ``seeds``, ``frequency``, ``workers``, ``effort`` and ``progress`` of `measure`. The result's
    form is `FORM`, its architecture the top. Raises the errors of `measure`, and InputFileError or
    ParameterError for files and modules that can't be measured.
    """
    values = dict(parameters or {})
    if not 0 < cycles < inf:
        raise ParameterError(f"cycles = {cycles:g} must be a number above 0.")
    hardware = own_hardware(files, top, values, clock)
    words = [word for file in files for word in ("--rtl", str(file))]
    words += ["--top", top, "--cycles", f"{cycles:g}", "--clock", clock]
    words += [word for name, value in values.items() for word in ("-P", f"{name}={value}")]
    row = {
        "architecture": top,
        "parameters": values,
        "form": FORM,
        "cycles": float(cycles),
        "handover": 0,
        "notes": (_STATED,),
    }
    return measure_hardware(hardware, words, lambda: row, target, **options)


def own_hardware(
    files: Sequence[Path], top: str, parameters: Mapping[str, int], clock: str
) -> Hardware:
    """Return the hardware of own files. Raises InputFileError, ParameterError, ToolFailedError.

    Its files are the given ones, or copies in the cache: with included files in their places, or
    as GHDL translates them to Verilog.
    """
    if not files:
        raise ParameterError("--rtl needs at least one file.")
    for file in files:
        if not file.is_file():
            raise InputFileError(f"there is no file {file}.")
    if not re.fullmatch(r"[A-Za-z_]\w*", top):
        raise ParameterError(f"{top!r} is no name of a module.")
    values = "_".join(f"{name}{value}" for name, value in sorted(parameters.items()))
    name = "_".join(filter(None, (top, values)))
    if any(file.suffix in VHDL for file in files):
        found = Hardware(name, *_from_vhdl(files, top, parameters), clock=clock)
    else:
        whole = tuple(_without_includes(file) for file in files)
        found = Hardware(name, top, whole, dict(parameters), clock=clock)
    _check(found)
    return found


def _without_includes(file: Path) -> Path:
    """Return ``file``, or a copy with all included files in their places.

    So the copy's content is all that the tools read, as it must be for results that are stored by
    content.
    """
    text = _expanded(file, _DEPTH)
    if text == _read(file):
        return file.resolve()

    def build(folder: Path) -> None:
        (folder / file.name).write_text(text)

    return cached_folder("own", content_hash(file.name, text), build) / file.name


def _expanded(file: Path, depth: int) -> str:
    def included(found: re.Match[str]) -> str:
        path = file.parent / found.group(1)
        if not path.is_file():
            raise InputFileError(
                f"{file} includes {found.group(1)}, which is not in {file.parent}: included files"
                " are looked for beside the file that includes them."
            )
        if not depth:
            raise InputFileError(f"{file} includes more than {_DEPTH} files in one another.")
        return _expanded(path, depth - 1)

    return _INCLUDE.sub(included, _read(file))


def _read(file: Path) -> str:
    try:
        return file.read_text()
    except UnicodeDecodeError:
        raise InputFileError(f"{file} is not text in UTF-8.") from None


@cache
def _ghdl_version() -> str:
    with tempfile.TemporaryDirectory() as folder:
        command = [find_program("ghdl"), "--version"]
        return run_tool(command, log=Path(folder) / "log", timeout=60).splitlines()[0]


def _from_vhdl(
    files: Sequence[Path], top: str, generics: Mapping[str, int]
) -> tuple[str, tuple[Path, ...]]:
    """Return top and Verilog file of VHDL files."""
    other = [file for file in files if file.suffix not in VHDL]
    if other:
        raise ParameterError(
            f"{other[0]} is not VHDL, but other files are: name files of one language."
        )
    given = [f"-g{name}={value}" for name, value in generics.items()]
    paths = [file.resolve() for file in files]

    def build(folder: Path) -> None:
        ghdl = [find_program("ghdl"), "synth", "--std=08"]
        kept = cache_root() / "logs" / f"ghdl-{top}.log"
        try:
            text = run_tool(
                [*ghdl, *given, "--out=verilog", *paths, "-e", top],
                log=folder / "ghdl.log",
                timeout=_SECONDS,
                cwd=folder,
                keep_log=kept,
            )
        except ToolFailedError as error:
            unknown = re.search(r'no generic "(\w+)"', str(error))
            if unknown is None:
                raise
            known = _generics("\n".join(map(_read, files)), top)
            raise unknown_name(f"generic of {top}", unknown[1], known) from None
        lines = [line for line in text.splitlines(keepends=True) if not _MESSAGE.match(line)]
        (folder / "own.v").write_text("".join(lines))

    key = content_hash(_ghdl_version(), top, given, [_read(file) for file in files])
    made = cached_folder("own", key, build) / "own.v"
    modules = re.findall(r"^module (\w+)", made.read_text(), re.MULTILINE)
    return next(name for name in modules if name.lower() == top.lower()), (made,)


def _generics(text: str, entity: str) -> list[str]:
    """Return the names of the generics of an entity in VHDL."""
    header = rf"(?is)\bentity\s+{entity}\s+is\s+generic\s*\((.*?)\)\s*;\s*(?:port|end)\b"
    found = re.search(header, text)
    return re.findall(r"(\w+)\s*(?:,|:(?!=))", found[1]) if found else []


def _yosys(hardware: Hardware, script: str, folder: Path) -> None:
    log = cache_root() / "logs" / f"own-{hardware.name}.log"
    run_yosys(script, log=folder / "log", timeout=_SECONDS, cwd=folder, keep_log=log)


def _check_parameters(hardware: Hardware, folder: Path) -> None:
    """Raise UnknownNameError for a parameter that the top lacks, or that nobody can set."""
    unknown = _unknown(hardware, hardware.parameters, folder)
    if unknown:
        written = dict.fromkeys(_ASSIGNED.findall("\n".join(map(_read, hardware.files))), 1)
        known = written.keys() - _unknown(hardware, written, folder)
        raise unknown_name(f"parameter of {hardware.top}", unknown[0], known)


def _unknown(hardware: Hardware, parameters: Mapping[str, int], folder: Path) -> list[str]:
    """Return the ``parameters`` that no instance of the top can have.

    An instance has them by name: slang ignores an unknown one that is given for a top.
    """
    source = folder / "instance.v"
    name = f"instance_of_{hardware.top}"
    body = instance(hardware.top, parameters, "u_top", {})
    source.write_text(f"module {name};\n{body}endmodule\n")
    around = Hardware(name, name, (*hardware.files, source))
    with suppress(ToolFailedError):  # other errors come again when the top itself is read
        _yosys(hardware, f"{read_design(around)} --error-limit 0", folder)
    log = (folder / "log").read_text()
    return re.findall(r"instance\.v:\d+: ERROR: .*param.*\n\s*\.(\w+)\(", log)


def _check(hardware: Hardware) -> None:
    """Raise UsageError for unknown parameters, or a top not clocked by its clock alone."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        if hardware.parameters:
            _check_parameters(hardware, folder)
        _yosys(hardware, f"{read_design(hardware)}\n{_TO_JSON}", folder)
        modules = json.loads((folder / "top.json").read_text())["modules"]
    top = modules[hardware.top]
    ports = {name: port["bits"] for name, port in top["ports"].items()}
    inputs = {name: bits for name, bits in ports.items() if len(bits) == 1}
    if hardware.clock not in inputs:
        raise unknown_name(f"clock input of {hardware.top}", hardware.clock, inputs)
    latches = [name for name, cell in top["cells"].items() if "latch" in cell["type"]]
    if latches:
        raise ParameterError(
            f"{hardware.top} has {len(latches)} latches (the first: {latches[0]}); only registers"
            " with a clock are timed."
        )
    clocks = {
        bit
        for cell in top["cells"].values()
        for port, bits in cell["connections"].items()
        if port.endswith("CLK")
        for bit in bits
        if isinstance(bit, int)
    }
    if others := clocks - set(inputs[hardware.clock]):
        names = (name for name, net in top["netnames"].items() if others & set(net["bits"]))
        raise ParameterError(
            f"registers of {hardware.top} are clocked by {next(names)}, not by {hardware.clock}:"
            " only designs with one clock, without gates in it, are measured."
        )
    if not clocks:
        raise ParameterError(f"{hardware.top} has no register, so that it has no clock period.")
