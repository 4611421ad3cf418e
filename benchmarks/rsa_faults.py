# SPDX-License-Identifier: Apache-2.0
"""Faults in all registers and memories of a small RSA engine: how operations on it end.

    python benchmarks/rsa_faults.py [COUNT] [SEED]

Each operation begins from one state, with other random words, and has one fault at a random cycle
in a random bit: that bit flipped, it and another one of its word flipped, or the word zero, COUNT
of each. The last row has flipped bits while the checks are taken as good: what they are for.
"""

from __future__ import annotations

import random
import sys
import time
from math import gcd

from gmpy2 import next_prime

from montforge.rsa.bench import BLOCKED, HANG, RIGHT, WRONG, EngineBench, build
from montforge.rsa.engine import Engine
from montforge.rsa.model import Key

ENGINE = Engine(bits=32, window=2, eblind=0, min_bits=16)
KINDS = ("a bit", "two bits", "a word")
BATCH = 500


def main() -> None:
    """Print the table."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 2000
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    rng = random.Random(seed)
    e, primes = 17, []
    while len(primes) < 2:
        p = int(next_prime(rng.randrange(3 << 14, 1 << 16)))
        if p < 1 << 16 and gcd(e, p - 1) == 1 and p not in primes:
            primes.append(p)
    key = Key.of(primes[0], primes[1], e)
    c = rng.randrange(2, key.n)
    print(f"{ENGINE}; n = {key.n:#x}, c = {c:#x}, seed {seed}")
    print("fault | operations | right | error | wrong result | no end | n factored | seconds")
    program = build(ENGINE, registers=True)
    for kind, forced in ((0, False), (1, False), (2, False), (0, True)):
        start = time.monotonic()
        totals, factored = [0, 0, 0, 0], 0
        with EngineBench(program, ENGINE.bits, seed=seed) as bench:
            assert bench.load(key).error == 0
            names = {register.number: register.name for register in bench.registers()}
            for first in range(0, count, BATCH):
                found = bench.campaign(
                    key,
                    c,
                    min(BATCH, count - first),
                    seed=(seed << 24 | 2 * kind + forced << 21 | first) & 0xFFFFFFFF,
                    kind=kind,
                    forced=forced,
                )
                for end in (RIGHT, BLOCKED, WRONG, HANG):
                    totals[end] += found.count(end)
                factored += found.factored(key, c)
                if not forced:
                    for trial in found.trials:
                        if trial.outcome in (WRONG, HANG):
                            print(names[trial.register], trial)
        name = KINDS[kind] + ", no check" * forced
        seconds = time.monotonic() - start
        print(f"{name} | {count} | {' | '.join(map(str, totals))} | {factored} | {seconds:.0f}")


if __name__ == "__main__":
    main()
