# SPDX-License-Identifier: Apache-2.0
"""Testbenches of a generated RSA engine: accesses or packets, with known answers."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Mapping

from montforge.arch.rsa.contract import KEY, E, N, X, Y
from montforge.arch.rsa.engine import Engine
from montforge.arch.rsa.key import Key
from montforge.arch.rsa.keys import make_key
from montforge.arch.rsa.model import LOAD, PRIVATE, PUBLIC, Error
from montforge.host import registers as reg

WRITE, READ, WAIT = range(3)
Step = tuple[int, int, int]
"""Kind, address, data; on AXI4-Stream kind, TLAST with TUSER in the next digit, data."""
SEND, TAKE = range(2)
LAST, USER = 0x01, 0x10
TAG = 0xA5


def steps_text(engine: Engine, seed: int) -> tuple[str, int]:
    """Return the lines of steps.hex, and the number of steps."""
    key, x, y = sample_operation(engine, seed)
    valid = reg.DONE | 1 << 16
    parts = {
        "a wipe follows reset": _wait(),
        "a key": _load(engine, key),
        "it is checked": _ends(valid),
        "x": _operand(engine, X, x),
        "the private operation": _start(PRIVATE, key.n.bit_length()),
        "it ends": _ends(valid),
        "its result": _result(engine, y),
        "a message that is not below n": _operand(engine, X, key.n),
        "is refused": _start(PRIVATE, key.n.bit_length()),
        "with MESSAGE": _ends(valid | Error.MESSAGE << 8),
        "without a result": _result(engine, 0),
        "the signature": _operand(engine, X, y),
        "e, as a load wipes it": _operand(engine, E, key.e),
        "which opens it": _start(PUBLIC, key.n.bit_length(), key.e.bit_length()),
        "the end": _ends(valid | (0 if engine.public else Error.OPERATION << 8)),
        "x again, if there is the operation": _result(engine, x if engine.public else 0),
    }
    return _text(parts)


def axis_steps_text(engine: Engine, seed: int) -> tuple[str, int]:
    """Return the lines of steps.hex for AXI4-Stream, and the number of steps."""
    key, x, y = sample_operation(engine, seed)
    full, half = -(-engine.bits // 32), -(-engine.half_bits // 32)
    n_bits = key.n.bit_length()

    def numbers(*values: int, count: int = full) -> list[int]:
        return [word for value in values for word in reg.words(value, count)]

    def packet(operation: int, operands: list[int], e_bits: int = 0) -> Iterator[Step]:
        beats = [operation | TAG << 8, n_bits | e_bits << 16, *operands]
        for i, beat in enumerate(beats):
            yield SEND, LAST * (i == len(beats) - 1), beat

    def answer(error: Error, result: int | None = None) -> Iterator[Step]:
        beats = numbers() if result is None else numbers(result)
        flags = (USER if error else 0) | LAST * (not beats)
        yield TAKE, flags, error | TAG << 8
        for i, beat in enumerate(beats):
            yield TAKE, LAST * (i == len(beats) - 1), beat

    parts_of_key = numbers(key.p, key.q, key.dp, key.dq, key.qinv, count=half)
    opened = answer(Error.OK, x) if engine.public else answer(Error.OPERATION)
    return _text(
        {
            "a key": packet(LOAD, [*numbers(key.n, key.e), *parts_of_key]),
            "it is checked": answer(Error.OK),
            "the private operation": packet(PRIVATE, numbers(x)),
            "its result": answer(Error.OK, y),
            "a message that is not below n": packet(PRIVATE, numbers(key.n)),
            "is refused": answer(Error.MESSAGE),
            "a packet without its last beat": packet(PRIVATE, numbers(x)[:-1]),
            "is refused, too": answer(Error.LENGTH),
            "the signature": packet(PUBLIC, numbers(key.n, key.e, y), e_bits=key.e.bit_length()),
            "which is opened, if there is the operation": opened,
        }
    )


def sample_operation(engine: Engine, seed: int) -> tuple[Key, int, int]:
    """Return a key, x and y = x^d mod n."""
    rng = random.Random(seed)
    key = make_key(engine.bits, rng, engine.public_exponent)
    x = rng.randrange(key.n)
    return key, x, pow(x, pow(key.e, -1, (key.p - 1) * (key.q - 1)), key.n)


def _text(parts: Mapping[str, Iterable[Step]]) -> tuple[str, int]:
    """Return the lines of named steps, and the number of steps."""
    count, lines = 0, []
    for name, steps in parts.items():
        lines.append(f"// {name}\n")
        for kind, address, data in steps:
            lines.append(f"{kind:x}_000_{address:04x}_{data:08x}\n")
            count += 1
    return "".join(lines), count


def patience(engine: Engine) -> int:
    """Return a number of cycles that no operation takes; a load is some private operations."""
    turns = max(engine.turns(engine.bits, engine.public_exponent))
    return 1_000_000 + 20 * engine.turn_cycles(turns)


def _load(engine: Engine, key: Key) -> Iterator[Step]:
    yield from _operand(engine, N, key.n)
    yield from _operand(engine, E, key.e)
    count = -(-engine.half_bits // 32)
    for i, value in enumerate((key.p, key.q, key.dp, key.dq, key.qinv)):
        yield from _words(WRITE, KEY + 4 * count * i, value, count)
    yield from _start(LOAD, key.n.bit_length(), 32)


def _start(operation: int, n_bits: int, e_bits: int = 0) -> Iterator[Step]:
    """Yield the start of an operation on slot 0."""
    yield WRITE, reg.COMMAND, operation
    yield WRITE, reg.LENGTH, n_bits | e_bits << 16
    yield WRITE, reg.CTRL, reg.START


def _wait() -> Iterator[Step]:
    yield WAIT, reg.STATUS, reg.BUSY


def _ends(status: int) -> Iterator[Step]:
    yield from _wait()
    yield READ, reg.STATUS, status


def _operand(engine: Engine, window: int, value: int) -> Iterator[Step]:
    return _words(WRITE, window, value, -(-engine.bits // 32))


def _result(engine: Engine, value: int) -> Iterator[Step]:
    return _words(READ, Y, value, -(-engine.bits // 32))


def _words(kind: int, address: int, value: int, count: int) -> Iterator[Step]:
    for i, word in enumerate(reg.words(value, count)):
        yield kind, address + 4 * i, word
