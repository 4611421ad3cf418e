# SPDX-License-Identifier: Apache-2.0
"""Make five figures of the store again, with no code of montforge but its RTL.

    python scripts/remake_figures.py [NAME ...]    # all: about ten minutes

Yosys and ABC map the RTL with one script, OpenSTA times the cells, Coloquinte places them, and
Verilator counts the cycles of an operation whose product is compared with integers.
`$MONTFORGE_TECH` is the folder of the Liberty files. The table has each figure beside that of the
store, with the difference of area x period x cycles.
"""

from __future__ import annotations

import argparse
import gzip
import json
import math
import os
import random
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
RESULTS = ROOT / "src/montforge/store/results.jsonl"
YOSYS = """\
import shlex, sys
from pyosys import libyosys as ys
design = ys.Design()
for line in sys.stdin.read().splitlines():
    if line.startswith("read_slang"):
        ys.Pass.call(design, shlex.split(line))
    else:
        ys.run_pass(line, design)
"""
PLACE = """\
import json, sys, coloquinte
cells = json.load(sys.stdin)
circuit = coloquinte.Circuit(len(cells["width"]))
circuit.cell_width = cells["width"]
circuit.cell_height = [cells["row"]] * len(cells["width"])
die = coloquinte.Rectangle(0, cells["right"], 0, cells["top"])
circuit.setup_rows(die, cells["row"], True, True)
for net in cells["nets"]:
    circuit.add_net(net, [cells["width"][at] // 2 for at in net], [cells["row"] // 2] * len(net))
circuit.place_global(2)
circuit.legalize(2)
circuit.place_detailed(2)
print(json.dumps(list(zip(circuit.cell_x, circuit.cell_y))))
"""


@dataclass(frozen=True)
class Cells:
    """A library, and the wires of its process."""

    liberty: str
    avoided: Sequence[str]
    driver: str
    load_ff: float
    row_um: float
    site_um: float
    ff_um: float
    ohm_um: float


@dataclass(frozen=True)
class Figure:
    """A row of the store: module and parameters, and the operands of an operation.

    ``operands`` gives the inputs for n, a, b, and the R of the product a b / R mod n, which is the
    sum of the outputs ``results``, in two's complement.
    """

    design: str
    parameters: Mapping[str, int | str]
    target: str
    top: str
    values: Mapping[str, int]
    operands: Callable[[int, int, int], tuple[dict[str, int], int]]
    results: Sequence[str] = ("p_o",)


CELLS = {
    "nangate45": Cells("nangate45_typ.lib.gz", (), "BUF_X2", 5, 1.4, 0.19, 0.104578, 3.59251),
    "sky130hd": Cells(
        "sky130hd_tt.lib.gz", ("*edf*", "*lpflow*", "*probe*"), "sky130_fd_sc_hd__buf_2",
        7, 2.72, 0.46, 0.172375, 0.8929,
    ),
}  # fmt: skip
PERIOD_NS = 10.0


