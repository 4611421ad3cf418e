# SPDX-License-Identifier: Apache-2.0
"""The RSA engine in Python integers, step by step as `mf_rsa` has it.

The values are exact: under one stream of random words the model has the blinding pairs, exponents
and intermediate values of the hardware.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import IntEnum

from montforge.arch.rsa.key import Key
from montforge.integers import powmod

LOAD, PRIVATE, PUBLIC, FULL, MODEXP_PUBLIC, SETUP = range(1, 7)
"""Operations of the engine; `FULL` and `MODEXP_PUBLIC` are also the classes of `modexp`."""
PAIR_LIFE = 32
"""Operations of a blinding pair."""
RandomWords = Callable[[], int]
"""A source of 32-bit words."""


class Error(IntEnum):
    """Error codes of the engine."""

    OK = 0
    MODULUS_EVEN = 1
    LENGTH = 2
    MESSAGE = 3
    PRIMES_EQUAL = 4
    PRODUCT = 5
    EXPONENT = 6
    PUBLIC_EXPONENT = 7
    QINV = 8
    RANGE = 9
    BUSY = 10
    SLOT_EMPTY = 11
    USE = 12
    RANDOM = 13
    FAULT = 14
    ABORTED = 15
    OPERATION = 16


@dataclass
class Half:
    """The part of a slot for one prime: modulus, exponent, R, R^2, 2^L R^2 mod n, blinding pair."""

    n: int
    d: int
    r: int
    length: int
    vf: int = 0
    vi: int = 0

    def product(self, a: int, b: int) -> int:
        """Return MonPro(a, b), canonical."""
        return a * b * pow(self.r, -1, self.n) % self.n

    def enter(self, value: int) -> int:
        """Return value R mod n for a value below 2^(2 L), from its upper and lower L bits."""
        upper, lower = value >> self.length, value & (1 << self.length) - 1
        r2 = self.r * self.r % self.n
        shift = self.product(self.product(r2, (1 << self.length) - self.n), r2)
        return (self.product(upper, shift) + self.product(lower, r2)) % self.n

    def power(self, base: int, exponent: int) -> int:
        """Return base^exponent, both in the domain."""
        plain = base * pow(self.r, -1, self.n) % self.n
        return int(powmod(plain, exponent, self.n)) * self.r % self.n


@dataclass(frozen=True)
class Private:
    """A private operation: its end, its result, and the values between."""

    error: Error
    y: int
    exponents: tuple[int, int] = (0, 0)
    m1: int = 0
    m2: int = 0
    h: int = 0


class Model:
    """One slot of an engine. ``r``: R of the half-width multiplier; ``word``: bits of a word."""

    def __init__(
        self,
        bits: int,
        r: int,
        random_words: RandomWords,
        *,
        min_bits: int = 512,
        eblind: int = 64,
        word: int = 32,
        half_words: int | None = None,
    ) -> None:
        """Start with an empty slot. ``half_words``: words of a half's value, if not the fewest."""
        fewest = max(-(-(-(-bits // 2) + 2) // word), 64 // word)
        self.half_words = fewest if half_words is None else half_words
        self.bits, self.r, self.min_bits, self.eblind = bits, r, min_bits, eblind
        self.word = word
        self.key: Key | None = None
        self.halves: tuple[Half, Half] | None = None
        self.life = 0
        self.locked = False
        """A fault overwrote the key."""
        self._random_words = random_words

    def load(self, key: Key, n_bits: int) -> Error:
        """Check ``key`` and take it. The first failing check decides the error."""
        self.key, self.locked = None, False
        error = checked(key, n_bits, self.bits, self.min_bits)
        if error:
            return error
        length = (n_bits + 1) // 2
        halves = tuple(Half(n, d, self.r, length) for n, d in ((key.p, key.dp), (key.q, key.dq)))
        self.halves = (halves[0], halves[1])
        if key.q * key.qinv % key.p != 1:
            return Error.QINV
        self._new_pair(key.e)
        self.key, self.life = key, PAIR_LIFE
        c = self._random(n_bits - 1, 2 * self.half_words)
        error = self.private(c).error
        if error:
            self.key, self.locked = None, False
            return Error.EXPONENT
        return Error.OK

    def private(self, c: int, *, checked: bool = True) -> Private:
        """Return y = c^d mod n, unless ``c`` is not below n, no key is loaded or the check fails.

        ``checked`` False leaves the check out, to show the faults that it catches.
        """
        key, halves = self.key, self.halves
        if key is None or halves is None:
            return Private(Error.USE if self.locked else Error.SLOT_EMPTY, 0)
        if c >= key.n:
            self.life = 0
            return Private(Error.MESSAGE, 0)
        if self.life == 0:
            self._new_pair(key.e)
            self.life = PAIR_LIFE
        exponents, values = [], []
        ks = [self._random(self.eblind, 64 // self.word) for _ in halves] if self.eblind else [0, 0]
        for half, k in zip(halves, ks, strict=True):
            exponents.append(half.d + k * (half.n - 1))
            x = half.product(half.enter(c), half.vf)
            values.append(half.product(half.power(x, exponents[-1]), half.vi))
            r2 = half.r * half.r % half.n
            half.vf = half.product(half.vf, half.vf)
            half.vi = half.product(half.product(half.vi, r2), half.vi)
        m1, m2 = values
        h = (m1 - m2) * key.qinv % key.p
        y = m2 + h * key.q
        good = y < key.n and key.p * key.q == key.n
        for half in halves:
            good = good and half.power(half.enter(y), key.e) == half.enter(c)
        if checked and not good:
            self.key, self.locked = None, True
            return Private(Error.FAULT, 0)
        self.life -= 1
        return Private(Error.OK, y, (exponents[0], exponents[1]), m1, m2, h)

    def _random(self, bits: int, words: int) -> int:
        """Return a random number below 2^bits, for which whole words of memory are filled."""
        drawn = [self._random_words() for _ in range(words * self.word // 32)]
        return sum(word << 32 * i for i, word in enumerate(drawn)) & (1 << bits) - 1

    def _new_pair(self, e: int) -> None:
        """Draw vi in [2, 2^(L - 1)) for both halves, and have vf = vi^-e in the domain."""
        assert self.halves is not None
        while True:
            drawn = [self._random(half.length - 1, self.half_words) for half in self.halves]
            if all(vi >= 2 for vi in drawn):
                break
        for vi, half in zip(drawn, self.halves, strict=True):
            half.vi = vi
            half.vf = half.power(vi * half.r % half.n, half.n - 1 - e)


def checked(key: Key, n_bits: int, bits: int, min_bits: int) -> Error:
    """Return the first error of a key that is found before it is used."""
    length = (n_bits + 1) // 2
    lengths = (key.n.bit_length(), key.p.bit_length(), key.q.bit_length())
    for holds, error in (
        (min_bits <= n_bits <= bits, Error.LENGTH),
        (all(value % 2 for value in (key.n, key.p, key.q)), Error.MODULUS_EVEN),
        (lengths == (n_bits, length, length), Error.LENGTH),
        (key.p != key.q, Error.PRIMES_EQUAL),
        (key.p * key.q == key.n, Error.PRODUCT),
        (key.dp % 2 == key.dq % 2 == 1 and key.dp < key.p and key.dq < key.q, Error.EXPONENT),
        (key.e % 2 == 1 and 3 <= key.e < min(1 << 32, key.p - 1, key.q - 1), Error.PUBLIC_EXPONENT),
        (key.qinv < key.p, Error.RANGE),
    ):
        if not holds:
            return error
    if any(key.e * d % (prime - 1) != 1 for prime, d in ((key.p, key.dp), (key.q, key.dq))):
        return Error.EXPONENT
    return Error.OK
