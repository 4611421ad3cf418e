# SPDX-License-Identifier: Apache-2.0
"""Placement, routing and timing by nextpnr, from the WebAssembly wheel of an FPGA's family.

The wheels see no absolute paths below the system's temporary folder, so all paths are relative
to the working folder.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from montforge.errors import ToolFailedError
from montforge.hardware.fpga import Fpga, nextpnr_options
from montforge.measure.opensta import register_name
from montforge.measure.sites import place_blocks
from montforge.measure.yosys import RING_INSTANCE
from montforge.work.extras import missing
from montforge.work.tools import run_tool

_PROGRAM = "import yowasp_nextpnr_{0} as n, sys; sys.exit(n.run_nextpnr_{0}(sys.argv[1:]))"
_SECONDS = 7200.0
_LARGE = 8000
"""Cells above which ``heap`` leaves multiplier blocks tens of rows from their logic, and
``static``, which takes longer, does not (docs/architectures/fios_dsp.md)."""
_HUGE = 40_000
"""Cells above which the clock, as it is routed to each register, leaves other nets no routes."""
RING_CLOCK = "ring_clk_i"
"""The clock of the registers at the ports of a huge design: as without pins, paths from and to
ports don't count."""
_REPORT = Path("report.json")
_STACK_EXCEEDED = "wasm trap: out of bounds memory access"
_ATTEMPTS, _NEXT_SEED = 4, 100
"""Some placements need more stack to be routed than the wheel has, at the same width and path: then
the seed is the next one in steps."""


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


def is_huge(cells: int) -> bool:
    """Return whether a design of so many cells needs its clock on the network for clocks."""
    return cells > _HUGE


def place(
    netlist: Path,
    target: Fpga,
    seed: int,
    placer: str,
    folder: Path,
    keep_log: Path,
    fast_clocks: Mapping[str, int],
) -> Placement:
    """Place and route ``netlist`` (JSON) by ``placer`` in the scratch ``folder``.

    The result names its seed, which is another than ``seed`` if nextpnr had too little stack.
    Raises ToolMissingError and ToolFailedError. A netlist that exceeds the device is placed for
    hours instead of being refused, so `montforge.measure.fpga.check_capacity` comes first.
    """
    family = target.family.placer
    nextpnr_version(family)
    if target.in_ring and target.multiplier_sites:
        found = json.loads(netlist.read_text())
        place_blocks(found, **target.multiplier_sites)
        (folder / "netlist.json").write_text(json.dumps(found))
    else:
        (folder / "netlist.json").write_bytes(netlist.read_bytes())
    pins = _pins(target, folder)
    for tried in range(seed, seed + _ATTEMPTS * _NEXT_SEED, _NEXT_SEED):
        if _run(nextpnr_options(target, tried, placer) + pins, family, folder, keep_log):
            return parse_report(json.loads((folder / _REPORT).read_text()), tried, fast_clocks)
    raise ToolFailedError(
        f"nextpnr's stack was too small for {_ATTEMPTS} placements (log: {keep_log}); choose a"
        " smaller width, or another device."
    )


def _run(options: list[str], family: str, folder: Path, keep_log: Path) -> bool:
    """Run nextpnr; return whether its stack, whose size is fixed in the wheel, was enough."""
    try:
        run_tool(
            [
                *(sys.executable, "-P", "-c", _PROGRAM.format(family)),
                *("--json", "netlist.json", "--report", str(_REPORT), *options),
            ],
            log=folder / "nextpnr.log",
            timeout=_SECONDS,
            cwd=folder,
            keep_log=keep_log,
            name="nextpnr",
        )
    except ToolFailedError:
        if _STACK_EXCEEDED in (folder / "nextpnr.log").read_text():
            return False
        raise
    return True


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


def parse_report(
    report: dict[str, Any], seed: int, fast_clocks: Mapping[str, int] | None = None
) -> Placement:
    """Return the `Placement` of nextpnr's JSON report on a design.

    With ``fast_clocks``, each as many times as fast as its clock, the frequency is the highest with
    which the paths of all clocks end in time, those between two within a cycle of the faster one.
    Paths from and to registers of `RING_CLOCK` don't count.
    """

    def ratio(edge: str) -> int:
        return next((n for name, n in (fast_clocks or {}).items() if name in edge), 1)

    found = [
        (
            max(ratio(row["from"]), ratio(row["to"])) * sum(each["delay"] for each in row["path"]),
            row["path"],
        )
        for row in report["critical_paths"]
        if all(
            row[end].startswith("posedge ") and RING_CLOCK not in row[end] for end in ("from", "to")
        )
    ]
    period, path = max(found, key=lambda row: row[0])
    return Placement(
        seed=seed,
        fmax_mhz=round(1e3 / period, 3),
        start=register_name(path[0]["from"]["cell"]).removeprefix(f"{RING_INSTANCE}."),
        end=register_name(path[-1]["to"]["cell"]).removeprefix(f"{RING_INSTANCE}."),
        utilization={k: row["used"] for k, row in report["utilization"].items() if row["used"]},
    )
