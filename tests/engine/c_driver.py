# SPDX-License-Identifier: Apache-2.0
"""The C driver, compiled for this machine, with the methods of the Python one, over any bus."""

from __future__ import annotations

import ctypes
import subprocess
from collections.abc import Callable
from ctypes import (
    CFUNCTYPE,
    POINTER,
    c_int,
    c_int8,
    c_size_t,
    c_uint,
    c_uint8,
    c_uint16,
    c_uint32,
    c_uint64,
)
from functools import cache
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

from montforge.arch.rsa.key import Key
from montforge.arch.rsa.model import FULL, Error
from montforge.host.bus import Bus
from montforge.host.driver import TIMEOUT, EngineError
from montforge.host.registers import words

DRIVER = Path(__file__).parents[2] / "src" / "montforge" / "driver"
SOURCES = (DRIVER / "mf_engine.c", DRIVER / "mf_rsa.c")
FLAGS = ("-std=c11", "-O1", "-Wall", "-Wextra", "-Wconversion", "-pedantic", "-Werror")
READ = CFUNCTYPE(c_uint32, c_size_t)
WRITE = CFUNCTYPE(None, c_size_t, c_uint32)
Words = POINTER(c_uint32)
RUNNING = 129
WAIT_CYCLES = 1000


class Device(ctypes.Structure):
    """``mf_engine_t``."""


HOOK = CFUNCTYPE(c_int, POINTER(Device), ctypes.c_void_p)
Device._fields_ = [
    ("base", c_size_t),
    ("features", c_uint32),
    ("bits", c_uint16),
    ("slots", c_uint8),
    ("slot_bits", c_uint16 * 16),
    ("result_bits", c_uint16),
    ("loading", c_int8),
    ("hook", HOOK),
    ("context", ctypes.c_void_p),
    ("limit", c_uint64),
]


class CKey(ctypes.Structure):
    """``mf_key_t``."""

    _fields_ = (
        ("n_bits", c_uint16),
        ("e", c_uint32),
        *((name, Words) for name in ("n", "p", "q", "dp", "dq", "qinv")),
    )


@cache
def library() -> ctypes.CDLL:
    """Return the driver with the test's bus functions, compiled."""
    target = Path(mkdtemp(prefix="montforge-driver-")) / "driver.so"
    sources = [*SOURCES, Path(__file__).with_name("bus_functions.c")]
    subprocess.run(
        ["gcc", *FLAGS, "-DMF_BUS_FUNCTIONS", "-shared", "-fPIC", f"-I{DRIVER}", *sources,
         "-o", target],
        check=True,
    )  # fmt: skip
    return ctypes.CDLL(str(target))


def array(value: int, bits: int) -> Any:
    count = -(-bits // 32)
    return (c_uint32 * count)(*words(value, count))


def number(array: Any) -> int:
    return sum(int(word) << 32 * i for i, word in enumerate(array))


class CEngine:
    """What `RsaEngine` is in Python. Errors on the bus are kept in ``bus_errors``."""

    def __init__(self, bus: Bus, base: int = 0x40000000) -> None:
        self.bus = bus
        self.library = library()
        self.bus_errors: list[Exception] = []

        def guarded(access: Callable[[], int | None]) -> int:
            try:
                return access() or 0
            except Exception as error:
                self.bus_errors.append(error)
                return 0

        self._read = READ(lambda address: guarded(lambda: bus.read(address - base)))
        self._write = WRITE(
            lambda address, value: guarded(lambda: bus.write(address - base, value)) and None
        )
        for name, function in (("test_read", self._read), ("test_write", self._write)):
            pointer = ctypes.cast(function, ctypes.c_void_p).value
            ctypes.c_void_p.in_dll(self.library, name).value = pointer
        # The hook lets time pass, as a real one sleeps until the interrupt.
        self._hook = HOOK(lambda _device, _context: bus.wait(WAIT_CYCLES) and 0)
        self.device = Device()
        self._check(self._call("mf_open", c_size_t(base)))
        self.device.hook = self._hook
        self.bits, self.slots = self.device.bits, self.device.slots
        self.moduli: dict[int, int] = {}

    def _call(self, name: str, *arguments: Any) -> int:
        return int(getattr(self.library, name)(ctypes.byref(self.device), *arguments))

    def _check(self, code: int) -> None:
        if code:
            raise EngineError(code)

    def _key(self, key: Key) -> CKey:
        half = (key.n.bit_length() + 1) // 2
        parts = {name: array(getattr(key, name), half) for name in ("p", "q", "dp", "dq", "qinv")}
        found = CKey(n_bits=key.n.bit_length(), e=key.e & 0xFFFFFFFF)
        for name, value in {"n": array(key.n, key.n.bit_length()), **parts}.items():
            setattr(found, name, ctypes.cast(value, Words))
        self._kept = parts  # the arrays live as long as the pointers
        return found

    def load_key(self, slot: int, key: Key) -> None:
        self._check(self._call("mf_load_key", c_uint(slot), ctypes.byref(self._key(key))))
        self.moduli[slot] = key.n.bit_length()

    def start_load(self, slot: int, key: Key) -> None:
        self._check(self._call("mf_start_load", c_uint(slot), ctypes.byref(self._key(key))))

    def private(self, slot: int, x: int) -> int:
        y = array(0, self.bits)
        self._check(self._call("mf_private", c_uint(slot), array(x, self.bits), y))
        return number(y)

    def start_private(self, slot: int, x: int) -> None:
        self._check(self._call("mf_start_private", c_uint(slot), array(x, self.bits)))

    def public(self, x: int, e: int, n: int) -> int:
        y = array(0, self.bits)
        self._check(
            self._call(
                "mf_public", array(n, self.bits), c_uint(n.bit_length()), array(e, self.bits),
                c_uint(e.bit_length()), array(x, self.bits), y,
            )
        )  # fmt: skip
        return number(y)

    def modexp(self, x: int, e: int, n: int, *, e_bits: int = 0, leakage: int = FULL) -> int:
        y = array(0, self.bits)
        self._check(
            self._call(
                "mf_modexp", array(n, self.bits), c_uint(n.bit_length()), array(e, self.bits),
                c_uint(e_bits or n.bit_length()), array(x, self.bits), y, c_int(leakage),
            )
        )  # fmt: skip
        return number(y)

    def poll(self) -> Error | None:
        code = self._call("mf_poll")
        return None if code == RUNNING else Error(code)

    def wait(self) -> None:
        self._check(self._call("mf_wait", self._hook, None))

    def abort(self) -> Error:
        code = self._call("mf_abort")
        self._check(code if code == TIMEOUT else 0)
        return Error(code)

    def zeroize(self, slot: int | None = None) -> None:
        self._check(self._call("mf_zeroize", c_int(-1 if slot is None else slot)))

    def lock(self) -> None:
        self._call("mf_lock")

    @property
    def cycles(self) -> int:
        return self._call("mf_cycles") & 0xFFFFFFFF
