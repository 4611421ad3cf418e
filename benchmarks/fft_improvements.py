# SPDX-License-Identifier: Apache-2.0
"""Count the cycles that redundant, carry-free and balanced digits save.

    python benchmarks/fft_improvements.py

Cycles are those of `montforge.programs.fft.program` for an iteration of `fmle` (form squaring,
fast; unsigned digits relaxed, balanced ones canonical). Redundant digits (``digits=redundant``): no
pass of the adder follows the accumulation of the result. Carry-free digits, which include redundant
ones: all passes of the adder stream behind the transform, and end 6 cycles after the transform.
Balanced digits (``digits=balanced``): two bits more for the product of three spectra at once, which
make u = 17, s = 128, N = 64 legal at 2048 bits; blocks are the multipliers of at most 18 bits in a
ring multiplier.
"""

from __future__ import annotations

from dataclasses import replace

from rich.console import Console

from montforge.programs.fft.parameters import (
    BALANCED,
    FAST,
    REDUNDANT,
    RELAXED,
    SINGLE,
    UNSIGNED,
    ParameterSet,
)
from montforge.programs.fft.program import (
    SQUARING,
    Pass,
    Product,
    Timing,
    Transform,
    default_levels,
    schedule_of,
    variant_of,
)
from montforge.report import Table

CARRY_FREE_CYCLES = 6


class CarryFree(Timing):
    """Timing of an adder without carries: an accumulation alone takes cycles."""

    def of_pass(self, kind: str) -> int:
        """Return the cycles after the end of a transform."""
        return CARRY_FREE_CYCLES if kind == "accumulate" else 0

    def ahead(self, step: Transform | Product | Pass, before: Product | None) -> int:
        """Return how early a step begins; a pass has the cycles of its stream."""
        return 0 if isinstance(step, Pass) else super().ahead(step, before)


def main() -> None:
    """Print the table."""
    rows = []
    for label, u, s, ring, butterflies, digits in (
        ("2048 bits", 33, 64, 128, 2, UNSIGNED),
        ("2048 bits", 33, 64, 128, 4, UNSIGNED),
        ("4096 bits", 33, 128, 128, 2, UNSIGNED),
        ("2048 bits, balanced", 17, 128, 64, 2, BALANCED),
    ):
        chosen = ParameterSet(
            int(label[:4]), u, s, ring, True, variant=FAST, butterflies=butterflies
        )
        if digits == BALANCED:
            chosen = replace(chosen, digits=digits, threshold=SINGLE)
        else:
            chosen = replace(chosen, reduction=RELAXED)
        assert not chosen.violations()
        levels, variant = default_levels(ring), variant_of(chosen, SQUARING)
        built, free = (
            schedule_of(kind(chosen, levels), variant).cycles for kind in (Timing, CarryFree)
        )
        redundant = None
        if digits == UNSIGNED:
            other = replace(chosen, digits=REDUNDANT)
            assert not other.violations()
            redundant = schedule_of(Timing(other, levels), variant_of(other, SQUARING)).cycles
        sizes = f"{u}, {s}, {ring}"
        blocks = 3**levels
        rows.append((label, sizes, butterflies, built, redundant, free, blocks, built * blocks))
    columns = (
        *("", "u, s, N", "butterflies", "T", "T, redundant", "T, carry-free", "blocks"),
        "T x blocks",
    )
    Console().print(Table("An iteration of fmle, an element", columns, tuple(rows)).to_rich())


if __name__ == "__main__":
    main()
