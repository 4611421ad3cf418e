# SPDX-License-Identifier: Apache-2.0
"""Make the RTL, the C header and the page of the registers in rtl/bus/mf_rsa_regs.rdl.

    python scripts/make_registers.py [--check]

The RTL and the page go beside the SystemRDL file, the header to src/montforge/driver;
docs/registers/ has a link to the page. With --check nothing is written, and the exit status is 1 if
a file differs from the output of PeakRDL.
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
from peakrdl_regblock.cpuif.passthrough import PassthroughCpuif
from peakrdl_regblock.udps import ALL_UDPS
from systemrdl.compiler import RDLCompiler

ROOT = Path(__file__).parents[1]
NAME, MAP = "mf_rsa_regs", "mf_rsa_map"
SOURCE = ROOT / "rtl" / "bus" / f"{NAME}.rdl"
DRIVER = ROOT / "src" / "montforge" / "driver"
FREESTANDING = (
    "#include <assert.h>\n",
    "#ifndef __cplusplus\n#define static_assert _Static_assert\n#endif\n",
)
"""An include that some compilers of firmware lack, and its replacement."""
COLUMNS = 100
LICENCE = "SPDX-License-Identifier: Apache-2.0"


def outputs() -> dict[Path, str]:
    """Return the files that follow from the SystemRDL file, as text by path."""
    compiler = RDLCompiler()
    for udp in ALL_UDPS:
        compiler.register_udp(udp)
    compiler.compile_file(str(SOURCE))
    whole = compiler.elaborate(MAP)
    with tempfile.TemporaryDirectory() as folder:
        scratch = Path(folder)
        RegblockExporter().export(
            compiler.elaborate(NAME),
            folder,
            cpuif_cls=PassthroughCpuif,
            default_reset_activelow=True,
            default_reset_async=True,
            err_if_bad_addr=True,
            err_if_bad_rw=True,
        )
        CHeaderExporter().export(whole, str(scratch / f"{NAME}.h"))
        MarkdownExporter().export(whole, str(scratch / f"{NAME}.md"))
        module, package, header, page = (
            (scratch / f"{NAME}{ending}").read_text() for ending in (".sv", "_pkg.sv", ".h", ".md")
        )
    return {
        SOURCE.with_suffix(".sv"): f"// {LICENCE}\n{_with_sink(module)}",
        SOURCE.with_name(f"{NAME}_pkg.sv"): f"// {LICENCE}\n{package}",
        DRIVER / f"{NAME}.h": f"// {LICENCE}\n{header.replace(*FREESTANDING)}",
        SOURCE.with_suffix(".md"): page,
    }


def _with_sink(module: str) -> str:
    """Return the module with a sink for its unused signals, so that lints need no waiver."""
    constants = [f"{NAME.upper()}_{kind}" for kind in ("DATA_WIDTH", "MIN_ADDR_WIDTH", "SIZE")]
    signals = [
        *("decoded_reg_strb", "decoded_wr_data", "decoded_wr_biten"),
        *(f"32'({NAME}_pkg::{constant})" for constant in constants),
    ]
    sink = [
        "",
        "    // Not used: bits that no register has.",
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
    for path, text in outputs().items():
        if path.exists() and path.read_text() == text:
            continue
        stale += 1
        print(path.relative_to(ROOT))
        if not check:
            path.write_text(text)
    return int(check and stale > 0)


if __name__ == "__main__":
    sys.exit(main())
