# SPDX-License-Identifier: Apache-2.0
"""Surroundings of a mapped netlist in simulation: its memories, and the harness of its form.

A netlist of cells lacks the modules that are memory macros on a chip (their ports are ports of its
top), and that of a native or AXI form has no contract ports. Both are put around it as RTL, which
Yosys maps to the same library by a short script and joins with the netlist, whose cells stay as
they are.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from montforge.arch import Core, driven
from montforge.arch.driven_design import harness_files, harness_text
from montforge.contract import Port
from montforge.errors import ToolFailedError
from montforge.hardware import Hardware
from montforge.hardware.verilog import declarations, instance, same_names, size
from montforge.hardware.yosys import quote, read_design, run_yosys
from montforge.work.cache import cache_root

CLOCK = "clk_i"
_SECONDS = 3600.0
_JOINED = "joined.v"
_MEMORIES = "memories.il"
_MAP = """\
setundef -undriven -zero
dfflibmap -liberty {cells}
abc -liberty {cells}
setundef -zero
delete {core}
read_verilog {netlist}
hierarchy -top {top}
flatten
opt_clean -purge
splitnets
write_verilog -noattr -noexpr -nohex -nodec {joined}
"""


@dataclass(frozen=True)
class Memory:
    """An instance of a memory: its name after flattening, its module and the ports of that."""

    instance: str
    module: str
    ports: tuple[Port, ...]

    @property
    def pins(self) -> dict[str, str]:
        """Names of the pins at the netlist's top, the clock apart."""
        names = (port.name for port in self.ports if port.name != CLOCK)
        return {name: re.sub(r"\W", "_", f"{self.instance}.{name}") for name in names}

    @property
    def text(self) -> str:
        """The module without its content."""
        return _module(f"\\{self.module} ", self.ports)


def surrounded(
    hardware: Hardware,
    design: Core | None,
    verilog: Path,
    liberty: Path,
    ports: Iterable[Port],
    folder: Path,
) -> Path:
    """Return a netlist with the ports of the RTL that is simulated, made in ``folder``.

    ``verilog`` is the mapped netlist of ``hardware``, which is that of ``design`` if there is one,
    ``ports`` those of its top, ``liberty`` the file of its cells. Raises ToolFailedError.
    """
    core = hardware.top
    memories = _memories(hardware, folder)
    pins = {name for memory in memories for name in memory.pins.values()}
    between = [port for port in ports if port.name in pins]
    own = [port for port in ports if port.name not in pins]
    known = own if design is None else design.ports
    if unknown := {port.name for port in own} - {port.name for port in known}:
        raise ToolFailedError(
            f"the netlist of {design} has the port {min(unknown)} that no memory explains."
        )
    files = [path for path in hardware.files if path.stem.endswith("_pkg")]
    texts = [_module(core, [*own, *between]), *(each.text for each in memories)]
    top = core
    if memories:
        top = f"{core}_with_memories"
        texts.append(_with_memories(top, hardware, own, between, memories))
    if design is not None and design.interface.harness is not None:
        files += harness_files(design)
        outer = driven(design).hardware.top
        texts.append(harness_text(design, outer, top, {}))
        top = outer
    source = folder / "surroundings.sv"
    source.write_text("\n".join(texts))
    paths = " ".join(quote(path) for path in (*dict.fromkeys(files), source))
    boxes = [core, *(each.module for each in memories)]
    read = " ".join(f"--blackboxed-module '{name}'" for name in boxes)
    script = [
        f"read_slang --ignore-assertions --top {top} {read} {paths}",
        *(f"delete {name}$*" for name in hardware.memories),
        *([f"read_rtlil {_MEMORIES}"] if memories else []),
        f"synth -flatten -noabc -top {top}",
        _MAP.format(
            cells=quote(liberty), core=core, netlist=quote(verilog), top=top, joined=_JOINED
        ),
    ]
    _yosys("\n".join(script), hardware, folder)
    return folder / _JOINED


def _memories(hardware: Hardware, folder: Path) -> list[Memory]:
    """Return the instances of the memories; their modules are written to `_MEMORIES`."""
    if not hardware.memories:
        return []
    names = [f"{name}$*" for name in hardware.memories]
    script = [
        read_design(hardware, keep_hierarchy=True),
        "proc",
        f"flatten {' '.join(names)}",
        f"select {' '.join(names)}",
        f"write_rtlil -selected {_MEMORIES}",
        "select -clear",
        *(f"blackbox {name}" for name in names),
        *("proc", "flatten"),
        f"select -set memories {' '.join(f't:{name}' for name in names)}",
        "delete t:* @memories %d",
        "write_json memories.json",
    ]
    _yosys("\n".join(script), hardware, folder)
    modules = json.loads((folder / "memories.json").read_text())["modules"]
    return [
        Memory(name, cell["type"], _ports(modules[cell["type"]]))
        for name, cell in modules[hardware.top]["cells"].items()
    ]


def _ports(module: Mapping[str, Any]) -> tuple[Port, ...]:
    return tuple(
        Port(name, port["direction"], len(port["bits"]), "port of the memory")
        for name, port in module["ports"].items()
    )


def _yosys(script: str, hardware: Hardware, folder: Path) -> None:
    log, kept = folder / "yosys.log", cache_root() / "logs" / f"netlist-{hardware.name}.log"
    run_yosys(script, log=log, timeout=_SECONDS, cwd=folder, keep_log=kept)


def _module(name: str, ports: Iterable[Port], body: str = "") -> str:
    return f"module {name} (\n{declarations(ports)}\n);\n{body}endmodule\n"


def _with_memories(
    name: str,
    hardware: Hardware,
    own: Sequence[Port],
    between: Sequence[Port],
    memories: Sequence[Memory],
) -> str:
    """Return module ``name``: the netlist with its memories at its ports ``between``."""
    wires = {port.name for port in between}
    body = [f"  logic {size(port)}{port.name};\n" for port in between]
    body.append(instance(hardware.top, {}, "u_core", same_names([*own, *between])))
    for number, memory in enumerate(memories):
        for found in memory.pins.values():
            if found not in wires:
                raise ToolFailedError(
                    f"the netlist of {hardware} has no port {found} for its memory"
                    f" {memory.instance}."
                )
        pins = {CLOCK: CLOCK, **memory.pins}
        body.append(instance(f"\\{memory.module} ", {}, f"u_memory_{number}", pins))
    return _module(name, own, "".join(body))
