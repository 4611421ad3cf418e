# SPDX-License-Identifier: Apache-2.0
"""Files for other tools: timing constraints, FuseSoC, nextpnr's options, Vivado."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from montforge.contract import Port
from montforge.generate.names import driven_name, simulated_name
from montforge.generate.text import VERSION
from montforge.hardware.fpga import find_fpga, nextpnr_options
from montforge.work.templates import render, template

ECP5_TARGET = "ecp5-85k"
"""Device of the FuseSoC core's target ecp5, with the options of `montforge measure`."""
VIVADO_PART = "xczu7ev-ffvc1156-2-e"
"""Default part of the Vivado script; the device of the ZCU104 board."""
FUSESOC_SCRIPT = "fusesoc_verilator.sh"
NO_FLAT = {"flat_filesets": "", "flat_targets": "", "flat_parameters": ""}
"""The fields of flat Verilog in the template of the FuseSoC core, if there is none."""


def tool_files(
    common: Mapping[str, str],
    rtl: Sequence[str],
    models: Sequence[str],
    ports: Sequence[Port],
    tests: Sequence[str],
    data: Sequence[str],
    *,
    harness: Sequence[str] = (),
    flat_verilog: bool = False,
) -> dict[str, str]:
    """Return constraints, FuseSoC core and Vivado script by path.

    ``rtl``: files that are synthesized, in compile order; ``models`` of primitives are read in
    simulation and lint alone; ``tests``: files of the testbench; ``data``: what it reads;
    ``harness``: files between the testbench and the design.
    """
    name = common["name"]
    fields = {**common, "vivado_part": VIVADO_PART}
    return {
        f"{name}.core": render(
            "fusesoc.core.in",
            fields,
            core_version=VERSION.split("+")[0],
            **_core_fields(name, rtl, models, tests, data, harness),
            **(_flat_fields(fields, bool(models), bool(harness)) if flat_verilog else NO_FLAT),
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
    harness: Sequence[str],
) -> dict[str, str]:
    """Return the fields of the template of the FuseSoC core, but those of the flat Verilog."""
    conditions = ("target_sim", "target_lint")
    read = [f"{path}: {{file_type: user, copyto: {path.rpartition('/')[2]}}}" for path in data]
    return {
        "rtl_files": "\n".join(f"      - {path}" for path in rtl),
        "harness": ", harness" if harness else "",
        "harness_fileset": _fileset("harness", harness, "systemVerilogSource") if harness else "",
        "test_files": "\n".join(f"      - {path}" for path in [*tests, *read]),
        "models": ", models" if models else "",
        "models_if_simulated": "".join(f', "{flag} ? (models)"' for flag in conditions if models),
        "models_fileset": _fileset("models", models, "systemVerilogSource") if models else "",
    }


def _flat_fields(
    fields: Mapping[str, str], with_models: bool, with_harness: bool
) -> dict[str, str]:
    """Return the fields of flat Verilog in the template of the FuseSoC core.

    It is for tools that do not read the RTL: Icarus Verilog, and the Yosys of distributions.
    """
    name = fields["name"]
    simulated = {"flat_simulated": simulated_name(name)} if with_models else {"flat": name}
    if with_harness:
        simulated["flat_harness"] = driven_name(name)
    files = {"flat": name} | simulated
    countable = fields["icarus_operations"] != ""
    return {
        "flat_filesets": "".join(
            _fileset(key, [f"flat/{file}.v"], "verilogSource-2005") for key, file in files.items()
        ),
        "flat_targets": render(
            "fusesoc_flat.in",
            fields,
            filesets=", ".join(simulated),
            parameter="operations" * countable,
            nextpnr=json.dumps(nextpnr_options(find_fpga(ECP5_TARGET), seed=1, placer="heap")),
        ),
        "flat_parameters": render("fusesoc_parameters.in", fields) if countable else "",
    }


def _fileset(name: str, paths: Sequence[str], file_type: str) -> str:
    files = "".join(f"      - {path}\n" for path in paths)
    return f"  {name}:\n    files:\n{files}    file_type: {file_type}\n"
