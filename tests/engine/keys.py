# SPDX-License-Identifier: Apache-2.0
"""Keys of any size, made from a seed, and the bench's random words."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator

from gmpy2 import is_prime

from montforge.rsa.model import Key

MASK = (1 << 64) - 1


def prime(bits: int, e: int, rng: random.Random) -> int:
    """Return a prime of ``bits`` bits for which e has an inverse."""
    while True:
        p = rng.getrandbits(bits) | 1 << bits - 1 | 1
        if is_prime(p) and math.gcd(e, p - 1) == 1:
            return p


def make_key(bits: int, rng: random.Random, e: int = 17) -> Key:
    """Return a key whose n has ``bits`` bits."""
    while True:
        p, q = (prime((bits + 1) // 2, e, rng) for _ in range(2))
        if p != q and (p * q).bit_length() == bits:
            return Key.of(p, q, e)


def bench_words(seed: int) -> Iterator[int]:
    """Yield the words of bench.cpp's random source (splitmix64, the upper halves)."""
    state = seed * 0x9E3779B97F4A7C15 + 0x1234567 & MASK
    while True:
        state = state + 0x9E3779B97F4A7C15 & MASK
        z = state
        z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 & MASK
        z = (z ^ z >> 27) * 0x94D049BB133111EB & MASK
        yield z >> 32
