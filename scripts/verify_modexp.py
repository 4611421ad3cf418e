# SPDX-License-Identifier: Apache-2.0
"""Verify the exponentiators: every operation of small widths, random and corner ones of larger.

    python scripts/verify_modexp.py small | large [--workers N]

``small``: widths 3 to 5, all odd n, x, exponents and lengths to 5 bits, each algorithm over a
binary, a carry-save-pair and a signed multiplier. ``large``: widths 64 to 4096 over six and more
multipliers. Prints one line a design; what was verified before comes from the cache. Ends with
status 1 if any operation was wrong.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator

from montforge import design, verify
from montforge.arch import Design
from montforge.errors import ParameterError

SEED = 1
KINDS: tuple[dict[str, object], ...] = (
    {"multiplier": "scs_mm_ct", "multiplier.block": 4},
    {"multiplier": "fcs_mmm42"},
    {"multiplier": "booth_csa", "multiplier.radix": 4},
    {"multiplier": "booth_csa", "multiplier.radix": 64},
)
"""Binary with operands below 2n; a pair below 4n whose latency depends on data; signed."""
ALGORITHMS: tuple[dict[str, object], ...] = (
    *({"algorithm": "r2l", "multipliers": m} for m in (1, 2)),
    {"algorithm": "l2r"},
    {"algorithm": "square_multiply_always"},
    *({"algorithm": "ladder", "multipliers": m} for m in (1, 2)),
    *({"algorithm": "window", "w": w} for w in (1, 2, 3)),
    *({"algorithm": "sliding", "w": w} for w in (1, 2, 3)),
    {"algorithm": "f4"},
)
WIDE: tuple[tuple[int, int, dict[str, object]], ...] = (
    (64, 300, {"multiplier": "scs_mm_ct"}),
    (64, 300, {"multiplier": "scs_mm_skip", "algorithm": "l2r"}),
    (64, 300, {"multiplier": "fios_dsp", "multiplier.variant": "unit", "w": 5}),
    (255, 60, {"multiplier": "booth_csa", "multiplier.radix": 16, "algorithm": "ladder"}),
    (255, 60, {"multiplier": "karatsuba", "w": 6}),
    (255, 60, {"multiplier": "fcs_mm2", "w": 3}),
    (521, 20, {"multiplier": "eberle", "w": 5}),
    (521, 20, {"multiplier": "rmm", "algorithm": "sliding", "w": 5}),
    (1024, 6, {"multiplier": "booth_csa", "multiplier.radix": 64, "multiplier.pipeline": 1}),
    (1024, 6, {"multiplier": "rmm", "w": 6}),
    (1024, 3, {"multiplier": "scs_mm_ct", "w": 5}),
    (2048, 2, {"multiplier": "booth_csa", "multiplier.radix": 16, "w": 5}),
    (4096, 1, {"multiplier": "booth_csa", "multiplier.radix": 64, "multiplier.pipeline": 1}),
)
"""Width, random operations, parameters."""


def small() -> Iterator[tuple[Design, dict[str, object]]]:
    """Yield the designs of small widths with the options of `verify`."""
    for width in (3, 4, 5):
        for kind in KINDS:
            for chosen in ALGORITHMS:
                bits = 17 if chosen["algorithm"] == "f4" else 5
                given = {"width": width, "exponent_bits": bits, "adder": 4, **kind, **chosen}
                yield design("modexp", **given), {"mode": "values"}


def large() -> Iterator[tuple[Design, dict[str, object]]]:
    """Yield the designs of large widths with the options of `verify`."""
    for width, operations, given in WIDE:
        chosen = design("modexp", width=width, **given)
        yield chosen, {"mode": "random", "operations": operations}
        if width <= 255:
            yield chosen, {"mode": "corners"}


def main() -> int:
    """Run, print, and return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("part", choices=("small", "large"))
    parser.add_argument("--workers", type=int)
    arguments = parser.parse_args()
    operations = wrong = designs = 0
    for chosen, options in small() if arguments.part == "small" else large():
        try:
            report = verify(chosen, seed=SEED, workers=arguments.workers, **options)  # type: ignore[arg-type]
        except ParameterError as error:
            print(f"{chosen}: {error}")
            return 2
        designs += 1
        operations += report.operations
        wrong += report.mismatches
        print(f"{report.operations:8} {report.mismatches:4} wrong  {options['mode']}  {chosen}")
        sys.stdout.flush()
    print(f"{designs} designs, {operations} operations, {wrong} wrong; seed {SEED}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
