# SPDX-License-Identifier: Apache-2.0
"""Rows and wires of a standard-cell library: the table ``placement`` of ``targets/NAME.toml``."""

from __future__ import annotations

from dataclasses import dataclass

from montforge.errors import ParameterError
from montforge.hardware.fpga import target_data
from montforge.measure.targets import target_names


@dataclass(frozen=True)
class Technology:
    """Rows of cells and the wires between them.

    ``row_um`` is the height of rows (and of cells), ``site_um`` the unit of a cell's width. A wire
    has ``capacitance_ff_um`` fF and ``resistance_ohm_um`` ohm a um. Cells take ``utilization`` of
    the area of the rows. ``layer`` is the one that has these wires, ``source`` says who states it.
    ``clock_buffer`` is a cell with its input and its output, of which the lowest level of a clock
    tree has one for at most ``clock_registers`` registers; ``clock_source`` says who states both.
    """

    row_um: float
    site_um: float
    capacitance_ff_um: float
    resistance_ohm_um: float
    layer: str
    source: str
    clock_buffer: str
    clock_registers: int
    clock_source: str
    utilization: float = 0.7

    @property
    def row_nm(self) -> int:
        """Height of a row in nm."""
        return round(1e3 * self.row_um)

    @property
    def site_nm(self) -> int:
        """Width of a site in nm."""
        return round(1e3 * self.site_um)


def placed_targets() -> list[str]:
    """Return the names of the targets that have a technology."""
    return [name for name in target_names() if target_data(name).get("placement")]


def technology_of(name: str | None) -> Technology:
    """Return the technology of the target ``name``. Raises ParameterError if it has none."""
    known = placed_targets()
    if name not in known:
        raise ParameterError(
            f"{f'target {name}' if name else 'a Liberty file on its own'} has no data of rows and"
            f" wires, which --placed needs; name a target that has: {', '.join(known)}."
        )
    return Technology(**target_data(name)["placement"])
