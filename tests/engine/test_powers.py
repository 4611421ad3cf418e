# SPDX-License-Identifier: Apache-2.0
"""Other uses of the engine's powers, at the demonstrations' size: Diffie-Hellman, Paillier."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator

import pytest
from tlslite.mathtls import FFDHE2048, RFC2409_GROUP2

from montforge.arch.rsa.keys import make_key
from montforge.host.driver import RsaEngine
from montforge.host.simulation import Simulation

from .wide import BITS, program

GROUPS = {1024: RFC2409_GROUP2, 2048: FFDHE2048}
SECRET_BITS = 160


@pytest.fixture
def engine() -> Iterator[RsaEngine]:
    with Simulation(program()) as device:
        yield RsaEngine(device)


def test_diffie_hellman(engine: RsaEngine) -> None:
    """Both ends agree, one in the engine, whose time depends on the secrets' length alone."""
    g, p = GROUPS[BITS]
    rng = random.Random(1)
    a, b = rng.getrandbits(SECRET_BITS) | 1, rng.getrandbits(SECRET_BITS - 40)
    sent = engine.modexp(g, a, p, e_bits=SECRET_BITS)
    assert sent == pow(g, a, p)
    assert engine.modexp(pow(g, b, p), a, p, e_bits=SECRET_BITS) == pow(sent, b, p)


def test_paillier(engine: RsaEngine) -> None:
    """A sum of two numbers, of which one was encrypted in the engine, is decrypted in it."""
    rng = random.Random(2)
    key = make_key(BITS // 2, rng)
    n, square = key.n, key.n**2
    secret = math.lcm(key.p - 1, key.q - 1)
    numbers = [rng.randrange(n >> 1) for _ in range(2)]
    blinds = [rng.randrange(2, n) for _ in numbers]
    powers = [engine.modexp(blinds[0], n, square, e_bits=BITS // 2), pow(blinds[1], n, square)]
    product = math.prod((1 + m * n) * r for m, r in zip(numbers, powers, strict=True)) % square
    opened = engine.modexp(product, secret, square, e_bits=BITS // 2)
    assert (opened - 1) // n * pow(secret, -1, n) % n == sum(numbers)
