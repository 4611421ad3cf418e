# SPDX-License-Identifier: Apache-2.0
"""Measure the area of an exponentiator without its multiplier, and its growth with the width.

    python benchmarks/modexp_area.py [--widths 128 256 512] [--target nangate45] [--words]
        [-p NAME=VALUE ...]

Measures mf_modexp_chain at several widths, and puts a line through the areas. Control, recoding,
scan and the word-serial subtraction do not grow with the width; the registers of operands and
exponent with their multiplexers do. A table is counted in bits. With --words the chain is that of
the native form, whose operands come by words and whose exponent is in a memory; the control of
those words, which does not grow, is not included.
"""

from __future__ import annotations

import argparse
import statistics
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console

from montforge.arch import Core
from montforge.arch.modexp import Modexp
from montforge.measure import measure
from montforge.report import Table

PART = {"multiplier": "booth_csa", "multiplier.radix": 64, "multiplier.pipeline": 1}
PLANNED = 1024


@dataclass(frozen=True)
class Chain(Modexp):
    """mf_modexp_chain, whose multiplications leave through ports."""

    name = "modexp_chain"
    module = "mf_modexp_chain"

    @property
    def files(self) -> tuple[str, ...]:
        """The files of the exponentiator without those above the chain."""
        above = ("mf_modexp", "mf_modexp_chains", "mf_modexp_multipliers")
        return tuple(name for name in super().files if Path(name).stem not in above)

    @property
    def part_wrappers(self) -> dict[str, Core]:
        """None: the multiplier is outside."""
        return {}


@dataclass(frozen=True)
class ChainOfWords(Chain):
    """The same, as the native form has it."""

    name = "modexp_chain_of_words"

    @property
    def top_parameters(self) -> dict[str, int]:
        """Those of a chain whose operands come by words."""
        return super().top_parameters | {"Serial": 1}

    @property
    def core_memory_bits(self) -> int:
        """The bits of table and exponent."""
        bits = self.exponent_bits or self.width
        return super().core_memory_bits + bits


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--widths", type=int, nargs="+", default=[128, 256, 512])
    parser.add_argument("--target", default="nangate45")
    parser.add_argument("--words", action="store_true")
    parser.add_argument("-p", dest="given", action="append", default=[])
    arguments = parser.parse_args()
    given = dict(item.split("=", 1) for item in arguments.given)
    chain = ChainOfWords if arguments.words else Chain
    rows, areas = [], []
    for width in arguments.widths:
        measured = chain.of(**{"width": width, "algorithm": "ladder"} | PART | given)
        found = measure(measured, arguments.target, effort="quick")
        assert found.area is not None
        assert found.area_registers is not None
        areas.append(found.area)
        rows.append((width, found.area, found.area_registers, measured.core_memory_bits))
    notes = [f"On {arguments.target}, quick effort; without wires between multiplier and chain."]
    if len(set(arguments.widths)) > 1:
        slope, intercept = statistics.linear_regression(arguments.widths, areas)
        notes.append(
            f"Area = {intercept:,.0f} + {slope:.2f} width:"
            f" {intercept + slope * PLANNED:,.0f} at {PLANNED} bits."
        )
    columns = ("width", "area um2", "registers um2", "memory bits")
    Console().print(
        Table("Exponentiator without its multiplier", columns, tuple(rows), tuple(notes)).to_rich()
    )


if __name__ == "__main__":
    main()
