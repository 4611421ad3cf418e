# SPDX-License-Identifier: Apache-2.0
"""The combinational modules of rtl/prim: Yosys proves for all operands that they compute integers.

Each row has small parameters, the module's connections, and what must hold. A planted fault of each
is refuted.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from montforge.arch.base import rtl_root
from montforge.errors import ToolFailedError
from montforge.yosys import quote, run_yosys

FILES = [
    "mf_full_adder_row.sv",
    "mf_compressor_tree.sv",
    "mf_carry_lookahead.sv",
    "mf_adder.sv",
    "mf_one_hot_mux.sv",
]
ADDER = """
  logic [{width}-1:0] sum;
  mf_adder #(.Width({width}), .Style({style})) u_dut (
    .a_i(x[{width}-1:0]), .b_i(y[{width}-1:0]), .sum_o(sum)
  );
  always_comb assert (sum == {width}'(x + y));
"""
ROW = """
  logic [4:0] sum, carry;
  mf_full_adder_row #(.Width(5)) u_dut (
    .s_i(x[4:0]), .c_i(y[4:0]), .x_i(z[4:0]), .sum_o(sum), .carry_o(carry)
  );
  always_comb assert (5'(sum + carry) == 5'(x + y + z));
"""
TREE = """
  logic [{outputs}-1:0][4:0] rows;
  logic [4:0]                sum, wanted;
  mf_compressor_tree #(.Width(5), .Rows({rows}), .Outputs({outputs})) u_dut (
    .rows_i(x[{rows}*5-1:0]), .rows_o(rows)
  );
  always_comb begin
    sum    = '0;
    wanted = '0;
    for (int unsigned i = 0; i < {outputs}; i++) sum = sum + rows[i];
    for (int unsigned i = 0; i < {rows}; i++) wanted = wanted + x[i*5 +: 5];
    assert (sum == wanted);
  end
"""
MUX = """
  logic [2:0] chosen;
  mf_one_hot_mux #(.Width(3), .Inputs({inputs})) u_dut (
    .select_i({inputs}'(1 << y)), .data_i(x[{inputs}*3-1:0]), .data_o(chosen)
  );
  always_comb assert (chosen == (y < {inputs} ? 3'(x >> (3 * y)) : 3'd0));
"""
ROWS = {
    **{
        f"mf_adder {width} {style}": ADDER.format(width=width, style=style)
        for width in (1, 2, 7, 8)
        for style in range(4)
    },
    "mf_full_adder_row": ROW,
    **{
        f"mf_compressor_tree {rows} {outputs}": TREE.format(rows=rows, outputs=outputs)
        for rows, outputs in ((1, 2), (2, 2), (3, 2), (5, 2), (5, 3), (4, 4))
    },
    **{f"mf_one_hot_mux {inputs}": MUX.format(inputs=inputs) for inputs in (1, 2, 5)},
}
FAULTS = [
    ("mf_adder 7 0", "mf_adder.sv", "a_i + b_i", "a_i + (b_i | Width'(1))"),
    ("mf_adder 7 1", "mf_carry_lookahead.sv", "Depth ? 0 : span", "Depth ? 0 : 2 * span"),
    ("mf_full_adder_row", "mf_full_adder_row.sv", "s_i ^ c_i ^ x_i", "s_i ^ c_i | x_i"),
    ("mf_compressor_tree 5 2", "mf_compressor_tree.sv", "rows[r+Groups]", "rows[r]"),
    ("mf_one_hot_mux 5", "mf_one_hot_mux.sv", "data_i[i] &", "data_i[i] |"),
]


def prove(bodies: list[str], folder: Path, changed: dict[str, str] | None = None) -> None:
    """Prove the assertions of ``bodies``, with other text for the files that are ``changed``.

    Raises ToolFailedError if one does not hold.
    """
    modules = [
        f"module miter{i} (input logic [29:0] x, input logic [7:0] y, z);{body}endmodule\n"
        for i, body in enumerate(bodies)
    ]
    instances = "".join(f"  miter{i} u{i} (.x, .y, .z);\n" for i in range(len(bodies)))
    top = f"module top (input logic [29:0] x, input logic [7:0] y, z);\n{instances}endmodule\n"
    (folder / "top.sv").write_text("".join(modules) + top)
    paths = [folder / "top.sv"]
    for name in FILES:
        path = rtl_root() / "prim" / name
        if changed and name in changed:
            path = folder / name
            path.write_text(changed[name])
        paths.append(path)
    run_yosys(
        f"read_slang --top top {' '.join(quote(path) for path in paths)}\n"
        "proc; flatten; chformal -lower\n"
        f"select -assert-count {len(bodies)} t:$assert\n"
        "opt\nsat -verify -prove-asserts\n",
        log=folder / "log",
        timeout=120,
    )


def test_modules_compute_integers(tmp_path: Path) -> None:
    prove(list(ROWS.values()), tmp_path)


@pytest.mark.parametrize(("row", "file", "old", "new"), FAULTS)
def test_a_planted_fault_is_refuted(
    row: str, file: str, old: str, new: str, tmp_path: Path
) -> None:
    text = (rtl_root() / "prim" / file).read_text()
    assert old in text
    with pytest.raises(ToolFailedError, match="proof did fail"):
        prove([ROWS[row]], tmp_path, {file: text.replace(old, new)})
