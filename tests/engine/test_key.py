# SPDX-License-Identifier: Apache-2.0
"""Keys of the forms in which people have them: taken, or refused with what is legal."""

from __future__ import annotations

import base64
import math
import random

import pytest
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.hazmat.primitives.serialization import (
    BestAvailableEncryption,
    Encoding,
    KeySerializationEncryption,
    NoEncryption,
    PrivateFormat,
)

from montforge.arch.rsa.key import Key
from montforge.arch.rsa.keys import make_key, prime
from montforge.arch.rsa.model import Error, Model, checked
from montforge.errors import OperandError

from .bench_words import bench_words

E = 65537
NO_SECRET = NoEncryption()


def primes(*bits: int, e: int = E) -> list[int]:
    rng = random.Random(str(bits))
    return [prime(length, e, rng) for length in bits]


def private_exponent(e: int, *factors: int) -> int:
    return pow(e, -1, math.lcm(*(p - 1 for p in factors)))


def signs(key: Key) -> bool:
    """Return whether an engine takes the key and signs with it."""
    bits, words = key.n.bit_length(), bench_words(1)
    model = Model(bits, 1 << bits // 2 + 2, lambda: next(words), min_bits=16)
    return model.load(key, bits) == Error.OK and pow(model.private(5).y, key.e, key.n) == 5


@pytest.mark.parametrize("bits", [33, 64, 512, 1023])
def test_a_key_of_n_e_d_is_taken(bits: int) -> None:
    made = make_key(bits, random.Random(bits), 17)
    for d in (
        private_exponent(17, made.p, made.q),
        pow(17, -1, (made.p - 1) * (made.q - 1)),
    ):
        key = Key.from_d(made.n, 17, d)
        assert {key.p, key.q} == {made.p, made.q}
        assert signs(key)


def der(tag: int, content: bytes) -> bytes:
    size = len(content)
    length = size.to_bytes((size.bit_length() + 7) // 8, "big")
    return bytes([tag, *([] if size < 128 else [0x80 | len(length)])]) + length + content


def pem_of(*numbers: int) -> str:
    """Return the PEM text (PKCS #1) of a key of two primes, or with more of them behind it."""
    integers = [der(2, v.to_bytes(v.bit_length() // 8 + 1, "big")) for v in numbers]
    others = [der(0x30, der(0x30, b"".join(integers[9:])))] * (len(numbers) > 9)
    text = base64.encodebytes(der(0x30, b"".join([*integers[:9], *others]))).decode()
    return f"-----BEGIN RSA PRIVATE KEY-----\n{text}-----END RSA PRIVATE KEY-----\n"


def pem_of_primes(e: int, *factors: int) -> str:
    d, (p, q), rest = private_exponent(e, *factors), factors[:2], factors[2:]
    coefficients = [v for r in rest for v in (r, d % (r - 1), pow(p * q, -1, r))]
    numbers = (d % (p - 1), d % (q - 1), pow(q, -1, p), *coefficients)
    return pem_of(int(bool(rest)), math.prod(factors), e, d, p, q, *numbers)


def test_a_pem_text_is_taken() -> None:
    made = rsa.generate_private_key(E, 1024)
    formats: tuple[tuple[PrivateFormat, KeySerializationEncryption, bytes | None], ...] = (
        (PrivateFormat.TraditionalOpenSSL, NO_SECRET, None),
        (PrivateFormat.PKCS8, NO_SECRET, None),
        (PrivateFormat.PKCS8, BestAvailableEncryption(b"word"), b"word"),
    )
    for form, secret, password in formats:
        text = made.private_bytes(Encoding.PEM, form, secret)
        key = Key.from_pem(text, password)
        assert key.n == made.public_key().public_numbers().n
        assert signs(key)
    assert signs(Key.from_pem(pem_of_primes(E, *primes(512, 512))))
    with pytest.raises(OperandError, match="Password was not given"):
        Key.from_pem(text.decode())


REFUSED = {
    "unequal": (E, primes(681, 343), r"n has 1024 bits, p 681, q 343: both .* = 512 bits"),
    "513 and 511": (E, primes(513, 511), r"p 513, q 511: both primes must have .* 512 bits"),
    "three primes": (E, primes(342, 341, 341), "two different primes.*three primes are not taken"),
    "e of 33 bits": (2**32 + 15, primes(512, 512, e=2**32 + 15), r"3 <= e < 2\^32.*operation 4"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_no_engine_takes_says_what_is_legal(name: str) -> None:
    e, factors, message = REFUSED[name]
    with pytest.raises(OperandError, match=message):
        Key.from_d(math.prod(factors), e, private_exponent(e, *factors))
    # The package cryptography reads no keys of three primes.
    of_pem = "two primes" if len(factors) > 2 else message
    with pytest.raises(OperandError, match=of_pem):
        Key.from_pem(pem_of_primes(e, *factors))


P, Q = primes(256, 256)
D = private_exponent(E, P, Q)


@pytest.mark.parametrize(
    ("n", "e", "d", "message"),
    [
        (P * Q, E, D + 2, "^d "),
        (P * Q, E, 0, "^d "),
        (P * Q, E, -D, "^d "),
        (P * Q, E, 1 << 5000, "^d "),
        (P * Q, 1, D, "^e "),
        (P * Q, 4, D, "^e "),
        (P * Q, -3, D, "^e "),
        (P, E, pow(E, -1, P - 1), "^n "),
        (P * P, E, pow(E, -1, P * (P - 1)), "^n "),
        (2 * P, E, pow(E, -1, P - 1), "^n "),
        (0, E, D, "^n "),
        (-P * Q, E, D, "^n "),
    ],
)
def test_numbers_that_are_no_key_are_refused(n: int, e: int, d: int, message: str) -> None:
    with pytest.raises(OperandError, match=message):
        Key.from_d(n, e, d)


def test_a_pem_text_without_a_key_of_rsa_is_refused() -> None:
    other = ec.generate_private_key(ec.SECP256R1()).private_bytes(
        Encoding.PEM, PrivateFormat.PKCS8, NO_SECRET
    )
    for text, message in ((other, "RSA"), ("", "PEM"), ("{}", "PEM")):
        with pytest.raises(OperandError, match=message):
            Key.from_pem(text)


def test_what_is_taken_passes_the_checks_of_a_load() -> None:
    """The rules of the import are those of the engine: a key at each limit."""
    rng = random.Random(3)
    for bits in range(16, 48):
        for e in (3, 17, E):
            p, q = (prime((bits + 1) // 2 + rng.randrange(-1, 2), 3, rng) for _ in range(2))
            if p == q or math.gcd(e, (p - 1) * (q - 1)) > 1:
                continue
            key, n_bits = Key.of(p, q, e), (p * q).bit_length()
            try:
                Key.from_d(key.n, e, private_exponent(e, p, q))
                taken = True
            except OperandError:
                taken = False
            assert taken == (checked(key, n_bits, 64, 8) == Error.OK), key
