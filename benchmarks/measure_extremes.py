# SPDX-License-Identifier: Apache-2.0
"""Measure every architecture at its extreme parameters, in all forms: nothing legal may stop.

    python benchmarks/measure_extremes.py --target nangate45 --target ecp5-85k

For each architecture at a small width: its forms; all integers at their least and at their largest
legal value, each alone and all together; each named choice once.

On standard cells a design gets one point (synthesis, OpenSTA) and the model of its netlist; on an
ECP5 one placement, or the synthesis alone above `PLACED` LUTs. Every design is a process with a
time limit, and a line of the record, benchmarks/extremes.jsonl: done, refused (a vendor's block on
another target), stopped by an error, or late. A run goes on where an earlier one stopped, and tries
late ones again. Ends with status 1 if a design of today's list was stopped or late.
"""

from __future__ import annotations

import argparse
import json
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from itertools import product, zip_longest
from pathlib import Path
from typing import Any

from montforge.arch import Architecture, Core, Parameter, core, cores
from montforge.errors import MontforgeError, ParameterError
from montforge.measure import StandardCells, find_target, measure
from montforge.measure.sweep import single_point
from montforge.verify.netlist import netlist_design
from montforge.work.cache import ResultStore

RECORD = Path(__file__).with_name("extremes.jsonl")
WIDTHS = (9, 40)
"""The second one for digits that the first has no room for."""
MOST = 32
"""Largest value of a parameter that is tried, where the legal values go on."""
DELAY_PS = 1000
PLACED = 2500
"""LUTs up to which a design is placed: larger ones take many minutes, by the same steps."""


def ends(spec: Parameter) -> list[int]:
    """Return the least and the largest value of a number that are tried."""
    found = spec.numbers or (spec.minimum, min(spec.maximum, MOST))
    return sorted({min(found), max(found)})


def legal(architecture: Architecture, **values: object) -> Iterator[Core]:
    """Yield the design of these parameters at the least width that has it."""
    for width in WIDTHS:
        try:
            yield core(architecture.name, width=width, **values)
        except ParameterError:
            continue
        return


def nearest(architecture: Architecture, spec: Parameter, end: int) -> int:
    """Return the legal value of a number that is next to ``end``, others being defaults."""
    step = 1 if end != max(ends(spec)) else -1
    values = range(end, spec.default if isinstance(spec.default, int) else end, step)
    for value in [value for value in values if not spec.numbers or value in spec.numbers]:
        if any(legal(architecture, **{spec.name: value})):
            return value
    return int(str(spec.default))


def extremes(architecture: Architecture) -> list[Core]:
    """Return the designs of an architecture that are measured."""
    specs = [spec for spec in architecture.specs() if spec.name != "width" and not spec.is_part]
    named = [spec for spec in specs if spec.choices]
    numbers = [spec for spec in specs if not spec.choices]
    found: list[Core] = [*legal(architecture)]
    corners: list[dict[str, object]] = [{}]
    alone: list[dict[str, object]] = []
    for pick in (min, max):
        values: dict[str, object] = {
            s.name: nearest(architecture, s, pick(ends(s))) for s in numbers
        }
        corners.append(values)
        alone += [{name: value} for name, value in values.items()]
    choices: list[dict[str, object]] = [{s.name: choice} for s in named for choice in s.choices]
    plain: dict[str, object] = {}
    tried = [(each, plain) for each in (*corners, *alone)] + [(plain, each) for each in choices]
    for corner, choice in tried:
        whole = [*legal(architecture, **corner, **choice)]
        for left_out in [] if whole else corner:
            rest = {name: value for name, value in corner.items() if name != left_out}
            whole += legal(architecture, **rest, **choice)
        found += whole
    first, last = ([each.with_form(form) for form in each.forms] for each in (found[0], found[-1]))
    return list(dict.fromkeys([*first, *found, *last]))


def measure_one(chosen: Core, target_name: str) -> str:
    """Take the steps of a measurement; return which was left out. Raises MontforgeError."""
    target = find_target(target_name)
    if isinstance(target, StandardCells):
        found = single_point(chosen.hardware, target, ResultStore(), DELAY_PS)
        netlist_design(chosen, found.netlist(), found.liberty)
    else:
        resources = measure(chosen, target_name, seeds=0).resources or {}
        if resources["lut"] <= PLACED:
            measure(chosen, target_name, seeds=1)
            return ""
        return f"synthesised alone: {resources['lut']} LUTs"
    return ""


def main() -> int:
    """Measure the designs that the record lacks; return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--target", action="append")
    parser.add_argument("--record", type=Path, default=RECORD)
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("--arch", action="append")
    parser.add_argument("--one", help="one design: architecture, parameters, form as JSON")
    options = parser.parse_args()
    targets = options.target or ["osu018"]
    if options.one:
        return one(options.one, targets[0])
    known: dict[tuple[str, str], dict[str, Any]] = {}
    if options.record.exists():
        for row in map(json.loads, options.record.read_text().splitlines()):
            known[row["target"], row["design"]] = row
    groups = [extremes(cores()[name]) for name in options.arch or list(cores())]
    # One of each architecture in turn, so that a run that is interrupted has seen all.
    designs = [each for row in zip_longest(*groups) for each in row if each is not None]
    wanted = list(product(designs, targets))
    for at, (chosen, target) in enumerate(wanted):
        key = (target, chosen.identifier)
        if known.get(key, {"outcome": "late"})["outcome"] != "late":
            continue
        known[key] = row = run(chosen, target, options.seconds)
        rows = sorted(known.values(), key=lambda row: (row["target"], row["design"]))
        options.record.write_text("".join(json.dumps(row) + "\n" for row in rows))
        text = f"{row['outcome']} {row['message']}"
        print(f"[{at + 1}/{len(wanted)}] {target} {row['command']}: {text}", flush=True)
    outcomes = Counter(known[target, chosen.identifier]["outcome"] for chosen, target in wanted)
    print(f"{len(wanted)} measurements on {', '.join(targets)}: {dict(outcomes)}")
    return 1 if outcomes["stopped"] or outcomes["late"] else 0


def one(request: str, target: str) -> int:
    """Measure one design; return the exit status: 2 for a design that the target refuses."""
    signal.signal(signal.SIGINT, signal.default_int_handler)  # one that is late ends its tools
    name, values, form = json.loads(request)
    try:
        print(measure_one(core(name, **values).with_form(form), target))
    except MontforgeError as error:
        print(error)
        return 2 if isinstance(error, ParameterError) else 1
    return 0


def run(chosen: Core, target: str, seconds: float) -> dict[str, Any]:
    """Return the record of a design."""
    request = [chosen.name, dict(chosen.parameters), chosen.form]
    begin = time.monotonic()
    command = [sys.executable, __file__, "--target", target, "--one", json.dumps(request)]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as process:
        try:
            message, _ = process.communicate(timeout=seconds)
            outcome = {0: "done", 2: "refused"}.get(process.returncode, "stopped")
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGINT)
            process.communicate(timeout=60)
            outcome, message = "late", f"not done within {seconds:g} s"
    return {
        "target": target,
        "design": chosen.identifier,
        "command": " ".join(chosen.words),
        "outcome": outcome,
        "message": message.strip(),
        "seconds": round(time.monotonic() - begin, 1),
        "commit": commit(),
    }


def commit() -> str:
    """Return the short name of the checkout's commit."""
    command = ["git", "rev-parse", "--short", "HEAD"]
    done = subprocess.run(command, cwd=RECORD.parent, capture_output=True, text=True, check=True)
    return done.stdout.strip()


if __name__ == "__main__":
    sys.exit(main())
