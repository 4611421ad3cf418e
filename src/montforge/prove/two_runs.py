# SPDX-License-Identifier: Apache-2.0
"""Two runs of a design on different secrets: its handshake is the same in every cycle.

Of a design in which secrets reach the handshake this can still hold, if all branches take the same
time. Two copies have the same requests and public operands, each its own secrets; ABC decides
whether a cycle tells them apart.
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

from montforge.hardware import Hardware
from montforge.hardware.yosys import read_design, run_yosys
from montforge.prove.netlist import Netlist
from montforge.prove.structure import HANDSHAKE
from montforge.prove.terms import RESET
from montforge.prove.verdict import Check, ProofError
from montforge.work.templates import render
from montforge.work.tools import run_tool

GROUNDS = (
    "ABC's pdr on gates of two copies, after a cycle of reset; other registers start at zero",
    "Yosys and slang read the RTL, and Yosys makes gates of it",
)
_GATES = (
    "hierarchy -top two_runs; proc; flatten; async2sync; dffunmap; opt_expr; opt_clean; techmap;"
    " simplemap; opt_expr; opt_clean; setundef -zero -init -undriven; zinit -all;"
    " abc -g AND; opt_clean"
)
_REFUTED = re.compile(r"was asserted in frame (\d+)")
_PROVED = "Property proved"


def two_run(
    hardware: Hardware, netlist: Netlist, secret: Sequence[str], *, timeout: float
) -> Check:
    """Return whether ready and valid are the same in two runs that differ in ``secret`` alone.

    ``secret`` are ports. ``timeout`` is in seconds for Yosys, and for ABC. Raises ToolFailedError,
    and ProofError at ABC's time limit.
    """
    widths = {name: len(bits) for name, bits in netlist.inputs.items()}
    given = {name: width for name, width in widths.items() if name not in {"clk_i", RESET}}
    fields = {
        "top": hardware.top,
        "reset": RESET,
        "secret": [(name, given[name]) for name in secret],
        "shared": [(name, width) for name, width in given.items() if name not in secret],
        "outputs": [name for name in HANDSHAKE if name in netlist.outputs],
    }
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "two_runs.v").write_text(render("two_runs.v.in", fields), encoding="utf-8")
        passes = "proc; flatten; opt_clean; memory; opt -nodffe -nosdff; opt_clean"
        script = [read_design(hardware), passes, "read_verilog two_runs.v", _GATES]
        script.append("write_aiger -zinit two_runs.aig")
        run_yosys("\n".join(script), log=folder / "log", timeout=timeout, cwd=folder)
        said = run_tool(
            [str(_abc()), "-c", f"read_aiger two_runs.aig; strash; pdr -T {max(1, int(timeout))}"],
            log=folder / "abc.log",
            timeout=timeout + 30,
            cwd=folder,
            name="yosys-abc",
        )
    if found := _REFUTED.search(said):
        text = f"two runs differ in cycle {found[1]} after reset."
        return Check("two-run", "refuted", text, GROUNDS)
    if _PROVED in said:
        return Check("two-run", "proved", "no cycle tells two secrets apart.", GROUNDS)
    raise ProofError(f"ABC did not decide within {timeout:g} s.")


def _abc() -> Path:
    """Return the program of ABC that comes with the wheel of Yosys."""
    spec = find_spec("pyosys")
    assert spec is not None and spec.origin is not None
    return Path(spec.origin).with_name("yosys-abc")
