# SPDX-License-Identifier: Apache-2.0
"""The RSA engine's driver in Python, over any `Bus`; `montforge/driver/mf_rsa.c` is its twin in C.

Numbers are integers. Padding is not the driver's business.
"""

from __future__ import annotations

from collections.abc import Callable

from montforge.arch.rsa.contract import KEY, E, N, X, Y
from montforge.arch.rsa.contract import REASONS as CAUSES
from montforge.arch.rsa.key import Key
from montforge.arch.rsa.model import FULL, LOAD, MODEXP_PUBLIC, PRIVATE, PUBLIC, Error
from montforge.errors import MontforgeError
from montforge.host import registers as reg
from montforge.host.bus import Bus
from montforge.host.registers import T

MAGIC = 0x4D525341
DEVICE, TIMEOUT = 128, 130
"""Codes of the driver: no engine; it does not end."""
PATIENCE = 100_000
"""Cycles between two looks at a running operation."""
WIPE_PATIENCE = 1000
"""Cycles between two polls of operations that end soon: wipes, aborts."""


REASONS: dict[int, str] = {
    **CAUSES,
    DEVICE: "no RSA engine is there",
    TIMEOUT: "the device or its bus hangs, or the limit is too low",
}


class EngineError(MontforgeError):
    """An operation that the engine or the driver refused or that failed; ``code`` says why."""

    def __init__(self, code: int, found: str = "") -> None:
        name = {DEVICE: "DEVICE", TIMEOUT: "TIMEOUT"}.get(code) or Error(code).name
        super().__init__(f"the RSA engine ended with {name}: {REASONS[code]}{found}.")
        self.code = code


