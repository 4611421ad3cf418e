# SPDX-License-Identifier: Apache-2.0
"""The published RSA vectors of the package cryptography-vectors, through a simulated engine.

    python examples/rsa/pkcs1_vectors.py [--all] [--shortest BITS] [--keys COUNT] [-p NAME=VALUE]

PKCS #1: signatures v1.5 and PSS, ciphertexts v1.5 and OAEP, of keys with CRT parts from 1024 to
2048 bits. FIPS 186: keys of KeyGenRSA, whose d is given; the engine's x^d is compared with it. Each
number that the engine gives is compared bit for bit. Keys that do not fit the engine are left out;
without --all the first vector of each key is taken. An engine with public=1 also opens the
signatures of FIPS 186 (SigGen15, SigVer15), and the verdicts are compared. --shortest leaves out
shorter keys, --keys those of one length and source beyond the first COUNT.
"""

from __future__ import annotations

import argparse
import hashlib
import re
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from itertools import groupby, islice
from typing import TypeVar

from gmpy2 import powmod

from montforge.arch import design
from montforge.arch.parameter import named_values
from montforge.arch.rsa.key import Key
from montforge.errors import MontforgeError
from montforge.host.driver import RsaEngine
from montforge.host.padding import pkcs1_v15
from montforge.host.simulation import Simulation, build

FOLDER = files("cryptography_vectors") / "asymmetric" / "RSA"
HASH_BYTES = 20
"""Of SHA-1, which all PKCS #1 vectors have."""


@dataclass(frozen=True)
class Vector:
    """A number and its private power under a key."""

    source: str
    key: Key
    x: int
    y: int

    @property
    def n(self) -> int:
        """The modulus."""
        return self.key.n