def unit(n: int, a: int, b: int) -> tuple[dict[str, int], int]:
    """Return the operands of a unit-modulus recurrence with two digits of 8 bits."""
    scale = 1 << 16
    factor = -pow(n, -1, scale) % scale
    factor -= scale if factor >= scale // 2 else 0
    steps = math.ceil((n.bit_length() + 16) / 8)
    return {"a_i": a, "b_i": b, "n_scaled_i": (n * factor + 1) // scale}, 1 << 8 * steps


def booth(n: int, a: int, b: int) -> tuple[dict[str, int], int]:
    """Return the operands of carry-save pairs in radix 16, their carries 0."""
    steps = math.ceil((n.bit_length() + 2) / 4)
    pairs = {"a_s_i": a, "a_c_i": 0, "b_s_i": b, "b_c_i": 0}
    return {**pairs, "n_i": n}, 1 << 4 * steps


def three_pass(n: int, a: int, b: int) -> tuple[dict[str, int], int]:
    """Return the operands of three passes with three digits each."""
    radix = 4 ** (3 * math.ceil((n.bit_length() + 1) / 6))
    return {"a_i": a, "b_i": b, "n_i": n, "n_prime_i": -pow(n, -1, radix) % radix}, radix


_UNIT: dict[str, int | str] = {"digit": 8, "delay": 2, "result": "scaled", "group": 8, "overlap": 0}
FIGURES = {
    **{
        f"unit_csa_{width}_{target}": Figure(
            "unit_csa", {"width": width, **_UNIT}, target, "mf_unit_csa", {"Width": width}, unit
        )
        for width, target in ((256, "nangate45"), (1024, "nangate45"), (256, "sky130hd"))
    },
    "booth_csa_256_nangate45": Figure(
        "booth_csa",
        {"width": 256, "radix": 16, "pipeline": 0, "result": "signed", "converter": 0},
        "nangate45",
        "mf_booth_csa",
        {"Width": 256, "Radix": 16},
        booth,
        ("p_s_o", "p_c_o"),
    ),
    "three_pass_256_nangate45": Figure(
        "three_pass",
        {"width": 256, "issues": 3, "levels": 3},
        "nangate45",
        "mf_three_pass",
        {"Width": 256, "Issues": 3, "Levels": 3},
        three_pass,
    ),
}


def main() -> None:
    """Make the named figures, or all, and print them beside those of the store."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("figure", nargs="*", help=", ".join(FIGURES))
    asked: list[str] = parser.parse_args().figure
    if unknown := set(asked) - set(FIGURES):
        parser.error(f"no figure is named {', '.join(unknown)}; there are {', '.join(FIGURES)}.")
    if not os.environ.get("MONTFORGE_TECH"):
        parser.error("MONTFORGE_TECH is not set; it names the folder of the Liberty files.")
    rows = [json.loads(line) for line in RESULTS.read_text().splitlines()]
    columns = "um2 | ns | placed ns | cycles"
    print(f"| figure | {columns} | store: {columns} | difference |\n| --- |" + " ---: |" * 9)
    for name in asked or FIGURES:
        figure = FIGURES[name]
        with tempfile.TemporaryDirectory() as folder:
            area, period, placed = measured(figure, Path(folder))
            cycles = counted(figure, Path(folder))
        row = next(row for row in rows if is_row(row, figure))
        known = (row["placed"] or {}).get("period_placed") if "placed" in row else None
        product, stored = area * period * cycles, row["area"] * row["period"] * row["cycles"]
        print(
            f"| {name} | {area:,.0f} | {period:.4f} | {placed:.4f} | {cycles}"
            f" | {row['area']:,.0f} | {row['period']:.4f} | {known or '-'} | {row['cycles']:g}"
            f" | {100 * (product / stored - 1):+.1f}% |",
            flush=True,
        )


def is_row(row: Mapping[str, Any], figure: Figure) -> bool:
    """Return whether a row of the store is that of a figure."""
    names = ("architecture", "target", "effort", "form")
    found = [row[name] for name in names] == [figure.design, figure.target, "quick", "parallel"]
    return found and row["parameters"] == figure.parameters


def sources() -> list[str]:
    """Return the RTL of all designs; packages first, without checks and vendors' cells."""
    others = {"props", "lattice", "xilinx"}
    found = [path for path in (ROOT / "rtl").rglob("*.sv") if others.isdisjoint(path.parts)]
    return list(map(str, sorted(found, key=lambda path: (not path.stem.endswith("_pkg"), path))))


def run(command: Sequence[str | Path], folder: Path, text: str = "") -> str:
    """Return what a program prints; it runs in ``folder``."""
    words = list(map(str, command))
    done = subprocess.run(
        words, cwd=folder, input=text, capture_output=True, text=True, timeout=3600, check=False
    )
    if done.returncode:
        sys.exit(f"{words[0]} failed:\n{done.stdout[-1000:]}{done.stderr[:1000]}")
    return done.stdout


def measured(figure: Figure, folder: Path) -> tuple[float, float, float]:
    """Return area, period with the wire-load model, and period with placed wires."""
    cells = CELLS[figure.target]
    data = (Path(os.environ["MONTFORGE_TECH"]) / cells.liberty).read_bytes()
    (folder / "cells.lib").write_bytes(gzip.decompress(data))
    probe = mapped(figure, cells, folder, 1)
    found = [(*probe[:2], "mapped_1")]
    for factor in (1.05, 1.2, 1.35):
        goal = round(factor * probe[2])
        found.append((*mapped(figure, cells, folder, goal)[:2], f"mapped_{goal}"))
    area, period, name = min(found, key=lambda point: point[0] * point[1])
    wires(folder, figure.top, name, cells)
    return area, period, timed(figure, cells, folder, name, placed=True)


def mapped(figure: Figure, cells: Cells, folder: Path, goal: int) -> tuple[float, float, float]:
    """Map to cells with ABC's delay ``goal`` in ps: area, period in ns, ABC's delay in ps."""
    name, avoided = f"mapped_{goal}", " ".join(f"-dont_use {each}" for each in cells.avoided)
    parameters = " ".join(f"-G {key}={value}" for key, value in figure.values.items())
    (folder / "abc.script").write_text(
        f"strash\nmap -D {goal}\ntopo\nbuffer -c -N 12\ntopo\nupsize -c -D {goal}\n"
        f"dnsize -c -D {goal}\nstime -c\n"
    )
    (folder / "abc.constr").write_text(
        f"set_driving_cell {cells.driver}\nset_load {cells.load_ff}\n"
    )
    abc = "abc -liberty cells.lib -constr abc.constr -script abc.script"
    output = run(
        [sys.executable, "-c", YOSYS],
        folder,
        "\n".join(
            (
                f"read_slang --top {figure.top} {parameters} {' '.join(sources())}",
                f"hierarchy -check -top {figure.top}",
                "proc; flatten; opt -nodffe -nosdff; wreduce; peepopt; opt_clean",
                "booth; alumacc; share; opt; memory -nomap; opt_clean",
                f"synth -top {figure.top} -noabc -run fine:",
                "rename -wire -suffix _reg t:$_*FF*_",
                f"dfflibmap -liberty cells.lib {avoided}",
                "opt",
                f"{abc} {avoided}",
                "read_liberty -lib -ignore_miss_func cells.lib",
                "splitnets",
                "opt_clean -purge",
                "rename -enumerate -pattern i%",
                "stat -liberty cells.lib",
                f"write_verilog -simple-lhs -noattr -noexpr -nohex -nodec {name}.v",
                f"write_json {name}.json",
            )
        ),
    )
    area = float(re.findall(r"Chip area for .*: ([\d.]+)", output)[-1])
    delay = float(re.findall(r"Delay = +([\d.]+)", output)[-1])
    return area, timed(figure, cells, folder, name), delay


def timed(figure: Figure, cells: Cells, folder: Path, name: str, placed: bool = False) -> float:
    """Return the least period in ns of paths between registers, by OpenSTA."""
    spef = "read_spef wires.spef" if placed else ""
    model = "set_wire_load_model -name none" if placed and "wire_load" in library(folder) else ""
    script = f"""\
read_liberty cells.lib
read_verilog {name}.v
link_design {figure.top}
set_units -time ns -capacitance fF
create_clock -name clk -period {PERIOD_NS} [get_ports clk_i]
set_clock_transition 0.05 [get_clocks clk]
{model}
{spef}
set path [lindex [find_timing_paths -path_delay max -from [all_registers -clock_pins] \
-to [all_registers -data_pins]] 0]
puts "SLACK [get_property $path slack]"
"""
    (folder / "time.tcl").write_text(script)
    found = re.search(
        r"^SLACK (\S+)$", run(["sta", "-no_splash", "-exit", "time.tcl"], folder), re.M
    )
    if found is None:
        sys.exit("OpenSTA found no path.")
    return PERIOD_NS - float(found[1])


def library(folder: Path) -> str:
    """Return the text of the library."""
    return (folder / "cells.lib").read_text()


def wires(folder: Path, top: str, name: str, cells: Cells) -> None:
    """Place the cells of a netlist and write the wires of its nets, minimum spanning trees."""
    text = library(folder)
    areas = {
        kind: float(area)
        for kind, area in re.findall(
            r'cell\s*\(\s*"?(\w+)"?\s*\)\s*\{.*?\barea\s*:\s*"?([\d.]+)', text, re.S
        )
    }
    module = json.loads((folder / f"{name}.json").read_text())["modules"][top]
    instances = list(module["cells"])
    pins: dict[int, list[tuple[int, str, bool]]] = {}
    for at, (_, cell) in enumerate(module["cells"].items()):
        for pin, bits in cell["connections"].items():
            drives = cell["port_directions"][pin] == "output"
            pins.setdefault(bits[0], []).append((at, pin, drives))
    ports = {bit for port in module["ports"].values() for bit in port["bits"]}
    names = {
        bit: (net, at if len(found["bits"]) > 1 else None)
        for net, found in module["netnames"].items()
        for at, bit in enumerate(found["bits"])
    }
    nets = {
        bit: sorted(each, key=lambda pin: not pin[2])
        for bit, each in pins.items()
        if len(each) > 1 and bit not in ports and any(pin[2] for pin in each)
    }
    site = round(1000 * cells.site_um)
    row = round(1000 * cells.row_um)
    width = [
        site * round(areas[cell["type"]] / cells.row_um / cells.site_um)
        for cell in module["cells"].values()
    ]
    rows = round(math.sqrt(sum(width) / 0.7 / row))
    circuit = {
        "width": width, "row": row, "top": rows * row,
        "right": site * math.ceil(sum(width) / 0.7 / rows / site),
        "nets": [sorted({at for at, _, _ in each}) for each in nets.values()],
    }  # fmt: skip
    placed = json.loads(
        run([sys.executable, "-c", PLACE], folder, json.dumps(circuit)).splitlines()[-1]
    )
    centres = [
        ((x + w / 2) / 1e3, (y + row / 2) / 1e3) for (x, y), w in zip(placed, width, strict=True)
    ]
    lines = [
        '*SPEF "IEEE 1481-1998"', '*DESIGN "x"', '*DATE ""', '*VENDOR ""', '*PROGRAM ""',
        '*VERSION ""', '*DESIGN_FLOW ""', "*DIVIDER /", "*DELIMITER :", "*BUS_DELIMITER [ ]",
        "*T_UNIT 1 NS", "*C_UNIT 1 FF", "*R_UNIT 1 OHM", "*L_UNIT 1 HENRY",
    ]  # fmt: skip
    for bit, each in nets.items():
        net, index = names[bit]
        label = escaped(net) + ("" if index is None else f"[{index}]")
        ends = [f"{escaped(instances[at])}:{pin}" for at, pin, _ in each]
        farads = [0.0] * len(each)
        ohms = []
        for left, right, length in tree([centres[at] for at, _, _ in each]):
            farads[left] += length * cells.ff_um / 2
            farads[right] += length * cells.ff_um / 2
            ohms.append((ends[left], ends[right], max(0.001, length * cells.ohm_um)))
        lines += [f"*D_NET {label} {sum(farads):.6f}", "*CONN"]
        lines += [f"*I {end} {'I' if at else 'O'}" for at, end in enumerate(ends)]
        lines += ["*CAP", *(f"{at} {end} {farads[at - 1]:.6f}" for at, end in enumerate(ends, 1))]
        lines += [
            "*RES",
            *(f"{at} {a} {b} {ohm:.6f}" for at, (a, b, ohm) in enumerate(ohms, 1)),
            "*END",
        ]
    (folder / "wires.spef").write_text("\n".join(lines) + "\n")


def escaped(name: str) -> str:
    """Return a name with a backslash before each character that SPEF has another use for."""
    return re.sub(r"(\W)", r"\\\1", name)


def tree(places: Sequence[tuple[float, float]]) -> list[tuple[int, int, float]]:
    """Return a minimum spanning tree of places by rectilinear distance (Prim)."""
    left = {
        at: (abs(x - places[0][0]) + abs(y - places[0][1]), 0) for at, (x, y) in enumerate(places)
    }
    del left[0]
    found = []
    while left:
        new = min(left, key=lambda at: left[at])
        length, near = left.pop(new)
        found.append((near, new, length))
        for at, (known, _) in left.items():
            distance = abs(places[at][0] - places[new][0]) + abs(places[at][1] - places[new][1])
            if distance < known:
                left[at] = (distance, new)
    return found


def counted(figure: Figure, folder: Path) -> int:
    """Return the cycles of an operation, whose product is compared with integers, by Verilator."""
    width = int(figure.values["Width"])
    chance = random.Random(1)
    n = chance.getrandbits(width) | 1 << (width - 1) | 1
    a, b = chance.randrange(n), chance.randrange(n)
    inputs, radix = figure.operands(n, a, b)
    bits = 4 * width  # the bench cuts constants to their ports
    pins = [f".{port}({bits}'h{value % (1 << bits):x})" for port, value in inputs.items()]
    values = ", ".join(f".{key}({value})" for key, value in figure.values.items())
    shown = " ".join("%0d %h" for _ in figure.results)
    results = ", ".join(f"$bits(dut.{port}), dut.{port}" for port in figure.results)
    (folder / "bench.sv").write_text(f"""\
module bench;
  bit clk, rst_n, valid;
  wire ready, done;
  int cycles;
  always #1 clk = !clk;
  {figure.top} #({values}) dut (
    .clk_i(clk), .rst_ni(rst_n), .req_valid_i(valid), .req_ready_o(ready),
    .rsp_valid_o(done), .rsp_ready_i(1'b1), {", ".join(pins)});
  initial begin
    repeat (4) @(negedge clk);
    rst_n = 1;
    @(negedge clk);
    valid = 1;
    while (!ready) @(negedge clk);
    @(negedge clk);
    valid = 0;
    for (; !done; cycles++) @(negedge clk);
    $display("RESULT %0d {shown}", cycles, {results});
    $finish;
  end
endmodule
""")
    options = ["--binary", "-Wno-fatal", "-Wno-lint", "--top-module", "bench", "-Mdir", "made"]
    options += ["-MAKEFLAGS", "VM_PARALLEL_BUILDS=0", "-CFLAGS", "-std=c++20"]
    run(["verilator-cli", *options, "bench.sv", *sources()], folder)
    found = re.search(r"^RESULT (.*)$", run([folder / "made/Vbench"], folder), re.MULTILINE)
    if found is None:
        sys.exit(f"{figure.top} has no response.")
    cycles, *words = found[1].split()
    product = sum(
        signed(int(value, 16), int(size))
        for size, value in zip(words[::2], words[1::2], strict=True)
    )
    if (product * radix - a * b) % n:
        sys.exit(f"{figure.top}: a wrong product of n = {n}, a = {a}, b = {b}.")
    return int(cycles)


def signed(value: int, bits: int) -> int:
    """Return a number in two's complement."""
    return value - (1 << bits) if value >> (bits - 1) else value


if __name__ == "__main__":
    main()
