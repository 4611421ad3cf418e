# SPDX-License-Identifier: Apache-2.0
"""The RTL of the engine in a process of its own, driven over the window, register by register."""

from __future__ import annotations

import math
import re
import subprocess
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Self

from montforge.cache import cache_root, cached_folder, content_hash
from montforge.errors import ToolFailedError
from montforge.rsa.engine import Engine
from montforge.rsa.model import Key
from montforge.verify.bench import (
    MODEL_FLAGS,
    QUICK_FLAGS,
    VERILATOR_FLAGS,
    compile_model,
    compiler_identity,
    verilator_version,
)

SOURCE = Path(__file__).with_name("bench.cpp")
LOAD, PRIVATE, PUBLIC, FULL, MODEXP, SETUP = range(1, 7)
X, E, Y, N, KEY = 0x1000, 0x1200, 0x1400, 0x1600, 0x2000
REGISTER = re.compile(
    r"^\s*(?:CData|SData|IData|QData|VlWide<\d+>)/\*(\d+):0\*/ (mf_rsa\w+_q);", re.M
)
MEMORY = re.compile(
    r"^\s*VlUnpacked<(?:CData|SData|IData|QData|VlWide<\d+>)/\*(\d+):0\*/, (\d+)> (mf_rsa\w+_q);",
    re.M,
)
FOREVER = 0x7FFFFFFF
RIGHT, BLOCKED, WRONG, HANG = range(4)
CAMPAIGN_LIMIT = 1 << 19


@dataclass(frozen=True)
class Register:
    """A register or memory of the RTL: ``words`` of ``bits`` each."""

    number: int
    name: str
    bits: int
    words: int


@dataclass(frozen=True)
class Answer:
    """What an operation ended with.

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


@dataclass(frozen=True)
class Trial:
    """A fault: where (number of the register, word, bit), when, how it ended, what was read."""

    register: int
    word: int
    bit: int
    cycle: int
    outcome: int
    value: int


@dataclass(frozen=True)
class Campaign:
    """Faults and their ends."""

    trials: list[Trial]

    def count(self, outcome: int) -> int:
        """Return how many trials ended with `RIGHT`, `BLOCKED`, `WRONG` or `HANG`."""
        return sum(trial.outcome == outcome for trial in self.trials)

    def factored(self, key: Key, c: int) -> int:
        """Return how many wrong results give a factor of n: gcd(y^e - c, n) is p or q."""
        return sum(
            math.gcd(pow(trial.value, key.e, key.n) - c, key.n) in (key.p, key.q)
            for trial in self.trials
            if trial.outcome == WRONG
        )


@dataclass(frozen=True)
class Patched:
    """An engine with other RTL files: for planted bugs."""

    engine: Engine
    rtl_files: tuple[Path, ...]

    @property
    def rtl_top(self) -> str:
        """Name of the top module."""
        return self.engine.rtl_top

    @property
    def rtl_parameters(self) -> dict[str, int]:
        """Parameter values of the top module."""
        return self.engine.rtl_parameters


def build(engine: Engine | Patched, *, registers: bool = False, optimised: bool = True) -> Path:
    """Return the program that simulates ``engine``, compiled if the cache does not have it.

    With ``registers`` all registers can be read and flipped, which makes it slower. Without
    ``optimised`` it is compiled in a fraction of the time and runs slower.
    Raises as `montforge.verify.bench.compile_model` does.
    """
    key = content_hash(
        [(path.name, content_hash(path)) for path in engine.rtl_files],
        engine.rtl_parameters,
        SOURCE,
        [VERILATOR_FLAGS, MODEL_FLAGS if optimised else QUICK_FLAGS],
        [REGISTER.pattern, MEMORY.pattern] if registers else [],
        verilator_version(),
        compiler_identity(),
    )

    def compile_into(folder: Path) -> None:
        compile_model(
            engine,
            SOURCE,
            folder / "engine",
            headers={"flops.h": _flops if registers else "#define FLOPS(X)\n"},
            options=("--public-flat-rw",) if registers else (),
            optimised=optimised,
            failed_log=cache_root() / "logs" / f"engine-{key}.log",
        )

    return cached_folder("engine", key, compile_into) / "engine"


def _flops(work: Path) -> str:
    """Return the macro that lists the registers of Verilator's class."""
    text = (work / "Vdut___024root.h").read_text()
    found = [f"X({name}, {int(top) + 1}, 1)" for top, name in REGISTER.findall(text)]
    found += [f"X({name}, {int(top) + 1}, {n})" for top, n, name in MEMORY.findall(text)]
    return "#define FLOPS(X) " + " ".join(found) + "\n"


