# SPDX-License-Identifier: Apache-2.0
"""Experiments on the activity of a core: two classes of operations, and where they differ.

Activity is the number of toggles between two cycles, of the bits of each register or of all nets
with their fan-out as a weight. It has no glitches, no coupling and no wires: it bounds neither the
leakage of a chip nor its safety.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from montforge.arch import Core
from montforge.contract import Operation
from montforge.functions import Power, exponent_bits
from montforge.leak.statistics import Classes, threshold, traces_needed
from montforge.prove.drive import NEVER, Driver
from montforge.prove.gates import Gates, Lanes, unpack
from montforge.verify.stimuli import average_modulus, stimuli
from montforge.work.arrays import Marks, Octets, Reals, Words, np

Model = Literal["registers", "nets"]
ALL = "all"
"""The sum of all registers, or of all nets: what a probe beside the chip would see."""
OPERANDS = ("operand", "message", "exponent")
RANKED = 5

Change = Callable[[Operation], Operation]


@dataclass(frozen=True)
class Experiment:
    """Two classes of operations: random ones, and the same after ``change``."""

    name: str
    change: Change


@dataclass(frozen=True)
class Place:
    """A register (or `ALL`) and a cycle after the acceptance at which the classes differ by t."""

    register: str
    cycle: int
    t: float


@dataclass(frozen=True)
class Finding:
    """The outcome of an experiment.

    ``t`` is the largest \\|t\\| of a register in a cycle, ``limit`` the threshold for the number of
    them, ``above`` the number of cycles (of ``cycles``) in which some register is above it;
    ``latency_t`` that of the latency, ``latency`` its range; ``noisy_t`` is the largest of the sum
    of all with noise, ``traces`` the number at which that would reach its own limit; ``places`` the
    registers with the largest t, each at its worst cycle.
    """

    experiment: str
    t: float
    limit: float
    above: int
    cycles: int
    latency_t: float
    latency: tuple[int, int]
    noisy_t: float
    traces: int | None
    places: tuple[Place, ...]

    @property
    def differs(self) -> bool:
        """Whether the classes can be told apart without noise."""
        return self.t > self.limit or abs(self.latency_t) > self.limit


NULL = Experiment("random / random", lambda operation: operation)


def experiments(design: Core, rng: random.Random, n: int) -> Iterator[Experiment]:
    """Yield the experiments on a core: the null test, each operand fixed, and special operands."""
    yield NULL
    contract = design.contract
    secret = [f for f in contract.inputs if f.role in OPERANDS and f.name not in contract.public]
    names = [field.name for field in secret if field.name not in contract.function.fixed]
    fixed = next(stimuli(contract).average(rng, n))
    for name in names:
        yield Experiment(f"{name} fixed / random", _fixing({name: fixed[name]}))
    if isinstance(contract.function, Power):
        if "e" in names:
            one = 1 << exponent_bits(contract) - 1
            yield Experiment("e with a single 1 / random", _fixing({"e": one}))
        return
    if len(names) == 2:
        first, second = names
        yield Experiment("square / multiply", lambda each: {**each, second: each[first]})
    yield Experiment(f"{names[0]} = 1 / random", _fixing({names[0]: 1}))


def _fixing(values: Operation) -> Change:
    return lambda operation: {**operation, **values}


def run_experiment(
    design: Core,
    gates: Gates,
    experiment: Experiment,
    *,
    model: Model,
    samples: int,
    noise: float,
    seed: int,
    deadline: float,
) -> Finding:
    """Measure ``samples`` operations, every second of them changed, each after a random one."""
    rng = random.Random(f"{seed} {experiment.name}")
    n = average_modulus(random.Random(seed), design.contract.modulus)
    driver = Driver(design, gates, samples, n, deadline)
    legal = stimuli(design.contract).average(rng, n)
    driver.operate([next(legal) for _ in range(samples)])
    changed = np.arange(samples) % 2 == 1
    operations = [
        experiment.change(each) if second else each
        for each, second in zip((next(legal) for _ in range(samples)), changed, strict=True)
    ]
    recorder = Recorder(gates, model, samples, changed)
    outcome = driver.operate(operations, observe=recorder)
    wrong = driver.wrong(operations, outcome)
    assert not wrong.any() and not (outcome.latency == NEVER).any(), "a product is wrong"
    return recorder.finding(experiment.name, outcome.latency.astype(np.float64), noise)


class Recorder:
    """Collects the moments of the toggles of each register, cycle by cycle."""

    def __init__(self, gates: Gates, model: Model, count: int, second: Marks) -> None:
        self._count, self._classes = count, Classes(second)
        self._latest: Words | None = None
        self._moments: list[tuple[Reals, Reals]] = []
        named = gates.named_registers if model == "registers" else {}
        self._names = [ALL, *named]
        self._rows = np.concatenate([*named.values()]) if named else np.arange(2, gates.nets)
        self._starts = np.cumsum([0, *map(len, named.values())])[:-1]
        self._weights = gates.fanout[2:]

    def __call__(self, cycle: int, lanes: Lanes) -> None:
        """Take the settled nets of a cycle."""
        values = lanes.values.take(self._rows, axis=0)
        if self._latest is not None:
            toggles = self._sums(unpack(values ^ self._latest, self._count))
            self._moments.append(self._classes.moments(toggles))
        self._latest = values

    def _sums(self, toggles: Octets) -> Reals:
        """Return the activity of all, and with the model ``registers`` that of each."""
        if len(self._starts) == 0:
            return (self._weights @ toggles.astype(np.float32))[None].astype(np.float64)
        each = np.add.reduceat(toggles, self._starts, axis=0, dtype=np.float64)
        return np.concatenate([each.sum(axis=0, keepdims=True), each])

    @cached_property
    def t(self) -> Reals:
        """Welch's t: a row a cycle after the first one, a column a register, that of all first."""
        return np.array([self._classes.welch(*each) for each in self._moments])

    @property
    def above(self) -> list[bool]:
        """Whether some register is above the limit, of each cycle after the first one."""
        limit = threshold(self.t.size)
        return [bool((np.abs(cycle) > limit).any()) for cycle in self.t]

    def finding(self, name: str, latency: Reals, noise: float) -> Finding:
        """Return what the moments tell, with the ``latency`` of each operation in cycles."""
        t = self.t
        size = np.abs(t)
        limit = threshold(t.size)
        variances = np.array([variance[0] for _, variance in self._moments])
        added = noise**2 * float(variances.mean())
        noisy = max(
            abs(float(self._classes.welch(means[:1], variance[:1] + added)[0]))
            for means, variance in self._moments
        )
        own = threshold(len(self._moments))
        worst = size.argmax(axis=0)
        ranked = sorted(range(len(self._names)), key=lambda at: -size[worst[at], at])
        places = [
            Place(self._names[at], int(worst[at]) + 1, round(float(t[worst[at], at]), 1))
            for at in ranked[:RANKED]
        ]
        return Finding(
            name,
            round(float(size.max()), 1),
            round(limit, 2),
            sum(self.above),
            len(t),
            round(float(self._classes.t(latency[None])[0]), 1) if np.ptp(latency) else 0.0,
            (int(latency.min()), int(latency.max())),
            round(noisy, 1),
            traces_needed(noisy, self._count, own) if noisy > own else None,
            tuple(places),
        )
