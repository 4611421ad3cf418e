# SPDX-License-Identifier: Apache-2.0
"""Processor seconds that files of tests take, with all programs that they start.

    python benchmarks/bench_tests.py tests/verify/test_bench.py tests/arch/test_convert.py ...

Each file starts with an empty cache but for what all benches share, which a first row builds.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

SHARED = (
    "from montforge.arch import design\nfrom montforge.verify import build_bench\n"
    "for traced in (False, True):\n    build_bench(design('mm_r2', width=3), traced=traced)\n"
)


def main() -> None:
    with tempfile.TemporaryDirectory(prefix="montforge-benchmark-") as name:
        shared = Path(name) / "shared"
        print("| | processor s |\n| --- | ---: |")
        print(f"| shared by all | {seconds(['-c', SHARED], shared):.0f} |", flush=True)
        for file in sys.argv[1:]:
            cache = Path(name) / "cache"
            shutil.copytree(shared, cache)
            used = seconds(["-m", "pytest", "-q", "-n", "0", file], cache)
            shutil.rmtree(cache)
            print(f"| {file} | {used:.0f} |", flush=True)


def seconds(arguments: list[str], cache: Path) -> float:
    """Return processor seconds of Python with ``arguments``, and of its children."""
    before = os.times()
    subprocess.run(
        [sys.executable, *arguments],
        env=os.environ | {"MONTFORGE_CACHE": str(cache)},
        stdout=subprocess.DEVNULL,
        check=True,
    )
    after = os.times()
    return sum(after[2:4]) - sum(before[2:4])


if __name__ == "__main__":
    main()
