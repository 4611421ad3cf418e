# SPDX-License-Identifier: Apache-2.0
"""Synthesis scripts for Yosys, and readers of their answers.

The scripts of a design go on after the line that reads it (`montforge.hardware.yosys.read_design`),
so that they do not depend on where the sources lie and can be part of a content hash.

Standard cells: `netlist_script` makes a netlist of gates with mapped flip-flops, once for each
`Variant`; `mapping_script` maps its gates with one ABC script. FPGAs: `fpga_script`.

Flip-flop instances are named after the RTL register bit that they hold (``s_q[3]_reg``) while
register names still exist, so that timing reports name registers.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from montforge.errors import ToolFailedError
from montforge.measure.targets import StandardCells

LIBERTY = Path("cells.lib")
GENLIB = Path("cells.genlib")
NETLIST = Path("netlist.il")
MAPPED = Path("mapped.v")
FPGA_NETLIST = Path("netlist.json")
STATISTICS = Path("statistics.json")
MULTIPLIERS = Path("multipliers.txt")
ABC_SCRIPT = Path("script.abc")
CONSTRAINTS = Path("constraints.abc")

WRITE_MAPPED = f"write_verilog -simple-lhs -noattr -noexpr -nohex -nodec {MAPPED}"
"""OpenSTA takes no concatenation on the left of an assignment, which Yosys writes where registers
drive parts of a port."""

REGISTER_PAIR = Path("register_pair.v")
PAIR_CLOCK = "clk_i"
REGISTER_PAIR_SOURCE = """\
module register_pair (input clk_i, input rst_ni, input d_i, output reg q_o);
  reg between;
  always @(posedge clk_i) between <= d_i;
  always @(posedge clk_i) q_o <= between;
endmodule
"""
"""A register behind a register: its period is the part of registers in the delay of logic."""

_NAME_REGISTERS = "rename -wire -suffix _reg t:$_*FF*_"
_LATCHES = "t:$_DLATCH* t:$_SR_* %u"
_DEFAULT_ADDER = "brent-kung"


@dataclass(frozen=True)
class Variant:
    """How word-level arithmetic becomes gates: the prefix adder, and Booth multipliers or not.

    Without multipliers Booth changes nothing.
    """

    adder: str = _DEFAULT_ADDER
    booth: bool = True


def netlist_script(
    top: str, variant: Variant, target: StandardCells, memories: Sequence[str] = ()
) -> str:
    """Return the script that writes `NETLIST` of ``top``, with the library in `LIBERTY`.

    Instances of the modules ``memories`` are taken out: their ports but the clock become ports of
    the top, under names that need no escape, as OpenSTA finds no vector whose name has brackets.
    The design must have been read with its hierarchy then: read_slang makes one black box of all
    instances of a module, and Yosys cuts their connections to the widths of the first one.

    It counts the word-level cells by type and width in `STATISTICS`, and the multipliers that Booth
    left alone in `MULTIPLIERS`. Its steps until then are those of ``synth -flatten``, which can't
    be stopped there.
    """
    extra = variant.adder != _DEFAULT_ADDER
    return "\n".join(
        [
            *(f"blackbox {name}$*" for name in memories),
            f"hierarchy -check -top {top}",
            *("proc", "check", "flatten"),
            *(f"expose -evert t:{name}$*" for name in memories),
            *(["delete -output o:*.clk_i", "rename -unescape x:*"] if memories else []),
            *("opt_expr", "check", "opt_clean", "opt -nodffe -nosdff"),
            *("fsm", "opt", "wreduce", "peepopt", "opt_clean"),
            f"tee -q -o {STATISTICS} stat -width -json",
            *(["booth"] if variant.booth else []),
            f"tee -q -o {MULTIPLIERS} select -count t:$mul",
            *("alumacc", "share", "opt", "memory -nomap", "opt_clean"),
            f"synth -top {top} -noabc -run fine:"
            + (f" -extra-map +/choices/{variant.adder}.v" if extra else ""),
            f"select -assert-none {_LATCHES}",
            _NAME_REGISTERS,
            f"dfflibmap {_dont_use(target)} -liberty {LIBERTY}",
            "opt",
            "opt_clean -purge",
            f"write_rtlil {NETLIST}",
        ]
    )


def mapping_script(target: StandardCells) -> str:
    """Return the script that maps `NETLIST` with `ABC_SCRIPT` and writes `MAPPED`.

    It fails if a cell is not of the library, or if a value is not driven.
    """
    cells = (
        f"-genlib {GENLIB}"
        if target.genlib
        else f"-liberty {LIBERTY} -constr {CONSTRAINTS} {_dont_use(target)}"
    )
    return "\n".join(
        [
            # The cache of libraries lies outside of our folders and grows with each of them.
            "libcache -scl -disable",
            f"read_rtlil {NETLIST}",
            f"read_liberty -lib {LIBERTY}",
            f"abc {cells} -script {ABC_SCRIPT}",
            "splitnets",
            "opt_clean -purge",
            "check -mapped -assert",
            f"tee -q -o {STATISTICS} stat -json -liberty {LIBERTY}",
            WRITE_MAPPED,
        ]
    )


def register_pair_script(target: StandardCells) -> str:
    """Return the script that maps the file `REGISTER_PAIR` and writes `MAPPED`."""
    return "\n".join(
        [
            f"read_verilog {REGISTER_PAIR}",
            "proc",
            "simplemap",
            "splitnets",
            f"dfflibmap {_dont_use(target)} -liberty {LIBERTY}",
            WRITE_MAPPED,
        ]
    )


def abc_script(commands: str, delay_ps: int) -> str:
    """Return ABC ``commands`` with their delay target filled in, one a line."""
    lines = commands.replace("{D}", f"-D {delay_ps}").split(";")
    return "".join(f"{line.strip()}\n" for line in lines)


def abc_constraints(target: StandardCells) -> str:
    """Return the text of ABC's constraint file: drivers of inputs and loads of outputs."""
    return f"set_driving_cell {target.driver}\nset_load {target.load_ff}\n"


