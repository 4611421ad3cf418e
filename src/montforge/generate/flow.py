# SPDX-License-Identifier: Apache-2.0
"""Files for other tools: timing constraints, FuseSoC, nextpnr's options, Vivado."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from montforge.contract import Port
from montforge.fpga import find_fpga, nextpnr_options
from montforge.generate.text import VERSION, render, template

ECP5_TARGET = "ecp5-85k"
"""What the FuseSoC core's target ecp5 is for, with the options of `montforge measure`."""
VIVADO_PART = "xczu7ev-ffvc1156-2-e"
"""What the Vivado script is for unless it is told; the device of the ZCU104 board."""
FUSESOC_SCRIPT = "fusesoc_verilator.sh"


def tool_files(
    common: Mapping[str, str],
    rtl: Sequence[str],
    models: Sequence[str],
    ports: Sequence[Port],
    tests: Sequence[str],
    data: Sequence[str],
    *,
    flat_verilog: bool = False,
) -> dict[str, str]:
    """Return constraints, FuseSoC core and Vivado script by path.

    ``rtl``: files that are synthesized, in compile order; ``models`` of primitives are read in
    simulation and lint alone; ``tests``: files of the testbench; ``data``: what it reads.
    """
    name = common["name"]
    fields = {**common, "vivado_part": VIVADO_PART}
    return {
        f"{name}.core": render(
            "fusesoc.core.in",
            fields,
            core_version=VERSION.split("+")[0],
            **_core_fields(name, rtl, models, tests, data, flat_verilog=flat_verilog),
        ),
        "vivado.tcl": render(
            "vivado.tcl.in", fields, vivado_files="\n".join(f"  {path}" for path in rtl)
        ),
        f"{name}.sdc": render("constraints.sdc.in", fields, **_constraint_fields(ports)),
        f"tb/{FUSESOC_SCRIPT}": template(FUSESOC_SCRIPT),
    }


def _constraint_fields(ports: Sequence[Port]) -> dict[str, str]:
    """Return the fields of the template of timing constraints."""

    def names(direction: str) -> str:
        return " ".join(
            port.name if port.width == 1 else f"{port.name}[*]"
            for port in ports
            if port.direction == direction and port.name not in ("clk_i", "rst_ni")
        )

    return {"inputs": names("input"), "outputs": names("output")}


def _core_fields(
    name: str,
    rtl: Sequence[str],
    models: Sequence[str],
    tests: Sequence[str],
    data: Sequence[str],
    *,
    flat_verilog: bool,
) -> dict[str, str]:
    """Return the fields of the template of the FuseSoC core.

    There is a target for an ECP5 with flat Verilog only, as the Yosys of distributions does not
    read the RTL.
    """
    conditions = ("target_sim", "target_lint")
    read = [f"{path}: {{file_type: user, copyto: {path.rpartition('/')[2]}}}" for path in data]
    return {
        "rtl_files": "\n".join(f"      - {path}" for path in rtl),
        "test_files": "\n".join(f"      - {path}" for path in [*tests, *read]),
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
