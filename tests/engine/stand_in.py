# SPDX-License-Identifier: Apache-2.0
"""A stand-in for the RSA engine's registers and windows in Python, to try drivers quickly.

It has the codes and the rules of accesses, and no hardware; what is said of the engine is shown on
the Verilated one.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from montforge.arch.rsa.contract import KEY, E, N, X, Y
from montforge.arch.rsa.model import Error
from montforge.host.bus import SLVERR, BusError
from montforge.host.driver import MAGIC
from montforge.host.registers import (
    ABORT,
    BUSY,
    COMMAND,
    CTRL,
    CYCLES,
    DONE,
    FEATURES,
    ID,
    INTR_ENABLE,
    INTR_STATE,
    INTR_TEST,
    LENGTH,
    LOCK,
    RANDOM,
    SIZE,
    START,
    STATUS,
    ZEROIZE_ALL,
    ZEROIZE_SLOT,
    words,
)

DURATION = 1000
"""Cycles of an operation; each access takes one."""


class StandIn:
    """A `Bus` to an engine of ``bits`` and ``slots``."""

    def __init__(self, bits: int = 512, slots: int = 2) -> None:
        self.bits, self.slots = bits, slots
        self.registers = dict.fromkeys((COMMAND, LENGTH, INTR_STATE, INTR_ENABLE, LOCK), 0)
        self.reset()

    def reset(self) -> None:
        self.registers = dict.fromkeys(self.registers, 0)
        self.memory: dict[int, int] = {}
        self.keys: dict[int, tuple[int, ...]] = {}
        self.left = self.done = 0
        self.code = Error.OK
        self.result = 0

    def read(self, address: int) -> int:
        self._pass(1)
        count = -(-self.bits // 32)
        if Y <= address < Y + 4 * count:
            return words(self.result, count)[(address - Y) // 4] if not self.left else 0
        if N <= address < N + 4 * count and not self.left:
            return self.memory.get(address, 0)
        fixed = {
            ID: MAGIC,
            SIZE: self.bits | self.slots << 16 | 5 << 24 | 2 << 28,
            FEATURES: 0x5F,
            STATUS: (BUSY if self.left else 0)
            | DONE * self.done
            | self.code << 8
            | sum(1 << 16 + slot for slot in self.keys),
            CYCLES: DURATION,
            RANDOM: 0,
        }
        found = (fixed | self.registers).get(address)
        if found is None:
            raise BusError(address, SLVERR, "read")
        return found

    def write(self, address: int, value: int, strobes: int = 15) -> None:
        self._pass(1)
        if address == CTRL:
            self._control(value)
        elif address == INTR_STATE:
            self.registers[address] &= ~value
        elif address == INTR_TEST:
            self.registers[INTR_STATE] |= value
        elif address == LOCK:
            self.registers[LOCK] |= value & 1
        elif address in self.registers:
            self.registers[address] = value
        elif address != RANDOM:
            half = 4 * -(-((self.bits + 1) // 2) // 32)
            sizes = {X: -(-self.bits // 32) * 4, KEY: 5 * half * (not self.registers[LOCK])}
            sizes |= {E: sizes[X], N: sizes[X]}
            inside = any(start <= address < start + size for start, size in sizes.items())
            if self.left or not inside or strobes != 15:
                raise BusError(address, SLVERR, "write")
            self.memory[address] = value

    def write_words(self, address: int, values: Sequence[int]) -> None:
        for i, value in enumerate(values):
            self.write(address + 4 * i, value)

    def wait(self, cycles: int) -> bool:
        self._pass(cycles)
        return bool(self.registers[INTR_STATE] & self.registers[INTR_ENABLE])

    def _pass(self, cycles: int) -> None:
        if self.left and self.left <= cycles:
            self._end()
        self.left = max(0, self.left - cycles)

    def _end(self, code: Error | None = None) -> None:
        self.code, self.result = (code, 0) if code else self._operate()
        self.left, self.done = 0, 1
        self.registers[INTR_STATE] |= 3 if self.code else 1

    def _control(self, value: int) -> None:
        if value & START and not self.left:
            self.left, self.done, self.code, self.result = DURATION, 0, Error.OK, 0
        if value & ABORT and self.left:
            self._end(Error.ABORTED)
        if value & ZEROIZE_SLOT:
            self.keys.pop(self.registers[COMMAND] >> 4 & 15, None)
        if value & ZEROIZE_ALL:
            self.reset()

    def _number(self, address: int, bits: int) -> int:
        count = -(-bits // 32)
        return sum(self.memory.get(address + 4 * i, 0) << 32 * i for i in range(count))

    def _operate(self) -> tuple[Error, int]:
        op, slot = self.registers[COMMAND] & 15, self.registers[COMMAND] >> 4 & 15
        x, e, n = (self._number(address, self.bits) for address in (X, E, N))
        if op == 1:
            return self._load(slot, n, e), 0
        if op == 2:
            if slot not in self.keys:
                return Error.SLOT_EMPTY, 0
            n, p, q, dp, dq, qinv = self.keys[slot]
            if x >= n:
                return Error.MESSAGE, 0
            m2 = pow(x, dq, q)
            return Error.OK, m2 + (pow(x, dp, p) - m2) * qinv % p * q
        if op in (3, 4, 5):
            if n % 2 == 0:
                return Error.MODULUS_EVEN, 0
            return (Error.MESSAGE, 0) if x >= n else (Error.OK, pow(x, e, n))
        return Error.OPERATION, 0

    def _load(self, slot: int, n: int, e: int) -> Error:
        half = (self.bits + 1) // 2
        stride = 4 * -(-half // 32)
        p, q, dp, dq, qinv = (self._number(KEY + i * stride, half) for i in range(5))
        length = (n.bit_length() + 1) // 2
        rules = (
            (n % 2 and p % 2 and q % 2, Error.MODULUS_EVEN),
            (
                n.bit_length() == self.registers[LENGTH] & 0xFFFF <= self.bits
                and p.bit_length() == q.bit_length() == length,
                Error.LENGTH,
            ),
            (p != q, Error.PRIMES_EQUAL),
            (p * q == n, Error.PRODUCT),
            (dp % 2 and dq % 2 and dp < p and dq < q, Error.EXPONENT),
            (e % 2 and 3 <= e < 1 << 32, Error.PUBLIC_EXPONENT),
            (qinv < p, Error.RANGE),
            (q * qinv % p == 1 if p else False, Error.QINV),
            (p and q and pow(3, e * dp, p) == 3 % p and pow(3, e * dq, q) == 3 % q, Error.EXPONENT),
        )
        for holds, code in rules:
            if not holds:
                return code
        assert math.gcd(n, 2) == 1
        self.keys[slot] = (n, p, q, dp, dq, qinv)
        return Error.OK