def fpga_script(top: str, kind: str) -> str:
    """Return the script that synthesises ``top`` for an FPGA and writes `FPGA_NETLIST`."""
    synth = {"ecp5": "synth_ecp5", "xcup": "synth_xilinx -family xcup -noiopad -noclkbuf"}[kind]
    return "\n".join(
        [
            f"{synth} -top {top} -run begin:map_ffs",
            _NAME_REGISTERS,
            f"{synth} -top {top} -run map_ffs:",
            f"tee -q -o {STATISTICS} stat -json",
            f"write_json {FPGA_NETLIST}",
        ]
    )


ADDERS = ("add", "sub", "neg", "lt", "le", "gt", "ge")
MULTIPLIER = ("mul",)


def widest(statistics: Mapping[str, Any], kinds: Sequence[str]) -> int:
    """Return the bits of the widest cell of ``kinds`` that `netlist_script` counted, or 0."""
    names = statistics["design"]["num_cells_by_type"]
    found = (re.fullmatch(rf"\$(?:{'|'.join(kinds)})_(\d+)", name) for name in names)
    return max((int(each.group(1)) for each in found if each), default=0)


def count_multipliers(statistics: Mapping[str, Any]) -> int:
    """Return how many multipliers `netlist_script` counted before Booth."""
    counts: dict[str, int] = statistics["design"]["num_cells_by_type"]
    return sum(count for name, count in counts.items() if re.fullmatch(r"\$mul_\d+", name))


def primitives(statistics: Mapping[str, Any]) -> list[str]:
    """Return the types of cells that `netlist_script` counted and that no mapping can make."""
    return [n for n in statistics["design"]["num_cells_by_type"] if not n.startswith("$")]


def unknown_primitive(log: str) -> str | None:
    """Return the type of a cell at which `fpga_script` failed, as the FPGA does not have it."""
    found = re.search(r"ERROR: Module `(\w+)' is used with parameters but is not parametric", log)
    return found and found.group(1)


def read_count(path: Path) -> int:
    """Return the number of objects that ``select -count`` wrote to ``path``."""
    found = re.search(r"(\d+) objects", path.read_text())
    assert found is not None
    return int(found.group(1))


def read_statistics(path: Path) -> dict[str, Any]:
    """Return the report that `stat -json` wrote to ``path``."""
    data: dict[str, Any] = json.loads(path.read_text())
    return data


def cell_counts(statistics: Mapping[str, Any]) -> dict[str, int]:
    """Return the number of cells by type."""
    counts: dict[str, int] = statistics["design"]["num_cells_by_type"]
    return dict(sorted(counts.items()))


def areas(statistics: Mapping[str, Any]) -> tuple[float, float]:
    """Return the area of all cells and of the registers, in the library's unit."""
    return float(statistics["design"]["area"]), float(statistics["design"]["sequential_area"])


def abc_delay(output: str) -> float:
    """Return the delay that ABC reported last, in ps. Raises ToolFailedError without one."""
    found = re.findall(r"^ABC: .*\b[Dd]elay\s*=\s*([\d.]+)", output, re.MULTILINE)
    if not found:
        raise ToolFailedError("ABC ended without a delay in its report.")
    return float(found[-1])


def undefined_bits(verilog: str) -> bool:
    """Return whether a mapped netlist has constants that are X or Z."""
    return re.search(r"'[bdh][0-9a-f]*[xz]", verilog) is not None


def _dont_use(target: StandardCells) -> str:
    # No quotes: Yosys would take them as part of the pattern.
    return " ".join(f"-dont_use {cell}" for cell in target.dont_use)
