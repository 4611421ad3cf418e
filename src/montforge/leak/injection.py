# SPDX-License-Identifier: Apache-2.0
"""Single faults: one bit of one register flipped in one cycle of an operation."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass

from montforge.arch import Core
from montforge.prove.drive import NEVER, Driver, lane_mask
from montforge.prove.gates import Gates, Lanes
from montforge.verify.stimuli import average_modulus, stimuli
from montforge.work.arrays import Marks, np

WRONG, NO_EFFECT, HANG, LATE = "wrong result", "no effect", "no response", "right, wrong time"
EFFECTS = (WRONG, NO_EFFECT, HANG, LATE)
BATCH = 8192
"""Trials that are simulated side by side."""
RANKED = 5


@dataclass(frozen=True)
class Faults:
    """The effects of ``trials`` faults, each in its own operation, by one of `EFFECTS`.

    ``alarms`` are those of each effect whose response came with ``err_o``; none of a design without
    a check. ``next_wrong`` is the number of trials after which the next operation, without a fault,
    has a wrong result without ``err_o``, or no response; ``registers`` are those whose faults most
    often give a wrong result: name, trials, wrong results.
    """

    trials: int
    register_bits: int
    effects: dict[str, int]
    alarms: dict[str, int]
    next_wrong: int
    registers: tuple[tuple[str, int, int], ...]

    @property
    def escaped(self) -> int:
        """The wrong results that came without ``err_o``."""
        return self.effects[WRONG] - self.alarms[WRONG]


@dataclass(frozen=True)
class _Trial:
    register: str
    row: int
    cycle: int


def inject(design: Core, gates: Gates, *, trials: int, seed: int, deadline: float) -> Faults:
    """Flip a random register bit in a random cycle of each of ``trials`` operations.

    The cycles are those from the one after the acceptance to that of the response. Raises
    ToolFailedError at the ``deadline``.
    """
    rng = random.Random(seed)
    effects: Counter[str] = Counter(dict.fromkeys(EFFECTS, 0))
    alarms: Counter[str] = Counter(dict.fromkeys(EFFECTS, 0))
    tried: Counter[str] = Counter()
    wrong: Counter[str] = Counter()
    next_wrong = 0
    for first in range(0, trials, BATCH):
        count = min(BATCH, trials - first)
        batch, found, errors, after = _batch(design, gates, rng, count, deadline)
        effects.update(found)
        alarms.update(each for each, error in zip(found, errors, strict=True) if error)
        next_wrong += after
        tried.update(each.register for each in batch)
        wrong.update(t.register for t, effect in zip(batch, found, strict=True) if effect == WRONG)
    named = gates.named_registers
    return Faults(
        trials,
        sum(map(len, named.values())),
        dict(effects),
        dict(alarms),
        next_wrong,
        tuple((name, tried[name], many) for name, many in wrong.most_common(RANKED)),
    )


def _batch(
    design: Core, gates: Gates, rng: random.Random, count: int, deadline: float
) -> tuple[list[_Trial], list[str], Marks, int]:
    """Return trials, the effect and the error of each, how many spoil the next operation."""
    n = average_modulus(rng, design.contract.modulus)
    legal = stimuli(design.contract).average(rng, n)
    before, measured, later = ([next(legal) for _ in range(count)] for _ in range(3))
    intact = Driver(design, gates, count, n, deadline)
    intact.operate(before)
    right = intact.operate(measured)
    assert not intact.wrong(measured, right).any(), "a result without a fault is wrong"
    assert not right.errors.any(), "err_o is set without a fault"

    bits = [(name, int(row)) for name, rows in gates.named_registers.items() for row in rows]
    handover = design.contract.handover
    batch = [
        _Trial(*rng.choice(bits), rng.randint(1, int(latency) + handover + 1))
        for latency in right.latency
    ]
    faulted = Driver(design, gates, count, n, deadline)
    faulted.operate(before)
    outcome = faulted.operate(measured, disturb=_Flips(batch))
    bad = faulted.wrong(measured, outcome)
    found = [
        HANG if got == NEVER else WRONG if is_bad else LATE if got != expected else NO_EFFECT
        for got, expected, is_bad in zip(outcome.latency, right.latency, bad, strict=True)
    ]
    following = faulted.operate(later)
    wrong = faulted.wrong(later, following) & ~following.errors
    spoiled = wrong | (following.latency == NEVER)
    return batch, found, outcome.errors, int(spoiled.sum())


class _Flips:
    """Flips the bit of each trial in its lane when its cycle begins."""

    def __init__(self, batch: list[_Trial]) -> None:
        self._count = len(batch)
        self._at: dict[int, list[tuple[int, int]]] = {}
        for lane, trial in enumerate(batch):
            self._at.setdefault(trial.cycle, []).append((lane, trial.row))

    def __call__(self, cycle: int, lanes: Lanes) -> None:
        for lane, row in self._at.get(cycle, ()):
            chosen = np.zeros(self._count, dtype=bool)
            chosen[lane] = True
            lanes.values[row] ^= lane_mask(chosen)[0]
