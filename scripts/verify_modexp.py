# SPDX-License-Identifier: Apache-2.0
"""Verify the exponentiators: every operation of small widths, random and corner ones of larger.

    python scripts/verify_modexp.py small | large | groups [--widths N ...] [--workers N]

``small``: widths 3 to 5, all odd n, x, exponents and lengths to 5 bits, each algorithm over
binary, carry-save-pair and signed multipliers. ``large``: widths 64 to 4096 over six to eight
multipliers, random operations and corners.
``groups``: the Diffie-Hellman groups of RFC 3526 and 7919 up to 4096 bits, whose primes have 64
ones at both ends. Prints one line a design; the cache has finished work. Ends with status 1 if any
operation was wrong.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import tempfile
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import gmpy2

from montforge.arch import Core, core
from montforge.errors import ParameterError
from montforge.verify.runner import verify_core

SEED = 1
KINDS: tuple[dict[str, Any], ...] = (
    {"multiplier": "scs_mm_ct", "multiplier.block": 4},
    {"multiplier": "fcs_mmm42"},
    {"multiplier": "booth_csa", "multiplier.radix": 64},
    {"multiplier": "booth_csa", "multiplier.radix": 4},
)
"""Binary with operands below 2n; a pair below 4n whose latency depends on data; signed, binary
and (width 3 only) pairs."""
ALGORITHMS: tuple[dict[str, Any], ...] = (
    *({"algorithm": "r2l", "multipliers": m} for m in (1, 2)),
    {"algorithm": "l2r"},
    {"algorithm": "square_multiply_always"},
    *({"algorithm": "ladder", "multipliers": m} for m in (1, 2)),
    *({"algorithm": "window", "w": w} for w in (1, 2, 3)),
    *({"algorithm": "sliding", "w": w} for w in (1, 2, 3)),
    {"algorithm": "f4"},
)
GROUPS = (
    (1536, "pi", 741804),
    (2048, "pi", 124476),
    (3072, "pi", 1690314),
    (4096, "pi", 240904),
    (2048, "e", 560316),
    (3072, "e", 2625351),
    (4096, "e", 5736041),
)
"""Bits, the constant whose digits the prime has, and the offset, as the RFCs print them."""
SECRET_BITS = 400

PARTS: tuple[dict[str, Any], ...] = (
    {"multiplier": "scs_mm_ct"},
    {"multiplier": "scs_mm_skip", "algorithm": "l2r"},
    {"multiplier": "fcs_mm2", "w": 3},
    {"multiplier": "booth_csa", "multiplier.radix": 16, "algorithm": "ladder"},
    {"multiplier": "booth_csa", "multiplier.radix": 64, "multiplier.pipeline": 1, "w": 5},
    {"multiplier": "eberle", "algorithm": "r2l"},
    {"multiplier": "rmm", "multiplier.multiplier": "inferred", "w": 6},
    {"multiplier": "fios_dsp", "multiplier.variant": "unit", "algorithm": "sliding", "w": 5},
    {"multiplier": "karatsuba", "algorithm": "square_multiply_always"},
)
"""Nine designs of eight multipliers, with all algorithms but f4."""
SIX = tuple(PARTS[i] for i in (0, 2, 3, 4, 5, 6))
WIDE = (
    (64, 100, 0, PARTS),
    (255, 20, 0, SIX),
    (521, 6, 0, PARTS),
    (1024, 2, 160, SIX),
    (1024, 1, 0, (PARTS[4],)),
    (2048, 1, 0, (PARTS[4],)),
    (2048, 2, 48, SIX),
    (4096, 1, 24, SIX),
)
"""Width, random operations, bits of the exponent (0: those of the modulus), designs."""


def small() -> Iterator[tuple[Core, dict[str, Any]]]:
    """Yield the designs of small widths with the options of `verify_core`."""
    for width in (3, 5, 4):
        for kind in KINDS if width == 3 else KINDS[:3]:
            for chosen in ALGORITHMS:
                bits = 17 if chosen["algorithm"] == "f4" else 5
                given = {"width": width, "exponent_bits": bits, "adder": 4, **kind, **chosen}
                yield core("modexp", **given), {"mode": "values"}


def large(folder: Path) -> Iterator[tuple[Core, dict[str, Any]]]:
    """Yield the designs of large widths with the options of `verify_core`.

    All corners of the bench at 64 bits; above, those of a file, but for exponents of 1024 bits
    and more, which take long.
    """
    for width, operations, bits, parts in WIDE:
        path = folder / f"corners-{width}-{bits}.jsonl"
        write_lines(path, corners(width, bits or width))
        for given in parts:
            chosen = core("modexp", width=width, exponent_bits=bits, **given)
            yield chosen, {"mode": "random", "operations": operations}
            if width <= 64:
                yield chosen, {"mode": "corners"}
            elif (bits or width) < 1024:
                yield chosen, {"vectors": path}


def corners(width: int, bits: int) -> Iterator[dict[str, int]]:
    """Yield powers at the ends of bases, exponents of ``bits`` bits and moduli."""
    ones, root = (1 << bits) - 1, (1 << width // 2) - 1
    p, q = (int(gmpy2.next_prime(1 << width // 2 - i)) for i in (1, 2))
    for n in ((1 << width) - 1, (1 << width - 1) + 1):
        half, r = (n + 1) // 2, 1 << width + 2
        for x, e in ((0, ones), (1, ones), (n - 1, ones), (half, 1 << bits - 1), (r % n, n - 1)):
            yield {"n": n, "x": x, "e": e & ones}
    yield {"n": (1 << width) - 1, "x": 0, "e": 0}
    yield {"n": (1 << width) - 1, "x": 2, "e": 1}
    yield {"n": 3, "x": 2, "e": ones}
    yield {"n": root * root, "x": root, "e": 2}
    yield {"n": p * q, "x": p, "e": ones >> bits // 3 << bits // 3}


def write_lines(path: Path, powers: Iterator[dict[str, int]]) -> None:
    """Write a vectors file."""
    path.write_text(
        "".join(json.dumps({k: hex(v) for k, v in line.items()}) + "\n" for line in powers)
    )


def group(bits: int, constant: str, offset: int) -> int:
    """Return the prime of an RFC 3526 group (``pi``) or an RFC 7919 group (``e``)."""
    with gmpy2.context(precision=bits + 64):
        real = gmpy2.const_pi() if constant == "pi" else gmpy2.exp(1)
        digits = int(gmpy2.floor(real * gmpy2.mpz(2) ** (bits - 130)))
    prime: int = 2**bits - 2 ** (bits - 64) - 1 + 2**64 * (digits + offset)
    assert gmpy2.is_prime(prime)
    return prime


def groups(folder: Path) -> Iterator[tuple[Core, dict[str, Any]]]:
    """Yield a design for each size of a group, with a file of powers of 2 and of such powers."""
    rng = random.Random(SEED)
    for bits in sorted({bits for bits, _, _ in GROUPS}):
        lines: list[dict[str, int]] = []
        for size, constant, offset in GROUPS:
            if size == bits:
                n = group(bits, constant, offset)
                secret = rng.getrandbits(SECRET_BITS) | 1 << SECRET_BITS - 1
                public = pow(2, secret, n)
                lines += [{"n": n, "x": 2, "e": secret, "y": public}]
                lines += [
                    {"n": n, "x": x, "e": rng.getrandbits(SECRET_BITS)} for x in (public, n - 1)
                ]
        path = folder / f"groups-{bits}.jsonl"
        write_lines(path, iter(lines))
        part = {"multiplier": "booth_csa", "multiplier.radix": 64, "multiplier.pipeline": 1}
        yield core("modexp", width=bits, exponent_bits=SECRET_BITS, **part), {"vectors": path}


def main() -> int:
    """Run, print, and return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("part", choices=("small", "large", "groups"))
    parser.add_argument("--widths", type=int, nargs="+", help="only these; default: all")
    parser.add_argument("--workers", type=int)
    arguments = parser.parse_args()
    operations = wrong = 0
    designs = set()
    scratch = tempfile.TemporaryDirectory(prefix="montforge-groups-")
    folder = Path(scratch.name)
    parts: dict[str, Callable[[], Iterator[tuple[Core, dict[str, Any]]]]] = {
        "small": small,
        "large": partial(large, folder),
        "groups": partial(groups, folder),
    }
    for chosen, options in parts[arguments.part]():
        if arguments.widths and chosen.contract.width not in arguments.widths:
            continue
        try:
            report = verify_core(chosen, seed=SEED, workers=arguments.workers, **options)
        except ParameterError as error:
            print(f"{chosen}: {error}")
            return 2
        designs.add(chosen)
        operations += report.operations
        wrong += report.mismatches
        modes = ", ".join(report.modes)
        print(f"{report.operations:8} {report.mismatches:4} wrong  {modes}  {chosen}")
        sys.stdout.flush()
    print(f"{len(designs)} designs, {operations} operations, {wrong} wrong; seed {SEED}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
