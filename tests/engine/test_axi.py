# SPDX-License-Identifier: Apache-2.0
"""The engine behind AXI4-Lite: both drivers on the RTL, refused accesses, interrupts, resets."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from montforge.arch import design
from montforge.arch.rsa.contract import KEY, E, N, X, Y
from montforge.arch.rsa.key import Key
from montforge.arch.rsa.keys import make_key, wrong_keys
from montforge.arch.rsa.model import MODEXP_PUBLIC, Error
from montforge.host.bus import SLVERR, BusError
from montforge.host.driver import EngineError, RsaEngine
from montforge.host.registers import (
    BUSY,
    CTRL,
    CYCLES,
    DONE,
    FEATURES,
    ID,
    INTR_ENABLE,
    INTR_STATE,
    IRQ_DONE,
    IRQ_ERROR,
    LENGTH,
    LOCK,
    RANDOM,
    SIZE,
    START,
    STATUS,
)
from montforge.host.simulation import Remote, Simulation, build, serve
from planted import Bug, planted_files

from .c_driver import CEngine

BITS = 64
ENGINE = design("rsa", bits=BITS, window=3, slots=2, min_bits=16, public=1)
WORDS = BITS // 32
PROGRAM_SEED = 3
SPAN = 3000
"""Cycles, less than those of a private operation."""

Engines = type[RsaEngine] | type[CEngine]
both = pytest.mark.parametrize("kind", [RsaEngine, CEngine])


@pytest.fixture(scope="module")
def program() -> Path:
    return build(ENGINE.with_form("axi").hardware, optimised=False)


@pytest.fixture
def device(program: Path) -> Iterator[Simulation]:
    with Simulation(program, seed=PROGRAM_SEED) as simulation:
        yield simulation


@pytest.fixture
def key() -> Key:
    return make_key(BITS, random.Random(7), 65537)


def answer(key: Key, x: int) -> int:
    return pow(x, pow(key.e, -1, (key.p - 1) * (key.q - 1)), key.n)


def refused(device: Simulation, address: int, value: int | None = None, strobes: int = 15) -> bool:
    try:
        device.read(address) if value is None else device.write(address, value, strobes)
    except BusError as error:
        return error.response == SLVERR
    return False


def result(device: Simulation) -> int:
    return sum(device.read(Y + 4 * i) << 32 * i for i in range(WORDS))


@both
def test_operations(device: Simulation, key: Key, kind: Engines) -> None:
    engine = kind(device)
    assert (engine.bits, engine.slots) == (BITS, 2)
    assert device.read(SIZE) == BITS | 2 << 16 | 3 << 24 | 2 << 28
    other = make_key(BITS - 3, random.Random(8), 3)
    engine.load_key(0, key)
    engine.load_key(1, other)
    rng = random.Random(1)
    for slot, loaded in ((0, key), (1, other), (0, key)):
        for x in (0, 1, loaded.n - 1, loaded.p, rng.randrange(loaded.n)):
            assert engine.private(slot, x) == answer(loaded, x)
    assert engine.cycles == device.read(CYCLES) > SPAN // 2
    phases, cycles = zip(*device.phases(), strict=True)
    assert set(phases) > {0} and list(cycles) == sorted(cycles)
    assert max(cycles) > engine.cycles


@both
def test_powers_of_one_modulus(device: Simulation, key: Key, kind: Engines) -> None:
    engine = kind(device)
    rng = random.Random(4)
    engine.load_key(0, key)
    for n in (key.n, (1 << BITS) - 59, rng.getrandbits(BITS - 7) | 1 << BITS - 8 | 1):
        x, e = rng.randrange(n), rng.getrandbits(BITS - 8)
        assert engine.public(x, 65537, n) == pow(x, 65537, n)
        assert engine.modexp(x, e, n) == pow(x, e, n)
        assert engine.modexp(x, e, n, leakage=MODEXP_PUBLIC) == pow(x, e, n)
    assert engine.private(0, 5) == answer(key, 5)
    cycles = []
    for n, x in ((key.n, 7), (key.n, 8), (key.n - 2, 9), (key.n, 10)):
        assert engine.public(x, 65537, n) == pow(x, 65537, n)
        cycles.append(engine.cycles)
    assert cycles[1] < cycles[0] == cycles[3], "a modulus is set up when it is new"
    with pytest.raises(EngineError, match="MODULUS_EVEN"):
        engine.public(5, 3, key.n - 1)
    with pytest.raises(EngineError, match="MESSAGE"):
        engine.public(key.n, 3, key.n)


@both
def test_wrong_keys(device: Simulation, key: Key, kind: Engines) -> None:
    engine = kind(device)
    for wrong, n_bits, error in wrong_keys(key):
        parts = max(wrong.p, wrong.q, wrong.dp, wrong.dq, wrong.qinv)
        if n_bits != wrong.n.bit_length() or parts >> BITS // 2 or wrong.e >> 32:
            continue
        with pytest.raises(EngineError, match=error.name):
            engine.load_key(0, wrong)
        with pytest.raises(EngineError, match="SLOT_EMPTY"):
            engine.private(0, 2)


@both
def test_errors(device: Simulation, key: Key, kind: Engines) -> None:
    engine = kind(device)
    engine.load_key(0, key)
    with pytest.raises(EngineError, match="MESSAGE"):
        engine.private(0, key.n)
    assert result(device) == 0
    with pytest.raises(EngineError, match="SLOT_EMPTY"):
        engine.private(1, 2)
    engine.start_private(0, 5)
    with pytest.raises(EngineError, match="BUSY"):
        engine.start_private(0, 6)
    engine.wait()
    assert result(device) == answer(key, 5)
    engine.zeroize(0)
    with pytest.raises(EngineError, match="SLOT_EMPTY"):
        engine.private(0, 5)
    engine.load_key(0, key)
    engine.zeroize()
    assert device.read(STATUS) >> 16 == 0


@both
def test_an_abort_at_random_cycles(device: Simulation, key: Key, kind: Engines) -> None:
    engine = kind(device)
    engine.load_key(0, key)
    rng = random.Random(2)
    for at in (0, 1, 2, *(rng.randrange(SPAN) for _ in range(12))):
        engine.start_private(0, 5)
        assert not device.wait(at)
        assert engine.abort() is Error.ABORTED
        assert result(device) == 0
        assert engine.private(0, 7) == answer(key, 7), "keys stay"


@both
def test_zeroize_while_busy(device: Simulation, key: Key, kind: Engines) -> None:
    engine = kind(device)
    for slots, at in ((0, 10), (0, SPAN // 2), (None, SPAN // 2)):
        engine.load_key(0, key)
        engine.load_key(1, key)
        engine.start_private(0, 5)
        assert not device.wait(at)
        engine.zeroize(slots)
        assert kind is CEngine or not device.wait(0), "an interrupt is left"
        assert device.read(STATUS) == DONE | Error.ABORTED << 8 | (slots is not None) << 17
        assert result(device) == 0
        with pytest.raises(EngineError, match="SLOT_EMPTY"):
            engine.private(0, 5)


def test_resets_at_random_cycles(device: Simulation, key: Key) -> None:
    rng = random.Random(3)
    for _ in range(12):
        engine = RsaEngine(device)
        engine.load_key(0, key)
        engine.start_private(0, 5)
        device.write(INTR_ENABLE, 0)
        device.wait(rng.randrange(SPAN))
        device.reset()
        device.write(INTR_ENABLE, 7)
        assert device.read(STATUS) & 1, "the wipe"
        assert refused(device, Y), "a read during the wipe"
        assert not device.wait(SPAN)
        assert device.read(STATUS) == 0
        assert result(device) == 0
        engine = RsaEngine(device)
        with pytest.raises(EngineError, match="SLOT_EMPTY"):
            engine.private(0, 5)


def test_refused_accesses(device: Simulation, key: Key) -> None:
    engine = RsaEngine(device)
    engine.load_key(0, key)
    assert (device.read(ID), device.read(FEATURES)) == (0x4D525341, 0x5F)
    for address in (X, X + 4, E, KEY, KEY + 16, CTRL, 0x34, 0xFFC, X + 4 * WORDS, 0x1800, 0xFFFC):
        assert refused(device, address), f"read of {address:#x}"
    for address in (ID, STATUS, CYCLES, Y, 0x34, X + 4 * WORDS, 0x1800, KEY + 20, 0x8000):
        assert refused(device, address, 1), f"write to {address:#x}"
    device.write(X, 5)
    for strobes in range(15):
        assert refused(device, X, 0, strobes)
        assert refused(device, LENGTH, 0, strobes)
    assert refused(device, X + 1, 0)
    engine.start_private(0, 5)
    for address in (X, E, N, KEY):
        assert refused(device, address, 0), "written while busy"
    assert refused(device, Y), "read while busy"
    engine.wait()
    assert result(device) == answer(key, 5)


def test_interrupts(device: Simulation, key: Key) -> None:
    engine = RsaEngine(device)
    engine.load_key(0, key)
    device.write(INTR_ENABLE, 7)
    assert not device.wait(4)
    for x, events in ((5, 1), (key.n, 3)):
        engine.start_private(0, x)
        assert device.wait(10 * SPAN)
        assert device.read(STATUS) & BUSY == 0
        assert device.read(INTR_STATE) == events
        device.write(INTR_STATE, events)
        assert not device.wait(4)


def events_kept(program: Path, key: Key) -> tuple[int, int]:
    """Return INTR_STATE after it was cleared in the cycle of an event, and one cycle later.

    The operation, a refused message, takes as many cycles each time. A read and a write take as
    long to the registers: the first read that sees the event comes a cycle after it.
    """
    with Simulation(program, seed=PROGRAM_SEED) as device:
        engine = RsaEngine(device)
        engine.load_key(0, key)
        device.write(INTR_ENABLE, 0)
        with pytest.raises(EngineError, match="MESSAGE"):
            engine.private(0, key.n)

        def start(cycles: int) -> None:
            device.write(CTRL, START)
            device.wait(cycles)

        def seen(after: int) -> int:
            start(after)
            found = device.read(INTR_STATE)
            device.wait(SPAN)
            device.write(INTR_STATE, 7)
            return found

        def left(after: int) -> int:
            start(after)
            device.write(INTR_STATE, 7)
            device.wait(SPAN)
            found = device.read(INTR_STATE)
            device.write(INTR_STATE, 7)
            return found

        first = next(after for after in range(SPAN) if seen(after))
        return left(first - 1), left(first)


def test_an_event_in_the_cycle_of_its_clearing_is_kept(program: Path, key: Key) -> None:
    assert events_kept(program, key) == (IRQ_DONE | IRQ_ERROR, 0)


@pytest.mark.slow
def test_a_lost_event_is_seen(key: Key, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bug = Bug("an event is lost if it is cleared in its cycle", "mf_bus_regs",
              "if(@hwif_in.intr_state.done.hwset@) begin", "(hwif_in.intr_state.done.hwset"
              " && !(decoded_reg_strb.intr_state && decoded_req_is_wr))")  # fmt: skip
    files = planted_files(ENGINE.with_form("axi").hardware.files, [bug], tmp_path)
    monkeypatch.setenv("PLANTED", "1")
    program = build(replace(ENGINE.with_form("axi").hardware, files=files), optimised=False)
    assert events_kept(program, key) == (IRQ_ERROR, 0)


def test_the_key_window_closes_until_reset(device: Simulation, key: Key) -> None:
    engine = RsaEngine(device)
    engine.load_key(0, key)
    engine.lock()
    device.write(LOCK, 0)
    assert refused(device, KEY, 0)
    assert engine.private(0, 5) == answer(key, 5)
    device.reset()
    RsaEngine(device).load_key(0, key)


def test_random_words_do_not_come_from_the_host(device: Simulation) -> None:
    device.write(RANDOM, 5)
    assert device.read(RANDOM) == 0


def test_keys_stay_between_connections(program: Path, key: Key, tmp_path: Path) -> None:
    process = serve(program, tmp_path / "socket")
    try:
        with Remote(tmp_path / "socket") as first:
            RsaEngine(first).load_key(0, key)
        with Remote(tmp_path / "socket") as second:
            engine = RsaEngine(second)
            engine.adopt(0, BITS)
            assert engine.private(0, 5) == answer(key, 5)
    finally:
        process.kill()
        process.communicate()
