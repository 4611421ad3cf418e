# SPDX-License-Identifier: Apache-2.0
"""A response stays as it is until it is taken: by induction over a few cycles, from reset on."""

from __future__ import annotations

import random
import time
from collections.abc import Mapping, Sequence
from itertools import pairwise

from montforge.arch import Core
from montforge.hardware import Hardware
from montforge.prove.drive import NEVER, Driver
from montforge.prove.flow import Flow
from montforge.prove.gates import Gates
from montforge.prove.handshake import (
    TAKEN,
    VALID,
    Waits,
    constant_registers,
    has_fixed_cycles,
)
from montforge.prove.netlist import Netlist
from montforge.prove.solver import satisfiable, solver_version
from montforge.prove.terms import Bits, Frame, Term
from montforge.prove.verdict import Check
from montforge.verify.stimuli import average_modulus, stimuli

GROUNDS = (
    "bitwuzla decides induction over up to 3 cycles, and the first ones after reset",
    "registers that no data reach have their values from all states of the handshake's logic",
    "Yosys and slang read the RTL",
)
MOST_BEFORE = 3
"""Cycles before the one that is decided, in which no waiting response changed."""
TRIED, WATCHED = 64, 3
"""Operations that are tried where induction does not decide, and cycles of each response."""


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
    results = [port.name for port in design.contract.result_ports]
    for before in range(MOST_BEFORE + 1):
        changes = [
            _can_change(netlist, results, known, before, at_reset=at_reset, timeout=timeout)
            for at_reset in (False, True)
        ]
        if None in changes:
            return Check("hold", "unknown", f"the time limit of {timeout:g} s.", GROUNDS)
        if changes[1]:
            break
        if not changes[0]:
            return Check("hold", "proved", "the result stays until it is taken.", GROUNDS)
    return _tried(design, hardware, timeout)


def _can_change(
    netlist: Netlist,
    results: Sequence[str],
    known: Mapping[str, int],
    before: int,
    *,
    at_reset: bool,
    timeout: float,
) -> bool | None:
    """Return whether a waiting response can change after ``before`` cycles in which none did.

    The first of these cycles is the one after reset, or any in which the registers ``known`` have
    their values if a response is valid. None at the time limit.
    """
    bits = Bits()
    first = Frame(bits, netlist, "0")
    frames = [Frame(bits, netlist, "0", first.reset_registers()) if at_reset else first]
    for cycle in range(before + 1):
        frames.append(frames[-1].following(str(cycle + 1)))
    stays = [
        _implies(
            bits,
            [bits.is_set(now.net(VALID)), bits.make("NOT", bits.is_set(now.net(TAKEN)))],
            [bits.make("EQUAL", now.net(name), then.net(name)) for name in results],
        )
        for now, then in pairwise(frames)
    ]
    has_values = [
        _implies(
            bits,
            [bits.is_set(frame.net(VALID))],
            [
                bits.make("EQUAL", frame.word([bit]), bits.value(1, known[name]))
                for bit, name in netlist.names.items()
                if name in known
            ],
        )
        for frame in frames[:-1]
        if known
    ]
    *earlier, last = stays
    return satisfiable(bits, [*earlier, *has_values, bits.make("NOT", last)], timeout)


def _implies(bits: Bits, given: Sequence[Term], shown: Sequence[Term]) -> Term:
    def all_of(truths: Sequence[Term]) -> Term:
        return bits.make("AND", *truths) if len(truths) > 1 else truths[0]

    return bits.make("IMPLIES", all_of(given), all_of(shown))


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
    waits = Waits.of(design)
    return constant_registers(hardware, design.contract, names, waits=waits, timeout=timeout)


def _tried(design: Core, hardware: Hardware, timeout: float) -> Check:
    """Return refuted if the result of an operation from reset changes, and unknown if none does."""
    rng = random.Random(1)
    n = average_modulus(rng, design.contract.modulus)
    gates = Gates(hardware, timeout=timeout)
    driver = Driver(design, gates, TRIED, n, time.monotonic() + timeout)
    legal = stimuli(design.contract).average(rng, n)
    operations = [next(legal) for _ in range(TRIED)]
    driver.lanes.put(TAKEN, driver.lanes.all * 0)
    outcome = driver.operate(operations)
    for _ in range(WATCHED):
        for at, result in enumerate(driver.results()):
            if outcome.latency[at] != NEVER and result != outcome.results[at]:
                text = "the result of an operation changes while it waits."
                return Check("hold", "refuted", text, GROUNDS, witness={**operations[at], "n": n})
    text = "a state breaks it that may be out of reach; no operation from reset does."
    return Check("hold", "unknown", text, GROUNDS)
