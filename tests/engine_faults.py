# SPDX-License-Identifier: Apache-2.0
"""An engine with faults in its registers, and a campaign of faults in a small one."""

from __future__ import annotations

import math
import random
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import astuple, dataclass, replace
from pathlib import Path

from montforge.arch.rsa.engine import Engine
from montforge.arch.rsa.key import Key
from montforge.arch.rsa.model import Error
from montforge.hardware import Hardware
from montforge.verify.bench import compiled
from montforge.verify.engine_bench import CLOCKS_HEADER, SOURCE, EngineBench, clocks_header

FAULT_SOURCE = Path(__file__).with_name("fault_bench.cpp")
_WORD = r"(?:CData|SData|IData|QData|VlWide<\d+>)/\*(\d+):0\*/"
REGISTER = re.compile(rf"^\s*{_WORD} (mf_rsa\w+_q);", re.M)
ARRAY = re.compile(rf"^\s*VlUnpacked<{_WORD}, (\d+)> (mf_rsa\w+_q);", re.M)
VISIBLE = """`verilator_config
public_flat_rw -module "*" -var "*_q"
public_flat_rd -module "mf_engine_guard" -var "seen"
"""
"""Options that make registers, and the inputs of the guards, visible."""
GUARDS = ("Integrity", "Copies", "Step", "Program", "Check", "Outcome", "Wipe", "Deadline")
"""Tags of the guards, in the order of mf_engine_pkg::guard_e."""
RIGHT, BLOCKED, WRONG, HANG = range(4)
"""Ends of an operation with a fault: y; an error; another y is released; none within the limit."""
CAMPAIGN_LIMIT = 1 << 17
FLIP, ZERO, STUCK_AT_0, STUCK_AT_1 = range(4)
BIT, WORD_BITS, BITS = "a bit", "two bits of a word", "two bits"
WORD, STUCK = "a word becomes 0", "a bit is stuck"
KINDS = (BIT, WORD_BITS, BITS, WORD, STUCK)
"""Kinds of faults. The two bits are anywhere, at two times; a bit is stuck until the end."""
DATAPATH, CONTROL, MEMORY = AREAS = ("datapath", "control", "memory")
CONTROLLERS = {"u_control", "u_program", "u_windows"}
AFTER = 8
"""Cycles after the end of an operation in which a fault can still come."""


@dataclass(frozen=True)
class Register:
    """A register or memory of the RTL: ``words`` of ``bits`` each."""

    number: int
    name: str
    bits: int
    words: int


@dataclass(frozen=True)
class Fault:
    """``how``: FLIP, ZERO, STUCK_AT_0 or STUCK_AT_1, after ``cycle`` cycles of the operation."""

    register: int
    word: int
    bit: int
    cycle: int
    how: int


@dataclass(frozen=True)
class End:
    """The host's view of an operation: ``value`` is read as its result, unless ``refused``.

    ``seen``: bits of `GUARDS`, of the first cycle in which one of them saw a fault.
    """

    busy: bool
    error: int
    refused: bool
    cycles: int
    value: int
    seen: int = 0

    @property
    def guard(self) -> str:
        """The tag of the guard that saw the fault first, the first of them in a cycle, or ""."""
        return next((tag for i, tag in enumerate(GUARDS) if self.seen >> i & 1), "")

    def outcome(self, y: int) -> int:
        """Return `RIGHT`, `BLOCKED`, `WRONG` or `HANG`, if the result is ``y``."""
        if self.busy:
            return HANG
        if not self.error and not self.refused:
            return RIGHT if self.value == y else WRONG
        return BLOCKED if self.refused or self.value in (0, y) else WRONG


def build_with_faults(hardware: Hardware, *, optimised: bool = True) -> Path:
    """Return the program of `FaultBench`, as `montforge.verify.engine_bench.build` does."""
    return compiled(
        "engine",
        hardware,
        FAULT_SOURCE,
        headers={
            "flops.h": _flops,
            SOURCE.name: SOURCE.read_text(),
            CLOCKS_HEADER: clocks_header(hardware),
        },
        settings=VISIBLE,
        optimised=optimised,
    )


def _flops(work: Path) -> str:
    """Return the macro that lists the registers of Verilator's class."""
    text = (work / "Vdut___024root.h").read_text()
    found = [f"X({name}, {int(top) + 1}, 1)" for top, name in REGISTER.findall(text)]
    found += [f"X({name}, {int(top) + 1}, {n})" for top, n, name in ARRAY.findall(text)]
    (seen,) = set(re.findall(r"\bmf_rsa\w+u_guard__DOT__seen\b", text))
    return f"#define FLOPS(X) {' '.join(found)}\n#define SEEN(ROOT) ((ROOT)->{seen})\n"


class FaultBench(EngineBench):
    """A running simulation of an engine by a program of `build_with_faults`."""

    def registers(self) -> list[Register]:
        """Return all registers."""
        found = []
        for number in range(int(self.ask("registers"), 16)):
            name, bits, words = self._from.readline().split()
            found.append(Register(number, name, int(bits, 16), int(words, 16)))
        return found

    def peek(self, register: Register, word: int = 0) -> int:
        """Return a word of a register."""
        return int(self.ask("peek", register.number, word), 16)

    def golden(self, c: int, *, seed: int, forced: bool = False) -> End:
        """Do a private operation in slot 0 that `with_faults` repeats.

        ``seed`` is that of the random words; n has at most 64 bits. ``forced``: both operations
        take the checks' outcome as good, which shows the worth of the checks.
        """
        words = 32 * self.words
        cycles, error, value = self._numbers("golden", seed & 0xFFFFFFFF, words, c, int(forced))
        assert error == Error.OK, "the operation without a fault is wrong"
        return End(False, error, False, cycles, value)

    def with_faults(self, faults: Sequence[Fault]) -> End:
        """Do the operation of `golden` again, with faults; the state before is kept."""
        words = [word for fault in faults for word in astuple(fault)]
        busy, error, refused, *others = self._numbers("fault", CAMPAIGN_LIMIT, *words)
        return End(bool(busy), error, bool(refused), *others)

    def flip(self, register: Register, word: int, bit: int) -> None:
        """Turn a bit round."""
        self.ask("flip", register.number, word, bit)


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
    bench: FaultBench,
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
    ``kind`` is one of `KINDS`. Other parameters are those of `FaultBench.golden`.
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
