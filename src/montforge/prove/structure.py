# SPDX-License-Identifier: Apache-2.0
"""Checks of the structure: which registers and outputs the secret operands can reach.

They hold for all values and in all cycles. A path in the structure need not be one in operation,
so that a design which is refuted here may still be constant in time.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from montforge.arch import Core, Design
from montforge.contract import Contract
from montforge.hardware.axi import INPUTS, windows
from montforge.hardware.forms import AXI, AXIS, PARALLEL
from montforge.prove.flow import Flow
from montforge.prove.netlist import Bit, Netlist
from montforge.prove.verdict import Check

_PLACES = ("_row_i", "_index_i")
"""Ends of native ports that say where a word is written."""
GROUNDS = ("structure of the netlist", "Yosys and slang read the RTL")
ENGINE_MEMORIES = ("u_main.", "u_host.")
ENGINE_WORDS = "all words of both memories are secret, those of n and e too, and all random ones"
HANDSHAKE = ("req_ready_o", "rsp_valid_o", "load_ready_o")


def secret_ports(contract: Contract, secret: Iterable[str]) -> list[str]:
    """Return the input ports that carry the fields ``secret``."""
    chosen = set(secret)
    names = []
    for field in contract.inputs:
        if field.name in chosen and not field.carried:
            suffixes = field.encoding.suffixes
            names += [f"{field.name}_{s}_i" if s else f"{field.name}_i" for s in suffixes]
    return names


@dataclass(frozen=True)
class Surface:
    """The nets at which secrets enter a design, and the outputs whose time they must not change.

    ``assumption`` says which nets these are, where they are not the contract's ports.
    """

    secrets: list[Bit]
    outputs: list[Bit]
    assumption: str = ""


def surface(design: Design, netlist: Netlist, secret: Sequence[str]) -> Surface:
    """Return where the fields ``secret`` enter a form of a design, and its outputs with a time.

    Of a form with a bus operands enter as the registers of their words hold them: the bus brings
    commands, lengths and bits that must be zeros, too, so that the wires themselves tell nothing.
    Of form native all words do. Of an engine all words that its memories give and all random ones
    do; without a bus all words of the host, too.
    """
    if not isinstance(design, Core):
        return _engine_surface(netlist)
    if design.form == PARALLEL:
        outputs = [bit for name in HANDSHAKE for bit in netlist.outputs.get(name, [])]
        ports = secret_ports(design.contract, secret)
        return Surface([bit for port in ports for bit in netlist.inputs[port]], outputs)
    if design.form in (AXI, AXIS):
        core = design.with_form(PARALLEL).contract
        ports = secret_ports(core, secret)
        held = netlist.nets["inputs"]
        secrets = []
        for window in windows(core):
            if window.port.name in ports:
                start = 8 * (window.address - INPUTS)
                secrets += held[start : start + window.port.width]
        data = ("s_axil_rdata", "m_axis_tdata")
        outputs = [b for name, bits in netlist.outputs.items() if name not in data for b in bits]
        place = "windows" if design.form == AXI else "words"
        return Surface(secrets, outputs, f"operands are in their {place}; the bus is its master's")
    public = {f"{name}_i" for name in design.contract.public}
    words = [
        bits
        for name, bits in netlist.inputs.items()
        if len(bits) > 1 and name not in public and not name.endswith(_PLACES)
    ]
    outputs = [bits[0] for bits in netlist.outputs.values() if len(bits) == 1]
    text = "inputs of one bit and addresses are public, all words are secret"
    return Surface([bit for bits in words for bit in bits], outputs, text)


def _engine_surface(netlist: Netlist) -> Surface:
    """Return where data enter an engine; of its windows' answers only the data may follow them."""
    words = [bits for name, bits in netlist.nets.items() if name.endswith("random_i")]
    words.append(netlist.inputs.get("win_wdata_i", []))
    words += [
        cell.outputs["RD_DATA"]
        for cell in netlist.cells
        if cell.type == "$mem_v2" and any(name in cell.name for name in ENGINE_MEMORIES)
    ]
    data = ("win_rdata_o", "s_axil_rdata", "m_axis_tdata")
    outputs = [b for name, bits in netlist.outputs.items() if name not in data for b in bits]
    return Surface([bit for bits in words for bit in bits], outputs, ENGINE_WORDS)


def timing(netlist: Netlist, flow: Flow, outputs: Iterable[Bit]) -> Check:
    """Return whether ``outputs``, those of the handshake, are out of reach of the secrets."""
    for bit in flow.reached(outputs):
        path = tuple(flow.path(bit))
        return Check("timing", "refuted", f"{path[0]} reaches {path[-1]}.", GROUNDS, path=path)
    return Check("timing", "proved", "no secret reaches the handshake.", GROUNDS)


def enables(netlist: Netlist, flow: Flow) -> Check:
    """Return whether no register's enable, reset or clock hangs on a secret, and no address."""
    for cell in netlist.cells:
        if cell.is_register:
            kept = {"D", "AD"}
            said = f"the register {netlist.names.get(cell.outputs['Q'][0], cell.name)}"
        elif cell.type == "$mem_v2":
            kept = {"WR_DATA"}
            said = f"the memory {cell.name}"
        else:
            continue
        controls: list[tuple[str, Bit]] = [
            (port, bit) for port, bits in cell.inputs.items() if port not in kept for bit in bits
        ]
        for port, bit in controls:
            if flow.reached([bit]):
                path = (*flow.path(bit), said)
                message = f"{path[0]} reaches the {_PORTS.get(port, port)} of {said}."
                return Check("enables", "refuted", message, GROUNDS, path=path)
    text = "no enable, reset, clock or memory address hangs on a secret."
    return Check("enables", "proved", text, GROUNDS)


_PORTS = {
    "EN": "enable",
    "SRST": "reset",
    "ARST": "reset",
    "CLK": "clock",
    "RD_ADDR": "read address",
    "WR_ADDR": "write address",
    "RD_EN": "read enable",
    "WR_EN": "write enable",
}
