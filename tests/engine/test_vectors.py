# SPDX-License-Identifier: Apache-2.0
"""Published vectors through the Verilated engine, bit for bit, a few of each kind."""

from __future__ import annotations

import pytest
from pkcs1_vectors import check, vectors

from montforge.rsa.driver import RsaEngine
from montforge.rsa.simulation import Simulation

from .wide import program

NUMBERS = {
    "pkcs1v15sign-vectors.txt": 300,
    "pkcs1v15crypt-vectors.txt": 300,
    "pkcs-1v2-1d2-vec/pss-vect.txt": 60,
    "pkcs-1v2-1d2-vec/oaep-vect.txt": 60,
    "FIPS_186-2/KeyGenRSA.rsp": 30,
}
LONGEST = 1032


def test_all_are_read() -> None:
    found = list(vectors())
    assert {source: sum(v.source == source for v in found) for source in NUMBERS} == NUMBERS
    for vector in found:
        assert pow(vector.y, vector.key.e, vector.key.n) == vector.x


@pytest.mark.parametrize("source", NUMBERS)
def test_the_engine_has_their_numbers(source: str) -> None:
    fitting = [v for v in vectors() if v.source == source and v.key.n.bit_length() <= LONGEST]
    longest = [vector for vector in fitting if vector.key == fitting[-1].key]
    with Simulation(program()) as device:
        assert check(RsaEngine(device), iter(longest), 2) == {source: [1, min(2, len(longest)), 0]}
