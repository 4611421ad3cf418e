# SPDX-License-Identifier: Apache-2.0
"""A response stays as it is until it is taken: one cycle, in the states that can be reached."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator, Sequence
from itertools import islice

from montforge.arch import Core
from montforge.contract import Bound, Contract
from montforge.hardware import Hardware
from montforge.prove.flow import Flow
from montforge.prove.handshake import (
    REQUEST,
    TAKEN,
    VALID,
    constant_registers,
    has_fixed_cycles,
)
from montforge.prove.netlist import Netlist
from montforge.prove.solver import asserting, satisfiable, solver_version
from montforge.prove.terms import Bits, Frame, Term
from montforge.prove.verdict import Check

GROUNDS = (
    "bitwuzla decides one cycle",
    "registers that no data reach have their values from all states of the handshake's logic",
    "Yosys and slang read the RTL",
)
RUNS, WATCHED = 2, 3
"""Operations that are tried where one cycle does not decide, and cycles of each response."""


def hold(
    design: Core, hardware: Hardware, netlist: Netlist, *, secret: Sequence[str], timeout: float
) -> Check:
    """Return whether the results stay while `rsp_valid_o` is set and `rsp_ready_i` is not.

    ``secret`` are the ports of the operands. Where a state breaks it that may be out of reach,
    operations are run from reset: the verdict is refuted if one of these breaks it, else unknown.
    Raises ProofError, ToolFailedError, ToolMissingError.
    """
    solver_version()
    known = _known(design, hardware, netlist, secret, timeout)
    bits = Bits()
    now = Frame(bits, netlist, "now")
    then = now.following("then")
    given = [now.net(VALID), bits.make("BV_NOT", now.net(TAKEN))]
    given += [
        now.word([bit]) if known[name] else bits.make("BV_NOT", now.word([bit]))
        for bit, name in netlist.names.items()
        if name in known
    ]
    asserted = [bits.is_set(each) for each in given]
    changed = [
        bits.make("DISTINCT", now.net(port.name), then.net(port.name))
        for port in design.contract.result_ports
    ]
    answer = satisfiable(bits, [*asserted, _any(bits, changed)], timeout)
    if answer is False:
        return Check("hold", "proved", "the result stays until it is taken.", GROUNDS)
    if answer is None:
        return Check("hold", "unknown", f"the time limit of {timeout:g} s.", GROUNDS)
    return _tried(design, netlist, timeout)


def _any(bits: Bits, truths: Sequence[Term]) -> Term:
    return bits.make("OR", *truths) if len(truths) > 1 else truths[0]


def _known(
    design: Core, hardware: Hardware, netlist: Netlist, secret: Sequence[str], timeout: float
) -> dict[str, int]:
    """Return the values of registers that no data reach in states with a valid response."""
    if not has_fixed_cycles(design.contract):
        return {}
    flow = Flow(netlist, [bit for port in secret for bit in netlist.inputs[port]])
    words = [cell.outputs["Q"] for cell in netlist.registers]
    free = {bit for word in words if not flow.reached(word) for bit in word}
    names = [
        name
        for name, nets in netlist.nets.items()
        if set(nets) <= free and not name.startswith("$")
    ]
    return constant_registers(hardware, design.contract, names, timeout=timeout)


def _tried(design: Core, netlist: Netlist, timeout: float) -> Check:
    """Return refuted if an operation from reset breaks it, and unknown if none does."""
    contract = design.contract
    end = time.monotonic() + timeout
    if contract.latency.is_fixed:
        cycles = contract.latency.minimum + contract.handover + 1
        for operation in islice(_operations(contract, random.Random(1)), RUNS):
            names = [port.name for port in contract.operand_ports]
            ports = dict(zip(names, design.encode(rng=None, **operation), strict=True))
            if _changes(contract, netlist, ports, cycles, end):
                text = "the result of an operation changes while it waits."
                return Check("hold", "refuted", text, GROUNDS, witness=operation)
    text = "a state breaks it that may be out of reach; no operation from reset does."
    return Check("hold", "unknown", text, GROUNDS)


def _operations(contract: Contract, rng: random.Random) -> Iterator[dict[str, int]]:
    """Yield legal operations with random operands."""
    while True:
        n = rng.getrandbits(contract.width) | 1 | 1 << contract.width - 1
        values = {
            field.name: rng.randrange(field.bound.lower(n), field.bound.upper(n))
            for field in contract.inputs
            if isinstance(field.bound, Bound)
        }
        operation = {"n": contract.modulus.only or n, **values}
        if contract.is_legal(operation):
            yield operation


def _changes(
    contract: Contract, netlist: Netlist, ports: dict[str, int], cycles: int, end: float
) -> bool:
    """Return whether a result changes in the cycles after its first one, if it is not taken."""
    bits = Bits()
    simple = asserting(bits, (), 1.0).simplify_term
    inputs = {name: bits.value(len(netlist.inputs[name]), value) for name, value in ports.items()}
    inputs |= {REQUEST: bits.value(1, 1), TAKEN: bits.value(1, 0)}
    start = Frame(bits, netlist, "reset").reset_registers()
    registers = {
        cell.name: start.get(cell.name, bits.value(len(cell.outputs["Q"]), 0))
        for cell in netlist.registers
    }
    seen = set()
    for cycle in range(cycles + WATCHED):
        frame = Frame(bits, netlist, "run", registers, inputs=inputs)
        if cycle >= cycles:
            results = (frame.net(port.name) for port in contract.result_ports)
            seen.add(tuple(simple(each).value(2) for each in results))
        if time.monotonic() > end:
            return False
        registers = {name: simple(term) for name, term in frame.next_registers().items()}
    return len(seen) > 1
