# SPDX-License-Identifier: Apache-2.0
"""The assertions of ``rtl/props``, bound to a design: for the bench, linters and formal tools.

Those of every core with contract ports (handshakes, ranges) follow from the contract. Those of a
module's inside stand in ``rtl/props/bind``, in a file of the module's name.
"""

from __future__ import annotations

import re
from pathlib import Path

from montforge.arch import Simulated
from montforge.contract import Bound, Contract, Field
from montforge.hardware.hardware import rtl_root
from montforge.hardware.verilog import instance

BINDING = re.compile(r"^bind \w+\s+(\w+)", re.MULTILINE)


def property_files(design: Simulated) -> tuple[Path, ...]:
    """Return the property modules that are bound to ``design``, and the files that bind them."""
    root = rtl_root() / "props"
    names = [root / "bind" / path.name for path in design.hardware.files]
    bindings = [path for path in names if path.is_file()]
    texts = [contract_properties(design), *(path.read_text() for path in bindings)]
    modules = {name for text in texts for name in BINDING.findall(text)}
    return (*(root / f"{name}.sv" for name in sorted(modules)), *bindings)


def contract_properties(design: Simulated, *, results: bool = True) -> str:
    """Return SystemVerilog that binds the properties of the contract to the top module.

    Without ``results`` the ranges of results are left out, which the bench compares by itself.
    """
    contract, top = design.contract, design.hardware.top
    vectors = [port.name for port in contract.result_ports]
    patience = contract.latency.maximum + contract.handover + contract.interval.maximum
    patience += contract.clearing
    width = sum(port.width for port in contract.result_ports)
    bindings = [
        _binding(
            top,
            "mf_handshake_props",
            "u_handshake_props",
            {"ResultW": width, "Patience": patience},
            {
                "req_valid_i": "req_valid_i",
                "req_ready_i": "req_ready_o",
                "rsp_valid_i": "rsp_valid_o",
                "rsp_ready_i": "rsp_ready_i",
                "result_i": f"{{{', '.join(vectors)}}}",
            },
        )
    ]
    if contract.checked:
        ports = {"rsp_valid_i": "rsp_valid_o", "error_i": "err_o"}
        bindings.append(_binding(top, "mf_error_props", "u_error_props", {}, ports))
    # A loaded modulus is not on its port when the operands are.
    if contract.takes_modulus and not contract.modulus.even and contract.load is None:
        bindings += [
            _range(contract, top, field)
            for field in contract.inputs
            if isinstance(field.bound, Bound)
        ]
        # One modulus is kept, which must be that of the response.
        alone = contract.interval.minimum > contract.latency.minimum + contract.handover
        if results and alone:
            bindings.append(_range(contract, top, contract.results[0]))
    return "\n".join(["// Follows from the contract; see rtl/props.", *bindings])


def _range(contract: Contract, top: str, field: Field) -> str:
    bound = field.bound
    assert isinstance(bound, Bound)
    value, *carry = field.ports
    return _binding(
        top,
        "mf_range_props",
        f"u_{field.name}_range_props",
        {
            "ValueW": value.width,
            "CarryW": carry[0].width if carry else 1,
            "ModulusW": contract.width,
            "Signed": int(field.encoding.signed),
            "Input": int(field.role != "result"),
            "Multiple": bound.largest,
        },
        {
            "sample_i": "req_valid_i && req_ready_o",
            "check_i": "rsp_valid_o",
            "value_i": value.name,
            "carry_i": carry[0].name if carry else "1'b0",
            "modulus_i": "n_i",
        },
    )


def _binding(
    target: str, module: str, name: str, parameters: dict[str, int], ports: dict[str, str]
) -> str:
    ports = {"clk_i": "clk_i", "rst_ni": "rst_ni", **ports}
    return f"bind {target}\n{instance(module, parameters, name, ports)}"
