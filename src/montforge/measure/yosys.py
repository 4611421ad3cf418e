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
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from montforge.errors import ParameterError, ToolFailedError
from montforge.hardware.fpga import Family
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
GATED_REGISTERS = 8
"""The least number of register bits that load together and get a gated clock."""


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
            *_gate_clocks(target),
            f"dfflibmap {_dont_use(target)} -liberty {LIBERTY}",
            *("opt", "opt_clean -purge", f"write_rtlil {NETLIST}"),
        ]
    )


def _gate_clocks(target: StandardCells) -> list[str]:
    """Return the lines that replace enables by clock gates; registers with a reset keep theirs.

    clockgate takes whole modules only, so that those enables are made multiplexers before.
    """
    if not target.clock_gating:
        return []
    plain, reset = ("$_DFF_P_", "$_DFFE_PP_"), ("$_DFF_PN0_", "$_DFF_PN1_")
    kinds = " ".join(f"-cell {kind} x" for kind in (*plain, *reset))
    gates = f"-liberty {LIBERTY} {_dont_use(target)}"
    return [
        f"dfflegalize {kinds}",
        "select -set before t:*",
        f"clockgate {gates} -min_net_size {GATED_REGISTERS}",
        "rename -enumerate -pattern clock_gate_% t:* @before %d",
    ]


def mapping_script(target: StandardCells, avoided: Sequence[str] = ()) -> str:
    """Return the script that maps `NETLIST` with `ABC_SCRIPT` and writes `MAPPED`.

    Logic has none of the cells ``avoided``.

    It fails if a cell is not of the library, or if a value is not driven.
    """
    cells = f"-liberty {LIBERTY} -constr {CONSTRAINTS} {_dont_use(target, avoided)}"
    if target.genlib:
        cells = f"-genlib {GENLIB}"
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
    library = f"dfflibmap {_dont_use(target)} -liberty {LIBERTY}"
    read = f"read_verilog {REGISTER_PAIR}"
    return "\n".join([read, "proc", "simplemap", "splitnets", library, WRITE_MAPPED])


def abc_script(commands: str, delay_ps: int) -> str:
    """Return ABC ``commands`` with their delay target, one a line."""
    lines = commands.replace("{D}", f"-D {delay_ps}").split(";")
    return "".join(f"{line.strip()}\n" for line in lines)


def abc_constraints(target: StandardCells) -> str:
    """Return the text of ABC's constraint file: drivers of inputs and loads of outputs."""
    return f"set_driving_cell {target.driver}\nset_load {target.load_ff}\n"


def fpga_script(top: str, family: Family, ring: Sequence[str] = ()) -> str:
    """Return the script that synthesises ``top`` for an FPGA and writes `FPGA_NETLIST`.

    Ports have no buffers, but for a top that is placed with its ``ring``, the commands that read it
    (`ring_source`).
    """
    synth = f"{family.synthesis} -top {top}" + ("" if ring else f" {family.no_pads}")
    return "\n".join(
        [
            *ring,
            f"{synth} -run begin:{family.registers}",
            _NAME_REGISTERS,
            f"{synth} -run {family.registers}:",
            *(_NEXUS_CARRIES if family.placer == "nexus" else ()),
            f"tee -q -o {STATISTICS} stat -json",
            f"write_json {FPGA_NETLIST}",
        ]
    )


CONSTANTS = Path("constants.v")
CONSTANTS_SOURCE = """\
module VLO (output Z); assign Z = 1'b0; endmodule
module VHI (output Z); assign Z = 1'b1; endmodule
"""
CHAINS = Path("chains.v")
CHAINS_SOURCE = """\
(* techmap_celltype = "CCU2" *)
module chain (CIN, A0, B0, C0, D0, A1, B1, C1, D1, S0, S1, COUT);
  parameter INJECT = "YES";
  parameter INIT0 = "0x0000";
  parameter INIT1 = "0x1111";
  parameter _TECHMAP_CONSTMSK_CIN_ = 1'b0;
  wire _TECHMAP_FAIL_ = !_TECHMAP_CONSTMSK_CIN_;
  input CIN, A0, B0, C0, D0, A1, B1, C1, D1;
  output S0, S1, COUT;
  CCU2 #(.INJECT(INJECT), .INIT0(INIT0), .INIT1(INIT1)) _TECHMAP_REPLACE_ (
    .A0(A0), .B0(B0), .C0(C0), .D0(D0), .A1(A1), .B1(B1), .C1(C1), .D1(D1),
    .S0(S0), .S1(S1), .COUT(COUT));
endmodule
"""
_NEXUS_CARRIES = (
    f"techmap -map {CONSTANTS}",
    "clean",
    f"techmap -max_iter 1 -map {CHAINS}",
    "hilomap -singleton -hicell VHI Z -locell VLO Z",
    "clean",
)
"""Yosys ties the open carry of a chain's first cell to 0, for which nextpnr-nexus has no route: it
is left open again, as the cell's function does not depend on it."""

RING = "ring"
RING_FILE = Path("ring.v")
RING_INSTANCE = "u_design"
"""The name of the design in a ring."""
PORTS = Path("ports.txt")
_PORT = r"^\s*(input|output)\s+(?:\[(-?\d+):(-?\d+)\]\s+)?(\S+?)[,;]?$"

_OSCILLATOR = """\
wire clk_i;
  OSC_CORE #(.HF_CLK_DIV("1"), .HF_OSC_EN("ENABLED")) u_clock (.HFOUTEN(1'b1), .HFCLKOUT(clk_i));"""


