# SPDX-License-Identifier: Apache-2.0
"""Keys of any size, made from a seed, and keys that an engine must refuse. For tests, not for use:
their primes are as good as the generator."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator
from dataclasses import replace

from gmpy2 import is_prime

from montforge.rsa.model import Error, Key


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


def wrong_keys(key: Key) -> Iterator[tuple[Key, int, Error]]:
    """Yield keys that are refused, with the length to load them with, and the code.

    Some have values longer than the engine's windows for them.
    """
    bits = key.n.bit_length()
    third = make_key(bits, random.Random(9), key.e)
    yield replace(key, n=key.n - 1), bits, Error.MODULUS_EVEN
    yield replace(key, p=key.p - 1), bits, Error.MODULUS_EVEN
    yield replace(key, q=key.q - 1), bits, Error.MODULUS_EVEN
    yield key, bits - 1, Error.LENGTH
    yield key, bits + 1, Error.LENGTH
    yield replace(key, p=3), bits, Error.LENGTH
    yield replace(key, q=key.q >> 2 | 1), bits, Error.LENGTH
    yield replace(key, q=key.p), bits, Error.PRIMES_EQUAL
    yield replace(key, p=third.p), bits, Error.PRODUCT
    yield replace(key, n=third.n), bits, Error.PRODUCT
    yield replace(key, dp=key.dp + 1), bits, Error.EXPONENT
    yield replace(key, dq=key.dq + key.q - 1 | 1), bits, Error.EXPONENT
    yield replace(key, dp=key.dp ^ 2), bits, Error.EXPONENT
    yield replace(key, dq=key.dq ^ 4), bits, Error.EXPONENT
    yield replace(key, e=key.e + 1), bits, Error.PUBLIC_EXPONENT
    yield replace(key, e=1), bits, Error.PUBLIC_EXPONENT
    if bits > 32:
        yield replace(key, e=(1 << 32) + 3), bits, Error.PUBLIC_EXPONENT
    yield replace(key, qinv=key.qinv + key.p), bits, Error.RANGE
    yield replace(key, qinv=key.qinv ^ 1), bits, Error.QINV
    yield replace(key, qinv=pow(key.p, -1, key.q) % key.p), bits, Error.QINV
