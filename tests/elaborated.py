# SPDX-License-Identifier: Apache-2.0
"""What Yosys makes of a design's modules."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from montforge.hardware import Hardware
from montforge.hardware.yosys import quote, read_design, run_yosys


def elaborated(hardware: Hardware, folder: Path, *passes: str) -> dict[str, Any]:
    """Return the modules of a design after Yosys' ``passes`` and ``opt_clean``, by their names."""
    netlist = folder / "netlist.json"
    lines = [f"{read_design(hardware)} --keep-hierarchy", *passes, "opt_clean"]
    script = "".join(f"{line}\n" for line in [*lines, f"write_json {quote(netlist)}"])
    run_yosys(script, log=folder / "yosys.log", timeout=120)
    modules: dict[str, Any] = json.loads(netlist.read_text())["modules"]
    return modules


def adder_rows(names: Iterable[str]) -> int:
    """Return how many rows of full adders the modules of a netlist are; one of 4:2 ones is two."""
    found = [*names]
    fours = sum(name.startswith("mf_compressor_row") for name in found)
    return 2 * fours + sum(name.startswith("mf_full_adder_row") for name in found)
