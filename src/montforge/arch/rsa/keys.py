# SPDX-License-Identifier: Apache-2.0
"""Keys of any size, made from a seed, and keys that an engine must refuse. For tests, not for use:
their primes are as good as the generator."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator
from dataclasses import replace

from montforge.arch.rsa.key import Key
from montforge.arch.rsa.model import Error
from montforge.integers import is_prime

ORDERS = (2, 3, 5, 7, 17, 65537)
"""Orders r of an element of which a key of `small_orders` is wrong by a power."""


def prime(bits: int, e: int, rng: random.Random, step: int = 2) -> int:
    """Return a prime p of ``bits`` bits for which e has an inverse; ``step`` divides p - 1."""
    while True:
        p = rng.getrandbits(bits) | 1 << bits - 1 | 1
        p -= (p - 1) % step
        if p >> bits - 1 and is_prime(p) and math.gcd(e, p - 1) == 1:
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
    yield replace(key, n=0), 0, Error.LENGTH
    yield replace(key, n=key.n - 1), 0, Error.LENGTH
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
    for _, wrong in small_orders(bits):
        yield wrong, bits, Error.EXPONENT


def small_orders(bits: int) -> Iterator[tuple[int, Key]]:
    """Yield an order r, and keys of ``bits`` bits that are right for all messages x^r.

    For each r of `ORDERS` that primes of this length can have: dP off by (p - 1) / r; e = r, which
    divides p - 1, with the inverse modulo (p - 1) / r as dP; and the same of dQ.
    """
    length = (bits + 1) // 2
    rng = random.Random(bits)
    for r in ORDERS:
        step = max(4, 2 * r)  # (p - 1) / r is even, so that dP stays odd
        e = 3 if r == 17 else 17
        if step << 6 >> length:
            continue
        while True:
            p, q = prime(length, e, rng, step), prime(length, e * r if r > 2 else e, rng)
            if (p - 1) // step % r and p != q and (p * q).bit_length() == bits:
                break
        key = Key.of(p, q, e)
        wrong = [replace(key, dp=(key.dp + (p - 1) // r) % (p - 1))]
        if r > 2:
            wrong.append(replace(key, e=r, dp=pow(r, -1, (p - 1) // r), dq=pow(r, -1, q - 1)))
        for found in wrong:
            yield r, found
            exchanged = replace(found, p=q, q=p, dp=found.dq, dq=found.dp, qinv=pow(p, -1, q))
            yield r, exchanged
