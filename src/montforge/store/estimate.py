# SPDX-License-Identifier: Apache-2.0
"""Figures of designs between two measured widths: area and period by interpolation."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from montforge.arch import architecture, design
from montforge.errors import ParameterError
from montforge.measure.measurement import measure_command
from montforge.store import Result, promises

APART = 4
"""The most that the wider of two measured designs may be wider than the other one."""


@dataclass(frozen=True)
class Estimate:
    """A design's figures by interpolation: ``result`` lies between the measured ``ends``."""

    result: Result
    ends: tuple[Result, Result]


def estimates(rows: Iterable[Result], width: int) -> Iterator[Estimate]:
    """Yield the designs of ``width`` bits that ``rows`` have narrower and wider, and not as such.

    ``rows`` are measured ones of one target. Area (on an FPGA LUTs) and period follow a power of
    the width between the nearest two, which are at most `APART` times apart. Cycles are exact, of
    the contract; a design whose cycles the contract does not fix is left out.
    """
    groups: dict[tuple[Any, ...], dict[int, Result]] = {}
    for row in rows:
        key = (row.architecture, str(sorted(row.options.items())), row.form, row.effort)
        groups.setdefault(key, {})[row.size] = row
    for group in groups.values():
        below = max((size for size in group if size < width), default=None)
        above = min((size for size in group if size > width), default=None)
        if width in group or below is None or above is None or above > APART * below:
            continue
        found = _between(group[below], group[above], width)
        if found is not None:
            yield Estimate(found, (group[below], group[above]))


def _between(narrow: Result, wide: Result, width: int) -> Result | None:
    """Return the row of ``width`` bits, or None if the design or its cycles do not exist there."""
    sized = {architecture(narrow.architecture).size_parameter: width}
    try:
        chosen = design(narrow.architecture, **{**narrow.options, **sized}).with_form(narrow.form)
    except ParameterError:
        return None
    if chosen.fixed_cycles is None:
        return None
    part = math.log(width / narrow.size) / math.log(wide.size / narrow.size)

    def between(low: float | None, high: float | None) -> float | None:
        return None if low is None or high is None else low * (high / low) ** part

    luts = between(*((row.resources or {}).get("lut") for row in (narrow, wide)))
    none: dict[str, Any] = dict.fromkeys(
        ("area_registers", "period_no_wires", "placements", "critical_path", "netlist_checked",
         "commit", "inputs", "compiled", "placed")
    )  # fmt: skip
    return replace(
        narrow,
        parameters=dict(chosen.parameters),
        area=between(narrow.area, wide.area),
        resources=None if luts is None else {"lut": round(luts)},
        memory_bits=chosen.hardware.memory_bits if luts is None else 0,
        period=between(narrow.period, wide.period),
        cycles=float(chosen.fixed_cycles),
        handover=chosen.contract.handover,
        tools={},
        command=measure_command(
            chosen.words,
            narrow.target,
            None,
            len(narrow.placements or ()) or 1,
            narrow.effort or "full",
        ),
        **none,
        **promises(chosen, chosen.fixed_cycles),
    )
