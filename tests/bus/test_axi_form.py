# SPDX-License-Identifier: Apache-2.0
"""The AXI4-Lite form of plain cores: registers, windows, interrupt, refused accesses."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from run_cocotb import run_cocotb

from montforge.arch import design
from montforge.errors import ParameterError
from montforge.hardware.axi import INPUTS, OUTPUTS, windows
from montforge.host.bus import SLVERR, BusError
from montforge.host.simulation import Simulation, build
from montforge.verify.stimuli import stimuli

ID, SIZE, FEATURES, CTRL, COMMAND, LENGTH, STATUS = range(0, 0x1C, 4)
INTR_STATE, INTR_ENABLE, INTR_TEST, CYCLES, RANDOM, LOCK = range(0x1C, 0x34, 4)
START, ABORT, ZEROIZE_SLOT, ZEROIZE_ALL = 1, 2, 4, 8
BUSY, DONE = 1, 2
ABORTED = 15
OPERATION = 16
SET_UP = 6
MESSAGE = 3
WIDTH = 40
POWER = design("modexp", width=WIDTH, multiplier="booth_csa")
PLACES = {window.port.name: window for window in windows(POWER.contract)}
SEED = 1


@pytest.fixture(scope="module")
def program() -> Path:
    return build(POWER.with_form("axi").hardware, optimised=False)


@pytest.fixture
def device(program: Path) -> Iterator[Simulation]:
    with Simulation(program) as simulation:
        simulation.write(INTR_ENABLE, 7)
        yield simulation


def words(value: int, number: int) -> list[int]:
    return [value >> 32 * i & 0xFFFFFFFF for i in range(number)]


def load(device: Simulation, x: int, e: int, n: int) -> None:
    patterns = POWER.contract.encode(
        {"x": x, "e": e, "e_len": WIDTH, "n": n}, POWER.constants(n), None
    )
    for port, value in zip(POWER.contract.operand_ports, patterns, strict=True):
        window = PLACES[port.name]
        device.write_words(window.address, words(value, window.words))


def result(device: Simulation) -> int:
    return device.read(OUTPUTS) | device.read(OUTPUTS + 4) << 32


def random_operation(rng: random.Random) -> tuple[int, int, int]:
    n = rng.getrandbits(WIDTH) | 1 << WIDTH - 1 | 1
    return rng.randrange(n), rng.getrandbits(WIDTH), n


def refused(device: Simulation, address: int, value: int | None = None, strobes: int = 15) -> bool:
    try:
        device.read(address) if value is None else device.write(address, value, strobes)
    except BusError as error:
        return error.response == SLVERR
    return False


def test_powers_and_their_cycles(device: Simulation) -> None:
    rng = random.Random(SEED)
    assert (device.read(ID), device.read(SIZE), device.read(FEATURES)) == (0x4D434F52, WIDTH, 0x80)
    for _ in range(5):
        x, e, n = random_operation(rng)
        load(device, x, e, n)
        device.write(CTRL, START)
        assert device.read(STATUS) == BUSY
        assert device.wait(10_000)
        assert device.read(STATUS) == DONE
        assert result(device) == pow(x, e, n)
        assert device.read(CYCLES) == POWER.cycles(x, e, WIDTH, n)
        device.write(INTR_STATE, 7)
        assert not device.wait(2)


def test_a_status_of_the_core_is_an_error(device: Simulation) -> None:
    _x, e, n = random_operation(random.Random(SEED))
    load(device, n, e, n)
    device.write(CTRL, START)
    assert device.wait(10_000)
    assert device.read(STATUS) == MESSAGE << 8 | DONE
    assert device.read(INTR_STATE) == 3
    assert result(device) == 0


def test_what_is_refused_has_no_effect(device: Simulation) -> None:
    x, e, n = random_operation(random.Random(SEED))
    load(device, x, e, n)
    device.write(LENGTH, 0x12345678)
    last = max(window.address + 4 * window.words for window in PLACES.values() if
               window.port.direction == "input")  # fmt: skip
    for address in (0x34, 0x40, 0xFFC, last, 0x7FFC, OUTPUTS + 12, 0xFFFC, INPUTS, CTRL, INTR_TEST):
        assert refused(device, address), f"read of {address:#x}"
    for address in (ID, STATUS, CYCLES, 0x34, 0xFFC, last, OUTPUTS):
        assert refused(device, address, 1), f"write to {address:#x}"
    for strobes in (0, 1, 3, 7, 12, 14):
        assert refused(device, LENGTH, 1, strobes)
        assert refused(device, INPUTS, 1, strobes)
    for shift in (1, 2, 3):
        assert refused(device, LENGTH + shift, 1)
        assert refused(device, STATUS + shift)
    assert refused(device, INPUTS + 4, 1 << WIDTH - 32), "a bit above the operand"
    assert device.read(LENGTH) == 0x12345678
    device.write(CTRL, START)
    for window in PLACES.values():
        assert refused(device, window.address, 0), "written while busy"
    assert device.wait(10_000)
    assert result(device) == pow(x, e, n)


def test_a_second_start_changes_nothing(device: Simulation) -> None:
    x, e, n = random_operation(random.Random(SEED))
    load(device, x, e, n)
    device.write(CTRL, START)
    device.write(CTRL, START)
    assert device.wait(10_000)
    assert device.read(CYCLES) == POWER.cycles(x, e, WIDTH, n)
    assert result(device) == pow(x, e, n)


@pytest.mark.parametrize("command", [ABORT, ZEROIZE_SLOT, ZEROIZE_ALL])
def test_an_end_at_any_cycle(device: Simulation, command: int) -> None:
    rng = random.Random(SEED)
    x, e, n = random_operation(rng)
    device.write(INTR_ENABLE, 0)
    length = POWER.cycles(x, e, WIDTH, n)
    for at in (*range(8), *rng.sample(range(length), 20), *range(length - 12, length + 4)):
        load(device, x, e, n)
        device.write(CTRL, START)
        device.wait(at)
        device.write(CTRL, command)
        device.wait(4)
        status = device.read(STATUS)
        if command == ABORT:
            assert status in (ABORTED << 8 | DONE, DONE)
            assert result(device) == (0 if status >> 8 else pow(x, e, n))
        else:
            assert status in (0, ABORTED << 8 | DONE)
            assert result(device) == 0
    load(device, x, e, n)
    device.write(CTRL, START)
    device.write(INTR_ENABLE, 1)
    device.write(INTR_STATE, 7)
    assert device.wait(10_000)
    assert result(device) == pow(x, e, n)


def test_zeroize_overwrites_inputs(device: Simulation) -> None:
    x, e, n = random_operation(random.Random(SEED))
    load(device, x, e, n)
    device.write(CTRL, ZEROIZE_ALL)
    device.wait(4)
    device.write(CTRL, START)
    assert device.wait(10_000)
    assert device.read(STATUS) == 1 << 8 | DONE, "a modulus of 0"


def test_reset_in_the_middle(device: Simulation) -> None:
    rng = random.Random(SEED)
    x, e, n = random_operation(rng)
    for _ in range(8):
        load(device, x, e, n)
        device.write(CTRL, START)
        device.write(INTR_ENABLE, 0)
        device.wait(rng.randrange(POWER.cycles(x, e, WIDTH, n)))
        device.reset()
        device.write(INTR_ENABLE, 7)
        assert not device.wait(20)
        assert device.read(STATUS) == 0
        assert result(device) == 0
        load(device, x, e, n)
        device.write(CTRL, START)
        assert device.wait(10_000)
        assert result(device) == pow(x, e, n)
        device.write(INTR_STATE, 7)


def test_interrupts_by_test_enable_and_clear(device: Simulation) -> None:
    for bit in (1, 2, 4):
        for enabled in range(8):
            device.write(INTR_ENABLE, enabled)
            device.write(INTR_TEST, bit)
            assert device.read(INTR_STATE) == bit
            assert device.wait(1) == bool(bit & enabled)
            device.write(INTR_STATE, 7 & ~bit)
            assert device.read(INTR_STATE) == bit
            device.write(INTR_STATE, bit)
            assert device.read(INTR_STATE) == 0


def test_an_event_in_the_cycle_of_its_clearing_is_kept(device: Simulation) -> None:
    """A write reaches the register two cycles after it begins; the interrupt follows the event."""
    x, e, n = random_operation(random.Random(SEED))
    load(device, x, e, n)
    device.write(CTRL, START)
    before = device.cycles
    assert device.wait(10_000)
    together = device.cycles - before - 2
    for at, kept in ((together - 1, 1), (together, 1), (together + 1, 0)):
        device.write(INTR_STATE, 7)
        device.write(INTR_ENABLE, 0)
        device.write(CTRL, START)
        device.wait(at)
        device.write(INTR_STATE, 7)
        device.wait(4)
        assert device.read(INTR_STATE) == kept


def test_random_and_lock_of_a_plain_core(device: Simulation) -> None:
    device.write(RANDOM, 5)
    assert device.read(RANDOM) == 0
    device.write(LOCK, 1)
    device.write(LOCK, 0)
    assert device.read(LOCK) == 1


# ---------------------------------------------------------------- a core with a load phase

LOADED = design(
    "modexp", width=WIDTH, constants="hardware", algorithm="ladder", exponent_bits=20, adder=16
)
LOADED_PLACES = {window.port.name: window for window in windows(LOADED.contract)}


@pytest.fixture(scope="module")
def loaded_program() -> Path:
    return build(LOADED.with_form("axi").hardware, optimised=False)


@pytest.fixture
def loaded_device(loaded_program: Path) -> Iterator[Simulation]:
    with Simulation(loaded_program) as simulation:
        simulation.write(INTR_ENABLE, 7)
        yield simulation


def start(device: Simulation, op: int) -> int:
    """Start operation ``op``, clear the interrupt after it, and return the status."""
    device.write(COMMAND, op)
    device.write(CTRL, START)
    assert device.wait(20_000)
    device.write(INTR_STATE, 7)
    return device.read(STATUS)


def put(device: Simulation, **values: int) -> None:
    for name, value in values.items():
        window = LOADED_PLACES[f"{name}_i"]
        device.write_words(window.address, words(value, window.words))


def test_a_load_holds_for_all_requests_until_the_next(loaded_device: Simulation) -> None:
    rng = random.Random(SEED)
    assert LOADED.contract.load is not None
    assert loaded_device.read(FEATURES) == 0x90
    for _ in range(2):
        x, e, n = random_operation(rng)
        put(loaded_device, n=n)
        assert start(loaded_device, SET_UP) == DONE
        cycles = LOADED.contract.load.cycles
        assert loaded_device.read(CYCLES) == cycles.minimum  # of a modulus as long as the width
        assert result(loaded_device) == 0, "a load has no result"
        put(loaded_device, n=rng.getrandbits(WIDTH))
        for bits in (20, 7):
            put(loaded_device, x=x, e=e % (1 << bits), e_len=bits)
            assert start(loaded_device, 0) == DONE
            assert result(loaded_device) == pow(x, e % (1 << bits), n)
            assert loaded_device.read(CYCLES) == LOADED.cycles(x, e % (1 << bits), bits, n)


def test_a_request_without_a_load_is_an_error(loaded_device: Simulation) -> None:
    x, e, n = random_operation(random.Random(SEED))
    e %= 1 << 20
    put(loaded_device, n=n, x=x, e=e, e_len=20)
    refused_status = OPERATION << 8 | DONE
    assert start(loaded_device, 0) == refused_status
    assert start(loaded_device, SET_UP) == DONE
    assert start(loaded_device, 0) == DONE
    assert result(loaded_device) == pow(x, e, n)
    for at in (0, 5, 100):
        for op in (SET_UP, 0):
            loaded_device.write(COMMAND, op)
            loaded_device.write(CTRL, START)
            loaded_device.wait(at)
            loaded_device.write(CTRL, ABORT)
            assert loaded_device.wait(8)
            loaded_device.write(INTR_STATE, 7)
            assert loaded_device.read(STATUS) == ABORTED << 8 | DONE
            assert start(loaded_device, 0) == refused_status, "an abort forgets the load"
            assert result(loaded_device) == 0
            assert start(loaded_device, SET_UP) == DONE
    loaded_device.write(CTRL, ZEROIZE_ALL)
    loaded_device.wait(4)
    assert start(loaded_device, 0) == refused_status
    assert start(loaded_device, SET_UP) == DONE
    assert start(loaded_device, 0) == 1 << 8 | DONE, "a modulus of 0"


def test_too_many_words_are_refused() -> None:
    contract = POWER.contract
    wide = replace(contract.fields[0], words=6000)
    with pytest.raises(ParameterError, match="7168"):
        windows(replace(contract, fields=(wide, *contract.fields[1:])))


@pytest.mark.slow
def test_axi_under_stalls(tmp_path: Path) -> None:
    wrapped = design("mm_r2", width=40).with_form("axi")
    passed = run_cocotb(
        wrapped.hardware.files,
        wrapped.hardware.top,
        {},
        "axi_form_bench",
        tmp_path,
        BENCH_SEED=str(SEED),
    )
    assert len(passed) == 3
    assert all(passed.values()), (passed, (tmp_path / "test.log").read_text()[-4000:])


def test_carry_save_pairs() -> None:
    chosen = design("booth_csa", width=33, radix=16)
    rng = random.Random(SEED)
    n = rng.getrandbits(chosen.contract.width) | 1 << chosen.contract.width - 1 | 1
    operation = next(stimuli(chosen.contract).random(rng, n))
    patterns = chosen.contract.encode(operation, chosen.constants(n), rng)
    places = windows(chosen.contract)
    with Simulation(build(chosen.with_form("axi").hardware, optimised=False)) as device:
        device.write(INTR_ENABLE, 1)
        for window, value in zip(places, patterns, strict=False):
            device.write_words(window.address, words(value, window.words))
        device.write(CTRL, START)
        assert device.wait(100_000)
        found = [
            sum(device.read(w.address + 4 * i) << 32 * i for i in range(w.words))
            for w in places[len(patterns) :]
        ]
    assert chosen.contract.decode(found)[chosen.contract.results[0].name] == chosen.golden(
        **operation
    )
