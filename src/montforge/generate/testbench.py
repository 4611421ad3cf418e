# SPDX-License-Identifier: Apache-2.0
"""The self-checking testbench and its vectors."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Sequence

from montforge.arch.base import Design, Operation
from montforge.contract import Contract
from montforge.errors import OperandError
from montforge.generate.text import bindings, literal

ARCHITECTURE_CORNERS = 64
RANDOM_OPERATIONS = 6


def testbench_fields(design: Design, operations: int) -> dict[str, str]:
    """Return the fields of the template of the testbench for so many ``operations``."""
    contract = design.contract
    result, ports = contract.result_encoding, contract.operand_ports
    sum_width, carry_width = result.width, result.carry_width
    request_width = 4 * sum(_digits(port.width) for port in ports)
    parameters = {
        "Operations": operations,
        "RequestWidth": request_width,
        "ModulusWidth": contract.width,
        "SumWidth": sum_width,
        "CarryWidth": carry_width,
        "ResultSigned": int(result.signed),
        "LatencyFixed": int(contract.latency.is_fixed),
        "LatencyMin": contract.latency.minimum,
        "LatencyMax": contract.latency.maximum,
        "Handover": contract.handover,
        "IntervalMin": contract.interval.minimum,
        "IntervalMax": contract.interval.maximum,
    }
    connections = {port.name: port.name[:-2].removesuffix("_n") for port in contract.ports}
    connections |= {"clk_i": "clk", "rst_ni": "rst_n"}
    top = request_width
    for port in ports:
        top -= 4 * _digits(port.width)
        connections[port.name] = f"request[{top}+:{port.width}]"
    bottom = 0
    for port in contract.result_ports:
        connections[port.name] = f"result[{bottom}+:{port.width}]"
        bottom += port.width
    return {
        "request_width": str(request_width),
        "result_width": str(sum_width + carry_width),
        "parameters": bindings((key, literal(value)) for key, value in parameters.items()),
        "connections": bindings(connections.items()),
    }


def _digits(width: int) -> int:
    """Return how many hexadecimal digits a field of ``width`` bits takes in a vector file."""
    return -(-width // 4)


def _value_width(contract: Contract) -> int:
    """Return the bits of a value in expected.hex: as ValueWidth of tb/mf_tb_driver.sv."""
    return max(*contract.result_encoding.widths, contract.width) + 2


def requests(design: Design, operations: Sequence[Operation], seed: int) -> str:
    """Return the vector file of requests: the operands as they stand at the ports."""
    contract = design.contract
    rng = random.Random(f"carry-save splits {seed}")
    widths = [port.width for port in contract.operand_ports]
    header = f"// {' '.join(port.name for port in contract.operand_ports)}"
    return _hex_file(
        header, widths, (contract.encode_operands(a, b, n, rng) for a, b, n in operations)
    )


def expected(design: Design, operations: Sequence[Operation]) -> str:
    """Return the vector file of what is expected: bound, latency, modulus, residue, value."""
    contract = design.contract
    value_width = _value_width(contract)

    def fields(a: int, b: int, n: int) -> tuple[int, ...]:
        return (
            contract.result_bound.multiple_for(n),
            design.cycles(a, b, n),
            n,
            contract.product(a, b, n),
            design.golden(a, b, n) % (1 << value_width),
        )

    return _hex_file(
        "// bound latency n residue value",
        (16, 32, contract.width, contract.width, value_width),
        (fields(*operation) for operation in operations),
    )


def _hex_file(header: str, widths: Sequence[int], lines: Iterable[Sequence[int]]) -> str:
    """Return a file for $readmemh: fields of ``widths`` bits, padded to digits, joined by _."""
    digits = [_digits(width) for width in widths]
    text = [header]
    for line in lines:
        text.append("_".join(f"{v:0{d}x}" for v, d in zip(line, digits, strict=True)))
    return "\n".join(text) + "\n"


def sample_operations(design: Design, seed: int) -> list[Operation]:
    """Return the testbench's operations in random order: corners and random ones, all legal."""
    contract = design.contract
    rng = random.Random(f"operations {seed}")
    corners = list(design.corners())
    found = rng.sample(corners, min(len(corners), ARCHITECTURE_CORNERS))
    for n in _moduli(contract, rng):
        low, top = contract.operand_bound.lower(n), contract.operand_bound.upper(n) - 1
        r2 = contract.domain_constants(n)["r2_mod_n"]
        found += [(top, top, n), (low, top, n), (0, top, n), (1, top, n), (n - 1, n - 1, n)]
        found += [(rng.randint(low, top), r2, n), (rng.randint(low, top), 1, n)]
        for _ in range(RANDOM_OPERATIONS):
            found.append((rng.randint(low, top), rng.randint(low, top), n))
    unique = list(dict.fromkeys(found))
    rng.shuffle(unique)
    return unique


def _moduli(contract: Contract, rng: random.Random) -> Iterator[int]:
    """Yield different legal moduli: the extremes, top bit set and clear, both residues mod 4."""
    top = 1 << contract.width
    half = top >> 1
    candidates = [3, 5, top - 1, top - 3, half + 1, half + 3]
    candidates += [rng.randrange(half, top) & ~3 | low for low in (1, 3)]
    candidates += [rng.randrange(half) | 1, rng.getrandbits(contract.width // 2 + 1) | 1]
    return (n for n in dict.fromkeys(candidates) if is_legal(contract, n))


def is_legal(contract: Contract, n: int) -> bool:
    """Return whether ``n`` is a legal modulus."""
    try:
        contract.modulus.check(n)
    except OperandError:
        return False
    return True
