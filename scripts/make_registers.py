# SPDX-License-Identifier: Apache-2.0
"""Make what follows from the SystemRDL files of rtl/bus: RTL, C headers, documentation.

    python scripts/make_registers.py [--check]

All go beside the SystemRDL file; docs/registers/ has links to the pages. With --check nothing is
written, and the exit status is 1 if a file is not what PeakRDL makes now.
"""

from __future__ import annotations

import argparse
import re
import sys
import tempfile
from pathlib import Path

from peakrdl_cheader.exporter import CHeaderExporter
from peakrdl_markdown import MarkdownExporter
from peakrdl_regblock import RegblockExporter
from peakrdl_regblock.cpuif.axi4lite import AXI4Lite_Cpuif_flattened
from peakrdl_regblock.cpuif.passthrough import PassthroughCpuif
from peakrdl_regblock.udps import ALL_UDPS
from systemrdl import RDLCompiler

ROOT = Path(__file__).parents[1]
SOURCES = ROOT / "rtl" / "bus"
AXI_UNUSED = ("s_axil_awprot", "s_axil_arprot", "axil_awaddr[1:0]", "axil_araddr[1:0]")
FREESTANDING = (
    "#include <assert.h>\n",
    "#ifndef __cplusplus\n#define static_assert _Static_assert\n#endif\n",
)
"""What a header includes that not every compiler of firmware has, and what stands for it."""
COLUMNS = 100
LICENCE = "SPDX-License-Identifier: Apache-2.0"


def outputs(source: Path) -> dict[Path, str]:
    """Return the files that follow from a SystemRDL file, as text by path."""
    compiler = RDLCompiler()
    for udp in ALL_UDPS:
        compiler.register_udp(udp)
    compiler.compile_file(str(source))
    name = source.stem
    # A bus layer that has windows too takes its registers without a bus of their own.
    map_name = f"{name.removesuffix('_regs')}_map"
    has_windows = f"addrmap {map_name} " in source.read_text()
    root = compiler.elaborate(name)
    whole = compiler.elaborate(map_name) if has_windows else root
    with tempfile.TemporaryDirectory() as folder:
        scratch = Path(folder)
        RegblockExporter().export(
            root,
            folder,
            cpuif_cls=PassthroughCpuif if has_windows else AXI4Lite_Cpuif_flattened,
            default_reset_activelow=True,
            default_reset_async=True,
            err_if_bad_addr=True,
            err_if_bad_rw=True,
        )
        CHeaderExporter().export(whole, str(scratch / f"{name}.h"))
        MarkdownExporter().export(whole, str(scratch / f"{name}.md"))
        module, package, header, page = (
            (scratch / f"{name}{ending}").read_text() for ending in (".sv", "_pkg.sv", ".h", ".md")
        )
    return {
        source.with_suffix(".sv"): f"// {LICENCE}\n{_with_sink(module)}",
        source.with_name(f"{name}_pkg.sv"): f"// {LICENCE}\n{package}",
        source.with_suffix(".h"): f"// {LICENCE}\n{header.replace(*FREESTANDING)}",
        source.with_suffix(".md"): page,
    }


def _with_sink(module: str) -> str:
    """Return the module with a sink for what it does not use, so that lints need no waiver."""
    (name,) = re.findall(r"^module (\w+)", module, re.MULTILINE)
    constants = [f"{name.upper()}_{kind}" for kind in ("DATA_WIDTH", "MIN_ADDR_WIDTH", "SIZE")]
    signals = [
        *(AXI_UNUSED if "s_axil_awprot" in module else ()),
        *("decoded_reg_strb", "decoded_wr_data", "decoded_wr_biten"),
        *(f"32'({name}_pkg::{constant})" for constant in constants),
    ]
    sink = [
        "",
        "    // Not used: protection, and the bits that no register has.",
        "    logic unused_bits;",
        "    assign unused_bits = ^{",
        ",\n".join(f"        {signal}" for signal in signals),
        "    };",
        "endmodule",
        "",
    ]
    # Of an unpacked structure Verilator takes fields with blocks of their own for one variable.
    module = module.replace("struct {", "struct packed {")
    short = "\n".join(map(_broken, module.splitlines()))
    return re.sub(r"endmodule\s*$", "\n".join(sink), short)


def _broken(line: str) -> str:
    """Return a line, in two if it is too long, broken before an operator."""
    breaks = [found.start() + 1 for found in re.finditer(r" (\||&&?) ", line[:COLUMNS])]
    if len(line) <= COLUMNS or not breaks:
        return line
    indent = " " * (len(line) - len(line.lstrip()) + 4)
    return f"{line[: breaks[-1]].rstrip()}\n{indent}{line[breaks[-1] :]}"


def main() -> int:
    """Write or check all files."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing")
    check: bool = parser.parse_args().check
    stale = 0
    for source in sorted(SOURCES.glob("*.rdl")):
        for path, text in outputs(source).items():
            if path.exists() and path.read_text() == text:
                continue
            stale += 1
            print(path.relative_to(ROOT))
            if not check:
                path.write_text(text)
    return int(check and stale > 0)


if __name__ == "__main__":
    sys.exit(main())
