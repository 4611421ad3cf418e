# SPDX-License-Identifier: Apache-2.0
"""Parameter ``clear`` of any core: a module that overwrites its registers when it is idle."""

from __future__ import annotations

from collections.abc import Sequence

from montforge.contract import Contract
from montforge.hardware.forms import HANDSHAKE, Form
from montforge.hardware.verilog import same_names, verilog

CLEAR_FILES = ("prim/mf_clear.sv",)


def clear_text(
    name: str,
    title: str,
    contract: Contract,
    core: Form,
    *,
    values: Sequence[int],
    operations: int,
    places: int,
    idle: int,
) -> str:
    """Return module ``name``: a core of this contract with `mf_clear` before it.

    ``title`` names the core, whose parallel form is ``core``. After ``idle`` cycles without work it
    does ``operations`` on ``values``, the bit patterns of the contract's `operand_ports`.
    ``places`` operations can be under way.
    """
    ports = contract.operand_ports
    constants = at = 0
    taken = {}
    for port, value in zip(ports, values, strict=True):
        constants |= value << at
        taken[port.name] = f"inputs[{at}+:{port.width}]"
        at += port.width
    facing = {port: f"core_{port.rpartition('_')[0]}" for port in HANDSHAKE}
    toward = {
        f"core_{port[:-1]}{'o' if port.endswith('i') else 'i'}": net for port, net in facing.items()
    }
    controls = {
        each.port.name: f"passing ? {each.port.name} : {each.port.width}'d{each.idle}"
        for each in contract.controls
    }
    joined = ", ".join(port.name for port in reversed(ports))
    return verilog(
        "clear.sv.in",
        title=title,
        name=name,
        ports=contract.ports,
        controls=controls,
        parameters={
            "Idle": idle,
            "Operations": operations,
            "InFlight": places,
            "InputW": at,
            "Constants": f"{at}'h{constants:x}",
        },
        connections={
            **same_names(port for port in contract.ports[:2]),
            **{port: port for port in HANDSHAKE},
            "inputs_i": f"{{{joined}}}",
            "passing_o": "passing",
            "core_rst_no": "core_rst_n",
            **toward,
            "core_inputs_o": "inputs",
        },
        top=core.top,
        core_parameters=core.parameters,
        core_connections={
            **same_names(contract.ports),
            **facing,
            **taken,
            **controls,
            "rst_ni": "core_rst_n",
        },
    )
