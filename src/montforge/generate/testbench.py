# SPDX-License-Identifier: Apache-2.0
"""The self-checking testbench and its vectors."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from montforge.arch import Simulated
from montforge.contract import Contract, Operation
from montforge.functions import Power, exponent_bits

ARCHITECTURE_CORNERS = 64
FEWEST_OPERATIONS = 8
CYCLES = 1 << 22
"""Cycles that a testbench may take, unless its `FEWEST_OPERATIONS` take more."""


def testbench_fields(design: Simulated, operations: int) -> dict[str, Any]:
    """Return the fields of the testbench's template for a number of ``operations``."""
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
    if contract.load is not None:
        parameters |= {"Loads": 1, "LoadMax": contract.load.cycles.maximum}
    if contract.clearing:
        parameters |= {"LoadMax": contract.clearing}  # for which a request waits as for a load
    connections = {port.name: port.name[:-2].removesuffix("_n") for port in contract.ports}
    connections |= {"clk_i": "clk", "rst_ni": "rst_n"}
    loaded = contract.load.fields if contract.load else ()
    top = request_width
    for field in contract.inputs:
        source = "load" if field.name in loaded else "request"
        for port in field.ports:
            top -= 4 * _digits(port.width)
            connections[port.name] = f"{source}[{top}+:{port.width}]"
    connections |= {
        control.port.name: f"{control.port.width}'d{control.idle}" for control in contract.controls
    }
    connections |= {port.name: "" for field in contract.results[1:] for port in field.ports}
    bottom = 0
    for port in contract.results[0].ports:
        connections[port.name] = f"result[{bottom}+:{port.width}]"
        bottom += port.width
    return {
        "load": contract.load is not None,
        "checked": bool(contract.checked),
        "request_width": request_width,
        "result_width": sum_width + carry_width,
        "parameters": parameters,
        "connections": connections,
    }


def _digits(width: int) -> int:
    """Return the hexadecimal digits of a field of ``width`` bits in a vector file."""
    return -(-width // 4)


def _value_width(contract: Contract) -> int:
    """Return the bits of a value in expected.hex: as ValueWidth of tb/mf_tb_driver.sv."""
    return max(*contract.result_encoding.widths, contract.width) + 2


def requests(design: Simulated, operations: Sequence[Operation], seed: int) -> str:
    """Return the vector file of requests: the operands as they stand at the ports."""
    contract = design.contract
    rng = random.Random(f"carry-save splits {seed}")
    widths = [port.width for port in contract.operand_ports]
    header = f"// {' '.join(port.name for port in contract.operand_ports)}"
    return _hex_file(
        header, widths, (design.encode(rng=rng, **operation) for operation in operations)
    )


def expected(design: Simulated, operations: Sequence[Operation]) -> str:
    """Return the vector file of the expected values: bound, latency, modulus, residue, value."""
    contract = design.contract
    value_width = _value_width(contract)

    def fields(operation: Operation) -> tuple[int, ...]:
        n, bound = operation["n"], contract.result_bound
        return (
            bound.multiple_for(n),
            design.cycles(**operation),
            n,
            contract.function.residue(contract.r, operation),
            design.golden(**operation) % (1 << value_width),
        )

    return _hex_file(
        "// bound latency n residue value",
        (128, 32, contract.width, contract.width, value_width),
        (fields(operation) for operation in operations),
    )


def _hex_file(header: str, widths: Sequence[int], lines: Iterable[Sequence[int]]) -> str:
    """Return a file for $readmemh: fields of ``widths`` bits, padded to digits, joined by _."""
    digits = [_digits(width) for width in widths]
    rows = ("_".join(f"{v:0{d}x}" for v, d in zip(line, digits, strict=True)) for line in lines)
    return "".join(f"{line}\n" for line in (header, *rows))


def sample_operations(design: Simulated, seed: int) -> list[Operation]:
    """Return the testbench's operations in random order: corners and random ones, all legal."""
    contract = design.contract
    rng = random.Random(f"operations {seed}")
    corners = [operation for operation in design.corners() if contract.is_legal(operation)]
    found: list[Operation] = rng.sample(corners, min(len(corners), ARCHITECTURE_CORNERS))
    for n in _moduli(contract, rng):
        found += _samples(contract, rng, n)
    unique = list({tuple(operation.values()): operation for operation in found}.values())
    rng.shuffle(unique)
    return unique[: max(FEWEST_OPERATIONS, CYCLES // contract.latency.maximum)]


def _samples(contract: Contract, rng: random.Random, n: int) -> Iterator[Operation]:
    """Yield a few legal operations under ``n``.

    Operands at the bounds, conversions and random operands; of an exponentiator a power of a random
    base, one of 0, and one with an exponent of 0.
    """
    function = contract.function
    if isinstance(function, Power):
        most = exponent_bits(contract)
        powers = (
            (rng.randrange(n), rng.getrandbits(most), most),
            (0, rng.getrandbits(most) | 1, most),
            (rng.randrange(n), 0, rng.randrange(most)),
        )
        for x, e, length in powers:
            yield {"x": x, "e": e, "e_len": length, "n": n, **function.fixed}
        return
    low, top = contract.operand_bound.lower(n), contract.operand_bound.upper(n) - 1
    r2 = contract.domain_constants(n)["r2_mod_n"]

    def value() -> int:
        return rng.randint(low, top)

    values: list[tuple[int, ...]]
    if len(function.operands) == 2:
        values = [(a,) for a in (low, 0, 1, n - 1, top, *(value() for _ in range(8)))]
    else:
        values = [(top, top), (low, top), (0, top), (1, top), (n - 1, n - 1)]
        values += [(value(), r2), (value(), 1), *((value(), value()) for _ in range(6))]
    for chosen in values:
        yield dict(zip(function.operands, (*chosen, n), strict=True))


def _moduli(contract: Contract, rng: random.Random) -> Iterator[int]:
    """Yield different legal moduli: the extremes, top bit set and clear, both residues mod 4."""
    if contract.modulus.only is not None:
        return iter((contract.modulus.only,))
    top = 1 << contract.width
    half = top >> 1
    candidates = [3, 5, top - 1, top - 3, half + 1, half + 3]
    candidates += [rng.randrange(half, top) & ~3 | low for low in (1, 3)]
    candidates += [rng.randrange(half) | 1, rng.getrandbits(contract.width // 2 + 1) | 1]
    return (n for n in dict.fromkeys(candidates) if contract.modulus.is_legal(n))
