# SPDX-License-Identifier: Apache-2.0
"""The AXI4-Lite form of any core: registers and word windows in front of the contract's ports.

The registers, the bus and the interrupt are those of all cores (`rtl/bus/mf_bus_axi.sv`); the
windows follow from the contract's fields. A wrapper in RTL, made here, binds the two.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial

from montforge.contract import Contract, Port
from montforge.errors import ParameterError
from montforge.hardware import rtl_root
from montforge.hardware.forms import AXI, CLOCK, PACER_FILES, Form, Harness
from montforge.hardware.verilog import same_names, verilog

WORD = 32
INPUTS, OUTPUTS = 0x1000, 0x8000
"""Addresses of the first input and the first result."""
INPUT_WORDS, OUTPUT_WORDS = 7168, 8192
"""Numbers of words that the addresses have room for; the limits of mf_core_windows."""
START_CYCLES = 4
"""From the write of start to the acceptance by the core, 3, and from its response on."""
FEATURE_CORE, FEATURE_SETUP = 1 << 7, 1 << 4
"""Bits of register FEATURES: operation 0, operation 6 (the load phase)."""

BUS_FILES = tuple(
    f"bus/{name}.sv" for name in ("mf_bus_regs_pkg", "mf_bus_regs", "mf_axil_port", "mf_bus_axi")
)
"""Files of the bus layer, in compile order."""


def registers_page() -> str:
    """Return the page of the registers of the bus layer, which PeakRDL writes (Markdown)."""
    return (rtl_root() / "bus/mf_bus_regs.md").read_text(encoding="utf-8")


_AXIL = (
    "awvalid i 1", "awready o 1", "awaddr i 16", "awprot i 3",
    "wvalid i 1", "wready o 1", "wdata i 32", "wstrb i 4",
    "bvalid o 1", "bready i 1", "bresp o 2",
    "arvalid i 1", "arready o 1", "araddr i 16", "arprot i 3",
    "rvalid o 1", "rready i 1", "rdata o 32", "rresp o 2",
)  # fmt: skip
"""Name, direction and width."""
AXIL_PORTS = tuple(
    Port(f"s_axil_{name}", "input" if side == "i" else "output", int(width), "AXI4-Lite")
    for name, side, width in map(str.split, _AXIL)
)
"""The ports of a slave with AXI4-Lite, by the names by which tools know AXI."""


@dataclass(frozen=True)
class Window:
    """The words of one port of a contract: from ``address``, the lowest first."""

    port: Port
    address: int

    @property
    def name(self) -> str:
        """The port's name without its direction."""
        return self.port.name.rpartition("_")[0]

    @property
    def words(self) -> int:
        """The number of words that the port fills; the bits above it are zeros."""
        return -(-self.port.width // WORD)

    @property
    def bits(self) -> str:
        """The select of the port among the words of its side, such as ``[64+:33]``."""
        start = INPUTS if self.port.direction == "input" else OUTPUTS
        return f"[{8 * (self.address - start)}+:{self.port.width}]"

    @property
    def zeros(self) -> int:
        """The number of bits above the port's, which are zeros."""
        return WORD * self.words - self.port.width


def windows(contract: Contract) -> tuple[Window, ...]:
    """Return the windows of all data ports, inputs (write only) before results (read only).

    Raises ParameterError for a contract with more bits than there are addresses.
    """
    found = []
    for ports, start, room in (
        (contract.operand_ports, INPUTS, INPUT_WORDS),
        (contract.result_ports, OUTPUTS, OUTPUT_WORDS),
    ):
        at = start
        for port in ports:
            found.append(Window(port, at))
            at += 4 * found[-1].words
        if at - start > 4 * room:
            raise ParameterError(
                f"{contract.architecture} has {(at - start) // 4} words of"
                f" {'results' if start == OUTPUTS else 'inputs'}; its AXI form has room for"
                f" {room}. Use fewer bits, or the parallel form."
            )
    return tuple(found)


def axi_text(title: str, contract: Contract, core: Form) -> str:
    """Return the wrapper of the AXI form of a core, whose parallel form is ``core``.

    ``title`` names the core. Raises ParameterError as `windows` does.
    """
    inputs, results = _sides(contract)
    signals = {w.port.name: f"core_{w.port.name.removesuffix('_o')}" for w in results}
    status = contract.results[1].ports[0].name if len(contract.results) > 1 else ""
    connected = {
        port.name: port.name.rpartition("_")[0] for port in contract.ports if port not in CLOCK
    }
    connected |= {"clk_i": "clk_i", "rst_ni": "core_rst_n", **signals}
    connected |= {window.port.name: f"inputs{window.bits}" for window in inputs}
    connected |= {each.port.name: f"{each.port.width}'d{each.idle}" for each in contract.controls}
    return verilog(
        "axi.sv.in",
        title=title,
        name=_name(contract),
        bits=contract.width,
        features=FEATURE_CORE | FEATURE_SETUP * (contract.load is not None),
        bus=AXIL_PORTS,
        inputs=inputs,
        results=results,
        input_words=_words(inputs),
        output_words=_words(results),
        load=contract.load,
        signals=signals,
        outputs=[f"{WORD * w.words}'({signals[w.port.name]})" for w in reversed(results)],
        status=f"8'({signals[status]})" if status else "8'd0",
        top=core.top,
        parameters=core.parameters,
        connections={port.name: connected[port.name] for port in contract.ports},
    )


def _sides(contract: Contract) -> tuple[list[Window], list[Window]]:
    """Return the windows of inputs and those of results. Raises ParameterError as `windows`."""
    found = windows(contract)
    inputs = [window for window in found if window.port.direction == "input"]
    return inputs, [window for window in found if window not in inputs]


def _words(side: Iterable[Window]) -> int:
    return sum(window.words for window in side)


def _name(contract: Contract) -> str:
    """Return the name of the wrapper's module, which tools take at any length of the design's."""
    return f"mf_{contract.architecture}_axi"


def has_axi_form(contract: Contract) -> bool:
    """Return whether a core of this contract, in its parallel form, has windows."""
    try:
        windows(contract)
    except ParameterError:
        return False
    return True


def axi_form(title: str, contract: Contract, core: Form) -> Form:
    """Return the AXI form of a core, whose parallel form is ``core``.

    Its latency is from the write of start to the interrupt. Raises ParameterError as `windows`
    does.
    """
    inputs, results = _sides(contract)
    input_words, output_words = _words(inputs), _words(results)
    loads = contract.load is not None
    packed = [f"{WORD * w.words}'({w.port.name})" for w in reversed(inputs)]
    statements = [f"logic [{WORD * output_words - 1}:0] outputs;"]
    statements += [f"assign {window.port.name} = outputs{window.bits};" for window in results]
    # The bits above a result are zeros.
    statements += ["logic unused_outputs;", "assign unused_outputs = ^outputs;"]
    loading = same_names(contract.load_ports)
    if contract.load is None:
        loading = {"load_valid_i": "1'b0", "load_ready_o": "unused_load"}
        statements.append("logic unused_load;")
    return Form(
        AXI,
        _name(contract),
        (*core.files, *BUS_FILES, "bus/mf_core_windows.sv"),
        {},
        ports=(*AXIL_PORTS, Port("irq_o", "output", 1, "interrupt")),
        harness=Harness(
            "mf_axil_harness",
            (*PACER_FILES, "harness/mf_axil_harness.sv"),
            {"InputWords": input_words, "OutputWords": output_words, "Loads": int(loads)},
            cycles=6 * (input_words + 2 + loads + output_words) + 18,
            connections={"inputs_i": f"{{{', '.join(packed)}}}", "outputs_o": "outputs", **loading},
            statements=tuple(statements),
        ),
        later=contract.handover + START_CYCLES,
        counting="from the write of start to the interrupt",
        wrapper=partial(axi_text, title, contract, core),
    )
