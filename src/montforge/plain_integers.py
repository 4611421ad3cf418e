# SPDX-License-Identifier: Apache-2.0
"""The functions of `montforge.integers` in Python alone, named as those of gmpy2."""

from __future__ import annotations

import math
import random

mpz = int
powmod = pow
ROUNDS = 25
"""A composite number passes a round with a probability of at most 1/4."""
SMALL_PRIMES = [p for p in range(2, 2000) if all(p % d for d in range(2, math.isqrt(p) + 1))]
PRIMORIAL = math.prod(SMALL_PRIMES)


def invert(value: int, modulus: int) -> int:
    """Return the inverse of ``value``. Raises ValueError if there is none."""
    return pow(value, -1, modulus)


def is_power(value: int) -> bool:
    """Return whether ``value``, at least 2, is a power of an integer with an exponent above 1."""
    return any(_root(value, k) ** k == value for k in range(2, value.bit_length() + 1))


def is_prime(value: int) -> bool:
    """Return whether ``value`` is probably prime: small factors, then Miller and Rabin's test.

    Bases are random. A composite number is taken for a prime with a probability below 2^-50.
    """
    if value <= SMALL_PRIMES[-1]:
        return value in SMALL_PRIMES
    if math.gcd(value, PRIMORIAL) > 1:
        return False
    bases = random.SystemRandom()
    return all(_passes(value, bases.randrange(2, value - 1)) for _ in range(ROUNDS))


def _passes(value: int, base: int) -> bool:
    """Return whether odd ``value`` passes a round of Miller and Rabin's test."""
    twos = (value - 1 & -(value - 1)).bit_length() - 1
    power = pow(base, value - 1 >> twos, value)
    if power in (1, value - 1):
        return True
    for _ in range(twos - 1):
        power = power * power % value
        if power == value - 1:
            return True
    return False


def _root(value: int, k: int) -> int:
    """Return the largest integer whose power of ``k`` is at most ``value``, by Newton's steps."""
    root = 1 << -(-value.bit_length() // k)
    while (step := ((k - 1) * root + value // root ** (k - 1)) // k) < root:
        root = step
    return root
