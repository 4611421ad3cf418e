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
    simulated = _flat(name, bool(models), bool(harness)) if flat_verilog else {}
    plain = [(key, "verilogSource-2005", [f"flat/{file}.v"]) for key, file in simulated.items()]
    fields = {
        **common,
        "core_version": VERSION.split("+")[0],
        "rtl": rtl,
        "models": models,
        "tests": tests,
        "data": data,
        "harness": harness,
        "sources": [
            ("rtl", "systemVerilogSource", rtl),
            ("models", "systemVerilogSource", models),
            *plain,
            ("harness", "systemVerilogSource", harness),
        ],
        "simulated": [key for key in simulated if not (models and key == "flat")],
        "nextpnr": json.dumps(nextpnr_options(find_fpga(ECP5_TARGET), seed=1, placer="heap")),
        "vivado_part": VIVADO_PART,
        "ports": {kind: _pins(ports, kind) for kind in ("input", "output")},
    }
    return {
        f"{name}.core": render("fusesoc.core.in", fields),
        "vivado.tcl": render("vivado.tcl.in", fields),
        f"{name}.sdc": render("constraints.sdc.in", fields),
        f"tb/{FUSESOC_SCRIPT}": template(FUSESOC_SCRIPT),
    }


def _pins(ports: Sequence[Port], direction: str) -> list[str]:
    """Return the ports of a direction, but clock and reset, as a Tcl command names them."""
    return [
        port.name if port.width == 1 else f"{port.name}[*]"
        for port in ports
        if port.direction == direction and port.name not in ("clk_i", "rst_ni")
    ]


def _flat(name: str, with_models: bool, with_harness: bool) -> dict[str, str]:
    """Return the files of flat Verilog by fileset.

    It is for tools that do not read the RTL: Icarus Verilog, and the Yosys of distributions.
    """
    simulated = {"flat_simulated": simulated_name(name)} if with_models else {}
    if with_harness:
        simulated["flat_harness"] = driven_name(name)
    return {"flat": name} | simulated
