# SPDX-License-Identifier: Apache-2.0
"""The bus forms of any core: AXI4-Lite and AXI4-Stream in front of the contract's ports.

With AXI4-Lite the registers, the bus and the interrupt are those of all cores
(`rtl/bus/mf_bus_axi.sv`); the windows follow from the contract's fields. With AXI4-Stream requests
and responses are packets of the same words (`rtl/bus/mf_core_packets.sv`). A wrapper in RTL, made
here, binds the core.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import partial

from montforge.contract import Contract, Port
from montforge.errors import ParameterError
from montforge.hardware import rtl_root
from montforge.hardware.forms import AXI, AXIS, PACER_FILES, Form, Harness
from montforge.hardware.verilog import same_names, verilog

WORD = 32
INPUTS, OUTPUTS = 0x1000, 0x8000
"""Addresses of the first input and the first result."""
INPUT_WORDS, OUTPUT_WORDS = 7168, 8192
"""Numbers of words that the addresses have room for; the limits of mf_core_windows."""
START_CYCLES = 4
"""From the write of start to the acceptance by the core, 3, and from its response on."""
STREAM_CYCLES = 2
"""From the last word of a request to the acceptance by the core, and from its response on."""
FEATURE_CORE, FEATURE_SETUP = 1 << 7, 1 << 4
"""Bits of register FEATURES: operation 0, operation 6 (the load phase)."""

BUS_FILES = tuple(
    f"bus/{name}.sv" for name in ("mf_bus_regs_pkg", "mf_bus_regs", "mf_axil_port", "mf_bus_axi")
)
"""Files of the bus layer, in compile order."""


def registers_page() -> str:
    """Return the page of the registers of the bus layer, which PeakRDL writes (Markdown)."""
    return (rtl_root() / "bus/mf_bus_regs.md").read_text(encoding="utf-8")


def _bus(prefix: str, meaning: str, *signals: str) -> tuple[Port, ...]:
    """Return the ports of a bus from the name, direction and width of each signal."""
    return tuple(
        Port(prefix + name, "input" if side == "i" else "output", int(width), meaning)
        for name, side, width in map(str.split, signals)
    )


AXIL_PORTS = _bus(
    "s_axil_", "AXI4-Lite",
    "awvalid i 1", "awready o 1", "awaddr i 16", "awprot i 3",
    "wvalid i 1", "wready o 1", "wdata i 32", "wstrb i 4",
    "bvalid o 1", "bready i 1", "bresp o 2",
    "arvalid i 1", "arready o 1", "araddr i 16", "arprot i 3",
    "rvalid o 1", "rready i 1", "rdata o 32", "rresp o 2",
)  # fmt: skip
"""The ports of a slave with AXI4-Lite, by the names by which tools know AXI."""
AXIS_PORTS = (
    *_bus("s_axis_", "AXI4-Stream, requests",
          "tvalid i 1", "tready o 1", "tdata i 32", "tlast i 1"),
    *_bus("m_axis_", "AXI4-Stream, responses",
          "tvalid o 1", "tready i 1", "tdata o 32", "tlast o 1", "tuser o 1"),
)  # fmt: skip
"""The ports of a core with AXI4-Stream, by the names by which tools know AXI."""


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
    """Return the wrapper of the AXI4-Lite form of a core, whose parallel form is ``core``.

    ``title`` names the core. Raises ParameterError as `windows` does.
    """
    status = [field.ports[0] for field in contract.results[1:]]
    return _wrapper_text(
        "axi.sv.in",
        title,
        contract,
        core,
        "core_rst_n",
        name=_name(contract, AXI),
        bits=contract.width,
        features=FEATURE_CORE | FEATURE_SETUP * (contract.load is not None),
        bus=AXIL_PORTS,
        load=contract.load,
        status=f"8'({_signal(status[0])})" if status else "8'd0",
    )


def axis_text(title: str, contract: Contract, core: Form) -> str:
    """Return the wrapper of the AXI4-Stream form of a core, as `axi_text`."""
    interval = axis_form(title, contract, core, 0).interval(contract).minimum
    longest = contract.latency.maximum + contract.handover
    return _wrapper_text(
        "axis.sv.in",
        title,
        contract,
        core,
        "rst_ni",
        name=_name(contract, AXIS),
        bus=AXIS_PORTS,
        interval=interval,
        in_flight=(longest + 1) // interval + 1,
    )


def _wrapper_text(
    template: str, title: str, contract: Contract, core: Form, reset: str, **fields: object
) -> str:
    """Return a wrapper that binds the module of ``core``, whose reset is the signal ``reset``."""
    inputs, results = _sides(contract)
    connected = {port.name: port.name.rpartition("_")[0] for port in contract.ports}
    connected |= {"clk_i": "clk_i", "rst_ni": reset}
    connected |= {window.port.name: _signal(window.port) for window in results}
    connected |= {window.port.name: f"inputs{window.bits}" for window in inputs}
    connected |= {each.port.name: f"{each.port.width}'d{each.idle}" for each in contract.controls}
    return verilog(
        template,
        title=title,
        inputs=inputs,
        results=results,
        input_words=_words(inputs),
        output_words=_words(results),
        signals={window.port.name: _signal(window.port) for window in results},
        outputs=[f"{WORD * w.words}'({_signal(w.port)})" for w in reversed(results)],
        top=core.top,
        parameters=core.parameters,
        connections=connected,
        **fields,
    )


def _signal(result: Port) -> str:
    """Return the wrapper's signal at a result of the core."""
    return f"core_{result.name.removesuffix('_o')}"


