# SPDX-License-Identifier: Apache-2.0
"""The engine whose random words the host writes to register RANDOM."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from montforge.arch import design
from montforge.arch.rsa.key import Key
from montforge.arch.rsa.keys import make_key
from montforge.host.driver import PATIENCE, EngineError, RsaEngine
from montforge.host.registers import FEATURES, RANDOM
from montforge.host.simulation import Simulation, build

BITS = 32
ENGINE = design("rsa", bits=BITS, core="mm_r2", window=2, halves=1, min_bits=16)
SPACE = 16
"""Words that wait in the device at most."""
SLICE = 200
"""Cycles between two looks at register RANDOM."""


class Feeding(Simulation):
    """A device to whose register RANDOM words are written while its driver waits."""

    def __init__(self, program: Path, source: Callable[[], int]) -> None:
        super().__init__(program)
        self.source = source
        self.given = 0

    def wait(self, cycles: int) -> bool:
        for _ in range(0, cycles, SLICE):
            self.feed()
            if super().wait(SLICE):
                return True
        return False

    def feed(self) -> None:
        for _ in range(self.read(RANDOM)):
            self.write(RANDOM, self.source())
            self.given += 1


@pytest.fixture(scope="module")
def program() -> Path:
    device = ENGINE.with_form("axi").hardware
    device = replace(device, parameters={**device.parameters, "HostRandom": 1})
    return build(device, optimised=False)


@pytest.fixture
def device(program: Path) -> Iterator[Feeding]:
    rng = random.Random(1)
    with Feeding(program, lambda: rng.getrandbits(32)) as simulation:
        yield simulation


@pytest.fixture
def key() -> Key:
    return make_key(BITS, random.Random(7))


def test_operations_take_the_words_that_are_written(device: Feeding, key: Key) -> None:
    engine = RsaEngine(device)
    assert device.read(FEATURES) >> 5 & 1
    engine.load_key(0, key)
    d = pow(key.e, -1, (key.p - 1) * (key.q - 1))
    for x in (0, 5, key.n - 1):
        before = device.given
        assert engine.private(0, x) == pow(x, d, key.n)
        assert device.given - before >= 4, "two exponents are blinded with 64 bits each"


def test_an_operation_waits_for_words(device: Feeding, key: Key) -> None:
    engine = RsaEngine(device)
    engine.load_key(0, key)
    device.feed()
    for _ in range(SPACE):  # words of the random port do not count
        engine.start_private(0, 5)
        if not Simulation.wait(device, PATIENCE // 2):
            break
        engine.wait()
    else:
        pytest.fail("operations went on without words")
    assert engine.poll() is None
    assert device.read(RANDOM) == SPACE
    engine.wait()


def test_words_beyond_the_room_are_dropped(device: Feeding) -> None:
    room = [device.read(RANDOM)]
    for value in range(SPACE + 3):
        device.write(RANDOM, value)
        room.append(device.read(RANDOM))
    assert room == [*range(SPACE, -1, -1), 0, 0, 0]
    device.reset()
    assert device.read(RANDOM) == SPACE


def test_a_stuck_source_is_refused(device: Feeding, key: Key) -> None:
    device.source = lambda: 0x5EED
    with pytest.raises(EngineError, match="RANDOM"):
        RsaEngine(device).load_key(0, key)
