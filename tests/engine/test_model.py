# SPDX-License-Identifier: Apache-2.0
"""The engine's model: results, load checks in their order, blinding."""

from __future__ import annotations

import math
import random

import pytest
from cryptography.hazmat.primitives.asymmetric import rsa

from montforge.arch.rsa.key import Key
from montforge.arch.rsa.keys import make_key, wrong_keys
from montforge.arch.rsa.model import Error, Model

from .bench_words import bench_words


def new_model(bits: int, **options: int) -> Model:
    words = bench_words(1)
    return Model(bits, 1 << bits // 2 + 2, lambda: next(words), **{"min_bits": 16} | options)


@pytest.mark.parametrize("bits", [16, 31, 32, 33, 64, 129])
@pytest.mark.parametrize("eblind", [0, 64])
def test_results_are_powers(bits: int, eblind: int) -> None:
    rng = random.Random(bits)
    model = new_model(bits, eblind=eblind)
    for e in (3, 17):
        key = make_key(bits, rng, e)
        d = pow(e, -1, (key.p - 1) * (key.q - 1))
        assert model.load(key, bits) == Error.OK
        for c in (0, 1, 2, key.n - 1, key.p, key.q * 2, rng.randrange(key.n)):
            found = model.private(c)
            assert (found.error, found.y) == (Error.OK, pow(c, d, key.n))
        assert model.private(key.n).error == Error.MESSAGE


def test_a_key_of_cryptography_signs() -> None:
    key = Key.from_private_key(rsa.generate_private_key(public_exponent=65537, key_size=1024))
    model = new_model(1024, min_bits=512)
    assert model.load(key, 1024) == Error.OK
    c = random.Random(2).randrange(key.n)
    assert pow(model.private(c).y, key.e, key.n) == c


@pytest.mark.parametrize("bits", [32, 63])
def test_wrong_keys_are_refused_by_their_codes(bits: int) -> None:
    # One bit above the primes, so that values beyond them can be given.
    key = make_key(bits, random.Random(4))
    for wrong, n_bits, error in wrong_keys(key):
        model = new_model(bits)
        assert model.load(wrong, n_bits) == error, wrong
        assert model.private(2).error == Error.SLOT_EMPTY


def test_exponents_and_pairs_are_new_each_time() -> None:
    model = new_model(64)
    key = make_key(64, random.Random(5))
    model.load(key, 64)
    found = [model.private(3) for _ in range(40)]
    assert len({f.exponents for f in found}) == 40
    assert len({f.y for f in found}) == 1
    assert model.life == 2 * 32 - 40 - 1
    for f in found:
        assert all(0 <= d < 1 << 32 + 64 for d in f.exponents)
        assert (f.exponents[0] - key.dp) % (key.p - 1) == 0
        assert f.exponents[0] != f.exponents[1]


def test_the_check_is_what_keeps_a_wrong_result_in() -> None:
    for checked in (True, False):
        model = new_model(64)
        key = make_key(64, random.Random(6))
        model.load(key, 64)
        assert model.halves is not None
        model.halves[0].d ^= 2
        found = model.private(5, checked=checked)
        assert found.error == (Error.FAULT if checked else Error.OK)
        if not checked:
            # Boneh, DeMillo, Lipton: the wrong result gives the factor.
            assert math.gcd(pow(found.y, key.e, key.n) - 5, key.n) == key.q
