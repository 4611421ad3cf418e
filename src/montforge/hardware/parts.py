# SPDX-License-Identifier: Apache-2.0
"""Parts of a core in RTL: the core instantiates one module name, which a wrapper binds to a design.

The wrapper has the contract's handshakes and packed data: ``a_i`` and ``b_i`` (a pair is the
carry vector above the sum vector), ``n_i``, ``constants_i`` (the part's constants side by side, the
first one lowest; one bit that is not used if there are none) and ``p_o``, packed as the operands.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from montforge.contract import Contract, Field, Port
from montforge.hardware.forms import Form
from montforge.hardware.verilog import same_names, verilog


def packed_bits(field: Field) -> int:
    """Return the bits of all vectors of a field together."""
    return sum(port.width for port in field.ports)


def constant_bits(contract: Contract) -> int:
    """Return the bits of all constants of a multiplier side by side; 0 without any."""
    return sum(packed_bits(field) for field in contract.constants_spec)


def pack_constants(contract: Contract, constants: dict[str, int]) -> int:
    """Return the constants of a multiplier side by side, the first one lowest."""
    value = at = 0
    for field in contract.constants_spec:
        value |= constants[field.name] << at
        at += packed_bits(field)
    return value


def carrier_parameters(contract: Contract) -> dict[str, int]:
    """Return the RTL parameters that say how a multiplier carries its operands and its result."""
    operand, result = contract.operand_encoding, contract.result_encoding
    return {
        "SumBits": operand.width,
        "CarryBits": operand.carry_width,
        "ResultSumBits": result.width,
        "ResultCarryBits": result.carry_width,
        "Signed": int(contract.result_bound.signed),
    }


def wrapper_text(name: str, title: str, contract: Contract, part: Form) -> str:
    """Return module ``name``, which gives a multiplier, in its parallel form, the packed ports.

    ``title`` names the part.
    """
    operand, result = packed_bits(contract.field("a")), packed_bits(contract.results[0])
    constants = constant_bits(contract)
    ports = (
        *(Port(port, "input", 1, "") for port in ("clk_i", "rst_ni", "req_valid_i")),
        Port("req_ready_o", "output", 1, ""),
        Port("a_i", "input", operand, ""),
        Port("b_i", "input", operand, ""),
        Port("n_i", "input", contract.width, ""),
        Port("constants_i", "input", max(1, constants), ""),
        Port("rsp_valid_o", "output", 1, ""),
        Port("rsp_ready_i", "input", 1, ""),
        Port("p_o", "output", result, ""),
    )
    connected = same_names(contract.ports)
    for packed, fields in (
        ("a_i", [contract.field("a")]),
        ("b_i", [contract.field("b")]),
        ("constants_i", list(contract.constants_spec)),
        ("p_o", list(contract.results)),
    ):
        inner = [port for field in fields for port in field.ports]
        at = 0
        for port in inner:
            connected[port.name] = packed if len(inner) == 1 else f"{packed}[{at}+:{port.width}]"
            at += port.width
    unused = ["n_i"] * (not contract.takes_modulus) + ["constants_i"] * (not constants)
    return verilog(
        "part.sv.in",
        title=f"{title}\n// behind the packed ports of a part.",
        name=name,
        ports=ports,
        unused=unused,
        top=part.top,
        parameters=part.parameters,
        connections=connected,
    )


def bound_text(
    name: str,
    title: str,
    contract: Contract,
    ports: Sequence[Port],
    core: Form,
    values: Mapping[str, int],
) -> str:
    """Return module ``name``: a core whose ports of some fields have literals.

    ``contract`` is that of the core, whose parallel form is ``core``, ``ports`` those that are
    left, ``values`` the literals by field name, as bit patterns. ``title`` describes the module.
    """
    literals = {
        port.name: f"{port.width}'h{values[field.name]:x}"
        for field in contract.inputs
        if field.name in values
        for port in field.ports
    }
    return verilog(
        "part.sv.in",
        title=title,
        name=name,
        ports=ports,
        unused=[],
        top=core.top,
        parameters=core.parameters,
        connections={**same_names(contract.ports), **literals},
    )


def rendered_file(name: str, text: str) -> Path:
    """Return the file of module ``name``, which is kept in the cache by its content."""
    from montforge.work.cache import cached_folder, content_hash

    def write(folder: Path) -> None:
        (folder / f"{name}.sv").write_text(text, encoding="utf-8")

    return cached_folder("rtl", content_hash(text), write) / f"{name}.sv"
