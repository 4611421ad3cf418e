# SPDX-License-Identifier: Apache-2.0
"""Mapped netlists in the bench: the cells that were measured, and faults planted in them."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from montforge.arch import Design, design
from montforge.errors import CheckFailedError, ToolFailedError
from montforge.hardware import Hardware
from montforge.hardware.yosys import read_design, run_yosys
from montforge.measure import find_target, yosys
from montforge.measure.targets import StandardCells
from montforge.verify import check_netlist, measure_cycles, netlist, verify
from montforge.verify.engine import check_netlist as check_engine
from montforge.verify.netlist import _Netlist, netlist_design

SMALL = design("mm_r2", width=8)
DATA_DEPENDENT = design("scs_mm_new", width=13)
NATIVE = design("eberle", width=8, k=2).with_form("native")
AXI = SMALL.with_form("axi")
WITH_MEMORIES = design("modexp", width=4, algorithm="window", w=1)
ENGINE = design("rsa", bits=32, core="mm_r2", window=2, halves=1, eblind=0, min_bits=16)
named = pytest.mark.parametrize


def library() -> StandardCells:
    found = find_target("table2")
    assert isinstance(found, StandardCells)
    return found


def mapped(hardware: Hardware, folder: Path) -> tuple[Path, Path]:
    """Return the netlist of a design on table2's cells, by a short script, and their file."""
    cells = folder / yosys.LIBERTY
    cells.write_text(library().liberty)
    script = [
        read_design(hardware, keep_hierarchy=bool(hardware.memories)),
        yosys.netlist_script(hardware.top, yosys.Variant(), library(), hardware.memories),
        "abc -liberty cells.lib",
        "splitnets",
        "opt_clean -purge",
        yosys.WRITE_MAPPED,
    ]
    run_yosys("\n".join(script), log=folder / "yosys.log", timeout=600, cwd=folder)
    return folder / yosys.MAPPED, cells


@named("chosen", [SMALL, DATA_DEPENDENT, design("booth_csa", width=8)], ids=lambda d: d.identifier)
def test_a_netlist_does_what_the_rtl_does(chosen: Design, tmp_path: Path) -> None:
    assert check_netlist(chosen, *mapped(chosen.hardware, tmp_path)) == 120
    netlist = netlist_design(chosen, tmp_path / yosys.MAPPED, tmp_path / yosys.LIBERTY)
    # The same operations take the same cycles as in the RTL.
    ours, rtl = (measure_cycles(d, samples=60, seed=2, workers=1) for d in (netlist, chosen))
    assert (ours.mean, ours.sd, ours.mismatches) == (rtl.mean, rtl.sd, 0)
    report = verify(netlist, operations=200, seed=1, workers=1, chain_length=100)
    assert report.mismatches == 0
    assert report.resets > 0


def swapped(text: str) -> str:
    """Exchange the outputs of the last two gates in front of which there is an XOR2."""
    first, second = re.findall(r"  XOR2 .*?\.Y\((.*?)\)\n  \);", text, re.DOTALL)[-2:]
    parts = re.split(r"(\.Y\((?:.*?)\))", text)
    exchange = {f".Y({first})": f".Y({second})", f".Y({second})": f".Y({first})"}
    return "".join(exchange.get(part, part) for part in parts)


def another_gate(text: str) -> str:
    return text.replace("  NAND2 ", "  NOR2 ", 1)


def not_written(text: str) -> str:
    """Take away the writes of the memory of sums."""
    return re.sub(r"assign (\w+_u_sums_wr_en_i) = .*;", r"assign \1 = 1'b0;", text)


@named(
    ("chosen", "fault"),
    [
        (SMALL, swapped),
        (SMALL, another_gate),
        (NATIVE, another_gate),
        (AXI, swapped),
        (SMALL.with_form("axis"), another_gate),
        (WITH_MEMORIES, not_written),
    ],
    ids=["two outputs exchanged", "another gate", "native", "axi", "axis", "memory"],
)
def test_faults_in_a_netlist_are_found(
    chosen: Design, fault: Callable[[str], str], tmp_path: Path
) -> None:
    path, cells = mapped(chosen.hardware, tmp_path)
    text = path.read_text()
    if chosen is not SMALL:  # in its harness, with its memories
        assert check_netlist(chosen, path, cells) == 120
    changed = fault(text)
    assert changed != text
    path.write_text(changed)
    message = rf"the mapped netlist of {re.escape(str(chosen))} is not"
    with pytest.raises(CheckFailedError, match=message):
        check_netlist(chosen, path, cells)