def _sides(contract: Contract) -> tuple[list[Window], list[Window]]:
    """Return the windows of inputs and those of results. Raises ParameterError as `windows`."""
    found = windows(contract)
    inputs = [window for window in found if window.port.direction == "input"]
    return inputs, [window for window in found if window not in inputs]


def _words(side: Iterable[Window]) -> int:
    return sum(window.words for window in side)


def _name(contract: Contract, form: str) -> str:
    """Return the name of the wrapper's module, which tools take at any length of the design's."""
    return f"mf_{contract.architecture}_{form}"


def bus_forms(contract: Contract) -> tuple[str, ...]:
    """Return the names of the bus forms of a core of this contract, in its parallel form.

    None if there are not enough addresses for its windows; of a core with a load phase AXI4-Lite.
    """
    try:
        windows(contract)
    except ParameterError:
        return ()
    return (AXI,) if contract.load is not None else (AXI, AXIS)


def axi_form(title: str, contract: Contract, core: Form) -> Form:
    """Return the AXI4-Lite form of a core, whose parallel form is ``core``.

    Its latency is from the write of start to the interrupt. Raises ParameterError as `windows`
    does.
    """
    input_words, output_words = map(_words, _sides(contract))
    loads = contract.load is not None
    loading = same_names(contract.load_ports)
    statements: tuple[str, ...] = ()
    if not loads:
        loading = {"load_valid_i": "1'b0", "load_ready_o": "unused_load"}
        statements = ("logic unused_load;",)
    if contract.clearing:
        loading |= {"req_valid_i": "req_valid_i && open_q", "req_ready_o": "ready"}
        statements += _closed_after_reset(contract.clearing)
    return Form(
        AXI,
        _name(contract, AXI),
        (*core.files, *BUS_FILES, "bus/mf_core_windows.sv"),
        {},
        ports=(*AXIL_PORTS, Port("irq_o", "output", 1, "interrupt")),
        harness=_harness(
            contract,
            "mf_axil_harness",
            {"Loads": int(loads)},
            6 * (input_words + 2 + loads + output_words) + 18,
            loading,
            statements,
        ),
        later=contract.handover + START_CYCLES,
        counting="from the write of start to the interrupt",
        wrapper=partial(axi_text, title, contract, core),
    )


def _closed_after_reset(cycles: int) -> tuple[str, ...]:
    """Return statements by which a harness takes no request for ``cycles`` cycles after a reset."""
    return (
        f"logic [{cycles.bit_length() - 1}:0] waited_q;",
        "logic open_q, ready;",
        "assign req_ready_o = ready && open_q;",
        "always_ff @(posedge clk_i or negedge rst_ni) begin",
        "  if (!rst_ni) begin",
        "    waited_q <= '0;",
        "    open_q   <= 1'b0;",
        "  end else if (!open_q) begin",
        f"    waited_q <= waited_q + {cycles.bit_length()}'d1;",
        f"    open_q   <= waited_q == {cycles.bit_length()}'d{cycles};",
        "  end",
        "end",
    )


def axis_form(title: str, contract: Contract, core: Form, wait: int) -> Form:
    """Return the AXI4-Stream form of a core, whose parallel form is ``core``.

    Its latency is from the last word of a request to the first of its response. A request that
    comes later than the interval waits at most ``wait`` cycles for the core. Raises ParameterError
    as `windows` does.
    """
    inputs, results = _sides(contract)
    zeros = any(window.zeros for window in inputs)
    return Form(
        AXIS,
        _name(contract, AXIS),
        (*core.files, "bus/mf_core_packets.sv"),
        {},
        ports=AXIS_PORTS,
        harness=_harness(
            contract,
            "mf_axis_harness",
            {"HighBits": int(zeros)},
            4 * _words(inputs) + 2 * _words(results) + 28,
        ),
        later=contract.handover + STREAM_CYCLES,
        counting="from the last word of a request to the first of its response",
        wrapper=partial(axis_text, title, contract, core),
        packets=max(_words(inputs), _words(results) + 1),
        wait=wait,
    )


def _harness(
    contract: Contract,
    top: str,
    parameters: Mapping[str, int],
    cycles: int,
    connections: Mapping[str, str] | None = None,
    statements: tuple[str, ...] = (),
) -> Harness:
    """Return a harness that takes all inputs as one vector of words, and gives the results so."""
    inputs, results = _sides(contract)
    packed = [f"{WORD * w.words}'({w.port.name})" for w in reversed(inputs)]
    return Harness(
        top,
        (*PACER_FILES, f"harness/{top}.sv"),
        {"InputWords": _words(inputs), "OutputWords": _words(results), **parameters},
        cycles=cycles,
        connections={
            "inputs_i": f"{{{', '.join(packed)}}}",
            "outputs_o": "outputs",
            **(connections or {}),
        },
        statements=(
            f"logic [{WORD * _words(results) - 1}:0] outputs;",
            *(f"assign {window.port.name} = outputs{window.bits};" for window in results),
            # The bits above a result are zeros.
            *("logic unused_outputs;", "assign unused_outputs = ^outputs;"),
            *statements,
        ),
    )
