# SPDX-License-Identifier: Apache-2.0
"""A campaign of faults in the registers and memories of a small RSA engine."""

from __future__ import annotations

import math
import random
from collections import Counter
from dataclasses import dataclass, replace

from montforge.arch.rsa.engine import Engine
from montforge.arch.rsa.key import Key
from montforge.hardware import Hardware
from montforge.verify.engine_bench import (
    BLOCKED,
    FLIP,
    STUCK_AT_0,
    STUCK_AT_1,
    WRONG,
    ZERO,
    EngineBench,
    Fault,
    Register,
)

BIT, WORD_BITS, BITS = "a bit", "two bits of a word", "two bits"
WORD, STUCK = "a word becomes 0", "a bit is stuck"
KINDS = (BIT, WORD_BITS, BITS, WORD, STUCK)
"""Kinds of faults. The two bits are anywhere, at two times; a bit is stuck until the end."""
DATAPATH, CONTROL, MEMORY = AREAS = ("datapath", "control", "memory")
CONTROLLERS = {"u_control", "u_program", "u_windows"}
AFTER = 8
"""Cycles after the end of an operation in which a fault can still come."""


def area_of(register: Register) -> str:
    """Return one of `AREAS`."""
    path = register.name.split("__DOT__")
    if CONTROLLERS & {*path}:
        return CONTROL
    return MEMORY if register.words > 1 else DATAPATH


@dataclass(frozen=True)
class Trial:
    """An operation with faults: the area of the first one, and its end after ``cycles``."""

    faults: tuple[Fault, ...]
    area: str
    outcome: int
    cycles: int
    value: int
    guard: str


@dataclass(frozen=True)
class Campaign:
    """Operations with faults, and their ends."""

    trials: list[Trial]

    def count(self, outcome: int) -> int:
        """Return the number of trials that ended with `RIGHT`, `BLOCKED`, `WRONG` or `HANG`."""
        return sum(trial.outcome == outcome for trial in self.trials)

    def guards(self) -> Counter[str]:
        """Return the number of `BLOCKED` trials by the guard that saw the fault first, or ""."""
        return Counter(trial.guard for trial in self.trials if trial.outcome == BLOCKED)

    def of(self, area: str) -> Campaign:
        """Return the trials whose first fault is in ``area``."""
        return Campaign([trial for trial in self.trials if trial.area == area])

    def factored(self, key: Key, c: int) -> int:
        """Return the number of wrong results that factor n: gcd(y^e - c, n) is p or q."""
        return sum(
            math.gcd(pow(trial.value, key.e, key.n) - c, key.n) in (key.p, key.q)
            for trial in self.trials
            if trial.outcome == WRONG
        )


def engine_for_faults() -> Engine:
    """Return the engine that faults are tried on: small, so that thousands take seconds."""
    return Engine(bits=32, window=2, eblind=0, min_bits=16)


def hardware_for_faults() -> Hardware:
    """Return the hardware of `engine_for_faults`, whose watchdog ends soon."""
    smallest = engine_for_faults().hardware
    return replace(smallest, parameters={**smallest.parameters, "WatchdogBits": 12})


def campaign(
    bench: EngineBench,
    key: Key,
    c: int,
    count: int,
    *,
    seed: int,
    kind: str = BIT,
    forced: bool = False,
) -> Campaign:
    """Do private operations of ``c`` on ``key`` in slot 0, each with a fault, from one state.

    A third of the faults is in each of `AREAS`, at random bits and cycles from ``seed``;
    ``kind`` is one of `KINDS`. Other parameters are those of `EngineBench.golden`.
    """
    y = pow(c, pow(key.e, -1, (key.p - 1) * (key.q - 1)), key.n)
    cycles = bench.golden(c, seed=seed, forced=forced).cycles
    rng = random.Random(f"{seed} {kind}")
    places: dict[str, list[Register]] = {area: [] for area in AREAS}
    for register in bench.registers():
        places[area_of(register)].append(register)

    def faults_in(area: str) -> tuple[Fault, ...]:
        sizes = [register.bits * register.words for register in places[area]]
        (register,) = rng.choices(places[area], sizes)
        return _faults(register, cycles + AFTER, kind, rng)

    trials = []
    for number in range(count):
        area = AREAS[number % len(AREAS)]
        faults = faults_in(area)
        if kind == BITS:
            faults += faults_in(AREAS[rng.randrange(len(AREAS))])
        end = bench.with_faults(faults)
        trials.append(Trial(faults, area, end.outcome(y), end.cycles, end.value, end.guard))
    return Campaign(trials)


def _faults(register: Register, cycles: int, kind: str, rng: random.Random) -> tuple[Fault, ...]:
    """Return the fault of this kind at a random word, bit and cycle of a register."""
    word, cycle = rng.randrange(register.words), rng.randrange(cycles)
    how = {WORD: ZERO, STUCK: rng.choice((STUCK_AT_0, STUCK_AT_1))}.get(kind, FLIP)
    count = 2 if kind == WORD_BITS and register.bits > 1 else 1
    bits = rng.sample(range(register.bits), count)
    return tuple(Fault(register.number, word, bit, cycle, how) for bit in bits)
