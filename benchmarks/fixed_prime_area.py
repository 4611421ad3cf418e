# SPDX-License-Identifier: Apache-2.0
"""Area of `fixed_prime` beside three whole products of the same rows, tree, adder and registers.

    python benchmarks/fixed_prime_area.py --width 64
    python benchmarks/fixed_prime_area.py --prime bn254_p --karatsuba 1 --delay 480

Both sides are pipelines without handshakes and without the buffer of results, which both would
need alike: mf_fixed_core, and mf_fixed_product (one Booth product of operands of width + 1 bits, a
result a cycle), of which a plain pipeline for T, Q and U has three. With --delay each side is one
point of synthesis, of this delay goal for ABC in ps, instead of a sweep.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Annotated, Any

import typer

from montforge.arch import Design, design
from montforge.arch.fixed_prime import FixedModulus, FixedPrime, FixedSquare
from montforge.measure import StandardCells, find_target, measure
from montforge.measure.sweep import single_point
from montforge.programs.primes import PRIMES
from montforge.work.cache import ResultStore

TARGET = "nangate45"


@dataclass(frozen=True)
class Core(FixedPrime):
    """The pipeline alone."""

    module = "mf_fixed_core"
    library = FixedModulus.blocks


@dataclass(frozen=True)
class SquareCore(FixedSquare):
    """The pipeline of the squarer alone."""

    module = "mf_fixed_core"
    library = FixedModulus.blocks

    @property
    def top_parameters(self) -> dict[str, int]:
        """Those of the core."""
        return super().top_parameters | {"Square": 1}


@dataclass(frozen=True)
class Product(FixedPrime):
    """One whole product, without Karatsuba levels."""

    module = "mf_fixed_product"
    library = FixedModulus.blocks[:-4]

    @property
    def top_parameters(self) -> dict[str, int]:
        """Those of the product."""
        return {
            "Width": self.width + 1,
            "Levels": self.levels,
        }


def main(
    prime: Annotated[str, typer.Option("--prime")] = "none",
    width: Annotated[int, typer.Option("--width")] = 64,
    karatsuba: Annotated[int, typer.Option("--karatsuba")] = 0,
    levels: Annotated[int, typer.Option("--levels")] = 3,
    reduction: Annotated[str, typer.Option("--reduction")] = "montgomery",
    square: Annotated[bool, typer.Option("--square")] = False,
    effort: Annotated[str, typer.Option("--effort")] = "quick",
    delay: Annotated[int, typer.Option("--delay")] = 0,
) -> None:
    """Print area, period and cycles of both, and the ratio to three products."""
    form = {"width": PRIMES[prime].bit_length() if prime != "none" else width, "prime": prime}
    form |= {"karatsuba": karatsuba, "levels": levels, "reduction": reduction}
    areas = []
    for name, part in (("core", SquareCore if square else Core), ("product", Product)):
        found = _found(design(part, **form), effort, delay)
        print(
            f"{name}: {found['area']:.0f} um2 (registers {found['area_registers']:.0f}) at"
            f" {found['period']} ns",
            flush=True,
        )
        areas.append(found["area"])
    print(f"core / three products {areas[0] / (3 * areas[1]):.3f}")


def _found(part: Design, effort: str, delay: int) -> dict[str, Any]:
    """Return area, area_registers, period of the best point of a sweep, or of one point."""
    if delay:
        target = find_target(TARGET)
        assert isinstance(target, StandardCells)
        return single_point(part.hardware, target, ResultStore(), delay).best
    found = measure(part, TARGET, effort=effort, workers=1)
    for point in found.sweep:
        print(point, flush=True)
    return asdict(found)


if __name__ == "__main__":
    typer.run(main)
