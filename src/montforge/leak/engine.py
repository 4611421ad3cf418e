# SPDX-License-Identifier: Apache-2.0
"""What the activity of an RSA engine's private operation tells of the message.

The same test of fixed against random messages runs twice: each operation with random words of its
own, which blind message and exponent, and all with the same ones, as if there were no blinding.
"""

from __future__ import annotations

import random
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from montforge.arch.rsa.contract import KEY, PHASES, E, N, X, Y
from montforge.arch.rsa.engine import WINDOW, Engine
from montforge.arch.rsa.key import Key
from montforge.arch.rsa.keys import make_key
from montforge.arch.rsa.model import LOAD, PRIVATE
from montforge.errors import ParameterError, ToolFailedError
from montforge.hardware.yosys import yosys_version
from montforge.host.driver import slowest
from montforge.leak.activity import Finding, Model, Recorder
from montforge.prove.gates import Gates, Lanes, columns, integers
from montforge.report import Table
from montforge.work.arrays import Words, np
from montforge.work.progress import Progress, ProgressFunction

WORD = 32
OWN, SAME = "own", "the same"
EXPERIMENTS = (
    ("random / random", False, OWN),
    ("x fixed / random", True, OWN),
    ("x fixed / random", True, SAME),
)
"""Name, whether the message of every second operation is fixed, and the random words."""
PULSES = ("start_i", "abort_i", "zeroize_slot_i", "zeroize_all_i", "win_valid_i", "lock_i")
EXPONENT = 17

Observer = Callable[[int, Lanes], None]
"""Called with the number of a cycle and its settled nets."""


@dataclass(frozen=True)
class EngineFinding:
    """The outcome of an experiment on messages, for the source of random words ``words``.

    ``phases`` are the cycles of each phase of the operation, and those in which some register is
    above the limit.
    """

    words: str
    finding: Finding
    phases: dict[str, tuple[int, int]]


@dataclass(frozen=True)
class EngineLeakReport:
    """The findings of the experiments on an engine, the null test first."""

    design: Engine
    model: Model
    samples: int
    noise: float
    seed: int
    findings: tuple[EngineFinding, ...]
    tools: dict[str, str]

    @property
    def is_valid(self) -> bool:
        """Whether the null test finds no difference; without that no finding counts."""
        return not self.findings[0].finding.differs

    @property
    def time(self) -> str:
        """What is known of the time."""
        cycles = {each for row in self.findings for each in row.finding.latency}
        return f"{', '.join(map(str, sorted(cycles)))} cycles in all operations"

    def to_json(self) -> dict[str, Any]:
        """Return JSON-ready values."""
        return {
            "architecture": self.design.name,
            "parameters": dict(self.design.parameters),
            "form": self.design.form,
            "width": self.design.size,
            "model": self.model,
            "samples": self.samples,
            "noise": self.noise,
            "seed": self.seed,
            "null_t": self.findings[0].finding.t,
            "valid": self.is_valid,
            "findings": [
                {**asdict(row.finding), "words": row.words, "phases": row.phases}
                for row in self.findings
            ],
            "tools": self.tools,
        }

    def table(self) -> Table:
        """Return a row an experiment: the largest difference, and the phases with one."""

        def phases(row: EngineFinding) -> str:
            found = [f"{name} {above} of {of}" for name, (of, above) in row.phases.items() if above]
            return ", ".join(found) or "none"

        return Table.of(
            f"{self.design}: private operations, activity of {self.model}, {self.samples:,} each",
            self.findings,
            {
                "messages compared": lambda row: row.finding.experiment,
                "random words": lambda row: row.words,
                "largest t": lambda row: row.finding.t,
                "limit": lambda row: row.finding.limit,
                "cycles above it": lambda row: f"{row.finding.above} of {row.finding.cycles}",
                "in the phases": phases,
                f"traces at noise {self.noise:g}": lambda row: row.finding.traces,
            },
        )


def leak_of_engine(
    design: Engine,
    *,
    model: Model,
    samples: int,
    noise: float,
    seed: int,
    timeout: float,
    progress: ProgressFunction | None,
) -> EngineLeakReport:
    """Return where the activity of private operations with one key differs with the message.

    ``samples`` operations an experiment run side by side. Raises ParameterError for a form with a
    bus, ToolMissingError, ToolFailedError.
    """
    if design.form != WINDOW:
        raise ParameterError(f"form {design.form}: the engine's gates are simulated without a bus.")
    rng = random.Random(seed)
    key = make_key(design.size, rng, EXPONENT)
    fixed = rng.randrange(key.n)
    gates = Gates(design.hardware, timeout=timeout)
    counted = Progress(progress, len(EXPERIMENTS))
    drivers: dict[str, EngineDriver] = {}
    second = np.arange(samples) % 2 == 1
    found = []
    for name, is_fixed, words in EXPERIMENTS:
        deadline = time.monotonic() + timeout
        if words not in drivers:
            drivers[words] = EngineDriver(design, gates, samples, words, seed, deadline)
            drivers[words].load(key)
        driver = drivers[words]
        driver.deadline = deadline
        messages = [fixed if is_fixed and odd else rng.randrange(key.n) for odd in second]
        recorder = Recorder(gates, model, samples, second)
        phases: list[int] = []

        def observe(
            cycle: int, lanes: Lanes, seen: list[int] = phases, kept: Recorder = recorder
        ) -> None:
            seen.append(integers(lanes.get("phase_o"), 1)[0])
            kept(cycle, lanes)

        results = driver.private(key, messages, observe)
        assert [pow(y, key.e, key.n) for y in results] == messages, "a signature is wrong"
        cycles = np.full(samples, len(phases), dtype=np.float64)
        finding = recorder.finding(name, cycles, noise)
        found.append(EngineFinding(words, finding, _by_phase(phases[1:], recorder.above)))
        counted.step()
    tools = {"yosys": yosys_version()}
    return EngineLeakReport(design, model, samples, noise, seed, tuple(found), tools)


