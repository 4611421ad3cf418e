# SPDX-License-Identifier: Apache-2.0
"""Placement, routing and timing by nextpnr, from the WebAssembly wheel of an FPGA's family.

The wheels see no absolute paths below the system's temporary folder, so all paths are relative
to the working folder.
"""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from montforge.errors import ToolFailedError
from montforge.hardware.fpga import Fpga, nextpnr_options
from montforge.measure.opensta import register_name
from montforge.work.extras import missing
from montforge.work.tools import run_tool

_PROGRAM = "import yowasp_nextpnr_{0} as n, sys; sys.exit(n.run_nextpnr_{0}(sys.argv[1:]))"
_SECONDS = 7200.0
_LARGE = 8000
"""Cells above which ``heap`` leaves multiplier blocks tens of rows from their logic, and
``static``, which takes longer, does not (docs/architectures/fios_dsp.md)."""
_REPORT = Path("report.json")


@dataclass(frozen=True)
class Placement:
    """One placement: its seed, the highest clock frequency, and where the worst path runs."""

    seed: int
    fmax_mhz: float
    start: str
    end: str
    utilization: dict[str, int]


def nextpnr_version(placer: str = "ecp5") -> str:
    """Return the version of a family's nextpnr wheel. Raises ToolMissingError."""
    try:
        return version(f"yowasp-nextpnr-{placer.replace('_', '-')}")
    except PackageNotFoundError:
        extra = "measure" if placer == "ecp5" else "fpga"
        raise missing(f"nextpnr for {placer}", extra) from None


def choose_placer(cells: int, multipliers: int) -> str:
    """Return the placer, ``heap`` or ``static``, for a number of cells and multiplier blocks."""
    return "static" if multipliers and cells > _LARGE else "heap"


def place(
    netlist: Path, target: Fpga, seed: int, placer: str, folder: Path, keep_log: Path
) -> Placement:
    """Place and route ``netlist`` (JSON) by ``placer`` in the scratch ``folder``.

    Raises ToolMissingError and ToolFailedError. A netlist that exceeds the device is placed for
    hours instead of being refused, so `montforge.measure.fpga.check_capacity` comes first.
    """
    family = target.family.placer
    nextpnr_version(family)
    (folder / "netlist.json").write_bytes(netlist.read_bytes())
    try:
        run_tool(
            [
                *(sys.executable, "-P", "-c", _PROGRAM.format(family)),
                *nextpnr_options(target, seed, placer),
                *("--json", "netlist.json", "--report", _REPORT),
                *_pins(target, folder),
            ],
            log=folder / "nextpnr.log",
            timeout=_SECONDS,
            cwd=folder,
            keep_log=keep_log,
            name="nextpnr",
        )
    except ToolFailedError:
        log = (folder / "nextpnr.log").read_text()
        if "wasm trap: out of bounds memory access" in log:
            raise ToolFailedError(
                "nextpnr ran out of stack, which it needs in proportion to the longest"
                f" combinational path (log: {keep_log}): choose a smaller width."
            ) from None
        raise
    return parse_report(json.loads((folder / _REPORT).read_text()), seed)


def _pins(target: Fpga, folder: Path) -> list[str]:
    """Write the file of the pins, if the family has one; return nextpnr's options for it."""
    if target.family.placer == "nexus":
        line, options = "ldc_set_location -site {{{1}}} [get_ports {0}]\n", ["--pdc", "pins"]
    elif target.family.placer == "himbaechel_gowin":
        line, options = 'IO_LOC "{0}" {1};\n', ["--vopt", "cst=pins"]
    else:
        return []
    (folder / "pins").write_text("".join(line.format(*pin) for pin in target.pins.items()))
    return options


def parse_report(report: dict[str, Any], seed: int) -> Placement:
    """Return the `Placement` of nextpnr's JSON report on a design with one clock."""
    (clock,) = report["fmax"]
    path = next(
        p["path"] for p in report["critical_paths"] if p["from"] == p["to"] == f"posedge {clock}"
    )
    return Placement(
        seed=seed,
        fmax_mhz=round(report["fmax"][clock]["achieved"], 3),
        start=register_name(path[0]["from"]["cell"]),
        end=register_name(path[-1]["to"]["cell"]),
        utilization={k: row["used"] for k, row in report["utilization"].items() if row["used"]},
    )