class RsaEngine:
    """An RSA engine behind a bus. Not for several threads at once."""

    def __init__(self, bus: Bus, *, limit: int | None = None) -> None:
        """Find the device, and wait until it has wiped its memories after reset.

        ``limit``: cycles of one wait at most; by default `slowest`. Raises EngineError (`DEVICE`)
        if there is no engine, and all that wait raise it (`TIMEOUT`) at the limit.
        """
        self._bus = bus
        if bus.read(reg.ID) != MAGIC:
            raise EngineError(DEVICE)
        size = bus.read(reg.SIZE)
        self.bits, self.slots = size & 0xFFFF, size >> 16 & 0xFF
        """Bits of the widest modulus, and key slots."""
        self.limit = slowest(self.bits) if limit is None else limit
        """Cycles of one wait at most."""
        self.window, self.halves = size >> 24 & 0xF, size >> 28
        self._slot_bits: dict[int, int] = {}
        self._loading: tuple[int, int] | None = None
        self._result_bits = 0
        bus.write(reg.INTR_STATE, 7)
        bus.write(reg.INTR_ENABLE, reg.IRQ_DONE)
        self._wait_until(self._is_not(reg.WIPING), WIPE_PATIENCE, "the wipe after reset")

    def load_key(self, slot: int, key: Key) -> None:
        """Load a key into a slot, which the engine checks. Raises EngineError."""
        try:
            self.start_load(slot, key)
            self.wait()
        except EngineError as error:
            if error.code == Error.LENGTH:
                raise EngineError(Error.LENGTH, f"; {key.lengths}") from None
            raise

    def adopt(self, slot: int, n_bits: int) -> None:
        """Take a slot whose key another driver has loaded. Raises EngineError (SLOT_EMPTY)."""
        if not (self._has(slot) and self._bus.read(reg.STATUS) >> 16 + slot & 1):
            raise EngineError(Error.SLOT_EMPTY)
        self._slot_bits[slot] = n_bits

    def private(self, slot: int, x: int) -> int:
        """Return x^d mod n with the key of a slot. Raises EngineError."""
        self.start_private(slot, x)
        return self._result()

    def public(self, x: int, e: int, n: int) -> int:
        """Return x^e mod n for a public e. Raises EngineError."""
        self._start_power(PUBLIC, x, e, e.bit_length(), n)
        return self._result()

    def modexp(self, x: int, e: int, n: int, *, e_bits: int = 0, leakage: int = FULL) -> int:
        """Return x^e mod n; the time depends on ``e_bits`` (default: those of n) if class `FULL`.

        Raises EngineError, also if e is longer than ``e_bits``.
        """
        if leakage not in (FULL, MODEXP_PUBLIC):
            raise EngineError(Error.OPERATION)
        self._start_power(leakage, x, e, e_bits or n.bit_length(), n)
        return self._result()

    def start_load(self, slot: int, key: Key) -> None:
        """Begin to load a key. Raises EngineError."""
        if not self._has(slot):
            raise EngineError(Error.USE)
        if key.n.bit_length() > self.bits:
            raise EngineError(Error.LENGTH)
        self._require_idle()
        self._put(N, key.n, self.bits)
        self._put(E, key.e, self.bits)
        half = (self.bits + 1) // 2
        stride = 4 * _words(half)
        for i, value in enumerate((key.p, key.q, key.dp, key.dq, key.qinv)):
            self._put(KEY + i * stride, value, half)
        self._loading = slot, key.n.bit_length()
        self._start(LOAD, slot, key.n.bit_length(), 32)

    def start_private(self, slot: int, x: int) -> None:
        """Begin a private operation. Raises EngineError."""
        bits = self._slot_bits.get(slot)
        if bits is None:
            raise EngineError(Error.SLOT_EMPTY)
        self._require_idle()
        self._put(X, x, self.bits, Error.MESSAGE)
        self._start(PRIVATE, slot, bits, 0)

    def poll(self) -> Error | None:
        """Return how the operation ended, or None while it runs: FAULT if that is no code."""
        status = self._bus.read(reg.STATUS)
        if status & reg.BUSY:
            return None
        value = status >> 8 & 0xFF
        code = Error(value) if value in set(Error) else Error.FAULT
        if code is Error.OK and not status & reg.DONE:
            code = Error.FAULT
        if self._loading is not None:
            slot, bits = self._loading
            self._loading = None
            self._slot_bits.pop(slot, None)
            if code is Error.OK:
                self._slot_bits[slot] = bits
        return code

    def wait(self) -> None:
        """Wait until the operation has ended. Raises EngineError if with an error."""
        code = self._wait_until(self.poll, PATIENCE, "the end of the operation")
        self._bus.write(reg.INTR_STATE, 7)
        if code is not Error.OK:
            raise EngineError(code)

    def abort(self) -> Error:
        """End the operation, and return its code: ABORTED, unless it had ended before."""
        self._bus.write(reg.CTRL, reg.ABORT)
        code = self._wait_until(self.poll, WIPE_PATIENCE, "the end of the aborted operation")
        self._bus.write(reg.INTR_STATE, 7)
        return code

    def zeroize(self, slot: int | None = None) -> None:
        """Overwrite a slot, or without one all slots and memories, and wait for it.

        Raises EngineError if there is no such slot.
        """
        if slot is not None and not self._has(slot):
            raise EngineError(Error.SLOT_EMPTY)
        if slot is None:
            self._slot_bits.clear()
            self._bus.write(reg.CTRL, reg.ZEROIZE_ALL)
        else:
            self._slot_bits.pop(slot, None)
            self._bus.write(reg.COMMAND, slot << 4)
            self._bus.write(reg.CTRL, reg.ZEROIZE_SLOT)
        self._wait_until(self._is_not(reg.BUSY), WIPE_PATIENCE, "the end of the wipe")
        self._bus.write(reg.INTR_STATE, 7)
        self._loading = None

    def lock(self) -> None:
        """Close the key window until reset."""
        self._bus.write(reg.LOCK, 1)

    @property
    def cycles(self) -> int:
        """Cycles of the last operation."""
        return self._bus.read(reg.CYCLES)

    def _start_power(self, op: int, x: int, e: int, e_bits: int, n: int) -> None:
        if max(n.bit_length(), e_bits) > self.bits or e < 0 or e.bit_length() > e_bits:
            raise EngineError(Error.LENGTH)
        self._require_idle()
        # A write makes n new to the engine, which then sets it up again.
        if self._get(N, self.bits) != n:
            self._put(N, n, self.bits)
        self._put(E, e, self.bits)
        self._put(X, x, self.bits, Error.MESSAGE)
        self._start(op, 0, n.bit_length(), e_bits)

    def _is_not(self, state: int) -> Callable[[], bool | None]:
        return lambda: None if self._bus.read(reg.STATUS) & state else True

    def _wait_until(self, ended: Callable[[], T | None], cycles: int, event: str) -> T:
        """Return the final result of ``ended``, which is called again after ``cycles`` cycles.

        Raises EngineError (`TIMEOUT`) if it gives None up to the limit.
        """
        found = reg.wait_until(self._bus, ended, cycles, self.limit)
        if found is None:
            raise EngineError(TIMEOUT, f"; {event} did not come within {self.limit} cycles")
        return found

    def _require_idle(self) -> None:
        if self._bus.read(reg.STATUS) & reg.BUSY:
            raise EngineError(Error.BUSY)

    def _start(self, op: int, slot: int, n_bits: int, e_bits: int) -> None:
        self._result_bits = n_bits
        self._bus.write(reg.COMMAND, op | slot << 4)
        self._bus.write(reg.LENGTH, n_bits | e_bits << 16)
        self._bus.write(reg.CTRL, reg.START)

    def _result(self) -> int:
        self.wait()
        found = self._get(Y, self._result_bits)
        if self.poll() is not Error.OK:
            # A fault since the end of the operation shuts the window: zeros were read.
            raise EngineError(Error.FAULT)
        return found

    def _get(self, address: int, bits: int) -> int:
        return reg.number_at(self._bus, address, _words(bits))

    def _has(self, slot: int) -> bool:
        return 0 <= slot < self.slots

    def _put(self, address: int, value: int, bits: int, error: Error = Error.LENGTH) -> None:
        """Write a number and zeros above it. Raises EngineError (``error``) if it does not fit."""
        if value < 0 or value.bit_length() > 32 * _words(bits):
            raise EngineError(error)
        self._bus.write_words(address, reg.words(value, _words(bits)))


def slowest(bits: int) -> int:
    """Return cycles that no operation of an engine of ``bits`` takes, over any multiplier.

    A product takes at most 4 bits + 64 cycles, a power at most 2 products a bit of its exponent,
    which blinding makes longer; a load is some powers of half the bits.
    """
    return 64 * (bits + 512) ** 2


def _words(bits: int) -> int:
    return -(-bits // 32)
