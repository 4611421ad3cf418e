# SPDX-License-Identifier: Apache-2.0
"""A Liberty file of the normalised standard cells of Kuang 2016, Table II.

Area and delay are those of the table, in units of a full adder's: 1 "um2" is A_FA, 1 "ns" is
T_FA. Delays depend on neither load nor slew, because the table gives one number a cell.

Values that the table does not give are chosen so:

- REG has no delay: its clock-to-q delay and setup time are 0, so a period is the delay of the
  logic alone, as in the paper's Table I.
- REG with an asynchronous clear or preset has the area of REG.
- INV is missing. AND2 - NAND2 and MUX2 - MUXI2 both leave an area of 0.04 and a delay of 0.22,
  which are used: a gate and its inverter cost as much as the table's non-inverting cell.
- BUF, without which ABC does not work, is two inverters.

ABC can't express delays without load in a Liberty file, so it maps with the same cells in its
genlib format, in thousandths of T_FA. FA has two outputs and is in the Liberty file only.
"""

from __future__ import annotations

import json
from importlib.resources import files

from montforge.work.templates import render

_FUNCTIONS = {
    "NAND2": "!(A*B)",
    "NOR2": "!(A+B)",
    "NAND3": "!(A*B*C)",
    "NOR3": "!(A+B+C)",
    "AND2": "A*B",
    "XOR2": "A^B",
    "XOR3": "A^B^C",
    "MUXI2": "!((S*B)+(!S*A))",
    "MUX2": "(S*B)+(!S*A)",
    "MUX3": "(T*C)+(!T*((S*B)+(!S*A)))",
    "MUX4": "(T*((S*D)+(!S*C)))+(!T*((S*B)+(!S*A)))",
    "INV": "!A",
    "BUF": "A",
}
_FULL_ADDER = {"S": "A^B^C", "CO": "(A*B)+(A*C)+(B*C)"}
_REGISTERS = {"REG": "", "REG_CLEAR": 'clear : "!RN";', "REG_PRESET": 'preset : "!RN";'}


def table2_liberty() -> str:
    """Return the text of the Liberty file, made from the published table."""
    area, delay = _table()
    outputs = {name: {"Y": function} for name, function in _FUNCTIONS.items()}
    cells = {
        name: (sorted(filter(str.isalpha, set("".join(functions.values())))), functions)
        for name, functions in (outputs | {"FA": _FULL_ADDER}).items()
    }
    fields = {"cells": cells, "registers": _REGISTERS, "area": area, "delay": delay}
    return render("table2.lib.in", fields)


def table2_genlib() -> str:
    """Return the single-output cells in ABC's genlib format, with delays in T_FA / 1000."""
    area, delay = _table()
    gates = [
        f"GATE {name} {area[name]} Y={function};"
        f" PIN * UNKNOWN 1 999 {delay[name] * 1000:g} 0 {delay[name] * 1000:g} 0"
        for name, function in _FUNCTIONS.items()
    ]
    return "\n".join([*gates, "GATE ZERO 0 Y=CONST0;", "GATE ONE 0 Y=CONST1;"]) + "\n"


def _table() -> tuple[dict[str, float], dict[str, float]]:
    """Return area and delay by cell, with the inverter and buffer that the table lacks."""
    published = json.loads(files("montforge.papers").joinpath("kuang2016.json").read_text())
    area, delay = (dict(published["table2_cells"][key]) for key in ("area", "delay"))
    for column in (area, delay):
        column["INV"] = round(column["AND2"] - column["NAND2"], 4)
        column["BUF"] = round(2 * column["INV"], 4)
    return area, delay
