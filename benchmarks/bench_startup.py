# SPDX-License-Identifier: Apache-2.0
"""Time ``import montforge``, ``montforge list`` and ``montforge pick``.

    python benchmarks/bench_startup.py [--runs 20]

Prints the least of all runs: the first one reads the files from the disk and, unless
PYTHONDONTWRITEBYTECODE is set, writes their bytecode. Status 1 if a command takes a second of
processors or more.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import time

COMMANDS = {"python -c pass": "pass", "import montforge": "import montforge"} | {
    f"montforge {words}": f"import sys; sys.argv = 'montforge {words}'.split()\n"
    "from montforge.cli import main; main()"
    for words in ("list", "pick --width 256 --target nangate45 --constant-time")
}
ENVIRONMENT = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}


LIMIT = 1.0


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--runs", type=int, default=20)
    runs = options.parse_args().runs
    print("| | wall clock s | processor s |\n| --- | ---: | ---: |")
    longest = 0.0
    for name, code in COMMANDS.items():
        best = [min(values) for values in zip(*(run(code) for _ in range(runs)), strict=True)]
        print(f"| `{name}` | {best[0]:.3f} | {best[1]:.3f} |")
        longest = max(longest, best[1])
    return int(longest >= LIMIT)


def run(code: str) -> tuple[float, float]:
    """Return seconds of wall clock and of processors that a new Python needs for ``code``."""
    wall, before = time.monotonic(), os.times()
    command = [sys.executable, "-c", code]
    subprocess.run(command, env=ENVIRONMENT, stdout=subprocess.DEVNULL, check=True)
    after = os.times()
    used = after.children_user + after.children_system
    return time.monotonic() - wall, used - before.children_user - before.children_system


if __name__ == "__main__":
    sys.exit(main())
