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

from dataclasses import asdict
from typing import Annotated, Any

import typer

from montforge.arch import Design, design
from montforge.arch.base import Parameters
from montforge.arch.fixed_prime import PRIMES, FixedModulus, FixedPrime, FixedSquare
from montforge.cache import ResultStore
from montforge.measure import StandardCells, find_target, measure
from montforge.measure.sweep import single_point

TARGET = "nangate45"


class Core(FixedPrime):
    """The pipeline alone."""

    rtl_top = "mf_fixed_core"
    rtl_files = FixedModulus.blocks


class SquareCore(FixedSquare):
    """The pipeline of the squarer alone."""

    rtl_top = "mf_fixed_core"
    rtl_files = FixedModulus.blocks

    def rtl_parameters(self, parameters: Parameters) -> dict[str, int]:
        """Return those of the core."""
        return super().rtl_parameters(parameters) | {"Square": 1}


class Product(FixedPrime):
    """One whole product, without Karatsuba levels."""

    rtl_top = "mf_fixed_product"
    rtl_files = FixedModulus.blocks[:-4]

    def rtl_parameters(self, parameters: Parameters) -> dict[str, int]:
        """Return those of the product."""
        return {
            "Width": parameters.integer("width") + 1,
            "Levels": parameters.integer("levels"),
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
    values = design("fixed_prime", **form).values
    areas = []
    for name, part in (("core", SquareCore() if square else Core()), ("product", Product())):
        found = _found(Design(part, values), effort, delay)
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
        return single_point(part, target, ResultStore(), delay).best
    found = measure(part, TARGET, effort=effort, workers=1)
    for point in found.sweep:
        print(point, flush=True)
    return asdict(found)


if __name__ == "__main__":
    typer.run(main)
