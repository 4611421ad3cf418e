# SPDX-License-Identifier: Apache-2.0
"""Verify the FFT multipliers and exponentiators at the paper's sizes; rows for docs/verification.

    python scripts/verify_fft.py multipliers [--width BITS] [--digits balanced]
    python scripts/verify_fft.py powers --width BITS --protection none|ladder [--exponents N]
        [--elements 1] [--digits redundant]

``multipliers``: `fmlm` in its forms with random, corner and chained operands. ``powers``: RSA with
`fmle`: a message encrypted with 65537, decrypted with a private exponent of as many bits as the
modulus, and (from three exponents on) raised to one of the same length with two ones; each result
against gmpy2, each latency against the cycle model. Prints rows of a Markdown table; ends with
status 1 if anything was wrong.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from typing import Any

import gmpy2

from montforge.arch import core
from montforge.verify.bench import Request, build_bench
from montforge.verify.runner import verify_core

SEED = 1
SETS: dict[int, dict[str, Any]] = {
    1024: {"u": 17, "s": 64, "ring": 64, "all_at_once": 1},
    2048: {"u": 33, "s": 64, "ring": 128, "all_at_once": 1},
    3072: {"u": 49, "s": 64, "ring": 128},
    4096: {"u": 33, "s": 128, "ring": 128, "all_at_once": 1},
    7680: {"u": 121, "s": 64, "ring": 256},
}
"""The parameter sets of Table 4."""
FAST = {"variant": "fast", "reduction": "relaxed"}
REDUNDANT = {"fused": 1, **FAST, "digits": "redundant"}
BALANCED = {"variant": "fast", "threshold": "single", "digits": "balanced"}
MULTIPLIERS: tuple[tuple[int, dict[str, Any]], ...] = (
    (1024, {}),
    (1024, {"form": "squaring", **FAST}),
    (2048, {}),
    (2048, {"form": "squaring", "fused": 1, **FAST}),
    (2048, {"form": "common", **FAST}),
    (2048, {"u": 17, "s": 128, "ring": 64, **BALANCED}),
    (3072, {}),
    (4096, {}),
    (4096, {"form": "squaring", **FAST}),
    (7680, {}),
)
OPERATIONS, CHAIN = 30, 30
MODES = ("random", "corners", "chain")
PUBLIC_EXPONENT = 65537


def multipliers(width: int | None, digits: str | None) -> int:
    """Verify `MULTIPLIERS`, those of ``width`` and ``digits`` if given.

    Returns how many operations were wrong.
    """
    wrong = 0
    for bits, form in MULTIPLIERS:
        if width not in (None, bits) or digits not in (None, form.get("digits", "unsigned")):
            continue
        chosen = core("fmlm", width=bits, **{**SETS[bits], **form})
        rule = chosen.contract.modulus
        n = next(n for n in range((1 << bits) - 1, 0, -1) if rule.is_legal(n))
        counts = []
        for mode in MODES:
            report = verify_core(
                chosen,
                mode=mode,
                operations=OPERATIONS,
                chain_length=CHAIN,
                modulus=n if mode == "corners" else None,
                seed=SEED,
                workers=1,
            )
            wrong += report.mismatches
            counts.append(f"{report.operations - report.mismatches}/{report.operations}")
        text = ", ".join(f"{key}={value}" for key, value in {**SETS[bits], **form}.items())
        print(f"| {bits} | {text} | {chosen.core_cycles} | {' | '.join(counts)} |", flush=True)
    return wrong


def rsa_key(bits: int) -> tuple[int, int]:
    """Return a modulus of exactly ``bits`` bits and the private exponent to 65537."""
    rng = random.Random(SEED)
    while True:
        p, q = (
            int(gmpy2.next_prime(rng.getrandbits(bits // 2) | 3 << bits // 2 - 2)) for _ in "pq"
        )
        order = (p - 1) * (q - 1)
        if gmpy2.gcd(PUBLIC_EXPONENT, order) == 1 and (p * q).bit_length() == bits:
            return p * q, pow(PUBLIC_EXPONENT, -1, order)


def powers(width: int, protection: str, exponents: int, elements: int, digits: str | None) -> int:
    """Raise to that many exponents and return how many results or latencies were wrong.

    One element is of the fast variant, relaxed, two are of the published one; redundant ``digits``
    are of the fast one with four butterflies (64 digits).
    """
    form: dict[str, Any] = {"elements": 1, **FAST} if elements == 1 else {}
    if digits == "redundant":
        form |= REDUNDANT
    given = ", ".join((protection, *(f"{key}={value}" for key, value in form.items())))
    chosen = core("fmle", width=width, protection=protection, **SETS[width], **form)
    n, private = rsa_key(width)
    message = random.Random(SEED + 1).randrange(n)
    cipher = int(gmpy2.powmod(message, PUBLIC_EXPONENT, n))
    operations = [
        {"x": message, "e": PUBLIC_EXPONENT, "e_len": 17, "n": n},
        {"x": cipher, "e": private, "e_len": width, "n": n},
        {"x": cipher, "e": (1 << width - 1) + 1, "e_len": width, "n": n},
    ][:exponents]
    started = time.process_time()
    requests = [Request(chosen.encode(rng=None, **operation)) for operation in operations]
    cycles = sum(chosen.cycles(**operation) for operation in operations)
    simulation = build_bench(chosen, cycles=cycles).run(requests)
    wrong = 0
    for operation, response in zip(operations, simulation.responses, strict=True):
        found = chosen.contract.decode(response.vectors)
        right = found["y"] == gmpy2.powmod(operation["x"], operation["e"], n)
        right = right and not found["error"] and not response.errors
        expected = chosen.cycles(**operation) + chosen.contract.handover
        right = right and response.latency == expected
        wrong += not right
        ones = operation["e"].bit_count()
        latencies = (f"{response.latency:,}", f"{expected:,}")
        cells = (width, given, operation["e_len"], ones, *latencies)
        print(f"| {' | '.join(map(str, cells))} | {'right' if right else 'WRONG'} |", flush=True)
    print(f"{time.process_time() - started:.0f} s of Python", file=sys.stderr)
    return wrong


def main() -> int:
    """Run, print, and return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("part", choices=("multipliers", "powers"))
    parser.add_argument("--width", type=int, choices=tuple(SETS))
    parser.add_argument("--digits", choices=("unsigned", "balanced", "redundant"))
    parser.add_argument("--protection", choices=("none", "ladder"), default="none")
    parser.add_argument("--elements", type=int, choices=(1, 2), default=2)
    parser.add_argument("--exponents", type=int, choices=(1, 2, 3), default=2)
    arguments = parser.parse_args()
    if arguments.part == "multipliers":
        return 1 if multipliers(arguments.width, arguments.digits) else 0
    width = arguments.width or min(SETS)
    wrong = powers(
        width,
        arguments.protection,
        arguments.exponents,
        arguments.elements,
        arguments.digits,
    )
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
