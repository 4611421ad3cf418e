# SPDX-License-Identifier: Apache-2.0
"""Time a reproduction, from an empty cache and from the full one that it leaves.

    python benchmarks/bench_reproduce.py kuang2016 --table 3 --effort quick

Takes the arguments of `montforge reproduce`. Prints the time on the clock and the processor time of
all tools; ends with status 1 if the command fails.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
import time

from rich.console import Console

from montforge.report import Table


def timed(arguments: list[str], cache: str) -> tuple[float, float]:
    """Return seconds on the clock and processor seconds. Raises CalledProcessError."""
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    subprocess.run(
        ["montforge", "reproduce", *arguments],
        env={**os.environ, "MONTFORGE_CACHE": cache},
        stdout=subprocess.DEVNULL,
        check=True,
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return time.monotonic() - start, used


def main(arguments: list[str]) -> int:
    """Run the command twice, print the times and return the exit status."""
    rows = []
    with tempfile.TemporaryDirectory(prefix="montforge-benchmark-") as cache:
        for state in ("empty", "full"):
            load = os.getloadavg()[0]
            try:
                clock, used = timed(arguments, cache)
            except subprocess.CalledProcessError as error:
                return error.returncode
            rows.append((state, round(clock / 60, 2), round(used / 60, 2), round(load, 1)))
    columns = ("cache", "minutes", "processor minutes", "load before")
    title = f"montforge reproduce {' '.join(arguments)}, {os.cpu_count()} processors"
    Console().print(Table(title, columns, tuple(rows)).to_rich())
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