def ring_source(
    top: str,
    clock: str,
    ports: str,
    oscillator: bool,
    fast_clocks: Iterable[str] = (),
    ring_clock: str = "clk_i",
) -> str:
    """Return a top with few pins around ``top``: its other ports are registers in a chain.

    ``ports`` is the output of Yosys' ``portlist``. Pins are clk_i, rst_ni, serial_i, load_i,
    serial_o, ``fast_clocks``, and ``ring_clock``, that of the chain. With ``oscillator`` the clock
    comes from that of a nexus, as nextpnr routes few of its pins to the clock network. Raises
    ParameterError for ports that are inputs and outputs.
    """
    if "inout" in ports.split():
        raise ParameterError(f"{top} has an inout port; only inputs and outputs are placed.")
    pins = {clock: "clk_i", "rst_ni": "rst_ni"} | {name: name for name in fast_clocks}
    vectors, bits = {"input": "in_q", "output": "out"}, {"input": 0, "output": 0}
    connections = []
    for direction, left, right, name in re.findall(_PORT, ports, re.MULTILINE):
        width = abs(int(left or 0) - int(right or 0)) + 1
        if name in pins:
            connections.append(f".{name}({pins[name]})")
        else:
            connections.append(f".{name}({vectors[direction]}[{bits[direction]}+:{width}])")
            bits[direction] += width
    inputs, outputs = (max(1, bits[direction]) for direction in ("input", "output"))
    listed = ", ".join(connections)
    begin, source = ("", _OSCILLATOR) if oscillator else ("input clk_i,", "")
    others = dict.fromkeys([*fast_clocks, ring_clock])
    begin += "".join(f" input {name}," for name in others if name != "clk_i")
    return f"""\
module {RING} ({begin} input rst_ni, input serial_i, input load_i, output serial_o);
  {source}
  reg [{inputs - 1}:0] in_q;
  reg [{outputs - 1}:0] out_q;
  wire [{outputs - 1}:0] out;
  always @(posedge {ring_clock}) in_q <= {{in_q, serial_i}};
  always @(posedge {ring_clock}) out_q <= load_i ? out : {{out_q, in_q[{inputs - 1}]}};
  assign serial_o = out_q[{outputs - 1}];
  {top} {RING_INSTANCE} ({listed});
endmodule
"""


ADDERS = ("add", "sub", "neg", "lt", "le", "gt", "ge")
MULTIPLIER = ("mul",)


def widest(statistics: Mapping[str, Any], kinds: Sequence[str]) -> int:
    """Return the bits of the widest cell of ``kinds`` that `netlist_script` counted, or 0."""
    pattern = rf"\$(?:{'|'.join(kinds)})_(\d+)"
    found = (re.fullmatch(pattern, name) for name in cell_counts(statistics))
    return max((int(each[1]) for each in found if each), default=0)


def count_multipliers(statistics: Mapping[str, Any]) -> int:
    """Return the number of multipliers before Booth, which `netlist_script` counted."""
    counts = cell_counts(statistics)
    return sum(count for name, count in counts.items() if re.fullmatch(r"\$mul_\d+", name))


def primitives(statistics: Mapping[str, Any]) -> list[str]:
    """Return the types of cells that `netlist_script` counted and that no mapping can make."""
    return [name for name in cell_counts(statistics) if not name.startswith("$")]


def unknown_primitive(log: str) -> str | None:
    """Return the type of a cell that is not in the FPGA and ended `fpga_script`, or None."""
    found = re.search(r"ERROR: Module `(\w+)' is used with parameters but is not parametric", log)
    return found and found[1]


def read_count(path: Path) -> int:
    """Return the number of objects that ``select -count`` wrote to ``path``."""
    return int(path.read_text().split()[0])


def read_statistics(path: Path) -> dict[str, Any]:
    """Return the report that `stat -json` wrote to ``path``."""
    return dict(json.loads(path.read_text()))


def cell_counts(statistics: Mapping[str, Any]) -> dict[str, int]:
    """Return the number of cells by type."""
    return dict(sorted(statistics["design"]["num_cells_by_type"].items()))


def areas(statistics: Mapping[str, Any]) -> tuple[float, float]:
    """Return the area of all cells and of the registers, in the library's unit."""
    return float(statistics["design"]["area"]), float(statistics["design"]["sequential_area"])


def abc_delay(output: str) -> float:
    """Return the delay that ABC reported last, in ps.

    Raises ParameterError for a design without a gate, and ToolFailedError without a delay.
    """
    found = re.findall(r"^ABC: .*\b[Dd]elay\s*=\s*([\d.]+)", output, re.MULTILINE)
    if not found and "nothing to map" in output:
        raise ParameterError(
            "the design is registers and wires alone: it has no gate whose delay would bound its"
            " clock. Measure one with logic between registers."
        )
    if not found:
        raise ToolFailedError("ABC ended without a delay in its report.")
    return float(found[-1])


def undefined_bits(verilog: str) -> bool:
    """Return whether a mapped netlist has constants that are X or Z."""
    return re.search(r"'[bdh][0-9a-f]*[xz]", verilog) is not None


def _dont_use(target: StandardCells, others: Sequence[str] = ()) -> str:
    # No quotes: Yosys would take them as part of the pattern.
    return " ".join(f"-dont_use {cell}" for cell in (*target.dont_use, *others))
