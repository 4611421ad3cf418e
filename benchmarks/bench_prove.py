# SPDX-License-Identifier: Apache-2.0
"""Time the proofs of all designs that have a theorem.

    MONTFORGE_CACHE=$(mktemp -d) python benchmarks/bench_prove.py [--width 64] [--workers 2] [NAME]

Each worker proves function, timing and enables of one design after another, at its default
parameters, and of those forms whose theorems are in Coq files of their own; those with the longest
files come first, so that all workers end at about the same time. Prints the elapsed seconds of each
as soon as it is done, and of the whole. Ends with status 1 if a function is not proved, or, without
a name, if a file of the folder ``proofs`` was not needed.
"""

from __future__ import annotations

import argparse
import sys
import time
from concurrent.futures import ProcessPoolExecutor, as_completed

from montforge import design
from montforge.arch import Core, Design
from montforge.prove import prove
from montforge.prove.coq import proofs_root
from montforge.prove.lemmas import PROOFS, lemmas_of
from montforge.prove.powers import modules_of

CHECKS = ("function", "timing", "enables")


def forms(width: int) -> list[tuple[str, dict[str, int | str]]]:
    """Return those with Coq files of their own."""
    half = width // 2
    unit: dict[str, int | str] = {"word": half, "modulus": (1 << width) - (1 << half) + 1}
    return [
        ("unit_csa", {"result": "signed"}),
        ("unit_csa", {"result": "nonnegative"}),
        ("unit_csa", {"overlap": 1}),
        ("unit_csa", {"overlap": 1, "result": "signed"}),
        ("booth_csa", {"pipeline": 1}),
        ("booth_csa", {"radix": 64, "result": "nonnegative", "converter": 32}),
        ("booth_csa", {"radix": 64, "pipeline": 1, "result": "nonnegative", "converter": 32}),
        ("fixed_prime", unit),
        ("fixed_square", unit),
        ("modexp", {"algorithm": "window"}),
        ("modexp", {"algorithm": "ladder", "multiplier": "full_pipelined"}),
        ("modexp", {"algorithm": "square_multiply_always"}),
        ("modexp", {"algorithm": "window", "w": 1}),
        ("modexp", {"algorithm": "l2r"}),
    ]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("name", nargs="*", help="all that have a theorem, without a name")
    parser.add_argument("--width", type=int, default=64)
    parser.add_argument("--workers", type=int, default=2)
    options = parser.parse_args()
    all_forms = forms(options.width)
    known = list(dict.fromkeys([*PROOFS, *(name for name, _ in all_forms)]))
    if unknown := set(options.name) - set(known):
        parser.error(f"{', '.join(unknown)}: no theorem; there are those of {', '.join(known)}.")
    chosen = [
        design(name, width=options.width, **parameters)
        for name, parameters in [*((name, {}) for name in PROOFS), *all_forms]
        if not options.name or name in options.name
    ]
    chosen.sort(key=length, reverse=True)
    began, missing = time.monotonic(), {path.stem for path in proofs_root().glob("*.v")}
    print("| design | function | seconds |\n| --- | --- | ---: |")
    failed = False
    with ProcessPoolExecutor(options.workers) as pool:
        for done in as_completed([pool.submit(proved, each) for each in chosen]):
            label, verdict, seconds, files = done.result()
            print(f"| `{label}` | {verdict} | {seconds:.1f} |", flush=True)
            failed |= verdict != "proved"
            missing -= set(files)
    print(f"\n{time.monotonic() - began:.0f} s, {options.workers} workers")
    if missing and not options.name:
        print(f"not needed: {', '.join(sorted(missing))}")
    return int(failed or (bool(missing) and not options.name))


def length(chosen: Design) -> int:
    """Return the characters of the Coq files that the proof of ``chosen`` rests on."""
    return sum((proofs_root() / f"{name}.v").stat().st_size for name in files_of(chosen))


def files_of(chosen: Design) -> tuple[str, ...]:
    """Return the names of these files."""
    assert isinstance(chosen, Core)
    return modules_of(chosen, lemmas_of(chosen) or ())


def proved(chosen: Design) -> tuple[str, str, float, tuple[str, ...]]:
    """Return the design, the verdict on the function, elapsed seconds, and the Coq files."""
    assert isinstance(chosen, Core)
    began = time.monotonic()
    verdicts = {check.name: check.verdict for check in prove(chosen, checks=CHECKS).checks}
    return str(chosen), verdicts["function"], time.monotonic() - began, files_of(chosen)


if __name__ == "__main__":
    sys.exit(main())
