# SPDX-License-Identifier: Apache-2.0
"""Files for other tools: timing constraints, FuseSoC, nextpnr's options, Vivado."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from montforge.generate.contents import Texts
from montforge.generate.names import driven_name, simulated_name
from montforge.generate.text import VERSION
from montforge.hardware.fpga import find_fpga, nextpnr_options
from montforge.work.templates import render, template

ECP5_TARGET = "ecp5-85k"
"""Device of the FuseSoC core's target ecp5, with the options of `montforge measure`."""
VIVADO_PART = "xczu7ev-ffvc1156-2-e"
"""Default part of the Vivado script; the device of the ZCU104 board."""
FUSESOC_SCRIPT = "tb/fusesoc_verilator.sh"


def tool_files(fields: Mapping[str, Any]) -> Texts:
    """Return constraints, FuseSoC core and Vivado script by path, from the fields of a folder.

    Models of primitives are read in simulation and lint alone.
    """
    flat = _flat(**fields) if fields["flat_verilog"] else {}
    sources = [
        ("rtl", "systemVerilogSource", fields["rtl"]),
        ("models", "systemVerilogSource", fields["models"]),
        *((key, "verilogSource-2005", [f"flat/{file}.v"]) for key, file in flat.items()),
        ("harness", "systemVerilogSource", fields["harness"]),
    ]
    more = {
        "core_version": VERSION.split("+")[0],
        "sources": sources,
        "simulated": [key for key in flat if not (fields["models"] and key == "flat")],
        "nextpnr": json.dumps(nextpnr_options(find_fpga(ECP5_TARGET), seed=1, placer="heap")),
        "vivado_part": VIVADO_PART,
        "pins": {kind: _pins(fields, kind) for kind in ("input", "output")},
    }
    name = fields["name"]
    return {
        f"{name}.core": render("fusesoc.core.in", fields, **more),
        "vivado.tcl": render("vivado.tcl.in", fields, **more),
        f"{name}.sdc": render("constraints.sdc.in", fields, **more),
        FUSESOC_SCRIPT: template("fusesoc_verilator.sh"),
    }


def _pins(fields: Mapping[str, Any], direction: str) -> list[str]:
    """Return the ports of a direction, but clocks and reset, as a Tcl command names them."""
    others = {"clk_i", "rst_ni", *fields["hardware"].fast_clocks}
    return [
        port.name if port.width == 1 else f"{port.name}[*]"
        for port in fields["ports"]
        if port.direction == direction and port.name not in others
    ]


def _flat(name: str, models: Sequence[str], harness: Sequence[str], **_: object) -> dict[str, str]:
    """Return the files of flat Verilog by fileset.

    Flat Verilog is for tools that do not read the RTL: Icarus, and the Yosys of distributions.
    """
    simulated = {"flat_simulated": simulated_name(name)} if models else {}
    if harness:
        simulated["flat_harness"] = driven_name(name)
    return {"flat": name} | simulated
