# SPDX-License-Identifier: Apache-2.0
"""Make RTL, C headers, pages and IP-XACT of registers and windows that SystemRDL files describe.

    python scripts/make_registers.py [--check]

The RTL of the registers, rtl/bus/mf_bus_regs.rdl, and the pages go beside the SystemRDL files, the
headers to src/montforge/driver, the elements of IP-XACT's address blocks, in JSON, to
src/montforge/templates; docs/registers/ has links to the pages. With --check nothing is written,
and the exit status is 1 if a file differs from the output of PeakRDL.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import tempfile
from pathlib import Path
from typing import Any
from xml.etree import ElementTree
from xml.sax.saxutils import escape

from peakrdl_cheader.exporter import CHeaderExporter
from peakrdl_ipxact import IPXACTExporter
from peakrdl_markdown import MarkdownExporter
from peakrdl_regblock import RegblockExporter
from peakrdl_regblock.cpuif.passthrough import PassthroughCpuif
from peakrdl_regblock.udps import ALL_UDPS
from systemrdl.compiler import RDLCompiler
from systemrdl.node import RootNode

ROOT = Path(__file__).parents[1]
NAME = "mf_bus_regs"
REGISTERS = ROOT / "rtl" / "bus" / f"{NAME}.rdl"
WINDOWS = (ROOT / "rtl" / "rsa" / "mf_rsa_windows.rdl",)
DRIVER = ROOT / "src" / "montforge" / "driver"
TEMPLATES = ROOT / "src" / "montforge" / "templates"
IPXACT = "{http://www.accellera.org/XMLSchema/IPXACT/1685-2014}"
REPEATED = ("register", "field")
"""Elements of which there can be several."""
FREESTANDING = (
    "#include <assert.h>\n",
    "#ifndef __cplusplus\n#define static_assert _Static_assert\n#endif\n",
)
"""An include that some compilers of firmware lack, and its replacement."""
COLUMNS = 100
LICENCE = "SPDX-License-Identifier: Apache-2.0"


def outputs() -> dict[Path, str]:
    """Return the files that follow from the SystemRDL files, as text by path."""
    return _rtl(_elaborated(REGISTERS)) | {
        path: text
        for source in (REGISTERS, *WINDOWS)
        for path, text in _descriptions(source, _elaborated(source)).items()
    }


def _elaborated(source: Path) -> RootNode:
    compiler = RDLCompiler()
    for udp in ALL_UDPS:
        compiler.register_udp(udp)
    compiler.compile_file(str(source))
    return compiler.elaborate()


def _descriptions(source: Path, design: RootNode) -> dict[Path, str]:
    """Return the C header, the page and the address blocks (JSON) of a SystemRDL file."""
    endings = ("h", "md", "xml")
    with tempfile.TemporaryDirectory() as folder:
        header, page, component = (Path(folder) / f"{source.stem}.{ending}" for ending in endings)
        CHeaderExporter().export(design, str(header))
        MarkdownExporter().export(design, str(page))
        IPXACTExporter().export(design, str(component))
        return {
            DRIVER / header.name: f"// {LICENCE}\n{header.read_text().replace(*FREESTANDING)}",
            source.with_suffix(".md"): page.read_text(),
            TEMPLATES / f"{source.stem}.json": _blocks_text(ElementTree.parse(component)),
        }


def _blocks_text(component: ElementTree.ElementTree[ElementTree.Element]) -> str:
    """Return the address blocks of a component as JSON, a register or a field a line."""
    blocks = [_elements(block) for block in component.iter(f"{IPXACT}addressBlock")]
    return re.sub(r' ?\{"name"', '\n {"name"', json.dumps(blocks)) + "\n"


def _elements(parent: ElementTree.Element) -> dict[str, Any]:
    """Return the content of an element by the names of the elements in it; texts are XML."""
    found: dict[str, Any] = {}
    for child in parent:
        name = child.tag.removeprefix(IPXACT)
        content = _elements(child) if len(child) else escape(child.text or "", {'"': "&quot;"})
        if name in REPEATED:
            found.setdefault(name, []).append(content)
        else:
            found[name] = content
    return found


def _rtl(design: RootNode) -> dict[Path, str]:
    """Return the module of the registers and its package."""
    with tempfile.TemporaryDirectory() as folder:
        RegblockExporter().export(
            design,
            folder,
            cpuif_cls=PassthroughCpuif,
            default_reset_activelow=True,
            default_reset_async=True,
            err_if_bad_addr=True,
            err_if_bad_rw=True,
        )
        module, package = (
            (Path(folder) / f"{NAME}{ending}").read_text() for ending in (".sv", "_pkg.sv")
        )
    return {
        REGISTERS.with_suffix(".sv"): f"// {LICENCE}\n{_with_sink(module)}",
        REGISTERS.with_name(f"{NAME}_pkg.sv"): f"// {LICENCE}\n{package}",
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
