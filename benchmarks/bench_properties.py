# SPDX-License-Identifier: Apache-2.0
"""Measure the cost of bound assertions: processor seconds of the bench with and without them.

Prints a row for each design: seconds of the bench's program with and without assertions, the less
of three runs each, which take turns, and their ratio.

    python benchmarks/bench_properties.py
"""

from __future__ import annotations

import random
import resource

from montforge.arch import Core, core
from montforge.verify import build_bench
from montforge.verify.bench import Bench, Request

DESIGNS = (
    (core("booth_csa", width=256), 20_000),
    (core("scs_mm_skip", width=256), 20_000),
    (core("mm_r2", width=256), 10_000),
    (core("mm_r2", width=1024), 1000),
)
"""Each with its number of operations."""


def requests_of(chosen: Core, number: int) -> list[Request]:
    """Return operations with one modulus of full width."""
    contract, rng = chosen.contract, random.Random(1)
    n = 1 << contract.width - 1 | rng.getrandbits(contract.width - 1) | 1
    constants = chosen.constants(n)
    return [
        Request(contract.encode({"a": rng.randrange(n), "b": rng.randrange(n), "n": n}, constants))
        for _ in range(number)
    ]


def processor_seconds(bench: Bench, requests: list[Request]) -> float:
    """Return the seconds of one run of the bench's program."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    simulation = bench.run(requests)
    assert not any(response.errors for response in simulation.responses)
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before


def main() -> None:
    """Print the table."""
    print("design operations with without ratio")
    for chosen, number in DESIGNS:
        requests = requests_of(chosen, number)
        benches = [build_bench(chosen, cycles=1 << 30, properties=bound) for bound in (True, False)]
        runs = [[processor_seconds(bench, requests) for bench in benches] for _ in range(3)]
        bound, bare = (min(times) for times in zip(*runs, strict=True))
        print(f"{chosen} {number} {bound:.2f} {bare:.2f} {bound / bare:.3f}", flush=True)


if __name__ == "__main__":
    main()
