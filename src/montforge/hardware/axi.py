# SPDX-License-Identifier: Apache-2.0
"""The AXI4-Lite form of any core: registers and word windows in front of the contract's ports.

The registers, the bus and the interrupt are those of the RSA engine (`rtl/bus/mf_bus_axi.sv`); the
windows follow from the contract's fields. A wrapper in RTL, made here, binds the two.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from montforge.contract import Contract, Port
from montforge.errors import ParameterError
from montforge.hardware.forms import AXI, PACER_FILES, Form, Harness
from montforge.hardware.verilog import bindings, literal

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
    f"bus/{name}.sv" for name in ("mf_rsa_regs_pkg", "mf_rsa_regs", "mf_axil_port", "mf_bus_axi")
)
"""Files of the bus layer, in compile order."""

AXIL_PORTS = tuple(
    Port(f"s_axil_{name}", "input" if direction == "i" else "output", width, "AXI4-Lite")
    for name, direction, width in (
        ("awvalid", "i", 1),
        ("awready", "o", 1),
        ("awaddr", "i", 16),
        ("awprot", "i", 3),
        ("wvalid", "i", 1),
        ("wready", "o", 1),
        ("wdata", "i", 32),
        ("wstrb", "i", 4),
        ("bvalid", "o", 1),
        ("bready", "i", 1),
        ("bresp", "o", 2),
        ("arvalid", "i", 1),
        ("arready", "o", 1),
        ("araddr", "i", 16),
        ("arprot", "i", 3),
        ("rvalid", "o", 1),
        ("rready", "i", 1),
        ("rdata", "o", 32),
        ("rresp", "o", 2),
    )
)
"""The slave's ports, by the names by which tools know AXI."""


