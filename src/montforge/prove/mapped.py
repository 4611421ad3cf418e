# SPDX-License-Identifier: Apache-2.0
"""The checks of the structure on mapped gates: synthesis and mapping add no way for a secret."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path

from montforge.arch import Core
from montforge.errors import InputFileError
from montforge.hardware import Hardware
from montforge.prove.flow import Flow
from montforge.prove.netlist import Cell, read_netlist
from montforge.prove.structure import HANDSHAKE
from montforge.prove.verdict import Check, ProofError

LIBRARY = "osu018"
"""The standard cells that are mapped to; Debian has them."""
GROUNDS = (
    f"structure of the gates of {LIBRARY}, as its Liberty file describes them",
    "Yosys and slang read the RTL, Yosys and ABC map it",
)


def netlist(design: Core, hardware: Hardware, secret: Sequence[str], *, timeout: float) -> Check:
    """Return whether, in mapped gates, no secret reaches handshake, clock, reset or enable.

    ``secret`` are ports of the operands. Each gate is followed from pin to pin by its function.
    Raises ProofError where the library is missing, ToolFailedError.
    """
    if design.declassified:
        raise ProofError("nets that are let out have no names in the gates.")
    with tempfile.TemporaryDirectory() as folder:
        library = Path(folder) / "cells.lib"
        library.write_text(_liberty(), encoding="utf-8")
        mapped = read_netlist(hardware, timeout=timeout, prepare=_script(hardware.top, library))
    flow = Flow(mapped, [bit for port in secret for bit in mapped.inputs[port]])
    for bit in flow.reached(b for name in HANDSHAKE for b in mapped.outputs.get(name, [])):
        path = tuple(flow.path(bit))
        return Check("netlist", "refuted", f"{path[0]} reaches {path[-1]}.", GROUNDS, path=path)
    registers = [cell for cell in mapped.cells if _is_register(cell)]
    for cell in registers:
        pins = (b for port, bits in cell.inputs.items() if port != "D" for b in bits)
        for bit in flow.reached(pins):
            path = (*flow.path(bit), f"the register {mapped.names.get(cell.outputs['Q'][0], '')}")
            text = f"{path[0]} reaches a clock, reset or enable of {path[-1]}."
            return Check("netlist", "refuted", text, GROUNDS, path=path)
    if not registers:
        raise ProofError("no register was found in the mapped gates.")
    text = f"no secret reaches handshake, clock or reset in the gates of {LIBRARY}."
    return Check("netlist", "proved", text, GROUNDS)


def _liberty() -> str:
    from montforge.measure.targets import StandardCells, find_target

    try:
        found = find_target(LIBRARY)
    except InputFileError as error:
        raise ProofError(str(error)) from None
    assert isinstance(found, StandardCells)
    return found.liberty


def _script(top: str, library: Path) -> str:
    """Return passes that map the design and then put each gate's function in its place."""
    steps = (
        f"synth -top {top} -flatten -noabc",
        f'dfflibmap -liberty "{library}"',
        "opt",
        f'abc -liberty "{library}"',
        "opt_clean -purge",
        f'read_liberty -ignore_miss_func "{library}"',
        "flatten",
        "opt_clean",
    )
    return "\n".join(steps)


def _is_register(cell: Cell) -> bool:
    """Return whether a gate of Yosys is a flip-flop or a latch."""
    return cell.type.startswith("$_") and any(kind in cell.type for kind in ("DFF", "LATCH", "SR_"))
