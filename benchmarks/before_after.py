# SPDX-License-Identifier: Apache-2.0
"""Figures of ten designs, one of each family, recorded now and compared with an earlier record.

    python benchmarks/before_after.py record FOLDER
    python benchmarks/before_after.py compare BEFORE AFTER

``record`` runs `montforge cycles` and `montforge measure` (quick effort, nangate45) of each design,
with an empty cache, and keeps their JSON and the processor seconds of each command in FOLDER, but
for designs that FOLDER already has. ``compare`` prints a table of the designs that both folders
have. To record an older commit, set ``PYTHONPATH`` to ``src`` of a checkout of that commit.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

DESIGNS: dict[str, dict[str, int | str]] = {
    "rmm": {"width": 64, "k": 3, "m": 2},
    "fios_dsp": {"width": 64, "variant": "published"},
    "booth_csa": {"width": 128, "radix": 4},
    "scs_mm_new": {"width": 256},
    "scs_mm_skip": {"width": 256, "skips": 2},
    "scs_mm_ct": {"width": 256},
    "tenca_koc": {"width": 128, "word": 16, "elements": 4},
    "eberle": {"width": 128, "k": 8},
    "karatsuba": {"width": 64, "levels": 2},
    "mcivor": {"width": 64, "block": 16},
}
CYCLES = ["--samples", "500", "--seed", "1"]
MEASURE = ["--target", "nangate45", "--effort", "quick"]


def montforge(verb: str, name: str, options: list[str], cache: Path) -> dict[str, Any]:
    """Return the JSON of a command, with the processor seconds of it and its tools."""
    parameters = [f"-p{key}={value}" for key, value in DESIGNS[name].items()]
    program = [sys.executable, "-c", "from montforge.cli import main; main()"]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(
        [*program, verb, name, *parameters, *options, "--json"],
        env={**os.environ, "MONTFORGE_CACHE": str(cache)},
        stdout=subprocess.PIPE,
        check=True,
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    found: dict[str, Any] = json.loads(done.stdout)
    return {**found, "cpu_seconds": round(used, 1)}


def record(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for name in DESIGNS:
        path = folder / f"{name}.json"
        if path.exists():
            continue
        with tempfile.TemporaryDirectory(prefix="montforge-benchmark-") as cache:
            found = {
                "cycles": montforge("cycles", name, CYCLES, Path(cache)),
                "measure": montforge("measure", name, MEASURE, Path(cache)),
            }
        path.write_text(json.dumps(found, indent=1) + "\n")
        print(f"{name}: {found['measure']['cpu_seconds']} processor seconds", flush=True)


def compare(before: Path, after: Path) -> None:
    print(
        "| design | cycles mean | handover | wrong | area um2 | period ns | area x period |", end=""
    )
    print(" cpu s, cycles | cpu s, measure |")
    print("| --- " + "| ---: " * 8 + "|")
    for name, parameters in DESIGNS.items():
        if not all((folder / f"{name}.json").exists() for folder in (before, after)):
            continue
        old, new = (json.loads((folder / f"{name}.json").read_text()) for folder in (before, after))
        text = ", ".join(f"{key}={value}" for key, value in parameters.items())
        rows = [(r["cycles"], r["measure"]) for r in (old, new)]
        merits = [measured["area"] * measured["period"] for _, measured in rows]
        cells = [
            [f"{cycles['cycles']['mean']:g}" for cycles, _ in rows],
            [f"{cycles['handover']}" for cycles, _ in rows],
            [f"{cycles['mismatches']}" for cycles, _ in rows],
            [f"{measured['area']:,.0f}" for _, measured in rows],
            [f"{measured['period']:.4f}" for _, measured in rows],
            [f"{100 * (merits[1] / merits[0] - 1):+.2f}%"],
            [f"{cycles['cpu_seconds']:.0f}" for cycles, _ in rows],
            [f"{measured['cpu_seconds']:.0f}" for _, measured in rows],
        ]
        print(f"| {name}({text}) | " + " | ".join(" / ".join(cell) for cell in cells) + " |")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("record").add_argument("folder", type=Path)
    comparison = commands.add_parser("compare")
    comparison.add_argument("before", type=Path)
    comparison.add_argument("after", type=Path)
    arguments = parser.parse_args()
    if arguments.command == "record":
        record(arguments.folder)
    else:
        compare(arguments.before, arguments.after)


if __name__ == "__main__":
    main()
