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
    cells = [_cell(name, area[name], delay[name], {"Y": _FUNCTIONS[name]}) for name in _FUNCTIONS]
    cells.append(_cell("FA", area["FA"], delay["FA"], _FULL_ADDER))
    cells += [_register(name, area["REG"], extra) for name, extra in _REGISTERS.items()]
    return _HEADER + "\n".join(cells) + "}\n"


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


_HEADER = """\
library (table2) {
  delay_model : table_lookup;
  time_unit : "1ns";
  voltage_unit : "1V";
  current_unit : "1mA";
  pulling_resistance_unit : "1kohm";
  leakage_power_unit : "1nW";
  capacitive_load_unit (1, ff);
  nom_process : 1;
  nom_voltage : 1;
  nom_temperature : 25;
  input_threshold_pct_rise : 50;
  input_threshold_pct_fall : 50;
  output_threshold_pct_rise : 50;
  output_threshold_pct_fall : 50;
  slew_lower_threshold_pct_rise : 20;
  slew_lower_threshold_pct_fall : 20;
  slew_upper_threshold_pct_rise : 80;
  slew_upper_threshold_pct_fall : 80;
  lu_table_template (delay) {
    variable_1 : input_net_transition;
    variable_2 : total_output_net_capacitance;
    index_1 ("0, 1");
    index_2 ("0, 1000");
  }
  lu_table_template (setup) {
    variable_1 : related_pin_transition;
    variable_2 : constrained_pin_transition;
    index_1 ("0, 1");
    index_2 ("0, 1");
  }
"""


def _cell(name: str, area: float, delay: float, outputs: dict[str, str]) -> str:
    """Return a combinational cell; its inputs are the capital letters of the functions."""
    inputs = sorted({c for function in outputs.values() for c in function if c.isalpha()})
    timing = "".join(_timing(pin, "combinational", delay) for pin in inputs)
    pins = [_input(pin) for pin in inputs]
    pins += [
        f'    pin ({pin}) {{ direction : output; function : "{function}";\n{timing}    }}\n'
        for pin, function in outputs.items()
    ]
    return f"  cell ({name}) {{\n    area : {area};\n{''.join(pins)}  }}\n"


def _register(name: str, area: float, extra: str) -> str:
    """Return a rising-edge flip-flop without delay; ``extra`` is its clear or preset."""
    setup = "".join(
        f'      timing () {{ related_pin : "CK"; timing_type : {kind}_rising;\n'
        f"        rise_constraint (setup) {{ {_VALUES.format(0.0)} }}\n"
        f"        fall_constraint (setup) {{ {_VALUES.format(0.0)} }}\n      }}\n"
        for kind in ("setup", "hold")
    )
    reset = _input("RN") if extra else ""
    return (
        f"  cell ({name}) {{\n    area : {area};\n"
        f'    ff (IQ, IQN) {{ clocked_on : "CK"; next_state : "D"; {extra} }}\n'
        f"    pin (CK) {{ direction : input; clock : true; capacitance : 1; }}\n"
        f"    pin (D) {{ direction : input; capacitance : 1;\n{setup}    }}\n{reset}"
        f'    pin (Q) {{ direction : output; function : "IQ";\n'
        f"{_timing('CK', 'rising_edge', 0.0)}    }}\n  }}\n"
    )


_VALUES = 'values ("{0}, {0}", "{0}, {0}");'


def _input(pin: str) -> str:
    return f"    pin ({pin}) {{ direction : input; capacitance : 1; }}\n"


def _timing(related: str, kind: str, delay: float) -> str:
    tables = "".join(
        f"        {table} (delay) {{ {_VALUES.format(value)} }}\n"
        for table, value in (
            ("cell_rise", delay),
            ("cell_fall", delay),
            ("rise_transition", 0.01),
            ("fall_transition", 0.01),
        )
    )
    return (
        f'      timing () {{ related_pin : "{related}"; timing_type : {kind};\n{tables}      }}\n'
    )
