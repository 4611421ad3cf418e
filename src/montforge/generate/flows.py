# SPDX-License-Identifier: Apache-2.0
"""Files for flows to a chip or an FPGA: LibreLane, OpenROAD, Quartus, and for other languages."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from typing import Any

from montforge.arch import Design
from montforge.generate.contents import Texts
from montforge.hardware.fpga import target_data
from montforge.work.templates import render

PLATFORMS = ("nangate45", "sky130hd")
"""Targets that are platforms of OpenROAD-flow-scripts, too."""
MARGIN = 1.3
"""A first period over the measured one, which has no wires but a wire-load model."""
PERIOD = 10.0
"""In ns, for a design that the store has no row of."""
UNCERTAINTY = 0.05
"""Of the period."""
QUARTUS_PART = "10AX115N2F45I1SG"


@dataclass(frozen=True)
class _Clock:
    period: float
    origin: str


def flow_files(design: Design, fields: Mapping[str, Any], constraints: str) -> Texts:
    """Return the files for flows, from the fields of a folder and its timing ``constraints``."""
    clocks = {platform: _clock(design, platform) for platform in PLATFORMS}
    more = {
        "periods": {platform: clock.period for platform, clock in clocks.items()},
        "quartus_part": QUARTUS_PART,
    }
    made = {
        "librelane.json": "librelane.json.in",
        "openroad.mk": "openroad.mk.in",
        "quartus.tcl": "quartus.tcl.in",
        "siliconcompiler_design.py": "siliconcompiler.py.in",
    }
    return {
        **{f"flow/{name}": render(template, fields, **more) for name, template in made.items()},
        **{
            f"flow/{platform}.sdc": _sdc(platform, clock, fields, constraints)
            for platform, clock in clocks.items()
        },
        "Bender.yml": render("Bender.yml.in", fields),
        f"rtl/{fields['name'].lower()}_pkg.vhd": render("package.vhd.in", fields),
    }


def _clock(design: Design, platform: str) -> _Clock:
    """Return a period to begin with: the measured one with a margin, if the store has it."""
    # The store's own reader needs more of the package than a browser has.
    path = files("montforge") / "store" / "results.jsonl"
    listed = path.read_text(encoding="utf-8").splitlines()
    measured = [
        row["period"]
        for row in map(json.loads, listed)
        if row["target"] == platform
        and row["period"]
        and row["architecture"] == design.name
        and row["parameters"] == design.parameters
    ]
    if not measured:
        return _Clock(PERIOD, "the period is not measured")
    least = min(measured)
    period = math.ceil(MARGIN * least * 100) / 100
    return _Clock(period, f"{MARGIN:g} times the {least:g} ns that montforge measured")


def _sdc(platform: str, clock: _Clock, fields: Mapping[str, Any], constraints: str) -> str:
    cells = target_data(platform)
    return render(
        "platform.sdc.in",
        fields,
        platform=platform,
        constraints=constraints,
        origin=clock.origin,
        period=clock.period,
        uncertainty=round(UNCERTAINTY * clock.period, 4),
        driver=cells["driver"],
        load=cells["load_ff"] / cells["capacitance_unit_ff"],
    )
