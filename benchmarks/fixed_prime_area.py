# SPDX-License-Identifier: Apache-2.0
"""Area of `fixed_prime` beside three whole products of the same rows, tree, adder and registers.

    python benchmarks/fixed_prime_area.py --prime bn254_p --karatsuba 1

Both sides are pipelines without handshakes and without the buffer of results, which both would
need alike: mf_fixed_core, and mf_fixed_product (one Booth product of operands of width + 1 bits, a
result a cycle), of which a plain pipeline for T, Q and U has three.
"""

from __future__ import annotations

from typing import Annotated

import typer

from montforge.arch import Design, design
from montforge.arch.base import Parameters
from montforge.arch.fixed_prime import PRIMES, FixedModulus, FixedPrime, FixedSquare
from montforge.measure import Measurement, measure


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
) -> None:
    """Print area, period and cycles of both, and the ratio to three products."""
    form = {"width": PRIMES[prime].bit_length() if prime != "none" else width, "prime": prime}
    form |= {"karatsuba": karatsuba, "levels": levels, "reduction": reduction}
    values = design("fixed_prime", **form).values
    core = measure(
        Design(SquareCore() if square else Core(), values), "nangate45", effort=effort, workers=1
    )
    whole = measure(Design(Product(), values), "nangate45", effort=effort, workers=1)
    for name, found in (("core", core), ("product", whole)):
        for point in found.sweep:
            print(f"{name:8} {point}", flush=True)
    ratio = _area(core) / (3 * _area(whole))
    print(f"core {_text(core)}, product {_text(whole)}: core / three products {ratio:.3f}")


def _area(found: Measurement) -> float:
    assert found.area is not None
    return found.area


def _text(found: Measurement) -> str:
    return f"{_area(found):.0f} um2 (registers {found.area_registers:.0f}) at {found.period} ns"


if __name__ == "__main__":
    typer.run(main)
