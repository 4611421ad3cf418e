# SPDX-License-Identifier: Apache-2.0
"""Designs in their harness, as the bench and a testbench simulate them."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from montforge.arch.base import Core, Design
from montforge.contract import Contract
from montforge.errors import ParameterError
from montforge.hardware.forms import driven_text
from montforge.hardware.hardware import Hardware, rtl_root
from montforge.hardware.parts import rendered_file


@dataclass(frozen=True)
class Simulated:
    """A design with the top module that is simulated for it, which has the contract's ports.

    The top is the design's own, or the harness of its form around it, or a netlist. ``contract``
    is the design's with the ``harness_cycles`` added to the latency, of one operation at a time.
    """

    design: Core
    contract: Contract
    hardware: Hardware
    harness_cycles: int = 0

    @property
    def identifier(self) -> str:
        """The design's identifier."""
        return self.design.identifier

    def cycles(self, *values: int, **named: int) -> int:
        """Return the exact latency of one operation behind the harness. Raises OperandError."""
        return self.design.cycles(*values, **named) + self.harness_cycles

    def golden(self, *values: int, **named: int) -> int:
        """Return the exact value of the result. Raises OperandError for an illegal operation."""
        return self.design.golden(*values, **named)

    def constants(self, n: int) -> dict[str, int]:
        """Return the values that the hardware takes beside or in place of ``n``."""
        return self.design.constants(n)

    def encode(
        self, *values: int, rng: random.Random | None = None, **named: int
    ) -> tuple[int, ...]:
        """Return the bit patterns of the contract's `operand_ports` for one operation."""
        return self.design.encode(*values, rng=rng, **named)

    def corners(self) -> Iterator[dict[str, int]]:
        """Yield the architecture's own corner operations."""
        return self.design.corners()

    def __str__(self) -> str:
        return str(self.design)


def driven(design: Design | Simulated) -> Simulated:
    """Return the simulated design: ``design`` in its harness, or itself if it has none.

    Raises ParameterError for a design that is no `Core`.
    """
    if isinstance(design, Simulated):
        return design
    if not isinstance(design, Core):
        raise ParameterError(f"{design.name} is no core of one function; name its core instead.")
    harness, found = design.interface.harness, design.contract
    if harness is None:
        return Simulated(design, found, design.hardware)
    contract = replace(
        found,
        latency=found.latency.later(harness.cycles),
        interval=found.latency.later(harness.cycles + 2),
        # Requests follow a load by one cycle, in which the response to one would be taken.
        load=found.load and found.load.later(harness.cycles + 1),
    )
    core = design.hardware
    top = f"{core.top}_driven"
    text = harness_text(design, top, core.top, core.parameters)
    files = (*core.files, *harness_files(design), rendered_file(top, text))
    hardware = Hardware(core.name, top, files)
    return Simulated(design, contract, hardware, harness.cycles)


def harness_files(design: Core) -> tuple[Path, ...]:
    """Return the files of a design's harness, in compile order; none without one."""
    harness = design.interface.harness
    return tuple(rtl_root() / name for name in harness.files) if harness else ()


def harness_text(design: Core, name: str, core: str, parameters: Mapping[str, int]) -> str:
    """Return module ``name``: the harness of ``design`` around module ``core`` with its ports."""
    return driven_text(name, design.contract.ports, design.interface, core, parameters)