@pytest.mark.slow
def test_the_netlist_of_an_engine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keys are loaded, a wrong one is refused, private operations are right, as in the RTL."""
    path, cells = mapped(ENGINE.hardware, tmp_path)
    joined, put_around = tmp_path / "joined.v", netlist.surrounded

    def surrounded(*given: Any) -> Path:
        joined.write_text(put_around(*given).read_text())
        return joined

    monkeypatch.setattr(netlist, "surrounded", surrounded)
    assert check_engine(ENGINE, path, cells) == 20
    # The fault is planted in what is around already, which takes most of the time.
    joined.write_text(another_gate(joined.read_text()))
    path.write_text(another_gate(path.read_text()))
    monkeypatch.setattr(netlist, "surrounded", lambda *_: joined)
    message = rf"the mapped netlist of {re.escape(str(ENGINE))} is not the engine"
    with pytest.raises(CheckFailedError, match=message):
        check_engine(ENGINE, path, cells)


@pytest.mark.slow
def test_an_engine_whose_tables_are_words(tmp_path: Path) -> None:
    """A scaled multiplier, and the memory inside a table as another macro."""
    chosen = design(
        "rsa", bits=32, core="unit_dsp", **{"core.word": 6}, window=2, halves=1, eblind=0,
        min_bits=16, table="words",
    )  # fmt: skip
    assert "mf_ram" in chosen.hardware.memories
    assert check_engine(chosen, *mapped(chosen.hardware, tmp_path)) == 20


@named("table", ["auto", "block"])
def test_tables_of_powers_are_memories_whole(table: str, tmp_path: Path) -> None:
    """A block RAM within a table belongs to the table's memory."""
    chosen = design("modexp", width=22, exponent_bits=4, algorithm="window", w=1, table=table)
    assert check_netlist(chosen, *mapped(chosen.hardware, tmp_path)) == 120


PORTS = "module top(clk_i, a_i, p_o);\n  input clk_i;\n  input [6:0] a_i;\n  output p_o;\n"


def gate(inputs: int) -> dict[str, object]:
    """Return the module of an AND gate as Yosys writes it."""
    names = [f"A{i}" for i in range(inputs)]
    ports: dict[str, object] = {
        name: {"direction": "input", "bits": [2 + i]} for i, name in enumerate(names)
    }
    ports["Y"] = {"direction": "output", "bits": [100 + inputs - 1]}
    cells = {
        str(i): {
            "type": "$_AND_",
            "connections": {"A": [2 if i == 1 else 100 + i - 1], "B": [2 + i], "Y": [100 + i]},
        }
        for i in range(1, inputs)
    }
    return {"ports": ports, "cells": cells}


def test_gates_of_many_inputs_are_split() -> None:
    pins = ",\n".join(f"    .A{i}(a_i[{i}])" for i in range(7))
    netlist = _Netlist(
        f"{PORTS}  AND7 g (\n{pins},\n    .Y(p_o)\n  );\nendmodule\n", {"AND7": gate(7)}, {}
    )
    nodes = netlist._sorted()
    assert len(nodes) == 3
    for value in (0, 127, 126, 63, 95):
        nets = {netlist._nets[f"a_i[{i}]"]: value >> i & 1 for i in range(7)} | {0: 0, 1: 1}
        for table, output, inputs in nodes:
            nets[output] = table >> sum(nets[net] << i for i, net in enumerate(inputs)) & 1
        assert nets[netlist._nets["p_o"]] == (value == 127)


LATCH = {
    "ports": {
        "E": {"direction": "input", "bits": [2]},
        "Q": {"direction": "output", "bits": [3]},
    },
    "cells": {"0": {"type": "$_DLATCH_P_", "connections": {"E": [2], "D": [2], "Q": [3]}}},
}
REGISTER = {
    "ports": {
        "C": {"direction": "input", "bits": [2]},
        "D": {"direction": "input", "bits": [3]},
        "Q": {"direction": "output", "bits": [4]},
    },
    "cells": {"0": {"type": "$_DFF_P_", "connections": {"C": [2], "D": [3], "Q": [4]}}},
}


@named(
    ("body", "message"),
    [
        ("  LATCH g (\n    .E(a_i[0]),\n    .Q(p_o)\n  );\n", "LATCH"),
        ("  DFF g (\n    .C(a_i[0]),\n    .D(a_i[1]),\n    .Q(p_o)\n  );\n", "another clock"),
        ("  OTHER g (\n    .Q(p_o)\n  );\n", "OTHER"),
        ("  AND g (\n    .A0(p_o),\n    .A1(a_i[1]),\n    .Y(p_o)\n  );\n", "combinational loop"),
        ("  assign p_o = a_i[0];\n  assign p_o = a_i[1];\n", "two drivers"),
        ("  assign p_o = a_i[0] & a_i[1];\n", "not understood"),
        ("  always @(posedge clk_i) p_o <= 1;\n", "not understood"),
        ("  AND g (\n    .A0(a_i),\n    .A1(a_i[1]),\n    .Y(p_o)\n  );\n", "pin A0 of a AND"),
    ],
)
def test_netlists_without_a_model_are_refused(body: str, message: str) -> None:
    functions = {"LATCH": LATCH, "DFF": REGISTER, "AND": gate(2)}
    with pytest.raises(ToolFailedError, match=message):
        _Netlist(f"{PORTS}{body}endmodule\n", functions, {}).model()
