# SPDX-License-Identifier: Apache-2.0
"""Measure every architecture at its extreme parameters, in all forms: nothing legal may stop.

    python benchmarks/measure_extremes.py --target nangate45 --record nangate45.jsonl

For each architecture at a small width: all integers at their least and at their largest legal
value, each alone and together with each named choice, and each form. On standard cells a design
gets one point (synthesis, OpenSTA) and the model of its netlist; on an ECP5 one placement.
Every design is a process with a time limit, and a line of the record; a run goes on where an
earlier one stopped. Ends with status 1 if a design was stopped by an error.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from collections.abc import Iterator
from itertools import zip_longest
from pathlib import Path
from typing import Any

from montforge.arch import Architecture, Design, Parameter, design, registry
from montforge.cache import ResultStore
from montforge.errors import MontforgeError, ParameterError
from montforge.measure import StandardCells, find_target, measure
from montforge.measure.sweep import single_point
from montforge.verify.netlist import netlist_design

WIDTHS = (9, 40)
"""The second one for digits that the first has no room for."""
MOST = 64
"""Of parameters whose legal values go on beyond what small designs can use."""
DELAY_PS = 1000


def ends(spec: Parameter) -> list[int]:
    """Return the least and the largest value of a number that are tried."""
    found = spec.numbers or (spec.minimum, min(spec.maximum, MOST))
    return sorted({min(found), max(found)})


def legal(architecture: Architecture, **values: object) -> Iterator[Design]:
    """Yield the design of these parameters at the least width that has it."""
    for width in WIDTHS:
        try:
            yield design(architecture.name, width=width, **values)
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


def extremes(architecture: Architecture) -> list[Design]:
    """Return the designs of an architecture that are measured."""
    specs = [spec for spec in architecture.specs() if spec.name != "width" and not spec.is_part]
    named = [spec for spec in specs if spec.choices]
    numbers = [spec for spec in specs if not spec.choices]
    found: list[Design] = [*legal(architecture)]
    corners: list[dict[str, object]] = [{}]
    for pick in (min, max):
        values = {s.name: nearest(architecture, s, pick(ends(s))) for s in numbers}
        corners += [values, *({name: value} for name, value in values.items())]
    choices: list[dict[str, object]] = [{s.name: choice} for s in named for choice in s.choices]
    for choice in [{}, *choices]:
        for corner in corners:
            whole = [*legal(architecture, **corner, **choice)]
            for left_out in [] if whole else corner:
                rest = {name: value for name, value in corner.items() if name != left_out}
                whole += legal(architecture, **rest, **choice)
            found += whole
    forms = [each.with_form(form) for each in (found[0], found[-1]) for form in each.forms]
    return list(dict.fromkeys([*forms, *found]))


def measure_one(chosen: Design, target_name: str) -> None:
    """Take the steps that a measurement has. Raises MontforgeError."""
    target = find_target(target_name)
    if isinstance(target, StandardCells):
        found = single_point(chosen.hardware, target, ResultStore(), DELAY_PS)
        netlist_design(chosen, found.netlist(), found.liberty)
    else:
        measure(chosen, target_name, seeds=1)


def main() -> int:
    """Measure what the record lacks; return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--target", default="osu018")
    parser.add_argument("--record", type=Path, default=Path("extremes.jsonl"))
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("--arch", action="append")
    parser.add_argument("--one", help="one design: architecture, parameters, form as JSON")
    options = parser.parse_args()
    if options.one:
        name, values, form = json.loads(options.one)
        try:
            measure_one(design(name, **values).with_form(form), options.target)
        except ParameterError as error:
            print(error)  # a vendor's block on another target
        except MontforgeError as error:
            print(error)
            return 1
        return 0
    known: dict[str, Any] = {}
    if options.record.exists():
        rows = map(json.loads, options.record.read_text().splitlines())
        known = {row["design"]: row for row in rows if row["message"] != late(options.seconds)}
    names = options.arch or list(registry())
    groups = [extremes(registry()[name]) for name in names]
    # One of each architecture in turn, so that a run that is interrupted has seen all.
    designs = [each for row in zip_longest(*groups) for each in row if each is not None]
    for at, chosen in enumerate(designs):
        if chosen.identifier not in known:
            known[chosen.identifier] = row = run(chosen, options.target, options.seconds)
            with options.record.open("a") as file:
                file.write(json.dumps(row) + "\n")
            text = row["message"] or "done"
            print(f"[{at + 1}/{len(designs)}] {chosen}: {text} ({row['seconds']} s)", flush=True)
    failed = [row for row in known.values() if row["message"]]
    print(f"{len(designs)} designs on {options.target}, {len(failed)} stopped")
    return 1 if failed else 0


def late(seconds: float) -> str:
    """Return the message of a design that took too long, which a later run tries again."""
    return f"not done within {seconds:g} s"


def run(chosen: Design, target: str, seconds: float) -> dict[str, Any]:
    """Return the record of a design."""
    request = [chosen.name, dict(chosen.parameters), chosen.form]
    begin = time.monotonic()
    command = [sys.executable, __file__, "--target", target, "--one", json.dumps(request)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=seconds)
        message = "" if not done.returncode else (done.stdout + done.stderr).strip()
    except subprocess.TimeoutExpired:
        message = late(seconds)
    return {
        "design": chosen.identifier,
        "command": " ".join(chosen.words),
        "message": message,
        "seconds": round(time.monotonic() - begin, 1),
    }


if __name__ == "__main__":
    sys.exit(main())
