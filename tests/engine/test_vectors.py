# SPDX-License-Identifier: Apache-2.0
"""Published vectors through the Verilated engine, bit for bit, a few of each kind."""

from __future__ import annotations

import pytest
from pkcs1_vectors import check, check_signatures, fips_signatures, vectors

from montforge.host.driver import RsaEngine
from montforge.host.simulation import Simulation

from .wide import program

NUMBERS = {
    "pkcs1v15sign-vectors.txt": 300,
    "pkcs1v15crypt-vectors.txt": 300,
    "pkcs-1v2-1d2-vec/pss-vect.txt": 60,
    "pkcs-1v2-1d2-vec/oaep-vect.txt": 60,
    "FIPS_186-2/KeyGenRSA.rsp": 30,
}
LONGEST = 1032
WRONG = 375


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


def test_signatures_of_fips_186() -> None:
    """500 to be made and 450 to be judged; of each digest and verdict one here."""
    found = list(fips_signatures())
    for signature in found:
        assert signature.verdict(pow(signature.value, signature.e, signature.n)) == signature.right
    assert (len(found), sum(not signature.right for signature in found)) == (950, WRONG)
    fitting = [signature for signature in found if signature.n.bit_length() <= LONGEST]
    chosen = {(s.source, s.digest, s.right): s for s in fitting}.values()
    with Simulation(program()) as device:
        counts = check_signatures(RsaEngine(device), iter(chosen), None)
    assert [numbers for _, numbers, _ in counts.values()] == [5, 5, 10]
    assert all(wrong == 0 for _, _, wrong in counts.values())
