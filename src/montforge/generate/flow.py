# SPDX-License-Identifier: Apache-2.0
"""Files for other tools: timing constraints, FuseSoC, nextpnr's options, Vivado."""

from __future__ import annotations

import json
from collections.abc import Sequence

from montforge.contract import Contract
from montforge.fpga import find_fpga, nextpnr_options

ECP5_TARGET = "ecp5-85k"
"""What the FuseSoC core's target ecp5 is for, with the options of `montforge measure`."""


def constraint_fields(contract: Contract) -> dict[str, str]:
    """Return the fields of the template of timing constraints."""

    def ports(direction: str) -> str:
        return " ".join(
            port.name if port.width == 1 else f"{port.name}[*]"
            for port in contract.ports
            if port.direction == direction and port.name not in ("clk_i", "rst_ni")
        )

    return {"inputs": ports("input"), "outputs": ports("output")}


def models_fileset(models: Sequence[str]) -> str:
    """Return the FuseSoC fileset of the models of primitives, if there are any."""
    if not models:
        return ""
    files = "".join(f"      - {path}\n" for path in models)
    return f"  models:\n    files:\n{files}    file_type: systemVerilogSource\n"


def ecp5_options() -> str:
    """Return nextpnr's options for `ECP5_TARGET` as a JSON list."""
    return json.dumps(nextpnr_options(find_fpga(ECP5_TARGET), seed=1, placer="heap"))
