# SPDX-License-Identifier: Apache-2.0
"""Forms of a core: its parallel top, a native word interface, a bus; each a top of its own.

The parallel form has the contract's ports. Another form has its own, and a harness of
``rtl/harness``, which faces them in simulation (a port ``x_i`` of the form is ``core_x_o`` of the
harness) and gives the pair of them the contract's ports.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from montforge.contract import Contract, Cycles, Port
from montforge.hardware.verilog import same_names, verilog

PARALLEL, NATIVE, AXI, AXIS = "parallel", "native", "axi", "axis"
FORMS = (PARALLEL, NATIVE, AXI, AXIS)

PACER_FILES = ("harness/mf_harness_pacer.sv", "harness/mf_harness_control.sv")
FIFO_FILES = (*PACER_FILES, "harness/mf_stream_source.sv")
WRITER_FILES = (*PACER_FILES, "harness/mf_memory_writer.sv")
"""Parts of harnesses: pauses and phases, and FIFOs or writers of memories."""

CLOCK = (
    Port("clk_i", "input", 1, "clock, rising edge"),
    Port("rst_ni", "input", 1, "asynchronous reset, active low"),
)


HANDSHAKE = ("req_valid_i", "req_ready_o", "rsp_valid_o", "rsp_ready_i")


@dataclass(frozen=True)
class Harness:
    """The module that drives a form in simulation.

    ``top`` is the module, the last of ``files`` (paths as those of `Form`). It adds ``cycles`` to
    the latency of the form, to load operands and to read the result. Its ports that face the user
    are the contract's, or ``connections``, expressions of the contract's data ports, for which
    ``statements`` stand before it.
    """

    top: str
    files: tuple[str, ...]
    parameters: Mapping[str, int]
    cycles: int
    connections: Mapping[str, str] = field(default_factory=dict)
    statements: tuple[str, ...] = ()


@dataclass(frozen=True)
class Form:
    """One way in which a core meets its surroundings.

    ``files`` are paths below the RTL library's root (absolute ones from outside), in compile
    order, the top module's last; with ``wrapper`` the top is a module around the parallel form,
    whose text the call makes, and not in ``files``. ``companions`` are files that its users need
    and that are no part of it. The parallel form has the contract's ports and no ``harness``; the
    others have ``ports`` beside clock and reset, and a latency that is ``later`` cycles more than
    the parallel form's (less, if negative), counted as ``counting`` says, and ``memory_bits`` more
    bits in memories. A form with several operations under way has the parallel form's interval, or
    that of its ``packets`` if it is longer, and then, if the core is at work, up to ``wait`` cycles
    until it is ready; of another one the interval is that of one at a time.
    """

    name: str
    top: str
    files: tuple[str, ...]
    parameters: Mapping[str, int]
    companions: tuple[str, ...] = ()
    ports: tuple[Port, ...] = ()
    harness: Harness | None = None
    later: int = 0
    counting: str = ""
    wrapper: Callable[[], str] | None = None
    memory_bits: int = 0
    packets: int = 0
    wait: int = 0

    def contract(self, parallel: Contract) -> Contract:
        """Return the contract of this form of the core whose parallel form has ``parallel``."""
        if self.harness is None:
            return parallel
        latency = parallel.latency.later(self.later)
        return replace(
            parallel,
            latency=latency,
            handover=0,
            interval=self.interval(parallel),
            load=parallel.load and parallel.load.later(self.later - parallel.handover),
            notes=(*parallel.notes, f"Form {self.name}: the latency is {self.counting}."),
        )

    def interval(self, parallel: Contract) -> Cycles:
        """Return the cycles between two operations."""
        if not self.packets:
            return parallel.latency.later(self.later + 2)
        core = parallel.interval
        if self.packets <= core.minimum:
            return core
        idle = self.packets > parallel.latency.maximum + parallel.handover + 1
        longest = max(self.packets, core.maximum)
        return Cycles(self.packets, longest if idle else longest + self.wait)


def ports(*rows: tuple[str, int, str]) -> tuple[Port, ...]:
    """Return ports of ``(name, width, meaning)``, whose names end in _i or _o."""
    return tuple(
        Port(name, "output" if name.endswith("_o") else "input", width, meaning)
        for name, width, meaning in rows
    )


def driven_text(
    name: str, contract_ports: Sequence[Port], form: Form, core: str, parameters: Mapping[str, int]
) -> str:
    """Return module ``name`` with the contract's ports: module ``core`` in the form's harness."""
    harness = form.harness
    assert harness is not None
    wires = {port.name: _base(port.name) for port in form.ports}
    own = [
        port
        for port in contract_ports
        if port not in CLOCK and (not harness.connections or port.name in HANDSHAKE)
    ]
    facing = {_facing(port): wires[port.name] for port in form.ports}
    return verilog(
        "driven.sv.in",
        name=name,
        core=core,
        ports=contract_ports,
        wires=[(port, wires[port.name]) for port in form.ports],
        harness=harness,
        parameters=parameters,
        facing={**same_names([*CLOCK, *own]), **harness.connections, **facing},
        connections={**same_names(CLOCK), **wires},
    )


def _base(name: str) -> str:
    """Return the name of the wire at a port of the core."""
    return "core_" + name.removesuffix("_i").removesuffix("_o")


def _facing(port: Port) -> str:
    """Return the harness's port that faces ``port``."""
    return _base(port.name) + ("_o" if port.direction == "input" else "_i")
