# SPDX-License-Identifier: Apache-2.0
"""Designs in their harness: what the bench and a testbench simulate."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from montforge.arch.base import Design, rtl_root
from montforge.arch.forms import driven_text
from montforge.arch.parts import rendered_file
from montforge.contract import Contract


@dataclass(frozen=True)
class DrivenDesign(Design):
    """A design with its harness around it, which has the contract's ports; made by `driven`.

    Its latency and interval are those of ``core`` and the cycles of the harness.
    """

    core: Design

    @property
    def harness_cycles(self) -> int:
        """Cycles that the harness adds to those of the core."""
        harness = self.core.interface.harness
        assert harness is not None
        return harness.cycles

    @cached_property
    def contract(self) -> Contract:
        """The contract of the core with the cycles of the harness."""
        found, cycles = self.core.contract, self.harness_cycles
        return replace(
            found,
            latency=found.latency.later(cycles),
            interval=found.interval.later(cycles),
            # Requests follow a load by one cycle, in which the response to one would be taken.
            load=found.load and found.load.later(cycles + 1),
        )

    @property
    def rtl_top(self) -> str:
        """Name of the module that has both in it."""
        return f"{self.core.rtl_top}_driven"

    @property
    def rtl_parameters(self) -> dict[str, int]:
        """None: they are fixed inside."""
        return {}

    @property
    def harness_files(self) -> tuple[Path, ...]:
        """The files of the harness, in compile order."""
        harness = self.core.interface.harness
        assert harness is not None
        return tuple(rtl_root() / name for name in harness.files)

    @property
    def rtl_files(self) -> tuple[Path, ...]:
        """The files of core and harness, and the module that connects them."""
        text = self.text(self.rtl_top, self.core.rtl_top, self.core.rtl_parameters)
        return (*self.core.rtl_files, *self.harness_files, rendered_file(self.rtl_top, text))

    def text(self, name: str, core: str, parameters: Mapping[str, int]) -> str:
        """Return module ``name``: the harness around module ``core`` with the core's ports."""
        ports = self.contract.ports
        return driven_text(name, ports, self.core.interface, core, parameters)

    def cycles(self, *values: int, **named: int) -> int:
        """Return the exact latency of one operation behind the harness. Raises OperandError."""
        return self.core.cycles(*values, **named) + self.harness_cycles


def driven(design: Design) -> Design:
    """Return what is simulated: ``design`` in its harness, or itself if it has none."""
    if design.interface.harness is None or isinstance(design, DrivenDesign):
        return design
    return DrivenDesign(design.architecture, design.values, design, form=design.form)


def harness_cycles(design: Design) -> int:
    """Return the cycles of a simulated design that are not those of the design itself."""
    return design.harness_cycles if isinstance(design, DrivenDesign) else 0