def mgf1(seed: bytes, length: int) -> bytes:
    """Return the mask of RFC 8017, B.2.1, with SHA-1."""
    blocks = range(-(-length // HASH_BYTES))
    return b"".join(hashlib.sha1(seed + i.to_bytes(4, "big")).digest() for i in blocks)[:length]


def xor(a: bytes, b: bytes) -> bytes:
    """Return a and b bit by bit."""
    return bytes(x ^ y for x, y in zip(a, b, strict=True))


def pss(message: bytes, salt: bytes, n: int) -> int:
    """Return EMSA-PSS with SHA-1 (RFC 8017, 9.1.1)."""
    bits = n.bit_length() - 1
    length = (bits + 7) // 8
    digest = hashlib.sha1(bytes(8) + hashlib.sha1(message).digest() + salt).digest()
    block = bytes(length - len(salt) - HASH_BYTES - 2) + b"\1" + salt
    masked = int.from_bytes(xor(block, mgf1(digest, len(block))), "big")
    masked &= (1 << bits - 8 * (HASH_BYTES + 1)) - 1
    return masked << 8 * (HASH_BYTES + 1) | int.from_bytes(digest + b"\xbc", "big")


def oaep(message: bytes, seed: bytes, n: int) -> int:
    """Return EME-OAEP with SHA-1 and an empty label (RFC 8017, 7.1.1)."""
    length = (n.bit_length() + 7) // 8
    filling = bytes(length - len(message) - 2 * HASH_BYTES - 2)
    block = hashlib.sha1(b"").digest() + filling + b"\1" + message
    masked = xor(block, mgf1(seed, len(block)))
    return int.from_bytes(b"\0" + xor(seed, mgf1(masked, HASH_BYTES)) + masked, "big")


def v15_encryption(message: bytes, seed: bytes, n: int) -> int:
    """Return EME-PKCS1-v1_5 with the given filling (RFC 8017, 7.2.1)."""
    return int.from_bytes(b"\0\2" + seed + b"\0" + message, "big")


def entries(name: str) -> Iterator[tuple[str, bytes]]:
    """Yield the titles of a PKCS #1 file with their bytes."""
    text = (FOLDER / name).read_text(errors="replace").replace("\r", "")
    for found in re.finditer(r"^# ([\w ]+?)\s*:\s*\n((?:[0-9a-f ]+\n)+)", text, re.MULTILINE):
        yield found[1], bytes.fromhex(found[2])


def pkcs1(name: str, encode: Callable[[bytes, bytes, int], int]) -> Iterator[Vector]:
    """Yield the vectors of a PKCS #1 file: signatures of, or messages in, what is encoded."""
    values: dict[str, bytes] = {}
    for title, data in entries(name):
        values[title] = data
        if title not in ("Signature", "Encryption"):
            continue
        numbers = {key: int.from_bytes(value, "big") for key, value in values.items()}
        key = Key(
            numbers["Modulus"],
            numbers["Public exponent"],
            numbers["Prime 1"],
            numbers["Prime 2"],
            numbers["Prime exponent 1"],
            numbers["Prime exponent 2"],
            numbers["Coefficient"],
        )
        message = values.get("Message to be signed", values.get("Message", b""))
        random = values.get("Salt", values.get("Seed", b""))
        encoded, other = encode(message, random, key.n), numbers[title]
        x, y = (encoded, other) if title == "Signature" else (other, encoded)
        yield Vector(name, key, x, y)


def fips_keys() -> Iterator[Vector]:
    """Yield the keys of FIPS 186 KeyGenRSA, each with a number and its power by the given d."""
    name = "FIPS_186-2/KeyGenRSA.rsp"
    values: dict[str, int] = {}
    for found in re.finditer(r"^(\w+) = ([0-9a-f]+)", (FOLDER / name).read_text(), re.MULTILINE):
        values[found[1]] = int(found[2], 16)
        if found[1] == "d":
            key = Key.of(values["p"], values["q"], values["e"])
            assert key.n == values["n"]
            x = pkcs1_v15(b"FIPS 186", "sha256", key.n)
            yield Vector(name, key, x, int(powmod(x, values["d"], key.n)))


def vectors() -> Iterator[Vector]:
    """Yield all vectors, those of a key together."""
    yield from pkcs1("pkcs1v15sign-vectors.txt", lambda m, _, n: pkcs1_v15(m, "sha1", n))
    yield from pkcs1("pkcs1v15crypt-vectors.txt", v15_encryption)
    yield from pkcs1("pkcs-1v2-1d2-vec/pss-vect.txt", pss)
    yield from pkcs1("pkcs-1v2-1d2-vec/oaep-vect.txt", oaep)
    yield from fips_keys()


@dataclass(frozen=True)
class Signature:
    """A signature of FIPS 186 and whether it is right."""

    source: str
    n: int
    e: int
    digest: str
    message: bytes
    value: int
    right: bool

    def verdict(self, opened: int) -> bool:
        """Return whether ``opened``, the value to the power of e, is the padded message."""
        return opened == pkcs1_v15(self.message, self.digest, self.n)


def fips_signatures() -> Iterator[Signature]:
    """Yield the signatures of FIPS 186 with PKCS #1 v1.5: those to be made, those to be judged."""
    for name in ("SigGen15_186-2", "SigGen15_186-3", "SigVer15_186-3"):
        source = f"FIPS_186-2/{name}.rsp"
        text = (FOLDER / source).read_text()
        values: dict[str, str] = {}
        for found in re.finditer(r"^(\w+) = (\w+)", text, re.MULTILINE):
            values[found[1]] = found[2]
            if found[1] == ("Result" if "SigVer" in name else "S"):
                yield Signature(
                    source,
                    int(values["n"], 16),
                    int(values["e"], 16),
                    values["SHAAlg"].lower(),
                    bytes.fromhex(values["Msg"]),
                    int(values["S"], 16),
                    values.get("Result", "P") == "P",
                )


Entry = TypeVar("Entry", Vector, Signature)


def first_keys(found: Iterable[Entry], shortest: int, most: int | None) -> Iterator[Entry]:
    """Yield those of moduli of at least ``shortest`` bits, of ``most`` of a source and length."""
    seen: Counter[tuple[str, int]] = Counter()
    for (source, n), group in groupby(found, lambda entry: (entry.source, entry.n)):
        seen[source, n.bit_length()] += 1
        if n.bit_length() >= shortest and (most is None or seen[source, n.bit_length()] <= most):
            yield from group


def check_signatures(
    engine: RsaEngine, chosen: Iterator[Signature], most: int | None
) -> dict[str, list[int]]:
    """Return keys, signatures and wrong verdicts of each source, ``most`` of each key."""
    counts: dict[str, list[int]] = {}
    for (source, n), group in groupby(chosen, lambda signature: (signature.source, signature.n)):
        if n.bit_length() > engine.bits:
            continue
        count = counts.setdefault(source, [0, 0, 0])
        count[0] += 1
        for signature in islice(group, most):
            opened = engine.public(signature.value, signature.e, n)
            show_cycles(engine, "public", n.bit_length(), signature.e.bit_length())
            count[1] += 1
            count[2] += signature.verdict(opened) != signature.right
    return counts


def check(engine: RsaEngine, chosen: Iterator[Vector], most: int | None) -> dict[str, list[int]]:
    """Return keys, numbers and wrong numbers of each source; ``most`` numbers of each key."""
    counts: dict[str, list[int]] = {}
    for (source, key), group in groupby(chosen, lambda vector: (vector.source, vector.key)):
        if key.n.bit_length() > engine.bits:
            continue
        count = counts.setdefault(source, [0, 0, 0])
        count[0] += 1
        engine.load_key(0, key)
        for vector in islice(group, most):
            count[1] += 1
            count[2] += engine.private(0, vector.x) != vector.y
            show_cycles(engine, "private", vector.n.bit_length(), key.e.bit_length())
    return counts


@cache
def show_cycles(engine: RsaEngine, operation: str, bits: int, e_bits: int) -> None:
    """Print the cycles of the operation that has ended, if it is the first one of its kind."""
    text = f"{operation}, n of {bits} bits, e of {e_bits}: {engine.cycles:,} cycles"
    print(text, file=sys.stderr, flush=True)


def main() -> int:
    """Run the vectors and print the counts; the status is 1 if a number is wrong."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--all", action="store_true", help="all vectors of each key")
    parser.add_argument("--shortest", type=int, default=0, metavar="BITS", help="of the moduli")
    parser.add_argument("--keys", type=int, metavar="COUNT", help="of each source and length")
    parser.add_argument("-p", action="append", default=[], metavar="NAME=VALUE")
    options = parser.parse_args()
    chosen = design("rsa", **named_values(options.p or ["bits=1032", "core=mm_r2", "public=1"]))
    started = time.monotonic()
    with Simulation(build(chosen.with_form("axi").hardware)) as device:
        most = None if options.all else 1
        limits = options.shortest, options.keys
        counts = check(RsaEngine(device), first_keys(vectors(), *limits), most)
        if chosen.public:
            found = first_keys(fips_signatures(), *limits)
            counts |= check_signatures(RsaEngine(device), found, most)
    print(chosen)
    for source, (keys, numbers, wrong) in counts.items():
        print(f"{source}: {keys} keys, {numbers} numbers, {wrong} wrong")
    print(f"{time.monotonic() - started:.0f} s", file=sys.stderr)
    return int(any(wrong for _, _, wrong in counts.values()))


if __name__ == "__main__":
    try:
        sys.exit(main())
    except MontforgeError as error:
        print(f"montforge: {error}", file=sys.stderr)
        sys.exit(2)
