# SPDX-License-Identifier: Apache-2.0
"""Checks by simulation of the gates: every operation of a small width, and data that stay.

The first is a proof at its own width, since no operation is left out; the second is a measurement,
which can refute and never prove.
"""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from itertools import product

from montforge.arch import Core
from montforge.contract import Operation
from montforge.hardware import Hardware
from montforge.prove.drive import Driver
from montforge.prove.gates import Gates, unpack
from montforge.prove.verdict import Check
from montforge.verify.stimuli import average_modulus, stimuli

MOST_OPERATIONS = 2_000_000
LANES = 1 << 16
"""Operations that are simulated side by side."""
RESIDUE_LANES = 512
GROUNDS = ("simulation of the gates that Yosys makes of the RTL",)


def exhaustive(design: Core, hardware: Hardware, timeout: float) -> Check:
    """Return whether every legal operation, each once after reset, has the contract's result.

    A carry-save operand is tried in one split. Raises ToolFailedError after ``timeout`` seconds.
    """
    tried = stimuli(design.contract)
    rule = design.contract.modulus
    moduli = [rule.only] if rule.only is not None else range(rule.minimum, 1 << design.width)
    legal = [n for n in moduli if n is not None and rule.is_legal(n)] if _is_small(design) else []
    count = sum(tried.choices(n) for n in legal)
    if not 0 < count <= MOST_OPERATIONS:
        text = f"{design.width} bits have more than {MOST_OPERATIONS:,} legal operations."
        return Check("exhaustive", "unknown", text, GROUNDS)
    gates = Gates(hardware, timeout=timeout)
    deadline = time.monotonic() + timeout
    done = 0
    for n in legal:
        for batch in _batches(design, n):
            driver = Driver(design, gates, len(batch), n, deadline)
            outcome = driver.operate(batch)
            bad = driver.wrong(batch, outcome) | outcome.errors
            if design.contract.latency.is_fixed:
                bad |= outcome.latency != design.contract.latency.minimum
            if bad.any():
                witness = {**batch[int(bad.argmax())], "n": n}
                return Check("exhaustive", "refuted", _words(witness), GROUNDS, witness=witness)
            done += len(batch)
    timely = " in time" if design.contract.latency.is_fixed else ""
    text = f"all {done:,} legal operations have a right result{timely}, each after a reset."
    return Check("exhaustive", "proved", text, GROUNDS, ("carry-save operands in one split",))


def _words(witness: Operation) -> str:
    values = ", ".join(f"{name} = {value}" for name, value in witness.items())
    return f"{values} has a wrong result or latency, or err_o."


def _is_small(design: Core) -> bool:
    return design.width < MOST_OPERATIONS.bit_length()


def _batches(design: Core, n: int) -> Iterator[list[Operation]]:
    """Yield all legal operations under ``n``, at most `LANES` at a time."""
    batch: list[Operation] = []
    for parts in product(*stimuli(design.contract).axes(n)):
        operation = {name: value for part in parts for name, value in part.items()} | {"n": n}
        if design.contract.is_legal(operation):
            batch.append(operation)
        if len(batch) == LANES:
            yield batch
            batch = []
    if batch:
        yield batch


def residue(
    design: Core, hardware: Hardware, timeout: float, seed: int = 1, idle: int | None = None
) -> Check:
    """Return whether registers keep data after a result was taken and ``idle`` cycles passed.

    By default these are a latency.

    512 random operations under one modulus run side by side; a register that then differs between
    them keeps data. Raises ToolFailedError after ``timeout`` seconds.
    """
    rng = random.Random(seed)
    n = average_modulus(rng, design.contract.modulus)
    gates = Gates(hardware, timeout=timeout)
    driver = Driver(design, gates, RESIDUE_LANES, n, time.monotonic() + timeout)
    legal = stimuli(design.contract).average(rng, n)
    driver.operate([next(legal) for _ in range(RESIDUE_LANES)])
    driver.idle(idle or design.contract.latency.maximum + design.contract.handover + 2)
    kept, bits = {}, 0
    for name, rows in gates.named_registers.items():
        states = unpack(driver.lanes.values[rows], RESIDUE_LANES)
        bits += len(rows)
        if differing := int((states != states[:, :1]).any(axis=1).sum()):
            kept[name] = differing
    if not kept:
        text = f"none of {bits} register bits differs between {RESIDUE_LANES} operations."
        return Check("residue", "unknown", f"{text} A measurement is no proof.", GROUNDS)
    names = ", ".join(f"{name} {count}" for name, count in kept.items())
    text = f"{sum(kept.values())} of {bits} register bits keep data: {names}."
    return Check("residue", "refuted", text, GROUNDS, witness=kept)
