# SPDX-License-Identifier: Apache-2.0
"""The RTL of the engine in a process of its own, driven over the window, register by register."""

from __future__ import annotations

import subprocess
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from montforge.arch.rsa.contract import KEY, E, N, X, Y
from montforge.arch.rsa.engine import HALF_CLOCK
from montforge.arch.rsa.key import Key
from montforge.arch.rsa.model import LOAD, PRIVATE, PUBLIC
from montforge.errors import ToolFailedError
from montforge.hardware import Hardware
from montforge.verify.bench import compiled
from montforge.work.tools import SIMULATION_SECONDS, wait_for_answer

SOURCE = Path(__file__).with_name("engine_bench.cpp")
CLOCKS_HEADER = "clocks.h"
FOREVER = 1 << 29
"""Cycles after which an operation counts as hung: twice the engine's own deadline."""
END_SECONDS = 60.0
"""Seconds within which the program must end when it is asked to."""


@dataclass(frozen=True)
class Answer:
    """End of an operation.

    ``cycles`` until idle, wipes included; ``operation`` those that the engine counts; ``events``:
    1 done, 2 error, 4 alert.
    """

    cycles: int
    busy: bool
    done: bool
    error: int
    slots: int
    operation: int
    events: int


def build(hardware: Hardware, *, optimised: bool = True) -> Path:
    """Return the program that simulates an engine, compiled if the cache does not have it.

    Without ``optimised`` it is compiled in less time and runs slower. Raises as
    `montforge.verify.bench.compiled` does.
    """
    headers = {CLOCKS_HEADER: clocks_header(hardware)}
    return compiled("engine", hardware, SOURCE, headers=headers, optimised=optimised)


def clocks_header(hardware: Hardware) -> str:
    """Return the text of ``clocks.h``: the cycles of half_clk_i in one of clk_i."""
    return f"#define HALF_CLOCK {hardware.fast_clocks.get(HALF_CLOCK, 1)}\n"


class EngineBench:
    """A running simulation of an engine, after reset. Use it in a ``with`` statement."""

    def __init__(self, program: Path, bits: int, *, seed: int = 1, limit: int = FOREVER) -> None:
        """Start ``program`` of `build`; ``seed`` is that of registers and random words.

        ``limit``: cycles that `run` waits at most.
        """
        self.limit = limit
        self.words = -(-bits // 32)
        self.half_words = -(-((bits + 1) // 2) // 32)
        pipe = subprocess.PIPE
        self._process = subprocess.Popen(
            [program, str(seed)], stdin=pipe, stdout=pipe, text=True, bufsize=1
        )
        assert self._process.stdin is not None and self._process.stdout is not None
        self._to, self._from = self._process.stdin, self._process.stdout
        try:
            self.boot = int(self.ask("reset"), 16)
            """Cycles of the wipe after reset."""
        except ToolFailedError:
            self._end()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self._end()

    def _end(self) -> None:
        self._to.close()
        self._from.close()
        try:
            self._process.wait(END_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def ask(self, *words: str | int) -> str:
        """Send a command of ``engine_bench.cpp`` and return the answer."""
        line = " ".join(word if isinstance(word, str) else f"{word:x}" for word in words)
        with suppress(BrokenPipeError):
            self._to.write(line + "\n")
        wait_for_answer(self._from, SIMULATION_SECONDS, "the simulation of the engine")
        answer = self._from.readline()
        if not answer:
            raise ToolFailedError("the simulation of the engine ended by itself")
        return answer.strip()

    def _numbers(self, *words: str | int) -> list[int]:
        """Send a command and return the numbers of its answer."""
        return [int(word, 16) for word in self.ask(*words).split()]

    def write(self, address: int, value: int, words: int) -> bool:
        """Write ``words`` words at ``address``; return whether all were taken."""
        parts = enumerate(value >> 32 * i & 0xFFFFFFFF for i in range(words))
        errors = [self.ask("write", address + 4 * i, part) for i, part in parts]
        return errors == ["0"] * words

    def read(self, address: int, words: int) -> int | None:
        """Return ``words`` words at ``address``, None if one is refused."""
        answers = [self._numbers("read", address + 4 * i) for i in range(words)]
        if any(error for _, error in answers):
            return None
        return sum(value << 32 * i for i, (value, _) in enumerate(answers))

    def run(self, cycles: int | None = None) -> Answer:
        """Let time pass until the engine is idle, at most ``cycles``, without them the limit."""
        most = self.limit if cycles is None else cycles
        ran, busy, done, *others = self._numbers("run", most)
        return Answer(ran, bool(busy), bool(done), *others)

    def write_key(self, key: Key) -> bool:
        """Write all windows of ``key``; return whether all words were taken."""
        half = self.half_words
        written = [self.write(N, key.n, self.words), self.write(E, key.e, self.words)]
        for i, value in enumerate((key.p, key.q, key.dp, key.dq, key.qinv)):
            written.append(self.write(KEY + 4 * half * i, value, half))
        return all(written)

    def load(self, key: Key, *, slot: int = 0, n_bits: int | None = None) -> Answer:
        """Load ``key`` and wait."""
        self.write_key(key)
        self.ask("start", LOAD, slot, key.n.bit_length() if n_bits is None else n_bits)
        return self.run()

    def private(self, c: int, *, slot: int = 0) -> tuple[Answer, int | None]:
        """Do a private operation; return its answer and the value read as its result."""
        self.write(X, c, self.words)
        self.ask("start", PRIVATE, slot, 0)
        return self.run(), self.read(Y, self.words)

    def power(
        self, x: int, e: int, n: int, *, op: int = PUBLIC, e_bits: int | None = None
    ) -> tuple[Answer, int | None]:
        """Do x^e mod n on the host's n; return the answer and the value read as its result."""
        self.write(X, x, self.words)
        self.write(E, e, self.words)
        if self.read(N, self.words) != n:
            self.write(N, n, self.words)
        bits = e.bit_length() if e_bits is None else e_bits
        self.ask("start", op, 0, n.bit_length(), bits)
        return self.run(), self.read(Y, self.words)
