# SPDX-License-Identifier: Apache-2.0
"""The drivers in Python and C, with the same tests, on a stand-in for the device."""

from __future__ import annotations

import random
import shutil
import subprocess
from ctypes import c_size_t, create_string_buffer
from dataclasses import replace
from pathlib import Path

import pytest

from montforge.arch import design
from montforge.arch.rsa.contract import X, Y
from montforge.arch.rsa.key import Key
from montforge.arch.rsa.model import MODEXP_PUBLIC, Error
from montforge.host.driver import DEVICE, TIMEOUT, EngineError, RsaEngine, slowest
from montforge.host.registers import BUSY, DONE, INTR_STATE, LOCK, STATUS, WIPING

from .c_driver import FLAGS, SOURCES, CEngine, array, library, number
from .stand_in import DURATION, StandIn

BITS = 1024
RANGE = 9


def primes() -> tuple[int, int]:
    from cryptography.hazmat.primitives.asymmetric.rsa import generate_private_key

    numbers = generate_private_key(65537, 1024).private_numbers()
    return numbers.p, numbers.q


P, Q = primes()
KEY = Key.of(P, Q, 65537)
KEY_64 = Key.of(0xFFFFFFFB, 0xFFFFFFEF, 65537)
D = pow(65537, -1, (P - 1) * (Q - 1))
BAD_KEYS = {
    Error.MODULUS_EVEN: replace(KEY, n=KEY.n - 1),
    Error.LENGTH: replace(KEY, p=1),
    Error.PRIMES_EQUAL: replace(KEY, q=P),
    Error.PRODUCT: replace(KEY, n=KEY.n + 2),
    Error.EXPONENT: replace(KEY, dp=KEY.dp - 1),
    Error.PUBLIC_EXPONENT: replace(KEY, e=1),
    Error.RANGE: replace(KEY, qinv=P),
    Error.QINV: replace(KEY, qinv=KEY.qinv - 1),
}

Engines = type[RsaEngine] | type[CEngine]
both = pytest.mark.parametrize("kind", [RsaEngine, CEngine])


class ShutWhenRead(StandIn):
    """Has a fault between its end and the reading of the result, whose window is shut."""

    def read(self, address: int) -> int:
        if address == Y and self.done:
            self.code, self.result = Error.FAULT, 0
        return super().read(address)


@both
def test_a_fault_before_the_result_is_read_is_an_error(kind: Engines) -> None:
    engine = kind(ShutWhenRead(BITS))
    engine.load_key(0, KEY)
    with pytest.raises(EngineError) as error:
        engine.private(0, 5)
    assert error.value.code == Error.FAULT


@both
def test_operations(kind: Engines) -> None:
    device = StandIn(BITS)
    engine = kind(device)
    assert (engine.bits, engine.slots) == (BITS, 2)
    engine.load_key(1, KEY)
    rng = random.Random(1)
    x = rng.randrange(KEY.n)
    y = engine.private(1, x)
    assert y == pow(x, D, KEY.n)
    assert engine.cycles == DURATION
    assert engine.public(y, KEY.e, KEY.n) == x
    assert engine.modexp(x, 5, KEY.n) == pow(x, 5, KEY.n)
    assert engine.modexp(x, D, KEY.n, leakage=MODEXP_PUBLIC) == y


@both
@pytest.mark.parametrize("code", BAD_KEYS, ids=lambda code: code.name)
def test_bad_keys(kind: Engines, code: Error) -> None:
    engine = kind(StandIn(BITS))
    with pytest.raises(EngineError, match=code.name):
        engine.load_key(0, BAD_KEYS[code])
    with pytest.raises(EngineError, match="SLOT_EMPTY"):
        engine.private(0, 5)


def test_a_key_of_an_illegal_length_is_told_its_lengths() -> None:
    engine = RsaEngine(StandIn(BITS))
    for wrong, lengths in (
        (replace(KEY, p=P >> 8 | 1), "n has 1024 bits, p 504, q 512"),
        (replace(KEY, n=KEY.n << 8 | 1), "n has 1032 bits, p 512, q 512"),
    ):
        with pytest.raises(EngineError, match=rf"LENGTH: .*ceil\(n_bits / 2\).*; {lengths}"):
            engine.load_key(0, wrong)