@dataclass(frozen=True)
class Window:
    """The words of one port of a contract: from ``address``, the lowest first."""

    port: Port
    address: int

    @property
    def words(self) -> int:
        """How many words the port fills; the bits above it are zeros."""
        return -(-self.port.width // WORD)


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
    found = windows(contract)
    inputs = [w for w in found if w.port.direction == "input"]
    results = [w for w in found if w.port.direction == "output"]
    input_words, output_words = (sum(w.words for w in side) for side in (inputs, results))
    status = contract.results[1].ports[0].name if len(contract.results) > 1 else ""
    loads = contract.load is not None
    connected = {port.name: port.name for port in contract.ports[:1]}
    connected |= {
        "rst_ni": "core_rst_n",
        "load_valid_i": "load_valid",
        "load_ready_o": "load_ready",
        "req_valid_i": "req_valid",
        "req_ready_o": "req_ready",
        "rsp_valid_o": "rsp_valid",
        "rsp_ready_i": "rsp_ready",
    }
    for window in inputs:
        at = 8 * (window.address - INPUTS)
        connected[window.port.name] = f"inputs[{at}+:{window.port.width}]"
    connected |= {w.port.name: _signal(w.port.name) for w in results}
    connected |= {
        control.port.name: f"{control.port.width}'d{control.idle}" for control in contract.controls
    }
    order = [port.name for port in contract.ports]
    declarations = [f"  logic [{w.port.width - 1}:0] {_signal(w.port.name)};" for w in results]
    outputs = [f"{WORD * w.words}'({_signal(w.port.name)})" for w in reversed(results)]
    rows = [
        f"// {w.address:04x}  {w.port.name.rpartition('_')[0]:<12} {w.port.width:>6} bits"
        f"  {'w' if w in inputs else 'r'}  {w.port.meaning}"
        for w in found
    ]
    ports = [
        "  input  logic        clk_i",
        "  input  logic        rst_ni",
        *(f"  {p.direction:<6} logic {_size(p):<6} {p.name}" for p in AXIL_PORTS),
        "  output logic        irq_o",
    ]
    parameters = bindings((key, literal(value)) for key, value in core.parameters.items())
    layer = [
        *("clk_i", "rst_ni", *(port.name for port in AXIL_PORTS), "irq_o"),
    ]
    newline = "\n"
    return f"""\
// {title}
// with AXI4-Lite: registers of mf_rsa_regs, windows of 32-bit words at these addresses:
//
{newline.join(rows)}{_load_text(contract)}

module {_name(contract)} (
{("," + newline).join(ports)}
);

  localparam logic [{WORD * input_words - 1}:0] Mask = {{
{("," + newline).join(map(_mask, reversed(inputs)))}
  }};

  logic                    start, abort, zeroize_slot, zeroize_all, busy, done;
  logic                    done_event, error_event;
  logic [7:0]              error;
  logic [31:0]             cycles;
  logic                    win_valid, win_write, win_rvalid, win_error;
  logic [15:0]             win_addr;
  logic [31:0]             win_wdata, win_rdata;
  logic                    core_rst_n, req_valid, req_ready, rsp_valid, rsp_ready;
  logic                    load_valid, load_ready;
  logic [{WORD * input_words - 1}:0] inputs;
{newline.join(declarations)}

  // Not used: a plain core has no keys and takes no random words.
  logic                    lock, random_ready, random_valid;
  logic [3:0]              op, slot;
  logic [15:0]             n_bits, e_bits;
  logic [31:0]             random;
  logic                    unused;
  assign unused = ^{{lock, random_ready, random_valid, slot, n_bits, e_bits, random, inputs}};
{"" if loads else NO_LOAD}
  mf_bus_axi #(
    .Bits({contract.width}),
    .Features(8'd{FEATURE_CORE | FEATURE_SETUP * loads})
  ) u_bus (
{bindings((name, name) for name in layer)},
    .random_valid_i(1'b0),
    .random_ready_o(random_ready),
    .random_i('0),
    .start_o(start),
    .abort_o(abort),
    .zeroize_slot_o(zeroize_slot),
    .zeroize_all_o(zeroize_all),
    .lock_o(lock),
    .op_o(op),
    .slot_o(slot),
    .n_bits_o(n_bits),
    .e_bits_o(e_bits),
    .busy_i(busy),
    .wiping_i(1'b0),
    .done_i(done),
    .error_i(error),
    .slots_valid_i('0),
    .cycles_i(cycles),
    .done_event_i(done_event),
    .error_event_i(error_event),
    .alert_event_i(1'b0),
    .win_valid_o(win_valid),
    .win_write_o(win_write),
    .win_addr_o(win_addr),
    .win_wdata_o(win_wdata),
    .win_rvalid_i(win_rvalid),
    .win_rdata_i(win_rdata),
    .win_error_i(win_error),
    .engine_random_valid_o(random_valid),
    .engine_random_ready_i(1'b0),
    .engine_random_o(random)
  );

  mf_core_windows #(
    .InputWords({input_words}),
    .OutputWords({output_words}),
    .Loads({int(loads)}),
    .Mask(Mask)
  ) u_windows (
    .clk_i(clk_i),
    .rst_ni(rst_ni),
    .start_i(start),
    .op_i(op),
    .abort_i(abort),
    .zeroize_i(zeroize_slot || zeroize_all),
    .busy_o(busy),
    .done_o(done),
    .error_o(error),
    .cycles_o(cycles),
    .done_event_o(done_event),
    .error_event_o(error_event),
    .win_valid_i(win_valid),
    .win_write_i(win_write),
    .win_addr_i(win_addr),
    .win_wdata_i(win_wdata),
    .win_rvalid_o(win_rvalid),
    .win_rdata_o(win_rdata),
    .win_error_o(win_error),
    .core_rst_no(core_rst_n),
    .load_valid_o(load_valid),
    .load_ready_i(load_ready),
    .req_valid_o(req_valid),
    .req_ready_i(req_ready),
    .inputs_o(inputs),
    .rsp_valid_i(rsp_valid),
    .rsp_ready_o(rsp_ready),
    .outputs_i({{{", ".join(outputs)}}}),
    .core_error_i({f"8'({_signal(status)})" if status else "8'd0"})
  );

  {core.top} #(
{parameters}
  ) u_core (
{bindings((name, connected[name]) for name in order)}
  );

endmodule
"""


NO_LOAD = """
  logic unused_load;
  assign unused_load = load_valid;
  assign load_ready  = 1'b0;
"""


def _load_text(contract: Contract) -> str:
    """Return the lines of the wrapper's header about the load phase, if there is one."""
    if contract.load is None:
        return ""
    fields = ", ".join(contract.load.fields)
    return (
        f"\n//\n// A start with COMMAND.op 6 loads {fields}; one with another op is a request, and"
        "\n// without a load ends with error 16. An abort forgets the loaded values."
    )


def _name(contract: Contract) -> str:
    """Return the name of the wrapper's module, which tools take at any length of the design's."""
    return f"mf_{contract.architecture}_axi"


def _signal(port: str) -> str:
    return f"core_{port.removesuffix('_o')}"


def _mask(window: Window) -> str:
    """Return ones where the window has a bit, zeros above."""
    above = WORD * window.words - window.port.width
    zeros = f"{{{above}{{1'b0}}}}, " if above else ""
    return f"    {zeros}{{{window.port.width}{{1'b1}}}}"


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
    found = windows(contract)
    inputs = [w for w in found if w.port.direction == "input"]
    results = [w for w in found if w.port.direction == "output"]
    input_words, output_words = (sum(w.words for w in side) for side in (inputs, results))
    loads = contract.load is not None
    packed = [f"{WORD * w.words}'({w.port.name})" for w in reversed(inputs)]
    statements = [f"logic [{WORD * output_words - 1}:0] outputs;"]
    for window in results:
        at = 8 * (window.address - OUTPUTS)
        statements.append(f"assign {window.port.name} = outputs[{at}+:{window.port.width}];")
    # The bits above a result are zeros.
    statements += ["logic unused_outputs;", "assign unused_outputs = ^outputs;"]
    loading = {"load_valid_i": "load_valid_i", "load_ready_o": "load_ready_o"}
    if contract.load is None:
        loading = {"load_valid_i": "1'b0", "load_ready_o": "unused_load"}
        statements.append("logic unused_load;")
    return Form(
        AXI,
        _name(contract),
        (*core.files, *BUS_FILES, "bus/mf_core_windows.sv"),
        {},
        companions=("bus/mf_rsa_regs.h",),
        ports=(*AXIL_PORTS, Port("irq_o", "output", 1, "interrupt")),
        harness=Harness(
            "mf_axil_harness",
            (*PACER_FILES, "harness/mf_axil_harness.sv"),
            {"InputWords": input_words, "OutputWords": output_words, "Loads": int(loads)},
            cycles=6 * (input_words + 2 + loads + output_words) + 18,
            connections={
                "inputs_i": f"{{{', '.join(packed)}}}",
                "outputs_o": "outputs",
                **loading,
            },
            statements=tuple(statements),
        ),
        later=contract.handover + START_CYCLES,
        counting="from the write of start to the interrupt",
        wrapper=partial(axi_text, title, contract, core),
    )


def _size(port: Port) -> str:
    return f"[{port.width - 1}:0]" if port.width > 1 else ""
