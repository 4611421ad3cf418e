# SPDX-License-Identifier: Apache-2.0
"""``fixed_prime``, ``fixed_square``: models against the definition, structure, RTL."""

from __future__ import annotations

import itertools
import random

import gmpy2
import pytest

from montforge.arch import design
from montforge.arch.fixed_prime import signed_digits, typical_modulus
from montforge.errors import OperandError, ParameterError
from montforge.programs.primes import PRIMES

Form = dict[str, int | str]

BITS = {
    "bls12_381_p": 381,
    "bls12_381_r": 255,
    "bn254_p": 254,
    "bn254_r": 254,
    "bls12_377_p": 377,
    "bls12_377_r": 253,
    "p256": 256,
    "p384": 384,
    "secp256k1": 256,
    "curve25519": 255,
}


def operands(n: int, count: int) -> list[tuple[int, int]]:
    rng = random.Random(19)
    ends = (0, 1, n, 2 * n - 1)
    return [(rng.choice((*ends, rng.randrange(2 * n))), rng.randrange(2 * n)) for _ in range(count)]


def test_the_named_primes_are_the_published_ones() -> None:
    """Sizes, primality, and the identities that define the curves' parameters."""
    assert set(PRIMES) == set(BITS)
    for name, p in PRIMES.items():
        assert p.bit_length() == BITS[name]
        assert gmpy2.is_prime(p)
    x = -0xD201000000010000
    assert PRIMES["bls12_381_r"] == x**4 - x**2 + 1
    assert PRIMES["bls12_381_p"] == (x - 1) ** 2 * (x**4 - x**2 + 1) // 3 + x
    x = 0x8508C00000000001
    assert PRIMES["bls12_377_r"] == x**4 - x**2 + 1
    assert PRIMES["bls12_377_p"] == (x - 1) ** 2 * (x**4 - x**2 + 1) // 3 + x
    x = 4965661367192848881
    assert PRIMES["bn254_p"] == 36 * x**4 + 36 * x**3 + 24 * x**2 + 6 * x + 1
    assert PRIMES["bn254_r"] == 36 * x**4 + 36 * x**3 + 18 * x**2 + 6 * x + 1


def test_signed_digits() -> None:
    for value in (*range(300), 2**256 - 2**32 - 977):
        digits = signed_digits(value)
        assert sum(digit << i for i, digit in enumerate(digits)) == value
        assert all(not (a and b) for a, b in itertools.pairwise(digits))
    # The weights of the specification.
    names = ("bls12_381_p", "bls12_381_r", "bn254_p", "bls12_377_p")
    assert [sum(map(abs, signed_digits(PRIMES[name]))) for name in names] == [111, 60, 86, 98]


@pytest.mark.parametrize("word", [0, 2, 3, 5, 7])
def test_golden_model_is_the_product(word: int) -> None:
    for width in (5, 6, 8, 33):
        moduli = [typical_modulus(width), (1 << width) - 1, 1 << (width - 1) | 1]
        for n in moduli if width > 6 else range(1 << (width - 1) | 1, 1 << width, 2):
            chosen = design("fixed_prime", width=width, modulus=n, word=word)
            assert chosen.contract.closed
            for a, b in operands(n, 20):
                p = chosen.golden(a, b, n)
                assert (p * chosen.contract.r - a * b) % n == 0
                assert 0 <= p < 2 * n


def test_folding_is_the_product_modulo_n() -> None:
    for width, c in ((5, 1), (8, 7), (255, 19), (256, 2**32 + 977)):
        n = (1 << width) - c
        chosen = design("fixed_prime", width=width, modulus=n, reduction="fold")
        assert chosen.contract.r == 1
        for a, b in operands(n, 50):
            p = chosen.golden(a, b, n)
            assert (p - a * b) % n == 0
            assert 0 <= p < 2 * n


def test_the_contract_has_the_modulus_inside() -> None:
    chosen = design("fixed_prime", width=254, prime="bn254_p")
    contract, n = chosen.contract, PRIMES["bn254_p"]
    assert not contract.takes_modulus
    assert not contract.constants_spec
    assert contract.modulus.only == n
    assert contract.interval.maximum == 1
    assert chosen.from_montgomery(chosen.to_montgomery(12345, n), n) == 12345
    with pytest.raises(OperandError, match=f"{n - 2:#x}"[:8]):
        contract.modulus.check(n - 2)


@pytest.mark.parametrize(
    ("parameters", "words"),
    [
        ({"width": 256, "prime": "bn254_p"}, "nearest legal: 254"),
        ({"width": 254, "prime": "bn254_p", "modulus": 5}, "nearest legal: 0"),
        ({"width": 8, "modulus": 128}, "nearest legal: 0x81"),
        ({"width": 8, "modulus": 127}, "nearest legal: 0x81"),
        ({"width": 8, "modulus": 257}, "nearest legal: 0xff"),
        ({"width": 8, "word": 1}, "nearest legal: 2"),
        ({"width": 8, "word": 11}, "nearest legal: 10"),
        ({"width": 8, "reduction": "fold"}, "nearest legal: montgomery"),
    ],
)
def test_illegal_parameters(parameters: Form, words: str) -> None:
    for name in ("fixed_prime", "fixed_square"):
        with pytest.raises(ParameterError, match=words):
            design(name, **parameters)


@pytest.mark.parametrize(
    ("form", "cycles"),
    [
        ({"width": 256, "prime": "secp256k1", "reduction": "fold"}, 7 + 2 * 3),
        ({"width": 254, "prime": "bn254_p"}, 6 + 5 + 5),
        ({"width": 254, "prime": "bn254_p", "karatsuba": 1}, 6 + 5 + 5 + 5),
        ({"width": 255, "prime": "bls12_381_r", "word": 32}, 7 + 9 * 5),
    ],
    ids=lambda value: str(value),
)
def test_latency(form: Form, cycles: int) -> None:
    assert design("fixed_prime", **form).contract.latency.maximum == cycles
