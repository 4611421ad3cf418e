# SPDX-License-Identifier: Apache-2.0
"""The testbench of a generated RSA engine: accesses to its registers, with known answers."""

from __future__ import annotations

import random
from collections.abc import Iterator

from montforge.rsa import driver
from montforge.rsa.engine import Engine
from montforge.rsa.keys import make_key
from montforge.rsa.model import Error, Key

WRITE, READ, WAIT = range(3)
Step = tuple[int, int, int]
"""Kind, address, data."""


def steps_text(engine: Engine, seed: int) -> tuple[str, int]:
    """Return the lines of steps.hex, and how many steps they have."""
    rng = random.Random(seed)
    key = make_key(engine.bits, rng, engine.public_exponent)
    x = rng.randrange(key.n)
    y = pow(x, pow(key.e, -1, (key.p - 1) * (key.q - 1)), key.n)
    valid = driver.DONE | 1 << 16
    parts = {
        "a wipe follows reset": _wait(),
        "a key": _load(engine, key),
        "it is checked": _ends(valid),
        "x": _operand(engine, driver.X, x),
        "the private operation": _start(driver.PRIVATE, key.n.bit_length()),
        "it ends": _ends(valid),
        "its result": _result(engine, y),
        "a message that is not below n": _operand(engine, driver.X, key.n),
        "is refused": _start(driver.PRIVATE, key.n.bit_length()),
        "with MESSAGE": _ends(valid | Error.MESSAGE << 8),
        "without a result": _result(engine, 0),
        "the signature": _operand(engine, driver.X, y),
        "e, as a load wipes it": _operand(engine, driver.E, key.e),
        "which opens it": _start(driver.PUBLIC, key.n.bit_length(), key.e.bit_length()),
        "the end": _ends(valid | (0 if engine.public else Error.OPERATION << 8)),
        "x again, if there is the operation": _result(engine, x if engine.public else 0),
    }
    count, lines = 0, []
    for name, steps in parts.items():
        lines.append(f"// {name}\n")
        for kind, address, data in steps:
            lines.append(f"{kind:x}_000_{address:04x}_{data:08x}\n")
            count += 1
    return "".join(lines), count


def patience(engine: Engine) -> int:
    """Return cycles that no operation takes: a load is some private operations."""
    return 1_000_000 + 20 * max(engine.turns(engine.bits, engine.public_exponent)) * engine.turn


def _load(engine: Engine, key: Key) -> Iterator[Step]:
    yield from _operand(engine, driver.N, key.n)
    yield from _operand(engine, driver.E, key.e)
    count = -(-engine.half_bits // 32)
    for i, value in enumerate((key.p, key.q, key.dp, key.dq, key.qinv)):
        yield from _words(WRITE, driver.KEY + 4 * count * i, value, count)
    yield from _start(driver.LOAD, key.n.bit_length(), 32)


def _start(operation: int, n_bits: int, e_bits: int = 0) -> Iterator[Step]:
    """Yield the start of an operation on slot 0."""
    yield WRITE, driver.COMMAND, operation
    yield WRITE, driver.LENGTH, n_bits | e_bits << 16
    yield WRITE, driver.CTRL, driver.START


def _wait() -> Iterator[Step]:
    yield WAIT, driver.STATUS, driver.BUSY


def _ends(status: int) -> Iterator[Step]:
    yield from _wait()
    yield READ, driver.STATUS, status


def _operand(engine: Engine, window: int, value: int) -> Iterator[Step]:
    return _words(WRITE, window, value, -(-engine.bits // 32))


def _result(engine: Engine, value: int) -> Iterator[Step]:
    return _words(READ, driver.Y, value, -(-engine.bits // 32))


def _words(kind: int, address: int, value: int, count: int) -> Iterator[Step]:
    for i, word in enumerate(driver.words(value, count)):
        yield kind, address + 4 * i, word