@both
def test_errors_of_operations(kind: Engines) -> None:
    engine = kind(StandIn(BITS))
    engine.load_key(0, KEY)
    with pytest.raises(EngineError, match="MESSAGE"):
        engine.private(0, KEY.n)
    with pytest.raises(EngineError, match="SLOT_EMPTY"):
        engine.private(1, 5)
    with pytest.raises(EngineError, match="MODULUS_EVEN"):
        engine.public(5, 3, KEY.n - 1)
    with pytest.raises(EngineError, match="LENGTH"):
        engine.public(5, 3, 1 << BITS | 1)
    engine.start_private(0, 5)
    with pytest.raises(EngineError, match="BUSY"):
        engine.start_private(0, 5)
    assert engine.abort() is Error.ABORTED
    assert engine.private(0, 5) == pow(5, D, KEY.n)
    engine.zeroize(0)
    with pytest.raises(EngineError, match="SLOT_EMPTY"):
        engine.private(0, 5)


@both
def test_what_the_drivers_refuse(kind: Engines) -> None:
    device = StandIn(BITS)
    engine = kind(device)
    with pytest.raises(EngineError, match="USE"):
        engine.load_key(2, KEY)
    engine.load_key(1, KEY)
    with pytest.raises(EngineError, match="LENGTH"):
        engine.modexp(5, 9, KEY.n, e_bits=3)
    with pytest.raises(EngineError, match="OPERATION"):
        engine.modexp(5, 9, KEY.n, leakage=9)
    with pytest.raises(EngineError, match="SLOT_EMPTY"):
        engine.zeroize(17)
    assert list(device.keys) == [1]


def test_numbers_and_slots_that_the_driver_in_python_refuses() -> None:
    """In C they can't be written."""
    engine = RsaEngine(StandIn(BITS))
    engine.load_key(0, KEY)
    for x in (-5, 1 << BITS):
        with pytest.raises(EngineError, match="MESSAGE"):
            engine.private(0, x)
        with pytest.raises(EngineError, match="MESSAGE"):
            engine.public(x, 3, KEY.n)
    for call in (
        lambda: engine.modexp(5, 1 << 40, 9),
        lambda: engine.modexp(5, 7, 9, e_bits=-1),
        lambda: engine.public(5, -3, KEY.n),
        lambda: engine.public(5, 3, -KEY.n),
    ):
        with pytest.raises(EngineError, match="LENGTH"):
            call()
    with pytest.raises(EngineError, match="USE"):
        engine.load_key(-1, KEY)
    for slot in (-1, 2):
        with pytest.raises(EngineError, match="SLOT_EMPTY"):
            engine.adopt(slot, BITS)
        with pytest.raises(EngineError, match="SLOT_EMPTY"):
            engine.zeroize(slot)


