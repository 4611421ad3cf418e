# SPDX-License-Identifier: Apache-2.0
"""Checks of the structure: which registers and outputs the secret operands can reach.

They hold for all values and in all cycles. A path in the structure need not be one in operation,
so that a design which is refuted here may still be constant in time.
"""

from __future__ import annotations

from collections.abc import Iterable

from montforge.contract import Contract
from montforge.prove.flow import Flow
from montforge.prove.netlist import Bit, Netlist
from montforge.prove.verdict import Check

GROUNDS = ("structure of the netlist", "Yosys and slang read the RTL")
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


def timing(netlist: Netlist, flow: Flow) -> Check:
    """Return whether the handshake's outputs are out of reach of the secret operands."""
    outputs = [bit for name in HANDSHAKE for bit in netlist.outputs.get(name, [])]
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
