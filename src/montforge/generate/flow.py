# SPDX-License-Identifier: Apache-2.0
"""Files for other tools: timing constraints, FuseSoC, nextpnr's options, Vivado."""

from __future__ import annotations

import json
from collections.abc import Sequence

from montforge.contract import Port
from montforge.fpga import find_fpga, nextpnr_options

ECP5_TARGET = "ecp5-85k"
"""What the FuseSoC core's target ecp5 is for, with the options of `montforge measure`."""


def constraint_fields(ports: Sequence[Port]) -> dict[str, str]:
    """Return the fields of the template of timing constraints."""

    def names(direction: str) -> str:
        return " ".join(
            port.name if port.width == 1 else f"{port.name}[*]"
            for port in ports
            if port.direction == direction and port.name not in ("clk_i", "rst_ni")
        )

    return {"inputs": names("input"), "outputs": names("output")}


def core_fields(
    name: str,
    rtl: Sequence[str],
    models: Sequence[str],
    harness: Sequence[str],
    *,
    flat_verilog: bool,
) -> dict[str, str]:
    """Return the fields of the template of the FuseSoC core.

    ``models`` of primitives are read in simulation and lint alone, the ``harness`` of a form with
    the testbench. There is a target for an ECP5
    with flat Verilog only, as the Yosys of distributions does not read the RTL.
    """
    conditions = ("target_sim", "target_lint")
    return {
        "rtl_files": "\n".join(f"      - {path}" for path in rtl),
        "harness_files": "".join(f"      - {path}\n" for path in harness),
        "models": ", models" if models else "",
        "models_if_simulated": "".join(f', "{flag} ? (models)"' for flag in conditions if models),
        "models_fileset": _fileset("models", models, "systemVerilogSource") if models else "",
        "flat_fileset": _fileset("flat", [f"flat/{name}.v"], "verilogSource-2005")
        if flat_verilog
        else "",
        "ecp5_target": _ecp5_target(name) if flat_verilog else "",
    }


def _fileset(name: str, paths: Sequence[str], file_type: str) -> str:
    files = "".join(f"      - {path}\n" for path in paths)
    return f"  {name}:\n    files:\n{files}    file_type: {file_type}\n"


def _ecp5_target(name: str) -> str:
    options = json.dumps(nextpnr_options(find_fpga(ECP5_TARGET), seed=1, placer="heap"))
    return f"""\
  ecp5:
    description: "Lattice ECP5-85, out of context, with Yosys and nextpnr"
    filesets: [flat]
    toplevel: {name}
    flow: trellis
    flow_options:
      nextpnr_options: {options}

"""