@both
def test_start_and_poll(kind: Engines) -> None:
    device = StandIn(BITS)
    engine = kind(device)
    engine.start_load(0, KEY)
    assert engine.poll() is None
    device.wait(DURATION)
    assert engine.poll() is Error.OK
    engine.start_private(0, 7)
    engine.wait()
    assert sum(device.read(Y + 4 * i) << 32 * i for i in range(BITS // 32)) == pow(7, D, KEY.n)


@both
def test_zeroize_all_and_lock(kind: Engines) -> None:
    device = StandIn(BITS)
    engine = kind(device)
    engine.load_key(0, KEY)
    engine.lock()
    assert device.read(LOCK) == 1
    engine.zeroize()
    assert device.keys == {}


@both
def test_a_short_number_is_written_with_zeros_above(kind: Engines) -> None:
    device = StandIn(BITS)
    engine = kind(device)
    engine.public(KEY.n - 1, 3, KEY.n)
    engine.public(2, 3, 15)
    assert [device.memory[X + 4 * i] for i in range(BITS // 32)] == [2] + [0] * (BITS // 32 - 1)


@both
def test_no_device(kind: Engines) -> None:
    class Nothing(StandIn):
        def read(self, address: int) -> int:
            return 0

    with pytest.raises(EngineError) as caught:
        kind(Nothing())
    assert caught.value.code == DEVICE


class Stuck(StandIn):
    """A device whose STATUS, from a moment on, reads as ``status``, and whose interrupt is high."""

    status: int | None = None

    def read(self, address: int) -> int:
        return super().read(address) if self.status is None or address != STATUS else self.status

    def wait(self, cycles: int) -> bool:
        return super().wait(cycles) or self.status is not None


ENDLESS = {
    "end of the operation": lambda engine: engine.wait(),
    "end of the aborted operation": lambda engine: engine.abort(),
    "end of the wipe": lambda engine: engine.zeroize(),
}


@both
@pytest.mark.parametrize("status", [0xFFFFFFFF, BUSY], ids=["ones", "never ready"])
@pytest.mark.parametrize("event", ENDLESS)
def test_no_wait_is_without_an_end(kind: Engines, status: int, event: str) -> None:
    device = Stuck(64)
    engine = kind(device)
    engine.start_load(0, KEY_64)
    device.status = status
    if isinstance(engine, CEngine):
        engine.device.limit = 1000
    with pytest.raises(EngineError) as caught:
        ENDLESS[event](engine)
    assert caught.value.code == TIMEOUT
    if kind is RsaEngine:
        limit = slowest(64)
        assert f"TIMEOUT: the device or its bus hangs, or the limit is too low; the {event}" in str(
            caught.value
        )
        assert f"did not come within {limit} cycles" in str(caught.value)
    device.status = None
    if event == "end of the operation":
        engine.wait()


@both
def test_a_wipe_after_reset_that_does_not_end(kind: Engines) -> None:
    device = Stuck(64)
    device.status = BUSY | WIPING
    with pytest.raises(EngineError) as caught:
        kind(device)
    assert caught.value.code == TIMEOUT


def test_the_limit_can_be_chosen() -> None:
    device = StandIn(BITS)
    with pytest.raises(EngineError, match="within 0 cycles"):
        RsaEngine(device, limit=0).load_key(0, KEY)


def test_the_limit_is_above_the_slowest_operation() -> None:
    for bits in (32, 64, 512, 2048, 4096):
        engine = design("rsa", bits=bits, core="scs_mm_ct", min_bits=16, halves=1, window=2)
        # A turn of the slowest multiplier that an engine takes has 4 bits + 64 cycles.
        load = 20 * sum(engine.turns(bits, engine.public_exponent)) * (2 * bits + 68)
        assert max(load, 2 * bits * (4 * bits + 64)) < slowest(bits)


def test_a_code_that_no_engine_has_is_a_fault() -> None:
    device = Stuck(BITS)
    engine = RsaEngine(device)
    engine.start_load(0, KEY)
    device.status = DONE | 0x80 << 8
    with pytest.raises(EngineError, match="FAULT"):
        engine.wait()


def test_a_hook_aborts() -> None:
    device = StandIn(BITS)
    engine = CEngine(device)
    engine.load_key(0, KEY)
    engine._hook = type(engine._hook)(lambda _device, _context: 1)
    engine.device.hook = engine._hook
    with pytest.raises(EngineError, match="ABORTED"):
        engine.private(0, 5)
    assert not engine.bus_errors


def test_interrupts_in_c() -> None:
    device = StandIn(BITS)
    engine = CEngine(device)
    engine._call("mf_irq_enable", 3)
    engine.load_key(0, KEY)
    assert device.wait(1)
    assert engine._call("mf_irq_take") == 1
    assert device.read(INTR_STATE) == 0
    assert not device.wait(1)


@pytest.mark.parametrize("length", [0, 1, 3, 4, 5, 16, 17])
def test_octet_strings(length: int) -> None:
    rng = random.Random(length)
    data = rng.randbytes(length)
    found = array(0, 128)
    value = int.from_bytes(data, "big")
    code = library().mf_os2ip(found, c_size_t(4), data, c_size_t(length))
    assert code == (RANGE if value >> 128 else 0)
    if code:
        return
    assert number(found) == value
    back = create_string_buffer(length)
    assert library().mf_i2osp(back, c_size_t(length), found, c_size_t(4)) == 0
    assert back.raw[:length] == data
    if value >> 8:
        short = (value.bit_length() + 7) // 8 - 1
        assert library().mf_i2osp(back, c_size_t(short), found, c_size_t(4)) == RANGE


def test_the_driver_is_freestanding(tmp_path: Path) -> None:
    """It has no symbols of others, for this machine and for RISC-V without a library."""
    compilers = [["gcc"]]
    riscv = shutil.which("riscv64-unknown-elf-gcc")
    if riscv is None:
        pytest.skip("gcc-riscv64-unknown-elf is not installed")
    compilers.append([riscv, "-march=rv32im", "-mabi=ilp32"])
    for command in compilers:
        target = tmp_path / "driver.o"
        subprocess.run(
            [*command, *FLAGS, "-Os", "-ffreestanding", "-nostdlib", "-r", *SOURCES, "-o", target],
            check=True,
        )
        nm = command[0].replace("gcc", "nm") if command[0] != "gcc" else "nm"
        undefined = subprocess.run(
            [nm, "--undefined-only", target], capture_output=True, text=True, check=True
        ).stdout.split()
        assert {name for name in undefined if name != "U"} <= {"memset", "memcpy",
                                                               "_GLOBAL_OFFSET_TABLE_"}  # fmt: skip
