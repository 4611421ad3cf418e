# SPDX-License-Identifier: Apache-2.0
"""The parts of a design, counted in its elaborated netlist."""

from __future__ import annotations

import json
import tempfile
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from montforge.arch import Core
from montforge.hardware.yosys import quote, read_design, run_yosys

ELABORATION_TIMEOUT = 600.0


@dataclass(frozen=True)
class Structure:
    """Counts in bits: flip-flops, two-input multiplexer cells, and each kind of block.

    A block is an instance of a library module, such as ``mf_full_adder_row``, with the bits of
    its widest output; ``blocks`` adds up the instances of a kind.
    """

    registers: int
    multiplexers: int
    blocks: dict[str, int]


def structure(design: Core) -> Structure:
    """Return the structure of ``design``. Raises ToolMissingError, ToolFailedError."""
    with tempfile.TemporaryDirectory(prefix="montforge-structure-") as name:
        netlist = Path(name) / "netlist.json"
        run_yosys(
            f"{read_design(design.hardware)} --keep-hierarchy\nproc\nopt -nodffe -nosdff\n"
            f"write_json {quote(netlist)}\n",
            log=Path(name) / "yosys.log",
            timeout=ELABORATION_TIMEOUT,
        )
        modules = json.loads(netlist.read_text())["modules"]
    registers = multiplexers = 0
    blocks: Counter[str] = Counter()
    for module_name, module in modules.items():
        for cell in module["cells"].values():
            bits = int(cell["parameters"].get("WIDTH", "0"), 2)
            if "dff" in cell["type"]:
                registers += bits
            elif cell["type"] in ("$mux", "$pmux"):
                multiplexers += bits * int(cell["parameters"].get("S_WIDTH", "1"), 2)
        if module_name != design.hardware.top:
            outputs = [p for p in module["ports"].values() if p["direction"] == "output"]
            blocks[module_name.split("$")[0]] += max(len(p["bits"]) for p in outputs)
    return Structure(registers, multiplexers, dict(sorted(blocks.items())))