class EngineBench:
    """A running simulation of an engine, after reset. Use it in a ``with`` statement."""

    def __init__(self, program: Path, bits: int, *, seed: int = 1) -> None:
        """Start ``program`` of `build`; ``seed`` is that of registers and random words."""
        self.words = -(-bits // 32)
        self.half_words = -(-((bits + 1) // 2) // 32)
        self._process = subprocess.Popen(
            [str(program), str(seed)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            bufsize=1,
        )
        self.boot = int(self.ask("reset"), 16)
        """Cycles of the wipe after reset."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        assert self._process.stdin is not None and self._process.stdout is not None
        self._process.stdin.close()
        self._process.stdout.close()
        self._process.wait()

    def ask(self, *words: str | int) -> str:
        """Send a command of ``bench.cpp`` and return the answer."""
        assert self._process.stdin is not None and self._process.stdout is not None
        line = " ".join(word if isinstance(word, str) else f"{word:x}" for word in words)
        try:
            self._process.stdin.write(line + "\n")
        except BrokenPipeError:
            raise ToolFailedError("the simulation of the engine ended by itself") from None
        answer = self._process.stdout.readline()
        if not answer:
            raise ToolFailedError("the simulation of the engine ended by itself")
        return answer.strip()

    def write(self, address: int, value: int, words: int) -> bool:
        """Write ``words`` words at ``address``; return whether all were taken."""
        answers = [
            self.ask("write", address + 4 * i, value >> 32 * i & 0xFFFFFFFF) for i in range(words)
        ]
        return all(answer == "0" for answer in answers)

    def read(self, address: int, words: int) -> int | None:
        """Return ``words`` words at ``address``, None if one is refused."""
        answers = [self.ask("read", address + 4 * i).split() for i in range(words)]
        if any(error != "0" for _, error in answers):
            return None
        return sum(int(value, 16) << 32 * i for i, (value, _) in enumerate(answers))

    def run(self, cycles: int = FOREVER) -> Answer:
        """Let time pass until the engine is idle, at most ``cycles``."""
        ran, busy, done, *others = (int(word, 16) for word in self.ask("run", cycles).split())
        return Answer(ran, bool(busy), bool(done), *others)

    def write_key(self, key: Key) -> bool:
        """Write all windows of ``key``; return whether all words were taken."""
        written = [self.write(N, key.n, self.words), self.write(E, key.e, self.words)]
        for i, value in enumerate((key.p, key.q, key.dp, key.dq, key.qinv)):
            written.append(self.write(KEY + 4 * self.half_words * i, value, self.half_words))
        return all(written)

    def load(self, key: Key, *, slot: int = 0, n_bits: int | None = None) -> Answer:
        """Load ``key`` and wait."""
        self.write_key(key)
        self.ask("start", LOAD, slot, key.n.bit_length() if n_bits is None else n_bits)
        return self.run()

    def private(self, c: int, *, slot: int = 0) -> tuple[Answer, int | None]:
        """Do a private operation; return its answer and what is read as its result."""
        self.write(X, c, self.words)
        self.ask("start", PRIVATE, slot, 0)
        return self.run(), self.read(Y, self.words)

    def power(
        self, x: int, e: int, n: int, *, op: int = PUBLIC, e_bits: int | None = None
    ) -> tuple[Answer, int | None]:
        """Do x^e mod n on the host's n; return the answer and what is read as its result."""
        self.write(X, x, self.words)
        self.write(E, e, self.words)
        if self.read(N, self.words) != n:
            self.write(N, n, self.words)
        bits = e.bit_length() if e_bits is None else e_bits
        self.ask("start", op, 0, n.bit_length(), bits)
        return self.run(), self.read(Y, self.words)

    def registers(self) -> list[Register]:
        """Return all registers; only with a program that was built with them."""
        assert self._process.stdout is not None
        found = []
        for number in range(int(self.ask("registers"), 16)):
            name, bits, words = self._process.stdout.readline().split()
            found.append(Register(number, name, int(bits, 16), int(words, 16)))
        return found

    def peek(self, register: Register, word: int = 0) -> int:
        """Return a word of a register."""
        return int(self.ask("peek", register.number, word), 16)

    def campaign(
        self, key: Key, c: int, count: int, *, seed: int, kind: int = 0, forced: bool = False
    ) -> Campaign:
        """Do private operations of ``c`` on ``key`` in slot 0, each with a fault, from one state.

        n has at most 64 bits, ``seed`` 32. ``kind``: 0 one bit, 1 two bits of a word, 2 a word
        becomes 0. ``forced``: the checks' outcome is taken as good, to see what they are for.
        """
        assert self._process.stdout is not None
        y = pow(c, pow(key.e, -1, (key.p - 1) * (key.q - 1)), key.n)
        bits = 32 * self.words
        self.ask("campaign", count, seed, bits, c, y, CAMPAIGN_LIMIT, kind, int(forced))
        found = []
        for _ in range(count):
            number, word, bit, cycle, outcome, value = (
                int(text, 16) for text in self._process.stdout.readline().split()
            )
            found.append(Trial(number, word, bit, cycle, outcome, value))
        return Campaign(found)

    def flip(self, register: Register, word: int, bit: int) -> None:
        """Turn a bit round."""
        self.ask("flip", register.number, word, bit)
