# SPDX-License-Identifier: Apache-2.0
"""The whole design as plain Verilog."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from montforge.generate.names import driven_name, is_vendor_model, simulated_name
from montforge.generate.output import write
from montforge.generate.text import VERSION
from montforge.hardware.yosys import run_yosys, yosys_version
from montforge.licence import OWNER
from montforge.work.cache import cache_root
from montforge.work.templates import template

YOSYS_TIMEOUT = 3600.0


def flatten_folder(top: str, folder: Path) -> None:
    """Write ``top`` of a folder as plain Verilog into ``flat/``.

    If there are models of vendors' primitives, whose instances stay, a second file has the models
    in it, for simulation. The harness around ``top``, if the testbench has one, is in a file of
    its own, which instantiates ``top``.
    """
    sources = (folder / f"{top}.f").read_text().split()
    write(folder / "flat" / f"{top}.v", _flatten(top, folder, sources))
    if any(map(is_vendor_model, sources)):
        text = _flatten(top, folder, sources, "--no-synthesis-define")
        write(folder / "flat" / f"{simulated_name(top)}.v", text)
    harness = driven_name(top)
    if (folder / "tb" / f"{harness}.sv").exists():
        kept = f"--blackboxed-module {top}"
        sources += sorted(f"tb/{path.name}" for path in (folder / "tb").glob("*.sv"))
        write(folder / "flat" / f"{harness}.v", _flatten(harness, folder, sources, kept))


def _flatten(top: str, folder: Path, sources: Sequence[str], options: str = "") -> str:
    """Return ``top``, read with ``options``, as one module of Verilog-2005, made by Yosys beside
    the folder.
    """
    scratch = folder.parent
    write(scratch / "mask_to_mux.v", template("mask_to_mux.v"))
    script = f"""\
read_slang {options} --top {top} {" ".join(sources)}
proc; flatten; chformal -remove; opt -purge
bmuxmap; demuxmap; bwmuxmap
techmap -map ../mask_to_mux.v
opt_clean -purge
check -assert
write_verilog -noattr ../flat.v
"""
    run_yosys(
        script,
        log=scratch / "yosys.log",
        timeout=YOSYS_TIMEOUT,
        cwd=folder,
        keep_log=cache_root() / "logs" / f"generate-{top}.log",
    )
    _banner, body = (scratch / "flat.v").read_text().split("\n", 1)
    return (
        f"// {top} as plain Verilog-2005: flattened from rtl/ by Yosys {yosys_version()}"
        f" for montforge {VERSION}.\n"
        f"// It {OWNER} (see NOTICE).\n"
        f"{body}"
    )