def _by_phase(phases: Sequence[int], above: Sequence[bool]) -> dict[str, tuple[int, int]]:
    names = [PHASES[each] for each in phases]
    seen = Counter(names)
    over = Counter(name for name, is_over in zip(names, above, strict=True) if is_over)
    return {name: (seen[name], over[name]) for name in seen}


class EngineDriver:
    """Drives engines of form `WINDOW` side by side, with random words that are `OWN` or `SAME`.

    ``deadline`` is a time of `time.monotonic` at which ToolFailedError ends the simulation.
    """

    def __init__(
        self, engine: Engine, gates: Gates, count: int, words: str, seed: int, deadline: float
    ) -> None:
        self.deadline = deadline
        self._engine, self._lanes = engine, Lanes(gates, count)
        self._words, self._rng = words, np.random.default_rng(seed)
        self._random = self._drawn()
        lanes = self._lanes
        lanes.put("random_valid_i", lanes.all)
        for name in ("op_i", "slot_i", "e_bits_i", "rst_ni", *PULSES):
            lanes.put(name, lanes.all * 0)
        self._step()
        lanes.put("rst_ni", lanes.all)
        self._step()
        self._run()

    def load(self, key: Key) -> None:
        """Load a key into slot 0 of all engines."""
        half = (self._engine.size + 1) // 2
        stride = 4 * -(-half // WORD)
        self._write(N, [key.n], self._engine.size)
        self._write(E, [key.e], self._engine.size)
        for place, value in enumerate((key.p, key.q, key.dp, key.dq, key.qinv)):
            self._write(KEY + place * stride, [value], half)
        self._start(LOAD, key)

    def private(self, key: Key, messages: Sequence[int], observe: Observer) -> list[int]:
        """Return x^d mod n of each message, with the key in slot 0."""
        self._write(X, messages, self._engine.size)
        self._start(PRIVATE, key, observe)
        words = [self._read(Y + 4 * at) for at in range(-(-self._engine.size // WORD))]
        return [
            sum(word << WORD * at for at, word in enumerate(each))
            for each in zip(*words, strict=True)
        ]

    def _drawn(self) -> Words:
        shape = (WORD, self._lanes.all.shape[1])
        if self._words == OWN:
            return self._rng.integers(1 << 64, size=shape, dtype=np.uint64)
        bits = self._rng.integers(2, size=(WORD, 1), dtype=np.uint64)
        return bits * self._lanes.all

    def _step(self, cycle: int = 0, observe: Observer | None = None) -> bool:
        """Let a cycle pass, and return whether an engine is busy in it.

        A random word stays until it is taken.
        """
        if time.monotonic() > self.deadline:
            raise ToolFailedError(
                "the simulation did not end within its time (--timeout): take fewer samples, or an"
                " engine of fewer bits."
            )
        lanes = self._lanes
        lanes.put("random_i", self._random)
        lanes.settle()
        if observe is not None:
            observe(cycle, lanes)
        taken = lanes.get("random_ready_o")
        if taken.any():
            self._random = (self._random & ~taken) | (self._drawn() & taken)
        is_busy = bool(lanes.get("busy_o").any())
        lanes.clock()
        return is_busy

    def _pulse(self, name: str) -> None:
        self._lanes.put(name, self._lanes.all)
        self._step()
        self._lanes.put(name, self._lanes.all * 0)

    def _put(self, name: str, values: Sequence[int]) -> None:
        """Set an input to a value for each engine, or to one for all."""
        width = len(self._lanes.gates.netlist.inputs[name])
        each = [*values] * (self._lanes.count // len(values))
        self._lanes.put(name, columns(each, width))

    def _write(self, address: int, values: Sequence[int], bits: int) -> None:
        self._put("win_write_i", [1])
        for at in range(-(-bits // WORD)):
            self._put("win_addr_i", [address + 4 * at])
            self._put("win_wdata_i", [value >> WORD * at & 0xFFFFFFFF for value in values])
            self._pulse("win_valid_i")

    def _read(self, address: int) -> list[int]:
        self._put("win_write_i", [0])
        self._put("win_addr_i", [address])
        self._pulse("win_valid_i")
        self._lanes.settle()
        return integers(self._lanes.get("win_rdata_o"), self._lanes.count)

    def _start(self, operation: int, key: Key, observe: Observer | None = None) -> None:
        self._put("op_i", [operation])
        self._put("n_bits_i", [key.n.bit_length()])
        self._pulse("start_i")
        self._run(observe)
        if any(integers(self._lanes.get("error_o"), self._lanes.count)):
            raise ToolFailedError("an operation of the simulated engine ended with an error.")

    def _run(self, observe: Observer | None = None) -> None:
        """Let cycles pass until no engine is busy."""
        for cycle in range(slowest(self._engine.size)):
            if not self._step(cycle, observe):
                return
        raise ToolFailedError("an operation of the simulated engine does not end.")
