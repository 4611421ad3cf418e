# SPDX-License-Identifier: Apache-2.0
"""The integers of Python give the answers of gmpy2, and the package runs without gmpy2."""

from __future__ import annotations

import random
import subprocess
import sys
from pathlib import Path

import gmpy2
import pytest

from montforge import integers, plain_integers

CARMICHAEL = 2465, 9746347772161, (10**7 + 19) ** 3
"""Two composite numbers that pass Fermat's test, and a cube without a small factor."""


def test_numbers_below_20000() -> None:
    for value in range(2, 20_000):
        assert plain_integers.is_prime(value) == gmpy2.is_prime(value), value
        assert plain_integers.is_power(value) == gmpy2.is_power(value), value


@pytest.mark.parametrize("bits", [64, 257, 1024])
def test_large_numbers(bits: int) -> None:
    rng = random.Random(bits)
    prime = int(gmpy2.next_prime(rng.getrandbits(bits)))
    other = int(gmpy2.next_prime(prime))
    for value in (prime, other, prime * other, prime**2, prime**3, prime**3 + 1, *CARMICHAEL):
        assert plain_integers.is_prime(value) == gmpy2.is_prime(value), value
        assert plain_integers.is_power(value) == gmpy2.is_power(value), value
    a, e = rng.getrandbits(bits), rng.getrandbits(bits)
    assert plain_integers.powmod(a, e, prime) == gmpy2.powmod(a, e, prime)
    assert plain_integers.invert(a, prime) == gmpy2.invert(a, prime)


def test_gmpy2_is_taken_where_it_is_installed() -> None:
    assert integers.is_prime is gmpy2.is_prime


WITHOUT = "import sys; sys.modules.update(dict.fromkeys({}))\n"
GENERATE = """
import sys
from pathlib import Path
import montforge.generate
for name, size in (("scs_mm_new", {"width": 32}), ("rsa", {"bits": 128})):
    montforge.generate.generate(montforge.design(name, **size), Path(sys.argv[1], name))
"""
NOT_IN_A_BROWSER = ["gmpy2", "platformdirs", "psutil", "pygments", "rich", "typer"]


def folders(output: Path, script: str) -> dict[Path, bytes]:
    subprocess.run([sys.executable, "-c", script, output], check=True)
    return {p.relative_to(output): p.read_bytes() for p in output.rglob("*") if p.is_file()}


def test_folders_are_the_same_without_what_a_browser_lacks(tmp_path: Path) -> None:
    plain = folders(tmp_path / "plain", WITHOUT.format(NOT_IN_A_BROWSER) + GENERATE)
    assert plain == folders(tmp_path / "usual", GENERATE)
    assert len(plain) > 20
